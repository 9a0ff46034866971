"""What the heuristic player of Sorry! Express knows: terms of the position that the best use of the dice left leads to.

The measure of all things is the **rolls** that a player needs to complete a colour if nobody else does anything: so
many pawns lie on the start base or wait, so many are in other Home sections, and the own base shows the colour or has
to be turned to it. `rolls_table` has them exactly; a colour's **pace** is one over them.

All terms are told from a position in which the dice are used up. Where dice are left, the way to use them is chosen for
which the weighted sum is largest: who could win with them does.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, inner, kernel
from sorry_env.express.board import OUTCOMES, PAWNS, ROLL, WEIGHTS
from sorry_env.express.engine import HUES, home, legal, play
from sorry_env.express.state import CHOICES, STATE
from sorry_env.rulesets import COLOURS
from sorry_env.turns import seat_after
from sorry_env.verbs import States

if TYPE_CHECKING:
    from sorry_env.variant import Variant

Floats = npt.NDArray[np.float64]

TERMS: dict[str, str] = {
    "win": "1 if the best use of the dice left wins, -1 if another wins by it; all other terms are 0 then",
    "race": "chance to win a race in which each rolls in turn, once by its chance to win, then for ever by its pace",
    "leader": "the greatest pace that a rival has",
    "held": "own pawns less the rivals' mean",
    "home": "own Home pawns less the most that a rival has",
}
"""Name -> meaning, in the order of a term vector. A player's pace is that of its nearest colour."""
WEIGHTS_OF: dict[str, float] = {"win": 100, "race": 1, "leader": -1, "held": 0.04, "home": 0.02}
"""Term -> weight. Nearly all is in the race: the others settle what is close."""

WIN, RACE, LEADER, HELD, HOME = range(len(TERMS))

TABLES = np.dtype(
    (
        np.record,
        [
            ("pace", np.float64, (PAWNS + 1, PAWNS + 1, 2)),
            ("finish", np.float64, (PAWNS + 1, PAWNS + 1, 2)),
        ],
    )
)
"""By pawns of a colour that a player holds, those in other Home sections, and whether its base has to be turned."""

_LONG = 1e3
"""Rolls, where there is no telling yet."""


def weights() -> Floats:
    """(T,) float64: the weights in the order of `TERMS`."""
    return np.array([WEIGHTS_OF[name] for name in TERMS], np.float64)


def term_vectors(game: "Variant", after: States, seats: Any) -> Floats:
    """(M, T) float64: the terms, in the order of `TERMS`, of (M,) STATE afterstates for the seats (M,)."""
    out = np.zeros((len(after), len(TERMS)))
    term_lanes(after, game.rules, tables(), weights(), seats.astype(np.int64), out)
    return out


@lru_cache(maxsize=1)
def tables() -> npt.NDArray[np.record]:
    """(1,) TABLES."""
    rolls, finish = rolls_table()
    found: npt.NDArray[np.record] = np.zeros(1, TABLES)
    found["pace"], found["finish"] = 1 / rolls, finish
    return found


def rolls_table() -> tuple[Floats, Floats]:
    """Expected rolls to complete a colour, and the chance that one roll does; both as in `TABLES`."""
    rolls, finish = np.full((PAWNS + 1, PAWNS + 1, 2), _LONG), np.zeros((PAWNS + 1, PAWNS + 1, 2))
    for needs in sorted(_needs(), key=lambda n: (n[1] + n[0] + n[2], n[1])):
        held, away, turned = PAWNS - needs[0] - needs[1], needs[1], needs[2]
        if not any(needs):
            rolls[held, away, turned], finish[held, away, turned] = 1, 1  # as good as won
            continue
        stay, total = 0.0, 0.0
        for weight, roll in _by_use():
            best = min(_after(needs, roll), key=lambda n: _rolls_of(rolls, n, needs))
            if best == needs:
                stay += weight
            else:
                total += weight * _rolls_of(rolls, best, needs)
                finish[held, away, turned] += weight * (not any(best))
        rolls[held, away, turned] = (1 + total) / (1 - stay)
    return rolls, finish


def _needs() -> Iterator[tuple[int, int, int]]:
    """Every (pawns to take from the start base or waiting areas, pawns to take by Sorry!, turns of the own base)."""
    for away in range(PAWNS + 1):
        for take in range(PAWNS + 1 - away):
            yield from ((take, away, turn) for turn in (0, 1))


def _by_use() -> Iterator[tuple[float, tuple[int, int, int]]]:
    """Every roll's chance, and its faces that take a pawn of a certain colour, Sorry! and slide among them."""
    for outcome, weight in zip(OUTCOMES, WEIGHTS, strict=True):
        takes = outcome.count(COLOURS[0]) + outcome.count("wild")
        yield weight / sum(WEIGHTS), (takes, outcome.count("sorry"), outcome.count("slide"))


def _after(needs: tuple[int, int, int], roll: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
    """What may be needed after a roll. A slide turns the own base, or another's: its Home pawns wait then."""
    take, away, turn = needs
    away = max(0, away - roll[1])
    for own in range(min(turn, roll[2]) + 1):
        for other in range(min(1, roll[2] - own, away) + 1):
            freed = away if other else 0
            yield max(0, take + freed - roll[0]), away - freed, turn - own


def _rolls_of(rolls: Floats, needs: tuple[int, int, int], now: tuple[int, int, int]) -> float:
    """Rolls from there on; more than any number for what is not known yet or no better."""
    if not any(needs):
        return 0.0
    return _LONG if needs == now else float(rolls[PAWNS - needs[0] - needs[1], needs[1], needs[2]])


@kernel
def term_lanes(states: Any, rules: Any, tables: Any, weights: Any, seats: Any, out: Any) -> None:
    """Write the terms of (M,) STATE afterstates, each for the seat `seats[i]`, to (M, T) float64."""
    boards, choices, row = np.empty(2, STATE), np.empty(2, CHOICES), np.empty(len(weights))
    for i in range(len(states)):
        _best(states[i], rules[0], tables[0], weights, seats[i], boards, choices, row, out[i])


@inner
def _best(s: Any, r: Any, t: Any, weights: Any, me: Int, boards: Any, choices: Any, row: Any, out: Any) -> None:
    """Write the terms of the best position that the dice left, at most two, lead to."""
    if s.over or s.due == ROLL or s.seat != me:
        write_terms(s, r, t, me, out)
        return
    most = -np.inf
    for k in range(legal(s, r, choices[0])):
        boards[0] = s
        play(boards[0], r, np.int64(choices[0].ids[k]))
        if boards[0].over or boards[0].due == ROLL:
            most = _keep_better(boards[0], r, t, weights, me, most, row, out)
            continue
        for n in range(legal(boards[0], r, choices[1])):
            boards[1] = boards[0]
            play(boards[1], r, np.int64(choices[1].ids[n]))
            most = _keep_better(boards[1], r, t, weights, me, most, row, out)


@inner
def _keep_better(s: Any, r: Any, t: Any, weights: Any, me: Int, most: float, row: Any, out: Any) -> float:
    """Copy the terms of a position if their sum is larger than any before; the largest sum then."""
    write_terms(s, r, t, me, row)
    total = 0.0
    for k in range(len(weights)):
        total += weights[k] * row[k]
    if total > most:
        for k in range(len(row)):  # one array written over another takes seconds to compile
            out[k] = row[k]
        return total
    return most


@inner
def write_terms(s: Any, r: Any, t: Any, me: Int, out: Any) -> None:
    """Write the terms of a position in which the dice are used up, or the game is over."""
    out[:] = 0
    if s.winners != 0:
        out[WIN] = 1 if s.winners >> me & 1 else -1
        return
    unbeaten, paces, most = 1.0, 0.0, np.int64(0)
    for k in range(1, r.seats):
        seat = seat_after(r, me, k)
        pace, finish = _outlook(s, r, t, seat)
        unbeaten *= 1 - finish
        paces += pace
        most = max(most, home(s, seat))
        out[LEADER] = max(out[LEADER], pace)
        out[HELD] -= _pawns(s, seat) / (r.seats - 1)
    pace, finish = _outlook(s, r, t, me)
    out[RACE] = unbeaten * (finish + (1 - finish) * pace / (paces + pace))
    out[HELD] += _pawns(s, me)
    out[HOME] = home(s, me) - most


@inner
def _pawns(s: Any, seat: Int) -> Any:
    """How many pawns a seat has."""
    count = 0
    for colour in range(HUES):
        count += s.held[seat, colour]
    return count


@inner
def _outlook(s: Any, r: Any, t: Any, seat: Int) -> Any:
    """The pace of a seat's nearest colour, and the chance that its next roll wins if the colours' chances are apart."""
    most, fails = 0.0, 1.0
    for colour in range(HUES):
        held = np.int64(s.held[seat, colour])
        turned = s.shown[seat] != colour
        away = _at_homes(s, r, colour) - (0 if turned else held)
        most = max(most, t.pace[held, away, np.int64(turned)])
        fails *= 1 - t.finish[held, away, np.int64(turned)]
    return most, 1 - fails


@inner
def _at_homes(s: Any, r: Any, colour: Int) -> Any:
    """How many pawns of a colour are in Home sections."""
    count = np.int64(0)
    for seat in range(r.seats):
        if s.shown[seat] == colour:
            count += s.held[seat, colour]
    return count
