"""One source, three modes: compiled, uncompiled and bounds-checked give the same games; and the cache of kernels.

`make test` runs what is marked `modes` under NUMBA_DISABLE_JIT=1 and NUMBA_BOUNDSCHECK=1 too.
"""

import ast
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import sorry_env
from sorry_env import _jit, lanes, variant
from sorry_env.engine.random import generators
from sorry_env.position import from_position
from strategies import KINDS, random_states

PACKAGE = Path(sorry_env.__file__).parent
CHECKED = not _jit.COMPILED or os.environ.get("NUMBA_BOUNDSCHECK") == "1"
LANES, TURNS = 4, 60

GAMES = {f"{name}-{seats}": (name, seats, {}) for name, seats in KINDS} | {
    "classic-2 past the entry": ("classic", 2, {"bypass_entry": True}),
    "classic-3 one slide": ("classic", 3, {"swap_slides_both": False, "deck": 11, "pawns": 3}),
    "classic-4 cut short": ("classic", 4, {"turn_limit": 25, "pawns": 2}),
}
CHECKSUMS: dict[str, str] = {}
"""What `checksum` of each game must be, in every mode. Changed rules, tables or features change it."""


def fold(checksum, *arrays):
    """Add the bytes of arrays to a checksum, fields of states in the order that is written here."""
    for array in arrays:
        fields = ("pawns", "pile", "card", "seat", "turns", "over", "winners") if array.dtype.names else None
        for part in [array[name].astype("<i8") for name in fields] if fields else [array]:
            checksum = zlib.crc32(part.astype(part.dtype.newbyteorder("<")).tobytes(), checksum)
    return checksum


def checksum(game):
    """Checksum over a few turns of uniform play in a few lanes: every verb, and everything that is written."""
    states, rng, players = random_states(game, LANES), generators(31, LANES), generators(32, LANES)
    game.reset(states[:1], rng[:1])
    total, actions = 0, np.zeros(LANES, np.int64)
    for turn in range(TURNS):
        total = fold(total, states, game.legal_mask(states), game.encode(states, np.full(LANES, turn % game.seats)))
        if turn % 8 == 0:
            total = fold(total, *game.afterstates(states))
        lanes.uniform_lanes(states, game.rules, players, actions)
        game.play(states, actions)
        total = fold(total, actions, states, game.returns(states))
        renew(game, states, rng)
        game.draw(states, rng)
    return f"{fold(total, rng, players):08x}"


def renew(game, states, rng):
    """New games for those that are over."""
    for i in np.flatnonzero(states["over"]):
        game.reset(states[i : i + 1], rng[i : i + 1])


@pytest.mark.modes
@pytest.mark.parametrize("name", GAMES)
def test_every_mode_plays_the_recorded_games(name):
    ruleset, seats, changes = GAMES[name]
    found = checksum(variant(ruleset, seats, **changes))
    assert name in CHECKSUMS, f"record it: {name!r}: {found!r}"
    assert found == CHECKSUMS[name]


@pytest.mark.modes
def test_no_checksum_is_kept_for_a_game_that_is_gone():
    assert CHECKSUMS.keys() == GAMES.keys()
