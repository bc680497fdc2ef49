"""GM-A2 and GM-A4: barriers, substitute dolls and defence cards in hand, in their order."""

from __future__ import annotations

import pytest

from sim.errors import InputError
from tests.titles.granmagia.made_up import (
    TABLES,
    after,
    attack,
    deep,
    effects_of,
    seated,
    stage,
    to_own_start,
)
from tests.titles.granmagia.staging import DEEP, refuse

#: Seats that stop one attack each, by one defence alone.
ALONE = {
    "barrier": {"barriers": 1},
    "doll": {"own": ["my_doll"]},
    "talisman": {"hand": ["my_talisman"]},
    "herb": {"hand": ["my_herb"]},
}


def curses(game, seat):
    """Count a seat's own curses in its discard pile."""
    return game.discard(seat).count("curse")


# GM-A2: each defence alone


@pytest.mark.rule("GM-A2")
@pytest.mark.rule("GM-K9")
@pytest.mark.parametrize("by", ALONE)
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_each_defence_stops_one_attack_by_itself(by, players, seat):
    for victim in after(seat, players):
        seats = [{}] * players
        seats[victim - 1] = ALONE[by]
        log, lineup = seated(players)
        game = attack(["curses 1"], *seats, seat=seat, lineup=lineup)
        assert {each for each in range(1, players + 1) if curses(game, each)} == {
            *after(seat, players)
        } - {victim}
        assert log == []


@pytest.mark.rule("GM-A2")
@pytest.mark.parametrize("by", ALONE)
def test_the_second_attack_of_a_turn_needs_a_second_defence(by):
    game = attack(["curses 1"], {}, ALONE[by], times=2, casts=9)
    assert curses(game, 2) == 1
    more = {key: value * 2 for key, value in ALONE[by].items()}
    game = attack(["curses 1"], {}, more, times=3, casts=9)
    assert curses(game, 2) == 1


@pytest.mark.rule("GM-A2")
def test_a_seat_without_a_defence_is_hit():
    cards = ["my_talisman", "my_herb", "my_doll", "my_ward"]
    victim = {"deck": cards, "discard": cards, "hand": ["my_doll", "my_ward"], "gold": 5}
    game = attack(["curses 1"], {}, victim)
    assert game.discard(2) == [*cards, "curse"]
    assert (game.deck(2), game.hand(2), game.gold(2)) == (cards, ["my_doll", "my_ward"], 5)


@pytest.mark.rule("GM-A2")
@pytest.mark.parametrize("by", ALONE)
def test_one_defence_stops_all_parts_of_the_text(by):
    effects = ["take_gold 2", "mana 1", "curses 1", "others_discard 1", "draw 1", "pass_curses 1"]
    victim = {"gold": 3, **ALONE[by]}
    victim["hand"] = [*victim.get("hand", ()), "charm", "note"]
    game = attack(effects, {"hand": ["curse"], "deck": ["stone"]}, victim)
    assert (game.gold(1), game.gold(2)) == (0, 3)
    assert game.hand(2)[-2:] == ["charm", "note"]
    assert [card for card in game.discard(2) if not card.startswith("my_")] == []
    assert (game.hand(1), game.mana) == (["curse", "stone"], 1)
    assert game.piles["curse"] == 10


@pytest.mark.rule("GM-A2")
def test_one_attack_uses_one_defence_however_many_its_parts():
    effects = ["curses 1", "take_gold 1", "others_discard_to 0", "curses 2"]
    victim = {
        "barriers": 2,
        "own": ["my_doll", "my_doll"],
        "hand": ["my_herb", "my_herb"],
        "gold": 2,
    }
    game = attack(effects, {}, victim, casts=4)
    assert (game.barriers(2), game.casts) == (1, 2)
    assert game.dolls_spent(2) == 0
    game = attack(effects, {}, {**victim, "barriers": 0})
    assert (game.dolls_spent(2), game.gold(2)) == (1, 2)
    game = attack(effects, {}, {**victim, "barriers": 0, "own": []})
    assert (game.hand(2), game.discard(2), game.gold(2)) == (["my_herb"], ["my_herb"], 2)


@pytest.mark.rule("GM-A2")
def test_a_seat_that_declined_is_hit_by_the_whole_text_and_not_asked_again():
    effects = ["curses 1", "others_discard 1", "take_gold 1"]
    log, lineup = seated(2, seat2={"doll": ["stop"]})
    victim = {"own": ["my_doll"], "dolls_spent": 1, "gold": 2, "hand": ["charm"]}
    game = attack(effects, {}, victim, lineup=lineup)
    assert log == [(2, "doll", "stop")]
    assert (game.discard(2), game.gold(2), game.gold(1)) == (["curse", "charm"], 1, 1)


# GM-A2: the order

ALL = {
    "barriers": 1,
    "own": ["my_doll"],
    "hand": ["my_herb"],
    "gold": 1,
}


@pytest.mark.rule("GM-A2")
@pytest.mark.rule("GM-A4")
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_defences_come_in_their_order(players, seat):
    """Barrier, free doll, paid doll, hand, nothing: five attacks on a seat that has it all."""
    left = []
    for times in range(1, 6):
        for victim in after(seat, players):
            seats = [{}] * players
            seats[victim - 1] = ALL
            choices = ["my_doll"] if times > 2 else []
            game = attack(["curses 1"], *seats, seat=seat, times=times, casts=9, choices=choices)
            assert list(game.choices) == []
            found = [game.barriers(victim), game.dolls_spent(victim), game.gold(victim)]
            left.append([times, *found, len(game.hand(victim)), curses(game, victim)])
    expected = [
        [1, 0, 0, 1, 1, 0],
        [2, 0, 1, 1, 1, 0],
        [3, 0, 1, 0, 1, 0],
        [4, 0, 1, 0, 0, 0],
        [5, 0, 1, 0, 0, 1],
    ]
    assert left == [row for row in expected for _ in range(players - 1)]


@pytest.mark.rule("GM-A2")
def test_every_seat_uses_its_own_first_defence():
    seats = [
        {},
        {"barriers": 1, "own": ["my_doll"], "hand": ["my_herb"]},
        {"own": ["my_doll"], "hand": ["my_herb"]},
        {"hand": ["my_herb"]},
    ]
    game = attack(["curses 1"], *seats, casts=3)
    assert [game.barriers(seat) for seat in (2, 3, 4)] == [0, 0, 0]
    assert [game.dolls_spent(seat) for seat in (2, 3, 4)] == [0, 1, 0]
    assert [game.hand(seat) for seat in (2, 3, 4)] == [["my_herb"], ["my_herb"], []]
    assert [curses(game, seat) for seat in (1, 2, 3, 4)] == [0, 0, 0, 0]
    assert game.casts == 1


# GM-A2: substitute dolls


@pytest.mark.rule("GM-A2")
def test_the_first_time_a_doll_is_free_and_is_not_asked_for():
    log, lineup = seated(2)
    game = attack(["curses 1"], {}, {"own": ["my_doll"], "gold": 3}, lineup=lineup)
    assert (log, game.gold(2), game.own(2), curses(game, 2)) == ([], 3, ["my_doll"], 0)
    assert game.counter(2, "gold_spent") == 0


@pytest.mark.rule("GM-A2")
def test_from_the_second_time_on_its_owner_may_pay_each_time():
    log, lineup = seated(2, seat2={"doll": ["my_doll", "my_doll", "stop", "my_doll"]})
    victim = {"own": ["my_doll"], "gold": 4}
    game = attack(["curses 1"], {}, victim, times=5, lineup=lineup)
    assert [choice for _, _, choice in log] == ["my_doll", "my_doll", "stop", "my_doll"]
    assert {seat for seat, _, _ in log} == {2}
    assert (game.gold(2), game.gold(1), curses(game, 2)) == (1, 0, 1)
    assert game.own(2) == ["my_doll"]
    assert game.counter(2, "gold_spent") == 3
    assert all(set(options) == {"my_doll", "stop"} for options in lineup[1].options("doll"))


@pytest.mark.rule("GM-A2")
@pytest.mark.parametrize("hand", [[], ["my_herb"]])
def test_declined_or_without_gold_it_goes_on_to_the_hand(hand):
    for gold, asked in [(1, 1), (0, 0)]:
        log, lineup = seated(2, seat2={"doll": ["stop"]})
        victim = {"own": ["my_doll"], "dolls_spent": 1, "gold": gold, "hand": hand}
        game = attack(["curses 1"], {}, victim, lineup=lineup)
        assert len(log) == asked
        assert (game.gold(2), game.hand(2)) == (gold, [])
        assert game.discard(2) == (["my_herb"] if hand else ["curse"])


@pytest.mark.rule("GM-A2")
@pytest.mark.rule("GM-S4")
@pytest.mark.rule("GM-N10")
def test_silver_does_not_pay_for_a_doll():
    """Silver is gold in its owner's first turn, and nobody is attacked in an own turn."""
    log, lineup = seated(2)
    victim = {"own": ["my_doll"], "dolls_spent": 1, "silver": 2}
    game = attack(["curses 1"], {}, victim, lineup=lineup)
    assert (log, game.silver(2), curses(game, 2)) == ([], 2, 1)
    victim = {**victim, "gold": 1}
    paid = attack(["curses 1"], {}, victim, choices=["my_doll"])
    assert (paid.silver(2), paid.gold(2), curses(paid, 2)) == (2, 0, 0)


@pytest.mark.rule("GM-A2")
@pytest.mark.parametrize("price", [2, 3])
def test_what_a_doll_costs_is_data(price):
    overrides = (f"defence.doll_gold={price}",)
    for gold in (price - 1, price, price + 1):
        victim = {"own": ["my_doll"], "dolls_spent": 1, "gold": gold}
        choices = ["my_doll"] if gold >= price else []
        game = attack(["curses 1"], {}, victim, choices=choices, overrides=overrides)
        assert list(game.choices) == []
        assert game.gold(2) == (gold - price if gold >= price else gold)
        assert curses(game, 2) == (gold < price)


@pytest.mark.rule("GM-A2")
@pytest.mark.parametrize("own", [["my_doll", "my_doll"], ["my_doll", "my_puppet"]])
def test_each_doll_card_is_free_once(own):
    log, lineup = seated(2)
    game = attack(["curses 1"], {}, {"own": own, "gold": 3}, times=3, lineup=lineup)
    assert log == [(2, "doll", "stop")]
    assert (curses(game, 2), game.gold(2), game.dolls_spent(2)) == (1, 3, 2)


@pytest.mark.rule("GM-A2")
def test_one_payment_an_attack_is_asked_for():
    log, lineup = seated(2, seat2={"doll": ["stop"]})
    victim = {"own": ["my_doll", "my_puppet", "my_doll"], "dolls_spent": 3, "gold": 9}
    game = attack(["curses 1"], {}, {**victim, "hand": ["my_herb"]}, lineup=lineup)
    assert log == [(2, "doll", "stop")]
    assert set(lineup[1].options("doll")[0]) - {"stop"} <= {"my_doll", "my_puppet"}
    assert len(lineup[1].options("doll")[0]) == 2
    assert game.discard(2) == ["my_herb"]


@pytest.mark.rule("GM-A2")
def test_a_doll_that_is_still_free_goes_before_paying():
    log, lineup = seated(2, seat2={"doll": ["stop"]})
    victim = {"own": ["my_doll", "my_puppet"], "dolls_spent": 1, "gold": 2}
    game = attack(["curses 1"], {}, victim, lineup=lineup)
    assert (log, game.gold(2), curses(game, 2), game.dolls_spent(2)) == ([], 2, 0, 2)
    again = attack(["curses 1"], {}, victim, times=2, lineup=lineup)
    assert (log, again.gold(2), curses(again, 2)) == ([(2, "doll", "stop")], 2, 1)


@pytest.mark.rule("GM-A2")
@pytest.mark.rule("GM-K2")
def test_a_doll_defends_from_the_own_field_only_and_from_its_use_on():
    seats = deep(2, seat2={"hand": ["my_attack", "charm", "charm"]})
    seats[0]["hand"] = ["my_doll", "charm"]
    unused = stage(*seats, phase="acquire")
    unused.end_turn()
    unused.start_turn()
    unused.cast("my_attack")
    assert curses(unused, 1) == 1
    used = stage(*seats, phase="cast")
    used.cast("my_doll")
    assert used.own(1) == ["my_doll"]
    used.end_turn()
    used.start_turn()
    used.cast("my_attack")
    assert (curses(used, 1), used.own(1), used.dolls_spent(1)) == (0, ["my_doll"], 1)


@pytest.mark.rule("GM-A2")
def test_a_doll_that_has_defended_is_not_free_again_in_this_game():
    seats = deep(3, seat2={"own": ["my_doll"], "gold": 1})
    for seat in (0, 2):
        seats[seat] = {"deck": ["my_attack", "charm", "charm", "charm", "charm"] * 6}
    log, lineup = seated(3, seat2={"doll": ["my_doll"]})
    game = stage(*seats, phase="start", lineup=lineup)
    for seat in (1, 3, 1, 3):
        while game.seat != seat:
            game.start_turn()
            game.end_turn()
        game.start_turn()
        game.cast("my_attack")
        game.end_turn()
    # Free in the first turn, paid for in the next, and hit when the gold is gone.
    assert [entry for entry in log if entry[1] == "doll"] == [(2, "doll", "my_doll")]
    assert (game.gold(2), game.dolls_spent(2)) == (0, 1)
    assert game.counter(2, "hits") == 2
    assert game.counter(2, "dolls_used") == 2


@pytest.mark.rule("GM-A2")
def test_another_seats_doll_is_no_help():
    seats = [{"own": ["my_doll"]}, {}, {"own": ["my_doll"]}]
    game = attack(["curses 1"], *seats)
    assert [curses(game, seat) for seat in (1, 2, 3)] == [0, 1, 0]
    assert [game.dolls_spent(seat) for seat in (1, 2, 3)] == [0, 0, 1]


# GM-A2: defence cards in hand


@pytest.mark.rule("GM-A2")
@pytest.mark.parametrize("kind", ["my_talisman", "my_herb"])
def test_a_hand_defence_works_by_itself_and_goes_to_the_discard_pile(kind):
    log, lineup = seated(2)
    victim = {"hand": ["charm", kind, "stone", kind], "discard": ["note"]}
    game = attack(["others_discard 2"], {}, victim, lineup=lineup)
    assert log == []
    assert (game.hand(2), game.discard(2)) == (["charm", "stone", kind], ["note", kind])
    assert game.counter(2, "defences_used") == 1
    # Its text is not played.
    assert (game.mana, game.gold(2)) == (0, 0)


@pytest.mark.rule("GM-A2")
@pytest.mark.parametrize("choice", ["my_talisman", "my_herb"])
def test_with_two_kinds_of_them_the_defender_picks(choice):
    (other,) = {"my_talisman", "my_herb"} - {choice}
    log, lineup = seated(3, seat2={"defend": [choice]})
    hand = ["my_herb", "charm", "my_talisman"]
    game = attack(["curses 1"], {"hand": hand}, {"hand": hand}, {}, lineup=lineup)
    assert log == [(2, "defend", choice)]
    assert [set(options) for options in lineup[1].options("defend")] == [set(hand) - {"charm"}]
    assert game.discard(2) == [choice]
    assert set(game.hand(2)) == {"charm", other}
    assert (curses(game, 3), game.hand(1)) == (1, hand)
    # The other one is there for the next attack, and nothing is left to pick.
    game = attack(["curses 1"], {}, {"hand": hand}, times=3, choices=[choice])
    assert game.discard(2) == [choice, other, "curse"]


@pytest.mark.rule("GM-A2")
def test_the_defender_has_to_use_one():
    for wrong in ("stop", "charm", "my_doll"):
        victim = {"hand": ["my_herb", "my_talisman", "charm", "my_doll"]}
        with pytest.raises(InputError):
            attack(["curses 1"], {}, victim, choices=[wrong])


@pytest.mark.rule("GM-A2")
@pytest.mark.rule("GM-A1")
def test_defenders_pick_in_the_order_of_the_seats():
    hand = {"hand": ["my_herb", "my_talisman"]}
    choices = ["my_herb", "my_talisman", "my_herb"]
    game = attack(["curses 1"], hand, hand, hand, hand, seat=2, choices=choices)
    assert [game.discard(seat) for seat in (3, 4, 1)] == [[choice] for choice in choices]
    assert game.hand(2) == ["my_herb", "my_talisman"]


@pytest.mark.rule("GM-A2")
@pytest.mark.rule("GM-T7")
def test_a_used_hand_defence_is_drawn_again_like_any_other_card():
    seats = [{"deck": DEEP}, {"hand": ["my_herb"], "deck": ["charm"]}]
    game = attack(["curses 1"], *seats)
    to_own_start(game, 2)
    # The empty hand draws what there is.
    assert sorted(game.hand(2)) == ["charm", "my_herb"]
    assert game.deck(2) == game.discard(2) == []


@pytest.mark.rule("GM-A2")
@pytest.mark.rule("GM-T3")
def test_a_hand_defence_with_a_text_can_be_cast_instead():
    game = stage({"hand": ["my_talisman", "my_herb"]}, {}, phase="cast", casts=2)
    assert set(game.options()) == {"my_talisman", "stop"}
    game.cast("my_talisman")
    assert (game.mana, game.play_area(1), game.casts) == (1, ["my_talisman"], 1)
    refuse(game, "cast", "my_herb")


# GM-A4: barriers


@pytest.mark.rule("GM-A4")
@pytest.mark.parametrize(("casts", "left"), [(1, 0), (2, 0), (3, 1), (5, 3)])
def test_a_barrier_takes_a_cast_from_the_attacker_but_not_below_none(casts, left):
    game = attack(["curses 1"], {}, {"barriers": 1}, {}, casts=casts)
    assert (game.casts, game.barriers(2), curses(game, 2), curses(game, 3)) == (left, 0, 0, 1)
    # Nothing is owed afterwards.
    more = attack(["curses 1", "casts 2"], {}, {"barriers": 1}, casts=casts)
    assert more.casts == left + 2


@pytest.mark.rule("GM-A4")
@pytest.mark.parametrize("casts", [1, 2, 3, 4, 6])
def test_every_barrier_that_stops_the_attack_takes_a_cast(casts):
    seats = [{}, {"barriers": 1}, {"barriers": 2}, {"barriers": 1}]
    game = attack(["curses 1"], *seats, casts=casts)
    assert game.casts == max(0, casts - 1 - 3)
    assert [game.barriers(seat) for seat in (2, 3, 4)] == [0, 1, 0]


@pytest.mark.rule("GM-A4")
@pytest.mark.parametrize("taken", [0, 2, 3])
def test_how_many_casts_a_barrier_takes_is_data(taken):
    overrides = (f"defence.barrier_casts={taken}",)
    for casts in (1, 2, 3, 4, 5):
        game = attack(["curses 1"], {}, {"barriers": 1}, casts=casts, overrides=overrides)
        assert game.casts == max(0, casts - 1 - taken)
        assert (game.barriers(2), curses(game, 2)) == (0, 0)


@pytest.mark.rule("GM-A4")
def test_other_defences_take_no_cast():
    for by in ("doll", "talisman", "herb"):
        assert attack(["curses 1"], {}, ALONE[by], casts=3).casts == 2
    paid = {"own": ["my_doll"], "dolls_spent": 1, "gold": 1}
    assert attack(["curses 1"], {}, paid, casts=3, choices=["my_doll"]).casts == 2


@pytest.mark.rule("GM-A4")
@pytest.mark.parametrize("barriers", [1, 2, 3])
def test_barriers_stack_and_each_stops_one_attack(barriers):
    game = attack(["curses 1"], {}, {"barriers": barriers}, times=4, casts=9)
    assert (game.barriers(2), curses(game, 2)) == (0, 4 - barriers)
    assert game.casts == 9 - 4 - barriers
    assert game.counter(2, "barriers_used") == barriers


@pytest.mark.rule("GM-A4")
@pytest.mark.rule("GM-K5")
def test_barriers_are_put_up_by_cards_and_stay_until_they_are_used():
    seats = deep(3, seat1={"hand": ["my_ward"] * 3})
    for seat in (1, 2):
        seats[seat]["deck"] = ["my_attack", "charm", "charm", "charm", "charm"] * 6
    overrides = (effects_of("my_ward", "barrier 1", "mana 1"),)
    game = stage(*seats, phase="cast", casts=2, overrides=overrides)
    game.cast("my_ward")
    game.cast("my_ward")
    assert (game.barriers(1), game.mana, game.play_area(1)) == (2, 2, ["my_ward"] * 2)
    # They outlast the own turns, and go one by one.
    to_own_start(game, 1)
    assert game.barriers(1) == 2
    game.end_turn()
    game.start_turn()
    assert game.casts == 1
    game.cast("my_attack")
    assert (game.barriers(1), game.casts, curses(game, 3)) == (1, 0, 1)
    game.end_turn()
    game.start_turn()
    game.cast("my_attack")
    assert (game.barriers(1), curses(game, 1)) == (0, 0)
    assert game.counter(1, "barriers_used") == 2


@pytest.mark.rule("GM-A4")
@pytest.mark.rule("GM-A3")
def test_a_cast_that_a_barrier_took_is_gone_for_the_next_attack():
    game = attack(["curses 1"], {"hand": ["my_attack"]}, {"barriers": 2}, casts=2)
    assert game.casts == 0
    refuse(game, "cast", "my_attack")
    game = attack(["casts 1", "curses 1"], {"hand": ["my_attack"]}, {"barriers": 2}, casts=2)
    assert game.casts == 1
    game.cast("my_attack")
    assert (game.casts, game.barriers(2)) == (0, 0)
