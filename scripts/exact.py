"""Solve small games exactly, and measure players in them without sampling; what the file holds already is kept.

The numbers go into `docs/exact.json`, from which `scripts/docs.py` writes the tables of `docs/strength.md`, and the
picture into `docs/exact.png`. Interrupted, the same command goes on.

    scripts/exact.py                                          # values and picture
    scripts/exact.py --players uniform race FILE.safetensors  # rows of players, too
"""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from agents.plots import chances_map
from sorry_env.checkpoint import write_atomically
from sorry_env.errors import SorryError
from sorry_env.players import make_player
from sorry_env.solve import (
    Graph,
    Space,
    bar,
    duel_table,
    exploitability,
    explored,
    keep_duel,
    number_of_start,
    policy_of,
    solve_duel,
    solve_race,
    win_rate,
)
from sorry_env.solve.bars import Bar
from sorry_env.solve.exact import Values
from sorry_env.solve.graph import Moves
from sorry_env.sorry.board import HOME, PLACES
from sorry_env.variant import Variant, variant

FILE = Path(__file__).parents[1] / "docs" / "exact.json"

Row = dict[str, float]
Rows = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Part:
    """A space that is solved in one go.

    Attributes:
        space: makes it.
        starts: the label of each value, and the seat that begins.
        alone: whether the value is a number of turns of one seat.
    """

    space: Callable[[], Space]
    starts: dict[str, int]
    alone: bool = False


def solo(pawns: int) -> Part:
    """One seat, so many pawns, cards that come back at once."""
    game = variant("classic", 2, pawns=pawns)
    return Part(lambda: game.family.solo(game), {f"turns, {plural(pawns)}, nobody else": 0}, alone=True)


def duel(pawns: int, starts: dict[str, int], colours: int | list[str] = 2, **changes: Any) -> Part:
    """Two seats with so many pawns each."""
    game = variant("classic", colours, pawns=pawns, **changes)
    return Part(lambda: game.family.duel(game, pawns), starts)


class Graphs:
    """The graph that was made last: with two pawns each it takes minutes, and a value and players need the same."""

    def __init__(self) -> None:
        """Begin with none."""
        self.made: dict[str, Graph] = {}

    def get(self, space: Space, line: Bar) -> Graph:
        """The graph of a space."""
        name = f"{space.game} {space.size}"
        if name not in self.made:
            self.made.clear()  # before the next one is made, as there is not room for two
            self.made[name] = explored(space, line)
        return self.made[name]


def plural(pawns: int) -> str:
    """1 pawn, 2 pawns."""
    return f"{pawns} pawn{'s' * (pawns > 1)}"


def solved_game(pawns: int) -> Variant:
    """The game of two opposite seats in which players are measured."""
    return variant("classic", 2, pawns=pawns, replacement=True)


ADJACENT = {"1 pawn each, adjacent, red before blue": 0, "1 pawn each, adjacent, blue before red": 1}
PARTS = {
    **{f"solo{pawns}": solo(pawns) for pawns in (1, 2, 3, 4)},
    "opposite": duel(1, {"1 pawn each, opposite": 0}, replacement=True),
    "adjacent": duel(1, ADJACENT, ["red", "blue"], replacement=True),
    "draw": duel(1, {"1 pawn each, opposite, pile of 11": 0}, deck=11),
    "two": duel(2, {"2 pawns each, opposite": 0}, replacement=True),
}
"""Name of a part -> what it is."""


def main() -> int:
    """Solve and measure what the file does not hold yet."""
    arguments = parser().parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        return told(f"unknown part {sorted(unknown)[0]!r}; there are {', '.join(PARTS)}", 2)
    graphs = Graphs()
    try:
        for name in arguments.parts:
            add_values(name, graphs, arguments.file, arguments.fresh)
        for pawns in arguments.pawns if arguments.players else ():
            add_players(pawns, arguments.players, graphs, arguments.file, arguments.fresh)
        draw(arguments.file.with_suffix(".png"))
    except (SorryError, OSError) as error:
        return told(str(error), 2)
    except KeyboardInterrupt:
        return told(f"interrupted; the same command goes on from what {arguments.file} holds", 130)
    counts = " and ".join(f"{len(rows)} {kind}" for kind, rows in known(arguments.file).items())
    print(f"{arguments.file} holds {counts} rows; scripts/docs.py puts them into the pages.")
    return 0


def parser() -> argparse.ArgumentParser:
    """The options."""
    found = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("parts", nargs="*", default=list(PARTS), help=f"of {', '.join(PARTS)}; default all")
    found.add_argument(
        "--players", nargs="+", default=[], metavar="SPEC", help="players to measure in the solved games"
    )
    found.add_argument("--pawns", nargs="+", type=int, choices=(1, 2), default=[2, 1], help="in which; default both")
    found.add_argument("--fresh", action="store_true", help="compute again what the file holds already")
    found.add_argument("--file", type=Path, default=FILE, help="where the numbers are kept, and the picture beside it")
    return found


def told(words: str, code: int) -> int:
    """Say what went wrong, and with which exit status."""
    print(f"exact: {words}", file=sys.stderr)
    return code


def known(file: Path) -> dict[str, Rows]:
    """The rows of a file, "values" and "players"."""
    return json.loads(file.read_text()) if file.exists() else {"values": {}, "players": {}}


def keep(file: Path, kind: str, rows: Rows) -> None:
    """Add rows to a file; those of the same names go."""
    found = known(file)  # read again: another process may have added others meanwhile
    found[kind] |= rows
    write_atomically(file, (json.dumps(found, indent=1) + "\n").encode())


# --- values


def add_values(name: str, graphs: Graphs, file: Path, fresh: bool) -> None:
    """Solve a part whose values the file does not hold, and print them."""
    part = PARTS[name]
    if fresh or not part.starts.keys() <= known(file)["values"].keys():
        with bar(name) as line:
            keep(file, "values", solved(part, graphs, line))
    for label in part.starts:
        row = known(file)["values"][label]
        print(f"{label}: {row['value']:.8f}, last change {row['residual']:.0e}")


def solved(part: Part, graphs: Graphs, line: Bar) -> Rows:
    """The values of a part, with how large it was and how far sweeps went."""
    begin, graph = perf_counter(), graphs.get(part.space(), line)
    changes: list[float] = []
    tell = line.sweeps("sweeps")

    def note(change: float) -> None:
        changes.append(change)
        tell(change)

    values = solve_race(graph, note).turns if part.alone else solve_duel(graph, note)
    if not part.alone:
        keep_duel(graph.space, values)  # for the player that reads it
    row = {
        "positions": int((np.diff(graph.chances.outcomes) > 0).sum()),
        "actions": len(graph.moves.leads),
        "sweeps": len(changes),
        "residual": changes[-1],
        "seconds": round(perf_counter() - begin, 1),
    }
    starts = {label: number_of_start(graph.space, seat) for label, seat in part.starts.items()}
    return {label: {"value": round(float(values[number]), 10), **row} for label, number in starts.items()}


# --- players


def add_players(pawns: int, specs: list[str], graphs: Graphs, file: Path, fresh: bool) -> None:
    """Measure players whose rows the file does not hold, and print them."""
    names = {spec: f"{spec}, {plural(pawns)}" for spec in specs}
    missing = [spec for spec in specs if fresh or names[spec] not in known(file)["players"]]
    if missing:
        game = solved_game(pawns)
        players = {spec: make_player(spec, game) for spec in (*missing, "optimal")}  # what cannot be is refused at once
        with bar(plural(pawns)) as line:
            graph = graphs.get(game.family.duel(game, pawns), line)
            measure = Measure(graph, policy(graph, players["optimal"], line, "optimal"), values(game, pawns), line)
            for spec in missing:
                row = measure.row(spec, policy(graph, players[spec], line, spec))
                keep(file, "players", {names[spec]: {"spec": spec, "pawns": pawns, **row}})
    for name in names.values():
        row = known(file)["players"][name]
        print(f"{name}: wins {row['wins']:.6%} against the optimum, exploitable by {row['exploitable']:.6%}")


def policy(graph: Graph, player: Any, line: Bar, spec: str) -> Moves:
    """What a player plays."""
    return policy_of(graph, player, line.positions(f"asking {spec}", graph.space.size))


def values(game: Variant, pawns: int) -> Values:
    """What positions are worth, near which what they are worth to players is found with fewer sweeps."""
    return duel_table(game, pawns)[1][0].astype(np.float64)


@dataclass(frozen=True)
class Measure:
    """What players are measured with.

    Attributes:
        graph: the game.
        optimum: what the best player does.
        values: what positions are worth to it.
        line: the progress bar.
    """

    graph: Graph
    optimum: Moves
    values: Values
    line: Bar

    def row(self, spec: str, mine: Moves) -> Row:
        """How a player does against the optimum and against its best answer, as probabilities."""
        told, answered = (f"{spec} against the optimum", f"best answer to {spec}")
        wins = win_rate(self.graph, mine, self.optimum, self.line.sweeps(told), self.values)
        exploitable = exploitability(self.graph, mine, self.line.sweeps(answered), self.values)
        return {"wins": round(wins, 9), "exploitable": round(exploitable, 9) + 0.0}  # no -0.0


# --- picture


def draw(path: Path) -> None:
    """Draw how often the seat to move wins, one pawn each, by where both stand."""
    game = solved_game(1)
    space, table = duel_table(game, 1)
    _, there = space.states(np.arange(space.size))
    chances = np.where(there, table[0, :-1], np.nan).reshape(PLACES, PLACES)[:HOME, :HOME]
    chances_map(chances, path, "One pawn each, opposite seats, best play")


if __name__ == "__main__":
    sys.exit(main())
