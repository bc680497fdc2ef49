"""Battles: attack, exchange, block, a second exchange, damage (MM-B)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.titles.majestic.effects import bury
from sim.titles.majestic.field import attackers, blockers
from sim.titles.majestic.info import ATTACK, BLOCK, EXCHANGE
from sim.titles.majestic.plays import act, exchange_options
from sim.titles.majestic.state import Battle

if TYPE_CHECKING:
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat, Unit

__all__ = ["battles"]


def battles(game: Game, seat: Seat) -> None:
    """Let the turn player attack as often as it can and likes (MM-T4)."""
    while True:
        options = {game.code.own + unit.place for unit in attackers(game, seat)}
        code = game.decide(seat, ATTACK, options | {game.stop})
        if code == game.stop:
            return
        unit = game.unit_at(seat, code)
        assert unit is not None
        _fight(game, seat, unit)
        game.battle = Battle()


def _fight(game: Game, seat: Seat, attacker: Unit) -> None:
    """Fight one battle, from the attack to its end (MM-B1 to MM-B6)."""
    defender = game.other(seat)
    battle = game.battle = Battle(exchange=1, attacker=attacker)
    seat.attacks += 1
    game.count(seat, attacker.kind, "attacks")
    game.set_ready(attacker, ready=False)
    game.tell(attacker, "attacks")
    _exchange(game, seat)
    if battle.attacker_left():
        seat.attacks_ended += 1
        return
    blocker = _block(game, defender)
    if blocker is None:
        battle.exchange = 0
        game.hit([defender], by=seat, source="attacks")
        return
    battle.block(blocker)
    seat.attacks_blocked += 1
    defender.blocks += 1
    game.set_ready(blocker, ready=False)
    game.tell(blocker, "blocks")
    _exchange(game, seat)
    if battle.attacker_left():
        seat.attacks_ended += 1
    elif battle.attacker is not None and battle.blocker is not None:
        ap, other_ap = game.ap(battle.attacker), game.ap(battle.blocker)
        game.hurt(battle.blocker, ap)
        game.hurt(battle.attacker, other_ap)
        bury(game, seat)


def _exchange(game: Game, attacker: Seat) -> None:
    """Let both seats play in turn until both have passed, one after the other (MM-B2)."""
    game.free_abilities_again()
    seat, passes = attacker, 0
    while passes < 2:
        code = game.decide(seat, EXCHANGE, exchange_options(game, seat))
        if code == game.stop:
            passes += 1
        else:
            passes = 0
            act(game, seat, code)
        seat = game.other(seat)


def _block(game: Game, defender: Seat) -> Unit | None:
    """Let the defender choose a blocker, or none (MM-B3)."""
    able = {
        game.code.own + unit.place: unit for unit in blockers(game, defender, game.battle.attacker)
    }
    code = game.decide(defender, BLOCK, {*able, game.stop})
    return able.get(code)
