"""The rules of Parcheesi as functions over rows: reset, legal, play, odds, deal, draw and returns.

`play` ends in an afterstate, in which the seat goes on with its roll or chance is due; `odds` weighs what may come and
`deal` lets one of it happen. Randomness comes in from outside, as one number a draw.
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, kernel, small
from sorry_env.engine.random import below
from sorry_env.parcheesi.board import (
    CHANCE,
    DIE,
    ENTER,
    ENTER_BOTH,
    ENTRY,
    FACES,
    FAR,
    FIVE,
    HOME,
    MOVE,
    NEST,
    NONE,
    NOWHERE,
    OPPOSITE,
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

PUNISHED = 3
"""The doublet in a row that costs a piece (P9)."""
MARKS = 3
"""No mark, or one of two."""
WORD_BITS, WORD_MASK = 6, 63
"""A place is bit `place & WORD_MASK` of word `place >> WORD_BITS`."""


@kernel
def reset(s: Any, r: Any, first: Int) -> None:
    """Begin a new game: all pieces in the nest, the first roll due (P1)."""
    s.pieces[:] = HOME
    s.pieces[: r.seats, : r.pieces] = NEST
    s.turns = 1
    s.seat = first
    s.due = ROLL
    s.over = s.winners = s.doublets = s.tens = s.twenties = 0
    _clear_roll(s)


@kernel
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
        _measure(s, r, me, out, out.all_walls)
        _rewards(s, r, me, out)
        return out.count
    entering = _entering(s, out)
    if entering != NONE:  # P3: then nothing else is legal
        _add(out, entering)
        return out.count
    _measure(s, r, me, out, out.own_walls if _jumps(s, r) else out.all_walls)
    _dice(s, r, me, out)
    if out.count == 0:
        _add(out, PASS)
    return out.count


@small
def _add(out: Any, action: Int) -> None:
    out.ids[out.count] = action
    out.count += 1


@small
def _add_if(allowed: bool, out: Any, action: Int) -> None:
    """`_add` without a branch; an action that is not allowed is written over."""
    out.ids[out.count] = action
    out.count += allowed


@small
def _jumps(s: Any, r: Any) -> Any:
    """Whether a die that is used now passes over foreign blockades (P12)."""
    return r.breaks != 0 and s.due == DIE and s.rolled[0] == s.rolled[1]


@small
def face(s: Any, slot: Int) -> Any:
    """The first or the second face of the roll; of a doublet the top and the bottom (P8)."""
    if slot == 1 and s.rolled[0] == s.rolled[1]:
        return np.int64(OPPOSITE) - np.int64(s.rolled[0])
    return np.int64(s.rolled[slot])


@small
def seen_from(r: Any, owner: Int, place: Int, viewer: Int) -> Any:
    """The ring place of one seat as another's."""
    seen = np.int64(place) + np.int64(r.shift[owner, viewer])
    return seen - RING if seen > RING else seen


@kernel
def look_around(s: Any, r: Any, me: Int, out: Any) -> None:
    """List the blockades that the mover may meet, its own ones first, and what it may not land on (P5, P6)."""
    count = 0
    for k in range(PIECES - 1):
        place = s.pieces[me, k]
        if place == s.pieces[me, k + 1] and place != NEST and place != HOME:
            out.walls[count] = place
            count += 1
    out.own_walls = count
    out.shut[:] = 0
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


@kernel
def _measure(s: Any, r: Any, me: Int, out: Any, walls: Int) -> None:
    """Write how far each own piece is from the next of the first so many blockades, on both ways."""
    out.free[:] = FAR
    for w in range(walls):
        for k in range(r.pieces):
            for past in range(2):
                ahead = r.ahead[past, s.pieces[me, k], out.walls[w]]
                if ahead < out.free[past, k]:
                    out.free[past, k] = ahead


@small
def _entering(s: Any, out: Any) -> Any:
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


@kernel
def _dice(s: Any, r: Any, me: Int, out: Any) -> None:
    """The moves by each die that is left, the lower face first (P2, P8)."""
    low, high = 0, 1
    if face(s, 0) > face(s, 1):
        low, high = 1, 0
    if s.left[low] > 0:
        _moves(s, r, me, face(s, low) - 1, out)
    if s.left[high] > 0:
        _moves(s, r, me, face(s, high) - 1, out)


@kernel
def _rewards(s: Any, r: Any, me: Int, out: Any) -> None:
    """The moves by each reward, and to decline it (P10)."""
    if s.tens > 0:
        _moves(s, r, me, TEN, out)
        _add(out, r.decline[TEN])
    if s.twenties > 0:
        _moves(s, r, me, TWENTY, out)
        _add(out, r.decline[TWENTY])


@kernel
def _moves(s: Any, r: Any, me: Int, amount: Int, out: Any) -> None:
    """The moves of one piece by one amount, turning in and past the own row (P11)."""
    steps = r.steps[amount]
    marked = _marked(s)
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
                able = able and _may_join(s, me, k, end) and not _like_the_last(s, r, me, k, first + k, out)
            else:
                able = able & (place != before)
            before = place
            _add_if(able, out, first + k)


@small
def _marked(s: Any) -> Any:
    """Whether any pieces of the mover stood together at the throw."""
    return s.marks[0] | s.marks[1] | s.marks[2] | s.marks[3]


@small
def is_open(out: Any, end: Int) -> Any:
    """Whether nothing foreign forbids to land on a place (P5, P12)."""
    return out.shut[end >> WORD_BITS] >> np.uint64(end & WORD_MASK) & np.uint64(1) == 0


@kernel
def _may_join(s: Any, me: Int, piece: Int, end: Int) -> Any:
    """Whether a piece may stand on a place beside the pieces that are there: not if it comes from one of them (P7)."""
    apart = True
    if s.marks[piece] != 0 and end != HOME:
        for k in range(PIECES):
            apart &= k == piece or s.marks[k] != s.marks[piece] or s.pieces[me, k] != end
    return apart


@kernel
def _like_the_last(s: Any, r: Any, me: Int, piece: Int, action: Int, out: Any) -> Any:
    """Whether the action found last moves the other piece of the same square with the same outcome."""
    if piece == 0 or s.pieces[me, piece] != s.pieces[me, piece - 1]:
        return False
    if s.marks[piece] == s.marks[piece - 1]:
        return True
    return out.count > 0 and out.ids[out.count - 1] == action - 1 and _same_after(s, r, action, out)


@kernel
def _same_after(s: Any, r: Any, action: Int, out: Any) -> Any:
    """Whether an action and the one before it, which moves a piece from the same square, lead to equal positions.

    They differ at most in what is remembered of the throw (P7), which ends with the roll.
    """
    _copy(s, out.one)
    _copy(s, out.other)
    play(out.one, r, action - 1)
    play(out.other, r, action)
    same = True
    for k in range(PIECES):
        same &= out.one.marks[k] == out.other.marks[k]
    return same


@kernel
def _copy(s: Any, t: Any) -> None:
    t.turns = s.turns
    t.pieces[:] = s.pieces
    t.due, t.seat, t.over, t.winners = s.due, s.seat, s.over, s.winners
    t.rolled[:] = s.rolled
    t.left[:] = s.left
    t.tens, t.twenties, t.doublets = s.tens, s.twenties, s.doublets
    t.marks[:] = s.marks


@kernel
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
        s.left[:] = 0
        _go(s, r, me, 0, ENTRY)
    elif kind == PASS:
        s.left[:] = 0
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


@kernel
def _go(s: Any, r: Any, me: Int, piece: Int, end: Int) -> None:
    """Put a piece where it lands; what it earns is added to the rewards (P5, P10)."""
    if end == HOME:
        s.tens += 1
    elif end <= ROW:
        s.twenties += _capture(s, r, me, end)
    marked = _marked(s)
    if marked and end == HOME:
        _unmark(s, np.int64(s.marks[piece]))
    _put(s, me, piece, end)
    if marked:
        _tidy_marks(s, me)


@kernel
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


@kernel
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


@kernel
def _unmark(s: Any, mark: Int) -> None:
    """End a mark, because one of its pieces is Home: there the two may stand together (P7)."""
    for k in range(PIECES):
        if s.marks[k] == mark:
            s.marks[k] = 0


@kernel
def _tidy_marks(s: Any, me: Int) -> None:
    """Of the two ways to write the same marks take the lesser one."""
    code = min(_marks_code(s, me, 0), _marks_code(s, me, MARKS))
    for k in range(PIECES - 1, -1, -1):
        s.marks[k] = code % MARKS
        code //= MARKS


@kernel
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


@kernel
def _go_on(s: Any, r: Any, me: Int) -> None:
    """What follows an action: more of the roll, its end, or the end of the game (P13)."""
    if s.pieces[me, 0] == HOME:
        _finish(s, 1 << me)
    elif s.left[0] == 0 and s.left[1] == 0:
        if s.tens > 0 or s.twenties > 0:
            s.due = REWARD
        else:
            _end_roll(s, r)


@kernel
def _end_roll(s: Any, r: Any) -> None:
    """After a doublet the seat rolls again (P8), else the turn is over."""
    again = s.rolled[0] == s.rolled[1]
    _clear_roll(s)
    s.due = ROLL
    if not again:
        _pass_on(s, r)


@small
def _clear_roll(s: Any) -> None:
    s.rolled[:] = 0
    s.left[:] = 0
    s.marks[:] = 0


@kernel
def _pass_on(s: Any, r: Any) -> None:
    """The turn passes to the next seat, if there may be another turn (P1, P14)."""
    s.doublets = 0
    if r.turn_limit != 0 and s.turns >= r.turn_limit:
        _finish(s, 0)
    else:
        s.turns += 1
        s.seat = s.seat + 1 if s.seat + 1 < r.seats else 0


@kernel
def _finish(s: Any, winners: Int) -> None:
    """The game is over, and what was left of the turn is gone (P13)."""
    s.over = 1
    s.winners = winners
    s.due = s.seat = s.doublets = s.tens = s.twenties = 0
    _clear_roll(s)


@kernel
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


@kernel
def deal(s: Any, r: Any, outcome: Int) -> None:
    """Let a roll happen."""
    _throw(s, r, np.int64(r.dice[outcome, 0]), np.int64(r.dice[outcome, 1]))


@kernel
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


@kernel
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


@kernel
def mark_pairs(s: Any, me: Int) -> None:
    """Mark the mover's pieces that stand together (P7)."""
    mark = 0
    s.marks[:] = 0
    for k in range(PIECES - 1):
        place = s.pieces[me, k]
        if place == s.pieces[me, k + 1] and place != NEST and place != HOME:
            mark += 1
            s.marks[k] = s.marks[k + 1] = mark


@kernel
def _punish(s: Any, r: Any, me: Int) -> None:
    """Send the piece with the shortest way left to the nest; the turn is over (P9)."""
    foremost = PIECES
    for k in range(PIECES):
        place = s.pieces[me, k]
        if place != NEST and place != HOME:
            if foremost == PIECES or r.left[place] < r.left[s.pieces[me, foremost]]:
                foremost = k
    if foremost != PIECES:
        _put(s, me, foremost, NEST)
    _pass_on(s, r)


@kernel
def returns(s: Any, r: Any, out: Any) -> None:
    """Write each seat's return: 1 for the win, the losers share -1; zeros before the end and after a truncation."""
    out[:] = 0
    if s.winners != 0:
        for seat in range(r.seats):
            out[seat] = 1.0 if s.winners >> seat & 1 else -1.0 / (r.seats - 1)
