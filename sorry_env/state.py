"""The state of a game as one row of a structured array: N games are N rows.

Glossary of array shapes in this package: N games, S seats, P pawns a seat, A actions, F features.
"""

import numpy as np
import numpy.typing as npt

from sorry_env.board import MOST_ACTIONS, PAWNS, SEATS
from sorry_env.rulesets import CARDS

NO_CARD = len(CARDS)

STATE = np.dtype(
    (
        np.record,
        [
            ("turns", np.int32),  # turns begun by all seats, the current one included
            ("pawns", np.uint16, (SEATS, PAWNS)),  # places along the owner's path, each seat's in ascending order
            ("pile", np.uint16, (len(CARDS),)),  # cards left to draw, by card
            ("card", np.uint16),  # the card in play, or NO_CARD: it has still to be drawn
            ("seat", np.uint16),  # the seat to move; 0 after the end
            ("over", np.uint16),  # 1 when the game has ended
            ("winners", np.uint16),  # bit k: seat k has won; 0 in a truncated game
        ],
    )
)
"""One game. Seats and pawns that a game does not have are Home.

It holds no generator and no order of cards: a copy of a row is a fair copy of the game (S3).
"""

States = npt.NDArray[np.record]
"""(N,) STATE."""

CHOICES = np.dtype(
    (
        np.record,
        [
            ("count", np.int64),
            ("ids", np.uint16, (MOST_ACTIONS,)),  # the first `count` of them, ascending; the rest means nothing
            ("board", STATE),  # room to try a move on
            ("other", STATE),
        ],
    )
)
"""The legal actions of one state. A row like the state itself: compiled code hands rows on more cheaply than arrays."""
