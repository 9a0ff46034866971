"""What a start costs, in CPU seconds of the first and of later ones, and what a game takes in a batch, in bytes."""

import argparse
import os
import subprocess
import sys
import tempfile

from sorry_env.rulesets import RULESETS
from sorry_env.variant import variant

SEATS = 4
STEP = """
import sys, time
from sorry_env import sorry_v0
env = sorry_v0.env(sys.argv[1], seats=int(sys.argv[2]))
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
env.last()
print(time.process_time())
"""


def main() -> None:
    """Print both tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="instead of all of them")
    parser.add_argument("--repeats", type=int, default=3, help="second starts; the least time counts")
    options = parser.parse_args()
    names = options.rulesets or list(RULESETS)
    print(f"| {SEATS} seats | first start, s of CPU | second start |\n|---|--:|--:|")
    for name in names:
        first, second = starts(name, options.repeats)
        print(f"| `{name}` | {first:.1f} | {second:.2f} |", flush=True)
    print(f"\n| bytes a game, {SEATS} seats | state | generator | features | mask |\n|---|--:|--:|--:|--:|")
    for name in names:
        print(f"| `{name}` | " + " | ".join(f"{size:,}" for size in sizes(name)) + " |")


def starts(name: str, repeats: int) -> tuple[float, float]:
    """CPU seconds of import, reset and first step: with an empty compile cache, and the least with a filled one."""
    with tempfile.TemporaryDirectory() as folder:
        return started(name, folder), min(started(name, folder) for _ in range(repeats))


def started(name: str, folder: str) -> float:
    """CPU seconds of a new process, whose compile cache lies in a folder."""
    environment = os.environ | {"NUMBA_CACHE_DIR": folder, "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-c", STEP, name, str(SEATS)]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(found.stdout)


def sizes(name: str) -> tuple[int, int, int, int]:
    """Bytes of a game's state, its generator, a vector of features (float32), and a mask (int8)."""
    game = variant(name, SEATS)
    return game.new_states(1).itemsize, 8, 4 * game.num_features, game.num_actions


if __name__ == "__main__":
    main()
