"""A ruleset with its seats filled: everything that is fixed while games of it run, and the verbs over many of them.

Players, environments and trainers call these methods and nothing deeper.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env import board, engine, lanes
from sorry_env.actions import ActionTable, action_table
from sorry_env.engine.random import Generators
from sorry_env.errors import RulesetError
from sorry_env.features import FeatureTable
from sorry_env.rulesets import CARDS, Ruleset, ruleset
from sorry_env.state import STATE, States

IntArray = npt.NDArray[np.integer[Any]]


class Variant:
    """A ruleset and its seats' colours, compiled to one row of numbers.

    Get one from `variant(...)`. Shapes: N games, S seats, A actions, F features.

    Attributes:
        ruleset: the rules.
        colours: the seats' colours in turn order; seat k plays `colours[k]`.
        actions: the table of actions, A of them.
        features: the slices of an observation, F numbers.
        rules: (1,) RULES, read-only.
    """

    def __init__(self, rules: Ruleset, colours: tuple[str, ...]) -> None:
        """Compile; prefer `variant(...)`, which checks and remembers."""
        self.ruleset, self.colours = rules, colours
        self.seats = len(colours)
        self.actions: ActionTable = action_table(rules, self.seats)
        self.features = FeatureTable(rules, self.seats)
        self.rules = _compiled(rules, colours, self.actions, self.features)

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

    def new_states(self, count: int) -> States:
        """(count,) STATE, zeroed: to be given to `reset`."""
        return np.zeros(count, STATE)

    def reset(self, states: States, rng: Generators, first: int | None = None) -> None:
        """Begin new games with their first cards dealt (S1-S4).

        Args:
            states: (N,) STATE, written.
            rng: (N,) uint64 generators, advanced.
            first: the beginning seat of all; None draws one for each.
        """
        lanes.reset_lanes(states, self.rules, rng, -1 if first is None else first)

    def new_game(self, states: States, rng: Generators, first: int | None = None) -> None:
        """As `reset`, but the first card has still to be drawn."""
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

    def play(self, states: States, actions: IntArray) -> None:
        """Play one legal action, (N,) integers, in each game; chance is due then. Finished games do not change.

        Legality is not checked again here: an action that the mask forbids leaves a broken game.
        """
        lanes.play_lanes(states, self.rules, actions)

    def draw(self, states: States, rng: Generators) -> None:
        """Let chance happen wherever it is due, with (N,) uint64 generators."""
        lanes.draw_lanes(states, self.rules, rng)

    def odds(self, states: States, i: int = 0) -> list[tuple[int, float]]:
        """The cards that may come in state i, where one is due, with their probabilities (S3)."""
        weights = np.zeros(len(CARDS), np.int64)
        total = engine.odds(states[i], self.rules[0], weights)
        return [(card, int(weight) / int(total)) for card, weight in enumerate(weights) if weight]

    def deal(self, states: States, card: int, i: int = 0) -> None:
        """Let one outcome of `odds` happen in state i."""
        engine.deal(states[i], self.rules[0], card)

    def returns(self, states: States) -> npt.NDArray[np.float64]:
        """(N, S) float64: 1 for the winner, the losers share -1; zeros for games that are not over or truncated."""
        out = np.zeros((len(states), self.seats))
        lanes.returns_lanes(states, self.rules, out)
        return out

    def encode(self, states: States, viewers: IntArray | None = None) -> npt.NDArray[np.float32]:
        """(N, F) float32: what a seat sees of each state; by default the seat to move."""
        out = np.empty((len(states), self.num_features), np.float32)
        lanes.encode_lanes(states, self.rules, states["seat"] if viewers is None else viewers, out)
        return out

    def afterstates(self, states: States) -> tuple[States, IntArray, IntArray]:
        """Where every legal action of every state leads, before any chance.

        Returns:
            after: (M,) STATE, state by state in table order.
            actions: (M,) int64, the action that led there.
            counts: (N,) int64, how many belong to each state; they add up to M.
        """
        counts = self.legal_counts(states)
        after, actions = self.new_states(int(counts.sum())), np.empty(int(counts.sum()), np.int64)
        lanes.afterstates_lanes(states, self.rules, counts, after, actions)
        return after, actions, counts


def _compiled(rules: Ruleset, colours: Sequence[str], actions: ActionTable, features: FeatureTable) -> board.Rules:
    row: board.Rules = np.zeros(1, board.RULES)
    row["turn_limit"] = rules.turn_limit or 0
    row["seats"], row["pawns"] = len(colours), rules.pawns
    row["replacement"], row["swap_slides_both"] = rules.replacement, rules.swap_slides_both
    row["ways"] = 2 if rules.bypass_entry else 1
    row["deck"] = rules.counts
    row["share"] = 1 / np.array(rules.counts)
    row["shift"] = board.shift_table(colours)
    row["path"], row["slide"] = board.path_table(rules), board.slide_table()
    actions.write(row)
    features.write(row)
    row.flags.writeable = False
    return row


@lru_cache(maxsize=256)
def _variant(rules: Ruleset, colours: tuple[str, ...]) -> Variant:
    return Variant(rules, colours)


def variant(name: str | Ruleset = "classic", /, seats: int | Sequence[str] = 2, **changes: Any) -> Variant:
    """A named ruleset, its fields changed, with its seats; the same object each time.

    Args:
        name: a key of `RULESETS` or a ruleset.
        seats: 2, 3 or 4, or the colours in turn order, clockwise.
        **changes: fields of `Ruleset`.

    Raises:
        RulesetError: what is unknown, out of range or contradictory, by name.
    """
    return _variant(ruleset(name, **changes), board.seat_colours(seats))
