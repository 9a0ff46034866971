"""What only positions of Sorry! Express have: `"shown"`, `"held"`, `"start_base"` and `"dice"`.

    {"shown": {"red": "red", "blue": "blue"}, "held": {"red": {"red": 1, "green": 2}, "blue": {}},
     "start_base": {"red": 3, "blue": 4, "yellow": 4, "green": 2}, "dice": ["red", "slide", "sorry"]}

A colour that is left out of a count counts 0; in `held` only those are listed that the player has. The dice are those
that have still to be resolved, in alphabetical order; none, or left out, when the roll is due and after the end.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sorry_env.errors import suggestion
from sorry_env.express.board import DECIDE, DICE, FACES, OUTCOMES, PAWNS, ROLL
from sorry_env.line import Position
from sorry_env.rulesets import COLOURS

if TYPE_CHECKING:
    from sorry_env.variant import Variant

KEYS = ("shown", "held", "start_base", "dice")


def to_keys(game: "Variant", s: Any) -> Position:
    """What `KEYS` name, of a STATE row."""
    return {
        "shown": {colour: COLOURS[s["shown"][seat]] for seat, colour in enumerate(game.colours)},
        "held": {colour: _counted(s["held"][seat]) for seat, colour in enumerate(game.colours)},
        "start_base": {colour: int(count) for colour, count in zip(COLOURS, s["start_base"], strict=True)},
        "dice": dice_of(s),
    }


def _counted(held: Any) -> dict[str, int]:
    return {colour: int(count) for colour, count in zip(COLOURS, held, strict=True) if count}


def dice_of(s: Any) -> list[str]:
    """The faces of the dice left in a STATE row, in alphabetical order."""
    return sorted(face for face, count in zip(FACES, s["dice"], strict=True) for _ in range(int(count)))


def problems(game: "Variant", position: Mapping[str, Any]) -> Iterator[str]:
    """Every reason why what `KEYS` name cannot be."""
    yield from _shown_problems(game, position.get("shown"))
    yield from _held_problems(game, position.get("held"))
    yield from _count_problems("the start base", position.get("start_base"))
    yield from _sum_problems(game, position)
    yield from _dice_problems(_dice(position))


def _shown_problems(game: "Variant", shown: object) -> Iterator[str]:
    if not isinstance(shown, Mapping):
        yield f"shown is {shown!r}: expected the colour that the base of each of {list(game.colours)} shows (E1)"
        return
    yield from _stranger_problems(game, "shown", shown)
    for colour in game.colours:
        if colour not in shown:
            yield f"the colour that {colour}'s base shows is missing (E1)"
        elif shown[colour] not in COLOURS:
            yield f"{colour}'s base shows {shown[colour]!r}, which is no colour; {suggestion(shown[colour], COLOURS)}"


def _stranger_problems(game: "Variant", key: str, named: Mapping[Any, Any]) -> Iterator[str]:
    for colour in named:
        if colour not in game.colours:
            yield f"{key} names {colour!r}, who has no seat; the seats are {list(game.colours)}"


def _held_problems(game: "Variant", held: object) -> Iterator[str]:
    if not isinstance(held, Mapping):
        yield f"held is {held!r}: expected the pawns of each of {list(game.colours)}, by colour (E1)"
        return
    yield from _stranger_problems(game, "held", held)
    for colour in game.colours:
        if colour not in held:
            yield f"the pawns that {colour} holds are missing: expected how many, by colour; {{}} for none (E1)"
        else:
            yield from _count_problems(colour, held[colour])


def _count_problems(holder: str, counts: object) -> Iterator[str]:
    """What is wrong with the pawns of a seat or of the start base."""
    if not isinstance(counts, Mapping):
        yield f"the pawns of {holder} are {counts!r}: expected how many, by colour (E1)"
        return
    for colour, count in counts.items():
        if colour not in COLOURS:
            yield f"{holder} has pawns of {colour!r}, which is no colour; {suggestion(colour, COLOURS)}"
        elif not _is_count(count):
            yield f"{holder} has {count!r} {colour} pawns: expected a number, 0 or more"


def _is_count(count: object) -> bool:
    return isinstance(count, (int, np.integer)) and not isinstance(count, bool) and bool(count >= 0)


def _sum_problems(game: "Variant", position: Mapping[str, Any]) -> Iterator[str]:
    """Sixteen pawns, four of each colour; those that could not be read count 0."""
    for colour in COLOURS:
        held, left = sum(_pawns(position, seat, colour) for seat in game.colours), _base(position, colour)
        if held + left != PAWNS:
            yield (
                f"there are {held + left} {colour} pawns, {left} on the start base and {held} held: of each colour "
                f"there are {PAWNS} (E1)"
            )


def _pawns(position: Mapping[str, Any], seat: str, colour: str) -> int:
    held = position.get("held")
    return _count(held.get(seat) if isinstance(held, Mapping) else None, colour)


def _base(position: Mapping[str, Any], colour: str) -> int:
    return _count(position.get("start_base"), colour)


def _count(counts: object, colour: str) -> int:
    count = counts.get(colour, 0) if isinstance(counts, Mapping) else 0
    return int(count) if _is_count(count) else 0


def _dice(position: Mapping[str, Any]) -> Any:
    """The dice; none where they are left out."""
    return [] if position.get("dice") is None else position["dice"]


def _dice_problems(dice: object) -> Iterator[str]:
    if not isinstance(dice, Sequence) or isinstance(dice, str):
        yield f"dice is {dice!r}: expected the faces that have still to be resolved, [] when a roll is due (E2)"
        return
    unknown = [face for face in dice if face not in FACES]
    for face in unknown:
        yield f"a die shows {face!r}, which no die has; {suggestion(face, FACES)}"
    if len(dice) > len(DICE):
        yield f"there are {len(dice)} dice: a turn has {len(DICE)} (E2)"
    elif len(dice) == len(DICE) and not unknown and tuple(sorted(dice)) not in OUTCOMES:
        yield f"dice is {list(dice)}: each special face is on two of the three dice only (E6)"


def winners(game: "Variant", position: Mapping[str, Any]) -> list[str]:
    """The seats' colours with four pawns in the Home section (E7)."""
    shown = position.get("shown")
    if not isinstance(shown, Mapping):
        return []
    return [c for c in game.colours if shown.get(c) in COLOURS and _pawns(position, c, shown[c]) == PAWNS]


def fill(game: "Variant", position: Mapping[str, Any], s: Any) -> None:
    """Write what `KEYS` name, without problems, into a STATE row of which turns, seat, over and winners are set."""
    for seat, colour in enumerate(game.colours):
        s["shown"][seat] = COLOURS.index(position["shown"][colour])
        s["held"][seat] = [_pawns(position, colour, pawn) for pawn in COLOURS]
    s["start_base"] = [_base(position, colour) for colour in COLOURS]
    dice = list(_dice(position))
    s["dice"] = [dice.count(face) for face in FACES]
    s["due"] = DECIDE if dice else ROLL
