"""The rules of Sorry! Express as functions over rows: reset, legal, play, odds, deal and draw.

Each die that is resolved is an action of its own (E2); chance is the roll of all three.
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inner, small
from sorry_env.express.board import (
    DECIDE,
    DICE,
    FACES,
    FROM_HOME,
    FROM_START,
    OUTCOMES,
    PASS,
    PAWNS,
    ROLL,
    ROLLS,
    SLIDE,
    SORRY,
    TURN,
    WILD,
)
from sorry_env.random import below
from sorry_env.rulesets import COLOURS, SEATS
from sorry_env.turns import add, finish, pass_on, seat_after

HUES = len(COLOURS)


@small
def hue_after(colour: Int, steps: Int) -> Any:
    """The colour so many places further clockwise."""
    return (colour + steps) % HUES


@small
def waiting(s: Any, seat: Int, colour: Int) -> Any:
    """How many pawns of a colour are in a seat's waiting area (E1)."""
    return 0 if s.shown[seat] == colour else np.int64(s.held[seat, colour])


@small
def home(s: Any, seat: Int) -> Any:
    """How many pawns are in a seat's Home section (E1)."""
    return np.int64(s.held[seat, s.shown[seat]])


@inner
def reset(s: Any, r: Any, first: Int) -> None:
    """Begin a new game: all pawns on the start base, each base showing its seat's colour, a roll due (E1)."""
    s.turns = 1
    s.held[:] = 0
    for seat in range(SEATS):  # an array written over another takes seconds to compile
        s.shown[seat] = r.own[seat]
    s.start_base[:] = PAWNS
    s.dice[:] = 0
    s.due = ROLL
    s.seat = first
    s.over = 0
    s.winners = 0


@inner
def legal(s: Any, r: Any, out: Any) -> Any:
    """Find what the seat to move may do with the dice left, in table order.

    Args:
        s: STATE row.
        r: RULES row.
        out: CHOICES row, written.

    Returns:
        How many actions there are; 0 when the game is over or the dice have to be rolled.
    """
    out.count = 0
    if s.over or s.due == ROLL:
        return 0
    me = np.int64(s.seat)
    mine = np.int64(s.shown[me])
    for hue in range(HUES):
        if s.dice[hue_after(mine, hue)] > 0:
            _by_colour(s, r, me, hue, hue_after(mine, hue), out)
    if s.dice[SLIDE] > 0:
        _by_slide(s, r, me, mine, out)
    if s.dice[SORRY] > 0:
        _by_sorry(s, r, me, out)
    if s.dice[WILD] > 0:
        _by_wild(s, r, me, mine, out)
    return out.count


@small
def _by_colour(s: Any, r: Any, me: Int, hue: Int, colour: Int, out: Any) -> None:
    """From the start base, and then it must be; or from a waiting area if the start base has none (E3, E5)."""
    first = np.int64(r.first[hue])
    if s.start_base[colour] > 0:
        add(out, first)
        return
    for k in range(1, r.seats):
        if waiting(s, seat_after(r, me, k), colour) > 0:
            add(out, first + k)
    add(out, first + r.seats)


@small
def _by_slide(s: Any, r: Any, me: Int, mine: Int, out: Any) -> None:
    """Any base to any other colour (E4), or none (E5)."""
    first = np.int64(r.first[SLIDE])
    for hue in range(1, HUES):
        add(out, first + hue - 1)
    for k in range(1, r.seats):
        theirs = s.shown[seat_after(r, me, k)]
        for hue in range(HUES):
            if hue_after(mine, hue) != theirs:
                add(out, first + HUES * k + hue - 1)
    add(out, first + HUES * r.seats - 1)


@small
def _by_sorry(s: Any, r: Any, me: Int, out: Any) -> None:
    """From a Home section of another player (E4), and it must be if there is one (E5)."""
    first, victims = np.int64(r.first[SORRY]), 0
    for k in range(1, r.seats):
        if home(s, seat_after(r, me, k)) > 0:
            add(out, first + k - 1)
            victims += 1
    if victims == 0:
        add(out, first + r.seats - 1)


@small
def _by_wild(s: Any, r: Any, me: Int, mine: Int, out: Any) -> None:
    """Any colour from the start base or another player's waiting area (E4), or none (E5)."""
    first = np.int64(r.first[WILD])
    for hue in range(HUES):
        if s.start_base[hue_after(mine, hue)] > 0:
            add(out, first + hue)
    for k in range(1, r.seats):
        other = seat_after(r, me, k)
        for hue in range(HUES):
            if waiting(s, other, hue_after(mine, hue)) > 0:
                add(out, first + HUES * k + hue)
    add(out, first + HUES * r.seats)


@inner
def play(s: Any, r: Any, action: Int) -> None:
    """Resolve one of the dice by a legal action; then a further one is due, or the next roll, or the game ends."""
    me, kind, face = np.int64(s.seat), r.kind[action], np.int64(r.face[action])
    mine = np.int64(s.shown[me])
    colour, other = hue_after(mine, np.int64(r.colour[action])), seat_after(r, me, np.int64(r.seat[action]))
    s.dice[hue_after(mine, face) if face < HUES else face] -= 1
    if kind == TURN:
        s.shown[other] = colour
        _look(s, r, other)
        return
    if kind != PASS:
        if kind == FROM_START:
            s.start_base[colour] -= 1
        else:
            if kind == FROM_HOME:
                colour = np.int64(s.shown[other])
            s.held[other, colour] -= 1
        s.held[me, colour] += 1
    _look(s, r, me)


@small
def _look(s: Any, r: Any, seat: Int) -> None:
    """After a die: the end, if the seat that it served has won (E7), a further die (E2), or the next turn."""
    if home(s, seat) == PAWNS:
        s.dice[:] = 0
        finish(s, 1 << seat)
        return
    left = 0
    for face in range(len(FACES)):
        left += s.dice[face]
    if left == 0:
        pass_on(s, r)


@inner
def odds(s: Any, r: Any, weights: Any) -> Any:
    """Write in how many of the 216 ways the dice can fall as each outcome says (E6).

    Args:
        s: STATE row in which the roll is due.
        r: RULES row.
        weights: (81,) of any integer dtype, by outcome.

    Returns:
        Their sum.
    """
    for outcome in range(len(OUTCOMES)):
        weights[outcome] = r.weight[outcome]
    return ROLLS


@inner
def deal(s: Any, r: Any, outcome: Int) -> None:
    """Let the dice fall as an outcome says (E2)."""
    for die in range(len(DICE)):
        s.dice[r.faces[outcome, die]] += 1
    s.due = DECIDE


@inner
def draw(s: Any, r: Any, number: np.uint64) -> None:
    """Roll the dice.

    Args:
        s: STATE row in which the roll is due.
        r: RULES row.
        number: uniform over 0..2**32-1.
    """
    deal(s, r, np.int64(r.outcome[below(number, ROLLS)]))
