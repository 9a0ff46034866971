"""Set up a board of Parcheesi in one line and ask what may follow: the vocabulary of its tests.

A colour's places are written without its pieces in the nest: `[14, "row 2", "home"]` is a piece on ring square 14, one
in the home row, one at Home and, with four pieces, one in the nest.
"""

import copy

import numpy as np

from sorry_env import IllegalAction, InvalidPosition
from sorry_env.board import seat_colours
from sorry_env.parcheesi import board, engine
from sorry_env.parcheesi.actions import action_table
from sorry_env.parcheesi.features import FeatureTable, encode
from sorry_env.parcheesi.line import from_line, to_line
from sorry_env.parcheesi.position import fill, problems, to_position
from sorry_env.parcheesi.rules import ruleset
from sorry_env.parcheesi.state import CHOICES, STATE
from sorry_env.parcheesi.texts import ActionTexts

COLOURS = ("red", "blue", "yellow", "green")
FOUR_HOME = ["home"] * 4


class Variant:
    """Rules and seats, compiled."""

    def __init__(self, seats=2, **changes):
        self.ruleset, self.colours = ruleset("parcheesi", **changes), seat_colours(seats)
        self.seats = len(self.colours)
        self.actions = action_table(self.ruleset, self.seats)
        self.features = FeatureTable(self.ruleset, self.seats)
        self.rules = board.compiled(self.ruleset, self.colours, self.actions, self.features)

    def new_states(self, count):
        return np.zeros(count, STATE)


class Game:
    """One game in words."""

    def __init__(self, seats=2, first=None, **changes):
        self.variant = Variant(seats, **changes)
        self.states = self.variant.new_states(1)
        engine.reset(self.row, self.rules, self.variant.colours.index(first) if first else 0)

    @property
    def row(self):
        return self.states[0]

    @property
    def rules(self):
        return self.variant.rules[0]

    @classmethod
    def from_position(cls, position):
        if isinstance(position, str):
            position = from_line(position)
        game = cls(position["seats"], **position.get("changes", {}))
        found = list(problems(game.variant, position))
        if found:
            raise InvalidPosition("; ".join(found))
        game.states = game.variant.new_states(1)
        fill(game.variant, position, game.row)
        return game

    def position(self):
        return to_position(self.variant, self.states)

    def __str__(self):
        return to_line(self.position())

    @property
    def is_over(self):
        return bool(self.row["over"])

    @property
    def awaits_chance(self):
        return int(self.row["due"]) >= board.CHANCE

    @property
    def to_move(self):
        return None if self.is_over else self.variant.colours[self.row["seat"]]

    def legal(self):
        choices = np.zeros(1, CHOICES)
        count = int(engine.legal(self.row, self.rules, choices[0]))
        assert count == choices[0]["count"]
        return [int(action) for action in choices[0]["ids"][:count]]

    def text(self, action):
        return ActionTexts(self.variant, self.states).text(action)

    def parse(self, text):
        texts = ActionTexts(self.variant, self.states)
        action = texts.parse(text)
        if action is None:
            raise IllegalAction(texts.why_unknown(text))
        return action

    def why_illegal(self, action):
        return ActionTexts(self.variant, self.states).why_illegal(action)

    def copy(self):
        game = copy.copy(self)
        game.states = self.states.copy()
        return game

    def after(self, action):
        game = self.copy()
        assert action in game.legal()
        engine.play(game.row, game.rules, action)
        return game

    def chance(self):
        weights = np.zeros(len(board.OUTCOMES), np.int64)
        total = engine.odds(self.row, self.rules, weights)
        return {outcome: int(weight) / int(total) for outcome, weight in zip(board.OUTCOMES, weights, strict=True)}

    def dealt(self, *roll):
        game = self.copy()
        assert game.awaits_chance
        engine.deal(game.row, game.rules, board.OUTCOMES.index(tuple(sorted(roll))))
        return game

    def returns(self):
        out = np.zeros(self.variant.seats)
        engine.returns(self.row, self.rules, out)
        return dict(zip(self.variant.colours, out.tolist(), strict=True))

    def encoded(self, viewer):
        out = np.ones(self.variant.features.width, np.float32)
        encode(self.row, self.rules, self.variant.colours.index(viewer), out)
        return out


def position(dice=(), to_move="red", seats=None, rewards=(), rolled=None, pieces=4, **named):
    """A position as data; a colour's keyword places its pieces, any other is a further key or changes the ruleset.

    Pieces that are not placed wait in the nest. The seats are the colours named, the mover and, should that be one
    colour only, the opposite one. The roll, where it is not given, is one that the dice may be left of.
    """
    keys = {name: named.pop(name) for name in ("doublets", "together", "turns", "winner") if name in named}
    changes = {name: value for name, value in named.items() if name not in COLOURS}
    if pieces != 4:
        changes["pieces"] = pieces
    seats = seats or _seats({to_move} | (named.keys() - changes.keys()))
    placed = {colour: list(named.get(colour, ())) for colour in seats}
    return {
        "ruleset": "parcheesi",
        "changes": changes,
        "seats": seats,
        "to_move": to_move,
        "pieces": {colour: own + ["nest"] * (pieces - len(own)) for colour, own in placed.items()},
        "dice": list(dice),
        "rewards": list(rewards),
        "rolled": _roll(dice, rewards) if rolled is None else list(rolled),
        **keys,
    }


def _seats(named):
    seats = [colour for colour in COLOURS if colour in named]
    return (
        seats
        if len(seats) > 1
        else [colour for k, colour in enumerate(COLOURS) if k % 2 == COLOURS.index(seats[0]) % 2]
    )


def _roll(dice, rewards):
    if len(dice) == 2:
        return sorted(dice)
    if len(dice) == 4:
        return [min(dice)] * 2
    if len(dice) == 1:
        return sorted([dice[0], 6 if dice[0] < 6 else 4])
    return [4, 6] if rewards else []


def game_at(*arguments, **named):
    """The game in that `position`."""
    return Game.from_position(position(*arguments, **named))


def texts(game):
    """The legal actions in words, each of them once."""
    found = [game.text(action) for action in game.legal()]
    assert len(found) == len(set(found)), found
    return set(found)


def played(game, *words):
    """The game after the actions that read like these, one after the other."""
    for text in words:
        game = game.after(game.parse(text))
    return game


def pieces(game, colour):
    """Where a colour's pieces stand."""
    return game.position()["pieces"][colour]


def dice(game):
    """The dice that are left, and the rewards."""
    at = game.position()
    return at["dice"], at["rewards"]
