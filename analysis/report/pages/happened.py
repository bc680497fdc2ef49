"""Sections on what happened in play: rare events, and courses over the rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis import formats
from analysis.report.pages import charts
from analysis.report.pages.grids import cell, column, grid, headed, rate_cell, section
from analysis.report.pages.names import level, used
from analysis.report.pages.scale import Scale
from analysis.report.words import Words

__all__ = ["events", "series"]


def events(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return a section for each kind of event."""
    return [_event(event, content, w) for event in content["events"]]


def _event(event: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    every = [row for table in event["tables"] for row in table["rows"]]
    scale = Scale([0.0, *(row["hi"] for row in every)])
    head = headed("share", content, w)
    by = w.inside(event["by_label"], event["by"])
    groups = []
    for table in event["tables"]:
        rows = [
            [
                w.label(row["label"], row["id"]),
                {"height": 24, "scale": scale.drawn(), "whiskers": [_whisker(row, scale)]},
                rate_cell(row),
                formats.count(row["count"]),
                formats.count(row["seats"]),
                formats.count(row["games"]),
                "–" if row["round"] is None else formats.number(row["round"], digits=0),
            ]
            for row in table["rows"]
        ]
        columns = [
            column(w.label(event["by_label"], event["by"])),
            column(w("interval", level=level(content)), scale=scale),
            *(column(text) for text in (head, w("reached"), w("of_seats"), w("games"))),
            column(w("event.round")),
        ]
        commands = [
            {"about": w.label(row["label"], row["id"]), "command": row["command"]}
            for row in table["rows"]
            if row["command"]
        ]
        name = w.players(table["players"])
        groups.append({"open": [grid(name, columns, rows)], "commands": commands})
    name = w.label(event["label"], event["column"])
    by = w.inside(event["by_label"], event["by"])
    told = [w("event.note", by=by, level=level(content)), used(event["designs"], w)]
    told += [w("caption.selected")] if event["selected"] else []
    return section(
        f"event-{event['column']}",
        w("event", name=name, by=by),
        groups,
        [w("space").join(told)],
        w("selected") if event["selected"] else "",
    )


def _whisker(row: Mapping[str, Any], scale: Scale) -> dict[str, Any]:
    return {**scale.places(row), "y": 12, "tone": 0}


def series(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return a section for each column that is followed over the rounds."""
    return [_course(found, content, w) for found in content["series"]]


def _course(found: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    every = [p for t in found["tables"] for row in t["rows"] for p in row["points"]]
    alone = all(row["seat"] is None for table in found["tables"] for row in table["rows"])
    inside = charts.span(x for p in every for x in (*_ends(p), *(_spread(p) if alone else ())))
    tables = [table for table in found["tables"] if any(row["points"] for row in table["rows"])]
    # One line of all seats has none.
    seats = sorted({row["seat"] for table in tables for row in table["rows"]}, key=lambda n: n or 0)
    group = {
        "charts": [[_over_rounds(table, inside, w) for table in tables]],
        "legend": [
            {"kind": "mark", "tone": i % 6, "text": w("seat_n", n=n)}
            for i, n in enumerate(seats)
            if n is not None
        ],
        "tables": [_rounds_table(table, w) for table in tables],
    }
    heading = w.label(found["label"], found["column"])
    solo = content["title"]["seats"] == "none"
    key = "series.note.solo" if solo else "series.note.all" if alone else "series.note"
    told = [w(key, level=level(content)), w("series.spread") if alone else ""]
    note = w("space").join([*filter(None, told), used(found["designs"], w)])
    return section(f"series-{found['column']}", heading, [group], [note])


def _ends(point: Mapping[str, Any]) -> tuple[float, float]:
    """Return the ends of a mean's interval; the mean itself where there is none."""
    if point["lo"] is None:
        return point["mean"], point["mean"]
    return point["lo"], point["hi"]


def _spread(point: Mapping[str, Any]) -> tuple[float, float]:
    """Return one standard deviation on both sides of a mean, cut at nought as counts are."""
    sd = point["sd"] or 0.0
    lo, hi = point["mean"] - sd, point["mean"] + sd
    return (max(lo, 0.0) if point["mean"] >= 0 else lo), hi


def _over_rounds(table: Mapping[str, Any], inside: tuple[float, float], w: Words) -> dict[str, Any]:
    rows = table["rows"]
    lines = [
        charts.Line(
            [(p["round"], p["mean"], *_ends(p), "") for p in row["points"]],
            str(row["seat"] or ""),
            [_spread(p) for p in row["points"]] if row["seat"] is None else (),
        )
        for row in rows
    ]
    counts = {p["round"]: p["games"] for row in rows for p in row["points"]}
    return charts.panel(
        w.players(table["players"]),
        lines,
        across=_rounds(sorted(counts)),
        inside=inside,
        factor=1.0,
        size=charts.LARGE,
        area=True,
        counts=sorted(counts.items()),
    )


def _rounds(rounds: Sequence[int]) -> list[tuple[float, str]]:
    """Return ticks at round numbers of rounds."""
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 10**6) if len(rounds) / s <= 7)
    return [(n, str(n)) for n in rounds if n % step == 0 or n == rounds[0]]


def _rounds_table(table: Mapping[str, Any], w: Words) -> dict[str, Any]:
    rows = table["rows"]
    found: dict[int, dict[int | None, Mapping[str, Any]]] = {}
    for row in rows:
        for point in row["points"]:
            found.setdefault(point["round"], {})[row["seat"]] = point
    seats = [row["seat"] for row in rows]
    alone = seats == [None]
    cells = [
        [
            str(number),
            *(_mean_cell(by.get(seat)) for seat in seats),
            *([_sd(by[None])] if alone else []),
            formats.count(max(point["games"] for point in by.values())),
        ]
        for number, by in sorted(found.items())
    ]
    names = [w("mean") if seat is None else w("seat_n", n=seat) for seat in seats]
    names += [w("sd")] if alone else []
    columns = [column(w("round")), *(column(name) for name in names)]
    return grid(w.players(table["players"]), [*columns, column(w("games"))], cells, dense=True)


def _sd(point: Mapping[str, Any]) -> str:
    return "–" if point["sd"] is None else formats.number(point["sd"], digits=1)


def _mean_cell(point: Mapping[str, Any] | None) -> Any:
    if point is None:
        return "–"
    if point["lo"] is None:
        return cell(formats.number(point["mean"]), "–")
    se = (point["hi"] - point["lo"]) / 4 or None  # the digits follow the interval
    ends = f"{formats.number(point['lo'], se)} – {formats.number(point['hi'], se)}"
    return cell(formats.number(point["mean"], se), ends)
