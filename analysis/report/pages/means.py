"""Sections of means: the length of a game, and where points come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis import formats
from analysis.report.pages.names import level, used
from analysis.report.pages.scale import WIDTH
from analysis.report.words import Words

__all__ = ["means"]


def means(content: Mapping[str, Any], w: Words) -> list[dict[str, Any]]:
    """Return the sections of means: length, and where points come from."""
    # Lengths and points are both means of every game.
    told = [w("caption.mean", level=level(content)), used(content["length"]["designs"], w)]
    common: dict[str, Any] = {
        "kind": "means",
        "tag": "",
        "notes": [w("space").join(told)],
        "interval_head": w("interval", level=level(content)),
    }
    counted = [row["histogram"] for row in content["length"]["rows"] if row["histogram"]]
    low = min((counts[0][0] for counts in counted), default=0)
    high = max((_quantile(counts, 0.999) for counts in counted), default=1)
    length = [
        {**_mean_row(row, w.players(row["players"])), "count": formats.count(row["games"])}
        | _bars(row["histogram"], low, high, row["mean"], w)
        for row in content["length"]["rows"]
    ]
    charts = all(row["bars"] for row in length)
    found = [
        common
        | {
            "id": "length",
            "heading": f"{w('length')} — {w.label(content['length']['label'])}",
            "key_head": w("players"),
            "count_head": w("games"),
            "charts": charts,
            "spread_head": w("spread_of", name=w.inside(content["length"]["label"])),
            "tables": [{"caption": "", "rows": length}],
        }
    ]
    every = [row for table in content["points"] for row in table["rows"]]
    some = {row["column"] for row in every if row["mean"] or row["lo"] or row["hi"]}
    zero = {r["column"]: w.label(r["label"], r["column"]) for r in every if r["column"] not in some}
    if some:
        tables = [
            {
                "caption": w.players(table["players"]),
                "rows": [
                    {**_mean_row(row, w.label(row["label"], row["column"]))}
                    | {"count": formats.count(row["rows"])}
                    for row in table["rows"]
                    if row["column"] in some
                ],
            }
            for table in content["points"]
        ]
        found.append(
            common
            | {
                "id": "sources",
                "heading": w("sources"),
                "notes": [
                    *common["notes"],
                    *([w("zero", list=w("comma").join(zero.values()))] if zero else []),
                ],
                "key_head": w("origin"),
                "count_head": w("rows"),
                "charts": False,
                "tables": tables,
            }
        )
    return found


def _mean_row(row: Mapping[str, Any], name: str) -> dict[str, str]:
    se = row["se"]
    between = "–"
    if row["lo"] is not None:
        between = f"{formats.number(row['lo'], se)} – {formats.number(row['hi'], se)}"
    mean = formats.number(row["mean"], se)
    return {
        "name": name,
        "mean": mean,
        "interval": between,
        "spoken": f"{name}: {mean} ({between})",
    }


def _quantile(counts: Sequence[Sequence[int]], share: float) -> int:
    """Return the smallest value that this share of the games does not exceed."""
    left = share * sum(games for _, games in counts)
    for value, games in counts:
        left -= games
        if left <= 0:
            return value
    return counts[-1][0]


def _bars(
    counts: Sequence[Sequence[int]], low: int, high: int, mean: float, w: Words
) -> dict[str, Any]:
    """Return columns on the axis from ``low`` to ``high``, and a word on what is beyond it."""
    if not counts:
        return {"bars": []}
    inside = [(value, games) for value, games in counts if value <= high]
    most = max(games for _, games in inside)
    wide = min(20.0, (WIDTH - 2) / (high - low + 1))
    bars = []
    for value, games in inside:
        height = round(44 * games / most, 1)
        at = round(1 + (value - low) * wide, 1)
        bars.append(
            {"x": at, "y": round(44 - height, 1), "width": round(wide * 0.86, 1), "height": height}
        )
    beyond = sum(games for value, games in counts if value > high)
    word = w(
        "beyond_1" if beyond == 1 else "beyond",
        games=formats.count(beyond),
        last=max(value for value, _ in counts),
    )
    return {
        "bars": bars,
        "first": str(low),
        "last": str(high),
        "last_x": round(1 + (high - low + 1) * wide - wide * 0.14, 1),
        "mean_x": round(1 + (mean - low + 0.43) * wide, 1),
        "beyond": word if beyond else "",
    }
