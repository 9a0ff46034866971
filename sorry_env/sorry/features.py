"""What a seat sees of a state, as one flat vector of named slices.

The vector is relative to the viewer: seat 0 of a slice is the viewer, seat 1 the next to move after it, and so on, and
ring squares are numbered along the viewer's path. The viewer's own hand apart, all of it is public (S3); the hands of
others are hidden, and their cards counted among those that the viewer has not seen (H1).
"""

from itertools import product
from typing import Any

import numpy as np

from sorry_env._jit import Int, inlined, inner
from sorry_env.sorry.actions import SEVEN, action_table
from sorry_env.sorry.board import (
    COIN,
    DECISIONS,
    DIAMOND,
    HAND,
    HOME,
    NONE,
    PAWNS,
    PLACES,
    PROMPTS,
    RING,
    SAFE,
    SIDE,
    SIX,
    SLICES,
    START,
    THREE,
    TO_ANSWER,
    TO_ASK,
)
from sorry_env.sorry.engine.moves import on_ring, seen_from
from sorry_env.sorry.rules import CARDS, SorryRules
from sorry_env.sorry.state import TOKEN
from sorry_env.tables import FeatureTable
from sorry_env.turns import seat_after
from sorry_env.verbs import Rules

AT_MOVER, AT_SIDES, AT_CARD, AT_PILE, AT_TURNS_LEFT, AT_HAND, AT_FIRE, AT_ICE = (
    SLICES.index(name) for name in ("mover", "sides", "card", "pile", "turns_left", "hand", "fire", "ice")
)
AT_DRAWER, AT_ASKED, AT_LEFT, AT_MOVED = (SLICES.index(name) for name in ("drawer", "asked", "left", "moved"))
TRACK = HOME - 1
"""Squares of a colour's path between Start and Home: the ring and the safety zone."""


def decisions(ruleset: SorryRules, seats: int) -> list[str]:
    """The decisions beside the use of a card that may be due."""
    prompts = {action.prompt for action in action_table(ruleset, seats).rows}
    return [name for name in DECISIONS if name in prompts]


def _shapes(ruleset: SorryRules, seats: int) -> dict[str, tuple[tuple[int, ...], str]]:
    """Each slice's shape and meaning; a slice that would be constant is left out."""
    pawns, cards = ruleset.pawns, len(ruleset.cards)
    due, hands, questions = decisions(ruleset, seats), ruleset.hand_size > 0, ruleset.question_cards > 0
    pile = "that the viewer has not seen" if hands else "left to draw"
    shapes = {
        "start": ((seats, pawns), "n-th entry 1 when the seat has more than n pawns in Start"),
        "ring": ((seats, RING), "1 where the seat has a pawn; squares along the viewer's path, its circle first"),
        "safe": ((seats, HOME - SAFE - 1), "1 where the seat has a pawn in its safety zone, step 1 first"),
        "home": ((seats, pawns), "n-th entry 1 when the seat has more than n pawns Home"),
        "mover": ((seats,), "1 for the seat that moves, or whose card has still to be drawn; all 0 after the end"),
        "sides": ((seats - 1, 3), "one-hot for each other seat: which of the three other sides it plays, clockwise"),
        "card": ((cards,), "one-hot card in play; all 0 before it is drawn"),
        "pile": ((cards,), f"cards of each kind {pile}, as a share of the full deck's"),
        "turns_left": ((1,), "turns that may still begin, as a share of the turn limit"),
        "hand": ((cards,), "cards of each kind in the viewer's hand, as a share of a full hand"),
        "decision": ((len(due),), f"one-hot decision that is due beside the use of a card: {', '.join(due)}"),
        "fire": (
            (seats, TRACK),
            "1 where the pawn of the seat that carries Fire stands; the ring as above, then the zone",
        ),
        "ice": ((seats, TRACK), "1 where the frozen pawn of the seat stands"),
        "drawer": ((seats,), "1 for the seat that has drawn the question card in play"),
        "asked": ((seats,), "1 for the seat that it has named"),
        "left": ((1,), "steps left of a 7 that is played in parts, as a share of seven"),
        "moved": ((seats, TRACK), "1 where a pawn of the seat stands that has had its part of the 7"),
    }
    there = {
        "sides": seats < 4,
        "card": not hands,
        "pile": not ruleset.replacement,
        "turns_left": ruleset.turn_limit is not None,
        "hand": hands,
        "decision": bool(due),
        "fire": ruleset.tokens,
        "ice": ruleset.tokens,
        "drawer": questions,
        "asked": questions,
        "left": ruleset.split_freely,
        "moved": ruleset.split_freely,
    }
    return {name: shape for name, shape in shapes.items() if there.get(name, True)}


class SorryFeatures(FeatureTable):
    """The slices of a ruleset and a seat count.

    Attributes:
        due: the decisions that the slice of that name tells apart.
    """

    def __init__(self, ruleset: SorryRules, seats: int) -> None:
        """Lay the slices out one behind the other."""
        super().__init__(_shapes(ruleset, seats))
        self.due = decisions(ruleset, seats)

    def write(self, rules: Rules) -> None:
        """Put the slices' beginnings into a RULES row; NONE for a slice that the vector lacks."""
        rules["features"][0] = self.begins(SLICES, NONE)
        for k, name in enumerate(self.due):
            rules["decision"][0, PROMPTS.index(name)] = self.slices["decision"].begin + k
        seats, pawns = self.slices["start"].shape
        for k, place, pawn in product(range(seats), range(PLACES), range(pawns)):
            rules["spots"][0, k, place, pawn] = self._spot(k, place, pawn)

    def _spot(self, k: int, place: int, pawn: int) -> int:
        """The index that is 1 for a pawn of the k-th seat; in a state's order those in Start come first."""
        if place == START:
            return self._index("start", k, pawn)
        if place == HOME:
            return self._index("home", k, -1 - pawn)
        return self._index("ring", k, place - 1) if place <= RING else self._index("safe", k, place - SAFE - 1)

    def _index(self, name: str, k: int, column: int) -> int:
        part = self.slices[name]
        return part.begin + k * part.shape[1] + column % part.shape[1]


@inner
def encode(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """Write what a seat sees.

    Args:
        s: STATE row.
        r: RULES row.
        viewer: the seat that looks.
        out: (F,) float32.
    """
    out[:] = 0
    for k in range(r.seats):
        _encode_pawns(s, r, viewer, k, out)
    if not s.over:
        out[r.features[AT_MOVER] + seat_after(r, np.int64(s.seat), r.seats - viewer)] = 1
    if r.features[AT_SIDES] != NONE:
        _encode_sides(r, viewer, out)
    if s.due < len(CARDS):
        out[r.features[AT_CARD] + s.due] = 1
    if r.features[AT_PILE] != NONE:
        _encode_pile(s, r, viewer, out)
    if r.features[AT_TURNS_LEFT] != NONE:
        out[r.features[AT_TURNS_LEFT]] = (r.turn_limit - s.turns) / r.turn_limit
    if not r.plain:
        _encode_more(s, r, viewer, out)


@inlined
def _encode_pile(s: Any, r: Any, viewer: Int, out: Any) -> None:
    for card in range(len(CARDS) - 1):
        out[r.features[AT_PILE] + card] = s.pile[card] * r.share[card]
    if r.deck[len(CARDS) - 1] > 0:  # question cards, of which other rulesets have none
        out[r.features[AT_PILE] + len(CARDS) - 1] = s.pile[len(CARDS) - 1] * r.share[len(CARDS) - 1]
    if r.hand_size:
        for k in range(1, r.seats):
            seat = seat_after(r, viewer, k)
            for card in range(len(CARDS) - 1):
                out[r.features[AT_PILE] + card] += s.hands[seat, card] * r.share[card]


@inlined
def _encode_more(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """What only rulesets have in which a turn may be several actions."""
    if r.hand_size:
        for card in range(len(CARDS) - 1):
            out[r.features[AT_HAND] + card] = s.hands[viewer, card] / r.hand_size
    if len(CARDS) <= s.due and s.due < HAND:
        out[r.decision[s.due]] = 1
    if r.tokens:
        if s.fire != 0:
            _encode_spot(s, r, viewer, r.features[AT_FIRE], np.int64(s.fire) - TOKEN, out)
        if s.ice != 0:
            _encode_spot(s, r, viewer, r.features[AT_ICE], np.int64(s.ice) - TOKEN, out)
    if s.due == TO_ASK or s.due == TO_ANSWER or s.due == COIN or s.due == SIX or s.due == THREE:
        out[r.features[AT_DRAWER] + seat_after(r, np.int64(s.drawer), r.seats - viewer)] = 1
        if s.due != TO_ASK:
            out[r.features[AT_ASKED] + seat_after(r, np.int64(s.asked), r.seats - viewer)] = 1
    if s.steps > 0:
        out[r.features[AT_LEFT]] = s.steps / SEVEN
        for pawn in range(PAWNS * r.seats):
            if s.moved >> pawn & 1:
                _encode_spot(s, r, viewer, r.features[AT_MOVED], pawn, out)


@inlined
def _encode_spot(s: Any, r: Any, viewer: Int, first: Int, pawn: Int, out: Any) -> None:
    """Mark where a pawn, PAWNS * seat + its number, stands on the ring or in its zone."""
    seat = pawn // PAWNS
    place = s.pawns[seat, pawn % PAWNS]
    seen = seen_from(r, seat, place, viewer) if place <= DIAMOND else np.int64(place)
    out[first + seat_after(r, seat, r.seats - viewer) * TRACK + seen - 1] = 1


@inlined
def _encode_pawns(s: Any, r: Any, viewer: Int, k: Int, out: Any) -> None:
    """The pawns of the k-th seat from the viewer."""
    seat = seat_after(r, viewer, k)
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        seen = seen_from(r, seat, place, viewer) if on_ring(place) else np.int64(place)
        out[r.spots[k, seen, pawn]] = 1


@inlined
def _encode_sides(r: Any, viewer: Int, out: Any) -> None:
    for k in range(1, r.seats):
        side = r.shift[seat_after(r, viewer, k), viewer] // SIDE
        out[r.features[AT_SIDES] + (k - 1) * 3 + side - 1] = 1
