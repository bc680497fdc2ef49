"""Commands about what seats bring along: decks check, decks generate."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.errors import DataError, InputError

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset
    from sim.core.title import Lists, Title
    from sim.errors import Problem

__all__ = ["decks"]

#: More columns than so many that begin alike are told as one.
_ALIKE = 2

_rules = click.option(
    "--rules", type=click.Path(), multiple=True, help="Overlay over the rules; repeatable."
)
_set = click.option(
    "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Change one value; repeatable."
)


@click.group(
    epilog="""\b
Examples:
  tenbin decks check majestic my_deck.txt
  tenbin decks generate majestic --number 5
"""
)
def decks() -> None:
    """Check deck lists, or make legal ones by chance."""


@decks.command(
    epilog="""\b
Examples:
  tenbin decks check majestic
  tenbin decks check majestic my_deck.txt other.txt
  tenbin decks check majestic my_deck.txt --toml >> mine.toml
  tenbin decks check majestic - < my_deck.txt
"""
)
@click.argument("title")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@_rules
@_set
@click.option("--toml", is_flag=True, help="Write the lists as tables of an overlay file.")
def check(
    title: str,
    files: tuple[Path, ...],
    rules: tuple[str, ...],
    overrides: tuple[str, ...],
    toml: bool,
) -> None:
    """Check lists as players write them, and tell what they are made of.

    A FILE holds one list, "4 Card name" a line, by English or Japanese names or by ids; "-" reads
    from stdin. All faults of all files are told. Without a FILE the decks of TITLE and of --rules
    overlays are told, which are checked when they are read.
    """
    from analysis.console import emit

    found, ruleset, lists = _found(title, rules, overrides)
    there = _there(found, ruleset, needed=not files)
    made: dict[str, Any] = {} if files else there
    problems: list[Problem] = []
    for file in files:
        try:
            # An id that the rules have already would be laid over that deck, card by card.
            made[_id(file, made | there)] = lists.read(_text(file), ruleset, str(file))
        except DataError as error:
            problems += error.problems
    if problems:
        raise DataError(problems)
    emit(_as_toml(lists, made) if toml else _as_table(found, ruleset, made))


@decks.command(
    epilog="""\b
Examples:
  tenbin decks generate majestic --number 5
  tenbin decks generate majestic --number 100 --seed 7 --toml > made.toml
  tenbin simulate majestic --rules made.toml --pool midrange:made_001,midrange:made_002
"""
)
@click.argument("title")
@click.option("--number", type=click.IntRange(1, 150), default=10, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@_rules
@_set
@click.option("--toml", is_flag=True, help="Write the decks as tables of an overlay file.")
def generate(
    title: str,
    number: int,
    seed: int,
    rules: tuple[str, ...],
    overrides: tuple[str, ...],
    toml: bool,
) -> None:
    """Make legal decks by chance, and tell what they are made of.

    They differ in everything a composition tells, which makes them fit for telling what it does.
    The same seed makes the same decks.
    """
    from analysis.console import emit

    found, ruleset, lists = _found(title, rules, overrides)
    made = {
        f"made_{place:03}": one
        for place, one in enumerate(lists.generate(ruleset, number, seed), 1)
    }
    emit(_as_toml(lists, made) if toml else _as_table(found, ruleset, made))


def _found(
    name: str, rules: tuple[str, ...], overrides: tuple[str, ...]
) -> tuple[Title, Ruleset, Lists]:
    from sim.run.api import find_title

    title = find_title(name)
    if title.lists is None or title.loadouts is None:
        raise InputError(f"{name}: seats bring no deck along")
    return title, title.load(rules, overrides), title.lists


def _there(title: Title, ruleset: Ruleset, *, needed: bool) -> dict[str, Any]:
    """Return the decks of the rules by id; where they are not needed, there may be none."""
    assert title.loadouts is not None
    try:
        return {one.id: one.content for one in title.loadouts(ruleset)}
    except InputError:
        if needed:
            raise
        return {}


def _text(file: Path) -> str:
    from sim.core.toml_source import MAX_BYTES, read_text

    if str(file) != "-":
        return read_text(file, "a list of cards")
    try:
        text = sys.stdin.read(MAX_BYTES + 1)
    except UnicodeDecodeError as error:
        raise InputError(f"-: cannot be read: {error}") from None
    if len(text) > MAX_BYTES:
        raise InputError(f"-: larger than {MAX_BYTES // 2**10} kB, the limit for data files")
    return text


def _id(file: Path, taken: Mapping[str, object]) -> str:
    """Return an id for a list: the file's name as a word, numbered when it is taken."""
    word = re.sub(r"[^a-z0-9]+", "_", file.stem.lower()).strip("_")
    word = word if word[:1].isalpha() else f"deck_{word}".rstrip("_")
    numbers = (f"{word}_{number}" for number in count(2))
    return word if word not in taken else next(one for one in numbers if one not in taken)


def _as_toml(lists: Lists, made: Mapping[str, Any]) -> str:
    from sim.core.title import Label

    return "\n".join(lists.write(name, Label(name, name), one) for name, one in made.items())


def _as_table(title: Title, ruleset: Ruleset, made: Mapping[str, Any]) -> str:
    """Return what decks are made of; columns that add up to a whole stand in one."""
    from analysis import formats
    from analysis.spec import title_spec

    assert title.lists is not None
    rows = {name: title.lists.composition(ruleset, one) for name, one in made.items()}
    building = title_spec(title.info).building
    heads = _heads(
        list(next(iter(rows.values()), {})),
        [group.columns for group in building.groups] if building else [],
    )
    cells = [
        [name, *("/".join(str(row[column]) for column in columns) for columns in heads.values())]
        for name, row in rows.items()
    ]
    table = formats.table(["deck", *heads], cells)
    return f"{table}\n\n{formats.count(len(made))} {'deck' if len(made) == 1 else 'decks'}: legal"


def _heads(columns: Sequence[str], groups: Sequence[Sequence[str]]) -> dict[str, Sequence[str]]:
    """Return what columns of the table are called, and what stands in them.

    Examples
    --------
    >>> _heads(["cost_0", "size", "cost_1"], [["cost_0", "cost_1"]])
    {'size': ['size'], 'cost 0/1': ['cost_0', 'cost_1']}
    """
    grouped = {name for group in groups for name in group}
    alone = [name for name in columns if name not in grouped]
    # What is left and begins alike, such as mana by attribute, is as good as a group.
    first = Counter(name.partition("_")[0] for name in alone)
    like = {name: [one for one in alone if one.startswith(f"{name}_")] for name in first}
    groups = [*groups, *(found for found in like.values() if len(found) > _ALIKE)]
    grouped = {name for group in groups for name in group}
    heads: dict[str, Sequence[str]] = {name: [name] for name in columns if name not in grouped}
    for group in groups:
        stem = group[0].partition("_")[0]
        parts = "/".join(name.removeprefix(f"{stem}_") for name in group)
        heads[f"{stem} {parts}"] = group
    return heads
