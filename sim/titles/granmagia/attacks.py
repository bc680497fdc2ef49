"""Attacks on the other seats, and what stops them (GM-A)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sim.core.pile import Card
from sim.titles.granmagia.info import DEFEND, DISCARD, DOLL
from sim.titles.granmagia.schema import CURSE
from sim.titles.granmagia.tables import ENDLESS, Flag

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = [
    "curses",
    "others_discard",
    "others_discard_to",
    "pass_curses",
    "take_curses",
    "take_gold",
]


def _others(game: Game, seat: Seat) -> list[Seat]:
    """Return the other seats from the next one on (GM-A1)."""
    return game.seats[seat.index + 1 :] + game.seats[: seat.index]


def _is_hit(game: Game, seat: Seat, other: Seat) -> bool:
    """Settle whether a seat suffers the attack under way; one defence stops all of it (GM-A2)."""
    if other.index not in game.hit:
        defended = _defends(game, seat, other)
        game.hit[other.index] = not defended
        if not defended:
            other.hits += 1
            if game.story:
                game.story.attacked("hit", other)
    return game.hit[other.index]


def _defends(game: Game, seat: Seat, other: Seat) -> bool:
    return _barrier(game, seat, other) or _doll(game, other) or _hand_defends(game, other)


def _barrier(game: Game, seat: Seat, other: Seat) -> bool:
    if not other.barriers:
        return False
    _tell(game, other, "barrier", None)
    game.add_barriers(other, -1)
    other.barriers_used += 1
    game.add("casts", seat, -game.tables.rule["barrier_casts"])  # GM-A4
    return True


def _doll(game: Game, other: Seat) -> bool:
    flags, price = game.tables.flags, game.tables.rule["doll_gold"]
    dolls = [card for card in other.own if flags[card.kind] & Flag.DEFENDS_FIELD]
    if not dolls:
        return False
    fresh = [card for card in dolls if card not in other.defended]
    doll = fresh[0] if fresh else dolls[0]
    if fresh:
        other.defended.add(doll)
    elif other.gold < price or game.decide(other, DOLL, {doll.kind, game.stop}) == game.stop:
        return False
    _tell(game, other, "doll", doll, free=bool(fresh))
    if not fresh:
        game.pay_gold(other, price)
    other.dolls_used += 1
    return True


def _hand_defends(game: Game, other: Seat) -> bool:
    flags = game.tables.flags
    legal = {card.kind for card in other.hand if flags[card.kind] & Flag.DEFENDS_HAND}
    if not legal:
        return False
    card = game.take_from_hand(other, game.decide(other, DEFEND, legal))
    _tell(game, other, "hand", card)
    other.discard.append(card)
    game.moved(card, "hand", "discard", other)
    other.defences_used += 1
    return True


def _tell(game: Game, other: Seat, by: str, card: Card | None, free: bool = True) -> None:
    if game.story:
        game.story.attacked(
            "defended",
            other,
            by=by,
            card=None if card is None else game.tables.kind_names[card.kind],
            copy=None if card is None else card.copy,
            free=free,
        )


def others_discard(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    """Let each seat that is hit discard so many cards of its choice."""
    if amount <= 0:
        return
    for other in _all_hit(game, seat):
        _make_discard(game, other, min(amount, len(other.hand)))


def others_discard_to(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    """Let each seat that is hit discard until it has so many cards in hand, none perhaps."""
    if amount < 0:
        return
    for other in _all_hit(game, seat):
        _make_discard(game, other, max(len(other.hand) - amount, 0))


def _all_hit(game: Game, seat: Seat) -> list[Seat]:
    """Return the seats that are hit: all settle before the first one chooses (GM-A1)."""
    return [other for other in _others(game, seat) if _is_hit(game, seat, other)]


def _make_discard(game: Game, other: Seat, number: int) -> None:
    for _ in range(number):
        kind = game.decide(other, DISCARD, {card.kind for card in other.hand})
        card = game.take_from_hand(other, kind)
        other.discard.append(card)
        game.moved(card, "hand", "discard", other)


def curses(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    """Deal curses from their pile, seat by seat (GM-F12)."""
    if amount <= 0:
        return
    for other in _others(game, seat):
        if _is_hit(game, seat, other):
            seat.curses_given += _from_pile(game, other, amount)


def take_curses(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    """Take curses from their pile into the own discard pile; no attack."""
    _from_pile(game, seat, amount)


def _from_pile(game: Game, seat: Seat, amount: int) -> int:
    """Move curses from their pile, as long as it holds any, to a seat; return how many."""
    for number in range(amount):
        if game.piles[CURSE] == 0:
            return number
        if game.piles[CURSE] != ENDLESS:
            game.piles[CURSE] -= 1
        card = game.new_card(CURSE)
        _gets(game, seat, card)
        game.moved(card, "pile", "discard", seat)
    return max(amount, 0)


def pass_curses(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    """Pass curses from hand to the discard piles of the others, seat by seat."""
    if amount <= 0:
        return
    for other in _others(game, seat):
        if not _is_hit(game, seat, other):
            continue
        for _i in range(amount):
            if all(card.kind != CURSE for card in seat.hand):
                break
            card = game.take_from_hand(seat, CURSE)
            _gets(game, other, card)
            seat.curses_given += 1
            if game.story:
                game.story.move(card, "hand", "discard", other, giver=seat.index + 1)


def _gets(game: Game, seat: Seat, card: Card) -> None:
    game.check_room(seat)
    seat.discard.append(card)
    seat.curses_taken += 1
    game.counts[seat.index, CURSE, 3] += 1


def take_gold(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    """Take gold from the others, seat by seat."""
    if amount <= 0:
        return
    for other in _others(game, seat):
        if _is_hit(game, seat, other):
            taken = min(amount, other.gold)
            game.add_coins("gold", other, -taken)
            game.add_coins("gold", seat, taken)
