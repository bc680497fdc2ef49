"""Gran Magia: a deck builder for two to four players. See README.md and RULES.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.core.kernel import Kernel
from sim.core.ruleset import Ruleset, load_ruleset
from sim.core.title import Category, Label, Title
from sim.titles.granmagia.checks import problems
from sim.titles.granmagia.info import END_REASONS, INFO
from sim.titles.granmagia.narrative import narrate
from sim.titles.granmagia.position import from_position, new_game
from sim.titles.granmagia.reference import reference
from sim.titles.granmagia.schema import Rules
from sim.titles.granmagia.tables import compile_tables
from sim.titles.granmagia.words import kind_ids, vocabulary, witch_ids

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
    """Return the values of a category column: ``end_reason`` or ``witch`` (0 is none)."""
    if name == "end_reason":
        return END_REASONS
    if name == "witch":
        witches = ruleset.values["witches"]
        return (
            Category("none", Label("No contract", "契約なし")),
            *(Category(witch, _label(witches[witch])) for witch in witch_ids(ruleset.values)),
        )
    raise KeyError(name)


def kinds(ruleset: Ruleset) -> tuple[Category, ...]:
    """Return the card kinds in the order of their codes."""
    cards = ruleset.values["cards"]
    return tuple(Category(kind, _label(cards[kind])) for kind in kind_ids(ruleset.values))


def _label(entry: Mapping[str, Any]) -> Label:
    return Label(entry["label"]["en"], entry["label"]["ja"])


TITLE = Title(
    info=INFO,
    data=DATA,
    load=load,
    compile=compile_tables,
    vocabulary=vocabulary,
    categories=categories,
    kinds=kinds,
    play=Kernel("sim.titles.granmagia._kernel"),
    reference=reference,
    from_position=from_position,
    tell=narrate,
)
