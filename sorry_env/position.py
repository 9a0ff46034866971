"""Positions as plain data: a dict that JSON can hold; it round-trips to a state.

The dict is a promise to users and described in the docs. Every game has the keys `"ruleset"`, `"changes"`, `"seats"`,
`"to_move"`, `"turns"` and `"winner"`; what stands on the board and what is to be done is a game's own.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from sorry_env.errors import InvalidPosition, RulesetError, suggestion
from sorry_env.family import FAMILIES
from sorry_env.line import Position
from sorry_env.rulesets import MOST_TURNS, ruleset
from sorry_env.variant import Variant, variant
from sorry_env.verbs import States

HEAD, TAIL = ("ruleset", "changes", "seats", "to_move"), ("turns", "winner")
"""Keys of every game, before and behind its own."""


def to_position(game: Variant, states: States, i: int = 0) -> Position:
    """State i of (N,) STATE as a position dict."""
    s = states[i]
    over = bool(s["over"])
    position: Position = {"ruleset": game.ruleset.name}
    if changes := game.ruleset.changes():
        position["changes"] = changes
    position["seats"] = list(game.colours)
    position["to_move"] = None if over else game.colours[s["seat"]]
    position |= game.family.position(game, states, i)
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
        position = _from_line(position)
    if not isinstance(position, Mapping):
        raise InvalidPosition(f"a position is a dict or a line of text, not {type(position).__name__}")
    game = _variant_of(position)
    _raise(game.family.problems(game, position), _turn_problems(game, position))
    states = game.new_states(1)
    _fill(game, position, states[0])
    if not states[0]["over"]:
        _raise(game.family.doubts(game, states))
    return game, states


def to_line(position: Position) -> str:
    """A position dict as one line of text."""
    return FAMILIES[position["ruleset"]].to_line(position)


def _from_line(line: str) -> Position:
    """The position dict of a line of text, which begins with the name of its ruleset; other lines are for Sorry!."""
    words = line.replace(";", " ").replace('"', " ").split()
    named = next((word for word in words if word in FAMILIES), "classic")
    return FAMILIES[named].from_line(line)


def _raise(*problems: Iterator[str]) -> None:
    found = [problem for some in problems for problem in some]
    if found:
        raise InvalidPosition("; ".join(found))


def _variant_of(position: Mapping[str, Any]) -> Variant:
    """The ruleset and seats, without which nothing else can be judged."""
    name = position.get("ruleset", "classic")
    own = FAMILIES[name].keys if isinstance(name, str) and name in FAMILIES else ()
    keys = (*HEAD, *own, *TAIL)
    unknown = [f"unknown key {key!r}; {suggestion(key, keys)}" for key in position if own and key not in keys]
    changes = {} if position.get("changes") is None else position["changes"]
    if not isinstance(changes, Mapping):
        unknown.append(f"changes is {changes!r}: expected a dict of ruleset fields")
    elif not all(isinstance(field, str) for field in changes):
        unknown.append(f"changes is {changes!r}: its keys are names of ruleset fields")
    if not isinstance(name, str):
        unknown.append(f"ruleset is {name!r}: expected a name")
    if "seats" not in position:
        unknown.append('"seats" is missing: expected the colours in turn order')
    if unknown:
        raise InvalidPosition("; ".join(unknown))
    try:
        return variant(ruleset(name, **changes), position["seats"])
    except RulesetError as error:
        raise InvalidPosition(str(error)) from error


def _turn_problems(game: Variant, position: Mapping[str, Any]) -> Iterator[str]:
    """Whose turn it is, how many there were, and who has won."""
    turns, limit = position.get("turns", 1), game.ruleset.turn_limit
    if not isinstance(turns, (int, np.integer)) or isinstance(turns, bool) or not 1 <= turns <= MOST_TURNS:
        yield f"turns is {turns!r}: expected a number from 1 to {MOST_TURNS}"
        turns = 1
    elif limit is not None and turns > limit:
        yield f"turns is {turns}, past the turn limit of {limit} (S26)"
    winner, won = position.get("winner"), game.family.winners(game, position)
    if winner is None:
        yield from _running_problems(game, position.get("to_move"), won)
    elif not isinstance(winner, (list, tuple)):
        yield f"winner is {winner!r}: expected a list of colours, empty for a truncated game"
    else:
        yield from _finished_problems(game, position, list(winner), won)
        if not winner and not won and (limit is None or turns != limit):
            why = f"turns is {turns}, limit {limit}"
            yield f"winner is empty, but a game is truncated at its turn limit only (S26): {why}"


def _running_problems(game: Variant, to_move: object, won: list[str] | None) -> Iterator[str]:
    if to_move not in game.colours:
        yield f"to_move is {to_move!r}: expected one of {list(game.colours)}"
    if won:
        yield f'{won[0]} {game.family.winning}: the game is over, so "winner" is {won} and "to_move" null'


def _finished_problems(
    game: Variant, position: Mapping[str, Any], winner: list[Any], won: list[str] | None
) -> Iterator[str]:
    rule = game.family.winning_rule
    for key in ("to_move", *game.family.acting):
        if position.get(key) not in (None, []):
            empty = "[]" if isinstance(position[key], (list, tuple)) else "null"
            yield f"{key} is {position[key]!r}, but the game is over: expected {empty}"
    if won is None:
        yield from (f"winner names {colour!r}, who has no seat" for colour in winner if colour not in game.colours)
    elif len(won) > 1 + game.ruleset.partners:
        yield f"{won}: each {game.family.winning}, but the game ends with the first that does ({rule})"
    elif sorted(map(str, winner)) != sorted(won):
        yield f"winner is {winner}, but {won or 'nobody'} {game.family.winning} ({rule})"


def _fill(game: Variant, position: Mapping[str, Any], s: Any) -> None:
    """Write a position without problems into a STATE row."""
    winner = position.get("winner")
    s["turns"] = position.get("turns", 1)
    s["over"] = winner is not None
    s["winners"] = sum(1 << game.seat_of(colour) for colour in winner or ())
    s["seat"] = 0 if winner is not None else game.seat_of(position["to_move"])
    game.family.fill(game, position, s)
