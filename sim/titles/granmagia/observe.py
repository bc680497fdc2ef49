"""What a seat may know, as whole numbers: the observables of policies and card texts.

Their order is part of the contract with the kernel: an observable's number is its place in
:data:`OBSERVED`. None of them tells a hidden order or another seat's hand. The seat that decides is
asked, whether it is on turn or not; ``mana``, ``casts`` and ``acquisitions`` tell of the turn under
way, whoever's it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sim.core.vocabulary import Observable
from sim.titles.granmagia.victories import needed, progress, rivals_curses, truth_needed

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = ["ENDLESS_SEEN", "OBSERVABLES", "OBSERVED", "observe"]

#: What ``pile.KIND`` shows for a pile without end.
ENDLESS_SEEN = 999

Look = Callable[["Game", "Seat", int], int]


def observe(game: Game, seat: Seat, number: int, argument: int) -> int:
    """Return an observable's value for a seat."""
    return OBSERVED[number][1](game, seat, argument)


def _hand_mana(game: Game, seat: Seat, _: int) -> int:
    mana = game.tables.mana
    return sum(mana[card.kind] for card in seat.hand)


def _truth_lead(game: Game, seat: Seat, _: int) -> int:
    best = max(game.truth(other) for other in game.seats if other is not seat)
    return game.truth(seat) - best


def _arcana_lead(game: Game, seat: Seat, _: int) -> int:
    best = max(other.arcana_taken for other in game.seats if other is not seat)
    return seat.arcana_taken - best


def _rivals_contracted(game: Game, seat: Seat, _: int) -> int:
    return sum(other.witch >= 0 for other in game.seats if other is not seat)


def _pile(game: Game, _: Seat, kind: int) -> int:
    left = game.piles[kind]
    return ENDLESS_SEEN if left < 0 else left


def _owned(game: Game, seat: Seat, kind: int) -> int:
    return sum(card.kind == kind for card in seat.cards())


def _in_group(game: Game, group: int, kind: int) -> bool:
    return bool(game.tables.group_bits[group] >> kind & 1)


def _owned_group(game: Game, seat: Seat, group: int) -> int:
    return sum(_in_group(game, group, card.kind) for card in seat.cards())


def _hand_group(game: Game, seat: Seat, group: int) -> int:
    return sum(_in_group(game, group, card.kind) for card in seat.hand)


def _play_group(game: Game, seat: Seat, group: int) -> int:
    return sum(_in_group(game, group, card.kind) for card in seat.play)


def _rivals_announced(game: Game, seat: Seat, _: int) -> int:
    return sum(other.announced for other in game.seats if other is not seat)


def _of_kind(cards: Iterable[Card], kind: int) -> int:
    return sum(card.kind == kind for card in cards)


OBSERVED: tuple[tuple[Observable, Look], ...] = (
    (
        Observable("mana", None, "mana of the turn under way that is not spent"),
        lambda game, seat, _: game.mana,
    ),
    (
        Observable("coins", None, "own silver and gold"),
        lambda game, seat, _: seat.silver + seat.gold,
    ),
    (
        Observable("payable", None, "mana, silver and gold"),
        lambda game, seat, _: game.mana + seat.silver + seat.gold,
    ),
    (
        Observable("prospect", None, "payable and what the stones in hand will give"),
        lambda game, seat, _: game.mana + seat.silver + seat.gold + _hand_mana(game, seat, 0),
    ),
    (Observable("hand_mana", None, "what the stones in hand will give"), _hand_mana),
    (Observable("silver", None, "own silver"), lambda game, seat, _: seat.silver),
    (Observable("gold", None, "own gold"), lambda game, seat, _: seat.gold),
    (Observable("casts", None, "casts left this turn"), lambda game, seat, _: game.casts),
    (
        Observable("acquisitions", None, "acquisitions left this turn"),
        lambda game, seat, _: game.acquisitions,
    ),
    (Observable("round", None, "the round"), lambda game, seat, _: game.round),
    (
        Observable("turn", None, "own turns, this one included"),
        lambda game, seat, _: seat.turns,
    ),
    (Observable("players", None, "players"), lambda game, seat, _: len(game.seats)),
    (Observable("seat", None, "own seat, from 1"), lambda game, seat, _: seat.index + 1),
    (
        Observable("contracted", None, "1 with a contract, 0 for an apprentice"),
        lambda game, seat, _: int(seat.witch >= 0),
    ),
    (
        Observable("rivals_contracted", None, "other seats with a contract"),
        _rivals_contracted,
    ),
    (
        Observable("witches", None, "witches in the field"),
        lambda game, seat, _: len(game.witches),
    ),
    (Observable("truth", None, "own truth"), lambda game, seat, _: game.truth(seat)),
    (Observable("truth_lead", None, "own truth less the best other truth"), _truth_lead),
    (Observable("tokens", None, "own truth tokens"), lambda game, seat, _: seat.tokens),
    (
        Observable("arcana_taken", None, "arcana obtained so far"),
        lambda game, seat, _: seat.arcana_taken,
    ),
    (
        Observable("arcana_lead", None, "arcana obtained less the most of another seat"),
        _arcana_lead,
    ),
    (
        Observable("kinds_left", None, "magic kinds shown in the field"),
        lambda game, seat, _: len(game.field),
    ),
    (
        Observable("magic_deck", None, "cards left in the magic deck"),
        lambda game, seat, _: len(game.magic_deck.cards),
    ),
    (Observable("hand", None, "cards in hand"), lambda game, seat, _: len(seat.hand)),
    (Observable("deck", None, "cards in the own deck"), lambda game, seat, _: len(seat.deck.cards)),
    (
        Observable("discard", None, "cards in the own discard pile"),
        lambda game, seat, _: len(seat.discard),
    ),
    (
        Observable("cards", None, "own cards, wherever they are"),
        lambda game, seat, _: sum(1 for _ in seat.cards()),
    ),
    (
        Observable("just_discarded", None, "cards discarded by the card in effect so far"),
        lambda game, seat, _: game.just_discarded,
    ),
    (
        Observable("just_burned", None, "cards burned by the card in effect so far"),
        lambda game, seat, _: game.just_burned,
    ),
    (Observable("owned", "kind", "own cards of a kind, wherever they are"), _owned),
    (
        Observable("hand_has", "kind", "cards of a kind in hand"),
        lambda game, seat, kind: sum(card.kind == kind for card in seat.hand),
    ),
    (Observable("pile", "kind", f"cards left in a pile, {ENDLESS_SEEN} without end"), _pile),
    (
        Observable("field", "kind", "cards of a magic kind shown in the field"),
        lambda game, seat, kind: len(game.field.get(kind, ())),
    ),
    (Observable("owned_group", "group", "own cards of a group, wherever they are"), _owned_group),
    (Observable("hand_group", "group", "cards of a group in hand"), _hand_group),
    (
        Observable("play_group", "group", "cards of a group used or laid down this turn"),
        _play_group,
    ),
    (Observable("extra", None, "1 in an extra turn"), lambda game, seat, _: int(game.extra)),
    (
        Observable("mana_obtained", None, "mana obtained in the turn under way, spent or not"),
        lambda game, seat, _: game.mana_obtained,
    ),
    (Observable("barriers", None, "own barriers"), lambda game, seat, _: seat.barriers),
    (
        Observable("announced", None, "1 when the own special victory is announced"),
        lambda game, seat, _: int(seat.announced),
    ),
    (
        Observable("rivals_announced", None, "other seats with an announced special victory"),
        _rivals_announced,
    ),
    (
        Observable("progress", None, "how far the own special victory is; 0 without one"),
        lambda game, seat, _: progress(game, seat),
    ),
    (
        Observable("progress_needed", None, "how far it must be; 0 without one"),
        lambda game, seat, _: needed(game, seat),
    ),
    (
        Observable("truth_needed", None, "least truth of the own special victory; 0 without one"),
        lambda game, seat, _: truth_needed(game, seat),
    ),
    (
        Observable("rivals_curses", None, "curses that other seats own"),
        lambda game, seat, _: rivals_curses(game, seat),
    ),
    (
        Observable("kinds_cast", None, "different magic kinds cast since the contract"),
        lambda game, seat, _: len(seat.kinds_cast),
    ),
    (
        Observable("uses", "kind", "times a kind was cast since the contract"),
        lambda game, seat, kind: seat.uses.get(kind, 0),
    ),
    (
        Observable("own_field", "kind", "cards of a kind in the own field"),
        lambda game, seat, kind: _of_kind(seat.own, kind),
    ),
    (
        Observable("burned", "kind", "cards of a kind in the burned zone"),
        lambda game, seat, kind: _of_kind(game.burned, kind),
    ),
    (
        Observable("sealed", "kind", "seals on a kind's pile"),
        lambda game, seat, kind: game.seal_piles.count(kind),
    ),
    (
        Observable("witch_free", "witch", "1 while a witch lies in the field"),
        lambda game, seat, witch: int(witch in game.witches),
    ),
    (
        Observable("witch_mine", "witch", "1 when the own contract is with a witch"),
        lambda game, seat, witch: int(seat.witch == witch),
    ),
    (
        Observable("on_turn", None, "1 in an own turn"),
        lambda game, seat, _: int(game.current is seat),
    ),
    (
        Observable("price", "kind", "what a kind costs this seat now"),
        lambda game, seat, kind: game.price(seat, kind),
    ),
)

OBSERVABLES = tuple(observable for observable, _ in OBSERVED)
