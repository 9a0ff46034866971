"""Ratings on the Elo scale: how strong players are, from all the matches that they have played.

The model is that of Plackett and Luce, of which the game shows the winner alone: where sides of strengths w sit at a
table, each wins with probability w over the sum of all. With two sides this is the model of Bradley and Terry. A score
need not be 0 or 1: a truncated game is shared, a score less its luck is a better guess of the same mean, and the fit
asks of the scores their sums alone: those that the strengths predict are those that were made.

A rating is 400 log10 w: with two sides 100 points more are a win rate of 64%. Who wins everything would be infinitely
strong, so the fit adds some virtual even games at each table that was played: a prior that 1,000 real games drown.

The unit of chance is the **deal**. Games of one seed share their deals, whoever plays, so intervals come from a
Bayesian bootstrap over deals: each deal of a seed gets a random weight of mean 1, the same in all matches, and the
ratings are fitted again. (Exponential weights, which are never 0, do to deals what drawing them anew does, and suit
matches that share only some of theirs.) An interval holds the middle 95% of such ratings, relative to the anchor's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.arena import MatchResult
from sorry_env.errors import SorryError, suggestion

Floats = npt.NDArray[np.float64]

ELO = 400 / np.log(10)
"""Points of a factor e in strength."""
PRIOR = 1.0
"""Virtual even games at each table."""
RESAMPLES = 1000
_AT_ONCE = 100
"""Resamples that are fitted side by side."""
_ROUNDS, _CLOSE = 500, 1e-9
"""Newton's steps at most, and how small the last one is, in units of log strength."""


class RatingError(SorryError):
    """Matches that ratings cannot be made from."""


@dataclass(frozen=True)
class Record:
    """A match as ratings see it. D deals, E entrants: a side each.

    Attributes:
        entrants: the players' names, E of them; one may take several places.
        scores: (D, E) float64, mean scores by deal; they add up to 1 in each, and may lie outside 0..1 less luck.
        seed: of the deals; matches of the same seed share them.
        games: how many were played with each deal.
    """

    entrants: tuple[str, ...]
    scores: Floats
    seed: int
    games: int


@dataclass(frozen=True)
class Ratings:
    """K players, strongest first.

    Attributes:
        names: of the players, K of them.
        elo: (K,) float64: ratings.
        low, high: (K,) float64: their 95% intervals; those of the anchor have no width.
        games: (K,) int64: games that each took part in.
        anchor: who is 0 by definition; None: the mean is.
    """

    names: tuple[str, ...]
    elo: Floats
    low: Floats
    high: Floats
    games: npt.NDArray[np.int64]
    anchor: str | None


def record_of(result: MatchResult, seed: int, names: Sequence[str] | None = None) -> Record:
    """What a match says; partners are one entrant.

    Args:
        result: of S players.
        seed: that it was played with.
        names: of the S players; by default their specs.
    """
    found = list(names or result.specs)
    teams = [dict.fromkeys(found[side :: result.sides]) for side in range(result.sides)]
    return Record(
        tuple(" + ".join(team) for team in teams), result.scores[:, : result.sides], seed, result.turns.shape[1]
    )


def rate(
    records: Iterable[Record], anchor: str | None = None, prior: float = PRIOR, resamples: int = RESAMPLES
) -> Ratings:
    """Fit all that have played.

    Args:
        records: matches of one ruleset with as many sides in each.
        anchor: who is to have 0; by default the mean has.
        prior: virtual even games at each table, a positive number.
        resamples: of the bootstrap.

    Raises:
        RatingError: there is no match of different players, two groups never met, the anchor has not played, a table
            has a single deal, or `prior` is not positive.
    """
    if not prior > 0:
        raise RatingError(f"prior={prior}: a positive number of virtual games, as in prior={PRIOR:g}")
    kept = [record for record in records if len(set(record.entrants)) > 1]
    names = sorted({name for record in kept for name in record.entrants})
    _check(kept, names, anchor)
    tables = _Tables(kept, names, prior)
    drawn = np.concatenate([tables.strengths(part) for part in _weights(kept, resamples)])
    elo, spread = (_anchored(ELO * found, names, anchor) for found in (tables.strengths(_ones(kept))[0], drawn))
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    order = np.argsort(-elo, kind="stable")
    games = tables.games()[order]
    return Ratings(tuple(names[k] for k in order), elo[order], low[order], high[order], games, anchor)


def _anchored(elo: Floats, names: list[str], anchor: str | None) -> Floats:
    """(..., K) ratings less the anchor's, or their mean."""
    zero = elo.mean(axis=-1, keepdims=True) if anchor is None else elo[..., names.index(anchor), None]
    rest: Floats = elo - zero
    return rest


def _check(records: list[Record], names: list[str], anchor: str | None) -> None:
    if not records:
        raise RatingError("there is no match of two different players to rate by; play one")
    if anchor is not None and anchor not in names:
        raise RatingError(f"the anchor {anchor!r} has not played; {suggestion(anchor, names)}")
    groups = _groups(records, names)
    if len(groups) > 1:
        listed = " and ".join("(" + ", ".join(group) + ")" for group in groups)
        raise RatingError(f"{len(groups)} groups have never met: {listed}; play a match between them")


def _groups(records: list[Record], names: list[str]) -> list[list[str]]:
    """Players who have met, directly or by way of others."""
    group = {name: {name} for name in names}
    for record in records:
        merged = set().union(*(group[name] for name in record.entrants))
        group |= dict.fromkeys(merged, merged)
    return [sorted(members) for members in {id(own): own for own in group.values()}.values()]


Weights = dict[int, Floats]
"""Seed -> (B, D) float64, a weight for each deal in each of B resamples."""


def _deals(records: list[Record]) -> dict[int, int]:
    """Seed -> the most deals of it that any match has."""
    most: dict[int, int] = {}
    for record in records:
        most[record.seed] = max(most.get(record.seed, 0), len(record.scores))
    return most


def _ones(records: list[Record]) -> Weights:
    return {seed: np.ones((1, deals)) for seed, deals in _deals(records).items()}


def _weights(records: list[Record], resamples: int) -> Iterable[Weights]:
    """The bootstrap's weights, some resamples at a time."""
    rng, deals = np.random.default_rng(0), _deals(records)
    for begin in range(0, resamples, _AT_ONCE):
        size = min(_AT_ONCE, resamples - begin)
        yield {seed: rng.exponential(size=(size, count)) for seed, count in deals.items()}


class _Tables:
    """All matches, by who sat at the table: T tables, K players."""

    def __init__(self, records: list[Record], names: list[str], prior: float) -> None:
        self.prior = prior
        self.places: dict[tuple[int, ...], list[tuple[Record, Floats]]] = {}
        for record in records:
            ids = np.array([names.index(name) for name in record.entrants])
            seats = np.eye(len(names))[ids]  # (E, K): who is who
            key = tuple(int(k) for k in np.sort(ids))
            self.places.setdefault(key, []).append((record, record.scores @ seats))
        self.counts: Floats = np.array([np.bincount(key, minlength=len(names)) for key in self.places], np.float64)
        for key, own in self.places.items():
            if sum(len(record.scores) for record, _ in own) < 2:
                sat = ", ".join(names[k] for k in key)
                raise RatingError(f"the table of {sat} has a single deal, which says nothing of chance; play more")

    def games(self) -> npt.NDArray[np.int64]:
        """(K,) int64: games that each player took part in."""
        played = [sum(record.games * len(record.scores) for record, _ in own) for own in self.places.values()]
        found: npt.NDArray[np.int64] = np.array(played) @ (self.counts > 0)
        return found.astype(np.int64)

    def strengths(self, weights: Weights) -> Floats:
        """(B, K) float64: log strengths of mean 0, in each of B resamples."""
        pairs = [self._made(own, weights) for own in self.places.values()]
        games, points = (np.stack(parts, axis=1) for parts in zip(*pairs, strict=True))  # (B, T), (B, T, K)
        even = self.counts / self.counts.sum(axis=1, keepdims=True)
        wanted = (points * games[..., None] + self.prior * even).sum(axis=1)
        return _fitted(self.counts, games + self.prior, wanted)

    def _made(self, own: list[tuple[Record, Floats]], weights: Weights) -> tuple[Floats, Floats]:
        """(B,) weighted games at a table, and the (B, K) mean scores there."""
        parts = [(weights[record.seed][:, : len(scores)], record.games, scores) for record, scores in own]
        games: Floats = np.sum([games * weight.sum(axis=1) for weight, games, _ in parts], axis=0)
        made = np.sum([games * (weight @ scores) for weight, games, scores in parts], axis=0)
        # A mean score is a chance to win, which a few deals less their luck may miss by a little.
        rates = np.clip(made / games[:, None], 0, None)
        return games, rates / rates.sum(axis=1, keepdims=True)


def _fitted(counts: Floats, games: Floats, wanted: Floats) -> Floats:
    """The log strengths that predict the sums of scores that were made, by Newton's method.

    Args:
        counts: (T, K), places that each player has at each table.
        games: (B, T), how many were played there.
        wanted: (B, K), each player's sum of scores.

    Returns:
        (B, K) float64 of mean 0.
    """
    strengths = np.zeros_like(wanted)
    for _ in range(_ROUNDS):
        worth = counts * np.exp(strengths)[:, None, :]
        rates = worth / worth.sum(axis=2, keepdims=True)  # (B, T, K): chances of each player's places together
        made = games[..., None] * rates
        curve = np.einsum("btk,btl->bkl", made, rates)
        slope = np.eye(counts.shape[1]) * made.sum(axis=1)[:, None, :] - curve
        # All strengths may grow by the same factor; the added ones keep their mean.
        step = np.linalg.solve(slope + 1, (wanted - made.sum(axis=1))[..., None])[..., 0]
        size = 2 * np.abs(step).max(axis=1, keepdims=True)
        strengths += step * np.log1p(size) / np.maximum(size, 1e-300)  # never too far, exact in the end
        if size.max() < _CLOSE:
            break
    return strengths
