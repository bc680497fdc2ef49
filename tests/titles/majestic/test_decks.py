"""Decks: what one must be, with every fault named; lists as players write them; made by chance."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from sim.core.title import Label
from sim.errors import DataError, InputError
from sim.titles.majestic import TITLE, load
from sim.titles.majestic.building import generate
from sim.titles.majestic.deck_lists import as_toml, read_list
from sim.titles.majestic.decks import deck_faults
from tests.titles.majestic.staging import made

RULES = made()
DECKS = RULES.values["decks"]


def written(name, language="en"):
    """Return a deck of the data as players write it."""
    values, deck = RULES.values, DECKS[name]
    lines = [f"Sorcerer: {values['sorcerers'][deck['sorcerer']]['label'][language]}", "", "Main"]
    for part, what in (("main", "cards"), ("mana", "mana")):
        lines += [f"{n} {values[what][id_]['label'][language]}" for id_, n in deck[part].items()]
    return "\n".join(lines)


@pytest.mark.parametrize("name", DECKS)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_list_is_read_as_it_is_written(name, language):
    read = read_list(written(name, language), RULES)
    assert read.sorcerer == DECKS[name]["sorcerer"]
    assert read.main == DECKS[name]["main"]
    assert read.mana == DECKS[name]["mana"]


def test_ways_of_writing():
    plain = written("ember_rush")
    other = plain.replace("4 Scorch", "// burn\n2x SCORCH  # half of them\n1 × scorch\n1 Scorch")
    other = other.replace("Sorcerer: ", "ソーサラー：").replace("4 Flame rider", "4 flame_rider")
    assert other != plain
    assert read_list(other, RULES) == read_list(plain, RULES)


def test_a_list_becomes_a_deck_of_an_overlay(tmp_path):
    overlay = tmp_path / "mine.toml"
    overlay.write_text(as_toml("mine", Label("Mine", "私"), read_list(written("tide_wall"), RULES)))
    loaded = made([overlay])
    (mine,) = [one for one in TITLE.loadouts(loaded) if one.id == "mine"]
    (same,) = [one for one in TITLE.loadouts(loaded) if one.id == "tide_wall"]
    assert mine.content == same.content
    assert mine.label == ("Mine", "私")


def test_every_fault_of_a_list_is_named():
    text = written("ember_rush").replace("4 Scorch", "5 Scorch").replace("4 War cry", "4 War cri")
    text = text.replace("Sorcerer:", "Conjurer:")
    with pytest.raises(DataError) as error:
        read_list(text, RULES)
    told = str(error.value)
    line = 1 + text.splitlines().index("4 War cri")
    assert f"deck list:{line}: War cri: found an unknown name" in told
    assert "did you mean 'war cry'" in told
    assert "main.scorch: found 5 copies; allowed: at most 4" in told
    assert "main: found 37 cards; allowed: exactly 40" in told
    assert "sorcerer: found 0 sorcerers; allowed: exactly 1" in told


def test_every_fault_of_a_deck_in_data_is_named(tmp_path):
    overlay = tmp_path / "mine.toml"
    overlay.write_text(
        '[decks.mine]\nlabel = { en = "Mine", ja = "私" }\nsorcerer = "pyrra"\n'
        "main = { scorch = 5, war_cri = 4 }\n"
        "mana = { ember_spring = 5, fire_mana = 14, fir_mana = 2 }\n"
    )
    with pytest.raises(DataError) as error:
        made([overlay])
    told = str(error.value)
    for fault in (
        "mine.toml:3:12: decks.mine.sorcerer: found unknown name 'pyrra'",
        "did you mean 'pyra'",
        "decks.mine.main.scorch: found 5 copies; allowed: at most 4",
        "decks.mine.main.war_cri: found unknown name 'war_cri'",
        "decks.mine.main: found 9 cards; allowed: exactly 40",
        "decks.mine.mana.ember_spring: found 5 copies; allowed: at most 4",
        "decks.mine.mana: found 21 cards; allowed: exactly 20",
        "decks.mine.mana: found 5 special mana of fire; allowed: at most 4 of an attribute",
    ):
        assert fault in told, told
    assert "fire_mana: found" not in told, "basic mana has no limit"


def test_decks_are_loadouts_and_categories():
    names = [loadout.id for loadout in TITLE.loadouts(RULES)]
    assert names == sorted(DECKS)
    assert [value.id for value in TITLE.categories(RULES, "deck_list")] == names
    sorcerers = [value.id for value in TITLE.categories(RULES, "sorcerer_card")]
    assert sorcerers == sorted(RULES.values["sorcerers"])


# Decks made by chance


@pytest.mark.parametrize(
    "overrides",
    [
        (),
        # More special mana may be wanted than a mana deck has room for.
        ("deck.special=40", "deck.copies=40"),
        # All mana of fire is special.
        ("mana.fire_mana.effects=['draw own 1']", "deck.copies=40", "deck.special=40"),
    ],
)
def test_decks_made_by_chance_are_legal_under_any_rules(overrides):
    rules = load(overrides=overrides)
    for deck in generate(rules, 20, seed=1):
        assert not [*deck_faults(rules.values, asdict(deck))]
        assert min(*deck.main.values(), *deck.mana.values()) > 0


def test_decks_made_by_chance_need_mana_that_they_can_be_filled_with():
    names = [name for name, one in load().values["mana"].items() if not one["effects"]]
    special = [f"mana.{name}.effects=['draw own 1']" for name in names]
    rules = load(overrides=[*special, "deck.copies=40", "deck.special=40"])
    with pytest.raises(InputError, match="no card without effects"):
        next(generate(rules, 1, seed=1))
