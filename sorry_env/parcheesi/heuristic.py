"""A player of Parcheesi: a weighted sum of named terms on the position that the rest of the roll can lead to.

Every term is a number that a person could work out at the table. `TERMS` says what each means and `WEIGHTS` how much it
counts, in steps. A roll is several decisions: an afterstate counts by the best that up to two more of them make of it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, inner, kernel
from sorry_env.parcheesi.board import (
    ENTRY,
    FACES,
    FIVE,
    HOME,
    NEST,
    OPPOSITE,
    PIECES,
    ROLL,
    ROLLS,
    ROW,
    TURN_OFF,
)
from sorry_env.parcheesi.engine.legal import legal
from sorry_env.parcheesi.engine.turns import copy_row, play, seen_from
from sorry_env.parcheesi.state import CHOICES, STATE, face
from sorry_env.verbs import CHANCE, States

if TYPE_CHECKING:  # built on families
    from sorry_env.variant import Variant

TERMS: dict[str, str] = {
    "steps": "steps that the own pieces have come, less the rivals'",
    "in_nest": "own pieces in the nest, less the rivals'",
    "row": "own pieces in the home row, less the rivals'",
    "home": "own pieces Home, less the rivals'",
    "finish": "chance that the next roll brings a piece Home by exact count, summed over own pieces, less the rivals'",
    "safe": "own pieces alone on a safe square on which no rival can enter now",
    "blockade": "own blockades on the ring",
    "held_up": "rivals' pieces that an own blockade stands up to twelve steps before",
    "shut_in": "rivals' pieces in the nest while an own blockade stands on their entry square",
    "held": "own pieces that a foreign blockade stands up to six steps before",
    "own_entry": "own pieces in the nest while an own blockade stands on the entry square",
    "danger": "steps that the rivals' next rolls may cost by captures",
    "hits": "captures that the rivals' next rolls may make, each worth a reward to them",
    "threat": "steps that the next own roll may cost the rivals by captures",
    "penalty": "steps that a third doublet may cost",
    "rewards": "steps of rewards still to be taken",
    "dice": "steps of dice still to be used",
    "lap": "own pieces past their turn-off",
    "win": "1 if the roll can win",
}
"""Name -> meaning, in the order of a term vector. What rivals have counts by its mean, what they may do by its sum."""

WEIGHTS: dict[str, float] = {
    "steps": 1,
    "in_nest": -8,
    "row": 4,
    "home": 8,
    "finish": 6,
    "safe": 3,
    "blockade": 2.6,
    "held_up": 1,
    "shut_in": 6,
    "held": -1,
    "own_entry": -4,
    "danger": -0.55,
    "hits": -12,
    "threat": 0.25,
    "penalty": -1,
    "rewards": 0.6,
    "dice": 0.5,
    "lap": 0,
    "win": 10_000,
}
"""How much each term counts, in steps."""

STEPS, IN_NEST, IN_ROW, AT_HOME, FINISH, SAFE, BLOCKADE, HELD_UP, SHUT_IN = range(9)
HELD, OWN_ENTRY, DANGER, HITS, THREAT, PENALTY, REWARDS, DICE, LAP, WIN = range(9, len(TERMS))
"""Numbers of the terms."""
COUNT = len(TERMS)
VALUES = np.dtype((np.record, [("values", np.float64, (COUNT,))]))
"""The terms of one afterstate."""

REACH = 14
"""Steps that a roll takes one piece at most."""
STRIDE, STEP = 2 * FACES, FACES
"""How near a blockade is that matters."""
ENTER_CHANCE = (2 * FACES - 1 + FIVE - 1) / ROLLS
"""Of a five on a die or a total of five (P3)."""
LONGEST = int(HOME - ROW + TURN_OFF - ENTRY)
"""Steps from the entry square to Home."""


def _hit_table() -> npt.NDArray[np.float64]:
    """(2, REACH + 2): the chance that a roll takes a piece exactly so far, in one or several parts.

    With a piece in the nest, and without (P8). The last column, for all that is farther, is 0.
    """
    hits = np.zeros((2, REACH + 2))
    for one in range(1, FACES + 1):
        for other in range(1, FACES + 1):
            doublet = [OPPOSITE - one] * 2 if one == other else []
            for nest_empty, dice in enumerate(([one, other], [one, other, *doublet])):
                for reached in _sums(dice):
                    hits[nest_empty, reached] += 1 / ROLLS
    return hits


def _sums(dice: list[int]) -> set[int]:
    """What one or several of the dice add up to."""
    sums = {0}
    for die in dice:
        sums |= {total + die for total in sums}
    return sums - {0}


HIT_CHANCES = _hit_table()
TABLES = np.dtype((np.record, [("hits", np.float64, (2, REACH + 2)), ("weights", np.float64, (COUNT,))]))
"""One row: the chances of `HIT_CHANCES`, and the weights in the order of `TERMS`."""

NOTES = np.dtype(
    (
        np.record,
        [
            ("terms", VALUES),
            ("best", VALUES),
            ("most", np.float64),
            ("walls", np.uint16, (2 * PIECES, 2)),  # seat and place, in its own count, of every blockade on the ring
            ("count", np.int64),
            ("near", STATE),
            ("far", STATE),
            ("first", CHOICES),
            ("second", CHOICES),
        ],
    )
)
"""Room to think in."""


def tables(weights: Mapping[str, float] | None = None) -> npt.NDArray[np.record]:
    """(1,) TABLES with the weights given, 0 for terms left out; None for `WEIGHTS`."""
    chosen = WEIGHTS if weights is None else weights
    row: npt.NDArray[np.record] = np.zeros(1, TABLES)
    row["hits"] = HIT_CHANCES
    row["weights"] = [chosen.get(name, 0.0) for name in TERMS]
    return row


def term_vectors(game: "Variant", after: States, seats: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.float64]:
    """(M, T) float64: the terms, in the order of `TERMS`, of (M,) STATE afterstates for the seats (M,).

    Where the roll goes on they are those of the best position, by `WEIGHTS`, that two more decisions lead to.
    """
    rows = np.zeros(len(after), VALUES)
    term_lanes(after, game.rules, tables(), seats.astype(np.int64), rows)
    found: npt.NDArray[np.float64] = rows["values"]
    return found


@kernel
def term_lanes(states: Any, rules: Any, known: Any, seats: Any, rows: Any) -> None:
    """Write the terms of (M,) STATE, each for the seat `seats[i]`, into (M,) VALUES of zeros."""
    notes = np.zeros(1, NOTES)
    for i in range(len(states)):
        best_of_two(states[i], rules[0], known[0], notes[0], seats[i])
        for k in range(COUNT):
            rows[i].values[k] = notes[0].best.values[k]


@inner
def best_of_two(s: Any, r: Any, t: Any, notes: Any, me: Int) -> Any:
    """How good an afterstate is, up to two more decisions of its roll looked ahead; `notes.best` has the terms."""
    notes.most = -np.inf
    if s.over or s.due >= CHANCE or s.seat != me:
        _consider(s, r, t, notes, me)
    else:
        for k in range(legal(s, r, notes.first)):
            copy_row(s, notes.near)
            play(notes.near, r, np.int64(notes.first.ids[k]))
            _best_of_one(notes.near, r, t, notes, me)
    return notes.most


@inner
def _best_of_one(s: Any, r: Any, t: Any, notes: Any, me: Int) -> None:
    """The same with one more decision."""
    if s.over or s.due >= CHANCE or s.seat != me:
        _consider(s, r, t, notes, me)
    else:
        for k in range(legal(s, r, notes.second)):
            copy_row(s, notes.far)
            play(notes.far, r, np.int64(notes.second.ids[k]))
            _consider(notes.far, r, t, notes, me)


@inner
def _consider(s: Any, r: Any, t: Any, notes: Any, me: Int) -> None:
    """Remember a position's terms if it is the best so far."""
    write_terms(s, r, t, notes, me, notes.terms)
    worth = 0.0
    for k in range(COUNT):
        worth += t.weights[k] * notes.terms.values[k]
    if worth > notes.most:
        notes.most = worth
        for k in range(COUNT):
            notes.best.values[k] = notes.terms.values[k]


@inner
def write_terms(s: Any, r: Any, t: Any, notes: Any, me: Int, out: Any) -> None:
    """Write the terms of one position for one seat into a VALUES."""
    share = 1.0 / (r.seats - 1)
    for k in range(COUNT):
        out.values[k] = 0
    out.values[REWARDS] = 10.0 * s.tens + 20.0 * s.twenties
    out.values[WIN] = s.winners >> me & 1
    for slot in range(2):
        if s.left[slot] > 0:
            out.values[DICE] += s.left[slot] * face(s, slot)
    _note_walls(s, r, notes)
    for seat in range(r.seats):
        _race(s, r, t, seat, 1.0 if seat == me else -share, out)
    _blockades(s, r, notes, me, share, out)
    _own(s, r, t, notes, me, out)
    for seat in range(r.seats):
        if seat != me:
            _threats(s, r, t, notes, me, seat, share, out)
    if s.seat == me and s.due == ROLL and s.doublets == 2 and r.penalty:
        out.values[PENALTY] = _foremost(s, r, me) / FACES


@inner
def _note_walls(s: Any, r: Any, notes: Any) -> None:
    """List the blockades on the ring."""
    count = 0
    for seat in range(r.seats):
        for k in range(PIECES - 1):
            place = s.pieces[seat, k]
            if place == s.pieces[seat, k + 1] and place != NEST and place <= ROW:
                notes.walls[count, 0], notes.walls[count, 1] = seat, place
                count += 1
    notes.count = count


@inner
def _race(s: Any, r: Any, t: Any, seat: Int, share: float, out: Any) -> None:
    """The terms that count for one side as they do against the other."""
    empty = 0 if s.pieces[seat, 0] == NEST else 1
    for k in range(r.pieces):
        place = np.int64(s.pieces[seat, k])
        left = np.int64(r.left[place])
        if place == NEST:
            out.values[IN_NEST] += share
        else:
            out.values[STEPS] += share * (LONGEST - left)
            if place == HOME:
                out.values[AT_HOME] += share
            else:
                out.values[FINISH] += share * t.hits[empty, min(left, REACH + 1)]
                if place > ROW:
                    out.values[IN_ROW] += share


@inner
def _blockades(s: Any, r: Any, notes: Any, me: Int, share: float, out: Any) -> None:
    """What own blockades and those of others do to those who come behind."""
    blockades, held, own_entry = 0.0, 0.0, 0.0
    for w in range(notes.count):
        owner, place = np.int64(notes.walls[w, 0]), np.int64(notes.walls[w, 1])
        if owner == me:
            blockades += 1
            if place == ENTRY:
                own_entry += _in_nest(s, me)
            for seat in range(r.seats):
                if seat != me:
                    there = seen_from(r, me, place, seat)
                    out.values[HELD_UP] += share * _behind(s, r, seat, there, STRIDE)
                    if there == ENTRY:
                        out.values[SHUT_IN] += share * _in_nest(s, seat)
        else:
            held += _behind(s, r, me, seen_from(r, owner, place, me), STEP)
    out.values[BLOCKADE], out.values[HELD], out.values[OWN_ENTRY] = blockades, held, own_entry


@inner
def _in_nest(s: Any, seat: Int) -> Any:
    count = 0
    for k in range(PIECES):
        count += s.pieces[seat, k] == NEST
    return count


@inner
def _behind(s: Any, r: Any, seat: Int, place: Int, near: Int) -> Any:
    """How many pieces of a seat have a place before them at most so many steps away, on their way Home."""
    count = 0
    for k in range(r.pieces):
        count += r.ahead[0, s.pieces[seat, k], place] <= near
    return count


@inner
def _own(s: Any, r: Any, t: Any, notes: Any, me: Int, out: Any) -> None:
    """Exposure and safety of own pieces on the ring."""
    for k in range(r.pieces):
        place = np.int64(s.pieces[me, k])
        if place != NEST and place <= ROW:
            out.values[LAP] += place > TURN_OFF
            paired = (k > 0 and s.pieces[me, k - 1] == place) or (k + 1 < PIECES and s.pieces[me, k + 1] == place)
            if not paired:
                chance = _exposure(s, r, t, notes, me, place)
                out.values[DANGER] += chance * (LONGEST - np.int64(r.left[place]))
                out.values[HITS] += chance
                if r.safe[place] and chance == 0:
                    out.values[SAFE] += 1


@inner
def _exposure(s: Any, r: Any, t: Any, notes: Any, me: Int, place: Int) -> Any:
    """The chance that a lone piece of a seat is captured before it moves again (P5)."""
    spared = 1.0
    for seat in range(r.seats):
        if seat != me:
            spared *= 1.0 - _hit(s, r, t, notes, seat, seen_from(r, me, place, seat))
    return 1.0 - spared


@inner
def _hit(s: Any, r: Any, t: Any, notes: Any, seat: Int, place: Int) -> Any:
    """The chance that a seat's next roll captures what stands alone on a ring place of its own."""
    if r.safe[place]:
        return ENTER_CHANCE if place == ENTRY and s.pieces[seat, 0] == NEST else 0.0
    empty = 0 if s.pieces[seat, 0] == NEST else 1
    missed = 1.0
    for k in range(r.pieces):
        ahead = np.int64(r.ahead[0, s.pieces[seat, k], place])
        if ahead <= REACH and not _wall_between(s, r, notes, seat, np.int64(s.pieces[seat, k]), ahead):
            missed *= 1.0 - t.hits[empty, ahead]
    return 1.0 - missed


@inner
def _wall_between(s: Any, r: Any, notes: Any, seat: Int, place: Int, steps: Int) -> Any:
    """Whether a blockade stands on the way of a seat's piece."""
    found = False
    for w in range(notes.count):
        there = seen_from(r, np.int64(notes.walls[w, 0]), np.int64(notes.walls[w, 1]), seat)
        found |= r.ahead[0, place, there] < steps
    return found


@inner
def _threats(s: Any, r: Any, t: Any, notes: Any, me: Int, rival: Int, share: float, out: Any) -> None:
    """What the own next roll may capture."""
    for k in range(r.pieces):
        place = np.int64(s.pieces[rival, k])
        if place != NEST and place <= ROW:
            paired = (k > 0 and s.pieces[rival, k - 1] == place) or (k + 1 < PIECES and s.pieces[rival, k + 1] == place)
            if not paired:
                chance = _hit(s, r, t, notes, me, seen_from(r, rival, place, me))
                out.values[THREAT] += chance * (share * (LONGEST - np.int64(r.left[place])) + 20)


@inner
def _foremost(s: Any, r: Any, me: Int) -> Any:
    """Steps that the piece has come which a third doublet would send back (P9)."""
    most: Any = 0
    for k in range(r.pieces):
        place = s.pieces[me, k]
        if place != NEST and place != HOME:
            most = max(most, LONGEST - np.int64(r.left[place]))
    return most
