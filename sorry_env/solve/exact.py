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
Tell = Callable[[int, float], object]
"""Called after each sweep over all positions with its number, and the largest change of a value in it."""

PRECISION = 1e-10
"""Sweeps end when no value has changed by more. What is left of the error is about as much."""
INNER = 8
"""Sweeps over the actions that were best alone, between two over all of them: they are several times as quick."""


def unseen(sweep: int, change: float) -> None:
    """Tell nobody."""


def iterate(sweep: Callable[[], float], tell: Tell = unseen) -> None:
    """Sweep until values stay as they are."""
    number, change = 0, np.inf
    while change > PRECISION:
        number, change = number + 1, sweep()
        tell(number, change)


def zeros(graph: Graph) -> Values:
    """(n + 1,) float64."""
    return np.zeros(graph.space.size + 1)


def best_moves(graph: Graph, same: Values, other: Values, alone: bool = False) -> Moves:
    """The best actions alone, equal ones with the same probability, or of these the first.

    Args:
        graph: the game.
        same: (n + 1,) float64: how good a position is for who has moved there and goes on; of the end, a loss.
        other: (n + 1,) float64: the same where the other seat goes on; of the end, a win.
        alone: of equal actions keep one.
    """
    shares = np.empty(len(graph.moves.leads), np.float32)
    sweeps.write_best(graph.chances, graph.moves, same, other, shares)
    return taken(graph, shares, alone)


def taken(graph: Graph, shares: npt.NDArray[np.float32], alone: bool = False) -> Moves:
    """The actions that are taken with a probability above 0; of those of an outcome the first, if asked for."""
    actions, ways, leads, _ = graph.moves
    kept = Moves(np.empty_like(actions), np.empty_like(ways), np.empty_like(leads), np.empty_like(shares))
    count = sweeps.keep_some(graph.chances, graph.moves, shares, alone, kept)
    return kept._replace(leads=kept.leads[:count].copy(), shares=kept.shares[:count].copy())


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

    def sweep() -> float:
        change: float = sweeps.sweep_race(graph.chances, order, turns, squares, graph.moves)
        best = best_moves(graph, -turns, -turns - 1, alone=True)
        for _ in range(INNER):
            sweeps.sweep_race(graph.chances, order, turns, squares, best)
        return change

    iterate(sweep, tell)
    return Race(turns, np.sqrt(np.maximum(squares - turns**2, 0)))


def solve_duel(graph: Graph, tell: Tell = unseen) -> Values:
    """(n + 1,) float64: the probability that the seat to move wins, both seats playing as well as can be."""
    values, twins = zeros(graph), twins_of(graph)
    order = graph.space.order()
    order = order[(twins[order] == sweeps.NO_TWIN) | (order <= twins[order])]

    def sweep() -> float:
        board = graph.chances, order, twins, values, values
        change: float = sweeps.sweep_duel(*board, graph.moves, graph.moves)
        best = best_moves(graph, values, 1 - values, alone=True)
        for _ in range(INNER):
            sweeps.sweep_duel(*board, best, best)
        return change

    iterate(sweep, tell)
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
