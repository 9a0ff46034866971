"""What most games do alike with the fields that every STATE row has: pass the turn on, end, and pay."""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inner, small
from sorry_env.verbs import CHANCE


@small
def add(out: Any, action: Int) -> None:
    """Put one more action into a CHOICES row."""
    out.ids[out.count] = action
    out.count += 1


@small
def seat_after(r: Any, seat: Int, k: Int) -> Any:
    """The k-th seat after a seat, 0 <= k < S; a subtraction, since division is slow."""
    after = np.int64(seat) + k
    return after - r.seats if after >= r.seats else after


@inner
def pass_on(s: Any, r: Any) -> None:
    """The next seat's turn begins, by chance; or the game is truncated, if it has had all its turns (S26)."""
    s.due = CHANCE
    if s.turns == r.turn_limit:
        finish(s, 0)
    else:
        s.turns += 1
        s.seat = seat_after(r, np.int64(s.seat), 1)


@inner
def finish(s: Any, winners: Int) -> None:
    """End the game; bit k of `winners`: seat k has won."""
    s.over, s.winners, s.seat, s.due = 1, winners, 0, CHANCE


@inner
def returns(s: Any, r: Any, out: Any) -> None:
    """Write each seat's return, (S,) float64: 1 for the winner, the losers share -1; zeros if nobody has won."""
    out[:] = 0
    if s.winners != 0:
        for seat in range(r.seats):
            out[seat] = 1.0 if s.winners >> seat & 1 else -1.0 / (r.seats - 1)
