"""Dice and bases of Sorry! Express, and the row of numbers that a ruleset with its colours is compiled to.

Colours have their numbers on the board, red 0 to green 3; so have the faces of dice, the colours first. Where something
is told from a seat's point of view, colours are counted clockwise from the one that its base shows: a seat's own Home
section is colour 0 then, whatever it shows. A seat's own colour is what its base shows at first, and nothing more (E1).
"""

from collections import Counter
from itertools import product

import numpy as np

from sorry_env.rulesets import COLOURS, SEATS
from sorry_env.verbs import CHANCE

PAWNS = 4
"""Pawns of each colour (E1)."""

FACES = (*COLOURS, "slide", "sorry", "wild")
"""What a die may show; a face's index here is its number."""
SLIDE, SORRY, WILD = (FACES.index(face) for face in ("slide", "sorry", "wild"))
DICE: tuple[tuple[str, ...], ...] = (
    (*COLOURS, "wild", "slide"),
    (*COLOURS, "sorry", "slide"),
    (*COLOURS, "sorry", "wild"),
)
"""The six faces of each of the three dice (E6)."""
_ROLLS = Counter(tuple(sorted(roll)) for roll in product(*DICE))
OUTCOMES: tuple[tuple[str, ...], ...] = tuple(sorted(_ROLLS))
"""What three dice may show together, each as its faces in alphabetical order."""
WEIGHTS: tuple[int, ...] = tuple(_ROLLS[outcome] for outcome in OUTCOMES)
"""In how many of the ways that three dice can fall they show it."""
ROLLS = sum(WEIGHTS)
"""All of these ways: 216."""

DECIDE, ROLL = 0, CHANCE
"""What is due: to resolve one of the dice, or to roll all three."""

FROM_START, FROM_WAITING, FROM_HOME, TURN, PASS = range(5)
"""What an action does: take a pawn from the start base, from a waiting area or from a Home section, turn a base,
or nothing."""

MOST_ACTIONS = 57
SLICES = ("held", "shown", "home", "start_base", "mover", "colours", "specials", "turns_left")
"""The slices of the feature vector, in its order; `features` says what each holds."""
NONE = 0xFFFF
"""In place of an index that a ruleset does not have."""

RULES = np.dtype(
    (
        np.record,
        [
            ("seats", np.int64),
            ("turn_limit", np.int64),  # 0: none
            ("own", np.uint16, (SEATS,)),  # each seat's colour
            ("weight", np.uint16, (len(OUTCOMES),)),
            ("faces", np.uint16, (len(OUTCOMES), len(DICE))),  # of each outcome
            ("outcome", np.uint16, (ROLLS,)),  # of each way that the dice can fall
            ("first", np.uint16, (len(FACES),)),  # first action of each block
            ("kind", np.uint16, (MOST_ACTIONS,)),  # the table of actions, a column each
            ("face", np.uint16, (MOST_ACTIONS,)),
            ("seat", np.uint16, (MOST_ACTIONS,)),
            ("colour", np.uint16, (MOST_ACTIONS,)),
            ("ones", np.float32, (PAWNS + 1, PAWNS)),  # row n: n ones, and zeros
            ("features", np.uint16, (len(SLICES),)),  # where each slice of the feature vector begins, or NONE
        ],
    )
)
"""One row holds a ruleset with its colours as numbers; kernels read nothing else."""
