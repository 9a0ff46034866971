"""What a finished game pays (H7), and a potential for shaping."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sorry_env.board import DIAMOND, HOME, PLACES, SAFE
from sorry_env.state import States
from sorry_env.variant import Variant

Payments = npt.NDArray[np.float64]
"""(N, S) float64."""


def win(game: Variant, states: States) -> Payments:
    """(N, S) float64: 1 for a win, the losers share -1, or have -1 each in teams; zeros if not over or truncated."""
    return game.returns(states)


def score(game: Variant, states: States) -> Payments:
    """(N, S) float64: the score of finished games, zeros for others: points (H5, H6), or 1 for a win (H7)."""
    if game.ruleset.points is None:
        return (game.returns(states) > 0).astype(np.float64)
    home = (states["pawns"][:, : game.seats, : game.ruleset.pawns] == HOME).sum(axis=2)
    won = (states["winners"][:, None] >> np.arange(game.seats)) & 1
    prize = np.stack([_prize(game, np.delete(home, seat, axis=1)) for seat in range(game.seats)], axis=1)
    each = _SCALES[game.ruleset.points].each
    scores: Payments = (each * home + won * prize) * (states["over"][:, None] != 0)
    return scores.astype(np.float64)


@dataclass(frozen=True)
class _Scale:
    """What pawns Home are worth, and the bonus for leaving no opponent more than 0, 1 or 2 of them (H5, H6)."""

    each: int
    rivals_home: bool
    bonus: tuple[int, int, int]


_SCALES = {"1939": _Scale(1, True, (24, 16, 8)), "modern": _Scale(5, False, (100, 50, 25))}


def _prize(game: Variant, home: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(N,) int64: what a winner gets besides its own pawns, of the opponents' pawns Home, (N, S - 1)."""
    scale = _SCALES[str(game.ruleset.points)]
    counted = home if scale.rivals_home else game.ruleset.pawns - home
    bonus: npt.NDArray[np.int64] = np.array([*scale.bonus, 0, 0])[home.max(axis=1)]
    prize: npt.NDArray[np.int64] = scale.each * counted.sum(axis=1) + bonus
    return prize


def points(game: Variant, states: States) -> Payments:
    """(N, S) float64: each seat's score less the mean of the others'; zero-sum."""
    return _less_others(score(game, states))


REWARDS: dict[str, Callable[[Variant, States], Payments]] = {"win": win, "points": points, "score": score}


def _less_others(values: Payments) -> Payments:
    others = (values.sum(axis=1, keepdims=True) - values) / (values.shape[1] - 1)
    rest: Payments = values - others
    return rest


def progress_table() -> npt.NDArray[np.int64]:
    """(PLACES,) int64: steps that a pawn has come: Start 0, circle 1, ..., entry 59, zone 60..64, Home 65.

    The diamond square counts 0: from there the whole ring is still to be walked.
    """
    table = np.arange(PLACES)
    table[DIAMOND] = 0
    table[SAFE + 1 :] -= 1
    return table


PROGRESS = progress_table()


def progress(game: Variant, states: States) -> npt.NDArray[np.int64]:
    """(N, S) int64: steps that each seat's pawns have come in all."""
    steps: npt.NDArray[np.int64] = PROGRESS[states["pawns"][:, : game.seats, : game.ruleset.pawns]].sum(axis=2)
    return steps


def potentials(game: Variant, states: States) -> Payments:
    """(N, S) float64 in -1..1: share of the way come, less the mean of the others'; 0 when the game is over."""
    whole = PROGRESS[HOME] * game.ruleset.pawns
    running = states["over"] == 0
    return _less_others(progress(game, states) / whole * running[:, None])
