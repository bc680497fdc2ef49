"""GM-T10, GM-T12 and GM-T13, and GM-T1, T7, T9, W1 and W10 where extra turns touch them."""

from __future__ import annotations

import pytest

from tests.titles.granmagia.staging import (
    DEEP,
    EIGHT,
    MAGIC,
    own_cards,
    refuse,
    shown,
)
from tests.titles.granmagia.witchcraft import (
    CARDS,
    CONTRACT,
    DRAGON,
    HOURGLASS,
    LASTING,
    SPELL,
    WITCHES,
    made,
    named,
    pass_turns,
    stage,
    won,
    worth,
)

SIX = shown(*EIGHT[:6])
GLASS = made(HOURGLASS, "mana 1", "extra_turn 1", "gold 1")


def with_glass(*seats, seat=1, overrides=(), copies=1, **position):
    """Stage a cast phase of a seat that holds cards which win an extra turn."""
    seats = [{"deck": DEEP, **own} for own in seats]
    seats[seat - 1]["hand"] = [HOURGLASS] * copies + list(seats[seat - 1].get("hand", ()))
    position = {"phase": "cast", "casts": copies, "seat": seat, **position}
    return stage(*seats, overrides=(*GLASS, *overrides), **position)


# GM-T10: an extra turn follows at once


@pytest.mark.rule("GM-T10")
@pytest.mark.rule("GM-T9")
@pytest.mark.parametrize(("players", "seat"), [(2, 1), (2, 2), (3, 2), (3, 3), (4, 1), (4, 4)])
def test_an_extra_turn_follows_the_own_turn_at_once(players, seat):
    game = with_glass(*[{}] * players, seat=seat, round=4)
    own_turns = [game.turns(other) for other in range(1, players + 1)]
    game.cast(HOURGLASS)
    assert (game.extra, game.extra_earned) == (False, True)
    game.end_turn()
    assert (game.seat, game.phase, game.extra, game.extra_earned) == (seat, "start", True, False)
    assert game.round == 4
    game.start_turn()
    assert (game.seat, game.round, game.extra) == (seat, 4, True)
    assert [game.turns(other) for other in range(1, players + 1)] == own_turns
    assert game.observe(seat, "extra") == 1
    game.end_turn()
    assert (game.seat, game.extra) == (seat % players + 1, False)
    assert game.round == 4 + (seat == players)
    assert game.counter(seat, "extra_turns") == 1
    game.start_turn()
    assert (game.extra, game.observe(game.seat, "extra")) == (False, 0)


@pytest.mark.rule("GM-T10")
def test_a_turn_without_a_win_is_followed_by_the_next_seat():
    game = with_glass({}, {})
    game.end_turn()
    assert (game.seat, game.extra) == (2, False)


@pytest.mark.rule("GM-T10")
@pytest.mark.rule("GM-T13")
def test_in_an_extra_turn_the_card_is_cast_without_that_effect():
    game = with_glass({}, {}, extra=True)
    assert HOURGLASS in game.options()
    game.cast(HOURGLASS)
    assert (game.mana, game.gold(1), game.casts) == (1, 1, 0)
    assert game.play_area(1) == [HOURGLASS]
    assert not game.extra_earned
    game.end_turn()
    assert (game.seat, game.extra) == (2, False)


@pytest.mark.rule("GM-T13")
@pytest.mark.parametrize("copies", [2, 3])
def test_at_most_one_extra_turn_follows_a_turn(copies):
    game = with_glass({}, {}, copies=copies)
    for _ in range(copies):
        game.cast(HOURGLASS)
    assert game.gold(1) == copies
    game.end_turn()
    assert game.extra
    game.start_turn()
    game.end_turn()
    assert (game.seat, game.extra) == (2, False)
    assert game.counter(1, "extra_turns") == 1


@pytest.mark.rule("GM-T10")
def test_an_effect_that_wins_two_wins_one():
    overrides = made(SPELL, "extra_turn 2")
    game = stage({"hand": [SPELL], "deck": DEEP}, {}, phase="cast", overrides=overrides)
    game.cast(SPELL)
    game.end_turn()
    game.start_turn()
    game.end_turn()
    assert (game.seat, game.extra) == (2, False)


@pytest.mark.rule("GM-T10")
def test_every_normal_turn_may_win_one():
    deck = [HOURGLASS, *["note"] * 9, HOURGLASS, *DEEP]
    game = with_glass({"deck": deck}, {})
    game.cast(HOURGLASS)
    game.end_turn()
    game.start_turn()
    game.cast(HOURGLASS)  # in the extra turn: nothing
    game.end_turn()
    assert game.seat == 2
    game.start_turn()
    game.end_turn()
    game.start_turn()
    assert (game.seat, game.extra) == (1, False)
    game.end_turn()
    assert game.seat == 2
    game.start_turn()
    pass_turns(game, seat=1)
    game.start_turn()
    game.cast(HOURGLASS)
    game.end_turn()
    assert (game.seat, game.extra) == (1, True)


@pytest.mark.rule("GM-T10")
@pytest.mark.rule("GM-K6")
def test_the_hourglass_of_the_data_wins_an_extra_turn():
    kind = named("時の砂時計")
    assert "extra_turn 1" in CARDS[kind]["effects"]
    seat = {"hand": [kind], "deck": DEEP, "gold": 9}
    for extra in (False, True):
        game = stage(seat, {"deck": DEEP}, phase="cast", mana=9, extra=extra)
        game.cast(kind)
        game.end_turn()
        assert (game.seat, game.extra) == ((2, False) if extra else (1, True))


@pytest.mark.rule("GM-T10")
@pytest.mark.rule("GM-T1")
def test_a_start_effect_may_win_an_extra_turn():
    overrides = made(DRAGON, attributes=["permanent"], turn_start=["extra_turn 1"])
    seat = {"own": [DRAGON], "deck": DEEP, "hand": ["note"] * 3}
    game = stage(seat, {"deck": DEEP}, phase="start", overrides=overrides)
    game.start_turn()
    assert game.extra_earned
    game.end_turn()
    assert (game.seat, game.extra) == (1, True)
    game.start_turn()
    assert not game.extra_earned
    game.end_turn()
    assert (game.seat, game.extra) == (2, False)


@pytest.mark.rule("GM-T10")
def test_it_is_the_seat_of_the_card_that_gets_the_turn():
    overrides = made(SPELL, "extra_turn 1 if contracted == 1")
    for witch, seat in [("ignis", 2), (None, 3)]:
        seats = [{"deck": DEEP}, {"hand": [SPELL], "witch": witch, "deck": DEEP}, {"deck": DEEP}]
        game = stage(*seats, seat=2, phase="cast", overrides=overrides)
        game.cast(SPELL)
        game.end_turn()
        assert (game.seat, game.extra) == (seat, seat == 2)


# GM-T13: a whole turn


@pytest.mark.rule("GM-T13")
@pytest.mark.rule("GM-T7")
def test_an_extra_turn_begins_afresh():
    hand = ["great_stone", "great_stone"]
    game = with_glass({"hand": hand, "silver": 2}, {}, copies=3, casts=4)
    game.cast(HOURGLASS)
    game.enter_acquisition()
    assert game.mana == 7
    game.end_turn()
    assert own_cards(game, 1)["great_stone"] == 2
    assert (game.hand(1), game.play_area(1)) == (["fragment"] * 5, [])
    assert (game.silver(1), game.gold(1)) == (0, 1)
    game.start_turn()
    assert (game.casts, game.acquisitions, game.mana, game.mana_obtained) == (1, 1, 0, 0)
    game.enter_acquisition()
    assert game.mana == 5
    game.acquire("stone")
    refuse(game, "acquire", "fragment")
    game.end_turn()
    assert game.discard(1)[-6:].count("fragment") == 5
    assert "stone" in game.discard(1)
    assert (game.seat, game.hand(1)) == (2, ["fragment"] * 5)


@pytest.mark.rule("GM-T13")
@pytest.mark.rule("GM-T2")
@pytest.mark.parametrize(("held", "drawn"), [(0, 5), (1, 3), (2, 1), (3, 0), (5, 0)])
def test_an_extra_turn_has_a_reversal(held, drawn):
    seat = {"hand": ["note"] * held, "deck": DEEP}
    game = stage(seat, {}, phase="start", extra=True)
    game.start_turn()
    assert game.hand(1) == ["note"] * held + ["fragment"] * drawn


@pytest.mark.rule("GM-T13")
@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-K2")
def test_an_extra_turn_has_start_effects_and_the_ability():
    overrides = (
        *made(DRAGON, attributes=["permanent"], turn_start=["mana 1"]),
        *made(LASTING, attributes=["duration"], turn_start=["casts 1"]),
        'witches.ignis.ability=["acquisitions 2"]',
    )
    own = {"witch": "ignis", "hand": [LASTING, DRAGON]}
    game = with_glass(own, {}, overrides=overrides, casts=3)
    game.cast(DRAGON)
    game.cast(LASTING)
    game.cast(HOURGLASS)
    game.end_turn()
    assert game.own(1) == [DRAGON, LASTING, "ignis"]
    game.start_turn()
    assert (game.mana, game.casts, game.acquisitions) == (1, 2, 3)
    # A duration card has waited for this turn.
    assert game.own(1) == [DRAGON, "ignis"]
    assert LASTING in game.discard(1)
    pass_turns(game)
    game.start_turn()
    assert (game.mana, game.casts, game.acquisitions) == (1, 1, 3)


@pytest.mark.rule("GM-T13")
@pytest.mark.rule("GM-T7")
def test_the_field_is_refilled_before_and_after_the_extra_turn():
    deck = [MAGIC[8], MAGIC[9], MAGIC[10]]
    field = {**shown(*EIGHT[:7]), EIGHT[7]: 1}
    game = with_glass({"hand": ["great_stone"] * 3}, {}, field=field, magic_deck=deck)
    game.cast(HOURGLASS)
    game.enter_acquisition()
    game.acquire(EIGHT[7])
    assert game.magic_deck == deck
    game.end_turn()
    assert list(game.field) == [*EIGHT[:7], MAGIC[8]]
    game.start_turn()
    game.end_turn()
    assert game.magic_deck == deck[1:]
    assert game.seat == 2


@pytest.mark.rule("GM-T13")
@pytest.mark.rule("GM-T12")
@pytest.mark.rule("GM-W1")
def test_the_end_of_the_game_cancels_an_extra_turn():
    game = with_glass({}, {"tokens": 3}, field=SIX)
    game.cast(HOURGLASS)
    game.end_turn()
    assert (game.over, game.phase, game.end_reason) == (True, "over", "field")
    assert list(game.ranks) == [2, 1]
    assert game.counter(1, "extra_turns") == 0
    refuse(game, "start_turn")


@pytest.mark.rule("GM-T13")
@pytest.mark.rule("GM-W8")
def test_a_special_victory_cancels_an_extra_turn():
    overrides = made(SPELL, "mana 30")
    own = {"witch": "celestina", "discard": worth(10), "hand": [SPELL]}
    game = with_glass(own, {}, casts=2, overrides=overrides)
    game.cast(HOURGLASS)
    game.cast(SPELL)
    assert won(game, 1)
    refuse(game, "start_turn")
    assert game.counter(1, "extra_turns") == 0


@pytest.mark.rule("GM-T13")
@pytest.mark.rule("GM-W1")
def test_an_extra_turn_has_an_end_test():
    # The last card of a seventh kind is acquired within the extra turn.
    field = {**SIX, EIGHT[6]: 1}
    own = {"deck": ["great_stone"] * 10}
    game = with_glass(own, {"tokens": 1}, field=field)
    game.cast(HOURGLASS)
    game.end_turn()
    assert not game.over
    game.start_turn()
    game.enter_acquisition()
    game.acquire(EIGHT[6])
    assert not game.over
    game.end_turn()
    assert (game.over, game.end_reason) == (True, "field")
    assert list(game.win60) == [0, 60]


@pytest.mark.rule("GM-T13")
@pytest.mark.rule("GM-N7")
@pytest.mark.rule("GM-T12")
def test_who_has_won_one_by_a_card_is_not_asked_to_pay_for_another():
    own = {"witch": "aurelise", "gold": 40}
    game = with_glass(own, {}, choices=["aurelise", "aurelise"])
    game.cast(HOURGLASS)
    game.end_turn()
    assert (game.seat, game.extra, game.gold(1)) == (1, True, 41)
    game.start_turn()
    game.end_turn()
    # Nor is there another at the end of the extra turn, by card or by gold.
    assert (game.seat, game.extra) == (2, False)
    assert game.gold(1) == 41 + 5  # the stones of the extra turn
    assert list(game.choices) == ["aurelise", "aurelise"]


@pytest.mark.rule("GM-T13")
@pytest.mark.rule("GM-N7")
def test_the_card_wins_nothing_in_an_extra_turn_that_was_paid_for():
    own = {"witch": "aurelise", "gold": 15, "deck": [HOURGLASS, *DEEP]}
    game = stage(
        own,
        {"deck": DEEP},
        phase="acquire",
        choices=["aurelise"],
        overrides=GLASS,
    )
    game.end_turn()
    game.start_turn()
    assert game.extra
    game.cast(HOURGLASS)
    game.end_turn()
    assert (game.seat, game.extra) == (2, False)


@pytest.mark.rule("GM-T13")
def test_a_contract_and_its_cards_come_in_an_extra_turn_as_in_any():
    seat = {"discard": ["note", "apprentice"], "deck": DEEP}
    game = stage(seat, {}, phase="acquire", extra=True, mana=CONTRACT)
    game.contract("sophia")
    assert game.discard(1) == ["charm"]
    assert game.removed == ["apprentice"]


# GM-T9: what extra turns are not counted in


@pytest.mark.rule("GM-T9")
@pytest.mark.rule("GM-T10")
def test_extra_turns_count_neither_in_rounds_nor_in_own_turns():
    seats = [{"deck": [HOURGLASS, *DEEP] * 9} for _ in range(2)]
    game = stage(*seats, phase="start", overrides=GLASS)
    game.start_turn()
    game.end_turn()
    game.start_turn()
    game.end_turn()
    seen = []
    for _ in range(4):
        game.start_turn()
        seen.append((game.round, game.seat, game.extra, game.turns(1), game.turns(2)))
        if HOURGLASS in game.options():
            game.cast(HOURGLASS)
        game.end_turn()
        if game.extra:
            game.start_turn()
            seen.append((game.round, game.seat, game.extra, game.turns(1), game.turns(2)))
            game.end_turn()
    normal = [entry for entry in seen if not entry[2]]
    assert normal == [
        (2, 1, False, 2, 1),
        (2, 2, False, 2, 2),
        (3, 1, False, 3, 2),
        (3, 2, False, 3, 3),
    ]
    for entry in seen:
        assert (entry[0], entry[1], False, *entry[3:]) in normal


@pytest.mark.rule("GM-T9")
@pytest.mark.rule("GM-C4")
def test_the_discount_of_contracts_does_not_come_with_an_extra_turn():
    position = {"seat": 2, "round": 10, "overrides": ("witches.sophia.cost=6",)}
    seats = [{"deck": DEEP}, {"deck": DEEP}]
    game = stage(*seats, phase="acquire", extra_earned=True, **position)
    game.end_turn()
    game.start_turn()
    assert (game.seat, game.round, game.extra) == (2, 10, True)
    game.enter_acquisition()
    assert game.mana == 5
    refuse(game, "contract", "sophia")
    game.end_turn()
    game.start_turn()
    assert (game.seat, game.round) == (1, 11)
    game.enter_acquisition()
    game.contract("sophia")


@pytest.mark.rule("GM-T9")
@pytest.mark.rule("GM-W1")
def test_extra_turns_break_no_tie():
    # Seat 1 has had an extra turn, and seat 3 ends the game in its normal or its extra turn.
    field = {**SIX, EIGHT[6]: 1}
    for extra in (False, True):
        seats = [{"deck": ["stone"] * 30, "tokens": 5} for _ in range(3)]
        game = stage(*seats, phase="acquire", round=6, field=field, extra_earned=True)
        pass_turns(game)
        assert (game.seat, game.extra) == (1, True)
        game.start_turn()
        pass_turns(game, seat=3)
        game.start_turn()
        assert [game.turns(seat) for seat in (1, 2, 3)] == [6, 6, 6]
        if extra:
            game = stage(*seats, seat=3, phase="start", round=6, field=field, extra=True)
            game.start_turn()
        game.enter_acquisition()
        game.acquire(EIGHT[6])
        game.end_turn()
        assert game.end_reason == "field"
        assert list(game.win60) == [20, 20, 20]


@pytest.mark.rule("GM-T9")
@pytest.mark.rule("GM-W1")
def test_a_field_end_in_an_extra_turn_goes_by_own_turns():
    # Seat 2 has had no turn in this round yet.
    seats = [{"deck": DEEP, "tokens": 5}, {"deck": DEEP, "tokens": 5}]
    game = stage(*seats, round=6, phase="acquire", field=SIX, extra=True)
    game.end_turn()
    assert list(game.win60) == [0, 60]


@pytest.mark.rule("GM-T10")
@pytest.mark.rule("GM-S4")
def test_silver_does_not_last_into_an_extra_turn():
    game = with_glass({}, {"silver": 3, "gold": 1}, seat=2)
    game.cast(HOURGLASS)
    game.end_turn()
    game.start_turn()
    assert (game.seat, game.extra, game.silver(2), game.gold(2)) == (2, True, 0, 2)


# GM-W10: the cap on rounds


@pytest.mark.rule("GM-W10")
@pytest.mark.rule("GM-T9")
@pytest.mark.rule("GM-T12")
def test_the_last_round_ends_with_the_extra_turn_of_its_last_seat():
    game = with_glass({}, {}, seat=2, round=5, overrides=("limits.round_cap=5",))
    game.cast(HOURGLASS)
    game.end_turn()
    assert (game.over, game.seat, game.extra, game.round) == (False, 2, True, 5)
    game.start_turn()
    game.end_turn()
    assert (game.over, game.end_reason, game.round) == (True, "round_cap", 5)


@pytest.mark.rule("GM-W10")
@pytest.mark.rule("GM-T9")
def test_an_extra_turn_of_another_seat_does_not_end_the_last_round():
    game = with_glass({}, {}, round=5, overrides=("limits.round_cap=5",))
    game.cast(HOURGLASS)
    game.end_turn()
    game.start_turn()
    game.end_turn()
    assert (game.over, game.seat, game.round) == (False, 2, 5)


# GM-T12: the order at the end


@pytest.mark.rule("GM-T12")
@pytest.mark.rule("GM-N7")
@pytest.mark.parametrize("witch", WITCHES)
def test_the_end_of_an_extra_turn_tests_aurelise_alone(witch):
    seat = {"witch": witch, "gold": 30, "discard": worth(40), "deck": DEEP}
    game = stage(seat, {"deck": DEEP}, phase="acquire", extra=True)
    game.end_turn()
    assert won(game, 1) is (witch == "aurelise")
    assert game.over is (witch == "aurelise")


@pytest.mark.rule("GM-T12")
@pytest.mark.rule("GM-T4")
@pytest.mark.rule("GM-N7")
def test_stones_are_laid_down_before_the_test_of_gold():
    seat = {"witch": "aurelise", "gold": 23, "discard": worth(20), "hand": ["stone", "fragment"]}
    game = stage(seat, {"deck": DEEP}, phase="cast", extra=True)
    game.end_turn()
    assert won(game, 1)
    assert game.gold(1) == 25


@pytest.mark.rule("GM-T12")
@pytest.mark.rule("GM-T10")
@pytest.mark.rule("GM-N7")
def test_an_extra_turn_is_a_turn_of_its_own_when_turns_are_played():
    seat = {"witch": "aurelise", "gold": 15, "deck": ["note"] * 20}
    game = stage(seat, {"deck": DEEP}, phase="acquire", choices=["stop", "aurelise"])
    game.play_turn()
    assert (game.seat, game.extra, game.phase) == (1, True, "start")
    game.play_turn()
    assert (game.seat, game.extra, game.phase) == (2, False, "start")
