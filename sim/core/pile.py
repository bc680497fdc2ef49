"""Cards and face-down piles of the reference engines (twin of ``_piles.pxd``)."""

from __future__ import annotations

from dataclasses import dataclass, field

from sim.core.stream import Stream

__all__ = ["Card", "Pile"]


@dataclass(frozen=True, slots=True)
class Card:
    """A card: its kind, and which copy of that kind it is (from 1)."""

    kind: int
    copy: int


@dataclass(slots=True)
class Pile:
    """A face-down pile, shuffled lazily. The end of ``cards`` is the top.

    A shuffle permutes nothing: the top card is chosen when it is drawn or looked at. The last
    ``settled`` cards are those whose order is known already.

    Examples
    --------
    >>> from sim.core._rng import make_key
    >>> pile = Pile([Card(kind, 1) for kind in range(4)], settled=1)
    >>> stream = Stream(make_key(1), number=0, deal=0)
    >>> pile.draw(stream)  # its place is known
    Card(kind=3, copy=1)
    >>> pile.settle(stream, 9)  # all there are
    3
    >>> pile.settled == len(pile.cards) == len(pile.top_first())
    True
    """

    cards: list[Card] = field(default_factory=list)
    settled: int = 0

    def settle(self, stream: Stream, m: int) -> int:
        """Fix the order of the top m cards, or of all there are; return how many that is."""
        m = min(m, len(self.cards))
        while self.settled < m:
            unsettled = len(self.cards) - self.settled
            j, top = stream.bounded(unsettled), unsettled - 1
            self.cards[j], self.cards[top] = self.cards[top], self.cards[j]
            self.settled += 1
        return m

    def draw(self, stream: Stream) -> Card:
        """Take the top card of a pile that is not empty."""
        self.settle(stream, 1)
        self.settled -= 1
        return self.cards.pop()

    def remove(self, index: int) -> Card:
        """Take the card at an index; the others keep their order."""
        if index >= len(self.cards) - self.settled:
            self.settled -= 1
        return self.cards.pop(index)

    def top_first(self) -> list[Card]:
        """Return the cards from top to bottom."""
        return self.cards[::-1]
