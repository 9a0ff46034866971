"""A benchmark of decisions: positions, what every move is worth there by rollouts, and what a player loses by its own.

Positions come from games of stated players, one from each game, so that they are independent, drawn with the same
probability from all its **real choices**: those in which two legal actions lead to different places. Some moves of
these games are drawn by lot, for variety.

Worths are scores of the seat to move as `agents.rollouts` finds them: with two sides its probability of winning, when
the rolling player plays all seats after the move. They are kept as the means of a few **folds**, equal parts of the
rollouts. The largest of several noisy worths is too large on average, and a player's distance from it too. So the best
action is chosen by all folds but one, and the distance measured in that one, for each fold in turn. This **loss** tells
without bias what a player loses against what the other folds thought best. Since they may be wrong it is too small
against the true best, by the same for all players: what one player loses more than another has no bias. The distance
from the largest mean of all folds is too large, so the truth lies between.

A file is gzipped JSON lines: a header, then a line for each position. It is written as it grows, and a build goes on
from what it finds.
"""

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.arena import Progress, half_width
from agents.ledger import identified
from agents.rollouts import Floats, Rollouts
from sorry_env import lanes
from sorry_env.checkpoint import write_atomically
from sorry_env.errors import SorryError
from sorry_env.players import Player, make_player
from sorry_env.players.network import Network
from sorry_env.players.simple import Uniform
from sorry_env.position import from_position, to_line, to_position
from sorry_env.random import generators
from sorry_env.rulesets import ruleset
from sorry_env.variant import IntArray, Variant, variant
from sorry_env.verbs import States

Bools = npt.NDArray[np.bool_]

FORMAT = 1
"""Number of the file's form; a reader refuses others."""
FOLDS = 4
"""Parts of the rollouts."""
WANDER = 0.1
"""Share of the moves that are drawn by lot in the games from which positions come."""
AT_ONCE = 20
"""Positions that are rolled out side by side, and written together."""
DIGITS = 5
"""Decimals of a worth in a file."""


class DecisionsError(SorryError):
    """A file that is no benchmark, is damaged, unfinished or of other rules, or a benchmark that cannot be built."""


# --- positions


def sampled(game: Variant, players: Sequence[Player], count: int, seed: int) -> States:
    """Positions with a real choice, each from a game of its own, no two alike.

    Args:
        game: the variant.
        players: of each game; each seat gets one of them by lot.
        count: how many positions, N.
        seed: of all that is drawn.

    Returns:
        (N,) STATE.

    Raises:
        DecisionsError: games do not come to so many different ones.
    """
    found, tried = game.new_states(0), 0
    while len(found) < count:
        before, sequence = len(found), np.random.SeedSequence([seed, tried])
        found, tried = _distinct(np.concatenate([found, _one_a_game(game, players, count, sequence)])), tried + 1
        if len(found) == before:
            raise DecisionsError(f"{count} games of {game} come to {len(found)} different choices; ask for fewer")
    return found[:count]


def _one_a_game(game: Variant, players: Sequence[Player], games: int, sequence: np.random.SeedSequence) -> States:
    """A real choice of each of so many games; those that have none are left out."""
    lots, (cards, own) = np.random.default_rng(sequence), (generators(s, games) for s in sequence.spawn(2))
    states, seen = game.new_states(games), np.zeros(games, np.int64)
    game.reset(states, cards)
    seated, kept = lots.integers(len(players), size=(games, game.seats)), states.copy()
    while (left := np.flatnonzero(states["over"] == 0)).size:
        now, mine, theirs = states[left], own[left], cards[left]
        real = left[real_choices(game, now)]
        seen[real] += 1
        taken = real[lots.random(len(real)) * seen[real] < 1]  # the k-th with probability 1/k: in the end all alike
        kept[taken] = states[taken]
        movers = np.where(lots.random(len(left)) < WANDER, len(players), seated[left, now["seat"]])
        game.play(now, _choices(game, [*players, Uniform(game)], movers, now, mine))
        game.draw(now, theirs)
        states[left], own[left], cards[left] = now, mine, theirs
    return kept[seen > 0]


def _choices(
    game: Variant, players: Sequence[Player], movers: IntArray, states: States, rng: npt.NDArray[np.uint64]
) -> IntArray:
    """(N,) int64: what the player of each state's number, (N,), plays there."""
    actions, views = np.zeros(len(states), np.int64), game.view(states)
    for number, player in enumerate(players):
        asked = np.flatnonzero(movers == number)
        lots = rng[asked]
        actions[asked] = player.choose(views[asked], lots)
        rng[asked] = lots
    return actions


def real_choices(game: Variant, states: States) -> Bools:
    """(N,) bool: where two legal actions lead to different afterstates."""
    after, _, counts = game.afterstates(states)
    rows = after.view(np.uint8).reshape(len(after), after.itemsize)
    differs = (rows != rows[np.repeat(np.cumsum(counts) - counts, counts)]).any(axis=1)
    return np.bincount(np.repeat(np.arange(len(states)), counts)[differs], minlength=len(states)) > 0


def _distinct(states: States) -> States:
    """The states that have not come before, whichever turn it was."""
    same = states.copy()
    same["turns"] = 0
    _, first = np.unique(same.view(f"V{same.itemsize}"), return_index=True)
    return states[np.sort(first)]


# --- building


@dataclass(frozen=True)
class Plan:
    """What a benchmark is built from.

    Attributes:
        game: the variant.
        player: spec of the player that rolls out.
        sources: specs of the players from whose games the positions are.
        positions: how many.
        rollouts: games for each action, a multiple of FOLDS.
        seed: of everything.
        luck: spec of the value net that takes luck off; None: nobody does.
    """

    game: Variant
    player: str
    sources: tuple[str, ...]
    positions: int = 2000
    rollouts: int = 100
    seed: int = 0
    luck: str | None = None

    def header(self) -> dict[str, Any]:
        """The first line of the file, as values that JSON can hold; two builds with the same one are the same.

        Raises:
            DecisionsError: numbers that make no sense.
            LedgerError: a checkpoint that cannot be read.
        """
        if self.positions < 1 or self.rollouts < FOLDS or self.rollouts % FOLDS or self.seed < 0:
            raise DecisionsError(
                f"{self.positions} positions, {self.rollouts} rollouts, seed {self.seed}: at least one position, "
                f"a multiple of {FOLDS} rollouts, and a seed from 0 on"
            )
        specs = [self.player, *self.sources, *([self.luck] if self.luck else [])]
        return {
            "decisions": FORMAT,
            "ruleset": self.game.ruleset.name,
            "changes": self.game.ruleset.changes(),
            "seats": list(self.game.colours),
            "positions": self.positions,
            "rollouts": self.rollouts,
            "player": self.player,
            "sources": list(self.sources),
            "luck": self.luck,
            "files": {spec: identified(spec) for spec in specs if identified(spec) != spec},
            "seed": self.seed,
            "versions": {name: version(name) for name in ("sorry-env", "numpy")},
        }


def build(plan: Plan, path: str | Path, progress: Progress = lambda positions: None) -> None:
    """Write a benchmark, or finish the one that is begun; how often it was interrupted makes no difference.

    Args:
        plan: what is built.
        path: the file; every few positions it is replaced by one with more of them.
        progress: told how many positions have been rolled out, those of earlier builds too.

    Raises:
        DecisionsError: the file is of another plan, or is damaged.
        PlayerError, CheckpointError: a player that cannot be made.
    """
    header, game = plan.header(), plan.game
    player, *sources = (make_player(spec, game) for spec in (plan.player, *plan.sources))
    rollouts = Rollouts(game, player, plan.rollouts, plan.seed, _measure(plan.luck, game))
    found = [header, *_begun(Path(path), header)]
    progress(len(found) - 1)
    states = sampled(game, sources, plan.positions, plan.seed)
    for begin in range(len(found) - 1, plan.positions, AT_ONCE):
        numbers = np.arange(begin, min(begin + AT_ONCE, plan.positions))
        found += _rolled_out(rollouts, states[numbers], numbers)
        write_atomically(path, packed(found))
        progress(len(numbers))


def _measure(spec: str | None, game: Variant) -> Network | None:
    """The player that measures luck, if one is wanted."""
    found = None if spec is None else make_player(spec, game)
    if found is not None and not isinstance(found, Network):
        raise DecisionsError(f"luck is measured in expected returns; {spec!r} has none: give a value net's checkpoint")
    return found


def _begun(path: Path, header: dict[str, Any]) -> list[dict[str, Any]]:
    """The positions that an earlier build has finished."""
    if not path.exists():
        return []
    before, *found = lines_of(path)
    for key, value in header.items():
        if before.get(key) != value:
            raise DecisionsError(
                f"{str(path)!r} was begun with {key} {before.get(key)!r}, not {value!r}; "
                "give the command as it was, or another file"
            )
    return found


def _rolled_out(rollouts: Rollouts, states: States, numbers: IntArray) -> Iterator[dict[str, Any]]:
    """The lines of some positions."""
    game, (actions, counts) = rollouts.game, rollouts.game.legal_actions(states)
    ends, worths = np.cumsum(counts)[:-1], rollouts.worths(states, numbers)
    for i, (own, found) in enumerate(zip(np.split(actions, ends), np.split(worths, ends), strict=True)):
        texts = game.family.texts(game, states[i : i + 1])
        yield {
            "position": to_line(to_position(game, states, i)),
            "actions": [texts.text(int(action)) for action in own],
            "worths": _rounded(found.reshape(len(own), FOLDS, -1).mean(axis=2)),
            "errors": _rounded(_error(found)),
            "gaps": _rounded(_error(found[found.mean(axis=1).argmax()] - found)),
        }


def _error(samples: Floats) -> Floats:
    """The standard errors of the means of (K, R) float64."""
    errors: Floats = samples.std(axis=1, ddof=1) / np.sqrt(samples.shape[1])
    return errors


def _rounded(numbers: Floats) -> Any:
    return numbers.round(DIGITS).tolist()


# --- files


def packed(lines: Sequence[dict[str, Any]]) -> bytes:
    """Lines as the file holds them."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    return gzip.compress(text.encode(), mtime=0)


def lines_of(path: Path) -> list[dict[str, Any]]:
    """A file's header and its positions, unfinished or not.

    Raises:
        DecisionsError: there is no such file, or it is something else, damaged or of another form.
    """
    try:
        lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        form = lines[0]["decisions"]
    except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError) as error:
        raise DecisionsError(f"{str(path)!r} is no benchmark that can be read: {error}") from error
    if form != FORMAT:
        raise DecisionsError(f"{str(path)!r} has form {form}; this version of sorry_env knows {FORMAT}; build it again")
    return lines


@dataclass(frozen=True)
class Benchmark:
    """Decisions and what they are worth. N positions, M legal actions in all.

    Attributes:
        header: what it was built from, as `Plan.header` has it.
        game: the variant.
        states: (N,) STATE.
        actions: (M,) int64, state by state in table order.
        counts: (N,) int64, how many belong to each state.
        texts: the M actions in words.
        worths: (M, FOLDS) float64, the mover's mean score after the action, in each part of the rollouts.
        errors: (M,) float64, the standard error of its mean.
        gaps: (M,) float64, the standard error of how far it lies below the largest mean of its position.
    """

    header: dict[str, Any]
    game: Variant
    states: States
    actions: IntArray
    counts: IntArray
    texts: tuple[str, ...]
    worths: Floats
    errors: Floats
    gaps: Floats

    @property
    def begins(self) -> IntArray:
        """(N,) int64: each position's first action, as an index into all."""
        begins: IntArray = np.cumsum(self.counts) - self.counts
        return begins

    @property
    def means(self) -> Floats:
        """(M,) float64: the mover's mean score after each action."""
        means: Floats = self.worths.mean(axis=1)
        return means

    @property
    def best(self) -> IntArray:
        """(N,) int64: the action with the largest mean of each position, as an index into all."""
        return self.best_by(self.means)

    def best_by(self, worths: Floats) -> IntArray:
        """(N,) int64: the action with the largest of (M,) worths in each position, as an index into all."""
        best = np.empty(len(self.counts), np.int64)
        lots = np.ones(len(self.counts), np.uint64)  # equal ones always fall alike
        lanes.best_lanes(worths, self.counts, lots, best)
        return best

    def line(self, i: int) -> str:
        """Position i as a line of text."""
        return to_line(to_position(self.game, self.states, i))


def load(path: str | Path) -> Benchmark:
    """Read a benchmark.

    Raises:
        DecisionsError: there is no such file, it is something else, damaged, unfinished, or made by other rules.
    """
    header, *found = lines_of(Path(path))
    try:
        if len(found) < header["positions"]:
            raise DecisionsError(f"it has {len(found)} of {header['positions']} positions; build it to its end")
        return _benchmark(header, found)
    except (SorryError, LookupError, TypeError, ValueError) as error:
        raise DecisionsError(f"{str(path)!r} cannot be used: {error}") from error


def _benchmark(header: dict[str, Any], found: Sequence[dict[str, Any]]) -> Benchmark:
    game = variant(ruleset(header["ruleset"], **header["changes"]), header["seats"])
    states = game.new_states(len(found))
    for i, line in enumerate(found):
        states[i : i + 1] = _state(game, line)
    actions, counts = game.legal_actions(states)
    worths, errors, gaps = (np.array([row for line in found for row in line[key]]) for key in KEYS)
    texts = tuple(text for line in found for text in line["actions"])
    if worths.shape != (len(actions), FOLDS) or not errors.shape == gaps.shape == actions.shape:
        raise DecisionsError("it does not have its numbers for every action")
    return Benchmark(header, game, states, actions, counts, texts, worths, errors, gaps)


KEYS = ("worths", "errors", "gaps")
"""What a position's line has for each action, beside its text."""


def _state(game: Variant, line: dict[str, Any]) -> States:
    """(1,) STATE of a position's line, whose actions are legal now as they were then."""
    own, states = from_position(line["position"])
    if own is not game:
        raise DecisionsError(f"it is of {game}, but holds the position {line['position']!r}")
    texts = game.family.texts(game, states)
    if [texts.text(action) for action in texts.legal] != line["actions"]:
        raise DecisionsError(f"other actions are legal now in {line['position']!r}; build it again")
    return states


# --- scores


@dataclass(frozen=True)
class Blunder:
    """A bad decision.

    Attributes:
        position: the position as a line of text.
        played: what the player takes there, in words, and `odds` with what probability.
        best: what would have been best, in words.
        worth: of what it takes, and `best_worth` of the best.
        error: the standard error of the difference.
    """

    position: str
    played: str
    odds: float
    best: str
    worth: float
    best_worth: float
    error: float


@dataclass(frozen=True)
class Score:
    """What a player loses by its decisions.

    Attributes:
        spec: the player's.
        losses: (N,) float64: expected loss of score in each position, against what is best by the other folds.
        bounds: (N,) float64: the same against the largest mean, which is too much on average.
        agreement: (N,) float64: the probability with which it takes the action with the largest mean.
        blunders: its worst, the worst first.
    """

    spec: str
    losses: Floats
    bounds: Floats
    agreement: Floats
    blunders: tuple[Blunder, ...]

    @property
    def loss(self) -> float:
        """The mean loss per decision, in scores."""
        return float(self.losses.mean())

    @property
    def half_width(self) -> float:
        """Half the width of its 95% interval, over positions; it has the noise of the rollouts in it."""
        return float(half_width(self.losses))


def score(benchmark: Benchmark, player: Player, worst: int = 10) -> Score:
    """Judge a player of the benchmark's game by the odds with which it takes each action.

    Args:
        benchmark: the decisions.
        player: who is judged.
        worst: how many blunders are looked up. They are ranked by what is surely lost, two standard errors less than
            what seems to be, times the odds: else the worst would be those on which the rollouts err most.
    """
    _, _, odds = player.odds(benchmark.game.view(benchmark.states))
    means, begins = benchmark.means, benchmark.begins
    gaps = np.repeat(means[benchmark.best], benchmark.counts) - means
    return Score(
        player.spec,
        _crossed(benchmark, odds),
        np.add.reduceat(odds * gaps, begins),
        np.add.reduceat(odds * (gaps == 0), begins),
        tuple(_blunders(benchmark, odds, odds * (gaps - 2 * benchmark.gaps), worst)),
    )


def _crossed(benchmark: Benchmark, odds: Floats) -> Floats:
    """(N,) float64: losses, the best action chosen by all folds but the one in which it is measured."""
    losses, total = np.zeros(len(benchmark.counts)), benchmark.worths.sum(axis=1)
    for fold in benchmark.worths.T:
        best = benchmark.best_by(total - fold)
        losses += fold[best] - np.add.reduceat(odds * fold, benchmark.begins)
    return losses / FOLDS


def _blunders(benchmark: Benchmark, odds: Floats, sure: Floats, worst: int) -> Iterator[Blunder]:
    """The worst action of each of the worst positions."""
    means, best, texts = benchmark.means, benchmark.best, benchmark.texts
    chosen = benchmark.best_by(sure)
    for i in np.argsort(-sure[chosen], kind="stable")[:worst]:
        k = int(chosen[i])
        if sure[k] > 0:
            values = float(means[k]), float(means[best[i]]), float(benchmark.gaps[k])
            yield Blunder(benchmark.line(int(i)), texts[k], float(odds[k]), texts[best[i]], *values)
