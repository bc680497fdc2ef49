"""What a seat has: its cards and its counters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sim.core.pile import Card, Pile

__all__ = ["Seat"]


@dataclass(slots=True)
class Seat:
    """A seat's cards and counters; ``hand``, ``discard`` and ``play`` in the order of arrival."""

    index: int
    hand: list[Card] = field(default_factory=list)
    deck: Pile = field(default_factory=Pile)
    discard: list[Card] = field(default_factory=list)
    play: list[Card] = field(default_factory=list)
    turns: int = 0
    # Counters of the records.
    plays: int = 0
    bought: int = 0
    coins_spent: int = 0
    receipts: int = 0
    trashes: int = 0
    shuffles: int = 0
    attacks: int = 0
    reactions: int = 0
    curses_given: int = 0
    curses_taken: int = 0

    def cards(self) -> Iterator[Card]:
        """Iterate over the own cards, zone by zone."""
        yield from self.hand
        yield from self.deck.cards
        yield from self.discard
        yield from self.play
