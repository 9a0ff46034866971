"""Positions as plain data: a dict that JSON can hold, or one line of text; both round-trip to a state.

The dict, `{"ruleset", "changes", "seats", "to_move", "card", "pawns", "pile", "turns", "winner"}`, is a promise to
users and described in the docs. The line holds the same, as in

    classic deck=44; red start 14 safe2 home; yellow 34 start start start; to red; card 7; pile 4 4 4 4 4 3 4 4 4 4 4
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from sorry_env import board
from sorry_env.board import CIRCLE, DIAMOND, HOME, PAWNS, SAFE, START
from sorry_env.errors import InvalidPosition, RulesetError, suggestion
from sorry_env.rulesets import CARDS, MOST_TURNS, Ruleset, ruleset
from sorry_env.state import NO_CARD, States
from sorry_env.variant import Variant, variant

Position = dict[str, Any]

KEYS = ("ruleset", "changes", "seats", "to_move", "card", "pawns", "pile", "turns", "winner")


def place_value(colour: str, place: int) -> str | int:
    """A place as positions write it: "start", a ring square 0..59, "safe 1".."safe 5" or "home"."""
    if CIRCLE <= place <= DIAMOND:
        return board.square(colour, place)
    return {START: "start", HOME: "home"}.get(place) or f"safe {place - SAFE}"


def place_number(colour: str, value: object) -> int | None:
    """The place that a position's entry means; None if it means none."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return board.place_on(colour, int(value)) if 0 <= value < board.RING else None
    named = {"start": START, "home": HOME} | {f"safe {k}": SAFE + k for k in range(1, HOME - SAFE)}
    return named.get(value) if isinstance(value, str) else None


def to_position(game: Variant, states: States, i: int = 0) -> Position:
    """State i of (N,) STATE as a position dict."""
    s = states[i]
    over = bool(s["over"])
    position: Position = {"ruleset": game.ruleset.name}
    if changes := game.ruleset.changes():
        position["changes"] = changes
    position["seats"] = list(game.colours)
    position["to_move"] = None if over else game.colours[s["seat"]]
    position["card"] = None if s["card"] == NO_CARD else CARDS[s["card"]]
    position["pawns"] = {
        colour: [place_value(colour, int(place)) for place in s["pawns"][seat, : game.ruleset.pawns]]
        for seat, colour in enumerate(game.colours)
    }
    position["pile"] = {card: int(count) for card, count in zip(CARDS, s["pile"], strict=True)}
    position["turns"] = int(s["turns"])
    if over:
        position["winner"] = [c for seat, c in enumerate(game.colours) if int(s["winners"]) >> seat & 1]
    return position


def from_position(position: Position | str) -> tuple[Variant, States]:
    """The variant and (1,) STATE of a position dict or of its line of text.

    Raises:
        InvalidPosition: with every problem that was found.
    """
    if isinstance(position, str):
        position = from_line(position)
    if not isinstance(position, Mapping):
        raise InvalidPosition(f"a position is a dict or a line of text, not {type(position).__name__}")
    game = _variant_of(position)
    found = list(_problems(game, position))
    if found:
        raise InvalidPosition("; ".join(found))
    states = game.new_states(1)
    _fill(game, position, states[0])
    return game, states


def _variant_of(position: Mapping[str, Any]) -> Variant:
    """The ruleset and seats, without which nothing else can be judged."""
    unknown = [f"unknown key {key!r}; {suggestion(key, KEYS)}" for key in position if key not in KEYS]
    changes = {} if position.get("changes") is None else position["changes"]
    if not isinstance(changes, Mapping):
        unknown.append(f"changes is {changes!r}: expected a dict of ruleset fields")
    elif not all(isinstance(name, str) for name in changes):
        unknown.append(f"changes is {changes!r}: its keys are names of ruleset fields")
    if not isinstance(position.get("ruleset", "classic"), str):
        unknown.append(f"ruleset is {position['ruleset']!r}: expected a name")
    if "seats" not in position:
        unknown.append('"seats" is missing: expected the colours in turn order')
    if unknown:
        raise InvalidPosition("; ".join(unknown))
    try:
        return variant(ruleset(position.get("ruleset", "classic"), **changes), position["seats"])
    except RulesetError as error:
        raise InvalidPosition(str(error)) from error


def _problems(game: Variant, position: Mapping[str, Any]) -> Iterator[str]:
    """Every reason why a position cannot be."""
    yield from _pawn_problems(game, position.get("pawns"))
    yield from _card_problems(game.ruleset, position.get("card"), position.get("pile"))
    yield from _turn_problems(game, position)


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


def _card_problems(rules: Ruleset, card: object, pile: object) -> Iterator[str]:
    if card is not None and card not in CARDS:
        yield f"unknown card {card!r}; {suggestion(card, CARDS)}"
    if pile is None:
        return
    if not isinstance(pile, Mapping):
        yield f"pile is {pile!r}: expected how many of each card are left to draw"
        return
    for kind in pile:
        if kind not in CARDS:
            yield f"the pile holds an unknown card {kind!r}; {suggestion(kind, CARDS)}"
    for kind, full in zip(CARDS, rules.counts, strict=True):
        yield from _count_problems(rules, kind, pile.get(kind, 0), full, in_play=kind == card)


def _count_problems(rules: Ruleset, kind: str, count: object, full: int, in_play: bool) -> Iterator[str]:
    if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count < 0:
        yield f"the pile holds {count!r} of card {kind!r}: expected a number, 0 or more"
    elif rules.replacement and count != full:
        yield f"the pile holds {count} of card {kind!r}, but with replacement it is always full: {full} (S2)"
    elif not rules.replacement and count + in_play > full:
        also = " besides the one in play" if in_play else ""
        yield f"the pile holds {count} of card {kind!r}{also}, but the deck has {full} (S2)"


def _turn_problems(game: Variant, position: Mapping[str, Any]) -> Iterator[str]:
    """Whose turn it is, how many there were, and who has won."""
    turns, limit = position.get("turns", 1), game.ruleset.turn_limit
    if not isinstance(turns, (int, np.integer)) or isinstance(turns, bool) or not 1 <= turns <= MOST_TURNS:
        yield f"turns is {turns!r}: expected a number from 1 to {MOST_TURNS}"
        turns = 1
    elif limit is not None and turns > limit:
        yield f"turns is {turns}, past the turn limit of {limit} (S26)"
    winner, to_move = position.get("winner"), position.get("to_move")
    finished = _finished(game, position.get("pawns"))
    if winner is None:
        yield from _running_problems(game, to_move, finished)
    elif not isinstance(winner, (list, tuple)):
        yield f"winner is {winner!r}: expected a list of colours, empty for a truncated game"
    else:
        yield from _finished_problems(position, list(winner), finished, limit, turns)


def _running_problems(game: Variant, to_move: object, finished: list[str]) -> Iterator[str]:
    if to_move not in game.colours:
        yield f"to_move is {to_move!r}: expected one of {list(game.colours)}"
    if finished:
        yield f'{finished[0]} has all pawns Home: the game is over, so "winner" is {finished} and "to_move" null'


def _finished_problems(
    position: Mapping[str, Any], winner: list[str], finished: list[str], limit: int | None, turns: int
) -> Iterator[str]:
    for key in ("to_move", "card"):
        if position.get(key) is not None:
            yield f"{key} is {position[key]!r}, but the game is over: expected null"
    if len(finished) > 1:
        yield f"{finished} all have their pawns Home: the game ends when the first has (S11)"
    elif winner != finished:
        yield f"winner is {winner}, but the colours with all pawns Home are {finished} (S11)"
    elif not winner and (limit is None or turns != limit):
        yield f"winner is empty, but a game is truncated at its turn limit only (S26): turns is {turns}, limit {limit}"


def _finished(game: Variant, pawns: object) -> list[str]:
    """The colours with all pawns Home."""
    if not isinstance(pawns, Mapping):
        return []
    home = ["home"] * game.ruleset.pawns
    return [c for c in game.colours if pawns.get(c) in (home, tuple(home))]


def _fill(game: Variant, position: Mapping[str, Any], s: Any) -> None:
    """Write a position without problems into a STATE row."""
    s["pawns"] = HOME
    for seat, colour in enumerate(game.colours):
        places = sorted(place_number(colour, value) or START for value in position["pawns"][colour])
        s["pawns"][seat] = places + [HOME] * (PAWNS - len(places))
    card, pile = position.get("card"), position.get("pile")
    s["card"] = NO_CARD if card is None else CARDS.index(card)
    s["pile"] = game.ruleset.counts if pile is None else [pile.get(kind, 0) for kind in CARDS]
    if pile is None and card is not None and not game.ruleset.replacement:
        s["pile"][s["card"]] -= 1
    s["turns"] = position.get("turns", 1)
    winner = position.get("winner")
    s["over"] = winner is not None
    s["winners"] = sum(1 << game.seat_of(colour) for colour in winner or ())
    s["seat"] = 0 if winner is not None else game.seat_of(position["to_move"])


def to_line(position: Position) -> str:
    """A position dict as one line of text."""
    changes = "".join(f" {name}={value}" for name, value in position.get("changes", {}).items())
    parts = [position["ruleset"] + changes]
    for colour in position["seats"]:
        places = (str(value).replace(" ", "") for value in position["pawns"][colour])
        parts.append(" ".join([colour, *places]))
    for key in ("to_move", "card"):
        if position[key] is not None:
            parts.append(f"{key.removesuffix('_move')} {position[key]}")
    parts.append("pile " + " ".join(str(position["pile"][card]) for card in CARDS))
    parts.append(f"turns {position['turns']}")
    if "winner" in position:
        parts.append(" ".join(["winner", *position["winner"]]))
    return "; ".join(parts)


def from_line(line: str) -> Position:
    """The position dict of a line of text; whether it makes sense is for `from_position` to say.

    Raises:
        InvalidPosition: a part that cannot be read.
    """
    head, *parts = [part.split() for part in line.split(";")]
    if not head:
        raise InvalidPosition(f"{line!r}: a position begins with the name of its ruleset")
    position: Position = {"ruleset": head[0], "seats": [], "pawns": {}, "to_move": None, "card": None}
    if head[1:]:
        position["changes"] = dict(_change(word) for word in head[1:])
    for words in parts:
        _read_part(position, words)
    return position


def _read_part(position: Position, words: list[str]) -> None:
    key, values = (words[0], words[1:]) if words else ("", [])
    if key in board.COLOURS:
        position["seats"].append(key)
        position["pawns"][key] = [_place_word(word) for word in values]
    elif key in ("to", "card", "turns") and len(values) == 1:
        position["to_move" if key == "to" else key] = _number(values[0]) if key == "turns" else values[0]
    elif key == "pile" and len(values) == len(CARDS):
        position["pile"] = {card: _number(word) for card, word in zip(CARDS, values, strict=True)}
    elif key == "winner":
        position["winner"] = values
    else:
        raise InvalidPosition(
            f"cannot read {' '.join(words)!r}: a part is a colour and its places, 'to COLOUR', 'card CARD', "
            f"'pile' and {len(CARDS)} counts, 'turns N' or 'winner COLOUR'"
        )


def _place_word(word: str) -> str | int:
    return word.replace("safe", "safe ") if word.startswith("safe") else _number(word)


def _number(word: str) -> Any:
    """A number where it is one; else the word, for the checks to name."""
    return int(word) if word.isascii() and word.isdigit() else word


def _change(word: str) -> tuple[str, Any]:
    name, _, value = word.partition("=")
    known = {field.name for field in fields(Ruleset)}
    if name not in known:
        raise InvalidPosition(f"cannot read {word!r}: {suggestion(name, known)}")
    return name, {"True": True, "False": False, "None": None}.get(value, _number(value))
