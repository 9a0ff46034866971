"""Run folders: what a training run leaves behind, and how it goes on after an interruption.

config.yaml               the configuration as run
versions.json             versions of everything that matters, and the tables' fingerprints
metrics.jsonl             a line for each rollout; lines with win rates are the learning curve
state.safetensors         all that is needed to go on, exactly
checkpoints/000040.safetensors, last.safetensors    players
best.safetensors          the champion, of a trainer that has test matches
"""

import json
import platform
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy.typing as npt
from safetensors.numpy import load, save

from agents.arena import entrants, play_match
from agents.config import ConfigError, as_yaml, config_from, read_yaml
from sorry_env.checkpoint import Checkpoint, Layer, checkpoint_of, save_checkpoint, write_atomically
from sorry_env.players import NETS, make_player
from sorry_env.variant import Variant

LEARNERS = ("torch", "stable-baselines3", "sb3-contrib")
PACKAGES = ("sorry-env", "numpy", "numba", *LEARNERS, "safetensors", "pettingzoo", "gymnasium")

Row = dict[str, float]
"""A line of the metrics."""


class Trainer(Protocol):
    """A run in progress, of any kind.

    Attributes:
        config: a dataclass with at least `agent`, `seed`, `hidden`, `rollouts`, `evaluate_every`,
            `evaluation_deals` and `opponents`.
        kind: of its checkpoints, one of `sorry_env.checkpoint.KINDS`.
        game: the variant that is played.
        done: rollouts so far.
        games: games so far.
    """

    config: Any
    kind: str
    game: Variant
    done: int
    games: int

    def until(self, rollout: int) -> Iterator[Row]:
        """Go on until so many rollouts are done, telling of each, with `rollout` and `games` among the rest.

        A run that is cut between calls gives the same as one that is not.
        """
        ...

    def layers(self) -> tuple[Layer, ...]:
        """The present net as a checkpoint keeps it."""
        ...

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Everything that the run needs to go on, as plain arrays."""
        ...

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Go back to where `tensors` was taken."""
        ...


@runtime_checkable
class Gated(Protocol):
    """What a trainer has, too, whose nets are tested against the best of them."""

    def best(self) -> tuple[int, tuple[Layer, ...]]:
        """How many rollouts the best net has had, and its layers."""
        ...


TRAINERS = {"value_net": ("ValueNetConfig", "Training"), "ppo": ("PPOConfig", "PPOTraining")}
"""`agent` in a configuration -> the classes of its configuration and its trainer, in the module of that name."""


def read_config(path: str | Path) -> Any:
    """The configuration in a file, for the trainer that it names; by default a value net's.

    Raises:
        ConfigError: the file cannot be read, or holds what no configuration of that trainer does.
    """
    return _config(read_yaml(path), str(path))


def _config(values: Mapping[str, Any], path: str) -> Any:
    agent = values.get("agent", "value_net")
    if not isinstance(agent, str) or agent not in TRAINERS:
        raise ConfigError(f"unknown agent {agent!r} in {path!r}; known are {', '.join(TRAINERS)}")
    return config_from(_class(agent, 0), values)


def trainer_of(config: Any) -> Trainer:
    """A run at its beginning, of the trainer that reads this configuration."""
    made: Trainer = _class(config.agent, 1)(config)
    return made


def _class(agent: str, which: int) -> Any:
    """Imported only now: each trainer needs packages that take seconds to load."""
    return getattr(import_module(f"agents.{agent}"), TRAINERS[agent][which])


@dataclass
class RunFolder:
    """A run's files under one folder.

    Attributes:
        path: the folder.
        rows: the metrics so far.
    """

    path: Path
    rows: list[Row] = field(default_factory=list)

    @property
    def last(self) -> Path:
        """The latest checkpoint."""
        return self.path / "last.safetensors"

    @property
    def best(self) -> Path:
        """The checkpoint of the champion; there is none if the trainer has no test matches."""
        return self.path / "best.safetensors"

    def begin(self, config: Any, game: Variant) -> None:
        """Write down what is about to be run."""
        write_atomically(self.path / "config.yaml", as_yaml(config).encode())
        facts = {name: version(name) for name in PACKAGES} | {"python": platform.python_version()}
        facts |= {"actions": game.actions.fingerprint, "features": game.features.fingerprint}
        write_atomically(self.path / "versions.json", (json.dumps(facts, indent=2) + "\n").encode())

    def save(self, training: Trainer, checkpoint: Checkpoint) -> None:
        """Keep the state, the metrics and a checkpoint; the state comes last, so that it never runs ahead."""
        save_checkpoint(self.path / "checkpoints" / f"{training.done:06d}.safetensors", checkpoint)
        save_checkpoint(self.last, checkpoint)
        if isinstance(training, Gated):
            save_checkpoint(self.best, _champion(training, self.rows))
        lines = "".join(json.dumps(row) + "\n" for row in self.rows)
        write_atomically(self.path / "metrics.jsonl", lines.encode())
        write_atomically(self.path / "state.safetensors", save(training.tensors()))

    def resume(self, training: Trainer) -> bool:
        """Take up an earlier run where it was saved last; False if there is none.

        Raises:
            ConfigError: the folder holds a run of another configuration.
        """
        state = self.path / "state.safetensors"
        if not state.exists():
            return False
        before = read_config(self.path / "config.yaml")
        if before != training.config:
            raise ConfigError(
                f"{str(self.path)!r} holds a run of another configuration ({_difference(before, training.config)}); "
                "choose another folder, or begin afresh"
            )
        training.restore(load(state.read_bytes()))
        lines = (self.path / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
        self.rows = [row for row in map(json.loads, lines) if row["rollout"] <= training.done]
        return True

    def clear(self) -> None:
        """Remove an earlier run."""
        shutil.rmtree(self.path, ignore_errors=True)


def _difference(before: Any, now: Any) -> str:
    names = [name for name in vars(now) if getattr(before, name, None) != getattr(now, name)]
    names = ["agent"] if before.agent != now.agent else names
    return ", ".join(f"{name} was {getattr(before, name)!r}, is {getattr(now, name)!r}" for name in names)


def train(config: Any, folder: RunFolder, tell: Callable[[Row], Any] = lambda row: None) -> Trainer:
    """Run a configuration to its end, from the beginning or from where its folder was saved.

    Args:
        config: what to train, of any trainer.
        folder: where; an earlier run of the same configuration is taken up.
        tell: called with each new line of the metrics.

    Raises:
        ConfigError: the folder holds a run of another configuration.
        RulesetError, PlayerError, CheckpointError: the ruleset or an opponent cannot be.
    """
    training = trainer_of(config)
    for spec in config.opponents:
        make_player(spec, training.game)
    if not folder.resume(training):
        folder.begin(config, training.game)
    seconds = folder.rows[-1]["seconds"] if folder.rows else 0.0
    while training.done < config.rollouts:
        stop = min(config.rollouts, (training.done // config.evaluate_every + 1) * config.evaluate_every)
        for row in _timed(training.until(stop), seconds):
            seconds = row["seconds"]
            folder.rows.append(row | evaluation(training) if training.done == stop else row)
            tell(folder.rows[-1])
        folder.save(training, present_player(training, seconds))
    return training


def _timed(rows: Iterator[Row], before: float) -> Iterator[Row]:
    """Add the seconds spent on playing and learning."""
    begin = time.perf_counter()
    for row in rows:
        yield row | {"seconds": before + time.perf_counter() - begin}


def present_player(training: Trainer, seconds: float) -> Checkpoint:
    """The present net as a checkpoint, with its training record."""
    facts = {"rollout": training.done, "games": training.games, "seconds": seconds}
    return _player(training, training.layers(), facts)


def _champion(training: Any, rows: Sequence[Row]) -> Checkpoint:
    """The best net as a checkpoint, with the training record of its time."""
    rollout, layers = training.best()
    facts = next((row for row in rows if row["rollout"] == rollout), {"rollout": rollout, "games": 0, "seconds": 0.0})
    return _player(training, layers, facts)


def _player(training: Trainer, layers: tuple[Layer, ...], facts: Row) -> Checkpoint:
    """A net as a checkpoint; facts: `rollout`, `games` and `seconds` up to it."""
    config = training.config
    record = {
        "agent": config.agent,
        "seed": config.seed,
        "hidden": list(config.hidden),
        "rollouts": facts["rollout"],
        "games": facts["games"],
        "seconds": round(facts["seconds"], 1),
    }
    return checkpoint_of(training.kind, training.game, layers, record)


def evaluation(training: Trainer) -> Row:
    """Win rates of the present player against the opponents of the learning curve, with the intervals' half-widths."""
    config, game = training.config, training.game
    player = NETS[training.kind](game, "present", present_player(training, 0.0))
    found: Row = {}
    for spec in config.opponents:
        table = entrants(game, player, make_player(spec, game))
        result = play_match(game, table, config.evaluation_deals, config.seed)
        found[f"against {spec}"] = float(result.win_rates[0])
        found[f"± {spec}"] = float(result.half_widths[0])
    return found


def curves(rows: Sequence[Row]) -> dict[str, list[tuple[float, float, float]]]:
    """Opponent -> points (games, win rate, half-width) of the learning curve."""
    specs = [key.removeprefix("against ") for row in rows[-1:] for key in row if key.startswith("against ")]
    return {
        spec: [(row["games"], row[f"against {spec}"], row[f"± {spec}"]) for row in rows if f"against {spec}" in row]
        for spec in specs
    }
