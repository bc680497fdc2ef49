"""Open readings that are data: moved off what is printed, each changes what it should."""

from __future__ import annotations

import pytest

from tests.titles.magnolia.staging import stage

STRONG, WEAK = [["golem_soldier"]], [["human_soldier"]]


def war(fields, *overrides):
    game = stage(*({"field": field} for field in fields), overrides=overrides, phase="war")
    game.war_phase()
    return [game.war_vp(seat) for seat in range(1, len(fields) + 1)]


@pytest.mark.rule("MG-W2")
def test_shared_ranks_use_up_ranks():
    assert war([STRONG, WEAK, []]) == [5, 3, 0]
    assert war([STRONG, STRONG, WEAK]) == [5, 5, 0]
    assert war([STRONG, WEAK, WEAK]) == [5, 3, 3]
    assert war([STRONG, STRONG, WEAK], 'war.shared="divided"') == [4, 4, 0]
    assert war([STRONG, WEAK, WEAK], 'war.shared="divided"') == [5, 1, 1]


@pytest.mark.rule("MG-W2")
def test_who_is_too_weak_takes_no_part():
    assert war([STRONG, []]) == [5, 1]
    assert war([STRONG, []], "war.least_power=1") == [5, 0]
    assert war([[], []], "war.least_power=1") == [0, 0]
    assert war([STRONG, STRONG], "war.least_power=6") == [0, 0]


@pytest.mark.rule("MG-W3")
@pytest.mark.parametrize(("least", "gold"), [(1, 6), (2, 5), (0, 6)])
def test_what_counts_as_gained(least, gold):
    field = [["human_soldier"]]  # 1 gold if war VP were gained
    game = stage(
        {"field": STRONG}, {"field": field}, overrides=[f"war.gained_from={least}"], phase="war"
    )
    game.war_phase()
    assert game.war_vp(2) == 1
    assert game.gold(2) == gold


@pytest.mark.rule("MG-D1")
@pytest.mark.parametrize(("first", "left"), [(1, 0), (2, 1)])
def test_from_which_round_on_cards_are_exchanged(first, left):
    game = stage(
        {"hand": ["elf_lord"]},
        {},
        overrides=[f"draw.exchange_from={first}"],
        deck=["elf_seer"] * 20,
    )
    game.choices[1].append("elf_lord")
    game.draw_phase()
    assert game.hand(1).count("elf_lord") == left
    assert game.discard == ["elf_lord"] * (1 - left)


@pytest.mark.rule("MG-P1")
def test_gold_by_the_number_of_cards():
    hand = ["goblin_guard", "goblin_smith"]  # they cost 1 each
    for gold, printed in (([2, 1, 0], [7, 5, 3]), ([5, 4, 3], [10, 8, 6])):
        for number, left in enumerate(printed):
            game = stage(
                {"hand": hand}, {}, overrides=[f"placement.gold={gold}"], phase="placement"
            )
            game.choices[1].extend([*hand[:number], "cell_1" if number == 2 else "stop"])
            game.placement_phase()
            assert game.gold(1) == left
            assert len(game.cells(1)) == number


@pytest.mark.rule("MG-X2")
@pytest.mark.parametrize(("gold", "vp"), [(0, 0), (1, 1), (3, 1), (4, 2), (9, 3)])
def test_a_remainder_of_gold_is_worth_one(gold, vp):
    game = stage({"vp": 40, "gold": gold}, {}, overrides=["income.gold=0"], phase="vp")
    game.vp_phase()
    assert game.vp(1) == 40 + vp
    assert game.counter(1, "vp_gold") == vp


@pytest.mark.rule("MG-O2")
@pytest.mark.parametrize(
    ("check", "met_after"), [("phase", "draw"), ("bonus", "placement"), ("round", "vp")]
)
def test_when_objectives_are_checked(check, met_after):
    game = stage(
        {"gold": 20},
        {"gold": 20},
        {"gold": 0},
        overrides=[f'objectives.check="{check}"'],
        objectives=["full_treasury"],
    )
    for phase in ("draw", "placement", "war", "development", "income", "vp"):
        before = [game.vp(seat) for seat in (1, 2, 3)]
        assert game.objectives == ["full_treasury"]
        getattr(game, f"{phase}_phase")()
        if phase == met_after:
            break
    assert phase == met_after
    assert game.objectives == []
    assert [game.vp(seat) - had for seat, had in zip((1, 2, 3), before, strict=True)] == [3, 3, 0]


@pytest.mark.rule("MG-E2")
def test_abilities_read_of_others_what_was_true_before_the_step():
    # Technology if the own level is not above the best other's; and faith in the same way.
    field = [["dwarf_acolyte"]]
    game = stage({"field": field}, {"field": field}, {"technology": 1}, phase="development")
    game.development_phase()
    assert [game.technology(seat) for seat in (1, 2, 3)] == [1, 1, 1]
    leader = stage({"field": field, "technology": 1}, {"field": field}, phase="development")
    leader.development_phase()
    assert [leader.technology(seat) for seat in (1, 2)] == [1, 1]


@pytest.mark.rule("MG-E2")
def test_what_is_taken_is_taken_at_the_end_of_the_step():
    taker = [["plague_demon"]]  # 2 VP, and every other seat loses 1
    game = stage({"field": taker}, {"field": taker}, {}, {"vp": 3}, phase="vp")
    game.vp_phase()
    assert [game.vp(seat) for seat in (1, 2, 3, 4)] == [1, 1, 0, 1]
    assert [game.counter(seat, "vp_taken") for seat in (1, 2, 3, 4)] == [-1, -1, 0, -2]


@pytest.mark.rule("MG-W3")
@pytest.mark.rule("MG-E2")
def test_war_abilities_read_what_ranks_have_given():
    asks = 'cards.human_soldier.war=["gold 1 if vp_lead >= 1"]'
    for vp, gold in ((3, 5), (6, 6)):
        seats = {"field": WEAK, "vp": vp}, {"field": STRONG}
        game = stage(*seats, overrides=[asks], phase="war")
        game.war_phase()
        assert [game.vp(1), game.vp(2)] == [vp + 1, 5]
        assert game.gold(1) == gold


@pytest.mark.rule("MG-E1")
@pytest.mark.rule("MG-E3")
@pytest.mark.parametrize(("first", "vp"), [("dwarf_prophet", 2), ("dwarf_weaver", 3)])
def test_the_order_is_asked_for_where_it_matters(first, vp):
    # One gives technology 2 and 1 VP per technology, the other technology 1.
    hand = ["dwarf_prophet", "dwarf_weaver"]
    game = stage({"hand": hand, "gold": 9}, {}, phase="placement")
    game.choices[1].extend([*hand, "cell_1", first])
    game.placement_phase()
    assert game.vp(1) == vp
    assert game.technology(1) == 3
    assert not game.choices[1]


@pytest.mark.rule("MG-E3")
def test_the_order_is_not_asked_for_where_it_cannot_matter():
    hand = ["dwarf_weaver", "elf_mason"]
    game = stage({"hand": hand, "gold": 9}, {}, phase="placement")
    game.choices[1].extend([*hand, "cell_1"])
    game.placement_phase()
    assert not [event for event in game.events if event.get("what") == "order"]
    assert [game.technology(1), game.faith(1)] == [1, 1]
