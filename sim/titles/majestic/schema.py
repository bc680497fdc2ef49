"""What the data files may say, as a model of their plain values, and how large things may be.

The order of kinds — their codes — follows from their ids alone, never from the order in which files
list them, so that equal rulesets give equal games.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AREAS",
    "ATTRIBUTES",
    "KEYWORDS",
    "MAIN_CARDS",
    "MANA_CARDS",
    "MAX_AMOUNT",
    "MAX_BONUS",
    "MAX_EFFECTS",
    "MOST_DECKS",
    "MOST_OTHERS",
    "MOST_SMALL",
    "NUMBERS",
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

#: Costs, AP and DP of cards.
MOST_SMALL = 20

#: Cards of a main deck and of a mana deck: least, so that a set-up can be dealt, and most.
MAIN_CARDS, MANA_CARDS = (10, 60), (8, 40)

#: Mana kinds and sorcerers, and decks: small numbers in piles and records of both engines.
MOST_OTHERS, MOST_DECKS = 64, 200

#: Numbers of the rules that are no lists, and what they may be; the kernel holds arrays to them.
NUMBERS = {
    "hand": (1, 8),
    "redraws": (0, 1),
    "lp": (1, 7),
    "draw": (0, 5),
    "first_draw": (0, 5),
    "mana_draw": (1, 5),
    "hand_limit": (0, 40),
    "area_limit": (0, PLACES),
    "round_cap": (1, 99),
    "acts_cap": (1, 999),
}


def _within(ends: tuple[int, int]) -> Any:
    return Field(ge=ends[0], le=ends[1])


def _number(name: str) -> Any:
    return _within(NUMBERS[name])


Small = Annotated[int, Field(ge=0, le=MOST_SMALL)]
#: As many as the largest main deck holds.
Copies = Annotated[int, Field(ge=0, le=MAIN_CARDS[1])]
Effects = Annotated[list[str], Field(max_length=MAX_EFFECTS)]


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Words(_Table):
    """A display name."""

    en: str
    ja: str


class DeckRules(_Table):
    """What a deck must be (MM-D1)."""

    main: Annotated[int, _within(MAIN_CARDS)]
    mana: Annotated[int, _within(MANA_CARDS)]
    copies: Annotated[int, Field(ge=1, le=MAIN_CARDS[1])]
    special: Annotated[int, Field(ge=0, le=MANA_CARDS[1])]


class Start(_Table):
    """The set-up."""

    hand: Annotated[int, _number("hand")]
    redraws: Annotated[int, _number("redraws")]
    lp: Annotated[int, _number("lp")]


class Turn(_Table):
    """Numbers of a turn."""

    draw: Annotated[int, _number("draw")]
    first_draw: Annotated[int, _number("first_draw")]
    mana_draw: Annotated[int, _number("mana_draw")]
    hand_limit: Annotated[int, _number("hand_limit")]
    area_limit: Annotated[int, _number("area_limit")]


class Limits(_Table):
    """Caps."""

    round_cap: Annotated[int, _number("round_cap")]
    acts_cap: Annotated[int, _number("acts_cap")]


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
    decks: Annotated[dict[str, Deck], Field(min_length=1, max_length=MOST_DECKS)]
