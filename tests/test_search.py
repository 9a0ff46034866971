"""The search: what it finds is what a slow reference finds, which looks at one state after another."""

import re
from itertools import count

import numpy as np
import pytest

from agents.arena import play_match
from positions import game_at
from sorry_env import CheckpointError, PlayerError, lanes, variant
from sorry_env.checkpoint import checkpoint_of, save_checkpoint
from sorry_env.players import AfterstatePlayer, Leaf, make_player
from sorry_env.players.network import Network
from sorry_env.players.search import Search
from sorry_env.players.simple import Greedy
from sorry_env.random import generators
from sorry_env.verbs import CHANCE

pytestmark = pytest.mark.usefixtures("toy")

KINDS = [
    ("classic", 2),
    ("classic", 3),
    ("classic", 4),
    ("teams_1939", 4),
    ("teams_modern", 4),
    ("fire_and_ice", 2),
    ("not_sorry", 3),
    ("bump_em", 2),
    ("parcheesi", 2),
    ("express", 2),
    ("express", 3),
    ("points_modern", 2),
    ("points_1939", 3),
    ("tiny", 4),
    ("toy_race", 3),
]


class Guess(AfterstatePlayer):
    """A leaf that knows nothing but the ends: numbers that hang together with what is seen, at random."""

    def __init__(self, game):
        super().__init__(game, "guess")
        self.weights = np.random.default_rng(7).normal(0, 0.3, game.num_features)

    def values(self, after, seats):
        found = np.tanh(np.einsum("nf,f->n", self.game.encode(after, seats).astype(np.float64), self.weights))
        returns = self.game.returns(after)[np.arange(len(after)), seats]
        return np.where(after["over"] != 0, returns, found)

    scores = values


class Lead(Guess):
    """A leaf that counts steps."""

    def values(self, after, seats):
        found = np.tanh(Greedy(self.game).scores(after, seats) / 60)
        returns = self.game.returns(after)[np.arange(len(after)), seats]
        return np.where(after["over"] != 0, returns, found)

    scores = values


@pytest.fixture(params=KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def game(request):
    return variant(*request.param)


def some_states(game, number, seed=0):
    """(number,) STATE in which a seat has to choose, some turns into games at random, with all hands open."""
    states, rng, lots = game.new_states(number), generators(seed, number), generators(seed + 1, number)
    game.reset(states, rng)
    actions = np.zeros(number, np.int64)
    for turn in count():
        left = np.flatnonzero((turn < 12 * np.arange(number)) | (game.legal_counts(states) < 2))
        if not len(left):
            return states
        moving, cards, own = states[left], rng[left], lots[left]
        lanes.uniform_lanes(moving, game.rules, own, actions[: len(left)])
        game.play(moving, actions[: len(left)])
        game.draw(moving, cards)
        fresh = np.flatnonzero(moving["over"])
        begun, more = moving[fresh], cards[fresh]
        game.reset(begun, more)
        moving[fresh], cards[fresh] = begun, more
        states[left], rng[left], lots[left] = moving, cards, own


# --- the reference: one state at a time


class Reference:
    """The value of an afterstate by its definition."""

    def __init__(self, game, leaf, width=None):
        self.game, self.leaf, self.width = game, leaf, width
        self.known = {}

    def value(self, state, seat, depth):
        question = (state.tobytes(), seat, depth)
        if question not in self.known:
            self.known[question] = self.found(state, seat, depth)
        return self.known[question]

    def found(self, state, seat, depth):
        if depth == 0:
            return self.leaf.values(state, np.array([seat]))[0]
        if state["over"][0]:
            return self.game.returns(state)[0, seat]
        if state["due"][0] < CHANCE:
            return self.decided(state, seat, depth)
        return self.expected(state, seat, depth)

    def expected(self, state, seat, depth):
        total = 0.0
        for outcome, chance in self.game.odds(state):
            dealt = state.copy()
            self.game.deal(dealt, outcome)
            waits = dealt["due"][0] >= CHANCE and not dealt["over"][0]
            total += chance * (self.expected if waits else self.after_chance)(dealt, seat, depth)
        return total

    def after_chance(self, state, seat, depth):
        if state["over"][0]:
            return self.game.returns(state)[0, seat]
        return self.decided(state, seat, depth - 1)

    def decided(self, state, seat, depth):
        mover = int(state["seat"][0])
        options = [self.played(state, action) for action in self.game.legal_ids(state)]
        if depth and self.width:
            likes = [-self.value(option, mover, 0) for option in options]
            options = [options[k] for k in sorted(np.argsort(likes, kind="stable")[: self.width])]
        best = max(options, key=lambda option: self.value(option, mover, depth))
        hidden = self.game.ruleset.name.startswith("points")  # a leaf looks at the hand of the seat that it answers for
        if not hidden and (self.game.seats == 2 or self.game.ruleset.partners):
            return self.value(best, mover, depth) * (1 if (mover - seat) % 2 == 0 else -1)
        return self.value(best, seat, depth)

    def played(self, state, action):
        after = state.copy()
        self.game.play(after, np.array([action]))
        return after


def some_afterstates(game, number, seed=0):
    """(number,) STATE and (number,) seats at random."""
    rng = np.random.default_rng(seed)
    after = game.afterstates(some_states(game, 2 * number, seed))[0]
    which = np.sort(rng.choice(len(after), min(len(after), number), replace=False))
    return after[which], rng.integers(game.seats, size=len(which))


def agree(game, number, depth, width=None, leaf=None):
    agree_on(game, *some_afterstates(game, number), depth, width, leaf or Guess(game))


def agree_on(game, after, seats, depth, width, leaf):
    found = Search(game, leaf=leaf, depth=depth, width=width).scores(after, seats)
    reference = Reference(game, leaf, width)
    expected = [reference.value(after[i : i + 1], seats[i], depth) for i in range(len(after))]
    assert found == pytest.approx(expected, abs=1e-12)


def test_one_turn_deep_it_finds_what_the_reference_finds(game):
    agree(game, 2 if game.ruleset.name == "express" else 4, depth=1)


@pytest.mark.parametrize(
    "kind", [("classic", 2), ("classic", 3), ("not_sorry", 2), ("tiny", 3), ("toy_race", 3)], ids=str
)
def test_two_turns_deep_too_with_the_actions_that_the_leaf_likes_best(kind):
    agree(variant(*kind), 2, depth=2, width=2)


@pytest.mark.parametrize("kind", [("classic", 2), ("classic", 3), ("bump_em", 2)], ids=str)
def test_two_turns_deep_too_with_one_action_each(kind):
    agree(variant(*kind), 4, depth=2, width=1)


@pytest.mark.parametrize("kind", [("classic", 3), ("classic", 4), ("toy_race", 3)], ids=str)
def test_of_what_is_equal_for_its_mover_the_first_counts_for_the_others(kind):
    class Coarse(Guess):
        def values(self, after, seats):
            return np.round(Guess.values(self, after, seats))

    game = variant(*kind)
    agree(game, 12, depth=1, leaf=Coarse(game))


def test_at_the_first_decision_too_only_so_many_actions_count(game):
    states, leaf = game.view(some_states(game, 12)), Guess(game)
    actions, counts = game.legal_actions(states)
    likes = leaf.action_scores(states, actions, counts, generators(1, 12))
    found = Search(game, leaf=leaf, width=2, samples=1).action_scores(states, actions, counts, generators(1, 12))
    for own, scores in zip(*(np.split(part, np.cumsum(counts)[:-1]) for part in (likes, found)), strict=True):
        assert sorted(np.argsort(-own, kind="stable")[:2]) == np.flatnonzero(np.isfinite(scores)).tolist()


def test_chance_that_is_due_again_at_once_takes_no_depth():
    """A third doublet ends the turn, and the next roll follows (P9)."""
    game = variant("parcheesi", 3)
    after, seats = some_afterstates(game, 300)
    dealt, _, counts = game.chances(after)
    again = np.repeat(np.arange(len(after)), counts)[(dealt["due"] >= CHANCE) & (dealt["over"] == 0)]
    assert len(again)
    agree_on(game, after[again[:1]], seats[again[:1]], 1, None, Guess(game))


def test_a_toy_three_turns_deep_with_all_actions():
    agree(variant("toy_race", 2), 3, depth=3)
    agree(variant("toy_race", 4), 2, depth=3)


def test_the_toy_is_seen_through_to_its_end():
    """Who is to move needs one step more, the other one any: a win now, or else never."""
    game = variant("toy_race", 2)
    state = game.new_states(1)
    state["turns"], state["due"], state["seat"], state["steps"][0, :2] = 1, 1, 0, [7, 7]
    after, actions, _ = game.afterstates(state)
    found = Search(game, leaf=Guess(game), depth=2).scores(after, np.zeros(len(after), int))
    assert actions.tolist() == [0, 1]
    assert found.tolist() == [-1, 1]


# --- what does not matter


def same_whatever_is_looked_at_together(game, depth):
    after, seats = some_afterstates(game, 4)
    found = [
        Search(game, leaf=Guess(game), depth=depth, width=2, together=together).scores(after, seats)
        for together in (1, 50, 10**6)
    ]
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


def test_how_many_are_looked_at_together_does_not_matter(game):
    same_whatever_is_looked_at_together(game, depth=1)


@pytest.mark.parametrize("kind", [("classic", 2), ("classic", 3), ("teams_modern", 4)], ids=str)
def test_how_many_are_looked_at_together_does_not_matter_two_turns_deep(kind):
    same_whatever_is_looked_at_together(variant(*kind), depth=2)


def test_a_batch_is_as_many_single_questions_and_the_same_lots_give_the_same_choices(game):
    states = game.view(some_states(game, 6))
    player = Search(game, leaf=Guess(game), depth=1, width=2, samples=2)
    together, alone = generators(5, 6), generators(5, 6)
    before = states.tobytes()
    actions = player.choose(states, together)
    assert game.legal_mask(states)[np.arange(6), actions].all()
    for i in range(6):
        lots = alone[i : i + 1]
        assert player.choose(states[i : i + 1], lots) == actions[i]
        alone[i : i + 1] = lots
    assert alone.tolist() == together.tolist()
    assert states.tobytes() == before


def test_where_nobody_can_act_it_chooses_action_0(game):
    states = game.view(some_states(game, 3))
    states["due"][:2], states["over"][0] = CHANCE, 1
    player = Search(game, leaf=Guess(game), samples=2)
    assert player.choose(states[:2], generators(1, 2)).tolist() == [0, 0]
    assert player.choose(states[:0], generators(1, 0)).tolist() == []
    both = player.choose(states, generators(1, 3))
    assert both[2] == player.choose(states[2:], generators(1, 3)[2:])


# --- what it comes to


def test_at_depth_0_it_plays_what_its_leaf_plays(game):
    leaf, states = Guess(game), game.view(some_states(game, 40))
    for player in (Search(game, leaf=leaf, depth=0), Search(game, leaf=leaf, depth="0", width="1")):
        assert player.choose(states, generators(3, 40)).tolist() == leaf.choose(states, generators(3, 40)).tolist()


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_sure_win_is_taken_whatever_the_leaf_likes(depth):
    class Contrary(Lead):
        def scores(self, after, seats):
            found = Lead.values(self, after, seats)
            return np.where(after["over"] != 0, found, -found)

        values = scores

    game = game_at("10", red=["home", "home", "home", 58], yellow=[10, 20])
    for width in (None, 1):
        player = Search(game.variant, leaf=Contrary(game.variant), depth=depth, width=width)
        (action,) = player.choose(game.states, generators(1, 1))
        assert game.after(action).is_over


def test_it_sees_how_the_other_side_could_win_and_prevents_it():
    class Blind(Guess):
        """Knows nothing at all."""

        def values(self, after, seats):
            return self.game.returns(after)[np.arange(len(after)), seats]

        scores = values

    game = game_at("5", red=[25, 40], yellow=["home", "home", "home", 30])  # where an 8 would win
    states = np.repeat(game.states, 50)
    chosen = [
        {game.text(action) for action in player.choose(states, generators(1, 50))}
        for player in (Search(game.variant, leaf=Blind(game.variant), depth=depth) for depth in (0, 1))
    ]
    assert chosen == [{"5: red 25>30 bumps yellow", "5: red 40>45"}, {"5: red 25>30 bumps yellow"}]


# --- hidden hands


@pytest.mark.parametrize("kind", [("points_modern", 2), ("points_1939", 3)], ids=str)
def test_hidden_hands_are_dealt_anew_and_their_values_averaged(kind):
    game = variant(*kind)
    states = some_states(game, 2, seed=5)
    views, leaf, samples = game.view(states), Guess(game), 3
    player = Search(game, leaf=leaf, samples=samples)
    actions, counts = game.legal_actions(views)
    rng, same = generators(8, 2), generators(8, 2)
    found = player.action_scores(views, actions, counts, rng)
    expected, reference, movers = np.zeros(len(actions)), Reference(game, leaf), np.repeat(states["seat"], counts)
    for _ in range(samples):
        after = game.after(game.determinize(views, states["seat"], same), actions, counts)
        expected += [reference.value(after[i : i + 1], int(movers[i]), 1) for i in range(len(after))]
    assert found == pytest.approx(expected / samples, abs=1e-12)
    assert rng.tolist() == same.tolist()


def test_what_is_hidden_does_not_matter():
    game = variant("points_modern", 2)
    states = some_states(game, 5)
    other = game.determinize(states, states["seat"], generators(6, 5))
    assert states.tobytes() != other.tobytes()
    player = Search(game, leaf=Guess(game), samples=2)
    chosen = [player.choose(game.view(one), generators(1, 5)).tolist() for one in (states, other)]
    assert chosen[0] == chosen[1]


def test_where_nothing_is_hidden_samples_do_not_matter():
    game = variant("classic", 2)
    states = some_states(game, 5)
    actions, counts = game.legal_actions(states)
    found = []
    for samples in (1, 50):
        rng = generators(1, 5)
        found.append(Search(game, leaf=Guess(game), samples=samples).action_scores(states, actions, counts, rng))
        assert rng.tolist() == generators(1, 5).tolist()
    assert found[0].tobytes() == found[1].tobytes()


# --- strength


@pytest.fixture(scope="module")
def solved():
    """Tiny with two seats, by value iteration: the game, all states with a card, and their actions' values.

    The states are (N,) STATE; the values are (M,) float64 in the order of `afterstates`, for the seat to move, when
    both sides play their best from then on.
    """
    game = variant("tiny", 2)
    nodes = reachable(game)
    states, odds, cards = game.chances(nodes)
    after, _, counts = game.afterstates(states)
    number = {key: i for i, key in enumerate(keys(nodes))}
    leads = np.array([number[key] for key in keys(after)])
    sign, owner = np.where(states["seat"] == 0, 1.0, -1.0), np.repeat(np.arange(len(nodes)), cards)
    ends, able = game.returns(nodes)[:, 0], counts > 0
    values, begins, change = ends.copy(), (np.cumsum(counts) - counts)[able], 1.0
    while change > 1e-12:
        best = np.zeros(len(states))
        best[able] = sign[able] * np.maximum.reduceat(np.repeat(sign, counts) * values[leads], begins)
        following = np.where(nodes["over"] != 0, ends, np.bincount(owner, odds * best, len(nodes)))
        change, values = np.abs(following - values).max(), following
    return game, states, np.repeat(sign, counts) * values[leads]


def reachable(game):
    """(K,) STATE: the beginning, and all that afterstates can be; how many turns it took does not matter."""
    found = game.new_states(1)
    game.new_game(found, generators(1, 1), 0)
    known = dict(zip(keys(found), found, strict=True))
    while len(found):
        after = game.afterstates(game.chances(found)[0])[0]
        fresh = {key: one for key, one in zip(keys(after), after, strict=True) if key not in known}
        known |= fresh
        found = np.array(list(fresh.values()), after.dtype)
    return np.array(list(known.values()), game.family.state)


def keys(states):
    states = states.copy()
    states["turns"] = 1
    return [one.tobytes() for one in states]


@pytest.fixture(scope="module")
def questions(solved):
    """Of the states in which there is something to choose 1,500, their actions' values, and how many those are."""
    game, states, values = solved
    counts = game.legal_counts(states)
    which = np.sort(np.random.default_rng(0).choice(np.flatnonzero(counts > 1), 1500, replace=False))
    asked = np.isin(np.repeat(np.arange(len(states)), counts), which)
    return states[which], values[asked], counts[which]


def regret_and_error(player, states, values, counts):
    """What the best scores lose against the best values, and how wrong scores are, on average."""
    scores = player.action_scores(states, player.game.legal_actions(states)[0], counts, generators(1, len(states)))
    chosen, best = np.empty((2, len(states)), np.int64)
    lanes.best_lanes(scores, counts, generators(2, len(states)), chosen)
    lanes.best_lanes(values, counts, generators(2, len(states)), best)
    return (values[best] - values[chosen]).mean(), np.abs(scores - values).mean()


def test_in_tiny_which_is_solved_exactly_a_deeper_search_comes_closer_to_the_best_play(solved, questions):
    game = solved[0]
    found = [regret_and_error(Search(game, leaf=Lead(game), depth=depth), *questions) for depth in range(3)]
    (regret_0, error_0), (regret_1, error_1), (regret_2, error_2) = found
    assert regret_0 > 1.3 * regret_1 > 1.3 * 1.3 * regret_2 > 0
    assert error_0 > 1.1 * error_1 > 1.1 * 1.1 * error_2 > 0


def test_with_an_exact_leaf_every_depth_is_exact(solved, questions):
    game, states, values = solved
    after = game.afterstates(states)[0]
    movers = np.repeat(states["seat"], game.legal_counts(states))
    table = dict(zip(keys(after), np.where(movers == 0, values, -values), strict=True))

    class Exact(AfterstatePlayer):
        def values(self, after, seats):
            return np.array([table[key] for key in keys(after)]) * np.where(seats == 0, 1, -1)

        scores = values

    few = [part[:n] for part, n in zip(questions, (60, questions[2][:60].sum(), 60), strict=True)]
    for depth in range(3):
        regret, error = regret_and_error(Search(game, leaf=Exact(game, "exact"), depth=depth), *few)
        assert max(regret, error) < 1e-9


def test_a_search_is_stronger_than_its_leaf():
    game = variant("classic", 2)
    leaf = Lead(game)
    result = play_match(game, [Search(game, leaf=leaf, depth=1), leaf], 300, 1)
    assert result.win_rates[0] - result.half_widths[0] > 0.5


# --- spec strings


@pytest.fixture
def checkpoint(tmp_path):
    """The path of a value net for tiny."""
    game = variant("tiny", 2)
    weights = np.random.default_rng(0).normal(size=(1, game.num_features)).astype(np.float32)
    path = tmp_path / "a (small) net.safetensors"
    save_checkpoint(path, checkpoint_of("value", game, ((weights, np.zeros(1, np.float32)),)))
    return path


def test_a_spec_names_everything_and_makes_the_player_again(checkpoint, monkeypatch):
    game = variant("tiny", 2)
    monkeypatch.chdir(checkpoint.parent)
    for path in (checkpoint, checkpoint.name, f"({checkpoint})"):
        spec = f"search?depth=2&leaf={path}&width=3&samples=5"
        player = make_player(spec, game)
        assert (type(player), player.game, player.spec) == (Search, game, spec)
        assert (player.depth, player.width, player.samples) == (2, 3, 5)
        assert (type(player.leaf), player.leaf.spec) == (Network, str(path).removeprefix("(").removesuffix(")"))
        assert make_player(player.spec, game).leaf.spec == player.leaf.spec


def test_a_checkpoint_is_a_leaf_and_its_values_are_its_scores(checkpoint):
    game = variant("tiny", 2)
    leaf = make_player(checkpoint, game)
    assert isinstance(leaf, Leaf)
    after, seats = some_afterstates(game, 20)
    assert leaf.values(after, seats).tolist() == leaf.scores(after, seats).tolist()
    states = some_states(game, 20)
    player = make_player(f"search?depth=0&leaf={checkpoint}", game)
    assert player.choose(states, generators(1, 20)).tolist() == leaf.choose(states, generators(1, 20)).tolist()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "search",
            "has no leaf; name champion, a value checkpoint, race or optimal: search?leaf=FILE.safetensors",
        ),
        ("search?leaf=", "has no leaf"),
        (
            "search?leaf=greedy",
            "the leaf 'greedy' does not say what return it expects; take champion, a value checkpoint",
        ),
        ("search?leaf=heuristic", "the leaf 'heuristic' does not say what return it expects"),
        ("search?leaf=(heuristic?without=danger)", "the leaf 'heuristic?without=danger' does not say"),
        ("search?leaf=uniform", "the leaf 'uniform' does not say"),
        ("search?leaf=(search?leaf=greedy)", "the leaf 'greedy' does not say"),
        ("search?leaf=unifrom", "unknown player 'unifrom'; did you mean 'uniform'?"),
        ("search?leaf=(uniform?seed=1&depth=2)", "'uniform?seed=1&depth=2' has no option 'seed'; it has none"),
        ("search?leaf=(uniform", "'search?leaf=(uniform': the parentheses do not match"),
        ("search?leaf=uniform)&depth=1", "the parentheses do not match"),
        ("search?leaf=uniform)(", "the parentheses do not match"),
        ("search?dept=1&leaf=uniform", "has no option 'dept'; did you mean 'depth'?"),
        ("search?depth=1&depth=2", "gives an option twice"),
        ("search?depth=-1&leaf=uniform", "depth is '-1'; expected a whole number from 0 on"),
        ("search?depth=deep&leaf=uniform", "depth is 'deep'; expected a whole number from 0 on"),
        ("search?depth=1.5&leaf=uniform", "depth is '1.5'; expected a whole number from 0 on"),
        ("search?width=0&leaf=uniform", "width is '0'; expected a whole number from 1 on"),
        ("search?samples=0&leaf=uniform", "samples is '0'; expected a whole number from 1 on"),
    ],
)
def test_a_spec_that_cannot_be_is_refused_with_what_would_be_right(spec, message):
    with pytest.raises(PlayerError, match=re.escape(message)):
        make_player(spec, variant("tiny", 2))


def test_a_leaf_that_is_not_there_or_for_another_game_is_refused_by_name(checkpoint):
    with pytest.raises(CheckpointError, match=r"there is no checkpoint 'nowhere\.safetensors'"):
        make_player("search?leaf=nowhere.safetensors", variant("tiny", 2))
    with pytest.raises(CheckpointError, match="was made for tiny with 2 seats"):
        make_player(f"search?leaf={checkpoint}", variant("tiny", 3))
