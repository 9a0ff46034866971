"""Report what has become slower than docs/speed.json says, on any machine: it compares ratios and counts, not times.

A ratio is the least time of a play over the least time of a round of a fixed yardstick, in short batches that
alternate in one process. A count is the number of Python instructions that a step of the environment executes, which
is the same each time on one version of Python. A report, not a test: it exits with 0 unless --strict is given.
"""

import argparse
import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench_own import engine_batch
from bench_sample import Batch, aec_batch
from guard_yardsticks import counted, kernel_batch, python_batch

from sorry_env import sorry_v0
from sorry_env._jit import COMPILED
from sorry_env.checkpoint import write_atomically

RECORD = Path(__file__).parents[1] / "docs" / "speed.json"
ROUNDS = 40
"""Batches of each measurement; the least counts."""
STEPS = 200
"""Steps of an environment over which instructions are counted."""
RATIO_SLACK, COUNT_SLACK = 1.5, 1.15

KERNEL, PYTHON = "compiled yardstick", "Python yardstick"
YARDSTICKS: dict[str, Callable[[], Batch]] = {KERNEL: kernel_batch, PYTHON: python_batch}


def _engine(seats: int, observed: bool = False, ruleset: str = "classic") -> Batch:
    return engine_batch(seats, observed, ruleset, count=256, turns=20)


def _env(wrapped: bool) -> Batch:
    env = sorry_v0.env("classic", 2)
    return aec_batch(env if wrapped else env.unwrapped, 50)


RATIOS: dict[str, tuple[str, Callable[[], Batch]]] = {
    "turn, classic, 2 seats": (KERNEL, partial(_engine, 2)),
    "turn, classic, 4 seats": (KERNEL, partial(_engine, 4)),
    "turn with features and mask, classic, 2 seats": (KERNEL, partial(_engine, 2, True)),
    "turn with features and mask, classic, 4 seats": (KERNEL, partial(_engine, 4, True)),
    "action, fire_and_ice, 4 seats": (KERNEL, partial(_engine, 4, ruleset="fire_and_ice")),
    "action, teams_modern, 4 seats": (KERNEL, partial(_engine, 4, ruleset="teams_modern")),
    "action, parcheesi, 4 seats": (KERNEL, partial(_engine, 4, ruleset="parcheesi")),
    "action, express, 4 seats": (KERNEL, partial(_engine, 4, ruleset="express")),
    "step of sorry_v0, raw": (PYTHON, partial(_env, False)),
    "step of sorry_v0, as env() gives it": (PYTHON, partial(_env, True)),
}
"""What is measured -> the yardstick, and how to set it up."""


def ratios(rounds: int = ROUNDS) -> dict[str, float]:
    """Time of a play over that of a round of its yardstick."""
    starts = YARDSTICKS | {name: start for name, (_, start) in RATIOS.items()}
    batches = {name: start() for name, start in starts.items()}
    least = dict.fromkeys(batches, float("inf"))
    for _ in range(rounds + 1):
        for name, batch in batches.items():
            plays, _, seconds = batch()
            least[name] = min(least[name], seconds / plays)
    return {name: least[name] / least[yardstick] for name, (yardstick, _) in RATIOS.items()}


def counts(steps: int = STEPS) -> dict[str, float]:
    """Python instructions of a step: of the whole loop, and of its two calls alone."""
    found = {}
    for form, env in (("raw", sorry_v0.raw_env("classic", 2)), ("env()", sorry_v0.env("classic", 2))):
        loop = aec_batch(env, steps)
        loop()
        found[f"instructions, loop, {form}"] = counted(loop) / steps
        env.reset(seed=1)
        found[f"instructions, last, {form}"] = counted(lambda env=env: [env.last() for _ in range(steps)]) / steps
        found[f"instructions, step, {form}"] = _step_count(env, steps)
    return found


def _step_count(env: Any, steps: int) -> float:
    """Instructions of `step` alone, with the first legal action."""
    total = done = 0
    while done < steps:
        env.reset(seed=done)
        while env.agents and done < steps:
            observation, _, termination, truncation, _ = env.last()
            action = None if termination or truncation else int(observation["action_mask"].argmax())
            total += counted(partial(env.step, action))
            done += 1
    return total / steps


class Line(NamedTuple):
    """One figure beside the recorded one, None where there is none; less is faster."""

    name: str
    now: float
    recorded: float | None
    slack: float

    @property
    def slower(self) -> bool:
        """By more than the slack."""
        return self.recorded is not None and self.now > self.recorded * self.slack

    @property
    def verdict(self) -> str:
        """In words."""
        if self.recorded is None:
            return "not recorded"
        if self.slower:
            return f"SLOWER than recorded by {self.now / self.recorded:.2f}"
        if self.now < self.recorded / self.slack:
            return f"faster than recorded by {self.recorded / self.now:.2f}"
        return "as recorded"


def lines(now: Mapping[str, Any], record: Mapping[str, Any]) -> list[Line]:
    """Everything found, beside what the record has of it; counts are compared on the same version of Python only."""
    old = record.get("ratios", {})
    found = [Line(name, value, old.get(name), RATIO_SLACK) for name, value in now["ratios"].items()]
    for python, values in now["instructions"].items():
        old = record.get("instructions", {}).get(python, {})
        found += [Line(f"{name}, Python {python}", v, old.get(name), COUNT_SLACK) for name, v in values.items()]
    return found


def table(found: Sequence[Line]) -> str:
    """A line for each figure, in columns."""
    width = max(len(line.name) for line in found)
    rows = [f"{'':{width}} {'now':>9} {'recorded':>9}"]
    for line in found:
        recorded = "" if line.recorded is None else f"{line.recorded:.2f}"
        rows.append(f"{line.name:{width}} {line.now:9.2f} {recorded:>9}  {line.verdict}")
    return "\n".join(rows)


def summary(found: Sequence[Line]) -> str:
    """The whole in one sentence."""
    slower = sum(line.slower for line in found)
    if not slower:
        return "speed: nothing is slower than recorded."
    return (
        f"speed: {slower} of {len(found)} figures are slower than docs/speed.json says. If that is meant, or the price "
        "of something, `make guard GUARD_ARGS=--write` renews the record."
    )


def renewed(now: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with today's figures; counts of other versions of Python stay."""
    return {"ratios": now["ratios"], "instructions": {**record.get("instructions", {}), **now["instructions"]}}


def measured() -> dict[str, Any]:
    """Ratios, and counts by version of Python, to three digits that count."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {
        "ratios": {name: float(f"{value:.3g}") for name, value in ratios().items()},
        "instructions": {python: {name: round(value, 1) for name, value in counts().items()}},
    }


def main(words: Sequence[str] | None = None) -> int:
    """Measure, compare, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="renew the record")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if something is slower")
    arguments = parser.parse_args(words)
    if not COMPILED:
        print("guard: the kernels run as plain Python (NUMBA_DISABLE_JIT); nothing is measured", file=sys.stderr)
        return 0
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    now = measured()
    found = lines(now, record)
    print(f"{table(found)}\n\n{summary(found)}")
    if arguments.write:
        write_atomically(RECORD, (json.dumps(renewed(now, record), indent=1) + "\n").encode())
    return int(arguments.strict and any(line.slower for line in found))


if __name__ == "__main__":
    sys.exit(main())
