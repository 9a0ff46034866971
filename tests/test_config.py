"""Configuration files: what they may hold, what they become, and what is said about the rest."""

import dataclasses
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from agents.config import ConfigError, as_yaml, config_from, read_yaml
from agents.ppo import PPOConfig
from agents.runs import TRAINERS, read_config
from agents.value_net import ValueNetConfig
from sorry_env import SorryError, ruleset, variant
from sorry_env.players import make_player

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "configs").rglob("*.y*ml"))
DEFAULT = ValueNetConfig()


@dataclass(frozen=True)
class Sample:
    """A field of every type that configurations use."""

    name: str = "a"
    count: int = 1
    rate: float = 0.5
    switch: bool = False
    widths: tuple[int, ...] = (1, 2)
    seats: int | tuple[str, ...] = 2
    limit: int | None = None
    changes: dict[str, Any] = field(default_factory=dict)


def written(tmp_path, text):
    path = tmp_path / "some.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# --- the files that we ship


def test_there_are_configurations():
    assert "demo.yaml" in [path.name for path in FILES]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_configuration_can_be_run(path):
    config = read_config(path)
    game = variant(ruleset(config.ruleset, **config.changes), config.seats)
    specs = [*config.opponents, *getattr(config, "scripted", ())]
    assert [make_player(spec, game).spec for spec in specs] == specs


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_configuration_says_which_trainer_reads_it(path):
    assert read_yaml(path)["agent"] in TRAINERS


@pytest.mark.parametrize(("agent", "kind"), [("value_net", ValueNetConfig), ("ppo", PPOConfig)])
def test_a_file_is_read_for_the_trainer_that_it_names(tmp_path, agent, kind):
    assert read_config(written(tmp_path, f"agent: {agent}")) == kind()
    with pytest.raises(ConfigError, match="unknown key 'lanse'; did you mean 'lanes'"):
        read_config(written(tmp_path, f"agent: {agent}\nlanse: 4"))
    with pytest.raises(ConfigError, match=f"unknown agent '{agent}s' in .*; known are value_net, ppo"):
        read_config(written(tmp_path, f"agent: {agent}s"))


def test_a_key_of_another_trainer_is_unknown(tmp_path):
    with pytest.raises(ConfigError, match="unknown key 'trace'"):
        read_config(written(tmp_path, "agent: ppo\ntrace: 0.5"))


# --- values


def test_what_a_file_leaves_out_keeps_its_default():
    assert config_from(Sample, {}) == Sample()
    assert config_from(Sample, {"count": 3}) == Sample(count=3)


def test_lists_become_tuples_and_whole_numbers_floats():
    made = config_from(Sample, {"widths": [3, 4, 5], "seats": ["red", "blue"], "rate": 1})
    assert made == Sample(widths=(3, 4, 5), seats=("red", "blue"), rate=1.0)
    assert type(made.rate) is float
    assert config_from(Sample, {"widths": []}).widths == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seats", 3),
        ("seats", ["red"]),
        ("limit", None),
        ("limit", 4),
        ("changes", {"deck": 44}),
        ("switch", True),
    ],
)
def test_each_type_of_a_field_is_taken(name, value):
    assert getattr(config_from(Sample, {name: value}), name) == (tuple(value) if type(value) is list else value)


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("name", 5, "str"),
        ("name", None, "str"),
        ("count", "5", "int"),
        ("count", 5.0, "int"),
        ("count", True, "int"),
        ("rate", "2e-3", "float"),
        ("rate", True, "float"),
        ("rate", None, "float"),
        ("switch", 1, "bool"),
        ("switch", "yes", "bool"),
        ("widths", 64, "tuple[int, ...]"),
        ("widths", ["64"], "tuple[int, ...]"),
        ("widths", [1, 2.5], "tuple[int, ...]"),
        ("widths", [True], "tuple[int, ...]"),
        ("widths", "12", "tuple[int, ...]"),
        ("seats", "red", "int | tuple[str, ...]"),
        ("seats", [1, 2], "int | tuple[str, ...]"),
        ("seats", True, "int | tuple[str, ...]"),
        ("limit", "none", "int | None"),
        ("changes", ["deck"], "dict[str, typing.Any]"),
        ("changes", {1: 2}, "dict[str, typing.Any]"),
    ],
)
def test_a_value_of_another_type_is_named_with_the_type_expected(name, value, wanted):
    with pytest.raises(ConfigError, match=f"^{re.escape(f'{name} is {value!r}: expected {wanted}')}$"):
        config_from(Sample, {name: value})


@pytest.mark.parametrize(
    ("key", "remedy"),
    [("withs", "did you mean 'widths'?"), ("zzz", "known are: 'name', 'count', "), (7, "known are: 'name'")],
)
def test_an_unknown_key_is_named_with_those_that_are_known(key, remedy):
    with pytest.raises(ConfigError, match=re.escape(f"unknown key {key!r}; {remedy}")):
        config_from(Sample, {"count": 2, key: 1})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"lanes": 0}, "lanes is 0: expected more than 0"),
        ({"rollouts": -1}, "rollouts is -1: expected more than 0"),
        ({"batch": 0}, "batch is 0: expected more than 0"),
        ({"evaluate_every": 0}, "evaluate_every is 0: expected more than 0"),
        ({"evaluation_deals": 0}, "evaluation_deals is 0: expected more than 0"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0: expected more than 0"),
        ({"learning_rate": float("nan")}, "learning_rate is nan: expected more than 0"),
        ({"learning_rate": float("inf")}, "learning_rate is inf: expected more than 0"),
        ({"trace": 1.5}, "trace is 1.5: expected 0 to 1"),
        ({"averaging": -0.1}, "averaging is -0.1: expected 0 to 1"),
        ({"steps": 1}, "steps is 1: expected 2 or more"),
        ({"hidden": [64, 0]}, "hidden is [64, 0]: expected widths of 1 or more"),
        ({"seed": -1}, "seed is -1: expected 0 or more"),
        ({"lanes": 8, "steps": 8, "batch": 57}, "batch is 57, more than a rollout's 8 lanes of 8 steps"),
    ],
)
def test_numbers_with_which_nothing_is_learnt_are_refused(values, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        config_from(ValueNetConfig, values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rollouts": 0}, "rollouts is 0: expected more than 0"),
        ({"epochs": 0}, "epochs is 0: expected more than 0"),
        ({"clip": 0.0}, "clip is 0.0: expected more than 0"),
        ({"gamma": 1.1}, "gamma is 1.1: expected 0 to 1"),
        ({"gae_lambda": -0.5}, "gae_lambda is -0.5: expected 0 to 1"),
        ({"scripted": []}, "scripted_share is 0.25, but scripted names no player"),
        ({"entropy": float("nan")}, "entropy is nan: expected 0 or more"),
        ({"hidden": [0]}, "hidden is [0]: expected widths of 1 or more"),
        ({"batch": 1000}, "batch is 1000: expected a divisor of 64 lanes of 128 steps"),
        ({"batch": 1}, "batch is 1: expected a divisor"),
        ({"seed": -1}, "seed is -1: expected 0 or more"),
    ],
)
def test_numbers_with_which_ppo_learns_nothing_are_refused(values, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        config_from(PPOConfig, values)


# --- files


def test_a_file_is_a_mapping_of_plain_values(tmp_path):
    path = written(tmp_path, "ruleset: tiny  # comment\nhidden: [8]\nchanges: {pawns: 1}\n")
    assert read_yaml(path) == {"ruleset": "tiny", "hidden": [8], "changes": {"pawns": 1}}


@pytest.mark.parametrize("text", ["a: [1", "a: b: c", "\ta: 1", "{", b"\xff\xfe\x00a", b"\x00\x01", b"a: \xe4"])
def test_what_is_not_yaml_is_refused_in_one_line(tmp_path, text):
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        read_yaml(path)
    assert str(caught.value).startswith(f"{str(path)!r} is not YAML: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("text", "found"), [("", "NoneType"), ("- a", "list"), ("tiny", "str"), ("5", "int")])
def test_what_is_no_mapping_is_refused(tmp_path, text, found):
    with pytest.raises(ConfigError, match=f"holds {found}, expected keys with values"):
        read_yaml(written(tmp_path, text))


@pytest.mark.parametrize("name", ["nowhere.yaml", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    with pytest.raises(ConfigError, match=f"cannot read the configuration '{re.escape(str(tmp_path / name))}': "):
        read_yaml(tmp_path / name)


def test_a_file_cannot_make_objects(tmp_path):
    path = written(tmp_path, "a: !!python/object/apply:os.getcwd []")
    with pytest.raises(ConfigError, match="is not YAML"):
        read_yaml(path)


def test_a_mistake_in_a_configuration_is_one_of_ours():
    assert issubclass(ConfigError, SorryError)


# --- and back


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"seats": ("blue", "green"), "hidden": (), "changes": {"deck": 44, "turn_limit": None}},
        {"opponents": ("heuristic?without=danger",), "learning_rate": 1e-9, "trace": 1.0, "seed": 2**70},
    ],
)
def test_a_configuration_written_out_reads_back_the_same(tmp_path, changes):
    config = dataclasses.replace(DEFAULT, **changes)
    text = as_yaml(config)
    assert config_from(ValueNetConfig, read_yaml(written(tmp_path, text))) == config
    assert list(yaml.safe_load(text)) == [part.name for part in dataclasses.fields(config)]


def test_a_configuration_of_ppo_written_out_reads_back_the_same(tmp_path):
    config = PPOConfig(scripted=(), scripted_share=0.0, hidden=(16, 8), seats=("red", "blue"))
    assert read_config(written(tmp_path, as_yaml(config))) == config
