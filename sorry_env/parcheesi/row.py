"""A ruleset, its seats' colours and its tables as one row of numbers."""

import numpy as np

from sorry_env.parcheesi.actions import ParcheesiActions
from sorry_env.parcheesi.board import (
    AMOUNTS,
    OUTCOMES,
    RULES,
    ahead_table,
    ends_table,
    left_table,
    safe_table,
    shift_table,
)
from sorry_env.parcheesi.features import ParcheesiFeatures
from sorry_env.parcheesi.rules import ParcheesiRules
from sorry_env.verbs import Rules


def rules_row(
    rules: ParcheesiRules, colours: tuple[str, ...], actions: ParcheesiActions, features: ParcheesiFeatures
) -> Rules:
    """(1,) RULES: all that kernels know of a game."""
    row: Rules = np.zeros(1, RULES)
    row["seats"], row["turn_limit"], row["pieces"] = len(colours), rules.turn_limit or 0, rules.pieces
    row["penalty"], row["breaks"] = rules.third_doublet_penalty, rules.doublet_breaks_blockade
    row["shift"], row["steps"], row["dice"] = shift_table(colours), AMOUNTS, OUTCOMES
    row["ends"], row["ahead"], row["left"], row["safe"] = ends_table(rules), ahead_table(), left_table(), safe_table()
    actions.write(row)
    features.write(row)
    return row
