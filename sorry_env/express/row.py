"""A ruleset, its seats' colours and its tables as one row of numbers."""

import numpy as np

from sorry_env.express.actions import ExpressActions
from sorry_env.express.board import FACES, OUTCOMES, PAWNS, RULES, WEIGHTS
from sorry_env.express.features import ExpressFeatures
from sorry_env.express.rules import ExpressRules
from sorry_env.rulesets import COLOURS
from sorry_env.verbs import Rules


def rules_row(
    rules: ExpressRules, colours: tuple[str, ...], actions: ExpressActions, features: ExpressFeatures
) -> Rules:
    """(1,) RULES: all that kernels know of a game."""
    row: Rules = np.zeros(1, RULES)
    row["seats"], row["turn_limit"] = len(colours), rules.turn_limit or 0
    row["own"][0, : len(colours)] = [COLOURS.index(colour) for colour in colours]
    row["weight"] = WEIGHTS
    row["faces"] = [[FACES.index(face) for face in outcome] for outcome in OUTCOMES]
    row["outcome"] = np.repeat(np.arange(len(OUTCOMES)), WEIGHTS)
    row["ones"] = np.tri(PAWNS + 1, PAWNS, -1)
    actions.write(row)
    features.write(row)
    return row
