"""Set-up: LP, the thirteen ability cards, the enemies' places, and gaining an ability card."""

from __future__ import annotations

import functools
from collections import Counter

import pytest

from sim.titles.wizard import TITLE, new_game
from sim.titles.wizard.schema import ABILITIES, COMPANIONS, DEALT, PARTS, PLACES
from tests.budget import assert_counts
from tests.titles.wizard.staging import BASIC, BESIDE_PLAIN, fight, stage, turn

RULES = TITLE.load()
VALUES = RULES.values
YELLOW_PLACES = ("left_4", "right_3", "right_4")
WAYS = {
    "hero": ("banner", "sword"),
    "knight": ("charge", "shield"),
    "monk": ("care", "sermon"),
    "porcupine": ("quills", "swim"),
    "princess": ("command", "prayer"),
}
#: A game with all companions, in any order of arrival.
ALL = "start.cards=10"


@functools.cache
def deals(number=100, *overrides):
    """Return fresh games of consecutive deals."""
    return [new_game(deal=deal, overrides=overrides) for deal in range(number)]


def coloured(colour):
    return {name for name, enemy in VALUES["enemies"].items() if enemy["colour"] == colour}


def places(game, what):
    return {name: game.place(name)[what] for name in PLACES}


def starting(game):
    """Return the ability cards that a fresh game starts with beside the basic parts."""
    companions = [way.split("_")[0] for way in game.companions]
    return [*(card for card in game.hand if card not in BASIC), *companions]


# UW-S1


@pytest.mark.rule("UW-S1")
def test_thirty_lp_and_one_player():
    game = new_game()
    assert (game.lp, game.round, game.phase, game.hex) == (30, 1, "journey", "c0")
    assert TITLE.info.players == (1,)


@pytest.mark.rule("UW-S1")
@pytest.mark.parametrize("lp", [1, 29, 31, 99])
def test_lp_at_the_start_are_data_and_are_not_cut(lp):
    assert new_game(overrides=[f"start.lp={lp}"]).lp == lp


@pytest.mark.rule("UW-S1")
@pytest.mark.parametrize(
    ("overrides", "lp", "after"),
    [
        ((), 25, 29),
        ((), 26, 30),
        ((), 27, 30),
        ((), 30, 30),
        ((), 31, 31),
        ((), 35, 35),
        (("lp.most=40",), 30, 34),
        (("lp.most=40",), 39, 40),
        (("lp.most=10",), 5, 9),
        (("lp.most=10",), 8, 10),
        (("lp.most=10",), 12, 12),
    ],
)
def test_a_yellow_hex_recovers_up_to_the_most(overrides, lp, after):
    game = stage("c6", lp=lp, overrides=overrides)
    game.move("go_up")  # 4 LP
    assert game.lp == after
    assert game.counter("lp_hexes") == after - lp


@pytest.mark.rule("UW-S1")
@pytest.mark.parametrize(
    ("most", "lp", "after"), [(30, 20, 23), (30, 28, 30), (30, 30, 30), (30, 33, 33), (40, 33, 36)]
)
def test_a_win_recovers_up_to_the_most(most, lp, after):
    overrides = [f"lp.most={most}", "casting.cost=0"]
    game = turn("zaza", ["red_basic"], enemy_lp=1, lp=lp, overrides=overrides)
    assert (game.phase, game.lp) == ("journey", after)
    assert game.counter("lp_wins") == after - lp


@pytest.mark.rule("UW-S1")
@pytest.mark.parametrize(("lp", "after"), [(20, 28), (22, 30), (25, 30), (30, 30), (32, 32)])
def test_a_spell_recovers_up_to_the_most(lp, after):
    game = turn(
        "zaza",
        BASIC,
        hand=["red_extension", "grimoire_2"],
        lp=lp,
        choices=["mending_4"],
        overrides=["casting.cost=0", "enemies.zaza.ap=[0,0,0,0,0,0,0,0]"],
    )
    assert game.lp == after
    assert game.counter("lp_spells") == after - lp


@pytest.mark.rule("UW-S1")
def test_lp_for_a_lost_companion_are_no_recovery():
    overrides = ["lp.most=5"]
    game = turn("zaza", ["green_basic"], "hero_banner", lp=4, overrides=overrides)
    assert (game.lost, game.lp) == (["hero"], 8)


# UW-S2


@pytest.mark.rule("UW-S2")
def test_the_thirteen_cards():
    assert set(PARTS) == {
        *BASIC,
        "red_extension",
        "green_extension",
        "blue_extension",
        "light_blue_extension",
    }
    assert set(COMPANIONS) == set(WAYS)
    assert set(ABILITIES) == {*PARTS, "grimoire_2", *COMPANIONS} == set(VALUES["cards"])
    assert len(ABILITIES) == 13
    assert VALUES["start"]["cards"] == 2


@pytest.mark.rule("UW-S2")
def test_basic_parts_and_two_more_are_the_wizards_and_eight_lie_at_the_places():
    for game in deals():
        assert game.hand[:3] == list(BASIC)
        more = starting(game)
        assert len(more) == 2
        assert len(game.hand) + len(game.companions) == 5
        laid = list(places(game, "ability").values())
        assert sorted(more + laid) == sorted(DEALT), "each card once, one at each place"
        assert (game.lost, game.aside) == ([], [])


@pytest.mark.rule("UW-S2")
def test_any_two_may_be_the_starting_cards(stat_seed):
    pairs, first = Counter(), Counter()
    for deal in range(5400):
        game = new_game(rules=RULES, seed=stat_seed, deal=deal)
        pairs[frozenset(starting(game))] += 1
        first[game.place("right_2")["ability"]] += 1
    assert len(pairs) == 45
    assert_counts(list(pairs.values()))
    assert set(first) == set(DEALT)
    assert_counts(list(first.values()))


@pytest.mark.rule("UW-S2")
@pytest.mark.parametrize("number", range(11))
def test_with_another_number_of_starting_cards(number):
    for game in deals(10, f"start.cards={number}"):
        assert len(starting(game)) == number
        laid = [game.place(name)["ability"] for name in PLACES]
        there = min(8, 10 - number)
        assert None not in laid[:there]
        assert laid[there:] == [None] * (8 - there), "the last places have none"
        seen = starting(game) + laid[:there]
        assert len(set(seen)) == len(seen) == number + there
        assert set(seen) <= set(DEALT)


# UW-S3


@pytest.mark.rule("UW-S3")
def test_four_yellow_and_six_red_enemies_and_the_king():
    assert [len(coloured(colour)) for colour in ("yellow", "red", "king")] == [4, 6, 1]
    yellow = {name for name, place in VALUES["places"].items() if place["colour"] == "yellow"}
    assert yellow == set(YELLOW_PLACES)
    assert "zaza" in coloured("yellow")


@pytest.mark.rule("UW-S3")
def test_enemies_lie_at_places_of_their_colour_and_one_of_each_stays_out():
    for game in deals():
        enemies = places(game, "enemy")
        yellow = {enemies[name] for name in YELLOW_PLACES}
        red = set(enemies.values()) - yellow
        assert yellow < coloured("yellow")
        assert red < coloured("red")
        assert (len(yellow), len(red)) == (3, 5)


@pytest.mark.rule("UW-S3")
def test_within_a_colour_enemies_are_dealt_at_random(stat_seed):
    yellow, red = Counter(), Counter()
    for deal in range(3000):
        game = new_game(rules=RULES, seed=stat_seed, deal=deal)
        yellow[tuple(game.place(name)["enemy"] for name in YELLOW_PLACES)] += 1
        red[game.place("left_1")["enemy"], game.place("right_2")["enemy"]] += 1
    assert len(yellow) == 24
    assert_counts(list(yellow.values()))
    assert len(red) == 30
    assert_counts(list(red.values()))


@pytest.mark.rule("UW-S3")
def test_the_colours_of_places_are_data():
    moved = ('places.left_4.colour="red"', 'places.left_1.colour="yellow"')
    for game in deals(20, *moved):
        enemies = places(game, "enemy")
        assert enemies["left_4"] in coloured("red")
        assert enemies["left_1"] in coloured("yellow")
    for game in deals(20, 'places.left_2.colour="yellow"'):
        enemies = places(game, "enemy")
        assert {enemies[name] for name in (*YELLOW_PLACES, "left_2")} == coloured("yellow")


@pytest.mark.rule("UW-S3")
def test_the_colours_of_enemies_are_data():
    met = set()
    for game in deals(40, 'enemies.zaza.colour="red"'):
        enemies = places(game, "enemy")
        assert {enemies[name] for name in YELLOW_PLACES} == coloured("yellow") - {"zaza"}
        met |= set(enemies.values())
    assert met == coloured("yellow") | coloured("red")


@pytest.mark.rule("UW-S3")
def test_the_deal_decides_and_nothing_else():
    assert places(new_game(deal=3), "enemy") == places(new_game(deal=3), "enemy")
    assert len({tuple(places(game, "enemy").values()) for game in deals(20)}) > 15
    one, other = (new_game(seed=seed, deal=3) for seed in (1, 2))
    assert places(one, "enemy") != places(other, "enemy")


# UW-S4


class Lays:
    """Lays each companion the way up that it was told, and notes what it was asked."""

    def __init__(self, nth) -> None:
        self.nth, self.asked = nth, []

    def way(self, view, options):
        self.asked.append(tuple(options))
        return options[self.nth]


@pytest.mark.rule("UW-S4")
@pytest.mark.parametrize("nth", [0, 1])
def test_starting_companions_are_laid_before_the_first_move(nth):
    player = Lays(nth)
    game = new_game(overrides=[ALL], lineup=[player])
    assert game.phase == "journey"
    assert sorted(game.hand) == sorted([*PARTS, "grimoire_2"])
    ways = {name: tuple(f"{name}_{way}" for way in both) for name, both in WAYS.items()}
    assert sorted(player.asked) == sorted(ways.values()), "each once, both ways offered"
    assert sorted(game.companions) == sorted(both[nth] for both in ways.values())


@pytest.mark.rule("UW-S4")
@pytest.mark.parametrize("way", [f"{name}_{way}" for name, both in WAYS.items() for way in both])
def test_a_companion_that_is_gained_is_laid_the_way_one_chooses(way):
    companion = way.split("_")[0]
    game = turn("zaza", ["red_basic"], enemy_lp=1, ability=companion, choices=[way])
    assert game.phase == "journey"
    assert game.companions == [way]
    assert game.place("right_4")["ability"] is None
    assert game.hand == list(BASIC)


@pytest.mark.rule("UW-S4")
def test_a_way_up_is_for_good():
    player = Lays(1)
    game = new_game(overrides=[ALL, "start.lp=99"], lineup=[player])
    before, asked = game.companions, len(player.asked)
    for _ in range(4):
        game.play_round()
    assert game.companions == [way for way in before if way.split("_")[0] not in game.lost]
    assert len(player.asked) == asked == 5


@pytest.mark.rule("UW-S4")
@pytest.mark.parametrize("part", PARTS[3:])
def test_a_part_that_is_gained_is_in_the_next_deck(part):
    game = stage(
        BESIDE_PLAIN,
        places={"right_4": {"enemy": "zaza", "ability": part}, "right_3": {"enemy": "ra"}},
        overrides=["enemies.zaza.lp=1", "enemies.zaza.ap=[5]"],
        decks=[["red_basic"], [part, "red_basic", "green_basic"]],
        choices=["draw_1"],
    )
    game.move("go_up_right")
    game.battle_turn()
    assert game.hand == [*BASIC, part]
    assert game.place("right_4") == {"enemy": "zaza", "ability": None, "beaten": True, "order": 1}
    game.move("go_up")
    game.move("go_up")
    assert game.options() == ("draw_1", "draw_2", "draw_3"), "a deck of four parts"
    game.choices.append("draw_1")
    game.battle_turn()
    drawn = [event["card"] for event in game.events if event.get("to") == "drawn"]
    assert drawn == ["red_basic", part]


@pytest.mark.rule("UW-S4")
def test_the_grimoire_2_opens_its_spells():
    # All basic parts: without the book three spells, with it the healing one instead, as chosen.
    def game(*book, choices=()):
        hand = ["red_extension", *book]
        return turn("zaza", BASIC, hand=hand, lp=10, choices=choices)

    plain = game()
    assert (plain.lp, plain.enemy_lp) == (10 - 3 - 5, 7)
    healed = game("grimoire_2", choices=["mending_4"])
    assert (healed.lp, healed.enemy_lp) == (10 - 3 + 8 - 5, 8)


@pytest.mark.rule("UW-S4")
def test_a_grimoire_that_is_won_opens_its_spells_and_is_no_part_of_the_deck():
    game = turn("zaza", ["red_basic"], enemy_lp=1, ability="grimoire_2")
    assert game.hand == [*BASIC, "grimoire_2"]
    assert game.observe("parts") == 3
    game = fight("zaza", hand=["grimoire_2"])
    assert game.options() == ("draw_1", "draw_2"), "a deck of three"


#: What each way up does to a turn against an enemy without blocks that would strike with 3, in
#: which one useless part is drawn: damage, LP of the wizard.
TURNS = {
    "hero_sword": (1 + 1, 30 - 1 - 3),
    "hero_banner": (3, 30 - 1 - 3),
    "knight_charge": (2, 30 - 1 - 3),
    "knight_shield": (1, 30 - 1 - 2),
    "monk_sermon": (2, 30 - 1 - 3),
    "monk_care": (1, 30 - 1 - 3),
    "porcupine_swim": (2, 30 - 1 - 3),
    "porcupine_quills": (2, 30 - 1 - 3),
    "princess_prayer": (2, 30 - 1 - 3),
    "princess_command": (2, 30 - 1 - 3),
}
NO_BLOCKS = [f"enemies.zaza.block.{colour}=0" for colour in ("red", "green", "blue")]


@pytest.mark.rule("UW-S4")
@pytest.mark.parametrize("way", TURNS)
def test_only_the_way_that_is_up_counts(way):
    overrides = [*NO_BLOCKS, "enemies.zaza.ap=[3,3,3,3,3,3,3,3]"]
    game = turn("zaza", ["red_extension"], way, hand=["red_extension"], overrides=overrides)
    damage, lp = TURNS[way]
    assert (8 - game.enemy_lp, game.lp) == (damage, lp)


@pytest.mark.rule("UW-S4")
@pytest.mark.parametrize("way", TURNS)
def test_skills_of_the_start_count_only_when_that_way_is_up(way):
    game = stage(BESIDE_PLAIN, way, places={"right_4": {"enemy": "zaza"}})
    game.move("go_up_right")
    taken = {"porcupine_quills": 2, "princess_command": 1}.get(way, 0)
    assert game.enemy_lp == 8 - taken
