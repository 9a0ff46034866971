"""The actions of a game: what to do with one of the dice, numbered 0..A-1 in table order.

A block for each face: the four colours, slide, sorry, wild. Within a block
    a colour   take one from the start base, from the waiting area of each other seat; pass,
    slide      turn the own base, then each other seat's; pass,
    sorry      take a Home pawn of each other seat; pass,
    wild       take one of each colour from the start base, then from each other seat's waiting area; pass.
Pass leaves a die unused, by choice or because it cannot be used (E5).
Other seats are numbered from the mover, 1 the next, and colours clockwise from the one that the mover's base shows: 0
is that of its Home section.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sorry_env.express.board import (
    FACES,
    FROM_HOME,
    FROM_START,
    FROM_WAITING,
    PASS,
    SLIDE,
    SORRY,
    TURN,
    WILD,
)
from sorry_env.rulesets import COLOURS
from sorry_env.tables import ActionTable
from sorry_env.verbs import Rules


@dataclass(frozen=True)
class Action:
    """One row of the table. Fields that a kind does not use are 0."""

    face: int
    """The die: a colour counted from the mover's, or SLIDE, SORRY or WILD."""
    kind: int
    seat: int = 0
    """The seat from which a pawn is taken or whose base is turned, counted from the mover; 0 the mover's own base."""
    colour: int = 0
    """What is taken or shown then, counted from the mover's colour. Sorry! takes what its victim shows."""

    def __str__(self) -> str:
        """As text, as in `colour+1: from start` or `wild: colour+0 from seat+2`."""
        return f"{face_text(self.face)}: {self._move()}"

    def _move(self) -> str:
        what = f"{face_text(self.colour)} " if self.face == WILD else ""
        return {
            FROM_START: f"{what}from start",
            FROM_WAITING: f"{what}from seat+{self.seat}",
            FROM_HOME: f"from seat+{self.seat}",
            TURN: f"{f'seat+{self.seat}' if self.seat else 'own base'} to {face_text(self.colour)}",
            PASS: "pass",
        }[self.kind]


def face_text(face: int) -> str:
    """A face or colour, the colours counted from the mover's."""
    return f"colour+{face}" if face < len(COLOURS) else FACES[face]


class ExpressActions(ActionTable[Action]):
    """The actions of a seat count."""

    def __init__(self, seats: int) -> None:
        """List what may be done with each face."""
        super().__init__([action for face in range(len(FACES)) for action in _block(face, seats)])

    def write(self, rules: Rules) -> None:
        """Put the table into a RULES row, a column a field, and where each face's block begins."""
        for k, action in enumerate(self.rows):
            for column in ("kind", "face", "seat", "colour"):
                rules[column][0, k] = getattr(action, column)
        for face in range(len(FACES)):
            rules["first"][0, face] = next(k for k, action in enumerate(self.rows) if action.face == face)


def _block(face: int, seats: int) -> Iterator[Action]:
    """The actions of one face; `engine.legal` counts on their order."""
    others, colours = range(1, seats), range(len(COLOURS))
    if face == SLIDE:
        yield from (Action(face, TURN, 0, colour) for colour in colours if colour)
        yield from (Action(face, TURN, seat, colour) for seat in others for colour in colours)
    elif face == SORRY:
        yield from (Action(face, FROM_HOME, seat) for seat in others)
    else:
        for colour in colours if face == WILD else (face,):
            yield Action(face, FROM_START, 0, colour)
        for seat in others:
            for colour in colours if face == WILD else (face,):
                yield Action(face, FROM_WAITING, seat, colour)
    yield Action(face, PASS)


@lru_cache
def action_table(seats: int) -> ExpressActions:
    """The table of a seat count; the same object each time."""
    return ExpressActions(seats)
