"""Where a turn of several decisions can end is where playing all of them leads, and what value nets are asked about."""

import numpy as np
import pytest

from agents.value_net import SelfPlay
from sorry_env import RULESETS, _jit, variant
from sorry_env.checkpoint import checkpoint_of
from sorry_env.lanes import MOST_ON_THE_WAY
from sorry_env.players import make_player
from sorry_env.players.network import Network
from sorry_env.random import generators
from sorry_env.verbs import CHANCE

GAMES = [(name, max(rules.seat_counts)) for name, rules in RULESETS.items()]
SEVERAL = ["parcheesi", "express", "teams_modern", "fire_and_ice"]
"""Rulesets in which a seat decides more than once in a turn."""
LANES, STEPS = (40, 60) if _jit.COMPILED else (6, 12)


def states_of(game, seed=1):
    """States in which a seat has to decide, at all stages of turns, from games at all stages."""
    rng, lots = generators(seed, LANES), generators(seed + 1, LANES)
    states, player = game.new_states(LANES), make_player("uniform", game)
    game.reset(states, rng)
    for turn in range(STEPS):
        if turn >= STEPS // 2:
            yield states.copy()
        game.play(states, player.choose(game.view(states), lots))
        for i in np.flatnonzero(states["over"]):
            game.new_game(states[i : i + 1], rng[i : i + 1])
        game.draw(states, rng)


def slow_ends(game, state, seat):
    """The ends of a turn, one action after the other; the same end as often as there are ways to it."""
    ids = game.legal_ids(state[None]) if state["due"] < CHANCE and state["seat"] == seat else []
    if not ids:
        return [state.tobytes()]
    found = []
    for action in ids:
        after = state.copy()[None]
        game.play(after, np.array([action]))
        found += slow_ends(game, after[0], seat)
    return found


def net(game, seed=0):
    """A player with a random net."""
    rng, width = np.random.default_rng(seed), game.num_features + game.insights.width
    shapes = [((8, width), 8), ((1, 8), 1)]
    parts = [(rng.normal(0, 0.3, w), rng.normal(0, 0.1, b)) for w, b in shapes]
    layers = tuple((weights.astype(np.float32), biases.astype(np.float32)) for weights, biases in parts)
    return Network(game, "net", checkpoint_of("value", game, layers))


def worth(player, ends, seats):
    """What the net itself says of ends of turns, or the return."""
    values = np.tanh(player.net(ends, player.game.rules, seats)[:, 0].astype(np.float64))
    returns = player.game.returns(ends)[np.arange(len(ends)), seats]
    return np.where(ends["over"], returns, values)


def goes_on(ends, counts, movers):
    """Of which states, by their ends, turns have so many ways that they are not gone through."""
    going = (ends["due"] < CHANCE) & (ends["over"] == 0) & (ends["seat"] == np.repeat(movers, counts))
    return np.bincount(np.repeat(np.arange(len(counts)), counts)[going], minlength=len(counts)) > 0


@pytest.mark.modes
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind[0])
def test_the_ends_of_a_turn_are_where_all_its_decisions_lead(kind):
    game, most = variant(*kind), 0
    for states in states_of(game):
        ends, counts = game.turn_ends(states)
        assert len(ends) == counts.sum()
        for state, found in zip(states, np.split(ends, np.cumsum(counts)[:-1]), strict=True):
            expected = slow_ends(game, state, state["seat"])
            shallow = len(found) == len(game.legal_ids(state[None])) and len(expected) > MOST_ON_THE_WAY
            assert shallow or {end.tobytes() for end in found} == set(expected)
            most = max(most, len(expected) - len(found))
    assert most == 0 or kind[0] in SEVERAL  # dice in either order
    assert most > 0 or kind[0] not in SEVERAL or not _jit.COMPILED  # plain Python plays too few turns


@pytest.mark.parametrize("kind", [kind for kind in GAMES if kind[0] not in SEVERAL], ids=lambda kind: kind[0])
def test_of_a_single_decision_they_are_the_afterstates_in_order(kind):
    game = variant(*kind)
    for states in states_of(game):
        (ends, counts), (after, _, several) = game.turn_ends(states), game.afterstates(states)
        assert (ends.tobytes(), counts.tolist()) == (after.tobytes(), several.tolist())


def test_a_turn_with_very_many_ways_is_a_single_decision():
    game = variant("teams_modern", 4)
    long = game.new_states(2)
    game.new_game(long, generators(1, 2), 0)
    long["pawns"][0, ::2, :3], long["pawns"][1, ::2, 0] = [[5, 14, 23], [8, 17, 26]], [5, 17]
    long["due"] = game.ruleset.cards.index("7")
    (after, _, several), (ends, counts) = game.afterstates(long), game.turn_ends(long)
    assert counts[0] == several[0]
    assert ends[: counts[0]].tobytes() == after[: several[0]].tobytes()
    assert (after["due"][several[0] :] < CHANCE).any()
    assert (ends["due"][counts[0] :] >= CHANCE).all()


@pytest.mark.parametrize("name", ["parcheesi", "points_modern"])
def test_where_chance_is_due_a_state_is_its_own_end(name):
    game = variant(name, 4)
    states = game.new_states(5)
    game.new_game(states, generators(1, 5))
    ends, counts = game.turn_ends(states)
    assert (ends.tobytes(), counts.tolist()) == (states.tobytes(), [1] * 5)
    assert [len(part) for part in game.turn_ends(states[:0])] == [0, 0]


def test_so_is_a_state_in_which_the_hand_of_who_decides_is_hidden():
    game = variant("points_modern", 4)
    states = next(states_of(game))
    views = game.view(states, (states["seat"].astype(np.int64) + 1) % 4)
    ends, counts = game.turn_ends(views)
    assert (ends.tobytes(), counts.tolist()) == (views.tobytes(), [1] * LANES)


def test_there_is_room_for_turns_with_many_ends():
    game = variant("express", 4)
    states = np.concatenate(list(states_of(game)))
    counts = game.turn_ends(states)[1]
    most = states[counts.argmax()][None]
    assert counts.max() > 32  # more than there is room for at first
    assert game.turn_ends(most)[1].tolist() == [counts.max()]


@pytest.mark.parametrize("name", SEVERAL)
def test_a_net_values_a_turn_that_goes_on_by_the_best_of_its_ends(name):
    game = variant(name, 4)
    player, looked = net(game), 0
    for states in states_of(game):
        after = game.afterstates(states)[0]
        ends, counts = game.turn_ends(after)
        for k in range(game.seats):
            viewers = np.full(len(after), k)
            values = player.values(after, viewers)
            for i in np.flatnonzero(counts > 1)[:3]:
                begin = counts[:i].sum()
                some, mover = ends[begin : begin + counts[i]], int(after["seat"][i])
                best = some[worth(player, some, np.full(len(some), mover)).argmax()][None]
                assert values[i] == worth(player, best, np.array([k]))[0]
                looked += 1
    assert looked > 0


@pytest.mark.parametrize("name", ["parcheesi", "express", "teams_modern"])
def test_a_net_that_chooses_step_by_step_ends_where_it_wanted_to(name):
    """The best end of the turn, which self-play goes to at once; of Fire & Ice a net sees more."""
    game, player = variant(name, 4), net(variant(name, 4), seed=3)
    for found in states_of(game):
        states = found[~goes_on(*game.turn_ends(found), found["seat"])]  # without turns that have very many ways
        ends, counts = game.turn_ends(states)
        movers = states["seat"].astype(np.int64)
        values = worth(player, ends, np.repeat(movers, counts))
        best = np.maximum.reduceat(values, np.cumsum(counts) - counts)
        here, lots = states.copy(), generators(1, len(states))
        while len(going := np.flatnonzero((here["due"] < CHANCE) & (here["over"] == 0) & (here["seat"] == movers))):
            some = here[going]
            game.play(some, player.choose(some, lots[going]))
            here[going] = some
        assert worth(player, here, movers).tolist() == best.tolist()


@pytest.mark.parametrize("name", SEVERAL)
def test_self_play_goes_from_one_end_of_a_turn_to_the_next(name):
    game = variant(name, 4)
    play, turns = SelfPlay(game, 16, np.random.SeedSequence(1)), 0
    for _ in range(20):
        whole = ~goes_on(*game.turn_ends(play.states), play.states["seat"])
        movers = play.states["seat"].copy()
        after = play.rollout(net(game).net, 1).after[0]
        decides = (after["due"] < CHANCE) & (after["over"] == 0) & whole
        assert (after["seat"] != movers)[decides].all()
        turns += whole.sum()
    assert turns > 150
