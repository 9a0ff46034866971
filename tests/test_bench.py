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
import bench_chart
import bench_list
import bench_own
import bench_peers
import bench_run
import bench_sample
import bench_table
import bench_threads
from bench_sample import Sample

ROOT = Path(__file__).parents[1]


def results(rates: dict[str, float] | None = None, **named: float) -> bench_table.Results:
    """Three repetitions around each rate, a tenth apart; half of the plays have a choice."""
    keys = {name.replace("_", " "): rate for name, rate in named.items()} | (rates or {})
    samples = {key: [Sample(int(r * f), int(r * f) // 2, 1.0) for f in (0.9, 1.0, 1.1)] for key, r in keys.items()}
    return bench_table.Results(1.0, 3, None, dict.fromkeys(samples, 0.5), samples)


@pytest.fixture(scope="module")
def run_without_peers(tmp_path_factory):
    """A run with a tiny budget where the other libraries are absent, and the file that it wrote."""
    path = tmp_path_factory.mktemp("bench") / "out.json"
    absent = str(path.with_name("absent"))
    options = ["--parts", "speed", "--seconds", "0", "--repeats", "2", "--peers", absent, "--json", str(path)]
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
    assert set(record["samples"]) == {one.key for one in bench_list.BENCHES if one.start}
    assert set(record["warm_up"]) == set(record["rates"]) == set(record["samples"])
    assert all(len(samples) == 2 for samples in record["samples"].values())
    assert record["peers"] is None
    for sample in record["samples"]["engine 4"]:
        assert sample["plays"] >= bench_own.LANES * bench_own.TURNS
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
    assert bench_table.rounded(value) == text


def test_the_table_has_values_spread_and_ratios():
    text = bench_table.table(results(engine_2=12e6, maedn_2=2e6, apologies_2=3000))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    assert {len(row) for row in rows} == {7}
    turns = next(row for row in rows if row[0] == "engine" and row[3] == "turns/s")
    assert turns[2:5] == ["12,000,000", "turns/s", "± 10.0%"]
    assert turns[6] == "6.00 times maedn, 4,000 times apologies"
    decisions = next(row for row in rows if row[0] == "engine" and row[3] == "decisions/s")
    assert decisions[2] == "6,000,000"


def test_decisions_have_a_row_and_ratios_of_their_own():
    text = bench_table.table(results({"VectorEnv, N = 1,024 2": 2e6, "maedn, rl_environment 2": 4e4}))
    rows = [line for line in text.splitlines() if line.startswith("| VectorEnv")]
    assert [row.split(" | ")[2:4] for row in rows] == [["2,000,000", "steps/s"], ["1,000,000", "decisions/s"]]
    assert all("50.0 times maedn, rl_environment" in row for row in rows)


def test_a_goal_is_left_blank_for_the_seats_that_it_is_not_of():
    row = next(line for line in bench_table.goals(results(engine_2=1e6)).splitlines() if "2 million steps/s" in line)
    assert row.endswith("| not measured |  |")


def test_a_goal_says_by_how_much_it_is_missed():
    found = bench_table.goals(results(engine_2=9e6, engine_4=11e6, maedn_2=3e6)).splitlines()
    row = {line.split(" | ")[0].strip("| "): line for line in found}
    assert "9,000,000: 10.0% short" in row["engine: 10 million turns/s"]
    assert "11,000,000: reached" in row["engine: 10 million turns/s"]
    assert "3.00: 25.0% short" in row["engine: 4 times `maedn`"]
    assert row["engine: 1,000 times `apologies`"].count("not measured") == 2


def test_the_page_has_a_place_for_each_block_and_only_that_changes():
    page = bench.PAGE.read_text()
    for name in ("speed", "goals", "threads"):
        new = bench.with_block(page, name, "new")
        assert f"<!-- {name} -->\n\nnew\n\n<!-- end -->" in new
        assert new.count("<!-- end -->") == page.count("<!-- end -->") == 3
        assert new.splitlines()[0] == page.splitlines()[0]


def test_the_pictures_are_pngs():
    pytest.importorskip("matplotlib")
    assert bench_chart.curves({"one": {1: 10.0, 16: 100.0}}, "x", "y").startswith(b"\x89PNG")
    assert bench_chart.bars(results(engine_2=12e6, maedn_2=2e6)).startswith(b"\x89PNG")


def test_every_rival_is_measured_by_one_side_or_the_other():
    keys = {one.key for one in bench_list.BENCHES}
    assert {rival for one in bench_list.BENCHES for rival in one.rivals} <= keys
    assert {one.key for one in bench_list.BENCHES if not one.start} == set(bench_peers.PEERS)
    assert len(keys) == len(bench_list.BENCHES)


def test_every_goal_is_one_of_something_that_is_measured():
    keys = {one.key for one in bench_list.BENCHES}
    for goal in bench_list.GOALS:
        for seats in goal.seats:
            assert f"{goal.name} {seats}" in keys
            assert goal.rival is None or goal.rival.format(seats=seats) in keys


PEER_FILES = sorted(path.stem for path in (ROOT / "scripts").glob("bench_peers*.py"))


@pytest.mark.parametrize("name", ["bench_sample", *PEER_FILES])
def test_the_peers_side_asks_for_nothing_that_their_environment_lacks(name):
    tree = ast.parse((ROOT / "scripts" / f"{name}.py").read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any(name.split(".")[0] in ("sorry_env", "agents", "bench", "tqdm") for name in names)
    at_the_top = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    at_the_top |= {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    known = sys.stdlib_module_names | {"bench_sample", *PEER_FILES}
    assert {name.split(".")[0] for name in at_the_top} <= known


def test_batches_are_gathered_until_the_time_is_full():
    assert bench_sample.gathered(lambda: Sample(10, 4, 0.25), 1.0) == Sample(40, 16, 1.0)
    assert bench_sample.gathered(lambda: Sample(10, 4, 0.25), 0.0) == Sample(10, 4, 0.25)


def test_a_batch_takes_up_where_the_last_one_ended():
    batch = bench_sample.stepwise(iter([1, 2, 3, 1, 1, 5]), 3)
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
    with pytest.raises(bench_run.PeersError, match=r"make \.venv-peers/ready"):
        bench_run.Peers(broken)


@pytest.mark.skipif(not bench.PEERS_PYTHON.exists(), reason="needs the other libraries: make .venv-peers/ready")
def test_the_peers_measure_what_they_are_asked_for():
    peers = bench_run.Peers(bench.PEERS_PYTHON)
    try:
        samples = {key: peers.sample(key, 0.0) for key in bench_peers.PEERS}
    finally:
        peers.close()
    assert set(peers.versions) == set(bench_peers.LIBRARIES)
    told = {one.key: one.choices for one in bench_list.BENCHES}
    for key, sample in samples.items():
        assert sample.plays > 0
        assert (sample.choices > 0) == told[key]
        assert sample.choices <= sample.plays


def test_the_page_is_renewed_in_the_parts_that_were_measured(tmp_path, monkeypatch):
    page = tmp_path / "performance.md"
    page.write_text("a\n<!-- speed -->\nold\n<!-- end -->\nb\n<!-- threads -->\nold\n<!-- end -->\n")
    monkeypatch.setattr(bench, "PAGE", page)
    report = bench.Report()
    report.blocks["threads"] = "new"
    report.pictures[tmp_path / "one.png"] = b"bytes"
    report.write()
    assert page.read_text() == "a\n<!-- speed -->\nold\n<!-- end -->\nb\n<!-- threads -->\n\nnew\n\n<!-- end -->\n"
    assert (tmp_path / "one.png").read_bytes() == b"bytes"


def test_what_two_threads_bring_is_the_median_of_the_pairs():
    found = {
        bench_threads.Point(call, count, threads): [Sample(int(1000 * f * threads**0.5), 0, 1.0) for f in (1, 2, 4)]
        for call in bench_threads.CALLS
        for count in bench_threads.COUNTS
        for threads in bench_threads.THREADS
    }
    lines = bench_threads.table(found).splitlines()
    row = next(line for line in lines if line.startswith("| `play_uniform` | 4,096 |"))
    assert row.split(" | ")[2:] == ["2,000", "± 75.0%", "2,830", "± 75.0%", "1.41 |"]
    assert bench_threads.series(found)["play_uniform, 2 threads"][16] == 2828
    assert "Goal: `play_uniform` of 4,096 games 1.7 times as fast on two threads: 1.41, 16.8% short." in lines
