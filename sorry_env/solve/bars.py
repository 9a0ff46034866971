"""The line on the terminal that says how far a solution is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import log10
from typing import TYPE_CHECKING, Any

from sorry_env.solve.exact import PRECISION
from sorry_env.solve.graph import Graph, Space, graph_of

if TYPE_CHECKING:
    from tqdm import tqdm

DIGITS = round(-log10(PRECISION))
COUNTED = "{l_bar}{bar}| {n_fmt} of {total_fmt} [{elapsed}<{remaining}]"
SWEPT = "{l_bar}{bar}| {n:.1f} of {total_fmt} digits [{elapsed}<{remaining}{postfix}]"


class Bar:
    """One line: positions, counted, and then sweeps, by how many digits of the values have settled."""

    def __init__(self, name: str, line: "tqdm[Any]") -> None:
        """Take a line of tqdm's, and what it is about."""
        self.name, self.line = name, line

    def positions(self, what: str, total: int) -> Callable[[int], object]:
        """Turn to positions, so many; what is returned counts them."""
        self._begin(what, total, COUNTED)
        return self.line.update

    def sweeps(self, what: str) -> Callable[[float], object]:
        """Turn to sweeps; what is returned is told of each, by the largest change of a value in it."""
        self._begin(what, DIGITS, SWEPT)
        return self._swept

    def _begin(self, what: str, total: int, form: str) -> None:
        self.line.bar_format = form
        self.line.set_description_str(f"{self.name}: {what}", refresh=False)
        self.line.set_postfix_str("", refresh=False)
        self.line.reset(total)

    def _swept(self, change: float) -> None:
        self.line.set_postfix_str(f"last change {change:.0e}", refresh=False)
        digits = min(DIGITS, -log10(max(change, PRECISION)))
        self.line.update(max(0.0, digits - self.line.n))  # as often as it is worth a new line, unlike `refresh`


@contextmanager
def bar(name: str) -> Iterator[Bar]:
    """A line on the terminal."""
    from tqdm import tqdm  # only here, as who reads a table from the cache needs no bar

    with tqdm(total=1, bar_format=COUNTED, miniters=0) as line:
        yield Bar(name, line)


def explored(space: Space, line: Bar) -> Graph:
    """The graph of a space, its positions counted on a line."""
    return graph_of(space, line.positions("positions", space.size))
