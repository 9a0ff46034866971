"""How lucky each seat was: what a card has changed of its prospects, and what a game gave without that.

Let V say for every state what each seat expects of it. When chance brings one outcome of several, each seat's **luck**
is V after it, less the mean of V over all that might have come, by their exact probabilities. Given the game so far
its mean is zero, whatever V is and whatever the players do; so a return less the luck of its game has the same mean as
the return. The better V, the less it varies: an exact V leaves only what the players do. (White, Bowling: Learning a
value analysis tool for agent evaluation, 2009, and the many before them, call this an advantage sum.)

V comes from an `AfterstatePlayer` whose scores are expected returns, such as a value net. Where a seat has to decide, V
is what all seats expect of the afterstate that the player would choose for it; where chance is due again, of the state
itself; where the game is over, the returns. V looks at the true states, hidden hands too: no player learns of it.
"""

import numpy as np
import numpy.typing as npt

from sorry_env import lanes
from sorry_env.players import AfterstatePlayer
from sorry_env.random import Generators
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States

Floats = npt.NDArray[np.float64]

AT_ONCE = 256
"""States whose outcomes are laid out side by side: there may be hundreds of each."""


class Luck:
    """Measures luck by what a player thinks of states. N states, S seats."""

    def __init__(self, game: Variant, player: AfterstatePlayer) -> None:
        """Take a player of `game` whose scores are expected returns."""
        self.game, self.player = game, player

    def draw(self, states: States, rng: Generators) -> Floats:
        """Let chance happen as `Variant.draw` does, and tell the luck of it.

        Args:
            states: (N,) STATE, written.
            rng: (N,) uint64 generators, advanced as `Variant.draw` would.

        Returns:
            (N, S) float64: the seats' luck in units of returns, 0 where chance was not due; it adds up to 0.
        """
        luck = np.zeros((len(states), self.game.seats))
        due = np.flatnonzero(self.game.chance_due(states))
        while len(due):
            for part in np.split(due, range(AT_ONCE, len(due), AT_ONCE)):
                before, numbers = states[part], rng[part]
                states[part], rng[part] = self._drawn(before, numbers)
                luck[part] += self.values(states[part]) - self.expected(before)
            due = due[self.game.chance_due(states[due])]
        return luck

    def _drawn(self, before: States, rng: Generators) -> tuple[States, Generators]:
        after = before.copy()
        self.game.draw_once(after, rng)
        return after, rng

    def expected(self, states: States) -> Floats:
        """(N, S) float64: the mean of `values` over what chance may do next in (N,) STATE."""
        dealt, odds, counts = self.game.chances(states)
        weighted = odds[:, None] * self.values(dealt)
        means: Floats = np.add.reduceat(weighted, np.cumsum(counts) - counts, axis=0)
        return means

    def values(self, states: States) -> Floats:
        """(N, S) float64: V of (N,) STATE, the seats' expected returns; they add up to 0."""
        chosen, own = self._chosen(states)
        movers, rows = states["seat"].astype(np.int64), np.arange(len(states))
        found = np.empty((len(states), self.game.seats))
        found[rows, movers] = own
        for k in range(1, self.game.seats):
            others = (movers + k) % self.game.seats
            found[rows, others] = self.player.scores(chosen, others)
        found = self._zero_sum(found)
        over = chosen["over"] != 0
        found[over] = self.game.returns(chosen[over])
        return found

    def _chosen(self, states: States) -> tuple[States, Floats]:
        """Where the player's choice leads, the state itself where nobody has to decide; and (N,) the mover's score."""
        after, counts = self._choices(states)
        scores = self.player.scores(after, np.repeat(states["seat"].astype(np.int64), counts))
        best, lots = np.empty(len(states), np.int64), np.ones(len(states), np.uint64)
        lanes.best_lanes(scores, counts, lots, best)  # V is a function of the state: equal ones always fall alike
        return after[best], scores[best].astype(np.float64)

    def _choices(self, states: States) -> tuple[States, IntArray]:
        """(M,) STATE, where the legal actions lead or else the state itself, and (N,) how many belong to a state."""
        actions, counts = self.game.legal_actions(states)
        several = np.maximum(counts, 1)
        decided = np.repeat(counts > 0, several)
        after = self.game.new_states(len(decided))
        after[decided] = self.game.after(states, actions, counts)
        after[~decided] = states[counts == 0]
        return after, several

    def _zero_sum(self, values: Floats) -> Floats:
        """What (N, S) values of the seats say together: returns add up to 0, and partners share theirs (T8)."""
        if self.game.ruleset.partners:
            values = (values + np.roll(values, 2, axis=1)) / 2
        rest: Floats = values - values.mean(axis=1, keepdims=True)
        return rest
