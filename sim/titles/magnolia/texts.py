"""What card texts may ask (MG-K1): whole numbers about the card's own seat, its cell, the others.

Their order is part of the contract with the kernel: an observable's number is its place in
:data:`ASKED`. What is asked about other seats is answered as it stood before the step (MG-E2);
``cell`` is None for objectives, which may not ask about one card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from sim.core.expression import HOLDS
from sim.core.vocabulary import Observable
from sim.titles.magnolia.field import Cell, beside, in_front
from sim.titles.magnolia.schema import CELLS, JOBS, RACES

if TYPE_CHECKING:
    from sim.titles.magnolia.reference import Game
    from sim.titles.magnolia.state import Seat

__all__ = ["CARD_ONLY", "TEXT_OBSERVABLES", "asked", "holds"]

Look = Callable[["Game", "Seat", "Cell | None", int], int]


def asked(game: Game, seat: Seat, cell: Cell | None, number: int, argument: int) -> int:
    """Return an observable's value for a card text."""
    return ASKED[number][1](game, seat, cell, argument)


def holds(game: Game, seat: Seat, cell: Cell | None, conditions: Collection[list[int]]) -> bool:
    """Whether all conditions of a text hold."""
    return all(
        HOLDS[op](asked(game, seat, cell, observable, argument), value)
        for observable, argument, op, value in conditions
    )


def _alike(game: Game, seat: Seat, cells: Collection[Cell], likeness: int) -> int:
    return sum(likeness in game.likenesses(seat.field[cell].kind) for cell in cells)


def _most(game: Game, seat: Seat, first: int, names: Collection[str]) -> int:
    return max(_tally(game, seat, first, names).values(), default=0)


def _tally(game: Game, seat: Seat, first: int, names: Collection[str]) -> Counter[int]:
    return Counter(
        likeness
        for card in seat.field.values()
        for likeness in game.likenesses(card.kind)
        if first <= likeness < first + len(names)
    )


def _neighbours(seat: Seat, cell: Cell | None) -> list[Cell]:
    return [] if cell is None else [one for one in beside(cell) if one in seat.field]


def _in_line(seat: Seat, cell: Cell | None, axis: int) -> int:
    return 0 if cell is None else sum(one[axis] == cell[axis] for one in seat.field)


def _rivals(game: Game, seat: Seat, likeness: int) -> int:
    others = (other for other in game.seats if other is not seat)
    return sum(_alike(game, other, other.field, likeness) for other in others)


def _lead(what: str) -> Look:
    return lambda game, seat, cell, _: getattr(seat, what) - game.best_other(seat, what)


_PLAYERS = Observable("players", None, "number of seats")
_GAINED = Observable("gained", None, "1 when war VP were gained this round, else 0 (MG-W3)")

#: Observables with how they are answered: about a seat, and about one card of it.
_ABOUT_SEAT: tuple[tuple[Observable, Look], ...] = (
    (Observable("round", None, "the round"), lambda game, seat, cell, _: game.round),
    (_PLAYERS, lambda game, seat, cell, _: len(game.seats)),
    (Observable("gold", None, "own gold"), lambda game, seat, cell, _: seat.gold),
    (Observable("vp", None, "own VP"), lambda game, seat, cell, _: seat.vp),
    (
        Observable("technology", None, "own level of technology"),
        lambda game, seat, cell, _: seat.technology,
    ),
    (Observable("faith", None, "own level of faith"), lambda game, seat, cell, _: seat.faith),
    (
        Observable("power", None, "own power in the last war"),
        lambda game, seat, cell, _: seat.power,
    ),
    (
        Observable("war_rank", None, "own rank in this round's war, 0 before it"),
        lambda game, seat, cell, _: seat.war_rank,
    ),
    (
        Observable("war_vp", None, "VP for the rank in this round's war"),
        lambda game, seat, cell, _: seat.war_vp,
    ),
    (_GAINED, lambda game, seat, cell, _: int(game.gained(seat))),
    (Observable("cards", None, "own open cards"), lambda game, seat, cell, _: len(seat.field)),
    (
        Observable("empty", None, "cells of the own 3×3 without a card"),
        lambda game, seat, cell, _: CELLS - len(seat.field),
    ),
    (
        Observable("lines", None, "own lines that have paid"),
        lambda game, seat, cell, _: len(seat.paid),
    ),
    (
        Observable("races", None, "different races in the own field"),
        lambda game, seat, cell, _: len(_tally(game, seat, 0, RACES)),
    ),
    (
        Observable("jobs", None, "different jobs in the own field"),
        lambda game, seat, cell, _: len(_tally(game, seat, len(RACES), JOBS)),
    ),
    (
        Observable("most_of_race", None, "own cards of the race that there are most of"),
        lambda game, seat, cell, _: _most(game, seat, 0, RACES),
    ),
    (
        Observable("most_of_job", None, "own cards of the job that there are most of"),
        lambda game, seat, cell, _: _most(game, seat, len(RACES), JOBS),
    ),
    (Observable("vp_lead", None, "own VP less the best other's"), _lead("vp")),
    (
        Observable("technology_lead", None, "own technology less the best other's"),
        _lead("technology"),
    ),
    (Observable("faith_lead", None, "own faith less the best other's"), _lead("faith")),
    (
        Observable("field", "likeness", "own cards of a race or job, this one included"),
        lambda game, seat, cell, likeness: _alike(game, seat, seat.field, likeness),
    ),
    (
        Observable("rivals", "likeness", "open cards of a race or job in all other fields"),
        lambda game, seat, cell, likeness: _rivals(game, seat, likeness),
    ),
)

_ABOUT_CARD: tuple[tuple[Observable, Look], ...] = (
    (
        Observable("neighbours", None, "cards beside this one"),
        lambda game, seat, cell, _: len(_neighbours(seat, cell)),
    ),
    (
        Observable("next_to", "likeness", "cards of a race or job beside this one"),
        lambda game, seat, cell, likeness: _alike(game, seat, _neighbours(seat, cell), likeness),
    ),
    (
        Observable("row", None, "cards in this card's row, itself included"),
        lambda game, seat, cell, _: _in_line(seat, cell, 0),
    ),
    (
        Observable("column", None, "cards in this card's column, itself included"),
        lambda game, seat, cell, _: _in_line(seat, cell, 1),
    ),
    (
        Observable("front", None, "1 when this card is in front, else 0"),
        lambda game, seat, cell, _: int(cell in in_front(seat.field)),
    ),
)

ASKED = (*_ABOUT_SEAT, *_ABOUT_CARD)

TEXT_OBSERVABLES = tuple(observable for observable, _ in ASKED)

#: Numbers of the observables that objectives may not ask.
CARD_ONLY = range(len(_ABOUT_SEAT), len(ASKED))
