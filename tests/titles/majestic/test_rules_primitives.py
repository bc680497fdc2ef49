"""MM-K1: what each primitive does to units, and what its number comes to."""

from __future__ import annotations

import pytest

from sim.titles.majestic.primitives import PRIMITIVES
from sim.titles.majestic.schema import KEYWORDS
from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    basic,
    cast,
    made,
    played,
    sorcerer,
    spell,
    stage,
    unit,
    where,
)

# Whom effects on units reach

#: In the battle below: (seat, place) of everybody, as the seat on turn calls them.
WHOM = {
    "own": {(1, 1), (1, 2), (1, 3)},
    "enemy": {(2, 1), (2, 2), (2, 3)},
    "all": {(seat, place) for seat in (1, 2) for place in (1, 2, 3)},
    "attacker": {(1, 1)},
    "blocker": {(2, 3)},
    "target": {(1, 2)},
}

#: Effects on units, and whether one shows them afterwards (None: it has left).
DONE = {
    ("damage {} 2",): lambda one: one["damage"] == 2,
    ("ap {} 3",): lambda one: one["ap"] == 3,
    ("ap {} -3", "ap {} 5"): lambda one: one["ap"] == 2,
    ("dp {} 2",): lambda one: one["dp"] == 8,
    ("dp {} -2",): lambda one: one["dp"] == 4,
    ("grant {} swift",): lambda one: one["keywords"] == ["swift"],
    ("ready {}",): lambda one: one["ready"],
    ("ready all", "turn_down {}"): lambda one: not one["ready"],
    ("shift {} other",): lambda one: one["front"] == one["was_behind"],
    ("destroy {}",): lambda one: one["place"] == "trash",
    ("return {}",): lambda one: one["place"] == "hand",
}


def seen(game):
    """Return all units by (seat, place); of rocks that have left only where they are."""
    found = {}
    for seat in (1, 2):
        units = game.units(seat)
        for place in (1, 2, 3):
            one = units.get(place)
            if one is None:
                # All rocks are alike: either all that have left are in hand, or none is.
                there = "hand" if "rock" in game.hand(seat) else "trash"
                one = dict.fromkeys(("damage", "ap", "dp", "ready", "front", "keywords"))
            else:
                there = "field"
            found[seat, place] = {**one, "place": there, "was_behind": place == 3}
    return found


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("caster", [1, 2])
@pytest.mark.parametrize("whom", WHOM)
@pytest.mark.parametrize("effects", DONE, ids=" ".join)
def test_whom_an_effect_reaches(effects, whom, caster):
    # Three rocks with 0 AP a seat, the first two in front; the attacker is seat 1's first, the
    # blocker seat 2's last one. Everybody is down.
    texts = [effect.format(whom) for effect in effects]
    target = {"target": "any", "where": "target_dp >= 0"} if whom == "target" else {}
    rules = made(*BODIES, spell("rite", *texts, needs="exchange == 2", **target))
    sleeping = {"unit": "rock", "down": True}
    one = {"front": ["rock", sleeping], "back": [sleeping]}
    other = {"front": [sleeping, sleeping], "back": ["rock"]}
    (one if caster == 1 else other)["hand"] = ["rite"]
    call = {1: "own_2", 2: "enemy_2"}[caster]
    answers = {1: {"attack": ["own_1"]}, 2: {"block": ["own_3"]}}
    answers[caster] |= {"exchange": ["rite"], "target": [call]}
    lineup = asked(answers[1], answers[2])
    game = stage(one, other, rules=rules, phase="battle", lineup=lineup)
    game.battle_phase()
    reached = WHOM[whom]
    if whom in ("own", "enemy") and caster == 2:
        reached = WHOM["enemy" if whom == "own" else "own"]
    shows = DONE[effects]
    assert {unit for unit, found in seen(game).items() if shows(found)} == reached
    assert "rite" in game.trash(caster)


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("effects", DONE, ids=" ".join)
@pytest.mark.parametrize("way", ["ability", "played"])
def test_self_is_the_unit_whose_text_it_is(effects, way):
    texts = [effect.format("self") for effect in effects]
    text = {"ability": {"effects": texts}} if way == "ability" else {"effects": texts}
    rules = made(*BODIES, unit("stone", 0, 6, **text))
    sleeping = {"unit": "rock", "down": "ready" in effects[0]}
    if way == "ability":
        own = {"front": [sleeping, {"unit": "stone", "down": sleeping["down"]}], "back": [sleeping]}
        choices = ["own_2"]
    else:
        own = {"front": [{**sleeping, "place": 1}], "back": [{**sleeping, "place": 3}]}
        own["hand"] = ["stone"]
        choices = ["stone", "to_front"]
    game = played(own, {"front": [sleeping]}, *choices, rules=rules)
    units = {
        place: {**one, "was_behind": place == 3, "place": "field"}
        for place, one in game.units(1).items()
    }
    away = {"destroy self": "trash", "return self": "hand"}.get(texts[0])
    if away:
        assert (set(units), where(game, 1)[away]) == ({1, 3}, ["stone"])
    elif texts == ["ready self"] and way == "played":
        assert units[2]["ready"]
    else:
        shows = DONE[effects]
        assert {place for place, one in units.items() if shows(one)} == {2}


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("to", ["front", "back", "other"])
def test_units_are_shifted_to_an_area(to):
    own = {"front": ["rat"], "back": ["rock"], "hand": ["rite"]}
    game = played(own, {}, "rite", rules=made(*BODIES, spell("rite", f"shift own {to}")))
    front = {"front": ["rat", "rock"], "back": [], "other": ["rock"]}[to]
    assert game.front(1) == front
    # An effect is no move of the unit itself.
    assert [one["moved"] for one in game.units(1).values()] == [False, False]


@pytest.mark.rule("MM-K1")
def test_what_is_fresh_or_has_moved_can_be_shifted():
    bound = {"unit": "rat", "fresh": True, "moved": True, "keywords": ["bound"]}
    own = {"front": [bound], "hand": ["rite"]}
    game = played(own, {}, "rite", rules=made(*BODIES, spell("rite", "shift own back")))
    assert game.back(1) == ["rat"]


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("word", KEYWORDS)
def test_each_keyword_can_be_granted_and_once_is_enough(word):
    rules = made(*BODIES, spell("rite", f"grant own {word}"))
    own = {"front": ["rat"], "hand": ["rite", "rite"]}
    game = played(own, {"front": ["rat"]}, "rite", "rite", rules=rules)
    assert (game.unit(1, 1)["keywords"], game.unit(2, 1)["keywords"]) == ([word], [])


@pytest.mark.rule("MM-K1")
def test_units_go_to_hand_and_trash_of_their_owner():
    rules = made(*BODIES, spell("home", "return enemy"), spell("slay", "destroy enemy"))
    for card, zone in (("home", "hand"), ("slay", "trash")):
        game = played({"hand": [card]}, {"front": ["rat"], "back": ["rock"]}, card, rules=rules)
        assert getattr(game, zone)(2) == ["rat", "rock"]
        assert game.counter(2, "units_returned" if zone == "hand" else "units_lost") == 2
        assert where(game, 1)["trash"] == [card]


# Numbers


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize(
    ("effect", "ap"),
    [
        ("ap own 20", 22),
        ("ap own -20", 0),
        ("ap own 20 per enemy_hand", 2 + 99),
        ("ap own 3 per enemy_hand", 2 + 18),
        ("ap own 1 per hand", 2),
    ],
)
def test_numbers_are_multiplied_and_held_within_99(effect, ap):
    own, other = {"front": ["grunt"]}, {"hand": ["rat"] * 6}
    assert cast(own, other, effect).unit(1, 1)["ap"] == ap


@pytest.mark.rule("MM-K1")
def test_ap_below_0_are_held_within_99_too():
    own, other = {"front": ["grunt"]}, {"hand": ["rat"] * 6}
    game = cast(own, other, "ap own -20 per enemy_hand", *["ap own 20"] * 5)
    # 2 less 99, not less 120, and 100 more.
    assert game.unit(1, 1)["ap"] == 3


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize(("hand", "drawn"), [(0, 0), (1, 2), (3, 6)])
def test_other_numbers_are_multiplied(hand, drawn):
    game = cast({"deck": ["rat"] * 9}, {"hand": ["rat"] * hand}, "draw own 2 per enemy_hand")
    assert game.counter(1, "drawn") == drawn


# Cards are data


@pytest.mark.rule("MM-K1")
def test_numbers_of_cards_are_data():
    texts = (*BODIES, unit("guest", 2, 3, cost=1), sorcerer("seer", "draw own 1", cost=1))
    plain = made(*texts)
    changes = ("ap=7", "dp=9", "cost=2", 'attribute="wind"', 'keywords=["swift"]')
    other = made(*texts, overrides=tuple(f"cards.guest.{change}" for change in changes))
    for rules, mana, ap, dp in ((plain, basic(fire=1), 2, 3), (other, basic(wind=2), 7, 9)):
        game = played({"hand": ["guest"], "mana": mana}, {}, "guest", "to_front", rules=rules)
        found = game.unit(1, 1)
        assert (found["ap"], found["dp"], found["keywords"]) == (
            ap,
            dp,
            [] if ap == 2 else ["swift"],
        )
        assert game.ready_mana(1) == []
    game = stage({"hand": ["guest"], "mana": basic(fire=2)}, {}, rules=other)
    assert "guest" not in game.options("main", 1)


@pytest.mark.rule("MM-K1")
def test_texts_are_data():
    texts = (*BODIES, spell("rite", "draw own 1"))
    changed = made(
        *texts, overrides=('cards.rite.effects=["mill own 2"]', 'cards.rite.needs="lp >= 6"')
    )
    own = {"hand": ["rite"], "deck": ["rat"] * 5}
    assert played(own, {}, "rite", rules=made(*texts)).hand(1) == ["rat"]
    assert played(own, {}, "rite", rules=changed).trash(1) == ["rat", "rat", "rite"]
    assert stage({**own, "lp": basic(fire=5)}, {}, rules=changed).options("main", 1) == ["stop"]


#: What the tests of zones are about.
ON_ZONES = "draw discard mill hit heal mana refresh recycle search salvage revive deploy"


@pytest.mark.rule("MM-K1")
def test_no_primitive_is_forgotten():
    on_units = {text.split()[0] for effects in DONE for text in effects}
    known = {primitive.id for primitive in PRIMITIVES}
    assert on_units | set(ON_ZONES.split()) == known
