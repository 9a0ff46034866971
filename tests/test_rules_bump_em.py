"""Section M of the rules: Bump 'Em."""

import pytest

from positions import (
    CARDS,
    COLOURS,
    EMPTY_PILE,
    FOUR_HOME,
    THREE_HOME,
    actions_to,
    after,
    after_passing,
    dealt,
    ends,
    is_lost,
    odds,
    passes,
    places,
    position,
    rotated,
    rotated_colour,
    texts,
)
from sorry_env import Game, IllegalAction, InvalidPosition, RulesetError

TURBO = (1, 9, 16, 24, 31, 39, 46, 54)
NEXT = dict(zip(TURBO, TURBO[1:] + TURBO[:1], strict=True))
OWNER = {1: "red", 16: "blue", 31: "yellow", 46: "green"}  # the turbo square in front of the own entry


def board(card="3", to_move="red", **named):
    """A position of this edition."""
    return position(card, to_move, ruleset="bump_em", **named)


def game_of(*arguments, **named):
    """The game in that `board`."""
    return Game.from_position(board(*arguments, **named))


# --- M1 as classic


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_M1_four_cars_each_all_in_pit_row(seats):
    assert list(Game("bump_em", seats=seats).position()["pawns"].values()) == [["start"] * 4] * seats


def test_M1_the_other_rules_are_those_of_classic():
    assert ends(game_of("3", red=[2])) == {("safe 3",)}
    assert ends(game_of("4", red=["safe 1"])) == {(59,)}
    assert is_lost(game_of("5", red=["safe 2", *THREE_HOME]))
    assert places(after(game_of("3", red=[5], yellow=[8, 10]), red=[8]), "yellow") == (10,)
    assert is_lost(game_of("3", red=["safe 1", "safe 4"]))
    assert ends(game_of("3", red=[5, 8])) == {(5, 11)}


def test_M1_the_first_with_four_cars_home_wins():
    then = after(game_of("3", red=["safe 3", *THREE_HOME]), red=FOUR_HOME)
    assert (then.is_over, then.to_move, then.position()["winner"]) == (True, None, ["red"])


@pytest.mark.parametrize("changes", [{"teams": True}, {"tokens": True, "two_draws_again": False}])
def test_M1_there_are_no_partners_and_no_tokens(changes):
    with pytest.raises(RulesetError):
        Game("bump_em", **changes)


@pytest.mark.parametrize("colour", ["blue", "yellow", "green"])
def test_M1_everybody_else_is_an_opponent(colour):
    game = game_of("sorry", **{colour: [20]})
    assert texts(game) == {f"sorry: red start>20 bumps {colour}"}


# --- M2 no slides


@pytest.mark.parametrize("square", TURBO)
@pytest.mark.parametrize("colour", COLOURS)
def test_M2_no_square_slides(colour, square):
    origin = (square - 3) % 60
    game = game_of("3", colour, **{colour: [origin, *THREE_HOME]})
    assert ends(game) == {(square, *THREE_HOME)}


def test_M2_cars_beyond_a_turbo_square_are_left_alone():
    then = after(game_of("3", red=[13, 18], yellow=[17, 19]), red=[16, 18])
    assert places(then, "yellow") == (17, 19)


@pytest.mark.parametrize("square", [4, 8, 10, 13, 17, 19, 28, 43, 59, 0])
def test_M2_on_any_other_square_a_foreign_car_goes_to_its_pit_row(square):
    game = game_of("3", "yellow", yellow=[(square - 3) % 60, *THREE_HOME], blue=[square, 21])
    then = after(game, yellow=[square, *THREE_HOME])
    assert places(then, "blue") == (21,)


@pytest.mark.parametrize("card", ["1", "12"])
def test_M2_entering_sends_the_car_on_the_circle_to_its_pit_row(card):
    assert places(after(game_of(card, yellow=[4, 22]), red=[4]), "yellow") == (22,)


# --- M2 one car pushed


@pytest.mark.parametrize("square", TURBO)
def test_M2_a_foreign_sitter_goes_to_the_next_turbo_square(square):
    sitter = "yellow" if square == 16 else "blue"
    game = game_of("3", red=[(square - 3) % 60, *THREE_HOME], **{sitter: [square]})
    assert texts(game) == {f"3: red {(square - 3) % 60}>{square} pushes {sitter}"}
    then = after(game, red=[square, *THREE_HOME])
    assert places(then, sitter) == (NEXT[square],)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("square", [9, 16, 24, 39])
def test_M2_it_is_the_same_for_every_colour(turns, square):
    mover, sitter = rotated_colour("red", turns), rotated_colour("yellow", turns)
    origin, stop, end = (rotated(place % 60, turns) for place in (square - 3, square, NEXT[square]))
    game = game_of("3", mover, **{mover: [origin], sitter: [stop]})
    assert places(after(game, **{mover: [stop]}), sitter) == (end,)


@pytest.mark.parametrize("square", [9, 16, 24, 31, 39, 46, 54])
def test_M2_an_own_sitter_is_pushed_too(square):
    game = game_of("3", red=[square - 3, square, "home", "home"])
    assert f"3: red {square - 3}>{square} pushes red" in texts(game)
    assert actions_to(game, red=[square, NEXT[square], "home", "home"])


@pytest.mark.parametrize(("card", "origin"), [("4", 13), ("10", 10)])
def test_M2_backward_landings_push_forward(card, origin):
    then = after(game_of(card, red=[origin], yellow=[9]), red=[9])
    assert places(then, "yellow") == (16,)


@pytest.mark.parametrize(
    ("card", "origin"),
    [("1", 8), ("2", 7), ("3", 6), ("5", 4), ("7", 2), ("8", 1), ("10", 59), ("11", 58), ("12", 57)],
)
def test_M2_every_forward_landing_pushes(card, origin):
    game = game_of(card, "yellow", yellow=[origin, *THREE_HOME], blue=[9])
    then = after(game, yellow=[9, *THREE_HOME], blue=[16])
    assert then.to_move == ("yellow" if card == "2" else "blue")


def test_M2_a_car_that_is_jumped_stays_on_its_turbo_square():
    then = after(game_of("5", red=[6], yellow=[9]), red=[11])
    assert places(then, "yellow") == (9,)


def test_M2_a_car_that_leaves_a_turbo_square_is_not_pushed():
    then = after(game_of("8", "yellow", yellow=[1], red=[16]), yellow=[9])
    assert places(then, "red") == (16,)


def test_M2_a_car_that_has_been_pushed_passes_others_and_is_not_protected():
    # Yellow goes from 9 over 12 to 16, where blue may push it along again.
    then = after(game_of("3", seats=["red", "blue", "yellow"], red=[6], blue=[12, 13], yellow=[9]), red=[9])
    assert (places(then, "blue"), places(then, "yellow")) == ((12, 13), (16,))
    then = after(dealt(then, "3"), blue=[12, 16])
    assert places(then, "yellow") == (24,)


def test_M2_an_own_car_on_a_turbo_square_counts_as_a_way_forward_for_ten_and_eleven():
    game = game_of("11", red=[50, 1, "home", "home"], yellow=[33])  # 50 + 11 is square 1
    assert ends(game) == {
        (1, "home", "home", "home"),
        (1, 33, "home", "home"),
        (33, 50, "home", "home"),
    }
    assert passes(game) == []


# --- M2 the finish


@pytest.mark.parametrize("square", OWNER)
def test_M2_a_sitter_whose_way_leaves_its_entry_goes_to_the_finish(square):
    sitter = OWNER[square]
    mover = rotated_colour(sitter)
    game = game_of("3", mover, **{mover: [(square - 3) % 60], sitter: [square, "safe 2"]})
    assert f"3: {mover} {(square - 3) % 60}>{square} pushes {sitter}" in texts(game)
    then = after(game, **{mover: [square]})
    assert places(then, sitter) == ("safe 2", "home")


@pytest.mark.parametrize("square", OWNER)
def test_M2_an_own_sitter_goes_to_the_finish_as_well(square):
    colour = OWNER[square]
    game = game_of("3", colour, **{colour: [(square - 3) % 60, square, "home", "home"]})
    assert actions_to(game, **{colour: [square, *THREE_HOME]})


@pytest.mark.parametrize(("square", "colour"), [(54, "red"), (9, "red"), (9, "blue"), (24, "yellow"), (39, "green")])
def test_M2_from_every_other_square_it_goes_on_round(square, colour):
    mover = rotated_colour(colour, 2)
    game = game_of("3", mover, **{mover: [square - 3], colour: [square]})
    assert places(after(game, **{mover: [square]}), colour) == (NEXT[square],)


def test_M2_a_car_pushed_onto_its_own_last_turbo_square_stops_there():
    then = after(game_of("3", red=[6], blue=[9]), red=[9])
    assert places(then, "blue") == (16,)
    assert ends(dealt(then, "3")) == {("safe 2",)}  # and turns in from there


# --- M2 chains


def test_M2_a_sitter_pushes_the_next_one_along():
    game = game_of("3", red=[6], blue=[9], yellow=[16, 31])
    assert texts(game) == {"3: red 6>9 pushes blue yellow"}
    then = after(game, red=[9])
    assert (places(then, "blue"), places(then, "yellow")) == ((16,), (24, 31))


def test_M2_the_chain_stops_at_a_free_turbo_square():
    then = after(game_of("3", red=[6], yellow=[9, 24, 31]), red=[9])
    assert places(then, "yellow") == (16, 24, 31)


def test_M2_a_chain_ends_at_the_finish():
    game = game_of("3", red=[6], blue=[9, 16], yellow=[24])
    assert texts(game) == {"3: red 6>9 pushes blue blue"}
    then = after(game, red=[9])
    assert (places(then, "blue"), places(then, "yellow")) == ((16, "home"), (24,))


def test_M2_own_and_foreign_cars_in_one_chain():
    game = game_of("3", red=[6, 9, 24], yellow=[16])
    then = game.after(game.parse("3: red 6>9 pushes red yellow red"))
    assert (places(then, "red"), places(then, "yellow")) == ((9, 16, 31), (24,))


def test_M2_a_chain_runs_over_the_corner():
    game = game_of("3", "blue", blue=[43], red=[46], yellow=[54, 1], green=[9])
    then = game.after(game.parse("3: blue 43>46 pushes red yellow yellow green"))
    assert (places(then, "red"), places(then, "yellow"), places(then, "green")) == ((54,), (1, 9), (16,))


def test_M2_a_chain_through_the_mover_s_own_finish():
    # Yellow goes from 54 to 1, and red's car there into the finish.
    then = after(game_of("3", red=[51, 1], yellow=[54]), red=[54, "home"])
    assert places(then, "yellow") == (1,)


def test_M2_a_chain_comes_round_to_the_square_that_the_mover_has_left():
    game = game_of("8", "blue", blue=[1, 24, 39, 54], red=[9, 16, 31, 46])
    then = game.after(game.parse("8: blue 1>9 pushes red red blue red blue red blue"))
    assert (places(then, "blue"), places(then, "red")) == ((1, 9, 31, 46), (16, 24, 39, 54))


def test_M2_a_chain_comes_round_to_the_mover():
    # All eight are held. 1 comes to 9 last and pushes the mover on to 16; there sits the blue car that the
    # mover has pushed first, and its way leaves its entry.
    game = game_of("3", red=[6, *THREE_HOME], blue=[9, 24, 31, 54], yellow=[1, 16, 39, 46])
    (action,) = game.legal()
    then = game.after(action)
    assert places(then, "red") == (16, *THREE_HOME)
    assert places(then, "blue") == (1, 31, 39, "home")
    assert places(then, "yellow") == (9, 24, 46, 54)
    assert (then.is_over, then.to_move) == (False, "blue")


def test_M2_a_chain_that_comes_round_may_push_the_mover_into_its_finish_and_win():
    game = game_of("3", red=[58, *THREE_HOME], blue=[1, 24, 31, 54], yellow=[9, 16, 39, 46])
    (action,) = game.legal()
    then = game.after(action)
    assert places(then, "red") == tuple(FOUR_HOME)
    assert places(then, "blue") == (1, 9, 31, 39)
    assert places(then, "yellow") == (16, 24, 46, 54)
    assert (then.is_over, then.position()["winner"]) == (True, ["red"])


def test_M2_the_longest_chain_keeps_every_car():
    # Nobody leaves before the second round: blue, pushed from 9 to 16, is the first.
    game = game_of("3", red=[6], blue=[9, 24, 31, 54], yellow=[1, 16, 39, 46])
    then = game.after(game.legal()[0])
    everybody = [place for own in then.position()["pawns"].values() for place in own]
    assert sorted(place for place in everybody if isinstance(place, int)) == list(TURBO)
    assert everybody.count("home") == 1
    assert everybody.count("start") == 3


# --- M2 swaps and the Bump ticket


def test_M2_a_swap_never_pushes():
    game = game_of("11", red=[12, *THREE_HOME], yellow=[24, 31])
    assert ends(game) == {(23, *THREE_HOME), (24, *THREE_HOME), (31, *THREE_HOME)}
    assert places(after(game, red=[24, *THREE_HOME]), "yellow") == (12, 31)
    assert places(after(game, red=[31, *THREE_HOME]), "yellow") == (12, 24)


def test_M2_nor_does_the_car_that_is_swapped_away():
    then = after(game_of("11", red=[9, *THREE_HOME], yellow=[24, 16]), red=[24, *THREE_HOME])
    assert places(then, "yellow") == (9, 16)


def test_M2_eleven_forward_pushes():
    then = after(game_of("11", red=[13], yellow=[24]), red=[24], yellow=[31])
    assert then.to_move == "yellow"


@pytest.mark.parametrize("square", TURBO)
def test_M2_the_bump_ticket_sends_the_sitter_to_its_pit_row(square):
    game = game_of("sorry", yellow=[square, NEXT[square]])
    assert texts(game) == {f"sorry: red start>{place} bumps yellow" for place in (square, NEXT[square])}
    then = after(game, red=[square])
    assert places(then, "yellow") == (NEXT[square],)


def test_M2_the_bump_ticket_does_not_reach_zones():
    assert is_lost(game_of("sorry", yellow=["safe 1", "home"]))


# --- M2, S21 parts of a 7


def test_S21_a_part_whose_car_has_been_pushed_starts_from_its_new_square():
    game = game_of("7", red=[6, 9])
    # 6 + 3 pushes 9 to 16, and 16 + 4 = 20; the other way round 9 + 4 = 13 and 6 + 3 = 9.
    assert ends(game) == {(9, 13), (6, 16), (7, 15), (8, 14), (9, 20), (10, 12)}
    assert len(actions_to(game, red=[9, 20])) == 1
    assert len(actions_to(game, red=[9, 13])) == 2  # 6 + 7 = 13 as well
    assert len(actions_to(game, red=[10, 12])) == 2
    assert len(game.legal()) == 8


def test_S21_a_part_already_played_may_be_pushed_by_the_second():
    game = game_of("7", red=[5, 6])
    # 4 and 3 meet on 9: whoever comes second pushes the other, and the position is the same.
    assert ends(game) == {(6, 12), (5, 13), (7, 11), (8, 10), (9, 16)}
    assert len(actions_to(game, red=[9, 16])) == 1
    assert len(game.legal()) == 8


def test_S21_a_chain_of_the_first_part_moves_the_second_car():
    game = game_of("7", red=[6, 16], yellow=[9])
    assert len(actions_to(game, red=[9, 28], yellow=[16])) == 1  # 16 was pushed to 24 before its four
    assert len(actions_to(game, red=[9, 20], yellow=[16])) == 1
    assert not actions_to(game, red=[9, 20], yellow=[9])


def test_S21_the_text_tells_where_the_pushed_part_starts():
    game = game_of("7", red=[6, 9])
    (action,) = actions_to(game, red=[9, 20])
    text = game.text(action)
    assert text.index("6>9 pushes red") < text.index("16>20")
    assert game.parse(text) == action


def test_S21_a_first_part_that_pushes_the_second_car_to_the_finish_is_not_allowed():
    game = game_of("7", red=[58, 1, "home", "home"])
    whole, split = actions_to(game, red=[1, "safe 3", "home", "home"])  # 58 by seven; 1 by four, then 58 by three
    assert game.text(whole) == "7: red 58>safe 3"
    assert game.text(split).index("1>safe 3") < game.text(split).index("58>1")
    assert not actions_to(game, red=[1, *THREE_HOME])
    with pytest.raises(IllegalAction):
        game.parse("7: red 58>1 pushes red, red 1>safe 3")


def test_S21_own_parts_still_do_not_meet_elsewhere():
    assert not actions_to(game_of("7", red=[6, 9]), red=[11, 11])
    assert ends(game_of("7", red=["safe 1", "safe 2"])) == {("safe 4", "home")}


def test_S21_each_part_may_push():
    game = game_of("7", red=[6, 20], yellow=[9, 24])
    then = after(game, red=[9, 24])
    assert places(then, "yellow") == (16, 31)


# --- S27 a push may win for another seat


def test_S27_a_push_makes_another_seat_win():
    game = game_of("3", "blue", blue=[58], red=[1, *THREE_HOME], turns=9)
    then = after(game, blue=[1])
    assert (then.is_over, then.awaits_chance, then.to_move) == (True, False, None)
    assert (then.position()["winner"], then.position()["turns"]) == (["red"], 9)
    assert then.returns() == pytest.approx({"red": 1, "blue": -1})
    assert Game.from_position(then.position()).position() == then.position()


def test_S27_the_mover_loses_like_the_others():
    game = game_of("3", "blue", blue=[58], red=[1, *THREE_HOME], yellow=THREE_HOME, green=[])
    returns = after(game, blue=[1]).returns()
    assert returns == pytest.approx({"red": 1, "blue": -1 / 3, "yellow": -1 / 3, "green": -1 / 3})


def test_S27_at_the_end_of_a_chain_too():
    then = after(game_of("3", red=[6], blue=[16, *THREE_HOME], yellow=[9]), red=[9])
    assert (then.is_over, then.position()["winner"]) == (True, ["blue"])
    assert places(then, "yellow") == (16,)


def test_S27_in_the_middle_of_a_7_the_second_part_is_not_played():
    game = game_of("7", "blue", blue=[58, 20], red=[1, *THREE_HOME])
    assert ends(game) == {
        (5, 20),
        (27, 58),
        (26, 59),
        (0, 25),
        (1, 20),  # 58 by three first: red wins, and 20 stays
        (1, 24),  # 20 by four first
        (2, 23),
        (3, 22),
        (4, 21),
    }
    assert len(game.legal()) == 9
    for blue in ([1, 20], [1, 24]):
        then = after(game, blue=blue, red=FOUR_HOME)
        assert (then.is_over, then.to_move, then.position()["winner"]) == (True, None, ["red"])
        assert then.returns() == pytest.approx({"red": 1, "blue": -1})


def test_S27_the_mover_s_own_car_in_the_finish_ends_a_7_only_if_it_is_the_last():
    game = game_of("7", red=[58, 20, 1, "home"])
    then = after(game, red=[1, 24, "home", "home"])
    assert not then.is_over


def test_S27_a_2_that_makes_another_seat_win_is_the_end():
    then = after(game_of("2", "blue", blue=[59], red=[1, *THREE_HOME]), blue=[1])
    assert (then.is_over, then.awaits_chance, then.position()["winner"]) == (True, False, ["red"])


def test_S27_a_harmful_push_must_be_made():
    game = game_of("3", "blue", blue=[58], red=[1, *THREE_HOME])
    assert passes(game) == []
    assert len(game.legal()) == 1


# --- M3 the tickets


def test_M3_four_of_each():
    assert odds(game_of(None)) == pytest.approx(dict.fromkeys(CARDS, 4 / 44))


@pytest.mark.parametrize("card", CARDS)
def test_M3_the_1_and_the_12_start_a_car_and_nothing_else_does(card):
    game = game_of(card)
    if card in ("1", "12"):
        assert texts(game) == {f"{card}: red start>4"}
    else:
        assert is_lost(game)


@pytest.mark.parametrize(
    ("card", "squares"),
    [
        ("1", {4, 21}),
        ("2", {22}),
        ("3", {23}),
        ("4", {16}),
        ("5", {25}),
        ("7", {27}),
        ("8", {28}),
        ("10", {30, 19}),
        ("11", {31}),
        ("12", {4, 32}),
    ],
)
def test_M3_what_each_ticket_does(card, squares):
    game = game_of(card, red=[20])
    expected = {(4, 20) if square == 4 else (square,) for square in squares}
    assert ends(game) == expected
    assert len(game.legal()) == len(squares)


def test_M3_a_2_draws_again_and_may_be_of_no_use():
    then = after_passing(game_of("2", turns=7))
    assert (then.to_move, then.awaits_chance, then.position()["turns"]) == ("red", True, 7)
    then = after(game_of("2", red=[20]), red=[22])
    assert (then.to_move, then.awaits_chance) == ("red", True)


def test_M3_a_7_may_be_split():
    game = game_of("7", red=[20, 40])
    assert ends(game) == {(27, 40), (20, 47)} | {(20 + a, 47 - a) for a in range(1, 7)}
    assert len(game.legal()) == 8


def test_M3_an_11_swaps_and_may_be_passed_if_nobody_can_go_eleven():
    game = game_of("11", red=[0], yellow=[40])
    assert ends(game) == {(0,), (40,)}
    assert len(passes(game)) == 1
    assert passes(game_of("11", red=[0, 20], yellow=[40])) == []


def test_M3_the_bump_ticket_takes_a_car_from_pit_row():
    assert texts(game_of("sorry", red=[10], yellow=[20])) == {"sorry: red start>20 bumps yellow"}
    assert is_lost(game_of("sorry", red=[10, *THREE_HOME], yellow=[20]))


@pytest.mark.parametrize("card", ["6", "9", "13", "bump", "question"])
def test_M3_there_is_no_such_ticket(card):
    with pytest.raises(InvalidPosition):
        game_of(card)


def test_M3_a_fifth_1_is_refused():
    with pytest.raises(InvalidPosition):
        game_of("3", pile=EMPTY_PILE | {"1": 5})


# --- positions that cannot be


@pytest.mark.parametrize("pawns", [{"red": [9, 9]}, {"red": [9], "yellow": [9]}])
def test_M2_two_cars_on_a_turbo_square_are_refused(pawns):
    with pytest.raises(InvalidPosition):
        game_of("3", **pawns)


@pytest.mark.parametrize(
    "extra",
    [
        {"pending": {"decision": "part", "left": 4, "moved": {"red": [9]}}},
        {"pending": {"decision": "push"}},
        {"pending": {}},
        {"fire": ["red", 9]},
        {"ice": ["red", 9]},
        {"phase": "fire", "card": None},
    ],
)
def test_M2_nothing_is_ever_pending(extra):
    Game.from_position(board("7", red=[9, 20]))
    with pytest.raises(InvalidPosition):
        Game.from_position(board("7", red=[9, 20]) | extra)


def test_M2_a_position_in_which_a_seat_has_finished_and_the_game_goes_on_is_refused():
    with pytest.raises(InvalidPosition):
        game_of("3", "blue", blue=[58], red=FOUR_HOME)
