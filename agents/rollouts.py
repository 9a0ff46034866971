"""Rollouts: what each legal action of a position is worth, by games played to their ends from where it leads.

All actions of a position get the same chances, **common random numbers**: in rollout r each is followed by the same
cards, from the same hidden hands, and the players draw the same lots. So their worths vary together, and differences
between them are much sharper than the worths. What the seat to move cannot see is dealt anew for each rollout.
"""

import numpy as np
import numpy.typing as npt

from agents.arena import as_scores, sides
from agents.luck import Luck
from sorry_env.players import AfterstatePlayer, Player
from sorry_env.random import Generators, generators
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States

Floats = npt.NDArray[np.float64]


class Rollouts:
    """Rolls positions out. N positions, M legal actions in all, R rollouts, L = M * R games side by side."""

    def __init__(
        self, game: Variant, player: Player, rollouts: int, seed: int, luck: AfterstatePlayer | None = None
    ) -> None:
        """Say who plays.

        Args:
            game: the variant.
            player: plays all seats after the action.
            rollouts: games for each action, R.
            seed: of cards, hidden hands and lots; a position's depend on its number alone, beside the seed.
            luck: takes luck off by this player, whose scores are expected returns: the worths have the same mean, and
                vary less.
        """
        self.game, self.player, self.rollouts, self.seed = game, player, rollouts, seed
        self.measure = Luck(game, luck) if luck is not None else None

    def worths(self, states: States, numbers: IntArray) -> Floats:
        """What each rollout gave.

        Args:
            states: (N,) STATE in which a seat has to decide.
            numbers: (N,) whole numbers, which positions these are.

        Returns:
            (M, R) float64: the mover's score, 1 for a win and 0 for a loss, less luck where that is taken off; state by
            state and action by action in table order.
        """
        cards, lots = self._chances(numbers)
        movers = np.repeat(states["seat"].astype(np.int64), self.rollouts)
        dealt = self.game.determinize(np.repeat(states, self.rollouts), movers, cards)
        actions, counts = self.game.legal_actions(states)
        owners = np.repeat(np.arange(len(states)), counts)
        lanes = (owners[:, None] * self.rollouts + np.arange(self.rollouts)).ravel()
        after = dealt[lanes]
        self.game.play(after, np.repeat(actions, self.rollouts))
        returns = self._returns(after, cards[lanes], lots[lanes])[np.arange(len(lanes)), movers[lanes]]
        return as_scores(returns, sides(self.game)).reshape(len(actions), self.rollouts)

    def _chances(self, numbers: IntArray) -> tuple[Generators, Generators]:
        """(N * R,) generators of cards, and as many of lots, position by position."""
        chances = [
            [generators(np.random.SeedSequence(self.seed, spawn_key=(int(n), k)), self.rollouts) for n in numbers]
            for k in range(2)
        ]
        cards, lots = map(np.concatenate, chances)
        return cards, lots

    def _returns(self, states: States, cards: Generators, lots: Generators) -> Floats:
        """(L, S) float64: the seats' returns, less luck, when (L,) STATE, just after an action, are played on."""
        found, left = np.zeros((len(states), self.game.seats)), np.arange(len(states))
        while len(left):
            found[left] -= self._drawn(states, cards)
            found[left] += self.game.returns(states)  # zeros unless the game has just ended
            running = states["over"] == 0
            states, cards, lots, left = states[running], cards[running], lots[running], left[running]
            self.game.play(states, self.player.choose(self.game.view(states), lots))
        return found

    def _drawn(self, states: States, cards: Generators) -> Floats | float:
        """Let chance happen, and tell its luck, (L, S) float64 or nothing."""
        if self.measure is not None:
            return self.measure.draw(states, cards)
        self.game.draw(states, cards)
        return 0.0
