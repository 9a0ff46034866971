"""The vector environment is as many single ones, in every auto-reset mode."""

import itertools
import re

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from sorry_env import IllegalAction, PlayerError, RulesetError, _jit, variant
from sorry_env.checkpoint import checkpoint_of, save_checkpoint
from sorry_env.seating import Pool
from sorry_env.single import SorryEnv
from sorry_env.vector import SorryVectorEnv

N = 4
STEPS = 50 if _jit.COMPILED else 25
SHORT = {"turn_limit": 24}
SETTINGS = {
    "classic": {"ruleset": "classic", "opponents": ["greedy"], **SHORT},
    "hands": {
        "ruleset": "points_1939",
        "opponents": ["heuristic", Pool(["uniform", "greedy"])],
        "rewards": "points",
        "shaping": 0.5,
        **SHORT,
    },
    "teams": {"ruleset": "teams_modern", "opponents": "greedy", "seat": 1, **SHORT},
    "parcheesi": {"ruleset": "parcheesi", "opponents": ["uniform"] * 2, "skip_forced": True, **SHORT},
    "express": {"ruleset": "express", "opponents": [["heuristic", "uniform"]]},
    "self-play": {"ruleset": "tiny", "seats": 4, "seat": "all", "rewards": "score"},
    "checkpoint": {"ruleset": "tiny", "opponents": ["checkpoint", "greedy"]},
}
MODES = list(AutoresetMode)


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """The settings of a name, with a checkpoint's path where one is asked for."""
    path, game = tmp_path_factory.mktemp("players") / "net.safetensors", variant("tiny", 3)
    rng, widths = np.random.default_rng(0), [game.num_features, 8, 1]
    layers = [
        (rng.normal(0, 0.3, (n, m)).astype(np.float32), np.zeros(n, np.float32)) for m, n in itertools.pairwise(widths)
    ]
    save_checkpoint(path, checkpoint_of("value", game, tuple(layers)))
    known = SETTINGS | {"checkpoint": SETTINGS["checkpoint"] | {"opponents": [str(path), "greedy"]}}
    return known.__getitem__


def chosen(masks, k):
    """A legal action of each row, the k-th counted round; 0 where there is none, now and then an illegal one."""
    legal = [np.flatnonzero(mask) for mask in masks]
    actions = np.array([own[k % len(own)] if len(own) else 0 for own in legal])
    if k % 9 == 5:
        actions[k % len(actions)] = masks[k % len(actions)].argmin()
    return actions


def alike(one, other):
    """Whether two infos, or parts of them, say the same in the same types."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[name], other[name]) for name in one)
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype == object:
        return all((a is None) == (b is None) and (a is None or alike(a, b)) for a, b in zip(one, other, strict=True))
    return np.array_equal(one, other)


def both(settings, mode, **more):
    """The vector environment, and gymnasium's of single ones."""
    singles = SyncVectorEnv([lambda: SorryEnv(**settings) for _ in range(N)], autoreset_mode=mode)
    return SorryVectorEnv(N, **settings, autoreset_mode=mode, **more), singles


def check_reset(envs, singles, **arguments):
    """Reset both, and compare; the infos of the games that begin."""
    mask = (arguments.get("options") or {}).get("reset_mask", np.ones(N, bool))
    (one, infos), (other, also) = (env.reset(**arguments) for env in (envs, singles))
    assert one.tobytes() == other.tobytes()
    for name in ("action_mask", "seat"):
        assert np.array_equal(infos[name][mask], also[name][mask])
        assert infos[f"_{name}"].all()
    return infos["action_mask"]


def check_step(envs, singles, actions):
    """Play a step in both, and compare all that they say."""
    result, also = envs.step(actions), singles.step(actions)
    for one, other in zip(result[:4], also[:4], strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
    assert result[0].tobytes() == also[0].tobytes()
    assert result[1] == pytest.approx(also[1], abs=1e-12)
    assert np.array_equal(result[2:4], also[2:4])
    assert alike(result[4], also[4])
    return result


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SETTINGS)
def test_games_are_those_of_single_environments(settings, name, mode):
    envs, singles = both(settings(name), mode, threads=2)
    masks, ended = check_reset(envs, singles, seed=7), 0
    for k in range(STEPS):
        *_, terminated, truncated, infos = check_step(envs, singles, chosen(masks, k))
        over, masks = terminated | truncated, infos["action_mask"]
        ended += over.sum()
        if mode is AutoresetMode.DISABLED and over.any():
            masks = check_reset(envs, singles, options={"reset_mask": over})
    assert ended > 2


def test_the_last_observation_and_the_first_come_in_one_step():
    envs = SorryVectorEnv(3, "tiny", opponents="greedy")
    _, infos = envs.reset(seed=1)
    ends = 0
    for k in range(80):
        observations, rewards, terminated, _, infos = envs.step(chosen(infos["action_mask"], k))
        assert infos["action_mask"].any(axis=1).all()
        if not terminated.any():
            assert "final_info" not in infos
            continue
        final = infos["final_info"]
        assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == terminated.tolist()
        for i in np.flatnonzero(terminated):
            assert envs.single_observation_space.contains(infos["final_obs"][i])
            assert infos["final_obs"][i].tobytes() != observations[i].tobytes()
            if not final["illegal"][i]:
                assert rewards[i] == final["returns"][i, final["seat"][i]]
                assert not final["action_mask"][i].any()
                ends += 1
    assert ends > 3


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_is_declared_and_may_be_named(mode):
    assert SorryVectorEnv.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    for given in (mode, mode.name, mode.value):
        assert SorryVectorEnv(2, "tiny", autoreset_mode=given).metadata["autoreset_mode"] is mode
    assert SorryVectorEnv.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    with pytest.raises(RulesetError, match="unknown autoreset_mode 'same'; "):
        SorryVectorEnv(2, "tiny", autoreset_mode="same")


def test_seeds_may_be_given_one_by_one():
    envs, other = (SorryVectorEnv(3, "tiny") for _ in range(2))
    first = envs.reset(seed=5)[0]
    assert other.reset(seed=[5, 6, 7])[0].tobytes() == first.tobytes()
    assert other.reset(seed=np.array([7, 5, 6]))[0].tobytes() == first[[2, 0, 1]].tobytes()
    mixed = envs.reset(seed=6, options={"reset_mask": np.array([False, True, False])})[0]
    assert mixed.tobytes() == np.stack([first[0], first[2], first[2]]).tobytes()


@pytest.mark.parametrize("copied", [True, False])
def test_arrays_that_were_given_out_stay_as_they_are_unless_one_asks_for_speed(copied):
    envs = SorryVectorEnv(3, "tiny", copy=copied)
    observations, infos = envs.reset(seed=1)
    kept = [(observations, infos["action_mask"], infos["seat"])]
    copies = [[x.copy() for x in kept[0]]]
    for k in range(40):
        observations, rewards, *flags, infos = envs.step(chosen(infos["action_mask"], k))
        kept.append((observations, infos["action_mask"], infos["seat"], rewards, *flags))
        copies.append([x.copy() for x in kept[-1]])
    same = [np.array_equal(a[0], b[0]) for a, b in zip(kept, copies, strict=True)]
    assert all(
        np.array_equal(x, y) for a, b in zip(kept, copies, strict=True) for x, y in zip(a[2:], b[2:], strict=True)
    )
    assert not copied or all(np.array_equal(a[1], b[1]) for a, b in zip(kept, copies, strict=True))
    assert all(same) == copied
    assert (kept[0][0] is kept[-1][0]) != copied


@pytest.mark.parametrize("mode", MODES)
def test_statistics_of_episodes_are_recorded(mode):
    envs = RecordEpisodeStatistics(SorryVectorEnv(3, "express", autoreset_mode=mode))
    _, infos = envs.reset(seed=1)
    count = 0
    for k in range(60):
        legal = [np.flatnonzero(mask) for mask in infos["action_mask"]]
        actions = np.array([own[k % len(own)] if len(own) else 0 for own in legal])
        _, _, terminated, _, infos = envs.step(actions)
        for i in np.flatnonzero(terminated):
            told = infos["final_info"] if mode is AutoresetMode.SAME_STEP else infos
            assert infos["episode"]["r"][i] == pytest.approx(told["returns"][i, told["seat"][i]])
            count += 1
        if mode is AutoresetMode.DISABLED and terminated.any():
            _, infos = envs.reset(options={"reset_mask": terminated})
    assert count > 3


def test_new_opponents_come_with_new_games():
    envs = gymnasium.make_vec("sorry_env/Tiny-v0", num_envs=3, opponents=["greedy"]).unwrapped
    envs.reset(seed=1)
    envs.set_opponents([["uniform", "heuristic"]])
    assert envs.contest.seating.specs == ["greedy", "uniform", "heuristic"]
    envs.reset()
    assert set(envs.contest.seating.table["seating"].max(axis=1)) <= {1, 2}
    with pytest.raises(PlayerError, match="unknown player 'nobody'"):
        envs.set_opponents("nobody")


def test_boards_are_drawn_as_text():
    envs = SorryVectorEnv(2, "classic", render_mode="ansi")
    envs.reset(seed=1)
    singles = [SorryEnv("classic", render_mode="ansi") for _ in range(2)]
    for i, env in enumerate(singles):
        env.reset(seed=1 + i)
    assert envs.render() == tuple(env.render() for env in singles)
    assert SorryVectorEnv(2, "classic").render() is None


def test_games_that_are_not_running_are_named():
    for mode in MODES:
        envs = SorryVectorEnv(3, "tiny", autoreset_mode=mode)
        with pytest.raises(IllegalAction, match=r"3 games are not running, \[0, 1, 2\].*reset\(\) begins them"):
            envs.step(np.zeros(3, int))
    _, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1] = -1
    envs.step(actions)
    before = envs.contest.states.tobytes()
    with pytest.raises(IllegalAction, match=r"1 games are not running, \[1\].*reset_mask"):
        envs.step(infos["action_mask"].argmax(axis=1))
    assert envs.contest.states.tobytes() == before


@pytest.mark.parametrize("mode", MODES)
def test_actions_of_another_shape_are_refused(mode):
    envs = SorryVectorEnv(3, "tiny", autoreset_mode=mode)
    envs.reset(seed=1)
    for wrong in (np.zeros(2, int), np.zeros((3, 1), int), np.zeros(3), 0):
        with pytest.raises(IllegalAction, match=r"expected \(3,\) integers"):
            envs.step(wrong)
    if mode is AutoresetMode.NEXT_STEP:
        envs.step(np.full(3, -1))
        with pytest.raises(IllegalAction, match=r"expected \(3,\) integers"):
            envs.step(np.zeros(2, int))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": [1, 2]}, "seed is [1, 2]: expected a number from 0 to 2**64 - 1, or 3 of them"),
        ({"seed": [1, None, 2]}, "seed is [1, None, 2]: expected"),
        ({"seed": [1, -1, 2]}, "seed is [1, -1, 2]: expected"),
        ({"seed": 1.5}, "seed is 1.5: expected"),
        ({"options": {"reset_maks": 1}}, "unknown option 'reset_maks'; did you mean 'reset_mask'?"),
        ({"options": {"reset_mask": [True] * 3}}, "reset_mask is [True, True, True]: expected (3,) bool"),
        ({"options": {"reset_mask": np.zeros(3, bool)}}, "True for the games to begin"),
        ({"options": {"reset_mask": np.ones(2, bool)}}, "expected (3,) bool"),
        ({"options": {"first": "blue"}}, "nobody plays 'blue'"),
    ],
)
def test_resets_that_cannot_be_are_refused(arguments, message):
    envs = SorryVectorEnv(3, "tiny")
    envs.reset(seed=1)
    before = envs.contest.states.tobytes()
    with pytest.raises(RulesetError, match=re.escape(message)):
        envs.reset(**arguments)
    assert envs.contest.states.tobytes() == before


def test_a_position_and_a_colour_begin_all_games():
    envs = SorryVectorEnv(3, "classic", seat=1)
    envs.reset(seed=1, options={"first": "yellow"})
    assert envs.contest.states["turns"].tolist() == [1, 1, 1]
    position = SorryEnv("classic")
    position.reset(seed=3)
    line = str(position.game())
    envs.reset(options={"position": line})
    assert (envs.contest.states["turns"] <= 2).all()
