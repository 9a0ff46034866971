"""The elements of an SVG text, and the shades of the board."""

from html import escape
from typing import NamedTuple

Point = tuple[float, float]
"""Across and down, in units of the board."""


class Paint(NamedTuple):
    """The shades of one colour."""

    fill: str
    edge: str
    ink: str
    """For letters on the fill."""


PAINTS = {
    "red": Paint("#d62b36", "#86121b", "#ffffff"),
    "blue": Paint("#2b67c7", "#12346f", "#ffffff"),
    "yellow": Paint("#f7c600", "#7d6200", "#2b2200"),
    "green": Paint("#22914a", "#0c4c24", "#ffffff"),
}
FRAME, TABLE, SQUARE, LINE = "#1f2a44", "#f3e8cf", "#fffdf6", "#8d7f63"
PAPER, DARK, PALE, GLOW = "#ffffff", "#23232b", "#c9cfdd", "#ff8a00"
SANS = "'DejaVu Sans', Verdana, 'Segoe UI', Helvetica, Arial, sans-serif"
SERIF = "'DejaVu Serif', Georgia, 'Times New Roman', serif"


def fitting(words: str, width: float, size: float) -> float:
    """The font size, at most `size`, at which the words are no wider than `width`."""
    return min(size, width / (0.72 * max(len(words), 1)))


def text(words: str, at: Point, size: float, **style: object) -> str:
    """Words around a point; half of a capital's height below it, as not every viewer centres by itself."""
    return tag("text", escape(words), x=at[0], y=at[1] + 0.36 * size, font_size=size, **style)


def box(at: Point, width: float, height: float, **style: object) -> str:
    """A rectangle around a point."""
    return tag("rect", x=at[0] - width / 2, y=at[1] - height / 2, width=width, height=height, **style)


def disc(at: Point, radius: float, **style: object) -> str:
    """A circle around a point."""
    return tag("circle", cx=at[0], cy=at[1], r=radius, **style)


def line(start: Point, end: Point, **style: object) -> str:
    """A straight line."""
    return tag("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **style)


def polygon(corners: list[Point], **style: object) -> str:
    """A closed line through the corners."""
    return tag("polygon", points=" ".join(f"{x:.4g},{y:.4g}" for x, y in corners), **style)


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """An element; underscores in the attributes' names stand for hyphens."""
    pairs = "".join(f' {key.replace("_", "-")}="{value_text(value)}"' for key, value in attributes.items())
    return f"<{name}{pairs}>{content}</{name}>" if content else f"<{name}{pairs}/>"


def value_text(value: object) -> str:
    """An attribute's value, numbers to five digits."""
    return f"{value:.5g}" if isinstance(value, float) else escape(str(value))


def group(content: str, at: Point, scale: float = 1) -> str:
    """Elements around (0, 0), brought to a point."""
    return tag("g", content, transform=f"translate({at[0]:.5g} {at[1]:.5g}) scale({scale:g})")
