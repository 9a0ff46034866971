"""The rules of the Sorry! family as functions over rows: reset, legal, play, odds, deal and returns."""

from sorry_env.sorry.engine.legal import legal
from sorry_env.sorry.engine.turns import deal, draw, odds, play, reset, returns

__all__ = ["deal", "draw", "legal", "odds", "play", "reset", "returns"]
