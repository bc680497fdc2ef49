"""GM-C and the gifts of GM-N: contracts with the witches."""

from __future__ import annotations

from collections import Counter

import pytest

from sim.errors import InputError
from tests.titles.granmagia.staging import (
    COST,
    DEEP,
    EIGHT,
    WITCHES,
    Asked,
    own_cards,
    refuse,
    shown,
    stage,
)
from tests.titles.granmagia.witchcraft import OTHER, made, named, pass_turns

# GM-C1: making a contract


@pytest.mark.rule("GM-C1")
@pytest.mark.rule("GM-C5")
@pytest.mark.parametrize("witch", WITCHES)
def test_a_contract_costs_mana_alone_and_one_acquisition(witch):
    cost = WITCHES[witch]["cost"]
    seats = [{"gold": 9}, {"silver": 9, "gold": 9}]
    for seat in (1, 2):
        position = {"seat": seat, "phase": "acquire", "acquisitions": 2}
        short = stage(*seats, mana=cost - 1, **position)
        assert witch not in short.options()
        refuse(short, "contract", witch)
        game = stage(*seats, mana=cost, **position)
        assert witch in game.options()
        game.contract(witch)
        assert (game.mana, game.gold(seat), game.acquisitions) == (0, 9, 1)
        assert game.witch(seat) == witch
        assert game.own(seat) == [witch]
        assert game.witch(3 - seat) is None


@pytest.mark.rule("GM-C1")
def test_contracts_are_made_in_the_acquisition_phase_with_an_acquisition_left():
    game = stage({"hand": ["cauldron"]}, {}, phase="cast", mana=20)
    assert not set(WITCHES) & set(game.options())
    refuse(game, "contract", "sophia")
    refuse(stage({}, {}, phase="acquire", mana=20, acquisitions=0), "contract", "sophia")


@pytest.mark.rule("GM-C1")
def test_one_contract_for_each_player():
    game = stage({"deck": DEEP}, {"deck": DEEP}, phase="acquire", mana=30, acquisitions=3)
    game.contract("sophia")
    assert not set(WITCHES) & set(game.options())
    refuse(game, "contract", "ignis")
    assert game.acquisitions == 2
    contracted = stage({"witch": "eclair"}, {}, phase="acquire", mana=20)
    refuse(contracted, "contract", "ignis")


@pytest.mark.rule("GM-C1")
def test_first_come_first_served():
    seats = [{"deck": DEEP}, {"deck": DEEP, "hand": ["great_stone"] * 4}]
    game = stage(*seats, phase="acquire", mana=COST["sophia"])
    game.contract("sophia")
    game.end_turn()
    game.start_turn()
    game.enter_acquisition()
    assert game.mana == 12
    assert "sophia" not in game.options()
    refuse(game, "contract", "sophia")
    game.contract("ignis")
    assert (game.witch(1), game.witch(2)) == ("sophia", "ignis")


@pytest.mark.rule("GM-C1")
@pytest.mark.parametrize("name", ["market", "merlin", "stop"])
def test_only_witches_of_the_field_are_contracted(name):
    refuse(stage({}, {}, phase="acquire", mana=20), "contract", name)
    refuse(stage({}, {}, phase="acquire", mana=20, witches=["ignis"]), "contract", "sophia")


# GM-C2: what a contract does


@pytest.mark.rule("GM-C2")
@pytest.mark.parametrize("zone", ["hand", "deck", "discard", "play", "own"])
def test_the_apprentice_is_removed_from_wherever_it_lies(zone):
    seats = [{zone: ["charm", "apprentice", "ritual"]}, {zone: ["apprentice"]}]
    game = stage(*seats, phase="acquire", mana=COST["ignis"])
    game.contract("ignis")
    assert own_cards(game, 1) == Counter(charm=1, ritual=1)
    assert game.removed == ["apprentice"]
    assert game.burned == []
    assert own_cards(game, 2) == Counter(apprentice=1)
    assert "ignis" in game.own(1)


@pytest.mark.rule("GM-C2")
@pytest.mark.parametrize("zone", ["hand", "deck", "discard", "play", "own"])
def test_notes_are_burned_in_every_zone(zone):
    cards = ["charm", "note", "ritual", "old_note", "note", "fragment"]
    seats = [{zone: cards}, {"hand": ["note"], "deck": ["old_note"]}]
    position = {"phase": "acquire", "mana": COST["ignis"], "burned": ["stone"]}
    overrides = ("witches.ignis.note_gifts=[]", "witches.ignis.gifts=[]")
    game = stage(*seats, overrides=overrides, **position)
    game.contract("ignis")
    assert own_cards(game, 1) == Counter(charm=1, ritual=1, fragment=1)
    assert game.burned[0] == "stone"
    assert Counter(game.burned[1:]) == Counter(note=2, old_note=1)
    assert own_cards(game, 2) == Counter(note=1, old_note=1)


@pytest.mark.rule("GM-C2")
def test_notes_of_all_zones_are_burned_together():
    seat = {
        "hand": ["note", "charm"],
        "deck": ["stone", "note", "market", "old_note", "apprentice", "fragment"],
        "discard": ["curse", "note"],
        "play": ["cauldron", "note"],
        "own": ["note"],
    }
    notes = '["charm", "ritual", "stone", "charm", "ritual", "fragment", "arcana"]'
    overrides = (f"witches.ignis.note_gifts={notes}",)
    field = {**shown(*EIGHT), "old_note": 1}
    position = {
        "phase": "acquire",
        "mana": COST["ignis"],
        "field": field,
        "magic_deck": ["old_note"],
    }
    game = stage(seat, {}, overrides=overrides, **position)
    game.contract("ignis")
    assert Counter(game.burned) == Counter(note=5, old_note=1)
    assert game.hand(1) == ["charm"]
    assert game.play_area(1) == ["cauldron"]
    assert game.own(1) == ["ignis"]
    # The rest of the deck keeps its order; what is received comes after what was discarded.
    assert game.deck(1) == ["stone", "market", "fragment"]
    assert game.discard(1) == ["curse", "charm", "ritual", "stone", "charm", "ritual", "fragment"]
    # Notes in the public field and in the magic deck stay.
    assert game.field["old_note"] == 1
    assert game.magic_deck == ["old_note"]


@pytest.mark.rule("GM-C2")
def test_the_deck_is_drawn_in_its_old_order_after_the_contract():
    deck = ["note", "stone", "apprentice", "charm", "old_note", "market", "curse", "ritual", "note"]
    seat = {"deck": deck, "discard": ["fragment"] * 4}
    overrides = ("witches.ignis.note_gifts=[]", "witches.ignis.gifts=[]")
    game = stage(seat, {}, phase="acquire", mana=COST["ignis"], overrides=overrides)
    game.contract("ignis")
    game.end_turn()
    assert game.hand(1) == ["stone", "charm", "market", "curse", "ritual"]
    assert game.deck(1) == []
    assert game.counter(1, "shuffles") == 0


@pytest.mark.rule("GM-C2")
@pytest.mark.rule("GM-N1")
@pytest.mark.rule("GM-N3")
@pytest.mark.rule("GM-C9")
@pytest.mark.parametrize(
    ("witch", "gifts"),
    [("celestina", ["stone_recycling", "stone_fusion"]), ("sophia", ["charm", "ritual"])],
)
@pytest.mark.parametrize("notes", [0, 1, 2, 3, 4])
def test_the_nth_note_brings_the_nth_card(witch, gifts, notes):
    seat = {"discard": ["stone"], "deck": ["note", "charm", "note", "note", "note"][: notes + 1]}
    if notes == 0:
        seat["deck"] = ["charm"]
    elif notes == 1:
        seat["deck"] = ["charm", "note"]
    overrides = (f"witches.{witch}.gifts=[]",)
    game = stage(seat, {}, phase="acquire", mana=COST[witch], overrides=overrides)
    game.contract(witch)
    assert game.discard(1) == ["stone", *gifts[:notes]]
    assert game.burned == ["note"] * notes
    assert game.deck(1) == ["charm"]


@pytest.mark.rule("GM-C2")
def test_an_old_note_counts_as_a_note_of_the_contract():
    game = stage({"hand": ["old_note"]}, {}, phase="acquire", mana=COST["celestina"])
    game.contract("celestina")
    assert game.burned == ["old_note"]
    assert game.discard(1) == ["stone_recycling"]


@pytest.mark.rule("GM-C2")
def test_where_gifts_go_is_data():
    seat = {"hand": ["note", "charm"], "deck": ["note"], "discard": ["stone"]}
    overrides = ('contract.gift_place="hand"',)
    game = stage(seat, {}, phase="acquire", mana=COST["celestina"], overrides=overrides)
    game.contract("celestina")
    assert game.hand(1) == ["charm", "stone_recycling", "stone_fusion"]
    assert game.discard(1) == ["stone"]


@pytest.mark.rule("GM-C2")
@pytest.mark.rule("GM-C3")
def test_truth_is_open_from_that_turn_on_for_the_acquisitions_left():
    seats = [{"deck": DEEP}, {}]
    position = {"phase": "acquire", "mana": COST["sophia"] + 8 + 5, "acquisitions": 3}
    game = stage(*seats, overrides=("witches.sophia.gifts=[]",), **position)
    assert not {"ritual", "arcana"} & set(game.options())
    game.contract("sophia")
    assert {"ritual", "arcana"} <= set(game.options())
    game.acquire("arcana")
    game.acquire("ritual")
    assert game.discard(1) == ["arcana", "ritual"]
    assert game.truth(1) == 9


# GM-C3: apprentices and truth


@pytest.mark.rule("GM-C3")
@pytest.mark.parametrize("kind", ["ritual", "arcana"])
def test_an_apprentice_acquires_no_truth_but_charms(kind):
    seats = [{}, {"witch": "sophia"}]
    apprentice = stage(*seats, phase="acquire", mana=20)
    assert kind not in apprentice.options()
    assert "charm" in apprentice.options()
    refuse(apprentice, "acquire", kind)
    apprentice.acquire("charm")
    named = stage(*seats, seat=2, phase="acquire", mana=20)
    named.acquire(kind)
    assert named.discard(2) == [kind]


@pytest.mark.rule("GM-C3")
@pytest.mark.parametrize(("witch", "offered"), [(None, set()), ("ignis", {"ritual", "arcana"})])
def test_an_effect_offers_an_apprentice_no_ritual_and_no_arcana(witch, offered):
    asked = Asked(receive=["charm"])
    seat = {"hand": ["wishing_star"], "witch": witch}
    overrides = ('cards.wishing_star.effects=["receive 8 card hand"]',)
    game = stage(seat, {}, phase="cast", overrides=overrides, lineup=[asked, asked])
    game.cast("wishing_star")
    (options,) = asked.options("receive")
    assert {"ritual", "arcana"} & set(options) == offered
    assert "charm" in options
    assert "stop" not in options
    again = stage(seat, {}, phase="cast", overrides=overrides, choices=["ritual"])
    if witch:
        again.cast("wishing_star")
        assert again.hand(1) == ["ritual"]
    else:
        with pytest.raises(InputError):
            again.cast("wishing_star")


@pytest.mark.rule("GM-C3")
@pytest.mark.rule("GM-T7")
def test_being_named_lasts():
    seats = [{"deck": ["great_stone"] * 20}, {"deck": DEEP}]
    game = stage(*seats, phase="acquire", mana=COST["ignis"])
    game.contract("ignis")
    game.end_turn()
    game.start_turn()
    game.end_turn()
    game.start_turn()
    game.enter_acquisition()
    assert game.seat == 1
    assert game.own(1) == ["ignis"]
    game.acquire("arcana")
    assert game.discard(1) == ["arcana"]


# GM-C4: the discount


@pytest.mark.rule("GM-C4")
@pytest.mark.parametrize("rnd", [1, 9, 10, 11, 12, 30])
@pytest.mark.parametrize("witch", WITCHES)
def test_from_round_eleven_on_every_contract_costs_one_less(rnd, witch):
    cost = WITCHES[witch]["cost"] - (rnd >= 11)
    for seat in (1, 3):
        position = {"seat": seat, "round": rnd, "phase": "acquire"}
        short = stage({}, {}, {}, mana=cost - 1, **position)
        assert witch not in short.options()
        refuse(short, "contract", witch)
        game = stage({}, {}, {}, mana=cost, **position)
        game.contract(witch)
        assert game.mana == 0
        richer = stage({}, {}, {}, mana=cost + 1, **position)
        richer.contract(witch)
        assert richer.mana == 1


@pytest.mark.rule("GM-C4")
def test_it_is_the_round_that_counts_and_not_the_own_turns():
    many = [{"turns": 15}, {"turns": 15}]
    mana = COST["sophia"] - 1
    refuse(stage(*many, round=10, phase="acquire", mana=mana), "contract", "sophia")
    few = stage({"turns": 3}, {"turns": 3}, round=11, phase="acquire", mana=mana)
    few.contract("sophia")
    assert few.witch(1) == "sophia"


@pytest.mark.rule("GM-C4")
def test_the_discount_comes_with_the_round():
    seats = [{"deck": ["stone", "stone", "fragment", "note", "charm"] * 3} for _ in range(2)]
    overrides = ("witches.sophia.cost=6",)
    game = stage(*seats, seat=2, round=10, phase="acquire", mana=5, overrides=overrides)
    refuse(game, "contract", "sophia")
    game.end_turn()
    assert (game.round, game.seat) == (11, 1)
    game.start_turn()
    game.enter_acquisition()
    # Reversal filled the empty hand: two stones and a fragment.
    assert game.mana == 5
    game.contract("sophia")


@pytest.mark.rule("GM-C4")
@pytest.mark.parametrize(
    ("overrides", "rnd", "cost"),
    [
        (("contract.discount_round=5",), 4, 6),
        (("contract.discount_round=5",), 5, 5),
        (("contract.discount=3",), 10, 6),
        (("contract.discount=3",), 11, 3),
    ],
)
def test_round_and_size_of_the_discount_are_data(overrides, rnd, cost):
    overrides = ("witches.sophia.cost=6", *overrides)
    position = {"round": rnd, "phase": "acquire", "overrides": overrides}
    refuse(stage({}, {}, mana=cost - 1, **position), "contract", "sophia")
    stage({}, {}, mana=cost, **position).contract("sophia")


@pytest.mark.rule("GM-C4")
def test_cards_get_no_cheaper():
    position = {"round": 11, "phase": "acquire", "field": shown("market")}
    refuse(stage({}, {}, mana=4, **position), "acquire", "market")


# GM-C5: costs and gifts are data


@pytest.mark.rule("GM-C5")
def test_costs_and_gifts_are_data():
    overrides = (
        "witches.ignis.cost=9",
        'witches.ignis.note_gifts=["stone_fusion", "stone"]',
        'witches.sophia.note_gifts=["ritual"]',
        "witches.ignis.gifts=[]",
        "witches.sophia.gifts=[]",
    )
    seat = {"deck": ["note", "note"]}
    refuse(stage(seat, {}, phase="acquire", mana=8, overrides=overrides), "contract", "ignis")
    game = stage(seat, {}, phase="acquire", mana=9, overrides=overrides)
    game.contract("ignis")
    assert game.discard(1) == ["stone_fusion", "stone"]
    other = stage(seat, {}, phase="acquire", mana=COST["sophia"], overrides=overrides)
    other.contract("sophia")
    assert other.discard(1) == ["ritual"]


@pytest.mark.rule("GM-C5")
@pytest.mark.parametrize("witch", WITCHES)
def test_witches_without_gifts_in_the_data_give_nothing(witch):
    overrides = (f"witches.{witch}.gifts=[]", f"witches.{witch}.note_gifts=[]")
    seat = {"hand": ["note"], "discard": ["note"]}
    game = stage(seat, {}, phase="acquire", mana=COST[witch], overrides=overrides)
    game.contract(witch)
    assert own_cards(game, 1) == Counter()
    assert game.burned == ["note", "note"]


# GM-C6: apprentice or named witch


@pytest.mark.rule("GM-C6")
def test_card_texts_may_ask_for_an_apprentice_or_a_named_witch():
    for witch, mana in [(None, 0), ("ignis", 2)]:
        seat = {"hand": ["archmages_cloak"], "deck": DEEP, "witch": witch}
        game = stage(seat, {"witch": "sophia"}, phase="cast")
        game.cast("archmages_cloak")
        assert game.mana == mana
        turned = stage(
            seat,
            {"witch": "sophia"},
            phase="cast",
            overrides=('cards.archmages_cloak.effects=["mana 4 if contracted == 0"]',),
        )
        turned.cast("archmages_cloak")
        assert turned.mana == (0 if witch else 4)


@pytest.mark.rule("GM-C6")
def test_a_seat_is_named_from_its_contract_on():
    hand = ["archmages_cloak"]
    seats = [{"deck": hand * 5}, {"deck": DEEP}]
    game = stage(*seats, phase="acquire", mana=COST["ignis"])
    game.contract("ignis")
    game.end_turn()
    game.start_turn()
    game.end_turn()
    game.start_turn()
    game.cast("archmages_cloak")
    assert game.mana == 2


# GM-C8: an old note after the contract


@pytest.mark.rule("GM-C8")
def test_an_old_note_obtained_after_the_contract_is_without_use():
    seats = [{"hand": ["note"], "deck": ["charm"] * 5}, {"deck": DEEP}]
    field = {**shown(*EIGHT), "old_note": 1}
    game = stage(*seats, phase="acquire", mana=COST["celestina"] + 2, acquisitions=2, field=field)
    game.contract("celestina")
    game.acquire("old_note")
    assert game.discard(1) == ["stone_recycling", "old_note"]
    assert game.burned == ["note"]
    game.end_turn()
    assert game.discard(1) == ["stone_recycling", "old_note"]

    held = stage({"hand": ["old_note"], "witch": "celestina"}, {}, phase="cast")
    assert set(held.options()) == {"stop"}
    refuse(held, "cast", "old_note")
    assert held.truth(1) == 0
    held.enter_acquisition()
    assert held.hand(1) == ["old_note"]
    assert held.mana == 0


# GM-C9: two lists


@pytest.mark.rule("GM-C9")
@pytest.mark.parametrize("notes", [0, 1, 2, 3])
@pytest.mark.parametrize("place", ["discard", "hand"])
def test_gifts_come_always_and_before_the_gifts_for_notes(notes, place):
    overrides = (
        'witches.celestina.gifts=["charm", "ritual"]',
        f'contract.gift_place="{place}"',
    )
    seat = {"deck": ["note"] * notes}
    game = stage(seat, {}, phase="acquire", mana=COST["celestina"], overrides=overrides)
    game.contract("celestina")
    got = game.hand(1) if place == "hand" else game.discard(1)
    assert got == ["charm", "ritual", *["stone_recycling", "stone_fusion"][:notes]]
    assert game.truth(1) == 4


@pytest.mark.rule("GM-C9")
@pytest.mark.parametrize(
    ("witch", "label"),
    [("celestina", ["魔石リサイクル", "魔石合成"]), ("sophia", ["おまじない", "儀式"])],
)
def test_the_lists_that_the_rules_give(witch, label):
    assert list(WITCHES[witch]["note_gifts"]) == [named(name) for name in label]
    assert set(WITCHES["ignis"]["note_gifts"]) == {named("鬼火")}


@pytest.mark.rule("GM-C9")
@pytest.mark.parametrize("gift", ["market", "old_note", "note", "curse", "apprentice", "nothing"])
@pytest.mark.parametrize("key", ["gifts", "note_gifts"])
def test_gifts_are_stones_truth_cards_or_exclusives(key, gift):
    for allowed in ("great_stone", "arcana", "stone_fusion"):
        overrides = (f'witches.felicia.{key}=["{allowed}"]',)
        seat = {"hand": ["note"]}
        game = stage(seat, {}, phase="acquire", mana=COST["felicia"], overrides=overrides)
        game.contract("felicia")
        assert allowed in game.discard(1)
    with pytest.raises(InputError):
        stage({}, {}, overrides=(f'witches.felicia.{key}=["{gift}"]',))


# GM-C2 with lasting cards


@pytest.mark.rule("GM-C2")
@pytest.mark.rule("GM-K2")
def test_notes_that_wait_in_the_own_field_are_burned_with_their_effects():
    overrides = (
        *made("old_note", "gold 1", attributes=["permanent"], turn_start=["gold 5"]),
        *made(OTHER, attributes=["permanent"], turn_start=["mana 3"]),
        "witches.ignis.ability=[]",
        "witches.ignis.gifts=[]",
        'witches.ignis.note_gifts=["charm"]',
    )
    seat = {"hand": ["old_note", OTHER, "note"], "deck": ["note", *DEEP]}
    position = {"phase": "cast", "casts": 2, "mana": COST["ignis"], "overrides": overrides}
    game = stage(seat, {"deck": DEEP, "own": ["old_note"]}, **position)
    game.cast("old_note")
    game.cast(OTHER)
    game.enter_acquisition()
    assert game.own(1) == ["old_note", OTHER]
    game.contract("ignis")
    # Other lasting cards stay, and so do the notes of others.
    assert game.own(1) == [OTHER, "ignis"]
    assert game.own(2) == ["old_note"]
    assert Counter(game.burned) == Counter(old_note=1, note=2)
    assert game.discard(1) == ["charm"]
    pass_turns(game)
    game.start_turn()
    assert (game.mana, game.gold(1)) == (3, 1)


# GM-C7: nothing reaches back


@pytest.mark.rule("GM-C7")
@pytest.mark.parametrize("witch", WITCHES)
def test_the_ability_works_from_the_next_turn_start_on(witch):
    overrides = (f'witches.{witch}.ability=["gold 4", "mana 1"]', f"witches.{witch}.gifts=[]")
    seats = [{"deck": ["note"] * 20}, {"deck": DEEP}]
    game = stage(*seats, phase="acquire", mana=COST[witch], overrides=overrides)
    game.contract(witch)
    assert (game.gold(1), game.mana) == (0, 0)
    pass_turns(game)
    assert game.gold(1) == 0
    game.start_turn()
    assert (game.gold(1), game.mana) == (4, 1)


@pytest.mark.rule("GM-C7")
@pytest.mark.rule("GM-T13")
def test_an_extra_turn_after_the_contract_has_the_ability():
    overrides = ('witches.ignis.ability=["gold 4"]',)
    position = {"phase": "acquire", "mana": COST["ignis"], "extra_earned": True}
    game = stage({"deck": DEEP}, {"deck": DEEP}, overrides=overrides, **position)
    game.contract("ignis")
    game.end_turn()
    game.start_turn()
    assert (game.seat, game.gold(1)) == (1, 4)


@pytest.mark.rule("GM-C7")
@pytest.mark.rule("GM-N4")
@pytest.mark.rule("GM-N5")
def test_what_was_cast_before_the_contract_brings_nothing():
    fire = named("鬼火")
    overrides = (
        *made(OTHER, attributes=["familiar"], reward=["gold 1"]),
        *made(fire, "casts 1", attributes=[]),
    )
    for witch in ("felicia", "ignis"):
        seat = {"hand": [OTHER, *[fire] * 4], "deck": [fire, OTHER, *DEEP]}
        position = {"phase": "cast", "casts": 3, "mana": COST[witch], "overrides": overrides}
        game = stage(seat, {"deck": DEEP}, **position)
        for kind in (OTHER, *[fire] * 4):
            game.cast(kind)
        game.enter_acquisition()
        game.contract(witch)
        assert named("火炎") not in own_cards(game, 1)
        assert game.gold(1) == 0
        pass_turns(game)
        game.start_turn()
        game.cast(fire)
        game.cast(OTHER)
        assert (game.uses(1, fire), game.gold(1)) == (1, int(witch == "felicia"))
        assert named("火炎") not in own_cards(game, 1)


@pytest.mark.rule("GM-C7")
@pytest.mark.rule("GM-N6")
def test_an_arcana_that_was_bought_before_is_paid_in_full_and_counts():
    # A position may hold arcana of an apprentice; the discount gives nothing back for them.
    position = {"phase": "acquire", "mana": COST["eclair"] + 7, "acquisitions": 2}
    seat = {"discard": ["arcana"], "deck": DEEP}
    game = stage(seat, {}, overrides=("witches.eclair.gifts=[]",), **position)
    game.contract("eclair")
    assert (game.mana, game.arcana_taken(1)) == (7, 1)
    game.acquire("arcana")
    assert (game.mana, game.arcana_taken(1)) == (0, 2)
