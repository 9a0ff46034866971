"""What a position says of a decision that is due beside the use of a card: its key `"pending"`.

    {"decision": "ice"}                       where Ice goes, card "1" (F9)
    {"decision": "fire"}                      where Fire goes, card "2" (F6)
    {"decision": "second"}                    whether a second pawn goes Home, no card (F7)
    {"decision": "ask"}                       whom to ask, card "question" (N2)
    {"decision": "answer", "drawer": "red"}   the answer
    {"decision": "coin", "asked": "blue"}     the same by chance (N3)
    {"decision": "move", "answer": "yes", "drawer": "red", "asked": "blue"}     the moves that follow, drawer first
    {"decision": "part", "left": 4, "moved": {"red": [20], "yellow": []}}       the next part of a 7, card "7" (T7)

`to_move` is whoever decides; with a coin, the drawer. `moved` names where pawns stand that have had their part.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sorry_env.errors import suggestion
from sorry_env.sorry.actions import PARTNER, SEVEN
from sorry_env.sorry.board import (
    COIN,
    HOME,
    PAWNS,
    PROMPTS,
    SIX,
    START,
    THREE,
    TO_ANSWER,
    TO_ASK,
    TO_FIRE,
    TO_ICE,
    TO_JUMP,
    TO_PART,
    TO_SECOND,
    card_in_play,
    place_number,
    place_value,
)
from sorry_env.sorry.engine.turns import may_jump
from sorry_env.sorry.features import decisions
from sorry_env.variant import Variant
from sorry_env.verbs import States

DECISIONS: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "ice": ((TO_ICE,), ()),
    "fire": ((TO_FIRE,), ()),
    "second": ((TO_SECOND,), ()),
    "ask": ((TO_ASK,), ()),
    "answer": ((TO_ANSWER,), ("drawer",)),
    "coin": ((COIN,), ("asked",)),
    "move": ((SIX, THREE), ("answer", "drawer", "asked")),
    "part": ((TO_PART,), ("left", "moved")),
}
"""Decision -> what is due then, and the further keys of its dict."""


def pending_of(game: Variant, s: Any) -> dict[str, Any] | None:
    """The dict of a STATE row; None if what is due needs none."""
    due = int(s["due"])
    decision = next((name for name, (dues, _) in DECISIONS.items() if due in dues), None)
    if decision is None:
        return None
    known = {
        "drawer": game.colours[s["drawer"]],
        "asked": game.colours[s["asked"]],
        "answer": "yes" if due == SIX else "no",
        "left": int(s["steps"]),
        "moved": _moved(game, s) if due == TO_PART else {},
    }
    return {"decision": decision} | {key: known[key] for key in DECISIONS[decision][1]}


def _team(game: Variant, seat: int) -> list[int]:
    return [seat, (seat + PARTNER) % game.seats]


def _moved(game: Variant, s: Any) -> dict[str, list[int | str]]:
    """Where the team's pawns stand that have had their part."""
    return {
        game.colours[seat]: [
            place_value(game.colours[seat], int(s["pawns"][seat, pawn]))
            for pawn in range(game.ruleset.pawns)
            if int(s["moved"]) >> (PAWNS * seat + pawn) & 1
        ]
        for seat in sorted(_team(game, int(s["seat"])))
    }


def decisions_of(game: Variant) -> list[str]:
    """The decisions that positions of a variant may show as pending."""
    dues = {PROMPTS.index(prompt) for prompt in decisions(game.ruleset, game.seats)}
    if game.ruleset.answer == "random":
        dues.add(COIN)
    return [name for name, (own, _) in DECISIONS.items() if dues.intersection(own)]


def pending_problems(game: Variant, position: Mapping[str, Any]) -> Iterator[str]:
    """Why a pending dict cannot be, as far as its words go."""
    pending, known = position.get("pending"), decisions_of(game)
    if pending is None:
        return
    if not known:
        yield f"pending is {pending!r}, but {game.ruleset} has no decisions beside cards: leave it out"
    elif not isinstance(pending, Mapping) or not isinstance(pending.get("decision"), str):
        yield f'pending is {pending!r}: expected a dict with a "decision", one of {known}'
    elif pending["decision"] not in known:
        yield f"pending decision {pending['decision']!r} does not arise; {suggestion(pending['decision'], known)}"
    else:
        yield from _word_problems(game, position, pending)


def _word_problems(game: Variant, position: Mapping[str, Any], pending: Mapping[str, Any]) -> Iterator[str]:
    decision, to_move = pending["decision"], position.get("to_move")
    dues, keys = DECISIONS[decision]
    card = card_in_play(dues[0])
    if position.get("card") != card:
        yield f"the decision {decision!r} is pending and card is {position.get('card')!r}: expected {card!r}"
    for key in pending:
        if key not in ("decision", *keys):
            yield f"pending has an unknown key {key!r}; {suggestion(key, ['decision', *keys])}"
    people = {key: pending.get(key) for key in keys if key in ("drawer", "asked")}
    for key, colour in people.items():
        if colour not in game.colours:
            yield f"pending {key} is {colour!r}: expected one of {list(game.colours)}"
    drawer = people.get("drawer", to_move)
    if people and drawer == people.get("asked", to_move):
        yield f"pending: {drawer} both draws the question and is asked (N2)"
    elif decision == "move" and to_move not in people.values():
        yield f"to_move is {to_move!r}, but the question is between {people['drawer']} and {people['asked']} (N2)"
    if decision == "move" and pending.get("answer") not in ("yes", "no"):
        yield f'pending answer is {pending.get("answer")!r}: expected "yes" or "no" (N2)'
    if decision == "part":
        yield from _part_problems(game, position, pending)


def _part_problems(game: Variant, position: Mapping[str, Any], pending: Mapping[str, Any]) -> Iterator[str]:
    left, moved, to_move = pending.get("left"), pending.get("moved"), position.get("to_move")
    if not isinstance(left, int) or isinstance(left, bool) or not 1 <= left < SEVEN:
        yield f"pending left is {left!r}: expected 1 to {SEVEN - 1} steps of the 7 (T7)"
    if not isinstance(moved, Mapping):
        yield f"pending moved is {moved!r}: for each colour of the team, where pawns stand that have had their part"
        return
    team = [game.colours[seat] for seat in _team(game, game.seat_of(to_move))] if to_move in game.colours else []
    for colour, places in moved.items():
        if colour not in team:
            yield f"pending moved names {colour!r}, who is not of the team that moves: {team} (T1)"
        elif not isinstance(places, (list, tuple)):
            yield f"pending moved of {colour} is {places!r}: expected a list of places"
        else:
            own = _places(colour, position)
            for value in places:
                if place_number(colour, value) in (None, START, HOME) or place_number(colour, value) not in own:
                    yield f"pending moved: {colour} has no pawn on {value!r} that could have moved"


def _places(colour: str, position: Mapping[str, Any]) -> list[int | None]:
    pawns = position.get("pawns")
    own = pawns.get(colour) if isinstance(pawns, Mapping) else None
    return [place_number(colour, value) for value in own] if isinstance(own, (list, tuple)) else []


def fill_pending(game: Variant, pending: Mapping[str, Any], s: Any) -> None:
    """Write a pending dict without problems into a STATE row whose pawns and seat are written."""
    s["due"] = DECISIONS[pending["decision"]][0][pending.get("answer") == "no"]
    if pending["decision"] in ("ask", "coin"):
        s["drawer"] = s["seat"]
    if pending["decision"] == "answer":
        s["asked"] = s["seat"]
    for key in ("drawer", "asked"):
        if key in pending:
            s[key] = game.seat_of(pending[key])
    s["steps"] = pending.get("left", 0)
    for colour, places in pending.get("moved", {}).items():
        seat = game.seat_of(colour)
        for value in places:
            s["moved"] |= 1 << (PAWNS * seat + slot_of(s, seat, colour, value))


def slot_of(s: Any, seat: int, colour: str, value: object) -> int:
    """The number of the pawn that stands on a place."""
    return [int(place) for place in s["pawns"][seat]].index(place_number(colour, value) or 0)


def decision_problems(game: Variant, states: States) -> Iterator[str]:
    """Why the decision in (1,) STATE, filled, does not arise there."""
    s, choices = states[0], int(game.legal_counts(states)[0])
    due, colour = int(s["due"]), game.colours[s["seat"]]
    if due == TO_JUMP and not may_jump(s, game.rules[0]):
        yield f"{colour}'s Fire cannot jump: there is no decision before the draw (F5)"
    elif due == TO_ICE and choices < 2:
        yield f"Ice has {choices} place{'s' if choices != 1 else ''} to go to: that is no decision (F9)"
    elif due == TO_FIRE and s["fire"] != 0 and s["fire"] == s["ice"]:
        yield "Fire is on the frozen pawn, and locked: nobody can move it (F8)"
    elif due == TO_FIRE and choices < 2:
        yield f"no pawn of {colour} can take Fire: it needs one on the ring or in the zone that does not carry it (F6)"
    elif due == TO_SECOND and HOME not in s["pawns"][s["seat"], : game.ruleset.pawns]:
        yield f"no pawn of {colour} is Home: a second one only follows the one that has carried Fire there (F7)"
    elif due == TO_SECOND and choices < 2:
        yield f"no pawn of {colour} can follow Fire's Home: that is no decision (F7)"
    elif due == TO_SECOND and s["fire"] != 0:
        yield "Fire returns to the middle before a second pawn goes Home: fire should be null (F7)"
    elif due == TO_PART and choices == 0:
        yield f"no pawn of {colour}'s team can use the {int(s['steps'])} steps that are left of the 7 (T7)"
