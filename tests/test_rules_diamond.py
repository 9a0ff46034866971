"""Section D of the rules, the old board, and its contrary: the `bypass_entry` reading of S12."""

import pytest

from positions import (
    CARDS,
    COLOURS,
    SCENES,
    THREE_HOME,
    actions_to,
    after,
    after_passing,
    arranged,
    corner,
    dealt,
    ends,
    game_at,
    is_lost,
    legal_texts,
    odds,
    passes,
    results,
)
from sorry_env import Game, InvalidPosition, RulesetError

# --- D1 the old board


def test_D1_the_old_board_uses_the_44_deck():
    assert odds(game_at(None, ruleset="diamond")) == pytest.approx(dict.fromkeys(CARDS, 4 / 44))


@pytest.mark.parametrize("scene", SCENES)
def test_D1_the_moves_are_those_of_classic(scene):
    for card in CARDS:
        old, classic = game_at(card, ruleset="diamond", **SCENES[scene]), game_at(card, **SCENES[scene])
        assert results(old).keys() == results(classic).keys(), card
        assert sorted(legal_texts(old)) == sorted(legal_texts(classic)), card


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize(("card", "offset"), [("1", 4), ("2", 5), ("3", 6), ("5", 8), ("8", 11), ("12", 15)])
def test_D1_a_pawn_on_its_own_diamond_square_leaves_it_forward_and_goes_round(colour, card, offset):
    b = corner(colour)
    game = game_at(card, colour, ruleset="diamond", **{colour: [b + 3, *THREE_HOME]})
    assert ends(game) == {((b + offset) % 60, *THREE_HOME)}


def test_D1_backward_from_it_is_the_entry_and_then_the_zone():
    game = after(game_at("10", ruleset="diamond", red=[3]), red=[2])
    game = after_passing(dealt(game, "3"))  # yellow waits in Start
    assert ends(dealt(game, "3")) == {("safe 3",)}


@pytest.mark.parametrize("origin", [59, 0, 1, 2])
def test_D1_no_forward_move_reaches_the_own_diamond_square(origin):
    for card in CARDS:
        game = game_at(card, ruleset="diamond", red=[origin, *THREE_HOME])
        assert not actions_to(game, red=[3, *THREE_HOME])


@pytest.mark.parametrize(("card", "origin"), [("4", 7), ("10", 4)])
def test_D1_a_backward_move_may_reach_it(card, origin):
    assert actions_to(game_at(card, ruleset="diamond", red=[origin]), red=[3])


def test_D1_a_swap_or_sorry_may_reach_it():
    after(game_at("11", ruleset="diamond", red=[20], yellow=[3]), red=[3], yellow=[20])
    after(game_at("sorry", ruleset="diamond", yellow=[3]), red=[3], yellow=[])


@pytest.mark.parametrize("colour", ["blue", "yellow", "green"])
def test_D1_other_colours_stop_on_it_and_pass_it_like_any_square(colour):
    assert ends(game_at("3", colour, ruleset="diamond", **{colour: [0]})) == {(3,)}
    assert ends(game_at("3", colour, ruleset="diamond", **{colour: [2]})) == {(5,)}


# --- S12 the diamond forbids bypass_entry


def test_S12_the_old_board_forbids_bypass_entry():
    with pytest.raises(RulesetError):
        Game("diamond", bypass_entry=True)
    with pytest.raises(RulesetError):
        Game("classic", diamond=True, bypass_entry=True)


def test_S12_a_position_with_both_is_refused():
    with pytest.raises((InvalidPosition, RulesetError)):
        game_at(ruleset="diamond", bypass_entry=True)


# --- S12 with bypass_entry


def bypassing(card, **pawns):
    """The position under the literal reading: the entry may be passed."""
    return game_at(card, **pawns, bypass_entry=True)


@pytest.mark.parametrize(
    ("card", "origin", "turned_in", "gone_round"),
    [
        ("1", 2, "safe 1", 3),
        ("2", 2, "safe 2", 4),
        ("3", 2, "safe 3", 5),
        ("5", 2, "safe 5", 7),
        ("2", 1, "safe 1", 3),
        ("3", 1, "safe 2", 4),
        ("5", 0, "safe 3", 5),
        ("8", 59, "safe 5", 7),
        ("8", 0, "home", 8),
        ("12", 56, "home", 8),
        ("7", 1, "home", 8),
    ],
)
def test_S12_bypass_turning_in_and_going_round_are_two_actions(card, origin, turned_in, gone_round):
    game = bypassing(card, red=[origin, *THREE_HOME])
    turned = arranged([turned_in, *THREE_HOME])
    assert ends(game) == {turned, (gone_round, *THREE_HOME)}
    assert len(game.legal()) == 2


@pytest.mark.parametrize(("card", "origin"), [("2", 0), ("1", 1), ("3", 59), ("12", 50)])
def test_S12_bypass_landing_on_the_entry_is_one_action(card, origin):
    game = bypassing(card, red=[origin, *THREE_HOME])
    assert ends(game) == {(2, *THREE_HOME)}
    assert len(game.legal()) == 1


@pytest.mark.parametrize(("card", "origin", "end"), [("12", 0, 12), ("7", 2, 9), ("8", 1, 9), ("12", 57, 9)])
def test_S12_bypass_a_pawn_that_would_overshoot_home_goes_round(card, origin, end):
    game = bypassing(card, red=[origin, *THREE_HOME])
    assert ends(game) == {(end, *THREE_HOME)}
    assert len(game.legal()) == 1


@pytest.mark.parametrize(("card", "end"), [("1", 4), ("3", 6), ("12", 15)])
def test_S12_bypass_from_the_diamond_square_there_is_one_way(card, end):
    game = bypassing(card, red=[3, *THREE_HOME])
    assert ends(game) == {(end, *THREE_HOME)}
    assert len(game.legal()) == 1


def test_S12_bypass_a_pawn_in_the_zone_has_one_way():
    assert ends(bypassing("3", red=["safe 1"])) == {("safe 4",)}
    assert is_lost(bypassing("5", red=["safe 2"]))


@pytest.mark.parametrize(("origin", "end"), [("safe 1", 59), (5, 1), (4, 0), (3, 59), ("safe 4", 2)])
def test_S12_bypass_changes_nothing_backward(origin, end):
    assert ends(bypassing("4", red=[origin])) == {(end,)}


def test_S12_bypass_an_own_pawn_blocks_one_of_the_two_ways():
    assert ends(bypassing("5", red=[0, "safe 3"])) == {(5, "safe 3")}
    assert ends(bypassing("5", red=[0, 5])) == {(5, "safe 3"), (0, 10)}


def test_S12_bypass_going_round_bumps_and_turning_in_does_not():
    game = bypassing("3", red=[2], yellow=[5])
    after(game, red=[5], yellow=[])
    after(game, red=["safe 3"], yellow=[5])


def test_S12_bypass_a_10_has_two_ways_forward_and_one_back():
    game = bypassing("10", red=[58, "home", "home"])
    assert ends(game) == {("home", "home", "home"), (8, "home", "home"), (57, "home", "home")}
    assert ends(bypassing("10", red=[0])) == {(10,), (59,)}


def test_S12_bypass_going_round_is_a_forward_move_so_an_11_may_not_be_declined():
    assert passes(game_at("11", red=[0], yellow=[33]))
    game = bypassing("11", red=[0], yellow=[33])
    assert ends(game) == {(11,), (33,)}
    assert passes(game) == []


def test_S12_bypass_each_part_of_a_7_chooses_for_itself():
    game = bypassing("7", red=[1, 2])
    # 1 takes 3 and 2 takes 4: safe 2 or square 4, and safe 4 or square 6.
    for red in [("safe 2", "safe 4"), (6, "safe 2"), (4, "safe 4"), (4, 6)]:
        assert actions_to(game, red=red), red


def test_S12_bypass_parts_that_choose_differently_are_different_moves():
    # 1 takes 4 and 2 takes 3: either of them may turn in to safe 3 while the other goes on to 5.
    assert len(actions_to(bypassing("7", red=[1, 2]), red=[5, "safe 3"])) == 2


def test_S12_bypass_a_part_may_go_round_while_the_other_goes_home():
    game = bypassing("7", red=["safe 5", 2])
    assert ends(game) == {(9, "safe 5"), (8, "home"), ("home", "home")}


@pytest.mark.parametrize("colour", COLOURS)
def test_S12_bypass_works_at_every_side(colour):
    b = corner(colour)
    game = game_at("3", colour, bypass_entry=True, **{colour: [b + 1]})
    assert ends(game) == {("safe 2",), (b + 4,)}


@pytest.mark.parametrize("colour", ["blue", "yellow", "green"])
def test_S12_bypass_changes_nothing_at_foreign_entries(colour):
    assert len(game_at("5", colour, bypass_entry=True, **{colour: [0]}).legal()) == 1


def test_S12_the_entry_may_not_be_passed_by_default():
    assert ends(game_at("3", red=[2])) == {("safe 3",)}
