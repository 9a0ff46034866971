"""Parcheesi as a game beside others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from sorry_env.family import Family, Terms
from sorry_env.line import Position
from sorry_env.parcheesi.actions import ParcheesiActions, action_table
from sorry_env.parcheesi.board import HOME, NEST, OUTCOMES, left_table
from sorry_env.parcheesi.engine import deal, draw, legal, odds, play, reset
from sorry_env.parcheesi.features import ParcheesiFeatures, encode
from sorry_env.parcheesi.insight import insight, insight_table
from sorry_env.parcheesi.row import rules_row
from sorry_env.parcheesi.rules import EDITIONS, ParcheesiRules
from sorry_env.parcheesi.state import STATE, room
from sorry_env.tables import FeatureTable
from sorry_env.texts import Texts
from sorry_env.turns import returns
from sorry_env.verbs import Rules, States

if TYPE_CHECKING:  # built on families
    from sorry_env.variant import Variant

PROGRESS = np.maximum(int(left_table()[NEST]) - left_table().astype(np.int64), 0)
"""(PLACES,) int64: steps from the nest to each place, 1 to the entry square; none beyond the turn-off (P11)."""


class Parcheesi(Family):
    """Parcheesi (section P)."""

    name = "parcheesi"
    state = STATE
    verbs = (room, reset, legal, play, odds, deal, draw, returns, encode, insight)
    rulesets = EDITIONS
    keys: ClassVar[tuple[str, ...]] = ("pieces", "dice", "rewards", "rolled", "doublets", "together")
    acting: ClassVar[tuple[str, ...]] = ("dice", "rewards", "together")
    winning = "has all pieces Home"
    winning_rule = "P13"
    script = "roll"
    prompts = "die or reward"

    def actions(self, rules: ParcheesiRules, seats: int) -> ParcheesiActions:
        """See `actions`."""
        return action_table(rules)

    def features(self, rules: ParcheesiRules, seats: int) -> ParcheesiFeatures:
        """See `features`."""
        return ParcheesiFeatures(rules, seats)

    def insights(self, rules: ParcheesiRules, seats: int) -> FeatureTable:
        """See `insight`."""
        return insight_table(seats)

    def compiled(self, rules: ParcheesiRules, colours: tuple[str, ...], actions: Any, features: Any) -> Rules:
        """See `row`."""
        return rules_row(rules, colours, actions, features)

    def outcomes(self, game: "Variant", due: int) -> Sequence[list[int]]:
        """The rolls, the lower die first."""
        return [list(roll) for roll in OUTCOMES]

    def progress(self, game: "Variant", states: States) -> npt.NDArray[np.int64]:
        """(N, S) int64: steps that each seat's pieces have come in all."""
        steps: npt.NDArray[np.int64] = PROGRESS[states["pieces"][:, : game.seats, : game.ruleset.pieces]].sum(axis=2)
        return steps

    def way(self, game: "Variant") -> int:
        """From the nest to Home, with every piece."""
        return int(PROGRESS[HOME]) * int(game.ruleset.pieces)

    def terms(self, game: "Variant") -> Terms:
        """See `heuristic`."""
        from sorry_env.parcheesi.heuristic import TERMS, WEIGHTS, term_vectors

        return Terms(TERMS, WEIGHTS, term_vectors)

    def texts(self, game: "Variant", states: States) -> Texts:
        """See `texts`."""
        from sorry_env.parcheesi.texts import ParcheesiTexts

        return ParcheesiTexts(game, states)

    def block(self, game: "Variant", row: Any) -> tuple[str, str]:
        """The die or reward, and the move."""
        from sorry_env.parcheesi.texts import block_words

        return block_words(row)

    def position(self, game: "Variant", states: States, i: int) -> Position:
        """See `position`."""
        from sorry_env.parcheesi.position import to_keys

        return to_keys(game, states[i])

    def problems(self, game: "Variant", position: Mapping[str, Any]) -> Iterator[str]:
        """See `position`."""
        from sorry_env.parcheesi.position import problems

        return problems(game, position)

    def winners(self, game: "Variant", position: Mapping[str, Any]) -> list[str] | None:
        """Who has all pieces Home (P13)."""
        from sorry_env.parcheesi.position import finished

        return finished(game, position.get("pieces"))

    def fill(self, game: "Variant", position: Mapping[str, Any], s: Any) -> None:
        """See `position`."""
        from sorry_env.parcheesi.position import fill

        fill(game, position, s)

    def to_line(self, position: Position) -> str:
        """See `line`."""
        from sorry_env.parcheesi.line import to_line

        return to_line(position)

    def from_line(self, line: str) -> Position:
        """See `line`."""
        from sorry_env.parcheesi.line import from_line

        return from_line(line)

    def ansi(self, game: "Variant", states: States, colour: bool = True) -> str:
        """See `scene`."""
        from sorry_env.parcheesi.scene import ansi

        return ansi(game, states, colour)

    def svg(self, game: "Variant", states: States) -> str:
        """See `scene`."""
        from sorry_env.parcheesi.scene import svg

        return svg(game, states)
