"""What card texts do (MG-E, MG-K1): power in front, and abilities of a step.

Order: a seat's cards work row by row from the top, from the left, as long as the order cannot
matter. As soon as a card still to come reads a resource that one of another kind still to come
gives, the seat is asked for a kind; of two cards of that kind the first in this order works
(MG-E3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sim.titles.magnolia.field import Cell, in_front
from sim.titles.magnolia.info import ORDER
from sim.titles.magnolia.schema import RESOURCES, STEPS
from sim.titles.magnolia.texts import asked, holds
from sim.titles.magnolia.words import PRIMITIVES

if TYPE_CHECKING:
    from sim.titles.magnolia.reference import Game
    from sim.titles.magnolia.state import Seat

__all__ = ["count_power", "work"]

_FRONT = STEPS.index("front")


def count_power(game: Game, seat: Seat) -> int:
    """Return the power of the cards in front (MG-W1)."""
    power = 0
    for cell in in_front(seat.field):
        face = game.faces[seat.field[cell].kind]
        power += face.power
        for effect in face.texts[_FRONT].effects:
            power += _amount(game, seat, cell, effect)
    return power


def work(game: Game, step: str, cells: Sequence[Sequence[Cell]] | None = None) -> None:
    """Let the abilities of a step work, for all seats at once (MG-E2).

    Parameters
    ----------
    game : Game
    step : str
        A phase.
    cells : sequence of sequence of cell, optional
        By seat, the cells whose cards work; all cells when left out.
    """
    game.look()
    game.step = STEPS.index(step)
    losses: list[Counter[str]] = [Counter() for _ in game.seats]
    for seat in game.seats:
        pending = sorted(seat.field if cells is None else cells[seat.index])
        pending = [cell for cell in pending if _text(game, seat, cell).effects]
        while pending:
            cell = _next(game, seat, pending)
            pending.remove(cell)
            if game.story:
                game.story.works(seat, cell)
            for effect in _text(game, seat, cell).effects:
                _give(game, seat, cell, effect, losses)
    game.step = -1
    for seat, lost in zip(game.seats, losses, strict=True):
        for what, amount in lost.items():
            game.change(seat, what, -min(amount, getattr(seat, what)), "taken" * (what == "vp"))


def _text(game: Game, seat: Seat, cell: Cell) -> Any:
    return game.faces[seat.field[cell].kind].texts[game.step]


def _next(game: Game, seat: Seat, pending: Sequence[Cell]) -> Cell:
    texts = [_text(game, seat, cell) for cell in pending]
    matters = any(one.reads & other.gives for one in texts for other in texts if one is not other)
    if not matters:
        return pending[0]
    kinds = [seat.field[cell].kind for cell in pending]
    return pending[kinds.index(game.decide(seat, ORDER, set(kinds)))]


def _amount(game: Game, seat: Seat, cell: Cell, effect: Any) -> int:
    if not holds(game, seat, cell, effect["conds"]):
        return 0
    amount: int = effect["amount"]
    if effect["per_observable"] >= 0:
        amount *= asked(game, seat, cell, effect["per_observable"], effect["per_argument"])
    return max(amount, 0)


def _give(game: Game, seat: Seat, cell: Cell, effect: Any, losses: Sequence[Counter[str]]) -> None:
    amount = _amount(game, seat, cell, effect)
    what = PRIMITIVES[effect["op"]].id
    if what in RESOURCES:
        game.change(seat, what, amount, f"{STEPS[game.step]}_cards")
        return
    for other in game.seats:
        if other is not seat:
            losses[other.index][what.removeprefix("others_")] += amount
