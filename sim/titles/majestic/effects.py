"""The primitives that texts are made of (MM-K1 to MM-K3).

Orders that decide anything: units that an effect works on are taken the seat's first whose effect
it is, place by place; so are those that fall after an effect, and after the damage of a battle the
attacker's. Where both seats draw, discard, mill,
lose or gain LP, they do so in that order, one card at a time; who has lost by it is judged when
both have done one card. Cards that are fetched are the first of their kind in that zone: in a
deck counted from the bottom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sim.titles.majestic.field import areas_with_room, has_room
from sim.titles.majestic.info import DISCARD, FETCH, MAIN_DECK_END, MANA_DECK_END
from sim.titles.majestic.primitives import PRIMITIVES
from sim.titles.majestic.schema import AREAS, SIDES, SORTS, UPRIGHT, WHOM
from sim.titles.majestic.texts import Context, asked, holds

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.majestic.plays import Offer
    from sim.titles.majestic.reference import Game
    from sim.titles.majestic.state import Seat, Unit
    from sim.titles.majestic.tables import Effect

__all__ = ["bury", "discard", "work"]

#: AP and DP given are held within this, either way.
_MOST_BONUS = 99


class _Work:
    """One effect at work: whose it is, the unit that bears it, the target, and the numbers."""

    __slots__ = ("amount", "effect", "game", "offer", "seat", "target")

    def __init__(
        self, game: Game, seat: Seat, offer: Offer, target: Unit | None, effect: Effect, amount: int
    ) -> None:
        self.game, self.seat, self.offer, self.target = game, seat, offer, target
        self.effect, self.amount = effect, amount

    def units(self) -> list[Unit]:
        """Return the units that the effect works on, those that have left not among them."""
        seat, other = self.seat, self.game.other(self.seat)
        match WHOM[self.effect.first]:
            case "target":
                named = [self.target]
            case "self":
                named = [self.offer.unit]
            case "attacker":
                named = [self.game.battle.attacker]
            case "blocker":
                named = [self.game.battle.blocker]
            case "own":
                return list(seat.units())
            case "enemy":
                return list(other.units())
            case _:
                return [*seat.units(), *other.units()]
        return [unit for unit in named if unit is not None and self.game.on_field(unit)]

    def seats(self) -> list[Seat]:
        """Return the seats that the effect works on, the own one first."""
        match SIDES[self.effect.first]:
            case "own":
                return [self.seat]
            case "enemy":
                return [self.game.other(self.seat)]
            case _:
                return [self.seat, self.game.other(self.seat)]


def work(game: Game, seat: Seat, offer: Offer, target: Unit | None) -> None:
    """Let the effects of a text work from first to last (MM-P3)."""
    for effect in offer.text.effects:
        unit, aim = (
            one if one is not None and game.on_field(one) else None for one in (offer.unit, target)
        )
        context = Context(seat, unit, aim)
        if not holds(game, context, effect.conds):
            continue
        amount = effect.amount
        if effect.per is not None:
            amount *= asked(game, context, *effect.per)
        name = PRIMITIVES[effect.op].id
        if name not in ("ap", "dp"):
            amount = max(amount, 0)
        _WORKS[name](_Work(game, seat, offer, target, effect, amount))
        bury(game, seat)


def bury(game: Game, first: Seat) -> None:
    """Destroy all units that have fallen, one seat's first (MM-B4, MM-K2)."""
    for seat in (first, game.other(first)):
        for unit in list(seat.units()):
            if unit.damage >= game.dp(unit):
                game.destroy(unit)


# -- on units ------------------------------------------------------------------------------------


def _damage(now: _Work) -> None:
    for unit in now.units():
        now.game.hurt(unit, now.amount)


def _destroy(now: _Work) -> None:
    for unit in now.units():
        now.game.destroy(unit)


def _return(now: _Work) -> None:
    for unit in now.units():
        now.game.seats[unit.owner].units_returned += 1
        now.game.leave(unit, "hand")


def _bonus(bonus: int) -> int:
    return max(-_MOST_BONUS, min(bonus, _MOST_BONUS))


def _ap(now: _Work) -> None:
    for unit in now.units():
        unit.ap_bonus = _bonus(unit.ap_bonus + now.amount)
        now.game.tell(unit, "ap", now.game.ap(unit))


def _dp(now: _Work) -> None:
    for unit in now.units():
        unit.dp_bonus = _bonus(unit.dp_bonus + now.amount)
        now.game.tell(unit, "dp", now.game.dp(unit))


def _grant(now: _Work) -> None:
    for unit in now.units():
        unit.given |= 1 << now.effect.second
        now.game.tell(unit, "keywords", now.game.faces[unit.kind].keywords | unit.given)


def _ready(now: _Work) -> None:
    for unit in now.units():
        now.game.set_ready(unit, ready=True)


def _turn_down(now: _Work) -> None:
    for unit in now.units():
        now.game.set_ready(unit, ready=False)


def _shift(now: _Work) -> None:
    for unit in now.units():
        place = now.effect.second
        front = not unit.front if place == len(AREAS) else AREAS[place] == "front"
        if front != unit.front and has_room(now.game, now.game.seats[unit.owner], front=front):
            now.game.shift(unit, front=front)


# -- on seats ------------------------------------------------------------------------------------


def _each(now: _Work, step: Callable[[Seat], int | None]) -> None:
    """Let each seat do one card at a time; a step returns how its seat loses by it, or None."""
    for _ in range(now.amount):
        losers = {seat.index: step(seat) for seat in now.seats()}
        now.game.judge(losers)


def _draw(now: _Work) -> None:
    _each(now, now.game.draw_card)


def _mill(now: _Work) -> None:
    game = now.game

    def step(seat: Seat) -> int | None:
        if not seat.deck.cards:
            return None
        game.put(seat, seat.deck.draw(game.deck_streams[seat.index]), "deck", "trash")
        return None if seat.deck.cards else MAIN_DECK_END

    _each(now, step)


def _heal(now: _Work) -> None:
    game = now.game

    def step(seat: Seat) -> int | None:
        if not seat.mana_deck.cards:
            return None
        game.put(seat, game.top_mana(seat), "mana_deck", "lp")
        seat.lp_gained += 1
        return None if seat.mana_deck.cards else MANA_DECK_END

    _each(now, step)


def _hit(now: _Work) -> None:
    for _ in range(now.amount):
        now.game.hit(now.seats(), by=now.seat, source=now.offer.source)


def _discard(now: _Work) -> None:
    for seat in now.seats():
        for _ in range(now.amount):
            discard(now.game, seat)


def discard(game: Game, seat: Seat) -> None:
    """Let a seat discard a card of its choice, if it has one."""
    if not seat.hand:
        return
    kind = game.decide(seat, DISCARD, {card.kind for card in seat.hand})
    game.put(seat, seat.take_from_hand(kind), "hand", "trash")
    seat.discarded += 1
    game.count(seat, kind, "discarded")


def _mana(now: _Work) -> None:
    for _ in range(now.amount):
        if now.seat.mana_deck.cards:
            now.game.put_mana(now.seat, ready=UPRIGHT[now.effect.first] == "ready")


def _refresh(now: _Work) -> None:
    down = [one for one in now.seat.mana if not one.ready]
    for one in down[: now.amount]:
        one.ready = True
        if now.game.story:
            now.game.story.turned(now.seat, one.card, ready=True, zone="mana")


def _recycle(now: _Work) -> None:
    seat = now.seat
    first = max(len(seat.trash) - now.amount, 0)
    cards, seat.trash = seat.trash[first:], seat.trash[:first]
    for card in cards:
        now.game.put(seat, card, "trash", "deck")
    now.game.shuffle(seat)


def _search(now: _Work) -> None:
    seat, cards = now.seat, now.seat.deck.cards
    place = _fetched(now, cards, _sorts(now))
    if place is not None:
        now.game.put(seat, seat.deck.remove(place), "deck", "hand")
    now.game.shuffle(seat)
    if place is not None and not cards:
        now.game.judge({seat.index: MAIN_DECK_END})


def _salvage(now: _Work) -> None:
    place = _fetched(now, now.seat.trash, _sorts(now))
    if place is not None:
        now.game.put(now.seat, now.seat.trash.pop(place), "trash", "hand")


def _revive(now: _Work) -> None:
    _put_unit(now, now.seat.trash, "trash")


def _deploy(now: _Work) -> None:
    _put_unit(now, now.seat.hand, "hand")


def _put_unit(now: _Work, zone: list[Card], name: str) -> None:
    if not areas_with_room(now.game, now.seat):
        return
    place = _fetched(now, zone, ("unit",))
    if place is not None:
        front = now.game.choose_area(now.seat, zone[place].kind)
        now.game.put_unit(now.seat, zone.pop(place), name, front=front, fresh=False)


def _sorts(now: _Work) -> tuple[str, ...]:
    """Return the sorts that a fetching effect names; the word after them names them all."""
    return SORTS if now.effect.first == len(SORTS) else (SORTS[now.effect.first],)


def _fetched(now: _Work, cards: list[Card], sorts: tuple[str, ...]) -> int | None:
    """Let the seat choose a kind to fetch; return the index of its first card, or None."""
    game = now.game
    kinds = set(_fitting(game, now.seat, cards, sorts, now.amount))
    if not kinds:
        return None
    kind = game.decide(now.seat, FETCH, kinds | {game.stop})
    if kind == game.stop:
        return None
    return next(place for place, card in enumerate(cards) if card.kind == kind)


def _fitting(
    game: Game, seat: Seat, cards: list[Card], sorts: tuple[str, ...], most: int
) -> Iterator[int]:
    for card in cards:
        face = game.faces[card.kind]
        barred = game.bans[seat.index] >> card.kind & 1
        if not barred and face.sort in sorts and face.cost <= most:
            yield card.kind


_WORKS: dict[str, Callable[[_Work], None]] = {
    "damage": _damage,
    "destroy": _destroy,
    "return": _return,
    "ap": _ap,
    "dp": _dp,
    "grant": _grant,
    "ready": _ready,
    "turn_down": _turn_down,
    "shift": _shift,
    "draw": _draw,
    "discard": _discard,
    "mill": _mill,
    "hit": _hit,
    "heal": _heal,
    "mana": _mana,
    "refresh": _refresh,
    "recycle": _recycle,
    "search": _search,
    "salvage": _salvage,
    "revive": _revive,
    "deploy": _deploy,
}
