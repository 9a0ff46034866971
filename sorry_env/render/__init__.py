"""Drawings of positions: one scene, read from a state, and several painters.

SVG and text need no other package, PNG the one of the `render` extra.
"""

from typing import TYPE_CHECKING

from sorry_env.render.ansi import ansi
from sorry_env.render.png import png
from sorry_env.render.scene import Scene, scene
from sorry_env.render.svg import svg

if TYPE_CHECKING:  # a game imports the engine, and drawing needs no engine
    from sorry_env.game import Game

__all__ = ["Scene", "ansi", "png", "scene", "svg", "svg_of"]


def svg_of(game: "Game") -> str:
    """The SVG of a game as it stands."""
    return svg(scene(game.variant, game.states))
