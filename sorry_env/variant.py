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
        """Begin new games with their first cards dealt (S1-S4, H1).

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
        """What may come in state i, where chance is due, with its probability: cards (S3), or 0 yes and 1 no (N3)."""
        weights = np.zeros(len(CARDS), np.int64)
        total = engine.odds(states[i], self.rules[0], weights)
        return [(outcome, int(weight) / int(total)) for outcome, weight in enumerate(weights) if weight]

    def deal(self, states: States, outcome: int, i: int = 0) -> None:
        """Let one outcome of `odds` happen in state i; chance may still be due then."""
        engine.deal(states[i], self.rules[0], outcome)

    def view(self, states: States, seats: IntArray | int | None = None) -> States:
        """What a seat may know of each state, as states: the others' hands face down, their cards among the unseen.

        The states themselves, not copied, where there are no hands. A view can be played on: what others draw in it
        stays face down, and a seat whose hand is face down has no legal action.

        Args:
            states: (N,) STATE.
            seats: (N,) the seat that looks, or one for all; None: the seat to move.
        """
        if not self.ruleset.hand_size:
            return states
        viewers = states["seat"] if seats is None else np.broadcast_to(seats, len(states))
        seen = states.copy()
        lanes.view_lanes(seen, self.rules, viewers.astype(np.int64))
        return seen

    def determinize(self, states: States, seats: IntArray | int, rng: Generators) -> States:
        """Copies in which what a seat cannot see is dealt anew, uniformly among what is consistent with its view.

        Args:
            states: (N,) STATE, views or not: the result depends on what the seat may know alone.
            seats: (N,) the seat that looks, or one for all.
            rng: (N,) uint64 generators, advanced.
        """
        if not self.ruleset.hand_size:
            return states.copy()
        dealt = self.view(states, seats)
        lanes.determinize_lanes(dealt, self.rules, rng)
        return dealt

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


def _check_seats(rules: Ruleset, seats: int) -> None:
    """Refuse what depends on how many seats there are."""
    if seats not in rules.seat_counts:
        raise RulesetError(f"seats={seats}: teams need four seats, 0 and 2 against 1 and 3 (T1)")
    held = seats * rules.hand_size
    if held >= sum(rules.counts) and not rules.replacement:
        raise RulesetError(
            f"hand_size={rules.hand_size} for {seats} seats takes {held} cards, and the deck has {sum(rules.counts)}: "
            "hands need a larger deck (H1)"
        )


def _compiled(rules: Ruleset, colours: Sequence[str], actions: ActionTable, features: FeatureTable) -> board.Rules:
    row: board.Rules = np.zeros(1, board.RULES)
    row["turn_limit"] = rules.turn_limit or 0
    row["seats"], row["pawns"], row["hand_size"] = len(colours), rules.pawns, rules.hand_size
    row["plain"] = not (rules.hand_size or rules.tokens or rules.question_cards or rules.split_freely)
    row["again"] = CARDS.index("2") if rules.two_draws_again else board.NONE
    row["teams"], row["members"], row["apart"] = rules.teams, 1 + rules.teams, 1 + rules.teams
    row["rivals"] = len(colours) // 2 if rules.teams else len(colours) - 1
    row["replacement"], row["swap_slides_both"] = rules.replacement, rules.swap_slides_both
    row["tokens"], row["second_home"] = rules.tokens, rules.fire_second_home
    row["marks"] = rules.tokens or rules.split_freely
    row["coin"], row["turbo"], row["on_circle"] = rules.answer == "random", rules.turbo, rules.pawn_on_circle
    row["ways"] = 2 if rules.bypass_entry else 1
    row["deck"] = rules.counts
    row["share"] = 1 / np.maximum(rules.counts, 1)
    row["shift"] = board.shift_table(colours)
    row["path"], row["slide"], row["push"] = board.path_table(rules), board.slide_table(rules), board.push_table(rules)
    row["special"] = (row["slide"] != np.arange(board.NOWHERE + 1)) | (row["push"] != 0)
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
        seats: 2, 3 or 4, in teams 4, or the colours in turn order, clockwise.
        **changes: fields of `Ruleset`.

    Raises:
        RulesetError: what is unknown, out of range or contradictory, by name.
    """
    rules, colours = ruleset(name, **changes), board.seat_colours(seats)
    _check_seats(rules, len(colours))
    return _variant(rules, colours)
