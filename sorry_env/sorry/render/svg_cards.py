"""What lies on the table beside the pawns: the pile, the card in play, hands, tokens, and the words about them."""

from collections.abc import Iterator
from textwrap import shorten, wrap

from sorry_env.render.svg_parts import (
    DARK,
    FRAME,
    LINE,
    PAINTS,
    PALE,
    PAPER,
    SERIF,
    Point,
    box,
    disc,
    fitting,
    group,
    line,
    polygon,
    text,
)
from sorry_env.sorry.render.scene import Hand, Scene

WIDTH = 7.6
"""Of the words in the middle."""
CARD_SIZE = (3.2, 4.4)
PILE_AT, CARD_AT = (-1.9, 0.3), (1.9, 0.3)
"""From the middle of the board."""
CORNER = 6.6
"""From there to the middle of a corner, where things lie if there is no room in the middle."""
SMALL = 0.83
"""How large they are in a corner."""

HAND_CARD = (1.15, 1.6)
HAND_PITCH, HAND_ROW = 1.3, 2.1
HAND_NAME = 1.9
"""How wide the name before a hand is."""
FLAME: tuple[Point, ...] = (
    *((0, -1.2), (0.3, -0.6), (0.5, -0.75), (0.8, 0), (0.75, 0.5), (0.4, 0.9)),
    *((-0.4, 0.9), (-0.75, 0.5), (-0.8, 0), (-0.5, -0.45), (-0.25, -0.35)),
)
CRYSTAL: tuple[Point, ...] = ((0, -1), (0.87, -0.5), (0.87, 0.5), (0, 1), (-0.87, 0.5), (-0.87, -0.5))
FIRE_INK, FIRE_EDGE, ICE_INK, ICE_EDGE = "#ff6a00", "#7a1d00", "#8fe3ff", "#0b4f86"


def table(picture: Scene) -> Iterator[str]:
    """The name of the game, the pile, the card in play, and what is going on."""
    middle = picture.layout.middle
    if picture.layout.roomy:
        aside = list(_side_line(picture, (middle, middle - 2.25)))
        yield _logo(picture, (middle, middle - (3.55 if aside else 3.35)), 1.5)
        yield from aside
        yield from _pile(picture, _from(middle, (0, 0.3) if picture.hands else PILE_AT))
        if not picture.hands:
            yield from _card(picture, _from(middle, CARD_AT))
        yield from _news(picture, (middle, middle + 3.1))
        return
    for parts, (dx, dy) in (
        (_pile(picture, (0, 0)), (-1, -1)),
        ([] if picture.hands else _card(picture, (0, 0)), (1, -1)),
        ([_logo(picture, (0, 0), 0.85)], (-1, 1)),
        (_news(picture, (0, 0)), (1, 1)),
    ):
        scale = SMALL if dy < 0 else 1
        yield group("".join(parts), (middle + CORNER * dx, middle + CORNER * dy), scale)


def _from(middle: float, offset: Point) -> Point:
    return middle + offset[0], middle + offset[1]


def _logo(picture: Scene, at: Point, size: float) -> str:
    style = {"fill": PAINTS["red"].fill, "font_family": SERIF, "font_style": "italic", "font_weight": "bold"}
    return text(picture.words.game, at, size if len(picture.words.game) < 8 else min(size, 0.6), **style)


def _news(picture: Scene, at: Point) -> Iterator[str]:
    """What is going on; on two lines if it is long, and in a corner, which is narrow."""
    x, y = at
    width = WIDTH if picture.layout.roomy else 3.7
    status = [picture.status]
    if len(picture.status) * 0.3 > width:
        status = wrap(picture.status, len(picture.status) * 2 // 3)
    lift = 0.22 * (len(status) - 1)
    size = min(fitting(words, width, 0.6 if len(status) == 1 else 0.46) for words in status)
    for k, words in enumerate(status):
        yield text(words, (x, y - lift + 0.5 * k), size, fill=DARK, font_weight="bold")
    ruleset, turn = shorten(picture.ruleset, 36, placeholder=" …"), f"turn {picture.turn}"
    captions = [f"{ruleset} · {turn}"] if picture.layout.roomy else [ruleset, turn, *picture.marks]
    for k, words in enumerate(captions):
        yield text(words, (x, y + 0.65 + lift / 2 + 0.5 * k), fitting(words, width, 0.4), fill=DARK)


def _side_line(picture: Scene, at: Point) -> Iterator[str]:
    """Who plays with whom, who asks whom, and the tokens that nobody carries."""
    words = "; ".join([*picture.sides, *map(str, [picture.question] if picture.question else [])])
    if words:
        yield text(words, at, fitting(words, WIDTH, 0.38), fill=DARK, font_weight="bold")
    free = [token for token in picture.tokens if picture.carrier(token) is None]
    for k, token in enumerate(free):
        x, y = at[0] + 2.6 * (k - (len(free) - 1) / 2), at[1]
        yield token_mark(token, (x - 0.5, y), 0.36)
        yield text(token, (x + 0.4, y), 0.42, fill=DARK, font_weight="bold")


def token_mark(token: str, at: Point, size: float) -> str:
    """Fire is a flame, Ice a crystal of six corners with a star in it."""
    shape, ink, edge = (FLAME, FIRE_INK, FIRE_EDGE) if token == "Fire" else (CRYSTAL, ICE_INK, ICE_EDGE)
    corners = [(at[0] + size * x, at[1] + size * y) for x, y in shape]
    drawn = polygon(corners, fill=ink, stroke=edge, stroke_width=0.05, stroke_linejoin="round")
    if token == "Fire":
        return drawn + disc((at[0], at[1] + 0.4 * size), 0.3 * size, fill="#ffd23c")
    rays = (line(corners[k], corners[k + 3], stroke=ICE_EDGE, stroke_width=0.14 * size) for k in range(3))
    return drawn + "".join(rays)


def _pile(picture: Scene, at: Point) -> Iterator[str]:
    """The back of the pile and how many cards it holds."""
    count = picture.pile
    if not count:
        yield _blank(at)
    else:
        yield box(at, *CARD_SIZE, rx=0.3, fill=FRAME, stroke=PAPER, stroke_width=0.14)
        width, height = CARD_SIZE
        yield box(at, width - 0.5, height - 0.5, rx=0.2, fill="none", stroke=PALE, stroke_width=0.05)
    ink = PAPER if count else LINE
    yield text(str(count), (at[0], at[1] - 0.2), 1, fill=ink, font_weight="bold")
    yield text("in the pile", (at[0], at[1] + 0.7), 0.36, fill=ink)


def _card(picture: Scene, at: Point) -> Iterator[str]:
    """The card in play with what it does, or the place where it will lie."""
    if picture.card is None:
        yield _blank(at)
        yield text(f"next {picture.words.card}" if picture.to_move else "game over", at, 0.36, fill=LINE)
        return
    x, y = at
    yield box(at, *CARD_SIZE, rx=0.3, fill=PAPER, stroke=DARK, stroke_width=0.06)
    name = _card_name(picture, picture.card)
    size = fitting(name, CARD_SIZE[0] - 0.4, 2)
    yield text(name, (x, y - 0.75), size, fill=DARK, font_family=SERIF, font_weight="bold")
    yield line((x - 1.1, y + 0.35), (x + 1.1, y + 0.35), stroke=PAINTS["red"].fill, stroke_width=0.06)
    lines = wrap(picture.card_text, 16)
    top, pitch = (0.75, 0.42) if len(lines) < 4 else (0.66, 0.39)
    for k, words in enumerate(lines):
        yield text(words, (x, y + top + pitch * k), 0.31, fill=DARK)


def _card_name(picture: Scene, card: str) -> str:
    return {"sorry": picture.words.sorry, "question": "?"}.get(card, card)


def _blank(at: Point) -> str:
    dashes = {"stroke": LINE, "stroke_width": 0.06, "stroke_dasharray": "0.2 0.15"}
    width, height = CARD_SIZE
    return box(at, width, height, rx=0.3, fill="none", **dashes)


def strip_height(picture: Scene) -> float:
    """Of the strip below the board where hands lie, two in a row."""
    return HAND_ROW * ((len(picture.hands) + 1) // 2) + (0.4 if picture.hands else 0)


def hands(picture: Scene, left: float, top: float, width: float) -> Iterator[str]:
    """Everybody's hand in the strip: cards face up, or backs and how many."""
    for k, hand in enumerate(picture.hands):
        x = left + width / 2 * (k % 2) + 0.35
        y = top + HAND_ROW * (k // 2) + HAND_ROW / 2
        yield _hand_name(picture, hand, (x + HAND_NAME / 2, y))
        yield from _hand(picture, hand, (x + HAND_NAME + HAND_CARD[0] / 2 + 0.2, y))


def _hand_name(picture: Scene, hand: Hand, at: Point) -> str:
    paint = PAINTS[hand.colour]
    ring = PAPER if hand.colour == picture.to_move else FRAME
    ground = box(at, HAND_NAME, 0.8, rx=0.4, fill=paint.fill, stroke=ring, stroke_width=0.09)
    return ground + text(hand.colour, at, 0.42, fill=paint.ink, font_weight="bold")


def _small_name(name: str, at: Point) -> str:
    """What stands on a card in a hand; upright if it is long."""
    if len(name) < 3:
        return text(name, at, 0.75, fill=DARK, font_family=SERIF, font_weight="bold")
    style = {"fill": PAINTS["red"].edge, "font_family": SERIF, "font_style": "italic", "font_weight": "bold"}
    turn = f"rotate(-90 {at[0]:.5g} {at[1]:.5g})"
    return text(name, at, fitting(name, HAND_CARD[1] - 0.1, 0.4), transform=turn, **style)


def _hand(picture: Scene, hand: Hand, at: Point) -> Iterator[str]:
    width, height = HAND_CARD
    for k, card in enumerate(hand.cards):
        place = (at[0] + HAND_PITCH * k, at[1])
        name = _card_name(picture, card)
        yield box(place, width, height, rx=0.15, fill=PAPER, stroke=DARK, stroke_width=0.05)
        yield _small_name(name, place)
    for k in range(hand.hidden):
        place = (at[0] + HAND_PITCH * (len(hand.cards) + k), at[1])
        yield box(place, width, height, rx=0.15, fill=FRAME, stroke=PALE, stroke_width=0.06)
    if hand.hidden:
        middle = at[0] + HAND_PITCH * (len(hand.cards) + (hand.hidden - 1) / 2)
        words = f"{hand.hidden} card{'' if hand.hidden == 1 else 's'}"
        yield box((middle, at[1]), 2.4, 0.62, rx=0.31, fill=PALE)
        yield text(words, (middle, at[1]), 0.4, fill=FRAME, font_weight="bold")
