"""Commands that print numbers of a run: table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from analysis.cli.options import Names, Place, Within, check_run
from sim.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from sim.run.result import Run

__all__ = ["table"]


@click.command(
    epilog="""\b
Examples:
  tenbin table runs/three --by players,seat
  tenbin table runs/three --by players,policy --design rotation --margin 5 --format csv
  tenbin table runs/two --by policy,against
  tenbin table s3://bucket/runs/three
"""
)
@click.argument("run", type=Place(), metavar="RUN")
@click.option("--by", type=Names(), default="players,seat", show_default=True, help="Keys.")
@click.option("--format", "form", type=click.Choice(["md", "csv", "json"]), default="md")
@click.option("--level", type=Within(0.5, 0.9999999), default=0.95, show_default=True)
@click.option(
    "--margin",
    type=Within(min=0),
    help="Margin around parity, in pp; by default that of the page.",
)
@click.option(
    "--design",
    type=Names(),
    help="Only these: fixed, mirror, rotation, pool; by default those of the page.",
)
@click.option(
    "--family",
    type=click.Choice(["players", "table"]),
    default="table",
    show_default=True,
    help="Intervals hold together within a player count, or within the table.",
)
@click.option("--single", is_flag=True, help="Intervals one by one instead of simultaneous.")
@click.option("--pooled", is_flag=True, help="Throw player counts together.")
def table(
    run: Path | str,
    by: tuple[str, ...],
    form: str,
    level: float,
    margin: float | None,
    design: tuple[str, ...] | None,
    family: Literal["players", "table"],
    single: bool,
    pooled: bool,
) -> None:
    """Print win rates of RUN by any keys.

    With "against" beside one key: who beats whom, in games of two.
    Each rate comes with its interval and its number of games. Which games are used, and by which
    margin they are judged, stands above the table; both are those of the page unless asked for.
    """
    import sim
    from analysis.console import waiting
    from analysis.frames import win_rates
    from analysis.sections import default_margin, designs_for, present

    check_run(run)
    if "against" in by:
        if design or single or pooled:
            raise InputError("--by KEY,against goes without --design, --single and --pooled")
        with waiting(f"reading {run}"):
            facing, used, width = _facing(sim.open_run(run), by, level, margin)
        _show(facing, by, form, level, used, width)
        return
    with waiting(f"reading {run}"):
        opened = sim.open_run(run)
        there = present(opened.plan)
        used = tuple(n for n in there if n in design) if design else designs_for(by, there)
        if margin is None:
            width = default_margin(opened.info, opened.plan, by, used)
        else:
            width = margin / 100
        found = win_rates(
            opened,
            by,
            level=level,
            simultaneous=not single,
            family=family,
            margin=width,
            design=design,
            pooled=pooled,
        )
    _show(found, by, form, level, used, width)


def _facing(
    run: Run, by: tuple[str, ...], level: float, margin: float | None
) -> tuple[pl.DataFrame, tuple[str, ...], float | None]:
    """Return who beats whom, with the designs and the margin of the page."""
    from analysis.matchup import matchups
    from analysis.sections import present
    from analysis.spec import margins_of

    keys = [key for key in by if key not in ("players", "against")]
    if len(keys) != 1:
        found = ", ".join(keys) or "no other key"
        raise InputError(f"--by with 'against': found {found}; allowed: one key, as policy,against")
    chosen = any(column.selected for column in run.info.level("seat") if column.name == keys[0])
    width = None if margin is None else margin / 100
    if margin is None and not chosen:
        width = margins_of(run.info)["policies" if keys == ["policy"] else "categories"]
    there = present(run.plan)
    table: pl.DataFrame = matchups(run, keys[0], level=level, margin=width)
    return table, ("rotation",) if "rotation" in there else there, width


def _show(
    found: pl.DataFrame,
    by: tuple[str, ...],
    form: str,
    level: float,
    used: tuple[str, ...],
    width: float | None,
) -> None:
    from analysis.console import basis, emit, rates_markdown

    if form == "md":
        keys = [key for key in by if key in found.columns]
        emit(f"({basis(used, width)})\n\n{rates_markdown(found, keys, level)}")
    elif form == "csv":
        emit(found.write_csv())
    else:
        import json

        emit(json.dumps(found.to_dicts(), ensure_ascii=False, indent=1))
