"""The titles that are there: one folder each, registered here by name."""

from __future__ import annotations

from importlib import import_module

from sim.core.title import Title
from sim.errors import UnknownNameError

__all__ = ["TITLES", "load"]

TITLES: tuple[str, ...] = ("granmagia", "magnolia", "majestic", "wizard", "classic")


def load(name: str) -> Title:
    """Return a title by its name.

    Parameters
    ----------
    name : str

    Raises
    ------
    UnknownNameError
        When there is no such title.

    Examples
    --------
    >>> load("granmagia").info.players
    (2, 3, 4)
    """
    if name not in TITLES:
        raise UnknownNameError("title", name, TITLES)
    title: Title = import_module(f"sim.titles.{name}").TITLE
    return title
