"""The rules of Parcheesi as functions over rows: reset, legal, play, odds, deal and draw."""

from sorry_env.parcheesi.engine.legal import legal
from sorry_env.parcheesi.engine.turns import deal, draw, odds, play, reset

__all__ = ["deal", "draw", "legal", "odds", "play", "reset"]
