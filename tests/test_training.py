"""Training: it learns what is known beforehand, and a run that is cut off goes on as if it had not been."""

import dataclasses
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml
from hypothesis import given
from hypothesis import strategies as st

from agents.arena import play_match
from agents.config import ConfigError, config_from, read_yaml
from agents.runs import PACKAGES, RunFolder, curves, present_player, train
from agents.sparse import examples_of, first_layer
from agents.value_net import Training, ValueNetConfig, trace_targets
from run_folders import contents
from sorry_env import CheckpointError, PlayerError, RulesetError, variant
from sorry_env.checkpoint import load_checkpoint
from sorry_env.players import make_player
from sorry_env.players.base import ended
from sorry_env.players.network import Network
from sorry_env.random import generators
from sorry_env.sorry.board import HOME
from strategies import random_states

ROOT = Path(__file__).parents[1]
SMALL = ValueNetConfig(
    ruleset="tiny",
    hidden=(8,),
    lanes=32,
    steps=12,
    rollouts=4,
    batch=64,
    evaluate_every=2,
    evaluation_deals=5,
    opponents=("uniform",),
)


# --- targets


def slow_targets(values, luck, over, trace):
    """The forward view, lane by lane: the mean of all n-step returns less the luck until then, weighted by lambda."""
    steps, lanes, seats = values.shape
    targets = np.empty((steps - 1, lanes, seats))
    for lane in range(lanes):
        for t in range(steps - 1):
            ends = [k for k in range(t + 1, steps) if over[k, lane]]
            last = (ends[0] if ends else steps - 1) - t
            weights = [(1 - trace) * trace ** (n - 1) for n in range(1, last)] + [trace ** (last - 1)]
            returns = [values[t + n, lane] - luck[t : t + n, lane].sum(axis=0) for n in range(1, last + 1)]
            targets[t, lane] = sum(weight * found for weight, found in zip(weights, returns, strict=True))
    return targets


@st.composite
def rollouts(draw):
    """Values and ends of a few turns in a few lanes."""
    steps, lanes, seats = draw(st.integers(2, 7)), draw(st.integers(1, 3)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    over = rng.random((steps, lanes)) < draw(st.sampled_from([0, 0.2, 0.5, 1]))
    values, luck = (rng.uniform(-1, 1, (rows, lanes, seats)).astype(np.float32) for rows in (steps, steps - 1))
    return values, luck * draw(st.sampled_from([0, 1])), over


@given(rollouts(), st.sampled_from([0.0, 0.7, 1.0]))
def test_targets_are_the_returns_of_td_lambda_less_luck(rollout, trace):
    assert trace_targets(*rollout, trace) == pytest.approx(slow_targets(*rollout, trace), abs=1e-5)


def test_targets_of_a_small_example():
    values = np.array([0.5, 0.25, 1.0, -0.5, 0.75], np.float32).reshape(5, 1, 1)
    over = np.array([[False], [False], [True], [False], [False]])
    luck = np.zeros((4, 1, 1), np.float32)
    found = {trace: trace_targets(values, luck, over, trace).ravel().tolist() for trace in (0.0, 0.5, 1.0)}
    assert found == {
        0.0: [0.25, 1.0, -0.5, 0.75],
        0.5: [0.625, 1.0, 0.125, 0.75],
        1.0: [1.0, 1.0, 0.75, 0.75],
    }


# --- a game whose answers are known


KINDS = len(variant("tiny", 2).ruleset.cards)


class Solution:
    """`tiny` with two seats, as afterstates of all pairs of places; a policy is a weight for each afterstate.

    A value of `(own, other)` is the return of the seat whose card is due, `own` its pawn's place.
    """

    def __init__(self):
        self.game = variant("tiny", 2)
        pairs = [(own, other) for own in range(HOME) for other in range(HOME)]
        states = self.game.new_states(len(pairs) * KINDS)
        states["pawns"], states["turns"], states["pile"] = HOME, 1, self.game.ruleset.counts
        states["pawns"][:, :2, 0] = np.repeat(pairs, KINDS, axis=0)
        states["due"] = np.tile(np.arange(KINDS), len(pairs))
        self.after, _, self.counts = self.game.afterstates(states)
        self.begin = np.cumsum(self.counts) - self.counts
        places = self.after["pawns"][:, :2, 0].astype(int)
        self.again, self.won = self.after["seat"] == 0, self.after["winners"] != 0
        mover, waiting = np.where(self.again, places.T, places.T[::-1])
        self.index = np.where(self.won, 0, mover * HOME + waiting)
        self.odds = np.array(self.game.ruleset.counts[:KINDS]) / self.game.ruleset.deck

    def expected(self, by_card):
        """The mean over the cards."""
        return by_card.reshape(-1, KINDS) @ self.odds

    def after_values(self, values):
        """What each afterstate is worth to its mover."""
        return np.where(self.won, 1.0, np.where(self.again, 1, -1) * values[self.index])

    def optimal(self):
        """The values of perfect play."""
        return settled(lambda v: self.expected(np.maximum.reduceat(self.after_values(v), self.begin)), HOME**2)

    def best(self, scores):
        """The policy that takes an afterstate of the largest score."""
        most = np.repeat(np.maximum.reduceat(scores, self.begin), self.counts)
        taken = (scores >= most - 1e-9).astype(float)
        return taken / np.repeat(np.add.reduceat(taken, self.begin), self.counts)

    def uniform(self):
        return np.repeat(1 / self.counts, self.counts)

    def between(self, policy, other):
        """The first policy's returns against the other: with its own card due, and with the other's."""

        def improved(both):
            mine, theirs = both.reshape(2, -1)
            here = np.where(self.won, 1.0, np.where(self.again, mine[self.index], theirs[self.index]))
            there = np.where(self.won, -1.0, np.where(self.again, theirs[self.index], mine[self.index]))
            parts = (np.add.reduceat(policy * here, self.begin), np.add.reduceat(other * there, self.begin))
            return np.concatenate([self.expected(part) for part in parts])

        return settled(improved, 2 * HOME**2).reshape(2, -1)

    def match(self, policy, other):
        """The first policy's return in whole games, beginning or not."""
        return self.between(policy, other)[:, 0].mean()


def settled(improved, size):
    """The fixed point of an iteration over values."""
    values, change = np.zeros(size), 1.0
    while change > 1e-10:
        new = improved(values)
        change, values = np.abs(new - values).max(), new
    return values


@pytest.fixture(scope="module")
def solution():
    return Solution()


@pytest.fixture(scope="module")
def learnt():
    """A player after a few seconds of training."""
    config = ValueNetConfig(
        ruleset="tiny",
        hidden=(32,),
        lanes=512,
        rollouts=40,
        batch=1024,
        learning_rate=0.01,
        averaging=0.98,
        evaluate_every=40,
    )
    training = Training(config)
    losses = [row["loss"] for row in training.until(config.rollouts)]
    assert np.mean(losses[-5:]) < np.mean(losses[:5])
    return Network(training.game, "learnt", present_player(training, 0.0))


@pytest.fixture(scope="module")
def scores(solution, learnt):
    """What the player thinks of every afterstate, for its mover."""
    return learnt.scores(solution.after, np.zeros(len(solution.after), np.int64))


def test_the_solution_stands_to_reason(solution):
    best = solution.best(solution.after_values(solution.optimal()))
    assert solution.match(best, best) == pytest.approx(0, abs=1e-8)
    assert solution.match(solution.uniform(), solution.uniform()) == pytest.approx(0, abs=1e-8)
    assert solution.between(best, best)[0] == pytest.approx(solution.optimal(), abs=1e-8)
    assert solution.match(best, solution.uniform()) == pytest.approx(0.118, abs=0.001)


def test_what_is_learnt_plays_as_well_as_perfect_play(solution, scores):
    best = solution.best(solution.after_values(solution.optimal()))
    assert solution.match(solution.best(scores), best) > -0.003
    assert solution.match(solution.best(scores), solution.uniform()) > 0.113


def test_what_is_learnt_knows_the_value_of_every_position(solution, scores):
    exact = solution.after_values(solution.optimal())
    assert np.abs(scores - exact).mean() < 0.035
    assert np.corrcoef(scores, exact)[0, 1] > 0.975


def test_the_value_of_the_beginning_is_what_the_player_itself_achieves(solution, learnt, scores):
    start = solution.game.new_states(2)
    solution.game.new_game(start, generators(0, 2), first=0)
    own = solution.between(solution.best(scores), solution.best(scores))[:, 0]
    assert learnt.scores(start, np.array([0, 1])) == pytest.approx([own[0], -own[0]], abs=0.03)


def test_matches_give_what_is_exactly_known(solution, learnt, scores):
    players = [learnt, make_player("uniform", solution.game)]
    result = play_match(solution.game, players, 4000, seed=3)
    expected = (1 + solution.match(solution.best(scores), solution.uniform())) / 2
    assert result.win_rates[0] == pytest.approx(expected, abs=2 * result.half_widths[0])
    assert result.half_widths[0] < 0.02


# --- the first layer


def test_the_first_layer_and_its_gradients_are_those_of_torch():
    game = variant("classic", 3)
    states, which, seats = random_states(game, 30), np.arange(90) // 3, np.arange(90) % 3
    layer, upstream = torch.nn.Linear(game.num_features, 12), torch.randn(90, 12, generator=torch.manual_seed(1))
    features = torch.from_numpy(game.encode(states[which], seats))
    shown, found = examples_of(game, states, which, seats, game.num_features), []
    for out in (layer(features), first_layer(layer.weight, layer.bias, shown)):
        layer.zero_grad()
        out.backward(upstream)
        found.append((out.detach(), layer.weight.grad, layer.bias.grad))
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, rtol=1e-4, atol=1e-5)


# --- rollouts, one after the other and side by side


def one_by_one(training, stop):
    """What `until` does, without threads: a rollout is played before the one before it is learned from."""
    pending = training.self_play.rollout(training.learner.net(), training.config.steps)
    while training.done < stop:
        batch, last = pending, training.done + 1 == stop
        if not last:
            pending = training.self_play.rollout(training.learner.net(), training.config.steps)
        training.learner.learn(batch, training.done / training.config.rollouts)
        training.done, training.games = training.done + 1, training.games + batch.games


def same_tensors(one, other):
    assert one.keys() == other.keys()
    assert [name for name in one if one[name].tobytes() != other[name].tobytes()] == []


def test_playing_and_learning_side_by_side_is_playing_and_learning_in_turn():
    threads, plain = Training(SMALL), Training(SMALL)
    for stop in (3, 4):
        rows = list(threads.until(stop))
        one_by_one(plain, stop)
        assert rows[-1]["rollout"] == stop
        same_tensors(threads.tensors(), plain.tensors())


def test_a_run_is_the_same_each_time_and_another_with_another_seed():
    runs = [Training(dataclasses.replace(SMALL, seed=seed)) for seed in (5, 5, 6)]
    rows = [list(run.until(2)) for run in runs]
    assert rows[0] == rows[1]
    same_tensors(runs[0].tensors(), runs[1].tensors())
    assert (runs[0].tensors()["weight.0"] != runs[2].tensors()["weight.0"]).any()
    assert runs[0].tensors()["rng"].tolist() != runs[2].tensors()["rng"].tolist()


def test_going_on_to_where_one_is_changes_nothing():
    training = Training(SMALL)
    list(training.until(2))
    before = {name: part.copy() for name, part in training.tensors().items()}
    assert list(training.until(2)) == list(training.until(0)) == []
    same_tensors(training.tensors(), before)


def test_what_is_restored_goes_on_the_same():
    training, other = Training(SMALL), Training(SMALL)
    list(training.until(2))
    other.restore({name: part.copy() for name, part in training.tensors().items()})
    assert list(training.until(4)) == list(other.until(4))
    same_tensors(training.tensors(), other.tensors())


def mean_of_what_follows(game, net, state):
    """The seats' values after the next turn from one state, chance by chance."""

    def value(ends, seats):
        return ended(game, ends, seats, np.tanh(net(ends, game.rules, seats)[:, 0]))

    total, (dealt, odds, _) = np.zeros(game.seats), game.deals(state[None])
    for i, chance in enumerate(odds):
        ends, _ = game.turn_ends(dealt[i : i + 1])
        best = ends[value(ends, np.full(len(ends), dealt["seat"][i])).argmax()]
        total += chance * value(np.repeat(best[None], game.seats), np.arange(game.seats))
    return total


@pytest.mark.parametrize(
    ("ruleset", "seats"), [("tiny", 2), ("classic", 3), ("points_1939", 2), ("parcheesi", 2), ("not_sorry", 4)]
)
def test_luck_is_what_a_value_is_more_than_its_mean_over_all_that_might_have_come(ruleset, seats):
    training, other = (
        Training(dataclasses.replace(SMALL, ruleset=ruleset, seats=seats, lanes=8, averaging=0.0)) for _ in range(2)
    )
    net, steps = training.learner.net(), 40 if ruleset == "tiny" else 4
    plain, rollout = other.self_play.rollout(net, steps), training.self_play.rollout(net, steps, adjusted=True)
    assert rollout.after.tobytes() == plain.after.tobytes()
    assert rollout.values.tobytes() == plain.values.tobytes()
    assert (plain.luck == 0).all()
    same_tensors(training.tensors() | {"rng": training.self_play.rng}, other.tensors() | {"rng": other.self_play.rng})
    assert np.abs(rollout.luck).max() > 0.01
    running = np.argwhere(rollout.after["over"][:-1] == 0)
    for t, lane in running[np.random.default_rng(1).permutation(len(running))[:10]]:
        mean = mean_of_what_follows(training.game, net, rollout.after[t, lane])
        assert rollout.luck[t, lane] == pytest.approx(rollout.values[t + 1, lane] - mean, abs=1e-5)


def test_luck_is_taken_off_in_the_last_rollouts_of_a_run():
    training = Training(dataclasses.replace(SMALL, rollouts=4, adjusted=0.5))
    asked, play = [], training.self_play.rollout
    training.self_play.rollout = lambda net, steps, adjusted: asked.append(adjusted) or play(net, steps, adjusted)
    list(training.until(1))
    list(training.until(4))
    assert asked == [False, False, True, True]


def test_every_lane_plays_whole_games():
    training = Training(dataclasses.replace(SMALL, steps=400, lanes=4))
    rollout = training.self_play.rollout(training.learner.net(), 400)
    over, turns = rollout.after["over"] != 0, rollout.after["turns"]
    assert over.sum() == rollout.games >= 8
    assert (turns[1:][over[:-1]] <= 2).all()
    assert (np.diff(turns, axis=0)[~over[:-1]] <= 1).all()
    assert rollout.values[over].tolist() == training.game.returns(rollout.after[over]).tolist()
    assert (np.abs(rollout.values[~over]) < 1).all()


@pytest.mark.parametrize("changes", [{"seats": 3}, {"seats": ("blue", "red")}, {"ruleset": "classic", "seats": 4}])
def test_any_game_can_be_trained(changes):
    training = Training(dataclasses.replace(SMALL, **changes))
    (row,) = training.until(1)
    assert 0 < row["loss"] < 1
    assert (
        training.game.seats
        == len(training.game.colours)
        == training.self_play.rollout(training.learner.net(), 2).values.shape[2]
    )


@pytest.mark.parametrize(("averaging", "same"), [(0.0, "weight"), (1.0, "first")])
def test_the_average_lies_between_the_first_weights_and_the_last(averaging, same):
    training = Training(dataclasses.replace(SMALL, averaging=averaging))
    first = [layer[0].copy() for layer in training.learner.layers()]
    list(training.until(2))
    expected = {"weight": [layer[0] for layer in training.learner.layers(averaged=False)], "first": first}
    for average, other in zip(training.learner.layers(), expected[same], strict=True):
        assert average[0] == pytest.approx(other, abs=1e-7)
    assert (expected["weight"][0] != first[0]).any()


# --- runs and their folders


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run from beginning to end."""
    path = tmp_path_factory.mktemp("whole")
    told = []
    train(SMALL, RunFolder(path), told.append)
    assert len(told) == 4
    return path


def test_a_run_leaves_what_is_needed_to_understand_and_to_play_it(whole):
    names = sorted(p.relative_to(whole).as_posix() for p in whole.rglob("*") if p.is_file())
    assert names == [
        "checkpoints/000002.safetensors",
        "checkpoints/000004.safetensors",
        "config.yaml",
        "last.safetensors",
        "metrics.jsonl",
        "state.safetensors",
        "versions.json",
    ]
    assert config_from(ValueNetConfig, read_yaml(whole / "config.yaml")) == SMALL
    assert (whole / "last.safetensors").read_bytes() == (whole / "checkpoints/000004.safetensors").read_bytes()


def test_versions_and_fingerprints_are_written_down(whole):
    found, game = json.loads((whole / "versions.json").read_text()), variant("tiny", 2)
    assert {name: found[name] for name in PACKAGES} == {name: version(name) for name in PACKAGES}
    assert found["actions"] == game.actions.fingerprint
    assert found["features"] == game.features.fingerprint


def test_metrics_have_a_line_for_each_rollout(whole):
    rows = [json.loads(line) for line in (whole / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["rollout"] for row in rows] == [1, 2, 3, 4]
    assert [row["turns"] for row in rows] == [k * SMALL.lanes * SMALL.steps for k in (1, 2, 3, 4)]
    assert ["against uniform" in row and "± uniform" in row for row in rows] == [False, True, False, True]
    for name in ("games", "seconds"):
        assert [row[name] for row in rows] == sorted(row[name] for row in rows)
    assert all(0 < row["loss"] < 1 for row in rows)


def test_the_last_rollout_is_evaluated_whenever_it_comes(tmp_path):
    folder = RunFolder(tmp_path)
    train(dataclasses.replace(SMALL, rollouts=3), folder)
    assert [row["rollout"] for row in folder.rows if "against uniform" in row] == [2, 3]
    assert sorted(p.name for p in (tmp_path / "checkpoints").iterdir()) == [
        "000002.safetensors",
        "000003.safetensors",
    ]


def test_the_curve_is_that_of_the_metrics(whole):
    rows = [json.loads(line) for line in (whole / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    assert curves(rows) == {
        "uniform": [(row["games"], row["against uniform"], row["± uniform"]) for row in (rows[1], rows[3])]
    }


def test_the_player_in_the_folder_is_the_one_that_was_measured(whole):
    game = variant("tiny", 2)
    players = [make_player(whole / "last.safetensors", game), make_player("uniform", game)]
    result = play_match(game, players, SMALL.evaluation_deals, SMALL.seed)
    row = json.loads((whole / "metrics.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert row["against uniform"] == result.win_rates[0]
    assert row["± uniform"] == result.half_widths[0]


def test_a_player_carries_its_training_record(whole):
    record = load_checkpoint(whole / "last.safetensors").training
    assert {name: record[name] for name in ("agent", "seed", "hidden", "rollouts")} == {
        "agent": "value_net",
        "seed": 0,
        "hidden": [8],
        "rollouts": 4,
    }
    assert record["games"] == json.loads((whole / "metrics.jsonl").read_text().splitlines()[-1])["games"]


def test_a_finished_run_is_left_as_it_is(whole, tmp_path):
    path = shutil.copytree(whole, tmp_path / "run")
    before = {p: p.read_bytes() for p in path.rglob("*") if p.is_file()}
    training = train(SMALL, RunFolder(path))
    assert training.done == 4
    assert {p: p.read_bytes() for p in path.rglob("*") if p.is_file()} == before


# --- runs that are cut off


@pytest.mark.parametrize("rollout", [1, 2, 3, 4])
def test_a_run_that_is_interrupted_between_saves_ends_as_one_that_is_not(whole, tmp_path, rollout):
    def interrupt(row):
        if row["rollout"] == rollout:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(SMALL, RunFolder(tmp_path), interrupt)
    rows = []
    train(SMALL, RunFolder(tmp_path), rows.append)
    assert [row["rollout"] for row in rows] == ([3, 4] if rollout > 2 else [1, 2, 3, 4])
    assert contents(tmp_path) == contents(whole)


class Killed(BaseException):
    """Nothing may catch it."""


SAVES = 10
"""Files that a run of `SMALL` writes: two as it begins, and four for each of its two saves."""


def killed_at(number, path, monkeypatch):
    """Train until the process dies as file `number` is put in place."""
    calls, replace = [], os.replace

    def dying(source, target):
        calls.append(target)
        if len(calls) == number:
            raise Killed
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", dying)
        patch.setattr(os, "unlink", lambda path: None)  # the dead do not tidy up
        with pytest.raises(Killed):
            train(SMALL, RunFolder(path))


@pytest.mark.parametrize("number", range(1, SAVES + 1))
def test_a_run_that_is_killed_at_any_file_ends_as_one_that_is_not(whole, tmp_path, monkeypatch, number):
    killed_at(number, tmp_path, monkeypatch)
    for player in tmp_path.glob("**/[!.s]*.safetensors"):
        assert make_player(player, variant("tiny", 2)).spec == str(player)
    train(SMALL, RunFolder(tmp_path))
    assert contents(tmp_path) == contents(whole)


def test_no_file_is_missing_from_those_at_which_a_run_is_killed(tmp_path, monkeypatch):
    calls, replace = [], os.replace
    monkeypatch.setattr(os, "replace", lambda source, target: (calls.append(target), replace(source, target)))
    train(SMALL, RunFolder(tmp_path))
    assert len(calls) == SAVES


KILL_ITSELF = """
import os, signal, sys
from pathlib import Path
replace = os.replace
def kill(source, target):
    if Path(target).name == "state.safetensors":
        os.kill(os.getpid(), signal.SIGKILL)
    replace(source, target)
os.replace = kill
from agents.config import config_from, read_yaml
from agents.runs import RunFolder, train
from agents.value_net import ValueNetConfig
train(config_from(ValueNetConfig, read_yaml(sys.argv[1])), RunFolder(Path(sys.argv[2])))
"""


def test_a_process_that_is_killed_leaves_a_run_that_can_be_taken_up(whole, tmp_path):
    command = [sys.executable, "-c", KILL_ITSELF, str(whole / "config.yaml"), str(tmp_path / "run")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert load_checkpoint(tmp_path / "run" / "last.safetensors").training["rollouts"] == 2
    train(SMALL, RunFolder(tmp_path / "run"))
    assert contents(tmp_path / "run") == contents(whole)


def test_seconds_go_on_after_an_interruption(whole, tmp_path):
    path = shutil.copytree(whole, tmp_path / "run")
    lines = (path / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    lines = [json.dumps(json.loads(line) | {"seconds": 1000.0}) for line in lines]
    (path / "metrics.jsonl").write_text("\n".join(lines[:2]), encoding="utf-8")
    halfway = Training(SMALL)
    list(halfway.until(2))
    RunFolder(path, [json.loads(line) for line in lines[:2]]).save(halfway, present_player(halfway, 0.0))
    folder = RunFolder(path)
    train(SMALL, folder)
    assert [row["seconds"] >= 1000 for row in folder.rows] == [True] * 4
    assert folder.rows[3]["seconds"] > folder.rows[2]["seconds"] > 1000


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 1}, "seed was 0, is 1"),
        ({"hidden": (9,), "trace": 0.5}, "hidden was (8,), is (9,), trace was 0.8, is 0.5"),
        ({"rollouts": 6}, "rollouts was 4, is 6"),
    ],
)
def test_a_folder_of_another_configuration_is_refused_and_left_alone(whole, tmp_path, changes, words):
    path = shutil.copytree(whole, tmp_path / "run")
    before = {p: p.read_bytes() for p in path.rglob("*") if p.is_file()}
    with pytest.raises(ConfigError) as caught:
        train(dataclasses.replace(SMALL, **changes), RunFolder(path))
    assert f"{str(path)!r} holds a run of another configuration ({words}); choose another" in str(caught.value)
    assert {p: p.read_bytes() for p in path.rglob("*") if p.is_file()} == before


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"ruleset": "clasic"}, RulesetError, "did you mean 'classic'"),
        ({"changes": {"decks": 1}}, RulesetError, "no field 'decks'"),
        ({"changes": {"seats": 3}}, RulesetError, "no field 'seats'"),
        ({"seats": 7}, RulesetError, "seats=7"),
        ({"opponents": ("unifrom",)}, PlayerError, "did you mean 'uniform'"),
        ({"opponents": ("none.safetensors",)}, CheckpointError, "there is no checkpoint 'none.safetensors'"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_anything_is_written(tmp_path, changes, error, message):
    with pytest.raises(error, match=message):
        train(dataclasses.replace(SMALL, **changes), RunFolder(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


# --- the script

TEXT = yaml.safe_dump(
    {
        "agent": "value_net",
        "ruleset": "tiny",
        "hidden": [8],
        "lanes": 16,
        "steps": 8,
        "rollouts": 2,
        "batch": 32,
        "evaluate_every": 1,
        "evaluation_deals": 5,
        "opponents": ["uniform", "greedy"],
    }
)


@pytest.fixture(scope="module")
def script():
    """scripts/train.py as a module."""
    spec = importlib.util.spec_from_file_location("train_script", ROOT / "scripts" / "train.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def main(script, tmp_path, monkeypatch, capsys):
    """Run the script with a configuration: the exit code, stdout and stderr."""

    def run(text, *arguments, name="small.yaml"):
        if text is not None:
            (tmp_path / name).write_text(text, encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["train.py", str(tmp_path / name), *arguments])
        monkeypatch.chdir(tmp_path)
        code = script.main()
        return code, *capsys.readouterr()

    return run


def test_the_script_trains_and_leaves_a_run(tmp_path):
    (tmp_path / "small.yaml").write_text(TEXT)
    command = [
        sys.executable,
        "scripts/train.py",
        str(tmp_path / "small.yaml"),
        "--run",
        str(tmp_path / "run"),
    ]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    names = {
        "config.yaml",
        "versions.json",
        "metrics.jsonl",
        "state.safetensors",
        "last.safetensors",
        "curve.png",
    }
    assert {path.name for path in (tmp_path / "run").iterdir()} == names | {"checkpoints"}
    assert (tmp_path / "run" / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert make_player(tmp_path / "run" / "last.safetensors", variant("tiny", 2))
    assert len(done.stdout.splitlines()) == 1
    for words in ("games", "% against uniform and ", "% against greedy", "last.safetensors", "curve.png"):
        assert words in done.stdout


def test_the_script_names_the_folder_after_the_configuration(main, tmp_path):
    assert main(TEXT, name="mine.yaml")[0] == 0
    assert (tmp_path / "runs" / "mine" / "last.safetensors").exists()


def test_the_script_takes_up_a_run_and_begins_afresh_when_told_to(main, tmp_path):
    assert main(TEXT)[0] == 0
    first = contents(tmp_path / "runs" / "small")
    assert main(TEXT)[0] == 0
    assert contents(tmp_path / "runs" / "small") == first
    code, out, err = main(TEXT + "seed: 3\n")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert main(TEXT + "seed: 3\n", "--fresh")[0] == 0
    assert contents(tmp_path / "runs" / "small") != first


def test_the_script_can_do_without_opponents(main):
    code, out, _ = main(
        TEXT.replace("- greedy\n", "").replace("- uniform\n", "").replace("opponents:", "opponents: []")
    )
    assert code == 0
    assert "wins" not in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot read the configuration"),
        ("a: [1\n", "is not YAML"),
        ("- tiny\n", "holds list, expected keys with values"),
        (TEXT + "laness: 4\n", "unknown key 'laness'; did you mean 'lanes'?"),
        (TEXT + "lanes: many\n", "lanes is 'many': expected int"),
        (TEXT + "lanes: 0\n", "lanes is 0: expected more than 0"),
        (TEXT + "agent: dqn\n", "unknown agent 'dqn'"),
        (TEXT + "agent: [value_net]\n", "unknown agent ['value_net']"),
        (TEXT + "ruleset: clasic\n", "unknown ruleset 'clasic'; did you mean 'classic'?"),
        (TEXT + "opponents: [nobody]\n", "unknown player 'nobody'"),
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(main, tmp_path, text, message):
    code, out, err = main(text)
    assert (code, out) == (2, "")
    assert err.startswith("train: ")
    assert message in err
    assert err.count("\n") == 1 == len(err.splitlines())
    assert not (tmp_path / "runs").exists()


def test_a_folder_that_cannot_be_made_is_one_line_too(main, tmp_path):
    (tmp_path / "file").touch()
    code, out, err = main(TEXT, "--run", str(tmp_path / "file" / "run"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "Not a directory" in err


def test_an_interruption_says_how_to_go_on(main, script, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(script, "train_with_bar", interrupt)
    assert main(TEXT) == (130, "", "Interrupted; the same command goes on from what runs/small holds.\n")
