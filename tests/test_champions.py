"""The players that come with the package."""

import pytest

from agents.arena import entrants, play_match
from agents.ledger import Ledger
from agents.runs import read_config
from sorry_env import variant
from sorry_env.checkpoint import load_checkpoint
from sorry_env.errors import PlayerError
from sorry_env.players import make_player
from sorry_env.players.champion import FOLDER, champions
from sorry_env.rulesets import RULESETS

CONFIGS = FOLDER.parents[1] / "configs" / "champions"


def game_of(name):
    ruleset, _, seats = name.rpartition("-")
    return variant(ruleset, int(seats))


def test_there_are_champions_and_configurations_for_all():
    assert {"classic-2", "classic-3", "classic-4"} <= set(champions())
    made = {path.stem for path in CONFIGS.glob("*.yaml")}
    assert set(champions()) <= made
    assert {name.rpartition("-")[0] for name in made} == set(RULESETS) - {"toy_race"}


@pytest.mark.parametrize("name", champions())
def test_a_champion_fits_its_game_says_how_it_was_trained_and_is_small(name):
    game, path = game_of(name), FOLDER / f"{name}.safetensors"
    player = make_player("champion", game)
    assert (player.game, player.spec) == (game, "champion")
    assert path.stat().st_size < 300_000
    training, config = load_checkpoint(path).training, read_config(CONFIGS / f"{name}.yaml")
    assert (training["seed"], training["rollouts"], tuple(training["hidden"])) == (
        config.seed,
        config.rollouts,
        config.hidden,
    )


@pytest.mark.parametrize("name", champions())
def test_a_champion_beats_uniform_play(name):
    game, deals = game_of(name), 400 if name == "tiny-2" else 100  # with one pawn there is little to choose
    result = play_match(game, entrants(game, make_player("champion", game), make_player("uniform", game)), deals, 5)
    assert result.win_rates[0] - result.half_widths[0] > 1 / result.sides


def test_a_search_may_end_in_a_champion():
    game = variant("classic", 2)
    result = play_match(game, [make_player("search?leaf=champion", game), make_player("uniform", game)], 40, 5)
    assert result.win_rates[0] > 0.7


@pytest.mark.parametrize("game", [variant("classic", 2, deck=44), variant("tiny", 3)])
def test_games_without_a_champion_say_which_have_one(game):
    with pytest.raises(PlayerError, match=r"seats has no champion; .*give the path of its checkpoint"):
        make_player("champion", game)


def test_a_ledger_tells_champions_apart(tmp_path, monkeypatch):
    with Ledger(tmp_path / "one.sqlite") as ledger:
        before = ledger.identify("search?leaf=champion")
    for path in FOLDER.glob("*.safetensors"):
        (tmp_path / path.name).write_bytes(path.read_bytes() + b" ")
    monkeypatch.setattr("agents.ledger.FOLDER", tmp_path)
    with Ledger(tmp_path / "two.sqlite") as ledger:
        assert ledger.identify("search?leaf=champion") != before
