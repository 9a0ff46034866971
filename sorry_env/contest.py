"""Many games in which one learner meets players: what the Gymnasium environments and the adapters step.

A game goes on until the learner has a choice: chance, the uniform player and turns with a single way are played in
compiled code, other players are asked in batches, all lanes that wait for the same one at a time.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env.batch import Crew
from sorry_env.errors import IllegalAction, PlayerError, RulesetError
from sorry_env.lanes import TRIES, first_illegal_lanes
from sorry_env.learner import ILLEGAL, LANE, LEARNER, LOTS, NEVER, OVER, RUNNING, TRUNCATED, WON, to_learner
from sorry_env.players import Player
from sorry_env.random import seeded
from sorry_env.rewards import REWARDS, forfeit, potentials
from sorry_env.seating import Opponents, Seating
from sorry_env.settings import at_least_one, check_rewards, flag
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Seeds = npt.NDArray[np.uint64]

_KNOWN = 4
"""Most arrays that wait to be handed out again."""


@dataclass(frozen=True)
class Step:
    """What a step of N lanes gave; K of them have ended. S seats, A actions, F features.

    Attributes:
        rewards: (N,) float64, the learner's.
        terminated: (N,) bool, the game was won by somebody, or given away by an illegal action.
        truncated: (N,) bool, it had all its turns (S26).
        ended: (K,) int64, the lanes whose game has ended, ascending.
        features: (K, F) float32, what the learner sees at the end.
        masks: (K, A) int8, what would be legal then: nothing, except after an illegal action.
        returns: (K, S) float64, of each seat; zeros after an illegal action.
        illegal: (K,) bool, an illegal action has ended the game.
        seats: (K,) int64, the learner's seat.
        lengths: (K,) int64, the learner's steps in that game.
        sums: (K,) float64, its rewards added up.
        seating: (K, S) int64, who sat at each seat, by number in `Contest.seating.players`, or LEARNER.
        game: the variant.
        states: (K,) STATE, how the games ended.
    """

    rewards: Floats
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    ended: Ints
    features: npt.NDArray[np.float32]
    masks: npt.NDArray[np.int8]
    returns: Floats
    illegal: npt.NDArray[np.bool_]
    seats: Ints
    lengths: Ints
    sums: Floats
    seating: Ints
    game: Variant
    states: States

    @property
    def scores(self) -> Floats:
        """(K, S) float64, of each seat; zeros after an illegal action (H7)."""
        return self.game.score(self.states)


_ALONE = [np.empty(0)]
_UNHELD = sys.getrefcount(_ALONE[0])
"""What counts as a reference to an array that a list alone holds; the question itself may count."""


class Arrays:
    """Arrays of one shape, each handed out again when nobody holds it any more: new memory costs more than the game."""

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        """Remember the shape; there is none yet."""
        self._shape, self._dtype = shape, dtype
        self._known: list[npt.NDArray[Any]] = []

    def take(self) -> npt.NDArray[Any]:
        """One that nobody holds, nor a view of it; what stands in it means nothing."""
        for k in range(len(self._known)):
            if sys.getrefcount(self._known[k]) == _UNHELD:
                return self._known[k]
        array = self.new()
        if len(self._known) < _KNOWN:
            self._known.append(array)
        return array

    def new(self) -> npt.NDArray[Any]:
        """One of the same shape that is never handed out, zeroed."""
        return np.zeros(self._shape, self._dtype)


class Contest:
    """N games of one variant in which a learner meets players.

    Lane i depends on its own seed and actions alone, not on how many lanes or threads there are. Shapes: N lanes,
    S seats, A actions, F features.

    Attributes:
        game: the variant.
        count: N.
        states: (N,) STATE, in each of which the learner has to choose, or the game is over.
        seating: who sits where.
        features: (N, F) float32, what the learner's seat sees; with seat="all" the seat to move.
        masks: (N, A) int8, its legal actions; none when the game is over.
    """

    def __init__(
        self,
        game: Variant,
        count: int,
        opponents: Opponents = "uniform",
        *,
        seat: int | str = "random",
        rewards: str = "win",
        shaping: float = 0.0,
        skip_forced: bool = False,
        threads: int = 1,
        fresh: bool = True,
    ) -> None:
        """Set the tables; `reset` begins the games.

        Args:
            game: the variant.
            count: N.
            opponents: spec strings, players, or pools of which each new game draws one: one for all other seats, or a
                sequence with one for each, in turn order after the learner. A sequence within it is a pool of its own.
                With seat="all" it is not looked at.
            seat: the learner's, 0..S-1; "random": drawn for each game; "all": it plays all of them.
            rewards: what the end pays: "win", "points" or "score", as in `sorry_v0`.
            shaping: weight of the potential-based reward for progress.
            skip_forced: play the learner's turns with a single choice, too.
            threads: how many share the compiled work.
            fresh: write each step's features and masks into new arrays, so that those handed out stay as they are.

        Raises:
            RulesetError: a setting that cannot be, by name.
            PlayerError, CheckpointError: an opponent that cannot be.
        """
        self.game, self.count = game, at_least_one("count", count, " lane")
        check_rewards(rewards, shaping)
        skips = flag("skip_forced", skip_forced)
        self._reward_kind, self._shaping, self._fresh = rewards, float(shaping), bool(fresh)
        self._forfeit = forfeit(game, rewards)
        self._crew, self._all = Crew(threads), np.arange(count)
        self.states: States = game.new_states(count)
        self.seating = Seating(game, count, opponents, seat)
        self.seating.table["wait"] = OVER
        self.seating.settings["skip_forced"] = skips
        self._feature_arrays = Arrays((count, game.num_features), np.float32)
        self._mask_arrays = Arrays((count, game.num_actions), np.int8)
        self.features, self.masks = self._feature_arrays.take(), self._mask_arrays.take()
        self._last = game.new_states(count), self._feature_arrays.new(), self._mask_arrays.new()
        self._lengths, self._sums = np.zeros(count, np.int64), np.zeros(count)
        self._potentials = np.zeros((count, game.seats))
        self._no_books = self._books(np.empty(0, np.int64))

    @property
    def seats(self) -> Ints:
        """(N,) int64: the learner's seat; with seat="all" the seat to move."""
        seats: Ints = self.seating.table["seat"].copy()
        return seats

    @property
    def running(self) -> npt.NDArray[np.bool_]:
        """(N,) bool: whether the lane's game waits for the learner."""
        running: npt.NDArray[np.bool_] = self.seating.table["wait"] == LEARNER
        return running

    @property
    def begun(self) -> bool:
        """Whether there has been a reset."""
        return bool(self.seating.table["rng"].any())

    def set_opponents(self, opponents: Opponents) -> None:
        """Whom games meet that begin from now on; see `Seating.invite`."""
        self.seating.invite(opponents)

    def reset(
        self,
        seeds: Seeds | None = None,
        which: npt.NDArray[np.bool_] | None = None,
        *,
        position: States | None = None,
        first: int | None = None,
    ) -> None:
        """Begin new games, up to the learner's first choice.

        Args:
            seeds: (N,) uint64, one a lane; those of other lanes than `which` are not looked at. None: the generators
                go on; lanes without any get fresh ones.
            which: (N,) bool, the lanes; None: all.
            position: (1,) STATE to begin from instead of a new game.
            first: the seat that begins; None draws one.

        Raises:
            RulesetError: the learner never has a choice.
        """
        chosen = self._all if which is None else np.flatnonzero(which)
        unseeded = chosen[self.seating.table["rng"][chosen, 0] == 0]  # no generator is ever 0
        if seeds is not None:
            self._seed(seeds, chosen)
        elif len(unseeded):
            self._seed(np.random.SeedSequence().generate_state(self.count, np.uint64).astype(np.uint64), unseeded)
        self._renew(len(chosen))
        self.seating.settings["first"] = -1 if first is None else first
        try:
            self._run(chosen, np.zeros(len(chosen), np.int64), begin=True, start=position)
        finally:
            self.seating.settings["first"] = -1
        self._lengths[chosen], self._sums[chosen] = 0, 0.0
        if self._shaping:
            self._potentials[chosen] = potentials(self.game, self.states[chosen])

    def _seed(self, seeds: Seeds, which: Ints) -> None:
        for stream in range(LANE["rng"].shape[0]):
            self.seating.table["rng"][which, stream] = seeded(seeds[which], stream)

    def step(self, actions: IntArray, again: bool = True) -> Step:
        """Play the learner's action in each running game, and go on to its next choice.

        An illegal action does not raise: the lane's game ends with a loss, -1 where the reward is "win", else minus
        the best score that there is, so that it never pays.

        Args:
            actions: (N,) integers; those of lanes whose game is over are not looked at.
            again: begin a new game in each lane whose game has ended; else it stays over until `reset`.

        Raises:
            IllegalAction: an array of another shape, or no game is running.
        """
        actions, running = self.checked(actions), self.running
        moving = self._all if running.all() else np.flatnonzero(running)
        if not len(moving):
            raise IllegalAction("No game is running; reset() begins one.")
        acting = self.seats
        before = self._renew(len(moving))
        self.seating.settings["again"] = again
        self._run(moving, actions[moving], before=before)
        return self._step(moving, acting, again)

    def checked(self, actions: IntArray) -> Ints:
        """(N,) int64 of any whole numbers; IllegalAction for an array of another shape or type."""
        found = np.asarray(actions)
        if found.shape != (self.count,) or found.dtype.kind not in "iu":
            raise IllegalAction(f"actions is {found.shape} {found.dtype}: expected ({self.count},) integers")
        return found.astype(np.int64, copy=False)

    def _renew(self, written: int) -> npt.NDArray[np.int8]:
        """Arrays for the next observations; what is not going to be written keeps its rows. The masks before."""
        before = self.features, self.masks
        self.masks = self._mask_arrays.take()  # the kernel reads the masks before while it writes these
        if self._fresh:
            self.features = self._feature_arrays.take()
        if written < self.count:
            self.features[:], self.masks[:] = before
        return before[1]

    def _run(
        self,
        which: Ints,
        actions: Ints,
        *,
        begin: bool = False,
        start: States | None = None,
        before: npt.NDArray[np.int8] | None = None,
    ) -> None:
        """Let some lanes play on until all of them wait for the learner or are over; players are asked in batches."""
        start = self.states[:0] if start is None else start
        before = self.masks if before is None else before
        chosen = which
        waits = np.empty(len(which), np.int64)
        self._advance(which, actions, waits, begin, start, before)
        while waits.max(initial=OVER) >= 0:
            asking = np.flatnonzero(waits >= 0)
            which, waits, actions = which[asking], waits[asking], np.empty(len(asking), np.int64)
            for k in np.unique(waits):
                mine = waits == k
                actions[mine] = self._asked(self.seating.players[k], which[mine])
            self._advance(which, actions, waits, False, start, before)
        if (self.seating.table["wait"][chosen] == NEVER).any():
            where = "from this position" if len(start) else f"of {self.game}"
            raise RulesetError(f"{TRIES} games {where} ended before the learner had a choice; choose another seat")

    def _advance(
        self, which: Ints, actions: Ints, waits: Ints, begin: bool, start: States, before: npt.NDArray[np.int8]
    ) -> None:
        who = self.seating

        def work(p: slice) -> None:
            to_learner(
                self.states,
                self.game.rules,
                who.settings,
                who.numbers,
                who.shares,
                start,
                who.table,
                which[p],
                actions[p],
                begin,
                before,
                waits[p],
                self.features,
                self.masks,
                *self._last,
            )

        self._crew.each(len(which), work)

    def _asked(self, player: Player, which: Ints) -> IntArray:
        """The actions of a player in the lanes in which it is to move."""
        states, generators = self.states[which], self.seating.table["rng"]
        streams = LOTS + states["seat"].astype(np.int64)
        lots = generators[which, streams]
        actions = np.asarray(player.choose(self.game.view(states), lots), np.int64)
        generators[which, streams] = lots
        self._check_choice(player, states, actions)
        return actions

    def _check_choice(self, player: Player, states: States, actions: Ints) -> None:
        """Raise PlayerError where a player does not choose a legal action, which would leave a broken game."""
        if actions.shape != (len(states),):
            raise PlayerError(f"{player.spec!r} chose {actions.shape} actions in {len(states)} states")
        at = int(first_illegal_lanes(states, self.game.rules, actions))
        if at >= 0:
            why = self.game.why_illegal(states, actions[at], at)
            raise PlayerError(f"{player.spec!r} chose action {actions[at]}: {why}")

    def _step(self, moving: Ints, acting: Ints, again: bool) -> Step:
        """The rewards of the lanes that have moved, and the books of those whose game has ended."""
        ends = self.seating.table["end"]
        if len(moving) < self.count:
            ends = np.where(np.isin(self._all, moving), ends, RUNNING)
        ended, rewards = ends.nonzero()[0], np.zeros(self.count)
        books = self._books(ended) if len(ended) else self._no_books
        if len(ended):
            rewards[ended] = self._paid(books)
        if self._shaping:
            rewards[moving] += self._shaped(moving, acting, ends[moving] != RUNNING)
        self._lengths[moving] += 1
        self._sums += rewards
        step = Step(
            rewards=rewards,
            terminated=(ends == WON) | (ends == ILLEGAL),
            truncated=ends == TRUNCATED,
            lengths=self._lengths[ended],
            sums=self._sums[ended],
            **books,
        )
        if again and len(ended):
            self._lengths[ended], self._sums[ended] = 0, 0.0
        return step

    def _books(self, ended: Ints) -> dict[str, Any]:
        """What a `Step` tells of the games that have ended, (K,) int64, but for the learner's steps and rewards."""
        rows, (states, features, masks) = self.seating.table[ended], self._last
        return {
            "ended": ended,
            "features": features[ended],
            "masks": masks[ended],
            "returns": rows["end_returns"][:, : self.game.seats],
            "illegal": rows["end"] == ILLEGAL,
            "seats": rows["end_seat"],
            "seating": rows["end_seating"][:, : self.game.seats],
            "game": self.game,
            "states": states[ended],
        }

    def _paid(self, books: dict[str, Any]) -> Floats:
        """(K,) float64: what the learner gets for the games that have ended."""
        kind, seats = self._reward_kind, books["seats"]
        every = books["returns"] if kind == "win" else REWARDS[kind](self.game, books["states"])
        paid: Floats = np.where(books["illegal"], self._forfeit, every[np.arange(len(seats)), seats])
        return paid

    def _shaped(self, moving: Ints, acting: Ints, ended: npt.NDArray[np.bool_]) -> Floats:
        """(M,) float64: what the potential of the acting seats has grown by, times the weight; it ends as 0."""
        now = potentials(self.game, self.states[moving])
        grown = np.where(ended[:, None], 0.0, now) - self._potentials[moving]
        self._potentials[moving] = now
        shaped: Floats = self._shaping * grown[np.arange(len(moving)), acting[moving]]
        return shaped

    # --- keeping

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything about the running games as plain arrays, for `restore`; `seating.specs` name the players."""
        kept = {name: np.copy(getattr(self, name)) for name in _KEPT}
        return kept | {"states": _bytes(self.states), "table": _bytes(self.seating.table)}

    def restore(self, saved: Mapping[str, npt.NDArray[Any]], specs: Sequence[str]) -> None:
        """Go back to a `state` of a contest with the same settings, whose players had these specs.

        Raises:
            PlayerError, CheckpointError: a player that cannot be made again.
            RulesetError: it is of another contest.
        """
        for name in _KEPT:
            if saved[name].shape != getattr(self, name).shape:
                raise RulesetError(f"{name} has shape {saved[name].shape}, expected {getattr(self, name).shape}")
        self.seating.restore(saved["table"].view(LANE), specs)
        for name in _KEPT:
            setattr(self, name, saved[name].copy())
        self.states[:] = saved["states"].view(self.states.dtype)


_KEPT = ("features", "masks", "_lengths", "_sums", "_potentials")


def _bytes(rows: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    return rows.view(np.uint8).copy()
