"""From a ruleset to the arrays that both engines read.

All arrays are C-contiguous and hold whole numbers; the structured ones are packed.

``rules``           ``RULES`` (one record): the single numbers of the ruleset
``kinds``           ``KIND`` (one record a kind of main decks)
``mana_kinds``      ``MANA`` (one record a kind of mana cards)
``sorcerers``       ``SORCERER``
``texts``           ``TEXT``: what kinds, abilities, mana and sorcerers say, by their numbers there
``sums``            ``int16[texts, ROLES, SUMS]``: what texts do for certain
``effects``         ``EFFECT``, with the span of its conditions in ``conds``
``conds``           ``int32[c, 4]``: observable (of texts), argument, operator, value
``deck_main``       ``int16[decks, kinds]``: copies
``deck_mana``       ``int16[decks, mana kinds]``: copies
``deck_sorcerers``  ``int16[decks]``
``compositions``    ``int16[decks, COMPOSITION]``: the columns of the records with that role
``groups``          ``uint64[groups, MASK_WORDS]``: the options of each group
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.core.expression import Condition, ParsedEffect, parse_conditions, parse_effect
from sim.core.mask import bits, masks
from sim.core.vocabulary import Vocabulary
from sim.titles.majestic.decks import composition, deck_ids
from sim.titles.majestic.primitives import PRIMITIVES, TEXTS
from sim.titles.majestic.schema import ATTRIBUTES, KEYWORDS, SORTS, TARGETS, WHOM
from sim.titles.majestic.words import (
    FIXED_GROUPS,
    kind_ids,
    mana_ids,
    role,
    sorcerer_ids,
    vocabulary,
)

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["EFFECT", "KIND", "MANA", "ROLES", "RULES", "SORCERER", "SUMS", "TEXT", "Effect", "Face"]
__all__ += ["Tables", "Text", "compile_tables"]


def _whole(*names: str) -> np.dtype[np.void]:
    return np.dtype([(name, "<i4") for name in names])


RULES = _whole(
    "kinds",
    "hand",
    "redraws",
    "lp",
    "draw",
    "first_draw",
    "mana_draw",
    "hand_limit",
    "area_limit",  # 0: none
    "round_cap",
    "acts_cap",
)

KIND = np.dtype(
    [
        ("attribute", "u1"),
        ("sort", "u1"),
        ("keywords", "u1"),  # bit by place in KEYWORDS
        ("cost", "u1"),
        ("ap", "<i2"),
        ("dp", "<i2"),
        ("text", "<i2"),
        ("ability", "<i2"),  # a text, -1: none
    ]
)

MANA = np.dtype([("attribute", "<i2"), ("text", "<i2")])  # -1: basic mana

SORCERER = np.dtype([("attribute", "<i2"), ("text", "<i2")])

#: Whom a text may work on, and what it does to such a unit by all effects that have neither
#: multiplier nor condition: AP and DP added, damage, whether the unit is destroyed or returned.
ROLES = ("target", "self", "own", "enemy", "attacker", "blocker")
SUMS = ("ap", "dp", "damage", "removes")

TEXT = _whole(
    "target",  # place in TARGETS, 0: none
    "attribute",
    "cost",
    "down",
    "where_first",
    "where_count",
    "needs_first",
    "needs_count",
    "effect_first",
    "effect_count",
    "refills",  # 1 when an effect brings cards or mana
    "burns",  # 1 when an effect takes LP of the other seat
)

EFFECT = _whole(
    "op",  # place in PRIMITIVES
    "first",  # number of the first word, 0 without one
    "second",
    "amount",  # 1 without one
    "per_observable",  # -1: not multiplied
    "per_argument",
    "cond_first",
    "cond_count",
)


class Effect(NamedTuple):
    """An effect as the fields of ``EFFECT``; ``conds`` are lists of four numbers."""

    op: int
    first: int
    second: int
    amount: int
    per: tuple[int, int] | None
    conds: list[list[int]]


class Text(NamedTuple):
    """A text as the fields of ``TEXT``."""

    target: int
    attribute: int
    cost: int
    down: bool
    where: list[list[int]]
    needs: list[list[int]]
    effects: list[Effect]
    refills: bool
    burns: bool
    sums: list[list[int]]


class Face(NamedTuple):
    """What a card of main decks says."""

    attribute: int
    sort: str
    keywords: int
    cost: int
    ap: int
    dp: int
    text: Text
    ability: Text | None


@dataclass(frozen=True)
class Tables:
    """A ruleset as arrays, and the names that its numbers stand for."""

    ruleset_hash: str
    words: Vocabulary
    kind_names: tuple[str, ...]
    mana_names: tuple[str, ...]
    sorcerer_names: tuple[str, ...]
    deck_names: tuple[str, ...]
    rules: npt.NDArray[np.void]
    kinds: npt.NDArray[np.void]
    mana_kinds: npt.NDArray[np.void]
    sorcerers: npt.NDArray[np.void]
    texts: npt.NDArray[np.void]
    sums: npt.NDArray[np.int16]
    effects: npt.NDArray[np.void]
    conds: npt.NDArray[np.int32]
    deck_main: npt.NDArray[np.int16]
    deck_mana: npt.NDArray[np.int16]
    deck_sorcerers: npt.NDArray[np.int16]
    compositions: npt.NDArray[np.int16]
    groups: npt.NDArray[np.uint64]
    #: What the ruleset says of cards, mana, sorcerers and decks, for the story only.
    told: dict[str, Any]

    @cached_property
    def rule(self) -> dict[str, int]:
        """The single numbers by name, for the reference engine."""
        return {name: int(self.rules[0][name]) for name in RULES.names or ()}

    @cached_property
    def first_mana(self) -> int:
        """The kind of the first mana card: mana cards are kinds beyond all option codes."""
        return len(self.words.options)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all options and kinds, mana cards after the options."""
        return (*self.words.options, *self.mana_names)

    @cached_property
    def group_bits(self) -> list[int]:
        """The options of each group as a whole number, bit by code."""
        return [bits(row) for row in self.groups]

    @cached_property
    def plain_texts(self) -> list[Text]:
        """All texts, for the reference engine."""
        return [
            self._text(record, sums)
            for record, sums in zip(self.texts, self.sums.tolist(), strict=True)
        ]

    @cached_property
    def faces(self) -> list[Face]:
        """What each kind says, for the reference engine."""
        return [
            Face(
                int(kind["attribute"]),
                SORTS[kind["sort"]],
                int(kind["keywords"]),
                int(kind["cost"]),
                int(kind["ap"]),
                int(kind["dp"]),
                self.plain_texts[kind["text"]],
                None if kind["ability"] < 0 else self.plain_texts[kind["ability"]],
            )
            for kind in self.kinds
        ]

    def _text(self, record: np.void, sums: list[list[int]]) -> Text:
        first = int(record["effect_first"])
        effects = self.effects[first : first + int(record["effect_count"])]
        return Text(
            int(record["target"]),
            int(record["attribute"]),
            int(record["cost"]),
            bool(record["down"]),
            self._span(record, "where"),
            self._span(record, "needs"),
            [self._effect(effect) for effect in effects],
            bool(record["refills"]),
            bool(record["burns"]),
            sums,
        )

    def _effect(self, record: np.void) -> Effect:
        op, first, second, amount = (
            int(record[name]) for name in ("op", "first", "second", "amount")
        )
        per = (int(record["per_observable"]), int(record["per_argument"]))
        conds = self._span(record, "cond")
        return Effect(op, first, second, amount, per if per[0] >= 0 else None, conds)

    def _span(self, record: np.void, name: str) -> list[list[int]]:
        first = int(record[f"{name}_first"])
        rows: list[list[int]] = self.conds[first : first + int(record[f"{name}_count"])].tolist()
        return rows


class _Writer:
    """Collects texts, effects and conditions in their order."""

    def __init__(self) -> None:
        self.texts: list[tuple[int, ...]] = []
        self.sums: list[list[list[int]]] = []
        self.effects: list[tuple[int, ...]] = []
        self.conds: list[Condition] = []

    def text(self, text: Mapping[str, Any], attribute: int, cost: int, *, down: bool) -> int:
        """Append a text; return its number."""
        where = self._conditions(text["where"])
        needs = self._conditions(text["needs"])
        first = len(self.effects)
        effects = [parse_effect(one, PRIMITIVES, TEXTS) for one in text["effects"]]
        for effect in effects:
            self.effects.append(self._effect(effect))
        self.texts.append(
            (
                TARGETS.index(text["target"]),
                attribute,
                cost,
                int(down),
                *where,
                *needs,
                first,
                len(effects),
                int(any(role(effect) in ("drawer", "ramper") for effect in effects)),
                int(any(role(effect) == "burner" for effect in effects)),
            )
        )
        self.sums.append(_sums(effects))
        return len(self.texts) - 1

    def _effect(self, effect: ParsedEffect) -> tuple[int, ...]:
        kinds = PRIMITIVES[effect.code].arguments
        words = [value for value, kind in zip(effect.args, kinds, strict=True) if kind != "int"]
        amount = effect.args[-1] if "int" in kinds else 1
        first, second = (*words, 0, 0)[:2]
        span = self._span(effect.conditions)
        return (effect.code, first, second, amount, *(effect.per or (-1, 0)), *span)

    def _conditions(self, text: str) -> tuple[int, int]:
        return self._span(parse_conditions(text, TEXTS) if text else ())

    def _span(self, conditions: Sequence[Condition]) -> tuple[int, int]:
        span = (len(self.conds), len(conditions))
        self.conds += conditions
        return span


def _sums(effects: Sequence[ParsedEffect]) -> list[list[int]]:
    """Return what a text does for certain, by ``ROLES`` and ``SUMS``."""
    sums = {whom: dict.fromkeys(SUMS, 0) for whom in ROLES}
    for effect in effects:
        name = "removes" if effect.primitive in ("destroy", "return") else effect.primitive
        if effect.per is not None or effect.conditions or name not in SUMS:
            continue
        whom = WHOM[effect.args[0]]
        for one in ("own", "enemy") if whom == "all" else (whom,):
            sums[one][name] += 1 if name == "removes" else effect.args[1]
    return [list(one.values()) for one in sums.values()]


def compile_tables(ruleset: Ruleset) -> Tables:
    """Turn a ruleset, which has passed ``checks.problems``, into the arrays of both engines."""
    values, words = ruleset.values, vocabulary(ruleset)
    names, manas, decks = kind_ids(values), mana_ids(values), deck_ids(values)
    casters = sorcerer_ids(values)
    writer = _Writer()
    kinds = np.zeros(len(names), KIND)
    for kind, name in zip(kinds, names, strict=True):
        card = values["cards"][name]
        attribute = ATTRIBUTES.index(card["attribute"])
        kind["attribute"], kind["sort"] = attribute, SORTS.index(card["sort"])
        kind["keywords"] = sum(1 << KEYWORDS.index(keyword) for keyword in set(card["keywords"]))
        for field in ("cost", "ap", "dp"):
            kind[field] = card[field]
        kind["text"] = writer.text(card, attribute, card["cost"], down=False)
        kind["ability"] = _ability(writer, card["ability"], attribute)
    mana_kinds = np.zeros(len(manas), MANA)
    for record, name in zip(mana_kinds, manas, strict=True):
        mana = values["mana"][name]
        attribute = ATTRIBUTES.index(mana["attribute"])
        text = writer.text(mana, attribute, 0, down=False) if mana["effects"] else -1
        record["attribute"], record["text"] = attribute, text
    sorcerers = np.zeros(len(casters), SORCERER)
    for record, name in zip(sorcerers, casters, strict=True):
        attribute = ATTRIBUTES.index(values["sorcerers"][name]["attribute"])
        text = _ability(writer, values["sorcerers"][name]["ability"], attribute)
        record["attribute"], record["text"] = attribute, text
    lists = [values["decks"][name] for name in decks]
    return Tables(
        ruleset_hash=ruleset.hash,
        words=words,
        kind_names=names,
        mana_names=manas,
        sorcerer_names=casters,
        deck_names=decks,
        rules=_rules(values, len(names)),
        kinds=kinds,
        mana_kinds=mana_kinds,
        sorcerers=sorcerers,
        texts=np.array(writer.texts, TEXT),
        sums=np.array(writer.sums, np.int16),
        effects=np.array(writer.effects, EFFECT).reshape(-1),
        conds=np.array(writer.conds, np.int32).reshape(-1, 4),
        deck_main=_copies(lists, "main", names),
        deck_mana=_copies(lists, "mana", manas),
        deck_sorcerers=np.array([casters.index(one["sorcerer"]) for one in lists], np.int16),
        compositions=np.array([[*composition(values, one).values()] for one in lists], np.int16),
        groups=masks([words.selectors[group] for group in FIXED_GROUPS]),
        told={
            what: {name: _plain(one) for name, one in values[what].items()}
            for what in ("cards", "mana", "sorcerers", "decks")
        },
    )


def _ability(writer: _Writer, ability: Mapping[str, Any] | None, attribute: int) -> int:
    if ability is None:
        return -1
    return writer.text(ability, attribute, ability["cost"], down=ability["down"])


def _copies(
    lists: Sequence[Mapping[str, Any]], part: str, names: Sequence[str]
) -> npt.NDArray[np.int16]:
    return np.array([[one[part].get(name, 0) for name in names] for one in lists], np.int16)


def _rules(values: Mapping[str, Any], kinds: int) -> npt.NDArray[np.void]:
    numbers = {"kinds": kinds, **values["start"], **values["turn"], **values["limits"]}
    rules = np.zeros(1, RULES)
    for name in RULES.names or ():
        rules[0][name] = numbers[name]
    return rules


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value
