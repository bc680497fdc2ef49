"""What two sets of rules differ in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = ["between"]


def between(old: Ruleset, new: Ruleset) -> dict[str, Any]:
    """Return what differs between two sets of rules of one title.

    Parameters
    ----------
    old, new : Ruleset

    Returns
    -------
    dict
        ``changes`` (key, old and new value), and the tables that were ``added`` and ``removed``.

    Examples
    --------
    >>> import sim
    >>> own = sim.load("granmagia")
    >>> between(own, sim.load("granmagia", overrides="witches.celestina.cost=7"))["changes"]
    [{'key': 'witches.celestina.cost', 'old': 6, 'new': 7}]
    """
    if old.hash == new.hash:
        return {"changes": [], "added": [], "removed": []}
    new_keys, old_keys = set(new.keys()), set(old.keys())
    pairs = [
        {"key": key, "old": _plain(old.source(key).value), "new": _plain(new.source(key).value)}
        for key in sorted(new_keys & old_keys)
    ]
    return {
        "changes": [pair for pair in pairs if pair["old"] != pair["new"]],
        "added": _tables(new_keys - old_keys, old_keys),
        "removed": _tables(old_keys - new_keys, new_keys),
    }


def _tables(keys: Iterable[str], others: Iterable[str]) -> list[str]:
    """Return the outermost tables of some keys that hold none of the others."""
    taken = {
        ".".join(parts[:n]) for key in others for parts in [key.split(".")] for n in _upto(parts)
    }
    found = set()
    for key in keys:
        parts = key.split(".")
        names = (".".join(parts[:n]) for n in _upto(parts))
        found.add(next((name for name in names if name not in taken), key))
    return sorted(found)


def _upto(parts: list[str]) -> range:
    return range(1, len(parts) + 1)


def _plain(value: Any) -> Any:
    """Return a value of the rules as JSON knows it."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
