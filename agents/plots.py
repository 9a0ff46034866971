"""Pictures of training runs and of matches, as PNG."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.arena import CrossTable
from agents.ratings import Ratings
from agents.runs import Row, curves
from sorry_env.checkpoint import write_atomically

LONGEST = 30
"""Letters of a name in a picture or a table."""


def short(name: str) -> str:
    """A name of at most `LONGEST` letters; of a longer one its end, where paths differ."""
    return name if len(name) <= LONGEST else "..." + name[3 - LONGEST :]


def learning_curve(rows: list[Row], path: Path, title: str, even: float) -> None:
    """Draw win rates over the games of self-play, with 95% intervals and the rate of an even match."""
    figure, axes = new_figure(7, 4.2)
    for spec, points in curves(rows).items():
        rate_line(axes, f"against {spec}", points)
    axes.axhline(even, label="even", color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel="games of self-play", ylabel="win rate in duplicate matches", title=title)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1000:g} k")
    in_percent(axes.yaxis)
    axes.legend(loc="best")
    axes.grid(alpha=0.25)
    save_figure(figure, path)


def rating_plot(ratings: Ratings, path: Path, title: str) -> None:
    """Draw ratings with their 95% intervals, the strongest on top."""
    places = np.arange(len(ratings.names))[::-1]
    figure, axes = new_figure(7, 1.3 + 0.35 * len(places))
    sides = np.stack([ratings.elo - ratings.low, ratings.high - ratings.elo])
    axes.errorbar(ratings.elo, places, xerr=np.maximum(sides, 0), fmt="o", markersize=5, capsize=3, linewidth=1.5)
    for elo, high, place in zip(ratings.elo, ratings.high, places, strict=True):
        axes.annotate(f"{elo:.0f}", (max(elo, high), place), (7, 0), textcoords="offset points", va="center")
    axes.set_yticks(places, [short(name) for name in ratings.names])
    axes.set_ylim(-0.6, len(places) - 0.4)
    axes.margins(x=0.12)
    axes.axvline(0, color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel=f"Elo; 0 is {ratings.anchor or 'the mean'}", title=title)
    axes.grid(alpha=0.25, axis="x")
    save_figure(figure, path)


def cross_table_picture(table: CrossTable, path: Path, title: str, even: float) -> None:
    """Draw win rates of the row's player as numbers with their 95% intervals, blue above an even match, red below."""
    from matplotlib.colors import TwoSlopeNorm

    size = len(table.specs)
    figure, axes = new_figure(2.6 + 1.05 * size, 1.6 + 0.62 * size)
    norm = TwoSlopeNorm(even, 0, 1)
    axes.set_facecolor("0.93")
    axes.imshow(table.rates, cmap="RdBu", norm=norm, aspect="auto")
    for row, column in np.argwhere(~np.isnan(table.rates)):
        rate, width = table.rates[row, column], table.half_widths[row, column]
        ink = "black" if 0.17 < norm(rate) < 0.83 else "white"
        where = {"xy": (column, row), "textcoords": "offset points", "ha": "center", "va": "center", "color": ink}
        axes.annotate(f"{rate:.1%}", xytext=(0, 5), **where)
        axes.annotate(f"± {width:.1%}", xytext=(0, -8), fontsize=7, **where)
    names = [short(spec) for spec in table.specs]
    axes.set_xticks(range(size), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(size), names)
    axes.set(xlabel="against", ylabel="win rate of", title=title)
    axes.tick_params(length=0)
    save_figure(figure, path)


def chances_map(chances: npt.NDArray[np.floating], path: Path, title: str) -> None:
    """Draw how often who is to move wins, one pawn each, by where both stand.

    Args:
        chances: (66, 66) probabilities by the mover's place and the other's, NaN where there is no such position.
        path: the PNG.
        title: of the picture.
    """
    figure, axes = new_figure(7, 5.8)
    axes.set_facecolor("0.6")
    image = axes.imshow(chances, cmap="RdBu", vmin=0.1, vmax=0.9, origin="lower")
    ticks = {0: "Start", 15: "15", 30: "30", 45: "45", 59: "entry", 65: "last"}
    axes.set_xticks(list(ticks), list(ticks.values()))
    axes.set_yticks(list(ticks), list(ticks.values()))
    axes.set(xlabel="where the other pawn stands on its own path", ylabel="where the mover's pawn stands", title=title)
    bar = figure.colorbar(image, ax=axes, shrink=0.85, label="the mover wins")
    in_percent(bar.ax.yaxis)
    axes.contour(np.ma.masked_invalid(chances), [0.5], colors="black", linewidths=0.7)
    save_figure(figure, path)


def rate_line(axes: Any, label: str, points: Sequence[tuple[float, float, float]]) -> None:
    """Draw a line through win rates with its 95% band; points: where, the rate, half the width of its interval."""
    places, rates, widths = np.array(points).reshape(-1, 3).T
    (line,) = axes.plot(places, rates, marker="o", markersize=3, label=label)
    axes.fill_between(places, rates - widths, rates + widths, color=line.get_color(), alpha=0.15, linewidth=0)


def in_percent(axis: Any) -> None:
    """Write an axis of probabilities in per cent, with as many digits as its marks need."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1))


def new_figure(width: float, height: float, panels: int = 1) -> tuple[Any, Any]:
    """A figure of so many inches, without a screen, and its axes; several panels stand side by side on one x axis."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    return plt.subplots(1, panels, figsize=(width, height), dpi=150, sharex=True)


def save_figure(figure: Any, path: Path) -> None:
    """Write a figure as PNG, and give it up."""
    from matplotlib import pyplot as plt

    figure.tight_layout()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    plt.close(figure)
    write_atomically(path, buffer.getvalue())
