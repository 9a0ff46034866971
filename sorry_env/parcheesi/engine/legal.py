"""Which actions of Parcheesi are legal: entering, each die, each reward (P2-P12)."""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inner, small
from sorry_env.parcheesi.board import (
    DIE,
    ENTER,
    ENTER_BOTH,
    ENTRY,
    FAR,
    FIVE,
    HOME,
    NEST,
    NONE,
    NOWHERE,
    PASS,
    PIECES,
    REWARD,
    ROW,
    TEN,
    TWENTY,
)
from sorry_env.parcheesi.engine.turns import copy_row, is_marked, play, seen_from
from sorry_env.parcheesi.state import face
from sorry_env.turns import add
from sorry_env.verbs import CHANCE

WORD_BITS, WORD_MASK = 6, 63
"""A place is bit `place & WORD_MASK` of word `place >> WORD_BITS`."""


@inner
def legal(s: Any, r: Any, out: Any) -> Any:
    """Find the legal actions of the seat to move, in table order.

    Args:
        s: STATE row.
        r: RULES row.
        out: CHOICES row, written.

    Returns:
        How many there are; 0 when the game is over or chance is due.
    """
    out.count = 0
    if s.over or s.due >= CHANCE:
        return 0
    me = np.int64(s.seat)
    look_around(s, r, me, out)
    if s.due == REWARD:
        measure(s, r, me, out, out.all_walls)
        _rewards(s, r, me, out)
        return out.count
    entering = entering_action(s, out)
    if entering != NONE:  # P3: then nothing else is legal
        add(out, entering)
        return out.count
    measure(s, r, me, out, out.own_walls if jumps(s, r) else out.all_walls)
    _dice(s, r, me, out)
    if out.count == 0:
        add(out, PASS)
    return out.count


@small
def _add_if(allowed: bool, out: Any, action: Int) -> None:
    """`_add` without a branch; an action that is not allowed is written over."""
    out.ids[out.count] = action
    out.count += allowed


@small
def jumps(s: Any, r: Any) -> Any:
    """Whether a die that is used now passes over foreign blockades (P12)."""
    return r.breaks != 0 and s.due == DIE and s.rolled[0] == s.rolled[1]


@inner
def look_around(s: Any, r: Any, me: Int, out: Any) -> None:
    """List the blockades that the mover may meet, its own ones first, and what it may not land on (P5, P6)."""
    count = 0
    for k in range(PIECES - 1):
        place = s.pieces[me, k]
        if place == s.pieces[me, k + 1] and place != NEST and place != HOME:
            out.walls[count] = place
            count += 1
    out.own_walls = count
    out.shut[0] = out.shut[1] = 0
    for seat in range(r.seats):
        if seat != me:
            before: Any = np.int64(NEST)
            for k in range(PIECES):
                place = np.int64(s.pieces[seat, k])
                seen = seen_from(r, seat, place, me)
                wall = place == before and place != NEST and place <= ROW
                closed = np.int64(r.safe[place]) | np.int64(wall)
                out.shut[seen >> WORD_BITS] |= np.uint64(closed) << np.uint64(seen & WORD_MASK)
                before = place
                if wall:
                    out.walls[count] = seen
                    count += 1
    out.all_walls = count


@inner
def measure(s: Any, r: Any, me: Int, out: Any, walls: Int) -> None:
    """Write how far each own piece is from the next of the first so many blockades, on both ways."""
    for k in range(r.pieces):
        out.free[0, k] = out.free[1, k] = FAR
    for w in range(walls):
        for k in range(r.pieces):
            for past in range(2):
                ahead = r.ahead[past, s.pieces[me, k], out.walls[w]]
                if ahead < out.free[past, k]:
                    out.free[past, k] = ahead


@small
def entering_action(s: Any, out: Any) -> Any:
    """The action by which a piece has to leave the nest, or NONE (P3)."""
    me = np.int64(s.seat)
    if s.pieces[me, 0] != NEST:
        return NONE
    five = _has_five(s)
    both = s.left[0] == 1 and s.left[1] == 1 and np.int64(s.rolled[0]) + np.int64(s.rolled[1]) == FIVE
    if not (five or both) or _is_wall(out, ENTRY):
        return NONE
    return ENTER if five else ENTER_BOTH


@small
def _has_five(s: Any) -> Any:
    return (s.left[0] > 0 and face(s, 0) == FIVE) or (s.left[1] > 0 and face(s, 1) == FIVE)


@small
def _is_wall(out: Any, place: Int) -> Any:
    """Whether a blockade stands on a place."""
    found = False
    for w in range(out.all_walls):
        found |= out.walls[w] == place
    return found


@inner
def _dice(s: Any, r: Any, me: Int, out: Any) -> None:
    """The moves by each die that is left, the lower face first (P2, P8)."""
    low, high = 0, 1
    if face(s, 0) > face(s, 1):
        low, high = 1, 0
    if s.left[low] > 0:
        _moves(s, r, me, face(s, low) - 1, out)
    if s.left[high] > 0:
        _moves(s, r, me, face(s, high) - 1, out)


@inner
def _rewards(s: Any, r: Any, me: Int, out: Any) -> None:
    """The moves by each reward, and to decline it (P10)."""
    if s.tens > 0:
        _moves(s, r, me, TEN, out)
        add(out, r.decline[TEN])
    if s.twenties > 0:
        _moves(s, r, me, TWENTY, out)
        add(out, r.decline[TWENTY])


@inner
def _moves(s: Any, r: Any, me: Int, amount: Int, out: Any) -> None:
    """The moves of one piece by one amount, turning in and past the own row (P11)."""
    steps = r.steps[amount]
    marked = is_marked(s)
    for past in range(2):
        first = np.int64(r.first[past, amount])
        if first == NONE:
            return
        before: Any = np.int64(NOWHERE)
        for k in range(r.pieces):
            place = np.int64(s.pieces[me, k])
            end = np.int64(r.ends[past, place, amount])
            # No branch in the common case: what a position allows is hard to predict.
            able = (end != NOWHERE) & (steps < out.free[past, k]) & is_open(out, end)
            if marked:
                able = able and may_join(s, me, k, end) and not _like_the_last(s, r, me, k, first + k, out)
            else:
                able = able & (place != before)
            before = place
            _add_if(able, out, first + k)


@small
def is_open(out: Any, end: Int) -> Any:
    """Whether nothing foreign forbids to land on a place (P5, P12)."""
    return out.shut[end >> WORD_BITS] >> np.uint64(end & WORD_MASK) & np.uint64(1) == 0


@inner
def may_join(s: Any, me: Int, piece: Int, end: Int) -> Any:
    """Whether a piece may stand on a place beside the pieces that are there: not if it comes from one of them (P7)."""
    apart = True
    if s.marks[piece] != 0 and end != HOME:
        for k in range(PIECES):
            apart &= k == piece or s.marks[k] != s.marks[piece] or s.pieces[me, k] != end
    return apart


@inner
def _like_the_last(s: Any, r: Any, me: Int, piece: Int, action: Int, out: Any) -> Any:
    """Whether the action found last moves the other piece of the same square with the same outcome."""
    if piece == 0 or s.pieces[me, piece] != s.pieces[me, piece - 1]:
        return False
    if s.marks[piece] == s.marks[piece - 1]:
        return True
    return out.count > 0 and out.ids[out.count - 1] == action - 1 and _same_after(s, r, action, out)


@inner
def _same_after(s: Any, r: Any, action: Int, out: Any) -> Any:
    """Whether an action and the one before it, which moves a piece from the same square, lead to equal positions.

    They differ at most in what is remembered of the throw (P7), which ends with the roll.
    """
    copy_row(s, out.one)
    copy_row(s, out.other)
    play(out.one, r, action - 1)
    play(out.other, r, action)
    same = True
    for k in range(PIECES):
        same &= out.one.marks[k] == out.other.marks[k]
    return same
