"""Lanes are the verbs played one by one, whatever the number of lanes and threads, into the caller's arrays."""

import os
import re
import threading

import numpy as np
import pytest

from positions import position
from sorry_env import RULESETS, Game, IllegalAction, Lanes, RulesetError, _jit, ruleset, variant
from sorry_env.batch import Crew
from sorry_env.random import generators

KINDS = [(name, seats) for name, rules in RULESETS.items() for seats in rules.seat_counts]
STEPS = 150 if _jit.COMPILED else 50
SHORT = {"turn_limit": 16}


def observed(lanes, actions, **given):
    """A step, and all that it wrote."""
    features, masks = lanes.new_features(), lanes.new_masks()
    over, returns = lanes.step(actions, features=features, masks=masks, **given)
    return features, masks, over, returns


def same(one, other, which=slice(None)):
    """Whether some lanes of two batches are in the same state, with the same generators."""
    pairs = [(one.states, other.states), (one.rng, other.rng), (one.lots, other.lots)]
    return all(a[which].tobytes() == b[which].tobytes() for a, b in pairs)


# --- the verbs, one by one


def single_step(game, states, rng, action, skip_forced=False):
    """A step of one lane, done with the verbs: whether a game has ended, and the returns of the first that has."""
    over, returns = 0, np.zeros(game.seats)
    while True:
        if action is not None:
            game.play(states, np.array([action]))
        game.draw(states, rng)
        legal, action = game.legal_ids(states), None
        if states[0]["over"]:
            returns = returns if over else game.returns(states)[0]
            over = 1
            game.new_game(states, rng)
        elif len(legal) == 1 and skip_forced:
            action = legal[0]
        else:
            return over, returns


def follow(lanes, steps):
    """Play lanes beside single games; the returns of the games that have ended."""
    game, count, ends = lanes.game, len(lanes), []
    alone = [(lanes.states[i : i + 1].copy(), lanes.rng[i : i + 1].copy()) for i in range(count)]
    for _ in range(steps):
        actions = lanes.sample()
        features, masks, over, returns = observed(lanes, actions)
        for i, (states, rng) in enumerate(alone):
            ended, pay = single_step(game, states, rng, actions[i], lanes.skip_forced)
            assert states.tobytes() == lanes.states[i : i + 1].tobytes()
            assert rng[0] == lanes.rng[i]
            assert (over[i], returns[i].tolist()) == (ended, pay.tolist())
            assert np.array_equal(features[i], game.encode(states)[0])
            assert np.array_equal(masks[i], game.legal_mask(states)[0])
            ends += [pay.tolist()] * ended
    return ends


@pytest.mark.parametrize("skip_forced", [False, True], ids=["every turn", "choices"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def test_a_step_is_the_verbs_one_by_one(kind, skip_forced):
    lanes = Lanes(kind[0], 3, kind[1], seed=1, skip_forced=skip_forced, **SHORT)
    assert follow(lanes, STEPS)


@pytest.mark.modes
@pytest.mark.parametrize("skip_forced", [False, True], ids=["every turn", "choices"])
@pytest.mark.parametrize("name", ["tiny", "express"])
def test_games_that_are_won_pay_and_are_followed_by_others(name, skip_forced):
    ends = follow(Lanes(name, 4, 3, seed=2, skip_forced=skip_forced), 150)
    assert {tuple(sorted(pay)) for pay in ends} == {(-0.5, -0.5, 1.0)}
    assert len({pay.index(1.0) for pay in ends}) > 1


def test_a_game_begins_as_the_verbs_begin_it():
    lanes, game = Lanes("points_1939", 5, 3, seed=4), variant("points_1939", 3)
    cards, _ = np.random.SeedSequence(4).spawn(2)
    states, rng = game.new_states(5), generators(cards, 5)
    game.reset(states, rng)
    assert states.tobytes() == lanes.states.tobytes()
    assert rng.tolist() == lanes.rng.tolist()


def test_only_choices_are_left_when_forced_turns_are_skipped():
    lanes = Lanes("classic", 8, 4, seed=1, skip_forced=True, **SHORT)
    assert (lanes.game.legal_counts(lanes.states) > 1).all()
    for _ in range(STEPS):
        _, masks, _, _ = observed(lanes, lanes.sample())
        assert (masks.sum(axis=1) > 1).all()


def test_games_in_which_nobody_has_a_choice_are_not_skipped_for_ever():
    rules = ruleset("classic", turn_limit=1, two_draws_again=False)
    assert len(Lanes(rules, 3, seed=1)) == 3
    for threads in (1, 2):
        with pytest.raises(RulesetError, match=r"1000 games of variant\(classic\(.*turn_limit=1.*skip_forced=False"):
            Lanes(rules, 4, seed=1, skip_forced=True, threads=threads)


def test_what_is_observed_is_what_the_seat_to_move_sees():
    lanes = Lanes("points_modern", 6, 3, seed=1)
    for _ in range(20):
        features, masks, _, _ = observed(lanes, lanes.sample())
        again = features + 1, masks + 1
        lanes.observe(*again)
        assert np.array_equal(again[0], features)
        assert np.array_equal(again[1], masks)
        assert lanes.seats.tolist() == lanes.states["seat"].tolist()
    only = lanes.new_masks()
    lanes.observe(masks=only)
    assert np.array_equal(only, masks)


def test_arrays_of_the_callers_are_written_over_and_given_back():
    lanes, other = Lanes("tiny", 5, seed=1), Lanes("tiny", 5, seed=1)
    over, returns = np.full(5, 7, np.int8), np.full((5, 2), 7.0)
    ended = 0
    for _ in range(STEPS):
        found = lanes.step(lanes.sample(), over=over, returns=returns)
        assert found[0] is over
        assert found[1] is returns
        fresh = other.step(other.sample())
        assert [array.tolist() for array in found] == [array.tolist() for array in fresh]
        assert not returns[over == 0].any()
        ended += over.sum()
    assert ended


# --- threads, lanes and seeds


def played(threads, count=7, kind=("fire_and_ice", 3), steps=STEPS, **settings):
    """Lanes after some steps, and all that they gave on the way."""
    lanes, seen = Lanes(kind[0], count, kind[1], seed=3, threads=threads, **settings), []
    for _ in range(steps):
        actions = lanes.sample()
        seen.append([actions, *observed(lanes, actions)])
    return lanes, seen


@pytest.mark.parametrize("threads", [2, 3, 4])
def test_the_number_of_threads_changes_nothing(threads):
    (one, seen), (several, also) = (played(n, skip_forced=True, **SHORT) for n in (1, threads))
    assert same(one, several)
    for step, other in zip(seen, also, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(step, other, strict=True))
    assert one.play_uniform(20) == several.play_uniform(20)
    assert same(one, several)


def test_the_number_of_lanes_changes_nothing():
    (few, seen), (many, also) = played(1, 3), played(2, 11)
    assert same(few, many, slice(3))
    for step, other in zip(seen, also, strict=True):
        assert all(np.array_equal(a, b[:3]) for a, b in zip(step, other, strict=True))


def test_what_is_played_in_one_lane_does_not_reach_the_others():
    calm, other = (Lanes("bump_em", 6, 2, seed=3) for _ in range(2))
    rest = [i for i in range(6) if i != 4]
    for _ in range(STEPS):
        actions, changed = calm.sample(), other.sample()
        changed[4] = np.flatnonzero(other.game.legal_mask(other.states)[4])[-1]
        seen, also = observed(calm, actions), observed(other, changed)
        assert all(np.array_equal(a[rest], b[rest]) for a, b in zip(seen, also, strict=True))
    assert same(calm, other, rest)
    assert not same(calm, other, [4])


def test_a_seed_repeats_everything_and_another_does_not():
    lanes = Lanes("classic", 4, 4, seed=8)
    twin = Lanes("classic", 4, 4, seed=8)
    first = [lanes.step(lanes.sample()) and lanes.states.tobytes() for _ in range(STEPS)]
    assert first == [twin.step(twin.sample()) and twin.states.tobytes() for _ in range(STEPS)]
    lanes.reset(8)
    assert first == [lanes.step(lanes.sample()) and lanes.states.tobytes() for _ in range(STEPS)]
    others = [Lanes("classic", 4, 4, seed=9), Lanes("classic", 4, 4), Lanes("classic", 4, 4), twin]
    twin.reset(8)
    assert len({rng for each in others for rng in each.rng.tolist()}) == 16
    assert len(set(lanes.rng.tolist()) | set(lanes.lots.tolist())) == 8


def test_a_game_begins_with_the_seat_asked_for_or_any():
    lanes = Lanes("parcheesi", 600, 3, seed=5)
    shares = np.bincount(lanes.seats, minlength=3) / 600
    assert shares == pytest.approx(1 / 3, abs=4 * np.sqrt(2 / 9 / 600))
    for seat in range(3):
        lanes.reset(5, first=seat)
        assert (lanes.seats == seat).all()
    for wrong in (3, -1, "red", 1.5):
        with pytest.raises(RulesetError, match=re.escape(f"first is {wrong!r}: expected a seat, 0 to 2")):
            lanes.reset(5, first=wrong)


def test_uniform_play_in_one_go_counts_what_it_plays():
    lanes, other = (Lanes("tiny", 5, seed=6) for _ in range(2))
    played, choices, games = lanes.play_uniform(200)
    assert played == 1000
    assert 0 < choices < played
    turns = [other.play_uniform(1) for _ in range(200)]
    assert np.sum(turns, axis=0).tolist() == [played, choices, games]
    assert games > 0
    assert same(lanes, other)


def test_samples_are_uniform_over_legal_actions():
    count = 20_000 if _jit.COMPILED else 2000
    lanes = Lanes("classic", count, seed=7)
    lanes.states[:] = Game.from_position(position("11", red=[1, 7, 20], yellow=[5, 9, 30, 40])).states
    legal, chance = lanes.game.legal_ids(lanes.states), 1 / len(lanes.game.legal_ids(lanes.states))
    assert len(legal) > 10
    first, second = lanes.sample(), lanes.sample()
    for actions in (first, second):
        shares = np.bincount(actions, minlength=lanes.game.num_actions) / count
        assert np.flatnonzero(shares).tolist() == legal
        assert shares[legal] == pytest.approx(chance, abs=4.5 * np.sqrt(chance * (1 - chance) / count))
    both = (first == second).mean()
    assert both == pytest.approx(chance, abs=4.5 * np.sqrt(chance * (1 - chance) / count))
    lanes.lots[:] = lanes.lots[0]
    assert len(set(lanes.sample().tolist())) == 1


def test_a_crew_shares_its_work_in_order_and_works_at_the_same_time():
    assert Crew(1).each(10, lambda part: part) == [slice(0, 10)]
    assert Crew(3).each(5, lambda part: part, 3) == [slice(0, 5)]
    assert Crew(3).each(11, lambda part: part, 5) == [slice(0, 5), slice(5, 11)]
    assert Crew(3).each(11, lambda part: part) == [slice(0, 3), slice(3, 7), slice(7, 11)]
    together = threading.Barrier(3)
    assert sorted(Crew(3).each(6, lambda part: together.wait(timeout=60))) == [0, 1, 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    lanes = Lanes("tiny", 8, seed=1, threads=2)
    lanes.step(lanes.sample())
    child = os.fork()
    if not child:  # without its own threads it would wait for ever; the alarm ends it then
        import signal

        signal.alarm(60)
        lanes.step(lanes.sample())
        os._exit(7)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7


# --- what cannot be


@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_action_names_lane_and_reason_and_changes_nothing(threads):
    lanes = Lanes("classic", 6, seed=1, threads=threads)
    lanes.states[:] = Game.from_position(position("5", red=[10], yellow=[20])).states
    legal, before = lanes.sample(), Lanes("classic", 6, seed=1)
    before.states[:], before.rng[:], before.lots[:] = lanes.states, lanes.rng, lanes.lots
    forbidden = int(np.flatnonzero(lanes.game.legal_mask(lanes.states)[0] == 0)[0])
    why = Game.from_position(position("5", red=[10], yellow=[20])).why_illegal(forbidden)
    for action, reason in [(forbidden, why), (-1, ""), (lanes.game.num_actions, ""), (2**62, "")]:
        actions, (features, masks) = legal.copy(), (lanes.new_features(), lanes.new_masks())
        actions[[3, 5]] = action
        with pytest.raises(IllegalAction, match=f"^lane 3, action {action}: {re.escape(reason)}"):
            lanes.step(actions, features=features, masks=masks)
        assert same(lanes, before)
        assert not features.any()
        assert not masks.any()
    lanes.step(legal)
    assert not same(lanes, before)


def wrong_arrays():
    """Arrays for three lanes of a game of two seats that do not fit, and what is said of them."""
    wide = np.zeros((3, 10**4), np.float32)
    fixed = np.zeros(3, np.int8)
    fixed.flags.writeable = False
    return [
        (
            "features",
            np.zeros((3, 5), np.float32),
            r"features is \(3, 5\) float32: expected an array \(3, \d+\) float32",
        ),
        ("features", "doubles", r"features is \(3, \d+\) float64: expected"),
        ("features", wide[:, ::100], r"features is \(3, 100\) float32: expected"),
        ("masks", [[0]], "masks is list: expected"),
        ("masks", "transposed", r"masks has to be writeable, its rows side by side in memory \(C order\)"),
        ("over", np.zeros(3, bool), r"over is \(3,\) bool: expected an array \(3,\) int8"),
        ("over", fixed, "over has to be writeable"),
        ("returns", np.zeros((3, 3)), r"returns is \(3, 3\) float64: expected an array \(3, 2\) float64"),
        ("returns", np.zeros((4, 2)), r"returns is \(4, 2\) float64: expected"),
        ("actions", np.zeros(2, int), r"actions is \(2,\) int64: expected \(3,\) integers"),
        ("actions", np.zeros(3), r"actions is \(3,\) float64: expected \(3,\) integers"),
        ("actions", np.zeros(3, bool), r"actions is \(3,\) bool: expected"),
    ]


@pytest.mark.parametrize(("name", "array", "message"), wrong_arrays())
def test_arrays_that_do_not_fit_are_named(name, array, message):
    lanes = Lanes("tiny", 3, seed=1)
    special = {
        "doubles": lanes.new_features().astype(float),
        "transposed": np.zeros((lanes.game.num_actions, 3), np.int8).T,
    }
    array, before = special.get(array, array) if isinstance(array, str) else array, lanes.states.tobytes()
    with pytest.raises(ValueError, match=message):
        lanes.step(**{"actions": lanes.sample(), name: array})
    if name in ("features", "masks"):
        with pytest.raises(ValueError, match=message):
            lanes.observe(**{name: array})
    assert lanes.states.tobytes() == before


def test_actions_may_be_any_whole_numbers():
    lanes, other = (Lanes("tiny", 3, seed=1) for _ in range(2))
    for kind in (np.int16, np.uint64, list):
        actions = lanes.sample()
        lanes.step(actions.tolist() if kind is list else np.repeat(actions, 2).astype(kind)[::2])
        other.step(other.sample())
        assert same(lanes, other)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"count": 0}, "count is 0: expected 1 lane or more"),
        ({"count": True}, "count is True: expected 1 lane or more"),
        ({"count": 2.0}, "count is 2.0: expected 1 lane or more"),
        ({"threads": 0}, "threads is 0: expected 1 or more"),
        ({"threads": "2"}, "threads is '2': expected 1 or more"),
        ({"skip_forced": "no"}, "skip_forced is 'no': expected True or False"),
        ({"game": "clasic"}, "unknown ruleset 'clasic'; did you mean 'classic'?"),
        ({"game": variant("tiny"), "pawns": 2}, "['pawns'] cannot change variant(tiny"),
        ({"paws": 2}, "classic has no field 'paws'; did you mean 'pawns'?"),
        ({"seats": 5}, "seats=5: a game has 2, 3 or 4 seats"),
    ],
)
def test_settings_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(RulesetError, match=re.escape(message)):
        Lanes(**{"count": 2} | arguments)


def test_a_game_is_given_by_name_by_ruleset_or_as_a_variant():
    game = variant("classic", ["blue", "green"], pawns=2)
    for given in (
        Lanes(game, 2),
        Lanes("classic", 2, ["blue", "green"], pawns=2),
        Lanes(game.ruleset, 2, game.colours),
    ):
        assert given.game is game
        assert len(given) == 2
