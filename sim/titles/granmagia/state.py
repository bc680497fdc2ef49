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
        self._address = (key, number, deal)
        self._generator: np.random.Generator | None = None

    def bounded(self, n: int) -> int:
        """Return a whole number from 0 to n - 1; n == 1 draws nothing."""
        if self._generator is None:
            key, number, deal = self._address
            philox = np.random.Philox(key=key, counter=np.array([0, 0, number, deal], np.uint64))
            self._generator = np.random.Generator(philox)
        return int(self._generator.integers(0, n))


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


@dataclass(slots=True)
class Seat:
    """A seat's cards, coins and counters.

    ``hand`` is in the order drawn, ``play`` in the order used, ``discard`` in the order discarded.
    ``own`` is the own field: cards that stay there, in the order laid (the witch is ``witch``, -1
    for an apprentice). ``announced`` tells of the special victory; ``rewards``, ``uses`` (of kinds)
    and ``kinds_cast`` (magic kinds in the order of their first use) count from the contract on.
    ``defended`` are the dolls that have used their free defence.
    """

    index: int
    hand: list[Card] = field(default_factory=list)
    deck: Pile = field(default_factory=Pile)
    discard: list[Card] = field(default_factory=list)
    play: list[Card] = field(default_factory=list)
    own: list[Card] = field(default_factory=list)
    witch: int = -1
    silver: int = 0
    gold: int = 0
    tokens: int = 0
    turns: int = 0
    arcana_taken: int = 0
    barriers: int = 0
    announced: bool = False
    rewards: int = 0
    uses: dict[int, int] = field(default_factory=dict)
    kinds_cast: list[int] = field(default_factory=list)
    defended: set[Card] = field(default_factory=set)
    # Counters of the records.
    contract_round: int = 0
    casts: int = 0
    acquisitions: int = 0
    receipts: int = 0
    burns: int = 0
    reversals: int = 0
    shuffles: int = 0
    gold_spent: int = 0
    mana_total: int = 0
    special_victory: int = 0
    announcements: int = 0
    extra_turns: int = 0
    attacks: int = 0
    hits: int = 0
    barriers_used: int = 0
    dolls_used: int = 0
    defences_used: int = 0
    curses_given: int = 0
    curses_taken: int = 0

    def cards(self) -> Iterator[Card]:
        """Iterate over the own cards, zone by zone."""
        yield from self.hand
        yield from self.deck.cards
        yield from self.discard
        yield from self.play
        yield from self.own
