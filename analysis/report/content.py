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

if TYPE_CHECKING:
    import polars as pl

    from sim.core.title import Column, TitleInfo
    from sim.run.result import Run

__all__ = ["FORMAT", "MARGINS", "collect"]

#: Version of the shape of ``report.json``.
FORMAT = 1

#: Largest deviation from parity that counts as balanced, as rates.
MARGINS: Mapping[str, float] = {"seats": 0.02, "policies": 0.05}


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
        Coverage of the intervals, simultaneous within a table.
    margins : mapping of str to float
        Margins for ``seats`` and for ``policies`` (also used for categories).
    place : str or Path, optional
        How the commands that replay games shall call the run's folder; ``run.path`` by default.

    Returns
    -------
    dict
        Plain JSON values. ``timing`` is the only part that differs between two reports of one run.
    """
    info = run.setup.title.info
    labels = _policy_labels(run)
    rates = _rates(run, info, labels, level, margins)
    return {
        "format": "tenbin-report",
        "version": FORMAT,
        "title": {
            "id": info.id,
            "label": info.label._asdict(),
            "status": info.status,
            "players": list(info.players),
            "seats": info.seats,
        },
        "run": {
            "games": run.games_count,
            "seed": run.seed,
            "players": list(run.plan.players),
            "keep": run.keep,
        },
        "level": level,
        "questions": _questions(rates),
        "rates": rates,
        "length": _length(run, info, level),
        "ends": _ends(run, level),
        "points": _points(run, info, level),
        "ruleset": {
            "sources": dict(run.ruleset.sources()),
            "changes": _changes(run),
        },
        "policies": [{"id": name, "label": labels.get(name)} for name in run.plan.policies],
        "plan": _plan(run),
        "replay": _replay(run, str(place if place is not None else run.path)),
        "provenance": _provenance(run),
        "timing": _timing(run),
    }


def _policy_labels(run: Run) -> dict[str, dict[str, str]]:
    table = run.setup.policies
    return {name: label._asdict() for name, label in zip(table.names, table.labels, strict=True)}


def _rates(
    run: Run,
    info: TitleInfo,
    labels: Mapping[str, dict[str, str]],
    level: float,
    margins: Mapping[str, float],
) -> list[dict[str, Any]]:
    present = list(dict.fromkeys(block.design for block in run.plan.blocks))
    free = [name for name in present if name != "mirror"]
    sections: list[dict[str, Any]] = []

    def add(
        id_: str, by: Sequence[str], designs: Sequence[str], margin: str, captions: list[str]
    ) -> dict[str, Any]:
        if designs == ["fixed"] and len(run.plan.policies) > 1 and info.seats != "none":
            captions = [*captions, "fixed"]
        width = None if info.seats == "none" else margins[margin]
        table = frames.win_rates(
            run, ["players", *by], level=level, margin=width, design=list(designs)
        )
        section = {
            "id": id_,
            "margin": width,
            "designs": list(designs),
            "captions": captions,
            "tables": _by_players(table, labels),
        }
        sections.append(section)
        return section

    if info.seats == "none":
        add("clear", ["policy"], present, "policies", [])
    else:
        # Mirrors and full rotations first: there a seat's share owes nothing to who sits there.
        fair = [name for name in present if name in {"mirror", "rotation"}] or present
        symmetric = ["symmetric"] if info.seats == "symmetric" else ["who"]
        add("seats", ["seat"], fair, "seats", symmetric)
        if free and len(run.plan.policies) > 1:
            mirrors = ["mirrors"] if "mirror" in present else []
            add("policies", ["policy"], free, "policies", mirrors)
            add("policy_seat", ["policy", "seat"], free, "policies", mirrors)
    for column in info.level("seat"):
        if column.role == "category":
            captions = ["selected"] if column.selected else []
            section = add("category", [column.name], present, "policies", captions)
            section |= {"column": column.name, "label": column.label._asdict()}
            _name_categories(run, column, section["tables"])
    return sections


def _by_players(table: pl.DataFrame, labels: Mapping[str, dict[str, str]]) -> list[dict[str, Any]]:
    tables: dict[int, list[dict[str, Any]]] = {}
    for row in table.to_dicts():
        clean = {key: _plain(value) for key, value in row.items()}
        if clean.get("policy") in labels:
            clean["label"] = labels[clean["policy"]]
        tables.setdefault(clean["players"], []).append(clean)
    return [{"players": n, "rows": rows} for n, rows in sorted(tables.items())]


def _name_categories(run: Run, column: Column, tables: list[dict[str, Any]]) -> None:
    known = _category_labels(run, column.name)
    for table in tables:
        for row in table["rows"]:
            row["category"] = row.pop(column.name)
            row["label"] = known.get(row["category"])


def _category_labels(run: Run, name: str) -> dict[str, dict[str, str]]:
    found = run.setup.title.categories(run.ruleset, name)
    return {category.id: category.label._asdict() for category in found}


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
        if section["id"] == "clear":
            best = max(rows, key=lambda row: row["rate"], default=None)
            by: list[dict[str, Any]] = []
            said: str | None = None
        else:
            by = [
                {"players": table["players"], "verdict": overall(table["rows"])}
                for table in section["tables"]
            ]
            said = overall(rows)
            best = _farthest(rows, said)
        questions.append(
            {
                "id": section["id"],
                "verdict": said,
                "margin": section["margin"],
                "row": best,
                "by_players": by,
            }
        )
    return questions


def overall(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the verdict on several rows: balanced only if each of them is.

    No correction is needed for a balanced whole (an intersection-union test); a single row outside
    the margin is enough for the contrary, and its interval is simultaneous.
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
        for row in frames.outcomes(run, "rounds", level=level).to_dicts()
    ]
    return {"label": column.label._asdict(), "rows": rows}


def _ends(run: Run, level: float) -> list[dict[str, Any]]:
    labels = _category_labels(run, "end_reason")
    tables: dict[int, list[dict[str, Any]]] = {}
    for row in frames.end_reasons(run, level=level).to_dicts():
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
    for column in info.level("seat"):
        if column.role != "source" or not column.summed:
            continue
        for row in frames.outcomes(run, column.name, level=level).to_dicts():
            named = {"column": column.name, "label": column.label._asdict()}
            clean = {key: _plain(value) for key, value in row.items()}
            tables.setdefault(row["players"], []).append(named | clean)
    return [{"players": n, "rows": rows} for n, rows in sorted(tables.items())]


def _changes(run: Run) -> list[str]:
    ruleset = run.ruleset
    found = []
    for key in ruleset.keys():  # noqa: SIM118 - a ruleset is no mapping
        source = ruleset.source(key)
        if source.source == "override":
            found.append(f"{key} = {source.value}")
    return sorted(found)


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
    """Return games worth looking at: the extremes where rows were kept, else first games."""
    from sim.run.plan import game_id

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
        "ruleset": run.ruleset.hash,
        "data": run.ruleset.data_hash,
        "result_version": identity["result_version"],
        "stream_version": identity["stream_version"],
        "policies": {name: str(digest) for name, digest in identity["policies"]},
    }


def _timing(run: Run) -> dict[str, Any]:
    record = run.provenance
    resources, software = record["resources"], record["software"]
    seconds, played = resources["seconds"], resources["games_played"]
    command = resources.get("command") or []
    shown = {
        "command": " ".join(command),
        "finished": resources.get("finished"),
        "seconds": seconds,
        "games_per_second": round(played / seconds) if seconds else None,
        "jobs": resources.get("jobs"),
        "backend": resources.get("backend"),
        "machine": " ".join(str(v) for v in record["environment"].values()),
        "software": ", ".join(f"{name} {version}" for name, version in software.items()),
    }
    return {key: value for key, value in shown.items() if value is not None}
