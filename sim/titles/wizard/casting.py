"""From drawn parts to spells (UW-C3, UW-C9), and from spells to damage (UW-C4).

``Tables.casts`` lists for each set of parts the sets of spells that nothing else is at least as
good as in all colours and in healing. Where there is one, it is cast. Where there are several, the
player names spells one by one, each from a set that is still possible and none that all of them
have, until one set is left. No spell that is possible beside the others is held back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.titles.wizard.faces import Cast
from sim.titles.wizard.info import SPELL
from sim.titles.wizard.schema import BOOK_KIND

if TYPE_CHECKING:
    from sim.titles.wizard.reference import Game

__all__ = ["compose", "has_book", "magic_damage", "powers"]


def has_book(game: Game) -> bool:
    """Whether the Grimoire 2 is in hand."""
    return any(card.kind == BOOK_KIND for card in game.wizard.hand)


def compose(game: Game) -> Cast:
    """Let the player cast what the drawn parts allow; return it."""
    parts = sum(1 << card.kind for card in game.wizard.drawn)
    game.casts = game.tables.casts_with(parts, book=has_book(game))
    first = game.rule["first_spell"]
    while len(game.casts) > 1:
        some, common = 0, game.casts[0].spells
        for cast in game.casts:
            some |= cast.spells
            common &= cast.spells
        open_spells = some & ~common
        options = {first + n for n in range(open_spells.bit_length()) if open_spells >> n & 1}
        spell = game.decide(SPELL, options) - first
        game.casts = [cast for cast in game.casts if cast.spells >> spell & 1]
    (cast,), game.casts = game.casts, []
    return cast


def powers(game: Game) -> tuple[int, int, int]:
    """Return the power that the companions add in each colour."""
    ways = [game.tables.way_cards[one.way] for one in game.wizard.companions]
    red, green, blue = (sum(way.power[colour] for way in ways) for colour in range(3))
    return red, green, blue


def magic_damage(game: Game, cast: Cast) -> tuple[int, int, int]:
    """Return the damage of a cast in each colour, as the companions stand now (UW-C4)."""
    battle = game.battle
    assert battle is not None
    enemy = game.tables.enemy_cards[battle.enemy]
    ground = game.tables.blocks[battle.terrain].tolist()
    red, green, blue = (
        max(0, power + added - block - more)
        for power, added, block, more in zip(
            cast.power, powers(game), enemy.block, ground, strict=True
        )
    )
    return red, green, blue
