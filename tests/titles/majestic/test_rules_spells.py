"""MM-P: when spells are played and abilities used, free ones, and in which order all works."""

from __future__ import annotations

import pytest

from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    basic,
    fought,
    made,
    played,
    sorcerer,
    spell,
    stage,
    unit,
)
from tests.titles.majestic.staging import chosen

# MM-P1

PLAIN = made(
    *BODIES,
    unit("sage", 1, 3, ability={"effects": ["draw own 1"]}),
    unit("smith", 1, 3, ability={"down": True, "cost": 1, "effects": ["draw own 1"]}),
    spell("bolt", "damage target 2", target="enemy"),
    spell("count", "draw own 1 per trash"),
    sorcerer("seer", "draw own 1"),
    sorcerer("oracle", "draw own 1", down=True),
)
SEAT = {"hand": ["bolt", "grunt"], "front": ["brute"], "back": ["sage"], "sorcerer": "seer"}


@pytest.mark.rule("MM-P1")
def test_in_the_own_main_phase():
    game = stage(SEAT, SEAT, rules=PLAIN)
    assert game.options("main", 1) == [
        "bolt",
        "grunt",
        "own_2",
        "advance",
        "retreat",
        "sorcery",
        "stop",
    ]
    lineup = asked({"main": ["bolt", "own_2", "sorcery"], "target": ["enemy_1"]})
    game = stage(SEAT, SEAT, rules=PLAIN, lineup=lineup)
    game.main_phase()
    assert (game.unit(2, 1)["damage"], game.trash(1), game.counter(1, "drawn")) == (2, ["bolt"], 2)
    # The other seat has no say in it.
    assert {seat for seat, _, _ in lineup[0].log} == {1}


@pytest.mark.rule("MM-P1")
@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("who", [1, 2])
@pytest.mark.parametrize("after_block", [False, True])
def test_in_the_exchanges_of_any_battle_in_either_turn(turn, who, after_block):
    word = {"bolt": ["bolt"], "ability": ["own_2"], "sorcery": ["sorcery"]}
    for play, answer in word.items():
        answers = {"exchange": [*["stop"] * after_block, *answer], "target": ["enemy_1"]}
        seats = {turn: {"attack": ["own_1"]}, 3 - turn: {"block": ["own_2"]}}
        seats[who] = seats[who] | answers
        lineup = asked(seats[1], seats[2])
        game = stage(SEAT, SEAT, rules=PLAIN, phase="battle", seat=turn, lineup=lineup)
        game.battle_phase()
        offered = [
            options
            for seat, decision, options in lineup[0].log
            if (seat, decision) == (who, "exchange")
        ]
        assert ["bolt", "own_2", "sorcery", "stop"] in offered
        names = {
            "bolt": "spells_in_battle",
            "ability": "abilities_used",
            "sorcery": "sorcerer_used",
        }
        for name, column in names.items():
            assert game.counter(who, column) == (name == play)
            assert game.counter(3 - who, column) == 0
        assert ("bolt" in game.trash(who)) == (play == "bolt")


@pytest.mark.rule("MM-P1")
def test_in_no_other_phase():
    lineup = asked()
    game = stage(SEAT, SEAT, rules=PLAIN, phase="regenerate", round=2, lineup=lineup)
    for phase in ("regenerate", "draw", "mana"):
        getattr(game, f"{phase}_phase")()
    assert {decision for _, decision, _ in lineup[0].log} == {"mana_phase"}
    game = stage(SEAT, SEAT, rules=PLAIN, phase="end", lineup=asked())
    game.end_phase()
    assert len(game.hand(1)) == 2


@pytest.mark.rule("MM-P1")
def test_no_unit_is_played_in_an_exchange():
    own = {"front": ["brute"], "hand": ["grunt", "bolt"]}
    lineup = asked({"attack": ["own_1"]})
    game = stage(
        own, {"hand": ["grunt"], "back": ["rat"]}, rules=PLAIN, phase="battle", lineup=lineup
    )
    game.battle_phase()
    assert [options for _, name, options in lineup[0].log if name == "exchange"] == [
        ["bolt", "stop"]
    ]


@pytest.mark.rule("MM-P1")
def test_a_spell_goes_to_the_trash_after_it_has_worked():
    own = {"hand": ["count"], "trash": ["rat", "rat"], "deck": ["rock"] * 5}
    game = played(own, {}, "count", rules=PLAIN)
    # It did not count itself.
    assert (game.hand(1), game.trash(1)) == (["rock", "rock"], ["rat", "rat", "count"])


@pytest.mark.rule("MM-P1")
def test_it_works_at_once_and_can_not_be_answered():
    # Damage that is enough destroys before anybody could help.
    save = made(
        *BODIES, spell("bolt", "damage target 3", target="enemy"), spell("save", "dp own 9")
    )
    one, other = {"front": ["rat"], "hand": ["bolt"]}, {"back": ["grunt"], "hand": ["save"]}
    game = fought(one, other, attacker=1, first=[(1, "bolt"), (2, "save")], rules=save)
    assert game.trash(2) == ["grunt", "save"]


@pytest.mark.rule("MM-P1")
@pytest.mark.parametrize(
    ("target", "own", "enemy", "can"),
    [
        ("own", True, False, True),
        ("own", False, True, False),
        ("enemy", False, True, True),
        ("enemy", True, False, False),
        ("any", True, False, True),
        ("any", False, True, True),
        ("any", False, False, False),
    ],
)
def test_what_has_no_legal_target_is_not_played(target, own, enemy, can):
    rules = made(*BODIES, spell("rite", "ap target 1", "draw own 1", target=target))
    game = stage({"hand": ["rite"], "front": ["rat"] * own}, {"back": ["rat"] * enemy}, rules=rules)
    assert ("rite" in game.options("main", 1)) == can


@pytest.mark.rule("MM-P1")
def test_legal_targets_are_those_for_which_where_holds():
    rules = made(*BODIES, spell("rite", "ap target 1", target="any", where="target_ap >= 2"))
    own, enemy = {"hand": ["rite"], "front": ["rat", "grunt"]}, {"back": ["brute", "rock"]}
    game = played(own, enemy, "rite", "enemy_1", rules=rules)
    assert chosen(game, "target") == [(1, ["own_2", "enemy_1"], "enemy_1")]
    game = stage({"hand": ["rite"], "front": ["rat"]}, {"front": ["rock"]}, rules=rules)
    assert "rite" not in game.options("main", 1)


@pytest.mark.rule("MM-P1")
def test_where_may_ask_several_things():
    rules = made(
        *BODIES,
        spell("rite", "destroy target", target="any", where="target_ap >= 2 and target_down == 1"),
    )
    enemy = {"front": ["grunt", {"unit": "rat", "down": True}, {"unit": "brute", "down": True}]}
    game = played({"hand": ["rite"]}, enemy, "rite", rules=rules)
    assert (game.trash(2), chosen(game, "target")) == (["brute"], [])


@pytest.mark.rule("MM-P1")
@pytest.mark.parametrize(("hand", "can"), [(0, False), (1, False), (2, True)])
def test_what_needs_more_is_not_played_or_used(hand, can):
    needs = {"needs": "enemy_hand >= 2"}
    rules = made(
        *BODIES,
        spell("rite", "draw own 1", **needs),
        unit("sage", ability={"effects": ["draw own 1"], **needs}),
        sorcerer("seer", "draw own 1", **needs),
    )
    own = {"hand": ["rite"], "front": ["sage"], "sorcerer": "seer"}
    game = stage(own, {"hand": ["rat"] * hand}, rules=rules)
    assert set(game.options("main", 1)) & {"rite", "own_1", "sorcery"} == (
        {"rite", "own_1", "sorcery"} if can else set()
    )


@pytest.mark.rule("MM-P1")
@pytest.mark.parametrize("ready", [True, False])
def test_an_ability_that_turns_down_needs_its_bearer_ready(ready):
    own = {
        "front": [{"unit": "smith", "down": not ready}, {"unit": "sage", "down": not ready}],
        "sorcerer": "oracle",
        "sorcerer_down": not ready,
        "mana": basic(fire=3),
    }
    game = stage(own, {}, rules=PLAIN)
    words = ["own_1", "own_2", "sorcery"] if ready else ["own_2"]
    assert [one for one in game.options("main", 1) if one in ("own_1", "own_2", "sorcery")] == words
    if ready:
        game.choices[1].extend(["own_1", "sorcery"])
        game.main_phase()
        assert [game.unit(1, place)["ready"] for place in (1, 2)] == [False, True]
        assert (game.sorcerer_ready(1), len(game.down_mana(1))) == (False, 1)
        assert game.counter(1, "drawn") == 2


@pytest.mark.rule("MM-P1")
def test_abilities_work_from_both_areas():
    for area in ("front", "back"):
        game = stage({area: ["sage"]}, {}, rules=PLAIN)
        assert "own_1" in game.options("main", 1)


@pytest.mark.rule("MM-P1")
def test_who_attacks_or_blocks_is_down_and_cannot_be_turned_down():
    rules = made(*BODIES, unit("smith", 0, 9, ability={"down": True, "effects": ["draw own 1"]}))
    lineup = asked({"attack": ["own_1"]}, {"block": ["own_1"]})
    seats = {"front": ["smith"], "back": ["smith"]}, {"back": ["smith", "smith"]}
    game = stage(*seats, rules=rules, phase="battle", lineup=lineup)
    game.battle_phase()
    assert [(seat, options) for seat, name, options in lineup[0].log if name == "exchange"] == [
        (1, ["own_2", "stop"]),
        (2, ["own_1", "own_2", "stop"]),
        (1, ["own_2", "stop"]),
        (2, ["own_2", "stop"]),
    ]


@pytest.mark.rule("MM-P1")
@pytest.mark.rule("MM-U1")
def test_a_fresh_unit_is_not_turned_down_in_an_exchange_either():
    rules = made(*BODIES, unit("smith", 0, 9, ability={"down": True, "effects": ["draw own 1"]}))
    lineup = asked({"attack": ["own_1"]})
    own = {"front": ["rat", {"unit": "smith", "fresh": True}]}
    stage(own, {}, rules=rules, phase="battle", lineup=lineup).battle_phase()
    assert [name for _, name, _ in lineup[0].log] == ["attack"]


# MM-P2


@pytest.mark.rule("MM-P2")
def test_a_free_ability_is_used_once_in_a_main_phase():
    own = {"front": ["sage", "sage"], "sorcerer": "seer"}
    game = played(own, {}, "own_1", "own_2", "sorcery", rules=PLAIN)
    offered = [options for _, options, _ in chosen(game, "main")]
    assert [set(options) & {"own_1", "own_2", "sorcery"} for options in offered] == [
        {"own_1", "own_2", "sorcery"},
        {"own_2", "sorcery"},
        {"sorcery"},
        *[set()] * (len(offered) - 3),
    ]
    assert game.counter(1, "drawn") == 3


@pytest.mark.rule("MM-P2")
@pytest.mark.parametrize("who", [1, 2])
def test_and_once_in_each_exchange(who):
    # Two battles with two exchanges each; in each exchange it is used as often as it can be.
    greedy = {"exchange": ["own_1"] * 20}
    answers = {1: {"attack": ["own_2", "own_3"]}, 2: {"block": ["own_2", "own_3"]}}
    answers[who] = answers[who] | greedy
    rules = made(*BODIES, unit("sage", 0, 3, ability={"effects": ["draw own 1"]}))
    one = {"front": ["sage", "rock", "rock"]}
    other = {"front": ["sage"], "back": ["rock", "rock"]}
    lineup = asked(answers[1], answers[2])
    game = stage(one, other, rules=rules, phase="battle", lineup=lineup)
    game.battle_phase()
    assert game.counter(2, "blocks") == 2
    assert game.counter(who, "abilities_used") == 4
    assert game.counter(3 - who, "abilities_used") == 0


@pytest.mark.rule("MM-P2")
def test_what_costs_mana_or_turns_down_is_not_bound_by_this():
    rules = made(
        *BODIES,
        unit("smith", ability={"cost": 1, "effects": ["ap self 1"]}),
        unit("guard", ability={"down": True, "effects": ["ready self", "ap self 1"]}),
    )
    own = {"front": ["smith", "guard"], "mana": basic(fire=3)}
    game = played(own, {}, *["own_1"] * 3, *["own_2"] * 4, rules=rules)
    assert [game.unit(1, place)["ap"] for place in (1, 2)] == [5, 6]


@pytest.mark.rule("MM-P2")
def test_a_cost_of_1_can_be_paid_again_in_an_exchange():
    rules = made(*BODIES, unit("smith", ability={"cost": 1, "effects": ["ap self 1"]}))
    own = {"front": ["smith"], "mana": basic(fire=3)}
    game = fought(own, {}, attacker=1, first=[(1, "own_1")] * 3, rules=rules)
    assert game.unit(1, 1)["ap"] == 5


@pytest.mark.rule("MM-P2")
@pytest.mark.parametrize("who", [1, 2])
def test_so_it_is_with_sorcerers(who):
    answers = {1: {"attack": ["own_1", "own_2"]}, 2: {"block": ["own_1", "own_2"]}}
    answers[who]["exchange"] = ["sorcery"] * 20
    seats = {"front": ["rock", "rock"]}, {"back": ["rock", "rock"]}
    seats[who - 1]["sorcerer"] = "seer"
    lineup = asked(answers[1], answers[2])
    game = stage(*seats, rules=PLAIN, phase="battle", lineup=lineup)
    game.battle_phase()
    assert game.counter(who, "sorcerer_used") == 4


@pytest.mark.rule("MM-P2")
def test_a_new_main_phase_makes_it_free_again():
    lineup = asked({"main": ["own_1", "stop", "own_1"]}, {})
    game = stage({"front": ["sage"], "deck": ["rock"] * 9}, {}, rules=PLAIN, lineup=lineup)
    while (game.round, game.phase) != (2, "battle"):
        game.play_phase()
    assert game.counter(1, "abilities_used") == 2


# MM-P3


@pytest.mark.rule("MM-P3")
def test_the_target_is_chosen_then_the_cost_paid_then_the_effects_work():
    rules = made(
        *BODIES,
        spell("rite", "damage target 1", "draw own 1", target="enemy", cost=2),
        unit(
            "sage",
            ability={"cost": 2, "down": True, "target": "enemy", "effects": ["damage target 1"]},
        ),
    )
    own = {"hand": ["rite"], "front": ["sage"], "mana": basic(fire=2)}
    enemy = {"front": ["grunt", "brute"]}
    for word in ("rite", "own_1"):
        game = played(own, enemy, word, "enemy_2", rules=rules)
        order = [
            event["what"]
            for event in game.events
            if event["event"] in ("choose", "state")
            and event["what"] in ("main", "target", "turned", "damage")
        ]
        turned = 2 if word == "rite" else 3
        assert order[: 3 + turned] == ["main", "target", *["turned"] * turned, "damage"]
        assert game.unit(2, 2)["damage"] == 1


@pytest.mark.rule("MM-P3")
def test_the_cost_is_paid_when_the_effects_look():
    rules = made(spell("rite", "draw own 1 per ready_mana", cost=2, needs="ready_mana >= 5"))
    for mana, drawn in ((5, 3), (4, None)):
        game = stage({"hand": ["rite"], "mana": basic(fire=mana)}, {}, rules=rules)
        if drawn is None:
            assert game.options("main", 1) == ["stop"]
        else:
            game.choices[1].append("rite")
            game.main_phase()
            assert game.counter(1, "drawn") == drawn


@pytest.mark.rule("MM-P3")
@pytest.mark.parametrize(
    ("effects", "drawn"),
    [
        (("draw own 1", "draw own 3 if hand >= 1"), 4),
        (("draw own 3 if hand >= 1", "draw own 1"), 1),
        (("draw own 1", "draw own 1 per hand"), 2),
        (("draw own 1 per hand", "draw own 1"), 1),
        (("draw own 2", "draw own 2 per hand"), 6),
        (("draw own 2", "draw own 1 per hand if hand == 2 and enemy_hand == 0"), 4),
        (("draw own 2", "draw own 1 per hand if hand == 2 and enemy_hand == 1"), 2),
        (("draw own 1", "draw own 1", "draw own 1 if hand == 2", "draw own 5 if hand == 2"), 3),
    ],
)
def test_conditions_and_multipliers_are_looked_up_when_their_effect_comes(effects, drawn):
    rules = made(*BODIES, spell("rite", *effects))
    game = played({"hand": ["rite"], "deck": ["rat"] * 12}, {}, "rite", rules=rules)
    assert len(game.hand(1)) == drawn


@pytest.mark.rule("MM-P3")
@pytest.mark.parametrize("away", ["destroy target", "return target", "damage target 9"])
def test_what_is_to_be_done_to_a_card_that_has_left_is_left_out(away):
    rules = made(
        *BODIES,
        spell(
            "rite",
            away,
            "damage target 1",
            "ap target 1",
            "return target",
            "destroy target",
            "draw own 1",
            target="enemy",
        ),
    )
    game = played({"hand": ["rite"]}, {"front": ["grunt"]}, "rite", rules=rules)
    gone = ["grunt"]
    assert (game.trash(2), game.hand(2)) == (([], gone) if away == "return target" else (gone, []))
    assert len(game.hand(1)) == 1


@pytest.mark.rule("MM-P3")
def test_so_it_is_with_the_unit_whose_text_it_is():
    effects = ["return self", "ap self 1", "destroy self", "draw own 1"]
    rules = made(*BODIES, unit("sage", ability={"effects": effects}))
    game = played({"front": ["sage"], "deck": ["rat"] * 3}, {}, "own_1", rules=rules)
    assert (game.hand(1), game.trash(1)) == (["sage", "rat"], [])


@pytest.mark.rule("MM-P3")
def test_of_a_unit_that_has_left_nothing_is_there_to_ask():
    # Whether AP were asked of the unit before or after can be told by how many cards are drawn.
    effects = ["draw own 1 per self_ap", "destroy self", "draw own 4 per self_ap"]
    rules = made(
        *BODIES,
        unit("sage", 2, 3, ability={"effects": effects}),
        spell(
            "rite",
            "draw own 1 per target_ap",
            "destroy target",
            "draw own 4 per target_ap",
            target="own",
        ),
    )
    for own, word in (
        ({"front": ["sage"]}, "own_1"),
        ({"front": ["grunt"], "hand": ["rite"]}, "rite"),
    ):
        game = played({**own, "deck": ["rat"] * 20}, {}, word, rules=rules)
        assert len(game.hand(1)) == 2


@pytest.mark.rule("MM-P3")
def test_a_target_that_no_longer_fits_is_still_the_target():
    # Its AP are looked at when it is chosen, and not again.
    rules = made(
        *BODIES,
        spell("rite", "ap target -4", "damage target 1", target="enemy", where="target_ap >= 4"),
    )
    game = played({"hand": ["rite"]}, {"front": ["brute"]}, "rite", rules=rules)
    assert (game.unit(2, 1)["ap"], game.unit(2, 1)["damage"]) == (0, 1)
