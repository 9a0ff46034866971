"""Train the champion of every game by its configuration, measure it, and put it into the package; resumable.

Runs lie in `runs/champions/`, the players in `sorry_env/champions/`; the table goes into `docs/champions.json`, from
which `scripts/docs.py` writes the pages. Interrupted, the same command goes on.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm
from train import train_with_bar

from agents.arena import entrants, play_match
from agents.runs import RunFolder, read_config
from sorry_env.checkpoint import write_atomically
from sorry_env.errors import PlayerError, SorryError
from sorry_env.players import make_player
from sorry_env.players.champion import FOLDER
from sorry_env.variant import Variant

ROOT = Path(__file__).parents[1]
CONFIGS, RUNS, TABLE = ROOT / "configs" / "champions", ROOT / "runs" / "champions", ROOT / "docs" / "champions.json"
OPPONENTS = ("uniform", "heuristic", "race")
SEARCHED = ("classic",)
"""Rulesets in which the player is measured with a search, too; where hands are hidden or dice fall that takes hours."""

Row = dict[str, float]


def main() -> int:
    """Train and measure what the table does not hold yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = sorted(path.stem for path in CONFIGS.glob("*.yaml"))
    parser.add_argument("games", nargs="*", default=known, help="as in classic-2; default all with a configuration")
    parser.add_argument("--deals", type=int, default=2000, help="duplicate deals of each match; with search a tenth")
    parser.add_argument("--seed", type=int, help="train with another seed: measured, and not put into the package")
    parser.add_argument("--again", action="store_true", help="measure again what the table holds already")
    arguments = parser.parse_args()
    try:
        for name in arguments.games:
            key = name if arguments.seed is None else f"{name} seed {arguments.seed}"
            if arguments.again or key not in table():
                row = crowned(name, arguments.deals, arguments.seed)
                rows = table() | {key: row}  # read again: another process may have measured others meanwhile
                write_atomically(TABLE, (json.dumps(rows, indent=1, sort_keys=True) + "\n").encode())
    except (SorryError, OSError) as error:
        print(f"champions: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"Interrupted; the same command goes on from what {RUNS} holds.", file=sys.stderr)
        return 130
    print(f"{len(table())} champions are trained and measured; {TABLE} holds the numbers.")
    return 0


def table() -> dict[str, Row]:
    """What has been measured up to now."""
    return json.loads(TABLE.read_text()) if TABLE.exists() else {}


def crowned(name: str, deals: int, seed: int | None) -> Row:
    """Train a game's player to the end of its configuration, put it into the package, and measure it."""
    config = read_config(CONFIGS / f"{name}.yaml")
    folder = RunFolder(RUNS / (name if seed is None else f"{name}-seed-{seed}"))
    train_with_bar(config if seed is None else replace(config, seed=seed), folder)
    game = config.game()
    player = str(folder.last)
    if seed is None:
        FOLDER.mkdir(exist_ok=True)
        write_atomically(FOLDER / f"{name}.safetensors", folder.last.read_bytes())
        player = "champion"
    last = folder.rows[-1]
    row: Row = {"seats": game.seats, "minutes": last["seconds"] / 60, "games": last["games"]}
    for opponent in OPPONENTS:
        row |= rates(game, player, player, opponent, deals)
        if config.ruleset in SEARCHED:
            row |= rates(game, f"search?leaf={player}", player, opponent, deals // 10, " with search")
    return {key: round(value, 4) for key, value in row.items()}


def rates(game: Variant, spec: str, judge: str, opponent: str, deals: int, more: str = "") -> Row:
    """The win rate of a player against one kind of opponent; none where the game has no such player.

    With two seats luck is taken out, as `judge` sees it. With more that would take longer and gain less.
    """
    try:
        rival = make_player(opponent, game)
    except PlayerError:
        return {}
    bar = tqdm(total=deals * game.seats, unit="game", desc=f"{game.ruleset}{more} against {opponent}", delay=0.5)
    with bar:
        players = entrants(game, make_player(spec, game), rival)
        result = play_match(
            game, players, deals, 0, bar.update, luck=make_player(judge, game) if game.seats == 2 else None
        )
    column = f"{opponent}{more}"
    return {column: float(result.win_rates[0]), f"± {column}": float(result.half_widths[0])}


if __name__ == "__main__":
    sys.exit(main())
