"""What the data files may say, as a model of their plain values, and how large things may be.

The order of kinds — their codes — follows from their ids alone, never from the order in which files
list them, so that equal rulesets give equal games.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "BASIC",
    "CURSE",
    "MAX_AMOUNT",
    "MAX_EFFECTS",
    "MOST_COUNTED",
    "MOST_IN_COLUMN",
    "MOST_IN_PILE",
    "MOST_PLAYERS",
    "MOST_POINTS",
    "PILE_CAPACITY",
    "PROVINCE",
    "SORTS",
    "Rules",
]

#: Sorts of cards, in the order of their codes; each is a group.
SORTS = ("treasure", "victory", "curse", "action")

#: The kinds that every game has, with their sorts. They have the first codes; all others are
#: actions, ordered by id.
BASIC = {
    "copper": "treasure",
    "silver": "treasure",
    "gold": "treasure",
    "estate": "victory",
    "duchy": "victory",
    "province": "victory",
    "curse": "curse",
}

#: Codes of the kinds that rules of their own ask for.
PROVINCE, CURSE = (list(BASIC).index(name) for name in ("province", "curse"))

MOST_PLAYERS = 4

#: Largest amount of a primitive; a multiple of it must still fit into a counter.
MAX_AMOUNT = 99

#: Most effects of a card.
MAX_EFFECTS = 16

#: Most points that one card may be worth, either way.
MOST_POINTS = 99

#: Cards that a seat may own, and that a pile holds in the kernel (CL-E5).
PILE_CAPACITY = 248

#: Cards in a pile before the first turn.
MOST_IN_PILE = 200

#: What actions, buys and coins may grow to (CL-E5).
MOST_COUNTED = 1_000_000_000

#: Where a count of the cards group stops (CL-E5).
MOST_IN_COLUMN = 65_535

Small = Annotated[int, Field(ge=0, le=99)]
Size = Annotated[int, Field(ge=0, le=MOST_IN_PILE)]
Few = Annotated[int, Field(ge=0, le=20)]


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Text(_Table):
    """A display name."""

    en: str
    ja: str


class StartDeck(_Table):
    """Cards of a starting deck."""

    copper: Few
    estate: Few


class Start(_Table):
    """Set-up of a seat."""

    deck: StartDeck


class Turn(_Table):
    """What a turn begins with, and how many cards are drawn for the next one."""

    actions: Few
    buys: Few
    hand: Few


class Supply(_Table):
    """Which action kinds lie in the supply."""

    kinds: Small
    fixed: Annotated[list[str], Field(max_length=99)]


class VictoryPiles(_Table):
    """Estates, duchies and provinces each, by number of players."""

    one: Annotated[Size, Field(alias="1p")]
    two: Annotated[Size, Field(alias="2p")]
    three: Annotated[Size, Field(alias="3p")]
    four: Annotated[Size, Field(alias="4p")]


class Piles(_Table):
    """Sizes of the piles."""

    copper: Size
    silver: Size
    gold: Size
    victory: VictoryPiles
    action: Size
    curses_per_rival: Few


class End(_Table):
    """When a game ends."""

    piles: Annotated[int, Field(ge=1, le=99)]


class Limits(_Table):
    """Caps."""

    round_cap: Annotated[int, Field(ge=1, le=200)]


class Card(_Table):
    """A kind of card."""

    label: Text
    sort: Literal["treasure", "victory", "curse", "action"]
    cost: Small
    coins: Small = 0
    points: Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)] = 0
    effects: Annotated[list[str], Field(max_length=MAX_EFFECTS)] = []
    reaction: bool = False


class Rules(_Table):
    """All values of a ruleset."""

    start: Start
    turn: Turn
    supply: Supply
    piles: Piles
    end: End
    limits: Limits
    cards: dict[str, Card]
