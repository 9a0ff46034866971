"""The ruleset of Parcheesi as a value. The numbers in parentheses are those of the rules page."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from sorry_env.errors import RulesetError, suggestion

NAMES = ("parcheesi",)
"""The named rulesets; each stands in `RULESETS`."""

MOST_TURNS = 10**9
"""Far below what a state's counter of turns can hold."""


@dataclass(frozen=True, kw_only=True)
class ParcheesiRuleset:
    """The rules of one game, without its seats."""

    name: str
    """The named ruleset that the fields below started from."""
    pieces: int = 4
    """Pieces a seat (P1); 1 to 3 for study."""
    third_doublet_penalty: bool = True
    """The third doublet in a row sends the foremost piece back to the nest and ends the turn (P9)."""
    second_lap: bool = True
    """A piece may go past its home row for another lap (P11)."""
    doublet_breaks_blockade: bool = False
    """A piece moved by a part of a doublet may pass over a foreign blockade (P12)."""
    turn_limit: int | None = None
    """Turns after which a game is truncated (P14, S26); None: never."""

    def __post_init__(self) -> None:
        """Refuse what cannot be, with the reason."""
        for field in fields(self):
            _check_type(field.name, getattr(self, field.name))
        for problem in self._out_of_range():
            raise RulesetError(problem)

    def _out_of_range(self) -> Iterator[str]:
        """What a field cannot be."""
        if self.name not in NAMES:
            yield f"unknown ruleset {self.name!r}; {suggestion(self.name, NAMES)}"
        if not 1 <= self.pieces <= 4:
            yield f"pieces={self.pieces}: a seat has 1 to 4 pieces (P1)"
        if self.turn_limit is not None and not 1 <= self.turn_limit <= MOST_TURNS:
            yield f"turn_limit={self.turn_limit}: from 1 to {MOST_TURNS}, or None for no limit (S26)"

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many seats a game may have (P1)."""
        return (2, 3, 4)

    def changes(self) -> dict[str, Any]:
        """The fields that differ from the named ruleset, as JSON has them."""
        parent = RULESETS[self.name]
        names = (field.name for field in fields(self) if field.name != "name")
        return {n: getattr(self, n) for n in names if getattr(self, n) != getattr(parent, n)}

    def __str__(self) -> str:
        """The name and its changes, as in `parcheesi(second_lap=False)`."""
        changes = ", ".join(f"{name}={value!r}" for name, value in self.changes().items())
        return f"{self.name}({changes})" if changes else self.name


_TYPES: dict[str, type] = {"name": str, "pieces": int, "turn_limit": int}


def _check_type(name: str, value: object) -> None:
    wanted = _TYPES.get(name, bool)
    if name == "turn_limit" and value is None:
        return
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise RulesetError(f"{name}={value!r}: expected {wanted.__name__}, got {type(value).__name__}")


PARCHEESI = ParcheesiRuleset(name="parcheesi")
"""Section P."""

RULESETS: dict[str, ParcheesiRuleset] = {PARCHEESI.name: PARCHEESI}


def ruleset(name: str | ParcheesiRuleset = "parcheesi", /, **changes: Any) -> ParcheesiRuleset:
    """The named ruleset with some fields changed.

    Raises:
        RulesetError: an unknown name or field, or a value out of range.
    """
    base = name if isinstance(name, ParcheesiRuleset) else RULESETS.get(name)
    if base is None:
        raise RulesetError(f"unknown ruleset {name!r}; {suggestion(name, RULESETS)}")
    known = [field.name for field in fields(ParcheesiRuleset) if field.name != "name"]
    for field_name in changes:
        if field_name not in known:
            raise RulesetError(f"{base.name} has no field {field_name!r}; {suggestion(field_name, known)}")
    return replace(base, **changes)
