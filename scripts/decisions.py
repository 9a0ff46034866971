"""Judge players by their decisions: in 2,000 positions every move has been rolled out; who loses how much by its own?

    decisions.py score heuristic runs/demo/last.safetensors
    decisions.py build --player runs/demo/last.safetensors --luck runs/demo/last.safetensors --file runs/mine.jsonl.gz

`build` goes on where it was interrupted. Losses a decision are in percentage points of a game won, with 95% intervals:
what a player loses more than the one that loses least, which has no bias; then bounds of what it loses in all.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena import columns, seats
from tqdm import tqdm

from agents.arena import half_width
from agents.decisions import Benchmark, Blunder, Plan, Score, build, load, score
from agents.plots import short
from sorry_env.errors import SorryError
from sorry_env.players import make_player
from sorry_env.rulesets import RULESETS, change_of, ruleset
from sorry_env.variant import variant

FILE = Path(__file__).parents[1] / "docs" / "decisions" / "classic-2.jsonl.gz"


def main(words: Sequence[str] | None = None) -> int:
    """Read the command line, build or score; 2 if the command makes no sense."""
    arguments = parser().parse_args(words)
    try:
        print(arguments.run(arguments))
    except (SorryError, OSError) as error:
        print(f"decisions: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("decisions: interrupted; the same command goes on.", file=sys.stderr)
        return 130
    return 0


def parser() -> argparse.ArgumentParser:
    """What the command line may say."""
    found = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = found.add_subparsers(required=True)
    scoring = commands.add_parser("score", help="tell what players lose by their decisions")
    scoring.add_argument("players", nargs="+", metavar="PLAYER", help="spec strings")
    scoring.add_argument("--worst", type=int, default=10, help="how many blunders of each are printed; default 10")
    scoring.set_defaults(run=scored)
    building = commands.add_parser("build", help="roll positions out")
    add_building(building)
    building.set_defaults(run=built)
    for command in (scoring, building):
        command.add_argument("--file", type=Path, default=FILE, help="the benchmark; default that of the docs")
    return found


def add_building(command: argparse.ArgumentParser) -> None:
    """What `build` may be told."""
    command.add_argument("--ruleset", default="classic", help=", ".join(RULESETS))
    command.add_argument("--seats", default="2", help="2, 3, 4, or colours clockwise, as in red,blue")
    command.add_argument("--change", action="append", default=[], metavar="FIELD=VALUE", help="as in turn_limit=500")
    command.add_argument("--player", default="heuristic", help="who rolls out; default heuristic")
    command.add_argument("--sources", nargs="+", metavar="PLAYER", help="whose games give positions; default both")
    command.add_argument("--luck", metavar="FILE", help="a value net's checkpoint: take luck off, as it sees it")
    command.add_argument("--positions", type=int, default=2000, help="how many; default 2000")
    command.add_argument("--rollouts", type=int, default=100, help="games for each action; default 100")
    command.add_argument("--seed", type=int, default=0, help="of everything")


def built(arguments: argparse.Namespace) -> str:
    """Roll out, with a progress bar; what the file holds then."""
    rules = ruleset(arguments.ruleset)
    game = variant(rules, seats(arguments.seats), **dict(change_of(rules, word) for word in arguments.change))
    sources = tuple(arguments.sources or dict.fromkeys(["heuristic", arguments.player]))
    plan = Plan(
        game, arguments.player, sources, arguments.positions, arguments.rollouts, arguments.seed, arguments.luck
    )
    with tqdm(total=plan.positions, unit="position", disable=None) as bar:
        build(plan, arguments.file, bar.update)
    return f"{arguments.file}: {heading(load(arguments.file))}"


def scored(arguments: argparse.Namespace) -> str:
    """The table of all players, and the worst decisions of each."""
    benchmark = load(arguments.file)
    players = [make_player(spec, benchmark.game) for spec in arguments.players]
    scores = [score(benchmark, player, arguments.worst) for player in players]
    return "\n\n".join([heading(benchmark), table(scores), *(text for found in scores for text in blunders(found))])


def heading(benchmark: Benchmark) -> str:
    """What the decisions are."""
    header, game, luck = benchmark.header, benchmark.game, benchmark.header["luck"]
    off = f", luck as {short(luck)} sees it taken off" if luck else ""
    return (
        f"{game.ruleset}, {game.seats} seats ({', '.join(game.colours)}): {len(benchmark.states):,} decisions with "
        f"{len(benchmark.actions):,} actions, each rolled out {header['rollouts']} times by {short(header['player'])}"
        f"{off}; their worths have a standard error of {benchmark.errors.mean():.1%} on average, and of "
        f"{benchmark.gaps[benchmark.gaps > 0].mean():.1%} below the best."
    )


def table(scores: Sequence[Score]) -> str:
    """A line for each player."""
    least = min(scores, key=lambda found: found.loss)
    heads = ["", "more than the least", "at least", "at most", "best action"]
    return columns([heads, *(row(found, least) for found in scores)]).replace("%", "")


def row(found: Score, least: Score) -> list[str]:
    """What a player loses, beside the one that loses least."""
    more = found.losses - least.losses
    return [
        short(found.spec),
        f"{more.mean():.2%} ± {half_width(more):.2%}",
        f"{found.loss:.2%} ± {found.half_width:.2%}",
        f"{found.bounds.mean():.2%}",
        f"{found.agreement.mean():.0%}",
    ]


def blunders(found: Score) -> Iterator[str]:
    """The worst decisions of a player, if it has any."""
    for number, blunder in enumerate(found.blunders, 1):
        yield f"{short(found.spec)}, {number}: {described(blunder)}"


def described(blunder: Blunder) -> str:
    """A bad decision in three lines."""
    lost, width = blunder.best_worth - blunder.worth, 1.96 * blunder.error
    often = "" if blunder.odds == 1 else f", in {blunder.odds:.0%} of cases"
    return (
        f"loses {lost:.1%} ± {width:.1%}{often}\n  {blunder.position}\n"
        f"  takes {blunder.played!r}, {blunder.worth:.1%}; best {blunder.best!r}, {blunder.best_worth:.1%}"
    )


if __name__ == "__main__":
    sys.exit(main())
