"""What holds in every game, whatever it is: the kit that a new game has to pass, tried on a toy too.

Sorry! has a kit of its own besides, which sets up positions (test_conformance). Here games are played from the
beginning, at random, by all that the package offers for them.
"""

import json
import random
import warnings
from functools import cache

import numpy as np
import pytest
from pettingzoo.test import api_test

import toy_race
from agents.arena import play_match
from agents.runs import RunFolder, train
from agents.value_net import ValueNetConfig
from sorry_env import RULESETS, Game, IllegalAction, lanes, sorry_v0, variant
from sorry_env.players import make_player
from sorry_env.random import generators
from sorry_env.sorry.rules import SorryRules

KINDS = [(rules.name, seats) for rules in [*RULESETS.values(), *toy_race.RACE.rulesets] for seats in rules.seat_counts]
PLIES = 60
pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture(params=KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def kind(request):
    return request.param


def games(kind, count=3):
    """Some positions of some games at random, a decision each; the last plies of a game too."""
    yield from (game.copy() for game in played(kind, count))


@cache
def played(kind, count):
    """The same for every test; fewer of Sorry!, which has a kit of its own."""
    found, most = [], 4 if isinstance(RULESETS[kind[0]], SorryRules) else 10
    for seed in range(count):
        game, lots, own = Game(*kind, seed=seed), random.Random(seed), []
        for _ in range(PLIES * (1 + 9 * (seed == 0))):
            if game.is_over:
                break
            own.append(game.copy())
            game.play(lots.choice(game.legal()))
        found += [*lots.sample(own[:-1], min(len(own) - 1, most * (1 + 2 * (seed == 0)))), own[-1]]
    return found


def same(one, other):
    return one.states.tobytes() == other.states.tobytes()


def test_the_mask_is_what_can_be_played_and_all_else_is_refused_with_a_reason(kind):
    for game in games(kind):
        mask = game.variant.legal_mask(game.states)[0]
        legal = game.legal()
        assert legal == sorted(set(legal)) == np.flatnonzero(mask).tolist()
        assert legal
        assert game.variant.legal_counts(game.states)[0] == len(legal)
        for action in random.Random(0).sample(range(len(mask)), min(len(mask), 40)):
            reason = game.why_illegal(action)
            assert (reason == "") == bool(mask[action])
            assert reason == "" or reason.endswith(".")
        for action in (-1, len(mask), "nothing of the kind"):
            before = str(game)
            with pytest.raises(IllegalAction):
                game.play(action)
            assert str(game) == before


def test_texts_are_different_and_can_be_read_back(kind):
    for game in games(kind):
        texts = [game.text(action) for action in game.legal()]
        assert len(set(texts)) == len(texts)
        assert [game.parse(text) for text in texts] == game.legal()
    rows = [str(row) for row in game.variant.actions.rows]
    assert len(set(rows)) == len(rows)


def test_positions_go_round_as_a_dict_as_json_and_as_a_line(kind):
    for game in games(kind):
        for now in (game, game.after(game.legal()[-1])):
            position = now.position()
            for form in (position, json.loads(json.dumps(position)), str(now)):
                again = Game.from_position(form)
                assert same(again, now)
                assert again.position() == position
                assert again.variant is now.variant


def test_chance_adds_up_and_brings_what_it_says(kind):
    for game in games(kind, 2):
        then = game.after(game.legal()[0])
        if not then.awaits_chance:
            assert then.chance() == []
            continue
        assert then.legal() == []
        chances = then.chance()
        assert sum(chance for _, chance in chances) == pytest.approx(1)
        assert all(chance > 0 for _, chance in chances)
        ends = [dealt(then, outcome).states.tobytes() for outcome, _ in chances]
        drawn = {after_one_draw(then, seed) for seed in range(50)}
        assert drawn <= set(ends)
        with pytest.raises(IllegalAction):
            then.deal("nothing of the kind")
        with pytest.raises(IllegalAction):
            game.deal()


def dealt(game, outcome):
    copy = game.copy()
    copy.deal(outcome)
    return copy


def after_one_draw(game, seed):
    """The bytes of the state after a single random outcome."""
    from sorry_env import verbs

    copy = game.copy()
    verbs.draw(copy.states[0], copy.variant.rules[0], np.uint64(random.Random(seed).getrandbits(32)))
    return copy.states.tobytes()


def test_what_is_drawn_is_as_likely_as_chance_says(kind):
    then = next(now for game in games(kind) if (now := game.after(game.legal()[0])).awaits_chance)
    count, chances = 4000, then.chance()
    seen = [after_one_draw(then, seed) for seed in range(count)]
    by_end = {}
    for outcome, chance in chances:
        end = dealt(then, outcome).states.tobytes()
        by_end[end] = by_end.get(end, 0) + chance
    for end, chance in by_end.items():
        assert seen.count(end) / count == pytest.approx(chance, abs=5 * (chance * (1 - chance) / count) ** 0.5 + 1e-9)


def test_copies_go_their_own_way_and_draw_alike(kind):
    for game in games(kind, 2):
        one, two, before = game.copy(), game.copy(), str(game)
        one.play(one.legal()[0])
        two.play(two.legal()[0])
        assert same(one, two)
        assert str(game) == before


def test_many_games_side_by_side_are_as_one_by_one(kind):
    game = variant(*kind)
    count = 16
    states, rng, lots = game.new_states(count), generators(3, count), generators(4, count)
    game.reset(states, rng)
    single = [states[i : i + 1].copy() for i in range(count)]
    single_rng = [rng[i : i + 1].copy() for i in range(count)]
    actions = np.zeros(count, np.int64)
    for _ in range(30):
        lanes.uniform_lanes(states, game.rules, lots, actions)
        observed = game.encode(states), game.legal_mask(states)
        for i, one in enumerate(single):
            assert np.array_equal(game.encode(one)[0], observed[0][i])
            assert np.array_equal(game.legal_mask(one)[0], observed[1][i])
            game.play(one, actions[i : i + 1])
            game.draw(one, single_rng[i])
        game.play(states, actions)
        game.draw(states, rng)
        assert np.concatenate(single).tobytes() == states.tobytes()


def test_afterstates_are_where_the_legal_actions_lead(kind):
    for game in games(kind, 2):
        after, actions, counts = game.variant.afterstates(game.states)
        assert actions.tolist() == game.legal()
        assert counts.tolist() == [len(actions)]
        assert [one.tobytes() for one in after] == [game.after(a).states.tobytes() for a in game.legal()]


def test_what_a_seat_sees_are_numbers_from_0_to_1_and_its_view_holds_no_more(kind):
    for game in games(kind):
        for seat, colour in enumerate(game.variant.colours):
            view, viewer = game.view(colour), np.array([seat])
            vector = game.variant.encode(game.states, viewer)
            assert vector.shape == (1, game.variant.num_features)
            assert np.all((vector >= 0) & (vector <= 1))
            assert np.array_equal(vector, game.variant.encode(view.states, viewer))
            assert same(game.determinize(colour).view(colour), view)
            assert view.legal() == (game.legal() if colour == game.to_move else [])


def test_every_game_ends_with_a_winner_or_at_its_turn_limit(kind):
    name, seats = kind
    for changes in ({}, {"turn_limit": 7}):
        game = variant(name, seats, **changes)
        states, rng, lots = game.new_states(64), generators(1, 64), generators(2, 64)
        game.reset(states, rng)
        actions = np.zeros(64, np.int64)
        for _ in range(100_000):
            if states["over"].all():
                break
            lanes.uniform_lanes(states, game.rules, lots, actions)
            game.play(states, actions)
            game.draw(states, rng)
        assert states["over"].all()
        returns, won = game.returns(states), states["winners"] != 0
        assert np.abs(returns.sum(axis=1)).max() < 1e-12
        assert ((returns.max(axis=1) == 1) == won).all()
        assert won.all() or changes
        assert not changes or states["turns"].max() <= 7
        over = states[states["over"] != 0]
        assert not game.legal_mask(over).any()
        for i in range(4):
            end = Game.from_states(game, over[i : i + 1])
            assert same(Game.from_position(end.position()), end)
            assert (end.to_move, end.legal(), end.chance()) == (None, [], [])


def test_the_pettingzoo_environment_passes_the_tests_of_pettingzoo(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(sorry_v0.env(kind[0], seats=kind[1]), num_cycles=60)


def test_the_same_seed_gives_the_same_game(kind):
    def record(seed):
        env = sorry_v0.env(kind[0], seats=kind[1], skip_forced=True)
        env.reset(seed=seed)
        lots, seen = random.Random(5), []
        for _ in range(40):
            observation, reward, over, truncated, _ = env.last()
            if over or truncated:
                break
            action = lots.choice(np.flatnonzero(observation["action_mask"]).tolist())
            seen.append((env.agent_selection, action, reward, observation["observation"].tobytes()))
            env.step(action)
        return seen

    assert record(11) == record(11) != record(12)


@pytest.mark.parametrize("spec", ["greedy", "heuristic"])
def test_players_play_legal_actions_of_every_game(kind, spec):
    if kind[0] == "toy_race" and spec == "heuristic":
        pytest.skip("the toy has no heuristic")
    game = variant(*kind)
    player, states, rng, lots = make_player(spec, game), game.new_states(32), generators(1, 32), generators(2, 32)
    game.reset(states, rng)
    for _ in range(20):
        actions = player.choose(game.view(states), lots)
        running = states["over"] == 0
        assert game.legal_mask(states)[running, actions[running]].all()
        game.play(states, actions)
        game.draw(states, rng)


def test_a_player_beats_the_uniform_one_where_it_should(kind):
    if kind[0] == "tiny":
        pytest.skip("with one pawn there is next to nothing to choose")
    game = variant(*kind)
    rivals = 2 if game.ruleset.partners else game.seats
    seats = [make_player("greedy" if seat % rivals == 0 else "uniform", game) for seat in range(game.seats)]
    result = play_match(game, seats, 150, 0)
    assert result.win_rates[0] - result.half_widths[0] > 1 / rivals


def test_a_net_is_trained_and_plays(kind, tmp_path):
    config = ValueNetConfig(
        ruleset=kind[0],
        seats=kind[1],
        hidden=(16,),
        lanes=64,
        steps=4,
        rollouts=2,
        batch=64,
        evaluate_every=2,
        evaluation_deals=2,
        opponents=("uniform",),
    )
    folder = RunFolder(tmp_path / "run")
    train(config, folder)
    env = sorry_v0.env(kind[0], seats=kind[1])
    env.reset(seed=1)
    player = make_player(str(folder.last), env.unwrapped.variant)
    for _ in range(10):
        if env.terminations[env.agent_selection]:
            break
        env.step(env.unwrapped.ask(player))


def test_a_net_learns_to_run_in_the_toy_race(tmp_path):
    config = ValueNetConfig(
        ruleset="toy_race", hidden=(32,), lanes=256, steps=16, rollouts=30, batch=512, evaluate_every=30,
        evaluation_deals=200, opponents=("uniform",),
    )  # fmt: skip
    folder = RunFolder(tmp_path / "run")
    train(config, folder)
    game = Game("toy_race", 2)
    player = make_player(str(folder.last), game.variant)
    for now in games(("toy_race", 2), 10):
        assert now.text(int(player.choose(now.states, generators(0, 1))[0])) == "run"
