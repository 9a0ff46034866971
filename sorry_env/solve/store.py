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
from tqdm import tqdm

from sorry_env._jit import cache_bases, digest
from sorry_env.checkpoint import write_atomically
from sorry_env.solve.graph import Graph, Space, graph_of

Table = npt.NDArray[np.float32]
"""(K, n + 1) float32: K numbers of each position, and of the end."""

SOURCES = ("turns.py", "solve/*.py", "*/spaces.py", "*/board.py", "*/actions.py", "*/rules.py", "*/engine/*.py")
"""What tables depend on, relative to the package."""


def kept(name: str, space: Space, solve: Callable[[Graph, Callable[[int, float], object]], Table]) -> Table:
    """A table from the cache, or computed and put there.

    Args:
        name: what the table is, as the beginning of a file's name.
        space: the positions.
        solve: computes it from their graph; told of each sweep by number and change.
    """
    key = digest(SOURCES, str(space.game), space.size)
    files = [base / "tables" / f"{name}-{key}.npy" for base in cache_bases()]
    for file in files:
        table = _read(file, space.size)
        if table is not None:
            return table
    table = computed(name, space, solve)
    _write(files, table)
    return table


def computed(name: str, space: Space, solve: Callable[[Graph, Callable[[int, float], object]], Table]) -> Table:
    """Compute a table with a progress bar on the terminal."""
    bar = tqdm(total=space.size, unit="position", desc=f"{name} of {space.game.ruleset}: once", delay=0.5)
    with bar:
        graph = graph_of(space, bar.update)
        with tqdm(unit="sweep", desc="solving", delay=0.5) as sweeps:

            def tell(number: int, change: float) -> None:
                sweeps.set_postfix_str(f"largest change {change:.0e}", refresh=False)
                sweeps.update()

            return solve(graph, tell)


def _read(file: Path, size: int) -> Table | None:
    """A table that is whole; None if there is none."""
    try:
        table = np.load(file, mmap_mode="r")
    except (OSError, ValueError, EOFError):
        return None
    whole = table.dtype == np.float32 and table.ndim == 2 and table.shape[1] == size + 1
    return np.ascontiguousarray(table) if whole else None


def _write(files: list[Path], table: Table) -> None:
    """Keep a table where it can be; a cache that cannot be written costs time, and nothing else."""
    content = io.BytesIO()
    np.save(content, table)
    for file in files:
        try:
            write_atomically(file, content.getvalue())
        except OSError:
            continue
        return
    print("There is no place to keep the table, so that it will be computed again.", file=sys.stderr)
