"""Training configurations: YAML files over dataclasses that hold the defaults."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml

from sorry_env.errors import SorryError, suggestion

C = TypeVar("C")


class ConfigError(SorryError):
    """A configuration that cannot be read, with the key at fault and what it may be."""


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
