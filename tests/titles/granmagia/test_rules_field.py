"""GM-F4 to GM-F12: the field, the piles, the witches, and arcana that burn the magic deck."""

from __future__ import annotations

from collections import Counter

import pytest

from sim.errors import InputError
from tests.titles.granmagia.staging import (
    CARDS,
    COST,
    DEEP,
    EIGHT,
    MAGIC,
    RARES,
    WITCHES,
    Asked,
    new_game,
    own_cards,
    refuse,
    setups,
    shown,
    stage,
)

SEVEN, NEW, NEWER = EIGHT[:7], *MAGIC[8:10]


def after_refill(field, magic_deck, **more):
    """End a turn over a field and a magic deck."""
    seats = [{"deck": DEEP}, {"deck": DEEP}]
    game = stage(*seats, phase="acquire", field=field, magic_deck=magic_deck, **more)
    game.end_turn()
    return game


# GM-F4: the field


@pytest.mark.rule("GM-F4")
def test_cards_are_turned_up_until_eight_kinds_lie_there():
    deck = [SEVEN[0], SEVEN[3], SEVEN[0], NEW, NEWER, SEVEN[1]]
    game = after_refill(shown(*SEVEN, cards=2), deck)
    assert dict(game.field) == {**shown(*SEVEN, cards=2), SEVEN[0]: 4, SEVEN[3]: 3, NEW: 1}
    assert game.magic_deck == [NEWER, SEVEN[1]]


@pytest.mark.rule("GM-F4")
def test_a_full_field_turns_up_nothing():
    game = after_refill(shown(*EIGHT, cards=1), [EIGHT[0], NEW])
    assert dict(game.field) == shown(*EIGHT, cards=1)
    assert game.magic_deck == [EIGHT[0], NEW]


@pytest.mark.rule("GM-F4")
def test_turning_up_stops_with_the_deck():
    game = after_refill(shown(*SEVEN), [SEVEN[6], SEVEN[6]])
    assert dict(game.field) == {**shown(*SEVEN), SEVEN[6]: 7}
    assert game.magic_deck == []
    assert not game.over


@pytest.mark.rule("GM-F4")
def test_each_rare_is_a_kind_of_its_own():
    game = after_refill(shown(*SEVEN[:6]), [RARES[0], RARES[5], NEW])
    assert dict(game.field) == {**shown(*SEVEN[:6]), RARES[0]: 1, RARES[5]: 1}
    assert game.magic_deck == [NEW]


@pytest.mark.rule("GM-F4")
@pytest.mark.parametrize("kinds", [7, 9, 10])
def test_how_many_kinds_are_shown_is_data(kinds):
    deck = [*MAGIC[8:12]]
    game = after_refill(shown(*SEVEN), deck, overrides=(f"field.kinds={kinds}",))
    assert list(game.field) == [*SEVEN, *deck[: kinds - 7]]
    assert game.magic_deck == deck[kinds - 7 :]


@pytest.mark.rule("GM-F4")
def test_the_last_card_of_a_stack_takes_its_kind_away():
    field = {**shown(*SEVEN), "purifying_flame": 1}
    game = stage({}, {}, phase="acquire", mana=9, acquisitions=2, field=field)
    game.acquire("purifying_flame")
    assert dict(game.field) == shown(*SEVEN)
    refuse(game, "acquire", "purifying_flame")
    refuse(game, "acquire", "wisdom_book")


@pytest.mark.rule("GM-F4")
def test_a_kind_that_was_bought_out_may_come_back():
    field = {**shown(*SEVEN), "purifying_flame": 1}
    position = {"phase": "acquire", "mana": 2, "magic_deck": ["purifying_flame", NEWER]}
    game = stage({"deck": DEEP}, {}, field=field, **position)
    game.acquire("purifying_flame")
    game.end_turn()
    assert dict(game.field) == {**shown(*SEVEN), "purifying_flame": 1}
    assert game.magic_deck == [NEWER]


@pytest.mark.rule("GM-F8")
@pytest.mark.rule("GM-T7")
def test_a_refill_goes_on_below_what_an_arcana_burned():
    position = {"phase": "acquire", "mana": 8, "magic_deck": [NEW, NEWER, RARES[0]]}
    game = stage({"deck": DEEP, "witch": "ignis"}, {}, field=shown(*SEVEN), **position)
    game.acquire("arcana")
    game.end_turn()
    assert list(game.field) == [*SEVEN, NEWER]
    assert (game.burned, game.magic_deck) == ([NEW], [RARES[0]])


# GM-F5: always on offer

OFFERED = {"fragment": 0, "stone": 3, "great_stone": 6, "charm": 2, "ritual": 5, "arcana": 8}


@pytest.mark.rule("GM-F5")
@pytest.mark.parametrize(("kind", "cost"), OFFERED.items())
def test_stones_and_truth_are_always_on_offer(kind, cost):
    seat = {"witch": "sophia"}
    game = stage(seat, {}, phase="acquire", mana=cost, field=shown("market"))
    assert kind in game.options()
    game.acquire(kind)
    assert game.mana == 0
    assert game.discard(1) == [kind]
    if cost:
        short = stage(seat, {}, phase="acquire", mana=cost - 1, field=shown("market"))
        assert kind not in short.options()
        refuse(short, "acquire", kind)


@pytest.mark.rule("GM-F5")
@pytest.mark.parametrize("kind", ["fragment", "stone", "great_stone"])
def test_an_empty_stone_pile_sells_nothing(kind):
    game = stage({}, {}, phase="acquire", mana=20, acquisitions=3, piles={kind: 1})
    game.acquire(kind)
    assert game.piles[kind] == 0
    assert kind not in game.options()
    refuse(game, "acquire", kind)


@pytest.mark.rule("GM-F5")
@pytest.mark.parametrize("left", [0, 1])
def test_an_empty_stone_pile_is_closed_to_effects_that_receive(left):
    asked = Asked(receive=["fragment"])
    seat = {"hand": ["workshop"]}
    piles = {"stone": left, "fragment": 1}
    game = stage(seat, {}, phase="cast", piles=piles, field={}, lineup=[asked, asked])
    game.cast("workshop")
    (options,) = asked.options("receive")
    assert ("stone" in options) == (left == 1)
    assert game.piles["fragment"] == 0
    refuse(game, "cast", "workshop")


@pytest.mark.rule("GM-F5")
@pytest.mark.parametrize("left", [0, 1])
def test_an_empty_stone_pile_is_closed_to_upgrades(left):
    seat = {"hand": ["alchemy", "stone", "fragment"]}
    choices = ["stone"] if left else ["fragment"]
    game = stage(seat, {}, phase="cast", piles={"great_stone": left}, choices=choices)
    game.cast("alchemy")
    assert game.piles["great_stone"] == 0
    expected = ["fragment", "great_stone"] if left else ["stone", "stone"]
    assert sorted(game.hand(1)) == expected
    closed = stage(seat, {}, phase="cast", piles={"great_stone": 0}, choices=["stone"])
    with pytest.raises(InputError):
        closed.cast("alchemy")


@pytest.mark.rule("GM-F5")
@pytest.mark.parametrize("left", [0, 1, -1])
def test_an_empty_stone_pile_is_closed_to_the_gifts_of_a_contract(left):
    overrides = (
        'witches.sophia.note_gifts=["great_stone", "great_stone", "charm"]',
        "witches.sophia.gifts=[]",
    )
    seat = {"discard": ["note", "note", "note"]}
    position = {"phase": "acquire", "mana": COST["sophia"], "piles": {"great_stone": left}}
    game = stage(seat, {}, overrides=overrides, **position)
    game.contract("sophia")
    stones = 2 if left < 0 else left
    assert game.discard(1) == ["great_stone"] * stones + ["charm"]
    assert game.piles["great_stone"] == (-1 if left < 0 else 0)
    assert game.burned == ["note"] * 3


@pytest.mark.rule("GM-F5")
@pytest.mark.parametrize("kind", ["charm", "ritual", "arcana"])
def test_truth_piles_are_endless_unless_the_data_say_otherwise(kind):
    seat = {"witch": "sophia"}
    game = stage(seat, {}, phase="acquire", mana=40, acquisitions=5)
    for _ in range(3):
        game.acquire(kind)
    assert game.piles[kind] == -1
    finite = stage(
        seat, {}, phase="acquire", mana=40, acquisitions=5, overrides=(f"piles.{kind}=2",)
    )
    assert finite.piles[kind] == 2
    finite.acquire(kind)
    finite.acquire(kind)
    assert kind not in finite.options()
    refuse(finite, "acquire", kind)


@pytest.mark.rule("GM-F5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_starting_cards_come_out_of_the_piles_only_if_the_data_say_so(players):
    assert new_game(players).piles["fragment"] == 60
    taken = new_game(players, overrides=("piles.start_taken=true",))
    assert taken.piles["fragment"] == 60 - 7 * players
    assert (taken.piles["stone"], taken.piles["great_stone"]) == (40, 30)
    endless = new_game(players, overrides=("piles.start_taken=true", "piles.fragment=-1"))
    assert endless.piles["fragment"] == -1


# GM-F6 and GM-F12: curses


@pytest.mark.rule("GM-F6")
@pytest.mark.parametrize(("players", "curses"), [(2, 10), (3, 20), (4, 30)])
def test_there_are_ten_curses_for_every_player_but_one(players, curses):
    assert new_game(players).piles["curse"] == curses
    assert stage(*[{}] * players).piles["curse"] == curses
    five = new_game(players, overrides=("piles.curses_per_rival=5",))
    assert five.piles["curse"] == curses // 2


@pytest.mark.rule("GM-F12")
def test_curses_cannot_be_acquired_or_received_by_choice():
    game = stage({}, {}, phase="acquire", mana=20, acquisitions=9)
    assert "curse" not in game.options()
    refuse(game, "acquire", "curse")

    asked = Asked()
    named = stage({"hand": ["wishing_star"]}, {}, phase="cast", lineup=[asked, asked])
    named.cast("wishing_star")
    (options,) = asked.options("receive")
    assert "fragment" in options
    assert "curse" not in options
    assert named.piles["curse"] == 10


@pytest.mark.rule("GM-F12")
def test_burned_curses_stay_out():
    seat = {"hand": ["purifying_flame", "curse", "charm", "curse"]}
    choices = ["curse", "curse", "stop"]
    game = stage(seat, {}, phase="cast", choices=choices, piles={"curse": 3})
    game.cast("purifying_flame")
    assert game.burned == ["curse", "curse"]
    assert game.piles["curse"] == 3


# GM-F7: witches


@pytest.mark.rule("GM-F7")
@pytest.mark.parametrize("chapters", ["[1]", "[2]", "[1, 2]"])
def test_all_nine_witches_lie_in_the_field_whatever_the_chapters(chapters):
    game = new_game(3, overrides=(f"supply.chapters={chapters}",))
    assert len(game.witches) == 9
    assert set(game.witches) == set(WITCHES)


@pytest.mark.rule("GM-F7")
def test_a_witch_that_is_not_enabled_does_not_lie_there():
    overrides = ("witches.sophia.enabled=false", "witches.ignis.enabled=false")
    game = new_game(2, overrides=overrides)
    assert set(game.witches) == set(WITCHES) - {"sophia", "ignis"}
    staged = stage({}, {}, phase="acquire", mana=20, overrides=overrides)
    assert not {"sophia", "ignis"} & set(staged.options())
    refuse(staged, "contract", "sophia")


@pytest.mark.rule("GM-F7")
def test_a_contracted_witch_leaves_the_field_for_good():
    seats = [{"deck": DEEP} for _ in range(3)]
    game = stage(*seats, phase="acquire", mana=20)
    game.contract("brynhild")
    left = set(WITCHES) - {"brynhild"}
    assert set(game.witches) == left
    game.end_turn()
    for _ in range(4):
        assert set(game.witches) == left
        assert game.witch(1) == "brynhild"
        game.start_turn()
        game.end_turn()
    assert set(game.witches) == left


# GM-F8 and GM-F11: arcana burn the magic deck


@pytest.mark.rule("GM-F8")
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_an_acquired_arcana_burns_the_top_of_the_magic_deck(seat):
    seats = [{"witch": witch} for witch in ("sophia", "ignis", "felicia")]
    position = {"seat": seat, "phase": "acquire", "mana": 16, "acquisitions": 2}
    game = stage(*seats, magic_deck=[NEW, NEWER, RARES[0]], **position)
    game.acquire("arcana")
    assert game.burned == [NEW]
    assert game.magic_deck == [NEWER, RARES[0]]
    game.acquire("arcana")
    assert game.burned == [NEW, NEWER]
    assert game.magic_deck == [RARES[0]]
    # Only the deck is burned, not what lies in the field, and nothing is turned up.
    assert dict(game.field) == shown(*EIGHT)


@pytest.mark.rule("GM-F8")
def test_a_received_arcana_burns_too():
    overrides = (
        'witches.sophia.note_gifts=["arcana", "arcana"]',
        'witches.sophia.gifts=["arcana"]',
    )
    seat = {"hand": ["note"], "deck": ["note"]}
    deck = [NEW, NEWER, RARES[0], RARES[1]]
    position = {"phase": "acquire", "mana": COST["sophia"], "magic_deck": deck}
    game = stage(seat, {}, overrides=overrides, **position)
    game.contract("sophia")
    assert game.arcana_taken(1) == 3
    assert game.magic_deck == [RARES[1]]
    assert Counter(game.burned) == Counter([NEW, NEWER, RARES[0], "note", "note"])

    named = stage(
        {"hand": ["wishing_star"], "witch": "sophia"},
        {},
        phase="cast",
        magic_deck=deck,
        choices=["arcana"],
        overrides=('cards.wishing_star.effects=["receive 8 card hand"]',),
    )
    named.cast("wishing_star")
    assert named.hand(1) == ["arcana"]
    assert named.burned == [NEW]


@pytest.mark.rule("GM-F8")
@pytest.mark.parametrize("kind", ["ritual", "charm", "great_stone", "market"])
def test_nothing_but_an_arcana_burns(kind):
    position = {"phase": "acquire", "mana": 20, "magic_deck": [NEW, NEWER]}
    game = stage({"witch": "sophia"}, {}, **position)
    game.acquire(kind)
    assert game.burned == []
    assert game.magic_deck == [NEW, NEWER]


@pytest.mark.rule("GM-F8")
@pytest.mark.parametrize("burn", [0, 2])
def test_how_many_cards_an_arcana_burns_is_data(burn):
    deck = [NEW, NEWER, RARES[0]]
    position = {"phase": "acquire", "mana": 8, "magic_deck": deck}
    overrides = (f"field.arcana_burn={burn}",)
    game = stage({"witch": "sophia"}, {}, overrides=overrides, **position)
    game.acquire("arcana")
    assert game.burned == deck[:burn]
    assert game.magic_deck == deck[burn:]


@pytest.mark.rule("GM-F11")
def test_an_arcana_over_an_empty_magic_deck_burns_nothing():
    game = stage({"witch": "sophia"}, {}, phase="acquire", mana=16, acquisitions=2)
    assert game.magic_deck == []
    game.acquire("arcana")
    game.acquire("arcana")
    assert game.burned == []
    assert dict(game.field) == shown(*EIGHT)
    assert game.discard(1) == ["arcana", "arcana"]
    assert game.arcana_taken(1) == 2
    assert not game.over


@pytest.mark.rule("GM-F11")
def test_two_burns_over_one_card_take_that_card():
    overrides = ("field.arcana_burn=2",)
    position = {"phase": "acquire", "mana": 8, "magic_deck": [NEW]}
    game = stage({"witch": "sophia"}, {}, overrides=overrides, **position)
    game.acquire("arcana")
    assert game.burned == [NEW]


@pytest.mark.rule("GM-F11")
def test_a_refill_from_an_empty_deck_shows_fewer_kinds():
    game = after_refill(shown(*SEVEN), [])
    assert dict(game.field) == shown(*SEVEN)
    assert not game.over


@pytest.mark.rule("GM-F11")
def test_the_end_is_tested_at_the_end_of_a_turn_only():
    seats = [{"hand": ["market"], "deck": DEEP}, {"deck": DEEP}]
    field = {**shown(*EIGHT[:5]), "reforging": 1, "transmutation": 1}
    game = stage(*seats, phase="cast", acquisitions=2, mana=20, field=field)
    game.cast("market")
    game.enter_acquisition()
    game.acquire("reforging")
    game.acquire("transmutation")
    assert len(game.field) == 5
    assert not game.over
    assert game.phase == "acquire"
    game.acquire("charm")
    game.end_turn()
    assert game.over


# GM-F10: the first field


@pytest.mark.rule("GM-F10")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_field_is_filled_before_the_first_turn(players):
    for deal in range(30):
        game = new_game(players, deal=deal)
        assert (game.phase, game.round, game.seat) == ("start", 1, 1)
        assert len(game.field) == 8
        # The card that made it eight was the last one that was turned up.
        assert list(game.field.values())[-1] == 1
        assert set(game.field) <= {*game.chosen, *game.rares}
        for kind, cards in game.field.items():
            assert cards == 1 or kind not in game.rares


@pytest.mark.rule("GM-F10")
def test_rares_may_show_in_the_first_field(stat_seed):
    sample = setups(stat_seed, 3000)
    with_rares = [any(kind in s.rares for kind, _ in s.field) for s in sample]
    assert any(with_rares)
    assert not all(with_rares)


@pytest.mark.rule("GM-F10")
@pytest.mark.rule("GM-F3")
def test_cards_are_neither_lost_nor_made_by_the_setup():
    game = new_game(4, deal=8)
    assert sum(game.field.values()) + len(game.magic_deck) == 81
    assert game.burned == []
    assert sum(sum(own_cards(game, seat).values()) for seat in (1, 2, 3, 4)) == 40


@pytest.mark.rule("GM-F5")
@pytest.mark.rule("GM-T5")
@pytest.mark.parametrize("kind", MAGIC)
def test_magic_of_the_field_costs_what_the_data_say(kind):
    cost = CARDS[kind]["cost"]
    game = stage({}, {}, phase="acquire", mana=cost, field=shown(kind, cards=2))
    game.acquire(kind)
    assert (game.mana, game.field[kind], game.discard(1)) == (0, 1, [kind])
    refuse(stage({}, {}, phase="acquire", mana=cost - 1, field=shown(kind)), "acquire", kind)
