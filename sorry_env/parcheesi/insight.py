"""What a value net is shown beside the features of an observation: who can capture whom from where, and who is held up.

An observation says where pieces stand, each by itself. Here are numbers of two pieces together, which a small net
cannot find by itself: how far a piece is behind a lone one that it may capture (P5), with no blockade between (P6), and
how much that one would lose; how far pieces are behind a blockade; what dice and rewards that are left can do now; and
how far each seat has come.
Pieces are taken to turn in at their own home row.
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inlined, inner, small
from sorry_env.parcheesi.board import (
    AMOUNTS,
    ENTRY,
    FACES,
    FAR,
    FIVE,
    HOME,
    NEST,
    NOWHERE,
    PIECES,
    ROLLS,
    ROW,
    TEN,
    TURN_OFF,
    TWENTY,
)
from sorry_env.parcheesi.engine.legal import may_join
from sorry_env.parcheesi.engine.turns import seen_from
from sorry_env.parcheesi.state import face
from sorry_env.tables import FeatureTable
from sorry_env.turns import seat_after

REACH = 24
"""Steps ahead up to which a capture counts: a roll, and a reward with a little more."""
FROM_NEST, BY_ROLL = 0, REACH + 1
"""Ways to capture beside 1 to REACH steps ahead: from the nest onto the entry square, and the chance of a roll."""
WAYS = REACH + 2
BEHIND = 12
"""Steps before a blockade up to which a piece counts as held up: two dice."""
ON_RING, SHUT_IN = 0, BEHIND + 1
"""What is told of a side's blockades, beside how many foreign pieces are 1 to BEHIND steps before one."""
WALL_FACTS = BEHIND + 2
CAPTURES, LOSSES, HOMES, JOINS = range(4)
USES = 4
"""What dice and rewards that are left can do at once."""
LONGEST = int(HOME - ROW + TURN_OFF - ENTRY)
"""Steps from the entry square to Home."""
WAY = 1 + LONGEST
"""Steps from the nest to Home."""
AT_THREATS = 0
AT_TARGETS = AT_THREATS + 2 * WAYS
AT_WALLS = AT_TARGETS + 2 * WAYS
AT_USES = AT_WALLS + 2 * WALL_FACTS
AT_RACE = AT_USES + 2 * USES


@inner
def insight(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """Write what a value net is shown beside what a seat sees.

    Args:
        s: STATE row.
        r: RULES row.
        viewer: the seat that looks.
        out: (I,) float32.
    """
    out[:] = 0
    me = np.int64(viewer)
    walls = _walls(s, r, me, out)
    for k in range(1, r.seats):
        rival = seat_after(r, me, k)
        _hunts(s, r, rival, me, walls, AT_THREATS, AT_USES + USES, out)
        _hunts(s, r, me, rival, walls, AT_TARGETS, AT_USES, out)
        if walls:
            _holds(s, r, me, rival, AT_WALLS, out)
            _holds(s, r, rival, me, AT_WALLS + WALL_FACTS, out)
    if s.left[0] | s.left[1] | s.tens | s.twenties:
        _uses(s, r, walls, AT_USES if s.seat == me else AT_USES + USES, out)
    _race(s, r, me, out)


@inlined
def _walls(s: Any, r: Any, me: Int, out: Any) -> Any:
    """Count the blockades: for both sides those on the ring, and all of them, which are returned."""
    count = 0
    for seat in range(r.seats):
        for k in range(PIECES - 1):
            place = s.pieces[seat, k]
            if place == s.pieces[seat, k + 1] and place != NEST and place != HOME:
                count += 1
                if place <= ROW:
                    out[AT_WALLS + (0 if seat == me else WALL_FACTS) + ON_RING] += 1
    return count


@inlined
def _hunts(s: Any, r: Any, seat: Int, victim: Int, walls: Int, at: Int, uses: Int, out: Any) -> None:
    """What a seat's pieces may capture of another's."""
    for theirs in range(r.pieces):
        there = np.int64(s.pieces[victim, theirs])
        if there != NEST and there <= ROW and not _is_paired(s, victim, theirs):
            seen = seen_from(r, victim, there, seat)
            if r.safe[there]:
                if seen == ENTRY and s.pieces[seat, 0] == NEST:
                    _note(s, r, seat, there, FROM_NEST, at, uses, out)
            else:
                for piece in range(r.pieces):
                    place = np.int64(s.pieces[seat, piece])
                    steps = np.int64(r.ahead[0, place, seen])
                    if steps <= REACH and (walls == 0 or steps < _free(s, r, seat, place)):
                        _note(s, r, seat, there, steps, at, uses, out)


@inlined
def _note(s: Any, r: Any, seat: Int, there: Int, way: Int, at: Int, uses: Int, out: Any) -> None:
    """Count a way to capture a piece that stands on a place of its own."""
    left = np.int64(r.left[there])
    loss = np.float32(LONGEST - left if left < LONGEST else 0) / np.float32(LONGEST)
    chance = np.float32(_rolls(way)) / np.float32(ROLLS)
    out[at + way] += 1
    out[at + WAYS + way] += loss
    out[at + BY_ROLL] += chance
    out[at + WAYS + BY_ROLL] += chance * loss
    if s.seat == seat and _is_left(s, way):
        out[uses + CAPTURES] += 1
        out[uses + LOSSES] += loss


@small
def _rolls(way: Int) -> Any:
    """How many of ROLLS have a way on a die or as the sum of both; a doublet's other parts are left out."""
    steps = FIVE if way == FROM_NEST else way
    if steps > 2 * FACES:
        return 0
    return 2 * FACES - 1 + steps - 1 if steps <= FACES else 2 * FACES + 1 - steps


@small
def _is_paired(s: Any, seat: Int, piece: Int) -> Any:
    """Whether another piece of the seat stands beside a piece."""
    place = s.pieces[seat, piece]
    before = piece > 0 and s.pieces[seat, max(piece - 1, 0)] == place
    return before or (piece + 1 < PIECES and s.pieces[seat, min(piece + 1, PIECES - 1)] == place)


@inner
def _free(s: Any, r: Any, seat: Int, place: Int) -> Any:
    """Steps from a seat's piece to the next blockade on its way, FAR if there is none (P6)."""
    free: Any = np.int64(FAR)
    for owner in range(r.seats):
        for k in range(PIECES - 1):
            wall = np.int64(s.pieces[owner, k])
            if wall == s.pieces[owner, k + 1] and wall != NEST and (wall <= ROW or (owner == seat and wall != HOME)):
                seen = wall if owner == seat else seen_from(r, owner, wall, seat)
                free = min(free, np.int64(r.ahead[0, place, seen]))
    return free


@small
def _is_left(s: Any, way: Int) -> Any:
    """Whether the mover has a die or a reward left for a way."""
    low, high = s.left[0] > 0, s.left[1] > 0
    if way == FROM_NEST:
        both = s.left[0] == 1 and s.left[1] == 1 and np.int64(s.rolled[0]) + np.int64(s.rolled[1]) == FIVE
        return both or (low and face(s, 0) == FIVE) or (high and face(s, 1) == FIVE)
    die = (low and face(s, 0) == way) or (high and face(s, 1) == way)
    return die or (way == AMOUNTS[TEN] and s.tens > 0) or (way == AMOUNTS[TWENTY] and s.twenties > 0)


@inlined
def _uses(s: Any, r: Any, walls: Int, uses: Int, out: Any) -> None:
    """Ways of the mover's pieces Home, or to another with which they make a blockade, by what is left (P7, P13)."""
    seat = np.int64(s.seat)
    for amount in range(len(AMOUNTS)):
        steps = np.int64(r.steps[amount])
        if _is_left(s, steps):
            for piece in range(r.pieces):
                place = np.int64(s.pieces[seat, piece])
                end = np.int64(r.ends[0, place, amount])
                if end != NOWHERE and (walls == 0 or steps < _free(s, r, seat, place)):
                    out[uses + HOMES] += end == HOME
                    out[uses + JOINS] += end != HOME and _joins(s, r, seat, piece, end)


@inner
def _joins(s: Any, r: Any, seat: Int, piece: Int, end: Int) -> Any:
    """Whether a piece that goes to a place makes a blockade there (P7)."""
    found = False
    for other in range(r.pieces):
        found |= other != piece and s.pieces[seat, other] == end
    return found and may_join(s, seat, piece, end)


@inlined
def _holds(s: Any, r: Any, owner: Int, seat: Int, at: Int, out: Any) -> None:
    """Another's pieces before one's blockades on the ring."""
    for k in range(PIECES - 1):
        wall = np.int64(s.pieces[owner, k])
        if wall == s.pieces[owner, k + 1] and wall != NEST and wall <= ROW:
            _hold(s, r, seat, seen_from(r, owner, wall, seat), at, out)


@inlined
def _hold(s: Any, r: Any, seat: Int, wall: Int, at: Int, out: Any) -> None:
    """A seat's pieces before a foreign blockade, which stands on a ring place of its own."""
    for piece in range(r.pieces):
        place = np.int64(s.pieces[seat, piece])
        ahead = np.int64(r.ahead[0, place, wall])
        if ahead <= BEHIND:
            out[at + ahead] += 1
        if place == NEST and wall == ENTRY:
            out[at + SHUT_IN] += 1


@inlined
def _race(s: Any, r: Any, me: Int, out: Any) -> None:
    """How far the seats have come, from the viewer on, and the foremost of its rivals once more."""
    for k in range(r.seats):
        come: Any = 0
        for piece in range(r.pieces):
            left = np.int64(r.left[s.pieces[seat_after(r, me, k), piece]])
            come += WAY - left if left < WAY else 0
        share = np.float32(come) / np.float32(WAY * r.pieces)
        out[AT_RACE + k] = share
        if k > 0 and share > out[AT_RACE + r.seats]:
            out[AT_RACE + r.seats] = share


def insight_table(seats: int) -> FeatureTable:
    """The slices of the vector."""
    ways = f"from the nest, 1 to {REACH} ahead, by a roll; how often, and what shares of the way Home are to be lost"
    walls = f"how many; foreign pieces 1 to {BEHIND} steps before one; those in a nest whose entry square one closes"
    uses = "captures, what shares of the way are lost by them, ways Home, ways to a blockade"
    return FeatureTable(
        {
            "threats": ((2, WAYS), f"ways in which rivals' pieces may capture the viewer's: {ways}"),
            "targets": ((2, WAYS), f"ways in which the viewer's pieces may capture rivals': {ways}"),
            "walls": ((2, WALL_FACTS), f"the viewer's blockades, and rivals' before the viewer's pieces: {walls}"),
            "uses": ((2, USES), f"of what is left of the roll, for the viewer that moves, or for a rival: {uses}"),
            "race": ((seats + 1,), "shares of their ways that the seats have come, and the most of a rival's"),
        }
    )
