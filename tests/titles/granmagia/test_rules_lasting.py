"""GM-K1, GM-K2, GM-K3 and GM-K10: duration cards, permanent cards, familiars, and their order."""

from __future__ import annotations

from itertools import permutations

import pytest

from sim.errors import DataError
from sim.titles.granmagia import TITLE
from tests.titles.granmagia.made_up import (
    OVERLAY,
    TABLES,
    deep,
    effects_of,
    stage,
    to_next_start,
    to_own_start,
)
from tests.titles.granmagia.staging import DEEP, own_cards, refuse

#: A card that wins an extra turn, for tests that need one.
HOURGLASS = effects_of("my_magic", "extra_turn 1")

THREE = ["charm"] * 3  # nothing is drawn by reversal


def start(*cards, overrides=(), seat=None, **position):
    """Start a turn of seat 1 with these cards in its own field, in the order laid."""
    first = {"own": list(cards), "hand": THREE, "deck": DEEP, **(seat or {})}
    game = stage(first, {"deck": DEEP}, phase="start", overrides=overrides, **position)
    game.start_turn()
    return game


# GM-K1: duration cards


@pytest.mark.rule("GM-K1")
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_a_duration_card_works_when_used_and_at_the_next_own_turn_start(players, seat):
    seats = deep(players, **{f"seat{seat}": {"hand": ["my_duration", "charm"]}})
    game = stage(*seats, seat=seat, phase="cast")
    game.cast("my_duration")
    assert game.mana == 1
    # It lies in the own field from its use on, and there it waits.
    assert (game.own(seat), game.play_area(seat)) == (["my_duration"], [])
    game.end_turn()
    for _ in range(players - 1):
        assert game.own(seat) == ["my_duration"]
        assert "my_duration" not in game.discard(seat) + game.hand(seat)
        game.start_turn()
        assert game.mana == 0
        game.end_turn()
    assert game.own(seat) == ["my_duration"]
    game.start_turn()
    assert game.seat == seat
    assert game.mana == 2
    assert game.own(seat) == []
    assert game.discard(seat)[-1] == "my_duration"
    # That was all.
    to_own_start(game, seat)
    assert game.mana == 0
    assert game.discard(seat).count("my_duration") == 1


@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-T1")
def test_what_start_effects_give_is_added_to_what_a_turn_begins_with():
    given = effects_of(
        *("my_duration", "casts 2", "acquisitions 1", "mana 3", "gold 1", "draw 2"),
        key="turn_start",
    )
    game = start("my_duration", overrides=(given,), seat={"gold": 4})
    assert (game.casts, game.acquisitions, game.mana, game.gold(1)) == (3, 2, 3, 5)
    assert game.hand(1) == [*THREE, "fragment", "fragment"]


@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-T1")
@pytest.mark.rule("GM-T2")
@pytest.mark.parametrize(("held", "reversed_to"), [(0, 5), (1, 4), (2, 3), (3, 3), (5, 5)])
def test_start_effects_come_after_the_reversal(held, reversed_to):
    given = effects_of("my_duration", "mana 1 per hand", "draw 2", key="turn_start")
    game = start("my_duration", overrides=(given,), seat={"hand": ["charm"] * held})
    assert game.mana == reversed_to
    assert len(game.hand(1)) == reversed_to + 2


@pytest.mark.rule("GM-K1")
def test_a_duration_card_without_effects_works_at_the_turn_start_only():
    seats = deep(2, seat1={"hand": ["my_late_duration"]})
    game = stage(*seats, phase="cast")
    assert set(game.options()) == {"my_late_duration", "stop"}
    game.cast("my_late_duration")
    assert (game.mana, game.casts, game.own(1)) == (0, 0, ["my_late_duration"])
    to_own_start(game, 1)
    assert (game.mana, game.own(1)) == (5, [])


@pytest.mark.rule("GM-K1")
def test_two_copies_both_work_and_both_go():
    seats = deep(2, seat1={"hand": ["my_duration"] * 2})
    game = stage(*seats, phase="cast", casts=2)
    game.cast("my_duration")
    game.cast("my_duration")
    assert (game.mana, game.own(1)) == (2, ["my_duration"] * 2)
    to_own_start(game, 1)
    assert (game.mana, game.own(1)) == (4, [])
    assert game.discard(1)[-2:] == ["my_duration"] * 2


@pytest.mark.rule("GM-K1")
def test_the_conditions_of_a_turn_start_are_looked_up_then():
    given = effects_of("my_duration", "mana 5 if gold >= 2", "mana 1 if gold < 2", key="turn_start")
    for gold, mana in [(1, 1), (2, 5)]:
        assert start("my_duration", overrides=(given,), seat={"gold": gold}).mana == mana


@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-T13")
def test_an_extra_turn_is_a_turn_for_a_duration_card():
    seats = deep(2, seat1={"hand": ["my_duration", "my_magic"]})
    game = stage(*seats, phase="cast", casts=2, overrides=(HOURGLASS,))
    game.cast("my_duration")
    game.cast("my_magic")
    game.end_turn()
    assert (game.seat, game.extra, game.own(1)) == (1, True, ["my_duration"])
    game.start_turn()
    assert (game.mana, game.own(1)) == (2, [])
    to_next_start(game)
    assert (game.seat, game.mana) == (2, 0)
    to_next_start(game)
    assert (game.seat, game.extra, game.mana) == (1, False, 0)


@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-T13")
def test_a_duration_card_used_in_an_extra_turn_waits_for_the_next_normal_one():
    seats = deep(2, seat1={"hand": ["my_duration"]})
    game = stage(*seats, phase="cast", extra=True)
    game.cast("my_duration")
    to_next_start(game)
    assert (game.seat, game.own(1)) == (2, ["my_duration"])
    to_next_start(game)
    assert (game.seat, game.mana, game.own(1)) == (1, 2, [])


@pytest.mark.rule("GM-K1")
def test_an_extra_turn_of_somebody_else_lets_it_wait():
    seats = deep(3, seat1={"hand": ["my_duration"]}, seat2={"hand": ["my_magic", *THREE]})
    game = stage(*seats, phase="cast", overrides=(HOURGLASS,))
    game.cast("my_duration")
    to_next_start(game)
    game.cast("my_magic")
    to_next_start(game)
    assert (game.seat, game.extra) == (2, True)
    assert (game.mana, game.own(1)) == (0, ["my_duration"])
    to_next_start(game)
    assert (game.seat, game.own(1)) == (3, ["my_duration"])
    to_next_start(game)
    assert (game.seat, game.mana, game.own(1)) == (1, 2, [])


@pytest.mark.rule("GM-K1")
def test_a_waiting_card_is_in_no_hand_deck_or_discard_pile():
    """Neither the end of the turn nor a shuffle nor an attack touches it, and it is owned."""
    seat = {"hand": ["my_duration", "stone"], "discard": ["charm"] * 3}
    seats = [seat, {"hand": ["my_attack", *THREE], "deck": DEEP}]
    everything = (effects_of("my_attack", "others_discard 9"),)
    game = stage(*seats, phase="cast", overrides=everything)
    game.cast("my_duration")
    game.end_turn()
    assert sorted(game.hand(1)) == ["charm"] * 3 + ["stone"]
    assert game.own(1) == ["my_duration"]
    assert own_cards(game, 1)["my_duration"] == 1
    assert game.observe(1, "own_field", "my_duration") == 1
    assert game.observe(1, "owned", "my_duration") == 1
    game.start_turn()
    game.cast("my_attack")
    assert (game.hand(1), game.own(1)) == ([], ["my_duration"])


@pytest.mark.rule("GM-K1")
def test_a_duration_card_can_be_used_again_later():
    """Three cards in all: what goes to the discard pile at a turn start comes to hand again."""
    game = stage({"hand": ["my_duration"]}, {"deck": DEEP}, phase="cast")
    mana = []
    for _ in range(3):
        game.cast("my_duration")
        used = game.mana
        to_own_start(game, 1)
        mana.append((used, game.mana))
        assert (game.own(1), game.discard(1)) == ([], ["my_duration"])
        game.end_turn()
        assert game.hand(1) == ["my_duration"]
        while game.seat != 1 or game.phase != "cast":
            if game.phase == "cast":
                game.end_turn()
            game.start_turn()
    assert mana == [(1, 2)] * 3


@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-A1")
def test_an_attack_of_a_duration_card_is_made_once():
    overrides = (
        'cards.my_duration.attributes=["attack", "duration"]',
        effects_of("my_duration", "curses 1"),
    )
    game = stage(*deep(3, seat1={"hand": ["my_duration"]}), phase="cast", overrides=overrides)
    game.cast("my_duration")
    assert (game.discard(2), game.discard(3), game.own(1)) == (
        ["curse"],
        ["curse"],
        ["my_duration"],
    )
    to_own_start(game, 1)
    assert game.mana == 2
    assert [game.truth(seat) for seat in (1, 2, 3)] == [0, -1, -1]


@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-T8")
def test_a_duration_card_lies_in_the_own_field_while_it_works():
    """A draw of its own cannot bring it to hand: it goes to the discard pile afterwards."""
    given = effects_of(
        "my_duration", "draw 3", "mana 1 per own_field.my_duration", key="turn_start"
    )
    for pile in ([], ["stone"]):
        seat = {"deck": [], "discard": pile}
        game = start("my_duration", overrides=(given,), seat=seat)
        assert game.hand(1) == [*THREE, *pile]
        assert (game.mana, game.own(1), game.discard(1)) == (1, [], ["my_duration"])


# GM-K2: permanent cards


@pytest.mark.rule("GM-K2")
@pytest.mark.parametrize(("players", "seat"), TABLES)
def test_a_permanent_card_works_at_each_own_turn_start_from_the_next_one_on(players, seat):
    seats = deep(players, **{f"seat{seat}": {"hand": ["my_permanent", "charm"]}})
    game = stage(*seats, seat=seat, phase="cast")
    game.cast("my_permanent")
    # Its effects when it is used; its turn-start effects not yet.
    assert (game.mana, game.own(seat), game.play_area(seat)) == (7, ["my_permanent"], [])
    for _ in range(3):
        game.end_turn()
        for _ in range(players - 1):
            game.start_turn()
            assert game.mana == 0
            game.end_turn()
            assert game.own(seat) == ["my_permanent"]
        game.start_turn()
        assert (game.seat, game.mana, game.own(seat)) == (seat, 2, ["my_permanent"])
    assert "my_permanent" not in game.discard(seat) + game.hand(seat) + game.deck(seat)


@pytest.mark.rule("GM-K2")
@pytest.mark.rule("GM-T13")
def test_a_permanent_card_works_in_extra_turns_too():
    seats = deep(2, seat1={"hand": ["my_permanent", "my_magic"]})
    game = stage(*seats, phase="cast", casts=2, overrides=(HOURGLASS,))
    game.cast("my_magic")
    game.cast("my_permanent")
    to_next_start(game)
    assert (game.seat, game.extra, game.mana) == (1, True, 2)
    to_own_start(game, 1)
    assert (game.extra, game.mana) == (False, 2)


@pytest.mark.rule("GM-K2")
def test_copies_of_a_permanent_card_each_work():
    for copies in (1, 2, 5):
        game = start(*["my_permanent"] * copies)
        assert (game.mana, len(game.own(1))) == (2 * copies, copies)


@pytest.mark.rule("GM-K2")
def test_no_shuffle_brings_a_permanent_card_back_to_hand():
    seats = [{"hand": ["my_permanent", "charm"], "discard": ["stone"] * 2}, {"deck": DEEP}]
    game = stage(*seats, phase="cast")
    game.cast("my_permanent")
    for _ in range(4):
        to_own_start(game, 1)
        assert sorted(game.hand(1)) == ["charm", "stone", "stone"]
        assert game.own(1) == ["my_permanent"]
        assert game.truth(1) == 1
    assert game.counter(1, "shuffles") >= 4


@pytest.mark.rule("GM-K2")
def test_a_permanent_card_without_turn_start_effects_just_lies_there():
    game = start("my_doll", "my_permanent", "my_puppet")
    assert (game.mana, game.own(1)) == (2, ["my_doll", "my_permanent", "my_puppet"])


@pytest.mark.rule("GM-K2")
@pytest.mark.rule("GM-C2")
def test_the_witch_lies_beside_permanent_cards_and_takes_none_of_them():
    seat = {"own": ["my_permanent"], "deck": DEEP}
    game = stage(seat, {"deck": DEEP}, phase="acquire", mana=30)
    game.contract("ignis")
    assert game.own(1) == ["my_permanent", "ignis"]
    to_own_start(game, 1)
    assert game.own(1) == ["my_permanent", "ignis"]


@pytest.mark.rule("GM-K1")
@pytest.mark.rule("GM-K2")
@pytest.mark.parametrize(
    "overrides",
    [
        ['cards.my_magic.attributes=["duration"]'],
        ['cards.my_magic.turn_start=["mana 1"]'],
        ['cards.my_duration.attributes=["duration", "permanent"]'],
        ['cards.my_magic.reward=["mana 1"]'],
    ],
)
def test_attributes_and_texts_that_do_not_fit_are_refused(overrides):
    with pytest.raises(DataError):
        TITLE.load(overlays=[OVERLAY], overrides=overrides)


# GM-K10: the order of turn-start effects

#: Three kinds whose effects do not commute: double, add three, double and add one.
STEPS = {
    "my_permanent": ("mana 1 per mana",),
    "my_duration": ("mana 3",),
    "my_late_permanent": ("mana 1 per mana", "mana 1"),
}
CHANGED = tuple(effects_of(kind, *steps, key="turn_start") for kind, steps in STEPS.items())


def mana_of(order):
    """Return the mana that the three kinds give in an order."""
    mana = 0
    for kind in order:
        mana = {
            "my_permanent": 2 * mana,
            "my_duration": mana + 3,
            "my_late_permanent": 2 * mana + 1,
        }[kind]
    return mana


@pytest.mark.rule("GM-K10")
@pytest.mark.parametrize("order", list(permutations(STEPS)))
def test_turn_start_effects_come_in_the_order_in_which_the_cards_were_laid(order):
    assert start(*order, overrides=CHANGED).mana == mana_of(order)
    # The same for cards that are cast in that order.
    seats = deep(2, seat1={"hand": sorted(STEPS)})
    game = stage(*seats, phase="cast", casts=3, overrides=CHANGED)
    for kind in order:
        game.cast(kind)
    assert game.own(1) == list(order)
    to_own_start(game, 1)
    assert game.mana == mana_of(order)
    assert game.own(1) == [kind for kind in order if kind != "my_duration"]


@pytest.mark.rule("GM-K10")
def test_cards_of_earlier_turns_come_first():
    seats = deep(2, seat1={"hand": ["my_permanent", "charm"]})
    seats[0]["deck"] = ["my_duration", "my_late_permanent", *THREE, *DEEP]
    game = stage(*seats, phase="cast", overrides=(*CHANGED, "turn.casts=2"))
    game.cast("my_permanent")
    to_own_start(game, 1)
    assert game.mana == 0
    game.cast("my_late_permanent")
    game.cast("my_duration")
    order = ["my_permanent", "my_late_permanent", "my_duration"]
    assert game.own(1) == order
    to_own_start(game, 1)
    assert game.mana == mana_of(order) == 4
    assert game.own(1) == order[:2]
    to_own_start(game, 1)
    assert game.mana == mana_of(order[:2]) == 1


@pytest.mark.rule("GM-K10")
@pytest.mark.rule("GM-K1")
def test_a_duration_card_laid_again_is_laid_last():
    changed = (
        effects_of("my_permanent", "mana 1 per mana", key="turn_start"),
        effects_of("my_duration", "mana 3", key="turn_start"),
    )
    # Laid before the permanent card, it is doubled; after it, it is not.
    for own, mana in [(["my_duration", "my_permanent"], 6), (["my_permanent", "my_duration"], 3)]:
        game = start(*own, overrides=changed, seat={"hand": ["my_duration", *THREE]})
        assert game.mana == mana
        game.cast("my_duration")
        assert game.own(1) == ["my_permanent", "my_duration"]
        to_own_start(game, 1)
        assert game.mana == 3


@pytest.mark.rule("GM-K10")
@pytest.mark.rule("GM-T8")
def test_what_one_card_draws_the_next_one_sees():
    changed = (
        effects_of("my_permanent", "draw 2", key="turn_start"),
        effects_of("my_late_permanent", "mana 1 per hand", key="turn_start"),
    )
    assert start("my_permanent", "my_late_permanent", overrides=changed).mana == 5
    assert start("my_late_permanent", "my_permanent", overrides=changed).mana == 3


# GM-K3: familiars

FELICIA = (
    "witches.felicia.powers.rewards=true",
    *(f"witches.{witch}.ability=[]" for witch in ("felicia", "ignis", "sophia")),
)


def familiar(kind, witch="felicia", overrides=(), **seat):
    """Cast a familiar."""
    seats = deep(2, seat1={"hand": [kind], "witch": witch, **seat})
    game = stage(*seats, phase="cast", overrides=(*FELICIA, *overrides))
    game.cast(kind)
    return game


@pytest.mark.rule("GM-K3")
@pytest.mark.rule("GM-N4")
@pytest.mark.parametrize("kind", ["my_familiar", "my_lasting_familiar", "my_dragon"])
def test_who_is_contracted_to_felicia_gets_the_reward_on_using_a_familiar(kind):
    game = familiar(kind)
    assert (game.mana, game.gold(1), game.rewards(1)) == (2, 1, 1)
    # Nobody else does: no apprentice and no other witch.
    for witch in (None, "ignis", "sophia"):
        other = familiar(kind, witch)
        assert (other.mana, other.gold(1)) == (2, 0)


@pytest.mark.rule("GM-K3")
def test_the_reward_is_the_users_and_not_felicias_wherever_she_is():
    seats = deep(2, seat1={"hand": ["my_familiar"], "witch": "ignis"}, seat2={"witch": "felicia"})
    game = stage(*seats, phase="cast", overrides=FELICIA)
    game.cast("my_familiar")
    assert (game.gold(1), game.gold(2), game.rewards(2)) == (0, 0, 0)


@pytest.mark.rule("GM-K3")
def test_other_magic_brings_no_reward():
    for kind in ("my_magic", "my_duration", "my_permanent"):
        game = familiar(kind)
        assert (game.gold(1), game.rewards(1)) == (0, 0)


@pytest.mark.rule("GM-K3")
def test_the_reward_comes_after_the_effects():
    overrides = (
        effects_of("my_familiar", "mana 3", "draw 1"),
        effects_of("my_familiar", "mana 1 per mana", "gold 1 per hand", key="reward"),
    )
    game = familiar("my_familiar", overrides=overrides)
    assert (game.mana, game.gold(1)) == (6, 1)


@pytest.mark.rule("GM-K3")
@pytest.mark.rule("GM-N4")
def test_a_permanent_familiar_brings_it_at_each_turn_start_too():
    game = familiar("my_dragon")
    for turns in (1, 2, 3):
        to_own_start(game, 1)
        assert (game.mana, game.gold(1), game.rewards(1)) == (4, 1 + turns, 1 + turns)
        assert game.own(1) == ["my_dragon", "felicia"]
    two = start("my_dragon", "my_dragon", overrides=FELICIA, seat={"witch": "felicia"})
    assert (two.mana, two.gold(1), two.rewards(1)) == (8, 2, 2)
    # Without her there is the effect and no reward.
    alone = start("my_dragon", overrides=FELICIA)
    assert (alone.mana, alone.gold(1)) == (4, 0)


@pytest.mark.rule("GM-K3")
@pytest.mark.rule("GM-K10")
def test_the_reward_of_a_turn_start_comes_right_after_its_effect():
    """The card laid after it sees what the reward gave, and the card laid before it does not."""
    overrides = (
        *FELICIA,
        effects_of("my_dragon", "mana 1 per mana", key="reward"),
        effects_of("my_permanent", "mana 1 per mana", "mana 1", key="turn_start"),
    )
    felicia = {"witch": "felicia"}
    first = start("my_dragon", "my_permanent", overrides=overrides, seat=felicia)
    assert first.mana == (4 + 4) * 2 + 1
    last = start("my_permanent", "my_dragon", overrides=overrides, seat=felicia)
    assert last.mana == (1 + 4) * 2


@pytest.mark.rule("GM-K3")
@pytest.mark.rule("GM-N4")
def test_a_duration_familiar_brings_no_reward_at_the_turn_start():
    game = familiar("my_lasting_familiar")
    to_own_start(game, 1)
    assert (game.mana, game.gold(1), game.rewards(1)) == (4, 1, 1)
    assert game.own(1) == ["felicia"]


@pytest.mark.rule("GM-K3")
@pytest.mark.rule("GM-T13")
def test_an_extra_turn_brings_the_reward_of_a_permanent_familiar():
    seats = deep(2, seat1={"own": ["my_dragon"], "hand": THREE, "witch": "felicia"})
    game = stage(*seats, phase="start", extra=True, overrides=FELICIA)
    game.start_turn()
    assert (game.mana, game.gold(1), game.rewards(1)) == (4, 1, 1)


@pytest.mark.rule("GM-K3")
def test_a_familiar_without_a_reward_text_counts_all_the_same():
    game = familiar("my_familiar", overrides=("cards.my_familiar.reward=[]",))
    assert (game.mana, game.gold(1), game.rewards(1)) == (2, 0, 1)


@pytest.mark.rule("GM-K3")
@pytest.mark.rule("GM-C7")
def test_a_dragon_laid_before_the_contract_rewards_from_the_next_turn_start_on():
    seats = deep(2, seat1={"hand": ["my_dragon"]})
    game = stage(*seats, phase="cast", mana=30, overrides=FELICIA)
    game.cast("my_dragon")
    game.enter_acquisition()
    game.contract("felicia")
    assert (game.gold(1), game.rewards(1)) == (0, 0)
    to_own_start(game, 1)
    assert (game.gold(1), game.rewards(1)) == (1, 1)


@pytest.mark.rule("GM-K2")
@pytest.mark.rule("GM-T3")
def test_a_card_in_the_own_field_is_not_cast_from_there():
    game = start("my_permanent", "my_dragon", seat={"hand": THREE})
    assert set(game.options()) == {"stop"}
    refuse(game, "cast", "my_permanent")
