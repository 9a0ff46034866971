import numpy as np
import pytest

from agents import ledger
from agents.arena import CrossTable, MatchResult, cross_table, entrants, half_width, pairings, play_match, sides
from agents.plots import cross_table_picture, rating_plot, short
from agents.ratings import Ratings
from scripts import arena as command
from sorry_env import PlayerError, variant
from sorry_env.checkpoint import checkpoint_of, save_checkpoint
from sorry_env.players import AfterstatePlayer, Greedy, Uniform, make_player
from sorry_env.random import generators

CLASSIC, FOUR = variant("classic", 2), variant("classic", 4)
TINY, THREE = variant("tiny", 2), variant("tiny", 3)
TEAMS = variant("teams_1939", 4)


class Watcher(AfterstatePlayer):
    """Plays like greedy, and keeps what it was asked."""

    def __init__(self, game):
        super().__init__(game, "watcher")
        self.inner, self.asked = Greedy(game), []

    def choose(self, states, rng):
        self.asked.append(states.copy())
        return self.inner.choose(states, rng)


class Lottery:
    """A uniform player that uses up twice the numbers."""

    def __init__(self, game):
        self.game, self.spec, self.inner = game, "lottery", Uniform(game)

    def choose(self, states, rng):
        self.inner.choose(states, rng)
        return self.inner.choose(states, rng)


def same(one, other):
    return np.array_equal(one.returns, other.returns) and np.array_equal(one.turns, other.turns)


# --- duplicates


@pytest.mark.parametrize("game", [CLASSIC, TINY, THREE])
def test_a_player_against_itself_is_even_in_every_deal(game):
    for spec in ("uniform", "greedy"):
        result = play_match(game, [make_player(spec, game) for _ in range(game.seats)], 40, 3)
        assert np.allclose(result.scores, 1 / game.seats)
        assert np.allclose(result.half_widths, 0)
        assert (result.turns == result.turns[:, :1]).all()


def test_every_player_gets_every_seat_with_the_same_cards():
    """Two who play alike take each other's part; the seats' results stay where they are."""
    players = [make_player("greedy", FOUR) for _ in range(4)]
    returns = play_match(FOUR, players, 12, 5).returns
    for rotation in range(4):
        by_seat = np.roll(returns[:, rotation], rotation, axis=1)
        assert np.array_equal(by_seat, returns[:, 0])


def test_the_kth_card_of_a_deal_is_the_same_whatever_is_played():
    cards = {}
    for spec in ("uniform", "greedy"):
        states, rng, lots = FOUR.new_states(30), generators(8, 30), generators(9, 30)
        FOUR.reset(states, rng)
        player, seen = make_player(spec, FOUR), []
        for _ in range(60):
            seen.append(states["due"].copy())
            FOUR.play(states, player.choose(states, lots))
            FOUR.draw(states, rng)
        cards[spec] = np.array(seen)
    assert np.array_equal(cards["uniform"], cards["greedy"])


def test_a_win_pays_the_others_bill():
    result = play_match(THREE, [make_player(s, THREE) for s in ("uniform", "greedy", "uniform")], 30, 1)
    assert result.returns.shape == (30, 3, 3)
    assert np.allclose(result.returns.sum(axis=2), 0)
    assert ((result.returns == 1).sum(axis=2) == 1).all()
    assert result.scores.sum(axis=1) == pytest.approx(1)
    assert result.win_rates.sum() == pytest.approx(1)


# --- teams


def test_partners_against_themselves_win_half():
    result = play_match(TEAMS, [make_player("greedy", TEAMS) for _ in range(4)], 20, 3)
    assert sides(TEAMS) == 2
    assert np.allclose(result.scores, 1 / 2)
    assert (np.abs(result.returns) == 1).all()
    assert np.array_equal(result.returns[..., 0], result.returns[..., 2])


def test_partners_share_what_they_win():
    greedy, uniform = make_player("greedy", TEAMS), make_player("uniform", TEAMS)
    assert entrants(TEAMS, greedy, uniform) == [greedy, uniform, greedy, uniform]
    assert entrants(FOUR, greedy, uniform) == [greedy, uniform, uniform, uniform]
    result = play_match(TEAMS, entrants(TEAMS, greedy, uniform), 20, 3)
    won = (result.returns[..., 0] > 0).mean()
    assert result.win_rates == pytest.approx([won, 1 - won, won, 1 - won])
    assert won > 0.5


def test_a_truncated_game_of_teams_is_a_draw():
    game = variant("teams_modern", 4, turn_limit=3)
    assert play_match(game, [Uniform(game)] * 4, 3, 0).win_rates == pytest.approx([0.5] * 4)


def test_two_teams_meet_once():
    assert pairings(TEAMS, 2) == [(0, 1)]
    table = cross_table(TEAMS, ["uniform", "greedy"], 20, 0)
    assert table.rates[0, 1] + table.rates[1, 0] == pytest.approx(1)
    assert table.rates[1, 0] > 0.5


# --- the same seed, the same result


def test_the_result_depends_on_the_seed_alone():
    players = [make_player("uniform", CLASSIC), make_player("greedy", CLASSIC)]
    result = play_match(CLASSIC, players, 25, 4)
    assert same(result, play_match(CLASSIC, players, 25, 4))
    assert not same(result, play_match(CLASSIC, players, 25, 5))


@pytest.mark.parametrize("lanes", [1, 2, 7, 16])
def test_the_result_does_not_depend_on_how_many_games_run_side_by_side(lanes):
    players = [make_player("uniform", CLASSIC), make_player("greedy", CLASSIC)]
    assert same(play_match(CLASSIC, players, 9, 4), play_match(CLASSIC, players, 9, 4, lanes=lanes))


def test_more_deals_go_on_from_fewer():
    players = [make_player("uniform", TINY), make_player("greedy", TINY)]
    few, many = (play_match(TINY, players, deals, 4) for deals in (10, 30))
    assert np.array_equal(few.returns, many.returns[:10])


def test_lots_of_one_player_do_not_move_the_others():
    """Until they meet: the first turn of the other seat is the same whoever drew lots before."""
    first = {}
    for rival in (Uniform(CLASSIC), Lottery(CLASSIC)):
        watcher = Watcher(CLASSIC)
        play_match(CLASSIC, [watcher, rival], 20, 6)
        first[rival.spec] = watcher.asked[0]
    assert np.array_equal(first["uniform"], first["lottery"])


# --- how players are asked


def test_a_player_is_asked_once_a_step_and_only_when_it_is_to_move():
    watcher, ended = Watcher(THREE), []
    result = play_match(THREE, [watcher, Uniform(THREE), watcher], 10, 2, ended.append)
    assert len(watcher.asked) <= len(ended)
    assert sum(ended) == 30
    assert all((states["over"] == 0).all() for states in watcher.asked)
    assert sum(map(len, watcher.asked)) < result.turns.sum() * 2


def test_players_must_fill_the_seats():
    with pytest.raises(ValueError, match="1 players for 2 seats"):
        play_match(TINY, [Uniform(TINY)], 5, 0)
    with pytest.raises(ValueError, match="deals=0"):
        play_match(TINY, [Uniform(TINY)] * 2, 0, 0)


def test_truncated_games_are_draws():
    game = variant("classic", 2, turn_limit=3)
    result = play_match(game, [Uniform(game), Greedy(game)], 5, 0)
    assert (result.returns == 0).all()
    assert (result.turns == 3).all()
    assert result.win_rates == pytest.approx([0.5, 0.5])


# --- intervals


def test_half_widths_of_known_numbers():
    assert half_width(np.array([0.0, 1.0])) == pytest.approx(1.959964 * 0.5)
    assert half_width(np.array([0.5, 0.5, 0.5])) == 0
    assert np.isinf(half_width(np.array([0.5])))


def test_intervals_cover_the_truth_as_often_as_they_say():
    """Deals of two games each, both won with a chance that the cards set: half of the deals 0.9, half 0.3."""
    rng, covered = np.random.default_rng(1), 0
    for _ in range(1000):
        chance = rng.choice([0.9, 0.3], size=(200, 1))
        won = rng.random((200, 2)) < chance
        returns = np.stack([won * 2.0 - 1, 1 - won * 2.0], axis=2)
        result = MatchResult(("a", "b"), returns, np.zeros((200, 2), np.int64), sides=2)
        covered += abs(result.win_rates[0] - 0.6) <= result.half_widths[0]
    assert 930 <= covered <= 970


# --- everybody against everybody


def test_with_two_seats_each_pair_plays_once():
    assert pairings(TINY, 3) == [(0, 1), (0, 2), (1, 2)]
    table = cross_table(TINY, ["uniform", "greedy", "uniform"], 50, 0)
    assert np.isnan(np.diag(table.rates)).all()
    assert table.rates[0, 1] + table.rates[1, 0] == pytest.approx(1)
    assert table.rates[1, 0] == table.rates[1, 2] > 0.5
    assert table.rates[0, 2] == pytest.approx(0.5)


def test_with_more_seats_one_plays_against_the_rest_both_ways_round():
    assert len(pairings(THREE, 2)) == 2
    table = cross_table(THREE, ["uniform", "greedy"], 60, 0)
    alone = play_match(THREE, [make_player(s, THREE) for s in ("greedy", "uniform", "uniform")], 60, 0)
    assert table.rates[1, 0] == alone.win_rates[0] > 1 / 3
    assert table.rates[0, 1] < 1 / 3
    assert table.half_widths[1, 0] == alone.half_widths[0]
    assert table.turns[1, 0] == alone.mean_turns


def test_a_wrong_spec_is_told():
    with pytest.raises(PlayerError, match="did you mean 'greedy'"):
        cross_table(TINY, ["uniform", "greedi"], 5, 0)


# --- the command


@pytest.fixture
def run(tmp_path, capsys):
    """Runs the command with a ledger and pictures of its own; its status and what it printed."""

    def command_of(words, *paths):
        where = ["--ledger", str(tmp_path / "ledger.sqlite"), "--out", str(tmp_path / "out")]
        status = command.main([*words.split(), *paths, *where])
        return status, capsys.readouterr()

    return command_of


def test_the_command_prints_tables_and_draws(run, tmp_path):
    status, printed = run("uniform greedy --ruleset tiny --deals 50 --change turn_limit=90")
    assert status == 0
    title, table, scale, ratings, leader, where = printed.out.strip().split("\n\n")
    assert title.startswith("tiny(turn_limit=90), 2 seats (red, yellow), 50 deals in 2 rotations, seed 0.")
    assert "an even match gives 50." in title
    names, first, second = table.splitlines()
    assert names.split() == ["uniform", "greedy"]
    assert first.split()[:2] == ["uniform", "-"]
    assert second.split()[0] == "greedy"
    assert float(first.split()[2]) + float(second.split()[1]) == pytest.approx(100, abs=0.2)
    assert scale == "Elo of all in the ledger, 0 is uniform; 95% intervals."
    assert [line.split()[0] for line in ratings.splitlines()] == ["Elo", "greedy", "uniform"]
    assert ratings.splitlines()[-1].split() == ["uniform", "0", "0", "0", "100"]
    assert leader.startswith("greedy leads with ")
    assert where.startswith("The matches are in ")
    assert {path.name for path in tmp_path.rglob("*.png")} == {"cross_table.png", "ratings.png"}
    for path in tmp_path.rglob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")


def test_the_command_goes_on_where_it_was_interrupted(run, monkeypatch):
    """Of three matches the second is interrupted; then the first is not played again."""
    played = []

    def interrupted(game, players, *rest):
        played.append([player.spec for player in players])
        if len(played) == 2:
            raise KeyboardInterrupt
        return play_match(game, players, *rest)

    monkeypatch.setattr(ledger, "play_match", interrupted)
    words = "uniform greedy heuristic --ruleset tiny --deals 6"
    status, printed = run(words)
    assert status == 130
    assert "the same command goes on" in printed.err
    status, printed = run(words)
    assert status == 0
    assert played == [["greedy", "uniform"], *[["heuristic", "uniform"]] * 2, ["greedy", "heuristic"]]
    assert printed.out == run(words)[1].out


def test_the_command_takes_luck_off_and_seats_mixed_tables(run, tmp_path):
    game, path = variant("tiny", 3), str(tmp_path / "net.safetensors")
    layers = ((np.full((1, game.num_features), 0.01, np.float32), np.zeros(1, np.float32)),)
    save_checkpoint(path, checkpoint_of("value", game, layers))
    words = "uniform greedy heuristic --ruleset tiny --seats 3 --deals 4"
    plain, lucky = run(words)[1].out, run(f"{words} --mixed 1 --luck", path)[1].out
    assert "Luck as " in lucky
    assert "is taken off" in lucky
    assert plain.split("\n\n")[1] != lucky.split("\n\n")[1]
    games = [text.split("\n\n")[3].splitlines()[1].split()[-1] for text in (plain, lucky)]
    assert games == ["48", "60"]


def test_players_who_never_met_are_not_rated(run):
    run("uniform greedy --ruleset tiny --deals 4")
    status, printed = run("heuristic heuristic?without=danger --ruleset tiny --deals 4")
    assert status == 0
    assert "No ratings: 2 groups have never met: (greedy, uniform) and (heuristic, heuristic?without=" in printed.out


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("uniform", "two players or more"),
        ("uniform gredy", "did you mean 'greedy'"),
        ("uniform heuristic?without=dangr", "did you mean 'danger'"),
        ("uniform nobody.safetensors", "nobody.safetensors"),
        ("uniform greedy --ruleset clasic", "did you mean 'classic'"),
        ("uniform greedy --seats 5", "2, 3 or 4 seats"),
        ("uniform greedy --seats red,purple", "unknown colour 'purple'"),
        ("uniform greedy --change turnlimit=9", "did you mean 'turn_limit'"),
        ("uniform greedy --change turn_limit", "write FIELD=VALUE"),
        ("uniform greedy --deals 0", "one deal or more"),
        ("uniform greedy --seed -1", "a whole number from 0"),
        ("uniform greedy --mixed -1", "a number of tables"),
        ("uniform greedy --mixed 5 --seats 3", "a different player for each of 3 seats"),
        ("uniform greedy --luck greedy", "give a value net's checkpoint"),
        ("uniform greedy --luck none.safetensors", "none.safetensors"),
    ],
)
def test_the_command_says_in_a_line_what_is_wrong(run, words, remedy):
    status, printed = run(words)
    assert status == 2
    assert printed.out == ""
    assert printed.err.startswith("arena: ")
    assert printed.err.count("\n") == 1
    assert remedy in printed.err


# --- pictures


def test_names_fit():
    assert short("heuristic") == "heuristic"
    assert short("runs/" + "x" * 40) == "..." + "x" * 27


def test_pictures_of_tables_with_gaps_and_of_endless_intervals(tmp_path):
    table = CrossTable(("a", "b"), np.array([[np.nan, 0.25], [0.3, np.nan]]), np.full((2, 2), np.inf), np.zeros((2, 2)))
    cross_table_picture(table, tmp_path / "table.png", "title", 0.25)
    none = np.zeros(2)
    rating_plot(Ratings(("a", "b"), none, none, none, none.astype(int), None), tmp_path / "ratings.png", "title")
    assert len(list(tmp_path.glob("*.png"))) == 2
