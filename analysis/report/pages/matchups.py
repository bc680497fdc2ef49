"""Sections on who beats whom: a heat map, and the pairs folded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis import formats
from analysis.report.pages.grids import column, grid, headed, rate_cell, section
from analysis.report.pages.heat import STEPS, key, reach_of, tone
from analysis.report.pages.names import level, margin_of, mark, precision, used
from analysis.report.words import Words

__all__ = ["matchups"]


def matchups(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return a section for each key whose values are told against each other."""
    return [_section(found, content, w) for found in content["matchups"]]


def _section(found: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    rates = {(row["row"], row["column"]): row["rate"] for row in found["rows"]}
    order = _order(rates)
    reach = reach_of(rate["rate"] - rate["parity"] for rate in rates.values())
    margin = found["margin"]
    strong = "matrix.strong" if margin is None else "heat.strong"
    steps = {"step": margin_of(reach / STEPS), "reach": margin_of(reach)}
    told = [w("matchups.note"), w("matchups.heat", **steps), w(strong)]
    if margin is not None:
        told.append(w("caption.margin", margin=margin_of(margin)))
    held = w("matchups.family", level=level(content), family=formats.count(found["family"]))
    notes = [w("space").join(told), w("space").join([held, used(found["designs"], w)])]
    pilots = content["pilots"]
    if pilots is not None and pilots["brought"]["column"] == found["by"]:
        notes.append(w("matchups.averaged"))
    notes += [w("caption.selected")] if found["selected"] else []
    group = {
        "charts": [[_map(found, rates, order, reach, w)]],
        "legend": [key(reach)],
        "tables": [_table(found, rates, order, content, w)],
    }
    name = w.inside(found["label"] or {w.language: w("policy")})
    tag = w("selected") if found["selected"] else ""
    return section(f"matchups-{found['by']}", w("matchups", name=name), [group], notes, tag)


def _order(rates: Mapping[tuple[str, str], Mapping[str, Any]]) -> list[str]:
    """Return the values, those that win more against the others first."""
    gaps: dict[str, list[float]] = {}
    for (name, _), rate in rates.items():
        gaps.setdefault(name, []).append(rate["rate"] - rate["parity"])
    return sorted(gaps, key=lambda name: (-sum(gaps[name]) / len(gaps[name]), name))


def _map(
    found: Mapping[str, Any],
    rates: Mapping[tuple[str, str], Mapping[str, Any]],
    order: list[str],
    reach: float,
    w: Words,
) -> dict[str, Any]:
    def shown(row: str, other: str) -> dict[str, Any]:
        rate = rates.get((row, other))
        if rate is None:
            return {"text": "–", "tone": "level", "strong": False}
        outside = rate["verdict"] == "unbalanced"
        if found["margin"] is None:
            outside = not rate["lo"] <= rate["parity"] <= rate["hi"]
        text = formats.percent(rate["rate"], precision(rate))
        gap = rate["rate"] - rate["parity"]
        return {"text": text, "tone": tone(gap, reach), "strong": outside}

    names = {name: w.label(found["names"].get(name), name) for name in order}
    return {
        "kind": "heat",
        "title": w("matchups.rate"),
        "head": w("matchups.head"),
        "columns": list(names.values()),
        "rows": [
            {"name": name, "cells": [shown(row, other) for other in order]}
            for row, name in names.items()
        ],
    }


def _table(
    found: Mapping[str, Any],
    rates: Mapping[tuple[str, str], Mapping[str, Any]],
    order: list[str],
    content: Mapping[str, Any],
    w: Words,
) -> dict[str, Any]:
    """Return each pair once, from the side that stands higher in the map."""
    names = {name: w.label(found["names"].get(name), name) for name in order}
    cells = []
    for i, first in enumerate(order):
        for second in order[i + 1 :]:
            rate = rates.get((first, second))
            if rate is None:
                continue
            gap = formats.points(rate["rate"] - rate["parity"], precision(rate))
            said = []
            if found["margin"] is not None:
                said.append({"verdict": w(rate["verdict"]), "mark": mark(rate["verdict"])})
            counts = [formats.count(rate[name]) for name in ("games", "clusters")]
            cells.append([names[first], names[second], rate_cell(rate), gap, *said, *counts])
    heads = [w("matchups.one"), w("matchups.other"), headed("rate", content, w), w("gap")]
    heads += [] if found["margin"] is None else [w("verdict")]
    heads += [w("games"), w("deals")]
    return grid("", [column(head) for head in heads], cells, dense=True)
