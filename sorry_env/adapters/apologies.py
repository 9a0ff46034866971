"""The reward player of the published package `apologies` as a player: `apologies`, for comparison with the outside.

It plays as the package's `RewardV1InputSource` does: of the moves that the package lists it takes the one after which
its reward is largest, of equal ones the first listed. The reward counts squares left to Home, pawns in safety and a
win, its own less the others', and is 0 for whoever is behind: a player that is far behind takes the first move listed.

Where the package's rules differ from ours (`docs/rules.md` lists its wrong results), the best move is taken that leads
to the same board as an action of ours. If there is none, it takes the action after which the reward is largest.
"""

import numpy as np
import numpy.typing as npt
from apologies.game import Card, CardType, GameMode, Pawn, PlayerColor, PlayerView
from apologies.game import Player as Side
from apologies.rules import Move, Rules
from apologies.source import RewardV1InputSource

from sorry_env.errors import PlayerError
from sorry_env.random import Generators
from sorry_env.sorry.board import card_in_play, place_number, place_value
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States

Board = npt.NDArray[np.integer]
"""(S, 4) places along the path of each seat's pawns, each seat's in ascending order, as a state has them."""

_RULES = Rules(GameMode.STANDARD)
_SOURCE = RewardV1InputSource()


class Apologies:
    """Asks the package, one state at a time; it takes milliseconds for each."""

    def __init__(self, game: Variant, spec: str = "apologies") -> None:
        """Take a variant of `classic` that is played for one's own four pawns, with the card drawn.

        Raises:
            PlayerError: another game; the package knows no other.
        """
        rules = game.ruleset
        if rules.name != "classic" or rules.pawns != 4 or rules.hand_size:
            raise PlayerError(f"{spec!r} plays classic with four pawns and no hands, not {rules}")
        self.game, self.spec = game, spec
        self.colours = [PlayerColor[colour.upper()] for colour in game.colours]

    def choose(self, states: States, rng: Generators) -> IntArray:
        """The action that the package's player takes; it draws no lots. See `Player.choose`."""
        after, actions, counts = self.game.afterstates(states)
        chosen = np.zeros(len(states), np.int64)
        some = np.flatnonzero(counts)
        chosen[some] = actions[self._best(states, after, counts)[some]]
        return chosen

    def odds(self, states: States) -> tuple[IntArray, IntArray, npt.NDArray[np.float64]]:
        """1 for the action that it takes, 0 for the others; see `Player.odds`."""
        after, actions, counts = self.game.afterstates(states)
        odds = np.zeros(len(actions))
        odds[self._best(states, after, counts)[counts > 0]] = 1
        return actions, counts, odds

    def _best(self, states: States, after: States, counts: IntArray) -> IntArray:
        """(N,) int64: the action that it takes in each state, as an index into all; where nobody can act, any."""
        begins = np.cumsum(counts) - counts
        best = begins.copy()
        for i in np.flatnonzero(counts > 1):
            boards = after["pawns"][begins[i] : begins[i] + counts[i], : self.game.seats]
            best[i] += self._index(states[i]["pawns"], int(states[i]["seat"]), int(states[i]["due"]), boards)
        return best

    def _index(self, pawns: Board, seat: int, due: int, boards: npt.NDArray[np.integer]) -> int:
        """Which of our afterstates' (K, S, 4) boards it goes to, with that seat's card."""
        view, word = self._view(pawns, seat), str(card_in_play(due))
        card = Card(word, CardType("A" if word == "sorry" else word))
        for move in _ranked(view, _RULES.construct_legal_moves(view, card)):
            same = (boards == self._board(_RULES.evaluate_move(view, move))).all(axis=(1, 2))
            if same.any():
                return int(same.argmax())
        rewards = [_SOURCE.calculator.calculate(self._view(board, seat)) for board in boards]
        return int(np.argmax(rewards))

    def _view(self, pawns: Board, seat: int) -> PlayerView:
        """A board as the package shows it to a seat; its pawns are numbered by how far they have come."""
        sides = [self._side(number, pawns[number]) for number in range(self.game.seats)]
        mover = sides.pop(seat)
        return PlayerView(mover, {side.color: side for side in sides})

    def _side(self, seat: int, places: Board) -> Side:
        """A seat's pawns, (4,) places, as the package has them."""
        side, colour = Side(self.colours[seat]), self.game.colours[seat]
        for pawn, place in zip(side.pawns, places, strict=True):
            _put(pawn, place_value(colour, int(place)))
        return side

    def _board(self, view: PlayerView) -> Board:
        """What the package shows, as a board of ours."""
        sides = {view.player.color: view.player} | view.opponents
        rows = [
            sorted(place_number(colour, _place(pawn)) or 0 for pawn in sides[theirs].pawns)
            for colour, theirs in zip(self.game.colours, self.colours, strict=True)
        ]
        return np.array(rows)


def _ranked(view: PlayerView, moves: list[Move]) -> list[Move]:
    """Moves in the order in which the package's player prefers them, as its `choose_move` sorts them."""
    rewards = [_SOURCE.calculate(view, move, _RULES.evaluate_move) for move in moves]
    return [move for move, _ in sorted(rewards, key=lambda pair: pair[1], reverse=True)]


def _put(pawn: Pawn, place: str | int) -> None:
    """Set a pawn of theirs to a place of ours."""
    if place == "home":
        pawn.position.move_to_home()
    elif isinstance(place, int):
        pawn.position.move_to_square(place)
    elif place != "start":  # where it is from the beginning
        pawn.position.move_to_safe(int(place.removeprefix("safe ")) - 1)


def _place(pawn: Pawn) -> str | int:
    """Where a pawn of theirs stands, in our words."""
    position = pawn.position
    if position.square is not None:
        return position.square
    if position.safe is not None:
        return f"safe {position.safe + 1}"
    return "home" if position.home else "start"
