"""What a seat may know when it decides, as whole numbers: the observables of policies.

Their order is part of the contract with the kernel: an observable's number is its place in
:data:`OBSERVED`. None of them tells a hidden order, the other's hand or what lies face down.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sim.core.vocabulary import Observable
from sim.titles.majestic.field import attackers, blockers, could_attack, could_block, left, worth
from sim.titles.majestic.info import AREA, ATTACK, BLOCK, TARGET
from sim.titles.majestic.outlook import beats, clock, falls, leaves, strikes, swing
from sim.titles.majestic.plays import Offer, offered, targets

if TYPE_CHECKING:
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat, Unit

__all__ = ["OBSERVABLES", "OBSERVED", "observe"]

Look = Callable[["Game", "Seat", int], int]


def observe(game: Game, seat: Seat, number: int, argument: int) -> int:
    """Return an observable's value for a seat."""
    return OBSERVED[number][1](game, seat, argument)


def _plain(id_: str, about: str, look: Callable[[Game, Seat], int]) -> tuple[Observable, Look]:
    return Observable(id_, None, about), lambda game, seat, _: look(game, seat)


def _option(id_: str, about: str, look: Look) -> tuple[Observable, Look]:
    return Observable(id_, "option", about), look


def _of_unit(id_: str, about: str, look: Callable[[Game, Unit], int]) -> tuple[Observable, Look]:
    """Return an observable of the unit that an option stands for; 0 without one."""

    def value(game: Game, seat: Seat, option: int) -> int:
        unit = game.unit_at(seat, option)
        return 0 if unit is None else look(game, unit)

    return Observable(id_, "option", about), value


def _fighter(game: Game, seat: Seat, *, own: bool) -> Unit | None:
    attacks = (game.on_turn == seat.index) == own
    return game.battle.attacker if attacks else game.battle.blocker


def _in_hand(game: Game, seat: Seat, group: int) -> int:
    bits = game.tables.group_bits[group]
    return sum(bits >> card.kind & 1 for card in seat.hand)


def _printed(game: Game, option: int, what: str) -> int:
    return int(getattr(game.faces[option], what)) if option < len(game.faces) else 0


def _threats(game: Game, seat: Seat) -> int:
    return sum(could_attack(game, unit) for unit in game.other(seat).units())


def _guards(game: Game, seat: Seat) -> int:
    return sum(could_block(game, unit) for unit in seat.units())


def _cover(game: Game, seat: Seat) -> int:
    return _guards(game, seat) - _threats(game, seat)


def _surplus(game: Game, seat: Seat) -> int:
    return len(attackers(game, seat)) - len(blockers(game, game.other(seat)))


def _coming(game: Game, what: str) -> int:
    return _printed(game, game.coming, what) if game.asking == AREA else 0


def _cost(game: Game, seat: Seat, option: int) -> int:
    unit = game.unit_at(seat, option)
    return _printed(game, option if unit is None else unit.kind, "cost")


def _ap(game: Game, seat: Seat, option: int) -> int:
    unit = game.unit_at(seat, option)
    return _printed(game, option, "ap") if unit is None else game.ap(unit)


def _dp(game: Game, seat: Seat, option: int) -> int:
    unit = game.unit_at(seat, option)
    return _printed(game, option, "dp") if unit is None else left(game, unit)


def _extreme(sign: int) -> Look:
    """Return whether an option is the first of the legal units of its side that are worth most."""

    def value(game: Game, seat: Seat, option: int) -> int:
        unit = game.unit_at(seat, option)
        if unit is None or option not in game.legal:
            return 0
        legal = (game.unit_at(seat, code) for code in game.legal)
        alike = [one for one in legal if one is not None and one.owner == unit.owner]
        return int(max(alike, key=lambda one: sign * worth(game, one)) is unit)

    return value


def _offer(game: Game, seat: Seat, option: int) -> Offer | None:
    return game.pending if game.asking == TARGET else offered(game, seat, option)


def _text(what: str) -> Look:
    def value(game: Game, seat: Seat, option: int) -> int:
        offer = _offer(game, seat, option)
        return 0 if offer is None else int(getattr(offer.text, what))

    return value


def _kills(game: Game, seat: Seat, option: int) -> int:
    unit = game.unit_at(seat, option)
    if game.asking == BLOCK:
        attacker = game.battle.attacker
        return int(unit is not None and attacker is not None and beats(game, unit, attacker))
    if game.asking == ATTACK:
        return int(unit is not None and strikes(game, seat, unit, survives=False))
    offer = _offer(game, seat, option)
    if offer is None:
        return 0
    if game.asking == TARGET:
        return int(unit is not None and leaves(game, seat, offer, unit, unit))
    legal = targets(game, seat, offer)
    return int(
        any(
            leaves(game, seat, offer, one if one in legal else None, one)
            for one in game.other(seat).units()
        )
    )


def _survives(game: Game, seat: Seat, option: int) -> int:
    unit = game.unit_at(seat, option)
    if unit is None:
        return 0
    if game.asking == BLOCK:
        attacker = game.battle.attacker
        return int(attacker is not None and not beats(game, attacker, unit))
    return int(game.asking == ATTACK and strikes(game, seat, unit, survives=True))


def _swings(game: Game, seat: Seat, option: int) -> int:
    offer = _offer(game, seat, option) if game.battle.exchange else None
    if offer is None:
        return 0
    if game.asking == TARGET:
        return int(swing(game, seat, offer, game.unit_at(seat, option)))
    aims: list[Unit | None] = [one for one in targets(game, seat, offer) if game.battle.fights(one)]
    return int(any(swing(game, seat, offer, one) for one in aims or [None]))


OBSERVED: tuple[tuple[Observable, Look], ...] = (
    _plain("round", "the round", lambda game, seat: game.round),
    _plain("second", "1 for the seat that goes second", lambda game, seat: seat.index),
    _plain("own_turn", "1 in the own turn", lambda game, seat: int(game.on_turn == seat.index)),
    _plain("exchange", "1 before the block, 2 after it, else 0", lambda g, s: g.battle.exchange),
    _plain("lp", "own LP", lambda game, seat: len(seat.lp)),
    _plain("enemy_lp", "the other's LP", lambda game, seat: len(game.other(seat).lp)),
    _plain("hand", "own cards in hand", lambda game, seat: len(seat.hand)),
    _plain("enemy_hand", "the other's cards in hand", lambda g, seat: len(g.other(seat).hand)),
    _plain("cards_left", "cards in the own main deck", lambda g, seat: len(seat.deck.cards)),
    _plain("mana_left", "cards in the own mana deck", lambda g, s: len(s.mana_deck.cards)),
    _plain("mana", "own cards in the mana zone", lambda game, seat: len(seat.mana)),
    _plain("ready_mana", "those that are ready", lambda game, seat: sum(seat.ready_mana)),
    _plain("enemy_mana", "the other's mana cards", lambda game, s: len(game.other(s).mana)),
    _plain(
        "enemy_ready_mana",
        "the other's ready mana cards",
        lambda game, seat: sum(game.other(seat).ready_mana),
    ),
    (
        Observable("mana_of", "attribute", "own mana cards of an attribute in the mana zone"),
        lambda game, seat, attribute: seat.mana_of[attribute],
    ),
    (Observable("in_hand", "group", "own cards in hand that belong to a group"), _in_hand),
    _plain("trash", "cards in the own trash", lambda game, seat: len(seat.trash)),
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
    _plain("attackers", "own units that may attack now", lambda g, seat: len(attackers(g, seat))),
    _plain("blockers", "own units that may block now", lambda g, seat: len(blockers(g, seat))),
    _plain(
        "enemy_attackers",
        "the other's units that may attack now",
        lambda game, seat: len(attackers(game, game.other(seat))),
    ),
    _plain(
        "enemy_blockers",
        "the other's units that may block now",
        lambda game, seat: len(blockers(game, game.other(seat))),
    ),
    _plain(
        "threats",
        "the other's units that stand where they may attack in their turn",
        _threats,
    ),
    _plain(
        "guards",
        "own units that stand where they may block",
        _guards,
    ),
    _plain("cover", "guards less threats", _cover),
    _plain("surplus", "own units that may attack now less the other's possible blockers", _surplus),
    _plain(
        "lethal",
        "1 when the surplus is as large as the other's LP",
        lambda game, seat: int(_surplus(game, seat) >= len(game.other(seat).lp)),
    ),
    _plain("clock", "own turns to the last LP, 99 for never", clock),
    _plain(
        "enemy_clock", "the same for the other", lambda game, seat: clock(game, game.other(seat))
    ),
    _plain(
        "lead",
        "the other's clock less the own one",
        lambda game, seat: clock(game, game.other(seat)) - clock(game, seat),
    ),
    _plain("blocked", "1 when the attack is blocked", lambda game, s: int(game.battle.blocked)),
    _plain(
        "falls",
        "1 when the own unit in a blocked battle will be destroyed as things stand",
        lambda game, seat: int(falls(game, _fighter(game, seat, own=True))),
    ),
    _plain(
        "fells",
        "1 when the other's unit in a blocked battle will be",
        lambda game, seat: int(falls(game, _fighter(game, seat, own=False))),
    ),
    _plain("coming_cost", "area: cost of the unit that comes", lambda g, s: _coming(g, "cost")),
    _plain("coming_ap", "area: its AP", lambda game, seat: _coming(game, "ap")),
    _plain("coming_dp", "area: its DP", lambda game, seat: _coming(game, "dp")),
    _option("cost", "printed cost of a card or a unit", _cost),
    _option("ap", "AP of a unit as it stands, or as printed", _ap),
    _option("dp", "DP of a unit less damage, or as printed", _dp),
    _of_unit("worth", "cost + ap + dp of a unit", worth),
    _option("biggest", "1 for the legal unit of its side that is worth most", _extreme(1)),
    _option("smallest", "1 for the legal unit of its side that is worth least", _extreme(-1)),
    _of_unit("in_front", "1 for a unit in the front area", lambda game, unit: int(unit.front)),
    _of_unit("is_down", "1 for a unit that is down", lambda game, unit: int(not unit.ready)),
    _of_unit("fights", "1 for a unit that attacks or blocks", lambda g, u: int(g.battle.fights(u))),
    _option(
        "kills",
        "block, attack: it destroys the attacker, every possible blocker; target: the unit would "
        "leave by the text; else: some unit of the other would",
        _kills,
    ),
    _option("survives", "block, attack: it survives the attacker, every blocker", _survives),
    _option("refills", "1 when a text brings cards or mana", _text("refills")),
    _option("burns", "1 when a text takes LP of the other", _text("burns")),
    _option("swings", "1 when the text makes this battle end better", _swings),
)

OBSERVABLES = tuple(observable for observable, _ in OBSERVED)
