"""The primitives that card texts are made of (CL-K5); those on other seats are attacks (CL-A)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim.core.expression import HOLDS
from sim.titles.classic.info import DISCARD, RECEIVE, TRASH
from sim.titles.classic.observe import observe
from sim.titles.classic.schema import CURSE
from sim.titles.classic.words import PRIMITIVES

if TYPE_CHECKING:
    from sim.titles.classic.reference import Game
    from sim.titles.classic.state import Seat

__all__ = ["play_text"]


def play_text(game: Game, seat: Seat, effects: Sequence[Mapping[str, Any]]) -> None:
    """Play the effects of a card in their order."""
    for effect in effects:
        if all(
            HOLDS[op](observe(game, seat, observable, argument), value)
            for observable, argument, op, value in effect["conds"]
        ):
            amount = effect["amount"]
            if effect["per_observable"] >= 0:
                amount *= observe(game, seat, effect["per_observable"], effect["per_argument"])
            _PLAYED[effect["op"]](game, seat, max(amount, 0))
    game.just_discarded = 0


def _draw(game: Game, seat: Seat, amount: int) -> None:
    game.draw(seat, amount)


def _actions(game: Game, _: Seat, amount: int) -> None:
    game.add("actions", amount)


def _buys(game: Game, _: Seat, amount: int) -> None:
    game.add("buys", amount)


def _coins(game: Game, _: Seat, amount: int) -> None:
    game.add("coins", amount)


def _from_hand(game: Game, seat: Seat, decision: int, target: str, *, free: bool) -> int:
    """Let a seat part with a card in hand and return its kind; -1 for none."""
    legal = {card.kind for card in seat.hand}
    if not legal:
        return -1
    code = game.decide(seat, decision, legal | {game.stop} if free else legal)
    if code == game.stop:
        return -1
    game.move(seat, game.take_from_hand(seat, code), "hand", target)
    return code


def _discard_up_to(game: Game, seat: Seat, amount: int) -> None:
    while amount > 0 and _from_hand(game, seat, DISCARD, "discard", free=True) >= 0:
        game.just_discarded += 1
        amount -= 1


def _trash_up_to(game: Game, seat: Seat, amount: int) -> None:
    while amount > 0 and _from_hand(game, seat, TRASH, "trash", free=True) >= 0:
        seat.trashes += 1
        amount -= 1


def _receive(game: Game, seat: Seat, amount: int) -> None:
    """Receive one card that costs up to so much; with none on offer nothing happens (CL-K3)."""
    if legal := game.kinds_on_offer(seat, amount):
        game.obtain(seat, game.decide(seat, RECEIVE, legal))
        seat.receipts += 1


def _exchange(game: Game, seat: Seat, amount: int) -> None:
    kind = _from_hand(game, seat, TRASH, "trash", free=False)
    if kind >= 0:
        seat.trashes += 1
        _receive(game, seat, game.tables.faces[kind].cost + amount)


def _attacked(game: Game, attacker: Seat) -> Iterator[Seat]:
    """Yield the seats that suffer an attack, each when its turn comes (CL-A1, CL-A2)."""
    attacker.attacks += 1
    players, faces = len(game.seats), game.tables.faces
    for step in range(1, players):
        seat = game.seats[(attacker.index + step) % players]
        if any(faces[card.kind].reaction for card in seat.hand):
            seat.reactions += 1
            if game.story:
                game.story.add("state", what="stopped", owner=seat.index + 1)
        else:
            yield seat


def _curses(game: Game, attacker: Seat, amount: int) -> None:
    for seat in _attacked(game, attacker):
        for _ in range(min(amount, game.piles[CURSE])):  # CL-A3
            game.obtain(seat, CURSE)
            attacker.curses_given += 1
            seat.curses_taken += 1


def _others_discard_to(game: Game, attacker: Seat, amount: int) -> None:
    for seat in _attacked(game, attacker):
        while len(seat.hand) > amount:  # CL-A4
            _from_hand(game, seat, DISCARD, "discard", free=False)


_BY_NAME: dict[str, Callable[[Game, Seat, int], None]] = {
    "draw": _draw,
    "actions": _actions,
    "buys": _buys,
    "coins": _coins,
    "discard_up_to": _discard_up_to,
    "trash_up_to": _trash_up_to,
    "receive": _receive,
    "exchange": _exchange,
    "curses": _curses,
    "others_discard_to": _others_discard_to,
}

_PLAYED = tuple(_BY_NAME[primitive.id] for primitive in PRIMITIVES)
