"""From a ruleset to the arrays that both engines read.

All arrays are C-contiguous and hold whole numbers; the structured ones are packed, and the kernel's
structs are their twins, field by field.

``rules``    ``RULES`` (one record): the single numbers of the ruleset
``kinds``    ``KIND`` (one record a kind), with the span of its text in ``effects``
``effects``  ``EFFECT``, with the span of its conditions in ``conds``
``conds``    ``int32[c, 4]``: observable, argument, operator, value, as in policies
``groups``   ``uint64[groups, MASK_WORDS]``: option codes of each group, bit by code
``piles``    ``int16[players, kinds]``: size of each pile before the first turn by players - 1, as
             if all action kinds lay in the supply
``fixed``    ``int16``: action kinds that always lie in the supply
``pool``     ``int16``: the other action kinds, ascending
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.core.expression import parse_effect
from sim.core.mask import bits, masks
from sim.core.vocabulary import Vocabulary
from sim.titles.classic.schema import BASIC, MOST_PLAYERS, SORTS
from sim.titles.classic.words import PRIMITIVES, vocabulary

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["EFFECT", "KIND", "RULES", "Face", "Tables", "compile_tables"]

RULES = np.dtype(
    [
        (name, "<i4")
        for name in (
            "kinds",  # number of kinds = code of stop
            "start_copper",
            "start_estate",
            "actions",
            "buys",
            "hand",
            "supply_kinds",
            "end_piles",
            "round_cap",
        )
    ]
)

KIND = np.dtype(
    [
        ("cost", "<i2"),
        ("coins", "<i2"),
        ("points", "<i2"),
        ("sort", "u1"),  # place in SORTS
        ("reaction", "u1"),
        ("effect_first", "<u2"),
        ("effect_count", "<u2"),
    ]
)

EFFECT = np.dtype(
    [
        (name, "<i4")
        for name in (
            "op",  # place in PRIMITIVES
            "amount",
            "per_observable",  # -1: not multiplied
            "per_argument",
            "cond_first",
            "cond_count",
        )
    ]
)


class Face(NamedTuple):
    """What a card says, as plain values; effects are the fields of ``EFFECT`` and ``conds``."""

    cost: int
    coins: int
    points: int
    sort: str
    reaction: bool
    effects: list[dict[str, Any]]


@dataclass(frozen=True)
class Tables:
    """A ruleset as arrays, and the names that its numbers stand for."""

    ruleset_hash: str
    words: Vocabulary
    kind_names: tuple[str, ...]
    rules: npt.NDArray[np.void]
    kinds: npt.NDArray[np.void]
    effects: npt.NDArray[np.void]
    conds: npt.NDArray[np.int32]
    groups: npt.NDArray[np.uint64]
    piles: npt.NDArray[np.int16]
    fixed: npt.NDArray[np.int16]
    pool: npt.NDArray[np.int16]
    #: What the ruleset says of each card, for the story only.
    texts: dict[str, Any]

    @cached_property
    def rule(self) -> dict[str, int]:
        """The single numbers by name, for the reference engine."""
        return {name: int(self.rules[0][name]) for name in RULES.names or ()}

    @cached_property
    def faces(self) -> list[Face]:
        """What each kind says, for the reference engine."""
        return [
            Face(
                int(kind["cost"]),
                int(kind["coins"]),
                int(kind["points"]),
                SORTS[kind["sort"]],
                bool(kind["reaction"]),
                self._effects(int(kind["effect_first"]), int(kind["effect_count"])),
            )
            for kind in self.kinds
        ]

    def _effects(self, first: int, count: int) -> list[dict[str, Any]]:
        plain = []
        for effect in self.effects[first : first + count]:
            fields = {name: int(effect[name]) for name in EFFECT.names or ()}
            start, number = fields["cond_first"], fields["cond_count"]
            plain.append(fields | {"conds": self.conds[start : start + number].tolist()})
        return plain

    @cached_property
    def group_bits(self) -> list[int]:
        """Option codes of each group as one whole number, bit by code."""
        return [bits(row) for row in self.groups]


def compile_tables(ruleset: Ruleset) -> Tables:
    """Turn a ruleset, which has passed ``checks.problems``, into the arrays of both engines."""
    values = ruleset.values
    words = vocabulary(ruleset)
    names = words.options[:-1]
    effects: list[tuple[int, ...]] = []
    conds: list[tuple[int, ...]] = []
    kinds = np.zeros(len(names), KIND)
    for kind, name in zip(kinds, names, strict=True):
        card = values["cards"][name]
        for field in ("cost", "coins", "points", "reaction"):
            kind[field] = card[field]
        kind["sort"] = SORTS.index(card["sort"])
        kind["effect_first"], kind["effect_count"] = len(effects), len(card["effects"])
        for text in card["effects"]:
            effect = parse_effect(text, PRIMITIVES, words)
            per = effect.per or (-1, 0)
            span = (len(conds), len(effect.conditions))
            effects.append((effect.code, effect.args[0], *per, *span))
            conds += effect.conditions
    groups = masks(words.groups.values())
    fixed = [names.index(name) for name in values["supply"]["fixed"]]
    pool = [code for code in range(len(BASIC), len(names)) if code not in fixed]
    return Tables(
        ruleset_hash=ruleset.hash,
        words=words,
        kind_names=names,
        rules=_rules(values, len(names), len(fixed) + len(pool)),
        kinds=kinds,
        effects=np.array(effects, EFFECT).reshape(-1),
        conds=np.array(conds, np.int32).reshape(-1, 4),
        groups=groups,
        piles=_piles(values, names),
        fixed=np.array(fixed, np.int16),
        pool=np.array(pool, np.int16),
        texts={name: _plain(values["cards"][name]) for name in names},
    )


def _rules(values: Mapping[str, Any], kinds: int, actions: int) -> npt.NDArray[np.void]:
    start, turn = values["start"]["deck"], values["turn"]
    numbers = {
        "kinds": kinds,
        "start_copper": start["copper"],
        "start_estate": start["estate"],
        "actions": turn["actions"],
        "buys": turn["buys"],
        "hand": turn["hand"],
        "supply_kinds": min(values["supply"]["kinds"], actions),
        "end_piles": values["end"]["piles"],
        "round_cap": values["limits"]["round_cap"],
    }
    rules = np.zeros(1, RULES)
    for name in RULES.names or ():
        rules[0][name] = numbers[name]
    return rules


def _piles(values: Mapping[str, Any], names: tuple[str, ...]) -> npt.NDArray[np.int16]:
    """Return the size of each pile by number of players (CL-S3)."""
    given = values["piles"]
    piles = np.zeros((MOST_PLAYERS, len(names)), np.int16)
    for players in range(1, MOST_PLAYERS + 1):
        victory = given["victory"][f"{players}p"]
        basic = {
            "copper": max(given["copper"] - players * values["start"]["deck"]["copper"], 0),
            "silver": given["silver"],
            "gold": given["gold"],
            "estate": victory,
            "duchy": victory,
            "province": victory,
            "curse": given["curses_per_rival"] * (players - 1),
        }
        piles[players - 1] = [basic.get(name, given["action"]) for name in names]
    return piles


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value
