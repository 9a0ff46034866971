"""The size of the tree of actions and chance outcomes from set positions.

A position's numbers are how many actions there are one, two and three moves deep, every card or roll that may come
between two moves a branch whatever its odds, and how many games end with the second move. A move is whatever a seat
decides: the use of a card, Fire's jump, an answer, a part of a 7, a die, a reward.
"""

import numpy as np
import pytest

from sorry_env import RULESETS, Game
from sorry_env.position import from_position
from sorry_env.sorry.board import HAND
from sorry_env.sorry.rules import SorryRules
from sorry_env.verbs import CHANCE

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
    "a hand of which most cards can be used": (
        "points_1939; red 10 58 start start; yellow 24 safe2 home start; to red; hand red 1 4 7 11 sorry; "
        "hand yellow 2 3 8 10 12; pile 1 0 0 0 0 1 0 0 0 0 0",
        (17, 300, 4105, 0),
    ),
    "hands that can only be thrown away, the pile used up": (
        "points_modern; red start start start start; blue start start start start; to red; hand red 3 5 8 10 12; "
        "hand blue 3 4 7 7 11; pile 0 0 0 0 0 0 0 0 0 0 0",
        (5, 220, 9460, 0),
    ),
    "two hands of two, cards coming back": (
        "points_1939 hand_size=2 pawns=2 replacement=True; red safe4 home; yellow 2 safe1; to yellow; "
        "hand red 1 4; hand yellow 2 11",
        (3, 83, 2304, 0),
    ),
    "a 7 for two of the team's pawns": (
        "teams_1939; red 10 13 start home; blue 24 19 start start; yellow 14 31 safe1 start; "
        "green 28 56 start start; to red; card 7",
        (56, 4995, 506461, 0),
    ),
    "Sorry! to the partner": (
        "teams_1939; red start 5 start home; blue start start start safe1; yellow 14 31 start start; "
        "green start start start start; to yellow; card sorry",
        (3, 60, 2652, 0),
    ),
    "a 7 for all of the team's pawns": (
        "teams_modern; red 10 13 start home; blue 24 19 start start; yellow 14 31 safe1 start; "
        "green 28 56 start start; to red; card 7",
        (31, 696, 35205, 0),
    ),
    "the last part but one of a 7": (
        "teams_modern; red 10 14 safe5 home; blue 24 start start start; yellow 15 safe4 home home; "
        "green 28 start start start; to red; card 7; pile 1 1 0 0 0 0 0 0 0 0 1; "
        "pending part left 4 moved red 14 yellow",
        (10, 62, 444, 0),
    ),
    "Fire before a corner": (
        "fire_and_ice; red 12 safe2 start; blue 15 28 start; yellow 30 45 home; to red; fire red 12; ice blue 28; "
        "phase fire; pile 2 2 0 1 0 1 0 1 1 0 1",
        (2, 51, 604, 0),
    ),
    "a 1 that moves Ice": (
        "fire_and_ice; red 12 safe2 start; blue 15 28 start; yellow 30 45 home; to red; card 1; fire yellow 30; "
        "pending ice; pile 1 2 0 1 0 1 0 0 1 0 1",
        (4, 12, 269, 0),
    ),
    "a 2 that moves Fire": (
        "fire_and_ice; red 12 safe2 start; yellow 30 45 home; to red; card 2; fire yellow 30; ice red 12; "
        "pending fire; pile 1 1 0 1 0 1 0 0 1 0 1",
        (3, 6, 110, 0),
    ),
    "Fire Home, and a second pawn with it": (
        "fire_and_ice; red 12 safe4 start; yellow 30 safe1 home; to red; card 2; fire red safe4; "
        "pile 1 1 0 1 0 1 0 0 1 0 1",
        (3, 36, 442, 0),
    ),
    "whom to ask": (
        "not_sorry; red 12 53 start; blue 27 start start; yellow 30 safe1 start; to blue; card question; pending ask; "
        "pile 1 1 0 0 0 1 0 0 1 0 0 1",
        (2, 4, 4, 0),
    ),
    "a coin for an answer": (
        "not_sorry answer=random; red safe2 home home; yellow 30 safe1 start; to red; card 3; "
        "pile 0 0 1 0 0 0 0 0 0 0 0 2",
        (1, 3, 4, 0),
    ),
    "the moves of a question": (
        "not_sorry; red safe2 home home; yellow safe3 home home; to red; card question; "
        "pending move answer no drawer red asked yellow; pile 1 1 0 0 0 1 0 0 1 0 0 1",
        (1, 1, 0, 1),
    ),
    "chains of turbo squares": (
        "bump_em; red 8 1 9 start; blue 16 24 start start; yellow 31 39 54 home; to red; card 1",
        (4, 160, 9644, 0),
    ),
    "sevens that push": (
        "bump_em; red 2 9 14 start; yellow 16 24 54 home; to red; card 7",
        (18, 1053, 53662, 0),
    ),
    "Parcheesi, a new game": (
        "parcheesi; red nest nest nest nest; yellow nest nest nest nest; to red; dice 5 6; rolled 5 6",
        (1, 1, 21, 0),
    ),
    "a blockade ahead, and one's own": (
        "parcheesi; red 18 18 24 home; blue nest 29 31 31; yellow nest nest 9 home; to red; dice 3 4; rolled 3 4",
        (4, 8, 264, 0),
    ),
    "tops and bottoms, passing no blockade": (
        "parcheesi; red 18 18 30 home; blue nest nest 22 22; to red; dice 2 2 5 5; rolled 2 2; doublets 1",
        (3, 8, 15, 0),
    ),
    "tops and bottoms, passing blockades": (
        "parcheesi doublet_breaks_blockade=True; red 18 18 30 home; blue nest nest 22 22; to red; dice 2 2 5 5; "
        "rolled 2 2; doublets 1",
        (4, 17, 67, 0),
    ),
    "the middle of a roll, a pair parted": (
        "parcheesi; red nest 21 24 home; blue nest 25 28 36; to red; dice 4; rolled 3 4; together red 21 24",
        (2, 6, 300, 0),
    ),
    "two rewards": (
        "parcheesi; red nest 21 24 home; blue 32 34 44 home; yellow 45 nest nest nest; to red; rewards 10 20; "
        "rolled 3 6",
        (5, 16, 1034, 0),
    ),
    "entering onto a foreign piece": (
        "parcheesi; red nest nest 21 home; blue 5 20 nest home; green nest 52 64 row2; to red; dice 1 4; rolled 1 4",
        (1, 3, 87, 0),
    ),
    "before a third doublet": (
        "parcheesi; red nest 30 row3 home; yellow nest nest 40 41; to red; dice 3; rolled 3 3; doublets 2",
        (2, 664, 2098, 0),
    ),
    "third doublets go unpunished": (
        "parcheesi third_doublet_penalty=False; red nest 30 row3 home; yellow nest nest 40 41; to red; dice 3; "
        "rolled 3 3; doublets 2",
        (2, 82, 328, 0),
    ),
    "before the home rows": (
        "parcheesi; red 66 0 3 home; yellow 32 35 row6 home; to red; dice 1 6; rolled 1 6",
        (9, 36, 4536, 0),
    ),
    "no second lap": (
        "parcheesi second_lap=False; red 66 0 62 home; yellow 32 35 row6 home; to red; dice 1 6; rolled 1 6",
        (6, 17, 1666, 0),
    ),
    "Parcheesi, everybody nearly Home": (
        "parcheesi; red row6 row7 home home; blue row5 home home home; green row7 57 home home; to red; dice 1 2; "
        "rolled 1 2",
        (3, 3, 24, 2),
    ),
    "Parcheesi, the last turn but one": (
        "parcheesi turn_limit=30 pieces=2; red 21 24; blue 22 25; yellow 56 row2; green 2 home; to red; dice 1 3; "
        "rolled 1 3; turns 29",
        (3, 4, 93, 0),
    ),
    "Express, a new game": (
        "express; red shows red; yellow shows yellow; start red 4 blue 4 yellow 4 green 4; to red; dice red slide wild",
        (13, 94, 210, 0),
    ),
    "a last die, then every roll": (
        "express; red shows blue holds red 2 blue 3 green 1; blue shows blue holds blue 1 yellow 4; "
        "green shows red holds red 2 green 3; start; to blue; dice sorry",
        (2, 1311, 7461, 54),
    ),
    "bases about to be complete": (
        "express; red shows green holds red 4 green 3; yellow shows yellow holds blue 4 yellow 3 green 1; "
        "start yellow 1; to red; dice green slide yellow",
        (10, 31, 44, 7),
    ),
    "four seats and a full table": (
        "express; red shows yellow holds red 1 yellow 2 green 1; blue shows blue holds blue 3 green 1; "
        "yellow shows yellow holds red 2 yellow 1; green shows red holds red 1 blue 1; start yellow 1 green 2; "
        "to green; dice slide sorry wild",
        (23, 302, 1562, 0),
    ),
    "Express, the last turn but one": (
        "express turn_limit=30; red shows red holds red 3; blue shows blue holds green 4; "
        "start red 1 blue 4 yellow 4; to red; dice slide sorry; turns 29",
        (8, 13, 5394, 1),
    ),
}
SMALL = [name for name, (_, numbers) in TREES.items() if numbers[2] < 2000]


def deal_all(game, after):
    """Each running state with everything that chance may bring, until a seat has to decide."""
    running = after[after["over"] == 0]
    due = running["due"] >= CHANCE
    waiting, running = running[due], running[~due]
    dealt = turned_up(game, waiting) if len(waiting) else waiting
    return np.concatenate([running, deal_all(game, dealt)]) if len(dealt) else running


def turned_up(game, states):
    """Each state with all that may come: where a turn is one card, the rule a second time, in columns (S3)."""
    if isinstance(game.ruleset, SorryRules) and (game.rules[0]["plain"] or game.ruleset.hand_size):
        return by_columns(game, states)
    found = []
    for i in range(len(states)):
        for outcome, _ in game.odds(states, i):
            found.append(states[i : i + 1].copy())
            game.deal(found[-1], outcome)
    return np.concatenate(found)


def by_columns(game, states):
    """The rule of drawing, and that of refilling a hand (H1, H4), once more."""
    held = states["hands"].sum(axis=1, dtype=np.int64)[:, :-1]
    full = np.array(game.ruleset.counts) - (0 if game.ruleset.replacement else held)
    pile = np.where(states["pile"].any(axis=1)[:, None], states["pile"], full)
    which, card = np.nonzero(pile)
    dealt, rows = states[which], np.arange(len(which))
    dealt["pile"], dealt["due"] = pile[which], card
    if not game.ruleset.replacement:
        dealt["pile"][rows, card] -= 1
    if game.ruleset.hand_size:
        dealt["hands"][rows, dealt["drawer"], card] += 1
        dealt["due"], dealt["drawer"] = HAND, 0
    return dealt


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
    """A game with everything that chance may bring, until a seat has to decide."""
    if not after.awaits_chance:
        yield after
    for outcome, _ in after.chance():
        then = after.copy()
        then.deal(outcome)
        yield from deals(then)


def count_one_by_one(games, depth):
    """The numbers of one position, game by game."""
    widths, ended = [], 0
    for level in range(1, depth + 1):
        widths.append(sum(len(game.legal()) for game in games))
        after = [game.after(action) for game in games for action in game.legal()] if level < depth else []
        ended += sum(game.is_over for game in after) if level == 2 else 0
        games = [then for game in after if not game.is_over for then in deals(game)]
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


def test_every_ruleset_has_a_tree():
    assert {line.split()[0].rstrip(";") for line, _ in TREES.values()} == RULESETS.keys()
