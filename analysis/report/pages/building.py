"""The section on what a deck's composition does: the effects of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis import formats
from analysis.report.pages.grids import cell, column, grid, headed, section
from analysis.report.pages.names import level, used
from analysis.report.pages.scale import Scale
from analysis.report.pages.supply import effect_of
from analysis.report.words import Words

__all__ = ["building"]


def building(content: Mapping[str, Any], w: Words) -> dict[str, Any] | None:
    """Return the section on parts of decks; None where nothing can be said of any of them."""
    found = content["building"]
    if not found or not any(_known(row) for group in found["groups"] for row in group["rows"]):
        return None
    tables = [_table(group, content, w) for group in found["groups"]]
    figures = {
        "decks": formats.count(found["decks"]),
        "games": formats.count(found["games"]),
        "family": formats.count(found["family"]),
        "level": level(content),
    }
    policies = w.listed([w.label(one["label"], one["id"]) for one in found["policies"]])
    fit = {
        "r2": formats.percent(found["r2"], digits=0),
        "spread": formats.percent(found["spread"], digits=1),
    }
    notes = [
        w("building.note", policies=policies, **figures),
        w("building.effect", **figures),
        w("space").join([w("building.fit", **fit), used(found["designs"], w)]),
    ]
    return section("building", w("building"), [{"open": tables}], notes)


def _known(row: Mapping[str, Any]) -> bool:
    return None not in (row["effect"], row["lo"], row["hi"])


def _table(group: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    rows = group["rows"]
    ends = (end for row in rows if _known(row) for end in (row["lo"], row["hi"]))
    scale = Scale(ends, 0.0)
    cells = []
    for row in rows:
        drawn: list[dict[str, Any]] = []
        effect: Any = "–"
        if _known(row):
            text, between = effect_of(row, "share")
            effect = cell(text, between, clear=row["clear"])
            drawn = [{**scale.places(row, "effect"), "y": 12, "tone": 0}]
        cells.append(
            [
                w.label(row["label"], row["column"]),
                {"height": 24, "scale": scale.drawn(), "whiskers": drawn},
                effect,
                formats.number(row["mean"], digits=1),
                formats.number(row["sd"], digits=1),
            ]
        )
    columns = [
        column(w("building.part")),
        column(w("interval", level=level(content)), scale=scale),
        column(headed("effect.share", content, w)),
        column(w("building.mean")),
        column(w("building.sd")),
    ]
    return grid(w.label(group["label"], w("building.single")), columns, cells)
