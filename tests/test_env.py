"""The PettingZoo environment keeps its books, whatever is played, wrapped, copied or mistyped."""

import copy
import importlib
import pickle
import re
import warnings
from collections import Counter
from itertools import count, pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.state_test import test_parallel_env as check_parallel_state
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    BaseWrapper,
    CaptureStdoutWrapper,
    ClipOutOfBoundsWrapper,
    MultiEpisodeEnv,
    MultiEpisodeParallelEnv,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from positions import EMPTY_PILE, THREE_HOME, position
from sorry_env import Game, IllegalAction, InvalidPosition, PlayerError, RulesetError, lanes, sorry_v0, variant
from sorry_env.players import make_player
from sorry_env.rewards import REWARDS, potentials
from sorry_env.sorry.board import DECISIONS
from sorry_env.variant import _variant

NEARLY_WON = position("1", red=["safe 5", *THREE_HOME], yellow=[20])
"""Red wins with its only move."""
TWO_SEATS = {"ruleset": "classic", "seats": 2}


def begun(*arguments, seed=1, options=None, make=sorry_v0.env, **named):
    """An environment in its first game."""
    env = make(*arguments, **named)
    env.reset(seed=seed, options=options)
    return env


def pick(mask, rng):
    """One of the actions that a mask allows, any of them, by a generator of the test's own."""
    return int(rng.choice(np.flatnonzero(mask)))


def advance(env, rng):
    """Play a random legal action, or let an agent take note of the end."""
    observation, _, termination, truncation, _ = env.last()
    env.step(None if termination or truncation else pick(observation["action_mask"], rng))


def played(env, steps, seed=0):
    """The environment after so many steps."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        advance(env, rng)
    return env


def seen(env):
    """What the agent to move is told, and the game as it stands, as values that can be compared."""
    observation, *rest = env.last()
    parts = [observation[name].tobytes() for name in ("observation", "action_mask")]
    return env.agent_selection, *parts, *rest[:3], env.unwrapped.states.tobytes()


def story(env, seed=0, steps=10**6):
    """What is seen step by step, to the end of the game, as random moves are played."""
    rng, told = np.random.default_rng(seed), []
    while env.agents and len(told) < steps:
        told.append(seen(env))
        advance(env, rng)
    return told


def plain(value):
    """A value with everything in it as something that `==` compares."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def inside(env):
    """All that an environment knows of its game, generators included."""
    hidden = ("_spaces", "_actions", "state_space", "variant")
    return {key: plain(value) for key, value in vars(env.unwrapped).items() if key not in hidden}


# --- what it is


def test_the_default_is_classic_with_four_seats_and_nothing_drawn():
    env = begun()
    assert env.unwrapped.variant is variant("classic", 4)
    assert env.render_mode is None
    assert env.render() is None
    assert str(env) == "sorry_v0"


def test_agents_are_numbered_by_seat(kind):
    env = begun(*kind)
    assert env.agents == env.possible_agents == [f"player_{seat}" for seat in range(kind[1])]


def test_seats_may_be_colours_and_rules_may_be_changed():
    env = begun("diamond", ["blue", "green", "red"], deck=11, pawns=2, make=sorry_v0.raw_env)
    assert env.variant is variant("diamond", ["blue", "green", "red"], deck=11, pawns=2)
    assert len(env.agents) == 3


def test_actions_are_the_pairs_of_card_and_move(kind):
    env = begun(*kind)
    table = env.unwrapped.variant.actions
    assert all(env.action_space(agent) == spaces.Discrete(len(table)) for agent in env.agents)
    for _ in range(20):
        allowed = {table[action].prompt for action in np.flatnonzero(env.last()[0]["action_mask"])}
        position = env.unwrapped.game().position()
        hand = position.get("hands", {}).get(position["to_move"], [])
        decisions = set(allowed).intersection(DECISIONS)
        assert allowed <= {position["card"], *hand, *decisions}
        assert bool(decisions) == ("pending" in position or "phase" in position or "part" in allowed)
        advance(env, np.random.default_rng(0))


def test_each_agent_has_spaces_of_its_own(kind):
    env = begun(*kind)
    for space in (env.observation_space, env.action_space):
        assert len({id(space(agent)) for agent in env.agents}) == len(env.agents)
        assert all(space(agent) is space(agent) for agent in env.agents)


def test_the_board_is_drawn_as_text():
    drawing = begun("classic", 2, render_mode="ansi").render()
    assert len(drawing.splitlines()) == 16
    assert "\x1b" not in drawing
    assert drawing != played(begun("classic", 2, render_mode="ansi"), 30).render()


# --- what is observed


@pytest.mark.parametrize("skip_forced", [False, True])
def test_everything_observed_is_right_in_every_step_of_a_game(kind, skip_forced):
    env = begun(*kind, skip_forced=skip_forced)
    rng = np.random.default_rng(3)
    while env.agents:
        check_observations(env)
        advance(env, rng)


def check_observations(env):
    """Each agent's observation and info, in any state."""
    game, over = env.unwrapped.game(), env.terminations[env.agent_selection]
    for seat, agent in enumerate(env.possible_agents):
        observation = env.observe(agent)
        expected = game.variant.encode(game.states, np.array([seat]))[0]
        assert env.observation_space(agent).contains(observation)
        assert np.array_equal(observation["observation"], expected)
        legal = game.legal() if agent == env.agent_selection and not over else []
        assert np.flatnonzero(observation["action_mask"]).tolist() == legal
        assert agent not in env.agents or np.array_equal(env.infos[agent]["action_mask"], observation["action_mask"])


def test_masks_are_of_int8():
    env = begun()
    for agent in env.agents:
        assert env.observe(agent)["action_mask"].dtype == np.int8
        assert env.infos[agent]["action_mask"].dtype == np.int8


def test_whoever_writes_into_what_it_was_given_changes_nothing():
    env, twin = begun("classic", 2), begun("classic", 2)
    rng, twin_rng = np.random.default_rng(0), np.random.default_rng(0)
    while env.agents:
        assert seen(env) == seen(twin)
        spoil(env)
        assert env.unwrapped.save()["states"].tobytes() == twin.unwrapped.save()["states"].tobytes()
        if not env.terminations[env.agent_selection]:
            check_masked_out_is_refused(env)
        advance(twin, twin_rng)
        advance(env, rng)


def spoil(env):
    """Overwrite every array that an agent can lay its hands on."""
    for agent in env.agents:
        observation = env.observe(agent)
        for array in (*observation.values(), env.infos[agent]["action_mask"], env.state()):
            array[:] = 1
    env.unwrapped.game().states["pawns"] = 0
    env.unwrapped.save()["states"]["pawns"] = 0


def check_masked_out_is_refused(env):
    forbidden = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction):
        env.step(forbidden)


def test_an_observation_stays_as_it_was_while_the_game_goes_on():
    env = begun()
    kept = [(env.observe(agent), copy.deepcopy(env.observe(agent))) for agent in env.agents]
    played(env, 40)
    for observation, before in kept:
        assert plain(observation) == plain(before)


def test_the_end_is_told_to_each_agent_in_a_dict_of_its_own():
    env = played(begun("classic", 2, options={"position": NEARLY_WON}), 1)
    env.infos["player_0"]["scores"].clear()
    env.infos["player_0"]["winners"].clear()
    assert env.infos["player_1"]["scores"] == {"player_0": 1.0, "player_1": 0.0}
    assert env.infos["player_1"]["winners"] == ["player_0"]


def test_the_state_is_the_whole_game_as_the_first_agent_sees_it(kind):
    env = begun(*kind)
    check_state_space(env)
    rng = np.random.default_rng(5)
    while env.agents:
        assert np.array_equal(env.state(), env.observe("player_0")["observation"])
        assert env.state_space.contains(env.state())
        advance(env, rng)


# --- how a game begins


def test_the_same_seed_gives_the_same_game(kind):
    assert story(begun(*kind, seed=4)) == story(begun(*kind, seed=4))


def test_other_seeds_give_other_games():
    assert len({str(begun("classic", 2, seed=seed).unwrapped.game()) for seed in range(40)}) > 10


def test_a_reset_with_a_seed_forgets_what_was_before():
    env = played(begun("classic", 3, seed=9), 50)
    env.reset(seed=4)
    assert story(env) == story(begun("classic", 3, seed=4))


def test_a_reset_without_a_seed_goes_on_with_the_generator():
    games = []
    for _ in range(2):
        env = begun("classic", 2, seed=8)
        games.append([story(env)])
        for _ in range(3):
            env.reset()
            games[-1].append(story(env))
    assert games[0] == games[1]
    assert len({game[0][-1] for game in games[0]} | {len(game) for game in games[0]}) > 4


def test_without_any_seed_games_differ():
    stories = [str(begun("classic", 4, seed=None).unwrapped.game()) for _ in range(30)]
    assert len(set(stories)) > 5


def test_a_game_begins_in_the_position_asked_for():
    game = Game("classic", ["red", "blue", "green"], seed=3)
    for _ in range(40):
        game.play(game.legal()[-1])
    for form in (game.position(), str(game)):
        env = begun("classic", ["red", "blue", "green"], options={"position": form})
        assert env.unwrapped.game().position() == game.position()
        assert env.agent_selection == f"player_{game.variant.seat_of(game.to_move)}"


def test_a_position_whose_card_is_due_gets_one():
    start = position(None, red=[10], yellow=[20], pile=EMPTY_PILE | {"8": 1})
    env = begun("classic", 2, options={"position": start})
    assert env.unwrapped.game().position()["card"] == "8"


def test_a_position_is_not_kept_hold_of():
    start = position("5", red=[10], yellow=[20])
    env = begun("classic", 2, options={"position": start})
    before = str(env.unwrapped.game())
    start["pawns"]["red"][0] = 30
    assert str(env.unwrapped.game()) == before


@pytest.mark.parametrize("colour", ["red", "blue", "yellow", "green"])
def test_the_colour_asked_for_begins(colour):
    for seed in range(8):
        env = begun(seed=seed, options={"first": colour})
        assert env.unwrapped.game().to_move == colour


def test_whoever_begins_gets_the_same_cards():
    cards = [begun(seed=6, options={"first": colour}) for colour in ("red", "green")]
    assert len({env.unwrapped.game().position()["card"] for env in cards}) == 1


def cards_of(env, number):
    """The next cards in play, with the agents that they are dealt to."""
    rng, cards = np.random.default_rng(0), []
    for _ in range(number):
        cards.append((env.unwrapped.game().position()["card"], env.agent_selection))
        advance(env, rng)
    return cards


def test_the_deck_comes_first_drawn_first_and_a_2_draws_again():
    deck = ["3", "2", "2", "sorry", "12"]
    env = begun("classic", 2, options={"deck": deck, "first": "red"})
    agents = ["player_0", "player_1", "player_1", "player_1", "player_0"]
    assert cards_of(env, 5) == list(zip(deck, agents, strict=True))


def test_after_the_deck_the_generator_draws():
    drawn = {tuple(cards_of(begun(seed=s, options={"deck": ["3", "5"]}), 6))[2:] for s in range(20)}
    assert len(drawn) > 10
    game = begun(seed=2, options={"deck": ["3"] * 4 + ["12"] * 4}).unwrapped
    assert "3" not in [card for card, _ in cards_of(game, 45)[4:]]


def test_a_deck_may_go_through_the_pile_and_begin_the_next_one():
    cards = variant("classic", 2).ruleset.cards
    deck = [*cards, *reversed(cards)]
    env = begun("classic", 2, pawns=1, deck=11, options={"deck": deck, "position": None})
    assert [card for card, _ in cards_of(env, 22)] == deck


def test_a_deck_follows_the_card_of_a_position():
    env = begun("classic", 2, options={"position": position("5", red=[10], yellow=[20]), "deck": ("12", "1")})
    assert [card for card, _ in cards_of(env, 3)] == ["5", "12", "1"]


def test_with_hands_the_deck_is_dealt_round_the_table_and_then_refills():
    deck = ["1", "3", "1", "3", "2", "5", "2", "5", "4", "8", "12", "11", "sorry"]
    env = begun("points_1939", 2, options={"deck": deck, "first": "yellow"})
    hands = env.unwrapped.game().position()["hands"]
    assert hands == {"yellow": ["1", "1", "2", "2", "4"], "red": ["3", "3", "5", "5", "8"]}
    for text in ("2: yellow start>34", "1: yellow 34>35"):
        assert env.agent_selection == "player_1"  # again after a 2 that it has played
        env.step(env.unwrapped.game().parse(text))
    assert env.unwrapped.game().position()["hands"]["yellow"] == ["1", "2", "4", "11", "12"]
    env.step(env.unwrapped.game().parse("3: discard"))
    assert env.unwrapped.game().position()["hands"]["red"] == ["3", "5", "5", "8", "sorry"]


@pytest.mark.parametrize("seats", [2, 4])
def test_a_deck_that_outlasts_the_pile_is_refused_where_there_are_hands(seats):
    deck = [card for card in variant("points_1939", 2).ruleset.cards for _ in range(4)]
    env = played(begun("points_1939", seats, options={"deck": deck}), 12)
    message = "card 44 of the deck comes after the pile is used up: what is shuffled back then depends on the hands"
    refused(env, IllegalAction, message, lambda env: env.reset(options={"deck": [*deck, "1"]}))


def test_a_deck_may_hold_questions_where_there_are_some():
    env = begun("not_sorry", 3, options={"deck": ["question"] * 8, "first": "red"})
    assert env.unwrapped.game().position()["pending"] == {"decision": "ask"}
    with pytest.raises(IllegalAction, match="card 8 of the deck, 'question', cannot come"):
        env.reset(options={"deck": ["question"] * 9})
    with pytest.raises(IllegalAction, match="card 0 of the deck, 'question', cannot come"):
        begun("classic", 2, options={"deck": ["question"]})


def test_the_deck_is_for_one_game():
    env = begun(seed=3, options={"deck": ["sorry"] * 4})
    env.reset(seed=3)
    assert story(env, steps=30) == story(begun(seed=3), steps=30)


def test_options_for_wrappers_are_none_of_our_business():
    env = begun(seed=3, options={"options": 1, "max_frames": 7})
    assert story(env, steps=30) == story(begun(seed=3), steps=30)


# --- how a game ends, and what it pays


def final(*arguments, options=None, seed=1, **named):
    """The environment after the last choice, before the agents take note."""
    env = begun(*arguments, options=options, seed=seed, **named)
    rng = np.random.default_rng(seed)
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        advance(env, rng)
    return env


def winners_of(env):
    """The agents that have won, as the game says."""
    colours = env.unwrapped.game().position()["winner"]
    return [f"player_{env.unwrapped.variant.seat_of(colour)}" for colour in colours]


def test_the_winners_get_1_and_the_losers_share_it(kind):
    env = final(*kind)
    winners = env.infos["player_0"]["winners"]
    assert winners == winners_of(env)
    assert len(winners) == 1 + env.unwrapped.variant.ruleset.partners
    share = -len(winners) / (len(env.agents) - len(winners))
    assert env.rewards == pytest.approx(dict.fromkeys(env.agents, share) | dict.fromkeys(winners, 1))


@pytest.mark.parametrize("rewards", ["win", "points", "score"])
def test_scores_and_winners_are_known_in_any_case(kind, rewards):
    env = final(*kind, rewards=rewards, seed=5)
    winners = winners_of(env)
    scores = final_scores(env, winners)
    for agent in env.agents:
        assert env.infos[agent]["winners"] == winners
        assert env.infos[agent]["scores"] == scores
    others = {a: (sum(scores.values()) - own) / (len(scores) - 1) for a, own in scores.items()}
    if rewards == "score":
        assert env.rewards == scores
    elif rewards == "points":
        assert env.rewards == pytest.approx({a: scores[a] - others[a] for a in scores})
        assert sum(env.rewards.values()) == pytest.approx(0)
    assert env.rewards == pytest.approx(dict(zip(env.agents, REWARDS[rewards](*ended(env))[0], strict=True)))


def ended(env):
    return env.unwrapped.variant, env.unwrapped.states


def final_scores(env, winners):
    """What each agent has scored, as the rules put it (H5-H7)."""
    rules, pawns = env.unwrapped.variant.ruleset, env.unwrapped.game().position()["pawns"]
    home = dict(zip(env.possible_agents, (own.count("home") for own in pawns.values()), strict=True))
    if rules.points is None:
        return {agent: float(agent in winners) for agent in home}
    others = {agent: [count for name, count in home.items() if name != agent] for agent in home}
    prizes = {agent: prize_for(rules, counts) * (agent in winners) for agent, counts in others.items()}
    each = 1 if rules.points == "1939" else 5
    return {agent: float(each * count + prizes[agent]) for agent, count in home.items()}


def prize_for(rules, others):
    """What a winner gets besides its own pawns, of how many each of the others has Home."""
    if rules.points == "1939":
        return sum(others) + [24, 16, 8, 0, 0][max(others)]
    return 5 * sum(rules.pawns - other for other in others) + [100, 50, 25, 0, 0][max(others)]


POINTS_BOARD = {
    "1939": (["home", "home", "home", "safe 5"], ["home", "home", "start", 1], {"player_0": 4 + 2 + 8, "player_1": 2}),
    "modern": (["home"] * 3 + ["safe 5"], ["home", "safe 1", "start", 1], {"player_0": 20 + 15 + 50, "player_1": 5}),
}


def points_game(points, rewards, **changes):
    """An environment in which red needs a 1 to win, and holds one."""
    red, yellow, scores = POINTS_BOARD[points]
    start = {
        "ruleset": f"points_{points}",
        "changes": changes,
        "seats": ["red", "yellow"],
        "to_move": "red",
        "card": None,
        "pawns": {"red": red, "yellow": yellow},
        "hands": {"red": ["1", "3", "3", "3", "4"], "yellow": ["5", "5", "8", "8", "10"]},
        "turns": changes.get("turn_limit", 1),
    }
    return begun(f"points_{points}", 2, rewards=rewards, options={"position": start}, **changes), scores


@pytest.mark.parametrize("points", POINTS_BOARD)
@pytest.mark.parametrize("rewards", ["win", "points", "score"])
def test_points_are_counted_exactly(points, rewards):
    env, scores = points_game(points, rewards)
    env.step(env.unwrapped.game().parse("1: red safe 5>home"))
    less = scores["player_0"] - scores["player_1"]
    expected = {"win": (1, -1), "points": (less, -less), "score": tuple(scores.values())}[rewards]
    assert tuple(env.rewards.values()) == expected
    assert env.infos["player_1"]["scores"] == scores
    assert env.infos["player_0"]["winners"] == ["player_0"]


@pytest.mark.parametrize("points", POINTS_BOARD)
def test_a_truncated_game_of_points_pays_for_the_pawns_at_home_without_a_bonus(points):
    env, scores = points_game(points, "score", turn_limit=40)
    env.step(env.unwrapped.game().parse("4: red safe 5>safe 1"))
    assert env.truncations == {"player_0": True, "player_1": True}
    each = 1 if points == "1939" else 5
    assert env.rewards == env.infos["player_0"]["scores"] == {"player_0": 3 * each, "player_1": scores["player_1"]}
    assert env.infos["player_1"]["winners"] == []


@pytest.mark.parametrize("rewards", ["win", "points", "score"])
@pytest.mark.parametrize("limit", [1, 2, 7, 40])
def test_a_truncated_game_has_no_winner_and_pays_nothing(rewards, limit):
    env = final("classic", 3, turn_limit=limit, rewards=rewards)
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    assert env.rewards == dict.fromkeys(env.possible_agents, 0)
    assert env.unwrapped.game().position()["turns"] == limit
    assert env.infos["player_2"]["winners"] == []
    assert set(env.infos["player_2"]["scores"].values()) == {0.0}


def test_a_won_game_is_terminated_and_not_truncated():
    env = played(
        begun("classic", 2, turn_limit=1, options={"position": NEARLY_WON | {"changes": {"turn_limit": 1}}}),
        1,
    )
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}


def test_every_agent_is_told_of_the_end_once_and_leaves(kind):
    env = final(*kind)
    paid, left = dict(env.rewards), []
    while env.agents:
        left.append(env.agent_selection)
        observation, reward, *_ = env.last()
        assert reward == paid[env.agent_selection]
        assert not observation["action_mask"].any()
        env.step(None)
    assert left == env.possible_agents
    assert env.rewards == env.infos == env.terminations == env.truncations == {}


def test_the_next_game_owes_nothing_to_the_last():
    env = final("classic", 2, shaping=1.0)
    env.reset(seed=4)
    assert env.rewards == {"player_0": 0, "player_1": 0}
    assert env.last()[1:4] == (0, False, False)
    assert story(env) == story(begun("classic", 2, shaping=1.0, seed=4))


# --- rewards on the way


def test_nothing_is_paid_before_the_end_without_shaping():
    env = begun("classic", 2)
    rng = np.random.default_rng(0)
    while not env.terminations[env.agent_selection]:
        assert env.rewards == {"player_0": 0, "player_1": 0}
        assert env.last()[1] == 0
        advance(env, rng)


@pytest.mark.parametrize("skip_forced", [False, True])
def test_an_agent_gets_what_has_come_in_since_its_last_action(kind, skip_forced):
    env = begun(*kind, shaping=0.7, skip_forced=skip_forced)
    owed, rng = dict.fromkeys(env.agents, 0.0), np.random.default_rng(2)
    repeated, before = 0, None
    while env.agents:
        agent = env.agent_selection
        repeated += agent == before and not env.terminations[agent]
        assert env.last()[1] == pytest.approx(owed[agent], abs=1e-12)
        owed[agent], before = 0.0, agent
        advance(env, rng)
        owed = {name: owed[name] + reward for name, reward in env.rewards.items()}
    assert repeated > 0 or skip_forced


def test_a_reward_between_two_actions_of_one_agent_is_not_lost():
    deck = ["2", "2", "3", "5"]
    env = begun("classic", 2, shaping=1.0, options={"deck": deck, "first": "red"})
    steps = [begun("classic", 2, options={"deck": deck, "first": "red"}).unwrapped.game().states]
    for _ in range(2):
        env.step(int(env.last()[0]["action_mask"].argmax()))
        steps.append(env.unwrapped.game().states)
        gained = potentials(env.unwrapped.variant, np.concatenate(steps[-2:]))
        assert env.agent_selection == "player_0"
        assert env.last()[1] == pytest.approx(gained[1, 0] - gained[0, 0])
    assert env.unwrapped._cumulative_rewards["player_1"] == pytest.approx(-gained[1, 0])


def totals(env, seed):
    """What every agent gets over a whole game."""
    rng, total = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        observation, reward, termination, truncation, _ = env.last()
        total[env.agent_selection] += reward
        env.step(None if termination or truncation else pick(observation["action_mask"], rng))
    return np.array(list(total.values()))


@pytest.mark.parametrize("skip_forced", [False, True])
@pytest.mark.parametrize("changes", [{}, {"turn_limit": 30}])
def test_shaping_adds_up_to_the_same_sum_whatever_is_played(kind, skip_forced, changes):
    game = Game(*kind, seed=2, **changes)
    for _ in range(8):
        game.play(game.legal()[0])
    options = {"position": game.position()}
    named = {"skip_forced": skip_forced, "options": options} | changes
    start = begun(*kind, **named).unwrapped
    expected = -2.5 * potentials(start.variant, start.states)[0]
    for seed in range(2):
        bare = totals(begun(*kind, **named), seed)
        shaped = totals(begun(*kind, shaping=2.5, **named), seed)
        assert shaped - bare == pytest.approx(expected, abs=1e-9)


def test_shaping_pays_for_progress():
    start = position("5", red=[20], yellow=[40])
    env = begun("classic", 2, shaping=1.0, options={"position": start})
    env.step(env.unwrapped.game().parse("5: red 20>25"))
    assert env.rewards == pytest.approx({"player_0": 5 / 260, "player_1": -5 / 260})


# --- several actions in a row, and turns without a choice


def choices(env, seed=0):
    """Positions in which there is a choice, and the choice, over a whole game."""
    rng, made = np.random.default_rng(seed), []
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        mask = env.last()[0]["action_mask"]
        if mask.sum() > 1:
            action = pick(mask, rng)
            made.append((str(env.unwrapped.game()), env.agent_selection, action))
        else:
            action = int(mask.argmax())
        env.step(action)
    return [*made, (str(env.unwrapped.game()), env.rewards)]


def test_another_agent_acts_inside_a_turn():
    start = {
        "ruleset": "not_sorry",
        "seats": ["red", "blue", "yellow"],
        "to_move": "red",
        "card": "question",
        "pawns": {"red": [10, 20, "start"], "blue": [30, 40, "start"], "yellow": [50, 55, "start"]},
    }
    env, acted = begun("not_sorry", 3, options={"position": start}), []
    for text in ("question: ask yellow", "question: yes", "question: red 20>26", "question: yellow 50>56"):
        game = env.unwrapped.game()
        acted.append((env.agent_selection, game.position()["turns"]))
        env.step(game.parse(text))
    assert acted == [("player_0", 1), ("player_2", 1), ("player_0", 1), ("player_2", 1)]
    assert env.agent_selection == "player_1"
    assert env.unwrapped.game().position()["turns"] == 2


def test_an_agent_acts_several_times_in_a_row_inside_a_turn():
    start = {
        "ruleset": "teams_modern",
        "seats": ["red", "blue", "yellow", "green"],
        "to_move": "red",
        "card": "7",
        "pawns": {
            "red": [5, 20, "start", "start"],
            "blue": ["start"] * 4,
            "yellow": [35, "start", "start", "start"],
            "green": ["start"] * 4,
        },
    }
    env = begun("teams_modern", 4, options={"position": start})
    for text in ("7: red 5>6", "7: red 20>22", "7: yellow 35>39"):
        assert env.agent_selection == "player_0"
        assert not env.observe("player_2")["action_mask"].any()
        game = env.unwrapped.game()
        env.step(game.parse(next(t for t in map(game.text, game.legal()) if t.startswith(text))))
    assert env.agent_selection == "player_1"


def test_hands_of_others_are_not_to_be_seen():
    for name in ("points_1939", "points_modern"):
        env = played(begun(name, 3, seed=5), 40)
        game = env.unwrapped.game()
        for seed in range(5):
            for agent, colour in zip(env.possible_agents, game.variant.colours, strict=True):
                other = game.determinize(colour, seed)
                assert seed > 0 or other.position()["hands"] != game.position()["hands"]
                guess = begun(name, 3, options={"position": other.position()})
                assert plain(guess.observe(agent)) == plain(env.observe(agent))
                if colour != game.to_move:
                    assert guess.agent_selection == env.agent_selection


def test_a_player_that_is_asked_sees_no_hand_but_its_own():
    env = played(begun("points_1939", 2, seed=5), 30)
    seen_by = []

    def choose(states, rng):
        seen_by.append(states.copy())
        return [0]

    env.unwrapped.ask(SimpleNamespace(game=env.unwrapped.variant, spec="spy", choose=choose))
    (states,) = seen_by
    seat = int(states[0]["seat"])
    assert states[0]["hands"][1 - seat].tolist() == [0] * 12 + [5]
    assert states[0]["hands"][seat].tolist() == env.unwrapped.states[0]["hands"][seat].tolist()


def test_turns_with_a_single_choice_are_played_inside(kind):
    assert choices(begun(*kind, skip_forced=True)) == choices(begun(*kind))


def test_with_forced_turns_skipped_there_is_always_a_choice(kind):
    env = begun(*kind, skip_forced=True)
    rng = np.random.default_rng(0)
    while not env.terminations[env.agent_selection]:
        assert env.last()[0]["action_mask"].sum() > 1
        advance(env, rng)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_game_of_forced_turns_alone_is_over_as_it_begins(limit):
    env = begun("classic", 4, turn_limit=limit, skip_forced=True, options={"deck": ["3", "5", "8"][:limit]})
    assert set(env.truncations.values()) == {True}
    assert story(env)[0][0] == "player_0"
    assert not env.agents


def test_a_game_that_is_won_by_a_forced_turn_is_over_as_it_begins():
    env = begun("classic", 2, skip_forced=True, shaping=1.0, options={"position": NEARLY_WON})
    assert env.infos["player_1"]["winners"] == ["player_0"]
    assert [env.last()[1], totals(env, 0).tolist()] == [1.0, [1.0, -1.0]]


# --- random play, fast


def drawn(env):
    """What `sample` plays, action by action, to the end of the game."""
    actions = []
    while env.agents:
        actions.append(env.unwrapped.sample())
        env.step(actions[-1])
    return actions


def test_a_loop_over_samples_plays_whole_games(kind):
    env = begun(*kind, shaping=0.5)
    while env.agents:
        mask, over = env.last()[0]["action_mask"], env.terminations[env.agent_selection]
        action = env.unwrapped.sample()
        assert action is None if over else type(action) is int and mask[action] == 1
        env.step(action)
    assert drawn(begun(*kind))[-env.max_num_agents :] == [None] * env.max_num_agents


def test_samples_are_uniform_over_the_legal_actions():
    env = begun("classic", 2, options={"position": position("1", red=["start", 10, 20, 30], yellow=[40])})
    legal = env.unwrapped.game().legal()
    counts = Counter(env.unwrapped.sample() for _ in range(4000))
    assert len(legal) == 4
    assert sorted(counts) == legal
    assert all(900 < count < 1100 for count in counts.values())


def test_samples_follow_the_seed_and_leave_the_cards_alone():
    one, other, third = (begun("classic", 2, seed=seed) for seed in (4, 4, 5))
    for _ in range(50):
        other.unwrapped.sample()
    assert story(one, steps=40) == story(other, steps=40)
    one.reset(seed=4)
    other.reset(seed=4)
    third.reset(seed=5)
    assert drawn(one) == drawn(other) != drawn(third)
    one.reset()
    other.reset()
    assert drawn(one) == drawn(other)


def test_nothing_is_sampled_where_there_is_no_game():
    env = sorry_v0.raw_env("tiny", 2)
    with pytest.raises(IllegalAction, match=r"There is no game; call reset\(\)"):
        env.sample()


@pytest.mark.parametrize("ones", [0, 1, 3, 200])
def test_an_action_is_picked_from_any_mask(ones):
    mask, rng = np.zeros(300, np.int8), np.array([77], np.uint64)
    mask[np.random.default_rng(1).permutation(300)[:ones]] = 1
    picked = {int(lanes.pick(mask, rng)) for _ in range(5000)}
    assert picked == (set(np.flatnonzero(mask)) if ones else {lanes.NO_ACTION})


# --- PettingZoo's own tests

EXPECTED_WARNINGS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
"""api_test gives them for every dict observation but those of environments that it knows by name."""


@pytest.mark.parametrize("make", [sorry_v0.env, sorry_v0.raw_env])
@pytest.mark.parametrize("named", [{}, {"skip_forced": True, "shaping": 0.5}, {"turn_limit": 9}])
def test_pettingzoos_api_test(make, named):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make("classic", 3, **named), num_cycles=60)
    assert {str(warning.message) for warning in caught} == EXPECTED_WARNINGS


@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoos_api_test_over_whole_games(kind):
    api_test(sorry_v0.env(*kind, pawns=1), num_cycles=150)


def test_pettingzoos_seed_test(kind):
    seed_test(lambda: sorry_v0.env(*kind), num_cycles=60)


def test_pettingzoos_performance_benchmark(monkeypatch, capsys):
    clock = count()
    module = importlib.import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(clock) / 100))
    env = sorry_v0.env("tiny", 2)
    module.performance_benchmark(env)
    assert "Finished performance benchmark" in capsys.readouterr().out
    assert next(clock) > 500


# --- PettingZoo's wrappers

WRAPPERS = {
    "base": BaseWrapper,
    "order": OrderEnforcingWrapper,
    "bounds": AssertOutOfBoundsWrapper,
    "illegal": lambda env: TerminateIllegalWrapper(env, illegal_reward=-1),
    "episodes": lambda env: MultiEpisodeEnv(env, num_episodes=1),
    "usual": lambda env: OrderEnforcingWrapper(
        AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1))
    ),
}


@pytest.mark.parametrize("make", [sorry_v0.env, sorry_v0.raw_env])
@pytest.mark.parametrize("wrapper", WRAPPERS.values(), ids=WRAPPERS)
def test_a_wrapped_environment_plays_the_same_game(make, wrapper):
    def wrapped(*arguments):
        return wrapper(make(*arguments, shaping=0.5))

    told = story(begun("classic", 2, make=wrapped))
    assert told == story(begun("classic", 2, shaping=0.5))
    assert len(told) > 50


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("changes", [{}, {"turn_limit": 30}])
def test_the_usual_wrappers_play_whole_games_as_their_documentation_has_it(seats, changes):
    env = begun("classic", seats, make=lambda *a: WRAPPERS["usual"](sorry_v0.raw_env(*a, **changes)))
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        paid[agent] += reward
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert not env.agents
    assert sorted(paid.values()) == pytest.approx([0] * seats if changes else [-1 / (seats - 1)] * (seats - 1) + [1])


@pytest.mark.parametrize("seats", [2, 4])
def test_an_illegal_move_ends_the_game_in_the_usual_wrappers(seats):
    env = played(begun("classic", seats, make=lambda *a: WRAPPERS["usual"](sorry_v0.raw_env(*a))), 9)
    loser, mask = env.agent_selection, env.last()[0]["action_mask"]
    env.step(int(np.flatnonzero(mask == 0)[-1]))
    assert set(env.terminations.values()) == {True}
    told = {}
    for agent in env.agent_iter():
        _, told[agent], *_ = env.last()
        assert env.unwrapped.sample() is None
        env.step(None)
    assert told == dict.fromkeys(env.possible_agents, 0) | {loser: -1}


def test_a_turn_without_a_step_is_an_error_in_its_own_wrapper():
    env = begun("tiny", 2)
    turns = iter(env.agent_iter())
    next(turns)
    with pytest.raises(AssertionError, match="need to call step"):
        next(turns)
    env.reset(seed=1)
    told = []
    for agent in env.agent_iter(3):
        told.append(agent)
        played(env, 1)
    assert told == [step[0] for step in story(begun("tiny", 2))[:3]]


def test_several_games_follow_each_other_in_one():
    env = MultiEpisodeEnv(sorry_v0.env("tiny", 2), num_episodes=3)
    env.reset(seed=5)
    games = [story(begun("tiny", 2, seed=seed), seed=0) for seed in (5, 6, 7)]
    rng, told = np.random.default_rng(0), []
    for game in games:
        rng, told = np.random.default_rng(0), []
        while len(told) < len(game):
            told.append(seen(env))
            advance(env, rng)
        assert told == game
    assert not env.agents


def test_an_illegal_move_may_end_the_game_instead():
    env = WRAPPERS["usual"](sorry_v0.raw_env("classic", 3))
    env.reset(seed=1)
    played(env, 5)
    agent, mask = env.agent_selection, env.last()[0]["action_mask"]
    env.step(int(np.flatnonzero(mask == 0)[0]))
    assert env.rewards == dict.fromkeys(env.agents, 0) | {agent: -1.0}
    assert [env.step(None) for _ in range(3)] and not env.agents  # noqa: PT018
    env.reset(seed=1)
    assert story(env) == story(begun("classic", 3))


def test_an_action_out_of_bounds_is_caught_before_it_reaches_the_game():
    env = begun("classic", 2, make=lambda *a: AssertOutOfBoundsWrapper(sorry_v0.env(*a)))
    before = inside(env)
    for action in (-1, env.action_space("player_0").n, 1.5):
        with pytest.raises(AssertionError, match="not in action space"):
            env.step(action)
    assert inside(env) == before


@pytest.mark.parametrize("wrapper", [ClipOutOfBoundsWrapper, CaptureStdoutWrapper])
def test_wrappers_for_other_kinds_of_environments_say_so(wrapper):
    modes = list(sorry_v0.raw_env.metadata["render_modes"])
    with pytest.raises(AssertionError, match=r"Box spaces|human rendering"):
        wrapper(sorry_v0.env("tiny", 2, render_mode="ansi"))
    assert sorry_v0.raw_env.metadata["render_modes"] == modes


# --- as a parallel environment


def parallel_story(parallel, seed=0):
    """What happens step by step, each agent's action drawn as its mask allows, the others' 0."""
    rng, told = np.random.default_rng(seed), []
    while parallel.agents:
        (mover,) = [a for a in parallel.agents if parallel.aec_env.observe(a)["action_mask"].any()]
        actions = dict.fromkeys(parallel.agents, 0)
        actions[mover] = pick(parallel.aec_env.observe(mover)["action_mask"], rng)
        told.append((mover, plain(parallel.step(actions)[1])))
    return told


def aec_story(env, seed=0):
    """The same of the environment itself."""
    rng, told = np.random.default_rng(seed), []
    while not env.terminations[env.agent_selection]:
        agent = env.agent_selection
        env.step(pick(env.observe(agent)["action_mask"], rng))
        told.append((agent, dict(env.rewards)))
    return told


def test_a_turn_based_conversion_plays_whole_games(kind):
    parallel = turn_based_aec_to_parallel(sorry_v0.env(*kind, shaping=0.5))
    parallel.reset(seed=3)
    told = parallel_story(parallel)
    assert told == aec_story(begun(*kind, shaping=0.5, seed=3))
    assert any(one[0] == other[0] for one, other in pairwise(told))


def test_a_turn_based_conversion_tells_who_acts_and_how_it_ended():
    parallel = turn_based_aec_to_parallel(sorry_v0.env("classic", 2))
    parallel.reset(options={"position": position("2", red=["safe 5", *THREE_HOME], yellow=[20]), "deck": ["1"]})
    action = int(parallel.aec_env.observe("player_0")["action_mask"].argmax())
    observations, _, _, _, infos = parallel.step({"player_0": action, "player_1": 0})
    assert infos["player_0"]["active_agent"] == "player_0"  # again, after the 2
    action = int(observations["player_0"]["action_mask"].argmax())
    _, rewards, terminations, truncations, infos = parallel.step({"player_0": action, "player_1": 0})
    assert rewards == {"player_0": 1, "player_1": -1}
    assert (set(terminations.values()), set(truncations.values())) == ({True}, {False})
    assert infos["player_1"]["winners"] == ["player_0"]
    assert parallel.agents == []


def test_pettingzoos_parallel_test():
    parallel = turn_based_aec_to_parallel(sorry_v0.env("tiny", 2))
    parallel_api_test(parallel, num_cycles=400)
    check_parallel_state(parallel)


def test_several_games_follow_each_other_in_one_parallel_environment():
    env = MultiEpisodeParallelEnv(turn_based_aec_to_parallel(sorry_v0.env("tiny", 2)), num_episodes=2)
    observations, _ = env.reset(seed=5)
    rng, finished = np.random.default_rng(0), 0
    while env.agents:
        actions = {a: pick(o["action_mask"], rng) if o["action_mask"].any() else 0 for a, o in observations.items()}
        observations, rewards, _, truncations, _ = env.step(actions)
        finished += any(rewards.values())
    assert finished == 2
    assert truncations == {"player_0": True, "player_1": True}


def test_the_conversion_for_simultaneous_moves_is_refused():
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(sorry_v0.env())


# --- copies


def pickled(env):
    return pickle.loads(pickle.dumps(env))


def restored(env):
    """Another environment that was told what one knows."""
    other = copy.deepcopy(env)
    story(other, seed=99, steps=7)
    other.unwrapped.restore(pickle.loads(pickle.dumps(env.unwrapped.save())))
    return other


COPIES = {"deepcopy": copy.deepcopy, "pickle": pickled, "save": restored}
SETTINGS = {
    "plain": {},
    "settings": {"skip_forced": True, "shaping": 0.5, "rewards": "points", "turn_limit": 60},
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_a_copy_goes_on_with_the_same_game_card_for_card(kind, copied, settings):
    env = played(begun(*kind, options={"deck": ["1", "2", "5", "4", "12"]}, **settings), 3)
    other = copied(env)
    assert story(env) == story(other)
    env.reset()
    other.reset()
    assert story(env, steps=50) == story(other, steps=50)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("wrapper", WRAPPERS.values(), ids=WRAPPERS)
def test_a_copy_of_a_wrapped_environment_goes_on_with_the_same_game(copied, wrapper):
    env = wrapper(sorry_v0.raw_env("classic", 2))
    env.reset(seed=2)
    other = copied(played(env, 20))
    assert story(env) == story(other)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_what_happens_to_a_copy_does_not_happen_to_the_other(copied):
    env = played(begun("classic", 2, shaping=0.5), 20)
    before, other = inside(env), copied(env)
    spoil(other)
    story(other, seed=1)
    other.reset()
    assert inside(env) == before
    there = inside(other)
    story(env)
    assert inside(other) == there


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_draws_the_same_lots_for_players_and_samples(copied):
    env = played(begun("classic", 2), 30)
    other, player = copied(env), make_player("uniform", env.unwrapped.variant)
    lots = [[one.unwrapped.ask(player) for _ in range(60)] for one in (env, other)]
    assert lots[0] == lots[1]
    assert drawn(env) == drawn(other)


def test_a_restored_game_draws_the_lots_once_more():
    env = played(begun("classic", 2), 30)
    saved, player = env.save(), make_player("uniform", env.unwrapped.variant)
    lots = []
    for _ in range(2):
        env.restore(saved)
        lots.append([env.unwrapped.ask(player) for _ in range(60)])
    assert lots[0] == lots[1]
    assert len(set(lots[0])) > 1


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_an_environment_can_be_copied_before_its_first_game(copied):
    assert story(begun("tiny", 2, make=lambda *a: copied(sorry_v0.env(*a)))) == story(begun("tiny", 2))


def test_a_copy_is_of_the_same_variant():
    env = begun("classic", 2)
    assert pickled(env).unwrapped.variant is copy.deepcopy(env).unwrapped.variant is env.unwrapped.variant


def test_a_saved_game_can_be_restored_as_often_as_one_likes():
    env = played(begun("classic", 3, shaping=0.5), 30)
    saved = env.unwrapped.save()
    stories = []
    for _ in range(3):
        env.unwrapped.restore(saved)
        stories.append(story(env))
    assert stories[0] == stories[1] == stories[2]


def test_a_saved_game_needs_no_reset_where_it_is_restored():
    env = played(begun("classic", 2), 30)
    other = sorry_v0.env("classic", 2)
    other.restore(env.save())
    assert story(other) == story(env)


def test_a_game_is_restored_after_its_end():
    env = played(begun("tiny", 2), 5)
    saved = env.save()
    told = story(env)
    env.restore(saved)
    assert story(env) == told


@pytest.mark.parametrize(
    ("named", "fault"),
    [
        ({"pawns": 2}, "pawns=2"),
        ({"seats": ["blue", "green"]}, "blue"),
        ({"rewards": "points"}, "rewards='win', but here it is rewards='points'"),
        ({"shaping": 1.0}, "shaping"),
        ({"skip_forced": True}, "skip_forced"),
    ],
)
def test_a_game_of_an_environment_that_differs_is_not_restored(named, fault):
    saved = begun("classic", seats=2).unwrapped.save()
    env = played(begun("classic", **({"seats": 2} | named)), 4)
    before = inside(env)
    with pytest.raises(RulesetError, match=fault):
        env.unwrapped.restore(saved)
    assert inside(env) == before


# --- mistakes: an error that names fault and remedy, and a game that goes on as if nothing had been


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        (("clasic",), {}, "unknown ruleset 'clasic'; did you mean 'classic'?"),
        (("chess",), {}, "unknown ruleset 'chess'; known are: 'classic', "),
        ((), {"decks": 44}, "classic has no field 'decks'; did you mean 'deck'?"),
        ((), {"name": "mine"}, "classic has no field 'name'; known are: 'turn_limit'"),
        ((), {"deck": 45.0}, "deck=45.0: expected int, got float"),
        ((), {"pawns": 5}, "pawns=5: a seat has 1 to 4 pawns"),
        (("diamond",), {"bypass_entry": True}, "bypass_entry=True contradicts diamond=True"),
        (("classic", 1), {}, "seats=1: a game has 2, 3 or 4 seats"),
        (("classic", 5), {}, "seats=5: a game has 2, 3 or 4 seats"),
        (("classic", "red"), {}, "seats='red': expected a count or a clockwise list of colours"),
        (("classic", ["red", "red"]), {}, "a colour is given twice"),
        (("classic", ["red", "pink"]), {}, "unknown colour 'pink'; "),
        (("classic", ["red", "green", "blue"]), {}, "the order is ['red', 'blue', 'green']"),
        ((), {"rewards": "wins"}, "unknown rewards 'wins'; did you mean 'win'?"),
        ((), {"render_mode": "human"}, "unknown render_mode 'human'; known are: 'ansi'"),
    ],
)
@pytest.mark.parametrize("make", [sorry_v0.env, sorry_v0.raw_env])
def test_an_environment_that_cannot_be_is_refused(make, arguments, named, message):
    with pytest.raises(RulesetError, match=re.escape(message)):
        make(*arguments, **named)


def refused(env, error, message, call):
    """The call raises what it should and changes nothing, and the game goes on as its twin's does."""
    twin, before = copy.deepcopy(env), inside(env)
    with pytest.raises(error, match=re.escape(message)):
        call(env)
    assert inside(env) == before
    assert story(env) == story(twin)


MISTYPED = [None, 1.0, "7", "pass", True, np.True_, [1], np.array(3), np.array([3])]


@pytest.mark.parametrize("make", [sorry_v0.env, sorry_v0.raw_env])
@pytest.mark.parametrize("action", MISTYPED, ids=repr)
def test_an_action_is_a_number(make, action):
    env = played(begun("classic", 2, make=make), 9)
    message = f"An action is a number that the action mask allows, not {type(action).__name__}; game().parse"
    refused(env, IllegalAction, message, lambda env: env.step(action))


def test_the_text_of_a_legal_action_is_no_action():
    env = played(begun("classic", 2), 9)
    text = env.unwrapped.game().text(env.unwrapped.game().legal()[0])
    refused(env, IllegalAction, "not str", lambda env: env.step(text))


@pytest.mark.parametrize("dtype", [int, np.int8, np.int32, np.int64, np.uint16])
def test_a_number_may_be_of_any_integer_type(dtype):
    env, twin = begun("tiny", 2), begun("tiny", 2)
    action = int(env.last()[0]["action_mask"].argmax())
    twin.step(action)
    compiled = list(getattr(lanes.to_choice, "signatures", []))
    env.step(dtype(action))
    assert inside(env) == inside(twin)
    assert list(getattr(lanes.to_choice, "signatures", [])) == compiled  # not anew for each type


@pytest.mark.parametrize("action", [-1, 10**6, -(10**30), np.int64(-5), np.uint64(2**63)])
def test_an_action_out_of_range_is_named_with_the_range(action):
    env = played(begun("classic", 2), 9)
    last = env.unwrapped.variant.num_actions - 1
    message = f"There is no action {action}: they are numbered 0 to {last}"
    refused(env, IllegalAction, message, lambda env: env.step(action))


def test_the_reason_for_refusing_a_masked_out_action_is_that_of_the_rules(kind):
    env = begun(*kind, seed=3)
    for _ in range(4):
        played(env, 5)
        game = env.unwrapped.game()
        for action in set(range(env.action_space("player_0").n)) - set(game.legal()):
            before = env.unwrapped.states.tobytes(), env.unwrapped._chance.tolist()
            with pytest.raises(IllegalAction) as caught:
                env.step(action)
            assert str(caught.value) == game.why_illegal(action) != ""
            assert (env.unwrapped.states.tobytes(), env.unwrapped._chance.tolist()) == before


@pytest.mark.parametrize("skip_forced", [False, True])
def test_a_masked_out_action_changes_nothing(skip_forced):
    env = played(begun("classic", 4, skip_forced=skip_forced, shaping=0.5), 15)
    forbidden = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[-1])
    reason = env.unwrapped.game().why_illegal(forbidden)
    refused(env, IllegalAction, reason, lambda env: env.step(forbidden))


@pytest.mark.parametrize("use", ["step", "observe", "state", "render", "last", "agents", "agent_iter"])
def test_before_the_first_reset_there_is_nothing_to_use(use):
    env = sorry_v0.env("tiny", 2)
    with pytest.raises((AssertionError, AttributeError), match=r"reset|agent_selection"):
        getattr(env, use)(*{"step": [0], "observe": ["player_0"]}.get(use, []))
    env.reset(seed=1)
    assert story(env) == story(begun("tiny", 2))


def test_without_the_wrapper_a_step_before_reset_says_so_too():
    env = sorry_v0.raw_env("tiny", 2)
    with pytest.raises(IllegalAction, match=r"There is no game; call reset\(\)"):
        env.step(0)
    env.reset(seed=1)
    assert story(env) == story(begun("tiny", 2))


@pytest.mark.parametrize("make", [sorry_v0.env, sorry_v0.raw_env])
@pytest.mark.parametrize("action", [0, None])
def test_a_step_after_the_end_asks_for_a_reset(make, action):
    env = begun("tiny", 2, make=make)
    story(env)
    with pytest.raises(IllegalAction, match=r"reset\(\)"):
        env.step(action)
    env.reset(seed=1)
    assert story(env) == story(begun("tiny", 2))


@pytest.mark.parametrize("changes", [{}, {"turn_limit": 12}])
@pytest.mark.parametrize("make", [sorry_v0.env, sorry_v0.raw_env])
def test_an_agent_whose_game_is_over_can_only_take_note(make, changes):
    env = final("classic", 2, make=make, **changes)
    for action in (0, 3, -1, "pass"):
        refused(
            copy.deepcopy(env),
            IllegalAction,
            "the only action left to player_0 is None",
            lambda env, action=action: env.step(action),
        )


CLASSIC = position("5", red=[10], yellow=[20])
BAD_OPTIONS = {
    "an unknown key in the position": (
        {"position": CLASSIC | {"cards": "5"}},
        InvalidPosition,
        "unknown key 'cards'",
    ),
    "two pawns on a square": (
        {"position": position("5", red=[20], yellow=[20])},
        InvalidPosition,
        "two pawns on 20",
    ),
    "several faults": (
        {"position": CLASSIC | {"card": "6", "to_move": "blue", "turns": 0}},
        InvalidPosition,
        "'sorry'; turns is 0: expected a number from 1 to 1000000000; to_move is 'blue': expected one of",
    ),
    "no position at all": (
        {"position": 5},
        InvalidPosition,
        "a position is a dict or a line of text, not int",
    ),
    "an empty position": ({"position": {}}, InvalidPosition, '"seats" is missing'),
    "a line that cannot be read": (
        {"position": "classic; red 1 2 3; yellow; to red"},
        InvalidPosition,
        "red has 3 pawns",
    ),
    "a finished position": (
        {
            "position": CLASSIC
            | {"pawns": {"red": ["home"] * 4, "yellow": ["start"] * 4}, "card": None}
            | {"to_move": None, "winner": ["red"]}
        },
        InvalidPosition,
        "the game in this position is over",
    ),
    "another ruleset": (
        {"position": position("5", ruleset="diamond", red=[10], yellow=[20])},
        InvalidPosition,
        "one of variant(diamond, seats=['red', 'yellow']), but this environment plays variant(classic",
    ),
    "other changes": ({"position": position("5", red=[1], yellow=[2], pawns=2)}, InvalidPosition, "pawns=2"),
    "other seats": ({"position": position("5", red=[10], blue=[20])}, InvalidPosition, "'red', 'blue'"),
    "seats in another order": (
        {"position": position("5", seats=["yellow", "red"], red=[10], yellow=[20])},
        InvalidPosition,
        "'yellow', 'red'",
    ),
    "a misspelt option": (
        {"postion": CLASSIC},
        RulesetError,
        "unknown option 'postion'; did you mean 'position'?",
    ),
    "a plural option": ({"decks": ["1"]}, RulesetError, "unknown option 'decks'; did you mean 'deck'?"),
    "position and first": (
        {"position": CLASSIC, "first": "red"},
        RulesetError,
        "the position says who is to move",
    ),
    "a colour without a seat": (
        {"first": "blue"},
        RulesetError,
        "nobody plays 'blue'; the seats are ['red', 'yellow']",
    ),
    "a seat for a colour": ({"first": 0}, RulesetError, "nobody plays 0; the seats are"),
    "an unknown card": ({"deck": ["1", "6"]}, IllegalAction, "card 1 of the deck is '6'; known are"),
    "a misspelt card": (
        {"deck": ["sory"]},
        IllegalAction,
        "card 0 of the deck is 'sory'; did you mean 'sorry'?",
    ),
    "a card as a number": ({"deck": [7]}, IllegalAction, "card 0 of the deck is 7; did you mean '7'?"),
    "too many of a card": (
        {"deck": ["2"] * 5},
        IllegalAction,
        "card 4 of the deck, '2', cannot come: none is left",
    ),
    "a card that the position has used up": (
        {
            "position": position("5", red=[10], yellow=[20], pile=EMPTY_PILE | {"1": 1}),
            "deck": ["5"],
        },
        IllegalAction,
        "card 0 of the deck, '5', cannot come",
    ),
    "a word for a deck": ({"deck": "sorry"}, IllegalAction, "deck is 'sorry': expected a list of cards"),
    "a number for a deck": ({"deck": 0}, IllegalAction, "deck is 0: expected a list of cards"),
    "an iterator for a deck": ({"deck": iter(["1"])}, IllegalAction, "expected a list of cards"),
}


@pytest.mark.parametrize(("options", "error", "message"), BAD_OPTIONS.values(), ids=BAD_OPTIONS)
def test_a_reset_that_cannot_be_leaves_the_running_game_alone(options, error, message):
    env = played(begun("classic", 2), 12)
    for seed in (None, 7):
        refused(copy.deepcopy(env), error, message, lambda env, seed=seed: env.reset(seed=seed, options=options))


@pytest.mark.parametrize("make", [sorry_v0.env, sorry_v0.raw_env])
def test_a_first_reset_that_cannot_be_may_be_followed_by_a_better_one(make):
    env = make("classic", 2)
    with pytest.raises(RulesetError):
        env.reset(seed=1, options={"first": "blue"})
    with pytest.raises(IllegalAction, match=r"reset\(\)"):
        env.step(0)
    env.reset(seed=1)
    assert story(env) == story(begun("classic", 2))


@pytest.mark.parametrize(("seed", "message"), [(-1, "non-negative integer"), (1.5, "1.5"), ("one", "one")])
def test_a_seed_that_cannot_be_leaves_the_running_game_alone(seed, message):
    env = played(begun("classic", 2), 12)
    refused(env, (TypeError, ValueError), message, lambda env: env.reset(seed=seed))


@pytest.mark.parametrize("other", [("classic", 4), ("diamond", 2), ("classic", ["blue", "green"])])
def test_a_player_of_another_game_is_not_asked(other):
    player = make_player("uniform", variant(*other))
    message = f"'uniform' was made for {player.game}, but this environment plays variant(classic, seats=['red', "
    refused(begun("classic", 2), PlayerError, message, lambda env: env.unwrapped.ask(player))


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_nobody_is_asked_when_no_game_is_running(steps):
    env = begun("classic", 2, options={"position": NEARLY_WON})
    played(env, 1 + steps)
    with pytest.raises(IllegalAction, match=r"No game is running"):
        env.unwrapped.ask(make_player("greedy", env.unwrapped.variant))


def test_a_position_is_known_for_one_of_this_game_by_what_it_says():
    env, options = sorry_v0.env("classic", 2), {"position": CLASSIC}
    _variant.cache_clear()  # as when hundreds of others have been used since
    env.reset(seed=1, options=options)
    player = make_player("greedy", variant("classic", 2))
    assert player.game is not env.unwrapped.variant
    assert env.unwrapped.ask(player) in np.flatnonzero(env.last()[0]["action_mask"])
