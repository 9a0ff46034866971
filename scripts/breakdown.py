"""Where the engine's time goes: each part of a turn timed alone, and the whole turn."""

import argparse
import time
from collections.abc import Callable

import numpy as np

from sorry_env import lanes
from sorry_env.random import generators
from sorry_env.variant import Variant, variant

LANES = 1024


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=200, help="batches of each part; the least time counts")
    repeats = parser.parse_args().repeats
    rows = {seats: breakdown(variant("classic", seats), repeats) for seats in (2, 4)}
    print("| nanoseconds a turn, least of the batches | 2 seats | 4 seats |\n|---|--:|--:|")
    for part in rows[2]:
        print(f"| {part} | {rows[2][part]:.0f} | {rows[4][part]:.0f} |")


def breakdown(game: Variant, repeats: int) -> dict[str, float]:
    """Part -> nanoseconds for each of the lanes, whose games are at different stages."""
    states, rng = game.new_states(LANES), generators(1, LANES)
    game.reset(states, rng)
    tally = np.zeros(3, np.int64)
    lanes.uniform_turns(states, game.rules, rng, 1000, tally)
    counts, mask = np.empty(LANES, np.int64), np.empty((LANES, game.num_actions), np.int8)
    features, actions = np.empty((LANES, game.num_features), np.float32), np.empty(LANES, np.int64)
    seats, rules, fresh = states["seat"].astype(np.int64), game.rules, states.copy()
    lanes.uniform_lanes(states, rules, rng, actions)
    due = states.copy()
    lanes.play_lanes(due, rules, actions)
    running = states.copy()

    def least(part: Callable[[], object], before: Callable[[], object] = lambda: None, turns: int = LANES) -> float:
        return min(timed(part, before) for _ in range(repeats)) / turns * 1e9

    return {
        "legal actions": least(lambda: lanes.count_lanes(states, rules, counts)),
        "play": least(lambda: lanes.play_lanes(fresh, rules, actions), lambda: np.copyto(fresh, states)),
        "draw": least(lambda: lanes.draw_lanes(fresh, rules, rng), lambda: np.copyto(fresh, due)),
        "features": least(lambda: lanes.encode_lanes(states, rules, seats, features)),
        "legal actions and mask": least(lambda: lanes.mask_lanes(states, rules, mask)),
        "whole turn": least(lambda: lanes.uniform_turns(running, rules, rng, 25, tally), turns=LANES * 25),
        "whole turn with features and mask": least(
            lambda: lanes.uniform_turns_observed(running, rules, rng, 10, tally, features, mask), turns=LANES * 10
        ),
    }


def timed(part: Callable[[], object], before: Callable[[], object]) -> float:
    """Seconds of CPU time of one batch."""
    before()
    begin = time.thread_time()
    part()
    return time.thread_time() - begin


if __name__ == "__main__":
    main()
