"""What a run's rules differ in from those that its title ships, and how its policies are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sim.core.policy import parse_entry
from sim.errors import InputError

if TYPE_CHECKING:
    from sim.run.result import Run

__all__ = ["differences", "policy_labels"]


def policy_labels(run: Run) -> dict[str, dict[str, str]]:
    """Return a display name for every line-up entry of a run; no two are alike.

    A policy that slips says so. Where labels are still alike, the entry itself is added.

    Parameters
    ----------
    run : Run

    Returns
    -------
    dict
        ``{"en": …, "ja": …}`` by entry.
    """
    found = {}
    for name, label in run.policies.items():
        slip = parse_entry(name).slip
        part = "" if slip is None else f"{slip / 100:g} %"
        found[name] = {
            "en": f"{label.en}, slip {part}" if part else label.en,
            "ja": f"{label.ja}（{part} の誤り）" if part else label.ja,
        }
    for language, form in (("en", "{} ({})"), ("ja", "{}（{}）")):
        used = Counter(texts[language] for texts in found.values())
        for name, texts in found.items():
            if used[texts[language]] > 1:
                texts[language] = form.format(texts[language], name)
    return found


def differences(run: Run) -> dict[str, Any]:
    """Return what the rules of a run differ in from the title's own.

    Parameters
    ----------
    run : Run

    Returns
    -------
    dict
        ``changes`` (key, old and new value; the old one is None where it is not known), and the
        tables that were ``added`` and ``removed``.
    """
    try:
        now, title = run.setup.ruleset, run.setup.title
        own = title.load()
    except (InputError, AttributeError):  # rules have changed since: what the store kept is left
        kept = run.rules.changes
        changes = [{"key": key, "old": None, "new": new} for key, new in sorted(kept.items())]
        return {"changes": changes, "added": [], "removed": []}
    if now.hash == own.hash:
        return {"changes": [], "added": [], "removed": []}
    new_keys, old_keys = set(now.keys()), set(own.keys())
    pairs = [
        {"key": key, "old": _plain(own.source(key).value), "new": _plain(now.source(key).value)}
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
