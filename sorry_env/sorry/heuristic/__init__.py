"""What the heuristic player of Sorry! knows: the terms that it looks at, and what they weigh.

Every term is a number that a person could work out at the table, counted cards included: the own hand is known, and the
cards that nobody has seen give the chance of each one to come. `TERMS` says what each term means, `weights` how much it
counts. In teams all pawns of both partners are own ones, and the opponents are the rivals.

The measure of all things is the **turns** that a pawn alone on the board would need to come Home, exactly computed for
the ruleset: it knows slides, the way back over the circle and the exact count at the end. Weights are in turns.
"""
