"""Magnolia: fields of three by three cards, built at the same time. See README.md and RULES.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sim.core.kernel import Kernel
from sim.core.ruleset import Ruleset, load_ruleset
from sim.core.title import Category, Label, Title
from sim.titles.magnolia.checks import problems
from sim.titles.magnolia.info import INFO
from sim.titles.magnolia.narrative import narrate
from sim.titles.magnolia.position import from_position, new_game
from sim.titles.magnolia.reference import reference
from sim.titles.magnolia.schema import Rules
from sim.titles.magnolia.tables import compile_tables
from sim.titles.magnolia.words import kind_ids, vocabulary

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


def categories(_: Ruleset, name: str) -> tuple[Category, ...]:
    """Return the values of a category column: ``end_reason``, ``main_race`` or ``main_job``."""
    return INFO.categories[name]


def kinds(ruleset: Ruleset) -> tuple[Category, ...]:
    """Return the card kinds in the order of their codes."""
    labels = {name: card["label"] for name, card in ruleset.values["cards"].items()}
    return tuple(
        Category(kind, Label(labels[kind]["en"], labels[kind]["ja"]))
        for kind in kind_ids(ruleset.values)
    )


TITLE = Title(
    info=INFO,
    data=DATA,
    load=load,
    compile=compile_tables,
    vocabulary=vocabulary,
    categories=categories,
    kinds=kinds,
    play=Kernel("sim.titles.magnolia._kernel"),
    reference=reference,
    from_position=from_position,
    tell=narrate,
)
