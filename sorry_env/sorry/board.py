"""The Sorry! board (section B), and the row of numbers that a ruleset with its colours is compiled to.

A **place** is where a pawn stands, counted along its owner's path: Start 0, ring 1 (the own circle) to 59 (the own
entry) and 60 (the own diamond square), safety zone 61 to 65, Home 66. All colours share one path: the board is the
same after a quarter turn. A **stride** is a way to go from one place to another; `RULES.path` says where it ends.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sorry_env.rulesets import COLOURS, SEATS
from sorry_env.sorry.rules import CARDS, SorryRules
from sorry_env.verbs import CHANCE

PAWNS = 4
"""Most pawns that a seat has: the width of arrays in a state."""

RING = 60
"""Shared squares, and the place of the diamond square."""
SIDE = 15
CIRCLE_OFFSET = 4
SLIDES = ((1, 4), (9, 5))
"""Offset from a side's corner, and length, of its two slides."""

START, CIRCLE, ENTRY, DIAMOND, SAFE, HOME = 0, 1, 59, 60, 60, 66
"""Places; safety step k is SAFE + k."""
PLACES = HOME + 1
NOWHERE = PLACES
"""Where a stride ends that cannot be made. All in a row is unsigned, so that compilers need not ask for the sign."""

TURBO = (1, 9)
"""Offsets from a side's corner of its turbo squares (M2)."""
CORNERS = tuple(range(0, RING, SIDE))
"""The fire spaces (F5)."""

BACK = {1: 13, 4: 14}
"""Strides: forward n is n, back n is BACK[n], forward n past the own entry (S12) is ROUND + n, OUT leaves Start,
JUMP goes to the next fire space (F5), TO_HOME goes Home from anywhere (F7)."""
ROUND = 14
OUT, JUMP, TO_HOME = 27, 28, 29
STRIDES = 30

MOVE, SWAP, SORRY, PASS, GIVE, ASK, ANSWER = range(7)
"""Kinds of move: one or two pawns along a path; change places; Sorry!; from here on no pawn moves: nothing; give a
token to a pawn; name an opponent; answer."""

DECISIONS = ("jump", "ice", "fire", "second", "ask", "answer", "six", "three", "part")
"""What a seat may have to decide beside the use of a card: whether Fire jumps (F5), where Ice (F9) and Fire (F6) go,
a second pawn Home (F7), whom to ask, the answer, the six or three steps that follow (N2), the next part of a 7 (T7)."""
PROMPTS = (*CARDS, *DECISIONS)
"""Everything that a seat may be prompted to do; a prompt's index here is its number. Each has a block of actions."""
QUESTION = CARDS.index("question")
TO_JUMP, TO_ICE, TO_FIRE, TO_SECOND, TO_ASK, TO_ANSWER, SIX, THREE, TO_PART = (PROMPTS.index(d) for d in DECISIONS)

HAND = len(PROMPTS)
"""What may be due besides a prompt: a card of the hand (H1);"""
DRAW, COIN = CHANCE, CHANCE + 1
"""by chance a card, or a fair coin (N3)."""

_CARD_OF = {TO_ICE: "1", TO_FIRE: "2", TO_PART: "7"} | dict.fromkeys((TO_ASK, TO_ANSWER, COIN, SIX, THREE), "question")


def card_in_play(due: int) -> str | None:
    """The card that lies on the table while something is due; None if it has still to be drawn or is in a hand."""
    return CARDS[due] if due < len(CARDS) else _CARD_OF.get(due)


MOST_ACTIONS = 1792
MOST_BLOCKS = 4
"""Ways that a prompt may move one pawn, as a 10 does: out of Start, forward, past the entry, back."""
MOST_PARTS = 12
"""Ways that one part of a 7 may go: 1 to 6, turning in at the entry or past it (S12)."""
NONE = 0xFFFF
"""In place of an id or an index that a ruleset does not have."""

SLICES = (
    "start",
    "ring",
    "safe",
    "home",
    "mover",
    "sides",
    "card",
    "pile",
    "turns_left",
    "hand",
    "decision",
    "fire",
    "ice",
    "drawer",
    "asked",
    "left",
    "moved",
)
"""The slices of the feature vector, in its order; `features` says what each holds."""

RULES = np.dtype(
    (
        np.record,
        [
            ("turn_limit", np.int32),  # 0: none
            ("share", np.float32, (len(CARDS),)),  # of one card among its kind in the full deck
            ("seats", np.int64),
            ("pawns", np.int64),
            ("replacement", np.int64),
            ("swap_slides_both", np.int64),
            ("ways", np.int64),  # 2 where a part may go round (S12), else 1
            ("plain", np.int64),  # 1 where a turn is one draw and one action
            ("again", np.int64),  # the card that gives another turn (S6), or NONE
            ("hand_size", np.int64),
            ("teams", np.int64),
            ("members", np.int64),  # seats whose pawns a seat may move: itself, and its partner (T1)
            ("rivals", np.int64),  # seats against which it may use a card; in turn order, so many seats apart:
            ("apart", np.int64),
            ("tokens", np.int64),
            ("second_home", np.int64),
            ("marks", np.int64),  # 1 where pawns carry something that has to follow them
            ("coin", np.int64),  # 1 where chance answers a question (N3)
            ("turbo", np.int64),
            ("on_circle", np.int64),  # pawns of each seat that begin on its circle
            ("deck", np.uint16, (len(CARDS),)),
            ("shift", np.uint16, (SEATS, SEATS)),  # from a ring place of one seat to another's, before the wrap
            ("path", np.uint16, (PLACES, STRIDES)),
            ("slide", np.uint16, (PLACES + 1,)),  # where a pawn that stops here ends (S14): mostly here
            ("push", np.uint16, (PLACES + 1,)),  # where a pawn is pushed from here (M2), or 0
            ("special", np.uint16, (PLACES + 1,)),  # 1 where stopping does more than to bump
            ("first", np.uint16, (len(PROMPTS),)),  # each prompt's first action, or NONE
            ("blocks", np.uint16, (len(PROMPTS), MOST_BLOCKS)),  # strides of its moves of one pawn, a block each; or 0
            ("parts", np.uint16, (MOST_PARTS,)),  # strides of the parts of a 7 that is split freely, or 0
            ("splits", np.uint16, (len(PROMPTS),)),  # first action of a block, or NONE
            ("swaps", np.uint16, (len(PROMPTS),)),
            ("sorries", np.uint16, (len(PROMPTS),)),
            ("passes", np.uint16, (len(PROMPTS),)),
            ("features", np.uint16, (len(SLICES),)),  # where each slice of the feature vector begins, or NONE
            ("spots", np.uint16, (SEATS, PLACES, PAWNS)),  # a pawn's feature: seat from the viewer, place there, pawn
            ("decision", np.uint16, (len(PROMPTS),)),  # the feature of a decision that is due, or NONE
            ("kind", np.uint16, (MOST_ACTIONS,)),  # the table of actions, a column each
            ("member", np.uint16, (MOST_ACTIONS,)),  # the seat whose pawn moves, counted from the mover
            ("pawn", np.uint16, (MOST_ACTIONS,)),
            ("stride", np.uint16, (MOST_ACTIONS,)),
            ("member2", np.uint16, (MOST_ACTIONS,)),
            ("pawn2", np.uint16, (MOST_ACTIONS,)),
            ("stride2", np.uint16, (MOST_ACTIONS,)),  # 0: one part only
            ("seat", np.uint16, (MOST_ACTIONS,)),  # the other seat, counted from the mover
            ("target", np.uint16, (MOST_ACTIONS,)),  # the other seat's pawn
            ("prompt", np.uint16, (MOST_ACTIONS,)),
        ],
    )
)
"""One row holds a ruleset with its colours as numbers; kernels read nothing else."""


def circle(colour: str) -> int:
    """The ring square of a colour's start circle."""
    return SIDE * COLOURS.index(colour) + CIRCLE_OFFSET


def square(colour: str, place: int) -> int:
    """The ring square 0..59 of a colour's ring place 1..60."""
    return (circle(colour) + place - 1) % RING


def place_on(colour: str, ring_square: int) -> int:
    """The place 1..60 of a ring square on a colour's path."""
    return (ring_square - circle(colour)) % RING + 1


def place_value(colour: str, place: int) -> str | int:
    """A place as positions write it: "start", a ring square 0..59, "safe 1".."safe 5" or "home"."""
    if CIRCLE <= place <= DIAMOND:
        return square(colour, place)
    return {START: "start", HOME: "home"}.get(place) or f"safe {place - SAFE}"


def place_number(colour: str, value: object) -> int | None:
    """The place that a position's entry means; None if it means none."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return place_on(colour, int(value)) if 0 <= value < RING else None
    named = {"start": START, "home": HOME} | {f"safe {k}": SAFE + k for k in range(1, HOME - SAFE)}
    return named.get(value) if isinstance(value, str) else None


def slide_squares(side: int, slide: int) -> list[int]:
    """The ring squares of one of a side's two slides, first to last."""
    offset, length = SLIDES[slide]
    return [(SIDE * side + offset + k) % RING for k in range(length)]


def path_table(ruleset: SorryRules) -> npt.NDArray[np.uint16]:
    """(PLACES, STRIDES) uint16: where a stride from a place ends, before any slide; NOWHERE if it cannot be made."""
    path = np.full((PLACES, STRIDES), NOWHERE, np.uint16)
    path[START, OUT] = CIRCLE
    for place in range(CIRCLE, HOME):
        for steps in range(1, 13):
            path[place, steps] = _forward(place, steps)
            if ruleset.bypass_entry and place <= ENTRY < place + steps:
                path[place, ROUND + steps] = around(place, steps)
        for steps, stride in BACK.items():
            path[place, stride] = _backward(place, steps)
    if ruleset.tokens:
        path[: DIAMOND + 1, JUMP] = [NOWHERE, *(_next_corner(place) for place in range(CIRCLE, DIAMOND + 1))]
        path[:HOME, TO_HOME] = HOME
    return path


def _forward(place: int, steps: int) -> int:
    """Turning in at the own entry (S12, S13); from the diamond square all the way round."""
    if place == DIAMOND:
        return steps
    end = place + steps
    if place <= ENTRY < end:
        end += 1  # the diamond square is no part of the way in
    return end if end <= HOME else NOWHERE


def around(place: int, steps: int) -> int:
    """Past the own entry: the diamond square, the circle, another lap."""
    return (place + steps - 1) % RING + 1


def _next_corner(place: int) -> int:
    """The next fire space strictly ahead; none past the own entry, though there is one from the diamond square (F5)."""
    corners = sorted(place_on(COLOURS[0], corner) for corner in CORNERS)  # the same for every colour
    ahead = [corner for corner in corners if place == DIAMOND or corner > place]
    return ahead[0] if ahead else NOWHERE


def _backward(place: int, steps: int) -> int:
    """Out of the safety zone over the entry (S18); from the circle to the diamond square."""
    end = place - steps
    if place > SAFE:
        return end if end > SAFE else end - 1
    return (end - 1) % RING + 1


def slide_table(ruleset: SorryRules) -> npt.NDArray[np.uint16]:
    """(PLACES + 1,) uint16: where a pawn that stops at a place ends: after a foreign slide, or there."""
    slides = np.arange(NOWHERE + 1, dtype=np.uint16)
    for side in range(1, 1 if ruleset.turbo else SEATS):  # seen from colour 0, whose own slides do nothing
        for which in range(len(SLIDES)):
            squares = slide_squares(side, which)
            slides[place_on(COLOURS[0], squares[0])] = place_on(COLOURS[0], squares[-1])
    return slides


def push_table(ruleset: SorryRules) -> npt.NDArray[np.uint16]:
    """(PLACES + 1,) uint16: where a pawn on a turbo square is pushed to: the next one, or Home; 0 elsewhere (M2)."""
    pushes = np.zeros(NOWHERE + 1, np.uint16)
    if ruleset.turbo:
        squares = sorted(place_on(COLOURS[0], SIDE * side + offset) for side in range(SEATS) for offset in TURBO)
        pushes[squares] = [*squares[1:], HOME]
    return pushes


def shift_table(colours: Sequence[str]) -> npt.NDArray[np.uint16]:
    """(SEATS, SEATS) uint16: added to a ring place of seat i it gives seat j's place, less RING where it passes it."""
    shift = np.zeros((SEATS, SEATS), np.uint16)
    for i, one in enumerate(colours):
        for j, other in enumerate(colours):
            shift[i, j] = (circle(one) - circle(other)) % RING
    return shift
