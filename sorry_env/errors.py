"""What may go wrong in a caller's hands. Each message names what is wrong and what would be right."""

import difflib
from collections.abc import Iterable


class SorryError(ValueError):
    """Base of every error that this package raises for a caller's mistake."""


class RulesetError(SorryError):
    """An unknown ruleset or field, a value out of range, a contradiction, or seats that cannot be."""


class IllegalAction(SorryError):
    """An action that the position does not allow, with the reason."""


class InvalidPosition(SorryError):
    """A position that cannot be, with every problem that was found in it."""


class PlayerError(SorryError):
    """A player's spec string that names nothing, or options that the player does not have."""


class CheckpointError(SorryError):
    """A file that is not a checkpoint of ours, is damaged, or was made for another game."""


class SolveError(SorryError):
    """A game, or a part of it, that is not solved exactly, with the reason."""


def suggestion(word: object, known: Iterable[str]) -> str:
    """The close matches of a misspelt word, or all that is known, as the end of an error message."""
    names = list(known)
    close = difflib.get_close_matches(str(word), names, n=1)
    return f"did you mean {close[0]!r}?" if close else "known are: " + ", ".join(map(repr, names))
