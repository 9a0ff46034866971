"""A small feed-forward net over features: what a checkpoint needs to play.

Only the first layer is worth a kernel: of the features few are not 0. The rest is plain NumPy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import kernel
from sorry_env.verbs import Rules, States, encode

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
