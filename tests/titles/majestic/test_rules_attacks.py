"""MM-B: attacks, exchanges, blocks."""

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
)
from tests.titles.majestic.staging import chosen

PASS = "stop"
RULES = made(*BODIES)

# MM-B1


@pytest.mark.rule("MM-B1")
def test_a_ready_unit_of_the_front_area_attacks():
    own = {
        "front": ["grunt", {"unit": "brute", "down": True}],
        "back": ["rat", {"unit": "rat", "down": True}],
    }
    game = stage(own, {"front": ["rock"]}, rules=RULES, phase="battle")
    assert game.options("attack", 1) == ["own_1", "stop"]
    game.choices[1].append("own_1")
    game.battle_phase()
    assert not game.unit(1, 1)["ready"]
    assert len(game.lp(2)) == 5, "it goes past units, against the sorcerer"
    assert game.unit(2, 1)["damage"] == 0


@pytest.mark.rule("MM-B1")
def test_it_is_turned_down_before_anything_else():
    rules = made(
        *BODIES, spell("count", "draw own 1", "ap target 1", target="any", where="target_down == 1")
    )
    own = {"front": ["grunt"], "hand": ["count"]}
    game = fought(own, {}, attacker=1, first=[(1, "count")], rules=rules)
    assert game.unit(1, 1)["ap"] == 3


@pytest.mark.rule("MM-B1")
@pytest.mark.parametrize("turn", [1, 2])
def test_the_turn_player_attacks(turn):
    both = {"front": ["grunt"]}
    game = stage(both, both, rules=RULES, phase="battle", seat=turn)
    game.choices[turn].append("own_1")
    game.battle_phase()
    assert [game.counter(seat, "attacks") for seat in (turn, 3 - turn)] == [1, 0]
    assert [len(game.lp(seat)) for seat in (turn, 3 - turn)] == [6, 5]


# MM-B2

TALK = made(
    *BODIES,
    spell("bolt", "damage target 1", target="enemy"),
    spell("slay", "destroy attacker"),
    spell("home", "return attacker"),
    spell("push", "shift attacker back"),
    spell("wake", "ready attacker"),
    spell("sleep", "turn_down attacker"),
    spell("nap", "ap own 0"),
)


def talk(first, second, one=None, other=None, turn=1):
    """Return who was asked in the first exchange, in which order, by answers of both seats."""
    one = {"front": ["rock"], "hand": ["nap"] * 4, **(one or {})}
    other = {"front": ["rock"], "hand": ["nap"] * 4, **(other or {})}
    seats = [{"exchange": first}, {"exchange": second}]
    seats[turn - 1]["attack"] = ["own_1"]
    lineup = asked(*seats)
    game = stage(one, other, rules=TALK, phase="battle", seat=turn, lineup=lineup)
    game.battle_phase()
    return game, [seat for seat, decision, _ in lineup[0].log if decision == "exchange"]


@pytest.mark.rule("MM-B2")
@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ([], [], [1, 2]),
        (["nap"], [], [1, 2, 1]),
        ([], ["nap"], [1, 2, 1, 2]),
        (["nap"], ["nap"], [1, 2, 1, 2]),
        (["nap", "nap"], [], [1, 2, 1, 2, 1]),
        ([], ["nap", "nap"], [1, 2, 1, 2, 1, 2]),
        ([PASS, "nap"], ["nap"], [1, 2, 1, 2, 1]),
        ([PASS, PASS, "nap"], ["nap", "nap"], [1, 2, 1, 2, 1, 2, 1]),
        (["nap", PASS, "nap"], [PASS, "nap"], [1, 2, 1]),
    ],
)
def test_seats_speak_in_turns_until_two_passes_follow_each_other(first, second, order):
    game, found = talk(first, second)
    assert found == order
    assert game.counter(1, "attacks") == 1


@pytest.mark.rule("MM-B2")
def test_the_attacker_speaks_first_in_the_turn_of_either_seat():
    assert talk([], [], turn=2)[1] == [2, 1]
    assert talk([], ["nap"], turn=2)[1] == [2, 1, 2]


@pytest.mark.rule("MM-B2")
def test_who_can_do_nothing_but_pass_passes():
    assert talk([], [], one={"hand": []})[1] == [2]
    assert talk([], ["nap"], one={"hand": []})[1] == [2, 2]
    assert talk(["nap"] * 4, [], other={"hand": []})[1] == [1, 1, 1, 1]
    assert talk([], [], one={"hand": []}, other={"hand": []})[1] == []


@pytest.mark.rule("MM-B2")
@pytest.mark.parametrize("away", ["slay", "home"])
def test_it_goes_on_when_the_attacker_has_left_and_then_the_battle_ends(away):
    one = {"front": ["grunt", "rat"], "hand": ["bolt"]}
    other = {"front": ["rock"], "back": ["brute"], "hand": [away]}
    lineup = asked(
        {"attack": ["own_1"], "exchange": [PASS, "bolt"], "target": ["enemy_1"]},
        {"exchange": [away], "block": ["own_2"]},
    )
    game = stage(one, other, rules=TALK, phase="battle", lineup=lineup)
    game.battle_phase()
    assert game.front(1) == ["rat"]
    assert game.unit(2, 1)["damage"] == 1, "the exchange went on"
    # No block, no damage to the sorcerer; the next attack may come.
    assert (len(game.lp(2)), chosen(game, "block"), game.unit(2, 2)["ready"]) == (6, [], True)
    assert [options for _, options, _ in chosen(game, "attack")] == [
        ["own_1", "own_2", PASS],
        ["own_2", PASS],
    ]
    assert game.counter(1, "attacks_ended") == 1


@pytest.mark.rule("MM-B2")
@pytest.mark.parametrize("spell_", ["push", "wake", "sleep"])
def test_a_unit_that_was_moved_or_turned_has_not_left(spell_):
    other = {"hand": [spell_]}
    game = fought({"front": ["grunt"]}, other, attacker=1, first=[(2, spell_)], rules=TALK)
    assert len(game.lp(2)) == 5
    assert (game.unit(1, 1)["front"], game.unit(1, 1)["ready"]) == (
        spell_ != "push",
        spell_ == "wake",
    )
    blocked = {"hand": [spell_], "back": ["rock"]}
    game = fought(
        {"front": ["grunt"]}, blocked, attacker=1, blocker=1, first=[(2, spell_)], rules=TALK
    )
    assert (len(game.lp(2)), game.unit(2, 1)["damage"]) == (6, 2)


@pytest.mark.rule("MM-B2")
def test_who_could_only_pass_is_asked_when_it_can_act():
    # The LP card that is taken pays for the answer.
    rules = made(*BODIES, spell("rite", "hit enemy 1"), spell("nap", "ap own 1", cost=1))
    one = {"front": ["rock"], "hand": ["nap"], "lp": basic(fire=3)}
    lineup = asked({"attack": ["own_1"], "exchange": ["nap"]}, {"exchange": ["rite"]})
    game = stage(one, {"hand": ["rite"]}, rules=rules, phase="battle", lineup=lineup)
    game.battle_phase()
    assert [seat for seat, name, _ in lineup[0].log if name == "exchange"] == [2, 1]
    assert (game.unit(1, 1)["ap"], game.down_mana(1)) == (1, ["fire_mana"])


# MM-B3

CHAT = made(*BODIES, spell("nap", "ap own 0"), spell("late", "ap own 1", needs="exchange == 2"))


@pytest.mark.rule("MM-B3")
@pytest.mark.parametrize("choice", ["own_2", "own_4", PASS])
def test_one_ready_unit_of_the_back_area_may_block(choice):
    other = {
        "front": ["rock"],
        "back": ["rock", {"unit": "rock", "down": True}, "rock"],
    }
    game = stage({"front": ["grunt"]}, other, rules=RULES, phase="battle")
    game.choices[1].append("own_1")
    game.choices[2].append(choice)
    game.battle_phase()
    assert chosen(game, "block") == [(2, ["own_2", "own_4", PASS], choice)]
    for place in (2, 4):
        blocks = choice == f"own_{place}"
        one = game.unit(2, place)
        assert (one["ready"], one["damage"]) == (not blocks, 2 * blocks)
    assert len(game.lp(2)) == (5 if choice == PASS else 6)


@pytest.mark.rule("MM-B3")
def test_a_unit_that_blocked_is_down_and_does_not_block_again():
    one = {"front": ["grunt", "grunt"]}
    game = stage(one, {"back": ["rock"]}, rules=RULES, phase="battle")
    game.choices[1].extend(["own_1", "own_2"])
    game.choices[2].extend(["own_1", "own_1"])
    game.battle_phase()
    assert (game.unit(2, 1)["damage"], len(game.lp(2)), list(game.choices[2])) == (2, 5, ["own_1"])


@pytest.mark.rule("MM-B3")
@pytest.mark.parametrize("blocks", [True, False])
def test_only_after_a_block_there_is_a_second_exchange(blocks):
    hands = {"hand": ["nap"]}
    lineup = asked({"attack": ["own_1"]}, {"block": ["own_1" if blocks else PASS]})
    seats = {"front": ["grunt"], **hands}, {"back": ["rock"], **hands}
    game = stage(*seats, rules=CHAT, phase="battle", lineup=lineup)
    game.battle_phase()
    order = [(seat, decision) for seat, decision, _ in lineup[0].log]
    exchange = [(1, "exchange"), (2, "exchange")]
    second = exchange if blocks else []
    assert order == [(1, "attack"), *exchange, (2, "block"), *second]


@pytest.mark.rule("MM-B3")
def test_the_second_exchange_is_one_like_the_first():
    # A text that asks for the second one is offered in it alone; seats speak in turns there too.
    lineup = asked(
        {"attack": ["own_1"], "exchange": [PASS, PASS, "late"]},
        {"block": ["own_1"], "exchange": [PASS, "nap", PASS]},
    )
    seats = (
        {"front": ["grunt"], "hand": ["late", "nap"]},
        {"back": ["brute"], "hand": ["nap", "nap"]},
    )
    game = stage(*seats, rules=CHAT, phase="battle", lineup=lineup)
    game.battle_phase()
    spoken = [
        (seat, options) for seat, decision, options in lineup[0].log if decision == "exchange"
    ]
    assert spoken == [
        (1, ["nap", PASS]),
        (2, ["nap", PASS]),
        (1, ["late", "nap", PASS]),
        (2, ["nap", PASS]),
        (1, ["late", "nap", PASS]),
        (2, ["nap", PASS]),
        (1, ["nap", PASS]),
    ]
    assert game.unit(2, 1)["damage"] == 3


@pytest.mark.rule("MM-B3")
def test_without_a_unit_that_may_block_nobody_is_asked():
    for seat in ({}, {"front": ["rock"]}, {"back": [{"unit": "rock", "down": True}]}):
        game = fought({"front": ["rat"]}, seat, attacker=1, rules=RULES)
        assert (chosen(game, "block"), len(game.lp(2))) == ([], 5)


@pytest.mark.rule("MM-B3")
def test_what_happened_in_the_first_exchange_counts_for_the_block():
    rules = made(
        *BODIES,
        spell("sleep", "turn_down enemy"),
        spell("step", "shift own back"),
        spell("wake", "ready own"),
    )
    one = {"front": ["rat"], "hand": ["sleep"]}
    game = fought(one, {"back": ["rock"]}, attacker=1, first=[(1, "sleep")], rules=rules)
    assert (chosen(game, "block"), len(game.lp(2))) == ([], 5)
    other = {"front": ["rock"], "hand": ["step"]}
    game = fought(
        {"front": ["rat"]}, other, attacker=1, blocker=1, first=[(2, "step")], rules=rules
    )
    assert game.unit(2, 1)["damage"] == 1
    other = {"back": [{"unit": "rock", "down": True}], "hand": ["wake"]}
    game = fought(
        {"front": ["rat"]}, other, attacker=1, blocker=1, first=[(2, "wake")], rules=rules
    )
    assert (game.unit(2, 1)["damage"], game.unit(2, 1)["ready"]) == (1, False)
