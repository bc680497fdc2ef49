"""The part of a page that tells what kinds do by lying out (:mod:`analysis.impact`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.estimates import FEW_CLUSTERS
from analysis.impact import supply_effects
from analysis.report.origin import policy_labels
from analysis.sections import present
from sim.run.plan import DESIGNS

if TYPE_CHECKING:
    import polars as pl

    from sim.run.result import Run

__all__ = ["supply_section"]

#: Designs whose games are used, where they are there; in a title without seats, all.
_USED = {"length": DESIGNS, "seat_gap": ("mirror", "rotation"), "policy": ("rotation",)}
_UNITS = {"length": "rounds", "seat_gap": "share", "policy": "share"}


def supply_section(run: Run, level: float) -> dict[str, Any] | None:
    """Return the effects of a run's supply, or None where its rows do not say what it was.

    Parameters
    ----------
    run : Run
    level : float
        Probability that all intervals of one player count cover.

    Returns
    -------
    dict or None
        ``field``, ``label``, ``deals`` by player count, ``level``, ``family`` (intervals of one
        player count that are read together) and ``outcomes``, each with a row for every kind that
        is there in some deals and not in others. A row is ``clear`` when its interval leaves out
        nought and there are deals enough with and without the kind.
    """
    declared = run.info.supply
    if declared is None or run.keep == "sums" or "cards" not in run.collect:
        return None
    table = supply_effects(run, level)
    kinds = {kind.id: {"en": kind.label.en, "ja": kind.label.ja} for kind in run.kinds}
    labels = policy_labels(run)
    outcomes = []
    used = dict.fromkeys(_USED, DESIGNS) if run.info.seats == "none" else _USED
    keys = ["players", "outcome", "policy"]
    for (players, outcome, policy), part in table.group_by(keys, maintain_order=True):
        outcomes.append(
            {
                "id": outcome,
                "policy": policy,
                "label": None if policy is None else labels[str(policy)],
                "unit": _UNITS[str(outcome)],
                "players": players,
                "designs": [name for name in present(run.plan) if name in used[str(outcome)]],
                "deals": part["deals"][0],
                "mean": part["mean"][0],
                "rows": _rows(part, kinds),
            }
        )
    return {
        "field": declared.card_field,
        "label": {"en": declared.label.en, "ja": declared.label.ja},
        "deals": {str(one["players"]): one["deals"] for one in outcomes if one["id"] == "length"},
        "level": level,
        "family": table["family"][0],
        "outcomes": outcomes,
    }


def _rows(part: pl.DataFrame, kinds: dict[str, dict[str, str]]) -> list[dict[str, Any]]:
    rows = []
    for row in part.iter_rows(named=True):
        if not row["absent"]:
            continue  # always there: nothing to compare it with
        few = min(row["present"], row["absent"]) < FEW_CLUSTERS
        known = row["lo"] is not None and not few
        rows.append(
            {
                "kind": row["kind"],
                "label": kinds[row["kind"]],
                **{key: row[key] for key in ("effect", "se", "lo", "hi")},
                "with": row["present"],
                "without": row["absent"],
                "clear": known and not row["lo"] <= 0 <= row["hi"],
            }
        )
    return rows
