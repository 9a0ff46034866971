"""The player that the package `apologies` lends: it plays as the package does, and by our rules."""

import sys

import numpy as np
import pytest

pytest.importorskip("apologies")

from apologies.game import GameMode
from apologies.rules import Rules
from apologies.source import RewardV1InputSource

from agents.arena import play_match
from agents.ledger import Ledger
from positions import game_at, placement
from sorry_env import Game, PlayerError, variant
from sorry_env.players import PLAYERS, make_player
from sorry_env.random import generators
from strategies import random_states
from test_agreement_with_apologies import their_moves, their_view

GAMES = [variant("classic", seats) for seats in (2, ["red", "blue"], 3, 4)]


def chosen(game, player=None):
    """The action in words that the player takes in a `Game`."""
    player = player or make_player("apologies", game.variant)
    return game.text(int(player.choose(game.states, generators(0, 1))[0]))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_it_plays_legal_actions(game):
    states = random_states(game, 100, seed=4)
    before = states.tobytes()
    actions = make_player("apologies", game).choose(states, generators(1, 100))
    assert game.legal_mask(states)[np.arange(100), actions].all()
    assert states.tobytes() == before


def test_it_draws_no_lots_and_says_so():
    game = GAMES[0]
    player, states, rng = make_player("apologies", game), random_states(game, 60, seed=5), generators(1, 60)
    actions = player.choose(states, rng)
    assert rng.tolist() == generators(1, 60).tolist()
    assert actions.tolist() == player.choose(states, generators(2, 60)).tolist()
    legal, counts, odds = player.odds(states)
    assert legal[odds == 1].tolist() == actions.tolist()
    assert (counts.sum(), odds.sum()) == (len(legal), 60)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_it_goes_where_the_package_goes_unless_that_is_a_known_fault(game):
    player, states, alike = make_player("apologies", game), random_states(game, 60, seed=6), 0
    for i in range(60):
        here = Game.from_states(game, states[i : i + 1])
        found = here.after(int(player.choose(here.states, generators(0, 1))[0]))
        theirs = their_choice(here)
        same = placement(found) == theirs.placement
        assert same or theirs.flags, str(here)
        alike += same
    assert alike > 45


def their_choice(game):
    """The move of theirs that their own player takes."""
    listed = their_moves(game)
    moves = [move.move for move in listed]
    best = RewardV1InputSource().choose_move(GameMode.STANDARD, their_view(game), moves, Rules.evaluate_move)
    return next(move for move in listed if move.move is best)


def test_it_takes_the_best_of_its_moves_that_is_legal_here():
    """Its rules let a pawn that moves in its zone bump one in another zone (fault 4), which its reward likes."""
    game = game_at("3", red=["safe 1", 10, "home", "home"], yellow=["safe 4"])
    assert their_choice(game).flags == {4}
    assert chosen(game) == "3: red 10>13"


def test_where_all_its_moves_are_faults_it_takes_what_its_reward_likes():
    game = game_at("3", red=["safe 1", "safe 2", "home", "home"], yellow=["safe 4", "safe 5"])
    assert all(move.flags for move in their_moves(game))
    assert chosen(game) == "3: red safe 1>safe 4"


def test_who_is_far_behind_takes_the_first_move_listed():
    """The reward is never below 0, so that all moves are equal then."""
    game = game_at("3", red=[5, 10], yellow=["home", "home", "home", "safe 5"])
    assert chosen(game) == "3: red 5>8"


def test_it_wins_when_it_can():
    game = game_at("1", red=["home", "home", "home", "safe 5"], yellow=[20])
    assert chosen(game) == "1: red safe 5>home"


def test_states_in_which_nobody_can_act_get_action_0():
    game = GAMES[0]
    states = random_states(game, 4)
    states["over"][2] = 1
    states["due"][2] = game_at(None).states["due"][0]
    player = make_player("apologies", game)
    assert player.choose(states, generators(1, 4))[2] == 0
    assert player.odds(states)[1][2] == 0
    assert len(player.choose(states[:0], generators(1, 0))) == 0


@pytest.mark.parametrize("kind", [{"pawns": 3}, {"hand_size": 5}])
def test_it_knows_one_game(kind):
    with pytest.raises(PlayerError, match="plays classic with four pawns and no hands, not classic"):
        make_player("apologies", variant("classic", 2, **kind))
    with pytest.raises(PlayerError, match="not diamond"):
        make_player("apologies", variant("diamond", 2))
    with pytest.raises(PlayerError, match="no option 'reward'"):
        make_player("apologies?reward=v1", GAMES[0])


def test_without_the_package_there_is_a_remedy(monkeypatch):
    monkeypatch.delitem(sys.modules, "sorry_env.adapters.apologies", raising=False)
    monkeypatch.setitem(sys.modules, "apologies.game", None)
    monkeypatch.setitem(sys.modules, "apologies", None)
    with pytest.raises(PlayerError, match=r"'apologies' needs the package 'apologies.*pip install 'sorry-env\[dev\]'"):
        make_player("apologies", GAMES[0])


def test_it_plays_matches_and_stands_in_the_ledger(tmp_path):
    assert "apologies" not in PLAYERS  # importing the library does not import the package
    players = [make_player(spec, GAMES[0]) for spec in ("apologies", "uniform")]
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        found = ledger.match(GAMES[0], players, 2, 1)
    assert np.array_equal(found.returns, play_match(GAMES[0], players, 2, 1).returns)
