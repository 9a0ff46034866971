"""Who sits where: the learner's seat, and the players of the others, drawn for each game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env.errors import PlayerError, RulesetError
from sorry_env.learner import LANE, LEARNER, OVER, SETTINGS, Lane
from sorry_env.players import Player, make_player
from sorry_env.players.simple import Uniform
from sorry_env.starts import same_game
from sorry_env.variant import Variant

Floats = npt.NDArray[np.float64]

SEATS = ("random", "all")
"""What the learner's seat may be, beside a number."""


@dataclass(frozen=True)
class Pool:
    """Players of whom each new game draws one.

    Attributes:
        players: K spec strings or players.
        weights: how likely each is, in proportion, K numbers of 0 or more; None: all alike.
    """

    players: Sequence[str | Player]
    weights: Sequence[float] | None = None

    def __post_init__(self) -> None:
        """Refuse a pool of nobody, and weights that say nothing."""
        if isinstance(self.players, str) or not isinstance(self.players, Sequence):
            raise PlayerError(f"players of a pool is {self.players!r}: expected a list of spec strings and players")
        if not len(self.players):
            raise PlayerError("a pool of opponents is empty: name one player or more")
        if self.weights is None:
            return
        weights = np.asarray(self.weights, float)
        if weights.shape != (len(self.players),) or not np.isfinite(weights).all() or weights.min() < 0:
            raise PlayerError(f"weights is {self.weights!r}: expected {len(self.players)} numbers of 0 or more")
        if weights.sum() == 0:
            raise PlayerError("all weights of a pool are 0: nobody would be drawn")

    @property
    def cumulative(self) -> Floats:
        """(K,) float64: the share of draws that falls to a player or one before it; the last is 1."""
        weights = np.ones(len(self.players)) if self.weights is None else np.asarray(self.weights, float)
        shares: Floats = np.cumsum(weights) / weights.sum()
        return shares


Opponents = str | Player | Pool | Sequence[Any]
"""One for all other seats, or a sequence with one for each of them, in turn order after the learner."""


_Drawn = tuple[list[Player], Floats]
"""Players, and `Pool.cumulative`."""


class Seating:
    """Who sits where in N games of S seats: one learner, and players.

    Attributes:
        game: the variant.
        players: those who sit somewhere or may be drawn, by number.
        table: (N,) LANE, whose `seating` is kept in step with the numbers.
        settings: (1,) SETTINGS, likewise its `uniform` and `seat`.
        numbers: (S - 1, K) int64, the players of whom one is drawn for each other seat.
        shares: (S - 1, K) float64, the share of draws that falls to a player or one before it.
    """

    def __init__(self, game: Variant, count: int, opponents: Opponents, seat: int | str) -> None:
        """Take the learner's seat, 0..S-1, "random" or "all", and its opponents; see `Contest`.

        Raises:
            RulesetError: no such seat.
            PlayerError, CheckpointError: an opponent that cannot be.
        """
        self.game, self._seat = game, _checked_seat(seat, game)
        self.players: list[Player] = []
        self.table: Lane = np.zeros(count, LANE)
        self.table["seating"] = LEARNER
        self.settings: Lane = np.zeros(1, SETTINGS)
        self.settings["first"] = -1
        self.settings["seat"] = -1 if isinstance(self._seat, str) else self._seat
        self.invite(opponents)

    def invite(self, opponents: Opponents) -> None:
        """Whom the learner meets in games that begin from now on; those that run keep their players.

        Raises:
            PlayerError, CheckpointError: an opponent that cannot be; nothing changes.
        """
        pools = [] if self._seat == "all" else self._read(opponents)
        sitting = [self.players[k] for k in np.unique(self.table["seating"]) if k != LEARNER]
        self._number(sitting, pools)

    def _number(self, sitting: list[Player], pools: list[_Drawn]) -> None:
        """Number the players anew: those who sit somewhere, in a list of all known, and those who may be drawn."""
        players = list(
            {id(player): player for player in [*sitting, *(one for pool, _ in pools for one in pool)]}.values()
        )
        numbers = {id(player): k for k, player in enumerate(players)}
        moved = [numbers.get(id(player), LEARNER) for player in self.players]
        self.table["seating"] = np.array([*moved, LEARNER])[self.table["seating"]]  # LEARNER, -1, is the last of them
        self.players, self._pools = players, pools
        most = max((len(pool) for pool, _ in pools), default=0)
        self.numbers, self.shares = np.zeros((len(pools), most), np.int64), np.ones((len(pools), most))
        for k, (pool, shares) in enumerate(pools):
            self.numbers[k, : len(pool)] = [numbers[id(player)] for player in pool]
            self.shares[k, : len(pool) - 1] = shares[:-1]
        uniform = [k for k, player in enumerate(players) if type(player) is Uniform]
        self.settings["uniform"] = uniform[0] if uniform else OVER

    def _read(self, opponents: Opponents) -> list[_Drawn]:
        """A pool for each other seat, of players that are made."""
        others = self.game.seats - 1
        if isinstance(opponents, (str, Pool)) or not isinstance(opponents, Sequence):
            opponents = [opponents]
        if len(opponents) not in (1, others):
            wanted = "1" if others == 1 else f"{others}, or one for all of them"
            raise PlayerError(f"{len(opponents)} opponents for {others} other seats; give {wanted}")
        made: dict[str, Player] = {p.spec: p for p in self.players if type(p) is Uniform}  # files may have changed
        pools = [self._read_pool(entry, made) for entry in opponents]
        return pools * others if len(pools) == 1 else pools

    def _read_pool(self, entry: Any, made: dict[str, Player]) -> _Drawn:
        if not isinstance(entry, Pool):
            entry = Pool([entry] if isinstance(entry, str) or not isinstance(entry, Sequence) else entry)
        return [self._player(one, made) for one in entry.players], entry.cumulative

    def _player(self, one: Any, made: dict[str, Player]) -> Player:
        """A player of this variant; the same spec is the same player, so that all its games are one batch."""
        if isinstance(one, str):
            if one not in made:
                made[one] = make_player(one, self.game)
            return made[one]
        if not hasattr(one, "choose"):
            raise PlayerError(f"{one!r} is no opponent: expected a spec string or a player")
        if not same_game(one.game, self.game):
            raise PlayerError(f"{one.spec!r} was made for {one.game}, but this is {self.game}")
        player: Player = made.setdefault(one.spec, one) if type(one) is Uniform else one
        return player

    @property
    def specs(self) -> list[str]:
        """The players' spec strings, by number."""
        return [player.spec for player in self.players]

    def restore(self, table: Lane, specs: Sequence[str]) -> None:
        """Go back to (N,) LANE of a time when the players had these specs; whom new games meet stays.

        Raises:
            PlayerError, CheckpointError: a player that cannot be made again.
        """
        made = {player.spec: player for player in self.players}
        before = [self._player(spec, made) for spec in specs]
        self.table["seating"] = LEARNER
        self._number(before, self._pools)
        numbers = {id(player): k for k, player in enumerate(self.players)}
        self.table[:] = table
        self.table["seating"] = np.array([*(numbers[id(player)] for player in before), LEARNER])[table["seating"]]


def _checked_seat(seat: int | str, game: Variant) -> int | str:
    if isinstance(seat, str) and seat in SEATS:
        return seat
    if isinstance(seat, (bool, str)) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < game.seats:
        raise RulesetError(f"seat is {seat!r}: expected 0 to {game.seats - 1}, 'random' or 'all'")
    return int(seat)
