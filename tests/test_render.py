"""Drawings: the scene holds every pawn once and the board as it is; the painters draw all of it."""

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from positions import CARDS, COLOURS, THREE_HOME, game_at
from sorry_env import Game
from sorry_env.render import ansi, png, scene, svg, svg_of
from sorry_env.render.scene import CARD_TEXTS

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [
    ("classic", 2, {}),
    ("classic", 3, {}),
    ("classic", 4, {}),
    ("classic", ["blue", "green"], {"pawns": 3, "deck": 44}),
    ("diamond", 4, {}),
    ("tiny", 2, {}),
]


def scene_of(game, last=None):
    return scene(game.variant, game.states, last=last)


def played(ruleset, seats, changes, turns=400, seed=3):
    """The positions of one random game, each just after the last."""
    game, rng = Game(ruleset, seats, seed=seed, **changes), np.random.default_rng(seed)
    for _ in range(turns):
        yield game.copy()
        if game.is_over:
            return
        game.play(int(rng.choice(game.legal())))


def finished():
    pawns = {"red": ["home"] * 4, "yellow": ["start", 0, "safe 2", "home"]}
    return Game.from_position(
        {
            "ruleset": "classic",
            "seats": ["red", "yellow"],
            "to_move": None,
            "card": None,
            "pawns": pawns,
            "winner": ["red"],
        }
    )


def texts(drawing):
    return [element.text for element in ElementTree.fromstring(drawing).iter(f"{SVG}text")]


# --- the scene


def test_the_ring_is_sixty_squares_each_beside_the_next():
    squares = scene_of(Game()).squares
    assert len(set(squares)) == len(squares) == 60
    for (x, y), (x2, y2) in pairwise([*squares, squares[0]]):
        assert abs(x - x2) + abs(y - y2) == 1


def test_it_runs_clockwise_from_reds_corner_at_the_top_left():
    squares = scene_of(Game()).squares
    assert [squares[k] for k in (0, 15, 30, 45)] == [(0, 0), (15, 0), (15, 15), (0, 15)]
    assert squares[4] == (4, 0)


@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_has_slides_of_four_and_five_squares(colour):
    picture = scene_of(Game())
    first, second = (slide.squares for slide in picture.slides if slide.colour == colour)
    corner = 15 * COLOURS.index(colour)
    assert first == tuple(picture.squares[corner + k] for k in range(1, 5))
    assert second == tuple(picture.squares[corner + k] for k in range(9, 14))


@pytest.mark.parametrize("colour", COLOURS)
def test_a_zone_leads_straight_inwards_from_the_entry(colour):
    picture = scene_of(Game())
    path = [picture.squares[15 * COLOURS.index(colour) + 2]]
    path += [mark.at for mark in picture.zones if mark.colour == colour]
    steps = {(x2 - x, y2 - y) for (x, y), (x2, y2) in pairwise(path)}
    assert len(path) == 6
    assert steps == {[(0, 1), (-1, 0), (0, -1), (1, 0)][COLOURS.index(colour)]}


def test_zones_and_ring_share_no_square():
    picture = scene_of(Game())
    assert len({*picture.squares, *(mark.at for mark in picture.zones)}) == 60 + 4 * 5


@pytest.mark.parametrize(("ruleset", "seats", "changes"), GAMES)
def test_every_pawn_is_drawn_once_and_apart_from_the_others(ruleset, seats, changes):
    for game in played(ruleset, seats, changes):
        picture = scene_of(game)
        wanted = dict.fromkeys(game.variant.colours, game.variant.ruleset.pawns)
        assert Counter(pawn.colour for pawn in picture.pawns) == wanted
        for k, pawn in enumerate(picture.pawns):
            for other in picture.pawns[:k]:
                assert np.hypot(pawn.at[0] - other.at[0], pawn.at[1] - other.at[1]) > 0.9


@pytest.mark.parametrize(("ruleset", "seats", "changes"), GAMES)
def test_pawns_on_the_ring_stand_on_the_square_of_their_position(ruleset, seats, changes):
    for game in played(ruleset, seats, changes):
        picture = scene_of(game)
        for colour, own in game.position()["pawns"].items():
            points = {pawn.at for pawn in picture.pawns_of(colour)}
            assert {picture.squares[place] for place in own if isinstance(place, int)} <= points


def test_pawns_in_start_and_at_home_stand_within_their_circles():
    picture = scene_of(finished())
    (middle,) = (mark.at for mark in picture.homes if mark.colour == "red")
    for pawn in picture.pawns_of("red"):
        assert np.hypot(pawn.at[0] - middle[0], pawn.at[1] - middle[1]) < 1


@pytest.mark.parametrize(("ruleset", "shown"), [("classic", 0), ("diamond", 4)])
def test_diamonds_are_on_the_old_board_only(ruleset, shown):
    picture = scene_of(Game(ruleset, 2))
    assert [mark.at for mark in picture.diamonds] == [picture.squares[15 * k + 3] for k in range(shown)]
    assert len(list(ElementTree.fromstring(svg(picture)).iter(f"{SVG}polygon"))) == 8 + shown
    assert ansi(picture, colour=False).count("*") == shown


def test_it_tells_turn_card_pile_and_who_is_to_move():
    picture = scene_of(game_at("7", "blue", red=[14], blue=[20], turns=12))
    assert (picture.turn, picture.card, picture.pile, picture.to_move) == (12, "7", 44, "blue")
    assert picture.status == "blue to move"
    assert picture.title == "Sorry! classic, turn 12: blue to move, card 7"
    assert picture.description == "red: Start, Start, Start, 14; blue: Start, Start, Start, 20"


def test_a_card_that_is_still_to_be_drawn_is_not_shown():
    game = game_at("3", red=[14], yellow=[20])
    picture = scene_of(game.after(game.legal()[0]))
    assert (picture.card, picture.status) == (None, "yellow to draw")


def test_a_truncated_game_has_no_winner():
    game = game_at("3", red=[14], yellow=[20], turn_limit=5, turns=5)
    picture = scene_of(game.after(game.legal()[0]))
    assert (picture.winners, picture.to_move, picture.status) == ((), None, "no winner (turn limit)")


def test_what_has_moved_is_marked_and_what_it_left():
    game = game_at("1", red=[14], yellow=[20])
    after = game.after(game.parse("1: red 14>15"))
    picture = scene_of(after, last=game.states)
    assert [pawn.at for pawn in picture.pawns if pawn.moved] == [picture.squares[15]]
    assert [mark.at for mark in picture.left] == [picture.squares[14]]
    assert not any(pawn.moved for pawn in scene_of(after).pawns)


def test_a_square_that_was_taken_over_is_not_marked_as_left():
    game = game_at("11", red=[14], yellow=[20])
    after = game.after(game.parse("11: red 14>20, yellow 20>14"))
    picture = scene_of(after, last=game.states)
    assert Counter(pawn.colour for pawn in picture.pawns if pawn.moved) == {"red": 1, "yellow": 1}
    assert picture.left == ()


def test_any_row_of_many_states_can_be_drawn():
    game = Game(seats=2).variant
    states = game.new_states(3)
    states["seat"], states["turns"] = [0, 1, 0], [1, 2, 3]
    assert [scene(game, states, i).turn for i in range(3)] == [1, 2, 3]
    assert scene(game, states, 1).to_move == "yellow"


# --- SVG


@pytest.mark.parametrize(("ruleset", "seats", "changes"), GAMES)
def test_svg_is_well_formed_and_shows_every_pawn(ruleset, seats, changes):
    for game in list(played(ruleset, seats, changes))[::40]:
        root = ElementTree.fromstring(svg_of(game))
        assert root.tag == f"{SVG}svg"
        letters = Counter(words for words in texts(svg_of(game)) if len(words) == 1 and words.isalpha())
        assert letters == {c[0].upper(): game.variant.ruleset.pawns for c in game.variant.colours}


def test_svg_says_in_words_what_it_shows():
    picture = scene_of(finished())
    root = ElementTree.fromstring(svg(picture))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Sorry! classic, turn 1: red wins"
    assert root.findtext(f"{SVG}desc") == picture.description


def test_svg_has_the_size_asked_for():
    root = ElementTree.fromstring(svg(scene_of(Game()), size=300))
    assert (root.get("width"), root.get("height")) == ("300", "300")


@pytest.mark.parametrize("card", CARDS)
def test_svg_shows_the_card_and_what_it_does(card):
    words = texts(svg_of(game_at(card, red=[14], yellow=[20])))
    assert ("Sorry!" if card == "sorry" else card) in words
    assert CARD_TEXTS[card] in " ".join(words)


def test_svg_shows_the_winner():
    assert texts(svg_of(finished())).count("red wins") == 2


def test_png_is_made_of_an_svg():
    pytest.importorskip("resvg_py")
    assert png(svg_of(Game())).startswith(b"\x89PNG")


# --- text


@pytest.mark.parametrize(("ruleset", "seats", "changes"), GAMES)
def test_text_is_sixteen_lines_of_one_width(ruleset, seats, changes):
    last = None
    for game in list(played(ruleset, seats, changes))[::20]:
        text = ansi(scene_of(game, last), colour=False)
        assert [len(line) for line in text.split("\n")] == [48] * 16
        last = game.states


@pytest.mark.parametrize("card", CARDS)
def test_text_shows_the_card_and_what_it_does(card):
    text = ansi(scene_of(game_at(card, red=[14], yellow=[20])), colour=False)
    middle = " ".join(" ".join(line[13:35].split()) for line in text.split("\n")[4:12])
    assert f"card {card}: {CARD_TEXTS[card]} red to move" in " ".join(middle.split())


def test_colour_adds_nothing_but_escape_sequences():
    picture = scene_of(game_at("7", red=["safe 1", 14, *THREE_HOME[:2]], green=[54, 20]))
    coloured = ansi(picture)
    assert coloured != ansi(picture, colour=False)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == ansi(picture, colour=False)


def test_text_shows_pawns_as_letters_where_they_stand():
    game = game_at("7", red=["safe 1", 14, "home"], blue=[0], yellow=[35], green=[59])
    lines = ansi(scene_of(game), colour=False).split("\n")
    assert [lines[y][3 * x + 1] for x, y in [(2, 1), (14, 0), (0, 0), (10, 15), (0, 1)]] == list("rrbyg")
    assert lines[1][6:9] == "[r]"
    assert sum(line.count(" start 3 ") for line in lines) == 3


def test_text_marks_what_has_moved():
    game = game_at("1", red=[14], yellow=[20])
    after = game.after(game.parse("1: red 14>15"))
    assert "( )(r)" in ansi(scene_of(after, last=game.states), colour=False)


def test_text_shows_the_winner():
    text = ansi(scene_of(finished()), colour=False)
    assert "red wins" in text
    assert "home 4" in text
