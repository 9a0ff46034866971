"""How a game is to begin: the options of an environment's `reset`, checked before anything is changed."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env.errors import IllegalAction, InvalidPosition, RulesetError, suggestion
from sorry_env.line import Position
from sorry_env.position import from_position
from sorry_env.random import generators
from sorry_env.variant import Variant
from sorry_env.verbs import CHANCE, States

Deck = npt.NDArray[np.int16]
"""(D,) int16, outcomes of chance by number."""

OPTIONS = ("position", "first", "deck")
"""What `start_of` reads."""
_DECKS = ("cards", "dice", "die", "roll", "rolls")
"""What one may take `deck` for."""


@dataclass(frozen=True)
class Start:
    """How a game begins.

    Attributes:
        states: (1,) STATE to begin from, of the caller's own; None for a new game.
        first: the seat that begins a new game; None draws one.
        deck: (D,) int16, what chance brings before the generator does, as numbers.
    """

    states: States | None
    first: int | None
    deck: Deck


def start_of(game: Variant, options: Mapping[str, Any] | None, known: Sequence[str] = OPTIONS) -> Start:
    """What the options of a reset ask for.

    Args:
        game: the variant that is played.
        options: `position`, a position dict or line to begin from; `first`, the colour that begins; `deck`, what
            chance brings, as `Game.chance` words it, the first first. Foreign keys are for others, as PettingZoo has
            it, but a misspelt one is a mistake.
        known: the keys that the environment knows; of `OPTIONS` those are read, any others are its own business.

    Raises:
        RulesetError: a misspelt option, or one that contradicts another or the game.
        InvalidPosition: the position cannot be, is finished, or is one of another game.
        IllegalAction: an outcome of `deck` that cannot come by then.
    """
    if options is None:
        return Start(None, None, np.empty(0, np.int16))
    if not isinstance(options, Mapping):
        raise RulesetError(f"options is {options!r}: expected a dict with some of {list(known)}")
    _check_spelling(options, known)
    position, first, deck = (options.get(key) if key in known else None for key in OPTIONS)
    if position is not None and first is not None:
        raise RulesetError("position and first contradict each other: the position says who is to move")
    states = None if position is None else _states_of(game, position)
    seat = None if first is None else game.seat_of(first)
    return Start(states, seat, _numbers(game, states, deck))


def same_game(one: Variant, other: Variant) -> bool:
    """Whether two variants are the same game; they are mostly, but not always, the same object."""
    return one is other or (one.ruleset, one.colours) == (other.ruleset, other.colours)


def _check_spelling(options: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in options:
        word = str(key).lower()
        meant = "deck" if word in _DECKS and "deck" in known else word
        if key not in known and difflib.get_close_matches(meant, known, n=1, cutoff=0.8):
            raise RulesetError(f"unknown option {key!r}; {suggestion(meant, known)}")


def _states_of(game: Variant, position: Position | str) -> States:
    """(1,) STATE of a running position of this game."""
    of, states = from_position(position)
    if not same_game(of, game):
        raise InvalidPosition(f"the position is one of {of}, but this environment plays {game}")
    if states[0]["over"]:
        raise InvalidPosition("the game in this position is over: nothing is left to play")
    return states


def _numbers(game: Variant, states: States | None, deck: Sequence[Any] | None) -> Deck:
    """The scripted outcomes as numbers, after letting them happen once to see whether they can come."""
    if deck is None:
        return np.empty(0, np.int16)
    trial = _trial(game, states)
    what, words = game.family.script, list(game.outcomes(trial))
    if not isinstance(deck, (list, tuple)):
        raise IllegalAction(f"deck is {deck!r}: expected a list of {what}s, as in {words[:2]}")
    numbers = []
    for k, outcome in enumerate(deck):
        trial["due"] = CHANCE  # what the one before it may have brought with it is not played
        number = game.outcome_number(trial, outcome)
        if number is None:
            why = game.why_no_outcome(trial, outcome)
            raise IllegalAction(f"{what} {k} of the deck is {outcome!r}; {why}")
        numbers.append(number)
        game.family.check_script(game, trial, k, number)
        game.deal(trial, number)
    return np.array(numbers, np.int16)


def _trial(game: Variant, states: States | None) -> States:
    """(1,) STATE in which chance is due, to try a script in."""
    trial = game.new_states(1) if states is None else states.copy()
    if states is None:
        game.new_game(trial, generators(0, 1), 0)
    trial["due"] = CHANCE
    return trial
