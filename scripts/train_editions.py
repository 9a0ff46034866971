"""Train a player for every edition by its configuration, and measure it; interrupted, the same command goes on.

Runs lie in `runs/editions/`; the table goes into `docs/training.json`, from which `scripts/docs.py` writes the page.
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
from sorry_env.errors import SorryError
from sorry_env.players import make_player
from sorry_env.rulesets import ruleset
from sorry_env.variant import variant

ROOT = Path(__file__).parents[1]
CONFIGS, RUNS, TABLE = ROOT / "configs" / "editions", ROOT / "runs" / "editions", ROOT / "docs" / "training.json"
OPPONENTS = ("uniform", "heuristic")

Row = dict[str, float]


def main() -> int:
    """Train and measure what the table does not hold yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = sorted(path.stem for path in CONFIGS.glob("*.yaml"))
    parser.add_argument("rulesets", nargs="*", default=known, help="names; default all that have a configuration")
    parser.add_argument("--deals", type=int, default=2000, help="duplicate deals of each match")
    parser.add_argument("--again", action="store_true", help="measure again what the table holds already")
    arguments = parser.parse_args()
    try:
        for name in arguments.rulesets:
            if arguments.again or name not in table():
                row = measured(name, arguments.deals)
                rows = table() | {name: row}  # read again: another process may have measured others meanwhile
                write_atomically(TABLE, (json.dumps(rows, indent=1) + "\n").encode())
    except (SorryError, OSError) as error:
        print(f"train_editions: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"Interrupted; the same command goes on from what {RUNS} holds.", file=sys.stderr)
        return 130
    print(f"{len(table())} editions are trained and measured; {TABLE} holds the numbers.")
    return 0


def table() -> dict[str, Row]:
    """What has been measured up to now."""
    return json.loads(TABLE.read_text()) if TABLE.exists() else {}


def measured(name: str, deals: int) -> Row:
    """Train a ruleset's player to the end of its configuration, and play it against the opponents."""
    config, folder = read_config(CONFIGS / f"{name}.yaml"), RunFolder(RUNS / name)
    train_with_bar(config, folder)
    game = variant(ruleset(config.ruleset, **config.changes), config.seats)
    player = make_player(str(folder.last), game)
    row: Row = {"seats": game.seats, "minutes": folder.rows[-1]["seconds"] / 60, "games": folder.rows[-1]["games"]}
    for spec in OPPONENTS:
        with tqdm(total=deals * game.seats, unit="game", desc=f"{name} against {spec}", delay=0.5) as bar:
            result = play_match(game, entrants(game, player, make_player(spec, game)), deals, 0, bar.update)
        row |= {spec: float(result.win_rates[0]), f"± {spec}": float(result.half_widths[0])}
    return {key: round(value, 4) for key, value in row.items()}


if __name__ == "__main__":
    sys.exit(main())
