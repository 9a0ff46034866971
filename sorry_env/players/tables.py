"""Players by exact tables: one runs its race as fast as can be, the other knows who wins when few pawns are left."""

import numpy as np
import numpy.typing as npt

from sorry_env.errors import PlayerError, SolveError
from sorry_env.players.base import AfterstatePlayer, Leaf, Scores, Values, ended, leaf_of
from sorry_env.solve import duel_table, race_table
from sorry_env.solve.ahead import first_lanes
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States


class Race(AfterstatePlayer):
    """Takes the afterstate in which it is furthest ahead: the turns that the others still need, less its own.

    The turns are those of seats that are alone on the board, by an exact table; of the others' the least count. The
    table is computed on first use, with a progress bar, and lies in the user's cache from then on.
    """

    def __init__(self, game: Variant, spec: str = "race") -> None:
        """Take the table from the cache, or compute it.

        Raises:
            PlayerError: there is no such table for the game.
        """
        super().__init__(game, spec)
        try:
            self.space, (self.turns, self.spread) = race_table(game)
        except SolveError as error:
            raise PlayerError(f"{spec!r}: {error}") from error

    def scores(self, after: States, seats: IntArray) -> Scores:
        """(M,) float64: turns that the nearest of the others still needs, less the seat's own."""
        turns, rows = self.turns[self._ranks(after)].astype(np.float64), np.arange(len(after))
        own = turns[rows, seats]
        turns[rows, seats] = np.inf
        lead: Scores = turns.min(axis=1) - own
        return lead

    def values(self, after: States, seats: IntArray) -> Values:
        """(M,) float64: the expected return of each seat if nobody met anybody, about; exact after the end."""
        ranks, chances = self._ranks(after), np.empty((len(after), self.game.seats))
        first_lanes(self.turns[ranks], self.spread[ranks], after["seat"], chances)
        own = chances[np.arange(len(after)), seats]
        return ended(self.game, after, seats, (own * self.game.seats - 1) / (self.game.seats - 1))

    def _ranks(self, states: States) -> npt.NDArray[np.int64]:
        """(M, S) int64: where each seat's pawns stand, by number."""
        every = [self.space.places(states, np.full(len(states), seat)) for seat in range(self.game.seats)]
        return np.stack(every, axis=1)


class Optimal(AfterstatePlayer):
    """Plays two seats' game by its exact solution when few pawns are left, and before that as another player values it.

    The solution is that of cards that come back at once: with a pile it is near, but not exact. `optimal?pawns=1` has
    a small table, which says nothing as long as a seat has two pawns to bring Home. `beyond` names the player for what
    is not solved: `optimal?beyond=FILE.safetensors`.
    """

    OPTIONS = ("pawns", "beyond")

    def __init__(self, game: Variant, spec: str = "optimal", pawns: int | str = 2, beyond: str | Leaf = "race") -> None:
        """Take the table from the cache, or compute it.

        Args:
            game: the variant, of two seats.
            spec: the spec string.
            pawns: for how many pawns left to a seat the game is solved, 1 or 2.
            beyond: a player's spec, or whatever has values.

        Raises:
            PlayerError: the game is not solved, an option is not what it should be, or `beyond` has no values.
            CheckpointError: the file of `beyond` is missing, damaged, or made for another game.
        """
        super().__init__(game, spec)
        if str(pawns) not in ("1", "2"):
            raise PlayerError(f"{spec!r}: pawns is {pawns!r}; the game is solved for 1 or 2 pawns left to each seat")
        try:
            self.space, (self.chances,) = duel_table(game, int(pawns))
        except SolveError as error:
            raise PlayerError(f"{spec!r}: {error}") from error
        solved = game.ruleset.pawns <= int(pawns)
        self.beyond = None if solved else leaf_of(spec, beyond, game)

    def values(self, after: States, seats: IntArray) -> Values:
        """(M,) float64: the expected return of each seat, -1 to 1; exact where the game is over."""
        numbers = self.space.numbers(after)
        known = numbers >= 0
        mover = 2 * self.chances[numbers].astype(np.float64) - 1
        found = np.where(after["seat"] == seats, mover, -mover)
        if self.beyond is not None and not known.all():
            found[~known] = self.beyond.values(after[~known], seats[~known])
        return ended(self.game, after, seats, found)

    scores = values
