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
    corner,
    dealt,
    ends,
    game_at,
    is_lost,
    legal_texts,
    odds,
    passes,
    places,
    results,
)
from sorry_env import Game, RulesetError

# --- D1 the old board


def test_D1_the_old_board_uses_the_44_deck():
    assert odds(game_at(None, ruleset="diamond")) == pytest.approx({card: 4 / 44 for card in CARDS})


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


def test_D1_such_a_pawn_has_the_whole_lap_before_it():
    game = game_at("12", ruleset="diamond", red=[3, *THREE_HOME])
    assert not game.after(game.legal()[0]).is_over
    assert ends(game_at("12", ruleset="diamond", red=[15, *THREE_HOME])) == {(27, *THREE_HOME)}


@pytest.mark.parametrize("origin", [59, 0, 1, 2])
def test_D1_no_forward_move_reaches_the_own_diamond_square(origin):
    for card in CARDS:
        game = game_at(card, ruleset="diamond", red=[origin, *THREE_HOME])
        assert not actions_to(game, red=[3, *THREE_HOME])


@pytest.mark.parametrize(("card", "origin"), [("4", 7), ("10", 4)])
def test_D1_a_backward_move_may_reach_it(card, origin):
    assert actions_to(game_at(card, ruleset="diamond", red=[origin]), red=[3])


@pytest.mark.parametrize("card", ["11", "sorry"])
def test_D1_a_swap_or_sorry_may_reach_it(card):
    assert actions_to(game_at(card, ruleset="diamond", red=[20, "home", "home"], yellow=[3]), red=[3, "home", "home"]) or (
        actions_to(game_at(card, ruleset="diamond", red=["home"] * 3, yellow=[3]), red=[3, *THREE_HOME])
    )


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
    with pytest.raises(ValueError, match="bypass_entry"):
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
    game = bypassing(card, red=[origin, "home"])
    if card in ("1", "2"):
        game = bypassing(card, red=[origin, *THREE_HOME])
    homes = tuple(place for place in game.position()["pawns"]["red"] if place == "home")
    turned = ("home", *homes) if turned_in == "home" else (turned_in, *homes)
    assert ends(game) == {turned, (gone_round, *homes)}
    assert len(game.legal()) == 2
