"""How a seat chooses: what it sees, handed to the way in which seats of all titles choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.core import choosing
from sim.titles.majestic.observe import observe

if TYPE_CHECKING:
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat

__all__ = ["chosen"]


def chosen(game: Game, seat: Seat, decision: int, legal: list[int]) -> int:
    """Return which of several options a seat takes."""

    def look(observable: int, argument: int) -> int:
        return observe(game, seat, observable, argument)

    script = game.scripts[seat.index]
    return choosing.chosen(game, game.tables.words, seat.index, decision, legal, look, script)
