"""Measure the libraries that bench.py compares with, in their own environment; bench.py starts it.

The first line of output holds the libraries' versions. After that each line of input asks for a measurement, as in
`["maedn 4", 1.0]` (what, and CPU seconds), and a line of output answers with the numbers of a `Sample`.
"""

import contextlib
import gc
import json
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib.metadata import version
from typing import TextIO

from bench_peers_aec import classic_batch, shimmy_batch
from bench_peers_batched import envpool_batch, pgx_batch
from bench_peers_plain import apologies_batch, ludo_king_batch, ludopy_batch, uno_batch
from bench_peers_spiel import bots_batch, rl_environment_batch
from bench_sample import Batch, gathered

LIBRARIES = (
    "apologies",
    "envpool",
    "gymnasium",
    "jax",
    "ludo-king-engine",
    "ludopy",
    "numpy",
    "open-spiel",
    "pettingzoo",
    "pgx",
    "rlcard",
    "shimmy",
)
AEC_SIZES = {"connect_four_v3": 500, "leduc_holdem_v4": 500, "chess_v6": 20}
"""Environment of PettingZoo -> steps of a batch."""
PGX_LANES = (1, 256, 4096)

PEERS: dict[str, Callable[[], Batch]] = {
    **{f"apologies {players}": partial(apologies_batch, players) for players in (2, 4)},
    **{f"maedn {players}": partial(bots_batch, "maedn", 64, players=players) for players in (2, 4)},
    "backgammon of OpenSpiel 2": partial(bots_batch, "backgammon", 4),
    **{f"maedn, rl_environment {players}": partial(rl_environment_batch, players) for players in (2, 4)},
    **{f"maedn, rl_environment, quick die {n}": partial(rl_environment_batch, n, quick=True) for n in (2, 4)},
    **{f"maedn, Shimmy {players}": partial(shimmy_batch, players) for players in (2, 4)},
    "ludopy 4": ludopy_batch,
    "ludo-king-engine 4": ludo_king_batch,
    "RLCard uno 2": uno_batch,
    **{
        f"{name} {kind} 2": partial(classic_batch, name, kind == "wrapped", size)
        for name, size in AEC_SIZES.items()
        for kind in ("raw", "wrapped")
    },
    "EnvPool backgammon, N = 256 2": partial(envpool_batch, 256),
    **{f"Pgx backgammon, N = {count:,} 2": partial(pgx_batch, count) for count in PGX_LANES},
}
"""What can be measured, with its number of players -> how to set it up."""


@cache
def peer_batch(key: str) -> Batch:
    """The batches of one of `PEERS`, set up once; what was set up is kept out of later garbage collections."""
    batch = PEERS[key]()
    batch()
    gc.collect()
    gc.freeze()
    return batch


def serve(requests: Iterable[str], answers: TextIO) -> None:
    """Answer each line as soon as it comes."""
    for line in requests:
        key, seconds = json.loads(line)
        print(json.dumps(gathered(peer_batch(key), seconds)), file=answers, flush=True)


def main() -> None:
    """Tell the versions, then serve; what a library prints goes to the error output."""
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(KeyboardInterrupt):
        print(json.dumps({name: version(name) for name in LIBRARIES}), file=answers, flush=True)
        serve(sys.stdin, answers)


if __name__ == "__main__":
    main()
