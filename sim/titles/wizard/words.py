"""The words of the title: the vocabulary of policies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sim.core.vocabulary import STOP, Vocabulary
from sim.titles.wizard.info import DECISIONS
from sim.titles.wizard.observe import OBSERVABLES
from sim.titles.wizard.schema import (
    ABILITIES,
    COMPANIONS,
    DIRECTIONS,
    DRAW_WORDS,
    FEATURES,
    PARTS,
)

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["FIXED_GROUPS", "NOBODY", "enemy_ids", "kind_ids", "vocabulary", "way_ids"]

FIXED_GROUPS = ("magic_part", "companion", "direction", "draws", "way_up", "spells")

#: Whom a game was lost to that was not lost to an enemy: a value beside the ids of enemies.
NOBODY = "to_nobody"


def enemy_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the enemies of a ruleset in the order of their codes."""
    return tuple(sorted(values["enemies"]))


def kind_ids(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the card kinds of a ruleset in the order of their codes: abilities, then enemies."""
    return (*ABILITIES, *enemy_ids(values))


def way_ids(values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return companion and way for all ways up, in the order of their codes."""
    return tuple(
        (companion, way)
        for companion in COMPANIONS
        for way in sorted(values["cards"][companion]["ways"])
    )


def vocabulary(ruleset: Ruleset) -> Vocabulary:
    """Return the words of policies: cards, directions, numbers, ways up, spells, features, stop."""
    values = ruleset.values
    kinds = kind_ids(values)
    ways = tuple(f"{companion}_{way}" for companion, way in way_ids(values))
    spells = tuple(sorted(values["spells"]))
    described = (*kinds, *DIRECTIONS, *DRAW_WORDS, *ways, *spells)
    code = {name: number for number, name in enumerate(described)}
    members = {
        "magic_part": PARTS,
        "companion": COMPANIONS,
        "direction": DIRECTIONS,
        "draws": DRAW_WORDS,
        "way_up": ways,
        "spells": spells,
    }
    return Vocabulary(
        options=(*described, *FEATURES, STOP),
        groups={group: tuple(code[name] for name in members[group]) for group in FIXED_GROUPS},
        observables=OBSERVABLES,
        arguments={"option": code},
        attributes={},
        decisions=DECISIONS,
        option_argument="option",
    )
