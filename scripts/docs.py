"""Write the tables of the docs that come from the code: actions and observations of a ruleset.

A table stands between `<!-- actions classic 4 -->` and `<!-- end -->`; what is between them is replaced. With
`--check` nothing is written, and the exit status says whether the docs are up to date.
"""

import argparse
import re
import sys
from itertools import groupby
from pathlib import Path

from sorry_env.actions import Action, stride_text
from sorry_env.board import MOVE, PASS, SORRY, SWAP
from sorry_env.checkpoint import write_atomically
from sorry_env.variant import Variant, variant

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"(<!-- (actions|observation) (\w+) (\d) -->\n).*?(<!-- end -->)", re.DOTALL)


def main() -> int:
    """Renew every table, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether something is out of date")
    arguments = parser.parse_args()
    stale = [path for path in sorted(DOCS.glob("*.md")) if renewed(path.read_text()) != path.read_text()]
    for path in stale:
        if not arguments.check:
            write_atomically(path, renewed(path.read_text()).encode())
        print(f"{path.name} {'is out of date' if arguments.check else 'renewed'}")
    return int(bool(stale) and arguments.check)


def renewed(text: str) -> str:
    """A page with its tables as the code has them now."""
    return BLOCK.sub(lambda block: f"{block[1]}\n{table(block[2], variant(block[3], int(block[4])))}\n{block[5]}", text)


def table(kind: str, game: Variant) -> str:
    """One generated table, in Markdown."""
    return actions_table(game) if kind == "actions" else observation_table(game)


def actions_table(game: Variant) -> str:
    """The blocks of the action table: card, move, ids, how many."""
    lines = ["| card | move | ids | count |", "|---|---|---|---|"]
    rows = enumerate(game.actions.rows)
    for (card, move), block in groupby(rows, key=lambda row: (row[1].card, move_text(row[1]))):
        ids = [number for number, _ in block]
        span = str(ids[0]) if len(ids) == 1 else f"{ids[0]}-{ids[-1]}"
        lines.append(f"| {card} | {move} | {span} | {len(ids)} |")
    lines.append(f"| | | **all** | **{game.num_actions}** |")
    return "\n".join(lines)


def move_text(action: Action) -> str:
    """What the actions of one block have in common."""
    if action.kind == MOVE and action.stride2:
        return "split: two pawns forward, one after the other"
    if action.kind == MOVE:
        return {"out": "a pawn from Start to the circle"}.get(
            stride_text(action.stride), f"pawn {stride_text(action.stride)}"
        )
    return {SWAP: "swap an own pawn with another seat's", SORRY: "from Start onto another seat's pawn", PASS: "pass"}[
        action.kind
    ]


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
