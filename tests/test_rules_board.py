"""Section B of the rules: squares, slides, circles, entries, zones and seats, the same from every side."""

from itertools import pairwise

import pytest

from positions import (
    CARDS,
    COLOURS,
    SCENES,
    THREE_HOME,
    after,
    arranged,
    corner,
    ends,
    game_at,
    places,
    position,
    results,
    rotated,
    rotated_colour,
    rotated_position,
)
from sorry_env import Game

each_colour = pytest.mark.parametrize("colour", COLOURS)
each_owner = pytest.mark.parametrize("owner", COLOURS)
each_slide = pytest.mark.parametrize(("offset", "last"), [(1, 4), (9, 13)], ids=["first", "second"])


def alone(colour, place, card, **changes):
    """A game in which the colour has one pawn left, on that place."""
    return game_at(card, colour, **{colour: [place, *THREE_HOME]}, **changes)


def end_of(colour, place, card, **changes):
    """Where the colour's only pawn ends with a card that can be used in one way."""
    (pawns,) = ends(alone(colour, place, card, **changes))
    return next((place for place in pawns if place != "home"), "home")


# --- circle, entry, zone, Home


@each_colour
@pytest.mark.parametrize("card", ["1", "2"])
def test_B_the_start_circle_is_four_squares_past_the_corner(colour, card):
    assert ends(game_at(card, colour)) == {(corner(colour) + 4,)}


@each_colour
def test_B_the_last_shared_square_is_two_past_the_corner_then_comes_the_zone(colour):
    b = corner(colour)
    assert end_of(colour, b + 1, "1") == b + 2
    assert end_of(colour, b + 2, "1") == "safe 1"


@each_colour
@pytest.mark.parametrize(("place", "then"), [(n, n + 1) for n in range(1, 5)])
def test_B_a_zone_has_five_squares(colour, place, then):
    assert end_of(colour, f"safe {place}", "1") == f"safe {then}"


@each_colour
def test_B_home_follows_the_fifth_square_of_the_zone(colour):
    assert end_of(colour, "safe 5", "1") == "home"


@each_colour
def test_B_the_way_from_the_circle_to_home_is_64_steps(colour):
    b = corner(colour)
    ring = [(b + 4 + step) % 60 for step in range(59)]
    path = [*ring, *(f"safe {n}" for n in range(1, 6)), "home"]
    assert len(path) == 65
    first_squares = {15 * side + offset for side in range(4) for offset in (1, 9)} - {b + 1, b + 9}
    for place, then in pairwise(path):
        carried = 0 if then not in first_squares else 3 if then % 15 == 1 else 4
        assert end_of(colour, place, "1") == (then + carried if carried else then)


@each_colour
def test_B_the_shared_ring_closes_after_square_59(colour):
    # 57 + 10 = 67 = 7 for all but red, which turns in: 57 is its step 53, and step 63 is safe 5.
    expected = ("safe 5",) if colour == "red" else (7,)
    assert ends(game_at("10", colour, **{colour: [57]})) == {expected, (56,)}


# --- the diamond square and the ways backward


@each_colour
@pytest.mark.parametrize(("card", "offset"), [("1", 4), ("2", 5), ("3", 6), ("5", 8), ("7", 10), ("12", 15)])
def test_B_forward_from_the_diamond_square_goes_to_the_circle_and_round(colour, card, offset):
    b = corner(colour)
    assert end_of(colour, b + 3, card) == (b + offset) % 60


@each_colour
def test_B_backward_from_the_first_safe_square_is_the_entry(colour):
    assert end_of(colour, "safe 1", "10") == corner(colour) + 2


@each_colour
@pytest.mark.parametrize(("n", "offset"), [(4, 2), (3, 1), (2, 0), (1, -1)])
def test_B_backward_from_the_zone_goes_on_behind_the_entry(colour, n, offset):
    assert end_of(colour, f"safe {n}", "4") == (corner(colour) + offset) % 60


@each_colour
def test_B_backward_from_the_circle_is_the_diamond_square(colour):
    b = corner(colour)
    assert ends(alone(colour, b + 4, "10")) == {arranged([(b + offset) % 60, *THREE_HOME]) for offset in (3, 14)}


@each_colour
@pytest.mark.parametrize("offset", [3, 4, 5, 6, 7, 8])
def test_B_backward_past_the_circle_stays_on_the_ring(colour, offset):
    b = corner(colour)
    assert end_of(colour, b + offset, "4") == (b + offset - 4) % 60


@each_colour
@pytest.mark.parametrize("offset", [2, 3, 4])
def test_B_backward_by_one_around_the_circle_stays_on_the_ring(colour, offset):
    b = corner(colour)
    back = arranged([b + offset - 1, *THREE_HOME])
    assert back in ends(alone(colour, b + offset, "10"))


# --- slides


@each_colour
@each_owner
@each_slide
def test_B_each_of_the_eight_slides_carries_every_colour_but_its_own(colour, owner, offset, last):
    b = corner(owner)
    end = end_of(colour, (b + offset - 3) % 60, "3")
    assert end == (b + offset if colour == owner else b + last)


@each_colour
@each_owner
@each_slide
def test_B_a_slide_has_one_first_square_only(colour, owner, offset, last):
    b = corner(owner)
    inner = [b + square for square in range(offset + 1, last + 1)]
    if colour == owner:
        inner = [square for square in inner if square not in (b + 3, b + 4)]  # the owner turns in before them
    assert [end_of(colour, (square - 3) % 60, "3") for square in inner] == inner


@each_owner
@each_slide
def test_B_a_slide_works_without_its_owner_at_the_table(owner, offset, last):
    b = corner(owner)
    left, right = rotated_colour(owner, 1), rotated_colour(owner, 3)
    game = game_at("5", left, seats=[left, right], **{left: [(b + offset - 5) % 60]})
    assert ends(game) == {(b + last,)}


@each_owner
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_B_a_foreign_slide_sweeps_entry_diamond_and_circle(owner, turns):
    b = corner(owner)
    mover = rotated_colour(owner, turns)
    game = game_at("3", mover, **{mover: [(b - 2) % 60], owner: [b + 2, b + 3, b + 4, (b + 5)]})
    then = after(game, **{mover: [b + 4]})
    assert places(then, owner) == (b + 5,)


@each_colour
def test_B_the_owner_walks_over_its_own_first_slide_without_sweeping(colour):
    b = corner(colour)
    other = rotated_colour(colour)
    game = game_at("3", colour, **{colour: [(b - 2) % 60], other: [b + 2, b + 3, b + 4]})
    then = after(game, **{colour: [b + 1]})
    assert places(then, other) == (b + 2, b + 3, b + 4)


# --- the same from every side


def counted(game, turns=0):
    """How many actions lead to each placement, every placement turned clockwise."""
    return {
        frozenset(
            (rotated_colour(colour, turns), arranged(rotated(place, turns) for place in pawns))
            for colour, pawns in found
        ): len(actions)
        for found, actions in results(game).items()
    }


@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("changes", [{}, {"bypass_entry": True}, {"swap_slides_both": False}], ids=str)
@pytest.mark.parametrize("scene", SCENES)
def test_B_a_turned_board_has_the_same_moves_turned(scene, changes, turns):
    for card in CARDS:
        original = position(card, **SCENES[scene], **changes)
        turned = Game.from_position(rotated_position(original, turns))
        assert counted(turned) == counted(Game.from_position(original), turns), card


# --- seats


@pytest.mark.parametrize(
    ("seats", "colours"),
    [(2, ["red", "yellow"]), (3, ["red", "blue", "yellow"]), (4, ["red", "blue", "yellow", "green"])],
)
def test_B_two_sit_opposite_and_three_side_by_side_by_default(seats, colours):
    assert Game(seats=seats).position()["seats"] == colours


@pytest.mark.parametrize(
    "colours",
    [
        ["red", "blue"],
        ["blue", "green"],
        ["yellow", "red"],
        ["green", "red"],
        ["blue", "yellow", "green"],
        ["green", "red", "yellow"],
        ["yellow", "green", "red", "blue"],
    ],
    ids=" ".join,
)
def test_B_any_choice_of_colours_may_play(colours):
    game = Game(seats=colours, first=colours[-1])
    assert game.position()["seats"] == colours
    assert game.to_move == colours[-1]
    assert set(game.position()["pawns"]) == set(colours)
    assert ends(game_at("1", colours[0], seats=colours)) == {(corner(colours[0]) + 4,)}
