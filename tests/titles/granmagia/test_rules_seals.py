"""GM-K4: seals on the piles of stones and truth cards."""

from __future__ import annotations

import pytest

from sim.errors import DataError, InputError
from sim.titles.granmagia import TITLE
from tests.titles.granmagia.made_up import (
    OVERLAY,
    TABLES,
    deep,
    effects_of,
    seated,
    stage,
    to_next_start,
)
from tests.titles.granmagia.staging import EIGHT, refuse, shown

#: The piles and what is printed on their cards.
PILES = {"fragment": 0, "stone": 3, "great_stone": 6, "charm": 2, "ritual": 5, "arcana": 8}

#: What the made-up seals do to the price.
SUN, MOON = -2, 1

#: A seal of the sun that changes prices and does nothing else.
PLAIN = ("seals.my_sun.effects=[]", "seals.my_moon.effects=[]")


def prices(game, seat):
    """Return what the cards of all piles cost a seat."""
    return {kind: game.price(seat, kind) for kind in PILES}


# Placing them


@pytest.mark.rule("GM-K4")
@pytest.mark.parametrize("kind", PILES)
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_the_user_chooses_the_pile_among_stones_and_truth_cards(kind, players, seat):
    log, lineup = seated(players, **{f"seat{seat}": {"seal": [kind]}})
    seats = [{"hand": ["my_sunrise"]} for _ in range(players)]
    game = stage(*seats, seat=seat, phase="cast", lineup=lineup)
    assert game.seals == {}
    game.cast("my_sunrise")
    assert log == [(seat, "seal", kind)]
    assert game.seals == {"my_sun": kind}
    # An apprentice may choose the truth cards that it cannot obtain, and nobody may choose none.
    assert [set(options) for options in lineup[seat - 1].options("seal")] == [set(PILES)]
    assert game.play_area(seat) == ["my_sunrise"]


@pytest.mark.rule("GM-K4")
@pytest.mark.parametrize("kind", PILES)
def test_a_pile_that_is_empty_can_be_chosen(kind):
    empty = dict.fromkeys(PILES, 0)
    game = stage({"hand": ["my_sunrise"]}, {}, phase="cast", piles=empty, choices=[kind])
    game.cast("my_sunrise")
    assert game.seals == {"my_sun": kind}


@pytest.mark.rule("GM-K4")
@pytest.mark.parametrize("wrong", ["stop", "curse", EIGHT[0], "note", "my_sun", "sophia"])
def test_seals_lie_on_no_other_pile(wrong):
    game = stage({"hand": ["my_sunrise"]}, {}, phase="cast", choices=[wrong])
    with pytest.raises(InputError):
        game.cast("my_sunrise")
    assert game.seals == {}


@pytest.mark.rule("GM-K4")
@pytest.mark.parametrize("kind", PILES)
def test_a_seal_that_is_used_again_moves_or_stays(kind):
    hand = ["my_sunrise"] * 2
    for other in PILES:
        game = stage({"hand": hand}, {}, phase="cast", casts=2, choices=[kind, other])
        game.cast("my_sunrise")
        game.cast("my_sunrise")
        # There is one of each kind: it lies nowhere else.
        assert game.seals == {"my_sun": other}
        expected = {**PILES, other: max(0, PILES[other] + SUN)}
        assert prices(game, 1) == prices(game, 2) == expected
        assert list(game.choices) == []


@pytest.mark.rule("GM-K4")
def test_there_is_one_seal_of_a_kind_for_all_seats():
    seats = deep(3)
    for seat in seats:
        seat["hand"] = ["my_sunrise", "charm", "charm"]
    game = stage(*seats, phase="start", choices=["stone", "arcana", "stone"])
    for _, pile in zip((1, 2, 3), ["stone", "arcana", "stone"], strict=True):
        game.start_turn()
        game.cast("my_sunrise")
        assert game.seals == {"my_sun": pile}
        game.end_turn()


@pytest.mark.rule("GM-K4")
def test_seals_of_different_kinds_may_share_a_pile_or_not():
    hand = ["my_sunrise", "my_moonrise"]
    for sun in PILES:
        for moon in PILES:
            game = stage({"hand": hand}, {}, phase="cast", casts=2, choices=[moon, sun])
            game.cast("my_moonrise")
            game.cast("my_sunrise")
            assert game.seals == {"my_moon": moon, "my_sun": sun}
            for kind, cost in PILES.items():
                added = SUN * (kind == sun) + MOON * (kind == moon)
                assert game.price(1, kind) == game.price(2, kind) == max(0, cost + added)


@pytest.mark.rule("GM-K4")
def test_where_a_seal_may_lie_is_data():
    for group, piles in [("stones", {"fragment", "stone", "great_stone"}), ("truths", None)]:
        allowed = piles or {"charm", "ritual", "arcana"}
        _, lineup = seated(2)
        game = stage(
            {"hand": ["my_sunrise"]},
            {},
            phase="cast",
            lineup=lineup,
            overrides=(f'seals.my_sun.piles="{group}"',),
        )
        game.cast("my_sunrise")
        assert [set(options) for options in lineup[0].options("seal")] == [allowed]
    for group in ("magic", "any_witch", "notes"):
        with pytest.raises(DataError):
            TITLE.load(overlays=[OVERLAY], overrides=[f'seals.my_sun.piles="{group}"'])


@pytest.mark.rule("GM-K4")
def test_a_seal_that_no_condition_allows_is_not_placed():
    overrides = (effects_of("my_sunrise", "seal my_sun if gold >= 1", "mana 1"),)
    for gold, seals in [(0, {}), (1, {"my_sun": "charm"})]:
        choices = ["charm"] * gold
        seat = {"hand": ["my_sunrise"], "gold": gold}
        game = stage(seat, {}, phase="cast", choices=choices, overrides=overrides)
        game.cast("my_sunrise")
        assert (game.seals, game.mana) == (seals, 1)


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-K10")
def test_a_turn_start_effect_can_move_a_seal():
    overrides = (effects_of("my_permanent", "seal my_sun", key="turn_start"),)
    seats = deep(2, seat1={"own": ["my_permanent"]})
    game = stage(*seats, phase="start", overrides=overrides, choices=["stone", "charm"])
    game.start_turn()
    assert game.seals == {"my_sun": "stone"}
    to_next_start(game)
    assert game.seals == {"my_sun": "stone"}
    to_next_start(game)
    assert game.seals == {"my_sun": "charm"}


# What the cards of the pile cost


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-T15")
@pytest.mark.parametrize("kind", PILES)
@pytest.mark.parametrize("cost", [-9, -3, -1, 0, 2, 9])
def test_a_seal_changes_what_its_pile_costs_everybody(kind, cost):
    overrides = (*PLAIN, f"seals.my_sun.cost={cost}")
    price = max(0, PILES[kind] + cost)
    for seat in (1, 2, 3):
        position = {"phase": "acquire", "seat": seat, "seals": {"my_sun": kind}}
        seats = [{"witch": witch} for witch in ("ignis", "sophia", "brynhild")]
        for mana in {price, price + 3, max(0, price - 1)}:
            game = stage(*seats, overrides=overrides, mana=mana, **position)
            assert game.price(seat, kind) == price
            if mana < price:
                assert kind not in game.options()
                refuse(game, "acquire", kind)
            else:
                assert kind in game.options()
                game.acquire(kind)
                assert (game.mana, game.discard(seat)) == (mana - price, [kind])


@pytest.mark.rule("GM-K4")
def test_without_a_seal_all_costs_are_the_printed_ones():
    game = stage({"witch": "ignis"}, {}, phase="acquire", mana=30, acquisitions=9)
    assert prices(game, 1) == prices(game, 2) == PILES
    for kind, cost in PILES.items():
        before = game.mana
        game.acquire(kind)
        assert before - game.mana == cost


@pytest.mark.rule("GM-K4")
def test_other_piles_the_field_and_witches_cost_what_they_cost():
    position = {"phase": "acquire", "mana": 40, "acquisitions": 9, "field": shown(*EIGHT)}
    plain = stage({}, {}, **position)
    sealed = stage({}, {}, seals={"my_sun": "stone", "my_moon": "charm"}, **position)
    for kind in (*EIGHT, "fragment", "great_stone", "ritual", "arcana"):
        assert sealed.price(1, kind) == plain.price(1, kind)
    sealed.acquire("great_stone")
    assert sealed.mana == 40 - 6
    plain.contract("ignis")
    before = sealed.mana
    sealed.contract("ignis")
    assert before - sealed.mana == 40 - plain.mana


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-T5")
def test_the_changed_price_is_paid_with_mana_silver_and_gold():
    position = {"phase": "acquire", "mana": 1, "seals": {"my_moon": "stone"}, "overrides": PLAIN}
    game = stage({"silver": 1, "gold": 3}, {}, **position)
    game.acquire("stone")  # 3 + 1
    assert (game.mana, game.silver(1), game.gold(1)) == (0, 0, 1)
    short = stage({"silver": 1, "gold": 1}, {}, **position)
    refuse(short, "acquire", "stone")


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-N6")
def test_a_seal_and_a_discount_add_up():
    overrides = (*PLAIN, "witches.eclair.powers.arcana_discount=1")
    for sealed, price in [({}, 7), ({"my_moon": "arcana"}, 8), ({"my_sun": "arcana"}, 5)]:
        seats = [{"witch": "eclair"}, {"witch": "ignis"}]
        game = stage(*seats, phase="acquire", mana=price, seals=sealed, overrides=overrides)
        assert (game.price(1, "arcana"), game.price(2, "arcana")) == (price, price + 1)
        game.acquire("arcana")
        assert game.mana == 0


@pytest.mark.rule("GM-K4")
def test_a_seal_stays_through_turns_and_rounds_until_it_is_placed_anew():
    game = stage(*deep(3, seat1={"hand": ["my_sunrise"]}), phase="cast", choices=["stone"])
    game.cast("my_sunrise")
    for _ in range(7):
        to_next_start(game)
        assert game.seals == {"my_sun": "stone"}
        assert [game.price(seat, "stone") for seat in (1, 2, 3)] == [1, 1, 1]


@pytest.mark.rule("GM-K4")
def test_a_seal_placed_in_a_turn_counts_in_that_turn():
    seat = {"hand": ["my_sunrise", "fragment"]}
    game = stage(seat, {}, phase="cast", choices=["stone"])
    game.cast("my_sunrise")
    game.enter_acquisition()
    game.acquire("stone")
    assert (game.mana, game.discard(1)) == (0, ["stone"])


@pytest.mark.rule("GM-K4")
def test_the_card_on_a_sealed_pile_that_is_empty_cannot_be_acquired():
    position = {"phase": "acquire", "mana": 9, "piles": {"stone": 0}, "seals": {"my_sun": "stone"}}
    game = stage({}, {}, **position)
    assert "stone" not in game.options()
    refuse(game, "acquire", "stone")


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-C3")
def test_a_cheap_ritual_is_none_for_an_apprentice():
    game = stage({}, {}, phase="acquire", mana=9, seals={"my_sun": "ritual"})
    assert "ritual" not in game.options()
    refuse(game, "acquire", "ritual")


# What a card may be received for goes by its printed cost


def received(effect, seals, *choices, hand=(), cost=0):
    """Cast a card with this effect under seals; return the game and what could be received."""
    _, lineup = seated(2)
    overrides = (*PLAIN, f"seals.my_sun.cost={cost}", effects_of("my_magic", effect))
    game = stage(
        {"hand": ["my_magic", *hand], "witch": "ignis"},
        {},
        phase="cast",
        seals=seals,
        choices=choices,
        lineup=lineup,
        overrides=overrides,
        field=shown("my_magic"),
    )
    game.cast("my_magic")
    options = lineup[0].options("receive")
    return game, set(options[0]) if options else set()


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(("cost", "pile"), [(-9, "great_stone"), (9, "stone"), (9, "fragment")])
def test_costs_up_to_goes_by_the_printed_cost(cost, pile):
    game, options = received("receive 3 stones discard", {"my_sun": pile}, cost=cost)
    assert options == {"fragment", "stone"}
    assert game.price(1, pile) == max(0, PILES[pile] + cost)


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize("cost", [-9, 9])
def test_a_trade_goes_by_printed_costs_too(cost):
    for pile in ("ritual", "great_stone", "charm"):
        _, options = received("trade 3", {"my_sun": pile}, "charm", hand=["charm"], cost=cost)
        # From a charm (2): what costs up to 5.
        assert options == {"fragment", "stone", "charm", "ritual", "my_magic"}


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-F8")
def test_who_receives_a_card_of_the_pile_gets_nothing_from_the_seal():
    overrides = (
        'seals.my_sun.effects=["gold 3", "mana 3", "acquisitions 3"]',
        effects_of("my_magic", "receive 9 stones hand", "trade 2", "upgrade 1"),
    )
    choices = ["stone", "charm", "stone", "stone"]
    seat = {"hand": ["my_magic", "charm"]}
    game = stage(
        seat, {}, phase="cast", seals={"my_sun": "stone"}, choices=choices, overrides=overrides
    )
    game.cast("my_magic")
    assert (game.gold(1), game.mana, game.acquisitions) == (0, 0, 1)
    assert list(game.choices) == []


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-C2")
@pytest.mark.rule("GM-N5")
def test_gifts_of_a_contract_and_given_cards_bring_nothing_from_a_seal():
    overrides = ('seals.my_sun.effects=["gold 3", "tokens 3"]', 'witches.eclair.gifts=["stone"]')
    position = {"phase": "acquire", "mana": 30, "seals": {"my_sun": "stone"}}
    game = stage({}, {}, overrides=overrides, **position)
    game.contract("eclair")
    assert "stone" in game.discard(1)
    assert (game.gold(1), game.tokens(1)) == (0, 0)


# What a seal gives to who acquires


@pytest.mark.rule("GM-K4")
@pytest.mark.parametrize("kind", PILES)
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_a_seal_gives_to_whoever_acquires_and_to_nobody_else(kind, players, seat):
    overrides = ('seals.my_sun.effects=["gold 2", "mana 1", "tokens 1"]', "seals.my_sun.cost=0")
    witches = ["ignis", "sophia", "brynhild", "felicia"]
    seats = [{"witch": witch} for witch in witches[:players]]
    position = {"phase": "acquire", "mana": 20, "acquisitions": 3, "seals": {"my_sun": kind}}
    game = stage(*seats, seat=seat, overrides=overrides, **position)
    other = next(pile for pile in PILES if pile != kind)
    game.acquire(other)
    assert game.mana == 20 - PILES[other]
    assert [game.gold(each) for each in range(1, players + 1)] == [0] * players
    game.acquire(kind)
    assert game.mana == 20 - PILES[other] - PILES[kind] + 1
    for each in range(1, players + 1):
        assert (game.gold(each), game.tokens(each)) == ((2, 1) if each == seat else (0, 0))


@pytest.mark.rule("GM-K4")
def test_each_acquisition_from_the_pile_brings_it_again():
    game = stage({}, {}, phase="acquire", mana=9, seals={"my_sun": "charm"})
    for bought in (1, 2, 3, 4):
        # The seal of the sun: two less to pay, and an acquisition more.
        game.acquire("charm")
        assert (game.acquisitions, game.mana) == (1, 9)
        assert game.discard(1) == ["charm"] * bought


@pytest.mark.rule("GM-K4")
def test_placing_or_paying_for_other_cards_brings_nothing():
    seat = {"hand": ["my_moonrise", "great_stone"]}
    game = stage(seat, {}, phase="cast", choices=["stone"], field=shown("my_magic"))
    game.cast("my_moonrise")
    assert game.gold(1) == 0
    game.enter_acquisition()
    game.acquire("my_magic")
    assert game.gold(1) == 0


@pytest.mark.rule("GM-K4")
def test_the_card_is_taken_before_the_seal_gives():
    """A card that is drawn by the seal may be the very card that was acquired."""
    overrides = ('seals.my_sun.effects=["draw 1"]',)
    game = stage({}, {}, phase="acquire", mana=9, seals={"my_sun": "stone"}, overrides=overrides)
    game.acquire("stone")
    assert (game.hand(1), game.discard(1)) == (["stone"], [])
    # And it is paid for before: the gold that a seal gives pays for no card of its own.
    overrides = ('seals.my_sun.effects=["gold 9"]', "seals.my_sun.cost=0")
    position = {"phase": "acquire", "seals": {"my_sun": "stone"}}
    for mana, gold in [(2, 1), (3, 0)]:
        paid = stage({"gold": 1}, {}, mana=mana, overrides=overrides, **position)
        paid.acquire("stone")
        assert paid.gold(1) == 9 + 1 - gold
    refuse(stage({}, {}, mana=2, overrides=overrides, **position), "acquire", "stone")


@pytest.mark.rule("GM-K4")
def test_several_seals_on_a_pile_all_give_in_their_order():
    position = {"phase": "acquire", "mana": 9, "seals": {"my_sun": "stone", "my_moon": "stone"}}
    game = stage({}, {}, **position)
    game.acquire("stone")
    assert (game.mana, game.gold(1), game.acquisitions) == (9 - (3 + SUN + MOON), 1, 1)
    # The moon comes first, however they are listed in the position.
    overrides = (
        'seals.my_moon.effects=["mana 3"]',
        'seals.my_sun.effects=["mana 1 per mana"]',
    )
    for order in [("my_sun", "my_moon"), ("my_moon", "my_sun")]:
        position = {"phase": "acquire", "mana": 4, "seals": dict.fromkeys(order, "stone")}
        game = stage({}, {}, overrides=overrides, **position)
        game.acquire("stone")
        assert game.mana == 2 * (4 - 2 + 3)
    apart = {"my_sun": "stone", "my_moon": "charm"}
    game = stage({}, {}, phase="acquire", mana=4, seals=apart, overrides=overrides)
    game.acquire("charm")
    assert game.mana == 4 - 3 + 3


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-T4")
def test_what_a_seal_gives_can_be_used_in_the_same_phase():
    position = {"phase": "acquire", "mana": 1, "seals": {"my_sun": "stone"}}
    overrides = ('seals.my_sun.effects=["mana 2", "acquisitions 1"]',)
    game = stage({}, {}, overrides=overrides, **position)
    game.acquire("stone")
    assert (game.mana, game.acquisitions) == (2, 1)
    game.acquire("charm")
    assert game.discard(1) == ["stone", "charm"]


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-F8")
def test_an_arcana_of_a_sealed_pile_burns_the_magic_deck_like_any_other():
    position = {"phase": "acquire", "mana": 9, "magic_deck": [EIGHT[0], EIGHT[1]]}
    seals = {"my_moon": "arcana"}
    game = stage({"witch": "ignis"}, {}, seals=seals, **position)
    game.acquire("arcana")
    assert (game.burned, game.gold(1), game.mana) == ([EIGHT[0]], 1, 0)
    assert game.arcana_taken(1) == 1


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-W6")
def test_everybody_sees_where_the_seals_lie():
    seals = {"my_sun": "stone", "my_moon": "stone"}
    game = stage({}, {}, {}, phase="cast", seals=seals)
    for seat in (1, 2, 3):
        assert game.observe(seat, "sealed", "stone") == 2
        assert game.observe(seat, "sealed", "charm") == 0
        assert game.observe(seat, "price", "stone") == game.price(seat, "stone") == 2


@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-T13")
def test_cards_and_seals_work_in_extra_turns_as_in_others():
    seat = {"hand": ["my_sunrise", "fragment"]}
    game = stage(seat, {}, phase="cast", extra=True, choices=["stone"])
    game.cast("my_sunrise")
    game.enter_acquisition()
    game.acquire("stone")
    assert (game.mana, game.acquisitions) == (0, 1)
