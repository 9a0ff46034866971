"""What a finished game of points is worth (H5, H6), and how far pawns have come."""

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from sorry_env.sorry.board import DIAMOND, HOME, PLACES, SAFE
from sorry_env.variant import Variant
from sorry_env.verbs import States

Floats = npt.NDArray[np.float64]


def points(game: Variant, states: States) -> Floats:
    """(N, S) float64: the points of finished games, zeros for others (H5, H6)."""
    home = (states["pawns"][:, : game.seats, : game.ruleset.pawns] == HOME).sum(axis=2)
    won = (states["winners"][:, None] >> np.arange(game.seats)) & 1
    prize = np.stack([_prize(game, np.delete(home, seat, axis=1)) for seat in range(game.seats)], axis=1)
    each = _SCALES[game.ruleset.points].each
    scores: Floats = (each * home + won * prize) * (states["over"][:, None] != 0)
    return scores.astype(np.float64)


def best_points(game: Variant) -> float:
    """The most points that a seat can have: over all numbers of pawns that each opponent may have Home (H5, H6)."""
    pawns, rivals = game.ruleset.pawns, game.seats - 1
    home = np.array(list(combinations_with_replacement(range(pawns + 1), rivals)))
    return float(_SCALES[str(game.ruleset.points)].each * pawns + _prize(game, home).max())


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
