"""The engine of Parcheesi against what must hold in every position, whatever the rules say in detail."""

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcheesi_positions import COLOURS, dealt, game_at, new_game, played, seen, texts
from sorry_env import Game, InvalidPosition, RulesetError, ruleset, variant
from sorry_env.parcheesi import board
from sorry_env.parcheesi.actions import Action
from sorry_env.parcheesi.board import MOVE, OUTCOMES
from sorry_env.parcheesi.heuristic import TERMS, WEIGHTS, term_vectors
from sorry_env.parcheesi.rules import ParcheesiRules
from sorry_env.parcheesi.scene import ansi, place_at, square_at, svg
from sorry_env.parcheesi.state import STATE
from sorry_env.players import make_player
from sorry_env.random import generators
from sorry_env.verbs import draw

SEATS = [2, 3, 4, ["red", "blue"], ["blue", "yellow", "green"], ["green", "yellow"][::-1]]
CHANGES = {
    "pieces": st.integers(1, 4),
    "third_doublet_penalty": st.booleans(),
    "second_lap": st.booleans(),
    "doublet_breaks_blockade": st.booleans(),
    "turn_limit": st.sampled_from([None, 1, 5, 60]),
}
picks = st.lists(st.integers(0, 10**6), min_size=1, max_size=25)
"""A way to play: each number, counted round, picks a roll or one of the legal actions."""


@st.composite
def games(draw):
    """A game from a random position before a roll; squares are few, so that pieces meet."""
    changes = draw(st.fixed_dictionaries({}, optional=CHANGES))
    seats = draw(st.sampled_from(SEATS))
    game = new_game(seats, **changes)
    at = game.position()
    squares = draw(st.lists(st.integers(0, 67), min_size=4, max_size=12, unique=True))
    free = {square: draw(st.sampled_from(at["seats"])) for square in squares}
    for colour in at["seats"]:
        own = [square for square, owner in free.items() if owner == colour] * 2
        places = st.sampled_from(["nest", "home", *own, *own, *(f"row {k}" for k in range(1, 8))])
        wanted = draw(st.lists(places, min_size=game.variant.ruleset.pieces, max_size=game.variant.ruleset.pieces))
        at["pieces"][colour] = _allowed(wanted)
    at["to_move"] = draw(st.sampled_from(at["seats"]))
    at["doublets"] = draw(st.integers(0, 2))
    return Game.from_position(at)


def _allowed(places):
    """At most two pieces on a square, and not all of them Home."""
    counts = Counter(places)
    for place, count in counts.items():
        for _ in range(count - 2 if place not in ("nest", "home") else 0):
            places[places.index(place)] = "nest"
    if set(places) == {"home"}:
        places[0] = "nest"
    return places


def walk(game, numbers):
    """The games along a way to play, the first included."""
    yield game
    for number in numbers:
        if game.is_over:
            return
        if game.awaits_chance:
            game = dealt(game, *OUTCOMES[number % len(OUTCOMES)])
        else:
            game = game.after(game.legal()[number % len(game.legal())])
        yield game


@given(games(), picks)
def test_pieces_are_conserved_and_squares_hold_at_most_two_of_one_colour(game, numbers):
    count = game.variant.ruleset.pieces
    for then in walk(game, numbers):
        taken = {}
        for colour, places in then.position()["pieces"].items():
            assert len(places) == count
            on_squares = Counter(place for place in places if place not in ("nest", "home"))
            assert all(found <= 2 for found in on_squares.values())
            for place in on_squares:
                if not isinstance(place, str):
                    assert taken.setdefault(place, colour) == colour


@given(games(), picks)
def test_rows_are_in_order(game, numbers):
    for then in walk(game, numbers):
        s, count = then.states[0], then.variant.ruleset.pieces
        assert (np.diff(s["pieces"].astype(int)) >= 0).all()
        assert (s["pieces"][:, count:] == board.HOME).all()
        assert (s["pieces"][then.variant.seats :] == board.HOME).all()
        if then.awaits_chance or then.is_over:
            assert not s["rolled"].any()
            assert not s["left"].any()
            assert not s["marks"].any()
            assert s["tens"] == s["twenties"] == 0
        marked = Counter(int(mark) for mark in s["marks"] if mark)
        assert all(found == 2 for found in marked.values())
        assert 2 not in marked or 1 in marked


@given(games(), picks)
def test_a_position_round_trips_as_dict_and_as_line(game, numbers):
    for then in walk(game, numbers):
        at = then.position()
        assert Game.from_position(at).states == then.states
        assert Game.from_position(str(then)).states == then.states
        shuffled = at | {"pieces": {colour: own[::-1] for colour, own in at["pieces"].items()}}
        assert Game.from_position(shuffled).states == then.states


@given(games(), picks)
def test_every_legal_action_leads_somewhere_else(game, numbers):
    for then in walk(game, numbers):
        rows = [then.after(action).states.tobytes() for action in then.legal()]
        assert len(set(rows)) == len(rows)
        assert bool(rows) == (not then.is_over and not then.awaits_chance)


@given(games(), picks)
def test_what_is_legal_has_a_text_and_what_is_not_a_reason(game, numbers):
    for then in walk(game, numbers):
        legal = then.legal()
        assert legal == sorted(set(legal))
        assert len(texts(then)) == len(legal)
        for action in range(-1, then.variant.num_actions + 1):
            assert bool(then.why_illegal(action)) == (action not in legal)
        for action in legal:
            assert then.parse(then.text(action)) == action


@given(games(), picks)
def test_a_reason_never_blames_a_landing_that_is_allowed(game, numbers):
    for then in walk(game, numbers):
        for action, row in enumerate(then.variant.actions.rows):
            reason = then.why_illegal(action)
            if reason.endswith("the lower number stands for both."):
                assert row.kind == MOVE
                lower = then.variant.actions.id(Action(MOVE, row.steps, row.piece - 1, row.past))
                assert lower in then.legal()


@given(games(), picks)
def test_passing_is_the_only_action_or_none(game, numbers):
    for then in walk(game, numbers):
        assert 0 not in then.legal() or then.legal() == [0]


@given(games(), picks, st.integers(1, 3))
def test_the_board_is_the_same_after_a_quarter_turn(game, numbers, turns):
    for then in walk(game, numbers):
        at = then.position()
        turned = Game.from_position(_turned(at, turns))
        assert turned.legal() == then.legal()
        for seat, colour in enumerate(at["seats"]):
            assert (seen(then, colour) == seen(turned, turned.variant.colours[seat])).all()
        for action in then.legal():
            assert turned.after(action).position() == _turned(then.after(action).position(), turns)


def _turned(at, turns):
    """A position with all colours and squares so many sides further."""

    def colour(name):
        return None if name is None else COLOURS[(COLOURS.index(name) + turns) % 4]

    def place(value):
        return value if isinstance(value, str) else (value + board.SIDE * turns) % board.RING

    turned = at | {
        "seats": [colour(name) for name in at["seats"]],
        "to_move": colour(at["to_move"]),
        "pieces": {colour(name): [place(value) for value in own] for name, own in at["pieces"].items()},
    }
    if "together" in at:
        turned["together"] = {
            colour(name): [[place(value) for value in pair] for pair in pairs] for name, pairs in at["together"].items()
        }
    if "winner" in at:
        turned["winner"] = [colour(name) for name in at["winner"]]
    return turned


@given(games(), picks)
def test_features_lie_in_0_to_1_and_tell_positions_apart(game, numbers):
    told_of = {}
    for then in walk(game, numbers):
        for colour in then.variant.colours:
            vector = seen(then, colour)
            assert ((vector >= 0) & (vector <= 1)).all()
        at = then.position()
        told = {key: at[key] for key in ("pieces", "to_move", "dice", "rewards", "together") if key in at}
        assert told_of.setdefault(seen(then, then.variant.colours[0]).tobytes(), told) == told


# --- chance


def test_every_number_rolls_by_the_odds():
    game = new_game()
    found = Counter()
    for k in range(36):
        then = game.copy()
        draw(then.states[0], then.variant.rules[0], np.uint64((k * 2**32 + 2**31) // 36))
        found[tuple(then.position()["rolled"])] += 1
    assert {roll: count / 36 for roll, count in found.items()} == pytest.approx(
        {tuple(roll): p for roll, p in game.chance()}
    )


def test_drawing_is_dealing():
    game = game_at(red=[18, 18, 30, "home"], doublets=2)
    for k in range(36):
        drawn = game.copy()
        draw(drawn.states[0], drawn.variant.rules[0], np.uint64((k * 2**32 + 2**31) // 36))
        assert any(drawn.states == dealt(game, *roll).states for roll in OUTCOMES)


# --- whole games


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("count", [1, 4])
def test_games_end_with_one_winner(seats, count):
    game = variant("parcheesi", seats, pieces=count)
    states, rng, players = game.new_states(3), generators(7, 3), generators(8, 3)
    game.reset(states, rng)
    uniform = make_player("uniform", game)
    for _ in range(20_000):
        if states["over"].all():
            break
        game.play(states, uniform.choose(states, players))
        game.draw(states, rng)
    assert states["over"].all()
    home = (states["pieces"] == board.HOME).all(axis=2)[:, :seats]
    assert (home.sum(axis=1) == 1).all()
    assert np.allclose(game.returns(states).sum(axis=1), 0)
    assert ((game.returns(states) == 1) == home).all()


# --- tables


def test_the_table_of_actions():
    game = variant("parcheesi")
    assert len(game.actions) == 69
    assert len(variant("parcheesi", second_lap=False).actions) == 37
    assert [game.actions.id(row) for row in game.actions.rows] == list(range(69))
    assert len({str(row) for row in game.actions.rows}) == 69
    assert len(game.actions) <= board.MOST_ACTIONS


@pytest.mark.parametrize("lap", [True, False])
def test_every_action_of_the_table_can_be_used(lap):
    found = set(game_at([1, 6], second_lap=lap).legal()) | set(game_at([1, 4], second_lap=lap).legal())
    found |= set(game_at([5], second_lap=lap).legal())
    for piece in range(4):
        for square in (21, 0):
            own = [18, 19, 20][:piece] + [square] + ["home"] * (3 - piece)
            for roll in ([1, 6], [2, 5], [3, 4]):
                found |= set(game_at(roll, red=own, second_lap=lap).legal())
            found |= set(game_at(rewards=[10, 20], red=own, second_lap=lap).legal())
    assert found == set(range(len(variant("parcheesi", second_lap=lap).actions)))


def test_the_slices_of_an_observation():
    table = variant("parcheesi", 4).features
    assert list(table.slices) == [name for name in board.SLICES if name not in ("sides", "turns_left")]
    assert "sides" in variant("parcheesi", 3, turn_limit=9).features.slices
    ends = [part.end for part in table.slices.values()]
    assert [part.begin for part in table.slices.values()] == [0, *ends[:-1]]
    assert table.width == ends[-1]


def test_an_observation():
    game = game_at([3], rolled=[3, 3], doublets=1, rewards=[20], red=[5, 5, "row 2"], yellow=[38, "home"])
    vector, slices = seen(game, "red"), game.variant.features.slices
    told = {name: vector[part.begin : part.end].reshape(part.shape) for name, part in slices.items()}
    assert told["nest"].tolist() == [[1, 0, 0, 0], [1, 1, 0, 0]]
    assert told["home"].tolist() == [[0, 0, 0, 0], [1, 0, 0, 0]]
    assert np.argwhere(told["ring"]).tolist() == [[0, 0], [1, 33]]
    assert told["ring"][0, 0] == 1
    assert told["ring"][1, 33] == 0.5
    assert np.argwhere(told["row"]).tolist() == [[0, 1]]
    assert told["mover"].tolist() == [1, 0]
    assert told["sides"].tolist() == [[0, 1, 0]]
    assert np.argwhere(told["dice"]).tolist() == [[2, 0]]
    assert told["again"].tolist() == [1]
    assert told["doublets"].tolist() == [1, 0]
    assert told["rewards"].tolist() == [[0, 0], [1, 0.25]]
    assert np.argwhere(told["together"]).tolist() == [[0, 0]]


@pytest.mark.parametrize(
    "changes",
    [{"turn_limit": 0}, {"second_lap": 1}, {"name": "ludo"}, {"turn_limit": 2.5}, {"pieces": 9}],
)
def test_a_ruleset_that_cannot_be_is_refused(changes):
    with pytest.raises(RulesetError):
        ParcheesiRules(**({"name": "parcheesi"} | changes))


def test_a_ruleset_tells_its_changes():
    changed = ruleset("parcheesi", second_lap=False, turn_limit=7)
    assert str(changed) == "parcheesi(turn_limit=7, second_lap=False)"
    assert ruleset("parcheesi", **changed.changes()) == changed
    with pytest.raises(RulesetError, match="second_lap"):
        ruleset("parcheesi", second_laps=False)
    with pytest.raises(RulesetError, match="parcheesi"):
        ruleset("parchesi")


@pytest.mark.parametrize(
    "line", ["parcheesi laps=2; red nest", "parcheesi; purple 3", "parcheesi; together red 3", "parcheesi; to"]
)
def test_a_line_that_cannot_be_read_is_refused(line):
    with pytest.raises(InvalidPosition, match="cannot read"):
        Game.from_position(line)


def test_states_are_small():
    assert STATE.itemsize <= 128


# --- pictures


def test_every_square_of_the_board_has_a_place_of_its_own():
    points = [square_at(k) for k in range(68)]
    points += [place_at(colour, board.ROW + k) for colour in COLOURS for k in range(1, 8)]
    assert len(set(points)) == len(points)
    assert all(x in range(19) and y in range(19) for x, y in points)


def test_neighbours_touch():
    for k in range(68):
        (x, y), (x2, y2) = square_at(k), square_at((k + 1) % 68)
        assert max(abs(x - x2), abs(y - y2)) == 1
    for colour in COLOURS:
        row = [place_at(colour, place) for place in (board.TURN_OFF, *range(board.ROW + 1, board.HOME))]
        assert all(abs(x - x2) + abs(y - y2) == 1 for (x, y), (x2, y2) in pairwise(row))


def test_play_goes_counter_clockwise():
    middle = 9
    turns = 0
    for k in range(68):
        (x, y), (x2, y2) = square_at(k), square_at((k + 1) % 68)
        turns += (x - middle) * (y2 - y) - (y - middle) * (x2 - x)
    assert turns < 0  # across and down: the board is seen from above


@given(games(), picks)
def test_a_picture_shows_every_piece(game, numbers):
    for then in walk(game, numbers[:3]):
        told = ansi(then.variant, then.states, colour=False)
        rows = told.split("\n")
        assert len({len(row) for row in rows}) == 1
        coloured = ansi(then.variant, then.states)
        assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == told
        for colour, own in then.position()["pieces"].items():
            on_squares = sum(place not in ("nest", "home") for place in own)
            found = re.findall(f"(?<![a-z]){colour[0]}{{1,2}}(?![a-z])", "\n".join(rows[:19]))
            assert sum(map(len, found)) == on_squares
        drawing = ElementTree.fromstring(svg(then.variant, then.states))
        letters = [node.text for node in drawing.iter("{http://www.w3.org/2000/svg}text")]
        for colour in then.variant.colours:
            assert letters.count(colour[0].upper()) == then.variant.ruleset.pieces


def test_a_picture_tells_the_roll():
    game = game_at([3], rolled=[3, 3], doublets=1, rewards=[20], red=[18, 21], together={"red": [[18, 21]]})
    told = ansi(game.variant, game.states, colour=False)
    for words in ("rolled 3 3, left 3", "rewards 20", "doublets 1", "stood together: 18 and 21", "red to move"):
        assert words in told
    over = played(game_at([2], red=["row 6", "home", "home", "home"]), "2: red row 6>home")
    assert "red wins" in ansi(over.variant, over.states, colour=False)
    cut = played(game_at([2], turns=3, turn_limit=3), "pass")
    assert "cut short" in ansi(cut.variant, cut.states, colour=False)


# --- players


@pytest.mark.parametrize(("rival", "share"), [("uniform", 0.9), ("greedy", 0.75)])
def test_the_heuristic_beats(rival, share):
    assert _wins("heuristic", rival, 60) > share


def test_greedy_beats_uniform():
    assert _wins("greedy", "uniform", 60) > 0.8


def _wins(one, other, count):
    """The share of games between two seats that a player wins, half of them begun by it."""
    game = variant("parcheesi", 2)
    players, lots = [make_player(one, game), make_player(other, game)], generators(5, count)
    states, rng = game.new_states(count), generators(4, count)
    half = count // 2
    game.reset(states[:half], rng[:half], 0)
    game.reset(states[half:], rng[half:], 1)
    while not states["over"].all():
        actions = np.zeros(count, np.int64)
        for seat, chooser in enumerate(players):
            mine = np.flatnonzero((states["seat"] == seat) & (states["over"] == 0))
            if len(mine):
                numbers = lots[mine]
                actions[mine] = chooser.choose(states[mine], numbers)
                lots[mine] = numbers
        game.play(states, actions)
        game.draw(states, rng)
    return (states["winners"] == 1).mean()


def test_the_terms_of_a_position():
    game = game_at(red=[18, 18, 40, "home"], yellow=[37, 5, 30, "row 2"])
    found = dict(zip(TERMS, term_vectors(game.variant, game.states, np.array([0]))[0], strict=True))
    assert set(WEIGHTS) == set(TERMS)
    assert found["steps"] == (13 + 13 + 35 + 71) - (-2 + 34 + 59 + 65)
    assert found["blockade"] == 1
    assert found["home"] == 1
    assert found["row"] == -1
    assert found["in_nest"] == 0
    assert found["held_up"] == 0
    assert found["hits"] == pytest.approx(14 / 36)  # by a 3, 1+2, or the bottoms of 4-4
    assert found["danger"] == pytest.approx(35 * found["hits"])


def test_the_best_of_the_rest_of_a_roll_is_what_counts():
    game = game_at([2, 4], red=["row 6", "home", "home", 38])
    actions = {game.text(action): game.after(action).states for action in game.legal()}
    found = {text: term_vectors(game.variant, after, np.array([0]))[0] for text, after in actions.items()}
    assert found["2: red 38>40"][list(TERMS).index("home")] == 2
    assert found["4: red 38>42"][list(TERMS).index("home")] == 3
    won = game_at([2], red=["row 6", "home", "home", "home"], rolled=[1, 2])
    assert term_vectors(won.variant, won.states, np.array([0]))[0][list(TERMS).index("win")] == 1
