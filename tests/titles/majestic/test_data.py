"""The data: what is wrong is refused by its place; cards do what they say, decks are what they are.

What texts do is shown by playing them: whatever an effect of a card, an ability, a special mana or
a sorcerer says must make a difference in a game that is otherwise the same.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections import Counter

import pytest

from sim.core.expression import parse_effect
from sim.errors import DataError
from sim.titles.majestic import TITLE, from_position
from sim.titles.majestic.decks import composition, deck_faults
from sim.titles.majestic.primitives import PRIMITIVES, TEXTS
from sim.titles.majestic.schema import ATTRIBUTES, KEYWORDS
from sim.titles.majestic.words import MOST_KINDS, vocabulary
from tests.titles.majestic.staging import card, made, mana, mana_card, rules_with

RULES = made()

FAULTS = {
    'cards.scorch.effects=["damage targt 2"]': "did you mean 'target'",
    'cards.scorch.effects=["damage target 41"]': "the amount 41; allowed: 0 to 40",
    'cards.scorch.effects=["ap target -21"]': "the amount -21; allowed: -20 to 20",
    'cards.scorch.effects=["draw own 1"]': "a target that no effect names",
    'cards.scorch.effects=["damage self 1", "damage target 1"]': "texts of units only",
    'cards.scorch.effects=["destroy target per hand"]': "'per' without a number",
    'cards.scorch.target=""': "an effect on a target",
    "cards.scorch.effects=[]": "no effects",
    "cards.scorch.ap=1": "'ap' of a spell",
    'cards.scorch.needs="target_cost >= 1"': "in 'where', not in 'needs'",
    'cards.war_cry.effects=["draw own 1 if target_ap >= 1"]': "texts with a target only",
    'cards.war_cry.effects=["draw own 1 per target_ap"]': "texts with a target only",
    'cards.war_cry.where="target_ap >= 1"': "'where' without a target",
    'cards.war_cry.needs="hands >= 1"': "did you mean 'hand'",
    "cards.spark_imp.dp=0": "a unit with 0 DP",
    "cards.spark_imp.cost=21": "20",
    'cards.spark_imp.keywords=["fast"]': "swift",
    'cards.spark_imp.attribute="fir"': "fire",
    'mana.ember_spring.effects=["ap self 1", "damage target 1"]': "texts of units only",
    "sorcerers.pyra.ability.effects=[]": "no effects",
    "decks.ember_rush.main.scorch=3": "39 cards",
    "deck.copies=3": "allowed: at most 3",
    "start.lp=8": "7",
}


@pytest.mark.parametrize("override", FAULTS)
def test_faults_name_what_is_allowed(override):
    with pytest.raises(DataError) as error:
        made(overrides=[override])
    assert FAULTS[override] in str(error.value)


def test_no_card_takes_a_word_of_policies_or_the_name_of_another(tmp_path):
    texts = [card("sorcery", "unit"), card("other", "unit").replace("other (test)", "Scorch")]
    texts.append(mana_card("war_cry"))
    with pytest.raises(DataError) as error:
        rules_with(tmp_path, *texts)
    told = str(error.value)
    assert "the id 'sorcery'" in told
    assert "'Scorch', which names 'scorch'" in told or "'scorch', which names 'other'" in told
    assert "'war cry', which names 'war_cry'" in told or "of its own" in told


def test_so_many_kinds_fit_and_no_more(tmp_path):
    free = MOST_KINDS - len(RULES.values["cards"])
    fits = rules_with(tmp_path, *(card(f"new_{n}", "unit") for n in range(free)))
    assert MOST_KINDS == 94
    assert len(vocabulary(fits).options) == 128
    with pytest.raises(DataError, match=r"found 95 kinds .*allowed: at most 94"):
        rules_with(tmp_path, *(card(f"new_{n}", "unit") for n in range(free + 1)))


OWN = TITLE.load()
CARDS, MANA, SORCERERS, DECKS = (OWN.values[w] for w in ("cards", "mana", "sorcerers", "decks"))
SPECIAL = {name: one for name, one in MANA.items() if one["effects"]}
MADE_OF = {name: composition(OWN.values, deck) for name, deck in DECKS.items()}


def test_all_cards_are_stand_ins_and_costs_have_ranges():
    assert OWN.sources().keys() == {"rulebook", "assumed", "tool"}
    costs = 0
    for key in OWN.keys():  # noqa: SIM118 - a ruleset is no mapping
        if key.split(".")[0] in ("cards", "mana", "sorcerers", "decks"):
            source = OWN.source(key)
            assert source.source == "assumed", key
            if key.endswith(".cost"):
                assert source.range is not None, key
                low, high = source.range
                assert low <= source.value <= high, key
                assert low < high, key
                costs += 1
    abilities = sum(one["ability"] is not None for one in CARDS.values())
    assert costs == len(CARDS) + abilities + len(SORCERERS)


def test_there_are_enough_of_everything():
    assert len(CARDS) == 84 <= MOST_KINDS - 4, "there is room for some more"
    for attribute in ATTRIBUTES:
        own = [one for one in CARDS.values() if one["attribute"] == attribute]
        assert Counter(one["sort"] for one in own) == {"unit": 14, "spell": 7}
        assert {one["cost"] for one in own if one["sort"] == "unit"} >= set(range(1, 8))
        for table in (SPECIAL, SORCERERS):
            assert sum(one["attribute"] == attribute for one in table.values()) == 2
    assert min(one["cost"] for one in CARDS.values()) == 0
    assert len(MANA) - len(SPECIAL) == len(ATTRIBUTES)
    assert len(DECKS) >= 8


def test_units_without_a_text_are_the_yardstick():
    plain = {
        name: one
        for name, one in CARDS.items()
        if one["sort"] == "unit"
        and not (one["effects"] or one["keywords"] or one["ability"])
        and one["cost"]
    }
    assert len(plain) >= 10
    for name, one in plain.items():
        assert abs(one["ap"] + one["dp"] - (2 * one["cost"] + 1)) <= 1, name


def test_no_unit_is_a_dearer_copy_of_another():
    """Of two units of an attribute, the one that costs as much or more has something for it."""
    units = {name: one for name, one in CARDS.items() if one["sort"] == "unit"}
    for (name, one), (other_name, other) in itertools.permutations(units.items(), 2):
        if one["attribute"] != other["attribute"] or one["cost"] < other["cost"]:
            continue
        more = (
            one["ap"] > other["ap"]
            or one["dp"] > other["dp"]
            or set(one["keywords"]) - {*other["keywords"], "bound"}
            or one["effects"]
            or one["ability"]
        )
        assert more, f"{name} is no better than {other_name}"


def texts():
    """Yield every text: (table, name, path of the text below it, text)."""
    for table, all_of in (("cards", CARDS), ("mana", MANA), ("sorcerers", SORCERERS)):
        for name, one in all_of.items():
            if one.get("effects"):
                yield table, name, (), one
            if one.get("ability"):
                yield table, name, ("ability",), one["ability"]


ALL_TEXTS = {f"{name}{'+' * len(path)}": (t, name, path, text) for t, name, path, text in texts()}


def test_every_primitive_and_every_keyword_is_in_use():
    effects = [parse_effect(e, PRIMITIVES, TEXTS) for *_, t in texts() for e in t["effects"]]
    assert {effect.primitive for effect in effects} == {one.id for one in PRIMITIVES}
    printed = {keyword for one in CARDS.values() for keyword in one["keywords"]}
    assert printed == set(KEYWORDS)
    abilities = [one["ability"] for one in CARDS.values() if one["ability"]]
    assert sum(ability["down"] for ability in abilities) >= 5
    assert sum(not ability["down"] for ability in abilities) >= 3
    for sorcerer in SORCERERS.values():
        ability = sorcerer["ability"]
        assert ability["down"]
        assert 1 <= ability["cost"] <= 3


# -- every effect does something -------------------------------------------------------------------


class Player:
    """Attacks or blocks with its first unit, and uses one option as soon as it may."""

    def __init__(self, wanted, exchange):
        self.wanted, self.at, self.used = wanted, exchange, False

    def main(self, view, options):
        return self.use(options) if self.at == 0 else "stop"

    def exchange(self, view, options):
        return self.use(options) if view.exchange == self.at else "stop"

    def use(self, options):
        if self.used or self.wanted not in options:
            return "stop"
        self.used = True
        return self.wanted

    def attack(self, view, options):
        return "own_1" if "own_1" in options else "stop"

    def block(self, view, options):
        return options[0]

    def mana_phase(self, view, options):
        return "put_mana"

    def special(self, view, options):
        return "use_effect"

    def __getattr__(self, name):
        """Choose the first of targets, areas, cards to fetch and to discard."""
        if name not in ("area", "target", "fetch", "discard"):
            raise AttributeError(name)
        return lambda view, options: options[0]


#: When a text can be used: the turn's seat (1: the own one), the phase, the exchange, the block.
MOMENTS = {
    "main": (1, "main", 0, False),
    "attack": (1, "battle", 1, False),
    "blocked": (1, "battle", 2, True),
    "defence": (2, "battle", 1, False),
    "block": (2, "battle", 2, True),
}
#: The same for special mana.
MOMENTS_OF_MANA = {
    "mana": (1, "mana", 0, False),
    "lp lost": (2, "battle", 0, False),
}

UNITS = [{"unit": "lava_colossus", "damage": 1}, {"unit": "hill_boar", "down": True}]
SMALL = [{"unit": "feather_mote"}, {"unit": "ember_lancer", "down": True}]


def played(rules, table, name, path, moment):
    """Return a game in which a text of seat 1 was used at a moment, None if it could not be."""
    turn, phase, exchange, blocked = {**MOMENTS, **MOMENTS_OF_MANA}[moment]
    bearer = [name] if path and table == "cards" else []
    waits = bool(bearer) and CARDS[name]["ability"]["down"]  # it must not attack or block itself
    attacks = turn == 1
    front, back = (UNITS, ["hill_boar"]) if attacks else (UNITS, ["hill_boar", "hill_boar"])
    if not attacks and not blocked:
        back = [{"unit": unit, "down": True} for unit in back]
    if attacks:
        front = [*front, *bearer] if waits else [*bearer, *front]
    else:
        back = [*back, *bearer] if waits else [*bearer, *back]
    one = {
        "front": front,
        "back": back,
        "hand": ["spark_imp", *([name] if table == "cards" and not path else [])],
        "mana": [one for a in ATTRIBUTES for one in mana(3, a)]
        + [{"mana": f"{a}_mana", "down": True} for a in ATTRIBUTES],
        "trash": ["hill_boar", "spark_imp", "scorch"],
        "deck": ["hill_boar", "spark_imp", "scorch", "hill_boar", "spark_imp", "scorch"],
        "lp": [name, *mana(2)] if moment == "lp lost" else mana(3),
        "mana_deck": [name, *mana(9)] if moment == "mana" else mana(10),
        "sorcerer": name if table == "sorcerers" else "pyra",
    }
    other = {
        "front": SMALL if attacks else ["coal_brute", *SMALL],
        "back": [
            *(["hill_boar"] if blocked and attacks else []),
            {"unit": "foam_fencer", "down": True},
        ],
        "hand": ["hill_boar", "spark_imp"],
        "lp": mana(3),
    }
    option = {"sorcerers": "sorcery", "mana": ""}.get(table, name)
    if bearer:
        option = f"own_{1 + [*front, *back].index(name)}"
    game = from_position(
        {"seats": [one, other], "phase": phase, "seat": turn, "round": 3},
        rules=rules,
        lineup=[Player(option, exchange), Player("", 0)],
    )
    game.play_phase()
    counters = ("units_played", "spells_played", "abilities_used", "sorcerer_used", "special_used")
    return game if sum(game.counter(1, name) for name in counters) == 1 else None


def stands(game):
    """Return everything that lies somewhere, decks without their order."""
    return [
        {
            "sets": [sorted(getattr(game, zone)(seat)) for zone in ("deck", "mana_deck")],
            "lists": [
                getattr(game, zone)(seat)
                for zone in ("hand", "lp", "trash", "mana", "ready_mana", "down_mana")
            ],
            "units": game.units(seat),
        }
        for seat in (1, 2)
    ]


@functools.cache
def without(place):
    """Return the rules with the effect of that place taken out of every text that has it."""
    overrides = []
    for table, name, path, text in texts():
        effects = list(text["effects"])
        if place < len(effects):
            effects[place] = "damage target 0" if text["target"] else "draw own 0"
            key = ".".join((table, name, *path, "effects"))
            overrides.append(f"{key}={json.dumps(effects)}")
    return TITLE.load(overrides=overrides)


@pytest.mark.rule("MM-K1")
@pytest.mark.parametrize("which", ALL_TEXTS)
def test_every_effect_does_something(which):
    table, name, path, text = ALL_TEXTS[which]
    for place, effect in enumerate(text["effects"]):
        for moment in MOMENTS_OF_MANA if table == "mana" else MOMENTS:
            game = played(OWN, table, name, path, moment)
            if game is None:
                continue
            bare = played(without(place), table, name, path, moment)
            assert bare is not None
            if stands(game) != stands(bare):
                break
        else:
            raise AssertionError(f"{effect!r} does nothing at any moment")


# -- decks -----------------------------------------------------------------------------------------


@pytest.mark.rule("MM-D1")
def test_decks_are_legal_and_named():
    for deck in DECKS.values():
        assert not [*deck_faults(OWN.values, deck)]
        assert sum(deck["main"].values()) == 40
        assert sum(deck["mana"].values()) == 20
        assert deck["about"]
    for language in ("en", "ja"):
        assert len({deck["label"][language] for deck in DECKS.values()}) == len(DECKS)


def test_decks_can_pay_for_their_cards():
    """There is basic mana for each attribute of a deck, the more of its cards the more of it."""
    for name, made_of in MADE_OF.items():
        cards = {a: made_of[f"deck_{a}"] for a in ATTRIBUTES}
        basic = {a: DECKS[name]["mana"].get(f"{a}_mana", 0) for a in ATTRIBUTES}
        sorcerer = SORCERERS[DECKS[name]["sorcerer"]]["attribute"]
        assert cards[sorcerer], name
        for attribute, number in cards.items():
            assert (basic[attribute] >= 5) == (number > 0), (name, attribute)


def test_every_card_is_in_some_deck():
    used = Counter()
    for deck in DECKS.values():
        used += Counter(deck["main"]) + Counter(deck["mana"]) + Counter([deck["sorcerer"]])
    assert {*CARDS, *MANA, *SORCERERS} == set(used)


@pytest.mark.rule("MM-A1")
def test_decks_differ_in_what_they_are_made_of():
    costs = {name: made_of["deck_cost"] / 40 for name, made_of in MADE_OF.items()}
    assert min(costs.values()) <= 2.5
    assert max(costs.values()) >= 3.4
    spells = [made_of["deck_spells"] for made_of in MADE_OF.values()]
    assert min(spells) <= 8
    assert max(spells) >= 20
    attributes = Counter(made_of["deck_attributes"] for made_of in MADE_OF.values())
    assert attributes[1] >= 2 <= attributes[2]
    for (name, deck), (other, another) in itertools.combinations(DECKS.items(), 2):
        shared = (Counter(deck["main"]) & Counter(another["main"])).total()
        assert shared <= 20, f"{name} and {other} share {shared} cards"


def number(deck, holds):
    """Return how many cards of a deck are such."""
    return sum(n for name, n in DECKS[deck]["main"].items() if holds(CARDS[name]))


def test_decks_are_what_they_are_called():
    rest = [name for name in DECKS if name not in ("ember_rush", "gale_swarm", "wildfire")]
    for name in rest:
        assert MADE_OF["ember_rush"]["deck_cost"] < MADE_OF[name]["deck_cost"], name
        assert MADE_OF["gale_swarm"]["deck_cost"] < MADE_OF[name]["deck_cost"], name

    def most(holds):
        return max(DECKS, key=lambda name: number(name, holds))

    assert most(lambda one: "swift" in one["keywords"]) in ("ember_rush", "wildfire")
    assert most(lambda one: "evasive" in one["keywords"]) in ("gale_swarm", "storm_sea")
    assert most(lambda one: "sentinel" in one["keywords"]) == "stone_wall"
    assert most(lambda one: one["sort"] == "spell") == "spell_storm"
    assert most(lambda one: any("mana " in effect for effect in one["effects"])) == "river_kings"
    assert max(DECKS, key=lambda name: MADE_OF[name]["deck_cost"]) in ("river_kings", "stone_wall")
