"""Sections on values that hold for the whole table: length and policies' rates against each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis import formats
from analysis.report.pages import charts
from analysis.report.pages.grids import cell, column, grid, headed, rate_cell, section
from analysis.report.pages.matrices import mean_cell
from analysis.report.pages.names import level, used
from analysis.report.words import Words

__all__ = ["levers"]


def levers(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return a section for each group of values that hold for the whole table."""
    return [_lever(lever, content, w) for lever in content["levers"]]


def _lever(lever: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    groups = []
    for table in lever["tables"]:
        settings = [setting for setting in table["settings"] if setting["points"]]
        if not settings:
            continue
        names = _policies(settings[0], w)
        groups.append(
            {
                "heading": w.players(table["players"]),
                "charts": [_lengths(settings, w), _rates(settings, w)],
                "legend": [
                    {"kind": "mark", "tone": i % 6, "text": name}
                    for i, name in enumerate(names.values())
                ],
                "tables": [_table(setting, content, w) for setting in settings],
            }
        )
    solo = content["title"]["seats"] == "none"
    told = [w("levers.note.solo" if solo else "levers.note", level=level(content))]
    designs = {"length": w("outcome.length"), "policies": w("clear" if solo else "policies")}
    told += [
        f"{what}{w('colon')}{used(lever['designs'][name], w)}" for name, what in designs.items()
    ]
    own = w.label(lever["note"])
    name = w.label(lever["label"], lever["id"])
    return section(f"lever-{lever['id']}", name, groups, [own, w("space").join(told)])


def _policies(setting: Mapping[str, Any], w: Words) -> dict[str, str]:
    found = (row for point in setting["points"] for row in point["policies"])
    return {row["policy"]: w.label(row["label"], row["policy"]) for row in found}


def _lengths(settings: list[Mapping[str, Any]], w: Words) -> list[dict[str, Any]]:
    rows = [point["length"] for setting in settings for point in setting["points"]]
    inside = charts.span(x for row in rows for x in _ends(row))
    return [
        _chart(
            setting,
            w("outcome.length"),
            [charts.Line([_point(p["value"], p["length"], "mean") for p in setting["points"]])],
            w,
            inside=inside,
            factor=1.0,
        )
        for setting in settings
    ]


def _rates(settings: list[Mapping[str, Any]], w: Words) -> list[dict[str, Any]]:
    rows = [r for setting in settings for point in setting["points"] for r in point["policies"]]
    if not rows:  # in games so few that no rotation is among them
        return []
    parity = rows[0]["parity"]
    inside = charts.span((x for row in rows for x in _ends(row)), parity)
    drawn = []
    for setting in settings:
        by: dict[str, list[tuple[float, float, float, float, str]]] = {}
        for point in setting["points"]:
            for row in point["policies"]:
                by.setdefault(row["policy"], []).append(_point(point["value"], row, "rate"))
        lines = [charts.Line(points) for points in by.values()]
        told = {"inside": inside, "parity": parity, "dodge": True}
        name = w("clear_rate" if parity is None else "rate")
        drawn.append(_chart(setting, name, lines, w, **told))
    return drawn


def _ends(row: Mapping[str, Any]) -> tuple[float, float]:
    middle = row["mean"] if "mean" in row else row["rate"]
    return (middle, middle) if row["lo"] is None else (row["lo"], row["hi"])


def _point(value: int, row: Mapping[str, Any], name: str) -> tuple[float, float, float, float, str]:
    return (value, row[name], *_ends(row), "")


def _chart(
    setting: Mapping[str, Any], what: str, lines: list[charts.Line], w: Words, **how: Any
) -> dict[str, Any]:
    return charts.panel(
        f"{w.label(setting['label'], setting['key'])}{w('colon')}{what}",
        lines,
        across=[(point["value"], str(point["value"])) for point in setting["points"]],
        size=charts.LARGE,
        now=setting["now"],
        **how,
    )


def _table(setting: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    cells = []
    for point in setting["points"]:
        value = cell(str(point["value"]), w("now") if point["now"] else "")
        length = point["length"]
        change = _change(length, formats.number)
        cells.append(
            [w("outcome.length"), value, mean_cell(length), change, formats.count(length["games"])]
        )
        for row in point["policies"]:
            name = w.label(row["label"], row["policy"])
            change = _change(row, formats.points)
            cells.append([name, value, rate_cell(row), change, formats.count(row["games"])])
    solo = content["title"]["seats"] == "none"
    figure = headed("figure.solo" if solo else "figure", content, w)
    heads = [w("policy"), w("value"), figure, headed("differs", content, w)]
    columns = [column(head) for head in (*heads, w("games"))]
    return grid(w.label(setting["label"], setting["key"]), columns, cells, dense=True)


def _change(row: Mapping[str, Any], write: Any) -> Any:
    if None in (row["change"], row["change_lo"], row["change_hi"]):
        return "–"
    se = row["change_se"] or None
    ends = " – ".join(write(row[end], se) for end in ("change_lo", "change_hi"))
    clear = not row["change_lo"] <= 0 <= row["change_hi"]
    return cell(write(row["change"], se), ends, clear=clear)
