"""The benchmark's numbers as tables in Markdown: medians, spread, ratios, goals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from bench_list import BENCHES, EDITION_GOALS, GOALS, SEAT_COUNTS, Bench, Goal
from bench_sample import Sample

Samples = dict[str, list[Sample]]
"""Key of a measurement -> what each repetition gave."""


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


def rates(samples: Sequence[Sample], choices: bool = False) -> list[float]:
    """Plays per second in each repetition, or those with a choice."""
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
    """A line of the table; `rates` are per second, one a repetition."""

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
            rivals = [rival for rival in bench.rivals if not choices or _tells_choices(rival)]
            found = {rival: ratio(samples, bench.key, rival, choices) for rival in rivals}
            ratios = {rival.rpartition(" ")[0]: value for rival, value in found.items() if value is not None}
            counted = "of these, those with more than one legal action" if choices else bench.counted
            unit = "decisions/s" if choices else f"{bench.unit}/s"
            yield Row(bench, unit, counted, rates(samples[bench.key], choices), ratios)


def _tells_choices(key: str) -> bool:
    return any(bench.key == key and bench.choices for bench in BENCHES)


def table(results: Results) -> str:
    """The results in Markdown."""
    lines = ["| measured | seats | value | unit | spread | what is counted | ratio |", "|---|---|--:|---|--:|---|---|"]
    for bench, unit, counted, values, ratios in rows(results):
        versus = ", ".join(f"{rounded(value)} times {name}" for name, value in ratios.items())
        value, width = rounded(median(values)), f"± {spread(values):.1%}"
        lines.append(f"| {bench.name} | {bench.seats} | {value} | {unit} | {width} | {counted} | {versus} |")
    return "\n".join(lines)


def goals(results: Results) -> str:
    """What became of each goal, in Markdown."""
    lines = ["| goal | " + " | ".join(f"{seats} seats" for seats in SEAT_COUNTS) + " |", "|---|---|---|"]
    for goal in GOALS:
        cells = [verdict(goal, results.samples, seats) if seats in goal.seats else "" for seats in SEAT_COUNTS]
        lines.append(f"| {goal.text} | " + " | ".join(cells) + " |")
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
