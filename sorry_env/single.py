"""The Gymnasium environment: one learner at a table of players.

```python
import gymnasium
import sorry_env

env = gymnasium.make("sorry_env/Sorry-v0", ruleset="classic", opponents=["heuristic"])
observation, info = env.reset(seed=1)
action = env.action_space.sample(info["action_mask"])
observation, reward, terminated, truncated, info = env.step(action)
```
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from sorry_env.contest import Contest, Step
from sorry_env.errors import IllegalAction, RulesetError
from sorry_env.game import Game
from sorry_env.rulesets import Ruleset, ruleset
from sorry_env.seating import Opponents, Pool
from sorry_env.settings import RENDER_MODES, check_render_mode
from sorry_env.starts import start_of
from sorry_env.variant import Variant, variant

OPTIONS = ("position", "first")
"""Keys that `reset(options=...)` knows."""


class SorryEnv(gymnasium.Env[npt.NDArray[np.float32], np.int64]):
    """One game in which one seat is the learner's, and the others are players'.

    An observation is (F,) float32 in 0..1, what the learner's seat sees; an action is the id of a (card, move) pair.
    The action mask, (A,) int8, is `infos["action_mask"]` and `action_masks()`; `info["seat"]` is the learner's seat.
    At the end `info` holds `returns` and `scores`, (S,) float64, and `illegal`.

    An action that the mask forbids does not raise: it ends the game, `terminated`, with a loss: a reward of -1, or
    where rewards are points minus the best score that there is.

    Attributes:
        variant: ruleset, seats, action table and features.
        contest: the game, as N = 1 lanes.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 (as Gymnasium)

    def __init__(
        self,
        ruleset: str | Ruleset = "classic",
        seats: int | Sequence[str] | None = None,
        opponents: Opponents = "uniform",
        seat: int | str = "random",
        render_mode: str | None = None,
        *,
        rewards: str = "win",
        shaping: float = 0.0,
        skip_forced: bool = False,
        **changes: Any,
    ) -> None:
        """Set the table.

        Args:
            ruleset: a name in `RULESETS`.
            seats: how many, or the colours in turn order; None: as many as the opponents and the learner, else two,
                in teams four.
            opponents: spec strings, as in `make_player`, players, or pools of which each game draws one: one for all
                other seats, or a list with one for each, in turn order after the learner.
            seat: the learner's, 0..S-1; "random": drawn for each game; "all": it plays every seat, and is paid what
                the seat gets that has just acted.
            render_mode: "ansi": `render()` gives the board as text; None: nothing is drawn.
            rewards: paid at the end: "win" (1, the losers share -1), "points" or "score" (H7).
            shaping: weight of a potential-based reward for progress; it leaves the best policy as it is, with
                seat="all" only where two seats play.
            skip_forced: play the learner's turns with a single choice inside the environment.
            **changes: fields of `Ruleset` that differ from the named one.

        Raises:
            RulesetError: what is unknown, out of range or contradictory, by name.
            PlayerError, CheckpointError: an opponent that cannot be.
        """
        check_render_mode(render_mode)
        self.variant = table_of(ruleset, seats, opponents, changes)
        self.contest = Contest(
            self.variant, 1, opponents, seat=seat, rewards=rewards, shaping=shaping, skip_forced=skip_forced
        )
        self.observation_space, self.action_space = spaces_of(self.variant)
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Begin a game, up to the learner's first choice.

        Args:
            seed: of everything that is random in this and the following games; None goes on.
            options: `position`, a position dict or line to begin from; `first`, the colour that begins.

        Raises:
            RulesetError, InvalidPosition: an option or a seed that cannot be.
        """
        super().reset(seed=seed)
        start = start_of(self.variant, options, OPTIONS)
        self.contest.reset(seeds_of(seed, 1), position=start.states, first=start.first)
        return self.contest.features[0], self._info()

    def step(self, action: int | np.integer[Any]) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and go on to its next choice or the end.

        Raises:
            IllegalAction: there is no game, or it is over; or the action is no whole number.
        """
        found = np.asarray(action)
        if found.shape != () or found.dtype.kind not in "iu":
            raise IllegalAction(f"An action is a number that the action mask allows, not {action!r}.")
        step = self.contest.step(found.reshape(1), again=False)
        info = self._info() | (end_of(step, 0) if len(step.ended) else {})
        over = bool(step.terminated[0]), bool(step.truncated[0])
        return self.contest.features[0], float(step.rewards[0]), *over, info

    def action_masks(self) -> npt.NDArray[np.int8]:
        """(A,) int8: 1 where an action is legal; what was legal stays after an illegal one, else none is at the end."""
        mask: npt.NDArray[np.int8] = self.contest.masks[0]
        return mask

    def game(self) -> Game:
        """A copy of the game as a `Game`: legal moves as text, reasons, positions."""
        return Game.from_states(self.variant, self.contest.states.copy())

    def render(self) -> str | None:
        """The board as text in mode "ansi"; None without a mode."""
        if self.render_mode is None:
            return None
        return self.variant.family.ansi(self.variant, self.contest.states, colour=False)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.contest.masks[0], "seat": int(self.contest.seats[0])}


def seeds_of(seed: int | Sequence[int] | None, count: int) -> npt.NDArray[np.uint64] | None:
    """(count,) uint64: a seed, the next one and so on, or those of a sequence; None for None.

    Raises:
        RulesetError: they are no whole numbers of 64 bits, or not as many.
    """
    if seed is None:
        return None
    found = np.asarray(seed)
    if found.shape not in ((), (count,)) or found.dtype.kind not in "iu" or found.min() < 0:
        raise RulesetError(f"seed is {seed!r}: expected a number from 0 to 2**64 - 1, or {count} of them, one a game")
    further = np.arange(count) if found.ndim == 0 else np.zeros(count, np.int64)
    return found.astype(np.uint64) + further.astype(np.uint64)


def spaces_of(game: Variant) -> tuple[spaces.Space[npt.NDArray[np.float32]], spaces.Space[np.int64]]:
    """What a learner sees, and what it can do."""
    return spaces.Box(0.0, 1.0, (game.num_features,), np.float32), spaces.Discrete(game.num_actions)


def table_of(
    name: str | Ruleset, seats: int | Sequence[str] | None, opponents: Opponents, changes: Mapping[str, Any]
) -> Variant:
    """The variant; where seats are not said, there are as many as the opponents ask for, two, or four in teams."""
    rules = ruleset(name, **changes)
    if seats is None:
        several = isinstance(opponents, Sequence) and not isinstance(opponents, (str, Pool))
        count = len(cast(Sequence[Any], opponents)) if several else 1
        seats = count + 1 if count > 1 else min(rules.seat_counts)
    return variant(rules, seats)


def end_of(step: Step, k: int) -> dict[str, Any]:
    """What `info` tells of the k-th game that has ended."""
    return {"returns": step.returns[k], "scores": step.scores[k], "illegal": bool(step.illegal[k])}
