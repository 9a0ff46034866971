"""The only import of numba: how the engine's functions are compiled, and where the result is cached.

Every function under `@kernel` is plain Python over NumPy rows. Compiled or not (`NUMBA_DISABLE_JIT=1`), it is the
same source and gives the same results; `NUMBA_BOUNDSCHECK=1` compiles it with index checks.

Numba's own cache looks only at the file that a function stands in, so a cached caller would go on calling the old
code of a function that was edited in another file. Here the cache folder is named by a hash over the sources of all
kernels and of the constants that they read.
"""

import contextlib
import hashlib
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import types
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary, ll
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.np.numpy_support import as_dtype

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
    "solve/ahead.py",
    "solve/sweeps.py",
    "sorry/**/*.py",
    "parcheesi/**/*.py",
    "express/**/*.py",
)
"""Where kernels and their constants stand, relative to the package."""
_KEPT_CACHES = 8


def _fingerprint() -> str:
    """Hash over everything that decides what a compiled kernel does: sources, versions, processor, switches."""
    facts = (numba.__version__, np.__version__, platform.machine(), platform.python_version())
    return digest(KERNEL_SOURCES, facts, bool(numba.config.BOUNDSCHECK))


def digest(patterns: Iterable[str], *facts: object) -> str:
    """Hash over sources of the package and over facts, as 16 letters and digits."""
    found = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in _PACKAGE.glob(pattern)):
        found.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    found.update(repr(facts).encode())
    return found.hexdigest()[:16]


def cache_bases() -> list[Path]:
    """Where this user's cache may be, best first."""
    if numba.config.CACHE_DIR:
        return [Path(numba.config.CACHE_DIR)]
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    bases = [Path(home) / "sorry_env"]
    with contextlib.suppress(OSError):  # where there is no folder for temporary files either
        bases.append(Path(tempfile.gettempdir()) / f"sorry_env-{_user()}")
    return bases


def _cache_folder() -> str | None:
    """A writable folder for this fingerprint, older ones tidied away; None where nothing can be written."""
    name = f"kernels-{_fingerprint()}"
    for base in cache_bases():
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
    return _cached(numba.njit(**_OPTIONS)(function)) if COMPILED else function


def inner(function: F) -> F:
    """Compile a function that only kernels call; called from Python, it runs as it is written.

    Its code is optimised in each kernel that it is linked into, with all that it calls, and not by itself: a call deep
    down would otherwise be optimised and made executable once for every function on the way to it.
    """
    return _inner(function)


def small(function: F) -> F:
    """As `inner`, and merged into each function that calls it, for what is too small or too hot to be worth a call."""
    return _inner(function, forceinline=True)


def inlined(function: F) -> F:
    """Compile a function as a part of each kernel that calls it.

    For inner functions that take arrays: handing an array to a compiled function counts references, which costs more
    than a few lines of arithmetic do.
    """
    return cast(F, numba.njit(inline="always", **_OPTIONS)(function)) if COMPILED else function


_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def _inner(function: F, **options: Any) -> F:
    if not COMPILED:
        return function
    options |= _OPTIONS | {"nopython": True, "boundscheck": None, "no_cpython_wrapper": True}
    return cast(F, _Inner(function, targetoptions=options, pipeline_class=_InnerCompiler))


def _cached(dispatcher: Any) -> Any:
    """Keep what a function is compiled to in our folder."""
    if CACHE_FOLDER is not None:
        users, numba.config.CACHE_DIR = numba.config.CACHE_DIR, CACHE_FOLDER
        try:
            dispatcher._cache = _Cache(dispatcher.py_func)
        finally:
            numba.config.CACHE_DIR = users
    return dispatcher


class _Cache(FunctionCache):  # type: ignore[misc]
    """numba's cache, that readies no more than a kernel needs to run; before a compilation numba does the rest."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


class _Inner(CPUDispatcher):  # type: ignore[misc]
    """A function that has no compiled entry for Python: called from there, it runs as it is written."""

    def __call__(self, *arguments: Any) -> Any:
        return self.py_func(*arguments)

    def compile(self, sig: Any) -> Any:
        if not self.overloads:
            _cached(self)  # not before: most processes find the whole kernel in the cache
        return super().compile(sig)


class _InnerCompiler(Compiler):  # type: ignore[misc]
    """The usual compiler, that writes into a library of ours."""

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        library = _InnerLibrary(target.codegen(), "inner")
        library.enable_object_caching()
        super().__init__(typing, target, library, *others)


_ENVIRONMENT = "_ZN08NumbaEnv"
"""What numba calls the place of a function's environment, which has to exist in executable form."""


class _InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into others, and neither optimised nor made executable by itself."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True
        whole = self._get_module_for_linking()
        places = [str(place) for place in whole.global_variables if place.name.startswith(_ENVIRONMENT)]
        self._final_module = ll.parse_assembly("\n".join([str(self.codegen._create_empty_module(self.name)), *places]))
        super()._finalize_final_module()


def dispatched(stub: F, choose: Callable[[np.dtype[Any]], Callable[..., Any]]) -> F:
    """Let compiled code that calls a stub call another function, chosen by the dtype of the rows in its first argument.

    The choice is made when the caller is compiled, and costs nothing when it runs. Uncompiled, the stub itself is
    called, which has to make the same choice.
    """
    if COMPILED:
        infer_global(stub, types.Function(_chooser(stub, choose)))
    return stub


def _chooser(stub: F, choose: Callable[[np.dtype[Any]], Callable[..., Any]]) -> type[AbstractTemplate]:
    """How numba finds the types of a call of a stub, and what to call."""

    class Chooser(AbstractTemplate):  # type: ignore[misc]
        key = stub

        def generic(self, args: Any, kws: Any) -> Any:
            return self._chosen(args).get_call_type(self.context, args, kws)

        def get_impl_key(self, sig: Any) -> Any:
            return self._chosen(sig.args).get_impl_key(sig)

        def _chosen(self, args: Any) -> Any:
            return types.Dispatcher(choose(_dtype_of(args[0])))

    return Chooser


def _dtype_of(rows: Any) -> np.dtype[Any]:
    """The NumPy dtype of numba's type for a row or an array of rows."""
    return np.dtype(as_dtype(rows.dtype if hasattr(rows, "ndim") else rows))
