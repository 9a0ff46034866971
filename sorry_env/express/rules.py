"""The ruleset of Sorry! Express as a value (section E of the rules page)."""

from dataclasses import dataclass
from typing import ClassVar

from sorry_env.rulesets import Ruleset


@dataclass(frozen=True, kw_only=True)
class ExpressRules(Ruleset):
    """The rules of a game of Sorry! Express, without its seats: nobody plays any of them in two ways."""

    NAMES: ClassVar[tuple[str, ...]] = ("express",)


EXPRESS = ExpressRules(name="express")
"""Section E."""
