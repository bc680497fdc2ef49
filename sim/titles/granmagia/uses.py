"""What follows from using a card (GM-T3, GM-K3, GM-N5, GM-N8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.titles.granmagia.abilities import reward
from sim.titles.granmagia.effects import play_text
from sim.titles.granmagia.tables import Flag
from sim.titles.granmagia.victories import KINDS, USES, event

if TYPE_CHECKING:
    from sim.core.pile import Card
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = ["use"]


def use(game: Game, seat: Seat, card: Card) -> None:
    """Use a card that has been taken out of the hand."""
    kind, tables = card.kind, game.tables
    flags = tables.flags[kind]
    stays = bool(flags & (Flag.DURATION | Flag.PERMANENT))
    (seat.own if stays else seat.play).append(card)
    game.moved(card, "hand", "own" if stays else "play", seat)
    if flags & Flag.ATTACK:
        seat.attacks += 1
        if game.story:
            name = tables.kind_names[kind]
            game.story.add("state", what="attack", owner=seat.index + 1, card=name)
    if seat.witch >= 0:
        _count(game, seat, kind)
    play_text(game, seat, tables.kind_effects[kind])
    if flags & Flag.FAMILIAR:
        reward(game, seat, kind)
    given, every = tables.kind_gives[kind]
    if seat.witch >= 0 and given >= 0 and seat.uses[kind] % every == 0:  # GM-N5
        game.receive(seat, given, "discard")


def _count(game: Game, seat: Seat, kind: int) -> None:
    """Count a use, which is judged before any effect (GM-N5, GM-N8)."""
    tables, uses = game.tables, seat.uses
    uses[kind] = uses.get(kind, 0) + 1
    if game.story:
        game.story.change("uses", seat, 1, uses[kind], card=tables.kind_names[kind])
    if uses[kind] == 1 and tables.flags[kind] & Flag.MAGIC:
        seat.kinds_cast.append(kind)
        if game.story:
            game.story.change("kinds_cast", seat, 1, len(seat.kinds_cast))
        event(game, seat, KINDS)
    if tables.witch_fields[seat.witch]["card"] == kind:
        event(game, seat, USES)
