"""What a game brings. Everything in this folder is the same for all games; each of them has a folder of its own.

`docs/new-game.md` walks through a small one.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from sorry_env import verbs
from sorry_env.errors import InvalidPosition, PlayerError, SolveError
from sorry_env.line import Position
from sorry_env.random import Generators
from sorry_env.rulesets import RULESETS, Ruleset
from sorry_env.tables import ActionTable, FeatureTable
from sorry_env.texts import Texts
from sorry_env.verbs import Rules, States

if TYPE_CHECKING:  # built on families
    from sorry_env.solve.graph import Course, Space
    from sorry_env.variant import Variant

Floats = npt.NDArray[np.float64]
Seats = npt.NDArray[np.integer[Any]] | int
"""(N,) a seat for each state, or one for all."""
COMMON = ("turns", "due", "seat", "over", "winners")
"""The fields that a STATE row of any game has."""


class Terms:
    """What a heuristic player of a game knows.

    Attributes:
        names: of the terms, T of them.
        meanings: what each says, by name.
        weights: what each counts, by name; 0 for those left out.
        vectors: `(game, after, seats) -> (M, T) float64`, the terms of (M,) afterstates for a seat of each.
    """

    def __init__(
        self,
        meanings: Mapping[str, str],
        weights: Mapping[str, float],
        vectors: Callable[["Variant", States, Any], Floats],
    ) -> None:
        """Keep them; the meanings are in the order of a vector of terms."""
        self.names, self.meanings = tuple(meanings), dict(meanings)
        self.weights, self.vectors = dict(weights), vectors


class Family:
    """A game. A folder derives a class, overrides what its game has, and hands an instance to `register`.

    Shapes: N states, S seats, A actions, F features.

    Attributes:
        name: of the game.
        state: the dtype STATE of its states.
        verbs: its kernels, one for each of `verbs.VERBS`; `insight` may be left out.
        rulesets: its named rulesets.
        keys: of position dicts, beside those that all games have.
        acting: those of `keys` that say what is to be done, and are null when the game is over.
        winning: what a colour has when it has won, to follow its name in a sentence.
        winning_rule: the rule's number.
        script: what chance brings, one of it: "card", "roll".
        prompts: what an action is an answer to: "card or decision", "die".
    """

    name: ClassVar[str]
    state: ClassVar[np.dtype[Any]]
    verbs: ClassVar[tuple[Callable[..., Any], ...]]
    rulesets: ClassVar[tuple[Ruleset, ...]]
    keys: ClassVar[tuple[str, ...]] = ("state",)
    acting: ClassVar[tuple[str, ...]] = ()
    winning: ClassVar[str] = "has won"
    winning_rule: ClassVar[str] = "S11"
    script: ClassVar[str] = "outcome"
    prompts: ClassVar[str] = "decision"

    # --- what is compiled

    def check_seats(self, rules: Any, seats: int) -> None:
        """Raise RulesetError where the rules do not go with so many seats."""

    def actions(self, rules: Any, seats: int) -> ActionTable[Any]:
        """The action table of a ruleset and a seat count."""
        raise NotImplementedError

    def features(self, rules: Any, seats: int) -> FeatureTable:
        """The feature table of a ruleset and a seat count."""
        raise NotImplementedError

    def insights(self, rules: Any, seats: int) -> FeatureTable:
        """What a value net is shown beside an observation: the slices that the verb `insight` writes; none here."""
        return FeatureTable({})

    def compiled(
        self, rules: Any, colours: tuple[str, ...], actions: ActionTable[Any], features: FeatureTable
    ) -> Rules:
        """(1,) RULES: all that kernels have to know of a ruleset, its seats' colours and its tables."""
        raise NotImplementedError

    # --- chance, and what is hidden

    def outcomes(self, game: "Variant", due: int) -> Sequence[Any]:
        """The outcomes of chance in words that JSON can hold, by number, where `due` is what is due."""
        raise NotImplementedError

    def check_script(self, game: "Variant", trial: States, k: int, outcome: int) -> None:
        """Raise IllegalAction where the k-th outcome of a script cannot come in (1,) STATE by then."""

    def view(self, game: "Variant", states: States, seats: Seats | None) -> States:
        """(N,) STATE: see `Variant.view`; the states themselves where nothing is hidden."""
        return states

    def determinize(self, game: "Variant", states: States, seats: Seats, rng: Generators) -> States:
        """(N,) STATE: see `Variant.determinize`; copies where nothing is hidden."""
        return states.copy()

    # --- what a game is worth

    def score(self, game: "Variant", states: States) -> Floats:
        """(N, S) float64: the score of finished games, zeros for others; 1 for a win where the game has no points."""
        return (game.returns(states) > 0).astype(np.float64)

    def best_score(self, game: "Variant") -> float:
        """The most that `score` can be."""
        return 1.0

    def progress(self, game: "Variant", states: States) -> npt.NDArray[np.int64]:
        """(N, S) int64: steps that each seat's pieces have come in all."""
        return np.zeros((len(states), game.seats), np.int64)

    def way(self, game: "Variant") -> int:
        """The steps of a seat's whole way: the most that `progress` can be."""
        return 1

    def terms(self, game: "Variant") -> Terms:
        """What the heuristic player knows.

        Raises:
            PlayerError: the game has none.
        """
        raise PlayerError(f"{self.name} has no heuristic player; take 'greedy'")

    # --- what is solved exactly

    def solo(self, game: "Variant") -> "Course":
        """The positions of one seat that is alone on the board.

        Raises:
            SolveError: the game is not solved.
        """
        raise SolveError(f"{game.ruleset} is not solved exactly")

    def duel(self, game: "Variant", pawns: int, near: bool = False) -> "Space":
        """The positions of two seats that have no more than so many pawns left.

        Args:
            game: the variant.
            pawns: how many.
            near: where there are too many positions, as what is left in a pile belongs to them, take the game in which
                each outcome of chance is as likely as in the beginning.

        Raises:
            SolveError: the game is not solved.
        """
        raise SolveError(f"{game.ruleset} is not solved exactly")

    # --- words

    def texts(self, game: "Variant", states: States) -> Texts:
        """The words for the actions of (1,) STATE."""
        return Texts(game, states)

    def block(self, game: "Variant", row: Any) -> tuple[str, str]:
        """What an action is an answer to, and what it has in common with its neighbours in the table, for the docs."""
        return str(row), ""

    def position(self, game: "Variant", states: States, i: int) -> Position:
        """State i as far as `keys` go: those of a position dict that not all games have."""
        own = [name for name in (self.state.names or ()) if name not in COMMON]
        return {"state": {"due": int(states[i]["due"])} | {name: states[i][name].tolist() for name in own}}

    def problems(self, game: "Variant", position: Mapping[str, Any]) -> Iterator[str]:
        """Every reason why the keys of a position dict cannot be."""
        own = position.get("state")
        if not isinstance(own, Mapping):
            yield f"state is {own!r}: expected a dict of the fields of a state"

    def winners(self, game: "Variant", position: Mapping[str, Any]) -> list[str] | None:
        """The colours that have won as a position's pieces stand; None where the pieces do not tell."""
        return None

    def fill(self, game: "Variant", position: Mapping[str, Any], s: Any) -> None:
        """Write the keys of a position without problems into a STATE row that has the fields that all games have."""
        for name, value in position["state"].items():
            s[name] = value

    def doubts(self, game: "Variant", states: States) -> Iterator[str]:
        """Why (1,) STATE, filled and not over, cannot be: what is seen only with the rules in hand."""
        yield from ()

    def to_line(self, position: Position) -> str:
        """A position dict as one line of text."""
        return json.dumps(position)

    def from_line(self, line: str) -> Position:
        """The position dict of a line; whether it makes sense is for others to say.

        Raises:
            InvalidPosition: it cannot be read.
        """
        try:
            position = json.loads(line)
        except json.JSONDecodeError as error:
            raise InvalidPosition(f"cannot read the line {line!r}: {error}") from error
        return dict(position)

    # --- pictures

    def ansi(self, game: "Variant", states: States, colour: bool = True) -> str:
        """(1,) STATE as lines of text, with or without the colours of a terminal."""
        return json.dumps(self.position(game, states, 0))

    def svg(self, game: "Variant", states: States) -> str:
        """(1,) STATE as an SVG picture."""
        raise NotImplementedError(f"{self.name} has no picture")


FAMILIES: dict[str, Family] = {}
"""Ruleset -> the game that it is one of."""


def register(family: Family) -> None:
    """Make a game known to everything that plays by name."""
    verbs.register(family.state, *family.verbs)
    for rules in family.rulesets:
        RULESETS[rules.name] = rules
        FAMILIES[rules.name] = family
