"""Measure what uniform play looks like in each ruleset, for the tables of the docs; finished rows are kept."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from agents.arena import sides
from sorry_env import RULESETS
from sorry_env.checkpoint import write_atomically
from sorry_env.players import make_player
from sorry_env.random import Generators, generators
from sorry_env.rewards import score
from sorry_env.variant import Variant, variant

FILE = Path(__file__).parents[1] / "docs" / "facts.json"
LANES = 4096
"""Games side by side."""

Facts = dict[str, float]


def main() -> None:
    """Measure what the file does not hold yet, a ruleset and seat count at a time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), help="names; default all")
    parser.add_argument("--games", type=int, default=100_000, help="games for each number of seats")
    parser.add_argument("--fresh", action="store_true", help="measure again what the file holds already")
    parser.add_argument("--file", type=Path, default=FILE, help="where the numbers are kept")
    arguments = parser.parse_args()
    known: dict[str, dict[str, Facts]] = json.loads(arguments.file.read_text()) if arguments.file.exists() else {}
    measured = 0
    for name in arguments.rulesets:
        for seats in RULESETS[name].seat_counts:
            old = known.get(name, {}).get(str(seats))
            if arguments.fresh or old is None or old["games"] != arguments.games:
                known.setdefault(name, {})[str(seats)] = measure(variant(name, seats), arguments.games)
                write_atomically(arguments.file, (json.dumps(known, indent=1) + "\n").encode())
                measured += 1
    print(f"{measured} rows measured; {arguments.file} holds all. Put them into the pages with scripts/docs.py.")


def measure(game: Variant, games: int) -> Facts:
    """Play uniformly at random, and say how long games are, how free, and who wins them."""
    tally = Tally(game)
    with tqdm(total=games, unit="game", desc=f"{game.ruleset}, {game.seats} seats", delay=0.5) as bar:
        for batch, count in enumerate(batches(games)):
            play_batch(game, generators(np.random.SeedSequence([batch, game.seats]), count), tally)
            bar.update(count)
    return {"games": games, **tally.facts()}


def batches(games: int) -> Iterator[int]:
    """How many games to play side by side, again and again."""
    for begin in range(0, games, LANES):
        yield min(LANES, games - begin)


class Tally:
    """Counts over finished games."""

    def __init__(self, game: Variant) -> None:
        """Begin with nothing."""
        self.game = game
        self.actions = self.forced = self.ways = self.most = 0
        self.turns: list[np.ndarray[Any, Any]] = []
        self.first: list[np.ndarray[Any, Any]] = []
        self.scores: list[np.ndarray[Any, Any]] = []

    def choices(self, counts: np.ndarray[Any, Any]) -> None:
        """Take note of how many ways there were."""
        self.actions += len(counts)
        self.forced += int((counts == 1).sum())
        self.ways += int(counts.sum())
        self.most = max(self.most, int(counts.max(initial=0)))

    def ends(self, states: np.ndarray[Any, Any], first: np.ndarray[Any, Any]) -> None:
        """Take note of finished games and of who began them."""
        self.turns.append(states["turns"].astype(np.int64))
        self.first.append((states["winners"] >> first & 1).astype(np.float64))
        self.scores.append(score(self.game, states))

    def facts(self) -> Facts:
        """What the counts come to."""
        turns, first, scores = (np.concatenate(parts) for parts in (self.turns, self.first, self.scores))
        low, median, high = np.percentile(turns, [5, 50, 95])
        facts = {
            "turns": turns.mean(),
            "turns 5%": low,
            "turns median": median,
            "turns 95%": high,
            "turns most": turns.max(),
            "actions": self.actions / len(turns),
            "forced": self.forced / self.actions,
            "ways": self.ways / self.actions,
            "most ways": self.most,
            "first wins": first.mean(),
            "first even": 1 / sides(self.game),
        }
        if scores.max() > 1:  # a game of points (H5, H6)
            spread = scores.max(axis=1) - scores.min(axis=1)
            facts |= {"winner": scores.max(axis=1).mean(), "losers": _losers(scores), "spread": spread.mean()}
            facts |= {"spread sd": spread.std(), "most points": scores.max()}
        return {key: round(float(value), 4) for key, value in facts.items()}


def _losers(scores: np.ndarray[Any, Any]) -> float:
    return float((scores.sum(axis=1) - scores.max(axis=1)).mean() / (scores.shape[1] - 1))


def play_batch(game: Variant, rng: Generators, tally: Tally) -> None:
    """Play one batch of games to their ends."""
    states, player = game.new_states(len(rng)), make_player("uniform", game)
    game.reset(states, rng)
    first = states["seat"].astype(np.int64)
    while len(states):
        tally.choices(game.legal_counts(states))
        game.play(states, player.choose(states, rng))
        over = states["over"] != 0
        tally.ends(states[over], first[over])
        states, rng, first = states[~over], rng[~over], first[~over]
        game.draw(states, rng)


if __name__ == "__main__":
    main()
