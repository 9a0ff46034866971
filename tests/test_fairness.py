"""Nobody is favoured by chance: wins of uniform players by seat and side, and cards by frequency.

Seeds are fixed, so the results are the same everywhere. Intervals reach four standard deviations to either
side: a fair engine misses one of them about once in 16,000 seeds.
"""

import numpy as np
import pytest

from sorry_env import RULESETS, board, lanes, variant
from sorry_env.engine.random import generators
from sorry_env.rulesets import CARDS
from sorry_env.state import NO_CARD

SIGMAS = 4
CHI_SQUARE = {1: 16.0, 3: 22.06, 9: 34.85, 10: 36.72}
"""Degrees of freedom -> what one in 16,000 exceeds."""


def played(game, count, seed):
    """(count,) the seats that begin and that win so many games of uniform play with random beginners."""
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


@pytest.mark.parametrize("ruleset", RULESETS)
def test_four_seats_win_equally_often_in_every_ruleset(ruleset):
    _, winner = played(variant(ruleset, 4, pawns=2), 20_000, seed=13)
    assert_shares(winner, [1 / 4] * 4)


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
        cards[:, k] = states["card"]
        states["card"] = NO_CARD
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
        assert_shares(cards[:, place], np.array(game.ruleset.counts) / 45)


def test_with_replacement_cards_are_independent_of_the_one_before():
    game = variant("classic", 2, replacement=True)
    cards = drawn(game, 90, 4_000, seed=20)
    deck = np.array(game.ruleset.counts) / 45
    assert_shares(cards.ravel(), deck)
    pairs = (cards[:, :-1] * len(CARDS) + cards[:, 1:]).ravel()
    expected = np.outer(deck, deck).ravel()
    found = shares(pairs, len(CARDS) ** 2)
    assert (np.abs(found - expected) <= 5 * np.sqrt(expected / len(pairs))).all()  # 121 intervals: wider ones


def test_lanes_draw_independently_of_each_other():
    game = variant("classic", 2, deck=11)
    cards = drawn(game, 40, 5_000, seed=21)
    alike = (cards[1:] == cards[:-1]).mean()
    assert alike == pytest.approx(1 / 11, abs=SIGMAS * np.sqrt(10 / 121 / cards[1:].size))
