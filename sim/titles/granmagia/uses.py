"""What follows from using a card, and what cards in the own field do (GM-T3, GM-K1 to GM-K3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.titles.granmagia.effects import play_text
from sim.titles.granmagia.info import TOKENS as TOKENS_POINT
from sim.titles.granmagia.tables import Flag
from sim.titles.granmagia.victories import KINDS, REWARDS, USES, event

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Card, Seat

__all__ = ["start_effects", "use"]


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
        _reward(game, seat, kind)
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


def _reward(game: Game, seat: Seat, kind: int) -> None:
    """Give a familiar's reward to the seat whose witch has that power (GM-K3, GM-N4)."""
    if not game.power(seat, "rewards"):
        return
    play_text(game, seat, game.tables.kind_reward[kind])
    seat.rewards += 1
    if game.story:
        game.story.change("rewards", seat, 1, seat.rewards)
    event(game, seat, REWARDS)


def start_effects(game: Game, seat: Seat) -> None:
    """Play what happens at a turn start: cards of the own field, then the witch's ability."""
    tables = game.tables
    for card in list(seat.own):  # GM-K10
        effects, flags = tables.kind_turn_start[card.kind], tables.flags[card.kind]
        play_text(game, seat, effects)
        if flags & Flag.DURATION:
            seat.own.remove(card)
            seat.discard.append(card)
            game.moved(card, "own", "discard", seat)
        elif effects and flags & Flag.FAMILIAR:
            _reward(game, seat, card.kind)
    if seat.witch >= 0:
        play_text(game, seat, tables.witch_ability[seat.witch])
        if game.power(seat, "tokens_for_truth"):
            _truth_for_tokens(game, seat)


def _truth_for_tokens(game: Game, seat: Seat) -> None:
    """Let a seat burn a truth card from hand for tokens and a draw (GM-N3)."""
    legal = {card.kind for card in seat.hand if game.tables.sort[card.kind] == "truth"}
    if not legal:
        return
    kind = game.decide(seat, TOKENS_POINT, legal | {game.stop})
    if kind == game.stop:
        return
    game.burn(seat, game.take_from_hand(seat, kind), "hand")
    game.add_tokens(seat, game.tables.truth[kind])
    game.draw(seat, game.power(seat, "token_draw"))
