"""From a ruleset to the arrays that both engines read.

All arrays are C-contiguous and hold whole numbers; the structured ones are packed.

``rules``       ``RULES`` (one record): the single numbers of the ruleset
``kinds``       ``KIND`` (one record a kind)
``steps``       ``STEP[kinds, STEPS]``: the span of a kind's text in ``effects`` for each step, and
                which resources it reads and gives, bit by place in RESOURCES
``effects``     ``EFFECT``, with the span of its conditions in ``conds``
``conds``       ``int32[c, 4]``: observable (of card texts), argument, operator, value
``bonuses``     ``int16[LIKENESSES, RESOURCES]``: what a line of a race or a job pays
``war_vp``      ``int16[players, ranks]``: VP by number of players - 1 and rank - 1
``objectives``  ``OBJECTIVE``, ascending by id
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.core.expression import Condition, parse_conditions, parse_effect
from sim.core.vocabulary import Vocabulary
from sim.titles.magnolia.schema import (
    CHECKS,
    JOBS,
    LIKENESSES,
    MOST_PLAYERS,
    RACES,
    RESOURCES,
    SHARED,
    STEPS,
)
from sim.titles.magnolia.words import FEATURES, PRIMITIVES, TEXTS, kind_ids, vocabulary

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["EFFECT", "KIND", "OBJECTIVE", "RULES", "STEP", "Face", "Goal", "Tables", "Text"]
__all__ += ["compile_tables"]


def _whole(*names: str) -> np.dtype[np.void]:
    return np.dtype([(name, "<i4") for name in names])


RULES = _whole(
    "kinds",
    "start_gold",
    "hand",
    "exchange_from",
    "gold_for_0",
    "gold_for_1",
    "gold_for_2",
    "shared",  # place in SHARED
    "least_power",
    "gained_from",
    "income",
    "end_vp",
    "end_cards",
    "gold_per_vp",
    "round_cap",
    "objectives_open",  # 0 when they are not used
    "objectives_check",  # place in CHECKS
)

KIND = np.dtype([("cost", "<i2"), ("power", "<i2"), ("more", "<i2"), ("race", "u1"), ("job", "u1")])

STEP = _whole("first", "count", "reads", "gives")

EFFECT = _whole(
    "op",  # place in PRIMITIVES
    "amount",
    "per_observable",  # -1: not multiplied
    "per_argument",
    "cond_first",
    "cond_count",
)

OBJECTIVE = _whole("vp", "cond_first", "cond_count")


class Text(NamedTuple):
    """What a card does in a step: effects as the fields of ``EFFECT`` and ``conds``."""

    effects: list[dict[str, Any]]
    reads: int
    gives: int


class Face(NamedTuple):
    """What a card says, as plain values; ``alike`` are the bits of its race and its job."""

    cost: int
    power: int
    more: int
    race: int
    job: int
    alike: int
    texts: list[Text]


class Goal(NamedTuple):
    """What an objective card says."""

    vp: int
    conds: list[list[int]]


@dataclass(frozen=True)
class Tables:
    """A ruleset as arrays, and the names that its numbers stand for."""

    ruleset_hash: str
    words: Vocabulary
    kind_names: tuple[str, ...]
    objective_names: tuple[str, ...]
    rules: npt.NDArray[np.void]
    kinds: npt.NDArray[np.void]
    steps: npt.NDArray[np.void]
    effects: npt.NDArray[np.void]
    conds: npt.NDArray[np.int32]
    bonuses: npt.NDArray[np.int16]
    war_vp: npt.NDArray[np.int16]
    objectives: npt.NDArray[np.void]
    #: What the ruleset says of each card and each objective, for the story only.
    texts: dict[str, Any]
    goals_told: dict[str, Any]

    @cached_property
    def rule(self) -> dict[str, int]:
        """The single numbers by name, for the reference engine."""
        return {name: int(self.rules[0][name]) for name in RULES.names or ()}

    @cached_property
    def features(self) -> dict[str, int]:
        """Codes of the options that carry the weights of placements."""
        return {name: self.words.options.index(name) for name in FEATURES}

    @cached_property
    def faces(self) -> list[Face]:
        """What each kind says, for the reference engine."""
        return [
            Face(
                int(kind["cost"]),
                int(kind["power"]),
                int(kind["more"]),
                int(kind["race"]),
                int(kind["job"]),
                1 << int(kind["race"]) | 1 << len(RACES) + int(kind["job"]),
                [self._text(step) for step in steps],
            )
            for kind, steps in zip(self.kinds, self.steps, strict=True)
        ]

    @cached_property
    def goals(self) -> list[Goal]:
        """What each objective says, for the reference engine."""
        return [Goal(int(goal["vp"]), self._span(goal).tolist()) for goal in self.objectives]

    def _text(self, step: np.void) -> Text:
        first, count = int(step["first"]), int(step["count"])
        effects = [
            {name: int(effect[name]) for name in EFFECT.names or ()}
            | {"conds": self._span(effect).tolist()}
            for effect in self.effects[first : first + count]
        ]
        return Text(effects, int(step["reads"]), int(step["gives"]))

    def _span(self, record: np.void) -> npt.NDArray[np.int32]:
        first = int(record["cond_first"])
        return self.conds[first : first + int(record["cond_count"])]


def compile_tables(ruleset: Ruleset) -> Tables:
    """Turn a ruleset, which has passed ``checks.problems``, into the arrays of both engines."""
    values = ruleset.values
    names = kind_ids(values)
    effects: list[tuple[int, ...]] = []
    conds: list[Condition] = []
    kinds = np.zeros(len(names), KIND)
    steps = np.zeros((len(names), len(STEPS)), STEP)
    for kind, row, name in zip(kinds, steps, names, strict=True):
        card = values["cards"][name]
        for field in ("cost", "power", "more"):
            kind[field] = card[field]
        kind["race"], kind["job"] = RACES.index(card["race"]), JOBS.index(card["job"])
        for place, step in enumerate(STEPS):
            row[place] = _compile_text(card[step], effects, conds)
    goals = values["objectives"]["cards"]
    objectives = np.zeros(len(goals), OBJECTIVE)
    for record, name in zip(objectives, sorted(goals), strict=True):
        needs = parse_conditions(goals[name]["needs"], TEXTS)
        record["vp"], record["cond_first"] = goals[name]["vp"], len(conds)
        record["cond_count"] = len(needs)
        conds += needs
    war_vp = np.zeros((MOST_PLAYERS, MOST_PLAYERS), np.int16)
    for players in range(2, MOST_PLAYERS + 1):
        war_vp[players - 1, :players] = values["war"]["vp"][f"{players}p"]
    paid = [[values["bonuses"][name][what] for what in RESOURCES] for name in LIKENESSES]
    return Tables(
        ruleset_hash=ruleset.hash,
        words=vocabulary(ruleset),
        kind_names=names,
        objective_names=tuple(sorted(goals)),
        rules=_rules(values, len(names)),
        kinds=kinds,
        steps=steps,
        effects=np.array(effects, EFFECT).reshape(-1),
        conds=np.array(conds, np.int32).reshape(-1, 4),
        bonuses=np.array(paid, np.int16),
        war_vp=war_vp,
        objectives=objectives,
        texts={name: _plain(values["cards"][name]) for name in names},
        goals_told={name: _plain(goals[name]) for name in sorted(goals)},
    )


def _compile_text(
    texts: Sequence[str], effects: list[tuple[int, ...]], conds: list[Condition]
) -> tuple[int, int, int, int]:
    """Append a card's effects of a step; return its record."""
    first, reads, gives = len(effects), 0, 0
    for text in texts:
        effect = parse_effect(text, PRIMITIVES, TEXTS)
        per = effect.per or (-1, 0)
        span = (len(conds), len(effect.conditions))
        effects.append((effect.code, effect.args[0], *per, *span))
        conds += effect.conditions
        if effect.code < len(RESOURCES):
            gives |= 1 << effect.code
        for number in (per[0], *(one.observable for one in effect.conditions)):
            reads |= _resource_bit(number)
    return first, len(texts), reads, gives


def _resource_bit(observable: int) -> int:
    """Return the bit of the own resource that an observable reads, 0 for none."""
    if observable < 0:
        return 0
    name = TEXTS.observables[observable].id.removesuffix("_lead")
    return 1 << RESOURCES.index(name) if name in RESOURCES else 0


def _rules(values: Mapping[str, Any], kinds: int) -> npt.NDArray[np.void]:
    war, end, goals = values["war"], values["end"], values["objectives"]
    gold = values["placement"]["gold"]
    numbers = {
        "kinds": kinds,
        "start_gold": values["start"]["gold"],
        "hand": values["draw"]["hand"],
        "exchange_from": values["draw"]["exchange_from"],
        **{f"gold_for_{number}": amount for number, amount in enumerate(gold)},
        "shared": SHARED.index(war["shared"]),
        "least_power": war["least_power"],
        "gained_from": war["gained_from"],
        "income": values["income"]["gold"],
        "end_vp": end["vp"],
        "end_cards": end["cards"],
        "gold_per_vp": end["gold_per_vp"],
        "round_cap": values["limits"]["round_cap"],
        "objectives_open": goals["open"] if goals["used"] else 0,
        "objectives_check": CHECKS.index(goals["check"]),
    }
    rules = np.zeros(1, RULES)
    for name in RULES.names or ():
        rules[0][name] = numbers[name]
    return rules


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value
