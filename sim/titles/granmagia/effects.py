"""The primitives that card texts are made of (GM-K5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim.core.expression import HOLDS
from sim.titles.granmagia import attacks
from sim.titles.granmagia.info import BURN, DISCARD, LOOK, RECEIVE, SEAL, UPGRADE
from sim.titles.granmagia.observe import observe
from sim.titles.granmagia.tables import Flag
from sim.titles.granmagia.words import PLACES, PRIMITIVES

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = ["hold", "play_text"]


def hold(game: Game, seat: Seat, conds: Sequence[Sequence[int]]) -> bool:
    """Whether all conditions hold for a seat now."""
    return all(
        HOLDS[op](observe(game, seat, observable, argument), value)
        for observable, argument, op, value in conds
    )


def play_text(game: Game, seat: Seat, effects: Sequence[Mapping[str, Any]]) -> None:
    """Play the effects of one text in their order.

    A condition is tested, and a multiplier looked up, at the moment its own effect comes: what
    earlier effects of the same text did counts.
    """
    for effect in effects:
        if not hold(game, seat, effect["conds"]):
            continue
        amount = effect["amount"]
        if effect["per_observable"] >= 0:
            amount *= observe(game, seat, effect["per_observable"], effect["per_argument"])
        _PLAYED[effect["op"]](game, seat, amount, effect)
    game.just_discarded = game.just_burned = 0
    game.hit = {}


def _casts(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    game.add("casts", seat, amount)


def _acquisitions(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    game.add("acquisitions", seat, amount)


def _mana(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    game.add("mana", seat, amount)


def _gold(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    game.add_coins("gold", seat, amount)


def _draw(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    game.draw(seat, amount)


def _draw_to(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    game.draw(seat, amount - len(seat.hand))


def _from_hand(game: Game, seat: Seat, decision: int, free: bool) -> int:
    """Let a seat choose a kind in hand, or ``stop`` when it is free to; -1 for none."""
    legal = {card.kind for card in seat.hand}
    if not legal:
        return -1
    code = game.decide(seat, decision, legal | {game.stop} if free else legal)
    return -1 if code == game.stop else code


def _burn_one(game: Game, seat: Seat, kind: int) -> None:
    game.burn(seat, game.take_from_hand(seat, kind), "hand")
    game.just_burned += 1


def _discard(game: Game, seat: Seat, amount: int, _: Mapping[str, Any], free: bool = False) -> None:
    for _i in range(amount):
        kind = _from_hand(game, seat, DISCARD, free)
        if kind < 0:
            break
        card = game.take_from_hand(seat, kind)
        seat.discard.append(card)
        game.just_discarded += 1
        game.moved(card, "hand", "discard", seat)


def _discard_up_to(game: Game, seat: Seat, amount: int, effect: Mapping[str, Any]) -> None:
    _discard(game, seat, amount, effect, free=True)


def _burn(game: Game, seat: Seat, amount: int, _: Mapping[str, Any], free: bool = False) -> None:
    for _i in range(amount):
        kind = _from_hand(game, seat, BURN, free)
        if kind < 0:
            break
        _burn_one(game, seat, kind)


def _burn_up_to(game: Game, seat: Seat, amount: int, effect: Mapping[str, Any]) -> None:
    _burn(game, seat, amount, effect, free=True)


def _receive_one(game: Game, seat: Seat, limit: int, bits: int, place: str) -> None:
    """Receive one card on offer that costs up to a limit; with none on offer, nothing happens."""
    legal = {
        kind
        for kind in game.kinds_on_offer(seat)
        if bits >> kind & 1 and game.tables.cost[kind] <= limit
    }
    if legal:
        game.receive(seat, game.decide(seat, RECEIVE, legal), place)


def _trade(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    kind = _from_hand(game, seat, BURN, free=True)
    if kind < 0:
        return
    _burn_one(game, seat, kind)
    _receive_one(game, seat, game.tables.cost[kind] + amount, -1, "discard")


def _receive(game: Game, seat: Seat, amount: int, effect: Mapping[str, Any]) -> None:
    bits = game.tables.group_bits[effect["group"]]
    _receive_one(game, seat, amount, bits, PLACES[effect["place"]])


def _upgrade(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    """Burn a stone from hand and receive the next larger one into it, if its pile has any."""
    larger = game.tables.upgrade
    for _i in range(amount):
        offered = game.kinds_on_offer(seat)
        legal = {card.kind for card in seat.hand if larger[card.kind] in offered}
        if not legal:
            break
        code = game.decide(seat, UPGRADE, legal | {game.stop})
        if code == game.stop:
            break
        _burn_one(game, seat, code)
        game.receive(seat, larger[code], "hand")


def _look(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    """Look at the top cards of the own deck; each, from the top down, is kept or discarded."""
    if amount <= 0:
        return
    if not seat.deck.cards:
        game.reshuffle(seat)
    deck = seat.deck
    seen = deck.settle(game.deck_streams[seat.index], amount)
    if game.story:
        names = game.tables.words.options
        cards = [names[card.kind] for card in deck.top_first()[:seen]]
        game.story.add("state", what="looked", owner=seat.index + 1, cards=cards)
    place = len(deck.cards) - 1
    for _i in range(seen):
        kind = deck.cards[place].kind
        if game.decide(seat, LOOK, {kind, game.stop}) != game.stop:
            card = deck.remove(place)
            seat.discard.append(card)
            game.just_discarded += 1
            game.moved(card, "deck", "discard", seat)
        place -= 1


def _barrier(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    game.add_barriers(seat, max(amount, 0))


def _tokens(game: Game, seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    game.add_tokens(seat, amount)


def _extra_turn(game: Game, _seat: Seat, amount: int, _: Mapping[str, Any]) -> None:
    """Earn an extra turn; in an extra turn this does nothing (GM-T10, GM-T13)."""
    if amount > 0 and not game.extra:
        game.extra_earned = True


def _seal(game: Game, seat: Seat, seal: int, _: Mapping[str, Any]) -> None:
    """Place a seal anew, on an empty pile too (GM-K4)."""
    tables = game.tables
    bits = tables.group_bits[tables.seal_group[seal]]
    legal = {
        kind
        for kind, flags in enumerate(tables.flags)
        if flags & Flag.ON_OFFER and bits >> kind & 1
    }
    was, kind = game.seal_piles[seal], game.decide(seat, SEAL, legal)
    game.seal_piles[seal] = kind
    if game.story:
        names = tables.kind_names
        game.story.add(
            "state",
            what="sealed",
            owner=seat.index + 1,
            seal=tables.seal_names[seal],
            pile=names[kind],
            was=None if was < 0 else names[was],
        )


_BY_NAME: dict[str, Callable[[Game, Seat, int, Mapping[str, Any]], None]] = {
    "casts": _casts,
    "acquisitions": _acquisitions,
    "mana": _mana,
    "gold": _gold,
    "draw": _draw,
    "draw_to": _draw_to,
    "discard": _discard,
    "discard_up_to": _discard_up_to,
    "burn": _burn,
    "burn_up_to": _burn_up_to,
    "trade": _trade,
    "receive": _receive,
    "upgrade": _upgrade,
    "look": _look,
    "take_curses": attacks.take_curses,
    "barrier": _barrier,
    "tokens": _tokens,
    "extra_turn": _extra_turn,
    "seal": _seal,
    "curses": attacks.curses,
    "pass_curses": attacks.pass_curses,
    "others_discard": attacks.others_discard,
    "others_discard_to": attacks.others_discard_to,
    "take_gold": attacks.take_gold,
}

_PLAYED = tuple(_BY_NAME[primitive.id] for primitive in PRIMITIVES)
