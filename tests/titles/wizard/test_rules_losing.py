"""Losing companions, and the game: by strikes, by paying for magic, on the road."""

from __future__ import annotations

import pytest

from sim.titles.wizard import TITLE
from tests.titles.wizard.staging import BASIC, BESIDE_PLAIN, fight, stage, turn

COLOURS = ("red", "green", "blue")
WALL = [f"enemies.goga.block.{colour}=20" for colour in COLOURS]
NO_BLOCKS = [f"enemies.goga.block.{colour}=0" for colour in COLOURS]


def ap(strike, enemy="goga"):
    return f"enemies.{enemy}.ap={[strike] * TITLE.load().values['enemies'][enemy]['lp']}"


def asked(game, what):
    """Return the options of every decision of a sort, and what was chosen."""
    found = [e for e in game.events if e["event"] == "choose" and e["what"] == what]
    return [(set(event["options"]), event["choice"]) for event in found]


# UW-L1


@pytest.mark.rule("UW-L1")
@pytest.mark.parametrize(("lp", "lost"), [(5, True), (6, True), (7, False)])
def test_a_strike_that_brings_lp_to_0_takes_a_companion(lp, lost):
    # One part is paid for; the strike is 5.
    game = turn("goga", ["red_basic"], "hero_banner", lp=lp, overrides=[*WALL, ap(5)])
    assert (game.lp, game.lost) == ((8, ["hero"]) if lost else (lp - 6, []))
    assert game.companions == ([] if lost else ["hero_banner"])
    assert game.counter("companions_lost") == lost
    assert (game.phase, game.enemy) == ("battle", "goga"), "the battle goes on"


@pytest.mark.rule("UW-L1")
@pytest.mark.parametrize("choice", ["hero", "knight", "monk"])
def test_the_player_chooses_whom_to_lose(choice):
    ways = ["hero_banner", "knight_charge", "monk_care"]
    game = turn("goga", ["red_basic"], *ways, lp=2, choices=[choice], overrides=[*WALL, ap(5)])
    assert game.lost == [choice]
    assert game.companions == [way for way in ways if not way.startswith(choice)]
    assert asked(game, "lose") == [({"hero", "knight", "monk"}, choice)]
    assert game.lp == 8


@pytest.mark.rule("UW-L1")
@pytest.mark.parametrize("lp", [1, 5, 12])
def test_the_enemy_keeps_its_lp(lp):
    overrides = [*WALL, ap(5)]
    game = turn("goga", ["red_basic"], "hero_banner", lp=3, enemy_lp=lp, overrides=overrides)
    assert (game.enemy_lp, game.battle_turns, game.lost) == (lp, 1, ["hero"])
    game.battle_turn()
    assert (game.enemy_lp, game.lp) == (lp, 8 - 1 - 5)


@pytest.mark.rule("UW-L1")
@pytest.mark.parametrize("after", [1, 3, 8, 30])
def test_lp_after_a_loss_are_data(after):
    overrides = [*WALL, ap(20), f"lp.after_loss={after}"]
    game = turn("goga", ["red_basic"], "hero_banner", lp=10, overrides=overrides)
    assert (game.lp, game.counter("lp_losses")) == (after, after)


@pytest.mark.rule("UW-L1")
@pytest.mark.parametrize(("lp", "over"), [(5, True), (6, True), (7, False)])
def test_without_a_companion_the_game_is_lost(lp, over):
    game = turn("goga", ["red_basic"], lp=lp, overrides=[*WALL, ap(5)], lost=["hero"])
    assert game.over == over
    assert game.lp == (0 if over else 1)
    if over:
        assert (game.end_reason, game.win60) == ("lost_in_battle", [0])
        assert game.counter("lp_strikes") == 1 - lp, "no more than there was"


@pytest.mark.rule("UW-L1")
def test_a_companion_is_lost_for_good_and_each_loss_takes_another():
    ways = ["hero_sword", "knight_charge"]
    game = fight("goga", *ways, lp=3, overrides=[*WALL, ap(9)], choices=["draw_1", "hero"])
    game.battle_turn()
    assert (game.lost, game.enemy_lp) == (["hero"], 11), "the hero still did his damage"
    game.battle_turn()
    assert (game.lost, game.companions, game.lp) == (["hero", "knight"], [], 8)
    assert game.enemy_lp == 11, "and no more"
    game.battle_turn()
    assert (game.end_reason, game.lp) == ("lost_in_battle", 0)
    assert asked(game, "lose") == [({"hero", "knight"}, "hero")], "one alone is no choice"


@pytest.mark.rule("UW-L1")
def test_a_lost_guard_guards_no_longer():
    game = fight("goga", "knight_shield", lp=6, overrides=[*WALL, ap(6)])
    game.battle_turn()
    assert (game.lost, game.lp) == (["knight"], 8), "6 - 1 - 5"
    game.battle_turn()
    assert game.lp == 8 - 1 - 6


@pytest.mark.rule("UW-L1")
def test_an_enemy_mends_after_a_strike_that_takes_a_companion():
    overrides = [*WALL, ap(20), "enemies.goga.mend=2"]
    game = turn("goga", ["red_basic"], "hero_banner", lp=9, enemy_lp=5, overrides=overrides)
    assert (game.lost, game.enemy_lp) == (["hero"], 7)


# UW-L2


@pytest.mark.rule("UW-L2")
def test_more_cards_may_be_declared_than_there_are_lp():
    game = fight("goga", "hero_banner", hand=["red_extension", "blue_extension"], lp=1)
    assert game.options() == ("draw_1", "draw_2", "draw_3", "draw_4")


@pytest.mark.rule("UW-L2")
@pytest.mark.parametrize(("lp", "number"), [(1, 1), (1, 2), (2, 2), (3, 4)])
def test_paying_stops_at_0_and_the_cards_are_drawn(lp, number):
    drawn = ["red_basic", "red_extension", "blue_basic", "green_basic"][:number]
    hand = ["red_extension", "green_extension"]
    overrides = [*NO_BLOCKS, ap(0)]
    game = turn("goga", drawn, "monk_care", hand=hand, lp=lp, overrides=overrides)
    assert game.counter("lp_draws") == -lp
    assert game.counter("drawn") == number
    assert (game.lost, game.lp) == (["monk"], 8)
    assert 12 - game.enemy_lp == {1: 2, 2: 4, 4: 8}[number], "without the monk"


@pytest.mark.rule("UW-L2")
@pytest.mark.parametrize(("lp", "lost"), [(1, True), (2, True), (3, False)])
def test_paying_all_lp_loses_a_companion(lp, lost):
    drawn = ["red_basic", "blue_basic"]
    overrides = [*NO_BLOCKS, ap(0)]
    game = turn("goga", drawn, "hero_banner", lp=lp, overrides=overrides)
    assert (game.lost == ["hero"]) == lost
    assert game.lp == (8 if lost else lp - 2)
    assert 12 - game.enemy_lp == (4 if lost else 4 + 3)


@pytest.mark.rule("UW-L2")
@pytest.mark.parametrize("choice", ["hero", "knight"])
def test_neither_powers_nor_skills_of_the_lost_count_in_what_follows(choice):
    ways = ["hero_sword", "knight_shield"]
    overrides = [*NO_BLOCKS, ap(3)]
    game = turn("goga", ["red_basic"], *ways, lp=1, choices=[choice], overrides=overrides)
    # The hero: red 1 and damage 1; the knight: red 1 and guard 1.
    damage, strike = (3, 2) if choice == "hero" else (4, 3)
    assert (12 - game.enemy_lp, game.lp) == (damage, 8 - strike)
    assert game.lost == [choice]


@pytest.mark.rule("UW-L2")
def test_without_a_companion_the_game_is_lost_by_paying():
    # Even a cast that would have beaten the enemy comes too late.
    game = turn("goga", ["red_basic"], lp=1, enemy_lp=1, overrides=NO_BLOCKS)
    assert (game.over, game.end_reason, game.lp) == (True, "lost_by_casting", 0)
    assert (game.win60, game.counter("battles_won")) == ([0], 0)
    saved = turn("goga", ["red_basic"], lp=2, enemy_lp=1, overrides=NO_BLOCKS)
    assert (saved.phase, saved.lp) == ("journey", 1 + 5)


@pytest.mark.rule("UW-L2")
def test_after_the_loss_the_turn_goes_on():
    game = turn("goga", ["red_basic"], "monk_care", lp=1, enemy_lp=2, overrides=NO_BLOCKS)
    assert (game.phase, game.lost) == ("journey", ["monk"])
    assert game.lp == 8 + 5, "what the monk would have added is gone"


@pytest.mark.rule("UW-L2")
def test_paying_and_the_strike_of_one_turn_can_take_two():
    ways = ["hero_banner", "knight_charge"]
    overrides = [*WALL, ap(8)]
    game = turn("goga", ["red_basic"], *ways, lp=1, choices=["knight"], overrides=overrides)
    assert (game.lost, game.companions, game.lp) == (["knight", "hero"], [], 8)
    alone = turn("goga", ["red_basic"], "hero_banner", lp=1, overrides=overrides)
    assert (alone.lost, alone.end_reason, alone.lp) == (["hero"], "lost_in_battle", 0)


def mending(lp, choice, *companions, drawn=BASIC, overrides=(), **more):
    hand = ["red_extension", "green_extension", "grimoire_2"]
    return turn(
        "goga",
        drawn,
        *companions,
        hand=hand,
        lp=lp,
        choices=choice,
        overrides=[*NO_BLOCKS, ap(3), *overrides],
        **more,
    )


@pytest.mark.rule("UW-L2")
@pytest.mark.parametrize("companions", [(), ("hero_banner",)])
@pytest.mark.parametrize("lp", [1, 2, 3])
def test_a_spell_that_heals_brings_lp_up_from_0(companions, lp):
    game = mending(lp, ["mending_4"], *companions)
    assert (game.lp, game.lost, game.phase) == (8 - 3, [], "battle")
    assert game.counter("healed_at_0") == 1
    assert (game.counter("lp_spells"), game.counter("lp_losses")) == (8, 0)
    assert 12 - game.enemy_lp == 3 * len(companions), "companions at one's side count"


@pytest.mark.rule("UW-L2")
def test_a_healing_that_comes_before_0_is_no_rescue():
    game = mending(4, ["mending_4"])
    assert (game.lp, game.counter("healed_at_0")) == (1 + 8 - 3, 0)


@pytest.mark.rule("UW-L2")
def test_who_does_not_heal_at_0_loses_a_companion_or_the_game():
    game = mending(3, ["red_1"], "hero_banner")
    assert (game.lost, game.lp, game.enemy_lp) == (["hero"], 8 - 3, 12 - 6)
    assert game.counter("healed_at_0") == 0
    assert mending(3, ["red_1"]).end_reason == "lost_by_casting"


@pytest.mark.rule("UW-L2")
@pytest.mark.parametrize("heal", [1, 5, 20])
def test_what_a_spell_heals_at_0_is_data(heal):
    game = mending(2, ["mending_4"], overrides=[f"spells.mending_4.heal={heal}", ap(0)])
    assert (game.lp, game.counter("lp_spells")) == (heal, heal)


@pytest.mark.rule("UW-L2")
def test_the_strike_comes_after_the_healing():
    game = mending(2, ["mending_4"], overrides=[ap(8)])
    assert (game.lp, game.end_reason, game.counter("healed_at_0")) == (0, "lost_in_battle", 1)


@pytest.mark.rule("UW-L2")
def test_who_pays_nothing_loses_nothing():
    overrides = [*NO_BLOCKS, ap(0), "casting.cost=0"]
    game = turn("goga", ["red_basic"], "hero_banner", lp=1, overrides=overrides)
    assert (game.lost, game.lp) == ([], 1)


@pytest.mark.rule("UW-L2")
def test_a_dear_card_is_paid_down_to_0_too():
    overrides = [*NO_BLOCKS, ap(0), "casting.cost=5"]
    game = turn("goga", ["red_basic"], "monk_care", lp=4, overrides=overrides)
    assert (game.lost, game.lp, game.counter("lp_draws")) == (["monk"], 8, -4)


# UW-L3


def move(lp, *companions, cost=1, **more):
    overrides = [f"maps.long.hexes.e2.cost={cost}"]
    game = stage(BESIDE_PLAIN, *companions, lp=lp, overrides=overrides, **more)
    game.move("go_up_right")
    return game


@pytest.mark.rule("UW-L3")
@pytest.mark.parametrize("companions", [(), ("hero_banner",), ("hero_sword", "knight_shield")])
@pytest.mark.parametrize(("lp", "cost"), [(1, 1), (2, 2), (1, 3), (7, 20)])
def test_a_move_that_brings_lp_to_0_loses_the_game(companions, lp, cost):
    game = move(lp, *companions, cost=cost)
    assert (game.over, game.end_reason, game.win60) == (True, "lost_on_road", [0])
    assert (game.lp, game.companions, game.lost) == (0, list(companions), [])
    assert game.counter("lp_moves") == -lp, "no more than there was"
    assert (game.enemy, game.place("right_4")["order"]) == (None, 0), "without a battle"


@pytest.mark.rule("UW-L3")
@pytest.mark.parametrize(("lp", "cost"), [(2, 1), (4, 3), (1, 0)])
def test_who_keeps_1_lp_goes_on(lp, cost):
    game = move(lp, cost=cost, places={"right_4": {"enemy": "ra", "beaten": True}})
    assert (game.phase, game.lp, game.hex) == ("journey", 1, "e2")


@pytest.mark.rule("UW-L3")
def test_sea_can_take_the_last_lp_too():
    game = stage("c4", "porcupine_swim", lp=1)
    game.move("go_up_left")
    assert (game.end_reason, game.hex) == ("lost_on_road", "b5")


@pytest.mark.rule("UW-L3")
def test_what_costs_nothing_loses_nothing():
    game = stage("c2", lp=1)
    game.move("go_down")
    assert (game.phase, game.lp) == ("journey", 1)
    yellow = stage("c6", lp=1)
    yellow.move("go_up")
    assert (yellow.phase, yellow.lp) == ("journey", 5)
