"""Drawings of positions. SVG and text need no other package, PNG the one of the `render` extra."""

from typing import TYPE_CHECKING

from sorry_env.render.png import png

if TYPE_CHECKING:  # a game imports the engine, and drawing needs no engine
    from sorry_env.game import Game

__all__ = ["ansi_of", "png", "svg_of"]


def ansi_of(game: "Game", colour: bool = True) -> str:
    """A game as it stands as lines of text, with or without the colours of a terminal."""
    return game.variant.family.ansi(game.variant, game.states, colour)


def svg_of(game: "Game") -> str:
    """The SVG of a game as it stands."""
    return game.variant.family.svg(game.variant, game.states)
