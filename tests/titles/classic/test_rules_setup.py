"""CL-S: seats, starting decks, piles and the kinds of the supply."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb

import pytest

from sim.errors import InputError
from tests.budget import assert_counts, assert_rate
from tests.titles.classic.staging import (
    ACTIONS,
    CURSES,
    DEEP,
    KINDS,
    TREASURES,
    VICTORIES,
    all_cards,
    new_game,
    own_cards,
    stage,
)

START = Counter(copper=7, estate=3)


@cache
def setups(seed, games, players, *overrides):
    """Set up many games; return their opening hands and action kinds."""
    found = []
    for deal in range(games):
        game = new_game(players, seed=seed, deal=deal, overrides=overrides)
        hands = tuple(tuple(game.hand(seat)) for seat in range(1, players + 1))
        found.append((hands, tuple(kind for kind in ACTIONS if kind in game.piles)))
    return found


# CL-S1: seats


@pytest.mark.rule("CL-S1")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_seats_move_in_order_and_seat_1_first_in_every_round(players):
    game = new_game(players)
    assert game.players == players
    moved = []
    for _ in range(3 * players):
        assert game.phase == "action"
        moved.append((game.round, game.seat))
        game.end_turn()
    assert moved == [(rnd, seat) for rnd in (1, 2, 3) for seat in range(1, players + 1)]


@pytest.mark.rule("CL-S1")
def test_turns_are_counted():
    game = new_game(3)
    seen = []
    for _ in range(5):
        seen.append((game.turn, *(game.turns(seat) for seat in (1, 2, 3))))
        game.end_turn()
    assert seen == [(1, 1, 0, 0), (2, 1, 1, 0), (3, 1, 1, 1), (4, 2, 1, 1), (5, 2, 2, 1)]


@pytest.mark.rule("CL-S1")
@pytest.mark.parametrize("players", [0, 5])
def test_other_numbers_of_seats_are_refused(players):
    with pytest.raises(InputError):
        new_game(players)
    with pytest.raises(InputError):
        stage(*[{}] * players)


# CL-S2: starting decks and opening hands


@pytest.mark.rule("CL-S2")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_seven_coppers_and_three_estates_five_of_them_in_hand(players):
    game = new_game(players)
    for seat in range(1, players + 1):
        assert own_cards(game, seat) == START
        assert len(game.hand(seat)) == len(game.deck(seat)) == 5
        assert game.discard(seat) == game.play_area(seat) == []
    assert game.trash == []


@pytest.mark.rule("CL-S2")
@pytest.mark.parametrize("hand", [4, 6])
def test_the_opening_hand_is_data(hand):
    game = new_game(2, overrides=(f"turn.hand={hand}",))
    for seat in (1, 2):
        assert (len(game.hand(seat)), len(game.deck(seat))) == (hand, 10 - hand)


@pytest.mark.rule("CL-S2")
def test_the_starting_deck_is_data():
    game = new_game(2, overrides=("start.deck.copper=6", "start.deck.estate=5"))
    assert own_cards(game, 1) == own_cards(game, 2) == Counter(copper=6, estate=5)


@pytest.mark.rule("CL-S2")
def test_the_second_hand_is_the_rest_of_the_deck():
    game = new_game(1)
    first = Counter(game.hand(1))
    game.end_turn()
    assert Counter(game.hand(1)) == START - first
    assert game.deck(1) == []
    assert game.counter(1, "shuffles") == 0


@pytest.mark.rule("CL-S2")
@pytest.mark.parametrize("seat", [1, 2])
def test_starting_decks_are_shuffled(stat_seed, seat):
    hands = [hands[seat - 1] for hands, _ in setups(stat_seed, 1500, 2)]
    coppers = Counter(hand.count("copper") for hand in hands)
    ways = [comb(7, k) * comb(3, 5 - k) / comb(10, 5) for k in (2, 3, 4, 5)]
    assert_counts([coppers[k] for k in (2, 3, 4, 5)], ways)
    first = sum(hand[0] == "estate" for hand in hands)
    assert_rate(first, len(hands), 0.3, within=0.08)
    last = sum(hand[4] == "estate" for hand in hands)
    assert_rate(last, len(hands), 0.3, within=0.08)


@pytest.mark.rule("CL-S2")
def test_starting_decks_are_shuffled_each_for_itself(stat_seed):
    pairs = Counter(
        tuple(hand.count("copper") >= 4 for hand in hands)
        for hands, _ in setups(stat_seed, 1500, 2)
    )
    assert_counts([pairs[a, b] for a in (False, True) for b in (False, True)])


# CL-S3: piles


@pytest.mark.rule("CL-S3")
@pytest.mark.parametrize(
    ("players", "copper", "victory", "curse"),
    [(1, 53, 8, 0), (2, 46, 8, 10), (3, 39, 12, 20), (4, 32, 12, 30)],
)
def test_piles_before_the_first_turn(players, copper, victory, curse):
    game = new_game(players)
    piles = dict(game.piles)
    actions = [piles.pop(kind) for kind in ACTIONS if kind in piles]
    assert actions == [10] * 10
    assert piles.pop("curse", 0) == curse  # with one seat there is no pile at all
    assert piles == {
        **{"copper": copper, "silver": 40, "gold": 30},
        **dict.fromkeys(VICTORIES, victory),
    }
    assert all_cards(game)["copper"] == 60
    assert all_cards(game)["estate"] == victory + 3 * players


@pytest.mark.rule("CL-S3")
@pytest.mark.parametrize(
    ("players", "override", "kinds", "left"),
    [
        (2, "piles.copper=50", ["copper"], 36),
        (2, "start.deck.copper=5", ["copper"], 50),
        (2, "piles.silver=7", ["silver"], 7),
        (3, "piles.gold=9", ["gold"], 9),
        (1, "piles.victory.1p=5", VICTORIES, 5),
        (2, "piles.victory.2p=5", VICTORIES, 5),
        (3, "piles.victory.3p=6", VICTORIES, 6),
        (4, "piles.victory.4p=7", VICTORIES, 7),
        (4, "piles.curses_per_rival=3", CURSES, 9),
        (2, "piles.action=4", ACTIONS, 4),
    ],
)
def test_piles_are_data(players, override, kinds, left):
    game = new_game(players, overrides=(override, "supply.kinds=12"))
    before = new_game(players, overrides=("supply.kinds=12",))
    assert dict(game.piles) == {**before.piles, **dict.fromkeys(kinds, left)}


@pytest.mark.rule("CL-S3")
def test_no_card_comes_or_goes_in_a_game():
    game = new_game(3)
    before = all_cards(game)
    game.enter_buy()
    game.buy("copper")
    game.end_turn()
    game.end_turn()
    assert all_cards(game) == before


# CL-S4: kinds of the supply


@pytest.mark.rule("CL-S4")
@pytest.mark.parametrize("players", [2, 4])
def test_the_supply_is_every_basic_card_and_ten_action_kinds(players):
    seen = set()
    for deal in range(40):
        game = new_game(players, deal=deal)
        kinds = [kind for kind in game.piles if kind in ACTIONS]
        assert len(kinds) == 10
        assert set(game.piles) == {*TREASURES, *VICTORIES, *CURSES, *kinds}
        seen |= set(kinds)
    assert seen == set(ACTIONS)


@pytest.mark.rule("CL-S4")
def test_sets_of_kinds_are_drawn_evenly(stat_seed):
    sample = setups(stat_seed, 1500, 2)
    absent = Counter()
    for _, kinds in sample:
        absent[min(ACTIONS.index(kind) for kind in ACTIONS if kind not in kinds)] += 1
    # Of 66 pairs of kinds that are left out, 11 begin with the first kind, 10 with the second, …
    pairs = [11, 10, 9, 8, 7, 6, 5, 4 + 3 + 2 + 1]
    counts = [absent[place] for place in range(7)]
    assert_counts([*counts, len(sample) - sum(counts)], [n / 66 for n in pairs])


@pytest.mark.rule("CL-S4")
def test_a_single_kind_is_any_of_them(stat_seed):
    drawn = Counter(kinds for _, kinds in setups(stat_seed, 1500, 2, "supply.kinds=1"))
    assert set(drawn) == {(kind,) for kind in ACTIONS}
    assert_counts([drawn[kind,] for kind in ACTIONS])


@pytest.mark.rule("CL-S4")
def test_named_kinds_are_there_and_the_rest_is_drawn(stat_seed):
    overrides = ("supply.kinds=2", 'supply.fixed=["crone"]')
    drawn = Counter(kinds for _, kinds in setups(stat_seed, 1500, 2, *overrides))
    others = [tuple(k for k in ACTIONS if k in ("crone", kind)) for kind in ACTIONS]
    others = [kinds for kinds in others if len(kinds) == 2]
    assert set(drawn) == set(others)
    assert_counts([drawn[kinds] for kinds in others])


@pytest.mark.rule("CL-S4")
def test_as_many_named_kinds_as_there_are_piles_leave_nothing_to_chance():
    named = ACTIONS[:4] + ACTIONS[5:7] + ACTIONS[8:]
    assert len(named) == 10
    listed = ", ".join(f'"{kind}"' for kind in named)
    for deal in range(10):
        game = new_game(2, deal=deal, overrides=(f"supply.fixed=[{listed}]",))
        assert {kind for kind in game.piles if kind in ACTIONS} == set(named)


@pytest.mark.rule("CL-S4")
@pytest.mark.parametrize("kinds", [12, 15])
def test_with_fewer_kinds_than_asked_for_all_are_there(kinds):
    game = new_game(2, overrides=(f"supply.kinds={kinds}",))
    assert set(game.piles) == set(KINDS)


@pytest.mark.rule("CL-S4")
def test_a_kind_that_is_not_in_the_supply_is_not_on_offer():
    game = new_game(2, overrides=("supply.kinds=1", 'supply.fixed=["furnace"]'))
    game.enter_buy()
    assert {kind for kind in game.options() if kind in ACTIONS} == {"furnace"}


@pytest.mark.rule("CL-S4")
def test_a_position_has_all_kinds():
    game = stage({"deck": DEEP}, {})
    assert set(game.piles) == set(KINDS)
