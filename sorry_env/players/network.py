"""A checkpoint as a player. It needs NumPy and the engine, not the library that trained it."""

import numpy as np

from sorry_env import lanes
from sorry_env.checkpoint import Checkpoint, check_fits, load_checkpoint
from sorry_env.mlp import net_of
from sorry_env.players.base import AfterstatePlayer, Values, ended
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States


class Network(AfterstatePlayer):
    """Takes the action whose afterstate a value net likes best.

    Where a seat has to decide before chance comes, as with the other die or the answer to a question, a state is worth
    what the best end of that seat's turn is: nets are trained at the ends of turns.
    """

    def __init__(self, game: Variant, spec: str, checkpoint: Checkpoint | None = None) -> None:
        """Take a value net that is in memory, or load the one whose path the spec is.

        Raises:
            CheckpointError: the file is missing, damaged, or made for another game.
        """
        super().__init__(game, spec)
        found = checkpoint or load_checkpoint(spec)
        check_fits(spec, found, game, "value")
        self.net = net_of(found.layers, game.num_features)

    def values(self, after: States, seats: IntArray) -> Values:
        """(M,) float64: the expected return of each seat, (M,) int64, in -1..1, exact where the game is over."""
        ends, counts = self.game.turn_ends(after)
        if len(ends) > len(after):
            likes = self._of_ends(ends, np.repeat(after["seat"].astype(np.int64), counts))
            best, lots = np.empty(len(after), np.int64), np.ones(len(after), np.uint64)
            lanes.best_lanes(likes, counts, lots, best)  # equal ones always fall alike
            ends = ends[best]
        return self._of_ends(ends, seats)

    scores = values

    def _of_ends(self, ends: States, seats: IntArray) -> Values:
        values = np.tanh(self.net(ends, self.game.rules, seats)[:, 0].astype(np.float64))
        return ended(self.game, ends, seats, values)
