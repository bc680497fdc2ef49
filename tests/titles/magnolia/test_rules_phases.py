"""War, development, income and VP phases; when a game ends; what effects of cards give."""

from __future__ import annotations

import pytest

from sim.errors import DataError, EngineError
from sim.titles.magnolia import TITLE, new_game
from tests.titles.magnolia.staging import stage

LEVELS = ("technology", "faith")
LATE = ("war", "development", "income", "vp")


def after(phase, *seats, **more):
    """Return the game after that phase, which is played first."""
    game = stage(*seats, phase=phase, **more)
    getattr(game, f"{phase}_phase")()
    return game


@pytest.mark.rule("MG-W1")
def test_power_is_that_of_the_cards_in_front():
    # 3 columns; in front are 5 (in the upper row), 6 (in the middle row) and 2 (in the lowest).
    field = [
        ["golem_soldier", None, None],
        ["human_champion", "golem_guard", None],
        ["human_guard", "human_rider", "goblin_guard"],
    ]
    game = after("war", {"field": field}, {"field": [["human_soldier"]]})
    assert [game.power(1), game.power(2)] == [13, 2]


@pytest.mark.rule("MG-W1")
def test_power_is_worked_out_anew_and_texts_add_to_it():
    # The champion has 3 and 1 per technology; what a seat had as its power is forgotten.
    field = [["dwarf_champion"], ["golem_soldier"]]
    for technology in (0, 4):
        game = after("war", {"field": field, "technology": technology, "power": 50}, {})
        assert game.power(1) == 3 + technology


@pytest.mark.rule("MG-W2")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_war_vp_by_rank_and_number_of_players(players):
    kinds = ["human_smith", "goblin_guard", "blade_demon", "golem_soldier", "golem_guard"]
    game = after("war", *({"field": [[kind]]} for kind in kinds[:players]))
    printed = TITLE.load().values["war"]["vp"][f"{players}p"]
    for place in range(players):
        seat = players - place
        assert game.war_rank(seat) == place + 1
        assert game.war_vp(seat) == game.vp(seat) == printed[place]


@pytest.mark.rule("MG-W3")
def test_war_vp_are_asked_for_each_round():
    # The banker gives 1 gold if war VP were gained this round.
    banker = {"field": [["goblin_banker"]]}
    for rank, vp, gold in ((1, 5, 4), (2, 1, 4), (2, 0, 3)):
        game = after("income", {**banker, "gold": 0, "war_rank": rank, "war_vp": vp}, {})
        assert game.gold(1) == gold


@pytest.mark.rule("MG-V1")
def test_development_gives_levels():
    # A smith gives 1 technology, an acolyte 1 faith.
    field = [["human_smith", "human_acolyte"]]
    game = after("development", {"field": field, "technology": 3}, {"field": [["dwarf_smith"]]})
    assert [(game.technology(seat), game.faith(seat)) for seat in (1, 2)] == [(4, 1), (2, 0)]
    assert [game.vp(1), game.gold(1)] == [0, 5]


@pytest.mark.rule("MG-V1")
def test_there_is_no_highest_level():
    field = [["human_smith", "human_acolyte"]]
    game = after("development", {"field": field, "technology": 700, "faith": 800}, {})
    assert [game.technology(1), game.faith(1)] == [701, 801]


@pytest.mark.rule("MG-V1")
def test_levels_do_nothing_by_themselves():
    field = {"field": [["human_guard"]]}
    game = stage({**field, "technology": 60, "faith": 60}, field, phase="war")
    for phase in LATE:
        getattr(game, f"{phase}_phase")()
        for what in ("gold", "vp", "power"):
            assert getattr(game, what)(1) == getattr(game, what)(2)
    assert [game.technology(2), game.faith(2)] == [0, 0]


@pytest.mark.rule("MG-I1")
def test_income_is_three_gold_and_what_cards_give():
    # A banker gives 2 gold, a peddler 1.
    game = after("income", {"field": [["human_banker", "human_peddler"]]}, {}, {"gold": 0})
    assert [game.gold(seat) for seat in (1, 2, 3)] == [5 + 3 + 3, 5 + 3, 3]
    assert [game.vp(seat) for seat in (1, 2, 3)] == [0, 0, 0]


@pytest.mark.rule("MG-I1")
@pytest.mark.parametrize(("gold", "then"), [(4, 7), (5, 9)])
def test_cards_read_the_gold_that_income_has_given(gold, then):
    reads = 'cards.human_peddler.income=["gold 1 if gold >= 8"]'
    game = after("income", {"field": [["human_peddler"]], "gold": gold}, {}, overrides=[reads])
    assert game.gold(1) == then


@pytest.mark.rule("MG-V2")
def test_the_vp_phase_gives_what_cards_say():
    # 5 VP each round, and 1 VP per human.
    humans = [["human_lord", "human_guard", "doom_demon"]]
    game = stage({"field": humans}, {"field": [["human_smith"]]}, phase="development")
    game.development_phase()
    game.income_phase()
    assert [game.vp(1), game.vp(2)] == [0, 0]
    game.vp_phase()
    assert [game.vp(1), game.vp(2)] == [7, 0]
    assert game.gold(1) == 8


@pytest.mark.rule("MG-V2")
def test_the_vp_phase_comes_every_round():
    game = stage({"field": [["human_mason"]]}, {}, phase="vp")  # 1 VP each round
    game.vp_phase()
    assert game.vp(1) == 1
    for phase in ("draw", "placement", "war", "development", "income"):
        getattr(game, f"{phase}_phase")()
    before = game.vp(1)
    game.vp_phase()
    assert game.vp(1) == before + 1


@pytest.mark.rule("MG-X1")
@pytest.mark.parametrize(("vp", "over"), [(39, False), (40, True), (47, True)])
def test_a_game_ends_with_forty_vp(vp, over):
    game = after("vp", {"vp": vp}, {})
    assert game.over == over
    assert game.end_reason == ("vp" if over else None)


@pytest.mark.rule("MG-X1")
def test_the_end_is_tested_after_the_vp_phase_only():
    game = stage({"vp": 45}, {}, phase="draw")
    for phase in ("draw", "placement", *LATE):
        assert not game.over
        getattr(game, f"{phase}_phase")()
    assert game.over


@pytest.mark.rule("MG-X1")
def test_vp_of_the_last_phase_count():
    game = after("vp", {"vp": 35, "field": [["doom_demon"]]}, {})
    assert game.end_reason == "vp"


ROWS = [
    ["goblin_guard", "elf_smith", "human_priest"],
    ["elf_guard", "human_smith", "goblin_priest"],
    ["human_soldier", "goblin_smith", "dwarf_priest"],
]


@pytest.mark.rule("MG-X1")
@pytest.mark.parametrize("vp", [0, 40])
def test_a_game_ends_with_nine_cards(vp):
    game = after("vp", {"field": ROWS, "vp": vp}, {})
    assert game.end_reason == ("vp_and_field" if vp else "field")
    eight = [*ROWS[:2], [*ROWS[2][:2], None]]
    assert not after("vp", {"field": eight}, {"field": eight}).over


@pytest.mark.rule("MG-X1")
def test_the_end_comes_for_all_at_once():
    game = after("vp", {"vp": 40, "gold": 0}, {"vp": 38, "field": [["doom_demon"]], "gold": 0})
    assert game.over
    assert [game.vp(1), game.vp(2)] == [40, 43]
    assert game.win60 == [0, 60]


@pytest.mark.rule("MG-X2")
@pytest.mark.parametrize(
    ("vp", "ranks", "win60"),
    [
        ((40, 30, 20), [1, 2, 3], [60, 0, 0]),
        ((30, 40, 40), [3, 1, 1], [0, 30, 30]),
        ((40, 30, 30), [1, 2, 2], [60, 0, 0]),
        ((40, 40, 40), [1, 1, 1], [20, 20, 20]),
    ],
)
def test_most_vp_wins_and_equal_vp_are_an_equal_rank(vp, ranks, win60):
    game = after("vp", *({"vp": has, "gold": 0} for has in vp))
    assert list(game.ranks) == ranks
    assert list(game.win60) == win60


@pytest.mark.rule("MG-X2")
def test_gold_decides_with_its_vp_alone():
    # 4 and 6 gold are 2 VP each; 7 are 3.
    game = after("vp", {"vp": 40, "gold": 4}, {"vp": 40, "gold": 6}, {"vp": 40, "gold": 7})
    assert [game.vp(seat) for seat in (1, 2, 3)] == [42, 42, 43]
    assert list(game.ranks) == [2, 2, 1]


@pytest.mark.rule("MG-X3")
@pytest.mark.parametrize("cap", [1, 3])
def test_the_last_round_ends_the_game(cap):
    game = new_game(2, rules=TITLE.load(overrides=[f"limits.round_cap={cap}"]))
    for number in range(1, cap + 1):
        assert (game.over, game.round) == (False, number)
        game.play_round()
    assert game.end_reason == "round_cap"
    assert game.vp(1) == game.counter(1, "vp_war") + -(-game.gold(1) // 3)


@pytest.mark.rule("MG-X3")
def test_at_the_cap_most_vp_wins_too():
    seats = {"vp": 3, "gold": 0}, {"vp": 2, "gold": 9}
    game = after("vp", *seats, overrides=["limits.round_cap=4"], round=4)
    assert [game.vp(1), game.vp(2)] == [3, 5]
    assert list(game.win60) == [0, 60]
    assert not after("vp", *seats, overrides=["limits.round_cap=4"], round=3).over


@pytest.mark.rule("MG-X4")
@pytest.mark.parametrize(
    ("what", "phase", "kind", "most"),
    [
        ("gold", "income", "human_smith", 9996),
        ("vp", "vp", "doom_demon", 9994),
        ("technology", "development", "human_smith", 9998),
        ("faith", "development", "human_acolyte", 9998),
    ],
)
def test_amounts_that_grow_too_large_end_the_game_with_an_error(what, phase, kind, most):
    def played(amount):
        seat = {"field": [[kind]], "gold": 0, what: amount}
        return after(phase, seat, {}, overrides=["end.vp=9999"])

    assert getattr(played(most), what)(1) == 9999
    with pytest.raises(EngineError):
        played(most + 1)


@pytest.mark.rule("MG-X4")
def test_power_that_grows_too_large_ends_the_game_with_an_error():
    # 3, and 1 per technology.
    field = [["dwarf_champion"]]
    assert after("war", {"field": field, "technology": 9996}, {}).power(1) == 9999
    with pytest.raises(EngineError):
        after("war", {"field": field, "technology": 9997}, {})


SMITH = "cards.human_smith"


def developed(*effects, **seat):
    """Return the game after a development phase in which a smith has these effects."""
    listed = ", ".join(f'"{effect}"' for effect in effects)
    override = f"{SMITH}.development=[{listed}]"
    return after("development", {"field": [["human_smith"]], **seat}, {}, overrides=[override])


@pytest.mark.rule("MG-K1")
def test_cards_are_data():
    game = stage(
        {"hand": ["human_smith"], "gold": 9},
        {},
        overrides=[f"{SMITH}.cost=4", f"{SMITH}.power=7", f'{SMITH}.income=["gold 2", "vp 1"]'],
        phase="placement",
    )
    game.choices[1].append("human_smith")
    game.placement_phase()
    assert game.gold(1) == 9 + 1 - 4
    game.war_phase()
    assert (game.power(1), game.vp(1)) == (7, 5)
    game.development_phase()
    game.income_phase()
    assert (game.gold(1), game.vp(1)) == (6 + 3 + 2, 6)


@pytest.mark.rule("MG-K1")
@pytest.mark.parametrize(
    ("effects", "vp"),
    [
        (("technology 1", "vp 2 if technology >= 1"), 2),
        (("vp 2 if technology >= 1", "technology 1"), 0),
        (("technology 3", "vp 2 per technology"), 6),
        (("vp 2 per technology", "technology 3"), 0),
        (("technology 3", "vp 1 per technology if technology >= 3 and faith == 0"), 3),
        (("technology 3", "vp 1 per technology if technology >= 3 and faith >= 1"), 0),
    ],
)
def test_conditions_and_multipliers_are_looked_up_when_an_effect_comes(effects, vp):
    assert developed(*effects).vp(1) == vp


@pytest.mark.rule("MG-K1")
@pytest.mark.parametrize(("vp", "given"), [(0, 0), (6, 0), (9, 3)])
def test_an_amount_below_zero_counts_as_zero(vp, given):
    game = after(
        "development",
        {"field": [["human_smith"]], "vp": vp},
        {"vp": 6},
        overrides=[f'{SMITH}.development=["gold 1 per vp_lead"]'],
    )
    assert game.gold(1) - 5 == given
    assert game.vp(1) == vp


@pytest.mark.rule("MG-K1")
def test_what_is_no_effect_is_refused():
    with pytest.raises(DataError, match="technology"):
        TITLE.load(overrides=[f'{SMITH}.development=["technolgy 1"]'])


@pytest.mark.rule("MG-K2")
@pytest.mark.parametrize("humans", [0, 1, 2])
def test_the_human_lord_gives_vp_per_human_itself_included(humans):
    row = [*["human_guard"] * humans, *["elf_guard"] * (2 - humans)]
    game = after("vp", {"field": [["human_lord", *row]]}, {"field": [["human_smith"]]})
    assert game.vp(1) == 1 + humans


@pytest.mark.rule("MG-W3")
@pytest.mark.parametrize("phase", ["placement", "vp"])
def test_the_war_of_the_last_round_is_over(phase):
    # The card asks on placement, and only a war of the same round counts.
    asks = 'cards.goblin_peddler.placement=["vp 7 if gained >= 1"]'
    seat = {"hand": ["goblin_peddler"], "war_rank": 1, "war_vp": 5}
    game = stage(seat, {}, overrides=[asks], phase=phase)
    if phase == "vp":
        game.vp_phase()
        game.draw_phase()
    game.choices[1].append("goblin_peddler")
    game.placement_phase()
    assert game.vp(1) == (7 if phase == "placement" else 0)
