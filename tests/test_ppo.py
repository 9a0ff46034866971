"""PPO: it learns, its policy is exported exactly, and a run that is cut off goes on as if it had not been."""

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from agents.arena import entrants, play_match
from agents.config import ConfigError
from agents.ppo import PPOConfig, PPOTraining
from agents.runs import RunFolder, present_player, read_config, train
from agents.value_net import ValueNetConfig
from run_folders import contents
from sorry_env import PlayerError, sorry_v0, variant
from sorry_env.checkpoint import checkpoint_of, load_checkpoint
from sorry_env.players import make_player
from sorry_env.players.policy import Policy
from sorry_env.random import generators
from strategies import random_states

ROOT = Path(__file__).parents[1]
SMALL = PPOConfig(
    ruleset="tiny",
    hidden=(8,),
    lanes=8,
    steps=16,
    rollouts=6,
    batch=64,
    epochs=2,
    snapshot_every=1,
    league_size=2,
    promotion_deals=20,
    scripted=("uniform", "greedy"),
    evaluate_every=3,
    evaluation_deals=5,
    opponents=("uniform",),
)


def same_tensors(one, other):
    assert one.keys() == other.keys()
    assert [name for name in one if one[name].tobytes() != other[name].tobytes()] == []


def copied(tensors):
    return {name: part.copy() for name, part in tensors.items()}


# --- learning


def test_it_learns_to_beat_uniform_play():
    config = PPOConfig(
        ruleset="tiny", hidden=(32,), lanes=64, steps=32, rollouts=40, batch=512, learning_rate=5e-3,
        scripted=("uniform",), snapshot_every=5,
    )  # fmt: skip
    training = PPOTraining(config)
    rows = list(training.until(config.rollouts))
    player = Policy(training.game, "learnt", present_player(training, 0.0))
    result = play_match(training.game, entrants(training.game, player, make_player("uniform", training.game)), 2000, 1)
    assert result.win_rates[0] - 3 * result.half_widths[0] > 0.5  # six standard errors
    assert rows[-1]["entropy"] < rows[0]["entropy"]


def test_the_curve_of_rewards_is_that_of_games_won_and_lost():
    training = PPOTraining(SMALL)
    rows = list(training.until(3))
    games = [0, *(row["games"] for row in rows)]
    for (before, after), row in zip(pairwise(games), rows, strict=True):
        won = (1 + row["reward"]) / 2 * (after - before)
        assert won == pytest.approx(round(won))
        assert 0 < won < after - before


@pytest.mark.parametrize(
    "changes",
    [{"seats": 3}, {"seats": ("blue", "red")}, {"ruleset": "classic", "changes": {"turn_limit": 40}}, {"hidden": ()}],
)
def test_any_game_can_be_trained(changes):
    training = PPOTraining(dataclasses.replace(SMALL, **changes))
    row = list(training.until(2))[-1]
    assert -1 <= row["reward"] <= 1
    assert (row["turns"], row["rollout"]) == (2 * 8 * 16, 2)
    assert training.layers()[-1][0].shape[0] == training.game.num_actions


# --- opponents


def test_each_game_is_against_copies_and_fixed_players_as_the_league_has_it():
    training = PPOTraining(dataclasses.replace(SMALL, lanes=2048, batch=2048, scripted_share=0.4))
    list(training.until(3))
    training.env.reset()
    contest, pool = training.env.contest, training.league.pool()
    seats = contest.seating.table["seating"]
    seats = seats[seats >= 0]
    share = {contest.seating.players[k].spec: (seats == k).mean() for k in np.unique(seats)}
    expected = {player.spec: weight for player, weight in zip(pool.players, pool.weights, strict=True)}
    assert share == pytest.approx(expected, abs=0.05)
    assert share["uniform"] + share["greedy"] == pytest.approx(0.4, abs=0.05)
    assert contest.seats.mean() == pytest.approx(0.5, abs=0.05)


def test_win_rates_are_those_of_the_games_of_training():
    training = PPOTraining(dataclasses.replace(SMALL, scripted_share=1.0, memory=1.0, scripted=("uniform",)))
    rows = list(training.until(6))
    games = np.diff([0, *(row["games"] for row in rows)])
    won = sum((1 + row["reward"]) / 2 * count for row, count in zip(rows, games, strict=True))
    (uniform,) = training.league.scripted
    assert (uniform.games, uniform.won) == pytest.approx((games.sum(), won))
    assert 20 < won < uniform.games


def same_layers(one, other):
    return all((a == b).all() for layer, like in zip(one, other, strict=True) for a, b in zip(layer, like, strict=True))


def test_copies_stay_as_they_were():
    training = PPOTraining(SMALL)
    (copy,), first = training.league.copies, training.layers()
    list(training.until(1))
    assert training.league.copies[0] is copy
    assert same_layers(copy.player.layers, first)
    assert same_layers(training.league.copies[1].player.layers, training.layers())
    assert not same_layers(training.layers(), first)
    assert [copy.player.temperature for copy in training.league.copies] == [1.0, 1.0]


def test_no_share_for_fixed_players_is_self_play_alone():
    training = PPOTraining(dataclasses.replace(SMALL, scripted=(), scripted_share=0.0))
    list(training.until(2))
    training.env.reset()
    seating = training.env.contest.seating
    seated = {seating.players[k].spec for k in np.unique(seating.table["seating"]) if k >= 0}
    assert seated == {copy.player.spec for copy in training.league.copies}
    assert len(seated) == 2


def test_the_metrics_tell_of_the_league():
    training = PPOTraining(dataclasses.replace(SMALL, snapshot_every=2, league_size=3))
    rows = list(training.until(6))
    assert [row["league"] for row in rows] == [1, 2, 2, 3, 3, 3]
    assert ["tested" in row for row in rows] == [False, True] * 3
    champion = 0
    for row in rows:
        champion = row["rollout"] if row.get("tested", 0) >= 0.52 else champion
        assert row["champion"] == champion
        assert 0 < row["hardest"] < 1


# --- the policy as a player


@pytest.fixture(scope="module")
def learnt():
    """A run of which the odds have moved."""
    training = PPOTraining(dataclasses.replace(SMALL, hidden=(32, 16), learning_rate=2e-2, scripted=("uniform",)))
    list(training.until(6))
    return training


@pytest.fixture
def saved(learnt, tmp_path):
    """Its checkpoint's path."""
    folder = RunFolder(tmp_path / "run")
    folder.save(learnt, present_player(learnt, 1.0))
    return folder.last


def distribution(training, states):
    """(N, A) float: the odds of torch's policy."""
    game, policy = training.game, training.model.policy
    with torch.no_grad():
        found = policy.get_distribution(torch.from_numpy(game.encode(states)), game.legal_mask(states))
    return found.distribution.probs.numpy()


def test_the_player_chooses_as_the_policy_in_torch(learnt, saved):
    game = learnt.game
    states = random_states(game, 3000, seed=5)
    chosen = make_player(saved, game).choose(states, generators(1, 3000))
    expected, _ = learnt.model.policy.predict(
        game.encode(states), deterministic=True, action_masks=game.legal_mask(states)
    )
    assert chosen.tolist() == expected.tolist()
    assert len(set(chosen)) > 10


def test_with_temperature_1_it_draws_with_the_odds_of_torch(learnt, saved):
    game = learnt.game
    states = random_states(game, 400, seed=6)
    odds = distribution(learnt, states)
    i = int(np.argmin(odds.max(axis=1)))
    many = np.repeat(states[i : i + 1], 40_000)
    chosen = make_player(f"{saved}?temperature=1", game).choose(many, generators(2, 40_000))
    found = np.bincount(chosen, minlength=game.num_actions) / 40_000
    assert found == pytest.approx(odds[i], abs=0.0125)  # five standard errors
    assert (found > 0).sum() >= 2


def test_it_plays_in_the_arena_and_in_the_environment(learnt, saved):
    env = sorry_v0.env("tiny", 2)
    player = make_player(saved, env.unwrapped.variant)
    result = play_match(learnt.game, [player, make_player("uniform", learnt.game)], 20, 0)
    assert result.specs == (str(saved), "uniform")
    env.reset(seed=4)
    while env.agents:
        over = env.terminations[env.agent_selection]
        env.step(None if over else env.unwrapped.ask(player))
    assert env.unwrapped.states[0]["over"]


def test_it_carries_its_training_record(learnt, saved):
    found = load_checkpoint(saved)
    assert (found.kind, found.ruleset, found.seats) == ("policy", "tiny", 2)
    assert found.training == {
        "agent": "ppo", "seed": 0, "hidden": [32, 16], "rollouts": 6, "games": learnt.games, "seconds": 1.0,
    }  # fmt: skip


# --- runs that are cut off


def test_a_run_is_the_same_each_time_and_another_with_another_seed():
    runs = [PPOTraining(dataclasses.replace(SMALL, seed=seed)) for seed in (5, 5, 6)]
    rows = [list(run.until(2)) for run in runs]
    assert rows[0] == rows[1] != rows[2]
    same_tensors(runs[0].tensors(), runs[1].tensors())


def test_others_may_draw_random_numbers_meanwhile():
    one, other = PPOTraining(SMALL), PPOTraining(SMALL)
    rows = [row for _ in zip(one.until(3), other.until(3), strict=True) for row in _]
    assert rows[::2] == rows[1::2]
    same_tensors(one.tensors(), other.tensors())


def known(training):
    """The tensors, and who sits where by name: the numbers of players are any."""
    found, seating = training.tensors(), training.env.contest.seating
    names = [*(player.spec for player in seating.players), "learner"]
    seated = [[names[k] for k in row] for row in seating.table["seating"].tolist()]
    return {name: part.tobytes() for name, part in found.items() if name not in ("contest.table", "players")}, seated


@pytest.mark.parametrize("rollouts", [0, 1, 4])
def test_what_is_restored_goes_on_the_same(rollouts):
    training, other = PPOTraining(SMALL), PPOTraining(SMALL)
    list(training.until(rollouts))
    list(other.until(2))
    other.restore(copied(training.tensors()))
    assert known(other) == known(training)
    assert list(training.until(6)) == list(other.until(6))
    assert known(other) == known(training)


def test_a_copy_that_has_left_the_league_plays_its_game_to_the_end():
    config = dataclasses.replace(SMALL, ruleset="classic", steps=8, rollouts=9)
    training, other = PPOTraining(config), PPOTraining(config)
    list(training.until(5))
    departed = [copy.player.spec for copy in training.league.departed]
    seated = {player.spec for player in training.env.contest.seating.players}
    assert departed
    assert set(departed) < seated
    other.restore(copied(training.tensors()))
    assert {player.spec for player in other.env.contest.seating.players} == seated
    assert [copy.player.spec for copy in other.league.departed] == departed
    assert list(training.until(9)) == list(other.until(9))
    same_tensors(training.tensors(), other.tensors())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run from beginning to end."""
    path = tmp_path_factory.mktemp("whole")
    train(SMALL, RunFolder(path))
    return path


@pytest.mark.parametrize("rollout", [2, 3, 5])
def test_a_run_that_is_interrupted_ends_as_one_that_is_not(whole, tmp_path, rollout):
    def interrupt(row):
        if row["rollout"] == rollout:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(SMALL, RunFolder(tmp_path), interrupt)
    train(SMALL, RunFolder(tmp_path))
    assert contents(tmp_path) == contents(whole)


class Killed(BaseException):
    """Nothing may catch it."""


SAVES = 12
"""Files that a run of `SMALL` writes: two as it begins, and five for each of its two saves."""


@pytest.mark.parametrize("number", range(1, SAVES + 1))
def test_a_run_that_is_killed_at_any_file_ends_as_one_that_is_not(whole, tmp_path, monkeypatch, number):
    calls, replace = [], os.replace

    def dying(source, target):
        calls.append(target)
        if len(calls) == number:
            raise Killed
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", dying)
        with pytest.raises(Killed):
            train(SMALL, RunFolder(tmp_path))
    train(SMALL, RunFolder(tmp_path))
    assert contents(tmp_path) == contents(whole)


KILLED_AGAIN_AND_AGAIN = """
import os, signal, sys
from pathlib import Path
from safetensors.numpy import load_file
from agents import league
from agents.runs import RunFolder, read_config, train
from sorry_env.adapters.sb3 import SorryVecEnv

def kill(owner, name, call):
    real = getattr(owner, name)
    def deadly(*arguments, **settings):
        nonlocal call
        call -= 1
        if not call:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **settings)
    setattr(owner, name, deadly)

config, path = read_config(sys.argv[1]), Path(sys.argv[2])
for death in ((SorryVecEnv, "step_wait", 40), (league, "play_match", 4), (os, "replace", 4)):
    child = os.fork()  # nothing runs yet but this thread
    if not child:
        kill(*death)
        train(config, RunFolder(path))
        os._exit(0)
    signalled, state = os.waitpid(child, 0)[1], path / "state.safetensors"
    print(signalled, load_file(state)["counters"][0] if state.exists() else None)
"""


def test_a_run_whose_process_is_killed_again_and_again_ends_as_one_that_is_not(whole, tmp_path):
    """In the midst of a rollout, of a test match, and as its files are written."""
    command = [sys.executable, "-c", KILLED_AGAIN_AND_AGAIN, str(whole / "config.yaml"), str(tmp_path / "run")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [f"{signal.SIGKILL:d} {saved}" for saved in (None, 3, 3)], done.stderr
    train(SMALL, RunFolder(tmp_path / "run"))
    assert contents(tmp_path / "run") == contents(whole)


def test_the_champion_is_kept_beside_the_latest_player(whole):
    rows = [json.loads(line) for line in (whole / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    last, best = load_checkpoint(whole / "last.safetensors"), load_checkpoint(whole / "best.safetensors")
    assert (last.training["rollouts"], best.training["rollouts"]) == (6, rows[-1]["champion"])
    row = rows[int(best.training["rollouts"]) - 1]
    assert best.training["games"] == (row["games"] if best.training["rollouts"] else 0)
    state = load_file(whole / "state.safetensors")
    name = f"league.{best.training['rollouts']}"
    assert same_layers(best.layers, [(state[f"{name}.weight.{k}"], state[f"{name}.bias.{k}"]) for k in (0, 1)])
    assert make_player(whole / "best.safetensors", variant("tiny", 2))


def test_the_folder_holds_the_configuration_and_the_curve(whole):
    assert read_config(whole / "config.yaml") == SMALL
    rows = [json.loads(line) for line in (whole / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["rollout"] for row in rows if "against uniform" in row] == [3, 6]
    assert {"games", "turns", "reward", "loss", "entropy", "kl", "explained", "seconds"} <= rows[0].keys()


def test_a_folder_of_another_agent_is_refused_and_left_alone(whole, tmp_path):
    path = shutil.copytree(whole, tmp_path / "run")
    before = {p: p.read_bytes() for p in path.rglob("*") if p.is_file()}
    with pytest.raises(ConfigError, match=r"holds a run of another configuration \(agent was 'ppo', is 'value_net'\)"):
        train(ValueNetConfig(ruleset="tiny", lanes=8, steps=20, batch=8), RunFolder(path))
    with pytest.raises(ConfigError, match=r"another configuration \(clip was 0.2, is 0.3\)"):
        train(dataclasses.replace(SMALL, clip=0.3), RunFolder(path))
    assert {p: p.read_bytes() for p in path.rglob("*") if p.is_file()} == before


def test_an_opponent_that_cannot_be_is_refused_before_anything_is_written(tmp_path):
    for changes in ({"scripted": ("nobody",)}, {"opponents": ("nobody",)}):
        with pytest.raises(PlayerError, match="unknown player 'nobody'"):
            train(dataclasses.replace(SMALL, **changes), RunFolder(Path(tmp_path / "run")))
    assert not (tmp_path / "run").exists()


# --- temperatures


@pytest.mark.parametrize("value", ["-1", "warm", "nan", "inf", ""])
def test_a_temperature_is_a_number_from_0_on(saved, value):
    with pytest.raises(PlayerError, match=r"temperature is .*; expected a number: 0 for the best action, or more"):
        make_player(f"{saved}?temperature={value}", variant("tiny", 2))


def test_low_temperatures_draw_the_best_and_high_ones_anything(learnt):
    game = learnt.game
    found = checkpoint_of("policy", game, learnt.layers())
    states = random_states(game, 2000, seed=9)
    best, cold, hot = (
        Policy(game, "policy", found, temperature=t).choose(states, generators(3, 2000)) for t in (0, 1e-4, 1e6)
    )
    counts = game.legal_counts(states)
    assert (cold == best).mean() > 0.99
    assert (hot == best).mean() == pytest.approx((1 / counts).mean(), abs=0.05)


def test_the_best_action_needs_no_lots(learnt):
    rng = generators(1, 50)
    Policy(learnt.game, "policy", checkpoint_of("policy", learnt.game, learnt.layers())).choose(
        random_states(learnt.game, 50), rng
    )
    assert rng.tolist() == generators(1, 50).tolist()
