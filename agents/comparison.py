"""Two training runs compared at equal wall-clock: how strong their players were after how many seconds.

Seconds are those of the run folders, spent on playing and learning, a league's test matches included and the matches
of the learning curve left out. Every saved player is measured in duplicate deals against fixed players, and against
the **rival**: the last player that the other run had saved by then.
"""

import dataclasses
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.arena import Progress, entrants, play_match, sides
from agents.config import ConfigError
from agents.plots import in_percent, new_figure, rate_line, save_figure
from agents.runs import RunFolder, read_config, trainer_of
from sorry_env.checkpoint import load_checkpoint
from sorry_env.players import make_player
from sorry_env.starts import same_game
from sorry_env.variant import Variant

FIXED = ("uniform", "heuristic")
"""Players against whom every saved player is measured."""
RIVAL = "rival"
"""What the other run's last player of the time is called."""
POINTS = 10
"""Saved players of a run that is made for a number of minutes."""
PROBE, FEWEST = 0.1, 10
"""Share of the minutes for which the pace of a trainer is tried out, and the fewest rollouts."""

Rates = dict[str, tuple[float, float]]
"""Opponent -> win rate and half the width of its 95% interval."""


@dataclass(frozen=True)
class Saved:
    """A player that a run has saved.

    Attributes:
        path: its checkpoint.
        seconds: what the run had taken by then.
        games: what it had played by then.
        champion: it is the champion of the run's league, which is whom one has at the end, not who was learning.
    """

    path: Path
    seconds: float
    games: int
    champion: bool = False


@dataclass(frozen=True)
class Point:
    """A saved player, and what it achieves."""

    saved: Saved
    rates: Rates


Runs = Mapping[str, Sequence[Point]]
"""Name of a run -> its players, in the order of time; a champion of a league is the last."""


def fitted(config: Any, minutes: float) -> Any:
    """The configuration with as many rollouts as take so many minutes here, by trying it out for a tenth of them.

    The pace is that of the second half of the trial, since code is compiled in the first. A league grows, and slows
    down a little, as it goes on.
    """
    seconds = [time.perf_counter()]
    for _ in trainer_of(config).until(config.rollouts):
        seconds.append(time.perf_counter())
        if len(seconds) > FEWEST and seconds[-1] - seconds[0] > PROBE * 60 * minutes:
            break
    half = len(seconds) // 2
    rollouts = max(1, round(60 * minutes * (len(seconds) - half) / (seconds[-1] - seconds[half - 1])))
    return dataclasses.replace(config, rollouts=rollouts, evaluate_every=max(1, rollouts // POINTS))


def taken_up(config: Any, folder: RunFolder) -> Any:
    """The configuration with the rollouts of the run that the folder holds; None if it holds none."""
    path = folder.path / "config.yaml"
    if not path.exists():
        return None
    before = read_config(path)
    return dataclasses.replace(config, rollouts=before.rollouts, evaluate_every=before.evaluate_every)


def game_of(folder: RunFolder) -> Variant:
    """What is played in a run.

    Raises:
        ConfigError: there is no run in the folder.
    """
    game: Variant = read_config(folder.path / "config.yaml").game()
    return game


def saved_by(folder: RunFolder) -> list[Saved]:
    """The players of a run, in the order of time; its champion, if it has one, as what there is in the end.

    Raises:
        ConfigError: it has saved none.
    """
    paths = sorted((folder.path / "checkpoints").glob("*.safetensors"))
    if not paths:
        raise ConfigError(f"{str(folder.path)!r} holds no checkpoints; train the run first")
    found = [_saved(path) for path in paths]
    return found + [dataclasses.replace(found[-1], path=folder.best, champion=True)] * folder.best.exists()


def _saved(path: Path) -> Saved:
    record = load_checkpoint(path).training
    return Saved(path, float(record["seconds"]), int(record["games"]))


def compared(folders: Sequence[RunFolder], deals: int, seed: int, progress: Progress | None = None) -> dict[str, Any]:
    """Measure every saved player of two runs: `Runs`, by the folders' names.

    Args:
        folders: two run folders of one game.
        deals: duplicate deals of each match.
        seed: of the matches; all are played with the same deals.
        progress: told how many games have ended.

    Raises:
        ConfigError: a folder without players, or runs of different games.
    """
    game, other = (game_of(folder) for folder in folders)
    if not same_game(game, other):
        raise ConfigError(f"the runs are of different games, {game} and {other}")
    players = [saved_by(folder) for folder in folders]
    return {
        folder.path.name: [_measured(game, one, rivals, deals, seed, progress) for one in own]
        for folder, own, rivals in zip(folders, players, reversed(players), strict=True)
    }


def _measured(
    game: Variant, saved: Saved, rivals: Sequence[Saved], deals: int, seed: int, progress: Progress | None
) -> Point:
    """A player against the fixed ones and its rival."""
    opponents = {spec: spec for spec in FIXED}
    if rival := rival_of(saved, rivals):
        opponents[RIVAL] = str(rival.path)
    player, rates = make_player(saved.path, game), Rates()
    for name, spec in opponents.items():
        result = play_match(game, entrants(game, player, make_player(spec, game)), deals, seed, progress)
        rates[name] = float(result.win_rates[0]), float(result.half_widths[0])
    return Point(saved, rates)


def rival_of(saved: Saved, others: Sequence[Saved]) -> Saved | None:
    """The last player of the other run that is not a champion and was there by the time; None if there was none."""
    before = [other for other in others if not other.champion and other.seconds <= saved.seconds]
    return before[-1] if before else None


# --- what is told


def as_json(runs: Runs) -> dict[str, Any]:
    """Plain values: of each run a list of `player`, `seconds`, `games`, and by opponent rate and half-width."""
    return {
        name: [
            {"player": str(p.saved.path), "seconds": p.saved.seconds, "games": p.saved.games, **p.rates} for p in points
        ]
        for name, points in runs.items()
    }


def table(runs: Runs) -> str:
    """Markdown: a row for each saved player."""
    heads = ["run", "player", "minutes", "games", *(f"against `{spec}`" for spec in FIXED), "against the other run"]
    rules = ["---", "---", *["--:"] * (len(heads) - 2)]
    rows = [_row(name, point) for name, points in runs.items() for point in points]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, rules, *rows)) + "\n"


def _row(name: str, point: Point) -> list[str]:
    saved = point.saved
    rates = [f"{point.rates[o][0]:.1%} ± {point.rates[o][1]:.1%}" if o in point.rates else "" for o in (*FIXED, RIVAL)]
    return [name, saved.path.stem, f"{saved.seconds / 60:.1f}", f"{saved.games:,}", *rates]


def _curve(points: Sequence[Point], opponent: str) -> Iterator[tuple[float, float, float]]:
    """Minutes, win rate and half-width of each player but the champion."""
    for point in points:
        if opponent in point.rates and not point.saved.champion:
            yield point.saved.seconds / 60, *point.rates[opponent]


def picture(runs: Runs, path: Path, game: Variant) -> None:
    """Draw win rates over minutes as PNG: a panel for each opponent, a line with its 95% band for each run."""
    figure, panels = new_figure(12, 4, len(FIXED) + 1)
    for axes, opponent in zip(panels, (*FIXED, RIVAL), strict=True):
        for name, points in runs.items():
            rate_line(axes, name, list(_curve(points, opponent)))
        axes.axhline(1 / sides(game), color="grey", linewidth=0.8, linestyle=":")
        axes.set(xlabel="minutes", title="against the other run" if opponent == RIVAL else f"against {opponent}")
        in_percent(axes.yaxis)
        axes.grid(alpha=0.25)
    panels[0].set_ylabel("win rate in duplicate matches")
    panels[0].legend(loc="best")
    save_figure(figure, path)
