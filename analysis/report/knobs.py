"""Each seat's share against one value of the rules at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.compare import compare
from analysis.report.plain import CHANGES, json_row
from analysis.report.studies import Dial, KnobRuns

if TYPE_CHECKING:
    import polars as pl

    from sim.run.result import Run

__all__ = ["knob_section"]

_RATE = ("games", "clusters", "rate", "se", "lo", "hi", "parity", "verdict")


def knob_section(found: KnobRuns, level: float, margin: float) -> dict[str, Any]:
    """Return the curves of a knob.

    Parameters
    ----------
    found : KnobRuns
    level : float
        Coverage of the intervals; those of rates and changes hold together for one player count.
    margin : float
        Around parity, as a rate.

    Returns
    -------
    dict
        One table a player count, one row a dial, one point a value. ``change`` is the paired
        difference from the value of the run's rules on the same deals.
    """
    knob = found.knob
    labels = {what.id: what.label.model_dump() for what in knob.what}
    tables = []
    for players in sorted({dial.players for dial in found.runs}):
        dials = {dial: runs for dial, runs in found.runs.items() if dial.players == players}
        # Rates, and changes of all but the value of the rules themselves.
        family = sum(2 * len(runs) - 1 for runs in dials.values())
        rows = [
            {
                "seat": dial.seat,
                "what": dial.what,
                "label": labels[dial.what],
                "key": dial.key,
                "now": dial.now,
                "parity": 1 / players,
                "points": _points(dial, runs, level, margin, family),
            }
            for dial, runs in dials.items()
        ]
        tables.append({"players": players, "margin": margin, "rows": rows})
    return {
        "id": knob.id,
        "label": knob.label.model_dump(),
        "note": knob.about.model_dump(),
        "lineups": "pool",
        "tables": tables,
    }


def _points(
    dial: Dial, runs: Mapping[int, Run], level: float, margin: float, family: int
) -> list[dict[str, Any]]:
    asked: dict[str, Any] = {"by": ("players", "seat"), "level": level, "family": family}
    points = []
    for value, run in runs.items():
        row = _of(dial.seat, frames.win_rates(run, margin=margin, **asked))
        changed: dict[str, Any] = dict.fromkeys(CHANGES.values())
        if value != dial.now:
            found = _of(dial.seat, compare(runs[dial.now], run, **asked))
            changed = {name: found[part] for part, name in CHANGES.items()}
        kept = {key: row[key] for key in _RATE}
        points.append(json_row({"value": value, "now": value == dial.now, **kept, **changed}))
    return points


def _of(seat: int, table: pl.DataFrame) -> dict[str, Any]:
    return next(row for row in table.to_dicts() if row["seat"] == seat)
