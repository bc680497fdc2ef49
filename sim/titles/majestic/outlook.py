"""What policies foresee: how a battle would end, what a text would do to a unit, who is faster.

All of it is arithmetic on what lies open. A text is judged by its *sums*: what its effects without
multiplier and condition do to its target and to its own unit (see ``tables.SUMS``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.titles.majestic.field import blockers, could_attack, could_block, left, worth

if TYPE_CHECKING:
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat, Unit
    from sim.titles.majestic.tables import Text

__all__ = ["FAR", "beats", "clock", "falls", "leaves", "strikes", "swing"]

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


def leaves(game: Game, text: Text, unit: Unit) -> bool:
    """Whether the target of a text would be destroyed by it, or returned."""
    return text.removes or left(game, unit) + text.dp - text.damage <= 0


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


def swing(game: Game, seat: Seat, text: Text, source: Unit | None, target: Unit | None) -> bool:
    """Whether a text, with a certain target, makes this battle end better for a seat.

    Better is: the worth of the other's unit, if it leaves, less the worth of the own one, if it
    falls, is more with the text than without it. Before a block only the attacker counts.
    """
    battle = game.battle
    own_attack = game.on_turn == seat.index
    mine, theirs = battle.attacker, battle.blocker
    if not own_attack:
        mine, theirs = theirs, mine
    if not battle.blocked:
        return theirs is not None and target is theirs and leaves(game, text, theirs)
    if mine is None or theirs is None:
        return False
    before = _result(game, mine, theirs, (0, 0), (0, 0))
    if target is theirs and text.removes:
        after = worth(game, theirs)
    else:
        change = {id(mine): (0, 0), id(theirs): (0, 0)}
        if target is not None and id(target) in change:
            change[id(target)] = (text.ap, text.dp - text.damage)
        if source is not None and id(source) in change:
            ap, dp = change[id(source)]
            change[id(source)] = (ap + text.self_ap, dp + text.self_dp)
        after = _result(game, mine, theirs, change[id(mine)], change[id(theirs)])
    return after > before


def _result(
    game: Game, mine: Unit, theirs: Unit, my_change: tuple[int, int], change: tuple[int, int]
) -> int:
    """Return the worth gained by a blocked battle, with changes of (AP, DP left) to both."""
    my_ap, my_left = max(game.ap(mine) + my_change[0], 0), left(game, mine) + my_change[1]
    ap, their_left = max(game.ap(theirs) + change[0], 0), left(game, theirs) + change[1]
    gone_before = my_left <= 0 or their_left <= 0  # one has left already: no damage is dealt
    i_fall = my_left <= 0 or (not gone_before and ap >= my_left)
    they_fall = their_left <= 0 or (not gone_before and my_ap >= their_left)
    return they_fall * worth(game, theirs) - i_fall * worth(game, mine)
