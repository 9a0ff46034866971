"""Many games at once are as many single games: lanes and their chances do not know of each other."""

from itertools import pairwise

import numpy as np
import pytest

from sorry_env import Game, lanes, variant
from sorry_env.mlp import net_of, sparse_lanes
from sorry_env.random import generators, next_number
from sorry_env.sorry import engine
from sorry_env.sorry.board import COIN, DRAW, card_in_play
from sorry_env.sorry.rules import CARDS, EDITIONS
from strategies import random_states

LANES, TURNS = 24, 60


def uniform(game, states, rng):
    """A uniformly random legal action of each state."""
    actions = np.empty(len(states), np.int64)
    lanes.uniform_lanes(states, game.rules, rng, actions)
    return actions


def first_legal(game, states, rng):
    return game.legal_mask(states).argmax(axis=1)


def last_legal(game, states, rng):
    return game.num_actions - 1 - game.legal_mask(states)[:, ::-1].argmax(axis=1)


def begun(game, count, seed=1):
    """New games and their generators: of the cards, and of those who play."""
    states, rng = game.new_states(count), generators(seed, count)
    game.reset(states, rng)
    return states, rng, generators(seed + 1, count)


def advance(game, states, rng, players):
    """One action of uniform play in every lane; what was seen on the way."""
    seen = [game.encode(states), game.legal_mask(states), game.legal_counts(states)]
    seen += [game.view(states).copy(), game.determinize(states, 0, players)]
    after, actions, _ = game.afterstates(states)
    game.play(states, uniform(game, states, players))
    seen += [after, actions, game.returns(states), states.copy()]
    game.draw(states, rng)
    return seen


def lane(array, i):
    """A batch of one of the lanes."""
    return array[i : i + 1].copy()


def test_a_batch_is_as_many_games_played_one_by_one(kind):
    game = variant(*kind)
    states, rng, players = begun(game, LANES)
    states[::2] = random_states(game, LANES)[::2]
    single = [[lane(array, i) for array in (states, rng, players)] for i in range(LANES)]
    for _ in range(TURNS):
        together = advance(game, states, rng, players)
        alone = [advance(game, *arrays) for arrays in single]
        for seen, parts in zip(together, zip(*alone, strict=True), strict=True):
            assert seen.tobytes() == np.concatenate(parts).tobytes()
    assert states.tobytes() == np.concatenate([arrays[0] for arrays in single]).tobytes()


def test_the_first_lane_is_the_game_of_that_seed(kind):
    game = variant(*kind)
    states, rng, _ = begun(game, 3, seed=5)
    single = Game(*kind, seed=5)
    for _ in range(TURNS):
        assert single.states.tobytes() == states[:1].tobytes()
        assert single.legal() == game.legal_ids(states)
        game.play(states, first_legal(game, states, rng))
        game.draw(states, rng)
        if not single.is_over:
            single.play(single.legal()[0])


def test_afterstates_are_where_each_legal_action_leads_in_table_order(kind):
    game = variant(*kind)
    states = random_states(game, 40)
    after, actions, counts = game.afterstates(states)
    assert counts.tolist() == [len(game.legal_ids(states, i)) for i in range(len(states))]
    assert actions.tolist() == [a for i in range(len(states)) for a in game.legal_ids(states, i)]
    for i, action, then in zip(np.repeat(np.arange(len(states)), counts), actions, after, strict=True):
        single = Game.from_states(game, lane(states, i))
        assert single.after(int(action)).states[0].tobytes() == then.tobytes()


def test_afterstates_come_with_what_their_mover_or_another_seat_sees(kind):
    game = variant(*kind)
    states = random_states(game, 40)
    plain = game.afterstates(states)
    for viewers in (None, (states["seat"].astype(int) + 1) % game.seats):
        *found, features = game.observed_afterstates(states, viewers)
        assert [part.tobytes() for part in found] == [part.tobytes() for part in plain]
        seats = states["seat"] if viewers is None else viewers
        alone = [game.observed_afterstates(lane(states, i), lane(seats, i))[3] for i in range(len(states))]
        assert features.tobytes() == np.concatenate(alone).tobytes()
        assert features.tobytes() == game.encode(found[0], np.repeat(seats, found[2])).tobytes()


def test_many_legal_actions_find_room(kind):
    game = variant(*kind)
    states = random_states(game, 400, seed=4)
    most = int(game.legal_counts(states).argmax())
    crowded = np.repeat(states[most : most + 1], 3)
    actions, counts = game.legal_actions(crowded)
    assert counts.tolist() == [len(actions) // 3] * 3
    assert actions.tolist() == game.legal_ids(crowded) * 3


def test_finished_games_have_no_afterstates_and_stay_as_they_are(kind):
    game = variant(*kind, turn_limit=5)
    states, rng, players = begun(game, LANES)
    for _ in range(60):
        advance(game, states, rng, players)
    assert states["over"].all()
    before = states.copy()
    after, actions, counts = game.afterstates(states)
    assert len(after) == len(actions) == counts.sum() == 0
    game.play(states, np.zeros(LANES, int))
    game.draw(states, rng)
    assert states.tobytes() == before.tobytes()


# --- lanes


def test_lanes_may_stand_in_any_order(kind):
    game = variant(*kind)
    order = np.random.default_rng(3).permutation(LANES)
    straight = begun(game, LANES)
    shuffled = tuple(array[order].copy() for array in straight)
    for _ in range(TURNS):
        advance(game, *straight)
        advance(game, *shuffled)
    for one, other in zip(straight, shuffled, strict=True):
        assert one[order].tobytes() == other.tobytes()


def test_what_happens_in_one_lane_does_not_reach_the_others(kind):
    game = variant(*kind)
    calm, disturbed = begun(game, LANES), begun(game, LANES)
    disturbed[0][7] = random_states(game, 1)[0]
    disturbed[1][7] += np.uint64(12345)
    for _ in range(TURNS):
        advance(game, *calm)
        advance(game, *disturbed)
    changed = [one != other for one, other in zip(calm[0], disturbed[0], strict=True)]
    assert np.flatnonzero(changed).tolist() == [7]


def test_more_lanes_leave_the_first_ones_as_they_were(kind):
    game = variant(*kind)
    few, many = begun(game, 5), begun(game, LANES)
    for _ in range(TURNS):
        advance(game, *few)
        advance(game, *many)
    for one, other in zip(few, many, strict=True):
        assert one.tobytes() == other[:5].tobytes()


# --- generators


@pytest.mark.parametrize("seed", [0, 1, 2**63])
def test_the_first_generators_of_a_seed_are_the_same_whatever_their_number(seed):
    assert generators(seed, 3).tolist() == generators(seed, 1000)[:3].tolist()
    assert generators(seed, 3).tolist() == generators(np.random.SeedSequence(seed), 3).tolist()


def test_generators_differ_between_lanes_and_seeds():
    drawn = np.concatenate([generators(seed, 500) for seed in range(20)])
    assert len(np.unique(drawn)) == len(drawn)
    assert drawn.all()


def test_without_a_seed_generators_are_fresh():
    assert generators(None, 1).tolist() != generators(None, 1).tolist()


def cards(game, choose, count=100):
    """The first cards of each of eight lanes, a row each; -1 after the end of a game.

    With hands only those before the first shuffle: what comes back then is up to the players.
    """
    states, rng, players = game.new_states(8), generators(1, 8), generators(2, 8)
    game.new_game(states, rng)
    most = count if not game.ruleset.hand_size else game.ruleset.deck
    drawn = [[] for _ in states]
    while not all(len(own) >= most or over for own, over in zip(drawn, states["over"], strict=True)):
        for i, own in enumerate(drawn):
            while states[i]["due"] == DRAW and not states[i]["over"]:
                own.append(draw_one(game, states, rng, i))
        game.draw(states, rng)
        game.play(states, choose(game, states, players))
    return np.array([(own + [-1] * most)[:most] for own in drawn])


def draw_one(game, states, rng, i):
    """Draw one card in a lane, and tell which."""
    held = states[i]["hands"].sum(axis=0)
    engine.draw(states[i], game.rules[0], next_number(rng, i))
    if game.ruleset.hand_size:
        return int((states[i]["hands"].sum(axis=0) - held).argmax())
    return CARDS.index(card_in_play(int(states[i]["due"])) or "question")


def same_until_an_end(one, other):
    """Whether the cards agree as long as both games run, which is long enough to tell."""
    both = (one >= 0) & (other >= 0)
    assert both.sum() > 150
    return (one == other)[both].all()


def test_the_same_seed_gives_the_same_cards_whatever_is_played(kind):
    game = variant(*kind)
    chosen = cards(game, first_legal)
    assert same_until_an_end(chosen, cards(game, last_legal))
    assert same_until_an_end(chosen, cards(game, uniform))


@pytest.mark.parametrize("name", [rules.name for rules in EDITIONS if len(rules.seat_counts) > 1])
def test_the_same_seed_gives_the_same_cards_in_every_seating(name):
    chosen = cards(variant(name, 4), uniform)
    for seats in (2, 3, ["blue", "yellow"], ["green", "red", "blue"]):
        assert same_until_an_end(chosen, cards(variant(name, seats), first_legal))


def test_the_same_seed_gives_the_same_cards_to_whoever_begins():
    game = variant("classic", 4)
    firsts = []
    for first in (None, 0, 3):
        states, rng = game.new_states(LANES), generators(4, LANES)
        game.reset(states, rng, first)
        firsts.append((states["due"].tolist(), rng.tolist()))
        assert first is None or (states["seat"] == first).all()
    assert firsts[0] == firsts[1] == firsts[2]


def test_a_new_game_with_its_card_drawn_is_a_reset_one(kind):
    game = variant(*kind)
    states, rng, _ = begun(game, LANES)
    other, other_rng = game.new_states(LANES), generators(1, LANES)
    game.new_game(other, other_rng)
    assert (other["due"] == DRAW).all()
    assert not other["hands"].any()
    game.draw(other, other_rng)
    assert states.tobytes() == other.tobytes()
    assert rng.tolist() == other_rng.tolist()


def test_a_refill_follows_the_odds():
    line = (
        "points_1939; red 1 2 3 4; yellow 5 6 7 8; to yellow; pile 3 0 1 0 0 1 0 0 1 0 2; "
        "hand red 3 4 5 7; hand yellow 3 4 5 7 8"
    )
    game, states = variant("points_1939", 2), np.repeat(Game.from_position(line).states, 20_000)
    odds = game.odds(states)
    assert [(CARDS[card], chance) for card, chance in odds] == [
        ("1", 3 / 8),
        ("3", 1 / 8),
        ("7", 1 / 8),
        ("11", 1 / 8),
        ("sorry", 2 / 8),
    ]
    before = states["hands"][:, 0].copy()
    game.draw(states, generators(8, len(states)))
    assert (states["hands"].sum(axis=2)[:, :2] == 5).all()
    shares = (states["hands"][:, 0] - before).mean(axis=0)
    for card, chance in odds:
        assert abs(shares[card] - chance) <= 4 * np.sqrt(chance * (1 - chance) / len(states))


def test_drawing_follows_the_odds():
    game = variant("classic", 2)
    states = np.repeat(Game.from_position(POSITION).states, 20_000)
    game.draw(states, generators(8, len(states)))
    shares = np.bincount(states["due"], minlength=len(CARDS)) / len(states)
    expected = dict(game.odds(Game.from_position(POSITION).states))
    for card, share in enumerate(shares):
        chance = expected.get(card, 0)
        assert abs(share - chance) <= 4 * np.sqrt(chance * (1 - chance) / len(states))


POSITION = "classic; red 1 2 3 4; yellow 5 6 7 8; to red; pile 5 0 1 0 0 3 0 0 1 0 2"


# --- nets


def layers(widths, seed=0):
    """Weights and biases, the former a third of them 0."""
    rng = np.random.default_rng(seed)
    return [
        ((rng.normal(size=(after, before)) * (rng.random((after, before)) > 1 / 3)).astype(np.float32),
         rng.normal(size=after).astype(np.float32))
        for before, after in pairwise(widths)
    ]  # fmt: skip


def forward(layers, x):
    """What a net gives for (N, F) features, in plain NumPy."""
    for k, (weight, bias) in enumerate(layers):
        x = (np.maximum(x, 0) if k else x) @ weight.T + bias
    return x


@pytest.mark.modes
@pytest.mark.parametrize("hidden", [(), (1,), (7,), (8, 5, 3)])
@pytest.mark.parametrize("outputs", [1, 3])
def test_a_net_gives_what_its_layers_say(hidden, outputs):
    game = variant("tiny", 3)
    own = layers([game.num_features, *hidden, outputs])
    states = random_states(game, 12)
    seats = np.arange(12) % 3
    found = net_of(own)(states, game.rules, seats)
    assert found.shape == (12, outputs)
    assert found == pytest.approx(forward(own, game.encode(states, seats)), rel=1e-4, abs=1e-4)


def test_a_net_says_of_many_states_what_it_says_of_each(kind):
    game = variant(*kind)
    net, states = net_of(layers([game.num_features, 64, 1])), random_states(game, 50)
    seats = np.arange(50) % game.seats
    alone = [net(lane(states, i), game.rules, seats[i : i + 1]) for i in range(50)]
    assert net(states, game.rules, seats).tobytes() == np.concatenate(alone).tobytes()


@pytest.mark.modes
@pytest.mark.parametrize("insights", [False, True])
def test_the_numbers_that_are_not_0_are_found(insights):
    game = variant("tiny", 3)
    states, which, viewers = random_states(game, 10), np.array([7, 0, 7, 3]), np.array([0, 1, 2, 1])
    width = game.num_features + insights * game.insights.width
    ends, columns, factors = np.empty(4, int), np.empty(4 * width, int), np.empty(4 * width, np.float32)
    sparse_lanes(states, game.rules, which, viewers, game.num_features, ends, columns, factors)
    features = game.encode(states[which], viewers)
    if insights:
        features = np.concatenate([features, game.insight(states[which], viewers)], axis=1)
    found = np.zeros((4, width), np.float32)
    found[np.repeat(np.arange(4), np.diff(ends, prepend=0)), columns[: ends[-1]]] = factors[: ends[-1]]
    assert np.array_equal(found, features)
    assert ends[-1] == np.count_nonzero(features)


# --- choosing by score


def best(scores, counts, seed=1):
    """The indices that `best_lanes` chooses."""
    chosen = np.empty(len(counts), np.int64)
    lanes.best_lanes(np.array(scores, float), np.array(counts), generators(seed, len(counts)), chosen)
    return chosen


def test_the_best_score_of_each_stretch_is_chosen():
    assert best([1, 3, 2, 5, -7, -8, -6], [3, 1, 3]).tolist() == [1, 3, 6]


def test_a_state_without_actions_gets_the_index_where_its_stretch_would_begin():
    assert best([1, 3, 9], [2, 0, 1, 0]).tolist() == [1, 2, 2, 3]


def test_equal_scores_are_chosen_equally_often():
    count = 30_000
    chosen = best([4, 7, 7, 1, 7] * count, [5] * count) % 5
    shares = np.bincount(chosen, minlength=5) / count
    assert shares[[0, 3]].tolist() == [0, 0]
    assert shares[[1, 2, 4]] == pytest.approx(1 / 3, abs=4 * np.sqrt(2 / 9 / count))


def test_a_uniform_player_is_uniform_over_distinct_actions():
    game = variant("classic", 2)
    states = np.repeat(
        Game.from_position("classic; red 1 7 20 start; yellow 5 9 30 40; to red; card 11").states, 50_000
    )
    legal = game.legal_ids(states)
    shares = np.bincount(uniform(game, states, generators(2, len(states))), minlength=game.num_actions) / len(states)
    chance = 1 / len(legal)
    assert len(legal) > 10
    assert np.flatnonzero(shares).tolist() == legal
    assert shares[legal] == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / len(states)))


# --- the loops that play by themselves


def test_turns_played_in_one_loop_are_turns_played_one_by_one(kind):
    game = variant(*kind)
    states, rng, _ = begun(game, LANES)
    tally, step = np.zeros(3, np.int64), (states.copy(), rng.copy(), np.zeros(3, np.int64))
    lanes.uniform_turns(states, game.rules, rng, 200, tally)
    for _ in range(200):
        one_turn(game, *step)
    assert states.tobytes() == step[0].tobytes()
    assert rng.tolist() == step[1].tolist()
    assert tally.tolist() == step[2].tolist()
    assert tally[0] == 200 * LANES


def one_turn(game, states, rng, tally):
    """A turn of uniform play, cards and choices from one generator, a new game following a finished one."""
    counts = game.legal_counts(states)
    game.play(states, uniform(game, states, rng))
    over = np.flatnonzero(states["over"])
    tally += len(states), (counts > 1).sum(), len(over)
    game.draw(states, rng)
    for i in over:
        game.reset(states[i : i + 1], rng[i : i + 1])


def test_turns_played_with_observations_are_the_same_turns(kind):
    game = variant(*kind)
    states, rng, _ = begun(game, LANES)
    other, other_rng, _ = begun(game, LANES)
    tally, other_tally = np.zeros(3, np.int64), np.zeros(3, np.int64)
    features = np.empty((LANES, game.num_features), np.float32)
    masks = np.empty((LANES, game.num_actions), np.int8)
    lanes.uniform_turns(states, game.rules, rng, 149, tally)
    before = game.encode(states), game.legal_mask(states)
    lanes.uniform_turns(states, game.rules, rng, 1, tally)
    lanes.uniform_turns_observed(other, game.rules, other_rng, 150, other_tally, features, masks)
    assert states.tobytes() == other.tobytes()
    assert tally.tolist() == other_tally.tolist()
    assert np.array_equal(features, before[0])
    assert np.array_equal(masks, before[1])


def until_a_choice(game, states, rng, deck, skip_forced):
    """What `to_choice` says of one game, done with the verbs."""
    deck = list(deck)
    while True:
        while states[0]["due"] in (DRAW, COIN) and not states[0]["over"]:
            if deck and states[0]["due"] == DRAW:
                game.deal(states, deck.pop(0))
            else:
                engine.draw(states[0], game.rules[0], next_number(rng, 0))
        legal = game.legal_ids(states)
        if len(legal) != 1 or not skip_forced:
            return int(states["seat"][0]) if legal else -1
        game.play(states, np.array(legal))


@pytest.mark.parametrize("skip_forced", [False, True])
def test_the_loop_to_the_next_choice_is_the_verbs_one_by_one(kind, skip_forced):
    game, deck = variant(*kind), np.array([0, 6, 10], np.int16)
    states, rng, mask = game.new_states(1), generators(6, 1), np.empty(game.num_actions, np.int8)
    game.new_game(states, rng)
    other, other_rng, chance = states.copy(), rng.copy(), np.array([rng[0], 0, *deck], np.uint64)
    features = np.empty(game.num_features, np.float32)
    seat = lanes.to_choice(states, game.rules, chance, skip_forced, features, mask, lanes.NO_ACTION)
    cards_left = deck
    while True:
        assert seat == until_a_choice(game, other, other_rng, cards_left, skip_forced)
        assert states.tobytes() == other.tobytes()
        assert np.array_equal(mask, game.legal_mask(other)[0])
        cards_left = deck[int(chance[1]) :]
        if seat < 0:
            break
        assert np.array_equal(features, game.encode(other)[0])
        game.play(other, mask[None].argmax(axis=1))
        action = int(mask.argmax())
        seat = lanes.to_choice(states, game.rules, chance, skip_forced, features, mask, action)
    assert chance.tolist() == [other_rng[0], 3, *deck]
