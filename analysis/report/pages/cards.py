"""The section on single kinds of cards: what being dealt one does, and who wins with which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis import formats
from analysis.report.pages.grids import cell, column, grid, headed, rate_cell, section
from analysis.report.pages.names import level, used
from analysis.report.pages.supply import effect_of, largest
from analysis.report.words import Words

__all__ = ["cards"]


def cards(content: Mapping[str, Any], w: Words) -> dict[str, Any] | None:
    """Return the section on single kinds; None where nothing can be said of any of them."""
    found = content["cards"]
    if found is None:
        return None
    if found["dealt"] is None:
        return _described(found, content, w)
    tables = [table for table in found["tables"] if _known(table)]
    if not tables:
        return None
    dealt, chosen = w.label(found["dealt"]["label"]), w.label(found["chosen"]["label"])
    lists = [
        largest({"unit": "share", **table, "rows": _known(table)}, content, w) for table in tables
    ]
    groups = [
        {
            "heading": w("cards.dealt", name=dealt),
            "charts": [lists],
            "tables": [_table(table, dealt, chosen, content, w) for table in tables],
        }
    ]
    shown = level(content)
    told = [
        w("cards.effect", name=dealt, level=shown, family=formats.count(found["effects"])),
        w("cards.choice", name=chosen, level=shown, family=formats.count(found["described"])),
    ]
    told[0] += w("space") + used(found["designs"], w)
    return section("cards", w("cards"), groups, told)


def _described(
    found: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> dict[str, Any] | None:
    """Return the section where chance deals nothing: what was chosen, most frequent first."""
    tables = [table for table in found["tables"] if any(row["chosen"] for row in table["rows"])]
    if not tables:
        return None
    name = w.label(found["chosen"]["label"])
    family = formats.count(found["described"])
    note = w("cards.choice", name=name, level=level(content), family=family)
    heads = [
        w("kind"),
        f"{name}{w('colon')}{headed('share_of_seats', content, w)}",
        f"{name}{w('colon')}{headed('rate', content, w)}",
        w("rows"),
    ]
    grids = []
    for table in tables:
        cells = [
            [
                w.label(row["label"], row["kind"]),
                rate_cell(row["share"]),
                rate_cell(row["chosen"]),
                formats.count(row["chosen"]["rows"] if row["chosen"] else 0),
            ]
            for row in sorted(table["rows"], key=lambda row: -row["share"]["rate"])
        ]
        columns = [column(head) for head in heads]
        grids.append(grid(w.players(table["players"]), columns, cells, dense=True))
    notes = [w("space").join([note, used(found["designs"], w)])]
    return section("cards", w("cards"), [{"tables": grids}], notes, w("selected"))


def _known(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the kinds of which an effect is known, in the shape of effects."""
    return [
        {"kind": row["kind"], "label": row["label"], **row["dealt"]}
        for row in table["rows"]
        if None not in (row["dealt"]["effect"], row["dealt"]["lo"], row["dealt"]["hi"])
    ]


def _table(
    table: Mapping[str, Any], dealt: str, chosen: str, content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    known = {row["kind"] for row in _known(table)}
    cells = []
    for row in table["rows"]:
        effect: Any = "–"
        if row["kind"] in known:
            text, ends = effect_of(row["dealt"], "share")
            effect = cell(text, ends, clear=row["dealt"]["clear"])
        cells.append(
            [
                w.label(row["label"], row["kind"]),
                effect,
                formats.count(row["dealt"]["rows"]),
                rate_cell(row["share"]),
                rate_cell(row["chosen"]),
                formats.count(row["chosen"]["rows"] if row["chosen"] else 0),
            ]
        )
    heads = [
        w("kind"),
        f"{dealt}{w('colon')}{headed('effect.share', content, w)}",
        w("rows"),
        f"{chosen}{w('colon')}{headed('share_of_seats', content, w)}",
        f"{chosen}{w('colon')}{headed('rate', content, w)}",
        w("rows"),
    ]
    return grid(w.players(table["players"]), [column(head) for head in heads], cells, dense=True)
