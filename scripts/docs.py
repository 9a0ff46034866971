"""Write the tables of the docs and the README that come from the code, and those of measured facts.

A table stands between `<!-- actions classic 4 -->` and `<!-- end -->`; what is between them is replaced. Others are
`observation`, `terms` of the heuristic player, `facts` with the numbers that `scripts/facts.py` has measured,
`champions` with those of `scripts/champions.py`, and `exact` with those of `scripts/exact.py`. With `--check`
nothing is written, and the exit status says whether the docs are up to date.
"""

import argparse
import json
import re
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

from sorry_env.checkpoint import write_atomically
from sorry_env.variant import Variant, variant

DOCS = Path(__file__).parents[1] / "docs"
FACTS, CHAMPIONS, EXACT = DOCS / "facts.json", DOCS / "champions.json", DOCS / "exact.json"
KINDS = "actions|observation|facts|champions|terms|exact"
BLOCK = re.compile(rf"(<!-- ({KINDS}) (\w+)(?: (\d))? -->\n).*?(<!-- end -->)", re.DOTALL)


def main() -> int:
    """Renew every table, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether something is out of date")
    arguments = parser.parse_args()
    pages = [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]
    stale = [path for path in pages if renewed(path.read_text()) != path.read_text()]
    for path in stale:
        if not arguments.check:
            write_atomically(path, renewed(path.read_text()).encode())
        print(f"{path.name} {'is out of date' if arguments.check else 'renewed'}")
    return int(bool(stale) and arguments.check)


def renewed(text: str) -> str:
    """A page with its tables as the code has them now."""
    return BLOCK.sub(lambda block: f"{block[1]}\n{table(*block.group(2, 3, 4))}\n{block[5]}", text)


def table(kind: str, ruleset: str, seats: str | None) -> str:
    """One generated table, in Markdown."""
    if kind == "facts":
        return facts_table(json.loads(FACTS.read_text())[ruleset])
    if kind == "champions":
        return champions_table(json.loads(CHAMPIONS.read_text()))
    if kind == "exact":
        rows = json.loads(EXACT.read_text())[ruleset]
        return values_table(rows) if ruleset == "values" else players_table(rows)
    game = variant(ruleset, int(seats or 4))
    if kind == "terms":
        return terms_table(game)
    return actions_table(game) if kind == "actions" else observation_table(game)


def facts_table(rows: dict[str, dict[str, float]]) -> str:
    """What `scripts/facts.py` has measured, a column for each number of seats."""
    columns = [f"{seats} seats" for seats in rows]
    lines = ["| uniform play | " + " | ".join(columns) + " |", "|---" + "|--:" * len(columns) + "|"]
    for label, words in FACT_ROWS.items():
        if all(_fact(words, row) for row in rows.values()):
            lines.append(f"| {label} | " + " | ".join(_fact(words, row) for row in rows.values()) + " |")
    return "\n".join(lines)


def champions_table(rows: dict[str, dict[str, float]]) -> str:
    """What `scripts/champions.py` has measured, a row for each game."""
    columns = [f"{spec}{more}" for more in ("", " with search") for spec in ("uniform", "heuristic", "race")]
    heads = ["game", "seats", "minutes", "games of self-play", *columns]
    lines = [f"| {' | '.join(heads)} |", "|---" + "|--:" * (len(heads) - 1) + "|"]
    for name, row in rows.items():
        rates = [_rate(row, column) for column in columns]
        ruleset, _, rest = name.rpartition("-")
        cells = [f"`{ruleset}`{rest[1:]}", f"{row['seats']:.0f}", f"{row['minutes']:.1f}", f"{row['games']:,.0f}"]
        lines.append(f"| {' | '.join([*cells, *rates])} |")
    return "\n".join(lines)


def _rate(row: dict[str, float], column: str) -> str:
    """A win rate with its interval; empty where there is none."""
    return f"{row[column]:.1%} ± {row[f'± {column}']:.1%}" if column in row else ""


def values_table(rows: dict[str, dict[str, float]]) -> str:
    """What `scripts/exact.py` has solved, a row for each value."""
    lines = [
        "| game | positions | actions | value | last change |",
        "|---|--:|--:|--:|--:|",
    ]
    for label, row in rows.items():
        words = "{positions:,} | {actions:,} | {value:.8f} | {residual:.0e}".format(**row)
        lines.append(f"| {label} | {words} |")
    return "\n".join(lines)


def players_table(rows: dict[str, dict[str, Any]]) -> str:
    """What `scripts/exact.py` has measured of players, a row for each, two columns for each game."""
    kinds = ("wins against the optimum", "exploitability, points")
    columns = [f"{pawns}: {kind}" for pawns in ("1 pawn", "2 pawns") for kind in kinds]
    lines = ["| player | " + " | ".join(columns) + " |", "|---" + "|--:" * len(columns) + "|"]
    found = {(row["spec"], row["pawns"]): row for row in rows.values()}
    for spec in sorted({spec for spec, _ in found}, key=lambda spec: _weakest(found, spec)):
        cells = [_player_cells(found.get((spec, pawns))) for pawns in (1, 2)]
        lines.append(f"| `{spec}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def _weakest(found: dict[tuple[str, int], dict[str, Any]], spec: str) -> float:
    """What players are sorted by."""
    return -max(float(row["exploitable"]) for (name, _), row in found.items() if name == spec)


def _player_cells(row: dict[str, Any] | None) -> str:
    """Empty where a player was not measured."""
    return f"{row['wins']:.4%} | {100 * row['exploitable']:.4f}" if row else " | "


FACT_ROWS = {
    "games": "{games:,.0f}",
    "turns a game, mean": "{turns:.1f}",
    "turns a game, 5%, median, 95%": "{turns 5%:.0f}, {turns median:.0f}, {turns 95%:.0f}",
    "turns a game, most": "{turns most:.0f}",
    "decisions a game, mean": "{actions:.1f}",
    "decisions with a single way": "{forced:.1%}",
    "legal ways, mean": "{ways:.2f}",
    "legal ways, most": "{most ways:.0f}",
    "games won by who begins (even share)": "{first wins:.1%} ({first even:.1%})",
    "points of the winner, mean": "{winner:.1f}",
    "points of a loser, mean": "{losers:.1f}",
    "most less least points, mean and standard deviation": "{spread:.1f}, {spread sd:.1f}",
    "most points": "{most points:.0f}",
}
"""Label -> words of a row, with the names of `scripts/facts.py`."""


def _fact(words: str, row: dict[str, float]) -> str:
    """A cell; empty where something was not measured."""
    return words.format(**row) if all(name in row for name in re.findall(r"{([^:}]+)", words)) else ""


def actions_table(game: Variant) -> str:
    """The blocks of the action table: card or die, move, ids, how many."""
    lines = [f"| {game.family.prompts} | move | ids | count |", "|---|---|---|---|"]
    rows = enumerate(game.actions.rows)
    for (prompt, move), block in groupby(rows, key=lambda row: game.family.block(game, row[1])):
        ids = [number for number, _ in block]
        span = str(ids[0]) if len(ids) == 1 else f"{ids[0]}-{ids[-1]}"
        lines.append(f"| {prompt} | {move} | {span} | {len(ids)} |")
    lines.append(f"| | | **all** | **{game.num_actions}** |")
    return "\n".join(lines)


def terms_table(game: Variant) -> str:
    """What the heuristic player of a game looks at, and what it counts."""
    terms = game.family.terms(game)
    rows = (f"| `{name}` | {meaning} | {terms.weights.get(name, 0):g} |" for name, meaning in terms.meanings.items())
    return "\n".join(["| term | meaning | weight |", "|---|---|--:|", *rows])


def observation_table(game: Variant) -> str:
    """The slices of the observation vector: name, indices, shape, meaning."""
    lines = ["| slice | indices | shape | meaning |", "|---|---|---|---|"]
    for part in game.features.slices.values():
        shape = " x ".join(map(str, part.shape))
        lines.append(f"| `{part.name}` | {part.begin}-{part.end - 1} | {shape} | {part.meaning} |")
    lines.append(f"| | **{game.num_features} in all** | | |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
