"""The parts of a position's line of text that only Sorry! Express has; see `sorry_env.line`.

express; red shows red holds red 1 green 2; blue shows blue; start red 3 blue 4 yellow 4 green 2; to red; dice red slide
"""

from collections.abc import Mapping
from typing import Any

from sorry_env.line import Position, number, read_line, write_line
from sorry_env.rulesets import COLOURS

FORMS = (
    "'COLOUR shows COLOUR', with 'holds' and counts if there are pawns, 'start' and counts (colours, each once, with a "
    "number behind each), 'dice' and faces"
)


def to_line(position: Position) -> str:
    """A position dict as one line of text."""
    board = [_base(colour, position["shown"][colour], position["held"][colour]) for colour in position["seats"]]
    start = " ".join(["start", *_words(position["start_base"])])
    due = [" ".join(["dice", *position["dice"]])] if position["dice"] else []
    return write_line(position, [*board, start], due)


def _base(colour: str, shown: str, held: Mapping[str, int]) -> str:
    return " ".join([colour, "shows", shown, *(["holds", *_words(held)] if held else [])])


def _words(counts: Mapping[str, int]) -> list[str]:
    return [word for colour, count in counts.items() for word in (colour, str(count))]


def from_line(line: str) -> Position:
    """The position dict of a line of text; see `read_line`."""
    return read_line(line, {"shown": {}, "held": {}, "start_base": {}, "dice": []}, _read, FORMS)


def _read(position: Position, key: str, values: list[str]) -> bool:
    if key in COLOURS and len(values) > 1 and values[0] == "shows" and values[2:3] in ([], ["holds"]):
        counts = _counts(values[3:])
        position["seats"].append(key)
        position["shown"][key], position["held"][key] = values[1], counts
        return counts is not None
    if key == "start":
        position["start_base"] = _counts(values)
        return position["start_base"] is not None
    if key == "dice":
        position["dice"] = values
        return True
    return False


def _counts(values: list[str]) -> dict[str, Any] | None:
    """Colours and numbers in turn; None if the words are no such list."""
    colours, numbers = values[::2], values[1::2]
    if len(colours) != len(numbers) or len(set(colours)) < len(colours):
        return None
    return {colour: number(count) for colour, count in zip(colours, numbers, strict=True)}
