"""Measure the heuristic in every ruleset against uniform and greedy, in duplicate deals; print a table in Markdown."""

import argparse
import sys
from collections.abc import Sequence

from tqdm import tqdm

from agents.arena import Progress, entrants, play_match, sides
from sorry_env.errors import SorryError
from sorry_env.players import make_player
from sorry_env.rulesets import RULESETS
from sorry_env.variant import Variant, variant

RIVALS = ("uniform", "greedy")
SEATS = (2, 4)
"""Numbers of seats that are measured, where a ruleset allows them."""


def main(words: Sequence[str] | None = None) -> int:
    """Read the command line, play, and print the table; 2 if the command makes no sense."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="all of them by default")
    parser.add_argument("--deals", type=int, default=2000, help="deals of each match, every seat with every deal")
    parser.add_argument("--seed", type=int, default=0, help="of the cards and of the players' lots")
    arguments = parser.parse_args(words)
    try:
        print(report(arguments.rulesets or list(RULESETS), arguments.deals, arguments.seed))
    except SorryError as error:
        print(f"heuristic_table: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("heuristic_table: interrupted", file=sys.stderr)
        return 130
    return 0


def report(rulesets: Sequence[str], deals: int, seed: int) -> str:
    """Play, with a progress bar; the table as text."""
    if deals < 2:
        raise SorryError(f"--deals {deals}: an interval needs two deals or more")
    known = [variant(name, 4) for name in rulesets]
    games = [variant(game.ruleset, seats) for game in known for seats in SEATS if seats in game.ruleset.seat_counts]
    lines = [["ruleset", "seats", "even", *(f"against {spec}" for spec in RIVALS)], ["---"] * (3 + len(RIVALS))]
    total = sum(len(RIVALS) * deals * game.seats for game in games)
    with tqdm(total=total, unit="game", smoothing=0.05, disable=None) as bar:
        for game in games:
            even = f"{100 / sides(game):.0f}"
            rates = [rate(game, spec, deals, seed, bar.update) for spec in RIVALS]
            lines.append([str(game.ruleset), str(game.seats), even, *rates])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def rate(game: Variant, rival: str, deals: int, seed: int, progress: Progress) -> str:
    """Win rate of one heuristic player, in teams of two partners, with its 95% interval, in per cent."""
    players = entrants(game, make_player("heuristic", game), make_player(rival, game))
    result = play_match(game, players, deals, seed, progress)
    return f"{100 * result.win_rates[0]:.1f} ± {100 * result.half_widths[0]:.1f}"


if __name__ == "__main__":
    sys.exit(main())
