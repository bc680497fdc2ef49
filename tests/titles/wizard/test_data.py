"""The data: what is printed is there, and what is wrong is refused by its place."""

from __future__ import annotations

import random
from collections import Counter
from functools import reduce
from itertools import combinations
from operator import ge, or_

import pytest

from sim.errors import DataError
from sim.titles.wizard import TITLE
from sim.titles.wizard.schema import ABILITIES, BASIC, COMPANIONS, PARTS, PLACES

RULES = TITLE.load()
VALUES = RULES.values


def source(key):
    return RULES.source(key).source


@pytest.mark.rule("UW-S2")
def test_the_ability_cards():
    assert set(VALUES["cards"]) == set(ABILITIES)
    assert len(ABILITIES) == 13
    assert len(ABILITIES[BASIC:]) - VALUES["start"]["cards"] == len(PLACES) == 8
    assert len(PARTS) == 7
    assert len(COMPANIONS) == 5
    assert source("start.cards") == "rulebook"


@pytest.mark.rule("UW-S3")
def test_the_enemies():
    colours = Counter(enemy["colour"] for enemy in VALUES["enemies"].values())
    assert colours == {"yellow": 4, "red": 6, "king": 1}
    yellow = {name for name, place in VALUES["places"].items() if place["colour"] == "yellow"}
    assert yellow == {"left_4", "right_3", "right_4"}
    assert VALUES["enemies"]["ra"]["colour"] == "yellow"
    assert VALUES["enemies"]["robi"]["colour"] == "red"


@pytest.mark.rule("UW-C8")
def test_what_is_printed_of_enemies_and_terrains():
    zaza = VALUES["enemies"]["zaza"]
    assert (zaza["lp"], zaza["ap"]) == (8, (3, 3, 3, 1, 5, 5, 5, 5))
    assert dict(zaza["block"]) == {"red": 1, "green": 3, "blue": 2}
    assert zaza["recover"] == 3
    assert dict(VALUES["terrains"]["forest"]["block"]) == {"red": 0, "green": 0, "blue": 1}
    families = {}
    for name, enemy in VALUES["enemies"].items():
        families.setdefault(enemy["family"], set()).add(name)
    del families[""]
    wanted = [{"zaza", "dodo"}, {"karu", "koru"}, {"robi", "yabi"}]
    assert sorted(map(sorted, families.values())) == sorted(map(sorted, wanted))
    assert source("enemies.zaza.ap") == "rulebook"
    assert source("enemies.zaza.colour") == "assumed"
    assert source("enemies.karu.family") == "rulebook"
    assert source("enemies.karu.lp") == "assumed"


@pytest.mark.rule("UW-M1")
@pytest.mark.parametrize("name", ["long", "short"])
def test_the_maps(name):
    chosen = VALUES["maps"][name]
    hexes = chosen["hexes"]
    heights = {one["at"][1]: one for one in hexes.values()}
    assert heights[max(heights)]["terrain"] == "castle"
    assert hexes[chosen["start"]]["at"][1] == 0
    assert {one["place"] for one in hexes.values()} - {""} == set(PLACES)
    terrains = {one["terrain"] for one in hexes.values()}
    assert terrains == set(VALUES["terrains"])
    if name == "long":
        x, y = hexes[chosen["start"]]["at"]
        up_right = next(one for one in hexes.values() if one["at"] == (x + 1, y + 1))
        assert up_right["cost"] == 2


def test_stand_ins_have_ranges():
    assert RULES.sources()["assumed"] > RULES.sources()["rulebook"]
    for key in ("enemies.tera.lp", "spells.red_2.power.red", "cards.monk.ways.care.recover"):
        found = RULES.source(key)
        assert found.source == "assumed"
        assert found.range[0] <= found.value <= found.range[1]


FAULTS = {
    "enemies.zaza.ap=[1, 2]": "one for each of its LP, 8",
    'enemies.robi.colour="king"': "exactly one",
    'enemies.robi.colour="blue"': "yellow",
    'cards.knight.ways.charge.family="horns"': "did you mean 'horn'",
    'spells.red_1.parts=["red_basics"]': "did you mean 'red_basic'",
    'spells.red_2.parts=["red_basic", "red_basic"]': "each part once",
    'maps.long.hexes.a2.place="left_5"': "did you mean",
    'maps.long.hexes.a2.place="left_3"': "each place once",
    'maps.long.hexes.a2.place=""': "one for each place",
    "maps.long.hexes.a2.at=[0, 3]": "even columns with even heights",
    "maps.long.hexes.a2.at=[0, 4]": "a cell of its own",
    'maps.long.hexes.c18.terrain="plain"': "exactly one",
    "maps.long.hexes.b5.cost=1": "none for a hex of sea",
    "maps.long.hexes.c8.cost=1": "either a yellow hex, or a cost, or a place",
    'maps.long.start="c99"': "the id of a hex on land",
    'maps.long.start="c8"': "no yellow hex",
    "casting.most_drawn=5": "4",
    'casting.deck="some"': "chosen",
    "start.lp=0": "1",
    'journey.map="middle"': "long",
    "limits.round_cap=0": "1",
}


@pytest.mark.parametrize("override", FAULTS)
def test_faults_name_what_is_allowed(override):
    with pytest.raises(DataError) as error:
        TITLE.load(overrides=[override])
    assert FAULTS[override] in str(error.value)


OVERLAYS = {
    # Too many ways up, cards and places that are not printed, an id taken, a lack of enemies.
    "[cards.hero.ways.song]\nlabel = { en = 'song', ja = '歌' }\n": "2 for this card",
    "[cards.dragon]\nlabel = { en = 'Dragon', ja = '竜' }\n": "unknown name 'dragon'",
    "[cards.red_basic.ways.song]\nlabel = { en = 'song', ja = '歌' }\n": "0 for this card",
    "[spells.go_up]\nlabel = { en = 'Up', ja = '上' }\ngrimoire = 1\nlevel = 1\n"
    "parts = ['red_basic']\n": "the id 'go_up'",
    "[enemies.ra]\ncolour = 'red'\n[enemies.nunu]\ncolour = 'red'\n": "at least 3, one for each",
    "[places.left_5]\ncolour = 'red'\n": "did you mean",
}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_overlays_are_held_to_the_printed_set(overlay, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(overlay, encoding="utf-8")
    with pytest.raises(DataError) as error:
        TITLE.load(overlays=[path])
    assert OVERLAYS[overlay] in str(error.value)


def test_a_castle_behind_sea_is_refused():
    with pytest.raises(DataError) as error:
        TITLE.load(overrides=['maps.long.hexes.c16.terrain="sea"', "maps.long.hexes.c16.cost=0"])
    assert "maps.long.hexes.c18: found a hex behind sea" in str(error.value)
    assert "one that is reached over land" in str(error.value)


def test_new_enemies_and_spells_need_no_code(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        "[enemies.momo]\nlabel = { en = 'Momo', ja = 'モモ' }\ncolour = 'red'\nlp = 2\n"
        "ap = [1, 1]\nfamily = ''\nrecover = 1\nmend = 0\nblock = { red = 0 }\n"
        "[spells.purple]\nlabel = { en = 'Purple', ja = '紫' }\ngrimoire = 1\nlevel = 2\n"
        "parts = ['red_basic', 'blue_basic']\npower = { red = 3, blue = 3 }\n",
        encoding="utf-8",
    )
    rules = TITLE.load(overlays=[path])
    words = TITLE.vocabulary(rules)
    assert {"momo", "purple"} <= set(words.options)
    tables = TITLE.compile(rules)
    cast = tables.casts_with(0b101, book=False)
    assert [one.power for one in cast] == [(3, 0, 3)]
    assert "momo" in [value.id for value in TITLE.categories(rules, "lost_to")]


def _worthy(spells, parts, *, book):
    """Return the power and healing of the sets of spells that none beats, found by trying all."""
    known = [row for row in spells if row[0] & parts == row[0] and row[-1] <= 1 + book]
    found = {
        tuple(sum(row[1 + i] for row in chosen) for i in range(4))
        for size in range(len(PARTS) + 1)
        for chosen in combinations(known, size)
        if sum(row[0] for row in chosen) == reduce(or_, (row[0] for row in chosen), 0)
    }
    return {
        one
        for one in found
        if not any(other != one and all(map(ge, other, one)) for other in found)
    }


@pytest.mark.rule("UW-C9")
@pytest.mark.parametrize("seed", range(3))
def test_sets_of_spells_are_those_that_none_beats(seed, tmp_path):
    chance = random.Random(seed)
    text = "".join(
        f"[spells.made_{n}]\nlabel = {{ en = 'Made', ja = '作' }}\ngrimoire = {1 + n % 2}\n"
        f"level = 1\nparts = {chance.sample(PARTS, 1 + n // 4)}\n"
        f"heal = {chance.choice((0, 0, 3))}\n"
        f"power = {{ red = {chance.randint(0, 4)}, blue = {chance.randint(0, 4)} }}\n"
        for n in range(5)
    )
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    tables = TITLE.compile(TITLE.load(overlays=[path]))
    spells, several = tables.spells.tolist(), 0
    for book in (False, True):
        for parts in range(0, 1 << len(PARTS), 3):
            casts = tables.casts_with(parts, book=book)
            told = [(*one.power, one.heal) for one in casts]
            assert len(told) == len(set(told))
            assert set(told) == _worthy(spells, parts, book=book)
            several += len(told) > 1
            for one in casts:
                used = [row for n, row in enumerate(spells) if one.spells >> n & 1]
                assert sum(row[0] for row in used) & ~parts == 0
                assert (*one.power, one.heal) == tuple(
                    sum(r[1 + i] for r in used) for i in range(4)
                )
    assert several, "some sets of parts allow several"
