"""Many games in which one learner meets players: what the Gymnasium environments and the adapters step.

A game goes on until the learner has a choice: chance, the uniform player and turns with a single way are played in
compiled code, other players are asked in batches, all lanes that wait for the same one at a time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env import lanes
from sorry_env.batch import Crew
from sorry_env.errors import IllegalAction, RulesetError, suggestion
from sorry_env.players import Player
from sorry_env.random import Generators, seeded
from sorry_env.rewards import REWARDS, forfeit, potentials
from sorry_env.seating import Opponents, Seating
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Seeds = npt.NDArray[np.uint64]

_TRIES = 1000
"""Games without a choice for the learner after which it is said to have none."""


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
    illegal: npt.NDArray[np.bool_]
    seats: Ints
    lengths: Ints
    sums: Floats
    seating: Ints
    game: Variant
    states: States

    @property
    def returns(self) -> Floats:
        """(K, S) float64, of each seat; zeros after an illegal action."""
        return self.game.returns(self.states)

    @property
    def scores(self) -> Floats:
        """(K, S) float64, of each seat; zeros after an illegal action (H7)."""
        return self.game.score(self.states)


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
        running: (N,) bool, whether the lane's game is not over.
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
        self.game, self.count = game, _checked_count(count)
        if rewards not in REWARDS:
            raise RulesetError(f"unknown rewards {rewards!r}; {suggestion(rewards, REWARDS)}")
        if isinstance(shaping, bool) or not isinstance(shaping, (int, float)) or not np.isfinite(shaping):
            raise RulesetError(f"shaping is {shaping!r}: expected a number, the weight of the reward for progress")
        self._reward_kind, self._shaping = rewards, float(shaping)
        self._skip_forced, self._fresh, self._crew = bool(skip_forced), bool(fresh), Crew(threads)
        self._all = np.arange(count)
        self.states: States = game.new_states(count)
        self.seating = Seating(game, count, opponents, seat)
        self.features = np.zeros((count, game.num_features), np.float32)
        self.masks = np.zeros((count, game.num_actions), np.int8)
        self.running = np.zeros(count, bool)
        self._lengths, self._sums = np.zeros(count, np.int64), np.zeros(count)
        self._potentials = np.zeros((count, game.seats))
        self._rng: Generators = np.zeros(count, np.uint64)
        self._lots, self._tables = np.zeros(count * game.seats, np.uint64), np.zeros(count, np.uint64)

    @property
    def seats(self) -> Ints:
        """(N,) int64: the learner's seat; with seat="all" the seat to move."""
        return self.seating.seats

    @property
    def begun(self) -> bool:
        """Whether there has been a reset."""
        return bool(self._rng.any())

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
                go on; at the very first reset they get fresh ones.
            which: (N,) bool, the lanes; None: all.
            position: (1,) STATE to begin from instead of a new game.
            first: the seat that begins; None draws one.

        Raises:
            RulesetError: the learner never has a choice.
        """
        chosen = self._all if which is None else np.flatnonzero(which)
        if seeds is None and not self._rng[chosen].all():  # no generator is ever 0
            seeds = np.random.SeedSequence().generate_state(self.count, np.uint64).astype(np.uint64)
        if seeds is not None:
            self._seed(seeds, chosen)
        self._renew(len(chosen))
        self._begin(chosen, position, first)

    def _seed(self, seeds: Seeds, which: Ints) -> None:
        own, seats = seeds[which], self.game.seats
        self._rng[which], self._tables[which] = seeded(own, 0), seeded(own, 1)
        for seat in range(seats):
            self._lots[which * seats + seat] = seeded(own, 2 + seat)

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
        actions = self._actions(actions)
        moving = self._all if self.running.all() else np.flatnonzero(self.running)
        allowed, acting = self._allowed(moving, actions), self.seats.copy()
        legal = moving if allowed.all() else moving[allowed]
        waits = np.full(self.count, lanes.LEARNER)
        self._renew(len(legal))
        waits[legal] = self._run(legal, actions[legal])
        illegal = np.zeros(self.count, bool)
        illegal[moving[~allowed]] = True
        ended = np.flatnonzero((waits == lanes.OVER) | illegal)
        step = self._step(moving, acting, ended, illegal)
        self.running[ended] = False
        if again and len(ended):
            self._begin(ended, None, None)
        return step

    def _actions(self, actions: IntArray) -> Ints:
        found = np.asarray(actions)
        if found.shape != (self.count,) or not np.issubdtype(found.dtype, np.integer):
            raise IllegalAction(f"actions is {found.shape} {found.dtype}: expected ({self.count},) integers")
        if not self.running.any():
            raise IllegalAction("No game is running; reset() begins one.")
        return found.astype(np.int64)

    def _allowed(self, moving: Ints, actions: Ints) -> npt.NDArray[np.bool_]:
        """(M,) bool: whether the masks allow the actions of the moving lanes."""
        allowed = np.empty(len(moving), np.int8)
        lanes.allowed_lanes(self.masks, moving, actions[moving], allowed)
        return allowed.view(np.bool_)

    def _renew(self, written: int) -> None:
        """Arrays for the next observations; what is not going to be written keeps its rows."""
        if self._fresh:
            renewed = np.empty_like if written == self.count else np.copy
            self.features, self.masks = renewed(self.features), renewed(self.masks)

    def _run(self, which: Ints, actions: Ints) -> Ints:
        """(M,) int64: LEARNER or OVER, after everybody else has played."""
        waits = np.empty(len(which), np.int64)
        self._advance(which, actions, waits)
        asking = np.flatnonzero(waits >= 0)
        while len(asking):
            lanes_asked, chosen = which[asking], np.empty(len(asking), np.int64)
            for k in np.unique(waits[asking]):
                mine = waits[asking] == k
                chosen[mine] = self._asked(self.seating.players[k], lanes_asked[mine])
            again = np.empty(len(asking), np.int64)
            self._advance(lanes_asked, chosen, again)
            waits[asking] = again
            asking = asking[again >= 0]
        return waits

    def _advance(self, which: Ints, actions: Ints, waits: Ints) -> None:
        def work(part: slice) -> None:
            lanes.to_learner_lanes(
                self.states,
                self.game.rules,
                self._rng,
                self._lots,
                self.seating.table,
                self.seating.uniform,
                self._skip_forced,
                which[part],
                actions[part],
                waits[part],
                self.seating.seats,
                self.features,
                self.masks,
            )

        self._crew.each(len(which), work)

    def _asked(self, player: Player, which: Ints) -> IntArray:
        """The actions of a player in the lanes in which it is to move."""
        states = self.states[which]
        lots = which * self.game.seats + states["seat"]
        rng = self._lots[lots]
        actions = player.choose(self.game.view(states), rng)
        self._lots[lots] = rng
        return actions

    def _begin(self, which: Ints, position: States | None, first: int | None) -> None:
        """Begin games until each of these lanes has one in which the learner has a choice."""
        self.running[which], self._lengths[which], self._sums[which] = True, 0, 0.0
        for _ in range(_TRIES):
            self.seating.begin(self.states, self._rng, self._tables, which, first)
            if position is not None:
                self.states[which] = position[0]
            if self._shaping:
                self._potentials[which] = potentials(self.game, self.states[which])
            waits = self._run(which, np.full(len(which), lanes.NO_ACTION))
            which = which[waits == lanes.OVER]
            if not len(which):
                return
        where = "from this position" if position is not None else f"of {self.game}"
        raise RulesetError(
            f"{_TRIES} games {where} ended before the learner had a choice; choose another seat or rules"
        )

    def _step(self, moving: Ints, acting: Ints, ended: Ints, illegal: npt.NDArray[np.bool_]) -> Step:
        """The rewards of the lanes that have moved, and the books of those whose game has ended."""
        game, states, out = self.game, self.states[ended], illegal[ended]
        rewards = self._shaped(moving, acting, illegal) if self._shaping else np.zeros(self.count)
        rows = np.arange(len(ended))
        paid = REWARDS[self._reward_kind](game, states)[rows, acting[ended]]
        rewards[ended] += np.where(out, forfeit(game, self._reward_kind), paid)
        self._lengths[moving] += 1
        self._sums += rewards
        terminated, truncated = np.zeros((2, self.count), bool)
        terminated[ended] = (states["winners"] != 0) | out
        truncated[ended] = ~terminated[ended]
        return Step(
            rewards=rewards,
            terminated=terminated,
            truncated=truncated,
            ended=ended,
            features=self.features[ended],
            masks=self.masks[ended],
            illegal=out,
            seats=acting[ended],
            lengths=self._lengths[ended],
            sums=self._sums[ended],
            seating=self.seating.table[ended],
            game=game,
            states=states,
        )

    def _shaped(self, moving: Ints, acting: Ints, illegal: npt.NDArray[np.bool_]) -> Floats:
        """(N,) float64: what the potential of the acting seats, (N,), has grown by, times the weight; 0 at the end."""
        found = np.zeros(self.count)
        now = potentials(self.game, self.states[moving]) * ~illegal[moving, None]
        grown = now - self._potentials[moving]
        self._potentials[moving] = now
        found[moving] = self._shaping * grown[np.arange(len(moving)), acting[moving]]
        return found

    # --- keeping

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything about the running games as plain arrays, for `restore`; `seating.specs` name the players."""
        kept = {name: np.copy(getattr(self, name)) for name in _KEPT}
        seating = {"table": self.seating.table.copy(), "seats": self.seats.copy()}
        return kept | seating | {"states": self.states.view(np.uint8).copy()}

    def restore(self, saved: Mapping[str, npt.NDArray[Any]], specs: Sequence[str]) -> None:
        """Go back to a `state` of a contest with the same settings, whose players had these specs.

        Raises:
            PlayerError, CheckpointError: a player that cannot be made again.
            RulesetError: it is of another contest.
        """
        for name in _KEPT:
            if saved[name].shape != getattr(self, name).shape:
                raise RulesetError(f"{name} has shape {saved[name].shape}, expected {getattr(self, name).shape}")
        self.seating.restore(saved["table"], saved["seats"], specs)
        for name in _KEPT:
            setattr(self, name, saved[name].copy())
        self.states[:] = saved["states"].view(self.states.dtype)


_KEPT = ("_rng", "_lots", "_tables", "features", "masks", "running", "_lengths", "_sums", "_potentials")


def _checked_count(count: int) -> int:
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
        raise RulesetError(f"count is {count!r}: expected 1 lane or more")
    return int(count)
