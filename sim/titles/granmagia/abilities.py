"""What happens by itself: own field, rewards, abilities (GM-K1 to GM-K3, GM-N3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.titles.granmagia.effects import play_text
from sim.titles.granmagia.info import TOKENS
from sim.titles.granmagia.tables import Flag
from sim.titles.granmagia.victories import REWARDS, event

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = ["reward", "start_effects"]


def reward(game: Game, seat: Seat, kind: int) -> None:
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
            reward(game, seat, card.kind)
    if seat.witch >= 0:
        play_text(game, seat, tables.witch_ability[seat.witch])
        if game.power(seat, "tokens_for_truth"):
            _tokens_for_truth(game, seat)


def _tokens_for_truth(game: Game, seat: Seat) -> None:
    """Let a seat burn a truth card from hand for tokens and a draw (GM-N3)."""
    legal = {card.kind for card in seat.hand if game.tables.sort[card.kind] == "truth"}
    if not legal:
        return
    kind = game.decide(seat, TOKENS, legal | {game.stop})
    if kind == game.stop:
        return
    game.burn(seat, game.take_from_hand(seat, kind), "hand")
    game.add_tokens(seat, game.tables.truth[kind])
    game.draw(seat, game.power(seat, "token_draw"))
