"""A battle: skills, damage by colours, strikes, and what a win brings."""

from __future__ import annotations

import pytest

from sim.errors import InputError
from sim.titles.wizard import TITLE
from tests.titles.wizard.staging import BASIC, BESIDE_PLAIN, FOREST, PLAIN, fight, stage, turn

VALUES = TITLE.load().values
ENEMIES = VALUES["enemies"]
AT_PLACES = sorted(name for name, enemy in ENEMIES.items() if enemy["colour"] != "king")
WAYS = [
    f"{card}_{way}" for card, one in VALUES["cards"].items() for way in sorted(one.get("ways", ()))
]
COLOURS = ("red", "green", "blue")


def blocks(enemy, *values):
    """Return overrides that give an enemy these blocks against red, green and blue."""
    return [f"enemies.{enemy}.block.{c}={n}" for c, n in zip(COLOURS, values, strict=True)]


def strikes(enemy, ap):
    """Return an override with which an enemy strikes with so much at any LP."""
    return f"enemies.{enemy}.ap={[ap] * ENEMIES[enemy]['lp']}"


def met(enemy, *companions, **more):
    """Return the game after the move that starts a battle."""
    places = {"right_4": {"enemy": enemy} | more.pop("place", {})}
    game = stage(BESIDE_PLAIN, *companions, places=places, **more)
    game.move("go_up_right")
    return game


# UW-C1


#: What skills of the start take, by way up and enemy; all others take nothing.
START = {
    "porcupine_quills": {"zaza": 2, "dodo": 2},
    "knight_charge": {"karu": 2, "koru": 2},
    "monk_sermon": {"robi": 2, "yabi": 2},
    "princess_command": dict.fromkeys(ENEMIES, 1),
}


@pytest.mark.rule("UW-C1")
@pytest.mark.parametrize("way", WAYS)
def test_skills_of_the_start_take_lp_from_their_family(way):
    for enemy in AT_PLACES:
        game = met(enemy, way)
        assert game.enemy == enemy
        assert game.enemy_lp == ENEMIES[enemy]["lp"] - START.get(way, {}).get(enemy, 0)
        assert (game.lp, game.battle_turns) == (29, 0), "nothing else happens"


@pytest.mark.rule("UW-C1")
def test_skills_of_the_start_add_up():
    game = met("zaza", "princess_command", "knight_charge", "porcupine_quills")
    assert game.enemy_lp == 8 - 1 - 2


@pytest.mark.rule("UW-C1")
def test_skills_of_the_start_work_at_the_start_alone():
    game = turn("zaza", ["blue_basic"], "porcupine_quills", "princess_command", enemy_lp=6)
    # Green 2 + 1 less 3, red 1 less 1, blue 2 less 2: nothing.
    assert game.enemy_lp == 6


@pytest.mark.rule("UW-C1")
def test_an_enemy_at_0_lp_at_the_start_is_beaten():
    overrides = ["enemies.ra.lp=1", "enemies.ra.ap=[9]"]
    game = met("ra", "princess_command", lp=10, overrides=overrides, place={"ability": "hero"})
    assert (game.phase, game.enemy, game.battle_turns) == ("journey", None, 0)
    assert game.lp == 10 - 1 + 4, "no draw, no strike, RECOVER"
    assert game.place("right_4")["beaten"]
    assert [way.split("_")[0] for way in game.companions] == ["princess", "hero"]
    assert (game.counter("battles_won"), game.counter("battle_turns")) == (1, 0)


@pytest.mark.rule("UW-C1")
@pytest.mark.parametrize(("damage", "left"), [(0, 8), (1, 7), (7, 1), (8, None), (20, None)])
def test_damage_of_the_start_is_data_and_stops_at_0(damage, left):
    overrides = [f"cards.porcupine.ways.quills.start_damage={damage}"]
    game = met("zaza", "porcupine_quills", overrides=overrides)
    if left is None:
        assert (game.phase, game.counter("damage")) == ("journey", 8)
    else:
        assert (game.phase, game.enemy_lp) == ("battle", left)


@pytest.mark.rule("UW-C1")
def test_families_are_data():
    one = ['cards.knight.ways.charge.family="psi"']
    assert met("zaza", "knight_charge", overrides=one).enemy_lp == 6
    assert met("karu", "knight_charge", overrides=one).enemy_lp == 10
    everyone = ['cards.knight.ways.charge.family=""']
    for enemy in ("zaza", "karu", "ra"):
        game = met(enemy, "knight_charge", overrides=everyone)
        assert game.enemy_lp == ENEMIES[enemy]["lp"] - 2
    joined = ['enemies.ra.family="horn"']
    assert met("ra", "knight_charge", overrides=joined).enemy_lp == 3


# UW-C4, UW-C8: the printed figures of Zaza, one by one


@pytest.mark.rule("UW-C4")
@pytest.mark.rule("UW-C8")
@pytest.mark.parametrize(
    ("companions", "drawn", "at", "damage"),
    [
        ((), ["red_basic"], PLAIN, 1),  # red 2, block 1
        ((), ["blue_basic"], PLAIN, 0),  # blue 2, block 2
        ((), ["blue_basic", "blue_extension"], PLAIN, 2),  # blue 4, block 2
        ((), ["blue_basic", "blue_extension"], FOREST, 1),  # blue 4, block 2 + 1
        ((), ["red_basic"], FOREST, 1),  # a forest adds to blue alone
        ((), ["red_basic", "blue_basic", "blue_extension"], PLAIN, 3),
        ((), ["red_basic", "blue_basic", "blue_extension"], FOREST, 2),
        (("porcupine_swim",), ["blue_basic", "blue_extension"], FOREST, 2),  # 4 + 1, block 3
        (("porcupine_swim",), ["blue_extension"], PLAIN, 0),  # green 1, blue 1 alone: below blocks
    ],
)
def test_the_printed_arithmetic_of_zaza(companions, drawn, at, damage):
    game = turn("zaza", drawn, *companions, hand=["blue_extension"], at=at)
    assert game.enemy_lp == 8 - damage


@pytest.mark.rule("UW-C6")
@pytest.mark.rule("UW-C8")
@pytest.mark.parametrize(
    ("lp", "ap"), [(8, 5), (7, 5), (6, 5), (5, 5), (4, 1), (3, 3), (2, 3), (1, 3)]
)
def test_zaza_strikes_by_its_lp(lp, ap):
    game = turn("zaza", ["green_basic"], enemy_lp=lp)  # green 2, block 3
    assert (game.enemy_lp, game.lp) == (lp, 30 - 1 - ap)
    assert game.counter("lp_strikes") == -ap


@pytest.mark.rule("UW-C7")
@pytest.mark.rule("UW-C8")
def test_zaza_gives_3_lp():
    game = turn("zaza", ["red_basic"], enemy_lp=1, lp=10)
    assert game.lp == 10 - 1 + 3
    assert game.counter("lp_wins") == 3


@pytest.mark.rule("UW-C8")
def test_families_are_three_pairs():
    of = {name: enemy["family"] for name, enemy in ENEMIES.items()}
    for one, other in (("zaza", "dodo"), ("karu", "koru"), ("robi", "yabi")):
        assert of[one] == of[other] != ""
        assert [name for name in of if of[name] == of[one]] == sorted([one, other])
    assert {name for name in of if not of[name]} == {"dero", "goga", "nunu", "ra", "tera"}


# UW-C4


@pytest.mark.rule("UW-C4")
@pytest.mark.parametrize("enemy", sorted(ENEMIES))
@pytest.mark.parametrize("part", BASIC)
def test_blocks_of_every_enemy(enemy, part):
    colour = part.removesuffix("_basic")
    game = turn(enemy, [part], overrides=[f"enemies.{enemy}.mend=0"])
    damage = max(0, 2 - ENEMIES[enemy]["block"][colour])
    assert game.enemy_lp == ENEMIES[enemy]["lp"] - damage


@pytest.mark.rule("UW-C4")
@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize(("block", "damage"), [(0, 2), (1, 1), (2, 0), (3, 0), (20, 0)])
def test_a_block_takes_from_its_colour_and_never_below_0(colour, block, damage):
    of = {name: block if name == colour else 0 for name in COLOURS}
    overrides = blocks("goga", *of.values())
    alone = turn("goga", [f"{colour}_basic"], overrides=overrides)
    assert alone.enemy_lp == 12 - damage
    # What a block has over does not take from other colours.
    other = next(name for name in COLOURS if name != colour)
    both = turn("goga", [f"{colour}_basic", f"{other}_basic"], overrides=overrides)
    assert both.enemy_lp == 12 - damage - 2


@pytest.mark.rule("UW-C4")
def test_the_enemy_loses_the_sum_of_the_three():
    game = turn("goga", BASIC, hand=["red_extension"], overrides=blocks("goga", 1, 0, 2))
    assert game.enemy_lp == 12 - (1 + 2 + 0)


@pytest.mark.rule("UW-C4")
@pytest.mark.parametrize("way", WAYS)
def test_powers_of_companions_count_in_every_colour_with_a_spell_or_without(way):
    card, up = way.split("_")
    one = VALUES["cards"][card]["ways"][up]
    powers = [one["power"][colour] for colour in COLOURS]
    assert sum(powers) > 0
    for colour, power in zip(COLOURS, powers, strict=True):
        # Blocks against all colours but this one, so that each is seen alone.
        only = [0 if name == colour else 20 for name in COLOURS]
        overrides = blocks("goga", *only)
        without = turn("goga", ["red_extension"], way, hand=["red_extension"], overrides=overrides)
        assert 12 - without.enemy_lp == power + one["turn_damage"]
        with_spell = turn("goga", [f"{colour}_basic"], way, overrides=overrides)
        assert 12 - with_spell.enemy_lp == 2 + power + one["turn_damage"]


@pytest.mark.rule("UW-C4")
def test_the_block_is_taken_from_spells_and_companions_together_once():
    # Red: spell 2, knight 2, hero 1, block 3. Taken from each by itself nothing would be left.
    overrides = blocks("goga", 3, 20, 20)
    game = turn("goga", ["red_basic"], "knight_charge", "hero_banner", overrides=overrides)
    assert game.enemy_lp == 12 - 2
    bare = turn(
        "goga",
        ["blue_extension"],
        "knight_charge",
        "hero_banner",
        hand=["blue_extension"],
        overrides=overrides,
    )
    assert bare.enemy_lp == 12, "3 of companions alone are less the block too"


#: Encounter hexes of the long map by their terrain, and what it adds.
TERRAINS = {
    "plain": ("e2", (0, 0, 0)),
    "forest": ("a2", (0, 0, 1)),
    "desert": ("a10", (0, 1, 0)),
    "volcano": ("a14", (1, 0, 0)),
}


@pytest.mark.rule("UW-C4")
@pytest.mark.parametrize("terrain", TERRAINS)
@pytest.mark.parametrize("part", BASIC)
def test_terrain_adds_to_blocks(terrain, part):
    at, added = TERRAINS[terrain]
    overrides = blocks("goga", 1, 1, 1)
    game = turn("goga", [part], at=at, overrides=overrides)
    assert game.enemy_lp == 12 - (2 - 1 - added[BASIC.index(part)])


@pytest.mark.rule("UW-C4")
@pytest.mark.rule("UW-C8")
@pytest.mark.parametrize("terrain", ["town", "castle", *TERRAINS])
@pytest.mark.parametrize("part", BASIC)
def test_what_terrains_add_is_data(terrain, part):
    colour = part.removesuffix("_basic")
    add = [f"terrains.{terrain}.block.{name}={1 if name == colour else 0}" for name in COLOURS]
    if terrain == "castle":
        no_mend = ["enemies.tera.mend=0"]
        game = turn("tera", [part], overrides=[*add, *blocks("tera", 0, 0, 0), *no_mend])
        assert game.enemy_lp == 26 - 1
        return
    # No place lies at sea; a town may have one.
    land = TERRAINS.get(terrain, ("e2",))[0]
    change = [] if terrain in TERRAINS else [f'maps.long.hexes.e2.terrain="{terrain}"']
    game = turn("goga", [part], at=land, overrides=[*add, *change, *blocks("goga", 0, 0, 0)])
    assert game.enemy_lp == 12 - 1


@pytest.mark.rule("UW-C4")
def test_power_of_spells_and_companions_is_data():
    overrides = [
        "spells.red_1.power.red=5",
        "spells.red_1.power.blue=3",
        "cards.monk.ways.care.power.green=4",
        *blocks("goga", 1, 1, 1),
    ]
    game = turn("goga", ["red_basic"], "monk_care", overrides=overrides)
    assert game.enemy_lp == 12 - (5 - 1) - (4 - 1) - (3 + 1 - 1)


# UW-C5


@pytest.mark.rule("UW-C5")
def test_a_turn_goes_in_its_order():
    game = turn("zaza", ["red_basic"], "hero_sword", "knight_shield", enemy_lp=7)
    told = [
        (event["event"], event.get("why") or event["what"])
        for event in game.events
        if event["event"] in ("change", "state")
    ]
    order = ["draws", "cast", "damage", "magic", "skills", "strikes"]
    assert [what for _, what in told if what in order] == order
    # Red 2 + 1 + 1 less 1, the hero 1: Zaza at 3 strikes with 3, the shield takes 1.
    assert (game.enemy_lp, game.lp, game.battle_turns) == (3, 30 - 1 - 2, 1)


@pytest.mark.rule("UW-C5")
def test_the_next_turn_begins_until_one_is_beaten():
    game = fight("zaza", enemy_lp=3, decks=[["red_basic"]] * 3, choices=["draw_1"] * 3)
    for number, left in ((1, 2), (2, 1)):
        game.battle_turn()
        assert (game.phase, game.battle_turns, game.enemy_lp) == ("battle", number, left)
    game.battle_turn()
    assert (game.phase, game.enemy, game.counter("battle_turns")) == ("journey", None, 3)
    assert game.lp == min(30, 30 - 3 - 3 - 3 + 3)
    with pytest.raises(InputError, match="phase"):
        game.battle_turn()


@pytest.mark.rule("UW-C5")
@pytest.mark.parametrize("enemy", sorted(ENEMIES))
def test_the_hero_does_1_to_any_enemy_through_blocks(enemy):
    overrides = [*blocks(enemy, 20, 20, 20), f"enemies.{enemy}.mend=0"]
    game = turn(enemy, ["red_basic"], "hero_sword", overrides=overrides)
    assert game.enemy_lp == ENEMIES[enemy]["lp"] - 1
    other = turn(enemy, ["red_basic"], "hero_banner", overrides=overrides)
    assert other.enemy_lp == ENEMIES[enemy]["lp"]


@pytest.mark.rule("UW-C5")
def test_skills_work_in_every_turn_and_add_up():
    overrides = [*blocks("goga", 20, 20, 20), "cards.monk.ways.care.turn_damage=2"]
    game = fight("goga", "hero_sword", "monk_care", overrides=overrides)
    for left in (9, 6, 3):
        game.battle_turn()
        assert game.enemy_lp == left
    game.battle_turn()
    assert game.phase == "journey"


@pytest.mark.rule("UW-C5")
@pytest.mark.parametrize(
    ("drawn", "way", "lp"),
    [("red_basic", (), 1), ("green_basic", ("hero_sword",), 1), ("red_basic", ("hero_sword",), 3)],
)
def test_a_beaten_enemy_does_not_strike(drawn, way, lp):
    game = turn("zaza", [drawn], *way, enemy_lp=lp, lp=2)
    assert (game.phase, game.lp) == ("journey", 2 - 1 + 3)
    assert game.counter("lp_strikes") == 0


@pytest.mark.rule("UW-C5")
def test_damage_stops_at_0():
    game = turn("ra", ["red_basic", "green_basic"], "hero_sword", enemy_lp=2)
    assert game.phase == "journey"
    assert game.counter("damage") == 2


# UW-C6


@pytest.mark.rule("UW-C6")
@pytest.mark.parametrize("enemy", sorted(ENEMIES))
def test_every_enemy_strikes_by_its_lp(enemy):
    overrides = [*blocks(enemy, 20, 20, 20), "casting.cost=0"]
    for lp, ap in enumerate(ENEMIES[enemy]["ap"], start=1):
        game = turn(enemy, ["red_basic"], enemy_lp=lp, overrides=overrides)
        assert game.lp == 30 - ap, f"at {lp} LP"


@pytest.mark.rule("UW-C6")
def test_the_strike_goes_by_lp_after_all_damage():
    # At 4 LP Zaza strikes with 1 instead of 5, whether the hero brought it there or magic did.
    game = turn(
        "zaza", ["green_basic"], "hero_sword", enemy_lp=5, overrides=blocks("zaza", 1, 2, 2)
    )
    assert (game.enemy_lp, game.lp) == (4, 30 - 1 - 1)
    game = turn("zaza", ["red_basic"], enemy_lp=5)
    assert (game.enemy_lp, game.lp) == (4, 30 - 1 - 1)


@pytest.mark.rule("UW-C6")
@pytest.mark.parametrize(
    ("ap", "guards", "loss"),
    [(5, (1,), 4), (1, (1,), 0), (0, (1,), 0), (5, (1, 2), 2), (3, (1, 2), 0), (2, (1, 2), 0)],
)
def test_guards_take_off_from_every_strike_and_never_below_0(ap, guards, loss):
    ways = ["knight_shield", "monk_care"][: len(guards)]
    overrides = [strikes("goga", ap), *blocks("goga", 20, 20, 20)]
    overrides += [
        f"cards.{way.split('_')[0]}.ways.{way.split('_')[1]}.guard={guard}"
        for way, guard in zip(ways, guards, strict=True)
    ]
    game = fight("goga", *ways, overrides=overrides)
    for number in (1, 2, 3):
        game.choices.append("draw_1")
        game.battle_turn()
        assert game.lp == 30 - number * (1 + loss)


@pytest.mark.rule("UW-C6")
def test_a_guard_can_save():
    assert turn("zaza", ["green_basic"], lp=6).over
    game = turn("zaza", ["green_basic"], "knight_shield", lp=6)
    assert (game.lp, game.companions) == (1, ["knight_shield"])


@pytest.mark.rule("UW-C6")
@pytest.mark.parametrize(
    ("mend", "lp", "after"),
    [(0, 20, 20), (1, 20, 21), (2, 20, 22), (2, 24, 26), (2, 25, 26), (2, 26, 26), (20, 1, 21)],
)
def test_who_mends_gets_lp_back_and_never_more_than_at_first(mend, lp, after):
    overrides = [*blocks("tera", 20, 20, 20), f"enemies.tera.mend={mend}"]
    game = turn("tera", ["red_basic"], enemy_lp=lp, overrides=overrides)
    assert game.enemy_lp == after
    assert game.lp == 30 - 1 - ENEMIES["tera"]["ap"][lp - 1], "after its strike"


@pytest.mark.rule("UW-C6")
def test_the_king_and_dero_mend_as_their_cards_say():
    for enemy, mend in (("tera", 2), ("dero", 1), ("zaza", 0), ("goga", 0)):
        overrides = blocks(enemy, 20, 20, 20)
        game = turn(enemy, ["red_basic"], enemy_lp=3, overrides=overrides)
        assert game.enemy_lp == 3 + mend


@pytest.mark.rule("UW-C6")
def test_who_mends_mends_after_every_strike_that_one_survives():
    overrides = [*blocks("zaza", 20, 20, 20), "enemies.zaza.mend=2", strikes("zaza", 0)]
    game = fight("zaza", enemy_lp=1, overrides=overrides)
    for lp in (3, 5, 7, 8, 8):
        game.battle_turn()
        assert game.enemy_lp == lp


@pytest.mark.rule("UW-C6")
def test_lp_of_the_start_can_be_mended():
    overrides = [*blocks("zaza", 20, 20, 20), "enemies.zaza.mend=9"]
    game = met("zaza", "porcupine_quills", overrides=overrides)
    assert game.enemy_lp == 6
    game.battle_turn()
    assert game.enemy_lp == 8, "what it had at first"


@pytest.mark.rule("UW-C6")
def test_a_beaten_enemy_does_not_mend():
    game = turn("dero", ["red_basic"], enemy_lp=1)
    assert (game.phase, game.counter("battles_won")) == ("journey", 1)


# UW-C7


@pytest.mark.rule("UW-C7")
@pytest.mark.parametrize("enemy", AT_PLACES)
def test_every_enemy_gives_its_recover(enemy):
    overrides = blocks(enemy, 0, 0, 0)
    game = turn(enemy, ["red_basic"], enemy_lp=1, lp=10, overrides=overrides)
    assert game.lp == 10 - 1 + ENEMIES[enemy]["recover"]


@pytest.mark.rule("UW-C7")
@pytest.mark.parametrize(
    ("companions", "more"),
    [
        (("monk_care",), 2),
        (("monk_sermon",), 0),
        (("princess_prayer",), 1),
        (("princess_command",), 0),
        (("monk_care", "princess_prayer"), 3),
        (("hero_sword", "knight_shield"), 0),
    ],
)
def test_companions_add_to_what_a_win_brings(companions, more):
    game = turn("zaza", ["red_basic"], *companions, enemy_lp=1, lp=10)
    assert game.lp == 10 - 1 + 3 + more
    assert game.counter("lp_wins") == 3 + more


@pytest.mark.rule("UW-C7")
def test_what_companions_add_is_data():
    overrides = ["cards.monk.ways.care.recover=9", "enemies.zaza.recover=0"]
    assert turn("zaza", ["red_basic"], "monk_care", enemy_lp=1, lp=5, overrides=overrides).lp == 13


@pytest.mark.rule("UW-C7")
def test_the_ability_card_comes_after_the_recovery():
    choices = ["monk_care"]
    game = turn("zaza", ["red_basic"], enemy_lp=1, lp=10, ability="monk", choices=choices)
    assert (game.companions, game.lp) == (["monk_care"], 12), "the monk was not there yet"
    assert game.place("right_4")["ability"] is None


@pytest.mark.rule("UW-C7")
def test_a_place_without_a_card_gives_lp_alone():
    game = turn("zaza", ["red_basic"], enemy_lp=1, lp=10)
    assert (game.lp, game.hand, game.companions) == (12, list(BASIC), [])


@pytest.mark.rule("UW-C7")
def test_a_companion_who_was_lost_adds_nothing():
    # Paying brings LP to 0: the monk goes before the damage that wins.
    game = turn("zaza", ["red_basic"], "monk_care", enemy_lp=1, lp=1)
    assert (game.lost, game.lp) == (["monk"], 8 + 3)
