"""The rulesets of the Sorry! family: every edition is one value of one dataclass, a difference from a named parent."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from sorry_env.errors import suggestion
from sorry_env.rulesets import SEAT_COUNTS, Ruleset, listed

DECKS: dict[int, tuple[int, ...]] = {
    45: (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4),
    44: (4,) * 11,
    55: (5,) * 11,
    11: (1,) * 11,
}
"""S2: deck size -> how many of each card in the order of `CARDS`, question cards apart (N1)."""

CARDS: tuple[str, ...] = ("1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "sorry", "question")
"""The cards of the Sorry! family; a card's index here is its number in states, odds and tables."""
KINDS = len(CARDS) - 1
"""Kinds of cards apart from questions, which come last."""

POINTS = ("1939", "modern")
"""Ways to score a game of points (H5, H6)."""
ANSWERS = ("strategic", "random")
"""Who answers a question: the seat asked, or a fair coin (N3)."""

STARTERS = tuple(card for card in CARDS if card not in ("4", "sorry", "question"))
"""Cards that may bring a pawn from Start to its circle: those with a positive number (S7, F2)."""
HAND_SIZES = (0, 2, 3, 4, 5)
"""Cards in a hand; 0: no hands (H1)."""
MOST_QUESTIONS = 8

_APART = (
    ("teams", ("hand_size", "points", "tokens", "question_cards", "turbo"), "T1, M1"),
    ("tokens", ("hand_size", "question_cards", "turbo"), "F10"),
    ("hand_size", ("question_cards",), "H1, N2"),
)
"""Rules that no edition combines."""

NAMES = (
    "classic",
    "diamond",
    "tiny",
    "points_1939",
    "points_modern",
    "teams_1939",
    "teams_modern",
    "fire_and_ice",
    "not_sorry",
    "bump_em",
)
"""The named rulesets; each stands in `RULESETS`."""


@dataclass(frozen=True, kw_only=True)
class SorryRules(Ruleset):
    """The rules of one edition, without its seats."""

    NAMES: ClassVar[tuple[str, ...]] = NAMES

    deck: int = 45
    """Number of cards (S2): 45 modern, 44 first edition, 55 Waddingtons 1996, 11 one of each, for study."""
    replacement: bool = False
    """Every draw from the full deck (S2)."""
    pawns: int = 4
    """Pawns a seat, 1 to 4 (S1)."""
    swap_slides_both: bool = True
    """After a swap the foreign pawn slides too, not only the mover's (S24)."""
    bypass_entry: bool = False
    """A forward move may go past the own entry for another lap (S12)."""
    diamond: bool = False
    """The board shows the diamonds, and with them S12 has no exception (D1)."""
    hand_size: int = 0
    """Cards that each seat holds, five in the editions that are sold (H1); 0: they are drawn one at a time."""
    points: str | None = None
    """How a finished game is scored: "1939" (H5) or "modern" (H6); None: 1 for a win (H7)."""
    pawn_on_circle: bool = False
    """One pawn of each seat begins on its circle (H6)."""
    teams: bool = False
    """Seats 0 and 2 play against 1 and 3, each with all eight pawns of the team (T1)."""
    split_freely: bool = False
    """A team's 7 may be shared by any number of its pawns, one part at a time (T7)."""
    starters: tuple[str, ...] = ("1", "2")
    """Cards that bring a pawn from Start to the circle, Sorry! apart (S7, F2, M3)."""
    two_draws_again: bool = True
    """A 2 gives its player another card (S6, F3)."""
    sorry_forward: bool = False
    """Sorry! may also move a pawn that is out four forward (F3)."""
    tokens: bool = False
    """Fire and Ice are in play (F5-F10)."""
    fire_second_home: bool = True
    """A pawn that has carried Fire Home may take another one with it (F7)."""
    question_cards: int = 0
    """Question cards added to the deck, at most 8 (N1)."""
    answer: str = "strategic"
    """Who answers a question: the seat asked ("strategic") or a fair coin ("random") (N3)."""
    turbo: bool = False
    """Turbo squares, on which a pawn pushes the one before it along, in place of slides (M2)."""

    def problems(self) -> Iterator[str]:
        """See `Ruleset.problems`."""
        yield from super().problems()
        yield from self._out_of_range()
        yield from self._contradictions()

    def _out_of_range(self) -> Iterator[str]:
        """What a field cannot be, whatever the others are."""
        if self.deck not in DECKS:
            yield f"deck={self.deck}: a deck has {listed(DECKS)} cards (S2)"
        if not 1 <= self.pawns <= 4:
            yield f"pawns={self.pawns}: a seat has 1 to 4 pawns (S1)"
        if self.hand_size not in HAND_SIZES:
            yield f"hand_size={self.hand_size}: a hand has {listed(HAND_SIZES[1:])} cards; 0 for no hands (H1)"
        if self.points is not None and self.points not in POINTS:
            yield f"points={self.points!r}: {listed(map(repr, POINTS))}, or None (H5, H6)"
        if not 0 <= self.question_cards <= MOST_QUESTIONS:
            yield f"question_cards={self.question_cards}: from 0 to {MOST_QUESTIONS} (N1)"
        if self.answer not in ANSWERS:
            yield f"answer={self.answer!r}: {listed(map(repr, ANSWERS))} (N3)"
        if not self.starters:
            yield "starters=[]: no pawn could ever leave Start (S7)"
        for card in self.starters:
            if card not in STARTERS:
                yield f"starters={list(self.starters)}: {card!r} cannot start a pawn; {suggestion(card, STARTERS)}"
        if list(self.starters) != [card for card in STARTERS if card in self.starters]:
            yield f"starters={list(self.starters)}: each card once, in the order {list(STARTERS)}"

    def _contradictions(self) -> Iterator[str]:
        """Which fields do not go together."""
        if self.diamond and self.bypass_entry:
            yield (
                "bypass_entry=True contradicts diamond=True: the diamond is the sign of the rule that nobody "
                "passes his own entry (S12); switch one of them off"
            )
        on = {
            "hand_size": self.hand_size > 0,
            "points": self.points is not None,
            "tokens": self.tokens,
            "question_cards": self.question_cards > 0,
            "turbo": self.turbo,
        }
        for one, others, rule in _APART:
            for other in others:
                if getattr(self, one) and on[other]:
                    yield f"{one} and {other} are of different editions, and cannot be combined ({rule})"
        if self.tokens and self.two_draws_again:
            yield "two_draws_again=True contradicts tokens=True: where a 2 moves Fire it does not draw again (F3)"
        if self.split_freely and not self.teams:
            yield "split_freely=True needs teams=True: only a team shares a 7 among more than two pawns (T7)"
        if not self.fire_second_home and not self.tokens:
            yield "fire_second_home=False needs tokens=True: it is about the pawn that carries Fire (F7)"
        if self.answer != "strategic" and not self.question_cards:
            yield f"answer={self.answer!r} needs question_cards: without them nobody is asked (N3)"
        if self.turbo and not self.swap_slides_both:
            yield "swap_slides_both=False contradicts turbo=True: without slides nothing slides after a swap (M2)"

    @property
    def cards(self) -> tuple[str, ...]:
        """The kinds of cards in the deck, in the order of `CARDS`."""
        return CARDS if self.question_cards else CARDS[:-1]

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many seats a game may have (S1, T1)."""
        return (4,) if self.teams else SEAT_COUNTS

    @property
    def counts(self) -> tuple[int, ...]:
        """How many of each card the full deck holds, in the order of `CARDS`."""
        return (*DECKS[self.deck], self.question_cards)

    @property
    def partners(self) -> bool:
        """Whether opposite seats play together (T1)."""
        return self.teams


CLASSIC = SorryRules(name="classic")
"""Section S: the modern game of 45 cards."""
DIAMOND = replace(CLASSIC, name="diamond", deck=44, diamond=True)
"""Section D: the old board and deck."""
TINY = replace(CLASSIC, name="tiny", pawns=1, replacement=True)
"""One pawn and independent cards: small enough to be solved exactly; for tests of learning."""

POINTS_1939 = replace(DIAMOND, name="points_1939", hand_size=5, points="1939")
"""H5: the old game of points, with hands of five cards."""
POINTS_MODERN = replace(CLASSIC, name="points_modern", hand_size=5, points="modern", pawn_on_circle=True)
"""H6: the modern game of points."""
TEAMS_1939 = replace(DIAMOND, name="teams_1939", teams=True)
"""Section T with the old board and deck; two pawns share a 7."""
TEAMS_MODERN = replace(CLASSIC, name="teams_modern", teams=True, split_freely=True)
"""Section T with the modern deck; any number of pawns share a 7."""
FIRE_AND_ICE = replace(
    CLASSIC,
    name="fire_and_ice",
    deck=44,
    pawns=3,
    starters=STARTERS,
    two_draws_again=False,
    sorry_forward=True,
    tokens=True,
)
"""Section F."""
NOT_SORRY = replace(CLASSIC, name="not_sorry", pawns=3, question_cards=8)
"""Section N."""
BUMP_EM = replace(CLASSIC, name="bump_em", deck=44, starters=("1", "12"), turbo=True)
"""Section M."""

EDITIONS = (
    CLASSIC,
    DIAMOND,
    TINY,
    POINTS_1939,
    POINTS_MODERN,
    TEAMS_1939,
    TEAMS_MODERN,
    FIRE_AND_ICE,
    NOT_SORRY,
    BUMP_EM,
)
"""All of them, in the order of `NAMES`."""
