"""The scene as lines of text, three columns a square, with or without the colours of a terminal.

`.` is a square of the ring, `[ ]` one of a safety zone, `>  -  o` a slide, `*` a diamond, `^` a fire space, `+` a turbo
square, `o` where pawns come out of Start. A letter is a pawn, `(r)` one that has just moved and `( )` a square just
left; `^r` carries Fire, `r#` is frozen, `=r=` has had its part of a 7. Pawns in Start and at Home are counted there.
"""

from collections.abc import Iterator
from textwrap import wrap
from typing import NamedTuple

from sorry_env.render.svg_parts import Point
from sorry_env.rulesets import COLOURS
from sorry_env.sorry.board import HOME, SAFE, START
from sorry_env.sorry.render.scene import Pawn, Scene

COLUMNS = 3
"""A square is one line high and this wide."""
TEXT_LINE, TEXT_COLUMN, TEXT_WIDTH, TEXT_LINES = 4, 13, 22, 8
"""Where the text in the middle begins."""
ARROWS, BARS = ">v<^", "-|-|"
"""By side, the first square of a slide and those between."""
INKS = {"": "0", "red": "91", "blue": "94", "yellow": "93", "green": "92"}
PAWN_INKS = {"red": "1;97;41", "blue": "1;97;44", "yellow": "1;30;43", "green": "1;30;42"}
FIRE_INK, TURBO_INK = "1;91", "1;95"
SIGNS = {"Fire": "^", "Ice": "#"}


class Line(NamedTuple):
    """What to write in one ink from a line and column on."""

    line: int
    column: int
    words: str
    ink: str = INKS[""]


def ansi(picture: Scene, colour: bool = True) -> str:
    """The scene as text of one width: 16 lines of 48 columns, or 17 of 51, and lines for what lies beside the board.

    Args:
        picture: the scene.
        colour: whether to colour with the terminal's escape sequences; the text is the same without.
    """
    lines = picture.layout.span + 1
    below = _below(picture, COLUMNS * lines)
    canvas = [[(" ", INKS[""])] * (COLUMNS * lines) for _ in range(lines + len(below))]
    middle = _middle(picture) if picture.layout.roomy else iter(())
    for layer in (_board(picture), _pawns(picture), _counts(picture), middle, below):
        for line, column, words, ink in layer:
            canvas[line][column : column + len(words)] = [(letter, ink) for letter in words]
    return "\n".join("".join(_cells(line, colour)) for line in canvas)


def _cells(line: list[tuple[str, str]], colour: bool) -> Iterator[str]:
    """A line's letters, with an escape sequence wherever the ink changes."""
    before = INKS[""]
    for letter, ink in [*line, ("", INKS[""])]:
        yield f"\x1b[0;{ink}m{letter}" if colour and ink != before else letter
        before = ink


def _board(picture: Scene) -> Iterator[Line]:
    """Squares, slides, zones, diamonds, turbo squares, fire spaces and what pawns have left."""
    for at in picture.squares:
        yield _on(at, ".")
    if not picture.slides:
        for circle in picture.circles:
            yield _on(circle.at, "o", INKS[circle.colour])
    for slide in picture.slides:
        side = COLOURS.index(slide.colour)
        arrow, *bars, end = slide.squares
        for at, glyph in [(arrow, ARROWS[side]), *((bar, BARS[side]) for bar in bars), (end, "o")]:
            yield _on(at, glyph, INKS[slide.colour])
    for zone in picture.zones:
        yield _on(zone.at, "[ ]", INKS[zone.colour])
    for diamond in picture.diamonds:
        yield _on(diamond.at, "*", INKS[diamond.colour])
    for turbo in picture.turbos:
        yield _on(turbo.at, "+", TURBO_INK)
    for at in picture.fires:
        yield _on(at, SIGNS["Fire"], FIRE_INK)
    for mark in picture.left:
        if _is_square(mark.at):
            yield _on(mark.at, "( )", INKS[mark.colour])


def _pawns(picture: Scene) -> Iterator[Line]:
    """The pawns on squares."""
    for pawn in picture.pawns:
        if pawn.place not in (START, HOME):
            yield _on(pawn.at, _letter(pawn), PAWN_INKS[pawn.colour])


def _letter(pawn: Pawn) -> str:
    """A pawn's letter between its signs."""
    before, after = "()" if pawn.moved else "[]" if pawn.place > SAFE else ("", "")
    if pawn.spent:
        before = after = "="
    if pawn.fire or pawn.ice:  # three letters, so that the pawn's own stays in the middle
        before, after = SIGNS["Fire"] if pawn.fire else before or " ", SIGNS["Ice"] if pawn.ice else after or " "
    return before + pawn.colour[0] + after


def _counts(picture: Scene) -> Iterator[Line]:
    """How many pawns each player has in Start and at Home, written where these are."""
    for name, place, marks in (
        (picture.words.start.lower(), START, picture.starts),
        (picture.words.home.lower(), HOME, picture.homes),
    ):
        for mark in marks:
            if mark.colour in picture.seats:
                count, (x, y) = len(picture.pawns_of(mark.colour, place)), mark.at
                yield _on((x, y - 1), mark.colour, INKS[mark.colour])
                yield _on((x, y), f"{name} {count}", INKS[mark.colour])


def _middle(picture: Scene) -> Iterator[Line]:
    """SorryRules, turn, card in play, and who is to move."""
    for k, words in enumerate([*_news(picture), *wrap(picture.card_text, TEXT_WIDTH)]):
        yield Line(TEXT_LINE + k, TEXT_COLUMN, _cut(words))
    status = wrap(picture.status, TEXT_WIDTH)[:2]
    for k, words in enumerate(status):
        yield Line(TEXT_LINE + TEXT_LINES - len(status) + k, TEXT_COLUMN, _cut(words), _ink(picture))


def _news(picture: Scene) -> list[str]:
    words = picture.words
    card = f"{words.card} {words.card_word(picture.card)}:" if picture.card else f"no {words.card}"
    return [picture.ruleset, f"turn {picture.turn}, pile {picture.pile}", *([] if picture.hands else [card])]


def _ink(picture: Scene) -> str:
    """Of who is to move or has won."""
    return INKS[picture.to_move or "".join(picture.winners[:1])]


def _below(picture: Scene, width: int) -> list[Line]:
    """What lies beside the board, and what has no room on it."""
    lines: list[tuple[str, str]] = []
    if not picture.layout.roomy:
        ruleset, pile, *card = _news(picture)
        text = " ".join([*card, picture.card_text]).strip()
        lines += [("", f"{ruleset}, {pile}"), *([("", text)] if text else []), ("status", picture.status)]
    lines += [("", words) for words in (*picture.sides, *_holders(picture), *picture.marks)]
    lines += [(hand.colour, picture.hand_word(hand)) for hand in picture.hands]
    inks = INKS | {"status": _ink(picture)}
    wrapped = [(inks[ink], part) for ink, words in lines for part in wrap(words, width)]
    return [Line(picture.layout.span + 1 + k, 0, words, ink) for k, (ink, words) in enumerate(wrapped)]


def _holders(picture: Scene) -> list[str]:
    """Where the tokens are."""
    words = [f"{SIGNS[token]} {token} {picture.holder_word(token)}" for token in picture.tokens]
    return [", ".join(words)] if words else []


def _cut(words: str) -> str:
    return words if len(words) <= TEXT_WIDTH else words[: TEXT_WIDTH - 3] + "..."


def _on(at: Point, words: str, ink: str = INKS[""]) -> Line:
    """Words around a point."""
    return Line(round(at[1]), COLUMNS * round(at[0]) + 1 - len(words) // 2, words, ink)


def _is_square(at: Point) -> bool:
    return at == (round(at[0]), round(at[1]))
