"""Tables of rates with a drawing of their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis import formats
from analysis.report.pages.names import check, level, margin_of, mark, name_of, precision, used
from analysis.report.pages.scale import Scale
from analysis.report.words import Words

__all__ = ["ends", "heading", "notes", "rate_section", "rate_table", "share_table"]

_HEADS = {"seats": "seat", "clear": "policy", "policy_seat": "policy_and_seat"}


def notes(section: Mapping[str, Any], w: Words) -> list[str]:
    """Return the captions of a section of rates: what was used, and what is special about it."""
    first = used(section["designs"], w)
    if section["margin"] is not None:
        first += w("space") + w("caption.margin", margin=margin_of(section["margin"]))
    solo = {"selected": "selected.solo"} if _solo(section) else {}
    captions = (w(f"caption.{solo.get(name, name)}") for name in section["captions"])
    told = [w("space").join([first, *captions])]
    if "check" in section:
        told.append(check(section["check"]["verdict"], section["check"]["row"], w))
    return told


def heading(section: Mapping[str, Any], w: Words) -> str:
    """Return the heading of a section of rates."""
    if section["id"] == "category":
        name = w.inside(section["label"], section["column"])
        return w("by.solo" if _solo(section) else "by", name=name)
    return w("seats.check" if "symmetric" in section["captions"] else section["id"])


def _solo(section: Mapping[str, Any]) -> bool:
    """Return whether a section is of a title without opponents: there is no parity."""
    rows = [row for table in section["tables"] for row in table["rows"]]
    return bool(rows) and all(row["parity"] is None for row in rows)


def rate_section(
    section: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    """Return a section of tables of rates."""
    return {
        "kind": "rates",
        "id": section["id"] if section["id"] != "category" else f"by-{section['column']}",
        "heading": heading(section, w),
        "tag": w("selected") if "selected" in section["captions"] else "",
        "notes": notes(section, w),
        "tables": [rate_table(table, section, content, w) for table in section["tables"]],
    }


def rate_table(
    table: Mapping[str, Any], section: Mapping[str, Any], content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    """Return one table of rates as texts and places."""
    rows = table["rows"]
    solo = _solo(section)
    margin = None if solo else section["margin"]
    parity = rows[0]["parity"] if rows else None
    scale = Scale((end for row in rows for end in (row["lo"], row["hi"])), parity, margin)
    return {
        "caption": w.players(table["players"]),
        "key_head": w.label(section.get("label")) or w(_HEADS.get(section["id"], "policy")),
        "rate_head": w("clear_rate" if solo else "rate"),
        "interval_head": w("interval", level=level(content)),
        "gaps": parity is not None,
        "verdicts": margin is not None,
        "verdict_head": w("lies" if "selected" in section["captions"] else "verdict"),
        "counts": False,
        "seat_rows": any(row["rows"] != row["games"] for row in rows),
        "scale": scale.drawn(),
        "rows": [_rate_row(row, scale, w) for row in rows],
    }


def _rate_row(row: Mapping[str, Any], scale: Scale, w: Words) -> dict[str, Any]:
    se = precision(row)
    gap = None if row["parity"] is None else row["rate"] - row["parity"]
    name, rate = name_of(row, w), formats.percent(row["rate"], se)
    between = formats.interval(row["lo"], row["hi"], se)
    said = row["verdict"]
    return {
        "name": name,
        "rate": rate,
        "interval": between,
        "gap": formats.points(gap, se),
        "verdict": w(said) if said else "",
        "games": formats.count(row["games"]),
        "stacked": w("n_games", games=formats.count(row["games"])),
        "rows": formats.count(row.get("rows")),
        "spoken": f"{name}: {rate} % ({between})",
        "mark": mark(said),
        **scale.places(row),
    }


def ends(content: Mapping[str, Any], w: Words) -> dict[str, Any]:
    """Return the section on how games end."""
    tables = [share_table(table, w("reason"), content, w) for table in content["ends"]]
    return {
        "kind": "rates",
        "id": "ends",
        "heading": w("ends"),
        "tag": "",
        "notes": [w("caption.ends", level=level(content))],
        "tables": tables,
    }


def share_table(
    table: Mapping[str, Any], head: str, content: Mapping[str, Any], w: Words
) -> dict[str, Any]:
    """Return one table of shares of a whole, with counts.

    Parameters
    ----------
    table : mapping
    head : str
        What the rows are.
    content : mapping
    w : Words
    """
    scale = Scale((0.0, 1.0))  # shares of a whole are shown on all of it
    rows = []
    for row in table["rows"]:
        shown = {**row, "category": row["id"], "parity": None, "verdict": None}
        drawn = _rate_row(shown, scale, w)
        rows.append({**drawn, "count": formats.count(row["count"])})
    return {
        "caption": w.players(table["players"]),
        "key_head": head,
        "rate_head": w("share"),
        "interval_head": w("interval", level=level(content)),
        "gaps": False,
        "verdicts": False,
        "verdict_head": "",
        "counts": True,
        "seat_rows": False,
        "scale": scale.drawn(),
        "rows": rows,
    }
