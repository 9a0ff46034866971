"""Positions of Parcheesi as plain data: a dict that JSON can hold; it round-trips to a state.

The dict is a promise to users: beside what all games have, `{"pieces", "dice", "rewards", "rolled", "doublets",
"together"}`. In the middle of a roll, `together` names where two pieces now stand that
stood together at the throw (P7), as `{"red": [[30, 34]]}`; where it is left out they are the pairs that stand together
now. It is written only where that would be wrong. A roll of which nothing is left means nothing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sorry_env.line import Position
from sorry_env.parcheesi.board import (
    DIE,
    FACES,
    HOME,
    NEST,
    OPPOSITE,
    PIECES,
    REWARD,
    ROLL,
    place_number,
    place_value,
)
from sorry_env.parcheesi.engine.turns import mark_pairs, tidy_marks
from sorry_env.parcheesi.state import dice_left, face, pairs_of
from sorry_env.verbs import CHANCE

if TYPE_CHECKING:  # built on families
    from sorry_env.variant import Variant

REWARDS = (10, 20)


def to_keys(game: "Variant", s: Any) -> Position:
    """The keys of a position dict that are Parcheesi's own, of a STATE row."""
    keys: Position = {
        "pieces": {
            colour: [place_value(colour, int(place)) for place in s["pieces"][seat, : game.ruleset.pieces]]
            for seat, colour in enumerate(game.colours)
        },
        "dice": dice_left(s),
        "rewards": [10] * int(s["tens"]) + [20] * int(s["twenties"]),
        "rolled": [int(die) for die in s["rolled"] if die],
        "doublets": int(s["doublets"]),
    }
    pairs = pairs_of(s)
    if s["due"] < CHANCE and not s["over"] and pairs != _standing_pairs(s):
        colour = game.colours[s["seat"]]
        keys["together"] = {colour: [[place_value(colour, place) for place in pair] for pair in pairs]}
    return keys


def _standing_pairs(s: Any) -> list[tuple[int, int]]:
    """The same of pieces that stand together now."""
    own = Counter(int(place) for place in s["pieces"][s["seat"]] if place not in (NEST, HOME))
    return sorted((place, place) for place, count in own.items() if count == 2)


def problems(game: "Variant", position: Mapping[str, Any]) -> Iterator[str]:
    """Every reason why a position cannot be."""
    yield from _piece_problems(game, position.get("pieces"))
    yield from _roll_problems(game, position)
    yield from _reward_problems(game, _list(position, "rewards"))
    yield from _doublet_problems(game, position)
    yield from _together_problems(game, position)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _piece_problems(game: "Variant", pieces: object) -> Iterator[str]:
    if not isinstance(pieces, Mapping):
        yield f"pieces is {pieces!r}: expected a list of places for each of {list(game.colours)}"
        return
    for colour in pieces:
        if colour not in game.colours:
            yield f"pieces of {colour!r}, who has no seat; the seats are {list(game.colours)}"
    taken: dict[int, str] = {}
    for colour in game.colours:
        yield from _colour_problems(colour, pieces.get(colour), game.ruleset.pieces, taken)


def _colour_problems(colour: str, places: object, wanted: int, taken: dict[int, str]) -> Iterator[str]:
    """One colour's pieces; `taken` maps the ring squares used so far to their colours and grows."""
    if not isinstance(places, (list, tuple)):
        yield f"{colour}'s pieces are {places!r}: expected a list of {wanted} places"
        return
    if len(places) != wanted:
        yield f"{colour} has {len(places)} pieces, the ruleset {wanted} (P1)"
    squares: Counter[Any] = Counter()
    for value in places:
        if place_number(colour, value) is None:
            yield f'{colour} has a piece on {value!r}: a place is "nest", 0..67, "row 1".."row 7" or "home"'
        elif value not in ("nest", "home"):
            squares[value if isinstance(value, str) else int(value)] += 1
    for square, count in squares.items():
        if count > 2:
            yield f"{colour} has {count} pieces on {square}: a square holds at most two (P6)"
        if not isinstance(square, str):
            if square in taken:
                yield f"{taken[square]} and {colour} both stand on {square}: a square never holds two colours (P6)"
            taken[square] = colour


def _roll_problems(game: "Variant", position: Mapping[str, Any]) -> Iterator[str]:
    """The roll as thrown, and the dice that are left of it (P2, P8)."""
    dice, rolled = _list(position, "dice"), position.get("rolled")
    if _is_roll(rolled) and "dice" not in position and not position.get("rewards"):
        yield f"dice is missing: of the roll {rolled!r} it says which dice have still to be used, [] for none"
    if rolled not in (None, [], ()) and not _is_roll(rolled):
        yield f"rolled is {rolled!r}: expected the two dice as thrown, each 1 to 6, or [] when a roll is due"
        return
    if not isinstance(dice, (list, tuple)):
        yield f"dice is {dice!r}: expected a list of the dice still to be used, [] for none"
        return
    wrong = [die for die in dice if not _is_number(die) or not 1 <= die <= FACES]
    if wrong:
        yield f"dice holds {wrong[0]!r}: a die shows 1 to 6"
        return
    roll = _roll_of(position)
    if roll is None:
        if dice or position.get("rewards"):
            yield 'rolled is missing: in the middle of a roll it says what was thrown, as "rolled": [3, 6]'
    elif not Counter(map(int, dice)) <= Counter(_parts(roll, _nest_holds(position))):
        yield f"dice is {list(dice)}, which is not a part of the roll {roll}{_why_not_parts(roll, position)}"


def _list(position: Mapping[str, Any], key: str) -> Any:
    """What a key holds; nothing where it is left out."""
    value = position.get(key)
    return [] if value is None else value


def _is_roll(rolled: object) -> bool:
    return (
        isinstance(rolled, (list, tuple))
        and len(rolled) == 2
        and all(_is_number(die) and 1 <= die <= FACES for die in rolled)
    )


def _roll_of(position: Mapping[str, Any]) -> list[int] | None:
    """The roll, its lower die first; two dice or four parts that are left tell it where it is not given."""
    rolled, dice = position.get("rolled"), _list(position, "dice")
    if _is_roll(rolled):
        return sorted(int(die) for die in rolled or ())
    if rolled is not None or not isinstance(dice, (list, tuple)) or not all(map(_is_number, dice)):
        return None
    if len(dice) == 4:
        return [min(dice)] * 2
    return sorted(int(die) for die in dice) if _is_roll(dice) else None


def _nest_holds(position: Mapping[str, Any]) -> bool:
    """Whether the mover has a piece in the nest."""
    pieces, colour = position.get("pieces"), position.get("to_move")
    own = pieces.get(colour) if isinstance(pieces, Mapping) and isinstance(colour, str) else None
    return isinstance(own, (list, tuple)) and "nest" in own


def _parts(roll: Sequence[int], nest: bool) -> list[int]:
    """All that a roll lets its seat use: of a doublet the bottoms too when no piece is in the nest (P8)."""
    bottoms = [OPPOSITE - roll[0]] * 2 if roll[0] == roll[1] and not nest else []
    return [*roll, *bottoms]


def _why_not_parts(roll: Sequence[int], position: Mapping[str, Any]) -> str:
    if roll[0] != roll[1]:
        return ""
    if _nest_holds(position):
        return ": with a piece in the nest a doublet has its two tops only (P8)"
    return f": a doublet has two tops of {roll[0]} and two bottoms of {OPPOSITE - roll[0]} (P8)"


def _reward_problems(game: "Variant", rewards: object) -> Iterator[str]:
    if not isinstance(rewards, (list, tuple)):
        yield f"rewards is {rewards!r}: expected a list of rewards still to be taken, [] for none"
        return
    for reward in rewards:
        if not _is_number(reward) or reward not in REWARDS:
            yield f"rewards holds {reward!r}: a reward is 10 or 20 (P10)"
    pieces, rivals = game.ruleset.pieces, len(game.colours) - 1
    for reward, most, whose in ((10, pieces, "own"), (20, pieces * rivals, "foreign")):
        if list(rewards).count(reward) > most:
            yield f"rewards holds {list(rewards).count(reward)} of {reward}, but there are {most} {whose} pieces (P10)"


def _doublet_problems(game: "Variant", position: Mapping[str, Any]) -> Iterator[str]:
    doublets = position.get("doublets")
    if doublets is None:
        return
    if not _is_number(doublets) or not 0 <= doublets <= MOST_DOUBLETS:
        yield f"doublets is {doublets!r}: expected how many this turn has had, the roll on the table counted"
        return
    if game.ruleset.third_doublet_penalty and doublets > 2:
        yield f"doublets is {doublets}: the third in a row ends the turn at once (P9)"
    roll = _roll_of(position)
    if _in_a_roll(position) and roll is not None and roll[0] == roll[1] and doublets == 0:
        yield f"doublets is 0, but {roll} is one: the roll on the table counts (P8)"


MOST_DOUBLETS = 65_000
"""Far more than ever come, and what a state can hold."""


def _in_a_roll(position: Mapping[str, Any]) -> bool:
    return bool(position.get("dice")) or bool(position.get("rewards"))


def _together_problems(game: "Variant", position: Mapping[str, Any]) -> Iterator[str]:
    together = position.get("together")
    if together is None:
        return
    if not isinstance(together, Mapping):
        yield f'together is {together!r}: expected pairs of places of the mover\'s, as {{"red": [[30, 34]]}} (P7)'
        return
    if together and not _in_a_roll(position):
        yield "together is given, but a roll is due: it is about the middle of a roll (P7)"
    for colour, pairs in together.items():
        if colour != position.get("to_move"):
            yield f"together names {colour!r}: only pieces of the colour to move can have stood together (P7)"
        elif not isinstance(pairs, (list, tuple)):
            yield f"together has {pairs!r} for {colour}: expected a list of pairs of places (P7)"
        else:
            yield from _pair_problems(colour, pairs, position.get("pieces"))


def _pair_problems(colour: str, pairs: Sequence[Any], pieces: object) -> Iterator[str]:
    own = pieces.get(colour) if isinstance(pieces, Mapping) else None
    free = Counter(place_number(colour, v) for v in own) if isinstance(own, (list, tuple)) else Counter()
    for pair in pairs:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            yield f"together has {pair!r}: expected two places (P7)"
            continue
        for value in pair:
            place = place_number(colour, value)
            if place is None or place in (NEST, HOME):
                yield f"together names {value!r}: pieces stand together on squares only (P7)"
            elif free[place] == 0:
                yield f"together names {value!r}, where no {colour} piece stands that is in no other pair (P7)"
            else:
                free[place] -= 1


def finished(game: "Variant", pieces: object) -> list[str]:
    """The colours with all pieces Home."""
    if not isinstance(pieces, Mapping):
        return []
    home = ["home"] * game.ruleset.pieces
    return [c for c in game.colours if pieces.get(c) in (home, tuple(home))]


def fill(game: "Variant", position: Mapping[str, Any], s: Any) -> None:
    """Write a position without problems into a STATE row that has the fields that all games have."""
    s["pieces"] = HOME
    for seat, colour in enumerate(game.colours):
        places = sorted(place_number(colour, value) or NEST for value in position["pieces"][colour])
        s["pieces"][seat] = places + [HOME] * (PIECES - len(places))
    s["due"] = ROLL
    if s["over"]:
        return
    roll = _roll_of(position)
    counted = roll is not None and roll[0] == roll[1]
    s["doublets"] = counted if position.get("doublets") is None else position["doublets"]
    if roll is not None and _in_a_roll(position):
        _fill_roll(position, roll, s)


def _fill_roll(position: Mapping[str, Any], roll: list[int], s: Any) -> None:
    """What is left of a roll, and the pairs of the throw."""
    dice = [int(die) for die in _list(position, "dice")]
    s["rolled"] = roll
    s["left"] = [dice.count(int(face(s, slot))) for slot in range(2)]
    s["tens"], s["twenties"] = (list(_list(position, "rewards")).count(reward) for reward in REWARDS)
    s["due"] = DIE if dice else REWARD
    if position.get("together") is None:
        mark_pairs(s, int(s["seat"]))
    else:
        _fill_pairs(position["together"], s)


def _fill_pairs(together: Mapping[str, Any], s: Any) -> None:
    own: npt.NDArray[np.uint16] = s["pieces"][s["seat"]]
    for colour, pairs in together.items():
        for mark, pair in enumerate(pairs, 1):
            for value in pair:
                free = [k for k in range(PIECES) if own[k] == place_number(colour, value) and s["marks"][k] == 0]
                s["marks"][free[0]] = mark
    tidy_marks(s, int(s["seat"]))
