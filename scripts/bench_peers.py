"""Measure the libraries that bench.py compares with, in their own environment; bench.py starts it.

The first line of output holds the libraries' versions. After that each line of input asks for a measurement, as in
`["maedn 4", 1.0]` (what, and CPU seconds), and a line of output answers with the numbers of a `Sample`.

The top imports the standard library alone: bench.py takes `Sample`, `gathered` and `aec_batch` from here, so that both
sides are measured by the same lines.
"""

import contextlib
import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib.metadata import version
from itertools import count, islice
from time import process_time
from typing import Any, NamedTuple, TextIO

LIBRARIES = ("apologies", "gymnasium", "ludopy", "numpy", "open-spiel", "pettingzoo")


class Sample(NamedTuple):
    """What was done in how much time.

    Attributes:
        plays: turns, moves or steps.
        choices: those with more than one legal action; 0 where they are not counted.
        seconds: CPU time of the process, all threads together.
    """

    plays: int
    choices: int
    seconds: float


Batch = Callable[[], Sample]
"""Plays on for a few milliseconds, from where the last call ended."""


def gathered(batch: Batch, seconds: float) -> Sample:
    """As many batches as fill so many CPU seconds, one at least."""
    total = batch()
    while total.seconds < seconds:
        total = Sample(*(a + b for a, b in zip(total, batch(), strict=True)))
    return total


def stepwise(plays: Iterator[int], size: int) -> Batch:
    """Batches of `size` plays of an endless iterator, which gives how many actions were legal each time."""

    def batch() -> Sample:
        begin = process_time()
        choices = sum(legal > 1 for legal in islice(plays, size))
        return Sample(size, choices, process_time() - begin)

    return batch


def aec_batch(env: Any) -> Batch:
    """500 calls of `step` of a PettingZoo environment with action masks, in uniform play."""
    env.reset(seed=1)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)
    return stepwise(_aec_steps(env), 500)


def _aec_steps(env: Any) -> Iterator[int]:
    """The loop of PettingZoo's documentation, game after game; legal actions are not counted: 0."""
    while True:
        env.reset()
        for agent in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            over = termination or truncation
            env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
            yield 0


def connect_four_batch(wrapped: bool) -> Batch:
    """`connect_four_v3` of PettingZoo, with its usual wrappers or without."""
    from pettingzoo.classic import connect_four_v3

    return aec_batch(connect_four_v3.env() if wrapped else connect_four_v3.raw_env())


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


def maedn_batch(players: int) -> Batch:
    """64 games of OpenSpiel's `maedn`, each played to its end by OpenSpiel's own loop and uniform bots, all in C++.

    The moves are counted afterwards, outside the time, by playing the history of each game again.
    """
    import pyspiel

    game = pyspiel.load_game("maedn", {"players": players})
    bots = [pyspiel.make_uniform_random_bot(k, k + 1) for k in range(players)]
    seeds = count(1)

    def batch() -> Sample:
        states = [game.new_initial_state() for _ in range(64)]
        begin = process_time()
        for state in states:
            pyspiel.evaluate_bots(state, bots, next(seeds))
        spent = process_time() - begin
        legal = [number for state in states for number in _legal_counts(game, state)]
        return Sample(len(legal), sum(number > 1 for number in legal), spent)

    return batch


def _legal_counts(game: Any, finished: Any) -> Iterator[int]:
    """How many actions were legal at each move of a finished game; throws of the die are not moves."""
    state = game.new_initial_state()
    for action in finished.history():
        if not state.is_chance_node():
            yield len(state.legal_actions())
        state.apply_action(action)


PEERS: dict[str, Callable[[], Batch]] = {
    "apologies 2": partial(apologies_batch, 2),
    "apologies 4": partial(apologies_batch, 4),
    "maedn 2": partial(maedn_batch, 2),
    "maedn 4": partial(maedn_batch, 4),
    "ludopy 4": ludopy_batch,
    "connect_four_v3 raw 2": partial(connect_four_batch, False),
    "connect_four_v3 wrapped 2": partial(connect_four_batch, True),
}
"""What can be measured, with its number of players -> how to set it up."""


@cache
def peer_batch(key: str) -> Batch:
    """The batches of one of `PEERS`, set up once."""
    return PEERS[key]()


def serve(requests: Iterable[str], answers: TextIO) -> None:
    """Answer each line as soon as it comes."""
    for line in requests:
        key, seconds = json.loads(line)
        print(json.dumps(gathered(peer_batch(key), seconds)), file=answers, flush=True)


def main() -> None:
    """Tell the versions, then serve; what a library prints goes to the error output."""
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(KeyboardInterrupt):
        print(json.dumps({name: version(name) for name in LIBRARIES}), file=answers, flush=True)
        serve(sys.stdin, answers)


if __name__ == "__main__":
    main()
