"""The board game Sorry! and its family as a reinforcement-learning environment."""

from sorry_env.batch import Lanes
from sorry_env.errors import (
    CheckpointError,
    IllegalAction,
    InvalidPosition,
    PlayerError,
    RulesetError,
    SorryError,
)
from sorry_env.express.family import Express
from sorry_env.family import Family, register
from sorry_env.game import Game
from sorry_env.parcheesi.family import Parcheesi
from sorry_env.registration import register_all
from sorry_env.rulesets import RULESETS, Ruleset, ruleset
from sorry_env.sorry.family import Sorry
from sorry_env.variant import Variant, variant

__version__ = "0.1.0"

register(Sorry())
register(Parcheesi())
register(Express())
register_all()

__all__ = [
    "RULESETS",
    "CheckpointError",
    "Family",
    "Game",
    "IllegalAction",
    "InvalidPosition",
    "Lanes",
    "PlayerError",
    "Ruleset",
    "RulesetError",
    "SorryError",
    "Variant",
    "__version__",
    "register",
    "ruleset",
    "variant",
]
