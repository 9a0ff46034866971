"""Matches between players, as duplicates: the same cards for everybody, from every seat.

A **deal** fixes who begins and every card of a game: a lane's generator gives one number for the beginner and one for
each card, so the k-th card is the same whatever is played. Each deal is played in S **rotations**: player i of a match
sits at seat (i + rotation) % S, so every player gets every seat, its colour and its cards once. What is left of luck
is the same for all, and a few thousand deals tell players apart that plain games could not.

Players draw lots from generators of their own, one a deal and seat. A result depends on the seed alone, not on how
many games run side by side, and a player's lots do not depend on what the others draw. The seat's lots are the same in
every rotation: a match of a player against itself is even deal by deal.

What is measured is the **score** of a game: 1 for a win, 0 for a loss, and for a truncated game what an even match
gives: one over the number of **sides**, which are the seats, or the two teams. A player's win rate is its mean. The
unit of chance is the deal, whose rotations are averaged first: 95% intervals are the normal ones from the spread of the
deals' means. An interval of width 0 therefore says that all deals went alike, not that all would.

Luck may be taken off (`agents.luck`): a value net tells of every card how lucky it was, and the returns less that have
the same mean and much narrower intervals.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.luck import Luck
from sorry_env.errors import SorryError
from sorry_env.players import AfterstatePlayer, Player, make_player
from sorry_env.random import Generators, generators
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States

Floats = npt.NDArray[np.float64]
Progress = Callable[[int], Any]
"""Called with the number of games that have ended since the last call."""

LANES = 8192
"""Games played side by side unless told otherwise."""
_Z95 = 1.959964


@dataclass(frozen=True)
class MatchResult:
    """What a match gave. D deals, S rotations, S players.

    Attributes:
        specs: the players' spec strings, S of them.
        returns: (D, S, S) float64: of a deal, a rotation and a player; 1 for a win, the losing sides share -1.
        turns: (D, S) int64: turns that each game took.
        sides: how many sides play against each other: S, or 2 in teams.
        luck: (D, S, S) float64: how much of each return was luck, after the opening, which all players get from every
            seat; None where that was not measured.
    """

    specs: tuple[str, ...]
    returns: Floats
    turns: npt.NDArray[np.int64]
    sides: int
    luck: Floats | None = None

    @property
    def raw(self) -> "MatchResult":
        """The same without luck taken off."""
        return replace(self, luck=None)

    @property
    def scores(self) -> Floats:
        """(D, S) float64: each player's mean score in each deal, less its luck where that was measured.

        Without luck they lie in 0..1; less luck they may lie outside, and only their mean is a win rate.
        """
        returns = self.returns if self.luck is None else self.returns - self.luck
        return as_scores(returns.mean(axis=1), self.sides)

    @property
    def win_rates(self) -> Floats:
        """(S,) float64: each player's mean score."""
        rates: Floats = self.scores.mean(axis=0)
        return rates

    @property
    def half_widths(self) -> Floats:
        """(S,) float64: half the width of each win rate's 95% interval; infinite for a single deal."""
        return half_width(self.scores)

    @property
    def mean_turns(self) -> float:
        """Turns a game."""
        return float(self.turns.mean())


def as_scores(returns: Floats, sides: int) -> Floats:
    """Returns as scores: 1 for a win, 0 for a loss, one over the sides for a truncated game."""
    scores: Floats = (returns * (sides - 1) + 1) / sides
    return scores


def half_width(scores: Floats) -> Floats:
    """Half the width of the 95% interval of the mean over the first axis, (D, ...) float64 of independent rows."""
    if len(scores) < 2:
        return np.full(scores.shape[1:], np.inf)
    spread: Floats = scores.std(axis=0, ddof=1)
    width: Floats = _Z95 * spread / np.sqrt(len(scores))
    return width


def play_match(
    game: Variant,
    players: Sequence[Player],
    deals: int,
    seed: int,
    progress: Progress | None = None,
    lanes: int = LANES,
    luck: AfterstatePlayer | None = None,
) -> MatchResult:
    """Play every deal in every rotation.

    Args:
        game: the variant, of S seats. Truncate endless games with its `turn_limit`.
        players: S players made for `game`; one object may fill several places.
        deals: how many deals, D.
        seed: of the cards and of the players' lots.
        progress: told how many games have ended.
        lanes: most games side by side; the result does not depend on it.
        luck: measure luck by this player of `game`, whose scores are expected returns, as a value net's are; the games
            are the same with it or without.

    Raises:
        ValueError: the players do not fill the seats, or `deals` is not positive.
    """
    if len(players) != game.seats:
        raise ValueError(f"{len(players)} players for {game.seats} seats; each seat needs one")
    if deals < 1:
        raise ValueError(f"deals={deals}: at least one is needed")
    sequences = np.random.SeedSequence(seed).spawn(1 + game.seats)
    cards, *lots = (generators(sequence, deals) for sequence in sequences)
    step, tables = max(1, lanes // game.seats), []
    for begin in range(0, deals, step):
        part = slice(begin, begin + step)
        table = _Table(game, players, cards[part], np.stack([own[part] for own in lots]), luck)
        table.play(progress or (lambda games: None))
        tables.append((table.returns(), table.turns(), table.luck()))
    returns, turns, lucks = (np.concatenate(parts) for parts in zip(*tables, strict=True))
    return MatchResult(
        tuple(player.spec for player in players), returns, turns, sides(game), lucks if luck is not None else None
    )


def sides(game: Variant) -> int:
    """How many sides play against each other: as many as seats, or the two teams (T1)."""
    return 2 if game.ruleset.partners else game.seats


def entrants(game: Variant, player: Player, rival: Player) -> list[Player]:
    """S players: one against the rest, who are all of the other kind; in teams both partners against two rivals."""
    if game.ruleset.partners:
        return [player, rival] * (game.seats // sides(game))
    return [player] + [rival] * (game.seats - 1)


class _Table:
    """Some deals in all their rotations, side by side: N = D * S games, deal by deal."""

    def __init__(
        self,
        game: Variant,
        players: Sequence[Player],
        cards: Generators,
        lots: Generators,
        luck: AfterstatePlayer | None,
    ) -> None:
        """Deal; (D,) generators of the cards and (S, D) of the seats' lots; who measures luck, if anyone."""
        self.game, self.seats = game, game.seats
        self.players = list({id(player): player for player in players}.values())
        self.cards, self.lots = np.repeat(cards, self.seats), np.repeat(lots, self.seats, axis=1)
        rotation = np.tile(np.arange(self.seats), len(cards))
        self.entrant = (np.arange(self.seats) - rotation[:, None]) % self.seats  # (N, S): who sits at a seat
        numbers = np.array([self._number(player) for player in players])
        self.player = numbers[self.entrant]  # (N, S): its index in self.players
        self.states = game.new_states(len(rotation))
        self.lucks = np.zeros((len(rotation), self.seats))  # the seats' luck so far
        self.measure = Luck(game, luck) if luck is not None else None
        game.reset(self.states, self.cards)  # the opening suits a seat, which all get, so its luck cancels

    def _number(self, player: Player) -> int:
        return next(k for k, known in enumerate(self.players) if known is player)

    def play(self, progress: Progress) -> None:
        """Play all games to their ends."""
        running = np.arange(len(self.states))
        while len(running):
            states, cards = self.states[running], self.cards[running]
            self.game.play(states, self._choose(states, running))
            if self.measure is None:
                self.game.draw(states, cards)
            else:
                self.lucks[running] += self.measure.draw(states, cards)
            self.states[running], self.cards[running] = states, cards
            left = running[states["over"] == 0]
            progress(len(running) - len(left))
            running = left

    def _choose(self, states: States, running: IntArray) -> IntArray:
        """Ask each player once, for all games in which it is to move."""
        actions = np.zeros(len(states), np.int64)
        seats = states["seat"]
        movers = self.player[running, seats]
        for k, player in enumerate(self.players):
            mine = np.flatnonzero(movers == k)
            if len(mine):
                rng = self.lots[seats[mine], running[mine]]
                actions[mine] = player.choose(self.game.view(states[mine]), rng)
                self.lots[seats[mine], running[mine]] = rng
        return actions

    def returns(self) -> Floats:
        """(D, S, S) float64, by deal, rotation and player."""
        return self._by_player(self.game.returns(self.states))

    def luck(self) -> Floats:
        """(D, S, S) float64, by deal, rotation and player; zeros where nobody measures it."""
        return self._by_player(self.lucks)

    def _by_player(self, by_seat: Floats) -> Floats:
        """(D, S, S) of (N, S) numbers of the seats."""
        by_player = np.empty_like(by_seat)
        np.put_along_axis(by_player, self.entrant, by_seat, axis=1)
        return by_player.reshape(-1, self.seats, self.seats)

    def turns(self) -> npt.NDArray[np.int64]:
        """(D, S) int64."""
        return self.states["turns"].astype(np.int64).reshape(-1, self.seats)


@dataclass(frozen=True)
class CrossTable:
    """Everybody against everybody. K players.

    Attributes:
        specs: the players' spec strings, K of them.
        rates: (K, K) float64: win rate of one of the row's player, or of a team of two, all other seats filled by the
            column's; NaN on the diagonal. An even match gives one over the sides.
        half_widths: (K, K) float64: half the width of its 95% interval.
        turns: (K, K) float64: turns a game.
    """

    specs: tuple[str, ...]
    rates: Floats
    half_widths: Floats
    turns: Floats


def cross_table(
    game: Variant,
    specs: Sequence[str],
    deals: int,
    seed: int,
    progress: Progress | None = None,
    luck: AfterstatePlayer | None = None,
    match: Callable[..., MatchResult] = play_match,
) -> CrossTable:
    """Every pair of players; with more than two sides one against the rest of the other kind, both ways round.

    All matches are played with the same deals.

    Args:
        game: the variant.
        specs: the players, K of them.
        deals: of each match.
        seed: of the cards and of the players' lots.
        progress: told how many games have ended.
        luck: as in `play_match`.
        match: what gives a match its result, with the arguments of `play_match`; `Ledger.match` plays none twice.

    Raises:
        PlayerError, CheckpointError: a spec that makes no player of `game`.
    """
    players = [make_player(spec, game) for spec in specs]
    rates, half_widths, turns = np.full((3, len(specs), len(specs)), np.nan)
    for row, column in pairings(game, len(specs)):
        result = match(game, entrants(game, players[row], players[column]), deals, seed, progress, luck=luck)
        for i, j, player in ((row, column, 0), (column, row, 1))[: 2 if sides(game) == 2 else 1]:
            rates[i, j], half_widths[i, j] = result.win_rates[player], result.half_widths[player]
            turns[i, j] = result.mean_turns
    return CrossTable(tuple(specs), rates, half_widths, turns)


def pairings(game: Variant, players: int) -> list[tuple[int, int]]:
    """Who plays whom in a `cross_table`: (row, column) pairs; with two sides each pair once."""
    return [(i, j) for i in range(players) for j in range(players) if i < j or (i != j and sides(game) > 2)]


def mixed_tables(game: Variant, players: int, tables: int, seed: int) -> list[tuple[int, ...]]:
    """Tables at which all seats are taken by different players: (S,) indices each, drawn by lot, no table twice.

    Args:
        game: the variant, with a side for each seat.
        players: how many there are to choose from.
        tables: how many are wanted; all there are, each once, where there are not so many.
        seed: of the lots.

    Raises:
        SorryError: the seats are teams, or there are fewer players than seats.
    """
    if sides(game) < game.seats or players < game.seats:
        raise SorryError(
            f"mixed tables need a different player for each of {game.seats} seats, and no teams; "
            f"here are {players} players for {game.ruleset}"
        )
    rng, found = np.random.default_rng(seed), list(combinations(range(players), game.seats))
    chosen = rng.permutation(len(found))[:tables]
    return [tuple(int(k) for k in rng.permutation(found[i])) for i in sorted(chosen)]
