"""What the data files may say, as a model of their plain values, and how large things may be.

Codes of enemies, ways up, spells and hexes follow from their ids alone, never from the order in
which files list them, so that equal rulesets give equal games. The ability cards are those that are
printed; a set with others is another title.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "ABILITIES",
    "BASIC",
    "BOOK",
    "BOOK_KIND",
    "COLOURS",
    "COMPANIONS",
    "DEALT",
    "DIRECTIONS",
    "DRAW_WORDS",
    "FEATURES",
    "MAPS",
    "MOST_DRAWN",
    "MOST_ENEMIES",
    "MOST_ENEMY_LP",
    "MOST_HEXES",
    "MOST_LP",
    "MOST_SPELLS",
    "PARTS",
    "PLACES",
    "SEA",
    "SORTS",
    "STEPS",
    "TERRAINS",
    "Rules",
]

#: Colours of magic, in the order of all arrays that go by colour.
COLOURS = ("red", "green", "blue")

#: Magic parts; a part's place is its code and its bit in a set of parts.
PARTS = (
    "red_basic",
    "green_basic",
    "blue_basic",
    "red_extension",
    "green_extension",
    "blue_extension",
    "light_blue_extension",
)

#: The parts that every wizard begins with, the first ones.
BASIC = 3

BOOK = "grimoire_2"
COMPANIONS = ("hero", "knight", "monk", "porcupine", "princess")

#: All ability cards in the order of their codes, and those that chance deals.
ABILITIES = (*PARTS, BOOK, *COMPANIONS)
DEALT = ABILITIES[BASIC:]
BOOK_KIND = ABILITIES.index(BOOK)

#: Backs of enemy cards, in the order of their codes.
SORTS = ("yellow", "red", "king")

#: Encounter places: the second column of the table (left of the map) from the top, then the fourth.
PLACES = (*(f"left_{row}" for row in range(1, 5)), *(f"right_{row}" for row in range(1, 5)))

TERRAINS = ("forest", "town", "plain", "desert", "sea", "volcano", "castle")
SEA = TERRAINS.index("sea")

MAPS = ("long", "short")

#: Most cards that can be declared: there is an option for each number.
MOST_DRAWN = 4

MOST_HEXES = 64
MOST_ENEMIES = 24
MOST_SPELLS = 16
MOST_ENEMY_LP = 40

#: Most LP that a wizard can have.
MOST_LP = 99

#: Directions of the hexes beside one, in the order of their codes, and what they add to column and
#: height: columns stand upright, and a hex is two high.
STEPS = {
    "go_up": (0, 2),
    "go_up_right": (1, 1),
    "go_down_right": (1, -1),
    "go_down": (0, -2),
    "go_down_left": (-1, -1),
    "go_up_left": (-1, 1),
}
DIRECTIONS = tuple(STEPS)

DRAW_WORDS = tuple(f"draw_{number}" for number in range(1, MOST_DRAWN + 1))

#: Options that nobody can take: they carry the weights of what a draw may bring (``draws.py``).
FEATURES = ("worth_damage", "worth_kill", "worth_paid", "worth_strike", "worth_heal", "worth_loss")

Small = Annotated[int, Field(ge=0, le=20)]
Lp = Annotated[int, Field(ge=1, le=MOST_LP)]


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Text(_Table):
    """A display name."""

    en: str
    ja: str


class ByColour(_Table):
    """A small number for each colour of magic."""

    red: Small = 0
    green: Small = 0
    blue: Small = 0


class Start(_Table):
    """What a wizard begins with."""

    lp: Lp
    cards: Annotated[int, Field(ge=0, le=len(DEALT))]


class LifePoints(_Table):
    """How LP come back."""

    most: Lp
    after_loss: Lp


class Casting(_Table):
    """The magic deck and the draw from it."""

    deck: Literal["all", "chosen"]
    deck_least: Annotated[int, Field(ge=3, le=len(PARTS))]
    most_drawn: Annotated[int, Field(ge=1, le=MOST_DRAWN)]
    left: Annotated[int, Field(ge=0, le=2)]
    cost: Small


class Journey(_Table):
    """Which map is played."""

    map: Literal["long", "short"]


class Limits(_Table):
    """Caps."""

    round_cap: Annotated[int, Field(ge=1, le=200)]
    battle_cap: Annotated[int, Field(ge=1, le=200)]


class Place(_Table):
    """An encounter place beside the map."""

    colour: Literal["yellow", "red"]


class Way(_Table):
    """One of the two ways up of a companion."""

    label: Text
    power: ByColour = ByColour()
    family: str = ""
    start_damage: Small = 0
    turn_damage: Small = 0
    guard: Small = 0
    recover: Small = 0
    sea: Small = 0


class Card(_Table):
    """An ability card; only companions have ways up."""

    label: Text
    ways: dict[str, Way] = {}


class Enemy(_Table):
    """An enemy card. ``ap`` is by LP, from 1 LP up."""

    label: Text
    colour: Literal["yellow", "red", "king"]
    lp: Annotated[int, Field(ge=1, le=MOST_ENEMY_LP)]
    ap: Annotated[list[Small], Field(min_length=1, max_length=MOST_ENEMY_LP)]
    block: ByColour
    family: str
    recover: Small
    mend: Small


class Spell(_Table):
    """A spell: which parts it takes, and what it does."""

    label: Text
    grimoire: Annotated[int, Field(ge=1, le=2)]
    level: Annotated[int, Field(ge=1, le=9)]
    parts: Annotated[list[str], Field(min_length=1, max_length=MOST_DRAWN)]
    power: ByColour = ByColour()
    heal: Small = 0


class Terrain(_Table):
    """A kind of terrain, and what it adds to the blocks of enemies."""

    label: Text
    block: ByColour


class Hex(_Table):
    """A hex of a map. ``at`` is its column and its height; see README.md."""

    at: Annotated[list[Annotated[int, Field(ge=0, le=99)]], Field(min_length=2, max_length=2)]
    terrain: Literal["forest", "town", "plain", "desert", "sea", "volcano", "castle"]
    cost: Small = 0
    recover: Small = 0
    place: str = ""


class Map(_Table):
    """A map: its hexes by id, and where the wizard starts."""

    start: str
    hexes: Annotated[dict[str, Hex], Field(max_length=MOST_HEXES)]


class Maps(_Table):
    """The two sides of the map cards."""

    long: Map
    short: Map


class Terrains(_Table):
    """All terrains."""

    forest: Terrain
    town: Terrain
    plain: Terrain
    desert: Terrain
    sea: Terrain
    volcano: Terrain
    castle: Terrain


class Rules(_Table):
    """All values of a ruleset."""

    start: Start
    lp: LifePoints
    casting: Casting
    journey: Journey
    limits: Limits
    places: dict[str, Place]
    cards: dict[str, Card]
    enemies: dict[str, Enemy]
    spells: Annotated[dict[str, Spell], Field(max_length=MOST_SPELLS)]
    terrains: Terrains
    maps: Maps
