"""Golden transcripts: a game of each ruleset and number of seats, in words."""

import pytest

from scripts import golden

NAMES = golden.names()


def test_there_is_a_transcript_for_every_ruleset_and_number_of_seats_and_no_stray_one():
    assert sorted(path.name for path in golden.FOLDER.iterdir()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_game_is_still_played_as_in_the_transcript(name):
    expected = (golden.FOLDER / name).read_text(encoding="utf-8")
    now = golden.transcript(name)
    assert now.splitlines() == expected.splitlines(), "meant? scripts/golden.py, and read the difference"
    assert now == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_transcript_is_short_enough_to_be_read(name):
    assert (golden.FOLDER / name).stat().st_size < 40_000


def test_a_transcript_shows_a_game_to_its_end():
    text = golden.transcript(NAMES[0])
    assert "move 1 of" in text
    assert "winner" in text.splitlines()[-2]
    assert text.splitlines()[-1].startswith("returns ")
