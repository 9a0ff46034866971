"""What there is to draw of a position, in board units; the painters turn it into pictures.

A **point** is `(x, y)`: x to the right, y downwards, one unit a square, the middle of the corner square 0 at
(0, 0) and that of square 30 at (15, 15). Red's side is the top, and the others follow clockwise: blue right,
yellow below, green left. What is on a square has whole coordinates; pawns in Start and at Home have others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sorry_env import board
from sorry_env.board import CIRCLE, COLOURS, DIAMOND, DRAW, ENTRY, HOME, SAFE, SIDE, START
from sorry_env.rulesets import CARDS
from sorry_env.state import States

if TYPE_CHECKING:  # a variant imports the engine, and drawing needs no engine
    from sorry_env.variant import Variant

Point = tuple[float, float]

RADIUS = 1.4
"""Of the Start and Home circles."""
SLOTS: tuple[Point, ...] = ((-0.46, -0.7), (0.46, -0.7), (-0.46, 0.7), (0.46, 0.7))
"""Where the pawns of a circle stand, from its middle; the row between is left for its name."""

CARD_TEXTS = {
    "1": "Start a pawn, or move 1",
    "2": "Start a pawn, or move 2; draw again",
    "3": "Move 3",
    "4": "Back 4",
    "5": "Move 5",
    "7": "Move 7, or split it between two pawns",
    "8": "Move 8",
    "10": "Forward 10, or back 1",
    "11": "Move 11, or change places with an opponent",
    "12": "Move 12",
    "sorry": "From Start, take the place of an opponent",
}
"""What each card does, in a few words."""


@dataclass(frozen=True)
class Mark:
    """Something of a colour: a zone square, the middle of a circle, a diamond, a point just left."""

    colour: str
    at: Point


@dataclass(frozen=True)
class Slide:
    """A slide and its squares, first to last."""

    colour: str
    squares: tuple[Point, ...]


@dataclass(frozen=True)
class Pawn:
    """A pawn at a place of its colour's path."""

    colour: str
    place: int
    at: Point
    moved: bool = False
    """Whether it was not there in the position before."""


@dataclass(frozen=True)
class Scene:
    """One position on its board. Every colour's side is there; `seats` are the colours that play."""

    ruleset: str
    squares: tuple[Point, ...]
    """By number, 0 to 59."""
    slides: tuple[Slide, ...]
    zones: tuple[Mark, ...]
    """The safety squares, each colour's from its entry to its Home."""
    starts: tuple[Mark, ...]
    homes: tuple[Mark, ...]
    diamonds: tuple[Mark, ...]
    """Empty where the ruleset's board shows none."""
    seats: tuple[str, ...]
    pawns: tuple[Pawn, ...]
    left: tuple[Mark, ...]
    """The points that pawns have left since the position before and that are free now."""
    card: str | None
    """In play; None if it has still to be drawn, or the game is over."""
    pile: int
    """Cards left to draw."""
    turn: int
    to_move: str | None
    """None when the game is over."""
    winners: tuple[str, ...]

    @property
    def status(self) -> str:
        """What is going on, as in `red to move`."""
        if self.to_move is not None:
            return f"{self.to_move} to {'draw' if self.card is None else 'move'}"
        if not self.winners:
            return "no winner (turn limit)"
        return f"{' and '.join(self.winners)} win{'s' if len(self.winners) == 1 else ''}"

    @property
    def title(self) -> str:
        """One line for a caption."""
        card = f", card {self.card}" if self.card else ""
        return f"Sorry! {self.ruleset}, turn {self.turn}: {self.status}{card}"

    @property
    def description(self) -> str:
        """Where every pawn stands, in words, for those who cannot see the picture."""
        return "; ".join(f"{seat}: {', '.join(map(_place_word, self.pawns_of(seat)))}" for seat in self.seats)

    def pawns_of(self, colour: str, place: int | None = None) -> list[Pawn]:
        """A colour's pawns, all or those at one place."""
        return [p for p in self.pawns if p.colour == colour and place in (None, p.place)]


def scene(game: "Variant", states: States, i: int = 0, last: States | None = None) -> Scene:
    """The scene of state i.

    Args:
        game: the variant that the states belong to.
        states: (N,) STATE.
        i: which of them.
        last: (N,) STATE of before, whose state i tells what has moved since; None: nothing has.
    """
    s = states[i]
    before = tuple(_standing(game, states[i] if last is None else last[i]))
    now = tuple(_standing(game, s))
    over, card = bool(s["over"]), int(s["due"])
    return Scene(
        ruleset=str(game.ruleset),
        squares=tuple(square_at(k) for k in range(board.RING)),
        slides=tuple(_slides()),
        zones=tuple(Mark(c, place_at(c, place)) for c in COLOURS for place in range(SAFE + 1, HOME)),
        starts=tuple(Mark(c, start_at(c)) for c in COLOURS),
        homes=tuple(Mark(c, home_at(c)) for c in COLOURS),
        diamonds=tuple(Mark(c, place_at(c, DIAMOND)) for c in COLOURS) if game.ruleset.diamond else (),
        seats=game.colours,
        pawns=tuple(Pawn(c, place, at, (c, place, at) not in before) for c, place, at in now),
        left=_left(before, now),
        card=None if over or card == DRAW else CARDS[card],
        pile=int(s["pile"].sum()),
        turn=int(s["turns"]),
        to_move=None if over else game.colours[int(s["seat"])],
        winners=tuple(c for seat, c in enumerate(game.colours) if int(s["winners"]) >> seat & 1),
    )


def square_at(ring_square: int) -> Point:
    """Where a ring square 0..59 is; its side's corner is at the left end, seen from the middle outwards."""
    side, offset = divmod(ring_square, SIDE)
    return turned((offset, 0), side)


def turned(point: Point, turns: int) -> Point:
    """The point after that many quarter turns of the board, clockwise."""
    for _ in range(turns):
        point = (SIDE - point[1], point[0])
    return point


def start_at(colour: str) -> Point:
    """The middle of a colour's Start, inside of its circle square."""
    return _inside(colour, CIRCLE, 0.5 + RADIUS)


def home_at(colour: str) -> Point:
    """The middle of a colour's Home, at the end of its safety zone."""
    return _inside(colour, ENTRY, HOME - SAFE - 0.5 + RADIUS)


def place_at(colour: str, place: int, nth: int = 0) -> Point:
    """Where a pawn stands: the nth, from 0, of those that share Start or Home."""
    if place in (START, HOME):
        x, y = start_at(colour) if place == START else home_at(colour)
        return x + SLOTS[nth][0], y + SLOTS[nth][1]
    if place > SAFE:
        return _inside(colour, ENTRY, place - SAFE)
    return square_at(board.square(colour, place))


def _inside(colour: str, place: int, depth: float) -> Point:
    """The point at a depth behind one of a colour's ring places, towards the opposite side."""
    x, y = square_at(board.square(COLOURS[0], place))
    return turned((x, y + depth), COLOURS.index(colour))


def _slides() -> Iterator[Slide]:
    for side, colour in enumerate(COLOURS):
        for which in range(len(board.SLIDES)):
            yield Slide(colour, tuple(square_at(k) for k in board.slide_squares(side, which)))


def _standing(game: "Variant", s: Any) -> Iterator[tuple[str, int, Point]]:
    """The colour, place and point of every pawn in the game."""
    for seat, colour in enumerate(game.colours):
        places = [int(place) for place in s["pawns"][seat, : game.ruleset.pawns]]
        for k, place in enumerate(places):
            yield colour, place, place_at(colour, place, places[:k].count(place))


def _left(before: Sequence[tuple[str, int, Point]], now: Sequence[tuple[str, int, Point]]) -> tuple[Mark, ...]:
    taken = {at for _, _, at in now}
    return tuple(Mark(colour, at) for colour, _, at in before if at not in taken)


def _place_word(pawn: Pawn) -> str:
    if pawn.place in (START, HOME):
        return "Start" if pawn.place == START else "Home"
    if pawn.place > SAFE:
        return f"safe {pawn.place - SAFE}"
    return str(board.square(pawn.colour, pawn.place))
