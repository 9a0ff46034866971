"""Rulesets are values: every field matters, what cannot be is refused, tables hold what can be used."""

from dataclasses import FrozenInstanceError, fields, replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_env import RULESETS, Game, InvalidPosition, Ruleset, RulesetError, board, ruleset, variant
from sorry_env.position import from_position, to_position
from sorry_env.rulesets import CARDS, DECKS
from strategies import KINDS, random_states, seatings, variants

FIELDS = [field.name for field in fields(Ruleset) if field.name != "name"]


def at(position, **changes):
    """The game in a position of classic with some fields changed."""
    return Game.from_position(position | {"changes": changes})


def red_to_move(card, *red, yellow=()):
    """A position of two seats with four pawns each, those not named in Start."""
    pawns = {"red": [*red, *["start"] * 4][:4], "yellow": [*yellow, *["start"] * 4][:4]}
    return {"seats": ["red", "yellow"], "to_move": "red", "card": card, "pawns": pawns}


def placements(game):
    """Where the pawns may stand after the card."""
    return [game.after(action).position()["pawns"] for action in game.legal()]


def odds_after_a_pass(**changes):
    """What may come when the first card has been used."""
    game = at(red_to_move("3"), **changes)
    return game.after(game.legal()[0]).chance()


def over_after_a_pass(**changes):
    """Whether the game ends with its twelfth turn."""
    game = at(red_to_move("3") | {"turns": 12}, **changes)
    return game.after(game.legal()[0]).is_over


def is_allowed(**changes):
    try:
        return bool(ruleset("classic", **changes))
    except RulesetError:
        return False


# What one may change a field to, and something that a player sees of it.
EXAMPLES = {
    "deck": ({"deck": 44}, lambda **c: dict(at(red_to_move(None), **c).chance())),
    "replacement": ({"replacement": True}, odds_after_a_pass),
    "pawns": ({"pawns": 3}, lambda **c: Game("classic", **c).position()["pawns"]),
    "swap_slides_both": (
        {"swap_slides_both": False},
        lambda **c: placements(at(red_to_move("11", 16, yellow=[30]), **c)),
    ),
    "bypass_entry": ({"bypass_entry": True}, lambda **c: placements(at(red_to_move("3", 1), **c))),
    "diamond": ({"diamond": True}, lambda **c: is_allowed(bypass_entry=True, **c)),
    "turn_limit": ({"turn_limit": 12}, over_after_a_pass),
}


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_changes_something_that_can_be_seen(field):
    assert field in EXAMPLES, f"show what {field} changes: an entry of EXAMPLES"
    changes, observe = EXAMPLES[field]
    assert list(changes) == [field]
    assert observe() == observe()
    assert observe(**changes) != observe()


def test_the_name_is_what_the_fields_started_from():
    for name, rules in RULESETS.items():
        assert rules.name == name
        assert Game(name).position()["ruleset"] == name
        assert rules.changes() == {}


# --- values


@given(data=st.data())
def test_changes_lead_back_to_the_ruleset(kind, data):
    rules = data.draw(variants(kind)).ruleset
    assert ruleset(rules.name, **rules.changes()) == rules
    assert all(getattr(rules, name) == value for name, value in rules.changes().items())


def test_changes_can_be_made_to_a_ruleset_as_to_its_name():
    assert ruleset(ruleset("classic", deck=44), pawns=3) == ruleset("classic", deck=44, pawns=3)
    assert ruleset("diamond", deck=45).changes() == {"deck": 45}
    assert ruleset("classic", deck=45).changes() == {}


def test_a_ruleset_is_written_as_its_name_and_its_changes():
    assert str(ruleset("classic")) == "classic"
    assert str(ruleset("classic", turn_limit=9, deck=44)) == "classic(deck=44, turn_limit=9)"


def test_a_ruleset_cannot_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        ruleset("classic").deck = 44
    assert hash(ruleset("classic", deck=44)) == hash(replace(ruleset("classic"), deck=44))


def test_every_deck_holds_as_many_cards_as_its_name_says():
    for deck, counts in DECKS.items():
        assert sum(counts) == deck
        assert len(counts) == len(CARDS)
        assert ruleset("classic", deck=deck).counts == counts


def test_a_variant_is_one_object_for_equal_rules_and_seats():
    assert variant("classic", 2) is variant(ruleset("classic"), ["red", "yellow"])
    assert variant("classic", 2) is not variant("classic", 2, deck=44)
    assert variant("classic", 2) is not variant("classic", ["blue", "green"])


# --- what is refused


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"deck": 46}, ["deck=46", "45", "44", "55", "11", "S2"]),
        ({"deck": "45"}, ["deck='45'", "int", "str"]),
        ({"deck": True}, ["deck=True", "int", "bool"]),
        ({"deck": 45.0}, ["deck=45.0", "int", "float"]),
        ({"pawns": 0}, ["pawns=0", "1 to 4", "S1"]),
        ({"pawns": 5}, ["pawns=5", "1 to 4", "S1"]),
        ({"pawns": None}, ["pawns=None", "int", "NoneType"]),
        ({"replacement": 1}, ["replacement=1", "bool", "int"]),
        ({"swap_slides_both": "no"}, ["swap_slides_both='no'", "bool", "str"]),
        ({"bypass_entry": None}, ["bypass_entry=None", "bool", "NoneType"]),
        ({"diamond": 0}, ["diamond=0", "bool", "int"]),
        ({"turn_limit": 0}, ["turn_limit=0", "1", "None", "S26"]),
        ({"turn_limit": 10**10}, [f"turn_limit={10**10}", str(10**9), "None"]),
        ({"turn_limit": 2.5}, ["turn_limit=2.5", "int", "float"]),
        ({"diamond": True, "bypass_entry": True}, ["bypass_entry=True", "diamond=True", "S12", "switch"]),
        ({"bypas_entry": True}, ["'bypas_entry'", "did you mean 'bypass_entry'"]),
        ({"wheels": 4}, ["'wheels'", *FIELDS]),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_by_value_and_remedy(changes, words):
    for build in (ruleset, variant, Game):
        with pytest.raises(RulesetError) as error:
            build("classic", **changes)
        assert [word for word in words if word not in str(error.value)] == []


def test_a_contradiction_with_the_named_ruleset_is_refused():
    with pytest.raises(RulesetError, match="contradicts diamond=True"):
        ruleset("diamond", bypass_entry=True)
    assert ruleset("diamond", bypass_entry=True, diamond=False).bypass_entry


@pytest.mark.parametrize(
    ("name", "words"), [("clasic", "did you mean 'classic'"), ("go", "'diamond'"), (None, "'tiny'")]
)
def test_an_unknown_ruleset_is_refused_with_those_known(name, words):
    with pytest.raises(RulesetError) as error:
        ruleset(name)
    assert repr(name) in str(error.value)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        (1, ["seats=1", "2, 3 or 4"]),
        (5, ["seats=5", "2, 3 or 4"]),
        (True, ["seats=True", "count", "colours"]),
        (2.0, ["seats=2.0", "count", "colours"]),
        ("red", ["seats='red'", "count", "colours"]),
        (None, ["seats=None", "count", "colours"]),
        ([], ["seats=[]", "2, 3 or 4"]),
        (["red"], ["seats=['red']", "2, 3 or 4"]),
        (["red", "red"], ["'red', 'red'", "twice"]),
        (["red", "yelow"], ["'yelow'", "did you mean 'yellow'"]),
        (["red", 2], ["2", "'blue'"]),
        (["red", "yellow", "blue"], ["S4", "['red', 'blue', 'yellow']"]),
        (["green", "blue", "red"], ["S4", "['green', 'red', 'blue']"]),
    ],
    ids=str,
)
def test_seats_that_cannot_be_are_refused_by_value_and_remedy(seats, words):
    with pytest.raises(RulesetError) as error:
        variant("classic", seats)
    assert [word for word in words if word not in str(error.value)] == []


@pytest.mark.parametrize("count", [2, 3, 4])
def test_any_clockwise_choice_of_colours_is_a_seating(count):
    for colours in seatings(count):
        assert variant("classic", list(colours)).colours == colours
        assert variant("classic", colours).seats == count


def test_seats_given_as_a_count_are_those_of_the_rules():
    assert board.seat_colours(2) == ("red", "yellow")
    assert board.seat_colours(np.int64(3)) == ("red", "blue", "yellow")
    assert board.seat_colours(4) == board.COLOURS


def test_a_colour_without_a_seat_is_refused_with_those_that_have_one():
    for ask in (lambda: Game(seats=2, first="blue"), lambda: Game(seats=2).view("blue")):
        with pytest.raises(RulesetError, match=r"'blue'.*red.*yellow"):
            ask()


# --- the table of actions


@given(data=st.data())
def test_ids_and_pairs_translate_into_each_other(kind, data):
    table = data.draw(variants(kind)).actions
    assert [table.id(table[action]) for action in range(len(table))] == list(range(len(table)))
    assert len({str(row) for row in table.rows}) == len(table)
    assert [row.card for row in table.rows] == sorted((row.card for row in table.rows), key=CARDS.index)


def test_a_pair_that_the_rules_do_not_use_has_no_id():
    around = next(row for row in variant("classic", 2, bypass_entry=True).actions.rows if "round" in str(row))
    with pytest.raises(KeyError):
        variant("classic", 2).actions.id(around)


TABLES = [(*kind, {}) for kind in KINDS] + [("classic", 2, {"pawns": 3}), ("diamond", 4, {"pawns": 2})]


def usable(game):
    """Which actions are legal in at least one valid position."""
    seen = np.zeros(game.num_actions, bool)
    for states in (*(random_states(game, 10_000, seed) for seed in range(3)), *sevens(game)):
        mask = game.legal_mask(states).astype(bool)
        for i in {int(mask[:, action].argmax()) for action in np.flatnonzero(mask.any(axis=0) & ~seen)}:
            assert from_position(to_position(game, states, i))[1][0].tobytes() == states[i].tobytes()
        seen |= mask.any(axis=0)
    return seen


def sevens(game):
    """STATEs with a 7 in play: all ways to stand close together, those behind in Start, those ahead Home."""
    pawns = game.ruleset.pawns
    for out in range(2, pawns + 1):
        gaps = np.array(list(combinations(range(1, 12), out - 1)))
        first = np.arange(1, board.HOME - 1)
        places = first[:, None, None] + np.insert(gaps, 0, 0, axis=1)
        places = places.reshape(-1, out)
        places = places[places.max(axis=1) < board.HOME]
        for behind in range(pawns - out + 1):
            yield with_a_seven(game, places, behind)


def with_a_seven(game, places, behind):
    states = random_states(game, 1)[np.zeros(len(places), int)]
    states["pawns"][:, : game.seats, : game.ruleset.pawns] = board.START
    states["pawns"][:, 0, behind : game.ruleset.pawns] = board.HOME
    states["pawns"][:, 0, behind : behind + places.shape[1]] = places
    states["seat"], states["card"], states["pile"] = 0, CARDS.index("7"), 0
    if game.ruleset.replacement:
        states["pile"] = game.ruleset.counts
    return states


@pytest.mark.parametrize(("name", "seats", "changes"), TABLES, ids=str)
def test_every_action_of_the_table_can_be_used_but_passing_a_1(name, seats, changes):
    game = variant(name, seats, **changes)
    unused = [str(game.actions[action]) for action in np.flatnonzero(~usable(game))]
    assert unused == ["1: pass"]  # each card has its pass, though a 1 can always be used


@pytest.mark.parametrize("seats", [2, 4])
def test_a_game_that_passes_the_entry_has_no_other_unused_actions_than_splits_with_too_little_room(seats):
    game = variant("classic", seats, bypass_entry=True)
    unused = [str(game.actions[action]) for action in np.flatnonzero(~usable(game))]
    splits = [text for text in unused if text != "1: pass"]
    assert len(splits) == 57  # blocks of splits are kept whole, so that both orders are neighbours
    assert all(text.startswith("7: ") and "round" in text for text in splits)


# --- fingerprints

ALL = [variant(*kind) for kind in KINDS] + [
    variant("classic", 2, **changes) for changes in ({"pawns": 3}, {"bypass_entry": True}, {"turn_limit": 50})
]


def test_action_fingerprints_tell_tables_apart_and_nothing_else():
    for one, other in combinations(ALL, 2):
        equal = one.actions.rows == other.actions.rows
        assert (one.actions.fingerprint == other.actions.fingerprint) == equal


def test_feature_fingerprints_tell_vectors_apart_and_nothing_else():
    for one, other in combinations(ALL, 2):
        equal = one.features.slices == other.features.slices
        assert (one.features.fingerprint == other.features.fingerprint) == equal


def test_seats_pawns_and_ways_have_fingerprints_of_their_own():
    chosen = [variant("classic", seats) for seats in (2, 3, 4)] + ALL[-3:-1]
    assert len({game.actions.fingerprint for game in chosen}) == len(chosen)
    assert len({game.features.fingerprint for game in [*chosen[:4], ALL[-1]]}) == 5


def test_colours_do_not_change_a_fingerprint():
    one, other = variant("classic", ["red", "blue"]), variant("classic", ["green", "yellow"][::-1])
    assert one.actions.fingerprint == other.actions.fingerprint
    assert one.features.fingerprint == other.features.fingerprint


# --- fields that are named like arguments


@pytest.mark.parametrize("field", ["name", "seats"])
def test_a_change_named_like_an_argument_is_an_unknown_field(field):
    position = {"seats": ["red", "blue"], "to_move": "red", "changes": {field: 2}, "pawns": {}}
    with pytest.raises(InvalidPosition, match=f"no field '{field}'"):
        Game.from_position(position)


def test_the_counter_of_turns_cannot_overflow():
    game = Game("classic", 2)
    with pytest.raises(InvalidPosition, match="from 1 to"):
        Game.from_position(game.position() | {"turns": 2**31 - 1})
