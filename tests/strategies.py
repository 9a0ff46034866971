"""Rulesets, seats, valid positions and ways to play, as hypothesis strategies; and many valid states at once.

A **kind** is a ruleset's name and a number of seats. Everything else about a game, its flags and its colours
too, is drawn: half of the time nothing is changed.
"""

import random
from dataclasses import fields
from functools import lru_cache
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from positions import rotated, rotated_colour, rotated_position
from sorry_env import Game, InvalidPosition, RulesetError, ruleset, variant
from sorry_env.sorry import board
from sorry_env.sorry.pending import DECISIONS, decisions_of
from sorry_env.sorry.rules import (
    ANSWERS,
    CARDS,
    DECKS,
    EDITIONS,
    HAND_SIZES,
    MOST_QUESTIONS,
    POINTS,
    STARTERS,
    SorryRules,
)
from sorry_env.sorry.state import TOKEN

KINDS = [(rules.name, seats) for rules in EDITIONS for seats in rules.seat_counts]

CHANGES = {field.name: st.booleans() for field in fields(SorryRules) if field.type is bool} | {
    "deck": st.sampled_from(sorted(DECKS)),
    "pawns": st.integers(1, board.PAWNS),
    "turn_limit": st.sampled_from([None, 1, 2, 9, 60, 1000]),
    "hand_size": st.sampled_from(HAND_SIZES),
    "points": st.sampled_from([None, *POINTS]),
    "starters": st.sets(st.sampled_from(STARTERS), min_size=1).map(lambda own: tuple(c for c in STARTERS if c in own)),
    "question_cards": st.integers(0, MOST_QUESTIONS),
    "answer": st.sampled_from(ANSWERS),
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
    """A variant of the kind; changes that contradict those before them are left out."""
    name, count = kind
    rules = ruleset(name)
    if draw(st.booleans()):
        return variant(rules, count)
    seats = draw(st.sampled_from(seatings(count)))
    for field, value in draw(st.fixed_dictionaries({}, optional=CHANGES)).items():
        try:
            rules = variant(rules, seats, **{field: value}).ruleset
        except RulesetError:
            continue
    return variant(rules, seats)


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
    pawns = {
        colour: _without_clashes(colour, draw(st.lists(places(colour), min_size=count, max_size=count)), taken)
        for colour in game.colours
    }
    if game.ruleset.partners and draw(st.integers(0, 3)) == 0:  # who is all Home plays on for the partner (T6)
        pawns[draw(st.sampled_from(game.colours))] = ["home"] * count
    return pawns


def _piles(game, out):
    """No word about the pile, an empty one, or any that the deck allows when so many cards of each are out."""
    if game.ruleset.replacement:
        return st.none()
    most = [full - count for full, count in zip(game.ruleset.counts, out, strict=True)][: len(game.ruleset.cards)]
    counts = st.tuples(*(st.integers(0, count) for count in most))
    return st.one_of(st.none(), st.just((0,) * len(most)), counts)


@st.composite
def _hands(draw, game, to_move, short):
    """Hands out of one deck; in a short one, of the seat to move or the one before it, the refill is due."""
    deck = [card for card, count in zip(CARDS, game.ruleset.counts, strict=True) for _ in range(count)]
    chance = random.Random(draw(st.integers(0, 2**32)))  # one draw: hypothesis takes long over a whole deck
    cards = chance.choices(deck, k=20) if game.ruleset.replacement else chance.sample(deck, len(deck))
    size = game.ruleset.hand_size
    hands = {colour: cards[size * seat : size * seat + size] for seat, colour in enumerate(game.colours)}
    if short:
        seat = game.seat_of(to_move) - draw(st.integers(0, 1))
        hands[game.colours[seat % game.seats]].pop()
    return {colour: sorted(hand, key=CARDS.index) for colour, hand in hands.items()}


@st.composite
def positions_of(draw, game, card=True):
    """A valid position of a running game of the variant, in which a seat has to decide, or else chance is due."""
    rules, to_move = game.ruleset, draw(st.sampled_from(game.colours))
    kinds = [kind for kind, count in zip(CARDS, rules.counts, strict=True) if count]
    in_play = draw(st.sampled_from([*kinds, "7", "7", "11"])) if card and not rules.hand_size else None
    hands = draw(_hands(game, to_move, short=not card)) if rules.hand_size else {}
    out = [sum(hand.count(kind) for hand in hands.values()) + (kind == in_play) for kind in CARDS]
    pile = draw(_piles(game, out))
    position = {
        "ruleset": rules.name,
        "changes": rules.changes(),
        "seats": list(game.colours),
        "to_move": to_move,
        "card": in_play,
        "pawns": draw(_pawns(game)),
        "turns": draw(st.integers(1, rules.turn_limit or 500)),
    }
    position |= {"hands": hands} if hands else {}
    position |= draw(_tokens(position)) if rules.tokens else {}
    position |= {} if pile is None else {"pile": dict(zip(CARDS, pile, strict=False))}
    if card:
        return draw(_decisions(game, position))
    return draw(_coins(game, position)) if "coin" in decisions_of(game) else position


@st.composite
def _coins(draw, game, position):
    """The position, or one in which a coin has to answer a question."""
    if draw(st.booleans()):
        return position
    asked = draw(st.sampled_from([colour for colour in game.colours if colour != position["to_move"]]))
    return position | {"card": "question", "pending": {"decision": "coin", "asked": asked}} | _no_pile(game)


def _no_pile(game):
    """A pile that leaves room for any card in play."""
    return {} if game.ruleset.replacement else {"pile": dict.fromkeys(game.ruleset.cards, 0)}


@st.composite
def _tokens(draw, position):
    """Fire and Ice in the middle or on pawns that can carry them."""
    spots = [[colour, place] for colour, own in position["pawns"].items() for place in own]
    out = [spot for spot in spots if spot[1] not in ("start", "home")]
    ring = [spot for spot in out if isinstance(spot[1], int)]
    return {"fire": draw(st.sampled_from([None, *out, *out])), "ice": draw(st.sampled_from([None, *ring, *ring]))}


@st.composite
def _decisions(draw, game, position):
    """The position, or one in which something beside the use of a card is to be decided."""
    decisions = [*decisions_of(game), *(["jump"] if game.ruleset.tokens else [])]
    decision = draw(st.sampled_from([None, *decisions])) if decisions else None
    if decision in (None, "coin"):
        waits = position["card"] == "question" and game.ruleset.answer == "random" and game.seats == 2
        return position | {"card": "3"} | _no_pile(game) if waits else position
    if decision == "jump":
        changed = position | {"phase": "fire", "card": None} | _no_pile(game)
    else:
        words = draw(_words(game, position, decision))
        changed = position | {
            "card": board.card_in_play(DECISIONS[decision][0][0]),
            "pending": {"decision": decision} | words,
        }
        changed |= _no_pile(game)
        changed |= {"fire": None} if decision == "second" else {}
    try:
        Game.from_position(changed)
    except InvalidPosition:  # the pawns do not give this decision
        return position
    return changed


@st.composite
def _words(draw, game, position, decision):
    """The further keys of a pending decision."""
    mover = position["to_move"]
    other = draw(st.sampled_from([colour for colour in game.colours if colour != mover]))
    if decision == "answer":
        return {"drawer": other}
    if decision == "move":
        drawer, asked = draw(st.sampled_from([(mover, other), (other, mover)]))
        return {"answer": draw(st.sampled_from(["yes", "no"])), "drawer": drawer, "asked": asked}
    if decision == "part":
        seat = game.seat_of(mover)
        team = [mover, game.colours[(seat + 2) % game.seats]]
        moved = {
            colour: [p for p in position["pawns"][colour] if p not in ("start", "home") and draw(st.booleans())][:2]
            for colour in team
        }
        return {"left": draw(st.integers(1, 6)), "moved": moved}
    return {}


def turned(position, sides):
    """A position with the whole board turned clockwise: pawns, colours, and all that a position says of them."""
    there = {colour: rotated_colour(colour, sides) for colour in board.COLOURS}
    new = rotated_position(position, sides)
    if "hands" in position:
        new["hands"] = {there[colour]: hand for colour, hand in position["hands"].items()}
    for token in ("fire", "ice"):
        if position.get(token):
            colour, place = position[token]
            new[token] = [there[colour], rotated(place, sides)]
    if "pending" in position:
        pending = position["pending"]
        new["pending"] = pending | {key: there[pending[key]] for key in ("drawer", "asked") if key in pending}
        if "moved" in pending:
            moved = pending["moved"].items()
            new["pending"]["moved"] = {there[colour]: [rotated(p, sides) for p in own] for colour, own in moved}
    return new


def positions(kind, card=True):
    """`positions_of` any variant of the kind; `card`: whether a seat has to decide, or else chance is due."""
    return variants(kind).flatmap(lambda game: positions_of(game, card))


def games(kind, card=True):
    """A `Game` in one of `positions`, with a generator of its own."""
    return st.builds(Game.from_position, positions(kind, card), seed=st.integers(0, 2**32))


@st.composite
def finished_games(draw, kind):
    """A `Game` that somebody has won or, where there is a turn limit, that was truncated."""
    game = draw(variants(kind))
    position = draw(positions_of(game, card=False)) | {"to_move": None, "card": None, "winner": []}
    position.pop("pending", None)
    if game.ruleset.turn_limit is None or draw(st.booleans()):
        seat = draw(st.integers(0, game.seats - 1))
        side = sorted({seat, (seat + 2) % game.seats} if game.ruleset.partners else {seat})
        position["winner"] = [game.colours[seat] for seat in side]
        for winner in position["winner"]:
            position["pawns"][winner] = ["home"] * game.ruleset.pawns
        for token in ("fire", "ice"):
            if position.get(token) and position[token][0] in position["winner"]:
                position[token] = None
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
    states["due"], states["pile"] = board.DRAW, game.ruleset.counts
    if game.ruleset.tokens:
        for token, last in (("fire", board.HOME - 1), ("ice", board.DIAMOND)):
            states[token] = _holders(states, last, rng)
    game.draw(states, rng.integers(1, 2**64, size=count, dtype=np.uint64))
    return states


def _holders(states, last, rng):
    """A pawn of each state that is out, as far as a place, by lot; none in every fourth."""
    places = states["pawns"].reshape(len(states), -1)
    lots = rng.random(places.shape) * ((places > board.START) & (places <= last))
    chosen = np.where(lots.max(axis=1) > 0, lots.argmax(axis=1) + TOKEN, 0)
    return np.where(np.arange(len(states)) % 4 == 3, 0, chosen)


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
