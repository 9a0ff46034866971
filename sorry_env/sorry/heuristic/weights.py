"""How much each term of the heuristic counts, in turns."""

from sorry_env.variant import Variant

WEIGHTS: dict[int, dict[str, float]] = {
    2: {
        "turns": 1,
        "steps": 0.0593,
        "in_start": 2.44,
        "home": 0.0786,
        "zone": 2.38,
        "next_card": 0.865,
        "finish": 0.664,
        "slides": 0.386,
        "back_door": 1.63,
        "entry": 1.77,
        "own_circle": -0.084,
        "last_in_start": 9.57,
        "sorry": 1.04,
        "threat": 0.251,
        "leader": 0,
        "rival_entry": -2.52,
        "danger": -0.675,
        "rival_circle": -0.613,
        "danger_sorry": -1.37,
        "danger_swap": -1.78,
        "rest": 0,
        "hand": 0,
        "again": 0,
        "fire": 0,
        "ice": 0,
    },
    4: {
        "turns": 1,
        "steps": 0.0023,
        "in_start": 2.63,
        "home": 0.552,
        "zone": 5.11,
        "next_card": 0.79,
        "finish": 0,
        "slides": 0.132,
        "back_door": 1.09,
        "entry": 4.3,
        "own_circle": -0.121,
        "last_in_start": 1.59,
        "sorry": 0.629,
        "threat": 0.208,
        "leader": -0.0347,
        "rival_entry": -4.3,
        "danger": -0.421,
        "rival_circle": -0.47,
        "danger_sorry": -0.248,
        "danger_swap": -0.442,
        "rest": 0,
        "hand": 0,
        "again": 0,
        "fire": 0,
        "ice": 0,
    },
}
"""Seats -> term -> weight, tuned for classic. Three seats play as four do. With two seats, nobody leads the rivals."""

EDITIONS: dict[str, dict[str, float]] = {
    "hand_size": {
        "steps": 0.019,
        "in_start": -0.229,
        "home": 1.83,
        "zone": 0.398,
        "next_card": 0.622,
        "finish": 0.247,
        "slides": 0.4,
        "back_door": 0.0163,
        "entry": 0.591,
        "own_circle": -0.00908,
        "last_in_start": 0.884,
        "sorry": 0.739,
        "threat": 0.121,
        "leader": 0,
        "rival_entry": -0.74,
        "danger": -0.988,
        "rival_circle": -1.25,
        "danger_sorry": -0.532,
        "danger_swap": -0.418,
        "hand": 0.14,
        "again": 0.266,
    },
    "teams": {"leader": 0},
    "tokens": {"rest": 1, "fire": 1, "ice": 0.3, "in_start": 0},
    "question_cards": {"rest": 1},
    "split_freely": {"rest": 1},
}
"""Field of a ruleset -> term -> the weight that it has where the field is switched on, set by hand."""


def weights_of(game: Variant) -> dict[str, float]:
    """Term -> weight in a variant."""
    weights = dict(WEIGHTS[2 if game.seats == 2 else 4])
    for field, own in EDITIONS.items():
        if getattr(game.ruleset, field):
            weights |= own
    return weights
