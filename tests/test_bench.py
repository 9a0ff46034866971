"""The benchmark: it runs, says what it lacks, and words its numbers right. No test here looks at the time."""

import ast
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

import bench
import bench_peers
from bench_peers import Sample

ROOT = Path(__file__).parents[1]


def results(**rates: float) -> bench.Results:
    """Three repetitions around each rate, a tenth apart; half of the plays have a choice."""
    keys = {name.replace("_", " "): rate for name, rate in rates.items()}
    samples = {key: [Sample(int(r * f), int(r * f) // 2, 1.0) for f in (0.9, 1.0, 1.1)] for key, r in keys.items()}
    return bench.Results(1.0, 3, None, dict.fromkeys(samples, 0.5), samples)


@pytest.fixture(scope="module")
def run_without_peers(tmp_path_factory):
    """A run with a tiny budget where the other libraries are absent, and the file that it wrote."""
    path = tmp_path_factory.mktemp("bench") / "out.json"
    options = ["--seconds", "0", "--repeats", "2", "--peers", str(path.with_name("absent")), "--json", str(path)]
    command = [sys.executable, str(ROOT / "scripts" / "bench.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, check=True), json.loads(path.read_text())


def test_it_runs_without_the_peers_and_says_how_to_get_them(run_without_peers):
    found, _ = run_without_peers
    assert "make .venv-peers/ready" in found.stderr
    assert "| engine | 4 |" in found.stdout
    assert "not measured" in found.stdout
    assert "| maedn |" not in found.stdout


def test_its_file_holds_every_repetition_of_what_is_ours(run_without_peers):
    _, record = run_without_peers
    assert set(record["samples"]) == {one.key for one in bench.BENCHES if one.start}
    assert set(record["warm_up"]) == set(record["rates"]) == set(record["samples"])
    assert all(len(samples) == 2 for samples in record["samples"].values())
    assert record["peers"] is None
    for sample in record["samples"]["engine 4"]:
        assert sample["plays"] >= bench.LANES * bench.TURNS
        assert 0 < sample["choices"] < sample["plays"]


def test_nothing_is_written_to_the_docs_without_the_peers(capsys):
    with pytest.raises(SystemExit):
        bench.parsed(["--write", "--peers", "absent"])
    assert "make .venv-peers/ready" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "text"),
    [(11_234_567, "11,200,000"), (12_345, "12,300"), (100, "100"), (99.96, "100"), (45.67, "45.7"), (4, "4.00")],
)
def test_numbers_have_three_digits_that_count(value, text):
    assert bench.rounded(value) == text


def test_the_table_has_values_spread_and_ratios():
    text = bench.table(results(engine_2=12e6, maedn_2=2e6, apologies_2=3000))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    assert {len(row) for row in rows} == {7}
    turns = next(row for row in rows if row[0] == "engine" and row[3] == "turns/s")
    assert turns[2:5] == ["12,000,000", "turns/s", "± 10.0%"]
    assert turns[6] == "6.00 times maedn, 4,000 times apologies"
    decisions = next(row for row in rows if row[0] == "engine" and row[3] == "decisions/s")
    assert decisions[2] == "6,000,000"


def test_a_goal_says_by_how_much_it_is_missed():
    found = bench.goals(results(engine_2=9e6, engine_4=11e6, maedn_2=3e6)).splitlines()
    row = {line.split(" | ")[0].strip("| "): line for line in found}
    assert "9,000,000: 10.0% short" in row["engine: 10 million turns/s"]
    assert "11,000,000: reached" in row["engine: 10 million turns/s"]
    assert "3.00: 25.0% short" in row["engine: 4 times `maedn`"]
    assert row["engine: 1,000 times `apologies`"].count("not measured") == 2


def test_the_page_has_a_place_for_each_block_and_only_that_changes():
    page = bench.PAGE.read_text()
    for name in ("speed", "goals"):
        new = bench.with_block(page, name, "new")
        assert f"<!-- {name} -->\n\nnew\n\n<!-- end -->" in new
        assert new.count("<!-- end -->") == page.count("<!-- end -->") == 2
        assert new.splitlines()[0] == page.splitlines()[0]


def test_the_chart_is_a_png():
    pytest.importorskip("matplotlib")
    assert bench.chart(results(engine_2=12e6, maedn_2=2e6)).startswith(b"\x89PNG")


def test_every_rival_is_measured_by_one_side_or_the_other():
    keys = {one.key for one in bench.BENCHES}
    assert {rival for one in bench.BENCHES for rival in one.rivals} <= keys
    assert {one.key for one in bench.BENCHES if not one.start} == set(bench_peers.PEERS)


def test_the_peers_script_asks_for_nothing_that_their_environment_lacks():
    tree = ast.parse((ROOT / "scripts" / "bench_peers.py").read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any(name.split(".")[0] in ("sorry_env", "agents", "bench", "tqdm") for name in names)
    at_the_top = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in at_the_top} <= sys.stdlib_module_names


def test_batches_are_gathered_until_the_time_is_full():
    assert bench_peers.gathered(lambda: Sample(10, 4, 0.25), 1.0) == Sample(40, 16, 1.0)
    assert bench_peers.gathered(lambda: Sample(10, 4, 0.25), 0.0) == Sample(10, 4, 0.25)


def test_a_batch_takes_up_where_the_last_one_ended():
    batch = bench_peers.stepwise(iter([1, 2, 3, 1, 1, 5]), 3)
    assert [batch()[:2], batch()[:2]] == [(3, 2), (3, 1)]


def test_the_peers_side_answers_line_by_line(monkeypatch):
    monkeypatch.setitem(bench_peers.PEERS, "stub 2", lambda: lambda: Sample(7, 3, 0.5))
    answers = io.StringIO()
    bench_peers.serve(['["stub 2", 1.0]\n', '["stub 2", 0]\n'], answers)
    assert [json.loads(line) for line in answers.getvalue().splitlines()] == [[14, 6, 1.0], [7, 3, 0.5]]


def test_peers_that_cannot_start_are_an_error_that_says_what_to_do(tmp_path):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    with pytest.raises(bench.PeersError, match=r"make \.venv-peers/ready"):
        bench.Peers(broken)


@pytest.mark.skipif(not bench.PEERS_PYTHON.exists(), reason="needs the other libraries: make .venv-peers/ready")
def test_the_peers_measure_what_they_are_asked_for():
    peers = bench.Peers(bench.PEERS_PYTHON)
    try:
        samples = {key: peers.sample(key, 0.0) for key in bench_peers.PEERS}
    finally:
        peers.close()
    assert set(peers.versions) == set(bench_peers.LIBRARIES)
    for key, sample in samples.items():
        assert sample.plays > 0
        assert (0 < sample.choices < sample.plays) == ("connect_four" not in key)
