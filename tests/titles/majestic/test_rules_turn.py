"""MM-T: the phases of a turn, one by one, and what each leaves behind."""

from __future__ import annotations

import pytest

from sim.errors import InputError
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
    where,
)
from tests.titles.majestic.staging import chosen, mana_card

WELL = mana_card("well", effects=["draw own 1"])
RULES = made(*BODIES, WELL)

#: Everything down.
SLEEPING = {
    "front": [{"unit": "grunt", "down": True}],
    "back": [{"unit": "brute", "down": True}, "rat"],
    "mana": [{"mana": "fire_mana", "down": True}, "wind_mana"],
    "sorcerer_down": True,
}


def awake(game, seat):
    """Return what of a seat is ready: units by place, mana, sorcerer."""
    units = [unit["ready"] for unit in game.units(seat).values()]
    return units, sorted(game.ready_mana(seat)), game.sorcerer_ready(seat)


# The order of phases


@pytest.mark.rule("MM-T1")
def test_a_turn_has_six_phases_and_then_the_other_seat_has_one():
    game = stage({}, {}, phase="regenerate", rules=RULES)
    seen = []
    for _ in range(13):
        seen.append((game.round, game.seat, game.phase))
        game.play_phase()
    phases = ["regenerate", "draw", "mana", "main", "battle", "end"]
    assert seen[:12] == [(1, seat, phase) for seat in (1, 2) for phase in phases]
    assert seen[12] == (2, 1, "regenerate")


@pytest.mark.rule("MM-T1")
def test_a_phase_is_played_in_its_turn_only():
    game = stage({}, {}, phase="draw", rules=RULES)
    with pytest.raises(InputError):
        game.mana_phase()
    assert game.phase == "draw"


# MM-T1


@pytest.mark.rule("MM-T1")
@pytest.mark.parametrize("seat", [1, 2])
def test_the_own_cards_come_up(seat):
    game = stage(SLEEPING, SLEEPING, rules=RULES, phase="regenerate", seat=seat)
    asleep = ([False, False, True], ["wind_mana"], False)
    assert awake(game, 1) == awake(game, 2) == asleep
    game.regenerate_phase()
    assert awake(game, seat) == ([True, True, True], ["fire_mana", "wind_mana"], True)
    assert awake(game, 3 - seat) == asleep


@pytest.mark.rule("MM-T1")
def test_coming_up_heals_and_moves_nothing():
    hurt = {"unit": "brute", "down": True, "damage": 2}
    game = stage({"front": [hurt]}, {}, rules=RULES, phase="regenerate", round=2)
    game.regenerate_phase()
    assert (game.unit(1, 1)["damage"], game.front(1)) == (2, ["brute"])


@pytest.mark.rule("MM-T1")
@pytest.mark.parametrize(("round_", "seat", "drawn"), [(1, 1, 0), (1, 2, 1), (2, 1, 1), (2, 2, 1)])
def test_only_the_very_first_turn_has_no_draw_phase(round_, seat, drawn):
    both = {"deck": ["rat", "grunt", "brute"]}
    game = stage(both, both, rules=RULES, phase="draw", round=round_, seat=seat)
    game.draw_phase()
    assert game.hand(seat) == ["rat"][:drawn]
    assert game.deck(seat) == ["rat", "grunt", "brute"][drawn:]
    assert game.hand(3 - seat) == []


@pytest.mark.rule("MM-T1")
@pytest.mark.parametrize("choice", ["put_mana", "draw_card"])
def test_the_very_first_turn_has_its_mana_phase_whole(choice):
    own = {"deck": ["rat", "grunt"], "mana_deck": ["wind_mana", "fire_mana"]}
    game = stage(own, {}, rules=RULES, phase="regenerate", choices={1: [choice]})
    game.play_turn()
    assert chosen(game, "mana_phase") == [(1, ["put_mana", "draw_card"], choice)]
    drawn = choice == "draw_card"
    assert (game.hand(1), game.mana(1)) == (["rat"] * drawn, ["wind_mana"] * (not drawn))


@pytest.mark.rule("MM-T1")
@pytest.mark.parametrize(("draw", "first"), [(0, 2), (2, 0), (3, 1)])
def test_the_numbers_of_cards_drawn_are_data(draw, first):
    rules = made(*BODIES, overrides=(f"turn.draw={draw}", f"turn.first_draw={first}"))
    for round_, seat, drawn in ((1, 1, first), (1, 2, draw), (2, 1, draw)):
        game = stage({}, {}, rules=rules, phase="draw", round=round_, seat=seat)
        game.draw_phase()
        assert len(game.hand(seat)) == drawn


# MM-T2


@pytest.mark.rule("MM-T2")
def test_mana_is_put_face_up_and_ready():
    own = {"mana_deck": ["wind_mana", "fire_mana", "well"], "mana": ["earth_mana"]}
    game = stage(own, {}, rules=RULES, phase="mana", choices={1: ["put_mana"]})
    game.mana_phase()
    assert game.mana(1) == game.ready_mana(1) == ["earth_mana", "wind_mana"]
    assert game.mana_deck(1) == ["fire_mana", "well"]
    assert (game.hand(1), len(game.deck(1))) == ([], 10)


@pytest.mark.rule("MM-T2")
def test_or_a_card_is_drawn():
    own = {"deck": ["rat", "grunt"], "hand": ["brute"]}
    game = stage(own, {}, rules=RULES, phase="mana", choices={1: ["draw_card"]})
    game.mana_phase()
    assert (game.hand(1), game.deck(1)) == (["brute", "rat"], ["grunt"])
    assert (game.mana(1), len(game.mana_deck(1))) == ([], 10)


@pytest.mark.rule("MM-T2")
@pytest.mark.parametrize("number", [2, 3])
def test_the_number_of_cards_drawn_for_mana_is_data(number):
    rules = made(*BODIES, overrides=(f"turn.mana_draw={number}",))
    game = stage({}, {}, rules=rules, phase="mana", choices={1: ["draw_card"]})
    game.mana_phase()
    assert (len(game.hand(1)), len(game.deck(1))) == (number, 10 - number)


@pytest.mark.rule("MM-T2")
@pytest.mark.parametrize("zone", [{}, {"deck": ["rat"]}, {"mana_deck": ["well"]}])
def test_both_are_legal_and_neither_is_no_choice(zone):
    game = stage(zone, {}, rules=RULES, phase="mana", choices={1: ["put_mana"]})
    game.mana_phase()
    assert chosen(game, "mana_phase") == [(1, ["put_mana", "draw_card"], "put_mana")]
    # To empty a deck loses, though it was legal.
    assert game.over == ("mana_deck" in zone)


@pytest.mark.rule("MM-T2")
@pytest.mark.parametrize("answer", ["use_effect", "stop"])
def test_the_effect_of_special_mana_may_be_used(answer):
    own = {"mana_deck": ["well", "fire_mana"], "deck": ["rat", "grunt"]}
    game = stage(own, {}, rules=RULES, phase="mana", choices={1: ["put_mana", answer]})
    game.mana_phase()
    assert chosen(game, "special") == [(1, ["use_effect", "stop"], answer)]
    assert game.hand(1) == (["rat"] if answer == "use_effect" else [])
    assert game.ready_mana(1) == ["well"]


@pytest.mark.rule("MM-T2")
def test_basic_mana_has_no_effect_to_use():
    game = stage({}, {}, rules=RULES, phase="mana", choices={1: ["put_mana"]})
    game.mana_phase()
    assert chosen(game, "special") == []


@pytest.mark.rule("MM-T2")
def test_special_mana_asks_for_its_target():
    fang = mana_card("fang", target="enemy", where="target_ap >= 2", effects=["damage target 1"])
    rules = made(*BODIES, fang)
    own = {"mana_deck": ["fang", "fire_mana"]}
    game = stage(own, {"front": ["rat", "grunt", "brute"]}, rules=rules, phase="mana")
    game.choices[1].extend(["put_mana", "use_effect", "enemy_3"])
    game.mana_phase()
    assert chosen(game, "target") == [(1, ["enemy_2", "enemy_3"], "enemy_3")]
    assert [one["damage"] for one in game.units(2).values()] == [0, 0, 1]
    # Without a legal target it is put and cannot be used.
    game = stage(own, {"front": ["rat"]}, rules=rules, phase="mana", choices={1: ["put_mana"]})
    game.mana_phase()
    assert (chosen(game, "special"), game.ready_mana(1)) == ([], ["fang"])


# MM-T3

BUSY = made(
    *BODIES,
    unit("sage", 1, 3, ability={"effects": ["draw own 1"]}),
    spell("bolt", "damage target 2", target="enemy"),
    sorcerer("seer", "draw own 1", down=True),
)


@pytest.mark.rule("MM-T3")
@pytest.mark.parametrize(("area", "front"), [("to_front", True), ("to_back", False)])
def test_a_unit_is_played_to_either_area_ready(area, front):
    game = played({"hand": ["grunt", "rat"]}, {}, "grunt", area, rules=BUSY)
    assert chosen(game, "area") == [(1, ["to_front", "to_back"], area)]
    assert (game.front(1), game.back(1)) == ((["grunt"], []) if front else ([], ["grunt"]))
    assert (game.unit(1, 1)["ready"], game.hand(1)) == (True, ["rat"])


@pytest.mark.rule("MM-T3")
@pytest.mark.parametrize(
    ("begin", "word", "end"), [("front", "retreat", "back"), ("back", "advance", "front")]
)
@pytest.mark.parametrize("down", [False, True])
def test_a_unit_moves_to_the_other_area_down_or_not(begin, word, end, down):
    moved = {"unit": "grunt", "down": down, "damage": 1}
    game = played({begin: [moved]}, {}, word, rules=BUSY)
    assert (getattr(game, begin)(1), getattr(game, end)(1)) == ([], ["grunt"])
    found = game.unit(1, 1)
    assert (found["ready"], found["damage"], found["moved"]) == (not down, 1, True)


@pytest.mark.rule("MM-T3")
def test_a_unit_moves_once_a_turn():
    own = {"front": ["grunt"], "back": ["rat", {"unit": "brute", "moved": True}]}
    game = stage(own, {}, rules=BUSY)
    assert game.options("main", 1) == ["advance", "retreat", "stop"]
    game.choices[1].extend(["retreat", "advance"])
    game.main_phase()
    # Of those in the back area only the rat had not moved.
    assert (game.front(1), game.back(1)) == (["rat"], ["grunt", "brute"])
    assert game.options("main", 1) == ["stop"]
    for _ in range(8):
        game.play_phase()  # to the own next turn: battle, end, all of seat 2
    while game.phase != "main" or game.seat != 1:
        game.play_phase()
    assert game.options("main", 1)[-3:] == ["advance", "retreat", "stop"]


@pytest.mark.rule("MM-T3")
def test_which_unit_moves_is_chosen():
    own = {"back": ["rat", "grunt", "brute"]}
    game = played(own, {}, "advance", "own_2", "advance", "own_3", rules=BUSY)
    assert [options for _, options, _ in chosen(game, "move")] == [
        ["own_1", "own_2", "own_3"],
        ["own_1", "own_3"],
    ]
    assert (game.front(1), game.back(1)) == (["grunt", "brute"], ["rat"])


@pytest.mark.rule("MM-T3")
def test_all_in_any_order_and_number():
    own = {
        "hand": ["bolt", "bolt", "grunt", "rat"],
        "front": ["sage"],
        "sorcerer": "seer",
        "deck": ["rock", "rock", "rock"],
    }
    order = ["own_1", "bolt", "grunt", "to_front", "retreat", "sorcery", "rat", "to_back", "bolt"]
    game = played(own, {"front": ["brute"]}, *order, rules=BUSY)
    assert (game.front(1), game.back(1)) == (["grunt"], ["sage", "rat"])
    assert (game.hand(1), game.trash(1)) == (["rock", "rock"], ["bolt", "bolt"])
    assert game.unit(2, 1)["damage"] == 4
    assert (game.sorcerer_ready(1), game.phase) == (False, "battle")


@pytest.mark.rule("MM-T3")
def test_nothing_must_be_done():
    own = {"hand": ["grunt", "bolt"], "front": ["sage"], "sorcerer": "seer"}
    game = stage(own, {"front": ["brute"]}, rules=BUSY)
    before = where(game, 1), where(game, 2)
    game.main_phase()
    assert (where(game, 1), where(game, 2)) == before


# MM-T4

FIGHT = made(
    *BODIES,
    spell("call", "ready target", target="own"),
    unit("sage", 1, 3, ability={"effects": ["draw own 1"]}),
    sorcerer("seer", "draw own 1"),
)


@pytest.mark.rule("MM-T4")
@pytest.mark.parametrize("number", range(4))
def test_any_number_of_battles_one_after_the_other(number):
    game = stage({"front": ["grunt", "rat", "brute"]}, {}, rules=FIGHT, phase="battle")
    game.choices[1].extend(["own_2", "own_3", "own_1"][:number])
    game.battle_phase()
    assert (len(game.lp(2)), game.counter(1, "attacks")) == (6 - number, number)
    assert game.phase == "end"
    left = [["own_1", "own_2", "own_3"], ["own_1", "own_3"], ["own_1"]]
    expected = [[*options, "stop"] for options in left]
    assert [options for _, options, _ in chosen(game, "attack")] == expected[: number + 1]


@pytest.mark.rule("MM-T4")
def test_a_unit_that_is_ready_again_attacks_again():
    own = {"front": ["grunt"], "hand": ["call", "call"]}
    game = stage(own, {}, rules=FIGHT, phase="battle")
    game.choices[1].extend(["own_1", "call", "stop", "own_1", "call", "own_1"])
    game.battle_phase()
    assert (len(game.lp(2)), game.counter(1, "attacks")) == (3, 3)
    assert not game.unit(1, 1)["ready"]


@pytest.mark.rule("MM-T4")
def test_there_is_no_way_back_to_the_main_phase():
    own = {
        "front": ["sage"],
        "back": [{"unit": "rat", "moved": False}],
        "hand": ["grunt", "call"],
        "sorcerer": "seer",
    }
    lineup = asked({"attack": ["own_1"]})
    game = stage(own, {}, rules=FIGHT, phase="battle", lineup=lineup)
    game.battle_phase()
    offered = {decision: options for _, decision, options in lineup[0].log}
    # No unit is played, none moves.
    assert offered["attack"] == ["own_1", "stop"]
    assert offered["exchange"] == ["call", "own_1", "sorcery", "stop"]
    with pytest.raises(InputError):
        game.main_phase()


# MM-T5

SPENT = {
    "unit": "grunt",
    "down": True,
    "fresh": True,
    "moved": True,
    "damage": 2,
    "ap": 3,
    "dp": 1,
    "keywords": ["evasive", "bound"],
}


@pytest.mark.rule("MM-T5")
@pytest.mark.parametrize("seat", [1, 2])
def test_what_was_until_the_end_of_the_turn_goes_from_all_units(seat):
    both = {"front": [SPENT], "back": [SPENT]}
    game = stage(both, both, rules=RULES, phase="end", seat=seat)
    assert (game.unit(1, 1)["ap"], game.unit(1, 1)["dp"]) == (5, 4)
    game.end_phase()
    plain = {"unit": "grunt", "ready": False, "fresh": False, "moved": False, "damage": 0}
    plain |= {"ap": 2, "dp": 3, "keywords": []}
    for other in (1, 2):
        assert game.unit(other, 1) == {**plain, "front": True}
        assert game.unit(other, 2) == {**plain, "front": False}


@pytest.mark.rule("MM-T5")
def test_printed_keywords_stay():
    rules = made(unit("scout", 1, 1, "swift", "ranged"))
    game = stage(
        {"front": [{"unit": "scout", "keywords": ["swift"]}]}, {}, rules=rules, phase="end"
    )
    game.end_phase()
    assert game.unit(1, 1)["keywords"] == ["swift", "ranged"]


@pytest.mark.rule("MM-T5")
@pytest.mark.parametrize(("damage", "bonus"), [(3, 1), (4, 2), (10, 20)])
def test_damage_goes_first_so_nobody_falls_because_a_bonus_ends(damage, bonus):
    one = {"unit": "grunt", "damage": damage, "dp": bonus}
    game = stage({"front": [one]}, {"back": [one]}, rules=RULES, phase="end")
    game.end_phase()
    assert (game.front(1), game.back(2), game.trash(1), game.trash(2)) == (
        ["grunt"],
        ["grunt"],
        [],
        [],
    )


@pytest.mark.rule("MM-T5")
@pytest.mark.parametrize("cards", range(5, 10))
def test_the_turn_player_discards_down_to_6(cards):
    hand = [*["rat"] * 4, *["grunt"] * 3, *["brute"] * 3][:cards]
    game = stage(
        {"hand": hand, "trash": ["rock"]}, {"hand": ["rock"] * 9}, rules=RULES, phase="end"
    )
    game.choices[1].extend(["grunt", "rat", "grunt"])
    game.end_phase()
    over = max(cards - 6, 0)
    thrown = ["grunt", "rat", "grunt"][:over]
    assert game.trash(1) == ["rock", *thrown]
    assert len(game.hand(1)) == min(cards, 6)
    assert sorted([*game.hand(1), *thrown]) == sorted(hand)
    assert (len(game.hand(2)), game.trash(2)) == (9, [])


@pytest.mark.rule("MM-T5")
@pytest.mark.parametrize("limit", [0, 2, 7, 8])
def test_the_limit_of_hands_is_data(limit):
    rules = made(*BODIES, overrides=(f"turn.hand_limit={limit}",))
    game = stage({"hand": ["rat"] * 8}, {}, rules=rules, phase="end", seat=1)
    game.end_phase()
    assert (len(game.hand(1)), len(game.trash(1))) == (limit, 8 - limit)


@pytest.mark.rule("MM-T5")
def test_hands_are_cut_last():
    own = {"front": [SPENT], "hand": ["rat", "grunt"] * 4}
    game = stage(own, {}, rules=RULES, phase="end")
    game.end_phase()
    order = [
        event["what"] if event["event"] == "state" else event["event"]
        for event in game.events
        if event["phase"] == "end" and event["event"] in ("choose", "state", "move")
    ]
    assert order == ["turn_ends", "choose", "move", "choose", "move"]


@pytest.mark.rule("MM-T5")
def test_mana_and_sorcerer_are_left_as_they_are():
    game = stage(SLEEPING, {}, rules=RULES, phase="end")
    game.end_phase()
    assert awake(game, 1) == ([False, False, True], ["wind_mana"], False)
    assert basic(fire=1, wind=1) == sorted(game.mana(1))
