"""Sorry! Express, sold again as Sorry! Diced!: pawns taken by dice, and bases that show a colour (section E)."""
