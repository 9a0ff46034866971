"""The options of a reset become a checked beginning, or an error that names fault and remedy."""

import re
from types import MappingProxyType

import numpy as np
import pytest

from positions import EMPTY_PILE, position
from sorry_env import Game, IllegalAction, InvalidPosition, RulesetError, variant
from sorry_env.starts import OPTIONS, Start, same_game, start_of
from sorry_env.variant import Variant

CLASSIC = variant("classic", 2)


@pytest.mark.parametrize("options", [None, {}, dict.fromkeys(OPTIONS), {"max_frames": 7}])
def test_without_options_the_game_is_new(options):
    start = start_of(CLASSIC, options)
    assert (start.states, start.first) == (None, None)
    assert (start.deck.shape, start.deck.dtype) == ((0,), np.int16)


def test_the_beginner_is_a_seat():
    game = variant("classic", ["red", "blue", "green"])
    assert [start_of(game, {"first": colour}).first for colour in game.colours] == [0, 1, 2]


def test_a_position_gives_states_of_ones_own(kind):
    game = Game(*kind, seed=3)
    for _ in range(5):
        game.play(game.legal()[-1])
    options = {"position": game.position()}
    one, other = (start_of(game.variant, options).states for _ in range(2))
    assert one.tobytes() == game.states.tobytes() == other.tobytes()
    assert not np.shares_memory(one, other)


@pytest.mark.parametrize("name", ["classic", "points_1939", "parcheesi", "express"])
def test_a_deck_is_told_in_numbers(name):
    game = variant(name)
    fresh = game.new_states(1)
    game.new_game(fresh, np.ones(1, np.uint64), 0)
    for number, _ in game.odds(fresh):
        deck = start_of(game, {"deck": [game.outcomes(fresh)[number]]}).deck
        assert (deck.tolist(), deck.dtype) == ([number], np.int16)


def test_options_may_be_any_mapping_and_a_deck_a_list_or_a_tuple():
    given = [start_of(CLASSIC, MappingProxyType({"deck": deck})).deck.tolist() for deck in (["1", "2"], ("1", "2"))]
    assert given == [[0, 1], [0, 1]]


def test_a_deck_begins_where_the_position_ends():
    last = position("5", red=[10], yellow=[20], pile=EMPTY_PILE | {"8": 1})
    assert len(start_of(CLASSIC, {"position": last, "deck": ["8"]}).deck) == 1
    with pytest.raises(IllegalAction, match="card 0 of the deck, '5', cannot come"):
        start_of(CLASSIC, {"position": last, "deck": ["5"]})


def test_what_an_environment_does_not_know_it_does_not_read():
    known = ("position", "opponents")
    start = start_of(CLASSIC, {"first": "pink", "deck": 5, "opponents": "any"}, known)
    assert start == Start(None, None, start.deck)
    assert len(start.deck) == 0


@pytest.mark.parametrize(
    ("options", "known", "message"),
    [
        ("position", OPTIONS, "options is 'position': expected a dict with some of ['position', 'first', 'deck']"),
        ({"frist": "red"}, OPTIONS, "unknown option 'frist'; did you mean 'first'?"),
        ({"Cards": []}, OPTIONS, "unknown option 'Cards'; did you mean 'deck'?"),
        ({"oponents": "any"}, ("first", "opponents"), "unknown option 'oponents'; did you mean 'opponents'?"),
        ({"first": "blue"}, OPTIONS, "nobody plays 'blue'; the seats are ['red', 'yellow']"),
        ({"first": "red", "position": "classic"}, OPTIONS, "position and first contradict each other"),
    ],
)
def test_options_that_cannot_be_are_refused(options, known, message):
    with pytest.raises(RulesetError, match=re.escape(message)):
        start_of(CLASSIC, options, known)


def test_a_position_of_another_game_or_a_finished_one_is_refused():
    for other, message in ((variant("diamond", 2), "one of variant(diamond"), (variant("classic", 3), "one of ")):
        running = Game(other.ruleset.name, other.colours, seed=1).position()
        with pytest.raises(InvalidPosition, match=re.escape(message)):
            start_of(CLASSIC, {"position": running})
    game = Game("classic", 2, seed=1, turn_limit=1)
    game.play(game.legal()[0])
    with pytest.raises(InvalidPosition, match="the game in this position is over"):
        start_of(game.variant, {"position": game.position()})


def test_variants_are_the_same_game_by_what_they_say():
    twin = Variant(CLASSIC.ruleset, CLASSIC.colours)
    assert same_game(twin, CLASSIC)
    assert not same_game(variant("classic", ["blue", "green"]), CLASSIC)
    assert not same_game(variant("classic", 2, pawns=3), CLASSIC)
