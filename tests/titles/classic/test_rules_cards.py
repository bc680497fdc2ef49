"""CL-K: what all cards cost and are worth, what is received and trashed, and effects as data."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.titles.classic.staging import (
    ACTIONS,
    COINS,
    COST,
    CURSES,
    DEEP,
    KINDS,
    POINTS,
    STOP,
    TREASURES,
    VICTORIES,
    Asked,
    affordable,
    all_cards,
    asked,
    effects,
    own_cards,
    refuse,
    stage,
)

# CL-K1: costs, coins, points


@pytest.mark.rule("CL-K1")
@pytest.mark.parametrize("kind", KINDS)
def test_costs(kind):
    game = stage({}, {}, phase="buy", coins=COST[kind])
    game.buy(kind)
    assert game.coins == 0
    if COST[kind]:
        refuse(stage({}, {}, phase="buy", coins=COST[kind] - 1), "buy", kind)


@pytest.mark.rule("CL-K1")
@pytest.mark.parametrize("kind", KINDS)
def test_coins_and_points(kind):
    game = stage({"hand": [kind, kind]}, {})
    assert game.points(1) == 2 * POINTS.get(kind, 0)
    game.enter_buy()
    assert game.coins == 2 * COINS.get(kind, 0)


@pytest.mark.rule("CL-K1")
@pytest.mark.parametrize(
    ("override", "coins", "price", "points"),
    [
        ("cards.gold.cost=5", 3, 5, 6),
        ("cards.gold.coins=7", 7, 6, 6),
        ("cards.province.points=2", 3, 6, 2),
    ],
)
def test_costs_coins_and_points_are_data(override, coins, price, points):
    game = stage({"hand": ["gold", "province"]}, {}, coins=9, overrides=(override,))
    assert game.points(1) == points
    game.enter_buy()
    assert game.coins == 9 + coins
    game.buy("gold")
    assert game.coins == 9 + coins - price


# CL-K2: victory cards and curses


@pytest.mark.rule("CL-K2")
@pytest.mark.parametrize("kind", [*VICTORIES, *CURSES])
def test_victory_cards_and_curses_do_nothing_in_hand(kind):
    game = stage({"hand": [kind, "copper"], "deck": DEEP}, {}, actions=2)
    assert set(game.options()) == {STOP}
    refuse(game, "play_action", kind)
    game.enter_buy()
    assert game.hand(1) == [kind]
    assert (game.actions, game.buys, game.coins) == (2, 1, 1)


@pytest.mark.rule("CL-K2")
def test_curses_are_bought_and_received_like_any_other_card():
    game = stage({"hand": ["joinery"]}, {}, choices=["curse"])
    game.play_action("joinery")
    game.enter_buy()
    assert "curse" in game.options()
    game.buy("curse")
    assert game.discard(1) == ["curse", "curse"]
    assert game.piles["curse"] == 8
    assert game.points(1) == -2


# CL-K3: receiving


@pytest.mark.rule("CL-K3")
def test_a_received_card_goes_from_its_pile_to_the_discard_pile_for_nothing():
    game = stage({"hand": ["joinery"], "discard": ["gold"]}, {}, coins=1, choices=["silver"])
    game.play_action("joinery")
    assert game.discard(1) == ["gold", "silver"]
    assert (game.hand(1), game.deck(1), game.play_area(1)) == ([], [], ["joinery"])
    assert game.piles["silver"] == 39
    assert (game.buys, game.coins) == (1, 1)


@pytest.mark.rule("CL-K3")
@pytest.mark.parametrize("n", range(7))
def test_what_may_be_received_goes_by_cost_and_must_be_taken(n):
    lineup = asked(2)
    override = effects("joinery", f"receive {n}")
    game = stage({"hand": ["joinery"]}, {}, overrides=(override,), lineup=lineup, coins=0)
    game.play_action("joinery")
    assert lineup[0].options("receive") == [affordable(n)]  # never `stop`
    assert game.discard(1) == affordable(n)[-1:]


@pytest.mark.rule("CL-K3")
def test_the_cost_in_the_data_counts():
    lineup = asked(2)
    overrides = ("cards.gold.cost=4", "cards.silver.cost=5")
    game = stage({"hand": ["joinery"]}, {}, overrides=overrides, lineup=lineup)
    game.play_action("joinery")
    options = lineup[0].options("receive")[0]
    assert "gold" in options
    assert "silver" not in options


@pytest.mark.rule("CL-K3")
def test_empty_piles_are_not_received_from():
    lineup = asked(2)
    piles = {"copper": 0, "estate": 0, "rampart": 0, "rework": 0}
    game = stage({"hand": ["joinery"]}, {}, piles=piles, lineup=lineup)
    game.play_action("joinery")
    assert lineup[0].options("receive") == [affordable(4, but=piles)]


@pytest.mark.rule("CL-K3")
def test_the_only_card_that_may_be_received_is_taken_unasked():
    piles = dict.fromkeys(affordable(4, but=["estate"]), 0)
    lineup = asked(2)
    game = stage({"hand": ["joinery"]}, {}, piles=piles, lineup=lineup)
    game.play_action("joinery")
    assert lineup[0].options("receive") == []
    assert game.discard(1) == ["estate"]
    assert game.piles["estate"] == 7


@pytest.mark.rule("CL-K3")
def test_with_nothing_that_may_be_received_nothing_happens():
    game = stage({"hand": ["joinery", "gold"]}, {}, piles=dict.fromkeys(affordable(4), 0))
    before = dict(game.piles)
    game.play_action("joinery")
    assert game.discard(1) == []
    assert dict(game.piles) == before
    assert (game.play_area(1), game.phase, game.over) == (["joinery"], "action", False)


@pytest.mark.rule("CL-K3")
def test_a_received_last_card_leaves_its_pile_empty():
    game = stage({"hand": ["joinery"] * 2}, {}, actions=2, piles={"levy": 1}, choices=["levy"])
    game.play_action("joinery")
    assert game.piles["levy"] == 0
    lineup_options = game.options()
    assert list(lineup_options) == ["joinery", STOP]
    game.choices.append("curse")
    game.play_action("joinery")
    assert game.discard(1) == ["levy", "curse"]


# CL-K4: trashing


@pytest.mark.rule("CL-K4")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "furnace"])
def test_a_trashed_card_is_gone_and_its_pile_does_not_get_it_back(kind):
    game = stage(
        {"hand": ["furnace", kind, "furnace"], "discard": ["gold"]},
        {},
        choices=[kind, STOP],
        trash=["estate"],
    )
    before, piles = all_cards(game), dict(game.piles)
    game.play_action("furnace")
    assert game.trash == ["estate", kind]
    assert dict(game.piles) == piles
    assert game.hand(1) == ["furnace"]
    assert game.points(1) == 0
    assert all_cards(game) == before
    game.end_turn()
    assert own_cards(game, 1) == Counter(["furnace", "furnace", "gold"])
    assert game.trash == ["estate", kind]


@pytest.mark.rule("CL-K4")
def test_a_trashed_card_is_not_on_offer_again():
    game = stage({"hand": ["furnace", "levy"]}, {}, piles={"levy": 0}, choices=["levy"], coins=4)
    game.play_action("furnace")
    game.enter_buy()
    assert "levy" not in game.options()
    assert game.piles["levy"] == 0


# CL-K5: effects are data


@pytest.mark.rule("CL-K5")
@pytest.mark.parametrize("kind", ACTIONS)
def test_any_action_kind_can_be_given_any_effects(kind):
    override = effects(kind, "coins 4", "draw 1", "buys 3", "actions 2")
    game = stage({"hand": [kind], "deck": ["gold", "estate"]}, {}, overrides=(override,))
    game.play_action(kind)
    assert (game.actions, game.buys, game.coins) == (2, 4, 4)
    assert game.hand(1) == ["gold"]


@pytest.mark.rule("CL-K5")
def test_a_multiplier_is_looked_up_when_its_effect_comes():
    hand = ["pantry", "copper", "estate", "duchy"]
    for texts, drawn in [
        (("discard_up_to 2", "draw 1 per just_discarded"), 2),
        (("draw 1 per just_discarded", "discard_up_to 2"), 0),
        (("discard_up_to 2", "draw 2 per just_discarded"), 4),
    ]:
        game = stage(
            {"hand": hand, "deck": DEEP},
            {},
            overrides=(effects("pantry", *texts),),
            choices=["estate", "duchy"],
        )
        game.play_action("pantry")
        assert game.hand(1) == ["copper"] * (1 + drawn)
        assert game.discard(1) == ["estate", "duchy"]


@pytest.mark.rule("CL-K5")
@pytest.mark.parametrize(
    ("texts", "coins"),
    [
        (("coins 1 if coins >= 6",), 5),
        (("coins 1 if coins >= 5",), 6),
        (("coins 1", "coins 1 if coins >= 6"), 7),
        (("coins 1 if coins >= 6", "coins 1"), 6),
        (("coins 3 if hand == 3", "draw 2"), 5),
        (("draw 2", "coins 3 if hand == 3"), 8),
        (("coins 3 if actions == 1",), 8),  # the card's own action is taken off before
        (("coins 1 per coins",), 10),
        (("coins 1 per hand", "draw 1"), 6),
        (("draw 1", "coins 1 per hand"), 7),
        (("coins 2 per hand_has.estate if buys == 1 and hand == 1",), 7),
        (("coins 2 per hand_has.estate if buys == 1 and hand == 2",), 5),
        (("buys 1", "coins 2 per hand_has.estate if buys == 1 and hand == 1"), 5),
        (("coins 1 per owned.forge",), 6),  # the played card is an own card
        (("coins 1 per hand_has.forge",), 5),  # but no longer in hand
    ],
)
def test_conditions_and_multipliers_are_looked_up_when_their_effect_comes(texts, coins):
    game = stage(
        {"hand": ["forge", "estate"], "deck": DEEP},
        {},
        overrides=(effects("forge", *texts),),
        actions=2,
        coins=5,
    )
    game.play_action("forge")
    assert game.coins == coins


@pytest.mark.rule("CL-K5")
@pytest.mark.rule("CL-T7")
@pytest.mark.parametrize("what", ["actions", "buys", "coins"])
@pytest.mark.parametrize("multiplier", ["points", "lead"])
def test_an_amount_below_nothing_counts_as_nothing(what, multiplier):
    override = effects("forge", f"{what} 5 per {multiplier}")
    seat = {"hand": ["forge", "curse", "curse"], "deck": DEEP}
    game = stage(seat, {}, overrides=(override,), actions=4, buys=3, coins=3)
    game.play_action("forge")
    assert (game.actions, game.buys, game.coins) == (3, 3, 3)


@pytest.mark.rule("CL-K5")
@pytest.mark.parametrize("text", ["draw 3", "trash_up_to 4", "discard_up_to 4", "receive 4"])
def test_so_does_the_amount_of_what_is_done_with_cards(text):
    lineup = asked(2)
    override = effects("forge", f"{text} per points")
    seat = {"hand": ["forge", "curse", "estate", "curse"], "deck": DEEP}
    game = stage(seat, {}, overrides=(override,), lineup=lineup)
    game.play_action("forge")
    assert (game.hand(1), game.deck(1), game.trash) == (["curse", "estate", "curse"], DEEP, [])
    expected = [["copper", "curse"]] if text == "receive 4" else []  # what costs up to 0
    assert lineup[0].options("receive") == expected
    assert len(lineup[0].log) == len(expected)


@pytest.mark.rule("CL-K5")
@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("text", ["discard_up_to", "trash_up_to"])
def test_up_to_is_no_more_than_that(text, n):
    hand = ["estate"] * 4
    override = effects("forge", f"{text} {n}")
    game = stage(
        {"hand": ["forge", *hand]}, {}, overrides=(override,), choices=["estate"] * min(n, 4) * 2
    )
    game.play_action("forge")
    assert len(game.hand(1)) == 4 - min(n, 4)
    assert game.discard(1) + game.trash == ["estate"] * min(n, 4)


@pytest.mark.rule("CL-K5")
def test_cards_that_others_discard_do_not_count_as_discarded_by_the_seat():
    override = effects("levy", "others_discard_to 1", "coins 1 per just_discarded")
    game = stage({"hand": ["levy"]}, {"hand": ["copper"] * 5}, overrides=(override,))
    game.play_action("levy")
    assert (len(game.hand(2)), game.coins) == (1, 0)


@pytest.mark.rule("CL-K5")
def test_a_multiplier_begins_anew_with_each_card():
    texts = ("draw 1 per just_discarded", "discard_up_to 1")
    game = stage(
        {"hand": ["pantry", "pantry", "estate", "duchy"], "deck": DEEP},
        {},
        overrides=(effects("pantry", *texts),),
        actions=2,
        choices=["estate", "duchy"],
    )
    game.play_action("pantry")
    game.play_action("pantry")
    assert game.discard(1) == ["estate", "duchy"]
    assert game.deck(1) == DEEP


@pytest.mark.rule("CL-K5")
def test_the_same_card_plays_its_effects_each_time():
    policy = Asked(trash=["estate", "curse"])
    override = effects("forge", "trash_up_to 1", "coins 1")
    game = stage(
        {"hand": ["forge", "forge", "estate", "curse", "gold"]},
        {},
        overrides=(override,),
        actions=2,
        lineup=[policy, Asked()],
    )
    game.play_action("forge")
    game.play_action("forge")
    assert (game.coins, game.trash, game.hand(1)) == (2, ["estate", "curse"], ["gold"])
    assert len(policy.options("trash")) == 2


@pytest.mark.rule("CL-K5")
def test_other_sorts_give_coins_and_points_by_data_too():
    overrides = ("cards.duchy.points=9", "cards.curse.points=-4", "cards.copper.coins=5")
    game = stage({"hand": ["duchy", "curse", "copper"]}, {}, overrides=overrides)
    assert game.points(1) == 5
    game.enter_buy()
    assert game.coins == 5
    assert set(TREASURES) & set(game.play_area(1)) == {"copper"}
