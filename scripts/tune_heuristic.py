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

from agents.arena import play_match
from sorry_env import lanes
from sorry_env.checkpoint import write_atomically
from sorry_env.engine.random import generators
from sorry_env.errors import SorryError
from sorry_env.players import make_player
from sorry_env.players.heuristic import TERMS, Heuristic, term_vectors
from sorry_env.variant import variant

BAD = ("own_circle", "leader", "rival_entry", "rival_next_card", "danger", "rival_circle", "danger_sorry", "danger_swap")
"""Terms whose weights stay at or below zero."""
OPEN = ("out",)
"""Terms of which good players do not say whether they are good or bad."""
SIGNS = np.array([-1 if name in BAD else 0 if name in OPEN else 1 for name in TERMS])
LAMBDA = 0.9
BEST_SHARE = 0.8
"""How often the softmax takes its best action; the size of the weights follows it."""
STEP = 0.02
"""Kullback-Leibler divergence of a round's step."""
RIDGE = 1e-2


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
    terms, won = term_vectors(game, after, movers[owner]), after["winners"] != 0
    scores = np.where(won, 1e3, terms @ weights)
    p = np.exp(scores - np.maximum.reduceat(scores, begins)[owner])
    p /= np.add.reduceat(p, begins)[owner]
    chosen, rng = np.empty(len(states), np.int64), lots[running]
    lanes.best_lanes(scores + noise.gumbel(size=len(scores)), counts, rng, chosen)
    values = np.where(won, 1.0, sigmoid(terms @ critic[:-1] + critic[-1]))
    choice = (counts > 1) & ~np.logical_or.reduceat(won, begins)
    mean = np.add.reduceat(p[:, None] * terms, begins)
    spread = ((terms - mean[owner]) * np.sqrt(p)[:, None])[choice[owner]]
    return after[chosen], Step(
        running, movers, choice, terms[chosen] - mean, spread.T @ spread, values[chosen],
        np.add.reduceat(p * values, begins), np.maximum.reduceat(p, begins), terms[chosen],
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
    return moved * np.exp(4 * (BEST_SHARE - taken)), taken
