"""What the data files of Gran Magia may say, as a model of their plain values.

The order of kinds and witches — their codes — follows from the values alone and never from the
order in which files list them, so that equal rulesets give equal games.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sim.titles.granmagia.limits import MAX_LISTED, MOST_NEEDED, MOST_TRUTH, SEAL_COST

__all__ = [
    "ARCANA",
    "ATTRIBUTES",
    "BASIC",
    "CURSE",
    "FIXED_GROUPS",
    "ID",
    "SORTS",
    "TAGS",
    "TIMINGS",
    "VICTORIES",
    "WITCHES",
    "Card",
    "Rules",
    "Seal",
    "Witch",
    "kind_order",
    "witch_order",
]

#: Sorts of cards, in the order of their codes.
SORTS = ("stone", "truth", "curse", "start", "magic", "rare", "exclusive")

#: The kinds that every game has, with their sorts. They have the first codes, in this order.
BASIC = {
    "fragment": "stone",
    "stone": "stone",
    "great_stone": "stone",
    "charm": "truth",
    "ritual": "truth",
    "arcana": "truth",
    "curse": "curse",
    "note": "start",
    "apprentice": "start",
}

#: Codes of the kinds that rules of their own ask for.
ARCANA, CURSE = (list(BASIC).index(name) for name in ("arcana", "curse"))

#: Witches of the published rules, in their order; others follow by id.
WITCHES = (
    "celestina",
    "marisrosetta",
    "sophia",
    "felicia",
    "ignis",
    "eclair",
    "aurelise",
    "brynhild",
    "beelzebel",
)

#: Attributes that rules refer to; each is a group.
ATTRIBUTES = ("attack", "defence", "duration", "permanent", "familiar")

#: Tags that rules refer to; each is a group. Cards may carry others, which are groups too.
TAGS = ("hand_growing", "burn", "notes")

#: Groups that are there in every ruleset besides tags and attributes.
FIXED_GROUPS = (
    "card",
    "stones",
    "truths",
    "magic",
    "common",
    "rare",
    "exclusive",
    "any_witch",
    "piles",
)

#: What a special victory counts, in the order of the codes (GM-N).
VictoryKind = Literal[
    "none",
    "mana",
    "curses",
    "tokens",
    "rewards",
    "uses",
    "arcana_spread",
    "extra_gold",
    "kinds",
    "arcana_owned",
]
VICTORIES: tuple[str, ...] = get_args(VictoryKind)

#: When a special victory that holds is won, in the order of the codes (GM-W4).
Timing = Literal["at_once", "turn_start"]
TIMINGS: tuple[str, ...] = get_args(Timing)

#: What an id or a tag looks like.
ID = re.compile(r"[a-z][a-z0-9_]*")

Small = Annotated[int, Field(ge=0, le=99)]
Size = Annotated[int, Field(ge=-1, le=999)]
Needed = Annotated[int, Field(ge=0, le=MOST_NEEDED)]
Names = Annotated[list[str], Field(max_length=MAX_LISTED)]
Chapter = Annotated[int, Field(ge=1, le=99)]
Attribute = Literal["attack", "defence", "duration", "permanent", "familiar"]


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Text(_Table):
    """A display name."""

    en: str
    ja: str


class StartDeck(_Table):
    """Cards of a starting deck."""

    fragment: Annotated[int, Field(ge=0, le=20)]
    note: Annotated[int, Field(ge=0, le=20)]
    apprentice: Annotated[int, Field(ge=0, le=1)]


class Start(_Table):
    """Set-up of a seat."""

    hand: Annotated[int, Field(ge=0, le=20)]
    deck: StartDeck


class Coins(_Table):
    """Coins that a seat begins with."""

    silver: Small
    gold: Small


class _TwoSeats(_Table):
    seat1: Coins
    seat2: Coins


class _ThreeSeats(_TwoSeats):
    seat3: Coins


class _FourSeats(_ThreeSeats):
    seat4: Coins


class Compensation(_Table):
    """Coins by number of players and seat: ``compensation.3p.seat3.gold``."""

    two: Annotated[_TwoSeats, Field(alias="2p")]
    three: Annotated[_ThreeSeats, Field(alias="3p")]
    four: Annotated[_FourSeats, Field(alias="4p")]


class Copies(_Table):
    """Copies of each drawn kind by number of players."""

    two: Annotated[int, Field(ge=1, le=15, alias="2p")]
    three: Annotated[int, Field(ge=1, le=15, alias="3p")]
    four: Annotated[int, Field(ge=1, le=15, alias="4p")]


class Supply(_Table):
    """How the magic deck is put together."""

    chapters: Annotated[list[Chapter], Field(min_length=1, max_length=MAX_LISTED)]
    kinds: Annotated[int, Field(ge=2, le=20)]
    rares_per_player: Annotated[int, Field(ge=0, le=5)]
    third_burn_accept: Annotated[int, Field(ge=0, le=10_000)]
    attempts: Annotated[int, Field(ge=1, le=1_000_000)]
    copies: Copies


class FieldRules(_Table):
    """The public field."""

    kinds: Annotated[int, Field(ge=1, le=20)]
    end_kinds: Annotated[int, Field(ge=0, le=19)]
    arcana_burn: Annotated[int, Field(ge=0, le=10)]


class Piles(_Table):
    """Sizes of the piles."""

    fragment: Size
    stone: Size
    great_stone: Size
    charm: Size
    ritual: Size
    arcana: Size
    curses_per_rival: Small
    start_taken: bool


class Turn(_Table):
    """What a turn begins and ends with."""

    casts: Annotated[int, Field(ge=0, le=9)]
    acquisitions: Annotated[int, Field(ge=0, le=9)]
    hand: Annotated[int, Field(ge=1, le=20)]
    reversal: Annotated[list[Annotated[int, Field(ge=0, le=20)]], Field(max_length=10)]


class Contract(_Table):
    """Contracts of all witches."""

    discount_round: Annotated[int, Field(ge=1, le=999)]
    discount: Small
    gift_place: Literal["discard", "hand"]


class Defence(_Table):
    """What defences cost (GM-A)."""

    doll_gold: Small
    barrier_casts: Small


class Limits(_Table):
    """Caps."""

    round_cap: Annotated[int, Field(ge=1, le=200)]


class Card(_Table):
    """A kind of card."""

    label: Text
    sort: Literal["stone", "truth", "curse", "start", "magic", "rare", "exclusive"]
    cost: Small
    mana: Small = 0
    truth: Annotated[int, Field(ge=-MOST_TRUTH, le=MOST_TRUTH)] = 0
    upgrade: str | None = None
    chapter: Chapter | None = None
    mana_only: bool = False
    tags: Names = []
    attributes: Annotated[list[Attribute], Field(max_length=MAX_LISTED)] = []
    effects: Names = []
    turn_start: Names = []
    reward: Names = []
    needs: Names = []
    defends: Literal["hand", "field"] | None = None
    gives: str | None = None
    #: 0 only where nothing is given.
    gives_every: Small = 0

    @model_validator(mode="after")
    def _tags(self) -> Self:
        for tag in self.tags:
            if not ID.fullmatch(tag):
                raise ValueError(f"a tag is a word like hand_growing, not {tag!r}")
        return self


class Powers(_Table):
    """What a contract with a witch changes for as long as it lasts (GM-N); 0 is no such power."""

    stone_gold: Small = 0
    extra_turn_gold: Small = 0
    curse_penalty: Small = 0
    arcana_discount: Small = 0
    notes_as_arcana: bool = False
    tokens_for_truth: bool = False
    token_draw: Small = 0
    rewards: bool = False


class Need(_Table):
    """How much a special victory needs, by number of players."""

    two: Annotated[Needed, Field(alias="2p")] = 0
    three: Annotated[Needed, Field(alias="3p")] = 0
    four: Annotated[Needed, Field(alias="4p")] = 0


class Victory(_Table):
    """A special victory (GM-W3). Left out, there is none."""

    kind: VictoryKind | None = None
    truth: Needed = 0
    timing: Timing | None = None
    enabled: bool = False
    card: str | None = None
    need: Need = Need()


class Witch(_Table):
    """A witch that can be contracted."""

    label: Text
    cost: Small
    enabled: bool
    gifts: Names
    note_gifts: Names
    ability: Names = []
    powers: Powers = Powers()
    victory: Victory = Victory()


class Seal(_Table):
    """A seal that lies on a pile (GM-K4)."""

    label: Text
    cost: Annotated[int, Field(ge=-SEAL_COST, le=SEAL_COST)]
    piles: str
    effects: Names


class Rules(_Table):
    """All values of a ruleset."""

    start: Start
    compensation: Compensation
    supply: Supply
    field: FieldRules
    piles: Piles
    turn: Turn
    contract: Contract
    defence: Defence
    limits: Limits
    cards: dict[str, Card]
    witches: dict[str, Witch]
    seals: dict[str, Seal] = {}


def kind_order(cards: dict[str, tuple[str, int | None]]) -> tuple[str, ...]:
    """Return card ids in the order of their codes.

    Parameters
    ----------
    cards : dict
        id → (sort, chapter).

    Examples
    --------
    >>> kind_order({"b": ("magic", 1), "a": ("magic", 2), "r": ("rare", None)})
    ('b', 'a', 'r')
    """
    basic = list(BASIC)

    def place(name: str) -> tuple[int, int, int, str]:
        sort, chapter = cards[name]
        known = basic.index(name) if name in BASIC else len(basic)
        return known, SORTS.index(sort), chapter or 0, name

    return tuple(sorted(cards, key=place))


def witch_order(witches: list[str]) -> tuple[str, ...]:
    """Return witch ids in the order of their codes: the published nine, then others by id.

    Examples
    --------
    >>> witch_order(["zoe", "sophia", "celestina"])
    ('celestina', 'sophia', 'zoe')
    """

    def place(name: str) -> tuple[int, str]:
        return (WITCHES.index(name) if name in WITCHES else len(WITCHES)), name

    return tuple(sorted(witches, key=place))
