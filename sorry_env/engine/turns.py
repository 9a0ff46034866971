"""The verbs of a game: reset, play, odds, deal. With `legal` they are all that the rules offer.

`play` ends in an afterstate, in which chance is due; `odds` weighs what may come and `deal` lets one of it happen.
Randomness comes in from outside, as one number a draw.
"""

from typing import Any

import numpy as np

from sorry_env._jit import kernel
from sorry_env.board import HOME, MOVE, SORRY, START, SWAP
from sorry_env.engine.moves import advance, arrange, replace, seat_after, swap
from sorry_env.engine.random import below
from sorry_env.rulesets import CARDS
from sorry_env.state import NO_CARD

AGAIN = CARDS.index("2")
"""The card after which its player draws again (S6)."""


@kernel
def reset(s: Any, r: Any, first: int) -> None:
    """Begin a new game: all pawns in Start, a full pile, the first card still to be drawn (S1-S4)."""
    s.pawns[:] = HOME
    s.pawns[: r.seats, : r.pawns] = START
    s.pile[:] = r.deck
    s.card = NO_CARD
    s.seat = first
    s.turns = 1
    s.over = 0
    s.winners = 0


@kernel
def play(s: Any, r: Any, action: int) -> None:
    """Play a legal action: move the pawns, then pass the turn on, or end the game. The card is used up."""
    kind, pawn = r.kind[action], r.pawn[action]
    if kind == MOVE:
        advance(s, r, s.seat, pawn, r.stride[action])
        if r.stride2[action] != 0:
            advance(s, r, s.seat, r.pawn2[action], r.stride2[action])
    elif kind == SWAP:
        swap(s, r, s.seat, pawn, seat_after(r, s.seat, r.seat[action]), r.target[action])
    elif kind == SORRY:
        replace(s, r, s.seat, pawn, seat_after(r, s.seat, r.seat[action]), r.target[action])
    arrange(s, r)
    _end_turn(s, r)


@kernel
def _end_turn(s: Any, r: Any) -> None:
    """Win (S11, S27), draw again (S6), truncate (S26) or pass clockwise (S4)."""
    again = s.card == AGAIN
    s.card = NO_CARD
    if s.pawns[s.seat, 0] == HOME:  # the pawn furthest behind
        s.winners = 1 << s.seat
        _finish(s)
    elif not again:
        if s.turns == r.turn_limit:
            _finish(s)
        else:
            s.turns += 1
            s.seat = seat_after(r, s.seat, 1)


@kernel
def _finish(s: Any) -> None:
    s.over = 1
    s.seat = 0


@kernel
def odds(s: Any, r: Any, weights: Any) -> int:
    """Write how many cards of each kind may be drawn now, by card (S3); the sum is returned.

    Args:
        s: STATE row in which a card has to be drawn.
        r: RULES row.
        weights: (11,) of any integer dtype.
    """
    total = 0
    for card in range(len(CARDS)):
        weights[card] = s.pile[card]
        total += s.pile[card]
    if total == 0:
        for card in range(len(CARDS)):
            weights[card] = r.deck[card]
            total += r.deck[card]
    return total


@kernel
def deal(s: Any, r: Any, card: int) -> None:
    """Put a card of `odds` in play; when the pile is empty all discards come back first (S3)."""
    _shuffle_back(s, r)
    _turn_up(s, r, card)


@kernel
def draw(s: Any, r: Any, number: np.uint64) -> None:
    """Deal a random card.

    Args:
        s: STATE row in which a card has to be drawn.
        r: RULES row.
        number: uniform over 0..2**32-1.
    """
    chosen = below(number, _shuffle_back(s, r))
    card = passed = 0
    for kind in range(len(CARDS) - 1):  # no way out of the loop: guessing where it ends costs more than finishing it
        passed += s.pile[kind]
        card += chosen >= passed
    _turn_up(s, r, card)


@kernel
def _shuffle_back(s: Any, r: Any) -> int:
    """Make a full pile of an empty one (S3); how many cards it holds then."""
    left = 0
    for card in range(len(CARDS)):
        left += s.pile[card]
    if left == 0:
        s.pile[:] = r.deck
        for card in range(len(CARDS)):
            left += s.pile[card]
    return left


@kernel
def _turn_up(s: Any, r: Any, card: int) -> None:
    if not r.replacement:
        s.pile[card] -= 1
    s.card = card


@kernel
def returns(s: Any, r: Any, out: Any) -> None:
    """Write each seat's return: 1 for a win, the losers share -1; zeros before the end and after a truncation."""
    out[:] = 0
    if s.winners != 0:
        for seat in range(r.seats):
            out[seat] = 1.0 if s.winners >> seat & 1 else -1.0 / (r.seats - 1)
