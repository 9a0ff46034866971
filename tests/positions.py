"""Set up a board in one line and ask where the pawns may end: the vocabulary of the rule tests.

A colour's places are written without its pawns in Start: `[14, "safe 2", "home"]` is a pawn on ring square
14, one in the safety zone, one at Home and, with four pawns, one in Start.
"""

from sorry_env import Game

COLOURS = ("red", "blue", "yellow", "green")
CARDS = ("1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "sorry")
EMPTY_PILE = dict.fromkeys(CARDS, 0)
THREE_HOME = ["home"] * 3
FOUR_HOME = ["home"] * 4

# Crowded boards, red to move: slides of every side, entries, zones, circles, splits that meet, pawns at rest
# on the first square of a foreign slide. Tests that compare two boards run them with every card.
SCENES = {
    "slides": {
        "red": [13, 18, 58],
        "blue": [16, 24, 4, "home"],
        "yellow": [31, 59, "safe 3"],
        "green": [54, 20, 46],
    },
    "entries": {
        "red": ["safe 1", "safe 4", 2, 1],
        "blue": [17, "safe 1", 3],
        "yellow": [56, 0, "safe 5"],
        "green": [45, "safe 2", 28],
    },
    "backward": {
        "red": [28, 25, 17, 43],
        "blue": [26, 58, 34, 19],
        "yellow": [4, 13, "home", "home"],
        "green": [49, 9],
    },
    "opposite": {"red": [10, 11, "safe 3", "home"], "yellow": [14, 39, 57]},
    "neighbours": {"red": [9, 51, "home"], "green": [54, 16, 39, 2]},
    "three seats": {"red": [4, 5, 6, 7], "blue": [24, 59, "home"], "yellow": [3, 46, 34]},
    "diamond": {"red": [3, 0, 57], "blue": [18, 5, 6], "green": [8, 12]},
    "all in start": {"red": [], "blue": [], "yellow": [], "green": []},
    "nearly home": {"red": ["safe 3", "safe 2", "home", "home"], "yellow": [1, 58]},
}


def corner(colour):
    """The corner square at which the colour's side of the board begins."""
    return 15 * COLOURS.index(colour)


def position(card="7", to_move="red", ruleset="classic", seats=None, turns=None, pile=None, **named):
    """A position as data; a colour's keyword places its pawns, any other keyword changes the ruleset.

    Pawns that are not placed wait in Start. The seats are the colours named, the mover and, should that be
    one colour only, the opposite one.
    """
    changes = {name: value for name, value in named.items() if name not in COLOURS}
    count = changes.get("pawns", 1 if ruleset == "tiny" else 4)
    seats = seats or _seats({to_move} | named.keys() - changes.keys())
    pawns = {colour: list(named.get(colour, ())) for colour in seats}
    result = {
        "ruleset": ruleset,
        "changes": changes,
        "seats": seats,
        "to_move": to_move,
        "card": card,
        "pawns": {colour: own + ["start"] * (count - len(own)) for colour, own in pawns.items()},
    }
    if pile is not None:
        result["pile"] = pile
    if turns is not None:
        result["turns"] = turns
    return result


def _seats(named):
    seats = [colour for colour in COLOURS if colour in named]
    if len(seats) == 1:
        first = COLOURS.index(seats[0])
        seats.append(COLOURS[(first + 2) % 4])
    return seats


def game_at(*arguments, **named):
    """The game in that `position`."""
    return Game.from_position(position(*arguments, **named))


def rotated(place, turns=1):
    """The place that many quarter turns clockwise; zones, Start and Home turn with their colour."""
    return (place + 15 * turns) % 60 if isinstance(place, int) else place


def rotated_colour(colour, turns=1):
    """The colour that sits that many sides further clockwise."""
    return COLOURS[(COLOURS.index(colour) + turns) % 4]


def rotated_position(original, turns=1):
    """The whole board, pawns and colours, turned clockwise."""
    return original | {
        "seats": [rotated_colour(colour, turns) for colour in original["seats"]],
        "to_move": rotated_colour(original["to_move"], turns),
        "pawns": {
            rotated_colour(colour, turns): [rotated(place, turns) for place in own]
            for colour, own in original["pawns"].items()
        },
    }


def arranged(pawns):
    """The places as a comparable tuple: ring squares by number, then the zone, then Home; no Start."""
    return tuple(sorted((place for place in pawns if place != "start"), key=_order))


def _order(place):
    return (0, place, "") if isinstance(place, int) else (1, int(place == "home"), place)


def places(game, colour):
    """Where the colour's pawns stand, those in Start left out."""
    return arranged(game.position()["pawns"][colour])


def placement(game):
    """Where everybody's pawns stand, as a value that can be compared."""
    return frozenset((colour, arranged(own)) for colour, own in game.position()["pawns"].items())


def results(game):
    """Each placement that a legal action leads to, with the actions that lead there."""
    found = {}
    for action in game.legal():
        found.setdefault(placement(game.after(action)), []).append(action)
    return found


def ends(game, colour=None):
    """Every set of places where the colour's pawns, by default the mover's, may stand after the card."""
    colour = colour or game.to_move
    return {places(game.after(action), colour) for action in game.legal()}


def actions_to(game, **wanted):
    """The legal actions after which each colour named stands exactly on the places given."""
    expected = {colour: arranged(pawns) for colour, pawns in wanted.items()}

    def fits(action):
        then = game.after(action)
        return all(places(then, colour) == pawns for colour, pawns in expected.items())

    return [action for action in game.legal() if fits(action)]


def after(game, **wanted):
    """The game just after the one legal action that leads to the places given."""
    actions = actions_to(game, **wanted)
    assert len(actions) == 1, f"{len(actions)} actions lead to {wanted}; legal: {legal_texts(game)}"
    return game.after(actions[0])


def legal_texts(game):
    """The legal actions in words."""
    return [game.text(action) for action in game.legal()]


def texts(game):
    """The legal actions in words, each of them once."""
    found = legal_texts(game)
    assert len(found) == len(set(found)), found
    return set(found)


def played(game, text):
    """The game after the action that reads like this."""
    return game.after(game.parse(text))


def passes(game):
    """The legal actions that leave the card unused."""
    return [action for action in game.legal() if game.text(action).endswith(": pass")]


def is_lost(game):
    """Whether the card cannot be used: passing is the only action."""
    return len(game.legal()) == 1 and passes(game) == game.legal()


def after_passing(game):
    """The game after the pass, which must be allowed."""
    (action,) = passes(game)
    return game.after(action)


def dealt(game, card):
    """The game with that card drawn."""
    then = game.copy()
    then.deal(card)
    return then


def odds(game):
    """The probability of each card that may be drawn next."""
    return {card: probability for card, probability in game.chance() if probability > 0}
