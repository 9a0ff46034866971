"""Measure speed on one core, beside other libraries where .venv-peers has them; --write renews docs/performance.md.

What is measured, and what each number counts, stands on that page. --parts chooses among:
  speed      everything that is measured beside something else
  threads    many lanes in one call, and two threads
"""

import argparse
import json
import platform
import re
import sys
import textwrap
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import bench_chart
import bench_threads
from bench_own import LANES, TURNS
from bench_run import HOW_TO_GET_PEERS, PeersError, run
from bench_table import Results, edition_goals, goals, rates, table
from tqdm import tqdm

from sorry_env import lanes
from sorry_env._jit import COMPILED
from sorry_env.checkpoint import write_atomically

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGE, PICTURE = DOCS / "performance.md", DOCS / "performance.png"
PEERS_PYTHON = ROOT / ".venv-peers" / "bin" / "python"
LIBRARIES = ("gymnasium", "numba", "numpy", "pettingzoo", "sb3-contrib", "torch")
PARTS = ("speed", "threads")


def method(results: Results) -> str:
    """A paragraph on how and with what the numbers were got."""
    own = sum(results.warm_up[bench.key] for bench in results.benches if bench.start)
    sentences = [
        f"Medians of {results.repeats} repetitions of {results.seconds:g} s of CPU time each, on one core; spread is "
        "half of greatest less least, over the median.",
        f"Python {platform.python_version()} ({platform.machine()}), {listed(versions())}.",
        f"Warm-up, not counted, by the wall clock: {own:.1f} s for ours, with kernels {origin_of_kernels()}",
    ]
    if results.peers:
        others = sum(results.warm_up.values()) - own
        sentences[-1] += f", {others:.1f} s for the others, which were {listed(results.peers)}"
    return textwrap.fill(" ".join(sentences) + ".", 120, break_long_words=False, break_on_hyphens=False)


def versions() -> dict[str, str]:
    """Of our libraries."""
    return {name: version(name) for name in LIBRARIES}


def listed(numbers: dict[str, str]) -> str:
    """Names and versions in a row."""
    return ", ".join(f"{name} {number}" for name, number in numbers.items())


def origin_of_kernels() -> str:
    """Whether any of them was compiled during this run."""
    if not COMPILED:
        return "not compiled at all"
    kernels = [value for value in vars(lanes).values() if hasattr(value, "stats")]
    return "compiled anew" if any(kernel.stats.cache_misses for kernel in kernels) else "from the compile cache"


def record(results: Results) -> dict[str, Any]:
    """Everything measured beside something else, for `--json`: times in seconds, rates per CPU second."""
    return {
        "settings": {"seconds": results.seconds, "repeats": results.repeats, "lanes": LANES, "turns": TURNS},
        "versions": {"python": platform.python_version(), **versions()},
        "kernels": origin_of_kernels(),
        "peers": results.peers,
        "warm_up": results.warm_up,
        "samples": {key: [sample._asdict() for sample in taken] for key, taken in results.samples.items()},
        "rates": {key: median(rates(taken)) for key, taken in results.samples.items()},
    }


def with_block(page: str, name: str, content: str) -> str:
    """The page with what stands between `<!-- name -->` and `<!-- end -->` replaced."""
    block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    return block.sub(lambda found: f"{found[1]}\n{content}\n\n{found[2]}", page)


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="time of each measurement (default 1)")
    parser.add_argument("--repeats", type=int, default=5, help="how often each is repeated (default 5)")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="default: all")
    parser.add_argument("--write", action="store_true", help="renew what was measured in docs/, tables and pictures")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured there")
    parser.add_argument("--peers", type=Path, default=PEERS_PYTHON, metavar="PYTHON", help="the peers' interpreter")
    arguments = parser.parse_args(words)
    if arguments.repeats < 1:
        parser.error("--repeats: at least 1")
    if arguments.write and "speed" in arguments.parts and not arguments.peers.exists():
        parser.error(f"--write needs the other libraries; {HOW_TO_GET_PEERS}")
    return arguments


class Report:
    """What a run has found, part by part: blocks of the page, pictures, and everything for `--json`."""

    def __init__(self) -> None:
        self.blocks: dict[str, str] = {}
        self.pictures: dict[Path, bytes] = {}
        self.record: dict[str, Any] = {}

    def speed(self, arguments: argparse.Namespace) -> None:
        """Ours and the others'."""
        if not arguments.peers.exists():
            print(f"The other libraries are left out; {HOW_TO_GET_PEERS}.", file=sys.stderr)
        results = run(arguments.peers, arguments.seconds, arguments.repeats)
        self.record |= record(results)
        self.blocks["speed"] = f"{method(results)}\n\n{table(results)}"
        self.blocks["goals"] = f"{goals(results)}\n\n{edition_goals(results)}"
        if arguments.write:
            self._picture("speed", PICTURE, bench_chart.bars(results), "The same numbers as bars")

    def threads(self, arguments: argparse.Namespace) -> None:
        """Lanes and threads."""
        found = bench_threads.measured(arguments.seconds, arguments.repeats)
        self.record["threads"] = bench_threads.record(found)
        self.blocks["threads"] = bench_threads.table(found)
        if arguments.write:
            picture = bench_chart.curves(bench_threads.series(found), "games, N", "turns a second")
            self._picture("threads", DOCS / "lanes.png", picture, "Turns a second by the number of games")

    def _picture(self, block: str, path: Path, content: bytes, text: str) -> None:
        self.blocks[block] += f"\n\n![{text}]({path.name})"
        self.pictures[path] = content

    def write(self) -> None:
        """Renew the page's blocks and its pictures."""
        page = PAGE.read_text()
        for name, content in self.blocks.items():
            page = with_block(page, name, content)
        for path, content in self.pictures.items():
            write_atomically(path, content)
        write_atomically(PAGE, page.encode())


def main() -> int:
    """Measure, print the tables, and write what was asked for."""
    arguments = parsed()
    tqdm.monitor_interval = 0  # no second thread
    report = Report()
    try:
        for part in arguments.parts:
            getattr(report, part)(arguments)
    except PeersError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; nothing is written.", file=sys.stderr)
        return 130
    print("\n\n".join(report.blocks.values()))
    if arguments.json:
        write_atomically(arguments.json, json.dumps(report.record, indent=1).encode())
    if arguments.write:
        report.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
