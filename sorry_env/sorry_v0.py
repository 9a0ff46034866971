"""The PettingZoo AEC environment: a shell around the engine that keeps the books of that interface.

```python
from sorry_env import sorry_v0

env = sorry_v0.env("classic", seats=2)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    over = termination or truncation
    env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
```
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from sorry_env import lanes, rulesets
from sorry_env.errors import IllegalAction, PlayerError, RulesetError
from sorry_env.game import Game
from sorry_env.players.base import Player
from sorry_env.random import generators
from sorry_env.rewards import REWARDS, potentials
from sorry_env.settings import RENDER_MODES, check_render_mode, check_rewards, flag
from sorry_env.starts import Start, same_game, start_of
from sorry_env.variant import Variant, variant
from sorry_env.verbs import States

Observation = dict[str, npt.NDArray[Any]]

_MASK = np.dtype(np.int8)


def env(
    ruleset: str = "classic", seats: int | Sequence[str] = 4, render_mode: str | None = None, **changes: Any
) -> AECEnv[str, Any, Any]:
    """The environment in the wrapper that checks the order of calls; arguments as in `raw_env`."""
    return _Ordered(raw_env(ruleset, seats, render_mode, **changes))


class _Ordered(OrderEnforcingWrapper[str, Any, Any]):
    """PettingZoo's check of the order of calls, in which a step after the end is an error and not a warning.

    Once a game has begun, a loop over `agent_iter` asks the environment itself: each attribute that is looked up
    through a wrapper costs more than a turn of the game.
    """

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The agent to act, again after each `step`, until the game is over or so many times."""
        return self._acting(max_iter) if self._has_reset else super().agent_iter(max_iter)

    def _acting(self, left: int) -> Iterator[str]:
        while left > 0 and self.env.agents:
            assert self._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            self._has_updated, left = False, left - 1
            yield self.env.agent_selection

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """As `raw_env.last`."""
        return self.env.last(observe) if self._has_reset else super().last(observe)

    def step(self, action: Any) -> None:
        """As `raw_env.step`."""
        if not self._has_reset:
            super().step(action)
        self._has_updated = True
        self.env.step(action)

    def restore(self, saved: Mapping[str, Any]) -> None:
        """As `raw_env.restore`; a restored game needs no `reset`."""
        cast(raw_env, self.env).restore(saved)
        self._has_reset = self._has_updated = True

    def __str__(self) -> str:
        return str(self.env)


class raw_env(AECEnv[str, Observation, int | None]):
    """One game as an agent-environment cycle; `player_k` is seat k.

    An observation is a dict of `observation`, (F,) float32 in 0..1, what the agent sees (`features`), and
    `action_mask`, (A,) int8, 1 where the action is legal; the mask is in `infos` too. It is all 0 for agents that are
    not to move. An agent may act several times in a row: after a 2, or when `skip_forced` passes over the others.

    Attributes:
        variant: ruleset, seats, action table and features.
        states: (1,) STATE, the game as the engine and the players see it.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo declares it so)
        "name": "sorry_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        ruleset: str = "classic",
        seats: int | Sequence[str] = 4,
        render_mode: str | None = None,
        *,
        rewards: str = "win",
        shaping: float = 0.0,
        skip_forced: bool = False,
        **changes: Any,
    ) -> None:
        """Set the table.

        Args:
            ruleset: a name in `RULESETS`.
            seats: how many, or the colours in turn order, clockwise.
            render_mode: "ansi": `render()` gives the board as text; None: nothing is drawn.
            rewards: paid at the end: "win" (1, the losers share -1), "points" (score less the mean of the others'),
                or "score" (the score itself) (H7).
            shaping: weight of a potential-based reward for progress at each step, undiscounted; it adds up to the
                same sum whatever is played, and so leaves the best policy as it is. 0 switches it off.
            skip_forced: play turns with a single choice inside the environment.
            **changes: fields of `Ruleset` that differ from the named one.

        Raises:
            RulesetError: what is unknown, out of range or contradictory, by name.
        """
        super().__init__()
        check_rewards(rewards, shaping)
        check_render_mode(render_mode)
        self.variant: Variant = variant(rulesets.ruleset(ruleset, **changes), seats)
        self.render_mode = render_mode
        self.possible_agents: list[str] = [f"player_{seat}" for seat in range(self.variant.seats)]
        self._seats = {agent: np.array([seat]) for seat, agent in enumerate(self.possible_agents)}
        self._reward_kind, self._shaping, self._skip_forced = rewards, float(shaping), flag("skip_forced", skip_forced)
        self._spaces = {agent: _observation_space(self.variant) for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(self.variant.num_actions) for agent in self.possible_agents}
        self.state_space = _observation_space(self.variant)["observation"]
        self.states: States = self.variant.new_states(1)
        self._features = np.zeros(self.variant.num_features, np.float32)
        self._mask = np.zeros(self.variant.num_actions, np.int8)
        self._chance = self._player_rng = self._sample_rng = generators(None, 1)
        self._seeded = False
        self.agents: list[str] = []
        self._mover: str | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same Dict space for every agent, one object each."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Discrete(A): the ruleset's (card, move) pairs, `variant.actions`."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: of the generator of this and the following games; None goes on with the one there is.
            options: `position`, a position dict or line to begin from; `first`, the colour that begins; `deck`, what
                chance brings, as `Game.chance` words it, the first first, before the generator draws.

        Raises:
            RulesetError: a misspelt option, or one that contradicts another or the environment.
            InvalidPosition: the position cannot be, or is finished.
            IllegalAction: an outcome of `deck` that cannot come by then.
        """
        start = start_of(self.variant, options)
        if seed is not None or not self._seeded:
            sequences = np.random.SeedSequence(seed).spawn(3)
            self._chance, self._player_rng, self._sample_rng = (generators(sequence, 1) for sequence in sequences)
            self._seeded = True
        self._begin(start)

    def _begin(self, start: Start) -> None:
        if start.states is None:
            self.variant.new_game(self.states, self._chance, start.first)
        else:
            self.states = start.states
        self._chance = np.array([self._chance[0], 0, *start.deck], np.uint64)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._idle() for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None  # type: ignore[assignment]
        seat = self._to_choice(lanes.NO_ACTION)
        self._potentials = self._phi()
        self._keep_books(seat)

    def step(self, action: int | None) -> None:
        """Play an action of `agent_selection`, and let chance happen.

        Args:
            action: an id that the mask allows; None, and only that, for an agent whose game is over.

        Raises:
            IllegalAction: with the reason; the game does not change.
        """
        agent = self._selected()
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalAction(f"The game is over: the only action left to {agent} is None; reset() begins anew.")
            self._was_dead_step(action)
            return
        seat = self._to_choice(self._checked(action))
        self.infos[agent] = self._idle()
        self._cumulative_rewards[agent] = 0.0
        self._keep_books(seat)

    def _selected(self) -> str:
        if not self.agents:
            raise IllegalAction("There is no game; call reset() to begin one.")
        return self.agent_selection

    def _to_choice(self, action: int) -> int:
        """Play an action, if there is one, and go on until a seat has to choose; -1 at the end."""
        seat: int = lanes.to_choice(
            self.states, self.variant.rules, self._chance, self._skip_forced, self._features, self._mask, action
        )
        return seat

    def _checked(self, action: Any) -> int:
        """The action as a plain number; for anything but a legal one an error with the reason."""
        number = action if type(action) is int else _number(action)
        if not 0 <= number < len(self._mask) or not self._mask[number]:
            raise IllegalAction(self.game().why_illegal(number))
        return number

    def _idle(self) -> dict[str, Any]:
        """The info of an agent that is not to move."""
        return {"action_mask": np.zeros(len(self._mask), _MASK)}

    def _keep_books(self, seat: int) -> None:
        """Set whose turn it is, the rewards, and whether the game is over: no seat has to choose then."""
        if seat < 0:
            self._end()
            return
        self.agent_selection = self._mover = agent = self.possible_agents[seat]
        self.infos[agent] = {"action_mask": self._mask.copy()}
        if self._shaping:
            self._pay(self._shaped())

    def _end(self) -> None:
        """Pay, tell the scores, and let every agent take note of the end."""
        self._mover = None
        won = bool(self.states[0]["winners"])
        self.terminations = dict.fromkeys(self.agents, won)
        self.truncations = dict.fromkeys(self.agents, not won)
        scores = REWARDS["score"](self.variant, self.states)[0]
        table = {agent: float(score) for agent, score in zip(self.agents, scores, strict=True)}
        winners = [a for seat, a in enumerate(self.agents) if int(self.states[0]["winners"]) >> seat & 1]
        self.infos = {agent: self._idle() | {"scores": dict(table), "winners": list(winners)} for agent in self.agents}
        pay = REWARDS[self._reward_kind](self.variant, self.states)[0]
        self._pay(pay + self._shaped() if self._shaping else pay)
        self._deads_step_first()

    def _pay(self, amounts: npt.NDArray[np.float64]) -> None:
        for agent, amount in zip(self.agents, amounts, strict=True):
            self.rewards[agent] = float(amount)
            self._cumulative_rewards[agent] += float(amount)

    def _phi(self) -> npt.NDArray[np.float64] | float:
        return potentials(self.variant, self.states)[0] if self._shaping else 0.0

    def _shaped(self) -> npt.NDArray[np.float64]:
        """(S,) float64: what the potentials have grown by, times the weight."""
        before, self._potentials = self._potentials, self._phi()
        return self._shaping * np.asarray(self._potentials - before)

    def observe(self, agent: str) -> Observation:
        """What an agent sees, in arrays that the environment will not change."""
        if agent == self._mover:
            return {"observation": self._features.copy(), "action_mask": self._mask.copy()}
        return {"observation": self.variant.encode(self.states, self._seats[agent])[0], **self._idle()}

    def sample(self) -> int | None:
        """A uniformly random legal action of `agent_selection`; None if its game is over.

        `env.step(env.unwrapped.sample())` plays at random, many times as fast as `action_space(agent).sample(mask)`.
        The generator is the environment's own: `reset` seeds it, `save` keeps it.

        Raises:
            IllegalAction: there is no game.
        """
        agent = self._selected()
        if self.terminations[agent] or self.truncations[agent]:
            return None
        action: int = lanes.pick(self._mask, self._sample_rng)
        return action

    def state(self) -> npt.NDArray[np.float32]:
        """(F,) float32: the whole game, as `player_0` sees it."""
        seen: npt.NDArray[np.float32] = self.variant.encode(self.states, np.zeros(1, np.int64))[0]
        return seen

    def game(self) -> Game:
        """A copy of the game as a `Game`: legal moves as text, reasons, positions."""
        return Game.from_states(self.variant, self.states.copy())

    def ask(self, player: Player) -> int:
        """The action that a player chooses for the agent to move, of whose hand and the board alone it sees (H1).

        Raises:
            PlayerError: the player was made for another variant.
            IllegalAction: no game is running.
        """
        if not same_game(player.game, self.variant):
            raise PlayerError(
                f"{player.spec!r} was made for {player.game}, but this environment plays {self.variant}; "
                "make it with make_player(spec, env.unwrapped.variant)"
            )
        if not self.agents or self.states[0]["over"]:
            raise IllegalAction("No game is running: there is nothing to choose; reset() begins one.")
        return int(player.choose(self.variant.view(self.states), self._player_rng)[0])

    def save(self) -> dict[str, Any]:
        """Everything about the running game, generators included, for `restore`; it can be pickled."""
        return {name: _copied(value) for name, value in vars(self).items() if name not in _FIXED}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go back to a saved game of the same variant, rewards and other settings.

        Raises:
            RulesetError: it was saved by an environment that differs.
        """
        if not isinstance(saved.get("variant"), Variant) or not same_game(saved["variant"], self.variant):
            raise RulesetError(f"the game was saved by {saved.get('variant')}, but this environment is {self.variant}")
        for name, attribute in _SETTINGS.items():
            before, now = saved.get(attribute), getattr(self, attribute)
            if before != now:
                raise RulesetError(f"the game was saved with {name}={before!r}, but here it is {name}={now!r}")
        for name, value in saved.items():
            setattr(self, name, _copied(value))

    def render(self) -> str | None:
        """The board as text in mode "ansi"; None without a mode."""
        if self.render_mode is None:
            return None
        return self.variant.family.ansi(self.variant, self.states, colour=False)

    def close(self) -> None:
        """Nothing is held open."""


_SETTINGS = {"rewards": "_reward_kind", "shaping": "_shaping", "skip_forced": "_skip_forced"}
_FIXED = ("possible_agents", "render_mode", "state_space", "_seats", "_spaces", "_actions")


def _observation_space(game: Variant) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (game.num_features,), np.float32),
            "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )


def _number(action: Any) -> int:
    """An action of any integer type as a plain number; kernels would be compiled anew for each type."""
    if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer)):
        raise IllegalAction(
            f"An action is a number that the action mask allows, not {type(action).__name__}; "
            "game().parse(text) gives the number of a text."
        )
    return int(action)


def _copied(value: Any) -> Any:
    """A copy of a saved attribute, down to the arrays in it."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return list(value) if isinstance(value, list) else value
