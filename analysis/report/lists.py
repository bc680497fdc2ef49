"""Loadouts made by chance: an overlay with them, and what each is made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sim.core.title import Label
from sim.errors import CannotFinishError, InputError

if TYPE_CHECKING:
    from analysis.spec import ReportSpec
    from sim.core.title import Title

__all__ = ["made_lists"]


def made_lists(
    title: Title, spec: ReportSpec, number: int, folder: Path
) -> tuple[Path, dict[str, Mapping[str, int]]]:
    """Write an overlay with legal lists made by chance, the same for the same seed.

    Parameters
    ----------
    title : Title
    spec : ReportSpec
    number : int
    folder : Path
        Where the overlay is written.

    Returns
    -------
    path : Path
    made : dict
        What each is made of, by its id.

    Raises
    ------
    InputError
        When seats of the title bring nothing along.
    CannotFinishError
        When the overlay cannot be written.
    """
    from sim.run.api import load

    if title.lists is None:
        raise InputError(f"the report makes decks, and seats of {title.info.id} bring none along")
    ruleset = load(title, rules=spec.rules, overrides=spec.set)
    made = {
        f"made_{place:03}": content
        for place, content in enumerate(title.lists.generate(ruleset, number, spec.seed), 1)
    }
    path = folder / f"made-{number}-{spec.seed}.toml"
    lists = title.lists
    text = "\n".join(lists.write(name, Label(name, name), one) for name, one in made.items())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CannotFinishError(f"cannot write {path}: {error}") from error
    return path, {name: lists.composition(ruleset, one) for name, one in made.items()}
