"""What a seat sees of a state, as one flat vector of named slices.

The vector is relative to the viewer: seat 0 of a slice is the viewer, seat 1 the next to move after it, and so on, and
ring squares are numbered along the viewer's path. All of it is public (S3), so a policy needs no memory.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np

from sorry_env._jit import inlined, kernel
from sorry_env.board import HOME, NONE, PLACES, RING, SAFE, SIDE, SLICES, START, Rules
from sorry_env.engine.moves import on_ring, seat_after, seen_from
from sorry_env.rulesets import CARDS, Ruleset
from sorry_env.state import NO_CARD

AT_MOVER, AT_SIDES, AT_CARD, AT_PILE, AT_TURNS_LEFT = (
    SLICES.index(name) for name in ("mover", "sides", "card", "pile", "turns_left")
)


@dataclass(frozen=True)
class Slice:
    """A named part of the vector: `vector[begin:end].reshape(shape)`."""

    name: str
    begin: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def end(self) -> int:
        """One past the last index."""
        return self.begin + prod(self.shape)


def _shapes(ruleset: Ruleset, seats: int) -> dict[str, tuple[tuple[int, ...], str]]:
    """Each slice's shape and meaning; a slice that would be constant is left out."""
    pawns, cards = ruleset.pawns, len(CARDS)
    shapes = {
        "start": ((seats, pawns), "n-th entry 1 when the seat has more than n pawns in Start"),
        "ring": ((seats, RING), "1 where the seat has a pawn; squares along the viewer's path, its circle first"),
        "safe": ((seats, HOME - SAFE - 1), "1 where the seat has a pawn in its safety zone, step 1 first"),
        "home": ((seats, pawns), "n-th entry 1 when the seat has more than n pawns Home"),
        "mover": ((seats,), "1 for the seat that moves, or whose card has still to be drawn; all 0 after the end"),
        "sides": ((seats - 1, 3), "one-hot for each other seat: which of the three other sides it plays, clockwise"),
        "card": ((cards,), "one-hot card in play; all 0 before it is drawn"),
        "pile": ((cards,), "cards of each kind left to draw, as a share of the full deck's"),
        "turns_left": ((1,), "turns that may still begin, as a share of the turn limit"),
    }
    if seats == 4:
        del shapes["sides"]
    if ruleset.replacement:
        del shapes["pile"]
    if ruleset.turn_limit is None:
        del shapes["turns_left"]
    return shapes


class FeatureTable:
    """The slices of a ruleset and a seat count.

    Attributes:
        slices: name -> `Slice`, in the vector's order.
        width: F, the length of the vector.
    """

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        """Lay the slices out one behind the other."""
        self.slices = {part.name: part for part in _laid_out(ruleset, seats)}
        self.width = max(part.end for part in self.slices.values())

    @cached_property
    def fingerprint(self) -> str:
        """Hash over names, places, shapes and meanings: equal ones are the same vector."""
        return hashlib.sha256(repr(list(self.slices.values())).encode()).hexdigest()[:16]

    def write(self, rules: Rules) -> None:
        """Put the slices' beginnings into a RULES row; NONE for a slice that the vector lacks."""
        for k, name in enumerate(SLICES):
            rules["features"][0, k] = self.slices[name].begin if name in self.slices else NONE
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


def _laid_out(ruleset: Ruleset, seats: int) -> Iterator[Slice]:
    begin = 0
    for name, (shape, meaning) in _shapes(ruleset, seats).items():
        yield Slice(name, begin, shape, meaning)
        begin += prod(shape)


@kernel
def encode(s: Any, r: Any, viewer: int, out: Any) -> None:
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
        out[r.features[AT_MOVER] + seat_after(r, s.seat, r.seats - viewer)] = 1
    if r.features[AT_SIDES] != NONE:
        _encode_sides(r, viewer, out)
    if s.card != NO_CARD:
        out[r.features[AT_CARD] + s.card] = 1
    if r.features[AT_PILE] != NONE:
        for card in range(len(CARDS)):
            out[r.features[AT_PILE] + card] = s.pile[card] * r.share[card]
    if r.features[AT_TURNS_LEFT] != NONE:
        out[r.features[AT_TURNS_LEFT]] = (r.turn_limit - s.turns) / r.turn_limit


@inlined
def _encode_pawns(s: Any, r: Any, viewer: int, k: int, out: Any) -> None:
    """The pawns of the k-th seat from the viewer."""
    seat = seat_after(r, viewer, k)
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        seen = seen_from(r, seat, place, viewer) if on_ring(place) else np.int64(place)
        out[r.spots[k, seen, pawn]] = 1


@inlined
def _encode_sides(r: Any, viewer: int, out: Any) -> None:
    for k in range(1, r.seats):
        side = r.shift[seat_after(r, viewer, k), viewer] // SIDE
        out[r.features[AT_SIDES] + (k - 1) * 3 + side - 1] = 1
