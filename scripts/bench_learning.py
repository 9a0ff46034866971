"""Learning, measured: steps a second of MaskablePPO, and games a second that a value net plays with itself."""

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from bench_own import MIXING
from bench_sample import Batch, Sample

from sorry_env import lanes

GAMES, ROLLOUT, MINIBATCH, EPOCHS = 64, 32, 2048, 4
"""Environments of PPO, steps of each before it learns, examples of a gradient step, and passes over the rollout."""
SELF_PLAY_LANES, SELF_PLAY_TURNS = 2048, 8


def ppo_batch(environment: Callable[[], Any]) -> Batch:
    """A rollout of 64 environments and four passes over it, by one torch thread."""
    return _learning(environment(), n_steps=ROLLOUT, batch_size=MINIBATCH, n_epochs=EPOCHS)


def tutorial_batch() -> Batch:
    """One environment and the default settings, but for rollouts of 256 steps instead of 2,048: as many gradients."""
    from sorry_env.single import SorryEnv

    return _learning(SorryEnv("classic", 2), n_steps=256)


def _learning(env: Any, **settings: Any) -> Batch:
    """What a rollout and the learning from it take."""
    import torch
    from sb3_contrib import MaskablePPO

    torch.set_num_threads(1)
    model = MaskablePPO("MlpPolicy", env, seed=1, device="cpu", **settings)
    steps = model.n_steps * model.n_envs

    def batch() -> Sample:
        begin = process_time()
        model.learn(steps, reset_num_timesteps=False)
        return Sample(steps, 0, process_time() - begin)

    return batch


def games_of_ours() -> Any:
    """64 games with a uniform opponent."""
    from sorry_env.adapters.sb3 import SorryVecEnv

    return SorryVecEnv("classic", GAMES, 2, "uniform", seed=1)


def idle_games() -> Any:
    """64 environments that do nothing in a step, and show the beginnings of ours for ever."""
    from zero_cost import vec_floor

    env = games_of_ours()
    return vec_floor(env.reset(), env.action_masks())


def self_play_batch() -> Batch:
    """Eight turns of 2,048 games, each played by the value net's choice among all afterstates."""
    from agents.value_net import Training, ValueNetConfig

    training = Training(ValueNetConfig(lanes=SELF_PLAY_LANES))
    net, play = training.learner.net(), training.self_play
    lanes.uniform_turns(play.states, training.game.rules, play.rng, MIXING, np.zeros(3, np.int64))

    def batch() -> Sample:
        begin = process_time()
        games = play.rollout(net, SELF_PLAY_TURNS).games
        return Sample(games, 0, process_time() - begin)

    return batch
