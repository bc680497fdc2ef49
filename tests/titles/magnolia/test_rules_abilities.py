"""Abilities on placement, what abilities take, bonuses as they are paid, and objectives."""

from __future__ import annotations

import pytest

from sim.titles.magnolia import TITLE, new_game
from sim.titles.magnolia.schema import JOBS, LIKENESSES, RACES, RESOURCES
from tests.titles.magnolia.staging import laid, stage

RULES = TITLE.load().values
USED = TITLE.load(overrides=["objectives.used=true"])


@pytest.mark.rule("MG-E1")
def test_an_ability_on_placement_works_once():
    game = laid({"hand": ["golem_mason"]}, ["golem_mason"])  # 1 technology and 1 faith
    assert [game.technology(1), game.faith(1)] == [1, 1]
    while game.round < 3:
        getattr(game, f"{game.phase}_phase")()
    assert [game.technology(1), game.faith(1)] == [1, 1]


@pytest.mark.rule("MG-E1")
def test_cards_that_lay_there_before_do_not_work_again():
    game = laid({"hand": ["golem_mason"], "field": [["golem_mason"]]}, ["golem_mason", "cell_1"])
    assert [game.technology(1), game.faith(1)] == [1, 1]


@pytest.mark.rule("MG-E1")
def test_cards_laid_together_see_each_other():
    # Each gives 1 gold per neighbouring goblin and costs 1; both lie when the first works.
    hand = ["goblin_mason", "goblin_mason"]
    game = laid({"hand": hand, "gold": 4}, [*hand, "cell_1"])
    assert game.gold(1) == 4 - 2 + 2


@pytest.mark.rule("MG-E2")
@pytest.mark.parametrize(("has", "left"), [(0, 0), (1, 0), (2, 0), (5, 3)])
def test_no_more_is_taken_than_there_is(has, left):
    harm = {"field": [["abyss_demon"]]}
    reads = 'cards.abyss_demon.war=["others_gold 1"]'
    game = stage(harm, harm, {"gold": has}, overrides=[reads], phase="war")
    game.war_phase()
    assert [game.gold(seat) for seat in (1, 2, 3)] == [4, 4, left]


@pytest.mark.rule("MG-E2")
def test_what_is_received_in_a_step_can_be_taken_in_it():
    # The greedy demon gives 1 gold and takes 1 from every other seat: both have 3 + 1 - 1.
    demon = {"field": [["greed_demon"]], "gold": 0}
    game = stage(demon, demon, phase="income")
    game.income_phase()
    assert [game.gold(1), game.gold(2)] == [3, 3]


@pytest.mark.rule("MG-E2")
def test_of_ones_own_seat_the_moment_is_read():
    # The left one gives the technology that the right one asks for, never the other way round.
    gives, asks = "human_smith", "elf_mason"
    reads = [
        f'cards.{gives}.development=["technology 1"]',
        f'cards.{asks}.development=["vp 1 if technology >= 1"]',
    ]
    for first, vp in ((gives, 1), (asks, 0)):
        game = stage({"field": [[gives, asks]]}, {}, overrides=reads, phase="development")
        game.choices[1].append(first)
        game.development_phase()
        assert not game.choices[1], "the order matters and is asked for"
        assert game.vp(1) == vp


@pytest.mark.rule("MG-B2")
@pytest.mark.parametrize("likeness", LIKENESSES)
def test_every_line_pays_its_bonus(likeness):
    what, others = ("race", JOBS) if likeness in RACES else ("job", RACES)
    other = "job" if what == "race" else "race"
    alike = {
        card[other]: name
        for name, card in RULES["cards"].items()
        if card[what] == likeness and not card["placement"]
    }
    left, middle, last = [alike[one] for one in others if one in alike][:3]
    game = stage(
        {"hand": [last], "gold": 20, "field": [[left, middle]]},
        {},
        phase="placement",
    )
    right = f"cell_{game.free_cells(1).index((0, 2)) + 1}"
    game.choices[1].extend([last, right])
    game.placement_phase()
    paid = 20 + 1 - RULES["cards"][last]["cost"]
    got = dict(zip(RESOURCES, (game.gold(1) - paid, game.vp(1)), strict=False))
    got |= {"technology": game.technology(1), "faith": game.faith(1)}
    assert got == dict(RULES["bonuses"][likeness])
    assert any(got.values())


@pytest.mark.rule("MG-O1")
def test_four_objectives_are_drawn_if_asked_for():
    assert new_game(3).objectives == []
    drawn = [new_game(3, rules=USED, deal=deal).objectives for deal in range(25)]
    assert all(len(set(four)) == len(four) == 4 for four in drawn)
    assert {one for four in drawn for one in four} == set(RULES["objectives"]["cards"])
    assert len({frozenset(four) for four in drawn}) > 10


@pytest.mark.rule("MG-O2")
def test_an_objective_is_turned_down_once_it_is_met():
    # 12 gold are 3 VP for who has them at the first check, and nothing for who has them later.
    game = stage(
        {"gold": 12}, {"gold": 11}, {"gold": 12}, objectives=["full_treasury"], phase="development"
    )
    game.development_phase()
    assert [game.vp(seat) for seat in (1, 2, 3)] == [3, 0, 3]
    assert game.objectives == []
    game.income_phase()
    assert game.gold(2) == 14
    assert [game.vp(seat) for seat in (1, 2, 3)] == [3, 0, 3]


@pytest.mark.rule("MG-O2")
@pytest.mark.parametrize(("vp", "over"), [(36, False), (37, True)])
def test_vp_of_objectives_count_for_the_end(vp, over):
    game = stage({"gold": 12, "vp": vp}, {}, objectives=["full_treasury"], phase="vp")
    game.vp_phase()
    assert game.over == over


@pytest.mark.rule("MG-O2")
@pytest.mark.parametrize(
    ("name", "met", "missed"),
    [
        ("great_invention", {"technology": 6}, {"technology": 5}),
        ("two_pillars", {"technology": 4, "faith": 4}, {"technology": 9, "faith": 3}),
        (
            "royal_council",
            {"field": [["elf_lord", "human_lord", "golem_lord"]]},
            {"field": [["elf_lord", "human_lord", "golem_guard"]]},
        ),
    ],
)
def test_only_who_meets_an_objective_gets_its_vp(name, met, missed):
    game = stage(met, missed, objectives=[name], phase="development")
    game.development_phase()
    assert [game.vp(1), game.vp(2)] == [RULES["objectives"]["cards"][name]["vp"], 0]
    other = stage(missed, missed, objectives=[name], phase="development")
    other.development_phase()
    assert other.objectives == [name]
