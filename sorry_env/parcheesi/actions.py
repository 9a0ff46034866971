"""The actions of Parcheesi: each die, each reward and each entering is one, numbered 0..A-1 in table order.

The blocks, in order: give up dice that cannot be used; enter with a five; enter with both dice of a total of five; for
each die 1 to 6 and each reward 10 and 20 the mover's pieces, turning in at the home row, and with `second_lap` once
more going past it; a reward's block ends with declining it. Pieces are numbered in the order of their places, the nest
first; of two equal ones the lower number stands for both.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sorry_env.parcheesi.board import (
    AMOUNTS,
    DECLINE,
    ENTER,
    ENTER_BOTH,
    FACES,
    MOVE,
    NONE,
    PASS,
)
from sorry_env.parcheesi.rules import ParcheesiRules
from sorry_env.tables import ActionTable
from sorry_env.verbs import Rules


@dataclass(frozen=True)
class Action:
    """One row of the table. Fields that a kind does not use are 0.

    Attributes:
        kind: PASS, ENTER, ENTER_BOTH, MOVE or DECLINE.
        steps: of the die or reward.
        piece: the mover's piece.
        past: 1 for a move past the own home row (P11).
    """

    kind: int
    steps: int = 0
    piece: int = 0
    past: int = 0

    def __str__(self) -> str:
        """As in `5: piece 2`, `5: piece 2 past`, `both: enter`."""
        if self.kind == MOVE:
            return f"{self.steps}: piece {self.piece}{' past' if self.past else ''}"
        return {
            PASS: "pass",
            ENTER: "5: enter",
            ENTER_BOTH: "both: enter",
            DECLINE: f"{self.steps}: decline",
        }[self.kind]


class ParcheesiActions(ActionTable[Action]):
    """The actions of a ruleset; they are the same for all seat counts."""

    def __init__(self, ruleset: ParcheesiRules) -> None:
        """List them."""
        super().__init__(list(_rows(ruleset)))

    def write(self, rules: Rules) -> None:
        """Put the table into a RULES row, a column a field, and the ids where each amount's blocks begin."""
        for k, action in enumerate(self.rows):
            rules["kind"][0, k], rules["piece"][0, k], rules["past"][0, k] = action.kind, action.piece, action.past
            rules["amount"][0, k] = AMOUNTS.index(action.steps) if action.steps else 0
        for k, steps in enumerate(AMOUNTS):
            for past in (0, 1):
                rules["first"][0, past, k] = self._ids.get(Action(MOVE, steps, past=past), NONE)
            rules["decline"][0, k] = self._ids.get(Action(DECLINE, steps), NONE)


def _rows(ruleset: ParcheesiRules) -> Iterator[Action]:
    yield Action(PASS)
    yield Action(ENTER)
    yield Action(ENTER_BOTH)
    for steps in AMOUNTS:
        for past in range(1 + ruleset.second_lap):
            yield from (Action(MOVE, steps, piece, past) for piece in range(ruleset.pieces))
        if steps > FACES:
            yield Action(DECLINE, steps)


@lru_cache(maxsize=256)
def action_table(ruleset: ParcheesiRules) -> ParcheesiActions:
    """The table of a ruleset; the same object each time."""
    return ParcheesiActions(ruleset)
