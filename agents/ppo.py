"""PPO with masked actions, by sb3-contrib, in a league of frozen copies of itself and fixed players.

Many games run side by side. In each the learner has a seat of its own, drawn by lot, and every other seat has a player
drawn from its league (`agents.league`). A loss is rewarded with -1, a win with 1, and nothing else is. The policy is
what is saved and played; the net that values positions for it while it learns is not.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from torch import nn

from agents.config import ConfigError
from agents.league import Arrays, League, LeagueConfig
from sorry_env.adapters.sb3 import SorryVecEnv
from sorry_env.checkpoint import Layer
from sorry_env.rulesets import ruleset
from sorry_env.seating import Pool
from sorry_env.variant import Variant


@dataclass(frozen=True, kw_only=True)
class PPOConfig(LeagueConfig):
    """What a training run is made of; the defaults are for classic with two seats."""

    agent: str = "ppo"
    """The trainer that reads this configuration."""
    hidden: tuple[int, ...] = (64,)
    """Widths of the hidden layers, of the policy and of the value net each."""
    lanes: int = 64
    """Games side by side, N."""
    steps: int = 128
    """Choices of the learner in each lane between two updates, T."""
    rollouts: int = 400
    """Rollouts of the whole run."""
    batch: int = 2048
    """Choices of a gradient step."""
    epochs: int = 4
    """How often each rollout is gone over."""
    learning_rate: float = 1e-3
    """Adam's step size at the beginning; it falls along a line to a twentieth."""
    gamma: float = 1.0
    """Discount a choice; a game is won or lost some 40 choices later."""
    gae_lambda: float = 0.95
    """Lambda of the advantages: 0 trusts the next value alone, 1 the end of the game alone."""
    clip: float = 0.2
    """How far the odds of a choice may move in one update before it stops counting."""
    entropy: float = 0.01
    """Weight of the bonus for keeping several choices open."""
    evaluate_every: int = 50
    """Rollouts between two points of the learning curve, and between two saved states."""
    opponents: tuple[str, ...] = ("uniform", "heuristic")
    """Players of the learning curve, by spec string."""

    def __post_init__(self) -> None:
        """Refuse numbers with which there is nothing to learn."""
        super().__post_init__()
        for name in ("steps", "epochs", "clip"):
            self._positive(name)
        for name in ("gamma", "gae_lambda"):
            self._share(name)
        if not 0 <= self.entropy < math.inf:
            raise ConfigError(f"entropy is {self.entropy}: expected 0 or more")
        if self.batch < 2 or self.lanes * self.steps % self.batch:
            raise ConfigError(f"batch is {self.batch}: expected a divisor of {self.lanes} lanes of {self.steps} steps")


class PPOTraining:
    """A run in progress: the games, the learner and its league, and how far they are."""

    kind = "policy"
    """Of the checkpoints."""

    def __init__(self, config: PPOConfig) -> None:
        """Set everything up from the configuration alone."""
        torch.set_num_threads(1)  # nets of this size lose more to synchronisation than they gain
        self.config = config
        self.done = 0
        self.games = 0
        self.env = SorryVecEnv(ruleset(config.ruleset, **config.changes), config.lanes, config.seats, skip_forced=True)
        self.game: Variant = self.env.variant
        self.model = _learner(config, self.env, lambda _: self._learning_rate())
        self.league = League(self.game, config, self.layers())
        self._invite()
        self.env.reset()
        self._sees(np.ones(config.lanes, bool))

    def until(self, rollout: int) -> Iterator[dict[str, float]]:
        """Go on until so many rollouts are done, telling of each.

        What is told: `rollout`, `games`, `turns` (choices of the learner), `reward` (of the games that ended, 0 if
        none did), of PPO `loss`, `entropy`, `kl` and `explained` (variance of the returns), what `League.told` tells,
        and if there was a test match the new copy's win rate, `tested`.

        Each rollout draws from generators that are seeded by its number, so that a run that is cut between rollouts
        gives the same as one that is not.
        """
        while self.done < rollout:
            torch_seed, numpy_seed, match_seed = _numbers(self.config.seed, 1 + self.done)
            torch.manual_seed(torch_seed)
            np.random.seed(numpy_seed)
            books = _Books()
            steps = self.config.lanes * self.config.steps
            self.model.learn(steps, books, log_interval=None, reset_num_timesteps=False)  # type: ignore[arg-type]
            self.done += 1
            self.games += len(books.ended)
            tested = self._matched(books, match_seed)
            yield {
                "rollout": self.done,
                "games": self.games,
                "turns": self.done * steps,
                "reward": books.reward,
                **self._told(),
                **self.league.told(),
                **tested,
            }

    def _learning_rate(self) -> float:
        return self.config.learning_rate * max(0.05, 1 - self.done / self.config.rollouts)

    def _told(self) -> dict[str, float]:
        """What the learner wrote into its log."""
        log = self.model.logger.name_to_value
        names = {"loss": "loss", "kl": "approx_kl", "explained": "explained_variance"}
        found = {name: float(log[f"train/{theirs}"]) for name, theirs in names.items()}
        return found | {"entropy": -float(log["train/entropy_loss"])}

    def _matched(self, books: "_Books", seed: int) -> dict[str, float]:
        """Tell the league of a rollout's games, and let it choose anew whom the next ones meet; `tested`, if it was."""
        self.league.count(self.env.contest.seating.specs, books.ended)
        due = self.done % self.config.snapshot_every == 0
        tested = {"tested": self.league.challenge(self.done, self.layers(), seed)} if due else {}
        self._invite()
        return tested

    def _invite(self) -> None:
        """Have games that begin from now on played against the league as it stands."""
        self.env.set_opponents(self.league.pool())
        self.league.release(self.env.contest.seating.specs)

    def best(self) -> tuple[int, tuple[Layer, ...]]:
        """The league's champion: how many rollouts it has had, and its layers."""
        return self.league.champion.rollout, self.league.champion.player.layers

    def layers(self) -> tuple[Layer, ...]:
        """Each layer's weights and biases of the policy as a checkpoint keeps them."""
        policy: Any = self.model.policy
        linear = [part for part in policy.mlp_extractor.policy_net if isinstance(part, nn.Linear)]
        parts = [(part.weight, part.bias) for part in (*linear, policy.action_net)]
        return tuple((weight.detach().numpy().copy(), bias.detach().numpy().copy()) for weight, bias in parts)

    def tensors(self) -> Arrays:
        """Everything that the run needs to go on, as plain arrays; `restore` takes it back."""
        found = {f"contest.{name}": part for name, part in self.env.contest.state().items()}
        for name, weight in self.model.policy.state_dict().items():
            found[f"weight.{name}"] = weight.numpy()
        for k, moments in self._optimiser.state_dict()["state"].items():
            found |= {f"adam.{name}.{k}": value.numpy() for name, value in moments.items()}
        found |= self.league.state()
        found["players"] = np.frombuffer(json.dumps(self.env.contest.seating.specs).encode(), np.uint8)
        found["starts"] = np.asarray(self.model._last_episode_starts, bool)
        found["counters"] = np.array([self.done, self.games])
        return found

    def restore(self, saved: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go back to where `tensors` was taken."""
        weights = {name.removeprefix("weight."): torch.from_numpy(part.copy()) for name, part in _of("weight", saved)}
        self.model.policy.load_state_dict(weights)
        groups, state = self._optimiser.state_dict()["param_groups"], dict[int, dict[str, torch.Tensor]]()
        for name, part in _of("adam", saved):
            _, moment, k = name.split(".")
            state.setdefault(int(k), {})[moment] = torch.from_numpy(part.copy())
        self._optimiser.load_state_dict({"state": state, "param_groups": groups})
        self.league.restore(saved)
        self.env.set_opponents(Pool(self.league.everybody()))  # by whom the contest finds its players again
        contest = {name.removeprefix("contest."): part for name, part in _of("contest", saved)}
        self.env.contest.restore(contest, json.loads(saved["players"].tobytes()))
        self._invite()
        self.done, self.games = (int(number) for number in saved["counters"])
        self.model.num_timesteps = self.done * self.config.lanes * self.config.steps
        self._sees(saved["starts"].copy())

    def _sees(self, starts: npt.NDArray[np.bool_]) -> None:
        """What the learner goes on from: the games as they are, and (N,) bool, which of them have just begun."""
        self.model._last_obs, self.model._last_episode_starts = self.env.contest.features, starts

    @property
    def _optimiser(self) -> torch.optim.Optimizer:
        return self.model.policy.optimizer


class _Books(BaseCallback):
    """The infos of the games that end."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: list[dict[str, Any]] = []

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        self.ended += [infos[lane] for lane in np.flatnonzero(self.locals["dones"])]
        return True

    @property
    def reward(self) -> float:
        """The mean of the games; 0 if there are none."""
        return float(np.mean([info["episode"]["r"] for info in self.ended])) if self.ended else 0.0


def _learner(config: PPOConfig, env: SorryVecEnv, learning_rate: Any) -> MaskablePPO:
    widths = list(config.hidden)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=learning_rate,
        n_steps=config.steps,
        batch_size=config.batch,
        n_epochs=config.epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip,
        ent_coef=config.entropy,
        policy_kwargs={
            "activation_fn": nn.ReLU,
            "net_arch": {"pi": widths, "vf": widths},
            "optimizer_kwargs": {"eps": 1e-5, "fused": True},
        },
        seed=_numbers(config.seed, 0)[0],  # of the games, too
        device="cpu",
    )
    model.set_logger(Logger(None, []))  # kept in memory: without one, each rollout would make a folder for its log
    return model


def _numbers(seed: int, which: int) -> tuple[int, int, int]:
    """Three seeds below 2**32; which: 0 for the beginning of a run, k + 1 for its rollout k."""
    first, second, third = np.random.SeedSequence(seed, spawn_key=(which,)).generate_state(3)
    return int(first), int(second), int(third)


def _of(prefix: str, saved: Mapping[str, npt.NDArray[Any]]) -> list[tuple[str, npt.NDArray[Any]]]:
    return [(name, part) for name, part in saved.items() if name.startswith(f"{prefix}.")]
