"""Measure: ours in this process, the others in one of their own, in turn and on one core."""

import contextlib
import gc
import json
import os
import subprocess
from functools import cache
from pathlib import Path
from time import perf_counter

from bench_list import BENCHES, Bench
from bench_sample import Batch, Sample, gathered
from bench_table import Results
from tqdm import tqdm

HOW_TO_GET_PEERS = "`make .venv-peers/ready` installs what scripts/peers.txt lists"
ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "JAX_PLATFORMS": "cpu",
}
"""Settings for libraries that would start more threads."""


class PeersError(RuntimeError):
    """The peers' process cannot go on."""


class Peers:
    """The other libraries, in a process of their own that measures what it is asked for.

    Attributes:
        versions: library -> version.
    """

    def __init__(self, python: Path) -> None:
        """Start it; it inherits the core."""
        command = [python, Path(__file__).with_name("bench_peers.py")]
        settings = {**os.environ, **ONE_THREAD, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=settings)
        self.versions: dict[str, str] = json.loads(self._line())

    def sample(self, key: str, seconds: float) -> Sample:
        """Let it measure for so many CPU seconds."""
        with contextlib.suppress(BrokenPipeError):  # the line that does not come says it
            print(json.dumps([key, seconds]), file=self._process.stdin, flush=True)
        return Sample(*json.loads(self._line()))

    def _line(self) -> str:
        line = self._process.stdout.readline()
        if not line:
            self.close()
            raise PeersError(f"the peers' process ended too early, for the reason above; {HOW_TO_GET_PEERS}")
        return line

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(BrokenPipeError), self._process:
            pass


@cache
def _own_batch(bench: Bench) -> Batch:
    """Set up once; what was set up is kept out of later garbage collections, as on the other side."""
    batch = bench.start()
    batch()
    gc.collect()
    gc.freeze()
    return batch


def measured(peers: Peers | None, seconds: float, repeats: int) -> Results:
    """Warm everything up, then measure all in turn, again and again, every other time in reverse."""
    benches = [bench for bench in BENCHES if bench.start or peers]
    results = Results(seconds, repeats, peers and peers.versions, {}, {bench.key: [] for bench in benches})
    rounds = [(bench, repeat) for repeat in range(repeats) for bench in benches[:: -1 if repeat % 2 else 1]]
    with tqdm(total=len(benches) + len(rounds), unit="measurement", disable=None) as bar:

        def take(bench: Bench, seconds: float, what: str) -> Sample:
            bar.set_description(f"{bench.key}, {what}")
            taken = gathered(_own_batch(bench), seconds) if bench.start else peers.sample(bench.key, seconds)
            bar.update()
            return taken

        for bench in benches:
            begin = perf_counter()
            take(bench, 0.0, "warm-up")
            results.warm_up[bench.key] = perf_counter() - begin
        for bench, repeat in rounds:
            results.samples[bench.key].append(take(bench, seconds, f"{repeat + 1} of {repeats}"))
    return results


def run(python: Path, seconds: float, repeats: int) -> Results:
    """Measure ours, and the others if their interpreter is there, on one core."""
    with one_core():
        if not python.exists():
            return measured(None, seconds, repeats)
        peers = Peers(python)
        try:
            return measured(peers, seconds, repeats)
        finally:
            peers.close()


@contextlib.contextmanager
def one_core():
    """Keep this process, and those that it starts, on one core meanwhile, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
