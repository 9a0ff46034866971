"""Section S of the rules: classic Sorry!, rule by rule."""

import pytest

from positions import (
    CARDS,
    COLOURS,
    EMPTY_PILE,
    THREE_HOME,
    actions_to,
    after,
    after_passing,
    dealt,
    ends,
    game_at,
    is_lost,
    legal_texts,
    odds,
    passes,
    places,
)
from sorry_env import Game, IllegalAction, InvalidPosition, RulesetError

DECKS = {45: (5, 4), 44: (4, 4), 55: (5, 5), 11: (1, 1)}  # how many 1s, how many of each other card


def deck_odds(deck):
    """What a full pile of that deck promises."""
    ones, others = DECKS[deck]
    return {card: (ones if card == "1" else others) / deck for card in CARDS}


# --- S1 players and pawns


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_S1_every_player_begins_with_four_pawns_in_start(seats):
    pawns = Game(seats=seats).position()["pawns"]
    assert list(pawns.values()) == [["start"] * 4] * seats


@pytest.mark.parametrize("count", [1, 2, 3])
def test_S1_a_game_may_have_fewer_pawns(count):
    pawns = Game(pawns=count).position()["pawns"]
    assert list(pawns.values()) == [["start"] * count] * 4


def test_S1_three_pawns_home_win_when_each_has_three():
    then = after(game_at("1", pawns=3, red=["home", "home", "safe 5"]), red=["home"] * 3)
    assert then.position()["winner"] == ["red"]


def test_S1_the_tiny_ruleset_has_one_pawn():
    assert list(Game("tiny").position()["pawns"].values()) == [["start"]] * 4


@pytest.mark.parametrize("count", [0, 5])
def test_S1_no_other_number_of_pawns(count):
    with pytest.raises(RulesetError):
        Game(pawns=count)


@pytest.mark.parametrize("seats", [1, 5])
def test_S1_no_other_number_of_players(seats):
    with pytest.raises(ValueError, match=r"(?i)seat|player"):
        Game(seats=seats)


@pytest.mark.parametrize("pawns", [[4, 5, 6, 7, 8], ["home"] * 5])
def test_S1_a_position_with_a_fifth_pawn_is_refused(pawns):
    with pytest.raises(InvalidPosition):
        game_at(red=pawns)


# --- S2 decks


@pytest.mark.parametrize("deck", DECKS)
def test_S2_the_decks(deck):
    assert odds(game_at(card=None, deck=deck)) == pytest.approx(deck_odds(deck))


def test_S2_classic_uses_the_modern_deck():
    assert odds(game_at(card=None)) == pytest.approx(deck_odds(45))


@pytest.mark.parametrize("deck", [0, 40, 46])
def test_S2_there_is_no_other_deck(deck):
    with pytest.raises(RulesetError):
        Game(deck=deck)


@pytest.mark.parametrize("card", ["6", "9", "13", "joker"])
def test_S2_there_is_no_such_card(card):
    with pytest.raises(InvalidPosition):
        game_at(card)


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("card", ["1", "3", "sorry"])
def test_S2_with_replacement_every_draw_is_from_the_full_deck(card, deck):
    game = game_at(card, replacement=True, deck=deck)
    then = game.after(game.legal()[0])
    assert odds(then) == pytest.approx(deck_odds(deck))
    again = dealt(then, card)
    assert odds(again.after(again.legal()[0])) == pytest.approx(deck_odds(deck))


def test_S2_the_tiny_ruleset_draws_with_replacement():
    game = game_at("3", ruleset="tiny")
    assert odds(after_passing(game)) == pytest.approx(odds(game_at(None, ruleset="tiny")))


# --- S3 the pile


def test_S3_a_drawn_card_leaves_the_pile():
    game = dealt(game_at(card=None), "3")
    assert game.position()["card"] == "3"
    assert game.position()["pile"]["3"] == 3
    assert sum(game.position()["pile"].values()) == 44


def test_S3_a_used_card_stays_out_while_the_pile_lasts():
    then = after(game_at("1"), red=[4])
    assert odds(then) == pytest.approx(dict.fromkeys(CARDS, 4 / 44))


def test_S3_a_card_that_is_used_up_is_not_drawn():
    game = game_at("3", pile=EMPTY_PILE | {"8": 2, "sorry": 1})
    then = after_passing(game)
    assert odds(then) == pytest.approx({"8": 2 / 3, "sorry": 1 / 3})


def test_S3_the_last_card_is_certain_and_no_reshuffle_comes_before_it():
    game = game_at("3", pile=EMPTY_PILE | {"8": 1})
    assert odds(after_passing(game)) == pytest.approx({"8": 1})


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("card", ["3", "1"])
def test_S3_with_an_empty_pile_all_cards_come_back_the_one_just_used_too(card, deck):
    game = game_at(card, deck=deck, pile=EMPTY_PILE)
    then = game.after(game.legal()[0])
    assert odds(then) == pytest.approx(deck_odds(deck))


def test_S3_the_card_drawn_after_a_reshuffle_leaves_the_new_pile():
    then = dealt(after_passing(game_at("3", pile=EMPTY_PILE)), "3")
    assert then.position()["pile"]["3"] == 3
    assert sum(then.position()["pile"].values()) == 44


def test_S3_the_pile_is_shuffled_only_when_a_card_is_needed():
    game = game_at("3", pile=EMPTY_PILE)
    assert sum(game.position()["pile"].values()) == 0
    assert is_lost(game)


@pytest.mark.parametrize("pile", [{"3": 5}, {"2": 5}, {"8": 4}])
def test_S3_more_cards_than_the_deck_has_are_refused(pile):
    with pytest.raises(InvalidPosition):
        game_at("8", pile=EMPTY_PILE | pile)


@pytest.mark.parametrize("colour", ["red", "yellow"])
def test_S3_the_counts_left_in_the_pile_are_public(colour):
    game = game_at("3", pile=EMPTY_PILE | {"8": 2, "sorry": 1})
    assert game.view(colour).position()["pile"] == game.position()["pile"]


def test_S3_a_drawn_card_is_one_of_those_left():
    game = after_passing(game_at("3", pile=EMPTY_PILE | {"8": 1}))
    game.deal()
    assert game.position()["card"] == "8"


# --- S4 order of play


def test_S4_who_begins_is_random():
    assert {Game(seed=seed).to_move for seed in range(60)} == set(COLOURS)


@pytest.mark.parametrize("colour", COLOURS)
def test_S4_who_begins_may_be_asked_for(colour):
    assert {Game(first=colour, seed=seed).to_move for seed in range(10)} == {colour}


@pytest.mark.parametrize("seats", [["red", "blue", "yellow", "green"], ["blue", "green"], ["red", "blue", "yellow"]])
def test_S4_play_passes_clockwise(seats):
    for colour, following in zip(seats, seats[1:] + seats[:1], strict=True):
        assert after_passing(game_at("3", colour, seats=seats)).to_move == following


# --- S5 using the card


@pytest.mark.parametrize("card", ["3", "4", "5", "7", "8", "10", "11", "12", "sorry"])
def test_S5_a_turn_is_lost_when_the_card_has_no_use(card):
    game = game_at(card)
    assert is_lost(game)
    assert places(after_passing(game), "red") == ()
    assert after_passing(game).to_move == "yellow"


@pytest.mark.parametrize("card", ["1", "2"])
def test_S5_a_card_that_starts_a_pawn_must_be_used(card):
    assert passes(game_at(card)) == []


def test_S5_a_harmful_move_must_be_made():
    game = game_at("4", red=["safe 5", *THREE_HOME])
    assert ends(game) == {("safe 1", *THREE_HOME)}
    assert passes(game) == []


def test_S5_a_move_that_sweeps_an_own_pawn_must_be_made():
    # 42 + 12 = 54 slides to 58 and over the pawn there, which is too close to Home for a 12 itself.
    game = game_at("12", red=[42, 58, "home", "home"])
    assert ends(game) == {(58, "home", "home")}
    assert passes(game) == []


def test_S5_passing_while_the_card_has_a_use_is_an_error_with_a_reason():
    game = game_at("3", red=[5])
    with pytest.raises(IllegalAction) as caught:
        game.parse("3: pass")
    assert str(caught.value) == game.why_illegal("3: pass") != ""


@pytest.mark.parametrize("method", ["play", "after"])
def test_S5_an_action_of_another_card_is_an_error_with_a_reason(method):
    game = game_at("3", red=[5])
    (other,) = game_at("5", red=[5]).legal()
    with pytest.raises(IllegalAction) as caught:
        getattr(game, method)(other)
    assert str(caught.value) == game.why_illegal(other) != ""
    assert places(game, "red") == (5,)


# --- S6 a 2 draws again


def test_S6_a_2_that_was_used_draws_again():
    then = after(game_at("2"), red=[4])
    assert (then.to_move, then.awaits_chance) == ("red", True)
    assert then.position()["card"] is None


def test_S6_a_2_that_could_not_be_used_draws_again():
    game = game_at("2", red=["safe 5", *THREE_HOME])
    assert is_lost(game)
    then = after_passing(game)
    assert (then.to_move, then.awaits_chance) == ("red", True)


def test_S6_the_second_draw_is_not_counted_as_a_turn():
    then = after(game_at("2", turns=7), red=[4])
    assert then.position()["turns"] == 7
    assert dealt(then, "3").position()["turns"] == 7


@pytest.mark.parametrize("card", [card for card in CARDS if card != "2"])
def test_S6_after_any_other_card_the_next_turn_begins(card):
    game = game_at(card, turns=7)
    then = game.after(game.legal()[0])
    assert (then.to_move, then.position()["turns"]) == ("yellow", 8)


def test_S6_the_2_just_used_is_not_drawn_again():
    assert odds(after(game_at("2"), red=[4]))["2"] == pytest.approx(3 / 44)


def test_S6_a_chain_of_2s_has_no_limit():
    game = game_at("2", red=[4, *THREE_HOME], replacement=True, turns=3)
    for square in range(6, 16, 2):
        game = dealt(after(game, red=[square, *THREE_HOME]), "2")
    game = after(game, red=[19, *THREE_HOME])  # 14 + 2 = 16 slides
    for _ in range(20):
        game = dealt(game, "2")
        game = game.after(game.legal()[0])
    assert (game.to_move, game.position()["turns"]) == ("red", 3)


def test_S6_the_turn_ends_with_the_card_after_the_2():
    game = dealt(after(game_at("2"), red=[4]), "3")
    assert after(game, red=[7]).to_move == "yellow"


def test_S6_a_winning_2_ends_the_game_at_once():
    then = after(game_at("2", red=["safe 4", *THREE_HOME]), red=["home"] * 4)
    assert (then.is_over, then.awaits_chance, then.to_move) == (True, False, None)
    assert then.legal() == []


# --- S7, S8 leaving Start


@pytest.mark.parametrize("card", ["1", "2"])
def test_S7_a_pawn_goes_from_start_to_the_circle_and_no_further(card):
    assert ends(game_at(card)) == {(4,)}


@pytest.mark.parametrize("card", ["1", "2"])
@pytest.mark.parametrize("waiting", [1, 2, 3, 4])
def test_S7_pawns_in_start_make_one_action(card, waiting):
    game = game_at(card, red=["home"] * (4 - waiting))
    assert len(game.legal()) == 1


@pytest.mark.parametrize(("card", "square"), [("1", 11), ("2", 12)])
def test_S7_a_pawn_already_out_may_move_instead(card, square):
    game = game_at(card, red=[10])
    assert ends(game) == {(4, 10), (square,)}
    assert len(game.legal()) == 2


@pytest.mark.parametrize(("card", "square"), [("1", 5), ("2", 6)])
def test_S8_an_own_pawn_on_the_circle_keeps_the_others_in_start(card, square):
    assert ends(game_at(card, red=[4])) == {(square,)}


@pytest.mark.parametrize("card", ["1", "2"])
def test_S8_a_foreign_pawn_on_the_circle_is_bumped(card):
    then = after(game_at(card, yellow=[4, 5]), red=[4])
    assert places(then, "yellow") == (5,)


# --- S9, S10 jumping and landing


def test_S9_a_jumped_pawn_stays_and_its_square_counts():
    then = after(game_at("3", red=[5], blue=[6], yellow=[7]), red=[8])
    assert places(then, "blue") == (6,)
    assert places(then, "yellow") == (7,)


def test_S9_an_own_pawn_is_jumped_too():
    assert ends(game_at("3", red=[5, 6])) == {(6, 8), (5, 9)}


def test_S9_backward_and_in_the_zone_too():
    assert ends(game_at("4", red=[10, 8])) == {(6, 8), (4, 10)}
    assert ends(game_at("3", red=["safe 1", "safe 2"])) == {("safe 2", "safe 4"), ("safe 1", "safe 5")}


@pytest.mark.parametrize(("card", "origin"), [("3", 5), ("4", 12), ("2", 6), ("10", 9)])
def test_S10_a_foreign_pawn_landed_on_goes_to_its_start(card, origin):
    then = after(game_at(card, red=[origin, *THREE_HOME], yellow=[8, 10]), red=[8, *THREE_HOME])
    assert places(then, "yellow") == (10,)


def test_S10_only_the_pawn_landed_on_is_bumped():
    then = after(game_at("3", red=[5], blue=[8, 6], yellow=[7, 9]), red=[8])
    assert places(then, "blue") == (6,)
    assert places(then, "yellow") == (7, 9)


@pytest.mark.parametrize(
    ("card", "red", "allowed"),
    [
        ("3", [5, 8], (5, 11)),
        ("4", [5, 9], (1, 9)),
        ("3", ["safe 1", "safe 4"], None),
        ("4", ["safe 1", "safe 5"], (59, "safe 5")),
        ("4", [2, "safe 4"], (58, "safe 4")),
        ("5", [0, "safe 3"], None),
    ],
)
def test_S10_landing_on_an_own_pawn_is_not_allowed(card, red, allowed):
    game = game_at(card, red=red)
    assert is_lost(game) if allowed is None else ends(game) == {allowed}


@pytest.mark.parametrize("pawns", [{"red": [8, 8]}, {"red": ["safe 2", "safe 2"]}, {"red": [8], "yellow": [8]}])
def test_S10_a_position_with_two_pawns_on_one_square_is_refused(pawns):
    with pytest.raises(InvalidPosition):
        game_at(**pawns)


# --- S11 Home


@pytest.mark.parametrize(
    ("card", "origin"),
    [
        ("1", "safe 5"),
        ("2", "safe 4"),
        ("3", "safe 3"),
        ("5", "safe 1"),
        ("7", 1),
        ("8", 0),
        ("10", 58),
        ("11", 57),
        ("12", 56),
    ],
)
def test_S11_home_by_exact_count(card, origin):
    game = game_at(card, red=[origin, "home", "home"])
    assert ("home",) * 3 in ends(game)


@pytest.mark.parametrize(
    ("card", "origin"),
    [("2", "safe 5"), ("3", "safe 4"), ("5", "safe 2"), ("7", 2), ("8", 1), ("11", 58), ("12", 57)],
)
def test_S11_one_step_too_many_is_not_allowed(card, origin):
    assert is_lost(game_at(card, red=[origin, *THREE_HOME]))


@pytest.mark.parametrize(("card", "origin"), [("1", "safe 4"), ("3", "safe 2"), ("7", 0), ("8", 59), ("12", 55)])
def test_S11_one_step_short_of_home_is_the_last_safe_square(card, origin):
    assert ends(game_at(card, red=[origin, *THREE_HOME])) == {("safe 5", *THREE_HOME)}


def test_S11_any_number_of_own_pawns_may_be_home():
    assert ends(game_at("3", red=["safe 3", "home", "home"])) == {("home",) * 3}


@pytest.mark.parametrize("card", [card for card in CARDS if card not in ("1", "2")])
def test_S11_a_pawn_at_home_stays(card):
    assert is_lost(game_at(card, red=THREE_HOME, yellow=["home"]))


@pytest.mark.parametrize("card", ["1", "2"])
def test_S11_a_1_or_2_moves_no_pawn_that_is_home(card):
    assert ends(game_at(card, red=THREE_HOME)) == {(4, *THREE_HOME)}


def test_S11_the_first_with_all_pawns_home_wins_at_once():
    game = game_at("3", red=["safe 3", *THREE_HOME], blue=THREE_HOME, yellow=[], green=[7])
    then = after(game, red=["home"] * 4)
    assert (then.is_over, then.awaits_chance, then.to_move) == (True, False, None)
    assert then.position()["winner"] == ["red"]
    assert then.legal() == []


@pytest.mark.parametrize("others", [["yellow"], ["blue", "yellow"], ["blue", "yellow", "green"]])
def test_S11_the_winner_gains_what_the_others_lose(others):
    game = game_at("3", seats=["red", *others], red=["safe 3", *THREE_HOME])
    returns = after(game, red=["home"] * 4).returns()
    assert returns["red"] > 0
    assert returns == pytest.approx({"red": returns["red"]} | dict.fromkeys(others, -returns["red"] / len(others)))


# --- S12, S13 the entry


@pytest.mark.parametrize(
    ("card", "origin", "end"),
    [
        ("1", 2, "safe 1"),
        ("5", 2, "safe 5"),
        ("1", 1, 2),
        ("2", 1, "safe 1"),
        ("3", 59, 2),
        ("5", 59, "safe 2"),
        ("5", 0, "safe 3"),
        ("12", 50, 2),
        ("12", 52, "safe 2"),
    ],
)
def test_S12_forward_a_pawn_turns_in_at_its_own_entry(card, origin, end):
    game = game_at(card, red=[origin, *THREE_HOME])
    assert ends(game) == {(end, *THREE_HOME)}
    assert len(game.legal()) == 1


def test_S12_a_pawn_that_would_overshoot_home_cannot_go_round():
    assert is_lost(game_at("12", red=[0]))


@pytest.mark.parametrize("colour", ["blue", "yellow", "green"])
def test_S12_a_pawn_passes_every_other_entry(colour):
    assert ends(game_at("5", colour, **{colour: [0]})) == {(5,)}


@pytest.mark.parametrize(("origin", "behind"), [(6, 2), (5, 1), (4, 0)])
def test_S13_a_pawn_at_or_behind_its_entry_turns_in_without_a_lap(origin, behind):
    game = after(game_at("4", red=[origin]), red=[behind])
    game = after_passing(dealt(game, "3"))  # yellow waits in Start
    assert ends(dealt(game, "5")) == {(f"safe {3 + behind}",)}


def test_S13_also_after_a_10_back_one():
    game = after(game_at("10", red=[3]), red=[2])
    game = after_passing(dealt(game, "3"))
    assert ends(dealt(game, "3")) == {("safe 3",)}


def test_S13_a_pawn_brought_out_of_the_zone_turns_in_again():
    game = after(game_at("4", red=["safe 1"]), red=[59])
    game = after_passing(dealt(game, "3"))
    assert ends(dealt(game, "5")) == {("safe 2",)}


# --- S14 when a pawn slides


@pytest.mark.parametrize(
    ("card", "red", "slid"),
    [
        ("3", [13], {(19,)}),
        ("12", [12], {(28,)}),
        ("7", [9], {(19,)}),
        ("4", [20], {(19,)}),
        ("10", [17], {(19,), (27,)}),
        ("10", [14], {(28,), (13,)}),
        ("11", [20], {(34,)}),
    ],
)
def test_S14_a_pawn_slides_from_the_first_square_of_a_foreign_slide(card, red, slid):
    assert ends(game_at(card, red=red)) == slid


def test_S14_half_of_a_7_slides():
    assert actions_to(game_at("7", red=[14, 47]), red=[19, 52])  # 14 + 2 = 16, 47 + 5 = 52
    assert not actions_to(game_at("7", red=[14, 47]), red=[16, 52])


def test_S14_a_swap_slides():
    after(game_at("11", red=[20], blue=[16]), red=[19], blue=[20])


def test_S14_sorry_slides():
    then = after(game_at("sorry", blue=[16]), red=[19])
    assert places(then, "blue") == ()


def test_S14_sliding_is_not_optional():
    assert len(game_at("3", red=[13]).legal()) == 1


@pytest.mark.parametrize(("card", "origin", "square"), [("2", 59, 1), ("4", 5, 1), ("5", 4, 9), ("10", 10, 9)])
def test_S14_on_its_own_slide_a_pawn_stays_on_the_first_square(card, origin, square):
    assert (square, *THREE_HOME) in ends(game_at(card, red=[origin, *THREE_HOME]))


@pytest.mark.parametrize(("origin", "end"), [(13, 19), (21, 28), (43, 49), (51, 58)])
def test_S14_slides_of_colours_that_do_not_play_work(origin, end):
    assert ends(game_at("3", seats=["red", "yellow"], red=[origin])) == {(end,)}


@pytest.mark.parametrize(("card", "origin", "end"), [("3", 14, 17), ("5", 14, 19), ("3", 22, 25), ("5", 23, 28)])
def test_S14_no_other_square_of_a_slide_carries_a_pawn(card, origin, end):
    assert ends(game_at(card, red=[origin])) == {(end,)}


def test_S14_a_pawn_may_rest_on_the_first_square_of_a_foreign_slide():
    game = game_at("3", "yellow", red=[16], yellow=[35])
    assert game.position()["pawns"]["red"].count(16) == 1
    assert places(after(game, yellow=[38]), "red") == (16,)


def test_S14_a_pawn_at_rest_does_not_slide_when_another_own_pawn_moves():
    assert ends(game_at("3", red=[16, 33])) == {(16, 36), (19, 33)}


@pytest.mark.parametrize(("card", "ended"), [("1", 17), ("3", 19), ("5", 21), ("8", 28), ("12", 28)])
def test_S14_a_pawn_at_rest_moves_on_from_where_it_stands(card, ended):
    assert ends(game_at(card, red=[16, *THREE_HOME])) == {(ended, *THREE_HOME)}


def test_S14_a_pawn_at_rest_slides_once_it_lands_on_a_first_square_again():
    assert ends(game_at("8", red=[16])) == {(28,)}


# --- S15 who is swept


def test_S15_everybody_else_on_the_slide_goes_to_start():
    game = game_at("3", red=[13, 17], blue=[18, 15], yellow=[20], green=[19])
    then = after(game, red=[19])
    assert places(then, "blue") == (15,)
    assert places(then, "yellow") == (20,)
    assert places(then, "green") == ()


def test_S15_a_long_slide_sweeps_its_four_squares():
    game = game_at("3", red=[21, 25], blue=[26, 29], yellow=[27, 23], green=[28])
    then = after(game, red=[28])
    assert [places(then, colour) for colour in ("blue", "yellow", "green")] == [(29,), (23,), ()]


def test_S15_the_owner_of_the_slide_is_swept_too():
    assert places(after(game_at("3", red=[13], blue=[17, 18, 19]), red=[19]), "blue") == ()


@pytest.mark.parametrize("square", [17, 18, 19])
def test_S15_an_own_pawn_further_along_does_not_forbid_the_move(square):
    assert ends(game_at("3", red=[13, square])) == {(19,), (13, square + 3)}


def test_S15_an_own_pawn_on_the_first_square_forbids_the_move():
    assert ends(game_at("3", red=[13, 16])) == {(13, 19)}


def test_S15_a_foreign_pawn_on_the_first_square_is_bumped():
    assert places(after(game_at("3", red=[13], blue=[16]), red=[19]), "blue") == ()


def test_S15_three_own_pawns_may_be_swept_at_once():
    assert (19,) in ends(game_at("3", red=[13, 17, 18, 19]))


def test_S15_a_pawn_that_does_not_slide_sweeps_nobody():
    then = after(game_at("3", red=[58], yellow=[2, 3, 4]), red=[1])
    assert places(then, "yellow") == (2, 3, 4)
    then = after(game_at("3", red=[14], yellow=[18, 19]), red=[17])
    assert places(then, "yellow") == (18, 19)


@pytest.mark.parametrize(("card", "red"), [("4", [20]), ("10", [17])])
def test_S15_a_slide_entered_backward_sweeps_as_well(card, red):
    then = after(game_at(card, red=red, blue=[18], green=[19, 15]), red=[19])
    assert places(then, "blue") == ()
    assert places(then, "green") == (15,)


# --- S16 backward onto the slide one stands on


@pytest.mark.parametrize("last", [28, 43, 58])
def test_S16_a_4_from_the_last_square_comes_back_to_it(last):
    game = game_at("4", red=[last])
    assert ends(game) == {(last,)}
    assert not is_lost(game)


@pytest.mark.parametrize(("origin", "last"), [(17, 19), (25, 28), (32, 34), (40, 43), (47, 49), (55, 58)])
def test_S16_a_10_back_from_the_second_square_ends_on_the_last(origin, last):
    assert (last,) in ends(game_at("10", red=[origin]))


def test_S16_the_others_on_the_slide_are_swept_as_usual():
    game = game_at("4", red=[28, 25], blue=[26])
    assert ends(game) == {(28,), (21, 28)}
    assert places(after(game, red=[28]), "blue") == ()


def test_S16_an_own_pawn_on_the_first_square_still_forbids_it():
    assert ends(game_at("4", red=[28, 24])) == {(20, 28)}


# --- S17, S18 the safety zone


@pytest.mark.parametrize("card", ["11", "sorry"])
@pytest.mark.parametrize("place", ["safe 1", "safe 5", "home"])
def test_S17_nobody_swaps_with_or_replaces_a_pawn_in_its_zone(card, place):
    assert is_lost(game_at(card, yellow=[place]))
    assert is_lost(game_at(card, red=["safe 2", 0], yellow=[place]))


@pytest.mark.parametrize("card", CARDS)
def test_S17_two_zones_never_interact(card):
    yellow, green = ["safe 1", "safe 4", "safe 5"], ["safe 2", "safe 3"]
    game = game_at(card, red=["safe 1", 2], yellow=yellow, green=green)
    assert ends(game, "yellow") == {tuple(yellow)}
    assert ends(game, "green") == {tuple(green)}


def test_S17_a_pawn_in_the_zone_cannot_be_swapped_by_its_owner():
    assert is_lost(game_at("11", red=["safe 1"], yellow=[20]))


@pytest.mark.parametrize(("origin", "end"), [(7, 3), (6, 2), (5, 1), (4, 0), (3, 59)])
def test_S17_no_backward_move_enters_the_zone(origin, end):
    assert ends(game_at("4", red=[origin])) == {(end,)}


def test_S17_a_bump_on_the_entry_does_not_reach_into_the_zone():
    then = after(game_at("3", red=["safe 1", 2], yellow=[59], to_move="yellow"), yellow=[2])
    assert places(then, "red") == ("safe 1",)


@pytest.mark.parametrize(
    ("place", "end"), [("safe 5", "safe 1"), ("safe 4", 2), ("safe 3", 1), ("safe 2", 0), ("safe 1", 59)]
)
def test_S18_a_four_brings_a_pawn_back_out_of_the_zone(place, end):
    assert ends(game_at("4", red=[place])) == {(end,)}


@pytest.mark.parametrize(("place", "end"), [("safe 5", "safe 4"), ("safe 2", "safe 1"), ("safe 1", 2)])
def test_S18_a_ten_goes_back_one_in_the_zone_or_out_of_it(place, end):
    assert ends(game_at("10", red=[place])) == {(end,)}


@pytest.mark.parametrize(("card", "blue"), [("3", [56]), ("sorry", [])])
def test_S18_back_on_the_ring_a_pawn_is_exposed_again(card, blue):
    game = after(game_at("4", red=["safe 1"], blue=blue), red=[59])
    then = after(dealt(game, card), blue=[59])
    assert places(then, "red") == ()


def test_S18_a_pawn_that_comes_out_bumps_as_usual():
    assert places(after(game_at("4", red=["safe 4"], yellow=[2]), red=[2]), "yellow") == ()


# --- S19 plain cards


@pytest.mark.parametrize(
    ("card", "squares"),
    [
        ("1", {6}),
        ("2", {7}),
        ("3", {8}),
        ("4", {1}),
        ("5", {10}),
        ("7", {12}),
        ("8", {13}),
        ("10", {15, 4}),
        ("11", {19}),
        ("12", {17}),
    ],
)
def test_S19_how_far_each_card_goes(card, squares):
    game = game_at(card, red=[5, *THREE_HOME])  # 5 + 11 = 16 slides to 19
    assert ends(game) == {(square, *THREE_HOME) for square in squares}
    assert len(game.legal()) == len(squares)


@pytest.mark.parametrize("card", ["3", "4", "5", "8", "12"])
def test_S19_one_action_for_each_pawn_that_can_move(card):
    assert len(game_at(card, red=[5, 36, 47]).legal()) == 3


# --- S20 the 7


def test_S20_a_7_is_split_in_six_ways_between_two_pawns_or_used_whole():
    game = game_at("7", red=[4, 54])
    whole = {(11, 54), (1, 4)}
    split = {(4 + a, (54 + 7 - a) % 60) for a in range(1, 7)}
    assert ends(game) == whole | {tuple(sorted(red)) for red in split}
    assert len(game.legal()) == 8


def test_S20_any_two_of_three_pawns_may_share_it():
    assert len(game_at("7", red=[4, 33, 57]).legal()) == 3 + 3 * 6


def test_S20_at_most_two_pawns_share_it():
    assert all(len({4, 33, 57} - set(red)) <= 2 for red in ends(game_at("7", red=[4, 33, 57])))


@pytest.mark.parametrize("red", [[4], [4, *THREE_HOME], [4, "home"]])
def test_S20_one_pawn_alone_takes_all_seven(red):
    game = game_at("7", red=red)
    assert ends(game) == {(11, *red[1:])}
    assert len(game.legal()) == 1


@pytest.mark.parametrize("red", [[], ["home"], ["safe 5"], ["safe 5", "safe 4"]])
def test_S20_no_part_starts_a_pawn_or_is_left_unused(red):
    assert is_lost(game_at("7", red=red))


def test_S20_no_part_goes_backward():
    assert ends(game_at("7", red=["safe 5", 8])) == {(15, "safe 5"), (14, "home")}


def test_S20_one_part_may_go_home_if_the_other_can_use_the_rest():
    assert actions_to(game_at("7", red=["safe 5", 8]), red=[14, "home"])
    assert actions_to(game_at("7", red=["safe 2", 8]), red=[11, "home"])


@pytest.mark.parametrize("red", [["safe 5", "safe 1"], ["safe 2", "safe 4"]])
def test_S20_no_part_goes_home_if_the_rest_cannot_be_used(red):
    assert is_lost(game_at("7", red=red))


def test_S20_a_rest_that_would_land_on_a_third_own_pawn_cannot_be_used():
    # safe 5 takes 1, the other 6: 8 + 6 = 14 is held, 14 + 6 = 20 is free.
    game = game_at("7", red=["safe 5", 8, 14])
    assert not actions_to(game, red=[14, 14, "home"])
    assert actions_to(game, red=[8, 20, "home"])


def test_S20_both_parts_may_go_home():
    game = game_at("7", red=["safe 3", "safe 2"])
    assert ends(game) == {("home", "home")}
    assert len(game.legal()) == 1


def test_S20_pawns_in_the_zone_take_part():
    in_zone = {(15 - a, f"safe {1 + a}") for a in range(5)}
    assert ends(game_at("7", red=["safe 1", 8])) == in_zone | {(10, "home")}


# --- S21 a split is played part by part


def swapped_parts(text):
    """The text of the same split with its parts the other way round."""
    card, parts = text.split(": ")
    first, second = parts.split(", ")
    return f"{card}: {second}, {first}"


def test_S21_a_part_may_land_where_the_partner_has_just_left():
    assert (7, 12) in ends(game_at("7", red=[5, 7]))
    assert ("safe 3", "home") in ends(game_at("7", red=[1, "safe 3"]))


def test_S21_each_part_must_be_legal_when_it_is_played():
    # 5 + 2 = 7 is held until 7 + 5 = 12 has been played: one order only.
    game = game_at("7", red=[5, 7])
    texts = [text for text in legal_texts(game) if ", " in text]
    (split,) = [text for text in texts if "5>7" in text]
    assert split.index("7>12") < split.index("5>7")
    with pytest.raises(IllegalAction):
        game.parse(swapped_parts(split))


def test_S21_slides_of_the_first_part_are_done_before_the_second():
    # 15 + 1 = 16 slides to 19 and makes room on 16, where 10 + 6 lands, slides and sweeps 19.
    assert (19,) in ends(game_at("7", red=[15, 10]))


def test_S21_a_first_part_that_sends_the_second_pawn_to_start_is_not_allowed():
    # 21 + 3 = 24 slides over 28: the pawn on 28 must have moved its four before, to 32.
    game = game_at("7", red=[21, 28])
    (split,) = actions_to(game, red=[28, 32])
    with pytest.raises(IllegalAction):
        game.parse(swapped_parts(game.text(split)))


def test_S21_a_first_part_by_the_swept_pawn_is_allowed_and_may_be_swept_itself():
    # 25 + 1 = 26 stays on the slide that 18 + 6 = 24 then runs down.
    game = game_at("7", red=[18, 25])
    assert len(actions_to(game, red=[28])) == 1


def test_S21_two_orders_that_end_differently_are_two_moves():
    # 15 + 1 = 16 slides to 19; 12 + 6 = 18 lies on the slide: swept if it was played first, else not.
    # The same with 12 + 4 = 16 and 15 + 3 = 18.
    game = game_at("7", red=[12, 15])
    assert len(actions_to(game, red=[18, 19])) == 2
    assert len(actions_to(game, red=[19])) == 2


@pytest.mark.parametrize("red", [[4, 54], [4, 33], [0, 47], ["safe 1", 33]])
def test_S21_two_orders_that_end_alike_are_one_move(red):
    game = game_at("7", red=red)
    splits = [action for action in game.legal() if ", " in game.text(action)]
    assert splits
    for action in splits:
        assert game.parse(game.text(action)) == action
        assert game.parse(swapped_parts(game.text(action))) == action


def test_S21_two_orders_that_end_alike_by_different_ways_are_one_move():
    # Whoever slides second, the other is swept: one pawn on 19, one in Start.
    assert len(actions_to(game_at("7", red=[10, 15]), red=[19])) == 1


def test_S21_a_whole_7_and_a_split_are_two_moves_even_if_they_end_alike():
    game = game_at("7", red=[5, 7])  # 5 + 7 = 12, or 7 + 5 = 12 and 5 + 2 = 7
    assert len(actions_to(game, red=[7, 12])) == 2


def test_S21_a_bump_of_the_first_part_is_done_as_well():
    game = game_at("7", red=[5, 47], yellow=[8, 51])
    then = after(game, red=[8, 51])
    assert places(then, "yellow") == ()


# --- S22 the 10


def test_S22_ten_forward_or_one_back():
    assert ends(game_at("10", red=[5, 35])) == {(15, 35), (4, 35), (5, 45), (5, 34)}


@pytest.mark.parametrize(
    ("red", "end"),
    [(["safe 1"], 2), (["safe 3"], "safe 2"), ([0], 59), ([2], 1), (["safe 5", "home"], "safe 4")],
)
def test_S22_one_back_is_compulsory_if_no_pawn_can_go_ten_forward(red, end):
    game = game_at("10", red=red)
    assert ends(game) == {(end, *red[1:])}
    assert passes(game) == []


def test_S22_one_back_stays_a_choice_when_another_pawn_can_go_forward():
    assert ends(game_at("10", red=[5, "safe 1"])) == {(15, "safe 1"), (4, "safe 1"), (2, 5)}


def test_S22_one_back_may_not_land_on_an_own_pawn():
    assert ends(game_at("10", red=["safe 1", 2])) == {(1, "safe 1")}
    assert ends(game_at("10", red=["safe 1", "safe 2"])) == {(2, "safe 2")}


def test_S22_one_back_from_the_last_square_of_a_slide_is_an_ordinary_step():
    assert ends(game_at("10", red=[28, *THREE_HOME])) == {(27, *THREE_HOME), (38, *THREE_HOME)}


# --- S23 the 11


def test_S23_eleven_forward_or_a_swap():
    game = game_at("11", red=[6], yellow=[33])
    assert ends(game) == {(17,), (33,)}
    assert places(after(game, red=[33]), "yellow") == (6,)
    assert len(game.legal()) == 2


def test_S23_any_own_pawn_on_the_ring_with_any_foreign_pawn_on_the_ring():
    game = game_at("11", red=[6, 35], blue=[20, "safe 2"], yellow=[38, "home"], green=[50])
    assert len(game.legal()) == 2 + 2 * 3


def test_S23_if_nobody_can_go_eleven_forward_the_player_may_pass():
    game = game_at("11", red=[0], yellow=[33])
    assert ends(game) == {(0,), (33,)}
    assert len(passes(game)) == 1
    assert after_passing(game).to_move == "yellow"


def test_S23_passing_is_allowed_too_if_own_pawns_block_the_way_forward():
    game = game_at("11", red=[51, 2], yellow=[33])  # 51 + 11 is square 2
    assert ends(game) == {(2, 51), (2, 33), (33, 51)}
    assert len(passes(game)) == 1


@pytest.mark.parametrize("red", [[6], [0, 6], [0, "safe 1", 6], [57]])
def test_S23_passing_is_not_allowed_if_any_pawn_can_go_forward(red):
    assert passes(game_at("11", red=red, yellow=[33])) == []


@pytest.mark.parametrize("red", [[], ["safe 1"], ["home"], ["safe 5", "home"]])
def test_S23_a_swap_needs_an_own_pawn_on_the_ring(red):
    assert is_lost(game_at("11", red=red, yellow=[33]))


@pytest.mark.parametrize("yellow", [[], ["safe 1"], ["home"]])
def test_S23_a_swap_needs_a_foreign_pawn_on_the_ring(yellow):
    assert is_lost(game_at("11", red=[0], yellow=yellow))


def test_S23_two_own_pawns_are_not_swapped():
    assert ends(game_at("11", red=[6, 35], yellow=[50])) == {(17, 35), (6, 49), (35, 50), (6, 50)}


def test_S23_a_swap_onto_the_own_entry_leads_into_the_zone():
    game = after(game_at("11", red=[20], yellow=[2]), red=[2], yellow=[20])
    game = after(dealt(game, "5"), yellow=[25])
    assert ends(dealt(game, "3")) == {("safe 3",)}


def test_S23_only_an_11_may_be_declined():
    for card in CARDS:
        if card != "11":
            assert passes(game_at(card, red=[5], yellow=[33])) == []


# --- S24 slides after a swap


def test_S24_the_mover_slides():
    after(game_at("11", red=[10], blue=[24]), red=[28], blue=[10])


def test_S24_the_other_pawn_slides():
    after(game_at("11", red=[9], blue=[35]), red=[35], blue=[13])


def test_S24_both_slide():
    after(game_at("11", red=[9], blue=[24]), red=[28], blue=[13])


def test_S24_neither_slides_on_a_slide_of_its_own_colour():
    after(game_at("11", red=[24], blue=[9]), red=[9], blue=[24])


def test_S24_a_slide_after_a_swap_sweeps_everybody():
    game = game_at("11", red=[10, 25], blue=[24], green=[27, 29])
    then = after(game, red=[28], blue=[10])
    assert places(then, "green") == (29,)


def test_S24_the_slide_of_the_other_pawn_sweeps_the_mover_s_pawns_too():
    game = game_at("11", red=[9, 10], blue=[35, 11], yellow=[13])
    then = after(game, red=[35], blue=[13])
    assert places(then, "yellow") == ()


def test_S24_a_third_pawn_at_rest_does_not_slide():
    then = after(game_at("11", red=[10], blue=[35], green=[24]), red=[35], blue=[10])
    assert places(then, "green") == (24,)


@pytest.mark.parametrize(
    ("red", "blue", "red_end", "blue_end"),
    [(9, 24, 28, 9), (9, 35, 35, 9), (10, 24, 28, 10), (24, 9, 9, 24)],
)
def test_S24_with_the_flag_off_only_the_mover_slides(red, blue, red_end, blue_end):
    game = game_at("11", red=[red], blue=[blue], swap_slides_both=False)
    after(game, red=[red_end], blue=[blue_end])


def test_S24_with_the_flag_off_the_slide_of_the_mover_still_sweeps():
    game = game_at("11", red=[25], blue=[24], swap_slides_both=False)
    after(game, red=[28], blue=[])


# --- S25 Sorry!


def test_S25_a_pawn_from_start_replaces_a_foreign_pawn_on_the_ring():
    then = after(game_at("sorry", yellow=[20, 35]), red=[20])
    assert places(then, "yellow") == (35,)


@pytest.mark.parametrize("red", [[], [10], [10, "home"], ["safe 1", 10, 50]])
def test_S25_one_action_for_each_target_whoever_waits_in_start(red):
    game = game_at("sorry", red=red, blue=[20, "safe 2"], yellow=[38, "home", 5], green=[])
    assert len(game.legal()) == 3
    assert passes(game) == []


@pytest.mark.parametrize("red", [[4, 5, 6, 7], [8, *THREE_HOME], ["safe 1", 8, "home", "home"]])
def test_S25_without_a_pawn_in_start_the_turn_is_lost(red):
    assert is_lost(game_at("sorry", red=red, yellow=[20]))


@pytest.mark.parametrize("yellow", [[], ["safe 1"], ["home", "safe 5"]])
def test_S25_without_a_target_the_turn_is_lost(yellow):
    assert is_lost(game_at("sorry", red=[8], yellow=yellow))


@pytest.mark.parametrize(("square", "end"), [(16, 19), (24, 28), (39, 43), (54, 58), (1, 1), (9, 9), (25, 25)])
def test_S25_then_the_pawn_slides_unless_the_slide_is_its_own(square, end):
    # The target may rest on any first square.
    assert ends(game_at("sorry", yellow=[square])) == {(end,)}


def test_S25_the_slide_sweeps():
    then = after(game_at("sorry", red=[18], blue=[16, 17], yellow=[19, 20]), red=[19], blue=[])
    assert places(then, "yellow") == (20,)


@pytest.mark.parametrize("square", [2, 3, 4])
def test_S25_a_pawn_may_replace_one_on_its_own_entry_diamond_or_circle(square):
    assert ends(game_at("sorry", yellow=[square])) == {(square,)}


# --- S26, S27 the end


@pytest.mark.parametrize("card", ["1", "3", "sorry"])
def test_S26_a_game_is_truncated_after_the_stated_turns(card):
    game = game_at(card, turn_limit=5, turns=5)
    then = game.after(game.legal()[0])
    assert (then.is_over, then.awaits_chance, then.to_move) == (True, False, None)
    assert then.position()["winner"] == []
    assert then.returns() == {"red": 0, "yellow": 0}
    assert then.legal() == []


def test_S26_not_one_turn_earlier():
    game = game_at("3", turn_limit=5, turns=4)
    then = after_passing(game)
    assert (then.is_over, then.awaits_chance, then.to_move) == (False, True, "yellow")


def test_S26_a_2_on_the_last_turn_still_draws_again():
    then = after(game_at("2", turn_limit=5, turns=5), red=[4])
    assert (then.is_over, then.to_move) == (False, "red")
    assert after(dealt(then, "3"), red=[7]).is_over


def test_S26_a_win_on_the_last_turn_counts():
    game = game_at("1", turn_limit=5, turns=5, red=["safe 5", *THREE_HOME])
    then = after(game, red=["home"] * 4)
    assert then.position()["winner"] == ["red"]
    assert then.returns()["red"] > 0


def test_S26_a_new_game_counts_its_first_turn():
    game = Game(turn_limit=1)
    assert game.position()["turns"] == 1
    while not game.is_over:
        assert game.position()["card"] in CARDS
        game.play(game.legal()[0])
    assert game.position()["turns"] == 1


def test_S26_a_truncated_position_can_be_set_up_again():
    then = after_passing(game_at("3", turn_limit=5, turns=5))
    assert Game.from_position(then.position()).position() == then.position()


def test_S26_without_a_limit_no_game_is_truncated():
    assert not after_passing(game_at("3", turns=20_000)).is_over


@pytest.mark.parametrize(
    ("card", "red"),
    [("2", ["safe 4", *THREE_HOME]), ("7", ["safe 3", "safe 2", "home", "home"]), ("7", [1, *THREE_HOME])],
)
def test_S27_the_game_ends_the_moment_that_somebody_has_won(card, red):
    then = after(game_at(card, red=red, turns=9), red=["home"] * 4)
    assert (then.is_over, then.awaits_chance, then.to_move) == (True, False, None)
    assert then.position()["winner"] == ["red"]
    assert then.position()["turns"] == 9
