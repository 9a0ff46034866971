"""Tune the heuristic's weights by policy gradients in self-play, or print what each of its terms is worth.

The player to be tuned draws its actions by softmax over the weighted terms of the afterstates, in all seats. A critic,
logistic regression of the results on the same terms, gives TD(lambda) advantages; a natural-gradient step of fixed
size follows each round of games. Where good players know whether a term is good or bad, its weight does not cross
zero. The result is the mean over the later half of the rounds, divided by the weight of `turns`.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tqdm import tqdm

from agents.arena import entrants, play_match
from sorry_env import lanes
from sorry_env.checkpoint import write_atomically
from sorry_env.errors import SorryError
from sorry_env.players import make_player
from sorry_env.players.heuristic import Heuristic
from sorry_env.random import generators
from sorry_env.sorry.heuristic.terms import TERMS, term_vectors
from sorry_env.variant import variant

BAD = ("own_circle", "leader", "rival_entry", "danger", "rival_circle", "danger_sorry", "danger_swap")
"""Terms whose weights stay at or below zero."""
OPEN = ("in_start",)
"""Terms of which good players do not say whether they are good or bad."""
SIGNS = np.array([-1 if name in BAD else 0 if name in OPEN else 1 for name in TERMS])
ADVICE = {
    "1 going back to the entry": ("back_door", "entry"),
    "2 slides, Home, exact count": ("slides", "home", "finish"),
    "3 circles": ("own_circle", "rival_circle"),
    "4 the last pawn in Start": ("in_start", "last_in_start", "sorry"),
    "5 hitting the leader": ("leader", "rival_entry", "threat"),
    "6 counted dangers": ("danger", "rival_circle", "danger_sorry", "danger_swap"),
    "everything but turns": tuple(name for name in TERMS if name != "turns"),
}
"""What good players say, by its number in the rules page -> the terms that play it, to be switched off together."""
LAMBDA = 0.9
BEST_SHARE = 0.8
"""How often the softmax takes its best action; the size of the weights follows it."""
STEP = 0.02
"""Kullback-Leibler divergence of a round's step."""
RIDGE = 1e-2
START_SIZE = 0.5
"""Where tuning begins: the weight of `turns`; all others are 0."""


@dataclass
class Step:
    """One decision in each of N games that still run; T terms."""

    games: np.ndarray  # (N,)
    movers: np.ndarray  # (N,)
    open: np.ndarray  # (N,) whether there was a choice, and none of winning at once
    apart: np.ndarray  # (N, T) terms of the action taken, less the policy's mean
    covariance: np.ndarray  # (T, T) of the terms under the policy, summed over open decisions
    value: np.ndarray  # (N,) the critic's chance of winning after the action
    mean_value: np.ndarray  # (N,) the same, mean over the policy
    best_share: np.ndarray  # (N,) how likely the best action was
    terms: np.ndarray  # (N, T) of the action taken


def self_play(game, weights, critic, games, seed):
    """Play games of the softmax policy against itself; the steps and who has won, (N, S) bool."""
    cards, lots = (generators(sequence, games) for sequence in np.random.SeedSequence(seed).spawn(2))
    states, noise = game.new_states(games), np.random.default_rng(seed)
    game.reset(states, cards)
    running, steps = np.arange(games), []
    while len(running):
        now, rng = states[running], cards[running]
        after, step = decide(game, now, weights, critic, running, lots, noise)
        game.draw(after, rng)
        states[running], cards[running] = after, rng
        steps.append(step)
        running = running[after["over"] == 0]
    return steps, game.returns(states) > 0


def decide(game, states, weights, critic, running, lots, noise):
    """The afterstates that the softmax policy goes to, and the step."""
    after, _, counts = game.afterstates(states)
    owner, begins = np.repeat(np.arange(len(states)), counts), np.cumsum(counts) - counts
    movers = states["seat"].astype(np.int64)
    terms = term_vectors(game, game.view(after, movers[owner]), movers[owner])
    won = after["winners"] >> movers[owner] & 1 != 0
    scores = np.select([won, after["winners"] != 0], [1e3, -1e3], terms @ weights)
    p = np.exp(scores - np.maximum.reduceat(scores, begins)[owner])
    p /= np.add.reduceat(p, begins)[owner]
    chosen, rng = np.empty(len(states), np.int64), lots[running]
    lanes.best_lanes(scores + noise.gumbel(size=len(scores)), counts, rng, chosen)
    values = np.where(won, 1.0, sigmoid(terms @ critic[:-1] + critic[-1]))
    choice = (counts > 1) & ~np.logical_or.reduceat(won, begins)
    mean = np.add.reduceat(p[:, None] * terms, begins)
    spread = ((terms - mean[owner]) * np.sqrt(p)[:, None])[choice[owner]]
    return after[chosen], Step(
        running,
        movers,
        choice,
        terms[chosen] - mean,
        spread.T @ spread,
        values[chosen],
        np.add.reduceat(p * values, begins),
        np.maximum.reduceat(p, begins),
        terms[chosen],
    )


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gradient(steps, won):
    """(T,) mean over open decisions of the TD(lambda) advantage times `apart`.

    A seat's return after a decision is its own result, blended backwards with the critic's values of the afterstates
    that the seat itself went to later.
    """
    returns, total = won.astype(float), np.zeros(len(TERMS))
    for step in reversed(steps):
        at = step.games, step.movers
        advantage = returns[at] - step.mean_value
        total += (advantage * step.open) @ step.apart
        returns[at] = LAMBDA * returns[at] + (1 - LAMBDA) * step.value
    return total / sum(step.open.sum() for step in steps)


def direction(steps, won):
    """(T,) the natural-gradient step, long enough for a divergence of STEP."""
    fisher = sum(step.covariance for step in steps) / sum(step.open.sum() for step in steps)
    size = np.sqrt(np.maximum(np.diag(fisher), 1e-12))
    slope = gradient(steps, won) / size
    step = np.linalg.solve(fisher / np.outer(size, size) + RIDGE * np.eye(len(size)), slope)
    return np.sqrt(2 * STEP / (step @ slope)) * step / size


def fitted_critic(steps, won, rounds=8):
    """(T + 1,) logistic regression of winning on the terms of the afterstates, the constant last; Newton's method."""
    terms = np.concatenate([step.terms for step in steps])
    result = np.concatenate([won[step.games, step.movers] for step in steps]).astype(float)
    scale = np.append(np.maximum(terms.std(axis=0), 1e-9), 1)
    data = np.column_stack([terms, np.ones(len(terms))]) / scale
    w = np.zeros(data.shape[1])
    for _ in range(rounds):
        p = sigmoid(data @ w)
        hessian = (data * (p * (1 - p))[:, None]).T @ data + np.eye(len(w))
        w += np.linalg.solve(hessian, data.T @ (result - p) - w)
    return w / scale


def improved(weights, steps, won):
    """(T,) the weights after a round's step, their size drawn towards BEST_SHARE."""
    moved = weights + direction(steps, won)
    moved = np.where(SIGNS * moved < 0, 0, moved)
    taken = np.concatenate([step.best_share[step.open] for step in steps]).mean()
    return moved * np.exp(4 * (BEST_SHARE - taken))


class Tuning:
    """A run that goes on where its file was written last.

    Attributes:
        done: rounds played; the first only fits the critic.
        total: (T,) sum of the weights after each round of the later half, each divided by the weight of `turns`.
    """

    def __init__(self, path, settings):
        self.path, self.settings, self.done = path, settings, 0
        self.game = variant(settings["ruleset"], settings["seats"])
        self.weights = START_SIZE * (np.array(list(TERMS)) == "turns")
        self.critic, self.total = np.zeros(len(TERMS) + 1), np.zeros(len(TERMS))
        if path.exists():
            self.take_up(json.loads(path.read_text()))

    def take_up(self, saved):
        if saved["settings"] != self.settings or saved["terms"] != list(TERMS):
            raise SorryError(f"{self.path} holds another run; remove it, or name another file by --run")
        self.done = saved["done"]
        self.weights, self.critic, self.total = (np.array(saved[name]) for name in ("weights", "critic", "total"))

    def save(self):
        arrays = {name: getattr(self, name).tolist() for name in ("weights", "critic", "total")}
        text = json.dumps({"settings": self.settings, "terms": list(TERMS), "done": self.done} | arrays)
        write_atomically(self.path, text.encode())

    def round(self):
        seed = [self.settings["seed"], self.done]
        steps, won = self_play(self.game, self.weights, self.critic, self.settings["games"], seed)
        if self.done > 0:
            self.weights = improved(self.weights, steps, won)
        self.critic = fitted_critic(steps, won)
        if self.done >= self.settings["rounds"] // 2:
            self.total += self.weights / self.weights[list(TERMS).index("turns")]
        self.done += 1

    def result(self):
        """Name -> weight."""
        later = self.settings["rounds"] - self.settings["rounds"] // 2
        return dict(zip(TERMS, (self.total / later).tolist(), strict=True))


def tune(arguments):
    settings = {name: getattr(arguments, name) for name in ("ruleset", "seats", "rounds", "games", "seed")}
    tuning = Tuning(arguments.run, settings)
    with tqdm(total=settings["rounds"], initial=tuning.done, unit="round") as bar:
        while tuning.done < settings["rounds"]:
            tuning.round()
            tuning.save()
            bar.update()
    weights = tuning.result()
    print(f"    {tuning.game.seats}: {{")
    print("".join(f'        "{name}": {weight:.3g},\n' for name, weight in weights.items()) + "    },")
    tuned = Heuristic(tuning.game, "tuned", weights=weights)
    for spec in ("uniform", "greedy", "heuristic"):
        print(f"against {spec}: {rate(tuned, make_player(spec, tuning.game), arguments)}")


def rate(player, rival, arguments, progress=None):
    """Win rate of one player, or of two partners, against the other, with its 95% interval, in per cent."""
    players = entrants(player.game, player, rival)
    result = play_match(player.game, players, arguments.deals, arguments.seed, progress)
    return f"{100 * result.win_rates[0]:.1f} ± {100 * result.half_widths[0]:.1f}"


def ablation(arguments):
    """Print, as tables in Markdown, what the heuristic loses without each piece of advice, and what it brings alone."""
    game = variant(arguments.ruleset, arguments.seats)
    rows = ADVICE | {f"`{name}`": (name,) for name in TERMS}
    with tqdm(total=3 * (len(rows) + 1) * arguments.deals * game.seats, unit="game", smoothing=0.05) as bar:

        def cells(player, *rivals):
            return [rate(player, rival, arguments, bar.update) for rival in rivals]

        full, greedy = make_player("heuristic", game), make_player("greedy", game)
        without = {"(nothing)": cells(full, full, greedy)}
        for title, names in rows.items():
            without[title] = cells(Heuristic(game, without=",".join(names)), full, greedy)
        bare = limited(game, ())
        beside = {title: cells(limited(game, names), bare) for title, names in {"(nothing)": (), **rows}.items()}
    print(markdown(["without", "against the full heuristic", "against greedy"], without))
    print()
    print(markdown(["`turns` and", "against `turns` alone"], beside))


def limited(game, names):
    """The heuristic with `turns` and some other terms only."""
    return Heuristic(game, without=",".join(name for name in TERMS if name not in ("turns", *names)))


def markdown(heads, rows):
    """A table of named rows of cells."""
    lines = [heads, ["---"] * len(heads), *([title, *cells] for title, cells in rows.items())]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ablation", action="store_true", help="switch each term off in turn instead of tuning")
    parser.add_argument("--ruleset", default="classic")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=28)
    parser.add_argument("--games", type=int, default=4000, help="games a round")
    parser.add_argument("--deals", type=int, default=2000, help="deals of each match that measures")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--run", type=Path, default=Path("runs/heuristic.json"), help="where the state is kept")
    arguments = parser.parse_args()
    try:
        (ablation if arguments.ablation else tune)(arguments)
    except SorryError as error:
        print(f"tune_heuristic: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        kept = "" if arguments.ablation else f"; the same command goes on from {arguments.run}"
        print(f"tune_heuristic: interrupted{kept}", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
