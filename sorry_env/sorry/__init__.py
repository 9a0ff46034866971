"""The Sorry! family: every edition of the board game, from one engine."""
