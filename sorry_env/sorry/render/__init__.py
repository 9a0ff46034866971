"""Drawings of positions: one scene, read from a state, and two painters, of text and of SVG."""

from sorry_env.sorry.render.ansi import ansi
from sorry_env.sorry.render.scene import Scene, scene
from sorry_env.sorry.render.svg import svg

__all__ = ["Scene", "ansi", "scene", "svg"]
