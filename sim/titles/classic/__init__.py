"""The classic deck builder, for one to four players. See README.md and RULES.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sim.core.kernel import Kernel
from sim.core.ruleset import Ruleset, load_ruleset
from sim.core.title import Category, Label, Title
from sim.titles.classic.checks import problems
from sim.titles.classic.info import INFO
from sim.titles.classic.narrative import narrate
from sim.titles.classic.position import from_position, new_game
from sim.titles.classic.reference import reference
from sim.titles.classic.schema import Rules
from sim.titles.classic.tables import compile_tables
from sim.titles.classic.words import kind_ids, vocabulary

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
    """Return the values of a category column; there is ``end_reason`` only."""
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
    play=Kernel("sim.titles.classic._kernel"),
    reference=reference,
    from_position=from_position,
    tell=narrate,
)
