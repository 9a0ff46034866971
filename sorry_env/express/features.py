"""What a seat sees of a state, as one flat vector of named slices.

The vector is relative to the viewer: seat 0 of a slice is the viewer, seat 1 the next to move after it, and so on, and
colours are counted clockwise from the one that the viewer's base shows. All of it is public.
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inlined, inner, small
from sorry_env.express.board import DICE, FACES, NONE, PAWNS, SLICES
from sorry_env.express.engine import HUES, home, hue_after
from sorry_env.express.rules import ExpressRules
from sorry_env.tables import FeatureTable
from sorry_env.turns import seat_after
from sorry_env.verbs import Rules

SPECIALS = len(FACES) - HUES
MOST_SPECIAL = 2
"""Dice that may show the same special face (E6)."""
AT_HELD, AT_SHOWN, AT_HOME, AT_START_BASE, AT_MOVER, AT_COLOURS, AT_SPECIALS, AT_TURNS_LEFT = range(len(SLICES))


def _shapes(ruleset: ExpressRules, seats: int) -> dict[str, tuple[tuple[int, ...], str]]:
    """Each slice's shape and meaning; a slice that would be constant is left out."""
    shapes = {
        "held": ((seats, HUES, PAWNS), "n-th entry 1 when the seat has more than n pawns of the colour"),
        "shown": ((seats - 1, HUES), "one-hot for each other seat: the colour that its base shows"),
        "home": ((seats - 1, PAWNS), "n-th entry 1 when the other seat has more than n pawns in its Home section"),
        "start_base": ((HUES, PAWNS), "n-th entry 1 when the start base has more than n pawns of the colour"),
        "mover": ((seats,), "1 for the seat that moves, or whose roll comes next; all 0 after the end"),
        "colours": ((HUES, len(DICE)), "n-th entry 1 when more than n dice left show the colour"),
        "specials": ((SPECIALS, MOST_SPECIAL), "n-th entry 1 when more than n dice left show slide, sorry, wild"),
        "turns_left": ((1,), "turns that may still begin, as a share of the turn limit"),
    }
    return {name: shape for name, shape in shapes.items() if name != "turns_left" or ruleset.turn_limit is not None}


class ExpressFeatures(FeatureTable):
    """The slices of a ruleset and a seat count."""

    def __init__(self, ruleset: ExpressRules, seats: int) -> None:
        """Lay the slices out one behind the other."""
        super().__init__(_shapes(ruleset, seats))

    def write(self, rules: Rules) -> None:
        """Put the slices' beginnings into a RULES row; NONE for a slice that the vector lacks."""
        rules["features"][0] = self.begins(SLICES, NONE)


@inner
def encode(s: Any, r: Any, viewer: Int, out: Any) -> None:
    """Write what a seat sees.

    Args:
        s: STATE row.
        r: RULES row.
        viewer: the seat that looks.
        out: (F,) float32.
    """
    out[:] = 0
    me = np.int64(viewer)
    mine = np.int64(s.shown[me])
    for k in range(r.seats):
        _encode_seat(s, r, me, mine, k, out)
    start_base, colours, specials = _at(r, AT_START_BASE), _at(r, AT_COLOURS), _at(r, AT_SPECIALS)
    for hue in range(HUES):
        colour = hue_after(mine, hue)
        _up_to(r, out, start_base + PAWNS * hue, np.int64(s.start_base[colour]), PAWNS)
        _up_to(r, out, colours + len(DICE) * hue, np.int64(s.dice[colour]), len(DICE))
    for special in range(SPECIALS):
        _up_to(r, out, specials + MOST_SPECIAL * special, np.int64(s.dice[HUES + special]), MOST_SPECIAL)
    if not s.over:
        out[_at(r, AT_MOVER) + seat_after(r, np.int64(s.seat), r.seats - me)] = 1
    if r.turn_limit > 0:
        out[_at(r, AT_TURNS_LEFT)] = (r.turn_limit - s.turns) / r.turn_limit


@inlined
def _encode_seat(s: Any, r: Any, me: Int, mine: Int, k: Int, out: Any) -> None:
    """The pawns of the k-th seat from the viewer, and what its base shows."""
    seat = seat_after(r, me, k)
    held = _at(r, AT_HELD) + PAWNS * HUES * k
    for hue in range(HUES):
        _up_to(r, out, held + PAWNS * hue, np.int64(s.held[seat, hue_after(mine, hue)]), PAWNS)
    if k > 0:
        out[_at(r, AT_SHOWN) + HUES * (k - 1) + hue_after(np.int64(s.shown[seat]), HUES - mine)] = 1
        _up_to(r, out, _at(r, AT_HOME) + PAWNS * (k - 1), home(s, seat), PAWNS)


@small
def _at(r: Any, part: Int) -> Any:
    """Where a slice begins."""
    return np.int64(r.features[part])


@inlined
def _up_to(r: Any, out: Any, first: Int, count: Int, places: Int) -> None:
    """So many ones, and zeros up to the last place. Out of a table: to ask each place takes five times as long."""
    for n in range(places):
        out[first + n] = r.ones[count, n]
