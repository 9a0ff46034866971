"""Actions as text for people, as in `7: red 18>23, red 14>19 slide`, and why an action is not allowed."""

from sorry_env import board
from sorry_env.actions import Action, stride_text
from sorry_env.board import DIAMOND, HOME, MOVE, NOWHERE, OUT, PASS, ROUND, SAFE, START, SWAP
from sorry_env.engine.moves import advance, on_ring, own_pawn_at, reach, replace, swap
from sorry_env.position import place_value
from sorry_env.rulesets import CARDS
from sorry_env.state import NO_CARD, States
from sorry_env.variant import Variant


class ActionTexts:
    """Words for the actions of one position."""

    def __init__(self, game: Variant, states: States) -> None:
        """Look at (1,) STATE, which is not changed."""
        self.game, self.states = game, states
        self.seat = int(states[0]["seat"])
        self.colour = game.colours[self.seat]
        self.legal: list[int] = game.legal_ids(states)

    def text(self, action: int) -> str:
        """An action in words, a part for each pawn that it moves: from > where it ends, ` slide`, ` bumps blue`."""
        row = self.game.actions[action]
        if row.kind == PASS:
            return f"{row.card}: pass"
        board_after = self.states.copy()
        if row.kind == MOVE:
            steps = [(row.pawn, row.stride)] + ([(row.pawn2, row.stride2)] if row.stride2 else [])
            return f"{row.card}: " + ", ".join(self._part(board_after, *step) for step in steps)
        return f"{row.card}: " + (self._swap if row.kind == SWAP else self._sorry)(board_after, row)

    def _part(self, after: States, pawn: int, stride: int) -> str:
        """Play one pawn's part on a copy and tell it."""
        before = after.copy()
        start = int(before[0]["pawns"][self.seat, pawn])
        stop = int(self.game.rules["path"][0, start, stride])
        advance(after[0], self.game.rules[0], self.seat, pawn, stride)
        return self._went(self.seat, start, stop, int(after[0]["pawns"][self.seat, pawn])) + self._bumped(before, after)

    def _swap(self, after: States, row: Action) -> str:
        other = (self.seat + row.seat) % self.game.seats
        start, start2 = self._place(self.seat, row.pawn), self._place(other, row.target)
        swap(after[0], self.game.rules[0], self.seat, row.pawn, other, row.target)
        mine = self._went(self.seat, start, self._seen(other, start2, self.seat), _at(after, self.seat, row.pawn))
        stop2 = self._seen(self.seat, start, other)
        theirs = self._went(other, start2, stop2, _at(after, other, row.target))
        swapped = {(self.seat, row.pawn), (other, row.target)}
        return f"{mine}, {theirs}" + self._bumped(self.states, after, swapped)

    def _sorry(self, after: States, row: Action) -> str:
        other = (self.seat + row.seat) % self.game.seats
        stop = self._seen(other, self._place(other, row.target), self.seat)
        replace(after[0], self.game.rules[0], self.seat, 0, other, row.target)
        return self._went(self.seat, START, stop, _at(after, self.seat, 0)) + self._bumped(self.states, after)

    def _place(self, seat: int, pawn: int) -> int:
        return _at(self.states, seat, pawn)

    def _seen(self, owner: int, place: int, viewer: int) -> int:
        colours = self.game.colours
        return board.place_on(colours[viewer], board.square(colours[owner], place))

    def _went(self, seat: int, start: int, stop: int, end: int) -> str:
        colour = self.game.colours[seat]
        slid = " slide" if end not in (stop, START) else ""
        return f"{colour} {place_word(colour, start)}>{place_word(colour, end)}{slid}"

    def _bumped(self, before: States, after: States, but: set[tuple[int, int]] | None = None) -> str:
        """The colours of the pawns that went to Start, clockwise from the mover's, as ` bumps blue`."""
        gone = []
        for k in range(self.game.seats):
            seat = (self.seat + k) % self.game.seats
            for pawn in range(self.game.ruleset.pawns):
                moved = _at(before, seat, pawn) != START and _at(after, seat, pawn) == START
                if moved and (seat, pawn) not in (but or ()):
                    gone.append(self.game.colours[seat])
        return f" bumps {' '.join(gone)}" if gone else ""

    def parse(self, text: str) -> int | None:
        """The legal action that a text means; a split may be told in either of two orders that are one move."""
        wanted = " ".join(text.split())
        for action in self.legal:
            if self.text(action) == wanted:
                return action
        for action in self.legal:
            other = self._other_order(action)
            if other is not None and other not in self.legal and self._plays(other) and self.text(other) == wanted:
                return action
        return None

    def _other_order(self, action: int) -> int | None:
        """The same two parts, the second first."""
        row = self.game.actions[action]
        if not row.stride2:
            return None
        return self.game.actions.id(Action(row.card, MOVE, row.pawn2, row.stride2, row.pawn, row.stride))

    def _plays(self, action: int) -> bool:
        """Whether the parts of a split can be played in its order."""
        return not self._why_split(self.game.actions[action])

    def why_illegal(self, action: int) -> str:
        """Why an action is not allowed, as a sentence with the rule's number; empty if it is allowed."""
        s = self.states[0]
        if s["over"]:
            return "The game is over."
        if not 0 <= action < self.game.num_actions:
            return f"There is no action {action}: they are numbered 0 to {self.game.num_actions - 1}."
        if s["card"] == NO_CARD:
            return "A card has to be drawn first."
        row, card = self.game.actions[action], CARDS[s["card"]]
        if row.card != card:
            return f"The card in play is {card!r}, and this action needs {row.card!r}: {row}."
        return "" if action in self.legal else self._why(action, row)

    def _why(self, action: int, row: Action) -> str:
        if row.kind == PASS:
            ways = f"{len(self.legal)} way{'s' if len(self.legal) > 1 else ''}"
            rule = "a pawn can go eleven forward (S23)" if row.card == "11" else "a card that can be used must be (S5)"
            return (
                f"Passing is not allowed: {rule}, and there {'are' if len(self.legal) > 1 else 'is'} {ways} to use it."
            )
        if row.kind == MOVE:
            return self._why_split(row) or self._same_as(action)
        return self._why_against(row)

    def _same_as(self, action: int) -> str:
        lower = self._other_order(action)
        return (
            f"It is the same move as action {lower}, with its parts in the other order (S21): {self.text(lower or 0)}."
        )

    def _why_split(self, row: Action) -> str:
        """Why a part of a move cannot be made, on the board that the part before it leaves; empty if all can."""
        after = self.states.copy()
        reason = self._why_part(after, row.pawn, row.stride)
        if reason or not row.stride2:
            return reason
        advance(after[0], self.game.rules[0], self.seat, row.pawn, row.stride)
        if _at(after, self.seat, row.pawn2) == START != self._place(self.seat, row.pawn2):
            return f"The first part of the split sends the {self.colour} pawn of the second part to Start (S21)."
        reason = self._why_part(after, row.pawn2, row.stride2)
        return f"After the first part of the split: {reason}" if reason else ""

    def _why_part(self, states: States, pawn: int, stride: int) -> str:
        s, rules = states[0], self.game.rules
        if reach(s, rules[0], self.seat, pawn, stride) != NOWHERE:
            return ""
        place = _at(states, self.seat, pawn)
        who = f"The {self.colour} pawn on {place_word(self.colour, place)}"
        stop = int(rules["path"][0, place, stride])
        if stop != NOWHERE and own_pawn_at(s, self.seat, stop):
            return f"{who} would stop on an own pawn, on {place_word(self.colour, stop)} (S10)."
        if stride == OUT:
            return f"No {self.colour} pawn is in Start (S7)."
        if place == START:
            return (
                f"A {self.colour} pawn in Start does not move {stride_text(stride)}; 1, 2 and Sorry! bring it out (S7)."
            )
        if place == HOME:
            return f"A {self.colour} pawn that is Home stays there (S11)."
        if stride > ROUND:
            return f"{who} does not pass its entry with {stride_text(stride)} (S12)."
        return f"{who} has {_left(place)} steps left, and Home is reached by exact count only (S11)."

    def _why_against(self, row: Action) -> str:
        """Why a swap or a Sorry! cannot be made."""
        other = (self.seat + row.seat) % self.game.seats
        mine, theirs = self._place(self.seat, row.pawn), self._place(other, row.target)
        if row.kind == SWAP and not on_ring(mine):
            where = place_word(self.colour, mine)
            return f"The {self.colour} pawn on {where} is not on the ring, and cannot be swapped (S23)."
        if row.kind != SWAP and mine != START:
            return f"No {self.colour} pawn is in Start (S25)."
        enemy = self.game.colours[other]
        rule = "S17, S23" if row.kind == SWAP else "S17, S25"
        return f"The {enemy} pawn on {place_word(enemy, theirs)} is not on the ring, and cannot be taken ({rule})."


def place_word(colour: str, place: int) -> str:
    """A place as texts write it: `start`, a ring square, `safe 1` or `home`."""
    return str(place_value(colour, place))


def _at(states: States, seat: int, pawn: int) -> int:
    return int(states[0]["pawns"][seat, pawn])


def _left(place: int) -> int:
    """Forward steps from a place to Home."""
    if place > SAFE:
        return HOME - place
    return HOME - 1 - place if place < DIAMOND else HOME - 1
