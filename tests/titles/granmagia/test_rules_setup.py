"""GM-S: seats, starting decks, compensation, silver, notes and the apprentice witch."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from sim.errors import InputError
from tests.budget import assert_counts, assert_rate
from tests.titles.granmagia.staging import (
    COST,
    DEEP,
    EIGHT,
    Asked,
    new_game,
    own_cards,
    refuse,
    setups,
    shown,
    stage,
)

START = Counter(fragment=7, note=2, apprentice=1)


# GM-S1: seats


@pytest.mark.rule("GM-S1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_move_in_one_order_in_every_round(players):
    game = new_game(players, deal=3)
    assert game.players == players
    order = []
    for _ in range(3 * players):
        order.append((game.round, game.seat))
        game.play_turn()
    expected = [(rnd, seat) for rnd in (1, 2, 3) for seat in range(1, players + 1)]
    assert order == expected


@pytest.mark.rule("GM-S1")
@pytest.mark.parametrize("players", [0, 1, 5])
def test_other_numbers_of_seats_are_refused(players):
    with pytest.raises(InputError):
        new_game(players)
    with pytest.raises(InputError):
        stage(*[{}] * players)


# GM-S2: starting decks


@pytest.mark.rule("GM-S2")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("deal", [0, 1, 99])
def test_everybody_starts_with_ten_cards_and_a_hand_of_five(players, deal):
    game = new_game(players, deal=deal)
    for seat in range(1, players + 1):
        assert own_cards(game, seat) == START
        assert len(game.hand(seat)) == 5
        assert len(game.deck(seat)) == 5
        assert game.discard(seat) == game.play_area(seat) == game.own(seat) == []
        assert game.truth(seat) == game.turns(seat) == game.tokens(seat) == 0
        assert game.witch(seat) is None


@pytest.mark.rule("GM-S2")
def test_starting_deck_and_hand_are_data():
    overrides = ("start.hand=4", "start.deck.fragment=6", "start.deck.note=3")
    game = new_game(3, overrides=overrides)
    for seat in (1, 2, 3):
        assert len(game.hand(seat)) == 4
        assert own_cards(game, seat) == Counter(fragment=6, note=3, apprentice=1)


@pytest.mark.rule("GM-S2")
def test_starting_decks_are_shuffled(stat_seed):
    sample = setups(stat_seed, 3000)
    for seat in (0, 1):
        fragments = Counter(setup.hands[seat].count("fragment") for setup in sample)
        ways = {k: comb(7, k) * comb(3, 5 - k) for k in (2, 3, 4, 5)}
        assert fragments.keys() <= ways.keys()
        total = sum(ways.values())
        assert_counts([fragments[k] for k in ways], [n / total for n in ways.values()])
        both_notes = sum(setup.hands[seat].count("note") == 2 for setup in sample)
        assert_rate(both_notes, len(sample), 2 / 9, within=0.05)
    # Each seat has a shuffle of its own.
    alike = sum(("apprentice" in s.hands[0]) == ("apprentice" in s.hands[1]) for s in sample)
    assert_rate(alike, len(sample), 1 / 2, within=0.06)


# GM-S3: compensation

COINS = {
    2: ([0, 1], [0, 0]),
    3: ([0, 1, 0], [0, 0, 1]),
    4: ([0, 1, 1, 0], [0, 0, 0, 1]),
}


@pytest.mark.rule("GM-S3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_later_seats_are_compensated(players):
    game = new_game(players)
    seats = range(1, players + 1)
    silver, gold = COINS[players]
    assert [game.silver(seat) for seat in seats] == silver
    assert [game.gold(seat) for seat in seats] == gold


@pytest.mark.rule("GM-S3")
def test_compensation_is_data_by_player_count():
    overrides = (
        "compensation.3p.seat2.silver=0",
        "compensation.3p.seat2.gold=1",
        "compensation.3p.seat3.silver=2",
        "compensation.3p.seat3.gold=0",
    )
    game = new_game(3, overrides=overrides)
    assert [game.silver(seat) for seat in (1, 2, 3)] == [0, 0, 2]
    assert [game.gold(seat) for seat in (1, 2, 3)] == [0, 1, 0]
    four = new_game(4, overrides=overrides)
    assert [four.silver(seat) for seat in (1, 2, 3, 4)] == COINS[4][0]
    assert [four.gold(seat) for seat in (1, 2, 3, 4)] == COINS[4][1]


# GM-S4: silver


@pytest.mark.rule("GM-S4")
def test_silver_lasts_to_the_end_of_its_owners_first_turn():
    game = new_game(4)
    for seat, silver in [(1, [0, 1, 1, 0]), (2, [0, 1, 1, 0]), (3, [0, 0, 1, 0]), (4, [0] * 4)]:
        assert game.seat == seat
        assert [game.silver(s) for s in (1, 2, 3, 4)] == silver
        game.play_turn()
    # Gold is another thing: it stays.
    assert game.gold(4) == 1
    game.play_turn()
    assert game.round == 2
    assert game.gold(4) == 1


@pytest.mark.rule("GM-S4")
def test_silver_buys_like_gold_in_the_first_turn():
    poor = stage({}, {"silver": 1}, seat=2, phase="acquire", mana=4, field=shown("market"))
    assert "market" in poor.options()
    poor.acquire("market")
    assert (poor.mana, poor.silver(2)) == (0, 0)
    # Four coins are no five.
    refuse(stage({}, {"silver": 1}, seat=2, phase="acquire", mana=3), "acquire", "market")


@pytest.mark.rule("GM-S4")
def test_silver_pays_no_contract_and_no_mana_only_card():
    field = shown("treasury")
    short = stage({}, {"silver": 5}, seat=2, phase="acquire", mana=4, field=field)
    assert "treasury" not in short.options()
    refuse(short, "acquire", "treasury")
    enough = stage({}, {"silver": 5}, seat=2, phase="acquire", mana=5, field=field)
    enough.acquire("treasury")
    assert (enough.mana, enough.silver(2)) == (0, 5)

    short = stage({}, {"silver": 5}, seat=2, phase="acquire", mana=COST["sophia"] - 1)
    assert "sophia" not in short.options()
    refuse(short, "contract", "sophia")
    enough = stage({}, {"silver": 5}, seat=2, phase="acquire", mana=COST["sophia"])
    enough.contract("sophia")
    assert (enough.mana, enough.silver(2)) == (0, 5)


@pytest.mark.rule("GM-S4")
def test_unspent_silver_goes_and_unspent_gold_stays():
    seats = [{"deck": DEEP}, {"deck": DEEP, "silver": 3, "gold": 2}, {"silver": 2, "gold": 1}]
    game = stage(*seats, seat=2, phase="acquire")
    game.end_turn()
    assert [game.silver(seat) for seat in (1, 2, 3)] == [0, 0, 2]
    assert [game.gold(seat) for seat in (1, 2, 3)] == [0, 2, 1]


# GM-S5 and GM-S6: notes and the apprentice witch


@pytest.mark.rule("GM-S5")
def test_notes_and_the_apprentice_cannot_be_cast():
    game = stage({"hand": ["note", "apprentice", "market"]}, {}, phase="cast", casts=3)
    assert set(game.options()) == {"market", "stop"}
    refuse(game, "cast", "note")
    refuse(game, "cast", "apprentice")


@pytest.mark.rule("GM-S5")
def test_a_note_with_effects_is_cast_like_magic():
    overrides = ('cards.note.effects=["mana 2", "acquisitions 1"]',)
    seat = {"hand": ["note", "apprentice", "note"]}
    game = stage(seat, {}, phase="cast", overrides=overrides)
    assert set(game.options()) == {"note", "stop"}
    game.cast("note")
    assert (game.mana, game.acquisitions, game.casts) == (2, 2, 0)
    assert game.hand(1) == ["apprentice", "note"]
    assert game.play_area(1) == ["note"]
    refuse(game, "cast", "note")
    # It is still a note: a contract burns the played one as well.
    plenty = stage(seat, {}, phase="cast", mana=10, overrides=overrides)
    plenty.cast("note")
    plenty.enter_acquisition()
    plenty.contract("sophia")
    assert plenty.burned == ["note", "note"]
    assert plenty.play_area(1) == []


@pytest.mark.rule("GM-S6")
def test_notes_and_the_apprentice_are_neither_stone_nor_truth():
    game = stage({"hand": ["note", "fragment", "apprentice"]}, {}, phase="cast")
    assert game.truth(1) == 0
    game.enter_acquisition()
    assert game.mana == 1
    assert game.hand(1) == ["note", "apprentice"]


@pytest.mark.rule("GM-S6")
def test_notes_and_the_apprentice_may_be_discarded():
    asked = Asked(discard=["note", "apprentice"])
    hand = ["storeroom", "note", "apprentice", "charm"]
    seat = {"hand": hand, "deck": ["fragment", "fragment", "stone"]}
    game = stage(seat, {}, phase="cast", lineup=[asked, asked])
    game.cast("storeroom")
    assert {"note", "apprentice"} <= set(asked.options("discard")[0])
    assert game.discard(1)[:2] == ["note", "apprentice"]


@pytest.mark.rule("GM-S6")
def test_a_seat_that_burned_the_apprentice_can_still_make_a_contract():
    hand = ["purifying_flame", "apprentice", "note", "charm"]
    seat = {"hand": hand, "deck": DEEP}
    game = stage(seat, {}, phase="cast", mana=7, choices=["apprentice", "note", "stop"])
    game.cast("purifying_flame")
    assert Counter(game.burned) == Counter(apprentice=1, note=1)
    assert game.hand(1) == ["charm"]
    game.enter_acquisition()
    game.contract("celestina")
    assert game.witch(1) == "celestina"
    assert game.removed == []
    # The burned note is no own card any more and brings nothing.
    assert game.discard(1) == []


@pytest.mark.rule("GM-S5")
@pytest.mark.rule("GM-F4")
def test_starting_cards_are_never_on_offer():
    game = stage({}, {}, phase="acquire", mana=20, field=shown(*EIGHT))
    assert not {"note", "apprentice"} & set(game.options())
    refuse(game, "acquire", "note")
    refuse(game, "acquire", "apprentice")


@pytest.mark.rule("GM-S6")
@pytest.mark.parametrize("kind", ["note", "apprentice"])
@pytest.mark.parametrize("group", ["stones", "magic", "common", "truths", "piles"])
def test_they_belong_to_no_group_of_stones_magic_or_truth(kind, group):
    game = stage({"hand": [kind] * 3, "deck": [kind]}, {}, phase="cast")
    assert game.observe(1, "hand_group", group) == 0
    assert game.observe(1, "owned_group", group) == 0
    assert game.observe(1, "owned", kind) == 4


@pytest.mark.rule("GM-S6")
@pytest.mark.rule("GM-N3")
def test_they_cannot_be_burned_for_tokens():
    asked = Asked(tokens=["charm"])
    hand = ["note", "apprentice", "stone", "charm"]
    game = stage({"hand": hand, "witch": "sophia"}, {}, phase="start", lineup=[asked, asked])
    game.start_turn()
    assert asked.options("tokens") == [["charm", "stop"]]
    assert (game.tokens(1), game.burned) == (1, ["charm"])


@pytest.mark.rule("GM-S5")
@pytest.mark.rule("GM-S6")
@pytest.mark.rule("GM-N8")
def test_a_note_that_is_cast_is_no_magic_kind():
    overrides = ('cards.note.effects=["mana 1"]',)
    seat = {"hand": ["note", "market"], "witch": "brynhild", "uses": {"festival": 1}}
    game = stage(seat, {}, phase="cast", casts=2, overrides=overrides)
    game.cast("note")
    assert game.kinds_cast(1) == ["festival"]
    game.cast("market")
    assert game.kinds_cast(1) == ["festival", "market"]


@pytest.mark.rule("GM-S5")
@pytest.mark.rule("GM-K9")
def test_a_note_may_be_given_any_text():
    """A note that attacks is an attack; one that lasts lies in the own field, and is still one."""
    attack = ('cards.note.effects=["curses 1"]', 'cards.note.attributes=["attack"]')
    seats = [{"hand": ["note"]}, {"barriers": 1}, {}]
    game = stage(*seats, phase="cast", casts=3, overrides=attack)
    game.cast("note")
    assert (game.casts, game.discard(2), game.discard(3)) == (1, [], ["curse"])
    lasting = ('cards.note.turn_start=["mana 2"]', 'cards.note.attributes=["permanent"]')
    seat = {"hand": ["note", "apprentice"], "deck": DEEP}
    game = stage(seat, {"deck": DEEP}, phase="cast", mana=30, overrides=lasting)
    assert game.options() == ["note", "stop"]
    game.cast("note")
    assert game.own(1) == ["note"]
    game.enter_acquisition()
    game.contract("eclair")
    assert (game.own(1), game.burned) == (["eclair"], ["note"])
