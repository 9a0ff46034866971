"""A position of Parcheesi as one line of text, for logs and reports, that holds what the dict holds.

parcheesi second_lap=False; red nest 5 row3 home; blue nest nest 22 40; to red; dice 3; rewards 20; rolled 3 6;
doublets 0; together red 30 34; turns 12
"""

from collections.abc import Iterator
from typing import Any

from sorry_env.errors import InvalidPosition, suggestion
from sorry_env.parcheesi.rules import ParcheesiRules
from sorry_env.rulesets import COLOURS, field_types

Position = dict[str, Any]
LISTS = ("dice", "rewards", "rolled")


def to_line(position: Position) -> str:
    """A position dict as one line of text."""
    changes = "".join(f" {name}={value}" for name, value in position.get("changes", {}).items())
    parts = [position["ruleset"] + changes]
    for colour in position["seats"]:
        parts.append(" ".join([colour, *map(_word, position["pieces"][colour])]))
    if position["to_move"] is not None:
        parts.append(f"to {position['to_move']}")
    parts += [" ".join([key, *map(str, position[key])]) for key in LISTS if position.get(key)]
    parts += _turn_parts(position)
    return "; ".join(parts)


def _turn_parts(position: Position) -> Iterator[str]:
    if position.get("doublets"):
        yield f"doublets {position['doublets']}"
    for colour, pairs in position.get("together", {}).items():
        yield " ".join(["together", colour, *(_word(place) for pair in pairs for place in pair)])
    yield f"turns {position['turns']}"
    if "winner" in position:
        yield " ".join(["winner", *position["winner"]])


def _word(place: str | int) -> str:
    return str(place).replace(" ", "")


def from_line(line: str) -> Position:
    """The position dict of a line of text; whether it makes sense is for `position.problems` to say.

    Raises:
        InvalidPosition: a part that cannot be read.
    """
    head, *parts = [part.split() for part in line.split(";")]
    if not head:
        raise InvalidPosition(f"{line!r}: a position begins with the name of its ruleset")
    position: Position = {"ruleset": head[0]}
    if head[1:]:
        position["changes"] = dict(_change(word) for word in head[1:])
    position |= {"seats": [], "to_move": None, "pieces": {}, "dice": [], "rewards": [], "rolled": [], "doublets": 0}
    for words in parts:
        _read_part(position, words)
    return position


def _read_part(position: Position, words: list[str]) -> None:
    key, values = (words[0], words[1:]) if words else ("", [])
    if key in COLOURS:
        position["seats"].append(key)
        position["pieces"][key] = [_place_word(word) for word in values]
    elif key == "to" and len(values) == 1:
        position["to_move"] = values[0]
    elif key in ("turns", "doublets") and len(values) == 1:
        position[key] = _number(values[0])
    elif key in LISTS and values:
        position[key] = [_number(word) for word in values]
    elif key == "together" and len(values) % 2 == 1:
        places = [_place_word(word) for word in values[1:]]
        pairs = [list(pair) for pair in zip(places[::2], places[1::2], strict=True)]
        position.setdefault("together", {})[values[0]] = pairs
    elif key == "winner":
        position["winner"] = values
    else:
        raise InvalidPosition(
            f"cannot read {' '.join(words)!r}: a part is a colour and its places, 'to COLOUR', 'dice', 'rewards' or "
            "'rolled' and numbers, 'doublets N', 'together COLOUR' and pairs of places, 'turns N' or 'winner COLOUR'"
        )


def _place_word(word: str) -> str | int:
    return word.replace("row", "row ") if word.startswith("row") else _number(word)


def _number(word: str) -> Any:
    """A number where it is one; else the word, for the checks to name."""
    return int(word) if word.isascii() and word.isdigit() else word


def _change(word: str) -> tuple[str, Any]:
    name, _, value = word.partition("=")
    names = list(field_types(ParcheesiRules))
    if name not in names:
        raise InvalidPosition(f"cannot read {word!r}: {suggestion(name, names)}")
    return name, {"True": True, "False": False, "None": None}.get(value, _number(value))
