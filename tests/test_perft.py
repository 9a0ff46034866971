"""The size of the tree of actions and chance outcomes from set positions.

A position's numbers are how many actions there are one, two and three moves deep, every card that may come
between two moves a branch whatever its odds, and how many games end with the second move.
"""

import numpy as np
import pytest

from sorry_env import Game
from sorry_env.position import from_position

TREES = {
    "a new game": (
        "classic; red start start start start; yellow start start start start; to red; card 1",
        (1, 11, 133, 0),
    ),
    "sevens onto slides": (
        "classic; red 10 13 15 18; blue 24 26 16 start; yellow 19 50 start start; to red; card 7",
        (29, 1681, 68986, 0),
    ),
    "sevens around the own entry": (
        "classic; red 58 0 2 safe1; blue 1 3 17 start; to red; card 7",
        (22, 1068, 41438, 0),
    ),
    "sevens past the own entry": (
        "classic bypass_entry=True; red 58 0 2 safe1; blue 1 3 17 start; to red; card 7",
        (59, 3935, 288642, 0),
    ),
    "swaps after which both slide": (
        "classic; red 16 25 31 home; blue 24 20 28 start; yellow 54 46 9 start; green 13 39 43 start; "
        "to green; card 11",
        (29, 2127, 158789, 0),
    ),
    "swaps after which the mover slides": (
        "classic swap_slides_both=False; red 16 25 31 home; blue 24 20 28 start; yellow 54 46 9 start; "
        "green 13 39 43 start; to green; card 11",
        (29, 2145, 161703, 0),
    ),
    "backward onto slides": (
        "diamond; red 28 25 17 3; green 50 49 safe1 start; to red; card 10",
        (8, 421, 32165, 0),
    ),
    "Sorry! onto slides": (
        "classic pawns=3; red start start 5; blue 16 24 safe2; yellow 31 39 start; to yellow; card sorry",
        (3, 57, 1742, 0),
    ),
    "the last card of a pile": (
        "classic; red 12 start start start; yellow 42 start start start; to red; card 2; pile 1 0 0 0 0 0 0 0 0 0 0",
        (2, 4, 66, 0),
    ),
    "everybody nearly Home": (
        "classic pawns=2; red safe5 safe2; yellow safe4 home; to red; card 1",
        (2, 22, 250, 2),
    ),
    "the last turn but one": (
        "classic turn_limit=30; red 9 20 start start; yellow 33 45 start start; to red; card 8; turns 29",
        (2, 70, 248, 64),
    ),
    "one pawn each": (
        "tiny; red 54; blue 24; yellow start; to blue; card 4",
        (1, 12, 157, 0),
    ),
}
SMALL = [name for name, (_, numbers) in TREES.items() if numbers[2] < 2000]


def deal_all(game, after):
    """Each running afterstate with each card that may come: the rule a second time, in columns (S3)."""
    running = after[after["over"] == 0]
    pile = np.where(running["pile"].any(axis=1)[:, None], running["pile"], game.ruleset.counts)
    which, card = np.nonzero(pile)
    states = running[which]
    states["pile"], states["card"] = pile[which], card
    if not game.ruleset.replacement:
        states["pile"][np.arange(len(states)), card] -= 1
    return states


def count_in_batch(line, depth):
    """The numbers of a position, all its games side by side."""
    game, states = from_position(line)
    widths, ended = [len(game.legal_ids(states))], 0
    for level in range(1, depth):
        after, _, _ = game.afterstates(states)
        ended += int(after["over"].sum()) if level == 2 else 0
        states = deal_all(game, after)
        widths.append(int(game.legal_counts(states).sum()))
    return (*widths, ended)


def deals(after):
    """A game with each card that may come."""
    for card, _ in after.chance():
        then = after.copy()
        then.deal(card)
        yield then


def count_one_by_one(games, depth):
    """The numbers of one position, game by game."""
    widths, ended = [], 0
    for level in range(1, depth + 1):
        widths.append(sum(len(game.legal()) for game in games))
        after = [game.after(action) for game in games for action in game.legal()] if level < depth else []
        ended += sum(game.is_over for game in after) if level == 2 else 0
        games = [then for game in after for then in deals(game)]
    return (*widths, ended)


@pytest.mark.parametrize("name", TREES)
def test_the_tree_is_as_wide_as_recorded(name):
    line, numbers = TREES[name]
    assert count_in_batch(line, 3) == numbers


@pytest.mark.parametrize("name", TREES)
def test_game_by_game_the_tree_has_two_moves_of_the_same_width(name):
    line, numbers = TREES[name]
    assert count_one_by_one([Game.from_position(line)], 2)[:2] == numbers[:2]


@pytest.mark.parametrize("name", SMALL)
def test_game_by_game_a_small_tree_has_the_same_width_and_ends(name):
    line, numbers = TREES[name]
    assert count_one_by_one([Game.from_position(line)], 3) == numbers
