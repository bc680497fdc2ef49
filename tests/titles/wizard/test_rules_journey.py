"""The journey: moves and what they cost, places, the maps, what is hidden, and the caps."""

from __future__ import annotations

import pytest

from sim.errors import InputError
from sim.titles.wizard import TITLE, from_position, new_game
from sim.titles.wizard.schema import PLACES, STEPS
from tests.titles.wizard.staging import BESIDE_PLAIN, fight, seen, stage, turn

VALUES = TITLE.load().values


def step(start, direction, *companions, **more):
    """Return the game after one move."""
    game = stage(start, *companions, **more)
    game.move(direction)
    return game


# UW-M1


@pytest.mark.rule("UW-M1")
@pytest.mark.parametrize(
    ("direction", "to"),
    [
        ("go_up", "c6"),
        ("go_up_right", "d5"),
        ("go_down_right", "d3"),
        ("go_down", "c2"),
        ("go_down_left", "b3"),
        ("go_up_left", "b5"),
    ],
)
def test_a_move_leads_to_a_hex_beside(direction, to):
    game = step("c4", direction, "porcupine_swim")
    assert game.hex == to
    x, y = VALUES["maps"]["long"]["hexes"]["c4"]["at"]
    dx, dy = STEPS[direction]
    assert VALUES["maps"]["long"]["hexes"][to]["at"] == (x + dx, y + dy)


@pytest.mark.rule("UW-M1")
@pytest.mark.parametrize(
    ("hex_", "options"),
    [
        ("c0", {"go_up", "go_up_right", "go_up_left"}),
        ("d1", {"go_up", "go_up_right", "go_down_left", "go_up_left"}),
        ("a4", {"go_up", "go_down_right", "go_down"}),
        ("c4", {"go_up", "go_up_right", "go_down_right", "go_down", "go_down_left"}),
        ("e12", {"go_up", "go_down", "go_down_left", "go_up_left"}),
    ],
)
def test_where_there_is_no_hex_or_sea_there_is_no_way(hex_, options):
    game = stage(hex_)
    assert set(game.options()) == options
    for direction in set(STEPS) - options:
        with pytest.raises(InputError, match="allowed now"):
            game.move(direction)
    assert (game.hex, game.round) == (hex_, 1)


@pytest.mark.rule("UW-M1")
@pytest.mark.parametrize(
    ("start", "direction", "cost"),
    [
        ("c0", "go_up", 1),
        ("c0", "go_up_right", 2),  # as printed
        ("c12", "go_up", 2),
        ("c2", "go_down", 0),  # a town that costs nothing
    ],
)
def test_a_move_costs_what_the_hex_shows(start, direction, cost):
    game = step(start, direction)
    assert game.lp == 30 - cost
    assert game.counter("lp_moves") == -cost


@pytest.mark.rule("UW-M1")
def test_a_hex_is_paid_every_time_it_is_entered_and_never_for_leaving():
    game = stage("c2")
    for number, direction in enumerate(["go_up", "go_down"] * 3, start=1):
        game.move(direction)
        assert game.lp == 30 - number
    game.move("go_down")
    assert game.lp == 24, "c0 costs nothing"


@pytest.mark.rule("UW-M1")
def test_a_yellow_hex_gives_lp_once_a_game_and_costs_nothing():
    game = step("c6", "go_up", lp=10)
    assert (game.lp, game.used) == (14, ["c8"])
    game.move("go_down")
    game.move("go_up")
    assert (game.lp, game.used) == (13, ["c8"]), "neither LP nor cost"
    assert (game.counter("lp_hexes"), game.counter("recoveries")) == (4, 1)


@pytest.mark.rule("UW-M1")
def test_each_yellow_hex_is_used_by_itself():
    game = step("c6", "go_up", lp=10, used=["d5", "b9"])
    assert (game.lp, game.used) == (14, ["b9", "c8", "d5"])
    game.move("go_up_left")
    assert (game.hex, game.lp) == ("b9", 14)


@pytest.mark.rule("UW-M1")
def test_a_yellow_hex_is_used_up_at_full_lp_too():
    game = step("c6", "go_up", lp=30)
    assert (game.lp, game.used) == (30, ["c8"])
    assert (game.counter("recoveries"), game.counter("lp_hexes")) == (1, 0)
    game.move("go_down")
    game.move("go_up")
    assert game.lp == 29


@pytest.mark.rule("UW-M1")
@pytest.mark.parametrize(
    ("companions", "enters"),
    [
        ((), False),
        (("porcupine_quills",), False),
        (("hero_sword", "knight_charge", "monk_care", "princess_prayer"), False),
        (("porcupine_swim",), True),
        (("hero_sword", "porcupine_swim"), True),
    ],
)
def test_sea_needs_a_companion_that_crosses_it(companions, enters):
    game = stage("c4", *companions)
    assert ("go_up_left" in game.options()) == enters
    if enters:
        game.move("go_up_left")
        assert (game.hex, game.lp) == ("b5", 29)
        assert game.counter("sea_moves") == 1


@pytest.mark.rule("UW-M1")
@pytest.mark.parametrize("price", [1, 2, 20])
def test_sea_costs_what_the_companion_says(price):
    overrides = [f"cards.porcupine.ways.swim.sea={price}"]
    game = step("c4", "go_up_left", "porcupine_swim", overrides=overrides)
    assert (game.lp, game.counter("lp_moves")) == (30 - price, -price)
    game.move("go_up")  # the forest beyond costs 1
    assert (game.hex, game.lp) == ("b7", 30 - price - 1)


@pytest.mark.rule("UW-M1")
@pytest.mark.parametrize(("swim", "sword", "paid"), [(5, 2, 2), (2, 5, 2), (3, 0, 3), (0, 4, 4)])
@pytest.mark.parametrize("first", [0, 1])
def test_of_several_that_cross_the_cheapest_counts(swim, sword, paid, first):
    companions = ["porcupine_swim", "hero_sword"]
    overrides = [f"cards.porcupine.ways.swim.sea={swim}", f"cards.hero.ways.sword.sea={sword}"]
    order = [companions[first], companions[1 - first]]
    game = step("c4", "go_up_left", *order, overrides=overrides)
    assert game.lp == 30 - paid


@pytest.mark.rule("UW-M1")
def test_who_lost_the_swimmer_cannot_enter_sea():
    game = stage("c4", "hero_sword", lost=["porcupine"])
    assert "go_up_left" not in game.options()


@pytest.mark.rule("UW-M1")
def test_the_map_is_data():
    overrides = ["maps.long.hexes.c2.cost=7", "maps.long.hexes.c8.recover=3"]
    assert step("c0", "go_up", overrides=overrides).lp == 23
    assert step("c6", "go_up", lp=10, overrides=overrides).lp == 13
    wet = ['maps.long.hexes.d1.terrain="sea"', "maps.long.hexes.d1.cost=0"]
    assert "go_up_right" not in stage("c0", overrides=wet).options()
    dry = ['maps.long.hexes.b5.terrain="plain"', "maps.long.hexes.b5.cost=4"]
    assert step("c4", "go_up_left", overrides=dry).lp == 26
    moved = ['maps.long.hexes.c2.place="left_4"', 'maps.long.hexes.a2.place=""']
    game = step("c0", "go_up", overrides=moved, places={"left_4": {"enemy": "ra"}})
    assert (game.phase, game.enemy) == ("battle", "ra")
    assert new_game(overrides=['maps.long.start="c2"']).hex == "c2"


# UW-M2


@pytest.mark.rule("UW-M2")
def test_a_hex_with_a_place_starts_a_battle_the_first_time_only():
    game = step(BESIDE_PLAIN, "go_up_right", places={"right_4": {"enemy": "ra"}})
    assert (game.phase, game.enemy, game.enemy_lp) == ("battle", "ra", 5)
    assert (game.hex, game.lp) == ("e2", 29), "the move is paid"
    with pytest.raises(InputError, match="phase"):
        game.move("go_up")
    game.fight()
    assert game.phase == "journey"
    assert game.place("right_4")["beaten"]
    lp = game.lp
    game.move("go_up")
    game.move("go_down")
    assert (game.phase, game.hex, game.enemy) == ("journey", "e2", None)
    assert game.lp == lp - 2, "and it is paid again"
    assert game.counter("battles_won") == 1


@pytest.mark.rule("UW-M2")
def test_a_beaten_enemy_does_not_fight_again():
    game = step(BESIDE_PLAIN, "go_up_right", places={"right_4": {"enemy": "ra", "beaten": True}})
    assert (game.phase, game.hex, game.lp) == ("journey", "e2", 29)


@pytest.mark.rule("UW-M2")
@pytest.mark.parametrize(
    ("start", "direction", "to"),
    [
        ("c0", "go_up", "c2"),
        ("c0", "go_up_right", "d1"),
        ("c6", "go_up", "c8"),
        ("b3", "go_up", "b5"),
        ("c14", "go_up", "c16"),
    ],
)
def test_a_hex_without_a_place_starts_none(start, direction, to):
    game = step(start, direction, "porcupine_swim")
    assert (game.phase, game.hex, game.enemy) == ("journey", to, None)


@pytest.mark.rule("UW-M2")
@pytest.mark.parametrize("place", PLACES)
def test_each_place_is_linked_to_its_hex(place):
    hexes = VALUES["maps"]["long"]["hexes"]
    (hex_,) = (name for name, one in hexes.items() if one["place"] == place)
    x, y = hexes[hex_]["at"]
    start, direction = next(
        (name, direction)
        for name, one in hexes.items()
        for direction, (dx, dy) in STEPS.items()
        if (one["at"][0] + dx, one["at"][1] + dy) == (x, y)
    )
    game = stage(start, "porcupine_swim")
    enemy = game.place(place)["enemy"]
    game.move(direction)
    assert (game.hex, game.enemy) == (hex_, enemy)
    assert [name for name in PLACES if game.place(name)["order"]] == [place]


@pytest.mark.rule("UW-M2")
@pytest.mark.parametrize(("lp", "phase"), [(1, "over"), (2, "battle")])
def test_only_who_still_has_lp_fights(lp, phase):
    game = step(BESIDE_PLAIN, "go_up_right", lp=lp, places={"right_4": {"enemy": "ra"}})
    assert (game.phase, game.lp) == (phase, lp - 1)
    assert (game.enemy is not None) == (phase == "battle")
    assert bool(game.place("right_4")["order"]) == (phase == "battle")


# UW-M3


def towards_castle(game, moves):
    for _ in range(moves):
        assert game.phase == "journey"
        game.move("go_up")


@pytest.mark.rule("UW-M3")
def test_the_long_map_has_its_start_below_and_the_castle_above():
    assert VALUES["journey"]["map"] == "long"
    game = new_game()
    assert game.hex == "c0"
    towards_castle(game, 9)
    assert (game.hex, game.phase, game.enemy) == ("c18", "battle", "tera")


@pytest.mark.rule("UW-M3")
def test_the_short_map_has_the_same_rules():
    short = ['journey.map="short"']
    game = from_position({"companions": ["porcupine_swim"]}, overrides=short)
    assert (game.hex, game.lp) == ("c0", 30)
    towards_castle(game, 6)
    assert (game.hex, game.phase, game.enemy) == ("c12", "battle", "tera")
    assert game.lp == 30 - (1 + 1 + 1 + 1 + 2), "the third one is sea"
    assert "go_up" not in from_position({"hex": "c4"}, overrides=short).options()
    yellow = from_position({"hex": "b1", "lp": 9}, overrides=short)
    yellow.move("go_up")
    assert (yellow.lp, yellow.used) == (13, ["b3"])
    fresh = new_game(overrides=short)
    assert None not in [fresh.place(name)["enemy"] for name in PLACES]


@pytest.mark.rule("UW-M3")
def test_all_eight_places_lie_on_the_short_map():
    hexes = VALUES["maps"]["short"]["hexes"]
    assert sorted(filter(None, (one["place"] for one in hexes.values()))) == sorted(PLACES)
    game = from_position({"hex": "d1"}, overrides=['journey.map="short"'])
    enemy = game.place("right_4")["enemy"]
    game.move("go_down_right")
    assert (game.hex, game.enemy) == ("e0", enemy)


# UW-M4


def at_places(enemies, abilities):
    """Return what lies at all places."""
    return {
        name: {"enemy": enemy, "ability": ability}
        for name, enemy, ability in zip(PLACES, enemies, abilities, strict=True)
    }


ENEMIES = ("karu", "koru", "robi", "zaza", "yabi", "goga", "ra", "dodo")
OTHERS = ("dero", "yabi", "goga", "ra", "koru", "karu", "dodo", "nunu")
CARDS = (
    "red_extension",
    "green_extension",
    "blue_extension",
    "light_blue_extension",
    "grimoire_2",
    "hero",
    "knight",
    "monk",
)


@pytest.mark.rule("UW-M4")
@pytest.mark.rule("UW-S3")
@pytest.mark.rule("UW-S2")
@pytest.mark.parametrize("hex_", ["c0", "d1"])
def test_enemies_and_cards_of_places_are_hidden_before_the_battle(hex_):
    one = stage(hex_, places=at_places(ENEMIES, CARDS))
    other = stage(hex_, places=at_places(OTHERS, CARDS[::-1]))
    assert seen(one) == seen(other)


@pytest.mark.rule("UW-M4")
def test_the_enemy_shows_when_its_battle_starts():
    games = [stage("d1", places=at_places(names, CARDS)) for names in (ENEMIES, OTHERS)]
    for game in games:
        game.move("go_up_right")
    assert [game.enemy for game in games] == ["dodo", "nunu"]
    assert seen(games[0]) != seen(games[1])
    # All others stay hidden.
    same = stage("d1", places=at_places((*OTHERS[:6], "nunu", "dodo"), CARDS))
    same.move("go_up_right")
    assert seen(same) == seen(games[0])


@pytest.mark.rule("UW-M4")
def test_the_ability_card_shows_when_the_battle_is_won():
    abilities = ("red_extension", "blue_extension")
    battles = [
        fight("zaza", enemy_lp=1, ability=name, decks=[["red_basic"]], choices=["draw_1"])
        for name in abilities
    ]
    assert seen(battles[0]) == seen(battles[1])
    for game in battles:
        game.battle_turn()
    assert [game.hand[3] for game in battles] == list(abilities)
    assert seen(battles[0]) != seen(battles[1])


@pytest.mark.rule("UW-M4")
def test_the_map_and_the_backs_of_enemies_are_open():
    game = stage("c0")
    assert (game.observe("unfought_yellow"), game.observe("unfought_red")) == (3, 5)
    assert game.observe("cost", "go_up_right") == 2
    moved = stage("c0", overrides=['places.left_4.colour="red"', "maps.long.hexes.d1.cost=3"])
    assert (moved.observe("unfought_yellow"), moved.observe("unfought_red")) == (2, 6)
    assert moved.observe("cost", "go_up_right") == 3
    assert game.observe("starts_battle", "go_up") == 0
    beside = stage("d1")
    assert beside.observe("starts_battle", "go_up_right") == 1


# UW-M5


@pytest.mark.rule("UW-M5")
def test_places_can_be_passed_by_where_there_is_a_way_round():
    game = stage("c0")
    towards_castle(game, 9)
    assert (game.hex, game.enemy) == ("c18", "tera")
    assert not any(game.place(name)["order"] for name in PLACES)


@pytest.mark.rule("UW-M5")
def test_the_wizard_moves_in_every_round():
    asked = []

    class Watches:
        def move(self, view, options):
            asked.append(set(options))
            return options[-1]

    game = new_game(lineup=[Watches()], overrides=["start.lp=99"])
    before = game.hex
    for number in range(1, 9):
        assert game.round == number
        game.play_round()
        if game.over:
            break
        assert game.hex != before
        before = game.hex
    assert len(asked) >= 2
    assert set().union(*asked) <= set(STEPS), "there is no way to stay"


@pytest.mark.rule("UW-M5")
@pytest.mark.parametrize(("cap", "last"), [(None, 100), (3, 3), (1, 1), (120, 120)])
def test_after_the_last_round_a_game_ends_unfinished(cap, last):
    overrides = [] if cap is None else [f"limits.round_cap={cap}"]
    game = stage("c2", round=max(1, last - 1), overrides=overrides)
    if last > 1:
        game.move("go_down")
        assert (game.over, game.round) == (False, last)
    game.move("go_up")
    assert (game.over, game.end_reason, game.round) == (True, "round_cap", last)
    assert game.win60 == [0]
    with pytest.raises(InputError, match="over"):
        game.play()


@pytest.mark.rule("UW-M5")
def test_the_battle_of_the_last_round_is_fought():
    more = {"round": 100, "overrides": ["enemies.ra.lp=1", "enemies.ra.ap=[1]"]}
    game = step(BESIDE_PLAIN, "go_up_right", places={"right_4": {"enemy": "ra"}}, **more)
    assert (game.phase, game.enemy) == ("battle", "ra")
    game.fight()
    assert (game.end_reason, game.counter("battles_won")) == ("round_cap", 1)


@pytest.mark.rule("UW-M5")
def test_who_beats_the_king_in_the_last_round_has_cleared_the_game():
    game = turn("tera", ["red_basic"], "knight_charge", enemy_lp=1, round=100)
    assert (game.end_reason, game.win60) == ("cleared", [60])


@pytest.mark.rule("UW-M5")
@pytest.mark.parametrize(("cap", "last"), [(None, 60), (2, 2), (80, 80)])
def test_after_the_last_turn_of_a_battle_a_game_ends_unfinished(cap, last):
    overrides = ["enemies.zaza.ap=[0,0,0,0,0,0,0,0]"]
    overrides += [] if cap is None else [f"limits.battle_cap={cap}"]
    game = turn("zaza", ["green_basic"], turn=last - 2, overrides=overrides)
    assert (game.phase, game.battle_turns) == ("battle", last - 1)
    game.battle_turn()
    assert (game.over, game.end_reason, game.win60) == (True, "battle_cap", [0])


@pytest.mark.rule("UW-M5")
def test_the_last_turn_of_a_battle_is_played_whole():
    won = turn("zaza", ["red_basic"], enemy_lp=1, turn=59)
    assert (won.phase, won.counter("battles_won")) == ("journey", 1)
    struck = turn("zaza", ["green_basic"], lp=6, turn=59)
    assert (struck.lp, struck.end_reason) == (0, "lost_in_battle")
    unfinished = turn("zaza", ["green_basic"], lp=7, turn=59)
    assert (unfinished.lp, unfinished.end_reason) == (1, "battle_cap")
