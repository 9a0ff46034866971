"""The Sorry! family as a game beside others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from sorry_env.errors import IllegalAction, RulesetError
from sorry_env.family import Family, Floats, Seats, Terms
from sorry_env.line import Position
from sorry_env.random import Generators
from sorry_env.sorry import board, hands
from sorry_env.sorry.actions import SorryActions, action_table
from sorry_env.sorry.engine import deal, draw, legal, odds, play, reset, returns
from sorry_env.sorry.features import SorryFeatures, encode
from sorry_env.sorry.insight import insight, insight_table
from sorry_env.sorry.row import rules_row
from sorry_env.sorry.rules import CARDS, EDITIONS, SorryRules
from sorry_env.sorry.state import STATE, room
from sorry_env.tables import FeatureTable
from sorry_env.texts import Texts
from sorry_env.verbs import Rules, States

if TYPE_CHECKING:  # built on families
    from sorry_env.sorry.spaces import Duel, Solo
    from sorry_env.variant import Variant

YES_NO = ("yes", "no")
"""The outcomes of a coin (N3)."""


class Sorry(Family):
    """Every edition of Sorry!, from one engine."""

    name = "sorry"
    state = STATE
    verbs = (room, reset, legal, play, odds, deal, draw, returns, encode, insight)
    rulesets = EDITIONS
    keys: ClassVar[tuple[str, ...]] = ("card", "pawns", "pile", "hands", "fire", "ice", "phase", "pending")
    acting: ClassVar[tuple[str, ...]] = ("card", "phase", "pending")
    winning = "has all pawns Home"
    script = "card"
    prompts = "card or decision"

    def check_seats(self, rules: SorryRules, seats: int) -> None:
        """Refuse hands that leave no card to draw (H1)."""
        held = seats * rules.hand_size
        if held >= sum(rules.counts) and not rules.replacement:
            raise RulesetError(
                f"hand_size={rules.hand_size} for {seats} seats takes {held} cards, and the deck has "
                f"{sum(rules.counts)}: hands need a larger deck (H1)"
            )

    def actions(self, rules: SorryRules, seats: int) -> SorryActions:
        """See `actions`."""
        return action_table(rules, seats)

    def features(self, rules: SorryRules, seats: int) -> SorryFeatures:
        """See `features`."""
        return SorryFeatures(rules, seats)

    def insights(self, rules: SorryRules, seats: int) -> FeatureTable:
        """See `insight`."""
        return insight_table()

    def compiled(self, rules: SorryRules, colours: tuple[str, ...], actions: Any, features: Any) -> Rules:
        """See `row`."""
        return rules_row(rules, colours, actions, features)

    def outcomes(self, game: "Variant", due: int) -> Sequence[str]:
        """The cards, or yes and no."""
        return YES_NO if due == board.COIN else CARDS

    def check_script(self, game: "Variant", trial: States, k: int, outcome: int) -> None:
        """The pile must hold the card by then (S3)."""
        if game.ruleset.hand_size and not trial["pile"].any():
            raise IllegalAction(
                f"card {k} of the deck comes after the pile is used up: what is shuffled back then depends on the "
                f"hands, so at most {k} cards can be given here (H4)"
            )
        if outcome not in dict(game.odds(trial)):
            raise IllegalAction(
                f"card {k} of the deck, {CARDS[outcome]!r}, cannot come: none is left in the pile by then"
            )

    def view(self, game: "Variant", states: States, seats: Seats | None) -> States:
        """Others' hands face down, their cards among the unseen (H1)."""
        if not game.ruleset.hand_size:
            return states
        viewers = states["seat"] if seats is None else np.broadcast_to(seats, len(states))
        seen = states.copy()
        hands.view_lanes(seen, game.rules, viewers.astype(np.int64))
        return seen

    def determinize(self, game: "Variant", states: States, seats: Seats, rng: Generators) -> States:
        """Others' hands dealt anew out of what the seat has not seen."""
        if not game.ruleset.hand_size:
            return states.copy()
        dealt = self.view(game, states, seats)
        hands.determinize_lanes(dealt, game.rules, rng)
        return dealt

    def score(self, game: "Variant", states: States) -> Floats:
        """Points, or 1 for a win (H5-H7)."""
        from sorry_env.sorry.points import points

        return super().score(game, states) if game.ruleset.points is None else points(game, states)

    def best_score(self, game: "Variant") -> float:
        """All pawns Home and the largest prize, or 1 for a win (H5-H7)."""
        from sorry_env.sorry.points import best_points

        return super().best_score(game) if game.ruleset.points is None else best_points(game)

    def progress(self, game: "Variant", states: States) -> npt.NDArray[np.int64]:
        """See `points.progress`."""
        from sorry_env.sorry.points import progress

        return progress(game, states)

    def way(self, game: "Variant") -> int:
        """From Start to Home, with every pawn."""
        from sorry_env.sorry.points import PROGRESS

        return int(PROGRESS[board.HOME]) * int(game.ruleset.pawns)

    def terms(self, game: "Variant") -> Terms:
        """See `heuristic`."""
        from sorry_env.sorry.heuristic.terms import TERMS, term_vectors
        from sorry_env.sorry.heuristic.weights import weights_of

        return Terms(TERMS, weights_of(game), term_vectors)

    def solo(self, game: "Variant") -> "Solo":
        """See `spaces`."""
        from sorry_env.sorry.spaces import Solo

        return Solo(game)

    def duel(self, game: "Variant", pawns: int, near: bool = False) -> "Duel":
        """See `spaces`."""
        from sorry_env.sorry.spaces import Duel

        return Duel(game, pawns, near)

    def texts(self, game: "Variant", states: States) -> Texts:
        """See `texts`."""
        from sorry_env.sorry.texts import SorryTexts

        return SorryTexts(game, states)

    def block(self, game: "Variant", row: Any) -> tuple[str, str]:
        """The card or decision, and the move."""
        from sorry_env.sorry.texts import move_text

        return row.prompt, move_text(row, game)

    def position(self, game: "Variant", states: States, i: int) -> Position:
        """See `position`."""
        from sorry_env.sorry.position import to_keys

        return to_keys(game, states[i])

    def problems(self, game: "Variant", position: Mapping[str, Any]) -> Iterator[str]:
        """See `position`."""
        from sorry_env.sorry.position import problems

        return problems(game, position)

    def winners(self, game: "Variant", position: Mapping[str, Any]) -> list[str] | None:
        """Who has all pawns Home (S11, T6)."""
        from sorry_env.sorry.position import finished

        return finished(game, position.get("pawns"))

    def fill(self, game: "Variant", position: Mapping[str, Any], s: Any) -> None:
        """See `position`."""
        from sorry_env.sorry.position import fill

        fill(game, position, s)

    def doubts(self, game: "Variant", states: States) -> Iterator[str]:
        """Decisions that do not arise."""
        from sorry_env.sorry.pending import decision_problems

        return decision_problems(game, states)

    def to_line(self, position: Position) -> str:
        """See `line`."""
        from sorry_env.sorry.line import to_line

        return to_line(position)

    def from_line(self, line: str) -> Position:
        """See `line`."""
        from sorry_env.sorry.line import from_line

        return from_line(line)

    def ansi(self, game: "Variant", states: States, colour: bool = True) -> str:
        """See `render`."""
        from sorry_env.sorry.render import ansi, scene

        return ansi(scene(game, states), colour)

    def svg(self, game: "Variant", states: States) -> str:
        """See `render`."""
        from sorry_env.sorry.render import scene, svg

        return svg(scene(game, states))
