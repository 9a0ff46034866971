"""Where the time of self-play and learning of a value net goes: each part timed alone, and steps a second."""

import argparse
import time
from collections.abc import Callable

import numpy as np

from agents.sparse import examples_of
from agents.value_net import Learner, SelfPlay, ValueNetConfig
from sorry_env import lanes
from sorry_env.checkpoint import checkpoint_of
from sorry_env.mlp import Net
from sorry_env.players import Player, make_player
from sorry_env.players.network import Network
from sorry_env.variant import Variant, variant

Part = Callable[[], object]


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", default="classic")
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--hidden", type=int, nargs="*", default=[64])
    parser.add_argument("--lanes", type=int, default=2048)
    parser.add_argument(
        "--players", nargs="*", default=["uniform", "greedy", "heuristic"], help="whose choices are timed"
    )
    parser.add_argument("--repeats", type=int, default=20, help="batches of each part; the least time counts")
    arguments = parser.parse_args()
    columns = [profile(seats, arguments) for seats in arguments.seats]
    print("| " + " | ".join([f"`{arguments.ruleset}`", *(f"{seats} seats" for seats in arguments.seats)]) + " |")
    print("|---" + "|--:" * len(columns) + "|")
    for name in columns[0]:
        print(f"| {name} | " + " | ".join(column[name] for column in columns) + " |")


def profile(seats: int, arguments: argparse.Namespace) -> dict[str, str]:
    """What was measured -> the number in words."""
    game, count, repeats = variant(arguments.ruleset, seats), arguments.lanes, arguments.repeats
    config = ValueNetConfig(ruleset=arguments.ruleset, seats=seats, hidden=tuple(arguments.hidden), lanes=count)
    self_play = SelfPlay(game, count, np.random.SeedSequence(1))
    learner = Learner(game, config, np.random.SeedSequence(2))
    for _ in range(10):  # a net that has begun to learn, and games at all stages
        learner.learn(self_play.rollout(learner.net(), config.steps), 0.0)
    net, few = learner.net(), max(3, repeats // 4)
    rollout = self_play.rollout(net, config.steps)
    step = least(lambda: self_play.rollout(net, config.steps), few) / rollout.after.size
    parts = {name: least(part, repeats) / count for name, part in parts_of_a_step(self_play, net).items()}
    examples = rollout.values[1:].size
    learning = least(lambda: learner.learn(rollout, 0.0), few) / examples
    shown = least(lambda: shows(learner, rollout.after.reshape(-1)[: config.batch]), repeats) / config.batch
    found = {"a step of self-play": step, **parts, "an example learnt": learning, "of it, its features": shown}
    players = {f"a choice of {name}": player for name, player in entrants(game, learner, arguments.players).items()}
    found |= {
        name: least(lambda p=p: p.choose(self_play.states, self_play.lots), repeats) / count
        for name, p in players.items()
    }
    return {
        "ends of a turn": f"{game.turn_ends(self_play.states)[1].mean():.2f}",
        **{f"{name}, ns": f"{seconds * 1e9:,.0f}" for name, seconds in found.items()},
        "steps of self-play/s": f"{1 / step:,.0f}",
    }


def parts_of_a_step(self_play: SelfPlay, net: Net) -> dict[str, Part]:
    """Part of a step of self-play -> what does it once in every lane."""
    game, states, rng = self_play.game, self_play.states.copy(), self_play.rng.copy()
    ends, counts = game.turn_ends(states)
    movers = np.repeat(states["seat"], counts).astype(np.int64)
    scores, best = net(ends, game.rules, movers)[:, 0], np.empty(len(states), np.int64)
    lanes.best_lanes(scores, counts, self_play.lots.copy(), best)
    chosen = ends[best]
    drawn, seats = chosen.copy(), [(states["seat"].astype(np.int64) + k) % game.seats for k in range(1, game.seats)]
    return {
        "the ends of their turns": lambda: game.turn_ends(states),
        "the net for them": lambda: net(ends, game.rules, movers),
        "of it, the features": lambda: game.encode(ends, movers),
        "the choice": lambda: lanes.best_lanes(scores, counts, self_play.lots, best),
        "the net for the other seats": lambda: [net(chosen, game.rules, seat) for seat in seats],
        "the next card": lambda: (np.copyto(drawn, chosen), game.draw(drawn, rng)),
    }


def shows(learner: Learner, states: np.ndarray) -> object:
    """The examples of a batch."""
    return examples_of(learner.game, states, np.arange(len(states)), np.zeros(len(states), np.int64), learner.width)


def entrants(game: Variant, learner: Learner, specs: list[str]) -> dict[str, Player]:
    """Name -> a player whose choices are timed."""
    known = {f"`{spec}`": make_player(spec, game) for spec in specs}
    return known | {"the net": Network(game, "net", checkpoint_of("value", game, learner.layers()))}


def least(part: Part, repeats: int) -> float:
    """Seconds of CPU time of the quickest run."""
    part()
    times = []
    for _ in range(repeats):
        begin = time.thread_time()
        part()
        times.append(time.thread_time() - begin)
    return min(times)


if __name__ == "__main__":
    main()
