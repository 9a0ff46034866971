"""Section H of the rules: hands, points, and what a seat may know of the others' hands."""

import json
from math import comb, sqrt

import numpy as np
import pytest

from positions import (
    CARDS,
    COLOURS,
    EMPTY_PILE,
    SCENES,
    THREE_HOME,
    corner,
    dealt,
    ends,
    game_at,
    legal_texts,
    odds,
    passes,
    placement,
    places,
    played,
    position,
    texts,
)
from sorry_env import Game, IllegalAction, InvalidPosition, RulesetError, sorry_v0, variant
from sorry_env.random import generators
from sorry_env.rewards import score

MOVES = {"points_1939": "diamond", "points_modern": "classic", "classic": "classic", "diamond": "diamond"}
"""Each edition with hands, and the one without whose moves it has."""
FOURS = dict.fromkeys(CARDS, 4)
DECKS = {"points_1939": FOURS, "points_modern": FOURS | {"1": 5}, "classic": FOURS | {"1": 5}, "diamond": FOURS}
HANDS = {"red": "1 3 3 4 4", "blue": "7 7 8 8 10", "yellow": "10 10 11 11 12", "green": "5 5 8 12 12"}
"""What a colour holds when a test does not say."""
STUCK = "3 3 5 5 8"
"""Of no use while all pawns wait in Start."""
SWAPS = "11 11 12 12 sorry"
"""From square 0, and with nobody in Start, 11 steps and 12 are too many and Sorry! is of no use."""
ON_ZERO = [0, *THREE_HOME]
OPPONENTS = {1: ("yellow",), 2: ("blue", "yellow"), 3: ("blue", "yellow", "green")}

each_edition = pytest.mark.parametrize("edition", MOVES)


def changes_of(edition):
    """What makes a game of hands of the ruleset."""
    return {} if edition.startswith("points") else {"hand_size": 5}


def new_game(edition="points_1939", **named):
    return Game(edition, **changes_of(edition), **named)


def table(hand, to_move="red", ruleset="points_1939", hands=None, **named):
    """A position in which the colour to move holds the cards; `hands` are those of others."""
    result = position(None, to_move, ruleset, **changes_of(ruleset), **named)
    held = HANDS | {to_move: hand} | (hands or {})
    return result | {"hands": {colour: held[colour].split() for colour in result["seats"]}}


def game_of(*arguments, **named):
    """The game in that `table`."""
    return Game.from_position(table(*arguments, **named))


def discards(hand):
    """The texts of throwing away any card of a hand."""
    return {f"{card}: discard" for card in hand.split()}


def hand_of(game, colour="red"):
    """What a colour holds, as it is written here."""
    return " ".join(game.position()["hands"][colour])


def assert_refused(game, text):
    """The text is no legal action, and the game says why."""
    with pytest.raises(IllegalAction) as caught:
        game.parse(text)
    assert str(caught.value) == game.why_illegal(text) != ""


def assert_can_be_set_up_again(game):
    """The position survives being written down, as a dict, as JSON and as a line."""
    there = game.position()
    assert Game.from_position(there).position() == there
    assert Game.from_position(json.loads(json.dumps(there))).position() == there
    assert Game.from_position(str(game)).position() == there


# --- H1 the deal


@each_edition
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_H1_five_cards_each(edition, seats):
    there = new_game(edition, seats=seats).position()
    assert list(there["hands"]) == there["seats"]
    assert [len(hand) for hand in there["hands"].values()] == [5] * seats
    assert sum(there["pile"].values()) == sum(DECKS[edition].values()) - 5 * seats
    assert there["card"] is None


@each_edition
def test_H1_hands_and_pile_are_the_deck(edition):
    for seed in range(10):
        there = new_game(edition, seed=seed).position()
        held = [card for hand in there["hands"].values() for card in hand]
        assert {card: there["pile"][card] + held.count(card) for card in CARDS} == DECKS[edition]


def test_H1_hands_are_listed_in_the_order_of_the_cards():
    for seed in range(10):
        for hand in new_game(seed=seed).position()["hands"].values():
            assert hand == sorted(hand, key=CARDS.index)
    assert hand_of(game_of("sorry 12 2 11 2")) == "2 2 11 12 sorry"


def test_H1_each_seat_is_dealt_every_card_as_often_as_the_deck_holds_it():
    game = variant("points_modern", 2)
    states = game.new_states(4000)
    game.reset(states, generators(5, 4000))
    share = {card: 5 * count / 45 for card, count in DECKS["points_modern"].items()}
    for seat in range(2):
        found = states["hands"][:, seat, : len(CARDS)].mean(axis=0)  # five sigmas are less than 0.06
        assert dict(zip(CARDS, found.tolist(), strict=True)) == pytest.approx(share, abs=0.06)


@pytest.mark.parametrize("first", COLOURS)
def test_H1_the_seat_that_begins_has_to_decide_at_once(first):
    game = new_game(first=first)
    assert (game.to_move, game.awaits_chance, game.position()["turns"]) == (first, False, 1)
    assert game.legal()


# --- H1 a turn


@each_edition
def test_H1_any_card_of_the_hand_may_be_played(edition):
    game = game_of("3 4 5 8 12", ruleset=edition, red=[5])
    expected = {"3: red 5>8", "4: red 5>1", "5: red 5>10", "8: red 5>13", "12: red 5>17"}
    assert texts(game) == expected


@each_edition
def test_H1_play_a_card_move_and_refill(edition):
    then = played(game_of("3 4 5 8 12", ruleset=edition, red=[5], turns=7), "3: red 5>8")
    assert places(then, "red") == (8,)
    assert hand_of(then) == "4 5 8 12"
    assert (then.to_move, then.awaits_chance, then.position()["card"]) == ("yellow", True, None)
    then = dealt(then, "10")
    assert hand_of(then) == "4 5 8 10 12"
    assert hand_of(then, "yellow") == HANDS["yellow"]
    assert (then.to_move, then.awaits_chance, then.position()["turns"]) == ("yellow", False, 8)


@each_edition
def test_H1_equal_cards_are_one_choice(edition):
    game = game_of("3 3 3 8 8", ruleset=edition, red=[5])
    assert texts(game) == {"3: red 5>8", "8: red 5>13"}
    assert hand_of(played(game, "3: red 5>8")) == "3 3 8 8"


@each_edition
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("hand", ["1 2 3 4 5", "7 8 10 11 12", "2 7 10 11 sorry"])
def test_H1_the_uses_of_a_hand_are_those_of_its_cards(edition, scene, hand):
    games = {card: game_at(card, ruleset=MOVES[edition], **SCENES[scene]) for card in hand.split()}
    uses = {card: set(legal_texts(game)) - {f"{card}: pass"} for card, game in games.items()}
    usable = {card for card in uses if uses[card]}
    free = usable <= {"11"} and all(passes(games[card]) for card in usable)
    expected = set().union(*uses.values()) | (discards(hand) if free else set())
    assert texts(game_of(hand, ruleset=edition, **SCENES[scene])) == expected


@pytest.mark.parametrize("text", ["4: red 5>1", "10: red 5>15", "1: red start>4", "4: discard"])
def test_H1_a_card_that_is_not_in_the_hand_cannot_be_played(text):
    assert_refused(game_of(STUCK, red=[5]), text)  # yellow holds two 10s


@pytest.mark.parametrize("method", ["play", "after", "text"])
def test_H1_nor_can_its_action(method):
    game = game_of(STUCK, red=[5])
    other = game_of("4 4 5 5 8", red=[5]).parse("4: red 5>1")
    with pytest.raises(IllegalAction):
        getattr(game, method)(other)
    assert game.why_illegal(other)
    assert hand_of(game) == STUCK


def test_H1_play_refills_by_itself():
    game = game_of("3 4 5 8 12", red=[5])
    game.play(game.parse("3: red 5>8"))
    assert (game.to_move, game.awaits_chance) == ("yellow", False)
    assert [len(hand) for hand in game.position()["hands"].values()] == [5, 5]


def test_H1_while_the_refill_is_due_nobody_acts():
    then = played(game_of("3 4 5 8 12", red=[5]), "3: red 5>8")
    assert then.legal() == []
    assert_refused(then, "4: red 8>4")
    with pytest.raises(IllegalAction):
        game_of("3 4 5 8 12", red=[5]).deal("3")


@each_edition
@pytest.mark.parametrize("seats", [2, 4])
def test_H1_hands_stay_full_and_cards_are_neither_made_nor_doubled(edition, seats):
    game, rng = new_game(edition, seats=seats, seed=4), np.random.default_rng(4)
    for _ in range(150):
        if game.is_over:
            break
        there = game.position()
        held = [card for hand in there["hands"].values() for card in hand]
        assert len(held) == 5 * seats
        assert all(held.count(card) + there["pile"][card] <= DECKS[edition][card] for card in CARDS)
        game.play(int(rng.choice(game.legal())))


@each_edition
def test_H1_after_the_winning_card_nothing_is_refilled(edition):
    then = played(game_of("1 2 3 3 4", ruleset=edition, red=["safe 5", *THREE_HOME]), "1: red safe 5>home")
    assert (then.is_over, then.awaits_chance, then.to_move) == (True, False, None)
    assert then.position()["winner"] == ["red"]
    assert then.chance() == then.legal() == []


@each_edition
def test_H1_positions_can_be_set_up_again(edition):
    game = game_of("2 3 4 5 8", ruleset=edition, red=[5])
    assert_can_be_set_up_again(new_game(edition, seats=3))
    assert_can_be_set_up_again(game)
    assert_can_be_set_up_again(played(game, "3: red 5>8"))
    assert_can_be_set_up_again(played(game, "2: red 5>7"))
    assert_can_be_set_up_again(finished(edition, 1, 2))
    assert_can_be_set_up_again(truncated(edition))


# --- H2 discarding


@each_edition
def test_H2_a_hand_without_use_discards_a_card_of_the_player_s_choice(edition):
    game = game_of(STUCK, ruleset=edition, turns=7)
    assert texts(game) == discards(STUCK)
    for card, left in [("3", "3 5 5 8"), ("5", "3 3 5 8"), ("8", "3 3 5 5")]:
        then = played(game, f"{card}: discard")
        assert hand_of(then) == left
        assert placement(then) == placement(game)
        assert (then.to_move, then.awaits_chance, then.position()["turns"]) == ("yellow", True, 8)
        assert hand_of(dealt(then, "1")) == f"1 {left}"
        assert dealt(then, "1").to_move == "yellow"


@pytest.mark.parametrize("hand", ["3 4 5 7 8", "10 10 11 12 sorry", "4 4 4 4 7", "7 8 11 11 12"])
def test_H2_every_card_may_be_discarded_each_once(hand):
    assert texts(game_of(hand)) == discards(hand)


@pytest.mark.parametrize(
    ("hand", "red", "yellow"),
    [
        (SWAPS, ON_ZERO, []),  # nobody to swap with
        ("5 8 11 11 12", [], [33]),  # nobody to be swapped
        (SWAPS, ["safe 1", *THREE_HOME], [33]),
        ("2 3 5 8 12", ["safe 5", *THREE_HOME], [33]),
        ("7 7 8 8 12", ["safe 5", "safe 4", "home", "home"], [33]),
        ("3 4 5 8 sorry", [], ["safe 1", "home"]),
    ],
)
def test_H2_cards_that_cannot_be_used(hand, red, yellow):
    assert texts(game_of(hand, red=red, yellow=yellow)) == discards(hand)


@each_edition
@pytest.mark.parametrize(
    ("hand", "red", "yellow", "end"),
    [
        ("1 3 4 5 8", [], [], (4,)),
        ("2 3 4 5 8", [], [], (4,)),
        ("3 4 5 8 sorry", [], [20], (20,)),
        ("3 5 8 10 12", ["safe 5", *THREE_HOME], [], ("safe 4", *THREE_HOME)),
        ("4 5 8 8 12", ["safe 5", *THREE_HOME], [], ("safe 1", *THREE_HOME)),
        # 42 + 12 = 54 slides to 58 and sweeps the own pawn there.
        ("12 12 12 sorry sorry", [42, 58, "home", "home"], [], (58, "home", "home")),
    ],
)
def test_H2_a_card_that_can_be_used_must_be_played(edition, hand, red, yellow, end):
    game = game_of(hand, ruleset=edition, red=red, yellow=yellow)
    assert ends(game) == {end}
    assert len(game.legal()) == 1


def test_H2_an_11_that_can_go_forward_must_be_played_too():
    game = game_of("11 11 12 12 12", red=[51, "safe 5", "home", "home"])
    assert texts(game) == {"11: red 51>2", "12: red 51>safe 1"}


@pytest.mark.parametrize("text", ["3: discard", "8: discard", "3: pass"])
def test_H2_nothing_is_discarded_while_a_card_can_be_used(text):
    game = game_of("1 3 4 5 8")
    assert_refused(game, text)
    with pytest.raises(IllegalAction):
        game.play(game_of("3 4 5 7 8").parse("3: discard"))


@each_edition
def test_H2_a_hand_whose_only_uses_are_swaps_may_discard_any_card(edition):
    game = game_of(SWAPS, ruleset=edition, red=ON_ZERO, yellow=[33, 50])
    swaps = {"11: red 0>33, yellow 33>0", "11: red 0>50, yellow 50>0"}
    assert texts(game) == swaps | discards(SWAPS)
    then = played(game, "12: discard")
    assert (hand_of(then), placement(then), then.to_move) == ("11 11 12 sorry", placement(game), "yellow")
    then = played(game, "11: discard")
    assert (hand_of(then), placement(then), then.to_move) == ("11 12 12 sorry", placement(game), "yellow")
    then = played(game, "11: red 0>33, yellow 33>0")
    assert (hand_of(then), places(then, "red"), places(then, "yellow")) == (
        "11 12 12 sorry",
        (33, *THREE_HOME),
        (0, 50),
    )


@pytest.mark.parametrize(
    ("hand", "red", "expected"),
    [
        ("3 11 12 12 sorry", ON_ZERO, {"3: red 0>safe 1", "11: red 0>33, yellow 33>0"}),
        ("10 11 12 12 12", ON_ZERO, {"10: red 0>59", "11: red 0>33, yellow 33>0"}),
        (
            "11 11 11 12 sorry",
            [0, 6, "home", "home"],
            {
                "11: red 6>17",
                "12: red 6>18",
                "11: red 0>33, yellow 33>0",
                "11: red 6>33, yellow 33>6",
            },
        ),
    ],
)
def test_H2_but_not_if_it_has_any_other_use(hand, red, expected):
    game = game_of(hand, hands={"yellow": "3 3 7 7 8"}, red=red, yellow=[33])
    assert texts(game) == expected
    assert_refused(game, "12: discard")
    assert_refused(game, "11: discard")


def test_H2_a_sorry_that_can_be_used_is_another_use():
    game = game_of(SWAPS, red=[0, "home", "home"], yellow=[33])
    assert ends(game) == {(33, "home", "home"), (0, 33, "home", "home")}
    assert len(game.legal()) == 2


@pytest.mark.parametrize("hand", [SWAPS, "3 11 12 12 sorry"])
def test_H2_nobody_plays_an_11_in_order_to_pass(hand):
    game = game_of(hand, red=ON_ZERO, yellow=[33])
    assert passes(game) == []
    assert_refused(game, "11: pass")


# --- H3 the 2


@each_edition
def test_H3_a_2_that_is_played_gives_another_turn_after_refilling(edition):
    then = played(game_of("2 3 4 5 8", ruleset=edition, red=[5]), "2: red 5>7")
    assert (then.to_move, then.awaits_chance, hand_of(then)) == ("red", True, "3 4 5 8")
    then = dealt(then, "sorry")
    assert (then.to_move, then.awaits_chance, hand_of(then)) == ("red", False, "3 4 5 8 sorry")
    assert texts(then) == {"3: red 7>10", "4: red 7>3", "5: red 7>12", "8: red 7>15"}
    assert played(then, "3: red 7>10").to_move == "yellow"


def test_H3_also_when_it_brings_a_pawn_from_start():
    then = played(game_of("2 3 4 5 8"), "2: red start>4")
    assert (then.to_move, then.awaits_chance) == ("red", True)


def test_H3_the_turn_after_it_may_end_in_a_discard():
    then = dealt(played(game_of("2 11 12 12 sorry", red=[1, *THREE_HOME]), "2: red 1>safe 1"), "8")
    assert texts(then) == discards("8 11 12 12 sorry")
    assert played(then, "8: discard").to_move == "yellow"


@each_edition
def test_H3_a_discarded_2_does_not(edition):
    game = game_of("2 3 5 8 12", ruleset=edition, red=["safe 5", *THREE_HOME], turns=7)
    assert texts(game) == discards("2 3 5 8 12")
    then = played(game, "2: discard")
    assert (then.to_move, then.position()["turns"], hand_of(then)) == ("yellow", 8, "3 5 8 12")
    assert dealt(then, "2").to_move == "yellow"


def test_H3_2s_in_a_row_have_no_limit():
    game = game_of("2 2 2 3 3", red=[5], turns=7)
    for start, card in [(5, "2"), (7, "4"), (9, "4"), (11, "5")]:
        game = dealt(played(game, f"2: red {start}>{start + 2}"), card)
        assert (game.to_move, game.awaits_chance, game.position()["turns"]) == ("red", False, 7)
    assert hand_of(game) == "3 3 4 4 5"


@pytest.mark.parametrize("card", ["1", "3", "4", "5", "7", "8", "10", "11", "12"])
def test_H3_after_any_other_card_the_next_turn_begins(card):
    hand = " ".join(sorted([card, "sorry", "sorry", "sorry", "sorry"], key=CARDS.index))
    game = game_of(hand, red=[5, *THREE_HOME], turns=7)
    for action in game.legal():
        assert (game.after(action).to_move, game.after(action).position()["turns"]) == ("yellow", 8)


def test_H3_the_turn_after_a_2_does_not_run_into_the_turn_limit():
    then = played(game_of("2 3 4 5 8", red=[5], turn_limit=5, turns=5), "2: red 5>7")
    assert (then.is_over, then.to_move) == (False, "red")
    assert played(dealt(then, "8"), "3: red 7>10").is_over


def test_H3_a_winning_2_ends_the_game_at_once():
    then = played(game_of("2 3 4 5 8", red=["safe 4", *THREE_HOME]), "2: red safe 4>home")
    assert (then.is_over, then.awaits_chance, then.to_move) == (True, False, None)
    assert then.position()["winner"] == ["red"]


# --- H4 the refill

LEFT = {"1": 4, "2": 4, "3": 3, "4": 3, "5": 3, "7": 4, "8": 3, "10": 2, "11": 2, "12": 2, "sorry": 4}
"""The 44 cards less red's 3 4 5 8 12 and yellow's 10 10 11 11 12."""


def shares(counts):
    """The odds of drawing from a pile."""
    return {card: count / sum(counts.values()) for card, count in counts.items() if count}


def test_H4_the_card_just_played_stays_out_while_the_pile_lasts():
    then = played(game_of("3 4 5 8 12", red=[5]), "3: red 5>8")
    assert sum(LEFT.values()) == 34
    assert odds(then) == pytest.approx(shares(LEFT))
    then = played(game_of("3 4 5 8 12", ruleset="points_modern", red=[5]), "3: red 5>8")
    assert odds(then) == pytest.approx(shares(LEFT | {"1": 5}))


def test_H4_the_card_just_discarded_too():
    then = played(game_of("3 4 5 8 12"), "3: discard")
    assert odds(then) == pytest.approx(shares(LEFT))
    assert dealt(then, "3").position()["pile"] == LEFT | {"3": 2}


def test_H4_a_2_just_played_is_not_its_own_refill():
    assert odds(played(game_of("2 3 4 5 8", red=[5]), "2: red 5>7"))["2"] == pytest.approx(3 / 34)


@each_edition
def test_H4_a_card_that_is_used_up_is_not_drawn(edition):
    game = game_of("3 4 5 8 12", ruleset=edition, red=[5], pile=EMPTY_PILE | {"8": 1, "sorry": 2})
    then = played(game, "3: red 5>8")
    assert odds(then) == pytest.approx({"8": 1 / 3, "sorry": 2 / 3})
    with pytest.raises(IllegalAction):
        then.deal("3")


@each_edition
def test_H4_the_last_card_comes_before_any_shuffle(edition):
    then = played(game_of("3 4 5 8 12", ruleset=edition, red=[5], pile=EMPTY_PILE | {"8": 1}), "3: red 5>8")
    assert odds(then) == pytest.approx({"8": 1})
    assert sum(dealt(then, "8").position()["pile"].values()) == 0


@each_edition
@pytest.mark.parametrize(("red", "text"), [([5], "3: red 5>8"), ([], "3: discard")])
def test_H4_with_an_empty_pile_all_cards_but_the_hands_come_back_the_one_just_used_too(edition, red, text):
    then = played(game_of("3 4 5 8 12", ruleset=edition, red=red, pile=EMPTY_PILE), text)
    back = LEFT | {"3": 4, "1": DECKS[edition]["1"]}
    assert odds(then) == pytest.approx(shares(back))
    assert dealt(then, "3").position()["pile"] == back | {"3": 3}
    assert hand_of(dealt(then, "3")) == "3 4 5 8 12"


def test_H4_a_small_deck_from_card_to_card():
    hands = {"yellow": "7 8 10 11 12"}
    game = game_of("1 2 3 4 5", ruleset="classic", hands=hands, deck=11, red=[5], yellow=[35])
    then = played(game, "3: red 5>8")
    assert odds(then) == pytest.approx({"sorry": 1})
    then = played(dealt(then, "sorry"), "8: yellow 35>43")  # the pile is empty, 3 and 8 have been used
    assert odds(then) == pytest.approx({"3": 0.5, "8": 0.5})
    then = played(dealt(then, "3"), "5: red 8>13")
    assert odds(then) == pytest.approx({"8": 1})
    then = played(dealt(then, "8"), "10: yellow 43>53")
    assert odds(then) == pytest.approx({"5": 0.5, "10": 0.5})


@pytest.mark.parametrize("colour", ["red", "yellow"])
def test_H4_when_the_pile_is_used_up_a_view_knows_that_hidden_cards_cannot_come(colour):
    hands = {"yellow": "7 8 10 11 12"}
    game = game_of("1 2 3 4 5", ruleset="classic", hands=hands, deck=11, red=[5], yellow=[35], pile=EMPTY_PILE)
    then = played(game, "3: red 5>8")
    view = then.view(colour)
    assert odds(view) == odds(then) == pytest.approx({"3": 0.5, "sorry": 0.5})
    for card in odds(then):
        assert dealt(view, card).position() == dealt(then, card).view(colour).position()
    drawn = {str(random_refill(view, seed)) for seed in range(20)}
    assert drawn == {str(dealt(view, card)) for card in odds(then)}


def random_refill(game, seed):
    """A copy in which the refill has been drawn, by a generator of its own."""
    copy = Game.from_states(game.variant, game.states.copy(), seed)
    copy.deal()
    return copy


def test_H4_with_replacement_every_refill_is_from_the_full_deck():
    game = game_of("3 3 3 3 3", replacement=True, red=[5])
    assert hand_of(game) == "3 3 3 3 3"
    for start in (5, 8):
        then = played(game, f"3: red {start}>{start + 3}")
        assert odds(then) == pytest.approx(dict.fromkeys(CARDS, 1 / 11))
        game = played(dealt(then, "3"), "11: discard")  # yellow's
        assert odds(game) == pytest.approx(dict.fromkeys(CARDS, 1 / 11))
        game = dealt(game, "11")


# --- H5, H6 how the games of points begin


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_H5_all_four_pawns_begin_in_start(seats):
    assert list(new_game(seats=seats).position()["pawns"].values()) == [["start"] * 4] * seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_H6_three_pawns_begin_in_start_and_one_on_the_circle(seats):
    pawns = new_game("points_modern", seats=seats).position()["pawns"]
    assert len(pawns) == seats
    assert pawns == {colour: ["start"] * 3 + [corner(colour) + 4] for colour in pawns}


@pytest.mark.parametrize("edition", ["classic", "diamond"])
def test_H1_hands_change_nothing_in_the_set_up_of_classic_and_diamond(edition):
    assert list(new_game(edition, seats=3).position()["pawns"].values()) == [["start"] * 4] * 3


# --- H5, H6 the points


def scores(game):
    """Each colour's score."""
    values = score(game.variant, game.states)
    assert values.shape == (1, len(game.variant.colours))
    return dict(zip(game.variant.colours, values[0].tolist(), strict=True))


def nearly_won(edition, *homes, **named):
    """Red brings its last pawn Home with a 1; the opponents, clockwise, have so many Home."""
    others = {colour: ["home"] * count for colour, count in zip(OPPONENTS[len(homes)], homes, strict=True)}
    return table("1 2 3 3 4", ruleset=edition, red=["safe 5", *THREE_HOME], **(others | named))


def finished(edition, *homes, **named):
    """The game after it."""
    return played(Game.from_position(nearly_won(edition, *homes, **named)), "1: red safe 5>home")


def last_turn(edition):
    """Red and yellow with two pawns and one Home, in the last turn before the game is truncated."""
    return table("3 4 5 8 12", ruleset=edition, red=[5, "home", "home"], yellow=["home"], turn_limit=5, turns=5)


def truncated(edition):
    """The game after it."""
    return played(Game.from_position(last_turn(edition)), "3: red 5>8")


@pytest.mark.parametrize(
    ("homes", "red"),
    [
        # 4 own pawns, those of the opponents, and the bonus
        ((0,), 4 + 0 + 24),
        ((1,), 4 + 1 + 16),
        ((2,), 4 + 2 + 8),
        ((3,), 4 + 3),
        ((0, 0), 4 + 0 + 24),
        ((1, 0), 4 + 1 + 16),
        ((1, 1), 4 + 2 + 16),
        ((0, 2), 4 + 2 + 8),
        ((2, 1), 4 + 3 + 8),
        ((2, 2), 4 + 4 + 8),
        ((3, 0), 4 + 3),
        ((3, 3), 4 + 6),
        ((0, 0, 0), 4 + 0 + 24),
        ((0, 1, 0), 4 + 1 + 16),
        ((1, 1, 1), 4 + 3 + 16),
        ((2, 1, 0), 4 + 3 + 8),
        ((2, 2, 2), 4 + 6 + 8),
        ((3, 1, 0), 4 + 4),
        ((0, 0, 3), 4 + 3),
        ((3, 3, 3), 4 + 9),
    ],
)
def test_H5_the_points_of_1939(homes, red):
    others = dict(zip(OPPONENTS[len(homes)], homes, strict=True))
    assert scores(finished("points_1939", *homes)) == {"red": red} | others


@pytest.mark.parametrize(
    ("homes", "red"),
    [
        # 5 for each own pawn, 5 for each of the opponents that is not Home, and the bonus
        ((0,), 20 + 20 + 100),
        ((1,), 20 + 15 + 50),
        ((2,), 20 + 10 + 25),
        ((3,), 20 + 5),
        ((0, 0), 20 + 40 + 100),
        ((1, 0), 20 + 35 + 50),
        ((1, 1), 20 + 30 + 50),
        ((0, 2), 20 + 30 + 25),
        ((2, 1), 20 + 25 + 25),
        ((2, 2), 20 + 20 + 25),
        ((3, 0), 20 + 25),
        ((3, 3), 20 + 10),
        ((0, 0, 0), 20 + 60 + 100),
        ((0, 1, 0), 20 + 55 + 50),
        ((1, 1, 1), 20 + 45 + 50),
        ((2, 1, 0), 20 + 45 + 25),
        ((2, 2, 2), 20 + 30 + 25),
        ((3, 1, 0), 20 + 40),
        ((0, 0, 3), 20 + 45),
        ((3, 3, 3), 20 + 15),
    ],
)
def test_H6_the_points_of_the_modern_edition(homes, red):
    others = {colour: 5 * home for colour, home in zip(OPPONENTS[len(homes)], homes, strict=True)}
    assert scores(finished("points_modern", *homes)) == {"red": red} | others


@pytest.mark.parametrize(("edition", "red"), [("points_1939", 28), ("points_modern", 140)])
@pytest.mark.parametrize("yellow", [[], [20, 35], ["safe 5", "safe 4", "safe 3", "safe 2"]])
def test_H5_H6_where_the_other_pawns_stand_does_not_count(edition, red, yellow):
    assert scores(finished(edition, 0, yellow=yellow)) == {"red": red, "yellow": 0}


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        ("points_1939", {"red": 1, "blue": 2, "yellow": 4 + 3 + 8}),
        ("points_modern", {"red": 5, "blue": 10, "yellow": 20 + 25 + 25}),
    ],
)
def test_H5_H6_whoever_wins(edition, expected):
    pawns = {"red": ["home"], "blue": ["home", "home"], "yellow": ["safe 5", *THREE_HOME]}
    then = played(game_of("1 2 3 3 4", "yellow", edition, **pawns), "1: yellow safe 5>home")
    assert then.position()["winner"] == ["yellow"]
    assert scores(then) == expected


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        ("points_1939", {"red": 2, "yellow": 1}),
        ("points_modern", {"red": 10, "yellow": 5}),
        ("classic", {"red": 0, "yellow": 0}),
        ("diamond", {"red": 0, "yellow": 0}),
    ],
)
def test_H7_a_truncated_game_has_no_winner_and_no_bonus(edition, expected):
    then = truncated(edition)
    assert (then.is_over, then.awaits_chance, then.position()["winner"]) == (True, False, [])
    assert scores(then) == expected
    assert then.returns() == {"red": 0, "yellow": 0}


@pytest.mark.parametrize(("edition", "home"), [("points_1939", 3), ("points_modern", 15)])
def test_H7_truncated_with_three_home_there_is_no_bonus_for_keeping_the_others_out(edition, home):
    game = game_of("3 4 5 8 12", ruleset=edition, red=[5, *THREE_HOME], blue=[], yellow=[], turn_limit=5, turns=5)
    assert scores(played(game, "3: red 5>8")) == {"red": home, "blue": 0, "yellow": 0}


# --- H7 rewards


def environment(there, edition, seats, **named):
    """The environment that begins in that position."""
    env = sorry_v0.env(edition, seats, **changes_of(edition), **named)
    env.reset(seed=1, options={"position": there})
    return env


def paid(env, text):
    """What the action, which ends the game, brings to each agent."""
    env.step(env.unwrapped.game().parse(text))
    return [env.unwrapped.rewards[agent] for agent in env.unwrapped.possible_agents]


PAYMENTS = [
    ("points_1939", "win", [1, -0.5, -0.5]),
    ("points_1939", "score", [15, 2, 1]),
    ("points_1939", "points", [15 - 1.5, 2 - 8, 1 - 8.5]),
    ("points_modern", "win", [1, -0.5, -0.5]),
    ("points_modern", "score", [70, 10, 5]),
    ("points_modern", "points", [70 - 7.5, 10 - 37.5, 5 - 40]),
    ("classic", "win", [1, -0.5, -0.5]),
    ("classic", "score", [1, 0, 0]),
    ("classic", "points", [1, -0.5, -0.5]),
    ("diamond", "score", [1, 0, 0]),
]


@pytest.mark.parametrize(("edition", "rewards", "expected"), PAYMENTS)
def test_H7_rewards_are_a_choice_of_the_environment(edition, rewards, expected):
    env = environment(nearly_won(edition, 2, 1), edition, 3, rewards=rewards)
    assert paid(env, "1: red safe 5>home") == pytest.approx(expected)


@each_edition
def test_H7_the_default_is_the_win(edition):
    env = environment(nearly_won(edition, 2, 1, 0), edition, 4)
    assert paid(env, "1: red safe 5>home") == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


@each_edition
def test_H7_returns_are_those_of_the_win(edition):
    assert finished(edition, 0).returns() == {"red": 1, "yellow": -1}
    assert finished(edition, 3, 3).returns() == {"red": 1, "blue": -0.5, "yellow": -0.5}


@pytest.mark.parametrize("rewards", ["win", "points", "score"])
@pytest.mark.parametrize(
    ("edition", "expected"),
    [("points_1939", [15, 2, 1]), ("points_modern", [70, 10, 5]), ("classic", [1, 0, 0])],
)
def test_H7_winner_and_scores_are_told_whatever_is_paid(edition, rewards, expected):
    env = environment(nearly_won(edition, 2, 1), edition, 3, rewards=rewards)
    paid(env, "1: red safe 5>home")
    for agent in ("player_0", "player_1", "player_2"):
        assert env.infos[agent]["winners"] == ["player_0"]
        assert list(env.infos[agent]["scores"].values()) == expected
    assert all(env.terminations.values())


@pytest.mark.parametrize(
    ("edition", "rewards", "expected"),
    [
        ("points_1939", "win", [0, 0]),
        ("points_1939", "points", [1, -1]),
        ("points_1939", "score", [2, 1]),
        ("points_modern", "win", [0, 0]),
        ("points_modern", "points", [5, -5]),
        ("points_modern", "score", [10, 5]),
        ("classic", "points", [0, 0]),
    ],
)
def test_H7_what_a_truncated_game_pays(edition, rewards, expected):
    env = environment(last_turn(edition), edition, 2, rewards=rewards, turn_limit=5)
    assert paid(env, "3: red 5>8") == pytest.approx(expected)
    assert env.infos["player_0"]["winners"] == []
    assert all(env.truncations.values())


# --- H1 hands are hidden

ONE = {"yellow": "10 10 11 11 12"}
TWO = {"yellow": "1 2 7 sorry sorry"}
THREE_ONE = {"blue": "7 7 8 8 10", "yellow": "10 10 11 11 12", "green": "5 5 8 12 12"}
THREE_TWO = {"blue": "10 10 11 11 12", "yellow": "5 5 8 12 12", "green": "7 7 8 8 10"}
TWINS = {
    "two seats": ({"red": [5], "yellow": [35]}, ONE, TWO),
    "four seats": ({"red": [5], "blue": [20], "yellow": [35], "green": [50]}, THREE_ONE, THREE_TWO),
}


def observed(game, colour):
    """What an observation of the colour holds."""
    return game.variant.encode(game.states, np.array([game.variant.seat_of(colour)]))[0].tolist()


def twins(case, to_move="red"):
    """Two games that differ in hands which red cannot see, and in the pile with them."""
    pawns, *hands = TWINS[case]
    return [game_of(others.get(to_move, "1 3 4 5 8"), to_move, hands=red_holds(others), **pawns) for others in hands]


def red_holds(others):
    return {"red": "1 3 4 5 8"} | others


def test_H1_a_view_shows_the_own_hand_and_counts_the_others():
    game = game_of("3 4 5 8 12", blue=[], green=[])
    assert game.view("red").position()["hands"] == {"red": ["3", "4", "5", "8", "12"], "blue": 5, "green": 5}
    assert game.view("green").position()["hands"] == {"red": 5, "blue": 5, "green": HANDS["green"].split()}


def test_H1_the_pile_of_a_view_holds_all_that_the_colour_has_not_seen():
    game = game_of("3 4 5 8 12", red=[5])
    unseen = LEFT | {"10": 4, "11": 4, "12": 3}
    assert sum(unseen.values()) == 39
    assert game.view("red").position()["pile"] == unseen
    assert game.view("yellow").position()["pile"] == LEFT | {"3": 4, "4": 4, "5": 4, "8": 4, "12": 3}
    game = game_of("3 4 5 8 12", red=[5], pile=EMPTY_PILE | {"8": 1})
    assert game.view("red").position()["pile"] == EMPTY_PILE | {"8": 1, "10": 2, "11": 2, "12": 1}


def test_H1_the_rest_of_a_view_is_the_position():
    game = game_of("3 4 5 8 12", red=[5], yellow=[35], turns=9)
    for colour in ("red", "yellow"):
        there = game.view(colour).position()
        hidden = {"hands": game.position()["hands"], "pile": game.position()["pile"]}
        assert there | hidden == game.position()


def test_H1_in_a_view_only_its_colour_can_act():
    game = game_of("3 4 5 8 12", red=[5], yellow=[35])
    assert game.view("red").legal() == game.legal()
    assert legal_texts(game.view("red")) == legal_texts(game)
    assert game.view("yellow").legal() == []
    assert "red" in game.view("yellow").why_illegal("10: yellow 35>45")


def test_H1_a_view_leaves_the_game_as_it_was():
    game = game_of("3 4 5 8 12", red=[5])
    before = game.position()
    view = game.view("red")
    view.play(view.parse("3: red 5>8"))
    assert game.position() == before


def test_H1_while_the_refill_is_due_a_view_shows_a_card_less():
    then = played(game_of("3 4 5 8 12", red=[5]), "3: red 5>8")
    assert then.view("yellow").position()["hands"]["red"] == 4
    assert then.view("red").position()["hands"] == {"red": ["4", "5", "8", "12"], "yellow": 5}


def test_H1_a_card_that_was_played_has_been_seen_by_all():
    game = game_of("3 4 5 8 12", blue=[], green=[], red=[5])
    then = played(game, "3: red 5>8")
    for colour in ("blue", "green"):
        before, now = (one.view(colour).position()["pile"] for one in (game, then))
        assert now == before | {"3": before["3"] - 1}
    assert then.view("red").position()["pile"] == game.view("red").position()["pile"]


def test_H1_a_card_that_was_discarded_too():
    then = played(game_of("3 4 5 8 12"), "8: discard")
    assert then.view("yellow").position()["pile"]["8"] == 3


def test_H1_the_refill_is_seen_by_its_owner_alone():
    then = played(game_of("3 4 5 8 12", red=[5]), "3: red 5>8")
    one, two = dealt(then, "1"), dealt(then, "sorry")
    assert one.view("yellow").position() == two.view("yellow").position()
    assert observed(one, "yellow") == observed(two, "yellow")
    assert one.view("red").position() != two.view("red").position()
    assert one.view("red").position()["pile"] == then.view("red").position()["pile"] | {"1": 3}


@pytest.mark.parametrize("case", TWINS)
@pytest.mark.parametrize("to_move", ["red", "yellow"])
def test_H1_games_that_differ_in_the_others_hands_look_the_same(case, to_move):
    one, two = twins(case, to_move)
    assert one.position() != two.position()
    assert one.view("red").position() == two.view("red").position()
    assert str(one.view("red")) == str(two.view("red"))
    assert one.view("red").legal() == two.view("red").legal()
    assert bool(one.view("red").legal()) == (to_move == "red")
    assert one.view("yellow").position() != two.view("yellow").position()


@pytest.mark.parametrize("case", TWINS)
@pytest.mark.parametrize("to_move", ["red", "yellow"])
def test_H1_and_are_observed_the_same(case, to_move):
    one, two = twins(case, to_move)
    assert observed(one, "red") == observed(two, "red")
    assert observed(one, "yellow") != observed(two, "yellow")


@pytest.mark.parametrize("case", TWINS)
def test_H1_and_still_do_after_the_same_turn(case):
    one, two = (played(game, "3: red 5>8") for game in twins(case))
    for game in (one, two):
        assert game.view("red").awaits_chance
    assert one.view("red").position() == two.view("red").position()
    assert odds(one.view("red")) == pytest.approx(odds(two.view("red")))
    assert observed(one, "red") == observed(two, "red")
    one, two = dealt(one, "4"), dealt(two, "4")
    assert one.view("red").position() == two.view("red").position()
    assert observed(one, "red") == observed(two, "red")


@pytest.mark.parametrize("case", TWINS)
@pytest.mark.parametrize("to_move", ["red", "yellow"])
def test_H1_and_in_the_environment(case, to_move):
    envs = [environment(game.position(), "points_1939", len(TWINS[case][0])) for game in twins(case, to_move)]
    one, two = (env.observe("player_0") for env in envs)
    assert one["observation"].tolist() == two["observation"].tolist()
    assert one["action_mask"].tolist() == two["action_mask"].tolist()
    assert one["action_mask"].any() == (to_move == "red")
    yellow = f"player_{list(TWINS[case][0]).index('yellow')}"
    one, two = (env.observe(yellow) for env in envs)
    assert one["observation"].tolist() != two["observation"].tolist()


# --- H1 hidden hands dealt anew


def samples(game, colour, count, seed=3):
    """(count,) STATE: what may be, as far as the colour knows."""
    states = np.repeat(game.states, count)
    return game.variant.determinize(states, game.variant.seat_of(colour), generators(seed, count))


def sampled_games(game, colour, count=20):
    """The same as games."""
    dealt_anew = samples(game, colour, count)
    return [Game.from_states(game.variant, dealt_anew[i : i + 1]) for i in range(count)]


def assert_frequency(found, chance, count):
    """As often as expected, to five sigmas."""
    assert abs(found - count * chance) <= 5 * sqrt(count * chance * (1 - chance)), (found, count * chance)


@pytest.mark.parametrize("yellow", ["7 8 10 11 12", "8 10 11 12 sorry", "7 8 10 12 sorry"])
def test_H1_every_hand_that_may_be_is_equally_likely_whatever_the_true_one_is(yellow):
    # Six cards are unseen, yellow holds five of them: the one in the pile may be any.
    game = game_of("1 2 3 4 5", ruleset="classic", deck=11, hands={"yellow": yellow}, red=[5])
    dealt_anew = samples(game, "red", 6000)
    together = dealt_anew["pile"][:, :11].astype(int) + dealt_anew["hands"][:, 1, :11]
    assert (together == [0] * 5 + [1] * 6).all()
    for card, found in enumerate(dealt_anew["pile"][:, :11].sum(axis=0).tolist()):
        assert_frequency(found, 0 if card < 5 else 1 / 6, 6000)


@pytest.mark.parametrize("hands", [("3 3 3 3 4", "4 4 4 5 5"), ("3 3 4 4 5", "3 4 4 5 5")])
def test_H1_equal_cards_lie_in_hands_and_pile_as_chance_would_have_it(hands):
    # Twelve unseen cards, four each of 3, 4 and 5, in two hands of five and a pile of two.
    held = dict(zip(("blue", "yellow"), hands, strict=True))
    left = {card: 4 - " ".join(hands).split().count(card) for card in ("3", "4", "5")}
    game = game_of("1 2 7 8 10", hands=held, red=[5], blue=[], yellow=[], pile=EMPTY_PILE | left)
    dealt_anew = samples(game, "red", 8000)
    for card in (CARDS.index("3"), CARDS.index("4"), CARDS.index("5")):
        blue, yellow = dealt_anew["hands"][:, 1, card], dealt_anew["hands"][:, 2, card]
        for b in range(5):
            for y in range(max(0, 2 - b), 5 - b):  # the pile takes two at most
                chance = comb(5, b) * comb(5, y) * comb(2, 4 - b - y) / comb(12, 4)
                assert_frequency(int(((blue == b) & (yellow == y)).sum()), chance, 8000)


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("text", [None, "2: red 5>7", "3: red 5>8"])
def test_H1_what_is_dealt_anew_agrees_with_all_that_the_colour_knows(colour, text):
    game = game_of("2 3 4 4 sorry", red=[5], blue=[20], yellow=[35], green=[50], turns=9)
    game = game if text is None else played(game, text)
    seen, own = game.view(colour).position(), hand_of(game, colour)
    different = set()
    for sample in sampled_games(game, colour):
        assert sample.view(colour).position() == seen
        assert hand_of(sample, colour) == own
        assert placement(sample) == placement(game)
        assert (sample.to_move, sample.awaits_chance) == (game.to_move, game.awaits_chance)
        assert Game.from_position(sample.position()).position() == sample.position()
        different.add(str(sample))
    assert len(different) > 10


def test_H1_while_the_refill_is_due_the_hand_stays_a_card_short():
    game = played(game_of("3 4 5 8 12", red=[5]), "3: red 5>8")
    for sample in sampled_games(game, "yellow"):
        assert [len(hand) for hand in sample.position()["hands"].values()] == [4, 5]
        assert sum(sample.position()["pile"].values()) == 34


def test_H1_with_an_empty_pile_and_one_opponent_nothing_is_left_to_chance():
    game = game_of("3 4 5 8 12", red=[5], pile=EMPTY_PILE)
    for sample in sampled_games(game, "red"):
        assert sample.position() == game.position()


def test_H1_the_game_itself_is_left_as_it_was():
    game = game_of("3 4 5 8 12", red=[5])
    before = game.states.tobytes()
    samples(game, "red", 1)
    game.variant.determinize(game.states, 0, generators(3, 1))
    assert game.states.tobytes() == before


def test_H1_a_sample_can_be_played_on():
    for sample in sampled_games(game_of("3 4 5 8 12", red=[5], yellow=[35]), "red"):
        sample.play(sample.parse("3: red 5>8"))
        assert sample.to_move == "yellow"
        assert sample.legal()


@pytest.mark.parametrize("ruleset", ["classic", "diamond", "not_sorry"])
def test_H1_without_hands_nothing_is_hidden(ruleset):
    game = Game(ruleset, seats=3)
    for seat, colour in enumerate(game.variant.colours):
        assert game.view(colour).position() == game.position()
        assert game.variant.determinize(game.states, seat, generators(3, 1)).tobytes() == game.states.tobytes()


# --- H1 hands that cannot be


@pytest.mark.parametrize(
    ("hands", "named"),
    [
        ({"red": "3 4 5 8 12 sorry"}, "red"),
        ({"red": "3 4 5"}, "red"),
        ({"yellow": ""}, "yellow"),
        ({"yellow": "3 4"}, "yellow"),
        ({"red": "3 4 5 8", "yellow": "10 10 11 11"}, "hand"),
        ({"red": "3 3 3 3 3"}, "3"),
        ({"red": "3 3 3 4 5", "yellow": "3 3 10 10 11"}, "3"),
        ({"red": "3 4 5 6 8"}, "6"),
        ({"red": "3 4 5 8 joker"}, "joker"),
        ({"yellow": "10 10 11 11 question"}, "question"),
    ],
)
@each_edition
def test_H1_hands_that_cannot_be_are_refused(edition, hands, named):
    with pytest.raises(InvalidPosition, match=named):
        game_of("3 4 5 8 12", ruleset=edition, hands=hands)


@pytest.mark.parametrize("seat", ["red", "yellow"])
def test_H1_a_missing_hand_is_refused(seat):
    there = table("3 4 5 8 12")
    del there["hands"][seat]
    with pytest.raises(InvalidPosition, match=seat):
        Game.from_position(there)


@each_edition
def test_H1_missing_hands_are_refused(edition):
    there = table("3 4 5 8 12", ruleset=edition)
    del there["hands"]
    with pytest.raises(InvalidPosition, match="hand"):
        Game.from_position(there)


@pytest.mark.parametrize("hands", [None, [], "3 4 5 8 12", 5])
def test_H1_hands_are_a_dict(hands):
    with pytest.raises(InvalidPosition, match="hand"):
        Game.from_position(table("3 4 5 8 12") | {"hands": hands})


@pytest.mark.parametrize("hand", [None, "33458", {"3": 5}, [3, 4, 5, 8, 12], [["3"], "4", "5", "8", "12"]])
def test_H1_a_hand_is_a_list_of_cards(hand):
    there = table("3 4 5 8 12")
    there["hands"]["red"] = hand
    with pytest.raises(InvalidPosition, match="red"):
        Game.from_position(there)


def test_H1_a_hand_of_nobody_is_refused():
    there = table("3 4 5 8 12")
    there["hands"]["green"] = HANDS["green"].split()
    with pytest.raises(InvalidPosition, match="green"):
        Game.from_position(there)


@pytest.mark.parametrize(("card", "count"), [("3", 4), ("10", 3), ("sorry", 5)])
def test_H1_hands_and_pile_hold_no_more_than_the_deck(card, count):
    with pytest.raises(InvalidPosition, match=card):
        game_of("3 4 5 8 12", pile=EMPTY_PILE | {card: count})
    game_of("3 4 5 8 12", pile=EMPTY_PILE | {card: count - 1})


def test_H1_every_problem_is_named():
    with pytest.raises(InvalidPosition, match=r"(?s)(?=.*joker)(?=.*yellow)"):
        game_of("3 4 5 8 joker", hands={"yellow": "3 4"})


@pytest.mark.parametrize("ruleset", ["classic", "diamond", "not_sorry", "bump_em"])
@pytest.mark.parametrize("card", [None, "7"])
def test_H1_hands_in_a_ruleset_without_hands_are_refused(ruleset, card):
    pawns = {"pawns": 3} if ruleset == "not_sorry" else {}
    hands = {"red": ["3", "4", "5", "8", "12"], "yellow": HANDS["yellow"].split()}
    with pytest.raises(InvalidPosition, match="hand"):
        Game.from_position(position(card, ruleset=ruleset, **pawns) | {"hands": hands})


@each_edition
def test_H1_no_card_is_in_play_in_a_game_of_hands(edition):
    with pytest.raises(InvalidPosition, match="card"):
        Game.from_position(table("3 4 5 8 12", ruleset=edition) | {"card": "3"})


@pytest.mark.parametrize(("short", "right"), [("green", True), ("red", True), ("blue", False), ("yellow", False)])
def test_H1_only_the_seat_that_has_just_played_is_a_card_short(short, right):
    # Red's turn comes next: green has played, or red itself a 2.
    hands = {short: HANDS[short].rsplit(" ", 1)[0]}
    there = table(hands.get("red", "1 3 3 4 4"), hands=hands, seats=list(COLOURS))
    if not right:
        with pytest.raises(InvalidPosition, match=short):
            Game.from_position(there)
        return
    game = Game.from_position(there)
    assert (game.awaits_chance, game.to_move) == (True, "red")
    game = dealt(game, "sorry")
    assert (game.awaits_chance, game.to_move) == (False, "red")
    assert hand_of(game, short) == hands[short] + " sorry"


@pytest.mark.parametrize(
    ("ruleset", "changes"),
    [
        ("classic", {"hand_size": -1}),
        ("classic", {"hand_size": "5"}),
        ("classic", {"hand_size": 5, "deck": 11, "seats": 3}),
        ("classic", {"hand_size": 5, "deck": 11, "seats": 4}),
        ("classic", {"hand_size": 5, "question_cards": 8}),
        ("not_sorry", {"hand_size": 5}),
        ("teams_1939", {"hand_size": 5}),
        ("teams_modern", {"hand_size": 5}),
        ("fire_and_ice", {"hand_size": 5}),
        ("points_1939", {"question_cards": 8}),
        ("points_1939", {"points": "1940"}),
        ("points_1939", {"points": 1939}),
    ],
)
def test_H1_rulesets_that_cannot_be(ruleset, changes):
    with pytest.raises(RulesetError):
        Game(ruleset, **changes)


def test_H1_ten_of_eleven_cards_are_dealt_to_two():
    assert sum(Game("classic", seats=2, hand_size=5, deck=11).position()["pile"].values()) == 1


@each_edition
def test_H1_the_names(edition):
    rules = new_game(edition).variant.ruleset
    assert (rules.hand_size, rules.deck, rules.pawns) == (5, sum(DECKS[edition].values()), 4)
    points = {"points_1939": "1939", "points_modern": "modern"}
    assert rules.points == points.get(edition)
    assert rules.diamond == (MOVES[edition] == "diamond")
