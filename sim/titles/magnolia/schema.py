"""What the data files may say, as a model of their plain values, and how large things may be.

The order of kinds — their codes — follows from their ids alone, never from the order in which files
list them, so that equal rulesets give equal games.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "CELLS",
    "CHECKS",
    "JOBS",
    "LIKENESSES",
    "MAX_AMOUNT",
    "MAX_EFFECTS",
    "MOST_COUNTED",
    "MOST_MORE",
    "MOST_OBJECTIVES",
    "MOST_PLAYERS",
    "PHASES",
    "RACES",
    "RESOURCES",
    "SHARED",
    "SIDE",
    "STEPS",
    "Rules",
]

Race = Literal["human", "dwarf", "elf", "goblin", "golem", "demon"]
Job = Literal["lord", "warrior", "artisan", "mage", "priest", "merchant"]

#: Races and jobs in the order of their numbers; a column of the records counts each pair.
RACES: tuple[Race, ...] = ("human", "dwarf", "elf", "goblin", "golem", "demon")
JOBS: tuple[Job, ...] = ("lord", "warrior", "artisan", "mage", "priest", "merchant")

#: What three cards of a line can have in common: races, then jobs.
LIKENESSES = (*RACES, *JOBS)

#: What a seat has, in the order in which bonuses give it.
RESOURCES = ("gold", "vp", "technology", "faith")

#: Phases of a round (MG-R1).
PHASES = ("draw", "placement", "war", "development", "income", "vp")

#: When effects work: ``front`` while power is counted, the others as abilities of that phase.
STEPS = ("front", *PHASES[1:])

#: When objectives are checked (MG-O2), and what a shared rank is worth (MG-W2).
CHECKS = ("phase", "bonus", "round")
SHARED = ("full", "divided")

#: Rows and columns of a field, and its cells.
SIDE = 3
CELLS = SIDE * SIDE

MOST_PLAYERS = 5

#: Largest amount of a primitive, largest number of effects of a card in a step.
MAX_AMOUNT = 99
MAX_EFFECTS = 8

#: Most copies of a kind beyond the first.
MOST_MORE = 8

#: Most objective cards.
MOST_OBJECTIVES = 32

#: What gold, VP, levels and power may grow to (MG-X4).
MOST_COUNTED = 9999

Small = Annotated[int, Field(ge=0, le=99)]
Count = Annotated[int, Field(ge=0, le=MOST_COUNTED)]
Effects = Annotated[list[str], Field(max_length=MAX_EFFECTS)]


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Text(_Table):
    """A display name."""

    en: str
    ja: str


class Start(_Table):
    """What a seat begins with."""

    gold: Small


class Draw(_Table):
    """The draw phase."""

    hand: Annotated[int, Field(ge=1, le=10)]
    exchange_from: Annotated[int, Field(ge=1, le=99)]


class Placement(_Table):
    """The placement phase: gold by the number of cards played, 0 to 2."""

    gold: Annotated[list[Small], Field(min_length=3, max_length=3)]


class WarVp(_Table):
    """VP by rank, first rank first, by number of players."""

    two: Annotated[list[Small], Field(alias="2p", min_length=2, max_length=2)]
    three: Annotated[list[Small], Field(alias="3p", min_length=3, max_length=3)]
    four: Annotated[list[Small], Field(alias="4p", min_length=4, max_length=4)]
    five: Annotated[list[Small], Field(alias="5p", min_length=5, max_length=5)]


class War(_Table):
    """The war phase."""

    vp: WarVp
    shared: Literal["full", "divided"]
    least_power: Small
    gained_from: Annotated[int, Field(ge=0, le=99)]


class Income(_Table):
    """The income phase."""

    gold: Small


class End(_Table):
    """When a game ends, and what gold is worth then."""

    vp: Annotated[int, Field(ge=1, le=MOST_COUNTED)]
    cards: Annotated[int, Field(ge=1, le=CELLS)]
    gold_per_vp: Annotated[int, Field(ge=1, le=99)]


class Objective(_Table):
    """An objective card."""

    label: Text
    vp: Small
    needs: str


class Objectives(_Table):
    """The objective cards and how they are used."""

    used: bool
    open: Annotated[int, Field(ge=0, le=MOST_OBJECTIVES)]
    check: Literal["phase", "bonus", "round"]
    cards: Annotated[dict[str, Objective], Field(max_length=MOST_OBJECTIVES)]


class Limits(_Table):
    """Caps."""

    round_cap: Annotated[int, Field(ge=1, le=99)]


class Bonus(_Table):
    """What a line of a race or a job pays."""

    gold: Small = 0
    vp: Small = 0
    technology: Small = 0
    faith: Small = 0


class Card(_Table):
    """A kind of card."""

    label: Text
    race: Race
    job: Job
    cost: Small
    power: Small = 0
    more: Annotated[int, Field(ge=0, le=MOST_MORE)] = 0
    front: Effects = []
    placement: Effects = []
    war: Effects = []
    development: Effects = []
    income: Effects = []
    vp: Effects = []


class Rules(_Table):
    """All values of a ruleset."""

    start: Start
    draw: Draw
    placement: Placement
    war: War
    income: Income
    end: End
    objectives: Objectives
    limits: Limits
    bonuses: dict[str, Bonus]
    cards: dict[str, Card]
