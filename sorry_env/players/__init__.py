"""Players by spec string: a name of `PLAYERS`, or the path of a checkpoint.

`apologies` is lent by the package of that name, and imported when it is asked for.

A spec is a name, or a path that ends in `.safetensors`, with options behind a question mark: `name?option=value&...`.
Which options there are depends on the player, of a checkpoint on the kind of its net. A value that holds `&` itself, as
a spec with several options does, stands in parentheses: `search?depth=1&leaf=(name?option=value&...)`.
"""

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from sorry_env.checkpoint import Checkpoint, load_checkpoint
from sorry_env.errors import CheckpointError, PlayerError, suggestion
from sorry_env.players.base import AfterstatePlayer, Leaf, Player
from sorry_env.players.champion import champion
from sorry_env.players.heuristic import Heuristic
from sorry_env.players.network import Network
from sorry_env.players.policy import Policy
from sorry_env.players.search import Search
from sorry_env.players.simple import Greedy, Uniform
from sorry_env.players.tables import Optimal, Race
from sorry_env.variant import Variant

__all__ = ["LENT", "PLAYERS", "AfterstatePlayer", "Leaf", "Player", "make_player"]

PLAYERS: dict[str, Callable[..., Player]] = {
    "uniform": Uniform,
    "greedy": Greedy,
    "heuristic": Heuristic,
    "race": Race,
    "optimal": Optimal,
    "search": Search,
    "champion": champion,
}
"""Name -> factory `(game, spec, **options)`; options arrive as strings."""
LENT: dict[str, tuple[str, str]] = {"apologies": ("sorry_env.adapters.apologies", "Apologies")}
"""Name -> module and factory, as in PLAYERS, of players that other packages lend, by which the module is named."""
NETS: dict[str, Callable[..., Player]] = {"value": Network, "policy": Policy}
"""Kind of a checkpoint -> factory `(game, spec, checkpoint, **options)`."""


def make_player(spec: str | Path, game: Variant) -> Player:
    """The player that a spec string names, for one variant.

    Raises:
        PlayerError: no such player, or it has no such option.
        CheckpointError: the file is missing, damaged, or made for another game.
    """
    spec = str(spec)
    name, _, query = spec.partition("?")
    pairs = [_option(spec, word) for word in _words(spec, query)]
    options = dict(pairs)
    if len(options) < len(pairs):
        raise PlayerError(f"{spec!r} gives an option twice; give each once")
    if name.endswith(".safetensors"):
        return _loaded(name, game, spec, options)
    if name not in PLAYERS and name not in LENT:
        remedy = suggestion(name, [*PLAYERS, *LENT])
        raise PlayerError(f"unknown player {spec!r}; {remedy}, or give the path of a .safetensors checkpoint")
    return _made(PLAYERS[name] if name in PLAYERS else _lent(name), game, spec, options)


def _lent(name: str) -> Callable[..., Player]:
    """The factory of a player that another package lends."""
    module, factory = LENT[name]
    try:
        found: Callable[..., Player] = getattr(import_module(module), factory)
    except ModuleNotFoundError as error:
        raise PlayerError(
            f"{name!r} needs the package {error.name!r}, which is not installed: pip install 'sorry-env[dev]'"
        ) from error
    return found


def _loaded(path: str, game: Variant, spec: str, options: dict[str, str]) -> Player:
    """A checkpoint's player, by the kind of its net."""
    found = load_checkpoint(path)
    if found.kind not in NETS:
        raise CheckpointError(f"{path!r} is a {found.kind!r} checkpoint; this version plays {', '.join(NETS)}")
    return _made(NETS[found.kind], game, spec, options, found)


def _words(spec: str, query: str) -> list[str]:
    """What stands between the & of a query that are in no parentheses."""
    words, open_ones = [""], 0
    for piece in re.split("([&()])", query):
        open_ones += (piece == "(") - (piece == ")")
        if open_ones < 0:
            break
        if piece == "&" and not open_ones:
            words.append("")
        else:
            words[-1] += piece
    if open_ones:
        raise PlayerError(f"{spec!r}: the parentheses do not match")
    return [word for word in words if word]


def _option(spec: str, word: str) -> tuple[str, str]:
    name, separator, value = word.partition("=")
    if not separator:
        raise PlayerError(f"{spec!r}: cannot read the option {word!r}; write name=value, with & between options")
    whole = value.startswith("(") and value.endswith(")")
    return name, value[1:-1] if whole else value


def _made(
    factory: Callable[..., Player], game: Variant, spec: str, options: dict[str, str], *checkpoint: Checkpoint
) -> Player:
    known = list(getattr(factory, "OPTIONS", ()))
    for name in options:
        if name not in known:
            remedy = suggestion(name, known) if known else "it has none"
            raise PlayerError(f"{spec!r} has no option {name!r}; {remedy}")
    return factory(game, spec, *checkpoint, **options)
