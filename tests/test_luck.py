"""Luck: its mean is zero whatever V is, and a return without it varies less."""

from itertools import pairwise

import numpy as np
import pytest

from agents.arena import play_match
from agents.luck import Luck
from sorry_env import RULESETS, variant
from sorry_env.checkpoint import checkpoint_of
from sorry_env.players import AfterstatePlayer, Greedy, Uniform, make_player
from sorry_env.players.network import Network
from sorry_env.random import generators
from strategies import KINDS as SORRY_KINDS

KINDS = [*SORRY_KINDS, *((name, seats) for name in ("parcheesi", "express") for seats in RULESETS[name].seat_counts)]


pytestmark = pytest.mark.usefixtures("toy")


def opinion(game, seed=0):
    """A player with random weights, who knows nothing."""
    rng, layers = np.random.default_rng(seed), []
    for inputs, outputs in pairwise([game.num_features, 8, 1]):
        layers.append((rng.normal(0, 0.3, (outputs, inputs)), rng.normal(0, 0.3, outputs)))
    weights = tuple((weight.astype(np.float32), bias.astype(np.float32)) for weight, bias in layers)
    return Network(game, "opinion", checkpoint_of("value", game, weights))


def before_chance(game, count, plies=25):
    """States of games at random in which chance is due, those at the beginning and after a card of two too."""
    states, rng = game.new_states(count), generators(3, count)
    game.new_game(states, rng)
    found, player = [states.copy()], Uniform(game)
    for _ in range(plies):
        game.draw_once(states, rng)
        found.append(states.copy())
        if not game.chance_due(states).any():
            game.play(states, player.choose(states, rng))
            found.append(states.copy())
    joined = np.concatenate(found)
    due = joined[game.chance_due(joined)]
    return due[:: max(1, len(due) // count)]


class Lead(AfterstatePlayer):
    """Thinks well of being ahead."""

    def __init__(self, game):
        super().__init__(game, "lead")
        self.steps = Greedy(game)

    def scores(self, after, seats):
        return np.tanh(0.7 * self.steps.scores(after, seats) / self.game.family.way(self.game))


class Exact(AfterstatePlayer):
    """Knows what a small game is worth where everybody plays their best, by going through all of it."""

    def __init__(self, game):
        super().__init__(game, "exact")
        self.luck, self.known = Luck(game, self), {}

    def scores(self, after, seats):
        return np.array([self._worth(after[i : i + 1])[seats[i]] for i in range(len(after))])

    def _worth(self, state):
        key = state.tobytes()
        if key not in self.known:
            self.known[key] = self._found(state)
        return self.known[key]

    def _found(self, state):
        if state["over"][0]:
            return self.game.returns(state)[0]
        if self.game.chance_due(state)[0]:
            return self.luck.expected(state)[0]
        return self.luck.values(state)[0]


# --- zero on the average


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def test_the_luck_of_all_that_chance_may_do_next_adds_up_to_nothing(kind):
    game = variant(*kind)
    luck = Luck(game, opinion(game))
    states = before_chance(game, 1 if kind[0] == "express" else 3)
    expected = luck.expected(states)
    for i in range(len(states)):
        outcomes, odds = zip(*game.odds(states, i), strict=True)
        dealt = np.repeat(states[i : i + 1], len(outcomes))
        for k, outcome in enumerate(outcomes):
            game.deal(dealt, outcome, k)
        mean = np.array(odds) @ (luck.values(dealt) - expected[i])
        assert mean == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("kind", [("classic", 2), ("points_1939", 3), ("teams_modern", 4), ("not_sorry", 2)])
def test_luck_is_the_value_of_what_came_less_the_mean_of_all_that_might_have(kind):
    game = variant(*kind)
    luck, states = Luck(game, opinion(game)), before_chance(game, 6)
    before, rng = states.copy(), generators(5, len(states))
    found, wanted, others = luck.draw(states, rng), np.zeros((len(states), game.seats)), generators(5, len(states))
    while game.chance_due(before).any():
        due = game.chance_due(before)
        expected = luck.expected(before)
        game.draw_once(before, others)
        wanted += (luck.values(before) - expected) * due[:, None]
    assert states.tobytes() == before.tobytes()
    assert np.array_equal(rng, others)
    assert found == pytest.approx(wanted, abs=1e-12)
    assert np.abs(found).max() > 0.01
    assert found.sum(axis=1) == pytest.approx(0, abs=1e-12)


def test_over_all_that_can_happen_in_a_game_returns_keep_their_mean():
    """All 4,096 ways in which the coins of a race can fall, with players who know nothing of V."""
    game = variant("toy_race", 2, track=4, turn_limit=12)
    luck, player = Luck(game, opinion(game)), Greedy(game)
    states, chance, gained = game.new_states(1), np.ones(1), np.zeros((1, 2))
    game.new_game(states, generators(0, 1), first=0)
    while (states["over"] == 0).any():
        dealt, odds, counts = game.chances(states)
        chance = np.repeat(chance, counts) * odds
        gained = np.repeat(gained - luck.expected(states), counts, axis=0) + luck.values(dealt)
        game.play(dealt, player.choose(dealt, np.ones(len(dealt), np.uint64)))
        states = dealt
    returns = game.returns(states)
    assert chance.sum() == pytest.approx(1)
    assert chance @ gained == pytest.approx([0, 0], abs=1e-12)
    assert chance @ (returns - gained) == pytest.approx(chance @ returns, abs=1e-12)
    assert np.abs(gained).max() > 0.1


# --- less variance


def test_an_exact_value_leaves_nothing_of_luck():
    """Two who play their best: what the opening is worth is all that is left, and duplicates even that out."""
    game = variant("toy_race", 2, track=4, turn_limit=12)
    exact = Exact(game)
    result = play_match(game, [exact, exact], 20, 1, luck=exact)
    left = result.returns - result.luck
    assert len(np.unique(left.round(9))) == 4  # either seat begins, with one step or two
    assert left.mean(axis=1) == pytest.approx(0, abs=1e-9)
    assert result.half_widths == pytest.approx([0, 0], abs=1e-9)
    assert result.raw.returns.std() > 0.9


def test_intervals_narrow_around_the_same_mean():
    """Even by no more knowledge than who is ahead."""
    game = variant("tiny", 2)
    players = [make_player("heuristic", game), make_player("uniform", game)]
    result, more = play_match(game, players, 150, 1, luck=Lead(game)), play_match(game, players, 3000, 2)
    assert result.half_widths[0] < 0.5 * result.raw.half_widths[0]
    both = np.hypot(result.half_widths, more.half_widths)
    assert np.abs(result.win_rates - more.win_rates).max() < 1.5 * both[0]


# --- in matches


@pytest.mark.parametrize("kind", [("classic", 2), ("tiny", 3), ("points_modern", 2), ("teams_1939", 4)])
def test_measuring_luck_changes_no_game(kind):
    game = variant(*kind, turn_limit=40)
    players = [make_player("greedy" if seat % 2 else "uniform", game) for seat in range(game.seats)]
    plain, result = (play_match(game, players, 4, 1, luck=luck) for luck in (None, opinion(game)))
    assert plain.luck is None
    assert np.array_equal(result.returns, plain.returns)
    assert np.array_equal(result.turns, plain.turns)
    assert np.array_equal(result.raw.scores, plain.scores)
    assert not np.array_equal(result.scores, plain.scores)
    assert result.scores[:, : result.sides].sum(axis=1) == pytest.approx(1)
    several = play_match(game, players, 4, 1, lanes=game.seats, luck=opinion(game))
    assert np.array_equal(several.luck, result.luck)


def test_partners_share_their_luck():
    game = variant("teams_modern", 4, turn_limit=20)
    luck = play_match(game, [Uniform(game)] * 4, 3, 1, luck=opinion(game)).luck
    assert np.array_equal(luck[..., 0], luck[..., 2])
    assert luck.sum(axis=2) == pytest.approx(0, abs=1e-12)
    assert np.abs(luck).max() > 0.01
