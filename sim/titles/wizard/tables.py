"""From a ruleset to the arrays that both engines read.

All arrays are C-contiguous and hold whole numbers; the structured ones are packed, and the kernel's
structs are their twins, field by field. Sets of parts are whole numbers: bit ``p`` is set when part
``p`` is in the set.

``rules``       ``RULES`` (one record): the single numbers of the ruleset
``enemies``     ``ENEMY``, one record an enemy; its kind is ``len(ABILITIES)`` more
``ap``          ``int16[enemies, MOST_ENEMY_LP + 1]``: AP by LP
``ways``        ``WAY``, one record a way up
``spells``      ``SPELL``, one record a spell
``casts``       ``CAST``: the sets of spells that are worth casting with a set of parts
``cast_spans``  ``int32[2, 128, 2]``: first and number of ``casts``, without and with the
                Grimoire 2, by the set of parts drawn
``hexes``       ``HEX``, one record a hex of the map that is played
``beside``      ``int16[hexes, 6]``: the hex in each direction, -1 for none
``distances``   ``int32[2, hexes, hexes]``: the cheapest way from one hex to another, without and
                with sea, as ``STEP_UNIT`` times its cost plus its moves; ``FAR`` for none. Yellow
                hexes cost nothing, fights on the way are left out of account, and sea costs what
                the cheapest way up that crosses it takes
``blocks``      ``int16[terrains, 3]``: what terrain adds to blocks
``colours``     ``int16[places]``: the back of the enemy at each place, a place in ``SORTS``
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import ge
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sim.core.vocabulary import Vocabulary
from sim.titles.wizard.faces import FAR, NO_PLACE, STEP_UNIT, Cast, Enemy, Hex, Way
from sim.titles.wizard.schema import (
    ABILITIES,
    COLOURS,
    DIRECTIONS,
    DRAW_WORDS,
    MOST_ENEMY_LP,
    MOST_SPELLS,
    PARTS,
    PLACES,
    SEA,
    SORTS,
    STEPS,
    TERRAINS,
)
from sim.titles.wizard.words import enemy_ids, kind_ids, vocabulary, way_ids

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = [
    "CAST",
    "ENEMY",
    "HEX",
    "RULES",
    "SPELL",
    "WAY",
    "Tables",
    "compile_tables",
    "distances",
]

RULES = np.dtype(
    [
        (name, "<i4")
        for name in (
            "kinds",  # number of kinds = code of the first direction
            "first_draw",  # code of draw_1
            "first_way",  # code of the first way up
            "first_spell",  # code of the first spell
            "first_feature",  # code of the first feature
            "start_lp",
            "start_cards",
            "most_lp",
            "after_loss",
            "deck_chosen",  # 1: the player may leave parts out
            "deck_least",
            "most_drawn",
            "left",
            "draw_cost",
            "sea_cost",  # of the cheapest way up that crosses sea; 0: none does
            "start_hex",
            "castle_hex",
            "king",  # place in `enemies`
            "round_cap",
            "battle_cap",
        )
    ]
)


def _colour_fields(name: str) -> list[tuple[str, str]]:
    # A field for each colour, not one array of them: in a packed struct it has no aligned address.
    return [(f"{name}_{colour}", "<i2") for colour in COLOURS]


ENEMY = np.dtype(
    [
        ("lp", "<i2"),
        ("sort", "<i2"),  # place in SORTS
        *_colour_fields("block"),
        ("family", "<i2"),  # 0: none
        ("recover", "<i2"),
        ("mend", "<i2"),
    ]
)

WAY = np.dtype(
    [
        ("kind", "<i2"),
        *_colour_fields("power"),
        ("family", "<i2"),  # whom start_damage works on; 0: every enemy
        ("start_damage", "<i2"),
        ("turn_damage", "<i2"),
        ("guard", "<i2"),
        ("recover", "<i2"),
        ("sea", "<i2"),
    ]
)

SPELL = np.dtype([("parts", "<i2"), *_colour_fields("power"), ("heal", "<i2"), ("grimoire", "<i2")])

CAST = np.dtype([*_colour_fields("power"), ("heal", "<i2"), ("spells", "<u4")])

HEX = np.dtype([(name, "<i2") for name in ("x", "y", "terrain", "cost", "recover", "place")])


@dataclass(frozen=True)
class Tables:
    """A ruleset as arrays, and the names that its numbers stand for."""

    ruleset_hash: str
    words: Vocabulary
    kind_names: tuple[str, ...]
    hex_names: tuple[str, ...]
    rules: npt.NDArray[np.void]
    enemies: npt.NDArray[np.void]
    ap: npt.NDArray[np.int16]
    ways: npt.NDArray[np.void]
    spells: npt.NDArray[np.void]
    casts: npt.NDArray[np.void]
    cast_spans: npt.NDArray[np.int32]
    hexes: npt.NDArray[np.void]
    beside: npt.NDArray[np.int16]
    distances: npt.NDArray[np.int32]
    blocks: npt.NDArray[np.int16]
    colours: npt.NDArray[np.int16]
    #: What the ruleset says of cards, enemies, ways up and spells, for the story only.
    texts: dict[str, Any]

    @cached_property
    def rule(self) -> dict[str, int]:
        """The single numbers by name, for the reference engine."""
        return {name: int(self.rules[0][name]) for name in RULES.names or ()}

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The card kinds; their number is that of the records' cards group."""
        return self.kind_names

    @cached_property
    def enemy_cards(self) -> list[Enemy]:
        """What each enemy says, for the reference engine."""
        return [
            Enemy._make([*_plain(row, 2), tuple(ap)])
            for row, ap in zip(self.enemies.tolist(), self.ap.tolist(), strict=True)
        ]

    @cached_property
    def way_cards(self) -> list[Way]:
        """What each way up says, for the reference engine."""
        return [Way(*_plain(row, 1)) for row in self.ways.tolist()]

    @cached_property
    def map_hexes(self) -> list[Hex]:
        """The hexes, for the reference engine."""
        return [Hex(*row) for row in self.hexes.tolist()]

    @cached_property
    def all_casts(self) -> list[Cast]:
        """The sets of spells, for the reference engine."""
        return [Cast(*_plain(row, 0)) for row in self.casts.tolist()]

    def casts_with(self, parts: int, *, book: bool) -> list[Cast]:
        """Return the sets of spells worth casting with a set of parts; at least one."""
        first, count = self.cast_spans[int(book), parts].tolist()
        return self.all_casts[first : first + count]


def _plain(row: tuple[Any, ...], first: int) -> list[Any]:
    """Return a record's fields, those by colour, which begin at the place ``first``, as one."""
    last = first + len(COLOURS)
    return [*row[:first], row[first:last], *row[last:]]


def compile_tables(ruleset: Ruleset) -> Tables:
    """Turn a ruleset, which has passed ``checks.problems``, into the arrays of both engines."""
    values = ruleset.values
    words, names = vocabulary(ruleset), enemy_ids(values)
    families = {name: 1 + n for n, name in enumerate(_families(values))} | {"": 0}
    enemies = np.zeros(len(names), ENEMY)
    ap = np.zeros((len(names), MOST_ENEMY_LP + 1), np.int16)
    for number, name in enumerate(names):
        enemy = values["enemies"][name]
        for field in ("lp", "recover", "mend"):
            enemies[number][field] = enemy[field]
        enemies[number]["sort"] = SORTS.index(enemy["colour"])
        for colour in COLOURS:
            enemies[number][f"block_{colour}"] = enemy["block"][colour]
        enemies[number]["family"] = families[enemy["family"]]
        ap[number, 1 : 1 + len(enemy["ap"])] = enemy["ap"]
    ways = _ways(values, families)
    spells = _spells(values)
    casts, cast_spans = _casts(spells)
    chosen_map = values["maps"][values["journey"]["map"]]
    hexes, beside = _map(chosen_map)
    rules = _rules(values, hexes, ways, len(spells))
    sea = int(rules[0]["sea_cost"])
    return Tables(
        ruleset_hash=ruleset.hash,
        words=words,
        kind_names=kind_ids(values),
        hex_names=tuple(sorted(chosen_map["hexes"])),
        rules=rules,
        enemies=enemies,
        ap=ap,
        ways=ways,
        spells=spells,
        casts=casts,
        cast_spans=cast_spans,
        hexes=hexes,
        beside=beside,
        distances=np.stack([distances(hexes, beside, 0), distances(hexes, beside, sea)]),
        blocks=np.array(
            [_by_colour(values["terrains"][terrain]["block"]) for terrain in TERRAINS], np.int16
        ),
        colours=np.array(
            [SORTS.index(values["places"][place]["colour"]) for place in PLACES], np.int16
        ),
        texts={name: _unfrozen(values[name]) for name in ("cards", "enemies", "spells", "terrains")}
        | {"hexes": _unfrozen(chosen_map["hexes"])},
    )


def _by_colour(numbers: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(numbers[colour] for colour in COLOURS)


def _families(values: Mapping[str, Any]) -> list[str]:
    return sorted({enemy["family"] for enemy in values["enemies"].values()} - {""})


def _rules(
    values: Mapping[str, Any], hexes: npt.NDArray[np.void], ways: npt.NDArray[np.void], spells: int
) -> npt.NDArray[np.void]:
    casting, kinds = values["casting"], len(kind_ids(values))
    first_draw = kinds + len(DIRECTIONS)
    first_way = first_draw + len(DRAW_WORDS)
    chosen_map = values["maps"][values["journey"]["map"]]
    names = [values["enemies"][name]["colour"] for name in enemy_ids(values)]
    numbers = {
        "kinds": kinds,
        "first_draw": first_draw,
        "first_way": first_way,
        "first_spell": first_way + len(ways),
        "first_feature": first_way + len(ways) + spells,
        "start_lp": values["start"]["lp"],
        "start_cards": values["start"]["cards"],
        "most_lp": values["lp"]["most"],
        "after_loss": values["lp"]["after_loss"],
        "deck_chosen": int(casting["deck"] == "chosen"),
        "deck_least": casting["deck_least"],
        "most_drawn": casting["most_drawn"],
        "left": casting["left"],
        "draw_cost": casting["cost"],
        "sea_cost": min((int(way["sea"]) for way in ways if way["sea"]), default=0),
        "start_hex": sorted(chosen_map["hexes"]).index(chosen_map["start"]),
        "castle_hex": int(np.flatnonzero(hexes["terrain"] == TERRAINS.index("castle"))[0]),
        "king": names.index("king"),
        "round_cap": values["limits"]["round_cap"],
        "battle_cap": values["limits"]["battle_cap"],
    }
    rules = np.zeros(1, RULES)
    for name in RULES.names or ():
        rules[0][name] = numbers[name]
    return rules


def _ways(values: Mapping[str, Any], families: Mapping[str, int]) -> npt.NDArray[np.void]:
    ids = way_ids(values)
    ways = np.zeros(len(ids), WAY)
    for number, (companion, name) in enumerate(ids):
        way = values["cards"][companion]["ways"][name]
        for field in ("start_damage", "turn_damage", "guard", "recover", "sea"):
            ways[number][field] = way[field]
        ways[number]["kind"] = ABILITIES.index(companion)
        for colour in COLOURS:
            ways[number][f"power_{colour}"] = way["power"][colour]
        ways[number]["family"] = families[way["family"]]
    return ways


def _spells(values: Mapping[str, Any]) -> npt.NDArray[np.void]:
    names = sorted(values["spells"])
    spells = np.zeros(len(names), SPELL)
    for number, name in enumerate(names):
        spell = values["spells"][name]
        spells[number]["parts"] = sum(1 << PARTS.index(part) for part in spell["parts"])
        for colour in COLOURS:
            spells[number][f"power_{colour}"] = spell["power"][colour]
        for field in ("heal", "grimoire"):
            spells[number][field] = spell[field]
    return spells


def _casts(
    spells: npt.NDArray[np.void],
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int32]]:
    """Return for each set of parts the sets of spells that nothing is better than (UW-C3).

    Each is found from those of smaller sets of parts: the lowest part is left over, or goes into
    one of the spells that take it. What another set beats or equals there it does so here too.
    """
    plain = [_plain(row, 1) for row in spells.tolist()]
    casts: list[Cast] = []
    spans = np.zeros((2, 1 << len(PARTS), 2), np.int32)
    for book in (0, 1):
        best = [[Cast((0,) * len(COLOURS), 0, 0)]]
        for parts in range(1, 1 << len(PARTS)):
            lowest = parts & -parts
            found = list(best[parts & ~lowest])
            for number, (needed, power, heal, grimoire) in enumerate(plain):
                if grimoire <= 1 + book and needed & lowest and needed & parts == needed:
                    one = Cast(tuple(power), heal, 1 << number)
                    found += [_together(one, other) for other in best[parts & ~needed]]
            best.append(_undominated(sorted(found, key=_in_order)))
        for parts, worthy in enumerate(best):
            spans[book, parts] = len(casts), len(worthy)
            casts += worthy
    return np.array([(*cast.power, cast.heal, cast.spells) for cast in casts], CAST), spans


def _together(one: Cast, other: Cast) -> Cast:
    power = tuple(a + b for a, b in zip(one.power, other.power, strict=True))
    return Cast(power, one.heal + other.heal, one.spells | other.spells)


def _in_order(cast: Cast) -> int:
    """Return what sets of spells are sorted by: who has the first spell that another lacks."""
    return -int(f"{cast.spells:0{MOST_SPELLS}b}"[::-1], 2)


def _undominated(found: list[Cast]) -> list[Cast]:
    """Leave out what another set is at least as good as; of equal ones the first stays."""
    best: list[tuple[Cast, tuple[int, ...]]] = []
    for cast in found:
        worth = (*cast.power, cast.heal)
        if not any(all(map(ge, other, worth)) for _, other in best):
            best = [one for one in best if not all(map(ge, worth, one[1]))]
            best.append((cast, worth))
    return [cast for cast, _ in best]


def _map(chosen_map: Mapping[str, Any]) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int16]]:
    names = sorted(chosen_map["hexes"])
    hexes = np.zeros(len(names), HEX)
    at = {}
    for number, name in enumerate(names):
        one = chosen_map["hexes"][name]
        place = PLACES.index(one["place"]) if one["place"] else NO_PLACE
        terrain = TERRAINS.index(one["terrain"])
        hexes[number] = (*one["at"], terrain, one["cost"], one["recover"], place)
        at[tuple(one["at"])] = number
    beside = np.full((len(names), len(STEPS)), NO_PLACE, np.int16)
    for (x, y), number in at.items():
        for direction, (dx, dy) in enumerate(STEPS.values()):
            beside[number, direction] = at.get((x + dx, y + dy), NO_PLACE)
    return hexes, beside


def distances(
    hexes: npt.NDArray[np.void], beside: npt.NDArray[np.int16], sea: int
) -> npt.NDArray[np.int32]:
    """Return the cheapest ways between all hexes (see the module's docstring).

    Parameters
    ----------
    hexes : structured array, shape (n,)
        ``HEX``.
    beside : int16 array, shape (n, 6)
    sea : int
        What a hex of sea costs; 0: it cannot be entered.
    """
    number = len(hexes)
    ways = np.full((number, number), FAR, np.int64)
    np.fill_diagonal(ways, 0)
    for here, others in enumerate(beside.tolist()):
        for there in others:
            if there == NO_PLACE:
                continue
            is_sea = hexes[there]["terrain"] == SEA
            if not is_sea or sea:
                cost = sea if is_sea else int(hexes[there]["cost"])
                ways[here, there] = cost * STEP_UNIT + 1
    for over in range(number):
        np.minimum(ways, ways[:, over, None] + ways[None, over, :], out=ways)
    return np.minimum(ways, FAR).astype(np.int32)


def _unfrozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _unfrozen(item) for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value
