"""What careless or hostile users have come across, each once more."""

from __future__ import annotations

import shutil

import pytest

from sim.core.ruleset import load_ruleset
from sim.errors import DataError
from sim.titles.majestic import DATA, INFO, TITLE, load
from sim.titles.majestic.checks import problems
from sim.titles.majestic.deck_lists import read_list
from sim.titles.majestic.decks import loadouts
from sim.titles.majestic.kernel_input import check_tables
from sim.titles.majestic.schema import Rules
from tests.titles.majestic.staging import card, mana_card

# Lists as players write them


@pytest.fixture(scope="module")
def printed():
    return load()


def test_lists_may_be_written_with_a_japanese_keyboard(printed):
    deck = loadouts(printed)[1].content
    cards = printed.values["cards"]
    wide = str.maketrans("0123456789", "０１２３４５６７８９")
    lines = ["\ufeffソーサラー：燠火のパイラ"]
    lines += [
        f"{copies}{between}{cards[kind]['label']['ja']}　＃ メモ".translate(wide)
        for between, (kind, copies) in zip(
            "　×" * len(deck["main"]), deck["main"].items(), strict=False
        )
    ]
    lines += [f"{copies}　× {kind}".translate(wide) for kind, copies in deck["mana"].items()]
    found = read_list("\r\n".join(lines), printed)
    assert (found.sorcerer, found.main, found.mana) == tuple(deck.values())


@pytest.mark.parametrize(
    ("en", "ja"),
    [
        ("spark_imp", "別のもの"),
        ("Spark  imp", "別のもの"),
        ("Ｓｐａｒｋ imp", "別のもの"),
        ("Something else", " 火花の小鬼"),
    ],
)
def test_names_that_lists_cannot_tell_apart_are_refused(tmp_path, en, ja):
    twin = card("twin", "unit").replace('"twin (test)"', f'"{en}"').replace("twin（試験）", ja)
    overlay = tmp_path / "twin.toml"
    overlay.write_text(twin, encoding="utf-8")
    with pytest.raises(DataError, match="deck lists are read by names"):
        load([overlay])


def test_a_mana_card_has_no_name_that_a_card_has(tmp_path):
    overlay = tmp_path / "twin.toml"
    overlay.write_text(mana_card("scorch"), encoding="utf-8")
    with pytest.raises(DataError, match="'scorch', which names 'scorch' in cards"):
        load([overlay])


# Decks at the limits


def test_the_largest_deck_may_be_of_one_kind(tmp_path):
    """What ``deck.copies`` allows, a deck can have."""
    for name in ("rules", "cards", "mana", "sorcerers"):
        shutil.copy(DATA / f"{name}.toml", tmp_path)
    (tmp_path / "decks.toml").write_text(
        """
[decks.a_flood]
label = { en = "Flood", ja = "洪水" }
source = "assumed"
ref = "MM-K1"
sorcerer = "pyra"
main = { spark_imp = 60 }
mana = { fire_mana = 20 }
""",
        encoding="utf-8",
    )
    overrides = ["deck.main=60", "deck.copies=60"]
    rules = load_ruleset(INFO.id, tmp_path, Rules, overlays=[], overrides=overrides, check=problems)
    tables = TITLE.compile(rules)
    assert tables.deck_main.max() == 60
    check_tables(tables)
