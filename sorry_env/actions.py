"""The actions of a game: (card, move) pairs, numbered 0..A-1 in table order.

A move is one of
    forward, back, round, out    one pawn along a path,
    split                        two pawns forward, in the order given (S20, S21),
    swap                         an own pawn with another seat's (S23),
    sorry                        a pawn from Start for another seat's (S25),
    pass                         nothing.
Pawns are numbered in the order of their places, Start first; other seats are numbered from the mover, 1 the next.
The table holds only pairs that the ruleset and the seat count can use; with `bypass_entry` also 57 splits past the
entry for which the ring has no room, so that its blocks stay whole.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

from sorry_env.board import BACK, MOST_BLOCKS, MOVE, NONE, OUT, PASS, ROUND, SORRY, SWAP, Rules
from sorry_env.rulesets import CARDS, Ruleset

FORWARD = {"1": 1, "2": 2, "3": 3, "5": 5, "7": 7, "8": 8, "10": 10, "11": 11, "12": 12}
"""How far a card moves a pawn forward (S19-S23)."""
BACKWARD = {"4": 4, "10": 1}
STARTS = ("1", "2")
"""Cards that bring a pawn from Start to its circle (S7)."""
SPLIT, SWAPS, REPLACES = "7", "11", "sorry"


@dataclass(frozen=True)
class Action:
    """One row of the table. Fields that a kind does not use are 0."""

    card: str
    kind: int
    pawn: int = 0
    stride: int = 0
    pawn2: int = 0
    stride2: int = 0
    seat: int = 0
    target: int = 0

    def __str__(self) -> str:
        """The pair as text, as in `7: pawn 0 +4, pawn 2 +3`; another seat's pawn as `seat+1 pawn 3`."""
        return f"{self.card}: {self._move()}"

    def _move(self) -> str:
        if self.kind == PASS:
            return "pass"
        if self.kind == MOVE:
            first = f"pawn {self.pawn} {stride_text(self.stride)}"
            return f"{first}, pawn {self.pawn2} {stride_text(self.stride2)}" if self.stride2 else first
        other = f"seat+{self.seat} pawn {self.target}"
        return f"pawn {self.pawn} swaps {other}" if self.kind == SWAP else f"start replaces {other}"


def stride_text(stride: int) -> str:
    """A stride in the manner of `+7`, `-1`, `+7 round` or `out`."""
    if stride == OUT:
        return "out"
    if stride > ROUND:
        return f"+{stride - ROUND} round"
    backward = {code: f"-{steps}" for steps, code in BACK.items()}
    return backward.get(stride) or f"+{stride}"


class ActionTable:
    """The actions of a ruleset and a seat count.

    Attributes:
        rows: the actions, A of them, in table order; an action's id is its index.
    """

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        """List the pairs of a ruleset and a seat count."""
        self.ruleset, self.seats = ruleset, seats
        self.rows: tuple[Action, ...] = tuple(a for card in CARDS for a in _card_actions(card, ruleset, seats))
        self._ids = {action: k for k, action in enumerate(self.rows)}

    def __len__(self) -> int:
        """A, the number of actions."""
        return len(self.rows)

    def __getitem__(self, action: int) -> Action:
        """The pair of an id."""
        return self.rows[action]

    def id(self, action: Action) -> int:
        """The id of a pair; KeyError if the table does not hold it."""
        return self._ids[action]

    @cached_property
    def fingerprint(self) -> str:
        """Hash over the rows: two tables with the same fingerprint number the same pairs alike."""
        return hashlib.sha256("\n".join(map(str, self.rows)).encode()).hexdigest()[:16]

    def write(self, rules: Rules) -> None:
        """Put the table into a RULES row, a column a field, and the ids where each card's blocks begin."""
        for k, action in enumerate(self.rows):
            for column in ("kind", "pawn", "stride", "pawn2", "stride2", "seat", "target"):
                rules[column][0, k] = getattr(action, column)
        for c, card in enumerate(CARDS):
            own = [k for k, action in enumerate(self.rows) if action.card == card]
            single = [self.rows[k].stride for k in own if self.rows[k].kind == MOVE and not self.rows[k].stride2]
            blocks = list(dict.fromkeys(single))
            rules["blocks"][0, c] = blocks + [0] * (MOST_BLOCKS - len(blocks))
            rules["first"][0, c] = own[0]
            rules["splits"][0, c] = _first(k for k in own if self.rows[k].stride2)
            for column, kind in (("swaps", SWAP), ("sorries", SORRY), ("passes", PASS)):
                rules[column][0, c] = _first(k for k in own if self.rows[k].kind == kind)


def _first(ids: Iterator[int]) -> int:
    return next(ids, NONE)


def _card_actions(card: str, ruleset: Ruleset, seats: int) -> Iterator[Action]:
    """One card's block of the table."""
    pawns = range(ruleset.pawns)
    others = [(seat, target) for seat in range(1, seats) for target in pawns]
    if card in STARTS:
        yield Action(card, MOVE, 0, OUT)
    for stride in _single_strides(card, ruleset):
        yield from (Action(card, MOVE, pawn, stride) for pawn in pawns)
    if card == SPLIT:
        yield from _splits(ruleset)
    if card == SWAPS:
        yield from (Action(card, SWAP, pawn, 0, 0, 0, seat, target) for pawn in pawns for seat, target in others)
    if card == REPLACES:
        yield from (Action(card, SORRY, 0, 0, 0, 0, seat, target) for seat, target in others)
    yield Action(card, PASS)


def _single_strides(card: str, ruleset: Ruleset) -> Iterator[int]:
    if card in FORWARD:
        yield from _forward_strides(FORWARD[card], ruleset)
    if card in BACKWARD:
        yield BACK[BACKWARD[card]]


def _forward_strides(steps: int, ruleset: Ruleset) -> tuple[int, ...]:
    """Turning in at the entry and, where the ruleset allows it, going round (S12)."""
    return (steps, ROUND + steps) if ruleset.bypass_entry else (steps,)


def _splits(ruleset: Ruleset) -> Iterator[Action]:
    """By pair of pawns, then the lower one's part, then the ways; both orders of two parts side by side.

    `engine.legal` counts on the two orders being neighbours.
    """
    whole = FORWARD[SPLIT]
    for pawn, other in combinations(range(ruleset.pawns), 2):
        for part in range(1, whole):
            for stride in _forward_strides(part, ruleset):
                for rest in _forward_strides(whole - part, ruleset):
                    yield Action(SPLIT, MOVE, pawn, stride, other, rest)
                    yield Action(SPLIT, MOVE, other, rest, pawn, stride)


@lru_cache(maxsize=256)
def action_table(ruleset: Ruleset, seats: int) -> ActionTable:
    """The table of a ruleset and a seat count; the same object each time."""
    return ActionTable(ruleset, seats)
