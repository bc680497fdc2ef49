"""GM-K: sorts of cards, and effects as data: every primitive, every card of the data."""

from __future__ import annotations

from collections import Counter

import pytest

from sim.errors import DataError, InputError
from sim.titles.granmagia import TITLE
from tests.titles.granmagia.staging import (
    CARDS,
    DEEP,
    EIGHT,
    EXCLUSIVES,
    RARES,
    WITCHES,
    Asked,
    own_cards,
    refuse,
    rules,
    shown,
    stage,
)

SPRING = "mana_spring"


def cast(effects, seat=None, *others, hand=(), **more):
    """Cast a card with these effects, the rest of the hand beside it."""
    listed = ", ".join(f'"{effect}"' for effect in effects)
    seat = {"deck": [], **(seat or {}), "hand": [*hand[:1], SPRING, *hand[1:]]}
    overrides = (f"cards.{SPRING}.effects=[{listed}]", *more.pop("overrides", ()))
    game = stage(seat, *(others or [{}]), phase="cast", overrides=overrides, **more)
    game.cast(SPRING)
    return game


# GM-K8, GM-K7 and GM-K6: what cards there are


@pytest.mark.rule("GM-K8")
@pytest.mark.parametrize("kind", ["charm", "ritual", "arcana", "curse"])
def test_truth_and_curses_cannot_be_used(kind):
    seat = {"hand": [kind, "market", kind], "witch": "ignis"}
    game = stage(seat, {}, phase="cast", casts=5)
    assert set(game.options()) == {"market", "stop"}
    refuse(game, "cast", kind)
    game.enter_acquisition()
    assert Counter(game.hand(1)) == Counter({kind: 2, "market": 1})
    assert game.mana == 0
    assert game.truth(1) == 2 * {"charm": 1, "ritual": 3, "arcana": 6, "curse": -1}[kind]


@pytest.mark.rule("GM-K8")
@pytest.mark.rule("GM-T3")
@pytest.mark.parametrize("kind", ["fragment", "stone", "great_stone"])
def test_stones_are_not_cast(kind):
    game = stage({"hand": [kind]}, {}, phase="cast", casts=5)
    assert set(game.options()) == {"stop"}
    refuse(game, "cast", kind)


@pytest.mark.rule("GM-K7")
def test_exclusives_come_by_a_contract_only():
    asked = Asked()
    overrides = ('cards.wishing_star.effects=["receive 9 card hand"]',)
    seat = {"hand": ["wishing_star"], "witch": "celestina"}
    game = stage(seat, {}, phase="cast", mana=20, overrides=overrides, lineup=[asked, asked])
    game.cast("wishing_star")
    (options,) = asked.options("receive")
    assert not set(EXCLUSIVES) & set(options)
    game.enter_acquisition()
    assert not set(EXCLUSIVES) & set(game.options())
    refuse(game, "acquire", "stone_fusion")


@pytest.mark.parametrize(
    ("key", "source", "ref"),
    [
        ("supply.chapters", "assumed", "GM-F9"),
        ("witches.celestina.note_gifts", "assumed", "GM-C9"),
        ("witches.sophia.note_gifts", "rulebook", "GM-N3"),
        *((f"cards.{stone}.mana", "rulebook", "GM-T4") for stone in ("stone", "great_stone")),
        *((f"cards.{truth}.truth", "rulebook", "GM-W2") for truth in ("charm", "ritual", "arcana")),
        ("cards.fragment.mana", "rulebook", "GM-T4"),
        ("cards.curse.truth", "rulebook", "GM-K8"),
        ("cards.censor.chapter", "rulebook", "GM-F2"),
        ("cards.exorcism_bell.chapter", "rulebook", "GM-F2"),
        ("cards.market.chapter", "assumed", "GM-K6"),
        ("cards.old_note.sort", "rulebook", "GM-K6"),
    ],
)
def test_values_name_the_rule_that_states_them(key, source, ref):
    found = rules().source(key)
    assert (found.source, found.ref) == (source, ref)


@pytest.mark.rule("GM-W2")
@pytest.mark.parametrize("kind", ["stone", "note", "apprentice", "market", "old_note"])
def test_only_truth_cards_and_the_curse_are_worth_truth(kind):
    with pytest.raises(DataError, match="only truth cards and the curse count"):
        TITLE.load(overrides=[f"cards.{kind}.truth=1"])


# GM-K5: primitives


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    ("effects", "casts", "acquisitions", "mana", "gold"),
    [
        (["casts 1"], 1, 1, 0, 3),
        (["casts 2", "casts 3"], 5, 1, 0, 3),
        (["acquisitions 2"], 0, 3, 0, 3),
        (["mana 4"], 0, 1, 4, 3),
        (["gold 2", "mana 1"], 0, 1, 1, 5),
        (["gold -2"], 0, 1, 0, 1),
        (["mana 5", "mana -2"], 0, 1, 3, 3),
    ],
)
def test_numbers_that_a_card_gives(effects, casts, acquisitions, mana, gold):
    game = cast(effects, {"gold": 3}, {"gold": 7})
    assert (game.casts, game.acquisitions, game.mana) == (casts, acquisitions, mana)
    assert (game.gold(1), game.gold(2)) == (gold, 7)


@pytest.mark.rule("GM-T15")
def test_what_a_card_takes_away_stops_at_nothing():
    game = cast(["casts -3", "gold -9", "mana -4", "acquisitions -5"], {"gold": 3}, casts=3, mana=2)
    assert (game.casts, game.gold(1), game.mana, game.acquisitions) == (0, 0, 0, 0)
    # Nothing is owed.
    game = cast(["casts -3", "gold -9", "casts 1", "gold 2", "mana 2"], {"gold": 3}, casts=2)
    assert (game.casts, game.gold(1), game.mana) == (1, 2, 2)


@pytest.mark.rule("GM-K5")
def test_draw_and_draw_to():
    deck = ["stone", "charm", "ritual", "market", "curse", "fragment"]
    assert cast(["draw 2"], {"deck": deck}, hand=["note"]).hand(1) == ["note", *deck[:2]]
    # The card that is used is in hand no more.
    assert cast(["draw_to 4"], {"deck": deck}, hand=["note"]).hand(1) == ["note", *deck[:3]]
    assert cast(["draw_to 4"], {"deck": deck}, hand=["note"] * 5).hand(1) == ["note"] * 5
    assert cast(["draw_to 3"], {"deck": ["stone"]}).hand(1) == ["stone"]


@pytest.mark.rule("GM-K5")
def test_discard_is_compulsory_and_up_to_is_not():
    hand = ["note", "charm", "stone"]
    with pytest.raises(InputError):
        cast(["discard 2"], hand=hand, choices=["stop"])
    game = cast(["discard 2"], hand=hand, choices=["charm", "note"])
    assert game.discard(1) == ["charm", "note"]
    assert game.hand(1) == ["stone"]
    assert cast(["discard 5"], hand=hand, choices=["stone", "note"]).hand(1) == []
    up_to = cast(["discard_up_to 2"], hand=hand, choices=["stone", "stop"])
    assert up_to.discard(1) == ["stone"]
    both = cast(["discard_up_to 2"], hand=hand, choices=["stone", "charm"])
    assert both.hand(1) == ["note"]


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-K6")
def test_burn_is_compulsory_and_up_to_is_not():
    hand = ["note", "charm", "stone"]
    with pytest.raises(InputError):
        cast(["burn 1"], hand=hand, choices=["stop"])
    game = cast(["burn 2"], hand=hand, choices=["stone", "charm"])
    assert (game.burned, game.hand(1)) == (["stone", "charm"], ["note"])
    assert game.discard(1) == []
    none = cast(["burn_up_to 2"], hand=hand, choices=["stop"])
    assert (none.burned, none.hand(1)) == ([], hand)
    assert cast(["burn_up_to 2"], hand=hand, choices=["note", "charm"]).hand(1) == ["stone"]


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-T11")
def test_counters_of_a_card_begin_anew_with_each_card():
    seat = {"hand": ["old_shelves", "old_shelves", "note", "charm", "stone"], "deck": DEEP}
    choices = ["note", "charm", "stop", "stone", "stop"]
    game = stage(seat, {}, phase="cast", choices=choices)
    game.cast("old_shelves")
    assert Counter(game.hand(1)) == Counter(old_shelves=1, stone=1, fragment=2)
    game.cast("old_shelves")
    assert Counter(game.hand(1)) == Counter(fragment=3)
    assert game.discard(1) == ["note", "charm", "stone"]
    burned = ["burn_up_to 3", "mana 2 per just_burned"]
    assert cast(burned, hand=["note", "charm"], choices=["note", "charm"]).mana == 4
    assert cast(burned, hand=["note", "charm"], choices=["stop"], burned=["charm"]).mana == 0


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize("more", [0, 1, 2, 3])
def test_trade_receives_what_costs_a_little_more(more):
    """From a stone (3): what costs up to so much more; the truth cards need a contract."""
    field = {**shown("workshop", "prayer", "market", "grand_library"), "treasury": 1}
    asked = Asked(burn=["stone"], receive=["fragment"])
    hand = ["note", "stone"]
    game = cast([f"trade {more}"], hand=hand, field=field, lineup=[asked, asked])
    (options,) = asked.options("receive")
    costs = {kind: CARDS[kind]["cost"] for kind in field}
    costs |= {"fragment": 0, "stone": 3, "great_stone": 6, "charm": 2}
    assert set(options) == {kind for kind, cost in costs.items() if cost <= 3 + more}
    assert game.burned == ["stone"]
    assert game.discard(1) == ["fragment"]
    assert game.hand(1) == ["note"]
    assert "stop" in asked.options("burn")[0]


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-K6")
@pytest.mark.rule("GM-F8")
def test_a_trade_may_be_left_and_a_traded_arcana_burns_the_deck():
    hand = ["note", "ritual"]
    left = cast(["trade 3"], {"witch": "ignis"}, hand=hand, choices=["stop"])
    assert (left.burned, left.hand(1), left.discard(1)) == ([], hand, [])
    position = {"magic_deck": ["censor", "prayer"]}
    choices = ["ritual", "arcana"]
    game = cast(["trade 3"], {"witch": "ignis"}, hand=hand, choices=choices, **position)
    assert game.discard(1) == ["arcana"]
    assert game.burned == ["ritual", "censor"]
    assert game.magic_deck == ["prayer"]
    with pytest.raises(InputError):  # an apprentice gets none
        cast(["trade 3"], hand=hand, choices=choices, **position)


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    ("group", "allowed"),
    [
        ("stones", {"fragment", "stone"}),
        ("truths", {"charm", "ritual"}),
        ("magic", {"market", "dragon_egg", "purifying_flame"}),
        ("common", {"market", "purifying_flame"}),
        ("burn", {"purifying_flame"}),
        ("rare", {"dragon_egg"}),
        (
            "card",
            {"fragment", "stone", "charm", "ritual", "market", "dragon_egg", "purifying_flame"},
        ),
    ],
)
@pytest.mark.parametrize("place", ["hand", "discard"])
def test_receive_goes_by_cost_group_and_place(group, allowed, place):
    field = {"market": 2, "dragon_egg": 1, "great_grimoire": 1, "purifying_flame": 3}
    asked = Asked()
    effects = [f"receive 5 {group} {place}"]
    game = cast(effects, {"witch": "ignis"}, field=field, lineup=[asked, asked])
    offered = asked.options("receive")
    got = game.hand(1) if place == "hand" else game.discard(1)
    assert set(got) <= allowed
    assert len(got) == 1
    # With one kind there is nothing to ask.
    assert [set(options) for options in offered] == ([allowed] if len(allowed) > 1 else [])
    assert own_cards(game, 1) == Counter([SPRING, *got])
    if got[0] in field:
        assert game.field.get(got[0], 0) == field[got[0]] - 1


@pytest.mark.rule("GM-K5")
def test_with_nothing_on_offer_nothing_is_received():
    game = cast(["receive 5 rare hand", "mana 1"], field=shown("market"))
    assert (game.hand(1), game.mana) == ([], 1)
    over = cast(["receive 4 common hand", "mana 1"], field=shown("market"))
    assert (over.hand(1), over.mana) == ([], 1)


@pytest.mark.rule("GM-K5")
def test_upgrade_burns_a_stone_for_the_next_larger_one():
    hand = ["fragment", "stone", "great_stone"]
    game = cast(["upgrade 1"], hand=hand, choices=["fragment"])
    assert Counter(game.hand(1)) == Counter(stone=2, great_stone=1)
    assert game.burned == ["fragment"]
    assert game.piles["stone"] == 39
    twice = cast(["upgrade 2"], hand=hand, choices=["fragment", "stone"])
    assert Counter(twice.hand(1)) == Counter(stone=1, great_stone=2)
    left = cast(["upgrade 2"], hand=hand, choices=["stone", "stop"])
    assert Counter(left.hand(1)) == Counter(fragment=1, great_stone=2)
    with pytest.raises(InputError):  # there is none larger
        cast(["upgrade 1"], hand=hand, choices=["great_stone"])
    # An upgraded stone gives its mana in this turn.
    twice.enter_acquisition()
    assert twice.mana == 2 + 3 + 3


@pytest.mark.rule("GM-K5")
def test_look_discards_or_leaves_from_the_top_down():
    deck = ["stone", "note", "charm", "ritual"]
    game = cast(["look 3"], {"deck": deck, "discard": ["curse"]}, choices=["stop", "note", "charm"])
    assert game.deck(1) == ["stone", "ritual"]
    assert game.discard(1) == ["curse", "note", "charm"]
    keep = cast(["look 3", "draw 2"], {"deck": deck}, choices=["stop"] * 3)
    assert keep.hand(1) == ["stone", "note"]
    assert keep.deck(1) == ["charm", "ritual"]


@pytest.mark.rule("GM-K5")
def test_effects_come_in_their_order_and_conditions_are_looked_up_then():
    deck = ["stone", "charm", "ritual"]
    # A drawn card may be burned by the same card.
    game = cast(["draw 1", "burn 1"], {"deck": deck}, hand=["note"], choices=["stone"])
    assert (game.hand(1), game.burned) == (["note"], ["stone"])
    # The condition sees the hand as it is after the first draw: 4 or 5 cards.
    for held, drawn in [(3, 2), (4, 1)]:
        effects = ["draw 1", "draw 1 if hand <= 4"]
        game = cast(effects, {"deck": deck}, hand=["note"] * held)
        assert len(game.hand(1)) == held + drawn
    both = ["mana 1 if gold >= 2 and round <= 3"]
    for gold, rnd, mana in [(2, 3, 1), (1, 3, 0), (2, 4, 0)]:
        assert cast(both, {"gold": gold}, round=rnd).mana == mana
    assert cast(["mana 2", "mana 1 per mana"]).mana == 4


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-W6")
@pytest.mark.parametrize(
    ("observable", "value"),
    [
        ("truth", 8),
        ("truth_lead", 5),
        ("arcana_taken", 4),
        ("arcana_lead", 2),
        ("tokens", 2),
        ("gold", 3),
        ("hand", 3),
        ("deck", 1),
        ("discard", 2),
        ("hand_has.charm", 2),
        ("owned.charm", 3),
        ("owned_group.truths", 4),
        ("hand_group.stones", 1),
        ("rivals_contracted", 1),
        ("contracted", 1),
        ("players", 3),
        ("seat", 2),
        ("round", 6),
        ("kinds_left", 8),
        ("magic_deck", 3),
        ("pile.stone", 7),
        ("field.market", 5),
    ],
)
def test_what_conditions_can_see(observable, value):
    seats = [
        {"discard": ["ritual"], "witch": "sophia", "arcana_taken": 2},
        {
            "deck": ["curse"],
            "discard": ["arcana", "charm"],
            "witch": "ignis",
            "tokens": 2,
            "gold": 3,
            "arcana_taken": 4,
        },
        {"hand": ["charm"] * 2},
    ]
    hand = ["charm", SPRING, "charm", "stone"]
    truth = 6 + 1 + 1 + 1 - 1 + 2
    expected = {"truth": truth, "truth_lead": truth - 3}.get(observable, value)
    seats[1]["hand"] = hand
    position = {"seat": 2, "round": 6, "piles": {"stone": 7}, "magic_deck": ["censor"] * 3}
    overrides = (f'cards.{SPRING}.effects=["mana 1 per {observable}"]',)
    game = stage(*seats, phase="cast", overrides=overrides, **position)
    game.cast(SPRING)
    assert game.mana == expected


@pytest.mark.rule("GM-N10")
def test_silver_is_no_gold_for_a_condition():
    seats = [{}, {"silver": 2, "hand": [SPRING]}]
    for condition, mana in [("gold >= 1", 0), ("silver >= 2", 5), ("coins >= 2", 5)]:
        overrides = (f'cards.{SPRING}.effects=["mana 5 if {condition}"]',)
        game = stage(*seats, seat=2, phase="cast", overrides=overrides)
        game.cast(SPRING)
        assert game.mana == mana


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    "effect",
    ["fly 3", "mana", "mana many", "mana 1 if moon >= 1", "receive 3 card moon", "draw -1"],
)
def test_effects_that_do_not_exist_are_told_with_their_key(effect):
    with pytest.raises(DataError, match=r"cards\.market\.effects"):
        TITLE.load(overrides=(f'cards.market.effects=["{effect}"]',))


# GM-K7: exclusives and rares


@pytest.mark.rule("GM-N1")
@pytest.mark.rule("GM-K7")
def test_celestinas_cards_are_cast_like_magic():
    hand = ["stone_recycling", "stone", "great_stone", "stone_fusion", "note"]
    seat = {"hand": hand, "deck": ["fragment"], "witch": "celestina"}
    game = stage(seat, {}, phase="cast", choices=["fragment"])
    game.cast("stone_recycling")
    assert (game.mana, game.casts) == (6, 1)
    game.cast("stone_fusion")
    assert Counter(game.hand(1)) == Counter(stone=2, great_stone=1, note=1)
    game.enter_acquisition()
    assert game.mana == 6 + 2 + 2 + 3


@pytest.mark.rule("GM-T5")
@pytest.mark.rule("GM-K7")
@pytest.mark.parametrize("kind", RARES)
def test_a_rare_is_acquired_once(kind):
    cost = CARDS[kind]["cost"]
    field = {**shown(*EIGHT[:6]), kind: 1}
    game = stage({}, {}, phase="acquire", mana=2 * cost, acquisitions=2, field=field)
    game.acquire(kind)
    assert (game.mana, game.discard(1)) == (cost, [kind])
    assert dict(game.field) == shown(*EIGHT[:6])
    refuse(game, "acquire", kind)
    assert set(WITCHES) == set(game.witches)
