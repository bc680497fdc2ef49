"""How often each value of a category occurred: shares of games, not rates of wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analysis import estimates
from analysis.report.plain import json_row
from analysis.report.rates import Labels, category_labels
from analysis.report.views import category_of
from analysis.sections import present
from sim.errors import UnknownNameError

if TYPE_CHECKING:
    import polars as pl

    from analysis.spec import Share
    from sim.run.result import Run

__all__ = ["share_section"]

_SUMS = ("yy", "yn", "nn")
_RATE = ("rate", "se", "lo", "hi")


def share_section(
    run: Run, share: Share, level: float, policies: Labels | None = None
) -> dict[str, Any] | None:
    """Return the share of each value of a category among seats that have any.

    Parameters
    ----------
    run : Run
    share : Share
    level : float
        Coverage of the intervals; those of the whole section hold together.
    policies : mapping, optional
        Display names of policies.

    Returns
    -------
    dict or None
        A row for each value that occurred, the most frequent first; where the share is asked for
        by policy and there are several, tables of each policy follow. None where no rows were kept,
        and where all seats have the value that is left out.

    Raises
    ------
    UnknownNameError
        When the title has no such category, or it no such value.
    """
    column = category_of(run.info, share.column)
    labels = category_labels(run, column.name)
    if share.without not in labels:
        raise UnknownNameError(f"value of {column.name}", share.without, labels)
    if run.keep == "sums":
        return None
    counted = [_counted(run, share, by_policy=False)]
    if share.by_policy and len(run.plan.policies) > 1:
        counted.append(_counted(run, share, by_policy=True))
    every = sum(table.height for table in counted)
    if not every:
        return None
    z = estimates.z_value(level, every)
    tables: dict[tuple[int, str | None], list[dict[str, Any]]] = {}
    for table in counted:
        for row in _rated(table, z):
            policy = row.pop("policy", None)
            row["label"] = labels.get(row["id"])
            tables.setdefault((row["players"], policy), []).append(row)
    # One table of each player count, then those of its policies, in the order of the plan.
    order = {policy: n for n, policy in enumerate((None, *run.plan.policies))}
    names = policies or {}
    return {
        "column": column.name,
        "label": column.label._asdict(),
        "of": share.of.model_dump(),
        "designs": list(present(run.plan)),
        "tables": [
            {"players": players, "policy": policy, "label": names.get(policy or ""), "rows": rows}
            for (players, policy), rows in sorted(
                tables.items(), key=lambda item: (item[0][0], order[item[0][1]])
            )
        ],
    }


def _counted(run: Run, share: Share, *, by_policy: bool) -> pl.DataFrame:
    """Return how often each value occurred, with the sums of a rate that is clustered by deal."""
    import polars as pl

    of = ["players", "policy"] if by_policy else ["players"]
    rows = (
        run.scan_rows()
        .select("deal", *of, pl.col(share.column).cast(pl.String).alias("id"))
        .filter(pl.col("id") != share.without)
    )
    every = rows.group_by(*of, "deal").agg(n=pl.len().cast(pl.Int64))
    whole = every.group_by(of).agg(
        pl.col("n").sum().alias("rows"), clusters=pl.len(), nn=pl.col("n").pow(2).sum()
    )
    return (
        rows.group_by(*of, "deal", "id")
        .agg(y=pl.len().cast(pl.Int64))
        .join(every, on=[*of, "deal"])
        .group_by(*of, "id")
        .agg(
            pl.col("y").sum(),
            yy=pl.col("y").pow(2).sum(),
            yn=(pl.col("y") * pl.col("n")).sum(),
        )
        .join(whole, on=of)
        .sort(*of, pl.col("y").neg(), "id")
        .collect()
    )


def _rated(table: pl.DataFrame, z: float) -> Iterator[dict[str, Any]]:
    """Yield the rows with their shares and intervals."""
    sums = {name: table[name].to_numpy() for name in ("rows", "clusters", "y", *_SUMS)}
    got = estimates.clustered_rates(**sums, z=z, win=1)
    for i, row in enumerate(table.to_dicts()):
        rate = json_row({name: float(getattr(got, name)[i]) for name in _RATE})
        counted = {"count": row["y"], "games": row["rows"], "clusters": row["clusters"]}
        named = {name: row[name] for name in ("players", "policy", "id") if name in row}
        yield named | counted | rate
