"""GM-W2 to GM-W9: special victories — events, the least truth, what they stop, ranks."""

from __future__ import annotations

import pytest

from tests.titles.granmagia.staging import DEEP, EIGHT, MAGIC, refuse, shown, situation
from tests.titles.granmagia.witchcraft import (
    BY_ARCANA,
    BY_CAST,
    DRAGON,
    FAMILIAR,
    LASTING,
    LIFT,
    LIFTING,
    SPELL,
    WITCHES,
    close,
    close_by_arcana,
    least,
    made,
    need,
    pass_turns,
    stage,
    victory,
    won,
    worth,
)

SIX = shown(*EIGHT[:6])


# GM-W3 and GM-W5: the numbers

PRINTED = {
    "celestina": ("mana", 10, (25, 25, 25)),
    "marisrosetta": ("curses", 20, None),
    "sophia": ("tokens", 20, (50, 45, 45)),
    "felicia": ("rewards", 15, (35, 35, 35)),
    "ignis": ("uses", 15, (1, 1, 1)),
    "eclair": ("arcana_spread", 10, (5, 6, 6)),
    "aurelise": ("extra_gold", 20, (25, 25, 25)),
    "brynhild": ("kinds", 15, (13, 13, 13)),
    "beelzebel": ("arcana_owned", 30, (4, 4, 4)),
}


@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize("witch", PRINTED)
def test_what_the_special_victories_need(witch):
    kind, truth, needs = PRINTED[witch]
    data = WITCHES[witch]["victory"]
    assert (data["kind"], data["truth"], data["enabled"]) == (kind, truth, True)
    if needs:
        assert tuple(need(witch, players) for players in (2, 3, 4)) == needs


@pytest.mark.rule("GM-W5")
def test_who_wins_at_once_and_who_at_a_turn_start():
    timing = {witch: WITCHES[witch]["victory"]["timing"] for witch in PRINTED}
    at_turn_start = {witch for witch in timing if timing[witch] == "turn_start"}
    assert at_turn_start == {"marisrosetta", "eclair", "beelzebel"}
    assert {timing[witch] for witch in set(timing) - at_turn_start} == {"at_once"}


# GM-W3: events and the least truth


@pytest.mark.rule("GM-W3")
@pytest.mark.rule("GM-W5")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("witch", BY_CAST)
def test_the_least_truth_is_enough_at_the_event(witch, players):
    game, feeds = close(witch, least(witch), players=players)
    assert not game.over
    game.cast(feeds[0])
    assert game.truth(1) == least(witch)
    assert won(game, 1)
    assert (game.phase, game.end_reason) == ("over", "special")
    assert list(game.win60) == [60] + [0] * (players - 1)
    assert [game.counter(seat, "special_victory") for seat in (1, 2)] == [1, 0]


@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("witch", BY_CAST)
def test_with_too_little_truth_the_game_goes_on_until_a_further_step(witch, players):
    game, feeds = close(witch, least(witch) - 1, players=players)
    game.cast(feeds[0])
    assert not game.over
    assert not game.announced(1)
    # Truth that rises later is no event.
    game.cast(LIFT)
    game.cast(LIFT)
    assert game.truth(1) >= least(witch) + 1
    assert not game.over
    game.cast(feeds[1])
    assert won(game, 1)


@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize("witch", BY_CAST)
def test_a_further_step_with_too_little_truth_is_not_enough_either(witch):
    game, feeds = close(witch, least(witch) - 3)
    for kind in feeds[:2]:
        game.cast(kind)
        assert game.truth(1) < least(witch)
        assert not game.over
    game.cast(LIFT)
    game.cast(LIFT)
    assert not game.over
    game.cast(feeds[2])
    assert won(game, 1) is (game.truth(1) >= least(witch))
    assert not won(game, 1) or witch == "sophia"  # her steps are truth


@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize("witch", BY_CAST)
def test_truth_that_is_acquired_later_is_no_event(witch):
    game, feeds = close(witch, least(witch) - 1)
    game.cast(feeds[0])
    game.enter_acquisition()
    game.acquire("charm")
    assert game.truth(1) >= least(witch)
    assert not game.over
    pass_turns(game)
    assert (game.seat, game.phase) == (1, "start")
    game.start_turn()
    assert (game.over, game.phase) == (False, "cast")
    assert not game.announced(1)


@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize("witch", BY_CAST)
def test_truth_alone_is_not_enough(witch):
    game, feeds = close(witch, 99, overrides=victory(witch, need=need(witch) + 2))
    for number, kind in enumerate(feeds):
        assert not game.over, number
        game.cast(kind)
    assert won(game, 1)


@pytest.mark.rule("GM-W3")
@pytest.mark.rule("GM-W2")
@pytest.mark.parametrize("witch", ["celestina", "felicia", "ignis", "brynhild"])
@pytest.mark.parametrize("short", [0, 1])
def test_tokens_and_curses_count_for_the_least_truth(witch, short):
    own = {
        "tokens": least(witch) - 4,
        "discard": ["arcana", "curse"],
        "deck": ["curse", *DEEP],
    }
    own["tokens"] -= short
    game, feeds = close(witch, 0, own=own)
    assert game.truth(1) == least(witch) - short
    game.cast(feeds[0])
    assert game.over is (not short)


@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize("witch", BY_CAST)
def test_the_least_truth_is_data(witch):
    overrides = victory(witch, truth=3)
    game, feeds = close(witch, 2, overrides=overrides)
    game.cast(feeds[0])
    assert not game.over
    game, feeds = close(witch, 3, overrides=overrides)
    game.cast(feeds[0])
    assert won(game, 1)


@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize("witch", BY_CAST)
def test_a_special_victory_can_be_turned_off(witch):
    game, feeds = close(witch, 60, overrides=victory(witch, enabled=False))
    for kind in feeds:
        game.cast(kind)
    assert not game.over
    assert not game.announced(1)


@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize("witch", BY_ARCANA)
def test_an_announced_victory_can_be_turned_off(witch):
    game = close_by_arcana(witch, 60, overrides=victory(witch, enabled=False))
    game.acquire("arcana")
    assert not game.announced(1)
    pass_turns(game)
    game.start_turn()
    assert not game.over


@pytest.mark.rule("GM-W3")
def test_what_a_condition_counts_is_data():
    overrides = (
        *made(SPELL, "mana 3"),
        *victory("beelzebel", kind="mana", need=7, timing="at_once", truth=2),
    )
    seat = {"witch": "beelzebel", "hand": [SPELL] * 3, "deck": DEEP, "discard": worth(2)}
    game = stage(seat, {}, phase="cast", casts=9, overrides=overrides)
    game.cast(SPELL)
    game.cast(SPELL)
    assert not game.over
    game.cast(SPELL)
    assert won(game, 1)


@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize("witch", BY_CAST)
def test_what_feeds_the_condition_of_another_witch_is_nothing(witch):
    other = "felicia" if witch == "brynhild" else "brynhild"
    game, feeds = close(witch, 60, own={"witch": other, "kinds_cast": []})
    for kind in feeds:
        game.cast(kind)
    assert not game.over
    game, feeds = close(witch, 60, own={"witch": None})
    for kind in feeds:
        game.cast(kind)
    assert not game.over


# GM-W4: at once


@pytest.mark.rule("GM-W4")
@pytest.mark.rule("GM-W8")
@pytest.mark.parametrize("witch", BY_CAST)
def test_nothing_after_the_event_happens(witch):
    then = () if witch == "felicia" else ("gold 7", "casts 3", "draw 2")
    position = {"field": SIX, "magic_deck": [MAGIC[9]], "round": 4}
    game, feeds = close(witch, least(witch), then=then, **position)
    hand, turn = game.hand(1), game.turn
    hand.remove(feeds[0])
    game.cast(feeds[0])
    assert won(game, 1)
    assert game.gold(1) == (1 if witch == "felicia" else 0)  # her reward is what counts
    assert game.hand(1) == hand
    assert game.deck(1) == DEEP
    assert game.play_area(1) == [feeds[0]]
    # Neither is there an end of the turn.
    assert (game.seat, game.round, game.turn) == (1, 4, turn)
    assert game.magic_deck == [MAGIC[9]]
    assert dict(game.field) == SIX
    for step, *arguments in [
        ("cast", feeds[1]),
        ("enter_acquisition",),
        ("end_turn",),
        ("start_turn",),
        ("play_turn",),
        ("play",),
    ]:
        refuse(game, step, *arguments)


@pytest.mark.rule("GM-W4")
def test_at_once_in_the_acquisition_phase_too():
    overrides = victory("eclair", timing="at_once")
    game = close_by_arcana("eclair", 10, overrides=overrides, magic_deck=[MAGIC[9], MAGIC[8]])
    game.acquire("arcana")
    assert won(game, 1)
    assert (game.acquisitions, game.phase) == (1, "over")
    refuse(game, "acquire", "arcana")
    refuse(game, "end_turn")


# GM-W8: ranks


@pytest.mark.rule("GM-W8")
@pytest.mark.rule("GM-W1")
@pytest.mark.parametrize(
    ("truths", "seat", "ranks"),
    [
        # Truth of the others, in seat order; then fewer own turns.
        ((40, 50), 1, [1, 3, 2]),
        ((50, 40), 1, [1, 2, 3]),
        ((40, 40), 1, [1, 2, 2]),
        ((40, 40), 2, [3, 1, 2]),
        ((40, 40), 3, [2, 2, 1]),
        ((41, 40), 2, [2, 1, 3]),
        ((0, -1, 9), 1, [1, 3, 4, 2]),
        ((5, 5, 5), 1, [1, 2, 2, 2]),
        ((5, 5, 5), 2, [4, 1, 2, 2]),
        ((5, 5, 9), 4, [3, 3, 2, 1]),
        ((5, 9, 5), 3, [4, 2, 1, 3]),
        ((9, 5, 5), 3, [2, 4, 1, 3]),
    ],
)
@pytest.mark.parametrize("witch", ["celestina", "brynhild"])
def test_the_others_are_ranked_after_the_winner(witch, truths, seat, ranks):
    rivals = [{"tokens": truth} if truth > 0 else {"hand": ["curse"] * -truth} for truth in truths]
    position = {"players": len(truths) + 1, "seat": seat, "round": 7}
    game, feeds = close(witch, least(witch), rivals=rivals, **position)
    game.cast(feeds[0])
    assert list(game.ranks) == ranks
    assert list(game.win60) == [60 if rank == 1 else 0 for rank in ranks]


@pytest.mark.rule("GM-W8")
def test_the_winner_is_first_even_with_the_least_truth():
    rivals = [{"tokens": 90}, {"tokens": 80}]
    game = close_by_arcana("eclair", 10, players=3, seat=2, rivals=rivals)
    game.acquire("arcana")
    pass_turns(game)
    game.start_turn()
    assert list(game.ranks) == [2, 1, 3]
    assert list(game.win60) == [0, 60, 0]


@pytest.mark.rule("GM-W8")
@pytest.mark.rule("GM-N2")
@pytest.mark.parametrize(("curses", "ranks"), [(2, [1, 2, 3, 4]), (4, [1, 3, 2, 3])])
def test_the_penalty_counts_for_the_ranks_after_her_victory(curses, ranks):
    # Truth of the others: 10 less 3 or 6, then 6 and 5 less 1.
    seats = [
        {"witch": "marisrosetta", "discard": worth(20), "announced": True},
        {"tokens": 10, "hand": ["curse"] * curses},
        {"tokens": 6},
        {"tokens": 5, "hand": ["curse"]},
    ]
    game = stage(*seats, phase="start", piles={"curse": 0})
    game.start_turn()
    assert won(game, 1)
    assert list(game.ranks) == ranks


# What comes within an event


@pytest.mark.rule("GM-W3")
@pytest.mark.rule("GM-W4")
@pytest.mark.rule("GM-K2")
def test_start_effects_are_events_as_well():
    overrides = (
        *made(DRAGON, attributes=["permanent"], turn_start=["mana 3"]),
        *made(LASTING, attributes=["duration"], turn_start=["mana 3", "gold 5"]),
        *victory("celestina", need=5),
        'witches.celestina.ability=["gold 9"]',
    )
    seat = {"witch": "celestina", "own": [DRAGON, LASTING], "discard": worth(10), "deck": DEEP}
    game = stage({**seat, "hand": ["note"] * 3}, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert won(game, 1)
    assert (game.gold(1), game.mana_obtained) == (0, 6)


@pytest.mark.rule("GM-W3")
@pytest.mark.rule("GM-T1")
def test_abilities_are_events_as_well():
    overrides = (*victory("celestina", need=5), 'witches.celestina.ability=["mana 5", "gold 9"]')
    seat = {"witch": "celestina", "hand": ["note"] * 3, "discard": worth(10), "deck": DEEP}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert won(game, 1)
    assert game.gold(1) == 0


@pytest.mark.rule("GM-W4")
@pytest.mark.rule("GM-K3")
def test_a_reward_may_bring_a_victory_of_another_kind_only_to_who_gets_it():
    # Mana of a familiar's reward is Felicia's alone.
    overrides = (*made(FAMILIAR, attributes=["familiar"], reward=["mana 25"]), *LIFTING)
    seat = {"witch": "celestina", "hand": [FAMILIAR], "deck": DEEP, "discard": worth(20)}
    game = stage(seat, {}, phase="cast", overrides=overrides)
    game.cast(FAMILIAR)
    assert not game.over
    assert game.mana_obtained == 0


@pytest.mark.rule("GM-W6")
def test_open_numbers_tell_how_far_a_special_victory_is():
    game, feeds = close("felicia", 14)
    assert (game.progress(1), game.observe(1, "progress_needed")) == (34, 35)
    assert (game.observe(1, "truth_needed"), game.truth(1)) == (15, 14)
    game.cast(feeds[0])
    assert (game.progress(1), game.rewards(1)) == (35, 35)
    before = situation(game)
    assert game.observe(2, "progress") == game.observe(2, "progress_needed") == 0
    assert situation(game) == before
