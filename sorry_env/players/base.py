"""What a player is: a function from states to actions, batch first. Whoever calls need not know how it thinks."""

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from sorry_env import lanes
from sorry_env.errors import PlayerError
from sorry_env.random import Generators, generators
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States

Scores = npt.NDArray[np.floating]
Values = npt.NDArray[np.float64]


class Player(Protocol):
    """Anything that chooses actions for one variant.

    Attributes:
        game: the variant that the player was made for.
        spec: the spec string that makes it again.
    """

    game: Variant
    spec: str

    def choose(self, states: States, rng: Generators) -> IntArray:
        """Choose a legal action for the seat to move of each state.

        Args:
            states: (N,) STATE in which a seat has to decide, as that seat may see them (`Variant.view`); not changed.
            rng: (N,) uint64 generators, advanced where the player draws lots.

        Returns:
            (N,) int64 action ids; 0 for states in which nobody can act.
        """
        ...

    def odds(self, states: States) -> tuple[IntArray, IntArray, Values]:
        """The probability with which the player takes each legal action, as far as `choose` draws lots.

        Args:
            states: (N,) STATE as for `choose`.

        Returns:
            actions: (M,) int64, state by state in table order.
            counts: (N,) int64, how many belong to each state; they add up to M.
            odds: (M,) float64, which add up to 1 for each state.
        """
        ...


@runtime_checkable
class Leaf(Protocol):
    """What knows how a game will end on average, and may stand at the ends of a search."""

    def values(self, after: States, seats: IntArray) -> Values:
        """(M,) float64: the expected return of a seat, (M,) int64, from each afterstate, (M,) STATE.

        In -1..1, exact where the game is over, and the same for an afterstate whatever else is asked.
        """
        ...


class AfterstatePlayer:
    """A player that scores where each legal action leads, and takes the best; equal ones are drawn by lot."""

    def __init__(self, game: Variant, spec: str) -> None:
        """Remember the variant and the spec."""
        self.game, self.spec = game, spec

    def scores(self, after: States, seats: IntArray) -> Scores:
        """(M,) float: how good each afterstate, (M,) STATE, is for a seat, (M,) int64."""
        raise NotImplementedError(f"{type(self).__name__} has no scores")

    def action_scores(self, states: States, actions: IntArray, counts: IntArray, rng: Generators) -> Scores:
        """(M,) float: how good each of (M,) int64 legal actions is, of which `counts[i]` belong to state i.

        Args:
            states: (N,) STATE, as the seat to move may see them; not changed.
            actions: (M,) int64, state by state.
            counts: (N,) int64; 0 where nothing need be scored.
            rng: (N,) uint64 generators, advanced where the player imagines what is hidden.
        """
        return self.scores(self.game.after(states, actions, counts), np.repeat(states["seat"], counts))

    def choose(self, states: States, rng: Generators) -> IntArray:
        """The action with the best afterstate; see `Player.choose`."""
        actions, counts = self.game.legal_actions(states)
        wanted = np.repeat(counts > 1, counts)  # where there is but one way, nothing need be scored
        options, several = actions[wanted], np.where(counts > 1, counts, 0)
        scores = self.action_scores(states, options, several, rng)
        best, chosen = np.empty(len(states), np.int64), np.zeros(len(states), np.int64)
        lanes.best_lanes(scores, several, rng, best)
        chosen[counts > 1] = options[best[counts > 1]]
        chosen[counts == 1] = actions[(np.cumsum(counts) - counts)[counts == 1]]
        return chosen

    def odds(self, states: States) -> tuple[IntArray, IntArray, Values]:
        """Equal odds for the best actions; see `Player.odds`. What is hidden is imagined with lots of its own."""
        actions, counts = self.game.legal_actions(states)
        scores = self.action_scores(states, actions, counts, generators(0, len(states)))
        begins = (np.cumsum(counts) - counts)[counts > 0]
        some = counts[counts > 0]
        best = scores == np.repeat(np.maximum.reduceat(scores, begins), some)
        return actions, counts, best / np.repeat(np.add.reduceat(best, begins, dtype=np.float64), some)


def ended(game: Variant, after: States, seats: IntArray, values: Values) -> Values:
    """(M,) values of afterstates for a seat of each, changed to its return where the game is over."""
    over = np.flatnonzero(after["over"])
    if len(over):
        values[over] = game.returns(after[over])[np.arange(len(over)), seats[over]]
    return values


LEAVES = "champion, a value checkpoint, race or optimal"
"""Players that know how a game will end on average, to end an error message."""


def leaf_of(spec: str, leaf: str | Leaf | None, game: Variant) -> Leaf:
    """What another player, of this spec, asks for values.

    Raises:
        PlayerError: there is none, or it has no values.
        CheckpointError: its file is missing, damaged, or made for another game.
    """
    from sorry_env.players import make_player  # which knows those who ask, too

    if not leaf:
        raise PlayerError(f"{spec!r} has no leaf; name {LEAVES}: search?leaf=FILE.safetensors")
    found = make_player(leaf, game) if isinstance(leaf, str) else leaf
    if not isinstance(found, Leaf):
        raise PlayerError(f"{spec!r}: the leaf {leaf!r} does not say what return it expects; take {LEAVES}")
    return found
