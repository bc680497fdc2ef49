"""Sections that show winners beside the others: along a curve, and points by their origin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis import formats
from analysis.report.pages import charts
from analysis.report.pages.grids import column, grid, headed, section
from analysis.report.pages.matrices import mean_cell
from analysis.report.pages.names import level, used
from analysis.report.pages.scale import Scale
from analysis.report.words import Words

__all__ = ["curves", "winners"]

#: What is drawn, in the order of its marks; the difference of the two stands in the table alone.
_DRAWN = ("winners", "others")


def curves(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return a section for each curve."""
    return [_curve(found, content, w) for found in content["winners"] if found["across"]]


def _curve(found: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    tables = found["tables"]
    ends = (
        end
        for table in tables
        for row in table["rows"]
        for part in _DRAWN
        for end in _ends(row[part])
    )
    inside = charts.span(ends)
    drawn = [
        charts.panel(
            w.players(table["players"]),
            [
                charts.Line(
                    [
                        (i, row[part]["mean"], *_ends(row[part]), "")
                        for i, row in enumerate(table["rows"])
                    ]
                )
                for part in _DRAWN
            ],
            across=[(i, row["at"]) for i, row in enumerate(table["rows"])],
            inside=inside,
            factor=1.0,
            size=charts.LARGE,
            dodge=True,
        )
        for table in tables
    ]
    across = w.label(found["across"])
    group = {
        "charts": [drawn],
        "legend": _legend(w),
        "tables": [_table(table, table["rows"], across, content, w) for table in tables],
    }
    heading = w("curve", name=w.label(found["label"], found["id"]))
    note = w("curve.note", across=w.inside(found["across"]))
    return section(f"curve-{found['id']}", heading, [group], _notes(note, found, content, w))


def winners(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return the section on where the points of winners come from, where points have origins."""
    return [_sources(found, content, w) for found in content["winners"] if not found["across"]]


def _sources(found: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    every = [row for table in found["tables"] for row in table["rows"]]
    some = {row["column"] for row in every if any(_ends(row[part]) != (0, 0) for part in _DRAWN)}
    shown = [
        (table, [row for row in table["rows"] if row["column"] in some])
        for table in found["tables"]
    ]
    scale = Scale(
        (end for _, rows in shown for row in rows for p in _DRAWN for end in _ends(row[p])),
        factor=1.0,
    )
    tables = [_table(table, rows, w("origin"), content, w, scale) for table, rows in shown if rows]
    notes = _notes(w("winners.note"), found, content, w)
    return section("winners", w("winners.sources"), [{"legend": _legend(w), "open": tables}], notes)


def _notes(
    first: str, found: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> Sequence[str]:
    told = [first, w("winners.paired", level=level(content)), w("caption.describes")]
    return [w("space").join([*told, used(found["designs"], w)])]


def _legend(w: Words) -> list[dict[str, Any]]:
    return [{"kind": "mark", "tone": i, "text": w(part)} for i, part in enumerate(_DRAWN)]


def _ends(mean: Mapping[str, Any]) -> tuple[float, float]:
    """Return the ends of a mean's interval; the mean itself where there is none."""
    return (mean["mean"],) * 2 if mean["lo"] is None else (mean["lo"], mean["hi"])


def _table(
    table: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    head: str,
    content: Mapping[str, Any],
    w: Words,
    scale: Scale | None = None,
) -> dict[str, Any]:
    cells = []
    for row in rows:
        gap = row["difference"]
        clear = gap["lo"] is not None and not gap["lo"] <= 0 <= gap["hi"]
        cells.append(
            [
                row["at"] or w.label(row["label"], row["column"]),
                *([] if scale is None else [_drawing(row, scale)]),
                *(mean_cell(row[part]) for part in _DRAWN),
                mean_cell(gap, clear=clear),
                formats.count(table["games"]),
            ]
        )
    columns = [column(head)]
    if scale is not None:
        columns.append(column(w("interval", level=level(content)), scale=scale))
    columns += [column(headed(part, content, w), mark=i) for i, part in enumerate(_DRAWN)]
    columns += [column(headed("difference", content, w)), column(w("games"))]
    return grid(w.players(table["players"]), columns, cells)


def _drawing(row: Mapping[str, Any], scale: Scale) -> dict[str, Any]:
    whiskers = []
    for i, part in enumerate(_DRAWN):
        lo, hi = _ends(row[part])
        places = scale.places({"mean": row[part]["mean"], "lo": lo, "hi": hi}, "mean")
        whiskers.append({**places, "y": 9 + 13 * i, "tone": i})
    return {"height": 31, "scale": scale.drawn(), "whiskers": whiskers}
