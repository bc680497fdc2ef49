"""How often each value of a category occurred: shares of games, not rates of wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import estimates
from analysis.report.plain import by_players, json_row
from analysis.report.rates import category_labels
from analysis.report.views import category_of
from analysis.sections import present
from sim.errors import UnknownNameError

if TYPE_CHECKING:
    from analysis.spec import Share
    from sim.run.result import Run

__all__ = ["share_section"]

_SUMS = ("yy", "yn", "nn")
_RATE = ("rate", "se", "lo", "hi")


def share_section(run: Run, share: Share, level: float) -> dict[str, Any] | None:
    """Return the share of each value of a category among seats that have any.

    Parameters
    ----------
    run : Run
    share : Share
    level : float
        Coverage of the intervals; those of the whole section hold together.

    Returns
    -------
    dict or None
        A row for each value that occurred, the most frequent first. None where no rows were kept,
        and where all seats have the value that is left out.

    Raises
    ------
    UnknownNameError
        When the title has no such category, or it no such value.
    """
    import polars as pl

    column = category_of(run.info, share.column)
    labels = category_labels(run, column.name)
    if share.without not in labels:
        raise UnknownNameError(f"value of {column.name}", share.without, labels)
    if run.keep == "sums":
        return None
    rows = (
        run.scan_rows()
        .select("players", "deal", pl.col(column.name).cast(pl.String).alias("id"))
        .filter(pl.col("id") != share.without)
    )
    every = rows.group_by("players", "deal").agg(n=pl.len().cast(pl.Int64))
    whole = every.group_by("players").agg(
        pl.col("n").sum().alias("rows"), clusters=pl.len(), nn=pl.col("n").pow(2).sum()
    )
    table = (
        rows.group_by("players", "deal", "id")
        .agg(y=pl.len().cast(pl.Int64))
        .join(every, on=["players", "deal"])
        .group_by("players", "id")
        .agg(
            pl.col("y").sum(),
            yy=pl.col("y").pow(2).sum(),
            yn=(pl.col("y") * pl.col("n")).sum(),
        )
        .join(whole, on="players")
        .sort("players", pl.col("y").neg(), "id")
        .collect()
    )
    if table.is_empty():
        return None
    names = ("rows", "clusters", "y", *_SUMS)
    got = estimates.clustered_rates(
        **{name: table[name].to_numpy() for name in names},
        z=estimates.z_value(level, table.height),
        win=1,
    )
    found = []
    for i, row in enumerate(table.to_dicts()):
        rate = json_row({name: float(getattr(got, name)[i]) for name in _RATE})
        counted = {"count": row["y"], "games": row["rows"], "clusters": row["clusters"]}
        label = labels.get(row["id"])
        found.append(
            {"players": row["players"], "id": row["id"], "label": label, **counted, **rate}
        )
    return {
        "column": column.name,
        "label": column.label._asdict(),
        "of": share.of.model_dump(),
        "designs": list(present(run.plan)),
        "tables": by_players(found),
    }
