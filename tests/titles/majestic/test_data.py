"""The data: what is wrong is refused by its place."""

from __future__ import annotations

import pytest

from sim.errors import DataError
from sim.titles.majestic import TITLE
from sim.titles.majestic.checks import MOST_KINDS
from sim.titles.majestic.words import vocabulary
from tests.titles.majestic.staging import card, made, mana_card, rules_with

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


def test_all_cards_are_stand_ins():
    rules = TITLE.load()
    assert rules.sources().keys() == {"rulebook", "assumed", "tool"}
    for key in rules.keys():  # noqa: SIM118 - a ruleset is no mapping
        if key.split(".")[0] in ("cards", "mana", "sorcerers", "decks"):
            assert rules.source(key).source == "assumed", key
