"""One source, three modes: compiled, uncompiled and bounds-checked give the same games. And the cache.

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
from sorry_env import RULESETS, _jit, lanes, variant, verbs
from sorry_env.family import FAMILIES
from sorry_env.random import generators

PACKAGE = Path(sorry_env.__file__).parent
UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT") == "1"
CHECKED = UNCOMPILED or os.environ.get("NUMBA_BOUNDSCHECK") == "1"
LANES, TURNS = 6, 130

KINDS = [(name, seats) for name, rules in RULESETS.items() for seats in rules.seat_counts]
GAMES = {f"{name}-{seats}": (name, seats, {}) for name, seats in KINDS} | {
    "classic-2 past the entry": ("classic", 2, {"bypass_entry": True}),
    "classic-3 one slide": ("classic", 3, {"swap_slides_both": False, "deck": 11, "pawns": 3}),
    "classic-4 cut short": ("classic", 4, {"turn_limit": 25, "pawns": 2}),
    "classic-2 with hands": ("classic", 2, {"hand_size": 5, "bypass_entry": True, "pawns": 2}),
    "points_modern-3 with replacement": ("points_modern", 3, {"hand_size": 3, "replacement": True}),
    "teams_modern-4 past the entry": ("teams_modern", 4, {"bypass_entry": True}),
    "fire_and_ice-3 without a second pawn": ("fire_and_ice", 3, {"fire_second_home": False, "pawns": 4}),
    "not_sorry-2 with a coin": ("not_sorry", 2, {"answer": "random"}),
    "not_sorry-4 with a coin": ("not_sorry", 4, {"answer": "random", "question_cards": 3}),
    "parcheesi-2 by house rules": (
        "parcheesi",
        ["red", "blue"],
        {"second_lap": False, "doublet_breaks_blockade": True, "third_doublet_penalty": False},
    ),
    "parcheesi-3 with two pieces": (
        "parcheesi",
        ["blue", "yellow", "green"],
        {"pieces": 2, "doublet_breaks_blockade": True, "turn_limit": 90},
    ),
    "express-3 cut short": ("express", ["green", "red", "yellow"], {"turn_limit": 25}),
}
CHECKSUMS = {
    "classic-2": "93f7f35d",
    "classic-3": "b0f20576",
    "classic-4": "d058e1ae",
    "diamond-2": "38e06b75",
    "diamond-3": "eb408cfd",
    "diamond-4": "13104a01",
    "tiny-2": "4d67d6ea",
    "tiny-3": "df0cd502",
    "tiny-4": "201a9eb6",
    "points_1939-2": "d8bfaa24",
    "points_1939-3": "063ab1b9",
    "points_1939-4": "95c8e921",
    "points_modern-2": "1d4d95a6",
    "points_modern-3": "ce0d3450",
    "points_modern-4": "bfa278de",
    "teams_1939-4": "b709cc56",
    "teams_modern-4": "b655f139",
    "fire_and_ice-2": "56e4fcfb",
    "fire_and_ice-3": "e78a321a",
    "fire_and_ice-4": "6ae3e3ae",
    "not_sorry-2": "52caa338",
    "not_sorry-3": "b6534a58",
    "not_sorry-4": "3ab1a73a",
    "bump_em-2": "9eb1c790",
    "bump_em-3": "2fba1721",
    "bump_em-4": "fefcd330",
    "parcheesi-2": "77e1912d",
    "parcheesi-3": "6acc9577",
    "parcheesi-4": "98b0e54d",
    "express-2": "801ee24e",
    "express-3": "b59ff3eb",
    "express-4": "27d34cd6",
    "classic-2 past the entry": "183c8782",
    "classic-3 one slide": "6e8225cb",
    "classic-4 cut short": "1a248a02",
    "classic-2 with hands": "a7dfb10e",
    "points_modern-3 with replacement": "e408f431",
    "teams_modern-4 past the entry": "def7c18a",
    "fire_and_ice-3 without a second pawn": "703adfed",
    "not_sorry-2 with a coin": "093cb6a2",
    "not_sorry-4 with a coin": "b53892e2",
    "parcheesi-2 by house rules": "f63076da",
    "parcheesi-3 with two pieces": "4a9024af",
    "express-3 cut short": "02ed852a",
}
"""What `checksum` of each game must be, in every mode. Changed rules, tables or features change it."""


def fold(checksum, *arrays):
    """Add the numbers of arrays to a checksum, the same whatever the machine's order of bytes."""
    for array in arrays:
        number = "<f4" if array.dtype.kind == "f" else "<i8"
        checksum = zlib.crc32(np.ascontiguousarray(array, number).tobytes(), checksum)
    return checksum


def seen(game, states, viewer=0):
    """What a seat sees, which tells the whole position but for hands, and what may be played."""
    viewers = np.full(len(states), viewer)
    told = game.encode(states, viewers), game.legal_mask(states), states["turns"], states["over"]
    return (*told, states["hands"]) if has_hands(game) else told


def has_hands(game):
    return getattr(game.ruleset, "hand_size", 0) > 0


def unseen(game, states, rng):
    """What is hidden, and dealt anew, where there are hands."""
    if not has_hands(game):
        return ()
    others = (game.view(states, 1), game.determinize(states, 0, rng))
    return tuple(dealt[part] for dealt in others for part in ("hands", "pile"))


def checksum(game):
    """Checksum over uniform play in a few lanes, from the middle of their games: all that the verbs write."""
    states, rng, players = game.new_states(LANES), generators(31, LANES), generators(32, LANES)
    game.reset(states, rng)
    lanes.uniform_turns(states, game.rules, rng, 40, np.zeros(3, np.int64))
    total, actions = 0, np.zeros(LANES, np.int64)
    for turn in range(TURNS):
        total = fold(total, *seen(game, states, turn % game.seats))
        lanes.uniform_lanes(states, game.rules, players, actions)
        game.play(states, actions)
        total = fold(total, actions, game.returns(states), *seen(game, states))
        for i in np.flatnonzero(states["over"]):
            game.reset(states[i : i + 1], rng[i : i + 1])
        game.draw(states, rng)
    return f"{fold(total, *loops(game, states, rng)):08x}"


def loops(game, states, rng):
    """What the loops write that choose and play by themselves."""
    after, actions, counts = game.afterstates(states)
    best, mask, tally = np.empty(LANES, np.int64), game.legal_mask(states), np.zeros(3, np.int64)
    lanes.best_lanes(actions % 3, counts, rng, best)
    features = game.encode(states)
    lanes.uniform_turns_observed(states, game.rules, rng, 3, tally, features, mask)
    one, seen_last = game.new_states(1), np.zeros(game.num_features, np.float32)
    game.new_game(one, rng[:1])
    chance = np.array([rng[0], 0, 0, 6], np.uint64)  # two scripted outcomes
    lanes.to_choice(one, game.rules, chance, True, seen_last, mask[0], lanes.NO_ACTION)
    lanes.to_choice(one, game.rules, chance, True, seen_last, mask[0], int(mask[0].argmax()))
    rng[0], cursor = chance[0], chance[1:2].astype(np.int64)
    written = (*seen(game, after), actions, counts, best, features, mask, tally, *seen(game, one), cursor)
    return *written, *unseen(game, states, rng)


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


@_jit.kernel
def read(numbers, i):
    return numbers[i]


@pytest.mark.modes
def test_the_mode_is_the_one_that_was_asked_for():
    inner = np.arange(10)[:5]  # behind its end lie more numbers, so that reading them does no harm
    assert read(inner, 4) == 4
    assert _jit.COMPILED != UNCOMPILED
    if CHECKED:
        with pytest.raises(IndexError):
            read(inner, 7)
    else:
        assert read(inner, 7) == 7


@pytest.mark.parametrize("family", dict.fromkeys(FAMILIES.values()), ids=lambda family: family.name)
def test_no_field_has_a_name_that_rows_use_for_something_else_when_uncompiled(family):
    game = variant(family.rulesets[0])
    states = game.new_states(1)
    for rows in (states, game.rules, verbs.room(states)):
        assert [name for name in rows.dtype.names if hasattr(np.record, name)] == []


# --- which sources decide what a kernel does


class Module:
    """A source file: what it imports from the package, and what it defines at its top level."""

    def __init__(self, path):
        self.tree, self.imports, self.defined = ast.parse(path.read_text(encoding="utf-8")), {}, {}
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sorry_env":
                self.imports |= {(a.asname or a.name): (node.module, a.name) for a in node.names}
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                self.defined[node.name] = node
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                self.defined |= {name: node for target in targets for name in names_in(target)}

    def kernels(self):
        """The functions under a decorator from `_jit`."""
        from_jit = {name for name, (module, _) in self.imports.items() if module == "sorry_env._jit"}
        functions = [node for node in self.defined.values() if isinstance(node, ast.FunctionDef)]
        return [f.name for f in functions if any(names_in(d) & from_jit for d in f.decorator_list)]


def names_in(node):
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def meaning(module, name):
    """Where `from module import name` leads: a file, and the name there; None stands for the whole file."""
    base = PACKAGE.parent.joinpath(*module.split("."))
    if (base / f"{name}.py").is_file():
        return base / f"{name}.py", None
    return (base / "__init__.py" if base.is_dir() else base.with_suffix(".py")), name


def read_by_kernels():
    """Every file that holds a kernel, or something that a kernel reads, through another constant too."""
    modules = {path: Module(path) for path in PACKAGE.rglob("*.py")}
    found, waiting = set(), [(path, name) for path, module in modules.items() for name in module.kernels()]
    while waiting:
        path, name = waiting.pop()
        if (path, name) in found:
            continue
        module = modules[path]
        if name is None:
            waiting += [(path, defined) for defined in module.defined]
        elif name in module.imports:
            waiting.append(meaning(*module.imports[name]))
        elif name in module.defined:
            found.add((path, name))
            waiting += [(path, used) for used in names_in(module.defined[name])]
    return {path for path, _ in found}


def test_the_cache_is_named_by_every_source_that_kernels_are_made_of():
    hashed = {path for pattern in _jit.KERNEL_SOURCES for path in PACKAGE.glob(pattern)}
    needed = read_by_kernels()
    known = ("sorry/engine/legal.py", "sorry/board.py", "parcheesi/engine/legal.py", "express/engine.py", "rulesets.py")
    assert {PACKAGE / name for name in known} <= needed
    assert needed - hashed == set()
    assert all(list(PACKAGE.glob(pattern)) for pattern in _jit.KERNEL_SOURCES)


# --- the cache


DRAW = """
import numpy as np
from sorry_env import _jit, lanes, variant
game = variant("classic", 2)
states, rng = game.new_states(1), np.ones(1, np.uint64)
lanes.begin_lanes(states, game.rules, rng, 0)
lanes.draw_lanes(states, game.rules, rng)
print(_jit.__file__, _jit.CACHE_FOLDER, int(states["due"][0]))
"""


def in_another_process(package, cache):
    """Where the package lies, its cache, and the first card that a certain generator draws."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    environment |= {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(package.parent)}
    done = subprocess.run(
        [sys.executable, "-c", DRAW],
        env=environment,
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    where, folder, card = done.stdout.split()
    assert Path(where).parent == package
    return folder, int(card)


def test_an_edit_in_one_file_reaches_cached_kernels_of_another(tmp_path):
    package = shutil.copytree(PACKAGE, tmp_path / "sorry_env", ignore=shutil.ignore_patterns("__pycache__"))
    cache = tmp_path / "cache"
    folder, card = in_another_process(package, cache)
    assert Path(folder).parent == cache
    assert list(Path(folder).rglob("*.nbi"))
    assert card < 10
    with (package / "random.py").open("a") as file:  # draw calls below, the kernel draw
        file.write("\n\n@inner\ndef below(number, bound):\n    return bound - 1\n")
    new_folder, new_card = in_another_process(package, cache)
    assert Path(new_folder).parent == cache
    assert new_folder != folder
    assert new_card == 10


def test_without_a_place_for_a_cache_kernels_are_compiled_all_the_same(tmp_path):
    (tmp_path / "file").write_text("no folder can be made in here")
    folder, card = in_another_process(PACKAGE, tmp_path / "file")
    assert folder == "None"
    assert card < 10


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path, monkeypatch):
    closed, open_ = tmp_path / "closed", tmp_path / "open"
    monkeypatch.setattr(_jit, "cache_bases", lambda: [closed, open_])
    monkeypatch.setattr(_jit.os, "access", lambda path, mode: closed not in Path(path).parents)
    assert Path(_jit._cache_folder()).parent == open_
    monkeypatch.setattr(_jit, "cache_bases", lambda: [closed])
    assert _jit._cache_folder() is None


def test_old_caches_are_tidied_away_but_not_the_latest(tmp_path, monkeypatch):
    monkeypatch.setattr(_jit, "cache_bases", lambda: [tmp_path])
    for age in range(20):
        folder = tmp_path / f"kernels-{age:02d}"
        folder.mkdir()
        os.utime(folder, (10**9 - age, 10**9 - age))
    kept = Path(_jit._cache_folder())
    names = sorted(path.name for path in tmp_path.iterdir())
    assert kept.name in names
    assert names[:3] == ["kernels-00", "kernels-01", "kernels-02"]
    assert "kernels-19" not in names
