"""Which actions the card in play allows (S5-S25), as ascending ids."""

from typing import Any

import numpy as np

from sorry_env._jit import kernel
from sorry_env.board import HOME, NOWHERE, START
from sorry_env.engine.moves import advance, arrange, on_ring, own_pawn_at, reach
from sorry_env.state import NO_CARD, STATE

PARTS = 6
"""A 7 has six first parts, 1 to 6."""


@kernel
def legal(s: Any, r: Any, ids: Any) -> int:
    """Write the legal actions of the seat to move, in table order.

    Args:
        s: STATE row.
        r: RULES row.
        ids: (A,) or longer, any integer dtype.

    Returns:
        How many there are; 0 when the game is over or a card has to be drawn first.
    """
    if s.over or s.card == NO_CARD:
        return 0
    card = s.card
    count = _singles(s, r, card, ids)
    no_single = count == 0
    if r.splits[card] != NOWHERE:
        count = _splits(s, r, r.splits[card], ids, count)
    if r.swaps[card] != NOWHERE:
        count = _swaps(s, r, r.swaps[card], ids, count)
    if r.sorries[card] != NOWHERE and s.pawns[s.seat, 0] == START:
        count = _sorries(s, r, r.sorries[card], ids, count)
    if count == 0 or (no_single and r.swaps[card] != NOWHERE):  # S5; S23: swaps alone may be declined
        ids[count] = r.passes[card]
        count += 1
    return count


@kernel
def _singles(s: Any, r: Any, card: int, ids: Any) -> int:
    """Moves of one pawn: S7, S19, S20, S22, S23."""
    count = 0
    for action in range(r.singles[card, 0], r.singles[card, 1]):
        if reach(s, r, s.seat, r.pawn[action], r.stride[action]) != NOWHERE:
            ids[count] = action
            count += 1
    return count


@kernel
def _splits(s: Any, r: Any, first: int, ids: Any, count: int) -> int:
    """Both parts of a 7, for every ordered pair of pawns that are out (S20, S21)."""
    seconds = (r.pawns - 1) * r.ways  # actions with the same first part
    for pawn in range(r.pawns):
        for action in range(first, first + PARTS * r.ways * seconds, seconds):
            end = reach(s, r, s.seat, pawn, r.stride[action])
            if end != NOWHERE:
                count = _second_parts(s, r, action, action + seconds, end, ids, count)
        first += PARTS * r.ways * seconds
    return count


@kernel
def _second_parts(s: Any, r: Any, first: int, last: int, end: int, ids: Any, count: int) -> int:
    """The splits first..last-1, which share a first part that stops at `end`."""
    for action in range(first, last):
        end2 = r.path[s.pawns[s.seat, r.pawn2[action]], r.stride2[action]]
        if end2 != NOWHERE and _split_counts(s, r, action, end, end2):
            ids[count] = action
            count += 1
    return count


@kernel
def _split_counts(s: Any, r: Any, action: int, end: int, end2: int) -> bool:
    """Whether a split is legal, and no lower-numbered order of the same parts gives the same position (S21)."""
    pawn, other = r.pawn[action], r.pawn2[action]
    if r.slide[end] != end or r.slide[end2] != end2:
        return _sliding_split_counts(s, r, pawn, r.stride[action], other, r.stride2[action])
    # Nothing slides, so the parts meet only where one stops on the other's pawn, before or after it has moved.
    if end2 == s.pawns[s.seat, pawn]:
        return True
    return pawn < other and (end != end2 or end == HOME) and not own_pawn_at(s, s.seat, end2)


@kernel
def _sliding_split_counts(s: Any, r: Any, pawn: int, stride: int, other: int, stride2: int) -> bool:
    """`_split_counts` by playing the parts on a copy, in both orders if need be."""
    board = np.empty(2, STATE)
    if not _plays(s, r, pawn, stride, other, stride2, board[0]):
        return False
    if pawn < other or not _plays(s, r, other, stride2, pawn, stride, board[1]):
        return True
    for seat in range(r.seats):
        for slot in range(r.pawns):
            if board[0].pawns[seat, slot] != board[1].pawns[seat, slot]:
                return True
    return False


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
def _swaps(s: Any, r: Any, first: int, ids: Any, count: int) -> int:
    """Every own pawn on the ring with every foreign one there (S23)."""
    row = (r.seats - 1) * r.pawns
    for pawn in range(r.pawns):
        if on_ring(s.pawns[s.seat, pawn]):
            count = _targets(s, r, first + pawn * row, ids, count)
    return count


@kernel
def _sorries(s: Any, r: Any, first: int, ids: Any, count: int) -> int:
    """Every foreign pawn on the ring (S25)."""
    return _targets(s, r, first, ids, count)


@kernel
def _targets(s: Any, r: Any, first: int, ids: Any, count: int) -> int:
    """A row of actions against the others' pawns, of which those on the ring count (S17)."""
    for k in range(1, r.seats):
        for target in range(r.pawns):
            if on_ring(s.pawns[(s.seat + k) % r.seats, target]):
                ids[count] = first + (k - 1) * r.pawns + target
                count += 1
    return count
