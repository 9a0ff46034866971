"""Nobody is favoured by chance: wins of uniform players by seat and side, and cards by frequency.

Seeds are fixed, so the results are the same everywhere. Intervals reach four standard deviations to either
side: a fair engine misses one of them about once in 16,000 seeds.
"""

from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

import numpy as np
import pytest

from sorry_env import RULESETS, Game, lanes, variant
from sorry_env.random import generators
from sorry_env.sorry import board
from sorry_env.sorry.rules import CARDS, EDITIONS

SIGMAS = 4
CHI_SQUARE = {1: 16.0, 3: 22.06, 9: 34.85, 10: 36.72}
"""Degrees of freedom -> what one in 16,000 exceeds."""


def played(game, count, seed):
    """(count,) the seats that begin and that win so many games of uniform play with random beginners.

    Of a team that wins the first seat is named, so that seats 0 and 1 stand for their teams.
    """
    states, rng, players = game.new_states(count), generators(seed, count), generators(seed + 1, count)
    game.reset(states, rng)
    first, winner, which = states["seat"].astype(int), np.full(count, -1), np.arange(count)
    actions = np.empty(count, np.int64)
    while len(which):
        for _ in range(32):
            lanes.uniform_lanes(states, game.rules, players, actions[: len(which)])
            game.play(states, actions[: len(which)])
            game.draw(states, rng)
        over = states["over"] == 1
        winner[which[over]] = game.returns(states[over]).argmax(axis=1)
        states, rng, players, which = (array[~over] for array in (states, rng, players, which))
    return first, winner


def shares(seats, count):
    """How often each of so many seats occurs."""
    return np.bincount(seats, minlength=count) / len(seats)


def assert_shares(seats, expected):
    """Each seat's share lies within the interval around what is expected, and all together do."""
    expected, total = np.asarray(expected), len(seats)
    found = shares(seats, len(expected))
    assert (np.abs(found - expected) <= SIGMAS * np.sqrt(expected * (1 - expected) / total)).all()
    assert (total * (found - expected) ** 2 / expected).sum() < CHI_SQUARE[len(expected) - 1]


def assert_alike(one, other, count):
    """Two samples have the same shares, as far as their sizes can tell."""
    together = shares(np.concatenate([one, other]), count)
    sigma = np.sqrt(together * (1 - together) * (1 / len(one) + 1 / len(other)))
    assert (np.abs(shares(one, count) - shares(other, count)) <= SIGMAS * sigma).all()


# --- seats


def test_four_seats_begin_and_win_equally_often_and_only_the_place_after_the_beginner_matters():
    first, winner = played(variant("classic", 4), 100_000, seed=11)
    assert_shares(first, [1 / 4] * 4)
    assert_shares(winner, [1 / 4] * 4)
    table = np.zeros((4, 4))
    np.add.at(table, (first, (winner - first) % 4), 1)
    expected = table.sum(axis=0) * table.sum(axis=1)[:, None] / table.sum()
    assert ((table - expected) ** 2 / expected).sum() < CHI_SQUARE[9]


def test_two_opposite_seats_begin_and_win_equally_often():
    for seats in played(variant("classic", 2), 100_000, seed=12):
        assert_shares(seats, [1 / 2] * 2)


@pytest.mark.parametrize("ruleset", [rules.name for rules in EDITIONS])
def test_four_seats_or_two_teams_win_equally_often_in_every_ruleset(ruleset):
    first, winner = played(variant(ruleset, 4, pawns=2), 10_000, seed=13)
    sides = 2 if RULESETS[ruleset].teams else 4
    assert_shares(first, [1 / 4] * 4)
    assert_shares(winner, [1 / sides] * sides)


@pytest.mark.parametrize("ruleset", [rules.name for rules in EDITIONS if 2 in rules.seat_counts])
def test_two_opposite_seats_win_equally_often_in_every_ruleset(ruleset):
    _, winner = played(variant(ruleset, 2, pawns=2), 10_000, seed=22)
    assert_shares(winner, [1 / 2] * 2)


@pytest.mark.parametrize(("ruleset", "changes"), [("parcheesi", {"pieces": 2}), ("express", {})])
@pytest.mark.parametrize("seats", [2, 4])
def test_the_seats_of_games_of_dice_win_equally_often(ruleset, changes, seats):
    first, winner = played(variant(ruleset, seats, **changes), 10_000, seed=31)
    assert_shares(first, [1 / seats] * seats)
    assert_shares(winner, [1 / seats] * seats)


# --- sides of the board: three seats, or two neighbours, sit unevenly, but alike wherever they sit


def turned(colours, sides):
    """The colours that sit so many sides further clockwise."""
    return [board.COLOURS[(board.COLOURS.index(colour) + sides) % 4] for colour in colours]


UNEVEN = [["red", "blue", "yellow"], ["red", "blue"]]


@pytest.mark.parametrize("colours", UNEVEN, ids="-".join)
@pytest.mark.parametrize("sides", [1, 2, 3])
def test_seats_turned_with_the_board_win_equally_often(colours, sides):
    _, one = played(variant("classic", colours, pawns=2), 20_000, seed=14)
    _, other = played(variant("classic", turned(colours, sides), pawns=2), 20_000, seed=14 + 10 * sides)
    assert_alike(one, other, len(colours))


@pytest.mark.parametrize("colours", UNEVEN, ids="-".join)
def test_seats_turned_with_the_board_win_the_same_games(colours):
    first, winner = played(variant("classic", colours), 2_000, seed=15)
    for sides in (1, 2, 3):
        other_first, other = played(variant("classic", turned(colours, sides)), 2_000, seed=15)
        assert other_first.tolist() == first.tolist()
        assert other.tolist() == winner.tolist()


@pytest.mark.parametrize("colours", UNEVEN, ids="-".join)
def test_a_colour_wins_equally_often_whichever_number_its_seat_has(colours):
    count = len(colours)
    _, one = played(variant("classic", colours, pawns=2), 20_000, seed=16)
    for first in range(1, count):
        _, other = played(variant("classic", colours[first:] + colours[:first], pawns=2), 20_000, seed=17 + 10 * first)
        assert_alike(one, (other + first) % count, count)


# --- cards


def drawn(game, count, many, seed):
    """(many, count) the first cards of as many games; they are used up, but nobody moves."""
    states, rng = game.new_states(many), generators(seed, many)
    game.new_game(states, rng)
    cards = np.empty((many, count), int)
    for k in range(count):
        game.draw(states, rng)
        cards[:, k] = states["due"]
        states["due"] = board.DRAW
    return cards


@pytest.mark.parametrize("deck", [45, 44, 55, 11])
def test_each_shuffle_deals_the_whole_deck(deck):
    game = variant("classic", 2, deck=deck)
    cards = drawn(game, 3 * deck, 200, seed=18).reshape(-1, deck)
    for card, count in enumerate(game.ruleset.counts):
        assert ((cards == card).sum(axis=1) == count).all()


def test_every_place_in_the_pile_has_every_card_as_often_as_the_deck():
    game = variant("classic", 2)
    cards = drawn(game, 90, 20_000, seed=19)
    for place in (0, 1, 22, 43, 44, 45, 89):
        assert_shares(cards[:, place], np.array(game.ruleset.counts[: len(game.ruleset.cards)]) / 45)


def test_with_replacement_cards_are_independent_of_the_one_before():
    game = variant("classic", 2, replacement=True)
    cards, kinds = drawn(game, 90, 4_000, seed=20), len(game.ruleset.cards)
    deck = np.array(game.ruleset.counts)[:kinds] / 45
    assert_shares(cards.ravel(), deck)
    pairs = (cards[:, :-1] * kinds + cards[:, 1:]).ravel()
    expected = np.outer(deck, deck).ravel()
    found = shares(pairs, kinds**2)
    assert (np.abs(found - expected) <= 5 * np.sqrt(expected / len(pairs))).all()  # 121 intervals: wider ones


def test_lanes_draw_independently_of_each_other():
    game = variant("classic", 2, deck=11)
    cards = drawn(game, 40, 5_000, seed=21)
    alike = (cards[1:] == cards[:-1]).mean()
    assert alike == pytest.approx(1 / 11, abs=SIGMAS * np.sqrt(10 / 121 / cards[1:].size))


# --- hands, coins, and what a seat cannot see


def test_everybody_is_dealt_every_card_as_often_as_the_deck_has_it():
    game = variant("points_modern", 4)
    states, rng = game.new_states(20_000), generators(23, 20_000)
    game.reset(states, rng)
    deck = np.array(game.ruleset.counts)
    for seat in range(4):
        held = states["hands"][:, seat, : len(CARDS)].astype(int)
        mean, variance = 5 * deck / 45, 5 * deck / 45 * (1 - deck / 45) * 40 / 44  # hypergeometric
        assert (np.abs(held.mean(axis=0) - mean) <= SIGMAS * np.sqrt(variance / len(states))).all()


def test_a_coin_says_yes_as_often_as_no_whatever_it_said_before():
    line = "not_sorry answer=random; red 1 2 start; yellow 5 6 start; to red; card question; pending coin asked yellow"
    states, rng = np.repeat(Game.from_position(line).states, 20_000), generators(24, 20_000)
    tosses = []
    for _ in range(2):
        tossed = states.copy()
        variant("not_sorry", 2, answer="random").draw(tossed, rng)
        tosses.append(tossed["due"] == board.SIX)
        assert np.isin(tossed["due"], (board.SIX, board.THREE)).all()
    assert_shares(2 * tosses[0] + tosses[1], [1 / 4] * 4)


def hidden_deals(pile, sizes):
    """Every way to deal hands of these sizes from a pile of cards by kind, with its probability."""
    total, most = sum(pile), sum(sizes)
    ways = comb(total, most) * factorial(most) // prod(factorial(size) for size in sizes)
    for hands in product(*(combinations_with_replacement(range(len(pile)), size) for size in sizes)):
        counts = np.array([[hand.count(kind) for kind in range(len(pile))] for hand in hands])
        if (counts.sum(axis=0) <= pile).all():
            yield counts, prod(_ways(pile, counts)) / ways


def _ways(pile, hands):
    """In how many ways each hand's cards of each kind can be taken, one hand after the other."""
    left = list(pile)
    for hand in hands.tolist():
        for kind, take in enumerate(hand):
            yield comb(left[kind], take)
            left[kind] -= take


def rare(degrees):
    """What a chi-square of so many degrees of freedom exceeds once in 16,000, after Wilson and Hilferty."""
    part = 2 / (9 * degrees)
    return degrees * (1 - part + 3.84 * np.sqrt(part)) ** 3


HANDS = {
    "one other hand": {"red": ["1", "2"], "yellow": ["3", "3"]},
    "one that is short": {"red": ["1", "2"], "yellow": ["3"]},
    "two of them": {"red": ["1", "2"], "blue": ["3"], "yellow": ["4", "4"]},
}


@pytest.mark.parametrize("hands", HANDS.values(), ids=HANDS)
def test_hidden_hands_are_dealt_anew_as_likely_as_they_are(hands):
    position = {
        "ruleset": "points_1939",
        "changes": {"hand_size": 2},
        "seats": list(hands),
        "to_move": "red" if len(hands) == 2 else "yellow",
        "card": None,
        "pawns": {colour: ["start"] * 4 for colour in hands},
        "pile": dict.fromkeys(CARDS[:-1], 0) | {"1": 1, "3": 2, "4": 1, "sorry": 1},
        "hands": hands,
    }
    game, count = Game.from_position(position), 40_000
    seen = game.variant
    dealt = seen.determinize(np.repeat(game.states, count), 0, generators(25, count))
    unseen = game.states["pile"][0] + game.states["hands"][0, 1:, : len(CARDS)].sum(axis=0)
    sizes = [len(hand) for hand in hands.values()][1:]
    deals, chances = zip(*hidden_deals(unseen.tolist(), sizes), strict=True)
    assert sum(chances) == pytest.approx(1)
    others = dealt["hands"][:, 1 : seen.seats, : len(CARDS)]
    found = np.array([(others == deal).all(axis=(1, 2)).mean() for deal in deals])
    assert found.sum() == pytest.approx(1)
    assert (count * (found - chances) ** 2 / np.array(chances)).sum() < rare(len(chances) - 1)


def test_with_replacement_hidden_cards_are_independent():
    game = variant("points_1939", 2, replacement=True)
    states = game.new_states(20_000)
    game.reset(states, generators(26, len(states)))
    dealt = game.determinize(states, 1, generators(27, len(states)))
    assert dealt["hands"][:, 1].tobytes() == states["hands"][:, 1].tobytes()
    held, kinds = dealt["hands"][:, 0, :11], 11
    mean, variance = 5 / kinds, 5 / kinds * (1 - 1 / kinds)
    assert (np.abs(held.mean(axis=0) - mean) <= SIGMAS * np.sqrt(variance / len(states))).all()
    assert np.abs(held.var(axis=0) - variance).max() < 0.03
