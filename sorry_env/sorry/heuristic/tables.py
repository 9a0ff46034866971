"""What places mean in one ruleset: the turns that a lone pawn needs from each, and what each card may do there."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, inner
from sorry_env.sorry.actions import REPLACES, SEVEN, SWAPS, action_table
from sorry_env.sorry.board import BACK, CIRCLE, DIAMOND, HOME, JUMP, NOWHERE, OUT, PLACES, QUESTION, SAFE, START
from sorry_env.sorry.points import PROGRESS
from sorry_env.sorry.rules import CARDS
from sorry_env.variant import Variant

Floats = npt.NDArray[np.float64]


IMPOSSIBLE = -1

WAYS = 4
"""Most ways in which a card may move one pawn."""

TABLES = np.dtype(
    (
        np.record,
        [
            ("turns", np.float64, (PLACES,)),  # until Home, for a lone pawn
            ("fired", np.float64, (PLACES,)),  # the same with Fire, which jumps before each turn (F5)
            ("steps", np.float64, (PLACES,)),
            ("stops", np.int64, (len(CARDS), WAYS, PLACES)),  # where a card may take a pawn, before any slide
            ("slide", np.int64, (PLACES,)),  # where a pawn that stops at a place comes to rest
            ("parts", np.int64, (SEVEN, PLACES)),  # where 1..6 steps end, parts of a 7 or after a question
            ("starts", np.float64, (len(CARDS),)),  # 1 if the card brings a pawn out of Start
            ("worth", np.float64, (len(CARDS),)),  # turns that the card saves on average over all places
            ("leaving", np.float64, (len(CARDS),)),  # turns that it saves from the own circle
            ("enters", np.float64, (PLACES, len(CARDS))),  # 1 if the card can take a pawn from the ring into its zone
            ("finishes", np.float64, (PLACES, len(CARDS))),  # 1 if it can take it Home
            ("back", np.float64, (PLACES, len(CARDS))),  # turns that it can save by going back
            ("slides", np.float64, (PLACES, len(CARDS))),  # turns that it can save by sliding
        ],
    )
)
"""What places mean in one ruleset. A move that cannot be made stops at IMPOSSIBLE."""

THEIRS, OWN = 0, 1
"""Whose next card: a rival's, or the own one that is drawn next."""

NOTES = np.dtype(
    (
        np.record,
        [
            ("odds", np.float64, (2, len(CARDS))),  # of the next card, theirs and the own
            ("hand", np.int64),  # 1 if cards are chosen from hands
            ("held", np.int64, (len(CARDS),)),  # how many of each card the own hand holds
            ("uses", np.float64, (len(CARDS),)),  # turns that the best use of each card saves
            ("marks", np.float64, (PLACES,)),  # what a victim would lose at each place of an attacker's path
        ],
    )
)
"""Room for intermediate results."""

SWAP_CARD, SORRY_CARD = CARDS.index(SWAPS), CARDS.index(REPLACES)


@lru_cache(maxsize=64)
def tables_of(game: Variant) -> npt.NDArray[np.void]:
    """(1,) TABLES of a variant, read-only; the same object each time."""
    tables = np.zeros(1, TABLES)
    t, rules = tables[0], game.rules[0]
    t["stops"], t["slide"] = IMPOSSIBLE, rules["slide"][:PLACES]
    for part in range(1, SEVEN):
        t["parts"][part] = _possible(rules["path"][:, part])
    strides = [_strides(game, card) for card in CARDS]
    for card, ways in enumerate(strides):
        t["starts"][card] = OUT in ways
        for way, stride in enumerate(ways):
            t["stops"][card, way] = _possible(rules["path"][:, stride])
    t["turns"], t["steps"] = lone_turns(game, t["stops"]), PROGRESS
    t["fired"] = lone_turns(game, t["stops"], fire=True)
    saved = np.maximum(t["turns"] - t["turns"][_rests(t["slide"], t["stops"])].min(axis=1), 0)
    t["leaving"], t["worth"] = (
        saved[:, CIRCLE],
        saved[:, :HOME].mean(axis=1) + (np.arange(len(CARDS)) == rules["again"]),
    )
    t["worth"][SORRY_CARD] = max(t["worth"][SORRY_CARD], (t["turns"][START] - t["turns"][CIRCLE:SAFE]).mean())
    for card, ways in enumerate(strides):
        for way, stride in enumerate(ways):
            _write_promises(t, card, t["stops"][card, way], stride in BACK.values())
    tables.flags.writeable = False
    return tables


def _strides(game: Variant, card: str) -> list[int]:
    """The ways in which a card moves one pawn; a question surely moves it three (N2)."""
    return action_table(game.ruleset, game.seats).strides("three" if card == CARDS[QUESTION] else card)


def _possible(path: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    return np.where(path == NOWHERE, IMPOSSIBLE, path.astype(np.int64))


def _rests(slide: npt.NDArray[np.int64], stops: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(..., PLACES): where a pawn comes to rest, which stays where it cannot move."""
    return np.where(stops == IMPOSSIBLE, np.arange(PLACES), slide[stops])


def lone_turns(game: Variant, stops: npt.NDArray[np.int64], fire: bool = False) -> Floats:
    """(PLACES,) float64: fewest turns, on average, until a pawn alone on the board is Home, cards independent.

    The pawn may let a card pass. A card that draws again costs no turn (S6). With hands each turn has the best of as
    many cards (H1).

    Args:
        game: the variant.
        stops: (CARDS, WAYS, PLACES) as in TABLES.
        fire: whether the pawn carries Fire, and may jump before each turn but the first (F5).
    """
    rules = game.rules[0]
    kinds = np.flatnonzero(rules["deck"])
    odds, again = rules["deck"][kinds] / rules["deck"].sum(), kinds == rules["again"]
    slide = rules["slide"][:PLACES].astype(np.int64)
    rests, places = _rests(slide, stops[kinds]), np.arange(PLACES)
    jumps = _rests(slide, _possible(rules["path"][:, JUMP])) if fire else places
    turns, better = np.zeros(PLACES), np.ones(PLACES)
    while np.abs(better - turns).max() > 1e-9:
        turns = better
        best = np.minimum(turns, turns[rests].min(axis=1))
        better = np.where(places == HOME, 0, _turn(best, odds, again, int(rules["hand_size"])))
        better = np.minimum(better, better[jumps])
    return better


def _turn(best: Floats, odds: Floats, again: npt.NDArray[np.bool_], hand_size: int) -> Floats:
    """(PLACES,) float64: one turn and those after it, (K, PLACES) by card, each chosen as the best of a hand."""
    if not hand_size:
        one: Floats = 1 - odds[again].sum() + odds @ best
        return one
    after = best - again[:, None]
    order = np.argsort(after, axis=0)
    none_better = 1 - np.cumsum(odds[order], axis=0) + odds[order]  # the chance that a card is no better than this one
    chances = none_better**hand_size - np.maximum(none_better - odds[order], 0) ** hand_size
    turns: Floats = 1 + (chances * np.take_along_axis(after, order, axis=0)).sum(axis=0)
    return turns


def _write_promises(t: Any, card: int, stop: npt.NDArray[np.int64], backward: bool) -> None:
    """Note what one way of using a card may do for a pawn at each place."""
    places = np.arange(PLACES)
    able, ring = stop != IMPOSSIBLE, (places >= CIRCLE) & (places <= DIAMOND)
    rest = t["slide"][stop]
    _raise(t["enters"][:, card], able & ring & (stop > SAFE))
    _raise(t["finishes"][:, card], able & (stop == HOME))
    _raise(t["slides"][:, card], np.where(able & ring, t["turns"][stop] - t["turns"][rest], 0))
    if backward:
        _raise(t["back"][:, card], np.where(able & ring, t["turns"] - t["turns"][rest], 0))


def _raise(column: Floats, values: npt.NDArray[Any]) -> None:
    column[:] = np.maximum(column, values)


@inner
def chance(notes: Any, whose: Int, card: Int) -> float:
    """That a card can be used next."""
    if whose == OWN and notes.held[card] > 0:
        return 1.0
    return float(notes.odds[whose, card])


@inner
def best_held(notes: Any, whose: Int, values: Any) -> float:
    """The best of (CARDS,) values, none below 0, among the cards in hand."""
    best = 0.0
    if whose == OWN and notes.hand > 0:
        for card in range(len(CARDS)):
            if notes.held[card] > 0:
                best = max(best, values[card])
    return best
