"""GM-T: the start of a turn, the cast phase, the acquisition phase, the end, draws and shuffles."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from tests.budget import assert_counts
from tests.titles.granmagia.staging import (
    CARDS,
    COST,
    DEEP,
    EIGHT,
    EXCLUSIVES,
    MAGIC,
    RARES,
    own_cards,
    refuse,
    shown,
    stage,
)

TOP = ["stone", "charm", "great_stone", "curse", "ritual", "market", "fragment"]


# GM-T1: what a turn begins with


@pytest.mark.rule("GM-T1")
def test_a_turn_begins_with_one_cast_one_acquisition_and_no_mana():
    seats = [{"hand": ["market"] * 5, "deck": DEEP}, {"hand": ["charm"] * 5, "deck": DEEP}]
    game = stage(*seats, phase="cast", mana=9, casts=4, acquisitions=6)
    game.end_turn()
    assert (game.phase, game.seat) == ("start", 2)
    game.start_turn()
    assert (game.phase, game.seat) == ("cast", 2)
    assert (game.casts, game.acquisitions, game.mana) == (1, 1, 0)


@pytest.mark.rule("GM-T1")
def test_casts_and_acquisitions_of_a_turn_are_data():
    overrides = ("turn.casts=3", "turn.acquisitions=2")
    game = stage({"hand": ["charm"] * 3}, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert (game.casts, game.acquisitions, game.mana) == (3, 2, 0)


@pytest.mark.rule("GM-T1")
def test_nothing_is_done_before_the_start_steps_and_they_come_once():
    game = stage({"hand": ["market"], "deck": DEEP}, {}, phase="start")
    refuse(game, "cast", "market")
    refuse(game, "acquire", "fragment")
    refuse(game, "enter_acquisition")
    refuse(game, "end_turn")
    game.start_turn()
    refuse(game, "start_turn")
    assert len(game.hand(1)) == 4


# GM-T2: reversal


@pytest.mark.rule("GM-T2")
@pytest.mark.parametrize(("held", "drawn"), [(0, 5), (1, 3), (2, 1), (3, 0), (4, 0), (5, 0)])
def test_reversal_goes_by_the_hand_at_the_start(held, drawn):
    hand = ["note", "apprentice", "curse", "charm", "market"][:held]
    seats = [{"hand": [], "deck": TOP}, {"hand": hand, "deck": TOP}, {"hand": [], "deck": TOP}]
    game = stage(*seats, seat=2, phase="start")
    game.start_turn()
    assert game.hand(2) == hand + TOP[:drawn]
    assert game.deck(2) == TOP[drawn:]
    # It is for the seat on turn alone.
    assert game.hand(1) == game.hand(3) == []


@pytest.mark.rule("GM-T2")
def test_reversal_is_data():
    for held, drawn in [(0, 2), (1, 0), (2, 4), (3, 1), (4, 0)]:
        seat = {"hand": ["charm"] * held, "deck": TOP}
        overrides = ("turn.reversal=[2, 0, 4, 1]",)
        game = stage(seat, {}, phase="start", overrides=overrides)
        game.start_turn()
        assert game.hand(1) == ["charm"] * held + TOP[:drawn]


@pytest.mark.rule("GM-T2")
def test_a_hand_that_shrinks_within_the_turn_draws_nothing():
    seat = {"hand": ["cauldron", "fragment", "stone"], "deck": TOP}
    game = stage(seat, {}, phase="start")
    game.start_turn()
    game.cast("cauldron")
    game.enter_acquisition()
    assert game.hand(1) == []
    assert game.deck(1) == TOP


@pytest.mark.rule("GM-T2")
def test_reversal_with_a_short_deck_shuffles_and_then_stops():
    game = stage({"deck": ["stone"], "discard": ["charm", "note"]}, {}, phase="start")
    game.start_turn()
    assert game.hand(1)[0] == "stone"
    assert Counter(game.hand(1)) == Counter(stone=1, charm=1, note=1)
    assert game.deck(1) == game.discard(1) == []


# GM-T3: the cast phase


@pytest.mark.rule("GM-T3")
def test_a_cast_uses_a_card_from_hand_and_one_cast():
    hand = ["charm", "cauldron", "fragment", "cauldron"]
    game = stage({"hand": hand, "deck": DEEP}, {}, phase="cast", casts=2)
    game.cast("cauldron")
    assert game.hand(1) == ["charm", "fragment", "cauldron"]
    assert game.play_area(1) == ["cauldron"]
    assert (game.casts, game.mana) == (1, 2)
    game.cast("cauldron")
    assert (game.casts, game.mana) == (0, 4)
    assert game.play_area(1) == ["cauldron", "cauldron"]


@pytest.mark.rule("GM-T3")
def test_without_a_cast_left_nothing_is_cast():
    game = stage({"hand": ["cauldron", "market"]}, {}, phase="cast", casts=0)
    assert set(game.options()) == {"stop"}
    refuse(game, "cast", "cauldron")
    refuse(game, "cast", "market")  # its own "+1 cast" does not pay for it


@pytest.mark.rule("GM-T3")
def test_casts_that_a_card_gives_can_be_used_at_once():
    hand = ["festival", "cauldron", "mana_spring", "gold_vein"]
    game = stage({"hand": hand}, {}, phase="cast")
    game.cast("festival")
    assert game.casts == 2
    game.cast("cauldron")
    game.cast("mana_spring")
    assert game.casts == 0
    refuse(game, "cast", "gold_vein")
    assert game.mana == 2 + 2 + 3


@pytest.mark.rule("GM-T3")
def test_the_seat_may_go_on_with_casts_left():
    game = stage({"hand": ["cauldron"]}, {}, phase="cast", casts=2)
    assert "stop" in game.options()
    game.enter_acquisition()
    assert (game.phase, game.hand(1)) == ("acquire", ["cauldron"])


@pytest.mark.rule("GM-T3")
@pytest.mark.rule("GM-K7")
@pytest.mark.parametrize("kind", [*MAGIC, *[k for k in RARES if k != "old_note"], *EXCLUSIVES])
def test_all_three_sorts_of_magic_are_cast_for_one_cast(kind):
    card = CARDS[kind]
    effects = [effect.split() for effect in card.get("effects", [])]
    given = sum(int(words[1]) for words in effects if words[0] == "casts" and len(words) == 2)
    seat = {"hand": [kind], "deck": ["charm"] * 9, "gold": 9}
    game = stage(seat, {}, phase="cast", casts=3, mana=20)
    assert kind in game.options()
    game.cast(kind)
    if not any(words[0] == "casts" and len(words) > 2 for words in effects):
        assert game.casts == 2 + given
    lasts = {"duration", "permanent"} & set(card.get("attributes", []))
    assert kind in (game.own(1) if lasts else game.play_area(1))
    refuse(stage(seat, {}, phase="acquire"), "cast", kind)
    refuse(stage(seat, {}, phase="cast", casts=0, mana=20), "cast", kind)


# GM-T4: the acquisition phase


@pytest.mark.rule("GM-T4")
def test_all_stones_are_laid_down_without_choice():
    hand = ["stone", "market", "fragment", "great_stone", "charm", "fragment", "stone"]
    game = stage({"hand": hand}, {}, phase="cast", mana=2)
    game.enter_acquisition()
    assert game.mana == 2 + (1 + 1) + (2 + 2) + 3
    assert game.hand(1) == ["market", "charm"]
    assert Counter(game.play_area(1)) == Counter(fragment=2, stone=2, great_stone=1)


@pytest.mark.rule("GM-T4")
@pytest.mark.parametrize(("kind", "mana"), [("fragment", 1), ("stone", 2), ("great_stone", 3)])
def test_what_a_stone_gives(kind, mana):
    game = stage({"hand": [kind] * 3}, {}, phase="cast")
    game.enter_acquisition()
    assert game.mana == 3 * mana
    more = stage({"hand": [kind]}, {}, phase="cast", overrides=(f"cards.{kind}.mana=7",))
    more.enter_acquisition()
    assert more.mana == 7


@pytest.mark.rule("GM-T4")
def test_stones_give_nothing_in_the_cast_phase_and_there_is_no_way_back():
    game = stage({"hand": ["stone", "market"]}, {}, phase="cast")
    assert game.mana == 0
    refuse(game, "acquire", "fragment")
    refuse(game, "contract", "sophia")
    game.enter_acquisition()
    assert game.mana == 2
    refuse(game, "cast", "market")
    refuse(game, "enter_acquisition")
    assert "market" in game.hand(1)


@pytest.mark.rule("GM-T4")
def test_as_many_cards_as_there_are_acquisitions():
    game = stage({}, {}, phase="acquire", mana=20, acquisitions=3)
    game.acquire("charm")
    game.contract("sophia")
    assert game.acquisitions == 1
    game.acquire("arcana")
    assert game.acquisitions == 0
    assert set(game.options()) <= {"stop"}
    refuse(game, "acquire", "fragment")
    assert game.phase == "acquire"


@pytest.mark.rule("GM-T4")
def test_without_an_acquisition_there_is_neither_card_nor_contract():
    game = stage({}, {}, phase="acquire", mana=20, acquisitions=0)
    refuse(game, "acquire", "fragment")
    refuse(game, "contract", "sophia")


@pytest.mark.rule("GM-T4")
def test_acquisitions_that_are_left_may_be_left():
    game = stage({"deck": DEEP}, {}, phase="acquire", mana=20, acquisitions=3)
    assert "stop" in game.options()
    game.end_turn()
    assert game.seat == 2
    assert own_cards(game, 1) == Counter(DEEP)


# GM-T5: paying


@pytest.mark.rule("GM-T5")
@pytest.mark.rule("GM-N10")
@pytest.mark.parametrize(
    ("mana", "silver", "gold", "left"),
    [
        (7, 2, 2, (2, 2, 2)),
        (5, 2, 2, (0, 2, 2)),
        (4, 2, 2, (0, 1, 2)),
        (2, 2, 2, (0, 0, 1)),
        (0, 2, 3, (0, 0, 0)),
        (2, 0, 4, (0, 0, 1)),
        (0, 5, 5, (0, 0, 5)),
        (0, 0, 5, (0, 0, 0)),
        (1, 2, 1, None),
        (0, 2, 2, None),
        (4, 0, 0, None),
    ],
)
def test_mana_pays_first_then_silver_then_gold(mana, silver, gold, left):
    seats = [{"silver": 9, "gold": 9}, {"silver": silver, "gold": gold}]
    game = stage(*seats, seat=2, phase="acquire", mana=mana, field=shown("market"))
    if left is None:
        assert "market" not in game.options()
        refuse(game, "acquire", "market")
    else:
        assert "market" in game.options()
        game.acquire("market")
        assert (game.mana, game.silver(2), game.gold(2)) == left
    assert (game.silver(1), game.gold(1)) == (9, 9)


@pytest.mark.rule("GM-T5")
@pytest.mark.parametrize("kind", ["treasury", "archmages_cloak", "philosophers_stone"])
def test_mana_only_takes_mana_alone(kind):
    cost = CARDS[kind]["cost"]
    seats = [{"gold": 9}, {"gold": 9, "silver": 9}]
    for seat in (1, 2):
        position = {"seat": seat, "phase": "acquire", "field": shown(kind, cards=1)}
        short = stage(*seats, mana=cost - 1, **position)
        assert kind not in short.options()
        refuse(short, "acquire", kind)
        enough = stage(*seats, mana=cost, **position)
        enough.acquire(kind)
        assert (enough.mana, enough.gold(seat)) == (0, 9)


@pytest.mark.rule("GM-T5")
def test_mana_only_is_data():
    position = {"phase": "acquire", "mana": 3, "field": shown("market", "treasury")}
    overrides = ("cards.market.mana_only=true", "cards.treasury.mana_only=false")
    game = stage({"gold": 2}, {}, overrides=overrides, **position)
    refuse(game, "acquire", "market")
    game.acquire("treasury")
    assert (game.mana, game.gold(1)) == (0, 0)


# GM-T6: where cards go


@pytest.mark.rule("GM-T6")
def test_an_acquired_card_goes_to_the_discard_pile():
    seat = {"hand": ["note"], "deck": ["charm"], "discard": ["fragment"]}
    game = stage(seat, {"discard": ["stone"]}, phase="acquire", mana=9, acquisitions=2)
    game.acquire("market")
    game.acquire("stone")
    assert game.discard(1) == ["fragment", "market", "stone"]
    assert (game.hand(1), game.deck(1)) == (["note"], ["charm"])
    assert game.discard(2) == ["stone"]


@pytest.mark.rule("GM-T6")
def test_a_received_card_goes_to_the_discard_pile_unless_the_text_says_otherwise():
    choices = ["stone"]
    game = stage({"hand": ["workshop", "note"]}, {}, phase="cast", choices=choices)
    game.cast("workshop")
    assert game.discard(1) == ["stone"]
    assert game.hand(1) == ["note"]
    assert game.piles["stone"] == 39
    assert (game.mana, game.acquisitions) == (0, 1)  # nothing is paid
    said = stage({"hand": ["wishing_star", "note"]}, {}, phase="cast", choices=["market"])
    said.cast("wishing_star")
    assert said.discard(1) == []
    assert sorted(said.hand(1)) == ["market", "note"]
    assert said.field["market"] == 4


@pytest.mark.rule("GM-T6")
def test_only_what_really_comes_without_paying_is_a_receipt():
    seats = [{"hand": ["workshop"], "deck": ["note"], "discard": ["note"]}, {}]
    overrides = ('witches.sophia.note_gifts=["stone", "charm"]', "witches.sophia.gifts=[]")
    position = {"phase": "cast", "mana": COST["sophia"] + 2, "acquisitions": 2}
    position["piles"] = {"stone": 0}
    game = stage(*seats, overrides=overrides, choices=["fragment"], **position)
    game.cast("workshop")
    assert (game.counter(1, "receipts"), game.counter(2, "receipts")) == (1, 0)
    game.enter_acquisition()
    game.acquire("charm")
    assert game.counter(1, "receipts") == 1
    game.contract("sophia")  # the stone of the first note is not to be had
    assert game.counter(1, "receipts") == 2
    assert game.discard(1) == ["fragment", "charm", "charm"]


@pytest.mark.rule("GM-T6")
@pytest.mark.rule("GM-T11")
def test_a_burned_card_leaves_the_game():
    seat = {"hand": ["purifying_flame", "ritual", "stone", "market"], "discard": ["charm"]}
    position = {"burned": ["fragment"], "piles": {"stone": 0}}
    choices = ["ritual", "stone", "market"]
    game = stage(seat, {}, phase="cast", choices=choices, **position)
    assert game.truth(1) == 4
    game.cast("purifying_flame")
    assert game.burned == ["fragment", "ritual", "stone", "market"]
    assert own_cards(game, 1) == Counter(purifying_flame=1, charm=1)
    assert game.truth(1) == 1
    assert game.piles["stone"] == 0
    assert game.field["market"] == 5


@pytest.mark.rule("GM-T11")
def test_the_burned_zone_is_never_shuffled_in():
    seat = {"discard": ["charm"] * 3}
    game = stage(seat, {}, phase="acquire", burned=["arcana"] * 4)
    game.end_turn()
    assert game.hand(1) == ["charm"] * 3
    assert game.burned == ["arcana"] * 4
    assert game.truth(1) == 3


# GM-T7: the end of a turn


@pytest.mark.rule("GM-T7")
def test_used_cards_and_then_the_hand_are_discarded_and_five_drawn():
    seat = {
        "hand": ["note", "charm"],
        "deck": TOP,
        "discard": ["ritual"],
        "play": ["cauldron", "fragment"],
        "witch": "ignis",
    }
    game = stage(seat, {"hand": ["charm"], "play": []}, phase="acquire", acquisitions=0)
    game.end_turn()
    assert game.discard(1)[0] == "ritual"
    assert sorted(game.discard(1)[1:3]) == ["cauldron", "fragment"]
    assert sorted(game.discard(1)[3:]) == ["charm", "note"]
    assert game.hand(1) == TOP[:5]
    assert game.deck(1) == TOP[5:]
    assert game.play_area(1) == []
    assert game.own(1) == ["ignis"]
    assert game.hand(2) == ["charm"]


@pytest.mark.rule("GM-T7")
def test_cards_are_discarded_before_five_are_drawn():
    seat = {"hand": ["note"], "play": ["cauldron", "fragment"], "deck": ["stone"]}
    game = stage(seat, {}, phase="acquire")
    game.end_turn()
    assert game.hand(1)[0] == "stone"
    assert Counter(game.hand(1)) == Counter(stone=1, note=1, cauldron=1, fragment=1)
    assert game.discard(1) == game.deck(1) == []


@pytest.mark.rule("GM-T7")
def test_stones_are_laid_down_on_the_way_to_the_end():
    seat = {"hand": ["stone", "note"], "deck": DEEP}
    game = stage(seat, {}, phase="cast")
    game.end_turn()
    assert sorted(game.discard(1)) == ["note", "stone"]
    assert len(game.hand(1)) == 5


@pytest.mark.rule("GM-T7")
def test_what_lies_in_the_own_field_stays():
    seat = {"deck": DEEP, "own": ["charm"], "witch": "felicia"}
    game = stage(seat, {}, phase="acquire")
    game.end_turn()
    assert sorted(game.own(1)) == ["charm", "felicia"]
    assert game.discard(1) == []


@pytest.mark.rule("GM-T7")
@pytest.mark.parametrize("cards", [3, 7])
def test_how_many_cards_are_drawn_is_data(cards):
    seat = {"hand": ["note"] * 2, "deck": DEEP}
    game = stage(seat, {}, phase="acquire", overrides=(f"turn.hand={cards}",))
    game.end_turn()
    assert len(game.hand(1)) == cards
    assert game.discard(1) == ["note", "note"]


@pytest.mark.rule("GM-T7")
def test_mana_is_gone_and_gold_stays():
    seats = [{"deck": DEEP, "hand": ["great_stone"] * 3, "gold": 4}, {"hand": ["charm"] * 3}]
    game = stage(*seats, phase="cast")
    game.enter_acquisition()
    assert game.mana == 9
    game.end_turn()
    game.start_turn()
    assert game.mana == 0
    assert (game.gold(1), game.gold(2)) == (4, 0)
    # Nor does it come back in the own next turn.
    game.end_turn()
    game.start_turn()
    assert (game.seat, game.mana, game.gold(1)) == (1, 0, 4)


@pytest.mark.rule("GM-T7")
def test_the_field_is_refilled_at_the_end_and_never_within_a_turn():
    field = {**shown(*EIGHT[:6]), "reforging": 1, "transmutation": 1}
    seat = {"deck": DEEP, "hand": ["market"], "witch": "sophia"}
    deck = ["wisdom_book", "star_reading", "purifying_flame"]
    position = {"phase": "cast", "acquisitions": 3, "mana": 20, "magic_deck": deck}
    game = stage(seat, {}, field=field, **position)
    game.cast("market")
    game.enter_acquisition()
    game.acquire("reforging")
    assert dict(game.field) == {**shown(*EIGHT[:6]), "transmutation": 1}
    game.acquire("transmutation")
    assert dict(game.field) == shown(*EIGHT[:6])
    refuse(game, "acquire", "wisdom_book")
    game.acquire("fragment")
    assert game.magic_deck == deck
    game.end_turn()
    assert dict(game.field) == {**shown(*EIGHT[:6]), "wisdom_book": 1, "star_reading": 1}
    assert game.magic_deck == ["purifying_flame"]


# GM-T8: drawing and shuffling


def draw(cards, seat, **more):
    """Cast a card that draws."""
    game = stage(
        {"hand": ["mana_spring"], **seat},
        {},
        phase="cast",
        overrides=(f'cards.mana_spring.effects=["draw {cards}"]',),
        **more,
    )
    game.cast("mana_spring")
    return game


@pytest.mark.rule("GM-T8")
def test_the_deck_is_drawn_from_the_top():
    game = draw(3, {"deck": TOP, "discard": ["note"]})
    assert game.hand(1) == TOP[:3]
    assert game.deck(1) == TOP[3:]
    assert game.discard(1) == ["note"]


@pytest.mark.rule("GM-T8")
def test_there_is_no_shuffle_before_a_draw_needs_it():
    game = draw(2, {"deck": ["stone", "charm"], "discard": ["note", "ritual"]})
    assert game.hand(1) == ["stone", "charm"]
    assert game.deck(1) == []
    assert game.discard(1) == ["note", "ritual"]
    assert game.counter(1, "shuffles") == 0


@pytest.mark.rule("GM-T8")
def test_the_whole_discard_pile_becomes_the_deck_in_the_middle_of_a_draw():
    seat = {"deck": ["stone", "charm"], "discard": ["note", "ritual", "curse"]}
    game = draw(3, {**seat, "play": ["festival"]})
    assert game.hand(1)[:2] == ["stone", "charm"]
    assert Counter([game.hand(1)[2], *game.deck(1)]) == Counter(["note", "ritual", "curse"])
    assert len(game.deck(1)) == 2
    assert game.discard(1) == []
    # What is being used is not shuffled in.
    assert game.play_area(1) == ["festival", "mana_spring"]
    assert game.counter(1, "shuffles") == 1


@pytest.mark.rule("GM-T8")
def test_with_both_empty_the_other_draws_are_lost():
    game = draw(5, {"deck": ["stone"], "discard": ["note", "note"]})
    assert game.hand(1) == ["stone", "note", "note"]
    game.enter_acquisition()
    game.acquire("fragment")
    # They are not made up for when there are cards again.
    assert game.hand(1) == ["note", "note"]
    assert game.discard(1) == ["fragment"]
    nothing = draw(2, {})
    assert nothing.hand(1) == []


@pytest.mark.rule("GM-T8")
def test_the_same_shuffle_comes_before_looking_at_an_empty_deck():
    seat = {"hand": ["crystal_ball"], "discard": ["note", "charm", "note"]}
    game = stage(seat, {}, phase="cast")
    game.cast("crystal_ball")
    assert game.discard(1) == []
    assert len(game.hand(1)) == 1
    assert Counter(game.hand(1) + game.deck(1)) == Counter(note=2, charm=1)


@pytest.mark.rule("GM-T8")
def test_fewer_cards_are_looked_at_when_the_deck_is_short():
    seat = {"hand": ["crystal_ball"], "deck": ["stone"], "discard": ["charm", "charm"]}
    game = stage(seat, {}, phase="cast", choices=["stone"])
    game.cast("crystal_ball")
    # The stone was looked at and discarded; only the draw shuffled, and all three.
    assert Counter(game.hand(1) + game.deck(1)) == Counter(stone=1, charm=2)
    assert game.discard(1) == []
    assert list(game.choices) == []


@pytest.mark.rule("GM-T8")
def test_a_shuffle_is_even(stat_seed):
    cards = ["note", "ritual", "curse"]
    orders = Counter()
    for deal in range(1000):
        game = draw(3, {"discard": cards}, seed=stat_seed, deal=deal)
        orders[tuple(game.hand(1))] += 1
    every = list(permutations(cards))
    assert set(orders) <= set(every)
    assert_counts([orders[order] for order in every])


# GM-T9: rounds and own turns


@pytest.mark.rule("GM-T9")
def test_rounds_rise_when_every_seat_has_had_its_turn():
    game = stage(*[{"deck": DEEP} for _ in range(3)], phase="start")
    seen = []
    for _ in range(7):
        game.start_turn()
        seen.append((game.round, game.seat, [game.turns(s) for s in (1, 2, 3)]))
        game.end_turn()
    assert seen == [
        (1, 1, [1, 0, 0]),
        (1, 2, [1, 1, 0]),
        (1, 3, [1, 1, 1]),
        (2, 1, [2, 1, 1]),
        (2, 2, [2, 2, 1]),
        (2, 3, [2, 2, 2]),
        (3, 1, [3, 2, 2]),
    ]


@pytest.mark.rule("GM-T9")
def test_own_turns_are_counted_apart_from_rounds():
    seats = [{"turns": 7, "deck": DEEP}, {"turns": 3, "deck": DEEP}]
    game = stage(*seats, seat=2, round=5, phase="start")
    game.start_turn()
    assert (game.round, game.turns(1), game.turns(2)) == (5, 7, 4)
    game.end_turn()
    game.start_turn()
    assert (game.round, game.turns(1), game.turns(2)) == (6, 8, 4)


# GM-T14 and GM-T15


@pytest.mark.rule("GM-T14")
def test_a_stone_that_comes_to_hand_in_the_acquisition_phase_stays_there():
    overrides = (
        'contract.gift_place="hand"',
        'witches.sophia.gifts=["great_stone"]',
        'witches.sophia.note_gifts=["stone"]',
    )
    seat = {"hand": ["fragment"], "discard": ["note"], "deck": DEEP}
    position = {"phase": "cast", "mana": COST["sophia"], "acquisitions": 2}
    game = stage(seat, {}, overrides=overrides, **position)
    game.enter_acquisition()
    game.contract("sophia")
    assert game.hand(1) == ["great_stone", "stone"]
    assert game.mana == 1
    assert game.play_area(1) == ["fragment"]
    game.acquire("fragment")
    assert (game.mana, game.hand(1)) == (1, ["great_stone", "stone"])
    game.end_turn()
    assert Counter(game.discard(1)) == Counter(fragment=2, stone=1, great_stone=1)


@pytest.mark.rule("GM-T15")
@pytest.mark.parametrize(("discount", "cost"), [(5, 1), (6, 0), (7, 0), (50, 0)])
def test_a_cost_never_falls_below_nothing(discount, cost):
    overrides = (f"contract.discount={discount}", "witches.sophia.cost=6")
    position = {"round": 11, "phase": "acquire", "acquisitions": 2}
    game = stage({}, {}, mana=cost, overrides=overrides, **position)
    assert "sophia" in game.options()
    game.contract("sophia")
    assert game.mana == 0
    richer = stage({}, {}, mana=cost + 2, overrides=overrides, **position)
    richer.contract("sophia")
    assert richer.mana == 2


@pytest.mark.rule("GM-T15")
def test_a_discount_comes_off_before_paying():
    position = {"round": 11, "phase": "acquire"}
    game = stage({"gold": 3}, {}, mana=COST["sophia"] - 1, **position)
    game.contract("sophia")
    assert (game.mana, game.gold(1)) == (0, 3)


@pytest.mark.rule("GM-T15")
def test_casts_and_gold_never_fall_below_nothing():
    game = stage({"hand": ["cauldron"], "deck": DEEP}, {}, phase="cast")
    game.cast("cauldron")
    refuse(game, "cast", "cauldron")
    assert game.casts == 0
    position = {"phase": "acquire", "field": shown("market"), "mana": 3, "acquisitions": 2}
    poor = stage({"gold": 2}, {}, **position)
    poor.acquire("market")
    assert (poor.mana, poor.gold(1)) == (0, 0)
    refuse(poor, "acquire", "charm")
