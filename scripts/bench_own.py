"""Our own measurements: each function sets one up and gives its batches."""

from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import numpy as np
from bench_sample import Batch, Sample, aec_batch, stepwise
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from zero_cost import AECFloor

from sorry_env import lanes, sorry_v0
from sorry_env.random import generators
from sorry_env.single import SorryEnv
from sorry_env.variant import Variant, variant
from sorry_env.vector import SorryVectorEnv

LANES, TURNS = 1024, 100
"""Games side by side in the engine, and turns that each of them is played on at a stretch."""
MIXING = 1000
"""Turns played in each lane beforehand: its games are at different stages then."""


def engine_batch(seats: int, observed: bool, ruleset: str = "classic", count: int = LANES, turns: int = TURNS) -> Batch:
    """So many actions in each of `count` games; observed: features and mask are written before each."""
    game = variant(ruleset, seats)
    states, rng, tally = game.new_states(count), generators(1, count), np.zeros(3, np.int64)
    game.reset(states, rng)
    lanes.uniform_turns(states, game.rules, rng, MIXING, tally)
    features = np.zeros((count, game.num_features), np.float32)
    masks = np.zeros((count, game.num_actions), np.int8)

    def batch() -> Sample:
        tally[:] = 0
        begin = process_time()
        if observed:
            lanes.uniform_turns_observed(states, game.rules, rng, turns, tally, features, masks)
        else:
            lanes.uniform_turns(states, game.rules, rng, turns, tally)
        return Sample(int(tally[0]), int(tally[1]), process_time() - begin)

    return batch


def in_three_wrappers(env: AECEnv[Any, Any, Any]) -> AECEnv[Any, Any, Any]:
    """In the wrappers that PettingZoo's own classic environments come in."""
    legal = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))


WRAPPED: dict[str, Callable[[AECEnv[Any, Any, Any]], AECEnv[Any, Any, Any]]] = {
    "raw": lambda env: env,
    "in three wrappers": in_three_wrappers,
}
"""How an environment is measured, beside the form in which `env()` gives it."""


def env_batch(seats: int, form: str) -> Batch:
    """Steps of `sorry_v0`: "wrapped" as `env()` gives it, or a key of `WRAPPED`."""
    env = sorry_v0.env("classic", seats)
    return aec_batch(env if form == "wrapped" else WRAPPED[form](env.unwrapped))


def sampler_batch(seats: int) -> Batch:
    """Steps of `sorry_v0` without wrappers whose actions come from its own `sample`."""
    env = sorry_v0.raw_env("classic", seats)
    env.reset(seed=1)
    return stepwise(_sampled_steps(env), 500)


def _sampled_steps(env: sorry_v0.raw_env) -> Iterator[int]:
    while True:
        env.reset()
        for _ in env.agent_iter():
            env.last()
            env.step(env.sample())
            yield 0


def single_batch(seats: int) -> Batch:
    """200 steps of the Gymnasium environment with uniform opponents."""
    return stepwise(_single_steps(SorryEnv("classic", seats)), 200)


def _single_steps(env: SorryEnv) -> Iterator[int]:
    """Uniform games of the learner: how many actions were legal."""
    env.action_space.seed(1)
    _, info = env.reset(seed=1)
    while True:
        mask = info["action_mask"]
        _, _, terminated, truncated, info = env.step(env.action_space.sample(mask))
        if terminated or truncated:
            _, info = env.reset()
        yield int(np.count_nonzero(mask))


def vector_batch(seats: int) -> Batch:
    """8 steps of 1,024 learners with uniform opponents; choosing the learners' actions is not in the time."""
    env = SorryVectorEnv(LANES, "classic", seats)
    env.reset(seed=1)
    lots, actions = generators(1, LANES), np.empty(LANES, np.int64)

    def batch() -> Sample:
        choices, spent = 0, 0.0
        for _ in range(8):
            choices += int((env.action_masks().sum(1) > 1).sum())
            lanes.uniform_lanes(env.contest.states, env.variant.rules, lots, actions)
            begin = process_time()
            env.step(actions)
            spent += process_time() - begin
        return Sample(8 * LANES, choices, spent)

    return batch


def idle_batch(seats: int, form: str) -> Batch:
    """Steps of an environment with the same interface that does nothing in them."""
    game = variant("classic", seats)
    return aec_batch(WRAPPED[form](AECFloor(game.num_features, game.num_actions, mean_length(game), seats)))


def mean_length(game: Variant) -> int:
    """Actions of a uniform game."""
    states, rng, tally = game.new_states(LANES), generators(1, LANES), np.zeros(3, np.int64)
    game.reset(states, rng)
    lanes.uniform_turns(states, game.rules, rng, MIXING, tally)
    return int(tally[0] // tally[2])
