"""The best that a side can make of a card, of the rest of a 7 or of a question: turns saved, as kernels over rows."""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inner
from sorry_env.sorry.actions import NO, PARTNER, SEVEN, SEVEN_CARD, YES
from sorry_env.sorry.board import COIN, HOME, NONE, PAWNS, SIX, START, THREE, TO_ANSWER, TO_PART, TO_SECOND
from sorry_env.sorry.engine.moves import holder, in_the_way, is_frozen, occupant, own_pawn_at, seen_from
from sorry_env.sorry.heuristic.tables import IMPOSSIBLE, WAYS
from sorry_env.sorry.rules import CARDS
from sorry_env.turns import seat_after

LOWEST = -1e9


@inner
def best_use(s: Any, r: Any, t: Any, card: Int, me: Int) -> float:
    """Turns that a card saves by moving pawns of the team; LOWEST if it moves none."""
    best = LOWEST
    for k in range(r.members):
        best = max(best, _best_move(s, r, t, card, seat_after(r, me, PARTNER * k)))
    return max(best, _best_split(s, r, t, me, SEVEN)) if card == SEVEN_CARD else best


@inner
def _best_move(s: Any, r: Any, t: Any, card: Int, seat: Int) -> float:
    """Turns that a card saves by moving one pawn of a seat; LOWEST if it moves none."""
    best = LOWEST
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        if not is_frozen(s, seat, pawn):
            for way in range(WAYS):
                stop = t.stops[card, way, place]
                if stop != IMPOSSIBLE and (place == START or may_stop(s, r, seat, stop)):
                    best = max(best, _saved(s, r, t, seat, pawn, stop))
    return best


@inner
def may_stop(s: Any, r: Any, seat: Int, stop: Int) -> Any:
    """Whether neither an own pawn, but for a push, nor a frozen one is in the way."""
    own = own_pawn_at(s, seat, stop) and r.push[stop] == 0
    return not own and not (r.tokens and in_the_way(s, r, seat, stop))


@inner
def _saved(s: Any, r: Any, t: Any, seat: Int, pawn: Int, stop: Int) -> float:
    """Turns that a pawn saves its side by stopping somewhere: by the pawns that it pushes and by Fire too."""
    saved = t.turns[s.pawns[seat, pawn]] - t.turns[t.slide[stop]]
    if r.push[stop] != 0:
        saved += _pushed(s, r, t, seat, stop)
    if r.second_home and stop == HOME and s.fire == holder(seat, pawn):
        saved += follower(s, r, t, seat, pawn)
    return float(saved)


@inner
def _pushed(s: Any, r: Any, t: Any, seat: Int, place: Int) -> float:
    """Turns that pawns save which are pushed along by one of the seat that stops on a turbo square (M2)."""
    total, owner = 0.0, np.int64(seat)
    sitter = np.int64(occupant(s, r, owner, place))
    while sitter != NONE:
        owner, at = sitter // PAWNS, np.int64(s.pawns[sitter // PAWNS, sitter % PAWNS])
        onward = np.int64(r.push[at])
        total += (t.turns[at] - t.turns[onward]) * (1.0 if owner == seat else -1.0 / r.rivals)
        sitter = np.int64(NONE)
        if onward != HOME and seen_from(r, owner, onward, seat) != place:
            sitter = np.int64(occupant(s, r, owner, onward))
    return total


@inner
def follower(s: Any, r: Any, t: Any, seat: Int, carrier: Int) -> float:
    """The most turns that a pawn saves by going Home with the carrier of Fire, or after it (F7)."""
    most = 0.0
    for pawn in range(r.pawns):
        if pawn != carrier and not is_frozen(s, seat, pawn):
            most = max(most, t.turns[s.pawns[seat, pawn]])
    return most


@inner
def _best_split(s: Any, r: Any, t: Any, me: Int, steps: Int) -> float:
    """Turns that so many steps in two parts save at best, by pawns that have had none; LOWEST if there is no way."""
    best = LOWEST
    for k in range(r.members * PAWNS):
        seat, pawn = seat_after(r, me, PARTNER * (k // PAWNS)), k % PAWNS
        for k2 in range(k + 1, r.members * PAWNS):
            seat2, pawn2 = seat_after(r, me, PARTNER * (k2 // PAWNS)), k2 % PAWNS
            if not _had_part(s, seat, pawn) and not _had_part(s, seat2, pawn2):
                for part in range(1, steps):
                    best = max(best, _by_parts(s, r, t, seat, pawn, part, seat2, pawn2, steps - part))
    return best


@inner
def _had_part(s: Any, seat: Int, pawn: Int) -> Any:
    """Whether a pawn cannot have a part of a 7: for good, or because it has had one."""
    place = s.pawns[seat, pawn]
    return place in (START, HOME) or s.moved >> (PAWNS * seat + pawn) & 1 != 0


@inner
def _by_parts(s: Any, r: Any, t: Any, seat: Int, pawn: Int, part: Int, seat2: Int, pawn2: Int, part2: Int) -> float:
    """Turns that two parts save; LOWEST if they cannot be played, or would meet."""
    place, place2 = s.pawns[seat, pawn], s.pawns[seat2, pawn2]
    stop, stop2 = t.parts[part, place], t.parts[part2, place2]
    if stop == IMPOSSIBLE or stop2 == IMPOSSIBLE:
        return LOWEST
    if seat == seat2 and stop == stop2 and stop != HOME:
        return LOWEST
    left = t.turns[t.slide[stop]] + t.turns[t.slide[stop2]]
    return float(t.turns[place] + t.turns[place2] - left)


@inner
def rest(s: Any, r: Any, t: Any, me: Int) -> float:
    """Turns that the decisions save which are due before the own turn, or the question in it, is over."""
    if s.due == TO_ANSWER or s.due == COIN or s.due == SIX or s.due == THREE:
        return _question(s, r, t, me)
    if s.seat != me:
        return 0.0
    best = 0.0
    if s.due < len(CARDS):
        best = best_use(s, r, t, np.int64(s.due), me)
    elif s.due == TO_SECOND:
        best = follower(s, r, t, me, PAWNS)
    elif s.due == TO_PART:
        best = _best_split(s, r, t, me, np.int64(s.steps))
        for k in range(r.members):
            best = max(best, _best_steps(s, r, t, seat_after(r, me, PARTNER * k), np.int64(s.steps)))
    return best if best > LOWEST else 0.0


@inner
def _best_steps(s: Any, r: Any, t: Any, seat: Int, steps: Int) -> float:
    """Turns that a seat saves by going so many steps, at most six, with one pawn; LOWEST if it cannot."""
    best = LOWEST
    for pawn in range(r.pawns):
        stop = t.parts[steps, s.pawns[seat, pawn]]
        if stop != IMPOSSIBLE and not _had_part(s, seat, pawn) and may_stop(s, r, seat, stop):
            best = max(best, _saved(s, r, t, seat, pawn, stop))
    return best


@inner
def _question(s: Any, r: Any, t: Any, me: Int) -> float:
    """Turns that the moves after a question save for one side, less the rival's share of the rivals' mean (N2)."""
    if s.due == SIX or s.due == THREE:
        steps = YES if s.due == SIX else NO
        return _moves(s, r, t, steps, me, s.seat == s.drawer)
    yes, no = _moves(s, r, t, YES, me, True), _moves(s, r, t, NO, me, True)
    if s.due == COIN:
        return (yes + no) / 2
    asked = np.int64(s.asked)
    likes_yes = _moves(s, r, t, YES, asked, True) > _moves(s, r, t, NO, asked, True)
    return yes if likes_yes else no


@inner
def _moves(s: Any, r: Any, t: Any, steps: Int, me: Int, both: bool) -> float:
    """`_question` for a known answer; `both`: the drawer has still to move, too."""
    total = 0.0
    for seat in (np.int64(s.drawer), np.int64(s.asked)):
        if both or seat == s.asked:
            saved = _best_steps(s, r, t, seat, steps)
            if saved > LOWEST:
                total += saved if seat == me else -saved / r.rivals
    return total
