"""Collect the numbers of a report: everything a page says, language-neutral and unrounded.

Sections are built from what the title declares about itself and from the roles of its columns;
no title is known by name. The result is what ``report.json`` holds; pages and Markdown are made
from it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.recipe import recipe_of
from analysis.report.building import building_section
from analysis.report.cards import card_section
from analysis.report.composition import composition_section
from analysis.report.events import event_section
from analysis.report.foes import foe_section
from analysis.report.knobs import knob_section
from analysis.report.levers import lever_section
from analysis.report.matchups import matchup_section
from analysis.report.matrices import matrix_section
from analysis.report.mirrors import mirror_section
from analysis.report.origin import differences, policy_labels
from analysis.report.pilots import pilot_question, pilot_section
from analysis.report.plain import by_players, json_row, present_ones
from analysis.report.rates import category_labels, questions, rate_section
from analysis.report.replay import replay
from analysis.report.series import series_sections
from analysis.report.shares import share_section
from analysis.report.skill import skill_section
from analysis.report.studies import Studies
from analysis.report.supply import supply_section
from analysis.report.views import told_by
from analysis.report.winners import winner_sections
from analysis.sections import present, rate_sections
from analysis.spec import ReportSpec, title_spec
from sim.run.provenance import shown

if TYPE_CHECKING:
    from sim.core.title import TitleInfo
    from sim.run.result import Run

__all__ = ["FORMAT", "collect"]

#: Version of the shape of ``report.json``.
FORMAT = 2


def collect(
    found: Run | Studies,
    *,
    spec: ReportSpec | None = None,
    place: str | Path | None = None,
) -> dict[str, Any]:
    """Return the content of a report.

    Parameters
    ----------
    found : Run or Studies
        A run, or everything that was played for a report.
    spec : ReportSpec, optional
        Level, margins and what is shown; that of the title's default report otherwise.
    place : str or Path, optional
        How the commands that replay games shall call the run's folder; ``run.place`` by default.

    Returns
    -------
    dict
        Plain JSON values, as ``report.schema.json`` describes them. ``timing`` is the only part
        that differs between two reports of one run.
    """
    studies = found if isinstance(found, Studies) else Studies(found)
    run = studies.main
    info = run.info
    spec = spec or title_spec(info)
    labels, level, margins = policy_labels(run), spec.level, spec.rates
    counted = {share.column for share in spec.shares}
    rates = [
        rate_section(run, section, labels, level, margins)
        for section in rate_sections(info, run.plan)
        if section.column is None or section.column.name not in counted
    ]
    pilots = pilot_section(run, spec.pilots, level, margins["categories"])
    folder = shown(str(place if place is not None else run.place))
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
        "words": {key: label.model_dump() for key, label in spec.words.items()},
        "level": level,
        "questions": _asked(questions(rates), pilots),
        "rates": rates if pilots is None else _averaged(rates, pilots["brought"]["column"]),
        "skill": skill_section(run, studies.skill, labels, level, margins["seats"]),
        "mirrors": mirror_section(run, studies.skill, spec.mirrors, level, margins["seats"]),
        "pilots": pilots,
        "knobs": [knob_section(knob, level, margins["seats"]) for knob in studies.knobs],
        "levers": [lever_section(lever, labels, level) for lever in studies.levers],
        "matchups": present_ones(
            matchup_section(run, one, level, margins) for one in spec.matchups
        ),
        "matrices": present_ones(matrix_section(run, one, level) for one in spec.matrices),
        "composition": composition_section(run, spec.holding, level, told_by(info, spec)),
        "events": present_ones(event_section(run, event, level, folder) for event in spec.events),
        "series": series_sections(run, level),
        "supply": supply_section(run, level),
        "cards": card_section(run, spec.cards, level),
        "building": building_section(studies.building, level),
        "winners": winner_sections(run, spec.curves, level),
        "length": _length(run, info, level),
        "ends": _ends(run, level),
        "shares": present_ones(share_section(run, one, level, labels) for one in spec.shares),
        "foes": foe_section(run, spec.foes, level),
        "points": _points(run, info, level),
        "ruleset": {
            "sources": dict(run.rules.sources),
            **differences(run),
        },
        "policies": [{"id": name, "label": labels.get(name)} for name in run.plan.policies],
        "plan": _plan(run),
        "replay": replay(run, folder),
        "provenance": _provenance(run),
        "recipe": recipe_of(run) if (run.path / "manifest.json").is_file() else None,
        "timing": _timing(run),
    }


def _asked(found: list[dict[str, Any]], pilots: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Return the questions; one on what seats bring along takes the place of that on policies.

    Each policy stands in the table of policies with everything there is to bring along, so the
    best and the worst of them are good and bad fits, and no verdict on either.
    """
    if pilots is None:
        return found
    return [pilot_question(pilots) if one["id"] == "policies" else one for one in found]


def _averaged(rates: list[dict[str, Any]], brought: str) -> list[dict[str, Any]]:
    """Return sections of rates, with a word where they are about good and bad fits alike."""

    def captions(section: dict[str, Any]) -> list[str]:
        if section.get("column") == brought:
            return [*section["captions"], "averaged"]
        fits = section["id"] in ("policies", "policy_seat")
        return [*section["captions"], *(["fits"] if fits else [])]

    return [{**section, "captions": captions(section)} for section in rates]


def _length(run: Run, info: TitleInfo, level: float) -> dict[str, Any]:
    column = next(column for column in info.columns if column.name == "rounds")
    counted: dict[int, list[list[int]]] = {}
    for row in frames.histogram(run, "rounds").to_dicts():
        counted.setdefault(row["players"], []).append([row["value"], row["games"]])
    rows = [
        json_row(row) | {"histogram": counted.get(row["players"], [])}
        for row in frames.outcomes(run, "rounds", level=level, family="table").to_dicts()
    ]
    return {
        "label": column.label._asdict(),
        "designs": list(present(run.plan)),
        "rows": rows,
    }


def _ends(run: Run, level: float) -> list[dict[str, Any]]:
    labels = category_labels(run, "end_reason")
    rows = frames.end_reasons(run, level=level, family="table").to_dicts()
    found = []
    for row in sorted(rows, key=lambda row: (-row["count"], row["end_reason"])):
        reason = row.pop("end_reason")
        found.append({"id": reason, "label": labels.get(reason), **json_row(row)})
    return by_players(found)


def _points(run: Run, info: TitleInfo, level: float) -> list[dict[str, Any]]:
    columns = [c for c in info.level("seat") if c.role == "source" and c.summed]
    family = len(columns) * len(run.plan.players)
    return by_players(
        {"column": column.name, "label": column.label._asdict(), **json_row(row)}
        for column in columns
        for row in frames.outcomes(run, column.name, level=level, family=family).to_dicts()
    )


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
