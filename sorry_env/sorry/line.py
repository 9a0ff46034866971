"""A position as one line of text, for logs and reports, that holds what the dict holds.

classic deck=44; red start 14 safe2 home; yellow 34 start start start; to red; card 7; pile 4 4 4 4 4 3 4 4 4 4 4
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from sorry_env.errors import InvalidPosition, suggestion
from sorry_env.family import Position
from sorry_env.rulesets import COLOURS
from sorry_env.sorry.rules import CARDS, SorryRules


def to_line(position: Position) -> str:
    """A position dict as one line of text."""
    changes = "".join(f" {name}={_change_word(value)}" for name, value in position.get("changes", {}).items())
    parts = [position["ruleset"] + changes]
    for colour in position["seats"]:
        parts.append(" ".join([colour, *map(_word, position["pawns"][colour])]))
    for key in ("to_move", "card"):
        if position[key] is not None:
            parts.append(f"{key.removesuffix('_move')} {position[key]}")
    parts.append("pile " + " ".join(str(count) for count in position["pile"].values()))
    parts += _extra_parts(position)
    parts.append(f"turns {position['turns']}")
    if "winner" in position:
        parts.append(" ".join(["winner", *position["winner"]]))
    return "; ".join(parts)


def _extra_parts(position: Position) -> Iterator[str]:
    """What only some rulesets have."""
    for colour, hand in position.get("hands", {}).items():
        yield " ".join(["hand", colour, *(["hidden", str(hand)] if isinstance(hand, int) else hand)])
    for token in ("fire", "ice"):
        if position.get(token) is not None:
            yield " ".join([token, position[token][0], _word(position[token][1])])
    if "phase" in position:
        yield f"phase {position['phase']}"
    if "pending" in position:
        yield " ".join(["pending", *_pending_words(position["pending"])])


def _pending_words(pending: dict[str, Any]) -> Iterator[str]:
    yield pending["decision"]
    for key, value in pending.items():
        if key == "moved":
            yield key
            for colour, places in value.items():
                yield from (colour, *map(_word, places))
        elif key != "decision":
            yield from (key, str(value))


def _word(place: str | int) -> str:
    return str(place).replace(" ", "")


def _change_word(value: object) -> str:
    return ",".join(value) if isinstance(value, (tuple, list)) else str(value)


def from_line(line: str) -> Position:
    """The position dict of a line of text; whether it makes sense is for `from_position` to say.

    Raises:
        InvalidPosition: a part that cannot be read.
    """
    head, *parts = [part.split() for part in line.split(";")]
    if not head:
        raise InvalidPosition(f"{line!r}: a position begins with the name of its ruleset")
    position: Position = {"ruleset": head[0], "seats": [], "pawns": {}, "to_move": None, "card": None}
    if head[1:]:
        position["changes"] = dict(_change(word) for word in head[1:])
    for words in parts:
        _read_part(position, words)
    return position


def _read_part(position: Position, words: list[str]) -> None:
    key, values = (words[0], words[1:]) if words else ("", [])
    if key in COLOURS:
        position["seats"].append(key)
        position["pawns"][key] = [_place_word(word) for word in values]
    elif key in ("to", "card", "turns", "phase") and len(values) == 1:
        position["to_move" if key == "to" else key] = _number(values[0]) if key == "turns" else values[0]
    elif key == "pile" and len(values) in (len(CARDS) - 1, len(CARDS)):
        position["pile"] = {card: _number(word) for card, word in zip(CARDS, values, strict=False)}
    elif key == "hand" and values:
        hidden = len(values) == 3 and values[1] == "hidden"
        position.setdefault("hands", {})[values[0]] = _number(values[2]) if hidden else values[1:]
    elif key in ("fire", "ice") and len(values) == 2:
        position[key] = [values[0], _place_word(values[1])]
    elif key == "pending" and values:
        position["pending"] = {"decision": values[0]} | _pending(values[1:])
    elif key == "winner":
        position["winner"] = values
    else:
        raise InvalidPosition(
            f"cannot read {' '.join(words)!r}: a part is a colour and its places, 'to COLOUR', 'card CARD', "
            f"'pile' and {len(CARDS) - 1} or {len(CARDS)} counts, 'hand COLOUR' and cards, 'fire' or 'ice', COLOUR and "
            "PLACE, 'phase fire', 'pending DECISION' and its words, 'turns N' or 'winner COLOUR'"
        )


def _pending(words: list[str]) -> dict[str, Any]:
    """The further keys of a pending decision: a key and its word, or `moved`, colours and places."""
    found: dict[str, Any] = {}
    while words and words[0] != "moved":
        key, value = words[0], words[1] if len(words) > 1 else ""
        found[key] = _number(value) if key == "left" else value
        words = words[2:]
    if words:
        found["moved"] = {}
        for word in words[1:]:
            if word in COLOURS:
                found["moved"][word] = []
            elif found["moved"]:
                found["moved"][list(found["moved"])[-1]].append(_place_word(word))
            else:
                raise InvalidPosition(f"cannot read 'moved {word}': a colour comes first, then its places")
    return found


def _place_word(word: str) -> str | int:
    return word.replace("safe", "safe ") if word.startswith("safe") else _number(word)


def _number(word: str) -> Any:
    """A number where it is one; else the word, for the checks to name."""
    return int(word) if word.isascii() and word.isdigit() else word


def _change(word: str) -> tuple[str, Any]:
    name, _, value = word.partition("=")
    types = {field.name: field.type for field in fields(SorryRules)}
    if name not in types:
        raise InvalidPosition(f"cannot read {word!r}: {suggestion(name, types)}")
    if types[name] in (int, bool, int | None):
        return name, {"True": True, "False": False, "None": None}.get(value, _number(value))
    if value == "None":
        return name, None
    return name, value if types[name] in (str, str | None) else tuple(value.split(","))
