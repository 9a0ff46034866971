"""Section T of the rules: partners, in the edition of 1939 and in the modern one."""

import pytest

from positions import (
    CARDS,
    COLOURS,
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
    played,
    position,
    texts,
)
from sorry_env import Game, IllegalAction, InvalidPosition, RulesetError

both_editions = pytest.mark.parametrize("ruleset", ["teams_1939", "teams_modern"])
either_partner = pytest.mark.parametrize("mover", ["red", "yellow"])


def table(card="7", to_move="red", ruleset="teams_1939", pending=None, **named):
    """A position of four seats, red and yellow against blue and green."""
    result = position(card, to_move, ruleset=ruleset, seats=list(COLOURS), **named)
    if pending is not None:
        result["pending"] = pending
    return result


def game_of(*arguments, **named):
    """The game in that `table`."""
    return Game.from_position(table(*arguments, **named))


def modern(card="7", to_move="red", **named):
    """The game of the modern edition."""
    return game_of(card, to_move, "teams_modern", **named)


def outcomes(game, *colours):
    """Where the pawns of the colours, by default red and yellow, may stand after the action."""
    colours = colours or ("red", "yellow")
    then = [game.after(action) for action in game.legal()]
    return {tuple(places(one, colour) for colour in colours) for one in then}


# --- T1 the team's eight pawns


@pytest.mark.parametrize(("ruleset", "ones"), [("teams_1939", 4), ("teams_modern", 5)])
def test_T1_decks_of_44_and_45(ruleset, ones):
    expected = {card: (ones if card == "1" else 4) / (40 + ones) for card in CARDS}
    assert odds(game_of(None, ruleset=ruleset)) == pytest.approx(expected)


@both_editions
def test_T1_four_pawns_each_all_in_start(ruleset):
    pawns = Game(ruleset).position()["pawns"]
    assert pawns == {colour: ["start"] * 4 for colour in COLOURS}


@both_editions
@either_partner
def test_T1_a_card_may_be_used_on_any_pawn_of_the_team_and_on_no_other(ruleset, mover):
    game = game_of("3", mover, ruleset, red=[10, "safe 1"], blue=[20], yellow=[40], green=[50])
    assert texts(game) == {"3: red 10>13", "3: red safe 1>safe 4", "3: yellow 40>43"}


@both_editions
def test_T1_the_other_team_moves_its_own_pawns(ruleset):
    for mover in ("blue", "green"):
        game = game_of("3", mover, ruleset, red=[10], blue=[20], yellow=[40], green=[50])
        assert texts(game) == {"3: blue 20>23", "3: green 50>53"}


@both_editions
@either_partner
@pytest.mark.parametrize("card", ["1", "2"])
def test_T1_a_1_or_a_2_starts_a_pawn_of_either_partner(ruleset, mover, card):
    game = game_of(card, mover, ruleset)
    assert texts(game) == {f"{card}: red start>4", f"{card}: yellow start>34"}


@both_editions
def test_T1_the_extra_card_of_a_2_serves_either_partner_too(ruleset):
    then = played(game_of("2", ruleset=ruleset), "2: yellow start>34")
    assert (then.to_move, then.awaits_chance) == ("red", True)
    assert texts(dealt(then, "1")) == {"1: red start>4", "1: yellow 34>35"}


@both_editions
@either_partner
def test_T1_a_turn_is_lost_only_if_neither_partner_can_use_the_card(ruleset, mover):
    assert is_lost(game_of("3", mover, ruleset, red=["safe 4"], yellow=["safe 5"]))
    assert texts(game_of("3", mover, ruleset, red=["safe 4"], yellow=["safe 2"])) == {"3: yellow safe 2>safe 5"}


@both_editions
def test_T1_either_partner_s_ten_forward_or_one_back(ruleset):
    game = game_of("10", ruleset=ruleset, red=[5], yellow=[35])
    assert texts(game) == {"10: red 5>15", "10: red 5>4", "10: yellow 35>45", "10: yellow 35>34"}


@both_editions
def test_T1_play_passes_clockwise_whoever_s_pawn_has_moved(ruleset):
    assert after(game_of("3", ruleset=ruleset, yellow=[40]), yellow=[43]).to_move == "blue"
    assert after_passing(game_of("3", "green", ruleset)).to_move == "red"


@both_editions
@pytest.mark.parametrize("seats", [2, 3, ["red", "blue", "yellow"], ["red", "yellow"]])
def test_T1_teams_need_four_seats(ruleset, seats):
    with pytest.raises(RulesetError, match=r"(?i)four"):
        Game(ruleset, seats=seats)


@both_editions
@pytest.mark.parametrize("seats", [["red", "yellow"], ["red", "blue", "yellow"]])
def test_T1_a_position_of_teams_with_fewer_seats_is_refused(ruleset, seats):
    with pytest.raises((InvalidPosition, RulesetError), match=r"(?i)four|seats"):
        Game.from_position(position("3", ruleset=ruleset, seats=seats))


@pytest.mark.parametrize(
    "changes",
    [
        {"hand_size": 5},
        {"tokens": True},
        {"tokens": True, "two_draws_again": False},
        {"question_cards": 8},
        {"points": "1939"},
        {"points": "modern"},
        {"turbo": True},
    ],
)
@both_editions
def test_T1_teams_are_not_combined_with_other_editions(ruleset, changes):
    with pytest.raises(RulesetError):
        Game(ruleset, **changes)


# --- T2 the colour keeps its path


@both_editions
@either_partner
@pytest.mark.parametrize(
    ("card", "origin", "end"),
    [
        ("3", 32, "safe 3"),
        ("5", 29, "safe 2"),
        ("3", 28, 31),
        ("4", 43, 39),
        ("3", 58, 4),
        ("5", 59, 4),
        ("3", 1, 4),
        ("3", 13, 19),
        ("4", "safe 1", 29),
        ("3", "safe 3", "home"),
        ("8", 30, "home"),
    ],
)
def test_T2_yellow_keeps_its_path_slides_zone_and_home_whoever_plays_the_card(ruleset, mover, card, origin, end):
    assert ends(game_of(card, mover, ruleset, yellow=[origin]), "yellow") == {(end,)}


@both_editions
@either_partner
@pytest.mark.parametrize(
    ("card", "origin", "end"), [("3", 32, 35), ("3", 28, 34), ("3", 36, 43), ("3", 59, 2), ("5", 2, "safe 5")]
)
def test_T2_to_red_the_partner_s_side_is_foreign(ruleset, mover, card, origin, end):
    assert ends(game_of(card, mover, ruleset, red=[origin]), "red") == {(end,)}


@both_editions
def test_T2_the_partners_zones_do_not_interact(ruleset):
    then = after(game_of("3", ruleset=ruleset, red=["safe 1"], yellow=["safe 4"]), red=["safe 4"])
    assert places(then, "yellow") == ("safe 4",)


# --- T3 the partner is not protected


@both_editions
@pytest.mark.parametrize(
    ("card", "red", "end"), [("3", [10], 13), ("4", [17], 13), ("1", [12, *THREE_HOME], 13), ("10", [14], 13)]
)
def test_T3_landing_on_the_partner_s_pawn_sends_it_to_start(ruleset, card, red, end):
    game = game_of(card, ruleset=ruleset, red=red, yellow=[13, 50])
    then = after(game, red=[end, *red[1:]], yellow=[50])
    assert then.position()["pawns"]["yellow"].count("start") == 3


@both_editions
@either_partner
def test_T3_the_partner_s_pawn_lands_on_red_as_well(ruleset, mover):
    after(game_of("3", mover, ruleset, red=[10, 50], yellow=[7]), red=[50], yellow=[10])


@both_editions
@pytest.mark.parametrize("card", ["1", "2"])
def test_T3_entering_onto_the_partner_s_pawn_sends_it_to_start(ruleset, card):
    after(game_of(card, ruleset=ruleset, yellow=[4, 50]), red=[4], yellow=[50])
    after(game_of(card, ruleset=ruleset, red=[34, 20]), red=[20], yellow=[34])


@both_editions
def test_T3_sliding_over_the_partner_s_pawns_sends_them_to_start(ruleset):
    game = game_of("3", ruleset=ruleset, red=[13], yellow=[16, 18, 19, 20])
    after(game, red=[19], yellow=[20])


@both_editions
@either_partner
def test_T3_two_pawns_of_one_colour_never_share_a_square(ruleset, mover):
    # 40 + 3 is held by yellow itself; 43 + 3 = 46 is green's slide.
    assert texts(game_of("3", mover, ruleset, yellow=[40, 43])) == {"3: yellow 43>49 slide"}
    assert texts(game_of("1", mover, ruleset, red=[4, *THREE_HOME], yellow=[34])) == {"1: red 4>5", "1: yellow 34>35"}


@both_editions
def test_T3_a_position_with_partners_on_one_square_is_refused(ruleset):
    with pytest.raises(InvalidPosition):
        game_of(ruleset=ruleset, red=[10], yellow=[10])


# --- T4 Sorry!


@both_editions
@either_partner
def test_T4_sorry_takes_either_partner_s_pawn_from_start_and_an_opponent_s_pawn(ruleset, mover):
    game = game_of("sorry", mover, ruleset, red=[10], blue=[20, "safe 1"], yellow=[40], green=[50, "home"])
    assert texts(game) == {
        "sorry: red start>20 bumps blue",
        "sorry: red start>50 bumps green",
        "sorry: yellow start>20 bumps blue",
        "sorry: yellow start>50 bumps green",
    }


@both_editions
@either_partner
def test_T4_the_pawn_slides_as_its_own_colour_does(ruleset, mover):
    game = game_of("sorry", mover, ruleset, blue=[31])
    assert outcomes(game) == {((34,), ()), ((), (31,))}


@both_editions
def test_T4_one_partner_without_pawns_in_start_leaves_it_to_the_other(ruleset):
    game = game_of("sorry", ruleset=ruleset, red=[5, *THREE_HOME], blue=[20])
    assert texts(game) == {"sorry: yellow start>20 bumps blue"}
    game = game_of("sorry", ruleset=ruleset, yellow=[36, *THREE_HOME], blue=[20])
    assert texts(game) == {"sorry: red start>20 bumps blue"}


@both_editions
@either_partner
@pytest.mark.parametrize("blue", [[], ["safe 1"], ["safe 5", "home"]])
def test_T4_without_an_opponent_on_the_ring_the_other_colour_of_the_team_must_be_sorried(ruleset, mover, blue):
    game = game_of("sorry", mover, ruleset, red=[10], blue=blue, yellow=[40, "safe 2"], green=["home"])
    assert texts(game) == {"sorry: red start>40 bumps yellow", "sorry: yellow start>10 bumps red"}
    assert passes(game) == []


@both_editions
def test_T4_a_pawn_that_replaces_its_partner_slides_too(ruleset):
    game = game_of("sorry", ruleset=ruleset, yellow=[39, 41])
    assert outcomes(game) == {((43,), ()), ((41,), (39,))}


@both_editions
@pytest.mark.parametrize(("red", "yellow"), [([10], FOUR_HOME), ([10], ["safe 1", *THREE_HOME]), ([], [])])
def test_T4_a_pawn_is_never_sorried_by_its_own_colour(ruleset, red, yellow):
    assert is_lost(game_of("sorry", ruleset=ruleset, red=red, yellow=yellow))


@both_editions
def test_T4_without_a_pawn_of_the_team_in_start_the_turn_is_lost(ruleset):
    assert is_lost(game_of("sorry", ruleset=ruleset, red=[10, *THREE_HOME], yellow=[40, 41, 42, 43], blue=[20]))


# --- T5 the 11


@both_editions
@either_partner
def test_T5_either_partner_s_pawn_swaps_with_an_opponent_s_and_never_with_the_partner_s(ruleset, mover):
    game = game_of("11", mover, ruleset, red=[6], blue=[20], yellow=[40], green=["safe 1"])
    assert outcomes(game, "red", "yellow", "blue") == {
        ((17,), (40,), (20,)),
        ((6,), (51,), (20,)),
        ((20,), (40,), (6,)),
        ((6,), (20,), (40,)),
    }
    assert len(game.legal()) == 4


@both_editions
def test_T5_without_an_opponent_on_the_ring_there_is_no_swap(ruleset):
    game = game_of("11", ruleset=ruleset, red=[6], yellow=[40])
    assert texts(game) == {"11: red 6>17", "11: yellow 40>51"}
    assert is_lost(game_of("11", ruleset=ruleset, red=[0], yellow=[30]))


@both_editions
def test_T5_swaps_may_be_declined_only_if_neither_partner_can_go_eleven_forward(ruleset):
    assert passes(game_of("11", ruleset=ruleset, red=[0], yellow=[40], blue=[20])) == []
    game = game_of("11", ruleset=ruleset, red=[0], yellow=[30], blue=[20])
    assert outcomes(game, "red", "yellow", "blue") == {
        ((0,), (30,), (20,)),
        ((20,), (30,), (0,)),
        ((0,), (20,), (30,)),
    }
    assert len(passes(game)) == 1


@both_editions
def test_T5_a_slide_after_a_swap_follows_each_pawn_s_own_colour(ruleset):
    # Yellow comes to 24, blue's, and slides; blue comes to 39, yellow's, and slides as well.
    game = game_of("11", ruleset=ruleset, yellow=[39, *THREE_HOME], blue=[24])
    assert outcomes(game, "yellow", "blue") == {((50, *THREE_HOME), (24,)), ((28, *THREE_HOME), (43,))}


# --- T6 all eight


@both_editions
@pytest.mark.parametrize(
    ("card", "yellow", "expected"),
    [
        ("3", [40], {"3: yellow 40>43"}),
        ("1", [], {"1: yellow start>34"}),
        ("7", [47], {"7: yellow 47>58 slide"}),
        ("4", [40], {"4: yellow 40>36"}),
    ],
)
def test_T6_a_seat_whose_four_are_home_goes_on_playing_for_its_partner(ruleset, card, yellow, expected):
    assert texts(game_of(card, ruleset=ruleset, red=FOUR_HOME, yellow=yellow)) == expected


@both_editions
def test_T6_four_pawns_home_do_not_win(ruleset):
    then = after(game_of("3", ruleset=ruleset, red=["safe 3", *THREE_HOME], yellow=THREE_HOME), red=FOUR_HOME)
    assert (then.is_over, then.to_move, then.awaits_chance) == (False, "blue", True)


@both_editions
def test_T6_eight_pawns_home_of_two_opponents_do_not_win(ruleset):
    game = game_of("3", "blue", ruleset, red=FOUR_HOME, blue=["safe 3", *THREE_HOME])
    then = after(game, blue=FOUR_HOME)
    assert (then.is_over, then.to_move) == (False, "yellow")


@both_editions
@pytest.mark.parametrize(
    ("mover", "last", "partner"),
    [("red", "red", "yellow"), ("red", "yellow", "red"), ("yellow", "red", "yellow"), ("blue", "green", "blue")],
)
def test_T6_the_first_team_with_all_eight_home_wins_at_once(ruleset, mover, last, partner):
    game = game_of("2", mover, ruleset, **{last: ["safe 4", *THREE_HOME], partner: FOUR_HOME})
    then = after(game, **{last: FOUR_HOME})
    assert (then.is_over, then.to_move, then.awaits_chance) == (True, None, False)
    assert sorted(then.position()["winner"]) == sorted([last, partner])
    assert Game.from_position(then.position()).position() == then.position()


@both_editions
def test_T6_a_position_in_which_a_team_has_finished_and_goes_on_is_refused(ruleset):
    with pytest.raises(InvalidPosition):
        game_of("3", ruleset=ruleset, red=FOUR_HOME, yellow=FOUR_HOME)


# --- T7 the 7 of 1939


def test_T7_1939_the_two_parts_may_be_shared_by_the_partners():
    game = game_of("7", red=[10], yellow=[40])
    assert outcomes(game) == {
        ((17,), (40,)),
        ((10,), (47,)),
        ((11,), (49,)),  # 46 slides
        ((12,), (45,)),
        ((13,), (44,)),
        ((14,), (43,)),
        ((15,), (42,)),
        ((19,), (41,)),  # 16 slides
    }
    assert len(game.legal()) == 8


def test_T7_1939_two_orders_that_end_alike_are_one_move():
    game = game_of("7", red=[10], yellow=[40])
    assert game.parse("7: red 10>13, yellow 40>44") == game.parse("7: yellow 40>44, red 10>13")


def test_T7_1939_at_most_two_of_the_eight_pawns():
    game = game_of("7", red=[10], yellow=[35, 50])
    assert len(game.legal()) == 3 + 3 * 6
    assert max(text.count(">") for text in texts(game)) == 2
    assert is_lost(game_of("7", red=["safe 4", "safe 5"], yellow=["safe 2"]))  # two steps, one and four


def test_T7_1939_both_parts_may_be_the_partner_s():
    game = game_of("7", red=FOUR_HOME, yellow=["safe 4", "safe 1"])
    assert outcomes(game, "yellow") == {(("home", "home"),)}
    assert len(game.legal()) == 1


def test_T7_1939_a_first_part_that_bumps_the_partner_s_pawn_keeps_it_from_the_second():
    game = game_of("7", red=[10], yellow=[13])
    assert len(actions_to(game, red=[13], yellow=[17])) == 1  # yellow first
    with pytest.raises(IllegalAction):
        game.parse("7: red 10>13 bumps yellow, yellow 13>17")


def test_T7_1939_partners_whose_parts_meet_bump_in_the_order_played():
    game = game_of("7", red=[20], yellow=[19])  # both may reach 23
    assert len(actions_to(game, red=[23], yellow=[])) == 1
    assert len(actions_to(game, red=[], yellow=[23])) == 1


def test_T7_1939_the_last_part_wins_for_the_team():
    game = game_of("7", red=["safe 4", *THREE_HOME], yellow=["safe 1", *THREE_HOME])
    then = after(game, red=FOUR_HOME, yellow=FOUR_HOME)
    assert sorted(then.position()["winner"]) == ["red", "yellow"]


# --- T7 the modern 7


@either_partner
def test_T7_modern_each_part_is_an_action(mover):
    game = modern(to_move=mover, red=[10], yellow=[40])
    red = {f"7: red 10>{end}" for end in (11, 12, 13, 14, 15, "19 slide", 17)}
    yellow = {f"7: yellow 40>{end}" for end in (41, 42, 43, 44, 45, "49 slide", 47)}
    assert texts(game) == red | yellow


def test_T7_modern_a_part_of_seven_ends_the_turn():
    then = played(modern(red=[10], yellow=[40]), "7: red 10>17")
    assert (then.to_move, then.awaits_chance) == ("blue", True)
    assert then.position().get("pending") is None


def test_T7_modern_a_shorter_part_leaves_the_rest_to_pawns_that_have_not_moved():
    then = played(modern(red=[10, 22], yellow=[40], turns=5), "7: red 10>13")
    assert (then.to_move, then.awaits_chance) == ("red", False)
    assert (then.position()["card"], then.position()["turns"]) == ("7", 5)
    pending = then.position()["pending"]
    assert (pending["decision"], pending["left"], pending["moved"]["red"]) == ("part", 4, [13])
    assert pending["moved"].get("yellow", []) == []
    red = {f"7: red 22>{end}" for end in (23, "28 slide", 25, 26)}
    assert texts(then) == red | {f"7: yellow 40>{end}" for end in (41, 42, 43, 44)}


def test_T7_modern_the_rest_of_a_7_can_be_set_up():
    pending = {"decision": "part", "left": 4, "moved": {"red": [20], "yellow": []}}
    game = modern(red=[13, 20], yellow=[40], pending=pending)
    assert game.position()["pending"] == pending
    red = {f"7: red 13>{end}" for end in (14, 15, "19 slide", 17)}
    assert texts(game) == red | {f"7: yellow 40>{end}" for end in (41, 42, 43, 44)}
    assert Game.from_position(game.position()).position() == game.position()


def test_T7_modern_the_partner_s_moved_pawn_stays_as_well():
    pending = {"decision": "part", "left": 2, "moved": {"red": ["safe 2"], "yellow": [40]}}
    game = modern(red=["safe 2", 10], yellow=[40, 50], pending=pending)
    assert texts(game) == {"7: red 10>11", "7: red 10>12", "7: yellow 50>51", "7: yellow 50>52"}


def test_T7_modern_a_pawn_that_has_moved_may_not_move_again():
    pending = {"decision": "part", "left": 4, "moved": {"red": [20], "yellow": []}}
    action = modern(red=[13, 20], yellow=[40]).parse("7: red 20>22")
    game = modern(red=[13, 20], yellow=[40], pending=pending)
    assert "20" in game.why_illegal(action)
    with pytest.raises(IllegalAction):
        game.parse("7: red 20>22")


def test_T7_modern_four_pawns_may_share_it():
    game = played(modern(red=[10, 22], yellow=[40, 51]), "7: red 10>11")
    game = played(game, "7: yellow 40>42")
    assert game.position()["pending"]["left"] == 4
    assert game.position()["pending"]["moved"] == {"red": [11], "yellow": [42]}
    assert texts(game) == {
        *(f"7: red 22>{end}" for end in (23, "28 slide", 25, 26)),
        *(f"7: yellow 51>{end}" for end in (52, 53, "58 slide", 55)),
    }
    game = played(game, "7: yellow 51>53")
    game = played(game, "7: red 22>28 slide")
    assert (places(game, "red"), places(game, "yellow")) == ((11, 28), (42, 53))
    assert (game.to_move, game.awaits_chance) == ("blue", True)


@pytest.mark.parametrize(
    ("red", "yellow", "expected"),
    [
        (["safe 4"], ["safe 1"], {"7: red safe 4>home", "7: yellow safe 1>home"}),
        (
            ["safe 4", "safe 5"],
            ["safe 2"],
            {"7: red safe 4>home", "7: red safe 5>home", "7: yellow safe 2>home"},
        ),
        (  # red can take one to four steps: yellow takes three at least, or leaves too much
            ["safe 2"],
            [36],
            {f"7: red safe 2>{end}" for end in ("safe 3", "safe 4", "safe 5", "home")}
            | {f"7: yellow 36>{end}" for end in (39, 40, 41, 42, 43)},
        ),
    ],
)
def test_T7_modern_a_part_is_allowed_only_if_all_seven_can_still_be_used(red, yellow, expected):
    assert texts(modern(red=red, yellow=yellow)) == expected


def test_T7_modern_pawns_that_are_home_are_no_longer_named_as_moved():
    then = played(modern(red=["safe 4", "safe 5"], yellow=["safe 2"]), "7: red safe 5>home")
    pending = then.position()["pending"]
    assert (pending["left"], [place for own in pending["moved"].values() for place in own]) == (6, [])
    assert texts(then) == {"7: red safe 4>home", "7: yellow safe 2>home"}


@pytest.mark.parametrize(
    ("red", "yellow"),
    [
        (["safe 4"], ["safe 5"]),
        ([], []),
        (["safe 5", *THREE_HOME], ["safe 3", *THREE_HOME]),  # would win with three steps unused
    ],
)
def test_T7_modern_a_7_that_cannot_be_used_up_is_lost(red, yellow):
    assert is_lost(modern(red=red, yellow=yellow))


def test_T7_modern_a_part_may_not_bump_the_pawn_that_has_to_use_the_rest():
    # 10 + 3 would send yellow's only pawn to Start with four steps left.
    game = modern(red=[10], yellow=[13])
    red = {f"7: red 10>{end}" for end in (11, 12, 14, 15, "19 slide", 17)}
    assert texts(game) == red | {f"7: yellow 13>{end}" for end in (14, 15, "19 slide", 17, 18, 19, 20)}


def test_T7_modern_a_part_may_bump_the_partner_if_a_third_pawn_can_use_the_rest():
    then = played(modern(red=[10], yellow=[13, 40, 50]), "7: red 10>13 bumps yellow")
    assert places(then, "yellow") == (40, 50)
    assert texts(then) == {
        *(f"7: yellow 40>{end}" for end in (41, 42, 43, 44)),
        *(f"7: yellow 50>{end}" for end in (51, 52, 53, "58 slide")),
    }


def test_T7_modern_a_later_part_may_sweep_one_already_played():
    pending = {"decision": "part", "left": 3, "moved": {"red": [18], "yellow": []}}
    game = modern(red=[13, 18], yellow=[40], pending=pending)
    then = after(game, red=[19], yellow=[40])
    assert (then.to_move, then.awaits_chance) == ("blue", True)


def test_T7_modern_a_part_lands_where_another_has_left():
    game = modern(red=[10, 12, 50])
    assert "7: red 10>12" not in texts(game)
    assert "7: red 10>12" in texts(played(game, "7: red 12>13"))


def test_T7_modern_the_last_part_wins_for_the_team():
    game = modern(red=["safe 4", *THREE_HOME], yellow=["safe 1", *THREE_HOME])
    then = played(played(game, "7: red safe 4>home"), "7: yellow safe 1>home")
    assert (then.is_over, then.to_move) == (True, None)
    assert sorted(then.position()["winner"]) == ["red", "yellow"]


def test_T7_modern_one_seat_alone_may_split_among_its_four():
    game = modern(red=FOUR_HOME, yellow=["safe 5", "safe 4", "safe 2"])
    assert texts(game) == {f"7: yellow {place}>home" for place in ("safe 5", "safe 4", "safe 2")}


@pytest.mark.parametrize(
    "change",
    [
        {"left": 0},
        {"left": 8},
        {"left": -1},
        {"left": "four"},
        {"left": None},
        {"moved": {"red": [21], "yellow": []}},
        {"moved": {"red": [20], "yellow": [20]}},
        {"moved": {"red": ["start"], "yellow": []}},
        {"moved": {"red": [20], "yellow": [], "blue": [50]}},
        {"moved": {"red": 20}},
        {"moved": [20]},
        {"decision": "share"},
        {"decision": None},
        {"decision": "ice"},
    ],
)
def test_T7_a_broken_rest_of_a_7_is_refused(change):
    pending = {"decision": "part", "left": 4, "moved": {"red": [20], "yellow": []}} | change
    with pytest.raises(InvalidPosition):
        modern(red=[13, 20], yellow=[40], blue=[50], pending=pending)


@pytest.mark.parametrize("pending", ["part", 4, ["part", 4], {}, {"left": 4}])
def test_T7_a_pending_decision_that_is_none_is_refused(pending):
    with pytest.raises(InvalidPosition):
        modern(red=[13, 20], yellow=[40], pending=pending)


@pytest.mark.parametrize(("card", "ruleset"), [("3", "teams_modern"), (None, "teams_modern"), ("7", "teams_1939")])
def test_T7_a_rest_belongs_to_the_7_of_the_modern_edition(card, ruleset):
    pending = {"decision": "part", "left": 4, "moved": {"red": [20], "yellow": []}}
    with pytest.raises(InvalidPosition):
        game_of(card, ruleset=ruleset, red=[13, 20], yellow=[40], pending=pending)


def test_T7_splitting_freely_is_for_teams():
    with pytest.raises(RulesetError):
        Game("classic", split_freely=True)


def test_T7_splitting_freely_may_be_chosen_for_1939_too():
    game = game_of("7", split_freely=True, red=["safe 4", "safe 5"], yellow=["safe 2"])
    assert len(game.legal()) == 3


# --- T8 the return


@both_editions
@pytest.mark.parametrize(
    ("winners", "losers"),
    [(("red", "yellow"), ("blue", "green")), (("blue", "green"), ("red", "yellow"))],
)
def test_T8_partners_get_the_same_return(ruleset, winners, losers):
    for mover in winners:
        one, other = winners
        game = game_of("3", mover, ruleset, **{one: FOUR_HOME, other: ["safe 3", *THREE_HOME]})
        returns = after(game, **{other: FOUR_HOME}).returns()
        assert returns == pytest.approx(dict.fromkeys(winners, 1) | dict.fromkeys(losers, -1))


@both_editions
def test_T8_a_truncated_game_returns_nothing(ruleset):
    then = after_passing(game_of("3", ruleset=ruleset, turn_limit=5, turns=5, red=FOUR_HOME))
    assert then.is_over
    assert then.position()["winner"] == []
    assert then.returns() == dict.fromkeys(COLOURS, 0)
