"""Decisions: rolled-out worths are the exact ones, losses are bracketed, and a build goes on where it stopped."""

import dataclasses
import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from agents import decisions
from agents.decisions import DecisionsError, Plan, build, load, packed, real_choices, sampled, score
from agents.rollouts import Rollouts
from sorry_env import PlayerError, variant
from sorry_env.checkpoint import checkpoint_of, save_checkpoint
from sorry_env.players import AfterstatePlayer, Uniform, make_player
from sorry_env.solve import graph_of, solve_duel

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

import decisions as command

ONE = variant("classic", 2, pawns=1, replacement=True)
TINY = variant("tiny", 2)
PLAN = Plan(TINY, "greedy", ("greedy", "uniform"), positions=50, rollouts=8, seed=3)


class Perfect(AfterstatePlayer):
    """Plays a game of one pawn each by its exact solution."""

    def __init__(self, game, spec="perfect"):
        super().__init__(game, spec)
        self.space = game.family.duel(game, 1)
        self.chances = solve_duel(graph_of(self.space, lambda done: None))

    def scores(self, after, seats):
        mover = self.chances[self.space.numbers(after)]
        found = np.where(after["seat"] == seats, mover, 1 - mover)
        return np.where(after["over"] != 0, after["winners"] >> seats & 1, found)


@pytest.fixture(scope="module")
def perfect():
    return Perfect(ONE)


@pytest.fixture(scope="module")
def judged(perfect, tmp_path_factory):
    """A benchmark rolled out by a player that cannot be bettered, and the exact worths of its actions."""
    path = tmp_path_factory.mktemp("decisions") / "one.jsonl.gz"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(decisions, "make_player", lambda spec, game: perfect if spec == "perfect" else Uniform(game))
        build(Plan(ONE, "perfect", ("perfect", "uniform"), 300, 64, seed=1), path)
    benchmark = load(path)
    after, _, counts = ONE.afterstates(benchmark.states)
    return benchmark, perfect.scores(after, np.repeat(benchmark.states["seat"].astype(int), counts))


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "tiny.jsonl.gz"
    build(PLAN, path)
    return path


# --- against exact values


def test_rolled_out_worths_are_the_exact_ones_within_their_errors(judged):
    benchmark, exact = judged
    drawn = benchmark.errors > 0
    z = (benchmark.means - exact)[drawn] / benchmark.errors[drawn]
    assert drawn.mean() > 0.9
    assert abs(z.mean()) < 0.15
    assert 0.85 < np.sqrt((z**2).mean()) < 1.25
    assert abs((benchmark.means - exact).mean()) < 0.01


def test_common_chances_make_differences_sharper_than_worths(judged):
    benchmark, _ = judged
    others = benchmark.gaps > 0
    alone = np.sqrt(2) * benchmark.errors[others]  # of a difference between independent worths
    assert benchmark.gaps[others].mean() < 0.95 * alone.mean()


def test_a_perfect_player_loses_nothing_and_a_blind_one_what_it_should(judged, perfect):
    benchmark, exact = judged
    right, wrong = score(benchmark, perfect), score(benchmark, Uniform(ONE))
    best = np.maximum.reduceat(exact, benchmark.begins)
    lost = (best - np.add.reduceat(exact, benchmark.begins) / benchmark.counts).mean()
    assert right.loss - right.half_width < 0 < right.bounds.mean() + right.half_width
    assert right.agreement.mean() > 0.5
    assert wrong.loss - wrong.half_width < lost < wrong.bounds.mean() + wrong.half_width
    difference = wrong.losses - right.losses
    assert abs(difference.mean() - lost) < 3 * difference.std() / np.sqrt(len(difference)), "no bias between players"
    assert difference.mean() > 0.02
    assert wrong.agreement.mean() < right.agreement.mean() - 0.1


def test_the_best_of_noise_is_nothing():
    """Actions of equal worth: the loss against the largest mean is too much, and across the folds there is none."""
    rng = np.random.default_rng(5)
    counts, states = np.full(2000, 4), TINY.new_states(2000)
    worths = rng.normal(0.5, 0.1, (8000, decisions.FOLDS))
    noise = decisions.Benchmark({}, TINY, states, np.zeros(8000, int), counts, (), worths, *np.full((2, 8000), 0.05))
    found = score(noise, Fixed(), worst=0)
    assert abs(found.loss) < found.half_width * 1.5
    assert found.bounds.mean() > 0.04
    assert found.agreement.mean() == pytest.approx(0.25)


class Fixed:
    """Four actions of each state with equal odds."""

    spec = "fixed"

    def odds(self, states):
        return np.zeros(4 * len(states), int), np.full(len(states), 4), np.full(4 * len(states), 0.25)


def test_blunders_are_what_is_surely_lost_the_worst_first(judged, perfect):
    benchmark, _ = judged
    found = score(benchmark, Uniform(ONE), worst=5).blunders
    sure = [b.odds * (b.best_worth - b.worth - 2 * b.error) for b in found]
    assert sure == sorted(sure, reverse=True)
    assert sure[-1] > 0
    lines = [benchmark.line(i) for i in range(len(benchmark.counts))]
    assert all(b.position in lines and b.best != b.played for b in found)
    assert len(score(benchmark, perfect, worst=5).blunders) < 5


# --- rollouts


def test_a_positions_rollouts_depend_on_its_number_alone():
    states = sampled(TINY, [make_player("greedy", TINY)], 6, 1)
    rollouts = Rollouts(TINY, make_player("greedy", TINY), 8, 7)
    together = rollouts.worths(states, np.arange(6))
    apart = [rollouts.worths(states[i : i + 1], np.array([i])) for i in range(6)]
    assert np.array_equal(together, np.concatenate(apart))


def test_actions_that_lead_to_one_place_are_worth_the_same():
    """By the same chances: an action asked twice is worth the same in every rollout."""
    game = variant("points_modern", 2, turn_limit=30)
    states = sampled(game, [make_player("greedy", game)], 3, 1)
    one, other = (
        Rollouts(game, make_player("greedy", game), 4, 2).worths(seen, np.arange(3))
        for seen in (states, game.determinize(states, states["seat"].astype(int), np.arange(1, 4, dtype=np.uint64)))
    )
    assert np.array_equal(one, other), "what the mover cannot see has been used"


def test_luck_changes_no_mean(tmp_path):
    path, rng = str(tmp_path / "net.safetensors"), np.random.default_rng(0)
    layers = ((rng.normal(0, 0.05, (1, TINY.num_features)).astype(np.float32), np.zeros(1, np.float32)),)
    save_checkpoint(path, checkpoint_of("value", TINY, layers))
    states, greedy = sampled(TINY, [make_player("greedy", TINY)], 4, 1), make_player("greedy", TINY)
    plain = Rollouts(TINY, greedy, 60, 7).worths(states, np.arange(4))
    taken = plain - Rollouts(TINY, greedy, 60, 7, make_player(path, TINY)).worths(states, np.arange(4))
    assert taken.std() > 0.01
    assert abs(taken.mean()) < 4 * taken.std() / np.sqrt(4 * 60)  # actions of a position share their chances


# --- positions


@pytest.mark.parametrize("kind", [("tiny", 2), ("classic", 3), ("points_1939", 2)])
def test_positions_are_real_choices_no_two_alike(kind):
    game = variant(*kind, turn_limit=60)
    states = sampled(game, [make_player("greedy", game), make_player("uniform", game)], 30, 2)
    assert len(states) == 30
    assert real_choices(game, states).all()
    timeless = states.copy()
    timeless["turns"] = 0
    assert len({state.tobytes() for state in timeless}) == 30
    assert len(np.unique(states["turns"])) > 8
    assert states.tobytes() == sampled(game, [make_player(s, game) for s in ("greedy", "uniform")], 30, 2).tobytes()


def test_two_ways_to_the_same_place_are_no_choice():
    game = variant("classic", 2)
    states = sampled(game, [make_player("uniform", game)], 20, 1)
    after, _, counts = game.afterstates(states)
    different = [len({a.tobytes() for a in part}) for part in np.split(after, np.cumsum(counts)[:-1])]
    assert min(different) > 1


def test_no_more_positions_than_there_are():
    game = variant("tiny", 2, turn_limit=1)
    with pytest.raises(DecisionsError, match="different choices; ask for fewer"):
        sampled(game, [make_player("uniform", game)], 500, 1)


# --- files


def test_an_interrupted_build_goes_on_to_the_same_file(tiny, tmp_path):
    path, told = tmp_path / "again.jsonl.gz", []

    def interrupted(positions):
        told.append(positions)
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(PLAN, path, interrupted)
    with pytest.raises(DecisionsError, match="it has 40 of 50 positions; build it to its end"):
        load(path)
    told = [0, 0, 0]
    build(PLAN, path, told.append)
    assert told[3:] == [40, 10]
    assert path.read_bytes() == tiny.read_bytes()


def test_a_finished_file_stays_as_it_is(tiny):
    before = tiny.read_bytes()
    build(PLAN, tiny)
    assert tiny.read_bytes() == before


def test_texts_and_numbers_come_back(tiny):
    benchmark = load(tiny)
    _, *lines = decisions.lines_of(tiny)
    assert [benchmark.line(i) for i in range(50)] == [line["position"] for line in lines]
    assert list(benchmark.texts) == [text for line in lines for text in line["actions"]]
    assert (benchmark.counts >= 2).all()
    assert benchmark.worths.shape == (len(benchmark.actions), decisions.FOLDS)
    assert benchmark.header["player"] == "greedy"


def test_another_plan_does_not_go_on_with_a_file(tiny):
    with pytest.raises(DecisionsError, match=r"begun with rollouts 8, not 12; .*another file"):
        build(dataclasses.replace(PLAN, rollouts=12), tiny)


@pytest.mark.parametrize("change", [{"rollouts": 6}, {"rollouts": 0}, {"positions": 0}, {"seed": -1}])
def test_a_plan_has_sensible_numbers(change, tmp_path):
    with pytest.raises(DecisionsError, match="a multiple of 4 rollouts"):
        build(dataclasses.replace(PLAN, **change), tmp_path / "none.jsonl.gz")


def test_luck_is_measured_by_a_value_net(tmp_path):
    with pytest.raises(DecisionsError, match="give a value net's checkpoint"):
        build(dataclasses.replace(PLAN, luck="greedy"), tmp_path / "none.jsonl.gz")


def changed(path, change):
    """The file with its lines changed by a function."""
    lines = decisions.lines_of(path)
    change(lines)
    path.write_bytes(packed(lines))


DAMAGES = {
    "form 9": lambda lines: lines[0].update(decisions=9),
    "other actions are legal now": lambda lines: lines[1]["actions"].reverse(),
    "holds the position": lambda lines: lines[0].update(seats=["red", "blue"]),
    "unknown ruleset 'nosuch'": lambda lines: lines[0].update(ruleset="nosuch"),
    "cannot be used": lambda lines: lines[1].update(worths=[[1]]),
    "numbers for every action": lambda lines: lines[1].update(errors=[0.0]),
    "'gaps'": lambda lines: lines[1].pop("gaps"),
}


@pytest.mark.parametrize("message", DAMAGES)
def test_files_that_cannot_be_used_are_refused(tiny, message):
    changed(tiny, DAMAGES[message])
    with pytest.raises(DecisionsError, match=message):
        load(tiny)


@pytest.mark.parametrize(
    "content",
    [b"", b"no gzip", gzip.compress(b"no json", mtime=0), gzip.compress(b"{}\n", mtime=0), gzip.compress(b"", mtime=0)],
)
def test_what_is_no_benchmark_is_refused(tmp_path, content):
    path = tmp_path / "bad.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(DecisionsError, match="no benchmark that can be read"):
        load(path)
    path.write_bytes(packed([{"decisions": 1}])[:-12])
    with pytest.raises(DecisionsError, match="no benchmark that can be read"):
        load(path)


def test_no_file_no_benchmark(tmp_path):
    with pytest.raises(DecisionsError, match=r"nowhere.*No such file"):
        load(tmp_path / "nowhere")


def test_the_benchmark_of_the_docs_is_there():
    header, *lines = decisions.lines_of(command.FILE)
    assert (header["ruleset"], header["seats"], header["positions"]) == ("classic", ["red", "yellow"], 2000)
    assert len(lines) == 2000
    assert command.FILE.stat().st_size < 500_000
    assert json.dumps(header)


# --- the command


def run(capsys, *words):
    return command.main(list(map(str, words))), capsys.readouterr()


def test_the_command_builds_and_scores(tmp_path, capsys):
    path = tmp_path / "made.jsonl.gz"
    words = ["--ruleset", "tiny", "--positions", "40", "--rollouts", "16", "--player", "greedy", "--file"]
    status, printed = run(capsys, "build", *words, path)
    assert status == 0
    assert "40 decisions" in printed.out
    status, printed = run(capsys, "score", "uniform", "greedy", "--worst", 2, "--file", path)
    assert status == 0
    _, table, *worst = printed.out.strip().split("\n\n")
    assert [line.split()[0] for line in table.splitlines()] == ["more", "uniform", "greedy"]
    assert "0.00 ± 0.00" in table
    assert all(text.startswith(("uniform, ", "greedy, ")) and "tiny; red" in text for text in worst)


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("score gredy --file {}", "did you mean 'greedy'"),
        ("score greedy --file nowhere", "nowhere"),
        ("build --file {}", "begun with"),
        ("build --ruleset clasic --file {}", "did you mean 'classic'"),
        ("build --ruleset tiny --luck uniform --file other", "luck is measured"),
    ],
)
def test_the_command_says_in_a_line_what_is_wrong(tiny, capsys, words, remedy):
    status, printed = run(capsys, *words.format(tiny).split())
    assert status == 2
    assert printed.err.splitlines()[-1].startswith("decisions: ")
    assert remedy in printed.err


def test_players_of_another_game_are_refused(tiny):
    pytest.importorskip("apologies")
    game = load(tiny).game
    with pytest.raises(PlayerError, match="plays classic with four pawns"):
        make_player("apologies", game)
