"""How far the first player is ahead in mirrors, where nothing but the seat differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analysis import estimates
from analysis.folding import SUMS, pool
from analysis.report.entries import players_of, split
from analysis.report.plain import by_players, json_row
from analysis.report.rates import category_labels
from analysis.report.views import category_of
from analysis.runs import RunSource
from analysis.sections import present

if TYPE_CHECKING:
    import polars as pl

    from analysis.spec import Mirrors
    from sim.run.result import Run

__all__ = ["mirror_section"]

#: What the rows of a table can be about: everything, one thing brought along, one policy, or both.
_VIEWS = ((), ("brought",), ("policy",), ("brought", "policy"))


def mirror_section(
    main: Run,
    slipping: Mapping[float, Run],
    asked: Mirrors | None,
    level: float,
    margin: float,
) -> dict[str, Any] | None:
    """Return the share of seat 1 in mirrors, by what both seats play and bring along.

    Parameters
    ----------
    main : Run
        Nobody slips in it.
    slipping : mapping of float to Run
        By slip, as a share of the decisions. At 1 all policies are alike and are not told apart.
    asked : Mirrors or None
    level : float
        Coverage of the intervals; those of the whole section hold together.
    margin : float
        Around parity, as a rate.

    Returns
    -------
    dict or None
        None where nothing is declared, where seats have no order, and without mirrors. Rows have
        ``brought`` and ``policy`` where they are about one of them, else they average over all.

    Notes
    -----
    Every mirror has deals of its own, so sums over several mirrors have no deal in common.
    """
    if asked is None or main.info.seats != "ordered" or "mirror" not in present(main.plan):
        return None
    runs = {0.0: main, **slipping}
    tables: list[tuple[float, tuple[str, ...], pl.DataFrame]] = []
    for slip, run in runs.items():
        sums = _sums(run, slip)
        for view in _VIEWS:
            # Pairs are told of the main run only: those of the others rest on too few games.
            if (asked.brought is None and "brought" in view) or (slip and len(view) > 1):
                continue
            if slip == 1 and "policy" in view:
                continue
            tables.append((slip, view, pool(sums, ["players", *view])))
    family = sum(table.height for _, _, table in tables)
    if not family:
        return None
    z = estimates.z_value(level, family)
    rows = [
        {"slip": slip, **row}
        for slip, view, table in tables
        for row in _rates(table.sort("players", *view), view, z, margin)
    ]
    values = {} if asked.brought is None else category_labels(main, asked.brought)
    return {
        "brought": None if asked.brought is None else _named(main, asked.brought, values),
        "policies": players_of(main, asked.brought),
        "levels": list(runs),
        "designs": ["mirror"],
        "margin": margin,
        "family": family,
        "tables": by_players(rows),
    }


def _named(run: Run, column: str, values: Mapping[str, Any]) -> dict[str, Any]:
    label = category_of(run.info, column).label._asdict()
    return {"column": column, "label": label, "values": dict(values)}


def _sums(run: Run, slip: float) -> pl.DataFrame:
    """Return the sums of seat 1 in mirrors by what was brought along and by policy."""
    import polars as pl

    sums = RunSource(run).win_sums(["players", "policy", "seat"], ("mirror",))
    first = sums.filter(pl.col("seat") == 1)
    parts = [split(entry) for entry in first["policy"].cast(pl.String)]
    # engine@0.05 is engine, who slips.
    names = [policy.rpartition("@")[0] if slip else policy for policy, _ in parts]
    return first.select("players", *SUMS).with_columns(
        policy=pl.Series(names, dtype=pl.String),
        brought=pl.Series([brought for _, brought in parts], dtype=pl.String),
    )


def _rates(
    table: pl.DataFrame, view: tuple[str, ...], z: float, margin: float
) -> list[dict[str, Any]]:
    sums: dict[str, Any] = {name: table[name].to_numpy() for name in SUMS if name != "games"}
    got = estimates.clustered_rates(**sums, z=z)
    parity = 1 / table["players"].to_numpy()
    said = estimates.verdicts(got.lo, got.hi, parity, margin, got.few)
    counted = table.select("players", *view, "games", "rows", "clusters").to_dicts()
    return [
        json_row(
            {
                **row,
                **{name: float(getattr(got, name)[place]) for name in ("rate", "se", "lo", "hi")},
                "parity": float(parity[place]),
                "verdict": said[place],
            }
        )
        for place, row in enumerate(counted)
    ]
