"""Actions as text for people, as in `7: red 18>23, red 14>19 slide`, and why an action is not allowed."""

from sorry_env.sorry import board
from sorry_env.sorry.actions import FORWARD, SEVEN, SPLIT, Action, stride_text
from sorry_env.sorry.board import (
    ANSWER,
    ASK,
    COIN,
    DIAMOND,
    DRAW,
    GIVE,
    HAND,
    HOME,
    MOVE,
    NOWHERE,
    OUT,
    PASS,
    PAWNS,
    PROMPTS,
    ROUND,
    SAFE,
    SIX,
    SORRY,
    START,
    SWAP,
    THREE,
    TO_PART,
    card_in_play,
    place_value,
)
from sorry_env.sorry.engine.moves import (
    advance,
    holder,
    in_the_way,
    is_frozen,
    on_ring,
    own_pawn_at,
    reach,
    replace,
    seen_from,
    steps_of,
    swap,
)
from sorry_env.sorry.rules import CARDS
from sorry_env.texts import Texts
from sorry_env.variant import Variant
from sorry_env.verbs import States

HEADS = {"jump": "fire", "second": "home"}
"""What the texts of a decision without a card begin with; those of others begin with the card."""
NOTHING = {"jump": "stay", "fire": "leave fire", "second": "none"}
"""What doing nothing is called; elsewhere "pass"."""
PURPOSES = {
    "jump": "is about Fire's jump before the draw (F5)",
    "ice": "moves Ice, with a 1 just drawn (F9)",
    "fire": "moves Fire, with a 2 just drawn (F6)",
    "second": "brings a second pawn Home after Fire's (F7)",
    "ask": "asks an opponent, with a question card just drawn (N2)",
    "answer": "answers a question that was put to the seat (N2)",
    "six": "moves six after the answer yes (N2)",
    "three": "moves three after the answer no (N2)",
    "part": "is a part of a 7 (T7)",
}
"""What the actions of a decision do, to end a sentence."""
DUTIES = {
    "jump": "has to decide first whether Fire jumps (F5)",
    "ice": "has to decide first where Ice goes (F9)",
    "fire": "has to decide first whether Fire moves (F6)",
    "second": "has to decide first whether a second pawn goes Home (F7)",
    "ask": "has to name an opponent first (N2)",
    "answer": "has to answer the question, yes or no (N2)",
    "six": "has to move six (N2)",
    "three": "has to move three (N2)",
    "part": "has to use the rest of the 7 (T7)",
}
"""What whoever is to move has to do."""


class SorryTexts(Texts):
    """Words for the actions of one position."""

    def text(self, action: int) -> str:
        """An action in words, a part for each pawn that it moves: from > where it ends, ` slide`, ` bumps blue`."""
        row = self.game.actions[action]
        return f"{head(row.prompt)}: {self._told(row)}"

    def _told(self, row: Action) -> str:
        if row.kind == PASS:
            return NOTHING.get(row.prompt) or ("discard" if self.game.ruleset.hand_size else "pass")
        if row.kind == MOVE:
            after = self.states.copy()
            steps = [(self._member(row.member), row.pawn, row.stride)]
            steps += [(self._member(row.member2), row.pawn2, row.stride2)] if row.stride2 else []
            return ", ".join(self._part(after, *step) for step in steps)
        if row.kind == SWAP:
            return self._swap(row)
        if row.kind == SORRY:
            return self._sorry(row)
        if row.kind == GIVE:
            seat = self._member(row.seat)
            return f"{row.prompt} to {self._pawn_word(seat, row.target)}"
        if row.kind == ASK:
            return f"ask {self.game.colours[self._member(row.seat)]}"
        return "yes" if row.stride == FORWARD["six"] else "no"

    def _member(self, seat: int) -> int:
        """A seat that is counted from the mover."""
        return (self.seat + seat) % self.game.seats

    def _pawn_word(self, seat: int, pawn: int) -> str:
        colour = self.game.colours[seat]
        return f"{colour} {place_word(colour, self._place(seat, pawn))}"

    def _part(self, after: States, seat: int, pawn: int, stride: int) -> str:
        """Play one pawn's part on a copy and tell it."""
        before = after.copy()
        start = _at(after, seat, pawn)
        stop = int(self.game.rules["path"][0, start, stride])
        advance(after[0], self.game.rules[0], seat, pawn, stride)
        went = self._went(seat, start, stop, _at(after, seat, pawn))
        return went + self._pushed(before, after, seat, pawn, stop) + self._bumped(before, after, {(seat, pawn)})

    def _swap(self, row: Action) -> str:
        after, seat, other = self.states.copy(), self._member(row.member), self._member(row.seat)
        start, start2 = self._place(seat, row.pawn), self._place(other, row.target)
        swap(after[0], self.game.rules[0], seat, row.pawn, other, row.target)
        mine = self._went(seat, start, self._seen(other, start2, seat), _at(after, seat, row.pawn))
        theirs = self._went(other, start2, self._seen(seat, start, other), _at(after, other, row.target))
        swapped = {(seat, row.pawn), (other, row.target)}
        return f"{mine}, {theirs}" + self._bumped(self.states, after, swapped)

    def _sorry(self, row: Action) -> str:
        after, seat, other = self.states.copy(), self._member(row.member), self._member(row.seat)
        stop = self._seen(other, self._place(other, row.target), seat)
        replace(after[0], self.game.rules[0], seat, row.pawn, other, row.target)
        return self._went(seat, START, stop, _at(after, seat, row.pawn)) + self._bumped(self.states, after)

    def _place(self, seat: int, pawn: int) -> int:
        return _at(self.states, seat, pawn)

    def _seen(self, owner: int, place: int, viewer: int) -> int:
        return int(seen_from(self.game.rules[0], owner, place, viewer))

    def _went(self, seat: int, start: int, stop: int, end: int) -> str:
        colour = self.game.colours[seat]
        slid = " slide" if end not in (stop, START) and self.game.rules["slide"][0, stop] == end else ""
        return f"{colour} {place_word(colour, start)}>{place_word(colour, end)}{slid}"

    def _bumped(self, before: States, after: States, but: set[tuple[int, int]] | None = None) -> str:
        """The colours of the pawns that went to Start, clockwise from the mover's, as ` bumps blue`."""
        gone = []
        for k in range(self.game.seats):
            seat = self._member(k)
            for pawn in range(self.game.ruleset.pawns):
                moved = _at(before, seat, pawn) != START and _at(after, seat, pawn) == START
                if moved and (seat, pawn) not in (but or ()):
                    gone.append(self.game.colours[seat])
        return f" bumps {' '.join(gone)}" if gone else ""

    def _pushed(self, before: States, after: States, mover: int, pawn: int, stop: int) -> str:
        """The colours of the pawns that were pushed along, in the order of the chain, as ` pushes blue` (M2)."""
        chain = []
        for seat in range(self.game.seats if self.game.ruleset.turbo else 0):
            for other in range(self.game.ruleset.pawns):
                place = _at(before, seat, other)
                if (seat, other) != (mover, pawn) and _at(after, seat, other) not in (place, START):
                    ahead = (self._seen(seat, place, mover) - stop) % board.RING
                    chain.append((ahead, self.game.colours[seat]))
        return f" pushes {' '.join(colour for _, colour in sorted(chain))}" if chain else ""

    def parse(self, text: str) -> int | None:
        """The legal action that reads like this, or with its parts in the other order; None if there is none."""
        found, wanted = super().parse(text), " ".join(text.split())
        if found is not None:
            return found
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
        swapped = Action(
            row.prompt, MOVE, row.pawn2, row.stride2, row.pawn, row.stride, member=row.member2, member2=row.member
        )
        return self.game.actions.id(swapped)

    def _plays(self, action: int) -> bool:
        """Whether the parts of a split can be played in its order."""
        return not self._why_split(self.game.actions[action])

    def why_not_yet(self) -> str:
        """Why nobody can act while chance is due; empty if it is not."""
        return {DRAW: "A card has to be drawn first.", COIN: "A coin has to answer the question first (N3)."}.get(
            self.due, ""
        )

    def _why_not_due(self, row: Action) -> str:
        """Why this is not the time for an action: another card is in play, or something else to be decided."""
        if self.due == HAND:
            held = row.prompt in CARDS and self.states[0]["hands"][self.seat, CARDS.index(row.prompt)] > 0
            return "" if held else f"{self.colour} holds no {row.prompt!r}, which this action needs (H1): {row}."
        due = PROMPTS[self.due]
        if row.prompt == due or (row.prompt == "part" and due == SPLIT):
            return ""
        if due in DUTIES:
            return f"{self.colour} {DUTIES[due]}, and this action {purpose(row.prompt)}: {row}."
        return f"The card in play is {due!r}, and this action {purpose(row.prompt)}: {row}."

    def why_unknown(self, text: str) -> str:
        """Why a text that `parse` does not know is not a legal action."""
        begun = text.partition(":")[0].strip()
        heads = {self.text(action).partition(":")[0] for action in self.legal}
        if begun in {*CARDS, *HEADS.values()} and heads and begun not in heads:
            return self._why_head(begun)
        return super().why_unknown(text)

    def _why_head(self, begun: str) -> str:
        """Why a text begins with the wrong card or decision."""
        if self.due == HAND and begun in CARDS:
            held = self.states[0]["hands"][self.seat, CARDS.index(begun)] > 0
            return f"{self.colour} {'cannot use the' if held else 'holds no'} {begun!r} (H1, H2)."
        due = PROMPTS[self.due] if self.due < len(PROMPTS) else "hand"
        duty = DUTIES.get(due) or (f"has to use the card {due!r}" if due in CARDS else "has to play a card of its hand")
        if due in CARDS and begun in CARDS:
            return f"The card in play is {due!r}, not {begun!r}."
        return f"{self.colour} {duty}, so nothing with {begun!r} can be played."

    def why(self, action: int) -> str:
        """Why it is not the time for an action, or the rules forbid it, with the rule's number."""
        row = self.game.actions[action]
        return self._why_not_due(row) or self._why(action, row)

    def _why(self, action: int, row: Action) -> str:
        if row.kind == PASS:
            return self._why_no_pass(row)
        if row.prompt == "part":
            return self._why_no_part(row)
        if row.kind == MOVE:
            return self._why_split(row) or self._same_as(action)
        return self._why_not_given(row) if row.kind == GIVE else self._why_against(row)

    def _why_no_pass(self, row: Action) -> str:
        ways = f"{len(self.legal)} way{'s' if len(self.legal) > 1 else ''}"
        are = "are" if len(self.legal) > 1 else "is"
        if self.due == HAND:
            return f"Discarding is not allowed: a hand that can be used must be (H2), and there {are} {ways} to use it."
        if self.due in (SIX, THREE):
            return f"Passing is not allowed: who can move {row.prompt} must (N2), and there {are} {ways}."
        rule = "a pawn can go eleven forward (S23)" if row.prompt == "11" else "a card that can be used must be (S5)"
        return f"Passing is not allowed: {rule}, and there {are} {ways} to use it."

    def _same_as(self, action: int) -> str:
        lower = self._other_order(action)
        return (
            f"It is the same move as action {lower}, with its parts in the other order (S21): {self.text(lower or 0)}."
        )

    def _why_no_part(self, row: Action) -> str:
        """Why a part of a 7 that is split freely cannot be played."""
        seat, s = self._member(row.member), self.states[0]
        left = int(s["steps"]) if self.due == TO_PART else SEVEN
        steps = steps_of(row.stride)
        if int(s["moved"]) >> (PAWNS * seat + row.pawn) & 1:
            return f"The pawn on {self._pawn_word(seat, row.pawn)} has had its part of the 7, the only one (T7)."
        if steps > left:
            return f"Only {left} steps of the 7 are left, and this part takes {steps} (T7)."
        reason = self._why_step(self.states, seat, row.pawn, row.stride)
        return reason or f"After this part the other {left - steps} steps of the 7 could not be used (T7)."

    def _why_split(self, row: Action) -> str:
        """Why a part of a move cannot be made, on the board that the part before it leaves; empty if all can."""
        after, seat, seat2 = self.states.copy(), self._member(row.member), self._member(row.member2)
        if row.prompt == "second" and self._place(seat, row.pawn) == START and row.pawn:
            return "Pawns in Start are interchangeable: the first of them stands for all."
        reason = self._why_step(after, seat, row.pawn, row.stride)
        if reason or not row.stride2:
            return reason
        advance(after[0], self.game.rules[0], seat, row.pawn, row.stride)
        colour = self.game.colours[seat2]
        if _at(after, seat2, row.pawn2) == START != self._place(seat2, row.pawn2):
            return f"The first part of the split sends the {colour} pawn of the second part to Start (S21)."
        reason = self._why_step(after, seat2, row.pawn2, row.stride2)
        return f"After the first part of the split: {reason}" if reason else ""

    def _why_step(self, states: States, seat: int, pawn: int, stride: int) -> str:
        """Why a pawn cannot go a stride."""
        s, rules = states[0], self.game.rules
        if reach(s, rules[0], seat, pawn, stride) != NOWHERE:
            return ""
        colour, place = self.game.colours[seat], _at(states, seat, pawn)
        who = f"The {colour} pawn on {place_word(colour, place)}"
        stop = int(rules["path"][0, place, stride])
        if is_frozen(s, seat, pawn):
            return f"{who} is frozen: who carries Ice cannot move (F8)."
        if stop != NOWHERE and own_pawn_at(s, seat, stop):
            return f"{who} would stop on an own pawn, on {place_word(colour, stop)} (S10)."
        if stop != NOWHERE and in_the_way(s, rules[0], seat, stop):
            return f"{who} would end on the frozen pawn, which cannot be bumped (F8)."
        return self._why_no_way(colour, place, stride, who)

    def _why_no_way(self, colour: str, place: int, stride: int, who: str) -> str:
        """Why no path leads from a place."""
        if stride == OUT:
            return f"No {colour} pawn is in Start (S7)."
        if place == START:
            starters = ", ".join([*self.game.ruleset.starters, "Sorry!"])
            last = starters.rpartition(", ")
            return (
                f"A {colour} pawn in Start does not move {stride_text(stride)}; {last[0]} and {last[2]} bring it out "
                "(S7)."
            )
        if place == HOME:
            return f"A {colour} pawn that is Home stays there (S11)."
        if ROUND < stride < OUT:
            return f"{who} does not pass its entry with {stride_text(stride)} (S12)."
        if stride > OUT:
            return f"{who} has no fire space before its entry (F5)."
        return f"{who} has {_left(place)} steps left, and Home is reached by exact count only (S11)."

    def _why_against(self, row: Action) -> str:
        """Why a swap or a Sorry! cannot be made."""
        seat, other, s, rules = self._member(row.member), self._member(row.seat), self.states[0], self.game.rules
        mine, theirs = self._place(seat, row.pawn), self._place(other, row.target)
        colour, enemy = self.game.colours[seat], self.game.colours[other]
        if row.kind == SWAP and not on_ring(mine):
            return f"The {colour} pawn on {place_word(colour, mine)} is not on the ring, and cannot be swapped (S23)."
        if row.kind != SWAP and mine != START:
            return f"No {colour} pawn is in Start (S25)."
        rule = "S17, S23" if row.kind == SWAP else "S17, S25"
        if not on_ring(theirs):
            return f"The {enemy} pawn on {place_word(enemy, theirs)} is not on the ring, and cannot be taken ({rule})."
        if is_frozen(s, other, row.target) or (row.kind == SWAP and is_frozen(s, seat, row.pawn)):
            return "The frozen pawn can be neither swapped nor taken (F8)."
        if in_the_way(s, rules[0], seat, self._seen(other, theirs, seat)) or row.kind == SWAP:
            return "A slide after it would end on the frozen pawn, which cannot be bumped (F8)."
        return f"Sorry! takes a pawn of the own team only when no opponent's pawn is on the ring (T4): {row}."

    def _why_not_given(self, row: Action) -> str:
        """Why a token cannot go to a pawn."""
        seat = self._member(row.seat)
        who, place = self._pawn_word(seat, row.target), self._place(seat, row.target)
        carried = TOKENS[row.prompt]
        if int(self.states[0][row.prompt]) == holder(seat, row.target):
            return f"The pawn on {who} carries {carried} already (F6, F9)."
        where = "ring" if row.prompt == "ice" or on_ring(place) else "ring or in the zone"
        return f"{carried} goes to a pawn on the {where}, and not to {who} (F6, F9)."


def move_text(action: Action, game: Variant) -> str:
    """What the actions of one block have in common."""
    if action.kind == MOVE and action.stride2:
        return "split: two pawns forward, one after the other"
    whose = "pawn of the team" if game.ruleset.partners else "pawn"
    if action.kind == MOVE:
        stride = stride_text(action.stride)
        return {"out": f"a {whose} from Start to the circle", "home": "another pawn Home", "jump": "Fire jumps"}.get(
            stride, f"{whose} {stride}"
        )
    if action.kind == PASS:
        return "nothing" if action.prompt in NOTHING else "discard" if game.ruleset.hand_size else "pass"
    return {
        SWAP: f"swap a {whose} with another seat's"
        if game.ruleset.partners
        else "swap an own pawn with another seat's",
        SORRY: "from Start onto another seat's pawn",
        GIVE: "to an own pawn" if action.prompt == "fire" else "to another seat's pawn",
        ASK: "name an opponent",
        ANSWER: "yes or no",
    }[action.kind]


TOKENS = {"fire": "Fire", "ice": "Ice"}


def head(prompt: str) -> str:
    """What the texts of a prompt's actions begin with."""
    return HEADS.get(prompt) or card_in_play(PROMPTS.index(prompt)) or prompt


def purpose(prompt: str) -> str:
    """What actions of a prompt do, to end a sentence."""
    return PURPOSES.get(prompt) or f"needs {prompt!r}"


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
