"""scripts/exact.py: what it keeps, what it computes again, and the tables that the docs make of it."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from sorry_env.solve import store

ROOT = Path(__file__).parents[1]


def script(name):
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(f"{name}_script", ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


exact, docs = script("exact"), script("docs")


def run(monkeypatch, file, *options):
    monkeypatch.setattr(sys, "argv", ["exact.py", *options, "--file", str(file)])
    return exact.main()


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "cache_bases", lambda: [tmp_path])
    return tmp_path / "exact.json"


def test_values_are_kept_and_not_computed_again(file, monkeypatch, capsys):
    assert run(monkeypatch, file, "solo1", "adjacent") == 0
    rows = json.loads(file.read_text())["values"]
    assert rows["turns, 1 pawn, nobody else"]["value"] == pytest.approx(25.3707332942, abs=1e-9)
    assert [row["positions"] for row in rows.values()] == [66, 8592, 8592]
    assert all(row["residual"] <= 1e-10 for row in rows.values())
    assert file.with_suffix(".png").stat().st_size > 10_000
    monkeypatch.setattr(exact, "solved", None)
    assert run(monkeypatch, file, "solo1") == 0
    assert "1 pawn each" not in capsys.readouterr().out.splitlines()[-2]


def test_players_are_measured_once(file, monkeypatch, capsys):
    assert run(monkeypatch, file, "solo1", "--players", "greedy", "--pawns", "1") == 0
    assert run(monkeypatch, file, "solo1", "--players", "greedy", "optimal", "--pawns", "1") == 0
    rows = json.loads(file.read_text())["players"]
    assert list(rows) == ["greedy, 1 pawn", "optimal, 1 pawn"]
    assert rows["optimal, 1 pawn"]["wins"] == pytest.approx(0.5, abs=1e-9)
    assert rows["optimal, 1 pawn"]["exploitable"] == pytest.approx(0, abs=1e-6)
    assert rows["greedy, 1 pawn"]["exploitable"] > 0.5 - rows["greedy, 1 pawn"]["wins"] > 0
    assert "greedy, 1 pawn: wins 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["three"], "unknown part 'three'; there are solo1"),
        (["solo1", "--players", "gredy", "--pawns", "1"], "did you mean 'greedy'"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(file, monkeypatch, capsys, options, words):
    assert run(monkeypatch, file, *options) == 2
    assert words in capsys.readouterr().err


def test_an_interrupted_run_says_how_it_goes_on(file, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(exact, "solved", interrupted)
    assert run(monkeypatch, file, "solo1") == 130
    assert "the same command goes on" in capsys.readouterr().err


def test_tables_of_the_page():
    row = {"positions": 66, "actions": 700, "value": 0.5, "residual": 3e-11}
    assert docs.values_table({"one": row}).splitlines()[2] == "| one | 66 | 700 | 0.50000000 | 3e-11 |"
    players = {
        "race, 1 pawn": {"spec": "race", "pawns": 1, "wins": 0.49, "exploitable": 0.01},
        "uniform, 1 pawn": {"spec": "uniform", "pawns": 1, "wins": 0.3, "exploitable": 0.25},
        "race, 2 pawns": {"spec": "race", "pawns": 2, "wins": 0.48, "exploitable": 0.03},
    }
    assert docs.players_table(players).splitlines()[2:] == [
        "| `uniform` | 30.0000% | 25.0000 |  |  |",
        "| `race` | 49.0000% | 1.0000 | 48.0000% | 3.0000 |",
    ]
