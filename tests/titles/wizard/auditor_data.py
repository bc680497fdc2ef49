"""The rules' numbers as an outsider reads them: straight from the files in ``data/``.

Shares no code with the title. A table with a ``value`` is that value; what a table leaves out is 0
or empty, as the heads of the files say. What RULES.md itself states in figures is listed in
:data:`STATED`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

DATA = Path(__file__).parents[3] / "sim" / "titles" / "wizard" / "data"

COLOURS = ("red", "green", "blue")
BASIC = ("red_basic", "green_basic", "blue_basic")
EXTENSIONS = ("red_extension", "green_extension", "blue_extension", "light_blue_extension")
PARTS = (*BASIC, *EXTENSIONS)
GRIMOIRE = "grimoire_2"
COMPANIONS = ("hero", "knight", "monk", "porcupine", "princess")
DEALT = (*EXTENSIONS, GRIMOIRE, *COMPANIONS)
#: In the order of rows of the records.
ABILITIES = (*PARTS, GRIMOIRE, *COMPANIONS)
PLACES = tuple(f"{side}_{row}" for side in ("left", "right") for row in range(1, 5))

STOP = "stop"

#: Directions clockwise, and the steps that they are in (column, height).
DIRECTIONS = {
    "go_up": (0, 2),
    "go_up_right": (1, 1),
    "go_down_right": (1, -1),
    "go_down": (0, -2),
    "go_down_left": (-1, -1),
    "go_up_left": (-1, 1),
}

_NOTES = {"source", "ref", "range"}

_WAY = {"family": "", "start_damage": 0, "turn_damage": 0, "guard": 0, "recover": 0, "sea": 0}
_HEX = {"cost": 0, "recover": 0, "place": ""}

#: What RULES.md says in figures and words, by the rule that says it.
STATED = (
    ("UW-S1", "start.lp", 30),
    ("UW-S1", "lp.most", 30),
    ("UW-S2", "start.cards", 2),
    ("UW-S3", "enemies.zaza.colour", "yellow"),
    *(("UW-S3", f"places.{place}.colour", "yellow") for place in ("left_4", "right_3", "right_4")),
    *(("UW-S3", f"places.{place}.colour", "red") for place in PLACES[:3] + PLACES[4:6]),
    ("UW-M1", "cards.porcupine.ways.swim.sea", 1),
    ("UW-M1", "maps.long.hexes.d1.cost", 2),
    ("UW-M3", "journey.map", "long"),
    ("UW-M5", "limits.round_cap", 100),
    ("UW-M5", "limits.battle_cap", 60),
    *(("UW-C8", f"enemies.{name}.family", "psi") for name in ("zaza", "dodo")),
    *(("UW-C8", f"enemies.{name}.family", "horn") for name in ("karu", "koru")),
    *(("UW-C8", f"enemies.{name}.family", "ghost") for name in ("robi", "yabi")),
    ("UW-C1", "cards.porcupine.ways.quills.start_damage", 2),
    ("UW-C1", "cards.porcupine.ways.quills.family", "psi"),
    ("UW-C1", "cards.knight.ways.charge.start_damage", 2),
    ("UW-C1", "cards.knight.ways.charge.family", "horn"),
    ("UW-C1", "cards.monk.ways.sermon.start_damage", 2),
    ("UW-C1", "cards.monk.ways.sermon.family", "ghost"),
    ("UW-C2", "casting.deck", "all"),
    ("UW-C2", "casting.deck_least", 3),
    ("UW-C2", "casting.most_drawn", 4),
    ("UW-C2", "casting.left", 1),
    ("UW-C2", "casting.cost", 1),
    ("UW-C3", "spells.red_1.parts", ["red_basic"]),
    ("UW-C3", "spells.red_1.power", {"red": 2}),
    ("UW-C3", "spells.blue_2.parts", ["blue_basic", "blue_extension"]),
    ("UW-C3", "spells.blue_2.power", {"blue": 4}),
    ("UW-C3", "spells.mending_4.heal", 8),
    ("UW-C3", "spells.mending_4.level", 4),
    ("UW-C3", "spells.mending_4.grimoire", 2),
    ("UW-C5", "cards.hero.ways.sword.turn_damage", 1),
    ("UW-C8", "enemies.zaza.lp", 8),
    ("UW-C8", "enemies.zaza.ap", [3, 3, 3, 1, 5, 5, 5, 5]),
    ("UW-C8", "enemies.zaza.block", {"red": 1, "green": 3, "blue": 2}),
    ("UW-C8", "enemies.zaza.recover", 3),
    ("UW-C8", "terrains.forest.block", {"red": 0, "green": 0, "blue": 1}),
    ("UW-L1", "lp.after_loss", 8),
)


def load(overrides=()):
    """Return all numbers of the data files as plain values, with ``key=value`` overrides."""
    values = {}
    for file in sorted(DATA.glob("*.toml")):
        if file.name != "report.toml":
            values |= _plain(tomllib.loads(file.read_text("utf-8")))
    for text in overrides:
        key, _, value = text.partition("=")
        *path, last = key.strip().split(".")
        table = values
        for name in path:
            table = table.setdefault(name, {})
        table[last] = tomllib.loads(f"value = {value}")["value"]
    return values


def look_up(values, key):
    """Return the value of a dotted key."""
    for name in key.split("."):
        values = values[name]
    return values


def texts(values):
    """Return what a set-up must say about cards, enemies, spells, terrains and hexes."""
    return {
        "cards": {
            name: {
                "label": card["label"],
                "ways": {word: _way(way) for word, way in card.get("ways", {}).items()},
            }
            for name, card in values["cards"].items()
        },
        "enemies": {name: dict(enemy) for name, enemy in values["enemies"].items()},
        "spells": {
            name: {"heal": 0} | spell | {"power": _colours(spell.get("power", {}))}
            for name, spell in values["spells"].items()
        },
        "terrains": values["terrains"],
        "hexes": {name: _HEX | one for name, one in _map(values)["hexes"].items()},
    }


def rules(values):
    """Return the numbers that a set-up must state, and the codes that follow from the words."""
    cards, enemies, hexes = values["cards"], values["enemies"], _map(values)["hexes"]
    ways = [way for card in cards.values() for way in card.get("ways", {}).values()]
    castle = next(name for name, one in hexes.items() if one["terrain"] == "castle")
    king = next(name for name, one in enemies.items() if one["colour"] == "king")
    kinds = len(cards) + len(enemies)
    first_draw = kinds + len(DIRECTIONS)
    first_way = first_draw + 4
    first_spell = first_way + len(ways)
    casting = values["casting"]
    return {
        "kinds": kinds,
        "first_draw": first_draw,
        "first_way": first_way,
        "first_spell": first_spell,
        "first_feature": first_spell + len(values["spells"]),
        "start_lp": values["start"]["lp"],
        "start_cards": values["start"]["cards"],
        "most_lp": values["lp"]["most"],
        "after_loss": values["lp"]["after_loss"],
        "deck_chosen": int(casting["deck"] == "chosen"),
        "deck_least": casting["deck_least"],
        "most_drawn": casting["most_drawn"],
        "left": casting["left"],
        "draw_cost": casting["cost"],
        "sea_cost": min((way["sea"] for way in ways if way.get("sea")), default=0),
        "start_hex": sorted(hexes).index(_map(values)["start"]),
        "castle_hex": sorted(hexes).index(castle),
        "king": sorted(enemies).index(king),
        "round_cap": values["limits"]["round_cap"],
        "battle_cap": values["limits"]["battle_cap"],
    }


def start(values):
    """Return the hex where the wizard begins."""
    return _map(values)["start"]


def _map(values):
    return values["maps"][values["journey"]["map"]]


def _way(way):
    return _WAY | way | {"power": _colours(way.get("power", {}))}


def _colours(power):
    return {colour: power.get(colour, 0) for colour in COLOURS}


def _plain(node):
    if isinstance(node, dict):
        if "value" in node:
            return node["value"]
        return {name: _plain(one) for name, one in node.items() if name not in _NOTES}
    return node
