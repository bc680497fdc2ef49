"""Collect the numbers of a report: everything a page says, language-neutral and unrounded.

Sections are built from what the title declares about itself and from the roles of its columns;
no title is known by name. The result is what ``report.json`` holds; pages and Markdown are made
from it alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.estimates import BALANCED, TOO_FEW, UNBALANCED, UNDECIDED
from analysis.report.origin import differences, policy_labels
from analysis.sections import MARGINS, RateSection, rate_sections
from sim.errors import InputError
from sim.run.provenance import shown

if TYPE_CHECKING:
    import polars as pl

    from sim.core.title import TitleInfo
    from sim.run.result import Run

__all__ = ["FORMAT", "collect"]

#: Version of the shape of ``report.json``.
FORMAT = 1

#: Verdicts on what was chosen during play: they say where a rate lies, not that something is wrong.
NEAR, OVER, UNDER = "near", "over", "under"

#: Instead of a verdict, where one line-up sat in fixed seats: seat and policy are then one.
UNTOLD = "untold"


def collect(
    run: Run,
    *,
    level: float = 0.95,
    margins: Mapping[str, float] = MARGINS,
    place: str | Path | None = None,
) -> dict[str, Any]:
    """Return the content of a run's report.

    Parameters
    ----------
    run : Run
    level : float
        Coverage of the intervals, simultaneous within a section.
    margins : mapping of str to float
        Margins for ``seats``, ``policies`` and ``categories``.
    place : str or Path, optional
        How the commands that replay games shall call the run's folder; ``run.path`` by default.

    Returns
    -------
    dict
        Plain JSON values. ``timing`` is the only part that differs between two reports of one run.
    """
    info = run.info
    labels = policy_labels(run)
    rates = [
        _rate_section(run, section, labels, level, {**MARGINS, **margins})
        for section in rate_sections(info, run.plan)
    ]
    folder = shown(str(place if place is not None else run.path))
    return {
        "format": "tenbin-report",
        "version": FORMAT,
        "title": {
            "id": info.id,
            "label": info.label._asdict(),
            "status": info.status._asdict(),
            "players": list(info.players),
            "seats": info.seats,
        },
        "run": {
            "games": run.games_count,
            "seed": run.seed,
            "players": list(run.plan.players),
            "keep": run.keep,
            "folder": folder,
        },
        "level": level,
        "questions": _questions(rates),
        "rates": rates,
        "length": _length(run, info, level),
        "ends": _ends(run, level),
        "points": _points(run, info, level),
        "ruleset": {
            "sources": dict(run.rules.sources),
            **differences(run),
        },
        "policies": [{"id": name, "label": labels.get(name)} for name in run.plan.policies],
        "plan": _plan(run),
        "replay": _replay(run, folder),
        "provenance": _provenance(run),
        "timing": _timing(run),
    }


def _rate_section(
    run: Run,
    section: RateSection,
    labels: Mapping[str, dict[str, str]],
    level: float,
    margins: Mapping[str, float],
) -> dict[str, Any]:
    width = None if section.margin is None else margins[section.margin]
    # The headline picks rows over all player counts, so they are one family.
    table = frames.win_rates(
        run, section.by, level=level, family="table", margin=width, design=section.designs
    )
    tables = _by_players(table, labels)
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
    if "symmetric" in section.captions:
        fits = all(row["lo"] <= row["parity"] <= row["hi"] for row in rows)
        found["captions"].append("agrees" if fits else "differs")
    if section.column is not None:
        column = section.column
        known = _category_labels(run, column.name)
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


def _by_players(table: pl.DataFrame, labels: Mapping[str, dict[str, str]]) -> list[dict[str, Any]]:
    tables: dict[int, list[dict[str, Any]]] = {}
    for row in table.to_dicts():
        clean = {key: _plain(value) for key, value in row.items()}
        if clean.get("policy") in labels:
            clean["label"] = labels[clean["policy"]]
        tables.setdefault(clean["players"], []).append(clean)
    return [{"players": n, "rows": rows} for n, rows in sorted(tables.items())]


def _category_labels(run: Run, name: str) -> dict[str, dict[str, str]]:
    return {category.id: category.label._asdict() for category in run.categories(name)}


def _plain(value: Any) -> Any:
    """Return a JSON value: what is not a number is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _questions(rates: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    questions = []
    for section in rates:
        if section["id"] not in {"seats", "policies", "clear"}:
            continue
        if "symmetric" in section["captions"]:
            continue
        rows = [row for table in section["tables"] for row in table["rows"]]
        extremes: dict[str, Any] = {}
        by: list[dict[str, Any]] = []
        said: str | None = None
        if section["id"] == "clear":
            best = max(rows, key=lambda row: row["rate"], default=None)
        elif "fixed" in section["captions"]:
            best, said = None, UNTOLD
        else:
            by = [
                {"players": table["players"], "verdict": overall(table["rows"])}
                for table in section["tables"]
            ]
            said = overall(rows)
            best = _farthest(rows, said)
            if section["id"] == "policies" and rows:
                order = sorted(rows, key=lambda row: row["rate"] - row["parity"])
                extremes = {"best": dict(order[-1]), "worst": dict(order[0])}
        questions.append(
            {
                "id": section["id"],
                "verdict": said,
                "margin": section["margin"],
                "row": best,
                "by_players": by,
                **extremes,
            }
        )
    return questions


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


def _length(run: Run, info: TitleInfo, level: float) -> dict[str, Any]:
    column = next(column for column in info.columns if column.name == "rounds")
    counted: dict[int, list[list[int]]] = {}
    for row in frames.histogram(run, "rounds").to_dicts():
        counted.setdefault(row["players"], []).append([row["value"], row["games"]])
    rows = [
        {key: _plain(value) for key, value in row.items()}
        | {"histogram": counted.get(row["players"], [])}
        for row in frames.outcomes(run, "rounds", level=level, family="table").to_dicts()
    ]
    return {"label": column.label._asdict(), "rows": rows}


def _ends(run: Run, level: float) -> list[dict[str, Any]]:
    labels = _category_labels(run, "end_reason")
    tables: dict[int, list[dict[str, Any]]] = {}
    for row in frames.end_reasons(run, level=level, family="table").to_dicts():
        reason = row.pop("end_reason")
        row = {key: _plain(value) for key, value in row.items()}
        named = {"id": reason, "label": labels.get(reason), **row}
        tables.setdefault(row["players"], []).append(named)
    return [
        {"players": n, "rows": sorted(rows, key=lambda row: (-row["count"], row["id"]))}
        for n, rows in sorted(tables.items())
    ]


def _points(run: Run, info: TitleInfo, level: float) -> list[dict[str, Any]]:
    tables: dict[int, list[dict[str, Any]]] = {}
    columns = [c for c in info.level("seat") if c.role == "source" and c.summed]
    family = len(columns) * len(run.plan.players)
    for column in columns:
        for row in frames.outcomes(run, column.name, level=level, family=family).to_dicts():
            named = {"column": column.name, "label": column.label._asdict()}
            clean = {key: _plain(value) for key, value in row.items()}
            tables.setdefault(row["players"], []).append(named | clean)
    return [{"players": n, "rows": rows} for n, rows in sorted(tables.items())]


def _plan(run: Run) -> list[dict[str, Any]]:
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    for block in run.plan.blocks:
        new = {"players": block.players, "design": block.design}
        row = rows.setdefault(
            (block.players, block.design), {**new, "lineups": 0, "deals": 0, "games": 0}
        )
        row["deals"] += block.deals
        row["games"] += block.games
        if block.design == "pool":
            row["lineups"] = None  # drawn anew for each game
        else:
            row["lineups"] += len(block.cells)
    return list(rows.values())


def _replay(run: Run, place: str) -> list[dict[str, Any]]:
    """Return games worth looking at: the extremes where rows were kept, else first games.

    None when the run's rules or engine have changed, so that its games cannot be played again.
    """
    from sim.run.plan import game_id

    try:
        run.setup  # noqa: B018 - raises when it cannot be played
    except InputError:
        return []
    found = []
    for players in run.plan.players:
        cells = [
            (block, cell)
            for block in run.plan.blocks
            if block.players == players and block.deals
            for cell in block.cells
        ]
        wanted = sorted(cells, key=lambda pair: pair[0].design != "rotation")[:1]
        for _, cell in wanted:
            game = game_id(cell.number, 0)
            found.append(
                {
                    "players": players,
                    "kind": "first",
                    "game": game,
                    "lineup": None if cell.lineup is None else list(cell.lineup),
                }
            )
        if run.keep != "sums":
            found += _extremes(run, players)
    return [item | {"command": f"tenbin trace {place} --game {item['game']}"} for item in found]


def _extremes(run: Run, players: int) -> list[dict[str, Any]]:
    import polars as pl

    games = run.scan_games().filter(pl.col("players") == players).select("game", "rounds")
    found = []
    for kind, descending in (("longest", True), ("shortest", False)):
        order = games.sort(["rounds", "game"], descending=[descending, False])
        row = order.head(1).collect().to_dicts()[0]
        found.append({"players": players, "kind": kind, "lineup": None, **row})
    return found


def _provenance(run: Run) -> dict[str, Any]:
    identity = run.identity
    return {
        "title": identity["title"],
        "games": run.games_count,
        "seed": run.seed,
        "ruleset": run.rules.hash,
        "data": run.rules.data_hash,
        "result_version": identity["result_version"],
        "stream_version": identity["stream_version"],
        "policies": {name: str(digest) for name, digest in identity["policies"]},
    }


def _timing(run: Run) -> dict[str, Any]:
    record = run.provenance
    resources, software = record["resources"], record["software"]
    seconds, played = resources["seconds"], resources["games_played"]
    command = resources.get("command") or []
    found = {
        "command": " ".join(command),
        "finished": resources.get("finished"),
        "seconds": seconds,
        "games_per_second": round(played / seconds) if seconds else None,
        "jobs": resources.get("jobs"),
        "backend": resources.get("backend"),
        "machine": ", ".join(f"{k} {v}" for k, v in record["environment"].items()),
        "software": ", ".join(f"{name} {version}" for name, version in software.items()),
    }
    return {key: value for key, value in found.items() if value is not None}
