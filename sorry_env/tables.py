"""What every game numbers in the same way: its actions, and the parts of an observation."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Generic, TypeVar

Row = TypeVar("Row")


class ActionTable(Generic[Row]):
    """The actions of a ruleset and a seat count, numbered 0..A-1 in table order.

    Attributes:
        rows: the actions; an action's id is its index. As text each is different from all others.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        """Number the rows."""
        self.rows: tuple[Row, ...] = tuple(rows)
        self._ids = {action: k for k, action in enumerate(self.rows)}

    def __len__(self) -> int:
        """A, the number of actions."""
        return len(self.rows)

    def __getitem__(self, action: int) -> Row:
        """The row of an id."""
        return self.rows[action]

    def id(self, action: Row) -> int:
        """The id of a row; KeyError if the table does not hold it."""
        return self._ids[action]

    @cached_property
    def fingerprint(self) -> str:
        """Hash over the rows: two tables with the same fingerprint number the same actions alike."""
        return hashlib.sha256("\n".join(map(str, self.rows)).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Slice:
    """A named part of the vector: `vector[begin:end].reshape(shape)`."""

    name: str
    begin: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def end(self) -> int:
        """One past the last index."""
        return self.begin + prod(self.shape)


class FeatureTable:
    """The slices of a ruleset and a seat count.

    Attributes:
        slices: name -> `Slice`, in the vector's order.
        width: F, the length of the vector.
    """

    def __init__(self, shapes: Mapping[str, tuple[tuple[int, ...], str]]) -> None:
        """Lay slices out one behind the other, each a shape and a meaning by name."""
        self.slices: dict[str, Slice] = {}
        self.width = 0
        for name, (shape, meaning) in shapes.items():
            self.slices[name] = Slice(name, self.width, shape, meaning)
            self.width = self.slices[name].end

    def begins(self, names: Sequence[str], none: int) -> list[int]:
        """Where each of some slices begins; `none` for one that the vector lacks."""
        return [self.slices[name].begin if name in self.slices else none for name in names]

    @cached_property
    def fingerprint(self) -> str:
        """Hash over names, places, shapes and meanings: equal ones are the same vector."""
        return hashlib.sha256(repr(list(self.slices.values())).encode()).hexdigest()[:16]
