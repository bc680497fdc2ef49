"""The data: what is public is there, and what is wrong is refused by its place."""

from __future__ import annotations

from collections import Counter

import pytest

from sim.errors import DataError
from sim.titles.magnolia import TITLE
from sim.titles.magnolia.schema import JOBS, RACES, STEPS

RULES = TITLE.load()
CARDS = RULES.values["cards"]


@pytest.mark.rule("MG-S1")
def test_the_deck():
    assert len(CARDS) == 102
    assert Counter(card["race"] for card in CARDS.values()) == dict.fromkeys(RACES, 17)
    assert {card["job"] for card in CARDS.values()} == set(JOBS)
    assert not [step for step in STEPS if not any(card[step] for card in CARDS.values())]


@pytest.mark.rule("MG-K2")
def test_what_is_public_of_the_cards():
    assert CARDS["human_lord"]["vp"] == ("vp 1 per field.human",)
    assert CARDS["human_lord"]["label"]["ja"] == "人間の君主"
    assert CARDS["goblin_soldier"]["label"]["ja"] == "ゴブリンの兵士"
    assert CARDS["plague_demon"]["label"]["ja"] == "疫病のデーモン"
    assert CARDS["goblin_soldier"]["cost"] + CARDS["plague_demon"]["cost"] == 6
    mages = [card for card in CARDS.values() if card["job"] == "mage"]
    assert sum("power 1 per faith" in card["front"] for card in mages) > len(mages) / 2
    assert RULES.source("cards.human_lord.vp").source == "public"
    assert RULES.source("cards.elf_lord.vp").source == "assumed"


@pytest.mark.rule("MG-B2")
def test_the_bonuses_that_are_public():
    bonuses = RULES.values["bonuses"]
    given = {name: {k: v for k, v in bonuses[name].items() if v} for name in bonuses}
    assert given["goblin"] == {"gold": 3}
    assert given["golem"] == {"technology": 2, "faith": 2}
    assert given["artisan"] == {"technology": 2}
    assert given["mage"] == {"gold": 1, "vp": 3}
    assert set(given) == {*RACES, *JOBS}


@pytest.mark.rule("MG-O1")
def test_there_are_twelve_objectives():
    assert len(RULES.values["objectives"]["cards"]) == 12
    assert RULES.values["objectives"]["used"] is False


FAULTS = {
    'cards.elf_lord.vp=["vp 1 per next_to.elv"]': "did you mean 'elf'",
    'cards.elf_lord.vp=["power 1"]': "power in front",
    'cards.elf_lord.front=["vp 1"]': "power in front",
    'cards.elf_lord.vp=["vp 100"]': "0 to 99",
    'cards.elf_lord.race="elv"': "elf",
    "objectives.open=13": "at most 12",
    'objectives.cards.warlord.needs="neighbours >= 1"': "not about one card",
    'objectives.cards.warlord.needs="powder >= 1"': "did you mean 'power'",
    "cards.elf_lord.more=9": "8",
    'war.shared="half"': "full",
    "placement.gold=[2, 1]": "3",
    "draw.hand=0": "1",
}


@pytest.mark.parametrize("override", FAULTS)
def test_faults_name_what_is_allowed(override):
    with pytest.raises(DataError) as error:
        TITLE.load(overrides=[override])
    assert FAULTS[override] in str(error.value)
    assert override.split("=")[0] in str(error.value)


def test_a_deck_too_small_or_too_large_is_refused():
    many = [f"cards.{name}.more=2" for name in CARDS]
    with pytest.raises(DataError, match=r"found 306 cards in all .*allowed: 25 .* to 248"):
        TITLE.load(overrides=many)


def test_no_kind_may_take_a_word_of_the_rules(tmp_path):
    overlay = tmp_path / "mine.toml"
    overlay.write_text(
        '[cards.line]\nlabel = { en = "Line", ja = "列" }\nrace = "elf"\njob = "mage"\ncost = 1\n'
    )
    with pytest.raises(DataError, match="the id 'line'"):
        TITLE.load(overlays=[overlay])


def test_eight_kinds_may_be_added_and_not_nine(tmp_path):
    def with_more(number):
        overlay = tmp_path / f"{number}.toml"
        overlay.write_text(
            "\n".join(
                f'[cards.new_{n}]\nlabel = {{ en = "New {n}", ja = "新 {n}" }}\n'
                'race = "elf"\njob = "mage"\ncost = 1\n'
                for n in range(number)
            )
        )
        return TITLE.load(overlays=[overlay])

    assert len(TITLE.vocabulary(with_more(8)).options) == 128
    with pytest.raises(DataError, match=r"found 111 kinds .*allowed: at most 110"):
        with_more(9)
