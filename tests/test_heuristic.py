import numpy as np
import pytest

from agents.arena import play_match
from positions import CARDS, EMPTY_PILE, THREE_HOME, actions_to, arranged, game_at, placement
from sorry_env import Game, PlayerError, variant
from sorry_env.board import DIAMOND, HOME, MOVE, OUT, SORRY, START, SWAP
from sorry_env.engine.random import generators
from sorry_env.players import make_player
from sorry_env.players.heuristic import TERMS, WEIGHTS, Heuristic, tables_of, term_vectors
from sorry_env.rulesets import ruleset

TURNS_TABLE = tables_of(variant("classic", 2))[0]["turns"]


def alone(term):
    """The sign of a term's weight, for a player that looks at nothing else."""
    weight = next(own[term] for own in WEIGHTS.values() if own[term] != 0)
    return {term: float(np.sign(weight))}


def scored(game, term):
    """What the player that looks at one term only thinks of each legal action."""
    seat = game.states["seat"].astype(np.int64)
    player = Heuristic(game.variant, weights=alone(term))
    return {action: player.scores(game.after(action).states, seat)[0] for action in game.legal()}


def value(game, term, colour="red"):
    """A term of a position, for a colour."""
    seats = np.array([game.variant.seat_of(colour)])
    return term_vectors(game.variant, game.states, seats)[0, list(TERMS).index(term)]


# What good players say, a position each: the term alone takes the action after which the pawns named first stand as
# written, and not the one after it.
ADVICE = {
    # 1. A pawn near its circle goes back when that lands it within reach of its entry, and waits there for it.
    "entry": ({"card": "4", "red": [5, 30]}, {"red": [1, 30]}, {"red": [5, 26]}),
    "back_door": ({"card": "5", "red": [6, 20]}, {"red": [6, 25]}, {"red": [11, 20]}),
    "turns": ({"card": "4", "red": [5, 30]}, {"red": [1, 30]}, {"red": [5, 26]}),
    # 2. A 7 is split to put one part on a slide, to bring two pawns Home, or to finish exactly.
    "home": (
        {"card": "7", "red": ["safe 2", "safe 3", 20]},
        {"red": ["home", "home", 20]},
        {"red": ["safe 2", "safe 3", 27]},
    ),
    "slides": ({"card": "1", "red": [10, 20]}, {"red": [11, 20]}, {"red": [10, 21]}),
    "finish": ({"card": "1", "red": ["safe 1", 20]}, {"red": ["safe 1", 21]}, {"red": ["safe 2", 20]}),
    # 3. Do not stop before an opponent's circle; do not stay on the own circle while pawns wait in Start.
    "rival_circle": ({"card": "3", "red": [31, 20], "yellow": []}, {"red": [31, 23]}, {"red": [34, 20]}),
    "own_circle": ({"card": "3", "red": [4, 20]}, {"red": [7, 20]}, {"red": [4, 23]}),
    # 4. Keep the last pawn in Start for a Sorry! while the others run.
    "last_in_start": ({"card": "1", "red": [20, 30, 41]}, {"red": [21, 30, 41]}, {"red": [4, 20, 30, 41]}),
    "sorry": (
        {"card": "1", "red": [20, "home", "home"], "yellow": [25]},
        {"red": [21, "home", "home"]},
        {"red": [4, 20, "home", "home"]},
    ),
    "in_start": ({"card": "1", "red": [20, 30, 41]}, {"red": [21, 30, 41]}, {"red": [4, 20, 30, 41]}),
    # 5. Hit the leader, above all just before its safety zone.
    "leader": (
        {"card": "sorry", "red": [], "blue": [10, "home", "home"], "yellow": [20]},
        {"blue": ["home", "home"], "yellow": [20]},
        {"blue": [10, "home", "home"], "yellow": []},
    ),
    "rival_entry": ({"card": "sorry", "red": [], "yellow": [30, 15]}, {"yellow": [15]}, {"yellow": [30]}),
    "threat": (
        {"card": "3", "red": [20, 40], "yellow": [28]},
        {"red": [23, 40], "yellow": [28]},
        {"red": [20, 43], "yellow": [28]},
    ),
    # 6. Count the cards: what is left in the pile decides which squares are dangerous.
    "danger": (
        {"card": "3", "red": [37, 20], "yellow": [35], "pile": EMPTY_PILE | {"5": 1, "8": 3}},
        {"red": [37, 23]},
        {"red": [40, 20]},
    ),
    "danger_sorry": ({"card": "3", "red": [1, 20], "yellow": []}, {"red": ["safe 2", 20]}, {"red": [1, 23]}),
    "danger_swap": (
        {"card": "3", "red": [1, 20], "yellow": [40, "home", "home", "home"]},
        {"red": ["safe 2", 20]},
        {"red": [1, 23]},
    ),
    # To begin with, run, get to safety, and keep uses for the cards to come.
    "steps": ({"card": "10", "red": [20]}, {"red": [30]}, {"red": [19]}),
    "zone": ({"card": "3", "red": [1, 20]}, {"red": ["safe 2", 20]}, {"red": [1, 23]}),
    "next_card": (
        {"card": "1", "red": [20, "safe 4", "home", "home"]},
        {"red": [21, "safe 4", "home", "home"]},
        {"red": [20, "safe 5", "home", "home"]},
    ),
}


@pytest.mark.parametrize("term", TERMS)
def test_each_term_alone_follows_the_advice(term):
    position, better, worse = ADVICE[term]
    game = game_at(**position)
    values = scored(game, term)
    good, bad = (max(values[action] for action in actions_to(game, **wanted)) for wanted in (better, worse))
    assert good == max(values.values()) > bad, {game.text(action): value for action, value in values.items()}


def choice(spec, position):
    """What a player does, in words; an unambiguous choice is asked for."""
    game = game_at(**position)
    player = make_player(spec, game.variant)
    chosen = {int(player.choose(game.states, generators(seed, 1))[0]) for seed in range(5)}
    assert len(chosen) == 1
    return game.text(chosen.pop())


@pytest.mark.parametrize(
    ("position", "action"),
    [
        ({"card": "4", "red": [5, 30]}, "4: red 5>1"),
        ({"card": "10", "red": [4, 40], "yellow": [20]}, "10: red 40>50"),
        ({"card": "7", "red": ["safe 2", "safe 3", 20]}, "7: red safe 2>home, red safe 3>home"),
        ({"card": "sorry", "red": [20], "yellow": [30, 15]}, "sorry: red start>30 bumps yellow"),
        ({"card": "1", "red": ["safe 5", "home", "home", 20], "yellow": [30]}, "1: red safe 5>home"),
    ],
)
def test_the_whole_player_plays_what_good_players_play(position, action):
    assert choice("heuristic", position) == action


def test_a_split_puts_a_part_on_a_slide():
    assert choice("heuristic", {"card": "7", "red": [12, 22]}).startswith("7: red 12>19 slide")


def test_it_takes_a_win_before_all_else():
    position = {"card": "7", "red": ["safe 5", "safe 4", "home", "home"], "yellow": ["safe 1"]}
    game = game_at(**position | {"card": "1", "red": ["safe 5", "home", "home", "home"]})
    assert scored(game, "danger")[game.legal()[0]] == np.inf


# --- counted cards


def test_danger_counts_the_cards_left():
    """Yellow is 5 behind one red pawn: a 5 strikes it, and no other card."""
    pawns = {"red": [40, *THREE_HOME], "yellow": [35, *THREE_HOME], "to_move": "yellow"}
    loss = TURNS_TABLE[START] - TURNS_TABLE[(40 - 4) % 60 + 1]
    for fives, eights in ((0, 4), (1, 3), (4, 4), (4, 0)):
        game = game_at(None, pile=EMPTY_PILE | {"5": fives, "8": eights}, **pawns)
        assert value(game, "danger") == pytest.approx(loss * fives / (fives + eights))
    full = game_at(None, pile=EMPTY_PILE, **pawns)
    assert value(full, "danger") == pytest.approx(loss * 4 / 45)


def positions(seats, count, seed):
    """States after some uniform turns, before the next card, and the seats that have just moved; no 7s left."""
    game = variant("classic", seats)
    states, rng, player = game.new_states(count), generators(seed, count), make_player("uniform", game)
    game.reset(states, rng)
    for turn in range(40 + seed):
        seat = states["seat"].copy()
        game.play(states, player.choose(states, rng))
        if turn < 39 + seed:
            game.draw(states, rng)
    states["pile"][:, CARDS.index("7")] = 0
    return game, states[states["over"] == 0], seat[states["over"] == 0]


def turns_of(states, seat):
    return TURNS_TABLE[states["pawns"][:, seat]].sum(axis=1)


def cause(action):
    """Which term answers for an action of a rival."""
    if action.kind == MOVE:
        return "rival_circle" if action.stride == OUT else "danger"
    return {SWAP: "danger_swap", SORRY: "danger_sorry"}.get(action.kind)


def dangers(game, state, me):
    """The danger terms by playing every card of every rival on the engine."""
    found = dict.fromkeys(("danger", "rival_circle", "danger_sorry", "danger_swap"), 0.0)
    for rival in set(range(game.seats)) - {me}:
        now = state.copy()
        now["seat"] = rival
        for card, chance in game.odds(now):
            held = now.copy()
            game.deal(held, card)
            after, actions, _ = game.afterstates(held)
            loss = turns_of(after, me) - turns_of(now, me)
            gain = turns_of(now, rival) - turns_of(after, rival)
            for name in found:
                mine = np.array([cause(game.actions[action]) == name for action in actions])
                worst = loss[mine] + (gain[mine] if name == "danger_swap" else 0)
                found[name] += chance * max([0.0, *worst])
    return found


@pytest.mark.modes
@pytest.mark.parametrize("seats", [2, 3])
def test_dangers_are_what_the_engine_says(seats):
    """Swaps that sweep further pawns away are left to the engine: the term looks at the two that swap."""
    game, states, movers = positions(seats, 12, seed=seats)
    for i, me in enumerate(movers):
        expected = dangers(game, states[i : i + 1], int(me))
        terms = dict(zip(TERMS, term_vectors(game, states[i : i + 1], movers[i : i + 1])[0], strict=True))
        for name in ("danger", "rival_circle", "danger_sorry"):
            assert terms[name] == pytest.approx(expected[name]), (name, str(states[i]))
        assert terms["danger_swap"] <= expected["danger_swap"] + 1e-9 or expected["danger_swap"] == 0
