"""Tables in the user's cache: computed once, with a progress bar, and read from then on.

A table is found again by what it is of and by the sources of the rules, so that none outlives a rule that it was
computed with.
"""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sorry_env._jit import cache_bases, digest
from sorry_env.checkpoint import write_atomically
from sorry_env.solve.bars import bar, explored
from sorry_env.solve.exact import Tell
from sorry_env.solve.graph import Graph, Space

Table = npt.NDArray[np.float32]
"""(K, n + 1) float32: K numbers of each position, and of the end."""

SOLVER = ("solve/graph.py", "solve/sweeps.py", "solve/exact.py", "solve/store.py")
NUMBERING = ("*/spaces.py", "*/ranks.py")
SOURCES = (*SOLVER, *NUMBERING, "turns.py", "*/board.py", "*/actions.py", "*/rules.py", "*/engine/*.py")
"""What tables depend on, relative to the package."""


def kept(name: str, space: Space, solve: Callable[[Graph, Tell], Table]) -> Table:
    """A table from the cache, or computed and put there.

    Args:
        name: what the table is, as the beginning of a file's name.
        space: the positions.
        solve: computes it from their graph; told of each sweep.
    """
    for file in _files(name, space):
        table = _read(file, space.size)
        if table is not None:
            return table
    with bar(f"{name} of {space.game.ruleset}, once") as line:
        table = solve(explored(space, line), line.sweeps("sweeps"))
    keep(name, space, table)
    return table


def keep(name: str, space: Space, table: Table) -> None:
    """Put a table where `kept` finds it; a cache that cannot be written costs time, and nothing else."""
    content = io.BytesIO()
    np.save(content, table)
    for file in _files(name, space):
        try:
            write_atomically(file, content.getvalue())
        except OSError:
            continue
        return
    print("There is no place to keep the table, so that it will be computed again.", file=sys.stderr)


def _files(name: str, space: Space) -> list[Path]:
    """Where a table may be, the best place first."""
    key = digest(SOURCES, str(space.game), space.size)
    return [base / "tables" / f"{name}-{key}.npy" for base in cache_bases()]


def _read(file: Path, size: int) -> Table | None:
    """A table that is whole; None if there is none."""
    try:
        table = np.load(file, mmap_mode="r")
    except (OSError, ValueError, EOFError):
        return None
    whole = table.dtype == np.float32 and table.ndim == 2 and table.shape[1] == size + 1
    return np.ascontiguousarray(table) if whole else None
