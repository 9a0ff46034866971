"""Exact solutions by value iteration: races of one seat alone, and games of two seats.

Values are those of positions in which chance is due, as numbered by a `Space`; the last entry belongs to the end.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sorry_env.solve import sweeps
from sorry_env.solve.graph import Graph, Moves, Space

Values = npt.NDArray[np.float64]
Tell = Callable[[float], object]
"""Called after each sweep with the largest change of a value in it, the last time with one below `PRECISION`."""

PRECISION = 1e-10
"""Sweeps end when no value has changed by more. What is left of the error is about as much."""
INNER = 8
"""Sweeps over the actions that were best alone, between two over all of them: they are several times as quick."""


def unseen(change: float) -> None:
    """Tell nobody."""


def iterate(over_all: Callable[[], float], over_best: Callable[[], float], tell: Tell = unseen) -> None:
    """Sweep until values stay as they are.

    Args:
        over_all: goes over all actions, remembers the best, and returns the largest change.
        over_best: goes over the actions that were best.
        tell: told of each sweep.
    """
    change = np.inf
    while change > PRECISION:
        for _ in range(INNER if change < np.inf else 0):
            tell(over_best())
        change = over_all()
        tell(change)


def zeros(graph: Graph) -> Values:
    """(n + 1,) float64."""
    return np.zeros(graph.space.size + 1)


def first_moves(graph: Graph) -> Moves:
    """One action for each outcome, the first; sweeps put the best ones in its place."""
    begins = np.cumsum(graph.moves.ways, dtype=np.int64)
    begins -= graph.moves.ways
    ones = np.ones_like(graph.moves.ways)
    return Moves(graph.chances.outcomes, ones, graph.moves.leads[begins], graph.moves.shares)


@dataclass(frozen=True)
class Race:
    """What a seat alone on the board needs, played so as to need as few turns as can be expected.

    Attributes:
        turns: (n + 1,) float64, the expected number of turns from each position; a 2 and what follows it are one.
        spread: (n + 1,) float64, its standard deviation.
    """

    turns: Values
    spread: Values


def solve_race(graph: Graph, tell: Tell = unseen) -> Race:
    """The race of a `Family.solo` space."""
    order, turns, squares = graph.space.order(), zeros(graph), zeros(graph)
    best = first_moves(graph)

    def sweep(moves: Moves) -> float:
        return float(sweeps.sweep_race(graph.chances, order, turns, squares, moves, best.leads))

    iterate(lambda: sweep(graph.moves), lambda: sweep(best), tell)
    return Race(turns, np.sqrt(np.maximum(squares - turns**2, 0)))


def solve_duel(graph: Graph, tell: Tell = unseen) -> Values:
    """(n + 1,) float64: the probability that the seat to move wins, both seats playing as well as can be."""
    values, twins, best = zeros(graph), twins_of(graph), first_moves(graph)
    order = graph.space.order()
    order = order[(twins[order] == sweeps.NO_TWIN) | (order <= twins[order])]

    def sweep(moves: Moves) -> float:
        side = moves, best.leads
        return float(sweeps.sweep_duel(graph.chances, order, twins, values, values, side, side))

    iterate(lambda: sweep(graph.moves), lambda: sweep(best), tell)
    return values


def twins_of(graph: Graph) -> npt.NDArray[np.int64]:
    """(n,) int64: see `sweeps`."""
    twins = np.empty(graph.space.size, np.int64)
    sweeps.find_twins(graph.chances, graph.moves, twins)
    return twins


def number_of_start(space: Space, seat: int = 0) -> int:
    """The number of the position in which a game begins with a seat."""
    states = space.game.new_states(1)
    space.game.new_game(states, np.zeros(1, np.uint64), seat)
    return int(space.numbers(states)[0])
