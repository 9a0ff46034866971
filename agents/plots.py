"""Pictures of training runs."""

from pathlib import Path

from agents.runs import Row, curves
from sorry_env.checkpoint import write_atomically


def learning_curve(rows: list[Row], path: Path, title: str, even: float) -> None:
    """Draw win rates over the games of self-play, with 95% intervals and the rate of an even match, as PNG."""
    import io

    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.2), dpi=150)
    for spec, points in curves(rows).items():
        games, rates, widths = zip(*points, strict=True)
        (line,) = axes.plot(games, rates, marker="o", markersize=3, label=f"against {spec}")
        low = [rate - width for rate, width in zip(rates, widths, strict=True)]
        high = [rate + width for rate, width in zip(rates, widths, strict=True)]
        axes.fill_between(games, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.axhline(even, label="even", color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel="games of self-play", ylabel="win rate in duplicate matches", title=title)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1000:g} k")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.legend(loc="best")
    axes.grid(alpha=0.25)
    figure.tight_layout()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    plt.close(figure)
    write_atomically(path, buffer.getvalue())
