"""Where things lie on a board: the square one, and the cloverleaf of Bump 'Em (M1).

A **point** is `(x, y)`: x to the right, y downwards, one unit a square, the upper left corner at (0, 0). Red's side is
the top, and the others follow clockwise by quarter turns: blue right, yellow below, green left. Squares of the ring
and of the zones have whole coordinates.
"""

from dataclasses import dataclass

from sorry_env.render.svg_parts import Point
from sorry_env.rulesets import COLOURS
from sorry_env.sorry import board
from sorry_env.sorry.board import CIRCLE_OFFSET, HOME, SAFE, SIDE, START

RADIUS = 1.4
"""Of the Start and Home circles."""
SLOTS: tuple[Point, ...] = ((-0.46, -0.7), (0.46, -0.7), (-0.46, 0.7), (0.46, 0.7))
"""Where the pawns of a circle stand, from its middle; the row between is left for its name."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A board by its top side; quarter turns of it make the others."""

    span: int
    """The coordinate of the last column and line."""
    side: tuple[Point, ...]
    """Red's fifteen squares of the ring."""
    zone: tuple[Point, ...]
    """Red's safety squares, from the entry on."""
    start: Point
    """The middle of red's Start, and of its Home."""
    home: Point
    roomy: bool
    """Whether there is room in the middle for cards and words; else they go into the corners."""

    @property
    def middle(self) -> float:
        """The coordinate of the middle."""
        return self.span / 2

    def turned(self, point: Point, turns: int) -> Point:
        """The point after that many quarter turns of the board, clockwise."""
        for _ in range(turns):
            point = (self.span - point[1], point[0])
        return point

    def around(self, centre: Point, offset: Point, turns: int) -> Point:
        """Centre plus offset, the offset turned by quarter turns clockwise."""
        origin, end = self.turned((0, 0), turns), self.turned(offset, turns)
        return centre[0] + end[0] - origin[0], centre[1] + end[1] - origin[1]

    def square_at(self, ring_square: int) -> Point:
        """Where a ring square 0..59 is."""
        side, offset = divmod(ring_square, SIDE)
        return self.turned(self.side[offset], side)

    def start_at(self, colour: str) -> Point:
        """The middle of a colour's Start."""
        return self.turned(self.start, COLOURS.index(colour))

    def home_at(self, colour: str) -> Point:
        """The middle of a colour's Home, at the end of its safety zone."""
        return self.turned(self.home, COLOURS.index(colour))

    def place_at(self, colour: str, place: int, nth: int = 0) -> Point:
        """Where a pawn stands: the nth, from 0, of those that share Start or Home."""
        if place in (START, HOME):
            x, y = self.start_at(colour) if place == START else self.home_at(colour)
            return x + SLOTS[nth][0], y + SLOTS[nth][1]
        if place > SAFE:
            return self.turned(self.zone[place - SAFE - 1], COLOURS.index(colour))
        return self.square_at(board.square(colour, place))


SQUARE = Layout(
    span=SIDE,
    side=tuple((x, 0) for x in range(SIDE)),
    zone=tuple((2, y) for y in range(1, HOME - SAFE)),
    start=(CIRCLE_OFFSET, 0.5 + RADIUS),
    home=(2, HOME - SAFE - 0.5 + RADIUS),
    roomy=True,
)
"""The printed board: square 0 at (0, 0), square 30 at (15, 15)."""

LEAF: tuple[Point, ...] = (
    *((6, 5), (5, 4), (4, 3), (4, 2), (5, 1), (6, 0), (7, 0), (8, 0)),
    *((9, 0), (10, 0), (11, 1), (12, 2), (12, 3), (11, 4), (10, 5)),
)
CLOVERLEAF = Layout(
    span=16,
    side=LEAF,
    zone=((5, 3), (6, 3), (7, 3), (7, 4), (8, 4)),
    start=(8.85, 1.92),
    home=(8, 6),
    roomy=False,
)
"""The same ring as four leaves; each colour starts in the head of its own, and its Home is in the middle."""
