"""What there is to draw of a position, in board units; the painters turn it into pictures.

Points are those of the layout. What is on a square has whole coordinates; pawns in Start and at Home have others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sorry_env.render.svg_parts import Point
from sorry_env.rulesets import COLOURS
from sorry_env.sorry import board
from sorry_env.sorry.actions import PARTNER
from sorry_env.sorry.board import (
    COIN,
    CORNERS,
    DIAMOND,
    DRAW,
    HOME,
    PAWNS,
    SAFE,
    SIDE,
    SIX,
    START,
    THREE,
    TO_ANSWER,
    TO_PART,
    TURBO,
    card_in_play,
    place_value,
)
from sorry_env.sorry.render.layout import CLOVERLEAF, SQUARE, Layout
from sorry_env.sorry.render.words import Words, card_text, duty_of, words_of
from sorry_env.sorry.state import FACE_DOWN, TOKEN, cards_of
from sorry_env.verbs import States

if TYPE_CHECKING:  # a variant imports the engine, and drawing needs no engine
    from sorry_env.variant import Variant


@dataclass(frozen=True)
class Mark:
    """Something of a colour: a zone square, the middle of a circle, a diamond, a turbo square, a point just left."""

    colour: str
    at: Point


@dataclass(frozen=True)
class Slide:
    """A slide and its squares, first to last."""

    colour: str
    squares: tuple[Point, ...]


@dataclass(frozen=True)
class Pawn:
    """A pawn at a place of its colour's path."""

    colour: str
    place: int
    at: Point
    moved: bool = False
    """Whether it was not there in the position before."""
    fire: bool = False
    ice: bool = False
    """What it carries (F5, F8)."""
    spent: bool = False
    """Whether it has had its part of the 7 that is being played (T7)."""


@dataclass(frozen=True)
class Hand:
    """A seat's cards in order (H1), and how many more lie face down."""

    colour: str
    cards: tuple[str, ...]
    hidden: int


@dataclass(frozen=True)
class Question:
    """Who has asked whom, and the answer once there is one (N2)."""

    drawer: str
    asked: str
    answer: str | None

    def __str__(self) -> str:
        """As in `red asked blue: yes`."""
        return f"{self.drawer} asked {self.asked}: {self.answer}" if self.answer else f"{self.drawer} asks {self.asked}"


@dataclass(frozen=True)
class Scene:
    """One position on its board. Every colour's side is there; `seats` are the colours that play."""

    ruleset: str
    layout: Layout
    words: Words
    squares: tuple[Point, ...]
    """By number, 0 to 59."""
    slides: tuple[Slide, ...]
    """Empty where turbo squares take their place (M2)."""
    turbos: tuple[Mark, ...]
    fires: tuple[Point, ...]
    """The fire spaces (F5); empty where there is no Fire."""
    zones: tuple[Mark, ...]
    """The safety squares, each colour's from its entry to its Home."""
    circles: tuple[Mark, ...]
    """The squares on which pawns come out of Start."""
    starts: tuple[Mark, ...]
    homes: tuple[Mark, ...]
    diamonds: tuple[Mark, ...]
    """Empty where the ruleset's board shows none."""
    seats: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...]
    """Empty where everybody plays alone (T1)."""
    pawns: tuple[Pawn, ...]
    tokens: tuple[str, ...]
    """Fire and Ice, in games that have them."""
    left: tuple[Mark, ...]
    """The points that pawns have left since the position before and that are free now."""
    card: str | None
    """In play; None if it has still to be drawn or is in a hand, or the game is over."""
    card_text: str
    """What the card in play does."""
    hands: tuple[Hand, ...]
    question: Question | None
    pile: int
    """Cards left to draw."""
    turn: int
    to_move: str | None
    """Who has to act, which may be to draw; None when the game is over."""
    duty: str
    """What `to_move` has to do."""
    winners: tuple[str, ...]

    @property
    def status(self) -> str:
        """What is going on, as in `red to move`."""
        if self.to_move is not None:
            return f"{self.to_move} {self.duty}"
        if not self.winners:
            return "no winner (turn limit)"
        return f"{' and '.join(self.winners)} win{'s' if len(self.winners) == 1 else ''}"

    @property
    def title(self) -> str:
        """One line for a caption."""
        card = f", {self.words.card} {self.words.card_word(self.card)}" if self.card else ""
        return f"Sorry! {self.ruleset}, turn {self.turn}: {self.status}{card}"

    @property
    def description(self) -> str:
        """Where everything is, in words, for those who cannot see the picture."""
        pawns = (f"{seat}: {', '.join(map(self.place_word, self.pawns_of(seat)))}" for seat in self.seats)
        holders = [f"{token} {self.holder_word(token)}" for token in self.tokens]
        return "; ".join([*pawns, *self.sides, *holders, *self.marks, *map(self.hand_word, self.hands)])

    @property
    def sides(self) -> list[str]:
        """Who plays with whom, if anybody does."""
        return [" against ".join(" and ".join(team) for team in self.teams)] if self.teams else []

    @property
    def marks(self) -> list[str]:
        """Who has asked whom, and which pawns have had their part of a 7."""
        spent = [f"{pawn.colour} {self.place_word(pawn)}" for pawn in self.pawns if pawn.spent]
        had = [f"moved by this 7: {', '.join(spent)}"] if spent else []
        return ([str(self.question)] if self.question else []) + had

    def carrier(self, token: str) -> Pawn | None:
        """The pawn that carries Fire or Ice; None while that is in the middle."""
        return next((pawn for pawn in self.pawns if (pawn.fire if token == "Fire" else pawn.ice)), None)

    def holder_word(self, token: str) -> str:
        """Where a token is, as in `on red 14`."""
        pawn = self.carrier(token)
        return f"on {pawn.colour} {self.place_word(pawn)}" if pawn else "in the middle"

    def pawns_of(self, colour: str, place: int | None = None) -> list[Pawn]:
        """A colour's pawns, all or those at one place."""
        return [p for p in self.pawns if p.colour == colour and place in (None, p.place)]

    def hand_word(self, hand: Hand) -> str:
        """As in `red holds 1, 7, sorry`."""
        face_down = [f"{hand.hidden} card{'' if hand.hidden == 1 else 's'}"] if hand.hidden else []
        return f"{hand.colour} holds {', '.join([*map(self.words.card_word, hand.cards), *face_down])}"

    def place_word(self, pawn: Pawn) -> str:
        """Where a pawn is."""
        named = {START: self.words.start, HOME: self.words.home}
        return named.get(pawn.place) or str(place_value(pawn.colour, pawn.place))


def scene(game: "Variant", states: States, i: int = 0, last: States | None = None) -> Scene:
    """The scene of state i.

    Args:
        game: the variant that the states belong to.
        states: (N,) STATE.
        i: which of them.
        last: (N,) STATE of before, whose state i tells what has moved since; None: nothing has.
    """
    s, rules = states[i], game.ruleset
    before, now = list(_standing(game, states[i] if last is None else last[i])), list(_standing(game, s))
    layout, over = _layout(game), bool(s["over"])
    card = None if over else card_in_play(int(s["due"]))
    drawer, asked = (game.colours[int(s[name])] for name in ("drawer", "asked"))
    return Scene(
        ruleset=str(rules),
        words=words_of(rules),
        **_board(game, layout),
        seats=game.colours,
        teams=_teams(game),
        pawns=tuple(_pawns(game, s, before, now)),
        tokens=("Fire", "Ice") if rules.tokens else (),
        left=_left(before, now),
        card=card,
        card_text=card_text(rules, card) if card else "",
        hands=tuple(_hands(game, s)),
        question=None if over else _question(int(s["due"]), drawer, asked),
        pile=_pile(game, s),
        turn=int(s["turns"]),
        to_move=None if over else _actor(game, s),
        duty="" if over else duty_of(int(s["due"]), drawer, asked, int(s["steps"])),
        winners=tuple(c for seat, c in enumerate(game.colours) if int(s["winners"]) >> seat & 1),
    )


def _layout(game: "Variant") -> Layout:
    return CLOVERLEAF if game.ruleset.turbo else SQUARE


def _board(game: "Variant", layout: Layout) -> dict[str, Any]:
    """What is printed on the board: the same in every position."""
    rules = game.ruleset

    def corner_marks(offsets: Sequence[int]) -> tuple[Mark, ...]:
        return tuple(Mark(c, layout.square_at(SIDE * k + offset)) for k, c in enumerate(COLOURS) for offset in offsets)

    return {
        "layout": layout,
        "squares": tuple(layout.square_at(k) for k in range(board.RING)),
        "slides": () if rules.turbo else tuple(_slides(layout)),
        "turbos": corner_marks(TURBO) if rules.turbo else (),
        "fires": tuple(layout.square_at(k) for k in CORNERS) if rules.tokens else (),
        "zones": tuple(Mark(c, layout.place_at(c, place)) for c in COLOURS for place in range(SAFE + 1, HOME)),
        "circles": corner_marks([board.CIRCLE_OFFSET]),
        "starts": tuple(Mark(c, layout.start_at(c)) for c in COLOURS),
        "homes": tuple(Mark(c, layout.home_at(c)) for c in COLOURS),
        "diamonds": tuple(Mark(c, layout.place_at(c, DIAMOND)) for c in COLOURS) if rules.diamond else (),
    }


def _slides(layout: Layout) -> Iterator[Slide]:
    for side, colour in enumerate(COLOURS):
        for which in range(len(board.SLIDES)):
            yield Slide(colour, tuple(layout.square_at(k) for k in board.slide_squares(side, which)))


def _teams(game: "Variant") -> tuple[tuple[str, ...], ...]:
    return tuple(game.colours[k::PARTNER] for k in range(PARTNER)) if game.ruleset.teams else ()


Standing = tuple[str, int, Point]
"""A pawn's colour, place and point."""


def _standing(game: "Variant", s: Any) -> Iterator[Standing]:
    """Every pawn in the game, seat by seat."""
    layout = _layout(game)
    for seat, colour in enumerate(game.colours):
        places = [int(place) for place in s["pawns"][seat, : game.ruleset.pawns]]
        for k, place in enumerate(places):
            yield colour, place, layout.place_at(colour, place, places[:k].count(place))


def _pawns(game: "Variant", s: Any, before: Sequence[Standing], now: Sequence[Standing]) -> Iterator[Pawn]:
    """The pawns with what they carry and what they have done."""
    known, playing_parts = set(before), int(s["due"]) == TO_PART
    for k, (colour, place, at) in enumerate(now):
        slot = PAWNS * (k // game.ruleset.pawns) + k % game.ruleset.pawns
        carries = {name: int(s[name]) == TOKEN + slot for name in ("fire", "ice")}
        out = START < place < HOME
        spent = playing_parts and out and bool(int(s["moved"]) >> slot & 1)
        yield Pawn(colour, place, at, (colour, place, at) not in known, spent=spent, **carries)


def _left(before: Sequence[Standing], now: Sequence[Standing]) -> tuple[Mark, ...]:
    taken = {at for _, _, at in now}
    return tuple(Mark(colour, at) for colour, _, at in before if at not in taken)


def _hands(game: "Variant", s: Any) -> Iterator[Hand]:
    for seat, colour in enumerate(game.colours if game.ruleset.hand_size else ()):
        held = s["hands"][seat]
        yield Hand(colour, tuple(cards_of(held)), int(held[FACE_DOWN]))


def _pile(game: "Variant", s: Any) -> int:
    """Cards left to draw; what lies face down in hands is counted among the unseen ones by a view (H1)."""
    hidden = 0 if game.ruleset.replacement else int(s["hands"][:, FACE_DOWN].sum())
    return int(s["pile"].sum()) - hidden


def _question(due: int, drawer: str, asked: str) -> Question | None:
    answers = {TO_ANSWER: None, COIN: None, SIX: "yes", THREE: "no"}
    return Question(drawer, asked, answers[due]) if due in answers else None


def _actor(game: "Variant", s: Any) -> str:
    """Who has to act: whose turn it is, or who refills its hand before (H1)."""
    refills = game.ruleset.hand_size and int(s["due"]) == DRAW
    return game.colours[int(s["drawer" if refills else "seat"])]
