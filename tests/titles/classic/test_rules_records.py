"""What the columns of the records count, held to turns whose every step is known."""

from __future__ import annotations

import pytest

from tests.titles.classic.staging import DEEP, stage


def counters(game, seat, *names):
    return {name: game.counter(seat, name) for name in names}


@pytest.mark.rule("CL-T2")
@pytest.mark.rule("CL-T4")
@pytest.mark.rule("CL-K3")
@pytest.mark.rule("CL-K4")
def test_a_turn_is_counted():
    hand = ["holiday", "furnace", "joinery", "rework", "pantry", "estate", "estate", "gold"]
    choices = ["estate", "estate", "stop", "silver", "gold", "duchy"]
    game = stage({"hand": hand, "deck": DEEP}, {}, actions=5, choices=choices, coins=7)
    for kind in ("holiday", "furnace", "joinery", "rework"):
        game.play_action(kind)
    game.enter_buy()
    game.buy("gold")
    game.buy("silver")
    names = ("plays", "bought", "coins_spent", "receipts", "trashes", "shuffles")
    assert list(counters(game, 1, *names).values()) == [4, 2, 9, 2, 3, 0]
    assert list(counters(game, 2, *names).values()) == [0] * 6


@pytest.mark.rule("CL-A1")
@pytest.mark.rule("CL-A2")
@pytest.mark.rule("CL-A3")
def test_attacks_are_counted():
    names = ("attacks", "reactions", "curses_given", "curses_taken", "receipts")
    seats = [{"hand": ["crone"] * 4, "deck": DEEP}, {"hand": ["forge"]}]
    game = stage(*seats, actions=4, piles={"curse": 3})
    for _ in range(4):
        game.play_action("crone")
    assert list(counters(game, 1, *names[:4]).values()) == [4, 0, 3, 0]
    assert list(counters(game, 2, *names[:4]).values()) == [0, 0, 0, 3]
    seats = [{"hand": ["crone", "levy"], "deck": DEEP}, {"hand": ["rampart"] * 5}]
    game = stage(*seats, actions=2)
    game.play_action("crone")
    game.play_action("levy")
    assert list(counters(game, 1, *names).values()) == [2, 0, 0, 0, 0]
    assert list(counters(game, 2, *names).values()) == [0, 2, 0, 0, 0]


@pytest.mark.rule("CL-E2")
def test_cards_at_the_end_are_counted():
    seat = {
        "hand": ["estate", "duchy", "forge"],
        "deck": ["province", "copper", "copper"],
        "discard": ["curse", "curse", "silver", "duchy"],
        "play": ["levy", "gold", "gold", "pantry"],
    }
    game = stage(seat, {"deck": ["curse"]}, piles={"province": 0, "levy": 0}, trash=["estate"])
    game.end_turn()
    expected = {
        **{"deck_size": 14, "action_cards": 3},
        **{"points_estate": 1, "points_duchy": 6, "points_province": 6, "points_curse": -2},
        **{"coppers": 2, "silvers": 1, "golds": 2},
        **{"estates": 1, "duchies": 2, "provinces": 1, "curses": 2},
    }
    assert counters(game, 1, *expected) == expected
    assert counters(game, 2, "deck_size", "curses") == {"deck_size": 1, "curses": 1}
