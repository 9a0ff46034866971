"""Expectimax over cards: every outcome of chance counts with its probability, every seat plays its best.

Afterstates are scored. The value of one at depth 0 is what a leaf says. At a larger depth chance brings each of its
outcomes, the seat to move then goes to the afterstate that has the largest value for itself at a depth less by one,
and the value of this for the seat that asks is averaged. A turn may go on without chance, with another decision of the
same seat or of another one: it is decided in the same way, and the depth stays as it is.

Two sides that see the same have opposite returns, so that one question serves both. Otherwise each seat wants the most
for itself, whatever the others get (max^n), and what the others get is asked for the afterstate that is chosen: with
three or four seats, and where hands are hidden, as a leaf that answers for one seat looks at the hand of this one only.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env.errors import PlayerError
from sorry_env.players.base import AfterstatePlayer, Leaf, Scores, Values, leaf_of
from sorry_env.random import Generators
from sorry_env.variant import IntArray, Variant, averages
from sorry_env.verbs import CHANCE, States

OUTCOMES = 8192
"""Most outcomes of chance that are looked at together, unless told otherwise."""


class Search(AfterstatePlayer):
    """Looks some turns ahead, over all that chance may bring, and asks a leaf there.

    `search?depth=1&leaf=FILE.safetensors` looks over all that the next seat may draw and what it makes of it,
    `search?depth=2&width=3&leaf=...` over one more turn, but only over those three actions of each decision that the
    leaf likes best.

    Others' hands are imagined: `samples` times they are dealt anew, consistently with what the seat has seen, and what
    each action is worth is averaged. In each of these searches everybody knows all hands. Where nothing is hidden there
    is one search, and no lot is drawn for it.
    """

    OPTIONS = ("depth", "leaf", "samples", "width")

    def __init__(
        self,
        game: Variant,
        spec: str = "search",
        leaf: str | Leaf | None = None,
        depth: int | str = 1,
        width: int | str | None = None,
        samples: int | str = 8,
        together: int = OUTCOMES,
    ) -> None:
        """Make the leaf.

        Args:
            game: the variant.
            spec: the spec string.
            leaf: a player's spec, or whatever has values.
            depth: how many times chance comes between a turn and the leaf, from 0 on.
            width: of each decision only so many actions are looked into, those that the leaf likes best, of equal ones
                the first in table order; None for all. What the leaf is asked at the end is not restricted.
            samples: how many times hidden hands are dealt.
            together: outcomes of chance that are looked at in one go; more take more memory, with the same results.

        Raises:
            PlayerError: no leaf, one that has no values, or a number out of range.
            CheckpointError: the leaf's file is missing, damaged, or made for another game.
        """
        super().__init__(game, spec)
        self.depth = _number(spec, "depth", depth, 0)
        self.width = None if width is None else _number(spec, "width", width, 1)
        self.samples = _number(spec, "samples", samples, 1)
        self.leaf = leaf_of(spec, leaf, game)
        none = game.new_states(0)
        self._hidden = game.view(none, 0) is not none
        self._two_sides = not self._hidden and (game.seats == 2 or game.ruleset.partners)
        self._rows = max(1, together // len(game.family.outcomes(game, CHANCE)))

    def scores(self, after: States, seats: IntArray) -> Values:
        """(M,) float64: the expected return of each seat, (M,) int64, from an afterstate with all hands open."""
        return self._values(after, np.asarray(seats, np.int64), self.depth)

    def action_scores(self, states: States, actions: IntArray, counts: IntArray, rng: Generators) -> Scores:
        """(M,) float64: the expected return of the seat to move after each action; -inf for those not looked into."""
        if not self.depth:
            return super().action_scores(states, actions, counts, rng)
        movers = np.repeat(states["seat"], counts).astype(np.int64)
        kept = self._kept(self.game.after(states, actions, counts), movers, counts)
        scores = np.full(len(actions), -np.inf)
        scores[kept] = self._imagined(states, actions[kept], _counted(kept, counts), rng)
        return scores

    def _imagined(self, states: States, actions: IntArray, counts: IntArray, rng: Generators) -> Values:
        """(M,) float64: what each action is worth, averaged over hands that the others may hold."""
        asking = np.flatnonzero(counts)
        views, movers, several = states[asking], states["seat"][asking].astype(np.int64), counts[asking]
        samples = self.samples if self._hidden else 1
        total = np.zeros(len(actions))
        for _ in range(samples):
            lots = rng[asking]
            dealt = self.game.determinize(views, movers, lots)
            rng[asking] = lots
            total += self.scores(self.game.after(dealt, actions, several), np.repeat(movers, several))
        return total / samples

    def _values(self, after: States, seats: IntArray, depth: int) -> Values:
        """(M,) float64: the expected return of each seat, (M,) int64, from (M,) afterstates."""
        if not depth:
            return self.leaf.values(after, seats)
        once, which = _distinct(after, seats)
        values = np.empty(len(once))
        for begin in range(0, len(once), self._rows):
            part = once[begin : begin + self._rows]
            values[begin : begin + self._rows] = self._deeper(after[part], seats[part], depth)
        return values[which]

    def _deeper(self, after: States, seats: IntArray, depth: int) -> Values:
        """`_values` where there is depth left, of a few."""
        values, waiting = np.empty(len(after)), after["due"] >= CHANCE
        values[~waiting] = self._decided(after[~waiting], seats[~waiting], depth)
        dealt, odds, owners = self.game.deals(after[waiting])
        found = self._decided(dealt, seats[waiting][owners], depth - 1)
        values[waiting] = averages(found, odds, owners, int(waiting.sum()))
        return values

    def _decided(self, states: States, seats: IntArray, depth: int) -> Values:
        """(N,) float64: the expected returns when the seat to move of each of (N,) STATE has done its best.

        Where nobody can act, mostly as the game is over, the leaf is asked.
        """
        actions, counts = self.game.legal_actions(states)
        values, able = np.empty(len(states)), counts > 0
        values[~able] = self._values(states[~able], seats[~able], 0)
        if able.any():
            after = self.game.after(states, actions, counts)
            values[able] = self._best(after, states["seat"][able].astype(np.int64), seats[able], counts[able], depth)
        return values

    def _best(self, after: States, movers: IntArray, seats: IntArray, counts: IntArray, depth: int) -> Values:
        """(N,) float64: the expected returns of (N,) seats when each mover goes to the best of its afterstates."""
        if depth and self.width:
            kept = self._kept(after, np.repeat(movers, counts), counts)
            after, counts = after[kept], _counted(kept, counts)
        values = self._values(after, np.repeat(movers, counts), depth)
        best = np.maximum.reduceat(values, np.cumsum(counts) - counts)
        if self._two_sides:
            return np.where((seats - movers) % 2, -best, best)
        others = np.flatnonzero(seats != movers)
        chosen = _first_of(values == np.repeat(best, counts), counts)[others]
        best[others] = self._values(after[chosen], seats[others], depth)
        return best

    def _kept(self, after: States, movers: IntArray, counts: IntArray) -> npt.NDArray[np.bool_]:
        """(M,) bool: the afterstates that are looked into, of which `counts[i]` are alternatives of one mover."""
        kept = np.ones(len(after), np.bool_)
        if self.width is None:
            return kept
        owners = np.repeat(np.arange(len(counts)), counts)
        many = np.flatnonzero(counts[owners] > self.width)  # the leaf need not be asked about fewer
        likes = self._values(after[many], movers[many], 0)
        order = np.lexsort((-likes, owners[many]))
        sizes = counts[counts > self.width]
        places = np.arange(len(many)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        kept[many[order[places >= self.width]]] = False
        return kept


def _distinct(after: States, seats: IntArray) -> tuple[IntArray, IntArray]:
    """Dice in either order lead to the same afterstate: where each question is asked first, and which each one is."""
    words = np.column_stack([after.view(np.uint8).reshape(len(after), after.itemsize), seats.astype(np.uint8)])
    _, once, which = np.unique(words.view(f"V{words.shape[1]}")[:, 0], return_index=True, return_inverse=True)
    return once, which


def _counted(kept: npt.NDArray[np.bool_], counts: IntArray) -> IntArray:
    """(N,) int64: how many are kept of each stretch of (M,) bool."""
    return np.bincount(np.repeat(np.arange(len(counts)), counts)[kept], minlength=len(counts))


def _first_of(true: npt.NDArray[np.bool_], counts: IntArray) -> IntArray:
    """(N,) int64: the index of the first True in each stretch of (M,) bool; each has one."""
    found = np.flatnonzero(true)
    return found[np.searchsorted(found, np.cumsum(counts) - counts)]


def _number(spec: str, name: str, value: Any, least: int) -> int:
    try:
        found = int(value)
    except ValueError:
        found = least - 1
    if found < least:
        raise PlayerError(f"{spec!r}: {name} is {value!r}; expected a whole number from {least} on")
    return found
