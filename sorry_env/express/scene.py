"""Drawings of Sorry! Express: what there is to see of a state, as lines of text and as SVG."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from sorry_env.express.board import PAWNS, ROLL
from sorry_env.express.position import dice_of
from sorry_env.render.svg_parts import (
    DARK,
    FRAME,
    GLOW,
    LINE,
    PAINTS,
    PALE,
    PAPER,
    SANS,
    SERIF,
    SQUARE,
    TABLE,
    Paint,
    box,
    disc,
    fitting,
    polygon,
    tag,
    text,
)
from sorry_env.rulesets import COLOURS
from sorry_env.verbs import States

if TYPE_CHECKING:
    from sorry_env.variant import Variant

Point = tuple[float, float]


@dataclass(frozen=True)
class Base:
    """A player's base."""

    seat: str
    shown: str
    home: int
    """Pawns in the Home section, all of the colour shown."""
    waiting: tuple[str, ...]
    """The colours of the pawns in the waiting area, in the order of the board."""


@dataclass(frozen=True)
class Scene:
    """One position."""

    ruleset: str
    bases: tuple[Base, ...]
    start: tuple[int, ...]
    """Pawns on the start base, by colour."""
    dice: tuple[str, ...]
    """Those that have still to be resolved."""
    turn: int
    to_move: str | None
    """Who has to act, which may be to roll; None when the game is over."""
    duty: str
    winners: tuple[str, ...]

    @property
    def status(self) -> str:
        """What is going on, as in `red to move`."""
        if self.to_move is not None:
            return f"{self.to_move} {self.duty}"
        return f"{self.winners[0]} wins" if self.winners else "no winner (turn limit)"

    @property
    def title(self) -> str:
        """One line for a caption."""
        dice = f", dice {', '.join(self.dice)}" if self.dice else ""
        return f"Sorry! {self.ruleset}, turn {self.turn}: {self.status}{dice}"

    @property
    def description(self) -> str:
        """Where everything is, in words, for those who cannot see the picture."""
        bases = (f"{b.seat} shows {b.shown}: {b.home} Home, waiting {_counted(b.waiting)}" for b in self.bases)
        start = ", ".join(f"{count} {colour}" for colour, count in zip(COLOURS, self.start, strict=True))
        return "; ".join([f"start base: {start}", *bases])


def _counted(waiting: tuple[str, ...]) -> str:
    return ", ".join(f"{waiting.count(c)} {c}" for c in COLOURS if c in waiting) or "nothing"


def scene(game: "Variant", states: States, i: int = 0) -> Scene:
    """The scene of state i of (N,) STATE."""
    s = states[i]
    over = bool(s["over"])
    bases = []
    for seat, colour in enumerate(game.colours):
        held, shown = s["held"][seat], int(s["shown"][seat])
        waiting = (c for k, c in enumerate(COLOURS) if k != shown for _ in range(int(held[k])))
        bases.append(Base(colour, COLOURS[shown], int(held[shown]), tuple(waiting)))
    return Scene(
        ruleset=str(game.ruleset),
        bases=tuple(bases),
        start=tuple(int(count) for count in s["start_base"]),
        dice=tuple(dice_of(s)),
        turn=int(s["turns"]),
        to_move=None if over else game.colours[int(s["seat"])],
        duty="to roll" if s["due"] == ROLL else "to move",
        winners=tuple(c for seat, c in enumerate(game.colours) if int(s["winners"]) >> seat & 1),
    )


# --- text

INKS = {"red": "1;97;41", "blue": "1;97;44", "yellow": "1;30;43", "green": "1;30;42"}


def ansi(game: "Variant", states: States, colour: bool = True) -> str:
    """(1,) STATE as lines of text: a letter is a pawn, a point a place for one, `>` marks who is to move.

    Args:
        game: the variant.
        states: (1,) STATE.
        colour: whether to colour with the terminal's escape sequences; the text is the same without.
    """
    picture = scene(game, states)
    dice = [_inked(f"[{face}]", face, colour) for face in picture.dice] or ["none left"]
    lines = [
        f"{picture.ruleset}, turn {picture.turn}",
        "",
        f"start base  {'   '.join(_row(c, n, colour) for c, n in zip(COLOURS, picture.start, strict=True))}",
        f"dice        {' '.join(dice)}",
        "",
        *(_base_line(picture, base, colour) for base in picture.bases),
        "",
        picture.status,
    ]
    return "\n".join(lines)


def _base_line(picture: Scene, base: Base, colour: bool) -> str:
    sign = ">" if base.seat == picture.to_move else "*" if base.seat in picture.winners else " "
    name = _inked(base.seat, base.seat, colour) + " " * (6 - len(base.seat))
    shown = _inked(base.shown, base.shown, colour) + " " * (6 - len(base.shown))
    waiting = " ".join(_inked(c[0].upper(), c, colour) for c in base.waiting) or "-"
    return f"{sign} {name}  shows {shown}  home {_row(base.shown, base.home, colour)}  waiting {waiting}"


def _row(pawns: str, count: int, colour: bool) -> str:
    """Places for four pawns of a colour."""
    return " ".join([_inked(pawns[0].upper(), pawns, colour)] * count + ["."] * (PAWNS - count))


def _inked(words: str, ink: str, colour: bool) -> str:
    return f"\x1b[{INKS[ink]}m{words}\x1b[0m" if colour and ink in INKS else words


# --- SVG

SPAN = 17.0
"""Units of the picture's width; its height is the same."""
CENTRES: dict[str, Point] = {"red": (8.5, 2.85), "blue": (13.9, 8.5), "yellow": (8.5, 14.15), "green": (3.1, 8.5)}
"""The middles of the bases: red's above, and the others follow clockwise."""
WIDTH, HEIGHT = 5.0, 4.5
MIDDLE: Point = (8.5, 7.85)
"""Of the start base."""
DICE_AT: Point = (8.5, 11.05)


def svg(game: "Variant", states: States, size: int = 720) -> str:
    """(1,) STATE as a self-contained SVG text, `size` pixels wide and high."""
    picture = scene(game, states)
    middle = SPAN / 2
    parts = [
        tag("title", escape(picture.title)),
        tag("desc", escape(picture.description)),
        box((middle, middle), SPAN, SPAN, rx=0.7, fill=FRAME),
        box((middle, middle), SPAN - 0.7, SPAN - 0.7, rx=0.4, fill=TABLE),
        *_words(picture),
        *_start_base(picture),
        *_dice(picture),
        *(part for base in picture.bases for part in _base(picture, base)),
    ]
    return tag(
        "svg",
        "\n" + "\n".join(parts) + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {SPAN:g} {SPAN:g}",
        width=size,
        height=size,
        role="img",
        font_family=SANS,
        text_anchor="middle",
    )


def _words(picture: Scene) -> Iterator[str]:
    """The game's name, and what is going on, in corners that no base needs."""
    name = {"fill": PAINTS["red"].fill, "font_weight": "bold", "font_style": "italic", "font_family": SERIF}
    yield text("Sorry!", (3.1, 2.1), 1.45, **name)
    yield text("Express", (3.1, 3.45), 0.95, **name)
    at = (13.9, 2.1)
    paint = PAINTS[picture.to_move or "".join(picture.winners[:1]) or "blue"]
    yield box(at, 4.6, 1.05, rx=0.52, fill=paint.fill, stroke=PAPER, stroke_width=0.09)
    yield text(picture.status, at, fitting(picture.status, 4, 0.56), fill=paint.ink, font_weight="bold")
    note = f"{picture.ruleset} · turn {picture.turn}"
    yield text(note, (13.9, 3.2), fitting(note, 4.4, 0.42), fill=DARK)


def _start_base(picture: Scene) -> Iterator[str]:
    """Four fields in the middle, each with places for the four pawns of its colour."""
    yield box(MIDDLE, 4.8, 5, rx=0.5, fill=PAPER, stroke=LINE, stroke_width=0.06)
    yield text("START", (MIDDLE[0], MIDDLE[1] - 2.14), 0.36, fill=LINE, font_weight="bold")
    for k, (colour, count) in enumerate(zip(COLOURS, picture.start, strict=True)):
        x, y = MIDDLE[0] + (-1.08, 1.08, 1.08, -1.08)[k], MIDDLE[1] + 0.22 + (-1.06, -1.06, 1.06, 1.06)[k]
        yield box((x, y), 2, 1.96, rx=0.3, fill=PAINTS[colour].fill, opacity=0.25)
        for n in range(PAWNS):
            yield from _place(colour, (x + 0.9 * (n % 2 - 0.5), y + 0.9 * (n // 2 - 0.5)), n < count)


def _dice(picture: Scene) -> Iterator[str]:
    for k, face in enumerate(picture.dice):
        yield from _die(face, (DICE_AT[0] + 1.3 * (k - (len(picture.dice) - 1) / 2), DICE_AT[1]))


def _die(face: str, at: Point) -> Iterator[str]:
    """A coloured pawn, a word for Sorry!, a pawn of four colours for wild, two arrows for slide."""
    x, y = at
    yield box(at, 1.1, 1.1, rx=0.22, fill=PAPER, stroke=DARK, stroke_width=0.06)
    if face in PAINTS:
        yield disc(at, 0.34, fill=PAINTS[face].fill, stroke=PAINTS[face].edge, stroke_width=0.06)
    elif face == "sorry":
        yield text("Sorry!", at, 0.27, fill=PAINTS["red"].fill, font_weight="bold")
    elif face == "wild":
        yield from _quarters(at, 0.36)
    else:
        for side in (-1, 1):
            head = [(0.38, 0.0), (0.1, -0.17), (0.1, -0.06), (-0.36, -0.06), (-0.36, 0.06), (0.1, 0.06), (0.1, 0.17)]
            yield polygon([(x + side * dx, y + side * (dy - 0.17)) for dx, dy in head], fill=DARK)


def _quarters(at: Point, radius: float) -> Iterator[str]:
    """A disc of the four colours."""
    x, y = at
    ends = [(0, -radius), (radius, 0), (0, radius), (-radius, 0)]
    for k, colour in enumerate(COLOURS):
        (ax, ay), (bx, by) = ends[k], ends[(k + 1) % 4]
        path = f"M{x:g} {y:g}L{x + ax:.4g} {y + ay:.4g}A{radius} {radius} 0 0 1 {x + bx:.4g} {y + by:.4g}Z"
        yield tag("path", d=path, fill=PAINTS[colour].fill)
    yield disc(at, radius, fill="none", stroke=DARK, stroke_width=0.05)


def _base(picture: Scene, base: Base) -> Iterator[str]:
    """Who it belongs to, its Home section in the colour shown, and the waiting area below."""
    x, y = CENTRES[base.seat]
    paint, moves = PAINTS[base.shown], base.seat in (picture.to_move, *picture.winners)
    rim = {"stroke": GLOW if moves else LINE, "stroke_width": 0.16 if moves else 0.06}
    yield box((x, y), WIDTH, HEIGHT, rx=0.4, fill=SQUARE, **rim)
    yield from _name(base.seat, (x, y - 1.78))
    yield box((x, y - 0.72), WIDTH - 0.4, 1.3, rx=0.3, fill=paint.fill, stroke=paint.edge, stroke_width=0.06)
    for n in range(PAWNS):
        yield from _place(base.shown, (x + 1.08 * (n - 1.5), y - 0.68), n < base.home)
    yield text("HOME", (x, y - 1.2), 0.24, fill=paint.ink, font_weight="bold")
    yield text("waiting", (x, y + 0.25), 0.3, fill=LINE)
    for n, colour in enumerate(base.waiting):
        yield from _pawn(colour, (x + 0.79 * (n % 6 - 2.5), y + 0.83 + 0.83 * (n // 6)))


def _name(seat: str, at: Point) -> Iterator[str]:
    paint: Paint = PAINTS[seat]
    yield disc((at[0] - 0.19 * len(seat) - 0.4, at[1]), 0.2, fill=paint.fill, stroke=paint.edge, stroke_width=0.05)
    yield text(seat, at, 0.52, fill=DARK, font_weight="bold")


def _place(colour: str, at: Point, taken: bool) -> Iterator[str]:
    """A pawn, or where one would stand."""
    if taken:
        yield from _pawn(colour, at)
    else:
        yield disc(at, 0.3, fill=PAPER, stroke=PALE, stroke_width=0.05, opacity=0.6)


def _pawn(colour: str, at: Point) -> Iterator[str]:
    paint = PAINTS[colour]
    yield disc(at, 0.38, fill=PAPER, stroke=DARK, stroke_width=0.05)
    yield disc(at, 0.31, fill=paint.fill, stroke=paint.edge, stroke_width=0.05)
    yield text(colour[0].upper(), at, 0.38, fill=paint.ink, font_weight="bold")
