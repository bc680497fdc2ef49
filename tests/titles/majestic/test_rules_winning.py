"""MM-G: who loses and when, and what ends a game else."""

from __future__ import annotations

import random

import pytest

from sim.errors import InputError
from sim.titles.majestic import new_game
from sim.titles.majestic.info import INFO
from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    basic,
    deck,
    made,
    played,
    spell,
    stage,
    unit,
)
from tests.titles.majestic.staging import chosen, mana_card

FIRST, SECOND, DRAWN = ([1, 2], [60, 0]), ([2, 1], [0, 60]), ([1, 1], [30, 30])

#: A special mana that draws a card, so that its use can be seen.
WELL = mana_card("well", effects=["draw own 1"])


def outcome(game):
    return list(game.ranks), list(game.win60)


def cast(one, other, *effects, **more):
    """Return the game after seat 1 has cast a free spell with these effects."""
    rules = made(*BODIES, WELL, spell("rite", *effects))
    hand = ["rite", *one.get("hand", ())]
    return played({**one, "hand": hand}, other, "rite", rules=rules, **more)


# MM-G1: the last LP card


@pytest.mark.rule("MM-G1")
def test_there_are_two_seats():
    assert INFO.players == (2,)
    for seats in ([{}], [{}, {}, {}]):
        with pytest.raises(InputError):
            stage(*seats)


@pytest.mark.rule("MM-G1")
@pytest.mark.parametrize("seat", [1, 2])
def test_an_attack_that_takes_the_last_lp_wins_at_once(seat):
    rules = made(*BODIES)
    one, other = {"front": ["grunt", "grunt"]}, {"lp": ["fire_mana"]}
    seats = (one, other) if seat == 1 else (other, one)
    game = stage(*seats, rules=rules, phase="battle", seat=seat)
    game.choices[seat].extend(["own_1", "own_2"])
    game.battle_phase()
    assert (game.over, game.end_reason, game.phase) == (True, "lp", "over")
    assert outcome(game) == (FIRST if seat == 1 else SECOND)
    # The second attack did not happen.
    assert list(game.choices[seat]) == ["own_2"]
    assert game.counter(seat, "attacks") == 1
    assert (game.lp(3 - seat), game.mana(3 - seat)) == ([], ["fire_mana"])
    with pytest.raises(InputError):
        game.play_phase()


@pytest.mark.rule("MM-G1")
def test_with_one_lp_left_nobody_has_lost():
    game = stage({"front": ["grunt"]}, {"lp": basic(fire=2)}, rules=made(*BODIES), phase="battle")
    game.choices[1].append("own_1")
    game.battle_phase()
    assert (game.over, game.phase, game.end_reason) == (False, "end", None)
    assert game.lp(2) == ["fire_mana"]


@pytest.mark.rule("MM-G1")
@pytest.mark.parametrize(("lp", "over"), [(1, True), (2, True), (3, False)])
def test_effects_take_the_last_lp_too_and_what_follows_does_not_happen(lp, over):
    own = {"deck": ["grunt"] * 4}
    game = cast(own, {"lp": basic(fire=lp)}, "hit enemy 2", "draw own 2")
    assert game.over == over
    assert len(game.hand(1)) == (0 if over else 2)
    assert len(game.deck(1)) == (4 if over else 2)
    if over:
        assert (outcome(game), game.end_reason) == (FIRST, "lp")


@pytest.mark.rule("MM-G1")
def test_a_seat_can_take_its_own_last_lp():
    game = cast({"lp": ["fire_mana"]}, {}, "hit own 1")
    assert (outcome(game), game.end_reason) == (SECOND, "lp")


@pytest.mark.rule("MM-G1")
def test_a_game_can_end_in_an_exchange():
    rules = made(*BODIES, spell("rite", "hit enemy 1"))
    one = {"front": ["grunt"], "lp": basic(fire=1), "hand": ["rite"]}
    other = {"hand": ["rite"], "lp": basic(fire=3)}
    lineup = asked({"attack": ["own_1"], "exchange": ["stop", "rite"]}, {"exchange": ["rite"]})
    game = stage(one, other, rules=rules, phase="battle", lineup=lineup)
    game.battle_phase()
    assert (outcome(game), game.end_reason) == (SECOND, "lp")
    # Neither the answer nor the attack came to anything.
    assert (len(game.lp(2)), game.hand(1)) == (3, ["rite"])


# MM-G2: an empty deck


@pytest.mark.rule("MM-G2")
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize(("cards", "over"), [(1, True), (2, False)])
def test_the_last_card_of_the_main_deck(seat, cards, over):
    seats = [{}, {}]
    seats[seat - 1] = {"deck": ["grunt"] * cards}
    game = stage(*seats, rules=made(*BODIES), phase="draw", seat=seat, round=2)
    game.draw_phase()
    assert game.over == over
    assert (game.hand(seat), len(game.deck(seat))) == (["grunt"], cards - 1)
    if over:
        assert game.end_reason == "main_deck"
        assert outcome(game) == (SECOND if seat == 1 else FIRST)


@pytest.mark.rule("MM-G2")
@pytest.mark.parametrize(("cards", "over"), [(1, True), (2, False)])
def test_the_last_card_of_the_main_deck_in_the_mana_phase(cards, over):
    game = stage({"deck": ["grunt"] * cards}, {}, rules=made(*BODIES), phase="mana")
    game.choices[1].append("draw_card")
    game.mana_phase()
    assert (game.over, game.end_reason) == (over, "main_deck" if over else None)


@pytest.mark.rule("MM-G2")
@pytest.mark.parametrize("kind", ["fire_mana", "well"])
def test_the_last_card_of_the_mana_deck(kind):
    own = {"mana_deck": [kind], "deck": ["grunt"] * 3}
    game = stage(own, {}, rules=made(*BODIES, WELL), phase="mana")
    game.choices[1].append("put_mana")
    game.mana_phase()
    assert (outcome(game), game.end_reason) == (SECOND, "mana_deck")
    # At that moment: the effect of special mana comes too late.
    assert (game.hand(1), chosen(game, "special")) == ([], [])


@pytest.mark.rule("MM-G2")
def test_with_one_card_left_in_the_mana_deck_nobody_has_lost():
    game = stage({"mana_deck": basic(fire=2)}, {}, phase="mana", choices={1: ["put_mana"]})
    game.mana_phase()
    assert not game.over
    assert len(game.mana_deck(1)) == 1


@pytest.mark.rule("MM-G2")
@pytest.mark.parametrize(
    ("effect", "zone", "reason"),
    [
        ("draw own 3", "deck", "main_deck"),
        ("mill own 3", "deck", "main_deck"),
        ("heal own 3", "mana_deck", "mana_deck"),
        ("mana ready 3", "mana_deck", "mana_deck"),
        ("mana down 3", "mana_deck", "mana_deck"),
    ],
)
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_effects_empty_decks_too_and_what_follows_does_not_happen(effect, zone, reason, cards):
    kind = "grunt" if zone == "deck" else "fire_mana"
    own = {zone: [kind] * cards}
    game = cast(own, {"lp": basic(fire=3)}, effect, "hit enemy 1")
    assert game.over == (cards <= 3)
    assert len(game.lp(2)) == (3 if cards <= 3 else 2)
    assert len(getattr(game, zone)(1)) == max(cards - 3, 0)
    if cards <= 3:
        assert (outcome(game), game.end_reason) == (SECOND, reason)


@pytest.mark.rule("MM-G2")
def test_a_deck_of_the_other_seat_is_its_own_loss():
    game = cast({}, {"deck": ["grunt"] * 2}, "mill enemy 2")
    assert (outcome(game), game.end_reason) == (FIRST, "main_deck")
    assert game.trash(2) == ["grunt", "grunt"]


@pytest.mark.rule("MM-G2")
def test_the_last_card_that_is_searched_for_loses_too():
    game = stage(
        {"hand": ["rite"], "deck": ["rat"]}, {}, rules=made(*BODIES, spell("rite", "search unit 9"))
    )
    game.choices[1].extend(["rite", "rat"])
    game.main_phase()
    assert (outcome(game), game.end_reason) == (SECOND, "main_deck")


@pytest.mark.rule("MM-G2")
@pytest.mark.rule("MM-K3")
def test_who_finds_nothing_loses_no_card():
    rules = made(*BODIES, spell("rite", "search unit 9"))
    game = played({"hand": ["rite"], "deck": ["rat"]}, {}, "rite", "stop", rules=rules)
    assert (game.over, game.deck(1), game.hand(1)) == (False, ["rat"], [])


@pytest.mark.rule("MM-G2")
def test_a_deck_must_be_refilled_before_it_is_empty():
    own = {"deck": ["grunt"], "trash": ["rat", "rat"]}
    late = cast(own, {}, "draw own 1", "recycle 2")
    assert (late.over, late.end_reason) == (True, "main_deck")
    early = cast(own, {}, "recycle 2", "draw own 1")
    assert (early.over, len(early.deck(1)), len(early.hand(1))) == (False, 2, 1)


@pytest.mark.rule("MM-G2")
@pytest.mark.parametrize(
    ("effect", "own", "other"),
    [
        ("hit both 1", {"lp": basic(fire=1)}, {"lp": basic(wind=1)}),
        ("hit both 3", {"lp": basic(fire=2)}, {"lp": basic(fire=2)}),
        ("mill both 3", {"deck": ["rat"] * 3}, {"deck": ["rat"] * 3}),
        ("mill both 9", {"deck": ["rat"] * 2}, {"deck": ["rat"] * 2}),
        ("draw both 1", {"deck": ["rat"]}, {"deck": ["rat"]}),
        ("heal both 1", {"mana_deck": basic(fire=1)}, {"mana_deck": basic(wind=1)}),
    ],
)
def test_who_loses_by_one_and_the_same_effect_draws(effect, own, other):
    game = cast(own, other, effect)
    assert (outcome(game), game.end_reason) == (DRAWN, "both")


@pytest.mark.rule("MM-G2")
@pytest.mark.parametrize(("own", "other", "expected"), [(2, 1, FIRST), (1, 2, SECOND)])
@pytest.mark.parametrize(
    ("what", "zone"),
    [("hit", "lp"), ("mill", "deck"), ("draw", "deck"), ("heal", "mana_deck")],
)
def test_who_has_fewer_cards_loses_first(what, zone, own, other, expected):
    # One card of each, and then the next: the second one of the other seat never goes.
    kind = "rat" if zone == "deck" else "fire_mana"
    game = cast({zone: [kind] * own}, {zone: [kind] * other}, f"{what} both 2")
    assert outcome(game) == expected
    assert [len(getattr(game, zone)(seat)) for seat in (1, 2)] == [own - 1, other - 1]


@pytest.mark.rule("MM-G2")
@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [(2, 1, FIRST), (1, 2, SECOND), (2, 2, None)],
)
def test_of_an_effect_on_both_only_who_has_nothing_left_loses(own, other, expected):
    game = cast({"lp": basic(fire=own)}, {"lp": basic(fire=other)}, "hit both 1")
    assert (outcome(game) if game.over else None) == expected


@pytest.mark.rule("MM-G2")
def test_two_effects_are_not_one():
    seats = {"lp": basic(fire=1)}, {"lp": basic(fire=1)}
    assert outcome(cast(*seats, "hit enemy 1", "hit own 1")) == FIRST
    assert outcome(cast(*seats, "hit own 1", "hit enemy 1")) == SECOND


@pytest.mark.rule("MM-G2")
@pytest.mark.parametrize(
    ("effect", "zone"),
    [
        ("draw own 1", "deck"),
        ("mill own 2", "deck"),
        ("search card 9", "deck"),
        ("heal own 1", "mana_deck"),
        ("mana ready 1", "mana_deck"),
    ],
)
def test_from_an_empty_deck_nothing_comes_and_nothing_is_lost(effect, zone):
    game = cast({zone: []}, {"lp": basic(fire=3)}, effect, "hit enemy 1")
    assert not game.over
    assert (game.hand(1), game.trash(1), game.mana(1)) == ([], ["rite"], [])
    assert (len(game.lp(1)), len(game.lp(2))) == (6, 2)


@pytest.mark.rule("MM-G2")
@pytest.mark.parametrize("choice", ["put_mana", "draw_card"])
def test_nothing_is_lost_by_phases_with_empty_decks(choice):
    game = stage({"deck": [], "mana_deck": []}, {}, phase="draw", round=2)
    game.draw_phase()
    assert (game.over, game.hand(1)) == (False, [])
    game.choices[1].append(choice)
    game.mana_phase()
    assert (game.over, game.hand(1), game.mana(1)) == (False, [], [])


@pytest.mark.rule("MM-G2")
def test_the_defender_can_empty_its_deck_by_its_own_special_mana():
    other = {"lp": ["well", "fire_mana"], "deck": ["rat"]}
    game = stage({"front": ["grunt"]}, other, rules=made(*BODIES, WELL), phase="battle")
    game.choices[1].append("own_1")
    game.choices[2].append("use_effect")
    game.battle_phase()
    assert (outcome(game), game.end_reason, game.hand(2)) == (FIRST, "main_deck", ["rat"])


# MM-G3: the longest game


def longest(choices, seed=1):
    """Play with nothing but cards that nobody can pay; each seat chooses so in its mana phases."""
    rules = made(
        unit("idol", 1, 1, cost=20),
        deck("idols", {"idol": 40}, {"fire_mana": 20}),
        overrides=("deck.copies=40",),
    )
    lineup = asked({"mana_phase": choices}, {"mana_phase": choices})
    game = new_game(["idols", "idols"], rules=rules, lineup=lineup, seed=seed)
    game.play()
    return game


@pytest.mark.rule("MM-G3")
@pytest.mark.parametrize("start", [0, 10])
def test_the_longest_game_ends_in_the_24th_turn_of_the_second_seat(start):
    draws = ["draw_card"] * 30
    game = longest([*draws[:start], *["put_mana"] * 13, *draws])
    assert (game.round, game.turn, game.end_reason, outcome(game)) == (24, 48, "main_deck", FIRST)
    assert len(game.mana_deck(1)) == len(game.mana_deck(2)) == 1


@pytest.mark.rule("MM-G3")
def test_no_game_without_refills_is_longer():
    dice = random.Random(11)
    for seed in range(6):
        game = longest(dice.choices(["put_mana", "draw_card"], k=60), seed)
        assert game.round <= 24
        assert game.end_reason in ("main_deck", "mana_deck")
    game = longest(["put_mana"] * 60)
    assert (game.round, game.end_reason, outcome(game)) == (14, "mana_deck", SECOND)


# MM-G4: the last LP card is special mana


@pytest.mark.rule("MM-G4")
@pytest.mark.parametrize(("lp", "drawn"), [(["well"], 0), (["well", "well"], 1)])
def test_the_effect_of_the_last_lp_card_is_not_used(lp, drawn):
    game = stage(
        {"front": ["grunt"]},
        {"lp": lp},
        rules=made(*BODIES, WELL),
        phase="battle",
        choices={1: ["own_1"], 2: ["use_effect"]},
    )
    game.battle_phase()
    assert game.over == (not drawn)
    assert len(game.hand(2)) == drawn
    assert game.counter(2, "special_used") == drawn


@pytest.mark.rule("MM-G4")
def test_the_last_lp_card_cannot_win_the_game_for_its_owner():
    curse = mana_card("curse", effects=["hit enemy 1"])
    game = stage(
        {"front": ["grunt"], "lp": basic(fire=1)},
        {"lp": ["curse"]},
        rules=made(*BODIES, curse),
        phase="battle",
        choices={1: ["own_1"], 2: ["use_effect"]},
    )
    game.battle_phase()
    assert (outcome(game), game.end_reason, len(game.lp(1))) == (FIRST, "lp", 1)
