"""Length and policies' rates against one value of the rules at a time, set for the whole table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import estimates, frames
from analysis.folding import SUMS, fold
from analysis.report.plain import json_row
from analysis.report.rates import Labels
from analysis.report.studies import LeverRuns
from analysis.sections import designs_for, present
from sim.core.title import WIN

if TYPE_CHECKING:
    import polars as pl

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
    z = estimates.z_value(level, max(1, shown))
    asked = {"level": level, "family": max(1, shown)}
    points = {
        setting: {
            value: _figures(run, found.own, versus, labels, asked, z)
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
    run: Run, own: Run, versus: Sequence[str], labels: Labels, asked: Mapping[str, Any], z: float
) -> dict[int, dict[str, Any]]:
    """Return length and rates by player count, with their changes where the run is another."""
    lengths = frames.outcomes(run, "rounds", **asked).to_dicts()
    changes = _changes(run, own, (), ("players",), "rounds", z)
    found: dict[int, dict[str, Any]] = {
        row["players"]: {
            "length": json_row({key: row[key] for key in _MEAN} | changes[row["players"],]),
            "policies": [],
        }
        for row in lengths
    }
    keys = ("players", "policy")
    changes = _changes(run, own, versus, keys, "win60", z)
    for row in frames.win_rates(run, keys, design=versus, **asked).to_dicts():
        named = {"players": row["players"], "policy": row["policy"]}
        label = {"label": labels.get(row["policy"])}
        figures = {key: row[key] for key in _RATE}
        found[row["players"]]["policies"].append(
            json_row({**named, **label, **figures, **changes[row["players"], row["policy"]]})
        )
    return found


class _Same(dict[tuple[Any, ...], dict[str, Any]]):
    """No change, whatever is asked for."""

    def __missing__(self, key: tuple[Any, ...]) -> dict[str, Any]:
        return dict.fromkeys(_CHANGE.values())


def _changes(
    run: Run, own: Run, designs: Sequence[str], keys: Sequence[str], value: str, z: float
) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return by keys the mean difference of a value between two runs of the same deals."""
    import polars as pl

    if run is own:
        return _Same()
    pair = ["game"] if value == "rounds" else ["game", "seat"]
    new, old = (_rows(one, designs, [*pair, *keys, "deal"], value) for one in (run, own))
    both = new.join(old.select(*pair, pl.col(value).alias("old")), on=pair)
    sums = fold(both.with_columns(d=pl.col(value) - pl.col("old")), keys, "d")
    arrays = {name: sums[name].to_numpy() for name in SUMS if name != "games"}
    unit = 1 if value == "rounds" else WIN
    got = estimates.means(**arrays, z=z, step=unit)
    told = {name: getattr(got, part) / unit for part, name in _CHANGE.items()}
    # Where no game differed there is no spread to make an interval of.
    told |= {end: np.where(got.se > 0, told[end], np.nan) for end in ("change_lo", "change_hi")}
    return {
        tuple(key): json_row({name: float(values[i]) for name, values in told.items()})
        for i, key in enumerate(sums.select(keys).rows())
    }


def _rows(run: Run, designs: Sequence[str], names: Sequence[str], value: str) -> pl.LazyFrame:
    import polars as pl

    rows = run.scan_games() if value == "rounds" else run.scan_rows()
    if designs:
        rows = rows.filter(pl.col("design").cast(pl.String).is_in(list(designs)))
    return rows.select(*names, pl.col(value).cast(pl.Int64))
