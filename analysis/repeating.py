"""Whether what was played again is what was there before."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.run.result import Run

__all__ = ["changed_data", "other_figures", "other_rows", "other_sums"]

#: Of a row of rates: what must be equal.
FIGURES = ("rate", "lo", "hi", "games")


def changed_data(recipe: Mapping[str, Any], run: Run) -> bool:
    """Return whether labels, texts or sources of the data have changed, which decide nothing.

    Parameters
    ----------
    recipe : mapping
    run : Run
        Played from it.
    """
    return bool(recipe["identity"]["data"] != run.identity["data"])


def other_sums(recipe: Mapping[str, Any], run: Run) -> list[str]:
    """Return the kinds of sums that are not those of a recipe.

    Parameters
    ----------
    recipe : mapping
    run : Run
        Played from it.
    """
    from analysis.recipe import sums_of

    now = sums_of(run)
    return [kind for kind, digest in recipe["sums"].items() if now.get(kind) != digest]


def other_rows(before: Run, now: Run) -> list[str]:
    """Return which rows of two runs differ: ``games``, ``seats``, both, or none.

    Parameters
    ----------
    before, now : Run
        Of one recipe, which kept rows.
    """
    import polars as pl

    found = []
    for part in ("games", "seats"):
        files = [sorted(path.name for path in _part(run, part)) for run in (before, now)]
        # One file after another: a run may be larger than the memory.
        same = files[0] == files[1] and all(
            old.read_bytes() == new.read_bytes()
            or pl.read_parquet(old).equals(pl.read_parquet(new))
            for old, new in zip(_part(before, part), _part(now, part), strict=True)
        )
        if not same:
            found.append(part)
    return found


def _part(run: Run, part: str) -> list[Path]:
    return sorted((run.path / part).glob("*.parquet"))


def other_figures(content: Mapping[str, Any], run: Run) -> tuple[int, list[str]]:
    """Compare the rates of a page with those of a run.

    Parameters
    ----------
    content : mapping
        Of ``report.json``.
    run : Run

    Returns
    -------
    compared : int
        Number of figures.
    differing : list of str
        Those that are not equal, each in words.
    """
    from analysis.frames import win_rates
    from analysis.sections import rate_sections

    sections = {
        (section.id, None if section.column is None else section.column.name): section
        for section in rate_sections(run.info, run.plan)
    }
    compared, differing = 0, []
    for stored in content["rates"]:
        column = stored.get("column")
        section = sections.get((stored["id"], column))
        if section is None:
            differing.append(f"{stored['id']}: a section that this version does not have")
            continue
        table = win_rates(
            run, section.by, level=content["level"], family="table", design=stored["designs"]
        )
        # On the page the value of any category is called so.
        stored_by = ["category" if name == column else name for name in section.by]
        now = {tuple(row[name] for name in section.by): row for row in table.to_dicts()}
        before = {tuple(row.get(name) for name in stored_by): row for row in _rows(stored)}
        for key in sorted({*now, *before}, key=str):
            for figure in FIGURES:
                old, new = (rows.get(key, {}).get(figure) for rows in (before, now))
                compared += 1
                if not _equal(old, new):
                    where = ", ".join(map(str, key))
                    differing.append(f"{stored['id']} {where}: {figure} was {old} and is {new}")
    return compared, differing


def _rows(section: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for table in section["tables"]:
        for row in table["rows"]:
            yield {"players": table["players"], **row}


def _equal(old: Any, new: Any) -> bool:
    """Whether two figures are equal, as far as floats of two machines can be."""
    if isinstance(new, float) and not math.isfinite(new):
        new = None  # as JSON has it
    if old is None or new is None:
        return old is new
    return math.isclose(old, new, rel_tol=1e-9, abs_tol=1e-12)
