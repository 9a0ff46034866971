"""What a player is worth in a solved game, without sampling: against another one, and against its best answer.

A policy is the `Moves` that a player takes, with their probabilities.
"""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from sorry_env.solve import sweeps
from sorry_env.solve.exact import Tell, Values, first_moves, iterate, number_of_start, twins_of, unseen, zeros
from sorry_env.solve.graph import AT_ONCE, Graph, Moves, Progress
from sorry_env.variant import IntArray
from sorry_env.verbs import States

Shares = npt.NDArray[np.float32]

MANY = 16 * AT_ONCE
"""Positions that a player is asked for together."""


class Chooser(Protocol):
    """A player that says with what odds it takes its actions; see `players.Player.odds`."""

    def odds(self, states: States) -> tuple[IntArray, IntArray, npt.NDArray[np.float64]]:
        """The legal actions of (N,) STATE, how many each has, and their probabilities."""
        ...


@runtime_checkable
class Scorer(Chooser, Protocol):
    """A player that takes the action with the best afterstate; see `players.AfterstatePlayer`."""

    def scores(self, after: States, seats: IntArray) -> npt.NDArray[np.floating]:
        """(M,) how good each afterstate is for a seat."""
        ...


def best_policy(graph: Graph, values: Values) -> Moves:
    """What the optimum plays: the best actions, equal ones with the same probability."""
    return taken(graph, best_shares(graph, values, 1 - values))


def best_shares(graph: Graph, same: Values, other: Values) -> Shares:
    """(m,) float32: the best actions, equal ones with the same probability.

    Args:
        graph: the game.
        same: (n + 1,) float64: how good a position is for who has moved there and goes on; of the end, a loss.
        other: (n + 1,) float64: the same where the other seat goes on; of the end, a win.
    """
    shares = np.empty(len(graph.moves.leads), np.float32)
    sweeps.write_best(graph.chances, graph.moves, same, other, shares)
    return shares


def taken(graph: Graph, shares: Shares) -> Moves:
    """The actions that are taken with a probability above 0."""
    actions, ways, leads, _ = graph.moves
    kept = Moves(np.empty_like(actions), np.empty_like(ways), np.empty_like(leads), np.empty_like(shares))
    count = sweeps.keep_some(graph.chances, graph.moves, shares, kept)
    return kept._replace(leads=kept.leads[:count].copy(), shares=kept.shares[:count].copy())


def policy_of(graph: Graph, player: Chooser, progress: Progress = lambda done: None) -> Moves:
    """What a player plays.

    A player that scores afterstates is asked for each of these once. Any other is asked for its odds, in each position
    after each outcome of chance; and so is everybody where the game may end, as the end is no position to be scored.
    """
    every = np.arange(graph.space.size)
    if not isinstance(player, Scorer):
        return taken(graph, _by_odds(graph, player, every, progress))
    shares, last = _by_scores(graph, player, progress), _before_the_end(graph)
    asked = np.repeat(np.isin(every, last), np.diff(graph.moves.actions))
    shares[asked] = _by_odds(graph, player, last, lambda done: None)
    return taken(graph, shares)


def _before_the_end(graph: Graph) -> IntArray:
    """The positions from which an action leads to the end, in order."""
    actions = np.flatnonzero(graph.moves.leads >> 1 == graph.space.size)
    return np.unique(np.searchsorted(graph.moves.actions, actions, side="right") - 1)


def _by_scores(graph: Graph, player: Scorer, progress: Progress) -> Shares:
    """(m,) float32; what is said where the game may end is of no meaning."""
    same, other = zeros(graph), zeros(graph)
    for numbers, states in _batches(graph, np.arange(graph.space.size), progress):
        movers = states["seat"].astype(np.int64)
        same[numbers] = player.scores(states, movers)
        other[numbers] = player.scores(states, 1 - movers)
    return best_shares(graph, same, other)


def _by_odds(graph: Graph, player: Chooser, numbers: IntArray, progress: Progress) -> Shares:
    """The shares of the actions that some positions have, one after the other."""
    parts = [np.empty(0, np.float32)]
    for _, states in _batches(graph, numbers, progress):
        dealt, _, _ = graph.space.game.chances(states)
        parts.append(player.odds(dealt)[2].astype(np.float32))
    return np.concatenate(parts)


def _batches(graph: Graph, numbers: IntArray, progress: Progress) -> Iterator[tuple[IntArray, States]]:
    """Positions in which chance is due, some at a time, by number and as they are; numbers that belong to none go."""
    for begin in range(0, len(numbers), MANY):
        some = numbers[begin : begin + MANY]
        states, there = graph.space.states(some)
        yield some[there], states[there]
        progress(len(some))


def duel_values(
    graph: Graph, mine: Moves, theirs: Moves, tell: Tell = unseen, near: Values | None = None
) -> tuple[Values, Values]:
    """Each of two players' probability of winning from each position in which it is to move itself.

    Args:
        graph: the game.
        mine: what the one plays.
        theirs: what the other plays. One of both may be all moves of the graph, for the best answer to the other.
        tell: told of each sweep.
        near: (n + 1,) float64, where sweeps begin: those that begin near to the truth, as with the optimum's values for
            good players, are fewer. None: zeros.
    """
    order, twins = graph.space.order(), twins_of(graph)
    first, second = (zeros(graph) if near is None else near.copy() for _ in range(2))
    sides = [(moves, moves if len(moves.shares) else first_moves(graph)) for moves in (mine, theirs)]

    def sweep(best: bool) -> float:
        one, two = ((side[best], side[1].leads) for side in sides)
        return float(sweeps.sweep_duel(graph.chances, order, twins, first, second, one, two))

    iterate(lambda: sweep(False), lambda: sweep(True), tell)
    return first, second


def win_rate(graph: Graph, mine: Moves, theirs: Moves, tell: Tell = unseen, near: Values | None = None) -> float:
    """One player's probability of winning against another from the start, the mean over seats and who begins.

    The arguments are those of `duel_values`.
    """
    first, second = duel_values(graph, mine, theirs, tell, near)
    starts = [number_of_start(graph.space, seat) for seat in range(2)]
    return float(np.mean([first[starts], 1 - second[starts]]))


def exploitability(graph: Graph, policy: Moves, tell: Tell = unseen, near: Values | None = None) -> float:
    """How far above one half the best answer to a policy wins, seats and who begins taken equally often; 0 at best.

    `tell` and `near` are those of `duel_values`.
    """
    return win_rate(graph, graph.moves, policy, tell, near) - 0.5
