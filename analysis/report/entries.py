"""Line-up entries taken apart: which policy plays, and with what it was brought along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.report.rates import category_labels
from sim.core.policy import parse_entry

if TYPE_CHECKING:
    from sim.run.result import Run

__all__ = ["players_of", "split"]


def split(entry: str) -> tuple[str, str | None]:
    """Return the policy of an entry, with its slip, and what it brings along.

    Examples
    --------
    >>> split("engine:swift_fire@0.05"), split("engine")
    (('engine@0.05', 'swift_fire'), ('engine', None))
    """
    found = parse_entry(entry)
    slip = "" if found.slip is None else f"@{found.slip / 10_000:g}"
    return f"{found.policy}{slip}", found.loadout


def players_of(run: Run, brought: str | None) -> dict[str, dict[str, str]]:
    """Return the display names of policies by themselves, in the order of the plan.

    Parameters
    ----------
    run : Run
    brought : str or None
        The category column of what seats bring along, whose names stand in those of entries.
    """
    values = {} if brought is None else category_labels(run, brought)
    found: dict[str, dict[str, str]] = {}
    for entry, label in run.policies.items():
        policy, loadout = split(entry)
        own = label._asdict()
        if loadout in values:
            for language, mark in (("en", ": "), ("ja", "：")):
                own[language] = own[language].removesuffix(mark + values[loadout][language])
        found.setdefault(policy, own)
    return found
