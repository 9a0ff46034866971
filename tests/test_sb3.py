"""The VecEnv for stable-baselines3 keeps to that library's books, and plays the games of single environments."""

import warnings

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecCheckNan, VecMonitor, VecNormalize

from sorry_env import CheckpointError, PlayerError, RulesetError
from sorry_env.adapters.sb3 import SorryVecEnv
from sorry_env.players.simple import Greedy
from sorry_env.single import SorryEnv


def made(count=4, ruleset="tiny", **settings):
    return SorryVecEnv(ruleset, count, **({"seed": 3} | settings))


def legal(env, rng):
    """A random legal action of each game."""
    masks = get_action_masks(env)
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def played(env, steps, seed=0):
    """Observations, rewards, ends and infos of so many steps, and the first observation."""
    rng, first = np.random.default_rng(seed), env.reset()
    return first, [env.step(legal(env, rng)) for _ in range(steps)]


# --- what is stepped


def test_shapes_and_types_are_those_of_the_spaces():
    env = made(5)
    first, steps = played(env, 30)
    for observations, rewards, ends, infos in steps:
        assert observations.shape == first.shape == (5, *env.observation_space.shape)
        assert all(observation in env.observation_space for observation in observations)
        assert (rewards.shape, rewards.dtype) == ((5,), np.float32)
        assert (ends.shape, ends.dtype) == ((5,), np.bool_)
        assert len({id(info) for info in infos}) == 5
    assert env.action_space.n == env.variant.num_actions == env.action_masks().shape[1]


@pytest.mark.parametrize(
    "settings",
    [
        {"ruleset": "tiny", "opponents": "greedy"},
        {"ruleset": "classic", "skip_forced": True, "turn_limit": 60},
        {"ruleset": "classic", "seats": 3, "opponents": ["uniform", "greedy"], "seat": 1, "turn_limit": 60},
        {"ruleset": "tiny", "rewards": "score", "shaping": 0.5},
    ],
)
def test_the_games_are_those_of_single_environments(settings):
    settings = {"skip_forced": False} | settings
    ours, theirs = SorryVecEnv(num_envs=4, **settings), DummyVecEnv([lambda: SorryEnv(**settings)] * 4)
    ours.seed(8)
    theirs.seed(8)
    (first, one), (expected, other) = played(ours, 80), played(theirs, 80)
    assert first.tolist() == expected.tolist()
    for mine, wanted in zip(one, other, strict=True):
        assert all(np.array_equal(mine[k], wanted[k]) for k in range(3))
        for lane in np.flatnonzero(mine[2]):
            info, same = mine[3][lane], wanted[3][lane]
            assert info["terminal_observation"].tolist() == same["terminal_observation"].tolist()
            assert info["TimeLimit.truncated"] == same["TimeLimit.truncated"]
            assert info["returns"].tolist() == same["returns"].tolist()
    assert sum(step[2].sum() for step in one) >= 4


def test_a_loss_is_rewarded_with_minus_one_and_a_win_with_one():
    _, steps = played(made(8), 60)
    rewards = np.concatenate([rewards[ends] for _, rewards, ends, _ in steps])
    assert set(rewards) == {1.0, -1.0}
    assert not any(rewards[~ends].any() for _, rewards, ends, _ in steps)


def test_an_info_is_empty_until_the_game_ends_and_then_tells_of_it():
    env = made(6)
    _, steps = played(env, 80)
    lengths = np.zeros(6, int)
    for now, rewards, ends, infos in steps:
        lengths += 1
        assert [bool(info) for info in infos] == ends.tolist()
        for lane in np.flatnonzero(ends):
            info, seat = infos[lane], infos[lane]["seat"]
            assert info["returns"][seat] == rewards[lane] == info["episode"]["r"]
            assert info["episode"]["l"] == lengths[lane]
            assert info["episode"]["t"] >= 0
            assert (info["TimeLimit.truncated"], info["illegal"]) == (False, False)
            assert info["terminal_observation"].tolist() != now[lane].tolist()
            lengths[lane] = 0


def test_the_info_of_a_game_that_has_ended_says_who_sat_where():
    env = made(6, "classic", seats=3, opponents=["uniform", "greedy"], turn_limit=60)
    _, steps = played(env, 60)
    infos = [infos[lane] for _, _, ends, infos in steps for lane in np.flatnonzero(ends)]
    names = [*(player.spec for player in env.contest.seating.players), "learner"]
    seated = [[names[k] for k in np.roll(info["seating"], -info["seat"])] for info in infos]
    assert seated == [["learner", "uniform", "greedy"]] * len(infos)
    assert len({info["seat"] for info in infos}) == 3


def test_a_truncated_game_says_so():
    _, steps = played(made(6, turn_limit=3), 40)
    infos = [infos[lane] for _, _, ends, infos in steps for lane in np.flatnonzero(ends)]
    truncated = [info for info in infos if info["TimeLimit.truncated"]]
    assert len(truncated) > 5
    assert {info["episode"]["r"] for info in truncated} == {0.0}


def test_the_learner_sits_in_random_seats_or_in_one():
    def seats(**settings):
        return {info["seat"] for _, _, _, infos in played(made(8, **settings), 60)[1] for info in infos if info}

    assert seats() == {0, 1}
    assert seats(seat=1) == {1}


def test_an_illegal_action_loses_and_does_not_raise():
    env = made(3)
    env.reset()
    actions = np.where(env.action_masks()[:, 0], 1, 0)
    actions[1:] = env.action_masks().argmax(axis=1)[1:]
    assert not env.action_masks()[0, actions[0]]
    _, rewards, ends, infos = env.step(actions)
    assert (rewards[0], ends[0], infos[0]["illegal"]) == (-1.0, True, True)


def test_what_was_handed_out_does_not_change():
    env = made(4)
    first = env.reset()
    masks, before = env.action_masks(), first.tobytes()
    kept = masks.tobytes()
    played_on = [env.step(legal(env, np.random.default_rng(1))) for _ in range(10)]
    assert first.tobytes() == before
    assert masks.tobytes() == kept
    assert len({step[0].tobytes() for step in played_on}) > 5


# --- seeds


def flat(run):
    first, steps = run
    return first.tobytes() + b"".join(step[0].tobytes() + step[1].tobytes() for step in steps)


def test_the_same_seed_gives_the_same_games_and_another_others():
    runs = [flat(played(made(seed=seed), 40)) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_seed_says_what_the_next_reset_uses_once():
    env = made(seed=None)
    assert env.seed(7) == [7, 8, 9, 10]
    first = flat(played(env, 20))
    assert flat(played(env, 20)) != first
    env.seed(7)
    assert flat(played(env, 20)) == first == flat(played(made(seed=7), 20))
    assert flat(played(made(seed=None), 20)) != flat(played(made(seed=None), 20))


def test_more_games_change_nothing_for_the_first_ones():
    few, many = made(2, seed=5).reset(), made(9, seed=5).reset()
    assert many[:2].tolist() == few.tolist()


# --- masks and attributes


def test_masks_come_in_one_array():
    env = made(6)
    env.reset()
    masks = env.env_method("action_masks")
    assert (masks.shape, masks.dtype) == ((6, env.action_space.n), np.bool_)
    assert masks.tolist() == env.variant.legal_mask(env.contest.states).astype(bool).tolist()
    assert env.env_method("action_masks", indices=[4, 1]).tolist() == masks[[4, 1]].tolist()
    assert env.env_method("action_masks", indices=2).tolist() == masks[[2]].tolist()
    assert is_masking_supported(env)
    assert get_action_masks(env).tolist() == masks.tolist()


def test_there_are_no_other_methods_of_single_games():
    with pytest.raises(AttributeError, match="a game here has no method 'jump'; it has 'action_masks' alone"):
        made().env_method("jump")


def test_attributes_belong_to_all_games():
    env = made(3)
    assert env.get_attr("variant") == [env.variant] * 3
    assert env.get_attr("render_mode", indices=[0, 2]) == [None, None]
    assert (env.has_attr("action_masks"), env.has_attr("wings")) == (True, False)
    with pytest.raises(AttributeError, match="wings"):
        env.get_attr("wings")
    env.set_attr("note", 5)
    assert env.get_attr("note", indices=1) == [5]
    with pytest.raises(ValueError, match="'note' cannot be set for some games alone: they share it"):
        env.set_attr("note", 6, indices=[0])
    assert env.env_is_wrapped(Monitor) == [True] * 3
    assert env.env_is_wrapped(VecNormalize, indices=0) == [False]
    env.close()


def test_opponents_may_change_while_games_run():
    env = made(6, opponents="uniform")
    env.reset()
    env.set_opponents("greedy")
    assert {player.spec for player in env.contest.seating.players} == {"uniform", "greedy"}
    played_on = [env.step(legal(env, np.random.default_rng(2))) for _ in range(60)]
    assert all(any(step[2][lane] for step in played_on) for lane in range(6))
    env.set_opponents(Greedy(env.variant))
    assert {player.spec for player in env.contest.seating.players} == {"greedy"}


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"ruleset": "clasic"}, RulesetError, "unknown ruleset 'clasic'; did you mean 'classic'?"),
        ({"pwans": 2}, RulesetError, "pwans"),
        ({"count": 0}, RulesetError, "0"),
        ({"seat": 2}, RulesetError, "seat is 2: expected 0 to 1, 'random' or 'all'"),
        ({"rewards": "wins"}, RulesetError, "unknown rewards 'wins'; did you mean 'win'?"),
        ({"opponents": "unifrom"}, PlayerError, "unknown player 'unifrom'; did you mean 'uniform'?"),
        ({"opponents": "none.safetensors"}, CheckpointError, "there is no checkpoint 'none.safetensors'"),
    ],
)
def test_what_cannot_be_is_refused_by_name(settings, error, message):
    with pytest.raises(error) as caught:
        made(**settings)
    assert message in str(caught.value)


# --- the library around it


def test_its_wrappers_see_the_same_episodes():
    ours = made(4)
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):  # its books are kept already
        wrapped = VecMonitor(VecCheckNan(made(4)))
    (_, one), (_, other) = played(ours, 60), played(wrapped, 60)
    for mine, theirs in zip(one, other, strict=True):
        for info, same in zip(mine[3], theirs[3], strict=True):
            assert bool(info) == bool(same)
            if info:
                assert [info["episode"][key] for key in "rl"] == [same["episode"][key] for key in "rl"]
    observations, _, _, _ = played(VecNormalize(made(4)), 5)[1][-1]
    assert observations.shape == (4, ours.variant.num_features)


def test_maskable_ppo_learns_and_is_evaluated_on_it():
    env = made(8, opponents="greedy")
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=2, seed=1, device="cpu")
    before = [part.detach().clone() for part in model.policy.parameters()]
    model.learn(256)
    assert any((part != old).any() for part, old in zip(model.policy.parameters(), before, strict=True))
    assert set(np.unique([episode["r"] for episode in model.ep_info_buffer])) == {-1.0, 1.0}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rewards, lengths = evaluate_policy(model, made(8), n_eval_episodes=16, return_episode_rewards=True)
    assert set(rewards) <= {-1.0, 1.0}
    assert min(lengths) >= 1
