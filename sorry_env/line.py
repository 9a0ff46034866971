"""A position as one line of text, for logs and reports, that holds what its dict holds.

classic deck=44; red start 14 safe2 home; yellow 34 start start start; to red; card 7; pile 4 4 4 4 4 3 4 4 4 4 4

The ruleset with its changes comes first; then, between semicolons, parts that each begin with a key. Those that every
game has are written and read here, the others by the game.
"""

from collections.abc import Callable, Iterable
from typing import Any

from sorry_env.errors import InvalidPosition, RulesetError
from sorry_env.rulesets import RULESETS, change_of, change_word

Position = dict[str, Any]
Reader = Callable[[Position, str, list[str]], bool]
"""Reads a part, its key and the words after it, into a position; False if it makes no sense."""


def write_line(position: Position, board: Iterable[str], due: Iterable[str]) -> str:
    """A position dict as a line.

    Args:
        position: the dict.
        board: the game's parts that come before the colour to move: what stands where.
        due: those that come after it: what there is to be done, and with what.
    """
    changes = (change_word(name, value) for name, value in position.get("changes", {}).items())
    parts = [" ".join([position["ruleset"], *changes]), *board]
    if position["to_move"] is not None:
        parts.append(f"to {position['to_move']}")
    parts += [*due, f"turns {position['turns']}"]
    if "winner" in position:
        parts.append(" ".join(["winner", *position["winner"]]))
    return "; ".join(parts)


def read_line(line: str, empty: Position, read: Reader, forms: str) -> Position:
    """The position dict of a line; whether it makes sense is for others to say.

    Args:
        line: the text.
        empty: the dict's keys that a line may leave out.
        read: the game's reader.
        forms: what the game's parts look like, to end a sentence.

    Raises:
        InvalidPosition: a part that cannot be read.
    """
    head, *parts = [part.split() for part in line.split(";")]
    if not head:
        raise InvalidPosition(f"{line!r}: a position begins with the name of its ruleset")
    position: Position = {"ruleset": head[0], "seats": [], "to_move": None}
    if head[1:]:
        position["changes"] = dict(_change(head[0], word) for word in head[1:])
    position |= empty
    for words in parts:
        key, values = (words[0], words[1:]) if words else ("", [])
        if not (_read_common(position, key, values) or read(position, key, values)):
            raise InvalidPosition(
                f"cannot read {' '.join(words)!r}: a part is {forms}, 'to COLOUR', 'turns N' or 'winner COLOUR'"
            )
    return position


def _read_common(position: Position, key: str, values: list[str]) -> bool:
    if key == "to" and len(values) == 1 and position["to_move"] is None:
        position["to_move"] = values[0]
    elif key == "turns" and len(values) == 1 and key not in position:
        position["turns"] = number(values[0])
    elif key == "winner" and key not in position:
        position["winner"] = values
    else:
        return False
    return True


def number(word: str) -> Any:
    """A number where it is one; else the word, for the checks to name."""
    return int(word) if word.isascii() and word.isdigit() else word


def squeezed(place: str | int) -> str:
    """A place as one word, as in `safe2`."""
    return str(place).replace(" ", "")


def _change(name: str, word: str) -> tuple[str, Any]:
    try:
        return change_of(RULESETS.get(name, RULESETS["classic"]), word)
    except RulesetError as error:
        raise InvalidPosition(f"cannot read {word!r}: {error}") from error
