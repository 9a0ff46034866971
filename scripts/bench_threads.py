"""How `Lanes` scales: turns a second by the number of games in a call and by threads, by the wall clock."""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from bench_sample import Batch, Sample, gathered
from bench_table import rates, rounded, spread
from tqdm import tqdm

from sorry_env.batch import Lanes

COUNTS = (1, 16, 256, 4096, 65536)
THREADS = (1, 2)
MIXING = 300
"""Turns played in each lane beforehand: its games are at different stages then."""
PLAY, STEP = "`play_uniform`", "`step` with features and masks"


class Point(NamedTuple):
    """What was called, for how many games, on how many threads."""

    call: str
    count: int
    threads: int


Found = dict[Point, list[Sample]]
GOAL, GOAL_AT = 1.7, Point(PLAY, 4096, 2)
"""How much as fast two threads were aimed to be as one, and where."""


def _play(many: Lanes) -> Batch:
    """One call of `play_uniform`, some 200,000 turns or one each."""
    turns = max(1, 200_000 // len(many))

    def batch() -> Sample:
        begin = perf_counter()
        played, choices, _ = many.play_uniform(turns)
        return Sample(played, choices, perf_counter() - begin)

    return batch


def _step(many: Lanes) -> Batch:
    """Calls of `sample` and `step` for some 10,000 turns or one each; what was sampled is not checked again."""
    calls = max(1, 10_000 // len(many))
    features, masks = many.new_features(), many.new_masks()
    over, returns = many.step(many.sample(), features=features, masks=masks)

    def batch() -> Sample:
        begin = perf_counter()
        for _ in range(calls):
            many.step(many.sample(), features=features, masks=masks, over=over, returns=returns, check=False)
        return Sample(calls * len(many), 0, perf_counter() - begin)

    return batch


CALLS: dict[str, Callable[[Lanes], Batch]] = {PLAY: _play, STEP: _step}


def measured(seconds: float, repeats: int) -> Found:
    """All points in turn, again and again, every other time in reverse; on all cores that there are."""
    batches: dict[Point, Batch] = {}
    for count in COUNTS:
        for threads in THREADS:
            many = Lanes("classic", count, seats=2, seed=1, threads=threads)
            many.play_uniform(MIXING)
            batches |= {Point(call, count, threads): start(many) for call, start in CALLS.items()}
    for batch in batches.values():
        batch()
    found: Found = {point: [] for point in batches}
    rounds = [point for repeat in range(repeats) for point in list(batches)[:: -1 if repeat % 2 else 1]]
    for point in tqdm(rounds, unit="measurement", desc="Lanes", disable=None):
        found[point].append(gathered(batches[point], seconds))
    return found


def table(found: Found) -> str:
    """Turns a second, and what the second thread brings, in Markdown."""
    lines = [
        "| `Lanes`, classic, 2 seats | games, N | 1 thread, turns/s | spread | 2 threads, turns/s | spread | 2 to 1 |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for call in CALLS:
        for count in COUNTS:
            one, two = (rates(found[Point(call, count, threads)]) for threads in THREADS)
            cells = [f"{rounded(median(values))} | ± {spread(values):.1%}" for values in (one, two)]
            lines.append(f"| {call} | {count:,} | {cells[0]} | {cells[1]} | {rounded(gain(found, call, count))} |")
    return "\n".join([*lines, "", _goal(found)])


def gain(found: Found, call: str, count: int) -> float:
    """How many times as fast the second thread makes a call: the median of the repetitions' ratios."""
    one, two = (rates(found[Point(call, count, threads)]) for threads in THREADS)
    return median(b / a for a, b in zip(one, two, strict=True))


def _goal(found: Found) -> str:
    """What became of the goal for two threads."""
    value = gain(found, GOAL_AT.call, GOAL_AT.count)
    verdict = "reached" if value >= GOAL else f"{1 - value / GOAL:.1%} short"
    what = f"{GOAL_AT.call} of {GOAL_AT.count:,} games {GOAL} times as fast on two threads"
    return f"Goal: {what}: {rounded(value)}, {verdict}."


def series(found: Found) -> dict[str, dict[int, float]]:
    """Call and threads -> N -> turns a second."""
    curves: dict[str, dict[int, float]] = {}
    for (call, count, threads), samples in found.items():
        name = f"{call.replace('`', '')}, {threads} thread{'s' if threads > 1 else ''}"
        curves.setdefault(name, {})[count] = median(rates(samples))
    return curves


def record(found: Found) -> list[dict[str, Any]]:
    """Everything measured, for `--json`."""
    return [point._asdict() | {"samples": [s._asdict() for s in samples]} for point, samples in found.items()]
