"""What cards and hexes say, as plain values, for the reference engine; ``tables`` makes them."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FAR", "NO_PLACE", "STEP_UNIT", "Cast", "Enemy", "Hex", "Way"]

#: A way's cost counts this many times as much as a move.
STEP_UNIT = 256

#: There is no way; two of them still fit into 32 bits.
FAR = 10**9

#: A hex that is linked to no place, a part of which there is none.
NO_PLACE = -1


class Enemy(NamedTuple):
    """What an enemy card says, as plain values."""

    lp: int
    sort: int
    block: tuple[int, ...]
    family: int
    recover: int
    mend: int
    ap: tuple[int, ...]


class Way(NamedTuple):
    """What one way up of a companion says, as plain values."""

    kind: int
    power: tuple[int, ...]
    family: int
    start_damage: int
    turn_damage: int
    guard: int
    recover: int
    sea: int


class Cast(NamedTuple):
    """Spells that are cast together: their power by colour, LP healed, the set of spells."""

    power: tuple[int, ...]
    heal: int
    spells: int


class Hex(NamedTuple):
    """A hex as plain values; ``place`` is -1 for none."""

    x: int
    y: int
    terrain: int
    cost: int
    recover: int
    place: int
