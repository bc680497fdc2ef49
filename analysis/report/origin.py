"""What a run's rules differ in from those that its title ships, and how its policies are called."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from analysis.changes import between
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
        As :func:`analysis.changes.between`; old values are None where they are not known.
    """
    try:
        now, title = run.setup.ruleset, run.setup.title
        own = title.load()
    except (InputError, AttributeError):  # rules have changed since: what the store kept is left
        kept = run.rules.changes
        changes = [{"key": key, "old": None, "new": new} for key, new in sorted(kept.items())]
        return {"changes": changes, "added": [], "removed": []}
    return between(own, now)
