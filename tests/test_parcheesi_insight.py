"""What a value net is shown beside an observation of Parcheesi: who can capture whom, as the engine plays it."""

import numpy as np
import pytest

from parcheesi_positions import FOUR_HOME, game_at
from sorry_env import variant
from sorry_env.parcheesi.board import DIE, ENTER, ENTER_BOTH, ENTRY, HOME, MOVE, NEST, REWARD, RING, TURN_OFF
from sorry_env.parcheesi.heuristic import ENTER_CHANCE, HIT_CHANCES
from sorry_env.parcheesi.insight import (
    BEHIND,
    BY_ROLL,
    CAPTURES,
    FROM_NEST,
    HOMES,
    JOINS,
    LOSSES,
    ON_RING,
    REACH,
    SHUT_IN,
    WAYS,
)
from sorry_env.random import generators

BONUS = {10: "tens", 20: "twenties"}


def slices(game, states, seat):
    """name -> (N, ...) the insights of a seat, or of one for each state."""
    found = game.insight(states, np.broadcast_to(seat, len(states)))
    return {
        name: found[:, part.begin : part.end].reshape(-1, *part.shape) for name, part in game.insights.slices.items()
    }


def two_pieces(game, mine, theirs):
    """Positions of two pieces each with three Home: the first seat's at `mine`, the second's at `theirs`; (N,) places.

    The first seat's turn has begun, and nothing is left of its roll.
    """
    states = game.new_states(len(mine))
    game.new_game(states, np.zeros(len(mine), np.uint64), 0)
    states["pieces"][:, :2, 1:] = HOME
    states["pieces"][:, 0, 0], states["pieces"][:, 1, 0] = mine, theirs
    states["rolled"] = [1, 6]
    states["due"] = DIE
    return states


def pairs(game):
    """All places of a piece in the nest or on the ring, with all of another on the ring; none on the same square."""
    mine, theirs = (places.reshape(-1) for places in np.meshgrid(np.arange(RING + 1), np.arange(ENTRY, RING + 1)))
    seen = (theirs + game.rules["shift"][0, 1, 0] - 1) % RING + 1
    return mine[seen != mine], theirs[seen != mine]


def given(states, steps):
    """The same with a die or a reward to use."""
    left = states.copy()
    if steps in BONUS:
        left["due"], left[BONUS[steps]] = REWARD, 1
    else:
        left["rolled"], left["left"] = sorted([steps, 6 if steps < 6 else 1]), [[1, 0], [0, 1]][steps == 6]
    return left


def captures(game, states):
    """(N,) bool: whether the first seat captures now by a move that does not go past its home row."""
    after, actions, counts = game.afterstates(states)
    turns_in = game.rules["past"][0, actions] == 0
    found = turns_in & (after["pieces"][:, 1] == NEST).any(axis=1)
    return np.bincount(np.repeat(np.arange(len(states)), counts), found, len(states)) > 0


@pytest.mark.parametrize("colours", [["red", "blue"], ["red", "yellow"], ["green", "red"]])
def test_a_piece_is_captured_where_the_engine_captures_it(colours):
    game = variant("parcheesi", colours)
    mine, theirs = pairs(game)
    states = two_pieces(game, mine, theirs)
    found = slices(game, states, 0)["targets"]
    share = np.where(theirs <= TURN_OFF, (theirs - ENTRY) / 71, 0)
    assert (found == slices(game, states, 1)["threats"]).all()
    for steps in [1, 2, 3, 4, 5, 6, 10, 20]:
        left = given(states, steps)
        way = np.where(mine == NEST, FROM_NEST if steps == 5 else REACH, steps)
        taken = captures(game, left)
        assert taken.any()
        assert ((found[np.arange(len(mine)), 0, way] > 0) == taken).all(), steps
        uses = slices(game, left, 0)["uses"][:, 0]
        assert ((uses[:, CAPTURES] > 0) == taken).all(), steps
        assert (uses == slices(game, left, 1)["uses"][:, 1]).all()
        assert np.allclose(uses[:, LOSSES], taken * share)
    assert np.allclose(found[:, 1], found[:, 0] * share[:, None])
    chances = np.zeros(BY_ROLL)
    chances[: HIT_CHANCES.shape[1]] = HIT_CHANCES[0]
    chances[FROM_NEST] = ENTER_CHANCE
    assert np.allclose(found[:, 0, BY_ROLL], found[:, 0, :BY_ROLL] @ chances)


def decisions(count, plies):
    """Positions of four seats in the middle of a roll: all that is left is due, and none of it brings a piece out."""
    game = variant("parcheesi", 4)
    states, rng, found = game.new_states(count), generators(np.random.SeedSequence(3), count), []
    lots = np.random.Generator(np.random.PCG64(4))
    game.reset(states, rng)
    for _ in range(plies):
        actions, counts = game.legal_actions(states)
        first = np.cumsum(counts) - counts
        kinds = game.rules["kind"][0, actions[first]]
        due = (states["due"] == REWARD) | (states["tens"] + states["twenties"] == 0)
        found.append(states[due & (kinds != ENTER) & (kinds != ENTER_BOTH)].copy())
        game.play(states, actions[first + lots.integers(counts)])
        game.draw(states, rng)
        on = states["over"] == 0
        states, rng = states[on], rng[on]
    return game, np.concatenate(found)


def moves(game, states):
    """(N,) bools of the moves of each mover that turn in: whether one captures, comes Home, and makes a blockade."""
    after, actions, counts = game.afterstates(states)
    which, rules = np.repeat(np.arange(len(states)), counts), game.rules[0]
    before, movers = states["pieces"][which], states["seat"][which]
    own = before[np.arange(len(which)), movers]
    turns_in = (rules["kind"][actions] == MOVE) & (rules["past"][actions] == 0)
    place = own[np.arange(len(which)), rules["piece"][actions]]
    end = rules["ends"][0, place, rules["amount"][actions]]
    others = np.arange(game.seats) != movers[:, None]
    sent = (((after["pieces"] == NEST).sum(axis=2) > (before == NEST).sum(axis=2)) & others).any(axis=1)
    found = [sent, end == HOME, (own == end[:, None]).any(axis=1) & (end != HOME)]
    return [np.bincount(which, turns_in & one, len(states)) > 0 for one in found]


def test_what_is_left_of_a_roll_can_do_is_what_the_engine_does():
    game, states = decisions(150, 150)
    uses = slices(game, states, states["seat"])["uses"]
    assert not uses[:, 1].any()
    assert (states["rolled"][:, 0] == states["rolled"][:, 1]).any()
    assert (states["due"] == REWARD).any()
    for use, can in zip((CAPTURES, HOMES, JOINS), moves(game, states), strict=True):
        now = uses[:, 0, use] > 0
        assert can.any()
        assert (now == can).all(), use


def test_threats_are_the_targets_of_others():
    game, states = decisions(20, 100)
    views = [slices(game, states, seat) for seat in range(4)]
    for name, other in (("threats", "targets"), ("targets", "threats")):
        assert np.allclose(sum(view[name] for view in views), sum(view[other] for view in views))
    walls = sum(view["walls"][:, 0, 1:] for view in views)
    assert (walls == sum(view["walls"][:, 1, 1:] for view in views)).all()
    assert walls.any()


def test_the_race_is_the_progress_of_the_seats():
    game, states = decisions(20, 200)
    come = game.family.progress(game, states) / game.family.way(game)
    for seat in range(4):
        race, seats = slices(game, states, seat)["race"], np.arange(seat, seat + 4) % 4
        assert np.allclose(race[:, :4], come[:, seats])
        assert np.allclose(race[:, 4], come[:, seats[1:]].max(axis=1))


def of_red(game):
    """name -> the insights of red, who has the first seat."""
    return {name: part[0] for name, part in slices(game.variant, game.states, 0).items()}


def test_blockades_hold_up_and_protect():
    around = {"red": [14, "home", "home"], "yellow": [23, *FOUR_HOME[1:]], "green": FOUR_HOME[1:]}
    open_way = of_red(game_at(**around, blue=[30, 20]))
    assert open_way["targets"][0, 6] == 1
    assert open_way["targets"][0, 9] == 1
    assert not open_way["walls"].any()
    shut = of_red(game_at(**around, blue=[20, 20]))
    assert not shut["targets"].any()
    assert shut["walls"][1].nonzero()[0].tolist() == [ON_RING, 6]
    entry = of_red(game_at(**around, blue=[5, 5]))
    assert entry["walls"][1].nonzero()[0].tolist() == [ON_RING, SHUT_IN]
    own = of_red(game_at(**around | {"red": [31, 31, "home"]}, blue=[27]))
    assert own["walls"][0].nonzero()[0].tolist() == [ON_RING, 4, 8]
    assert len(own["walls"][0]) == BEHIND + 2


def test_safe_squares_protect_but_for_the_entry_square():
    safe = of_red(game_at(red=[20], blue=[22], to_move="red", seats=["red", "blue"]))
    assert not safe["targets"].any()
    entry = of_red(game_at(red=[2], blue=[5], to_move="red", seats=["red", "blue"]))
    assert entry["targets"][0].nonzero()[0].tolist() == [FROM_NEST, BY_ROLL]
    assert entry["targets"].shape == (2, WAYS)
