"""What a game consists of: the wizard, the encounter places, the battle under way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sim.core.pile import Card, Pile

__all__ = ["Battle", "Companion", "Place", "Wizard"]


@dataclass(slots=True)
class Companion:
    """A companion on the wizard's side, and the way up in which it lies (a code of the tables)."""

    card: Card
    way: int


@dataclass(slots=True)
class Place:
    """An encounter place: what lies there, and the number of its battle, 0 before it."""

    enemy: Card | None = None
    ability: Card | None = None
    beaten: bool = False
    order: int = 0


@dataclass(slots=True)
class Battle:
    """The battle under way. ``place`` is -1 at the castle; ``turn`` counts those begun."""

    enemy: int  # place in the tables' enemies
    place: int
    terrain: int
    lp: int
    turn: int = 0


@dataclass(slots=True)
class Wizard:
    """The wizard: LP, where it stands, its cards in the order of arrival, and its counters.

    ``hand`` holds magic parts and the Grimoire 2; during a battle turn parts are in ``deck`` and
    ``drawn``.
    """

    index: int = 0
    lp: int = 0
    hex: int = 0
    hand: list[Card] = field(default_factory=list)
    companions: list[Companion] = field(default_factory=list)
    deck: Pile = field(default_factory=Pile)
    drawn: list[Card] = field(default_factory=list)
    lost: list[Card] = field(default_factory=list)
    aside: list[Card] = field(default_factory=list)  # barred cards, laid away (UW-A2)
    started_with: list[int] = field(default_factory=list)
    ways_laid: dict[int, int] = field(default_factory=dict)  # kind of a companion → way up
    # Counters of the records; LP by where they come from and where they go.
    sources: Counter[str] = field(default_factory=Counter)
    battles_won: int = 0
    yellow_won: int = 0
    red_won: int = 0
    battle_turns: int = 0
    parts_drawn: int = 0
    spells_cast: int = 0
    damage: int = 0
    companions_lost: int = 0
    healed_at_0: int = 0
    recoveries: int = 0
    sea_moves: int = 0
