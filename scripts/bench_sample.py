"""What a measurement gives, and the loops that both sides are measured by: ours and the other libraries'.

Imports the standard library alone: the peers' process, in its own environment, reads this file too.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from time import process_time
from typing import Any, NamedTuple


class Sample(NamedTuple):
    """What was done in how much time.

    Attributes:
        plays: turns, moves, steps or games.
        choices: those with more than one legal action; 0 where they are not counted.
        seconds: CPU time of the process, all threads together; by the wall clock where threads are compared.
    """

    plays: int
    choices: int
    seconds: float


Batch = Callable[[], Sample]
"""Plays on for a few milliseconds, from where the last call ended."""


def gathered(batch: Batch, seconds: float) -> Sample:
    """As many batches as fill so many seconds, one at least."""
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


OBSERVATION, INFO = 0, 4
"""Where in what `last` gives an AEC environment has its action mask."""


def aec_batch(env: Any, size: int = 500, place: int = OBSERVATION) -> Batch:
    """`size` calls of `step` of a PettingZoo environment with action masks, in uniform play."""
    env.reset(seed=1)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)
    return stepwise(_aec_steps(env, place), size)


def _aec_steps(env: Any, place: int) -> Iterator[int]:
    """The loop of PettingZoo's documentation, game after game; legal actions are not counted: 0."""
    while True:
        env.reset()
        for agent in env.agent_iter():
            seen = env.last()
            over = seen[2] or seen[3]
            env.step(None if over else env.action_space(agent).sample(seen[place]["action_mask"]))
            yield 0
