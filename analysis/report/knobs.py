"""Each seat's share against one value of the rules at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analysis import estimates, frames
from analysis.report.plain import json_row
from analysis.report.studies import Dial, KnobRuns
from sim.core.title import WIN

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
    z = estimates.z_value(level, family)
    now = _seat(runs[dial.now], dial.seat)
    points = []
    for value, run in runs.items():
        rates = frames.win_rates(
            run, ("players", "seat"), level=level, family=family, margin=margin
        )
        row = next(row for row in rates.to_dicts() if row["seat"] == dial.seat)
        changed: dict[str, Any] = dict.fromkeys(("change", "change_se", "change_lo", "change_hi"))
        if value != dial.now:
            changed = _change(_seat(run, dial.seat), now, z)
        kept = {key: row[key] for key in _RATE}
        points.append(json_row({"value": value, "now": value == dial.now, **kept, **changed}))
    return points


def _seat(run: Run, seat: int) -> pl.DataFrame:
    """Return a seat's win shares by game; the same game is the same deal in every run."""
    import polars as pl

    rows = run.scan_seats().filter(pl.col("seat") == seat)
    return rows.select("game", pl.col("win60").cast(pl.Int64)).collect()


def _change(new: pl.DataFrame, old: pl.DataFrame, z: float) -> dict[str, Any]:
    """Return the mean difference of a seat's share over deals, which both runs played."""
    import polars as pl

    both = new.join(old, on="game", suffix="_old")
    d = both.select(d=pl.col("win60") - pl.col("win60_old"))["d"]
    n, total = len(d), int(d.sum())
    sums = {"y": total, "yy": int((d * d).sum()), "yn": total, "nn": n}
    got = estimates.means(rows=n, clusters=n, **sums, z=z, step=WIN)
    named = {"change": got.mean, "change_se": got.se, "change_lo": got.lo, "change_hi": got.hi}
    return {name: float(values[0]) / WIN for name, values in named.items()}
