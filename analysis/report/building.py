"""What a deck's composition does, over many decks that were made by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import estimates, frames
from analysis.building import part_effects, student
from analysis.report.plain import json_row
from sim.core.policy import parse_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.report.studies import BuildingRun
    from sim.core.title import Column

__all__ = ["building_section"]


def building_section(found: BuildingRun | None, level: float) -> dict[str, Any] | None:
    """Return the effect of one more of each part of a deck.

    Parameters
    ----------
    found : BuildingRun or None
    level : float
        Coverage of the intervals; those of all parts hold together.

    Returns
    -------
    dict or None
        Groups of parts that make up a whole, each with ``effect`` (of one more instead of an
        average other of its group), and last the parts that are none's, in a group without a name.
        None without such a study.
    """
    if found is None:
        return None
    asked, run = found.building, found.run
    wins = _rates(found)
    decks = [name for name in found.decks if name in wins]
    names = asked.parts
    parts = np.array([[found.decks[deck][name] for name in names] for deck in decks], np.float64)
    rates = np.array([wins[deck] for deck in decks])
    places = {name: place for place, name in enumerate(names)}
    groups = [[places[name] for name in group.columns] for group in asked.groups]
    got = part_effects(parts.reshape(len(decks), len(names)), rates, groups)
    family = int(np.isfinite(got.effect).sum())
    normal = estimates.z_value(level, max(1, family))
    # With too few decks nothing is estimated, and no interval is told.
    z = student(normal, got.free) if family else normal
    columns = {column.name: column for column in run.info.level("seat")}

    def row(name: str) -> dict[str, Any]:
        place = places[name]
        effect, se = float(got.effect[place]), float(got.se[place])
        lo, hi = effect - z * se, effect + z * se
        return {
            **_named(columns[name]),
            **json_row({"effect": effect, "se": se, "lo": lo, "hi": hi}),
            "clear": bool(lo > 0 or hi < 0),
            "mean": float(got.mean[place]),
            "sd": float(got.sd[place]),
        }

    told: list[tuple[dict[str, str] | None, tuple[str, ...]]] = [
        (group.label.model_dump(), group.columns) for group in asked.groups
    ]
    told += [(None, asked.columns)] if asked.columns else []
    return {
        "designs": ["pool"],
        "games": run.games_count,
        "policies": [{"id": name, "label": label} for name, label in found.policies.items()],
        "decks": len(decks),
        "family": family,
        **json_row({"r2": got.r2, "spread": float(rates.std(ddof=1)) if len(decks) > 1 else None}),
        "groups": [
            {"label": label, "rows": [row(name) for name in members]} for label, members in told
        ],
    }


def _rates(found: BuildingRun) -> dict[str, float]:
    """Return the win rate of each deck, over all policies that play it."""
    table = frames.win_rates(found.run, ("policy",), design=("pool",))
    sums: dict[str, tuple[float, int]] = {}
    for deck, rate, rows in _by_entry(table.to_dicts()):
        won, seats = sums.get(deck, (0.0, 0))
        sums[deck] = won + rate * rows, seats + rows
    return {deck: won / seats for deck, (won, seats) in sums.items()}


def _by_entry(rows: list[dict[str, Any]]) -> Iterator[tuple[str, float, int]]:
    for row in rows:
        deck = parse_entry(row["policy"]).loadout
        if deck is not None and row["rows"]:
            yield deck, row["rate"], row["rows"]


def _named(column: Column) -> dict[str, Any]:
    return {"column": column.name, "label": column.label._asdict()}
