"""A league: frozen copies of the learner and fixed players, and which of them it meets how often.

It is prioritised fictitious self-play, after AlphaStar's league: the learner's win rate against each opponent comes
from the games of training themselves, and those against whom it is low are met most. Fixed players fill a fixed share
of the other seats, and are matched among themselves in the same way.

Every new copy plays a **test match** of duplicate deals against the **champion**, each taking its best actions as a
saved player does, and takes its place if it wins clearly enough. A copy that does not win joins, too.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.arena import entrants, play_match, sides
from agents.config import ConfigError, RunConfig
from sorry_env.checkpoint import Layer, checkpoint_of
from sorry_env.errors import suggestion
from sorry_env.players import Player, make_player
from sorry_env.players.policy import Policy
from sorry_env.seating import Pool
from sorry_env.variant import Variant

Arrays = dict[str, npt.NDArray[Any]]
Floats = npt.NDArray[np.float64]

MATCHING: dict[str, Callable[[Floats], Floats]] = {
    "squared": lambda rates: (1 - rates) ** 2,
    "linear": lambda rates: 1 - rates,
    "variance": lambda rates: rates * (1 - rates),
    "equal": np.ones_like,
}
"""Name -> weights of opponents, any shape, from the learner's win rates against them; the first three are AlphaStar's
f_hard with p = 2 and 1, and f_var."""


@dataclass(frozen=True, kw_only=True)
class LeagueConfig(RunConfig):
    """What a run in a league is made of; each trainer that has one adds its own fields."""

    snapshot_every: int = 10
    """Rollouts between two frozen copies, each of which plays a test match."""
    league_size: int = 8
    """Most copies in the league; whom the learner beats most surely leaves, but neither champion nor newcomer."""
    matching: str = "squared"
    """How often an opponent is met that is beaten at a rate p: "squared", (1 - p)^2; "linear", 1 - p; "variance",
    p(1 - p); "equal", all alike."""
    memory: float = 0.95
    """What a game counts in a win rate after a rollout, of what it counted before."""
    prior_games: float = 20.0
    """Games of which half are won that stand in every win rate, and are all there is of an opponent not met yet."""
    promotion_deals: int = 1000
    """Duplicate deals of a test match."""
    promotion_margin: float = 0.02
    """By how much a test match's win rate has to exceed an even match's to make the candidate champion."""
    scripted: tuple[str, ...] = ("uniform", "heuristic")
    """Fixed opponents, by spec string."""
    scripted_share: float = 0.25
    """Share of the other seats that they fill; copies fill the rest."""

    def __post_init__(self) -> None:
        """Refuse leagues in which nobody could be met, or promoted."""
        super().__post_init__()
        for name in ("snapshot_every", "prior_games", "promotion_deals"):
            self._positive(name)
        for name in ("memory", "promotion_margin", "scripted_share"):
            self._share(name)
        if self.league_size < 2:
            raise ConfigError(f"league_size is {self.league_size}: expected 2 or more, a champion and a newcomer")
        if self.matching not in MATCHING:
            raise ConfigError(f"matching is {self.matching!r}: {suggestion(self.matching, MATCHING)}")
        if self.scripted_share and not self.scripted:
            raise ConfigError(f"scripted_share is {self.scripted_share}, but scripted names no player")
        if len(set(self.scripted)) < len(self.scripted):
            raise ConfigError(f"scripted is {list(self.scripted)}: expected each player once")


@dataclass(eq=False, kw_only=True)
class Member:
    """An opponent, and how the learner did against it.

    Attributes:
        player: who it is.
        games: games with it; each counts less with every rollout that follows.
        won: those of them in which the learner did better, and half of those in which neither did.
    """

    player: Player
    games: float = 0.0
    won: float = 0.0


@dataclass(eq=False, kw_only=True)
class Copy(Member):
    """The learner as it was after some rollout; its player draws its moves with the odds that the policy gives them."""

    player: Policy
    rollout: int


class League:
    """Whom a learner meets.

    Attributes:
        scripted: the fixed players.
        copies: the frozen copies, oldest first.
        champion: the one of them that is best by the test matches.
        departed: copies that have left, but have a game to finish.
    """

    def __init__(self, game: Variant, config: LeagueConfig, layers: tuple[Layer, ...]) -> None:
        """Begin with the fixed players and the learner as it is, by its policy's layers: the first champion.

        Raises:
            PlayerError, CheckpointError: a fixed player that cannot be.
        """
        self.game, self.config = game, config
        self.scripted = [Member(player=make_player(spec, game)) for spec in config.scripted]
        self.champion = self._copy(0, layers)
        self.copies, self.departed = [self.champion], list[Copy]()

    def _copy(self, rollout: int, layers: tuple[Layer, ...]) -> Copy:
        return Copy(player=self._player(f"copy {rollout}", layers, temperature=1.0), rollout=rollout)

    def _player(self, name: str, layers: tuple[Layer, ...], temperature: float) -> Policy:
        return Policy(self.game, name, checkpoint_of("policy", self.game, layers), temperature)

    # --- who is met

    def rates(self, members: Sequence[Member]) -> Floats:
        """(K,) float64: the learner's win rate against each of K members, between 0 and 1 by the prior; even is 0.5."""
        games, won = np.array([(member.games, member.won) for member in members]).reshape(-1, 2).T
        rates: Floats = (won + self.config.prior_games / 2) / (games + self.config.prior_games)
        return rates

    def _shares(self, members: Sequence[Member]) -> Floats:
        """(K,) float64: how often each of K members is met when one of them is; they sum to 1."""
        weights = MATCHING[self.config.matching](self.rates(members))
        shares: Floats = weights / weights.sum()
        return shares

    def pool(self) -> Pool:
        """Of whom each seat's opponent is drawn."""
        fixed = self.config.scripted_share
        weights = [*fixed * self._shares(self.scripted), *(1 - fixed) * self._shares(self.copies)]
        return Pool([member.player for member in self._members()], weights)

    def everybody(self) -> list[Player]:
        """The members' players, and those who have a game to finish."""
        return [member.player for member in (*self._members(), *self.departed)]

    def _members(self) -> Iterator[Member]:
        return chain(self.scripted, self.copies)

    # --- what happens

    def count(self, specs: Sequence[str], games: Iterable[Mapping[str, Any]]) -> None:
        """Let what is known fade, and count the games of a rollout.

        Args:
            specs: of the players whom the numbers of a `seating` mean.
            games: of each game that has ended `seat`, `seating` and `returns`, as in the infos of `SorryVecEnv`.
        """
        known = {member.player.spec: member for member in self._members()}
        for member in known.values():
            member.games, member.won = self.config.memory * member.games, self.config.memory * member.won
        for game in games:
            for number, score in self._scores(game):
                if met := known.get(specs[number]):  # those who have left are not
                    met.games, met.won = met.games + 1, met.won + score

    def _scores(self, game: Mapping[str, Any]) -> Iterator[tuple[int, float]]:
        """The number of each opponent in a game, and 1 if the learner did better, 0 if worse, else a half.

        So half a win is what a third seat's win counts against both others; a partner is no opponent.
        """
        seat, returns = game["seat"], game["returns"]
        for other, number in enumerate(game["seating"]):
            if (other - seat) % sides(self.game):
                yield number, 0.5 + 0.5 * float(np.sign(returns[seat] - returns[other]))

    def challenge(self, rollout: int, layers: tuple[Layer, ...], seed: int) -> float:
        """Let the learner as it is play a test match, and join; the win rate in the match.

        Args:
            rollout: how many are done.
            layers: of its policy.
            seed: of the match.
        """
        candidate = self._copy(rollout, layers)
        rate = self._tested(candidate, seed)
        self.copies.append(candidate)
        if rate >= 1 / sides(self.game) + self.config.promotion_margin:
            self.champion = candidate
        if len(self.copies) > self.config.league_size:
            self._retire()
        return rate

    def _tested(self, candidate: Copy, seed: int) -> float:
        """The candidate's win rate against the champion."""
        copies = candidate.player, self.champion.player
        table = entrants(self.game, *(self._player(copy.spec, copy.layers, temperature=0.0) for copy in copies))
        return float(play_match(self.game, table, self.config.promotion_deals, seed).win_rates[0])

    def _retire(self) -> None:
        """Have the copy leave that is beaten most surely, of several alike the oldest."""
        leaving = [copy for copy in self.copies[:-1] if copy is not self.champion]
        easiest = leaving[int(np.argmax(self.rates(leaving)))]
        self.copies.remove(easiest)
        self.departed.append(easiest)

    def release(self, seated: Sequence[str]) -> None:
        """Forget those that have left, but for who still sits at a table, by spec."""
        self.departed = [copy for copy in self.departed if copy.player.spec in seated]

    # --- what is told and kept

    def told(self) -> dict[str, float]:
        """For the metrics: the `champion`'s rollout, copies in the `league`, and the win rate against the `hardest`.

        Whom the learner has not met counts as even.
        """
        return {
            "champion": self.champion.rollout,
            "league": len(self.copies),
            "hardest": float(self.rates(self.copies).min()),
        }

    def state(self) -> Arrays:
        """Everything as plain arrays, for `restore`."""
        found: Arrays = {
            "league.copies": np.array([copy.rollout for copy in self.copies], np.int64),
            "league.departed": np.array([copy.rollout for copy in self.departed], np.int64),
            "league.champion": np.array([self.champion.rollout], np.int64),
            "league.tallies": np.array([(member.games, member.won) for member in self._members()], np.float64),
        }
        for copy in (*self.copies, *self.departed):
            for k, (weight, bias) in enumerate(copy.player.layers):
                found |= {f"league.{copy.rollout}.weight.{k}": weight, f"league.{copy.rollout}.bias.{k}": bias}
        return found

    def restore(self, saved: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go back to a `state` of a league of the same configuration; its copies are new players of the same names."""
        self.copies = [self._saved(saved, int(rollout)) for rollout in saved["league.copies"]]
        self.departed = [self._saved(saved, int(rollout)) for rollout in saved["league.departed"]]
        self.champion = next(copy for copy in self.copies if copy.rollout == saved["league.champion"][0])
        for member, (games, won) in zip(self._members(), saved["league.tallies"].tolist(), strict=True):
            member.games, member.won = games, won

    def _saved(self, saved: Mapping[str, npt.NDArray[Any]], rollout: int) -> Copy:
        name, depth = f"league.{rollout}", 1 + len(self.config.hidden)
        return self._copy(
            rollout, tuple((saved[f"{name}.weight.{k}"], saved[f"{name}.bias.{k}"]) for k in range(depth))
        )
