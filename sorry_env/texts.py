"""Actions as text for people, and why an action is not allowed. Games word their own."""

from typing import TYPE_CHECKING

from sorry_env.errors import suggestion
from sorry_env.verbs import CHANCE, States

if TYPE_CHECKING:  # a variant is built on what games bring, and these words are part of it
    from sorry_env.variant import Variant


class Texts:
    """Words for the actions of one position.

    Attributes:
        game: the variant.
        states: (1,) STATE, which is not changed.
        seat: that is to move, and `colour`, the one that it plays.
        due: what is due.
        legal: the ids of the legal actions.
    """

    def __init__(self, game: "Variant", states: States) -> None:
        """Look at (1,) STATE."""
        self.game, self.states = game, states
        self.seat, self.due = int(states[0]["seat"]), int(states[0]["due"])
        self.colour = game.colours[self.seat]
        self.legal: list[int] = game.legal_ids(states)

    def text(self, action: int) -> str:
        """An action in words, different from those of all other legal ones."""
        return str(self.game.actions[action])

    def parse(self, text: str) -> int | None:
        """The legal action that reads like this; None if there is none."""
        wanted = " ".join(text.split())
        return next((action for action in self.legal if self.text(action) == wanted), None)

    def why_illegal(self, action: int) -> str:
        """Why an action is not allowed, as a sentence; empty if it is allowed."""
        if self.states[0]["over"]:
            return "The game is over."
        if not 0 <= action < self.game.num_actions:
            return f"There is no action {action}: they are numbered 0 to {self.game.num_actions - 1}."
        return self.why_not_yet() or ("" if action in self.legal else self.why(action))

    def why(self, action: int) -> str:
        """Why an action of the table is not allowed where a seat has to decide."""
        return f"The position does not allow it: {self.game.actions[action]}."

    def why_not_yet(self) -> str:
        """Why nobody can act while chance is due; empty if it is not."""
        return "Chance is due first." if self.due >= CHANCE else ""

    def why_unknown(self, text: str) -> str:
        """Why a text that `parse` does not know is not a legal action."""
        known = [self.text(action) for action in self.legal]
        return f"{text!r} is not a legal action of {self.colour}; {suggestion(text, known)}"
