"""The terms of the heuristic player: `TERMS` says what each means, and kernels work them out over rows."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, inner, kernel
from sorry_env.sorry.actions import PARTNER
from sorry_env.sorry.board import CIRCLE, HOME, PAWNS, SAFE, START
from sorry_env.sorry.engine.moves import is_frozen, on_ring
from sorry_env.sorry.heuristic.tables import NOTES, OWN, SORRY_CARD, THEIRS, best_held, chance, tables_of
from sorry_env.sorry.heuristic.threats import danger, threat
from sorry_env.sorry.heuristic.uses import LOWEST, best_use, follower, rest
from sorry_env.sorry.rules import CARDS
from sorry_env.sorry.state import TOKEN
from sorry_env.turns import seat_after
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States

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


def term_vectors(game: Variant, after: States, seats: IntArray) -> npt.NDArray[np.float64]:
    """(M, T) float64: the terms, in the order of `TERMS`, of (M,) STATE afterstates for the seats (M,).

    Of hands only the seat's own is looked at; give views, in which the pile holds all that the seat has not seen.
    """
    rows = np.zeros(len(after), ROW)
    term_lanes(after, game.rules, tables_of(game), seats.astype(np.int64), rows)
    return rows.view(np.float64).reshape(len(after), len(TERMS))


@kernel
def term_lanes(states: Any, rules: Any, tables: Any, seats: Any, rows: Any) -> None:
    """Add the terms of (M,) STATE afterstates, each for the seat `seats[i]`, to (M,) ROW of zeros."""
    notes = np.zeros(1, NOTES)
    for i in range(len(states)):
        _terms(states[i], rules[0], tables[0], notes[0], seats[i], rows[i])


@inner
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
        danger(s, r, t, notes, rival, me, out)
        threat(s, r, t, notes, me, rival, share, out)
    out.leader = _lead(s, r, t, me)
    if not r.plain:
        out.rest = rest(s, r, t, me)
        out.again = r.hand_size > 0 and s.seat == me
        if r.tokens:
            _tokens(s, r, t, me, share, out)


@inner
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


@inner
def _cards(s: Any, r: Any, t: Any, notes: Any, me: Int, out: Any) -> None:
    """The terms of the own next card, of the team's pawns together."""
    for card in range(len(CARDS)):
        if notes.odds[OWN, card] > 0 or notes.held[card] > 0:
            notes.uses[card] = best_use(s, r, t, card, me)
    out.next_card = _next_card(notes)
    waiting = False
    for k in range(r.members):
        waiting |= s.pawns[seat_after(r, me, PARTNER * k), 0] == START
    if waiting:
        out.sorry = chance(notes, OWN, SORRY_CARD) * _best_target(s, r, t, me)
    if notes.hand > 0:
        out.hand = _hand(t, notes, waiting, out.sorry)


@inner
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


@inner
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


@inner
def _race(s: Any, r: Any, t: Any, notes: Any, seat: Int, share: float, whose: Int, out: Any) -> None:
    """The terms that count for one side as they do against the other."""
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        out.turns -= share * t.turns[place]
        out.steps += share * t.steps[place]
        if place == START:
            out.in_start += share
        elif place != HOME and not is_frozen(s, seat, pawn):
            finish = best_held(notes, whose, t.finishes[place])
            back = best_held(notes, whose, t.back[place])
            slides = best_held(notes, whose, t.slides[place])
            for card in range(len(CARDS)):
                chance = share * notes.odds[whose, card]
                out.finish += chance * max(finish, t.finishes[place, card])
                out.back_door += chance * max(back, t.back[place, card])
                out.slides += chance * max(slides, t.slides[place, card])


@inner
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
            out.own_circle += chance(notes, OWN, card) * t.starts[card]
    if waiting == 1 and running > 0:
        out.last_in_start += chance(notes, OWN, SORRY_CARD)


@inner
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


@inner
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


@inner
def _entry(s: Any, r: Any, t: Any, notes: Any, seat: Int, whose: Int) -> float:
    """Pawns that the next card takes from the ring into the safety zone, each by its chance."""
    total = 0.0
    for pawn in range(r.pawns):
        place = s.pawns[seat, pawn]
        if on_ring(place) and not is_frozen(s, seat, pawn):
            best = best_held(notes, whose, t.enters[place])
            for card in range(len(CARDS)):
                total += notes.odds[whose, card] * max(best, t.enters[place, card])
    return total


@inner
def _tokens(s: Any, r: Any, t: Any, me: Int, share: float, out: Any) -> None:
    """What Fire brings and Ice costs those who carry them (F5-F9)."""
    if s.fire != 0:
        seat, pawn = np.int64(s.fire - TOKEN) // PAWNS, np.int64(s.fire - TOKEN) % PAWNS
        place = s.pawns[seat, pawn]
        saved = t.turns[place] - t.fired[place]
        if r.second_home:
            saved += follower(s, r, t, seat, pawn) / (1 + t.fired[place])
        if s.fire == s.ice:
            saved /= 2
        out.fire = saved if seat == me else -share * saved
    if s.ice != 0:
        seat, pawn = np.int64(s.ice - TOKEN) // PAWNS, np.int64(s.ice - TOKEN) % PAWNS
        come = t.turns[START] - t.turns[s.pawns[seat, pawn]]
        for other in range(r.pawns):
            come += (t.turns[START] - t.turns[s.pawns[seat, other]]) / r.pawns
        out.ice = -come if seat == me else come
