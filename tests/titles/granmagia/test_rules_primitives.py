"""GM-K5: what each primitive of lasting cards, attacks and abilities does, and `needs`, `gives`."""

from __future__ import annotations

import pytest

from sim.errors import DataError
from sim.titles.granmagia import TITLE
from tests.titles.granmagia.made_up import (
    OVERLAY,
    armed,
    attack,
    deep,
    effects_of,
    stage,
    to_next_start,
)
from tests.titles.granmagia.staging import Asked, refuse


def cast(effects, seat=None, *others, overrides=(), **more):
    """Cast magic with these effects."""
    first = dict(seat or {})
    first["hand"] = ["my_magic", *first.get("hand", ())]
    changed = (effects_of("my_magic", *effects), *overrides)
    game = stage(first, *(others or [{}]), phase="cast", overrides=changed, **more)
    game.cast("my_magic")
    return game


# take_curses


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-F12")
@pytest.mark.parametrize(("number", "pile"), [(0, 5), (1, 5), (3, 5), (3, 2), (2, 0), (2, -1)])
def test_take_curses_are_ones_own(number, pile):
    game = cast([f"take_curses {number}"], {"discard": ["charm"]}, {}, {}, piles={"curse": pile})
    taken = number if pile < 0 else min(number, pile)
    assert game.discard(1) == ["charm", *["curse"] * taken]
    assert game.piles["curse"] == (pile if pile < 0 else pile - taken)
    assert (game.truth(1), game.truth(2), game.truth(3)) == (1 - taken, 0, 0)
    assert game.counter(1, "curses_taken") == taken


# barrier


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-A4")
@pytest.mark.parametrize("number", [0, 1, 3])
def test_barrier_puts_up_as_many_as_it_says(number):
    overrides = ('cards.my_magic.attributes=["defence"]', 'cards.my_magic.defends="hand"')
    game = cast([f"barrier {number}"], {"barriers": 1}, {"barriers": 2}, overrides=overrides)
    assert (game.barriers(1), game.barriers(2)) == (1 + number, 2)
    assert game.observe(1, "barriers") == 1 + number


# tokens


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-W2")
@pytest.mark.rule("GM-W7")
@pytest.mark.parametrize("number", [0, 1, 7])
def test_tokens_are_truth_apart_from_the_deck(number):
    game = cast([f"tokens {number}"], {"hand": ["ritual"], "tokens": 2}, {"tokens": 3})
    assert (game.tokens(1), game.tokens(2)) == (2 + number, 3)
    assert (game.truth(1), game.truth(2)) == (3 + 2 + number, 3)
    assert (game.hand(1), game.discard(1)) == (["ritual"], [])


# extra_turn


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-T10")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_extra_turn_brings_one_more_turn_of_the_same_seat(players):
    overrides = (effects_of("my_magic", "extra_turn 1"),)
    seats = deep(players, seat2={"hand": ["my_magic"]})
    game = stage(*seats, seat=2, round=3, phase="cast", overrides=overrides)
    game.cast("my_magic")
    assert (game.extra, game.extra_earned) == (False, True)
    turns = game.turns(2)
    game.end_turn()
    assert (game.seat, game.extra, game.phase, game.round) == (2, True, "start", 3)
    game.start_turn()
    assert (game.casts, game.acquisitions, game.mana, game.turns(2)) == (1, 1, 0, turns)
    game.end_turn()
    assert (game.seat, game.extra, game.round) == (2 % players + 1, False, 3 + (players == 2))


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-T13")
def test_extra_turn_counts_once_and_not_in_an_extra_turn():
    overrides = (effects_of("my_magic", "extra_turn 2", "mana 1"),)
    seats = deep(2, seat1={"hand": ["my_magic"] * 2})
    game = stage(*seats, phase="cast", casts=2, overrides=overrides)
    game.cast("my_magic")
    game.cast("my_magic")
    to_next_start(game)
    assert (game.seat, game.extra) == (1, True)
    game.end_turn()
    assert (game.seat, game.extra) == (2, False)
    within = stage(*seats, phase="cast", extra=True, overrides=overrides)
    within.cast("my_magic")
    assert (within.mana, within.extra_earned) == (1, False)
    within.end_turn()
    assert (within.seat, within.extra) == (2, False)
    none = stage(*seats, phase="cast", overrides=(effects_of("my_magic", "extra_turn 0"),))
    none.cast("my_magic")
    none.end_turn()
    assert none.seat == 2


# seal


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-K4")
def test_seal_places_the_seal_that_it_names():
    game = cast(["seal my_moon", "mana 1", "seal my_sun"], choices=["charm", "stone"])
    assert game.seals == {"my_moon": "charm", "my_sun": "stone"}
    assert game.mana == 1
    for wrong in ("seal", "seal my_star", "seal 1", "seal my_sun per gold", "seal charm"):
        with pytest.raises(DataError):
            TITLE.load(overlays=[OVERLAY], overrides=[effects_of("my_magic", wrong)])


# the attacks

VICTIM = {"hand": ["charm", "stone", "note"], "discard": ["fragment"], "gold": 2}


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    ("effect", "hand", "discard", "gold", "curses"),
    [
        ("curses 2", 3, ["curse", "curse"], 2, 8),
        ("pass_curses 2", 3, ["curse"], 2, 10),
        ("others_discard 2", 1, ["charm", "note"], 2, 10),
        ("others_discard_to 2", 2, ["charm"], 2, 10),
        ("take_gold 1", 3, [], 1, 10),
    ],
)
def test_each_attack_does_its_part_and_nothing_else(effect, hand, discard, gold, curses):
    lineup = [Asked(), Asked(discard=["charm", "note"])]
    attacker = {"hand": ["curse", "ritual"], "gold": 1}
    game = attack([effect], attacker, VICTIM, lineup=lineup)
    assert len(game.hand(2)) == hand
    assert game.discard(2) == ["fragment", *discard]
    assert (game.gold(1), game.gold(2)) == (3 - gold, gold)
    assert game.piles["curse"] == curses
    assert game.hand(1) == (["ritual"] if effect.startswith("pass") else ["curse", "ritual"])
    assert (game.mana, game.casts, game.acquisitions, game.discard(1)) == (0, 0, 1, [])


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    "effect",
    ["curses 0", "pass_curses 0", "others_discard 0", "take_gold 0", "curses 1 per silver"],
)
def test_an_attack_of_nothing_does_nothing(effect):
    game = attack([effect, "mana 1"], {"hand": ["curse"]}, VICTIM)
    assert (game.hand(2), game.discard(2), game.gold(2)) == (VICTIM["hand"], ["fragment"], 2)
    assert (game.hand(1), game.mana) == (["curse"], 1)


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    "primitive",
    [
        *("take_curses", "barrier", "tokens", "extra_turn"),
        *("curses", "pass_curses", "others_discard", "others_discard_to", "take_gold"),
    ],
)
@pytest.mark.parametrize("wrong", ["", " -1", " 100", " many", " 1 hand"])
def test_amounts_that_do_not_exist_are_told_with_their_key(primitive, wrong):
    overrides = [effects_of("my_attack", "curses 1", primitive + wrong)]
    with pytest.raises(DataError, match=r"cards\.my_attack\.effects"):
        TITLE.load(overlays=[OVERLAY], overrides=overrides)


# needs


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    ("needs", "held"),
    [
        (["gold >= 3"], True),
        (["gold >= 4"], False),
        (["gold >= 3", "hand >= 2"], True),
        (["gold >= 3", "hand >= 9"], False),
        (["gold >= 9", "hand >= 2"], False),
        (["gold >= 3 and round == 2"], True),
        (["gold >= 3 and round == 3"], False),
        (["contracted == 1"], False),
        (["contracted == 0", "seat == 1"], True),
    ],
)
def test_a_card_is_castable_while_all_that_it_needs_holds(needs, held):
    overrides = (effects_of("my_magic", *needs, key="needs"),)
    seat = {"hand": ["my_magic", "market"], "gold": 3}
    game = stage(seat, {}, phase="cast", round=2, overrides=overrides)
    if held:
        assert set(game.options()) == {"my_magic", "market", "stop"}
        game.cast("my_magic")
        assert (game.mana, game.gold(1)) == (1, 3)  # nothing is paid
    else:
        assert set(game.options()) == {"market", "stop"}
        refuse(game, "cast", "my_magic")


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-C6")
def test_what_a_card_needs_is_looked_up_before_it_is_cast_and_only_then():
    overrides = (
        effects_of("my_magic", "mana 4"),
        effects_of("my_flame", "mana -9", "mana 1"),
        "turn.casts=3",
    )
    seat = {"hand": ["my_magic", "my_flame", "my_flame"]}
    game = stage(seat, {}, phase="cast", casts=3, overrides=overrides)
    refuse(game, "cast", "my_flame")
    game.cast("my_magic")
    game.cast("my_flame")
    # It took the mana away that it needs, and its whole text was played.
    assert game.mana == 1
    refuse(game, "cast", "my_flame")


@pytest.mark.rule("GM-K5")
def test_a_card_with_needs_alone_can_be_cast_and_does_nothing():
    overrides = ("cards.my_magic.effects=[]", effects_of("my_magic", "gold >= 1", key="needs"))
    for gold in (0, 1):
        seat = {"hand": ["my_magic"], "gold": gold}
        game = stage(seat, {}, phase="cast", overrides=overrides)
        assert set(game.options()) == ({"my_magic", "stop"} if gold else {"stop"})
    game.cast("my_magic")
    assert (game.mana, game.casts, game.play_area(1)) == (0, 0, ["my_magic"])


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize("wrong", ["mana", "mana >= x", "moon >= 1", "mana 3"])
def test_needs_that_do_not_exist_are_told_with_their_key(wrong):
    overrides = [effects_of("my_magic", wrong, key="needs")]
    with pytest.raises(DataError, match=r"cards\.my_magic\.needs"):
        TITLE.load(overlays=[OVERLAY], overrides=overrides)


# gives


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-N5")
@pytest.mark.parametrize("every", [1, 2, 3])
def test_every_so_many_uses_bring_a_card(every):
    overrides = (f"cards.my_spark.gives_every={every}",)
    seat = {"hand": ["my_spark"] * 7, "witch": "ignis", "discard": ["charm"]}
    game = stage(seat, {}, phase="cast", casts=7, overrides=overrides)
    for used in range(1, 8):
        game.cast("my_spark")
        assert game.uses(1, "my_spark") == used
        assert game.discard(1) == ["charm", *["my_flame"] * (used // every)]
    assert game.mana == 7


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-N5")
def test_uses_of_earlier_turns_count_and_other_kinds_do_not():
    seat = {"hand": ["my_spark", "my_magic"], "witch": "ignis", "uses": {"my_spark": 3}}
    game = stage(seat, {}, phase="cast", casts=2)
    game.cast("my_magic")
    assert game.discard(1) == []
    game.cast("my_spark")
    assert game.discard(1) == ["my_flame"]
    # Any copy counts, whoever's count is elsewhere.
    seats = [{"hand": ["my_spark"], "witch": "ignis"}, {"witch": "sophia", "uses": {"my_spark": 1}}]
    other = stage(*seats, phase="cast")
    other.cast("my_spark")
    assert (other.discard(1), other.discard(2)) == ([], [])
    assert (other.uses(1, "my_spark"), other.uses(2, "my_spark")) == (1, 1)


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-N5")
@pytest.mark.rule("GM-T6")
def test_the_card_that_is_given_comes_after_the_text():
    """A draw of the text cannot find it; it lies in the discard pile for later."""
    overrides = (effects_of("my_spark", "draw 1", "mana 1"), "cards.my_spark.gives_every=1")
    game = stage({"hand": ["my_spark"], "witch": "ignis"}, {}, phase="cast", overrides=overrides)
    game.cast("my_spark")
    assert (game.hand(1), game.discard(1), game.mana) == ([], ["my_flame"], 1)
    assert game.counter(1, "receipts") == 1


@pytest.mark.rule("GM-K5")
@pytest.mark.rule("GM-N5")
def test_the_count_begins_with_the_contract():
    seat = {"hand": ["my_spark"] * 3, "deck": ["my_spark"] * 9}
    game = stage(seat, {}, phase="cast", casts=3, mana=30)
    game.cast("my_spark")
    game.cast("my_spark")
    assert game.discard(1) == []
    game.cast("my_spark")
    game.enter_acquisition()
    game.contract("ignis")
    assert game.uses(1, "my_spark") == 0
    game.end_turn()
    assert "my_flame" not in game.discard(1) + game.hand(1) + game.deck(1)


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize(
    "override",
    [
        'cards.my_spark.gives="market"',
        'cards.my_spark.gives="charm"',
        'cards.my_spark.gives="my_star"',
        "cards.my_spark.gives_every=0",
        "cards.my_spark.gives_every=100",
    ],
)
def test_only_exclusives_are_given(override):
    with pytest.raises(DataError):
        TITLE.load(overlays=[OVERLAY], overrides=[override])


@pytest.mark.rule("GM-K5")
@pytest.mark.parametrize("wrong", [["market"], ["stop", "market"], ["stop", "stop"]])
def test_a_wrong_choice_in_an_attack_leaves_the_game_as_it_was(wrong):
    seats = [{}, {"barriers": 1, "hand": ["stone"]}]
    victim = {"hand": ["charm", "note"], "own": ["my_doll"], "dolls_spent": 1, "gold": 1}
    game = armed(["mana 1", "others_discard 1"], *seats, victim, choices=wrong, casts=3)
    refuse(game, "cast", "my_attack")
    assert list(game.choices) == wrong
    assert game.barriers(2) == 1
    # Played with right choices instead, it works as if nothing had been tried.
    game.choices.clear()
    game.choices.extend(["stop", "note"])
    game.cast("my_attack")
    assert (game.mana, game.casts, game.barriers(2)) == (1, 1, 0)
    assert (game.discard(3), game.gold(3)) == (["note"], 1)
