"""What the data files may say, as a model of their plain values, and how large things may be.

The order of kinds — their codes — follows from their ids alone, never from the order in which files
list them, so that equal rulesets give equal games.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AREAS",
    "ATTRIBUTES",
    "KEYWORDS",
    "MAX_AMOUNT",
    "MAX_BONUS",
    "MAX_EFFECTS",
    "PHASES",
    "PLACES",
    "PLAYERS",
    "SIDES",
    "SORTS",
    "TARGETS",
    "UPRIGHT",
    "WHOM",
    "Rules",
]

Attribute = Literal["fire", "water", "earth", "wind"]
Keyword = Literal["swift", "evasive", "ranged", "sentinel", "bound"]
Sort = Literal["unit", "spell"]
Target = Literal["", "own", "enemy", "any"]

#: Attributes in the order of their numbers; columns of the records count them.
ATTRIBUTES: tuple[Attribute, ...] = ("fire", "water", "earth", "wind")

#: Keywords of units, bit by place (MM-U6).
KEYWORDS: tuple[Keyword, ...] = ("swift", "evasive", "ranged", "sentinel", "bound")

SORTS: tuple[Sort, ...] = ("unit", "spell")

#: What a text asks its player to choose: nothing, or a unit of its own, of the other seat, of both.
TARGETS: tuple[Target, ...] = ("", "own", "enemy", "any")

#: Words of effects: which units, which seat, which area, how mana is put.
WHOM = ("target", "self", "own", "enemy", "all", "attacker", "blocker")
SIDES = ("own", "enemy", "both")
AREAS = ("front", "back")
UPRIGHT = ("ready", "down")

#: Phases of a turn (MM-T).
PHASES = ("regenerate", "draw", "mana", "main", "battle", "end")

PLAYERS = 2

#: Places for the units of a seat (MM-U2).
PLACES = 12

#: Largest amount of a primitive, and of AP and DP given, either way; most effects of a text.
MAX_AMOUNT = 40
MAX_BONUS = 20
MAX_EFFECTS = 6

Small = Annotated[int, Field(ge=0, le=20)]
#: As many as the largest main deck holds.
Copies = Annotated[int, Field(ge=0, le=60)]
Effects = Annotated[list[str], Field(max_length=MAX_EFFECTS)]


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Words(_Table):
    """A display name."""

    en: str
    ja: str


class DeckRules(_Table):
    """What a deck must be (MM-D1)."""

    main: Annotated[int, Field(ge=10, le=60)]
    mana: Annotated[int, Field(ge=8, le=40)]
    copies: Annotated[int, Field(ge=1, le=60)]
    special: Annotated[int, Field(ge=0, le=40)]


class Start(_Table):
    """The set-up."""

    hand: Annotated[int, Field(ge=1, le=8)]
    redraws: Annotated[int, Field(ge=0, le=1)]
    lp: Annotated[int, Field(ge=1, le=7)]


class Turn(_Table):
    """Numbers of a turn."""

    draw: Annotated[int, Field(ge=0, le=5)]
    first_draw: Annotated[int, Field(ge=0, le=5)]
    mana_draw: Annotated[int, Field(ge=1, le=5)]
    hand_limit: Annotated[int, Field(ge=0, le=40)]
    area_limit: Annotated[int, Field(ge=0, le=PLACES)]


class Limits(_Table):
    """Caps."""

    round_cap: Annotated[int, Field(ge=1, le=99)]
    acts_cap: Annotated[int, Field(ge=1, le=999)]


class Text(_Table):
    """What something says: whom it asks for, when it can be used, what it does."""

    target: Target = ""
    where: str = ""
    needs: str = ""
    effects: Effects = []


class Ability(Text):
    """An ability of a unit or a sorcerer, and what using it takes."""

    cost: Small = 0
    down: bool = False


class Card(Text):
    """A kind of card of main decks; its text is what a spell does, or a unit when played."""

    label: Words
    attribute: Attribute
    sort: Sort
    cost: Small
    ap: Small = 0
    dp: Small = 0
    keywords: list[Keyword] = []
    ability: Ability | None = None


class Mana(Text):
    """A kind of mana card; special mana has effects."""

    label: Words
    attribute: Attribute


class Sorcerer(_Table):
    """A sorcerer."""

    label: Words
    attribute: Attribute
    ability: Ability


class Deck(_Table):
    """A deck: one sorcerer, and copies by kind."""

    label: Words
    about: str = ""
    sorcerer: str
    main: dict[str, Copies]
    mana: dict[str, Copies]


class Rules(_Table):
    """All values of a ruleset."""

    deck: DeckRules
    start: Start
    turn: Turn
    limits: Limits
    cards: Annotated[dict[str, Card], Field(min_length=1)]
    mana: Annotated[dict[str, Mana], Field(min_length=1)]
    sorcerers: Annotated[dict[str, Sorcerer], Field(min_length=1)]
    decks: Annotated[dict[str, Deck], Field(min_length=1, max_length=200)]
