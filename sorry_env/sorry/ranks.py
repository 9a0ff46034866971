"""A seat's pawns as one number.

Pawns at places a <= b <= c <= d have the rank C(a, 1) + C(b + 1, 2) + C(c + 2, 3) + C(d + 3, 4), which counts through
all ways to place them; with fewer pawns the terms of the first ones are enough.
"""

from math import comb
from typing import Any

import numpy as np

from sorry_env._jit import Int, inner
from sorry_env.sorry.board import HOME, PAWNS, PLACES

CHOOSE = np.array([[comb(n, k) for k in range(PAWNS + 1)] for n in range(PLACES + PAWNS)])
"""(71, 5) int64: in how many ways k can be chosen of n."""


def ranks(pawns: int) -> int:
    """In how many ways so many pawns can be placed."""
    return comb(PLACES + pawns - 1, pawns)


@inner
def rank(s: Any, seat: Int, pawns: Int) -> Any:
    """The rank of a seat's first pawns; -1 if one of the others is not Home."""
    number = 0
    for pawn in range(PAWNS):
        place = np.int64(s.pawns[seat, pawn])
        if pawn < pawns:
            number += CHOOSE[place + pawn, pawn + 1]
        elif place != HOME:
            return -1
    return number


@inner
def put(s: Any, seat: Int, pawns: Int, number: Int) -> None:
    """Place a seat's pawns by their rank."""
    left, place = np.int64(number), np.int64(HOME)
    s.pawns[seat, :] = HOME
    for pawn in range(pawns - 1, -1, -1):
        while CHOOSE[place + pawn, pawn + 1] > left:
            place -= 1
        s.pawns[seat, pawn] = place
        left -= CHOOSE[place + pawn, pawn + 1]
