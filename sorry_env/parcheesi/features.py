"""What a seat sees of a state, as one flat vector of named slices.

The vector is relative to the viewer: seat 0 of a slice is the viewer, seat 1 the next to move after it, and so on, and
ring squares are numbered along the viewer's path, its entry square first. Nothing is hidden in Parcheesi.
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inlined, inner
from sorry_env.parcheesi.board import (
    ENTRY,
    FACES,
    HOME,
    NEST,
    NONE,
    PIECES,
    RING,
    ROW,
    ROW_SQUARES,
    SIDE,
    SLICES,
)
from sorry_env.parcheesi.engine.turns import seen_from
from sorry_env.parcheesi.rules import ParcheesiRules
from sorry_env.parcheesi.state import face
from sorry_env.tables import FeatureTable
from sorry_env.turns import seat_after
from sorry_env.verbs import CHANCE, Rules

AT_NEST, AT_RING, AT_ROW, AT_HOME, AT_MOVER, AT_SIDES, AT_DICE, AT_AGAIN, AT_DOUBLETS, AT_REWARDS, AT_TOGETHER = range(
    11
)
AT_TURNS_LEFT = SLICES.index("turns_left")
TRACK = RING + ROW_SQUARES
"""Squares of a colour's path between nest and Home."""
COPIES = 2
"""A face is left at most twice."""


def _shapes(ruleset: ParcheesiRules, seats: int) -> dict[str, tuple[tuple[int, ...], str]]:
    """Each slice's shape and meaning; a slice that would be constant is left out."""
    pieces = ruleset.pieces
    shapes = {
        "nest": ((seats, pieces), "n-th entry 1 when the seat has more than n pieces in the nest"),
        "ring": (
            (seats, RING),
            "the seat's pieces, as a share of two; squares along the viewer's path, its entry first",
        ),
        "row": ((seats, ROW_SQUARES), "the seat's pieces in its home row, as a share of two"),
        "home": ((seats, pieces), "n-th entry 1 when the seat has more than n pieces Home"),
        "mover": ((seats,), "1 for the seat that moves, or whose roll is due; all 0 after the end"),
        "sides": ((seats - 1, 3), "one-hot for each other seat: which of the three other sides it plays"),
        "dice": ((FACES, COPIES), "n-th entry 1 when the face may still be used more than n times"),
        "again": ((1,), "1 when the roll on the table is a doublet, which rolls again"),
        "doublets": ((2,), "n-th entry 1 when this turn has had more than n doublets, the roll on the table counted"),
        "rewards": ((2, 2), "of tens and of twenties: 1 if there is any left to take, and how many as a share"),
        "together": (
            (2, TRACK),
            "for each of two pairs 1 where its pieces stand now that stood together at the throw; ring, then home row",
        ),
        "turns_left": ((1,), "turns that may still begin, as a share of the turn limit"),
    }
    there = {
        "sides": seats < 4,
        "doublets": ruleset.third_doublet_penalty,
        "together": pieces > 1,
        "turns_left": ruleset.turn_limit is not None,
    }
    return {name: shape for name, shape in shapes.items() if there.get(name, True)}


class ParcheesiFeatures(FeatureTable):
    """The slices of a ruleset and a seat count."""

    def __init__(self, ruleset: ParcheesiRules, seats: int) -> None:
        """Lay the slices out one behind the other."""
        super().__init__(_shapes(ruleset, seats))

    def write(self, rules: Rules) -> None:
        """Put the slices' beginnings into a RULES row; NONE for a slice that the vector lacks."""
        rules["features"][0] = self.begins(SLICES, NONE)


@inner
def encode(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """Write what a seat sees.

    Args:
        s: STATE row.
        r: RULES row.
        viewer: the seat that looks.
        out: (F,) float32.
    """
    out[:] = 0
    viewer = np.int64(viewer)
    for k in range(r.seats):
        _encode_pieces(s, r, viewer, k, out)
    if r.features[AT_SIDES] != NONE:
        _encode_sides(r, viewer, out)
    if not s.over:
        out[r.features[AT_MOVER] + _seats_on(r, viewer, np.int64(s.seat))] = 1
        _encode_roll(s, r, out)
        if r.features[AT_TOGETHER] != NONE and s.due < CHANCE:
            _encode_together(s, r, viewer, out)
    if r.features[AT_TURNS_LEFT] != NONE:
        out[r.features[AT_TURNS_LEFT]] = (r.turn_limit - s.turns) / r.turn_limit


@inner
def _seats_on(r: Any, viewer: Int, seat: Int) -> Any:
    """How many seats after the viewer a seat moves."""
    return seat - viewer if seat >= viewer else seat - viewer + r.seats


@inlined
def _encode_pieces(s: Any, r: Any, viewer: Int, k: Int, out: Any) -> None:
    """The pieces of the k-th seat from the viewer."""
    seat = seat_after(r, viewer, k)
    nest = home = 0
    for piece in range(r.pieces):
        place = np.int64(s.pieces[seat, piece])
        if place == NEST:
            out[r.features[AT_NEST] + k * r.pieces + nest] = 1
            nest += 1
        elif place == HOME:
            out[r.features[AT_HOME] + k * r.pieces + home] = 1
            home += 1
        elif place <= ROW:
            out[r.features[AT_RING] + k * RING + seen_from(r, seat, place, viewer) - ENTRY] += 0.5
        else:
            out[r.features[AT_ROW] + k * ROW_SQUARES + place - ROW - 1] += 0.5


@inlined
def _encode_sides(r: Any, viewer: Int, out: Any) -> None:
    for k in range(1, r.seats):
        side = r.shift[seat_after(r, viewer, k), viewer] // SIDE
        out[r.features[AT_SIDES] + (k - 1) * 3 + side - 1] = 1


@inlined
def _encode_roll(s: Any, r: Any, out: Any) -> None:
    """Dice, doublets and rewards."""
    if s.rolled[0] != 0:
        for slot in range(2):
            for copy in range(s.left[slot]):
                out[r.features[AT_DICE] + (face(s, slot) - 1) * COPIES + copy] = 1
        if s.rolled[0] == s.rolled[1]:
            out[r.features[AT_AGAIN]] = 1
    if r.features[AT_DOUBLETS] != NONE:
        for k in range(2):
            out[r.features[AT_DOUBLETS] + k] = s.doublets > k
    if s.tens > 0:
        out[r.features[AT_REWARDS]] = 1
        out[r.features[AT_REWARDS] + 1] = s.tens / r.pieces
    if s.twenties > 0:
        out[r.features[AT_REWARDS] + 2] = 1
        out[r.features[AT_REWARDS] + 3] = s.twenties / (r.pieces * (r.seats - 1))


@inlined
def _encode_together(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """The mover's pairs of the throw, on the viewer's ring and in the mover's row (P7)."""
    seat = np.int64(s.seat)
    for piece in range(PIECES):
        mark = np.int64(s.marks[piece])
        if mark != 0:
            place = np.int64(s.pieces[seat, piece])
            at = seen_from(r, seat, place, viewer) if place <= ROW else place
            out[r.features[AT_TOGETHER] + (mark - 1) * TRACK + at - ENTRY] = 1
