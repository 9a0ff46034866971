"""Who imports whom: what the library loads, and the contract in pyproject.toml."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = {"torch", "pettingzoo", "pygame", "matplotlib", "scipy", "stable_baselines3"}

LOADED = """
import importlib, json, pkgutil, sys
sys.modules["yaml"] = None  # numba loads it where there is one; whoever else asks for it fails
import sorry_env
first = sorted(sys.modules)
for module in pkgutil.walk_packages(sorry_env.__path__, "sorry_env."):
    if not module.name.endswith("__main__") and "adapters" not in module.name:
        importlib.import_module(module.name)
print(json.dumps([first, sorted(sys.modules)]))
"""


def run(*arguments):
    """Run Python in the repository's root."""
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def loaded():
    """What is loaded after `import sorry_env`, and after importing every module in it."""
    done = run("-c", LOADED)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def packages(modules):
    return {name.partition(".")[0] for name in modules}


def test_importing_the_library_loads_nothing_heavy(loaded):
    first, _ = loaded
    assert "sorry_env.game" in first
    assert packages(first).isdisjoint(HEAVY)


def test_no_module_of_the_library_loads_what_learns_or_plots(loaded):
    _, after = loaded
    assert {"sorry_env.sorry_v0", "sorry_env.players.network", "pettingzoo"} <= set(after)
    assert packages(after).isdisjoint({"agents", "scripts", "torch", "matplotlib", "stable_baselines3"})


def test_the_import_contract_is_kept():
    pytest.importorskip("importlinter", reason="the contract is checked by the package import-linter")
    command = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache', '--no-logo'])"
    done = run("-c", command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 broken" in done.stdout
