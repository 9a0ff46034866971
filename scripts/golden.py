"""Write the golden transcripts anew. On purpose only: read the difference like code."""

import random
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sorry_env import RULESETS, Game

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "golden"
SEED = 20
BEGINNING, MIDDLE, END = 30, 30, 10
"""How many moves of each part of a game are shown."""

Move = tuple[Game, int]
"""A game in which a seat has to decide, and the action chosen."""


def names() -> list[str]:
    """The files that there should be: one for each ruleset and number of seats."""
    return [f"{name}-{seats}.txt" for name, rules in RULESETS.items() for seats in rules.seat_counts]


def transcript(name: str) -> str:
    """What the file of that name should hold: parts of one game of uniform play, in words."""
    ruleset, seats = name.removesuffix(".txt").rsplit("-", 1)
    game = Game(ruleset, int(seats), seed=SEED)
    moves = list(_play(game))
    lines = [*_header(game), *_shown(moves), "", str(game)]
    returns = ", ".join(f"{colour} {value:+.3f}" for colour, value in game.returns().items())
    return "\n".join([*lines, f"returns {returns}", ""])


def _play(game: Game) -> Iterator[Move]:
    """Play to the end. `random()` alone is the same in every version of Python."""
    chance = random.Random(SEED)
    while not game.is_over:
        legal = game.legal()
        action = legal[int(chance.random() * len(legal))]
        yield game.copy(), action
        game.play(action)


def _header(game: Game) -> Iterator[str]:
    actions, features = game.variant.actions, game.variant.features
    yield f"{game.variant.ruleset}, seats {' '.join(game.variant.colours)}, seed {SEED}"
    yield f"actions {len(actions)} {actions.fingerprint}, features {features.width} {features.fingerprint}"
    yield "slices " + ", ".join(f"{part.name} {part.begin}" for part in features.slices.values())
    yield f"table {zlib.crc32('; '.join(map(str, actions.rows)).encode()):08x}"


def _shown(moves: list[Move]) -> Iterator[str]:
    """The beginning, the middle and the end of a game."""
    middle = max(BEGINNING, len(moves) // 2)
    parts = [(0, BEGINNING), (middle, middle + MIDDLE), (max(middle + MIDDLE, len(moves) - END), len(moves))]
    for begin, end in parts:
        for k, (game, action) in enumerate(moves[begin:end], begin):
            yield from ["", f"move {k + 1} of {len(moves)}", *_told(game, action)]


def _told(game: Game, chosen: int) -> Iterator[str]:
    """The position, what its numbers are, and the legal actions, the chosen one marked."""
    yield str(game)
    mask = game.variant.legal_mask(game.states)
    yield f"features {checksum(game.variant.encode(game.states))}, mask {checksum(mask)}"
    for action in game.legal():
        yield f"{'>' if action == chosen else ' '} {action:3d} {game.text(action)}"


def checksum(array: np.ndarray) -> str:
    """Hash over an array's bytes, the same whatever the machine's order of bytes."""
    return f"{zlib.crc32(array.astype(array.dtype.newbyteorder('<')).tobytes()):08x}"


def write(name: str) -> None:
    """Write one transcript; whoever reads the file meanwhile sees the old one or the new one."""
    path = FOLDER / name
    new = path.with_suffix(".new")
    new.write_text(transcript(name), encoding="utf-8", newline="\n")
    new.replace(path)


def main() -> None:
    """Write every transcript, and remove those of rulesets that are gone."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names():
        write(name)
        print("wrote", name)
    for stray in FOLDER.iterdir():
        if stray.name not in names():
            stray.unlink()
            print("removed", stray.name)


if __name__ == "__main__":
    main()
