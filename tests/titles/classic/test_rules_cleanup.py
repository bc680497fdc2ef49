"""CL-T5 to CL-T7: the clean-up, draws, shuffles, and what never falls below nothing."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest

from tests.budget import assert_counts
from tests.titles.classic.staging import (
    ACTIONS,
    DECISIONS,
    DEEP,
    STOP,
    all_cards,
    new_game,
    own_cards,
    stage,
)

TOP = ["gold", "estate", "silver", "curse", "duchy", "copper", "pantry"]


# CL-T5: clean-up


@pytest.mark.rule("CL-T5")
def test_the_play_area_and_then_the_hand_are_discarded_and_five_cards_drawn():
    seat = {
        "hand": ["estate", "curse"],
        "play": ["forge", "gold", "levy"],
        "discard": ["duchy"],
        "deck": ["silver", "copper", "pantry", "crone", "estate", "holiday"],
    }
    game = stage(seat, {}, phase="buy", coins=3, buys=2)
    game.buy("joinery")
    game.end_turn()
    assert game.discard(1) == ["duchy", "joinery", "forge", "gold", "levy", "estate", "curse"]
    assert game.play_area(1) == []
    assert game.hand(1) == ["silver", "copper", "pantry", "crone", "estate"]
    assert game.deck(1) == ["holiday"]


@pytest.mark.rule("CL-T3")
@pytest.mark.rule("CL-T5")
def test_a_turn_without_a_buy_lays_treasures_down_too():
    game = stage({"hand": ["estate", "gold", "forge"], "deck": DEEP}, {})
    game.end_turn()
    assert game.discard(1) == ["gold", "estate", "forge"]


@pytest.mark.rule("CL-T5")
def test_unplayed_actions_are_discarded_too():
    game = stage({"hand": ["forge", "copper", "homestead"], "deck": DEEP}, {})
    game.end_turn()
    assert Counter(game.discard(1)) == Counter(["forge", "copper", "homestead"])
    assert len(game.hand(1)) == 5


@pytest.mark.rule("CL-T5")
@pytest.mark.parametrize("hand", [4, 6])
def test_the_new_hand_is_data(hand):
    game = stage({"hand": ["estate"] * 5, "deck": DEEP}, {}, overrides=(f"turn.hand={hand}",))
    game.end_turn()
    assert game.hand(1) == ["copper"] * hand


@pytest.mark.rule("CL-T5")
def test_nothing_is_carried_over_to_the_next_own_turn():
    seats = [{"hand": ["gold", "holiday"], "deck": DEEP}, {"deck": DEEP}]
    game = stage(*seats, coins=4, buys=3, actions=3)
    game.play_action("holiday")
    game.enter_buy()
    assert game.coins == 9
    game.end_turn()
    game.end_turn()
    assert (game.seat, game.round) == (1, 2)
    assert (game.actions, game.buys, game.coins) == (1, 1, 0)


@pytest.mark.rule("CL-T5")
def test_the_clean_up_touches_the_seat_on_turn_alone():
    other = {"hand": ["gold", "estate"], "discard": ["duchy"], "deck": ["silver"]}
    game = stage(other, {"hand": ["copper"], "deck": DEEP}, other, seat=2)
    game.end_turn()
    for seat in (1, 3):
        assert game.hand(seat) == other["hand"]
        assert game.discard(seat) == other["discard"]
        assert game.deck(seat) == other["deck"]


@pytest.mark.rule("CL-T5")
@pytest.mark.parametrize(
    ("players", "seat", "following"),
    [
        (1, 1, (8, 1)),
        (2, 1, (7, 2)),
        (2, 2, (8, 1)),
        (3, 2, (7, 3)),
        (3, 3, (8, 1)),
        (4, 4, (8, 1)),
    ],
)
def test_the_next_seat_is_on_turn_and_after_the_last_the_next_round_begins(
    players, seat, following
):
    game = stage(*[{"deck": DEEP}] * players, seat=seat, round=7)
    game.end_turn()
    assert (game.round, game.seat) == following


# CL-T6: draws and shuffles


@pytest.mark.rule("CL-T6")
def test_cards_are_drawn_from_the_top_one_at_a_time():
    game = stage({"hand": ["levy", "forge"], "deck": TOP, "discard": ["province"]}, {})
    game.play_action("forge")
    assert game.hand(1) == ["levy", *TOP[:3]]
    assert game.deck(1) == TOP[3:]
    assert game.discard(1) == ["province"]


@pytest.mark.rule("CL-T6")
def test_a_deck_that_is_just_enough_is_not_shuffled_before_the_next_card():
    game = stage({"hand": ["forge"], "deck": TOP[:3], "discard": ["province"] * 9}, {}, actions=1)
    game.play_action("forge")
    assert game.hand(1) == TOP[:3]
    assert (game.deck(1), len(game.discard(1))) == ([], 9)
    assert game.counter(1, "shuffles") == 0
    game.end_turn()
    assert game.counter(1, "shuffles") == 1
    assert game.discard(1) == []


@pytest.mark.rule("CL-T6")
def test_with_the_deck_empty_the_discard_pile_becomes_the_deck():
    below = ["province", "duchy", "curse", "estate", "levy"]
    game = stage({"hand": ["forge"], "deck": ["gold"], "discard": below}, {})
    game.play_action("forge")
    assert game.hand(1)[0] == "gold"
    assert len(game.hand(1)) == 3
    assert len(game.deck(1)) == 3
    assert Counter(game.hand(1)[1:] + game.deck(1)) == Counter(below)
    assert game.discard(1) == []
    assert game.counter(1, "shuffles") == 1


@pytest.mark.rule("CL-T6")
@pytest.mark.parametrize(("deck", "discard"), [([], []), (["gold"], []), (["gold"], ["silver"])])
def test_with_both_empty_the_rest_of_the_draw_is_lost(deck, discard):
    game = stage({"hand": ["forge"], "deck": deck, "discard": discard}, {})
    game.play_action("forge")
    assert game.hand(1) == deck + discard
    assert game.deck(1) == game.discard(1) == []
    game.end_turn()
    # What lay in the play area and in hand is drawn again, and there is no more than that.
    assert Counter(game.hand(1)) == Counter(["forge", *deck, *discard])


@pytest.mark.rule("CL-T6")
def test_the_clean_up_discards_before_it_draws():
    seat = {"hand": ["estate", "duchy"], "play": ["forge"], "deck": ["gold", "silver"]}
    game = stage(seat, {})
    game.end_turn()
    assert game.hand(1)[:2] == ["gold", "silver"]
    assert Counter(game.hand(1)[2:]) == Counter(["estate", "duchy", "forge"])


@pytest.mark.rule("CL-T6")
def test_a_seat_without_cards_draws_nothing():
    game = stage({}, {"deck": DEEP})
    game.end_turn()
    assert game.hand(1) == []
    assert game.seat == 2


@pytest.mark.rule("CL-T6")
def test_what_is_bought_is_shuffled_in_at_the_clean_up():
    game = stage({"hand": ["copper"] * 3}, {})
    game.enter_buy()
    game.buy("silver")
    game.end_turn()
    assert Counter(game.hand(1)) == Counter(copper=3, silver=1)


@pytest.mark.rule("CL-T6")
def test_every_order_of_the_discard_pile_is_as_likely(stat_seed):
    below = ["gold", "duchy", "curse", "levy"]
    orders = Counter()
    for deal in range(2500):
        seat = {"hand": ["forge", "estate"], "discard": below}
        game = stage(seat, {}, seed=stat_seed, deal=deal)
        game.play_action("forge")
        orders[tuple(game.hand(1)[1:])] += 1
    assert_counts([orders[order] for order in permutations(below, 3)])


@pytest.mark.rule("CL-T6")
def test_seats_and_later_shuffles_are_shuffled_each_for_itself(stat_seed):
    below = ["gold", "duchy", "curse"]
    first, second = Counter(), Counter()
    for deal in range(1200):
        seat = {"hand": ["forge"], "discard": below}
        game = stage(seat, seat, seed=stat_seed, deal=deal)
        game.play_action("forge")
        mine = game.hand(1)[0]
        game.end_turn()
        again = next(kind for kind in game.hand(1) if kind != "forge")
        game.play_action("forge")
        first[mine, game.hand(2)[0]] += 1
        second[mine, again] += 1
    assert_counts([first[a, b] for a in below for b in below])
    assert_counts([second[a, b] for a in below for b in below])


# CL-T7: nothing below 0


class Anything:
    """A line-up entry that takes any option, and buys little, so that games are long."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def __getattr__(self, name):
        if name in DECISIONS:
            return lambda view, options: self.random.choice(list(options))
        raise AttributeError(name)


@pytest.mark.rule("CL-T7")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_no_resource_is_ever_below_nothing_in_whole_games(players):
    lineup = [Anything(seat) for seat in range(players)]
    game = new_game(players, lineup=lineup, overrides=("limits.round_cap=40",))
    before = all_cards(game)
    while not game.over:
        game.play_turn()
        assert all_cards(game) == before
        assert min(game.piles.values()) >= 0
    lowest = {}
    for event in game.events:
        if event["event"] == "change":
            lowest[event["what"]] = min(event["now"], lowest.get(event["what"], 0))
    assert {"actions", "buys", "coins"} <= set(lowest)
    assert min(lowest.values()) == 0


@pytest.mark.rule("CL-T7")
def test_the_last_action_buy_and_coin_leave_nothing():
    seat = {"hand": ["forge", "copper", "copper"], "deck": ["estate"] * 9}
    game = stage(seat, {}, choices=["forge", "estate"])
    game.play_action("forge")
    assert game.actions == 0
    game.enter_buy()
    game.buy("estate")
    assert (game.actions, game.buys, game.coins) == (0, 0, 0)
    assert set(game.options()) == {STOP}
    assert sum(own_cards(game, 1)[kind] for kind in ACTIONS) == 1
