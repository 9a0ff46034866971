"""Every position of a game, and where each action leads from it: what exact solutions are computed on.

A **space** numbers the positions of a game in which chance is due. A **graph** holds, for each of them, what chance may
do, and for each of these outcomes the positions that the legal actions lead to. It is made by the verbs of the engine
alone, so whatever is solved on it is solved for the game that is played.

Shapes: n positions, o outcomes and m actions of them all.
"""

import os
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sorry_env.errors import SolveError
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States

Progress = Callable[[int], Any]
"""Called with the number of positions that have been done since the last call."""

AT_ONCE = 4096
"""Positions whose afterstates are in memory together."""


class Space:
    """The positions of a game in which chance is due, by number, as the seat sees them whose turn it is.

    Attributes:
        game: the variant.
        size: how many numbers there are, n; some may belong to no position.
    """

    game: Variant
    size: int

    def states(self, numbers: IntArray) -> tuple[States, npt.NDArray[np.bool_]]:
        """The positions with (N,) numbers.

        Returns:
            states: (N,) STATE in which chance is due.
            there: (N,) bool, False where a number belongs to no position that can be, or to one that is over.
        """
        raise NotImplementedError

    def numbers(self, states: States) -> npt.NDArray[np.int64]:
        """(N,) int64: the numbers of (N,) STATE in which chance is due; -1 where a position is not in the space."""
        raise NotImplementedError

    def order(self) -> npt.NDArray[np.int64]:
        """(n,) int64: the numbers, those first on which others depend most."""
        raise NotImplementedError


class Course(Space):
    """The positions of one seat that is alone on the board."""

    def places(self, states: States, seats: IntArray) -> npt.NDArray[np.int64]:
        """(N,) int64: the numbers of where one seat's pawns stand, (N,) `seats`, whatever else is on the board."""
        raise NotImplementedError


class Chances(NamedTuple):
    """What chance may do in each position.

    Attributes:
        odds: (R, C) float64, the different probabilities that outcomes have, a row each, filled up with zeros.
        row: (n,) uint8, which row belongs to a position.
        outcomes: (n + 1,) int64, where a position's outcomes begin; as many as its row has numbers.
    """

    odds: npt.NDArray[np.float64]
    row: npt.NDArray[np.uint8]
    outcomes: npt.NDArray[np.int64]


class Moves(NamedTuple):
    """The actions that a player may take after each outcome, or those that it does take.

    Attributes:
        actions: (n + 1,) int64, where a position's actions begin.
        ways: (o,) uint8, how many actions an outcome has.
        leads: (m,) uint32, twice the number of the position that an action leads to, and 1 more if the same seat goes
            on from there. Number n is the end: won by who has moved, or, with 1 more, lost.
        shares: (m,) float32, with what probability each action is taken; (0,): the best one is.
    """

    actions: npt.NDArray[np.int64]
    ways: npt.NDArray[np.uint8]
    leads: npt.NDArray[np.uint32]
    shares: npt.NDArray[np.float32]


@dataclass(frozen=True)
class Graph:
    """What may follow each position.

    Attributes:
        space: the positions, n of them.
        chances: what may come.
        moves: every legal action, the best to be taken.
    """

    space: Space
    chances: Chances
    moves: Moves


def graph_of(space: Space, progress: Progress) -> Graph:
    """Follow every action from every position.

    Raises:
        SolveError: an action leads out of the space, or nobody has won where a game is over.
    """
    rows: dict[bytes, int] = {}
    parts: list[tuple[npt.NDArray[Any], ...]] = []
    with closing(_explored(space)) as stretches:  # who interrupts it need not wait for all that is left
        for part in stretches:
            parts.append((_row_numbers(part[0], rows), *part[1:]))
            progress(len(part[0]))
    row, outcomes, actions, ways, leads = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    odds = np.array([np.frombuffer(key) for key in rows])
    chances = Chances(odds, row, _begins(outcomes))
    return Graph(space, chances, Moves(_begins(actions), ways, leads, np.empty(0, np.float32)))


def _begins(counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def _row_numbers(odds: npt.NDArray[np.float64], rows: dict[bytes, int]) -> npt.NDArray[np.uint8]:
    """(N,) uint8: numbers of (N, C) rows of odds; new rows get new numbers."""
    different, inverse = np.unique(odds, axis=0, return_inverse=True)
    numbers = [rows.setdefault(one.tobytes(), len(rows)) for one in different]
    return np.array(numbers, np.uint8)[inverse.reshape(-1)]


def _explored(space: Space) -> Generator[tuple[npt.NDArray[Any], ...], None, None]:
    """Stretches of positions, in order: odds (N, C), counts of outcomes and of actions (N,), ways, leads."""
    stretches = [np.arange(k, min(k + AT_ONCE, space.size)) for k in range(0, space.size, AT_ONCE)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(lambda numbers: _explore(space, numbers), stretches)


def _explore(space: Space, numbers: IntArray) -> tuple[npt.NDArray[Any], ...]:
    game = space.game
    states, there = space.states(numbers)
    dealt, chances, counts = game.chances(states[there])
    after, _, ways = game.afterstates(dealt)
    movers = np.repeat(np.repeat(states["seat"][there], counts), ways)
    outcomes, actions = np.zeros((2, len(numbers)), np.int64)
    outcomes[there] = counts
    actions[there] = np.add.reduceat(ways, np.cumsum(counts) - counts) if len(counts) else 0
    odds = np.zeros((len(numbers), len(game.family.outcomes(game, int(states["due"][0])))))
    odds[np.repeat(np.flatnonzero(there), counts), _places(counts)] = chances
    return odds, outcomes, actions, ways.astype(np.uint8), leads_of(space, after, movers)


def _places(counts: IntArray) -> npt.NDArray[np.int64]:
    """0, 1, ... for each count, one behind the other."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def leads_of(space: Space, after: States, movers: IntArray) -> npt.NDArray[np.uint32]:
    """(M,) uint32: afterstates that movers, (M,), have come to, as `Moves.leads` has them."""
    over = after["over"] != 0
    numbers = space.numbers(after)
    if (numbers[~over] < 0).any():
        raise SolveError(f"{space.game} leads out of the positions that are solved")
    numbers[over] = space.size
    same = np.where(over, after["winners"] >> movers & 1 == 0, after["seat"] == movers)
    leads: npt.NDArray[np.uint32] = (2 * numbers + same).astype(np.uint32)
    return leads
