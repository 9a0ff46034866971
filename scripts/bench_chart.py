"""The benchmark's numbers as pictures; PNG."""

import io
from collections.abc import Mapping
from statistics import median
from typing import Any

from bench_table import Results, rates, rounded

OURS, OTHERS = "tab:blue", "tab:gray"


def bars(results: Results) -> bytes:
    """A bar for each measurement, ours and the others' in two colours; a panel for each kind, on logarithmic axes."""
    panels: dict[str, list[Any]] = {}
    for bench in results.benches:
        panels.setdefault(bench.panel, []).append(bench)
    heights = [len(benches) + 2.2 for benches in panels.values()]
    figure, axes = _pyplot().subplots(
        len(panels), figsize=(8.5, 0.27 * sum(heights)), dpi=130, height_ratios=heights, squeeze=False
    )
    for one, (title, benches) in zip(axes[:, 0], panels.items(), strict=True):
        _panel(one, title, benches, results)
    return _png(figure)


def _panel(axes: Any, title: str, benches: list[Any], results: Results) -> None:
    names = [f"{bench.name}, {bench.seats} seats" for bench in benches]
    values = [median(rates(results.samples[bench.key])) for bench in benches]
    colours = [OURS if bench.ours else OTHERS for bench in benches]
    drawn = axes.barh(names, values, color=colours, height=0.75)
    labels = [f"{rounded(value)} {bench.unit}" for value, bench in zip(values, benches, strict=True)]
    axes.bar_label(drawn, labels, padding=3, fontsize=7)
    axes.set(xscale="log", xlim=(min(values) / 3, max(values) * 30))
    axes.set_title(f"{title} (a second of one core)", fontsize=9, loc="left")
    axes.tick_params(labelsize=7)
    axes.margins(y=0.02)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)


def curves(series: Mapping[str, Mapping[int, float]], across: str, along: str) -> bytes:
    """A line for each series of x -> y, on two logarithmic axes."""
    figure, axes = _pyplot().subplots(figsize=(7, 4), dpi=130)
    for name, points in series.items():
        axes.plot(list(points), list(points.values()), marker="o", label=name)
    axes.set(xscale="log", yscale="log", xlabel=across, ylabel=along)
    axes.grid(alpha=0.3, which="both")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8)
    return _png(figure)


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def _png(figure: Any) -> bytes:
    figure.tight_layout()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    _pyplot().close(figure)
    return buffer.getvalue()
