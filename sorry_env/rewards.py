"""What a finished game pays (H7), and a potential for shaping."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from sorry_env.variant import Variant
from sorry_env.verbs import States

Payments = npt.NDArray[np.float64]
"""(N, S) float64."""


def win(game: Variant, states: States) -> Payments:
    """(N, S) float64: 1 for a win, the losers share -1, or have -1 each in teams; zeros if not over or truncated."""
    return game.returns(states)


def score(game: Variant, states: States) -> Payments:
    """(N, S) float64: the score of finished games, zeros for others: points (H5, H6), or 1 for a win (H7)."""
    return game.score(states)


def points(game: Variant, states: States) -> Payments:
    """(N, S) float64: each seat's score less the mean of the others'; zero-sum."""
    return _less_others(score(game, states))


REWARDS: dict[str, Callable[[Variant, States], Payments]] = {"win": win, "points": points, "score": score}


def forfeit(game: Variant, kind: str) -> float:
    """What an illegal action costs where it ends the game: no loss at the table is worse (rewards of a `kind`)."""
    return -1.0 if kind == "win" else -game.family.best_score(game)


def _less_others(values: Payments) -> Payments:
    others = (values.sum(axis=1, keepdims=True) - values) / (values.shape[1] - 1)
    rest: Payments = values - others
    return rest


def potentials(game: Variant, states: States) -> Payments:
    """(N, S) float64 in -1..1: share of the way come, less the mean of the others'; 0 when the game is over."""
    running = states["over"] == 0
    return _less_others(game.progress(states) / game.family.way(game) * running[:, None])
