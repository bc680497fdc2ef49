"""Values by round: of each seat, or of all together where there is no telling seats apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import estimates
from analysis.report.plain import by_players, json_row
from analysis.sections import present

if TYPE_CHECKING:
    import polars as pl

    from sim.run.result import Run

__all__ = ["series_sections"]

#: Rounds that fewer games have reached, in share and number, are left out.
_SHARE, _LEAST = 0.01, 100


def series_sections(run: Run, level: float) -> list[dict[str, Any]]:
    """Return the mean of each series by round and seat; none where series were not collected.

    Where seats are alike by the rules, or there is one only, there is one mean, whose ``seat`` is
    null.

    Parameters
    ----------
    run : Run
    level : float
        Coverage of the intervals, simultaneous over the rounds and seats of one player count.

    Notes
    -----
    Sums of series do not know which values shared a deal. The intervals hold even if all values of
    a deal were one and the same: with n values in parts n_i of which m_i share a deal, the variance
    of the mean is then sd² Σ n_i m_i / n², which is the largest that it can be.
    """
    if "series" not in run.collect or not run.info.series:
        return []
    sums = run.sums.series
    found = [
        {
            "column": column.name,
            "label": column.label._asdict(),
            "designs": list(present(run.plan)),
            "tables": _tables(run, sums, column.name, level),
        }
        for column in run.info.series
    ]
    return [section for section in found if section["tables"]]


def _tables(run: Run, sums: pl.DataFrame, column: str, level: float) -> list[dict[str, Any]]:
    import polars as pl

    blocks = pl.DataFrame(
        [(b.players, b.design, b.games_per_deal, b.games) for b in run.plan.blocks if b.deals],
        schema={"players": pl.Int8, "design": pl.String, "per_deal": pl.Int64, "all": pl.Int64},
        orient="row",
    )
    sizes = blocks.group_by("players", "design").agg(pl.col("per_deal").max(), pl.col("all").sum())
    # Where seats are alike, those of a game are values that share a deal.
    alike = run.info.seats != "ordered"
    width = pl.col("players").cast(pl.Int64) if alike else pl.lit(1)
    keys = ["players", "round"] if alike else ["players", "seat", "round"]
    table = (
        sums.filter(pl.col("column").cast(pl.String) == column)
        .with_columns(pl.col("design").cast(pl.String))
        .join(sizes, on=["players", "design"])
        .group_by(keys)
        .agg(
            pl.col("n").sum(),
            pl.col("total").sum(),
            pl.col("squares").sum(),
            shared=(pl.col("n") * pl.col("per_deal") * width).sum(),
        )
        .with_columns(games=pl.col("n") // width)
    )
    if alike:
        table = table.with_columns(seat=pl.lit(None, pl.Int8))
    games = blocks.group_by("players").agg(pl.col("all").sum())
    table = table.join(games, on="players").filter(
        (pl.col("games") >= _LEAST) & (pl.col("games") >= _SHARE * pl.col("all"))
    )
    found = []
    for n in table["players"].unique().sort():
        of = table.filter(pl.col("players") == n).sort("seat", "round")
        z = estimates.z_value(level, max(1, of.height))
        for seat in of["seat"].unique().sort():
            own = of.filter(pl.col("seat").eq_missing(seat))
            points = [_point(row, z) for row in own.to_dicts()]
            found.append({"players": n, "seat": seat, "points": points})
    return by_players(found)


def _point(row: dict[str, Any], z: float) -> dict[str, Any]:
    n, total = row["n"], row["total"]
    got = estimates.means(
        rows=n, clusters=n, y=total, yy=row["squares"], yn=total, nn=n, squares=row["squares"], z=z
    )
    mean, half = float(got.mean[0]), z * float(got.sd[0]) * row["shared"] ** 0.5 / n
    return json_row(
        {
            "round": row["round"],
            "mean": mean,
            "lo": mean - half,
            "hi": mean + half,
            "sd": float(got.sd[0]),
            "games": row["games"],
        }
    )
