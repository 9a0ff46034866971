"""A ruleset, its seats' colours and its tables as one row of numbers."""

import numpy as np

from sorry_env.sorry.actions import SorryActions
from sorry_env.sorry.board import NONE, NOWHERE, RULES, path_table, push_table, shift_table, slide_table
from sorry_env.sorry.features import SorryFeatures
from sorry_env.sorry.rules import CARDS, SorryRules
from sorry_env.verbs import Rules


def rules_row(rules: SorryRules, colours: tuple[str, ...], actions: SorryActions, features: SorryFeatures) -> Rules:
    """(1,) RULES: all that kernels know of a game."""
    row: Rules = np.zeros(1, RULES)
    row["turn_limit"] = rules.turn_limit or 0
    row["seats"], row["pawns"], row["hand_size"] = len(colours), rules.pawns, rules.hand_size
    row["plain"] = not (rules.hand_size or rules.tokens or rules.question_cards or rules.split_freely)
    row["again"] = CARDS.index("2") if rules.two_draws_again else NONE
    row["teams"], row["members"], row["apart"] = rules.teams, 1 + rules.teams, 1 + rules.teams
    row["rivals"] = len(colours) // 2 if rules.teams else len(colours) - 1
    row["replacement"], row["swap_slides_both"] = rules.replacement, rules.swap_slides_both
    row["tokens"], row["second_home"] = rules.tokens, rules.fire_second_home
    row["marks"] = rules.tokens or rules.split_freely
    row["coin"], row["turbo"], row["on_circle"] = rules.answer == "random", rules.turbo, rules.pawn_on_circle
    row["ways"] = 2 if rules.bypass_entry else 1
    row["deck"] = rules.counts
    row["share"] = 1 / np.maximum(rules.counts, 1)
    row["shift"] = shift_table(colours)
    row["path"], row["slide"], row["push"] = path_table(rules), slide_table(rules), push_table(rules)
    row["special"] = (row["slide"] != np.arange(NOWHERE + 1)) | (row["push"] != 0)
    actions.write(row)
    features.write(row)
    return row
