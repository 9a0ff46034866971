"""The scene as 16 lines of text, three columns a square, with or without the colours of a terminal.

`.` is a square of the ring, `[ ]` one of a safety zone, `>  -  o` a slide, `*` a diamond. A letter is a pawn,
`(r)` one that has just moved and `( )` a square just left. Pawns in Start and at Home are counted there.
"""

from collections.abc import Iterator
from textwrap import wrap
from typing import NamedTuple

from sorry_env.board import COLOURS, HOME, SAFE, SIDE, START
from sorry_env.render.scene import CARD_TEXTS, Point, Scene

COLUMNS = 3
"""A square is one line high and this wide."""
TEXT_LINE, TEXT_COLUMN, TEXT_WIDTH = 4, 13, 22
"""Where the text in the middle begins."""
ARROWS, BARS = ">v<^", "-|-|"
"""By side, the first square of a slide and those between."""
INKS = {"": "0", "red": "91", "blue": "94", "yellow": "93", "green": "92"}
PAWN_INKS = {"red": "1;97;41", "blue": "1;97;44", "yellow": "1;30;43", "green": "1;30;42"}


class Words(NamedTuple):
    """What to write in one ink from a line and column on."""

    line: int
    column: int
    words: str
    ink: str = INKS[""]


def ansi(picture: Scene, colour: bool = True) -> str:
    """The scene as text: 16 lines of 48 columns.

    Args:
        picture: the scene.
        colour: whether to colour with the terminal's escape sequences; the text is the same without.
    """
    canvas = [[(" ", INKS[""])] * (COLUMNS * (SIDE + 1)) for _ in range(SIDE + 1)]
    for layer in (_board(picture), _pawns(picture), _counts(picture), _middle(picture)):
        for line, column, words, ink in layer:
            canvas[line][column : column + len(words)] = [(letter, ink) for letter in words]
    return "\n".join("".join(_cells(line, colour)) for line in canvas)


def _cells(line: list[tuple[str, str]], colour: bool) -> Iterator[str]:
    """A line's letters, with an escape sequence wherever the ink changes."""
    before = INKS[""]
    for letter, ink in [*line, ("", INKS[""])]:
        yield f"\x1b[0;{ink}m{letter}" if colour and ink != before else letter
        before = ink


def _board(picture: Scene) -> Iterator[Words]:
    """Squares, slides, zones, diamonds and what pawns have left."""
    for at in picture.squares:
        yield _on(at, ".")
    for slide in picture.slides:
        side = COLOURS.index(slide.colour)
        arrow, *bars, end = slide.squares
        for at, glyph in [(arrow, ARROWS[side]), *((bar, BARS[side]) for bar in bars), (end, "o")]:
            yield _on(at, glyph, INKS[slide.colour])
    for zone in picture.zones:
        yield _on(zone.at, "[ ]", INKS[zone.colour])
    for diamond in picture.diamonds:
        yield _on(diamond.at, "*", INKS[diamond.colour])
    for mark in picture.left:
        if _is_square(mark.at):
            yield _on(mark.at, "( )", INKS[mark.colour])


def _pawns(picture: Scene) -> Iterator[Words]:
    """The pawns on squares."""
    for pawn in picture.pawns:
        if pawn.place not in (START, HOME):
            letter = pawn.colour[0]
            words = f"({letter})" if pawn.moved else f"[{letter}]" if pawn.place > SAFE else letter
            yield _on(pawn.at, words, PAWN_INKS[pawn.colour])


def _counts(picture: Scene) -> Iterator[Words]:
    """How many pawns each player has in Start and at Home, written where these are."""
    for name, place, marks in (("start", START, picture.starts), ("home", HOME, picture.homes)):
        for mark in marks:
            if mark.colour in picture.seats:
                count, (x, y) = len(picture.pawns_of(mark.colour, place)), mark.at
                yield _on((x, y - 1), mark.colour, INKS[mark.colour])
                yield _on((x, y), f"{name} {count}", INKS[mark.colour])


def _middle(picture: Scene) -> Iterator[Words]:
    """Ruleset, turn, card in play, and who is to move."""
    actor = picture.to_move or "".join(picture.winners[:1])
    card = CARD_TEXTS[picture.card] if picture.card else ""
    lines = [
        picture.ruleset,
        f"turn {picture.turn}, pile {picture.pile}",
        f"card {picture.card}:" if picture.card else "no card",
        *wrap(card, TEXT_WIDTH),
    ]
    for k, words in enumerate(lines):
        yield Words(TEXT_LINE + k, TEXT_COLUMN, _cut(words))
    yield Words(TEXT_LINE + 7, TEXT_COLUMN, _cut(picture.status), INKS[actor])


def _cut(words: str) -> str:
    return words if len(words) <= TEXT_WIDTH else words[: TEXT_WIDTH - 3] + "..."


def _on(at: Point, words: str, ink: str = INKS[""]) -> Words:
    """Words around a point."""
    return Words(round(at[1]), COLUMNS * round(at[0]) + 1 - len(words) // 2, words, ink)


def _is_square(at: Point) -> bool:
    return at == (round(at[0]), round(at[1]))
