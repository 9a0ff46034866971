"""A checkpoint as a player. It needs NumPy and the engine, not the library that trained it."""

import numpy as np

from sorry_env.checkpoint import Checkpoint, check_fits, load_checkpoint
from sorry_env.mlp import net_of
from sorry_env.players.base import AfterstatePlayer, Values, ended
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States


class Network(AfterstatePlayer):
    """Takes the action whose afterstate a value net likes best."""

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
        values = np.tanh(self.net(after, self.game.rules, seats)[:, 0].astype(np.float64))
        return ended(self.game, after, seats, values)

    scores = values
