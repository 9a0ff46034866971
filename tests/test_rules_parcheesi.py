"""Section P of the rules: Parcheesi, rule by rule."""

import pytest

from parcheesi_positions import FOUR_HOME, dealt, dice, game_at, new_game, pieces, played, position, texts
from sorry_env import Game, InvalidPosition, RulesetError

SAFE_SQUARES = [0, 5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63]
TURN_OFF = {"red": 0, "blue": 17, "yellow": 34, "green": 51}
ENTRY = {"red": 5, "blue": 22, "yellow": 39, "green": 56}


# --- P: the board


@pytest.mark.parametrize("colour", ENTRY)
def test_P_a_piece_enters_five_squares_after_its_turn_off(colour):
    game = game_at([5], to_move=colour)
    assert texts(game) == {f"5: {colour} nest>{ENTRY[colour]}"}


@pytest.mark.parametrize("colour", TURN_OFF)
def test_P_the_home_row_begins_behind_the_turn_off(colour):
    game = game_at([1], to_move=colour, **{colour: [TURN_OFF[colour]]})
    assert f"1: {colour} {TURN_OFF[colour]}>row 1" in texts(game)


@pytest.mark.parametrize("colour", TURN_OFF)
def test_P_home_is_71_steps_from_the_entry_square(colour):
    game = game_at([1], to_move=colour, **{colour: [ENTRY[colour]]})
    steps = 0
    while pieces(game, colour)[-1] != "home":
        game = game_at([1], to_move=colour, **{colour: [pieces(game, colour)[-1]]})
        turning_in = [text for text in texts(game) if "row" in text or "home" in text] or list(texts(game))
        game = played(game, *turning_in[:1])
        steps += 1
    assert steps == 71


@pytest.mark.parametrize("square", range(68))
def test_P_the_twelve_safe_squares(square):
    game = game_at([1], red=[(square - 1) % 68], yellow=[square])
    captures = any("captures" in text for text in texts(game))
    assert captures == (square not in SAFE_SQUARES)


# --- P1 players and pieces


@pytest.mark.parametrize(
    ("seats", "colours"),
    [
        (2, ["red", "yellow"]),
        (3, ["red", "blue", "yellow"]),
        (4, ["red", "blue", "yellow", "green"]),
        (["blue", "green"], ["blue", "green"]),
        (["red", "blue"], ["red", "blue"]),
        (["green", "red", "yellow"], ["green", "red", "yellow"]),
    ],
)
def test_P1_seats(seats, colours):
    game = new_game(seats)
    assert game.position()["seats"] == colours
    assert game.position()["pieces"] == {colour: ["nest"] * 4 for colour in colours}
    assert game.awaits_chance
    assert game.legal() == []


@pytest.mark.parametrize("count", [1, 2, 3])
def test_P1_a_game_may_have_fewer_pieces_for_study(count):
    assert new_game(pieces=count).position()["pieces"]["red"] == ["nest"] * count


@pytest.mark.parametrize("count", [0, 5, True, "4"])
def test_P1_no_other_number_of_pieces(count):
    with pytest.raises(RulesetError):
        new_game(pieces=count)


def test_P1_the_odds_of_two_dice():
    chance = new_game().chance()
    assert len(chance) == 21
    assert sum(p for _, p in chance) == pytest.approx(1)
    assert all(p == pytest.approx((1 if a == b else 2) / 36) for (a, b), p in chance)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_P1_turns_follow_the_seats_order(seats):
    game = new_game(seats)
    order = []
    for _ in range(seats + 1):
        order.append(game.to_move)
        game = played(dealt(game, 1, 2), "pass")
    assert order == [*game.position()["seats"], "red"]
    assert game.position()["turns"] == seats + 2


def test_P1_a_first_seat_may_be_asked_for():
    assert Game("parcheesi", seats=2, first="yellow").to_move == "yellow"


# --- P2 dice


def test_P2_either_die_may_be_used_first():
    game = game_at([2, 6], red=[18, "home", "home"])
    assert texts(game) == {"2: red 18>20", "6: red 18>24"}
    assert dice(played(game, "2: red 18>20")) == ([6], [])


def test_P2_a_die_that_can_be_used_must_be():
    game = game_at([2, 6], red=["row 5"], seats=["red", "yellow"])
    assert texts(game) == {"2: red row 5>row 7"}


def test_P2_if_either_can_be_used_but_not_both_the_player_chooses():
    game = game_at([1, 2], red=["row 6"])
    assert texts(game) == {"1: red row 6>row 7", "2: red row 6>home"}
    assert texts(played(game, "1: red row 6>row 7")) == {"pass"}


def test_P2_each_die_is_looked_at_on_the_board_as_it_stands():
    game = game_at([2, 6], red=[18], yellow=[20, 20])
    assert texts(game) == {"pass"}
    game = game_at([3, 6], red=[18], yellow=[24, 24])
    assert texts(game) == {"3: red 18>21"}
    assert texts(played(game, "3: red 18>21")) == {"pass"}


def test_P2_what_cannot_be_used_is_given_up_and_the_turn_passes():
    game = game_at([3, 4])
    assert texts(game) == {"pass"}
    then = played(game, "pass")
    assert then.to_move == "yellow"
    assert then.awaits_chance


def test_P2_passing_is_not_allowed_while_a_die_can_be_used():
    game = game_at([3, 4], red=[18])
    assert "P2" in game.why_illegal(0)


def test_P2_a_die_may_become_usable_by_the_other_one():
    game = game_at([2, 6], red=["row 1", "row 3", "row 3"])
    assert texts(game) == {"2: red row 3>row 5"}
    assert texts(played(game, "2: red row 3>row 5")) == {"6: red row 1>row 7"}


# --- P3 entering


def test_P3_a_five_brings_a_piece_to_the_entry_square_and_nothing_else_is_legal():
    game = game_at([3, 5], red=[18])
    assert texts(game) == {"5: red nest>5"}
    then = played(game, "5: red nest>5")
    assert texts(then) == {"3: red 5>8", "3: red 18>21"}


def test_P3_a_total_of_five_uses_both_dice():
    for roll in ([1, 4], [2, 3]):
        game = game_at(roll, red=[18])
        head = f"{roll[0]}+{roll[1]}"
        assert texts(game) == {f"{head}: red nest>5"}
        then = played(game, f"{head}: red nest>5")
        assert then.to_move == "yellow"
        assert pieces(then, "red") == ["nest", "nest", 5, 18]


def test_P3_a_total_of_five_counts_only_while_both_dice_are_unused():
    game = game_at([4], rolled=[1, 4], red=[18])
    assert texts(game) == {"4: red 18>22"}


def test_P3_five_five_brings_two():
    game = game_at([5, 5], red=[18])
    then = played(game, "5: red nest>5")
    assert texts(then) == {"5: red nest>5"}
    then = played(then, "5: red nest>5")
    assert pieces(then, "red") == ["nest", 5, 5, 18]
    assert then.to_move == "red"
    assert then.awaits_chance


def test_P3_five_five_with_one_in_the_nest_moves_with_the_other_five():
    game = game_at([5, 5], red=[18, 30, "home"])
    then = played(game, "5: red nest>5")
    assert texts(then) == {"5: red 5>10", "5: red 18>23", "5: red 30>35"}


def test_P3_an_own_blockade_on_the_entry_square_stops_entering():
    game = game_at([3, 5], red=[5, 5])
    assert texts(game) == {"3: red 5>8", "5: red 5>10"}
    assert texts(played(game, "3: red 5>8")) == {"5: red nest>5"}


def test_P3_a_foreign_blockade_on_the_entry_square_stops_entering():
    game = game_at([1, 5], red=[18], yellow=[5, 5])
    assert texts(game) == {"1: red 18>19", "5: red 18>23"}
    assert texts(game_at([1, 4], red=[18], yellow=[5, 5])) == {"1: red 18>19", "4: red 18>22"}


def test_P3_entering_joins_one_own_piece():
    assert pieces(played(game_at([5], red=[5]), "5: red nest>5"), "red") == ["nest", "nest", 5, 5]


def test_P3_pieces_in_the_nest_are_one_action():
    assert len(game_at([5]).legal()) == 1


@pytest.mark.parametrize("roll", [[1, 1], [4, 6], [2, 6], [3, 3]])
def test_P3_nothing_else_brings_a_piece_out(roll):
    assert texts(game_at(roll)) == {"pass"}


# --- P4 one piece, both dice


def test_P4_one_piece_may_use_both_dice_and_capture_with_each():
    game = game_at([2, 4], red=[18, "home", "home", "home"], yellow=[20, 24])
    then = played(game, "2: red 18>20 captures yellow", "4: red 20>24 captures yellow")
    assert dice(then) == ([], [20, 20])
    assert pieces(then, "yellow") == ["nest"] * 4


def test_P4_the_first_part_must_be_possible_by_itself():
    game = game_at([2, 4], red=[18], yellow=[20, 20])
    assert texts(game) == {"pass"}


# --- P5 captures


def test_P5_landing_on_a_lone_foreign_piece_sends_it_to_its_nest_and_earns_20():
    game = game_at([3], red=[18], blue=[21], yellow=[])
    assert texts(game) == {"3: red 18>21 captures blue"}
    then = played(game, "3: red 18>21 captures blue")
    assert pieces(then, "blue") == ["nest"] * 4
    assert dice(then) == ([], [20])
    assert then.to_move == "red"


def test_P5_a_piece_that_is_passed_stays():
    then = played(game_at([4], red=[18], yellow=[21]), "4: red 18>22")
    assert pieces(then, "yellow")[-1] == 21


@pytest.mark.parametrize("square", [22, 29, 34])
def test_P5_a_foreign_piece_on_a_safe_square_cannot_be_captured(square):
    game = game_at([3], red=[square - 3], yellow=[square])
    assert texts(game) == {"pass"}
    assert "P5" in game.why_illegal(game.variant.actions.id(_move(3, 3)))


def test_P5_a_safe_square_may_be_shared_with_an_own_piece():
    assert texts(game_at([3], red=[19, 22])) == {"3: red 19>22", "3: red 22>25"}


def test_P5_a_piece_entering_captures_a_lone_foreign_piece_on_its_entry_square():
    for game, text in (
        (game_at([5], yellow=[5]), "5: red nest>5 captures yellow"),
        (game_at([2, 3], yellow=[5]), "2+3: red nest>5 captures yellow"),
    ):
        assert texts(game) == {text}
        assert dice(played(game, text)) == ([], [20])


def test_P5_a_piece_that_walks_onto_its_own_entry_square_does_not_capture():
    game = game_at([4], red=[1], yellow=[5])
    assert texts(game) == {"pass"}


def test_P5_nobody_captures_in_a_home_row():
    game = game_at([2], red=["row 1"], blue=["row 3"], yellow=["row 3"])
    then = played(game, "2: red row 1>row 3")
    assert pieces(then, "blue")[-1] == "row 3"
    assert dice(then) == ([], [])


# --- P6 blockades


@pytest.mark.parametrize("wall", [19, 20, 21])
def test_P6_nobody_lands_on_or_passes_a_foreign_blockade(wall):
    assert texts(game_at([3], red=[18], yellow=[wall, wall])) == {"pass"}


def test_P6_a_blockade_just_beyond_the_landing_square_does_not_matter():
    assert texts(game_at([3], red=[18], yellow=[22, 22])) == {"3: red 18>21"}


@pytest.mark.parametrize("wall", [19, 20, 21])
def test_P6_nor_the_owner_its_own(wall):
    game = game_at([3], red=[18, wall, wall])
    assert texts(game) == {f"3: red {wall}>{wall + 3}"}


def test_P6_a_blockade_on_a_safe_square_too():
    assert texts(game_at([3], red=[20], yellow=[22, 22])) == {"pass"}


def test_P6_a_blockade_in_the_home_row():
    game = game_at([4], red=[0, "row 2", "row 2", "home"], second_lap=False)
    assert texts(game) == {"4: red row 2>row 6"}
    assert texts(game_at([2], red=[0, "row 2", "row 2", "home"], second_lap=False)) == {"2: red row 2>row 4"}


def test_P6_a_foreign_blockade_in_its_home_row_is_not_in_the_way():
    assert texts(game_at([4], red=[0], yellow=["row 2", "row 2"])) == {"4: red 0>row 4", "4: red 0>4"}


def test_P6_a_blockade_beyond_the_turn_off_stops_only_those_who_go_past():
    assert texts(game_at([4], red=[66], yellow=[1, 1])) == {"4: red 66>row 2"}


def test_P6_a_blockade_on_the_turn_off_stops_both_ways():
    assert texts(game_at([4], red=[66], yellow=[0, 0])) == {"pass"}


def test_P6_home_and_nest_are_no_squares():
    game = game_at([2, 3], red=["row 6", "row 5", "home", "home"])
    then = played(game, "2: red row 6>home", "3: red row 5>home")
    assert then.is_over


def test_P6_a_blockade_does_not_hinder_the_pieces_of_its_owner_to_leave_it():
    assert texts(game_at([3], red=[18, 18])) == {"3: red 18>21"}


@pytest.mark.parametrize(
    "placed", [{"red": [7, 7, 7]}, {"red": ["row 2"] * 3}, {"red": [7], "yellow": [7]}, {"red": [5], "yellow": [5]}]
)
def test_P6_never_more_than_two_pieces_on_a_square_never_two_colours(placed):
    with pytest.raises(InvalidPosition, match="P6"):
        game_at([3], **placed)


# --- P7 pieces that stood together


def test_P7_two_pieces_that_stood_together_may_not_stand_together_on_another_square():
    game = game_at([3, 3], red=[18, 18])
    then = played(game, "3: red 18>21")
    assert texts(then) == {"3: red 21>24"}
    assert "P7" in then.why_illegal(then.variant.actions.id(_move(3, 2)))


def test_P7_it_follows_the_pieces_through_several_parts():
    game = game_at([1, 1, 6, 6], red=[18, 18, "home", "home"])
    then = played(game, "1: red 18>19")
    assert texts(then) == {"1: red 19>20", "6: red 18>24", "6: red 19>25"}
    then = played(then, "6: red 18>24")
    assert texts(then) == {"1: red 19>20", "1: red 24>25", "6: red 19>25", "6: red 24>30"}
    then = played(then, "1: red 24>25")
    assert texts(then) == {"6: red 25>31"}


def test_P7_others_may_join_either_of_them():
    game = game_at([3, 3], red=[18, 18, 15])
    then = played(game, "3: red 18>21")
    assert texts(then) == {"3: red 15>18", "3: red 21>24"}
    game = game_at([3, 3], red=[18, 18, 24])
    then = played(game, "3: red 18>21")
    assert texts(then) == {"3: red 21>24", "3: red 24>27"}


def test_P7_holds_for_rewards():
    at = {"red": [18, 38], "yellow": [], "together": {"red": [[18, 38]]}}
    assert texts(game_at(rewards=[20], **at)) == {"20: red 38>58", "20: decline"}
    del at["together"]
    assert texts(game_at(rewards=[20], **at)) == {"20: red 18>38", "20: red 38>58", "20: decline"}


def test_P7_both_may_go_home():
    game = game_at([3, 3, 4, 4], red=["row 5", "row 5", 18, 18])
    assert game.position()["pieces"]["red"] == [18, 18, "row 5", "row 5"]
    then = played(game, "3: red row 5>home", "3: red row 5>home")
    assert pieces(then, "red") == [18, 18, "home", "home"]


def test_P7_ends_with_the_roll():
    game = game_at([3], rolled=[3, 3], doublets=1, red=[18, 21], together={"red": [[18, 21]]})
    then = played(game, "3: red 21>24")
    again = dealt(then, 6, 4)
    assert "6: red 18>24" in texts(again)


def test_P7_is_about_the_throw_and_not_about_the_squares():
    # The pieces come together in this roll: they may go on together in the same roll.
    game = game_at([1, 1, 6, 6], red=[18, 19, "home", "home"])
    then = played(game, "1: red 18>19", "1: red 19>20")
    assert texts(then) == {"6: red 19>25", "6: red 20>26"}
    then = played(game, "1: red 18>19", "6: red 19>25")
    assert "6: red 19>25" in texts(then)


def test_P7_a_position_in_the_middle_of_a_roll_knows_the_pieces_that_stand_together_now():
    game = game_at([3], rolled=[3, 3], doublets=1, red=[18, 18])
    assert "together" not in game.position()
    assert texts(played(game_at([3, 3], red=[18, 18]), "3: red 18>21")) == {"3: red 21>24"}


def test_P7_together_is_told_and_taken_back():
    then = played(game_at([3, 3], red=[18, 18]), "3: red 18>21")
    at = then.position()
    assert at["together"] == {"red": [[18, 21]]}
    assert Game.from_position(at).states == then.states
    joined = played(game_at([1, 6], red=[18, 19]), "1: red 18>19")
    assert joined.position()["together"] == {"red": []}
    assert Game.from_position(joined.position()).states == joined.states


def test_P7_of_two_pieces_on_a_square_it_matters_which_one_goes_on():
    game = game_at([3, 3, 4, 4], red=[18, 18, 21, "home"])
    then = played(game, "3: red 18>21")
    assert texts(then) == {
        "3: red 21>24",
        "3: red 21>24, the one that stood with 18",
        "4: red 21>25",
        "4: red 21>25, the one that stood with 18",
    }
    one = played(then, "3: red 21>24")
    other = played(then, "3: red 21>24, the one that stood with 18")
    assert one.position()["together"] == {"red": [[18, 21]]}
    assert other.position()["together"] == {"red": [[18, 24]]}
    assert "4: red 18>22" in texts(one)


def test_P7_with_the_last_part_of_a_roll_it_does_not():
    at = {"red": [18, 21, 21], "together": {"red": [[18, 21]]}}
    assert texts(game_at([4], **at)) == {"4: red 21>25"}
    assert texts(game_at([3, 3], **at)) == {"3: red 21>24", "3: red 21>24, the one that stood with 18"}


# --- P8 doublets


def test_P8_a_doublet_rolls_again_after_moving():
    then = played(game_at([3, 3], red=[18]), "3: red 18>21", "3: red 21>24")
    assert then.to_move == "red"
    assert then.awaits_chance
    assert then.position()["doublets"] == 1
    assert then.position()["turns"] == 1


def test_P8_even_if_nothing_could_move():
    then = played(game_at([3, 3]), "pass")
    assert then.to_move == "red"
    assert then.awaits_chance


def test_P8_any_other_roll_ends_the_turn():
    then = played(dealt(game_at([], red=[18]), 1, 2), "1: red 18>19", "2: red 19>21")
    assert then.to_move == "yellow"
    assert then.position()["doublets"] == 0
    assert then.position()["turns"] == 2


@pytest.mark.parametrize("face", range(1, 7))
def test_P8_with_no_piece_in_the_nest_tops_and_bottoms(face):
    game = dealt(game_at(red=[18, 30, 40, "home"]), face, face)
    assert dice(game) == (sorted([face, face, 7 - face, 7 - face]), [])
    game = dealt(game_at(red=[18, 30, 40]), face, face)
    assert dice(game) == ([face, face], [])


def test_P8_the_four_parts_in_any_order():
    game = game_at([1, 1, 6, 6], red=[18, "home", "home", "home"])
    assert texts(game) == {"1: red 18>19", "6: red 18>24"}
    then = played(game, "6: red 18>24", "1: red 24>25", "6: red 25>31")
    assert texts(then) == {"1: red 31>32"}


def test_P8_no_further_roll_after_a_win():
    then = played(game_at([2, 2, 5, 5], red=["row 6", "home", "home", "home"]), "2: red row 6>home")
    assert then.is_over
    assert then.position()["winner"] == ["red"]


def test_P8_five_five_that_empties_the_nest_has_two_parts_only():
    game = dealt(game_at(red=[18, 30, 40]), 5, 5)
    then = played(game, "5: red nest>5")
    assert dice(then) == ([5], [])


# --- P9 the third doublet


def test_P9_the_third_doublet_sends_the_foremost_piece_back_and_ends_the_turn():
    game = game_at(red=[18, 30, "row 2", "home"], doublets=2)
    then = dealt(game, 4, 4)
    assert pieces(then, "red") == ["nest", 18, 30, "home"]
    assert then.to_move == "yellow"
    assert then.awaits_chance
    assert then.position()["turns"] == 2
    assert then.position()["doublets"] == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([18, 30], [18]),
        ([18, 18], [18]),
        (["home"] * 3, ["home"] * 3),
        ([], []),
        ([3, 6], [3]),  # the piece past its turn-off has 73 steps left, the other 70
        ([0, 3], [3]),
        (["row 7", 0], [0]),
    ],
)
def test_P9_which_piece_goes_back(before, after):
    then = dealt(game_at(red=before, doublets=2), 1, 1)
    assert [place for place in pieces(then, "red") if place != "nest"] == after


def test_P9_no_other_roll_is_punished():
    assert dice(dealt(game_at(red=[18], doublets=2), 1, 2)) == ([1, 2], [])
    assert dice(dealt(game_at(red=[18], doublets=1), 2, 2)) == ([2, 2], [])


def test_P9_three_doublets_in_a_row():
    game = played(dealt(game_at(red=[18]), 1, 1), "1: red 18>19", "1: red 19>20")
    game = played(dealt(game, 2, 2), "2: red 20>22", "2: red 22>24")
    assert game.position()["doublets"] == 2
    assert pieces(dealt(game, 3, 3), "red") == ["nest"] * 4


def test_P9_can_be_switched_off():
    game = dealt(game_at(red=[18], doublets=2, third_doublet_penalty=False), 4, 4)
    assert dice(game) == ([4, 4], [])
    then = played(game, "4: red 18>22", "4: red 22>26")
    assert then.to_move == "red"
    assert then.position()["doublets"] == 3


def test_P9_the_count_begins_anew_with_each_turn():
    game = dealt(game_at(red=[18], doublets=2), 1, 2)
    assert played(game, "1: red 18>19", "2: red 19>21").position()["doublets"] == 0


# --- P10 rewards


def test_P10_a_piece_reaching_home_earns_10():
    then = played(game_at([2], red=["row 6", 18]), "2: red row 6>home")
    assert dice(then) == ([], [10])
    assert texts(then) == {"10: red 18>28", "10: decline"}


def test_P10_rewards_come_after_all_dice():
    game = game_at([2, 6], red=[18], yellow=[20])
    then = played(game, "2: red 18>20 captures yellow")
    assert texts(then) == {"6: red 20>26"}
    then = played(then, "6: red 20>26")
    assert texts(then) == {"20: red 26>46", "20: decline"}


def test_P10_dice_that_cannot_be_used_are_given_up_before_the_rewards():
    game = game_at([6], red=[18], yellow=[24, 24], rewards=[20])
    assert texts(game) == {"pass"}
    assert texts(played(game, "pass")) == {"20: decline"}


def test_P10_rewards_come_before_the_extra_roll():
    game = game_at([2, 2], red=[18], yellow=[20])
    then = played(game, "2: red 18>20 captures yellow", "2: red 20>22")
    assert texts(then) == {"20: red 22>42", "20: decline"}
    then = played(then, "20: red 22>42")
    assert then.awaits_chance
    assert then.to_move == "red"


def test_P10_several_in_any_order_to_one_piece_or_more():
    game = game_at(rewards=[10, 20], red=[18, 40])
    assert texts(game) == {
        "10: red 18>28",
        "10: red 40>50",
        "10: decline",
        "20: red 18>38",
        "20: red 40>60",
        "20: decline",
    }
    then = played(game, "20: red 18>38")
    assert texts(then) == {"10: red 38>48", "10: red 40>50", "10: decline"}
    assert played(then, "10: red 38>48").to_move == "yellow"


def test_P10_each_may_be_declined_and_is_lost_then():
    game = game_at(rewards=[20, 20], red=[18])
    then = played(game, "20: decline")
    assert dice(then) == ([], [20])
    assert played(then, "20: decline").to_move == "yellow"


def test_P10_a_reward_may_earn_another_one():
    game = game_at(rewards=[20], red=[18], yellow=[38])
    then = played(game, "20: red 18>38 captures yellow")
    assert dice(then) == ([], [20])
    game = game_at(rewards=[10], red=[66, 18])
    then = played(game, "10: red 66>home")
    assert dice(then) == ([], [10])


def test_P10_blockades_and_safe_squares_hold():
    assert texts(game_at(rewards=[20], red=[18], yellow=[30, 30])) == {"20: decline"}
    assert texts(game_at(rewards=[10], red=[19], yellow=[29])) == {"10: decline"}


def test_P10_a_reward_never_brings_a_piece_out_of_the_nest():
    assert texts(game_at(rewards=[10, 20])) == {"10: decline", "20: decline"}


def test_P10_a_piece_that_enters_and_captures_earns_too():
    then = played(game_at([5], yellow=[5]), "5: red nest>5 captures yellow")
    assert texts(then) == {"20: red 5>25", "20: decline"}


# --- P11 another lap


def test_P11_turning_up_the_home_row_is_not_compulsory():
    assert texts(game_at([4], red=[66])) == {"4: red 66>row 2", "4: red 66>2"}
    assert texts(game_at([2], red=[66])) == {"2: red 66>0"}


def test_P11_by_a_reward_too():
    assert texts(game_at(rewards=[10], red=[66])) == {"10: red 66>home", "10: red 66>8", "10: decline"}
    assert texts(game_at(rewards=[20], red=[66])) == {"20: red 66>18", "20: decline"}


def test_P11_a_piece_must_go_past_if_nothing_else_uses_the_die():
    game = game_at([6], red=[67, "row 1"], yellow=[0])
    assert texts(game) == {"6: red 67>row 5", "6: red 67>5", "6: red row 1>row 7"}
    game = game_at([6], red=[67, "row 5", "row 5"])
    assert texts(game) == {"6: red 67>5"}


def test_P11_a_piece_past_its_turn_off_goes_all_the_way_round():
    assert texts(game_at([6], red=[2])) == {"6: red 2>8"}
    assert texts(game_at([3], red=[4])) == {"3: red 4>7"}


def test_P11_a_piece_in_the_home_row_stays_there():
    assert texts(game_at([6], red=["row 2"])) == {"6: red row 2>home"}
    assert texts(game_at([6], red=["row 3"])) == {"pass"}


def test_P11_the_usual_house_rule():
    assert texts(game_at([4], red=[66], second_lap=False)) == {"4: red 66>row 2"}
    assert texts(game_at([6], red=[67, "row 5", "row 5"], second_lap=False)) == {"pass"}


# --- P12 doublets and blockades


def test_P12_a_doublet_passes_no_blockade_by_default():
    assert texts(game_at([3, 3], red=[18], yellow=[20, 20])) == {"pass"}


def test_P12_with_the_flag_a_doublet_passes_over_a_foreign_blockade():
    game = game_at([3, 3], red=[18], yellow=[20, 20], doublet_breaks_blockade=True)
    assert texts(game) == {"3: red 18>21"}
    parts = game_at([1, 1, 6, 6], red=[18, "home", "home", "home"], yellow=[20, 20], doublet_breaks_blockade=True)
    assert texts(parts) == {"1: red 18>19", "6: red 18>24"}


def test_P12_it_does_not_land_on_one():
    game = game_at([3, 3], red=[18], yellow=[21, 21], doublet_breaks_blockade=True)
    assert texts(game) == {"pass"}
    assert "P12" in game.why_illegal(game.variant.actions.id(_move(3, 3)))
    game = game_at([3, 3], red=[19], yellow=[22, 22], doublet_breaks_blockade=True)
    assert texts(game) == {"pass"}


def test_P12_not_the_own_one():
    game = game_at([3, 3], red=[18, 20, 20], doublet_breaks_blockade=True)
    assert texts(game) == {"3: red 20>23"}


def test_P12_not_by_other_rolls():
    assert texts(game_at([3], red=[18], yellow=[20, 20], doublet_breaks_blockade=True)) == {"pass"}


def test_P12_it_does_not_enter_through_one():
    game = game_at([5, 5], yellow=[5, 5], doublet_breaks_blockade=True)
    assert texts(game) == {"pass"}


def test_P12_not_with_rewards():
    game = game_at(rewards=[20], rolled=[3, 3], doublets=1, red=[18], yellow=[30, 30], doublet_breaks_blockade=True)
    assert texts(game) == {"20: decline"}


# --- P13 the end


def test_P13_home_by_exact_die_or_full_reward():
    assert texts(game_at([3], red=["row 5"])) == {"3: red row 5>home"}
    assert texts(game_at([3], red=["row 6"])) == {"pass"}
    assert texts(game_at(rewards=[10], red=[66], second_lap=False)) == {"10: red 66>home", "10: decline"}
    assert texts(game_at(rewards=[10], red=[67], second_lap=False)) == {"10: decline"}


def test_P13_the_first_with_four_home_wins_at_once():
    game = game_at([2, 4], red=["row 6", "home", "home", "home"], blue=[20], yellow=[])
    then = played(game, "2: red row 6>home")
    assert then.is_over
    assert then.to_move is None
    assert then.legal() == []
    assert dice(then) == ([], [])
    assert then.returns() == {"red": 1, "blue": -0.5, "yellow": -0.5}
    assert then.position()["winner"] == ["red"]


def test_P13_a_reward_may_win():
    then = played(game_at(rewards=[10, 20], red=[66, "home", "home", "home"]), "10: red 66>home")
    assert then.is_over
    assert dice(then) == ([], [])


def test_P13_three_home_are_not_enough():
    then = played(game_at([2], red=["row 6", "home", "home"]), "2: red row 6>home")
    assert not then.is_over


@pytest.mark.parametrize("count", [1, 2, 3])
def test_P13_with_fewer_pieces_those_must_be_home(count):
    at = {"red": ["row 6"] + ["home"] * (count - 1), "pieces": count}
    assert played(game_at([2], **at), "2: red row 6>home").position()["winner"] == ["red"]


# --- P14 truncation


def test_P14_a_game_is_truncated_after_the_turn_limit():
    game = game_at([3, 4], turns=9, turn_limit=9)
    then = played(game, "pass")
    assert then.is_over
    assert then.position()["winner"] == []
    assert then.position()["to_move"] is None
    assert then.position()["turns"] == 9
    assert then.returns() == {"red": 0, "yellow": 0}


def test_P14_an_extra_roll_is_no_new_turn():
    then = played(game_at([3, 3], turns=9, turn_limit=9), "pass")
    assert not then.is_over
    assert then.to_move == "red"


def test_P14_the_punishment_may_be_the_end():
    then = dealt(game_at(red=[18], doublets=2, turns=9, turn_limit=9), 1, 1)
    assert then.is_over
    assert pieces(then, "red") == ["nest"] * 4


def test_P14_a_win_in_the_last_turn_counts():
    then = played(
        game_at([2], red=["row 6", "home", "home", "home"], turns=9, turn_limit=9),
        "2: red row 6>home",
    )
    assert then.position()["winner"] == ["red"]


# --- positions that cannot be


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"dice": [7]}, "a die shows 1 to 6"),
        ({"dice": [True]}, "a die shows 1 to 6"),
        ({"dice": 3}, "expected a list of the dice"),
        ({"dice": [2]}, "not a part of the roll"),
        ({"dice": [3, 3]}, "not a part of the roll"),
        ({"dice": [3, 3, 4, 4], "rolled": [3, 3]}, "two tops only"),
        ({"rolled": [3]}, "rolled is"),
        ({"rolled": [0, 3]}, "rolled is"),
        ({"rolled": []}, "rolled is missing"),
        ({"rewards": [15]}, "a reward is 10 or 20"),
        ({"rewards": 20}, "rewards is 20"),
        ({"rewards": [10] * 5}, "there are 4 own pieces"),
        ({"doublets": 3}, "P9"),
        ({"doublets": -1}, "doublets is -1"),
        ({"rolled": [3, 3], "doublets": 0}, "the roll on the table counts"),
        ({"together": [[18, 20]]}, "together is"),
        ({"together": {"yellow": [[18, 20]]}}, "only pieces of the colour to move"),
        ({"together": {"red": [[18, 20]]}}, "where no red piece stands"),
        ({"together": {"red": [[18]]}}, "expected two places"),
        ({"together": {"red": [[18, 18]]}}, "in no other pair"),
        ({"together": {"red": [["nest", 18]]}}, "on squares only"),
        ({"together": {"red": 18}}, "expected a list of pairs"),
        ({"pieces": {"red": [18], "yellow": ["nest"] * 4}}, "red has 1 pieces"),
        ({"pieces": {"red": [68, "row 8", "start", "row 0"], "yellow": ["nest"] * 4}}, "a place is"),
        ({"pieces": {"red": ["nest"] * 4}}, "yellow's pieces are None"),
        ({"pieces": {"blue": ["nest"] * 4}}, "who has no seat"),
        ({"pieces": None}, "pieces is None"),
        ({"to_move": "blue"}, "to_move is"),
        ({"turns": 0}, "turns is 0"),
        ({"winner": ["red"]}, "to_move is"),
        ({"winner": "red"}, "winner is"),
        ({"winner": [], "to_move": None, "dice": []}, "truncated at its turn limit only"),
        ({"pieces": {"red": FOUR_HOME, "yellow": ["nest"] * 4}}, "the game is over"),
        (
            {"pieces": {"red": FOUR_HOME, "yellow": FOUR_HOME}, "winner": ["red"]},
            "the game ends with the first that does",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(changed, words):
    with pytest.raises(InvalidPosition) as error:
        Game.from_position(position([3], red=[18]) | changed)
    assert words in str(error.value)


JUNK = [None, True, 3, -1, "3", [], [3], [[3]], [None], {}, {"red": 3}, {"red": [[3, "x"]]}, 2.5, [[3, 3], [4]]]


@pytest.mark.parametrize("key", ["pieces", "dice", "rewards", "rolled", "doublets", "together", "turns", "to_move"])
@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_is_refused_in_words_or_understood(key, junk):
    for at in (position([3, 6], red=[18]), position([], red=[18]), position([3, 4, 3, 4], red=[3, 4, 5, 6])):
        for also in ({}, {"rolled": None}):
            try:
                game = Game.from_position(at | also | {key: junk})
            except InvalidPosition:
                continue
            assert Game.from_position(game.position()).position() == game.position()


def test_a_together_without_a_roll_is_refused():
    with pytest.raises(InvalidPosition, match="a roll is due"):
        game_at(red=[18, 20], together={"red": [[18, 20]]})


def test_every_problem_is_named():
    with pytest.raises(InvalidPosition) as error:
        Game.from_position(
            position([3], red=[7, 7, 7], yellow=[7]) | {"rewards": [5], "doublets": 9, "turns": 0, "to_move": "green"}
        )
    for words in ("at most two", "two colours", "a reward is", "doublets is 9", "turns is 0", "to_move"):
        assert words in str(error.value)


@pytest.mark.parametrize(
    ("dice", "rolled"), [([6, 3], [3, 6]), ([2, 2], [2, 2]), ([3, 4, 3, 4], [3, 3]), ([], []), (None, [])]
)
def test_the_dice_tell_the_roll(dice, rolled):
    at = position(red=[18, 30, "home", "home"]) | {"dice": dice}
    del at["rolled"], at["rewards"]
    if dice is None:
        del at["dice"]
    assert Game.from_position(at).position()["rolled"] == rolled


@pytest.mark.parametrize("dice", [[3], [3, 3, 4]])
def test_fewer_dice_do_not(dice):
    at = position(red=[18, 30, "home", "home"]) | {"dice": dice}
    del at["rolled"]
    with pytest.raises(InvalidPosition, match="rolled is missing"):
        Game.from_position(at)


def _move(steps, piece, past=0):
    from sorry_env.parcheesi.actions import Action
    from sorry_env.parcheesi.board import MOVE

    return Action(MOVE, steps, piece, past)
