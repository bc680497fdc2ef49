"""MM-K1, MM-K3: what primitives do with cards, LP, mana, the trash and the deck."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.titles.majestic.rules_helping import (
    BODIES,
    asked,
    basic,
    cast,
    made,
    played,
    spell,
    stage,
    unit,
)
from tests.titles.majestic.staging import chosen, mana_card

# Cards: draw, discard, mill

SIDES = {"own": (1,), "enemy": (2,), "both": (1, 2)}


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", [0, 1, 3])
def test_cards_are_drawn_from_the_top(side, number):
    deck = {"deck": ["rat", "rock", "grunt", "brute"]}
    game = cast(deck, {**deck, "hand": ["rat"]}, f"draw {side} {number}")
    for seat in (1, 2):
        drawn = deck["deck"][: number if seat in SIDES[side] else 0]
        assert game.hand(seat) == ["rat"] * (seat == 2) + drawn
        assert game.deck(seat) == deck["deck"][len(drawn) :]
        assert game.counter(seat, "drawn") == len(drawn)


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", [0, 1, 3])
def test_cards_are_milled_from_the_top(side, number):
    deck = {"deck": ["rat", "rock", "grunt", "brute"]}
    game = cast(deck, deck, f"mill {side} {number}")
    for seat in (1, 2):
        gone = deck["deck"][: number if seat in SIDES[side] else 0]
        assert game.trash(seat) == gone + ["rite"] * (seat == 1)
        assert (game.deck(seat), game.hand(seat)) == (deck["deck"][len(gone) :], [])


@pytest.mark.rule("MM-K1")
@pytest.mark.rule("MM-K3")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", [0, 1, 2, 3, 9])
def test_who_discards_chooses(side, number):
    hand = ["rat", "rock", "grunt"]
    answers = {"main": ["rite"], "discard": ["grunt", "rat", "rock"]}
    lineup = asked(answers, answers)
    game = cast({"hand": hand}, {"hand": hand}, f"discard {side} {number}", lineup=lineup)
    for seat in (1, 2):
        thrown = ["grunt", "rat", "rock"][: number if seat in SIDES[side] else 0]
        assert game.trash(seat) == thrown + ["rite"] * (seat == 1)
        assert Counter(game.hand(seat)) == Counter(hand) - Counter(thrown)
        assert game.counter(seat, "discarded") == len(thrown)
    # With one kind left there is nothing to choose.
    asked_for = [
        (seat, options) for seat, decision, options in lineup[0].log if decision == "discard"
    ]
    options = [["grunt", "rat", "rock"], ["rat", "rock"]][:number]
    assert asked_for == [(seat, found) for seat in SIDES[side] for found in options]


# LP: hit, heal


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_lp_that_effects_take_go_to_the_mana_zone(side, number):
    lp = {"lp": ["wind_mana", "fire_mana", "earth_mana"]}
    game = cast(lp, lp, f"hit {side} {number}")
    for seat in (1, 2):
        gone = lp["lp"][: number if seat in SIDES[side] else 0]
        assert game.ready_mana(seat) == game.mana(seat) == gone
        assert game.lp(seat) == lp["lp"][len(gone) :]


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("answer", ["use_effect", "stop"])
def test_special_mana_that_an_effect_takes_may_be_used_by_its_seat(answer):
    well = mana_card("well", effects=["draw own 1"])
    other = {"lp": ["well", "fire_mana", "well", "fire_mana"]}
    game = cast({}, other, "hit enemy 3", texts=[well], answers=[answer, answer])
    assert chosen(game, "special") == [(2, ["use_effect", "stop"], answer)] * 2
    assert len(game.hand(2)) == 2 * (answer == "use_effect")
    assert game.mana(2) == ["well", "fire_mana", "well"]


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_lp_that_are_gained_come_from_the_mana_deck_on_top(side, number):
    seat_ = {"lp": ["wind_mana"], "mana_deck": ["fire_mana", "earth_mana", "water_mana"]}
    game = cast(seat_, seat_, f"heal {side} {number}")
    for seat in (1, 2):
        gained = seat_["mana_deck"][: number if seat in SIDES[side] else 0]
        assert game.lp(seat) == [*gained[::-1], "wind_mana"]
        assert game.mana_deck(seat) == seat_["mana_deck"][len(gained) :]
        assert (game.mana(seat), game.counter(seat, "lp_gained")) == ([], len(gained))


@pytest.mark.rule("MM-K1")
def test_lp_may_be_gained_beyond_those_of_the_start_and_face_down():
    well = mana_card("well", effects=["draw own 1"])
    game = cast({"mana_deck": ["well"] * 5}, {}, "heal own 2", texts=[well])
    assert (len(game.lp(1)), game.hand(1), chosen(game, "special")) == (8, [], [])


# Mana: mana, refresh


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("upright", ["ready", "down"])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_mana_is_put_from_the_top_of_the_mana_deck(upright, number):
    own = {"mana_deck": ["fire_mana", "earth_mana", "wind_mana"], "mana": ["water_mana"]}
    game = cast(own, {}, f"mana {upright} {number}")
    put = own["mana_deck"][:number]
    assert game.mana(1) == ["water_mana", *put]
    assert game.down_mana(1) == (put if upright == "down" else [])
    assert game.mana_deck(1) == own["mana_deck"][number:]
    assert (game.mana(2), game.counter(1, "mana_put")) == ([], 0)


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("upright", ["ready", "down"])
@pytest.mark.parametrize("answer", ["use_effect", "stop"])
def test_special_mana_may_be_used_whenever_it_comes(upright, answer):
    well = mana_card("well", effects=["draw own 1"])
    own = {"mana_deck": ["fire_mana", "well", "well", "wind_mana"]}
    game = cast(own, {}, f"mana {upright} 3", texts=[well], choices=[answer, answer])
    assert len(game.hand(1)) == 2 * (answer == "use_effect")
    assert game.counter(1, "special_used") == 2 * (answer == "use_effect")


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize(("number", "up"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)])
def test_so_many_own_mana_cards_come_up(number, up):
    down = [{"mana": "fire_mana", "down": True}] * 3
    game = cast({"mana": [*down, "wind_mana"]}, {"mana": down}, f"refresh {number}")
    assert sorted(game.ready_mana(1)) == basic(fire=up, wind=1)
    assert game.ready_mana(2) == []


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize(
    ("down", "number", "up"),
    [
        (["wind", "fire", "earth"], 1, ["wind"]),
        (["wind", "fire", "earth"], 2, ["wind", "fire"]),
        (["fire", "wind", "wind", "wind"], 1, ["fire"]),
        (["earth", "", "wind", "fire"], 2, ["earth", "wind"]),
    ],
)
def test_those_come_up_that_came_to_the_zone_first(down, number, up):
    # What is ready already (here: water) does not count.
    mana = [{"mana": f"{name}_mana", "down": True} if name else "water_mana" for name in down]
    game = cast({"mana": mana}, {}, f"refresh {number}")
    ready = [name.removesuffix("_mana") for name in game.ready_mana(1)]
    assert [name for name in ready if name != "water"] == up


# The trash and the deck: recycle, search, salvage, revive, deploy


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("number", [0, 1, 2, 3, 9])
def test_the_last_cards_of_the_trash_go_into_the_deck(number):
    own = {"trash": ["rat", "grunt", "brute"], "deck": ["rock"] * 4}
    game = cast(own, {"trash": ["rat"]}, f"recycle {number}")
    kept = max(3 - number, 0)
    # The spell itself is not in the trash yet.
    assert game.trash(1) == [*own["trash"][:kept], "rite"]
    assert Counter(game.deck(1)) == Counter(["rock"] * 4 + own["trash"][kept:])
    assert game.trash(2) == ["rat"]


@pytest.mark.rule("MM-K1")
def test_the_deck_is_shuffled_when_cards_go_into_it():
    rules = made(*BODIES, spell("rite", "recycle 1", "draw own 1"))
    own = {"trash": ["brute"], "deck": ["rock"] * 3, "hand": ["rite"]}
    drawn = Counter()
    for seed in range(60):
        game = played(own, {}, "rite", rules=rules, seed=seed)
        drawn.update(game.hand(1))
    # On top it would be drawn always, at the bottom never.
    assert 0 < drawn["brute"] < 60


#: Kinds by cost for what is fetched.
POOL = (
    unit("cheap", 1, 1, cost=1),
    unit("middle", 1, 1, cost=2),
    unit("dear", 1, 1, cost=3),
    spell("word", "draw own 1", cost=1),
    spell("saga", "draw own 1", cost=3),
)
FOUND = ["dear", "cheap", "saga", "word", "middle", "word"]


@pytest.mark.rule("MM-K1")
@pytest.mark.rule("MM-K3")
@pytest.mark.parametrize("how", ["search", "salvage"])
@pytest.mark.parametrize(
    ("sort", "cost", "options"),
    [
        ("unit", 3, ["cheap", "dear", "middle"]),
        ("unit", 2, ["cheap", "middle"]),
        ("unit", 1, ["cheap"]),
        ("unit", 0, []),
        ("spell", 3, ["saga", "word"]),
        ("spell", 2, ["word"]),
        ("card", 3, ["cheap", "dear", "middle", "saga", "word"]),
        ("card", 1, ["cheap", "word"]),
    ],
)
def test_a_card_of_a_sort_and_cost_is_fetched_or_none(how, sort, cost, options):
    zone = "deck" if how == "search" else "trash"
    rules = made(*BODIES, *POOL, spell("rite", f"{how} {sort} {cost}"))
    for choice in (*options, "stop"):
        own = {zone: FOUND, "hand": ["rite"]}
        game = stage(own, {zone: ["rat"]}, rules=rules)
        game.choices[1].append("rite")
        if options:
            game.choices[1].append(choice)
        game.main_phase()
        asked_for = [(1, [*options, "stop"], choice)] if options else []
        assert chosen(game, "fetch") == asked_for
        got = [] if choice == "stop" else [choice]
        assert game.hand(1) == got
        assert Counter(getattr(game, zone)(1)) == Counter(FOUND) - Counter(got) + (
            Counter(["rite"] if zone == "trash" else [])
        )
        assert game.trash(1)[-1] == "rite"


@pytest.mark.rule("MM-K3")
@pytest.mark.parametrize("choice", ["cheap", "stop"])
def test_the_deck_is_shuffled_after_a_search(choice):
    rules = made(*BODIES, *POOL, spell("rite", "search unit 1", "draw own 1"))
    own = {"deck": ["brute", *["rat"] * 4, "cheap"], "hand": ["rite"]}
    drawn = Counter()
    for seed in range(60):
        game = stage(own, {}, rules=rules, seed=seed)
        game.choices[1].extend(["rite", choice])
        game.main_phase()
        drawn.update(game.hand(1))
    assert 0 < drawn["brute"] < 60


@pytest.mark.rule("MM-K1")
def test_salvage_leaves_the_order_of_the_trash():
    rules = made(*BODIES, *POOL, spell("rite", "salvage card 9"))
    own = {"trash": ["rat", "rock", "dear", "grunt", "brute"], "hand": ["rite"]}
    game = played(own, {}, "rite", "dear", rules=rules)
    assert game.trash(1) == ["rat", "rock", "grunt", "brute", "rite"]


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize(("how", "zone"), [("revive", "trash"), ("deploy", "hand")])
@pytest.mark.parametrize(
    ("cost", "options"),
    [(0, []), (1, ["cheap"]), (2, ["cheap", "middle"]), (9, ["cheap", "dear", "middle"])],
)
@pytest.mark.parametrize("area", ["to_front", "to_back"])
def test_a_unit_comes_to_the_field_for_nothing_or_none_does(how, zone, cost, options, area):
    rules = made(*BODIES, *POOL, spell("rite", f"{how} {cost}"))
    for choice in (*options, "stop"):
        own = {zone: list(FOUND)}
        own["hand"] = ["rite", *own.get("hand", ())]
        answers = {"main": ["rite"], "fetch": [choice], "area": [area]}
        lineup = asked(answers)
        game = stage(own, {}, rules=rules, lineup=lineup)
        game.main_phase()
        log = [(name, found) for _, name, found in lineup[0].log if name in ("fetch", "area")]
        got = [] if choice == "stop" else [choice]
        areas = [("area", ["to_front", "to_back"])] if got else []
        assert log == ([("fetch", [*options, "stop"]), *areas] if options else [])
        assert (game.front(1), game.back(1)) == ((got, []) if area == "to_front" else ([], got))
        left = Counter(FOUND) - Counter(got)
        assert Counter(getattr(game, zone)(1)) == left + Counter(
            ["rite"] if zone == "trash" else []
        )
        assert game.counter(1, "units_played") == 0
