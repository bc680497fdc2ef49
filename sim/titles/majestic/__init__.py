"""Majestic Magic: a trading card game for two. See README.md and RULES.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sim.core.kernel import Kernel
from sim.core.ruleset import Ruleset, load_ruleset
from sim.core.title import Category, Label, Lists, Title
from sim.titles.majestic.building import generate
from sim.titles.majestic.checks import problems
from sim.titles.majestic.deck_lists import DeckList, as_toml, read_list
from sim.titles.majestic.decks import composition, deck_ids, loadouts
from sim.titles.majestic.info import INFO
from sim.titles.majestic.narrative import narrate
from sim.titles.majestic.position import from_position, new_game
from sim.titles.majestic.reference import reference
from sim.titles.majestic.schema import Rules
from sim.titles.majestic.tables import compile_tables
from sim.titles.majestic.words import kind_ids, sorcerer_ids, vocabulary

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
    """Return the values of a category column: ``end_reason``, ``deck_list``, ``sorcerer_card``."""
    values = ruleset.values
    match name:
        case "deck_list":
            return _labelled(values["decks"], deck_ids(values))
        case "sorcerer_card":
            return _labelled(values["sorcerers"], sorcerer_ids(values))
        case _:
            return INFO.categories[name]


def kinds(ruleset: Ruleset) -> tuple[Category, ...]:
    """Return the kinds of main decks, in the order of card tables."""
    return _labelled(ruleset.values["cards"], kind_ids(ruleset.values))


def _labelled(table: Mapping[str, Any], names: Sequence[str]) -> tuple[Category, ...]:
    labels = {name: table[name]["label"] for name in names}
    return tuple(Category(name, Label(label["en"], label["ja"])) for name, label in labels.items())


TITLE = Title(
    info=INFO,
    data=DATA,
    load=load,
    compile=compile_tables,
    vocabulary=vocabulary,
    categories=categories,
    kinds=kinds,
    play=Kernel("sim.titles.majestic._kernel"),
    reference=reference,
    from_position=from_position,
    tell=narrate,
    loadouts=loadouts,
    lists=Lists(
        read=lambda text, ruleset, name: asdict(read_list(text, ruleset, name)),
        write=lambda name, label, content: as_toml(name, label, DeckList(**content)),
        generate=lambda ruleset, number, seed: map(asdict, generate(ruleset, number, seed)),
        composition=lambda ruleset, content: composition(ruleset.values, content),
    ),
)
