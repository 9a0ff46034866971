"""Training configurations: YAML files over dataclasses that hold the defaults."""

import dataclasses
import math
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml

from sorry_env.errors import SorryError, suggestion
from sorry_env.rulesets import ruleset
from sorry_env.variant import Variant, variant

C = TypeVar("C")


class ConfigError(SorryError):
    """A configuration that cannot be read, with the key at fault and what it may be."""


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """What every training run is made of; each trainer has a class of its own, with its fields and defaults."""

    agent: str
    """The trainer that reads this configuration."""
    ruleset: str = "classic"
    """The ruleset's name."""
    changes: dict[str, Any] = field(default_factory=dict)
    """Ruleset fields that differ from it."""
    seats: int | tuple[str, ...] = 2
    """How many seats, or their colours in turn order."""
    seed: int = 0
    """Of the weights, the cards and everything else that is random."""
    hidden: tuple[int, ...] = (64,)
    """Widths of the hidden layers."""
    lanes: int
    """Games side by side, N."""
    steps: int
    """Steps of a rollout in each lane, T."""
    rollouts: int
    """Rollouts of the whole run."""
    batch: int = 2048
    """Examples of a gradient step."""
    learning_rate: float
    """Adam's step size at the beginning."""
    evaluate_every: int
    """Rollouts between two points of the learning curve, and between two saved states."""
    evaluation_deals: int = 500
    """Duplicate deals of each match of the learning curve."""
    opponents: tuple[str, ...]
    """Players of the learning curve, by spec string."""

    def __post_init__(self) -> None:
        """Refuse numbers with which there is nothing to learn; trainers add theirs."""
        for name in ("lanes", "rollouts", "batch", "learning_rate", "evaluate_every", "evaluation_deals"):
            self._positive(name)
        if min(self.hidden, default=1) < 1:
            raise ConfigError(f"hidden is {list(self.hidden)}: expected widths of 1 or more")
        if self.seed < 0:
            raise ConfigError(f"seed is {self.seed}: expected 0 or more")

    def game(self) -> Variant:
        """What is played.

        Raises:
            RulesetError: the ruleset, its changes or the seats cannot be.
        """
        return variant(ruleset(self.ruleset, **self.changes), self.seats)

    def _positive(self, name: str) -> None:
        if not 0 < getattr(self, name) < math.inf:
            raise ConfigError(f"{name} is {getattr(self, name)}: expected more than 0")

    def _share(self, name: str) -> None:
        if not 0 <= getattr(self, name) <= 1:
            raise ConfigError(f"{name} is {getattr(self, name)}: expected 0 to 1")


def read_yaml(path: str | Path) -> dict[str, Any]:
    """The mapping in a YAML file.

    Raises:
        ConfigError: no such file, not YAML, or not a mapping.
    """
    try:
        found = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the configuration {str(path)!r}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{str(path)!r} is not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(found, dict):
        raise ConfigError(f"{str(path)!r} holds {type(found).__name__}, expected keys with values")
    return found


def config_from(kind: type[C], values: Mapping[str, Any]) -> C:
    """A configuration dataclass from plain values; what they leave out keeps its default.

    Raises:
        ConfigError: a key that the dataclass lacks, or a value of another type.
    """
    hints = typing.get_type_hints(kind)
    for key, value in values.items():
        if key not in hints:
            raise ConfigError(f"unknown key {key!r}; {suggestion(key, hints)}")
        if not _fits(value, hints[key]):
            raise ConfigError(f"{key} is {value!r}: expected {_named(hints[key])}")
    return kind(**{key: _converted(value, hints[key]) for key, value in values.items()})


def _fits(value: Any, hint: Any) -> bool:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is tuple:
        return isinstance(value, (list, tuple)) and all(_fits(item, inner[0]) for item in value)
    if origin is dict:
        return isinstance(value, dict) and all(_fits(key, inner[0]) for key in value)
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, hint) and not (hint is int and isinstance(value, bool))


def _converted(value: Any, hint: Any) -> Any:
    """Lists become tuples and whole numbers floats where the dataclass says so."""
    if isinstance(value, list):
        return tuple(value)
    return float(value) if hint is float else value


def _named(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)


def as_yaml(config: Any) -> str:
    """A configuration dataclass as YAML, every field written out."""
    values = {name: list(v) if isinstance(v, tuple) else v for name, v in dataclasses.asdict(config).items()}
    return yaml.safe_dump(values, sort_keys=False)
