"""The league: whom the learner meets how often, who becomes champion, and who leaves."""

import dataclasses
import re

import numpy as np
import pytest

from agents import league
from agents.config import ConfigError
from agents.league import MATCHING, League, LeagueConfig
from sorry_env import PlayerError, variant

CONFIG = LeagueConfig(
    agent="ppo",
    ruleset="tiny",
    hidden=(4,),
    lanes=8,
    steps=16,
    rollouts=6,
    learning_rate=1e-3,
    evaluate_every=3,
    opponents=(),
    league_size=3,
    promotion_deals=10,
    scripted=("uniform", "greedy"),
)
TINY = variant("tiny", 2)


def layers(seed, game=TINY):
    """Of a policy that has learnt nothing."""
    rng, widths = np.random.default_rng(seed), [game.num_features, 4, game.num_actions]
    shapes = list(zip(widths[1:], widths[:-1], strict=True))
    return tuple((rng.normal(size=s).astype(np.float32), rng.normal(size=s[0]).astype(np.float32)) for s in shapes)


def made(game=TINY, copies=0, **changes):
    """A league in which so many copies have joined."""
    found = League(game, dataclasses.replace(CONFIG, **changes), layers(0, game))
    found.copies += [found._copy(k, layers(k, game)) for k in range(1, copies + 1)]
    return found


def rated(members, rates):
    """Have members beaten at these rates, in so many games that the prior is nothing."""
    for member, rate in zip(members, rates, strict=True):
        member.games, member.won = 1e9, rate * 1e9


def weights(found):
    """How often each opponent is met, by spec."""
    pool = found.pool()
    return {player.spec: weight for player, weight in zip(pool.players, pool.weights, strict=True)}


# --- matching


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("squared", [1, 0.81, 0.25, 0.01, 0]),
        ("linear", [1, 0.9, 0.5, 0.1, 0]),
        ("variance", [0, 0.09, 0.25, 0.09, 0]),
        ("equal", [1, 1, 1, 1, 1]),
    ],
)
def test_weights_of_opponents_are_those_of_alphastar(name, expected):
    assert MATCHING[name](np.array([0, 0.1, 0.5, 0.9, 1])) == pytest.approx(np.array(expected))


def test_whom_the_learner_loses_to_it_meets_most():
    found = made(copies=2)
    rated(found.copies, [0.9, 0.5, 0.2])
    rated(found.scripted, [0.9, 0.7])
    total = 0.1**2 + 0.5**2 + 0.8**2
    assert weights(found) == pytest.approx(
        {
            "uniform": 0.25 * 0.1,
            "greedy": 0.25 * 0.9,
            "copy 0": 0.75 * 0.01 / total,
            "copy 1": 0.75 * 0.25 / total,
            "copy 2": 0.75 * 0.64 / total,
        }
    )


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("name", MATCHING)
def test_fixed_players_have_their_share_whoever_is_beaten(name, share):
    found = made(copies=2, matching=name, scripted_share=share)
    rated([*found.copies, *found.scripted], [0.99, 0.9, 0.8, 0.01, 0.02])
    met = weights(found)
    assert met["uniform"] + met["greedy"] == pytest.approx(share)
    assert sum(met.values()) == pytest.approx(1)


def test_who_has_not_been_met_counts_as_even():
    found = made(copies=1)
    assert found.rates(found.copies).tolist() == [0.5, 0.5]
    assert weights(found) == pytest.approx({"uniform": 0.125, "greedy": 0.125, "copy 0": 0.375, "copy 1": 0.375})


def test_a_league_needs_no_fixed_players():
    assert weights(made(scripted=(), scripted_share=0.0)) == {"copy 0": 1.0}


# --- games


def ended(seat, seating, returns):
    return {"seat": seat, "seating": np.array(seating), "returns": np.array(returns, float)}


def tallies(found):
    return {m.player.spec: (m.games, m.won) for m in (*found.scripted, *found.copies) if m.games}


def test_games_count_for_whom_they_were_against():
    found, specs = made(), ["copy 0", "gone", "uniform"]
    won, lost, cut = ended(0, [-1, 0], [1, -1]), ended(1, [2, -1], [1, -1]), ended(0, [-1, 2], [0, 0])
    found.count(specs, [won, won, lost, cut, ended(0, [-1, 1], [1, -1])])
    assert tallies(found) == {"copy 0": (2, 2), "uniform": (2, 0.5)}


def test_a_win_of_a_third_seat_is_half_a_win_against_both_others():
    found = made(variant("tiny", 3))
    found.count(["copy 0", "uniform", "greedy"], [ended(1, [0, -1, 2], [-0.5, -0.5, 1])])
    assert tallies(found) == {"copy 0": (1, 0.5), "greedy": (1, 0)}


def test_a_partner_is_no_opponent():
    found = made(variant("teams_1939", 4))
    found.count(["copy 0", "uniform", "greedy"], [ended(1, [0, -1, 0, 2], [-1, 1, -1, 1])])
    assert tallies(found) == {"copy 0": (2, 2)}


def test_games_fade_to_what_is_known_of_nobody():
    found = made(memory=0.5, prior_games=10)
    found.count(["copy 0"], [ended(0, [-1, 0], [1, -1])] * 40)
    assert found.rates(found.copies) == pytest.approx([45 / 50])
    found.count(["copy 0"], [ended(0, [-1, 0], [-1, 1])] * 10)
    assert (found.champion.games, found.champion.won) == (30, 20)
    assert found.rates(found.copies) == pytest.approx([25 / 40])
    for _ in range(40):
        found.count(["copy 0"], [])
    assert found.rates(found.copies) == pytest.approx([0.5])


# --- test matches


class Match:
    """What the arena would give."""

    def __init__(self, rate):
        self.win_rates = np.array([rate])


@pytest.mark.parametrize(
    ("seats", "rate", "wins"), [(2, 0.519, False), (2, 0.521, True), (4, 0.271, True), (4, 0.269, False)]
)
def test_who_wins_the_test_match_clearly_is_champion(monkeypatch, seats, rate, wins):
    found = made(variant("tiny", seats))
    monkeypatch.setattr(league, "play_match", lambda *_: Match(rate))
    assert found.challenge(10, layers(1, found.game), seed=5) == rate
    assert [copy.rollout for copy in found.copies] == [0, 10]
    assert found.champion is found.copies[int(wins)]


def test_games_of_training_make_nobody_champion():
    found = made(copies=2)
    rated(found.copies, [0.99, 0.5, 0.01])
    found.count(["copy 2"], [ended(0, [-1, 0], [-1, 1])] * 50)
    assert found.champion.rollout == 0


def test_a_test_match_is_the_candidate_against_the_champion_at_their_best(monkeypatch):
    found, seen = made(), []
    monkeypatch.setattr(league, "play_match", lambda *match: seen.append(match) or Match(1.0))
    for rollout in (3, 6):
        found.challenge(rollout, layers(rollout), seed=rollout)
    assert [[player.spec for player in players] for _, players, _, _ in seen] == [
        ["copy 3", "copy 0"],
        ["copy 6", "copy 3"],
    ]
    assert {player.temperature for _, players, _, _ in seen for player in players} == {0.0}
    assert [(deals, seed) for _, _, deals, seed in seen] == [(10, 3), (10, 6)]
    assert {copy.player.temperature for copy in found.copies} == {1.0}


def test_a_match_against_oneself_is_even_and_promotes_nobody():
    found = made(promotion_margin=1e-9)
    assert found.challenge(1, layers(0), seed=1) == 0.5
    assert found.champion.rollout == 0


# --- who leaves


@pytest.mark.parametrize(
    ("champion", "rates", "left"),
    [
        (0, [0.9, 0.8, 0.7], [0, 2, 3]),
        (1, [0.9, 0.8, 0.7], [1, 2, 3]),
        (2, [0.2, 0.3, 0.9], [0, 2, 3]),
        (1, [0.5, 0.5, 0.5], [1, 2, 3]),
    ],
)
def test_whom_the_learner_beats_most_surely_leaves_but_not_the_champion(champion, rates, left):
    found = made(copies=2)
    found.champion = found.copies[champion]
    rated(found.copies, rates)
    gone = [copy for copy in found.copies if copy.rollout not in left]
    found.challenge(3, layers(3), seed=1)
    assert [copy.rollout for copy in found.copies] == left
    assert found.departed == gone


def test_who_has_left_is_remembered_while_it_sits_at_a_table():
    found = made(copies=3)
    found._retire()
    found._retire()
    assert [copy.rollout for copy in found.departed] == [1, 2]
    assert [player.spec for player in found.everybody()][-2:] == ["copy 1", "copy 2"]
    found.release(["uniform", "copy 2", "copy 0"])
    assert [copy.rollout for copy in found.departed] == [2]


# --- keeping


def test_what_is_kept_is_the_whole_league():
    found, other = made(copies=4), made(copies=1)
    found._retire()
    found.champion = found.copies[2]
    rated([*found.scripted, *found.copies], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    other.restore(found.state())
    assert weights(other) == weights(found)
    assert other.told() == found.told() == {"champion": 3, "league": 4, "hardest": pytest.approx(0.3)}
    assert {name: part.tolist() for name, part in other.state().items()} == {
        name: part.tolist() for name, part in found.state().items()
    }
    assert [copy.rollout for copy in other.departed] == [1]


# --- configurations


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"matching": "square"}, "matching is 'square': did you mean 'squared'?"),
        ({"league_size": 1}, "league_size is 1: expected 2 or more, a champion and a newcomer"),
        ({"memory": 1.5}, "memory is 1.5: expected 0 to 1"),
        ({"promotion_margin": -0.1}, "promotion_margin is -0.1: expected 0 to 1"),
        ({"promotion_deals": 0}, "promotion_deals is 0: expected more than 0"),
        ({"prior_games": 0.0}, "prior_games is 0.0: expected more than 0"),
        ({"snapshot_every": 0}, "snapshot_every is 0: expected more than 0"),
        ({"scripted_share": 2.0}, "scripted_share is 2.0: expected 0 to 1"),
        ({"scripted": ()}, "scripted_share is 0.25, but scripted names no player"),
        ({"scripted": ("greedy", "greedy")}, "scripted is ['greedy', 'greedy']: expected each player once"),
    ],
)
def test_leagues_that_cannot_be_are_refused(changes, message):
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}$"):
        dataclasses.replace(CONFIG, **changes)


def test_a_fixed_player_that_cannot_be_is_named():
    with pytest.raises(PlayerError, match="unknown player 'nobody'"):
        made(scripted=("nobody",))
