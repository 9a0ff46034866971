"""Rulesets, seats, valid positions and ways to play, as hypothesis strategies; and many valid states at once.

A **kind** is a ruleset's name and a number of seats. Everything else about a game, its flags and its colours
too, is drawn: half of the time nothing is changed.
"""

from dataclasses import fields
from functools import lru_cache
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from sorry_env import RULESETS, Game, Ruleset, RulesetError, board, ruleset, variant
from sorry_env.rulesets import CARDS, DECKS, SEAT_COUNTS
from sorry_env.state import NO_CARD

KINDS = [(name, seats) for name in RULESETS for seats in SEAT_COUNTS]

CHANGES = {field.name: st.booleans() for field in fields(Ruleset) if field.type is bool} | {
    "deck": st.sampled_from(sorted(DECKS)),
    "pawns": st.integers(1, board.PAWNS),
    "turn_limit": st.sampled_from([None, 1, 2, 9, 60, 1000]),
}
"""What a field of a ruleset may be changed to; a new flag comes in by itself."""

picks = st.lists(st.integers(0, 10**6), max_size=20)
"""A way to play: each number, counted round, picks one of the legal actions."""


def seatings(count):
    """Every choice of so many colours, clockwise, with every one of them as the first seat."""
    return [
        colours[first:] + colours[:first] for colours in combinations(board.COLOURS, count) for first in range(count)
    ]


@st.composite
def variants(draw, kind):
    """A variant of the kind; flags that contradict each other are left out."""
    name, count = kind
    if draw(st.booleans()):
        return variant(name, count)
    try:
        rules = ruleset(name, **draw(st.fixed_dictionaries({}, optional=CHANGES)))
    except RulesetError:
        rules = ruleset(name)
    return variant(rules, draw(st.sampled_from(seatings(count))))


@lru_cache
def places(colour):
    """Where a pawn of the colour may be, above all where rules meet: entry, circle, zone, ends of slides."""
    slides = [board.slide_squares(side, which) for side in range(board.SEATS) for which in range(2)]
    ends = [square for slide in slides for square in (slide[0], slide[-1], (slide[0] - 3) % board.RING)]
    own = [board.square(colour, place) for place in (1, 2, 53, 56, 58, 59, 60)]
    zone = [f"safe {step}" for step in range(1, 6)]
    # One flat list: drawing once a pawn is what the time of the tests goes into.
    return st.sampled_from(["start"] * 20 + list(range(board.RING)) + ends + own * 4 + zone * 5 + ["home"] * 15)


def _without_clashes(colour, drawn, taken):
    """Pawns that would share a square wait in Start instead, and so does one of a colour that is all Home."""
    kept = []
    for place in drawn:
        square = place if isinstance(place, int) else (colour, place)
        kept.append("start" if square in taken else place)
        if place not in ("start", "home"):
            taken.add(square)
    return ["start", *kept[1:]] if set(kept) == {"home"} else kept


@st.composite
def _pawns(draw, game):
    count, taken = game.ruleset.pawns, set()
    return {
        colour: _without_clashes(colour, draw(st.lists(places(colour), min_size=count, max_size=count)), taken)
        for colour in game.colours
    }


def _piles(game, card):
    """No word about the pile, an empty one, or any that the deck allows."""
    if game.ruleset.replacement:
        return st.none()
    most = [full - (kind == card) for kind, full in zip(CARDS, game.ruleset.counts, strict=True)]
    counts = st.tuples(*(st.integers(0, count) for count in most))
    return st.one_of(st.none(), st.just((0,) * len(CARDS)), counts)


@st.composite
def positions_of(draw, game, card=True):
    """A valid position of a running game of the variant, with a card in play or with one due."""
    in_play = draw(st.sampled_from([*CARDS, "7", "7", "11"])) if card else None
    pile = draw(_piles(game, in_play))
    position = {
        "ruleset": game.ruleset.name,
        "changes": game.ruleset.changes(),
        "seats": list(game.colours),
        "to_move": draw(st.sampled_from(game.colours)),
        "card": in_play,
        "pawns": draw(_pawns(game)),
        "turns": draw(st.integers(1, game.ruleset.turn_limit or 500)),
    }
    return position if pile is None else position | {"pile": dict(zip(CARDS, pile, strict=True))}


def positions(kind, card=True):
    """`positions_of` any variant of the kind."""
    return variants(kind).flatmap(lambda game: positions_of(game, card))


def games(kind, card=True):
    """A `Game` in one of `positions`, with a generator of its own."""
    return st.builds(Game.from_position, positions(kind, card), seed=st.integers(0, 2**32))


@st.composite
def finished_games(draw, kind):
    """A `Game` that somebody has won or, where there is a turn limit, that was truncated."""
    game = draw(variants(kind))
    position = draw(positions_of(game, card=False)) | {"to_move": None, "winner": []}
    if game.ruleset.turn_limit is None or draw(st.booleans()):
        winner = draw(st.sampled_from(game.colours))
        position["winner"] = [winner]
        position["pawns"][winner] = ["home"] * game.ruleset.pawns
    else:
        position["turns"] = game.ruleset.turn_limit
    return Game.from_position(position)


def played(game, numbers):
    """Play the picks on a copy and yield, before each action, the game as it is then and the action."""
    game = game.copy()
    for number in numbers:
        if game.is_over:
            return
        legal = game.legal()
        action = legal[number % len(legal)]
        yield game.copy(), action
        game.play(action)


def random_states(game, count, seed=0):
    """(count,) STATE of a variant: valid boards with a card in play, every other one crowded."""
    rng = np.random.default_rng(seed)
    shape = (count, game.seats, game.ruleset.pawns)
    zone = board.SAFE + 1 + np.argsort(rng.random((count, game.seats, 5)))[..., : game.ruleset.pawns]
    where = rng.choice(4, size=shape, p=[0.12, 0.6, 0.2, 0.08])
    drawn = np.choose(where, [board.START, _ring_places(game, shape, rng), zone, board.HOME])
    finished = (drawn == board.HOME).all(axis=2)
    drawn[finished, 0] = board.START
    states = game.new_states(count)
    states["pawns"] = board.HOME
    states["pawns"][:, : game.seats, : game.ruleset.pawns] = np.sort(drawn, axis=2)
    states["turns"], states["seat"] = 1, rng.integers(game.seats, size=count)
    states["card"], states["pile"] = NO_CARD, game.ruleset.counts
    game.draw(states, rng.integers(1, 2**64, size=count, dtype=np.uint64))
    return states


def _ring_places(game, shape, rng):
    """Places of pawns on different ring squares; in every other state close together."""
    order = rng.random((shape[0], board.RING))
    middle = rng.integers(board.RING, size=(shape[0], 1))
    near = (np.arange(board.RING) - middle) % board.RING < 16
    order[::2] -= 0.5 * near[::2]
    squares = np.argsort(order)[:, : shape[1] * shape[2]]
    squares = rng.permuted(squares, axis=1).reshape(shape)
    circles = np.array([board.circle(colour) for colour in game.colours])
    return (squares - circles[:, None]) % board.RING + 1
