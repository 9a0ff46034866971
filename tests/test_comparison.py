"""The comparison of two trainers: what is measured against whom, and what is left of it. No test looks at the time."""

import json
import shutil
import sys
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

import compare_trainers

from agents.comparison import RIVAL, Saved, compared, fitted, rival_of, saved_by
from agents.config import ConfigError
from agents.runs import RunFolder, read_config

SHARED = {
    "ruleset": "tiny",
    "hidden": [8],
    "lanes": 8,
    "steps": 16,
    "rollouts": 4,
    "batch": 64,
    "evaluate_every": 2,
    "evaluation_deals": 5,
    "opponents": ["uniform"],
}
PPO = SHARED | {"agent": "ppo", "snapshot_every": 1, "promotion_deals": 10, "scripted": ["uniform"]}
VALUE = SHARED | {"agent": "value_net"}


@pytest.fixture(scope="module")
def configs(tmp_path_factory):
    """Two configurations of the same game."""
    path = tmp_path_factory.mktemp("configs")
    for name, values in (("league", PPO), ("value", VALUE)):
        (path / f"{name}.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
    return path / "league.yaml", path / "value.yaml"


@pytest.fixture(scope="module")
def done(configs, tmp_path_factory):
    """The folder of a comparison."""
    out = tmp_path_factory.mktemp("compare") / "out"
    assert compare_trainers.main([*map(str, configs), "--deals", "20", "--out", str(out)]) == 0
    return out


def test_two_configurations_are_trained_and_measured(done):
    found = json.loads((done / "comparison.json").read_text(encoding="utf-8"))
    names = {run: [Path(point["player"]).stem for point in points] for run, points in found.items()}
    assert names == {"league": ["000002", "000004", "best"], "value": ["000002", "000004"]}
    for point in (point for points in found.values() for point in points):
        for opponent in ("uniform", "heuristic"):
            assert 0 <= point[opponent][0] <= 1
            assert point[opponent][1] > 0
    assert (done / "comparison.png").read_bytes().startswith(b"\x89PNG")
    lines = (done / "comparison.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 + 5
    assert {line.count("|") for line in lines} == {8}


def test_the_run_that_is_ahead_in_time_has_a_rival_and_the_other_may_have_none(done):
    found = compared([RunFolder(done / "league"), RunFolder(done / "value")], 20, 0)
    met = {name: [RIVAL in point.rates for point in points] for name, points in found.items()}
    last = {name: points[1].saved.seconds for name, points in found.items()}
    assert met[max(last, key=last.get)][1]
    assert found["league"][-1].saved.champion
    assert [point.saved.champion for point in found["value"]] == [False, False]


def test_a_rival_is_the_last_player_of_the_time():
    early, late = Saved(Path("early"), 10.0, 1), Saved(Path("late"), 20.0, 2)
    best = Saved(Path("best"), 20.0, 2, champion=True)
    others = [early, late, best]
    expected = {5.0: None, 10.0: early, 15.0: early, 20.0: late, 99.0: late}
    assert {seconds: rival_of(Saved(Path("mine"), seconds, 0), others) for seconds in expected} == expected


def test_finished_runs_are_measured_as_they_are(done, tmp_path, capsys):
    words = [str(done / "league"), str(done / "value"), "--deals", "20", "--out", str(tmp_path)]
    assert compare_trainers.main(words) == 0
    assert (tmp_path / "comparison.md").read_text(encoding="utf-8") == (done / "comparison.md").read_text(
        encoding="utf-8"
    )
    assert "comparison.png" in capsys.readouterr().out
    assert not (tmp_path / "league").exists()


def test_minutes_choose_the_rollouts_once(configs, tmp_path):
    words = [*map(str, configs), "--deals", "4", "--minutes", "0.01", "--out", str(tmp_path)]
    assert compare_trainers.main(words) == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.safetensors")}
    config = read_config(tmp_path / "league" / "config.yaml")
    assert config.evaluate_every == max(1, config.rollouts // 10)
    assert compare_trainers.main(words) == 0
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.safetensors")} == before


def test_more_minutes_are_more_rollouts(configs):
    few, many = (fitted(read_config(configs[0]), minutes) for minutes in (0.001, 1.0))
    assert 1 <= few.rollouts < many.rollouts
    assert few.evaluate_every <= many.evaluate_every


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["league", "nowhere"], "holds no checkpoints"),
        (["league", "none.yaml"], "cannot read the configuration"),
        (["league", "league"], "both runs are called 'league'; rename one"),
        (["league", "value", "--deals", "0"], "--deals and --minutes must be more than 0"),
        (["league", "classic"], "the runs are of different games"),
    ],
)
def test_a_mistake_is_one_line(done, tmp_path, capsys, words, message):
    for name in ("league", "value"):
        shutil.copytree(done / name, tmp_path / name)
    for name, changes in (("nowhere", {}), ("classic", {"ruleset": "classic"})):
        (tmp_path / name / "checkpoints").mkdir(parents=True)
        (tmp_path / name / "config.yaml").write_text(yaml.safe_dump(VALUE | changes), encoding="utf-8")
    shutil.copy(done / "value" / "last.safetensors", tmp_path / "classic" / "checkpoints")
    runs = [str(tmp_path / word) for word in words[:2]]
    assert compare_trainers.main([*runs, *words[2:], "--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_a_folder_without_players_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="holds no checkpoints; train the run first"):
        saved_by(RunFolder(tmp_path))
