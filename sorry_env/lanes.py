"""The verbs over many games at once: each function here is one loop over the rows of (N,) STATE."""

from typing import Any

import numpy as np

from sorry_env._jit import Int, kernel
from sorry_env.random import below, next_number
from sorry_env.verbs import CHANCE, deal, draw, encode, legal, play, reset, returns, room

NO_ACTION = -1


@kernel
def begin_lanes(states: Any, rules: Any, rng: Any, first: Int) -> None:
    """Begin new games; `first` is a seat, or -1 for a random one (S4).

    A lane's generator gives one number for the beginner, asked for or not, and then one for each card or coin.
    """
    for i in range(len(states)):
        _begin(states[i], rules[0], rng, i, first)


@kernel
def _begin(s: Any, r: Any, rng: Any, i: Int, first: Int) -> None:
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
        _draw(states[i], rules[0], rng, i)


@kernel
def _draw(s: Any, r: Any, rng: Any, i: Int) -> None:
    while s.due >= CHANCE and not s.over:
        draw(s, r, next_number(rng, i))


@kernel
def mask_lanes(states: Any, rules: Any, mask: Any) -> None:
    """Write 1 where an action is legal, else 0, into (N, A) int8."""
    choices = room(states)
    for i in range(len(states)):
        write_mask(states[i], rules[0], choices[0], mask[i])


@kernel
def write_mask(s: Any, r: Any, choices: Any, mask: Any) -> Any:
    """Write the choices and the (A,) mask of one state; the number of legal actions is returned."""
    mask[:] = 0
    for k in range(legal(s, r, choices)):
        mask[choices.ids[k]] = 1
    return choices.count


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


@kernel
def _nth_equal(scores: Any, first: Int, n: Int) -> Int:
    """The index of the n-th further score that equals the one at `first`."""
    k = first
    while n > 0:
        k += 1
        if scores[k] == scores[first]:
            n -= 1
    return k


@kernel
def to_choice(
    states: Any, rules: Any, rng: Any, deck: Any, cursor: Any, skip_forced: bool, mask: Any, action: Int
) -> Any:
    """Play an action of one game, then let chance happen, and play decisions with a single way if asked.

    Args:
        states: (1,) STATE.
        rules: (1,) RULES.
        rng: (1,) uint64.
        deck: (D,) int16, cards that come first, in this order; then the generator draws.
        cursor: (1,) int64, how many of them have come.
        skip_forced: play decisions in which there is nothing to choose.
        mask: (A,) int8, written: the mover's legal actions, all 0 if the game is over.
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
            if s.due == CHANCE and cursor[0] < len(deck):
                deal(s, r, np.int64(deck[cursor[0]]))
                cursor[0] += 1
            else:
                draw(s, r, next_number(rng, 0))
        count = write_mask(s, r, choices[0], mask)
        if s.over:
            return -1
        if not skip_forced or count > 1:
            return s.seat
        following = np.int64(choices[0].ids[0])


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
    for i in range(len(states)):
        s, r = states[i], rules[0]
        for _ in range(turns):
            count = legal(s, r, choices[0])
            tally[0] += 1
            tally[1] += count > 1
            tally[2] += _step(s, r, rng, i, np.int64(choices[0].ids[below(next_number(rng, i), count)]))


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


@kernel
def _step(s: Any, r: Any, rng: Any, i: Int, action: Int) -> Any:
    """Play, then deal or begin anew; 1 if a game has ended."""
    play(s, r, action)
    over = s.over
    if over:
        _begin(s, r, rng, i, -1)
    _draw(s, r, rng, i)
    return over
