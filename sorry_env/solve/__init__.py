"""Exact solutions, by value iteration on the engine's own verbs: solitaire races, games of two seats with few pawns."""

import numpy as np

from sorry_env.solve.bars import bar, explored
from sorry_env.solve.exact import Race, Tell, Values, number_of_start, solve_duel, solve_race
from sorry_env.solve.graph import Course, Graph, Space, graph_of
from sorry_env.solve.policies import best_policy, duel_values, exploitability, policy_of, win_rate
from sorry_env.solve.store import Table, keep, kept
from sorry_env.variant import Variant

__all__ = [
    "Course",
    "Graph",
    "Race",
    "Space",
    "bar",
    "best_policy",
    "duel_table",
    "duel_values",
    "exploitability",
    "explored",
    "graph_of",
    "keep_duel",
    "number_of_start",
    "policy_of",
    "race_table",
    "solve_duel",
    "solve_race",
    "win_rate",
]


def race_table(game: Variant) -> tuple[Course, Table]:
    """How many turns a seat needs that is alone on the board, from the user's cache or computed.

    Returns:
        space: the positions of one seat, n of them.
        table: (2, n + 1) float32: the expected number of turns, and its standard deviation.

    Raises:
        SolveError: the game is not one in which a turn is a card for an own pawn.
    """
    space = game.family.solo(game)

    def solve(graph: Graph, tell: Tell) -> Table:
        race = solve_race(graph, tell)
        return np.stack([race.turns, race.spread]).astype(np.float32)

    return space, kept("race", space, solve)


def duel_table(game: Variant, pawns: int) -> tuple[Space, Table]:
    """How often the seat to move wins when no seat has more than so many pawns left, from the cache or computed.

    With a pile it is the game in which cards come back at once, unless the deck holds one of each for one pawn each.

    Returns:
        space: the positions, n of them.
        table: (1, n + 1) float32: the probability that the seat to move wins.

    Raises:
        SolveError: the game has no two seats, or a turn is more than a card for an own pawn.
    """
    space = game.family.duel(game, pawns, near=True)
    return space, kept("duel", space, lambda graph, tell: _single(solve_duel(graph, tell)))


def keep_duel(space: Space, values: Values) -> None:
    """Put what `solve_duel` has found where `duel_table` looks for it."""
    keep("duel", space, _single(values))


def _single(values: Values) -> Table:
    return values[None].astype(np.float32)
