"""CL-E: when a game ends, points, who wins, ranks, the cap on rounds, and what is an error."""

from __future__ import annotations

from itertools import combinations

import pytest

from sim.errors import EngineError
from tests.titles.classic.staging import (
    DEEP,
    KINDS,
    all_cards,
    effects,
    new_game,
    refuse,
    stage,
)

MOST_CARDS = 248
MOST = 1_000_000_000

OTHERS = [kind for kind in KINDS if kind != "province"]


def empty(*kinds):
    return dict.fromkeys(kinds, 0)


def over(game, reason):
    """Assert that a game has ended, and that it stays as it is."""
    assert game.over
    assert (game.phase, game.end_reason) == ("over", reason)
    refuse(game, "end_turn")
    refuse(game, "enter_buy")
    refuse(game, "buy", "copper")


# CL-E1: the province pile, or three piles


@pytest.mark.rule("CL-E1")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_last_province_ends_the_game_at_the_end_of_the_turn(players):
    seats = [{"hand": ["estate"] * 2, "deck": DEEP}] * players
    game = stage(*seats, phase="buy", coins=12, buys=3, piles={"province": 1})
    game.buy("province")
    assert (game.over, game.phase) == (False, "buy")
    game.buy("silver")  # the turn goes on
    game.end_turn()
    over(game, "provinces")
    assert (game.turn, game.round) == (1, 1)
    # The clean-up was made before, the silver counts among the cards.
    assert game.hand(1) == ["copper"] * 5
    assert game.discard(1) == ["province", "silver", "estate", "estate"]
    assert game.points(1) == 8


@pytest.mark.rule("CL-E1")
def test_one_province_left_does_not_end_it():
    game = stage({"deck": DEEP}, {}, phase="buy", coins=8, piles={"province": 2})
    game.buy("province")
    game.end_turn()
    assert (game.over, game.phase, game.seat) == (False, "action", 2)


@pytest.mark.rule("CL-E1")
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_no_other_seat_has_a_turn_after_the_end(seat):
    seats = [{"deck": DEEP, "hand": ["gold"]}] * 3
    game = stage(*seats, seat=seat, round=4, piles=empty("province"))
    before = [game.turns(other) for other in (1, 2, 3)]
    assert before == [4 if other <= seat else 3 for other in (1, 2, 3)]
    game.end_turn()
    over(game, "provinces")
    assert [game.turns(other) for other in (1, 2, 3)] == before
    assert game.round == 4


@pytest.mark.rule("CL-E1")
@pytest.mark.parametrize("kinds", list(combinations([*OTHERS[:8], *OTHERS[-2:]], 3))[::5])
@pytest.mark.parametrize("players", [2, 3])
def test_any_three_piles_end_it(kinds, players):
    game = stage(*[{"deck": DEEP}] * players, piles=empty(*kinds))
    assert not game.over
    game.end_turn()
    over(game, "piles")


@pytest.mark.rule("CL-E1")
@pytest.mark.parametrize("kind", OTHERS)
def test_every_pile_counts_as_the_third_and_two_are_too_few(kind):
    two = [other for other in ("silver", "estate", "forge") if other != kind][:2]
    game = stage({"deck": DEEP}, {}, {}, phase="buy", coins=6, piles={**empty(*two), kind: 1})
    game.buy(kind)
    game.end_turn()
    over(game, "piles")
    game = stage({"deck": DEEP}, {}, {}, piles={**empty(*two), kind: 1})
    game.end_turn()
    assert (game.over, game.seat) == (False, 2)


@pytest.mark.rule("CL-E1")
def test_piles_that_run_out_within_one_turn_count_together():
    seat = {"hand": ["joinery", "crone"], "deck": DEEP}
    piles = {"curse": 1, "silver": 1, "estate": 1}
    game = stage(seat, {}, actions=2, coins=2, piles=piles, choices=["silver"])
    game.play_action("joinery")
    game.play_action("crone")
    game.enter_buy()
    game.buy("estate")
    assert not game.over
    assert [kind for kind, left in game.piles.items() if left == 0] == ["silver", "estate", "curse"]
    game.end_turn()
    over(game, "piles")


@pytest.mark.rule("CL-E1")
@pytest.mark.parametrize("piles", [1, 2, 4])
def test_the_number_of_piles_is_data(piles):
    kinds = ["copper", "curse", "levy", "pantry"]
    for left in (piles - 1, piles):
        game = stage(
            *[{"deck": DEEP}, {}],
            piles=empty(*kinds[:left]),
            overrides=(f"end.piles={piles}",),
        )
        game.end_turn()
        assert game.over == (left == piles)


@pytest.mark.rule("CL-E1")
def test_with_one_seat_the_curses_are_no_empty_pile():
    game = stage({"deck": DEEP}, piles=empty("silver", "levy"))
    game.end_turn()
    assert not game.over
    game = stage({"deck": DEEP}, piles=empty("silver", "levy", "gold"))
    game.end_turn()
    over(game, "piles")


@pytest.mark.rule("CL-E1")
@pytest.mark.parametrize(
    ("players", "overrides"),
    [
        (1, ()),
        (2, ("piles.curses_per_rival=0",)),
        (4, ("piles.curses_per_rival=0",)),
        (2, ("piles.victory.2p=0",)),
        (3, ("piles.copper=21",)),  # the starting decks take all of them
        (2, ("piles.action=0",)),
    ],
)
def test_a_pile_that_never_held_a_card_is_none(players, overrides):
    game = new_game(players, overrides=("end.piles=1", *overrides))
    game.end_turn()
    assert not game.over


@pytest.mark.rule("CL-E1")
def test_three_piles_that_ran_out_before_end_it_with_the_turn_of_any_seat():
    game = stage({}, {"deck": DEEP}, seat=2, round=3, piles=empty("copper", "duchy", "rework"))
    game.end_turn()
    over(game, "piles")
    assert (game.turns(1), game.turns(2)) == (3, 3)


# CL-E2: points


@pytest.mark.rule("CL-E2")
@pytest.mark.parametrize("zone", ["hand", "deck", "discard", "play"])
def test_points_of_every_zone_count(zone):
    cards = ["province", "duchy", "duchy", "estate", "curse", "curse", "gold", "forge"]
    game = stage({zone: cards}, {}, trash=["province", "curse"])
    assert (game.points(1), game.points(2)) == (11, 0)


@pytest.mark.rule("CL-E2")
def test_points_are_those_of_all_zones_together():
    seat = {"hand": ["estate"], "deck": ["duchy"], "discard": ["province"], "play": ["curse"]}
    game = stage({}, seat, piles=empty("province"))
    assert game.points(2) == 9
    game.end_turn()
    assert (game.points(1), game.points(2)) == (0, 9)
    assert list(game.win60) == [0, 60]


@pytest.mark.rule("CL-E2")
def test_points_may_be_below_nothing():
    game = stage({"hand": ["curse"] * 3}, {"deck": ["curse"]}, piles=empty("province"))
    assert (game.points(1), game.points(2)) == (-3, -1)
    game.end_turn()
    assert list(game.win60) == [0, 60]


@pytest.mark.rule("CL-E2")
def test_trashed_points_are_gone():
    game = stage({"hand": ["furnace", "estate", "curse"]}, {}, choices=["estate"])
    assert game.points(1) == 0
    game.play_action("furnace")
    assert game.points(1) == -1


# CL-E3: who wins


def ended(points, seat, **more):
    """End a game on the turn of a seat; points are given as estates or curses."""
    seats = [{"deck": ["estate"] * n if n > 0 else ["curse"] * -n} for n in points]
    game = stage(*seats, seat=seat, round=5, piles=empty("province"), **more)
    game.end_turn()
    over(game, "provinces")
    return game


@pytest.mark.rule("CL-E3")
@pytest.mark.parametrize(
    ("points", "ranks"),
    [
        ((4, 3), [1, 2]),
        ((3, 4), [2, 1]),
        ((-1, 0), [2, 1]),
        ((2, 9, 5), [3, 1, 2]),
        ((9, 8, 7, -6), [1, 2, 3, 4]),
        ((1, 2, 3, 4), [4, 3, 2, 1]),
    ],
)
@pytest.mark.parametrize("seat", [1, 2])
def test_most_points_win_whoever_ends_the_game(points, ranks, seat):
    game = ended(points, seat)
    assert list(game.ranks) == ranks
    assert list(game.win60) == [60 if rank == 1 else 0 for rank in ranks]


@pytest.mark.rule("CL-E3")
@pytest.mark.parametrize(
    ("points", "seat", "win60"),
    [
        ((3, 3), 1, [0, 60]),  # seat 1 had a turn more
        ((3, 3), 2, [30, 30]),
        ((0, 0), 1, [0, 60]),
        ((3, 3, 3), 1, [0, 30, 30]),
        ((3, 3, 3), 2, [0, 0, 60]),
        ((3, 3, 3), 3, [20, 20, 20]),
        ((3, 3, 2), 2, [30, 30, 0]),  # both had the same turns, seat 3 fewer
        ((3, 2, 3), 1, [0, 0, 60]),
        ((2, 3, 3), 2, [0, 0, 60]),
        ((3, 3, 2), 1, [0, 60, 0]),
        ((4, 3, 3), 1, [60, 0, 0]),
        ((-2, -2, -3), 3, [30, 30, 0]),
        ((3, 3, 3, 3), 4, [15, 15, 15, 15]),
        ((3, 3, 3, 3), 1, [0, 20, 20, 20]),
        ((3, 3, 3, 3), 2, [0, 0, 30, 30]),
        ((3, 3, 3, 3), 3, [0, 0, 0, 60]),
        ((3, 2, 3, 3), 4, [20, 0, 20, 20]),
    ],
)
def test_equal_points_go_to_fewer_turns_and_are_then_shared(points, seat, win60):
    game = ended(points, seat)
    assert list(game.win60) == win60
    assert [rank == 1 for rank in game.ranks] == [share > 0 for share in win60]


@pytest.mark.rule("CL-E3")
@pytest.mark.parametrize(
    ("points", "seat", "groups"),
    [
        ((5, 3, 3), 3, [{1}, {2, 3}]),
        ((3, 3, 5), 1, [{3}, {2}, {1}]),
        ((3, 3, 5), 3, [{3}, {1, 2}]),
        ((2, 2, 2, 2), 2, [{3, 4}, {1, 2}]),
        ((9, 2, 2, 2), 3, [{1}, {4}, {2, 3}]),
    ],
)
def test_ranks_go_by_the_same_order(points, seat, groups):
    ranks = list(ended(points, seat).ranks)
    order = sorted(set(ranks))
    assert order[0] == 1
    assert [{s + 1 for s, rank in enumerate(ranks) if rank == one} for one in order] == groups


@pytest.mark.rule("CL-E3")
def test_turns_are_those_that_were_had_and_not_the_seats():
    seats = [{"deck": ["estate"], "turns": 4}, {"deck": ["estate"], "turns": 5}]
    game = stage(*seats, seat=1, round=5, piles=empty("province"))
    game.end_turn()
    assert list(game.win60) == [60, 0]


@pytest.mark.rule("CL-E3")
def test_one_seat_wins_alone():
    game = ended((-2,), 1)
    assert (list(game.win60), list(game.ranks)) == ([60], [1])


# CL-E4: the cap on rounds


@pytest.mark.rule("CL-E4")
@pytest.mark.parametrize(("players", "cap"), [(1, 4), (2, 3), (3, 2), (4, 1)])
def test_a_game_ends_with_the_last_turn_of_the_last_round(players, cap):
    game = new_game(players, overrides=(f"limits.round_cap={cap}",))
    for turn in range(1, players * cap + 1):
        assert not game.over
        assert game.turn == turn
        game.end_turn()
    over(game, "round_cap")
    assert (game.round, game.turn) == (cap, players * cap)
    assert list(game.win60) == [60 // players] * players
    assert list(game.ranks) == [1] * players


@pytest.mark.rule("CL-E4")
def test_the_cap_is_a_hundred_rounds():
    game = stage({"deck": ["estate"]}, {"deck": ["estate"] * 2}, round=99, seat=2)
    game.end_turn()
    assert (game.over, game.round, game.seat) == (False, 100, 1)
    game.end_turn()
    assert (game.over, game.seat) == (False, 2)
    game.end_turn()
    over(game, "round_cap")
    assert (list(game.win60), list(game.ranks)) == ([0, 60], [2, 1])


@pytest.mark.rule("CL-E4")
def test_a_game_that_is_played_through_ends():
    game = new_game(2, overrides=("limits.round_cap=6",))
    before = all_cards(game)
    game.play()
    over(game, "round_cap")
    assert all_cards(game) == before


# CL-E5: what outgrows the records


@pytest.mark.rule("CL-E5")
def test_a_seat_owns_at_most_248_cards():
    seat = {"deck": ["copper"] * (MOST_CARDS - 2), "hand": ["estate"]}
    game = stage(seat, {}, phase="buy", buys=2)
    game.buy("copper")
    with pytest.raises(EngineError):
        game.buy("copper")


@pytest.mark.rule("CL-E5")
@pytest.mark.parametrize(("kind", "fits"), [("joinery", False), ("crone", False), ("rework", True)])
def test_received_cards_count_and_trashed_ones_do_not(kind, fits):
    full = {"deck": ["estate"] * (MOST_CARDS - 2), "hand": [kind, "copper"]}
    game = stage(full, {"deck": ["copper"] * MOST_CARDS})
    if fits:
        game.play_action(kind)  # one goes, one comes
        assert len(game.trash) == len(game.discard(1)) == 1
    else:
        with pytest.raises(EngineError):
            game.play_action(kind)


@pytest.mark.rule("CL-E5")
def test_with_the_curses_out_a_full_seat_is_attacked_without_error():
    full = {"deck": ["copper"] * MOST_CARDS}
    game = stage({"hand": ["crone"], "deck": DEEP}, full, piles=empty("curse"))
    game.play_action("crone")
    assert len(game.deck(2)) == MOST_CARDS


def grown(what, *texts, hand=()):
    """Play a card on ten of something, so that it grows to a thousand million, and then more."""
    override = effects("holiday", *[f"{what} 99 per {what}"] * 4, *texts)
    start = {"actions": 5, what: 10 + (what == "actions")}  # the card itself takes one action
    game = stage({"hand": ["holiday", *hand]}, {}, overrides=(override,), **start)
    game.play_action("holiday")
    return game


@pytest.mark.rule("CL-E5")
@pytest.mark.parametrize("what", ["actions", "buys", "coins"])
def test_actions_buys_and_coins_stay_within_a_thousand_million(what):
    assert getattr(grown(what), what) == MOST
    with pytest.raises(EngineError):
        grown(what, f"{what} 1")


@pytest.mark.rule("CL-E5")
def test_laid_down_treasures_stay_within_it_too():
    game = grown("coins", hand=["estate"])
    game.enter_buy()
    assert game.coins == MOST
    game = grown("coins", hand=["copper"])
    with pytest.raises(EngineError):
        game.enter_buy()
