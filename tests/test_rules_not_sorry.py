"""Section N of the rules: Sorry! Not Sorry! and its question cards."""

import numpy as np
import pytest

from positions import (
    CARDS,
    COLOURS,
    EMPTY_PILE,
    SCENES,
    after,
    after_passing,
    arranged,
    dealt,
    game_at,
    is_lost,
    legal_texts,
    odds,
    placement,
    places,
    position,
    results,
    texts,
)
from sorry_env import Game, IllegalAction, InvalidPosition, RulesetError, sorry_v0

TWO_HOME = ["home"] * 2
FULL = dict.fromkeys(CARDS, 4) | {"1": 5, "question": 8}
EMPTY = EMPTY_PILE | {"question": 0}
ALL_SEATS = list(COLOURS)
YES_OR_NO = {"question: yes", "question: no"}
PASS = {"question: pass"}

ASK = {"decision": "ask"}


def to_answer(drawer="red"):
    """A seat has been asked."""
    return {"decision": "answer", "drawer": drawer}


def coin(asked="yellow"):
    """The coin that answers has still to fall."""
    return {"decision": "coin", "asked": asked}


def moves(answer, drawer="red", asked="yellow"):
    """The answer has been given, and drawer or asked one has to move."""
    return {"decision": "move", "answer": answer, "drawer": drawer, "asked": asked}


def table(card="question", to_move="red", pending=None, **named):
    """A position with three pawns each."""
    result = position(card, to_move, "not_sorry", pawns=3, **named)
    return result if pending is None else result | {"pending": pending}


def game_of(*arguments, **named):
    """The game in that `table`."""
    return Game.from_position(table(*arguments, **named))


def played(game, *told):
    """The game after the actions that read like this, a coin's outcome being `by coin yes` or `by coin no`."""
    for text in told:
        game = dealt(game, text.split()[-1]) if text.startswith("by coin") else game.after(game.parse(text))
    return game


def pending(game):
    """The decision due beside the use of a card, or None."""
    return game.position().get("pending")


def state_of(game):
    """Who has to do what."""
    return game.to_move, pending(game)


def board(**pawns):
    """A placement, to be compared with those that come out."""
    return frozenset((colour, arranged(own)) for colour, own in pawns.items())


def tree(game):
    """The game and all that may become of it until the question has been dealt with."""
    found = [game]
    if pending(game) is None:
        return found
    if game.awaits_chance:
        following = [dealt(game, outcome) for outcome in odds(game)]
    else:
        following = [game.after(action) for action in game.legal()]
    assert following
    for then in following:
        found += tree(then)
    return found


def endings(game):
    """Every placement that may come out of the question."""
    return {placement(then) for then in tree(game) if pending(then) is None}


def assert_refused(game, text):
    """The text is no legal action, and the game says why."""
    with pytest.raises(IllegalAction) as caught:
        game.parse(text)
    assert str(caught.value) == game.why_illegal(text) != ""


# --- N1 pawns and cards


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_N1_three_pawns_each(seats):
    assert list(Game("not_sorry", seats=seats).position()["pawns"].values()) == [["start"] * 3] * seats


def test_N1_three_home_win():
    then = after(game_of("3", red=["safe 3", *TWO_HOME]), red=["home"] * 3)
    assert (then.is_over, then.position()["winner"]) == (True, ["red"])


def test_N1_eight_question_cards_are_added_to_the_45():
    assert sum(FULL.values()) == 53
    assert odds(game_of(None)) == pytest.approx({card: count / 53 for card, count in FULL.items()})


@pytest.mark.parametrize("count", [1, 3, 7])
def test_N1_how_many_is_a_choice(count):
    game = game_of(None, question_cards=count)
    full = FULL | {"question": count}
    assert odds(game) == pytest.approx({card: number / (45 + count) for card, number in full.items()})


def test_N1_a_drawn_question_leaves_the_pile():
    game = dealt(game_of(None), "question")
    assert (game.position()["card"], game.position()["pile"]) == ("question", FULL | {"question": 7})


def test_N1_a_used_question_stays_out_while_the_pile_lasts():
    then = played(game_of(), "question: yes", "question: pass", "question: pass")
    assert odds(then) == pytest.approx({card: count / 52 for card, count in (FULL | {"question": 7}).items()})


@pytest.mark.parametrize("card", ["3", "question"])
def test_N1_with_an_empty_pile_the_questions_come_back_with_the_rest(card):
    game = game_of(card, pile=EMPTY)
    told = ("3: pass",) if card == "3" else ("question: no", "question: pass", "question: pass")
    assert odds(played(game, *told)) == pytest.approx({card: count / 53 for card, count in FULL.items()})


@pytest.mark.parametrize("scene", SCENES)
def test_N1_the_other_cards_are_those_of_classic(scene):
    pawns = {colour: own[:3] for colour, own in SCENES[scene].items()}
    for card in CARDS:
        new, classic = game_of(card, **pawns), game_at(card, pawns=3, **pawns)
        assert sorted(legal_texts(new)) == sorted(legal_texts(classic)), card
        assert results(new).keys() == results(classic).keys(), card


def test_N1_a_2_draws_again():
    then = after(game_of("2"), red=[4])
    assert (then.to_move, then.awaits_chance) == ("red", True)


def test_N1_there_are_no_questions_in_classic():
    with pytest.raises(InvalidPosition, match="question"):
        game_at("question")
    with pytest.raises(InvalidPosition, match="question"):
        game_at("3", pile=EMPTY_PILE | {"question": 1})
    assert "question" not in odds(game_at(None))


@pytest.mark.parametrize("pile", [{"question": 9}, {"question": 8}, {"question": -1}])
def test_N1_more_questions_than_the_deck_has_are_refused(pile):
    with pytest.raises(InvalidPosition, match="question"):
        game_of(pile=EMPTY | pile)  # one is in play


@pytest.mark.parametrize(
    ("ruleset", "changes"),
    [
        ("not_sorry", {"question_cards": -1}),
        ("not_sorry", {"question_cards": "8"}),
        ("not_sorry", {"hand_size": 5}),
        ("points_1939", {"question_cards": 8}),
        ("teams_1939", {"question_cards": 8}),
        ("teams_modern", {"question_cards": 8}),
        ("fire_and_ice", {"question_cards": 8}),
        ("not_sorry", {"answer": "maybe"}),
        ("not_sorry", {"answer": None}),
        ("classic", {"answer": "random"}),
    ],
)
def test_N1_N3_rulesets_that_cannot_be(ruleset, changes):
    with pytest.raises(RulesetError):
        Game(ruleset, **changes)


# --- N2 whom to ask


@pytest.mark.parametrize("drawer", COLOURS)
def test_N2_the_drawer_names_one_of_three_opponents(drawer):
    game = game_of(to_move=drawer, seats=ALL_SEATS, turns=5)
    assert state_of(game) == (drawer, ASK)
    assert texts(game) == {f"question: ask {colour}" for colour in COLOURS if colour != drawer}
    for asked in COLOURS:
        if asked != drawer:
            then = played(game, f"question: ask {asked}")
            assert state_of(then) == (asked, to_answer(drawer))
            assert placement(then) == placement(game)
            assert (then.position()["card"], then.position()["turns"], then.awaits_chance) == ("question", 5, False)


@pytest.mark.parametrize("drawer", ["red", "blue", "yellow"])
def test_N2_the_drawer_names_one_of_two_opponents(drawer):
    seats = ["red", "blue", "yellow"]
    game = game_of(to_move=drawer, seats=seats)
    assert texts(game) == {f"question: ask {colour}" for colour in seats if colour != drawer}


def test_N2_any_opponent_may_be_named_whether_it_can_move_or_not():
    game = game_of(red=[5], blue=[], yellow=["safe 5", *TWO_HOME], green=[50])
    assert texts(game) == {"question: ask blue", "question: ask yellow", "question: ask green"}


@pytest.mark.parametrize("text", ["question: ask red", "question: ask green", "question: ask purple", "question: pass"])
def test_N2_nobody_else_can_be_asked_and_somebody_must_be(text):
    assert_refused(game_of(red=[5], blue=[20], yellow=[35]), text)


def test_N2_the_pending_ask_may_be_written_or_left_out():
    pawns = {"red": [5], "blue": [20], "yellow": [35]}
    assert game_of(pending=ASK, **pawns).position() == game_of(**pawns).position()


def test_N2_with_two_seats_the_only_opponent_is_asked_with_the_draw():
    game = game_of(red=[5], yellow=[35])
    assert state_of(game) == ("yellow", to_answer("red"))
    assert game.position() == game_of(to_move="yellow", pending=to_answer("red"), red=[5], yellow=[35]).position()
    drawn = dealt(game_of(None, red=[5], yellow=[35]), "question")
    assert drawn.position() == game.position()


@pytest.mark.parametrize("seats", [["red", "yellow"], ["blue", "green"], ["yellow", "green"]])
@pytest.mark.parametrize("k", [0, 1])
def test_N2_of_any_two_colours(seats, k):
    game = game_of(to_move=seats[k], seats=seats)
    assert state_of(game) == (seats[1 - k], to_answer(seats[k]))


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({"yellow": []}, ("red", to_answer("yellow"))),
        ({"blue": [], "yellow": []}, ("blue", ASK)),
        ({"blue": [], "green": []}, ("blue", ASK)),
    ],
)
def test_N2_a_question_that_play_draws_is_asked(others, expected):
    game = game_of("3", pile=EMPTY | {"question": 1}, **others)
    game.play(game.parse("3: pass"))
    assert state_of(game) == expected
    assert (game.position()["card"], game.awaits_chance) == ("question", False)


# --- N2 the answer


@pytest.mark.parametrize("asked", ["blue", "yellow", "green"])
def test_N2_the_one_asked_answers_yes_or_no(asked):
    game = game_of(to_move=asked, pending=to_answer("red"), seats=ALL_SEATS, red=[5], green=[50], turns=5)
    assert texts(game) == YES_OR_NO
    for answer in ("yes", "no"):
        then = played(game, f"question: {answer}")
        assert state_of(then) == ("red", moves(answer, "red", asked))
        assert placement(then) == placement(game)
        assert (then.position()["card"], then.position()["turns"], then.awaits_chance) == ("question", 5, False)


def test_N2_also_when_the_answer_makes_no_difference():
    game = game_of(red=[], yellow=["safe 5"])
    assert texts(game) == YES_OR_NO
    assert endings(game) == {placement(game)}


def test_N2_the_answer_is_the_next_decision_in_the_environment():
    env = sorry_v0.env("not_sorry", 3)
    env.reset(seed=1, options={"position": table(pending=ASK, seats=["red", "blue", "yellow"], red=[5])})
    told = [("player_0", "question: ask yellow"), ("player_2", "question: no"), ("player_0", "question: red 5>8")]
    for agent, text in told:
        assert env.agent_selection == agent
        env.step(env.unwrapped.game().parse(text))
    assert env.agent_selection == "player_2"
    assert texts(env.unwrapped.game()) == PASS


# --- N2 how far a pawn moves


@pytest.mark.parametrize(
    ("red", "six", "three"),
    [
        ([5, 20], {"5>11", "20>26"}, {"5>8", "20>23"}),
        ([5, 20, "home"], {"5>11", "20>26"}, {"5>8", "20>23"}),
        ([5, 20, 40], {"5>11", "20>26", "40>49 slide"}, {"5>8", "20>23", "40>43"}),
        # into the safety zone and Home
        (["safe 1", "safe 3", 2], {"2>home"}, {"safe 1>safe 4", "safe 3>home"}),
        ([58], {"58>safe 2"}, {"58>1"}),
        ([59], {"59>safe 3"}, {"59>2"}),
        ([1], {"1>safe 5"}, {"1>safe 2"}),
        # from the own diamond square all the way round
        ([3], {"3>9"}, {"3>6"}),
        # slides
        ([10], {"10>19 slide"}, {"10>13"}),
        ([13], {"13>19"}, {"13>19 slide"}),
        ([18], {"18>28 slide"}, {"18>21"}),
        ([16], {"16>22"}, {"16>19"}),
        # own pawns in the way
        ([14, 20], {"20>26"}, {"14>17", "20>23"}),
        ([14, 17], {"14>20", "17>23"}, {"17>20"}),
        (["safe 1", "safe 4"], set(), set()),
        # nothing to move
        ([], set(), set()),
        (["home", "home"], set(), set()),
        (["home", "safe 5"], set(), set()),
        (["safe 4", "safe 5", "home"], set(), set()),
    ],
)
def test_N2_yes_moves_six_and_no_three_the_drawer_first(red, six, three):
    for answer, expected in (("yes", six), ("no", three)):
        game = game_of(pending=moves(answer), red=red)
        assert texts(game) == ({f"question: red {move}" for move in expected} or PASS), answer


@pytest.mark.parametrize(
    ("yellow", "six", "three"),
    [
        ([35, 53], {"35>41 bumps red", "53>59"}, {"35>38", "53>56"}),
        ([28], {"28>safe 2"}, {"28>31"}),  # the first square of yellow's own slide
        ([58, "home"], {"58>4"}, {"58>4 slide"}),
        (["safe 1", "safe 3", 32], {"32>home"}, {"safe 1>safe 4", "safe 3>home"}),
        ([10, 16], {"16>22 bumps red"}, {"10>13", "16>19"}),
        ([], set(), set()),
        (["home", "safe 5"], set(), set()),
    ],
)
def test_N2_then_the_one_asked_one_of_its_own_pawns(yellow, six, three):
    for answer, expected in (("yes", six), ("no", three)):
        game = game_of(to_move="yellow", pending=moves(answer), red=[22, 41], yellow=yellow)
        assert texts(game) == ({f"question: yellow {move}" for move in expected} or PASS), answer


@pytest.mark.parametrize(
    "text", ["question: pass", "question: red start>4", "question: red 20>19", "question: red 5>9"]
)
def test_N2_the_move_is_compulsory_forward_and_never_out_of_start(text):
    assert_refused(game_of(pending=moves("yes"), red=[5, 20]), text)


def test_N2_a_move_that_sweeps_an_own_pawn_must_be_made():
    # 48 + 6 = 54 slides to 58; 57 + 6 is safe 1, which is held.
    game = game_of(pending=moves("yes"), red=[48, 57, "safe 1"])
    assert texts(game) == {"question: red 48>58 slide bumps red"}
    assert places(game.after(game.legal()[0]), "red") == (58, "safe 1")


def test_N2_a_pawn_that_is_landed_on_is_bumped():
    game = game_of(pending=moves("yes"), red=[14], yellow=[20, 50])
    assert texts(game) == {"question: red 14>20 bumps yellow"}
    then = game.after(game.legal()[0])
    assert (places(then, "red"), places(then, "yellow")) == ((20,), (50,))
    assert texts(then) == {"question: yellow 50>56"}


def test_N2_with_bypass_entry_the_move_may_go_past_the_entry():
    game = game_of(pending=moves("yes"), red=[0], bypass_entry=True)
    assert {places(game.after(action), "red") for action in game.legal()} == {("safe 4",), (6,)}
    assert len(game.legal()) == 2


# --- N2 the order, and whose turn comes next


@pytest.mark.parametrize("drawer", COLOURS)
@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_N2_the_drawer_then_the_one_asked_then_the_seat_after_the_drawer(drawer, turns, answer):
    seat = COLOURS.index(drawer)
    asked, following = COLOURS[(seat + turns) % 4], COLOURS[(seat + 1) % 4]
    game = game_of(to_move=drawer, seats=ALL_SEATS, turns=7)
    game = played(game, f"question: ask {asked}", f"question: {answer}")
    for mover in (drawer, asked):
        assert state_of(game) == (mover, moves(answer, drawer, asked))
        assert (game.position()["card"], game.position()["turns"], game.awaits_chance) == ("question", 7, False)
        game = played(game, "question: pass")
    assert state_of(game) == (following, None)
    assert (game.position()["card"], game.position()["turns"], game.awaits_chance) == (None, 8, True)


def test_N2_the_one_asked_moves_even_if_the_drawer_could_not():
    game = game_of(pending=moves("no"), red=["safe 5"], yellow=[35])
    assert texts(game) == PASS
    then = played(game, "question: pass")
    assert (then.to_move, texts(then)) == ("yellow", {"question: yellow 35>38"})
    assert places(played(then, "question: yellow 35>38"), "yellow") == (38,)


def test_N2_the_drawer_has_moved_even_if_the_one_asked_cannot():
    then = played(game_of(pending=moves("no"), red=[5], yellow=["safe 5"]), "question: red 5>8")
    assert (then.to_move, texts(then)) == ("yellow", PASS)
    then = played(then, "question: pass")
    assert (placement(then), then.to_move) == (board(red=[8], yellow=["safe 5"]), "yellow")


def test_N2_the_third_seat_does_not_move():
    game = game_of(pending=ASK, red=[5], blue=[25], yellow=[40])
    for then in tree(game):
        blue, yellow = places(then, "blue"), places(then, "yellow")
        assert blue == (25,) or yellow == (40,)


# --- N2 all that may come out


def test_N2_every_ending_of_a_quiet_question():
    game = game_of(red=[5, 20, "home"], yellow=[35, "safe 1"])
    assert endings(game) == {
        board(red=[11, 20, "home"], yellow=[41, "safe 1"]),
        board(red=[5, 26, "home"], yellow=[41, "safe 1"]),
        board(red=[8, 20, "home"], yellow=[38, "safe 1"]),
        board(red=[8, 20, "home"], yellow=[35, "safe 4"]),
        board(red=[5, 23, "home"], yellow=[38, "safe 1"]),
        board(red=[5, 23, "home"], yellow=[35, "safe 4"]),
    }


def test_N2_every_ending_when_the_drawer_may_bump_one_of_two_opponents():
    # 14 + 6 = 20 bumps blue, whoever was asked; yellow waits in Start.
    game = game_of(red=[14], blue=[20], yellow=[])
    assert endings(game) == {
        board(red=[20], blue=[], yellow=[]),
        board(red=[17], blue=[23], yellow=[]),
        board(red=[17], blue=[20], yellow=[]),
    }


def test_N2_every_ending_when_both_may_bump_each_other():
    # Six: red slides from 16 to 19, where 13 + 6 lands. Three: red lands on 13.
    game = game_of(red=[10], yellow=[13])
    assert endings(game) == {board(red=[], yellow=[19]), board(red=[13], yellow=[])}


def test_N2_every_ending_when_a_slide_sweeps_friend_and_foe():
    # 10 + 6 = 16 slides over 17 and 18; 18 + 6 = 24 slides to 28.
    game = game_of(red=[10, 18], yellow=[17])
    assert endings(game) == {
        board(red=[19], yellow=[]),
        board(red=[10, 28], yellow=[23]),
        board(red=[13, 18], yellow=[20]),
        board(red=[10, 21], yellow=[20]),
    }


def test_N2_every_ending_with_four_seats():
    # Six: red 11, blue 46 slides to 49, where green stands; yellow 56; green 55.
    # Three: red 8, blue 43, yellow 53, green 52.
    game = game_of(red=[5], blue=[40], yellow=[50], green=[49])
    assert endings(game) == {
        board(red=[11], blue=[49], yellow=[50], green=[]),
        board(red=[11], blue=[40], yellow=[56], green=[49]),
        board(red=[11], blue=[40], yellow=[50], green=[55]),
        board(red=[8], blue=[43], yellow=[50], green=[49]),
        board(red=[8], blue=[40], yellow=[53], green=[49]),
        board(red=[8], blue=[40], yellow=[50], green=[52]),
    }


# --- N2, S27 the end


def test_N2_if_the_drawer_wins_the_one_asked_does_not_move():
    game = game_of(red=[2, *TWO_HOME], yellow=[35])
    then = played(game, "question: yes", "question: red 2>home")
    assert (then.is_over, then.to_move, then.awaits_chance, pending(then)) == (True, None, False, None)
    assert then.position()["winner"] == ["red"]
    assert placement(then) == board(red=["home"] * 3, yellow=[35])
    assert then.returns() == {"red": 1, "yellow": -1}
    assert endings(game) == {placement(then), board(red=["safe 3", *TWO_HOME], yellow=[38])}


def test_S27_the_one_asked_may_win_on_the_drawer_s_turn():
    game = game_of(pending=ASK, red=[5], blue=["safe 3", *TWO_HOME], yellow=[35], green=[], turns=9)
    then = played(game, "question: ask blue", "question: no", "question: red 5>8", "question: blue safe 3>home")
    assert (then.is_over, then.to_move, then.awaits_chance, pending(then)) == (True, None, False, None)
    assert (then.position()["winner"], then.position()["turns"]) == (["blue"], 9)
    assert then.returns() == pytest.approx({"red": -1 / 3, "blue": 1, "yellow": -1 / 3, "green": -1 / 3})


def test_S26_a_question_in_the_last_turn_is_played_to_its_end():
    game = game_of(red=[5], yellow=[35], turn_limit=5, turns=5)
    then = played(game, "question: no", "question: red 5>8")
    assert not then.is_over
    then = played(then, "question: yellow 35>38")
    assert (then.is_over, then.to_move, then.awaits_chance) == (True, None, False)
    assert then.position()["winner"] == []
    assert then.returns() == {"red": 0, "yellow": 0}
    assert placement(then) == board(red=[8], yellow=[38])


# --- N3 who answers


def test_N3_the_one_asked_answers_by_default():
    assert Game("not_sorry").variant.ruleset.answer == "strategic"
    game = game_of(red=[5], yellow=[35])
    assert not game.awaits_chance
    with pytest.raises(IllegalAction):
        game.deal("yes")


def test_N3_a_fair_coin_may_answer():
    game = game_of(answer="random", red=[5], yellow=[35], turns=7)
    assert state_of(game) == ("red", coin("yellow"))
    assert (game.awaits_chance, game.legal(), game.position()["turns"]) == (True, [], 7)
    assert odds(game) == pytest.approx({"yes": 0.5, "no": 0.5})
    for answer, move in (("yes", "5>11"), ("no", "5>8")):
        then = dealt(game, answer)
        assert (state_of(then), then.awaits_chance) == (("red", moves(answer)), False)
        assert texts(then) == {f"question: red {move}"}


def test_N3_with_more_seats_the_drawer_asks_first_and_then_the_coin_falls():
    game = game_of(answer="random", seats=ALL_SEATS)
    assert (state_of(game), game.awaits_chance) == (("red", ASK), False)
    assert texts(game) == {"question: ask blue", "question: ask yellow", "question: ask green"}
    for asked in ("blue", "yellow", "green"):
        then = played(game, f"question: ask {asked}")
        assert (state_of(then), then.awaits_chance) == (("red", coin(asked)), True)
        assert odds(then) == pytest.approx({"yes": 0.5, "no": 0.5})
        then = played(then, "by coin no")
        assert state_of(then) == ("red", moves("no", "red", asked))


def test_N3_the_pending_coin_may_be_written_or_left_out():
    pawns = {"red": [5], "yellow": [35]}
    written = game_of(pending=coin("yellow"), answer="random", **pawns)
    assert written.position() == game_of(answer="random", **pawns).position()


@pytest.mark.parametrize("outcome", ["maybe", "3", "question", "Yes"])
def test_N3_the_coin_falls_on_yes_or_no(outcome):
    game = game_of(answer="random")
    with pytest.raises(IllegalAction):
        game.deal(outcome)


@pytest.mark.parametrize("text", ["question: yes", "question: no", "question: pass"])
def test_N3_nobody_answers_for_the_coin(text):
    assert_refused(game_of(answer="random"), text)


def test_N3_play_lets_the_coin_fall():
    there = table(pending=ASK, answer="random", red=[5], blue=[20], yellow=[35])
    answers = []
    for seed in range(200):
        game = Game.from_position(there, seed=seed)
        game.play(game.parse("question: ask blue"))
        answers.append(pending(game)["answer"])
        assert state_of(game) == ("red", moves(answers[-1], "red", "blue"))
    assert 70 < answers.count("yes") < 130  # more than four sigmas


def test_N3_with_two_seats_play_draws_the_question_and_lets_the_coin_fall():
    game = game_of("3", answer="random", pile=EMPTY | {"question": 1}, yellow=[35])
    game.play(game.parse("3: pass"))
    assert (game.to_move, game.awaits_chance, pending(game)["decision"]) == ("yellow", False, "move")
    assert pending(game) in (moves("yes", "yellow", "red"), moves("no", "yellow", "red"))


def test_N3_after_the_question_is_drawn_the_coin_is_a_chance_of_its_own():
    game = after_passing(game_of("3", answer="random", pile=EMPTY | {"question": 1}, yellow=[35]))
    assert odds(game) == pytest.approx({"question": 1})
    then = dealt(game, "question")
    assert (state_of(then), then.awaits_chance) == (("yellow", coin("red")), True)


QUESTIONS = {
    "two seats": {"red": [5, 20, "home"], "yellow": [35, "safe 1"]},
    "three seats": {"red": [14], "blue": [20], "yellow": []},
    "bumps": {"red": [10], "yellow": [13]},
    "slides": {"red": [10, 18], "yellow": [17]},
    "wins": {"red": [2, *TWO_HOME], "yellow": [29, *TWO_HOME], "green": [49]},
}


@pytest.mark.parametrize("scene", QUESTIONS)
def test_N3_the_same_may_come_out_whoever_answers(scene):
    assert endings(game_of(**QUESTIONS[scene])) == endings(game_of(answer="random", **QUESTIONS[scene]))


# --- what is told about a question


@pytest.mark.parametrize("answer", ["strategic", "random"])
@pytest.mark.parametrize("scene", QUESTIONS)
def test_N2_every_state_can_be_set_up_again_and_every_text_read_back(scene, answer):
    for game in tree(game_of(answer=answer, **QUESTIONS[scene])):
        there = game.position()
        assert Game.from_position(there).position() == there
        assert Game.from_position(str(game)).position() == there
        for action in game.legal():
            assert game.parse(game.text(action)) == action


@pytest.mark.parametrize("scene", QUESTIONS)
def test_N2_nothing_is_hidden_and_one_colour_acts_at_a_time(scene):
    for game in tree(game_of(**QUESTIONS[scene])):
        for colour in game.variant.colours:
            view = game.view(colour)
            assert view.position() == game.position()
            assert view.legal() == (game.legal() if colour == game.to_move else [])


def test_N2_an_observation_tells_the_decisions_apart():
    pawns = {"red": [5], "blue": [20], "yellow": [35]}
    games = [game_of(pending=ASK, **pawns)]
    for asked in ("blue", "yellow"):
        games.append(game_of(to_move=asked, pending=to_answer(), **pawns))
        for answer in ("yes", "no"):
            games += [game_of(to_move=to, pending=moves(answer, "red", asked), **pawns) for to in ("red", asked)]
    for seat in range(3):
        seen = {game.variant.encode(game.states, np.array([seat])).tobytes() for game in games}
        assert len(seen) == len(games) == 11


def test_N2_in_a_game_a_question_is_a_decision_of_its_own():
    game, rng, asked = Game("not_sorry", seats=3, seed=2), np.random.default_rng(2), set()
    for _ in range(400):
        if game.is_over:
            game = Game("not_sorry", seats=3, seed=int(rng.integers(1000)))
        assert (game.position()["card"] == "question") == (pending(game) is not None)
        asked.add(pending(game) and pending(game)["decision"])
        game.play(int(rng.choice(game.legal())))
    assert asked == {None, "ask", "answer", "move"}


# --- out of turn


@pytest.mark.parametrize("text", ["question: yes", "question: no"])
def test_N2_an_answer_before_anybody_was_asked_is_refused_by_name(text):
    game = game_of(pending=ASK, red=[5], blue=[20], yellow=[35])
    assert_refused(game, text)
    assert "answer" in game.why_illegal(text).lower() or text in game.why_illegal(text)


@pytest.mark.parametrize("text", ["question: yes", "question: no"])
@pytest.mark.parametrize("to_move", ["red", "yellow"])
def test_N2_a_second_answer_is_refused_by_name(text, to_move):
    game = game_of(to_move=to_move, pending=moves("yes"), red=[5], yellow=[35])
    assert_refused(game, text)
    assert "answer" in game.why_illegal(text).lower() or text in game.why_illegal(text)


@pytest.mark.parametrize("text", ["question: red 5>11", "question: yellow 35>41", "question: ask yellow", "3: red 5>8"])
def test_N2_nothing_but_an_answer_is_possible_once_asked(text):
    assert_refused(game_of(to_move="yellow", pending=to_answer(), red=[5], yellow=[35]), text)


def test_N2_only_the_one_asked_may_answer():
    game = game_of(to_move="blue", pending=to_answer(), red=[5], blue=[20], yellow=[35])
    for colour in ("red", "yellow"):
        assert "blue" in game.view(colour).why_illegal("question: yes")
        with pytest.raises(IllegalAction, match="blue"):
            game.view(colour).parse("question: yes")
    assert game.view("blue").why_illegal("question: yes") == ""


def test_N2_the_one_asked_does_not_move_before_the_drawer():
    assert_refused(game_of(pending=moves("yes"), red=[5], yellow=[35]), "question: yellow 35>41")
    assert_refused(game_of(to_move="yellow", pending=moves("yes"), red=[5], yellow=[35]), "question: red 5>11")


@pytest.mark.parametrize("text", ["question: yes", "question: ask yellow", "question: red 5>11", "question: pass"])
def test_N2_without_a_question_there_is_nothing_to_ask_or_answer(text):
    assert_refused(game_of("3", red=[5], yellow=[35]), text)
    assert_refused(game_at("3", red=[5], yellow=[35]), text)


def test_N2_an_action_out_of_turn_by_its_number():
    answer = game_of(to_move="yellow", pending=to_answer(), red=[5], yellow=[35]).parse("question: yes")
    game = game_of(pending=moves("yes"), red=[5], yellow=[35])
    assert game.why_illegal(answer)
    for method in (game.play, game.after, game.text):
        with pytest.raises(IllegalAction):
            method(answer)


# --- decisions that cannot be


@pytest.mark.parametrize(
    ("to_move", "pending"),
    [
        ("red", {}),
        ("red", "ask"),
        ("red", ["ask"]),
        ("red", {"decision": None}),
        ("red", {"decision": "sing"}),
        ("red", {"decision": "ice"}),
        ("red", {"decision": "part", "left": 4, "moved": {}}),
        ("blue", {"decision": "answer"}),
        ("blue", to_answer("green")),
        ("blue", to_answer("purple")),
        ("blue", to_answer("blue")),
        ("red", coin("blue")),  # the one asked answers
        ("red", moves("maybe", "red", "blue")),
        ("red", moves(None, "red", "blue")),
        ("red", moves("yes", "red", "red")),
        ("red", moves("yes", "red", "green")),
        ("red", moves("yes", "green", "red")),
        ("yellow", moves("yes", "red", "blue")),
        ("red", {"decision": "move", "answer": "yes", "drawer": "red"}),
        ("red", {"decision": "move", "answer": "yes", "asked": "blue"}),
        ("red", {"decision": "move", "drawer": "red", "asked": "blue"}),
    ],
)
def test_N2_decisions_that_cannot_be_are_refused(to_move, pending):
    with pytest.raises(InvalidPosition):
        game_of(to_move=to_move, pending=pending, red=[5], blue=[20], yellow=[35])


@pytest.mark.parametrize(
    ("to_move", "pending"),
    [
        ("blue", to_answer("red")),  # the coin answers
        ("red", coin("red")),
        ("red", coin("green")),
        ("red", {"decision": "coin"}),
    ],
)
def test_N3_nor_those_that_a_coin_does_not_leave(to_move, pending):
    with pytest.raises(InvalidPosition):
        game_of(to_move=to_move, pending=pending, answer="random", red=[5], blue=[20], yellow=[35])


@pytest.mark.parametrize("card", [None, "3", "1"])
@pytest.mark.parametrize(
    ("to_move", "pending"), [("red", ASK), ("blue", to_answer("red")), ("red", moves("yes", "red", "blue"))]
)
def test_N2_no_decision_without_a_question(card, to_move, pending):
    with pytest.raises(InvalidPosition):
        game_of(card, to_move=to_move, pending=pending, red=[5], blue=[20], yellow=[35])


@pytest.mark.parametrize("ruleset", ["classic", "diamond", "fire_and_ice", "teams_modern"])
def test_N2_no_question_in_other_rulesets(ruleset):
    pawns = {"pawns": 3} if ruleset == "fire_and_ice" else {}
    there = position("7", ruleset=ruleset, seats=ALL_SEATS, **pawns)
    Game.from_position(there)
    with pytest.raises(InvalidPosition, match=r"(?i)ask|pending|decision|question"):
        Game.from_position(there | {"pending": ASK})


def test_N1_a_card_without_use_is_lost_as_in_classic():
    assert is_lost(game_of("3"))
