"""What a player's mistakes cost where the game is solved: each decision is priced by the exact solution.

A game's **regret** is how much less likely the player wins after its decisions than after the best ones, added up over
the game. On average that is what it loses against the optimum: half, less its probability of winning. Games against the
optimum say the same, but with the luck of all cards on top: so many of them say it far more sharply.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from sorry_env.errors import PlayerError
from sorry_env.players import Player
from sorry_env.players.tables import Optimal
from sorry_env.random import generators
from sorry_env.variant import IntArray, Variant
from sorry_env.verbs import States

Floats = npt.NDArray[np.float64]


def regrets(game: Variant, player: Player, games: int, seed: int, progress: Callable[[int], object]) -> Floats:
    """The regrets of one player in games against the optimum, in probabilities of winning.

    Args:
        game: a variant of two seats that is solved: one or two pawns each, cards independent.
        player: plays one seat, in every second game the other.
        games: how many, G.
        seed: of cards, who begins, and lots.
        progress: told how many games have ended.

    Returns:
        (G,) float64, 0 or more.

    Raises:
        PlayerError: the game is not solved.
    """
    optimum = Optimal(game)
    if game.ruleset.pawns > 2 or not game.ruleset.replacement:
        raise PlayerError(f"{game} is not solved exactly; one or two pawns each are, with replacement=True")
    cards, lots = (generators(one, games) for one in np.random.SeedSequence(seed).spawn(2))
    states, total = game.new_states(games), np.zeros(games)
    game.reset(states, cards)
    left = np.arange(games)
    while len(left):
        mine, views, chosen = states["seat"] == left % 2, game.view(states), np.empty(len(left), np.int64)
        for one, asked in ((player, mine), (optimum, ~mine)):
            own = lots[asked]
            chosen[asked] = one.choose(views[asked], own)
            lots[asked] = own
        total[left[mine]] += _costs(optimum, states[mine], chosen[mine])
        game.play(states, chosen)
        running = states["over"] == 0
        progress(int((~running).sum()))
        states, cards, lots, left = states[running], cards[running], lots[running], left[running]
        game.draw(states, cards)
    return total


def _costs(optimum: Optimal, states: States, chosen: IntArray) -> Floats:
    """(N,) float64: how much less likely the seat to move of (N,) STATE wins after an action than after the best."""
    after, actions, counts = optimum.game.afterstates(states)
    owners = np.repeat(np.arange(len(states)), counts)
    chances = (1 + optimum.values(after, states["seat"][owners].astype(np.int64))) / 2
    best = np.maximum.reduceat(chances, np.cumsum(counts) - counts)
    costs: Floats = best - chances[actions == chosen[owners]]
    return costs
