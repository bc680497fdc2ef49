"""Pairs in what seats have at the end: how many of each, and who wins with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.report.plain import by_players, json_row
from analysis.report.views import pairs
from analysis.sections import designs_of_choices, present

if TYPE_CHECKING:
    from analysis.spec import Matrix
    from sim.run.result import Run

__all__ = ["matrix_section"]


def matrix_section(run: Run, matrix: Matrix, level: float) -> dict[str, Any] | None:
    """Return the mean number of each pair, and the win rate of seats that have one.

    Parameters
    ----------
    run : Run
    matrix : Matrix
    level : float
        Coverage of the intervals; those of all means and rates of the section hold together.

    Returns
    -------
    dict or None
        None where no rows were kept. ``rate`` is null for a pair that no seat has.
    """
    import polars as pl

    if run.keep == "sums":
        return None
    found = list(pairs(run.info, matrix))
    used = designs_of_choices(present(run.plan))
    names = [column.name for _, _, column in found]
    place = ["deal", "game", "players", "win60"]
    rows = run.scan_rows().filter(pl.col("design").cast(pl.String).is_in(list(used)))
    table = rows.select(*place, *names).collect()
    if table.is_empty():
        return None
    counts = table["players"].n_unique()
    asked: dict[str, Any] = {"level": level, "family": 2 * len(found) * counts}
    cells = []
    for row, column, counted in found:
        means = frames.outcomes(run, counted.name, design=used, **asked).to_dicts()
        having = table.filter(pl.col(counted.name) > 0)
        rates = frames.win_rates(having, ("players",), **asked).to_dicts() if len(having) else []
        won = {rate["players"]: rate for rate in rates}
        for mean in means:
            n = mean["players"]
            rate = json_row({**won[n], "verdict": None}) if n in won else None
            key = {"row": row.id, "column": column.id}
            cells.append({"players": n, **key, "mean": json_row(mean), "rate": rate})
    return {
        "id": matrix.id,
        "label": matrix.label.model_dump(),
        "selected": all(column.selected for _, _, column in found),
        "designs": list(used),
        "by": [_named(run, name) for name in (matrix.rows, matrix.columns)],
        "tables": by_players(cells),
    }


def _named(run: Run, name: str) -> dict[str, Any]:
    column = next(column for column in run.info.level("seat") if column.name == name)
    values = {value.id: value.label._asdict() for value in run.categories(name)}
    return {"column": name, "label": column.label._asdict(), "values": values}
