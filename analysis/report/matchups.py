"""Who beats whom: each value of a key against each other one, in games of two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.matchup import NothingMetError, matchups
from analysis.report.origin import policy_labels
from analysis.report.plain import json_row
from analysis.report.rates import category_labels
from analysis.report.views import category_of
from analysis.sections import present

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analysis.spec import Matchups
    from sim.run.result import Run

__all__ = ["matchup_section"]

#: Seats of a game in which one meets another.
_TWO = 2


def matchup_section(
    run: Run, asked: Matchups, level: float, margins: Mapping[str, float]
) -> dict[str, Any] | None:
    """Return the win rate of each value against each other one.

    Parameters
    ----------
    run : Run
    asked : Matchups
    level : float
        Coverage of the intervals; those of all pairs hold together.
    margins : mapping of str to float
        As rates.

    Returns
    -------
    dict or None
        ``names`` by value, and a row for both orders of each pair that met; ``family`` counts the
        pairs. None where no rows were kept, where no games of two were played in which seat and
        value can be told apart, and where no two values met.
    """
    column = None if asked.by == "policy" else category_of(run.info, asked.by)
    designs = _designs(run)
    if run.keep == "sums" or not designs:
        return None
    selected = column is not None and column.selected
    width = None if selected else margins["policies" if column is None else "categories"]
    try:
        table = matchups(run, asked.by, level=level, margin=width)
    except NothingMetError:
        return None
    every = policy_labels(run) if column is None else category_labels(run, column.name)
    there = set(table[asked.by])
    rows = []
    for row in table.to_dicts():
        pair = {"row": row.pop(asked.by), "column": row.pop("against")}
        rows.append(
            {**pair, "rate": json_row({"players": _TWO, **row, "verdict": row.get("verdict")})}
        )
    return {
        "by": asked.by,
        "label": None if column is None else column.label._asdict(),
        "selected": selected,
        "margin": width,
        "designs": list(designs),
        "family": len(rows) // 2,
        "names": {name: label for name, label in every.items() if name in there},
        "rows": rows,
    }


def _designs(run: Run) -> tuple[str, ...]:
    """Return the designs whose games are used: rotations, or line-ups that were drawn."""
    plan = run.plan
    there = {block.design for block in plan.blocks if block.deals and block.players == _TWO}
    if "rotation" in present(plan):
        return ("rotation",) if "rotation" in there else ()
    return tuple(name for name in present(plan) if name in there) if "fixed" not in there else ()
