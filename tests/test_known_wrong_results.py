"""The nine wrong results that other programmes for this game give, each set up and shown never to be ours."""

import pytest

from positions import (
    THREE_HOME,
    actions_to,
    after,
    after_passing,
    ends,
    game_at,
    is_lost,
    places,
)
from sorry_env import Game, IllegalAction


def test_known_wrong_1_a_step_of_the_zone_is_not_shared_by_two_colours():
    game = game_at("3", red=["safe 1"], yellow=["safe 4"])
    then = after(game, red=["safe 4"])
    assert places(then, "yellow") == ("safe 4",)


@pytest.mark.parametrize(("card", "origin"), [("4", 28), ("10", 25)])
def test_known_wrong_2_a_pawn_that_backs_onto_the_slide_below_it_does_not_bump_itself(card, origin):
    then = after(game_at(card, red=[origin]), red=[28])
    assert then.position()["pawns"]["red"].count("start") == 3


def test_known_wrong_3_two_parts_do_not_meet_on_one_square():
    game = game_at("7", red=[10, 11])
    # Not 10 by 4 and 11 by 3; 16 slides to 19.
    assert ends(game) == {(11, 17), (10, 18), (12, 19), (13, 15)}
    assert len(game.legal()) == 2 + 5
    assert actions_to(game, red=[13, 15])


def test_known_wrong_3_two_parts_do_not_meet_in_the_zone():
    game = game_at("7", red=["safe 1", "safe 2"])
    # 3 and 4, or 5 and 2; with 4 and 3 both would stand in safe 5.
    assert ends(game) == {("safe 4", "home")}
    assert len(game.legal()) == 2


def test_known_wrong_3_the_second_part_may_sweep_the_first():
    game = game_at("7", red=[13, 15])
    split = game.parse("7: red 13>19, red 15>19 slide bumps red")
    assert places(game.after(split), "red") == (19,)
    # 15 by 4 to 19, then 13 by 3 to 16 and over it, ends alike: two moves in all, and no two pawns on 19.
    assert len(actions_to(game, red=[19])) == 2


def test_known_wrong_4_the_order_of_the_parts_counts():
    game = game_at("7", red=[14, 18])
    (split,) = actions_to(game, red=[19, 23])
    assert game.text(split) == "7: red 18>23, red 14>19 slide"


def test_known_wrong_4_the_other_order_would_bump_the_second_pawn():
    game = game_at("7", red=[14, 18])
    assert (19,) not in ends(game)
    with pytest.raises(IllegalAction):
        game.parse("7: red 14>19 slide, red 18>23")


def test_known_wrong_5_the_swapped_pawn_is_swept_by_the_mover():
    then = after(game_at("11", red=[25], blue=[24]), red=[28])
    assert places(then, "blue") == ()


def test_known_wrong_6_the_other_pawn_of_a_swap_slides_too():
    game = game_at("11", "green", green=[54], yellow=[56])
    after(game, green=[], yellow=[58])


def test_known_wrong_6_unless_only_the_mover_slides():
    game = game_at("11", "green", green=[54], yellow=[56], swap_slides_both=False)
    after(game, green=[56], yellow=[54])


def test_known_wrong_7_a_2_without_a_move_still_draws_again():
    game = game_at("2", red=["safe 5", *THREE_HOME])
    assert is_lost(game)
    then = after_passing(game)
    assert (then.to_move, then.awaits_chance) == ("red", True)


def test_known_wrong_7_an_11_that_can_only_swap_may_be_passed():
    game = game_at("11", red=[0], yellow=[33])
    assert len(game.legal()) == 2
    then = after_passing(game)
    assert (places(then, "red"), places(then, "yellow")) == ((0,), (33,))


@pytest.mark.parametrize("card", ["1", "2"])
def test_known_wrong_8_pawns_in_start_are_one_action(card):
    assert len(game_at(card, red=["home", "home"]).legal()) == 1
    assert len(game_at(card, red=[10, "home"]).legal()) == 2


def test_known_wrong_8_pawns_in_start_are_one_action_for_sorry_too():
    assert len(game_at("sorry", red=["home", "home"], yellow=[20]).legal()) == 1


def test_known_wrong_9_a_finished_pawn_is_no_target():
    for card in ("11", "sorry"):
        assert is_lost(game_at(card, red=["safe 1"], yellow=["home"]))


def test_known_wrong_9_a_finished_pawn_does_not_move_back():
    for card in ("4", "10"):
        assert is_lost(game_at(card, red=["home"]))
        assert ends(game_at(card, red=["safe 2", "home"])) == {(0 if card == "4" else "safe 1", "home")}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_known_wrong_9_over_whole_games_nobody_loses_a_finished_pawn(seats):
    game = Game(seats=seats, seed=seats, turn_limit=400)
    home = dict.fromkeys(game.position()["seats"], 0)
    for move in range(400):
        if game.is_over:
            break
        actions = game.legal()
        game.play(actions[move * 7 % len(actions)])
        for colour, pawns in game.position()["pawns"].items():
            assert pawns.count("home") >= home[colour]
            home[colour] = pawns.count("home")
    assert max(home.values()) > 0
