"""Starting a reference game from what is stated: names, line-ups."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.core.policy import PolicyTable, load_policies
from sim.core.vocabulary import Vocabulary
from sim.errors import InputError, UnknownNameError

__all__ = ["check_names", "seated"]


def check_names(given: Mapping[str, Any], allowed: Collection[str], what: str) -> None:
    """Refuse a mapping with a key that is not allowed.

    Parameters
    ----------
    given : mapping
    allowed : collection of str
    what : str
        What a key is called in messages.

    Raises
    ------
    UnknownNameError

    Examples
    --------
    >>> check_names({"hand": []}, ("hand", "deck"), "entry of a seat")
    """
    for name in given:
        if name not in allowed:
            raise UnknownNameError(what, name, allowed)


def seated(
    lineup: Sequence[Any] | None, players: int, words: Vocabulary, folder: Path
) -> tuple[list[Any], PolicyTable | None]:
    """Return a line-up as the reference engines take it, and the data policies that it names.

    Parameters
    ----------
    lineup : sequence or None
        A policy's name, object or class for each seat; None for the default choice of all seats.
    players : int
    words : Vocabulary
    folder : Path
        Where data policies lie.

    Returns
    -------
    list, PolicyTable or None
        Names are replaced by their places in the table.

    Raises
    ------
    InputError
        When there is not one entry a seat, or a policy is not there or has faults.

    Examples
    --------
    >>> words = Vocabulary(("stop",), {}, (), {}, {}, ())
    >>> seated(None, 2, words, Path("policies"))
    ([None, None], None)
    """
    entries = list(lineup) if lineup is not None else [None] * players
    if len(entries) != players:
        raise InputError(f"lineup: found {len(entries)} entries; allowed: {players}, one a seat")
    named = [entry for entry in entries if isinstance(entry, str)]
    policies = load_policies(named, words, folder) if named else None
    places = iter(range(len(named)))
    return [next(places) if isinstance(entry, str) else entry for entry in entries], policies
