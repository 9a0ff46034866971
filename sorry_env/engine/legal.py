"""Which actions the card in play allows (S5-S25)."""

from typing import Any

import numpy as np

from sorry_env._jit import kernel
from sorry_env.board import HOME, MOST_BLOCKS, NONE, NOWHERE, OUT, PAWNS, START
from sorry_env.engine.moves import advance, arrange, on_ring, reach, seat_after
from sorry_env.state import NO_CARD

PARTS = 6
"""A 7 has six first parts, 1 to 6."""


@kernel
def legal(s: Any, r: Any, out: Any) -> Any:
    """Find the legal actions of the seat to move, in table order.

    Args:
        s: STATE row.
        r: RULES row.
        out: CHOICES row, written.

    Returns:
        How many there are; 0 when the game is over or a card has to be drawn first.
    """
    out.count = 0
    if s.over or s.card == NO_CARD:
        return 0
    _singles(s, r, out)
    swaps_alone = out.count == 0 and r.swaps[s.card] != NONE
    if r.splits[s.card] != NONE:
        _splits(s, r, out)
    if r.swaps[s.card] != NONE:
        _swaps(s, r, out)
    if r.sorries[s.card] != NONE and s.pawns[s.seat, 0] == START:
        _targets(s, r, r.sorries[s.card], out)
    if out.count == 0 or swaps_alone:  # S5, S23
        _add(out, r.passes[s.card])
    return out.count


@kernel
def _add(out: Any, action: int) -> None:
    out.ids[out.count] = action
    out.count += 1


@kernel
def _add_if(allowed: bool, out: Any, action: int) -> None:
    """`_add` without a branch, for what is hard to predict; an action that is not allowed is written over."""
    out.ids[out.count] = action
    out.count += allowed


@kernel
def _singles(s: Any, r: Any, out: Any) -> None:
    """Moves of one pawn: S7, S19, S20, S22, S23."""
    action: Any = np.int64(r.first[s.card])
    for block in range(MOST_BLOCKS):
        stride = r.blocks[s.card, block]
        if stride == 0:
            return
        pawns = 1 if stride == OUT else r.pawns  # those in Start are interchangeable, and the first is one of them
        for pawn in range(pawns):
            _add_if(reach(s, r, s.seat, pawn, stride) != NOWHERE, out, action + pawn)
        action += pawns


@kernel
def _splits(s: Any, r: Any, out: Any) -> None:
    """Both parts of a 7, for every pair of pawns that are out (S20, S21)."""
    block = 2 * PARTS * r.ways * r.ways
    first = np.int64(r.splits[s.card])
    for pawn in range(r.pawns):
        for other in range(pawn + 1, r.pawns):  # pawns are in order: if this one is out of Start, so are those after it
            if s.pawns[s.seat, pawn] != START and s.pawns[s.seat, other] != HOME:
                for action in range(first, first + block, 2):
                    _split(s, r, action, out)
            first += block


@kernel
def _split(s: Any, r: Any, action: int, out: Any) -> None:
    """Add the legal orders of two parts; `action` plays the lower pawn first, `action + 1` the other.

    Two orders that give the same position are one move, of which the lower number stays (S21).
    """
    pawn, other = r.pawn[action], r.pawn2[action]
    at, at2 = s.pawns[s.seat, pawn], s.pawns[s.seat, other]
    end, end2 = r.path[at, r.stride[action]], r.path[at2, r.stride2[action]]
    if end == NOWHERE or end2 == NOWHERE:
        return
    if r.slide[end] != end or r.slide[end2] != end2:
        _sliding_split(s, r, action, out)
    elif (end != end2 or end == HOME) and not _third_pawn_at(s, pawn, other, end, end2):
        # Nothing slides, so the parts meet only where one stops on the square that the other pawn leaves.
        if end != at2:
            _add(out, action)
        elif end2 != at:
            _add(out, action + 1)


@kernel
def _third_pawn_at(s: Any, pawn: int, other: int, place: int, place2: int) -> bool:
    """Whether an own pawn besides two stands on one of two squares."""
    found = False
    for third in range(PAWNS):
        at = s.pawns[s.seat, third]
        found |= third not in (pawn, other) and at != HOME and at in (place, place2)
    return found


@kernel
def _sliding_split(s: Any, r: Any, action: int, out: Any) -> None:
    """`_split` by playing the parts on a copy of the board, in both orders."""
    pawn, stride, other, stride2 = r.pawn[action], r.stride[action], r.pawn2[action], r.stride2[action]
    one = _plays(s, r, pawn, stride, other, stride2, out.board)
    if one:
        _add(out, action)
    if _plays(s, r, other, stride2, pawn, stride, out.other) and not (one and _same(r, out.board, out.other)):
        _add(out, action + 1)


@kernel
def _same(r: Any, board: Any, other: Any) -> bool:
    """Whether the pawns stand alike."""
    different = 0
    for seat in range(r.seats):
        for pawn in range(PAWNS):
            different |= board.pawns[seat, pawn] ^ other.pawns[seat, pawn]
    return different == 0


@kernel
def _plays(s: Any, r: Any, pawn: int, stride: int, other: int, stride2: int, board: Any) -> bool:
    """Play two parts one after the other on a copy of the pawns; False where a part is not allowed."""
    board.pawns[:] = s.pawns
    if reach(board, r, s.seat, pawn, stride) == NOWHERE:
        return False
    advance(board, r, s.seat, pawn, stride)
    if reach(board, r, s.seat, other, stride2) == NOWHERE:
        return False
    advance(board, r, s.seat, other, stride2)
    arrange(board, r)
    return True


@kernel
def _swaps(s: Any, r: Any, out: Any) -> None:
    """Every own pawn on the ring with every foreign one there (S23)."""
    for pawn in range(r.pawns):
        if on_ring(s.pawns[s.seat, pawn]):
            _targets(s, r, r.swaps[s.card] + pawn * (r.seats - 1) * r.pawns, out)


@kernel
def _targets(s: Any, r: Any, first: int, out: Any) -> None:
    """A row of actions against the others' pawns, of which those on the ring count (S17, S23, S25)."""
    for k in range(1, r.seats):
        seat = seat_after(r, s.seat, k)
        for target in range(r.pawns):
            _add_if(on_ring(s.pawns[seat, target]), out, first + (k - 1) * r.pawns + target)
