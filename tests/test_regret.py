"""What mistakes cost: by samples what the exact solution says without."""

import json
import sys

import numpy as np
import pytest

from agents.regret import regrets
from sorry_env import PlayerError, variant
from sorry_env.players import make_player
from test_exact import ROOT, script

GAME = variant("classic", 2, pawns=1, replacement=True)
KNOWN = json.loads((ROOT / "docs" / "exact.json").read_text())["players"]


@pytest.mark.parametrize("spec", ["uniform", "greedy", "race"])
def test_on_average_it_is_what_is_lost_to_the_optimum(spec):
    told = []
    found = regrets(GAME, make_player(spec, GAME), 20_000, 1, told.append)
    assert len(found) == sum(told) == 20_000
    assert found.min() >= 0
    lost, deviation = 0.5 - KNOWN[f"{spec}, 1 pawn"]["wins"], found.std() / np.sqrt(len(found))
    assert found.mean() == pytest.approx(lost, abs=4 * deviation)
    assert 4 * deviation < lost


def test_the_optimum_has_none_and_the_same_seed_gives_the_same():
    runs = [
        regrets(GAME, make_player(spec, GAME), 200, seed, int) for spec, seed in (("optimal", 1), ("uniform", 2)) * 2
    ]
    assert runs[0].max() < 1e-6
    assert runs[1].tolist() == runs[3].tolist()
    assert len(set(runs[1].tolist())) > 100


@pytest.mark.parametrize(
    ("game", "words"),
    [(variant("classic", 3), "optimal"), (variant("classic", 2, pawns=1), "not solved exactly; one or two pawns each")],
)
def test_a_game_that_is_not_solved_is_refused(game, words):
    with pytest.raises(PlayerError, match=words):
        regrets(game, make_player("uniform", game), 10, 1, int)


def run(monkeypatch, *options):
    monkeypatch.setattr(sys, "argv", ["regret.py", *options])
    return script("regret").main()


def test_the_script_has_a_line_for_each_player_and_names_mistakes(monkeypatch, capsys):
    assert run(monkeypatch, "greedy", "optimal", "--pawns", "1", "--games", "500") == 0
    one, other = capsys.readouterr().out.splitlines()
    assert one.startswith("greedy loses 0.")
    assert other == "optimal loses 0.0000 ± 0.0000 points a game to the optimum in 500 games"
    assert run(monkeypatch, "greedi", "--pawns", "1") == 2
    assert capsys.readouterr().err.startswith("regret: ")
    with pytest.raises(SystemExit):
        run(monkeypatch, "greedy", "--games", "0")
    assert "--games" in capsys.readouterr().err
