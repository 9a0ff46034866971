"""Actions of Parcheesi as text for people, as in `3: red 30>33 captures blue`, and why an action is not allowed."""

from typing import Any

from sorry_env.parcheesi.actions import Action
from sorry_env.parcheesi.board import (
    AMOUNTS,
    DECLINE,
    ENTER,
    ENTER_BOTH,
    ENTRY,
    FACES,
    FIVE,
    HOME,
    MOVE,
    NEST,
    NONE,
    NOWHERE,
    PASS,
    PIECES,
    REWARD,
    ROW,
    place_value,
)
from sorry_env.parcheesi.engine.legal import (
    entering_action,
    is_open,
    jumps,
    look_around,
    may_join,
    measure,
)
from sorry_env.parcheesi.engine.turns import play
from sorry_env.parcheesi.state import dice_left, room
from sorry_env.texts import Texts
from sorry_env.verbs import CHANCE, States


class ParcheesiTexts(Texts):
    """Words for the actions of one position."""

    def __init__(self, game: Any, states: States) -> None:
        """Look at (1,) STATE, and around from where the mover's pieces stand."""
        super().__init__(game, states)
        self.s, self.r = states[0], game.rules[0]
        self.around: Any = room(states)[0]
        look_around(self.s, self.r, self.seat, self.around)
        passed = self.around["own_walls"] if jumps(self.s, self.r) else self.around["all_walls"]
        measure(self.s, self.r, self.seat, self.around, passed)

    def text(self, action: int) -> str:
        """A legal action in words: the die, the piece from > to, ` captures blue`."""
        row = self.game.actions[action]
        if row.kind == PASS:
            return "pass"
        if row.kind == DECLINE:
            return f"{row.steps}: decline"
        if row.kind == MOVE:
            start, head = self._place(row.piece), str(row.steps)
            end = int(self.r["ends"][row.past, start, AMOUNTS.index(row.steps)])
        else:
            start, end = NEST, ENTRY
            head = str(FIVE) if row.kind == ENTER else "+".join(map(str, self.s["rolled"]))
        words = f"{head}: {self.colour} {self._word(start)}>{self._word(end)}{self._captured(action)}"
        return words + (self._told_apart(row.piece) if row.kind == MOVE else "")

    def _place(self, piece: int) -> int:
        return int(self.s["pieces"][self.seat, piece])

    def _word(self, place: int) -> str:
        return str(place_value(self.colour, place))

    def _captured(self, action: int) -> str:
        """The colour of the piece that goes to its nest, as ` captures blue`."""
        after = self.states.copy()
        play(after[0], self.r, action)
        for seat, colour in enumerate(self.game.colours):
            before, then = (int((row["pieces"][seat] == NEST).sum()) for row in (self.s, after[0]))
            if seat != self.seat and then > before:
                return f" captures {colour}"
        return ""

    def _told_apart(self, piece: int) -> str:
        """Which of two pieces on a square is meant, where it makes a difference (P7)."""
        place, mark = self._place(piece), self.s["marks"][piece]
        marks = [self.s["marks"][k] for k in range(PIECES) if self._place(k) == place]
        if mark == 0 or marks.count(mark) == len(marks):
            return ""
        mate = next(k for k in range(PIECES) if k != piece and self.s["marks"][k] == mark)
        return f", the one that stood with {self._word(self._place(mate))}"

    def why_not_yet(self) -> str:
        """Why nobody can act while chance is due; empty if it is not."""
        return "The dice have to be rolled first." if self.due >= CHANCE else ""

    def why(self, action: int) -> str:
        """The sentence with the rule's number."""
        row = self.game.actions[action]
        if row.kind == PASS:
            return self._why_no_pass()
        if row.kind == DECLINE or row.steps > FACES:
            return self._why_not_this_reward(row) or self._why_no_move(row)
        if self.due == REWARD:
            return f"All dice are used, and {self.colour} has to take or decline its rewards (P10): {row}."
        if row.kind in (ENTER, ENTER_BOTH):
            return self._why_no_entry(row)
        if row.steps not in dice_left(self.s):
            return f"No {row.steps} is left of the roll; left are {dice_left(self.s)} (P2)."
        if entering_action(self.s, self.around) != NONE:
            return f"A {self.colour} piece can leave the nest, and while one can nothing else is allowed (P3)."
        return self._why_no_move(row)

    def _why_no_pass(self) -> str:
        if self.due == REWARD:
            return "A reward is taken or declined, one at a time (P10)."
        are = "is 1 way" if len(self.legal) == 1 else f"are {len(self.legal)} ways"
        return f"Passing is not allowed: a die that can be used must be (P2), and there {are} to use one."

    def _why_not_this_reward(self, row: Action) -> str:
        if self.due != REWARD:
            return f"Rewards are taken after all dice, and {dice_left(self.s)} are left (P10)."
        left = self.s["tens"] if row.steps == REWARDS[0] else self.s["twenties"]
        return "" if left else f"{self.colour} has no reward of {row.steps} to take (P10)."

    def _why_no_entry(self, row: Action) -> str:
        """Why no piece enters (P3)."""
        if self._place(0) != NEST:
            return f"No {self.colour} piece is in the nest (P3)."
        dice = dice_left(self.s)
        if row.kind == ENTER and FIVE not in dice:
            return f"A piece leaves the nest with a 5, and {dice} are left (P3)."
        if row.kind == ENTER_BOTH and (len(dice) != 2 or sum(dice) != FIVE):
            return f"Both dice bring a piece out while both are unused and their total is 5; left are {dice} (P3)."
        return f"A blockade stands on {self.colour}'s entry square {self._word(ENTRY)} (P6)."

    def _why_no_move(self, row: Action) -> str:
        """Why a piece cannot go that far."""
        place = self._place(row.piece)
        if place in (NEST, HOME):
            return self._why_not_out(place)
        who = f"The {self.colour} piece on {self._word(place)}"
        end = int(self.r["ends"][row.past, place, AMOUNTS.index(row.steps)])
        if end == NOWHERE and row.past:
            return f"{who} does not get past its turn-off with {row.steps} (P11)."
        if end == NOWHERE:
            return f"{who} has {int(self.r['left'][place])} steps left, and Home is reached by exact count only (P13)."
        if row.steps >= self.around["free"][row.past, row.piece]:
            return f"{who} meets a blockade, which nobody lands on or passes (P6)."
        return self._why_no_landing(who, row.piece, end) or (
            f"{who} and the other one there are equal: the lower number stands for both."
        )

    def _why_not_out(self, place: int) -> str:
        if place == HOME:
            return f"A {self.colour} piece that is Home stays there (P13)."
        return f"A {self.colour} piece in the nest comes out with a 5 or a total of 5 and by nothing else (P3, P10)."

    def _why_no_landing(self, who: str, piece: int, end: int) -> str:
        """Why a piece cannot stop where the way is free."""
        if not may_join(self.s, self.seat, piece, end):
            return f"{who} stood together with the piece on {self._word(end)} at the throw (P7)."
        if is_open(self.around, end):
            return ""
        if end <= ROW and self.r["safe"][end]:
            return f"{who} would land on the safe square {self._word(end)}, where a foreign piece stands (P5)."
        return f"{who} would land on a blockade, which it may only pass over (P12)."


REWARDS = AMOUNTS[FACES:]


def block_words(row: Action) -> tuple[str, str]:
    """What an action uses, and how, without the piece."""
    head = {PASS: "dice that cannot be used", ENTER: str(FIVE), ENTER_BOTH: "total of 5"}.get(row.kind, str(row.steps))
    moves = ("a piece, turning in at the home row", "a piece, past the home row")
    move = {PASS: "pass", ENTER: "enter", ENTER_BOTH: "enter", DECLINE: "decline"}.get(row.kind, moves[row.past])
    return head, move
