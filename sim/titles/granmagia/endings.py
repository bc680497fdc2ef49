"""The ends of turns and of games (GM-T7, GM-T12, GM-W1, GM-W8, GM-W10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.core.title import WIN
from sim.titles.granmagia.info import END_REASONS, EXTRA_TURN, FIELD_END, ROUND_CAP
from sim.titles.granmagia.supply import refill
from sim.titles.granmagia.victories import EXTRA_GOLD, event

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = ["end_turn", "finish"]


def end_turn(game: Game) -> None:
    """End a turn: clear up, draw, refill, test the end, pass on."""
    seat, rule = game.current, game.tables.rule
    game.phase = "end"
    if game.extra:
        event(game, seat, EXTRA_GOLD)
    for card in seat.play:  # (a)
        game.moved(card, "play", "discard", seat)
    for card in seat.hand:
        game.moved(card, "hand", "discard", seat)
    seat.discard += seat.play + seat.hand
    seat.play, seat.hand = [], []
    game.draw(seat, rule["turn_hand"])  # (b)
    for what in ("mana", "casts", "acquisitions"):  # (c)
        game.add(what, seat, -getattr(game, what))
    game.add_coins("silver", seat, -seat.silver)
    refill(game)  # (d)
    if len(game.field) <= rule["end_kinds"]:  # (e), GM-W1
        finish(game, FIELD_END)
        return
    game.extra = not game.extra and _wants_extra_turn(game, seat)
    game.extra_earned = False
    if not game.extra and not _next_seat(game):
        finish(game, ROUND_CAP)
        return
    game.phase = "start"


def _wants_extra_turn(game: Game, seat: Seat) -> bool:
    """Whether an extra turn follows: earned by a card, or paid for now (GM-T13, GM-N7)."""
    by, gold = "card", game.power(seat, "extra_turn_gold")
    if not game.extra_earned:
        if not gold or seat.gold < gold:
            return False
        code = game.tables.rule["kinds"] + seat.witch
        if game.decide(seat, EXTRA_TURN, {code, game.stop}) == game.stop:
            return False
        game.pay_gold(seat, gold)
        by = "gold"
    if game.story:
        game.story.add("state", what="extra_turn", owner=seat.index + 1, by=by)
    return True


def _next_seat(game: Game) -> bool:
    """Pass on; False when the last round is over (GM-W10)."""
    if game.on_turn + 1 < len(game.seats):
        game.on_turn += 1
        return True
    if game.round >= game.tables.rule["round_cap"]:
        return False
    _record_round(game)
    game.on_turn = 0
    game.round += 1  # GM-T9
    return True


def _record_round(game: Game) -> None:
    for seat in game.seats:
        game.series[seat.index, game.round - 1, 0] = game.truth(seat)


def finish(game: Game, reason: int, winner: Seat | None = None) -> None:
    """End a game: most truth, then fewer own turns, then a shared win; a special winner first."""
    game.phase, game.end_reason = "over", reason
    _record_round(game)
    scores = [game.truth(seat) for seat in game.seats]
    # False comes first: the winner of a special victory stands alone before all others (GM-W8).
    standing = [
        (winner is not None and seat is not winner, -scores[seat.index], seat.turns)
        for seat in game.seats
    ]
    game.ranks = [1 + sum(other < own for other in standing) for own in standing]
    winners = game.ranks.count(1)
    game.win60 = [WIN // winners if rank == 1 else 0 for rank in game.ranks]
    for seat in game.seats:
        for card in seat.cards():
            game.counts[seat.index, card.kind, 4] += 1
    if game.story:
        game.story.add(
            "end",
            reason=END_REASONS[reason].id,
            scores=scores,
            ranks=game.ranks,
            win60=game.win60,
            witch=None if winner is None else game.tables.witch_names[winner.witch],
        )
