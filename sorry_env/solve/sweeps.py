"""Bellman's equations of a graph, as kernels: each goes once over all positions and puts new values in place of old.

Values are (n + 1,) float64, the last of them 0 for the end, and belong to the seat whose turn it is. Who moves to a
position where the same seat goes on has what that is worth, and else what it leaves to be won.

Where no card can be used the turn passes, and from there it may pass back: two positions that are each other's
**twins**. Values would creep from one to the other, so those of twins are found together, as two equations with two
unknowns; all others are taken as they are.
"""

from typing import Any

import numpy as np

from sorry_env._jit import Int, inlined, inner, kernel

NO_TWIN = -1


@inlined
def _worth(lead: Any, mine: Any, theirs: Any) -> Any:
    """The probability that who has moved wins; `mine` are its values, `theirs` the other seat's."""
    return mine[lead >> 1] if lead & 1 else 1.0 - theirs[lead >> 1]


@kernel
def find_twins(outcomes: Any, actions: Any, ways: Any, leads: Any, twins: Any) -> None:
    """Write each position's twin, or NO_TWIN, into (n,) int64."""
    for i in range(len(twins)):
        passed = _passed_to(outcomes, actions, ways, leads, i)
        back = _passed_to(outcomes, actions, ways, leads, passed) if passed != NO_TWIN else NO_TWIN
        twins[i] = passed if back == i else NO_TWIN


@inner
def _passed_to(outcomes: Any, actions: Any, ways: Any, leads: Any, i: Int) -> Any:
    """Where the other seat goes on when an outcome allows one action, as most such outcomes have it; or NO_TWIN."""
    a, best, most, n = actions[i], NO_TWIN, 0, len(outcomes) - 1
    for o in range(outcomes[i], outcomes[i + 1]):
        if ways[o] == 1 and not leads[a] & 1 and leads[a] >> 1 < n:
            count, b = 0, actions[i]
            for other in range(outcomes[i], outcomes[i + 1]):
                count += ways[other] == 1 and leads[b] == leads[a]
                b += ways[other]
            if count > most:
                best, most = np.int64(leads[a] >> 1), count
        a += ways[o]
    return best


@inner
def _equation(
    odds: Any,
    row: Any,
    outcomes: Any,
    i: Int,
    twin: Int,
    mine: Any,
    theirs: Any,
    actions: Any,
    ways: Any,
    leads: Any,
    shares: Any,
) -> Any:
    """The value of position i as `known + stay * itself + go * (1 - its twin)`."""
    known, stay, go, a = 0.0, 0.0, 0.0, actions[i]
    for o in range(outcomes[i + 1] - outcomes[i]):
        chance, end = odds[row[i], o], a + ways[outcomes[i] + o]
        if end == a + 1 and leads[a] == 2 * i + 1:
            stay += chance
        elif end == a + 1 and twin != NO_TWIN and leads[a] == 2 * twin:
            go += chance
        else:
            known += chance * _value(leads, a, end, mine, theirs, shares)
        a = end
    return known, stay, go


@inner
def _value(leads: Any, begin: Int, end: Int, mine: Any, theirs: Any, shares: Any) -> Any:
    """What an outcome is worth to the seat that has to use it."""
    value = 0.0
    if len(shares):
        for k in range(begin, end):
            value += shares[k] * _worth(leads[k], mine, theirs)
    else:
        for k in range(begin, end):
            value = max(value, _worth(leads[k], mine, theirs))
    return value


@kernel
def sweep_duel(
    odds: Any,
    row: Any,
    outcomes: Any,
    order: Any,
    twins: Any,
    mine: Any,
    theirs: Any,
    my_actions: Any,
    my_ways: Any,
    my_leads: Any,
    my_shares: Any,
    their_actions: Any,
    their_ways: Any,
    their_leads: Any,
    their_shares: Any,
) -> Any:
    """Two players, one to move in each position of `mine`, the other in each of `theirs`.

    Args:
        odds, row, outcomes: the chances of a `Graph`.
        order: (n,) int64, the positions, one after the other; of twins one is enough where both arrays are the same.
        twins: (n,) int64.
        mine, theirs: (n + 1,) float64, written: the probability that the seat to move wins.
        my_actions, my_ways, my_leads, my_shares: the `Moves` of the one player, and of the other.

    Returns:
        The largest change of a value.
    """
    change = 0.0
    for i in order:
        if outcomes[i] == outcomes[i + 1]:
            continue
        twin = twins[i]
        alone = twin == NO_TWIN
        j = i if alone else twin
        x_known, x_stay, x_go = _equation(
            odds, row, outcomes, i, twin, mine, theirs, my_actions, my_ways, my_leads, my_shares
        )
        y_known, y_stay, y_go = _equation(
            odds, row, outcomes, j, twin if alone else i, theirs, mine, their_actions, their_ways, their_leads, their_shares
        )
        one, two = x_known + x_go, y_known + y_go
        determinant = (1 - x_stay) * (1 - y_stay) - x_go * y_go
        x = (one * (1 - y_stay) - x_go * two) / determinant
        y = (two * (1 - x_stay) - y_go * one) / determinant
        change = max(change, abs(x - mine[i]), abs(y - theirs[j]))
        mine[i], theirs[j] = x, y
    return change


@kernel
def sweep_race(
    odds: Any,
    row: Any,
    outcomes: Any,
    order: Any,
    turns: Any,
    squares: Any,
    actions: Any,
    ways: Any,
    leads: Any,
    shares: Any,
) -> Any:
    """One seat alone, which wants few turns.

    Args:
        odds, row, outcomes: the chances of a `Graph`.
        order: (n,) int64, the positions, one after the other.
        turns: (n + 1,) float64, written: the expected number of turns to the end.
        squares: (n + 1,) float64, written: the expected square of that number, played for few turns.
        actions, ways, leads, shares: its `Moves`; the last is not read, as it takes the best.

    Returns:
        The largest change of a number of turns.
    """
    change = 0.0
    for i in order:
        if outcomes[i] == outcomes[i + 1]:
            continue
        first, second, stay, wait, a = 0.0, 0.0, 0.0, 0.0, actions[i]
        for o in range(outcomes[i + 1] - outcomes[i]):
            chance, end = odds[row[i], o], a + ways[outcomes[i] + o]
            if end == a + 1 and leads[a] >> 1 == i:  # solved for, as such turns may be most
                stay += chance
                wait += 0.0 if leads[a] & 1 else chance
            else:
                best = _fewest(leads, a, end, turns)
                to, more = leads[best] >> 1, 0.0 if leads[best] & 1 else 1.0
                first += chance * (turns[to] + more)
                second += chance * (squares[to] + more * (1 + 2 * turns[to]))
            a = end
        expected = (first + wait) / (1 - stay)
        change = max(change, abs(expected - turns[i]))
        turns[i] = expected
        squares[i] = (second + wait * (1 + 2 * expected)) / (1 - stay)
    return change


@inner
def _fewest(leads: Any, begin: Int, end: Int, turns: Any) -> Any:
    """The action that leaves the fewest turns, this one counted; a 2 goes on within its turn (S6)."""
    found, best = begin, np.inf
    for k in range(begin, end):
        left = turns[leads[k] >> 1] + (0.0 if leads[k] & 1 else 1.0)
        if left < best:
            found, best = k, left
    return found


@kernel
def write_best(actions: Any, outcomes: Any, ways: Any, leads: Any, same: Any, other: Any, shares: Any) -> Any:
    """The policy that takes the best action, and equal ones with the same probability.

    Args:
        actions, outcomes, ways, leads: parts of a `Graph`.
        same: (n + 1,) float64: how good a position is for who has moved there and goes on; of the end, a loss.
        other: (n + 1,) float64: the same where the other seat goes on; of the end, a win.
        shares: (m,) float32, written.
    """
    for i in range(len(actions) - 1):
        a = actions[i]
        for o in range(outcomes[i], outcomes[i + 1]):
            end, best, equal = a + ways[o], -np.inf, 0
            for k in range(a, end):
                score = same[leads[k] >> 1] if leads[k] & 1 else other[leads[k] >> 1]
                if score > best:
                    best, equal = score, 0
                equal += score == best
            for k in range(a, end):
                score = same[leads[k] >> 1] if leads[k] & 1 else other[leads[k] >> 1]
                shares[k] = 1 / equal if score == best else 0
            a = end


@kernel
def keep_some(actions: Any, outcomes: Any, ways: Any, leads: Any, shares: Any, alone: bool, kept: Any) -> Any:
    """Leave out actions that are never taken.

    Args:
        actions, outcomes, ways, leads: parts of a `Graph`.
        shares: (m,) float32, with what probability each is taken.
        alone: of actions that are taken keep the first only, which is taken then.
        kept: actions (n + 1,) int64, ways (o,) uint8, leads (m,) uint32, shares (m,) float32: written, the last two
            as far as they go.

    Returns:
        How many actions are left.
    """
    new_actions, new_ways, new_leads, new_shares = kept
    m = 0
    for i in range(len(actions) - 1):
        new_actions[i], a = m, actions[i]
        for o in range(outcomes[i], outcomes[i + 1]):
            count = 0
            for k in range(a, a + ways[o]):
                if shares[k] > 0 and not (alone and count):
                    new_leads[m], new_shares[m] = leads[k], 1.0 if alone else shares[k]
                    m += 1
                    count += 1
            new_ways[o] = count
            a += ways[o]
    new_actions[len(actions) - 1] = m
    return m
