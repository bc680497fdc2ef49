"""CL-C: the twelve action kinds, each by what it does to the seat that plays it."""

from __future__ import annotations

from collections import Counter

import pytest

from sim.errors import InputError
from tests.titles.classic.staging import (
    COST,
    DEEP,
    STOP,
    Asked,
    affordable,
    asked,
    own_cards,
    refuse,
    stage,
)

TOP = ["gold", "estate", "silver", "curse", "duchy", "province"]

#: What a kind gives at once: (cards, actions, buys, coins), the action that it takes not counted.
PLAIN = [
    pytest.param("forge", 3, 0, 0, 0, marks=pytest.mark.rule("CL-C1")),
    pytest.param("crone", 2, 0, 0, 0, marks=pytest.mark.rule("CL-C2")),
    pytest.param("homestead", 1, 2, 0, 0, marks=pytest.mark.rule("CL-C4")),
    pytest.param("trade_fair", 1, 1, 1, 1, marks=pytest.mark.rule("CL-C5")),
    pytest.param("levy", 0, 0, 0, 2, marks=pytest.mark.rule("CL-C6")),
    pytest.param("rampart", 2, 0, 0, 0, marks=pytest.mark.rule("CL-C7")),
    pytest.param("reading_room", 2, 1, 0, 0, marks=pytest.mark.rule("CL-C10")),
    pytest.param("holiday", 0, 2, 1, 2, marks=pytest.mark.rule("CL-C11")),
]


@pytest.mark.parametrize(("kind", "cards", "actions", "buys", "coins"), PLAIN)
@pytest.mark.parametrize("players", [1, 3])
def test_what_a_kind_gives(kind, cards, actions, buys, coins, players):
    seat = {"hand": ["copper", kind], "deck": TOP, "discard": ["pantry"]}
    game = stage(seat, *[{}] * (players - 1), actions=3, buys=2, coins=5)
    game.play_action(kind)
    assert game.hand(1) == ["copper", *TOP[:cards]]
    assert game.deck(1) == TOP[cards:]
    assert (game.play_area(1), game.discard(1)) == ([kind], ["pantry"])
    assert (game.actions, game.buys, game.coins) == (2 + actions, 2 + buys, 5 + coins)
    assert (game.trash, game.phase) == ([], "action")


@pytest.mark.rule("CL-C5")
@pytest.mark.rule("CL-C11")
def test_buys_and_coins_of_actions_are_used_in_the_buy_phase():
    hand = ["holiday", "trade_fair", "silver"]
    game = stage({"hand": hand, "deck": ["gold", *["copper"] * 9]}, {})
    game.play_action("holiday")
    game.play_action("trade_fair")
    game.enter_buy()
    assert (game.buys, game.coins) == (3, 2 + 1 + 2 + 3)
    game.buy("silver")
    game.buy("silver")
    game.buy("estate")
    assert (game.buys, game.coins) == (0, 0)
    refuse(game, "buy", "copper")


# CL-C3: furnace


@pytest.mark.rule("CL-C3")
@pytest.mark.parametrize("cards", range(5))
def test_furnace_trashes_up_to_four_cards_of_choice(cards):
    hand = ["copper", "furnace", "estate", "curse", "copper", "gold"]
    wanted = ["curse", "copper", "estate", "copper"][:cards]
    policy = Asked(trash=[*wanted, STOP])
    game = stage({"hand": hand, "deck": DEEP}, {}, lineup=[policy, Asked()])
    game.play_action("furnace")
    assert game.trash == wanted
    assert Counter(game.hand(1)) == Counter(hand) - Counter(["furnace", *wanted])
    assert (game.discard(1), game.deck(1), game.play_area(1)) == ([], DEEP, ["furnace"])
    assert (game.actions, game.coins) == (0, 0)
    left = [
        ["copper", "gold", "estate", "curse", STOP],
        ["copper", "gold", "estate", STOP],
        ["copper", "gold", "estate", STOP],
        ["copper", "gold", STOP],
    ]
    assert policy.options("trash") == left[: cards + 1]


@pytest.mark.rule("CL-C3")
def test_furnace_ends_with_the_hand():
    policy = Asked(trash=["estate", "estate"])
    game = stage({"hand": ["furnace", "estate", "estate"]}, {}, lineup=[policy, Asked()])
    game.play_action("furnace")
    assert (game.hand(1), game.trash) == ([], ["estate", "estate"])
    assert policy.options("trash") == [["estate", STOP]] * 2


@pytest.mark.rule("CL-C3")
def test_furnace_with_an_empty_hand_does_nothing():
    policy = Asked()
    seat = {"hand": ["furnace"], "deck": ["gold"], "discard": ["estate"]}
    game = stage(seat, {}, lineup=[policy, Asked()])
    game.play_action("furnace")
    assert (game.trash, policy.log) == ([], [])
    assert (game.deck(1), game.discard(1)) == (["gold"], ["estate"])


# CL-C8: joinery


@pytest.mark.rule("CL-C8")
@pytest.mark.parametrize("kind", affordable(4))
def test_joinery_receives_any_card_that_costs_up_to_four(kind):
    game = stage({"hand": ["joinery", "gold"], "deck": DEEP}, {}, choices=[kind])
    piles = dict(game.piles)
    game.play_action("joinery")
    assert game.discard(1) == [kind]
    assert dict(game.piles) == {**piles, kind: piles[kind] - 1}
    assert (game.hand(1), game.deck(1), game.trash) == (["gold"], DEEP, [])
    assert (game.actions, game.buys, game.coins) == (0, 1, 0)


@pytest.mark.rule("CL-C8")
def test_joinery_offers_all_that_costs_up_to_four_and_no_way_out():
    lineup = asked(2)
    game = stage({"hand": ["joinery"]}, {}, coins=9, lineup=lineup)
    game.play_action("joinery")
    assert lineup[0].options("receive") == [affordable(4)]


# CL-C9: rework


@pytest.mark.rule("CL-C9")
@pytest.mark.parametrize("kind", [kind for kind in COST if kind != "rework"])
def test_rework_receives_a_card_that_costs_up_to_two_more(kind):
    policy = Asked(trash=[kind])
    seat = {"hand": ["rework", "rework", kind], "deck": DEEP}
    game = stage(seat, {}, coins=9, lineup=[policy, Asked()])
    game.play_action("rework")
    assert game.trash == [kind]
    assert game.hand(1) == ["rework"]
    assert [set(options) for options in policy.options("trash")] == [{"rework", kind}]  # no `stop`
    may = affordable(COST[kind] + 2)
    assert policy.options("receive") == [may]
    assert game.discard(1) == may[-1:]
    assert (game.coins, game.buys, game.deck(1)) == (9, 1, DEEP)


@pytest.mark.rule("CL-C9")
def test_rework_may_take_the_same_kind_or_a_cheaper_one():
    for wanted in ("gold", "copper", "duchy", "province"):
        game = stage({"hand": ["rework", "gold"]}, {}, choices=[wanted])
        game.play_action("rework")
        assert (game.trash, game.discard(1)) == (["gold"], [wanted])


@pytest.mark.rule("CL-C9")
def test_rework_must_trash_the_only_card_in_hand():
    game = stage({"hand": ["rework", "province"], "deck": DEEP}, {}, choices=["copper"])
    game.play_action("rework")
    assert (game.trash, game.hand(1), game.discard(1)) == (["province"], [], ["copper"])


@pytest.mark.rule("CL-C9")
def test_rework_with_an_empty_hand_does_nothing():
    lineup = asked(2)
    seat = {"hand": ["rework"], "deck": ["gold"], "discard": ["estate"]}
    game = stage(seat, {}, lineup=lineup)
    piles = dict(game.piles)
    game.play_action("rework")
    assert (game.trash, lineup[0].log) == ([], [])
    assert dict(game.piles) == piles
    assert (game.deck(1), game.discard(1), game.play_area(1)) == (["gold"], ["estate"], ["rework"])


@pytest.mark.rule("CL-C9")
def test_rework_trashes_even_when_nothing_can_be_received():
    game = stage({"hand": ["rework", "copper"]}, {}, piles=dict.fromkeys(affordable(2), 0))
    game.play_action("rework")
    assert (game.trash, game.hand(1), game.discard(1)) == (["copper"], [], [])
    assert game.piles["copper"] == 0  # a trashed card does not refill its pile


@pytest.mark.rule("CL-C9")
def test_rework_goes_by_the_cost_in_the_data():
    policy = Asked()
    override = "cards.estate.cost=3"
    game = stage(
        {"hand": ["rework", "estate"]}, {}, overrides=(override,), lineup=[policy, Asked()]
    )
    game.play_action("rework")
    assert policy.options("receive") == [affordable(5)]


# CL-C12: pantry


@pytest.mark.rule("CL-C12")
@pytest.mark.parametrize("cards", range(6))
def test_pantry_discards_any_number_and_draws_as_many(cards):
    hand = ["copper", "pantry", "estate", "curse", "copper", "gold"]
    wanted = ["curse", "copper", "gold", "copper", "estate"][:cards]
    policy = Asked(discard=[*wanted, STOP])
    game = stage({"hand": hand, "deck": ["levy"] * 9}, {}, lineup=[policy, Asked()])
    game.play_action("pantry")
    assert game.discard(1) == wanted
    kept = Counter(hand) - Counter(["pantry", *wanted])
    assert Counter(game.hand(1)) == kept + Counter(levy=cards)
    assert len(game.deck(1)) == 9 - cards
    assert (game.actions, game.buys, game.coins, game.trash) == (1, 1, 0, [])
    # After each discard, what is left in hand is offered; nothing is drawn before the end.
    left = [["copper", "gold", "estate", "curse", STOP], ["copper", "gold", "estate", STOP]]
    left += [["copper", "gold", "estate", STOP], ["copper", "estate", STOP], ["estate", STOP]]
    assert policy.options("discard") == left[: cards + 1]


@pytest.mark.rule("CL-C12")
def test_pantry_discards_more_than_a_common_hand():
    hand = ["estate"] * 12
    game = stage({"hand": ["pantry", *hand], "deck": DEEP}, {}, choices=["estate"] * 12)
    game.play_action("pantry")
    assert game.hand(1) == ["copper"] * 12
    assert game.discard(1) == hand


@pytest.mark.rule("CL-C12")
def test_pantry_discards_first_so_that_the_discards_may_be_drawn_again():
    game = stage(
        {"hand": ["pantry", "estate", "curse"], "deck": ["gold"]}, {}, choices=["estate", "curse"]
    )
    game.play_action("pantry")
    assert game.hand(1)[0] == "gold"
    assert len(game.hand(1)) == 2
    assert game.hand(1)[1] in ("estate", "curse")
    assert own_cards(game, 1) == Counter(["pantry", "estate", "curse", "gold"])
    assert game.counter(1, "shuffles") == 1


@pytest.mark.rule("CL-C12")
def test_pantry_counts_its_own_discards_alone():
    hand = ["pantry", "pantry", "estate", "curse", "duchy"]
    game = stage({"hand": hand, "deck": DEEP}, {}, choices=["estate", "curse", STOP, STOP])
    game.play_action("pantry")
    assert len(game.hand(1)) == 4
    game.play_action("pantry")
    assert len(game.hand(1)) == 3
    assert game.actions == 1


@pytest.mark.rule("CL-C12")
def test_pantry_with_an_empty_hand_gives_its_action():
    policy = Asked()
    game = stage({"hand": ["pantry"], "deck": ["gold"]}, {}, lineup=[policy, Asked()])
    game.play_action("pantry")
    assert (game.actions, game.hand(1), game.deck(1), policy.log) == (1, [], ["gold"], [])


# Entries that the rules do not allow


@pytest.mark.rule("CL-C3")
@pytest.mark.rule("CL-C8")
@pytest.mark.rule("CL-C9")
@pytest.mark.rule("CL-C12")
@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("furnace", "silver"),  # not in hand
        ("joinery", "duchy"),  # too expensive
        ("joinery", STOP),
        ("rework", STOP),
        ("rework", "silver"),
        ("pantry", "rework"),
    ],
)
def test_a_choice_that_is_not_legal_is_refused(kind, wrong):
    game = stage({"hand": [kind, "copper", "estate"], "deck": DEEP}, {}, choices=[wrong])
    with pytest.raises(InputError):
        game.play_action(kind)
