"""The Gymnasium vector environment: N learners' games in one call, straight on the engine.

```python
import gymnasium
import sorry_env

envs = gymnasium.make_vec("sorry_env/Sorry-v0", num_envs=1024, ruleset="classic", opponents=["uniform"])
observations, infos = envs.reset(seed=1)
actions = infos["action_mask"].argmax(axis=1)
observations, rewards, terminations, truncations, infos = envs.step(actions)
```
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from sorry_env.contest import Contest, Step
from sorry_env.errors import IllegalAction, RulesetError, suggestion
from sorry_env.rulesets import Ruleset
from sorry_env.seating import Opponents
from sorry_env.settings import RENDER_MODES, check_render_mode
from sorry_env.single import OPTIONS, seeds_of, spaces_of, table_of
from sorry_env.starts import start_of

Infos = dict[str, Any]
Observations = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


class SorryVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """N games side by side, in each of which one seat is the learner's.

    Game i of a `reset(seed=s)` is that of `SorryEnv` after `reset(seed=s + i)`. Observations are (N, F) float32, and
    `infos` hold `action_mask`, (N, A) int8, and `seat`, (N,) int64, with `_action_mask` and `_seat`, (N,) bool.

    When a game ends in mode SAME_STEP, the next one begins in the same step: the observation and the mask are its
    first ones, `infos["final_obs"]` holds the last observation of the old one, and `infos["final_info"]` its mask and
    seat, `returns`, `scores` and `illegal`, each with its `_` array. In the other modes these stand in `infos` itself,
    as `SorryEnv` has them. Illegal actions end a game with a loss, as there.

    Attributes:
        variant: ruleset, seats, action table and features.
        contest: the games.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str | Ruleset = "classic",
        seats: int | Sequence[str] | None = None,
        opponents: Opponents = "uniform",
        seat: int | str = "random",
        render_mode: str | None = None,
        *,
        rewards: str = "win",
        shaping: float = 0.0,
        skip_forced: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        threads: int = 1,
        copy: bool = True,
        **changes: Any,
    ) -> None:
        """Set the tables.

        Args:
            num_envs: N.
            ruleset: see `SorryEnv`, as for all that follow up to `skip_forced`.
            seats: how many, or their colours.
            opponents: the players of the other seats.
            seat: the learner's; "random": drawn for each game.
            render_mode: "ansi": `render()` gives the boards as text.
            rewards: "win", "points" or "score".
            shaping: weight of the reward for progress.
            skip_forced: play the learner's turns with a single choice, too.
            autoreset_mode: SAME_STEP, NEXT_STEP or DISABLED of `gymnasium.vector.AutoresetMode`. In NEXT_STEP the step
                after an end begins the next game, whatever its action, with a reward of 0. In DISABLED
                `reset(options={"reset_mask": ...})`, (N,) bool, does.
            threads: how many share the compiled work; the results do not depend on it.
            copy: give out new arrays at each step; False: the same ones, written over, which saves a little time.
            **changes: fields of `Ruleset` that differ from the named one.

        Raises:
            RulesetError: what is unknown, out of range or contradictory, by name.
            PlayerError, CheckpointError: an opponent that cannot be.
        """
        check_render_mode(render_mode)
        self.variant = table_of(ruleset, seats, opponents, changes)
        self.contest = Contest(
            self.variant,
            num_envs,
            opponents,
            seat=seat,
            rewards=rewards,
            shaping=shaping,
            skip_forced=skip_forced,
            threads=threads,
            fresh=copy,
        )
        self.num_envs, self.render_mode = self.contest.count, render_mode
        self._mode = _mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self.single_observation_space, self.single_action_space = spaces_of(self.variant)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Begin new games, up to the learner's first choices.

        Args:
            seed: of game i it is seed + i, or seed[i]; None goes on with the generators there are.
            options: `position` and `first`, as in `SorryEnv`; `reset_mask`, (N,) bool, the games to begin.

        Raises:
            RulesetError, InvalidPosition: an option or a seed that cannot be.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        start = start_of(self.variant, options, (*OPTIONS, "reset_mask"))
        which = self._reset_mask((options or {}).get("reset_mask"))
        self.contest.reset(seeds_of(seed, self.num_envs), which, position=start.states, first=start.first)
        return self.contest.features, self._infos()

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Observations, npt.NDArray[np.float64], Flags, Flags, Infos]:
        """Play the learner's action, (N,) integers, in each game, and go on to its next choices.

        Raises:
            IllegalAction: an array of another shape, no game is running, or in mode DISABLED not all of them are.
        """
        waiting = ~self.contest.running
        if waiting.any():
            return self._step_waiting(actions, waiting)
        step = self.contest.step(actions, again=self._mode is AutoresetMode.SAME_STEP)
        infos = self._infos()
        if len(step.ended):
            infos |= self._final(step) if self._mode is AutoresetMode.SAME_STEP else self._told(step)
        return self.contest.features, step.rewards, step.terminated, step.truncated, infos

    def _step_waiting(
        self, actions: npt.NDArray[np.int64], waiting: Flags
    ) -> tuple[Observations, npt.NDArray[np.float64], Flags, Flags, Infos]:
        """Some games have ended before this step: in mode NEXT_STEP they begin anew in it."""
        if self._mode is not AutoresetMode.NEXT_STEP or not self.contest.begun:
            ended = np.flatnonzero(waiting).tolist()
            remedy = 'reset(options={"reset_mask": ...}) begins them' if self.contest.begun else "reset() begins them"
            raise IllegalAction(f"{len(ended)} games are not running, {ended[:5]}...; {remedy}")
        infos: Infos = {}
        if waiting.all():
            self.contest.checked(actions)
            rewards, (terminated, truncated) = np.zeros(self.num_envs), np.zeros((2, self.num_envs), bool)
        else:
            step = self.contest.step(actions, again=False)
            rewards, terminated, truncated = step.rewards, step.terminated, step.truncated
            infos = self._told(step) if len(step.ended) else {}
        self.contest.reset(None, waiting)
        return self.contest.features, rewards, terminated, truncated, self._infos() | infos

    def action_masks(self) -> npt.NDArray[np.int8]:
        """(N, A) int8: 1 where an action is legal."""
        return self.contest.masks

    def set_opponents(self, opponents: Opponents) -> None:
        """Whom the learner meets in games that begin from now on; those that run keep their players.

        Raises:
            PlayerError, CheckpointError: an opponent that cannot be; nothing changes.
        """
        self.contest.set_opponents(opponents)

    def render(self) -> tuple[str, ...] | None:
        """The boards as text in mode "ansi"; None without a mode."""
        if self.render_mode is None:
            return None
        states, ansi = self.contest.states, self.variant.family.ansi
        return tuple(ansi(self.variant, states[i : i + 1], colour=False) for i in range(self.num_envs))

    def _infos(self) -> Infos:
        every = np.ones(self.num_envs, bool)
        seats = self.contest.seats.copy()
        return {"action_mask": self.contest.masks, "_action_mask": every, "seat": seats, "_seat": every}

    def _final(self, step: Step) -> Infos:
        """The last observations of games that have ended, and what their `info` told."""
        observations = np.full(self.num_envs, None, object)
        observations[step.ended] = list(step.features)
        mine, info = self._spread(step, {"action_mask": step.masks, "seat": step.seats, **_ends(step)})
        return {"final_obs": observations, "_final_obs": mine, "final_info": info, "_final_info": mine}

    def _told(self, step: Step) -> Infos:
        return self._spread(step, _ends(step))[1]

    def _spread(self, step: Step, values: dict[str, npt.NDArray[Any]]) -> tuple[Flags, Infos]:
        """(K, ...) arrays of the games that have ended as (N, ...), with a `_` array each that says which they are."""
        mine = np.zeros(self.num_envs, bool)
        mine[step.ended] = True
        infos: Infos = {}
        for name, value in values.items():
            infos[name] = np.zeros((self.num_envs, *value.shape[1:]), value.dtype)
            infos[name][step.ended], infos[f"_{name}"] = value, mine
        return mine, infos

    def _reset_mask(self, mask: Any) -> Flags | None:
        if mask is None:
            return None
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            raise RulesetError(f"reset_mask is {mask!r}: expected ({self.num_envs},) bool, True for the games to begin")
        return mask


def _ends(step: Step) -> dict[str, npt.NDArray[Any]]:
    return {"returns": step.returns, "scores": step.scores, "illegal": step.illegal}


def _mode(mode: AutoresetMode | str) -> AutoresetMode:
    """A mode, or its name."""
    if isinstance(mode, AutoresetMode):
        return mode
    names = {one.name: one for one in AutoresetMode} | {str(one.value): one for one in AutoresetMode}
    if mode not in names:
        raise RulesetError(f"unknown autoreset_mode {mode!r}; {suggestion(mode, [one.name for one in AutoresetMode])}")
    return names[mode]
