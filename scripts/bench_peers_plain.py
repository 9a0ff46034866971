"""Game libraries in plain Python, measured by their own calls in uniform play."""

import random
from collections.abc import Iterator

from bench_sample import Batch, stepwise


def apologies_batch(players: int) -> Batch:
    """20 moves of `apologies`."""
    random.seed(1)
    return stepwise(_apologies_moves(players), 20)


def _apologies_moves(players: int) -> Iterator[int]:
    """Uniform games of `apologies` in standard mode, move by move: how many moves it listed.

    Its `play_next` copies the whole game before each turn, to be able to take a failed one back; these are the same
    calls without the copy.
    """
    from apologies.engine import Character, Engine
    from apologies.game import GameMode, PlayerColor
    from apologies.source import RandomInputSource

    while True:
        characters = [Character(str(k), RandomInputSource()) for k in range(players)]
        engine = Engine(GameMode.STANDARD, characters, first=PlayerColor.RED)
        engine.start_game()
        while not engine.completed:
            colour, _ = engine.next_turn()
            done = False
            while not done:
                view = engine.game.create_player_view(colour)
                _, moves = engine.construct_legal_moves(view)
                done = engine.execute_move(colour, random.choice(moves))
                yield len(moves)


def ludopy_batch() -> Batch:
    """50 moves of `ludopy`."""
    return stepwise(_ludopy_moves(), 50)


def _ludopy_moves() -> Iterator[int]:
    """Uniform games of Ludo by `ludopy`, move by move: how many pieces could move; -1 is its pass."""
    import ludopy
    import numpy as np

    np.random.seed(1)
    while True:
        game = ludopy.Game()
        while not len(game.get_winners_of_game()):
            (_, pieces, *_), _ = game.get_observation()
            game.answer_observation(int(random.choice(pieces)) if len(pieces) else -1)
            yield max(len(pieces), 1)


def ludo_king_batch() -> Batch:
    """100 moves of `ludo-king-engine`."""
    random.seed(1)
    return stepwise(_ludo_king_moves(), 100)


def _ludo_king_moves() -> Iterator[int]:
    """Uniform games of Ludo by `ludo-king-engine`, throw by throw: how many moves it listed, 1 for none.

    The calls are those of its `play_turn`, which takes the first move or a given one and cannot choose.
    """
    from ludo_engine.core import LudoGame, PlayerColor

    while True:
        game = LudoGame(list(PlayerColor))
        while not game.game_over:
            player, die = game.get_current_player(), game.roll_dice()
            forfeited = game.consecutive_sixes >= 3
            moves = [] if forfeited else game.get_valid_moves(player, die)
            again = die == 6 and not forfeited
            if moves:
                again = game.execute_move(player, random.choice(moves).token_id, die).extra_turn
            if not again:
                game.next_turn()
            yield max(len(moves), 1)


def uno_batch() -> Batch:
    """100 steps of RLCard's `uno`."""
    random.seed(1)
    return stepwise(_uno_steps(), 100)


def _uno_steps() -> Iterator[int]:
    """Uniform games of RLCard's `uno` by `step`, which gives the observation: how many actions were legal."""
    import rlcard

    env = rlcard.make("uno", config={"seed": 1})
    while True:
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(random.choice(legal))
            yield len(legal)
