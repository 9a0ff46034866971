"""Environments with PettingZoo's interface: PettingZoo's own, and OpenSpiel's `maedn` through Shimmy."""

from importlib import import_module

from bench_sample import INFO, Batch, aec_batch


def classic_batch(name: str, wrapped: bool, size: int) -> Batch:
    """So many steps of an environment of `pettingzoo.classic`, with its usual wrappers or without."""
    module = import_module(f"pettingzoo.classic.{name}")
    return aec_batch(module.env() if wrapped else module.raw_env(), size)


def shimmy_batch(players: int) -> Batch:
    """50 steps of `maedn` through Shimmy, which comes without wrappers and has its masks in the infos."""
    from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

    env = OpenSpielCompatibilityV0(game_name="maedn", config={"players": players})
    return aec_batch(env, 50, INFO)
