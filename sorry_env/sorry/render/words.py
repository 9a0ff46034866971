"""What is written beside a board: what the cards do, and what somebody has to do."""

from typing import NamedTuple

from sorry_env.sorry.board import (
    COIN,
    DRAW,
    SIX,
    THREE,
    TO_ANSWER,
    TO_ASK,
    TO_FIRE,
    TO_ICE,
    TO_JUMP,
    TO_PART,
    TO_SECOND,
)
from sorry_env.sorry.rules import SorryRules


class Words(NamedTuple):
    """What an edition calls its things."""

    game: str
    start: str
    home: str
    pawn: str
    card: str
    sorry: str
    """What is printed on the card `sorry`, and what it is called in a sentence."""
    sorry_word: str

    def card_word(self, card: str) -> str:
        """What a card is called in a sentence."""
        return self.sorry_word if card == "sorry" else card


PAWNS_AND_CARDS = Words("Sorry!", "Start", "Home", "pawn", "card", "Sorry!", "sorry")
CARS_AND_TICKETS = Words("Bump 'Em!", "pit row", "finish", "car", "ticket", "Bump!", "Bump!")
"""M1."""


DUTIES = {
    DRAW: "to draw",
    TO_JUMP: "decides whether Fire jumps",
    TO_ICE: "decides where Ice goes",
    TO_FIRE: "decides whether Fire moves",
    TO_SECOND: "may take a second pawn Home",
    TO_ASK: "has to name an opponent",
    TO_ANSWER: "has to answer {drawer}: yes or no",
    COIN: "asks {asked}: a coin answers",
    SIX: "has to move six",
    THREE: "has to move three",
    TO_PART: "has {left} of the 7 left",
}
"""By what is due; of everything else the mover has "to move"."""
TO_MOVE = "to move"


def duty_of(due: int, drawer: str, asked: str, steps: int) -> str:
    """What whoever is to act has to do, to follow its colour."""
    left = f"{steps} step{'' if steps == 1 else 's'}"
    return DUTIES.get(due, TO_MOVE).format(drawer=drawer, asked=asked, left=left)


def words_of(rules: SorryRules) -> Words:
    """What a ruleset's things are called."""
    return CARS_AND_TICKETS if rules.turbo else PAWNS_AND_CARDS


def card_text(rules: SorryRules, card: str) -> str:
    """What a card does under a ruleset, in a few words."""
    words, token = words_of(rules), {"1": "Ice", "2": "Fire"}.get(card) if rules.tokens else None
    text = _use(rules, card)
    if card in rules.starters:
        text = f"start a {words.pawn}, {'' if ', or ' in text else 'or '}{text}"
    if token:
        text = f"move {token}; {text}"
    if card == "2" and rules.two_draws_again:
        text += f"; {'play' if rules.hand_size else 'draw'} again"
    return text[0].upper() + text[1:]


def _use(rules: SorryRules, card: str) -> str:
    """What a card does with pawns that are out, or Sorry!."""
    words = words_of(rules)
    if card == "7":
        sharing = "share it among the team's pawns" if rules.split_freely else f"split it between two {words.pawn}s"
        return f"move 7, or {sharing}"
    if card == "sorry":
        also = "; or move 4" if rules.sorry_forward else ""
        origin = "Start" if words.start == "Start" else f"the {words.start}"
        return f"from {origin}, take the place of an opponent{also}"
    others = {
        "4": "back 4",
        "10": "forward 10, or back 1",
        "11": "move 11, or change places with an opponent",
        "question": "ask an opponent: if yes both move 6, if no 3",
    }
    return others.get(card, f"move {card}")
