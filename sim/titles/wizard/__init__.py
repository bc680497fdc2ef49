"""Unreliable Wizard: one player, a journey to the demon king. See README.md and RULES.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.core.kernel import Kernel
from sim.core.ruleset import Ruleset, load_ruleset
from sim.core.title import Category, Label, Title
from sim.titles.wizard.checks import problems
from sim.titles.wizard.info import INFO
from sim.titles.wizard.narrative import narrate
from sim.titles.wizard.position import from_position, new_game
from sim.titles.wizard.reference import reference
from sim.titles.wizard.schema import COMPANIONS, Rules
from sim.titles.wizard.tables import compile_tables
from sim.titles.wizard.words import NOBODY, enemy_ids, kind_ids, vocabulary

__all__ = ["DATA", "INFO", "TITLE", "from_position", "load", "new_game"]

#: Folder of the data files.
DATA = Path(__file__).parent / "data"


def load(overlays: Sequence[str | Path] = (), overrides: Sequence[str] = ()) -> Ruleset:
    """Read the rules.

    Parameters
    ----------
    overlays : sequence of path
        Files laid over the printed rules.
    overrides : sequence of str
        ``"key=value"``.
    """
    return load_ruleset(
        INFO.id, DATA, Rules, overlays=overlays, overrides=overrides, check=problems
    )


def categories(ruleset: Ruleset, name: str) -> tuple[Category, ...]:
    """Return the values of a category column; ``lost_to``, ``way_…``, ``lot_…`` by the ruleset."""
    values = ruleset.values
    if name == "lost_to":
        enemies = ((enemy, values["enemies"][enemy]["label"]) for enemy in enemy_ids(values))
        nobody = Category(NOBODY, Label("Nobody", "なし"))
        return (nobody, *(Category(enemy, _label(label)) for enemy, label in enemies))
    column, _, companion = name.partition("_")
    if column in ("way", "lot") and companion in COMPANIONS:
        ways = values["cards"][companion]["ways"]
        found = tuple(
            Category(f"{companion}_{way}", _label(ways[way]["label"])) for way in sorted(ways)
        )
        absent = Category("never_there", Label("Never there", "加わらず"))
        return (absent, *found) if column == "way" else found
    return INFO.categories[name]


def kinds(ruleset: Ruleset) -> tuple[Category, ...]:
    """Return the card kinds in the order of their codes: ability cards, then enemies."""
    tables = {**ruleset.values["cards"], **ruleset.values["enemies"]}
    return tuple(Category(kind, _label(tables[kind]["label"])) for kind in kind_ids(ruleset.values))


def _label(texts: Mapping[str, Any]) -> Label:
    return Label(texts["en"], texts["ja"])


TITLE = Title(
    info=INFO,
    data=DATA,
    load=load,
    compile=compile_tables,
    vocabulary=vocabulary,
    categories=categories,
    kinds=kinds,
    play=Kernel("sim.titles.wizard._kernel"),
    reference=reference,
    from_position=from_position,
    tell=narrate,
)
