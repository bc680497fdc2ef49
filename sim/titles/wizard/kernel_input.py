"""What the kernel asks of a ruleset's arrays before it reads them without bounds checks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sim.core.kernel_input import check_array, check_range, check_spans, count_arguments
from sim.errors import InputError
from sim.titles.wizard.faces import FAR, NO_PLACE
from sim.titles.wizard.schema import (
    ABILITIES,
    BASIC,
    COLOURS,
    COMPANIONS,
    DEALT,
    DIRECTIONS,
    DRAW_WORDS,
    FEATURES,
    MOST_DRAWN,
    MOST_ENEMIES,
    MOST_ENEMY_LP,
    MOST_HEXES,
    MOST_LP,
    MOST_SPELLS,
    PARTS,
    PLACES,
    SEA,
    SORTS,
    TERRAINS,
)
from sim.titles.wizard.tables import CAST, ENEMY, HEX, RULES, SPELL, WAY, Tables

__all__ = ["MOST_CASTS", "arguments", "check_tables"]

#: Most sets of spells that one set of parts allows: the kernel's room for them. These are sets to
#: which no spell can be added that is worth anything, and of n things some pairs of which exclude
#: each other there are at most ``4 * 3 ** ((n - 4) / 3)`` complete sets, when n is 1 more than a
#: multiple of 3 (Moon and Moser, 1965). Here n is ``MOST_SPELLS``, 16.
MOST_CASTS = 4 * 3 ** ((MOST_SPELLS - 4) // 3)

#: Numbers of ``RULES`` and what they may be; the rest follows from other arrays.
_RANGES = {
    "start_lp": (1, MOST_LP),
    "start_cards": (0, len(DEALT)),
    "most_lp": (1, MOST_LP),
    "after_loss": (1, MOST_LP),
    "deck_chosen": (0, 1),
    "deck_least": (BASIC, len(PARTS)),
    "most_drawn": (1, MOST_DRAWN),
    "left": (0, BASIC - 1),
    "draw_cost": (0, 20),
    "sea_cost": (0, 20),
    "round_cap": (1, 200),
    "battle_cap": (1, 200),
}


def arguments(tables: Tables) -> tuple[int | None, ...]:
    """Return how many arguments each observable has (see ``check_conditions``)."""
    return count_arguments(tables.words, {"option": len(tables.words.arguments["option"])})


def check_tables(tables: Tables) -> None:
    """Refuse arrays that do not fit together.

    Raises
    ------
    InputError
    """
    if not isinstance(tables, Tables):
        raise InputError(f"tables: found {type(tables).__name__}; allowed: Tables")
    enemies, ways, hexes = len(tables.enemies), len(tables.ways), len(tables.hexes)
    colours = len(COLOURS)
    check_array("tables.rules", tables.rules, RULES, (1,))
    check_array("tables.enemies", tables.enemies, ENEMY, (None,))
    check_array("tables.ap", tables.ap, np.int16, (enemies, MOST_ENEMY_LP + 1))
    check_array("tables.ways", tables.ways, WAY, (None,))
    check_array("tables.spells", tables.spells, SPELL, (None,))
    check_array("tables.casts", tables.casts, CAST, (None,))
    check_array("tables.cast_spans", tables.cast_spans, np.int32, (2, 1 << len(PARTS), 2))
    check_array("tables.hexes", tables.hexes, HEX, (None,))
    check_array("tables.beside", tables.beside, np.int16, (hexes, len(DIRECTIONS)))
    check_array("tables.distances", tables.distances, np.int32, (2, hexes, hexes))
    check_array("tables.blocks", tables.blocks, np.int16, (len(TERRAINS), colours))
    check_array("tables.colours", tables.colours, np.int16, (len(PLACES),))
    _check_sizes(enemies, ways, hexes, len(tables.spells))
    for name, (low, high) in _RANGES.items():
        check_range(f"tables.rules, {name}", tables.rules[name], low, high)
    _check_codes(tables, enemies, ways)
    _check_enemies(tables)
    _check_magic(tables)
    _check_map(tables)


def _check_sizes(enemies: int, ways: int, hexes: int, spells: int) -> None:
    for name, found, least, most in (
        ("enemies", enemies, 1, MOST_ENEMIES),
        ("ways", ways, len(COMPANIONS), 2 * len(COMPANIONS)),
        ("hexes", hexes, 2, MOST_HEXES),
        ("spells", spells, 0, MOST_SPELLS),
    ):
        if not least <= found <= most:
            raise InputError(f"tables.{name}: found {found}; allowed: {least} to {most}")


def _check_codes(tables: Tables, enemies: int, ways: int) -> None:
    kinds = len(ABILITIES) + enemies
    first_draw = kinds + len(DIRECTIONS)
    first_way = first_draw + len(DRAW_WORDS)
    first_spell = first_way + ways
    first_feature = first_spell + len(tables.spells)
    for name, code in (
        ("kinds", kinds),
        ("first_draw", first_draw),
        ("first_way", first_way),
        ("first_spell", first_spell),
        ("first_feature", first_feature),
    ):
        check_range(f"tables.rules, {name}", tables.rules[name], code, code)
    stop = first_feature + len(FEATURES)
    if tables.words.stop != stop:
        raise InputError(f"tables.words, stop: found {tables.words.stop}; allowed: {stop}")


def _check_enemies(tables: Tables) -> None:
    enemies, rules = tables.enemies, tables.rules
    check_range("tables.enemies, lp", enemies["lp"], 1, MOST_ENEMY_LP)
    check_range("tables.enemies, sort", enemies["sort"], 0, len(SORTS) - 1)
    for name in (*(f"block_{colour}" for colour in COLOURS), "recover", "mend"):
        check_range(f"tables.enemies, {name}", enemies[name], 0, 20)
    check_range("tables.enemies, family", enemies["family"], 0, MOST_ENEMIES)
    check_range("tables.ap", tables.ap, 0, 20)
    check_range("tables.rules, king", rules["king"], 0, len(enemies) - 1)
    check_range("tables.colours", tables.colours, 0, SORTS.index("red"))
    for sort, name in enumerate(SORTS[:2]):
        needed, there = _number(tables.colours, sort), _number(enemies["sort"], sort)
        if there < needed:
            raise InputError(
                f"tables.enemies, sort: found {there} {name} ones; allowed: {needed} or more"
            )


def _number(values: npt.NDArray[Any], value: int) -> int:
    return int((values == value).sum())


def _check_magic(tables: Tables) -> None:
    ways, casts, spans = tables.ways, tables.casts, tables.cast_spans
    first, last = len(ABILITIES) - len(COMPANIONS), len(ABILITIES) - 1
    check_range("tables.ways, kind", ways["kind"], first, last)
    missing = set(range(first, last + 1)) - set(ways["kind"].tolist())
    if missing:
        raise InputError(f"tables.ways, kind: found none of {min(missing)}; allowed: one of each")
    check_range("tables.ways, family", ways["family"], 0, MOST_ENEMIES)
    powers = tuple(f"power_{colour}" for colour in COLOURS)
    for name in (*powers, "start_damage", "turn_damage", "guard", "recover", "sea"):
        check_range(f"tables.ways, {name}", ways[name], 0, 20)
    check_range("tables.spells, heal", tables.spells["heal"], 0, 20)
    for name in (*powers, "heal"):
        check_range(f"tables.casts, {name}", casts[name], 0, 20 * len(PARTS))
    check_range("tables.casts, spells", casts["spells"], 0, (1 << len(tables.spells)) - 1)
    check_spans("tables.cast_spans", spans[..., 0], spans[..., 1], len(casts))
    check_range("tables.cast_spans, count", spans[..., 1], 1, MOST_CASTS)
    for start, number in spans[spans[..., 1] > 1].tolist():
        # Sets that differ in nothing could not be told apart by naming spells.
        if len(np.unique(casts["spells"][start : start + number])) < number:
            raise InputError("tables.casts, spells: found a set twice; allowed: each once")


def _check_map(tables: Tables) -> None:
    hexes, rules, number = tables.hexes, tables.rules, len(tables.hexes)
    check_range("tables.hexes, terrain", hexes["terrain"], 0, len(TERRAINS) - 1)
    check_range("tables.hexes, cost", hexes["cost"], 0, 20)
    check_range("tables.hexes, recover", hexes["recover"], 0, 20)
    check_range("tables.hexes, place", hexes["place"], NO_PLACE, len(PLACES) - 1)
    check_range("tables.beside", tables.beside, NO_PLACE, number - 1)
    check_range("tables.distances", tables.distances, 0, FAR)
    check_range("tables.blocks", tables.blocks, 0, 20)
    for name in ("start_hex", "castle_hex"):
        check_range(f"tables.rules, {name}", rules[name], 0, number - 1)
    _check_ways_out(tables)


def _check_ways_out(tables: Tables) -> None:
    """There is always a move: back over land, or over the sea that the wizard came across.

    A companion that crosses sea is only lost in a battle, so no battle may begin at sea, and where
    one may begin there must be land beside.
    """
    hexes, beside = tables.hexes, tables.beside
    for direction in range(len(DIRECTIONS)):
        here = np.flatnonzero(beside[:, direction] != NO_PLACE)
        back = beside[beside[here, direction], (direction + len(DIRECTIONS) // 2) % len(DIRECTIONS)]
        if (back != here).any():
            lost = int(here[back != here][0])
            raise InputError(
                f"tables.beside: found no way back to hex {lost}; allowed: the opposite direction"
            )
    sea = hexes["terrain"] == SEA
    needs_land = hexes["place"] != NO_PLACE
    needs_land[tables.rules["start_hex"]] = True
    stuck = needs_land & (sea | ~np.isin(beside, np.flatnonzero(~sea)).any(axis=1))
    if stuck.any():
        found = int(np.flatnonzero(stuck)[0])
        raise InputError(
            f"tables.beside: found no land at or beside hex {found}; "
            "allowed: some where the wizard starts or fights"
        )
