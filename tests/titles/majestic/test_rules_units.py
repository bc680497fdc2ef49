"""MM-U: what binds units that were played, their places, what they have, their texts."""

from __future__ import annotations

import pytest

from sim.errors import InputError
from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    fought,
    made,
    played,
    spell,
    stage,
    unit,
)
from tests.titles.majestic.staging import chosen

DOWN = {"down": True, "effects": ["draw own 1"]}
UP = {"effects": ["draw own 1"]}
FRESH = {"fresh": True}

# MM-U1

NEW = made(
    *BODIES,
    unit("sage", 1, 3, ability=DOWN),
    unit("seer", 1, 3, ability=UP),
    spell("raise", "revive 9"),
    spell("send", "deploy 9"),
)


@pytest.mark.rule("MM-U1")
@pytest.mark.parametrize("area", ["to_front", "to_back"])
def test_a_unit_that_was_played_may_not_attack_move_or_turn_down(area):
    game = played({"hand": ["sage"]}, {}, "sage", area, rules=NEW)
    assert game.unit(1, 1)["fresh"]
    assert game.options("main", 1) == ["stop"]
    assert game.options("attack", 1) == ["stop"]


@pytest.mark.rule("MM-U1")
def test_others_may():
    game = stage({"front": ["sage"]}, {}, rules=NEW)
    assert game.options("main", 1) == ["own_1", "retreat", "stop"]
    assert game.options("attack", 1) == ["own_1", "stop"]


@pytest.mark.rule("MM-U1")
def test_it_may_use_an_ability_that_turns_nothing_down():
    game = played({"hand": ["seer"]}, {}, "seer", "to_front", "own_1", rules=NEW)
    assert len(game.hand(1)) == 1


@pytest.mark.rule("MM-U1")
def test_it_may_block():
    game = fought(
        {"front": ["rat"]}, {"back": [{"unit": "grunt", **FRESH}]}, attacker=1, blocker=1, rules=NEW
    )
    assert game.trash(1) == ["rat"]


@pytest.mark.rule("MM-U1")
def test_until_the_end_phase():
    game = played({"hand": ["sage"]}, {}, "sage", "to_front", rules=NEW)
    game.battle_phase()
    assert game.unit(1, 1)["fresh"]
    game.end_phase()
    assert not game.unit(1, 1)["fresh"]


@pytest.mark.rule("MM-U1")
@pytest.mark.parametrize(("card", "zone"), [("raise", "trash"), ("send", "hand")])
def test_a_unit_that_an_effect_puts_is_not_bound(card, zone):
    own = {"hand": [card]}
    own[zone] = [*own.get(zone, []), "sage"]
    game = played(own, {}, card, "sage", "to_front", rules=NEW)
    found = game.unit(1, 1)
    assert (found["unit"], found["front"], found["ready"], found["fresh"]) == (
        "sage",
        True,
        True,
        False,
    )
    assert game.options("main", 1) == ["own_1", "retreat", "stop"]
    assert game.options("attack", 1) == ["own_1", "stop"]


def limited(limit):
    return made(
        *BODIES,
        spell("raise", "revive 9"),
        spell("push", "shift target other", target="any"),
        overrides=(f"turn.area_limit={limit}",),
    )


@pytest.mark.rule("MM-U1")
@pytest.mark.parametrize("limit", [0, 1, 2, 3])
def test_areas_can_have_a_limit(limit):
    own = {"front": ["rat", "rat"], "hand": ["grunt", "raise"], "trash": ["brute"]}
    lineup = asked({"main": ["grunt"]})
    game = stage(own, {}, rules=limited(limit), lineup=lineup)
    game.main_phase()
    room = limit in (0, 3)
    assert chosen(game, "area") == ([(1, ["to_front", "to_back"], "to_front")] if room else [])
    assert game.back(1) == ([] if room else ["grunt"])
    assert len(game.front(1)) == 2 + room


@pytest.mark.rule("MM-U1")
def test_with_both_areas_full_no_unit_comes_and_none_moves():
    own = {"front": ["rat"], "back": ["rat"], "hand": ["grunt", "raise"], "trash": ["brute"]}
    game = stage(own, {}, rules=limited(1))
    assert game.options("main", 1) == ["raise", "stop"]
    game.choices[1].append("raise")
    game.main_phase()
    assert (game.units(1).keys(), game.trash(1)) == ({1, 2}, ["brute", "raise"])


@pytest.mark.rule("MM-U1")
@pytest.mark.parametrize(("full", "free"), [("front", "back"), ("back", "front")])
def test_a_unit_that_is_put_goes_where_there_is_room(full, free):
    own = {full: ["rat"], "hand": ["raise"], "trash": ["brute"]}
    game = played(own, {}, "raise", "brute", rules=limited(1))
    assert (getattr(game, free)(1), chosen(game, "area")) == (["brute"], [])


@pytest.mark.rule("MM-U1")
@pytest.mark.parametrize("whose", ["own", "enemy"])
def test_nothing_is_shifted_to_an_area_without_room(whose):
    units = {"front": ["rat"], "back": ["grunt"]}
    free = {"front": ["rat"]}
    for other, front in ((units, ["rat"]), (free, [])):
        own, enemy = ({}, other) if whose == "enemy" else (other, {})
        game = stage({**own, "hand": ["push"]}, enemy, rules=limited(1))
        game.choices[1].append("push")
        if other is units:
            game.choices[1].append(f"{whose}_1")
        game.main_phase()
        assert game.front(1 if whose == "own" else 2) == front


# MM-U2


@pytest.mark.rule("MM-U2")
@pytest.mark.parametrize("area", ["to_front", "to_back"])
def test_a_unit_takes_the_lowest_free_place(area):
    own = {
        "front": [{"unit": "rat", "place": 1}, {"unit": "rat", "place": 4}],
        "back": [{"unit": "rat", "place": 2}],
        "hand": ["grunt", "brute", "rock"],
    }
    game = played(own, {}, "grunt", area, "brute", area, "rock", area, rules=NEW)
    names = {place: one["unit"] for place, one in game.units(1).items()}
    assert names == {1: "rat", 2: "rat", 3: "grunt", 4: "rat", 5: "brute", 6: "rock"}


@pytest.mark.rule("MM-U2")
@pytest.mark.parametrize(("card", "zone"), [("raise", "trash"), ("send", "hand")])
def test_so_does_a_unit_that_an_effect_puts(card, zone):
    own = {"front": [{"unit": "rat", "place": 1}, {"unit": "rat", "place": 3}], "hand": [card]}
    own[zone] = [*own.get(zone, []), "rock"]
    game = played(own, {}, card, "rock", "to_back", rules=NEW)
    assert {place: one["unit"] for place, one in game.units(1).items()} == {
        1: "rat",
        2: "rock",
        3: "rat",
    }


@pytest.mark.rule("MM-U2")
def test_a_place_that_was_left_is_taken_again():
    rules = made(*BODIES, spell("slay", "destroy target", target="own"))
    own = {"front": ["rat", "rat", "rat"], "hand": ["slay", "grunt"]}
    game = played(own, {}, "slay", "own_2", "grunt", "to_front", rules=rules)
    assert [one["unit"] for one in game.units(1).values()] == ["rat", "grunt", "rat"]


@pytest.mark.rule("MM-U2")
def test_a_unit_keeps_its_place_whatever_area_it_is_in():
    own = {"front": ["rat", "grunt"], "back": ["brute"]}
    game = played(own, {}, "retreat", "own_1", "advance", rules=NEW)
    assert [(k, u["unit"], u["front"]) for k, u in game.units(1).items()] == [
        (1, "rat", False),
        (2, "grunt", True),
        (3, "brute", True),
    ]


@pytest.mark.rule("MM-U2")
@pytest.mark.parametrize("number", [11, 12])
def test_with_12_units_no_other_comes(number):
    front, back = ["rat"] * 6, ["grunt"] * (number - 6)
    for card in ("brute", "raise", "send"):
        own = {"front": front, "back": back, "hand": [card], "trash": ["brute"]}
        if card == "send":
            own["hand"] = ["send", "brute"]
        lineup = asked({"main": [card], "fetch": ["brute"]})
        game = stage(own, {}, rules=NEW, lineup=lineup)
        assert ("brute" in game.options("main", 1)) == (number == 11 and card in ("brute", "send"))
        if card in game.options("main", 1):
            game.main_phase()
        assert len(game.units(1)) == 12
        assert [u["unit"] for u in game.units(1).values()].count("brute") == (number == 11)


@pytest.mark.rule("MM-U2")
def test_places_of_the_other_seat_do_not_count():
    full = {"front": ["rat"] * 6, "back": ["rat"] * 6}
    game = played({"hand": ["grunt"]}, full, "grunt", "to_front", rules=NEW)
    assert game.front(1) == ["grunt"]
    with pytest.raises(InputError):
        stage({"front": ["rat"] * 13}, {}, rules=NEW)


# MM-U3

GIVE = made(*BODIES, spell("curse", "ap own -3"), spell("bless", "ap own 2", "dp own 1"))


@pytest.mark.rule("MM-U3")
def test_ap_and_dp_are_printed_and_what_effects_add():
    own = {"front": [{"unit": "grunt", "ap": 1}], "hand": ["bless", "bless"]}
    game = played(own, {}, "bless", "bless", rules=GIVE)
    assert (game.unit(1, 1)["ap"], game.unit(1, 1)["dp"]) == (7, 5)


@pytest.mark.rule("MM-U3")
def test_ap_below_0_count_as_0_and_are_added_to_all_the_same():
    own = {"front": ["grunt"], "hand": ["curse", "bless"]}
    game = played(own, {}, "curse", rules=GIVE)
    assert game.unit(1, 1)["ap"] == 0
    # 2 less 3 and 2 more.
    game = played(own, {}, "curse", "bless", rules=GIVE)
    assert game.unit(1, 1)["ap"] == 1


@pytest.mark.rule("MM-U3")
@pytest.mark.parametrize("less", [-2, -3, -9])
def test_a_unit_with_ap_below_0_deals_no_damage(less):
    weak = {"unit": "grunt", "ap": less}
    game = fought({"front": [weak]}, {"back": ["rat"]}, attacker=1, blocker=1, rules=GIVE)
    assert (game.unit(1, 1)["damage"], game.unit(2, 1)["damage"]) == (1, 0)


@pytest.mark.rule("MM-U3")
def test_until_the_end_of_the_turn():
    game = played({"front": ["grunt"], "hand": ["bless"]}, {}, "bless", rules=GIVE)
    assert (game.unit(1, 1)["ap"], game.unit(1, 1)["dp"]) == (4, 4)
    game.battle_phase()
    assert (game.unit(1, 1)["ap"], game.unit(1, 1)["dp"]) == (4, 4)
    game.end_phase()
    assert (game.unit(1, 1)["ap"], game.unit(1, 1)["dp"]) == (2, 3)


# MM-U4

TEXTS = made(
    *BODIES,
    unit("herald", 1, 1, effects=["draw own 1"]),
    unit("hunter", 1, 1, target="enemy", effects=["damage target 1", "draw own 1"]),
    unit("poet", 1, 1, needs="enemy_hand >= 1", effects=["draw own 1"]),
    unit("twin", 1, 1, target="own", effects=["ap target 1"]),
    unit("picky", 1, 1, target="enemy", where="target_ap >= 4", effects=["destroy target"]),
    unit("mixed", 1, 1, effects=["draw own 1"], ability={"effects": ["ap self 5"]}),
    spell("raise", "revive 9"),
    spell("send", "deploy 9"),
)
DECK = {"deck": ["rock"] * 5}


@pytest.mark.rule("MM-U4")
@pytest.mark.parametrize("area", ["to_front", "to_back"])
def test_the_text_works_when_the_unit_is_played(area):
    game = played({"hand": ["herald"], **DECK}, {}, "herald", area, rules=TEXTS)
    assert game.hand(1) == ["rock"]
    # Once: not when the unit fights, when the turn ends, or in the turns that follow.
    while (game.round, game.phase) != (2, "draw"):
        game.play_phase()
    assert game.counter(1, "drawn") == 1


@pytest.mark.rule("MM-U4")
@pytest.mark.parametrize(("card", "zone"), [("raise", "trash"), ("send", "hand")])
def test_it_does_not_when_an_effect_puts_the_unit(card, zone):
    own = {"hand": [card], **DECK}
    own[zone] = [*own.get(zone, []), "herald"]
    game = played(own, {}, card, "herald", "to_back", rules=TEXTS)
    assert (game.back(1), game.hand(1), game.counter(1, "drawn")) == (["herald"], [], 0)


@pytest.mark.rule("MM-U4")
def test_it_is_not_optional():
    lineup = asked({"main": ["hunter"], "area": ["to_front"], "target": ["enemy_2"]})
    own = {"hand": ["hunter"], **DECK}
    game = stage(own, {"front": ["grunt", "brute"]}, rules=TEXTS, lineup=lineup)
    game.main_phase()
    assert [(decision, options) for _, decision, options in lineup[0].log[:3]] == [
        ("main", ["hunter", "stop"]),
        ("area", ["to_front", "to_back"]),
        ("target", ["enemy_1", "enemy_2"]),
    ]
    assert (game.unit(2, 2)["damage"], game.hand(1)) == (1, ["rock"])


@pytest.mark.rule("MM-U4")
@pytest.mark.parametrize(("enemy_hand", "drawn"), [([], 0), (["rat"], 1)])
def test_when_its_needs_do_not_hold_nothing_happens(enemy_hand, drawn):
    own = {"hand": ["poet"], **DECK}
    game = played(own, {"hand": enemy_hand}, "poet", "to_front", rules=TEXTS)
    assert (game.front(1), len(game.hand(1))) == (["poet"], drawn)


@pytest.mark.rule("MM-U4")
def test_without_a_target_only_what_works_on_it_is_left_out():
    game = played({"hand": ["hunter"], **DECK}, {}, "hunter", "to_front", rules=TEXTS)
    assert (game.front(1), game.hand(1), chosen(game, "target")) == (["hunter"], ["rock"], [])


@pytest.mark.rule("MM-U4")
def test_a_target_must_be_legal():
    own = {"hand": ["picky"]}
    game = played(own, {"front": ["grunt", "rat"]}, "picky", "to_front", rules=TEXTS)
    assert game.front(2) == ["grunt", "rat"]
    game = played(own, {"front": ["grunt", "brute"]}, "picky", "to_front", rules=TEXTS)
    assert (game.front(2), game.trash(2)) == (["grunt"], ["brute"])


@pytest.mark.rule("MM-U4")
def test_the_unit_lies_on_the_field_and_can_be_its_own_target():
    game = played({"hand": ["twin"]}, {}, "twin", "to_front", rules=TEXTS)
    assert game.unit(1, 1)["ap"] == 2
    own = {"hand": ["twin"], "front": ["rat"]}
    game = played(own, {}, "twin", "to_front", "own_2", rules=TEXTS)
    assert chosen(game, "target") == [(1, ["own_1", "own_2"], "own_2")]
    assert (game.unit(1, 1)["ap"], game.unit(1, 2)["ap"]) == (1, 2)


@pytest.mark.rule("MM-U4")
def test_the_text_of_an_ability_does_not_work_when_the_unit_is_played():
    game = played({"hand": ["mixed"], **DECK}, {}, "mixed", "to_front", rules=TEXTS)
    assert (game.unit(1, 1)["ap"], game.hand(1)) == (1, ["rock"])
    game = played({"front": ["mixed"], **DECK}, {}, "own_1", rules=TEXTS)
    assert (game.unit(1, 1)["ap"], game.hand(1)) == (6, [])


@pytest.mark.rule("MM-U4")
@pytest.mark.parametrize(
    ("needs", "works"),
    [("units == 1", True), ("units == 0", False), ("hand == 0", True), ("self_front == 1", True)],
)
def test_the_text_looks_when_the_unit_lies_on_the_field(needs, works):
    rules = made(unit("poet", 1, 1, needs=needs, effects=["draw own 1"]))
    game = played({"hand": ["poet"]}, {}, "poet", "to_front", rules=rules)
    assert game.counter(1, "drawn") == works


@pytest.mark.rule("MM-U4")
def test_the_text_can_destroy_its_own_unit():
    rules = made(*BODIES, unit("bomb", 1, 2, effects=["damage all 2", "draw own 1"]))
    own = {"hand": ["bomb"], "front": ["rat"]}
    game = played(own, {"front": ["grunt", "rat"]}, "bomb", "to_back", rules=rules)
    assert (game.trash(1), game.trash(2), game.front(2)) == (["rat", "bomb"], ["rat"], ["grunt"])
    assert game.counter(1, "drawn") == 1


@pytest.mark.rule("MM-U4")
def test_what_cannot_happen_does_not_keep_a_unit_from_being_played():
    game = stage({"hand": ["hunter", "poet", "picky"]}, {}, rules=TEXTS)
    assert game.options("main", 1) == ["hunter", "picky", "poet", "stop"]


# MM-U5

LEAVE = made(
    *BODIES,
    spell("home", "return target", target="own"),
    spell("again", "destroy target", "revive 9", "damage target 1", "ap target 1", target="own"),
)
MARKED = {
    "unit": "grunt",
    "down": True,
    "moved": True,
    "damage": 2,
    "ap": 3,
    "dp": 4,
    "keywords": ["evasive"],
}


@pytest.mark.rule("MM-U5")
def test_a_unit_that_leaves_loses_everything_it_had():
    own = {"front": [MARKED], "hand": ["home"]}
    game = played(own, {}, "home", "grunt", "to_front", rules=LEAVE)
    plain = {"unit": "grunt", "front": True, "ready": True, "fresh": True, "moved": False}
    assert game.unit(1, 1) == {**plain, "damage": 0, "ap": 2, "dp": 3, "keywords": []}


@pytest.mark.rule("MM-U5")
def test_the_same_card_put_again_is_another_unit():
    own = {"front": [MARKED], "hand": ["again"]}
    game = played(own, {}, "again", "grunt", "to_back", rules=LEAVE)
    plain = {"unit": "grunt", "front": False, "ready": True, "fresh": False, "moved": False}
    # It was the target, and is so no more.
    assert game.unit(1, 1) == {**plain, "damage": 0, "ap": 2, "dp": 3, "keywords": []}


@pytest.mark.rule("MM-U5")
def test_another_unit_in_its_place_is_not_the_one_whose_text_it_is():
    effects = ["return self", "deploy 9", "ap self 5", "damage self 1"]
    rules = made(*BODIES, unit("sage", ability={"effects": effects}))
    game = played({"front": ["sage"]}, {}, "own_1", "sage", "to_front", rules=rules)
    found = game.unit(1, 1)
    assert (found["unit"], found["ap"], found["damage"]) == ("sage", 2, 0)


@pytest.mark.rule("MM-U5")
@pytest.mark.rule("MM-T3")
def test_another_unit_has_a_move_of_its_own():
    rules = made(*BODIES, unit("scout", 1, 1, "swift"), spell("home", "return own"))
    own = {"front": ["scout"], "hand": ["home"]}
    order = ["retreat", "home", "scout", "to_back", "advance"]
    game = played(own, {}, *order, rules=rules)
    assert (game.front(1), game.counter(1, "moves")) == (["scout"], 2)


@pytest.mark.rule("MM-U5")
def test_an_attacker_that_was_put_again_does_not_attack():
    own = {"front": ["grunt"], "hand": ["again"]}
    first = [(1, "again"), (1, "grunt"), (1, "to_front")]
    game = fought(own, {"back": ["rat"]}, attacker=1, first=first, rules=LEAVE)
    assert (len(game.lp(2)), game.counter(1, "attacks_ended")) == (6, 1)
    assert game.front(1) == ["grunt"]


@pytest.mark.rule("MM-U5")
@pytest.mark.rule("MM-P2")
def test_another_unit_uses_its_free_ability_anew():
    rules = made(*BODIES, unit("sage", ability=UP), spell("home", "return own"))
    own = {"front": ["sage"], "hand": ["home"], "deck": ["rock"] * 9}
    game = played(own, {}, "own_1", "home", "sage", "to_front", "own_1", rules=rules)
    assert game.counter(1, "drawn") == 2
