"""Win rates by what a seat had made of its deck, field or hand when the game was over."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.report.plain import by_players, json_row
from analysis.sections import designs_of_choices, present

if TYPE_CHECKING:
    import polars as pl

    from analysis.spec import Label
    from sim.core.title import Column
    from sim.run.result import Run

__all__ = ["composition_section"]

#: Most bins of a column.
_BINS = 5

_RATE = ("players", "games", "rows", "clusters", "rate", "se", "lo", "hi", "parity")


def composition_section(
    run: Run, label: Label, level: float, elsewhere: Collection[str] = ()
) -> dict[str, Any] | None:
    """Return win rates by bins of each composition column; None where no rows were kept.

    Parameters
    ----------
    run : Run
    label : Label
        What a seat has at the end.
    level : float
        Coverage of the intervals, simultaneous within a column.
    elsewhere : collection of str
        Columns that other sections tell.
    """
    import polars as pl

    found = (c for c in run.info.level("seat") if c.role == "composition")
    columns = [column for column in found if column.name not in elsewhere]
    solo = run.info.seats == "none"
    if solo and run.info.supply is not None and "cards" in run.collect:
        # What chance deals the one player before play is the supply, and told by its effects.
        columns = [column for column in columns if column.selected]
    if run.keep == "sums" or not columns:
        return None
    used = list(designs_of_choices(present(run.plan)))
    place = ["deal", "game", "players", "win60"]
    rows = run.scan_rows().filter(pl.col("design").cast(pl.String).is_in(used))
    table = rows.select(*place, *(column.name for column in columns)).collect()
    if table.is_empty():
        return None
    return {
        "label": label.model_dump(),
        "selected": any(column.selected for column in columns),
        "designs": used,
        "columns": [_column(table, column, level) for column in columns],
    }


def _column(table: pl.DataFrame, column: Column, level: float) -> dict[str, Any]:
    import polars as pl

    values = table[column.name].cast(pl.Int64)
    bins = _bins(values)
    names = {value: low for low, high in bins for value in range(low, high + 1)}
    binned = table.with_columns(bin=values.replace_strict(names, return_dtype=pl.Int64))
    rates = frames.win_rates(binned, ("players", "bin"), level=level, family="table")
    ends = dict(bins)
    seats = binned.group_by("players").agg(pl.len()).rows()
    return {
        "column": column.name,
        "label": column.label._asdict(),
        "tables": by_players(_row(row, ends, dict(seats)) for row in rates.to_dicts()),
    }


def _row(row: Mapping[str, Any], ends: Mapping[int, int], seats: Mapping[int, int]) -> Any:
    low = row["bin"]
    share = row["rows"] / seats[row["players"]]
    return json_row(
        {"from": low, "to": ends[low], **{key: row[key] for key in _RATE}}
        | {"verdict": None, "share": share}
    )


def _bins(values: pl.Series) -> list[tuple[int, int]]:
    """Return inclusive bins: every value for itself where they are few, else of like size."""
    found = values.value_counts().sort(values.name)
    return bins_of(found[values.name].to_list(), found["count"].to_list())


def bins_of(values: Sequence[int], counts: Sequence[int]) -> list[tuple[int, int]]:
    """Cut counted values into at most five bins of like size, none of them empty.

    Parameters
    ----------
    values : sequence of int
        Ascending.
    counts : sequence of int

    Returns
    -------
    list of (int, int)
        First and last value of each bin; together they cover every whole number in between.

    Examples
    --------
    >>> bins_of([0, 1, 2], [5, 1, 9])
    [(0, 0), (1, 1), (2, 2)]
    >>> bins_of([0, 1, 2, 3, 4, 5, 9], [50, 10, 10, 10, 10, 5, 5])
    [(0, 0), (1, 1), (2, 3), (4, 9)]
    """
    if len(values) <= _BINS:
        starts = list(values)
    else:
        total, seen, starts, full = sum(counts), 0, [values[0]], 0
        for value, count in zip(values, counts, strict=True):
            # A bin ends once its share of all is reached.
            if seen * _BINS >= (full + 1) * total and value != starts[-1]:
                starts.append(value)
                full = seen * _BINS // total
            seen += count
    ends = [start - 1 for start in starts[1:]] + [values[-1]]
    return list(zip(starts, ends, strict=True))
