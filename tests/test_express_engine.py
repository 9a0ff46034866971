"""Sorry! Express as code: what holds in every position, whatever is played."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_env import Game, InvalidPosition, variant
from sorry_env.express import engine
from sorry_env.express.board import FACES, FROM_HOME, OUTCOMES, PASS, ROLL, SLIDE, SORRY, TURN, WEIGHTS
from sorry_env.express.features import encode
from sorry_env.express.state import CHOICES, STATE
from sorry_env.express.texts import ExpressTexts
from test_rules_express import COLOURS, DICE, position

pytestmark = pytest.mark.modes

SEATINGS = [
    colours[first:] + colours[:first]
    for count in (2, 3, 4)
    for colours in combinations(COLOURS, count)
    for first in range(count)
]
picks = st.lists(st.integers(0, 10**6), min_size=1, max_size=40)
"""A way to play: each number, counted round, picks an action or a roll."""


@st.composite
def positions(draw, rolled=True):
    """A running position, with dice to be resolved or before the roll."""
    seats = draw(st.sampled_from(SEATINGS))
    shown = {seat: draw(st.sampled_from(COLOURS)) for seat in seats}
    held = {seat: dict.fromkeys(COLOURS, 0) for seat in seats}
    for colour in COLOURS:
        for _ in range(4):
            holder = draw(st.sampled_from([None, *seats]))
            if holder and held[holder][colour] < (3 if shown[holder] == colour else 4):
                held[holder][colour] += 1
    roll = [draw(st.sampled_from(die)) for die in DICE]
    left = draw(st.integers(1, 3)) if rolled else 0
    found = position(
        *sorted(draw(st.permutations(roll))[:left]),
        to_move=draw(st.sampled_from(seats)),
        seats=seats,
        shown=shown,
        turns=draw(st.integers(1, 9)),
        changes=draw(st.sampled_from([None, {"turn_limit": 9}])),
        **{seat: " ".join(colour for colour in COLOURS for _ in range(held[seat][colour])) for seat in seats},
    )
    return found


def walk(game, numbers):
    """The positions of a game that is played by these numbers, the first and the last included."""
    yield game
    for number in numbers:
        if game.is_over:
            return
        if game.awaits_chance:
            game = game.copy()
            game.deal(list(OUTCOMES[number % len(OUTCOMES)]))
        else:
            legal = game.legal()
            game = game.after(legal[number % len(legal)])
        yield game


def fits(game, action):
    """Whether an action can be played as the state stands, from what the table says of it alone; not whether it may."""
    s, row = game.states[0], game.variant.actions[action]
    me = int(s["seat"])
    other, mine = (me + row.seat) % game.variant.seats, int(s["shown"][me])
    face = (mine + row.face) % 4 if row.face < 4 else row.face
    colour = (mine + row.colour) % 4
    if not s["dice"][face]:
        return False
    if row.kind == PASS:
        return True
    if row.kind == TURN:
        return s["shown"][other] != colour
    if row.kind == FROM_HOME:
        return s["held"][other, s["shown"][other]] > 0
    if row.seat == 0:
        return s["start_base"][colour] > 0
    return s["held"][other, colour] > 0 and s["shown"][other] != colour


@given(positions(), picks)
def test_sixteen_pawns_four_of_each_colour(found, numbers):
    for game in walk(Game.from_position(found), numbers):
        s = game.states[0]
        assert (s["held"].sum(axis=0) + s["start_base"] == 4).all()
        assert not s["held"][game.variant.seats :].any()
        assert not s["shown"][game.variant.seats :].any()


@given(positions(), picks)
def test_something_is_legal_unless_it_is_over_or_a_roll_is_due(found, numbers):
    for game in walk(Game.from_position(found), numbers):
        legal = game.legal()
        assert bool(legal) == (not game.is_over and not game.awaits_chance)
        assert legal == sorted(set(legal))
        assert game.awaits_chance == (int(game.states[0]["dice"].sum()) == 0 and not game.is_over)
        assert int(game.states[0]["due"]) in (0, ROLL)


@given(positions(), picks)
def test_the_mask_is_what_can_be_played_and_may(found, numbers):
    for game in walk(Game.from_position(found), numbers):
        legal = set(game.legal())
        if not legal:
            continue
        for action in range(len(game.variant.actions)):
            row = game.variant.actions[action]
            if action in legal:
                assert fits(game, action)
                assert game.why_illegal(action) == ""
            else:
                assert game.why_illegal(action)
                uses = [a for a in legal if game.variant.actions[a].face == row.face]
                first = row.face < 4 and any(game.variant.actions[a].seat == 0 for a in uses)
                assert not fits(game, action) or (row.kind == PASS or first)


@given(positions(), picks)
def test_an_action_resolves_one_die(found, numbers):
    for game in walk(Game.from_position(found), numbers):
        for action in game.legal():
            then, row = game.after(action), game.variant.actions[action]
            before, after = game.states[0]["dice"].astype(int), then.states[0]["dice"].astype(int)
            if not then.is_over:
                assert before.sum() - after.sum() == 1
            moved = np.abs(game.states[0]["held"].astype(int) - then.states[0]["held"]).sum()
            turned = (game.states[0]["shown"] != then.states[0]["shown"]).sum()
            assert (moved, turned) == {PASS: (0, 0), TURN: (0, 1)}.get(row.kind, (2 if row.seat else 1, 0))


@given(positions(), picks)
def test_at_most_one_seat_has_won_and_it_has_four(found, numbers):
    for game in walk(Game.from_position(found), numbers):
        s = game.states[0]
        full = [k for k in range(game.variant.seats) if s["held"][k, s["shown"][k]] == 4]
        assert sum(1 << k for k in full) == s["winners"]
        assert len(full) <= 1
        assert sum(game.returns().values()) == pytest.approx(0)
        assert game.is_over == (bool(full) or (game.is_over and s["turns"] == 9))


@given(positions(), picks)
def test_positions_and_lines_round_trip(found, numbers):
    game = Game.from_position(found)
    assert game.position() == found
    for then in walk(game, numbers):
        data = json.loads(json.dumps(then.position()))
        assert Game.from_position(data).states.tobytes() == then.states.tobytes()
        assert Game.from_position(str(then)).states.tobytes() == then.states.tobytes()
        assert Game.from_position(str(then)).position() == data


@given(positions(), picks)
def test_texts_are_unique_and_can_be_read_back(found, numbers):
    for game in walk(Game.from_position(found), numbers):
        words = ExpressTexts(game.variant, game.states)
        texts = [words.text(action) for action in range(len(game.variant.actions))]
        assert len(set(texts)) == len(texts)
        assert all(game.parse(texts[action]) == action for action in game.legal())


@given(positions(), picks)
def test_seats_are_numbered_from_the_mover_and_colours_from_what_it_shows(found, numbers):
    """The same board with the colours a quarter further and the seats renamed: the same numbers."""
    later = dict(zip(COLOURS, COLOURS[1:] + COLOURS[:1], strict=True))
    other = found | {
        "seats": [later[c] for c in found["seats"]],
        "to_move": later[found["to_move"]],
        "shown": {later[seat]: later[colour] for seat, colour in found["shown"].items()},
        "held": {later[seat]: {later[c]: n for c, n in own.items()} for seat, own in found["held"].items()},
        "start_base": {later[c]: n for c, n in found["start_base"].items()},
        "dice": [later.get(face, face) for face in found["dice"]],
    }
    one, two = Game.from_position(found), Game.from_position(other)
    for number in numbers:
        assert one.legal() == two.legal()
        for seat in range(one.variant.seats):
            assert (encoded(one, seat) == encoded(two, seat)).all()
        if not one.legal():
            break
        action = one.legal()[number % len(one.legal())]
        one, two = one.after(action), two.after(action)


def encoded(game, viewer):
    out = np.zeros(game.variant.features.width, np.float32)
    encode(game.states[0], game.variant.rules[0], viewer, out)
    return out


@given(positions(), picks)
def test_features_lie_between_0_and_1_and_tell_positions_apart(found, numbers):
    seen = {}
    for game in walk(Game.from_position(found), numbers):
        vector = encoded(game, 0)
        assert vector.min() >= 0
        assert vector.max() <= 1
        shown = game.position()
        if "changes" not in shown:  # with a limit the turn counts
            shown.pop("turns")
        assert seen.setdefault(vector.tobytes(), shown) == shown
        assert list(game.variant.features.slices)[-1] == ("turns_left" if "changes" in shown else "specials")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_feature_is_seen_at_some_time(seats):
    game = variant("express", seats, turn_limit=9999)
    most, rng, choices = np.zeros(game.features.width, np.float32), np.random.default_rng(1), np.zeros(1, CHOICES)
    states = np.zeros(1, STATE)
    s, r = states[0], game.rules[0]
    engine.reset(s, r, 0)
    for number in rng.integers(0, 1 << 30, 9000):
        out = np.zeros_like(most)
        encode(s, r, number % seats, out)
        most = np.maximum(most, out)
        if most.all():
            break
        if s["over"]:
            engine.reset(s, r, number % seats)
        elif s["due"] == ROLL:
            engine.deal(s, r, number % len(OUTCOMES))
        else:
            engine.play(s, r, int(choices["ids"][0, number % engine.legal(s, r, choices[0])]))
    lacking = {name: part.end for name, part in game.features.slices.items() if not most[part.begin : part.end].all()}
    assert lacking == {}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_action_of_the_table_is_legal_somewhere(seats):
    game, met = Game("express", seats=seats, seed=3), set()
    rng = np.random.default_rng(3)
    for number in rng.integers(0, 1 << 30, 30000):
        legal = game.legal()
        met |= set(legal)
        if len(met) == len(game.variant.actions):
            break
        game = game.after(legal[number % len(legal)])
        game = Game("express", seats=seats, seed=int(number)) if game.is_over else game
        if game.awaits_chance:
            game.deal()
    assert len(met) == len(game.variant.actions) == 13 * seats + 5


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_actions_read_differently(seats):
    actions = variant("express", seats).actions
    assert len({str(row) for row in actions.rows}) == len(actions)
    assert [str(actions[k]) for k in range(3)] == [
        "colour+0: from start",
        "colour+0: from seat+1",
        "colour+0: from seat+2" if seats > 2 else "colour+0: pass",
    ]
    assert all(actions.id(row) == k for k, row in enumerate(actions.rows))


def test_odds_add_up_to_216():
    weights = np.full(len(OUTCOMES), 7, np.int64)
    game = Game.from_position(position())
    assert engine.odds(game.states[0], game.variant.rules[0], weights) == 216 == weights.sum() == sum(WEIGHTS)
    assert len(OUTCOMES) == 81


def test_draw_follows_the_odds_exactly():
    """Numbers that are spread evenly over all 32 bits meet each outcome as often as it weighs."""
    game, met = Game.from_position(position()), dict.fromkeys(OUTCOMES, 0)
    for k in range(216):
        then = game.copy()
        engine.draw(then.states[0], then.variant.rules[0], np.uint64(((2 * k + 1) << 31) // 216))
        met[tuple(then.position()["dice"])] += 1
    assert tuple(met.values()) == WEIGHTS


def test_every_ruleset_field_changes_something():
    assert variant("express", 2, turn_limit=5).rules["turn_limit"] == 5
    assert variant("express", 2).rules["turn_limit"] == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"shown": None}, "shown is None"),
        ({"shown": {"red": "red", "blue": "blue"}}, "yellow's base shows is missing"),
        ({"shown": {"red": "red", "blue": "purple", "yellow": "red"}}, "blue's base shows 'purple'"),
        ({"shown": {"red": "red", "blue": "blue", "yellow": "red", "green": "red"}}, "shown names 'green'"),
        ({"held": []}, r"held is \[\]"),
        ({"held": {"red": {}, "blue": {}}}, "the pawns that yellow holds are missing"),
        ({"held": {"red": {}, "blue": {}, "yellow": {}, "green": {}}}, "held names 'green'"),
        ({"held": {"red": {}, "blue": {}, "yellow": ["red"]}}, "the pawns of yellow are"),
        ({"held": {"red": {}, "blue": {}, "yellow": {"purple": 1}}}, "yellow has pawns of 'purple'"),
        ({"held": {"red": {}, "blue": {"red": -1}, "yellow": {}}}, "blue has -1 red pawns"),
        ({"held": {"red": {}, "blue": {"red": 1.0}, "yellow": {}}}, "blue has 1.0 red pawns"),
        ({"held": {"red": {}, "blue": {"red": True}, "yellow": {}}}, "blue has True red pawns"),
        ({"held": {"red": {"blue": 1}, "blue": {}, "yellow": {}}}, r"there are 5 blue pawns.*E1"),
        ({"start_base": None}, "the pawns of the start base are None"),
        ({"start_base": {"red": 4, "blue": 4, "yellow": 4}}, r"there are 0 green pawns.*E1"),
        ({"start_base": {"red": 4, "blue": 4, "yellow": 4, "green": 4, "pink": 1}}, "start base has pawns of 'pink'"),
        ({"dice": "red"}, "dice is 'red'"),
        ({"dice": ["six"]}, "a die shows 'six'"),
        ({"dice": ["red"] * 4}, r"there are 4 dice.*E2"),
        ({"dice": ["slide"] * 3}, r"two of the three dice.*E6"),
        ({"dice": ["red"], "to_move": None, "winner": []}, r"the game is over"),
    ],
)
def test_a_position_that_cannot_be_is_told_why(change, words):
    with pytest.raises(InvalidPosition, match=words):
        Game.from_position(position("red") | change)


def test_dice_may_be_left_out_when_a_roll_is_due():
    found = position()
    found.pop("dice")
    assert Game.from_position(found).states.tobytes() == Game.from_position(position()).states.tobytes()


def test_all_problems_are_told_at_once():
    found = position("red", "six") | {"shown": {"red": "red", "blue": "pink"}, "start_base": {"red": 3}}
    with pytest.raises(InvalidPosition) as caught:
        Game.from_position(found)
    assert len(str(caught.value).split("; ")) >= 6


@pytest.mark.parametrize(
    "line",
    [
        "",
        "express; red holds red 1",
        "express; red shows red holds red",
        "express; dices red",
        "express; to",
        "express; start red 1 red 2",
        "express deck=44; to red",
        "express; red shows red hold red 1",
    ],
)
def test_lines_that_cannot_be_read(line):
    with pytest.raises(InvalidPosition):
        Game.from_position(line)


def test_a_line():
    game = Game.from_position(position("red", "slide", seats=("red", "blue"), red="red green green", turns=5))
    assert str(game) == (
        "express; red shows red holds red 1 green 2; blue shows blue; start red 3 blue 4 yellow 4 green 2; to red; "
        "dice red slide; turns 5"
    )


def test_faces_and_tables_agree():
    game = variant("express", 4)
    assert [game.actions[int(first)].face for first in game.rules["first"][0]] == list(range(len(FACES)))
    assert {row.face for row in game.actions.rows if row.kind == TURN} == {SLIDE}
    assert {row.face for row in game.actions.rows if row.kind == FROM_HOME} == {SORRY}
