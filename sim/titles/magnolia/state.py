"""The things of a game: cards, the deck, seats, random streams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as fresh

import numpy as np
import numpy.typing as npt

from sim.titles.magnolia.field import Cell, Line

__all__ = ["Card", "Pile", "Seat", "Stream"]


class Stream:
    """One addressed random stream: numpy's own generator on numpy's own Philox."""

    def __init__(self, key: npt.NDArray[np.uint64], number: int, deal: int) -> None:
        philox = np.random.Philox(key=key, counter=np.array([0, 0, number, deal], np.uint64))
        self._generator = np.random.Generator(philox)

    def bounded(self, n: int) -> int:
        """Return a whole number from 0 to n - 1; n == 1 draws nothing."""
        return int(self._generator.integers(0, n))

    def shuffled(self, items: Iterable[int]) -> list[int]:
        """Return items in random order: from the last place down, each swaps with one up to it."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            j = self.bounded(last + 1)
            order[j], order[last] = order[last], order[j]
        return order


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

    cards: list[Card] = fresh(default_factory=list)
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
