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
def find_twins(chances: Any, moves: Any, twins: Any) -> None:
    """Write each position's twin, or NO_TWIN, into (n,) int64."""
    for i in range(len(twins)):
        passed = _passed_to(chances, moves, i)
        back = _passed_to(chances, moves, passed) if passed != NO_TWIN else NO_TWIN
        twins[i] = passed if back == i else NO_TWIN


@inner
def _passed_to(chances: Any, moves: Any, i: Int) -> Any:
    """Where the other seat goes on after the action that most outcomes have for their only one; or NO_TWIN."""
    outcomes, ways, leads = chances.outcomes, moves.ways, moves.leads
    a, best, most = moves.actions[i], np.int64(NO_TWIN), 0
    for o in range(outcomes[i], outcomes[i + 1]):
        if ways[o] == 1 and not leads[a] & 1 and leads[a] >> 1 < len(outcomes) - 1:
            count, b = 0, moves.actions[i]
            for other in range(outcomes[i], outcomes[i + 1]):
                count += ways[other] == 1 and leads[b] == leads[a]
                b += ways[other]
            if count > most:
                best, most = np.int64(leads[a] >> 1), count
        a += ways[o]
    return best


@inner
def _equation(chances: Any, side: Any, i: Int, twin: Int, mine: Any, theirs: Any) -> Any:
    """The value of position i as `known + stay * itself + go * (1 - its twin)`."""
    moves, best = side
    known, stay, go, a, first = 0.0, 0.0, 0.0, moves.actions[i], chances.outcomes[i]
    for o in range(chances.outcomes[i + 1] - first):
        chance, end = chances.odds[chances.row[i], o], a + moves.ways[first + o]
        if end == a + 1 and moves.leads[a] == 2 * i + 1:
            stay += chance
        elif end == a + 1 and twin != NO_TWIN and moves.leads[a] == 2 * twin:
            go += chance
        elif len(moves.shares):
            known += chance * _mean(moves, a, end, mine, theirs)
        else:
            lead = _best(moves.leads, a, end, mine, theirs)
            known += chance * _worth(lead, mine, theirs)
            best[first + o] = lead
        a = end
    return known, stay, go


@inner
def _mean(moves: Any, begin: Int, end: Int, mine: Any, theirs: Any) -> Any:
    """What an outcome is worth to a seat that draws lots for its action."""
    value = 0.0
    for k in range(begin, end):
        value += moves.shares[k] * _worth(moves.leads[k], mine, theirs)
    return value


@inner
def _best(leads: Any, begin: Int, end: Int, mine: Any, theirs: Any) -> Any:
    """Where the action leads that is worth most, of equal ones the first."""
    found = leads[begin]
    if end > begin + 1:
        most = _worth(found, mine, theirs)
        for k in range(begin + 1, end):
            value = _worth(leads[k], mine, theirs)
            if value > most:
                found, most = leads[k], value
    return found


@kernel
def sweep_duel(chances: Any, order: Any, twins: Any, mine: Any, theirs: Any, my_side: Any, their_side: Any) -> Any:
    """Two players, one to move in each position of `mine`, the other in each of `theirs`.

    A side is the `Moves` of a player, what it may do or what it does, and (o,) uint32, written if it takes the best:
    where the best action leads after each outcome. Outcomes with one action alone are left as they are.

    Args:
        chances: of a `Graph`.
        order: (n,) int64, the positions, one after the other; of twins one is enough where both arrays are the same.
        twins: (n,) int64.
        mine: (n + 1,) float64, written: the probability that the one player wins where it is to move.
        theirs: (n + 1,) float64, written: the same of the other player.
        my_side: of the one.
        their_side: of the other.

    Returns:
        The largest change of a value.
    """
    change = 0.0
    for i in order:
        if chances.outcomes[i] == chances.outcomes[i + 1]:
            continue
        twin = twins[i]
        j, back = (i, twin) if twin == NO_TWIN else (twin, i)
        known, stay, go = _equation(chances, my_side, i, twin, mine, theirs)
        their_known, their_stay, their_go = _equation(chances, their_side, j, back, theirs, mine)
        one, two = known + go, their_known + their_go
        determinant = (1 - stay) * (1 - their_stay) - go * their_go
        x = (one * (1 - their_stay) - go * two) / determinant
        y = (two * (1 - stay) - their_go * one) / determinant
        change = max(change, abs(x - mine[i]), abs(y - theirs[j]))
        mine[i], theirs[j] = x, y
    return change


@kernel
def sweep_race(chances: Any, order: Any, turns: Any, squares: Any, moves: Any, best: Any) -> Any:
    """One seat alone, which wants few turns.

    Args:
        chances: of a `Graph`.
        order: (n,) int64, the positions, one after the other.
        turns: (n + 1,) float64, written: the expected number of turns to the end.
        squares: (n + 1,) float64, written: the expected square of that number, played for few turns.
        moves: what the seat may do, or does.
        best: (o,) uint32, written: where the action with the fewest turns leads after each outcome.

    Returns:
        The largest change of a number of turns.
    """
    change, leads = 0.0, moves.leads
    for i in order:
        begin, behind = chances.outcomes[i], chances.outcomes[i + 1]
        if begin == behind:
            continue
        first, second, stay, wait, a = 0.0, 0.0, 0.0, 0.0, moves.actions[i]
        for o in range(behind - begin):
            chance, end = chances.odds[chances.row[i], o], a + moves.ways[begin + o]
            if end == a + 1 and leads[a] >> 1 == i:  # solved for, as such turns may be most
                stay += chance
                wait += 0.0 if leads[a] & 1 else chance
            else:
                lead = _fewest(leads, a, end, turns)
                best[begin + o] = lead
                to, more = lead >> 1, 0.0 if lead & 1 else 1.0
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
    """Where the action leads that leaves the fewest turns, this one counted; a 2 goes on within its turn (S6)."""
    found, least = leads[begin], np.inf
    for k in range(begin, end):
        left = turns[leads[k] >> 1] + (0.0 if leads[k] & 1 else 1.0)
        if left < least:
            found, least = leads[k], left
    return found


@kernel
def write_best(chances: Any, moves: Any, same: Any, other: Any, shares: Any) -> None:
    """The policy that takes the best action, and equal ones with the same probability.

    Args:
        chances: of a `Graph`.
        moves: of a `Graph`.
        same: (n + 1,) float64: how good a position is for who has moved there and goes on; of the end, a loss.
        other: (n + 1,) float64: the same where the other seat goes on; of the end, a win.
        shares: (m,) float32, written.
    """
    leads = moves.leads
    for i in range(len(moves.actions) - 1):
        a = moves.actions[i]
        for o in range(chances.outcomes[i], chances.outcomes[i + 1]):
            end, best, equal = a + moves.ways[o], -np.inf, 0
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
def keep_some(chances: Any, moves: Any, shares: Any, kept: Any) -> Any:
    """Leave out actions that are never taken.

    Args:
        chances: of a `Graph`.
        moves: of a `Graph`.
        shares: (m,) float32, with what probability each is taken.
        kept: `Moves`, written; leads and shares as far as they go.

    Returns:
        How many actions are left.
    """
    m = 0
    for i in range(len(moves.actions) - 1):
        kept.actions[i], a = m, moves.actions[i]
        for o in range(chances.outcomes[i], chances.outcomes[i + 1]):
            count = 0
            for k in range(a, a + moves.ways[o]):
                if shares[k] > 0:
                    kept.leads[m], kept.shares[m] = moves.leads[k], shares[k]
                    m += 1
                    count += 1
            kept.ways[o] = count
            a += moves.ways[o]
    kept.actions[len(moves.actions) - 1] = m
    return m
