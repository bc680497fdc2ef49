"""The things of a game: cards, piles, seats, random streams."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

__all__ = ["Card", "Pile", "Seat", "Stream"]


class Stream:
    """One addressed random stream: numpy's own generator on numpy's own Philox.

    The kernel has a generator of its own. That both play the same games proves both.
    """

    def __init__(self, key: npt.NDArray[np.uint64], number: int, deal: int) -> None:
        philox = np.random.Philox(key=key, counter=np.array([0, 0, number, deal], np.uint64))
        self._generator = np.random.Generator(philox)

    def bounded(self, n: int) -> int:
        """Return a whole number from 0 to n - 1; n == 1 draws nothing."""
        return int(self._generator.integers(0, n))


@dataclass(frozen=True, slots=True)
class Card:
    """A card: its kind, and which copy of that kind it is (from 1)."""

    kind: int
    copy: int


@dataclass(slots=True)
class Pile:
    """A face-down pile, shuffled lazily. The end of ``cards`` is the top.

    A shuffle permutes nothing: the top card is chosen when it is drawn. The last ``settled`` cards
    are those whose order is known already.
    """

    cards: list[Card] = field(default_factory=list)
    settled: int = 0

    def draw(self, stream: Stream) -> Card:
        """Take the top card of a pile that is not empty."""
        if self.settled:
            self.settled -= 1
        else:
            j = stream.bounded(len(self.cards))
            self.cards[j], self.cards[-1] = self.cards[-1], self.cards[j]
        return self.cards.pop()


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
