"""Sections beyond plain rates: designs side by side, skill, turned values, final decks.

Each function returns None where the content has nothing to show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from analysis import formats
from analysis.report.pages import charts
from analysis.report.pages.grids import beside, cell, column, grid, headed, rate_cell, section
from analysis.report.pages.names import level, margin_of, mark, name_of, precision, used
from analysis.report.pages.rates import notes
from analysis.report.words import Words

__all__ = ["composition", "knobs", "seat_design", "skill"]

#: Part of all seats below which a bin of final decks does not stretch the axis.
_RARE = 0.01

#: What the marks of turned values can say.
_VERDICTS = ("balanced", "undecided", "unbalanced", "too few games")

#: So many small charts stand in a line of a wide page.
ABREAST = 4

_BESIDE = ("mirror", "rotation", "pool", "fixed")


def seat_design(found: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    """Return the section of seats under each design of line-ups, side by side."""
    tables = []
    for table in found["tables"]:
        there = {row["design"] for row in table["rows"]}
        variants = [(name, w(f"design.{name}")) for name in _BESIDE if name in there]
        rows = _pivot(table["rows"], "seat", "design", w)
        tables.append(beside(w.players(table["players"]), w("seat"), variants, rows, content, w))
    return section("seat_design", w("seat_design"), [{"open": tables}], notes(found, w))


def _pivot(
    rows: Sequence[Mapping[str, Any]], key: str, by: str, w: Words
) -> list[tuple[str, dict[Any, Mapping[str, Any]]]]:
    """Return the rows of each name, by variant."""
    found: dict[Any, dict[Any, Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row[key], {})[row[by]] = row
    return [(name_of(next(iter(variants.values())), w), variants) for variants in found.values()]


def skill(content: Mapping[str, Any], w: Words) -> dict[str, Any] | None:
    """Return the section on how much depends on the players' skill."""
    found = content["skill"]
    if found is None:
        return None
    names = [(slip, w("slip_n", n=formats.percent(slip, digits=0))) for slip in found["levels"]]
    groups: list[dict[str, Any]] = []
    if found["seats"]:
        drawn = [_seats_by_slip(table, found, w) for table in found["seats"]]
        tables = [_by_slip(table, "seat", names, content, w) for table in found["seats"]]
        groups.append(
            {
                "heading": w("skill.seats"),
                "charts": [drawn],
                "legend": _legend([line for table in found["seats"] for line in table["rows"]], w),
                "tables": tables,
                "below": [used(found["designs"]["seats"], w)],
            }
        )
    if found["policies"]:
        tables = [_by_slip(table, "policy", names, content, w) for table in found["policies"]]
        below = [used(found["designs"]["policies"], w)]
        groups.append({"heading": w("skill.policies"), "open": tables, "below": below})
    told = [w("skill.note")]
    if found["seats"]:
        told.append(w("skill.families", level=level(content)))
        told += [w("skill.random")] if 1 in found["levels"] else []
        told.append(w("caption.margin", margin=margin_of(found["margin"])))
    else:
        told.append(w("skill.family", level=level(content)))
    return section("skill", w("skill"), groups, [w("space").join(told)])


def _by_slip(
    table: Mapping[str, Any],
    key: str,
    names: Sequence[tuple[float, str]],
    content: Mapping[str, Any],
    w: Words,
) -> dict[str, Any]:
    there = {row["slip"] for row in table["rows"]}
    variants = [(slip, name) for slip, name in names if slip in there]
    rows = _pivot(table["rows"], key, "slip", w)
    return beside(w.players(table["players"]), w(key), variants, rows, content, w)


def _seats_by_slip(table: Mapping[str, Any], found: Mapping[str, Any], w: Words) -> dict[str, Any]:
    rows, levels = table["rows"], found["levels"]
    parity = rows[0]["parity"] if rows else None
    lines = [
        charts.Line(
            [
                (levels.index(row["slip"]), row["rate"], row["lo"], row["hi"], "")
                for row in rows
                if row["seat"] == seat
            ]
        )
        for seat in sorted({row["seat"] for row in rows})
    ]
    return charts.panel(
        w.players(table["players"]),
        lines,
        across=[(i, f"{formats.percent(slip, digits=0)} %") for i, slip in enumerate(levels)],
        inside=charts.span((x for r in rows for x in (r["lo"], r["hi"])), parity, found["margin"]),
        size=charts.LARGE,
        parity=parity,
        margin=found["margin"],
        dodge=True,
    )


def _legend(rows: Sequence[Mapping[str, Any]], w: Words) -> list[dict[str, Any]]:
    seats = sorted({row["seat"] for row in rows})
    return [{"kind": "mark", "tone": i % 6, "text": w("seat_n", n=n)} for i, n in enumerate(seats)]


def knobs(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return a section for each group of values that a designer can turn."""
    return [_knob(knob, content, w) for knob in content["knobs"]]


def _knob(knob: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    groups = []
    for table in knob["tables"]:
        rows = [row for row in table["rows"] if row["points"]]
        every = [point for row in rows for point in row["points"]]
        parity = rows[0]["parity"] if rows else None
        inside = charts.span(
            (x for p in every for x in (p["lo"], p["hi"])), parity, table["margin"]
        )
        kinds = dict.fromkeys(row["what"] for row in rows)
        curves = [
            [_curve(row, inside, table["margin"], w) for row in rows if row["what"] == what]
            for what in kinds
        ]
        groups.append(
            {
                "heading": w.players(table["players"]),
                # A line of charts for each kind of value, one for all where that is room enough.
                "charts": [[*chain(*curves)]] if len(rows) <= ABREAST else curves,
                "legend": [
                    {"kind": "verdict", "mark": mark(said), "text": w(said)}
                    for said in _VERDICTS
                    if any(point["verdict"] == said for point in every)
                ],
                "tables": [_knob_table(table, rows, content, w)],
            }
        )
    told = [w("knobs.note", level=level(content))]
    if knob["tables"]:
        told.append(w("caption.margin", margin=margin_of(knob["tables"][0]["margin"])))
    told.append(used([knob["lineups"]], w))
    own = w.label(knob["note"])
    return section(
        f"knob-{knob['id']}",
        w.label(knob["label"], knob["id"]),
        groups,
        [own, w("space").join(told)],
    )


def _curve(
    row: Mapping[str, Any], inside: tuple[float, float], margin: float, w: Words
) -> dict[str, Any]:
    points = [(p["value"], p["rate"], p["lo"], p["hi"], mark(p["verdict"])) for p in row["points"]]
    return charts.panel(
        _dial(row, w),
        [charts.Line(points)],
        across=[(p["value"], str(p["value"])) for p in row["points"]],
        inside=inside,
        parity=row["parity"],
        margin=margin,
        now=row["now"],
    )


def _dial(row: Mapping[str, Any], w: Words) -> str:
    return f"{w('seat_n', n=row['seat'])} · {w.label(row['label'], row['what'])}"


def _knob_table(
    table: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    content: Mapping[str, Any],
    w: Words,
) -> dict[str, Any]:
    cells = []
    for row in rows:
        for point in row["points"]:
            change: Any = "–"
            if None not in (point["change"], point["change_lo"], point["change_hi"]):
                se = point["change_se"]
                ends = (formats.points(point[end], se) for end in ("change_lo", "change_hi"))
                change = cell(formats.points(point["change"], se), " – ".join(ends))
            cells.append(
                [
                    _dial(row, w),
                    cell(str(point["value"]), w("now") if point["now"] else ""),
                    rate_cell(point),
                    {"verdict": w(point["verdict"]), "mark": mark(point["verdict"])}
                    if point["verdict"]
                    else "",
                    change,
                    formats.count(point["games"]),
                ]
            )
    columns = [
        column(w("knob")),
        column(w("value")),
        column(headed("rate", content, w)),
        column(w("verdict")),
        column(headed("change", content, w)),
        column(w("games")),
    ]
    return grid(w.players(table["players"]), columns, cells)


def composition(content: Mapping[str, Any], w: Words) -> dict[str, Any] | None:
    """Return the section on win rates by what a deck holds at the end."""
    found = content["composition"]
    if found is None:
        return None
    counts = sorted({table["players"] for c in found["columns"] for table in c["tables"]})
    groups = [_holdings(n, found, content, w) for n in counts]
    solo = content["title"]["seats"] == "none"
    ending = "composition.note" if found["selected"] else "composition.note.brought"
    told = [w("composition.note.solo" if solo else ending, level=level(content))]
    if found["selected"]:
        told.append(w("caption.selected.solo" if solo else "caption.selected"))
    else:
        told.append(w("caption.brought"))
    told.append(used(found["designs"], w))
    heading = w("by.solo" if solo else "by", name=w.inside(found["label"]))
    tag = w("selected") if found["selected"] else ""
    return section("composition", heading, groups, [w("space").join(told)], tag)


def _holdings(
    players: int, found: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    there = [
        (w.label(c["label"], c["column"]), table["rows"])
        for c in found["columns"]
        for table in c["tables"]
        if table["players"] == players and table["rows"]
    ]
    every = [row for _, rows in there for row in rows]
    parity = every[0]["parity"] if every else None
    # Rare decks have wild rates and wide intervals: the axis follows the others, the rest is cut.
    common = [row["rate"] for row in every if row["share"] >= _RARE]
    low, high = charts.span(common, parity, 0.02)
    inside = (low - 0.1 * (high - low), high + 0.1 * (high - low))
    drawn = [
        charts.panel(
            name,
            [charts.Line([(i, r["rate"], r["lo"], r["hi"], "") for i, r in enumerate(rows)])],
            across=[(i, _bin(row)) for i, row in enumerate(rows)],
            inside=inside,
            parity=parity,
        )
        for name, rows in there
    ]
    versus = [] if parity is None else [w("gap")]
    cells = [
        [
            f"{name}{w('colon')}{_bin(row)}",
            rate_cell(row),
            *(formats.points(row["rate"] - parity, precision(row)) for _ in versus),
            formats.percent(row["share"], digits=1),
            formats.count(row["games"]),
            formats.count(row["rows"]),
        ]
        for name, rows in there
        for row in rows
    ]
    rate = headed("clear_rate" if parity is None else "rate", content, w)
    heads = [w.label(found["label"]), rate, *versus, w("share_of_seats"), w("games"), w("rows")]
    table = grid(w.players(players), [column(head) for head in heads], cells)
    return {"heading": w.players(players), "charts": [drawn], "tables": [table]}


def _bin(row: Mapping[str, Any]) -> str:
    low, high = row["from"], row["to"]
    return str(low) if low == high else f"{low}–{high}"
