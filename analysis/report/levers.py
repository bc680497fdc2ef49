"""Length and policies' rates against one value of the rules at a time, set for the whole table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.compare import compare
from analysis.report.plain import CHANGES, json_row
from analysis.report.rates import Labels
from analysis.report.studies import LeverRuns
from analysis.sections import designs_for, present

if TYPE_CHECKING:
    from sim.run.result import Run

__all__ = ["lever_section"]

_MEAN = ("mean", "se", "lo", "hi", "games", "clusters")
_RATE = ("rate", "se", "lo", "hi", "games", "rows", "clusters", "parity", "verdict")
_CHANGE = {"mean": "change", "se": "change_se", "lo": "change_lo", "hi": "change_hi"}


def lever_section(found: LeverRuns, labels: Labels, level: float) -> dict[str, Any]:
    """Return what the values of a lever do to the length of a game and to policies' rates.

    Parameters
    ----------
    found : LeverRuns
    labels : mapping
        Display names by policy.
    level : float
        Coverage of the intervals; all of one player count, of figures and changes, hold together.

    Returns
    -------
    dict
        By player count and setting a point for each value. ``change`` is the paired difference from
        the value of the run's rules on the same deals.
    """
    lever, there = found.lever, present(found.own.plan)
    versus = designs_for(("policy",), there)
    policies = len(found.own.plan.policies)
    shown = sum(2 * len(runs) + 1 for runs in found.runs.values()) * (1 + policies)
    asked = {"level": level, "family": max(1, shown)}
    points = {
        setting: {
            value: _figures(run, found.own, versus, labels, asked)
            for value, run in sorted({**runs, found.now[setting]: found.own}.items())
        }
        for setting, runs in found.runs.items()
    }
    tables = []
    for players in found.own.plan.players:
        settings = [
            {
                "key": setting.key,
                "label": setting.label.model_dump(),
                "now": found.now[setting],
                "points": [
                    {"value": value, "now": value == found.now[setting], **figures[players]}
                    for value, figures in values.items()
                    if players in figures
                ],
            }
            for setting, values in points.items()
        ]
        tables.append({"players": players, "settings": settings})
    return {
        "id": lever.id,
        "label": lever.label.model_dump(),
        "note": lever.about.model_dump(),
        "designs": {"length": list(there), "policies": list(versus)},
        "tables": tables,
    }


def _figures(
    run: Run, own: Run, versus: Sequence[str], labels: Labels, asked: Mapping[str, Any]
) -> dict[int, dict[str, Any]]:
    """Return length and rates by player count, with their changes where the run is another."""
    lengths = frames.outcomes(run, "rounds", **asked).to_dicts()
    changes = _changes(run, own, ("players",), "rounds", asked)
    found: dict[int, dict[str, Any]] = {
        row["players"]: {
            "length": json_row({key: row[key] for key in _MEAN} | changes[row["players"],]),
            "policies": [],
        }
        for row in lengths
    }
    keys = ("players", "policy")
    asked = {**asked, "design": versus}
    changes = _changes(run, own, keys, "win60", asked)
    for row in frames.win_rates(run, keys, **asked).to_dicts():
        named = {"players": row["players"], "policy": row["policy"]}
        label = {"label": labels.get(row["policy"])}
        figures = {key: row[key] for key in _RATE}
        found[row["players"]]["policies"].append(
            json_row({**named, **label, **figures, **changes[row["players"], row["policy"]]})
        )
    return found


def _changes(
    run: Run, own: Run, keys: Sequence[str], value: str, asked: Mapping[str, Any]
) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return by keys what differs between two runs of the same deals; nothing for the same run."""
    if run is own:
        return defaultdict(lambda: dict.fromkeys(CHANGES.values()))
    return {
        tuple(row[key] for key in keys): {name: row[part] for part, name in CHANGES.items()}
        for row in compare(own, run, keys, value, **asked).to_dicts()
    }
