"""Compare two trainers at equal wall-clock: train both for the same minutes, and measure every player they saved.

A run is a configuration, trained in the folder of the results or taken up there, or the folder of a finished run. The
results are `comparison.png`, `comparison.md` and `comparison.json`. Give both the same cores, and nothing else to them:
the value net plays and learns in two threads, PPO in one; `taskset -c 0` before the command gives both a single core.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm
from train import train_with_bar

from agents.comparison import FIXED, as_json, compared, fitted, game_of, picture, saved_by, table, taken_up
from agents.runs import RunFolder, read_config
from sorry_env.checkpoint import write_atomically
from sorry_env.errors import SorryError


def main(words: Sequence[str] | None = None) -> int:
    """Read the command line, train, measure, and leave the results; 2 if the command makes no sense."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs=2, type=Path, metavar="RUN", help="a YAML file, or a run folder")
    parser.add_argument("--minutes", type=float, help="of each training; default the configurations' own rollouts")
    parser.add_argument("--deals", type=int, default=1000, help="duplicate deals of each match")
    parser.add_argument("--seed", type=int, default=0, help="of the matches")
    parser.add_argument("--out", type=Path, default=Path("runs/compare"), help="the folder of the results")
    arguments = parser.parse_args(words)
    try:
        print(report(arguments))
    except (SorryError, OSError) as error:
        print(f"compare_trainers: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"Interrupted; the same command goes on from what {arguments.out} holds.", file=sys.stderr)
        return 130
    return 0


def report(arguments: argparse.Namespace) -> str:
    """Train what is not trained, measure, and keep the results; the table, and where everything is."""
    if arguments.deals < 1 or (arguments.minutes is not None and arguments.minutes <= 0):
        raise SorryError("--deals and --minutes must be more than 0")
    folders = [RunFolder(path if path.is_dir() else arguments.out / path.stem) for path in arguments.runs]
    if folders[0].path.name == folders[1].path.name:
        raise SorryError(f"both runs are called {folders[0].path.name!r}; rename one")
    for path, folder in zip(arguments.runs, folders, strict=True):
        if path != folder.path:
            finish(read_config(path), folder, arguments.minutes)
    game = game_of(folders[0])
    games = sum(len(saved_by(folder)) for folder in folders) * (len(FIXED) + 1) * arguments.deals * game.seats
    with tqdm(total=games, unit="game", desc="measuring", leave=False, delay=0.5) as bar:
        runs = compared(folders, arguments.deals, arguments.seed, bar.update)
    write_atomically(arguments.out / "comparison.json", (json.dumps(as_json(runs), indent=1) + "\n").encode())
    write_atomically(arguments.out / "comparison.md", table(runs).encode())
    picture(runs, arguments.out / "comparison.png", game)
    return f"{table(runs)}\nThe picture is {arguments.out / 'comparison.png'}."


def finish(config: Any, folder: RunFolder, minutes: float | None) -> None:
    """Train a configuration in a folder, from where it is; for so many minutes, if they are given."""
    if minutes is not None:
        config = taken_up(config, folder) or fitted(config, minutes)
    train_with_bar(config, folder)


if __name__ == "__main__":
    sys.exit(main())
