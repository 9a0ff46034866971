"""Exact solutions: what is solved is the game that the engine plays, and values fulfil Bellman's equations."""

import numpy as np
import pytest

from agents.arena import play_match
from sorry_env.errors import PlayerError, SolveError
from sorry_env.players import make_player
from sorry_env.players.tables import Optimal, Race
from sorry_env.random import generators
from sorry_env.solve import (
    best_policy,
    duel_values,
    exploitability,
    graph_of,
    number_of_start,
    policy_of,
    solve_duel,
    solve_race,
    store,
    win_rate,
)
from sorry_env.sorry.ranks import rank, ranks
from sorry_env.variant import variant

ONE = variant("classic", 2, pawns=1, replacement=True)
ADJACENT = variant("classic", ["red", "blue"], pawns=1, replacement=True)
TWO = variant("classic", 2, pawns=2, replacement=True)
REAL = variant("classic", 2, pawns=1, deck=11)
BEYOND = variant("classic", 2, pawns=1, replacement=True, bypass_entry=True)
CARS = variant("bump_em", ["red", "green"], pawns=1, replacement=True)
SPACES = {
    "solo 1": ONE.family.solo(ONE),
    "solo 4": ONE.family.solo(variant("classic", 3)),
    "one pawn": ONE.family.duel(ONE, 1),
    "adjacent": ONE.family.duel(ADJACENT, 1),
    "two pawns": ONE.family.duel(TWO, 2),
    "real draw": ONE.family.duel(REAL, 1),
    "past the entry": ONE.family.duel(BEYOND, 1),
    "cars": ONE.family.duel(CARS, 1),
}


@pytest.fixture(scope="module", params=["one pawn", "adjacent", "cars"])
def solved(request):
    """A game that is solved in a second: its graph and the mover's probabilities of winning."""
    graph = graph_of(SPACES[request.param], lambda done: None)
    return graph, solve_duel(graph)


@pytest.fixture(scope="module")
def one_pawn():
    """One pawn each, opposite seats, cards independent."""
    graph = graph_of(SPACES["one pawn"], lambda done: None)
    return graph, solve_duel(graph)


def some_numbers(space, count=200, seed=3):
    numbers = np.random.default_rng(seed).integers(0, space.size, count)
    states, there = space.states(numbers)
    return numbers[there], states[there]


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_positions_and_numbers_belong_to_each_other(space):
    numbers, states = some_numbers(space)
    assert len(numbers) > 20
    assert space.numbers(states).tolist() == numbers.tolist()
    assert sorted(space.order().tolist()) == list(range(space.size)) or space.size > 1e5


def test_ranks_count_through_all_ways_to_place_pawns():
    game = SPACES["solo 4"].game
    states, _ = SPACES["solo 4"].states(np.arange(0, ranks(4), 9973))
    assert [int(rank(s, 0, 4)) for s in states] == list(range(0, ranks(4), 9973))
    assert SPACES["solo 4"].size == ranks(4) == 916_895
    start = game.new_states(1)
    game.new_game(start, np.zeros(1, np.uint64), 0)
    assert SPACES["solo 4"].numbers(start) == [0]


@pytest.mark.parametrize("name", ["two pawns", "real draw", "adjacent", "past the entry"])
def test_every_position_that_games_come_to_is_there(name):
    space = SPACES[name]
    game, rng = space.game, generators(np.random.SeedSequence(5), 50)
    player, states = make_player("uniform", game), game.new_states(50)
    game.reset(states, rng)
    for _ in range(60):
        game.play(states, player.choose(states, rng))
        running = states[states["over"] == 0]
        found, there = space.states(space.numbers(running))
        assert there.all()
        assert (found["due"] == running["due"]).all()
        for k in range(2):  # opposite seats see the same board, so that a position may come back with seats exchanged
            for one, other in zip(found, running, strict=True):
                assert one["pawns"][one["seat"] ^ k].tolist() == other["pawns"][other["seat"] ^ k].tolist()
        left = np.where(running["pile"].any(axis=1)[:, None], running["pile"], game.rules["deck"])
        assert (found["pile"] == left).all()
        game.draw(states, rng)


def residuals(space, values, numbers):
    """Bellman's equation at some positions, written a second time: through the verbs, one position at a time."""
    game = space.game
    for number in numbers:
        states, _ = space.states(np.array([number]))
        mover, total = int(states["seat"][0]), 0.0
        for outcome, odds in game.odds(states):
            dealt = states.copy()
            game.deal(dealt, outcome)
            total += odds * max(worth(space, values, dealt, mover, action) for action in game.legal_ids(dealt))
        yield abs(total - values[number])


def worth(space, values, dealt, mover, action):
    after = dealt.copy()
    space.game.play(after, np.array([action]))
    if after["over"][0]:
        return float(after["winners"][0] >> mover & 1)
    value = values[space.numbers(after)[0]]
    return value if after["seat"][0] == mover else 1 - value


def test_values_are_fixed_points(solved):
    graph, values = solved
    numbers, _ = some_numbers(graph.space, 60)
    assert max(residuals(graph.space, values, numbers)) < 1e-9


@pytest.mark.modes
def test_the_race_is_a_fixed_point_and_known_by_hand_near_the_end():
    space = SPACES["solo 1"]
    graph = graph_of(space, lambda done: None)
    race = solve_race(graph)
    assert 9 < race.turns[65] < 12  # one step before Home 5 of 45 cards end it, and the 4s and 10s lead back
    numbers, states = some_numbers(space, 60)
    for number, state in zip(numbers, states, strict=True):
        row, total = np.array([state]), 0.0
        for outcome, odds in space.game.odds(row):
            dealt = row.copy()
            space.game.deal(dealt, outcome)
            after, _, _ = space.game.afterstates(dealt)
            left = race.turns[np.where(after["over"], space.size, space.numbers(after))]
            total += odds * (left + (after["seat"] != 0) + (after["over"] != 0)).min()
        assert total == pytest.approx(race.turns[number], abs=1e-8)


def test_a_race_takes_as_many_turns_as_its_table_says():
    space = SPACES["solo 1"]
    graph = graph_of(space, lambda done: None)
    race = solve_race(graph)
    player = TableRunner(space, race.turns)
    turns = alone(space.game, player, 4000)
    expected, spread = race.turns[number_of_start(space)], race.spread[number_of_start(space)]
    assert expected == pytest.approx(25.3707332942, abs=1e-9)
    assert turns.mean() == pytest.approx(expected, abs=4 * spread / np.sqrt(len(turns)))
    assert turns.std() == pytest.approx(spread, rel=0.08)


class TableRunner:
    """Takes the fewest expected turns."""

    def __init__(self, space, turns):
        self.space, self.turns = space, turns

    def best(self, states):
        after, actions, counts = self.space.game.afterstates(states)
        left = np.where(after["over"], -1.0, self.turns[self.space.numbers(after)] + (after["seat"] != 0))
        begins = np.cumsum(counts) - counts
        return np.array([actions[b + np.argmin(left[b : b + n])] for b, n in zip(begins, counts, strict=True)])


def alone(game, player, count):
    """(count,) turns that the first seat needed, the other one's pawns put back into Start after each of its turns."""
    states, rng = game.new_states(count), generators(np.random.SeedSequence(1), count)
    game.reset(states, rng, first=0)
    turns = np.zeros(count, np.int64)
    running = np.arange(count)
    while len(running):
        some, lots = states[running], rng[running]
        game.play(some, player.best(some))
        turns[running] += (some["seat"] != 0) | (some["over"] != 0)
        some["seat"] = 0
        game.draw(some, lots)
        states[running], rng[running] = some, lots
        running = running[some["over"] == 0]
    return turns


@pytest.mark.parametrize(
    ("name", "seat", "value"),
    [("one pawn", 0, 0.50216576), ("adjacent", 0, 0.48085732), ("adjacent", 1, 0.52431441)],
)
def test_published_values(name, seat, value):
    graph = graph_of(SPACES[name], lambda done: None)
    assert solve_duel(graph)[number_of_start(graph.space, seat)] == pytest.approx(value, abs=6e-9)


def test_the_optimum_leaves_nothing_to_win_and_wins_half(solved):
    graph, values = solved
    best = best_policy(graph, values)
    assert exploitability(graph, best) == pytest.approx(0, abs=1e-8)
    assert win_rate(graph, best, best) == pytest.approx(0.5, abs=1e-8)


def test_the_best_answer_is_found_and_players_are_in_order(one_pawn):
    graph, values = one_pawn
    best = best_policy(graph, values)
    policies = {spec: policy_of(graph, make_player(spec, ONE)) for spec in ("uniform", "greedy")}
    against = {spec: win_rate(graph, policy, best) for spec, policy in policies.items()}
    assert against["uniform"] < against["greedy"] < 0.5
    for spec, policy in policies.items():
        assert exploitability(graph, policy) > 0.5 - against[spec]
        assert win_rate(graph, best, policy) == pytest.approx(1 - against[spec], abs=1e-8)


@pytest.mark.parametrize("spec", ["greedy", "heuristic", "race", "optimal"])
def test_a_policy_is_what_its_player_plays(one_pawn, cache, spec):
    """A player by scores and the same one by the odds of its actions; greedy would as soon swap as win, at times."""
    graph, _ = one_pawn
    player = make_player(spec, ONE)
    by_scores, by_odds = policy_of(graph, player), policy_of(graph, ByOdds(player))
    for one, two in zip(by_scores, by_odds, strict=True):
        assert one == pytest.approx(two)


def test_sweeps_that_begin_near_the_truth_end_there_sooner(one_pawn):
    graph, values = one_pawn
    greedy, changes = policy_of(graph, make_player("greedy", ONE)), {"far": [], "near": []}
    far = exploitability(graph, greedy, changes["far"].append)
    near = exploitability(graph, greedy, changes["near"].append, values)
    assert near == pytest.approx(far, abs=1e-9)
    assert len(changes["near"]) < len(changes["far"])
    assert values == pytest.approx(solve_duel(graph), abs=1e-9)  # not written to


class ByOdds:
    """Hides that a player has scores."""

    def __init__(self, player):
        self.odds = player.odds


def test_exact_rates_agree_with_matches(one_pawn):
    graph, _ = one_pawn
    greedy, uniform = make_player("greedy", ONE), make_player("uniform", ONE)
    exact = win_rate(graph, policy_of(graph, greedy), policy_of(graph, uniform))
    result = play_match(ONE, [greedy, uniform], 3000, seed=2)
    assert result.win_rates[0] == pytest.approx(exact, abs=2 * result.half_widths[0])


def test_each_player_wins_as_often_as_the_other_loses(one_pawn):
    graph, _ = one_pawn
    one, two = (policy_of(graph, make_player(spec, ONE)) for spec in ("greedy", "uniform"))
    first, second = duel_values(graph, one, two)
    again, other = duel_values(graph, two, one)
    assert first == pytest.approx(other, abs=1e-9)
    assert second == pytest.approx(again, abs=1e-9)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (variant("points_modern", 2), "without hands"),
        (variant("teams_modern", 4), "without hands"),
        (variant("parcheesi", 2), "not solved exactly"),
        (variant("classic", 4), "4 seats; two seats"),
        (variant("classic", 2), "replacement"),
    ],
)
def test_what_is_not_solved_says_why(game, words):
    with pytest.raises(SolveError, match=words):
        game.family.duel(game, 1)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "cache_bases", lambda: [tmp_path])
    return tmp_path


def test_players_by_tables(cache, one_pawn):
    """The table is computed once, kept and read; the player that reads it cannot be exploited, its leader's can."""
    graph, values = one_pawn
    race, optimal = make_player("race", ONE), make_player("optimal?pawns=1", ONE)
    assert isinstance(race, Race)
    assert isinstance(optimal, Optimal)
    files = sorted(path.name[:4] for path in (cache / "tables").iterdir())
    assert files == ["duel", "race"]
    again = make_player("optimal?pawns=1", ONE)
    assert (again.chances == optimal.chances).all()
    assert np.allclose(optimal.chances, values, atol=1e-7)
    assert exploitability(graph, policy_of(graph, optimal)) < 1e-6
    assert 1e-6 < exploitability(graph, policy_of(graph, race)) < 0.02


def test_a_damaged_table_is_computed_again(cache):
    first = make_player("race", ONE)
    [file] = (cache / "tables").iterdir()
    file.write_bytes(file.read_bytes()[:100])
    assert (make_player("race", ONE).turns == first.turns).all()
    assert len(file.read_bytes()) > 100


def test_the_values_of_a_race_are_returns(cache):
    for game in (ONE, variant("classic", 3, pawns=1)):
        race = make_player("race", game)
        states, rng = game.new_states(200), generators(np.random.SeedSequence(4), 200)
        game.reset(states, rng)
        for _ in range(40):
            game.play(states, race.choose(states, rng))
            game.draw(states, rng)
        values = np.stack([race.values(states, np.full(200, seat)) for seat in range(game.seats)], axis=1)
        assert np.abs(values.sum(axis=1)).max() < 1e-9
        over = states["over"] != 0
        assert over.any()
        assert (values[over] == game.returns(states[over])).all()


@pytest.mark.parametrize(
    ("spec", "game", "words"),
    [
        ("race", variant("express", 2), "not solved exactly"),
        ("optimal?pawns=3", ONE, "pawns is '3'; the game is solved for 1 or 2"),
        ("optimal", variant("classic", 3), "3 seats; two seats"),
        (
            "optimal?pawns=1&beyond=greedy",
            variant("classic", 2, replacement=True),
            "does not say what return it expects",
        ),
    ],
)
def test_tables_that_there_are_not(cache, spec, game, words):
    with pytest.raises(PlayerError, match=words):
        make_player(spec, game)
