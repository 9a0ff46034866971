"""The keys of a position that only Sorry! has.

They are `"card"`, `"pawns"` and `"pile"`, and where the ruleset has them `"hands"`, `"fire"`, `"ice"`, `"phase"` and
`"pending"`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from sorry_env.errors import suggestion
from sorry_env.line import Position
from sorry_env.sorry.actions import PARTNER
from sorry_env.sorry.board import (
    DIAMOND,
    DRAW,
    HAND,
    HOME,
    PAWNS,
    QUESTION,
    START,
    TO_JUMP,
    card_in_play,
    place_number,
    place_value,
)
from sorry_env.sorry.engine.moves import holder
from sorry_env.sorry.engine.turns import open_question
from sorry_env.sorry.pending import fill_pending, pending_of, pending_problems, slot_of
from sorry_env.sorry.rules import CARDS, SorryRules
from sorry_env.sorry.state import FACE_DOWN, TOKEN, cards_of
from sorry_env.variant import Variant


def to_keys(game: Variant, s: Any) -> Position:
    """A STATE row as far as the keys go that other games do not have."""
    over = bool(s["over"])
    position: Position = {"card": None if over else card_in_play(int(s["due"]))}
    position["pawns"] = {
        colour: [place_value(colour, int(place)) for place in s["pawns"][seat, : game.ruleset.pawns]]
        for seat, colour in enumerate(game.colours)
    }
    kinds = game.ruleset.cards
    position["pile"] = {card: int(count) for card, count in zip(kinds, s["pile"][: len(kinds)], strict=True)}
    return position | _extras(game, s)


def _extras(game: Variant, s: Any) -> Position:
    """What only some rulesets have."""
    extras: Position = {}
    if game.ruleset.hand_size:
        extras["hands"] = {colour: _hand(s["hands"][seat]) for seat, colour in enumerate(game.colours)}
    if game.ruleset.tokens:
        extras |= {"fire": _holder(game, s, int(s["fire"])), "ice": _holder(game, s, int(s["ice"]))}
        if s["due"] == TO_JUMP:
            extras["phase"] = "fire"
    pending = None if s["over"] else pending_of(game, s)
    return extras if pending is None else extras | {"pending": pending}


def _hand(held: Any) -> list[str] | int:
    """A hand's cards in order; face down, only how many."""
    return int(held.sum()) if held[FACE_DOWN] else cards_of(held)


def _holder(game: Variant, s: Any, token: int) -> list[str | int] | None:
    """Colour and place of the pawn that carries a token."""
    if token == 0:
        return None
    seat, pawn = divmod(token - TOKEN, PAWNS)
    return [game.colours[seat], place_value(game.colours[seat], int(s["pawns"][seat, pawn]))]


def problems(game: Variant, position: Mapping[str, Any]) -> Iterator[str]:
    """Every reason why a position cannot be."""
    yield from _pawn_problems(game, position.get("pawns"))
    yield from _card_problems(game.ruleset, position)
    yield from _hand_problems(game, position)
    yield from _token_problems(game, position)
    yield from pending_problems(game, position)


def _pawn_problems(game: Variant, pawns: object) -> Iterator[str]:
    if not isinstance(pawns, Mapping):
        yield f"pawns is {pawns!r}: expected a list of places for each of {list(game.colours)}"
        return
    for colour in pawns:
        if colour not in game.colours:
            yield f"pawns of {colour!r}, who has no seat; the seats are {list(game.colours)}"
    taken: dict[object, str] = {}
    for colour in game.colours:
        yield from _colour_problems(colour, pawns.get(colour), game.ruleset.pawns, taken)


def _colour_problems(colour: str, places: object, wanted: int, taken: dict[object, str]) -> Iterator[str]:
    """One colour's pawns; `taken` maps the squares used so far to their colours and grows."""
    if not isinstance(places, (list, tuple)):
        yield f"{colour}'s pawns are {places!r}: expected a list of {wanted} places"
        return
    if len(places) != wanted:
        yield f"{colour} has {len(places)} pawns, the ruleset {wanted}"
    for value in places:
        if place_number(colour, value) is None:
            yield f'{colour} has a pawn on {value!r}: a place is "start", 0..59, "safe 1".."safe 5" or "home"'
        elif value not in ("start", "home"):
            where = int(value) if not isinstance(value, str) else f"{colour}'s {value}"
            if where in taken:
                yield f"two pawns on {where}: {taken[where]} and {colour}; a square holds one (S10)"
            taken[where] = colour


def _card_problems(rules: SorryRules, position: Mapping[str, Any]) -> Iterator[str]:
    card, pile, kinds = position.get("card"), position.get("pile"), rules.cards
    if card is not None and card not in kinds:
        yield f"unknown card {card!r}; {suggestion(card, kinds)}"
    elif card is not None and rules.hand_size:
        yield f"card is {card!r}, but with hands the action names the card: expected null (H1)"
    if pile is not None and not isinstance(pile, Mapping):
        yield f"pile is {pile!r}: expected how many of each card are left to draw"
        return
    for kind in pile or ():
        if kind not in kinds:
            yield f"the pile holds an unknown card {kind!r}; {suggestion(kind, kinds)}"
    for kind, full in zip(CARDS, rules.counts, strict=True):
        count, out = (pile or {}).get(kind, 0), _outside(position, kind)
        yield from _count_problems(rules, kind, count, full, out, stated=pile is not None)


def _outside(position: Mapping[str, Any], kind: str) -> int:
    """How many cards of a kind are in play or in hands."""
    hands = position.get("hands")
    held = [hand for hand in hands.values() if isinstance(hand, (list, tuple))] if isinstance(hands, Mapping) else []
    return sum(list(hand).count(kind) for hand in held) + (position.get("card") == kind)


def _count_problems(rules: SorryRules, kind: str, count: object, full: int, out: int, stated: bool) -> Iterator[str]:
    """Too many or too few of a card; `out` of them are in play or in hands, `stated` says that the pile is given."""
    also = f" besides {out} in {'hands' if rules.hand_size else 'play'}" if out else ""
    if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count < 0:
        yield f"the pile holds {count!r} of card {kind!r}: expected a number, 0 or more"
    elif rules.replacement and stated and count != full:
        yield f"the pile holds {count} of card {kind!r}, but with replacement it is always full: {full} (S2)"
    elif not rules.replacement and count + out > full:
        what = f"the pile holds {count} of card {kind!r}{also}" if stated else f"{out} of card {kind!r} are out"
        yield f"{what}, but the deck has {full} (S2)"


def _hand_problems(game: Variant, position: Mapping[str, Any]) -> Iterator[str]:
    hands, size = position.get("hands"), game.ruleset.hand_size
    if not size:
        if hands is not None:
            yield f"hands are given, but {game.ruleset} is played without: leave them out (H1)"
        return
    if not isinstance(hands, Mapping):
        yield f"hands is {hands!r}: expected the cards of each of {list(game.colours)} (H1)"
        return
    for colour in hands:
        if colour not in game.colours:
            yield f"a hand of {colour!r}, who has no seat; the seats are {list(game.colours)}"
    short = []
    for colour in game.colours:
        yield from _one_hand_problems(game.ruleset, colour, hands.get(colour))
        if isinstance(hands.get(colour), (list, tuple)) and len(hands[colour]) == size - 1:
            short.append(colour)
    if len(short) > 1:
        yield f"{short} are each a card short: at most one hand is, that of the seat that has just played (H1)"
    elif short and position.get("to_move") in game.colours and not _may_be_short(game, short[0], position["to_move"]):
        yield (
            f"{short[0]}'s hand is a card short, but it is {position['to_move']}'s turn: only the seat that has just "
            "played refills its hand (H1)"
        )


def _one_hand_problems(rules: SorryRules, colour: str, hand: object) -> Iterator[str]:
    size = rules.hand_size
    if isinstance(hand, int) and not isinstance(hand, bool):
        yield f"{colour}'s hand is {hand}: that is a view, in which a hand is hidden; a position shows its cards"
    elif not isinstance(hand, (list, tuple)):
        yield f"{colour}'s hand is {hand!r}: expected a list of {size} cards (H1)"
    else:
        for card in hand:
            if card not in rules.cards:
                yield f"{colour} holds an unknown card {card!r}; {suggestion(card, rules.cards)}"
        if len(hand) not in (size, size - 1):
            yield f"{colour}'s hand has {len(hand)} cards: a hand has {size}, or {size - 1} when a card is due (H1)"


def _may_be_short(game: Variant, colour: str, to_move: str) -> bool:
    """Whether a seat may have played just before the one to move: the one before it, or itself after a 2."""
    seats = (game.seat_of(to_move), (game.seat_of(to_move) - 1) % game.seats)
    return game.seat_of(colour) in seats


def _token_problems(game: Variant, position: Mapping[str, Any]) -> Iterator[str]:
    """Fire and Ice, and the decision before the draw (F5, F8)."""
    for token in ("fire", "ice"):
        holder = position.get(token)
        if holder is not None and not game.ruleset.tokens:
            yield f"{token} is {holder!r}, but {game.ruleset} has no tokens: leave it out"
        elif holder is not None:
            yield from _holder_problems(game, position, token, holder)
    phase = position.get("phase")
    if phase is not None and (phase != "fire" or not game.ruleset.tokens):
        yield f'phase is {phase!r}: only Fire & Ice has one, "fire", when Fire may jump (F5)'
    elif phase is not None and (position.get("card") is not None or position.get("pending") is not None):
        yield "Fire jumps before a card is drawn: in phase 'fire' card and pending are null (F5)"


def _holder_problems(game: Variant, position: Mapping[str, Any], token: str, holder: object) -> Iterator[str]:
    if not isinstance(holder, (list, tuple)) or len(holder) != 2 or holder[0] not in game.colours:
        yield f"{token} is {holder!r}: expected [colour, place] with a colour of {list(game.colours)}, or null"
        return
    colour, value = holder
    place = place_number(colour, value)
    pawns = position.get("pawns")
    own = pawns.get(colour) if isinstance(pawns, Mapping) else None
    if place is None or not isinstance(own, (list, tuple)) or value not in own:
        yield f"{token} is on {colour}'s pawn on {value!r}, but no {colour} pawn stands there"
    elif place in (START, HOME):
        yield f"{token} is on a pawn in {str(value).capitalize()}: there it returns to the middle (F7, F10)"
    elif token == "ice" and place > DIAMOND:
        yield f"ice is on {colour}'s pawn on {value!r}: Ice goes to pawns on the ring only (F9)"


def finished(game: Variant, pawns: object) -> list[str]:
    """The colours with all pawns Home; in teams those of whole teams."""
    if not isinstance(pawns, Mapping):
        return []
    home = ["home"] * game.ruleset.pawns
    done = [pawns.get(c) in (home, tuple(home)) for c in game.colours]
    if game.ruleset.teams:
        done = [one and done[(seat + PARTNER) % game.seats] for seat, one in enumerate(done)]
    return [c for c, one in zip(game.colours, done, strict=True) if one]


def fill(game: Variant, position: Mapping[str, Any], s: Any) -> None:
    """Write a position without problems into a STATE row."""
    s["pawns"] = HOME
    for seat, colour in enumerate(game.colours):
        places = sorted(place_number(colour, value) or START for value in position["pawns"][colour])
        s["pawns"][seat] = places + [HOME] * (PAWNS - len(places))
    _fill_cards(game, position, s)
    for token in ("fire", "ice"):
        if position.get(token) is not None:
            colour, value = position[token]
            seat = game.seat_of(colour)
            s[token] = holder(seat, slot_of(s, seat, colour, value))
    _fill_due(game, position, s)


def _fill_cards(game: Variant, position: Mapping[str, Any], s: Any) -> None:
    """Pile and hands; a pile that is not given is all that is neither in play nor in hands."""
    pile, rules = position.get("pile"), game.ruleset
    for card, (kind, full) in enumerate(zip(CARDS, rules.counts, strict=True)):
        left = full if rules.replacement else full - _outside(position, kind)
        s["pile"][card] = left if pile is None else pile.get(kind, 0)
    for colour, hand in (position.get("hands") or {}).items():
        for card in hand:
            s["hands"][game.seat_of(colour), CARDS.index(card)] += 1


def _fill_due(game: Variant, position: Mapping[str, Any], s: Any) -> None:
    """What is due: a decision, the use of a card or of a hand, or chance."""
    card, hands = position.get("card"), position.get("hands")
    s["due"] = DRAW
    short = [colour for colour in game.colours if hands and len(hands[colour]) < game.ruleset.hand_size]
    if short:
        s["drawer"] = game.seat_of(short[0])
    if s["over"]:
        return
    if position.get("pending") is not None:
        fill_pending(game, position["pending"], s)
    elif position.get("phase") is not None:
        s["due"] = TO_JUMP
    elif hands and not short:
        s["due"] = HAND
    elif card is not None:
        s["due"] = CARDS.index(card)
        if s["due"] == QUESTION:
            open_question(s, game.rules[0])
