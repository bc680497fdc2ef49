"""Sections on who is hard to get past, and on how often each value of a category occurred."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis import formats
from analysis.report.pages.grids import column, grid, headed, rate_cell, section
from analysis.report.pages.matrices import mean_cell
from analysis.report.pages.names import level, used
from analysis.report.pages.rates import share_table
from analysis.report.pages.scale import Scale
from analysis.report.words import Words

__all__ = ["foes", "shares"]


def foes(content: Mapping[str, Any], w: Words) -> dict[str, Any] | None:
    """Return the section on how hard each kind is; None where there is none."""
    found = content["foes"]
    if not found or not any(table["rows"] for table in found["tables"]):
        return None
    tables = [_table(table, found, content, w) for table in found["tables"]]
    note = w("foes.note", level=level(content), family=formats.count(found["family"]))
    notes = [w("space").join([note, used(found["designs"], w)])]
    return section("foes", w("foes"), [{"open": tables}], notes)


def _table(
    table: Mapping[str, Any], found: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    order = sorted(table["rows"], key=lambda row: (-row["lost"]["rate"], -row["games"]))
    scale = Scale(end for row in order for end in (row["lost"]["lo"], row["lost"]["hi"]))
    cells = [
        [
            w.label(row["label"], row["kind"]),
            {
                "height": 24,
                "scale": scale.drawn(),
                "whiskers": [{**scale.places(row["lost"]), "y": 12, "tone": 0}],
            },
            rate_cell(row["lost"]),
            *(mean_cell(mean) for mean in row["costs"]),
            rate_cell(row["met"]),
            "–" if row["of_lost"] is None else rate_cell(row["of_lost"]),
            formats.count(row["games"]),
            formats.count(row["count"]),
        ]
        for row in order
    ]
    lost, met = (w.label(found[name]["label"]) for name in ("lost", "met"))
    columns = [
        column(w("foe")),
        column(w("interval", level=level(content)), scale=scale),
        column(f"{lost}{w('comma')}{headed('foes.of_met', content, w)}"),
        *(column(w.label(cost["label"])) for cost in found["costs"]),
        column(f"{met}{w('comma')}{headed('foes.of_games', content, w)}"),
        column(headed("foes.of_lost", content, w)),
        column(f"{w('games')}{w('colon')}{w.inside(found['met']['label'])}"),
        column(f"{w('games')}{w('colon')}{w.inside(found['lost']['label'])}"),
    ]
    return grid(w.players(table["players"]), columns, cells)


def shares(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return a section for each category whose values are counted."""
    return [_shares(found, content, w) for found in content["shares"]]


def _shares(found: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    head = w.label(found["label"], found["column"])
    of = w.label(found["of"])
    return {
        "kind": "rates",
        "id": f"share-{found['column']}",
        "heading": head,
        "tag": "",
        "notes": [
            w("space").join(
                [w("shares.note", of=of, level=level(content)), used(found["designs"], w)]
            )
        ],
        "tables": [
            {**share_table(table, head, content, w), "caption": _whose(table, found, w)}
            for table in found["tables"]
        ],
    }


def _whose(table: Mapping[str, Any], found: Mapping[str, Any], w: Words) -> str:
    """Return whose games a table counts: by player count, and by policy where it is told."""
    told = table["policy"] is not None
    name = w.label(table["label"], table["policy"]) if told else w("policies.all")
    several = len({one["players"] for one in found["tables"]}) > 1
    alone = all(one["policy"] is None for one in found["tables"])
    return w("dot").join([w.players(table["players"])] * (several or alone) + [name] * (not alone))
