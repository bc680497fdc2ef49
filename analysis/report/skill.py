"""Seats and policies among players of different skill: one level of slips beside the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.report.plain import by_players
from analysis.report.rates import Labels, labelled
from analysis.sections import designs_for, present

if TYPE_CHECKING:
    from sim.run.result import Run

__all__ = ["skill_section"]


def skill_section(
    main: Run,
    slipping: Mapping[float, Run],
    labels: Labels,
    level: float,
    margin: float,
) -> dict[str, Any] | None:
    """Return the rates of seats and policies by level of slip.

    Parameters
    ----------
    main : Run
        Nobody slips in it.
    slipping : mapping of float to Run
        By slip, as a share of the decisions. At 1 all policies are alike and are left out.
    labels : mapping
        Display names by policy.
    level : float
        Coverage of the intervals, simultaneous over all levels.
    margin : float
        Around parity for seats, as a rate.

    Returns
    -------
    dict or None
        None when there are no levels to compare, or no seats. Seats that are alike by the rules
        are left out.
    """
    if not slipping or main.info.seats == "none":
        return None
    runs = {0.0: main, **slipping}
    seats = main.info.seats == "ordered"
    policies = {slip: run for slip, run in runs.items() if slip < 1}
    return {
        "levels": list(runs),
        "margin": margin,
        "designs": {
            "seats": list(designs_for(("seat",), present(main.plan))),
            "policies": list(designs_for(("policy",), present(main.plan))),
        },
        "seats": _tables(runs, ("players", "seat"), labels, level, margin) if seats else [],
        "policies": _tables(policies, ("players", "policy"), labels, level, None),
    }


def _tables(
    runs: Mapping[float, Run],
    by: Sequence[str],
    labels: Labels,
    level: float,
    margin: float | None,
) -> list[dict[str, Any]]:
    designs = {slip: designs_for(by, present(run.plan)) for slip, run in runs.items()}

    def rows(slip: float, family: int) -> list[dict[str, Any]]:
        table = frames.win_rates(
            runs[slip], by, level=level, family=family, margin=margin, design=designs[slip]
        )
        found = [{"slip": slip, **row} for row in table.to_dicts()]
        for row in found:
            if slip and "policy" in row:  # engine@0.05 is engine, who slips
                row["policy"] = row["policy"].rpartition("@")[0]
        return labelled(found, labels)

    family = sum(len(rows(slip, 1)) for slip in runs)
    return by_players(row for slip in runs for row in rows(slip, family))
