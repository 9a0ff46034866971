import sqlite3
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from agents import ledger as ledger_module
from agents.arena import entrants, play_match
from agents.ledger import Ledger, LedgerError
from agents.ratings import rate
from sorry_env import variant
from sorry_env.checkpoint import checkpoint_of, save_checkpoint
from sorry_env.players import make_player

TINY, THREE = variant("tiny", 2, turn_limit=30), variant("tiny", 3, turn_limit=30)


@pytest.fixture
def ledger(tmp_path):
    with Ledger(tmp_path / "runs" / "ledger.sqlite") as opened:
        yield opened


@pytest.fixture
def plays(monkeypatch):
    """How many deals were really played, match by match."""
    played = []

    def counted(game, players, deals, *rest):
        played.append(deals)
        return play_match(game, players, deals, *rest)

    monkeypatch.setattr(ledger_module, "play_match", counted)
    return played


def players_of(game, *specs):
    return [make_player(spec, game) for spec in specs]


def net(path, game=TINY, seed=0):
    """A checkpoint of random weights; its path as a spec."""
    rng, widths = np.random.default_rng(seed), pairwise([game.num_features, 4, 1])
    layers = tuple(
        (rng.normal(0, 0.3, (after, before)).astype(np.float32), np.zeros(after, np.float32))
        for before, after in widths
    )
    save_checkpoint(path, checkpoint_of("value", game, layers))
    return str(path)


def same(one, other):
    parts = [(r.specs, r.sides, r.returns.tolist(), r.turns.tolist()) for r in (one, other)]
    lucks = [None if r.luck is None else r.luck.tolist() for r in (one, other)]
    return parts[0] == parts[1] and lucks[0] == lucks[1]


def rows(ledger):
    with sqlite3.connect(ledger.path) as db:
        found = db.execute("SELECT players, deals, luck FROM matches ORDER BY id").fetchall()
    db.close()
    return found


# --- no match is played twice


def test_a_match_is_played_once_and_told_again(ledger, plays):
    players, told = players_of(TINY, "uniform", "greedy"), []
    first = ledger.match(TINY, players, 20, 4, told.append)
    again = ledger.match(TINY, players, 20, 4, told.append)
    assert plays == [20]
    assert sum(told) == 80
    assert same(first, play_match(TINY, players, 20, 4))
    assert same(again, first)
    with Ledger(ledger.path) as other:
        assert same(other.match(TINY, players, 20, 4), first)
    assert plays == [20]


def test_other_deals_seats_rules_seeds_and_players_are_other_matches(ledger, plays):
    for game in (TINY, variant("tiny", ["red", "blue"], turn_limit=30), variant("tiny", 2, turn_limit=31)):
        ledger.match(game, players_of(game, "uniform", "greedy"), 5, 0)
    ledger.match(TINY, players_of(TINY, "uniform", "greedy"), 5, 1)
    ledger.match(TINY, players_of(TINY, "uniform", "heuristic"), 5, 0)
    ledger.match(TINY, players_of(TINY, "uniform", "greedy"), 6, 0)
    assert plays == [5, 5, 5, 5, 5, 6]


def test_more_deals_answer_for_fewer(ledger, plays):
    players = players_of(THREE, "uniform", "greedy", "heuristic")
    ledger.match(THREE, players, 12, 0)
    assert same(ledger.match(THREE, players, 7, 0), play_match(THREE, players, 7, 0))
    assert plays == [12]


@pytest.mark.parametrize("shift", [0, 1, 2])
def test_a_match_is_the_same_from_whichever_player_it_is_told(ledger, plays, shift):
    specs = ["heuristic", "uniform", "greedy"]
    lead = make_player(net(ledger.path.parent / "lead.safetensors", THREE), THREE)
    ledger.match(THREE, players_of(THREE, *specs), 10, 3, luck=lead)
    turned = players_of(THREE, *specs[shift:], *specs[:shift])
    assert same(ledger.match(THREE, turned, 10, 3, luck=lead), play_match(THREE, turned, 10, 3, luck=lead))
    assert plays == [10]


def test_luck_answers_for_the_plain_match_and_not_the_other_way_round(ledger, plays):
    players, spec = players_of(TINY, "uniform", "greedy"), net(ledger.path.parent / "a.safetensors")
    ledger.match(TINY, players, 8, 0)
    lucky = ledger.match(TINY, players, 8, 0, luck=make_player(spec, TINY))
    assert lucky.luck is not None
    assert plays == [8, 8]
    other = net(ledger.path.parent / "b.safetensors", seed=1)
    assert not same(ledger.match(TINY, players, 8, 0, luck=make_player(other, TINY)), lucky)
    assert same(ledger.match(TINY, players, 8, 0, luck=make_player(spec, TINY)), lucky)
    assert ledger.match(TINY, players, 8, 0).luck is None
    assert plays == [8, 8, 8]


def test_another_version_of_the_package_plays_again(ledger, plays, monkeypatch):
    players = players_of(TINY, "uniform", "greedy")
    ledger.match(TINY, players, 5, 0)
    monkeypatch.setattr(ledger_module, "version", lambda name: "99.0")
    ledger.match(TINY, players, 5, 0)
    assert plays == [5, 5]
    assert len(ledger.records(TINY)) == 1


def test_an_interrupted_match_leaves_nothing_behind(ledger, plays):
    def interrupt(games):
        raise KeyboardInterrupt

    players = players_of(TINY, "uniform", "greedy")
    with pytest.raises(KeyboardInterrupt):
        ledger.match(TINY, players, 5, 0, interrupt)
    assert rows(ledger) == []
    ledger.match(TINY, players, 5, 0)
    assert len(rows(ledger)) == 1


# --- who a player is


def test_a_file_that_was_trained_on_is_another_player_and_a_copy_the_same(tmp_path, plays):
    path, copy = tmp_path / "last.safetensors", tmp_path / "copy.safetensors"
    for seed in (0, 1):
        spec = net(path, seed=seed)
        with Ledger(tmp_path / "l.sqlite") as ledger:
            ledger.match(TINY, players_of(TINY, "uniform", spec), 6, 0)
    copy.write_bytes(path.read_bytes())
    with Ledger(tmp_path / "l.sqlite") as ledger:
        ledger.match(TINY, players_of(TINY, str(copy), "uniform"), 6, 0)
        names = {name for record in ledger.records(TINY) for name in record.entrants}
    assert plays == [6, 6]
    assert len(names) == 3
    assert {name.rpartition("@")[0] for name in names} == {"", str(path)}


def test_what_a_file_held_at_first_counts(tmp_path):
    spec = net(tmp_path / "last.safetensors")
    with Ledger(tmp_path / "l.sqlite") as ledger:
        before = ledger.identify(f"{spec}?temperature=1")
        net(tmp_path / "last.safetensors", seed=1)
        assert ledger.identify(f"{spec}?temperature=1") == before
        assert ledger.identify(spec) not in before
    assert before.endswith("?temperature=1")


@pytest.mark.parametrize(
    ("spec", "remedy"), [("present", "unknown player 'present'"), ("none.safetensors", "cannot read")]
)
def test_players_that_cannot_be_made_again_are_refused(ledger, spec, remedy):
    with pytest.raises(LedgerError, match=remedy):
        ledger.identify(spec)


# --- ratings


def test_ratings_accumulate_and_no_deal_counts_twice(ledger):
    players = players_of(TINY, "uniform", "greedy")
    for deals, seed in ((10, 0), (20, 0), (15, 1)):
        ledger.match(TINY, players, deals, seed)
    ledger.match(TINY, players[::-1], 20, 0)
    ledger.match(TINY, players_of(TINY, "greedy", "greedy"), 10, 0)
    found = rate(ledger.records(TINY), "uniform")
    assert sorted(found.names) == ["greedy", "uniform"]
    assert found.games.tolist() == [2 * (20 + 15)] * 2
    assert ledger.records(THREE) == []


def test_ratings_take_the_match_that_knows_its_luck(ledger):
    players, spec = players_of(TINY, "uniform", "greedy"), net(ledger.path.parent / "a.safetensors")
    lucky = ledger.match(TINY, players, 8, 0, luck=make_player(spec, TINY))
    ledger.match(TINY, players, 12, 0)
    (record,) = ledger.records(TINY)
    assert record.entrants == ("greedy", "uniform")
    assert np.array_equal(record.scores, lucky.scores[:, ::-1])


def test_one_against_the_rest_and_teams_are_rated(ledger):
    for game in (THREE, variant("teams_1939", 4, turn_limit=30)):
        table = entrants(game, *players_of(game, "greedy", "uniform"))
        ledger.match(game, table, 6, 0)
        (record,) = ledger.records(game)
        assert sorted(record.entrants) == ["greedy", "uniform", "uniform"][: len(record.entrants)]
        assert record.scores.sum(axis=1) == pytest.approx(1)
        assert len(record.entrants) == (3 if game is THREE else 2)


# --- the file


def add(path, seeds):
    """Play some matches into a ledger."""
    with Ledger(path) as ledger:
        for seed in seeds:
            ledger.match(TINY, players_of(TINY, "uniform", "greedy"), 2, seed)


def test_several_write_at_a_time(tmp_path):
    """The same matches in part, and the file is new to all; each has a connection of its own, as processes have."""
    path = tmp_path / "ledger.sqlite"
    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(add, path, range(begin, begin + 12)) for begin in (0, 3, 6, 6)]:
            done.result()
    with Ledger(path) as ledger:
        assert sorted(record.seed for record in ledger.records(TINY)) == list(range(18))


def test_a_writer_waits_for_the_one_before(ledger, monkeypatch):
    monkeypatch.setattr(ledger_module, "PATIENCE", 0.1)
    players = players_of(TINY, "uniform", "greedy")
    with Ledger(ledger.path) as waiting, ledger._transaction(), pytest.raises(LedgerError, match="locked"):
        waiting.match(TINY, players, 2, 0)
    with Ledger(ledger.path) as waiting:
        waiting.match(TINY, players, 2, 0)
    assert len(rows(ledger)) == 1


def test_rows_are_never_changed(ledger):
    ledger.match(TINY, players_of(TINY, "uniform", "greedy"), 2, 0)
    db = sqlite3.connect(ledger.path)
    for statement in ("UPDATE matches SET seed = 1", "DELETE FROM matches"):
        with pytest.raises(sqlite3.IntegrityError, match="a ledger only grows"):
            db.execute(statement)
    db.close()


def spoilt(path, how):
    """A file that is no good ledger."""
    if how == "text":
        path.write_text("a letter, not a ledger\n" * 100)
    elif how == "folder":
        path.mkdir()
    elif how == "foreign":
        _execute(path, "CREATE TABLE letters (word TEXT)")
    else:
        add(path, range(8))
        if how == "newer":
            _execute(path, "PRAGMA user_version = 7")
        elif how == "cut":
            path.write_bytes(path.read_bytes()[:-5000])
        elif how == "blob":
            _execute(path, "DROP TRIGGER unchanged", "UPDATE matches SET returns = X'00'")
        elif how == "short":
            _execute(path, "DROP TRIGGER unchanged", "UPDATE matches SET deals = 3")


def _execute(path, *statements):
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


@pytest.mark.parametrize(
    ("how", "remedy"),
    [
        ("text", "not a ledger that can be read and written: file is not a database"),
        ("folder", "unable to open database file"),
        ("foreign", "is an SQLite file, but not a ledger; choose another file"),
        ("newer", "has schema 7; this version of sorry_env knows 1"),
        ("cut", "damaged"),
        ("blob", "has a damaged match of"),
        ("short", "has a damaged match of"),
    ],
)
def test_files_that_are_no_ledgers_are_told_and_left_alone(tmp_path, how, remedy):
    path = tmp_path / "ledger.sqlite"
    spoilt(path, how)
    before = None if path.is_dir() else path.read_bytes()
    with pytest.raises(LedgerError, match=remedy), Ledger(path) as ledger:
        ledger.records(TINY)
    assert before is None or path.read_bytes() == before


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_seeds_that_cannot_be_written_are_told(ledger, seed):
    with pytest.raises(LedgerError, match="a whole number from 0 to"):
        ledger.match(TINY, players_of(TINY, "uniform", "greedy"), 2, seed)
