"""A player that plays by what good players say: a weighted sum of named terms on the position after its move.

Every term is a number that a person could work out on the table, counted cards included: the pile is public, so the
chance of each card to come is known. `TERMS` says what each term means, `WEIGHTS` how much it counts: in units of the
logarithm of the odds of winning, found by `scripts/tune_heuristic.py`.

The measure of all things is the **turns** that a pawn alone on the board would need to come Home, exactly computed for
the ruleset: it knows slides, the way back over the circle and the exact count at the end.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import kernel
from sorry_env.actions import STARTS
from sorry_env.board import BACK, CIRCLE, DIAMOND, HOME, NOWHERE, PLACES, SAFE, START
from sorry_env.engine.moves import on_ring, own_pawn_at, seen_from
from sorry_env.errors import PlayerError, suggestion
from sorry_env.players.base import AfterstatePlayer, Scores
from sorry_env.rewards import PROGRESS
from sorry_env.rulesets import CARDS
from sorry_env.state import States
from sorry_env.variant import IntArray, Variant

TERMS: dict[str, str] = {
    "turns": "turns that the rivals' pawns would need, each alone, to come Home, less the own pawns'",
    "patience": "the same when a pawn may wait for a better card at a quarter of a turn",
    "steps": "steps that the own pawns have come, less the rivals'",
    "out": "own pawns out of Start, less the rivals'",
    "home": "own pawns Home",
    "zone": "own pawns in the safety zone",
    "finish": "chance that the next card brings an own pawn Home, by exact count; summed over pawns, less the rivals'",
    "entry": "chance that the next card takes an own pawn from the ring into its safety zone; summed over pawns",
    "back_door": "turns that a 4 or 10 as the next card saves by going back, summed over own pawns, less the rivals'",
    "slides": "turns that slides save with the next card, summed over own pawns, less the rivals'",
    "next_card": "turns that the best use of the next own card saves",
    "rival_next_card": "the same for the rivals",
    "own_circle": "chance that the next card is a 1 or 2 for which an own pawn on its circle keeps those in Start in",
    "last_in_start": "chance of a Sorry! while just one own pawn is kept in Start for it and the others run",
    "sorry": "turns that a rival loses if the next own card is a Sorry!, weighted by that chance",
    "leader": "steps by which the leading rival is ahead of the rivals' mean",
    "rival_entry": "as entry, for the rivals: just before it is safe, a pawn is worth hitting",
    "danger": "turns that the rivals' next cards may cost by bumping and sliding over own pawns",
    "rival_circle": "the same by a rival's pawn that comes out of Start onto a pawn before its circle",
    "danger_sorry": "the same by a Sorry!",
    "danger_swap": "the same by an 11, the rival's own gain included",
    "threat": "turns that the own next card may cost the rivals by bumping, sliding and coming out of Start",
    "threat_swap": "the same by an 11, the own gain included",
}
"""Name -> meaning, in the order of a term vector. Rivals count by their mean, dangers by their sum."""

WEIGHTS: dict[str, float] = dict.fromkeys(TERMS, 0.0) | {"turns": 1.0}

ROW = np.dtype((np.record, [(name, np.float64) for name in TERMS]))
"""The terms of one afterstate."""

TABLES = np.dtype(
    (
        np.record,
        [
            ("turns", np.float64, (PLACES,)),  # until Home, for a lone pawn
            ("patience", np.float64, (PLACES,)),
            ("steps", np.float64, (PLACES,)),
            ("enters", np.float64, (PLACES, len(CARDS))),  # 1 where the card takes a pawn from the ring into the zone
            ("finishes", np.float64, (PLACES, len(CARDS))),  # 1 where it takes it Home
            ("back", np.float64, (PLACES, len(CARDS))),  # turns saved by going back
            ("slides", np.float64, (PLACES, len(CARDS))),  # turns saved by sliding
        ],
    )
)
"""What a pawn's place alone says, for one ruleset."""

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

OUT_CARDS = (CARDS.index(STARTS[0]), CARDS.index(STARTS[1]))
SORRY_CARD, SWAP_CARD = CARDS.index("sorry"), CARDS.index("11")
AGAIN = CARDS.index("2")
WAIT = 0.25
"""What a turn costs that a patient pawn lets pass."""
_SEVEN = 7
_NONE = -1e9


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
        chosen = WEIGHTS if weights is None else weights
        off = [name for name in without.split(",") if name]
        for name in off:
            if name not in TERMS:
                raise PlayerError(f"{spec!r}: the heuristic has no term {name!r}; {suggestion(name, TERMS)}")
        self.weights = np.array([0.0 if name in off else chosen.get(name, 0.0) for name in TERMS])

    def scores(self, after: States, seats: IntArray) -> Scores:
        """(M,) float64: the weighted sums; infinite where the seat has won."""
        found: Scores = term_vectors(self.game, after, seats) @ self.weights
        return np.where(after["winners"] >> seats & 1, np.inf, found)


def term_vectors(game: Variant, after: States, seats: IntArray) -> npt.NDArray[np.float64]:
    """(M, T) float64: the terms, in the order of `TERMS`, of (M,) STATE afterstates for the seats (M,)."""
    rows = np.zeros(len(after), ROW)
    term_lanes(after, game.rules, lone_pawn_tables(game), seats, rows)
    return rows.view(np.float64).reshape(len(after), len(TERMS))


@lru_cache(maxsize=64)
def lone_pawn_tables(game: Variant) -> npt.NDArray[np.void]:
    """(1,) TABLES of a variant."""
    tables = np.zeros(1, TABLES)
    row = tables[0]
    row["turns"], row["patience"] = lone_turns(game, wait=1.0), lone_turns(game, wait=WAIT)
    row["steps"] = PROGRESS
    ring = (np.arange(PLACES) >= CIRCLE) & (np.arange(PLACES) <= DIAMOND)
    for card in range(len(CARDS)):
        for stride in _strides(game, card):
            end = game.rules[0]["path"][:, stride]
            slid = game.rules[0]["slide"][end]
            able = end != NOWHERE
            gain = np.where(able & ring, row["turns"] - row["turns"][slid], 0)
            slide = np.where(able & ring, row["turns"][end] - row["turns"][slid], 0)
            _raise(row["enters"][:, card], able & ring & (end > SAFE))
            _raise(row["finishes"][:, card], able & (end == HOME))
            _raise(row["slides"][:, card], slide)
            if stride in BACK.values():
                _raise(row["back"][:, card], gain)
    return tables


def _raise(column: npt.NDArray[np.float64], values: npt.NDArray[Any]) -> None:
    column[:] = np.maximum(column, values)


def _strides(game: Variant, card: int) -> list[int]:
    """The ways in which a card moves one pawn."""
    row = game.rules[0]
    begin, end = row["singles"][card]
    return sorted({int(stride) for stride in row["stride"][begin:end]})


def lone_turns(game: Variant, wait: float) -> npt.NDArray[np.float64]:
    """(PLACES,) float64: least turns on average until a pawn alone on the board is Home, cards independent.

    Args:
        game: the variant.
        wait: what a turn costs in which the pawn does not move; a 2 never costs anything, as it draws again (S6).
    """
    row = game.rules[0]
    stay = np.arange(PLACES)
    ends, costs = np.tile(stay, (len(CARDS), 1, 1)), np.full((len(CARDS), 1, PLACES), wait)
    most = max(len(_strides(game, card)) for card in range(len(CARDS)))
    ends, costs = np.repeat(ends, most + 1, axis=1), np.repeat(costs, most + 1, axis=1)
    for card in range(len(CARDS)):
        for k, stride in enumerate(_strides(game, card)):
            end = row["path"][:, stride]
            ends[card, k] = np.where(end == NOWHERE, stay, row["slide"][end])
            costs[card, k] = np.where(end == NOWHERE, wait, 1.0)
    costs[AGAIN] = 0
    return _least(ends, costs, row["deck"] / row["deck"].sum())


def _least(ends: IntArray, costs: npt.NDArray[np.float64], odds: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Value iteration: (CARDS, ways, PLACES) where each way ends and what it costs, (CARDS,) odds."""
    turns = np.zeros(PLACES)
    while True:
        better = odds @ (turns[ends] + costs).min(axis=1)
        better[HOME] = 0
        if np.abs(better - turns).max() < 1e-9:
            return better
        turns = better


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
        out.rival_next_card += share * _next_card(s, r, t, notes, rival)
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
        out.patience -= share * t.patience[place]
        out.steps += share * t.steps[place]
        if place != START:
            out.out += share
            if place != HOME:
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
    out.next_card = _next_card(s, r, t, notes, me)
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
    return most - total / (r.seats - 1)


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
def _next_card(s: Any, r: Any, t: Any, notes: Any, seat: int) -> float:
    """Turns that a seat's next card saves if it is put to its best use. What an own circle costs stands elsewhere."""
    total = 0.0
    for card in range(len(CARDS)):
        if notes.odds[card] > 0:
            best = _NONE
            for action in range(r.singles[card, 0], r.singles[card, 1]):
                place = s.pawns[seat, r.pawn[action]]
                end = r.path[place, r.stride[action]]
                if end != NOWHERE and (place == START or not own_pawn_at(s, seat, end)):
                    best = max(best, t.turns[place] - t.turns[r.slide[end]])
            if r.splits[card] != NOWHERE:
                best = max(best, _best_split(s, r, t, seat))
            if best != _NONE:
                total += notes.odds[card] * best
    return total


@kernel
def _best_split(s: Any, r: Any, t: Any, seat: int) -> float:
    """Turns that a 7 in two parts saves at best."""
    best = _NONE
    for pawn in range(r.pawns):
        for other in range(pawn + 1, r.pawns):
            place, place2 = s.pawns[seat, pawn], s.pawns[seat, other]
            if place != START and place2 != HOME:
                for part in range(1, _SEVEN):
                    end, end2 = r.path[place, part], r.path[place2, _SEVEN - part]
                    if end != NOWHERE and end2 != NOWHERE and (end != end2 or end == HOME):
                        saved = t.turns[place] - t.turns[r.slide[end]] + t.turns[place2] - t.turns[r.slide[end2]]
                        best = max(best, saved)
    return best


@kernel
def _danger(s: Any, r: Any, t: Any, notes: Any, rival: int, me: int, out: Any) -> None:
    """What a rival's next card may cost."""
    if _mark(s, r, t, notes, rival, me):
        out.danger += _by_moves(s, r, notes, rival)
        out.rival_circle += _by_coming_out(s, r, notes, rival)
        out.danger_sorry += _by_sorry(s, r, notes, rival)
        out.danger_swap += notes.odds[SWAP_CARD] * _by_swap(s, r, t, rival, me)
        _wipe(s, r, notes, rival, me)


@kernel
def _threat(s: Any, r: Any, t: Any, notes: Any, me: int, rival: int, share: float, out: Any) -> None:
    """What the own next card may cost a rival."""
    if _mark(s, r, t, notes, me, rival):
        out.threat += share * (_by_moves(s, r, notes, me) + _by_coming_out(s, r, notes, me))
        out.threat_swap += share * notes.odds[SWAP_CARD] * _by_swap(s, r, t, me, rival)
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
def _struck(r: Any, notes: Any, place: int) -> float:
    """What the victim loses when the attacker stops at a place, and slides from it."""
    total = 0.0
    if place <= DIAMOND:
        for k in range(place, r.slide[place] + 1):
            total += notes.marks[k]
    return total


@kernel
def _by_moves(s: Any, r: Any, notes: Any, attacker: int) -> float:
    """Expected loss by the attacker's pawns that are out, if each card is used for the worst."""
    total = 0.0
    for card in range(len(CARDS)):
        if notes.odds[card] > 0:
            worst = 0.0
            for action in range(r.singles[card, 0], r.singles[card, 1]):
                place = s.pawns[attacker, r.pawn[action]]
                end = r.path[place, r.stride[action]]
                if end != NOWHERE and place != START:
                    loss = _struck(r, notes, end)
                    if loss > worst and not own_pawn_at(s, attacker, end):
                        worst = loss
            if r.splits[card] != NOWHERE:
                worst = max(worst, _by_part(s, r, notes, attacker))
            total += notes.odds[card] * worst
    return total


@kernel
def _by_part(s: Any, r: Any, notes: Any, attacker: int) -> float:
    """The worst loss by one part of a 7 whose rest another pawn can go."""
    worst = 0.0
    for pawn in range(r.pawns):
        if s.pawns[attacker, pawn] != START:
            for part in range(1, _SEVEN):
                end = r.path[s.pawns[attacker, pawn], part]
                if end != NOWHERE:
                    loss = _struck(r, notes, end)
                    if loss > worst and _another_goes(s, r, attacker, pawn, _SEVEN - part):
                        worst = loss
    return worst


@kernel
def _another_goes(s: Any, r: Any, seat: int, pawn: int, steps: int) -> bool:
    able = False
    for other in range(r.pawns):
        able |= other != pawn and r.path[s.pawns[seat, other], steps] != NOWHERE
    return able


@kernel
def _by_coming_out(s: Any, r: Any, notes: Any, attacker: int) -> float:
    """Expected loss on the attacker's circle."""
    total = 0.0
    if s.pawns[attacker, 0] == START and not own_pawn_at(s, attacker, CIRCLE):
        for card in OUT_CARDS:
            total += notes.odds[card] * notes.marks[CIRCLE]
    return total


@kernel
def _by_sorry(s: Any, r: Any, notes: Any, attacker: int) -> float:
    """Expected loss by a Sorry! where it hurts most."""
    worst = 0.0
    if s.pawns[attacker, 0] == START:
        for place in range(CIRCLE, DIAMOND + 1):
            if notes.marks[place] > 0:
                worst = max(worst, _struck(r, notes, place))
    return notes.odds[SORRY_CARD] * worst


@kernel
def _by_swap(s: Any, r: Any, t: Any, attacker: int, victim: int) -> float:
    """The most turns that change sides by a swap, slides after it included."""
    most = 0.0
    for pawn in range(r.pawns):
        for other in range(r.pawns):
            mine, theirs = s.pawns[attacker, pawn], s.pawns[victim, other]
            if on_ring(mine) and on_ring(theirs):
                gained = r.slide[seen_from(r, victim, theirs, attacker)]
                left = seen_from(r, attacker, mine, victim)
                if r.swap_slides_both:
                    left = r.slide[left]
                most = max(most, t.turns[mine] - t.turns[gained] + t.turns[left] - t.turns[theirs])
    return most
