"""A player that plays by what good players say: a weighted sum of named terms on the position after its move.

Every term is a number that a person could work out at the table, counted cards included: the own hand is known, and the
cards that nobody has seen give the chance of each one to come. `TERMS` says what each term means, `weights` how much it
counts. In teams all pawns of both partners are own ones, and the opponents are the rivals.

The measure of all things is the **turns** that a pawn alone on the board would need to come Home, exactly computed for
the ruleset: it knows slides, the way back over the circle and the exact count at the end. Weights are in turns.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, kernel
from sorry_env.actions import FORWARD, NO, PARTNER, REPLACES, SPLIT, SWAPS, YES
from sorry_env.board import (
    BACK,
    CIRCLE,
    COIN,
    DIAMOND,
    HOME,
    JUMP,
    NONE,
    NOWHERE,
    OUT,
    PAWNS,
    PLACES,
    QUESTION,
    SAFE,
    SIX,
    START,
    THREE,
    TO_ANSWER,
    TO_PART,
    TO_SECOND,
)
from sorry_env.engine.moves import in_the_way, is_frozen, occupant, on_ring, own_pawn_at, seat_after, seen_from
from sorry_env.errors import PlayerError, suggestion
from sorry_env.players.base import AfterstatePlayer, Scores
from sorry_env.players.weights import weights_of
from sorry_env.rewards import PROGRESS
from sorry_env.rulesets import CARDS
from sorry_env.state import TOKEN, States
from sorry_env.variant import IntArray, Variant

Floats = npt.NDArray[np.float64]

SEVEN = FORWARD[SPLIT]
IMPOSSIBLE = -1

TERMS: dict[str, str] = {
    "turns": "turns that the rivals' pawns would need, each alone, to come Home, less the own pawns'",
    "steps": "steps that the own pawns have come, less the rivals'",
    "in_start": "own pawns in Start, where nothing can happen to them, less the rivals'",
    "home": "own pawns Home",
    "zone": "own pawns in the safety zone",
    "next_card": "turns that the best use of the next own card saves",
    "finish": "chance that the next card brings a pawn Home by exact count, summed over own pawns, less the rivals'",
    "slides": "turns that slides save with the next card, summed over own pawns, less the rivals'",
    "back_door": "turns that going back saves with the next card, summed over own pawns, less the rivals'",
    "entry": "chance that the next card takes a pawn from the ring into its safety zone, summed over own pawns",
    "own_circle": "chance of a card that cannot bring a pawn out of Start because an own pawn stands on its circle",
    "last_in_start": "chance of a Sorry! while one last pawn is kept in Start for it and others run",
    "sorry": "turns that a Sorry! as the next own card would cost a rival, times its chance",
    "threat": "turns that the next own card may cost the rivals in any other way",
    "leader": "steps by which the leading rival is ahead of the rivals' mean",
    "rival_entry": "as entry, for the rivals' pawns: just before its zone a pawn is worth hitting most",
    "danger": "turns that the rivals' next cards may cost by pawns that are out, slides included",
    "rival_circle": "turns that they may cost by a pawn that comes out of Start onto an own one before its circle",
    "danger_sorry": "turns that they may cost by a Sorry!",
    "danger_swap": "turns that they may win and cost by an 11 that swaps",
    "rest": "turns that the rest of the turn saves: a card in play, steps left of a 7, a second pawn Home, an answer",
    "hand": "turns that each card kept in hand saves by its best use now, on average, or from the circle; summed",
    "again": "1 if the card chosen from the hand gives another turn",
    "fire": "turns that Fire saves its carrier by jumps, and by the pawn that goes Home with it, less the rivals'",
    "ice": "turns that the frozen pawn has come, and its owner's pawns on average: a rival's, less an own one's",
}
"""Name -> meaning, in the order of a term vector. The rivals' advantages count by their mean, dangers by their sum."""

ROW = np.dtype((np.record, [(name, np.float64) for name in TERMS]))
"""The terms of one afterstate."""

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

SEVEN_CARD, SWAP_CARD, SORRY_CARD = CARDS.index(SPLIT), CARDS.index(SWAPS), CARDS.index(REPLACES)
LOWEST = -1e9


class Heuristic(AfterstatePlayer):
    """Takes the action whose afterstate has the largest weighted sum of terms; a win before all else.

    `heuristic?without=danger` plays with that term switched off, `without=danger,threat` with both.
    """

    OPTIONS = ("without",)

    def __init__(
        self,
        game: Variant,
        spec: str = "heuristic",
        without: str = "",
        weights: Mapping[str, float] | None = None,
    ) -> None:
        """Prepare the tables of the variant.

        Args:
            game: the variant.
            spec: the spec string.
            without: terms to switch off, with commas between them.
            weights: by term, 0 for those left out; None for `weights_of` the variant.

        Raises:
            PlayerError: `without` names an unknown term.
        """
        super().__init__(game, spec)
        chosen = weights_of(game) if weights is None else weights
        off = [name for name in without.split(",") if name]
        for name in off:
            if name not in TERMS:
                raise PlayerError(f"{spec!r}: the heuristic has no term {name!r}; {suggestion(name, TERMS)}")
        self.weights = np.array([0.0 if name in off else chosen.get(name, 0.0) for name in TERMS])

    def scores(self, after: States, seats: IntArray) -> Scores:
        """(M,) float64: the weighted sums; infinite where the seat has won, or by a push another one (M2)."""
        terms = term_vectors(self.game, after, seats)
        found = np.einsum("mt,t->m", terms, self.weights)  # unlike a product by BLAS, the same in every batch
        won, lost = after["winners"] >> seats & 1 != 0, after["winners"] != 0
        return np.select([won, lost], [np.inf, -np.inf], found)


def term_vectors(game: Variant, after: States, seats: IntArray) -> npt.NDArray[np.float64]:
    """(M, T) float64: the terms, in the order of `TERMS`, of (M,) STATE afterstates for the seats (M,).

    Of hands only the seat's own is looked at; give views, in which the pile holds all that the seat has not seen.
    """
    rows = np.zeros(len(after), ROW)
    term_lanes(after, game.rules, tables_of(game), seats.astype(np.int64), rows)
    return rows.view(np.float64).reshape(len(after), len(TERMS))


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
    return game.actions.strides("three" if card == CARDS[QUESTION] else card)


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


@kernel
def term_lanes(states: Any, rules: Any, tables: Any, seats: Any, rows: Any) -> None:
    """Add the terms of (M,) STATE afterstates, each for the seat `seats[i]`, to (M,) ROW of zeros."""
    notes = np.zeros(1, NOTES)
    for i in range(len(states)):
        _terms(states[i], rules[0], tables[0], notes[0], seats[i], rows[i])


@kernel
def _terms(s: Any, r: Any, t: Any, notes: Any, me: Int, out: Any) -> None:
    share = r.members / r.rivals
    _write_odds(s, r, notes, me)
    for k in range(r.members):
        mate = seat_after(r, me, PARTNER * k)
        _race(s, r, t, notes, mate, 1.0, OWN, out)
        _own(s, r, t, notes, mate, out)
    _cards(s, r, t, notes, me, out)
    for k in range(r.rivals):
        rival = seat_after(r, me, 1 + k * r.apart)
        _race(s, r, t, notes, rival, -share, THEIRS, out)
        out.rival_entry += share * _entry(s, r, t, notes, rival, THEIRS)
        _danger(s, r, t, notes, rival, me, out)
        _threat(s, r, t, notes, me, rival, share, out)
    out.leader = _lead(s, r, t, me)
    if not r.plain:
        out.rest = _rest(s, r, t, me)
        out.again = r.hand_size > 0 and s.seat == me
        if r.tokens:
            _tokens(s, r, t, me, share, out)


# --- cards to come


@kernel
def _write_odds(s: Any, r: Any, notes: Any, me: Int) -> None:
    """The chance of each card to be drawn next (S3), and that a rival holds it (H1)."""
    total = 0
    for card in range(len(CARDS)):
        total += s.pile[card]
    full = 0
    for card in range(len(CARDS)):
        full += r.deck[card]
    for card in range(len(CARDS)):
        odds = s.pile[card] / total if total > 0 else r.deck[card] / full
        notes.odds[OWN, card] = odds
        notes.odds[THEIRS, card] = 1 - (1 - odds) ** r.hand_size if r.hand_size else odds
        notes.held[card] = s.hands[me, card]
    notes.hand = r.hand_size


@kernel
def _chance(notes: Any, whose: Int, card: Int) -> float:
    """That a card can be used next."""
    if whose == OWN and notes.held[card] > 0:
        return 1.0
    return float(notes.odds[whose, card])


@kernel
def _best_held(notes: Any, whose: Int, values: Any) -> float:
    """The best of (CARDS,) values, none below 0, among the cards in hand."""
    best = 0.0
    if whose == OWN and notes.hand > 0:
        for card in range(len(CARDS)):
            if notes.held[card] > 0:
                best = max(best, values[card])
    return best


@kernel
def _cards(s: Any, r: Any, t: Any, notes: Any, me: Int, out: Any) -> None:
    """The terms of the own next card, of the team's pawns together."""
    for card in range(len(CARDS)):
        if notes.odds[OWN, card] > 0 or notes.held[card] > 0:
            notes.uses[card] = _best_use(s, r, t, card, me)
    out.next_card = _next_card(notes)
    waiting = False
    for k in range(r.members):
        waiting |= s.pawns[seat_after(r, me, PARTNER * k), 0] == START
    if waiting:
        out.sorry = _chance(notes, OWN, SORRY_CARD) * _best_target(s, r, t, me)
    if notes.hand > 0:
        out.hand = _hand(t, notes, waiting, out.sorry)


@kernel
def _next_card(notes: Any) -> float:
    """Turns that the next card saves if it is put to its best use. What an own circle costs is another term."""
    most, total = LOWEST, 0.0
    if notes.hand > 0:
        for card in range(len(CARDS)):
            if notes.held[card] > 0:
                most = max(most, notes.uses[card])
    for card in range(len(CARDS)):
        if notes.odds[OWN, card] > 0:
            best = max(most, notes.uses[card])
            if best > LOWEST:
                total += notes.odds[OWN, card] * best
    return total


@kernel
def _hand(t: Any, notes: Any, waiting: bool, sorry: float) -> float:
    """Turns that the cards in hand save, each by itself; with a pawn in Start also once that has come out."""
    total = 0.0
    for card in range(len(CARDS)):
        if notes.held[card] > 0:
            worth = max(t.worth[card], notes.uses[card])
            if waiting:
                worth = max(worth, t.leaving[card])
            if card == SORRY_CARD:
                worth = max(worth, sorry)
            total += notes.held[card] * worth
    return total


# --- the race


@kernel
def _race(s: Any, r: Any, t: Any, notes: Any, seat: Int, share: float, whose: Int, out: Any) -> None:
    """The terms that count for one side as they do against the other."""
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        out.turns -= share * t.turns[place]
        out.steps += share * t.steps[place]
        if place == START:
            out.in_start += share
        elif place != HOME and not is_frozen(s, seat, pawn):
            finish = _best_held(notes, whose, t.finishes[place])
            back = _best_held(notes, whose, t.back[place])
            slides = _best_held(notes, whose, t.slides[place])
            for card in range(len(CARDS)):
                chance = share * notes.odds[whose, card]
                out.finish += chance * max(finish, t.finishes[place, card])
                out.back_door += chance * max(back, t.back[place, card])
                out.slides += chance * max(slides, t.slides[place, card])


@kernel
def _own(s: Any, r: Any, t: Any, notes: Any, seat: Int, out: Any) -> None:
    """The terms of own pawns alone, of one seat of the team."""
    waiting, running, circle = 0, 0, False
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        waiting += place == START
        running += place != START and place != HOME
        circle |= place == CIRCLE
        out.home += place == HOME
        out.zone += place > SAFE and place != HOME
    out.entry += _entry(s, r, t, notes, seat, OWN)
    if waiting > 0 and circle:
        for card in range(len(CARDS)):
            out.own_circle += _chance(notes, OWN, card) * t.starts[card]
    if waiting == 1 and running > 0:
        out.last_in_start += _chance(notes, OWN, SORRY_CARD)


@kernel
def _best_target(s: Any, r: Any, t: Any, me: Int) -> float:
    """The turns that the best placed rival's pawn on the ring would lose in Start."""
    most = 0.0
    for k in range(r.rivals):
        seat = seat_after(r, me, 1 + k * r.apart)
        for pawn in range(r.pawns):
            place = s.pawns[seat, pawn]
            if on_ring(place) and not is_frozen(s, seat, pawn):
                most = max(most, t.turns[START] - t.turns[place])
    return most


@kernel
def _lead(s: Any, r: Any, t: Any, me: Int) -> float:
    """Steps of the leading rival less those of the rivals' mean."""
    most, total = 0.0, 0.0
    for k in range(r.rivals):
        steps = 0.0
        for pawn in range(r.pawns):
            steps += t.steps[s.pawns[seat_after(r, me, 1 + k * r.apart), pawn]]
        most = max(most, steps)
        total += steps
    return float(most - total / r.rivals)


@kernel
def _entry(s: Any, r: Any, t: Any, notes: Any, seat: Int, whose: Int) -> float:
    """Pawns that the next card takes from the ring into the safety zone, each by its chance."""
    total = 0.0
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        if on_ring(place) and not is_frozen(s, seat, pawn):
            best = _best_held(notes, whose, t.enters[place])
            for card in range(len(CARDS)):
                total += notes.odds[whose, card] * max(best, t.enters[place, card])
    return total


# --- what a card may do for its user


@kernel
def _best_use(s: Any, r: Any, t: Any, card: Int, me: Int) -> float:
    """Turns that a card saves by moving pawns of the team; LOWEST if it moves none."""
    best = LOWEST
    for k in range(r.members):
        best = max(best, _best_move(s, r, t, card, seat_after(r, me, PARTNER * k)))
    return max(best, _best_split(s, r, t, me, SEVEN)) if card == SEVEN_CARD else best


@kernel
def _best_move(s: Any, r: Any, t: Any, card: Int, seat: Int) -> float:
    """Turns that a card saves by moving one pawn of a seat; LOWEST if it moves none."""
    best = LOWEST
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        if not is_frozen(s, seat, pawn):
            for way in range(WAYS):
                stop = t.stops[card, way, place]
                if stop != IMPOSSIBLE and (place == START or _may_stop(s, r, seat, stop)):
                    best = max(best, _saved(s, r, t, seat, pawn, stop))
    return best


@kernel
def _may_stop(s: Any, r: Any, seat: Int, stop: Int) -> Any:
    """Whether neither an own pawn, but for a push, nor a frozen one is in the way."""
    own = own_pawn_at(s, seat, stop) and r.push[stop] == 0
    return not own and not (r.tokens and in_the_way(s, r, seat, stop))


@kernel
def _saved(s: Any, r: Any, t: Any, seat: Int, pawn: Int, stop: Int) -> float:
    """Turns that a pawn saves its side by stopping somewhere: by the pawns that it pushes and by Fire too."""
    saved = t.turns[s.pawns[seat, pawn]] - t.turns[t.slide[stop]]
    if r.push[stop] != 0:
        saved += _pushed(s, r, t, seat, stop)
    if r.second_home and stop == HOME and s.fire == TOKEN + PAWNS * seat + pawn:
        saved += _follower(s, r, t, seat, pawn)
    return float(saved)


@kernel
def _pushed(s: Any, r: Any, t: Any, seat: Int, place: Int) -> float:
    """Turns that pawns save which are pushed along by one of the seat that stops on a turbo square (M2)."""
    total, owner = 0.0, np.int64(seat)
    sitter = np.int64(occupant(s, r, owner, place))
    while sitter != NONE:
        owner, at = sitter // PAWNS, np.int64(s.pawns[sitter // PAWNS, sitter % PAWNS])
        onward = np.int64(r.push[at])
        total += (t.turns[at] - t.turns[onward]) * (1.0 if owner == seat else -1.0 / r.rivals)
        sitter = np.int64(NONE)
        if onward != HOME and seen_from(r, owner, onward, seat) != place:
            sitter = np.int64(occupant(s, r, owner, onward))
    return total


@kernel
def _follower(s: Any, r: Any, t: Any, seat: Int, carrier: Int) -> float:
    """The most turns that a pawn saves by going Home with the carrier of Fire, or after it (F7)."""
    most = 0.0
    for pawn in range(r.pawns):
        if pawn != carrier and not is_frozen(s, seat, pawn):
            most = max(most, t.turns[s.pawns[seat, pawn]])
    return most


@kernel
def _best_split(s: Any, r: Any, t: Any, me: Int, steps: Int) -> float:
    """Turns that so many steps in two parts save at best, by pawns that have had none; LOWEST if there is no way."""
    best = LOWEST
    for k in range(r.members * PAWNS):
        seat, pawn = seat_after(r, me, PARTNER * (k // PAWNS)), k % PAWNS
        for k2 in range(k + 1, r.members * PAWNS):
            seat2, pawn2 = seat_after(r, me, PARTNER * (k2 // PAWNS)), k2 % PAWNS
            if not _had_part(s, seat, pawn) and not _had_part(s, seat2, pawn2):
                for part in range(1, steps):
                    best = max(best, _by_parts(s, r, t, seat, pawn, part, seat2, pawn2, steps - part))
    return best


@kernel
def _had_part(s: Any, seat: Int, pawn: Int) -> Any:
    """Whether a pawn cannot have a part of a 7: for good, or because it has had one."""
    place = s.pawns[seat, pawn]
    return place in (START, HOME) or s.moved >> (PAWNS * seat + pawn) & 1 != 0


@kernel
def _by_parts(s: Any, r: Any, t: Any, seat: Int, pawn: Int, part: Int, seat2: Int, pawn2: Int, part2: Int) -> float:
    """Turns that two parts save; LOWEST if they cannot be played, or would meet."""
    place, place2 = s.pawns[seat, pawn], s.pawns[seat2, pawn2]
    stop, stop2 = t.parts[part, place], t.parts[part2, place2]
    if stop == IMPOSSIBLE or stop2 == IMPOSSIBLE:
        return LOWEST
    if seat == seat2 and stop == stop2 and stop != HOME:
        return LOWEST
    left = t.turns[t.slide[stop]] + t.turns[t.slide[stop2]]
    return float(t.turns[place] + t.turns[place2] - left)


# --- what is left of the own turn


@kernel
def _rest(s: Any, r: Any, t: Any, me: Int) -> float:
    """Turns that the decisions save which are due before the own turn, or the question in it, is over."""
    if s.due == TO_ANSWER or s.due == COIN or s.due == SIX or s.due == THREE:
        return _question(s, r, t, me)
    if s.seat != me:
        return 0.0
    best = 0.0
    if s.due < len(CARDS):
        best = _best_use(s, r, t, np.int64(s.due), me)
    elif s.due == TO_SECOND:
        best = _follower(s, r, t, me, PAWNS)
    elif s.due == TO_PART:
        best = _best_split(s, r, t, me, np.int64(s.steps))
        for k in range(r.members):
            best = max(best, _best_steps(s, r, t, seat_after(r, me, PARTNER * k), np.int64(s.steps)))
    return best if best > LOWEST else 0.0


@kernel
def _best_steps(s: Any, r: Any, t: Any, seat: Int, steps: Int) -> float:
    """Turns that a seat saves by going so many steps, at most six, with one pawn; LOWEST if it cannot."""
    best = LOWEST
    for pawn in range(r.pawns):
        stop = t.parts[steps, s.pawns[seat, pawn]]
        if stop != IMPOSSIBLE and not _had_part(s, seat, pawn) and _may_stop(s, r, seat, stop):
            best = max(best, _saved(s, r, t, seat, pawn, stop))
    return best


@kernel
def _question(s: Any, r: Any, t: Any, me: Int) -> float:
    """Turns that the moves after a question save for one side, less the rival's share of the rivals' mean (N2)."""
    if s.due == SIX or s.due == THREE:
        steps = YES if s.due == SIX else NO
        return _moves(s, r, t, steps, me, s.seat == s.drawer)
    yes, no = _moves(s, r, t, YES, me, True), _moves(s, r, t, NO, me, True)
    if s.due == COIN:
        return (yes + no) / 2
    asked = np.int64(s.asked)
    likes_yes = _moves(s, r, t, YES, asked, True) > _moves(s, r, t, NO, asked, True)
    return yes if likes_yes else no


@kernel
def _moves(s: Any, r: Any, t: Any, steps: Int, me: Int, both: bool) -> float:
    """`_question` for a known answer; `both`: the drawer has still to move, too."""
    total = 0.0
    for seat in (np.int64(s.drawer), np.int64(s.asked)):
        if both or seat == s.asked:
            saved = _best_steps(s, r, t, seat, steps)
            if saved > LOWEST:
                total += saved if seat == me else -saved / r.rivals
    return total


# --- tokens


@kernel
def _tokens(s: Any, r: Any, t: Any, me: Int, share: float, out: Any) -> None:
    """What Fire brings and Ice costs those who carry them (F5-F9)."""
    if s.fire != 0:
        seat, pawn = np.int64(s.fire - TOKEN) // PAWNS, np.int64(s.fire - TOKEN) % PAWNS
        place = s.pawns[seat, pawn]
        saved = t.turns[place] - t.fired[place]
        if r.second_home:
            saved += _follower(s, r, t, seat, pawn) / (1 + t.fired[place])
        if s.fire == s.ice:
            saved /= 2
        out.fire = saved if seat == me else -share * saved
    if s.ice != 0:
        seat, pawn = np.int64(s.ice - TOKEN) // PAWNS, np.int64(s.ice - TOKEN) % PAWNS
        come = t.turns[START] - t.turns[s.pawns[seat, pawn]]
        for other in range(r.pawns):
            come += (t.turns[START] - t.turns[s.pawns[seat, other]]) / r.pawns
        out.ice = -come if seat == me else come


# --- what a card may do to others


@kernel
def _danger(s: Any, r: Any, t: Any, notes: Any, rival: Int, me: Int, out: Any) -> None:
    """What the next card may cost, used on a rival's pawns."""
    exposed = False
    for k in range(r.members):
        exposed |= _mark(s, r, t, notes, rival, seat_after(r, me, PARTNER * k))
    if exposed:
        out.danger += _by_moves(s, r, t, notes, rival, THEIRS)
        out.rival_circle += _by_coming_out(s, r, t, notes, rival, THEIRS)
        out.danger_sorry += _by_sorry(s, r, t, notes, rival)
        for k in range(r.members):
            mate = seat_after(r, me, PARTNER * k)
            out.danger_swap += _by_swap(s, r, t, notes, rival, mate, THEIRS)
            _wipe(s, r, notes, rival, mate)


@kernel
def _threat(s: Any, r: Any, t: Any, notes: Any, me: Int, rival: Int, share: float, out: Any) -> None:
    """What the own next card may cost a rival, a Sorry! apart."""
    for k in range(r.members):
        mate = seat_after(r, me, PARTNER * k)
        if _mark(s, r, t, notes, mate, rival):
            out.threat += share * (_by_moves(s, r, t, notes, mate, OWN) + _by_coming_out(s, r, t, notes, mate, OWN))
            out.threat += share * _by_swap(s, r, t, notes, mate, rival, OWN)
            _wipe(s, r, notes, mate, rival)


@kernel
def _mark(s: Any, r: Any, t: Any, notes: Any, attacker: Int, victim: Int) -> Any:
    """Note what each exposed pawn would lose, by its place on the attacker's path; False if there is none."""
    exposed = False
    for pawn in range(r.pawns):
        place = s.pawns[victim, pawn]
        if on_ring(place) and not is_frozen(s, victim, pawn):
            notes.marks[seen_from(r, victim, place, attacker)] = t.turns[START] - t.turns[place]
            exposed = True
    return exposed


@kernel
def _wipe(s: Any, r: Any, notes: Any, attacker: Int, victim: Int) -> None:
    """Take the marks away."""
    for pawn in range(r.pawns):
        place = s.pawns[victim, pawn]
        if on_ring(place):
            notes.marks[seen_from(r, victim, place, attacker)] = 0


@kernel
def _struck(t: Any, notes: Any, place: Int) -> float:
    """What the victim loses when the attacker stops at a place, and slides from it."""
    total = 0.0
    if place <= DIAMOND:
        for k in range(place, t.slide[place] + 1):
            total += notes.marks[k]
    return total


@kernel
def _by_moves(s: Any, r: Any, t: Any, notes: Any, attacker: Int, whose: Int) -> float:
    """Expected loss by the attacker's pawns that are out, if each card is used for the worst."""
    most, total = 0.0, 0.0
    if whose == OWN and notes.hand > 0:
        for card in range(len(CARDS)):
            if notes.held[card] > 0:
                most = max(most, _by_card(s, r, t, notes, card, attacker))
    for card in range(len(CARDS)):
        if notes.odds[whose, card] > 0:
            total += notes.odds[whose, card] * max(most, _by_card(s, r, t, notes, card, attacker))
    return total


@kernel
def _by_card(s: Any, r: Any, t: Any, notes: Any, card: Int, attacker: Int) -> float:
    """The worst loss by one pawn that goes as a card says. Who is pushed along loses nothing (M2)."""
    worst = 0.0
    for pawn in range(r.pawns):
        place = s.pawns[attacker, pawn]
        if place != START and not is_frozen(s, attacker, pawn):
            for way in range(WAYS):
                stop = t.stops[card, way, place]
                if stop != IMPOSSIBLE and r.push[stop] == 0:
                    loss = _struck(t, notes, stop)
                    if loss > worst and _may_stop(s, r, attacker, stop):
                        worst = loss
    return max(worst, _by_part(s, r, t, notes, attacker)) if card == SEVEN_CARD else worst


@kernel
def _by_part(s: Any, r: Any, t: Any, notes: Any, attacker: Int) -> float:
    """The worst loss by one part of a 7 whose rest another pawn can go."""
    worst = 0.0
    for pawn in range(r.pawns):
        for part in range(1, SEVEN):
            stop = t.parts[part, s.pawns[attacker, pawn]]
            if stop != IMPOSSIBLE and r.push[stop] == 0:
                loss = _struck(t, notes, stop)
                if loss > worst and _another_goes(s, r, t, attacker, pawn, SEVEN - part):
                    worst = loss
    return worst


@kernel
def _another_goes(s: Any, r: Any, t: Any, seat: Int, pawn: Int, part: Int) -> Any:
    able = False
    for k in range(r.members):
        mate = seat_after(r, seat, PARTNER * k)
        for other in range(r.pawns):
            able |= (other != pawn or mate != seat) and t.parts[part, s.pawns[mate, other]] != IMPOSSIBLE
    return able


@kernel
def _by_coming_out(s: Any, r: Any, t: Any, notes: Any, attacker: Int, whose: Int) -> float:
    """Expected loss on the attacker's circle."""
    total = 0.0
    if s.pawns[attacker, 0] == START and _may_stop(s, r, attacker, CIRCLE):
        for card in range(len(CARDS)):
            total += _chance(notes, whose, card) * t.starts[card] * notes.marks[CIRCLE]
    return total


@kernel
def _by_sorry(s: Any, r: Any, t: Any, notes: Any, attacker: Int) -> float:
    """Expected loss by a Sorry! where it hurts most."""
    worst = 0.0
    if s.pawns[attacker, 0] == START:
        for place in range(CIRCLE, DIAMOND + 1):
            if notes.marks[place] > 0:
                worst = max(worst, _struck(t, notes, place))
    return float(notes.odds[THEIRS, SORRY_CARD] * worst)


@kernel
def _by_swap(s: Any, r: Any, t: Any, notes: Any, attacker: Int, victim: Int, whose: Int) -> float:
    """Expected turns that change sides by a swap, slides after it included."""
    most = 0.0
    for pawn in range(r.pawns):
        for other in range(r.pawns):
            mine, theirs = s.pawns[attacker, pawn], s.pawns[victim, other]
            free = not is_frozen(s, attacker, pawn) and not is_frozen(s, victim, other)
            if on_ring(mine) and on_ring(theirs) and free:
                gained = t.slide[seen_from(r, victim, theirs, attacker)]
                left = seen_from(r, attacker, mine, victim)
                if r.swap_slides_both:
                    left = t.slide[left]
                most = max(most, t.turns[mine] - t.turns[gained] + t.turns[left] - t.turns[theirs])
    return float(_chance(notes, whose, SWAP_CARD) * most)
