"""The scene as a self-contained SVG text, in the look of the printed board."""

from collections.abc import Iterator
from html import escape
from textwrap import shorten, wrap
from typing import NamedTuple

from sorry_env.board import COLOURS, SIDE
from sorry_env.render.scene import CARD_TEXTS, RADIUS, Mark, Pawn, Point, Scene, Slide, turned


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

MIDDLE = SIDE / 2
REACH = 9.6
"""From the middle of the board to the edge of the picture."""
TRIANGLE: tuple[Point, ...] = ((-0.34, -0.36), (0.36, 0), (-0.34, 0.36))
"""On red's slides, from the middle of the first square."""
CARD_SIZE = (3.2, 4.4)
CARD_AT, PILE_AT = (MIDDLE + 1.9, MIDDLE + 0.3), (MIDDLE - 1.9, MIDDLE + 0.3)


def svg(picture: Scene, size: int = 720) -> str:
    """The scene as SVG, `size` pixels wide and high."""
    parts = [
        _tag("title", escape(picture.title)),
        _tag("desc", escape(picture.description)),
        *_ground(picture),
        *(part for slide in picture.slides for part in _slide(slide)),
        *(_diamond(mark) for mark in picture.diamonds),
        *_labels(picture),
        *_circles(picture),
        *_centre(picture),
        *(_ghost(mark) for mark in picture.left),
        *(part for pawn in picture.pawns for part in _pawn(pawn)),
    ]
    low, span = MIDDLE - REACH, 2 * REACH
    return _tag(
        "svg",
        "\n" + "\n".join(parts) + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{low:.10g} {low:.10g} {span:.10g} {span:.10g}",
        width=size,
        height=size,
        role="img",
        font_family=SANS,
        text_anchor="middle",
    )


def _ground(picture: Scene) -> Iterator[str]:
    """Frame, table, squares and zones."""
    yield _box((MIDDLE, MIDDLE), 2 * REACH, 2 * REACH, rx=0.7, fill=FRAME)
    yield _box((MIDDLE, MIDDLE), SIDE + 1.3, SIDE + 1.3, rx=0.25, fill=TABLE)
    for at in picture.squares:
        yield _box(at, 1, 1, fill=SQUARE, stroke=LINE, stroke_width=0.04)
    for zone in picture.zones:
        paint = PAINTS[zone.colour]
        yield _box(zone.at, 1, 1, fill=paint.fill, stroke=paint.edge, stroke_width=0.05)


def _slide(slide: Slide) -> Iterator[str]:
    """A triangle on the first square, pointing along, a bar, and a disc on the last square."""
    paint = PAINTS[slide.colour]
    first, last = slide.squares[0], slide.squares[-1]
    style = {"fill": paint.fill, "stroke": paint.edge, "stroke_width": 0.05}
    yield _line(first, last, stroke=paint.edge, stroke_width=0.3)
    yield _disc(last, 0.34, **style)
    ends = [_about(first, corner, COLOURS.index(slide.colour)) for corner in TRIANGLE]
    yield _polygon(ends, stroke_linejoin="round", **style)
    yield _line(first, last, stroke=paint.fill, stroke_width=0.2)


def _about(centre: Point, offset: Point, turns: int) -> Point:
    """Centre plus offset, the offset turned by quarter turns clockwise."""
    origin, end = turned((0, 0), turns), turned(offset, turns)
    return centre[0] + end[0] - origin[0], centre[1] + end[1] - origin[1]


def _diamond(mark: Mark) -> str:
    x, y = mark.at
    corners = [(x, y - 0.42), (x + 0.42, y), (x, y + 0.42), (x - 0.42, y)]
    paint = PAINTS[mark.colour]
    return _polygon(corners, fill=paint.fill, stroke=SQUARE, stroke_width=0.08)


def _labels(picture: Scene) -> Iterator[str]:
    """Who plays from each side, on the frame; the mover and a winner stand out."""
    for side, colour in enumerate(COLOURS):
        if colour in picture.seats:
            x, y = turned((MIDDLE, -1.37), side)
            turn = f"rotate({(0, 90, 0, -90)[side]} {x:g} {y:g})"
            yield _tag("g", _label(picture, colour, (x, y)), transform=turn)


def _label(picture: Scene, colour: str, at: Point) -> str:
    if colour == picture.to_move:
        return _banner(picture.status, at, PAINTS[colour])
    if colour in picture.winners:
        return _banner(f"{colour} wins", at, PAINTS[colour])
    return _name(colour, at)


def _banner(words: str, at: Point, paint: Paint) -> str:
    ground = _box(at, 6.4, 1.05, rx=0.52, fill=paint.fill, stroke=PAPER, stroke_width=0.09)
    return ground + _text(words, at, 0.62, fill=paint.ink, font_weight="bold")


def _name(colour: str, at: Point) -> str:
    dot = (at[0] - 0.23 * len(colour) - 0.4, at[1])
    spot = _disc(dot, 0.22, fill=PAINTS[colour].fill, stroke=PALE, stroke_width=0.05)
    return spot + _text(colour, at, 0.62, fill=PALE, font_weight="bold")


def _circles(picture: Scene) -> Iterator[str]:
    """The Start and Home circles; a winner's Home has a bright rim."""
    for word, marks in (("START", picture.starts), ("HOME", picture.homes)):
        for mark in marks:
            paint = PAINTS[mark.colour]
            won = word == "HOME" and mark.colour in picture.winners
            rim = GLOW if won else paint.fill
            yield _disc(mark.at, RADIUS - 0.08, fill=PAPER, stroke=rim, stroke_width=0.16)
            yield _disc(mark.at, RADIUS, fill="none", stroke=paint.edge, stroke_width=0.05)
            yield _text(word, mark.at, 0.38, fill=paint.edge, font_weight="bold")


def _centre(picture: Scene) -> Iterator[str]:
    """The name of the game, the pile, the card in play, and what is going on."""
    logo = {"fill": PAINTS["red"].fill, "font_family": SERIF, "font_style": "italic", "font_weight": "bold"}
    yield _text("Sorry!", (MIDDLE, 4.15), 1.5, **logo)
    yield from _pile(picture.pile)
    yield from _card(picture)
    size = _fitting(picture.status, 7.6, 0.6)
    yield _text(picture.status, (MIDDLE, 10.6), size, fill=DARK, font_weight="bold")
    caption = f"{shorten(picture.ruleset, 36, placeholder=' …')} · turn {picture.turn}"
    yield _text(caption, (MIDDLE, 11.25), _fitting(caption, 7.6, 0.4), fill=DARK)


def _pile(count: int) -> Iterator[str]:
    """The back of the pile and how many cards it holds."""
    if not count:
        yield _blank(PILE_AT)
    else:
        yield _box(PILE_AT, *CARD_SIZE, rx=0.3, fill=FRAME, stroke=PAPER, stroke_width=0.14)
        width, height = CARD_SIZE
        yield _box(PILE_AT, width - 0.5, height - 0.5, rx=0.2, fill="none", stroke=PALE, stroke_width=0.05)
    ink = PAPER if count else LINE
    yield _text(str(count), (PILE_AT[0], PILE_AT[1] - 0.2), 1, fill=ink, font_weight="bold")
    yield _text("in the pile", (PILE_AT[0], PILE_AT[1] + 0.7), 0.36, fill=ink)


def _card(picture: Scene) -> Iterator[str]:
    """The card in play with what it does, or the place where it will lie."""
    if picture.card is None:
        yield _blank(CARD_AT)
        yield _text("next card" if picture.to_move else "game over", CARD_AT, 0.36, fill=LINE)
        return
    x, y = CARD_AT
    yield _box(CARD_AT, *CARD_SIZE, rx=0.3, fill=PAPER, stroke=DARK, stroke_width=0.06)
    name = "Sorry!" if picture.card == "sorry" else picture.card
    size = _fitting(name, CARD_SIZE[0] - 0.4, 2)
    yield _text(name, (x, y - 0.75), size, fill=DARK, font_family=SERIF, font_weight="bold")
    yield _line((x - 1.1, y + 0.35), (x + 1.1, y + 0.35), stroke=PAINTS["red"].fill, stroke_width=0.06)
    for k, words in enumerate(wrap(CARD_TEXTS[picture.card], 16)):
        yield _text(words, (x, y + 0.75 + 0.42 * k), 0.31, fill=DARK)


def _blank(at: Point) -> str:
    dashes = {"stroke": LINE, "stroke_width": 0.06, "stroke_dasharray": "0.2 0.15"}
    width, height = CARD_SIZE
    return _box(at, width, height, rx=0.3, fill="none", **dashes)


def _ghost(mark: Mark) -> str:
    """A point that a pawn has left."""
    dashes = {"stroke": PAINTS[mark.colour].edge, "stroke_width": 0.08, "stroke_dasharray": "0.16 0.12"}
    return _disc(mark.at, 0.36, fill="none", **dashes)


def _pawn(pawn: Pawn) -> Iterator[str]:
    """A disc with its colour's letter; one that has just moved has a bright rim."""
    paint = PAINTS[pawn.colour]
    ring, radius = (GLOW, 0.43) if pawn.moved else (PAPER, 0.39)
    yield _disc(pawn.at, radius, fill=ring, stroke=DARK, stroke_width=0.05)
    yield _disc(pawn.at, 0.31, fill=paint.fill, stroke=paint.edge, stroke_width=0.05)
    yield _text(pawn.colour[0].upper(), pawn.at, 0.4, fill=paint.ink, font_weight="bold")


def _fitting(words: str, width: float, size: float) -> float:
    """The font size, at most `size`, at which the words are no wider than `width`."""
    return min(size, width / (0.72 * max(len(words), 1)))


def _text(words: str, at: Point, size: float, **style: object) -> str:
    """Words around a point; half of a capital's height below it, as not every viewer centres by itself."""
    return _tag("text", escape(words), x=at[0], y=at[1] + 0.36 * size, font_size=size, **style)


def _box(at: Point, width: float, height: float, **style: object) -> str:
    return _tag("rect", x=at[0] - width / 2, y=at[1] - height / 2, width=width, height=height, **style)


def _disc(at: Point, radius: float, **style: object) -> str:
    return _tag("circle", cx=at[0], cy=at[1], r=radius, **style)


def _line(start: Point, end: Point, **style: object) -> str:
    return _tag("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **style)


def _polygon(corners: list[Point], **style: object) -> str:
    return _tag("polygon", points=" ".join(f"{x:.4g},{y:.4g}" for x, y in corners), **style)


def _tag(name: str, content: str = "", /, **attributes: object) -> str:
    """An element; underscores in the attributes' names stand for hyphens."""
    pairs = "".join(f' {key.replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{pairs}>{content}</{name}>" if content else f"<{name}{pairs}/>"


def _value(value: object) -> str:
    return f"{value:.5g}" if isinstance(value, float) else escape(str(value))
