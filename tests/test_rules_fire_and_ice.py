"""Section F of the rules: Fire & Ice."""

import pytest

from positions import (
    CARDS,
    COLOURS,
    actions_to,
    after,
    after_passing,
    corner,
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

TWO_HOME = ["home"] * 2
STARTERS = ("1", "2", "3", "5", "7", "8", "10", "11", "12")


def scene(card="3", to_move="red", fire=None, ice=None, pending=None, phase=None, **named):
    """A position with three pawns each; `fire` and `ice` are a colour and a place."""
    result = position(card, to_move, ruleset="fire_and_ice", pawns=3, **named)
    result |= {"fire": fire, "ice": ice}
    if pending is not None:
        result["pending"] = pending if not isinstance(pending, str) else {"decision": pending}
    if phase is not None:
        result["phase"] = phase
    return result


def game_of(*arguments, **named):
    """The game in that `scene`."""
    return Game.from_position(scene(*arguments, **named))


def tokens(game):
    """Who carries Fire, who Ice."""
    return game.position()["fire"], game.position()["ice"]


def decision(game):
    """The decision due beside the use of a card, or None."""
    pending = game.position().get("pending")
    return pending and pending["decision"]


def turn_of_red(**named):
    """The game just after yellow's turn, lost with a 4."""
    return after_passing(game_of("4", "yellow", **named))


def sends_round(game):
    """Whether the position survives being written down and set up again."""
    return Game.from_position(game.position()).position() == game.position()


# --- F1 set-up


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_F1_three_pawns_each_and_both_tokens_in_the_middle(seats):
    game = Game("fire_and_ice", seats=seats)
    assert list(game.position()["pawns"].values()) == [["start"] * 3] * seats
    assert tokens(game) == (None, None)


def test_F1_the_44_deck():
    assert odds(game_of(None)) == pytest.approx(dict.fromkeys(CARDS, 4 / 44))


def test_F1_three_home_win():
    then = after(game_of("3", red=["safe 3", *TWO_HOME]), red=["home"] * 3)
    assert (then.is_over, then.to_move) == (True, None)
    assert then.position()["winner"] == ["red"]


# --- F2 leaving Start


@pytest.mark.parametrize("card", STARTERS)
def test_F2_any_card_with_a_positive_number_brings_a_pawn_to_the_circle(card):
    assert texts(game_of(card)) == {f"{card}: red start>4"}


@pytest.mark.parametrize("card", ["4", "sorry"])
def test_F2_a_4_starts_nothing_nor_does_sorry_without_a_target(card):
    assert is_lost(game_of(card))


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        ("3", {"20>23"}),
        ("5", {"20>25"}),
        ("8", {"20>28"}),
        ("12", {"20>32"}),
        ("7", {"20>27"}),  # unsplit, and no part starts a pawn
        ("10", {"20>30", "20>19"}),
    ],
)
def test_F2_starting_is_a_choice_beside_the_other_uses(card, moves):
    expected = {f"{card}: red {move}" for move in moves}
    assert texts(game_of(card, red=[20])) == expected | {f"{card}: red start>4"}


def test_F2_no_part_of_a_7_starts_a_pawn():
    game = game_of("7", red=[20, 40])
    assert {text for text in texts(game) if "start" in text} == {"7: red start>4"}
    assert texts(game_of("7", red=["safe 4"])) == {"7: red start>4"}


def test_F2_an_11_that_can_start_a_pawn_may_not_be_passed():
    game = game_of("11", red=[0], yellow=[40])  # 0 is too close to Home
    assert ends(game) == {(0, 4), (40,)}
    assert passes(game) == []


@pytest.mark.parametrize("card", STARTERS)
def test_F2_a_pawn_on_the_circle_is_bumped_or_in_the_way_as_usual(card):
    assert places(after(game_of(card, yellow=[4]), red=[4]), "yellow") == ()
    assert f"{card}: red start>4" not in texts(game_of(card, red=[4]))


# --- F3 the 2 and Sorry!


def test_F3_a_2_does_not_draw_again():
    then = after(game_of("2", turns=7), red=[4])
    assert (then.to_move, then.awaits_chance, then.position()["turns"]) == ("yellow", True, 8)


def test_F3_nor_does_a_2_without_use():
    game = game_of("2", red=["safe 5", *TWO_HOME])
    assert is_lost(game)
    assert after_passing(game).to_move == "yellow"


def test_F3_sorry_replaces_or_moves_four_forward():
    game = game_of("sorry", red=[10, "safe 1"], yellow=[40, "safe 2"])
    assert texts(game) == {
        "sorry: red start>40 bumps yellow",
        "sorry: red 10>14",
        "sorry: red safe 1>safe 5",
    }


@pytest.mark.parametrize(
    ("red", "end"),
    [
        (["safe 2", *TWO_HOME], ["home"] * 3),
        ([12], [19]),
        ([1], ["safe 3"]),
        ([10, 14], [10, 18]),
        ([20, "safe 3"], [28, "safe 3"]),
    ],
)
def test_F3_four_forward_is_a_move_like_any_other_and_compulsory(red, end):
    game = game_of("sorry", red=red)
    assert ends(game) == {tuple(end)}
    assert passes(game) == []


@pytest.mark.parametrize("red", [[], ["safe 3"], ["safe 5", "home"], TWO_HOME])
def test_F3_sorry_brings_no_pawn_out_of_start_without_a_target(red):
    assert is_lost(game_of("sorry", red=red, yellow=["safe 1"]))


# --- F4 slides


@pytest.mark.parametrize(("origin", "end"), [(13, 19), (21, 28), (28, 34), (36, 43), (43, 49), (51, 58), (6, 9)])
def test_F4_slides_work_as_in_classic(origin, end):
    assert (end, *TWO_HOME) in ends(game_of("3", red=[origin, *TWO_HOME]))


def test_F4_a_slide_sweeps():
    then = after(game_of("3", red=[13, 18], yellow=[17, 20]), red=[19])
    assert places(then, "yellow") == (20,)


# --- F5 Fire jumps


@pytest.mark.parametrize(
    ("origin", "end"),
    [(3, 15), (4, 15), (14, 15), (15, 30), (29, 30), (30, 45), (44, 45), (45, 0), (50, 0), (59, 0)],
)
def test_F5_the_fire_pawn_may_jump_to_the_next_corner_before_the_draw(origin, end):
    game = game_of(None, fire=["red", origin], phase="fire", red=[origin])
    assert texts(game) == {f"fire: red {origin}>{end}", "fire: stay"}
    then = played(game, f"fire: red {origin}>{end}")
    assert (places(then, "red"), tokens(then)) == ((end,), (["red", end], None))
    assert (then.to_move, then.awaits_chance, then.position()["card"]) == ("red", True, None)


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize(("offset", "jump"), [(3, 15), (10, 15), (15, 30), (50, 60), (44, 45), (59, 60)])
def test_F5_every_colour_jumps_up_to_its_own_corner(colour, offset, jump):
    origin, end = (corner(colour) + offset) % 60, (corner(colour) + jump) % 60
    game = game_of(None, colour, fire=[colour, origin], phase="fire", **{colour: [origin]})
    assert texts(game) == {f"fire: {colour} {origin}>{end}", "fire: stay"}


def test_F5_staying_changes_nothing_and_the_card_is_drawn():
    then = played(game_of(None, fire=["red", 14], phase="fire", red=[14], turns=6), "fire: stay")
    assert (places(then, "red"), tokens(then)) == ((14,), (["red", 14], None))
    assert (then.to_move, then.awaits_chance, then.position()["turns"]) == ("red", True, 6)
    assert then.position().get("phase") is None


def test_F5_after_the_jump_the_card_is_used_as_usual():
    game = game_of(None, fire=["red", 14], phase="fire", red=[14, *TWO_HOME])
    assert ends(dealt(played(game, "fire: red 14>15"), "5")) == {(20, *TWO_HOME)}


def test_F5_the_decision_comes_at_the_start_of_the_turn():
    game = turn_of_red(fire=["red", 14], red=[14])
    assert (game.to_move, game.awaits_chance) == ("red", False)
    assert (game.position()["phase"], game.position()["card"]) == ("fire", None)
    assert texts(game) == {"fire: red 14>15", "fire: stay"}
    assert sends_round(game)


def test_F5_a_game_played_on_stops_for_the_decision():
    game = game_of("4", "yellow", fire=["red", 14], red=[14])
    game.play(game.legal()[0])
    assert texts(game) == {"fire: red 14>15", "fire: stay"}
    game.play(game.parse("fire: stay"))
    assert game.position()["card"] in CARDS


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("offset", [0, 1, 2])
def test_F5_a_pawn_on_its_own_first_three_squares_has_no_corner_ahead(colour, offset):
    other = COLOURS[(COLOURS.index(colour) + 2) % 4]
    square = corner(colour) + offset
    game = game_of("4", other, fire=[colour, square], **{colour: [square]})
    then = after_passing(game)
    assert (then.to_move, then.awaits_chance) == (colour, True)


@pytest.mark.parametrize(
    "named",
    [
        {"fire": None, "red": [14]},
        {"fire": ["yellow", 15], "red": [14], "yellow": [15]},  # another seat's Fire; 15 - 4 = 11
        {"fire": ["red", "safe 2"], "red": ["safe 2", 14]},
        {"fire": ["red", 14], "red": [14, 15]},
        {"fire": ["red", 14], "red": [14], "ice": ["red", 14]},
        {"fire": ["red", 14], "red": [14], "blue": [15], "ice": ["blue", 15]},
    ],
)
def test_F5_where_no_jump_is_possible_the_card_is_drawn_at_once(named):
    game = game_of("4", "yellow", seats=["red", "blue", "yellow"], **named)
    then = game.after(game.legal()[0])
    assert (then.to_move, then.awaits_chance) == ("red", True)
    assert then.position().get("phase") is None


def test_F5_a_foreign_pawn_on_the_corner_is_bumped():
    game = game_of(None, fire=["red", 14], phase="fire", red=[14], yellow=[15, 16])
    assert len(game.legal()) == 2
    then = after(game, red=[15])
    assert places(then, "yellow") == (16,)


def test_F5_pawns_on_the_way_are_jumped():
    game = game_of(None, fire=["red", 4], phase="fire", red=[4, 8], yellow=[6, 14], ice=["yellow", 6])
    then = played(game, "fire: red 4>15")
    assert (places(then, "red"), places(then, "yellow")) == ((8, 15), (6, 14))


def test_F5_a_frozen_pawn_elsewhere_does_not_forbid_the_jump():
    game = game_of(None, fire=["red", 14], phase="fire", red=[14, 20], ice=["red", 20])
    assert texts(game) == {"fire: red 14>15", "fire: stay"}


@pytest.mark.parametrize(
    "named",
    [
        {"fire": None, "red": [14]},
        {"fire": ["yellow", 14], "yellow": [14]},
        {"fire": ["red", 1], "red": [1]},
        {"fire": ["red", "safe 1"], "red": ["safe 1"]},
        {"fire": ["red", 14], "red": [14, 15]},
        {"fire": ["red", 14], "red": [14], "ice": ["red", 14]},
        {"fire": ["red", 14], "red": [14], "card": "3"},
    ],
)
def test_F5_a_position_with_the_decision_but_no_jump_is_refused(named):
    card = named.get("card")
    rest = {name: value for name, value in named.items() if name != "card"}
    with pytest.raises(InvalidPosition):
        game_of(card, phase="fire", **rest)


@pytest.mark.parametrize("phase", ["ice", "draw", "", 1, ["fire"]])
def test_F5_an_unknown_phase_is_refused(phase):
    with pytest.raises(InvalidPosition):
        game_of(None, fire=["red", 14], phase=phase, red=[14])


# --- F6 a 2 moves Fire


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({"red": [14, "safe 2"]}, {"red 14", "red safe 2"}),
        ({"red": [14, 22, "safe 2"], "fire": ["red", 22]}, {"red 14", "red safe 2"}),
        ({"red": [14, "safe 2"], "fire": ["red", "safe 2"]}, {"red 14"}),
        ({"red": [14, 22], "yellow": [40], "fire": ["yellow", 40]}, {"red 14", "red 22"}),
        ({"red": [14, 22], "ice": ["red", 14]}, {"red 14", "red 22"}),
        ({"red": [14, "home"], "yellow": [40, "safe 1"]}, {"red 14"}),
        ({"red": [14], "yellow": [40], "fire": ["yellow", 40], "ice": ["red", 14]}, {"red 14"}),
        ({"red": ["safe 5", *TWO_HOME]}, {"red safe 5"}),  # the 2 itself has no use
    ],
)
def test_F6_a_2_may_first_move_fire_to_an_own_pawn_on_the_ring_or_in_the_zone(named, expected):
    game = dealt(game_of(None, **named), "2")
    assert (decision(game), game.to_move, game.position()["card"]) == ("fire", "red", "2")
    assert texts(game) == {f"2: fire to {pawn}" for pawn in expected} | {"2: leave fire"}
    assert sends_round(game)
    assert texts(game_of("2", pending="fire", **named)) == texts(game)


@pytest.mark.parametrize(
    "named",
    [
        {"red": []},
        {"red": ["home"], "yellow": [40], "fire": ["yellow", 40]},
        {"red": [14], "fire": ["red", 14]},
        {"red": [14, 22], "fire": ["red", 14], "ice": ["red", 14]},
        {"red": [14, 22], "yellow": [40], "fire": ["yellow", 40], "ice": ["yellow", 40]},
    ],
)
def test_F6_without_a_place_for_fire_or_with_fire_locked_the_2_is_used_at_once(named):
    game = dealt(game_of(None, **named), "2")
    assert (decision(game), game.position()["card"]) == (None, "2")
    assert "2: red start>4" in texts(game)
    with pytest.raises(InvalidPosition):
        game_of("2", pending="fire", **named)


def test_F6_then_the_2_is_played():
    then = played(game_of("2", pending="fire", red=[14, "safe 2"]), "2: fire to red safe 2")
    assert (tokens(then), decision(then), then.position()["card"]) == ((["red", "safe 2"], None), None, "2")
    assert (then.to_move, then.awaits_chance) == ("red", False)
    assert texts(then) == {"2: red start>4", "2: red 14>19 slide", "2: red safe 2>safe 4"}


def test_F6_fire_may_be_left_where_it_is():
    game = game_of("2", pending="fire", red=[22], yellow=[40], fire=["yellow", 40])
    then = played(game, "2: leave fire")
    assert tokens(then) == (["yellow", 40], None)
    assert texts(then) == {"2: red start>4", "2: red 22>28 slide"}


def test_F6_fire_moves_even_if_the_2_cannot_be_used():
    game = game_of("2", pending="fire", red=["safe 5", *TWO_HOME], yellow=[40], fire=["yellow", 40])
    then = played(game, "2: fire to red safe 5")
    assert is_lost(then)
    then = after_passing(then)
    assert (then.to_move, tokens(then)) == ("yellow", (["red", "safe 5"], None))


def test_F6_fire_goes_along_with_its_pawn():
    then = played(game_of("2", pending="fire", red=[22]), "2: fire to red 22")
    assert tokens(after(then, red=[28])) == (["red", 28], None)
    assert tokens(after(then, red=[4, 22])) == (["red", 22], None)


def test_F6_on_a_frozen_pawn_fire_is_locked():
    game = game_of("2", pending="fire", red=[14, 22], ice=["red", 14])
    then = after(played(game, "2: fire to red 14"), red=[4, 14, 22])
    assert tokens(then) == (["red", 14], ["red", 14])
    again = game_of(None, red=[4, 14, 22], fire=["red", 14], ice=["red", 14])
    assert decision(dealt(again, "2")) is None


def test_F6_no_other_card_moves_fire():
    for card in CARDS:
        if card != "2":
            assert decision(dealt(game_of(None, red=[14, 22]), card)) is None


# --- F7 a second pawn Home


SECOND = {"home: red 14>home", "home: red start>home", "home: none"}


@pytest.mark.parametrize(
    ("card", "fire", "end"),
    [
        ("3", "safe 3", "home"),
        ("sorry", "safe 2", "home"),
        ("7", 1, "home"),
        ("12", 56, "home"),
        ("2", "safe 4", "home"),
    ],
)
def test_F7_the_fire_pawn_that_reaches_home_may_bring_another(card, fire, end):
    game = game_of(card, red=[fire, 14], fire=["red", fire], turns=5)
    then = after(game, red=[end, 14])
    assert (then.to_move, then.awaits_chance, decision(then)) == ("red", False, "second")
    assert then.position()["card"] is None
    assert tokens(then) == (None, None)
    assert texts(then) == SECOND
    assert sends_round(then)


@pytest.mark.parametrize(
    ("red", "ice", "expected"),
    [
        (["home", 14], None, {"red 14", "red start"}),
        (["home"], None, {"red start"}),
        (["home", "safe 1", 59], None, {"red safe 1", "red 59"}),
        (["home", "home", 4], None, {"red 4"}),
        (["home", 14], ["red", 14], {"red start"}),
        (["home", 14, 22], ["red", 22], {"red 14"}),
    ],
)
def test_F7_any_own_pawn_that_is_not_frozen_and_start_once(red, ice, expected):
    game = game_of(None, pending="second", red=red, ice=ice, yellow=[40])
    assert texts(game) == {f"home: {pawn}>home" for pawn in expected} | {"home: none"}


@pytest.mark.parametrize(
    ("text", "red"),
    [
        ("home: red 14>home", ["home", "home"]),
        ("home: red start>home", ["home", "home", 14]),
        ("home: none", ["home", 14]),
    ],
)
def test_F7_then_the_turn_passes(text, red):
    game = after(game_of("3", red=["safe 3", 14], fire=["red", "safe 3"], turns=5), red=["home", 14])
    then = played(game, text)
    assert sorted(map(str, places(then, "red"))) == sorted(map(str, red))
    assert (then.to_move, then.awaits_chance, then.position()["turns"]) == ("yellow", True, 6)
    assert tokens(then) == (None, None)
    assert decision(then) is None


def test_F7_the_second_pawn_may_win():
    game = after(game_of("3", red=["safe 3", 14, "home"], fire=["red", "safe 3"]), red=["home", 14, "home"])
    assert texts(game) == {"home: red 14>home", "home: none"}
    then = played(game, "home: red 14>home")
    assert (then.is_over, then.to_move, then.position()["winner"]) == (True, None, ["red"])
    assert not played(game, "home: none").is_over


def test_F7_if_the_fire_pawn_itself_wins_the_game_is_over():
    then = after(game_of("3", red=["safe 3", *TWO_HOME], fire=["red", "safe 3"]), red=["home"] * 3)
    assert (then.is_over, decision(then), then.position()["winner"]) == (True, None, ["red"])


def test_F7_the_whole_7_is_used_first():
    game = game_of("7", red=["safe 4", 20], fire=["red", "safe 4"])
    then = after(game, red=["home", 25])  # 2 and 5
    assert decision(then) == "second"
    assert texts(then) == {"home: red 25>home", "home: red start>home", "home: none"}


def test_F7_both_parts_of_a_7_may_go_home_before_the_second_pawn():
    game = game_of("7", red=["safe 4", "safe 1"], fire=["red", "safe 4"])
    then = after(game, red=TWO_HOME)
    assert texts(then) == {"home: red start>home", "home: none"}
    assert played(then, "home: red start>home").position()["winner"] == ["red"]


@pytest.mark.parametrize(
    "named",
    [
        {"fire": None},
        {"fire": ["red", 14]},
        {"fire": ["yellow", 40]},
        {"fire": ["red", "safe 3"], "fire_second_home": False},
    ],
)
def test_F7_without_fire_on_the_pawn_or_with_the_flag_off_there_is_no_second(named):
    then = after(game_of("3", red=["safe 3", 14], yellow=[40], **named), red=["home", 14])
    assert decision(then) is None
    assert then.to_move == "yellow"


def test_F7_with_the_flag_off_fire_still_returns_to_the_middle():
    game = game_of("3", red=["safe 3", 14], fire=["red", "safe 3"], fire_second_home=False)
    assert tokens(after(game, red=["home", 14])) == (None, None)


def test_F7_without_a_pawn_to_bring_the_turn_passes():
    game = game_of("3", red=["safe 3", 14, "home"], fire=["red", "safe 3"], ice=["red", 14])
    then = after(game, red=["home", 14, "home"])
    assert (then.to_move, then.awaits_chance, decision(then)) == ("yellow", True, None)
    assert tokens(then) == (None, ["red", 14])


def test_F7_a_fire_pawn_that_stops_in_the_zone_brings_nobody():
    then = after(game_of("1", red=["safe 3", 14], fire=["red", "safe 3"]), red=["safe 4", 14])
    assert (then.to_move, tokens(then)) == ("yellow", (["red", "safe 4"], None))


def test_F7_the_flag_belongs_to_the_tokens():
    with pytest.raises(RulesetError):
        Game("classic", fire_second_home=False)


# --- F8 the frozen pawn


@pytest.mark.parametrize("card", [card for card in CARDS if card != "sorry"])
def test_F8_a_frozen_pawn_cannot_move(card):
    assert is_lost(game_of(card, red=[20, *TWO_HOME], ice=["red", 20]))
    assert is_lost(game_of(card, red=[20, *TWO_HOME], ice=["red", 20], yellow=[40])), "nor be swapped"


def test_F8_a_frozen_pawn_is_not_moved_by_sorry():
    assert is_lost(game_of("sorry", red=[20, *TWO_HOME], ice=["red", 20]))


def test_F8_why_a_frozen_pawn_cannot_move_names_it():
    action = game_of("3", red=[23, 40]).parse("3: red 23>26")
    game = game_of("3", red=[23, 40], ice=["red", 23])
    assert "3: red 23>26" not in texts(game)
    reason = game.why_illegal(action)
    assert "frozen" in reason.lower()
    assert "23" in reason
    with pytest.raises(IllegalAction, match="23"):
        game.after(action)
    with pytest.raises(IllegalAction):
        game.parse("3: red 23>26")


def test_F8_the_others_move_as_usual():
    assert texts(game_of("3", red=[20, 35, "safe 1"], ice=["red", 20])) == {"3: red 35>38", "3: red safe 1>safe 4"}


def test_F8_a_frozen_pawn_takes_no_part_in_a_7():
    game = game_of("7", red=[20, 35, "home"], ice=["red", 20])
    assert texts(game) == {"7: red 35>42"}


@pytest.mark.parametrize(("card", "origin"), [("3", 17), ("4", 24), ("10", 21), ("7", 13)])
def test_F8_landing_on_a_frozen_pawn_is_not_allowed(card, origin):
    free = game_of(card, red=[origin, *TWO_HOME], yellow=[20])
    assert actions_to(free, red=[20, *TWO_HOME])
    game = game_of(card, red=[origin, *TWO_HOME], yellow=[20], ice=["yellow", 20])
    assert not actions_to(game, red=[20, *TWO_HOME])
    assert {places(game.after(action), "yellow") for action in game.legal()} == {(20,)}


def test_F8_a_frozen_pawn_is_jumped():
    then = after(game_of("3", red=[18, *TWO_HOME], yellow=[20], ice=["yellow", 20]), red=[21, *TWO_HOME])
    assert places(then, "yellow") == (20,)


def test_F8_a_frozen_pawn_on_the_circle_keeps_the_others_in_start():
    assert is_lost(game_of("3", yellow=[4], ice=["yellow", 4]))
    assert not is_lost(game_of("3", yellow=[4]))


@pytest.mark.parametrize("square", [17, 18])
def test_F8_a_slide_passes_over_a_frozen_pawn_and_it_stays(square):
    other = 35 - square
    game = game_of("3", red=[13, *TWO_HOME], yellow=[square, other], ice=["yellow", square])
    then = after(game, red=[19, *TWO_HOME])
    assert places(then, "yellow") == (square,)
    assert tokens(then) == (None, ["yellow", square])


def test_F8_a_slide_passes_over_an_own_frozen_pawn_too():
    then = after(game_of("3", red=[13, 18, "home"], ice=["red", 18]), red=[18, 19, "home"])
    assert tokens(then) == (None, ["red", 18])


@pytest.mark.parametrize("square", [16, 19])
def test_F8_no_slide_starts_or_ends_on_a_frozen_pawn(square):
    assert is_lost(game_of("3", red=[13, *TWO_HOME], yellow=[square], ice=["yellow", square]))
    assert is_lost(game_of("3", red=[13, square, "home"], ice=["red", square]))


def test_F8_half_of_a_7_does_not_slide_onto_a_frozen_pawn():
    game = game_of("7", red=[14, 47, "home"], yellow=[19], ice=["yellow", 19])
    assert not actions_to(game, red=[19, 52, "home"])  # 2 to 16
    assert actions_to(game, red=[15, 53, "home"])


def test_F8_a_frozen_pawn_is_not_swapped():
    game = game_of("11", red=[6, *TWO_HOME], yellow=[20, 40], ice=["yellow", 20])
    assert ends(game) == {(17, *TWO_HOME), (40, *TWO_HOME)}
    game = game_of("11", red=[6, 35, "home"], yellow=[40], ice=["red", 6])
    assert ends(game) == {(6, 49, "home"), (6, 40, "home")}  # 46 slides


@pytest.mark.parametrize(
    ("red", "yellow", "frozen"),
    [
        ([0, "home", "home"], [24, 28], ["yellow", 28]),  # red would slide from 24
        ([1, "home", "home"], [20, 4], ["yellow", 4]),  # yellow would slide from 1
        ([0, 28, "home"], [24], ["red", 28]),
    ],
)
def test_F8_a_swap_that_would_slide_onto_a_frozen_pawn_is_not_allowed(red, yellow, frozen):
    assert is_lost(game_of("11", red=red, yellow=yellow, ice=frozen))


def test_F8_a_swap_whose_other_pawn_does_not_slide_is_allowed():
    game = game_of("11", red=[1, *TWO_HOME], yellow=[20, 4], ice=["yellow", 4], swap_slides_both=False)
    assert ends(game) == {(1, *TWO_HOME), (20, *TWO_HOME)}  # or pass


def test_F8_a_slide_after_a_swap_passes_over_a_frozen_pawn():
    game = game_of("11", red=[0, *TWO_HOME], yellow=[24, 26, 27], ice=["yellow", 26])
    then = after(game, red=[28, *TWO_HOME])
    assert places(then, "yellow") == (0, 26)


def test_F8_a_frozen_pawn_is_not_sorried():
    assert texts(game_of("sorry", yellow=[20, 40], ice=["yellow", 20])) == {"sorry: red start>40 bumps yellow"}
    assert is_lost(game_of("sorry", yellow=[20], ice=["yellow", 20]))


def test_F8_sorry_does_not_slide_onto_a_frozen_pawn():
    assert is_lost(game_of("sorry", yellow=[24, 28], ice=["yellow", 28]))
    then = after(game_of("sorry", yellow=[24, 26], ice=["yellow", 26]), red=[28])
    assert places(then, "yellow") == (26,)


def test_F8_a_frozen_pawn_does_not_count_as_one_that_could_go_eleven():
    assert passes(game_of("11", red=[6, 0, "home"], yellow=[33])) == []
    game = game_of("11", red=[6, 0, "home"], yellow=[33], ice=["red", 6])
    assert ends(game) == {(0, 6, "home"), (6, 33, "home")}
    assert len(passes(game)) == 1


def test_F8_a_frozen_pawn_does_not_count_as_one_that_could_go_ten():
    game = game_of("10", red=[6, 0, "home"], ice=["red", 6])
    assert ends(game) == {(6, 59, "home")}
    assert passes(game) == []


def test_F8_eleven_onto_a_frozen_pawn_does_not_count_either():
    game = game_of("11", red=[6, *TWO_HOME], yellow=[17, 33], ice=["yellow", 17])
    assert ends(game) == {(6, *TWO_HOME), (33, *TWO_HOME)}
    assert len(passes(game)) == 1


# --- F9 a 1 moves Ice


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({"blue": [20], "yellow": [40, "safe 1"]}, {"blue 20", "yellow 40"}),
        ({"red": [14], "blue": [20], "yellow": [40, 50]}, {"blue 20", "yellow 40", "yellow 50"}),
        ({"blue": [20], "yellow": [40, 50], "ice": ["blue", 20]}, {"yellow 40", "yellow 50"}),
        ({"blue": [20], "yellow": [40], "red": [14], "ice": ["red", 14]}, {"blue 20", "yellow 40"}),
        ({"blue": [20], "yellow": [40], "fire": ["blue", 20]}, {"blue 20", "yellow 40"}),
    ],
)
def test_F9_a_1_moves_ice_first_to_an_opponent_s_pawn_on_the_ring(named, expected):
    game = dealt(game_of(None, **named), "1")
    assert (decision(game), game.to_move, game.position()["card"]) == ("ice", "red", "1")
    assert texts(game) == {f"1: ice to {pawn}" for pawn in expected}
    assert sends_round(game)
    assert texts(game_of("1", pending="ice", **named)) == texts(game)


@pytest.mark.parametrize(
    ("named", "ice"),
    [
        ({"yellow": [40]}, ["yellow", 40]),
        ({"yellow": [40, 50], "ice": ["yellow", 40]}, ["yellow", 50]),
        ({"red": [14], "yellow": [40], "ice": ["red", 14]}, ["yellow", 40]),
        ({"yellow": [40], "ice": ["yellow", 40]}, None),
        ({"red": [14], "yellow": ["safe 1"], "ice": ["red", 14]}, None),
        ({"red": [14], "yellow": ["safe 1", "home"]}, None),
    ],
)
def test_F9_one_place_or_none_leaves_no_decision(named, ice):
    game = dealt(game_of(None, **named), "1")
    assert (decision(game), game.position()["card"]) == (None, "1")
    assert tokens(game) == (None, ice)
    with pytest.raises(InvalidPosition):
        game_of("1", pending="ice", **named)


def test_F9_then_the_1_is_played():
    game = game_of("1", pending="ice", red=[14], blue=[20], yellow=[40])
    then = played(game, "1: ice to yellow 40")
    assert (tokens(then), decision(then), then.position()["card"]) == ((None, ["yellow", 40]), None, "1")
    assert (then.to_move, then.awaits_chance) == ("red", False)
    assert texts(then) == {"1: red start>4", "1: red 14>15"}


def test_F9_the_new_ice_counts_for_the_same_1():
    game = game_of("1", pending="ice", red=[14, *TWO_HOME], blue=[15], yellow=[40])
    assert is_lost(played(game, "1: ice to blue 15"))
    then = after(played(game, "1: ice to yellow 40"), red=[15, *TWO_HOME])
    assert places(then, "blue") == ()


def test_F9_ice_moves_even_if_the_1_cannot_be_used():
    game = dealt(game_of(None, red=[14, *TWO_HOME], yellow=[15]), "1")
    assert tokens(game) == (None, ["yellow", 15])
    assert is_lost(game)
    assert tokens(after_passing(game)) == (None, ["yellow", 15])


def test_F9_an_own_pawn_that_is_freed_may_be_moved_by_the_same_1():
    game = dealt(game_of(None, red=[14], ice=["red", 14]), "1")
    assert texts(game) == {"1: red start>4", "1: red 14>15"}
    game = game_of("1", pending="ice", red=[14, *TWO_HOME], blue=[20], yellow=[40], ice=["red", 14])
    assert texts(played(game, "1: ice to blue 20")) == {"1: red 14>15"}


def test_F9_the_other_cards_leave_ice_alone():
    for card in CARDS:
        if card != "1":
            game = dealt(game_of(None, blue=[20], yellow=[40], ice=["blue", 20]), card)
            assert (decision(game), tokens(game)) == (None, (None, ["blue", 20]))


def test_F9_a_position_with_a_1_and_nothing_pending_is_past_the_decision():
    assert texts(game_of("1", blue=[20], yellow=[40])) == {"1: red start>4"}


@pytest.mark.parametrize("colour", ["red", "blue", "yellow"])
def test_F9_everybody_sees_the_decision(colour):
    game = game_of("1", pending="ice", red=[14], blue=[20], yellow=[40])
    view = game.view(colour)
    assert view.position() == game.position()
    assert (view.legal() == game.legal()) == (colour == "red")


# --- F10 what becomes of the tokens


@pytest.mark.parametrize(
    ("card", "red", "yellow", "end"),
    [
        ("3", [17], [20], 20),
        ("4", [24], [20], 20),
        ("3", [13], [18], 19),
        ("3", [13], [16], 19),
        ("sorry", [], [20], 20),
        ("5", [], [4], 4),
    ],
)
def test_F10_fire_is_lost_when_its_pawn_is_sent_to_start(card, red, yellow, end):
    game = game_of(card, red=red, yellow=yellow, fire=["yellow", yellow[0]])
    then = after(game, red=[end], yellow=[])
    assert tokens(then) == (None, None)


def test_F10_by_one_s_own_slide_too():
    game = game_of("3", red=[13, 18, "home"], fire=["red", 18])
    assert tokens(after(game, red=[19, "home"])) == (None, None)


def test_F10_by_fire_on_another_s_slide_the_slider_keeps_its_own():
    game = game_of("3", red=[13, *TWO_HOME], yellow=[18], fire=["red", 13])
    assert tokens(after(game, red=[19, *TWO_HOME], yellow=[])) == (["red", 19], None)


def test_F10_a_pawn_that_is_swapped_keeps_its_token():
    game = game_of("11", red=[6, *TWO_HOME], yellow=[20], fire=["red", 6])
    assert tokens(after(game, red=[20, *TWO_HOME], yellow=[6])) == (["red", 20], None)
    game = game_of("11", red=[6, *TWO_HOME], yellow=[20], fire=["yellow", 20])
    assert tokens(after(game, red=[20, *TWO_HOME], yellow=[6])) == (["yellow", 6], None)


def test_F10_a_swapped_pawn_that_is_then_swept_loses_it():
    # Red comes to 24 and slides over yellow, which stands on 25 now.
    game = game_of("11", red=[25, *TWO_HOME], yellow=[24], fire=["yellow", 24])
    assert tokens(after(game, red=[28, *TWO_HOME], yellow=[])) == (None, None)


def test_F10_the_token_follows_its_own_pawn_and_no_other():
    game = game_of("3", red=[17, 35, "home"], yellow=[40], fire=["red", 17], ice=["yellow", 40])
    assert tokens(after(game, red=[20, 35, "home"])) == (["red", 20], ["yellow", 40])
    assert tokens(after(game, red=[17, 38, "home"])) == (["red", 17], ["yellow", 40])


@pytest.mark.parametrize(
    "changes",
    [
        {"hand_size": 5},
        {"question_cards": 8},
        {"turbo": True},
        {"two_draws_again": True},
        {"teams": True},
        {"points": "1939", "hand_size": 5},
    ],
)
def test_F10_fire_and_ice_is_not_combined_with_other_editions(changes):
    with pytest.raises(RulesetError):
        Game("fire_and_ice", **changes)


@pytest.mark.parametrize("ruleset", ["points_1939", "not_sorry", "bump_em", "classic"])
def test_F10_nor_the_other_editions_with_tokens(ruleset):
    with pytest.raises(RulesetError):
        Game(ruleset, tokens=True)


# --- positions that cannot be


@pytest.mark.parametrize(
    "token",
    [
        ["red", "start"],
        ["red", "home"],
        ["red", 15],  # nobody is there
        ["red", "safe 2"],
        ["yellow", 14],  # red is there
        ["green", 14],  # does not play
        ["purple", 14],
        ["red", 60],
        ["red", -1],
        ["red", "14"],
        ["red", None],
        ["red"],
        ["red", 14, 14],
        ["red", True],
        [None, 14],
        "red",
        14,
        {"red": 14},
        [],
    ],
)
@pytest.mark.parametrize("name", ["fire", "ice"])
def test_F10_a_token_is_on_a_pawn_that_is_out_or_in_the_middle(name, token):
    with pytest.raises(InvalidPosition, match=name):
        game_of("3", red=[14, "home"], yellow=[40], **{name: token})


def test_F8_ice_is_never_in_a_zone():
    with pytest.raises(InvalidPosition, match="ice"):
        game_of("3", red=[14, "safe 2"], ice=["red", "safe 2"])
    game_of("3", red=[14, "safe 2"], fire=["red", "safe 2"])  # Fire may be


@pytest.mark.parametrize("ruleset", ["classic", "diamond", "bump_em", "not_sorry", "teams_1939"])
@pytest.mark.parametrize("extra", [{"fire": ["red", 14]}, {"ice": ["red", 14]}, {"phase": "fire", "card": None}])
def test_F10_tokens_in_a_ruleset_without_them_are_refused(ruleset, extra):
    board = position("3", ruleset=ruleset, seats=list(COLOURS), red=[14])
    board["pawns"] = {colour: own[: 3 if ruleset == "not_sorry" else 4] for colour, own in board["pawns"].items()}
    Game.from_position(board)
    with pytest.raises(InvalidPosition):
        Game.from_position(board | extra)


@pytest.mark.parametrize(
    ("card", "pending"),
    [
        ("1", {}),
        ("1", []),
        ("1", 3),
        ("1", {"decision": "thaw"}),
        ("1", {"decision": None}),
        ("1", {"decision": "fire"}),
        ("1", {"decision": "part", "left": 4, "moved": {}}),
        ("1", {"decision": "second"}),
        ("1", {"decision": "answer", "drawer": "red"}),
        ("2", {"decision": "ice"}),
        ("3", {"decision": "ice"}),
        ("3", {"decision": "fire"}),
        ("3", {"decision": "second"}),
        (None, {"decision": "ice"}),
        (None, {"decision": "fire"}),
    ],
)
def test_F10_a_broken_pending_decision_is_refused(card, pending):
    board = scene(card, red=[14, "home"], blue=[20], yellow=[40])
    with pytest.raises(InvalidPosition):
        Game.from_position(board | {"pending": pending})


@pytest.mark.parametrize(("card", "name"), [("1", "ice"), ("2", "fire"), (None, "second")])
def test_F10_decisions_about_tokens_in_a_ruleset_without_them_are_refused(card, name):
    board = position(card, red=[14, "home"], blue=[20], yellow=[40])
    with pytest.raises(InvalidPosition):
        Game.from_position(board | {"pending": {"decision": name}})


def test_F7_a_second_pawn_without_a_first_is_refused():
    with pytest.raises(InvalidPosition):
        game_of(None, pending="second", red=[14])


def test_F7_a_second_pawn_with_the_flag_off_is_refused():
    with pytest.raises(InvalidPosition):
        game_of(None, pending="second", red=["home", 14], fire_second_home=False)


def test_F7_a_second_pawn_with_none_left_to_bring_is_refused():
    with pytest.raises(InvalidPosition):
        game_of(None, pending="second", red=["home", "home", 14], ice=["red", 14])


def test_F5_a_phase_and_a_pending_decision_exclude_each_other():
    with pytest.raises(InvalidPosition):
        game_of(None, fire=["red", 14], phase="fire", pending="second", red=["home", 14])
