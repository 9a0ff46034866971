"""Run folders: what a training run leaves behind, and how it goes on after an interruption.

config.yaml               the configuration as run
versions.json             versions of everything that matters, and the tables' fingerprints
metrics.jsonl             a line for each rollout; lines with win rates are the learning curve
state.safetensors         all that is needed to go on, exactly
checkpoints/000040.safetensors, last.safetensors    players
"""

import json
import platform
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from safetensors.numpy import load, save

from agents.arena import entrants, play_match
from agents.config import ConfigError, as_yaml, config_from, read_yaml
from agents.value_net import Training, ValueNetConfig
from sorry_env.checkpoint import Checkpoint, checkpoint_of, save_checkpoint, write_atomically
from sorry_env.players import make_player
from sorry_env.players.network import Network
from sorry_env.variant import Variant

PACKAGES = ("sorry-env", "numpy", "numba", "torch", "safetensors", "pettingzoo", "gymnasium")

Row = dict[str, float]
"""A line of the metrics."""


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

    def begin(self, config: ValueNetConfig, game: Variant) -> None:
        """Write down what is about to be run."""
        write_atomically(self.path / "config.yaml", as_yaml(config).encode())
        facts = {name: version(name) for name in PACKAGES} | {"python": platform.python_version()}
        facts |= {"actions": game.actions.fingerprint, "features": game.features.fingerprint}
        write_atomically(self.path / "versions.json", (json.dumps(facts, indent=2) + "\n").encode())

    def save(self, training: Training, checkpoint: Checkpoint) -> None:
        """Keep the state, the metrics and a checkpoint; the state comes last, so that it never runs ahead."""
        save_checkpoint(self.path / "checkpoints" / f"{training.done:06d}.safetensors", checkpoint)
        save_checkpoint(self.last, checkpoint)
        lines = "".join(json.dumps(row) + "\n" for row in self.rows)
        write_atomically(self.path / "metrics.jsonl", lines.encode())
        write_atomically(self.path / "state.safetensors", save(training.tensors()))

    def resume(self, training: Training) -> bool:
        """Take up an earlier run where it was saved last; False if there is none.

        Raises:
            ConfigError: the folder holds a run of another configuration.
        """
        state = self.path / "state.safetensors"
        if not state.exists():
            return False
        before = config_from(ValueNetConfig, read_yaml(self.path / "config.yaml"))
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


def _difference(before: ValueNetConfig, now: ValueNetConfig) -> str:
    names = [name for name in vars(now) if getattr(before, name) != getattr(now, name)]
    return ", ".join(f"{name} was {getattr(before, name)!r}, is {getattr(now, name)!r}" for name in names)


def train(config: ValueNetConfig, folder: RunFolder, tell: Callable[[Row], Any] = lambda row: None) -> Training:
    """Run a configuration to its end, from the beginning or from where its folder was saved.

    Args:
        config: what to train.
        folder: where; an earlier run of the same configuration is taken up.
        tell: called with each new line of the metrics.

    Raises:
        ConfigError: the folder holds a run of another configuration.
        RulesetError, PlayerError, CheckpointError: the ruleset or an opponent cannot be.
    """
    training = Training(config)
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


def present_player(training: Training, seconds: float) -> Checkpoint:
    """The averaged net as a checkpoint, with its training record."""
    config = training.config
    record = {
        "agent": config.agent,
        "seed": config.seed,
        "hidden": list(config.hidden),
        "rollouts": training.done,
        "games": training.games,
        "seconds": round(seconds, 1),
    }
    return checkpoint_of("value", training.game, training.learner.layers(), record)


def evaluation(training: Training) -> Row:
    """Win rates of the present player against the opponents of the learning curve, with the intervals' half-widths."""
    config, game = training.config, training.game
    player = Network(game, "present", present_player(training, 0.0))
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
