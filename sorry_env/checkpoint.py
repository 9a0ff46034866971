"""Checkpoints: one safetensors file with the weights, and a manifest in its header. Nothing in it is ever executed.

The manifest says what the weights are for: the ruleset and seats, fingerprints of the action and feature tables, the
plan of the layers, and how they were trained. A file that does not fit the game at hand is refused, with the reason.
"""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from sorry_env.errors import CheckpointError
from sorry_env.variant import Variant

FORMAT = 1
"""Number of the file format; a reader refuses others."""
_KEY = "sorry_env"
KINDS = ("value", "policy")
"""What the outputs mean: value, the expected return before the hyperbolic tangent, of who looks at an afterstate;
policy, a logit for each action, of who is to move."""

Layer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Checkpoint:
    """A net and what it is for.

    Attributes:
        kind: one of `KINDS`.
        ruleset: the ruleset as text, as in `classic(deck=44)`.
        seats: how many seats.
        actions: fingerprint of the action table.
        features: fingerprint of the feature table.
        insights: fingerprint of the table of insights, for a net that is shown them; else empty.
        layers: each layer's (outputs, inputs) weights and (outputs,) biases, float32.
        training: the training record, any JSON.
    """

    kind: str
    ruleset: str
    seats: int
    actions: str
    features: str
    layers: tuple[Layer, ...]
    training: Mapping[str, Any] = field(default_factory=dict)
    insights: str = ""

    @property
    def inputs(self) -> int:
        """How many numbers the net is shown."""
        return int(self.layers[0][0].shape[1])


def checkpoint_of(
    kind: str, game: Variant, layers: tuple[Layer, ...], training: Mapping[str, Any] | None = None
) -> Checkpoint:
    """A checkpoint of layers that were trained for a variant; with insights if their inputs are as many."""
    prints = game.actions.fingerprint, game.features.fingerprint
    insights = game.insights.fingerprint if layers[0][0].shape[1] > game.num_features else ""
    return Checkpoint(kind, str(game.ruleset), game.seats, *prints, layers, dict(training or {}), insights)


def save_checkpoint(path: str | Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint under a temporary name and rename it, so that no half file is ever seen."""
    manifest = {
        "format": FORMAT,
        "kind": checkpoint.kind,
        "ruleset": checkpoint.ruleset,
        "seats": checkpoint.seats,
        "actions": checkpoint.actions,
        "features": checkpoint.features,
        "insights": checkpoint.insights,
        "layers": [list(weight.shape) for weight, _ in checkpoint.layers],
        "training": dict(checkpoint.training),
    }
    tensors = {}
    for k, (weight, bias) in enumerate(checkpoint.layers):
        tensors[f"layers.{k}.weight"] = np.ascontiguousarray(weight, np.float32)
        tensors[f"layers.{k}.bias"] = np.ascontiguousarray(bias, np.float32)
    write_atomically(path, save(tensors, metadata={_KEY: json.dumps(manifest)}))


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write a file under a temporary name beside it, and rename that."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def load_checkpoint(path: str | Path) -> Checkpoint:
    """Read a checkpoint.

    Raises:
        CheckpointError: there is no such file, or it is damaged, foreign or of another format.
    """
    if not Path(path).is_file():
        raise CheckpointError(f"there is no checkpoint {str(path)!r}")
    try:
        with safe_open(str(path), framework="numpy") as file:
            metadata = file.metadata() or {}
            _check_manifest(str(path), metadata)
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{str(path)!r} is damaged or no safetensors file: {error}") from error
    except (TypeError, AttributeError) as error:  # a kind of numbers that NumPy lacks
        raise CheckpointError(f"{str(path)!r} holds weights that are not float32: {error}") from error
    return _parsed(str(path), metadata, tensors)


def _check_manifest(path: str, metadata: Mapping[str, str]) -> None:
    if _KEY not in metadata:
        raise CheckpointError(f"{path!r} is a safetensors file, but not a checkpoint of sorry_env: it has no manifest")


def _parsed(path: str, metadata: Mapping[str, str], tensors: Mapping[str, npt.NDArray[Any]]) -> Checkpoint:
    try:
        manifest = json.loads(metadata[_KEY])
        number = manifest["format"]
        if number != FORMAT:
            raise CheckpointError(f"{path!r} has checkpoint format {number}; this version of sorry_env reads {FORMAT}")
        layers = tuple(_layer(tensors, k, shape) for k, shape in enumerate(manifest["layers"]))
        names = ("kind", "ruleset", "seats", "actions", "features")
        found = Checkpoint(
            **{name: manifest[name] for name in names},
            layers=layers,
            training=manifest.get("training", {}),
            insights=manifest.get("insights", ""),
        )
    except (json.JSONDecodeError, RecursionError, KeyError, TypeError, IndexError) as error:
        raise CheckpointError(f"{path!r} has a damaged manifest: {error!r}") from error
    _check_chain(path, found.layers)
    return found


def _layer(tensors: Mapping[str, npt.NDArray[Any]], k: int, shape: list[int]) -> Layer:
    weight, bias = tensors[f"layers.{k}.weight"], tensors[f"layers.{k}.bias"]
    if list(weight.shape) != shape or weight.ndim != 2 or bias.shape != (shape[0],):
        raise TypeError(f"layer {k} has shape {weight.shape}, its plan says {shape}")
    if not weight.dtype == bias.dtype == np.float32:
        raise TypeError(f"layer {k} holds {weight.dtype} and {bias.dtype} instead of float32")
    return weight, bias


def _check_chain(path: str, layers: tuple[Layer, ...]) -> None:
    """Each layer takes what the one before gives, and all numbers are finite."""
    if not layers:
        raise CheckpointError(f"{path!r} holds no layers")
    for k, ((before, _), (after, _)) in enumerate(pairwise(layers)):
        if before.shape[0] != after.shape[1]:
            raise CheckpointError(
                f"{path!r}: layer {k} gives {before.shape[0]} numbers, the next takes {after.shape[1]}"
            )
    if not all(np.isfinite(part).all() for layer in layers for part in layer):
        raise CheckpointError(f"{path!r} holds weights that are not finite")


def check_fits(path: str, found: Checkpoint, game: Variant, kind: str) -> None:
    """Raise CheckpointError unless a checkpoint is of a kind and was made for this ruleset and seat count."""
    made_for = f"{found.ruleset} with {found.seats} seats"
    asked = f"{game.ruleset} with {game.seats} seats"
    if found.kind != kind:
        raise CheckpointError(f"{path!r} is a {found.kind!r} checkpoint; this player takes {kind!r}")
    if (found.ruleset, found.seats) != (str(game.ruleset), game.seats):
        raise CheckpointError(f"{path!r} was made for {made_for}, not for {asked}; use one trained for that game")
    if found.features != game.features.fingerprint:
        raise CheckpointError(
            f"{path!r} was made by a version of sorry_env with other features, {found.features}; "
            f"here {asked} has {game.features.fingerprint}; train it again"
        )
    if found.actions != game.actions.fingerprint:
        raise CheckpointError(
            f"{path!r} was made by a version of sorry_env with other actions, {found.actions}; "
            f"here {asked} has {game.actions.fingerprint}; train it again"
        )
    if found.insights and (kind != "value" or found.insights != game.insights.fingerprint):
        raise CheckpointError(
            f"{path!r} was made by a version of sorry_env with other insights, {found.insights}; "
            f"here {asked} has {game.insights.fingerprint}; train it again"
        )
    inputs = game.num_features + (game.insights.width if found.insights else 0)
    if found.inputs != inputs:
        raise CheckpointError(f"{path!r} takes {found.inputs} features, {asked} has {inputs}")
    _check_outputs(path, found, game)


def _check_outputs(path: str, found: Checkpoint, game: Variant) -> None:
    """A value net gives one number, a policy one for each action."""
    given = found.layers[-1][0].shape[0]
    if found.kind == "value" and given != 1:
        raise CheckpointError(f"{path!r} gives {given} numbers, a value net gives one")
    if found.kind == "policy" and given != game.num_actions:
        raise CheckpointError(
            f"{path!r} gives {given} numbers, a policy gives one for each of {game.num_actions} actions"
        )
