"""The conformance kit: what holds in every game of every ruleset, whatever its flags, seats and colours."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from positions import rotated_position
from sorry_env import Game, IllegalAction, board, variant
from sorry_env.engine.random import generators
from sorry_env.rulesets import CARDS
from strategies import finished_games, games, picks, played, positions, positions_of, variants

QUARTERS = 4


def same(game, other):
    """Whether two games are in the same position."""
    return game.states.tobytes() == other.states.tobytes()


def discards(game):
    """How many of each card have been used since the last shuffle."""
    position, counts = game.position(), dict(zip(CARDS, game.variant.ruleset.counts, strict=True))
    return {card: counts[card] - position["pile"][card] - (card == position["card"]) for card in CARDS}


def pick(game, number):
    """One of the legal actions."""
    legal = game.legal()
    return legal[number % len(legal)]


def afterstates(game):
    """Where each legal action leads."""
    return [game.after(action) for action in game.legal()]


def assert_pawns_stand_well(game):
    """As many pawns as the ruleset says, in order, no two on a square, none in a seat that is not there."""
    rows, count = game.states["pawns"][0].astype(int), game.variant.ruleset.pawns
    assert (np.diff(rows, axis=1) >= 0).all()
    assert (rows[game.variant.seats :] == board.HOME).all()
    assert (rows[:, count:] == board.HOME).all()
    pawns = game.position()["pawns"]
    assert [len(own) for own in pawns.values()] == [count] * game.variant.seats
    on_squares = [(c, p) for c, own in pawns.items() for p in own if p not in ("start", "home")]
    squares = [place if isinstance(place, int) else (colour, place) for colour, place in on_squares]
    assert len(squares) == len(set(squares))


# --- what is kept


@given(data=st.data())
def test_pawns_are_conserved_and_never_share_a_square(kind, data):
    game = data.draw(games(kind))
    for now, action in played(game, data.draw(picks)):
        assert_pawns_stand_well(now)
        assert_pawns_stand_well(now.after(action))


@given(data=st.data())
def test_pile_card_in_play_and_discards_are_the_deck(kind, data):
    game = data.draw(games(kind))
    for now, action in played(game, data.draw(picks)):
        if now.variant.ruleset.replacement:
            assert tuple(now.position()["pile"].values()) == now.variant.ruleset.counts
        else:
            assert min(discards(now).values()) >= 0
            card, then = now.position()["card"], now.after(action)
            assert then.position()["pile"] == now.position()["pile"]
            assert discards(then) == discards(now) | {card: discards(now)[card] + 1}


@given(data=st.data())
def test_a_drawn_card_leaves_the_pile_which_is_refilled_when_empty(kind, data):
    game = data.draw(games(kind, card=False))
    full = dict(zip(CARDS, game.variant.ruleset.counts, strict=True))
    before = game.position()["pile"]
    game.deal()
    card, pile = game.position()["card"], game.position()["pile"]
    if not game.variant.ruleset.replacement:
        refilled = before if any(before.values()) else full
        assert pile == refilled | {card: refilled[card] - 1}
    else:
        assert pile == before == full


# --- what may be played


@given(data=st.data())
def test_a_card_in_play_can_always_be_answered(kind, data):
    game = data.draw(games(kind))
    assert game.legal()
    assert game.legal() == sorted(set(game.legal()))


@given(data=st.data())
def test_play_accepts_what_the_mask_allows(kind, data):
    game = data.draw(games(kind))
    assert np.flatnonzero(game.variant.legal_mask(game.states)[0]).tolist() == game.legal()
    assert game.variant.legal_counts(game.states).tolist() == [len(game.legal())]
    for action in game.legal():
        assert game.why_illegal(action) == ""
        then = game.copy()
        then.play(action)
        assert not same(then, game)


@given(data=st.data())
def test_play_refuses_everything_else_and_says_why(kind, data):
    game = data.draw(games(kind))
    size = game.variant.num_actions
    near = {a for a in range(size) if game.variant.actions[a].card == game.position()["card"]}
    far = data.draw(st.lists(st.integers(-2, size + 1), max_size=5))
    for action in near.union(far, {-1, size}).difference(game.legal()):
        assert_refused(game, action)


def assert_refused(game, action):
    """No verb takes the action; all give the reason, and the game stays as it is, its cards to come too."""
    reason, before = game.why_illegal(action), game.copy()
    assert len(reason.split()) > 3, reason
    for verb in (game.play, game.after, game.text):
        with pytest.raises(IllegalAction) as error:
            verb(action)
        assert str(error.value) == reason
    assert same(game, before)


@given(data=st.data())
def test_nothing_can_be_played_while_a_card_is_due(kind, data):
    game = data.draw(games(kind, card=False))
    assert game.awaits_chance
    assert game.legal() == []
    assert not game.variant.legal_mask(game.states).any()
    assert_refused(game, data.draw(st.integers(0, game.variant.num_actions - 1)))


@given(data=st.data())
def test_a_refused_action_does_not_change_the_cards_to_come(kind, data):
    game = data.draw(games(kind))
    other = game.copy()
    with pytest.raises(IllegalAction):
        game.play(-1)
    action = pick(game, 0)
    game.play(action)
    other.play(action)
    assert same(game, other)


# --- text and data


@given(data=st.data())
def test_every_action_has_a_text_of_its_own_that_reads_back(kind, data):
    game = data.draw(games(kind))
    texts = [game.text(action) for action in game.legal()]
    assert len(set(texts)) == len(texts)
    assert [game.parse(text) for text in texts] == game.legal()
    assert [game.why_illegal(text) for text in texts] == [""] * len(texts)


@given(data=st.data())
def test_a_text_that_means_nothing_is_refused_with_the_reason(kind, data):
    game = data.draw(games(kind))
    text = data.draw(st.sampled_from(["", "pass", "7: red 1>2 twice", "13: pass", "sorry"]))
    with pytest.raises(IllegalAction) as error:
        game.parse(text)
    assert str(error.value) == game.why_illegal(text) != ""


@given(data=st.data())
def test_a_position_reads_back_from_data_and_from_text(kind, data):
    game = data.draw(st.one_of(games(kind), games(kind, card=False), finished_games(kind)))
    for written in (game.position(), json.loads(json.dumps(game.position())), str(game)):
        other = Game.from_position(written)
        assert other.variant is game.variant
        assert same(other, game)
        assert other.position() == game.position()
    assert repr(game) == f"Game.from_position({str(game)!r})"


@given(data=st.data())
def test_a_position_says_what_it_was_given(kind, data):
    given_position = data.draw(positions(kind))
    position = Game.from_position(given_position).position()
    for key in {"ruleset", "seats", "to_move", "card", "turns", "pile"} & given_position.keys():
        assert position[key] == given_position[key]
    assert position.get("changes", {}) == given_position["changes"]
    for colour, pawns in given_position["pawns"].items():
        assert sorted(position["pawns"][colour], key=str) == sorted(pawns, key=str)


@given(data=st.data())
def test_equal_positions_are_equal_rows_ids_and_features(kind, data):
    position = data.draw(positions(kind))
    game = Game.from_position(position)
    pawns = {colour: data.draw(st.permutations(own)) for colour, own in position["pawns"].items()}
    other = Game.from_position(position | {"pawns": pawns})
    assert same(other, game)
    assert other.legal() == game.legal()
    assert [other.text(a) for a in other.legal()] == [game.text(a) for a in game.legal()]
    assert np.array_equal(game.variant.encode(game.states), other.variant.encode(other.states))
    assert other.variant.actions.fingerprint == game.variant.actions.fingerprint
    assert other.variant.features.fingerprint == game.variant.features.fingerprint


# --- copies, chance


@given(data=st.data())
def test_copies_are_independent(kind, data):
    game = data.draw(games(kind))
    copy, before = game.copy(), str(game)
    for now, action in played(copy, data.draw(picks)):
        copy.play(action)
        assert not same(now, copy)
    assert str(game) == before


@given(data=st.data())
def test_a_copy_draws_the_same_cards(kind, data):
    game = data.draw(games(kind))
    copy = game.copy()
    for _, action in played(game, data.draw(picks)):
        game.play(action)
        copy.play(action)
        assert same(game, copy)


@given(data=st.data())
def test_after_and_deal_are_play(kind, data):
    game = data.draw(games(kind))
    for now, action in played(game, data.draw(picks)):
        then, whole = now.after(action), now.copy()
        whole.play(action)
        assert then.awaits_chance != then.is_over
        if then.awaits_chance:
            then.deal(whole.position()["card"])
        assert same(then, whole)


@given(data=st.data())
def test_chance_follows_the_pile(kind, data):
    game = data.draw(games(kind, card=False))
    pile, deck = game.position()["pile"], dict(zip(CARDS, game.variant.ruleset.counts, strict=True))
    weights = pile if any(pile.values()) else deck
    total = sum(weights.values())
    expected = {card: weight / total for card, weight in weights.items() if weight}
    assert dict(game.chance()) == pytest.approx(expected)
    assert sum(probability for _, probability in game.chance()) == pytest.approx(1)


@given(data=st.data())
def test_every_outcome_of_chance_can_come_and_no_other(kind, data):
    game = data.draw(games(kind, card=False))
    possible = dict(game.chance())
    for card in CARDS:
        then = game.copy()
        if card in possible:
            then.deal(card)
            assert then.position()["card"] == card
            assert then.position()["pawns"] == game.position()["pawns"]
        else:
            with pytest.raises(IllegalAction, match=card):
                then.deal(card)
            assert same(then, game)
    game.deal()
    assert game.position()["card"] in possible


@given(data=st.data())
def test_chance_is_due_only_after_a_move(kind, data):
    game = data.draw(games(kind))
    before = game.copy()
    assert game.chance() == []
    with pytest.raises(IllegalAction, match="play first"):
        game.deal()
    assert same(game, before)


# --- the end


def run_to_the_end(game, lanes, most):
    """Uniform play in so many lanes; the states at the end and how many turns were begun in each."""
    states, rng = game.new_states(lanes), generators(7, lanes)
    game.reset(states, rng)
    begun, picker = np.ones(lanes, int), np.random.default_rng(7)
    for _ in range(most):
        running, again = states["over"] == 0, states["card"] == CARDS.index("2")
        if not running.any():
            break
        chances = game.legal_mask(states) * picker.random((lanes, game.num_actions))
        game.play(states, chances.argmax(axis=1))
        begun += running & ~again & (states["over"] == 0)
        game.draw(states, rng)
    return states, begun


def test_every_game_comes_to_an_end_with_one_winner(kind):
    game = variant(*kind)
    states, begun = run_to_the_end(game, lanes=64, most=20_000)
    assert states["over"].all()
    assert (states["turns"] == begun).all()
    home = (states["pawns"][:, : game.seats] == board.HOME).all(axis=2)
    assert (home.sum(axis=1) == 1).all()
    assert (states["winners"] == 1 << home.argmax(axis=1)).all()


@pytest.mark.parametrize("limit", [1, 2, 7, 90])
def test_a_turn_limit_truncates_when_one_more_turn_would_begin(kind, limit):
    game = variant(*kind, turn_limit=limit)
    states, begun = run_to_the_end(game, lanes=256, most=20_000)
    truncated = states["winners"] == 0
    assert states["over"].all()
    assert truncated.any()
    assert (begun[truncated] == limit).all()
    assert (begun <= limit).all()
    assert not game.returns(states)[truncated].any()


@given(data=st.data())
def test_returns_share_out_the_win_and_sum_to_zero(kind, data):
    game = data.draw(finished_games(kind))
    returns, winners = game.returns(), game.position()["winner"]
    assert list(returns) == list(game.variant.colours)
    assert sum(returns.values()) == pytest.approx(0)
    share = -1 / (game.variant.seats - 1) if winners else 0
    assert returns == pytest.approx({c: 1 if c in winners else share for c in returns})


@given(data=st.data())
def test_nothing_is_won_or_lost_before_the_end(kind, data):
    game = data.draw(st.one_of(games(kind), games(kind, card=False)))
    assert not game.is_over
    assert not any(game.returns().values())


@given(data=st.data())
def test_a_finished_game_allows_nothing(kind, data):
    game = data.draw(finished_games(kind))
    assert game.is_over
    assert not game.awaits_chance
    assert game.to_move is None
    assert game.legal() == game.chance() == []
    assert_refused(game, data.draw(st.integers(0, game.variant.num_actions - 1)))
    before = game.copy()
    with pytest.raises(IllegalAction, match="over"):
        game.deal()
    game.variant.play(game.states, np.array([0]))
    game.variant.draw(game.states, generators(1, 1))
    assert same(game, before)


# --- what a seat sees


def views(game):
    """(S, F) float32: what each seat sees."""
    seats = np.arange(game.variant.seats)
    return game.variant.encode(game.states[np.zeros(len(seats), int)], seats)


def sliced(game, vector):
    """The named slices of a vector, those that the ruleset leaves out not among them."""
    slices = game.variant.features.slices.values()
    return {part.name: vector[part.begin : part.end].reshape(part.shape) for part in slices}


def decoded(game, vector, viewer):
    """The position that a vector describes to a seat, read by the slices' meanings alone."""
    parts, rules = sliced(game, vector), game.variant.ruleset
    colours = game.variant.colours[viewer:] + game.variant.colours[:viewer]
    return {
        "pawns": {colour: decoded_pawns(parts, k, colours) for k, colour in enumerate(colours)},
        "to_move": colours[parts["mover"].argmax()] if parts["mover"].any() else None,
        "card": CARDS[parts["card"].argmax()] if parts["card"].any() else None,
        "pile": {
            card: round(float(share) * full)
            for card, share, full in zip(CARDS, parts.get("pile", [1] * 11), rules.counts, strict=True)
        },
        "turns": round(rules.turn_limit * (1 - float(parts["turns_left"][0]))) if rules.turn_limit else None,
    }


def decoded_pawns(parts, k, colours):
    squares = [int(i) for i in np.flatnonzero(parts["ring"][k])]
    ring = [(board.circle(colours[0]) + square) % board.RING for square in squares]
    safe = [f"safe {step + 1}" for step in np.flatnonzero(parts["safe"][k])]
    waiting, home = int(parts["start"][k].sum()), int(parts["home"][k].sum())
    assert parts["start"][k].tolist() == [1] * waiting + [0] * (len(parts["start"][k]) - waiting)
    assert parts["home"][k].tolist() == [1] * home + [0] * (len(parts["home"][k]) - home)
    return sorted(["start"] * waiting + ring + safe + ["home"] * home, key=str)


@given(data=st.data())
def test_the_vector_tells_everything_that_is_public(kind, data):
    game = data.draw(st.one_of(games(kind), games(kind, card=False), finished_games(kind)))
    position = game.position()
    expected = {key: position[key] for key in ("to_move", "card", "pile")} | {
        "pawns": {colour: sorted(own, key=str) for colour, own in position["pawns"].items()},
        "turns": position["turns"] if game.variant.ruleset.turn_limit else None,
    }
    for viewer, vector in enumerate(views(game)):
        assert decoded(game, vector, viewer) == expected


@given(data=st.data())
def test_different_positions_are_different_vectors(kind, data):
    game = data.draw(variants(kind))
    one, two = data.draw(positions_of(game)), data.draw(positions_of(game))
    key = data.draw(st.sampled_from(["pawns", "card", "to_move"]))
    other = {**one, key: two[key]}
    other.pop("pile", None)
    one.pop("pile", None)
    one, other = Game.from_position(one), Game.from_position(other)
    assert (views(one) == views(other)).all(axis=1).tolist() == [same(one, other)] * game.seats


@given(data=st.data())
def test_the_sides_of_the_others_are_told_where_they_can_differ(kind, data):
    game = data.draw(games(kind))
    colours = game.variant.colours
    for viewer, vector in enumerate(views(game)):
        sides = sliced(game, vector).get("sides")
        assert (sides is None) == (len(colours) == QUARTERS)
        if sides is not None:
            others = [colours[(viewer + k) % len(colours)] for k in range(1, len(colours))]
            away = [board.COLOURS.index(c) - board.COLOURS.index(colours[viewer]) for c in others]
            assert sides.argmax(axis=1).tolist() == [steps % QUARTERS - 1 for steps in away]
            assert (sides.sum(axis=1) == 1).all()


@given(data=st.data())
def test_slices_cover_the_vector_without_overlap(kind, data):
    features = data.draw(variants(kind)).features
    parts = list(features.slices.values())
    assert [part.begin for part in parts] == [0, *(part.end for part in parts[:-1])]
    assert parts[-1].end == features.width
    assert [part.name for part in parts] == list(features.slices)
    assert all(part.meaning and part.end - part.begin == np.prod(part.shape) for part in parts)


@given(data=st.data())
def test_features_are_shares_between_0_and_1(kind, data):
    game = data.draw(st.one_of(games(kind), games(kind, card=False), finished_games(kind)))
    vectors = views(game)
    assert vectors.dtype == np.float32
    assert ((vectors >= 0) & (vectors <= 1)).all()


@given(data=st.data())
def test_turning_the_board_changes_nothing_for_a_player(kind, data):
    position = data.draw(positions(kind))
    game = Game.from_position(position)
    turned = Game.from_position(rotated_position(position, data.draw(st.integers(1, QUARTERS - 1))))
    assert np.array_equal(views(game), views(turned))
    assert game.legal() == turned.legal()
    for one, other in zip(afterstates(game), afterstates(turned), strict=True):
        assert same(one, other)


@given(data=st.data())
def test_it_does_not_matter_which_seat_has_number_0(kind, data):
    position = data.draw(positions(kind))
    first = data.draw(st.integers(1, len(position["seats"]) - 1))
    other = position | {"seats": position["seats"][first:] + position["seats"][:first]}
    game, shifted = Game.from_position(position), Game.from_position(other)
    assert np.array_equal(np.roll(views(game), -first, axis=0), views(shifted))
    assert game.legal() == shifted.legal()
    for one, then in zip(afterstates(game), afterstates(shifted), strict=True):
        assert one.position() == then.position() | {"seats": position["seats"]}


@given(data=st.data())
def test_a_view_acts_for_its_own_colour_only(kind, data):
    game = data.draw(st.one_of(games(kind), games(kind, card=False)))
    before = str(game)
    for colour in game.variant.colours:
        view = game.view(colour)
        assert view.position() == game.position()  # nothing is hidden where everybody plays from the pile
        assert view.legal() == (game.legal() if colour == game.to_move else [])
        for action in game.legal():
            if colour == game.to_move:
                assert view.text(action) == game.text(action)
            else:
                assert_refused(view, action)
        for action in view.legal()[:1]:
            view.play(action)
    assert str(game) == before
