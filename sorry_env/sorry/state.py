"""The state of a game as one row of a structured array: N games are N rows.

Glossary of array shapes in this package: N games, S seats, P pawns a seat, A actions, F features.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import inner
from sorry_env.rulesets import SEATS
from sorry_env.sorry.board import MOST_ACTIONS, PAWNS
from sorry_env.sorry.rules import CARDS

FACE_DOWN = len(CARDS)
"""The column of a hand for cards that nobody has seen: the others' hands, in what one seat knows (H1)."""

TOKEN = 1
"""A token's place is 0 in the middle, and TOKEN + PAWNS * seat + pawn on a pawn."""

STATE = np.dtype(
    (
        np.record,
        [
            ("turns", np.int32),  # turns begun by all seats, the current one included
            ("pawns", np.uint16, (SEATS, PAWNS)),  # places along the owner's path, each seat's in ascending order
            ("pile", np.uint16, (len(CARDS),)),  # cards left to draw, by card; in a view all that the seat has not seen
            ("hands", np.uint8, (SEATS, len(CARDS) + 1)),  # cards held, by card, the last column face down (H1)
            ("due", np.uint16),  # the card to be used or another prompt, HAND, or by chance DRAW or COIN
            ("seat", np.uint16),  # the seat to move, or whose turn comes next; 0 after the end
            ("over", np.uint16),  # 1 when the game has ended
            ("winners", np.uint16),  # bit k: seat k has won; 0 in a truncated game
            ("fire", np.uint16),  # who carries the token (F5)
            ("ice", np.uint16),  # who is frozen (F8)
            ("steps", np.uint16),  # left of a 7 that is played in parts (T7)
            ("moved", np.uint16),  # bit PAWNS * seat + pawn: that pawn has had its part
            ("drawer", np.uint16),  # the seat whose hand is refilled (H1), or who has drawn a question (N2)
            ("asked", np.uint16),  # the seat that it asked
        ],
    )
)
"""One game. Seats and pawns that a game does not have are Home; what a ruleset does not use is 0.

It holds no generator and no order of cards: a copy of a row is a fair copy of the game (S3).
"""


def cards_of(held: npt.NDArray[np.uint8]) -> list[str]:
    """The cards of a hand that are seen, in order; (13,) a row of `hands`."""
    return [card for card, count in zip(CARDS, held[:FACE_DOWN], strict=True) for _ in range(int(count))]


MOST_DEPTH = 8
"""A 7 has at most seven parts."""

CHOICES = np.dtype(
    (
        np.record,
        [
            ("count", np.int64),
            ("ids", np.uint16, (MOST_ACTIONS,)),  # the first `count` of them, ascending; the rest means nothing
            ("board", STATE),  # room to try a move on
            ("other", STATE),
            ("stack", np.uint16, (MOST_DEPTH, SEATS, PAWNS)),  # pawns before each part that is tried
            ("tried", np.uint16, (MOST_DEPTH,)),  # how many ways to play it have been tried
        ],
    )
)
"""The legal actions of one state. A row like the state itself: compiled code hands rows on more cheaply than arrays."""


@inner
def room(states: Any) -> Any:
    """(1,) CHOICES."""
    return np.empty(1, CHOICES)
