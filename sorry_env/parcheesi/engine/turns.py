"""The verbs of Parcheesi: reset, play, odds, deal and draw. With `legal` they are all that the rules offer.

`play` ends in an afterstate, in which the seat goes on with its roll or chance is due; `odds` weighs what may come and
`deal` lets one of it happen. Randomness comes in from outside, as one number a draw.
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inner, small
from sorry_env.parcheesi.board import (
    DIE,
    ENTER,
    ENTER_BOTH,
    ENTRY,
    FACES,
    FIVE,
    HOME,
    MOVE,
    NEST,
    NONE,
    NOWHERE,
    OUTCOMES,
    PASS,
    PIECES,
    REWARD,
    RING,
    ROLL,
    ROLLS,
    ROW,
    TEN,
    TWENTY,
)
from sorry_env.parcheesi.state import face
from sorry_env.random import below
from sorry_env.rulesets import SEATS
from sorry_env.turns import finish, pass_on

PUNISHED = 3
"""The doublet in a row that costs a piece (P9)."""
MARKS = 3
"""No mark, or one of two."""


@inner
def reset(s: Any, r: Any, first: Int) -> None:
    """Begin a new game: all pieces in the nest, the first roll due (P1)."""
    for seat in range(SEATS):
        for k in range(PIECES):
            s.pieces[seat, k] = NEST if seat < r.seats and k < r.pieces else HOME
    s.turns = 1
    s.seat = first
    s.due = ROLL
    s.over = s.winners = s.doublets = s.tens = s.twenties = 0
    _clear_roll(s)


@small
def seen_from(r: Any, owner: Int, place: Int, viewer: Int) -> Any:
    """The ring place of one seat as another's."""
    seen = np.int64(place) + np.int64(r.shift[owner, viewer])
    return seen - RING if seen > RING else seen


@small
def is_marked(s: Any) -> Any:
    """Whether any pieces of the mover stood together at the throw."""
    return s.marks[0] | s.marks[1] | s.marks[2] | s.marks[3]


@inner
def copy_row(s: Any, t: Any) -> None:
    """Write one state over another; piece by piece, as whole arrays take seconds to compile."""
    t.turns, t.due, t.seat, t.over, t.winners = s.turns, s.due, s.seat, s.over, s.winners
    t.tens, t.twenties, t.doublets = s.tens, s.twenties, s.doublets
    for seat in range(SEATS):
        for k in range(PIECES):
            t.pieces[seat, k] = s.pieces[seat, k]
    for k in range(PIECES):
        t.marks[k] = s.marks[k]
    for slot in range(2):
        t.rolled[slot], t.left[slot] = s.rolled[slot], s.left[slot]


@inner
def play(s: Any, r: Any, action: Int) -> None:
    """Play a legal action: move a piece; then the roll goes on, another one is due, or the game ends."""
    me, kind = np.int64(s.seat), r.kind[action]
    if kind == MOVE:
        _spend(s, np.int64(r.amount[action]))
        piece = np.int64(r.piece[action])
        _go(s, r, me, piece, np.int64(r.ends[r.past[action], s.pieces[me, piece], r.amount[action]]))
    elif kind == ENTER:
        _spend(s, FIVE - 1)
        _go(s, r, me, 0, ENTRY)
    elif kind == ENTER_BOTH:
        s.left[0] = s.left[1] = 0
        _go(s, r, me, 0, ENTRY)
    elif kind == PASS:
        s.left[0] = s.left[1] = 0
    else:
        _spend(s, np.int64(r.amount[action]))
    _go_on(s, r, me)


@small
def _spend(s: Any, amount: Int) -> None:
    """Use up a die or a reward."""
    if amount == TEN:
        s.tens -= 1
    elif amount == TWENTY:
        s.twenties -= 1
    elif face(s, 0) == amount + 1:
        s.left[0] -= 1
    else:
        s.left[1] -= 1


@inner
def _go(s: Any, r: Any, me: Int, piece: Int, end: Int) -> None:
    """Put a piece where it lands; what it earns is added to the rewards (P5, P10)."""
    if end == HOME:
        s.tens += 1
    elif end <= ROW:
        s.twenties += _capture(s, r, me, end)
    marked = is_marked(s)
    if marked and end == HOME:
        _unmark(s, np.int64(s.marks[piece]))
    _put(s, me, piece, end)
    if marked:
        tidy_marks(s, me)


@inner
def _capture(s: Any, r: Any, me: Int, place: Int) -> Any:
    """Send the foreign piece on a ring place of the mover's to its nest; how many there were, 0 or 1 (P5)."""
    found: Any = np.int64(NONE)
    for seat in range(r.seats):
        there = seen_from(r, me, place, seat) if seat != me else NOWHERE
        for k in range(PIECES):
            found = PIECES * seat + k if s.pieces[seat, k] == there else found
    if found == NONE:
        return 0
    _put(s, found // PIECES, found % PIECES, NEST)
    return 1


@inner
def _put(s: Any, seat: Int, piece: Int, place: Int) -> None:
    """Move a piece to a place and keep the seat's pieces in order; the mover's marks go with them."""
    mover = s.seat == seat
    mark = s.marks[piece]
    while piece + 1 < PIECES and s.pieces[seat, piece + 1] < place:
        s.pieces[seat, piece] = s.pieces[seat, piece + 1]
        if mover:
            s.marks[piece] = s.marks[piece + 1]
        piece += 1
    while piece > 0 and s.pieces[seat, piece - 1] > place:
        s.pieces[seat, piece] = s.pieces[seat, piece - 1]
        if mover:
            s.marks[piece] = s.marks[piece - 1]
        piece -= 1
    s.pieces[seat, piece] = place
    if mover:
        s.marks[piece] = mark


@inner
def _unmark(s: Any, mark: Int) -> None:
    """End a mark, because one of its pieces is Home: there the two may stand together (P7)."""
    for k in range(PIECES):
        if s.marks[k] == mark:
            s.marks[k] = 0


@inner
def tidy_marks(s: Any, me: Int) -> None:
    """Of the two ways to write the same marks take the lesser one."""
    code = min(_marks_code(s, me, 0), _marks_code(s, me, MARKS))
    for k in range(PIECES - 1, -1, -1):
        s.marks[k] = code % MARKS
        code //= MARKS


@inner
def _marks_code(s: Any, me: Int, swapped: Int) -> Any:
    """The marks in the order of the pieces as one number; `swapped` is MARKS to let 1 and 2 change places, or 0."""
    code, k = 0, 0
    while k < PIECES:
        one = _written(s, k, swapped)
        if k + 1 < PIECES and s.pieces[me, k] == s.pieces[me, k + 1]:
            other = _written(s, k + 1, swapped)
            code = (code * MARKS + min(one, other)) * MARKS + max(one, other)
            k += 2
        else:
            code = code * MARKS + one
            k += 1
    return code


@small
def _written(s: Any, piece: Int, swapped: Int) -> Any:
    mark = np.int64(s.marks[piece])
    return swapped - mark if swapped != 0 and mark != 0 else mark


@inner
def _go_on(s: Any, r: Any, me: Int) -> None:
    """What follows an action: more of the roll, its end, or the end of the game (P13)."""
    if s.pieces[me, 0] == HOME:
        _win(s, me)
    elif s.left[0] == 0 and s.left[1] == 0:
        if s.tens > 0 or s.twenties > 0:
            s.due = REWARD
        else:
            _end_roll(s, r)


@inner
def _end_roll(s: Any, r: Any) -> None:
    """After a doublet the seat rolls again (P8), else the turn is over."""
    again = s.rolled[0] == s.rolled[1]
    _clear_roll(s)
    s.due = ROLL
    if not again:
        _end_turn(s, r)


@inner
def _clear_roll(s: Any) -> None:
    s.rolled[0] = s.rolled[1] = s.left[0] = s.left[1] = 0
    for k in range(PIECES):
        s.marks[k] = 0


@inner
def _end_turn(s: Any, r: Any) -> None:
    """The turn passes to the next seat, if there may be another turn (P1, P14)."""
    s.doublets = 0
    pass_on(s, r)


@inner
def _win(s: Any, seat: Int) -> None:
    """The game is over, and what was left of the turn is gone (P13)."""
    s.doublets = s.tens = s.twenties = 0
    _clear_roll(s)
    finish(s, 1 << seat)


@inner
def odds(s: Any, r: Any, weights: Any) -> Any:
    """Write the weight of each roll, a doublet 1 and any other 2; their total is returned.

    Args:
        s: STATE row in which chance is due.
        r: RULES row.
        weights: (21,) integers.
    """
    for outcome in range(len(OUTCOMES)):
        weights[outcome] = 1 if r.dice[outcome, 0] == r.dice[outcome, 1] else 2
    return ROLLS


@inner
def deal(s: Any, r: Any, outcome: Int) -> None:
    """Let a roll happen."""
    _throw(s, r, np.int64(r.dice[outcome, 0]), np.int64(r.dice[outcome, 1]))


@inner
def draw(s: Any, r: Any, number: np.uint64) -> None:
    """Roll the dice.

    Args:
        s: STATE row in which chance is due.
        r: RULES row.
        number: uniform over 0..2**32-1.
    """
    roll = below(number, ROLLS)
    one, other = roll // FACES + 1, roll % FACES + 1
    _throw(s, r, min(one, other), max(one, other))


@inner
def _throw(s: Any, r: Any, low: Int, high: Int) -> None:
    """Put a roll on the table; the third doublet in a row is punished instead (P9)."""
    me = np.int64(s.seat)
    if low == high:
        s.doublets += 1
        if r.penalty and s.doublets == PUNISHED:
            _punish(s, r, me)
            return
    s.due = DIE
    s.rolled[0], s.rolled[1] = low, high
    s.left[0] = s.left[1] = 1
    if low == high:
        s.left[0] = 2
        s.left[1] = 2 if s.pieces[me, 0] != NEST else 0
    mark_pairs(s, me)


@inner
def mark_pairs(s: Any, me: Int) -> None:
    """Mark the mover's pieces that stand together (P7)."""
    mark = 0
    for k in range(PIECES):
        s.marks[k] = 0
    for k in range(PIECES - 1):
        place = s.pieces[me, k]
        if place == s.pieces[me, k + 1] and place != NEST and place != HOME:
            mark += 1
            s.marks[k] = s.marks[k + 1] = mark


@inner
def _punish(s: Any, r: Any, me: Int) -> None:
    """Send the piece with the shortest way left to the nest; the turn is over (P9)."""
    foremost = PIECES
    for k in range(PIECES):
        place = s.pieces[me, k]
        out = place != NEST and place != HOME
        if out and (foremost == PIECES or r.left[place] < r.left[s.pieces[me, foremost]]):
            foremost = k
    if foremost != PIECES:
        _put(s, me, foremost, NEST)
    _end_turn(s, r)
