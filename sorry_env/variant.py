"""A ruleset with its seats filled: everything that is fixed while games of it run, and the verbs over many of them.

Players, environments and trainers call these methods and nothing deeper.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env import lanes, verbs
from sorry_env.errors import RulesetError, suggestion
from sorry_env.family import FAMILIES, Family
from sorry_env.random import Generators
from sorry_env.rulesets import Ruleset, listed, ruleset, seat_colours
from sorry_env.tables import ActionTable, FeatureTable
from sorry_env.verbs import States

IntArray = npt.NDArray[np.integer[Any]]


class Variant:
    """A ruleset and its seats' colours, compiled to one row of numbers.

    Get one from `variant(...)`. Shapes: N games, S seats, A actions, F features.

    Attributes:
        ruleset: the rules.
        family: the game that they are rules of.
        colours: the seats' colours in turn order; seat k plays `colours[k]`.
        actions: the table of actions, A of them.
        features: the slices of an observation, F numbers.
        insights: the slices of what a value net is shown besides, I numbers; may be none.
        rules: (1,) RULES, read-only.
    """

    def __init__(self, rules: Any, colours: tuple[str, ...]) -> None:
        """Compile; prefer `variant(...)`, which checks and remembers."""
        self.ruleset, self.colours = rules, colours
        self.family: Family = FAMILIES[rules.name]
        self.seats = len(colours)
        self.actions: ActionTable[Any] = self.family.actions(rules, self.seats)
        self.features: FeatureTable = self.family.features(rules, self.seats)
        self.insights: FeatureTable = self.family.insights(rules, self.seats)
        self.rules = self.family.compiled(rules, colours, self.actions, self.features)
        self.rules.flags.writeable = False

    def __repr__(self) -> str:
        """As one would write it."""
        return f"variant({self.ruleset}, seats={list(self.colours)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name, so that unpickling finds the one remembered object."""
        return _variant, (self.ruleset, self.colours)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Variant":
        """Nothing in it changes, so a copy is the object itself."""
        return self

    @property
    def num_actions(self) -> int:
        """A."""
        return len(self.actions)

    @property
    def num_features(self) -> int:
        """F."""
        return self.features.width

    def seat_of(self, colour: str) -> int:
        """The seat that plays a colour; RulesetError if nobody does."""
        if colour not in self.colours:
            raise RulesetError(f"nobody plays {colour!r}; the seats are {list(self.colours)}")
        return self.colours.index(colour)

    def new_states(self, shape: int | tuple[int, ...]) -> States:
        """STATE of a shape, mostly (N,), zeroed: to be given to `reset`."""
        states: States = np.zeros(shape, self.family.state)
        return states

    def reset(self, states: States, rng: Generators, first: int | None = None) -> None:
        """Begin new games, up to the first decision: the first cards are dealt, the dice thrown (S1-S4, H1).

        Args:
            states: (N,) STATE, written.
            rng: (N,) uint64 generators, advanced.
            first: the beginning seat of all; None draws one for each.
        """
        lanes.reset_lanes(states, self.rules, rng, -1 if first is None else first)

    def new_game(self, states: States, rng: Generators, first: int | None = None) -> None:
        """As `reset`, but the first card or roll has still to come."""
        lanes.begin_lanes(states, self.rules, rng, -1 if first is None else first)

    def legal_mask(self, states: States) -> npt.NDArray[np.int8]:
        """(N, A) int8: 1 where the seat to move may play the action."""
        mask = np.empty((len(states), self.num_actions), np.int8)
        lanes.mask_lanes(states, self.rules, mask)
        return mask

    def legal_ids(self, states: States, i: int = 0) -> list[int]:
        """The legal actions of state i, in table order."""
        return [int(a) for a in np.flatnonzero(self.legal_mask(states[i : i + 1])[0])]

    def legal_counts(self, states: States) -> npt.NDArray[np.int64]:
        """(N,) int64: how many actions are legal."""
        counts = np.empty(len(states), np.int64)
        lanes.count_lanes(states, self.rules, counts)
        return counts

    def why_illegal(self, states: States, action: int | np.integer[Any], i: int = 0) -> str:
        """Why state i does not allow an action, as a sentence; empty if it does."""
        return self.family.texts(self, states[i : i + 1]).why_illegal(int(action))

    def play(self, states: States, actions: IntArray) -> None:
        """Play one legal action, (N,) integers, in each game; chance is due then. Finished games do not change.

        Legality is not checked again here: an action that the mask forbids leaves a broken game.
        """
        lanes.play_lanes(states, self.rules, actions)

    def draw(self, states: States, rng: Generators) -> None:
        """Let chance happen wherever it is due, with (N,) uint64 generators."""
        lanes.draw_lanes(states, self.rules, rng)

    def draw_once(self, states: States, rng: Generators) -> None:
        """Let one card, roll or coin come wherever it is due, as `draw` would; chance may be due again there."""
        lanes.draw_once_lanes(states, self.rules, rng)

    def chance_due(self, states: States) -> npt.NDArray[np.bool_]:
        """(N,) bool: where chance comes next."""
        due: npt.NDArray[np.bool_] = (states["due"] >= verbs.CHANCE) & (states["over"] == 0)
        return due

    def odds(self, states: States, i: int = 0) -> list[tuple[int, float]]:
        """What may come in state i, where chance is due, with its probability: numbers, `outcomes` has the words."""
        weights = np.zeros(len(self.outcomes(states, i)), np.int64)
        total = verbs.odds(states[i], self.rules[0], weights)
        return [(outcome, int(weight) / int(total)) for outcome, weight in enumerate(weights) if weight]

    def outcomes(self, states: States, i: int = 0) -> Sequence[Any]:
        """What may come in state i in words that JSON can hold, by number, whether it can come just now or not."""
        return self.family.outcomes(self, int(states[i]["due"]))

    def outcome_number(self, states: States, outcome: Any, i: int = 0) -> int | None:
        """The number of an outcome's word; of a roll in any order. None if chance knows no such outcome."""
        words = list(self.outcomes(states, i))
        if isinstance(outcome, (list, tuple)):
            kinds = {type(face) for face in outcome}
            outcome = sorted(outcome) if len(kinds) == 1 and kinds <= {int, str} else None
        return words.index(outcome) if outcome in words else None

    def why_no_outcome(self, states: States, outcome: Any, i: int = 0) -> str:
        """What would be an outcome, to end an error message."""
        words = list(self.outcomes(states, i))
        if words and isinstance(words[0], str):
            return suggestion(outcome, words)
        return f"a {self.family.script} is a list of its {len(words[0])} faces, as in {words[1]}"

    def deal(self, states: States, outcome: int, i: int = 0) -> None:
        """Let one outcome of `odds` happen in state i; chance may still be due then."""
        verbs.deal(states[i], self.rules[0], outcome)

    def view(self, states: States, seats: IntArray | int | None = None) -> States:
        """What a seat may know of each state, as states: others' hands face down, their cards among the unseen (H1).

        The states themselves, not copied, where nothing is hidden. A view can be played on: what others draw in it
        stays face down, and a seat whose hand is face down has no legal action.

        Args:
            states: (N,) STATE.
            seats: (N,) the seat that looks, or one for all; None: the seat to move.
        """
        return self.family.view(self, states, seats)

    def determinize(self, states: States, seats: IntArray | int, rng: Generators) -> States:
        """Copies in which what a seat cannot see is dealt anew, uniformly among what is consistent with its view.

        Args:
            states: (N,) STATE, views or not: the result depends on what the seat may know alone.
            seats: (N,) the seat that looks, or one for all.
            rng: (N,) uint64 generators, advanced.
        """
        return self.family.determinize(self, states, seats, rng)

    def score(self, states: States) -> npt.NDArray[np.float64]:
        """(N, S) float64: the score of finished games, zeros for others: points (H5, H6), or 1 for a win (H7)."""
        return self.family.score(self, states)

    def progress(self, states: States) -> npt.NDArray[np.int64]:
        """(N, S) int64: steps that each seat's pieces have come in all."""
        return self.family.progress(self, states)

    def returns(self, states: States) -> npt.NDArray[np.float64]:
        """(N, S) float64: 1 for a winner, the losers share -1, or have -1 each in teams; else zeros (H7, T8)."""
        out = np.zeros((len(states), self.seats))
        lanes.returns_lanes(states, self.rules, out)
        return out

    def encode(self, states: States, viewers: IntArray | None = None) -> npt.NDArray[np.float32]:
        """(N, F) float32: what a seat sees of each state; by default the seat to move."""
        out = np.empty((len(states), self.num_features), np.float32)
        lanes.encode_lanes(states, self.rules, states["seat"] if viewers is None else viewers, out)
        return out

    def insight(self, states: States, viewers: IntArray) -> npt.NDArray[np.float32]:
        """(N, I) float32: what a value net is shown beside what a seat, (N,) integers, sees of each state."""
        out = np.empty((len(states), self.insights.width), np.float32)
        lanes.insight_lanes(states, self.rules, np.asarray(viewers, np.int64), out)
        return out

    def legal_actions(self, states: States) -> tuple[IntArray, IntArray]:
        """The legal actions of all states.

        Returns:
            actions: (M,) int64, state by state in table order.
            counts: (N,) int64, how many belong to each state; they add up to M.
        """
        counts, actions = np.empty(len(states), np.int64), np.empty(_LIKELY * len(states), np.int64)
        found = lanes.legal_lanes(states, self.rules, counts, actions)
        if found > len(actions):
            actions = np.empty(found, np.int64)
            lanes.legal_lanes(states, self.rules, counts, actions)
        return actions[:found].copy(), counts

    def after(self, states: States, actions: IntArray, counts: IntArray) -> States:
        """(M,) STATE: where each of (M,) int64 legal actions leads, `counts[i]` of them, (N,) int64, from state i."""
        after = self.new_states(len(actions))
        lanes.afterstates_lanes(states, self.rules, counts, actions, after)
        return after

    def afterstates(self, states: States) -> tuple[States, IntArray, IntArray]:
        """Where every legal action of every state leads, before any chance.

        Returns:
            after: (M,) STATE, state by state in table order.
            actions: (M,) int64, the action that led there.
            counts: (N,) int64, how many belong to each state; they add up to M.
        """
        actions, counts = self.legal_actions(states)
        return self.after(states, actions, counts), actions, counts

    def turn_ends(self, states: States) -> tuple[States, IntArray]:
        """Where the seat to move can take every state before chance comes or another seat decides.

        A turn may be several decisions: two dice, a 7 that partners share, a card and what becomes of it. Where it can
        go in so many ways that there are more than `lanes.MOST_ON_THE_WAY` positions, its first decision alone counts.

        Returns:
            ends: (M,) STATE, state by state, each once; if a turn is one decision, the afterstates in table order. A
                state in which nobody can decide is its own end.
            counts: (N,) int64, how many belong to each state; they add up to M.
        """
        counts, room = np.empty(len(states), np.int64), _LIKELY * len(states)
        while True:
            ends = self.new_states(room)
            rows = ends.view(np.uint8).reshape(room, ends.itemsize)
            found = lanes.turn_ends_lanes(states, self.rules, counts, ends, rows)
            if found >= 0:
                return ends[:found], counts
            room = 2 * room + _WAYS

    def chances(self, states: States) -> tuple[States, npt.NDArray[np.float64], IntArray]:
        """What chance may do next in every state: one card, roll or coin.

        Returns:
            dealt: (M,) STATE, state by state, one for each outcome that is possible; chance may be due again there.
                Where nothing is up to chance, or the game is over, the state itself.
            odds: (M,) float64, the outcomes' probabilities, which add up to 1 for each state.
            counts: (N,) int64, how many outcomes belong to each state; they add up to M.
        """
        width = len(self.family.outcomes(self, verbs.CHANCE))
        room = width * len(states)
        counts, odds, dealt = np.empty(len(states), np.int64), np.empty(room), self.new_states(room)
        found = lanes.outcomes_lanes(states, self.rules, width, counts, odds, dealt)
        return dealt[:found], odds[:found], counts

    def deals(self, states: States) -> tuple[States, npt.NDArray[np.float64], IntArray]:
        """All that chance may bring in every state before a seat has to decide, or the game is over.

        Returns:
            dealt: (M,) STATE, state by state.
            odds: (M,) float64, their probabilities, which add up to 1 for each state.
            owners: (M,) int64, the index of the state that each comes from.
        """
        odds, owners = np.ones(len(states)), np.arange(len(states))
        while self.chance_due(states).any():
            states, chances, counts = self.chances(states)
            odds, owners = np.repeat(odds, counts) * chances, np.repeat(owners, counts)
        return states, odds, owners

    def observed_afterstates(
        self, states: States, viewers: IntArray | None = None
    ) -> tuple[States, IntArray, IntArray, npt.NDArray[np.float32]]:
        """`afterstates`, and what a seat sees of each.

        Args:
            states: (N,) STATE.
            viewers: (N,) the seat that looks at all that state i leads to; by default the seat to move in state i.

        Returns:
            The three of `afterstates`, and (M, F) float32 features.
        """
        after, actions, counts = self.afterstates(states)
        seats = np.repeat(states["seat"] if viewers is None else viewers, counts)
        return after, actions, counts, self.encode(after, seats)


_LIKELY = 16
"""Actions a state for which there is room at the first try."""
_WAYS = 1024
"""Ends of a turn for which there is more room at each further try."""


def averages(
    values: npt.NDArray[np.floating], odds: npt.NDArray[np.float64], owners: IntArray, count: int
) -> npt.NDArray[np.float64]:
    """What (M,) values of what chance may bring come to on average, (count,) float64 for so many states.

    `odds` and `owners` are those of `Variant.deals`. Unlike `add.reduceat` this adds in an order that does not depend
    on where in memory the numbers lie.
    """
    return np.bincount(owners, odds * values, minlength=count).astype(np.float64, copy=False)


def _check_seats(rules: Ruleset, seats: int) -> None:
    """Refuse what depends on how many seats there are."""
    if seats not in rules.seat_counts:
        partners = ": teams need four seats, 0 and 2 against 1 and 3 (T1)" if rules.partners else ""
        counts = f"; {rules} has {listed(rules.seat_counts)}" if not partners else ""
        raise RulesetError(f"seats={seats}{partners}{counts}")
    FAMILIES[rules.name].check_seats(rules, seats)


@lru_cache(maxsize=256)
def _variant(rules: Ruleset, colours: tuple[str, ...]) -> Variant:
    return Variant(rules, colours)


def variant(name: str | Ruleset = "classic", /, seats: int | Sequence[str] = 2, **changes: Any) -> Variant:
    """A named ruleset, its fields changed, with its seats; the same object each time.

    Args:
        name: a key of `RULESETS` or a ruleset.
        seats: 2, 3 or 4, in teams 4, or the colours in turn order, clockwise.
        **changes: fields of `Ruleset`.

    Raises:
        RulesetError: what is unknown, out of range or contradictory, by name.
    """
    rules, colours = ruleset(name, **changes), seat_colours(seats)
    _check_seats(rules, len(colours))
    return _variant(rules, colours)
