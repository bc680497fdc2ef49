"""What single rows are called, and how their figures are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis import formats
from analysis.report.words import Words
from analysis.selfcheck import Z

__all__ = ["check", "figures", "level", "margin_of", "mark", "name_of", "precision", "used"]

#: How a verdict is drawn; a description of what was chosen during play is drawn neutrally.
_MARKS = {"balanced": "balanced", "unbalanced": "unbalanced", "undecided": "undecided"}
_MARKS |= {"too few games": "few", "passed": "balanced", "failed": "unbalanced"}


def name_of(row: Mapping[str, Any], w: Words, *, inside: bool = False) -> str:
    """Return the name of a row of a rate table: its seat, policy or category.

    Parameters
    ----------
    row : mapping
    w : Words
    inside : bool
        For the middle of a sentence.
    """
    parts = []
    if "policy" in row:
        parts.append(w.label(row.get("label"), row["policy"]))
    if "category" in row:
        parts.append(w.label(row.get("label"), row["category"]))
    if "seat" in row:
        parts.append(w("seat_n.inside" if inside or parts else "seat_n", n=row["seat"]))
    return " · ".join(parts)


def precision(row: Mapping[str, Any]) -> float | None:
    """Return what the digits follow: the standard error, or the interval where that is zero."""
    return row["se"] or (row["hi"] - row["lo"]) / 4 or None


def figures(row: Mapping[str, Any], w: Words) -> dict[str, str]:
    """Return the figures of a row of rates as a sentence wants them."""
    se = precision(row)
    gap = None if row["parity"] is None else row["rate"] - row["parity"]
    return {
        "players": w.players(row["players"]),
        "name": w.spaced(name_of(row, w, inside=True)),
        "rate": formats.percent(row["rate"], se),
        "lo": formats.percent(row["lo"], se),
        "hi": formats.percent(row["hi"], se),
        "gap": formats.percent(None if gap is None else abs(gap), se),
        "side": w("above" if gap is not None and gap > 0 else "below"),
        "parity": formats.percent(row["parity"], digits=1),
        "games": formats.count(row["games"]),
    }


def check(said: str, row: Mapping[str, Any], w: Words) -> str:
    """Return the sentence on a check of the simulation."""
    if said == "too few games":
        return w("say.too few games")
    return w(f"say.check.{said}", z=formats.number(Z, digits=2), **figures(row, w))


def mark(verdict: str | None) -> str:
    """Return how a verdict is drawn."""
    return _MARKS.get(verdict or "", "plain")


def margin_of(margin: float) -> str:
    """Return a margin in percentage points.

    Examples
    --------
    >>> margin_of(0.02), margin_of(0.025)
    ('2', '2.5')
    """
    whole = abs(round(100 * margin) - 100 * margin) < 1e-9
    return formats.number(100 * margin, digits=0 if whole else 1)


def level(content: Mapping[str, Any]) -> str:
    """Return the coverage of the intervals in per cent, without the sign."""
    return formats.number(100 * content["level"], digits=0)


def used(designs: Sequence[str], w: Words) -> str:
    """Return the sentence on which games some figures rest on, by the designs of their line-ups."""
    listed = w("comma").join(w(f"design.{name}") for name in designs)
    return w("caption.used", designs=listed or w("none"))
