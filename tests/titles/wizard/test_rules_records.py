"""Records: what a game is told by, and what it means to bar cards and choices."""

from __future__ import annotations

import pytest

from sim.titles.wizard import TITLE, new_game
from sim.titles.wizard.info import INFO, LP_SOURCES
from sim.titles.wizard.schema import COMPANIONS, DEALT, DIRECTIONS, DRAW_WORDS, PARTS, PLACES
from tests.titles.wizard.staging import BASIC, BESIDE_PLAIN, fight, stage, turn

RULES = TITLE.load()
COLOURS = ("red", "green", "blue")


def value(game, column):
    """Return a category column by the id of its value."""
    return TITLE.categories(RULES, column)[game.counter(column)].id


def sources(game):
    """Return where LP came from and where they went, what is 0 left out."""
    found = {name: game.counter(f"lp_{name}") for name in LP_SOURCES}
    return {name: lp for name, lp in found.items() if lp}


def asked(game, what):
    """Return the options of every decision of a sort."""
    return [
        set(event["options"])
        for event in game.events
        if event["event"] == "choose" and event["what"] == what
    ]


def wall(enemy):
    return [f"enemies.{enemy}.block.{colour}=20" for colour in COLOURS]


# UW-A1


@pytest.mark.rule("UW-A1")
def test_a_cleared_game():
    game = turn("tera", ["red_basic"], "knight_charge", enemy_lp=1, lp=12)
    assert (game.end_reason, game.win60) == ("cleared", [60])
    assert (value(game, "lost_at"), value(game, "lost_to")) == ("not_lost", "to_nobody")
    assert (game.lp, game.events[-1]["scores"]) == (11, [11])


@pytest.mark.rule("UW-A1")
@pytest.mark.parametrize("enemy", ["zaza", "goga"])
@pytest.mark.parametrize(
    ("place", "hex_"), [("right_4", "e2"), ("left_4", "a2"), ("left_1", "a14"), ("right_2", "e10")]
)
def test_where_and_to_whom_a_game_was_lost(enemy, place, hex_):
    game = turn(enemy, ["red_basic"], lp=2, at=hex_, overrides=wall(enemy))
    assert (game.end_reason, game.win60, game.lp) == ("lost_in_battle", [0], 0)
    assert (value(game, "lost_at"), value(game, "lost_to")) == (place, enemy)
    spent = turn(enemy, ["red_basic"], lp=1, at=hex_)
    assert spent.end_reason == "lost_by_casting"
    assert (value(spent, "lost_at"), value(spent, "lost_to")) == (place, enemy)


@pytest.mark.rule("UW-A1")
def test_games_lost_at_the_castle_and_on_the_road():
    castle = turn("tera", ["green_basic"], lp=2)
    assert (value(castle, "lost_at"), value(castle, "lost_to")) == ("at_the_castle", "tera")
    road = stage(BESIDE_PLAIN, lp=1)
    road.move("go_up_right")
    assert (value(road, "lost_at"), value(road, "lost_to")) == ("on_the_road", "to_nobody")


@pytest.mark.rule("UW-A1")
def test_where_lp_came_from_and_where_they_went():
    # Two moves, one of them onto a yellow hex; a battle of one turn; a loss.
    game = stage("c6", lp=20)
    game.move("go_up")
    game.move("go_down")
    assert sources(game) == {"start": 20, "hexes": 4, "moves": -1}
    won = turn("zaza", ["red_basic"], "monk_care", enemy_lp=1, lp=10)
    assert sources(won) == {"start": 10, "wins": 5, "draws": -1}
    struck = turn("zaza", ["green_basic"], "hero_banner", lp=5, overrides=wall("zaza"))
    assert sources(struck) == {"start": 5, "draws": -1, "strikes": -4, "losses": 8}
    hand = ["red_extension", "grimoire_2"]
    healed = turn("zaza", BASIC, hand=hand, lp=10, choices=["mending_4"], overrides=wall("zaza"))
    assert sources(healed) == {"start": 10, "draws": -3, "spells": 8, "strikes": -5}
    for one in (game, won, struck, healed):
        assert sum(sources(one).values()) == one.lp


@pytest.mark.rule("UW-A1")
@pytest.mark.parametrize(("enemy", "yellow", "red"), [("zaza", 1, 0), ("karu", 0, 1)])
def test_battles_won_by_colour(enemy, yellow, red):
    overrides = [f"enemies.{enemy}.block.red=0"]
    game = turn(enemy, ["red_basic"], enemy_lp=1, overrides=overrides)
    assert game.counter("battles_won") == 1
    assert (game.counter("yellow_won"), game.counter("red_won")) == (yellow, red)


@pytest.mark.rule("UW-A1")
def test_what_a_battle_is_told_by():
    drawn = ["red_basic", "blue_basic", "blue_extension"]
    game = turn("zaza", drawn, "hero_sword", hand=["blue_extension"])
    assert game.counter("battle_turns") == 1
    assert game.counter("drawn") == 3
    assert game.counter("spells_cast") == 2
    assert game.counter("damage") == (2 + 1 - 1) + (4 - 2) + 1
    assert game.counter("battles_won") == 0


@pytest.mark.rule("UW-A1")
@pytest.mark.parametrize("companion", COMPANIONS)
def test_ways_up_are_told_even_of_the_lost(companion):
    ways = [category.id for category in TITLE.categories(RULES, f"way_{companion}")]
    assert ways[0] == "never_there"
    assert len(ways) == 3
    assert value(stage("c0"), f"way_{companion}") == "never_there"
    for way in ways[1:]:
        game = turn("zaza", ["red_basic"], enemy_lp=1, ability=companion, choices=[way])
        assert value(game, f"way_{companion}") == way
        assert game.counter(f"own_{companion}") == 1
        lost = turn("zaza", ["green_basic"], way, lp=2, overrides=wall("zaza"))
        assert lost.lost == [companion]
        assert value(lost, f"way_{companion}") == way
        assert lost.counter(f"own_{companion}") == 0
        assert lost.counter("companions_lost") == 1


@pytest.mark.rule("UW-A1")
def test_cards_at_the_start_and_at_the_end():
    for deal in range(30):
        game = new_game(deal=deal)
        begins = {*game.hand, *(way.split("_")[0] for way in game.companions)} - {*BASIC}
        assert {card for card in DEALT if game.counter(f"start_{card}")} == begins
        assert {card for card in DEALT if game.counter(f"own_{card}")} == begins
    won = turn("zaza", ["red_basic"], enemy_lp=1, ability="blue_extension")
    assert won.counter("own_blue_extension") == 1
    assert won.counter("start_blue_extension") == 0


def won_at(*places):
    """Return the record of a game in which these places were fought at, in this order."""
    names = ("zaza", "ra", "dodo", "nunu", "karu", "koru", "robi", "yabi")
    return stage(
        "c0",
        places={
            place: {"enemy": enemy, "beaten": True}
            for place, enemy in zip(places, names, strict=False)
        },
    )


@pytest.mark.rule("UW-A1")
@pytest.mark.parametrize(
    ("places", "route"),
    [
        ((), "no_place"),
        (("left_4",), "left_side"),
        (("left_1", "left_2", "left_3", "left_4"), "left_side"),
        (("right_3", "right_4"), "right_side"),
        (("left_4", "right_4"), "both_sides"),
        (PLACES[:7], "both_sides"),
        (PLACES, "every_place"),
    ],
)
def test_which_places_were_fought_at(places, route):
    game = won_at(*places)
    assert value(game, "route") == route
    assert {name for name in PLACES if game.counter(f"order_{name}")} == set(places)


@pytest.mark.rule("UW-A1")
def test_in_which_order_places_were_fought_at():
    weak = [*(f"enemies.{name}.lp=1" for name in ("zaza", "ra"))]
    weak += [*(f"enemies.{name}.ap=[0]" for name in ("zaza", "ra")), "enemies.ra.block.red=0"]
    places = {"right_4": {"enemy": "zaza"}, "right_3": {"enemy": "ra"}}
    for path, orders in (
        ((BESIDE_PLAIN, "go_up_right", "go_up", "go_up"), (1, 2)),
        (("d5", "go_up_right", "go_down", "go_down"), (2, 1)),
    ):
        start, *moves = path
        decks, choices = [["red_basic"]] * 2, ["draw_1"] * 2
        game = stage(start, places=places, overrides=weak, decks=decks, choices=choices)
        for direction in moves:
            game.move(direction)
            if game.phase == "battle":
                game.fight()
        assert (game.counter("order_right_4"), game.counter("order_right_3")) == orders
        assert value(game, "route") == "right_side"
        assert game.counter("battles_won") == 2


@pytest.mark.rule("UW-A1")
def test_a_place_is_fought_at_when_its_battle_starts():
    game = stage(BESIDE_PLAIN)
    assert game.counter("order_right_4") == 0
    game.move("go_up_right")
    assert game.counter("order_right_4") == 1
    assert value(game, "route") == "right_side"


@pytest.mark.rule("UW-A1")
def test_every_end_reason_that_the_rules_know_is_one():
    assert [reason.id for reason in INFO.categories["end_reason"]] == [
        "cleared",
        "lost_in_battle",
        "lost_by_casting",
        "lost_on_road",
        "round_cap",
        "battle_cap",
    ]


# UW-A2


@pytest.mark.rule("UW-A2")
@pytest.mark.parametrize("card", DEALT)
def test_a_barred_card_is_laid_away_when_it_would_be_won(card):
    game = turn("zaza", ["red_basic"], enemy_lp=1, lp=10, ability=card, bans=[card])
    assert game.phase == "journey"
    assert game.aside == [card]
    assert (sorted(game.hand), game.companions) == (sorted(BASIC), [])
    assert game.place("right_4")["ability"] is None
    assert game.lp == 12, "the recovery comes all the same"
    assert asked(game, "way") == []
    assert game.counter(f"own_{card}") == 0


@pytest.mark.rule("UW-A2")
def test_barred_starting_cards_are_laid_away():
    barred = ["hero", "grimoire_2", "blue_extension"]
    game = new_game(overrides=["start.cards=10"], bans=barred)
    assert sorted(game.aside) == sorted(barred)
    kept = [*(part for part in PARTS if part != "blue_extension")]
    assert sorted(game.hand) == sorted(kept)
    assert {way.split("_")[0] for way in game.companions} == set(COMPANIONS) - {"hero"}
    assert len(asked(game, "way")) == 4


@pytest.mark.rule("UW-A2")
def test_what_is_barred_changes_no_other_card():
    for deal in range(20):
        plain, barred = new_game(deal=deal), new_game(deal=deal, bans=["hero", "red_extension"])
        for name in PLACES:
            assert plain.place(name) == barred.place(name)
        parts = [card for card in barred.aside if card in PARTS]
        assert sorted(plain.hand) == sorted([*barred.hand, *parts])


@pytest.mark.rule("UW-A2")
def test_whole_groups_of_cards_can_be_barred():
    game = new_game(overrides=["start.cards=10"], bans=["companion"])
    assert game.companions == []
    assert sorted(game.aside) == sorted(COMPANIONS)
    parts = new_game(overrides=["start.cards=10"], bans=["magic_part"])
    assert parts.hand == [*BASIC, "grimoire_2"]


@pytest.mark.rule("UW-A2")
@pytest.mark.parametrize("part", BASIC)
def test_basic_parts_cannot_be_barred(part):
    game = new_game(bans=[part])
    assert game.hand[:3] == list(BASIC)
    assert game.aside == []
    drawn = turn("ra", [part], bans=[part])
    damage = {"red_basic": 2, "green_basic": 1, "blue_basic": 0}[part]
    assert drawn.enemy_lp == 5 - damage, "and does what it does"


def barred_is_not_chosen(make, what, barred):
    """Assert that of a decision everything is offered but what is barred."""
    plain, other = make([]), make([barred])
    (before, *_), (after, *_) = asked(plain, what), asked(other, what)
    assert barred in before
    assert after == before - {barred}


@pytest.mark.rule("UW-A2")
@pytest.mark.parametrize("barred", DIRECTIONS)
def test_a_barred_direction(barred):
    def make(bans):
        game = stage("c4", "porcupine_swim", bans=bans)
        game.play_round()
        return game

    barred_is_not_chosen(make, "move", barred)


@pytest.mark.rule("UW-A2")
@pytest.mark.parametrize("barred", ["draw_1", "draw_2", "draw_4"])
def test_a_barred_number(barred):
    def make(bans):
        game = fight("tera", hand=["red_extension", "blue_extension"], bans=bans)
        game.battle_turn()
        return game

    barred_is_not_chosen(make, "draw", barred)


@pytest.mark.rule("UW-A2")
def test_a_barred_way_up():
    choices = {"knight_charge": "knight_shield", "knight_shield": "knight_charge"}
    for barred, other in choices.items():
        game = turn("zaza", ["red_basic"], enemy_lp=1, ability="knight", bans=[barred])
        assert game.companions == [other]
        assert asked(game, "way") == [], "what is left is no choice"


@pytest.mark.rule("UW-A2")
@pytest.mark.parametrize(("barred", "healed"), [("mending_4", 0), ("red_1", 8)])
def test_a_barred_spell(barred, healed):
    hand = ["red_extension", "grimoire_2"]
    bans = [barred]
    if barred == "red_1":
        bans += ["green_1", "blue_1"]
    game = fight("tera", hand=hand, lp=10, bans=bans, decks=[list(BASIC)])
    game.choices.append("draw_3")
    if not healed:
        game.choices.append("red_1")
    game.battle_turn()
    assert game.counter("lp_spells") == healed
    for options in asked(game, "spell"):
        assert not options & set(bans)


@pytest.mark.rule("UW-A2")
def test_a_barred_loss():
    ways = ["hero_banner", "knight_charge", "monk_care"]
    more = {"lp": 2, "overrides": wall("zaza")}
    game = turn("zaza", ["red_basic"], *ways, bans=["hero"], choices=["monk"], **more)
    assert (game.lost, asked(game, "lose")) == (["monk"], [{"knight", "monk"}])


@pytest.mark.rule("UW-A2")
def test_a_barred_part_is_not_left_out():
    overrides = ['casting.deck="chosen"']
    game = fight("tera", hand=["red_extension"], overrides=overrides, bans=["green_basic"])
    game.battle_turn()
    assert asked(game, "leave") == [{"red_basic", "blue_basic", "red_extension", "stop"}]


@pytest.mark.rule("UW-A2")
def test_what_is_barred_is_chosen_when_nothing_else_is_legal():
    game = fight("tera", bans=list(DRAW_WORDS))
    game.battle_turn()
    assert game.counter("drawn") >= 1
    road = stage("c0", bans=list(DIRECTIONS))
    road.play_round()
    assert road.hex != "c0"
    both = ["knight_charge", "knight_shield"]
    laid = turn("zaza", ["red_basic"], enemy_lp=1, ability="knight", bans=both)
    assert laid.companions[0] in both
    more = {"lp": 2, "overrides": wall("zaza")}
    lost = turn("zaza", ["red_basic"], "hero_banner", bans=["hero"], **more)
    assert lost.lost == ["hero"]
    narrow = fight("tera", overrides=["casting.most_drawn=1"], bans=["draw_1"])
    narrow.battle_turn()
    assert narrow.counter("drawn") == 1
