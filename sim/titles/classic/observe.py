"""What a seat may know, as whole numbers: the observables of policies and card texts.

Their order is part of the contract with the kernel: an observable's number is its place in
:data:`OBSERVED`. None of them tells a hidden order or another seat's hand. The seat that decides is
asked, whether it is on turn or not; ``actions``, ``buys`` and ``coins`` tell of the turn under way,
whoever's it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sim.core.vocabulary import Observable

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.classic.reference import Game
    from sim.titles.classic.state import Seat

__all__ = ["OBSERVABLES", "OBSERVED", "observe"]

Look = Callable[["Game", "Seat", int], int]


def observe(game: Game, seat: Seat, number: int, argument: int) -> int:
    """Return an observable's value for a seat."""
    return OBSERVED[number][1](game, seat, argument)


def _hand_coins(game: Game, seat: Seat) -> int:
    return sum(game.tables.faces[card.kind].coins for card in seat.hand)


def _lead(game: Game, seat: Seat, _: int) -> int:
    others = [game.points(other) for other in game.seats if other is not seat]
    return game.points(seat) - max(others, default=0)


def _turns_over(game: Game, seat: Seat, _: int) -> int:
    return seat.turns - min(other.turns for other in game.seats)


def _of_kind(cards: Iterable[Card], kind: int) -> int:
    return sum(card.kind == kind for card in cards)


def _of_group(game: Game, cards: Iterable[Card], group: int) -> int:
    return sum(game.tables.group_bits[group] >> card.kind & 1 for card in cards)


OBSERVED: tuple[tuple[Observable, Look], ...] = (
    (Observable("actions", None, "actions left this turn"), lambda game, seat, _: game.actions),
    (Observable("buys", None, "buys left this turn"), lambda game, seat, _: game.buys),
    (Observable("coins", None, "coins left this turn"), lambda game, seat, _: game.coins),
    (
        Observable("prospect", None, "coins and what the treasures in hand will give"),
        lambda game, seat, _: game.coins + _hand_coins(game, seat),
    ),
    (Observable("round", None, "the round"), lambda game, seat, _: game.round),
    (Observable("players", None, "players"), lambda game, seat, _: len(game.seats)),
    (Observable("seat", None, "own seat, from 1"), lambda game, seat, _: seat.index + 1),
    (Observable("points", None, "own points"), lambda game, seat, _: game.points(seat)),
    (Observable("lead", None, "own points less the best other points (alone: less 0)"), _lead),
    (
        Observable("turns_over", None, "own turns, this one included, less the fewest of a seat"),
        _turns_over,
    ),
    (
        Observable("piles_out", None, "empty piles of the supply"),
        lambda game, seat, _: game.piles_out(),
    ),
    (Observable("hand", None, "cards in hand"), lambda game, seat, _: len(seat.hand)),
    (Observable("deck", None, "cards in the own deck"), lambda game, seat, _: len(seat.deck.cards)),
    (
        Observable("discard", None, "cards in the own discard pile"),
        lambda game, seat, _: len(seat.discard),
    ),
    (
        Observable("cards", None, "own cards, wherever they are"),
        lambda game, seat, _: sum(1 for _card in seat.cards()),
    ),
    (
        Observable("just_discarded", None, "own cards discarded by the card in effect"),
        lambda game, seat, _: game.just_discarded,
    ),
    (
        Observable("pile", "kind", "cards left in a pile of the supply"),
        lambda game, seat, kind: game.piles[kind],
    ),
    (
        Observable("owned", "kind", "own cards of a kind, wherever they are"),
        lambda game, seat, kind: _of_kind(seat.cards(), kind),
    ),
    (
        Observable("hand_has", "kind", "cards of a kind in hand"),
        lambda game, seat, kind: _of_kind(seat.hand, kind),
    ),
    (
        Observable("owned_group", "group", "own cards of a group, wherever they are"),
        lambda game, seat, group: _of_group(game, seat.cards(), group),
    ),
    (
        Observable("hand_group", "group", "cards of a group in hand"),
        lambda game, seat, group: _of_group(game, seat.hand, group),
    ),
)

OBSERVABLES = tuple(observable for observable, _ in OBSERVED)
