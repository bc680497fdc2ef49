"""What must hold in any sound run of a title, and tells a fault of its engine where it does not."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from analysis.estimates import TOO_FEW, UNBALANCED

if TYPE_CHECKING:
    from analysis.sections import RateSection
    from sim.run.result import Run

__all__ = ["FAILED", "LEVEL", "PASSED", "WIDEST", "SelfCheck", "Z", "self_check"]

#: Standard errors that a seat may lie from parity. A sound engine goes beyond in one of two hundred
#: million rows, so that even a page with many rows does not cry fault in a million reports.
Z = 5.85

#: With an interval that reaches farther to a side, a check that passes would say nothing.
WIDEST = 0.05

#: Coverage of a single interval of that width.
LEVEL = 2 * NormalDist().cdf(Z) - 1

PASSED, FAILED = "passed", "failed"


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """Whether seats that have to be alike are.

    Attributes
    ----------
    verdict : str
        ``passed``, ``failed`` or ``too few games``.
    row : dict
        The row of rates that lies farthest from parity, with its interval at :data:`Z`.
    """

    verdict: str
    row: dict[str, Any]


def self_check(run: Run, section: RateSection) -> SelfCheck | None:
    """Return whether the seats of a title whose seats are alike win equally often.

    Parameters
    ----------
    run : Run
    section : RateSection
        That of the seats.

    Returns
    -------
    SelfCheck or None
        None where seats may differ: by what the title is, by who sits there, or by what a seat was
        barred from.
    """
    from analysis.frames import win_rates

    if "symmetric" not in section.captions or section.confounded or run.identity.get("bans"):
        return None
    table = win_rates(run, section.by, level=LEVEL, family=1, margin=0.0, design=section.designs)
    rows = table.to_dicts()
    if not rows:
        return None
    said = {row["verdict"] for row in rows}
    few = TOO_FEW in said or any(row["hi"] - row["lo"] > 2 * WIDEST for row in rows)
    verdict = FAILED if UNBALANCED in said else TOO_FEW if few else PASSED
    return SelfCheck(verdict, max(rows, key=_distance))


def _distance(row: dict[str, Any]) -> float:
    """Return how far a rate lies from parity, in widths of its interval."""
    return float(abs(row["rate"] - row["parity"]) / (row["hi"] - row["lo"]))
