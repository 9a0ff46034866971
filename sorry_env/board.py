"""The Sorry! board (section B), and the row of numbers that a ruleset with its colours is compiled to.

A **place** is where a pawn stands, counted along its owner's path: Start 0, ring 1 (the own circle) to 59 (the own
entry) and 60 (the own diamond square), safety zone 61 to 65, Home 66. All colours share one path: the board is the
same after a quarter turn. A **stride** is a way to go from one place to another; `RULES.path` says where it ends.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sorry_env.errors import RulesetError, suggestion
from sorry_env.rulesets import CARDS, Ruleset

COLOURS = ("red", "blue", "yellow", "green")
"""Clockwise; colour k plays from side k."""

SEATS = 4
"""Most seats a game has, and most pawns a seat has: the widths of the arrays in a state."""
PAWNS = 4

RING = 60
"""Shared squares, and the place of the diamond square."""
SIDE = 15
CIRCLE_OFFSET = 4
SLIDES = ((1, 4), (9, 5))
"""Offset from a side's corner, and length, of its two slides."""

START, CIRCLE, ENTRY, DIAMOND, SAFE, HOME = 0, 1, 59, 60, 60, 66
"""Places; safety step k is SAFE + k."""
PLACES = HOME + 1
NOWHERE = PLACES
"""Where a stride ends that cannot be made. All in a row is unsigned, so that compilers need not ask for the sign."""

BACK = {1: 13, 4: 14}
"""Strides: forward n is n, back n is BACK[n], forward n past the own entry (S12) is ROUND + n, OUT leaves Start."""
ROUND = 14
OUT = 27
STRIDES = 28

MOVE, SWAP, SORRY, PASS = 0, 1, 2, 3
"""Kinds of move: one or two pawns along a path; change places; Sorry!; nothing."""

MOST_ACTIONS = 480
MOST_BLOCKS = 3
"""Ways that a card may move one pawn: a 10 forward, past the entry, back."""
NONE = 0xFFFF
"""In place of an id or an index that a ruleset does not have."""

SLICES = ("start", "ring", "safe", "home", "mover", "sides", "card", "pile", "turns_left")
"""The slices of the feature vector, in its order; `features` says what each holds."""

RULES = np.dtype(
    (
        np.record,
        [
            ("turn_limit", np.int32),  # 0: none
            ("share", np.float32, (len(CARDS),)),  # of one card among its kind in the full deck
            ("seats", np.uint16),
            ("pawns", np.uint16),
            ("replacement", np.uint16),
            ("swap_slides_both", np.uint16),
            ("ways", np.uint16),  # 2 where a part may go round (S12), else 1
            ("deck", np.uint16, (len(CARDS),)),
            ("shift", np.uint16, (SEATS, SEATS)),  # from a ring place of one seat to another's, before the wrap
            ("path", np.uint16, (PLACES, STRIDES)),
            ("slide", np.uint16, (PLACES + 1,)),  # where a pawn that stops here ends (S14): mostly here
            ("first", np.uint16, (len(CARDS),)),  # each card's first action
            (
                "blocks",
                np.uint16,
                (len(CARDS), MOST_BLOCKS),
            ),  # strides of its moves of one pawn, a block of actions each; or 0
            ("splits", np.uint16, (len(CARDS),)),  # first action of a block, or NONE
            ("swaps", np.uint16, (len(CARDS),)),
            ("sorries", np.uint16, (len(CARDS),)),
            ("passes", np.uint16, (len(CARDS),)),
            ("features", np.uint16, (len(SLICES),)),  # where each slice of the feature vector begins, or NONE
            (
                "spots",
                np.uint16,
                (SEATS, PLACES, PAWNS),
            ),  # a pawn's feature: seat from the viewer, viewer's place, pawn
            ("kind", np.uint16, (MOST_ACTIONS,)),  # the table of actions, a column each
            ("pawn", np.uint16, (MOST_ACTIONS,)),
            ("stride", np.uint16, (MOST_ACTIONS,)),
            ("pawn2", np.uint16, (MOST_ACTIONS,)),
            ("stride2", np.uint16, (MOST_ACTIONS,)),  # 0: one part only
            ("seat", np.uint16, (MOST_ACTIONS,)),  # the other seat, counted from the mover
            ("target", np.uint16, (MOST_ACTIONS,)),  # the other seat's pawn
        ],
    )
)
"""One row holds a ruleset with its colours as numbers; kernels read nothing else."""

Rules = npt.NDArray[np.record]
"""(1,) RULES."""


def circle(colour: str) -> int:
    """The ring square of a colour's start circle."""
    return SIDE * COLOURS.index(colour) + CIRCLE_OFFSET


def square(colour: str, place: int) -> int:
    """The ring square 0..59 of a colour's ring place 1..60."""
    return (circle(colour) + place - 1) % RING


def place_on(colour: str, ring_square: int) -> int:
    """The place 1..60 of a ring square on a colour's path."""
    return (ring_square - circle(colour)) % RING + 1


def slide_squares(side: int, slide: int) -> list[int]:
    """The ring squares of one of a side's two slides, first to last."""
    offset, length = SLIDES[slide]
    return [(SIDE * side + offset + k) % RING for k in range(length)]


def seat_colours(seats: int | Sequence[str]) -> tuple[str, ...]:
    """The colours of a game's seats in turn order.

    Args:
        seats: how many (2 are opposite, 3 are the first three), or the colours themselves, clockwise.

    Raises:
        RulesetError: a wrong count, an unknown colour, one given twice, or an order that is not clockwise.
    """
    if isinstance(seats, (int, np.integer)) and not isinstance(seats, bool):
        defaults = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
        if int(seats) not in defaults:
            raise RulesetError(f"seats={seats}: a game has 2, 3 or 4 seats (S1)")
        return tuple(COLOURS[k] for k in defaults[int(seats)])
    if isinstance(seats, str) or not isinstance(seats, Sequence):
        raise RulesetError(f"seats={seats!r}: expected a count or a clockwise list of colours")
    return _checked_colours(list(seats))


def _checked_colours(colours: list[str]) -> tuple[str, ...]:
    for colour in colours:
        if colour not in COLOURS:
            raise RulesetError(f"unknown colour {colour!r}; {suggestion(colour, COLOURS)}")
    if len(set(colours)) < len(colours):
        raise RulesetError(f"seats={colours}: a colour is given twice; each seat needs its own")
    if not 2 <= len(colours) <= SEATS:
        raise RulesetError(f"seats={colours}: a game has 2, 3 or 4 seats (S1)")
    first = COLOURS.index(colours[0])
    clockwise = sorted(colours, key=lambda c: (COLOURS.index(c) - first) % SEATS)
    if colours != clockwise:
        raise RulesetError(f"seats={colours}: play passes clockwise (S4), so the order is {clockwise}")
    return tuple(colours)


def path_table(ruleset: Ruleset) -> npt.NDArray[np.uint16]:
    """(PLACES, STRIDES) uint16: where a stride from a place ends, before any slide; NOWHERE if it cannot be made."""
    path = np.full((PLACES, STRIDES), NOWHERE, np.uint16)
    path[START, OUT] = CIRCLE
    for place in range(CIRCLE, HOME):
        for steps in range(1, 13):
            path[place, steps] = _forward(place, steps)
            if ruleset.bypass_entry and place <= ENTRY < place + steps:
                path[place, ROUND + steps] = _around(place, steps)
        for steps, stride in BACK.items():
            path[place, stride] = _backward(place, steps)
    return path


def _forward(place: int, steps: int) -> int:
    """Turning in at the own entry (S12, S13); from the diamond square all the way round."""
    if place == DIAMOND:
        return steps
    end = place + steps
    if place <= ENTRY < end:
        end += 1  # the diamond square is no part of the way in
    return end if end <= HOME else NOWHERE


def _around(place: int, steps: int) -> int:
    """Past the own entry: the diamond square, the circle, another lap."""
    return (place + steps - 1) % RING + 1


def _backward(place: int, steps: int) -> int:
    """Out of the safety zone over the entry (S18); from the circle to the diamond square."""
    end = place - steps
    if place > SAFE:
        return end if end > SAFE else end - 1
    return (end - 1) % RING + 1


def slide_table() -> npt.NDArray[np.uint16]:
    """(PLACES + 1,) uint16: where a pawn that stops at a place ends: after a foreign slide, or there."""
    slides = np.arange(NOWHERE + 1, dtype=np.uint16)
    for side in range(1, SEATS):  # seen from colour 0, whose own slides do nothing
        for which in range(len(SLIDES)):
            squares = slide_squares(side, which)
            slides[place_on(COLOURS[0], squares[0])] = place_on(COLOURS[0], squares[-1])
    return slides


def shift_table(colours: Sequence[str]) -> npt.NDArray[np.uint16]:
    """(SEATS, SEATS) uint16: added to a ring place of seat i it gives seat j's place, less RING where it passes it."""
    shift = np.zeros((SEATS, SEATS), np.uint16)
    for i, one in enumerate(colours):
        for j, other in enumerate(colours):
            shift[i, j] = (circle(one) - circle(other)) % RING
    return shift
