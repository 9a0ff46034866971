"""Play everybody against everybody in duplicate deals, and print the table of win rates, and ratings.

A player is `uniform`, `greedy`, `heuristic`, `heuristic?without=TERM`, or the path of a checkpoint. A cell says how
often one player of the row wins when the column's player has all other seats, in per cent, with the 95% interval.
Every match is kept in a ledger: it is not played again, and ratings are made of all that the ledger has.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tqdm import tqdm

from agents.arena import CrossTable, cross_table, mixed_tables, pairings, sides
from agents.ledger import Ledger
from agents.plots import cross_table_picture, rating_plot, short
from agents.ratings import RatingError, Ratings, Record, rate
from sorry_env.errors import SorryError
from sorry_env.players import AfterstatePlayer, make_player
from sorry_env.players.network import Network
from sorry_env.rulesets import RULESETS, change_of, ruleset
from sorry_env.variant import Variant, variant


def main(words: Sequence[str] | None = None) -> int:
    """Read the command line, play, and print the tables; 2 if the command makes no sense."""
    arguments = parser().parse_args(words)
    try:
        print(report(arguments))
    except (SorryError, OSError) as error:
        print(f"arena: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            f"arena: interrupted; {arguments.ledger} has the finished matches, and the same command goes on.",
            file=sys.stderr,
        )
        return 130
    return 0


def parser() -> argparse.ArgumentParser:
    """What the command line may say."""
    found = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("players", nargs="*", metavar="PLAYER", help="two players or more")
    found.add_argument("--ruleset", default="classic", help=", ".join(RULESETS))
    found.add_argument("--seats", default="2", help="2, 3, 4, or colours clockwise, as in red,blue")
    found.add_argument("--change", action="append", default=[], metavar="FIELD=VALUE", help="as in turn_limit=500")
    found.add_argument("--deals", type=int, default=2000, help="deals of each match, every seat with every deal")
    found.add_argument("--seed", type=int, default=0, help="of the cards and of the players' lots")
    found.add_argument("--luck", metavar="FILE", help="a value net's checkpoint: take luck off, as it sees it")
    found.add_argument("--mixed", type=int, default=0, metavar="TABLES", help="tables of different players, too")
    found.add_argument("--anchor", metavar="PLAYER", help="who is rated 0; default uniform, or the mean without it")
    found.add_argument("--ledger", type=Path, default=Path("runs/ledger.sqlite"), help="default runs/ledger.sqlite")
    found.add_argument(
        "--out", type=Path, default=Path("runs/arena"), help="folder of the pictures; default runs/arena"
    )
    return found


def report(arguments: argparse.Namespace) -> str:
    """Play, with a progress bar, and draw; the tables as text."""
    check(arguments)
    rules = ruleset(arguments.ruleset)
    game = variant(rules, seats(arguments.seats), **dict(change_of(rules, word) for word in arguments.change))
    table, records = played(game, arguments)
    crossed = arguments.out / "cross_table.png"
    cross_table_picture(table, crossed, f"{game.ruleset}, {game.seats} seats", 1 / sides(game))
    parts = [heading(game, arguments), laid_out(table), *rated(records, game, arguments)]
    return "\n\n".join([*parts, f"The matches are in {arguments.ledger}, the table as a picture in {crossed}."])


def check(arguments: argparse.Namespace) -> None:
    """Refuse what makes no sense, before anything is played or written."""
    if len(arguments.players) < 2:
        raise SorryError("a match needs two players or more, as in: arena.py uniform greedy")
    if arguments.deals < 1:
        raise SorryError(f"--deals {arguments.deals}: one deal or more, as in --deals 2000")
    if arguments.mixed < 0:
        raise SorryError(f"--mixed {arguments.mixed}: a number of tables, as in --mixed 10")


def played(game: Variant, arguments: argparse.Namespace) -> tuple[CrossTable, list[Record]]:
    """The cross table, and all matches that the ledger has of the variant, those of mixed tables too."""
    specs, deals, seed = arguments.players, arguments.deals, arguments.seed
    mixed = mixed_tables(game, len(specs), arguments.mixed, seed) if arguments.mixed else []
    with Ledger(arguments.ledger) as ledger:
        for spec in specs:
            ledger.identify(spec)
        players, luck = [make_player(spec, game) for spec in specs], judge(game, arguments.luck)
        games = (len(pairings(game, len(specs))) + len(mixed)) * deals * game.seats
        with tqdm(total=games, unit="game", leave=False, disable=None) as bar:
            table = cross_table(game, specs, deals, seed, bar.update, luck, ledger.match)
            for seated in mixed:
                ledger.match(game, [players[k] for k in seated], deals, seed, bar.update, luck=luck)
        return table, ledger.records(game)


def judge(game: Variant, spec: str | None) -> AfterstatePlayer | None:
    """The value net that measures luck, if one is wanted."""
    if spec is None:
        return None
    found = make_player(spec, game)
    if not isinstance(found, Network):
        raise SorryError(f"--luck {spec}: luck is measured in expected returns; give a value net's checkpoint")
    return found


def rated(records: list[Record], game: Variant, arguments: argparse.Namespace) -> list[str]:
    """The ratings as text and as a picture; or why there are none."""
    names = {name for record in records for name in record.entrants}
    anchor = arguments.anchor or ("uniform" if "uniform" in names else None)
    try:
        ratings = rate(records, anchor)
    except RatingError as error:
        return [f"No ratings: {error}."]
    path = arguments.out / "ratings.png"
    rating_plot(ratings, path, f"{game.ruleset}, {game.seats} seats")
    return [
        f"Elo of all in the ledger, 0 is {anchor or 'the mean'}; 95% intervals.",
        listed(ratings),
        best(ratings, path),
    ]


def best(ratings: Ratings, path: Path) -> str:
    """A sentence on who is strongest."""
    leader = f"{short(ratings.names[0])} leads with {ratings.elo[0]:.0f}"
    return f"{leader}, {ratings.elo[0] - ratings.elo[1]:.0f} before {short(ratings.names[1])}: {path}."


def seats(text: str) -> int | list[str]:
    """A number of seats, or their colours."""
    return int(text) if text.isdecimal() else text.split(",")


def heading(game: Variant, arguments: argparse.Namespace) -> str:
    """What was played."""
    luck = f" Luck as {short(arguments.luck)} sees it is taken off." if arguments.luck else ""
    return (
        f"{game.ruleset}, {game.seats} seats ({', '.join(game.colours)}), {arguments.deals} deals "
        f"in {game.seats} rotations, seed {arguments.seed}. One of the row against the column, % won; "
        f"an even match gives {100 / sides(game):.0f}.{luck}"
    )


def laid_out(table: CrossTable) -> str:
    """The table in columns."""
    names = [short(spec) for spec in table.specs]
    return columns([["", *names]] + [[name, *cells(table, i)] for i, name in enumerate(names)])


def cells(table: CrossTable, row: int) -> list[str]:
    """A row's win rates with their intervals."""
    pairs = zip(table.rates[row], table.half_widths[row], strict=True)
    return ["-" if np.isnan(rate) else f"{rate:.1%} ± {half:.1%}".replace("%", "") for rate, half in pairs]


def listed(ratings: Ratings) -> str:
    """Ratings in columns."""
    rows = zip(ratings.names, ratings.elo, ratings.low, ratings.high, ratings.games, strict=True)
    lines = [
        [short(name), f"{elo:.0f}", f"{low:.0f}", f"{high:.0f}", f"{games:,}"] for name, elo, low, high, games in rows
    ]
    return columns([["", "Elo", "from", "to", "games"], *lines])


def columns(rows: list[list[str]]) -> str:
    """Rows of words as text, the first column to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows)


if __name__ == "__main__":
    sys.exit(main())
