"""GM-N4 to GM-N6: Felicia, Ignis and Éclair."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.titles.granmagia import made_up
from tests.titles.granmagia.staging import DEEP, EIGHT, refuse
from tests.titles.granmagia.witchcraft import (
    CARDS,
    CONTRACT,
    DRAGON,
    FAMILIAR,
    LASTING,
    LIFTING,
    OTHER,
    SPELL,
    WITCHES,
    Answers,
    close,
    least,
    made,
    named,
    need,
    pass_turns,
    stage,
    won,
    worth,
)

# GM-N4: Felicia


@pytest.mark.rule("GM-N4")
@pytest.mark.rule("GM-K3")
@pytest.mark.parametrize("witch", [None, *WITCHES])
def test_the_use_of_a_familiar_gives_its_reward_after_its_effects(witch):
    reward = ["gold 1 per mana", "draw 1"]
    overrides = made(FAMILIAR, "mana 3", attributes=["familiar"], reward=reward)
    seat = {"witch": witch, "hand": [FAMILIAR], "deck": DEEP}
    game = stage(seat, {"witch": None}, phase="cast", overrides=overrides)
    game.cast(FAMILIAR)
    felicia = witch == "felicia"
    assert (game.mana, game.gold(1), len(game.hand(1))) == (3, 3 * felicia, int(felicia))
    assert game.rewards(1) == game.counter(1, "familiar_rewards") == int(felicia)


@pytest.mark.rule("GM-N4")
def test_rewards_are_a_power_of_the_data():
    overrides = (
        *made(FAMILIAR, attributes=["familiar"], reward=["gold 1"]),
        "witches.felicia.powers.rewards=false",
        "witches.felicia.victory.enabled=false",
    )
    seat = {"witch": "felicia", "hand": [FAMILIAR], "rewards": 34, "discard": worth(15)}
    game = stage(seat, {}, phase="cast", overrides=overrides)
    game.cast(FAMILIAR)
    assert (game.gold(1), game.rewards(1), game.over) == (0, 34, False)


@pytest.mark.rule("GM-N4")
def test_only_familiars_count():
    overrides = (*made(SPELL, "gold 1"), *LIFTING)
    seat = {"witch": "felicia", "hand": [SPELL] * 3, "rewards": 34, "discard": worth(30)}
    game = stage(seat, {}, phase="cast", casts=3, overrides=overrides)
    game.cast(SPELL)
    assert (game.rewards(1), game.over) == (34, False)


@pytest.mark.rule("GM-N4")
@pytest.mark.rule("GM-K6")
def test_the_dragon_is_a_permanent_familiar_with_a_turn_start():
    dragon = CARDS[named("使い魔の竜")]
    assert set(dragon["attributes"]) >= {"permanent", "familiar"}
    assert dragon["turn_start"]
    assert dragon["reward"]
    for card in CARDS.values():
        assert bool(card["reward"]) == ("familiar" in card["attributes"])


@pytest.mark.rule("GM-N4")
@pytest.mark.rule("GM-K3")
@pytest.mark.parametrize("extra", [False, True])
@pytest.mark.parametrize("witch", [None, "felicia", "sophia"])
def test_every_turn_start_effect_of_a_permanent_familiar_counts(witch, extra):
    dragon = {"attributes": ["permanent", "familiar"], "turn_start": ["mana 2"]}
    overrides = (
        *made(DRAGON, "gold 9", **dragon, reward=["gold 1 per mana"]),
        *made(OTHER, attributes=["permanent"], turn_start=["mana 5"]),
    )
    seat = {"witch": witch, "hand": ["note"] * 3, "deck": DEEP, "own": [DRAGON, OTHER, DRAGON]}
    game = stage(seat, {}, phase="start", overrides=overrides, extra=extra)
    game.start_turn()
    assert game.mana == 9
    assert game.gold(1) == (2 + 9 if witch == "felicia" else 0)
    assert game.rewards(1) == (2 if witch == "felicia" else 0)


@pytest.mark.rule("GM-N4")
@pytest.mark.rule("GM-K3")
def test_the_dragon_counts_when_cast_and_then_at_every_own_turn_start():
    dragon = {"attributes": ["permanent", "familiar"], "turn_start": ["mana 1"]}
    overrides = made(DRAGON, **dragon, reward=["gold 1"])
    seat = {"witch": "felicia", "hand": [DRAGON], "deck": DEEP}
    game = stage(seat, {"deck": DEEP}, phase="cast", overrides=overrides)
    game.cast(DRAGON)
    for turn in range(1, 5):
        assert game.rewards(1) == game.gold(1) == turn
        pass_turns(game)
        assert game.rewards(1) == turn
        game.start_turn()


@pytest.mark.rule("GM-N4")
@pytest.mark.rule("GM-K3")
def test_the_effect_of_a_duration_familiar_counts_once():
    lasting = {"attributes": ["duration", "familiar"], "turn_start": ["mana 1"]}
    overrides = made(LASTING, "mana 2", **lasting, reward=["gold 1"])
    seat = {"witch": "felicia", "hand": [LASTING], "deck": DEEP}
    game = stage(seat, {"deck": DEEP}, phase="cast", overrides=overrides)
    game.cast(LASTING)
    assert (game.rewards(1), game.gold(1)) == (1, 1)
    pass_turns(game)
    game.start_turn()
    assert game.mana == 1
    assert (game.rewards(1), game.gold(1)) == (1, 1)


@pytest.mark.rule("GM-N4")
@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize(("truth", "wins"), [(13, False), (14, True)])
def test_it_is_counted_when_the_reward_was_given(truth, wins):
    # The charm of the reward is there at the judgement.
    overrides = made(FAMILIAR, attributes=["familiar"], reward=["receive 2 truths discard"])
    seat = {"witch": "felicia", "hand": [FAMILIAR], "rewards": 34, "discard": worth(truth)}
    game = stage(seat, {}, phase="cast", overrides=overrides)
    game.cast(FAMILIAR)
    assert won(game, 1) is wins
    assert (game.truth(1), game.rewards(1)) == (truth + 1, 35)


@pytest.mark.rule("GM-N4")
@pytest.mark.rule("GM-W4")
@pytest.mark.parametrize("rewards", [33, 34])
def test_felicia_wins_within_her_turn_start(rewards):
    dragon = {"attributes": ["permanent", "familiar"], "turn_start": ["mana 1"]}
    overrides = (
        *made(DRAGON, **dragon, reward=["gold 1"]),
        *made(OTHER, attributes=["permanent"], turn_start=["mana 7"]),
        'witches.felicia.ability=["gold 5"]',
    )
    seat = {"witch": "felicia", "own": [DRAGON, DRAGON, OTHER], "rewards": rewards}
    seat |= {"discard": worth(15), "hand": ["note"] * 3}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    assert won(game, 1)
    used = 35 - rewards
    assert (game.mana, game.gold(1), game.rewards(1)) == (used, used, 35)


@pytest.mark.rule("GM-N4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_felicia_needs_thirty_five(players):
    own = {"rewards": 33}
    game, feeds = close("felicia", 15, players=players, own=own)
    game.cast(feeds[0])
    assert (game.rewards(1), game.over) == (34, False)
    game.cast(feeds[1])
    assert won(game, 1)
    # A card that a use brings comes after her count.
    overrides = (f'cards.{SPELL}.gives="stone_fusion"', f"cards.{SPELL}.gives_every=1")
    game, feeds = close("felicia", 15, players=players, overrides=overrides)
    game.cast(feeds[0])
    assert won(game, 1)
    assert "stone_fusion" not in game.discard(1)


# GM-N5: Ignis

CHAIN = [("鬼火", 4, "火炎"), ("火炎", 3, "インフェルノ"), ("インフェルノ", 2, "ビッグバン")]


@pytest.mark.rule("GM-N5")
def test_the_chain_of_fires_in_the_data():
    for card, every, given in CHAIN:
        data = CARDS[named(card)]
        assert (data["gives"], data["gives_every"]) == (named(given), every)
        assert data["sort"] == "exclusive"
    big_bang = CARDS[named("ビッグバン")]
    assert (big_bang["sort"], big_bang["gives"]) == ("exclusive", None)
    assert list(big_bang["needs"]) == ["mana >= 10"]
    assert WITCHES["ignis"]["victory"]["card"] == named("ビッグバン")


@pytest.mark.rule("GM-N5")
@pytest.mark.rule("GM-C2")
@pytest.mark.rule("GM-C9")
@pytest.mark.parametrize("notes", [0, 1, 2, 3])
def test_one_fire_for_each_note(notes):
    hand = ["note", "note", "old_note"][:notes]
    game = stage({"hand": hand, "discard": ["stone"]}, {}, phase="acquire", mana=9)
    game.contract("ignis")
    assert game.discard(1) == ["stone", *[named("鬼火")] * notes]
    assert Counter(game.burned) == Counter(hand)


@pytest.mark.rule("GM-N5")
@pytest.mark.parametrize(("card", "every", "given"), CHAIN)
def test_every_so_many_uses_bring_the_next_fire(card, every, given):
    card, given = named(card), named(given)
    for used in range(3 * every):
        seat = {"witch": "ignis", "hand": [card], "deck": DEEP, "uses": {card: used}}
        seat["uses"] = {kind: n for kind, n in seat["uses"].items() if n}
        game = stage(seat, {}, phase="cast", overrides=made(card, "gold 1", attributes=[]))
        game.cast(card)
        assert game.uses(1, card) == used + 1
        comes = (used + 1) % every == 0
        assert game.discard(1) == [given] * comes
        assert game.counter(1, "receipts") == comes
        assert game.gold(1) == 1


@pytest.mark.rule("GM-N5")
def test_uses_are_counted_over_all_copies_and_turns():
    card, given = named("鬼火"), named("火炎")
    seat = {"witch": "ignis", "hand": [card, card, card], "deck": [card, *DEEP]}
    overrides = made(card, "gold 1", attributes=[])
    game = stage(seat, {"deck": DEEP}, phase="cast", casts=3, overrides=overrides)
    for _ in range(3):
        game.cast(card)
    assert game.discard(1) == []
    pass_turns(game)
    game.start_turn()
    game.cast(card)
    assert game.uses(1, card) == 4
    assert Counter(game.discard(1)) == Counter({card: 3, given: 1})


@pytest.mark.rule("GM-N5")
def test_the_next_fire_comes_after_the_text_of_the_card():
    card, given = named("鬼火"), named("火炎")
    seat = {"witch": "ignis", "hand": [card], "discard": ["note"], "uses": {card: 3}}
    game = stage(seat, {}, phase="cast", overrides=made(card, "draw 5", attributes=[]))
    game.cast(card)
    assert (game.hand(1), game.discard(1), game.deck(1)) == (["note"], [given], [])


@pytest.mark.rule("GM-N5")
@pytest.mark.rule("GM-T3")
@pytest.mark.parametrize(("mana", "castable"), [(0, False), (9, False), (10, True), (25, True)])
def test_a_big_bang_is_cast_with_ten_mana_there(mana, castable):
    card = named("ビッグバン")
    seat = {"witch": "ignis", "hand": [card, *["great_stone"] * 5], "discard": worth(14)}
    game = stage({**seat, "gold": 40}, {}, phase="cast", mana=mana)
    assert (card in game.options()) is castable
    if not castable:
        refuse(game, "cast", card)
        return
    game.cast(card)
    assert game.mana == mana  # it is not paid
    assert game.play_area(1) == [card]


@pytest.mark.rule("GM-N5")
def test_mana_of_the_start_and_of_magic_goes_for_a_big_bang():
    card = named("ビッグバン")
    overrides = (
        *made(LASTING, attributes=["duration"], turn_start=["mana 7"]),
        *made(SPELL, "mana 3", "casts 1"),
    )
    seat = {"witch": "ignis", "hand": [card, SPELL, "note"], "own": [LASTING], "tokens": 15}
    game = stage(seat, {}, phase="start", overrides=overrides)
    game.start_turn()
    refuse(game, "cast", card)
    game.cast(SPELL)
    game.cast(card)
    assert won(game, 1)


@pytest.mark.rule("GM-N5")
@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize("truth", [0, 14])
def test_a_big_bang_with_less_truth_does_nothing_and_can_be_cast_again(truth):
    card = named("ビッグバン")
    seat = {"witch": "ignis", "hand": [card, card], "discard": worth(truth), "deck": DEEP}
    game = stage(seat, {"tokens": 3}, phase="cast", mana=12, casts=2, acquisitions=2)
    game.cast(card)
    assert not game.over
    assert (game.mana, game.casts, game.acquisitions, game.gold(1)) == (12, 1, 2, 0)
    assert (game.hand(1), game.play_area(1), game.burned) == ([card], [card], [])
    assert (game.truth(1), game.truth(2)) == (truth, 3)
    game.cast(card)
    assert not game.over
    # Truth that rises afterwards is no event; the same card wins in a later turn.
    own = {"hand": [card], "discard": [card, *worth(14)], "uses": {card: 1}}
    game, _ = close("ignis", 14, own=own)
    game.cast(card)
    game.enter_acquisition()
    game.acquire("charm")
    assert (game.truth(1), game.over) == (15, False)
    again = stage({**seat, "discard": worth(15), "uses": {card: 5}}, {}, phase="cast", mana=10)
    again.cast(card)
    assert won(again, 1)


@pytest.mark.rule("GM-N5")
@pytest.mark.rule("GM-W4")
def test_a_big_bang_is_judged_when_it_is_laid_out():
    card = named("ビッグバン")
    overrides = made(card, "receive 5 truths discard", "gold 5")
    for truth in (14, 15):
        seat = {"witch": "ignis", "hand": [card], "discard": worth(truth)}
        position = {"phase": "cast", "mana": 10, "choices": ["ritual"], "overrides": overrides}
        game = stage(seat, {}, **position)
        game.cast(card)
        assert won(game, 1) is (truth == 15)
        assert game.gold(1) == (0 if truth == 15 else 5)


@pytest.mark.rule("GM-N5")
def test_a_big_bang_wins_for_ignis_alone():
    card = named("ビッグバン")
    for witch in (None, "sophia", "brynhild"):
        seat = {"witch": witch, "hand": [card], "discard": worth(60)}
        game = stage(seat, {}, phase="cast", mana=10)
        game.cast(card)
        assert not game.over
    assert least("ignis") == 15
    assert [need("ignis", players) for players in (2, 3, 4)] == [1, 1, 1]


# GM-N6: Éclair


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-T5")
@pytest.mark.parametrize(
    ("mana", "gold", "left"),
    [(7, 0, (0, 0)), (8, 0, (1, 0)), (0, 7, (0, 0)), (5, 3, (0, 1)), (6, 0, None), (4, 2, None)],
)
def test_an_arcana_costs_eclair_seven(mana, gold, left):
    seats = [{"witch": "eclair", "gold": gold}, {"witch": "sophia", "gold": 9}]
    game = stage(*seats, phase="acquire", mana=mana)
    assert (game.price(1, "arcana"), game.price(2, "arcana")) == (7, 8)
    assert (game.price(1, "ritual"), game.price(1, "charm")) == (5, 2)
    assert ("arcana" in game.options()) is (left is not None)
    if left is None:
        refuse(game, "acquire", "arcana")
        return
    game.acquire("arcana")
    assert (game.mana, game.gold(1)) == left
    assert game.discard(1) == ["arcana"]


@pytest.mark.rule("GM-N6")
@pytest.mark.parametrize("witch", [name for name in WITCHES if name != "eclair"])
def test_the_others_pay_eight(witch):
    seats = [{"witch": witch}, {"witch": "eclair"}]
    refuse(stage(*seats, phase="acquire", mana=7), "acquire", "arcana")
    game = stage(*seats, phase="acquire", mana=8)
    game.acquire("arcana")
    assert game.mana == 0


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-T15")
@pytest.mark.parametrize(("discount", "price"), [(0, 8), (3, 5), (8, 0), (9, 0), (99, 0)])
def test_the_discount_is_data_and_never_gives_anything(discount, price):
    overrides = (f"witches.eclair.powers.arcana_discount={discount}",)
    game = stage({"witch": "eclair"}, {}, phase="acquire", mana=price + 1, overrides=overrides)
    assert game.price(1, "arcana") == price
    game.acquire("arcana")
    assert game.mana == 1


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-K4")
@pytest.mark.rule("GM-T15")
@pytest.mark.parametrize(("cost", "prices"), [(3, (10, 11)), (-7, (0, 1)), (-9, (0, 0))])
def test_the_discount_and_a_seal_go_together(cost, prices):
    overrides = (f"seals.my_moon.cost={cost}", "seals.my_moon.effects=[]")
    position = {"phase": "acquire", "mana": 10, "seals": {"my_moon": "arcana"}}
    seats = [{"witch": "eclair"}, {"witch": "sophia"}]
    game = made_up.stage(*seats, overrides=overrides, **position)
    assert (game.price(1, "arcana"), game.price(2, "arcana")) == prices
    game.acquire("arcana")
    assert game.mana == 10 - prices[0]


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-C7")
def test_the_discount_comes_with_the_contract():
    position = {"phase": "acquire", "mana": CONTRACT + 7, "acquisitions": 3}
    game = stage({"deck": DEEP}, {}, **position)
    assert game.price(1, "arcana") == 8
    refuse(game, "acquire", "arcana")
    game.contract("eclair")
    game.acquire("arcana")
    assert (game.mana, game.acquisitions) == (0, 1)


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-K4")
@pytest.mark.parametrize(("limit", "offered"), [(7, False), (8, True)])
def test_what_may_be_received_goes_by_the_printed_cost(limit, offered):
    asked = Answers(receive=["ritual"])
    overrides = made(SPELL, f"receive {limit} truths discard")
    seat = {"witch": "eclair", "hand": [SPELL]}
    game = stage(seat, {}, phase="cast", overrides=overrides, lineup=[asked, asked])
    game.cast(SPELL)
    (options,) = asked.options("receive")
    assert ("arcana" in options) is offered


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-F8")
@pytest.mark.rule("GM-W6")
@pytest.mark.parametrize("notes", [0, 1, 2, 3])
@pytest.mark.parametrize("witch", ["eclair", "celestina"])
def test_the_notes_of_her_contract_count_as_arcana_and_burn_no_magic(witch, notes):
    seat = {"hand": ["note", "old_note", "note"][:notes], "arcana_taken": 2}
    deck = [EIGHT[1], EIGHT[2], EIGHT[3], EIGHT[4]]
    game = stage(seat, {}, phase="acquire", mana=9, magic_deck=deck)
    game.contract(witch)
    assert game.arcana_taken(1) == 2 + (notes if witch == "eclair" else 0)
    assert game.magic_deck == deck
    assert Counter(game.burned) == Counter(seat["hand"])


@pytest.mark.rule("GM-N6")
def test_whether_notes_count_is_data():
    overrides = ("witches.eclair.powers.notes_as_arcana=false",)
    game = stage({"hand": ["note"]}, {}, phase="acquire", mana=9, overrides=overrides)
    game.contract("eclair")
    assert game.arcana_taken(1) == 0


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-F8")
def test_every_arcana_that_is_obtained_counts_and_burns():
    overrides = made(SPELL, "receive 8 truths discard")
    seat = {"witch": "eclair", "hand": [SPELL]}
    deck = [EIGHT[1], EIGHT[2], EIGHT[3]]
    position = {"phase": "cast", "mana": 7, "magic_deck": deck, "choices": ["arcana"]}
    game = stage(seat, {}, overrides=overrides, **position)
    game.cast(SPELL)
    game.enter_acquisition()
    game.acquire("arcana")
    assert game.arcana_taken(1) == 2
    assert game.magic_deck == deck[2:]


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-W3")
@pytest.mark.parametrize(
    ("own", "others", "announced"),
    [
        # Two players: five above the lowest.
        (5, [0], True),
        (4, [0], False),
        (9, [4], True),
        (9, [5], False),
        (12, [1], True),
        # Three and four: six above the lowest, and more than anybody.
        (6, [0, 0], True),
        (5, [0, 0], False),
        (6, [0, 5], True),
        (6, [0, 6], False),
        (7, [0, 6], True),
        (6, [1, 0], True),
        (6, [1, 1], False),
        (7, [7, 1], False),
        (7, [8, 0], False),
        (6, [5, 5, 0], True),
        (6, [5, 6, 0], False),
        (7, [2, 2, 2], False),
        (8, [2, 3, 7], True),
    ],
)
def test_eclairs_spread_of_arcana(own, others, announced):
    seat = {"witch": "eclair", "arcana_taken": own - 1, "discard": worth(10)}
    rivals = [{"arcana_taken": taken} for taken in others]
    game = stage(seat, *rivals, phase="acquire", mana=7)
    game.acquire("arcana")
    assert game.arcana_taken(1) == own
    assert game.announced(1) is announced
    assert not game.over


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-W3")
def test_an_arcana_that_is_received_is_an_event_as_well():
    overrides = made(SPELL, "receive 8 truths discard")
    seat = {"witch": "eclair", "hand": [SPELL], "arcana_taken": 4, "discard": worth(4)}
    for choice, announced in [("arcana", True), ("ritual", False)]:
        game = stage(seat, {}, phase="cast", overrides=overrides, choices=[choice])
        game.cast(SPELL)
        assert game.announced(1) is announced


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-W3")
def test_what_others_obtain_is_no_event_for_her():
    # Her condition holds and her truth has risen, but she obtains no arcana.
    seat = {"witch": "eclair", "arcana_taken": 30, "discard": worth(50), "deck": DEEP}
    rival = {"witch": "sophia", "deck": DEEP}
    game = stage(seat, rival, seat=2, phase="acquire", mana=13, acquisitions=2)
    game.acquire("arcana")
    game.acquire("ritual")
    assert not game.announced(1)
    game.end_turn()
    game.start_turn()
    assert not game.over


@pytest.mark.rule("GM-N6")
@pytest.mark.rule("GM-W2")
def test_arcana_that_were_burned_still_count_for_her():
    overrides = (*made(SPELL, "burn 1"), *LIFTING)
    seat = {"witch": "eclair", "hand": [SPELL, "arcana"], "arcana_taken": 5, "tokens": 10}
    game = stage({**seat, "announced": True, "deck": DEEP}, {}, phase="cast", overrides=overrides)
    game.cast(SPELL)
    assert (game.arcana_taken(1), game.truth(1)) == (5, 10)
    pass_turns(game)
    game.start_turn()
    assert won(game, 1)
