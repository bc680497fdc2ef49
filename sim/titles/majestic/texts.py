"""What texts may ask (MM-K1): whole numbers about the seat whose text it is, its unit, its target.

Their order is part of the contract with the kernel: an observable's number is its place in
:data:`ASKED`. What is asked of a unit that is not there, is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from sim.core.expression import HOLDS
from sim.core.vocabulary import Observable

if TYPE_CHECKING:
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat, Unit

__all__ = ["TARGET_ONLY", "TEXT_OBSERVABLES", "Context", "asked", "holds"]


class Context(NamedTuple):
    """Whose text it is, the unit that bears it, and the target chosen; the units may be None."""

    seat: Seat
    unit: Unit | None = None
    target: Unit | None = None


Look = Callable[["Game", Context, int], int]


def asked(game: Game, context: Context, number: int, argument: int) -> int:
    """Return an observable's value for a text."""
    return ASKED[number][1](game, context, argument)


def holds(game: Game, context: Context, conditions: Iterable[list[int]]) -> bool:
    """Whether all conditions of a text hold."""
    return all(
        HOLDS[op](asked(game, context, observable, argument), value)
        for observable, argument, op, value in conditions
    )


def _plain(id_: str, about: str, look: Callable[[Game, Seat], int]) -> tuple[Observable, Look]:
    return Observable(id_, None, about), lambda game, context, _: look(game, context.seat)


def _of_target(id_: str, about: str, look: Callable[[Game, Unit], int]) -> tuple[Observable, Look]:
    def value(game: Game, context: Context, _: int) -> int:
        return 0 if context.target is None else look(game, context.target)

    return Observable(id_, None, about), value


def _of_self(id_: str, about: str, look: Callable[[Game, Unit], int]) -> tuple[Observable, Look]:
    def value(game: Game, context: Context, _: int) -> int:
        return 0 if context.unit is None else look(game, context.unit)

    return Observable(id_, None, about), value


ASKED: tuple[tuple[Observable, Look], ...] = (
    _plain("hand", "own cards in hand", lambda game, seat: len(seat.hand)),
    _plain("enemy_hand", "the other's cards in hand", lambda game, s: len(game.other(s).hand)),
    _plain("lp", "own LP", lambda game, seat: len(seat.lp)),
    _plain("enemy_lp", "the other's LP", lambda game, seat: len(game.other(seat).lp)),
    _plain("mana", "own mana cards in the mana zone", lambda game, seat: len(seat.mana)),
    _plain("ready_mana", "those that are ready", lambda game, seat: sum(seat.ready_mana)),
    (
        Observable("mana_of", "attribute", "own mana cards of an attribute in the mana zone"),
        lambda game, context, attribute: context.seat.mana_of[attribute],
    ),
    _plain("enemy_mana", "the other's mana cards", lambda game, seat: len(game.other(seat).mana)),
    _plain("units", "own units", lambda game, seat: seat.count()),
    _plain("front", "own units in the front area", lambda game, seat: seat.count(front=True)),
    _plain("back", "own units in the back area", lambda game, seat: seat.count(front=False)),
    _plain("enemy_units", "the other's units", lambda game, seat: game.other(seat).count()),
    _plain(
        "enemy_front",
        "the other's units in the front area",
        lambda game, seat: game.other(seat).count(front=True),
    ),
    _plain(
        "enemy_back",
        "the other's units in the back area",
        lambda game, seat: game.other(seat).count(front=False),
    ),
    _plain("trash", "cards in the own trash", lambda game, seat: len(seat.trash)),
    _plain("own_turn", "1 in the own turn", lambda game, seat: int(game.on_turn == seat.index)),
    _plain("in_main", "1 in a main phase", lambda game, seat: int(game.phase == "main")),
    _plain(
        "exchange",
        "1 before the block, 2 after it, 0 outside of battles",
        lambda game, seat: game.battle.exchange,
    ),
    _of_self("self_ap", "AP of the unit that bears the text", lambda game, unit: game.ap(unit)),
    _of_self("self_damage", "its damage", lambda game, unit: unit.damage),
    _of_self("self_front", "1 when it is in the front area", lambda game, unit: int(unit.front)),
    _of_self(
        "self_fights",
        "1 when it attacks or blocks in this battle",
        lambda game, unit: int(game.battle.fights(unit)),
    ),
    _of_target(
        "target_cost", "printed cost of the target", lambda game, u: game.faces[u.kind].cost
    ),
    _of_target("target_ap", "its AP", lambda game, unit: game.ap(unit)),
    _of_target("target_dp", "its DP", lambda game, unit: game.dp(unit)),
    _of_target("target_damage", "its damage", lambda game, unit: unit.damage),
    _of_target("target_down", "1 when it is down", lambda game, unit: int(not unit.ready)),
    _of_target("target_front", "1 when it is in the front area", lambda game, u: int(u.front)),
    _of_target(
        "target_fights",
        "1 when it attacks or blocks in this battle",
        lambda game, unit: int(game.battle.fights(unit)),
    ),
)

TEXT_OBSERVABLES = tuple(observable for observable, _ in ASKED)

#: Numbers of what is asked about a target: texts without one must not ask.
TARGET_ONLY = frozenset(
    number for number, seen in enumerate(TEXT_OBSERVABLES) if seen.id.startswith("target_")
)
