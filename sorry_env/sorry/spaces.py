"""The positions of Sorry! by number, for exact solutions: one seat alone, or two seats with few pawns left."""

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, inner, kernel
from sorry_env.errors import SolveError
from sorry_env.rulesets import ruleset
from sorry_env.solve.graph import Course, Space
from sorry_env.sorry.board import DRAW, HOME, PAWNS, PLACES, SIDE, START
from sorry_env.sorry.engine.moves import on_ring, seen_from
from sorry_env.sorry.points import PROGRESS
from sorry_env.sorry.ranks import CHOOSE, put, rank, ranks
from sorry_env.sorry.rules import KINDS
from sorry_env.variant import IntArray, Variant, variant
from sorry_env.verbs import States


@inner
def can_stand(s: Any, r: Any) -> bool:
    """Whether no square holds two pawns, and nobody has all pawns Home."""
    for seat in range(r.seats):
        if s.pawns[seat, 0] == HOME:
            return False
        for pawn in range(PAWNS):
            place = s.pawns[seat, pawn]
            if pawn > 0 and place == s.pawns[seat, pawn - 1] and place != START and place != HOME:
                return False
            for other in range(seat):
                for theirs in range(PAWNS):
                    there = s.pawns[other, theirs]
                    if on_ring(place) and on_ring(there) and seen_from(r, other, there, seat) == place:
                        return False
    return True


@kernel
def rank_lanes(states: Any, seats: Any, pawns: Int, out: Any) -> None:
    """Write the rank of one seat's pawns, (N,) int64 `seats`, into (N,) int64."""
    for i in range(len(states)):
        out[i] = rank(states[i], seats[i], pawns)


@kernel
def place_lanes(states: Any, rules: Any, seats: Any, mine: Any, theirs: Any, pawns: Int, there: Any) -> None:
    """Write positions of two seats in which a seat's card has still to be drawn.

    Args:
        states: (N,) STATE of a new game, written.
        rules: (1,) RULES.
        seats: (N,) int64, the seat whose turn it is.
        mine: (N,) int64, the rank of its pawns.
        theirs: (N,) int64, the rank of the other's.
        pawns: of a seat.
        there: (N,) bool, written: whether the position can be, and is not over.
    """
    for i in range(len(states)):
        s = states[i]
        s.seat, s.due = seats[i], DRAW
        put(s, seats[i], pawns, mine[i])
        put(s, 1 - seats[i], pawns, theirs[i])
        there[i] = can_stand(s, rules[0])


class Solo(Course):
    """One seat alone: the other one's pawns stay in Start, where they meet nobody. Cards come back at once."""

    def __init__(self, game: Variant) -> None:
        """Take the ruleset of a variant; seats and colours do not matter."""
        self.game = alone(game)
        self.pawns: int = game.ruleset.pawns
        self.size = ranks(self.pawns)

    def states(self, numbers: IntArray) -> tuple[States, npt.NDArray[np.bool_]]:
        """See `Space.states`."""
        seats, there = np.zeros(len(numbers), np.int64), np.empty(len(numbers), bool)
        states = begun(self.game, len(numbers))
        place_lanes(states, self.game.rules, seats, numbers, seats, self.pawns, there)
        return states, there

    def numbers(self, states: States) -> npt.NDArray[np.int64]:
        """See `Space.numbers`."""
        return self.places(states, np.zeros(len(states), np.int64))

    def places(self, states: States, seats: IntArray) -> npt.NDArray[np.int64]:
        """See `Course.places`."""
        out = np.empty(len(states), np.int64)
        rank_lanes(states, seats, self.pawns, out)
        return out

    def order(self) -> npt.NDArray[np.int64]:
        """Who has come furthest first."""
        return np.argsort(-advanced(self.pawns), kind="stable")


class Duel(Space):
    """Two seats with so many pawns each at most, the others Home.

    Cards come back at once, or the deck holds one of each kind: then the cards that are left belong to the position.
    """

    def __init__(self, game: Variant, pawns: int, near: bool) -> None:
        """Number the positions; see `Family.duel`."""
        check_plain(game)
        if game.seats != 2:
            raise SolveError(f"{game} has {game.seats} seats; two seats are solved exactly")
        pawns = min(pawns, game.ruleset.pawns)
        counted = pawns == 1 and max(game.ruleset.counts[:KINDS]) == 1
        if not game.ruleset.replacement and not counted and not near:
            raise SolveError(
                f"{game.ruleset}: cards have to come back at once (replacement), or be one of each for one pawn each "
                "(deck=11, pawns=1): with other piles there are too many positions"
            )
        replacement = game.ruleset.replacement or not counted
        self.game, self.pawns = fewer_pawns(game, pawns, replacement), pawns
        self.ranks = ranks(pawns)
        self.piles = 1 if replacement else (1 << KINDS) - 1
        shift = int(game.rules["shift"][0, 0, 1])
        self.sides = 1 if shift == 2 * SIDE else 2
        self.size = self.sides * self.piles * self.ranks**2

    def states(self, numbers: IntArray) -> tuple[States, npt.NDArray[np.bool_]]:
        """See `Space.states`."""
        rest, theirs = np.divmod(np.asarray(numbers, np.int64), self.ranks)
        rest, mine = np.divmod(rest, self.ranks)
        seats, pile = np.divmod(rest, self.piles)
        states, there = begun(self.game, len(numbers)), np.empty(len(numbers), bool)
        place_lanes(states, self.game.rules, seats, mine, theirs, self.pawns, there)
        if self.piles > 1:
            states["pile"][:, :KINDS] = (pile + 1)[:, None] >> np.arange(KINDS) & 1
        return states, there

    def numbers(self, states: States) -> npt.NDArray[np.int64]:
        """See `Space.numbers`."""
        movers = states["seat"].astype(np.int64)
        mine, theirs = np.empty((2, len(states)), np.int64)
        rank_lanes(states, movers, self.pawns, mine)
        rank_lanes(states, 1 - movers, self.pawns, theirs)
        seats = movers if self.sides == 2 else 0
        numbers = ((seats * self.piles + self._pile(states)) * self.ranks + mine) * self.ranks + theirs
        return np.where((mine < 0) | (theirs < 0), -1, numbers)

    def _pile(self, states: States) -> Any:
        """(N,) the cards that may come, one bit each, less 1; all of them when none is left (S3)."""
        if self.piles == 1:
            return 0
        bits = (states["pile"][:, :KINDS].astype(np.int64) << np.arange(KINDS)).sum(axis=1)
        return np.where(bits == 0, self.piles, bits) - 1

    def order(self) -> npt.NDArray[np.int64]:
        """Few cards first, then who has come furthest."""
        steps = advanced(self.pawns)
        both = (steps[:, None] + steps).reshape(-1)
        cards = np.array([(pile + 1).bit_count() for pile in range(self.piles)])
        key = (cards[:, None] * (both.max() + 1) - both).reshape(-1)
        return np.argsort(np.tile(key, self.sides), kind="stable")


def advanced(pawns: int) -> npt.NDArray[np.int64]:
    """(ranks,) int64: the steps of so many pawns together, by rank."""
    places = np.array(list(combinations_with_replacement(range(PLACES), pawns)))
    number = CHOOSE[places + np.arange(pawns), np.arange(1, pawns + 1)].sum(axis=1)
    steps = np.empty(len(places), np.int64)
    steps[number] = PROGRESS[places].sum(axis=1)
    return steps


def alone(game: Variant) -> Variant:
    """The game in which a seat's race is run: two opposite seats, cards that come back at once.

    Raises:
        SolveError: a turn is more than the use of a card for an own pawn.
    """
    check_plain(game)
    return variant(ruleset(game.ruleset, replacement=True, turn_limit=None), 2)


def fewer_pawns(game: Variant, pawns: int, replacement: bool) -> Variant:
    """The same game with so many pawns a seat, and without a limit of turns."""
    changes = {"pawns": pawns, "replacement": replacement, "turn_limit": None}
    return variant(ruleset(game.ruleset, **changes), game.colours)


def check_plain(game: Variant) -> None:
    """Refuse rules under which a turn is more than to draw a card and use it for an own pawn."""
    rules = game.ruleset
    if rules.hand_size or rules.tokens or rules.question_cards or rules.teams:
        raise SolveError(
            f"{rules} is not solved exactly: a seat's turn has to be one card drawn and used for an own pawn, without "
            "hands, tokens, questions and partners"
        )


def begun(game: Variant, count: int) -> States:
    """(count,) STATE, a new game in each."""
    states = game.new_states(count)
    game.new_game(states, np.zeros(count, np.uint64), first=0)
    return states
