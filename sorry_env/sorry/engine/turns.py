"""The verbs of a game: reset, play, odds, deal. With `legal` they are all that the rules offer.

`play` ends in an afterstate, in which a seat has to decide something more or chance is due; `odds` weighs what may
come and `deal` lets one of it happen. Randomness comes in from outside, as one number a draw.
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inner, small
from sorry_env.random import below
from sorry_env.sorry.actions import SEVEN, SEVEN_CARD, YES
from sorry_env.sorry.board import (
    ASK,
    CIRCLE,
    COIN,
    DRAW,
    GIVE,
    HAND,
    HOME,
    JUMP,
    MOVE,
    NOWHERE,
    PASS,
    PAWNS,
    QUESTION,
    SIX,
    START,
    SWAP,
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
    holder,
    is_out,
    may_follow,
    reach,
    replace,
    steps_of,
    swap,
    takes_fire,
    takes_ice,
    won_by,
)
from sorry_env.sorry.rules import CARDS
from sorry_env.sorry.state import FACE_DOWN
from sorry_env.turns import seat_after

ICE_CARD, FIRE_CARD = CARDS.index("1"), CARDS.index("2")


@inner
def reset(s: Any, r: Any, first: Int) -> None:
    """Begin a new game: pawns in Start, a full pile, the first card still to be drawn (S1-S4, H1, H6, F1)."""
    s.pawns[:] = HOME
    s.pawns[: r.seats, : r.pawns] = START
    if r.on_circle:
        s.pawns[: r.seats, r.pawns - 1] = CIRCLE
    for card in range(len(CARDS)):  # an array written over another takes seconds to compile
        s.pile[card] = r.deck[card]
    s.hands[:] = 0
    s.due = DRAW
    s.seat = first
    s.turns = 1
    s.over = 0
    s.winners = 0
    s.fire = s.ice = s.steps = s.moved = s.asked = 0
    s.drawer = first if r.hand_size else 0


@inner
def play(s: Any, r: Any, action: Int) -> None:
    """Play a legal action: move the pawns; then a further decision is due, the turn passes on, or the game ends."""
    if r.kind[action] < PASS:
        _move_pawns(s, r, action)
        arrange(s, r)
    if r.plain:
        _end_turn(s, r, s.due == r.again)
    else:
        _go_on(s, r, action)


@small
def _move_pawns(s: Any, r: Any, action: Int) -> None:
    """What an action does on the board."""
    kind, pawn = r.kind[action], np.int64(r.pawn[action])
    owner = seat_after(r, np.int64(s.seat), np.int64(r.member[action]))
    if kind == MOVE:
        _move(s, r, action, owner, pawn)
    else:
        other = seat_after(r, np.int64(s.seat), np.int64(r.seat[action]))
        if kind == SWAP:
            swap(s, r, owner, pawn, other, np.int64(r.target[action]))
        else:
            replace(s, r, owner, pawn, other, np.int64(r.target[action]))


@small
def _move(s: Any, r: Any, action: Int, owner: Int, pawn: Int) -> None:
    """Move one pawn, or two one after the other; not the second if somebody has won by then (S27)."""
    advance(s, r, owner, pawn, np.int64(r.stride[action]))
    if r.stride2[action] != 0 and not (r.turbo and won_by(s, r)):
        second = seat_after(r, np.int64(s.seat), np.int64(r.member2[action]))
        advance(s, r, second, np.int64(r.pawn2[action]), np.int64(r.stride2[action]))
    if r.prompt[action] == TO_PART:
        s.moved |= 1 << (PAWNS * owner + pawn)


@inner
def _go_on(s: Any, r: Any, action: Int) -> None:
    """What follows an action where a turn may be several."""
    prompt, kind = r.prompt[action], r.kind[action]
    if s.due == HAND:
        s.hands[s.seat, prompt] -= 1
        s.drawer = s.seat
        _end_turn(s, r, prompt == r.again and kind != PASS)  # H3
    elif kind == GIVE:
        _give(s, r, action)
    elif prompt == TO_FIRE:
        s.due = FIRE_CARD
    elif prompt == TO_JUMP:
        s.due = DRAW
    elif prompt in (TO_ASK, TO_ANSWER):
        _talk(s, r, action)
    elif prompt in (SIX, THREE):
        _answered(s, r)
    elif prompt == TO_PART:
        _end_part(s, r, r.stride[action])
    elif not _second_is_due(s, r):
        _end_turn(s, r, s.due == r.again)


@inner
def _give(s: Any, r: Any, action: Int) -> None:
    """Put a token on a pawn; then the card that moved it is played (F6, F9)."""
    carrier = holder(seat_after(r, np.int64(s.seat), np.int64(r.seat[action])), np.int64(r.target[action]))
    if s.due == TO_ICE:
        s.ice, s.due = carrier, ICE_CARD
    else:
        s.fire, s.due = carrier, FIRE_CARD


@inner
def _talk(s: Any, r: Any, action: Int) -> None:
    """Ask an opponent, or answer (N2)."""
    if r.kind[action] == ASK:
        s.asked = seat_after(r, np.int64(s.seat), np.int64(r.seat[action]))
        _put_question(s, r)
    else:
        s.seat = s.drawer
        s.due = SIX if r.stride[action] == YES else THREE


@inner
def _put_question(s: Any, r: Any) -> None:
    """The seat asked, or a coin, has to answer (N2, N3)."""
    if r.coin:
        s.due = COIN
    else:
        s.due, s.seat = TO_ANSWER, s.asked


@inner
def _answered(s: Any, r: Any) -> None:
    """After one of a question's two moves: the other one, or the end of the drawer's turn (N2, S27)."""
    if not won_by(s, r):
        if s.seat == s.drawer:
            s.seat = s.asked
            return
        s.seat = s.drawer
    s.drawer = s.asked = 0
    _end_turn(s, r, False)


@inner
def _end_part(s: Any, r: Any, stride: Int) -> None:
    """After a part of a 7: the next, or the end of the turn (T7)."""
    left = SEVEN if s.due == SEVEN_CARD else np.int64(s.steps)
    left -= steps_of(np.int64(stride))
    if left == 0:
        s.steps = s.moved = 0
        _end_turn(s, r, False)
        return
    s.due, s.steps = TO_PART, left
    for seat in range(r.seats):  # who cannot move in any case need not be remembered
        for pawn in range(PAWNS):
            if not is_out(s.pawns[seat, pawn]) and s.moved >> (PAWNS * seat + pawn) & 1:
                s.moved ^= 1 << (PAWNS * seat + pawn)


@inner
def _second_is_due(s: Any, r: Any) -> Any:
    """Take Fire from a pawn in Start or Home (F7, F10); True if a second pawn may go Home then."""
    place = fire_place(s)
    if place not in (START, HOME):
        return False
    s.fire = 0
    if place == START or not r.second_home or won_by(s, r):
        return False
    for pawn in range(r.pawns):
        if may_follow(s, np.int64(s.seat), pawn):
            s.due = TO_SECOND
            return True
    return False


@small
def _end_turn(s: Any, r: Any, again: bool) -> None:
    """Win (S11, S27), draw again (S6), truncate (S26) or pass clockwise (S4)."""
    s.due = DRAW
    winners = won_by(s, r)
    if winners:
        s.winners = winners
        _finish(s)
    elif not again:
        if s.turns == r.turn_limit:
            _finish(s)
        else:
            s.turns += 1
            s.seat = seat_after(r, np.int64(s.seat), 1)
            if r.tokens and may_jump(s, r):
                s.due = TO_JUMP


@inner
def _finish(s: Any) -> None:
    s.over = 1
    s.seat = 0


@inner
def may_jump(s: Any, r: Any) -> Any:
    """Whether the seat whose turn begins carries Fire and can jump (F5)."""
    pawn = np.int64(s.fire) - holder(np.int64(s.seat), 0)
    return pawn >= 0 and pawn < PAWNS and reach(s, r, np.int64(s.seat), pawn, np.int64(JUMP)) != NOWHERE


@inner
def odds(s: Any, r: Any, weights: Any) -> Any:
    """Write how likely each outcome is: how many cards of each kind may be drawn now (S3), or yes and no.

    Args:
        s: STATE row in which chance is due.
        r: RULES row.
        weights: (12,) of any integer dtype; by card, or yes and no first.

    Returns:
        Their sum.
    """
    weights[:] = 0
    if s.due == COIN:
        weights[0] = weights[1] = 1
        return 2
    total, left = 0, _unseen(s) != _face_down(s, r)
    for card in range(len(CARDS)):
        weights[card] = s.pile[card] if left else _discarded(s, r, card)
        total += weights[card]
    return total


@small
def _unseen(s: Any) -> Any:
    """How many cards the pile holds, in a view those of hidden hands too."""
    count = 0
    for card in range(len(CARDS)):
        count += s.pile[card]
    return count


@inner
def _face_down(s: Any, r: Any) -> Any:
    """How many of these are in hidden hands."""
    count = 0
    if r.hand_size and not r.replacement:
        for seat in range(r.seats):
            count += s.hands[seat, FACE_DOWN]
    return count


@inner
def _discarded(s: Any, r: Any, card: Int) -> Any:
    """How many cards of a kind have been used: those in no hand and not in the pile, hidden hands included there."""
    count = np.int64(r.deck[card]) - np.int64(s.pile[card])
    if r.hand_size:
        for seat in range(r.seats):
            count -= s.hands[seat, card]
    return count


@inner
def deal(s: Any, r: Any, outcome: Int) -> None:
    """Let an outcome of `odds` happen; when the pile is empty all discards come back first (S3, H4)."""
    if s.due == COIN:
        s.due = THREE if outcome else SIX
    else:
        _, anew = _shuffle_back(s, r)
        if r.hand_size:
            _take(s, r, outcome)
        else:
            _turn_up(s, r, outcome)
        if anew:
            _cover(s, r)


@inner
def draw(s: Any, r: Any, number: np.uint64) -> None:
    """Deal a random outcome.

    Args:
        s: STATE row in which chance is due.
        r: RULES row.
        number: uniform over 0..2**32-1.
    """
    if s.due == COIN:
        s.due = THREE if below(number, 2) else SIX
        return
    if r.hand_size:
        _draw_hidden(s, r, number)
        return
    count = _unseen(s)
    if count == 0:
        count, _ = _shuffle_back(s, r)
    _turn_up(s, r, _drawn(s, below(number, count)))


@inner
def _draw_hidden(s: Any, r: Any, number: np.uint64) -> None:
    """`draw` into a hand (H1)."""
    count, anew = _shuffle_back(s, r)
    _take(s, r, _drawn(s, below(number, count)))
    if anew:
        _cover(s, r)


@small
def _drawn(s: Any, chosen: Int) -> Any:
    """The kind of the n-th card of the pile."""
    card = passed = 0
    for kind in range(len(CARDS) - 1):  # no way out of the loop: guessing where it ends costs more than finishing it
        passed += s.pile[kind]
        card += chosen >= passed
    return card


@inner
def _shuffle_back(s: Any, r: Any) -> Any:
    """Make a pile of all discards when it is used up (S3); how many cards it holds, and whether it is a new one."""
    count = _unseen(s)
    anew = count == _face_down(s, r)
    if anew:
        _collect(s, r)
        count = _unseen(s)
    return count, anew


@inner
def _collect(s: Any, r: Any) -> None:
    """Put every card into the pile that is in no hand, except for those that have been in it."""
    for card in range(len(CARDS)):
        s.pile[card] = r.deck[card] - s.pile[card]
    if r.hand_size:
        for seat in range(r.seats):
            for card in range(len(CARDS)):
                s.pile[card] -= s.hands[seat, card]


@inner
def _cover(s: Any, r: Any) -> None:
    """In a view, put the cards of hidden hands back among the unseen, out of which a new pile has been made."""
    if _face_down(s, r):
        s.pile[:] = 0
        _collect(s, r)


@small
def _turn_up(s: Any, r: Any, card: Int) -> None:
    """Put a card in play."""
    if not r.replacement:
        s.pile[card] -= 1
    s.due = card
    if not r.plain:
        if r.tokens and card == ICE_CARD:
            _move_ice(s, r)
        elif r.tokens and card == FIRE_CARD:
            _offer_fire(s, r)
        elif card == QUESTION:
            open_question(s, r)


@inner
def _take(s: Any, r: Any, card: Int) -> None:
    """Refill a hand (H1); at the beginning the cards go round, one to each seat at a time."""
    taker = np.int64(s.drawer)
    if s.hands[taker, FACE_DOWN] > 0:  # in a view: nobody sees the card
        s.hands[taker, FACE_DOWN] += 1
    else:
        s.hands[taker, card] += 1
        if not r.replacement:
            s.pile[card] -= 1
    following = seat_after(r, taker, 1)
    held = 0
    for kind in range(FACE_DOWN + 1):
        held += s.hands[following, kind]
    if held < r.hand_size:
        s.drawer = following
    else:
        s.drawer, s.due = 0, HAND


@inner
def _move_ice(s: Any, r: Any) -> None:
    """A 1 moves Ice: where there is but one place for it, or none but the middle, that is no decision (F9)."""
    count = carrier = 0
    for k in range(1, r.seats):
        seat = seat_after(r, np.int64(s.seat), k)
        for pawn in range(r.pawns):
            if takes_ice(s, seat, pawn):
                count += 1
                carrier = holder(seat, pawn)
    if count > 1:
        s.due = TO_ICE
    else:
        s.ice = carrier


@inner
def _offer_fire(s: Any, r: Any) -> None:
    """A 2 may move Fire, unless Ice locks it or no own pawn can take it (F6, F8)."""
    if s.fire != 0 and s.fire == s.ice:
        return
    for pawn in range(r.pawns):
        if takes_fire(s, np.int64(s.seat), pawn):
            s.due = TO_FIRE
            return


@inner
def open_question(s: Any, r: Any) -> None:
    """A question card: its drawer names an opponent; with two seats there is but one (N2)."""
    s.drawer = s.seat
    if r.seats > 2:
        s.due = TO_ASK
    else:
        s.asked = seat_after(r, np.int64(s.seat), 1)
        _put_question(s, r)


@inner
def returns(s: Any, r: Any, out: Any) -> None:
    """Write each seat's return: 1 for a win, the losers share -1; in teams 1 and -1 for both partners (H7, T8).

    Zeros before the end and after a truncation.
    """
    out[:] = 0
    if s.winners != 0:
        for seat in range(r.seats):
            out[seat] = 1.0 if s.winners >> seat & 1 else -1.0 / (r.rivals if not r.teams else 1)
