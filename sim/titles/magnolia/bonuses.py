"""Bonuses of lines (MG-B): a seat's rows from the top, then its columns from the left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sim.titles.magnolia.field import Line, lines
from sim.titles.magnolia.info import BONUS
from sim.titles.magnolia.schema import LIKENESSES, RACES, RESOURCES

if TYPE_CHECKING:
    from sim.titles.magnolia.reference import Game
    from sim.titles.magnolia.state import Seat

__all__ = ["alike", "on_offer", "pay_lines"]

_RACES = (1 << len(RACES)) - 1


def alike(game: Game, kinds: Iterable[int]) -> int:
    """Return the race and the job that all of some cards share, as bits of LIKENESSES."""
    bits = -1
    for kind in kinds:
        bits &= game.faces[kind].alike
    return bits


def pay_lines(game: Game) -> None:
    """Pay the lines that are complete and alike and have not paid yet, of all seats (MG-B1)."""
    game.look()
    for seat in game.seats:
        for line, cells in lines(seat.field):
            game.line_alike = alike(game, (seat.field[cell].kind for cell in cells))
            if game.line_alike and line not in seat.paid:
                _pay(game, seat, line)
    game.line_alike = 0


def _pay(game: Game, seat: Seat, line: Line) -> None:
    options = game.tables.words.options
    shared = [place for place in range(len(LIKENESSES)) if game.line_alike >> place & 1]
    offers = {"race" if place < len(RACES) else "job": LIKENESSES[place] for place in shared}
    code = game.decide(seat, BONUS, map(options.index, offers))
    seat.paid.add(line)
    if game.story:
        game.story.line(seat, line, offers[options[code]])
    counter = f"lines_{options[code]}"
    setattr(seat, counter, getattr(seat, counter) + 1)
    for what, amount in zip(RESOURCES, on_offer(game, code), strict=True):
        game.change(seat, what, amount, "lines")


def on_offer(game: Game, option: int) -> Sequence[int]:
    """Return what the option race or job pays for the line in question, by RESOURCES."""
    masks = {"race": _RACES, "job": ~_RACES}
    likeness = game.line_alike & masks.get(game.tables.words.options[option], 0)
    if not likeness:
        return [0] * len(RESOURCES)
    paid: list[int] = game.tables.bonuses[likeness.bit_length() - 1].tolist()
    return paid
