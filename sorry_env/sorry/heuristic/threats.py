"""What one side's next card may cost the other: by moves, on the circle, by Sorry! and by a swap."""

from typing import Any

from sorry_env._jit import Int, inner
from sorry_env.sorry.actions import PARTNER, SEVEN, SEVEN_CARD
from sorry_env.sorry.board import CIRCLE, DIAMOND, START
from sorry_env.sorry.engine.moves import is_frozen, on_ring, seen_from
from sorry_env.sorry.heuristic.tables import IMPOSSIBLE, OWN, SORRY_CARD, SWAP_CARD, THEIRS, WAYS, chance
from sorry_env.sorry.heuristic.uses import may_stop
from sorry_env.sorry.rules import CARDS
from sorry_env.turns import seat_after


@inner
def danger(s: Any, r: Any, t: Any, notes: Any, rival: Int, me: Int, out: Any) -> None:
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


@inner
def threat(s: Any, r: Any, t: Any, notes: Any, me: Int, rival: Int, share: float, out: Any) -> None:
    """What the own next card may cost a rival, a Sorry! apart."""
    for k in range(r.members):
        mate = seat_after(r, me, PARTNER * k)
        if _mark(s, r, t, notes, mate, rival):
            out.threat += share * (_by_moves(s, r, t, notes, mate, OWN) + _by_coming_out(s, r, t, notes, mate, OWN))
            out.threat += share * _by_swap(s, r, t, notes, mate, rival, OWN)
            _wipe(s, r, notes, mate, rival)


@inner
def _mark(s: Any, r: Any, t: Any, notes: Any, attacker: Int, victim: Int) -> Any:
    """Note what each exposed pawn would lose, by its place on the attacker's path; False if there is none."""
    exposed = False
    for pawn in range(r.pawns):
        place = s.pawns[victim, pawn]
        if on_ring(place) and not is_frozen(s, victim, pawn):
            notes.marks[seen_from(r, victim, place, attacker)] = t.turns[START] - t.turns[place]
            exposed = True
    return exposed


@inner
def _wipe(s: Any, r: Any, notes: Any, attacker: Int, victim: Int) -> None:
    """Take the marks away."""
    for pawn in range(r.pawns):
        place = s.pawns[victim, pawn]
        if on_ring(place):
            notes.marks[seen_from(r, victim, place, attacker)] = 0


@inner
def _struck(t: Any, notes: Any, place: Int) -> float:
    """What the victim loses when the attacker stops at a place, and slides from it."""
    total = 0.0
    if place <= DIAMOND:
        for k in range(place, t.slide[place] + 1):
            total += notes.marks[k]
    return total


@inner
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


@inner
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
                    if loss > worst and may_stop(s, r, attacker, stop):
                        worst = loss
    return max(worst, _by_part(s, r, t, notes, attacker)) if card == SEVEN_CARD else worst


@inner
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


@inner
def _another_goes(s: Any, r: Any, t: Any, seat: Int, pawn: Int, part: Int) -> Any:
    able = False
    for k in range(r.members):
        mate = seat_after(r, seat, PARTNER * k)
        for other in range(r.pawns):
            able |= (other != pawn or mate != seat) and t.parts[part, s.pawns[mate, other]] != IMPOSSIBLE
    return able


@inner
def _by_coming_out(s: Any, r: Any, t: Any, notes: Any, attacker: Int, whose: Int) -> float:
    """Expected loss on the attacker's circle."""
    total = 0.0
    if s.pawns[attacker, 0] == START and may_stop(s, r, attacker, CIRCLE):
        for card in range(len(CARDS)):
            total += chance(notes, whose, card) * t.starts[card] * notes.marks[CIRCLE]
    return total


@inner
def _by_sorry(s: Any, r: Any, t: Any, notes: Any, attacker: Int) -> float:
    """Expected loss by a Sorry! where it hurts most."""
    worst = 0.0
    if s.pawns[attacker, 0] == START:
        for place in range(CIRCLE, DIAMOND + 1):
            if notes.marks[place] > 0:
                worst = max(worst, _struck(t, notes, place))
    return float(notes.odds[THEIRS, SORRY_CARD] * worst)


@inner
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
    return float(chance(notes, whose, SWAP_CARD) * most)
