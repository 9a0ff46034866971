"""Measure speed on one core, beside other libraries where .venv-peers has them; --write renews docs/performance.md.

What is measured, and what each number counts, stands on that page.
"""

import argparse
import contextlib
import io
import json
import os
import platform
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np
from bench_peers import Batch, Sample, aec_batch, gathered
from tqdm import tqdm

from sorry_env import lanes, sorry_v0
from sorry_env._jit import COMPILED
from sorry_env.checkpoint import write_atomically
from sorry_env.random import generators
from sorry_env.variant import variant

ROOT = Path(__file__).parents[1]
PAGE, PICTURE = ROOT / "docs" / "performance.md", ROOT / "docs" / "performance.png"
PEERS_PYTHON = ROOT / ".venv-peers" / "bin" / "python"
HOW_TO_GET_PEERS = "`make .venv-peers/ready` installs what scripts/peers.txt lists"
LIBRARIES = ("gymnasium", "numba", "numpy", "pettingzoo")

LANES, TURNS = 1024, 100
"""Games side by side in the engine, and turns that each of them is played on at a stretch."""
MIXING = 1000
"""Turns played in each lane beforehand: its games are at different stages then."""
SEAT_COUNTS = (2, 4)

Samples = dict[str, list[Sample]]
"""Key of a measurement -> what each repetition gave."""


def engine_batch(seats: int, observed: bool, ruleset: str = "classic") -> Batch:
    """100 actions in each of 1024 games; observed: features and mask are written before each."""
    game = variant(ruleset, seats)
    states, rng, tally = game.new_states(LANES), generators(1, LANES), np.zeros(3, np.int64)
    game.reset(states, rng)
    lanes.uniform_turns(states, game.rules, rng, MIXING, tally)
    features = np.zeros((LANES, game.num_features), np.float32)
    masks = np.zeros((LANES, game.num_actions), np.int8)

    def batch() -> Sample:
        tally[:] = 0
        begin = process_time()
        if observed:
            lanes.uniform_turns_observed(states, game.rules, rng, TURNS, tally, features, masks)
        else:
            lanes.uniform_turns(states, game.rules, rng, TURNS, tally)
        return Sample(int(tally[0]), int(tally[1]), process_time() - begin)

    return batch


def env_batch(seats: int, wrapped: bool) -> Batch:
    """Steps of `sorry_v0`, in its wrapper or without."""
    env = sorry_v0.env("classic", seats)
    return aec_batch(env if wrapped else env.unwrapped)


@dataclass(frozen=True)
class Bench:
    """One measurement.

    Attributes:
        name: whose speed, at what.
        seats: seats or players.
        unit: what is counted.
        counted: the same, in more words.
        rivals: keys of the measurements that it is compared with.
        start: sets it up; None if the peers' process measures it.
        choices: whether plays with a choice are told apart.
    """

    name: str
    seats: int
    unit: str
    counted: str
    rivals: tuple[str, ...] = ()
    start: Callable[[], Batch] | None = None
    choices: bool = True

    @property
    def key(self) -> str:
        """Name and seats."""
        return f"{self.name} {self.seats}"


CARDS_PLAYED = "cards played, forced passes included"
THROWS_PLAYED = "throws of the die played, forced passes included"
STEPS = "calls of `step`, those with None at the end included"


def _engine_benches(seats: int) -> Iterator[Bench]:
    rivals = (f"maedn {seats}", f"apologies {seats}")
    for name, observed in (("engine", False), ("engine with features and masks", True)):
        yield Bench(name, seats, "turns", CARDS_PLAYED, rivals, partial(engine_batch, seats, observed))
    yield Bench("maedn", seats, "moves", THROWS_PLAYED)
    yield Bench("apologies", seats, "moves", CARDS_PLAYED)


def _env_benches(kind: str) -> Iterator[Bench]:
    rival = Bench(f"connect_four_v3 {kind}", 2, "steps", STEPS, choices=False)
    for seats in SEAT_COUNTS:
        start = partial(env_batch, seats, kind == "wrapped")
        yield Bench(f"sorry_v0 {kind}", seats, "steps", STEPS, (rival.key,), start, choices=False)
    yield rival


EDITION_GOALS = {
    **dict.fromkeys(("diamond", "fire_and_ice", "not_sorry", "bump_em"), 3e6),
    **dict.fromkeys(("points_1939", "points_modern", "teams_1939", "teams_modern"), 1e6),
    **dict.fromkeys(("parcheesi", "express"), 3e6),
}
"""Ruleset -> actions a second that were aimed at with four seats: drawn cards and dice, hands and teams."""


def _edition_benches() -> Iterator[Bench]:
    for name in EDITION_GOALS:
        rivals = ("maedn 4", "ludopy 4") if name == "parcheesi" else ()
        start = partial(engine_batch, 4, False, name)
        yield Bench(f"engine, {name}", 4, "actions", "decisions of every kind, forced ones included", rivals, start)
    yield Bench("ludopy", 4, "moves", THROWS_PLAYED)


BENCHES = (
    *(bench for seats in SEAT_COUNTS for bench in _engine_benches(seats)),
    *_edition_benches(),
    *(bench for kind in ("raw", "wrapped") for bench in _env_benches(kind)),
)
"""In the order in which they are measured and shown: what is compared stands close together."""


class PeersError(RuntimeError):
    """The peers' process cannot go on."""


class Peers:
    """The other libraries, in a process of their own that measures what it is asked for.

    Attributes:
        versions: library -> version.
    """

    def __init__(self, python: Path) -> None:
        """Start it; it inherits the core."""
        command = [python, Path(__file__).with_name("bench_peers.py")]
        settings = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=settings)
        self.versions: dict[str, str] = json.loads(self._line())

    def sample(self, key: str, seconds: float) -> Sample:
        """Let it measure for so many CPU seconds."""
        with contextlib.suppress(BrokenPipeError):  # the line that does not come says it
            print(json.dumps([key, seconds]), file=self._process.stdin, flush=True)
        return Sample(*json.loads(self._line()))

    def _line(self) -> str:
        line = self._process.stdout.readline()
        if not line:
            self.close()
            raise PeersError(f"the peers' process ended too early, for the reason above; {HOW_TO_GET_PEERS}")
        return line

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(BrokenPipeError), self._process:
            pass


@dataclass(frozen=True)
class Results:
    """What came of a run.

    Attributes:
        seconds: CPU time of each repetition.
        repeats: how many there were.
        peers: the other libraries' versions; None if they were left out.
        warm_up: key of a measurement -> wall seconds until it was set up and had played a first batch.
        samples: key of a measurement -> what each repetition gave.
    """

    seconds: float
    repeats: int
    peers: dict[str, str] | None
    warm_up: dict[str, float]
    samples: Samples

    @property
    def benches(self) -> list[Bench]:
        """What was measured, in the order of the table."""
        return [bench for bench in BENCHES if bench.key in self.samples]


@cache
def _own_batch(bench: Bench) -> Batch:
    return bench.start()


def measured(peers: Peers | None, seconds: float, repeats: int) -> Results:
    """Warm everything up, then measure all in turn, again and again, every other time in reverse."""
    benches = [bench for bench in BENCHES if bench.start or peers]
    results = Results(seconds, repeats, peers and peers.versions, {}, {bench.key: [] for bench in benches})
    rounds = [(bench, repeat) for repeat in range(repeats) for bench in benches[:: -1 if repeat % 2 else 1]]
    with tqdm(total=len(benches) + len(rounds), unit="measurement") as bar:

        def take(bench: Bench, seconds: float, what: str) -> Sample:
            bar.set_description(f"{bench.key}, {what}")
            taken = gathered(_own_batch(bench), seconds) if bench.start else peers.sample(bench.key, seconds)
            bar.update()
            return taken

        for bench in benches:
            begin = perf_counter()
            take(bench, 0.0, "warm-up")
            results.warm_up[bench.key] = perf_counter() - begin
        for bench, repeat in rounds:
            results.samples[bench.key].append(take(bench, seconds, f"{repeat + 1} of {repeats}"))
    return results


def rates(samples: Sequence[Sample], choices: bool = False) -> list[float]:
    """Plays per CPU second in each repetition, or those with a choice."""
    return [(sample.choices if choices else sample.plays) / sample.seconds for sample in samples]


def spread(values: Sequence[float]) -> float:
    """Half the way from the least to the greatest, as a share of the median."""
    return (max(values) - min(values)) / 2 / median(values)


def ratio(samples: Samples, key: str, rival: str, choices: bool = False) -> float | None:
    """How many times as fast: the median of the repetitions' ratios; None if one was not measured."""
    if key not in samples or rival not in samples:
        return None
    pairs = zip(rates(samples[key], choices), rates(samples[rival], choices), strict=True)
    return median(own / other for own, other in pairs)


def rounded(value: float) -> str:
    """Three digits that count, and commas between thousands."""
    return f"{float(f'{value:.3g}'):,.0f}" if abs(value) >= 100 else f"{value:#.3g}".rstrip(".")


class Row(NamedTuple):
    """A line of the table; `rates` are per CPU second, one a repetition."""

    bench: Bench
    unit: str
    counted: str
    rates: list[float]
    ratios: dict[str, float]


def rows(results: Results) -> Iterator[Row]:
    """One for each measurement, and a second one where plays with a choice are told apart."""
    samples = results.samples
    for bench in results.benches:
        for choices in (False, True) if bench.choices else (False,):
            found = {rival: ratio(samples, bench.key, rival, choices) for rival in bench.rivals}
            ratios = {rival.rpartition(" ")[0]: value for rival, value in found.items() if value is not None}
            counted = "of these, those with more than one legal action" if choices else bench.counted
            unit = "decisions/s" if choices else f"{bench.unit}/s"
            yield Row(bench, unit, counted, rates(samples[bench.key], choices), ratios)


def table(results: Results) -> str:
    """The results in Markdown."""
    lines = ["| measured | seats | value | unit | spread | what is counted | ratio |", "|---|---|--:|---|--:|---|---|"]
    for bench, unit, counted, values, ratios in rows(results):
        versus = ", ".join(f"{rounded(value)} times {name}" for name, value in ratios.items())
        value, width = rounded(median(values)), f"± {spread(values):.1%}"
        lines.append(f"| {bench.name} | {bench.seats} | {value} | {unit} | {width} | {counted} | {versus} |")
    return "\n".join(lines)


class Goal(NamedTuple):
    """What was aimed at: turns a second, or times the speed of a rival."""

    text: str
    name: str
    rival: str | None
    target: float


GOALS = (
    Goal("engine: 10 million turns/s", "engine", None, 10e6),
    Goal("engine with features and masks: 6 million turns/s", "engine with features and masks", None, 6e6),
    Goal("engine: 1,000 times `apologies`", "engine", "apologies {seats}", 1000),
    Goal("engine: 4 times `maedn`", "engine", "maedn {seats}", 4),
    Goal("`sorry_v0` raw: faster a step than `connect_four_v3` raw", "sorry_v0 raw", "connect_four_v3 raw 2", 1),
    Goal("`sorry_v0`: faster a step than `connect_four_v3`", "sorry_v0 wrapped", "connect_four_v3 wrapped 2", 1),
)


def goals(results: Results) -> str:
    """What became of each goal, in Markdown."""
    lines = ["| goal | " + " | ".join(f"{seats} seats" for seats in SEAT_COUNTS) + " |", "|---|---|---|"]
    for goal in GOALS:
        lines.append(
            f"| {goal.text} | " + " | ".join(verdict(goal, results.samples, seats) for seats in SEAT_COUNTS) + " |"
        )
    return "\n".join(lines)


def edition_goals(results: Results) -> str:
    """The same for the other rulesets, in actions a second with four seats."""
    lines = ["| ruleset, 4 seats | goal, actions/s | reached |", "|---|--:|---|"]
    for name, target in EDITION_GOALS.items():
        goal = Goal("", f"engine, {name}", None, target)
        lines.append(f"| `{name}` | {target:,.0f} | {verdict(goal, results.samples, 4)} |")
    return "\n".join(lines)


def verdict(goal: Goal, samples: Samples, seats: int) -> str:
    """What was reached, and by how much it falls short, if it does."""
    value = reached(goal, samples, f"{goal.name} {seats}", seats)
    if value is None:
        return "not measured"
    short = 1 - value / goal.target
    return f"{rounded(value)}: " + (f"{short:.1%} short" if short > 0 else "reached")


def reached(goal: Goal, samples: Samples, key: str, seats: int) -> float | None:
    """Plays a second, or times the speed of the goal's rival; None if it was not measured."""
    if goal.rival is not None:
        return ratio(samples, key, goal.rival.format(seats=seats))
    return median(rates(samples[key])) if key in samples else None


def chart(results: Results) -> bytes:
    """A bar for each measurement, ours and the others' in two colours, on a logarithmic axis; PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    benches = results.benches
    names = [f"{bench.name}, {bench.seats} seats" for bench in benches]
    values = [median(rates(results.samples[bench.key])) for bench in benches]
    colours = ["tab:blue" if bench.start else "tab:gray" for bench in benches]
    figure, axes = plt.subplots(figsize=(8, 0.36 * len(benches) + 1), dpi=150)
    bars = axes.barh(names, values, color=colours)
    axes.bar_label(
        bars, [f"{rounded(v)} {b.unit}" for v, b in zip(values, benches, strict=True)], padding=3, fontsize=8
    )
    axes.set(xscale="log", xlabel="per second of one core", xlim=(min(values) / 3, max(values) * 20))
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    plt.close(figure)
    return buffer.getvalue()


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


def record(results: Results) -> dict[str, object]:
    """Everything measured, for `--json`: times in seconds, rates per CPU second."""
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


def pin() -> None:
    """Keep this process, and those that it starts, on one core, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of each measurement (default 1)")
    parser.add_argument("--repeats", type=int, default=5, help="how often each is repeated (default 5)")
    parser.add_argument("--write", action="store_true", help="renew the tables and the chart in docs/")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured there")
    parser.add_argument("--peers", type=Path, default=PEERS_PYTHON, metavar="PYTHON", help="the peers' interpreter")
    arguments = parser.parse_args(words)
    if arguments.repeats < 1:
        parser.error("--repeats: at least 1")
    if arguments.write and not arguments.peers.exists():
        parser.error(f"--write needs the other libraries; {HOW_TO_GET_PEERS}")
    return arguments


def run(arguments: argparse.Namespace) -> Results:
    """Measure what can be measured."""
    if not arguments.peers.exists():
        print(f"The other libraries are left out; {HOW_TO_GET_PEERS}.", file=sys.stderr)
        return measured(None, arguments.seconds, arguments.repeats)
    peers = Peers(arguments.peers)
    try:
        return measured(peers, arguments.seconds, arguments.repeats)
    finally:
        peers.close()


def write(results: Results) -> None:
    """Renew the page's blocks and its chart."""
    speed = f"{method(results)}\n\n{table(results)}\n\n![The same numbers as bars]({PICTURE.name})"
    page = with_block(
        with_block(PAGE.read_text(), "speed", speed), "goals", f"{goals(results)}\n\n{edition_goals(results)}"
    )
    write_atomically(PICTURE, chart(results))
    write_atomically(PAGE, page.encode())


def main() -> int:
    """Measure, print the tables, and write what was asked for."""
    arguments = parsed()
    pin()
    tqdm.monitor_interval = 0  # no second thread
    try:
        results = run(arguments)
    except PeersError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; nothing is written.", file=sys.stderr)
        return 130
    print(f"{method(results)}\n\n{table(results)}\n\n{goals(results)}\n\n{edition_goals(results)}")
    if arguments.json:
        write_atomically(arguments.json, json.dumps(record(results), indent=1).encode())
    if arguments.write:
        write(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
