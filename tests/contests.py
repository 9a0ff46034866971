"""Contests in tests: begun, played by a rule, and told step by step."""

import numpy as np

from sorry_env.contest import Contest
from sorry_env.players.simple import Uniform


def seeds(count, first=10):
    return np.arange(first, first + count, dtype=np.uint64)


def begun(game, count, *arguments, first_seed=10, **settings):
    """A contest in its first games."""
    contest = Contest(game, count, *arguments, **settings)
    contest.reset(seeds(count, first_seed))
    return contest


def seating(contest):
    """Who sits at each seat of each lane."""
    return contest.seating.table["seating"][:, : contest.game.seats]


def chosen(masks, k):
    """A legal action of each row, the k-th counted round; 0 where there is none."""
    legal = [np.flatnonzero(mask) for mask in masks]
    return np.array([own[k % len(own)] if len(own) else 0 for own in legal])


def snapshot(contest, step):
    """All that a step gave, as values that can be compared."""
    parts = [step.rewards, step.terminated, step.truncated, step.ended, step.features, step.masks, step.illegal]
    parts += [step.seats, step.lengths, step.sums, step.returns, step.scores, step.states]
    parts += [contest.features, contest.masks, contest.seats, contest.states, contest.running]
    return [part.tobytes() for part in parts]


def story(contest, steps, start=0):
    return [snapshot(contest, contest.step(chosen(contest.masks, k))) for k in range(start, start + steps)]


class Spy(Uniform):
    """Remembers what it was shown."""

    def __init__(self, game, spec="spy"):
        super().__init__(game, spec)
        self.seen, self.sizes = [], []

    def choose(self, states, rng):
        self.seen.append(states.copy())
        self.sizes.append(len(states))
        return super().choose(states, rng)
