"""Data that mean nothing are refused: by file, place, key, what was found and what is allowed.

Each overlay is the printed rules with one fault. A fault of a file is told at its place there; the
same fault given with ``--set`` is told by the setting.
"""

from __future__ import annotations

import re

import pytest

from sim.errors import DataError
from sim.titles.wizard import TITLE

LABEL = "label = { en = 'Momo', ja = 'モモ' }\n"
ENEMY = (
    f"[enemies.momo]\n{LABEL}colour = 'red'\nlp = 2\nap = [1, 1]\n"
    "block = { red = 0, green = 0, blue = 0 }\nfamily = ''\nrecover = 1\nmend = 0\n"
)
SPELL = f"[spells.purple]\n{LABEL}grimoire = 1\nlevel = 2\nparts = ['red_basic', 'blue_basic']\n"


def fault(text, tmp_path):
    """Return what is said of an overlay, one line for each fault.

    The overlay's folder is left out, and so are lines of the printed rules.
    """
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        TITLE.load(overlays=[path])
    told = str(error.value).replace(f"{tmp_path}/", "")
    return re.sub(r"\(sim/titles/wizard/data/(\w+\.toml):\d+:\d+\)", r"(\1)", told).splitlines()


def hex_(name, **what):
    """Return an overlay that lays fields over a hex of the long map."""
    lines = [f"{key} = {value}" for key, value in what.items()]
    return "\n".join([f"[maps.long.hexes.{name}]", *lines, ""])


#: Overlay, and what its first line says: place and key, found, allowed, and the nearest name.
FAULTS = {
    # Maps.
    "unknown terrain": (
        hex_("c2", terrain="'planes'"),
        'mine.toml:2:11: maps.long.hexes.c2.terrain: found "planes"; allowed: '
        "'forest', 'town', 'plain', 'desert', 'sea', 'volcano' or 'castle'; did you "
        "mean 'plain'?",
    ),
    "unknown place": (
        hex_("c2", place="'left5'"),
        "mine.toml:2:9: maps.long.hexes.c2.place: found 'left5'; allowed: left_1, "
        "left_2, left_3, left_4, right_1, right_2, right_3, right_4; did you mean "
        "'left_4'?",
    ),
    "a place twice": (
        hex_("c2", place="'left_4'"),
        "mine.toml:2:9: maps.long.hexes.c2.place: found 'left_4', which 'a2' has; "
        "allowed: each place once",
    ),
    "a link to nowhere": (
        "[maps.long]\nstart = 'c00'\n",
        "mine.toml:2:9: maps.long.start: found 'c00'; allowed: the id of a hex on land "
        "that is no castle, no yellow hex and linked to no place; did you mean 'c0'?",
    ),
    "a start at sea": (
        "[maps.long]\nstart = 'b5'\n",
        "mine.toml:2:9: maps.long.start: found 'b5'; allowed: the id of a hex on land "
        "that is no castle, no yellow hex and linked to no place",
    ),
    "a hex that no land leads to": (
        hex_("a2", at="[9, 9]"),
        "mine.toml:1:1: maps.long.hexes.a2: found a hex behind sea or behind the castle "
        "(maps.toml); allowed: one that is reached over land",
    ),
    "a place behind the castle": (
        hex_("a14", at="[2, 20]"),
        "mine.toml:1:1: maps.long.hexes.a14: found a hex behind sea or behind the castle",
    ),
    "a hex above another": (
        hex_("c2", at="[2, 4]"),
        "mine.toml:1:1: maps.long.hexes.c4.at: found [2, 4], where 'c2' lies "
        "(maps.toml); allowed: a cell of its own",
    ),
    "a height between two rows": (
        hex_("c2", at="[2, 3]"),
        "mine.toml:2:6: maps.long.hexes.c2.at: found [2, 3]; allowed: even columns "
        "with even heights, odd ones with odd heights",
    ),
    "one number for a cell": (
        hex_("c2", at="[2]"),
        "mine.toml:2:6: maps.long.hexes.c2.at: found [2]; allowed: at least 2 entries",
    ),
    "a cost below nothing": (
        hex_("c2", cost="-1"),
        "mine.toml:2:8: maps.long.hexes.c2.cost: found -1; allowed: greater than or equal to 0",
    ),
    "a cost at sea": (
        hex_("b5", cost="1"),
        "mine.toml:2:8: maps.long.hexes.b5.cost: found 1; allowed: none for a hex of sea",
    ),
    "a place at sea": (
        hex_("a2", terrain="'sea'", cost="0"),
        "mine.toml:1:1: maps.long.hexes.a2.place: found 'left_4' (maps.toml); allowed: "
        "none for a hex of sea",
    ),
    "a cost on a yellow hex": (
        hex_("c2", recover="2"),
        "mine.toml:2:11: maps.long.hexes.c2.recover: found 2; allowed: either a yellow "
        "hex, or a cost, or a place",
    ),
    "a second castle": (
        hex_("c16", terrain="'castle'", cost="0"),
        "mine.toml:1:1: maps.long.hexes: found 2 hexes of terrain 'castle' "
        "(maps.toml); allowed: exactly one",
    ),
    "an unknown field of a hex": (
        hex_("c2", costs="1"),
        "mine.toml:2:1: maps.long.hexes.c2.costs: found an unknown key; allowed: at, "
        "terrain, cost, recover, place; did you mean 'cost'?",
    ),
    "an unknown map": (
        "[maps.middle]\nstart = 'c0'\n",
        "mine.toml:1:1: maps.middle: found an unknown key; allowed: long, short",
    ),
    "an unknown terrain of the table": (
        f"[terrains.swamp]\n{LABEL}block = {{ red = 1 }}\n",
        "mine.toml:1:1: terrains.swamp: found an unknown key; allowed: forest, town, "
        "plain, desert, sea, volcano, castle; did you mean 'sea'?",
    ),
    "a place beside the map that is not printed": (
        "[places.left_5]\ncolour = 'red'\n",
        "mine.toml:1:1: places.left_5: found unknown name 'left_5'; allowed: left_1, "
        "left_2, left_3, left_4, right_1, right_2, right_3, right_4; did you mean "
        "'left_4'?",
    ),
    "a king at a place": (
        "[places.left_1]\ncolour = 'king'\n",
        "mine.toml:2:10: places.left_1.colour: found \"king\"; allowed: 'yellow' or 'red'",
    ),
    # Enemies.
    "no AP for an LP": (
        "[enemies.ra]\nap = [1, 2, 3, 2]\n",
        "mine.toml:2:6: enemies.ra.ap: found 4 numbers; allowed: one for each of its LP, 5",
    ),
    "AP for an LP too many": (
        "[enemies.ra]\nap = [1, 2, 3, 2, 2, 2]\n",
        "mine.toml:2:6: enemies.ra.ap: found 6 numbers; allowed: one for each of its LP, 5",
    ),
    "more LP than AP": (
        "[enemies.ra]\nlp = 6\n",
        "mine.toml:1:1: enemies.ra.ap: found 5 numbers (enemies.toml); allowed: one "
        "for each of its LP, 6",
    ),
    "no LP": (
        "[enemies.ra]\nlp = 0\n",
        "mine.toml:2:6: enemies.ra.lp: found 0; allowed: greater than or equal to 1",
    ),
    "AP below nothing": (
        "[enemies.ra]\nap = [1, 2, 3, 2, -2]\n",
        "mine.toml:2:19: enemies.ra.ap[4]: found -2; allowed: greater than or equal to 0",
    ),
    "an unknown colour": (
        "[enemies.ra]\ncolour = 'yelow'\n",
        "mine.toml:2:10: enemies.ra.colour: found \"yelow\"; allowed: 'yellow', 'red' or "
        "'king'; did you mean 'yellow'?",
    ),
    "a second king": (
        "[enemies.ra]\ncolour = 'king'\n",
        "mine.toml:1:1: enemies: found 2 of colour 'king' (enemies.toml); allowed: exactly one",
    ),
    "no king": (
        "[enemies.tera]\ncolour = 'red'\n",
        "mine.toml:1:1: enemies: found 0 of colour 'king' (enemies.toml); allowed: exactly one",
    ),
    "a block of no colour": (
        "[enemies.ra.block]\nyellow = 1\n",
        "mine.toml:2:1: enemies.ra.block.yellow: found an unknown key; allowed: red, green, blue",
    ),
    "an enemy that lacks a field": (
        ENEMY.replace("mend = 0\n", ""),
        "mine.toml:1:1: enemies.momo: found a new entry without mend; allowed: the "
        "name of an entry that there is, or all keys of a new one",
    ),
    "an enemy with the name of a spell": (
        ENEMY.replace("enemies.momo", "enemies.red_1"),
        "mine.toml:1:1: enemies.red_1: found the id 'red_1'",
    ),
    # Ability cards.
    "a family that no enemy has": (
        "[cards.knight.ways.charge]\nfamily = 'horns'\n",
        "mine.toml:2:10: cards.knight.ways.charge.family: found 'horns'; allowed: a "
        "family of an enemy: ghost, horn, psi; did you mean 'horn'?",
    ),
    "a third way up": (
        f"[cards.knight.ways.trot]\n{LABEL}",
        "mine.toml:1:1: cards.knight.ways: found 3 ways up (cards.toml); allowed: 2 for this card",
    ),
    "a part with a way up": (
        f"[cards.red_basic.ways.trot]\n{LABEL}",
        "mine.toml:1:1: cards.red_basic.ways: found 1 way up; allowed: 0 for this card",
    ),
    "an unknown card": (
        f"[cards.knigt]\n{LABEL}",
        "mine.toml:1:1: cards.knigt: found unknown name 'knigt'; allowed: red_basic, "
        "green_basic, blue_basic, red_extension, green_extension, blue_extension, "
        "light_blue_extension, grimoire_2, hero, knight, monk, porcupine, princess; "
        "did you mean 'knight'?",
    ),
    "a skill that no way up has": (
        "[cards.knight.ways.shield]\nguards = 1\n",
        "mine.toml:2:1: cards.knight.ways.shield.guards: found an unknown key; "
        "allowed: label, power, family, start_damage, turn_damage, guard, recover, "
        "sea; did you mean 'guard'?",
    ),
    "a power of no colour": (
        "[cards.knight.ways.charge.power]\nyellow = 1\n",
        "mine.toml:2:1: cards.knight.ways.charge.power.yellow: found an unknown key; "
        "allowed: red, green, blue",
    ),
    # Grimoires.
    "an unknown part": (
        "[spells.red_1]\nparts = ['red_basik']\n",
        "mine.toml:2:10: spells.red_1.parts[0]: found 'red_basik'; allowed: red_basic, "
        "green_basic, blue_basic, red_extension, green_extension, blue_extension, "
        "light_blue_extension; did you mean 'red_basic'?",
    ),
    "a card that is no part": (
        "[spells.red_1]\nparts = ['red_basic', 'hero']\n",
        "mine.toml:2:23: spells.red_1.parts[1]: found 'hero'; allowed: red_basic, "
        "green_basic, blue_basic, red_extension, green_extension, blue_extension, "
        "light_blue_extension",
    ),
    "a part twice": (
        "[spells.red_2]\nparts = ['red_basic', 'red_basic']\n",
        "mine.toml:2:23: spells.red_2.parts[1]: found 'red_basic' twice; allowed: each "
        "part once: there is one of it",
    ),
    "a spell of nothing": (
        "[spells.red_1]\nparts = []\n",
        "mine.toml:2:9: spells.red_1.parts: found []; allowed: at least 1 entry",
    ),
    "a spell of five parts": (
        "[spells.red_1]\nparts = ['red_basic', 'green_basic', 'blue_basic', 'red_extension', "
        "'blue_extension']\n",
        'mine.toml:2:9: spells.red_1.parts: found ["red_basic", "green_basic", '
        '"blue_basic", "red_extension",…; allowed: at most 4 entries',
    ),
    "a third grimoire": (
        "[spells.red_1]\ngrimoire = 3\n",
        "mine.toml:2:12: spells.red_1.grimoire: found 3; allowed: less than or equal to 2",
    ),
    "healing below nothing": (
        "[spells.red_1]\nheal = -8\n",
        "mine.toml:2:8: spells.red_1.heal: found -8; allowed: greater than or equal to 0",
    ),
    "a power that is a text": (
        "[spells.red_1.power]\nred = 'two'\n",
        'mine.toml:2:7: spells.red_1.power.red: found "two"; allowed: a whole number',
    ),
    "a spell with the name of a card": (
        SPELL.replace("spells.purple", "spells.hero"),
        "mine.toml:1:1: spells.hero: found the id 'hero'; allowed: words like zaza, not taken yet",
    ),
    "an unknown field of a spell": (
        "[spells.red_1]\nheals = 8\n",
        "mine.toml:2:1: spells.red_1.heals: found an unknown key; allowed: label, "
        "grimoire, level, parts, power, heal; did you mean 'heal'?",
    ),
    # Numbers of the game.
    "an unknown deck": (
        "[casting]\ndeck = 'choosen'\n",
        "mine.toml:2:8: casting.deck: found \"choosen\"; allowed: 'all' or 'chosen'; did "
        "you mean 'chosen'?",
    ),
    "a deck of two parts": (
        "[casting]\ndeck_least = 2\n",
        "mine.toml:2:14: casting.deck_least: found 2; allowed: greater than or equal to 3",
    ),
    "more than four cards": (
        "[casting]\nmost_drawn = 5\n",
        "mine.toml:2:14: casting.most_drawn: found 5; allowed: less than or equal to 4",
    ),
    "a deck that keeps all parts": (
        "[casting]\nleft = 3\n",
        "mine.toml:2:8: casting.left: found 3; allowed: less than or equal to 2",
    ),
    "more starting cards than there are": (
        "[start]\ncards = 11\n",
        "mine.toml:2:9: start.cards: found 11; allowed: less than or equal to 10",
    ),
    "no LP at the start": (
        "[start]\nlp = 0\n",
        "mine.toml:2:6: start.lp: found 0; allowed: greater than or equal to 1",
    ),
    "a map that is not there": (
        "[journey]\nmap = 'middle'\n",
        "mine.toml:2:7: journey.map: found \"middle\"; allowed: 'long' or 'short'",
    ),
    "an unknown number": (
        "[lp]\nmosst = 30\n",
        "mine.toml:2:1: lp.mosst: found an unknown key; allowed: most, after_loss; did "
        "you mean 'most'?",
    ),
    "an unknown table": (
        "[enemis.ra]\nlp = 5\n",
        "mine.toml:1:1: enemis: found an unknown key; allowed: start, lp, casting, "
        "journey, limits, places, cards, enemies, spells, terrains, maps; did you mean "
        "'enemies'?",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_a_file_are_told_at_their_place(name, tmp_path):
    text, said = FAULTS[name]
    told = fault(text, tmp_path)
    assert [line for line in told if line.startswith(said)], told


@pytest.mark.parametrize("name", FAULTS)
def test_what_was_refused_is_not_proposed(name, tmp_path):
    for line in fault(FAULTS[name][0], tmp_path):
        found = re.search(r"found (\"[^\"]*\"|'[^']*')", line)
        meant = re.search(r"did you mean ('[^']*')", line)
        assert not (found and meant) or found[1][1:-1] != meant[1][1:-1], line


def many(number, entry):
    return "".join(entry.replace("NAME", f"new_{n}") for n in range(number))


@pytest.mark.parametrize(
    ("entry", "table", "most"),
    [
        (ENEMY.replace("momo", "NAME"), "enemies", 24),
        (SPELL.replace("purple", "NAME"), "spells", 16),
    ],
)
def test_more_entries_than_there_is_room_for(entry, table, most, tmp_path):
    fits = tmp_path / "fits.toml"
    fits.write_text(many(most - 11, entry), encoding="utf-8")
    assert len(TITLE.load(overlays=[fits]).values[table]) == most
    told = fault(many(most - 10, entry), tmp_path)
    assert [line for line in told if f" {table}: found" in line and f"at most {most}" in line], told


def test_more_hexes_than_there_is_room_for(tmp_path):
    number = len(TITLE.load().values["maps"]["long"]["hexes"])
    # Hexes beside the map, one after the other to the right of the right column.
    cells = [(column, row) for column in range(5, 9) for row in range(column % 2, 16, 2)]

    def more(count):
        return "[maps.long.hexes]\n" + "".join(
            f"n{column}_{row} = {{ at = [{column}, {row}], terrain = 'plain', cost = 1 }}\n"
            for column, row in cells[:count]
        )

    fits = tmp_path / "fits.toml"
    fits.write_text(more(64 - number), encoding="utf-8")
    assert len(TITLE.load(overlays=[fits]).values["maps"]["long"]["hexes"]) == 64
    told = fault(more(65 - number), tmp_path)
    assert [line for line in told if "maps.long.hexes: found" in line and "at most 64" in line], (
        told
    )


def test_several_faults_are_told_together(tmp_path):
    text = (
        "[casting]\nleft = 3\n\n[enemies.ra]\nap = [1]\n\n[spells.red_1]\nparts = ['red']\n"
        "\n[maps.long.hexes.c2]\nterrain = 'wood'\n"
    )
    told = fault(text, tmp_path)
    assert [line.split(":")[1] for line in told] == ["2", "11"], "what a field may say comes first"
    told = fault(text.replace("left = 3", "left = 2").replace("'wood'", "'plain'"), tmp_path)
    assert [line.split(":")[1] for line in told] == ["5", "8"]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("enemies.ra.ap=[1, 2]", "enemies.ra.ap: found 2 numbers"),
        ('maps.long.hexes.c2.terrain="planes"', "did you mean 'plain'?"),
        ("enemies.zazza.lp=3", "did you mean 'enemies.zaza.lp'?"),
        ("enemies.zaza.lpp=3", "did you mean 'enemies.zaza.lp'?"),
        ('spells.red_1.parts=["hero"]', "spells.red_1.parts[0]: found 'hero'"),
        ("cards.knight.ways.charge.sea=21", "found 21; allowed: less than or equal to 20"),
    ],
)
def test_faults_of_a_setting_name_the_setting(setting, said):
    with pytest.raises(DataError) as error:
        TITLE.load(overrides=[setting])
    assert str(error.value).startswith(f"--set {setting.split('=')[0]}")
    assert said in str(error.value)
