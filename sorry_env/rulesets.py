"""Rulesets as values: one frozen dataclass, each variant a difference from a named parent.

The numbers in parentheses are those of the rules page.
"""

from dataclasses import dataclass, fields, replace
from typing import Any

from sorry_env.errors import RulesetError, suggestion

DECKS: dict[int, tuple[int, ...]] = {
    45: (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4),
    44: (4,) * 11,
    55: (5,) * 11,
    11: (1,) * 11,
}
"""S2: deck size -> how many of each card in the order of `CARDS`."""

CARDS: tuple[str, ...] = ("1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "sorry")
"""The cards of the Sorry! family; a card's index here is its number in states, odds and tables."""

SEAT_COUNTS = (2, 3, 4)
"""How many seats a game may have (S1)."""

MOST_TURNS = 10**9
"""Far below what a state's counter of turns can hold."""

NAMES = ("classic", "diamond", "tiny")
"""The named rulesets; each stands in `RULESETS`."""


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """The rules of one game, without its seats. Build variants with `ruleset(name, **changes)`."""

    name: str
    """The named ruleset that the fields below started from."""
    deck: int = 45
    """Number of cards (S2): 45 modern, 44 first edition, 55 Waddingtons 1996, 11 one of each, for study."""
    replacement: bool = False
    """Every draw from the full deck (S2)."""
    pawns: int = 4
    """Pawns a seat, 1 to 4 (S1)."""
    swap_slides_both: bool = True
    """After a swap the foreign pawn slides too, not only the mover's (S24)."""
    bypass_entry: bool = False
    """A forward move may go past the own entry for another lap (S12)."""
    diamond: bool = False
    """The board shows the diamonds, and with them S12 has no exception (D1)."""
    turn_limit: int | None = None
    """Turns after which a game is truncated (S26); None: never."""

    def __post_init__(self) -> None:
        """Refuse what cannot be, with the reason."""
        for field in fields(self):
            _check_type(field.name, getattr(self, field.name))
        if self.name not in NAMES:
            raise RulesetError(f"unknown ruleset {self.name!r}; {suggestion(self.name, NAMES)}")
        if self.deck not in DECKS:
            raise RulesetError(f"deck={self.deck}: a deck has {_listed(DECKS)} cards (S2)")
        if not 1 <= self.pawns <= 4:
            raise RulesetError(f"pawns={self.pawns}: a seat has 1 to 4 pawns (S1)")
        if self.turn_limit is not None and not 1 <= self.turn_limit <= MOST_TURNS:
            raise RulesetError(f"turn_limit={self.turn_limit}: from 1 to {MOST_TURNS}, or None for no limit (S26)")
        if self.diamond and self.bypass_entry:
            raise RulesetError(
                "bypass_entry=True contradicts diamond=True: the diamond is the sign of the rule that nobody "
                "passes his own entry (S12); switch one of them off"
            )

    @property
    def counts(self) -> tuple[int, ...]:
        """How many of each card the full deck holds, in the order of `CARDS`."""
        return DECKS[self.deck]

    def changes(self) -> dict[str, Any]:
        """The fields that differ from the named ruleset: `ruleset(r.name, **r.changes()) == r`."""
        parent = RULESETS[self.name]
        names = (field.name for field in fields(self) if field.name != "name")
        return {n: getattr(self, n) for n in names if getattr(self, n) != getattr(parent, n)}

    def __str__(self) -> str:
        """The name and its changes, as in `classic(deck=44)`."""
        changes = ", ".join(f"{name}={value!r}" for name, value in self.changes().items())
        return f"{self.name}({changes})" if changes else self.name


def _check_type(name: str, value: object) -> None:
    wanted = {"name": str, "deck": int, "pawns": int, "turn_limit": int}.get(name, bool)
    optional = name == "turn_limit" and value is None
    if not optional and (not isinstance(value, wanted) or (wanted is int and isinstance(value, bool))):
        raise RulesetError(f"{name}={value!r}: expected {wanted.__name__}, got {type(value).__name__}")


def _listed(values: Any) -> str:
    *most, last = (str(value) for value in values)
    return f"{', '.join(most)} or {last}"


CLASSIC = Ruleset(name="classic")
"""Section S: the modern game of 45 cards."""
DIAMOND = replace(CLASSIC, name="diamond", deck=44, diamond=True)
"""Section D: the old board and deck."""
TINY = replace(CLASSIC, name="tiny", pawns=1, replacement=True)
"""One pawn and independent cards: small enough to be solved exactly; for tests of learning."""

RULESETS: dict[str, Ruleset] = {r.name: r for r in (CLASSIC, DIAMOND, TINY)}


def ruleset(name: str | Ruleset = "classic", /, **changes: Any) -> Ruleset:
    """A named ruleset with some fields changed.

    Args:
        name: a key of `RULESETS`, or a ruleset to start from.
        **changes: fields of `Ruleset`, by name.

    Raises:
        RulesetError: an unknown name or field, a value out of range, or a contradiction.
    """
    base = name if isinstance(name, Ruleset) else RULESETS.get(name) if isinstance(name, str) else None
    if base is None:
        raise RulesetError(f"unknown ruleset {name!r}; {suggestion(name, RULESETS)}")
    known = [field.name for field in fields(Ruleset) if field.name != "name"]
    for field_name in changes:
        if field_name not in known:
            raise RulesetError(f"{base.name} has no field {field_name!r}; {suggestion(field_name, known)}")
    return replace(base, **changes)
