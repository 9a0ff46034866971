"""Section E of the rules: Sorry! Express, rule by rule."""

from collections import Counter
from itertools import product

import pytest

from sorry_env import Game, InvalidPosition, RulesetError

COLOURS = ("red", "blue", "yellow", "green")
DICE = ((*COLOURS, "wild", "slide"), (*COLOURS, "sorry", "slide"), (*COLOURS, "sorry", "wild"))
ROLLS = Counter(tuple(sorted(roll)) for roll in product(*DICE))


def position(*dice, to_move="red", seats=("red", "blue", "yellow"), shown=None, changes=None, turns=None, **held):
    """A position as data; `red="red green green"` are the pawns that red holds, all others are on the start base."""
    counts = {seat: dict(Counter(held.get(seat, "").split())) for seat in seats}
    found = {
        "ruleset": "express",
        "seats": list(seats),
        "to_move": to_move,
        "shown": {seat: seat for seat in seats} | (shown or {}),
        "held": counts,
        "start_base": {c: 4 - sum(own.get(c, 0) for own in counts.values()) for c in COLOURS},
        "dice": list(dice),
    }
    if changes:
        found["changes"] = changes
    return found | ({"turns": turns} if turns else {})


def game_at(*dice, **named):
    """The game in that `position`."""
    return Game.from_position(position(*dice, **named))


def texts(game):
    """The legal actions in words, each of them once."""
    found = [game.text(action) for action in game.legal()]
    assert len(found) == len(set(found)), found
    return set(found)


def played(game, *actions):
    """The game after the actions that read like this, one after the other."""
    for text in actions:
        game = game.after(game.parse(text))
    return game


def dealt(game, *faces):
    """The game with these faces rolled."""
    then = game.copy()
    then.deal(sorted(faces))
    return then


def held(game, seat):
    """The pawns of a seat, as a sorted list of colours."""
    return sorted(Counter(game.position()["held"][seat]).elements())


def base(game, colour):
    """How many pawns of a colour are on the start base."""
    return game.position()["start_base"][colour]


def why(game, text):
    """Why an action that reads like this is not allowed."""
    assert text not in texts(game)
    return game.why_illegal(text)


# --- E1 the beginning


@pytest.mark.parametrize("seats", [2, 3, 4, ["blue", "green"], ["green", "red", "blue"]])
def test_E1_bases_show_their_seats_colours_and_all_pawns_are_on_the_start_base(seats):
    game = Game("express", seats=seats)
    found = game.position()
    assert found["shown"] == {seat: seat for seat in found["seats"]}
    assert found["held"] == {seat: {} for seat in found["seats"]}
    assert found["start_base"] == dict.fromkeys(COLOURS, 4)
    assert (found["turns"], len(found["dice"])) == (1, 3)


def test_E1_two_players_have_four_colours_of_pawns_too():
    assert Game("express", seats=["red", "blue"]).position()["start_base"] == dict.fromkeys(COLOURS, 4)


def test_E1_who_begins_is_random_or_asked_for():
    assert {Game("express", seats=4, seed=seed).to_move for seed in range(60)} == set(COLOURS)
    assert {Game("express", seats=4, first="yellow", seed=seed).to_move for seed in range(20)} == {"yellow"}


@pytest.mark.parametrize("seats", [1, 5, ["red"], ["red", "yellow", "blue"], ["red", "red"], ["red", "purple"]])
def test_E1_no_other_seats(seats):
    with pytest.raises(RulesetError):
        Game("express", seats=seats)


def test_E1_turns_pass_clockwise():
    game = game_at("red", "blue", "green", seats=COLOURS)
    order = []
    for _ in range(5):
        order.append(game.to_move)
        while not game.awaits_chance:
            game = game.after(game.legal()[0])
        game = dealt(game, "red", "blue", "green")
    assert order == ["red", "blue", "yellow", "green", "red"]


def test_E1_what_matches_the_colour_shown_is_home_and_all_else_waits():
    game = game_at("sorry", "red", red="", blue="blue blue yellow", yellow="green green")
    assert texts(game) == {"red: from start to home", "sorry: blue from blue to waiting"}


# --- E2 a turn


def test_E2_a_turn_is_three_dice_one_at_a_time_in_any_order():
    game = game_at("blue", "red", "wild", blue="green")
    assert texts(game) == {
        "red: from start to home",
        "blue: from start to waiting",
        "wild: red from start to home",
        "wild: blue from start to waiting",
        "wild: yellow from start to waiting",
        "wild: green from start to waiting",
        "wild: green from blue to waiting",
        "wild: pass",
    }
    then = played(game, "blue: from start to waiting")
    assert (then.to_move, then.position()["dice"]) == ("red", ["red", "wild"])
    then = played(then, "wild: green from blue to waiting")
    assert (then.to_move, then.position()["dice"], then.awaits_chance) == ("red", ["red"], False)
    then = played(then, "red: from start to home")
    assert (then.to_move, then.position()["dice"], then.awaits_chance) == ("blue", [], True)
    assert then.position()["turns"] == 2
    assert held(then, "red") == ["blue", "green", "red"]


def test_E2_the_order_of_the_dice_does_not_matter_for_equal_results():
    game = game_at("blue", "green", "red")
    one = played(game, "blue: from start to waiting", "green: from start to waiting")
    other = played(game, "green: from start to waiting", "blue: from start to waiting")
    assert one.position() == other.position()
    assert one.states.tobytes() == other.states.tobytes()


def test_E2_equal_faces_are_one_action():
    game = game_at("blue", "blue", "blue")
    assert texts(game) == {"blue: from start to waiting"}
    then = played(game, "blue: from start to waiting")
    assert then.position()["dice"] == ["blue", "blue"]


def test_E2_a_die_is_gone_when_it_is_passed():
    game = played(game_at("slide", "wild"), "wild: pass")
    assert game.position()["dice"] == ["slide"]
    assert played(game, "slide: pass").awaits_chance


def test_E2_a_die_that_cannot_be_used_is_gone_too():
    game = game_at("red", "sorry", shown={"red": "blue"}, red="red red red red")
    assert texts(game) == {"red: pass", "sorry: pass"}
    then = played(game, "red: pass", "sorry: pass")
    assert then.position() == game.position() | {"dice": [], "to_move": "blue", "turns": 2}


def test_E2_the_order_can_make_a_die_usable():
    """First the slide, then Sorry! takes what it has brought Home."""
    game = game_at("slide", "sorry", blue="green green")
    assert "sorry: pass" in texts(game)
    then = played(game, "slide: blue to green")
    assert texts(then) == {"sorry: green from blue to waiting"}


def test_E2_nobody_acts_before_the_roll():
    game = game_at(blue="green")
    assert game.awaits_chance
    assert game.legal() == []
    assert "E2" in game.why_illegal(0)


# --- E3 a colour face


@pytest.mark.parametrize("colour", COLOURS)
def test_E3_takes_a_pawn_of_the_colour_from_the_start_base(colour):
    game = game_at(colour, "sorry", seats=COLOURS, blue="blue yellow", green="red green")
    where = "home" if colour == "red" else "waiting"
    then = played(game, f"{colour}: from start to {where}")
    assert held(then, "red") == [colour]
    assert base(then, colour) == base(game, colour) - 1
    assert {seat: held(then, seat) for seat in COLOURS[1:]} == {seat: held(game, seat) for seat in COLOURS[1:]}


def test_E3_waiting_areas_are_closed_while_the_start_base_has_the_colour():
    game = game_at("green", blue="green green", yellow="green")
    assert texts(game) == {"green: from start to waiting"}
    assert "E3" in why(game, "green: from blue to waiting")


def test_E3_from_any_waiting_area_when_the_start_base_has_none():
    game = game_at("green", seats=COLOURS, shown={"green": "red"}, blue="green green", yellow="green", green="green")
    assert texts(game) == {
        "green: from blue to waiting",
        "green: from yellow to waiting",
        "green: from green to waiting",
        "green: pass",
    }
    then = played(game, "green: from blue to waiting")
    assert (held(then, "red"), held(then, "blue")) == (["green"], ["green"])


def test_E3_never_from_a_home_section():
    game = game_at("green", seats=COLOURS, blue="green green", green="green green")
    assert texts(game) == {"green: from blue to waiting", "green: pass"}
    assert "E3" in why(game, "green: from green to waiting")


def test_E3_never_from_the_own_base():
    game = game_at("green", red="green green green green")
    assert texts(game) == {"green: pass"}


def test_E3_the_second_of_two_equal_dice_may_have_to_look_elsewhere():
    game = game_at("green", "green", blue="green green", yellow="green")
    then = played(game, "green: from start to waiting")
    assert texts(then) == {"green: from blue to waiting", "green: from yellow to waiting", "green: pass"}


@pytest.mark.parametrize(
    ("shown", "where"), [("red", "waiting"), ("blue", "waiting"), ("yellow", "waiting"), ("green", "home")]
)
def test_E3_what_is_taken_joins_by_the_colour_shown(shown, where):
    game = game_at("green", shown={"red": shown}, red="green")
    assert texts(game) == {f"green: from start to {where}"}
    game = game_at("green", shown={"red": shown}, red="green", blue="green green green")
    assert texts(game) == {f"green: from blue to {where}", "green: pass"}


def test_E3_a_colour_that_nobody_plays_is_taken_like_any_other():
    game = game_at("green", seats=("red", "yellow"))
    assert held(played(game, "green: from start to waiting"), "red") == ["green"]


# --- E4 the special faces


def test_E4_sorry_takes_from_another_players_home_section():
    game = game_at("sorry", "red", seats=COLOURS, red="red red", blue="blue green", yellow="green red", green="")
    assert texts(game) == {"red: from start to home", "sorry: blue from blue to waiting"}
    then = played(game, "sorry: blue from blue to waiting")
    assert (held(then, "red"), held(then, "blue")) == (["blue", "red", "red"], ["green"])


def test_E4_sorry_takes_the_colour_that_its_victim_shows():
    game = game_at("sorry", shown={"blue": "green", "yellow": "red"}, blue="green green blue", yellow="red")
    assert texts(game) == {"sorry: green from blue to waiting", "sorry: red from yellow to home"}
    then = played(game, "sorry: red from yellow to home")
    assert (held(then, "red"), held(then, "yellow")) == (["red"], [])


def test_E4_wild_takes_any_colour_from_the_start_base_or_a_waiting_area():
    game = game_at(
        "wild",
        shown={"blue": "red"},
        red="blue blue blue green",
        blue="red red blue yellow",
        yellow="yellow red red green",
    )
    assert texts(game) == {
        "wild: yellow from start to waiting",
        "wild: green from start to waiting",
        "wild: blue from blue to waiting",
        "wild: yellow from blue to waiting",
        "wild: red from yellow to home",
        "wild: green from yellow to waiting",
        "wild: pass",
    }
    then = played(game, "wild: red from yellow to home")
    assert (held(then, "red").count("red"), held(then, "yellow").count("red")) == (1, 1)


def test_E4_wild_may_take_from_a_waiting_area_what_the_start_base_has_too():
    game = game_at("wild", blue="red")
    assert {"wild: red from start to home", "wild: red from blue to home"} < texts(game)


def test_E4_slide_turns_any_base_to_any_other_colour():
    game = game_at("slide", seats=("red", "yellow"), shown={"yellow": "blue"})
    assert texts(game) == {
        "slide: red to blue",  # which yellow's base shows too
        "slide: red to yellow",
        "slide: red to green",
        "slide: yellow to red",
        "slide: yellow to yellow",
        "slide: yellow to green",
        "slide: pass",
    }


def test_E4_slide_moves_no_pawn_but_changes_which_are_home():
    game = game_at("slide", "sorry", blue="blue green green")
    then = played(game, "slide: blue to green")
    assert then.position() == game.position() | {
        "dice": ["sorry"],
        "shown": {"red": "red", "blue": "green", "yellow": "yellow"},
    }
    assert texts(then) == {"sorry: green from blue to waiting"}


def test_E4_slide_of_the_own_base():
    game = game_at("slide", "red", "blue")
    then = played(game, "slide: red to blue")
    assert texts(then) == {"red: from start to waiting", "blue: from start to home"}


def test_E4_a_slide_to_the_colour_shown_is_none():
    game = game_at("slide")
    assert "E4" in why(game, "slide: blue to blue")


# --- E5 what is compulsory


@pytest.mark.parametrize("colour", COLOURS)
def test_E5_a_colour_that_the_start_base_has_is_compulsory(colour):
    game = game_at(colour)
    assert len(texts(game)) == 1
    assert "E5" in why(game, f"{colour}: pass")


def test_E5_even_when_it_is_not_wanted():
    """Red has completed nothing yet; a pawn that it does not need is taken all the same."""
    assert texts(game_at("blue", red="red red red")) == {"blue: from start to waiting"}


def test_E5_taking_from_a_waiting_area_may_be_declined():
    game = game_at("green", blue="green green", red="green green")
    assert texts(game) == {"green: from blue to waiting", "green: pass"}
    assert played(game, "green: pass").position()["held"] == game.position()["held"]


def test_E5_sorry_is_compulsory_while_somebody_has_a_home_pawn():
    game = game_at("sorry", blue="blue", yellow="yellow green")
    assert texts(game) == {"sorry: blue from blue to waiting", "sorry: yellow from yellow to waiting"}
    assert "E5" in why(game, "sorry: pass")


def test_E5_sorry_does_nothing_when_only_the_mover_has_home_pawns():
    assert texts(game_at("sorry", red="red", blue="green", yellow="blue")) == {"sorry: pass"}


def test_E5_sorry_is_looked_at_as_it_is_resolved():
    game = game_at("sorry", "slide", blue="blue")
    assert "sorry: pass" not in texts(game)
    then = played(game, "slide: blue to green")
    assert texts(then) == {"sorry: pass"}


def test_E5_wild_and_slide_may_be_declined():
    game = game_at("slide", "wild", blue="green")
    assert {"wild: pass", "slide: pass"} < texts(game)
    then = played(game, "wild: pass", "slide: pass")
    assert then.position() == game.position() | {"dice": [], "to_move": "blue", "turns": 2}


def test_E5_wild_with_nothing_to_take_is_passed():
    game = game_at(
        "wild",
        seats=("red", "blue"),
        shown={"blue": "green"},
        red="red red red blue blue blue blue yellow yellow yellow yellow green",
        blue="green green green",
    )
    assert texts(game) == {"wild: red from start to home", "wild: pass"}
    game = game_at(
        "wild",
        seats=("red", "blue"),
        shown={"red": "green", "blue": "green"},
        red="red red red red blue blue blue blue yellow yellow yellow yellow green",
        blue="green green green",
    )
    assert texts(game) == {"wild: pass"}


# --- E6 the dice


def test_E6_the_odds_of_a_roll():
    chance = game_at().chance()
    assert [tuple(outcome) for outcome, _ in chance] == sorted(ROLLS)
    assert {tuple(outcome): round(share * 216) for outcome, share in chance} == dict(ROLLS)
    assert sum(share for _, share in chance) == pytest.approx(1)


@pytest.mark.parametrize(
    ("faces", "ways"),
    [
        (("red", "red", "red"), 1),
        (("blue", "red", "red"), 3),
        (("blue", "green", "red"), 6),
        (("red", "red", "slide"), 2),
        (("blue", "red", "wild"), 4),
        (("red", "slide", "slide"), 1),
        (("red", "slide", "wild"), 3),
        (("slide", "sorry", "wild"), 2),
        (("slide", "slide", "wild"), 1),
    ],
)
def test_E6_some_rolls_by_hand(faces, ways):
    assert {tuple(o): round(p * 216) for o, p in game_at().chance()}[faces] == ways


@pytest.mark.parametrize("face", ["slide", "sorry", "wild"])
def test_E6_no_three_dice_show_the_same_special_face(face):
    assert [face] * 3 not in [outcome for outcome, _ in game_at().chance()]
    with pytest.raises(InvalidPosition, match="E6"):
        game_at(face, face, face)


@pytest.mark.parametrize("faces", sorted(ROLLS))
def test_E6_every_roll_can_be_dealt(faces):
    assert dealt(game_at(), *faces).position()["dice"] == list(faces)


@pytest.mark.parametrize("face", ["sorry!", "purple", "6", 6, None])
def test_E6_there_is_no_other_face(face):
    with pytest.raises(InvalidPosition, match="die"):
        game_at(face)


# --- E7 the end


def test_E7_four_of_a_colour_in_the_home_section_win():
    game = game_at("red", "blue", red="red red red")
    then = played(game, "red: from start to home")
    assert then.is_over
    assert (then.position()["winner"], then.to_move, then.position()["dice"]) == (["red"], None, [])
    assert then.returns() == {"red": 1, "blue": -0.5, "yellow": -0.5}


def test_E7_looked_at_after_every_die():
    game = game_at("red", "sorry", "blue", red="red red red", blue="blue")
    assert not played(game, "blue: from start to waiting").is_over
    assert played(game, "blue: from start to waiting", "red: from start to home").is_over


def test_E7_four_waiting_pawns_win_nothing():
    game = game_at("green", "slide", red="green green green")
    then = played(game, "green: from start to waiting")
    assert not then.is_over
    assert held(then, "red") == ["green"] * 4
    assert played(then, "slide: red to green").position()["winner"] == ["red"]


def test_E7_a_slide_of_the_own_base_wins_at_once():
    game = game_at("slide", "red", red="green green green green")
    then = played(game, "slide: red to green")
    assert (then.position()["winner"], then.position()["dice"]) == (["red"], [])


def test_E7_another_players_base_completed_by_a_slide_wins_at_once():
    game = game_at("slide", "red", "wild", blue="green green green green", red="red red red")
    then = played(game, "slide: blue to green")
    assert (then.position()["winner"], then.position()["dice"], then.to_move) == (["blue"], [], None)
    assert then.returns() == {"red": -0.5, "blue": 1, "yellow": -0.5}


def test_E7_a_colour_of_nobody_wins_as_well():
    game = game_at("green", seats=("red", "blue"), shown={"red": "green"}, red="green green green")
    then = played(game, "green: from start to home")
    assert then.returns() == {"red": 1, "blue": -1}


@pytest.mark.parametrize("taken", ["sorry: red from yellow to home", "red: from yellow to home"])
def test_E7_a_pawn_taken_from_another_player_completes_too(taken):
    shown = {"yellow": "red"} if taken.startswith("sorry") else None
    game = game_at(taken.partition(":")[0], shown=shown, red="red red red", yellow="red")
    assert played(game, taken).position()["winner"] == ["red"]


def test_E7_a_complete_base_is_no_running_position():
    with pytest.raises(InvalidPosition):
        game_at("blue", red="red red red red")


def test_E7_two_complete_bases_cannot_be():
    found = position(red="red red red red", blue="blue blue blue blue")
    with pytest.raises(InvalidPosition, match="four pawns in its Home section"):
        Game.from_position(found | {"to_move": None, "winner": ["red", "blue"]})


# --- S26, P14 the turn limit


def test_P14_a_truncated_game_has_no_winner():
    game = game_at("blue", changes={"turn_limit": 8}, turns=8)
    then = played(game, "blue: from start to waiting")
    assert then.is_over
    assert not then.awaits_chance
    assert (then.position()["winner"], then.position()["turns"], then.to_move) == ([], 8, None)
    assert set(then.returns().values()) == {0}


def test_P14_not_before_the_last_die_of_the_last_turn():
    game = game_at("blue", "blue", changes={"turn_limit": 8}, turns=8)
    assert not played(game, "blue: from start to waiting").is_over
    game = game_at("blue", changes={"turn_limit": 8}, turns=7)
    assert played(game, "blue: from start to waiting").position()["turns"] == 8


def test_P14_a_win_on_the_last_turn_counts():
    game = game_at("red", changes={"turn_limit": 8}, turns=8, red="red red red")
    assert played(game, "red: from start to home").position()["winner"] == ["red"]


@pytest.mark.parametrize("limit", [0, -1, True, "8", 2.5])
def test_P14_no_other_turn_limit(limit):
    with pytest.raises(RulesetError):
        Game("express", turn_limit=limit)
