"""What guard.py measures by: two loops that never change, and a counter of Python instructions.

Whoever changes a yardstick has to renew the whole record.
"""

import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from bench_sample import Batch, Sample

from sorry_env._jit import kernel

KERNEL_ROUNDS, PYTHON_ROUNDS = 50_000, 500


@kernel
def _kernel_rounds(table: Any, word: Any, rounds: Any) -> Any:
    """Table look-ups, stores and branches that are hard to foretell: what a turn is made of."""
    size = np.uint64(len(table) - 1)
    for _ in range(rounds):
        word[0] ^= word[0] << np.uint64(13)
        word[0] ^= word[0] >> np.uint64(7)
        word[0] ^= word[0] << np.uint64(17)
        here, there = word[0] & size, (word[0] >> np.uint64(20)) & size
        if table[here] < table[there]:
            table[here] += np.uint64(3)
        elif (word[0] >> np.uint64(40)) & np.uint64(1):
            table[there] ^= word[0] >> np.uint64(32)
        else:
            table[here], table[there] = table[there], table[here]
    return table[0]


def kernel_batch() -> Batch:
    """50,000 rounds of the compiled yardstick."""
    table, word = np.arange(1024, dtype=np.uint64), np.array([88172645463325252], np.uint64)

    def batch() -> Sample:
        begin = process_time()
        _kernel_rounds(table, word, KERNEL_ROUNDS)
        return Sample(KERNEL_ROUNDS, 0, process_time() - begin)

    return batch


class _Books:
    """Attributes, dicts, calls and small arrays: what a step of an environment is made of."""

    def __init__(self) -> None:
        self.names = ["a", "b", "c", "d"]
        self.sums = dict.fromkeys(self.names, 0.0)
        self.row = np.zeros(64, np.int8)

    def round(self, k: int) -> None:
        name = self.names[k & 3]
        values = {each: float(k) for each in self.names}
        for each, value in values.items():
            self.sums[each] = self.sums[each] * 0.5 + value
        copied = self.row.copy()
        copied[k & 63] = 1
        self.row = copied if self.sums[name] > 1e9 else np.zeros_like(copied)


def python_batch() -> Batch:
    """500 rounds of the Python yardstick."""
    books = _Books()

    def batch() -> Sample:
        begin = process_time()
        for k in range(PYTHON_ROUNDS):
            books.round(k)
        return Sample(PYTHON_ROUNDS, 0, process_time() - begin)

    return batch


def counted(call: Callable[[], Any]) -> int:
    """How many Python instructions a call executes, those of whatever it calls included."""
    return _monitored(call) if hasattr(sys, "monitoring") else _traced(call)


def _traced(call: Callable[[], Any]) -> int:
    total = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal total
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        total += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return total


def _monitored(call: Callable[[], Any]) -> int:
    total = 0

    def tick(code: Any, offset: int) -> None:
        nonlocal total
        total += 1

    monitoring = sys.monitoring
    tool, event = monitoring.PROFILER_ID, monitoring.events.INSTRUCTION
    monitoring.use_tool_id(tool, "guard")
    monitoring.register_callback(tool, event, tick)
    monitoring.set_events(tool, event)
    try:
        call()
    finally:
        monitoring.set_events(tool, 0)
        monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)
    return total
