"""Units on the field: how strong they are, and what they may do now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.titles.majestic.schema import KEYWORDS, PLACES

if TYPE_CHECKING:
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat, Unit

__all__ = [
    "areas_with_room",
    "attackers",
    "blockers",
    "could_attack",
    "could_block",
    "has",
    "has_room",
    "left",
    "movers",
    "restricted",
    "worth",
]

_BITS: dict[str, int] = {name: 1 << place for place, name in enumerate(KEYWORDS)}


def has(game: Game, unit: Unit, keyword: str) -> bool:
    """Whether a unit has a keyword, printed or given (MM-U6)."""
    return bool((game.faces[unit.kind].keywords | unit.given) & _BITS[keyword])


def left(game: Game, unit: Unit) -> int:
    """Return how much damage would destroy a unit."""
    return game.dp(unit) - unit.damage


def worth(game: Game, unit: Unit) -> int:
    """Return what policies call a unit's worth: cost, AP, and DP less damage."""
    return game.faces[unit.kind].cost + game.ap(unit) + left(game, unit)


def restricted(game: Game, unit: Unit) -> bool:
    """Whether a unit may not attack, move or turn down for an ability (MM-U1)."""
    return unit.fresh and not has(game, unit, "swift")


def could_attack(game: Game, unit: Unit) -> bool:
    """Whether a unit stands where it may attack, once it is ready and unrestricted."""
    return (unit.front or has(game, unit, "ranged")) and not has(game, unit, "bound")


def could_block(game: Game, unit: Unit) -> bool:
    """Whether a unit stands where it may block, once it is ready."""
    return (not unit.front or has(game, unit, "sentinel")) and not has(game, unit, "bound")


def attackers(game: Game, seat: Seat) -> list[Unit]:
    """Return the units that may attack now (MM-B1)."""
    return [
        unit
        for unit in seat.units()
        if unit.ready and could_attack(game, unit) and not restricted(game, unit)
    ]


def blockers(game: Game, seat: Seat, attacker: Unit | None = None) -> list[Unit]:
    """Return the units that may block now, a certain attacker if it is given (MM-B3)."""
    if attacker is not None and has(game, attacker, "evasive"):
        return []
    return [unit for unit in seat.units() if unit.ready and could_block(game, unit)]


def has_room(game: Game, seat: Seat, *, front: bool) -> bool:
    """Whether an area has room for a unit more (MM-U1)."""
    return seat.count(front=front) < (game.rule["area_limit"] or PLACES)


def areas_with_room(game: Game, seat: Seat) -> list[bool]:
    """Return the areas that a unit more can come to: True is the front (MM-U1, MM-U2)."""
    if seat.count() == PLACES:
        return []
    return [front for front in (True, False) if has_room(game, seat, front=front)]


def movers(game: Game, seat: Seat) -> list[Unit]:
    """Return the units that may move to their other area (MM-T3)."""
    return [
        unit
        for unit in seat.units()
        if not unit.moved
        and not restricted(game, unit)
        and has_room(game, seat, front=not unit.front)
    ]
