"""What all environments are told, checked: rewards and their shaping, flags, counts, and how to draw."""

import math
from typing import Any

import numpy as np

from sorry_env.errors import RulesetError, suggestion
from sorry_env.rewards import REWARDS

RENDER_MODES = ("ansi",)


def check_rewards(rewards: Any, shaping: Any) -> None:
    """Raise RulesetError for rewards that there are not, or a weight of the reward for progress that is no number."""
    if rewards not in REWARDS:
        raise RulesetError(f"unknown rewards {rewards!r}; {suggestion(rewards, REWARDS)}")
    if isinstance(shaping, bool) or not isinstance(shaping, (int, float)) or not math.isfinite(shaping):
        raise RulesetError(f"shaping is {shaping!r}: expected a number, the weight of the reward for progress")


def check_render_mode(render_mode: str | None) -> None:
    """Raise RulesetError for a mode that there is not."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise RulesetError(f"unknown render_mode {render_mode!r}; {suggestion(render_mode, RENDER_MODES)}")


def flag(name: str, value: Any) -> bool:
    """A setting that is True or False; RulesetError for anything else."""
    if not isinstance(value, (bool, np.bool_)):
        raise RulesetError(f"{name} is {value!r}: expected True or False")
    return bool(value)


def at_least_one(name: str, value: Any, what: str) -> int:
    """A setting that is a whole number from 1 on, of something; RulesetError for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise RulesetError(f"{name} is {value!r}: expected 1{what} or more")
    return int(value)
