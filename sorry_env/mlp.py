"""A small feed-forward net over features, evaluated in compiled code: what a checkpoint needs to play.

Each layer is kept as (inputs, outputs), so that an input of 0 costs nothing: of the features few are not 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import kernel
from sorry_env.board import Rules
from sorry_env.features import encode
from sorry_env.state import States

FloatArray = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Net:
    """Layers with ReLU between them, packed for the kernel.

    Attributes:
        sizes: (L+1,) int64, the width of the input and of each layer.
        flat: float32, layer by layer its (inputs, outputs) weights and then its biases.
    """

    sizes: npt.NDArray[np.int64]
    flat: FloatArray

    def __call__(self, states: States, rules: Rules, viewers: npt.NDArray[Any]) -> FloatArray:
        """(N, O) float32: the last layer's outputs for what seat `viewers[i]`, (N,) integers, sees of state i."""
        out = np.empty((len(states), int(self.sizes[-1])), np.float32)
        evaluate_lanes(states, rules, viewers, self.sizes, self.flat, out)
        return out


def packed(layers: Sequence[tuple[npt.NDArray[Any], npt.NDArray[Any]]]) -> Net:
    """A net from its layers' (outputs, inputs) weights and (outputs,) biases, as torch keeps them."""
    sizes = [layers[0][0].shape[1]] + [weight.shape[0] for weight, _ in layers]
    parts = [part for weight, bias in layers for part in (weight.T.ravel(), bias)]
    return Net(np.array(sizes, np.int64), np.concatenate(parts).astype(np.float32))


@kernel
def evaluate_lanes(states: Any, rules: Any, viewers: Any, sizes: Any, flat: Any, out: Any) -> None:
    """Encode and evaluate (N,) STATE into (N, O) float32; see `Net`."""
    widest = sizes.max()
    x, y = np.empty(widest, np.float32), np.empty(widest, np.float32)
    for i in range(len(states)):
        encode(states[i], rules[0], viewers[i], x[: sizes[0]])
        _forward(x, y, sizes, flat)
        out[i, :] = x[: sizes[-1]]


@kernel
def _forward(x: Any, y: Any, sizes: Any, flat: Any) -> None:
    """Take x through all layers; the result stands in x again, and y is room to work in."""
    at = 0
    for layer in range(len(sizes) - 1):
        inputs, outputs = sizes[layer], sizes[layer + 1]
        bias = at + inputs * outputs
        for j in range(outputs):
            y[j] = flat[bias + j]
        for i in range(inputs):
            if x[i] != 0:
                _add_row(y, x[i], flat, at + i * outputs, outputs)
        last = layer == len(sizes) - 2
        for j in range(outputs):
            x[j] = y[j] if last or y[j] > 0 else np.float32(0)
        at = bias + outputs


@kernel
def _add_row(y: Any, factor: Any, flat: Any, begin: int, width: int) -> None:
    for j in range(width):
        y[j] += factor * flat[begin + j]
