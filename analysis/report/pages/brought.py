"""Sections on what seats bring along: with its best policy, and what the seat does in mirrors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis import formats
from analysis.report.pages.grids import beside, column, grid, headed, rate_cell, section
from analysis.report.pages.heat import STEPS, key, reach_of, tone
from analysis.report.pages.names import level, margin_of, mark, precision, used
from analysis.report.pages.rates import rate_table
from analysis.report.words import Words

__all__ = ["mirrors", "pilots"]

#: Rows can be about what is brought along and about the policy.
_BOTH = 2

#: Rows of tables that were given a margin say one of these somewhere.
_JUDGED = ("balanced", "unbalanced", "undecided")


def pilots(content: Mapping[str, Any], w: Words) -> dict[str, Any] | None:
    """Return the section of what seats bring along, each with its best policy."""
    found = content["pilots"]
    if found is None:
        return None
    name = w.inside(found["brought"]["label"])
    told = [w("pilots.note", name=name), used(found["designs"], w)]
    told.append(w("caption.margin", margin=margin_of(found["margin"])))
    groups: list[dict[str, Any]] = []
    if found["fitted"]:
        head = w.label(found["brought"]["label"])
        tables = [_rates(table, head, found, content, w) for table in found["fitted"]]
        beyond = [
            {**_rates(table, head, found, content, w), "verdicts": False}
            for table in found["field"]
        ]
        below = [w("pilots.field")]
        groups.append({"open": tables, "tables": beyond, "below": below})
    groups.append({"heading": w("pilots.every"), **_pairs(found["pairs"], found, content, w)})
    told_of = [w("pilots.pairs", level=level(content)), _about_map(found["pairs"], w)]
    groups[-1]["below"] = [w("space").join(told_of)]
    return section("pilots", w("pilots", name=name), groups, [w("space").join(told)])


def mirrors(content: Mapping[str, Any], w: Words) -> dict[str, Any] | None:
    """Return the section on the share of seat 1 in mirrors."""
    found = content["mirrors"]
    if found is None:
        return None
    brought = found["brought"]
    note = w("mirrors.plain")
    if brought is not None:
        note = w("mirrors.note", name=w.inside(brought["label"]))
    told = [note, used(found["designs"], w), w("caption.margin", margin=margin_of(found["margin"]))]
    told.append(w("mirrors.family", level=level(content), family=formats.count(found["family"])))
    main = [_only(table, lambda row: row["slip"] == 0) for table in found["tables"]]
    single = [_only(table, lambda row: len(_about(row)) < _BOTH) for table in main]
    head = w("mirrors.head")
    tables = [_rates(one, head, found, content, w) for one in single]
    groups: list[dict[str, Any]] = [{"open": tables}]
    both = [_only(table, lambda row: len(_about(row)) == _BOTH) for table in main]
    if any(table["rows"] for table in both):
        below = [w("space").join([_about_map(both, w), w("heat.strong")])]
        drawn = _pairs(both, found, content, w)
        groups.append({"heading": w("mirrors.pairs"), **drawn, "below": below})
    if len(found["levels"]) > 1:
        tables = [_by_slip(table, found, content, w) for table in found["tables"]]
        groups.append({"heading": w("mirrors.slips"), "open": tables, "below": [w("skill.note")]})
    return section("mirrors", w("mirrors"), groups, [w("space").join(told)])


def _only(table: Mapping[str, Any], wanted: Any) -> dict[str, Any]:
    return {**table, "rows": [row for row in table["rows"] if wanted(row)]}


def _about(row: Mapping[str, Any]) -> list[str]:
    """Return what a row is about; the others are averages."""
    return [part for part in ("brought", "policy") if part in row]


def _labels(row: Mapping[str, Any], found: Mapping[str, Any], w: Words) -> dict[str, str]:
    names = {"policy": found["policies"]}
    if found["brought"] is not None:
        names["brought"] = found["brought"]["values"]
    return {part: w.label(names[part].get(row[part]), row[part]) for part in _about(row)}


def _name(row: Mapping[str, Any], found: Mapping[str, Any], w: Words) -> str:
    labels = list(_labels(row, found, w).values())
    return w("pair", first=labels[0], second=labels[1]) if labels[1:] else (*labels, w("all"))[0]


def _rates(
    table: Mapping[str, Any],
    head: str,
    found: Mapping[str, Any],
    content: Mapping[str, Any],
    w: Words,
) -> dict[str, Any]:
    """Return a table of rates whose rows are called after what they are about."""
    rows = []
    for row in table["rows"]:
        figures = {name: value for name, value in row.items() if name != "policy"}
        name = _name(row, found, w)
        rows.append({**figures, "category": name, "label": {w.language: name}})
    about = {"id": "", "captions": [], "margin": found["margin"], "tables": [table]}
    about["label"] = {w.language: head}
    return rate_table({**table, "rows": rows}, about, content, w)


def _pairs(
    tables: Sequence[Mapping[str, Any]],
    found: Mapping[str, Any],
    content: Mapping[str, Any],
    w: Words,
) -> dict[str, Any]:
    """Return a map of what is brought along against policies, and its intervals folded."""
    reach = _reach(tables)
    return {
        "charts": [[_map(table, found, reach, w) for table in tables]],
        "legend": [key(reach)],
        "tables": [_grid(table, found, content, w) for table in tables],
    }


def _about_map(found: Sequence[Mapping[str, Any]], w: Words) -> str:
    """Return how the colours of a map of such tables are to be read."""
    reach = _reach(found)
    return w("brought.heat", step=margin_of(reach / STEPS), reach=margin_of(reach))


def _reach(tables: Sequence[Mapping[str, Any]]) -> float:
    return reach_of(row["rate"] - row["parity"] for table in tables for row in table["rows"])


def _map(
    table: Mapping[str, Any], found: Mapping[str, Any], reach: float, w: Words
) -> dict[str, Any]:
    rates = {(row["brought"], row["policy"]): row for row in table["rows"]}
    policies = [one for one in found["policies"] if any(one == pair[1] for pair in rates)]

    def shown(pair: tuple[str, str]) -> dict[str, Any]:
        row = rates.get(pair)
        if row is None:
            return {"text": "–", "tone": "level", "strong": False}
        gap = row["rate"] - row["parity"]
        text = formats.percent(row["rate"], precision(row))
        return {"text": text, "tone": tone(gap, reach), "strong": row["verdict"] == "unbalanced"}

    return {
        "kind": "heat",
        "title": w.players(table["players"]),
        "head": w.label(found["brought"]["label"]),
        "columns": [w.label(found["policies"][policy], policy) for policy in policies],
        "rows": [
            {
                "name": w.label(label, one),
                "cells": [shown((one, policy)) for policy in policies],
            }
            for one, label in found["brought"]["values"].items()
            if any(one == pair[0] for pair in rates)
        ],
    }


def _grid(
    table: Mapping[str, Any], found: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    judged = any(row["verdict"] in _JUDGED for row in table["rows"])
    cells = []
    for row in table["rows"]:
        names = _labels(row, found, w)
        said = [{"verdict": w(row["verdict"]), "mark": mark(row["verdict"])}] if judged else []
        counts = [formats.count(row["games"])]
        cells.append([names["brought"], names["policy"], rate_cell(row), *said, *counts])
    heads = [w.label(found["brought"]["label"]), w("policy"), headed("rate", content, w)]
    heads += [w("verdict")] if judged else []
    columns = [column(head) for head in (*heads, w("games"))]
    return grid(w.players(table["players"]), columns, cells, dense=True)


def _by_slip(
    table: Mapping[str, Any], found: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    by: dict[str, dict[float, Mapping[str, Any]]] = {}
    for row in table["rows"]:
        if len(_about(row)) < _BOTH:
            by.setdefault(_name(row, found, w), {})[row["slip"]] = row
    variants = [(slip, w("slip_n", n=formats.percent(slip, digits=0))) for slip in found["levels"]]
    caption = w.players(table["players"])
    return beside(
        caption, w("mirrors.head"), variants, list(by.items()), content, w, found["margin"]
    )
