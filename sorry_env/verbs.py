"""The verbs that every game has, called by what is the same for all of them.

Each function here is the one of the game whose STATE row it is given: compiled, the choice is made once, when its
caller is compiled. A game has a kernel of the same name for each, and `register` makes them known.

A STATE row of any game holds `turns`, `due`, `seat`, `over` and `winners`: turns begun by all seats; what is to be
decided, from `CHANCE` on by chance; the seat to move, or whose turn comes next, 0 after the end; 1 when the game has
ended; and a bit for each seat that has won. A RULES row holds `seats` and `turn_limit`, 0 for none.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, dispatched, inner

CHANCE = 256
"""From this number on what is `due` is up to chance."""

States = npt.NDArray[np.record]
"""(N,) rows of a game's STATE."""
Rules = npt.NDArray[np.record]
"""(1,) row of a game's RULES."""

VERBS = ("room", "reset", "legal", "play", "odds", "deal", "draw", "returns", "encode", "insight")
_ENGINES: dict[np.dtype[Any], SimpleNamespace] = {}


def register(state: np.dtype[Any], *engine: Callable[..., Any]) -> None:
    """Make a game's verbs known by the dtype of its states: a function of the same name for each of `VERBS`.

    The last of them is for games that have insights.
    """
    functions = {"insight": no_insight} | {function.__name__: function for function in engine}
    if set(functions) != set(VERBS):
        raise TypeError(f"a game has the verbs {', '.join(VERBS)}, not {', '.join(functions)}")
    _ENGINES[np.dtype(state)] = SimpleNamespace(**functions)


def _engine(dtype: np.dtype[Any]) -> SimpleNamespace:
    return _ENGINES[np.dtype(dtype)]


def _verb(stub: Callable[..., Any]) -> Callable[..., Any]:
    name = stub.__name__
    return dispatched(stub, lambda dtype: getattr(_engine(dtype), name))


@_verb
def room(states: Any) -> Any:
    """(1,) CHOICES of the game whose (N,) STATE these are: room for `legal` to write into."""
    return _engine(states.dtype).room(states)


@_verb
def reset(s: Any, r: Any, first: Int) -> None:
    """Begin a new game with a seat; chance is due then."""
    _engine(s.dtype).reset(s, r, first)


@_verb
def legal(s: Any, r: Any, choices: Any) -> Any:
    """Write the legal actions, ascending, into a CHOICES row; their number is returned. None while chance is due."""
    return _engine(s.dtype).legal(s, r, choices)


@_verb
def play(s: Any, r: Any, action: Int) -> None:
    """Play a legal action: a further decision is due then, or chance, or the game is over."""
    _engine(s.dtype).play(s, r, action)


@_verb
def odds(s: Any, r: Any, weights: Any) -> Any:
    """Write the integer weight of each outcome where chance is due; their sum is returned."""
    return _engine(s.dtype).odds(s, r, weights)


@_verb
def deal(s: Any, r: Any, outcome: Int) -> None:
    """Let an outcome of `odds` happen; chance may still be due then."""
    _engine(s.dtype).deal(s, r, outcome)


@_verb
def draw(s: Any, r: Any, number: np.uint64) -> None:
    """Let a random outcome happen, chosen by a number that is uniform over 0..2**32-1."""
    _engine(s.dtype).draw(s, r, number)


@_verb
def returns(s: Any, r: Any, out: Any) -> None:
    """Write each seat's return, (S,) float64; zeros before the end and after a truncation."""
    _engine(s.dtype).returns(s, r, out)


@_verb
def encode(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """Write what a seat sees, (F,) float32."""
    _engine(s.dtype).encode(s, r, viewer, out)


@_verb
def insight(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """Write what a value net is shown beside what a seat sees, (I,) float32."""
    _engine(s.dtype).insight(s, r, viewer, out)


@inner
def no_insight(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """Write nothing: the `insight` of games that have none."""
