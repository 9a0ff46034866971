"""Drawing a position of Parcheesi, as lines of text and as SVG. It reads the state and never the engine.

The board is a grid of 19 by 19 squares, (0, 0) in the upper left corner: a cross of four arms, red's at the bottom.
Play goes counter-clockwise, so that blue's is on the right, yellow's at the top and green's on the left.
"""

from collections import Counter
from collections.abc import Iterator
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from sorry_env.parcheesi.board import (
    ENTRY,
    HOME,
    NEST,
    RING,
    ROW,
    ROW_SQUARES,
    SIDE,
    entry,
    is_safe,
    place_value,
    square,
)
from sorry_env.parcheesi.state import dice_left, pairs_of
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
    Point,
    box,
    disc,
    group,
    polygon,
    tag,
    text,
)
from sorry_env.rulesets import COLOURS
from sorry_env.verbs import CHANCE, States

if TYPE_CHECKING:  # built on families
    from sorry_env.variant import Variant

SPAN, MIDDLE = 19, 9
"""Squares of the grid along a side, and the middle one's number."""
ARM = 8
"""Squares of an arm's length."""
NEST_MIDDLE = (4.9, 4.9)
"""Of red's nest, from the middle of the board; to the right of its arm, beside its entry square."""
SAFE_FILL = "#bfe0ee"

COLUMNS = 3
"""A square is one line high and this wide."""
INKS = {"": "0", "red": "91", "blue": "94", "yellow": "93", "green": "92"}
PIECE_INKS = {"red": "1;97;41", "blue": "1;97;44", "yellow": "1;30;43", "green": "1;30;42"}


class Piece(NamedTuple):
    """A piece, and the middle of its square or of its spot in nest or Home."""

    colour: str
    place: int
    at: Point
    alone: bool


def turned(offset: Point, side: int) -> Point:
    """An offset from the middle of the board, seen from red's side, as the point for another side."""
    x, y = offset
    for _ in range(side):
        x, y = y, -x
    return MIDDLE + x, MIDDLE + y


def square_at(ring_square: int) -> Point:
    """The middle of a ring square."""
    side, k = divmod(ring_square, SIDE)
    if k == 0:
        return turned((0, MIDDLE), side)
    if k <= ARM:
        return turned((1, MIDDLE + 1 - k), side)
    return turned((k - ARM + 1, 1), side)


def place_at(colour: str, place: int) -> Point:
    """The middle of a place: a square, the nest, or a colour's part of Home."""
    side = COLOURS.index(colour)
    if ENTRY <= place <= ROW:
        return square_at(square(colour, place))
    if place == NEST:
        return turned(NEST_MIDDLE, side)
    return turned((0, 0.95), side) if place == HOME else turned((0, MIDDLE - (place - ROW)), side)


def pieces_of(game: "Variant", s: Any) -> Iterator[Piece]:
    """All pieces; two on a square stand side by side, those in the nest and at Home have spots of their own."""
    for seat, colour in enumerate(game.colours):
        places = [int(place) for place in s["pieces"][seat, : game.ruleset.pieces]]
        for k, place in enumerate(places):
            number, count = k - places.index(place), places.count(place)
            x, y = place_at(colour, place)
            dx, dy = _spot(place, number, count, COLOURS.index(colour))
            yield Piece(colour, place, (x + dx, y + dy), count == 1 or place == NEST)


def _spot(place: int, number: int, count: int, side: int) -> Point:
    """From the middle of a place to the n-th of so many pieces."""
    if place == NEST:
        return (-1 + 2 * (number % 2), -1 + 2 * (number // 2))
    x, y = turned(((number - (count - 1) / 2) * 0.44, 0), side if place > ROW else 0)
    return x - MIDDLE, y - MIDDLE


# --- words


def status(game: "Variant", s: Any) -> str:
    """Who is to do what, or who has won."""
    if s["over"]:
        winners = [c for seat, c in enumerate(game.colours) if int(s["winners"]) >> seat & 1]
        return f"{winners[0]} wins" if winners else f"cut short after {int(s['turns'])} turns"
    return f"{game.colours[s['seat']]} {'rolls' if s['due'] >= CHANCE else 'to move'}"


def roll_words(game: "Variant", s: Any) -> list[str]:
    """The roll on the table, what is left of it, and the pairs of the throw that stand apart."""
    words = []
    if s["rolled"][0]:
        left = " ".join(map(str, dice_left(s))) or "nothing"
        words.append(f"rolled {int(s['rolled'][0])} {int(s['rolled'][1])}, left {left}")
    if s["tens"] or s["twenties"]:
        words.append("rewards " + " ".join(["10"] * int(s["tens"]) + ["20"] * int(s["twenties"])))
    if s["doublets"]:
        words.append(f"doublets {int(s['doublets'])}")
    colour = game.colours[s["seat"]]
    apart = [f"{place_value(colour, a)} and {place_value(colour, b)}" for a, b in pairs_of(s) if a != b]
    return words + [f"stood together: {', '.join(apart)}"] * bool(apart)


# --- text


def ansi(game: "Variant", states: States, colour: bool = True) -> str:
    """A position as lines of text: 19 of 57 columns for the board, and what is on the table below it.

    `.` is a square, `*` a safe one, `o` an entry square, `[ ]` a home row's. A letter is a piece, two are a blockade.

    Args:
        game: ruleset and seats.
        states: (1,) STATE.
        colour: whether to colour with the terminal's escape sequences; the text is the same without.
    """
    s = states[0]
    canvas = [[(" ", "0")] * (COLUMNS * SPAN) for _ in range(SPAN)]
    for at, words, ink in [*_text_squares(), *_text_counts(game, s), *_text_pieces(game, s)]:
        column = COLUMNS * round(at[0]) + 1 - len(words) // 2
        canvas[round(at[1])][column : column + len(words)] = [(letter, ink) for letter in words]
    told = [str(game.ruleset), f"turn {int(s['turns'])}: {status(game, s)}", *roll_words(game, s)]
    wrapped = [part for line in told for part in wrap(line, COLUMNS * SPAN)]
    below = [[(letter, "0") for letter in line.ljust(COLUMNS * SPAN)] for line in wrapped]
    return "\n".join("".join(_letters(line, colour)) for line in [*canvas, *below])


def _letters(line: list[tuple[str, str]], colour: bool) -> Iterator[str]:
    """A line's letters, with an escape sequence wherever the ink changes."""
    before = "0"
    for letter, ink in [*line, ("", "0")]:
        yield f"\x1b[0;{ink}m{letter}" if colour and ink != before else letter
        before = ink


def _text_squares() -> Iterator[tuple[Point, str, str]]:
    for k in range(RING):
        yield square_at(k), "*" if is_safe(k) else ".", "0"
    for colour in COLOURS:
        yield square_at(entry(colour)), "o", INKS[colour]
        for k in range(1, ROW_SQUARES + 1):
            yield place_at(colour, ROW + k), "[ ]", INKS[colour]


def _text_counts(game: "Variant", s: Any) -> Iterator[tuple[Point, str, str]]:
    """How many pieces each colour has in the nest and at Home, in the corner of its nest."""
    for seat, colour in enumerate(game.colours):
        x, y = place_at(colour, NEST)
        own = s["pieces"][seat, : game.ruleset.pieces]
        yield (x, y - 1), colour, INKS[colour]
        yield (x, y), f"nest {int((own == NEST).sum())}", INKS[colour]
        yield (x, y + 1), f"home {int((own == HOME).sum())}", INKS[colour]


def _text_pieces(game: "Variant", s: Any) -> Iterator[tuple[Point, str, str]]:
    for seat, colour in enumerate(game.colours):
        found = Counter(int(place) for place in s["pieces"][seat, : game.ruleset.pieces])
        for place, count in found.items():
            if place not in (NEST, HOME):
                letters = colour[0] * count
                row = f"[{letters}]" if place > ROW and count == 1 else letters
                yield place_at(colour, place), row, PIECE_INKS[colour]


# --- SVG

MARGIN, STRIP = 1.1, 2.6
"""From the outer squares' middles to the edge of the picture, and the strip below the board."""
PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Of a die's face, in thirds of its side from the middle."""


def svg(game: "Variant", states: States, size: int = 720) -> str:
    """A position, (1,) STATE, as a self-contained SVG text, `size` pixels wide."""
    s = states[0]
    wide = SPAN - 1 + 2 * MARGIN
    high = wide + STRIP
    parts = [
        tag("title", escape(f"{game.ruleset}: {status(game, s)}")),
        box((MIDDLE, MIDDLE + STRIP / 2), wide, high, rx=0.5, fill=FRAME),
        box((MIDDLE, MIDDLE), SPAN + 0.5, SPAN + 0.5, rx=0.25, fill=TABLE),
        *(part for colour in COLOURS for part in _nest(colour)),
        *(_square(k) for k in range(RING)),
        *(part for colour in COLOURS for part in _row(colour)),
        *(_home(colour) for colour in COLOURS),
        *(part for piece in pieces_of(game, s) for part in _piece(piece)),
        *_table(game, s),
    ]
    return tag(
        "svg",
        "\n" + "\n".join(parts) + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-MARGIN:g} {-MARGIN:g} {wide:g} {high:g}",
        width=size,
        height=round(size * high / wide),
        role="img",
        font_family=SANS,
        text_anchor="middle",
    )


def _nest(colour: str) -> Iterator[str]:
    """A round place in the corner beside the entry square, with a spot for each piece."""
    at, paint = place_at(colour, NEST), PAINTS[colour]
    yield disc(at, 3.1, fill=paint.fill, stroke=paint.edge, stroke_width=0.1)
    yield disc(at, 2.4, fill=PAPER, stroke=paint.edge, stroke_width=0.06)
    for number in range(4):
        dx, dy = _spot(NEST, number, 4, 0)
        yield disc((at[0] + dx, at[1] + dy), 0.46, fill=TABLE, stroke=paint.edge, stroke_width=0.05)


def _square(ring_square: int) -> str:
    """A square of the ring: blue-green where it is safe, with a ring in the owner's colour where pieces enter."""
    at = square_at(ring_square)
    ground = box(at, 1, 1, fill=SAFE_FILL if is_safe(ring_square) else SQUARE, stroke=LINE, stroke_width=0.05)
    for colour in COLOURS:
        if ring_square == entry(colour):
            paint = PAINTS[colour]
            return ground + disc(at, 0.4, fill="none", stroke=paint.fill, stroke_width=0.14)
    number = text(str(ring_square), (at[0], at[1] + 0.3), 0.24, fill=LINE)
    return (
        ground + (disc(at, 0.36, fill="none", stroke=PAPER, stroke_width=0.1) if is_safe(ring_square) else "") + number
    )


def _row(colour: str) -> Iterator[str]:
    paint = PAINTS[colour]
    for k in range(1, ROW_SQUARES + 1):
        yield box(place_at(colour, ROW + k), 1, 1, fill=paint.fill, stroke=paint.edge, stroke_width=0.05)


def _home(colour: str) -> str:
    """A colour's quarter of the middle."""
    side, paint = COLOURS.index(colour), PAINTS[colour]
    corners = [turned(offset, side) for offset in ((0, 0), (-1.5, 1.5), (1.5, 1.5))]
    return polygon(corners, fill=paint.fill, stroke=paint.edge, stroke_width=0.06, stroke_linejoin="round")


def _piece(piece: Piece) -> Iterator[str]:
    """A disc with its colour's letter; smaller where several stand together."""
    paint, radius = PAINTS[piece.colour], 0.4 if piece.alone else 0.27
    yield disc(piece.at, radius, fill=PAPER, stroke=DARK, stroke_width=0.05)
    yield disc(piece.at, 0.78 * radius, fill=paint.fill, stroke=paint.edge, stroke_width=0.04)
    yield text(piece.colour[0].upper(), piece.at, radius, fill=paint.ink, font_weight="bold")


def _table(game: "Variant", s: Any) -> Iterator[str]:
    """The strip below the board: who is to move, the dice that are left, the rewards."""
    y = SPAN - 1 + MARGIN + STRIP / 2 - 0.1
    words = status(game, s)
    colour = words.split()[0]
    fill, ink = (PAINTS[colour].fill, PAINTS[colour].ink) if colour in PAINTS else (PALE, DARK)
    yield box((3.6, y), 7.6, 1.5, rx=0.7, fill=fill, stroke=PAPER, stroke_width=0.09)
    yield text(words, (3.6, y), min(0.72, 10.5 / len(words)), fill=ink, font_weight="bold")
    x = 9.0
    for die in dice_left(s):
        yield group(_die(die), (x, y))
        x += 1.8
    for reward in [10] * int(s["tens"]) + [20] * int(s["twenties"]):
        yield disc((x, y), 0.75, fill=GLOW, stroke=PAPER, stroke_width=0.09)
        yield text(f"+{reward}", (x, y), 0.55, fill=DARK, font_weight="bold")
        x += 1.8


def _die(face: int) -> str:
    """A die around (0, 0)."""
    pips = "".join(disc((0.42 * x, 0.42 * y), 0.15, fill=DARK) for x, y in PIPS[face])
    return box((0, 0), 1.5, 1.5, rx=0.3, fill=PAPER, stroke=DARK, stroke_width=0.05) + pips
