"""GM-T1 with lasting cards, abilities and special victories: the four steps, one after another."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.titles.granmagia.staging import DEEP, refuse
from tests.titles.granmagia.witchcraft import (
    DRAGON,
    FAMILIAR,
    LASTING,
    OTHER,
    SPELL,
    WITCHES,
    made,
    pass_turns,
    stage,
    won,
    worth,
)

PERMANENT = {"attributes": ["permanent"]}
DURATION = {"attributes": ["duration"]}


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-T2")
@pytest.mark.parametrize(("held", "after"), [(0, 5), (1, 4), (2, 3), (3, 3), (4, 4)])
def test_the_reversal_comes_before_the_effects_of_lasting_cards(held, after):
    # The cards that these draw do not count for the reversal, and see what it drew.
    overrides = (
        *made(DRAGON, **PERMANENT, turn_start=["mana 1 per hand", "draw 2"]),
        *made(LASTING, **DURATION, turn_start=["gold 1 per hand"]),
    )
    seat = {"hand": ["note"] * held, "own": [DRAGON, LASTING], "deck": DEEP}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert game.mana == after
    assert game.gold(1) == after + 2
    assert len(game.hand(1)) == after + 2


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-K10")
def test_the_ability_comes_after_the_effects_of_lasting_cards():
    overrides = (
        *made(DRAGON, **PERMANENT, turn_start=["mana 2"]),
        *made(LASTING, **DURATION, turn_start=["draw 1 per mana", "mana 1"]),
        'witches.ignis.ability=["gold 1 per mana", "acquisitions 1 per hand"]',
    )
    seat = {"witch": "ignis", "hand": ["note"] * 3, "own": [DRAGON, LASTING], "deck": DEEP}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert (game.mana, game.gold(1), len(game.hand(1))) == (3, 3, 5)
    assert game.acquisitions == 1 + 5


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-N3")
def test_all_four_steps_of_one_start():
    # A rule for each border: the judgement sees no drawn card, reversal no card of an effect,
    # effects nothing of the ability, and tokens come last of all.
    overrides = (
        *made(LASTING, **DURATION, turn_start=["draw 1", "gold 1 per hand"]),
        'witches.sophia.ability=["draw 1", "mana 1 per hand"]',
    )
    seat = {"witch": "sophia", "hand": ["note"], "own": [LASTING]}
    seat["deck"] = ["note", "note", "stone", "note", "charm", "ritual", "note"]
    game = stage(seat, {}, phase="start", overrides=overrides, choices=["charm"])
    game.start_turn()
    assert game.gold(1) == 5
    assert game.mana == 6
    assert game.tokens(1) == 1
    assert game.hand(1) == ["note", "note", "note", "stone", "note", "ritual"]


@pytest.mark.rule("GM-T1")
@pytest.mark.parametrize("announced", [False, True])
def test_after_the_judgement_has_won_no_other_step_comes(announced):
    overrides = (
        *made(DRAGON, **PERMANENT, turn_start=["gold 1"]),
        'witches.beelzebel.ability=["gold 1"]',
    )
    seat = {"witch": "beelzebel", "discard": ["arcana"] * 5, "own": [DRAGON], "deck": DEEP}
    game = stage({**seat, "announced": announced}, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert won(game, 1) is announced
    assert (game.gold(1), len(game.hand(1))) == ((0, 0) if announced else (2, 5))


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-W4")
def test_an_announcement_that_lapses_lets_the_other_steps_come():
    overrides = ('witches.beelzebel.ability=["gold 1"]',)
    seat = {"witch": "beelzebel", "discard": worth(29), "deck": DEEP, "announced": True}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert (game.over, game.announced(1), game.phase) == (False, False, "cast")
    assert (game.gold(1), len(game.hand(1))) == (1, 5)


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-W4")
def test_the_judgement_sees_nothing_that_the_later_steps_bring():
    # The charm of the start effect would lift her truth to the least; it comes too late.
    overrides = (
        *made(DRAGON, **PERMANENT, turn_start=["receive 2 truths discard"]),
        'witches.beelzebel.ability=["receive 2 truths discard"]',
    )
    seat = {"witch": "beelzebel", "discard": ["arcana"] * 4 + worth(5), "own": [DRAGON]}
    seat |= {"hand": ["note"] * 3, "deck": DEEP, "announced": True}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert (game.truth(1), game.over, game.announced(1)) == (31, False, False)


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-C5")
@pytest.mark.parametrize("witch", WITCHES)
def test_every_witch_has_an_ability_of_the_data_at_her_own_turn_starts(witch):
    overrides = (f'witches.{witch}.ability=["mana 2", "casts 3", "acquisitions 1", "gold 1"]',)
    seats = [{"witch": witch}, {}, {}]
    seats = [{"deck": ["note"] * 20, **own} for own in seats]
    game = stage(*seats, phase="start", overrides=overrides)
    for gold in (1, 2):
        game.start_turn()
        assert (game.mana, game.casts, game.acquisitions) == (2, 4, 2)
        assert [game.gold(seat) for seat in (1, 2, 3)] == [gold, 0, 0]
        game.end_turn()
        while game.seat != 1:
            game.start_turn()
            assert (game.mana, game.casts, game.acquisitions) == (0, 1, 1)
            game.end_turn()


@pytest.mark.rule("GM-T1")
def test_what_the_start_gives_is_added_to_the_numbers_of_the_data():
    overrides = (
        *made(DRAGON, **PERMANENT, turn_start=["casts 1", "acquisitions 2"]),
        "turn.casts=2",
        "turn.acquisitions=3",
    )
    seat = {"own": [DRAGON, DRAGON], "hand": ["note"] * 3, "deck": DEEP}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert (game.casts, game.acquisitions) == (4, 7)


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-T15")
def test_a_start_effect_never_takes_a_cast_that_is_not_there():
    overrides = made(DRAGON, **PERMANENT, turn_start=["casts -5", "acquisitions -5"])
    seat = {"own": [DRAGON], "hand": [SPELL] * 3, "deck": DEEP}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert (game.casts, game.acquisitions) == (0, 0)
    refuse(game, "cast", SPELL)


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-T7")
@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-K2")
def test_waiting_and_permanent_cards_stay_at_the_end_of_a_turn():
    overrides = (
        *made(LASTING, "gold 1", **DURATION, turn_start=["mana 1"]),
        *made(DRAGON, "gold 1", **PERMANENT, turn_start=["mana 2"]),
        *made(OTHER, "gold 1"),
    )
    seat = {"witch": "ignis", "hand": [LASTING, OTHER, DRAGON], "deck": DEEP}
    game = stage(seat, {"deck": DEEP}, phase="cast", casts=3, overrides=overrides)
    for kind in (LASTING, OTHER, DRAGON):
        game.cast(kind)
    assert game.own(1) == [LASTING, DRAGON, "ignis"]
    assert game.play_area(1) == [OTHER]
    game.end_turn()
    assert game.own(1) == [LASTING, DRAGON, "ignis"]
    assert game.discard(1) == [OTHER]
    # Nor do the turns of others touch them.
    game.start_turn()
    assert game.mana == 0
    game.end_turn()
    assert game.own(1) == [LASTING, DRAGON, "ignis"]
    game.start_turn()
    assert game.mana == 3
    assert game.own(1) == [DRAGON, "ignis"]
    assert game.discard(1) == [OTHER, LASTING]


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-N4")
def test_rewards_of_the_start_come_with_each_card_and_before_the_ability():
    dragon = {"attributes": ["permanent", "familiar"]}
    overrides = (
        *made(DRAGON, **dragon, turn_start=["mana 1"], reward=["gold 1 per mana"]),
        *made(FAMILIAR, **dragon, turn_start=["mana 10"], reward=["gold 1 per mana"]),
        'witches.felicia.ability=["casts 1 per gold"]',
    )
    seat = {"witch": "felicia", "own": [DRAGON, FAMILIAR], "hand": ["note"] * 3, "deck": DEEP}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert (game.mana, game.gold(1), game.casts) == (11, 12, 13)


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-W3")
def test_events_of_the_start_are_judged_one_by_one():
    # Truth comes with the second card: the mana of the third is the event that wins.
    overrides = (
        *made(DRAGON, **PERMANENT, turn_start=["mana 25"]),
        *made(OTHER, **PERMANENT, turn_start=["receive 2 truths discard"]),
        *made(SPELL, **PERMANENT, turn_start=["mana 1"]),
    )
    orders = [
        ([DRAGON, OTHER, SPELL], True),
        ([OTHER, DRAGON, SPELL], True),
        ([DRAGON, SPELL, OTHER], False),
    ]
    for own, wins in orders:
        seat = {"witch": "celestina", "own": own, "discard": worth(9), "hand": ["note"] * 3}
        game = stage(seat, {}, phase="start", overrides=overrides)
        game.start_turn()
        assert won(game, 1) is wins
        assert game.mana_obtained == (25 if own[0] == OTHER else 26)
        if not wins:
            assert game.truth(1) == 10


@pytest.mark.rule("GM-T1")
def test_start_effects_are_for_the_seat_on_turn_alone():
    overrides = (
        *made(DRAGON, **PERMANENT, turn_start=["gold 1"]),
        'witches.ignis.ability=["gold 10"]',
    )
    seats = [{"own": [DRAGON], "witch": "ignis"}, {"own": [DRAGON, DRAGON]}, {}]
    seats = [{"deck": DEEP, **own} for own in seats]
    game = stage(*seats, phase="start", overrides=overrides)
    seen = [(0, 0, 0)]
    for _ in range(4):
        game.start_turn()
        seen.append(tuple(game.gold(seat) for seat in (1, 2, 3)))
        game.end_turn()
    gains = [tuple(b - a for a, b in zip(*pair, strict=True)) for pair in pairwise(seen)]
    assert gains == [(11, 0, 0), (0, 2, 0), (0, 0, 0), (11, 0, 0)]


@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-T9")
def test_nothing_of_a_start_is_left_for_the_next_turn():
    overrides = made(LASTING, **DURATION, turn_start=["mana 4", "casts 1", "acquisitions 1"])
    seat = {"own": [LASTING], "hand": ["note"] * 3, "deck": ["note"] * 20}
    game = stage(seat, {"deck": DEEP}, phase="start", overrides=overrides)
    game.start_turn()
    assert (game.mana, game.casts, game.acquisitions) == (4, 2, 2)
    pass_turns(game)
    game.start_turn()
    assert (game.mana, game.casts, game.acquisitions) == (0, 1, 1)
