"""What a seat may know of a game with hands, and what may lie hidden behind it (H1)."""

from typing import Any

from sorry_env._jit import kernel
from sorry_env.random import below, next_number
from sorry_env.sorry.state import FACE_DOWN


@kernel
def view_lanes(states: Any, rules: Any, viewers: Any) -> None:
    """Turn the hands of all but seat `viewers[i]` face down in state i; their cards count to the unseen ones (H1)."""
    r = rules[0]
    for i in range(len(states)):
        s = states[i]
        for seat in range(r.seats):
            if seat != viewers[i]:
                for card in range(FACE_DOWN):
                    held = s.hands[seat, card]
                    s.hands[seat, card] = 0
                    s.hands[seat, FACE_DOWN] += held
                    if not r.replacement:
                        s.pile[card] += held


@kernel
def determinize_lanes(states: Any, rules: Any, rng: Any) -> None:
    """Deal cards to face-down hands, each unseen card as likely as any other."""
    r = rules[0]
    for i in range(len(states)):
        s = states[i]
        unseen = 0
        for card in range(FACE_DOWN):
            unseen += s.pile[card]
        for seat in range(r.seats):
            for _ in range(s.hands[seat, FACE_DOWN]):
                chosen = below(next_number(rng, i), unseen)
                card = 0
                while chosen >= s.pile[card]:
                    chosen -= s.pile[card]
                    card += 1
                s.hands[seat, card] += 1
                if not r.replacement:
                    s.pile[card] -= 1
                    unseen -= 1
            s.hands[seat, FACE_DOWN] = 0
