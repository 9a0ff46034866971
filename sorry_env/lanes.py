"""The verbs over many games at once: each function here is one loop over the rows of (N,) STATE."""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inner, kernel, small
from sorry_env.random import below, next_number
from sorry_env.verbs import CHANCE, deal, draw, encode, insight, legal, odds, play, reset, returns, room

NO_ACTION = -1
"""Given to `to_choice` for an action, to begin where the game is."""
TRIES = 1000
"""Games in a row without a choice after which it is said that there is none."""
MOST_ON_THE_WAY = 128
"""Positions of a turn that are looked at: dice have some dozens, doublets a hundred; a 7 for teams has thousands."""


@kernel
def begin_lanes(states: Any, rules: Any, rng: Any, first: Int) -> None:
    """Begin new games; `first` is a seat, or -1 for a random one (S4).

    A lane's generator gives one number for the beginner, asked for or not, and then one for each card or coin.
    """
    for i in range(len(states)):
        begin_lane(states[i], rules[0], rng, i, first)


@inner
def begin_lane(s: Any, r: Any, rng: Any, i: Int, first: Int) -> None:
    """Begin a new game with generator i of (N,) uint64; `first` as in `begin_lanes`."""
    chosen = below(next_number(rng, i), r.seats)
    reset(s, r, chosen if first < 0 else first)


@kernel
def reset_lanes(states: Any, rules: Any, rng: Any, first: Int) -> None:
    """`begin_lanes`, and deal the first cards."""
    begin_lanes(states, rules, rng, first)
    draw_lanes(states, rules, rng)


@kernel
def play_lanes(states: Any, rules: Any, actions: Any) -> None:
    """Play one legal action, (N,) integers, in each game; games that are over stay as they are."""
    for i in range(len(states)):
        if not states[i].over:
            play(states[i], rules[0], actions[i])


@kernel
def draw_lanes(states: Any, rules: Any, rng: Any) -> None:
    """Let chance happen wherever it is due, until a seat has to decide."""
    for i in range(len(states)):
        draw_lane(states[i], rules[0], rng, i)


@inner
def draw_lane(s: Any, r: Any, rng: Any, i: Int) -> None:
    """Let chance happen with generator i until a seat has to decide."""
    while s.due >= CHANCE and not s.over:
        draw(s, r, next_number(rng, i))


@kernel
def draw_once_lanes(states: Any, rules: Any, rng: Any) -> None:
    """Let chance happen once wherever it is due; it may be due again then."""
    for i in range(len(states)):
        if states[i].due >= CHANCE and not states[i].over:
            draw(states[i], rules[0], next_number(rng, i))


@kernel
def mask_lanes(states: Any, rules: Any, mask: Any) -> None:
    """Write 1 where an action is legal, else 0, into (N, A) int8."""
    choices = room(states)
    for i in range(len(states)):
        write_mask(states[i], rules[0], choices[0], mask[i])


@inner
def write_mask(s: Any, r: Any, choices: Any, mask: Any) -> Any:
    """Write the choices and the (A,) mask of one state; the number of legal actions is returned."""
    count = legal(s, r, choices)
    mask_of(choices, mask)
    return count


@small
def mask_of(choices: Any, mask: Any) -> None:
    """Write the (A,) mask of a CHOICES row."""
    mask[:] = 0
    for k in range(choices.count):
        mask[choices.ids[k]] = 1


@kernel
def count_lanes(states: Any, rules: Any, counts: Any) -> None:
    """Write how many actions are legal, (N,) integers."""
    choices = room(states)
    for i in range(len(states)):
        counts[i] = legal(states[i], rules[0], choices[0])


@kernel
def encode_lanes(states: Any, rules: Any, viewers: Any, out: Any) -> None:
    """Write what seat `viewers[i]` sees of state i into (N, F) float32."""
    for i in range(len(states)):
        encode(states[i], rules[0], viewers[i], out[i])


@kernel
def insight_lanes(states: Any, rules: Any, viewers: Any, out: Any) -> None:
    """Write what a value net is shown beside what seat `viewers[i]` sees of state i into (N, I) float32."""
    for i in range(len(states)):
        insight(states[i], rules[0], viewers[i], out[i])


@kernel
def returns_lanes(states: Any, rules: Any, out: Any) -> None:
    """Write the returns of all seats into (N, S) float64."""
    for i in range(len(states)):
        returns(states[i], rules[0], out[i])


@kernel
def uniform_lanes(states: Any, rules: Any, rng: Any, actions: Any) -> None:
    """Write a uniformly random legal action of each state; 0 where there is none."""
    choices = room(states)
    for i in range(len(states)):
        count = legal(states[i], rules[0], choices[0])
        number = next_number(rng, i)
        actions[i] = choices[0].ids[below(number, count)] if count > 0 else 0


@kernel
def legal_lanes(states: Any, rules: Any, counts: Any, ids: Any) -> Any:
    """Write how many actions are legal, (N,) integers, and which, state by state in table order, as far as they fit.

    Returns:
        How many there are in all; ask again with so much room if (M,) ids had less.
    """
    choices = room(states)
    m = 0
    for i in range(len(states)):
        counts[i] = legal(states[i], rules[0], choices[0])
        if m + counts[i] <= len(ids):
            for k in range(counts[i]):
                ids[m + k] = choices[0].ids[k]
        m += counts[i]
    return m


@kernel
def afterstates_lanes(states: Any, rules: Any, counts: Any, actions: Any, after: Any) -> None:
    """Write where actions lead.

    Args:
        states: (N,) STATE.
        rules: (1,) RULES.
        counts: (N,) integers, how many actions of each state are played; M in all.
        actions: (M,) int64 legal actions, state by state.
        after: (M,) STATE, written.
    """
    m = 0
    for i in range(len(states)):
        for _ in range(counts[i]):
            after[m] = states[i]
            play(after[m], rules[0], actions[m])
            m += 1


@kernel
def turn_ends_lanes(states: Any, rules: Any, counts: Any, ends: Any, rows: Any) -> Any:
    """Write where the seat to move can take each state before chance comes or another seat decides.

    What is reached in several ways counts once, but for the afterstates of a first decision, which all count. A turn
    with more than MOST_ON_THE_WAY positions is not gone through: then these afterstates are all.

    Args:
        states: (N,) STATE.
        rules: (1,) RULES.
        counts: (N,) integers, written: how many ends each state has; of one in which nobody can decide, itself.
        ends: (M,) STATE, written: the ends, state by state, and behind them as many as a turn has on the way.
        rows: (M, B) uint8, the bytes of `ends`, where they are.

    Returns:
        How many ends there are; -1 if there is not enough room.
    """
    choices, sums, found = room(states), np.empty(len(ends), np.int64), 0
    for i in range(len(states)):
        if found == len(ends):
            return -1
        ends[found] = states[i]
        seat, begin, behind, k, deep, compared = states[i].seat, found, found + 1, found, True, False
        while k < behind:
            deciding = not ends[k].over and ends[k].due < CHANCE and ends[k].seat == seat and (deep or k == begin)
            count = legal(ends[k], rules[0], choices[0]) if deciding else 0
            if count > 0 and k > begin and not compared:  # most turns are one decision, of which nothing is compared
                for row in range(begin, behind):
                    sums[row] = _checksum(rows[row])
                compared = True
            for choice in range(count):
                if behind == len(ends):
                    return -1
                ends[behind] = ends[k]
                play(ends[behind], rules[0], choices[0].ids[choice])
                if compared:
                    sums[behind] = _checksum(rows[behind])
                if not compared or not _is_among(rows, sums, (begin, found), (k + 1, behind)):
                    behind += 1
            if count == 0:
                ends[found], sums[found] = ends[k], sums[k]
                found += 1
            k += 1
            if deep and behind - begin > MOST_ON_THE_WAY and k > begin + 1:
                ends[begin], found, behind, k, deep, compared = states[i], begin, begin + 1, begin, False, False
        counts[i] = found - begin
    return found


@inner
def _checksum(row: Any) -> Any:
    """A number below 2**32 that is the same for the same bytes, and seldom for others."""
    total: Any = 0
    for byte in row:
        total = (257 * total + np.int64(byte)) & 0xFFFFFFFF
    return total


@inner
def _is_among(rows: Any, sums: Any, ends: Any, waiting: Any) -> bool:
    """Whether the row behind those that wait is the same as one of them, or as an end; each from where to where."""
    which = waiting[1]
    for begin, behind in (ends, waiting):
        for k in range(begin, behind):
            if sums[k] == sums[which]:
                b = 0
                while b < rows.shape[1] and rows[k, b] == rows[which, b]:
                    b += 1
                if b == rows.shape[1]:
                    return True
    return False


@kernel
def outcomes_lanes(states: Any, rules: Any, width: Int, counts: Any, chances: Any, dealt: Any) -> Any:
    """Write what chance may do next in each state, as far as it fits; where nothing is up to it, the state itself.

    Args:
        states: (N,) STATE.
        rules: (1,) RULES.
        width: the most outcomes that chance has in this game.
        counts: (N,) integers, written: how many outcomes each state has.
        chances: (M,) float64, the beginning written: the outcomes' probabilities, state by state.
        dealt: (M,) STATE, the beginning written: where they lead; chance may be due again there.

    Returns:
        How many outcomes there are in all; ask again with so much room if there was less.
    """
    weights = np.empty(width, np.int64)
    m = 0
    for i in range(len(states)):
        s = states[i]
        if s.over or s.due < CHANCE:
            counts[i] = 1
            if m < len(dealt):
                dealt[m], chances[m] = s, 1.0
            m += 1
            continue
        total = odds(s, rules[0], weights)
        counts[i] = 0
        for outcome in range(width):
            if weights[outcome] > 0:
                if m < len(dealt):
                    dealt[m], chances[m] = s, weights[outcome] / total
                    deal(dealt[m], rules[0], outcome)
                counts[i] += 1
                m += 1
    return m


@kernel
def best_lanes(scores: Any, counts: Any, rng: Any, best: Any) -> None:
    """Write the index of the largest score in each state's stretch of (M,) scores, equal ones drawn by lot.

    A state without actions gets the index at which its stretch would begin.
    """
    begin = 0
    for i in range(len(counts)):
        number, ties = next_number(rng, i), 0
        best[i] = begin
        for k in range(begin, begin + counts[i]):
            if scores[k] > scores[best[i]] or k == begin:
                best[i], ties = k, 1
            elif scores[k] == scores[best[i]]:
                ties += 1
        best[i] = _nth_equal(scores, best[i], below(number, ties))
        begin += counts[i]


@inner
def _nth_equal(scores: Any, first: Int, n: Int) -> Int:
    """The index of the n-th further score that equals the one at `first`."""
    k = first
    while n > 0:
        k += 1
        if scores[k] == scores[first]:
            n -= 1
    return k


@kernel
def to_choice(states: Any, rules: Any, chance: Any, skip_forced: bool, features: Any, mask: Any, action: Int) -> Any:
    """Play an action of one game, then let chance happen, and play decisions with a single way if asked.

    Args:
        states: (1,) STATE.
        rules: (1,) RULES.
        chance: (2 + D,) uint64: the generator; how many of the script have come; the script, D outcomes that come
            first, in this order, before the generator draws. The first two are written.
        skip_forced: play decisions in which there is nothing to choose.
        features: (F,) float32, written: what the seat that has to choose sees.
        mask: (A,) int8, written: its legal actions; all 0 if the game is over, and features are left as they are.
        action: a legal action; NO_ACTION to begin where the game is.

    Returns:
        The seat that has to choose, or -1 if the game is over.
    """
    s, r = states[0], rules[0]
    choices = room(states)
    following = np.int64(action)
    while True:
        if following != NO_ACTION:
            play(s, r, following)
        while s.due >= CHANCE and not s.over:
            _happen(s, r, chance)
        count = write_mask(s, r, choices[0], mask)
        if s.over:
            return -1
        if not skip_forced or count > 1:
            encode(s, r, s.seat, features)
            return s.seat
        following = np.int64(choices[0].ids[0])


@inner
def _happen(s: Any, r: Any, chance: Any) -> None:
    """Let chance happen once: the next of the script, or what the generator draws."""
    next_one = np.int64(chance[1]) + 2
    if s.due == CHANCE and next_one < len(chance):
        deal(s, r, np.int64(chance[next_one]))
        chance[1] = next_one - 1
    else:
        draw(s, r, next_number(chance, 0))


@kernel
def pick(mask: Any, rng: Any) -> Any:
    """A uniformly random action that (A,) int8 allows, by the first of (N,) uint64; NO_ACTION if it allows none."""
    count = 0
    for action in range(len(mask)):
        count += mask[action] != 0
    left = below(next_number(rng, 0), count)
    for action in range(len(mask)):
        left -= mask[action] != 0
        if left < 0:
            return action
    return NO_ACTION


@kernel
def uniform_turns(states: Any, rules: Any, rng: Any, turns: Int, tally: Any) -> None:
    """Play uniformly at random for so many actions a lane, new games following finished ones.

    Args:
        states: (N,) STATE in which a seat has to decide.
        rules: (1,) RULES.
        rng: (N,) uint64.
        turns: actions to be played in each lane: turns, where a turn is one action.
        tally: (3,) int64, added to: actions, those with an alternative, finished games.
    """
    choices = room(states)
    decisions, games = 0, 0
    for i in range(len(states)):
        s, r = states[i], rules[0]
        for _ in range(turns):
            count = legal(s, r, choices[0])
            decisions += count > 1
            games += _step(s, r, rng, i, np.int64(choices[0].ids[below(next_number(rng, i), count)]))
    tally[0] += len(states) * turns  # once: two threads' tallies may lie side by side
    tally[1] += decisions
    tally[2] += games


@kernel
def uniform_turns_observed(
    states: Any, rules: Any, rng: Any, turns: Int, tally: Any, features: Any, masks: Any
) -> None:
    """`uniform_turns`, writing the mover's (N, F) features and (N, A) mask before each turn."""
    choices = room(states)
    for i in range(len(states)):
        s, r = states[i], rules[0]
        for _ in range(turns):
            encode(s, r, s.seat, features[i])
            count = write_mask(s, r, choices[0], masks[i])
            tally[0] += 1
            tally[1] += count > 1
            tally[2] += _step(s, r, rng, i, np.int64(choices[0].ids[below(next_number(rng, i), count)]))


@inner
def _step(s: Any, r: Any, rng: Any, i: Int, action: Int) -> Any:
    """Play, then deal or begin anew; 1 if a game has ended."""
    play(s, r, action)
    over = s.over
    if over:
        begin_lane(s, r, rng, i, -1)
    draw_lane(s, r, rng, i)
    return over


@kernel
def first_illegal_lanes(states: Any, rules: Any, actions: Any) -> Any:
    """The first game in which an action, (N,) integers, is not legal; -1 if all are."""
    choices = room(states)
    for i in range(len(states)):
        count = legal(states[i], rules[0], choices[0])
        if not _among(choices[0].ids, count, actions[i]):
            return i
    return -1


@inner
def _among(ids: Any, count: Int, action: Int) -> bool:
    for k in range(count):  # noqa: SIM110 (what it proposes is not compiled)
        if ids[k] == action:
            return True
    return False


@kernel
def step_lanes(
    states: Any, rules: Any, rng: Any, actions: Any, skip_forced: bool, over: Any, pay: Any, features: Any, masks: Any
) -> Any:
    """Play a legal action in each game, then chance; a new game follows one that has ended.

    Args:
        states: (N,) STATE in which a seat has to decide.
        rules: (1,) RULES.
        rng: (N,) uint64.
        actions: (N,) integers, or NO_ACTION to go on from where the game is.
        skip_forced: play decisions in which there is nothing to choose, too.
        over: (N,) int8, written: 1 where a game has ended, else 0; then `pay` is of the first that has.
        pay: (N, S) float64, written: the returns of a game that has ended, else zeros.
        features: (N, F) float32, written: what the seat to move sees; (0, F): not asked for.
        masks: (N, A) int8, written: its legal actions; (0, A): not asked for.

    Returns:
        The lane that was given up, as nothing was there to choose in TRIES games; -1 if none was.
    """
    choices = room(states)
    for i in range(len(states)):
        s, r, following = states[i], rules[0], np.int64(actions[i])
        over[i], pay[i, :] = 0, 0
        count, games = 0, 0
        while count == 0:
            if following != NO_ACTION:
                play(s, r, following)
            draw_lane(s, r, rng, i)
            if s.over:
                if not over[i]:
                    returns(s, r, pay[i])
                over[i] = 1
                games += 1
                if games == TRIES:
                    return i
                begin_lane(s, r, rng, i, -1)
                following = np.int64(NO_ACTION)
            else:
                count = legal(s, r, choices[0])
                if skip_forced and count == 1:
                    count, following = 0, np.int64(choices[0].ids[0])
        if len(features):
            encode(s, r, s.seat, features[i])
        if len(masks):
            mask_of(choices[0], masks[i])
    return -1
