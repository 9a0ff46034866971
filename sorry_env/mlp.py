"""A small feed-forward net over features: what a checkpoint needs to play.

Of the features few are not 0, so the first layer adds up the rows of weights of those that are not. Everything is added
in a fixed order, so that what a net gives for a state does not depend on what else it is asked. Of a policy's last
layer only the rows of legal actions are needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, inlined, inner, kernel
from sorry_env.random import next_number
from sorry_env.verbs import Rules, States, encode, insight, legal, room

FloatArray = npt.NDArray[np.float32]

AT_ONCE = 4
"""Rows of weights that are added in one go."""
ZERO = np.float32(0)


@dataclass(frozen=True)
class Net:
    """Layers with ReLU between them.

    Attributes:
        seen: F, how many of the numbers that go in are an observation's features; those behind them are insights.
        widths: (L + 1,) int64, how many numbers go in, and how many come out of each of L layers; W the most of these.
        first: (R, H) float32, the first layer's weights by input; R > F is even, and the rows from F on are 0.
        rows: (any, W) float32, of each layer a row of its biases; then, but for the first, its weights, of those in
            the middle a row for each input, of the last one for each output.
    """

    seen: int
    widths: npt.NDArray[np.int64]
    first: FloatArray
    rows: FloatArray

    def __call__(self, states: States, rules: Rules, viewers: npt.NDArray[Any]) -> FloatArray:
        """(N, O) float32: the last layer's outputs for what seat `viewers[i]`, (N,) integers, sees of state i."""
        out = np.empty((len(states), self.widths[-1]), np.float32)
        looking = states, rules, np.asarray(viewers, np.int64)
        output_lanes(*looking, self.seen, self.widths, self.first, self.rows, out)
        return out


def net_of(layers: Sequence[tuple[npt.NDArray[Any], npt.NDArray[Any]]], seen: int | None = None) -> Net:
    """A net from its layers, as torch and checkpoints keep them.

    Args:
        layers: (outputs, inputs) weights and (outputs,) biases of each.
        seen: F, how many of the inputs are features of an observation; None: all.
    """
    weights, biases = zip(*layers, strict=True)
    inputs, widths = weights[0].shape[1], [len(bias) for bias in biases]
    first = _stacked([weights[0].T], widths[0], inputs + 2 - inputs % 2)
    rows = [biases[0][None]]
    for k in range(1, len(layers)):
        rows += [biases[k][None], weights[k] if k == len(layers) - 1 else weights[k].T]
    return Net(inputs if seen is None else seen, np.array([inputs, *widths]), first, _stacked(rows, max(widths)))


def _stacked(blocks: Sequence[npt.NDArray[Any]], width: int, rows: int = 0) -> FloatArray:
    """Blocks one below the other, filled up with zeros to a width and to at least so many rows."""
    out = np.zeros((max(rows, sum(map(len, blocks))), width), np.float32)
    begin = 0
    for block in blocks:
        out[begin : begin + len(block), : block.shape[1]] = block
        begin += len(block)
    return out


@kernel
def output_lanes(
    states: Any, rules: Any, viewers: Any, seen: Int, widths: Any, first: Any, rows: Any, out: Any
) -> None:
    """Write a net's outputs for what seat `viewers[i]` sees of state i into (N, O) float32."""
    features, pairs = np.zeros(len(first), np.float32), np.empty(len(first), np.int64)
    used = np.empty(len(first) + AT_ONCE, np.int64)
    now, following = np.empty(rows.shape[1], np.float32), np.empty(rows.shape[1], np.float32)
    for i in range(len(states)):
        _show(states[i], rules[0], viewers[i], seen, features[: widths[0]])
        _first_layer(features, used, find_used(features, pairs, used), first, rows, now)
        begin = 1
        for layer in range(1, len(widths) - 2):
            _middle_layer(rows, begin, widths[layer], widths[layer + 1], now, following)
            begin += 1 + widths[layer]
        for o in range(out.shape[1]):
            out[i, o] = now[o] if len(widths) == 2 else _last_output(rows, begin, o, widths[-2], now, following)


@inner
def _show(s: Any, r: Any, viewer: Int, seen: Int, out: Any) -> None:
    """Write the features that a seat sees, and the insights if there is room for them."""
    encode(s, r, viewer, out[:seen])
    if len(out) > seen:
        insight(s, r, viewer, out[seen:])


@inlined
def find_used(features: Any, pairs: Any, used: Any) -> Any:
    """Find the features that are not 0: two at a time, then each of those, without branches that nobody can foresee.

    The counters are unsigned, as compiled code would ask of others whether they count from the end.

    Args:
        features: (R,) float32; R is even, and the last feature 0.
        pairs: (R,) int64, written.
        used: (R + AT_ONCE,) int64, written: the indices, and AT_ONCE times the last one behind them.

    Returns:
        How many there are.
    """
    words = features.view(np.int64)
    found, count = np.uint64(0), np.uint64(0)
    for k in range(len(words)):
        pairs[found] = 2 * k
        found += np.uint64(words[k] != 0)
    for n in range(found):
        at = pairs[n]
        used[count] = at
        count += np.uint64(features[at] != 0)
        used[count] = at + 1
        count += np.uint64(features[at + 1] != 0)
    for n in range(AT_ONCE):
        used[count + np.uint64(n)] = len(features) - 1
    return np.int64(count)


@inlined
def _first_layer(features: Any, used: Any, count: Any, weights: Any, biases: Any, now: Any) -> None:
    width = weights.shape[1]
    for j in range(width):
        now[j] = biases[0, j]
    for u in range(0, count, AT_ONCE):
        a, b, c, d = used[u], used[u + 1], used[u + 2], used[u + 3]
        fa, fb, fc, fd = features[a], features[b], features[c], features[d]
        for j in range(width):
            two = (now[j] + fa * weights[a, j]) + fb * weights[b, j]
            now[j] = (two + fc * weights[c, j]) + fd * weights[d, j]


@inlined
def _middle_layer(rows: Any, begin: Any, inputs: Any, outputs: Any, now: Any, following: Any) -> None:
    for j in range(outputs):
        following[j] = rows[begin, j]
    for i in range(inputs):
        factor = now[i]
        if factor > 0:
            for j in range(outputs):
                following[j] += factor * rows[begin + 1 + i, j]
    for j in range(outputs):
        now[j] = following[j]


@inlined
def _last_output(rows: Any, begin: Any, o: Any, inputs: Any, now: Any, terms: Any) -> Any:
    """A sum that is folded in half again and again: a processor adds many numbers at a time, but only in rows."""
    for i in range(inputs):
        terms[i] = (now[i] if now[i] > 0 else ZERO) * rows[begin + 1 + o, i]
    width = inputs
    while width > 1:
        half = (width + 1) // 2
        for i in range(width - half):
            terms[i] += terms[half + i]
        width = half
    return terms[0] + rows[begin, o]


@kernel
def sparse_lanes(
    states: Any, rules: Any, which: Any, viewers: Any, seen: Int, ends: Any, columns: Any, factors: Any
) -> None:
    """Write what a net is shown of some states, as far as it is not 0, one state's numbers behind the other's.

    Args:
        states: (any,) STATE.
        rules: (1,) RULES.
        which: (N,) integers, the states.
        viewers: (N,) int64, the seats that look.
        seen: F, how many of the net's W inputs are features of an observation.
        ends: (N,) int64, written: where each state's numbers end.
        columns: (N * W,) int64, the beginning written: the numbers' indices.
        factors: (N * W,) float32, the beginning written: the numbers.
    """
    width = len(columns) // len(which)
    features, pairs = np.zeros(width + 2 - width % 2, np.float32), np.empty(width + 2, np.int64)
    used = np.empty(width + 2 + AT_ONCE, np.int64)
    end = 0
    for i in range(len(which)):
        _show(states[which[i]], rules[0], viewers[i], seen, features[:width])
        for u in range(find_used(features, pairs, used)):
            columns[end], factors[end] = used[u], features[used[u]]
            end += 1
        ends[i] = end


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


@inner
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
