"""The words of the title: of policies, and of card texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sim.core.expression import ParsedEffect, Primitive, parse_effect
from sim.core.vocabulary import STOP, Vocabulary
from sim.titles.magnolia.info import DECISIONS
from sim.titles.magnolia.observe import OBSERVABLES
from sim.titles.magnolia.schema import CELLS, JOBS, LIKENESSES, RACES, RESOURCES, STEPS
from sim.titles.magnolia.texts import TEXT_OBSERVABLES

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = [
    "ATTRIBUTES",
    "BONUS_WORDS",
    "CELL_WORDS",
    "FEATURES",
    "FIXED_GROUPS",
    "POWER",
    "PRIMITIVES",
    "TEXTS",
    "kind_ids",
    "vocabulary",
]

PRIMITIVES = (
    Primitive("gold", ("int",), "receive that much gold"),
    Primitive("vp", ("int",), "receive that many VP"),
    Primitive("technology", ("int",), "that many levels of technology"),
    Primitive("faith", ("int",), "that many levels of faith"),
    Primitive("others_gold", ("int",), "every other seat loses that much gold"),
    Primitive("others_vp", ("int",), "every other seat loses that many VP"),
    Primitive("power", ("int",), "that much power more, in front; the only one of step front"),
)

#: The place of the primitive that adds power; the first four are the places of RESOURCES.
POWER = len(PRIMITIVES) - 1

CELL_WORDS = tuple(f"cell_{place}" for place in range(1, CELLS + 1))
BONUS_WORDS = ("race", "job")

#: Options that nobody can take: they carry the weights of placements (``worth.py``).
FEATURES = ("power", "neighbour", "kin", "pair", "line", "gold")

FIXED_GROUPS = ("card", *LIKENESSES, "cell")

#: What ``per`` may follow; the amounts of a card's texts, each counted twice if multiplied.
ATTRIBUTES = ("cost", "power", *RESOURCES, *(f"{name}_now" for name in RESOURCES))

#: The words of card texts and objectives. Policies have more, and none about one card.
TEXTS = Vocabulary(
    options=(),
    groups={},
    observables=TEXT_OBSERVABLES,
    arguments={"likeness": {name: place for place, name in enumerate(LIKENESSES)}},
    attributes={},
    decisions=(),
)


def kind_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the kinds of a ruleset in the order of their codes."""
    return tuple(sorted(values["cards"]))


def vocabulary(ruleset: Ruleset) -> Vocabulary:
    """Return the words of policies: kinds, cells, bonuses, features, then stop."""
    cards = ruleset.values["cards"]
    kinds = kind_ids(ruleset.values)
    described = (*kinds, *CELL_WORDS, *BONUS_WORDS)
    codes = range(len(kinds))
    groups = {"card": tuple(codes)}
    groups |= {race: tuple(k for k in codes if cards[kinds[k]]["race"] == race) for race in RACES}
    groups |= {job: tuple(k for k in codes if cards[kinds[k]]["job"] == job) for job in JOBS}
    groups["cell"] = tuple(range(len(kinds), len(kinds) + CELLS))
    worths = [_attributes(cards[kind]) for kind in kinds]
    beyond = (0,) * (len(described) - len(kinds) + len(FEATURES) + 1)
    return Vocabulary(
        options=(*described, *FEATURES, STOP),
        groups=groups,
        observables=OBSERVABLES,
        arguments={
            "option": {name: code for code, name in enumerate(described)},
            "likeness": dict(TEXTS.arguments["likeness"]),
        },
        attributes={
            name: (*(worth.get(name, 0) for worth in worths), *beyond) for name in ATTRIBUTES
        },
        decisions=DECISIONS,
        option_argument="option",
    )


def _attributes(card: Mapping[str, Any]) -> dict[str, int]:
    found = {"cost": card["cost"], "power": card["power"]}
    for step, effect in _effects(card):
        name = effect.primitive.removeprefix("others_") + "_now" * (step == "placement")
        amount = effect.args[0] * (1 if effect.per is None else 2)
        found[name] = found.get(name, 0) + amount
    return found


def _effects(card: Mapping[str, Any]) -> Iterator[tuple[str, ParsedEffect]]:
    return ((step, parse_effect(text, PRIMITIVES, TEXTS)) for step in STEPS for text in card[step])
