"""What the player may know, as whole numbers: the observables of policies.

Their order is part of the contract with the kernel: an observable's number is its place in
:data:`OBSERVED`. None of them tells what lies hidden at a place, or the order of the magic deck.
Those about the battle are 0 when there is none, and those about an option 0 where they make no
sense for it, unless they say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sim.core.vocabulary import Observable
from sim.titles.wizard.draws import aims, best_cast, best_draw, expected_damage, kill_chance
from sim.titles.wizard.faces import NO_PLACE
from sim.titles.wizard.journey import (
    GOALS,
    NO_WAY,
    begins_way,
    cost_of_entering,
    neighbours,
    sea_cost,
    way_cost,
)
from sim.titles.wizard.schema import PARTS

if TYPE_CHECKING:
    from sim.titles.wizard.reference import Game

__all__ = ["OBSERVABLES", "OBSERVED", "observe"]

Look = Callable[["Game", int], int]


def observe(game: Game, number: int, argument: int) -> int:
    """Return an observable's value."""
    return int(OBSERVED[number][1](game, argument))


def _direction(game: Game, option: int) -> int:
    """Return the direction that an option names, or -1."""
    direction = option - game.rule["kinds"]
    return direction if 0 <= direction < game.rule["first_draw"] - game.rule["kinds"] else -1


def _draws(game: Game, option: int) -> int:
    """Return the number of draws that an option names if it can be declared now, or 0."""
    number = option - game.rule["first_draw"] + 1
    return number if game.deck_parts and number in game.draw_numbers() else 0


def _spell(game: Game, option: int) -> int:
    """Return the spell that an option names, or -1."""
    spell = option - game.rule["first_spell"]
    return spell if 0 <= spell < len(game.tables.spells) else -1


def _cost(game: Game, option: int) -> int:
    there = neighbours(game).get(_direction(game, option))
    return NO_WAY if there is None else cost_of_entering(game, there)


def _starts_battle(game: Game, option: int) -> bool:
    there = neighbours(game).get(_direction(game, option))
    return there is not None and game.has_battle(there)


def _to(goal: str) -> Look:
    def look(game: Game, option: int) -> int:
        return begins_way(game, _direction(game, option), goal)

    return look


def _way_cost(goal: str) -> Look:
    return lambda game, _: way_cost(game, goal)


def _left(goal: str) -> Look:
    return lambda game, _: len(GOALS[goal](game))


def _owned(game: Game, option: int) -> bool:
    wizard, first = game.wizard, game.rule["first_way"]
    if first <= option < game.rule["first_spell"]:
        return any(one.way == option - first for one in wizard.companions)
    cards = [*wizard.hand, *wizard.deck.cards, *wizard.drawn]
    return any(card.kind == option for card in cards) or any(
        one.card.kind == option for one in wizard.companions
    )


def _lot(game: Game, option: int) -> bool:
    return option - game.rule["first_way"] in game.lots.values()


def _parts(game: Game, _: int) -> int:
    wizard = game.wizard
    cards = [*wizard.hand, *wizard.deck.cards, *wizard.drawn]
    return sum(card.kind < len(PARTS) for card in cards)


def _fighting(game: Game, option: int) -> bool:
    return game.battle is not None and option == game.first_enemy + game.battle.enemy


def _in_battle(look: Callable[[Game], int]) -> Look:
    return lambda game, _: look(game) if game.battle is not None else 0


def _enemy_lp(game: Game) -> int:
    assert game.battle is not None
    return game.battle.lp


def _strike(game: Game) -> int:
    assert game.battle is not None
    return game.strike_with(game.battle.lp)


def _king(game: Game) -> int:
    assert game.battle is not None
    return game.battle.place == NO_PLACE


def _battle_turn(game: Game) -> int:
    assert game.battle is not None
    return game.battle.turn


def _foreseen(reckon: Callable[[Game, int], int]) -> Look:
    """Return what looks up what is reckoned of so many draws, once a decision."""

    def look(game: Game, option: int) -> int:
        number = _draws(game, option)
        if not number:
            return 0
        key = reckon.__name__, number
        if key not in game.foreseen:
            game.foreseen[key] = reckon(game, number)
        return game.foreseen[key]

    return look


def _best(game: Game, option: int) -> bool:
    weights = aims(game)
    if weights is None:
        return False
    if game.casts:
        spell = _spell(game, option)
        if game.planned is None:
            game.planned = best_cast(game, weights).spells
        return spell >= 0 and bool(game.planned >> spell & 1)
    number = _draws(game, option)
    if number and game.planned is None:
        game.planned = best_draw(game, weights)
    return number > 0 and number == game.planned


def _heals(game: Game, option: int) -> int:
    spell = _spell(game, option)
    return int(game.tables.spells[spell]["heal"]) if spell >= 0 else 0


OBSERVED: tuple[tuple[Observable, Look], ...] = (
    (Observable("lp", None, "own LP"), lambda game, _: game.wizard.lp),
    (
        Observable("round", None, "the round: moves made, this one included"),
        lambda game, _: game.round,
    ),
    (
        Observable("companions", None, "companions at one's side"),
        lambda game, _: len(game.wizard.companions),
    ),
    (Observable("parts", None, "own magic parts"), _parts),
    (Observable("battles_won", None, "battles won"), lambda game, _: game.wizard.battles_won),
    (
        Observable("sea_cost", None, "LP for which sea can be entered; 0: it cannot"),
        lambda game, _: sea_cost(game),
    ),
    (Observable("unfought", None, "places not yet fought at"), _left("fight")),
    (Observable("unfought_yellow", None, "yellow places not yet fought at"), _left("yellow")),
    (Observable("unfought_red", None, "red places not yet fought at"), _left("red")),
    (Observable("unused", None, "yellow hexes not yet used"), _left("recovery")),
    (Observable("king_cost", None, "LP of the cheapest way to the castle"), _way_cost("king")),
    (
        Observable(
            "fight_cost", None, "LP of the cheapest way to a place not fought at; 999: none"
        ),
        _way_cost("fight"),
    ),
    (
        Observable("yellow_cost", None, "LP of the cheapest way to such a yellow place; 999: none"),
        _way_cost("yellow"),
    ),
    (
        Observable("red_cost", None, "LP of the cheapest way to such a red place; 999: none"),
        _way_cost("red"),
    ),
    (
        Observable("recovery_cost", None, "LP of the cheapest way to a yellow hex; 999: none"),
        _way_cost("recovery"),
    ),
    (Observable("enemy_lp", None, "LP of the enemy"), _in_battle(_enemy_lp)),
    (
        Observable("enemy_strike", None, "LP that it would strike off now, guards taken off"),
        _in_battle(_strike),
    ),
    (Observable("king", None, "1: this is the demon king"), _in_battle(_king)),
    (Observable("battle_turn", None, "the battle turn"), _in_battle(_battle_turn)),
    (
        Observable("deck", None, "parts in the magic deck, before the draw"),
        lambda game, _: len(game.deck_parts),
    ),
    (
        Observable("cost", "option", "LP that going there costs, below 0 if it gives; 999: no way"),
        _cost,
    ),
    (Observable("starts_battle", "option", "1: going there starts a battle"), _starts_battle),
    (Observable("to_king", "option", "1: a cheapest way to the castle begins there"), _to("king")),
    (
        Observable("to_fight", "option", "1: the same, to the nearest place not fought at"),
        _to("fight"),
    ),
    (
        Observable("to_yellow", "option", "1: the same, to the nearest such yellow place"),
        _to("yellow"),
    ),
    (Observable("to_red", "option", "1: the same, to the nearest such red place"), _to("red")),
    (
        Observable("to_recovery", "option", "1: the same, to the nearest unused yellow hex"),
        _to("recovery"),
    ),
    (
        Observable("owned", "option", "1: the card, or the way up, is at one's side"),
        _owned,
    ),
    (
        Observable("lot", "option", "1: the way up that was drawn by lot for its companion"),
        _lot,
    ),
    (Observable("fighting", "option", "1: this enemy is being fought"), _fighting),
    (
        Observable("expected", "option", "damage expected of so many draws, in hundredths"),
        _foreseen(expected_damage),
    ),
    (
        Observable("kill", "option", "chance that so many draws beat the enemy, in hundredths"),
        _foreseen(kill_chance),
    ),
    (
        Observable("best", "option", "1: the number of draws, or a spell, worth most (draws.py)"),
        _best,
    ),
    (Observable("heals", "option", "LP that a spell heals"), _heals),
)

OBSERVABLES = tuple(observable for observable, _ in OBSERVED)
