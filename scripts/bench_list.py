"""What is measured, in order, and what was aimed at."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from bench_learning import GAMES, games_of_ours, idle_games, ppo_batch, self_play_batch, tutorial_batch
from bench_own import engine_batch, env_batch, idle_batch, sampler_batch, single_batch, vector_batch
from bench_sample import Batch

SEAT_COUNTS = (2, 4)


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
        panel: title of the part of the chart that it stands in.
    """

    name: str
    seats: int
    unit: str
    counted: str
    rivals: tuple[str, ...] = ()
    start: Callable[[], Batch] | None = None
    choices: bool = True
    panel: str = ""

    @property
    def key(self) -> str:
        """Name and seats."""
        return f"{self.name} {self.seats}"

    @property
    def ours(self) -> bool:
        """Whether it is neither another library nor an environment that does nothing."""
        return self.start is not None and "idle" not in self.name


CARDS_PLAYED = "cards played, forced passes included"
DECISIONS = "decisions of every kind, forced ones included"
DICE_PLAYED = "throws of the dice played, forced passes included"
STEPS = "calls of `step`, those with None at the end included"
LEARNED = "learner's actions played and learned from"
ENV_STEPS = "actions handed to `step`"
AGENT_STEPS = "learner's actions, forced passes included; opponents' turns come with them"
MICRO_STEPS = "single dice played, one action in each game a step"

ENGINES = "Whole games, without observations or in plain Python"
EDITIONS = "The other rulesets, 4 seats"
LEARNING = "Learning, one torch thread"
STEPWISE = "Step by step, PettingZoo's loop"
BATCHED = "Many games at a time, or with observations"


def _engine_benches(seats: int) -> Iterator[Bench]:
    rivals = (f"maedn {seats}", f"apologies {seats}")
    for name, observed in (("engine", False), ("engine with features and masks", True)):
        start = partial(engine_batch, seats, observed)
        yield Bench(name, seats, "turns", CARDS_PLAYED, rivals, start, panel=ENGINES)
    yield Bench("maedn", seats, "moves", DICE_PLAYED, panel=ENGINES)
    yield Bench("apologies", seats, "moves", CARDS_PLAYED, panel=ENGINES)


def _plain_benches() -> Iterator[Bench]:
    yield Bench("backgammon of OpenSpiel", 2, "moves", "moves of both dice", panel=ENGINES)
    yield Bench("ludopy", 4, "moves", DICE_PLAYED, panel=ENGINES)
    yield Bench("ludo-king-engine", 4, "moves", DICE_PLAYED, panel=ENGINES)
    yield Bench("RLCard uno", 2, "steps", ENV_STEPS, panel=ENGINES)


EDITION_GOALS = {
    **dict.fromkeys(("diamond", "fire_and_ice", "not_sorry", "bump_em"), 3e6),
    **dict.fromkeys(("points_1939", "points_modern", "teams_1939", "teams_modern"), 1e6),
    **dict.fromkeys(("parcheesi", "express"), 3e6),
}
"""Ruleset -> actions a second that were aimed at with four seats: drawn cards and dice, hands and teams."""


def _edition_benches() -> Iterator[Bench]:
    for name in EDITION_GOALS:
        rivals = ("maedn 4", "ludopy 4", "ludo-king-engine 4") if name == "parcheesi" else ()
        start = partial(engine_batch, 4, False, name)
        yield Bench(f"engine, {name}", 4, "actions", DECISIONS, rivals, start, panel=EDITIONS)


def _batched_benches() -> Iterator[Bench]:
    python = "maedn, rl_environment"
    for seats in SEAT_COUNTS:
        rivals = (f"{python} {seats}", f"{python}, quick die {seats}")
        others = ("EnvPool backgammon, N = 256 2", "Pgx backgammon, N = 4,096 2") if seats == 2 else ()
        start = partial(vector_batch, seats)
        yield Bench("VectorEnv, N = 1,024", seats, "steps", AGENT_STEPS, rivals + others, start, panel=BATCHED)
        start = partial(single_batch, seats)
        yield Bench("single environment", seats, "steps", AGENT_STEPS, rivals, start, panel=BATCHED)
        for die in ("", ", quick die"):
            yield Bench(f"maedn, rl_environment{die}", seats, "moves", ENV_STEPS, panel=BATCHED)
    yield Bench("EnvPool backgammon, N = 256", 2, "steps", MICRO_STEPS, panel=BATCHED)
    for count in (1, 256, 4096):
        yield Bench(f"Pgx backgammon, N = {count:,}", 2, "steps", MICRO_STEPS, panel=BATCHED)


def _steps(name: str, seats: int, rivals: tuple[str, ...] = (), start: Callable[[], Batch] | None = None) -> Bench:
    return Bench(name, seats, "steps", STEPS, rivals, start, choices=False, panel=STEPWISE)


def _env_benches() -> Iterator[Bench]:
    for form in ("raw", "wrapped"):
        rivals = (f"connect_four_v3 {form} 2", f"leduc_holdem_v4 {form} 2", f"chess_v6 {form} 2")
        for seats in SEAT_COUNTS:
            shimmy = (f"maedn, Shimmy {seats}",) if form == "raw" else ()
            yield _steps(f"sorry_v0 {form}", seats, rivals + shimmy, partial(env_batch, seats, form))
        for rival in rivals:
            yield _steps(rival.removesuffix(" 2"), 2)
    for seats in SEAT_COUNTS:
        yield _steps("sorry_v0 raw, own sampler", seats, (f"maedn, Shimmy {seats}",), partial(sampler_batch, seats))
    for seats in SEAT_COUNTS:
        yield _steps("maedn, Shimmy", seats)
    yield from _floor_benches()


def _floor_benches() -> Iterator[Bench]:
    form = "in three wrappers"
    for seats in SEAT_COUNTS:
        rival = f"idle environment {form} {seats}"
        yield _steps(f"sorry_v0 {form}", seats, (rival,), partial(env_batch, seats, form))
        yield _steps(f"idle environment {form}", seats, (), partial(idle_batch, seats, form))


def _learning_benches() -> Iterator[Bench]:
    idle = f"PPO, {GAMES} idle environments"
    for name, rivals, start in (
        (f"PPO, {GAMES} games", (f"{idle} 2", "PPO, one environment 2"), partial(ppo_batch, games_of_ours)),
        (idle, (), partial(ppo_batch, idle_games)),
        ("PPO, one environment", (), tutorial_batch),
    ):
        yield Bench(name, 2, "steps", LEARNED, rivals, start, choices=False, panel=LEARNING)
    self_play = "finished games, each turn chosen by the net"
    yield Bench("value net's self-play", 2, "games", self_play, (), self_play_batch, choices=False, panel=LEARNING)


BENCHES = (
    *(bench for seats in SEAT_COUNTS for bench in _engine_benches(seats)),
    *_plain_benches(),
    *_edition_benches(),
    *_batched_benches(),
    *_env_benches(),
    *_learning_benches(),
)
"""In the order in which they are measured and shown: what is compared stands close together."""


class Goal(NamedTuple):
    """What was aimed at: plays a second, or times the speed of a rival.

    `rival` may have `{seats}` in it; `seats` are those that it is aimed at with.
    """

    text: str
    name: str
    rival: str | None
    target: float
    seats: tuple[int, ...] = SEAT_COUNTS


GOALS = (
    Goal("engine: 10 million turns/s", "engine", None, 10e6),
    Goal("engine with features and masks: 6 million turns/s", "engine with features and masks", None, 6e6),
    Goal("engine: 1,000 times `apologies`", "engine", "apologies {seats}", 1000),
    Goal("engine: 4 times `maedn`", "engine", "maedn {seats}", 4),
    Goal("`sorry_v0` raw: faster a step than `connect_four_v3` raw", "sorry_v0 raw", "connect_four_v3 raw 2", 1),
    Goal("`sorry_v0`: faster a step than `connect_four_v3`", "sorry_v0 wrapped", "connect_four_v3 wrapped 2", 1),
    Goal("VectorEnv, 1,024 games: 2 million steps/s", "VectorEnv, N = 1,024", None, 2e6, (2,)),
    Goal(
        "VectorEnv: 50 times `maedn` through `rl_environment`",
        "VectorEnv, N = 1,024",
        "maedn, rl_environment {seats}",
        50,
    ),
    Goal("`sorry_v0` raw, own sampler: 200,000 steps/s", "sorry_v0 raw, own sampler", None, 200e3),
    Goal(
        "`sorry_v0` in three wrappers: 0.8 of an idle environment in them",
        "sorry_v0 in three wrappers",
        "idle environment in three wrappers {seats}",
        0.8,
    ),
    Goal("PPO, 64 games: 0.85 of idle environments", "PPO, 64 games", "PPO, 64 idle environments 2", 0.85, (2,)),
)
