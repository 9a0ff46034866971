import numpy as np
import pytest

from agents.arena import MatchResult, mixed_tables
from agents.ratings import ELO, RatingError, Record, rate, record_of
from sorry_env import SorryError, variant


def won(share, deals=100, seed=0, names=("a", "b")):
    """A match of two in which the first wins so many of the deals."""
    first = (np.arange(deals) < round(share * deals)).astype(float)
    return Record(names, np.stack([first, 1 - first], axis=1), seed, 1)


def simulated(strengths, entrants, deals, seed, games=1):
    """A match of players whose chances are those of the model."""
    worth = np.exp([strengths[name] for name in entrants])
    rng = np.random.default_rng([seed, *map(ord, "".join(entrants))])
    winners = rng.choice(len(entrants), size=(deals, games), p=worth / worth.sum())
    return Record(tuple(entrants), np.eye(len(entrants))[winners].mean(axis=1), seed, games)


def elo(ratings):
    return dict(zip(ratings.names, ratings.elo, strict=True))


# --- answers that are known


@pytest.mark.parametrize("share", [0.5, 0.64, 0.9])
def test_two_players_are_as_far_apart_as_their_odds(share):
    found = rate([won(share, 1000)], anchor="b", prior=1)
    odds = (1000 * share + 0.5) / (1000 * (1 - share) + 0.5)
    assert elo(found) == pytest.approx({"a": 400 * np.log10(odds), "b": 0})
    assert found.games.tolist() == [1000, 1000]


def test_one_against_three_of_a_kind():
    """With w / (w + 3) of the games, w is three times the odds."""
    scores = np.zeros((100, 4))
    scores[:40, 0], scores[40:, 1] = 1, 1
    found = rate([Record(("a", "b", "b", "b"), scores, 0, 1)], anchor="b", prior=1e-9)
    assert elo(found)["a"] == pytest.approx(400 * np.log10(3 * 40 / 60))


def test_players_whose_results_fit_together_get_just_these_strengths():
    """Scores are the model's own chances, so that the fit must find them, beside a prior that is nearly nothing."""
    true = {"a": 1.0, "b": 0.3, "c": -1.3}
    records = []
    for pair in ("ab", "bc", "ca"):
        chance = 1 / (1 + np.exp(true[pair[1]] - true[pair[0]]))
        records.append(Record(tuple(pair), np.full((50, 2), [chance, 1 - chance]), 0, 2))
    found = rate(records, prior=1e-9)
    assert elo(found) == pytest.approx({name: ELO * strength for name, strength in true.items()})
    assert found.names == ("a", "b", "c")
    assert found.anchor is None
    assert found.high - found.low == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_true_strengths_lie_within_the_intervals(size):
    """95% of them; of 200 here, so between 90% and 99%."""
    names, rng, inside = "abcdef", np.random.default_rng(size), []
    for seed in range(40):
        true = dict(zip(names, [0, *rng.normal(0, 0.8, 5)], strict=True))
        tables = [names[k:] + names[:k] for k in range(6)] + ["acebdf", "adbecf"]
        found = rate([simulated(true, list(t[:size]), 150, seed) for t in tables], "a", resamples=200)
        for name, low, high in zip(found.names, found.low, found.high, strict=True):
            inside += [low <= ELO * true[name] <= high] if name != "a" else []
    assert 0.90 <= np.mean(inside) <= 0.99


def test_with_two_seats_a_table_of_several_is_a_match_of_two():
    """c never wins and hardly counts: what is left of Plackett-Luce is Bradley-Terry."""
    two = won(0.7, 1000)
    three = Record(("a", "b", "c"), np.column_stack([two.scores, np.zeros(1000)]), 0, 1)
    assert elo(rate([two], "b"))["a"] == pytest.approx(elo(rate([three], "b", prior=1e-6))["a"], abs=0.5)


def test_scores_less_their_luck_are_scores():
    """Outside 0..1 in a deal, they have the same mean."""
    plain = won(0.7, 1000)
    lucky = Record(plain.entrants, plain.scores + np.resize([[0.8, -0.8], [-0.8, 0.8]], (1000, 2)), 0, 1)
    assert elo(rate([plain], "b")) == pytest.approx(elo(rate([lucky], "b")))
    never = Record(("a", "b"), np.full((10, 2), [1.1, -0.1]), 0, 1)
    assert np.isfinite(rate([never], "b").elo).all()


# --- intervals


def test_intervals_are_those_of_the_spread_of_deals():
    """The normal one of the win rate, carried over to the scale."""
    found = rate([won(0.6, 2000)], anchor="b", resamples=4000)
    width = ELO * 1.96 * np.sqrt(0.6 * 0.4 / 2000) / (0.6 * 0.4)
    assert (found.high[0] - found.low[0]) / 2 == pytest.approx(width, rel=0.06)
    assert found.low[1] == found.high[1] == 0


def test_the_unit_of_chance_is_the_deal():
    """Two games of a deal that always end alike say as much as one."""
    deal = won(0.6, 500)
    widths = [np.ptp([f.low[0], f.high[0]]) for f in (rate([r], "b") for r in (deal, Record(*vars(deal).values())))]
    twice = rate([Record(deal.entrants, deal.scores, 0, 2)], "b")
    assert widths[0] == widths[1]
    assert twice.high[0] - twice.low[0] == pytest.approx(widths[0], rel=0.02)


def test_matches_with_the_same_deals_share_their_luck():
    """b and c have the same results against a in every deal: between them nothing is uncertain."""
    shared = rate([won(0.6, 300), won(0.6, 300, names=("a", "c"))], "b")
    apart = rate([won(0.6, 300), won(0.6, 300, seed=1, names=("a", "c"))], "b")
    c = shared.names.index("c")
    assert shared.high[c] - shared.low[c] == pytest.approx(0, abs=1e-6)
    assert apart.high[apart.names.index("c")] - apart.low[apart.names.index("c")] > 50


def test_ratings_of_the_same_matches_are_the_same():
    one, other = (rate([won(0.6, 50), won(0.3, 80, 1)]) for _ in range(2))
    assert one.low.tobytes() == other.low.tobytes()


# --- what cannot be


def test_who_wins_everything_is_as_strong_as_the_prior_lets():
    found = rate([won(1.0, 200)], anchor="b", prior=1)
    assert elo(found)["a"] == pytest.approx(400 * np.log10(200.5 / 0.5))
    assert rate([won(1.0, 200)], anchor="b", prior=0.1).elo[0] > found.elo[0]


def test_groups_that_never_met_are_named():
    apart = [won(0.5), won(0.5, names=("c", "d")), won(0.5, names=("d", "e"))]
    with pytest.raises(RatingError, match=r"2 groups have never met: \(a, b\) and \(c, d, e\); play a match between"):
        rate(apart)
    assert len(rate([*apart, won(0.5, names=("a", "e"))]).names) == 5


@pytest.mark.parametrize(
    ("records", "arguments", "remedy"),
    [
        ([], {}, "no match of two different players"),
        ([won(0.5, names=("a", "a"))], {}, "no match of two different players"),
        ([won(0.5)], {"anchor": "aa"}, "the anchor 'aa' has not played; did you mean 'a'"),
        ([won(0.5)], {"prior": 0}, "prior=0: a positive number"),
        ([won(0.5)], {"prior": float("nan")}, "prior=nan: a positive number"),
        ([won(1, 1)], {}, "the table of a, b has a single deal"),
    ],
)
def test_what_cannot_be_rated_is_told(records, arguments, remedy):
    with pytest.raises(RatingError, match=remedy):
        rate(records, **arguments)


# --- from matches


def test_a_match_of_teams_has_two_entrants():
    returns = np.tile([1.0, -1, 1, -1], (5, 4, 1))
    result = MatchResult(("a", "b", "a", "b"), returns, np.zeros((5, 4), np.int64), sides=2)
    record = record_of(result, 7)
    assert (record.entrants, record.seed, record.games) == (("a", "b"), 7, 4)
    assert record.scores.tolist() == [[1, 0]] * 5
    assert record_of(result, 7, ["a", "b", "c", "b"]).entrants == ("a + c", "b")


def test_mixed_tables_have_different_players_and_none_comes_twice():
    game = variant("classic", 3)
    tables = mixed_tables(game, 5, 6, seed=1)
    assert len({frozenset(table) for table in tables}) == len(tables) == 6
    assert all(len(set(table)) == 3 for table in tables)
    assert len(mixed_tables(game, 5, 100, seed=1)) == 10
    assert tables == mixed_tables(game, 5, 6, seed=1) != mixed_tables(game, 5, 6, seed=2)
    for wrong in (game, variant("teams_1939", 4)):
        with pytest.raises(SorryError, match="mixed tables need a different player for each"):
            mixed_tables(wrong, 2 if wrong is game else 6, 1, 0)
