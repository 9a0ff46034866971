"""Train the champion of every game by its configuration, measure it, and put it into the package; resumable.

Runs lie in `runs/champions/`, the players in `sorry_env/champions/`; the table goes into `docs/champions.json`, from
which `scripts/docs.py` writes the pages. Interrupted, the same command goes on.
"""

import argparse
import json
import sys
from pathlib import Path

from tqdm import tqdm
from train import train_with_bar

from agents.arena import entrants, play_match
from agents.runs import RunFolder, read_config
from sorry_env.checkpoint import write_atomically
from sorry_env.errors import PlayerError, SorryError
from sorry_env.players import make_player
from sorry_env.players.champion import FOLDER
from sorry_env.rulesets import ruleset
from sorry_env.variant import Variant, variant

ROOT = Path(__file__).parents[1]
CONFIGS, RUNS, TABLE = ROOT / "configs" / "champions", ROOT / "runs" / "champions", ROOT / "docs" / "champions.json"
OPPONENTS = ("uniform", "heuristic", "race")
PLAYERS = {"": "champion", " with search": "search?leaf=champion"}
"""What is measured, by what its columns are called."""

Row = dict[str, float]


def main() -> int:
    """Train and measure what the table does not hold yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = sorted(path.stem for path in CONFIGS.glob("*.yaml"))
    parser.add_argument("games", nargs="*", default=known, help="as in classic-2; default all with a configuration")
    parser.add_argument("--deals", type=int, default=2000, help="duplicate deals of each match; with search a tenth")
    parser.add_argument("--again", action="store_true", help="measure again what the table holds already")
    arguments = parser.parse_args()
    try:
        for name in arguments.games:
            if arguments.again or name not in table():
                row = crowned(name, arguments.deals)
                rows = table() | {name: row}  # read again: another process may have measured others meanwhile
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


def crowned(name: str, deals: int) -> Row:
    """Train a game's player to the end of its configuration, put it into the package, and measure it."""
    config, folder = read_config(CONFIGS / f"{name}.yaml"), RunFolder(RUNS / name)
    train_with_bar(config, folder)
    game = variant(ruleset(config.ruleset, **config.changes), config.seats)
    FOLDER.mkdir(exist_ok=True)
    write_atomically(FOLDER / f"{name}.safetensors", folder.last.read_bytes())
    last = folder.rows[-1]
    row: Row = {"seats": game.seats, "minutes": last["seconds"] / 60, "games": last["games"]}
    for column, spec in PLAYERS.items():
        for opponent in OPPONENTS:
            row |= rates(game, name, spec, opponent, column, deals // 10 if column else deals)
    return {key: round(value, 4) for key, value in row.items()}


def rates(game: Variant, name: str, spec: str, opponent: str, column: str, deals: int) -> Row:
    """The win rate of a player against one kind of opponent, luck taken out; none where the game has no such player."""
    try:
        rival = make_player(opponent, game)
    except PlayerError:
        return {}
    player, judge = make_player(spec, game), make_player("champion", game)
    with tqdm(total=deals * game.seats, unit="game", desc=f"{name}: {spec} against {opponent}", delay=0.5) as bar:
        result = play_match(game, entrants(game, player, rival), deals, 0, bar.update, luck=judge)
    return {
        f"{opponent}{column}": float(result.win_rates[0]),
        f"± {opponent}{column}": float(result.half_widths[0]),
    }


if __name__ == "__main__":
    sys.exit(main())
