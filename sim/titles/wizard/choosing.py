"""How the player chooses: what may be known, handed to what seats of all titles choose by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.core import choosing
from sim.titles.wizard.observe import observe

if TYPE_CHECKING:
    from sim.titles.wizard.reference import Game

__all__ = ["chosen"]


def chosen(game: Game, decision: int, legal: list[int]) -> int:
    """Return which of several options is taken."""

    def look(observable: int, argument: int) -> int:
        return observe(game, observable, argument)

    return choosing.chosen(game, game.tables.words, 0, decision, legal, look, game.script)
