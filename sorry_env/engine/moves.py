"""What pawns do on the board: stop, slide, bump, change places. `s` is a row of STATE, `r` of RULES.

Shared by legality, which asks first, and by play, which does it.
"""

from typing import Any

import numpy as np

from sorry_env._jit import kernel
from sorry_env.board import CIRCLE, DIAMOND, HOME, NOWHERE, PAWNS, RING, START


@kernel
def seat_after(r: Any, seat: int, k: int) -> Any:
    """The k-th seat after a seat, 0 <= k < S; a subtraction, since division is slow."""
    after = np.int64(seat) + k
    return after - r.seats if after >= r.seats else after


@kernel
def seen_from(r: Any, owner: int, place: int, viewer: int) -> Any:
    """The place on the viewer's path of a ring square that is a place of the owner's."""
    seen = np.int64(place) + r.shift[owner, viewer]
    return seen - RING if seen > RING else seen


@kernel
def own_pawn_at(s: Any, seat: int, place: int) -> bool:
    """Whether a pawn of the seat stands on a square of its path; Start and Home are no squares."""
    found = False
    for pawn in range(PAWNS):
        found |= s.pawns[seat, pawn] == place
    return found and place != HOME


@kernel
def reach(s: Any, r: Any, seat: int, pawn: int, stride: int) -> int:
    """Where a pawn stops before any slide, or NOWHERE if it cannot go there (S7, S8, S10-S13)."""
    place = r.path[s.pawns[seat, pawn], stride]
    return NOWHERE if own_pawn_at(s, seat, place) else place


@kernel
def sweep(s: Any, r: Any, seat: int, pawn: int, first: int, last: int) -> None:
    """Send every pawn but one from a stretch of ring places, counted on the seat's path, to its Start (S15)."""
    for owner in range(r.seats):
        for other in range(PAWNS):
            place = s.pawns[owner, other]
            if place > START and place <= DIAMOND and (owner != seat or other != pawn):
                seen = seen_from(r, owner, place, seat)
                if first <= seen and seen <= last:
                    s.pawns[owner, other] = START


@kernel
def bump(s: Any, r: Any, seat: int, place: int) -> None:
    """Send the other seats' pawn on a ring place of the seat's, if there is one, to its Start (S10)."""
    for k in range(1, r.seats):
        owner = seat_after(r, seat, k)
        seen = seen_from(r, seat, place, owner)
        for other in range(PAWNS):
            if s.pawns[owner, other] == seen:
                s.pawns[owner, other] = START


@kernel
def arrive(s: Any, r: Any, seat: int, pawn: int, place: int) -> None:
    """Put a pawn where it stops: it bumps, and slides if that is the start of a foreign slide (S10, S14-S16)."""
    end = r.slide[place]
    if end != place:
        sweep(s, r, seat, pawn, place, end)
    elif place <= DIAMOND:
        bump(s, r, seat, place)
    s.pawns[seat, pawn] = end


@kernel
def advance(s: Any, r: Any, seat: int, pawn: int, stride: int) -> None:
    """Move a pawn by a stride that `reach` allows."""
    arrive(s, r, seat, pawn, r.path[s.pawns[seat, pawn], stride])


@kernel
def swap(s: Any, r: Any, seat: int, pawn: int, owner: int, target: int) -> None:
    """Exchange two pawns on the ring; then the mover's slides, then the other, if it was not swept away (S23, S24)."""
    mine = seen_from(r, owner, s.pawns[owner, target], seat)
    theirs = seen_from(r, seat, s.pawns[seat, pawn], owner)
    s.pawns[seat, pawn], s.pawns[owner, target] = mine, theirs
    arrive(s, r, seat, pawn, mine)
    if r.swap_slides_both and s.pawns[owner, target] == theirs:
        arrive(s, r, owner, target, theirs)


@kernel
def replace(s: Any, r: Any, seat: int, pawn: int, owner: int, target: int) -> None:
    """Put a pawn from Start on another seat's, which goes to its Start (S25)."""
    arrive(s, r, seat, pawn, seen_from(r, owner, s.pawns[owner, target], seat))


@kernel
def on_ring(place: int) -> bool:
    """Whether a place is one of the 60 shared squares."""
    return place >= CIRCLE and place <= DIAMOND


@kernel
def arrange(s: Any, r: Any) -> None:
    """Put each seat's pawns in the order of their places, so that equal positions are equal rows."""
    for seat in range(r.seats):
        for pawn in range(1, PAWNS):
            if s.pawns[seat, pawn - 1] > s.pawns[seat, pawn]:
                _insert(s, seat, pawn)


@kernel
def _insert(s: Any, seat: int, slot: int) -> None:
    """Move a pawn down among those before it, which are in order."""
    place = s.pawns[seat, slot]
    while slot > 0 and s.pawns[seat, slot - 1] > place:
        s.pawns[seat, slot] = s.pawns[seat, slot - 1]
        slot -= 1
    s.pawns[seat, slot] = place
