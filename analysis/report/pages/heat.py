"""The heat map of policies and seats: how far every cell is from parity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis import formats
from analysis.report.pages.grids import section as made
from analysis.report.pages.names import margin_of, name_of, precision
from analysis.report.pages.rates import heading, notes, rate_table
from analysis.report.words import Words

__all__ = ["STEPS", "heat", "key", "policy_seat", "reach_of", "tone"]

#: Colours on each side of parity.
STEPS = 5

_ROUND = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0)


def policy_seat(section: Mapping[str, Any], content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    """Return the section of policies and seats: heat maps, and the tables folded."""
    reach = reach_of(r["rate"] - r["parity"] for t in section["tables"] for r in t["rows"])
    maps = [heat(table, reach, w) for table in section["tables"]]
    tables = [rate_table(table, section, content, w) for table in section["tables"]]
    told = [w("heat.note", step=margin_of(reach / STEPS), reach=margin_of(reach))]
    if section["margin"] is not None:
        told.append(w("heat.strong"))
    groups = [{"charts": [maps], "legend": [key(reach)], "tables": tables}]
    words = [*notes(section, w), w("space").join(told)]
    return made(section["id"], heading(section, w), groups, words)


def reach_of(gaps: Iterable[float]) -> float:
    """Return the deviation that has the deepest colour: a round number that few cells exceed."""
    most = max(map(abs, gaps), default=0.1)
    return next(at for at in _ROUND if at >= 0.8 * most or at == _ROUND[-1])


def tone(gap: float, reach: float) -> str:
    """Return the colour of a deviation."""
    n = min(STEPS, round(abs(gap) / reach * STEPS))
    return f"{'up' if gap > 0 else 'down'}{n}" if n else "level"


def key(reach: float) -> dict[str, Any]:
    """Return the scale of colours, from the lowest to the highest."""
    cells = [
        {"text": formats.points(reach * i / STEPS, reach / STEPS), "tone": tone(i, STEPS)}
        for i in range(-STEPS, STEPS + 1)
    ]
    return {"kind": "heat_key", "cells": cells}


def heat(table: Mapping[str, Any], reach: float, w: Words) -> dict[str, Any]:
    """Return the heat map of one player count."""
    seats = sorted({row["seat"] for row in table["rows"]})
    cells: dict[str, dict[int, dict[str, str]]] = {}
    names: dict[str, str] = {}
    for row in table["rows"]:
        gap = row["rate"] - row["parity"]
        names[row["policy"]] = name_of({k: v for k, v in row.items() if k != "seat"}, w)
        cells.setdefault(row["policy"], {})[row["seat"]] = {
            "text": formats.points(gap, precision(row)),
            "tone": tone(gap, reach),
            "strong": row["verdict"] == "unbalanced",
        }
    blank = {"text": "–", "tone": "level", "strong": False}
    return {
        "kind": "heat",
        "title": w.players(table["players"]),
        "head": w("policy"),
        "columns": [w("seat_n", n=seat) for seat in seats],
        "rows": [
            {"name": names[policy], "cells": [by.get(seat, blank) for seat in seats]}
            for policy, by in cells.items()
        ],
    }
