"""The parts of a position's line of text that only Parcheesi has; see `sorry_env.line`.

parcheesi second_lap=False; red nest 5 row3 home; blue nest nest 22 40; to red; dice 3; rewards 20; rolled 3 6;
together red 30 34; turns 12
"""

from collections.abc import Iterator

from sorry_env.line import Position, number, read_line, squeezed, write_line
from sorry_env.rulesets import COLOURS

LISTS = ("dice", "rewards", "rolled")
FORMS = (
    "a colour and its places, 'dice', 'rewards' or 'rolled' and numbers, 'doublets N', 'together COLOUR' and pairs of "
    "places"
)


def to_line(position: Position) -> str:
    """A position dict as one line of text."""
    board = (" ".join([colour, *map(squeezed, position["pieces"][colour])]) for colour in position["seats"])
    return write_line(position, board, _roll_parts(position))


def _roll_parts(position: Position) -> Iterator[str]:
    for key in LISTS:
        if position[key]:
            yield " ".join([key, *map(str, position[key])])
    if position["doublets"]:
        yield f"doublets {position['doublets']}"
    for colour, pairs in position.get("together", {}).items():
        yield " ".join(["together", colour, *(squeezed(place) for pair in pairs for place in pair)])


def from_line(line: str) -> Position:
    """The position dict of a line of text; see `read_line`."""
    return read_line(line, {"pieces": {}, "dice": [], "rewards": [], "rolled": [], "doublets": 0}, _read, FORMS)


def _read(position: Position, key: str, values: list[str]) -> bool:
    if key in COLOURS:
        position["seats"].append(key)
        position["pieces"][key] = [_place_word(word) for word in values]
    elif key in LISTS and values:
        position[key] = [number(word) for word in values]
    elif key == "doublets" and len(values) == 1:
        position[key] = number(values[0])
    elif key == "together" and len(values) % 2 == 1:
        places = [_place_word(word) for word in values[1:]]
        pairs = [list(pair) for pair in zip(places[::2], places[1::2], strict=True)]
        position.setdefault("together", {})[values[0]] = pairs
    else:
        return False
    return True


def _place_word(word: str) -> str | int:
    return word.replace("row", "row ") if word.startswith("row") else number(word)
