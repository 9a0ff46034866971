"""A policy's checkpoint as a player. It needs NumPy and the engine, not the library that trained it."""

import math

import numpy as np
import numpy.typing as npt

from sorry_env import mlp
from sorry_env.checkpoint import Checkpoint, Layer, check_fits, load_checkpoint
from sorry_env.errors import PlayerError
from sorry_env.players.base import Values
from sorry_env.random import Generators
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States


class Policy:
    """Takes the legal action with the largest logit, or draws one with the net's own odds.

    `FILE.safetensors?temperature=1` draws as the net was trained to; lower temperatures prefer what is likely, and 0,
    which is the default, takes the best.
    """

    OPTIONS = ("temperature",)
    layers: tuple[Layer, ...]
    """Of the net, as a checkpoint keeps them."""

    def __init__(
        self, game: Variant, spec: str, checkpoint: Checkpoint | None = None, temperature: float | str = 0.0
    ) -> None:
        """Take a policy that is in memory, or load the one whose path the spec is, up to a question mark.

        Raises:
            CheckpointError: the file is missing, damaged, or made for another game.
            PlayerError: `temperature` is not a number from 0 on.
        """
        self.game, self.spec = game, spec
        self.temperature = _temperature(spec, temperature)
        found = checkpoint or load_checkpoint(spec.partition("?")[0])
        check_fits(spec, found, game, "policy")
        self.layers = found.layers
        self._hidden = mlp.net_of(found.layers[:-1]) if len(found.layers) > 1 else None
        self._weights, self._biases = (np.ascontiguousarray(part) for part in found.layers[-1])

    def choose(self, states: States, rng: Generators) -> IntArray:
        """The best action, or one drawn by lot; see `Player.choose`."""
        actions = np.empty(len(states), np.int64)
        last = self._last_hidden(states)
        layer = self._weights, self._biases
        mlp.choose_lanes(states, self.game.rules, last, *layer, self.temperature, rng, actions)
        return actions

    def odds(self, states: States) -> tuple[IntArray, IntArray, Values]:
        """Those of the net at the player's temperature; see `Player.odds`."""
        actions, counts = self.game.legal_actions(states)
        last = np.repeat(self._last_hidden(states), counts, axis=0)
        logits = np.einsum("mh,mh->m", last, self._weights[actions]).astype(np.float64) + self._biases[actions]
        some = counts[counts > 0]
        begins = np.cumsum(some) - some
        logits -= np.repeat(np.maximum.reduceat(logits, begins), some)
        if self.temperature > 0:
            odds = np.exp(logits / self.temperature)
        else:
            odds = np.zeros(len(logits))
            odds[[begin + np.argmax(logits[begin : begin + n]) for begin, n in zip(begins, some, strict=True)]] = 1
        return actions, counts, odds / np.repeat(np.add.reduceat(odds, begins), some)

    def _last_hidden(self, states: States) -> npt.NDArray[np.float32]:
        """(N, H) float32: what the last layer is given."""
        if self._hidden is None:
            return self.game.encode(states)
        return np.maximum(self._hidden(states, self.game.rules, states["seat"]), 0)


def _temperature(spec: str, value: float | str) -> float:
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    if not 0 <= found < math.inf:
        raise PlayerError(f"{spec!r}: temperature is {value!r}; expected a number: 0 for the best action, or more")
    return found
