"""What winners have and what the others have: points by origin, and counts along a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis import estimates
from analysis.report.plain import json_row
from analysis.report.views import columns_of
from analysis.sections import designs_of_choices, present
from sim.core.title import WIN

if TYPE_CHECKING:
    import polars as pl

    from analysis.spec import Curve
    from sim.core.title import Column
    from sim.run.result import Run

__all__ = ["winner_sections"]

#: Of a game: what its winner has, what each of the others has on average, and how they differ.
_PARTS = ("winners", "others", "difference")


def winner_sections(run: Run, curves: Sequence[Curve], level: float) -> list[dict[str, Any]]:
    """Return winners beside the others, for the title's sources and for each curve.

    A shared win counts in equal parts: of a game that two seats share, each is half a winner and
    half one of the others. Both means are taken game by game, so their difference is paired.

    Parameters
    ----------
    run : Run
    curves : sequence of Curve
    level : float
        Coverage of the intervals, simultaneous within a section.

    Returns
    -------
    list of dict
        Empty where no rows were kept, or where nobody plays against anybody.
    """
    if run.keep == "sums" or run.info.seats == "none":
        return []
    sources = [c for c in run.info.level("seat") if c.role == "source"]
    asked: list[tuple[dict[str, Any], list[Column], Sequence[str | None]]] = []
    if sources:
        asked.append(
            ({"id": "sources", "label": None, "across": None}, sources, [None] * len(sources))
        )
    for curve in curves:
        named = {"id": curve.id, "label": curve.label.model_dump()}
        columns = columns_of(run.info, curve)
        asked.append(({**named, "across": curve.across.model_dump()}, columns, curve.at))
    if not asked:
        return []
    used = designs_of_choices(present(run.plan))
    names = list(dict.fromkeys(column.name for _, columns, _ in asked for column in columns))
    sums = {row["players"]: row for row in _sums(run, names, used).to_dicts()}
    return [
        {
            **named,
            "designs": list(used),
            "tables": [
                {
                    "players": players,
                    "games": sums[players]["games"],
                    "clusters": sums[players]["clusters"],
                    "rows": _rows(sums[players], players, columns, at, z),
                }
                for players in sorted(sums)
            ],
        }
        for named, columns, at in asked
        for z in [estimates.z_value(level, max(1, len(_PARTS) * len(columns) * len(sums)))]
    ]


def _rows(
    sums: Mapping[str, Any],
    players: int,
    columns: Sequence[Column],
    at: Sequence[str | None],
    z: float,
) -> list[dict[str, Any]]:
    return [
        {
            "column": column.name,
            "label": column.label._asdict(),
            "at": place,
            **{part: _mean(sums, column.name, part, players, z) for part in _PARTS},
        }
        for column, place in zip(columns, at, strict=True)
    ]


def _mean(sums: Mapping[str, Any], name: str, part: str, players: int, z: float) -> dict[str, Any]:
    """Return a mean over games, with its interval."""
    found = {key: sums[f"{key} {part} {name}"] for key in ("y", "yy", "yn")}
    whole = {"rows": sums["games"], "clusters": sums["clusters"], "nn": sums["nn"]}
    got = estimates.means(**whole, **found, z=z)
    unit = WIN if part == "winners" else WIN * (players - 1)
    return json_row({key: float(getattr(got, key)[0]) / unit for key in ("mean", "se", "lo", "hi")})


def _sums(run: Run, names: Sequence[str], designs: Sequence[str]) -> pl.DataFrame:
    """Return by player count the sums that means over games with deals as clusters are made of."""
    import polars as pl

    win, players = pl.col("win60").cast(pl.Int64), pl.col("players").cast(pl.Int64)
    per_game: dict[str, pl.Expr] = {}
    for name in names:
        value = pl.col(name).cast(pl.Int64)
        winners, others = (value * win).sum(), (value * (WIN - win)).sum()
        # In the smallest unit that makes all of them whole numbers: see _mean.
        per_game[f"winners {name}"] = winners
        per_game[f"others {name}"] = others
        per_game[f"difference {name}"] = winners * (players.first() - 1) - others
    n = pl.col("n")
    deals = (
        run.scan_rows()
        .filter(pl.col("design").cast(pl.String).is_in(list(designs)))
        .group_by("players", "deal")
        .agg(n=pl.col("game").n_unique().cast(pl.Int64), **per_game)
    )
    folded = {"games": n.sum(), "clusters": pl.len().cast(pl.Int64), "nn": (n * n).sum()}
    for key in per_game:
        y = pl.col(key)
        folded |= {f"y {key}": y.sum(), f"yy {key}": (y * y).sum(), f"yn {key}": (y * n).sum()}
    return deals.group_by("players").agg(**folded).collect(engine="streaming")
