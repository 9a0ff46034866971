"""Whom a learner meets: what opponents see and may do, pools, and new ones for new games."""

import re

import numpy as np
import pytest

from contests import Spy, begun, chosen, seating, story
from sorry_env import PlayerError, variant
from sorry_env.players.simple import Greedy
from sorry_env.seating import Pool
from sorry_env.sorry.state import FACE_DOWN


def test_an_opponent_sees_its_own_hand_alone():
    game = variant("points_1939", 4)
    spy = Spy(game)
    story(begun(game, 4, spy), 20)
    seen = np.concatenate(spy.seen)
    assert seen.tobytes() == game.view(seen).tobytes()
    mine = seen["seat"][:, None] == np.arange(4)
    assert seen["hands"][mine][:, :FACE_DOWN].sum(axis=1).min() > 0
    assert not seen["hands"][:, :4][~mine][:, :FACE_DOWN].any()
    assert (game.legal_counts(seen) > 1).all()


def test_all_lanes_that_wait_for_a_player_are_asked_at_once():
    game = variant("classic", 2)
    spy = Spy(game)
    contest = begun(game, 40, spy, seat=0)
    story(contest, 12)
    assert max(spy.sizes) > 10
    assert len(spy.sizes) < 12 * 12


def test_the_uniform_player_plays_alike_in_compiled_code_and_when_asked():
    game = variant("fire_and_ice", 3, turn_limit=60)
    assert story(begun(game, 4, "uniform"), 40) == story(begun(game, 4, Spy(game)), 40)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (lambda game, states: np.full(len(states), 10**6), "'wrong' chose action 1000000: "),
        (lambda game, states: game.legal_mask(states).argmin(axis=1), "'wrong' chose action "),
        (lambda game, states: np.zeros((1, 1), int), r"'wrong' chose (1, 1) actions in 1 states"),
    ],
)
def test_an_opponent_that_breaks_the_rules_is_named(actions, message):
    game = variant("classic", 2)
    player = Spy(game, "wrong")
    player.choose = lambda states, rng: actions(game, states)
    contest = begun(game, 1, "uniform", seat=0)
    contest.set_opponents(player)
    contest.reset()
    with pytest.raises(PlayerError, match=re.escape(message)):
        story(contest, 100)


def test_new_opponents_come_with_new_games():
    game = variant("express", 2)
    old, new = Spy(game, "old"), Spy(game, "new")
    contest = begun(game, 6, old)
    contest.set_opponents(new)
    going = np.ones(6, bool)
    for k in range(80):
        sitting = [contest.seating.players[row.max()] for row in seating(contest)]
        assert sitting == [old if on else new for on in going]
        step = contest.step(chosen(contest.masks, k))
        asked = [contest.seating.players[row.max()] for row in step.seating]
        assert asked == [old if going[i] else new for i in step.ended]
        going[step.ended] = False
    assert not going.any()
    contest.set_opponents(new)
    assert contest.seating.players == [new]
    for wrong in ("nobody", ["uniform", "nobody"], Pool(["greedy", "nobody"])):
        with pytest.raises(PlayerError):
            contest.set_opponents(wrong)
        assert contest.seating.players == [new]


def test_a_name_is_the_player_that_it_makes_and_not_one_that_calls_itself_so():
    game = variant("tiny")
    contest = begun(game, 2, Spy(game, "greedy"))
    contest.set_opponents(["greedy"])
    contest.reset()
    assert {type(contest.seating.players[row.max()]) for row in seating(contest)} == {Greedy}
    contest.set_opponents(Pool(["greedy", "uniform", "greedy"]))
    first, other, same = contest.seating.numbers[0]
    assert first == same != other


def test_opponents_are_told_apart_by_identity_and_not_by_what_they_equal():
    class Alike(Greedy):
        def __eq__(self, other):
            raise AssertionError("nobody asks")

        __hash__ = None

    game = variant("tiny")
    contest = begun(game, 2, Pool([Alike(game), Alike(game)]))
    contest.reset()
    assert len(contest.seating.players) == 2


@pytest.mark.parametrize(
    ("pool", "shares"),
    [
        (Pool(["greedy", "uniform", "heuristic"], [3, 0, 1]), {"greedy": 0.75, "heuristic": 0.25}),
        (["greedy", "uniform", "heuristic"], {"greedy": 1 / 3, "uniform": 1 / 3, "heuristic": 1 / 3}),
        (Pool(["greedy", "uniform"], [0.2, 0]), {"greedy": 1}),
    ],
)
def test_new_games_draw_from_a_pool_by_weight(pool, shares):
    contest = begun(variant("tiny"), 500, [pool])
    drawn = np.array(contest.seating.specs)[seating(contest).max(axis=1)]
    for spec in ("greedy", "uniform", "heuristic"):
        chance = shares.get(spec, 0)
        assert (drawn == spec).mean() == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / 500))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("uniform",), "players of a pool is 'uniform': expected a list"),
        (([],), "a pool of opponents is empty"),
        ((["uniform"], [1, 2]), "weights is [1, 2]: expected 1 numbers of 0 or more"),
        ((["uniform", "greedy"], [1, -1]), "weights is [1, -1]: expected 2 numbers of 0 or more"),
        ((["uniform", "greedy"], [1, float("inf")]), "expected 2 numbers of 0 or more"),
        ((["uniform", "greedy"], [0, 0]), "all weights of a pool are 0"),
    ],
)
def test_pools_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(PlayerError, match=re.escape(message)):
        Pool(*arguments)
