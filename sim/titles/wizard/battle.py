"""A battle, from its start to its end (UW-C, UW-L)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.core.pile import Pile
from sim.errors import InputError
from sim.titles.wizard.casting import compose, magic_damage
from sim.titles.wizard.faces import NO_PLACE
from sim.titles.wizard.info import (
    BATTLE_CAP,
    CLEARED,
    DRAW,
    LEAVE,
    LOSE,
    LOST_BY_CASTING,
    LOST_IN_BATTLE,
)
from sim.titles.wizard.schema import PARTS, PLACES, SORTS
from sim.titles.wizard.state import Battle

if TYPE_CHECKING:
    from sim.titles.wizard.reference import Game

__all__ = ["begin", "play_turn", "start_skills"]

_YELLOW = SORTS.index("yellow")


def begin(game: Game) -> None:
    """Turn up the enemy of the hex on which the wizard stands; skills of the start (UW-C1)."""
    wizard, tables = game.wizard, game.tables
    here = tables.map_hexes[wizard.hex]
    if here.place == NO_PLACE:
        enemy = game.rule["king"]
    else:
        place = game.places[here.place]
        assert place.enemy is not None
        enemy = place.enemy.kind - game.first_enemy
        place.order = game.next_order()
    game.battle = Battle(enemy, here.place, here.terrain, tables.enemy_cards[enemy].lp)
    game.phase = "battle"
    game.count(enemy, "met")
    if game.story:
        game.story.begin_battle(game.battle)
    start_skills(game)


def start_skills(game: Game) -> None:
    """Let the skills of the battle's start work; they alone may win it (UW-C1)."""
    battle = game.battle
    assert battle is not None
    family = game.tables.enemy_cards[battle.enemy].family
    ways = [game.tables.way_cards[one.way] for one in game.wizard.companions]
    _hurt(game, sum(way.start_damage for way in ways if way.family in (0, family)), "start")
    if not battle.lp:
        _win(game)


def _hurt(game: Game, damage: int, why: str) -> None:
    """Take LP from the enemy, no more than it has."""
    battle = game.battle
    assert battle is not None
    damage = min(damage, battle.lp)
    battle.lp -= damage
    game.wizard.damage += damage
    if game.story and damage:
        game.story.change("enemy_lp", game.wizard, -damage, battle.lp, why=why)


def play_turn(game: Game) -> None:
    """Play a battle turn (UW-C5)."""
    battle = game.battle
    assert battle is not None
    battle.turn += 1
    game.turn += 1
    game.wizard.battle_turns += 1
    game.count(battle.enemy, "turns")
    if game.story:
        game.story.battle_turn(battle)
    _magic(game)
    if game.over:
        return
    _hurt(game, game.turn_damage(), "skills")
    if not battle.lp:
        _win(game)
        return
    _struck(game)
    if not game.over and battle.turn >= game.rule["battle_cap"]:
        game.finish(BATTLE_CAP)


def _magic(game: Game) -> None:
    """Pay, draw, compose, heal or lose, then damage: in this order (UW-L2)."""
    wizard, battle = game.wizard, game.battle
    assert battle is not None
    _build_deck(game)
    first = game.rule["first_draw"] - 1
    number = game.decide(DRAW, {first + n for n in game.draw_numbers()}) - first
    paid = game.pay(number * game.rule["draw_cost"], "draws")
    game.count(battle.enemy, "lp_lost", paid)
    for _ in range(number):
        wizard.drawn.append(wizard.deck.draw(game.magic_stream))
        wizard.parts_drawn += 1
        game.told(wizard.drawn[-1], "deck", "drawn")
    cast = compose(game)
    wizard.spells_cast += cast.spells.bit_count()
    if game.story:
        game.story.cast(cast)
    _gather(game)
    was_at_0 = not wizard.lp
    game.recover(cast.heal, "spells")
    wizard.healed_at_0 += was_at_0 and wizard.lp > 0
    if not wizard.lp:
        _lose_companion(game, LOST_BY_CASTING)
    if not game.over:
        damage = magic_damage(game, cast)
        if game.story:
            game.story.damage(damage)
        _hurt(game, sum(damage), "magic")


def _build_deck(game: Game) -> None:
    """Put the magic parts into the deck, in the order of their codes (UW-C2)."""
    wizard, rule = game.wizard, game.rule
    parts = sorted(
        (card for card in wizard.hand if card.kind < len(PARTS)), key=lambda card: card.kind
    )
    if rule["deck_chosen"]:
        while len(parts) > rule["deck_least"]:
            code = game.decide(LEAVE, [*(card.kind for card in parts), game.stop])
            if code == game.stop:
                break
            parts = [card for card in parts if card.kind != code]
    for card in parts:
        wizard.hand.remove(card)
        game.told(card, "hand", "deck")
    game.deck_parts = [card.kind for card in parts]
    wizard.deck = Pile(parts)
    if game.stacked:
        _stack(game, game.stacked.popleft())


def _stack(game: Game, top: list[int]) -> None:
    """Fix the top of the magic deck, top first, as a position states it."""
    cards = {card.kind: card for card in game.wizard.deck.cards}
    known = [cards.pop(kind) for kind in reversed(top) if kind in cards]
    if len(known) < len(top):
        raise InputError(
            "decks: found a part that is not in the deck, or twice; allowed: each once"
        )
    game.wizard.deck = Pile([*cards.values(), *known], len(known))


def _gather(game: Game) -> None:
    """Take the parts back into the hand: those drawn, then those left in the deck."""
    wizard = game.wizard
    for card in wizard.drawn:
        game.told(card, "drawn", "hand")
    for card in wizard.deck.cards:
        game.told(card, "deck", "hand")
    wizard.hand += [*wizard.drawn, *wizard.deck.cards]
    wizard.drawn, wizard.deck, game.deck_parts = [], Pile(), []


def _struck(game: Game) -> None:
    """Let the enemy strike, then mend (UW-C6); at 0 LP a companion is lost (UW-L1)."""
    battle = game.battle
    assert battle is not None
    enemy = game.tables.enemy_cards[battle.enemy]
    lost = game.pay(game.strike_with(battle.lp), "strikes")
    game.count(battle.enemy, "lp_lost", lost)
    if not game.wizard.lp:
        _lose_companion(game, LOST_IN_BATTLE)
    if game.over:
        return
    mended = min(enemy.mend, enemy.lp - battle.lp)
    if mended > 0:
        battle.lp += mended
        if game.story:
            game.story.change("enemy_lp", game.wizard, mended, battle.lp, why="mend")


def _lose_companion(game: Game, reason: int) -> None:
    """Lose a companion and have LP again, or lose the game (UW-L1)."""
    wizard = game.wizard
    if not wizard.companions:
        game.finish(reason)
        return
    kind = game.decide(LOSE, {one.card.kind for one in wizard.companions})
    lost = next(one for one in wizard.companions if one.card.kind == kind)
    wizard.companions.remove(lost)
    wizard.lost.append(lost.card)
    wizard.companions_lost += 1
    game.count_kind(kind, "lost")
    game.told(lost.card, "companions", "lost")
    game.change_lp(game.rule["after_loss"], "losses")


def _win(game: Game) -> None:
    """Recover, take the ability card of the place, go on; or clear the game (UW-C7, UW-E1)."""
    wizard, battle = game.wizard, game.battle
    assert battle is not None
    enemy = game.tables.enemy_cards[battle.enemy]
    wizard.battles_won += 1
    if game.story:
        game.story.end_battle(battle)
    if battle.place == NO_PLACE:
        game.battle = None
        game.finish(CLEARED)
        return
    if enemy.sort == _YELLOW:
        wizard.yellow_won += 1
    else:
        wizard.red_won += 1
    place = game.places[battle.place]
    place.beaten, game.battle, game.phase = True, None, "journey"
    more = sum(game.tables.way_cards[one.way].recover for one in wizard.companions)
    game.recover(enemy.recover + more, "wins")
    if place.ability is not None:
        card, place.ability = place.ability, None
        game.count_kind(card.kind, "met")
        game.gain(card, "place", place=PLACES[battle.place])
