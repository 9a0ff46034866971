"""Sorry! Express for people and for programs that play it: the heuristic player, and pictures."""

import re
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given

from agents.arena import entrants, play_match
from sorry_env import Game, variant
from sorry_env.express.heuristic import TERMS, rolls_table, term_vectors
from sorry_env.express.scene import scene
from sorry_env.players import make_player
from sorry_env.random import generators
from test_express_engine import picks, positions, walk
from test_rules_express import COLOURS, ROLLS, position


def choice(game):
    """What the heuristic player does, in words."""
    player = make_player("heuristic", game.variant)
    return game.text(int(player.choose(game.states, generators(1, 1))[0]))


@pytest.mark.parametrize(
    ("held", "away", "turned", "chance"),
    [
        (3, 0, 0, 1 - (2 / 3) ** 2 * 5 / 6),  # the colour or wild, which two of the dice have
        (4, 0, 1, 1 - (5 / 6) ** 2),  # a slide, which two dice have
        (3, 1, 0, 95 / 216),  # Sorry!, or a slide that frees the pawn and the colour or wild: see below
        (0, 0, 0, 0),
        (0, 4, 1, 0),
    ],
)
def test_the_chance_that_a_roll_completes_a_colour(held, away, turned, chance):
    assert rolls_table()[1][held, away, turned] == pytest.approx(chance)


def test_the_chance_to_take_a_home_pawn_by_counting():
    ways = sum(w for roll, w in ROLLS.items() if "sorry" in roll or ("slide" in roll and {"red", "wild"} & {*roll}))
    assert ways == 95


def test_rolls_to_complete_a_colour_by_hand():
    rolls, finish = rolls_table()
    assert rolls[3, 0, 0] == pytest.approx(1 / finish[3, 0, 0])
    assert rolls[4, 0, 1] == pytest.approx(1 / finish[4, 0, 1])
    assert (rolls >= 1).all()


def test_the_terms_of_the_beginning():
    game = Game.from_position(position(seats=COLOURS))
    terms = dict(zip(TERMS, term_vectors(game.variant, game.states, np.zeros(1, np.int64))[0], strict=True))
    pace = 1 / rolls_table()[0][0, 0, 0]
    assert terms == pytest.approx({"win": 0, "race": 0.25, "leader": pace, "held": 0, "home": 0})


@pytest.mark.parametrize(
    ("dice", "named", "wanted"),
    [
        # the slide makes a Home section of the waiting area, and wins
        ("red slide", {"red": "green green green green"}, "slide: red to green"),
        # Home sections are open to Sorry!, so first blue's base is turned
        ("slide sorry", {"red": "red red red", "blue": "red"}, "slide: blue to red"),
        # of four colours the one that completes
        ("wild", {"red": "red red red"}, "wild: red from start to home"),
        ("wild", {"red": "red red red", "blue": "red"}, "wild: red from blue to home"),
        # Sorry! takes from who is nearest to winning
        ("sorry", {"blue": "blue blue blue", "yellow": "yellow"}, "sorry: blue from blue to waiting"),
        # the last pawn that a rival needs is as open to it in a waiting area as on the start base (E3)
        ("wild", {"blue": "blue blue blue"}, "wild: red from start to home"),
        # so its base is turned
        ("slide", {"blue": "blue blue blue", "red": "green"}, "slide: blue to "),
        # never another's win
        ("slide", {"blue": "green green green green", "red": "blue blue blue"}, "slide: "),
        # four of a colour are kept together
        ("wild", {"red": "red red", "blue": "yellow", "yellow": "green"}, "wild: red from start to home"),
    ],
)
def test_the_heuristic_plays_with_sense(dice, named, wanted):
    game = Game.from_position(position(*dice.split(), **named))
    text = choice(game)
    assert text.startswith(wanted)
    assert text != "slide: blue to green"


@pytest.mark.parametrize(("rival", "seats", "least"), [("uniform", 2, 0.88), ("uniform", 4, 0.8), ("greedy", 2, 0.56)])
def test_the_heuristic_beats_simpler_players(rival, seats, least):
    game = variant("express", seats)
    match = play_match(game, entrants(game, make_player("heuristic", game), make_player(rival, game)), 300, seed=1)
    assert match.win_rates[0] > least


@given(positions(), picks)
def test_pictures_tell_all_that_a_position_holds(found, numbers):
    for game in walk(Game.from_position(found), numbers[:3]):
        picture, shown = scene(game.variant, game.states), game.position()
        for base in picture.bases:
            held = Counter(base.waiting) + Counter({base.shown: base.home})
            assert dict(held) == shown["held"][base.seat]
            assert base.shown == shown["shown"][base.seat]
        assert dict(zip(COLOURS, picture.start, strict=True)) == shown["start_base"]
        assert list(picture.dice) == shown["dice"]
        assert picture.to_move == shown["to_move"]
        assert list(picture.winners) == shown.get("winner", [])
        family = game.variant.family
        ElementTree.fromstring(family.svg(game.variant, game.states))
        plain = family.ansi(game.variant, game.states, colour=False)
        assert re.sub("\x1b\\[[0-9;]*m", "", family.ansi(game.variant, game.states)) == plain
        assert all(seat in plain for seat in game.variant.colours)


def test_a_picture_in_words():
    game = Game.from_position(position("red", "slide", seats=("red", "blue"), red="red green green", turns=5))
    assert game.variant.family.ansi(game.variant, game.states, colour=False).splitlines() == [
        "express, turn 5",
        "",
        "start base  R R R .   B B B B   Y Y Y Y   G G . .",
        "dice        [red] [slide]",
        "",
        "> red     shows red     home R . . .  waiting G G",
        "  blue    shows blue    home . . . .  waiting -",
        "",
        "red to move",
    ]
