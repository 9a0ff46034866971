"""The scene as a self-contained SVG text, in the look of the printed board."""

from collections.abc import Iterator
from html import escape

from sorry_env.render.svg_parts import (
    DARK,
    FRAME,
    GLOW,
    LINE,
    PAINTS,
    PALE,
    PAPER,
    SANS,
    SQUARE,
    TABLE,
    Paint,
    Point,
    box,
    disc,
    fitting,
    line,
    polygon,
    tag,
    text,
)
from sorry_env.rulesets import COLOURS
from sorry_env.sorry.render.layout import RADIUS, Layout
from sorry_env.sorry.render.scene import Mark, Pawn, Scene, Slide
from sorry_env.sorry.render.svg_cards import FIRE_EDGE, ICE_EDGE, ICE_INK, hands, strip_height, table, token_mark

MARGIN = 2.1
"""From the outer squares' middles to the edge of the picture."""
TRIANGLE: tuple[Point, ...] = ((-0.34, -0.36), (0.36, 0), (-0.34, 0.36))
"""On red's slides, from the middle of the first square."""
ROAD = 1.43
"""How wide the road is that joins squares which do not touch along a side."""


def svg(picture: Scene, size: int = 720) -> str:
    """The scene as SVG, `size` pixels wide and as high; higher where hands lie below the board."""
    low, span = -MARGIN, picture.layout.span + 2 * MARGIN
    height = span + strip_height(picture)
    parts = [
        tag("title", escape(picture.title)),
        tag("desc", escape(picture.description)),
        *_ground(picture),
        *(part for slide in picture.slides for part in _slide(picture.layout, slide)),
        *(_diamond(mark) for mark in picture.diamonds),
        *(_turbo(mark) for mark in picture.turbos),
        *(_exit(mark) for mark in picture.circles if not picture.slides),
        *(_fire_space(at) for at in picture.fires),
        *_labels(picture),
        *_circles(picture),
        *table(picture),
        *(_ghost(mark) for mark in picture.left),
        *(part for pawn in picture.pawns for part in _pawn(pawn)),
        *hands(picture, low, low + span, span),
    ]
    return tag(
        "svg",
        "\n" + "\n".join(parts) + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{low:.10g} {low:.10g} {span:.10g} {height:.10g}",
        width=size,
        height=round(size * height / span),
        role="img",
        font_family=SANS,
        text_anchor="middle",
    )


def _ground(picture: Scene) -> Iterator[str]:
    """Frame, table, squares and zones."""
    span, middle = picture.layout.span, picture.layout.middle
    frame, strip = span + 2 * MARGIN, strip_height(picture)
    yield box((middle, middle + strip / 2), frame, frame + strip, rx=0.7, fill=FRAME)
    table_size = span + (1.3 if picture.layout.roomy else 1.6)
    yield box((middle, middle), table_size, table_size, rx=0.25, fill=TABLE)
    if not picture.layout.roomy:
        yield from _road(picture)
    for at in picture.squares:
        yield box(at, 1, 1, fill=SQUARE, stroke=LINE, stroke_width=0.04)
    for zone in picture.zones:
        paint = PAINTS[zone.colour]
        yield box(zone.at, 1, 1, fill=paint.fill, stroke=paint.edge, stroke_width=0.05)


def _road(picture: Scene) -> Iterator[str]:
    """The road under a ring that turns in diagonal steps, and the ways from each Start to its circle."""
    style = {"fill": "none", "stroke": LINE, "stroke_linejoin": "round"}
    yield polygon(list(picture.squares), stroke_width=ROAD, **style)
    for start, circle in zip(picture.starts, picture.circles, strict=True):
        yield line(start.at, circle.at, stroke=PAINTS[start.colour].fill, stroke_width=0.5)


def _slide(layout: Layout, slide: Slide) -> Iterator[str]:
    """A triangle on the first square, pointing along, a bar, and a disc on the last square."""
    paint = PAINTS[slide.colour]
    first, last = slide.squares[0], slide.squares[-1]
    style = {"fill": paint.fill, "stroke": paint.edge, "stroke_width": 0.05}
    yield line(first, last, stroke=paint.edge, stroke_width=0.3)
    yield disc(last, 0.34, **style)
    ends = [layout.around(first, corner, COLOURS.index(slide.colour)) for corner in TRIANGLE]
    yield polygon(ends, stroke_linejoin="round", **style)
    yield line(first, last, stroke=paint.fill, stroke_width=0.2)


def _diamond(mark: Mark) -> str:
    x, y = mark.at
    corners = [(x, y - 0.42), (x + 0.42, y), (x, y + 0.42), (x - 0.42, y)]
    paint = PAINTS[mark.colour]
    return polygon(corners, fill=paint.fill, stroke=SQUARE, stroke_width=0.08)


def _turbo(mark: Mark) -> str:
    """A dark square with a bright bolt, whatever its side: everybody is pushed on from it (M2)."""
    x, y = mark.at
    bolt = ((0.1, -0.4), (-0.26, 0.06), (-0.02, 0.06), (-0.1, 0.4), (0.26, -0.08), (0.02, -0.08))
    ground = box(mark.at, 1, 1, fill=DARK, stroke=GLOW, stroke_width=0.09)
    return ground + polygon([(x + dx, y + dy) for dx, dy in bolt], fill=GLOW)


def _exit(mark: Mark) -> str:
    """Where pawns come out of Start, on a board that has no slide there."""
    paint = PAINTS[mark.colour]
    return disc(mark.at, 0.34, fill=paint.fill, stroke=paint.edge, stroke_width=0.05)


def _fire_space(at: Point) -> str:
    """A corner with a flame (F5)."""
    return box(at, 1, 1, fill="#ffe3c2", stroke=FIRE_EDGE, stroke_width=0.08) + token_mark("Fire", at, 0.36)


def _labels(picture: Scene) -> Iterator[str]:
    """Who plays from each side, on the frame; the mover and a winner stand out."""
    for side, colour in enumerate(COLOURS):
        if colour in picture.seats:
            x, y = picture.layout.turned((picture.layout.middle, -1.37), side)
            turn = f"rotate({(0, 90, 0, -90)[side]} {x:g} {y:g})"
            yield tag("g", _label(picture, colour, (x, y)), transform=turn)


def _label(picture: Scene, colour: str, at: Point) -> str:
    if colour == picture.to_move:
        return _banner(picture.status, at, PAINTS[colour])
    if colour in picture.winners:
        return _banner(f"{colour} wins", at, PAINTS[colour])
    return _name(colour, at)


def _banner(words: str, at: Point, paint: Paint) -> str:
    wide = 6.4 if len(words) < 18 else 11
    ground = box(at, wide, 1.05, rx=0.52, fill=paint.fill, stroke=PAPER, stroke_width=0.09)
    size = 0.62 if len(words) < 18 else fitting(words, wide - 0.8, 0.62)
    return ground + text(words, at, size, fill=paint.ink, font_weight="bold")


def _name(colour: str, at: Point) -> str:
    dot = (at[0] - 0.23 * len(colour) - 0.4, at[1])
    spot = disc(dot, 0.22, fill=PAINTS[colour].fill, stroke=PALE, stroke_width=0.05)
    return spot + text(colour, at, 0.62, fill=PALE, font_weight="bold")


def _circles(picture: Scene) -> Iterator[str]:
    """The Start and Home circles; a winner's Home has a bright rim."""
    words = picture.words
    for word, marks in ((words.start.upper(), picture.starts), (words.home.upper(), picture.homes)):
        for mark in marks:
            paint = PAINTS[mark.colour]
            won = marks is picture.homes and mark.colour in picture.winners
            rim = GLOW if won else paint.fill
            yield disc(mark.at, RADIUS - 0.08, fill=PAPER, stroke=rim, stroke_width=0.16)
            yield disc(mark.at, RADIUS, fill="none", stroke=paint.edge, stroke_width=0.05)
            yield text(word, mark.at, 0.38, fill=paint.edge, font_weight="bold")


def _ghost(mark: Mark) -> str:
    """A point that a pawn has left."""
    dashes = {"stroke": PAINTS[mark.colour].edge, "stroke_width": 0.08, "stroke_dasharray": "0.16 0.12"}
    return disc(mark.at, 0.36, fill="none", **dashes)


def _pawn(pawn: Pawn) -> Iterator[str]:
    """A disc with its colour's letter; one that has just moved has a bright rim."""
    paint = PAINTS[pawn.colour]
    if pawn.ice:
        yield token_mark("Ice", pawn.at, 0.6)
    ring, radius = (GLOW, 0.43) if pawn.moved else (ICE_INK, 0.41) if pawn.ice else (PAPER, 0.39)
    yield disc(pawn.at, radius, fill=ring, stroke=ICE_EDGE if pawn.ice else DARK, stroke_width=0.05)
    yield disc(pawn.at, 0.31, fill=paint.fill, stroke=paint.edge, stroke_width=0.05)
    yield text(pawn.colour[0].upper(), pawn.at, 0.4, fill=paint.ink, font_weight="bold")
    yield from _badges(pawn)


def _badges(pawn: Pawn) -> Iterator[str]:
    """Small signs at a pawn's rim: a flame, a crystal, a tick if it has had its part of a 7."""
    x, y = pawn.at
    if pawn.fire:
        yield disc((x + 0.36, y - 0.34), 0.29, fill=PAPER, stroke=FIRE_EDGE, stroke_width=0.03)
        yield token_mark("Fire", (x + 0.36, y - 0.33), 0.2)
    if pawn.ice:
        yield token_mark("Ice", (x - 0.36, y - 0.34), 0.24)
    if pawn.spent:
        yield disc((x + 0.32, y + 0.3), 0.24, fill=DARK, stroke=PAPER, stroke_width=0.05)
        yield line((x + 0.2, y + 0.3), (x + 0.29, y + 0.4), stroke=PAPER, stroke_width=0.07)
        yield line((x + 0.28, y + 0.41), (x + 0.45, y + 0.19), stroke=PAPER, stroke_width=0.07)
