"""A contest is games played one by one with the verbs, whoever sits where; what it pays, and what it keeps."""

import io
import itertools
import re

import numpy as np
import pytest

from contests import Spy, begun, chosen, seating, seeds, story
from positions import position
from sorry_env import RULESETS, IllegalAction, PlayerError, RulesetError, _jit, variant
from sorry_env.contest import Contest
from sorry_env.players import make_player
from sorry_env.players.simple import Uniform
from sorry_env.position import from_position
from sorry_env.random import below, next_number, seeded
from sorry_env.rewards import REWARDS, forfeit, potentials
from sorry_env.seating import LEARNER, Pool

KINDS = [(name, seats) for name, rules in RULESETS.items() for seats in rules.seat_counts]
STEPS = 60 if _jit.COMPILED else 12
OTHERS = ["greedy", Pool(["heuristic", "uniform"], [1, 3]), "uniform"]


# --- the verbs, one by one


class Table:
    """One lane, done with the verbs: players are asked when it is their turn, one pool each in turn order."""

    def __init__(self, game, seed, pools, seat, skip_forced):
        own = np.array([seed], np.uint64)
        self.game, self.states, self.skip_forced = game, game.new_states(1), skip_forced
        self.rng, self.tables = seeded(own, 0), seeded(own, 1)
        self.lots = [seeded(own, 2 + k) for k in range(game.seats)]
        self.pools, self.fixed = pools, seat
        self.begin()

    def begin(self):
        while True:
            self.sit_down()
            self.game.new_game(self.states, self.rng)
            if self.go_on(None):
                return

    def sit_down(self):
        drawn = int(below(next_number(self.tables, 0), self.game.seats))
        self.seat, self.sitting = drawn if self.fixed == "random" else self.fixed, {}
        for k, (players, weights) in enumerate(self.pools):
            lot = int(next_number(self.tables, 0)) / 2**32 * sum(weights)
            at = next(at for at in range(len(weights)) if lot < sum(weights[: at + 1]))
            self.sitting[(self.seat + 1 + k) % self.game.seats] = players[at]

    def go_on(self, action):
        """Play until the learner has to choose; False at the end."""
        while True:
            if action is not None:
                self.game.play(self.states, np.array([action]))
            self.game.draw(self.states, self.rng)
            legal, mover = self.game.legal_ids(self.states), int(self.states[0]["seat"])
            if not legal:
                return False
            player = self.sitting.get(mover)
            if len(legal) == 1 and (player or self.skip_forced):
                action = legal[0]
            elif player:
                action = player.choose(self.game.view(self.states), self.lots[mover])[0]
            else:
                return True

    def seen(self):
        return self.game.encode(self.states, np.array([self.seat]))[0], self.game.legal_mask(self.states)[0]


def pools_of(game, opponents):
    """(players, weights) of each other seat."""
    pools = [one if isinstance(one, Pool) else Pool([one]) for one in opponents]
    return [([make_player(spec, game) for spec in pool.players], pool.weights or [1]) for pool in pools]


def check_step(contest, tables, actions):
    """Play a step in a contest and at its tables, and compare; how many games have ended."""
    step = contest.step(actions)
    for i, table in enumerate(tables):
        ended = i in step.ended
        assert table.go_on(actions[i]) != ended
        if ended:
            k = step.ended.tolist().index(i)
            pay, won = table.game.returns(table.states)[0], bool(table.states[0]["winners"])
            assert (step.rewards[i], step.terminated[i], step.truncated[i]) == (pay[table.seat], won, not won)
            assert step.returns[k].tolist() == pay.tolist()
            assert step.seats[k] == table.seat
            assert np.array_equal(step.features[k], table.seen()[0])
            assert not step.masks[k].any()
            table.begin()
        else:
            assert (step.rewards[i], step.terminated[i], step.truncated[i]) == (0, False, False)
        assert (contest.features[i].tobytes(), contest.masks[i].tobytes()) == tuple(x.tobytes() for x in table.seen())
        assert contest.states[i].tobytes() == table.states.tobytes()
        assert contest.seats[i] == table.seat
    return len(step.ended)


def check_contest(game, opponents, steps, seat="random", skip_forced=False):
    contest = begun(game, 3, opponents, seat=seat, skip_forced=skip_forced)
    pools = pools_of(game, opponents)
    tables = [Table(game, 10 + i, pools, seat, skip_forced) for i in range(3)]
    ended = sum(check_step(contest, tables, chosen(contest.masks, k)) for k in range(steps))
    assert ended > 0
    assert contest.running.all()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def test_a_contest_is_games_played_one_by_one(kind):
    game = variant(*kind, turn_limit=24)
    check_contest(game, OTHERS[: game.seats - 1], STEPS, skip_forced=game.seats == 3)


@pytest.mark.modes
@pytest.mark.parametrize(("name", "seat"), [("express", "random"), ("tiny", 2)])
def test_games_that_are_won_are_paid_and_followed_by_others(name, seat):
    check_contest(variant(name, 3), OTHERS[:2], 100, seat=seat)


# --- lanes, threads and seeds


def test_the_number_of_lanes_and_threads_changes_nothing():
    game, told = variant("points_1939", 3, turn_limit=30), []
    for count, threads in [(9, 1), (9, 2), (4, 3)]:
        contest, own = begun(game, count, OTHERS[:2], threads=threads, shaping=0.5), []
        for k in range(STEPS):
            step = contest.step(chosen(contest.masks, k))
            own.append([part[:4].tobytes() for part in (contest.features, contest.masks, contest.states, step.rewards)])
        told.append(own)
    assert told[0] == told[1] == told[2]


def test_generators_of_seeds_are_unlike_and_those_of_a_lane_alone():
    words = np.concatenate([seeded(seeds(1000), stream) for stream in range(3)])
    assert len(np.unique(words)) == 3000
    assert words.all()
    assert seeded(seeds(1000), 2)[700] == seeded(seeds(1, 710), 2)[0]
    bits = np.unpackbits(words.view(np.uint8)).mean()
    assert bits == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(64 * 3000))


def test_without_seeds_the_generators_go_on_and_lanes_without_any_get_fresh_ones():
    game = variant("tiny")
    contest, twin = begun(game, 3), begun(game, 3)
    first = contest.states.tobytes()
    contest.reset()
    twin.reset()
    assert first != contest.states.tobytes() == twin.states.tobytes()
    partly, other = Contest(game, 3), Contest(game, 3)
    which = np.array([True, False, True])
    for one in (partly, other):
        assert not one.begun
        one.reset(seeds(3), which)
        assert one.begun
        assert one.running.tolist() == which.tolist()
        one.reset()
    streams = partly.seating.table["rng"] == other.seating.table["rng"]
    assert streams.all(axis=1).tolist() == streams.any(axis=1).tolist() == which.tolist()


# --- seats


def test_a_random_seat_is_any_and_is_drawn_for_each_game():
    contest = begun(variant("express", 3), 600)
    shares = np.bincount(contest.seats, minlength=3) / 600
    assert shares == pytest.approx(1 / 3, abs=4 * np.sqrt(2 / 9 / 600))
    before = contest.seats.copy()
    contest.reset()
    assert (before == contest.seats).mean() == pytest.approx(1 / 3, abs=4 * np.sqrt(2 / 9 / 600))
    assert (seating(contest) == LEARNER).sum(axis=1).tolist() == [1] * 600
    assert (seating(contest)[np.arange(600), contest.seats] == LEARNER).all()


def test_a_fixed_seat_stays_and_opponents_sit_in_turn_order_after_it():
    players = [Uniform(variant("classic", 4), f"nobody{k}") for k in range(3)]
    for player in players:
        player.__class__ = type("Other", (Uniform,), {})
    contest = begun(variant("classic", 4), 2, players, seat=2)
    assert contest.seats.tolist() == [2, 2]
    order = [contest.seating.players[k] for k in seating(contest)[0][[3, 0, 1]]]
    assert order == players


def test_a_learner_may_play_all_seats_and_is_paid_for_the_one_that_acts():
    contest, ended = begun(variant("tiny", 3), 3, seat="all"), 0
    for k in range(200):
        acting = contest.seats.copy()
        assert acting.tolist() == contest.states["seat"].tolist()
        step = contest.step(chosen(contest.masks, k))
        assert step.seats.tolist() == acting[step.ended].tolist()
        assert step.rewards[step.ended].tolist() == step.returns[np.arange(len(step.ended)), step.seats].tolist()
        assert np.array_equal(contest.features, contest.game.encode(contest.states))
        ended += len(step.ended)
    assert ended
    assert contest.seating.players == []


# --- rewards


@pytest.mark.parametrize("kind", REWARDS)
@pytest.mark.parametrize("name", ["points_1939", "tiny", "teams_modern"])
def test_the_end_pays_what_was_asked_for(kind, name):
    contest = begun(variant(name, max(RULESETS[name].seat_counts)), 8, "uniform", rewards=kind)
    rewards, ended = np.zeros(8), np.zeros(8, bool)
    for k in itertools.count():
        if ended.all():
            break
        step = contest.step(chosen(contest.masks, k), again=False)
        rewards += step.rewards
        paid = REWARDS[kind](contest.game, step.states)[np.arange(len(step.ended)), step.seats]
        assert step.rewards[step.ended].tolist() == paid.tolist() == step.sums.tolist()
        ended[step.ended] = True
        assert rewards[~ended].tolist() == [0] * (~ended).sum()
    assert len(set(rewards)) > 1


def test_rewards_for_progress_add_up_to_where_the_game_began():
    game = variant("classic", 3, turn_limit=40)
    start = from_position(position("3", seats=["red", "blue", "yellow"], red=[10, 20], yellow=[32], turn_limit=40))[1]
    for settings in ({}, {"position": start}):
        plain, shaped = (Contest(game, 5, "greedy", shaping=weight) for weight in (0, 2.0))
        for contest in (plain, shaped):
            contest.reset(seeds(5), **settings)
        ended, k, first = np.zeros(5, bool), 0, potentials(game, shaped.states)
        before = first
        while not ended.all():
            actions, k = chosen(plain.masks, k), k + 1
            one, other = plain.step(actions, again=False), shaped.step(actions, again=False)
            now = potentials(game, shaped.states)
            grown = (now - before)[np.arange(5), shaped.seats]
            assert other.rewards - one.rewards == pytest.approx(2 * grown)
            assert other.sums == pytest.approx(one.sums - 2 * first[other.ended, one.seats])
            ended[one.ended], before = True, now


def test_steps_and_rewards_of_a_game_are_counted():
    contest = begun(variant("express", 2), 4, shaping=1.0)
    lengths, sums, ended = np.zeros(4, int), np.zeros(4), 0
    for k in range(60):
        step = contest.step(chosen(contest.masks, k))
        lengths, sums = lengths + 1, sums + step.rewards
        assert step.lengths.tolist() == lengths[step.ended].tolist()
        assert step.sums.tolist() == sums[step.ended].tolist()
        lengths[step.ended], sums[step.ended] = 0, 0
        ended += len(step.ended)
    assert ended


@pytest.mark.parametrize(("kind", "cost"), [("win", 1), ("score", 28), ("points", 28)])
def test_an_illegal_action_is_a_loss_in_its_lane_alone(kind, cost):
    game = variant("points_1939", 3)
    contest, calm = (begun(game, 4, "greedy", rewards=kind) for _ in range(2))
    for action in (int(contest.masks[2].argmin()), -1, game.num_actions, 2**62):
        actions = chosen(contest.masks, 0)
        actions[2], seat, mask = action, contest.seats[2], contest.masks[2].copy()
        step, other = contest.step(actions), calm.step(chosen(calm.masks, 0))
        assert step.rewards.tolist() == [0, 0, forfeit(game, kind), 0]
        assert step.terminated.tolist() == [False, False, True, False]
        assert not step.truncated.any()
        assert (step.ended.tolist(), step.illegal.tolist(), step.seats.tolist()) == ([2], [True], [seat])
        assert np.array_equal(step.masks, mask[None])
        assert not step.returns.any()
        assert not step.scores.any()
        assert len(other.ended) == 0
        rest = [0, 1, 3]
        assert contest.states[rest].tobytes() == calm.states[rest].tobytes()
        assert contest.running.all()
        assert contest.masks[2].any()
    best = REWARDS["score"]
    assert forfeit(game, kind) <= -1
    assert forfeit(variant("express"), kind) == -1
    assert best(game, game.new_states(1)).max() == 0
    assert forfeit(game, kind) == -cost


def test_a_lane_may_stay_over_until_it_is_reset():
    contest = begun(variant("tiny"), 3)
    actions = chosen(contest.masks, 0)
    actions[1] = -1
    contest.step(actions, again=False)
    assert contest.running.tolist() == [True, False, True]
    features, states = contest.features[1].copy(), contest.states[1].copy()
    step = contest.step(chosen(contest.masks, 0), again=False)
    assert (step.rewards[1], step.terminated[1], len(step.ended)) == (0, False, 0)
    assert contest.features[1].tobytes() == features.tobytes()
    assert contest.states[1] == states
    others = contest.states[[0, 2]].tobytes()
    contest.reset(None, ~contest.running)
    assert contest.running.all()
    assert contest.states[[0, 2]].tobytes() == others
    contest.step(np.full(3, -1), again=False)
    with pytest.raises(IllegalAction, match=r"No game is running; reset\(\) begins one"):
        contest.step(actions)


def test_a_learner_that_never_has_a_choice_is_told_so():
    game = variant("classic", 2, turn_limit=1)
    contest = Contest(game, 2, seat=0)
    with pytest.raises(
        RulesetError, match=r"1000 games of variant\(classic\(turn_limit=1\).* the learner had a choice"
    ):
        contest.reset(seeds(2), first=1)
    assert not contest.running.any()
    contest.reset(first=0)
    assert contest.running.all()
    with pytest.raises(RulesetError, match="1000 games"):
        begun(variant("classic", 2, turn_limit=1, two_draws_again=False), 1, skip_forced=True)


# --- keeping


def test_arrays_handed_out_stay_as_they_are():
    contest, kept = begun(variant("tiny", 3), 4, "greedy"), []
    for k in range(40):
        step = contest.step(chosen(contest.masks, k))
        arrays = [contest.features, contest.masks, *(x for x in vars(step).values() if isinstance(x, np.ndarray))]
        kept.append((arrays, [x.copy() for x in arrays]))
    for arrays, copies in kept:
        assert all(x.tobytes() == y.tobytes() for x, y in zip(arrays, copies, strict=True))
    lean = begun(variant("tiny", 3), 4, "greedy", fresh=False)
    features = lean.features
    assert story(lean, 40) == story(begun(variant("tiny", 3), 4, "greedy"), 40)
    assert lean.features is features


@pytest.mark.parametrize("seat", ["random", "all"])
def test_a_restored_contest_goes_on_where_it_was(seat):
    game = variant("points_modern", 3, turn_limit=40)
    settings = {"opponents": ["heuristic", Pool(["uniform", "greedy"])], "seat": seat, "shaping": 0.5}
    contest = begun(game, 4, **settings)
    story(contest, STEPS)
    file, specs = io.BytesIO(), contest.seating.specs
    np.savez(file, **contest.state())
    file.seek(0)
    with np.load(file) as saved:
        other = Contest(game, 4, ["greedy", Pool(["uniform", "heuristic"])], seat=seat, shaping=0.5)
        other.restore(saved, specs)
    if seat != "all":
        other.set_opponents(settings["opponents"])
    assert story(other, STEPS, STEPS) == story(contest, STEPS, STEPS)


def test_a_state_is_a_copy_and_fits_its_contest_alone():
    game = variant("tiny")
    contest = begun(game, 4)
    saved = contest.state()
    copies = {name: array.copy() for name, array in saved.items()}
    story(contest, 20)
    assert all(array.tobytes() == copies[name].tobytes() for name, array in saved.items())
    with pytest.raises(RulesetError, match=r"features has shape \(4, \d+\), expected \(3, \d+\)"):
        Contest(game, 3).restore(saved, ["uniform"])


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"count": 0}, RulesetError, "count is 0: expected 1 lane or more"),
        ({"rewards": "wins"}, RulesetError, "unknown rewards 'wins'; did you mean 'win'?"),
        ({"shaping": "1"}, RulesetError, "shaping is '1': expected a number"),
        ({"shaping": float("nan")}, RulesetError, "shaping is nan: expected a number"),
        ({"skip_forced": 1}, RulesetError, "skip_forced is 1: expected True or False"),
        ({"threads": 0}, RulesetError, "threads is 0: expected 1 or more"),
        ({"seat": 3}, RulesetError, "seat is 3: expected 0 to 2, 'random' or 'all'"),
        ({"seat": True}, RulesetError, "seat is True: expected"),
        ({"seat": "any"}, RulesetError, "seat is 'any': expected"),
        ({"opponents": ["uniform"] * 3}, PlayerError, "3 opponents for 2 other seats; give 2, or one for all of them"),
        ({"opponents": []}, PlayerError, "0 opponents for 2 other seats"),
        ({"opponents": "unifrom"}, PlayerError, "unknown player 'unifrom'; did you mean 'uniform'?"),
        ({"opponents": 5}, PlayerError, "5 is no opponent: expected a spec string or a player"),
        ({"opponents": [["greedy", 5], "uniform"]}, PlayerError, "5 is no opponent"),
        ({"opponents": [[], "uniform"]}, PlayerError, "a pool of opponents is empty"),
        (
            {"opponents": Spy(variant("classic", 4))},
            PlayerError,
            "'spy' was made for variant(classic, seats=['red', 'b",
        ),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, error, message):
    with pytest.raises(error, match=re.escape(message)):
        Contest(variant("classic", 3), **{"count": 2} | settings)
