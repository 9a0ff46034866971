"""The speed guard: its arithmetic and words, with made-up figures, and that counting counts. No test looks at time."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

import guard
import guard_yardsticks

NOW = {"ratios": {"turn": 30.0, "step": 10.0}, "instructions": {"3.11": {"loop": 660.0}}}


@pytest.mark.parametrize(
    ("now", "recorded", "slack", "verdict"),
    [
        (15.0, 10.0, 1.5, "as recorded"),
        (15.1, 10.0, 1.5, "SLOWER than recorded by 1.51"),
        (6.7, 10.0, 1.5, "as recorded"),
        (5.0, 10.0, 1.5, "faster than recorded by 2.00"),
        (116.0, 100.0, 1.15, "SLOWER than recorded by 1.16"),
        (5.0, None, 1.5, "not recorded"),
    ],
)
def test_a_figure_is_judged_with_slack_both_ways(now, recorded, slack, verdict):
    line = guard.Line("x", now, recorded, slack)
    assert line.verdict == verdict
    assert line.slower == verdict.startswith("SLOWER")


def test_ratios_and_counts_are_judged_with_slacks_of_their_own():
    record = {"ratios": {"turn": 20.0, "step": 6.0}, "instructions": {"3.11": {"loop": 600.0}}}
    found = {line.name: line for line in guard.lines(NOW, record)}
    assert found["turn"].verdict == "as recorded"
    assert found["step"].verdict == "SLOWER than recorded by 1.67"
    assert found["loop, Python 3.11"].verdict == "as recorded"
    assert "1 of 3 figures are slower" in guard.summary(list(found.values()))
    assert "make guard GUARD_ARGS=--write" in guard.summary(list(found.values()))


def test_counts_of_another_version_of_python_are_not_compared():
    record = {"ratios": NOW["ratios"], "instructions": {"3.13": {"loop": 1.0}}}
    found = guard.lines(NOW, record)
    assert [line.verdict for line in found] == ["as recorded", "as recorded", "not recorded"]
    assert guard.summary(found) == "speed: nothing is slower than recorded."


def test_renewing_keeps_the_counts_of_other_versions_of_python():
    old = {"ratios": {"gone": 1.0}, "instructions": {"3.13": {"loop": 500.0}, "3.11": {"loop": 1.0}}}
    assert guard.renewed(NOW, old) == {
        "ratios": NOW["ratios"],
        "instructions": {"3.13": {"loop": 500.0}, "3.11": {"loop": 660.0}},
    }


def test_the_table_has_a_line_for_each_figure():
    lines = guard.table(guard.lines(NOW, {"ratios": {"turn": 10.0}})).splitlines()
    assert lines[0].split() == ["now", "recorded"]
    assert lines[1].split() == ["turn", "30.00", "10.00", "SLOWER", "than", "recorded", "by", "3.00"]
    assert lines[2].split() == ["step", "10.00", "not", "recorded"]


@pytest.fixture
def record(tmp_path, monkeypatch):
    """A record of its own in which one figure is slower than before, and nothing to measure."""
    path = tmp_path / "speed.json"
    path.write_text(json.dumps({"ratios": {"turn": 10.0}}))
    monkeypatch.setattr(guard, "RECORD", path)
    monkeypatch.setattr(guard, "COMPILED", True)
    monkeypatch.setattr(guard, "measured", lambda: NOW)
    return path


def test_it_is_a_report_and_no_gate_unless_asked(record, capsys):
    assert guard.main([]) == 0
    assert "SLOWER than recorded by 3.00" in capsys.readouterr().out
    assert guard.main(["--strict"]) == 1
    assert json.loads(record.read_text()) == {"ratios": {"turn": 10.0}}


def test_write_renews_the_record(record):
    assert guard.main(["--write"]) == 0
    assert json.loads(record.read_text()) == NOW
    assert guard.main(["--strict"]) == 0


def test_without_a_record_nothing_is_slower(record, capsys):
    record.unlink()
    assert guard.main(["--strict"]) == 0
    assert capsys.readouterr().out.count("not recorded") == 3


def test_the_record_has_the_figures_that_are_measured():
    saved = json.loads((Path(__file__).parents[1] / "docs" / "speed.json").read_text())
    assert set(saved["ratios"]) == set(guard.RATIOS)
    assert {yardstick for yardstick, _ in guard.RATIOS.values()} == set(guard.YARDSTICKS)


def _loop(rounds):
    total = 0
    for k in range(rounds):
        total += k
    return total


def test_instructions_are_counted_the_same_each_time_and_by_the_round():
    few, many, more = (guard_yardsticks.counted(lambda r=r: _loop(r)) for r in (10, 20, 30))
    assert many - few == more - many > 0
    assert guard_yardsticks.counted(lambda: _loop(10)) == few


def test_counting_ends_with_the_call_even_if_it_fails():
    before = sys.gettrace()
    with pytest.raises(ZeroDivisionError):
        guard_yardsticks.counted(lambda: 1 // 0)
    assert sys.gettrace() is before
    assert guard_yardsticks.counted(lambda: _loop(1)) > 0


def test_yardsticks_go_on_from_where_they_were():
    for start in guard.YARDSTICKS.values():
        batch = start()
        assert batch().plays == batch().plays > 0
