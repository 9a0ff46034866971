"""Rulesets as values: frozen dataclasses, each variant a difference from a named parent, and where to find them.

Each game derives a class of its own from `Ruleset`, with a field for each rule that people really play in two ways.
The numbers in parentheses are those of the rules page.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from types import UnionType
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

import numpy as np

from sorry_env.errors import RulesetError, suggestion

COLOURS = ("red", "blue", "yellow", "green")
"""Clockwise; colour k plays from side k."""
SEATS = 4
"""Most seats that a game has: the width of arrays in a state."""
SEAT_COUNTS = (2, 3, 4)
"""How many seats a game may have (S1)."""
MOST_TURNS = 10**9
"""Far below what a state's counter of turns can hold."""


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """The rules of one game, without its seats. Build variants with `ruleset(name, **changes)`."""

    NAMES: ClassVar[tuple[str, ...]] = ()
    """The named rulesets of the class; each stands in `RULESETS`."""

    name: str
    """The named ruleset that the fields below started from."""
    turn_limit: int | None = None
    """Turns after which a game is truncated (S26); None: never."""

    def __post_init__(self) -> None:
        """Refuse what cannot be, with the reason."""
        for field, wanted in field_types(self.__class__).items():
            _check_type(field, getattr(self, field), wanted)
        for problem in self.problems():
            raise RulesetError(problem)

    def problems(self) -> Iterator[str]:
        """What a field cannot be, and which fields do not go together; games add theirs."""
        if self.name not in self.NAMES:
            yield f"unknown ruleset {self.name!r}; {suggestion(self.name, self.NAMES)}"
        if self.turn_limit is not None and not 1 <= self.turn_limit <= MOST_TURNS:
            yield f"turn_limit={self.turn_limit}: from 1 to {MOST_TURNS}, or None for no limit (S26)"

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many seats a game may have (S1)."""
        return SEAT_COUNTS

    @property
    def partners(self) -> bool:
        """Whether opposite seats play together (T1)."""
        return False

    def changes(self) -> dict[str, Any]:
        """The fields that differ from the named ruleset, as JSON has them: `ruleset(r.name, **r.changes()) == r`."""
        parent = RULESETS[self.name]
        names = (field.name for field in fields(self) if field.name != "name")
        values = {n: getattr(self, n) for n in names if getattr(self, n) != getattr(parent, n)}
        return {n: list(value) if isinstance(value, tuple) else value for n, value in values.items()}

    def __str__(self) -> str:
        """The name and its changes, as in `classic(deck=44)`."""
        changes = ", ".join(f"{name}={value!r}" for name, value in self.changes().items())
        return f"{self.name}({changes})" if changes else self.name


RULESETS: dict[str, Ruleset] = {}
"""Every named ruleset; `family.register` adds those of a game."""


def field_types(kind: Any) -> dict[str, tuple[type, ...]]:
    """Field -> the types that it may have, of a class of rulesets."""
    hints = get_type_hints(kind)
    return {name: _types(hint) for name, hint in hints.items() if get_origin(hint) is not ClassVar}


def _types(hint: Any) -> tuple[type, ...]:
    parts = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    return tuple(get_origin(part) or part for part in parts)


def _check_type(name: str, value: object, wanted: tuple[type, ...]) -> None:
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        raise RulesetError(f"{name}={value!r}: expected {wanted[0].__name__}, got {type(value).__name__}")


def listed(values: Iterable[object]) -> str:
    """Values in a sentence, as in `2, 3 or 4`."""
    *most, last = (str(value) for value in values)
    return f"{', '.join(most)} or {last}" if most else last


def ruleset(name: str | Ruleset = "classic", /, **changes: Any) -> Ruleset:
    """A named ruleset with some fields changed.

    Args:
        name: a key of `RULESETS`, or a ruleset to start from.
        **changes: fields of the ruleset's class, by name; a list, as JSON and YAML have it, stands for a tuple.

    Raises:
        RulesetError: an unknown name or field, a value out of range, or a contradiction.
    """
    base = name if isinstance(name, Ruleset) else RULESETS.get(name) if isinstance(name, str) else None
    if base is None:
        raise RulesetError(f"unknown ruleset {name!r}; {suggestion(name, RULESETS)}")
    types = field_types(type(base))
    known = [field for field in types if field != "name"]
    for field in changes:
        if field not in known:
            raise RulesetError(f"{base.name} has no field {field!r}; {suggestion(field, known)}")
    lists = {field: tuple(v) for field, v in changes.items() if isinstance(v, list) and tuple in types[field]}
    values: dict[str, Any] = changes | lists
    return replace(base, **values)


def change_word(name: str, value: object) -> str:
    """A changed field as a word, as in `deck=44` or `starters=1,12`."""
    return f"{name}={','.join(map(str, value)) if isinstance(value, (tuple, list)) else value}"


def change_of(rules: Ruleset, word: str) -> tuple[str, Any]:
    """The field and the value that a word of `change_word` means; the ruleset says of what types its fields are.

    Raises:
        RulesetError: the ruleset has no such field, or there is no value.
    """
    name, separator, value = word.partition("=")
    types = {field: kinds for field, kinds in field_types(type(rules)).items() if field != "name"}
    if name not in types:
        raise RulesetError(f"{rules.name} has no field {name!r}; {suggestion(name, types)}")
    if not separator:
        raise RulesetError(f"{word!r} gives no value; write FIELD=VALUE")
    if tuple in types[name]:
        return name, tuple(value.split(","))
    named = {"true": True, "false": False, "none": None}.get(value.lower(), value)
    if str in types[name]:
        return name, None if named is None else value
    return name, int(value) if value.isascii() and value.isdecimal() else named


def seat_colours(seats: int | Sequence[str]) -> tuple[str, ...]:
    """The colours of a game's seats in turn order.

    Args:
        seats: how many (2 are opposite, 3 are the first three), or the colours themselves, clockwise.

    Raises:
        RulesetError: a wrong count, an unknown colour, one given twice, or an order that is not clockwise.
    """
    if isinstance(seats, (int, np.integer)) and not isinstance(seats, bool):
        defaults = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
        if int(seats) not in defaults:
            raise RulesetError(f"seats={seats}: a game has 2, 3 or 4 seats (S1)")
        return tuple(COLOURS[k] for k in defaults[int(seats)])
    if isinstance(seats, str) or not isinstance(seats, Sequence):
        raise RulesetError(f"seats={seats!r}: expected a count or a clockwise list of colours")
    return _checked_colours(list(seats))


def _checked_colours(colours: list[str]) -> tuple[str, ...]:
    for colour in colours:
        if colour not in COLOURS:
            raise RulesetError(f"unknown colour {colour!r}; {suggestion(colour, COLOURS)}")
    if len(set(colours)) < len(colours):
        raise RulesetError(f"seats={colours}: a colour is given twice; each seat needs its own")
    if not 2 <= len(colours) <= SEATS:
        raise RulesetError(f"seats={colours}: a game has 2, 3 or 4 seats (S1)")
    first = COLOURS.index(colours[0])
    clockwise = sorted(colours, key=lambda c: (COLOURS.index(c) - first) % SEATS)
    if colours != clockwise:
        raise RulesetError(f"seats={colours}: play passes clockwise (S4), so the order is {clockwise}")
    return tuple(colours)
