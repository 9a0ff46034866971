"""A player that plays by what good players say: a weighted sum of named terms on the position after its move.

Every term is a number that a person could work out at the table, counted cards included: the own hand is known, and the
cards that nobody has seen give the chance of each one to come. `TERMS` says what each term means, `weights` how much it
counts. In teams all pawns of both partners are own ones, and the opponents are the rivals.

The measure of all things is the **turns** that a pawn alone on the board would need to come Home, exactly computed for
the ruleset: it knows slides, the way back over the circle and the exact count at the end. Weights are in turns.
"""

from collections.abc import Mapping

import numpy as np

from sorry_env.errors import PlayerError, suggestion
from sorry_env.players.base import AfterstatePlayer, Scores
from sorry_env.players.terms import TERMS, term_vectors
from sorry_env.players.weights import weights_of
from sorry_env.state import States
from sorry_env.variant import IntArray, Variant


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
            weights: by term, 0 for those left out; None for `weights_of` the variant.

        Raises:
            PlayerError: `without` names an unknown term.
        """
        super().__init__(game, spec)
        chosen = weights_of(game) if weights is None else weights
        off = [name for name in without.split(",") if name]
        for name in off:
            if name not in TERMS:
                raise PlayerError(f"{spec!r}: the heuristic has no term {name!r}; {suggestion(name, TERMS)}")
        self.weights = np.array([0.0 if name in off else chosen.get(name, 0.0) for name in TERMS])

    def scores(self, after: States, seats: IntArray) -> Scores:
        """(M,) float64: the weighted sums; infinite where the seat has won, or by a push another one (M2)."""
        terms = term_vectors(self.game, after, seats)
        found = np.einsum("mt,t->m", terms, self.weights)  # unlike a product by BLAS, the same in every batch
        won, lost = after["winners"] >> seats & 1 != 0, after["winners"] != 0
        return np.select([won, lost], [np.inf, -np.inf], found)
