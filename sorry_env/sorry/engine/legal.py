"""Which actions are legal: the uses of a card (S5-S25, T, M), of a hand (H2), and every other decision (F, N, T7)."""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inner, small
from sorry_env.rulesets import SEATS
from sorry_env.sorry.actions import PARTNER, SEVEN, SEVEN_CARD
from sorry_env.sorry.board import (
    HAND,
    HOME,
    MOST_BLOCKS,
    MOST_PARTS,
    NONE,
    NOWHERE,
    OUT,
    PAWNS,
    QUESTION,
    SIX,
    START,
    THREE,
    TO_ANSWER,
    TO_ASK,
    TO_FIRE,
    TO_ICE,
    TO_JUMP,
    TO_PART,
    TO_SECOND,
)
from sorry_env.sorry.engine.moves import (
    advance,
    arrange,
    fire_place,
    in_the_way,
    is_frozen,
    is_out,
    may_follow,
    on_ring,
    reach,
    seen_from,
    steps_of,
    takes_fire,
    takes_ice,
    won_by,
)
from sorry_env.sorry.rules import CARDS
from sorry_env.sorry.state import TOKEN
from sorry_env.turns import add, seat_after

PARTS = 6
"""A 7 has six first parts, 1 to 6."""
MOST_MEMBERS = 2
"""Seats of a team."""


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
    if s.over:
        return 0
    if s.due < QUESTION:
        swaps_alone = _uses(s, r, np.int64(s.due), out)
        if out.count == 0 or swaps_alone:  # S5, S23
            add(out, r.passes[s.due])
    elif s.due < HAND:
        _decision(s, r, out)
    elif s.due == HAND:
        _hand(s, r, out)
    return out.count


@small
def _add_if(allowed: bool, out: Any, action: Int) -> None:
    """`add` without a branch, for what is hard to predict; an action that is not allowed is written over."""
    out.ids[out.count] = action
    out.count += allowed


@small
def _uses(s: Any, r: Any, card: Int, out: Any) -> Any:
    """Every way to use a card; True if it can do nothing but swap."""
    before = out.count
    _singles(s, r, card, out)
    swaps_alone = out.count == before and r.swaps[card] != NONE
    if r.splits[card] != NONE:
        _splits(s, r, card, out)
    elif card == SEVEN_CARD:
        _parts(s, r, SEVEN, out)
    if r.swaps[card] != NONE:
        _swaps(s, r, card, out)
    if r.sorries[card] != NONE:
        _sorries(s, r, card, out)
    return swaps_alone


@inner
def _hand(s: Any, r: Any, out: Any) -> None:
    """The uses of every card in hand; where none has to be played, also to discard any of them (H2)."""
    compelling = 0
    for card in range(len(CARDS)):
        if s.hands[s.seat, card] > 0:
            before = out.count
            if not _uses(s, r, card, out):
                compelling += out.count - before
    if compelling == 0:
        out.count = 0
        for card in range(len(CARDS)):
            if s.hands[s.seat, card] > 0:
                if r.swaps[card] != NONE:
                    _swaps(s, r, card, out)
                add(out, r.passes[card])


@inner
def _decision(s: Any, r: Any, out: Any) -> None:
    """What is decided beside the use of a card."""
    first = np.int64(r.first[s.due])
    if s.due == TO_JUMP:
        add(out, first + (s.fire - TOKEN) % PAWNS)
        add(out, r.passes[s.due])
    elif s.due == TO_ICE:
        _places_for_ice(s, r, first, out)
    elif s.due == TO_FIRE:
        _places_for_fire(s, r, first, out)
        add(out, r.passes[s.due])
    elif s.due == TO_SECOND:
        _followers(s, r, first, out)
        add(out, r.passes[s.due])
    elif s.due == TO_ASK:
        for k in range(r.seats - 1):
            add(out, first + k)
    elif s.due == TO_ANSWER:
        add(out, first)
        add(out, first + 1)
    elif s.due == SIX or s.due == THREE:
        _question_moves(s, r, np.int64(s.due), out)
    elif s.due == TO_PART:
        _parts(s, r, np.int64(s.steps), out)


@inner
def _question_moves(s: Any, r: Any, prompt: Int, out: Any) -> None:
    """Six or three with one own pawn; nothing only where none can go (N2)."""
    _singles(s, r, prompt, out)
    if out.count == 0:
        add(out, r.passes[prompt])


@inner
def _places_for_ice(s: Any, r: Any, first: Int, out: Any) -> None:
    """Opponents' pawns on the ring, the present holder apart (F9)."""
    for k in range(1, r.seats):
        seat = seat_after(r, np.int64(s.seat), k)
        for pawn in range(r.pawns):
            _add_if(takes_ice(s, seat, pawn), out, first + (k - 1) * r.pawns + pawn)


@inner
def _places_for_fire(s: Any, r: Any, first: Int, out: Any) -> None:
    """Own pawns on the ring or in the zone, the present holder apart (F6)."""
    for pawn in range(r.pawns):
        _add_if(takes_fire(s, np.int64(s.seat), pawn), out, first + pawn)


@inner
def _followers(s: Any, r: Any, first: Int, out: Any) -> None:
    """Own pawns that may go Home after Fire's; those in Start are interchangeable (F7)."""
    for pawn in range(r.pawns):
        first_waiting = pawn == 0 or s.pawns[s.seat, pawn] != START
        _add_if(first_waiting and may_follow(s, np.int64(s.seat), pawn), out, first + pawn)


@small
def _singles(s: Any, r: Any, prompt: Int, out: Any) -> None:
    """Moves of one pawn: S7, S19, S20, S22, S23; with a partner's pawns also T1."""
    me, action = np.int64(s.seat), np.int64(r.first[prompt])
    for block in range(MOST_BLOCKS):
        stride = np.int64(r.blocks[prompt, block])
        if stride == 0:
            return
        pawns = 1 if stride == OUT else r.pawns  # those in Start are interchangeable, and the first is one of them
        for pawn in range(pawns):
            _add_if(reach(s, r, me, pawn, stride) != NOWHERE, out, action + pawn)
        action += pawns
        if r.teams:
            _partner_singles(s, r, stride, pawns, action, out)
            action += pawns


@inner
def _partner_singles(s: Any, r: Any, stride: Int, pawns: Int, first: Int, out: Any) -> None:
    """The same with the partner's pawns (T1)."""
    partner = seat_after(r, np.int64(s.seat), PARTNER)
    for pawn in range(pawns):
        _add_if(reach(s, r, partner, pawn, stride) != NOWHERE, out, first + pawn)


@inner
def _splits(s: Any, r: Any, card: Int, out: Any) -> None:
    """Both parts of a 7, for every pair of pawns that are out (S20, S21, T7)."""
    block = 2 * PARTS * r.ways * r.ways
    first = np.int64(r.splits[card])
    for member in range(r.members):
        for pawn in range(r.pawns):
            if not is_out(s.pawns[seat_after(r, np.int64(s.seat), PARTNER * member), pawn]):
                first += block * (r.pawns * (r.members - member) - pawn - 1)
                continue
            for member2 in range(member, r.members):
                owner2 = seat_after(r, np.int64(s.seat), PARTNER * member2)
                for pawn2 in range(pawn + 1 if member2 == member else 0, r.pawns):
                    if is_out(s.pawns[owner2, pawn2]):
                        for action in range(first, first + block, 2):
                            _split(s, r, action, out)
                    first += block


@inner
def _split(s: Any, r: Any, action: Int, out: Any) -> None:
    """Add the legal orders of two parts; `action` plays the lower pawn first, `action + 1` the other.

    Two orders that give the same position are one move, of which the lower number stays (S21).
    """
    pawn, pawn2 = np.int64(r.pawn[action]), np.int64(r.pawn2[action])
    owner = seat_after(r, np.int64(s.seat), np.int64(r.member[action]))
    at, at2 = s.pawns[owner, pawn], s.pawns[seat_after(r, np.int64(s.seat), np.int64(r.member2[action])), pawn2]
    end, end2 = r.path[at, r.stride[action]], r.path[at2, r.stride2[action]]
    if end == NOWHERE or end2 == NOWHERE:
        return
    if r.special[end] or r.special[end2] or r.tokens or r.member[action] != r.member2[action]:
        _tried_split(s, r, action, out)
    elif (end != end2 or end == HOME) and not _third_pawn_at(s, owner, pawn, pawn2, end, end2):
        # Nothing slides, so the parts meet only where one stops on the square that the other pawn leaves.
        if end != at2:
            add(out, action)
        elif end2 != at:
            add(out, action + 1)


@inner
def _third_pawn_at(s: Any, seat: Int, pawn: Int, pawn2: Int, place: Int, place2: Int) -> Any:
    """Whether a pawn of the seat besides two stands on one of two squares."""
    found = False
    for third in range(PAWNS):
        at = s.pawns[seat, third]
        found |= third not in (pawn, pawn2) and at != HOME and at in (place, place2)
    return found


@inner
def _tried_split(s: Any, r: Any, action: Int, out: Any) -> None:
    """`_split` by playing the parts on a copy of the board, in both orders."""
    one = _plays(s, r, action, out.board)
    if one:
        add(out, action)
    if _plays(s, r, action + 1, out.other) and not (one and _same(r, out.board, out.other)):
        add(out, action + 1)


@inner
def _same(r: Any, board: Any, other: Any) -> Any:
    """Whether the pawns stand alike, and Fire with them."""
    different = np.int64(board.fire ^ other.fire)
    for seat in range(r.seats):
        for pawn in range(PAWNS):
            different |= board.pawns[seat, pawn] ^ other.pawns[seat, pawn]
    return different == 0


@inner
def _plays(s: Any, r: Any, action: Int, board: Any) -> Any:
    """Play two parts one after the other on a copy of the pawns; False where a part is not allowed."""
    _copy_board(s, board)
    me = np.int64(s.seat)
    seat, seat2 = seat_after(r, me, np.int64(r.member[action])), seat_after(r, me, np.int64(r.member2[action]))
    if not _goes(board, r, seat, np.int64(r.pawn[action]), np.int64(r.stride[action])):
        return False
    if r.turbo and won_by(board, r):  # the game ends here (S27), but the rest of the card must be possible
        if reach(board, r, seat2, np.int64(r.pawn2[action]), np.int64(r.stride2[action])) == NOWHERE:
            return False
    elif not _goes(board, r, seat2, np.int64(r.pawn2[action]), np.int64(r.stride2[action])):
        return False
    arrange(board, r)
    if r.tokens and fire_place(board) == START:
        board.fire = 0
    return True


@inner
def _goes(board: Any, r: Any, seat: Int, pawn: Int, stride: Int) -> Any:
    """Move a pawn, if it can go."""
    if reach(board, r, seat, pawn, stride) == NOWHERE:
        return False
    advance(board, r, seat, pawn, stride)
    return True


@inner
def _copy_board(s: Any, board: Any) -> None:
    """All that moves look at."""
    for seat in range(SEATS):
        for pawn in range(PAWNS):
            board.pawns[seat, pawn] = s.pawns[seat, pawn]
    board.seat = s.seat
    board.fire = s.fire
    board.ice = s.ice
    board.moved = s.moved


@inner
def _parts(s: Any, r: Any, steps: Int, out: Any) -> None:
    """Parts of a 7 of which so many steps are left, where the rest of it can still be used (T7)."""
    action: Any = np.int64(r.first[TO_PART])
    for block in range(MOST_PARTS):
        stride = np.int64(r.parts[block])
        part = steps_of(stride)
        if stride == 0 or part > steps:
            return
        for member in range(r.members):
            seat = seat_after(r, np.int64(s.seat), PARTNER * member)
            for pawn in range(r.pawns):
                if s.moved >> (PAWNS * seat + pawn) & 1 == 0 and s.pawns[seat, pawn] != START:
                    _add_if(_leaves_a_way(s, r, seat, pawn, stride, steps - part, out), out, action)
                action += 1


@inner
def _leaves_a_way(s: Any, r: Any, seat: Int, pawn: Int, stride: Int, left: Int, out: Any) -> Any:
    """Whether a part of a 7 can be played, and the rest be used after it."""
    board = out.board
    _copy_board(s, board)
    if not _goes(board, r, seat, pawn, stride):
        return False
    board.moved |= 1 << (PAWNS * seat + pawn)
    return left == 0 or _can_use(board, r, left, out)


@inner
def _can_use(board: Any, r: Any, left: Int, out: Any) -> Any:
    """Whether pawns that have had no part yet can use so many steps, one part after the other.

    All ways are tried depth first on one board, the longest parts first: mostly one pawn can go the whole rest.
    """
    ways = MOST_PARTS * MOST_MEMBERS * PAWNS
    depth = 0
    out.tried[0] = 0
    while depth >= 0:
        way = np.int64(out.tried[depth])
        if way == ways:
            depth -= 1
            if depth >= 0:
                way = np.int64(out.tried[depth]) - 1
                _take_back(board, out, depth)
                board.moved ^= 1 << (PAWNS * _team_seat(board, r, way) + way % PAWNS)
                left += steps_of(_part_stride(r, way))
            continue
        out.tried[depth] = way + 1
        stride, seat, pawn = _part_stride(r, way), _team_seat(board, r, way), way % PAWNS
        part = steps_of(stride)
        if stride == 0 or part > left or board.moved >> (PAWNS * seat + pawn) & 1:
            continue
        _remember(board, out, depth)
        if not _goes(board, r, seat, pawn, stride):
            continue
        if part == left:
            return True
        board.moved ^= 1 << (PAWNS * seat + pawn)
        left -= part
        depth += 1
        out.tried[depth] = 0
    return False


@inner
def _remember(board: Any, out: Any, depth: Int) -> None:
    """Keep where the pawns stand before a part."""
    for seat in range(SEATS):
        for pawn in range(PAWNS):
            out.stack[depth, seat, pawn] = board.pawns[seat, pawn]


@inner
def _take_back(board: Any, out: Any, depth: Int) -> None:
    """Put the pawns back where they stood before a part."""
    for seat in range(SEATS):
        for pawn in range(PAWNS):
            board.pawns[seat, pawn] = out.stack[depth, seat, pawn]


@inner
def _part_stride(r: Any, way: Int) -> Any:
    """The stride of the n-th way to play a part, longest parts first; 0 for none."""
    return np.int64(r.parts[MOST_PARTS - 1 - way // (MOST_MEMBERS * PAWNS)])


@inner
def _team_seat(board: Any, r: Any, way: Int) -> Any:
    """Whose pawn it moves."""
    return seat_after(r, np.int64(board.seat), PARTNER * (way // PAWNS % MOST_MEMBERS))


@inner
def _swaps(s: Any, r: Any, card: Int, out: Any) -> None:
    """Every own or partner's pawn on the ring with every opponent's one there (S23, T5, F8)."""
    first = np.int64(r.swaps[card])
    for member in range(r.members):
        owner = seat_after(r, np.int64(s.seat), PARTNER * member)
        for pawn in range(r.pawns):
            if on_ring(s.pawns[owner, pawn]) and not is_frozen(s, owner, pawn):
                for k in range(r.rivals):
                    seat = seat_after(r, np.int64(s.seat), 1 + k * r.apart)
                    for target in range(r.pawns):
                        able = on_ring(s.pawns[seat, target])
                        if r.tokens:
                            able = able and _may_swap(s, r, owner, pawn, seat, target)
                        _add_if(able, out, first + k * r.pawns + target)
            first += r.rivals * r.pawns


@inner
def _may_swap(s: Any, r: Any, owner: Int, pawn: Int, seat: Int, target: Int) -> Any:
    """Whether Ice allows a swap: neither pawn is frozen, nor is one that a slide would end on (F8)."""
    mine = seen_from(r, seat, s.pawns[seat, target], owner)
    theirs = seen_from(r, owner, s.pawns[owner, pawn], seat)
    return not in_the_way(s, r, owner, mine) and not (r.swap_slides_both and in_the_way(s, r, seat, theirs))


@inner
def _sorries(s: Any, r: Any, card: Int, out: Any) -> None:
    """A pawn from Start onto an opponent's on the ring; if there is none, onto the team's other colour's (S25, T4)."""
    first = np.int64(r.sorries[card])
    for member in range(r.members):
        owner = seat_after(r, np.int64(s.seat), PARTNER * member)
        if s.pawns[owner, 0] == START:
            targets = False
            for k in range(r.rivals):
                seat = seat_after(r, np.int64(s.seat), 1 + k * r.apart)
                targets |= _victims(s, r, owner, seat, first + k * r.pawns, out)
            if r.teams and not targets:
                _victims(s, r, owner, seat_after(r, owner, PARTNER), first + r.rivals * r.pawns, out)
        first += (r.rivals + r.teams) * r.pawns


@inner
def _victims(s: Any, r: Any, owner: Int, seat: Int, first: Int, out: Any) -> Any:
    """A seat's pawns on the ring, which Sorry! may replace (S17, S25, F8); whether there is one."""
    found = False
    for target in range(r.pawns):
        place = s.pawns[seat, target]
        able = on_ring(place)
        if r.tokens:
            able = able and not in_the_way(s, r, owner, seen_from(r, seat, place, owner))
        _add_if(able, out, first + target)
        found |= able
    return found
