"""What the long proofs assert by statistics: one list, held to what was declared.

A file may make as many statistical assertions in one run as stand here. All of them together, and
those of the default tests, must not be more than the error budget is shared among.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tests.budget import ASSERTIONS, Made

__all__ = ["DECLARED", "ELSEWHERE", "INTERVALS", "table", "too_many", "total"]

#: By file of this folder: its subject, and how many statistical assertions it makes.
DECLARED = {
    "test_draws.py": ("bounded draws and streams", 9),
    "test_shuffles.py": ("shuffles", 12),
    "test_openings.py": ("openings of all titles", 15),
    "test_small_games.py": ("small games that are gone through", 6),
    "test_seats_of_magnolia.py": ("seats that are alike", 8),
    "test_classic_figures.py": ("figures of other simulators", 18),
    "test_wizard_battle.py": ("battles of Unreliable Wizard", 38),
    "test_coverage_rates.py": ("intervals of rates", 11),
    "test_coverage_means.py": ("intervals of means and changes", 17),
    "test_coverage_paired.py": ("intervals of what a change does", 4),
    "test_coverage_effects.py": ("intervals of effects", 13),
    "test_coverage_tables.py": ("intervals of tables of rows", 7),
    "test_alarms.py": ("verdicts and the self-check", 4),
    "test_stopping.py": ("runs that end early", 17),
}

#: Modules that make intervals for readers, and the file in which such intervals are tried.
INTERVALS = {
    "building": "test_coverage_effects.py",
    "compare": "test_coverage_paired.py",
    "estimates": "test_coverage_rates.py",
    "frames": "test_coverage_tables.py",
    "impact": "test_coverage_effects.py",
    "report.building": "test_coverage_effects.py",
    "report.cards": "test_coverage_effects.py",
    "report.events": "test_coverage_rates.py",
    "report.foes": "test_coverage_means.py",
    "report.mirrors": "test_coverage_rates.py",
    "report.series": "test_coverage_means.py",
    "report.shares": "test_coverage_rates.py",
    "report.winners": "test_coverage_means.py",
}

#: What the default tests may assert besides.
ELSEWHERE = 150


def place_of(made: Made) -> str:
    """Return the file of this folder in which an assertion was made, or nothing."""
    path = made.where.partition("::")[0]
    folder, _, name = path.rpartition("/")
    return name if folder.endswith("tests/verification") else ""


def too_many(made: Iterable[Made]) -> list[str]:
    """Return the files that asserted more than they declare, each in words."""
    counts = Counter(name for one in made if (name := place_of(one)))
    return [
        f"{name}: {number} statistical assertions; declared: {DECLARED.get(name, ('', 0))[1]}"
        for name, number in sorted(counts.items())
        if number > DECLARED.get(name, ("", 0))[1]
    ]


def total() -> int:
    """Return how many statistical assertions all tests together may make."""
    return ELSEWHERE + sum(number for _, number in DECLARED.values())


def table(made: Iterable[Made]) -> list[str]:
    """Return one line for each assertion of this folder, and above them what they are."""
    rows = [
        (one.where.partition("::")[2], one.statistic, one.expected, one.tolerance, one.held)
        for one in made
        if place_of(one)
    ]
    heads = ("item", "statistic", "expected", "tolerance", "verdict")
    told = [heads, *((*row[:4], "holds" if row[4] else "FAILS") for row in rows)]
    widths = [max(len(row[place]) for row in told) for place in range(4)]
    lines = [
        "  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[4]])
        for row in told
    ]
    held = sum(row[4] for row in rows)
    return [*lines, f"{held} of {len(rows)} hold; the budget has room for {ASSERTIONS}"]
