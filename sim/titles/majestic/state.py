"""The seats of a game, their units, and the battle under way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from sim.core.pile import Card, Pile
from sim.titles.majestic.schema import ATTRIBUTES, PLACES

__all__ = ["Battle", "ManaCard", "Seat", "Unit"]


@dataclass(slots=True)
class ManaCard:
    """A card in a mana zone."""

    card: Card
    attribute: int
    ready: bool = True


@dataclass(slots=True, eq=False)
class Unit:
    """A unit on the field: the card, whose it is, and what holds until the end of the turn.

    Two units are never equal, also when all they hold is: a battle remembers which one attacked.
    """

    card: Card
    owner: int
    place: int  # from 0
    front: bool
    ready: bool = True
    fresh: bool = False  # played this turn: bound by MM-U1
    moved: bool = False  # its move of this turn is spent
    spent: bool = False  # its free ability is spent (MM-P2)
    damage: int = 0
    ap_bonus: int = 0
    dp_bonus: int = 0
    given: int = 0  # keywords, bit by place in KEYWORDS

    @property
    def kind(self) -> int:
        """The kind of its card."""
        return self.card.kind


@dataclass(slots=True)
class Battle:
    """The battle under way; outside of battles ``exchange`` is 0 and nobody fights."""

    exchange: int = 0
    attacker: Unit | None = None  # None again when it has left the field
    blocker: Unit | None = None  # likewise
    blocked: bool = False

    def attacker_left(self) -> bool:
        """Whether the attacker has left the field; true outside of battles, too."""
        return self.attacker is None

    def block(self, unit: Unit) -> None:
        """Let a unit block; the second exchange follows (MM-B3)."""
        self.exchange, self.blocked, self.blocker = 2, True, unit

    def fights(self, unit: Unit) -> bool:
        """Whether a unit attacks or blocks."""
        return unit is self.attacker or unit is self.blocker


@dataclass(slots=True)
class Seat:
    """A seat: its zones and its counters. The end of a pile, and of ``lp``, is the top."""

    index: int
    deck_list: int = 0  # number of its deck among all
    sorcerer: int = 0
    sorcerer_ready: bool = True
    sorcerer_spent: bool = False  # its free ability is spent (MM-P2)
    hand: list[Card] = field(default_factory=list)
    deck: Pile = field(default_factory=Pile)
    mana_deck: Pile = field(default_factory=Pile)
    lp: list[Card] = field(default_factory=list)
    mana: list[ManaCard] = field(default_factory=list)
    places: list[Unit | None] = field(default_factory=lambda: [None] * PLACES)
    trash: list[Card] = field(default_factory=list)
    played: list[Card] = field(default_factory=list)  # spells that work just now
    acts: int = 0  # plays and uses of this turn (MM-G6)
    # Counters of the records; LP taken from the other seat by where that came from.
    sources: Counter[str] = field(default_factory=Counter)
    redraws: int = 0
    drawn: int = 0
    mana_put: int = 0
    mana_drawn: int = 0
    mana_spent: int = 0
    special_used: int = 0
    units_played: int = 0
    spells_played: int = 0
    spells_in_battle: int = 0
    abilities_used: int = 0
    sorcerer_used: int = 0
    moves: int = 0
    attacks: int = 0
    attacks_blocked: int = 0
    attacks_ended: int = 0
    blocks: int = 0
    units_lost: int = 0
    units_returned: int = 0
    discarded: int = 0
    lp_gained: int = 0
    most_units: int = 0

    def units(self) -> Iterator[Unit]:
        """Iterate over the own units, place by place."""
        return (unit for unit in self.places if unit is not None)

    def count(self, *, front: bool | None = None) -> int:
        """Return the number of own units, of one area or of both."""
        return sum(front is None or unit.front == front for unit in self.units())

    @property
    def ready_mana(self) -> list[int]:
        """Number of ready mana cards by attribute."""
        ready = [0] * len(ATTRIBUTES)
        for one in self.mana:
            ready[one.attribute] += one.ready
        return ready

    @property
    def mana_of(self) -> list[int]:
        """Number of mana cards by attribute, ready or down."""
        number = [0] * len(ATTRIBUTES)
        for one in self.mana:
            number[one.attribute] += 1
        return number

    def take_from_hand(self, kind: int) -> Card:
        """Take the first card of a kind out of the hand."""
        return self.hand.pop(next(i for i, card in enumerate(self.hand) if card.kind == kind))
