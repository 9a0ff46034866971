"""Train a player by a configuration file, with a progress bar; an interrupted run is taken up by the same command."""

import argparse
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from agents.arena import sides
from agents.plots import learning_curve
from agents.runs import Row, RunFolder, read_config, train
from sorry_env.errors import SorryError

NETS = {"value": "a value net", "policy": "a policy"}


def main() -> int:
    """Read the command line, train, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", type=Path, help="a YAML file, as in configs/")
    parser.add_argument("--run", type=Path, help="the run folder; default runs/ and the configuration's name")
    parser.add_argument("--fresh", action="store_true", help="begin anew even if the folder holds a run")
    arguments = parser.parse_args()
    folder = RunFolder(arguments.run or Path("runs") / arguments.config.stem)
    try:
        config = read_config(arguments.config)
        if arguments.fresh:
            folder.clear()
        train_with_bar(config, folder)
    except (SorryError, OSError) as error:
        print(f"train: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"Interrupted; the same command goes on from what {folder.path} holds.", file=sys.stderr)
        return 130
    best = f", the champion of its league {folder.best}" if folder.best.exists() else ""
    print(f"{summary(folder.rows)} The player is {folder.last}{best}, its learning curve {folder.path / 'curve.png'}.")
    return 0


def train_with_bar(config: Any, folder: RunFolder) -> None:
    """Train with a progress bar, and draw the learning curve."""
    # The delay leaves the terminal to the error message where a run cannot begin.
    begin = "compiling the engine, which happens once"
    with tqdm(total=config.rollouts, unit="rollout", desc=begin, smoothing=0.05, delay=0.1) as bar:

        def tell(row: Row) -> None:
            bar.set_description(f"training {folder.path.name}", refresh=False)
            bar.update(int(row["rollout"]) - bar.n)
            rates = {key.removeprefix("against "): f"{value:.1%}" for key, value in row.items() if "against" in key}
            if rates:
                bar.set_postfix({"games": int(row["games"]), **rates})

        training = train(config, folder, tell)
    title = f"{config.ruleset}, self-play of {NETS[training.kind]}"
    learning_curve(folder.rows, folder.path / "curve.png", title, even=1 / sides(training.game))


def summary(rows: list[Row]) -> str:
    """A sentence on how a run has ended."""
    last = rows[-1]
    rates = [f"{last[key]:.1%} {key}" for key in last if key.startswith("against ")]
    wins = f" it wins {' and '.join(rates)}" if rates else ""
    return f"After {last['games']:,.0f} games in {last['seconds']:.0f} s{wins}."


if __name__ == "__main__":
    sys.exit(main())
