"""Drawings: the scene holds every pawn once and the board as it is; the painters draw all of it."""

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from positions import CARDS, COLOURS, THREE_HOME, game_at, position
from sorry_env import Game
from sorry_env.render import png, svg_of
from sorry_env.rulesets import RULESETS
from sorry_env.sorry.board import COIN, DRAW, PROMPTS
from sorry_env.sorry.render import ansi, scene, svg
from sorry_env.sorry.render.layout import RADIUS
from sorry_env.sorry.render.words import DUTIES, card_text
from sorry_env.sorry.rules import CARDS as RULES_CARDS
from sorry_env.sorry.rules import SorryRules

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
    assert card_text(RULESETS["classic"], card) in " ".join(words)


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
    assert f"card {card}: {card_text(RULESETS['classic'], card)} red to move" in " ".join(middle.split())


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


# --- the other editions

EDITIONS = [
    ("points_1939", 3, {}),
    ("points_modern", 4, {}),
    ("teams_1939", 4, {}),
    ("teams_modern", 4, {}),
    ("fire_and_ice", 4, {}),
    ("not_sorry", 3, {}),
    ("not_sorry", 2, {"answer": "random"}),
    ("bump_em", 4, {}),
    ("bump_em", 2, {"hand_size": 5}),
]
HANDS = {"red": ["1", "3", "7", "11", "sorry"], "yellow": ["2", "2", "4", "10", "12"]}


def holding(**more):
    pawns = {"red": ["start", "start", 14, "home"], "yellow": ["start", "start", "start", 20]}
    basis = {"ruleset": "points_1939", "seats": ["red", "yellow"], "to_move": "red", "card": None}
    return Game.from_position(basis | {"pawns": pawns, "hands": HANDS} | more)


def deciding(ruleset, card, decision=None, **more):
    """A position in which something other than the use of a card is due."""
    named = {key: more.pop(key) for key in list(more) if key in COLOURS}
    seats = ["red", "blue", "yellow", "green"]
    basis = position(card, ruleset=ruleset, seats=seats, pawns=more.pop("pawns", 4), **named)
    basis["changes"] = more.pop("changes", {})
    return Game.from_position(basis | ({"pending": decision} if decision else {}) | more)


def shown(game):
    return ansi(scene_of(game), colour=False)


def test_every_ruleset_has_its_drawings_tested():
    assert {name for name, _, _ in [*GAMES, *EDITIONS]} == set(SorryRules.NAMES)


@pytest.mark.parametrize(("ruleset", "seats", "changes"), EDITIONS)
def test_every_edition_can_be_drawn_at_any_time(ruleset, seats, changes):
    game, rng, last = Game(ruleset, seats, seed=5, **changes), np.random.default_rng(5), None
    for turn in range(150):
        if game.is_over:
            break
        game = game.after(int(rng.choice(game.legal())))
        while True:
            picture = scene_of(game, last)
            assert picture.card == game.position()["card"]
            assert len(picture.pawns) == game.variant.seats * game.variant.ruleset.pawns
            if turn % 10 == 0:
                lines = ansi(picture, colour=False).split("\n")
                assert {len(line) for line in lines} == {3 * (picture.layout.span + 1)}
                assert ElementTree.fromstring(svg(picture)).findtext(f"{SVG}title") == picture.title
            if not game.awaits_chance:
                break
            assert picture.hands or picture.card or picture.status.endswith("to draw")
            last = game.states.copy()
            game.deal(str(rng.choice([outcome for outcome, _ in game.chance()])))


def test_hands_lie_face_up():
    game = holding()
    assert "red holds 1, 3, 7, 11, sorry" in shown(game)
    words = texts(svg_of(game))
    assert Counter(words)["2"] == 2
    assert {"11", "Sorry!", "10", "12"} <= set(words)
    assert "no card" not in shown(game)
    assert "next card" not in words


def test_in_a_view_others_hands_are_backs_and_the_pile_is_the_true_one():
    game = holding().view("red")
    picture = scene_of(game)
    assert "yellow holds 5 cards" in shown(game)
    assert "red holds 1, 3, 7, 11, sorry" in shown(game)
    assert picture.pile == scene_of(holding()).pile == 44 - 10
    words = texts(svg(picture))
    assert "5 cards" in words
    assert not {"12", "10", "2"} & set(words)


def test_hands_make_the_picture_higher():
    root = ElementTree.fromstring(svg(scene_of(holding()), size=720))
    assert root.get("width") == "720"
    assert int(root.get("height")) > 720


def test_who_has_played_a_card_draws_before_the_next_moves():
    game = holding()
    game = game.after(game.parse("1: red 14>15"))
    assert scene_of(game).status == "red to draw"
    assert "red holds 3, 7, 11, sorry" in shown(game)
    game.deal("5")
    assert scene_of(game).status == "yellow to move"


@pytest.mark.parametrize("ruleset", ["teams_1939", "teams_modern"])
def test_teams_are_named(ruleset):
    game = Game(ruleset)
    assert "red and yellow against blue and green" in texts(svg_of(game))
    assert "red and yellow against blue and green" in shown(game)
    assert "against" not in shown(Game())


def part():
    moved = {"red": [14], "yellow": []}
    return deciding("teams_modern", "7", {"decision": "part", "left": 4, "moved": moved}, red=[14, 40], yellow=[36])


def test_the_rest_of_a_seven_and_what_has_moved():
    picture = scene_of(part())
    assert picture.status == "red has 4 steps of the 7 left"
    assert [(pawn.colour, pawn.place) for pawn in picture.pawns if pawn.spent] == [("red", 11)]
    assert shown(part()).count("=r=") == 1
    assert "moved by this 7: red 14" in picture.description
    assert svg(picture).count("<line") == svg(scene_of(deciding("teams_modern", "7", red=[14, 40]))).count("<line") + 2


def icy(card=None, decision=None, **more):
    tokens = {"fire": ["red", 14], "ice": ["blue", 26]} | more
    return deciding("fire_and_ice", card, decision, pawns=3, red=[14, "home"], blue=[26, 44], yellow=[35], **tokens)


def test_tokens_are_marked_on_their_pawns():
    game = icy("3")
    picture = scene_of(game)
    fire, ice = picture.carrier("Fire"), picture.carrier("Ice")
    assert (fire.colour, fire.at) == ("red", picture.squares[14])
    assert (ice.colour, ice.at) == ("blue", picture.squares[26])
    lines = shown(game).split("\n")
    assert lines[0][42:45] == "^r "
    assert lines[11][45:48] == " b#"
    assert "^ Fire on red 14, # Ice on blue 26" in shown(game)
    assert "Fire on red 14; Ice on blue 26" in picture.description


def test_tokens_that_nobody_carries_lie_in_the_middle():
    game = icy("3", fire=None, ice=None)
    assert "^ Fire in the middle, # Ice in the middle" in shown(game)
    assert {"Fire", "Ice"} <= set(texts(svg_of(game)))
    assert not {"Fire", "Ice"} & set(texts(svg_of(icy("3"))))


def test_the_corners_are_fire_spaces():
    picture = scene_of(icy("3"))
    assert picture.fires == ((0, 0), (15, 0), (15, 15), (0, 15))
    text = ansi(scene_of(icy("3", fire=None)), colour=False).split("\n")
    assert [text[y][3 * x + 1] for x, y in picture.fires] == ["^"] * 4
    assert scene_of(Game()).fires == ()


def asking(card, decision, **more):
    return deciding("not_sorry", card, decision, pawns=3, red=[14], blue=[26], **more)


QUESTION = {"decision": "move", "drawer": "blue", "asked": "red"}


@pytest.mark.parametrize(
    ("game", "status"),
    [
        (lambda: icy(phase="fire"), "red decides whether Fire jumps"),
        (lambda: icy("1", {"decision": "ice"}), "red decides where Ice goes"),
        (lambda: icy("2", {"decision": "fire"}, fire=["blue", 44]), "red decides whether Fire moves"),
        (lambda: icy(None, {"decision": "second"}, fire=None), "red may take a second pawn Home"),
        (lambda: asking("question", {"decision": "ask"}), "red has to name an opponent"),
        (
            lambda: asking("question", {"decision": "answer", "drawer": "blue"}),
            "red has to answer blue: yes or no",
        ),
        (
            lambda: asking("question", {"decision": "coin", "asked": "blue"}, changes={"answer": "random"}),
            "red asks blue: a coin answers",
        ),
        (lambda: asking("question", QUESTION | {"answer": "yes"}), "red has to move six"),
        (lambda: asking("question", QUESTION | {"answer": "no"}), "red has to move three"),
        (part, "red has 4 steps of the 7 left"),
    ],
)
def test_the_status_says_what_has_to_be_decided(game, status):
    assert scene_of(game()).status == status
    assert status in texts(svg_of(game()))  # on the frame
    words = " ".join(line[13:35].strip() for line in shown(game()).split("\n")[4:12])
    assert status in " ".join(words.split())


def test_everything_that_may_be_due_has_its_words():
    assert set(DUTIES) == {*range(len(RULES_CARDS), len(PROMPTS)), DRAW, COIN}


def test_a_question_tells_who_asks_whom_and_the_answer():
    asked = asking("question", {"decision": "answer", "drawer": "blue"})
    answered = asking("question", QUESTION | {"answer": "yes"})
    assert "?" in texts(svg_of(asked))
    for game, words in ((asked, "blue asks red"), (answered, "blue asked red: yes")):
        assert words in texts(svg_of(game))
        assert words in shown(game)
        assert words in scene_of(game).description
    assert scene_of(asking("3", None)).question is None


def leafy():
    return deciding("bump_em", "sorry", red=[14, "home"], blue=[16, 24])


def test_the_cloverleaf_is_a_ring_of_four_equal_leaves():
    picture = scene_of(leafy())
    squares, span = picture.squares, picture.layout.span
    assert len({*squares, *(mark.at for mark in picture.zones)}) == 60 + 4 * 5
    for (x, y), (x2, y2) in pairwise([*squares, squares[0]]):
        assert max(abs(x - x2), abs(y - y2)) == 1
    assert squares[15:] == tuple((span - y, x) for x, y in squares[:45])
    assert all(0 <= coordinate <= span for at in squares for coordinate in at)


@pytest.mark.parametrize("colour", COLOURS)
def test_a_zone_of_the_cloverleaf_leads_from_the_entry_to_the_finish(colour):
    picture = scene_of(leafy())
    path = [picture.squares[15 * COLOURS.index(colour) + 2]]
    path += [mark.at for mark in picture.zones if mark.colour == colour]
    assert all(abs(x - x2) + abs(y - y2) == 1 for (x, y), (x2, y2) in pairwise(path))
    (home,) = (mark.at for mark in picture.homes if mark.colour == colour)
    assert np.hypot(path[-1][0] - home[0], path[-1][1] - home[1]) < 2.1


def test_the_circles_of_the_cloverleaf_cover_no_square():
    picture = scene_of(leafy())
    squares = [*picture.squares, *(mark.at for mark in picture.zones)]
    circles = [mark.at for mark in (*picture.starts, *picture.homes)]
    for k, (x, y) in enumerate(circles):
        assert all(np.hypot(max(abs(x - u) - 0.5, 0), max(abs(y - v) - 0.5, 0)) > RADIUS for u, v in squares)
        assert all(np.hypot(x - u, y - v) > 2 * RADIUS for u, v in circles[:k])


def test_turbo_squares_take_the_place_of_slides():
    picture = scene_of(leafy())
    assert picture.slides == ()
    assert [mark.at for mark in picture.turbos] == [picture.squares[15 * k + b] for k in range(4) for b in (1, 9)]
    assert shown(leafy()).count("+") == 8 - 2  # two cars stand on one
    assert scene_of(Game()).turbos == ()


def test_bump_em_has_its_own_words():
    text, words = shown(leafy()), texts(svg_of(leafy()))
    assert "pit row 2" in text
    assert "finish 1" in text
    assert "ticket Bump!: From the pit row, take the place of an opponent" in " ".join(text.split())
    assert scene_of(leafy()).title.endswith("red to move, ticket Bump!")
    assert {"Bump 'Em!", "Bump!", "PIT ROW", "FINISH"} <= set(words)
    assert "red: pit row, pit row, 14, finish" in scene_of(leafy()).description
    assert not {"START", "HOME", "Sorry!"} & set(words)


def test_cards_say_what_they_do_in_each_edition():
    assert [card_text(RULESETS["classic"], card) for card in ("2", "7", "11", "sorry")] == [
        "Start a pawn, or move 2; draw again",
        "Move 7, or split it between two pawns",
        "Move 11, or change places with an opponent",
        "From Start, take the place of an opponent",
    ]
    assert card_text(RULESETS["fire_and_ice"], "1") == "Move Ice; start a pawn, or move 1"
    assert card_text(RULESETS["fire_and_ice"], "2") == "Move Fire; start a pawn, or move 2"
    assert card_text(RULESETS["fire_and_ice"], "10") == "Start a pawn, forward 10, or back 1"
    assert card_text(RULESETS["fire_and_ice"], "sorry").endswith("; or move 4")
    assert card_text(RULESETS["bump_em"], "12") == "Start a car, or move 12"
    assert card_text(RULESETS["bump_em"], "2") == "Move 2; draw again"
    assert card_text(RULESETS["teams_modern"], "7") == "Move 7, or share it among the team's pawns"


def test_both_partners_win():
    home = {"red": ["home"] * 4, "yellow": ["home"] * 4}
    basis = position(None, ruleset="teams_1939", seats=list(COLOURS), blue=[20], **home)
    words = texts(svg_of(Game.from_position(basis | {"to_move": None, "winner": ["red", "yellow"]})))
    assert {"red wins", "yellow wins", "red and yellow win"} <= set(words)
