"""Self-play of a value net: TD(lambda) on afterstates.

The net sees an afterstate with the eyes of one seat and says that seat's expected return. Many games run side by side;
each seat takes the move whose afterstate it likes best, with no look-ahead over the cards. Every afterstate is a
training example for every seat, with the TD(lambda) return that the rest of the rollout gives it as its target.
While one rollout is played, in compiled code, the net learns from the one before it, in torch.
"""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from agents.config import ConfigError, RunConfig
from agents.sparse import Examples, examples_of, first_layer
from sorry_env import lanes
from sorry_env.checkpoint import Layer
from sorry_env.mlp import Net, net_of
from sorry_env.random import Generators, generators
from sorry_env.variant import Variant, averages
from sorry_env.verbs import States

Floats = npt.NDArray[np.float32]

AT_ONCE = 256
"""Afterstates whose outcomes of chance are laid out side by side: there may be hundreds of each."""


@dataclass(frozen=True, kw_only=True)
class ValueNetConfig(RunConfig):
    """What a training run is made of; the defaults are for classic with two seats."""

    agent: str = "value_net"
    """The trainer that reads this configuration."""
    lanes: int = 2048
    """Games side by side, N."""
    steps: int = 32
    """Turns of a rollout in each lane, T."""
    rollouts: int = 200
    """Rollouts of the whole run."""
    insights: bool = True
    """Show the net the game's insights beside the features of an observation, where the game has any."""
    trace: float = 0.8
    """Lambda: 0 trusts the next value alone, 1 the end of the game alone."""
    adjusted: float = 0.0
    """Share of the rollouts, the last ones of the run, from whose targets luck is taken off: all that chance might have
    brought is looked at, which takes several times as long."""
    learning_rate: float = 2e-3
    """Adam's step size at the beginning; it falls along a cosine to a twentieth."""
    averaging: float = 0.995
    """Decay a gradient step of the average of the weights, which is what is saved and played."""
    evaluate_every: int = 20
    """Rollouts between two points of the learning curve, and between two saved states."""
    opponents: tuple[str, ...] = ("uniform", "greedy")
    """Players of the learning curve, by spec string."""

    def __post_init__(self) -> None:
        """Refuse numbers with which there is nothing to learn."""
        super().__post_init__()
        for name in ("trace", "averaging", "adjusted"):
            self._share(name)
        if self.steps < 2:
            raise ConfigError(f"steps is {self.steps}: expected 2 or more, as each turn learns from the next")
        if self.batch > self.lanes * (self.steps - 1):
            raise ConfigError(f"batch is {self.batch}, more than a rollout's {self.lanes} lanes of {self.steps} steps")


@dataclass(frozen=True)
class Rollout:
    """T turns of N lanes, S seats.

    Attributes:
        after: (T, N) STATE, the afterstate of each turn.
        values: (T, N, S) float32, what the net thought of it for each seat; the returns where the game is over.
        luck: (T - 1, N, S) float32, how much more that was a turn later than on average over all that chance might
            have brought; 0 where nobody has looked.
        games: how many games ended.
    """

    after: States
    values: Floats
    luck: Floats
    games: int


class SelfPlay:
    """N games side by side, new ones following those that end."""

    def __init__(self, game: Variant, count: int, seed: np.random.SeedSequence) -> None:
        """Begin the games."""
        self.game = game
        cards, lots = seed.spawn(2)
        self.rng, self.lots = generators(cards, count), generators(lots, count)
        self.states = game.new_states(count)
        game.reset(self.states, self.rng)

    def rollout(self, net: Net, steps: int, adjusted: bool = False) -> Rollout:
        """Play `steps` turns in every lane with one net for all seats, and look at the luck of each if `adjusted`."""
        count, seats = len(self.states), self.game.seats
        after = self.game.new_states((steps, count))
        values = np.empty((steps, count, seats), np.float32)
        memory = after.view(np.uint8)  # NumPy copies plain bytes ten times as fast as rows
        for t in range(steps):
            self.states, values[t] = self._best(net, self.states, self.lots)
            memory[t] = self.states.view(np.uint8)
            self._go_on()
        luck = np.zeros_like(values[1:])
        if adjusted:
            luck = values[1:] - self._expected(net, after[:-1].reshape(-1)).reshape(luck.shape)
        return Rollout(after, values, luck, int((after["over"] != 0).sum()))

    def _best(self, net: Net, states: States, lots: Generators) -> tuple[States, Floats]:
        """The best end of the turn for the mover of (N,) STATE, and (N, S) each seat's expected return there."""
        after, counts = self.game.turn_ends(states)
        movers, lane = states["seat"].astype(np.int64), np.arange(len(counts))
        seats = np.repeat(movers, counts)
        outputs = net(after, self.game.rules, seats)[:, 0]
        over, scores, best = np.flatnonzero(after["over"]), outputs.copy(), np.empty(len(counts), np.int64)
        scores[over] = certain(self.game.returns(after[over])[np.arange(len(over)), seats[over]])
        lanes.best_lanes(scores, counts, lots, best)
        chosen = after[best]
        values = np.empty((len(counts), self.game.seats), np.float32)
        values[lane, movers] = outputs[best]
        for k in range(1, self.game.seats):
            seat = (movers + k) % self.game.seats
            values[lane, seat] = net(chosen, self.game.rules, seat)[:, 0]
        np.tanh(values, out=values)
        ended = np.flatnonzero(chosen["over"])
        values[ended] = self.game.returns(chosen[ended])
        return chosen, values

    def _expected(self, net: Net, states: States) -> Floats:
        """(N, S) float32: the seats' expected returns a turn later, the mean over all that chance may bring."""
        parts = [states[begin : begin + AT_ONCE] for begin in range(0, len(states), AT_ONCE)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return np.concatenate(list(pool.map(lambda part: self._mean(net, part), parts)))

    def _mean(self, net: Net, states: States) -> Floats:
        """`_expected` of a few."""
        dealt, odds, owners = self.game.deals(states)
        _, values = self._best(net, dealt, np.ones(len(dealt), np.uint64))  # equal ones always fall alike
        means = [averages(values[:, seat], odds, owners, len(states)) for seat in range(self.game.seats)]
        return np.stack(means, axis=1).astype(np.float32)

    def _go_on(self) -> None:
        """Deal the next cards; new games where the last has ended."""
        over = np.flatnonzero(self.states["over"])
        if len(over):
            fresh, rng = self.states[over], self.rng[over]
            self.game.new_game(fresh, rng)
            self.states[over], self.rng[over] = fresh, rng
        self.game.draw(self.states, self.rng)


def certain(returns: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The score of an end, beside those of the net: a win before all else, a loss after it, a truncation between."""
    return np.where(returns > 0, np.inf, np.where(returns < 0, -np.inf, 0.0))


def trace_targets(values: Floats, luck: Floats, over: npt.NDArray[np.bool_], trace: float) -> Floats:
    """TD(lambda) returns of afterstates, less luck.

    Luck is 0 on average, whatever the net thinks, so that what a return is on average stays the same.

    Args:
        values: (T, N, S), each seat's value of each afterstate; its return where the game is over.
        luck: (T - 1, N, S), how much more the next value is than it might have been on average.
        over: (T, N), where the game is over; the next turn of that lane is the first of another game.
        trace: lambda.

    Returns:
        (T - 1, N, S) float32: the targets of all but the last turn's afterstates, from which the rest is bootstrapped.
    """
    targets = np.empty_like(luck)
    following = values[-1]
    for t in range(len(luck) - 1, -1, -1):
        ended = over[t + 1][:, None]
        following = np.where(ended, values[t + 1], (1 - trace) * values[t + 1] + trace * following) - luck[t]
        targets[t] = following
    return targets


class Learner:
    """The net in torch, its optimiser, and the running average of its weights."""

    def __init__(self, game: Variant, config: ValueNetConfig, seed: np.random.SeedSequence) -> None:
        """Draw the first weights."""
        torch.set_num_threads(1)  # nets of this size lose more to synchronisation than they gain
        init, order = seed.spawn(2)
        torch.manual_seed(int(init.generate_state(1)[0]))
        self.game, self.config = game, config
        self.order = np.random.Generator(np.random.PCG64(order))
        self.width = game.num_features + (game.insights.width if config.insights else 0)
        self.model = mlp((self.width, *config.hidden, 1))
        self.average = [parameter.detach().clone() for parameter in self.model.parameters()]
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=config.learning_rate, fused=True)

    def net(self, averaged: bool = False) -> Net:
        """The present weights, or their average, for the engine."""
        return net_of(self.layers(averaged), self.game.num_features)

    def layers(self, averaged: bool = True) -> tuple[Layer, ...]:
        """Each layer's weights and biases as a checkpoint keeps them."""
        parts = self.average if averaged else [parameter.detach() for parameter in self.model.parameters()]
        arrays = [part.numpy().copy() for part in parts]
        return tuple(zip(arrays[::2], arrays[1::2], strict=True))

    def learn(self, rollout: Rollout, progress: float) -> float:
        """Go once over a rollout's examples.

        Args:
            rollout: what was played.
            progress: share of the run that is over, 0..1, which sets the step size.

        Returns:
            The mean loss, in nats.
        """
        for group in self.optimiser.param_groups:
            group["lr"] = self.config.learning_rate * (0.05 + 0.95 * (1 + np.cos(np.pi * progress)) / 2)
        losses = [self._step(*batch) for batch in self._batches(rollout)]
        return float(np.mean(losses))

    def _batches(self, rollout: Rollout) -> Iterator[tuple[Examples, Floats]]:
        """Examples in random order, and their targets."""
        over = rollout.after["over"] != 0
        targets = trace_targets(rollout.values, rollout.luck, over, self.config.trace)
        running, states = np.flatnonzero(~over[:-1]), rollout.after.reshape(-1)
        seats, targets = self.game.seats, targets.reshape(-1)
        order = self.order.permutation(len(running) * seats)
        for begin in range(0, len(order) - self.config.batch + 1, self.config.batch):
            which, seat = np.divmod(order[begin : begin + self.config.batch], seats)
            which = running[which]
            yield examples_of(self.game, states, which, seat, self.width), targets[which * seats + seat]

    def _step(self, examples: Examples, targets: Floats) -> float:
        weight, bias, *_ = self.model.parameters()
        hidden = first_layer(weight, bias, examples)
        logits = 2 * self.model[1:](hidden)[:, 0]  # tanh(z) is the return that the odds exp(2z) of a win give
        loss = nn.functional.binary_cross_entropy_with_logits(logits, torch.from_numpy((1 + targets) / 2))
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(self.average, list(self.model.parameters()), 1 - self.config.averaging)
        return float(loss.detach())


def mlp(widths: tuple[int, ...]) -> nn.Sequential:
    """Linear layers of these widths with ReLU between them."""
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(widths):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class Training:
    """A run in progress: self-play and learner, and how far they are."""

    kind = "value"
    """Of the checkpoints."""

    def __init__(self, config: ValueNetConfig) -> None:
        """Set everything up from the configuration alone."""
        self.config = config
        self.game = config.game()
        play, learn = np.random.SeedSequence(config.seed).spawn(2)
        self.self_play = SelfPlay(self.game, config.lanes, play)
        self.learner = Learner(self.game, config, learn)
        self.done = 0
        self.games = 0

    def until(self, rollout: int) -> Iterator[dict[str, float]]:
        """Go on until so many rollouts are done, telling of each: `rollout`, `games`, `turns` and `loss`.

        The next rollout is played with the weights from before the present one is learned from; the first and the
        last of a call have no such company, so that a run that is cut between calls gives the same as one that is not.
        """
        if self.done >= rollout:
            return
        with ThreadPoolExecutor(1) as pool:
            pending = self._play(pool, self.done)
            while self.done < rollout:
                batch = pending.result()
                if self.done + 1 < rollout:
                    pending = self._play(pool, self.done + 1)
                loss = self.learner.learn(batch, self.done / self.config.rollouts)
                self.done += 1
                self.games += batch.games
                turns = self.done * self.config.lanes * self.config.steps
                yield {"rollout": self.done, "games": self.games, "turns": turns, "loss": loss}

    def _play(self, pool: ThreadPoolExecutor, number: int) -> "Future[Rollout]":
        adjusted = number >= (1 - self.config.adjusted) * self.config.rollouts
        return pool.submit(self.self_play.rollout, self.learner.net(), self.config.steps, adjusted)

    def layers(self) -> tuple[Layer, ...]:
        """The averaged net as a checkpoint keeps it."""
        return self.learner.layers()

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Everything that the run needs to go on, as plain arrays; `restore` takes it back."""
        found = {f"average.{k}": part.numpy() for k, part in enumerate(self.learner.average)}
        for k, parameter in enumerate(self.learner.model.parameters()):
            found[f"weight.{k}"] = parameter.detach().numpy()
            for name, value in self.learner.optimiser.state[parameter].items():
                found[f"adam.{name}.{k}"] = value.numpy()
        found["states"] = self.self_play.states.view(np.uint8)
        found["rng"], found["lots"] = self.self_play.rng, self.self_play.lots
        found["order"] = _generator_words(self.learner.order)
        found["counters"] = np.array([self.done, self.games])
        return found

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Go back to where `tensors` was taken."""
        with torch.no_grad():
            for k, parameter in enumerate(self.learner.model.parameters()):
                parameter.copy_(torch.from_numpy(saved[f"weight.{k}"]))
                self.learner.average[k].copy_(torch.from_numpy(saved[f"average.{k}"]))
                moments = {name: torch.from_numpy(saved[f"adam.{name}.{k}"].copy()) for name in _MOMENTS}
                self.learner.optimiser.state[parameter] = moments
        self.self_play.states[:] = saved["states"].view(self.self_play.states.dtype)
        self.self_play.rng[:], self.self_play.lots[:] = saved["rng"], saved["lots"]
        _set_generator(self.learner.order, saved["order"])
        self.done, self.games = (int(number) for number in saved["counters"])


_MOMENTS = ("step", "exp_avg", "exp_avg_sq")
_WORD = 1 << 64


def _generator_words(generator: np.random.Generator) -> npt.NDArray[np.uint64]:
    """(6,) uint64: the state of a PCG64."""
    state: dict[str, Any] = dict(generator.bit_generator.state)
    numbers = [state["state"]["state"], state["state"]["inc"]]
    words = [word for number in numbers for word in (number % _WORD, number // _WORD)]
    return np.array([*words, state["has_uint32"], state["uinteger"]], np.uint64)


def _set_generator(generator: np.random.Generator, words: npt.NDArray[np.uint64]) -> None:
    low, high, low2, high2, has, left = (int(word) for word in words)
    generator.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": low + high * _WORD, "inc": low2 + high2 * _WORD},
        "has_uint32": has,
        "uinteger": left,
    }
