"""What a value net is shown beside the features of an observation: who can hit whom from where.

An observation says where pawns stand, each by itself. Here are numbers of two pawns together, which a small net cannot
find by itself: how far a pawn is behind another one that it could bump, and how much that one would lose. A pawn is
**met** where it stands, and on the first square of a slide that would sweep it away (S10, S15). From the pile as it is
follows how likely the next card does so, leaves Start or goes Home.
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inlined, inner
from sorry_env.sorry.actions import PARTNER, SEVEN, SEVEN_CARD
from sorry_env.sorry.board import BACK, CIRCLE, DIAMOND, ENTRY, HOME, PAWNS, START
from sorry_env.sorry.engine.moves import on_ring, seen_from
from sorry_env.sorry.rules import CARDS, KINDS
from sorry_env.tables import FeatureTable
from sorry_env.turns import seat_after

REACH = 24
"""Steps ahead up to which a meeting counts: two cards."""
FROM_START, BACK_ONE, BACK_FOUR = 0, REACH + 1, REACH + 2
"""Ways to meet beside 1 to REACH steps forward."""
WAYS = REACH + 3
HIT, LOSS, SPLIT, LEAVE, ENTER, SORRY, SWAP = range(7)
"""Numbers of a side about the next card: the chances that it hits, by a move of its own; what the other side loses by
these on average, and by a part of a 7; the chances to leave Start and to go Home; what it can lose itself by Sorry!
and by a swap at most, each times the chance of the card."""
NUMBERS = 7
AT_CARDS = 4 * WAYS
LONGEST = 5
"""Squares of a slide."""
ONE, TWO, ELEVEN, SORRY_CARD = (CARDS.index(card) for card in ("1", "2", "11", "sorry"))
STEPS = np.array([int(card) if card.isdigit() and card != "4" else 0 for card in CARDS[:KINDS]])
"""(11,) int64: steps forward of each card; 0 for none."""
NEAR = HOME - 1 - int(STEPS.max())
"""The first place from which a card goes Home; the diamond square is not on the way."""
_CARD = {int(steps): card for card, steps in enumerate(STEPS) if steps}
CARD_OF_WAY = np.array([ONE, *(_CARD.get(way, -1) for way in range(1, REACH + 1)), _CARD[10], CARDS.index("4")])
"""(WAYS,) int64: the card that goes each way; -1 for none. From Start a 2 does as well."""
ONE_BACK, FOUR_BACK = BACK[1], BACK[4]


@inner
def insight(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """Write what a value net is shown beside what a seat sees.

    Args:
        s: STATE row.
        r: RULES row.
        viewer: the seat that looks, for itself and its partner.
        out: (I,) float32.
    """
    out[:] = 0
    for m in range(r.members):
        friend = seat_after(r, viewer, PARTNER * m)
        for k in range(r.rivals):
            rival = seat_after(r, viewer, 1 + r.apart * k)
            _meetings(s, r, rival, friend, 0, out)
            _meetings(s, r, friend, rival, 2 * WAYS, out)
    _next_card(s, r, viewer, out)


@inlined
def _meetings(s: Any, r: Any, seat: Int, victim: Int, at: Int, out: Any) -> None:
    """Each way in which a seat's pawns can meet those of another: how often, and what these have to lose."""
    for theirs in range(PAWNS):
        place = np.int64(s.pawns[victim, theirs])
        if on_ring(place):
            loss = np.float32(place % DIAMOND) / np.float32(ENTRY)
            seen = np.int64(seen_from(r, victim, place, seat))
            for square in range(max(int(seen) - LONGEST + 1, CIRCLE), int(seen) + 1):
                if square == seen or (r.slide[square] != square and r.slide[square] >= seen):
                    _meet_at(s, r, seat, square, loss, at, out)


@inlined
def _meet_at(s: Any, r: Any, seat: Int, square: Int, loss: Any, at: Int, out: Any) -> None:
    """The ways of a seat's pawns to one place of its path."""
    if square == CIRCLE and s.pawns[seat, 0] == START:
        out[at + FROM_START] += 1
        out[at + WAYS + FROM_START] += loss
    for pawn in range(PAWNS):
        place = np.int64(s.pawns[seat, pawn])
        if place != START and place != HOME:
            steps = square - place % DIAMOND
            if steps > 0 and steps <= REACH and square <= ENTRY and place <= DIAMOND:
                out[at + steps] += 1
                out[at + WAYS + steps] += loss
            if r.path[place, ONE_BACK] == square:
                out[at + BACK_ONE] += 1
                out[at + WAYS + BACK_ONE] += loss
            if r.path[place, FOUR_BACK] == square:
                out[at + BACK_FOUR] += 1
                out[at + WAYS + BACK_FOUR] += loss


@inner
def _count(s: Any, r: Any, viewer: Int, kind: Int) -> Any:
    """How many cards of a kind the viewer has not seen: those in the pile, and in the hands of others (H1)."""
    count = np.int64(s.pile[kind])
    if r.hand_size:
        for k in range(1, r.seats):
            count += s.hands[seat_after(r, viewer, k), kind]
    return count


@inner
def _unseen(s: Any, r: Any, viewer: Int) -> Any:
    """How many cards the viewer has not seen."""
    total = np.int64(0)
    for kind in range(KINDS):
        total += _count(s, r, viewer, kind)
    return total


@inner
def _chance(s: Any, r: Any, viewer: Int, unseen: Int, kind: Int) -> Any:
    """How likely the next card is of a kind; when the pile is used up all come back (S3)."""
    if unseen > 0:
        return np.float32(_count(s, r, viewer, kind)) / np.float32(unseen)
    return np.float32(r.deck[kind]) / np.float32(r.deck.sum())


@inner
def _next_card(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """What the next card may do for rivals, and then for the viewer's side."""
    unseen = _unseen(s, r, viewer)
    _hits(s, r, viewer, unseen, 0, AT_CARDS, out)
    _hits(s, r, viewer, unseen, 2 * WAYS, AT_CARDS + NUMBERS, out)
    for k in range(r.rivals):
        _goes(s, r, viewer, unseen, seat_after(r, viewer, 1 + r.apart * k), AT_CARDS, out)
    for m in range(r.members):
        _goes(s, r, viewer, unseen, seat_after(r, viewer, PARTNER * m), AT_CARDS + NUMBERS, out)


@inlined
def _hits(s: Any, r: Any, viewer: Int, unseen: Int, ways: Int, at: Int, out: Any) -> None:
    """A side's chances to hit by the ways in which its pawns meet others."""
    seven = _chance(s, r, viewer, unseen, SEVEN_CARD)
    for way in range(WAYS):
        loss = out[ways + WAYS + way]
        if out[ways + way] > 0 and CARD_OF_WAY[way] >= 0:
            chance = _chance(s, r, viewer, unseen, CARD_OF_WAY[way])
            if way == FROM_START:
                chance += _chance(s, r, viewer, unseen, TWO)
            out[at + HIT] += chance
            out[at + LOSS] += chance * loss
        if way > 0 and way < SEVEN:
            out[at + SPLIT] += seven * loss


@inlined
def _goes(s: Any, r: Any, viewer: Int, unseen: Int, seat: Int, at: Int, out: Any) -> None:
    """A seat's chances to leave Start and to go Home, and what its pawns have to lose wherever they are."""
    if s.pawns[seat, 0] == START:
        out[at + LEAVE] += _chance(s, r, viewer, unseen, ONE) + _chance(s, r, viewer, unseen, TWO)
    most = np.float32(0)
    for pawn in range(PAWNS):
        place = np.int64(s.pawns[seat, pawn])
        if place >= NEAR and place < HOME:
            for card in range(KINDS):
                if STEPS[card] > 0 and r.path[place, STEPS[card]] == HOME:
                    out[at + ENTER] += _chance(s, r, viewer, unseen, card)
        if on_ring(place):
            most = max(most, np.float32(place % DIAMOND) / np.float32(ENTRY))
    out[at + SORRY] = max(out[at + SORRY], most * _chance(s, r, viewer, unseen, SORRY_CARD))
    out[at + SWAP] = max(out[at + SWAP], most * _chance(s, r, viewer, unseen, ELEVEN))


def insight_table() -> FeatureTable:
    """The slices of the vector."""
    ways = f"from Start, 1 to {REACH} forward, 1 and 4 back; how often, and what shares of the ring are to be lost"
    return FeatureTable(
        {
            "threats": ((2, WAYS), f"ways in which rivals' pawns meet the viewer's or its partner's: {ways}"),
            "targets": ((2, WAYS), f"ways in which the viewer's or its partner's pawns meet rivals': {ways}"),
            "next_card": (
                (2, NUMBERS),
                "by the pile, of rivals and of the viewer's side: chances to hit, loss by hits and by parts of a 7, "
                "chances to leave Start and to go Home, own loss by Sorry! and by a swap",
            ),
        }
    )
