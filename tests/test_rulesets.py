"""Rulesets are values: every field matters, what cannot be is refused, tables hold what can be used."""

import json
from dataclasses import FrozenInstanceError, fields, replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_env import RULESETS, Game, InvalidPosition, RulesetError, lanes, rewards, ruleset, variant
from sorry_env.position import from_position, to_position
from sorry_env.random import generators
from sorry_env.rulesets import seat_colours
from sorry_env.sorry import board
from sorry_env.sorry.rules import CARDS, DECKS, STARTERS, SorryRules
from strategies import KINDS, random_states, seatings, variants

FIELDS = [field.name for field in fields(SorryRules) if field.name != "name"]


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


def standing(name, text, **changes):
    """The texts of what may be played in a position given as a line, in a ruleset with some fields changed."""
    words = "".join(f" {field}={value}" for field, value in changes.items())
    game = Game.from_position(f"{name}{words}; {text}")
    return [game.text(action) for action in game.legal()]


def fire_home(**changes):
    """What is due when Fire has reached Home (F7)."""
    line = "red safe5 20 30; yellow 40 41 42; to red; card 1; fire red safe5"
    words = "".join(f" {field}={value}" for field, value in changes.items())
    game = Game.from_position(f"fire_and_ice{words}; {line}")
    return game.after(game.parse("1: red safe 5>home")).position().get("pending")


def score_of_a_win(**changes):
    """What a game won with one opposing pawn Home is worth."""
    words = "".join(f" {field}={value}" for field, value in changes.items())
    game = Game.from_position(f"classic{words}; red home home home home; yellow home 1 2 3; winner red")
    return rewards.score(game.variant, game.states).tolist()


def is_allowed(**changes):
    try:
        return bool(ruleset("classic", **changes))
    except RulesetError:
        return False


FOUR = "red 5 20 start start; blue 30 31 start start; yellow 9 50 start start; green 1 2 start start"

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
    "hand_size": ({"hand_size": 5}, lambda **c: Game("classic", **c).position().get("hands")),
    "points": ({"points": "1939"}, score_of_a_win),
    "pawn_on_circle": ({"pawn_on_circle": True}, lambda **c: Game("classic", **c).position()["pawns"]),
    "teams": ({"teams": True}, lambda **c: standing("classic", f"{FOUR}; to red; card 3", **c)),
    "split_freely": ({"split_freely": True}, lambda **c: standing("teams_1939", f"{FOUR}; to red; card 7", **c)),
    "starters": (
        {"starters": ("1", "2", "5")},
        lambda **c: placements(at(red_to_move("5"), **c)),
    ),
    "two_draws_again": (
        {"two_draws_again": False},
        lambda **c: [at(red_to_move("2"), **c).after(action).to_move for action in at(red_to_move("2"), **c).legal()],
    ),
    "sorry_forward": ({"sorry_forward": True}, lambda **c: placements(at(red_to_move("sorry", 20), **c))),
    "tokens": (
        {"tokens": True},
        lambda **c: "fire" in Game("classic", two_draws_again=False, **c).position(),
    ),
    "fire_second_home": ({"fire_second_home": False}, fire_home),
    "question_cards": ({"question_cards": 8}, lambda **c: dict(at(red_to_move(None), **c).chance())),
    "answer": ({"answer": "random"}, lambda **c: [row.prompt for row in variant("not_sorry", 2, **c).actions.rows]),
    "turbo": ({"turbo": True}, lambda **c: placements(at(red_to_move("3", 13), **c))),
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
    as_json = json.loads(json.dumps({name: getattr(rules, name) for name in rules.changes()}))
    assert rules.changes() == as_json


def test_changes_can_be_made_to_a_ruleset_as_to_its_name():
    assert ruleset(ruleset("classic", deck=44), pawns=3) == ruleset("classic", deck=44, pawns=3)
    assert ruleset("diamond", deck=45).changes() == {"deck": 45}
    assert ruleset("classic", deck=45).changes() == {}


def test_a_ruleset_is_written_as_its_name_and_its_changes():
    assert str(ruleset("classic")) == "classic"
    assert str(ruleset("classic", turn_limit=9, deck=44)) == "classic(turn_limit=9, deck=44)"


def test_a_ruleset_cannot_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        ruleset("classic").deck = 44
    assert hash(ruleset("classic", deck=44)) == hash(replace(ruleset("classic"), deck=44))


def test_every_deck_holds_as_many_cards_as_its_name_says():
    for deck, counts in DECKS.items():
        rules = ruleset("classic", deck=deck)
        assert sum(counts) == sum(rules.counts) == deck
        assert rules.counts == (*counts, 0)
        assert len(counts) == len(rules.cards) == len(CARDS) - 1
        assert ruleset("not_sorry", deck=deck).counts == (*counts, 8)
    assert ruleset("not_sorry").cards == CARDS


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
        ({"hand_size": 1}, ["hand_size=1", "2, 3, 4 or 5", "0", "H1"]),
        ({"hand_size": 6}, ["hand_size=6", "2, 3, 4 or 5", "0", "H1"]),
        ({"hand_size": None}, ["hand_size=None", "int", "NoneType"]),
        ({"points": "1940"}, ["points='1940'", "'1939' or 'modern'", "None", "H5", "H6"]),
        ({"points": 1939}, ["points=1939", "str", "int"]),
        ({"pawn_on_circle": 1}, ["pawn_on_circle=1", "bool", "int"]),
        ({"teams": "yes"}, ["teams='yes'", "bool", "str"]),
        ({"starters": "1"}, ["starters='1'", "tuple", "str"]),
        ({"starters": ()}, ["starters=[]", "S7"]),
        ({"starters": ("1", "4")}, ["starters=['1', '4']", "'4' cannot start", "known are"]),
        ({"starters": ("1", "sory")}, ["'sory' cannot start"]),
        ({"starters": ["2", "1"]}, ["starters=['2', '1']", "in the order ['1', '2'"]),
        ({"starters": ("1", "1")}, ["starters=['1', '1']", "each card once"]),
        ({"question_cards": 9}, ["question_cards=9", "0 to 8", "N1"]),
        ({"question_cards": -1}, ["question_cards=-1", "0 to 8", "N1"]),
        ({"answer": "no", "question_cards": 8}, ["answer='no'", "'strategic' or 'random'", "N3"]),
        ({"answer": "random"}, ["answer='random'", "needs question_cards", "N3"]),
        ({"teams": True, "hand_size": 5}, ["teams and hand_size", "cannot be combined", "T1"]),
        ({"teams": True, "points": "1939"}, ["teams and points", "cannot be combined", "T1"]),
        ({"teams": True, "tokens": True, "two_draws_again": False}, ["teams and tokens", "cannot be combined"]),
        ({"teams": True, "question_cards": 8}, ["teams and question_cards", "cannot be combined", "T1"]),
        ({"teams": True, "turbo": True}, ["teams and turbo", "cannot be combined", "M1"]),
        ({"tokens": True, "hand_size": 5, "two_draws_again": False}, ["tokens and hand_size", "F10"]),
        ({"tokens": True, "question_cards": 8, "two_draws_again": False}, ["tokens and question_cards", "F10"]),
        ({"tokens": True, "turbo": True, "two_draws_again": False}, ["tokens and turbo", "F10"]),
        ({"tokens": True}, ["two_draws_again=True contradicts tokens=True", "F3"]),
        ({"hand_size": 5, "question_cards": 8}, ["hand_size and question_cards", "H1, N2"]),
        ({"split_freely": True}, ["split_freely=True needs teams=True", "T7"]),
        ({"fire_second_home": False}, ["fire_second_home=False needs tokens=True", "F7"]),
        ({"turbo": True, "swap_slides_both": False}, ["swap_slides_both=False contradicts turbo=True", "M2"]),
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


@pytest.mark.parametrize("seats", [2, 3, ["red", "blue"], ["red", "blue", "yellow"]])
def test_teams_are_of_four_seats(seats):
    for name in ("teams_1939", "teams_modern"):
        with pytest.raises(RulesetError, match=r"teams need four seats, 0 and 2 against 1 and 3 \(T1\)"):
            variant(name, seats)


@pytest.mark.parametrize(("deck", "seats", "size"), [(11, 4, 3), (11, 3, 4), (11, 3, 5), (11, 4, 5)])
def test_a_deck_too_small_for_the_hands_is_refused(deck, seats, size):
    words = rf"hand_size={size} for {seats} seats takes {seats * size} cards, and the deck has {deck}: .*larger deck"
    with pytest.raises(RulesetError, match=words):
        variant("points_1939", seats, deck=deck, hand_size=size)
    assert variant("points_1939", seats, deck=deck, hand_size=size, replacement=True).ruleset.replacement
    assert variant("points_1939", 2, deck=11, hand_size=5).ruleset.deck == 11


def test_starters_may_be_given_as_a_list():
    assert ruleset("classic", starters=["1", "5"]).starters == ("1", "5")
    assert ruleset("classic", starters=list(STARTERS)).starters == ruleset("fire_and_ice").starters


@pytest.mark.parametrize("count", [2, 3, 4])
def test_any_clockwise_choice_of_colours_is_a_seating(count):
    for colours in seatings(count):
        assert variant("classic", list(colours)).colours == colours
        assert variant("classic", colours).seats == count


def test_seats_given_as_a_count_are_those_of_the_rules():
    assert seat_colours(2) == ("red", "yellow")
    assert seat_colours(np.int64(3)) == ("red", "blue", "yellow")
    assert seat_colours(4) == board.COLOURS


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
    assert [row.prompt for row in table.rows] == sorted((r.prompt for r in table.rows), key=board.PROMPTS.index)


def test_a_pair_that_the_rules_do_not_use_has_no_id():
    around = next(row for row in variant("classic", 2, bypass_entry=True).actions.rows if "round" in str(row))
    with pytest.raises(KeyError):
        variant("classic", 2).actions.id(around)


TABLES = [(*kind, {}) for kind in KINDS] + [("classic", 2, {"pawns": 3}), ("diamond", 4, {"pawns": 2})]


def usable(game):
    """Which actions are legal in at least one valid position."""
    seen = np.zeros(game.num_actions, bool)
    for states in positions_to_try(game):
        mask = game.legal_mask(states).astype(bool)
        for i in {int(mask[:, action].argmax()) for action in np.flatnonzero(mask.any(axis=0) & ~seen)}:
            assert from_position(to_position(game, states, i))[1][0].tobytes() == states[i].tobytes()
        seen |= mask.any(axis=0)
    return seen


def positions_to_try(game):
    """STATEs by the thousand: random ones, what follows from them within a turn or two, and sevens close together."""
    for seed in range(3):
        states, rng = random_states(game, 10_000, seed), generators(seed, 10_000)
        yield states
        for _ in range(0 if game.rules[0]["plain"] else 6):
            actions = np.empty(len(states), np.int64)
            lanes.uniform_lanes(states, game.rules, rng, actions)
            game.play(states, actions)
            game.draw(states, rng)
            states, rng = states[states["over"] == 0], rng[states["over"] == 0]
            yield states
    yield from endings(game)
    yield from sevens(game)


def endings(game):
    """STATEs with each card in play, of a team with all pawns Home but one in the zone, or with all in Start."""
    states = random_states(game, 6 * len(game.ruleset.cards))
    if game.ruleset.partners:
        states["pawns"][:, ::2] = board.HOME
        states["pawns"][:, 0, 0] = board.SAFE + 1 + np.arange(len(states)) % 6
        states["pawns"][5::6, ::2, : game.ruleset.pawns] = board.START
        states["seat"], states["due"], states["pile"] = 0, np.arange(len(states)) // 6, 0
        yield states
        alone = random_states(game, 500)
        alone["pawns"][:, 1::2, : game.ruleset.pawns] = board.START
        alone["seat"], alone["due"], alone["pile"], alone["steps"] = 0, CARDS.index("sorry"), 0, 0
        yield alone


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
            states = with_a_seven(game, places, behind)
            yield states
            if game.ruleset.partners:
                states["seat"] = 2
                yield states
    if game.ruleset.partners:
        yield from team_sevens(game)


def with_a_seven(game, places, behind):
    states = random_states(game, 1)[np.zeros(len(places), int)]
    states["pawns"][:, : game.seats, : game.ruleset.pawns] = board.START
    states["pawns"][:, 0, behind : game.ruleset.pawns] = board.HOME
    states["pawns"][:, 0, behind : behind + places.shape[1]] = places
    for token in ("fire", "ice", "drawer", "asked", "steps", "moved"):
        states[token] = 0
    states["seat"], states["due"], states["pile"] = 0, CARDS.index("7"), 0
    if game.ruleset.hand_size:
        states["due"], states["hands"] = board.HAND, 0
        states["hands"][:, 0, CARDS.index("7")] = 1
        states["hands"][:, : game.seats, CARDS.index("12")] = game.ruleset.hand_size - (np.arange(game.seats) == 0)
    if game.ruleset.replacement:
        states["pile"] = game.ruleset.counts
    return states


def team_sevens(game):
    """A 7, a pawn of each partner close together, the others of both in Start or Home: of two orders, the second."""
    gaps, first = np.arange(-11, 12), np.arange(board.CIRCLE, board.RING - 12)
    places = np.stack([np.repeat(first, len(gaps)), (first[:, None] + gaps).ravel()], axis=1)
    places = places[places[:, 1] > 0]
    for mine, theirs in product(range(game.ruleset.pawns), repeat=2):
        states = with_a_seven(game, places[:, :1], mine)
        other = (places[:, 1] - 1 + board.RING // 2) % board.RING + 1
        states["pawns"][:, 2, theirs : game.ruleset.pawns] = board.HOME
        states["pawns"][:, 2, theirs] = other
        square = places[:, 0] != places[:, 1]
        yield states[square]


@pytest.mark.parametrize(("name", "seats", "changes"), TABLES, ids=str)
def test_every_action_of_the_table_can_be_used_but_for_one(name, seats, changes):
    game = variant(name, seats, **changes)
    unused = [str(game.actions[action]) for action in np.flatnonzero(~usable(game))]
    assert unused == never_used(game.ruleset)


def never_used(rules):
    """What is in the table though it never is legal."""
    if rules.tokens:  # Fire's pawn is Home already then, and pawns are numbered in the order of their places
        return [f"second: pawn {rules.pawns - 1} home"]
    return ["1: pass"]  # each card has its pass, though a 1 can always be used where nobody is frozen


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
