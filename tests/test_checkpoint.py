"""Checkpoints: one file of plain numbers that gives back exactly what was saved, or is refused by name."""

import dataclasses
import json
import os
import pickle
import re
import struct
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file
from safetensors.torch import save_file as save_torch_file

from sorry_env import CheckpointError, PlayerError, variant
from sorry_env.checkpoint import (
    checkpoint_of,
    load_checkpoint,
    save_checkpoint,
    write_atomically,
)
from sorry_env.players import make_player
from sorry_env.players.network import Network
from sorry_env.players.policy import Policy
from sorry_env.random import generators
from strategies import random_states

ROOT = Path(__file__).parents[1]
GAME = variant("tiny", 2)
RECORD = {"agent": "value_net", "games": 1000, "hidden": [8], "note": "Äpfel"}


def layers_of(*widths, seed=0):
    """Random layers of these widths."""
    rng = np.random.default_rng(seed)
    return tuple(
        (rng.normal(0, 0.3, (after, before)).astype(np.float32), rng.normal(0, 0.3, after).astype(np.float32))
        for before, after in pairwise(widths)
    )


def checkpoint(game=GAME, hidden=(8,), seed=0):
    return checkpoint_of("value", game, layers_of(game.num_features, *hidden, 1, seed=seed), RECORD)


@pytest.fixture
def path(tmp_path):
    """A file with a checkpoint of `GAME` in it."""
    saved = tmp_path / "player.safetensors"
    save_checkpoint(saved, checkpoint())
    return saved


def header_and_numbers(path):
    """The two parts of a safetensors file, read by hand: a JSON header behind its length, and numbers."""
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def altered(path, tensors=None, save=save_file, **changes):
    """Write the file anew with some things in the manifest changed, and perhaps with other tensors."""
    header, _ = header_and_numbers(path)
    manifest = json.loads(header["__metadata__"]["sorry_env"]) | changes
    layers = load_checkpoint(path).layers
    if tensors is None:
        tensors = {
            f"layers.{k}.{name}": part
            for k, layer in enumerate(layers)
            for name, part in zip(("weight", "bias"), layer, strict=True)
        }
    save(tensors, path, metadata={"sorry_env": json.dumps(manifest)})


def refused(path, message, game=GAME):
    """The file makes no player: an error that names the file and the fault."""
    with pytest.raises(CheckpointError, match=re.escape(message)) as caught:
        make_player(path, game)
    assert repr(str(path)) in str(caught.value)


# --- what is saved comes back


@pytest.mark.parametrize("hidden", [(), (1,), (64,), (8, 5, 3)])
def test_a_checkpoint_comes_back_exactly(tmp_path, kind, hidden):
    saved = checkpoint(variant(*kind), hidden)
    save_checkpoint(tmp_path / "a", saved)
    found = load_checkpoint(tmp_path / "a")
    for name in ("kind", "ruleset", "seats", "actions", "features", "training"):
        assert getattr(found, name) == getattr(saved, name)
    parts = [[part for layer in one.layers for part in layer] for one in (found, saved)]
    assert all(one.dtype == np.float32 and one.tobytes() == other.tobytes() for one, other in zip(*parts, strict=True))
    assert [one.shape for one in parts[0]] == [other.shape for other in parts[1]]


def test_extreme_weights_come_back_exactly(tmp_path):
    weight = np.array([[3.4028235e38, -1.1754944e-38, 1e-45, -0.0]], np.float32)
    saved = dataclasses.replace(checkpoint(), layers=((weight, np.zeros(1, np.float32)),))
    save_checkpoint(tmp_path / "a", saved)
    assert load_checkpoint(tmp_path / "a").layers[0][0].tobytes() == weight.tobytes()


def test_weights_in_another_order_of_memory_are_saved_as_they_are(tmp_path):
    ((weight, bias),) = layers_of(6, 4)
    turned = dataclasses.replace(checkpoint(), layers=((np.asfortranarray(weight), bias),))
    save_checkpoint(tmp_path / "a", turned)
    assert np.array_equal(load_checkpoint(tmp_path / "a").layers[0][0], weight)


def test_a_file_is_a_header_of_json_and_plain_numbers(path):
    header, numbers = header_and_numbers(path)
    manifest = json.loads(header.pop("__metadata__")["sorry_env"])
    assert sorted(header) == ["layers.0.bias", "layers.0.weight", "layers.1.bias", "layers.1.weight"]
    assert {part["dtype"] for part in header.values()} == {"F32"}
    assert len(numbers) == sum(4 * int(np.prod(part["shape"])) for part in header.values())
    assert manifest == {
        "format": 1,
        "kind": "value",
        "ruleset": "tiny",
        "seats": 2,
        "actions": GAME.actions.fingerprint,
        "features": GAME.features.fingerprint,
        "insights": "",
        "layers": [[8, GAME.num_features], [1, 8]],
        "training": RECORD,
    }


def test_others_may_read_the_file(path):
    assert path.stat().st_mode & 0o777 == 0o644


def test_folders_are_made_on_the_way(tmp_path):
    save_checkpoint(tmp_path / "new" / "folder" / "a", checkpoint())
    assert load_checkpoint(tmp_path / "new" / "folder" / "a").seats == 2


def test_a_pickle_is_never_opened(tmp_path):
    trap = tmp_path / "trap.safetensors"
    trap.write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    refused(trap, "is damaged or no safetensors file")
    torch.save({"weights": Trap(tmp_path / "sprung")}, trap)
    refused(trap, "is damaged or no safetensors file")
    assert not (tmp_path / "sprung").exists()


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


# --- playing it

WITHOUT_TORCH = """
import sys
for name in ("torch", "matplotlib", "yaml", "tqdm", "stable_baselines3"):
    sys.modules[name] = None
from sorry_env import sorry_v0
from sorry_env.players import make_player
env = sorry_v0.env("tiny", 2)
player = make_player(sys.argv[1], env.unwrapped.variant)
env.reset(seed=1)
actions = []
while env.agents:
    over = env.terminations[env.agent_selection]
    actions.append(None if over else env.unwrapped.ask(player))
    env.step(actions[-1])
print(actions)
"""


def test_a_checkpoint_plays_without_torch(path):
    command = [sys.executable, "-c", WITHOUT_TORCH, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    actions = json.loads(done.stdout.replace("None", "null"))
    assert len(actions) > 20
    assert actions[-2:] == [None, None]


def forward(layers, features):
    """The net in torch."""
    x = torch.from_numpy(features)
    for k, (weight, bias) in enumerate(layers):
        x = torch.nn.functional.linear(x, torch.from_numpy(weight), torch.from_numpy(bias))
        x = torch.relu(x) if k < len(layers) - 1 else x
    return torch.tanh(x[:, 0]).numpy()


@pytest.mark.parametrize("hidden", [(), (16,), (32, 8)])
def test_a_network_gives_what_torch_gives(kind, hidden):
    game = variant(*kind)
    found = checkpoint(game, hidden, seed=4)
    ends, _ = game.turn_ends(random_states(game, 400))
    states = ends[game.chance_due(ends)]  # where somebody decides a net looks at what that leads to
    seats = np.arange(len(states)) % game.seats
    scores = Network(game, "net", found).scores(states, seats)
    assert scores == pytest.approx(forward(found.layers, game.encode(states, seats)), abs=1e-5)
    assert scores.std() > 0.02


def test_a_network_values_the_end_of_a_game_exactly(kind):
    game = variant(*kind, turn_limit=50)
    states = random_states(game, 3 * game.seats)
    seats = np.repeat(np.arange(game.seats), 3)
    states["over"], states["winners"] = (
        1,
        np.tile([0b101, 0b1010, 0] if game.ruleset.partners else [1, 2, 0], game.seats),
    )
    expected = game.returns(states)[np.arange(len(seats)), seats]
    assert Network(game, "net", checkpoint(game)).scores(states, seats).tolist() == expected.tolist()
    assert set(expected) == {1.0, -1.0 if game.ruleset.partners else -1.0 / (game.seats - 1), 0.0}


def test_a_network_wins_when_it_can():
    states = np.repeat(variant("tiny", 2).new_states(1), 50)
    states["pawns"], states["turns"], states["pile"] = 66, 9, GAME.ruleset.counts
    states["pawns"][:, 0, 0], states["pawns"][:, 1, 0], states["due"] = 55, 7, 7  # a 10: Home, or one back
    for seed in range(20):
        player = Network(GAME, "net", checkpoint(seed=seed))
        chosen = player.choose(states, generators(1, 50))
        assert {str(GAME.actions[action]) for action in chosen} == {"10: pawn 0 +10"}


def test_a_network_takes_the_afterstate_that_it_values_most(kind):
    game = variant(*kind)
    player, states = Network(game, "net", checkpoint(game)), random_states(game, 40, seed=8)
    chosen = player.choose(states, generators(1, 40))
    for i, action in enumerate(chosen):
        after, actions, _ = game.afterstates(states[i : i + 1])
        values = player.scores(after, np.full(len(after), states[i]["seat"]))
        assert values[actions.tolist().index(action)] == pytest.approx(values.max(), abs=1e-6)


# --- files that are no checkpoint for the game


def test_a_missing_file_is_named(tmp_path):
    refused(tmp_path / "nowhere.safetensors", "there is no checkpoint")


def test_a_folder_is_no_checkpoint(tmp_path):
    (tmp_path / "a.safetensors").mkdir()
    refused(tmp_path / "a.safetensors", "there is no checkpoint")


@pytest.mark.parametrize("content", [b"", b"\0" * 8, b"\xff" * 100, b"not a checkpoint\n" * 50, b"{}" * 40])
def test_an_empty_file_and_garbage_are_no_checkpoints(path, content):
    path.write_bytes(content)
    refused(path, "is damaged or no safetensors file")


def test_a_file_that_was_cut_off_is_no_checkpoint(path):
    whole = path.read_bytes()
    for length in [*range(0, len(whole), 61), *range(12), *range(len(whole) - 12, len(whole))]:
        path.write_bytes(whole[:length])
        refused(path, "is damaged or no safetensors file")


def test_a_file_with_something_behind_it_is_no_checkpoint(path):
    path.write_bytes(path.read_bytes() + b"more")
    refused(path, "is damaged or no safetensors file")


def test_a_safetensors_file_of_something_else_is_no_checkpoint(path):
    for metadata in (None, {"format": "pt"}):
        save_torch_file({"weight": torch.zeros(3, dtype=torch.bfloat16)}, path, metadata=metadata)
        refused(path, "is a safetensors file, but not a checkpoint of sorry_env")


@pytest.mark.parametrize("number", [0, 2, "1", None, [1]])
def test_another_format_is_refused_with_both_numbers(path, number):
    altered(path, format=number)
    refused(path, f"has checkpoint format {number}; this version of sorry_env reads 1")


@pytest.mark.parametrize("manifest", ["", "{", "[]", "5", "null", "{}", "[" * 100_000, '{"format": 1}'])
def test_a_damaged_manifest_is_refused(path, manifest):
    save_file({"layers.0.weight": np.zeros((1, 3), np.float32)}, path, metadata={"sorry_env": manifest})
    refused(path, "has a damaged manifest")


@pytest.mark.parametrize("name", ["kind", "ruleset", "seats", "actions", "features", "layers", "format"])
def test_a_manifest_that_lacks_something_is_refused(path, name):
    layers = load_checkpoint(path).layers
    manifest = json.loads(header_and_numbers(path)[0]["__metadata__"]["sorry_env"])
    del manifest[name]
    tensors = {f"layers.{k}.weight": weight for k, (weight, _) in enumerate(layers)}
    tensors |= {f"layers.{k}.bias": bias for k, (_, bias) in enumerate(layers)}
    save_file(tensors, path, metadata={"sorry_env": json.dumps(manifest)})
    refused(path, f"has a damaged manifest: KeyError('{name}')")


def test_another_kind_of_net_is_refused(path):
    altered(path, kind="world model")
    refused(path, "is a 'world model' checkpoint; this version plays value, policy")


def test_a_net_of_one_kind_is_not_taken_for_the_other():
    value, policy = checkpoint(), dataclasses.replace(checkpoint(), kind="policy")
    with pytest.raises(CheckpointError, match="'net' is a 'policy' checkpoint; this player takes 'value'"):
        Network(GAME, "net", policy)
    with pytest.raises(CheckpointError, match="'net' is a 'value' checkpoint; this player takes 'policy'"):
        Policy(GAME, "net", value)


# --- policies


def policy(game=GAME, hidden=(8,), seed=0):
    return checkpoint_of("policy", game, layers_of(game.num_features, *hidden, game.num_actions, seed=seed))


@pytest.mark.parametrize("hidden", [(), (16,), (32, 8)])
def test_a_policy_chooses_what_torch_likes_best_of_the_legal_actions(kind, hidden):
    game = variant(*kind)
    found, states = policy(game, hidden, seed=3), random_states(game, 200)
    x = torch.from_numpy(game.encode(states))
    for k, (weight, bias) in enumerate(found.layers):
        x = torch.nn.functional.linear(x, torch.from_numpy(weight), torch.from_numpy(bias))
        x = torch.relu(x) if k < len(found.layers) - 1 else x
    logits = np.where(game.legal_mask(states), x.numpy(), -np.inf)
    chosen = Policy(game, "policy", found).choose(states, generators(1, 200))
    assert logits[np.arange(200), chosen] == pytest.approx(logits.max(axis=1), abs=1e-5)
    assert (game.legal_counts(states) > 1).sum() > 10


def test_a_policy_comes_back_and_plays_without_torch(tmp_path):
    path = tmp_path / "player.safetensors"
    save_checkpoint(path, policy())
    player = make_player(path, GAME)
    assert type(player) is Policy
    assert all(
        (a == b).all()
        for one, other in zip(player.layers, policy().layers, strict=True)
        for a, b in zip(one, other, strict=True)
    )
    command = [sys.executable, "-c", WITHOUT_TORCH, f"{path}?temperature=1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout.replace("None", "null"))) > 20


@pytest.mark.parametrize("width", [0, 1, GAME.num_actions - 1, GAME.num_actions + 1])
def test_a_policy_has_a_logit_for_each_action(tmp_path, width):
    path = tmp_path / "player.safetensors"
    save_checkpoint(path, checkpoint_of("policy", GAME, layers_of(GAME.num_features, 4, width)))
    refused(path, f"gives {width} numbers, a policy gives one for each of 26 actions")


def test_options_are_those_of_the_kind_of_net(tmp_path, path):
    policies = tmp_path / "policy.safetensors"
    save_checkpoint(policies, policy())
    with pytest.raises(PlayerError, match="has no option 'temperature'; it has none"):
        make_player(f"{path}?temperature=1", GAME)
    with pytest.raises(PlayerError, match="has no option 'temperatur'; did you mean 'temperature'"):
        make_player(f"{policies}?temperatur=1", GAME)


@pytest.mark.parametrize(("name", "value"), [("actions", "0" * 16), ("features", "0" * 16), ("features", None)])
def test_other_fingerprints_are_refused_with_the_remedy(path, name, value):
    altered(path, **{name: value})
    refused(path, f"was made by a version of sorry_env with other {name}, {value}; ")
    refused(path, f"has {getattr(GAME, name).fingerprint}; train it again")


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (variant("tiny", 3), "not for tiny with 3 seats"),
        (variant("classic", 2), "not for classic with 2 seats"),
        (variant("tiny", 2, turn_limit=9), "not for tiny(turn_limit=9) with 2 seats"),
        (variant("tiny", 2, deck=44), "not for tiny(deck=44) with 2 seats"),
    ],
)
def test_another_game_is_refused_with_both_names(path, game, words):
    refused(path, f"was made for tiny with 2 seats, {words}; use one trained for that game", game)


def test_other_colours_are_the_same_game(path):
    game = variant("tiny", ["blue", "green"])
    states = random_states(game, 20)
    actions = make_player(path, game).choose(states, generators(1, 20))
    assert game.legal_mask(states)[np.arange(20), actions].all()


# --- layers that do not fit


def with_layers(path, *shapes, dtype=np.float32, **changes):
    """Write the file with layers of these (weight, bias) shapes."""
    tensors = {}
    for k, (weight, bias) in enumerate(shapes):
        tensors |= {f"layers.{k}.weight": np.zeros(weight, dtype), f"layers.{k}.bias": np.zeros(bias, dtype)}
    altered(path, tensors, **({"layers": [list(weight) for weight, _ in shapes]} | changes))


F = GAME.num_features


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ([], "holds no layers"),
        ([((8, F), (8,)), ((1, 9), (1,))], "layer 0 gives 8 numbers, the next takes 9"),
        ([((8, F), (7,)), ((1, 8), (1,))], "layer 0 has shape (8, 150), its plan says [8, 150]"),
        ([((8, F), (8, 1)), ((1, 8), (1,))], "layer 0 has shape"),
        ([((1, F + 1), (1,))], f"takes {F + 1} features, tiny with 2 seats has {F}"),
        ([((2, F), (2,))], "gives 2 numbers, a value net gives one"),
        ([((0, F), (0,))], "gives 0 numbers, a value net gives one"),
        ([((F,), (1,))], "layer 0 has shape"),
        ([((), (1,))], "layer 0 has shape"),
        ([((1, F, 1), (1,))], "layer 0 has shape"),
    ],
)
def test_layers_that_do_not_fit_are_refused(path, shapes, message):
    with_layers(path, *shapes)
    refused(path, message)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ([[8, F]], "gives 8 numbers, a value net gives one"),
        ([[8, F], [1, 8], [1, 1]], "has a damaged manifest: KeyError('layers.2.weight')"),
        ([[F, 8], [8, 1]], f"layer 0 has shape (8, {F}), its plan says [{F}, 8]"),
        ([5, 5], "its plan says 5"),
        (["ab"], "its plan says ab"),
        (5, "has a damaged manifest"),
        (None, "has a damaged manifest"),
    ],
)
def test_layers_that_are_not_as_planned_are_refused(path, plan, message):
    altered(path, layers=plan)
    refused(path, message)


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.float16, np.complex64])
def test_weights_of_another_kind_are_refused(path, dtype):
    with_layers(path, ((1, F), (1,)), dtype=dtype)
    refused(path, "instead of float32")


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float8_e4m3fn])
def test_weights_of_a_kind_that_numpy_lacks_are_refused(path, dtype):
    tensors = {"layers.0.weight": torch.zeros(1, F, dtype=dtype), "layers.0.bias": torch.zeros(1)}
    altered(path, tensors, save=save_torch_file, layers=[[1, F]])
    refused(path, "holds weights that are not float32")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("which", [0, 1])
def test_weights_that_are_not_finite_are_refused(path, value, which):
    found = checkpoint()
    found.layers[1][which].flat[0] = value
    save_checkpoint(path, found)
    refused(path, "holds weights that are not finite")


# --- saving that is interrupted


class Cut:
    """A file whose writing ends half way."""

    def __init__(self, file, error):
        self.file, self.error = file, error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, content):
        self.file.write(content[: len(content) // 2])
        self.file.flush()
        raise self.error


def failing(error):
    def fail(*_, **__):
        raise error

    return fail


@pytest.mark.parametrize("error", [OSError("no space left"), KeyboardInterrupt()], ids=["full", "interrupted"])
@pytest.mark.parametrize("where", ["fdopen", "chmod", "replace"])
def test_an_interrupted_save_leaves_the_old_file_and_nothing_else(path, monkeypatch, where, error):
    before, fdopen = path.read_bytes(), os.fdopen
    cut = {"fdopen": lambda *arguments: Cut(fdopen(*arguments), error)}
    with monkeypatch.context() as patch:
        patch.setattr(os, where, cut.get(where, failing(error)))
        with pytest.raises(type(error)):
            save_checkpoint(path, checkpoint(seed=1))
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]
    save_checkpoint(path, checkpoint(seed=1))
    assert path.read_bytes() != before


def test_a_first_save_that_is_interrupted_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "replace", failing(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        save_checkpoint(tmp_path / "a", checkpoint())
    assert os.listdir(tmp_path) == []


def test_a_file_is_replaced_in_one_step(tmp_path, monkeypatch):
    replace, seen = os.replace, []

    def watched(source, target):
        seen.append((Path(source).parent, Path(source).read_bytes(), Path(target).read_bytes()))
        replace(source, target)

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(os, "replace", watched)
    write_atomically(tmp_path / "a", b"new")
    assert seen == [(tmp_path, b"new", b"old")]
    assert (tmp_path / "a").read_bytes() == b"new"
