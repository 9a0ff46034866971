"""The state of a game of Parcheesi as one row of a structured array: N games are N rows."""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inner, small
from sorry_env.parcheesi.board import MOST_ACTIONS, MOST_WALLS, OPPOSITE, PIECES
from sorry_env.rulesets import SEATS

STATE = np.dtype(
    (
        np.record,
        [
            ("turns", np.int32),  # turns begun by all seats, the current one included
            ("pieces", np.uint16, (SEATS, PIECES)),  # places along the owner's path, each seat's in ascending order
            ("due", np.uint16),  # DIE, REWARD, or by chance ROLL
            ("seat", np.uint16),  # the seat to move, or whose roll comes next; 0 after the end
            ("over", np.uint16),  # 1 when the game has ended
            ("winners", np.uint16),  # bit k: seat k has won; 0 in a truncated game
            ("rolled", np.uint16, (2,)),  # the roll on the table, the lower die first; 0 when one is due
            ("left", np.uint16, (2,)),  # how often either face may still be used; of a doublet its top and its bottom
            ("tens", np.uint16),  # rewards that were earned and not yet taken (P10)
            ("twenties", np.uint16),
            ("doublets", np.uint16),  # in this turn, the roll on the table counted (P9)
            ("marks", np.uint16, (PIECES,)),  # of the mover's pieces: 1 or 2 on two that stood together (P7)
        ],
    )
)
"""One game. Seats and pieces that a game does not have are Home; what is not in use is 0.

Of pieces on one square those with the lower mark come first, and the marks are the lesser of the two ways to write
them, so that equal positions are equal rows. A mark ends when one of its pieces is Home, and all end with the roll.
"""

CHOICES = np.dtype(
    (
        np.record,
        [
            ("count", np.int64),
            ("ids", np.uint16, (MOST_ACTIONS,)),  # the first `count` of them, ascending; the rest means nothing
            ("walls", np.uint16, (MOST_WALLS,)),  # places of blockades as the mover sees them, its own ones first
            ("own_walls", np.int64),
            ("all_walls", np.int64),
            (
                "shut",
                np.uint64,
                (2,),
            ),  # bit set of ring places, as the mover sees them, that foreign pieces close to it
            (
                "free",
                np.uint16,
                (2, PIECES),
            ),  # steps from each own piece to a blockade, turning in and past the own row
            ("one", STATE),  # room to try an action on
            ("other", STATE),
        ],
    )
)
"""The legal actions of one state. A row like the state itself: compiled code hands rows on more cheaply than arrays."""


@inner
def room(states: Any) -> Any:
    """(1,) CHOICES."""
    return np.empty(1, CHOICES)


@small
def face(s: Any, slot: Int) -> Any:
    """The first or the second face of the roll; of a doublet the top and the bottom (P8)."""
    if slot == 1 and s.rolled[0] == s.rolled[1]:
        return np.int64(OPPOSITE) - np.int64(s.rolled[0])
    return np.int64(s.rolled[slot])


def dice_left(s: Any) -> list[int]:
    """The dice, or parts of a doublet, that have still to be used, in ascending order."""
    return sorted(int(face(s, slot)) for slot in range(2) for _ in range(int(s["left"][slot])))


def pairs_of(s: Any) -> list[tuple[int, int]]:
    """The mover's places of each two pieces that stood together at the throw, in ascending order (P7)."""
    own = s["pieces"][s["seat"]]
    found = [[int(own[k]) for k in range(PIECES) if s["marks"][k] == mark] for mark in (1, 2)]
    return sorted((pair[0], pair[1]) for pair in found if pair)
