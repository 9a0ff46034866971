"""Who is first where nobody meets anybody: numbers of turns as independent normal variables."""

from math import erf, sqrt
from typing import Any

from sorry_env._jit import inner, kernel


@inner
def ahead(turns: float, spread: float, other_turns: float, other_spread: float, earlier: bool) -> Any:
    """The probability that one seat ends its race before another, about.

    Args:
        turns: that it needs, as expected.
        spread: their standard deviation.
        other_turns: that the other one needs.
        other_spread: their standard deviation.
        earlier: whether its next turn comes before the other's: then it wins if both need as many.
    """
    lead = other_turns - turns + (0.5 if earlier else -0.5)
    return 0.5 + 0.5 * erf(lead / sqrt(2 * (spread * spread + other_spread * other_spread) + 1e-6))


@kernel
def first_lanes(turns: Any, spreads: Any, movers: Any, out: Any) -> None:
    """Write each seat's probability of being the first of all.

    Args:
        turns: (N, S) float, that the seats need, as expected.
        spreads: (N, S) float, their standard deviations.
        movers: (N,) integers, the seat whose turn is next.
        out: (N, S) float64, written; they add up to 1.
    """
    seats = out.shape[1]
    for i in range(len(out)):
        total = 0.0
        for seat in range(seats):
            out[i, seat] = 1.0
            for other in range(seats):
                if other != seat:
                    earlier = (seat - movers[i]) % seats < (other - movers[i]) % seats
                    out[i, seat] *= ahead(turns[i, seat], spreads[i, seat], turns[i, other], spreads[i, other], earlier)
            total += out[i, seat]
        for seat in range(seats):
            out[i, seat] /= total
