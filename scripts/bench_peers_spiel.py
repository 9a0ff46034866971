"""Games of OpenSpiel: whole games in C++, and step by step through its Python environment."""

import random
from collections.abc import Iterator
from itertools import count
from time import process_time
from typing import Any

from bench_sample import Batch, Sample, stepwise


def bots_batch(name: str, games: int, **parameters: Any) -> Batch:
    """So many games, each played to its end by OpenSpiel's own loop and uniform bots, all in C++.

    The moves are counted afterwards, outside the time, by playing the history of each game again.
    """
    import pyspiel

    game = pyspiel.load_game(name, parameters)
    bots = [pyspiel.make_uniform_random_bot(k, k + 1) for k in range(game.num_players())]
    seeds = count(1)

    def batch() -> Sample:
        states = [game.new_initial_state() for _ in range(games)]
        begin = process_time()
        for state in states:
            pyspiel.evaluate_bots(state, bots, next(seeds))
        spent = process_time() - begin
        legal = [number for state in states for number in _legal_counts(game, state)]
        return Sample(len(legal), sum(number > 1 for number in legal), spent)

    return batch


def _legal_counts(game: Any, finished: Any) -> Iterator[int]:
    """How many actions were legal at each move of a finished game; throws of the dice are not moves."""
    state = game.new_initial_state()
    for action in finished.history():
        if not state.is_chance_node():
            yield len(state.legal_actions())
        state.apply_action(action)


def rl_environment_batch(players: int, quick: bool = False) -> Batch:
    """100 moves of `maedn` through `rl_environment`.

    Args:
        players: how many.
        quick: throw the die by `random` instead of by the environment's own sampler, which asks NumPy for one number.
    """
    random.seed(1)
    return stepwise(_rl_environment_moves(players, _quick_die if quick else None), 100)


def _quick_die(state: Any) -> int:
    """An outcome of the die, each as likely as the others."""
    return random.choice(state.legal_actions())


def _rl_environment_moves(players: int, die: Any) -> Iterator[int]:
    """Uniform games by `step`, which gives observations and legal actions: how many were legal."""
    from open_spiel.python.rl_environment import Environment

    env = Environment("maedn", chance_event_sampler=die, players=players)
    while True:
        now = env.reset()
        while not now.last():
            legal = now.observations["legal_actions"][now.current_player()]
            now = env.step([random.choice(legal)])
            yield len(legal)
