"""Sorry! Express as a game beside others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from sorry_env.express.actions import Action, ExpressActions, action_table, face_text
from sorry_env.express.board import OUTCOMES, PAWNS
from sorry_env.express.engine import deal, draw, legal, odds, play, reset
from sorry_env.express.features import ExpressFeatures, encode
from sorry_env.express.position import KEYS, fill, problems, to_keys, winners
from sorry_env.express.row import rules_row
from sorry_env.express.rules import EXPRESS, ExpressRules
from sorry_env.express.state import STATE, room
from sorry_env.family import Family, Terms
from sorry_env.line import Position
from sorry_env.texts import Texts
from sorry_env.turns import returns
from sorry_env.verbs import Rules, States

if TYPE_CHECKING:  # built on families
    from sorry_env.variant import Variant


class Express(Family):
    """Sorry! Express, sold again as Sorry! Diced! (section E)."""

    name = "express"
    state = STATE
    verbs = (room, reset, legal, play, odds, deal, draw, returns, encode)
    rulesets = (EXPRESS,)
    keys: ClassVar[tuple[str, ...]] = KEYS
    acting: ClassVar[tuple[str, ...]] = ("dice",)
    winning = "has four pawns in its Home section"
    winning_rule = "E7"
    script = "roll"
    prompts = "die"

    def actions(self, rules: ExpressRules, seats: int) -> ExpressActions:
        """See `actions`."""
        return action_table(seats)

    def features(self, rules: ExpressRules, seats: int) -> ExpressFeatures:
        """See `features`."""
        return ExpressFeatures(rules, seats)

    def compiled(self, rules: ExpressRules, colours: tuple[str, ...], actions: Any, features: Any) -> Rules:
        """See `row`."""
        return rules_row(rules, colours, actions, features)

    def outcomes(self, game: "Variant", due: int) -> Sequence[list[str]]:
        """What three dice may show together, each as its faces in alphabetical order."""
        return [list(outcome) for outcome in OUTCOMES]

    def progress(self, game: "Variant", states: States) -> npt.NDArray[np.int64]:
        """(N, S) int64: Home pawns."""
        held, shown = states["held"][:, : game.seats], states["shown"][:, : game.seats, None]
        home: npt.NDArray[np.int64] = np.take_along_axis(held, shown.astype(np.int64), 2)[:, :, 0].astype(np.int64)
        return home

    def way(self, game: "Variant") -> int:
        """The four of a colour."""
        return PAWNS

    def terms(self, game: "Variant") -> Terms:
        """See `heuristic`."""
        from sorry_env.express.heuristic import TERMS, WEIGHTS_OF, term_vectors

        return Terms(TERMS, WEIGHTS_OF, term_vectors)

    def texts(self, game: "Variant", states: States) -> Texts:
        """See `texts`."""
        from sorry_env.express.texts import ExpressTexts

        return ExpressTexts(game, states)

    def block(self, game: "Variant", row: Action) -> tuple[str, str]:
        """The face of the die, and the move."""
        from sorry_env.express.texts import move_text

        return face_text(row.face), move_text(row)

    def position(self, game: "Variant", states: States, i: int) -> Position:
        """See `position`."""
        return to_keys(game, states[i])

    def problems(self, game: "Variant", position: Mapping[str, Any]) -> Iterator[str]:
        """See `position`."""
        return problems(game, position)

    def winners(self, game: "Variant", position: Mapping[str, Any]) -> list[str]:
        """Who has four pawns in its Home section (E7)."""
        return winners(game, position)

    def fill(self, game: "Variant", position: Mapping[str, Any], s: Any) -> None:
        """See `position`."""
        fill(game, position, s)

    def to_line(self, position: Position) -> str:
        """See `line`."""
        from sorry_env.express.line import to_line

        return to_line(position)

    def from_line(self, line: str) -> Position:
        """See `line`."""
        from sorry_env.express.line import from_line

        return from_line(line)

    def ansi(self, game: "Variant", states: States, colour: bool = True) -> str:
        """See `scene`."""
        from sorry_env.express.scene import ansi

        return ansi(game, states, colour)

    def svg(self, game: "Variant", states: States) -> str:
        """See `scene`."""
        from sorry_env.express.scene import svg

        return svg(game, states)
