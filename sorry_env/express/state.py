"""The state of a game of Sorry! Express as one row of a structured array."""

from typing import Any

import numpy as np

from sorry_env._jit import inner
from sorry_env.express.board import FACES, MOST_ACTIONS
from sorry_env.rulesets import COLOURS, SEATS

STATE = np.dtype(
    (
        np.record,
        [
            ("turns", np.int32),  # turns begun by all seats, the current one included
            ("held", np.uint16, (SEATS, len(COLOURS))),  # pawns that a seat has, by colour
            ("shown", np.uint16, (SEATS,)),  # the colour that its base shows, of which its pawns are Home
            ("start_base", np.uint16, (len(COLOURS),)),  # pawns that nobody has, by colour
            ("dice", np.uint16, (len(FACES),)),  # dice that have still to be resolved, by face
            ("due", np.uint16),  # DECIDE or ROLL
            ("seat", np.uint16),  # the seat to move, or whose roll comes next; 0 after the end
            ("over", np.uint16),  # 1 when the game has ended
            ("winners", np.uint16),  # bit k: seat k has won; 0 in a truncated game
        ],
    )
)
"""One game. Seats that a game does not have hold nothing and show colour 0; after the end no dice are left.

The dice are counts: which of them shows a face no longer matters, nor in which order they were resolved (E2).
"""

CHOICES = np.dtype(
    (
        np.record,
        [
            ("count", np.int64),
            ("ids", np.uint16, (MOST_ACTIONS,)),  # the first `count` of them, ascending; the rest means nothing
        ],
    )
)
"""The legal actions of one state."""


@inner
def room(states: Any) -> Any:
    """(1,) CHOICES."""
    return np.empty(1, CHOICES)
