"""Ids for `gymnasium.make` and `gymnasium.make_vec`: one that takes any ruleset, and one for each."""

import gymnasium

from sorry_env.rulesets import RULESETS

NAMESPACE, VERSION = "sorry_env", 0
ANY = f"{NAMESPACE}/Sorry-v{VERSION}"
"""The id of the environment that takes `ruleset=...`, by default "classic"."""


def id_of(ruleset: str) -> str:
    """The id of a ruleset's environment: `fire_and_ice` is `sorry_env/FireAndIce-v0`."""
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in ruleset.split('_'))}-v{VERSION}"


def register_all() -> None:
    """Make the ids known; those that are known already stay as they are."""
    for name, kwargs in {ANY: {}, **{id_of(ruleset): {"ruleset": ruleset} for ruleset in RULESETS}}.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="sorry_env.single:SorryEnv",
                vector_entry_point="sorry_env.vector:SorryVectorEnv",
                kwargs=kwargs,
            )
