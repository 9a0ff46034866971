"""What a value net is shown beside an observation: who can hit whom, as the engine plays it."""

import numpy as np
import pytest

from sorry_env import Game, variant
from sorry_env.checkpoint import checkpoint_of, load_checkpoint, save_checkpoint
from sorry_env.errors import CheckpointError
from sorry_env.players.network import Network
from sorry_env.random import generators
from sorry_env.sorry.board import CIRCLE, DIAMOND, ENTRY, HOME, START
from sorry_env.sorry.insight import BACK_FOUR, BACK_ONE, ENTER, FROM_START, HIT, LEAVE, LOSS, NUMBERS, WAYS
from sorry_env.sorry.rules import CARDS

FORWARD = {card: int(card) for card in CARDS[:10] if card != "4"}
MOVES = [*FORWARD.items(), ("10", BACK_ONE), ("4", BACK_FOUR), ("1", FROM_START)]


def two_pawns(game, mine, theirs):
    """Positions of two pawns each with one Home: the first seat's at `mine`, the second's at `theirs`; (N,) places."""
    states = game.new_states(len(mine))
    game.new_game(states, np.zeros(len(mine), np.uint64), 0)
    states["pawns"][:, :2, :2] = HOME
    states["pawns"][:, 0, 0], states["pawns"][:, 1, 0] = mine, theirs
    return states


def hits(game, states, card, way):
    """(N,) bool: whether the first seat's card sends the second seat's pawn to Start that way."""
    dealt = states.copy()
    dealt["due"] = CARDS.index(card)
    after, actions, counts = game.afterstates(dealt)
    before = np.repeat(dealt["pawns"][:, 0, 0], counts)
    stride = np.array([game.rules["stride"][0, action] for action in actions])
    wanted = {BACK_ONE: 13, BACK_FOUR: 14}.get(way, way)
    right = (before == START) if way == FROM_START else (before != START) & (stride == wanted)
    bumped = right & (after["pawns"][:, 1, 0] == START)
    return np.bincount(np.repeat(np.arange(len(states)), counts), bumped, len(states)) > 0


@pytest.mark.parametrize("colours", [["red", "yellow"], ["red", "blue"], ["green", "red"]])
def test_a_pawn_is_met_where_the_engine_bumps_it(colours):
    game = variant("classic", colours, pawns=2)
    mine, theirs = (places.reshape(-1) for places in np.meshgrid(np.arange(HOME), np.arange(CIRCLE, DIAMOND + 1)))
    squares = (theirs + game.rules["shift"][0, 1, 0] - 1) % DIAMOND + 1  # as the first seat numbers them
    apart = squares != mine
    states = two_pawns(game, mine[apart], theirs[apart])
    targets = game.insight(states, np.zeros(len(states), int))[:, 2 * WAYS : 4 * WAYS].reshape(-1, 2, WAYS)
    threats = game.insight(states, np.ones(len(states), int))[:, : 2 * WAYS].reshape(-1, 2, WAYS)
    assert (targets == threats).all()
    for card, way in MOVES:
        found = hits(game, states, card, way)
        assert found.any()
        assert ((targets[:, 0, way] > 0) == found).all(), (card, way)
    share = (theirs[apart] % DIAMOND) / np.float32(ENTRY)
    assert np.allclose(targets[:, 1], targets[:, 0] * share[:, None])


@pytest.mark.modes
def test_the_shares_add_up_over_rivals_and_partners():
    game = variant("teams_modern", 4)
    states, rng = game.new_states(50), generators(np.random.SeedSequence(2), 50)
    game.reset(states, rng)
    for _ in range(50):
        actions, counts = game.legal_actions(states)
        game.play(states, actions[np.cumsum(counts) - 1])
        game.draw(states, rng)
    views = [game.insight(states, np.full(50, seat)) for seat in range(4)]
    assert (views[0] == views[2]).all()
    assert (views[1] == views[3]).all()
    assert (views[0][:, : 2 * WAYS] == views[1][:, 2 * WAYS : 4 * WAYS]).all()
    cards = [view[:, 4 * WAYS :].reshape(50, 2, NUMBERS) for view in views]
    assert (cards[0][:, 0] == cards[1][:, 1]).all()
    assert views[0].any()


@pytest.mark.modes
def test_the_next_card_counts_with_its_chance():
    """What a card does to the rival's only pawn, over all cards, is what the numbers say."""
    game = variant("classic", 2, pawns=2)
    rng = np.random.default_rng(1)
    mine, theirs = rng.integers(0, HOME, 400), rng.integers(CIRCLE, DIAMOND + 1, 400)
    squares = (theirs + game.rules["shift"][0, 1, 0] - 1) % DIAMOND + 1
    states = two_pawns(game, mine[squares != mine], theirs[squares != mine])
    states["pile"][:, :11] = rng.integers(0, 3, (len(states), 11))
    states["pile"][:40] = 0  # used up: then the whole deck comes back
    left = np.where(states["pile"].any(axis=1)[:, None], states["pile"], game.rules["deck"])[:, :11]
    chance = left / left.sum(axis=1, keepdims=True)
    numbers = game.insight(states, np.zeros(len(states), int))[:, 4 * WAYS + NUMBERS :]
    cards = [*MOVES, ("2", FROM_START)]
    hit = sum(chance[:, CARDS.index(card)] * hits(game, states, card, way) for card, way in cards)
    assert np.allclose(numbers[:, HIT], hit, atol=1e-6)
    share = (states["pawns"][:, 1, 0] % DIAMOND) / ENTRY
    assert np.allclose(numbers[:, LOSS], hit * share, atol=1e-6)
    home = np.zeros(len(states))
    for card in FORWARD:
        dealt = states.copy()
        dealt["due"] = CARDS.index(card)
        after, _, counts = game.afterstates(dealt)
        done = np.maximum.reduceat(after["over"], np.cumsum(counts) - counts)
        home += chance[:, CARDS.index(card)] * done
    assert np.allclose(numbers[:, ENTER], home, atol=1e-6)
    leaves = (states["pawns"][:, 0, 0] == START) * (chance[:, 0] + chance[:, 1])
    assert np.allclose(numbers[:, LEAVE], leaves, atol=1e-6)


def test_nets_with_insights_are_saved_loaded_and_checked(tmp_path):
    game = variant("classic", 2)
    width = game.num_features + game.insights.width
    layers = ((np.ones((1, width), np.float32), np.zeros(1, np.float32)),)
    save_checkpoint(tmp_path / "net.safetensors", checkpoint_of("value", game, layers))
    found = load_checkpoint(tmp_path / "net.safetensors")
    assert (found.insights, found.inputs) == (game.insights.fingerprint, width)
    states = Game("classic", 2, seed=1).states
    net = Network(game, str(tmp_path / "net.safetensors"))
    shown = np.concatenate([game.encode(states), game.insight(states, states["seat"])], axis=1)
    assert net.net(states, game.rules, states["seat"])[0, 0] == pytest.approx(shown.sum(), rel=1e-5)
    other = checkpoint_of("value", game, layers)
    object.__setattr__(other, "insights", "0" * 16)
    save_checkpoint(tmp_path / "other.safetensors", other)
    with pytest.raises(CheckpointError, match="other insights, 0000"):
        Network(game, str(tmp_path / "other.safetensors"))
