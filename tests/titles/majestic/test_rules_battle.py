"""MM-B: damage of battles, LP cards that go to the mana zone, the end of a battle."""

from __future__ import annotations

import pytest

from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    basic,
    fought,
    made,
    spell,
    stage,
    unit,
)
from tests.titles.majestic.staging import chosen, mana_card

PASS = "stop"
RULES = made(*BODIES)

# MM-B4


@pytest.mark.rule("MM-B4")
@pytest.mark.parametrize(
    ("attacker", "blocker", "hurt", "gone"),
    [
        ("grunt", "grunt", (2, 2), (0, 0)),
        ("brute", "grunt", (2, 4), (0, 1)),
        ("grunt", "brute", (4, 2), (1, 0)),
        ("rat", "rat", (1, 1), (1, 1)),
        ("rat", "rock", (0, 1), (0, 0)),
        ("rock", "rock", (0, 0), (0, 0)),
    ],
)
def test_both_deal_their_ap_at_the_same_time(attacker, blocker, hurt, gone):
    game = fought({"front": [attacker]}, {"back": [blocker]}, attacker=1, blocker=1, rules=RULES)
    for seat, kind in ((1, attacker), (2, blocker)):
        dead = gone[seat - 1]
        assert game.trash(seat) == [kind] * dead
        assert [one["damage"] for one in game.units(seat).values()] == [hurt[seat - 1]] * (1 - dead)
    assert len(game.lp(2)) == 6
    assert [game.counter(seat, "units_lost") for seat in (1, 2)] == list(gone)


@pytest.mark.rule("MM-B4")
@pytest.mark.parametrize(
    ("damage", "gone"), [(0, False), (1, False), (2, False), (3, True), (4, True)]
)
def test_damage_as_large_as_dp_destroys(damage, gone):
    # A brute has 5 DP and is dealt 2.
    other = {"back": [{"unit": "brute", "damage": damage}]}
    game = fought({"front": ["grunt"]}, other, attacker=1, blocker=1, rules=RULES)
    assert game.trash(2) == (["brute"] if gone else [])
    assert [one["damage"] for one in game.units(2).values()] == ([] if gone else [damage + 2])


@pytest.mark.rule("MM-B4")
def test_damage_adds_up_over_the_battles_of_a_turn():
    wake = made(*BODIES, spell("wake", "ready own"))
    one, other = {"front": ["grunt"] * 3}, {"back": ["rock"], "hand": ["wake"] * 2}
    game = stage(one, other, rules=wake, phase="battle")
    game.choices[1].extend(["own_1", "own_2", "own_3"])
    # In the second exchange of each battle the blocker is readied.
    game.choices[2].extend([PASS, "own_1", "wake", PASS, PASS, "own_1", "wake", "own_1"])
    game.battle_phase()
    assert (game.trash(2), len(game.lp(2))) == (["wake", "wake", "rock"], 6)
    assert game.counter(2, "blocks") == 3


@pytest.mark.rule("MM-B4")
def test_bonuses_count_in_battle():
    one = {"unit": "grunt", "ap": 3}
    other = {"unit": "grunt", "dp": 2, "ap": -1}
    game = fought({"front": [one]}, {"back": [other]}, attacker=1, blocker=1, rules=RULES)
    assert (game.unit(1, 1)["damage"], game.trash(2)) == (1, ["grunt"])
    sturdy = {**other, "dp": 3}
    game = fought({"front": [one]}, {"back": [sturdy]}, attacker=1, blocker=1, rules=RULES)
    assert (game.unit(2, 1)["damage"], game.unit(2, 1)["dp"]) == (5, 6)


LEAVES = made(
    *BODIES,
    spell("slay", "destroy blocker"),
    spell("home", "return blocker"),
    spell("push", "shift blocker front"),
    spell("fell", "destroy attacker"),
)


@pytest.mark.rule("MM-B4")
@pytest.mark.parametrize("card", ["slay", "home"])
def test_a_blocker_that_has_left_still_blocks(card):
    one = {"front": ["brute"], "hand": [card]}
    game = fought(
        one,
        {"back": ["grunt"]},
        attacker=1,
        blocker=1,
        first=[(1, PASS)],
        second=[(1, card)],
        rules=LEAVES,
    )
    assert (game.units(2), len(game.lp(2)), game.unit(1, 1)["damage"]) == ({}, 6, 0)
    assert [game.counter(1, name) for name in ("attacks_blocked", "attacks_ended")] == [1, 0]


@pytest.mark.rule("MM-B4")
def test_an_attacker_that_has_left_deals_and_takes_nothing():
    other = {"back": ["grunt"], "hand": ["fell"]}
    more = {"first": [(2, PASS)], "second": [(2, "fell")], "rules": LEAVES}
    game = fought({"front": ["brute"]}, other, attacker=1, blocker=1, **more)
    assert (game.trash(1), game.unit(2, 1)["damage"], len(game.lp(2))) == (["brute"], 0, 6)


@pytest.mark.rule("MM-B4")
def test_a_blocker_that_was_moved_fights_on():
    one = {"front": ["grunt"], "hand": ["push"]}
    more = {"first": [(1, PASS)], "second": [(1, "push")], "rules": LEAVES}
    game = fought(one, {"back": ["rock"]}, attacker=1, blocker=1, **more)
    assert (game.front(2), game.unit(2, 1)["damage"]) == (["rock"], 2)


@pytest.mark.rule("MM-B4")
@pytest.mark.parametrize(
    ("effect", "unit_", "gone"),
    [
        ("damage target 2", {"unit": "grunt"}, False),
        ("damage target 3", {"unit": "grunt"}, True),
        ("damage target 1", {"unit": "grunt", "damage": 2}, True),
        ("dp target -1", {"unit": "grunt", "damage": 1}, False),
        ("dp target -1", {"unit": "grunt", "damage": 2}, True),
        ("dp target -2", {"unit": "grunt"}, False),
        ("dp target -3", {"unit": "grunt"}, True),
        ("dp target -9", {"unit": "grunt"}, True),
        ("dp target -9", {"unit": "grunt", "dp": 7}, False),
        ("damage target 3", {"unit": "grunt", "dp": 1}, False),
    ],
)
def test_destruction_is_tested_whenever_damage_or_dp_change(effect, unit_, gone):
    rules = made(*BODIES, spell("rite", effect, target="enemy"))
    game = stage({"hand": ["rite"]}, {"front": [unit_]}, rules=rules)
    game.choices[1].append("rite")
    game.main_phase()
    assert game.trash(2) == (["grunt"] if gone else [])


@pytest.mark.rule("MM-B4")
def test_it_is_tested_between_two_effects():
    # The help comes too late for the unit, and in time the other way round.
    for effects, gone in (
        (("damage target 3", "dp target 5"), True),
        (("dp target 5", "damage target 3"), False),
    ):
        rules = made(*BODIES, spell("rite", *effects, target="enemy"))
        game = stage({"hand": ["rite"]}, {"front": ["grunt"]}, rules=rules)
        game.choices[1].append("rite")
        game.main_phase()
        assert game.trash(2) == (["grunt"] if gone else [])


@pytest.mark.rule("MM-B4")
@pytest.mark.rule("MM-U5")
def test_a_unit_that_takes_the_place_of_the_blocker_does_not_block():
    swap = made(*BODIES, spell("swap", "destroy blocker", "revive 9"))
    other = {"back": ["grunt"], "hand": ["swap"], "trash": ["rock"]}
    second = [(2, "swap"), (2, "rock"), (2, "to_back")]
    more = {"first": [(2, PASS)], "second": second, "rules": swap}
    game = fought({"front": ["brute"]}, other, attacker=1, blocker=1, **more)
    found = game.unit(2, 1)
    assert (found["unit"], found["damage"], found["ready"]) == ("rock", 0, True)
    assert (len(game.lp(2)), game.unit(1, 1)["damage"]) == (6, 0)


# MM-B5

SPRINGS = made(
    *BODIES,
    mana_card("well", effects=["draw own 1"]),
    mana_card("fang", effects=["damage attacker 2"]),
    mana_card("hook", target="enemy", effects=["damage target 2"]),
    mana_card("bond", target="own", effects=["ap target 1"]),
    mana_card("rare", needs="hand >= 2", effects=["draw own 1"]),
    mana_card("chain", effects=["mana ready 1"]),
)


@pytest.mark.rule("MM-B5")
@pytest.mark.parametrize("kind", ["rock", "rat", "grunt", "brute"])
def test_an_attack_deals_1_damage_whatever_the_ap(kind):
    other = {"lp": ["wind_mana", "fire_mana", "earth_mana"], "mana": ["water_mana"]}
    game = fought({"front": [kind]}, other, attacker=1, rules=SPRINGS)
    assert game.lp(2) == ["fire_mana", "earth_mana"]
    assert game.mana(2) == game.ready_mana(2) == ["water_mana", "wind_mana"]
    assert (game.mana(1), len(game.lp(1)), game.counter(1, "lp_by_attacks")) == ([], 6, 1)


@pytest.mark.rule("MM-B5")
@pytest.mark.parametrize("ap", [-20, 20])
def test_nor_do_ap_that_effects_added_matter(ap):
    game = fought({"front": [{"unit": "grunt", "ap": ap}]}, {}, attacker=1, rules=SPRINGS)
    assert len(game.lp(2)) == 5


@pytest.mark.rule("MM-B5")
@pytest.mark.parametrize("answer", ["use_effect", PASS])
def test_the_defender_may_use_the_effect_of_special_mana(answer):
    other = {"lp": ["well", "fire_mana"], "deck": ["rat", "rat"]}
    game = stage({"front": ["grunt"]}, other, rules=SPRINGS, phase="battle")
    game.choices[1].append("own_1")
    game.choices[2].append(answer)
    game.battle_phase()
    used = answer == "use_effect"
    assert chosen(game, "special") == [(2, ["use_effect", PASS], answer)]
    assert (game.hand(1), game.hand(2)) == ([], ["rat"] * used)
    assert (game.ready_mana(2), game.counter(2, "special_used")) == (["well"], used)


@pytest.mark.rule("MM-B5")
def test_the_battle_is_still_on_when_the_effect_is_used():
    other = {"lp": ["fang", "fire_mana"]}
    game = stage({"front": ["rat"]}, other, rules=SPRINGS, phase="battle")
    game.choices[1].append("own_1")
    game.choices[2].append("use_effect")
    game.battle_phase()
    assert game.trash(1) == ["rat"]


@pytest.mark.rule("MM-B5")
def test_own_and_enemy_are_as_the_defender_sees_them():
    other = {"lp": ["hook", "bond", "fire_mana"], "front": ["grunt"]}
    game = stage({"front": ["rock", "brute"]}, other, rules=SPRINGS, phase="battle")
    game.choices[1].extend(["own_1", "own_2"])
    game.choices[2].extend(["use_effect", "enemy_2", "use_effect"])
    game.battle_phase()
    assert (game.unit(1, 2)["damage"], game.unit(1, 1)["damage"]) == (2, 0)
    assert game.unit(2, 1)["ap"] == 3


@pytest.mark.rule("MM-B5")
@pytest.mark.parametrize(
    ("card", "more", "can"),
    [
        ("bond", {}, False),
        ("bond", {"front": ["rock"]}, True),
        ("rare", {"hand": ["rat"]}, False),
        ("rare", {"hand": ["rat", "rat"]}, True),
    ],
)
def test_what_cannot_be_used_is_not_asked_for(card, more, can):
    other = {"lp": [card, "fire_mana"], **more}
    game = stage({"front": ["grunt"]}, other, rules=SPRINGS, phase="battle")
    game.choices[1].append("own_1")
    game.battle_phase()
    assert len(chosen(game, "special")) == can
    assert game.ready_mana(2) == [card]


@pytest.mark.rule("MM-B5")
def test_special_mana_can_bring_special_mana():
    other = {"lp": ["chain", "fire_mana"], "mana_deck": ["well", "fire_mana", "fire_mana"]}
    game = stage({"front": ["grunt"]}, other, rules=SPRINGS, phase="battle")
    game.choices[1].append("own_1")
    game.choices[2].extend(["use_effect", "use_effect"])
    game.battle_phase()
    assert (game.ready_mana(2), len(game.hand(2))) == (["chain", "well"], 1)


# MM-B6

AFTER = made(
    *BODIES,
    spell("slay", "destroy attacker", "destroy blocker"),
    unit("sage", 1, 9, ability={"effects": ["draw own 1"], "needs": "self_fights == 1"}),
)


@pytest.mark.rule("MM-B6")
@pytest.mark.parametrize("blocks", [True, False])
def test_after_damage_the_battle_ends(blocks):
    one = {"front": ["rock", "sage"], "hand": ["slay"]}
    lineup = asked({"attack": ["own_2", "own_1"]}, {"block": ["own_1" if blocks else PASS]})
    game = stage(one, {"back": ["rock"]}, rules=AFTER, phase="battle", lineup=lineup)
    game.battle_phase()
    offered = [options for _, decision, options in lineup[0].log if decision == "exchange"]
    number = 2 if blocks else 1
    # In the second battle the sage fights no more.
    assert offered == [["slay", "own_2", PASS]] * number + [["slay", PASS]]
    assert game.counter(1, "attacks") == 2


@pytest.mark.rule("MM-B6")
def test_outside_battles_there_is_neither_attacker_nor_blocker():
    game = stage({"front": ["rat"], "hand": ["slay"]}, {"back": ["rat"]}, rules=AFTER)
    game.choices[1].append("slay")
    game.main_phase()
    assert (game.front(1), game.back(2), game.trash(1)) == (["rat"], ["rat"], ["slay"])
    game = stage({"front": ["sage"]}, {}, rules=AFTER)
    assert game.options("main", 1) == ["retreat", PASS]


@pytest.mark.rule("MM-B6")
def test_an_attack_without_a_blocker_has_none_for_effects():
    one = {"front": ["rock"], "hand": ["slay"]}
    game = fought(
        one, {"back": ["rat"], "mana": basic(fire=1)}, attacker=1, first=[(1, "slay")], rules=AFTER
    )
    assert (game.trash(1), game.back(2)) == (["rock", "slay"], ["rat"])
