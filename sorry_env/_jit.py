"""The only import of numba: how the engine's functions are compiled, and where the result is cached.

Every function under `@kernel` is plain Python over NumPy rows. Compiled or not (`NUMBA_DISABLE_JIT=1`), it is the
same source and gives the same results; `NUMBA_BOUNDSCHECK=1` compiles it with index checks.

Numba's own cache looks only at the file that a function stands in, so a cached caller would go on calling the old
code of a function that was edited in another file. Here the cache folder is named by a hash over the sources of all
kernels and of the constants that they read.
"""

import hashlib
import os
import platform
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

Int = int | np.integer[Any]
"""A whole number in a kernel: Python's or NumPy's, as it comes; compiled it is the machine's."""

COMPILED: bool = not numba.config.DISABLE_JIT
"""False when the kernels run as plain Python (`NUMBA_DISABLE_JIT=1`)."""

_PACKAGE = Path(__file__).parent
KERNEL_SOURCES = (
    "_jit.py",
    "random.py",
    "rulesets.py",
    "verbs.py",
    "turns.py",
    "lanes.py",
    "learner.py",
    "mlp.py",
    "sorry/**/*.py",
    "parcheesi/**/*.py",
    "express/**/*.py",
)
"""Where kernels and their constants stand, relative to the package."""
_KEPT_CACHES = 8


def _fingerprint() -> str:
    """Hash over everything that decides what a compiled kernel does: sources, versions, processor, switches."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in KERNEL_SOURCES for path in _PACKAGE.glob(pattern)):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    facts = (numba.__version__, np.__version__, platform.machine(), platform.python_version())
    digest.update(repr((facts, bool(numba.config.BOUNDSCHECK))).encode())
    return digest.hexdigest()[:16]


def _bases() -> list[Path]:
    """Candidate parents of the cache folder, best first."""
    if numba.config.CACHE_DIR:
        return [Path(numba.config.CACHE_DIR)]
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return [Path(home) / "sorry_env", Path(tempfile.gettempdir()) / f"sorry_env-{_user()}"]


def _cache_folder() -> str | None:
    """A writable folder for this fingerprint, older ones tidied away; None where nothing can be written."""
    name = f"kernels-{_fingerprint()}"
    for base in _bases():
        folder = base / name
        try:
            if not folder.is_dir():
                base.mkdir(parents=True, exist_ok=True, mode=0o700)
                folder.mkdir(exist_ok=True)
                _tidy(base, keep=folder)
            if os.access(folder, os.W_OK) and _is_ours(folder):
                return str(folder)
        except OSError:
            continue
    return None


def _user() -> int:
    """The user's number, 0 where users have none."""
    return os.getuid() if hasattr(os, "getuid") else 0


def _is_ours(folder: Path) -> bool:
    """Whether the folder belongs to this user, where users have numbers: what lies in it will be executed."""
    return not hasattr(os, "getuid") or folder.stat().st_uid == _user()


def _tidy(base: Path, keep: Path) -> None:
    """Remove all but the latest caches of earlier sources."""
    others = sorted((p for p in base.glob("kernels-*") if p != keep), key=lambda p: p.stat().st_mtime)
    for old in others[: max(0, len(others) - _KEPT_CACHES + 1)]:
        shutil.rmtree(old, ignore_errors=True)


CACHE_FOLDER: str | None = _cache_folder() if COMPILED else None
"""Where compiled kernels are kept between processes; None if nothing is cached."""


def kernel(function: F) -> F:
    """Compile a function over NumPy rows on its first call, or leave it as it is in uncompiled mode."""
    return _cached(function)


def _cached(function: F, **options: Any) -> F:
    if CACHE_FOLDER is None:
        return _compiled(function, **options)
    users, numba.config.CACHE_DIR = numba.config.CACHE_DIR, CACHE_FOLDER
    try:
        return _compiled(function, cache=True, **options)
    finally:
        numba.config.CACHE_DIR = users


def small(function: F) -> F:
    """As `kernel`, and merged into each kernel that calls it, for what is too small or too hot to be worth a call."""
    return _cached(function, forceinline=True)


def inlined(function: F) -> F:
    """Compile a function as a part of each kernel that calls it.

    For inner functions that take arrays: handing an array to a compiled function counts references, which costs more
    than a few lines of arithmetic do.
    """
    return _compiled(function, inline="always")


def _compiled(function: F, **options: Any) -> F:
    return cast(F, numba.njit(nogil=True, error_model="numpy", **options)(function)) if COMPILED else function


def dispatched(stub: F, choose: Callable[[np.dtype[Any]], Callable[..., Any]]) -> F:
    """Let compiled code that calls a stub call another function, chosen by the dtype of the rows in its first argument.

    The choice is made when the caller is compiled, and costs nothing when it runs. Uncompiled, the stub itself is
    called, which has to make the same choice.
    """
    if COMPILED:
        from numba.extending import overload

        overload(stub, strict=False, inline="always")(lambda *types: _call(len(types), choose(_dtype_of(types[0]))))
    return stub


def _dtype_of(rows: Any) -> np.dtype[Any]:
    """The NumPy dtype of numba's type for a row or an array of rows."""
    from numba.np.numpy_support import as_dtype

    return np.dtype(as_dtype(rows.dtype if hasattr(rows, "ndim") else rows))


def _call(count: int, chosen: Callable[..., Any]) -> Callable[..., Any]:
    """A function of so many arguments, as numba needs it, that hands them on."""
    calls: dict[int, Callable[..., Any]] = {
        1: lambda s: chosen(s),  # noqa: PLW0108 (numba compiles Python functions, not compiled ones)
        3: lambda s, r, x: chosen(s, r, x),  # noqa: PLW0108
        4: lambda s, r, x, y: chosen(s, r, x, y),  # noqa: PLW0108
    }
    return calls[count]
