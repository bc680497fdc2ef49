"""The seats of a game."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from dataclasses import field as fresh

from sim.core.pile import Card
from sim.titles.magnolia.field import Cell, Line

__all__ = ["Seat"]


@dataclass(slots=True)
class Seat:
    """A seat: what it has, its hand in the order drawn, its field, and its counters.

    ``laid`` are the cards that lie face down: only their owner knows them.
    """

    index: int
    gold: int = 0
    vp: int = 0
    technology: int = 0
    faith: int = 0
    power: int = 0
    hand: list[Card] = fresh(default_factory=list)
    field: dict[Cell, Card] = fresh(default_factory=dict)
    laid: dict[Cell, Card] = fresh(default_factory=dict)
    leaving: list[Card] = fresh(default_factory=list)  # chosen to be discarded
    holding: int = -1  # kind chosen, its cell not yet; -1: none
    paid: set[Line] = fresh(default_factory=set)
    war_vp: int = 0
    war_rank: int = 0
    # Counters of the records; VP by where they come from.
    sources: Counter[str] = fresh(default_factory=Counter)
    played: int = 0
    discarded: int = 0
    gold_spent: int = 0
    gold_gained: int = 0
    wars_led: int = 0
    wars_paid: int = 0
    war_power: int = 0
    lines_race: int = 0
    lines_job: int = 0
    objectives: int = 0

    @property
    def own_view(self) -> dict[Cell, Card]:
        """The field as its owner knows it, with what lies face down."""
        return self.field | self.laid

    def take_from_hand(self, kind: int) -> Card:
        """Take the first card of a kind out of the hand."""
        return self.hand.pop(next(i for i, card in enumerate(self.hand) if card.kind == kind))
