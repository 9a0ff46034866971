"""The rules of Parcheesi as functions over rows: reset, legal, play, odds, deal, draw and returns."""

from sorry_env.parcheesi.engine.legal import legal
from sorry_env.parcheesi.engine.turns import deal, draw, odds, play, reset, returns

__all__ = ["deal", "draw", "legal", "odds", "play", "reset", "returns"]
