"""Sections on pairs in what seats have at the end: heat maps, and the tables folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analysis import formats
from analysis.report.pages.grids import cell, column, grid, headed, rate_cell, section
from analysis.report.pages.heat import STEPS, key, reach_of, tone
from analysis.report.pages.names import level, margin_of, precision, used
from analysis.report.words import Words

__all__ = ["matrices"]

#: Text, colour, and whether it is bold.
Drawn = tuple[str, str, bool]


def matrices(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return a section for each matrix."""
    return [_matrix(matrix, content, w) for matrix in content["matrices"]]


def _matrix(matrix: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    every = [row for table in matrix["tables"] for row in table["rows"]]
    most = reach_of(row["mean"]["mean"] for row in every)
    rates = [row["rate"] for row in every if row["rate"] and row["rate"]["parity"] is not None]
    farthest = reach_of(rate["rate"] - rate["parity"] for rate in rates)

    def number(row: Mapping[str, Any]) -> Drawn:
        mean = row["mean"]
        return formats.number(mean["mean"], mean["se"] or None), tone(mean["mean"], most), False

    def won(row: Mapping[str, Any]) -> Drawn:
        rate = row["rate"]
        if rate is None:
            return "–", "level", False
        if rate["parity"] is None:
            return formats.percent(rate["rate"], precision(rate)), "level", False
        gap = rate["rate"] - rate["parity"]
        outside = not rate["lo"] <= rate["parity"] <= rate["hi"]
        return formats.points(gap, precision(rate)), tone(gap, farthest), outside

    def maps(draw: Callable[[Mapping[str, Any]], Drawn]) -> list[list[dict[str, Any]]]:
        return [[_map(matrix, table, draw, w) for table in matrix["tables"]]]

    groups: list[dict[str, Any]] = [
        {
            "heading": w("matrix.mean"),
            "charts": maps(number),
            "below": [w("matrix.mean.note", most=formats.number(most, most / STEPS))],
        },
        {
            "heading": w("matrix.rate"),
            "charts": maps(won),
            "legend": [key(farthest)] if rates else [],
            "below": [
                w("heat.note", step=margin_of(farthest / STEPS), reach=margin_of(farthest)),
                w("matrix.strong"),
            ]
            if rates
            else [],
            "tables": [_table(matrix, table, content, w) for table in matrix["tables"]],
        },
    ]
    told = [w("matrix.note", level=level(content))]
    told += [w("caption.selected")] if matrix["selected"] else []
    told.append(used(matrix["designs"], w))
    tag = w("selected") if matrix["selected"] else ""
    name = w.label(matrix["label"], matrix["id"])
    return section(f"matrix-{matrix['id']}", name, groups, [w("space").join(told)], tag)


def _names(matrix: Mapping[str, Any], side: int, rows: Sequence[str], w: Words) -> dict[str, str]:
    values = matrix["by"][side]["values"]
    there = set(rows)
    return {id_: w.label(label, id_) for id_, label in values.items() if id_ in there}


def _map(
    matrix: Mapping[str, Any],
    table: Mapping[str, Any],
    draw: Callable[[Mapping[str, Any]], Drawn],
    w: Words,
) -> dict[str, Any]:
    down = _names(matrix, 0, [row["row"] for row in table["rows"]], w)
    across = _names(matrix, 1, [row["column"] for row in table["rows"]], w)
    drawn = {(row["row"], row["column"]): draw(row) for row in table["rows"]}
    blank = ("–", "level", False)

    def shown(pair: tuple[str, str]) -> dict[str, Any]:
        return dict(zip(("text", "tone", "strong"), drawn.get(pair, blank), strict=True))

    return {
        "kind": "heat",
        "title": w.players(table["players"]),
        "head": w("matrix.pair"),
        "columns": list(across.values()),
        "rows": [
            {"name": name, "cells": [shown((row, other)) for other in across]}
            for row, name in down.items()
        ],
    }


def _table(
    matrix: Mapping[str, Any], table: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    names = [
        {id_: w.label(label, id_) for id_, label in side["values"].items()} for side in matrix["by"]
    ]
    cells = []
    for row in table["rows"]:
        mean, rate = row["mean"], row["rate"]
        cells.append(
            [
                f"{names[0][row['row']]} · {names[1][row['column']]}",
                mean_cell(mean),
                rate_cell(rate),
                "–"
                if rate is None or rate["parity"] is None
                else formats.points(rate["rate"] - rate["parity"], precision(rate)),
                formats.count(rate["games"] if rate else 0),
                formats.count(rate["rows"] if rate else 0),
            ]
        )
    heads = [
        w("matrix.pair"),
        headed("mean", content, w),
        headed("matrix.rate", content, w),
        w("gap"),
        w("games"),
        w("rows"),
    ]
    return grid(w.players(table["players"]), [column(head) for head in heads], cells, dense=True)


def mean_cell(mean: Mapping[str, Any], *, clear: bool = False) -> dict[str, Any]:
    """Return a mean with its interval below; without one where too little was played."""
    se = mean["se"] or None
    if mean["lo"] is None:
        return cell(formats.number(mean["mean"], se), "–")
    ends = f"{formats.number(mean['lo'], se)} – {formats.number(mean['hi'], se)}"
    return cell(formats.number(mean["mean"], se), ends, clear=clear)
