"""Actions as text for people, as in `wild: green from blue to waiting`, and why an action is not allowed."""

from typing import TYPE_CHECKING

from sorry_env.errors import suggestion
from sorry_env.express.actions import Action
from sorry_env.express.board import FACES, FROM_HOME, FROM_START, FROM_WAITING, PASS, ROLL, SORRY, TURN, WILD
from sorry_env.express.position import dice_of
from sorry_env.rulesets import COLOURS
from sorry_env.texts import Texts
from sorry_env.verbs import States

if TYPE_CHECKING:
    from sorry_env.variant import Variant


class ExpressTexts(Texts):
    """Words for the actions of one position."""

    def __init__(self, game: "Variant", states: States) -> None:
        """Look at (1,) STATE, which is not changed."""
        super().__init__(game, states)
        self.mine = int(states[0]["shown"][self.seat])

    def text(self, action: int) -> str:
        """An action in words: the die, where the pawn comes from and goes to, or which base shows what then."""
        row: Action = self.game.actions[action]
        return f"{self._face(row.face)}: {self._told(row)}"

    def _told(self, row: Action) -> str:
        if row.kind == PASS:
            return "pass"
        other = self._seat_word(row.seat)
        if row.kind == TURN:
            return f"{other} to {self._face(row.colour)}"
        taken = self._taken(row)
        what = f"{taken} " if row.face in (WILD, SORRY) else ""
        to = "home" if taken == COLOURS[self.mine] else "waiting"
        return f"{what}from {'start' if row.kind == FROM_START else other} to {to}"

    def _face(self, face: int) -> str:
        """A face or colour that is counted from the mover's."""
        return COLOURS[(self.mine + face) % len(COLOURS)] if face < len(COLOURS) else FACES[face]

    def _seat(self, seat: int) -> int:
        return (self.seat + seat) % self.game.seats

    def _seat_word(self, seat: int) -> str:
        """The colour of a seat that is counted from the mover."""
        return self.game.colours[self._seat(seat)]

    def _shown(self, seat: int) -> str:
        """What the base of a seat that is counted from the mover shows."""
        return COLOURS[int(self.states[0]["shown"][self._seat(seat)])]

    def _taken(self, row: Action) -> str:
        """The colour of the pawn that an action takes."""
        return self._shown(row.seat) if row.kind == FROM_HOME else self._face(row.colour)

    def why(self, action: int) -> str:
        """Why an action of the table is not allowed where a seat has to decide, with the rule's number."""
        row: Action = self.game.actions[action]
        return self._why_no_die(row) or self._why(row)

    def why_not_yet(self) -> str:
        """Why nobody can act while chance is due; empty if it is not."""
        return "The dice have to be rolled first (E2)." if self.due == ROLL and not self.states[0]["over"] else ""

    def why_unknown(self, text: str) -> str:
        """Why a text that `parse` does not know is not a legal action."""
        wanted = " ".join(text.split())
        for action in range(self.game.num_actions):
            if self.text(action) == wanted:
                return self.why_illegal(action)
        known = [self.text(action) for action in self.legal]
        return f"{text!r} is not a legal action of {self.colour}; {suggestion(text, known)}"

    def _why_no_die(self, row: Action) -> str:
        """Why there is no die for an action."""
        dice = dice_of(self.states[0])
        face = self._face(row.face)
        return "" if face in dice else f"No die shows {face!r}: left are {', '.join(dice)} (E2)."

    def _why(self, row: Action) -> str:
        if row.kind == PASS:
            return self._why_no_pass(row)
        if row.kind == TURN:
            return f"{self._seat_word(row.seat)}'s base shows {self._shown(row.seat)} already (E4)."
        if row.kind == FROM_HOME:
            return f"{self._seat_word(row.seat)} has no pawn in its Home section (E4)."
        return self._why_not_taken(row)

    def _why_no_pass(self, row: Action) -> str:
        if row.face == SORRY:
            return "Sorry! has to be used while another player has a pawn in its Home section (E5)."
        colour = self._face(row.face)
        return f"A die that shows {colour!r} has to be used while the start base has a {colour} pawn (E5)."

    def _why_not_taken(self, row: Action) -> str:
        """Why a pawn cannot be taken from the start base or from a waiting area."""
        rule, colour, other = "E4" if row.face == WILD else "E3", self._face(row.colour), self._seat_word(row.seat)
        left = int(self.states[0]["start_base"][COLOURS.index(colour)])
        if row.kind == FROM_START:
            return f"The start base has no {colour} pawn ({rule})."
        if row.face != WILD and left:
            return f"Waiting areas are open to a colour that the start base has no longer, and it has {colour} (E3)."
        if self._shown(row.seat) == colour:
            return f"{other}'s {colour} pawns are Home, where only Sorry! takes them ({rule})."
        return f"{other} has no {colour} pawn in its waiting area ({rule})."


def move_text(row: Action) -> str:
    """What the actions of one block have in common."""
    return {
        FROM_START: "take one from the start base",
        FROM_WAITING: "take one from another seat's waiting area",
        FROM_HOME: "take a Home pawn of another seat",
        TURN: "turn another seat's base" if row.seat else "turn the own base",
        PASS: "pass",
    }[row.kind]
