"""CPU time of a first start, which compiles, and of a second one, ruleset by ruleset."""

import os
import subprocess
import sys
import tempfile

from tqdm import tqdm

from sorry_env.rulesets import RULESETS

PROGRAM = """
import sys, time
from sorry_env import sorry_v0
env = sorry_v0.env(sys.argv[1], seats=4)
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
env.last()
print(time.process_time())
"""
"""Import, and the first step of an environment."""


def measured() -> dict[str, list[float]]:
    """Ruleset -> CPU seconds of the first and the second start; all share a compile cache that is empty at first."""
    found: dict[str, list[float]] = {name: [] for name in RULESETS}
    with tempfile.TemporaryDirectory() as folder:
        for name in tqdm([*RULESETS, *RULESETS], unit="start", desc="starts", disable=None):
            found[name].append(started(name, folder))
    return found


def started(ruleset: str, folder: str) -> float:
    """CPU seconds of a new process, whose compile cache lies in a folder."""
    settings = os.environ | {"NUMBA_CACHE_DIR": folder, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", PROGRAM, ruleset]
    return float(subprocess.run(command, env=settings, capture_output=True, text=True, check=True).stdout)


def table(found: dict[str, list[float]]) -> str:
    """In Markdown."""
    lines = [
        "| ruleset, in this order | first start, CPU seconds | second start |",
        "|---|--:|--:|",
    ]
    lines += [f"| `{name}` | {first:.1f} | {second:.2f} |" for name, (first, second) in found.items()]
    return "\n".join(lines)
