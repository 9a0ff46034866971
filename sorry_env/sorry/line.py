"""The parts of a position's line of text that only Sorry! has; see `sorry_env.line`."""

from collections.abc import Iterator
from typing import Any

from sorry_env.errors import InvalidPosition
from sorry_env.line import Position, number, read_line, squeezed, write_line
from sorry_env.rulesets import COLOURS
from sorry_env.sorry.rules import CARDS

FORMS = (
    f"a colour and its places, 'card CARD', 'pile' and {len(CARDS) - 1} or {len(CARDS)} counts, 'hand COLOUR' and "
    "cards, 'fire' or 'ice', COLOUR and PLACE, 'phase fire', 'pending DECISION' and its words"
)


def to_line(position: Position) -> str:
    """A position dict as one line of text."""
    board = (" ".join([colour, *map(squeezed, position["pawns"][colour])]) for colour in position["seats"])
    return write_line(position, board, _due_parts(position))


def _due_parts(position: Position) -> Iterator[str]:
    if position["card"] is not None:
        yield f"card {position['card']}"
    yield "pile " + " ".join(str(count) for count in position["pile"].values())
    yield from _extra_parts(position)


def _extra_parts(position: Position) -> Iterator[str]:
    """What only some rulesets have."""
    for colour, hand in position.get("hands", {}).items():
        yield " ".join(["hand", colour, *(["hidden", str(hand)] if isinstance(hand, int) else hand)])
    for token in ("fire", "ice"):
        if position.get(token) is not None:
            yield " ".join([token, position[token][0], squeezed(position[token][1])])
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
                yield from (colour, *map(squeezed, places))
        elif key != "decision":
            yield from (key, str(value))


def from_line(line: str) -> Position:
    """The position dict of a line of text; see `read_line`."""
    return read_line(line, {"pawns": {}, "card": None}, _read, FORMS)


def _read(position: Position, key: str, values: list[str]) -> bool:
    if key in COLOURS:
        position["seats"].append(key)
        position["pawns"][key] = [_place_word(word) for word in values]
    elif key in ("card", "phase") and len(values) == 1:
        position[key] = values[0]
    elif key == "pile" and len(values) in (len(CARDS) - 1, len(CARDS)):
        position["pile"] = {card: number(word) for card, word in zip(CARDS, values, strict=False)}
    elif key == "hand" and values:
        hidden = len(values) == 3 and values[1] == "hidden"
        position.setdefault("hands", {})[values[0]] = number(values[2]) if hidden else values[1:]
    elif key in ("fire", "ice") and len(values) == 2:
        position[key] = [values[0], _place_word(values[1])]
    elif key == "pending" and values:
        position["pending"] = {"decision": values[0]} | _pending(values[1:])
    else:
        return False
    return True


def _pending(words: list[str]) -> dict[str, Any]:
    """The further keys of a pending decision: a key and its word, or `moved`, colours and places."""
    found: dict[str, Any] = {}
    while words and words[0] != "moved":
        key, value = words[0], words[1] if len(words) > 1 else ""
        found[key] = number(value) if key == "left" else value
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
    return word.replace("safe", "safe ") if word.startswith("safe") else number(word)
