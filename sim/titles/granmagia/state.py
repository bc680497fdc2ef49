"""What a seat has: its cards and its counters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sim.core.pile import Card, Pile

__all__ = ["Seat"]


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
