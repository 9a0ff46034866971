"""The main job from end to end: train a player from scratch, load it back as an opponent, measure and show it."""

import argparse
import dataclasses
import sys
from pathlib import Path

from tqdm import tqdm
from train import summary, train_with_bar

from agents.arena import MatchResult, entrants, play_match
from agents.runs import RunFolder, read_config
from sorry_env import Game, sorry_v0
from sorry_env.checkpoint import write_atomically
from sorry_env.players import Player, make_player
from sorry_env.render import svg_of
from sorry_env.variant import Variant

ROOT = Path(__file__).parents[1]
OPPONENTS = ("uniform", "greedy", "heuristic")


def main() -> int:
    """Train, play in the environment, play the matches, and leave table, curve and picture in the run folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything, to see that it works")
    parser.add_argument("--deals", type=int, default=2000, help="duplicate deals of each match")
    arguments = parser.parse_args()
    config = read_config(ROOT / "configs" / "demo.yaml")
    folder = RunFolder(ROOT / "runs" / ("demo-quick" if arguments.quick else "demo"))
    deals = arguments.deals // 10 if arguments.quick else arguments.deals
    if arguments.quick:
        config = dataclasses.replace(config, rollouts=config.rollouts // 10, evaluate_every=5, evaluation_deals=100)
    if finished(folder, config.rollouts):
        folder.clear()
    try:
        train_with_bar(config, folder)
    except KeyboardInterrupt:
        print("Interrupted; `make demo` goes on from here.", file=sys.stderr)
        return 130
    game = config.game()
    player = make_player(str(folder.last), game)
    final = show_environment(game, player, folder)
    write_atomically(folder.path / "final.svg", svg_of(final).encode())
    report(folder, matches(game, player, deals), deals)
    return 0


def finished(folder: RunFolder, rollouts: int) -> bool:
    """Whether the folder holds a run that came to its end; then the demonstration begins anew."""
    return (folder.path / "checkpoints" / f"{rollouts:06d}.safetensors").exists()


def show_environment(game: Variant, player: Player, folder: RunFolder, games: int = 20) -> Game:
    """Play the checkpoint as player_1 of the AEC environment against uniform moves; the last position is returned."""
    env = sorry_v0.env(game.ruleset.name, list(game.colours), **game.ruleset.changes())
    wins = 0
    for number in range(games):
        env.reset(seed=number)
        for agent in env.agent_iter():
            observation, _, termination, truncation, info = env.last()
            if termination or truncation:
                wins += agent == "player_1" and "player_1" in info["winners"]
                env.step(None)
            elif agent == "player_1":
                env.step(env.unwrapped.ask(player))
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
    print(f"Loaded back from {folder.last.name} as an opponent in the AEC environment: {wins} of {games} games won.")
    return env.unwrapped.game()


def matches(game: Variant, player: Player, deals: int) -> dict[str, MatchResult]:
    """The checkpoint against every opponent."""
    results = {}
    with tqdm(total=len(OPPONENTS) * deals * game.seats, unit="game", desc="matches") as bar:
        for spec in OPPONENTS:
            players = entrants(game, player, make_player(spec, game))
            results[spec] = play_match(game, players, deals, seed=1, progress=bar.update)
    return results


def report(folder: RunFolder, results: dict[str, MatchResult], deals: int) -> None:
    """Print the table and keep it beside the pictures."""
    lines = [f"| opponent | win rate, {deals:,} duplicate deals | turns a game |", "|---|---|---|"]
    for spec, result in results.items():
        rate, width = result.win_rates[0], result.half_widths[0]
        lines.append(f"| {spec} | {rate:.1%} ± {width:.1%} | {result.mean_turns:.0f} |")
    text = "\n".join([summary(folder.rows), "", *lines, ""])
    write_atomically(folder.path / "report.md", text.encode())
    print(f"\n{text}\nSee curve.png, final.svg and report.md in {folder.path.relative_to(ROOT)}/.")


if __name__ == "__main__":
    sys.exit(main())
