"""Players: what they may be called, that they play by the rules, and that they play what their names say."""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from positions import game_at, position
from sorry_env import CheckpointError, Game, PlayerError, sorry_v0, variant
from sorry_env.checkpoint import checkpoint_of, save_checkpoint
from sorry_env.players import PLAYERS, AfterstatePlayer, make_player
from sorry_env.players.network import Network
from sorry_env.players.policy import Policy
from sorry_env.players.simple import Greedy, Uniform
from sorry_env.random import generators
from sorry_env.sorry.board import DRAW
from sorry_env.sorry.heuristic.terms import TERMS
from strategies import random_states

CHI_SQUARE = [np.inf, 16.03, 19.36, 22.09, 24.53, 26.8, 28.94, 30.99, 32.96, 34.88, 36.75]
"""Degrees of freedom -> what one in 16,000 exceeds."""
OWN = ("search", "race", "optimal", "champion")  # not for every game, and with tests of their own
NAMES = [name for name in PLAYERS if name not in OWN]
SPECS = [*NAMES, "network", "policy", "policy?temperature=1"]


def layers_of(*widths, seed=0):
    """Random layers of these widths."""
    rng = np.random.default_rng(seed)
    return tuple(
        (rng.normal(0, 0.3, (after, before)).astype(np.float32), rng.normal(0, 0.3, after).astype(np.float32))
        for before, after in pairwise(widths)
    )


def network(game, seed=0):
    """A player with random weights."""
    layers = layers_of(game.num_features, 16, 1, seed=seed)
    return Network(game, "network", checkpoint_of("value", game, layers))


def policy(game, temperature):
    layers = layers_of(game.num_features, 16, game.num_actions)
    return Policy(game, "policy", checkpoint_of("policy", game, layers), temperature)


def player_of(spec, game):
    if spec.startswith("policy"):
        return policy(game, float("=" in spec))
    return network(game) if spec == "network" else make_player(spec, game)


# --- legality


@pytest.mark.parametrize("spec", SPECS)
def test_every_player_plays_legal_actions_in_every_game(kind, spec):
    game = variant(*kind)
    states = random_states(game, 500, seed=1)
    actions = player_of(spec, game).choose(states, generators(1, 500))
    assert actions.shape == (500,)
    assert actions.dtype == np.int64
    assert game.legal_mask(states)[np.arange(500), actions].all()


@pytest.mark.parametrize("spec", SPECS)
def test_players_play_whole_games(kind, spec):
    game = variant(*kind, turn_limit=400)
    player, states = player_of(spec, game), game.new_states(8)
    rng, lots = generators(2, 8), generators(3, 8)
    game.reset(states, rng)
    for _ in range(1000):
        running = states["over"] == 0
        actions = player.choose(states, lots)
        assert game.legal_mask(states)[np.arange(8), actions][running].all()
        game.play(states, actions)
        game.draw(states, rng)
        if states["over"].all():
            break
    assert states["over"].all()


@pytest.mark.parametrize("spec", SPECS)
def test_asking_a_player_changes_no_state(kind, spec):
    game = variant(*kind)
    states = random_states(game, 50)
    before = states.copy()
    player_of(spec, game).choose(states, generators(1, 50))
    assert states.tobytes() == before.tobytes()


@pytest.mark.parametrize("spec", SPECS)
def test_a_batch_is_as_many_single_questions(kind, spec):
    game = variant(*kind)
    player, states = player_of(spec, game), random_states(game, 60, seed=2)
    together, alone = generators(5, 60), generators(5, 60)
    actions = player.choose(states, together)
    for i in range(60):
        lots = alone[i : i + 1]
        assert player.choose(states[i : i + 1], lots) == actions[i]
        alone[i : i + 1] = lots
    assert alone.tolist() == together.tolist()


@pytest.mark.parametrize("spec", SPECS)
def test_states_in_which_nobody_can_act_get_action_0(kind, spec):
    game = variant(*kind)
    player, states = player_of(spec, game), random_states(game, 40, seed=3)
    rng = generators(7, 40)
    expected = player.choose(states, rng.copy())
    states["due"][10:20], states["over"][30:], states["due"][30:] = DRAW, 1, DRAW
    idle = np.r_[10:20, 30:40]
    expected[idle] = 0
    assert player.choose(states, rng.copy()).tolist() == expected.tolist()
    assert player.choose(states[idle], rng[idle]).tolist() == [0] * 20


@pytest.mark.parametrize("spec", SPECS)
def test_players_can_be_asked_about_no_state_at_all(spec):
    game = variant("classic", 2)
    assert player_of(spec, game).choose(game.new_states(0), generators(1, 0)).tolist() == []


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_lots_give_the_same_choices(spec):
    game = variant("classic", 3)
    states = random_states(game, 300)
    players = [player_of(spec, game) for _ in range(2)]
    chosen = [player.choose(states, generators(9, 300)).tolist() for player in players]
    assert chosen[0] == chosen[1]


# --- uniform


def drawn(spec, game, count=40_000):
    """How often each action is chosen in one position."""
    states = np.repeat(game.states, count)
    actions = player_of(spec, game.variant).choose(states, generators(4, count))
    return np.bincount(actions, minlength=game.variant.num_actions)


@pytest.mark.parametrize(
    "game",
    [
        game_at("1", red=[10]),
        game_at("2", red=[10, 30]),
        game_at("7", red=[10, 20], yellow=[40]),
        game_at("11", red=[10, 20], yellow=[5, 40, 50], blue=[30]),
        game_at("sorry", red=[10], yellow=[5, 40], blue=[30]),
        game_at("10", "blue", red=[10], blue=[40, 50]),
    ],
    ids=str,
)
def test_uniform_is_uniform_over_distinct_actions(game):
    counts = drawn("uniform", game)
    legal = game.legal()
    expected = 40_000 / len(legal)
    assert np.flatnonzero(counts).tolist() == legal
    assert ((counts[legal] - expected) ** 2 / expected).sum() < CHI_SQUARE[len(legal) - 1]


@pytest.mark.parametrize("card", ["1", "2"])
def test_known_wrong_8_pawns_in_start_do_not_make_coming_out_more_likely(card):
    counts = drawn("uniform", game_at(card, red=[10]))
    assert np.flatnonzero(counts).size == 2
    assert counts.max() / 40_000 == pytest.approx(1 / 2, abs=0.01)  # not 3/4


def test_uniform_uses_its_lots_and_no_others():
    game = variant("classic", 2)
    states = random_states(game, 200)
    lots = generators(1, 200)
    before = lots.copy()
    first = make_player("uniform", game).choose(states, lots)
    assert (lots != before).all()
    assert first.tolist() != make_player("uniform", game).choose(states, lots).tolist()


# --- greedy


def steps_of(colour, place):
    """Steps that a pawn has come; the diamond square counts 0, as the whole ring is still to be walked."""
    if isinstance(place, int):
        return ((place - 15 * ["red", "blue", "yellow", "green"].index(colour) - 4) % 60 + 1) % 60
    return {"start": 0, "home": 65}[place] if place in ("start", "home") else 59 + int(place[-1])


def progress(game, colour):
    """Steps of the colour's pawns, in teams of its partner's too, less those of all others."""
    pawns, colours = game.position()["pawns"], game.variant.colours
    steps = {name: sum(steps_of(name, place) for place in own) for name, own in pawns.items()}
    side = {colour, colours[(colours.index(colour) + 2) % 4]} if game.variant.ruleset.partners else {colour}
    return 2 * sum(steps[name] for name in side) - sum(steps.values())


def test_greedy_makes_the_most_progress_of_all_moves(kind):
    game = variant(*kind)
    states = random_states(game, 60, seed=6)
    chosen = make_player("greedy", game).choose(states, generators(1, 60))
    for i, action in enumerate(chosen):
        one = Game.from_states(game, states[i : i + 1])
        gains = {a: progress(one.after(a), one.to_move) for a in one.legal()}
        assert gains[action] == max(gains.values())


def test_greedy_takes_the_slide_and_the_bump():
    game = game_at("3", red=[13, 30], yellow=[33])
    (action,) = make_player("greedy", game.variant).choose(game.states, generators(1, 1))
    assert game.text(action) == "3: red 13>19 slide"
    game = game_at("3", red=[11, 33], yellow=[36])
    (action,) = make_player("greedy", game.variant).choose(game.states, generators(1, 1))
    assert game.text(action) == "3: red 33>36 bumps yellow"


def test_greedy_draws_lots_among_equals_only():
    game = game_at("5", red=[20, 30], yellow=[16])
    counts = drawn("greedy", game, 10_000)
    assert np.flatnonzero(counts).size == 2
    assert counts.max() / 10_000 == pytest.approx(1 / 2, abs=0.02)
    game = game_at("5", red=[20, 30], yellow=[35])
    assert np.flatnonzero(drawn("greedy", game, 1000)).size == 1


def test_greedy_runs_for_its_partner_too():
    """The partner's pawn slides three squares further than the own one goes."""
    seats = ["red", "blue", "yellow", "green"]
    game = game_at("3", ruleset="teams_1939", seats=seats, red=[20], yellow=[43], blue=[28])
    (action,) = make_player("greedy", game.variant).choose(game.states, generators(1, 1))
    assert game.text(action) == "3: yellow 43>49 slide"


# --- players that score afterstates


class Contrary(AfterstatePlayer):
    """Wants what greedy wants least."""

    def scores(self, after, seats):
        return -Greedy(self.game).scores(after, seats)


def test_a_player_may_be_written_as_a_score():
    game = game_at("12", red=[20, 35], yellow=[32])
    (action,) = Contrary(game.variant, "contrary").choose(game.states, generators(1, 1))
    assert game.text(action) == "12: red 35>47"


def test_a_player_without_scores_says_so():
    game = game_at("12", red=[20])
    with pytest.raises(NotImplementedError, match="AfterstatePlayer has no scores"):
        AfterstatePlayer(game.variant, "nobody").choose(game.states, generators(1, 1))


# --- spec strings


@pytest.mark.parametrize("spec", NAMES)
def test_a_player_knows_its_game_and_the_spec_that_makes_it_again(kind, spec):
    game = variant(*kind)
    player = make_player(spec, game)
    assert player.game is game
    assert player.spec == spec
    assert type(make_player(player.spec, game)) is type(player)


def test_names_mean_what_they_say():
    game = variant("tiny", 2)
    assert type(make_player("uniform", game)) is Uniform
    assert type(make_player("greedy", game)) is Greedy


@pytest.mark.parametrize("form", [str, Path])
def test_a_checkpoint_is_named_by_its_path(tmp_path, form):
    game = variant("tiny", 2)
    rng = np.random.default_rng(0)
    layer = (rng.normal(size=(1, game.num_features)).astype(np.float32), np.zeros(1, np.float32))
    path = tmp_path / "a player.safetensors"
    save_checkpoint(path, checkpoint_of("value", game, (layer,)))
    player = make_player(form(path), game)
    assert type(player) is Network
    assert player.spec == str(path)


def test_options_reach_the_player():
    game = variant("classic", 2)
    every, some = (make_player(spec, game) for spec in ("heuristic", "heuristic?without=turns,danger"))
    off = {name for name, one, other in zip(TERMS, every.weights, some.weights, strict=True) if one != other}
    assert off <= {"turns", "danger"}
    assert some.weights[list(TERMS).index("turns")] == some.weights[list(TERMS).index("danger")] == 0
    assert some.spec == "heuristic?without=turns,danger"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("unifrom", "unknown player 'unifrom'; did you mean 'uniform'?"),
        (
            "deep blue",
            "known are: 'uniform', 'greedy', 'heuristic', 'race', 'optimal', 'search', 'champion', 'apologies', or "
            "give the path of a .safetensors checkpoint",
        ),
        ("", "unknown player ''; known are"),
        ("player.pt", "or give the path of a .safetensors checkpoint"),
        (None, "unknown player 'None'"),
        ("uniform?seed=1", "'uniform?seed=1' has no option 'seed'; it has none"),
        ("heuristic?withot=danger", "has no option 'withot'; did you mean 'without'?"),
        ("heuristic?without", "cannot read the option 'without'; write name=value, with & between options"),
        ("heuristic?without=dangers", "the heuristic has no term 'dangers'; did you mean 'danger'?"),
        ("heuristic?without=danger&without=threat", "gives an option twice"),
    ],
)
def test_a_spec_that_names_nothing_is_refused_with_what_there_is(spec, message):
    with pytest.raises(PlayerError, match=re.escape(message)):
        make_player(spec, variant("classic", 2))


@pytest.mark.parametrize("spec", ["nowhere.safetensors", "nowhere.safetensors?temperature=1"])
def test_a_checkpoint_that_is_not_there_is_refused_by_name(spec):
    with pytest.raises((CheckpointError, PlayerError), match=r"nowhere\.safetensors"):
        make_player(spec, variant("classic", 2))


# --- players in the environment


@pytest.mark.parametrize("spec", SPECS)
def test_an_environment_asks_a_player_for_the_agent_to_move(kind, spec):
    env = sorry_v0.env(*kind, turn_limit=120)
    player = player_of(spec, env.unwrapped.variant)
    env.reset(seed=4)
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
        else:
            action = env.unwrapped.ask(player)
            assert type(action) is int
            assert observation["action_mask"][action]
            assert agent == env.agent_selection
            env.step(action)


def test_the_answer_is_what_the_player_chooses():
    start = position("3", red=[13, 30], yellow=[33])
    env = sorry_v0.env("classic", 2)
    env.reset(options={"position": start})
    assert env.unwrapped.game().text(env.unwrapped.ask(make_player("greedy", env.unwrapped.variant))) == (
        "3: red 13>19 slide"
    )


def cards_until_the_end(questions):
    """The cards of a game in which a player is asked so many times a turn."""
    env = sorry_v0.env("classic", 2)
    env.reset(seed=6)
    player, cards = make_player("uniform", env.unwrapped.variant), []
    for _ in range(60):
        cards.append(env.unwrapped.game().position()["card"])
        for _ in range(questions):
            env.unwrapped.ask(player)
        env.step(int(env.last()[0]["action_mask"].argmax()))
    return cards


def test_asking_draws_no_cards():
    assert cards_until_the_end(questions=0) == cards_until_the_end(questions=3)


def test_the_seed_of_the_environment_is_that_of_the_lots():
    env = sorry_v0.env("classic", 4)
    player, lots = make_player("uniform", env.unwrapped.variant), []
    for seed in (3, 3, 4):
        env.reset(
            seed=seed,
            options={"position": position("11", red=[1, 9, 17], blue=[30], yellow=[40], green=[50])},
        )
        lots.append([env.unwrapped.ask(player) for _ in range(100)])
    assert lots[0] == lots[1] != lots[2]
