"""What players lose to the optimum in classic with few pawns and independent cards, decision by decision.

Points are percentage points of won games. `scripts/exact.py` finds the same without sampling, in half an hour a player.
"""

import argparse
import sys

from tqdm import tqdm

from agents.arena import half_width
from agents.regret import regrets
from sorry_env.errors import SorryError
from sorry_env.players import make_player
from sorry_env.variant import variant


def main() -> int:
    """Print a line for each player."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", help="specs of players, or checkpoints trained for this game")
    parser.add_argument("--pawns", type=int, choices=(1, 2), default=2, help="of each seat")
    parser.add_argument("--games", type=int, default=20_000, help="against the optimum")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.games < 1:
        parser.error(f"--games is {arguments.games}: expected 1 or more")
    game = variant("classic", 2, pawns=arguments.pawns, replacement=True)
    try:
        for spec, player in [(spec, make_player(spec, game)) for spec in arguments.players]:
            with tqdm(total=arguments.games, unit="game", desc=spec, leave=False, delay=0.5) as bar:
                found = 100 * regrets(game, player, arguments.games, arguments.seed, bar.update)
            lost = f"{found.mean():.4f} ± {half_width(found):.4f} points a game"
            print(f"{spec} loses {lost} to the optimum in {len(found):,} games")
    except SorryError as error:
        print(f"regret: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("regret: interrupted; a game that was not ended counts for nothing", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
