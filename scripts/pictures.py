"""Write docs/boards/<ruleset>.png: a position from the middle of a game of each newer edition, and of other games."""

import sys
from pathlib import Path
from typing import Any

from sorry_env import Game
from sorry_env.render import png, svg_of

FOLDER = Path(__file__).parents[1] / "docs" / "boards"
COLOURS = ("red", "blue", "yellow", "green")

Places = list[str | int]

FOUR: dict[str, Places] = {
    "red": ["start", 14, 40, "home"],
    "blue": ["start", 22, 5, "safe 2"],
    "yellow": ["start", "start", 36, 59],
    "green": [52, 20, "safe 4", "home"],
}
THREE: dict[str, Places] = {
    "red": ["start", 12, "safe 2"],
    "blue": ["start", 26, 44],
    "yellow": [35, 58, "home"],
    "green": ["start", 53, 8],
}
HANDS = {
    "red": ["1", "3", "7", "11", "sorry"],
    "blue": ["2", "2", "5", "10", "12"],
    "yellow": ["4", "4", "8", "8", "sorry"],
    "green": ["1", "3", "5", "7", "10"],
}
PIECES: dict[str, Places] = {
    "red": ["nest", 30, 30, "home"],
    "blue": ["nest", 34, 63, "row 2"],
    "yellow": ["nest", "nest", 56, 8],
    "green": [11, 11, "row 6", "home"],
}
PAWNS = {
    "red": {"red": 2, "blue": 1, "green": 1},
    "blue": {"yellow": 3, "red": 1},
    "yellow": {"green": 2, "blue": 1},
    "green": {"green": 1},
}
"""What each seat of Express holds."""
SHOWN = {"red": "red", "blue": "yellow", "yellow": "yellow", "green": "green"}
LEFT = {"red": 1, "blue": 2, "yellow": 1}


def main() -> int:
    """Draw them all."""
    FOLDER.mkdir(exist_ok=True)
    for name, game in games().items():
        (FOLDER / f"{name}.png").write_bytes(png(svg_of(game)))
        print(FOLDER / f"{name}.png")
    return 0


def games() -> dict[str, Game]:
    """The game to draw of each ruleset."""
    part = {"decision": "part", "left": 4, "moved": {"red": [14], "yellow": []}}
    moving = {"decision": "move", "answer": "yes", "drawer": "red", "asked": "blue"}
    return {
        "points_1939": at("points_1939", FOUR, hands=HANDS),
        "points_modern": at("points_modern", FOUR, hands=HANDS).view("red"),
        "teams_1939": at("teams_1939", FOUR, card="11"),
        "teams_modern": at("teams_modern", FOUR, card="7", pending=part),
        "fire_and_ice": at("fire_and_ice", THREE, phase="fire", fire=["red", 12], ice=["blue", 26]),
        "not_sorry": at("not_sorry", THREE, card="question", pending=moving),
        "bump_em": at("bump_em", FOUR | {"red": ["start", 16, 24, "home"]}, card="7"),
        "parcheesi": position("parcheesi", pieces=PIECES, dice=[6], rolled=[4, 6], rewards=[10]),
        "express": position("express", held=PAWNS, shown=SHOWN, start_base=LEFT, dice=["blue", "slide"]),
    }


def at(ruleset: str, pawns: dict[str, Places], **more: Any) -> Game:
    """The game of a position of Sorry!."""
    return position(ruleset, **{"pawns": pawns, "card": None} | more)


def position(ruleset: str, **keys: Any) -> Game:
    """The game of a position in which red is to move."""
    return Game.from_position({"ruleset": ruleset, "seats": list(COLOURS), "to_move": "red", "turns": 41} | keys)


if __name__ == "__main__":
    sys.exit(main())
