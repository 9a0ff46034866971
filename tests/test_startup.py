"""What a start needs: where kernels are kept, what a second process compiles, how much memory games take."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sorry_env
from sorry_env import RULESETS, variant
from sorry_env._jit import COMPILED
from sorry_env.express import engine
from sorry_env.express.state import CHOICES

PACKAGE = Path(sorry_env.__file__).parent
BEGIN = """
import json, tempfile
from pathlib import Path
tempfile.tempdir = {temporary!r}
import sorry_env, numba
from numba.core import event
from sorry_env import _jit, lanes, variant
from sorry_env.random import generators
with event.install_recorder("numba:compile") as compiled:
    game = variant("express", 2)
    states = game.new_states(3)
    lanes.begin_lanes(states, game.rules, generators(1, 3), 1)
    loops = sum(str(e.data["dispatcher"].py_func.__name__) == "begin_lanes" for _, e in compiled.buffer)
print(json.dumps([_jit.CACHE_FOLDER, loops, states["seat"].tolist()]))
"""

compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@pytest.fixture
def blocked(tmp_path):
    """A path below which nothing can be made, for any user: it is a file."""
    path = tmp_path / "file"
    path.write_text("")
    return path


def begin(temporary, **environment):
    """Begin three games in a new process: its cache folder, how often the loop was compiled, and who begins."""
    settings = {key: value for key, value in os.environ.items() if key not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    settings |= {"PYTHONDONTWRITEBYTECODE": "1"} | {key: str(value) for key, value in environment.items()}
    done = subprocess.run(
        [sys.executable, "-c", BEGIN.format(temporary=str(temporary))],
        env=settings, cwd=PACKAGE.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@compiled_only
def test_a_second_start_compiles_nothing(tmp_path):
    folder, compiled, seats = begin(tmp_path, NUMBA_CACHE_DIR=tmp_path / "kernels")
    assert Path(folder).parent == tmp_path / "kernels"
    assert compiled > 0
    assert begin(tmp_path, NUMBA_CACHE_DIR=tmp_path / "kernels") == [folder, 0, seats]
    assert seats == [1, 1, 1]


@compiled_only
def test_without_a_home_kernels_are_kept_among_temporary_files(tmp_path, blocked):
    before = {path for path in PACKAGE.rglob("*") if path.suffix != ".pyc" and path.name != "__pycache__"}
    folder, compiled, _ = begin(tmp_path, HOME=blocked)
    assert Path(folder).parent.parent == tmp_path
    assert compiled > 0
    assert list(Path(folder).rglob("*.nbc"))
    assert begin(tmp_path, HOME=blocked)[:2] == [folder, 0]
    assert {path for path in PACKAGE.rglob("*") if path.suffix != ".pyc" and path.name != "__pycache__"} == before


@compiled_only
@pytest.mark.parametrize("named", ["HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
def test_where_nothing_can_be_written_everything_runs_without_a_cache(blocked, named):
    folder, compiled, seats = begin(blocked, **{"HOME": blocked, named: blocked})
    assert folder is None
    assert compiled > 0
    assert seats == [1, 1, 1]


def test_what_only_kernels_call_runs_from_python_as_it_is_written():
    game = variant("express", 2)
    states, choices = game.new_states(1), np.empty(1, CHOICES)
    game.reset(states, np.array([5], np.uint64))
    assert engine.legal(states[0], game.rules[0], choices[0]) == game.legal_counts(states)[0] > 0


@pytest.mark.parametrize("name", RULESETS)
def test_a_state_is_small(name):
    assert variant(name, 4).new_states(1).itemsize <= 256


MILLION = """
import resource
import numpy as np
from sorry_env import lanes, variant
from sorry_env.random import generators

def play(count):
    states, rng = game.new_states(count), generators(1, count)
    game.reset(states, rng)
    tally = np.zeros(3, np.int64)
    lanes.uniform_turns(states, game.rules, rng, 4, tally)
    return tally[0], states["turns"].max()

game = variant("classic", 4)
play(1)  # what is compiled or loaded is not counted
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 2**30, resource.RLIM_INFINITY))
print(*play(1_000_000))
"""


@compiled_only
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the address space is measured as Linux tells it")
def test_a_million_games_run_in_a_gibibyte():
    done = subprocess.run(
        [sys.executable, "-c", MILLION], cwd=PACKAGE.parent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    actions, turns = map(int, done.stdout.split())
    assert actions == 4_000_000
    assert turns == 5  # in some of them none of the four cards was a 2
