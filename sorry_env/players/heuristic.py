"""A player that plays by what good players say: a weighted sum of named terms on the position after its move.

Each game has terms and weights of its own, `Family.terms`.
"""

from collections.abc import Mapping

import numpy as np

from sorry_env.errors import PlayerError, suggestion
from sorry_env.players.base import AfterstatePlayer, Scores
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States


class Heuristic(AfterstatePlayer):
    """Takes the action whose afterstate has the largest weighted sum of terms; a win before all else.

    `heuristic?without=danger` plays with that term switched off, `without=danger,threat` with both.
    """

    OPTIONS = ("without",)

    def __init__(
        self,
        game: Variant,
        spec: str = "heuristic",
        without: str = "",
        weights: Mapping[str, float] | None = None,
    ) -> None:
        """Prepare the tables of the variant.

        Args:
            game: the variant.
            spec: the spec string.
            without: terms to switch off, with commas between them.
            weights: by term, 0 for those left out; None for those of the game.

        Raises:
            PlayerError: `without` names an unknown term.
        """
        super().__init__(game, spec)
        self.terms = game.family.terms(game)
        chosen, names = self.terms.weights if weights is None else weights, self.terms.names
        off = [name for name in without.split(",") if name]
        for name in off:
            if name not in names:
                raise PlayerError(f"{spec!r}: the heuristic has no term {name!r}; {suggestion(name, names)}")
        self.weights = np.array([0.0 if name in off else chosen.get(name, 0.0) for name in names])

    def scores(self, after: States, seats: IntArray) -> Scores:
        """(M,) float64: the weighted sums; infinite where the seat has won, or by a push another one (M2)."""
        terms = self.terms.vectors(self.game, after, seats)
        found = np.einsum("mt,t->m", terms, self.weights)  # unlike a product by BLAS, the same in every batch
        won, lost = after["winners"] >> seats & 1 != 0, after["winners"] != 0
        return np.select([won, lost], [np.inf, -np.inf], found)
