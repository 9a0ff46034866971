"""The smallest game that the package can play, as in docs/new-game.md: a race in which a throw may be left unused.

A coin gives one step or two, and the seat runs them or rests. Who comes to the end of the track first wins.
"""

from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sorry_env import Family, Ruleset, family
from sorry_env._jit import inner
from sorry_env.random import below
from sorry_env.tables import ActionTable, FeatureTable
from sorry_env.turns import finish, pass_on, returns
from sorry_env.verbs import CHANCE

STATE = np.dtype(
    (
        np.record,
        [
            ("turns", np.int32),
            ("due", np.uint16),  # the steps thrown, or CHANCE
            ("seat", np.uint16),
            ("over", np.uint16),
            ("winners", np.uint16),
            ("steps", np.uint16, (4,)),  # that each seat has run
        ],
    )
)
CHOICES = np.dtype((np.record, [("count", np.int64), ("ids", np.uint16, (2,))]))
RULES = np.dtype((np.record, [("seats", np.int64), ("turn_limit", np.int64), ("track", np.int64)]))
REST, RUN = range(2)


@dataclass(frozen=True, kw_only=True)
class RaceRules(Ruleset):
    """The rules of a race."""

    NAMES: ClassVar[tuple[str, ...]] = ("toy_race",)
    track: int = 8


@inner
def room(states):
    return np.empty(1, CHOICES)


@inner
def reset(s, r, first):
    s.steps[:] = 0
    s.turns, s.due, s.seat, s.over, s.winners = 1, CHANCE, first, 0, 0


@inner
def legal(s, r, choices):
    choices.count = 0 if s.over or s.due >= CHANCE else 2
    choices.ids[0], choices.ids[1] = REST, RUN
    return choices.count


@inner
def play(s, r, action):
    if action == RUN:
        s.steps[s.seat] = min(np.int64(s.steps[s.seat]) + np.int64(s.due), r.track)
    if s.steps[s.seat] == r.track:
        finish(s, 1 << s.seat)
    else:
        pass_on(s, r)


@inner
def odds(s, r, weights):
    weights[0] = weights[1] = 1
    return 2


@inner
def deal(s, r, outcome):
    s.due = 1 + outcome


@inner
def draw(s, r, number):
    s.due = 1 + below(number, 2)


@inner
def encode(s, r, viewer, out):
    out[:] = 0
    for k in range(r.seats):
        out[k] = s.steps[(viewer + k) % r.seats] / r.track
    out[r.seats] = s.seat == viewer and not s.over
    out[r.seats + 1] = s.due < CHANCE and s.due == 2


class Race(Family):
    """A race."""

    name = "race"
    state = STATE
    verbs = (room, reset, legal, play, odds, deal, draw, returns, encode)
    rulesets = (RaceRules(name="toy_race"),)

    def actions(self, rules, seats):
        return ActionTable(["rest", "run"])

    def features(self, rules, seats):
        return FeatureTable({"steps": ((seats,), "share of the track"), "turn": ((2,), "to move; two steps thrown")})

    def compiled(self, rules, colours, actions, features):
        row = np.zeros(1, RULES)
        row["seats"], row["turn_limit"], row["track"] = len(colours), rules.turn_limit or 0, rules.track
        return row

    def outcomes(self, game, due):
        return ("1", "2")

    def progress(self, game, states):
        return states["steps"][:, : game.seats].astype(np.int64)

    def way(self, game):
        return game.ruleset.track


RACE = Race()


@contextmanager
def known():
    """The race is a game among the others for a while."""
    family.register(RACE)
    yield
    for table in (family.RULESETS, family.FAMILIES):
        del table["toy_race"]
