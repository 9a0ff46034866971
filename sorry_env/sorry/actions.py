"""The actions of a game: (card, move) pairs, and what is decided beside cards, numbered 0..A-1 in table order.

A move is one of
    forward, back, round, out    one pawn along a path,
    split                        two pawns forward, in the order given (S20, S21),
    swap                         an own pawn with another seat's (S23),
    sorry                        a pawn from Start for another seat's (S25),
    pass                         nothing; in a game with hands: to discard the card (H2).
Decisions beside cards, `board.DECISIONS`, have blocks of their own at the end of the table.
Pawns are numbered in the order of their places, Start first; other seats are numbered from the mover, 1 the next.
The table holds only pairs that the ruleset and the seat count can use; with `bypass_entry` also 57 splits past the
entry for which the ring has no room, so that its blocks stay whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from sorry_env.sorry.board import (
    ANSWER,
    ASK,
    BACK,
    GIVE,
    JUMP,
    MOST_BLOCKS,
    MOST_PARTS,
    MOVE,
    NONE,
    OUT,
    PASS,
    PROMPTS,
    ROUND,
    SORRY,
    SWAP,
    TO_HOME,
)
from sorry_env.sorry.rules import CARDS, SorryRules
from sorry_env.tables import ActionTable
from sorry_env.verbs import Rules

FORWARD = {"1": 1, "2": 2, "3": 3, "5": 5, "7": 7, "8": 8, "10": 10, "11": 11, "12": 12, "six": 6, "three": 3}
"""How far a card, or the answer to a question, moves a pawn forward (S19-S23, N2)."""
BACKWARD = {"4": 4, "10": 1}
SORRY_STEPS = 4
"""How far Sorry! moves a pawn where it may (F3)."""
SPLIT, SWAPS, REPLACES = "7", "11", "sorry"
SEVEN, SEVEN_CARD = FORWARD[SPLIT], CARDS.index(SPLIT)
"""Steps of the card that may be split, and its number."""
YES, NO = 6, 3
"""What an answer makes everybody move (N2)."""
PARTNER = 2
"""Seats from one partner to the other (T1)."""


@dataclass(frozen=True)
class Action:
    """One row of the table. Fields that a kind does not use are 0; seats are counted from the mover."""

    prompt: str
    kind: int
    pawn: int = 0
    stride: int = 0
    pawn2: int = 0
    stride2: int = 0
    seat: int = 0
    target: int = 0
    member: int = 0
    member2: int = 0

    def __str__(self) -> str:
        """The pair as text, as in `7: pawn 0 +4, pawn 2 +3`; another seat's pawn as `seat+1 pawn 3`."""
        return f"{self.prompt}: {self._move()}"

    def _move(self) -> str:
        if self.kind == MOVE:
            first = f"{_pawn_text(self.member, self.pawn)} {stride_text(self.stride)}"
            second = f", {_pawn_text(self.member2, self.pawn2)} {stride_text(self.stride2)}"
            return first + second if self.stride2 else first
        other = f"seat+{self.seat} pawn {self.target}"
        return {
            PASS: "pass",
            SWAP: f"{_pawn_text(self.member, self.pawn)} swaps {other}",
            SORRY: f"{'partner ' if self.member else ''}start replaces {other}",
            GIVE: f"to {other if self.seat else _pawn_text(0, self.target)}",
            ASK: f"seat+{self.seat}",
            ANSWER: "yes" if self.stride == YES else "no",
        }[self.kind]


def _pawn_text(member: int, pawn: int) -> str:
    return f"{'partner ' if member else ''}pawn {pawn}"


def stride_text(stride: int) -> str:
    """A stride in the manner of `+7`, `-1`, `+7 round`, `out`, `jump` or `home`."""
    if ROUND < stride < OUT:
        return f"+{stride - ROUND} round"
    named = {OUT: "out", JUMP: "jump", TO_HOME: "home"} | {code: f"-{steps}" for steps, code in BACK.items()}
    return named.get(stride) or f"+{stride}"


class SorryActions(ActionTable[Action]):
    """The actions of a ruleset and a seat count."""

    def __init__(self, ruleset: SorryRules, seats: int) -> None:
        """List the pairs of a ruleset and a seat count."""
        super().__init__([a for prompt in PROMPTS for a in _block(prompt, ruleset, seats)])

    def write(self, rules: Rules) -> None:
        """Put the table into a RULES row, a column a field, and the ids where each prompt's blocks begin."""
        for k, action in enumerate(self.rows):
            for column in ("kind", "member", "pawn", "stride", "member2", "pawn2", "stride2", "seat", "target"):
                rules[column][0, k] = getattr(action, column)
            rules["prompt"][0, k] = PROMPTS.index(action.prompt)
        for p, prompt in enumerate(PROMPTS):
            own = [k for k, action in enumerate(self.rows) if action.prompt == prompt]
            strides = self.strides(prompt)
            if prompt == "part":
                rules["parts"][0] = strides + [0] * (MOST_PARTS - len(strides))
            else:
                rules["blocks"][0, p] = strides + [0] * (MOST_BLOCKS - len(strides))
            rules["first"][0, p] = _first(iter(own))
            rules["splits"][0, p] = _first(k for k in own if self.rows[k].stride2)
            for column, kind in (("swaps", SWAP), ("sorries", SORRY), ("passes", PASS)):
                rules[column][0, p] = _first(k for k in own if self.rows[k].kind == kind)

    def strides(self, prompt: str) -> list[int]:
        """The ways in which a card or a decision may move one pawn, in table order."""
        single = (a for a in self.rows if a.prompt == prompt and a.kind == MOVE and not a.stride2)
        return list(dict.fromkeys(a.stride for a in single))


def _first(ids: Iterator[int]) -> int:
    return next(ids, NONE)


def _block(prompt: str, ruleset: SorryRules, seats: int) -> Iterator[Action]:
    """The actions of one card or one decision."""
    team = [0, PARTNER] if ruleset.teams else [0]
    pawns = range(ruleset.pawns)
    for stride in _single_strides(prompt, ruleset):
        movable = pawns if stride != OUT else range(1)  # those in Start are interchangeable (S7)
        yield from (Action(prompt, MOVE, pawn, stride, member=member) for member in team for pawn in movable)
    if prompt == SPLIT and not ruleset.split_freely:
        yield from _splits(ruleset, list(product(team, pawns)))
    if prompt == SWAPS:
        for member, pawn, seat, target in product(team, pawns, _rivals(ruleset, seats), pawns):
            yield Action(prompt, SWAP, pawn, seat=seat, target=target, member=member)
    if prompt == REPLACES:
        for member in team:
            mate = [PARTNER - member] if ruleset.teams else []
            for seat, target in product([*_rivals(ruleset, seats), *mate], pawns):
                yield Action(prompt, SORRY, seat=seat, target=target, member=member)
    yield from _choices(prompt, ruleset, seats)
    if _may_pass(prompt, ruleset):
        yield Action(prompt, PASS)


def _rivals(ruleset: SorryRules, seats: int) -> range:
    """The seats against which a swap or a Sorry! may be used, counted from the mover (T4, T5)."""
    return range(1, seats, PARTNER if ruleset.teams else 1)


def _single_strides(prompt: str, ruleset: SorryRules) -> Iterator[int]:
    """The ways in which a card or a decision may move one pawn."""
    if prompt in ruleset.starters:
        yield OUT
    if prompt in FORWARD and (prompt in ruleset.cards or ruleset.question_cards):
        yield from _forward_strides(FORWARD[prompt], ruleset)
    if prompt == REPLACES and ruleset.sorry_forward:
        yield from _forward_strides(SORRY_STEPS, ruleset)
    if prompt in BACKWARD:
        yield BACK[BACKWARD[prompt]]
    if prompt == "part" and ruleset.split_freely:
        for part in range(1, SEVEN):
            yield from _forward_strides(part, ruleset)
    if prompt == "jump" and ruleset.tokens:
        yield JUMP
    if prompt == "second" and ruleset.tokens and ruleset.fire_second_home:
        yield TO_HOME


def _choices(prompt: str, ruleset: SorryRules, seats: int) -> Iterator[Action]:
    """The ways of a decision that moves no pawn."""
    pawns = range(ruleset.pawns)
    if prompt == "ice" and ruleset.tokens:
        yield from (Action(prompt, GIVE, seat=k, target=pawn) for k in range(1, seats) for pawn in pawns)
    if prompt == "fire" and ruleset.tokens:
        yield from (Action(prompt, GIVE, target=pawn) for pawn in pawns)
    if prompt == "ask" and ruleset.question_cards and seats > 2:
        yield from (Action(prompt, ASK, seat=k) for k in range(1, seats))
    if prompt == "answer" and ruleset.question_cards and ruleset.answer == "strategic":
        yield from (Action(prompt, ANSWER, stride=answer) for answer in (YES, NO))


def _may_pass(prompt: str, ruleset: SorryRules) -> bool:
    """Whether there is a way to do nothing: by choice, or because nothing can be done."""
    if prompt in ("jump", "fire"):
        return ruleset.tokens
    if prompt == "second":
        return ruleset.tokens and ruleset.fire_second_home
    if prompt in ("six", "three"):
        return ruleset.question_cards > 0
    return prompt in ruleset.cards and prompt != "question"


def _forward_strides(steps: int, ruleset: SorryRules) -> tuple[int, ...]:
    """Turning in at the entry and, where the ruleset allows it, going round (S12)."""
    return (steps, ROUND + steps) if ruleset.bypass_entry else (steps,)


def _splits(ruleset: SorryRules, pawns: list[tuple[int, int]]) -> Iterator[Action]:
    """By pair of pawns, (member, pawn) each, then the first one's part, then the ways; both orders side by side.

    `engine.legal` counts on the two orders being neighbours.
    """
    for (member, pawn), (member2, pawn2) in combinations(pawns, 2):
        for part in range(1, SEVEN):
            for stride in _forward_strides(part, ruleset):
                for rest in _forward_strides(SEVEN - part, ruleset):
                    yield Action(SPLIT, MOVE, pawn, stride, pawn2, rest, member=member, member2=member2)
                    yield Action(SPLIT, MOVE, pawn2, rest, pawn, stride, member=member2, member2=member)


@lru_cache(maxsize=256)
def action_table(ruleset: SorryRules, seats: int) -> SorryActions:
    """The table of a ruleset and a seat count; the same object each time."""
    return SorryActions(ruleset, seats)
