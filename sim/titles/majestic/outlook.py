"""What policies foresee: how a battle would end, what a text would do to a unit, who is faster.

All of it is arithmetic on what lies open. A text is judged by its *sums*: what its effects without
multiplier and condition do to its target, its own unit, both sides' units and those that fight
(``tables.ROLES``, ``tables.SUMS``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sim.titles.majestic.field import blockers, could_attack, could_block, left, worth

if TYPE_CHECKING:
    from sim.titles.majestic.plays import Offer
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat, Unit

__all__ = ["FAR", "Change", "beats", "change", "clock", "falls", "leaves", "strikes", "swing"]

#: The clock of a seat that makes no headway.
FAR = 99


def beats(game: Game, unit: Unit, other: Unit) -> bool:
    """Whether a unit would destroy another one in battle as both stand."""
    return game.ap(unit) >= left(game, other)


def falls(game: Game, unit: Unit | None) -> bool:
    """Whether a unit that fights in a blocked battle will be destroyed as things stand."""
    battle = game.battle
    if unit is None or not battle.blocked or battle.attacker is None or battle.blocker is None:
        return False
    return beats(game, battle.blocker if unit is battle.attacker else battle.attacker, unit)


class Change(NamedTuple):
    """What a text would do to a unit: AP and DP left that are added, and whether it is removed."""

    ap: int = 0
    left: int = 0
    removed: bool = False


def change(game: Game, seat: Seat, offer: Offer, target: Unit | None, unit: Unit) -> Change:
    """Return what a text of a seat, with a certain target, would do to a unit."""
    battle = game.battle
    own = unit.owner == seat.index
    roles = (
        unit is target,
        unit is offer.unit,
        own,
        not own,
        unit is battle.attacker,
        unit is battle.blocker,
    )
    sums = [sums for plays, sums in zip(roles, offer.text.sums, strict=True) if plays]
    ap, dp, damage, removes = (sum(column) for column in zip(*sums, strict=True))
    return Change(ap, dp - damage, removes > 0)


def leaves(game: Game, seat: Seat, offer: Offer, target: Unit | None, unit: Unit) -> bool:
    """Whether a unit would be destroyed or returned by a text with a certain target."""
    done = change(game, seat, offer, target, unit)
    return done.removed or left(game, unit) + done.left <= 0


def clock(game: Game, seat: Seat) -> int:
    """Return how many own turns a seat needs to take the last LP, units as they stand.

    Each turn every unit that stands where it may attack attacks, and every unit of the other seat
    that stands where it may block blocks one of them.
    """
    other = game.other(seat)
    hits = sum(could_attack(game, unit) for unit in seat.units())
    hits -= sum(could_block(game, unit) for unit in other.units())
    return -(-len(other.lp) // hits) if hits > 0 else FAR


def strikes(game: Game, seat: Seat, unit: Unit, *, survives: bool) -> bool:
    """Whether an attacker would destroy every possible blocker, or survive every one."""
    return all(
        not beats(game, other, unit) if survives else beats(game, unit, other)
        for other in blockers(game, game.other(seat), unit)
    )


def swing(game: Game, seat: Seat, offer: Offer, target: Unit | None) -> bool:
    """Whether a text, with a certain target, makes this battle end better for a seat.

    Better is: the worth of the other's unit, if it leaves, less the worth of the own one, if it
    leaves, is more with the text than without it. Before a block only the attacker counts, and only
    for the defender.
    """
    battle = game.battle
    mine, theirs = battle.attacker, battle.blocker
    if game.on_turn != seat.index:
        mine, theirs = theirs, mine
    if theirs is None:
        return False
    if not battle.blocked:
        return leaves(game, seat, offer, target, theirs)
    if mine is None:
        return False
    before = _result(game, mine, theirs, Change(), Change())
    mine_then = change(game, seat, offer, target, mine)
    theirs_then = change(game, seat, offer, target, theirs)
    return _result(game, mine, theirs, mine_then, theirs_then) > before


def _result(game: Game, mine: Unit, theirs: Unit, my_change: Change, change: Change) -> int:
    """Return the worth gained by a blocked battle, with changes to both units before it."""
    my_ap, my_left = max(game.ap(mine) + my_change.ap, 0), left(game, mine) + my_change.left
    ap, their_left = max(game.ap(theirs) + change.ap, 0), left(game, theirs) + change.left
    i_leave = my_change.removed or my_left <= 0
    they_leave = change.removed or their_left <= 0
    if not i_leave and not they_leave:  # else no damage is dealt
        i_leave, they_leave = ap >= my_left, my_ap >= their_left
    return they_leave * worth(game, theirs) - i_leave * worth(game, mine)
