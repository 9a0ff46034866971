"""The strongest players that come with the package: a value net for each of some games."""

from pathlib import Path

from sorry_env.checkpoint import load_checkpoint
from sorry_env.errors import PlayerError, suggestion
from sorry_env.players.network import Network
from sorry_env.variant import Variant

FOLDER = Path(__file__).parents[1] / "champions"
"""Where they are, as NAME-SEATS.safetensors."""


def champion(game: Variant, spec: str = "champion") -> Network:
    """The champion of a named ruleset, unchanged, with so many seats.

    Raises:
        PlayerError: there is none.
    """
    name = f"{game.ruleset}-{game.seats}"
    path = FOLDER / f"{name}.safetensors"
    if not path.is_file():
        raise PlayerError(
            f"{spec!r}: {game.ruleset} with {game.seats} seats has no champion; {suggestion(name, champions())}; "
            "train one with scripts/train.py, and give the path of its checkpoint"
        )
    return Network(game, spec, load_checkpoint(path))


def champions() -> list[str]:
    """Rulesets and seat counts that have a champion, as in `classic-2`."""
    return sorted(path.stem for path in FOLDER.glob("*.safetensors"))
