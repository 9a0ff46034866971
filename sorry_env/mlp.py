"""A small feed-forward net over features: what a checkpoint needs to play.

Two layers are worth a kernel: the first, as few of the features are not 0, and a policy's last, as few actions are
legal. The rest is plain NumPy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, kernel
from sorry_env.random import next_number
from sorry_env.verbs import Rules, States, encode, legal, room

FloatArray = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Net:
    """Layers with ReLU between them.

    Attributes:
        layers: each layer's (inputs, outputs) weights and (outputs,) biases, float32.
    """

    layers: tuple[tuple[FloatArray, FloatArray], ...]

    def __call__(self, states: States, rules: Rules, viewers: npt.NDArray[Any]) -> FloatArray:
        """(N, O) float32: the last layer's outputs for what seat `viewers[i]`, (N,) integers, sees of state i."""
        (weights, biases), *rest = self.layers
        x = np.empty((len(states), len(biases)), np.float32)
        first_layer_lanes(states, rules, viewers, weights, biases, x)
        for weights, biases in rest:
            np.maximum(x, 0, out=x)
            x = x @ weights
            x += biases
        return x


def net_of(layers: Sequence[tuple[npt.NDArray[Any], npt.NDArray[Any]]]) -> Net:
    """A net from its layers' (outputs, inputs) weights and (outputs,) biases, as torch and checkpoints keep them."""
    return Net(tuple((np.ascontiguousarray(weight.T, np.float32), bias) for weight, bias in layers))


@kernel
def first_layer_lanes(states: Any, rules: Any, viewers: Any, weights: Any, biases: Any, out: Any) -> None:
    """Encode (N,) STATE, and write weights and biases applied to the features into (N, H) float32.

    Few features are not 0, so the rows of weights of those that are not are added up.
    """
    features, used = np.empty(len(weights), np.float32), np.empty(len(weights), np.int64)
    width = len(biases)
    total = np.empty(width, np.float32)  # adding into a row of `out` would keep the compiler from using wide registers
    for i in range(len(states)):
        encode(states[i], rules[0], viewers[i], features)
        count = 0
        for k in range(len(features)):
            used[count] = k
            count += features[k] != 0
        for j in range(width):
            total[j] = biases[j]
        for u in range(count):
            feature = used[u]
            factor = features[feature]
            for j in range(width):
                total[j] += factor * weights[feature, j]
        for j in range(width):
            out[i, j] = total[j]


@kernel
def choose_lanes(
    states: Any, rules: Any, x: Any, weights: Any, biases: Any, temperature: float, rng: Any, actions: Any
) -> None:
    """Choose a legal action of each state by a policy's last layer, of which only the legal actions' rows are needed.

    Args:
        states: (N,) STATE.
        rules: (1,) RULES.
        x: (N, H) float32, the inputs of the layer.
        weights: (A, H) float32.
        biases: (A,) float32.
        temperature: 0 takes the largest logit, the first of equal ones; else the odds are those of logits divided by
            it, and each state's generator gives one number.
        rng: (N,) uint64, advanced where lots are drawn.
        actions: (N,) integers, written; 0 where there is no legal action.
    """
    choices = room(states)
    logits = np.empty(len(biases), np.float32)
    for i in range(len(states)):
        count = legal(states[i], rules[0], choices[0])
        best: Any = np.int64(0)
        for k in range(count):
            action = choices[0].ids[k]
            logits[k] = biases[action]
            for j in range(x.shape[1]):
                logits[k] += x[i, j] * weights[action, j]
            if logits[k] > logits[best]:
                best = k
        if temperature > 0:
            best = _drawn(logits, count, best, temperature, next_number(rng, i))
        actions[i] = choices[0].ids[best] if count > 0 else 0


@kernel
def _drawn(logits: Any, count: Int, best: Int, temperature: float, number: np.uint64) -> Int:
    """An index below `count` with the odds of its logit, chosen by a number that is uniform over 0..2**32-1."""
    total = 0.0
    for k in range(count):
        total += np.exp((logits[k] - logits[best]) / temperature)
    left = np.int64(number) / 4294967296.0 * total
    for k in range(count):
        left -= np.exp((logits[k] - logits[best]) / temperature)
        if left < 0:
            return np.int64(k)
    return np.int64(best)
