"""What a player is worth in a solved game, without sampling: against another one, and against its best answer.

A policy is the `Moves` that a player takes, with their probabilities.
"""

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from sorry_env.solve import sweeps
from sorry_env.solve.exact import (
    INNER,
    Tell,
    Values,
    best_moves,
    iterate,
    number_of_start,
    taken,
    twins_of,
    unseen,
    zeros,
)
from sorry_env.solve.graph import AT_ONCE, Graph, Moves, Progress
from sorry_env.variant import IntArray
from sorry_env.verbs import States

MANY = 16 * AT_ONCE
"""Positions that a player is asked for together."""


class Chooser(Protocol):
    """A player that says with what odds it takes its actions; see `players.Player.odds`."""

    def odds(self, states: States) -> tuple[IntArray, IntArray, npt.NDArray[np.float64]]:
        """The legal actions of (N,) STATE, how many each has, and their probabilities."""
        ...


@runtime_checkable
class Scorer(Protocol):
    """A player that takes the action with the best afterstate; see `players.AfterstatePlayer`."""

    def scores(self, after: States, seats: IntArray) -> npt.NDArray[np.floating]:
        """(M,) how good each afterstate is for a seat."""
        ...


def best_policy(graph: Graph, values: Values) -> Moves:
    """What the optimum plays: the best actions, equal ones with the same probability."""
    return best_moves(graph, values, 1 - values)


def policy_of(graph: Graph, player: Chooser | Scorer, progress: Progress = lambda done: None) -> Moves:
    """What a player plays.

    A player that scores afterstates is asked for each of these once, and any other for its odds in each position after
    each outcome of chance.
    """
    if isinstance(player, Scorer):
        return _by_scores(graph, player, progress)
    return _by_odds(graph, player, progress)


def _by_scores(graph: Graph, player: Scorer, progress: Progress) -> Moves:
    size = graph.space.size
    same, other = np.full((2, size + 1), -np.inf)
    other[size] = np.inf
    for begin in range(0, size, MANY):
        numbers = np.arange(begin, min(begin + MANY, size))
        states, there = graph.space.states(numbers)
        states = states[there]
        movers = states["seat"].astype(np.int64)
        same[numbers[there]] = player.scores(states, movers)
        other[numbers[there]] = player.scores(states, 1 - movers)
        progress(len(numbers))
    return best_moves(graph, same, other)


def _by_odds(graph: Graph, player: Chooser, progress: Progress) -> Moves:
    parts = []
    for begin in range(0, graph.space.size, MANY):
        numbers = np.arange(begin, min(begin + MANY, graph.space.size))
        states, there = graph.space.states(numbers)
        dealt, _, _ = graph.space.game.chances(states[there])
        parts.append(player.odds(dealt)[2].astype(np.float32))
        progress(len(numbers))
    return taken(graph, np.concatenate(parts))


def duel_values(graph: Graph, mine: Moves, theirs: Moves, tell: Tell = unseen) -> tuple[Values, Values]:
    """Each of two players' probability of winning from each position in which it is to move itself.

    Args:
        graph: the game.
        mine: what the one plays.
        theirs: what the other plays. One of both may be all moves of the graph, for the best answer to the other.
        tell: told of each sweep.
    """
    order, twins = graph.space.order(), twins_of(graph)
    first, second = zeros(graph), zeros(graph)
    board = graph.chances, order, twins, first, second

    def sweep() -> float:
        change: float = sweeps.sweep_duel(*board, mine, theirs)
        one = mine if len(mine.shares) else best_moves(graph, first, 1 - second, alone=True)
        two = theirs if len(theirs.shares) else best_moves(graph, second, 1 - first, alone=True)
        for _ in range(INNER):
            sweeps.sweep_duel(*board, one, two)
        return change

    iterate(sweep, tell)
    return first, second


def win_rate(graph: Graph, mine: Moves, theirs: Moves, tell: Tell = unseen) -> float:
    """One player's probability of winning against another from the start, the mean over seats and who begins."""
    first, second = duel_values(graph, mine, theirs, tell)
    starts = [number_of_start(graph.space, seat) for seat in range(2)]
    return float(np.mean([first[starts], 1 - second[starts]]))


def exploitability(graph: Graph, policy: Moves, tell: Tell = unseen) -> float:
    """How far above one half the best answer to a policy wins, seats and who begins taken equally often; 0 at best."""
    return win_rate(graph, graph.moves, policy, tell) - 0.5
