"""The first layer of a net in torch, for features of which few are not 0.

Autograd multiplies by all of them; here the rows of weights of those that are not 0 are added up, and only these get
a gradient. Sums are taken in a fixed order, so that a run can be repeated.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from sorry_env._jit import kernel
from sorry_env.mlp import sparse_lanes
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States


class Examples(NamedTuple):
    """What a net is shown, N examples.

    Attributes:
        ends: (N,) int64, where the numbers of each example end.
        columns: (any,) int64, one example behind the other, the indices of the numbers that are not 0.
        factors: (any,) float32, these numbers.
    """

    ends: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    factors: npt.NDArray[np.float32]


def examples_of(game: Variant, states: States, which: IntArray, viewers: IntArray, width: int) -> Examples:
    """What seats see of some states.

    Args:
        game: the variant.
        states: (any,) STATE.
        which: (N,) integers, the states that are shown.
        viewers: (N,) int64, the seats that look.
        width: how many numbers a net is shown: F, or with insights F + I.
    """
    most = len(which) * width
    found = Examples(np.empty(len(which), np.int64), np.empty(most, np.int64), np.empty(most, np.float32))
    sparse_lanes(states, game.rules, which, viewers, game.num_features, *found)
    return found


def first_layer(weight: Tensor, bias: Tensor, examples: Examples) -> Tensor:
    """(N, H) float32: what a layer of (H, F) weights and (H,) biases makes of examples, with gradients for both."""
    out: Tensor = _FirstLayer.apply(weight, bias, examples)  # type: ignore[no-untyped-call]
    return out


class _FirstLayer(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor, examples: Examples) -> Tensor:
        ctx.examples, ctx.inputs = examples, weight.shape[1]
        rows = np.ascontiguousarray(weight.detach().numpy().T)
        out = np.empty((len(examples.ends), len(bias)), np.float32)
        add_rows(*examples, rows, bias.detach().numpy(), out)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, None]:
        grad, examples = grads[0].contiguous(), ctx.examples
        rows = np.zeros((ctx.inputs, grad.shape[1]), np.float32)
        add_to_rows(examples.ends, examples.columns, examples.factors, grad.numpy(), rows)
        return torch.from_numpy(np.ascontiguousarray(rows.T)), grad.sum(0), None


@kernel
def add_rows(ends: Any, columns: Any, factors: Any, rows: Any, biases: Any, out: Any) -> None:
    """Write biases and the sums of the rows that belong to features, times these, into (N, H) float32."""
    total, width, begin = np.empty(len(biases), np.float32), len(biases), 0
    for i in range(len(ends)):
        for j in range(width):
            total[j] = biases[j]
        for u in range(begin, ends[i]):
            row, factor = columns[u], factors[u]
            for j in range(width):
                total[j] += factor * rows[row, j]
        for j in range(width):
            out[i, j] = total[j]
        begin = ends[i]


@kernel
def add_to_rows(ends: Any, columns: Any, factors: Any, grad: Any, rows: Any) -> None:
    """Add each example's (N, H) gradient, times its features, to the (F, H) rows that belong to these; both float32."""
    width, begin = grad.shape[1], 0
    for i in range(len(ends)):
        for u in range(begin, ends[i]):
            row, factor = columns[u], factors[u]
            for j in range(width):
                rows[row, j] += factor * grad[i, j]
        begin = ends[i]
