"""Environments that cost nothing: what an interface alone takes, and a learner on it, to measure others against."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv


def _mask(actions: int, legal: int) -> np.ndarray:
    """(A,) int8 with so many actions legal, all over the table."""
    mask = np.zeros(actions, np.int8)
    mask[np.linspace(0, actions - 1, legal, dtype=int)] = 1
    return mask


class AECFloor(AECEnv[str, dict[str, Any], int | None]):
    """Agents act by turns, for so many turns; observation and mask are the same two arrays all the time.

    An observation is a dict of `observation`, (F,) float32, and `action_mask`, (A,) int8, as in `sorry_v0`.
    """

    metadata = {"name": "aec_floor_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, features: int, actions: int, turns: int, agents: int = 2, legal: int = 3) -> None:
        """F, A, the length of an episode, how many agents there are, and how many actions are legal all the time."""
        super().__init__()
        self.possible_agents = [f"player_{k}" for k in range(agents)]
        self._turns = turns
        self._next = dict(zip(self.possible_agents, self.possible_agents[1:] + self.possible_agents[:1], strict=True))
        self._observation = {"observation": np.zeros(features, np.float32), "action_mask": _mask(actions, legal)}
        box = spaces.Box(0.0, 1.0, (features,), np.float32)
        seen = spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})
        self._spaces = dict.fromkeys(self.possible_agents, seen)
        self._actions = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._observation["action_mask"]} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._left = self._turns

    def observe(self, agent: str) -> dict[str, Any]:
        return self._observation

    def step(self, action: int | None) -> None:
        if self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._left -= 1
        if self._left:
            self.agent_selection = self._next[self.agent_selection]
        else:
            self.truncations = dict.fromkeys(self.agents, True)
            self._deads_step_first()


def vec_floor(features: np.ndarray, masks: np.ndarray) -> Any:
    """A VecEnv of stable-baselines3 that shows (N, F) float32 and (N, A) bool for ever; its N episodes never end."""
    from stable_baselines3.common.vec_env import VecEnv

    count = len(features)

    class VecFloor(VecEnv):
        """Observations, masks, rewards and infos are the same objects all the time."""

        def __init__(self) -> None:
            seen = spaces.Box(0.0, 1.0, features.shape[1:], np.float32)
            super().__init__(count, seen, spaces.Discrete(masks.shape[1]))
            self._rest = np.zeros(count, np.float32), np.zeros(count, bool), [{} for _ in range(count)]

        def reset(self) -> Any:
            return features

        def step_async(self, actions: Any) -> None: ...

        def step_wait(self) -> Any:
            return features, *self._rest

        def close(self) -> None: ...

        def has_attr(self, attr_name: str) -> bool:
            return attr_name == "action_masks"

        def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
            return [None] * count

        def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
            raise AttributeError(attr_name)

        def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
            return masks

        def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
            return [False] * count

    return VecFloor()
