"""Games on their way to a learner's next choice: the kernel of `Contest`, and what it keeps of each of them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env._jit import Int, inlined, inner, kernel
from sorry_env.lanes import NO_ACTION, TRIES, begin_lane, draw_lane, mask_of
from sorry_env.random import below, next_number
from sorry_env.rulesets import SEATS
from sorry_env.verbs import encode, legal, play, returns, room

LEARNER, OVER, NEVER = -1, -2, -3
"""Whom a game waits for, beside players by number: the learner; nobody, as it is over; a learner without choices."""
RUNNING, WON, TRUNCATED, ILLEGAL = 0, 1, 2, 3
"""How a game has ended: not; somebody has won; it had all its turns (S26); by an illegal action of the learner."""
CARDS, TABLE, LOTS = 0, 1, 2
"""A lane's generators: of cards and dice; of who sits where; from here on of what each seat's player draws."""

LANE = np.dtype(
    (
        np.record,
        [
            ("rng", np.uint64, (LOTS + SEATS,)),
            ("wait", np.int64),  # whom the game waits for
            ("seat", np.int64),  # the learner's; where it plays all of them, the seat to move
            ("opening", np.int64),  # games begun since the learner had a choice
            ("end", np.int64),  # how the last step ended a game
            ("end_seat", np.int64),  # the learner's seat in that game
            ("end_returns", np.float64, (SEATS,)),  # zeros after an illegal action
            ("seating", np.int64, (SEATS,)),  # who sits at each seat: a player, by number, or LEARNER
            ("end_seating", np.int64, (SEATS,)),
        ],
    )
)
"""What is kept of a game beside its STATE."""
SETTINGS = np.dtype(
    (
        np.record,
        [
            ("uniform", np.int64),  # the player who plays uniformly and is not asked; none has the number OVER
            ("skip_forced", np.int64),  # play the learner's decisions in which there is nothing to choose, too
            ("seat", np.int64),  # the learner's in new games; -1: a random one
            ("first", np.int64),  # the seat that begins new games; -1: a random one
            ("again", np.int64),  # begin a new game where one has ended
        ],
    )
)
"""What is the same for all games of a contest."""

Lane = npt.NDArray[np.record]
"""(N,) rows of LANE."""


@kernel
def to_learner(
    states: Any,
    rules: Any,
    settings: Any,
    pools: Any,
    shares: Any,
    start: Any,
    table: Any,
    which: Any,
    actions: Any,
    begin: bool,
    before: Any,
    waits: Any,
    features: Any,
    masks: Any,
    last: Any,
    last_features: Any,
    last_masks: Any,
) -> None:
    """In some games play an action, then all that needs no asking, until the learner or a player has to choose.

    Args:
        states: (N,) STATE.
        rules: (1,) RULES.
        settings: (1,) SETTINGS.
        pools: (S - 1, K) int64, the players of whom one is drawn for each other seat in turn order after the learner;
            (0, K): nobody sits but the learner.
        shares: (S - 1, K) float64, the share of draws that falls to a player or one before it, 1 at last.
        start: (1,) STATE that new games begin from; (0,): from the beginning.
        table: (N,) LANE.
        which: (M,) int64, the games.
        actions: (M,) int64, of the learner, legal or not, or of the players who were asked, legal ones.
        begin: begin new games instead.
        before: (N, A) int8, the learner's legal actions so far.
        waits: (M,) int64, written: LEARNER, OVER, NEVER, or the player who has to choose.
        features: (N, F) float32, written where no player is to choose: what the learner's seat sees.
        masks: (N, A) int8, written there too: the learner's legal actions.
        last: (N,) STATE, written where a game has ended: how.
        last_features: (N, F) float32, written there: what the learner's seat saw of that.
        last_masks: (N, A) int8, likewise: what was legal, which is nothing but after an illegal action.
    """
    choices = room(states)
    for k in range(len(which)):
        i = which[k]
        s, r, lane, o, following, end = states[i], rules[0], table[i], settings[0], np.int64(actions[k]), RUNNING
        if begin:
            lane.end, lane.opening = RUNNING, 0
            _begin(states, i, r, lane, o, pools, shares, start)
            following = np.int64(NO_ACTION)
        elif lane.wait == LEARNER:
            lane.end = RUNNING
            if not (0 <= following < before.shape[1] and before[i, following]):
                end = ILLEGAL
                legal(s, r, choices[0])
        while True:
            wait = np.int64(OVER)
            if end == RUNNING:
                wait = _advance(s, r, lane, o, following, choices[0])
                if wait != OVER:
                    break
                end = WON if s.winners else TRUNCATED
            if lane.opening == 0:
                lane.end, lane.end_seat = end, lane.seat
                lane.end_seating[:] = lane.seating
                returns(s, r, lane.end_returns)
                last[i] = s
                encode(s, r, lane.seat, last_features[i])
                mask_of(choices[0], last_masks[i])
                if not o.again:
                    break
            elif lane.opening >= TRIES:
                wait = np.int64(NEVER)
                break
            _begin(states, i, r, lane, o, pools, shares, start)
            following, end = np.int64(NO_ACTION), RUNNING
        lane.wait = waits[k] = wait
        if wait == LEARNER:
            lane.opening, lane.seat = 0, s.seat
        if wait < 0:
            encode(s, r, lane.seat, features[i])
            mask_of(choices[0], masks[i])


@inlined
def _begin(states: Any, i: Int, r: Any, lane: Any, o: Any, pools: Any, shares: Any, start: Any) -> None:
    """Begin a new game, and draw who sits where: a number for the learner's seat, and one for each other."""
    lane.opening += 1
    if len(start):
        states[i] = start[0]
    else:
        begin_lane(states[i], r, lane.rng, CARDS, o.first)
    if len(pools):
        drawn = below(next_number(lane.rng, TABLE), r.seats)
        own = np.int64(drawn if o.seat < 0 else o.seat)
        lane.seat = own
        lane.seating[own] = LEARNER
        for j in range(len(pools)):
            chance, column = next_number(lane.rng, TABLE) / 4294967296.0, 0
            while shares[j, column] <= chance:
                column += 1
            seat = own + 1 + j
            lane.seating[seat - r.seats if seat >= r.seats else seat] = pools[j, column]


@inner
def _advance(s: Any, r: Any, lane: Any, o: Any, action: Int, choices: Any) -> Any:
    """Whom the game waits for then; the choices are those of the seat to move."""
    following = action
    while True:
        if following != NO_ACTION:
            play(s, r, following)
        draw_lane(s, r, lane.rng, CARDS)
        if s.over:
            choices.count = 0
            return OVER
        player = lane.seating[s.seat]
        count = legal(s, r, choices)
        if count == 1 and (o.skip_forced or player != LEARNER):
            following = np.int64(choices.ids[0])
        elif player == o.uniform:
            following = np.int64(choices.ids[below(next_number(lane.rng, LOTS + s.seat), count)])
        else:
            return player
