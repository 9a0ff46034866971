"""A vector of games for stable-baselines3: one learner a game, stepped all in one call, its opponents inside.

```python
from sb3_contrib import MaskablePPO

from sorry_env.adapters.sb3 import SorryVecEnv

env = SorryVecEnv("classic", num_envs=64, opponents="heuristic", seed=1)
MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=2048, n_epochs=4).learn(1_000_000)
```
"""

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from sorry_env.contest import Contest, Step
from sorry_env.rulesets import Ruleset
from sorry_env.seating import Opponents
from sorry_env.single import end_of, spaces_of, table_of
from sorry_env.variant import Variant

Indices = None | int | Iterable[int]
Infos = list[dict[str, Any]]
MASKS = "action_masks"
"""The method that sb3-contrib asks for."""


class SorryVecEnv(VecEnv):
    """N games, in each of which one seat is the learner's and the others are players of the environment.

    Observations are (N, F) float32 in 0..1, what the learner's seat sees; `env_method("action_masks")` is one (N, A)
    array, True where an action is legal. Rewards come at the end of a game. A game that ends is followed at once by
    the next one; its info then holds `terminal_observation`, `TimeLimit.truncated`, `seat`, `seating`, (S,) int64, who
    sat at each seat by number in `contest.seating.players`, -1 the learner, `returns` and `scores`, (S,) float64,
    `illegal`, and `episode` with what `Monitor` writes there: reward `r`, learner's steps `l`, seconds `t`. The numbers
    hold until `set_opponents`. An action that the mask forbids does not raise: it ends the game with a loss.

    Attributes:
        variant: ruleset, seats, action table and features.
        contest: the games themselves.
    """

    def __init__(
        self,
        ruleset: str | Ruleset = "classic",
        num_envs: int = 64,
        seats: int | Sequence[str] | None = None,
        opponents: Opponents = "uniform",
        *,
        seat: str | int = "random",
        rewards: str = "win",
        shaping: float = 0.0,
        skip_forced: bool = True,
        threads: int = 1,
        seed: int | None = None,
        **changes: Any,
    ) -> None:
        """Set the tables.

        Args:
            ruleset: a ruleset, or a name in `RULESETS`.
            num_envs: how many games, N.
            seats: how many, or the colours in turn order, clockwise; None: as many as the opponents and the learner,
                else two, in teams four.
            opponents: spec strings, players, or pools of which each new game draws one: one for all other seats, or a
                sequence with one for each, in turn order after the learner.
            seat: the learner's, 0..S-1; "random": drawn for each game; "all": it plays every seat, as in `SorryEnv`.
            rewards: "win", "points" or "score", as in `sorry_v0`.
            shaping: weight of a potential-based reward for progress.
            skip_forced: play turns with a single choice inside the environment.
            threads: how many work on the games.
            seed: of the first `reset`; None: another one each time.
            **changes: fields of `Ruleset` that differ from the named one.

        Raises:
            RulesetError, PlayerError, CheckpointError: the ruleset, the seat or an opponent cannot be.
        """
        self.variant: Variant = table_of(ruleset, seats, opponents, changes)
        self.contest = Contest(
            self.variant,
            num_envs,
            opponents,
            seat=seat,
            rewards=rewards,
            shaping=shaping,
            skip_forced=skip_forced,
            threads=threads,
        )
        super().__init__(num_envs, *spaces_of(self.variant))
        self._began = time.time()
        self._actions: npt.NDArray[Any] = np.zeros(num_envs, np.int64)
        if seed is not None:
            self.seed(seed)

    def reset(self) -> npt.NDArray[np.float32]:
        """Begin all games anew; (N, F) float32. Seeds of `seed` are used once, as everywhere in stable-baselines3."""
        seeds = None if None in self._seeds else np.array(self._seeds, np.uint64)
        self.contest.reset(seeds)
        self._reset_seeds()
        return self.contest.features

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Remember the learners' actions, (N,) integers."""
        self._actions = actions

    def step_wait(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_], Infos]:
        """Play them, and everything up to the learners' next choices: (N, F), (N,) rewards, (N,) ends, N infos."""
        step = self.contest.step(self._actions)
        infos: Infos = [{} for _ in range(self.num_envs)]
        for k, lane in enumerate(step.ended):
            infos[lane] = self._last_info(step, k)
        rewards = step.rewards.astype(np.float32)
        return self.contest.features, rewards, step.terminated | step.truncated, infos

    def _last_info(self, step: Step, k: int) -> dict[str, Any]:
        """What is to be known of the k-th game that ended."""
        seconds = time.time() - self._began
        return {
            "terminal_observation": step.features[k],
            "TimeLimit.truncated": bool(step.truncated[step.ended[k]]),
            "seat": int(step.seats[k]),
            "seating": step.seating[k],
            "episode": {"r": round(float(step.sums[k]), 6), "l": int(step.lengths[k]), "t": round(seconds, 6)},
            **end_of(step, k),
        }

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(N, A) bool: what the learners may play now."""
        return self.contest.masks.astype(np.bool_)

    def set_opponents(self, opponents: Opponents) -> None:
        """Whom games meet that begin from now on; as in the constructor."""
        self.contest.set_opponents(opponents)

    def close(self) -> None:
        """Nothing is held that has to be given back."""

    def has_attr(self, attr_name: str) -> bool:
        """Whether all games have an attribute: those of this object."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute once for each game; the games share them all."""
        value = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [value] * len(self._lanes(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set an attribute for all games, which share it."""
        if len(set(self._lanes(indices))) < self.num_envs:
            raise ValueError(f"{attr_name!r} cannot be set for some games alone: they share it; leave out indices")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> Any:
        """`action_masks`: (N, A) bool, or the rows of the games asked for; no other method belongs to a single game.

        Raises:
            AttributeError: any other name.
        """
        if method_name != MASKS:
            raise AttributeError(f"a game here has no method {method_name!r}; it has {MASKS!r} alone")
        masks = self.action_masks()
        return masks if indices is None else masks[self._lanes(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        """True for `Monitor`, whose books are kept here; there are no other wrappers."""
        return [wrapper_class is Monitor] * len(self._lanes(indices))

    def _lanes(self, indices: Indices) -> list[int]:
        return list(self._get_indices(indices))
