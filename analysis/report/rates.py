"""Rates of seats, policies and categories: the tables of a report that carry verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.estimates import BALANCED, TOO_FEW, UNBALANCED, UNDECIDED
from analysis.report.plain import by_players, json_row
from analysis.sections import RateSection
from analysis.selfcheck import Z, self_check

if TYPE_CHECKING:
    from sim.run.result import Run

__all__ = ["Labels", "category_labels", "labelled", "overall", "question", "questions"]
__all__ += ["rate_section"]

#: Display names of policies or other values, by id.
Labels = Mapping[str, dict[str, str]]

#: Verdicts on what was chosen during play: they say where a rate lies, not that something is wrong.
NEAR, OVER, UNDER = "near", "over", "under"

#: Instead of a verdict, where one line-up sat in fixed seats: seat and policy are then one.
UNTOLD = "untold"


def labelled(rows: Iterable[Mapping[str, Any]], labels: Labels) -> list[dict[str, Any]]:
    """Return rows of rates as JSON has them, with the names of their policies.

    Parameters
    ----------
    rows : iterable of mapping
    labels : mapping
        Display names by policy.
    """
    found = [json_row(row) for row in rows]
    for row in found:
        if row.get("policy") in labels:
            row["label"] = labels[row["policy"]]
    return found


def category_labels(run: Run, name: str) -> dict[str, dict[str, str]]:
    """Return the display names of a category column's values."""
    return {category.id: category.label._asdict() for category in run.categories(name)}


def rate_section(
    run: Run,
    section: RateSection,
    labels: Labels,
    level: float,
    margins: Mapping[str, float],
) -> dict[str, Any]:
    """Return one section of rates.

    Parameters
    ----------
    run : Run
    section : RateSection
    labels : mapping
        Display names by policy.
    level : float
        Coverage of the intervals, simultaneous within the section.
    margins : mapping of str to float
        As rates.
    """
    width = None if section.margin is None else margins[section.margin]
    # The headline picks rows over all player counts, so they are one family.
    table = frames.win_rates(
        run, section.by, level=level, family="table", margin=width, design=section.designs
    )
    tables = by_players(labelled(table.to_dicts(), labels))
    fixed = "fixed" in section.captions
    if fixed and not section.selected:
        for row in (row for one in tables for row in one["rows"]):
            row["verdict"] = None
        width = None
    found: dict[str, Any] = {
        "id": section.id,
        "margin": width,
        "designs": list(section.designs),
        "captions": list(section.captions),
        "tables": tables,
    }
    rows = [row for one in tables for row in one["rows"]]
    check = self_check(run, section)
    if check is not None:
        row = json_row({**check.row, "verdict": None})
        found["check"] = {"z": Z, "verdict": check.verdict, "row": row}
    if section.column is not None:
        column = section.column
        known = category_labels(run, column.name)
        found |= {"column": column.name, "label": column.label._asdict()}
        for row in rows:
            row["category"] = row.pop(column.name)
            row["label"] = known.get(row["category"])
            if section.selected:
                row["verdict"] = _described(row)
    return found


def _described(row: Mapping[str, Any]) -> str | None:
    if row["verdict"] == UNBALANCED:
        return OVER if row["rate"] > row["parity"] else UNDER
    return NEAR if row["verdict"] == BALANCED else row["verdict"]


def questions(rates: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the verdict on each question that the sections of a report answer.

    Parameters
    ----------
    rates : sequence of mapping
        From :func:`rate_section`.
    """
    found, checks = [], []
    for section in rates:
        if section["id"] not in {"seats", "policies", "clear"}:
            continue
        if "symmetric" in section["captions"]:
            if "check" in section:
                check = {key: section["check"][key] for key in ("verdict", "row")}
                checks.append({"id": "check", "margin": None, "by_players": [], **check})
            continue
        if "fixed" in section["captions"]:
            asked = {"verdict": UNTOLD, "margin": section["margin"], "row": None}
            found.append({"id": section["id"], **asked, "by_players": []})
        elif section["id"] == "clear":
            rows = [row for table in section["tables"] for row in table["rows"]]
            best = max(rows, key=lambda row: row["rate"], default=None)
            asked = {"verdict": None, "margin": section["margin"], "row": best}
            found.append({"id": "clear", **asked, "by_players": []})
        else:
            found.append(question(section["id"], section["margin"], section["tables"]))
    return found + checks


def question(
    id_: str, margin: float | None, tables: Sequence[Mapping[str, Any]], *, missing: int = 0
) -> dict[str, Any]:
    """Return the verdict on rows of rates that carry verdicts.

    Parameters
    ----------
    id_ : str
    margin : float or None
    tables : sequence of mapping
        Rows by player count.
    missing : int
        Rows that there would be with more games; what is not there is not balanced.
    """
    rows = [row for table in tables for row in table["rows"]]
    unseen = [{"verdict": TOO_FEW}] * missing
    by = [{"players": t["players"], "verdict": overall([*t["rows"], *unseen])} for t in tables]
    said = overall([*rows, *unseen])
    best = _farthest(rows, said)
    found = {"id": id_, "verdict": said, "margin": margin, "row": best, "by_players": by}
    if id_ != "seats" and rows:
        order = sorted(rows, key=lambda row: row["rate"] - row["parity"])
        found |= {"best": dict(order[-1]), "worst": dict(order[0])}
    return found


def overall(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the verdict on several rows: balanced only if each of them is.

    No correction is needed for a balanced whole (an intersection-union test); a single row outside
    the margin is enough for the contrary, because the intervals of all of them hold together.
    """
    said = [row["verdict"] for row in rows]
    if UNBALANCED in said:
        return UNBALANCED
    if said and all(verdict == BALANCED for verdict in said):
        return BALANCED
    return UNDECIDED if UNDECIDED in said else TOO_FEW


def _farthest(rows: Sequence[Mapping[str, Any]], said: str) -> dict[str, Any] | None:
    """Return the row that shows the verdict best: the one farthest from parity."""
    shown = [row for row in rows if row["verdict"] == said]
    found = max(shown, key=lambda row: abs(row["rate"] - row["parity"]), default=None)
    return None if found is None else dict(found)
