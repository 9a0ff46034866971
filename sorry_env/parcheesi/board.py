"""The Parcheesi board (section P), and the row of numbers that a ruleset with its colours is compiled to.

A **place** is where a piece stands, counted along its owner's path: nest 0, ring 1 (the own entry square) to 64 (the
own turn-off) and 65 to 68 (the squares beyond it, which only a piece on another lap reaches, P11), home row 69 to 75,
Home 76. All colours share one path: the board is the same after a quarter turn, safe squares included. An **amount** is
what one decision moves a piece: a die, or a reward; `AMOUNTS` lists the steps.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sorry_env.parcheesi.rules import ParcheesiRules
from sorry_env.rulesets import COLOURS, SEATS
from sorry_env.verbs import CHANCE

PIECES = 4
"""Most pieces that a seat has: the width of an array in a state."""

RING = 68
"""Shared squares, and the place of the last of them."""
SIDE = 17
ENTRY_OFFSET = 5
SAFE_OFFSETS = (0, 5, 12)
"""From a side's turn-off: itself, the entry square, and the third safe square."""

NEST, ENTRY, TURN_OFF, ROW, HOME = 0, 1, 64, 68, 76
"""Places; square k of the home row is ROW + k."""
ROW_SQUARES = HOME - ROW - 1
PLACES = HOME + 1
NOWHERE = PLACES
"""Where a move ends that cannot be made. All in a row is unsigned, so that compilers need not ask for the sign."""

FACES = 6
AMOUNTS = (1, 2, 3, 4, 5, 6, 10, 20)
"""Steps of the dice, then of the rewards (P10); an amount's number is its index here."""
TEN, TWENTY = 6, 7
FIVE = 5
"""What a die, or both of them, must show for a piece to leave the nest (P3)."""
OPPOSITE = 7
"""A die's top and bottom together (P8)."""
OUTCOMES = tuple((low, high) for low in range(1, FACES + 1) for high in range(low, FACES + 1))
"""Rolls, the dice sorted; a roll's outcome number is its index here."""
ROLLS = FACES * FACES
"""Rolls, the dice told apart, all equally likely."""

DIE, REWARD, ROLL = 0, 1, CHANCE
"""What may be due: to use a die, to take or decline a reward, or by chance a roll of the dice."""

PASS, ENTER, ENTER_BOTH, MOVE, DECLINE = range(5)
"""Kinds of action: give up dice that cannot be used, enter with a five, enter with both dice, move one piece by a die
or a reward, decline a reward. There is one of each of the first three, and its id is the kind's number."""

MOST_ACTIONS = 69
MOST_WALLS = SEATS * PIECES // 2
FAR = 255
"""In place of a number of steps, where nothing stands in the way."""
NONE = 0xFFFF
"""In place of an id or an index that a ruleset does not have."""

SLICES = (
    "nest",
    "ring",
    "row",
    "home",
    "mover",
    "sides",
    "dice",
    "again",
    "doublets",
    "rewards",
    "together",
    "turns_left",
)
"""The slices of the feature vector, in its order; `features` says what each holds."""

RULES = np.dtype(
    (
        np.record,
        [
            ("seats", np.int64),
            ("turn_limit", np.int64),  # 0: none
            ("pieces", np.int64),
            ("penalty", np.int64),  # 1 where a third doublet is punished (P9)
            ("breaks", np.int64),  # 1 where doublets pass over blockades (P12)
            ("shift", np.uint16, (SEATS, SEATS)),  # from a ring place of one seat to another's, before the wrap
            ("steps", np.uint16, (len(AMOUNTS),)),  # of each amount
            ("ends", np.uint16, (2, PLACES, len(AMOUNTS))),  # where an amount leads: turning in, and past the own row
            ("ahead", np.uint8, (2, PLACES, PLACES)),  # steps to another place on either way, FAR if it is not on it
            ("safe", np.uint16, (PLACES + 1,)),  # 1 for places on safe squares
            ("left", np.uint16, (PLACES,)),  # steps of the shortest way Home
            ("kind", np.uint16, (MOST_ACTIONS,)),  # the table of actions, a column each
            ("amount", np.uint16, (MOST_ACTIONS,)),
            ("piece", np.uint16, (MOST_ACTIONS,)),
            ("past", np.uint16, (MOST_ACTIONS,)),
            ("first", np.uint16, (2, len(AMOUNTS))),  # first action of each amount turning in and past, or NONE
            ("decline", np.uint16, (len(AMOUNTS),)),  # the action that declines it, or NONE
            ("dice", np.uint16, (len(OUTCOMES), 2)),  # each outcome's dice
            ("features", np.uint16, (len(SLICES),)),  # where each slice of the feature vector begins, or NONE
        ],
    )
)
"""One row holds a ruleset with its colours as numbers; kernels read nothing else."""


def entry(colour: str) -> int:
    """The ring square on which a colour's pieces enter."""
    return SIDE * COLOURS.index(colour) + ENTRY_OFFSET


def square(colour: str, place: int) -> int:
    """The ring square 0..67 of a colour's ring place 1..68."""
    return (entry(colour) + place - ENTRY) % RING


def place_on(colour: str, ring_square: int) -> int:
    """The place 1..68 of a ring square on a colour's path."""
    return (ring_square - entry(colour)) % RING + ENTRY


def place_value(colour: str, place: int) -> str | int:
    """A place as positions write it: "nest", a ring square 0..67, "row 1".."row 7" or "home"."""
    if ENTRY <= place <= ROW:
        return square(colour, place)
    return {NEST: "nest", HOME: "home"}.get(place) or f"row {place - ROW}"


def place_number(colour: str, value: object) -> int | None:
    """The place that a position's entry means; None if it means none."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return place_on(colour, int(value)) if 0 <= value < RING else None
    named = {"nest": NEST, "home": HOME} | {f"row {k}": ROW + k for k in range(1, HOME - ROW)}
    return named.get(value) if isinstance(value, str) else None


def is_safe(ring_square: int) -> bool:
    """Whether a ring square is one of the twelve safe ones."""
    return ring_square % SIDE in SAFE_OFFSETS


def ends_table(ruleset: ParcheesiRules) -> npt.NDArray[np.uint16]:
    """(2, PLACES, AMOUNTS) uint16: where an amount leads from a place, NOWHERE if it does not go that way (P11, P13).

    The second table is of moves past the own turn-off; a piece beyond it already has but one way to go, in the first.
    """
    ends = np.full((2, PLACES, len(AMOUNTS)), NOWHERE, np.uint16)
    for place in range(ENTRY, HOME):
        for k, steps in enumerate(AMOUNTS):
            ends[0, place, k] = _forward(place, steps)
            if ruleset.second_lap and place <= TURN_OFF < place + steps:
                ends[1, place, k] = (place + steps - 1) % RING + 1
    return ends


def _forward(place: int, steps: int) -> int:
    """Ahead, turning in at the turn-off."""
    if TURN_OFF < place <= RING:
        return (place + steps - 1) % RING + 1
    if place + steps <= TURN_OFF:
        return place + steps
    end = place + steps if place > ROW else place + steps + ROW - TURN_OFF
    return end if end <= HOME else NOWHERE


def ahead_table() -> npt.NDArray[np.uint8]:
    """(2, PLACES, PLACES) uint8: steps from a place to another that lies ahead, FAR if it does not (P6).

    The first is of the way that turns in, the second of the way past the own row.
    """
    ahead = np.full((2, PLACES, PLACES), FAR, np.uint8)
    for place in range(ENTRY, HOME):
        for other in range(ENTRY, HOME):
            ahead[0, place, other] = _steps_between(place, other)
            if place <= ROW and other <= ROW and place != other:
                ahead[1, place, other] = (other - place) % RING
    return ahead


def _steps_between(place: int, other: int) -> int:
    """Steps ahead, turning in at the turn-off."""
    if TURN_OFF < place <= ROW:
        return (other - place) % RING if other <= ROW and other != place else FAR
    if other <= place or TURN_OFF < other <= ROW:
        return FAR
    return other - place - (ROW - TURN_OFF if place <= TURN_OFF and other > ROW else 0)


def left_table() -> npt.NDArray[np.uint16]:
    """(PLACES,) uint16: steps of the shortest way Home; from the nest as many as from the entry, and one more."""
    left = [HOME - ROW + TURN_OFF - place for place in range(TURN_OFF + 1)]
    left += [HOME - ROW + TURN_OFF + RING - place for place in range(TURN_OFF + 1, ROW + 1)]
    left += [HOME - place for place in range(ROW + 1, PLACES)]
    return np.array(left, np.uint16)


def safe_table() -> npt.NDArray[np.uint16]:
    """(PLACES + 1,) uint16: 1 for places on safe squares, which are the same for all colours (P5)."""
    safe = np.zeros(PLACES + 1, np.uint16)
    safe[ENTRY : ROW + 1] = [is_safe(square(COLOURS[0], place)) for place in range(ENTRY, ROW + 1)]
    return safe


def shift_table(colours: Sequence[str]) -> npt.NDArray[np.uint16]:
    """(SEATS, SEATS) uint16: added to a ring place of seat i it gives seat j's place, less RING where it passes it."""
    shift = np.zeros((SEATS, SEATS), np.uint16)
    for i, one in enumerate(colours):
        for j, other in enumerate(colours):
            shift[i, j] = (entry(one) - entry(other)) % RING
    return shift
