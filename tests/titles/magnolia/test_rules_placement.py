"""Laying cards: what they cost, where they lie, and in which order lines and abilities pay."""

from __future__ import annotations

import pytest

from sim.errors import InputError
from sim.titles.magnolia import new_game
from tests.titles.magnolia.staging import GOBLINS, laid, stage


class Watcher:
    """Lays nothing down, and notes what it saw when it was asked."""

    def __init__(self):
        self.seen = []

    def card(self, view, options):
        self.seen.append((view.rivals("goblin"), view.most_cards, view.laid))
        return "stop"

    def discard(self, view, options):
        return "stop"


@pytest.mark.rule("MG-P1")
@pytest.mark.parametrize(("gold", "cards"), [(4, 0), (5, 1)])
def test_the_gold_of_one_card_may_help_to_pay_for_it(gold, cards):
    game = stage({"hand": ["golem_lord"], "gold": gold}, {}, phase="placement")  # costs 6
    game.choices[1].append("golem_lord")
    game.placement_phase()
    assert len(game.cells(1)) == cards
    assert game.gold(1) == (0 if cards else gold + 2)


@pytest.mark.rule("MG-P2")
def test_the_sum_of_costs_is_paid():
    # A guard costs 2, a rider 3.
    game = laid(
        {"hand": ["human_guard", "human_rider"], "gold": 6},
        ["human_guard", "human_rider", "cell_1"],
    )
    assert game.gold(1) == 1
    assert game.hand(1) == []
    assert game.counter(1, "gold_spent") == 5


@pytest.mark.rule("MG-P2")
def test_what_cannot_be_paid_cannot_be_laid():
    game = stage({"hand": ["golem_lord", "goblin_guard"], "gold": 4}, {}, phase="placement")
    game.choices[1].append("golem_lord")
    with pytest.raises(InputError, match="golem_lord"):
        game.placement_phase()


@pytest.mark.rule("MG-P2")
@pytest.mark.parametrize(("gold", "cards", "left"), [(1, 1, 3), (2, 2, 2)])
def test_abilities_come_too_late_to_pay(gold, cards, left):
    # Each costs 1; the peddler gives 2 gold on placement.
    hand = ["goblin_peddler", "goblin_guard"]
    game = stage({"hand": hand, "gold": gold}, {}, phase="placement")
    game.choices[1].extend([*hand, "cell_1"])
    game.placement_phase()
    assert (len(game.cells(1)), game.gold(1)) == (cards, left)


@pytest.mark.rule("MG-P2")
def test_bonuses_come_too_late_to_pay():
    # The line would give 3 gold, enough for the card of cost 1 that is laid with it.
    field = [["goblin_guard", "goblin_smith"]]
    game = stage(
        {"hand": ["goblin_rider", "elf_peddler"], "gold": 2, "field": field}, {}, phase="placement"
    )
    right = f"cell_{game.free_cells(1).index((0, 2)) + 1}"
    game.choices[1].extend(["goblin_rider", right, "elf_peddler"])
    game.placement_phase()
    assert list(game.choices[1]) == ["elf_peddler"]
    assert game.gold(1) == 2 + 1 - 2 + 3
    assert game.hand(1) == ["elf_peddler"]


@pytest.mark.rule("MG-P2")
@pytest.mark.rule("MG-P6")
@pytest.mark.parametrize("watching", [1, 2])
def test_cards_lie_face_down_until_all_are_done(watching):
    watcher, other = Watcher(), 3 - watching
    lineup = [None, None]
    lineup[watching - 1] = watcher
    seats = [{}, {}]
    seats[watching - 1] = {"hand": ["elf_guard"]}
    seats[other - 1] = {"hand": GOBLINS[:2], "field": [["goblin_rider"]]}
    game = stage(*seats, lineup=lineup, phase="placement")
    game.choices[other].extend([GOBLINS[0], "cell_1", GOBLINS[1], "cell_1"])
    game.placement_phase()
    assert watcher.seen == [(1, 1, 0)]
    assert game.observe(watching, "rivals", "goblin") == 3
    assert game.observe(watching, "most_cards") == 3


@pytest.mark.rule("MG-P3")
def test_the_second_card_may_lie_beside_the_first():
    game = stage({"hand": GOBLINS[:2]}, {}, phase="placement")
    game.choices[1].extend([*GOBLINS[:2], "cell_1"])
    game.placement_phase()
    (first, second) = game.cells(1)
    assert sum(abs(a - b) for a, b in zip(first, second, strict=True)) == 1
    assert game.cells(1)[0, 0] == GOBLINS[0]


@pytest.mark.rule("MG-P4")
def test_nothing_that_lies_is_moved_covered_or_taken_away():
    grown = 0
    for deal in range(4):
        game = new_game(3, lineup=["random", "greedy", "lines"], deal=deal)
        while not game.over:
            before = [game.cells(seat) for seat in (1, 2, 3)]
            free = [game.free_cells(seat) for seat in (1, 2, 3)]
            for cells, cells_free in zip(before, free, strict=True):
                assert not set(cells) & set(cells_free)
            getattr(game, f"{game.phase}_phase")()
            for seat, cells in enumerate(before, 1):
                after = game.cells(seat)
                assert {cell: after.get(cell) for cell in cells} == cells
                grown += len(after) - len(cells)
    assert grown > 30


@pytest.mark.rule("MG-P5")
def test_payment_then_lines_then_abilities():
    # The card costs 1 and pays by the gold that its owner has when it works.
    reads = 'cards.goblin_peddler.placement=["vp 1 per gold"]'
    field = [["goblin_guard", "goblin_smith"]]
    for bonus in (3, 0):
        game = stage(
            {"hand": ["goblin_peddler"], "gold": 5, "field": field},
            {},
            overrides=[reads, f"bonuses.goblin.gold={bonus}"],
            phase="placement",
        )
        right = f"cell_{game.free_cells(1).index((0, 2)) + 1}"
        game.choices[1].extend(["goblin_peddler", right])
        game.placement_phase()
        assert game.lines(1) == ["row 0"]
        assert game.gold(1) == game.vp(1) == 5 + 1 - 1 + bonus


def third(hand, field, *choices, overrides=()):
    """Return the game after a card was laid to the right of a row of two, with gold to spare."""
    game = stage(
        {"hand": [hand], "gold": 9, "field": field}, {}, overrides=overrides, phase="placement"
    )
    right = f"cell_{game.free_cells(1).index((0, 2)) + 1}"
    game.choices[1].extend([hand, right, *choices])
    game.placement_phase()
    assert not game.choices[1]
    return game


@pytest.mark.rule("MG-B1")
def test_a_line_of_one_race_pays_once_and_not_for_each_card():
    game = third("goblin_apprentice", [["goblin_guard", "goblin_smith"]])
    assert game.gold(1) == 9 + 1 - 1 + 3
    assert game.lines(1) == ["row 0"]
    assert (game.counter(1, "lines_race"), game.counter(1, "lines_job")) == (1, 0)


@pytest.mark.rule("MG-B1")
def test_a_line_of_one_job_pays_that_of_the_job():
    game = third("elf_smith", [["human_smith", "dwarf_smith"]])
    assert game.technology(1) == 2
    assert game.lines(1) == ["row 0"]
    assert (game.counter(1, "lines_race"), game.counter(1, "lines_job")) == (0, 1)


@pytest.mark.rule("MG-B1")
@pytest.mark.parametrize(("choice", "gold", "technology"), [("race", 3, 0), ("job", 0, 2)])
def test_a_line_alike_in_both_pays_what_its_owner_chooses(choice, gold, technology):
    game = third("goblin_weaver", [["goblin_smith", "goblin_mason"]], choice)
    assert game.gold(1) - (9 + 1 - 1) == gold
    assert game.technology(1) == technology


@pytest.mark.rule("MG-B1")
def test_all_lines_completed_at_once_pay():
    # The corner completes a row of goblins and a column of artisans.
    field = [
        ["goblin_guard", "goblin_apprentice", None],
        [None, "elf_guard", "elf_smith"],
        [None, None, "human_smith"],
    ]
    game = third("goblin_smith", field)
    assert sorted(game.lines(1)) == ["column 2", "row 0"]
    assert game.gold(1) == 9 + 1 - 1 + 3
    assert game.technology(1) == 2


@pytest.mark.rule("MG-B1")
def test_diagonals_are_no_lines():
    field = [
        ["dwarf_lord", "golem_soldier", None],
        ["demon_lord", "elf_seer", "human_smith"],
        ["elf_guard", "golem_priest", None],
    ]
    game = third("elf_soldier", field)
    assert game.field(1)[0][2] == "elf_soldier"
    assert game.lines(1) == []
    assert (game.gold(1), game.vp(1), game.faith(1)) == (9 + 1 - 1, 0, 0)


@pytest.mark.rule("MG-B3")
def test_a_line_whose_bonus_is_worth_nothing_counts_as_paid():
    game = third(
        "goblin_apprentice",
        [["goblin_guard", "goblin_smith"]],
        overrides=["bonuses.goblin.gold=0"],
    )
    assert game.gold(1) == 9 + 1 - 1
    assert game.lines(1) == ["row 0"]
    assert game.counter(1, "lines_race") == 1
    assert game.observe(1, "lines") == 1


@pytest.mark.rule("MG-B1")
def test_a_line_that_has_paid_does_not_pay_again():
    game = laid({"hand": ["elf_guard"], "gold": 9, "field": [GOBLINS]}, ["elf_guard", "cell_1"])
    assert game.gold(1) == 9 + 1 - 2
    assert game.lines(1) == ["row 0"]
    assert [event for event in game.events if event.get("what") == "line"] == []


@pytest.mark.rule("MG-B3")
def test_a_line_that_is_not_alike_never_pays():
    game = third("elf_guard", [["goblin_guard", "goblin_smith"]])
    while game.round < 3:
        getattr(game, f"{game.phase}_phase")()
    assert len(game.cells(1)) == 3
    assert game.lines(1) == []
    assert game.counter(1, "lines_race") + game.counter(1, "lines_job") == 0


@pytest.mark.rule("MG-P1")
def test_a_seat_sees_what_the_next_card_may_cost():
    budgets = []

    class Spender(Watcher):
        def card(self, view, options):
            budgets.append(view.budget)
            return next(kind for kind in options if kind != "stop")

    hand = ["human_guard", "human_rider"]  # they cost 2 and 3
    game = stage({"hand": hand, "gold": 7}, {}, lineup=[Spender(), None], phase="placement")
    game.placement_phase()
    costs = {"human_guard": 2, "human_rider": 3}
    first = game.cells(1)[0, 0]
    assert budgets == [7 + 1, 7 - costs[first]]
    assert game.gold(1) == 2


@pytest.mark.rule("MG-P3")
@pytest.mark.parametrize(
    ("field", "free"),
    [
        ([["elf_lord"]], [(-1, 0), (0, -1), (0, 1), (1, 0)]),
        ([GOBLINS], [(-1, 0), (-1, 1), (-1, 2), (1, 0), (1, 1), (1, 2)]),
        ([[kind] for kind in GOBLINS], [(row, side) for row in range(3) for side in (-1, 1)]),
        (
            [["elf_lord", None, None], GOBLINS, ["elf_seer", None, None]],
            [(0, 1), (0, 2), (2, 1), (2, 2)],
        ),
    ],
)
def test_a_field_is_anchored_nowhere_and_never_larger_than_three_by_three(field, free):
    assert stage({"field": field}, {}).free_cells(1) == free
