"""`Game`: one game, for people, tests and other programmes. The same five verbs as the engine, in words."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sorry_env.errors import IllegalAction, suggestion
from sorry_env.line import Position
from sorry_env.position import from_position, to_line, to_position
from sorry_env.random import generators
from sorry_env.texts import Texts
from sorry_env.variant import Variant, variant
from sorry_env.verbs import CHANCE, States

_VIEW_SEED = 0x564945570A
"""Of a view's own generator."""


class Game:
    """One game of any ruleset.

    A game waits for an action of `to_move`, or for chance (`awaits_chance`), or it is over. `play` plays an action
    and lets chance happen; `after` and `deal` take the two apart. Actions are ids; `text` and `parse` translate.

    Attributes:
        variant: ruleset, seats, action table and features.
        states: (1,) STATE, the game as the engine sees it.
    """

    variant: Variant
    states: States

    def __init__(
        self,
        ruleset: str = "classic",
        seats: int | Sequence[str] = 4,
        first: str | None = None,
        seed: int | None = 0,
        **changes: Any,
    ) -> None:
        """Begin a new game, with the first card dealt.

        Args:
            ruleset: a name in `RULESETS`.
            seats: how many, or the colours in turn order, clockwise.
            first: the colour that begins; None draws one.
            seed: of the game's own generator, which draws the cards; None for a fresh one.
            **changes: fields of `Ruleset` that differ from the named one.

        Raises:
            RulesetError: what is unknown, out of range or contradictory, by name.
        """
        self.variant = variant(ruleset, seats, **changes)
        self.states = self.variant.new_states(1)
        self._rng = generators(seed, 1)
        self._viewer: int | None = None
        self.variant.reset(self.states, self._rng, None if first is None else self.variant.seat_of(first))

    @classmethod
    def from_position(cls, position: Position | str, seed: int | None = 0) -> "Game":
        """A game that goes on from a position dict, or from the line of text that `str(game)` gives.

        Raises:
            InvalidPosition: with every problem that was found.
        """
        return cls.from_states(*from_position(position), seed=seed)

    @classmethod
    def from_states(cls, game: Variant, states: States, seed: int | None = 0) -> "Game":
        """A game that goes on from (1,) STATE of a variant; the row is kept, not copied."""
        new = cls.__new__(cls)
        new.variant, new.states = game, states
        new._rng, new._viewer = generators(seed, 1), None
        return new

    def position(self) -> Position:
        """The position as a dict that JSON can hold; `from_position` takes it back."""
        return to_position(self.variant, self.states)

    def __str__(self) -> str:
        """The position as one line of text; `from_position` takes it back."""
        return to_line(self.position())

    def __repr__(self) -> str:
        """As one would write it."""
        return f"Game.from_position({str(self)!r})"

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or the game was truncated."""
        return bool(self.states[0]["over"])

    @property
    def awaits_chance(self) -> bool:
        """Whether a card has to come, dice or a coin to fall, before anybody can act."""
        return not self.is_over and int(self.states[0]["due"]) >= CHANCE

    @property
    def to_move(self) -> str | None:
        """The colour to move, or whose card is due; None when the game is over."""
        return None if self.is_over else self.variant.colours[self.states[0]["seat"]]

    def returns(self) -> dict[str, float]:
        """Each colour's return: 1 for a win, the losers share -1, or have -1 each in teams; zeros if nobody has won."""
        values = self.variant.returns(self.states)[0]
        return {colour: float(value) for colour, value in zip(self.variant.colours, values, strict=True)}

    def legal(self) -> list[int]:
        """The legal actions of the colour to move, in table order; none while chance is due."""
        if self._viewer is not None and self._viewer != self.states[0]["seat"]:
            return []
        return self.variant.legal_ids(self.states)

    def text(self, action: int) -> str:
        """An action in words, as in `7: red 18>23, red 14>19 slide`.

        Raises:
            IllegalAction: the position does not allow the action; the message says why.
        """
        return self._texts().text(self._checked(action))

    def parse(self, text: str) -> int:
        """The action that `text` put into words; of two orders that are one move, either is understood.

        Raises:
            IllegalAction: no legal action reads like this; the message says why.
        """
        if not isinstance(text, str):
            raise IllegalAction(f"A text is to be parsed, not {type(text).__name__}: legal() gives numbers already.")
        action = self._texts().parse(text) if self.legal() else None
        if action is None:
            raise IllegalAction(self.why_illegal(text))
        return action

    def why_illegal(self, action: int | str) -> str:
        """Why an action, by id or by text, is not allowed, as a sentence; empty if it is."""
        if self._viewer is not None and self._viewer != self.states[0]["seat"] and not self.is_over:
            return f"This is {self.variant.colours[self._viewer]}'s view, and {self.to_move} is to move."
        if isinstance(action, str):
            return self._why_text_illegal(action)
        if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer)):
            return f"An action is a number or a text, not {type(action).__name__}."
        return self._texts().why_illegal(int(action))

    def _why_text_illegal(self, text: str) -> str:
        if self.is_over:
            return "The game is over."
        texts = self._texts()
        if self.awaits_chance:
            return texts.why_not_yet()
        return "" if texts.parse(text) is not None else texts.why_unknown(text)

    def play(self, action: int) -> None:
        """Play an action and let chance happen, with the game's own generator.

        Raises:
            IllegalAction: the position does not allow the action; the message says why. The game does not change.
        """
        self.variant.play(self.states, np.array([self._checked(action)]))
        self.variant.draw(self.states, self._rng)

    def after(self, action: int) -> "Game":
        """A copy just after an action, before any chance.

        Raises:
            IllegalAction: the position does not allow the action; the message says why.
        """
        game = self.copy()
        game.variant.play(game.states, np.array([self._checked(action)]))
        return game

    def chance(self) -> list[tuple[Any, float]]:
        """What may come, with its probability: a card, "yes" or "no" by a coin (N3), or the faces of a roll.

        Empty unless `awaits_chance`. In a game with hands it is the refill of the seat that has just played (H1).
        """
        if not self.awaits_chance:
            return []
        words = self.variant.outcomes(self.states)
        return [(words[number], chance) for number, chance in self.variant.odds(self.states)]

    def deal(self, outcome: Any = None) -> None:
        """Let an outcome of `chance` happen; None lets all that is due happen, with the game's own generator.

        Raises:
            IllegalAction: nothing is due, or the outcome cannot come.
        """
        if not self.awaits_chance:
            raise IllegalAction(
                f"No {self.variant.family.script} is due: " + ("the game is over." if self.is_over else "play first.")
            )
        if outcome is None:
            self.variant.draw(self.states, self._rng)
            return
        number = self.variant.outcome_number(self.states, outcome)
        if number not in dict(self.variant.odds(self.states)):
            known = self.variant.why_no_outcome(self.states, outcome)
            if number is not None:
                known = suggestion(outcome, [name for name, _ in self.chance()])
            raise IllegalAction(f"{outcome!r} cannot come now; {known}")
        self.variant.deal(self.states, number)

    def copy(self) -> "Game":
        """An independent copy, generator included: both would draw the same cards."""
        game = Game.from_states(self.variant, self.states.copy())
        game._rng, game._viewer = self._rng.copy(), self._viewer
        return game

    def view(self, colour: str) -> "Game":
        """A copy that holds what a colour may know, in which only that colour can act.

        Other hands are face down, in `position()` a number of cards, and the pile holds all cards that the colour has
        not seen (H1).

        Raises:
            RulesetError: nobody plays the colour.
        """
        game = self.copy()
        game._viewer = self.variant.seat_of(colour)
        game.states = self.variant.view(game.states, game._viewer)
        game._rng = generators(np.random.SeedSequence(_VIEW_SEED), 1)  # a view cannot peek at the next card
        return game

    def determinize(self, colour: str, seed: int | None = 0) -> "Game":
        """A game that may be the true one, as far as a colour knows: other hands and the pile are dealt anew (H1).

        Raises:
            RulesetError: nobody plays the colour.
        """
        states = self.variant.determinize(self.states, self.variant.seat_of(colour), generators(seed, 1))
        return Game.from_states(self.variant, states, seed)

    def _texts(self) -> Texts:
        return self.variant.family.texts(self.variant, self.states)

    def _checked(self, action: int | str) -> int:
        if isinstance(action, str):
            raise IllegalAction(f"An action is a number; parse({action!r}) gives the number of a text.")
        reason = self.why_illegal(action)
        if reason:
            raise IllegalAction(reason)
        return int(action)
