"""Play everybody against everybody in duplicate deals, and print the table of win rates.

A player is `uniform`, `greedy`, `heuristic`, `heuristic?without=TERM`, or the path of a checkpoint. A cell says how
often one player of the row wins when the column's player has all other seats, in per cent, with the 95% interval.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from tqdm import tqdm

from agents.arena import CrossTable, cross_table, pairings
from sorry_env.errors import SorryError
from sorry_env.rulesets import RULESETS, change_of, ruleset
from sorry_env.variant import Variant, variant


def main(words: Sequence[str] | None = None) -> int:
    """Read the command line, play, and print the table; 2 if the command makes no sense."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="two players or more")
    parser.add_argument("--ruleset", default="classic", help=", ".join(RULESETS))
    parser.add_argument("--seats", default="2", help="2, 3, 4, or colours clockwise, as in red,blue")
    parser.add_argument("--change", action="append", default=[], metavar="FIELD=VALUE", help="as in turn_limit=500")
    parser.add_argument("--deals", type=int, default=2000, help="deals of each match, every seat with every deal")
    parser.add_argument("--seed", type=int, default=0, help="of the cards and of the players' lots")
    arguments = parser.parse_args(words)
    try:
        print(report(arguments))
    except SorryError as error:
        print(f"arena: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("arena: interrupted", file=sys.stderr)
        return 130
    return 0


def report(arguments: argparse.Namespace) -> str:
    """Play, with a progress bar; the table as text."""
    if len(arguments.players) < 2:
        raise SorryError("a match needs two players or more, as in: arena.py uniform greedy")
    if arguments.deals < 1:
        raise SorryError(f"--deals {arguments.deals}: one deal or more, as in --deals 2000")
    rules = ruleset(arguments.ruleset)
    game = variant(rules, seats(arguments.seats), **dict(change_of(rules, word) for word in arguments.change))
    games = len(pairings(game, len(arguments.players))) * arguments.deals * game.seats
    with tqdm(total=games, unit="game", leave=False, disable=None) as bar:
        table = cross_table(game, arguments.players, arguments.deals, arguments.seed, bar.update)
    return f"{heading(game, arguments)}\n\n{laid_out(table)}"


def seats(text: str) -> int | list[str]:
    """A number of seats, or their colours."""
    return int(text) if text.isdecimal() else text.split(",")


def heading(game: Variant, arguments: argparse.Namespace) -> str:
    """What was played."""
    return (
        f"{game.ruleset}, {game.seats} seats ({', '.join(game.colours)}), {arguments.deals} deals "
        f"in {game.seats} rotations, seed {arguments.seed}. One of the row against the column, % won; "
        f"an even match gives {100 / game.seats:.0f}."
    )


def laid_out(table: CrossTable) -> str:
    """The table in columns."""
    names = [short(spec) for spec in table.specs]
    rows = [["", *names]] + [[name, *cells(table, i)] for i, name in enumerate(names)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows)


def cells(table: CrossTable, row: int) -> list[str]:
    """A row's win rates with their intervals."""
    pairs = zip(table.rates[row], table.half_widths[row], strict=True)
    return ["-" if np.isnan(rate) else f"{rate:.1%} ± {half:.1%}".replace("%", "") for rate, half in pairs]


def short(spec: str) -> str:
    """A spec that fits into a column."""
    return spec if len(spec) <= 30 else "..." + spec[-27:]


if __name__ == "__main__":
    sys.exit(main())
