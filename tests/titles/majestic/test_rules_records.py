"""MM-A1, and what the columns of the records count, held to turns whose every step is known."""

from __future__ import annotations

import pytest

from sim.core._rng import make_key
from sim.titles.majestic import INFO, TITLE, new_game
from sim.titles.majestic.info import SOURCES
from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    basic,
    deck,
    fought,
    made,
    played,
    sorcerer,
    spell,
    stage,
    unit,
)
from tests.titles.majestic.staging import mana_card

# MM-A1: what a deck is made of

#: Kinds by (cost, attribute), two of them spells; a deck of three attributes with special mana.
KINDS = {
    "made_0": unit("made_0", cost=0),
    "made_1": unit("made_1", cost=1, attribute="wind"),
    "made_2": spell("made_2", "draw own 1", cost=2, attribute="wind"),
    "made_6": unit("made_6", cost=6, attribute="earth"),
    "made_7": unit("made_7", cost=7),
    "made_9": spell("made_9", "draw own 1", cost=9),
}
MAIN = {"made_0": 3, "made_1": 12, "made_2": 10, "made_6": 8, "made_7": 5, "made_9": 2}
MANA = {"fire_mana": 9, "wind_mana": 4, "earth_mana": 2, "well": 3, "gust": 2}
MIXED = (
    *KINDS.values(),
    mana_card("well", effects=["draw own 1"]),
    mana_card("gust", attribute="wind", effects=["draw own 1"]),
    sorcerer("seer", "draw own 1", cost=9),
    deck("mixed", MAIN, MANA, "seer"),
    deck("plain", {"made_1": 40}, {"wind_mana": 20}),
)
MADE_OF = {
    "deck_units": 28,
    "deck_spells": 12,
    "deck_cost": 12 + 20 + 48 + 35 + 18,
    "deck_attributes": 3,
    "cost_0": 3,
    "cost_1": 12,
    "cost_2": 10,
    "cost_3": 0,
    "cost_4": 0,
    "cost_5": 0,
    "cost_6": 8,
    "cost_7": 7,
    "deck_fire": 10,
    "deck_water": 0,
    "deck_earth": 8,
    "deck_wind": 22,
    "special_mana": 5,
    "mana_fire": 12,
    "mana_water": 0,
    "mana_earth": 2,
    "mana_wind": 6,
}
PLAIN = {
    **dict.fromkeys(MADE_OF, 0),
    **{"deck_units": 40, "deck_cost": 40, "deck_attributes": 1, "cost_1": 40},
    **{"deck_wind": 40, "mana_wind": 20},
}


def mixed():
    return made(*MIXED, overrides=("deck.copies=40",))


def counters(game, seat, names):
    return {name: game.counter(seat, name) for name in names}


@pytest.mark.rule("MM-A1")
def test_what_a_deck_is_made_of_follows_from_its_list():
    game = new_game(["mixed", "plain"], rules=mixed())
    assert counters(game, 1, MADE_OF) == MADE_OF
    assert counters(game, 2, MADE_OF) == PLAIN


@pytest.mark.rule("MM-A1")
def test_it_is_known_before_the_first_draw_and_does_not_change():
    # In a stated position no card of the deck is anywhere.
    game = stage({"deck_list": "mixed"}, {"deck_list": "plain"}, rules=mixed(), phase="regenerate")
    assert counters(game, 1, MADE_OF) == MADE_OF
    game.play()
    assert (counters(game, 1, MADE_OF), counters(game, 2, MADE_OF)) == (MADE_OF, PLAIN)


@pytest.mark.rule("MM-A1")
def test_all_of_it_has_the_role_of_a_composition():
    columns = {column.name for column in INFO.columns if column.role == "composition"}
    assert columns == set(MADE_OF)


@pytest.mark.rule("MM-A1")
@pytest.mark.parametrize("names", [("mixed", "plain"), ("plain", "mixed")])
def test_it_is_a_part_of_the_records_as_deck_and_sorcerer_are(names):
    done = finished(mixed(), names)
    decks = [value.id for value in TITLE.categories(mixed(), "deck_list")]
    sorcerers = [value.id for value in TITLE.categories(mixed(), "sorcerer_card")]
    for record, name in zip(done.seats, names, strict=True):
        expected = MADE_OF if name == "mixed" else PLAIN
        assert {column: record[column] for column in MADE_OF} == expected
        assert decks[record["deck"]] == name
        assert sorcerers[record["sorcerer"]] == ("seer" if name == "mixed" else "mute")


def finished(rules, names, first=None, second=None, deal=0):
    """Return the records of a whole game of the reference engine."""
    lineup = asked(first, second)
    for entry, name in zip(lineup, names, strict=True):
        entry.loadout = name
    return TITLE.reference(TITLE.compile(rules), None, None, make_key(1), deal, lineup)


# The other columns

BUSY = made(
    *BODIES,
    unit("sage", 1, 3, ability={"cost": 1, "effects": ["hit enemy 1"]}),
    unit("ram", 1, 3, effects=["hit enemy 1"]),
    spell("bolt", "hit enemy 1", cost=1),
    spell("pact", "hit own 1", "heal own 2"),
    sorcerer("seer", "hit enemy 1", down=True),
    mana_card("fang", effects=["hit enemy 1"]),
)
NAMES = (
    "mana_spent",
    "units_played",
    "spells_played",
    "spells_in_battle",
    "abilities_used",
    "sorcerer_used",
    "moves",
    "drawn",
    "discarded",
    "lp_gained",
    "most_units",
)


@pytest.mark.rule("MM-T3")
@pytest.mark.rule("MM-C1")
def test_a_main_phase_is_counted():
    own = {
        "hand": ["bolt", "ram", "pact", "rat"],
        "front": ["sage"],
        "back": ["rock"],
        "mana": basic(fire=4),
        "sorcerer": "seer",
    }
    order = ["bolt", "ram", "to_front", "own_1", "own_1", "sorcery", "pact", "advance", "retreat"]
    order += ["own_1", "rat", "to_back"]
    game = played(own, {"lp": basic(fire=9)}, *order, rules=BUSY)
    assert tuple(counters(game, 1, NAMES).values()) == (4, 2, 2, 0, 3, 1, 2, 0, 0, 2, 4)
    assert tuple(counters(game, 2, NAMES).values()) == (0,) * len(NAMES)
    by = {f"lp_by_{source}": 0 for source in SOURCES}
    taken = {"lp_by_spells": 1, "lp_by_abilities": 3, "lp_by_sorcerer": 1, "lp_by_units": 1}
    assert counters(game, 1, by) == {**by, **taken}
    # What a seat takes from itself is the other's.
    assert counters(game, 2, by) == {**by, "lp_by_itself": 1}
    assert [game.counter(seat, "lp_left") for seat in (1, 2)] == [7, 3]


@pytest.mark.rule("MM-B5")
def test_lp_taken_by_attacks_and_by_special_mana():
    other = {"lp": ["fang", "fire_mana"]}
    game = stage({"front": ["rat"]}, other, rules=BUSY, phase="battle")
    game.choices[1].append("own_1")
    game.choices[2].append("use_effect")
    game.battle_phase()
    by = {f"lp_by_{source}": 0 for source in SOURCES}
    assert counters(game, 1, by) == {**by, "lp_by_attacks": 1}
    assert counters(game, 2, by) == {**by, "lp_by_special": 1}
    assert [game.counter(seat, "special_used") for seat in (1, 2)] == [0, 1]


@pytest.mark.rule("MM-B3")
@pytest.mark.rule("MM-B4")
@pytest.mark.parametrize(
    ("blocker", "lost", "expected"),
    [(None, (0, 0), (1, 0, 0, 0)), (1, (0, 1), (1, 1, 0, 1))],
)
def test_attacks_and_blocks_are_counted(blocker, lost, expected):
    game = fought(
        {"front": ["brute"]}, {"back": ["grunt"]}, attacker=1, blocker=blocker, rules=BUSY
    )
    names = ("attacks", "attacks_blocked", "attacks_ended")
    assert (*counters(game, 1, names).values(), game.counter(2, "blocks")) == expected
    assert [game.counter(seat, "units_lost") for seat in (1, 2)] == list(lost)


@pytest.mark.rule("MM-P1")
def test_spells_in_battle_are_counted_apart():
    own = {"front": ["rat"], "hand": ["bolt"], "mana": basic(fire=1)}
    game = fought(own, {}, attacker=1, first=[(1, "bolt")], rules=BUSY)
    assert [game.counter(1, name) for name in ("spells_played", "spells_in_battle")] == [1, 1]


@pytest.mark.rule("MM-T2")
@pytest.mark.parametrize(
    ("choice", "expected"), [("put_mana", (1, 0, 1)), ("draw_card", (0, 1, 2))]
)
def test_mana_phases_are_counted(choice, expected):
    game = stage({}, {}, rules=BUSY, phase="draw", round=2, choices={1: [choice]})
    game.draw_phase()
    game.mana_phase()
    found = counters(game, 1, ("mana_put", "mana_drawn", "drawn"))
    assert tuple(found.values()) == expected


@pytest.mark.rule("MM-T5")
def test_cards_that_are_discarded_at_the_end_are_counted():
    game = stage({"hand": ["rat"] * 9}, {}, rules=BUSY, phase="end")
    game.end_phase()
    assert game.counter(1, "discarded") == 3


# Whole games


@pytest.mark.rule("MM-A1")
def test_the_records_of_a_game_add_up():
    # Seat 1 plays a unit in its first turn and attacks with it from the second one on; seat 2 only
    # puts mana. Its sixth LP goes in round 7.
    rules = made(
        unit("scout", 1, 9),
        deck("scouts", {"scout": 40}, {"fire_mana": 20}),
        overrides=("deck.copies=40",),
    )
    first = {"main": ["scout"], "area": ["to_front"], "attack": ["own_1"] * 6}
    done = finished(rules, ("scouts", "scouts"), first)
    assert (done.game["rounds"], done.game["turns"]) == (7, 13)
    reasons = [value.id for value in INFO.categories["end_reason"]]
    assert reasons[done.game["end_reason"]] == "lp"
    one, other = done.seats
    assert (one["win60"], one["rank"], one["score"]) == (60, 1, 6)
    assert (other["win60"], other["rank"], other["score"]) == (0, 2, 0)
    assert (one["attacks"], one["lp_by_attacks"], one["lp_left"], other["lp_left"]) == (6, 6, 6, 0)
    assert (one["mana_put"], other["mana_put"], one["drawn"], other["drawn"]) == (7, 6, 6, 6)
    lp, hand, mana, units = range(4)
    # After each round; in the last one seat 2 had no turn.
    assert [INFO.series[n].name for n in range(4)] == ["lp", "hand", "mana", "units"]
    assert done.series[1, :7, lp].tolist() == [6, 5, 4, 3, 2, 1, 0]
    assert done.series[1, :7, mana].tolist() == [1, 3, 5, 7, 9, 11, 12]
    assert done.series[0, :7, mana].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert done.series[0, :7, units].tolist() == [1] * 7
    assert done.series[0, :7, hand].tolist() == [4, 5, 6, 6, 6, 6, 7]
    place = [kind.id for kind in TITLE.kinds(rules)].index("scout")
    cards = dict(zip(INFO.card_fields, done.cards[0, place].tolist(), strict=True))
    assert (cards["opening"], cards["played"], cards["attacks"], cards["fallen"]) == (5, 1, 6, 0)
    assert cards["discarded"] == one["discarded"] == 3
