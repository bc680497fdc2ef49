"""What a ruleset must satisfy beyond the shape of its values; every fault with its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sim.core.title import MASK_WORDS
from sim.core.vocabulary import ANY, KEYWORDS, STOP
from sim.errors import nearest
from sim.titles.wizard.schema import (
    ABILITIES,
    COMPANIONS,
    DIRECTIONS,
    DRAW_WORDS,
    FEATURES,
    MAPS,
    MOST_ENEMIES,
    PARTS,
    PLACES,
    SORTS,
    STEPS,
)
from sim.titles.wizard.words import FIXED_GROUPS, NOBODY, way_ids

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset
    from sim.core.toml_source import KeyPath
    from sim.errors import Problem

__all__ = ["problems"]

_ID = re.compile(r"[a-z][a-z0-9_]*")
_RESERVED = {
    *(*ABILITIES, *DIRECTIONS, *DRAW_WORDS, *FEATURES, *FIXED_GROUPS),
    *(NOBODY, STOP, ANY, *KEYWORDS),
}

#: Ways up of a companion (UW-S4).
_WAYS = 2


def problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield all faults of a ruleset that its model cannot see."""
    values = ruleset.values
    yield from _exactly(ruleset, ("cards",), values["cards"], ABILITIES)
    yield from _exactly(ruleset, ("places",), values["places"], PLACES)
    if set(values["cards"]) == set(ABILITIES):
        yield from _companions(ruleset)
        yield from _names(ruleset)
    yield from _enemies(ruleset)
    if set(values["places"]) == set(PLACES):
        yield from _numbers_of_enemies(ruleset)
    yield from _spells(ruleset)
    for name in MAPS:
        yield from _map(ruleset, name)


def _exactly(
    ruleset: Ruleset, path: KeyPath, found: Collection[str], wanted: Collection[str]
) -> Iterator[Problem]:
    for name in wanted:
        if name not in found:
            yield ruleset.problem(path, f"no {name!r}", f"each of {', '.join(wanted)}")
    for name in found:
        if name not in wanted:
            hint = nearest(name, wanted)
            allowed = ", ".join(wanted)
            yield ruleset.problem((*path, name), f"unknown name {name!r}", allowed, hint=hint)


def _names(ruleset: Ruleset) -> Iterator[Problem]:
    """Ids become options, which need different names and must not be too many."""
    values = ruleset.values
    named: list[tuple[KeyPath, str]] = [(("enemies", name), name) for name in values["enemies"]]
    named += [(("spells", name), name) for name in values["spells"]]
    named += [(("cards", who, "ways", way), f"{who}_{way}") for who, way in way_ids(values)]
    # Of two that share an id both are told: either may be the one that was added.
    users = Counter(name for _, name in named)
    for path, name in named:
        if not _ID.fullmatch(name) or name in _RESERVED or users[name] > 1:
            yield ruleset.problem(path, f"the id {name!r}", "words like zaza, not taken yet")
    codes = len(ABILITIES) + len(named) + len((*DIRECTIONS, *DRAW_WORDS, *FEATURES, STOP))
    if codes > 64 * MASK_WORDS:
        found = f"{codes} options with all cards, ways up and spells"
        yield ruleset.problem(("enemies",), found, f"at most {64 * MASK_WORDS}")


def _companions(ruleset: Ruleset) -> Iterator[Problem]:
    values = ruleset.values
    families = sorted({enemy["family"] for enemy in values["enemies"].values()} - {""})
    for name, card in values["cards"].items():
        path = ("cards", name, "ways")
        wanted = _WAYS if name in COMPANIONS else 0
        if len(card["ways"]) != wanted:
            number = len(card["ways"])
            found = f"{number} {'way' if number == 1 else 'ways'} up"
            yield ruleset.problem(path, found, f"{wanted} for this card")
        for way, says in card["ways"].items():
            family = says["family"]
            if family and family not in families:
                hint = nearest(family, families)
                allowed = f"a family of an enemy: {', '.join(families)}"
                place = (*path, way, "family")
                yield ruleset.problem(place, repr(family), allowed, hint=hint)


def _enemies(ruleset: Ruleset) -> Iterator[Problem]:
    enemies = ruleset.values["enemies"]
    if len(enemies) > MOST_ENEMIES:
        yield ruleset.problem(("enemies",), f"{len(enemies)} enemies", f"at most {MOST_ENEMIES}")
    for name, enemy in enemies.items():
        if len(enemy["ap"]) != enemy["lp"]:
            found = f"{len(enemy['ap'])} numbers"
            allowed = f"one for each of its LP, {enemy['lp']}"
            yield ruleset.problem(("enemies", name, "ap"), found, allowed)


def _numbers_of_enemies(ruleset: Ruleset) -> Iterator[Problem]:
    """Each place gets an enemy of its colour, and there is one demon king (UW-S3)."""
    values = ruleset.values
    for colour in SORTS:
        number = sum(enemy["colour"] == colour for enemy in values["enemies"].values())
        if colour == "king":
            if number != 1:
                yield ruleset.problem(("enemies",), f"{number} of colour 'king'", "exactly one")
            continue
        places = sum(place["colour"] == colour for place in values["places"].values())
        if number < places:
            found = f"{number} of colour {colour!r}"
            allowed = f"at least {places}, one for each place of that colour"
            yield ruleset.problem(("enemies",), found, allowed)


def _spells(ruleset: Ruleset) -> Iterator[Problem]:
    for name, spell in ruleset.values["spells"].items():
        parts = spell["parts"]
        for place, part in enumerate(parts):
            path = ("spells", name, "parts", place)
            if part not in PARTS:
                hint = nearest(part, PARTS)
                yield ruleset.problem(path, repr(part), ", ".join(PARTS), hint=hint)
            elif part in parts[:place]:
                yield ruleset.problem(path, f"{part!r} twice", "each part once: there is one of it")


def _map(ruleset: Ruleset, name: str) -> Iterator[Problem]:
    chosen = ruleset.values["maps"][name]
    hexes, path = chosen["hexes"], ("maps", name, "hexes")
    places: dict[str, str] = {}
    cells: dict[tuple[int, ...], str] = {}
    for id_, one in hexes.items():
        here = (*path, id_)
        if not _ID.fullmatch(id_):
            yield ruleset.problem(here, f"the id {id_!r}", "words like c2")
        at = tuple(one["at"])
        if sum(at) % 2:
            allowed = "even columns with even heights, odd ones with odd heights"
            yield ruleset.problem((*here, "at"), str(list(at)), allowed)
        if at in cells:
            found = f"{list(at)}, where {cells[at]!r} lies"
            yield ruleset.problem((*here, "at"), found, "a cell of its own")
        cells[at] = id_
        if place := one["place"]:
            if place not in PLACES:
                hint = nearest(place, PLACES)
                found = repr(place)
                yield ruleset.problem((*here, "place"), found, ", ".join(PLACES), hint=hint)
            elif place in places:
                found = f"{place!r}, which {places[place]!r} has"
                yield ruleset.problem((*here, "place"), found, "each place once")
            places[place] = id_
        yield from _hex(ruleset, here, one)
    for place in PLACES:
        if place not in places:
            yield ruleset.problem(path, f"no hex with place {place!r}", "one for each place")
    yield from _ends(ruleset, name, places, cells)


def _hex(ruleset: Ruleset, path: KeyPath, one: Mapping[str, Any]) -> Iterator[Problem]:
    special = [key for key in ("cost", "recover", "place") if one[key]]
    if one["terrain"] in ("sea", "castle") and special:
        key = special[0]
        yield ruleset.problem((*path, key), repr(one[key]), f"none for a hex of {one['terrain']}")
    elif one["recover"] and (one["cost"] or one["place"]):
        allowed = "either a yellow hex, or a cost, or a place"
        yield ruleset.problem((*path, "recover"), repr(one["recover"]), allowed)


def _ends(
    ruleset: Ruleset, name: str, places: Mapping[str, str], cells: Mapping[tuple[int, ...], str]
) -> Iterator[Problem]:
    """There is a start and a castle, and all that matters can be reached without sea."""
    chosen = ruleset.values["maps"][name]
    hexes = chosen["hexes"]
    castles = [id_ for id_, one in hexes.items() if one["terrain"] == "castle"]
    if len(castles) != 1:
        found = f"{len(castles)} hexes of terrain 'castle'"
        yield ruleset.problem(("maps", name, "hexes"), found, "exactly one")
    start = chosen["start"]
    plain = [
        id_
        for id_, one in hexes.items()
        if one["terrain"] not in ("sea", "castle") and not one["place"] and not one["recover"]
    ]
    if start not in plain:
        allowed = "the id of a hex on land that is no castle, no yellow hex and linked to no place"
        hint = nearest(start, plain)
        yield ruleset.problem(("maps", name, "start"), repr(start), allowed, hint=hint)
        return
    reached, todo = {start}, [start]
    while todo:
        x, y = hexes[todo.pop()]["at"]
        for dx, dy in STEPS.values():
            there = cells.get((x + dx, y + dy))
            if there is not None and there not in reached and hexes[there]["terrain"] != "sea":
                reached.add(there)
                if there not in castles:  # nobody comes out of it (UW-E1)
                    todo.append(there)
    for id_ in (*castles, *places.values()):
        if id_ not in reached:
            path = ("maps", name, "hexes", id_)
            found = "a hex behind sea or behind the castle"
            yield ruleset.problem(path, found, "one that is reached over land")
