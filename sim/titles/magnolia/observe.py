"""What a seat may know when it decides, as whole numbers: the observables of policies.

Their order is part of the contract with the kernel: an observable's number is its place in
:data:`OBSERVED`. None of them tells a hidden order, another seat's hand or what others have laid
face down; what is told of others is what the table showed before the step (MG-S2, MG-P6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sim.core.vocabulary import Observable
from sim.titles.magnolia.bonuses import on_offer
from sim.titles.magnolia.field import beside, free_cells, in_front
from sim.titles.magnolia.worth import next_step, value_of

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.magnolia.field import Cell
    from sim.titles.magnolia.reference import Game
    from sim.titles.magnolia.state import Seat

__all__ = ["OBSERVABLES", "OBSERVED", "observe"]

Look = Callable[["Game", "Seat", int], int]


def observe(game: Game, seat: Seat, number: int, argument: int) -> int:
    """Return an observable's value for a seat."""
    return OBSERVED[number][1](game, seat, argument)


def _alike(game: Game, cards: Iterable[Card], likeness: int) -> int:
    return sum(likeness in game.likenesses(card.kind) for card in cards)


def _rivals(game: Game, seat: Seat, likeness: int) -> int:
    others = (other for other in game.seats if other is not seat)
    return sum(_alike(game, other.field.values(), likeness) for other in others)


def _lead(what: str) -> Look:
    return lambda game, seat, _: getattr(seat, what) - game.best_other(seat, what)


def _most_cards(game: Game, seat: Seat, _: int) -> int:
    return max(len(other.field) for other in game.seats if other is not seat)


def _cell(game: Game, seat: Seat, option: int) -> Cell | None:
    """Return the cell that an option stands for now, or None."""
    place, free = option - len(game.faces), free_cells(seat.own_view)
    return free[place] if 0 <= place < len(free) else None


def _beside(game: Game, seat: Seat, option: int) -> int:
    cell = _cell(game, seat, option)
    return 0 if cell is None else sum(one in seat.own_view for one in beside(cell))


def _top(game: Game, seat: Seat, option: int) -> int:
    cell = _cell(game, seat, option)
    return 0 if cell is None else int(cell in in_front([*seat.own_view, cell]))


def _cost(game: Game, seat: Seat, option: int) -> int:
    return game.faces[option].cost if option < len(game.faces) else 0


def _best(game: Game, seat: Seat, option: int) -> int:
    if game.planned is None:
        game.planned = next_step(game, seat)
    return int(option == game.planned)


def _bonus(place: int) -> Look:
    return lambda game, seat, option: on_offer(game, option)[place]


OBSERVED: tuple[tuple[Observable, Look], ...] = (
    (Observable("round", None, "the round"), lambda game, seat, _: game.round),
    (Observable("players", None, "number of seats"), lambda game, seat, _: len(game.seats)),
    (
        Observable("gold", None, "own gold, what is laid not yet paid"),
        lambda game, seat, _: seat.gold,
    ),
    (
        Observable("budget", None, "what the next card laid down may cost"),
        lambda game, seat, _: game.budget(seat),
    ),
    (Observable("vp", None, "own VP"), lambda game, seat, _: seat.vp),
    (Observable("technology", None, "own level"), lambda game, seat, _: seat.technology),
    (Observable("faith", None, "own level"), lambda game, seat, _: seat.faith),
    (Observable("power", None, "own power in the last war"), lambda game, seat, _: seat.power),
    (
        Observable("cards", None, "own cards in the field, those laid face down included"),
        lambda game, seat, _: len(seat.own_view),
    ),
    (
        Observable("laid", None, "own cards that lie face down"),
        lambda game, seat, _: len(seat.laid),
    ),
    (Observable("hand", None, "own cards in hand"), lambda game, seat, _: len(seat.hand)),
    (
        Observable("leaving", None, "cards chosen to be discarded this phase"),
        lambda game, seat, _: len(seat.leaving),
    ),
    (Observable("lines", None, "own lines that have paid"), lambda game, seat, _: len(seat.paid)),
    (Observable("vp_lead", None, "own VP less the best other's"), _lead("vp")),
    (
        Observable("power_lead", None, "own power in the last war less the best other's"),
        _lead("power"),
    ),
    (Observable("technology_lead", None, "own level less the best other's"), _lead("technology")),
    (Observable("faith_lead", None, "own level less the best other's"), _lead("faith")),
    (Observable("most_cards", None, "open cards of the other seat that has most"), _most_cards),
    (
        Observable("field", "likeness", "own cards of a race or job in the field, laid ones too"),
        lambda game, seat, likeness: _alike(game, seat.own_view.values(), likeness),
    ),
    (
        Observable("in_hand", "likeness", "own cards of a race or job in hand"),
        lambda game, seat, likeness: _alike(game, seat.hand, likeness),
    ),
    (Observable("rivals", "likeness", "open cards of a race or job in all other fields"), _rivals),
    (Observable("cost", "option", "cost of a card"), _cost),
    (
        Observable("value", "option", "weight of a card at the decision point card"),
        value_of,
    ),
    (
        Observable("best", "option", "1 for the next step of the placement that is worth most"),
        _best,
    ),
    (
        Observable("reads", "option", "1 for a card that asks for own gold, VP or levels now"),
        lambda game, seat, option: int(game.reads_now(option) != 0),
    ),
    (Observable("top", "option", "1 for a cell in which a card would be in front"), _top),
    (Observable("beside", "option", "own cards beside a cell"), _beside),
    (Observable("bonus_gold", "option", "gold that race or job would pay"), _bonus(0)),
    (Observable("bonus_vp", "option", "VP that race or job would pay"), _bonus(1)),
    (Observable("bonus_technology", "option", "technology that race or job would pay"), _bonus(2)),
    (Observable("bonus_faith", "option", "faith that race or job would pay"), _bonus(3)),
)

OBSERVABLES = tuple(observable for observable, _ in OBSERVED)
