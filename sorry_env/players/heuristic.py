"""A player that plays by what good players say: a weighted sum of named terms on the position after its move.

Every term is a number that a person could work out on the table, counted cards included: the pile is public, so the
chance of each card to come is known. `TERMS` says what each term means, `WEIGHTS` how much it counts, as found by
`scripts/tune_heuristic.py`.

The measure of all things is the **turns** that a pawn alone on the board would need to come Home, exactly computed for
the ruleset: it knows slides, the way back over the circle and the exact count at the end. Weights are in turns.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import kernel
from sorry_env.actions import REPLACES, SPLIT, SWAPS
from sorry_env.board import BACK, CIRCLE, DIAMOND, HOME, NOWHERE, PLACES, SAFE, START
from sorry_env.engine.moves import on_ring, own_pawn_at, seen_from
from sorry_env.errors import PlayerError, suggestion
from sorry_env.players.base import AfterstatePlayer, Scores
from sorry_env.rewards import PROGRESS
from sorry_env.rulesets import CARDS
from sorry_env.state import States
from sorry_env.variant import IntArray, Variant

Floats = npt.NDArray[np.float64]

SEVEN = 7
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
    "own_circle": "chance of a 1 or 2 that cannot bring a pawn out of Start because an own pawn stands on its circle",
    "last_in_start": "chance of a Sorry! while one last pawn is kept in Start for it and others run",
    "sorry": "turns that a Sorry! as the next own card would cost a rival, times its chance",
    "threat": "turns that the next own card may cost the rivals in any other way",
    "leader": "steps by which the leading rival is ahead of the rivals' mean",
    "rival_entry": "as entry, for the rivals' pawns: just before its zone a pawn is worth hitting most",
    "danger": "turns that the rivals' next cards may cost by pawns that are out, slides included",
    "rival_circle": "turns that they may cost by a pawn that comes out of Start onto an own one before its circle",
    "danger_sorry": "turns that they may cost by a Sorry!",
    "danger_swap": "turns that they may win and cost by an 11 that swaps",
}
"""Name -> meaning, in the order of a term vector. The rivals' advantages count by their mean, dangers by their sum."""

WEIGHTS: dict[int, dict[str, float]] = {
    2: {
        "turns": 1,
        "steps": 0.0593,
        "in_start": 2.44,
        "home": 0.0786,
        "zone": 2.38,
        "next_card": 0.865,
        "finish": 0.664,
        "slides": 0.386,
        "back_door": 1.63,
        "entry": 1.77,
        "own_circle": -0.084,
        "last_in_start": 9.57,
        "sorry": 1.04,
        "threat": 0.251,
        "leader": 0,
        "rival_entry": -2.52,
        "danger": -0.675,
        "rival_circle": -0.613,
        "danger_sorry": -1.37,
        "danger_swap": -1.78,
    },
    4: {
        "turns": 1,
        "steps": 0.0023,
        "in_start": 2.63,
        "home": 0.552,
        "zone": 5.11,
        "next_card": 0.79,
        "finish": 0,
        "slides": 0.132,
        "back_door": 1.09,
        "entry": 4.3,
        "own_circle": -0.121,
        "last_in_start": 1.59,
        "sorry": 0.629,
        "threat": 0.208,
        "leader": -0.0347,
        "rival_entry": -4.3,
        "danger": -0.421,
        "rival_circle": -0.47,
        "danger_sorry": -0.248,
        "danger_swap": -0.442,
    },
}
"""Seats -> name -> weight, in turns. Three seats play as four do. With two seats, nobody leads the rivals."""

ROW = np.dtype((np.record, [(name, np.float64) for name in TERMS]))
"""The terms of one afterstate."""

WAYS = 4
"""Most ways in which a card may move one pawn."""

TABLES = np.dtype(
    (
        np.record,
        [
            ("turns", np.float64, (PLACES,)),  # until Home, for a lone pawn
            ("steps", np.float64, (PLACES,)),
            ("stops", np.int64, (len(CARDS), WAYS, PLACES)),  # where a card may take a pawn, before any slide
            ("slide", np.int64, (PLACES,)),  # where a pawn that stops at a place comes to rest
            ("parts", np.int64, (SEVEN, PLACES)),  # where part 1..6 of a 7 ends
            ("enters", np.float64, (PLACES, len(CARDS))),  # 1 if the card can take a pawn from the ring into its zone
            ("finishes", np.float64, (PLACES, len(CARDS))),  # 1 if it can take it Home
            ("back", np.float64, (PLACES, len(CARDS))),  # turns that it can save by going back
            ("slides", np.float64, (PLACES, len(CARDS))),  # turns that it can save by sliding
        ],
    )
)
"""What places mean in one ruleset. A move that cannot be made stops at IMPOSSIBLE."""

NOTES = np.dtype(
    (
        np.record,
        [
            ("odds", np.float64, (len(CARDS),)),  # of the next card
            ("marks", np.float64, (PLACES,)),  # what a victim would lose at each place of an attacker's path
        ],
    )
)
"""Room for intermediate results."""

OUT_CARDS = (CARDS.index("1"), CARDS.index("2"))
SEVEN_CARD, SWAP_CARD, SORRY_CARD = CARDS.index(SPLIT), CARDS.index(SWAPS), CARDS.index(REPLACES)
AGAIN = CARDS.index("2")
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
            weights: by term, 0 for those left out; None for `WEIGHTS`.

        Raises:
            PlayerError: `without` names an unknown term.
        """
        super().__init__(game, spec)
        chosen = WEIGHTS[2 if game.seats == 2 else 4] if weights is None else weights
        off = [name for name in without.split(",") if name]
        for name in off:
            if name not in TERMS:
                raise PlayerError(f"{spec!r}: the heuristic has no term {name!r}; {suggestion(name, TERMS)}")
        self.weights = np.array([0.0 if name in off else chosen.get(name, 0.0) for name in TERMS])

    def scores(self, after: States, seats: IntArray) -> Scores:
        """(M,) float64: the weighted sums; infinite where the seat has won."""
        terms = term_vectors(self.game, after, seats)
        found = np.einsum("mt,t->m", terms, self.weights)  # unlike a product by BLAS, the same in every batch
        return np.where(after["winners"] >> seats & 1, np.inf, found)


def term_vectors(game: Variant, after: States, seats: IntArray) -> npt.NDArray[np.float64]:
    """(M, T) float64: the terms, in the order of `TERMS`, of (M,) STATE afterstates for the seats (M,)."""
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
    for card, ways in enumerate(_strides(game)):
        for way, stride in enumerate(ways):
            t["stops"][card, way] = _possible(rules["path"][:, stride])
    t["turns"], t["steps"] = lone_turns(t["stops"], t["slide"], rules["deck"] / rules["deck"].sum()), PROGRESS
    for card, ways in enumerate(_strides(game)):
        for way, stride in enumerate(ways):
            _write_promises(t, card, t["stops"][card, way], stride in BACK.values())
    tables.flags.writeable = False
    return tables


def _strides(game: Variant) -> list[list[int]]:
    """The ways in which each card moves one pawn."""
    return [game.actions.strides(card) for card in CARDS]


def _possible(path: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    return np.where(path == NOWHERE, IMPOSSIBLE, path.astype(np.int64))


def lone_turns(stops: npt.NDArray[np.int64], slide: npt.NDArray[np.int64], odds: Floats) -> Floats:
    """(PLACES,) float64: fewest turns, on average, until a pawn alone on the board is Home, cards independent.

    The pawn may let a card pass. A 2 costs no turn, as it draws again (S6).

    Args:
        stops: (CARDS, WAYS, PLACES) as in TABLES.
        slide: (PLACES,) as in TABLES.
        odds: (CARDS,) of each card.
    """
    places = np.arange(PLACES)
    rests = np.where(stops == IMPOSSIBLE, places, slide[stops])
    turns, better = np.zeros(PLACES), np.ones(PLACES)
    while np.abs(better - turns).max() > 1e-9:
        turns = better
        best = np.minimum(turns, turns[rests].min(axis=1))
        better = np.where(places == HOME, 0, 1 - odds[AGAIN] + odds @ best)
    return better


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
def _terms(s: Any, r: Any, t: Any, notes: Any, me: int, out: Any) -> None:
    share = 1.0 / (r.seats - 1)
    _write_odds(s, r, notes)
    _race(s, r, t, notes, me, 1.0, out)
    _own(s, r, t, notes, me, out)
    for k in range(1, r.seats):
        rival = (me + k) % r.seats
        _race(s, r, t, notes, rival, -share, out)
        out.rival_entry += share * _entry(s, r, t, notes, rival)
        _danger(s, r, t, notes, rival, me, out)
        _threat(s, r, t, notes, me, rival, share, out)
    out.leader = _lead(s, r, t, me)


@kernel
def _write_odds(s: Any, r: Any, notes: Any) -> None:
    """The chance of each card to be drawn next (S3)."""
    total = 0
    for card in range(len(CARDS)):
        total += s.pile[card]
    if total > 0:
        for card in range(len(CARDS)):
            notes.odds[card] = s.pile[card] / total
    else:
        for card in range(len(CARDS)):
            total += r.deck[card]
        for card in range(len(CARDS)):
            notes.odds[card] = r.deck[card] / total


@kernel
def _race(s: Any, r: Any, t: Any, notes: Any, seat: int, share: float, out: Any) -> None:
    """The terms that count for one side as they do against the other."""
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        out.turns -= share * t.turns[place]
        out.steps += share * t.steps[place]
        if place == START:
            out.in_start += share
        elif place != HOME:
            for card in range(len(CARDS)):
                chance = share * notes.odds[card]
                out.finish += chance * t.finishes[place, card]
                out.back_door += chance * t.back[place, card]
                out.slides += chance * t.slides[place, card]


@kernel
def _own(s: Any, r: Any, t: Any, notes: Any, me: int, out: Any) -> None:
    """The terms of the own pawns alone."""
    waiting, running, circle = 0, 0, False
    for pawn in range(r.pawns):
        place = s.pawns[me, pawn]
        waiting += place == START
        running += place != START and place != HOME
        circle |= place == CIRCLE
        out.home += place == HOME
        out.zone += place > SAFE and place != HOME
    out.entry = _entry(s, r, t, notes, me)
    out.next_card = _next_card(s, t, r.pawns, notes, me)
    if waiting > 0 and circle:
        for card in OUT_CARDS:
            out.own_circle += notes.odds[card]
    if waiting == 1 and running > 0:
        out.last_in_start = notes.odds[SORRY_CARD]
    if waiting > 0:
        out.sorry = notes.odds[SORRY_CARD] * _best_target(s, r, t, me)


@kernel
def _best_target(s: Any, r: Any, t: Any, me: int) -> float:
    """The turns that the best placed rival's pawn on the ring would lose in Start."""
    most = 0.0
    for seat in range(r.seats):
        for pawn in range(r.pawns):
            place = s.pawns[seat, pawn]
            if seat != me and on_ring(place):
                most = max(most, t.turns[START] - t.turns[place])
    return most


@kernel
def _lead(s: Any, r: Any, t: Any, me: int) -> float:
    """Steps of the leading rival less those of the rivals' mean."""
    most, total = 0.0, 0.0
    for seat in range(r.seats):
        if seat != me:
            steps = 0.0
            for pawn in range(r.pawns):
                steps += t.steps[s.pawns[seat, pawn]]
            most = max(most, steps)
            total += steps
    return float(most - total / (r.seats - 1))


@kernel
def _entry(s: Any, r: Any, t: Any, notes: Any, seat: int) -> float:
    """Pawns that the next card takes from the ring into the safety zone, each by its chance."""
    total = 0.0
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        if on_ring(place):
            for card in range(len(CARDS)):
                total += notes.odds[card] * t.enters[place, card]
    return total


@kernel
def _next_card(s: Any, t: Any, pawns: int, notes: Any, seat: int) -> float:
    """Turns that a seat's next card saves if it is put to its best use. What an own circle costs is another term."""
    total = 0.0
    for card in range(len(CARDS)):
        if notes.odds[card] > 0:
            best = _best_move(s, t, pawns, card, seat)
            if card == SEVEN_CARD:
                best = max(best, _best_split(s, t, pawns, seat))
            if best > LOWEST:
                total += notes.odds[card] * best
    return total


@kernel
def _best_move(s: Any, t: Any, pawns: int, card: int, seat: int) -> float:
    """Turns that a card saves by moving one pawn; LOWEST if it moves none."""
    best = LOWEST
    for pawn in range(pawns):
        place = s.pawns[seat, pawn]
        for way in range(WAYS):
            stop = t.stops[card, way, place]
            if stop != IMPOSSIBLE and (place == START or not own_pawn_at(s, seat, stop)):
                best = max(best, t.turns[place] - t.turns[t.slide[stop]])
    return best


@kernel
def _best_split(s: Any, t: Any, pawns: int, seat: int) -> float:
    """Turns that a 7 in two parts saves at best; LOWEST if it cannot be split."""
    best = LOWEST
    for pawn in range(pawns):
        for other in range(pawn + 1, pawns):
            place, place2 = s.pawns[seat, pawn], s.pawns[seat, other]
            for part in range(1, SEVEN):
                stop, stop2 = t.parts[part, place], t.parts[SEVEN - part, place2]
                if stop != IMPOSSIBLE and stop2 != IMPOSSIBLE and (stop != stop2 or stop == HOME):
                    left = t.turns[t.slide[stop]] + t.turns[t.slide[stop2]]
                    best = max(best, t.turns[place] + t.turns[place2] - left)
    return best


@kernel
def _danger(s: Any, r: Any, t: Any, notes: Any, rival: int, me: int, out: Any) -> None:
    """What a rival's next card may cost."""
    if _mark(s, r, t, notes, rival, me):
        out.danger += _by_moves(s, r, t, notes, rival)
        out.rival_circle += _by_coming_out(s, notes, rival)
        out.danger_sorry += _by_sorry(s, t, notes, rival)
        out.danger_swap += _by_swap(s, r, t, notes, rival, me)
        _wipe(s, r, notes, rival, me)


@kernel
def _threat(s: Any, r: Any, t: Any, notes: Any, me: int, rival: int, share: float, out: Any) -> None:
    """What the own next card may cost a rival, a Sorry! apart."""
    if _mark(s, r, t, notes, me, rival):
        out.threat += share * (_by_moves(s, r, t, notes, me) + _by_coming_out(s, notes, me))
        out.threat += share * _by_swap(s, r, t, notes, me, rival)
        _wipe(s, r, notes, me, rival)


@kernel
def _mark(s: Any, r: Any, t: Any, notes: Any, attacker: int, victim: int) -> bool:
    """Note what each exposed pawn would lose, by its place on the attacker's path; False if there is none."""
    exposed = False
    for pawn in range(r.pawns):
        place = s.pawns[victim, pawn]
        if on_ring(place):
            notes.marks[seen_from(r, victim, place, attacker)] = t.turns[START] - t.turns[place]
            exposed = True
    return exposed


@kernel
def _wipe(s: Any, r: Any, notes: Any, attacker: int, victim: int) -> None:
    """Take the marks away."""
    for pawn in range(r.pawns):
        place = s.pawns[victim, pawn]
        if on_ring(place):
            notes.marks[seen_from(r, victim, place, attacker)] = 0


@kernel
def _struck(t: Any, notes: Any, place: int) -> float:
    """What the victim loses when the attacker stops at a place, and slides from it."""
    total = 0.0
    if place <= DIAMOND:
        for k in range(place, t.slide[place] + 1):
            total += notes.marks[k]
    return total


@kernel
def _by_moves(s: Any, r: Any, t: Any, notes: Any, attacker: int) -> float:
    """Expected loss by the attacker's pawns that are out, if each card is used for the worst."""
    total = 0.0
    for card in range(len(CARDS)):
        if notes.odds[card] > 0:
            worst = _by_card(s, r, t, notes, card, attacker)
            if card == SEVEN_CARD:
                worst = max(worst, _by_part(s, r, t, notes, attacker))
            total += notes.odds[card] * worst
    return total


@kernel
def _by_card(s: Any, r: Any, t: Any, notes: Any, card: int, attacker: int) -> float:
    """The worst loss by one pawn that goes as a card says."""
    worst = 0.0
    for pawn in range(r.pawns):
        place = s.pawns[attacker, pawn]
        if place != START:
            for way in range(WAYS):
                stop = t.stops[card, way, place]
                if stop != IMPOSSIBLE:
                    loss = _struck(t, notes, stop)
                    if loss > worst and not own_pawn_at(s, attacker, stop):
                        worst = loss
    return worst


@kernel
def _by_part(s: Any, r: Any, t: Any, notes: Any, attacker: int) -> float:
    """The worst loss by one part of a 7 whose rest another pawn can go."""
    worst = 0.0
    for pawn in range(r.pawns):
        for part in range(1, SEVEN):
            stop = t.parts[part, s.pawns[attacker, pawn]]
            if stop != IMPOSSIBLE:
                loss = _struck(t, notes, stop)
                if loss > worst and _another_goes(s, r, t, attacker, pawn, SEVEN - part):
                    worst = loss
    return worst


@kernel
def _another_goes(s: Any, r: Any, t: Any, seat: int, pawn: int, part: int) -> bool:
    able = False
    for other in range(r.pawns):
        able |= other != pawn and t.parts[part, s.pawns[seat, other]] != IMPOSSIBLE
    return able


@kernel
def _by_coming_out(s: Any, notes: Any, attacker: int) -> float:
    """Expected loss on the attacker's circle."""
    total = 0.0
    if s.pawns[attacker, 0] == START and not own_pawn_at(s, attacker, CIRCLE):
        for card in OUT_CARDS:
            total += notes.odds[card] * notes.marks[CIRCLE]
    return total


@kernel
def _by_sorry(s: Any, t: Any, notes: Any, attacker: int) -> float:
    """Expected loss by a Sorry! where it hurts most."""
    worst = 0.0
    if s.pawns[attacker, 0] == START:
        for place in range(CIRCLE, DIAMOND + 1):
            if notes.marks[place] > 0:
                worst = max(worst, _struck(t, notes, place))
    return float(notes.odds[SORRY_CARD] * worst)


@kernel
def _by_swap(s: Any, r: Any, t: Any, notes: Any, attacker: int, victim: int) -> float:
    """Expected turns that change sides by a swap, slides after it included."""
    most = 0.0
    for pawn in range(r.pawns):
        for other in range(r.pawns):
            mine, theirs = s.pawns[attacker, pawn], s.pawns[victim, other]
            if on_ring(mine) and on_ring(theirs):
                gained = t.slide[seen_from(r, victim, theirs, attacker)]
                left = seen_from(r, attacker, mine, victim)
                if r.swap_slides_both:
                    left = t.slide[left]
                most = max(most, t.turns[mine] - t.turns[gained] + t.turns[left] - t.turns[theirs])
    return float(notes.odds[SWAP_CARD] * most)
