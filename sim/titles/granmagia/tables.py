"""From a ruleset to the arrays that both engines read.

Layout
------
All arrays are C-contiguous and hold whole numbers; the structured ones are packed, and the
kernel's structs are their twins, field by field.

``rules``      ``RULES`` (one record): the single numbers of the ruleset
``kinds``      ``KIND`` (one record a kind): see below
``effects``    ``EFFECT``: ``kinds[k].effect_first`` and ``.effect_count`` are the span of kind k's
               text; ``turn_…`` and ``reward_…`` are those of its turn starts and its reward
``conds``      ``int32[c, 4]``: observable, argument, operator, value, as in policies; an effect's
               span is ``cond_first``, ``cond_count``; what a kind needs for a cast has the span
               ``need_first``, ``need_count``
``witches``    ``WITCH`` (one record a witch), with the span of her ability in ``effects``
``seals``      ``SEAL`` (one record a seal), with the span of its effects
``gifts``      ``int16``: kinds; a witch has the span of her gifts and the span of her note gifts
``groups``     ``uint64[groups, MASK_WORDS]``: option codes of each group, bit by code
``pool``       ``int16``: magic kinds of the chosen chapters, ascending: candidates of the supply
``rares``      ``int16``: rares, ascending
``coins``      ``int32[3, 4, 2]``: (silver, gold) by players - 2 and seat
``copies``     ``int32[3]``: copies of each drawn kind by players - 2
``reversal``   ``int32``: cards drawn by hand size at a turn's start; larger hands draw none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sim.core.expression import parse_conditions, parse_effect
from sim.core.mask import bits, masks
from sim.core.vocabulary import Vocabulary
from sim.titles.granmagia.schema import ATTRIBUTES, SORTS, TIMINGS, VICTORIES
from sim.titles.granmagia.words import PRIMITIVES, seal_ids, vocabulary

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = [
    "EFFECT",
    "ENDLESS",
    "KIND",
    "NO_PILE",
    "RULES",
    "SEAL",
    "WITCH",
    "Flag",
    "Tables",
    "card_flags",
    "castable",
    "compile_tables",
]

#: A pile that never empties, and the pile of a kind that has none.
ENDLESS, NO_PILE = -1, -2


class Flag:
    """Bits of ``KIND.flags``."""

    CASTABLE = 1  #: can be cast: it has a text or stays in the field (GM-T3, GM-S5, GM-C8)
    MANA_ONLY = 2  #: paid with mana alone (GM-T5)
    ON_OFFER = 4  #: always on offer from its pile (GM-F5)
    NAMED_ONLY = 8  #: obtained by named witches only (GM-C3)
    ARCANA = 16  #: burns the magic deck when obtained (GM-F8)
    NOTE = 32  #: burned by its owner's contract (GM-C2)
    APPRENTICE = 64  #: removed by its owner's contract (GM-C2)
    HAND_GROWING = 128  #: GM-F2
    BURN = 256  #: GM-F2
    ATTACK = 512  #: GM-F2, GM-K9
    DEFENCE = 1024  #: GM-F2, GM-K9
    DURATION = 2048  #: GM-K1
    PERMANENT = 4096  #: GM-K2
    FAMILIAR = 8192  #: GM-K3
    DEFENDS_HAND = 16384  #: defends from hand (GM-A2)
    DEFENDS_FIELD = 32768  #: defends from the own field (GM-A2)
    MAGIC = 65536  #: a magic card of whatever sort (GM-K7, GM-N8)


RULES = np.dtype(
    [
        (name, "<i4")
        for name in (
            "kinds",  # number of kinds = code of the first witch
            "witches",
            "options",  # kinds + witches + 1; stop is options - 1
            "start_hand",
            "start_taken",  # 1: starting decks come out of the piles
            "turn_casts",
            "turn_acquisitions",
            "turn_hand",
            "supply_kinds",
            "supply_attempts",
            "third_burn_accept",
            "rares_per_player",
            "field_kinds",
            "end_kinds",
            "arcana_burn",
            "curses_per_rival",
            "discount_round",
            "discount",
            "gift_to_hand",  # 1: gifts of a contract go to hand
            "round_cap",
            "seals",
            "doll_gold",
            "barrier_casts",
        )
    ]
)

KIND = np.dtype(
    [
        ("cost", "<i2"),
        ("mana", "<i2"),
        ("truth", "<i2"),
        ("upgrade", "<i2"),  # next larger stone, -1 for none
        ("pile", "<i2"),  # cards in its pile, ENDLESS, NO_PILE; the curse pile is made at set-up
        ("start", "<i2"),  # copies in a starting deck
        ("effect_first", "<u2"),
        ("effect_count", "<u2"),
        ("flags", "<u4"),
        ("sort", "u1"),  # place in SORTS
        ("chapter", "u1"),  # 0 for none
        ("turn_first", "<u2"),  # effects at own turn starts
        ("turn_count", "<u2"),
        ("reward_first", "<u2"),  # effects of a familiar's reward
        ("reward_count", "<u2"),
        ("need_first", "<u2"),  # conditions that must hold for a cast
        ("need_count", "<u2"),
        ("gives", "<i2"),  # kind that every so many uses bring, -1 for none
        ("gives_every", "<i2"),  # 1 or more
    ]
)

#: Powers of witches, in the order of their fields in ``WITCH``.
POWERS = (
    "stone_gold",
    "extra_turn_gold",
    "curse_penalty",
    "arcana_discount",
    "notes_as_arcana",
    "tokens_for_truth",
    "token_draw",
    "rewards",
)

EFFECT = np.dtype(
    [
        (name, "<i4")
        for name in (
            "op",  # place in PRIMITIVES
            "amount",  # of the primitive seal: the seal's number
            "group",
            "place",  # place in PLACES
            "per_observable",  # -1: not multiplied
            "per_argument",
            "cond_first",
            "cond_count",
        )
    ]
)

WITCH = np.dtype(
    [
        (name, "<i2")
        for name in (
            "cost",
            "enabled",
            "gift_first",
            "gift_count",
            "note_first",
            "note_count",
            "ability_first",  # effects at own turn starts
            "ability_count",
            *POWERS,
            "victory",  # place in VICTORIES; 0 too when it is not enabled
            "truth",
            "timing",  # place in TIMINGS
            "card",  # kind that a victory by uses counts, -1 for none
            "need2",
            "need3",
            "need4",
        )
    ]
)

SEAL = np.dtype([(name, "<i4") for name in ("cost", "group", "effect_first", "effect_count")])


@dataclass(frozen=True)
class Tables:
    """A ruleset as arrays, and the names that its numbers stand for."""

    ruleset_hash: str
    words: Vocabulary
    kind_names: tuple[str, ...]
    witch_names: tuple[str, ...]
    seal_names: tuple[str, ...]
    rules: npt.NDArray[np.void]
    kinds: npt.NDArray[np.void]
    effects: npt.NDArray[np.void]
    conds: npt.NDArray[np.int32]
    witches: npt.NDArray[np.void]
    seals: npt.NDArray[np.void]
    gifts: npt.NDArray[np.int16]
    groups: npt.NDArray[np.uint64]
    pool: npt.NDArray[np.int16]
    rares: npt.NDArray[np.int16]
    coins: npt.NDArray[np.int32]
    copies: npt.NDArray[np.int32]
    reversal: npt.NDArray[np.int32]
    #: What the ruleset says of cards, witches and seals, for the story only.
    texts: dict[str, Any]

    # What follows is for the reference engine, which works with plain numbers.

    @cached_property
    def rule(self) -> dict[str, int]:
        """The single numbers by name."""
        return {name: int(self.rules[0][name]) for name in RULES.names or ()}

    @cached_property
    def cost(self) -> list[int]:
        """Cost by kind."""
        return [int(value) for value in self.kinds["cost"]]

    @cached_property
    def mana(self) -> list[int]:
        """Mana of a stone by kind."""
        return [int(value) for value in self.kinds["mana"]]

    @cached_property
    def truth(self) -> list[int]:
        """Truth by kind."""
        return [int(value) for value in self.kinds["truth"]]

    @cached_property
    def sort(self) -> list[str]:
        """Sort by kind."""
        return [SORTS[value] for value in self.kinds["sort"]]

    @cached_property
    def upgrade(self) -> list[int]:
        """Next larger stone by kind, -1 for none."""
        return [int(value) for value in self.kinds["upgrade"]]

    @cached_property
    def flags(self) -> list[int]:
        """Flags by kind."""
        return [int(value) for value in self.kinds["flags"]]

    @cached_property
    def group_bits(self) -> list[int]:
        """Option codes of each group as one whole number, bit by code."""
        return [bits(row) for row in self.groups]

    @cached_property
    def kind_effects(self) -> list[list[dict[str, Any]]]:
        """Effects by kind: the fields of ``EFFECT``, with ``conds`` as a list."""
        return self._effects(self.kinds, "effect")

    @cached_property
    def kind_turn_start(self) -> list[list[dict[str, Any]]]:
        """Effects at own turn starts by kind, as ``kind_effects``."""
        return self._effects(self.kinds, "turn")

    @cached_property
    def kind_reward(self) -> list[list[dict[str, Any]]]:
        """Effects of a familiar's reward by kind, as ``kind_effects``."""
        return self._effects(self.kinds, "reward")

    @cached_property
    def kind_needs(self) -> list[list[list[int]]]:
        """Conditions that must hold for a cast, by kind."""
        return [
            self.conds[int(kind["need_first"]) :][: int(kind["need_count"])].tolist()
            for kind in self.kinds
        ]

    @cached_property
    def kind_gives(self) -> list[tuple[int, int]]:
        """Kind that uses bring, -1 for none, and after how many; by kind."""
        return list(
            zip(*(self.kinds[name].tolist() for name in ("gives", "gives_every")), strict=True)
        )

    @cached_property
    def witch_ability(self) -> list[list[dict[str, Any]]]:
        """Effects of an ability by witch, as ``kind_effects``."""
        return self._effects(self.witches, "ability")

    @cached_property
    def witch_fields(self) -> list[dict[str, int]]:
        """The fields of ``WITCH`` by witch: powers and special victory."""
        return [{name: int(witch[name]) for name in WITCH.names or ()} for witch in self.witches]

    @cached_property
    def seal_effects(self) -> list[list[dict[str, Any]]]:
        """Effects by seal, as ``kind_effects``."""
        return self._effects(self.seals, "effect")

    @cached_property
    def seal_cost(self) -> list[int]:
        """What a seal adds to prices, by seal."""
        return [int(value) for value in self.seals["cost"]]

    @cached_property
    def seal_group(self) -> list[int]:
        """Group of the piles that a seal may lie on, by seal."""
        return [int(value) for value in self.seals["group"]]

    def _effects(self, rows: npt.NDArray[np.void], span: str) -> list[list[dict[str, Any]]]:
        plain = []
        for row in rows:
            first, count = int(row[f"{span}_first"]), int(row[f"{span}_count"])
            effects = []
            for effect in self.effects[first : first + count]:
                fields = {name: int(effect[name]) for name in EFFECT.names or ()}
                start = fields["cond_first"]
                conds = self.conds[start : start + fields["cond_count"]].tolist()
                effects.append(fields | {"conds": conds})
            plain.append(effects)
        return plain

    @cached_property
    def witch_cost(self) -> list[int]:
        """Contract cost by witch, before the discount."""
        return [int(value) for value in self.witches["cost"]]

    @cached_property
    def witch_gifts(self) -> list[list[int]]:
        """Kinds that come with a witch's contract."""
        return self._spans("gift_first", "gift_count")

    @cached_property
    def witch_note_gifts(self) -> list[list[int]]:
        """Kinds that a witch gives for the first, second, … note burned."""
        return self._spans("note_first", "note_count")

    def _spans(self, first: str, count: str) -> list[list[int]]:
        return [
            self.gifts[int(witch[first]) : int(witch[first]) + int(witch[count])].tolist()
            for witch in self.witches
        ]


def compile_tables(ruleset: Ruleset) -> Tables:
    """Turn a ruleset, which has passed ``checks.problems``, into the arrays of both engines."""
    values = ruleset.values
    words = vocabulary(ruleset)
    witch_first, stop = len(words.arguments["kind"]), words.stop
    kind_names, witch_names = words.options[:witch_first], words.options[witch_first:stop]
    seal_names, texts = seal_ids(values), _Effects(words)
    kinds = _kinds(values, kind_names, texts)
    witches, gifts = _witches(values, kind_names, witch_names, texts)
    seals = _seals(values, seal_names, texts)
    chapters = set(values["supply"]["chapters"])
    pool = [code for code, kind in enumerate(kinds) if kind["chapter"] in chapters]
    rares = list(words.groups["rare"])
    groups = masks(words.groups.values())
    coins = np.zeros((3, 4, 2), np.int32)
    for players in (2, 3, 4):
        for seat in range(players):
            given = values["compensation"][f"{players}p"][f"seat{seat + 1}"]
            coins[players - 2, seat] = given["silver"], given["gold"]
    return Tables(
        ruleset_hash=ruleset.hash,
        words=words,
        kind_names=kind_names,
        witch_names=witch_names,
        seal_names=seal_names,
        rules=_rules(values, len(kind_names), len(witch_names)),
        kinds=kinds,
        effects=np.array(texts.effects, EFFECT).reshape(-1),
        conds=np.array(texts.conds, np.int32).reshape(-1, 4),
        witches=witches,
        seals=seals,
        gifts=gifts,
        groups=groups,
        pool=np.array(pool, np.int16),
        rares=np.array(rares, np.int16),
        coins=coins,
        copies=np.array([values["supply"]["copies"][f"{n}p"] for n in (2, 3, 4)], np.int32),
        reversal=np.array(values["turn"]["reversal"], np.int32),
        texts={table: _plain(values[table]) for table in ("cards", "witches", "seals")},
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _rules(values: Mapping[str, Any], kinds: int, witches: int) -> npt.NDArray[np.void]:
    rules = np.zeros(1, RULES)
    numbers = {
        "kinds": kinds,
        "witches": witches,
        "options": kinds + witches + 1,
        "start_hand": values["start"]["hand"],
        "start_taken": values["piles"]["start_taken"],
        "turn_casts": values["turn"]["casts"],
        "turn_acquisitions": values["turn"]["acquisitions"],
        "turn_hand": values["turn"]["hand"],
        "supply_kinds": values["supply"]["kinds"],
        "supply_attempts": values["supply"]["attempts"],
        "third_burn_accept": values["supply"]["third_burn_accept"],
        "rares_per_player": values["supply"]["rares_per_player"],
        "field_kinds": values["field"]["kinds"],
        "end_kinds": values["field"]["end_kinds"],
        "arcana_burn": values["field"]["arcana_burn"],
        "curses_per_rival": values["piles"]["curses_per_rival"],
        "discount_round": values["contract"]["discount_round"],
        "discount": values["contract"]["discount"],
        "gift_to_hand": values["contract"]["gift_place"] == "hand",
        "round_cap": values["limits"]["round_cap"],
        "seals": len(values["seals"]),
        "doll_gold": values["defence"]["doll_gold"],
        "barrier_casts": values["defence"]["barrier_casts"],
    }
    assert set(numbers) == set(RULES.names or ())
    for name, number in numbers.items():
        rules[0][name] = number
    return rules


class _Effects:
    """Collects texts as rows of ``EFFECT`` and conditions."""

    def __init__(self, words: Vocabulary) -> None:
        self.words = words
        self.effects: list[tuple[int, ...]] = []
        self.conds: list[tuple[int, ...]] = []

    def add(self, row: np.void, span: str, texts: Sequence[str]) -> None:
        """Add effects, and their span to a row."""
        row[f"{span}_first"], row[f"{span}_count"] = len(self.effects), len(texts)
        for text in texts:
            effect = parse_effect(text, PRIMITIVES, self.words)
            per = effect.per or (-1, 0)
            args = (*effect.args, 0, 0)[:3]
            span_of = (len(self.conds), len(effect.conditions))
            self.effects.append((effect.code, *args, *per, *span_of))
            self.conds += effect.conditions

    def add_needs(self, row: np.void, texts: Sequence[str]) -> None:
        """Add the conditions of a cast, and their span to a row."""
        first = len(self.conds)
        for text in texts:
            self.conds += parse_conditions(text, self.words)
        row["need_first"], row["need_count"] = first, len(self.conds) - first


def _kinds(
    values: Mapping[str, Any], names: Sequence[str], texts: _Effects
) -> npt.NDArray[np.void]:
    kinds = np.zeros(len(names), KIND)
    for code, name in enumerate(names):
        card, kind = values["cards"][name], kinds[code]
        for field in ("cost", "mana", "truth"):
            kind[field] = card[field]
        kind["upgrade"] = -1 if card["upgrade"] is None else names.index(card["upgrade"])
        kind["pile"] = values["piles"].get(name, NO_PILE)
        kind["start"] = values["start"]["deck"].get(name, 0)
        kind["sort"] = SORTS.index(card["sort"])
        kind["chapter"] = card["chapter"] or 0
        kind["flags"] = card_flags(name, card)
        kind["gives"] = -1 if card["gives"] is None else names.index(card["gives"])
        kind["gives_every"] = max(card["gives_every"], 1)
        texts.add(kind, "effect", card["effects"])
        texts.add(kind, "turn", card["turn_start"])
        texts.add(kind, "reward", card["reward"])
        texts.add_needs(kind, card["needs"])
    return kinds


def castable(card: Mapping[str, Any]) -> bool:
    """Whether a card can be used: it has a text, or it stays in the own field."""
    return any(card[text] for text in ("effects", "turn_start", "reward", "needs")) or any(
        lasting in card["attributes"] for lasting in ("duration", "permanent")
    )


def card_flags(name: str, card: Mapping[str, Any]) -> int:
    """Return the flags of a card."""
    flags = 0
    for flag, holds in (
        (Flag.CASTABLE, castable(card)),
        (Flag.MANA_ONLY, card["mana_only"]),
        (Flag.ON_OFFER, card["sort"] in ("stone", "truth")),
        (Flag.NAMED_ONLY, name in ("ritual", "arcana")),
        (Flag.ARCANA, name == "arcana"),
        (Flag.NOTE, "notes" in card["tags"]),
        (Flag.APPRENTICE, name == "apprentice"),
        (Flag.HAND_GROWING, "hand_growing" in card["tags"]),
        (Flag.BURN, "burn" in card["tags"]),
        (Flag.DEFENDS_HAND, card["defends"] == "hand"),
        (Flag.DEFENDS_FIELD, card["defends"] == "field"),
        (Flag.MAGIC, card["sort"] in ("magic", "rare", "exclusive")),
        *(
            (getattr(Flag, attribute.upper()), attribute in card["attributes"])
            for attribute in ATTRIBUTES
        ),
    ):
        flags |= flag if holds else 0
    return flags


def _witches(
    values: Mapping[str, Any], kinds: Sequence[str], names: Sequence[str], texts: _Effects
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int16]]:
    witches = np.zeros(len(names), WITCH)
    gifts: list[int] = []
    for code, name in enumerate(names):
        data, witch = values["witches"][name], witches[code]
        witch["cost"], witch["enabled"] = data["cost"], data["enabled"]
        for key, first, count in (
            ("gifts", "gift_first", "gift_count"),
            ("note_gifts", "note_first", "note_count"),
        ):
            witch[first], witch[count] = len(gifts), len(data[key])
            gifts += [kinds.index(gift) for gift in data[key]]
        texts.add(witch, "ability", data["ability"])
        for power in POWERS:
            witch[power] = data["powers"][power]
        victory = data["victory"]
        witch["victory"] = VICTORIES.index(victory["kind"] or "none") if victory["enabled"] else 0
        witch["truth"] = victory["truth"]
        witch["timing"] = TIMINGS.index(victory["timing"] or "at_once")
        witch["card"] = -1 if victory["card"] is None else kinds.index(victory["card"])
        for players in (2, 3, 4):
            witch[f"need{players}"] = victory["need"][f"{players}p"]
    return witches, np.array(gifts, np.int16)


def _seals(
    values: Mapping[str, Any], names: Sequence[str], texts: _Effects
) -> npt.NDArray[np.void]:
    seals = np.zeros(len(names), SEAL)
    for number, name in enumerate(names):
        data, seal = values["seals"][name], seals[number]
        seal["cost"] = data["cost"]
        seal["group"] = list(texts.words.groups).index(data["piles"])
        texts.add(seal, "effect", data["effects"])
    return seals
