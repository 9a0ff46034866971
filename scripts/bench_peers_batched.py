"""Backgammon many games at a time: by EnvPool in C++, and by Pgx in JAX on the CPU."""

import sys
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

from bench_sample import Batch, Sample

PGX_STEPS = 256
"""Steps of all games together that a batch of Pgx has at least."""


def envpool_batch(count: int) -> Batch:
    """8 steps of `count` games of EnvPool's backgammon, on one thread; choosing is not in the time."""
    import numpy as np

    env = _envpool().make_gymnasium("Backgammon-v1", num_envs=count, num_threads=1, seed=1)
    rng = np.random.default_rng(1)
    mask = env.reset()[1]["legal_action_mask"]

    def batch() -> Sample:
        nonlocal mask
        choices, spent = 0, 0.0
        for _ in range(8):
            actions = (rng.random(mask.shape, np.float32) * mask).argmax(1).astype(np.int32)
            choices += int((mask.sum(1) > 1).sum())
            begin = process_time()
            *_, info = env.step(actions)
            spent += process_time() - begin
            mask = info["legal_action_mask"]
        return Sample(8 * count, choices, spent)

    return batch


def _envpool() -> ModuleType:
    """EnvPool with its board games alone: its `entry` registers all that it has and wants the assets of each."""
    sys.modules.setdefault("envpool.entry", ModuleType("envpool.entry"))
    import envpool
    import envpool.pgx.registration

    return envpool


def pgx_batch(count: int) -> Batch:
    """Some steps of `count` games of Pgx's backgammon, compiled with uniform choice and automatic reset."""
    import jax

    steps = max(1, PGX_STEPS // count)
    jax.config.update("jax_compilation_cache_dir", str(Path(sys.prefix) / "jax-cache"))
    play, states = _pgx_play(count, steps)
    key = jax.random.key(1)

    def batch() -> Sample:
        nonlocal states, key
        begin = process_time()
        states, key, choices = jax.block_until_ready(play(states, key))
        return Sample(steps * count, int(choices), process_time() - begin)

    return batch


def _pgx_play(count: int, steps: int) -> tuple[Any, Any]:
    """What plays all games on for so many steps, and their beginning."""
    import jax
    import pgx
    from jax import numpy as jnp
    from pgx.experimental import auto_reset

    env = pgx.make("backgammon")
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _: None) -> tuple[Any, None]:
        states, key, choices = carry
        key, actions, dice = jax.random.split(key, 3)
        legal = states.legal_action_mask
        chosen = jax.random.categorical(actions, jnp.where(legal, 0.0, -jnp.inf), axis=-1)
        choices += (legal.sum(-1) > 1).sum()
        return (step(states, chosen, jax.random.split(dice, count)), key, choices), None

    def play(states: Any, key: Any) -> Any:
        return jax.lax.scan(one, (states, key, jnp.int32(0)), None, length=steps)[0]

    return jax.jit(play), jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(2), count))
