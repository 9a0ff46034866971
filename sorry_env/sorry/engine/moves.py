"""What pawns do on the board: stop, slide, bump, push, change places. `s` is a row of STATE, `r` of RULES.

Shared by legality, which asks first, and by play, which does it.
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inner, small
from sorry_env.sorry.actions import PARTNER
from sorry_env.sorry.board import CIRCLE, DIAMOND, HOME, NONE, NOWHERE, PAWNS, RING, ROUND, START
from sorry_env.sorry.state import TOKEN
from sorry_env.turns import seat_after


@small
def seen_from(r: Any, owner: Int, place: Int, viewer: Int) -> Any:
    """The place on the viewer's path of a ring square that is a place of the owner's."""
    seen = np.int64(place) + r.shift[owner, viewer]
    return seen - RING if seen > RING else seen


@small
def own_pawn_at(s: Any, seat: Int, place: Int) -> Any:
    """Whether a pawn of the seat stands on a square of its path; Start and Home are no squares."""
    found = False
    for pawn in range(PAWNS):
        found |= s.pawns[seat, pawn] == place
    return found and place != HOME


@small
def reach(s: Any, r: Any, seat: Int, pawn: Int, stride: Int) -> Any:
    """Where a pawn stops before any slide, or NOWHERE if it cannot go there (S7, S8, S10-S13, F8)."""
    place = r.path[s.pawns[seat, pawn], stride]
    if own_pawn_at(s, seat, place) and r.push[place] == 0:
        return NOWHERE
    if r.tokens and (is_frozen(s, seat, pawn) or in_the_way(s, r, seat, place)):
        return NOWHERE
    return place


@small
def holder(seat: Int, pawn: Int) -> Any:
    """How a token says that it is on a pawn."""
    return TOKEN + PAWNS * seat + pawn


@small
def is_frozen(s: Any, seat: Int, pawn: Int) -> Any:
    """Whether a pawn carries Ice (F8)."""
    return s.ice == holder(seat, pawn)


@inner
def fire_place(s: Any) -> Any:
    """Where the pawn that carries Fire stands; NOWHERE if it is in the middle."""
    if s.fire == 0:
        return NOWHERE
    return np.int64(s.pawns[(s.fire - TOKEN) // PAWNS, (s.fire - TOKEN) % PAWNS])


@small
def is_out(place: Int) -> Any:
    """Whether a pawn is on the ring or in its safety zone."""
    return place != START and place != HOME


@small
def takes_fire(s: Any, seat: Int, pawn: Int) -> Any:
    """Whether Fire may be moved to an own pawn: one that is out and does not carry it (F6)."""
    return is_out(s.pawns[seat, pawn]) and s.fire != holder(seat, pawn)


@small
def takes_ice(s: Any, seat: Int, pawn: Int) -> Any:
    """Whether Ice may be moved to an opponent's pawn: one on the ring that does not carry it (F9)."""
    return on_ring(s.pawns[seat, pawn]) and not is_frozen(s, seat, pawn)


@small
def may_follow(s: Any, seat: Int, pawn: Int) -> Any:
    """Whether a pawn may go Home after Fire's: any but the frozen one (F7)."""
    return s.pawns[seat, pawn] != HOME and not is_frozen(s, seat, pawn)


@inner
def in_the_way(s: Any, r: Any, seat: Int, place: Int) -> Any:
    """Whether the frozen pawn stands where a pawn of the seat would stop, or at the end of the slide there (F8)."""
    if s.ice == 0 or place > DIAMOND:
        return False
    owner, pawn = (s.ice - TOKEN) // PAWNS, (s.ice - TOKEN) % PAWNS
    frozen = seen_from(r, np.int64(owner), s.pawns[owner, pawn], seat)
    return frozen == place or frozen == r.slide[place]


@inner
def sweep(s: Any, r: Any, seat: Int, pawn: Int, first: Int, last: Int) -> None:
    """Send every pawn but one, and but the frozen one, from a stretch of the seat's path to its Start (S15, F8)."""
    for owner in range(r.seats):
        for other in range(PAWNS):
            place = s.pawns[owner, other]
            if place > START and place <= DIAMOND and (owner != seat or other != pawn):
                seen = seen_from(r, owner, place, seat)
                if first <= seen and seen <= last and not is_frozen(s, owner, other):
                    s.pawns[owner, other] = START


@small
def bump(s: Any, r: Any, seat: Int, place: Int) -> None:
    """Send the other seats' pawn on a ring place of the seat's, if there is one, to its Start (S10)."""
    for k in range(1, r.seats):
        owner = seat_after(r, seat, k)
        seen = seen_from(r, seat, place, owner)
        for other in range(PAWNS):
            if s.pawns[owner, other] == seen:
                s.pawns[owner, other] = START


@small
def arrive(s: Any, r: Any, seat: Int, pawn: Int, place: Int) -> None:
    """Put a pawn where it stops: it bumps, and slides if that is the start of a foreign slide (S10, S14-S16)."""
    end = r.slide[place]
    if end != place:
        sweep(s, r, seat, pawn, place, end)
    elif place <= DIAMOND:
        bump(s, r, seat, place)
    s.pawns[seat, pawn] = end


@small
def advance(s: Any, r: Any, seat: Int, pawn: Int, stride: Int) -> None:
    """Move a pawn by a stride that `reach` allows."""
    place = r.path[s.pawns[seat, pawn], stride]
    if r.push[place] != 0:
        drive_up(s, r, seat, pawn, place)
    else:
        arrive(s, r, seat, pawn, place)


@inner
def drive_up(s: Any, r: Any, seat: Int, pawn: Int, place: Int) -> None:
    """Put a pawn on a turbo square: the one there goes to the next, and so on, until one finds it free or is Home (M2).

    The last may push the first; with one pawn more than squares it goes round until one reaches its own way Home.
    """
    sitter = np.int64(occupant(s, r, seat, place))
    s.pawns[seat, pawn] = place
    while sitter != NONE:
        owner, other = sitter // PAWNS, sitter % PAWNS
        onward = r.push[s.pawns[owner, other]]
        sitter = np.int64(NONE) if onward == HOME else np.int64(occupant(s, r, owner, onward))
        s.pawns[owner, other] = onward


@inner
def occupant(s: Any, r: Any, seat: Int, place: Int) -> Any:
    """Who stands on a ring place of the seat's: PAWNS * its seat + its number, or NONE."""
    for owner in range(r.seats):
        seen = seen_from(r, seat, place, owner)
        for pawn in range(PAWNS):
            if s.pawns[owner, pawn] == seen:
                return PAWNS * owner + pawn
    return NONE


@inner
def swap(s: Any, r: Any, seat: Int, pawn: Int, owner: Int, target: Int) -> None:
    """Exchange two pawns on the ring; then the mover's slides, then the other, if it was not swept away (S23, S24)."""
    mine = seen_from(r, owner, s.pawns[owner, target], seat)
    theirs = seen_from(r, seat, s.pawns[seat, pawn], owner)
    s.pawns[seat, pawn], s.pawns[owner, target] = mine, theirs
    arrive(s, r, seat, pawn, mine)
    if r.swap_slides_both and s.pawns[owner, target] == theirs:
        arrive(s, r, owner, target, theirs)


@inner
def replace(s: Any, r: Any, seat: Int, pawn: Int, owner: Int, target: Int) -> None:
    """Put a pawn from Start on another seat's, which goes to its Start (S25)."""
    arrive(s, r, seat, pawn, seen_from(r, owner, s.pawns[owner, target], seat))


@small
def steps_of(stride: Int) -> Any:
    """How many steps a stride forward takes, also past the entry."""
    return stride - ROUND if stride > ROUND else stride


@small
def on_ring(place: Int) -> Any:
    """Whether a place is one of the 60 shared squares."""
    return place >= CIRCLE and place <= DIAMOND


@inner
def arrange(s: Any, r: Any) -> None:
    """Put each seat's pawns in the order of their places, so that equal positions are equal rows."""
    for seat in range(r.seats):
        for pawn in range(1, PAWNS):
            if s.pawns[seat, pawn - 1] > s.pawns[seat, pawn]:
                _insert(s, r, seat, pawn)


@inner
def _insert(s: Any, r: Any, seat: Int, slot: Int) -> None:
    """Move a pawn down among those before it, which are in order."""
    place = s.pawns[seat, slot]
    while slot > 0 and s.pawns[seat, slot - 1] > place:
        s.pawns[seat, slot] = s.pawns[seat, slot - 1]
        if r.marks:
            _exchange_marks(s, seat, slot)
        slot -= 1
    s.pawns[seat, slot] = place


@inner
def _exchange_marks(s: Any, seat: Int, slot: Int) -> None:
    """Let tokens and memories follow two neighbours that change their slots."""
    low = holder(seat, slot - 1)
    if s.fire == low or s.fire == low + 1:
        s.fire = 2 * low + 1 - s.fire
    if s.ice == low or s.ice == low + 1:
        s.ice = 2 * low + 1 - s.ice
    both = s.moved >> (low - TOKEN) & 3
    if both == 1 or both == 2:
        s.moved ^= 3 << (low - TOKEN)


@small
def won_by(s: Any, r: Any) -> Any:
    """The winners, bit k for seat k: whoever has all pawns Home, in a team both partners (S11, T6).

    Only the seat that moves can have won, but where pawns push others along it may be any (S27, M2).
    """
    if r.turbo:
        for seat in range(r.seats):
            if _is_home(s, seat):
                return 1 << seat
        return 0
    if not _is_home(s, np.int64(s.seat)):
        return 0
    if not r.teams:
        return 1 << np.int64(s.seat)
    partner = seat_after(r, np.int64(s.seat), PARTNER)
    return (1 << np.int64(s.seat)) | (1 << partner) if _is_home(s, partner) else 0


@small
def _is_home(s: Any, seat: Int) -> Any:
    """Whether all pawns of a seat are Home, in order or not."""
    if s.pawns[seat, 0] != HOME:
        return False
    return s.pawns[seat, 1] == HOME and s.pawns[seat, 2] == HOME and s.pawns[seat, 3] == HOME
