"""How fast sb3-contrib's MaskablePPO learns on our VecEnv, beside an environment of the same shapes that does nothing.

The second is what the learner alone costs; the third row is the way of tutorials: one Gymnasium environment, and the
defaults of MaskablePPO. All take turns, a rollout each with what is learned from it; the fastest round counts.
"""

import argparse
from time import process_time
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv

import sorry_env  # noqa: F401 (makes the ids known)
from sorry_env.adapters.sb3 import SorryVecEnv

LANES, STEPS, BATCH, EPOCHS = 64, 128, 2048, 4


class ZeroCostVecEnv(VecEnv):
    """N lanes that show the same (N, F) features and (N, A) masks for ever, and whose episodes never end."""

    def __init__(self, features: np.ndarray, masks: np.ndarray) -> None:
        self.features, self.masks = features, masks
        self.rewards, self.ended = np.zeros(len(features), np.float32), np.zeros(len(features), bool)
        self.infos: list[dict[str, Any]] = [{} for _ in features]
        box = spaces.Box(0.0, 1.0, features.shape[1:], np.float32)
        super().__init__(len(features), box, spaces.Discrete(masks.shape[1]))

    def reset(self) -> np.ndarray:
        return self.features

    def step_async(self, actions: np.ndarray) -> None:
        pass

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        return self.features, self.rewards, self.ended, self.infos

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def env_method(self, method_name: str, *_: Any, **__: Any) -> np.ndarray:
        return self.masks

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        pass


def learners(ruleset: str, opponents: str) -> dict[str, MaskablePPO]:
    """What is measured, by name; each has had one rollout."""
    env = SorryVecEnv(ruleset, LANES, opponents=opponents, seed=1)
    idle = ZeroCostVecEnv(env.reset().copy(), env.action_masks())
    plan = {"n_steps": STEPS, "batch_size": BATCH, "n_epochs": EPOCHS, "device": "cpu", "seed": 1}
    single = gymnasium.make("sorry_env/Sorry-v0", ruleset=ruleset, seats=2, opponents=opponents)
    found = {
        "nothing": MaskablePPO("MlpPolicy", idle, **plan),
        "SorryVecEnv": MaskablePPO("MlpPolicy", env, **plan),
        "one environment": MaskablePPO("MlpPolicy", single, device="cpu", seed=1),
    }
    for model in found.values():
        model.set_logger(Logger(None, []))
        rollout(model)
    return found


def rollout(model: MaskablePPO) -> float:
    """Steps a second of CPU time, over one rollout and what is learned from it."""
    steps = model.n_steps * model.n_envs
    begin = process_time()
    model.learn(steps, log_interval=None, reset_num_timesteps=False)
    return steps / (process_time() - begin)


def measured(models: dict[str, MaskablePPO], rounds: int) -> dict[str, float]:
    """Steps a second of each, the best of so many rounds in turn."""
    found = dict.fromkeys(models, 0.0)
    for _ in range(rounds):
        found = {name: max(found[name], rollout(model)) for name, model in models.items()}
    return found


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="classic")
    parser.add_argument("--opponents", default="uniform", help="a player's spec string")
    parser.add_argument("--rounds", type=int, default=10)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    found = measured(learners(arguments.ruleset, arguments.opponents), arguments.rounds)
    for name, rate in found.items():
        print(f"{name:16} {rate:8,.0f} steps/s {rate / found['nothing']:7.1%}")


if __name__ == "__main__":
    main()
