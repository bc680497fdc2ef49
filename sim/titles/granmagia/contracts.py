"""Contracts with witches (GM-C)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.core.pile import Card
from sim.titles.granmagia.tables import Flag
from sim.titles.granmagia.victories import judge_contract

if TYPE_CHECKING:
    from sim.titles.granmagia.reference import Game
    from sim.titles.granmagia.state import Seat

__all__ = ["contract", "contract_cost"]


def contract_cost(game: Game, witch: int) -> int:
    """Return what a witch costs in this round (GM-C4, GM-T15)."""
    rule, cost = game.tables.rule, game.tables.witch_cost[witch]
    if game.round >= rule["discount_round"]:
        cost -= rule["discount"]
    return max(cost, 0)


def contract(game: Game, seat: Seat, witch: int) -> None:
    """Make a contract that is legal: in mana alone, for one acquisition (GM-C1, GM-C2)."""
    rule, story = game.tables.rule, game.story
    game.add("mana", seat, -contract_cost(game, witch))
    game.spend_acquisition(seat)
    game.witches.remove(witch)
    seat.witch, seat.contract_round = witch, game.round
    if story:
        story.move(Card(rule["kinds"] + witch, 1), "witches", "own", seat)
    for card, zone in _take(game, seat, Flag.APPRENTICE):
        game.removed.append(card)
        game.moved(card, zone, "removed", seat)
    notes = _take(game, seat, Flag.NOTE)
    for card, zone in notes:
        game.burn(seat, card, zone)
    if notes and game.power(seat, "notes_as_arcana"):  # GM-N6
        game.take_arcana(seat, len(notes))
    place = "hand" if rule["gift_to_hand"] else "discard"
    for kind in game.tables.witch_gifts[witch]:
        game.receive(seat, kind, place)
    # GM-C2: the n-th note burned brings the n-th card of the list.
    for kind in game.tables.witch_note_gifts[witch][: len(notes)]:
        game.receive(seat, kind, place)
    judge_contract(game, seat)


def _take(game: Game, seat: Seat, flag: int) -> list[tuple[Card, str]]:
    """Take the own cards with a flag out of all zones: hand, deck from the top, discard, …"""
    flags = game.tables.flags
    taken: list[tuple[Card, str]] = []

    def pick(cards: list[Card], zone: str) -> list[Card]:
        taken.extend((card, zone) for card in cards if flags[card.kind] & flag)
        return [card for card in cards if not flags[card.kind] & flag]

    seat.hand = pick(seat.hand, "hand")
    deck = seat.deck
    found = [index for index, card in enumerate(deck.cards) if flags[card.kind] & flag]
    taken += [(deck.remove(index), "deck") for index in reversed(found)]
    seat.discard = pick(seat.discard, "discard")
    seat.play = pick(seat.play, "play")
    seat.own = pick(seat.own, "own")
    return taken
