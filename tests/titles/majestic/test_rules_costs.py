"""MM-C: what cards and abilities cost, of which attribute, and which mana is turned down."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from sim.titles.majestic.schema import ATTRIBUTES
from tests.titles.majestic.rules_helping import (
    BODIES,
    basic,
    fought,
    made,
    played,
    sorcerer,
    spell,
    stage,
    unit,
)
from tests.titles.majestic.staging import mana_card

#: What can be played or used at a cost: the word of its option, by its name.
PLAYS = {"guest": "guest", "rite": "rite", "sage": "own_1", "seer": "sorcery"}


def costing(cost, attribute="fire"):
    """Return rules with a unit, a spell, an ability and a sorcerer of that cost and attribute."""
    shared = {"cost": cost, "attribute": attribute}
    ability = {"cost": cost, "effects": ["ap self 1"]}
    other = "water" if attribute != "water" else "earth"
    return made(
        *BODIES,
        unit("guest", **shared),
        spell("rite", "ap own 1", **shared),
        unit("sage", attribute=attribute, ability=ability, cost=1 if cost == 0 else 0),
        sorcerer("seer", "ap own 1", attribute=attribute, cost=cost),
        sorcerer("idle", "ap own 1", attribute=other, cost=20),
    )


def seat(mana, who="seer"):
    return {"hand": ["guest", "rite"], "front": ["sage"], "sorcerer": who, "mana": mana}


def paid(mana, cost, attribute, play="rite"):
    """Return what is left ready, by attributes, after that was paid for; None: it cannot be."""
    game = stage(seat(mana), {}, rules=costing(cost, attribute))
    if PLAYS[play] not in game.options("main", 1):
        return None
    game.choices[1].append(PLAYS[play])
    game.main_phase()
    assert sorted(game.mana(1)) == sorted(mana), "mana that pays stays where it is"
    left = Counter(name.removesuffix("_mana") for name in game.ready_mana(1))
    assert len(game.down_mana(1)) == cost
    assert game.counter(1, "mana_spent") == cost
    return tuple(left[name] for name in ATTRIBUTES)


def rule(ready, cost, attribute):
    """Return what MM-C2 leaves ready, read sentence by sentence."""
    left = dict(zip(ATTRIBUTES, ready, strict=True))
    if cost == 0:
        return ready
    if sum(ready) < cost or not left[attribute]:
        return None
    left[attribute] -= 1
    for _ in range(cost - 1):
        most = max(left.values())
        others = [name for name in ATTRIBUTES if name != attribute and left[name] == most]
        left[others[0] if others else attribute] -= 1
    return tuple(left.values())


# MM-C1


@pytest.mark.rule("MM-C1")
@pytest.mark.parametrize("play", PLAYS)
@pytest.mark.parametrize(
    ("cost", "mana", "can"),
    [
        (1, {}, False),
        (1, {"fire": 1}, True),
        (1, {"wind": 9}, False),
        (2, {"fire": 1}, False),
        (2, {"fire": 1, "wind": 1}, True),
        (2, {"fire": 2}, True),
        (2, {"wind": 1, "earth": 1}, False),
        (3, {"fire": 1, "wind": 1, "water": 1}, True),
        (3, {"water": 2, "earth": 2, "wind": 2}, False),
        (5, {"fire": 1, "earth": 3}, False),
        (5, {"fire": 1, "earth": 4}, True),
        (0, {}, True),
        (0, {"wind": 1}, True),
    ],
)
def test_a_cost_is_that_many_mana_with_one_of_the_attribute(play, cost, mana, can):
    left = paid(basic(**mana), cost, "fire", play)
    assert (left is not None) == can


@pytest.mark.rule("MM-C1")
@pytest.mark.parametrize("play", PLAYS)
@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_it_is_the_attribute_of_the_card_or_the_sorcerer(play, attribute):
    for name in ATTRIBUTES:
        left = paid(basic(**{name: 1}), 1, attribute, play)
        assert left == ((0, 0, 0, 0) if name == attribute else None)


@pytest.mark.rule("MM-C1")
@pytest.mark.parametrize("play", PLAYS)
def test_mana_that_is_down_pays_nothing(play):
    down = [{"mana": name, "down": True} for name in basic(fire=2, wind=2)]
    game = stage(seat([*down, "wind_mana", "fire_mana"]), {}, rules=costing(3))
    assert PLAYS[play] not in game.options("main", 1)
    game = stage(seat([*down, "wind_mana", "fire_mana", "earth_mana"]), {}, rules=costing(3))
    assert PLAYS[play] in game.options("main", 1)
    game = stage(seat([*down, "wind_mana", "earth_mana", "earth_mana"]), {}, rules=costing(3))
    assert PLAYS[play] not in game.options("main", 1)


@pytest.mark.rule("MM-C1")
@pytest.mark.parametrize("play", PLAYS)
def test_mana_of_the_other_seat_pays_nothing(play):
    game = stage(seat([]), {"mana": basic(fire=5)}, rules=costing(1))
    assert PLAYS[play] not in game.options("main", 1)


@pytest.mark.rule("MM-C1")
def test_an_ability_is_paid_with_the_attribute_of_its_own_card():
    # A wind unit of a seat with a fire sorcerer: only wind mana pays for its ability.
    rules = made(
        unit("sage", attribute="wind", cost=9, ability={"cost": 1, "effects": ["ap self 1"]}),
        sorcerer("seer", "draw own 1", cost=1),
    )
    own = {"front": ["sage"], "sorcerer": "seer"}
    for mana, options in (
        (["wind_mana"], ["own_1"]),
        (["fire_mana"], ["sorcery"]),
        (["earth_mana"], []),
        (["wind_mana", "fire_mana"], ["own_1", "sorcery"]),
    ):
        game = stage({**own, "mana": mana}, {}, rules=rules)
        assert [one for one in game.options("main", 1) if one in ("own_1", "sorcery")] == options


@pytest.mark.rule("MM-C1")
def test_the_same_mana_pays_once_a_turn():
    rules = made(spell("rite", "draw own 1", cost=2))
    own = {"hand": ["rite"] * 3, "mana": basic(fire=2, wind=3)}
    game = played(own, {}, "rite", "rite", rules=rules)
    assert (game.trash(1), game.hand(1)[:1]) == (["rite", "rite"], ["rite"])
    assert (len(game.down_mana(1)), len(game.ready_mana(1))) == (4, 1)


@pytest.mark.rule("MM-C1")
def test_the_defender_pays_as_well():
    rules = made(*BODIES, spell("rite", "ap own 1", cost=2))
    own = {"back": ["grunt"], "hand": ["rite"], "mana": basic(fire=1, wind=2)}
    game = fought({"front": ["rat"]}, own, attacker=1, first=[(2, "rite")], rules=rules)
    assert (game.down_mana(2), game.trash(2)) == (["fire_mana", "wind_mana"], ["rite"])
    assert "wind_mana" in game.ready_mana(2)


@pytest.mark.rule("MM-C1")
def test_special_mana_pays_as_basic_mana_does():
    rules = made(
        *BODIES,
        mana_card("well", effects=["draw own 1"]),
        mana_card("gust", attribute="wind", effects=["draw own 1"]),
        spell("rite", "ap own 1", cost=2),
    )
    game = stage({"hand": ["rite"], "mana": ["gust", "wind_mana"]}, {}, rules=rules)
    assert "rite" not in game.options("main", 1)
    game = played({"hand": ["rite"], "mana": ["gust", "well"]}, {}, "rite", rules=rules)
    # To pay with it is no use of its effect.
    assert (game.down_mana(1), game.counter(1, "special_used")) == (["gust", "well"], 0)


# MM-C2


@pytest.mark.rule("MM-C2")
@pytest.mark.parametrize(
    ("mana", "cost", "attribute", "left"),
    [
        # Fire, water, earth, wind. One of the attribute first, be it the only one.
        ((1, 5, 0, 0), 1, "fire", (0, 5, 0, 0)),
        # Then that of which most is ready.
        ((1, 1, 3, 2), 2, "fire", (0, 1, 2, 2)),
        ((1, 1, 3, 2), 3, "fire", (0, 1, 1, 2)),
        ((1, 1, 3, 2), 4, "fire", (0, 1, 1, 1)),
        # The own one when it is larger than all others, counted after the first was turned.
        ((4, 2, 0, 0), 2, "fire", (2, 2, 0, 0)),
        ((3, 2, 0, 0), 2, "fire", (2, 1, 0, 0)),
        ((4, 2, 0, 0), 3, "fire", (2, 1, 0, 0)),
        # Of others that are as large, fire before water before earth before wind.
        ((1, 2, 2, 2), 2, "fire", (0, 1, 2, 2)),
        ((1, 2, 2, 2), 3, "fire", (0, 1, 1, 2)),
        ((1, 2, 2, 2), 4, "fire", (0, 1, 1, 1)),
        ((2, 2, 2, 1), 2, "wind", (1, 2, 2, 0)),
        ((0, 2, 1, 2), 2, "earth", (0, 1, 0, 2)),
        ((5, 0, 0, 0), 4, "fire", (1, 0, 0, 0)),
    ],
)
def test_which_mana_is_turned_down(mana, cost, attribute, left):
    assert rule(mana, cost, attribute) == left, "the rule as it is read here"
    cards = basic(**dict(zip(ATTRIBUTES, mana, strict=True)))
    assert paid(cards, cost, attribute) == left


@pytest.mark.rule("MM-C2")
@pytest.mark.parametrize("attribute", ATTRIBUTES)
@pytest.mark.parametrize("cost", [2, 3, 4])
def test_the_rule_for_every_small_mana_zone(attribute, cost):
    for mana in product(range(3), repeat=4):
        cards = basic(**dict(zip(ATTRIBUTES, mana, strict=True)))
        assert paid(cards, cost, attribute) == rule(mana, cost, attribute), mana


@pytest.mark.rule("MM-C2")
@pytest.mark.parametrize("play", PLAYS)
def test_the_order_of_the_mana_zone_does_not_matter(play):
    dice = random.Random(5)
    for _ in range(12):
        mana = tuple(dice.randrange(5) for _ in ATTRIBUTES)
        cards = basic(**dict(zip(ATTRIBUTES, mana, strict=True)))
        dice.shuffle(cards)
        assert paid(cards, 5, "earth", play) == rule(mana, 5, "earth"), cards


@pytest.mark.rule("MM-C2")
def test_paying_is_no_decision():
    game = stage(seat(basic(fire=2, water=2, wind=2)), {}, rules=costing(3))
    game.choices[1].append("rite")
    game.main_phase()
    assert {event["what"] for event in game.events if event["event"] == "choose"} == {"main"}
