"""CL-T1 to CL-T4: a turn's phases, what is played, laid down and bought."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.titles.classic.staging import (
    ACTIONS,
    COST,
    CURSES,
    DEEP,
    KINDS,
    STOP,
    TREASURES,
    VICTORIES,
    Asked,
    affordable,
    effects,
    new_game,
    own_cards,
    refuse,
    stage,
)

# CL-T1: what a turn begins with


@pytest.mark.rule("CL-T1")
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_turn_begins_with_one_action_one_buy_and_no_coins(seat):
    seats = [{"hand": ["silver", "holiday"], "deck": DEEP}] * 3
    game = stage(*seats, seat=seat, actions=3, buys=4, coins=9)
    game.play_action("holiday")
    game.end_turn()
    assert (game.seat, game.phase) == (seat % 3 + 1, "action")
    assert (game.actions, game.buys, game.coins) == (1, 1, 0)


@pytest.mark.rule("CL-T1")
def test_the_first_turn_begins_the_same():
    game = new_game(2)
    assert (game.round, game.seat, game.phase) == (1, 1, "action")
    assert (game.actions, game.buys, game.coins) == (1, 1, 0)


@pytest.mark.rule("CL-T1")
def test_actions_and_buys_of_a_turn_are_data():
    overrides = ("turn.actions=2", "turn.buys=3")
    game = new_game(2, overrides=overrides)
    assert (game.actions, game.buys, game.coins) == (2, 3, 0)
    game.end_turn()
    assert (game.actions, game.buys, game.coins) == (2, 3, 0)


@pytest.mark.rule("CL-T1")
def test_phases_come_in_order():
    game = stage({"hand": ["forge", "gold"], "deck": DEEP}, {"hand": ["gold"]})
    assert game.phase == "action"
    refuse(game, "buy", "copper")
    game.enter_buy()
    assert game.phase == "buy"
    game.end_turn()
    assert (game.phase, game.seat) == ("action", 2)


# CL-T2: the action phase


@pytest.mark.rule("CL-T2")
def test_an_action_card_goes_from_hand_to_the_play_area_for_one_action():
    hand = ["copper", "holiday", "estate", "holiday"]
    game = stage({"hand": hand, "deck": DEEP}, {}, actions=5)
    game.play_action("holiday")
    assert game.hand(1) == ["copper", "estate", "holiday"]
    assert game.play_area(1) == ["holiday"]
    assert (game.actions, game.buys, game.coins) == (6, 2, 2)
    game.play_action("holiday")
    assert game.play_area(1) == ["holiday", "holiday"]
    assert (game.actions, game.buys, game.coins) == (7, 3, 4)


@pytest.mark.rule("CL-T2")
@pytest.mark.parametrize("kind", ACTIONS)
def test_without_an_action_left_nothing_is_played(kind):
    game = stage({"hand": [kind, "copper"], "deck": DEEP}, {}, actions=0)
    assert set(game.options()) == {STOP}
    refuse(game, "play_action", kind)  # its own further actions do not pay for it


@pytest.mark.rule("CL-T2")
def test_several_actions_are_chained():
    hand = ["homestead", "forge", "trade_fair", "levy"]
    deck = ["reading_room", "copper", "silver", "estate", "duchy", "gold", "curse", *DEEP]
    game = stage({"hand": hand, "deck": deck}, {"hand": ["copper"] * 3})
    left = []
    for kind in ["homestead", "trade_fair", "reading_room", "levy", "forge"]:
        game.play_action(kind)
        left.append((game.actions, game.buys, game.coins, len(game.hand(1))))
    assert left == [(2, 1, 0, 4), (2, 2, 1, 4), (2, 2, 1, 5), (1, 2, 3, 4), (0, 2, 3, 6)]
    assert game.play_area(1) == ["homestead", "trade_fair", "reading_room", "levy", "forge"]
    assert game.hand(1) == ["copper", "silver", "estate", "duchy", "gold", "curse"]
    assert set(game.options()) == {STOP}


@pytest.mark.rule("CL-T2")
def test_a_second_card_needs_a_second_action():
    game = stage({"hand": ["forge", "forge"], "deck": DEEP}, {})
    game.play_action("forge")
    assert game.actions == 0
    refuse(game, "play_action", "forge")


@pytest.mark.rule("CL-T2")
@pytest.mark.parametrize("kind", [*TREASURES, *VICTORIES, *CURSES])
def test_only_action_cards_are_played(kind):
    game = stage({"hand": [kind, "forge"], "deck": DEEP}, {}, actions=2)
    assert list(game.options()) == ["forge", STOP]
    refuse(game, "play_action", kind)


@pytest.mark.rule("CL-T2")
def test_only_cards_in_hand_of_the_seat_on_turn_are_played():
    seat = {"hand": ["copper"], "deck": ["forge"], "discard": ["levy"], "play": ["holiday"]}
    game = stage(seat, {"hand": ["furnace"]}, actions=3)
    for kind in ("forge", "levy", "holiday", "furnace"):
        refuse(game, "play_action", kind)
    assert set(game.options()) == {STOP}


@pytest.mark.rule("CL-T2")
def test_the_options_are_the_action_kinds_in_hand_once_each():
    hand = ["pantry", "copper", "forge", "pantry", "crone", "estate"]
    game = stage({"hand": hand}, {})
    assert list(game.options()) == ["crone", "forge", "pantry", STOP]


@pytest.mark.rule("CL-T2")
def test_a_played_card_lies_in_the_play_area_when_its_effects_happen():
    # It is not among the cards that are shuffled, and cannot be trashed by itself.
    game = stage({"hand": ["forge"], "discard": ["copper"]}, {})
    game.play_action("forge")
    assert (game.hand(1), game.play_area(1)) == (["copper"], ["forge"])
    policy = Asked(trash=["copper"])
    game = stage({"hand": ["furnace", "copper", "estate"]}, {}, lineup=[policy, Asked()])
    game.play_action("furnace")
    assert policy.options("trash")[0] == ["copper", "estate", STOP]
    assert game.play_area(1) == ["furnace"]


@pytest.mark.rule("CL-T2")
@pytest.mark.parametrize(
    ("order", "offered"),
    [
        (("draw 1", "trash_up_to 4"), ["copper", "duchy", STOP]),
        (("trash_up_to 4", "draw 1"), ["copper", STOP]),
    ],
)
def test_effects_happen_in_their_order(order, offered):
    policy = Asked()
    game = stage(
        {"hand": ["forge", "copper"], "deck": ["duchy"]},
        {},
        overrides=(effects("forge", *order),),
        lineup=[policy, Asked()],
    )
    game.play_action("forge")
    assert policy.options("trash") == [offered]
    assert game.hand(1) == ["copper", "duchy"]


@pytest.mark.rule("CL-T2")
def test_the_seat_may_go_on_at_any_time():
    game = stage({"hand": ["homestead", "forge"], "deck": DEEP}, {})
    assert STOP in game.options()
    game.play_action("homestead")
    assert STOP in game.options()
    game.enter_buy()
    assert game.phase == "buy"
    assert "forge" in game.hand(1)


@pytest.mark.rule("CL-T2")
def test_a_turn_that_is_played_by_choices_plays_actions_first():
    choices = ["homestead", "forge", "silver"]
    game = stage(
        {"hand": ["homestead", "forge", "silver"], "deck": ["copper"] * 9}, {}, choices=choices
    )
    game.play_turn()
    assert Counter(game.discard(1)) == Counter(
        {"homestead": 1, "forge": 1, "silver": 2, "copper": 4}
    )
    assert not game.choices


# CL-T3: laying down treasures


@pytest.mark.rule("CL-T3")
def test_every_treasure_in_hand_is_laid_down():
    hand = ["copper", "estate", "silver", "forge", "gold", "copper", "curse"]
    game = stage({"hand": hand, "play": ["levy"]}, {}, coins=2)
    game.enter_buy()
    assert game.hand(1) == ["estate", "forge", "curse"]
    assert game.play_area(1)[0] == "levy"
    assert Counter(game.play_area(1)) == Counter(["levy", "copper", "copper", "silver", "gold"])
    assert game.coins == 2 + 1 + 2 + 3 + 1
    assert game.discard(1) == game.deck(1) == []


@pytest.mark.rule("CL-T3")
@pytest.mark.parametrize(("kind", "coins"), [("copper", 1), ("silver", 2), ("gold", 3)])
@pytest.mark.parametrize("cards", [1, 4])
def test_coins_of_treasures(kind, coins, cards):
    game = stage({"hand": [kind] * cards}, {})
    game.enter_buy()
    assert game.coins == coins * cards


@pytest.mark.rule("CL-T3")
def test_treasures_elsewhere_give_nothing():
    seat = {"hand": ["estate"], "deck": ["gold"], "discard": ["silver"], "play": ["copper"]}
    game = stage(seat, {"hand": ["gold"]})
    game.enter_buy()
    assert game.coins == 0
    assert game.play_area(1) == ["copper"]
    assert game.hand(2) == ["gold"]


@pytest.mark.rule("CL-T3")
def test_drawn_treasures_count():
    game = stage({"hand": ["forge", "copper"], "deck": ["gold", "silver", "estate"]}, {})
    game.play_action("forge")
    assert game.coins == 0
    game.enter_buy()
    assert game.coins == 6


@pytest.mark.rule("CL-T3")
def test_there_is_no_way_back():
    game = stage({"hand": ["forge", "copper"], "deck": DEEP}, {}, actions=3)
    game.enter_buy()
    refuse(game, "play_action", "forge")
    refuse(game, "enter_buy")


# CL-T4: the buy phase


@pytest.mark.rule("CL-T4")
@pytest.mark.parametrize("kind", KINDS)
def test_a_bought_card_goes_from_its_pile_to_the_discard_pile(kind):
    game = stage({"discard": ["gold"], "deck": DEEP}, {}, phase="buy", coins=9, buys=2)
    piles = dict(game.piles)
    game.buy(kind)
    assert game.discard(1) == ["gold", kind]
    assert dict(game.piles) == {**piles, kind: piles[kind] - 1}
    assert (game.coins, game.buys, game.phase) == (9 - COST[kind], 1, "buy")
    assert game.hand(1) == game.play_area(1) == []


@pytest.mark.rule("CL-T4")
@pytest.mark.parametrize("coins", range(10))
def test_what_the_coins_pay_for_is_on_offer(coins):
    game = stage({}, {}, phase="buy", coins=coins)
    assert list(game.options()) == [*affordable(coins), STOP]
    for kind in KINDS:
        if COST[kind] > coins:
            refuse(game, "buy", kind)


@pytest.mark.rule("CL-T4")
def test_without_a_buy_left_nothing_is_bought():
    game = stage({}, {}, phase="buy", coins=9, buys=2)
    game.buy("silver")
    game.buy("copper")
    assert (game.coins, game.buys) == (6, 0)
    assert set(game.options()) == {STOP}
    refuse(game, "buy", "copper")


@pytest.mark.rule("CL-T4")
def test_each_buy_is_paid_from_the_coins_left():
    game = stage({}, {}, phase="buy", coins=8, buys=3)
    game.buy("duchy")
    assert "forge" not in game.options()
    refuse(game, "buy", "forge")
    game.buy("silver")
    game.buy("copper")
    assert game.coins == 0
    assert game.discard(1) == ["duchy", "silver", "copper"]


@pytest.mark.rule("CL-T4")
def test_an_empty_pile_offers_nothing():
    game = stage({}, {}, phase="buy", coins=6, buys=2, piles={"levy": 0, "gold": 1})
    assert "levy" not in game.options()
    refuse(game, "buy", "levy")
    game.buy("gold")
    assert game.piles["gold"] == 0
    assert "gold" not in game.options()
    refuse(game, "buy", "gold")


@pytest.mark.rule("CL-T4")
def test_what_is_bought_is_not_used_in_the_same_turn():
    game = stage({"hand": ["copper"] * 3, "deck": DEEP}, {}, actions=2, buys=4)
    game.enter_buy()
    game.buy("silver")
    game.buy("copper")
    assert game.coins == 0
    refuse(game, "play_action", "silver")
    assert "silver" not in game.hand(1)
    refuse(game, "buy", "estate")


@pytest.mark.rule("CL-T4")
def test_the_seat_may_stop_at_any_time():
    game = stage({"deck": DEEP}, {}, phase="buy", coins=9, buys=3)
    assert STOP in game.options()
    game.buy("copper")
    assert STOP in game.options()
    game.end_turn()
    assert (game.seat, own_cards(game, 1)["copper"]) == (2, len(DEEP) + 1)


@pytest.mark.rule("CL-T4")
def test_buying_is_for_the_buy_phase_and_goes_on_by_choices():
    game = stage({"deck": DEEP}, {}, coins=9, buys=2)
    refuse(game, "buy", "copper")
    game = stage({"deck": DEEP}, {}, phase="buy", coins=9, buys=2, choices=["gold", "silver", STOP])
    game.play_turn()
    assert game.discard(1) == ["gold", "silver"]
    assert list(game.choices) == [STOP]  # no buy is left, so nothing is asked
