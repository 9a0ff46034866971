"""What a value net is shown beside the features of an observation: who can hit whom from where.

An observation says where pawns stand, each by itself. Here are numbers of two pawns together, which a small net cannot
find by itself: how far a pawn is behind another one that it could bump, and how much that one would lose. A pawn is
**met** where it stands, and on the first square of a slide that would sweep it away (S10, S15).
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inlined, inner
from sorry_env.sorry.actions import PARTNER
from sorry_env.sorry.board import BACK, CIRCLE, DIAMOND, ENTRY, HOME, PAWNS, START
from sorry_env.sorry.engine.moves import on_ring, seen_from
from sorry_env.tables import FeatureTable
from sorry_env.turns import seat_after

REACH = 24
"""Steps ahead up to which a meeting counts: two cards."""
FROM_START, BACK_ONE, BACK_FOUR = 0, REACH + 1, REACH + 2
"""Ways to meet beside 1 to REACH steps forward."""
WAYS = REACH + 3
LONGEST = 5
"""Squares of a slide."""
ONE_BACK, FOUR_BACK = BACK[1], BACK[4]


@inner
def insight(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """Write what a value net is shown beside what a seat sees.

    Args:
        s: STATE row.
        r: RULES row.
        viewer: the seat that looks, for itself and its partner.
        out: (I,) float32.
    """
    out[:] = 0
    for m in range(r.members):
        friend = seat_after(r, viewer, PARTNER * m)
        for k in range(r.rivals):
            rival = seat_after(r, viewer, 1 + r.apart * k)
            _meetings(s, r, rival, friend, 0, out)
            _meetings(s, r, friend, rival, 2 * WAYS, out)


@inlined
def _meetings(s: Any, r: Any, seat: Int, victim: Int, at: Int, out: Any) -> None:
    """Each way in which a seat's pawns can meet those of another: how often, and what these have to lose."""
    for theirs in range(PAWNS):
        place = np.int64(s.pawns[victim, theirs])
        if on_ring(place):
            loss = np.float32(place % DIAMOND) / np.float32(ENTRY)
            seen = np.int64(seen_from(r, victim, place, seat))
            for square in range(max(int(seen) - LONGEST + 1, CIRCLE), int(seen) + 1):
                if square == seen or (r.slide[square] != square and r.slide[square] >= seen):
                    _meet_at(s, r, seat, square, loss, at, out)


@inlined
def _meet_at(s: Any, r: Any, seat: Int, square: Int, loss: Any, at: Int, out: Any) -> None:
    """The ways of a seat's pawns to one place of its path."""
    if square == CIRCLE and s.pawns[seat, 0] == START:
        out[at + FROM_START] += 1
        out[at + WAYS + FROM_START] += loss
    for pawn in range(PAWNS):
        place = np.int64(s.pawns[seat, pawn])
        if place != START and place != HOME:
            steps = square - place % DIAMOND
            if steps > 0 and steps <= REACH and square <= ENTRY and place <= DIAMOND:
                out[at + steps] += 1
                out[at + WAYS + steps] += loss
            if r.path[place, ONE_BACK] == square:
                out[at + BACK_ONE] += 1
                out[at + WAYS + BACK_ONE] += loss
            if r.path[place, FOUR_BACK] == square:
                out[at + BACK_FOUR] += 1
                out[at + WAYS + BACK_FOUR] += loss


def insight_table() -> FeatureTable:
    """The slices of the vector."""
    ways = f"from Start, 1 to {REACH} forward, 1 and 4 back; how often, and what shares of the ring are to be lost"
    return FeatureTable(
        {
            "threats": ((2, WAYS), f"ways in which rivals' pawns meet the viewer's or its partner's: {ways}"),
            "targets": ((2, WAYS), f"ways in which the viewer's or its partner's pawns meet rivals': {ways}"),
        }
    )
