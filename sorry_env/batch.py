"""Many games at once, on one or more threads, into the caller's arrays.

```python
from sorry_env import Lanes

lanes = Lanes("classic", 4096, seats=2, seed=1, threads=2)
features, masks = lanes.new_features(), lanes.new_masks()
lanes.observe(features, masks)
for _ in range(1000):
    over, returns = lanes.step(lanes.sample(), features=features, masks=masks)
```
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env import lanes
from sorry_env.errors import IllegalAction, RulesetError
from sorry_env.random import Generators, generators
from sorry_env.rulesets import Ruleset
from sorry_env.settings import at_least_one, flag
from sorry_env.variant import IntArray, Variant, variant
from sorry_env.verbs import States

WORTH_A_THREAD = 1024
"""Lanes for which it pays to wake a thread, where each is played a turn."""


class Crew:
    """Threads that share the lanes of a call: each has one stretch of them.

    Lanes never influence each other, and the kernels run without Python's lock, so that the number of threads changes
    nothing but the time.
    """

    def __init__(self, threads: int) -> None:
        """Remember how many.

        Raises:
            RulesetError: not 1 or more.
        """
        self.threads = at_least_one("threads", threads, "")

    def each(self, count: int, work: Callable[[slice], Any], least: int | None = None) -> list[Any]:
        """Call `work` with stretches that make up `count` lanes, and give its results in their order.

        A stretch has `least` lanes or more, by default what is worth a thread: waking it takes as long as some
        hundreds of turns.
        """
        stretches = min(self.threads, count // (WORTH_A_THREAD if least is None else least))
        if stretches < 2:
            return [work(slice(0, count))]
        edges = np.linspace(0, count, stretches + 1).astype(int).tolist()
        parts = [slice(begin, end) for begin, end in pairwise(edges)]
        return list(_pool(os.getpid(), self.threads).map(work, parts))


@cache
def _pool(process: int, threads: int) -> ThreadPoolExecutor:
    """One pool for all crews of a size; a forked process does not have its parent's threads, and makes its own."""
    return ThreadPoolExecutor(threads, thread_name_prefix=f"sorry_env-{process}")


class Lanes:
    """N games of one variant side by side; a new game follows each that ends.

    Everything is reproducible from one seed, whatever the number of threads, and lane i plays the same game whatever
    the number of lanes, as long as its actions are the same. Arrays are the caller's: made once, they are written by
    each call. Shapes: N lanes, S seats, A actions, F features.

    Attributes:
        game: the variant.
        states: (N,) STATE, in each of which a seat has to decide.
        rng: (N,) uint64, the lanes' generators of cards and dice.
        lots: (N,) uint64, their generators for `sample`.
    """

    def __init__(
        self,
        game: Variant | Ruleset | str = "classic",
        count: int = 1024,
        seats: int | Sequence[str] = 2,
        *,
        seed: int | None = None,
        threads: int = 1,
        skip_forced: bool = False,
        **changes: Any,
    ) -> None:
        """Begin N games.

        Args:
            game: a ruleset, by name or not, or a variant, which has its seats.
            count: N.
            seats: how many, or the colours in turn order, clockwise.
            seed: of everything that is random; None for a fresh one.
            threads: how many share the work.
            skip_forced: play decisions in which there is nothing to choose, too.
            **changes: fields of the ruleset that differ.

        Raises:
            RulesetError: what is unknown, out of range or contradictory, by name.
        """
        lanes_wanted = at_least_one("count", count, " lane")
        if isinstance(game, Variant) and changes:
            raise RulesetError(f"{sorted(changes)} cannot change {game}, which is a variant; give a ruleset")
        self.skip_forced = flag("skip_forced", skip_forced)
        self.game = game if isinstance(game, Variant) else variant(game, seats, **changes)
        self.crew = Crew(threads)
        self.states: States = self.game.new_states(lanes_wanted)
        self.rng: Generators
        self.lots: Generators
        self.reset(seed)

    def __len__(self) -> int:
        """N."""
        return len(self.states)

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """(N,) int64: the seat to move."""
        return self.states["seat"].astype(np.int64)

    def new_features(self) -> npt.NDArray[np.float32]:
        """(N, F) float32, for `step` and `observe` to write into."""
        return np.zeros((len(self), self.game.num_features), np.float32)

    def new_masks(self) -> npt.NDArray[np.int8]:
        """(N, A) int8, likewise."""
        return np.zeros((len(self), self.game.num_actions), np.int8)

    def reset(self, seed: int | None = None, first: int | None = None) -> None:
        """Begin new games in all lanes, up to the first decision.

        Args:
            seed: of everything that is random from now on; None for a fresh one.
            first: the seat that begins; None draws one for each lane.

        Raises:
            RulesetError: no such seat; or with `skip_forced` nobody ever has a choice.
        """
        if first is not None and first not in range(self.game.seats):
            raise RulesetError(f"first is {first!r}: expected a seat, 0 to {self.game.seats - 1}")
        cards, lots = np.random.SeedSequence(seed).spawn(2)
        self.rng, self.lots = generators(cards, len(self)), generators(lots, len(self))
        self.game.new_game(self.states, self.rng, first)
        self._step(np.full(len(self), lanes.NO_ACTION), None, None, *self._results())

    def step(
        self,
        actions: IntArray,
        *,
        features: npt.NDArray[np.float32] | None = None,
        masks: npt.NDArray[np.int8] | None = None,
        over: npt.NDArray[np.int8] | None = None,
        returns: npt.NDArray[np.float64] | None = None,
        check: bool = True,
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float64]]:
        """Play an action in each lane, then chance, then, where a game has ended, the beginning of the next.

        With `skip_forced`, a game that ends before anybody had a choice is followed by another one unseen.

        Args:
            actions: (N,) integers, legal ones.
            features: (N, F) float32, written: what the seat to move sees then.
            masks: (N, A) int8, written: its legal actions.
            over: (N,) int8, written: 1 where a game has ended, else 0; None for a new array.
            returns: (N, S) float64, written: the returns of each game that has ended, else zeros; None for a new array.
            check: look whether the actions are legal first. Unchecked, an illegal one leaves a broken game.

        Returns:
            `over` and `returns`.

        Raises:
            IllegalAction: the first lane whose action is not legal, and why; no lane has changed.
            ValueError: an array of another shape or type, by name.
            RulesetError: with `skip_forced` nobody ever has a choice.
        """
        actions = self._actions(actions)
        own_over, own_returns = self._results()
        over = own_over if over is None else self._fit("over", over, None, "int8")
        returns = own_returns if returns is None else self._fit("returns", returns, self.game.seats, "float64")
        if check:
            self._check(actions)
        self._step(actions, features, masks, over, returns)
        return over, returns

    def observe(
        self, features: npt.NDArray[np.float32] | None = None, masks: npt.NDArray[np.int8] | None = None
    ) -> None:
        """Write what the seats to move see, (N, F) float32, and their legal actions, (N, A) int8."""
        features, masks = self._asked(features, masks)
        states, rules, seats = self.states, self.game.rules, self.seats

        def work(part: slice) -> None:
            if len(features):
                lanes.encode_lanes(states[part], rules, seats[part], features[part])
            if len(masks):
                lanes.mask_lanes(states[part], rules, masks[part])

        self.crew.each(len(self), work)

    def sample(self) -> npt.NDArray[np.int64]:
        """(N,) int64: a uniformly random legal action of each lane, from generators of their own."""
        actions = np.empty(len(self), np.int64)

        def work(part: slice) -> None:
            lanes.uniform_lanes(self.states[part], self.game.rules, self.lots[part], actions[part])

        self.crew.each(len(self), work)
        return actions

    def play_uniform(self, turns: int) -> tuple[int, int, int]:
        """Play so many uniformly random actions in each lane in one go.

        Returns:
            How many actions were played, how many of them had an alternative, and how many games ended.
        """

        def work(part: slice) -> npt.NDArray[np.int64]:
            tally = np.zeros(3, np.int64)
            lanes.uniform_turns(self.states[part], self.game.rules, self.rng[part], turns, tally)
            return tally

        least = max(1, WORTH_A_THREAD // max(turns, 1))
        played, choices, games = np.sum(self.crew.each(len(self), work, least), axis=0).tolist()
        return played, choices, games

    def _step(
        self,
        actions: npt.NDArray[np.int64],
        features: npt.NDArray[np.float32] | None,
        masks: npt.NDArray[np.int8] | None,
        over: npt.NDArray[np.int8],
        returns: npt.NDArray[np.float64],
    ) -> None:
        features, masks = self._asked(features, masks)
        rules, skip = self.game.rules, self.skip_forced

        def work(p: slice) -> int:
            seen, legal, own = features[p], masks[p], self.rng[p]
            return int(lanes.step_lanes(self.states[p], rules, own, actions[p], skip, over[p], returns[p], seen, legal))

        if max(self.crew.each(len(self), work)) >= 0:
            raise RulesetError(f"{lanes.TRIES} games of {self.game} gave nobody a choice; take skip_forced=False")

    def _results(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float64]]:
        return np.empty(len(self), np.int8), np.empty((len(self), self.game.seats))

    def _asked(
        self, features: npt.NDArray[np.float32] | None, masks: npt.NDArray[np.int8] | None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        """The caller's arrays; without rows where there is none."""
        width, actions = self.game.num_features, self.game.num_actions
        return (
            np.empty((0, width), np.float32) if features is None else self._fit("features", features, width, "float32"),
            np.empty((0, actions), np.int8) if masks is None else self._fit("masks", masks, actions, "int8"),
        )

    def _fit(self, name: str, given: npt.NDArray[Any], width: int | None, dtype: str) -> npt.NDArray[Any]:
        """An array of the caller's with a row of a width, or one number, for each lane; kernels can write into it."""
        shape = (len(self),) if width is None else (len(self), width)
        if not isinstance(given, np.ndarray) or (given.shape, given.dtype.name) != (shape, dtype):
            what = f"{given.shape} {given.dtype}" if isinstance(given, np.ndarray) else type(given).__name__
            raise ValueError(f"{name} is {what}: expected an array {shape} {dtype}")
        if not (given.flags.c_contiguous and given.flags.writeable):
            raise ValueError(f"{name} has to be writeable, its rows side by side in memory (C order)")
        return given

    def _actions(self, actions: IntArray) -> npt.NDArray[np.int64]:
        found = np.asarray(actions)
        if found.shape != (len(self),) or found.dtype.kind not in "iu":
            raise ValueError(f"actions is {found.shape} {found.dtype}: expected ({len(self)},) integers")
        return np.ascontiguousarray(found, np.int64)

    def _check(self, actions: npt.NDArray[np.int64]) -> None:
        def work(part: slice) -> int:
            at = int(lanes.first_illegal_lanes(self.states[part], self.game.rules, actions[part]))
            return at if at < 0 else part.start + at

        for lane in self.crew.each(len(self), work):
            if lane >= 0:
                why = self.game.why_illegal(self.states, actions[lane], lane)
                raise IllegalAction(f"lane {lane}, action {actions[lane]}: {why}")
