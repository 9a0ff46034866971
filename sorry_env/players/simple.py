"""Players without knowledge: one draws lots, one runs."""

import numpy as np

from sorry_env import lanes
from sorry_env.players.base import AfterstatePlayer, Scores, Values
from sorry_env.random import Generators
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States


class Uniform:
    """Plays every legal action with the same probability."""

    def __init__(self, game: Variant, spec: str = "uniform") -> None:
        """Remember the variant."""
        self.game, self.spec = game, spec

    def choose(self, states: States, rng: Generators) -> IntArray:
        """One of the legal actions, drawn by lot; see `Player.choose`."""
        actions = np.empty(len(states), np.int64)
        lanes.uniform_lanes(states, self.game.rules, rng, actions)
        return actions

    def odds(self, states: States) -> tuple[IntArray, IntArray, Values]:
        """All the same; see `Player.odds`."""
        actions, counts = self.game.legal_actions(states)
        return actions, counts, np.repeat(1 / np.maximum(counts, 1), counts)


class Greedy(AfterstatePlayer):
    """Looks one move ahead: the most progress for the pieces of its own side, the least left to the others'."""

    def __init__(self, game: Variant, spec: str = "greedy") -> None:
        """Remember the variant."""
        super().__init__(game, spec)

    def scores(self, after: States, seats: IntArray) -> Scores:
        """(M,) float64: own steps, in teams the partner's too (T1), less the sum of the others'."""
        steps, rows = self.game.progress(after), np.arange(len(after))
        own = steps[rows, seats]
        if self.game.ruleset.partners:
            own = own + steps[rows, (seats + 2) % self.game.seats]
        lead: Scores = (2 * own - steps.sum(axis=1)).astype(np.float64)
        return lead
