"""MM-K: stand-ins, what texts may ask, several units at once, who chooses what is discarded."""

from __future__ import annotations

import pytest

from sim.titles.majestic import TITLE
from sim.titles.majestic.primitives import TEXTS
from sim.titles.majestic.schema import ATTRIBUTES
from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    basic,
    made,
    played,
    sorcerer,
    spell,
    stage,
    unit,
)
from tests.titles.majestic.staging import mana_card

# MM-K1: stand-ins


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("table", ["cards", "mana", "sorcerers", "decks"])
def test_all_of_the_card_list_is_marked_as_assumed(table):
    rules = TITLE.load()
    keys = [key for key in sorted(rules.keys()) if key.split(".")[0] == table]
    assert keys
    assert {rules.source(key).source for key in keys} == {"assumed"}


# MM-K1: what texts may ask

SEATS = (
    {
        "hand": ["rat"] * 2,
        "lp": basic(fire=4),
        "mana": ["fire_mana", {"mana": "fire_mana", "down": True}, "wind_mana", "earth_mana"],
        "front": ["rock", "rock", "rock"],
        "back": ["rat"] * 2,
        "trash": ["grunt"] * 7,
        "deck": ["rat"] * 30,
    },
    {
        "hand": ["rat"] * 5,
        "lp": basic(fire=3),
        "mana": ["fire_mana", {"mana": "water_mana", "down": True}],
        "front": ["rock"],
        "back": ["rat"] * 3,
        "trash": ["grunt"] * 6,
        "deck": ["rat"] * 30,
    },
)

#: What a text asks, and the answers for seat 1 in its main phase and for seat 2 in the first
#: exchange of the same turn.
ANSWERS = {
    "hand": (2, 5),
    "enemy_hand": (5, 2),
    "lp": (4, 3),
    "enemy_lp": (3, 4),
    "mana": (4, 2),
    "ready_mana": (3, 1),
    "mana_of.fire": (2, 1),
    "mana_of.water": (0, 1),
    "mana_of.earth": (1, 0),
    "mana_of.wind": (1, 0),
    "enemy_mana": (2, 4),
    "units": (5, 4),
    "front": (3, 1),
    "back": (2, 3),
    "enemy_units": (4, 5),
    "enemy_front": (1, 3),
    "enemy_back": (3, 2),
    "trash": (7, 6),
    "own_turn": (1, 0),
    "in_main": (1, 0),
    "exchange": (0, 1),
}


def told(game, seat, before):
    """Return how many cards the seat has milled."""
    return game.trash(seat).count("rat") - before


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("word", ANSWERS)
def test_what_a_text_may_ask(word):
    rules = made(*BODIES, spell("rite", f"mill own 1 per {word}"))
    first, second = ({**seat, "hand": [*seat["hand"], "rite"]} for seat in SEATS)
    game = stage(first, SEATS[1], rules=rules, lineup=asked({"main": ["rite"]}))
    game.main_phase()
    assert game.trash(1).count("rat") == ANSWERS[word][0]
    lineup = asked({"attack": ["own_1"]}, {"exchange": ["rite"]})
    game = stage(SEATS[0], second, rules=rules, phase="battle", lineup=lineup)
    game.battle_phase()
    assert game.trash(2).count("rat") == ANSWERS[word][1]


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("word", ANSWERS)
@pytest.mark.parametrize("by", [-1, 0, 1])
def test_needs_and_conditions_ask_the_same(word, by):
    answer = ANSWERS[word][0]
    # The card that is played has left the hand when its effects work, but not when it is offered.
    offered = answer + (word == "hand")
    rules = made(
        *BODIES,
        spell("rite", "draw own 1", needs=f"{word} == {offered + by}"),
        spell("rune", f"mill own 1 if {word} >= {answer + by}"),
    )
    seat = {**SEATS[0], "hand": ["rat", "rat", "rite"]}
    game = stage(seat, SEATS[1], rules=rules)
    assert ("rite" in game.options("main", 1)) == (by == 0)
    seat = {**SEATS[0], "hand": ["rat", "rat", "rune"]}
    game = stage(seat, SEATS[1], rules=rules, lineup=asked({"main": ["rune"]}))
    game.main_phase()
    assert game.trash(1).count("rat") == (by <= 0)


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize(("word", "answer"), [("exchange", 2), ("own_turn", 1), ("in_main", 0)])
def test_what_is_asked_in_the_second_exchange(word, answer):
    rules = made(*BODIES, spell("rite", f"mill own 1 per {word}"))
    lineup = asked({"attack": ["own_1"], "exchange": ["stop", "rite"]}, {"block": ["own_1"]})
    own = {"front": ["rock"], "hand": ["rite"], "deck": ["rat"] * 9}
    game = stage(own, {"back": ["rock"]}, rules=rules, phase="battle", lineup=lineup)
    game.battle_phase()
    assert game.trash(1).count("rat") == answer


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize(("word", "answer"), [("exchange", 0), ("own_turn", 1), ("in_main", 0)])
def test_what_special_mana_asks_in_the_mana_phase(word, answer):
    well = mana_card("well", effects=[f"mill own 1 per {word}"])
    own = {"mana_deck": ["well", "fire_mana"], "deck": ["rat"] * 9}
    game = stage(own, {}, rules=made(*BODIES, well), phase="mana")
    game.choices[1].extend(["put_mana", "use_effect"])
    game.mana_phase()
    assert game.trash(1).count("rat") == answer


#: A unit, what is asked of it, and the answer; a grunt has 2 AP and 3 DP.
OF_UNITS = [
    ({"front": True}, "ap", 2),
    ({"front": True, "ap": 4}, "ap", 6),
    ({"front": True, "ap": -4}, "ap", 0),
    ({"front": True}, "damage", 0),
    ({"front": True, "damage": 2}, "damage", 2),
    ({"front": True}, "front", 1),
    ({"front": False}, "front", 0),
    ({"front": True}, "fights", 0),
]
OF_TARGETS = [
    *OF_UNITS,
    ({"front": True}, "cost", 4),
    ({"front": True}, "dp", 3),
    ({"front": False, "dp": 2}, "dp", 5),
    ({"front": False, "dp": -2}, "dp", 1),
    ({"front": True}, "down", 0),
    ({"front": True, "down": True}, "down", 1),
]

MARKED = unit("marked", 2, 3, cost=4)


def standing(fields, kind):
    """Return a seat with one unit of the kind."""
    fields = dict(fields)
    area = "front" if fields.pop("front") else "back"
    return {area: [{"unit": kind, **fields}], "deck": ["rat"] * 20}


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize(("fields", "word", "answer"), OF_UNITS)
def test_what_a_text_may_ask_of_its_own_unit(fields, word, answer):
    bearer = unit("bearer", 2, 3, ability={"effects": [f"mill own 1 per self_{word}"]})
    game = played(standing(fields, "bearer"), {}, "own_1", rules=made(*BODIES, bearer))
    assert game.trash(1).count("rat") == answer


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("whose", ["own", "enemy"])
@pytest.mark.parametrize(("fields", "word", "answer"), OF_TARGETS)
def test_what_a_text_may_ask_of_its_target(fields, word, answer, whose):
    # One that works on its target, as a text must, and changes nothing that is asked.
    effects = [f"mill own 1 per target_{word}", "grant target swift"]
    rules = made(*BODIES, MARKED, spell("rite", *effects, target=whose))
    bearer = standing(fields, "marked")
    own = {"hand": ["rite"], "deck": ["rat"] * 20}
    seats = ({**bearer, **own}, {}) if whose == "own" else (own, bearer)
    game = stage(*seats, rules=rules, lineup=asked({"main": ["rite"]}))
    game.main_phase()
    assert game.trash(1).count("rat") == answer


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize(("fields", "word", "answer"), OF_TARGETS)
@pytest.mark.parametrize("by", [0, 1])
def test_where_asks_the_same_of_targets(fields, word, answer, by):
    rules = made(
        *BODIES,
        MARKED,
        spell(
            "rite", "grant target swift", target="enemy", where=f"target_{word} == {answer + by}"
        ),
    )
    game = stage({"hand": ["rite"]}, standing(fields, "marked"), rules=rules)
    assert ("rite" in game.options("main", 1)) == (by == 0)


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("blocks", [True, False])
def test_who_fights_in_a_battle(blocks):
    # Both seats have a unit that fights and one that does not; in the second exchange, if there is
    # one, the blocker fights too.
    ask = {"effects": ["mill own 1 per self_fights"]}
    rules = made(*BODIES, unit("scribe", 0, 9, ability=ask))
    answers = {"exchange": ["own_1", "own_2"] * 2}
    lineup = asked(
        {**answers, "attack": ["own_2"]}, {**answers, "block": ["own_2" if blocks else "stop"]}
    )
    one, other = {"front": ["scribe", "scribe"]}, {"back": ["scribe", "scribe"]}
    deck = {"deck": ["rat"] * 9}
    game = stage({**one, **deck}, {**other, **deck}, rules=rules, phase="battle", lineup=lineup)
    game.battle_phase()
    assert game.trash(1).count("rat") == (2 if blocks else 1)
    assert game.trash(2).count("rat") == (1 if blocks else 0)
    assert [game.counter(seat, "abilities_used") for seat in (1, 2)] == [4 if blocks else 2] * 2


@pytest.mark.rule("MM-K1")
def test_targets_can_be_held_to_those_who_fight():
    rules = made(
        *BODIES, spell("rite", "damage target 1", target="any", where="target_fights == 1")
    )
    lineup = asked({"attack": ["own_1"]}, {"exchange": ["stop", "rite"], "block": ["own_1"]})
    own, other = {"front": ["rock"] * 2}, {"back": ["rock"] * 2, "hand": ["rite"]}
    game = stage(own, other, rules=rules, phase="battle", lineup=lineup)
    game.battle_phase()
    found = [options for _, decision, options in lineup[0].log if decision == "target"]
    assert found == [["own_1", "enemy_1"]]


@pytest.mark.rule("MM-K1")
def test_a_sorcerer_and_units_when_played_ask_as_well():
    rules = made(
        *BODIES,
        sorcerer("seer", "mill own 1 per units", attribute="wind"),
        unit("poet", effects=["mill own 1 per self_ap"]),
    )
    own = {"front": ["rat"] * 4, "sorcerer": "seer", "hand": ["poet"], "deck": ["rat"] * 20}
    game = played(own, {}, "sorcery", "poet", "to_front", rules=rules)
    assert game.trash(1).count("rat") == 4 + 2


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_special_mana_counts_for_its_attribute(attribute):
    well = mana_card("well", attribute=attribute, effects=["draw own 1"])
    rules = made(*BODIES, well, spell("rite", f"mill own 1 per mana_of.{attribute}"))
    own = {"mana": [f"{attribute}_mana", "well"], "hand": ["rite"], "deck": ["rat"] * 9}
    game = played(own, {}, "rite", rules=rules)
    assert game.trash(1).count("rat") == 2


@pytest.mark.rule("MM-K1")
def test_everything_that_a_text_may_ask_is_asked_here():
    words = {word.split(".")[0] for word in ANSWERS}
    words |= {f"self_{word}" for _, word, _ in OF_UNITS}
    words |= {f"target_{word}" for _, word, _ in OF_TARGETS}
    assert words == {observable.id for observable in TEXTS.observables}


# MM-K2: several units at once


def story(game, *whats):
    """Return what happened to whom, in its order: (what, seat, place) of these events."""
    return [
        (event["what"], event["owner"], event["place"])
        for event in game.events
        if event["event"] == "state" and event["what"] in whats
    ]


@pytest.mark.rule("MM-K2")
@pytest.mark.parametrize("effect", ["damage all 5", "dp all -5"])
def test_all_of_them_are_hit_before_any_is_destroyed(effect):
    own = {"front": ["rat", "grunt"], "hand": ["rite"]}
    game = played(
        own, {"front": ["grunt", "rock"]}, "rite", rules=made(*BODIES, spell("rite", effect))
    )
    happened = story(game, effect.split()[0], "destroyed")
    assert [what for what, _, _ in happened] == [effect.split()[0]] * 4 + ["destroyed"] * 3
    assert (game.front(1), game.front(2)) == ([], ["rock"])


@pytest.mark.rule("MM-K2")
@pytest.mark.parametrize("effect", ["destroy all", "damage all 9", "dp all -9"])
@pytest.mark.parametrize("caster", [1, 2])
def test_they_go_place_by_place_the_caster_s_seat_first(effect, caster):
    # Places go through both areas.
    seat = {
        "front": [{"unit": "grunt", "place": 2}, {"unit": "rock", "place": 7}],
        "back": [{"unit": "brute", "place": 1}, {"unit": "rat", "place": 5}],
    }
    rules = made(*BODIES, spell("rite", effect))
    seats = [dict(seat), dict(seat)]
    seats[caster - 1]["hand"] = ["rite"]
    game = stage(*seats, rules=rules, seat=caster, choices={caster: ["rite"]})
    game.main_phase()
    order = ["brute", "grunt", "rat", "rock"]
    assert game.trash(caster) == [*order, "rite"]
    assert game.trash(3 - caster) == order
    gone = [
        e["owner"] for e in game.events if e["event"] == "move" and e["from"] in ("front", "back")
    ]
    assert gone == [caster] * 4 + [3 - caster] * 4


@pytest.mark.rule("MM-K2")
def test_in_a_battle_the_attackers_unit_goes_first():
    for turn in (1, 2):
        seats = [{"front": ["rat"], "back": ["rat"]}, {"front": ["rat"], "back": ["rat"]}]
        game = stage(*seats, rules=made(*BODIES), phase="battle", seat=turn)
        game.choices[turn].append("own_1")
        game.choices[3 - turn].append("own_2")
        game.battle_phase()
        gone = [e["owner"] for e in game.events if e["event"] == "move" and e["to"] == "trash"]
        assert gone == [turn, 3 - turn]


@pytest.mark.rule("MM-K2")
def test_a_multiplier_is_looked_up_once_for_all_of_them():
    # Each of the three loses 3, though some fall on the way.
    rules = made(*BODIES, spell("rite", "damage own 1 per units"))
    game = played({"front": ["rat", "rock", "grunt"], "hand": ["rite"]}, {}, "rite", rules=rules)
    assert (game.front(1), game.unit(1, 2)["damage"]) == (["rock"], 3)


# MM-K3 (see also the tests of primitives)


@pytest.mark.rule("MM-K3")
def test_what_both_discard_each_chooses_for_itself():
    rules = made(*BODIES, spell("rite", "discard both 1"))
    lineup = asked({"main": ["rite"], "discard": ["rock"]}, {"discard": ["brute"]})
    hand = ["rat", "rock", "brute"]
    game = stage({"hand": ["rite", *hand]}, {"hand": hand}, rules=rules, lineup=lineup)
    game.main_phase()
    assert (game.trash(1), game.trash(2)) == (["rock", "rite"], ["brute"])


@pytest.mark.rule("MM-K3")
def test_a_hand_without_cards_discards_nothing():
    game = played({"hand": ["rite"]}, {}, "rite", rules=made(spell("rite", "discard both 2")))
    assert (game.trash(1), game.trash(2), game.over) == (["rite"], [], False)
