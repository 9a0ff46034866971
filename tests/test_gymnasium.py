"""The single Gymnasium environment: its interface, what it refuses, and an id for every ruleset."""

import copy
import pickle
import re
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordEpisodeStatistics

from positions import position
from sorry_env import RULESETS, Game, IllegalAction, InvalidPosition, PlayerError, RulesetError, variant
from sorry_env.players.simple import Uniform
from sorry_env.registration import ANY, id_of, register_all
from sorry_env.rewards import potentials
from sorry_env.seating import Pool
from sorry_env.single import SorryEnv
from sorry_env.vector import SorryVectorEnv

IDS = [ANY, *(id_of(name) for name in RULESETS)]


def pick(mask, k=0):
    """A legal action, the k-th counted round."""
    legal = np.flatnonzero(mask)
    return legal[k % len(legal)]


def told(result):
    """What a reset or a step gave, as values that can be compared."""
    observation, *rest, info = result
    return observation.tobytes(), rest, {name: np.asarray(value).tolist() for name, value in info.items()}


def story(env, steps, seed=None, start=0):
    """What is told in some steps, new games following finished ones."""
    seen = [told(env.reset(seed=seed))] if start == 0 else []
    for k in range(start, start + steps):
        result = env.step(pick(env.action_masks(), k))
        seen.append(told(result))
        if result[2] or result[3]:
            seen.append(told(env.reset()))
    return seen


# --- the interface


@pytest.mark.parametrize("name", ["tiny", "points_1939", "teams_modern", "not_sorry", "parcheesi", "express"])
def test_gymnasium_finds_nothing_to_complain_of(name):
    check_env(gymnasium.make(id_of(name)).unwrapped)
    check_env(gymnasium.make(id_of(name), seat="all", shaping=0.5, skip_forced=True).unwrapped)


def test_every_ruleset_has_an_id():
    assert {id_of(name) for name in RULESETS} <= gymnasium.registry.keys()
    assert id_of("fire_and_ice") == "sorry_env/FireAndIce-v0"
    assert len(set(IDS)) == len(RULESETS) + 1
    before = dict(gymnasium.registry)
    register_all()
    assert gymnasium.registry == before


@pytest.mark.parametrize("name", IDS)
def test_an_id_makes_an_environment_alone_and_many(name):
    env = gymnasium.make(name, turn_limit=40)
    rules = "classic" if name == ANY else next(rules for rules in RULESETS if id_of(rules) == name)
    assert env.unwrapped.variant.ruleset == variant(rules, max(RULESETS[rules].seat_counts), turn_limit=40).ruleset
    _, info = env.reset(seed=1)
    for k in range(5):
        observation, _, over, _, info = env.step(pick(info["action_mask"], k))
        assert not over
        assert env.observation_space.contains(observation)
    envs = gymnasium.make_vec(name, num_envs=3, turn_limit=40)
    assert isinstance(envs.unwrapped, SorryVectorEnv)
    observations, infos = envs.reset(seed=1)
    assert envs.unwrapped.variant is env.unwrapped.variant
    assert envs.observation_space.contains(observations)
    assert envs.action_space.contains(infos["action_mask"].argmax(axis=1))
    envs.step(infos["action_mask"].argmax(axis=1))


def test_an_environment_can_be_made_again_from_its_spec():
    env = gymnasium.make(ANY, ruleset="tiny", seats=3, opponents=["greedy", "uniform"])
    again = gymnasium.make(env.spec)
    assert story(again.unwrapped, 10, seed=4) == story(env.unwrapped, 10, seed=4)
    envs = gymnasium.make_vec(ANY, num_envs=3, ruleset="tiny", opponents=["greedy"])
    assert envs.spec.id == ANY
    twin = gymnasium.make_vec(envs.spec)
    assert twin.num_envs == 3
    assert twin.reset(seed=2)[0].tobytes() == envs.reset(seed=2)[0].tobytes()


def test_seats_are_as_many_as_the_opponents_ask_for():
    def seats(**settings):
        return SorryEnv(**settings).variant.seats

    assert [seats(), seats(opponents=["uniform"]), seats(opponents=["uniform", "greedy"])] == [2, 2, 3]
    assert seats(opponents=[["uniform", "greedy"]] * 3) == 4
    assert seats(opponents=Pool(["uniform", "greedy", "heuristic"])) == 2
    assert seats(ruleset="teams_1939") == 4
    assert seats(opponents="greedy", seats=["red", "blue", "green"]) == 3


def test_an_observation_is_what_the_learners_seat_sees():
    env = SorryEnv("points_1939", opponents=["greedy", "uniform"], seat=1)
    observation, info = env.reset(seed=3)
    for k in range(10):
        states = env.contest.states
        assert states[0]["seat"] == info["seat"] == 1
        assert observation.tobytes() == env.variant.encode(states, np.array([1])).tobytes()
        assert np.array_equal(info["action_mask"], env.variant.legal_mask(states)[0])
        assert np.array_equal(env.action_masks(), info["action_mask"])
        assert (observation.dtype, info["action_mask"].dtype) == (np.float32, np.int8)
        observation, *_, info = env.step(pick(info["action_mask"], k))


def test_a_seed_repeats_a_series_of_games():
    env, twin = (SorryEnv("tiny", opponents=["greedy", "uniform"]) for _ in range(2))
    first = story(env, 60, seed=5)
    assert len(first) > 61
    assert first == story(twin, 60, seed=5) == story(env, 60, seed=5)
    assert first != story(env, 60, seed=6)
    for one in (env, twin):
        one.reset(seed=5)
        one.reset()
    assert env.reset()[0].tobytes() == twin.reset()[0].tobytes()
    assert env.contest.states.tobytes() != (env.reset(seed=5) and env.contest.states.tobytes())


def test_a_copy_goes_on_alike_on_its_own():
    env = SorryEnv("points_modern", opponents=[["heuristic", "greedy"], "uniform"], turn_limit=40)
    story(env, 7, seed=1)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = story(env, 30, start=7)
    for one in copies:
        assert story(one, 30, start=7) == expected


def test_the_game_that_is_shown_is_a_copy():
    env = SorryEnv("classic", render_mode="ansi")
    env.reset(seed=1)
    game, before = env.game(), env.contest.states.tobytes()
    assert env.render() == env.variant.family.ansi(env.variant, env.contest.states, colour=False)
    game.play(game.legal()[0])
    assert env.contest.states.tobytes() == before
    assert SorryEnv("classic").render() is None


def test_the_end_tells_returns_and_scores():
    env = SorryEnv("tiny", seats=3, rewards="score")
    _, info = env.reset(seed=2)
    over, steps = False, 0
    while not over:
        assert {"returns", "scores", "illegal"}.isdisjoint(info)
        observation, reward, over, cut, info = env.step(pick(env.action_masks(), steps))
        steps += 1
    assert not cut
    assert sorted(info["returns"]) == [-0.5, -0.5, 1]
    assert info["scores"].tolist() == [float(pay == 1) for pay in info["returns"]]
    assert reward == info["scores"][info["seat"]]
    assert info["illegal"] is False
    assert not env.action_masks().any()
    assert env.observation_space.contains(observation)


def test_a_game_that_has_had_all_its_turns_is_truncated():
    env = SorryEnv("classic", turn_limit=6)
    env.reset(seed=1)
    results = [env.step(pick(env.action_masks()))]
    while not results[-1][3]:
        results.append(env.step(pick(env.action_masks())))
    assert not any(result[2] for result in results)
    assert [result[1] for result in results] == [0] * len(results)
    assert results[-1][4]["returns"].tolist() == [0, 0]


def test_statistics_of_episodes_are_recorded():
    env = RecordEpisodeStatistics(gymnasium.make(id_of("express"), shaping=0.5))
    _, info = env.reset(seed=1)
    rewards, over, first = [], False, potentials(env.unwrapped.variant, env.unwrapped.contest.states)[0]
    while not over:
        _, reward, over, _, info = env.step(pick(info["action_mask"], len(rewards)))
        rewards.append(reward)
    assert info["episode"]["l"] == len(rewards)
    assert info["episode"]["r"] == pytest.approx(sum(rewards))
    assert sum(rewards) == pytest.approx(info["returns"][info["seat"]] - 0.5 * first[info["seat"]])


# --- how a game begins


def test_a_game_begins_from_a_position_or_with_a_colour():
    env = SorryEnv("classic", opponents="greedy", seat=0)
    start = position("5", red=[10, 20], yellow=[33])
    _, info = env.reset(seed=1, options={"position": start})
    assert str(env.game()) == str(Game.from_position(start))
    _, info = env.reset(options={"position": str(Game.from_position(start))})
    assert env.game().position()["turns"] == 1
    assert info["seat"] == 0
    for seed in range(8):
        env.reset(seed=seed, options={"first": "red"})
        assert env.contest.states[0]["turns"] == 1
    turns = [env.reset(seed=seed, options={"first": "yellow"}) and env.contest.states[0]["turns"] for seed in range(8)]
    assert min(turns) == 2
    nearly_won = position("1", red=["safe 5", "home", "home", "home"], yellow=[20])
    env.reset(options={"position": nearly_won})
    _, reward, over, _, info = env.step(pick(env.action_masks()))
    assert (reward, over, info["returns"].tolist()) == (1, True, [1, -1])


def test_a_position_in_which_the_learner_has_no_choice_is_refused():
    env = SorryEnv("classic", opponents="greedy", seat=1)
    nearly_won = position("1", red=["safe 5", "home", "home", "home"], yellow=[20])
    with pytest.raises(RulesetError, match="1000 games from this position ended before the learner had a choice"):
        env.reset(seed=1, options={"position": nearly_won})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"options": {"frist": "red"}}, RulesetError, "unknown option 'frist'; did you mean 'first'?"),
        ({"options": {"first": "blue"}}, RulesetError, "nobody plays 'blue'; the seats are ['red', 'yellow']"),
        ({"options": 5}, RulesetError, "options is 5: expected a dict"),
        ({"options": {"position": "classic; red 1"}}, InvalidPosition, "a game has 2, 3 or 4 seats"),
        ({"options": {"position": str(Game("tiny", 2))}}, InvalidPosition, "the position is one of variant(tiny"),
        ({"seed": 2**64}, RulesetError, "seed is 18446744073709551616: expected a number from 0 to 2**64 - 1"),
        ({"seed": -1}, gymnasium.error.Error, "-1"),
    ],
)
def test_resets_that_cannot_be_are_refused(arguments, error, message):
    env = SorryEnv("classic")
    env.reset(seed=1)
    before = env.contest.states.tobytes()
    with pytest.raises(error, match=re.escape(message)):
        env.reset(**arguments)
    assert env.contest.states.tobytes() == before
    assert env.reset(seed=2**64 - 1)


# --- actions


@pytest.mark.parametrize(("rewards", "cost"), [("win", -1), ("points", -28), ("score", -28)])
def test_an_illegal_action_ends_the_game_as_a_loss(rewards, cost):
    env = SorryEnv("points_1939", opponents=["greedy", "uniform"], rewards=rewards)
    for k, action in enumerate((None, -1, 10**6, np.int64(10**6))):
        observation, info = env.reset(seed=k)
        mask, seat = info["action_mask"], info["seat"]
        wrong = int(mask.argmin()) if action is None else action
        last, reward, terminated, truncated, info = env.step(wrong)
        assert (reward, terminated, truncated) == (cost, True, False)
        assert (info["illegal"], info["seat"], info["returns"].tolist()) == (True, seat, [0, 0, 0])
        assert last.tobytes() == observation.tobytes()
        with pytest.raises(IllegalAction, match=r"No game is running; reset\(\) begins one"):
            env.step(pick(mask))


@pytest.mark.parametrize("action", [True, np.True_, 3.0, "3", None, [3], np.array([3]), 2**64])
def test_what_is_no_whole_number_is_refused_and_changes_nothing(action):
    env = SorryEnv("tiny")
    env.reset(seed=1)
    before = env.contest.states.tobytes()
    with pytest.raises(IllegalAction, match="An action is a number that the action mask allows, not "):
        env.step(action)
    assert env.contest.states.tobytes() == before
    assert env.contest.running[0]


def test_an_action_is_any_whole_number():
    stories = []
    for kind in (int, np.int64, np.int32, np.uint8, np.uint64, np.array):
        env = SorryEnv("tiny")
        env.reset(seed=1)
        stories.append([told(env.step(kind(pick(env.action_masks(), k)))) for k in range(5)])
    assert all(one == stories[0] for one in stories)


def test_a_step_before_the_first_reset_is_refused():
    with pytest.raises(IllegalAction, match=r"No game is running; reset\(\) begins one"):
        SorryEnv("tiny").step(0)


@pytest.mark.parametrize("make", [SorryEnv, lambda *given, **named: SorryVectorEnv(2, *given, **named)])
@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"ruleset": "clasic"}, RulesetError, "unknown ruleset 'clasic'; did you mean 'classic'?"),
        ({"paws": 3}, RulesetError, "classic has no field 'paws'; did you mean 'pawns'?"),
        ({"oponents": ["uniform"]}, RulesetError, "classic has no field 'oponents'"),
        ({"render_mode": "human"}, RulesetError, "unknown render_mode 'human'; "),
        ({"rewards": "wins"}, RulesetError, "unknown rewards 'wins'; did you mean 'win'?"),
        ({"opponents": []}, PlayerError, "0 opponents for 1 other seats; give 1"),
        (
            {"opponents": ["uniform", "greedy"], "seats": 4},
            PlayerError,
            "2 opponents for 3 other seats; give 3, or one",
        ),
        ({"opponents": ["uniform"] * 4}, RulesetError, "seats=5"),
        ({"ruleset": "teams_1939", "opponents": ["uniform"] * 2}, RulesetError, "seats=3: teams need four seats"),
        ({"opponents": [Uniform(variant("tiny"))]}, PlayerError, "'uniform' was made for variant(tiny"),
        ({"opponents": ["nowhere.safetensors"]}, Exception, "nowhere.safetensors"),
        ({"seat": 2}, RulesetError, "seat is 2: expected 0 to 1, 'random' or 'all'"),
    ],
)
def test_settings_that_cannot_be_are_refused(make, settings, error, message):
    with pytest.raises(error, match=re.escape(message)):
        make(**settings)


def test_the_guide_runs(capsys):
    guide = (Path(__file__).parents[1] / "docs" / "gymnasium.md").read_text()
    names, snippets = {}, re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(snippets) == 5
    for snippet in snippets:
        exec(snippet, names)
    assert re.match(r"-?1\.0 \[-?1\. +-?1\.\]\n", capsys.readouterr().out)
    assert names["wins"].sum() > 0
