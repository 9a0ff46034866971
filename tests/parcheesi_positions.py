"""Set up a board of Parcheesi in one line and ask what may follow: the vocabulary of its tests.

A colour's places are written without its pieces in the nest: `[14, "row 2", "home"]` is a piece on ring square 14, one
in the home row, one at Home and, with four pieces, one in the nest.
"""

import numpy as np

from sorry_env import Game, variant
from sorry_env.random import generators

COLOURS = ("red", "blue", "yellow", "green")
FOUR_HOME = ["home"] * 4


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
    if len(seats) == 1:
        return [colour for k, colour in enumerate(COLOURS) if (k - COLOURS.index(seats[0])) % 2 == 0]
    return seats


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


def new_game(seats=2, first=0, **changes):
    """A new game whose first roll is due."""
    rules = variant("parcheesi", seats, **changes)
    states = rules.new_states(1)
    rules.new_game(states, generators(0, 1), first)
    return Game.from_states(rules, states)


def dealt(game, *roll):
    """The game with that roll on the table."""
    then = game.copy()
    then.deal(sorted(roll))
    return then


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


def seen(game, colour):
    """What a colour sees, (F,) float32."""
    return game.variant.encode(game.states, np.array([game.variant.seat_of(colour)]))[0]
