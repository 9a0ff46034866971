"""The conformance kit: what holds in every game of every ruleset, whatever its flags, seats and colours."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_env import Game, IllegalAction, InvalidPosition, rewards, variant
from sorry_env.random import generators
from sorry_env.sorry import board
from sorry_env.sorry.pending import DECISIONS
from sorry_env.sorry.rules import CARDS
from strategies import finished_games, games, picks, played, positions, positions_of, turned, variants

QUARTERS = 4


def same(game, other):
    """Whether two games are in the same position."""
    return game.states.tobytes() == other.states.tobytes()


def deck_of(game):
    """The full deck, by card."""
    return Counter(dict(zip(CARDS, game.variant.ruleset.counts, strict=True)))


def in_hands(game):
    """The cards in all hands."""
    return Counter(card for hand in game.position().get("hands", {}).values() for card in hand)


def discards(game):
    """How many of each card have been used since the last shuffle, as a Counter without zeros of its own making."""
    used, position = deck_of(game), game.position()
    used.subtract(position["pile"])
    used.subtract(in_hands(game))
    used.subtract([card for card in (position["card"],) if card])
    return used


def drawn_in(before, after):
    """The cards that chance has brought from one game to the other: into a hand, or into play."""
    if before.variant.ruleset.hand_size:
        return in_hands(after) - in_hands(before)
    return Counter() if before.position()["card"] else Counter([after.position()["card"]])


def settled(game):
    """Every game that chance may make of one before somebody has to decide."""
    if not game.awaits_chance:
        return [game]
    return [end for outcome, _ in game.chance() for end in settled(dealt(game, outcome))]


def dealt(game, outcome):
    then = game.copy()
    then.deal(outcome)
    return then


def decision_of(game):
    """What a seat has to decide, as positions call it: "card" and "hand" for their use, "jump", or a pending one."""
    position = game.position()
    if "pending" in position:
        return position["pending"]["decision"]
    return position.get("phase") or ("hand" if "hands" in position else "card")


def pick(game, number):
    """One of the legal actions."""
    legal = game.legal()
    return legal[number % len(legal)]


def afterstates(game):
    """Where each legal action leads."""
    return [game.after(action) for action in game.legal()]


def assert_pawns_stand_well(game):
    """As many pawns as the ruleset says, in order, no two on a square, none in a seat that is not there.

    Tokens are on pawns that are out, Ice on the ring only.
    """
    rows, count = game.states["pawns"][0].astype(int), game.variant.ruleset.pawns
    assert (np.diff(rows, axis=1) >= 0).all()
    assert (rows[game.variant.seats :] == board.HOME).all()
    assert (rows[:, count:] == board.HOME).all()
    pawns = game.position()["pawns"]
    assert [len(own) for own in pawns.values()] == [count] * game.variant.seats
    on_squares = [(c, p) for c, own in pawns.items() for p in own if p not in ("start", "home")]
    squares = [place if isinstance(place, int) else (colour, place) for colour, place in on_squares]
    assert len(squares) == len(set(squares))
    for token, kinds in (("fire", (int, str)), ("ice", int)):
        if game.position().get(token):
            colour, place = game.position()[token]
            assert place in pawns[colour]
            assert place not in ("start", "home")
            assert isinstance(place, kinds)


# --- what is kept


@given(data=st.data())
def test_pawns_are_conserved_and_never_share_a_square(kind, data):
    game = data.draw(games(kind))
    for now, action in played(game, data.draw(picks)):
        assert_pawns_stand_well(now)
        assert_pawns_stand_well(now.after(action))


@given(data=st.data())
def test_pile_hands_card_in_play_and_discards_are_the_deck(kind, data):
    game = data.draw(games(kind))
    for now, action in played(game, data.draw(picks)):
        then = now.after(action)
        assert then.position()["pile"] == now.position()["pile"]
        used = now.position()["card"] if not then.position()["card"] else None
        if decision_of(now) == "hand":
            used = now.variant.actions[action].prompt
            assert in_hands(now) - in_hands(then) == Counter([used])
        if now.variant.ruleset.replacement:
            assert Counter(now.position()["pile"]) == deck_of(now)
        else:
            assert min(discards(now).values()) >= 0
            assert discards(then) == discards(now) + Counter([used] if used else [])


@given(data=st.data())
def test_hands_are_full_whenever_somebody_decides(kind, data):
    game = data.draw(games(kind))
    size = game.variant.ruleset.hand_size
    for now, action in played(game, data.draw(picks)):
        mover, after = now.to_move, now.after(action)
        assert {len(hand) for hand in now.position().get("hands", {}).values()} <= {size}
        for colour, hand in after.position().get("hands", {}).items():
            assert len(hand) == size - (colour == mover)
            assert hand == sorted(hand, key=CARDS.index)


@given(data=st.data())
def test_a_drawn_card_leaves_the_pile_which_is_refilled_when_empty(kind, data):
    game = data.draw(games(kind, card=False))
    before = game.copy()
    game.deal()
    pile, drawn = Counter(before.position()["pile"]), drawn_in(before, game)
    if before.variant.ruleset.replacement:
        assert Counter(game.position()["pile"]) == pile == deck_of(game)
    else:
        left = pile if any(pile.values()) or not drawn else discards(before)
        assert Counter(game.position()["pile"]) == left - drawn
    assert drawn.total() == (before.position()["card"] is None)


# --- what may be played


@given(data=st.data())
def test_whoever_has_to_decide_can(kind, data):
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
    due = {game.position()["card"]} if decision_of(game) == "card" else {*in_hands(game)}
    near = {a for a in range(size) if game.variant.actions[a].prompt in due or is_due(game, a)}
    near = set(data.draw(st.randoms(use_true_random=False)).sample(sorted(near), min(len(near), 60)))
    far = data.draw(st.lists(st.integers(-2, size + 1), max_size=5))
    for action in near.union(far, {-1, size}).difference(game.legal()):
        assert_refused(game, action)


def is_due(game, action):
    """Whether an action belongs to the decision that is due."""
    prompts = {"move": ("six", "three")}.get(decision_of(game), (decision_of(game),))
    return game.variant.actions[action].prompt in ("part", *prompts)


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
    some = slice(data.draw(st.integers(0, len(texts) // 20)), None, 1 + len(texts) // 20)  # each is looked for in all
    assert [game.parse(text) for text in texts[some]] == game.legal()[some]
    assert [game.why_illegal(text) for text in texts[some]] == [""] * len(texts[some])


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
    wanted = data.draw(st.one_of(positions(kind), positions(kind, card=False)))
    position = Game.from_position(wanted).position()
    if wanted["card"] == "question" and "pending" not in wanted:  # with two seats it asks by itself (N2)
        assert position.pop("pending").get("drawer", wanted["to_move"]) == wanted["to_move"]
        wanted.pop("to_move")
    assert in_order(position) == in_order({"changes": {}, **position, **wanted})
    assert ("pending" in wanted) == ("pending" in position)


def in_order(position):
    """A position with the pawns of each colour in an order that does not depend on the board."""

    def mixed(pawns):
        return {colour: sorted(own, key=str) for colour, own in pawns.items()}

    pending = position.get("pending", {})
    return position | {
        "changes": position.get("changes", {}),
        "pawns": mixed(position["pawns"]),
        "pending": pending | {"moved": mixed(pending.get("moved", {}))},
    }


@given(data=st.data())
def test_equal_positions_are_equal_rows_ids_and_features(kind, data):
    position = data.draw(positions(kind))
    game = Game.from_position(position)
    mixed = {
        key: {colour: data.draw(st.permutations(own)) for colour, own in position[key].items()}
        for key in ("pawns", "hands")
        if key in position
    }
    other = Game.from_position(position | mixed)
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
        whole, ends = now.copy(), settled(now.after(action))
        whole.play(action)
        assert [same(end, whole) for end in ends].count(True) == 1
        assert all(end.is_over or end.legal() for end in ends)


@given(data=st.data())
def test_chance_follows_the_pile(kind, data):
    game = data.draw(games(kind, card=False))
    pile = +Counter(game.position()["pile"])
    weights = pile or +discards(game)
    if game.position()["card"]:
        weights = Counter(["yes", "no"])
    expected = {card: weight / weights.total() for card, weight in weights.items()}
    assert dict(game.chance()) == pytest.approx(expected)
    assert sum(probability for _, probability in game.chance()) == pytest.approx(1)


@given(data=st.data())
def test_every_outcome_of_chance_can_come_and_no_other(kind, data):
    game = data.draw(games(kind, card=False))
    possible = dict(game.chance())
    for outcome in (*CARDS, "yes", "no"):
        if outcome in possible:
            then = dealt(game, outcome)
            assert then.position()["pawns"] == game.position()["pawns"]
            assert drawn_in(game, then) == Counter([outcome] if outcome in CARDS else [])
            assert then.position().get("pending", {}).get("answer", outcome) == outcome or outcome in CARDS
        else:
            then = game.copy()
            with pytest.raises(IllegalAction, match=outcome):
                then.deal(outcome)
            assert same(then, game)
    ends = settled(game)
    game.deal()
    assert [same(end, game) for end in ends].count(True) == 1


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
        running, due = states["over"] == 0, states["due"].copy()
        if not running.any():
            break
        chances = game.legal_mask(states) * picker.random((lanes, game.num_actions))
        actions = chances.argmax(axis=1)
        game.play(states, actions)
        again = [begins_again(game, action) for action in actions]
        ended = np.isin(states["due"], (board.DRAW, board.TO_JUMP)) & (due != board.TO_JUMP)
        begun += running & ended & ~np.array(again) & (states["over"] == 0)
        game.draw(states, rng)
    return states, begun


def begins_again(game, action):
    """Whether an action is the use of a 2 that draws again, or that a hand plays (S6, H3)."""
    row, rules = game.actions[action], game.ruleset
    return row.prompt == "2" and rules.two_draws_again and not (rules.hand_size and row.kind == board.PASS)


def test_every_game_comes_to_an_end_with_one_winner_or_one_team(kind):
    game = variant(*kind)
    states, begun = run_to_the_end(game, lanes=48, most=20_000)
    assert states["over"].all()
    assert (states["turns"] == begun).all()
    home = (states["pawns"][:, : game.seats] == board.HOME).all(axis=2)
    if game.ruleset.partners:
        home &= np.roll(home, 2, axis=1)
    assert (home.sum(axis=1) == 1 + game.ruleset.partners).all()
    assert (states["winners"] == (home << np.arange(game.seats)).sum(axis=1)).all()


@pytest.mark.parametrize("limit", [1, 2, 7, 90])
def test_a_turn_limit_truncates_when_one_more_turn_would_begin(kind, limit):
    game = variant(*kind, turn_limit=limit)
    states, begun = run_to_the_end(game, lanes=256 if kind[0] == "tiny" else 48, most=20_000)
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
    losers = 2 if game.variant.ruleset.partners else game.variant.seats - 1
    share = -len(winners) / losers
    assert returns == pytest.approx({c: 1 if c in winners else share for c in returns})


@given(data=st.data())
def test_scores_follow_from_the_pawns_at_home(kind, data):
    game = data.draw(st.one_of(finished_games(kind), games(kind)))
    scores = rewards.score(game.variant, game.states)[0].tolist()
    assert scores == [own_score(game, colour) for colour in game.variant.colours]
    zero_sum = rewards.points(game.variant, game.states)[0]
    assert zero_sum.sum() == pytest.approx(0)
    others = [(sum(scores) - own) / (len(scores) - 1) for own in scores]
    assert zero_sum == pytest.approx(np.array(scores) - others)


def own_score(game, colour):
    """A colour's score as the rules put it (H5-H7)."""
    position, rules = game.position(), game.variant.ruleset
    if not game.is_over:
        return 0
    home = {c: own.count("home") for c, own in position["pawns"].items()}
    others = [count for c, count in home.items() if c != colour]
    won = colour in position["winner"]
    if rules.points is None:
        return won
    if rules.points == "1939":
        bonus = [24, 16, 8, 0, 0][max(others)]
        return home[colour] + won * (sum(others) + bonus)
    bonus = [100, 50, 25, 0, 0][max(others)]
    return 5 * home[colour] + won * (5 * sum(rules.pawns - count for count in others) + bonus)


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
    position = {
        "pawns": {colour: decoded_pawns(parts, k, colours) for k, colour in enumerate(colours)},
        "to_move": one_of(colours, parts["mover"]),
        "card": one_of(rules.cards, parts["card"]) if "card" in parts else None,
        "pile": decoded_cards(rules, parts.get("pile", np.ones(len(rules.cards))), rules.counts),
        "turns": round(rules.turn_limit * (1 - float(parts["turns_left"][0]))) if rules.turn_limit else None,
    }
    if "hand" in parts:
        held = decoded_cards(rules, parts["hand"], [rules.hand_size] * len(rules.cards))
        position["hand"] = list(Counter(held).elements())
    for token in ("fire", "ice"):
        if token in parts:
            position[token] = next(iter(decoded_spots(parts[token], colours)), None)
    return position | decoded_decision(game, parts, colours)


def one_of(names, one_hot):
    """The name that a one-hot slice means; None if it is all 0."""
    assert one_hot.sum() == one_hot.any()
    return names[one_hot.argmax()] if one_hot.any() else None


def decoded_cards(rules, shares, full):
    return {card: round(float(share) * count) for card, share, count in zip(rules.cards, shares, full, strict=False)}


def decoded_spots(track, colours):
    """Colours and places that a slice of ring and zones marks."""
    assert set(np.unique(track)) <= {0, 1}
    ring, circle = board.RING, board.circle(colours[0])
    return [
        [colours[k], (circle + int(i)) % ring if i < ring else f"safe {i - ring + 1}"]
        for k, i in np.argwhere(track).tolist()
    ]


def decoded_decision(game, parts, colours):
    """What is due beside the use of a card, and the card in play then."""
    if "decision" not in parts:
        return {}
    names = [name for name in board.DECISIONS if any(row.prompt == name for row in game.variant.actions.rows)]
    due = one_of(names, parts["decision"])
    words = {key: one_of(colours, parts[key]) for key in ("drawer", "asked") if key in parts}
    if due == "jump":
        return {"phase": "fire"}
    if due is None and words.get("drawer") is None:
        return {}
    decision = {"six": "move", "three": "move", None: "coin"}.get(due, due)
    words["answer"] = "yes" if due == "six" else "no"
    if "left" in parts:
        words["left"], words["moved"] = round(7 * float(parts["left"][0])), decoded_spots(parts["moved"], colours)
    dues, keys = DECISIONS[decision]
    card = board.card_in_play(dues[0])
    return {"card": card, "pending": {"decision": decision} | {key: words[key] for key in keys}}


def decoded_pawns(parts, k, colours):
    squares = [int(i) for i in np.flatnonzero(parts["ring"][k])]
    ring = [(board.circle(colours[0]) + square) % board.RING for square in squares]
    safe = [f"safe {step + 1}" for step in np.flatnonzero(parts["safe"][k])]
    waiting, home = int(parts["start"][k].sum()), int(parts["home"][k].sum())
    assert parts["start"][k].tolist() == [1] * waiting + [0] * (len(parts["start"][k]) - waiting)
    assert parts["home"][k].tolist() == [1] * home + [0] * (len(parts["home"][k]) - home)
    return sorted(["start"] * waiting + ring + safe + ["home"] * home, key=str)


@given(data=st.data())
def test_the_vector_tells_everything_that_the_seat_may_know(kind, data):
    game = data.draw(st.one_of(games(kind), games(kind, card=False), finished_games(kind)))
    for viewer, vector in enumerate(views(game)):
        assert decoded(game, vector, viewer) == known_to(game, viewer)


def known_to(game, viewer):
    """What a seat may know of a game, in the words of its view's position."""
    colour = game.variant.colours[viewer]
    position = game.view(colour).position()
    known = {key: position[key] for key in ("to_move", "card", "pile")} | {
        "pawns": {colour: sorted(own, key=str) for colour, own in position["pawns"].items()},
        "turns": position["turns"] if game.variant.ruleset.turn_limit else None,
    }
    known |= {key: position[key] for key in ("fire", "ice", "phase", "pending") if key in position}
    if "hands" in position:
        known["hand"] = position["hands"][colour]
    if "moved" in position.get("pending", {}):
        moved, shift = position["pending"]["moved"], viewer
        turn = game.variant.colours[shift:] + game.variant.colours[:shift]
        spots = [[c, place] for c in turn for place in sorted(moved.get(c, []), key=lambda p: track_of(p, turn))]
        known["pending"] = position["pending"] | {"moved": spots}
    return known


def track_of(place, colours):
    """The order of places along the path of the first colour."""
    if isinstance(place, int):
        return (place - board.circle(colours[0])) % board.RING
    return board.RING + int(place.removeprefix("safe "))


@given(data=st.data())
def test_different_positions_are_different_vectors(kind, data):
    game = data.draw(variants(kind))
    one, two = (without_decision(data.draw(positions_of(game))) for _ in range(2))
    sets = [("pawns", "fire", "ice"), ("card",), ("to_move",), *([("hands",)] if "hands" in one else [])]
    keys = data.draw(st.sampled_from(sets))
    one, other = Game.from_position(one), Game.from_position(one | {key: two[key] for key in keys if key in two})
    colours = one.variant.colours
    expected = [same(one.view(colour), other.view(colour)) for colour in colours]
    assert (views(one) == views(other)).all(axis=1).tolist() == expected


def without_decision(position):
    """A position in which whatever is in play is simply used, or has still to be drawn."""
    return {key: value for key, value in position.items() if key not in ("phase", "pending", "pile")}


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
    other = Game.from_position(turned(position, data.draw(st.integers(1, QUARTERS - 1))))
    assert np.array_equal(views(game), views(other))
    assert game.legal() == other.legal()
    for one, then in zip(afterstates(game), afterstates(other), strict=True):
        assert same(one, then)


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


# --- what is hidden


def hidden(game, colour):
    """A position as a colour may know it: other hands are numbers, and their cards are among those not seen."""
    position = game.position()
    if "hands" not in position:
        return position
    others = {c: hand for c, hand in position["hands"].items() if c != colour}
    pile = Counter(position["pile"])
    if not game.variant.ruleset.replacement:
        pile.update(card for hand in others.values() for card in hand)
    sizes = {c: len(hand) for c, hand in others.items()}
    return position | {"pile": dict(pile), "hands": {**position["hands"], **sizes}}


@given(data=st.data())
def test_a_view_acts_for_its_own_colour_only_and_hides_the_hands_of_others(kind, data):
    game = data.draw(st.one_of(games(kind), games(kind, card=False)))
    before = str(game)
    for colour in game.variant.colours:
        view = game.view(colour)
        assert view.position() == hidden(game, colour)
        assert view.legal() == (game.legal() if colour == game.to_move else [])
        for action in game.legal():
            if colour == game.to_move:
                assert view.text(action) == game.text(action)
            else:
                assert_refused(view, action)
        for action in view.legal()[:1]:
            assert same(view.after(action), game.after(action).view(colour))
            view.play(action)
    assert str(game) == before


@given(data=st.data())
def test_a_seat_sees_the_same_in_its_view_as_in_the_game(kind, data):
    game = data.draw(st.one_of(games(kind), games(kind, card=False), finished_games(kind)))
    for seat, colour in enumerate(game.variant.colours):
        view, seats = game.view(colour), np.array([seat])
        assert np.array_equal(views(game)[seat], game.variant.encode(view.states, seats)[0])
        assert same(view, view.view(colour))
        if not game.variant.ruleset.hand_size:
            assert same(view, game)


@given(data=st.data())
def test_a_view_can_be_written_down_but_is_no_position_where_hands_are_hidden(kind, data):
    game = data.draw(games(kind))
    for colour in game.variant.colours:
        view = game.view(colour)
        assert json.loads(json.dumps(view.position()))["pawns"] == game.position()["pawns"]
        if game.variant.ruleset.hand_size:
            with pytest.raises(InvalidPosition, match="view"):
                Game.from_position(str(view))


@given(data=st.data())
def test_what_is_dealt_anew_agrees_with_all_that_the_seat_knows(kind, data):
    game = data.draw(st.one_of(games(kind), games(kind, card=False), finished_games(kind)))
    seed = data.draw(st.integers(0, 2**32))
    for seat, colour in enumerate(game.variant.colours):
        other = game.determinize(colour, seed)
        assert same(other.view(colour), game.view(colour))
        assert assert_pawns_stand_well(other) is None
        assert {c: len(h) for c, h in other.position().get("hands", {}).items()} == {
            c: len(h) for c, h in game.position().get("hands", {}).items()
        }
        assert same(Game.from_position(other.position()), other)
        if not game.variant.ruleset.replacement:
            unseen = [Counter(g.position()["pile"]) + in_hands(g) for g in (game, other)]
            assert unseen[0] == unseen[1]
            assert sum(other.position()["pile"].values()) == sum(game.position()["pile"].values())
        if colour == game.to_move:
            assert other.legal() == game.legal()
        else:
            again = game.view(colour)
            states = game.variant.determinize(again.states, seat, generators(seed, 1))
            assert states.tobytes() == other.states.tobytes()


# --- several decisions, one after the other

FOLLOWS = {
    "fire": {"chance"},  # Fire's jump, before the draw
    "ice": {"card"},
    "fire token": {"card"},
    "second": {"over"},
    "ask": {"answer", "chance"},
    "answer": {"move"},
    "move": {"move", "over"},
    "part": {"part", "over"},
    "card": {"second", "part", "over"},
    "hand": {"over"},
}
"""What may be due after each kind of decision; `over`: the turn passes on, or the game ends."""


@given(data=st.data())
def test_decisions_follow_each_other_as_the_rules_say(kind, data):
    game = data.draw(games(kind))
    for now, action in played(game, data.draw(picks)):
        before, then = named(now), now.after(action)
        following = what_follows(before, then)
        assert following in FOLLOWS[before]
        if following != "over":
            assert then.position()["turns"] == now.position()["turns"]
            assert_same_question(now, then)


def what_follows(before, then):
    """What is due after a decision: the next one, chance within the turn, or nothing more in this turn."""
    if then.is_over:
        return "over"
    if then.awaits_chance:
        return "chance" if before == "fire" or then.position()["card"] else "over"
    return "over" if named(then) == "fire" else named(then)


def named(game):
    """As `decision_of`, with the move of Fire apart from its jump."""
    decision = decision_of(game)
    return "fire token" if decision == "fire" and "pending" in game.position() else decision


def assert_same_question(now, then):
    """Who decides next within a turn: the same seat, but for a question, which goes to and fro (N2)."""
    pending = then.position().get("pending", {})
    asked = pending.get("asked")
    if pending.get("decision") == "answer":
        assert pending["drawer"] == now.to_move != then.to_move
    elif pending.get("decision") == "move":
        first = decision_of(now) != "move"
        assert then.to_move == (pending["drawer"] if first else asked)
        assert first or now.to_move == pending["drawer"]
    else:
        assert then.to_move == now.to_move
    if pending.get("decision") == "part":
        left = now.position().get("pending", {}).get("left", 7)
        assert pending["left"] < left
