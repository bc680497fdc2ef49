"""Commands that print numbers of a run: table."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from analysis.cli.options import Names, Within, check_run

__all__ = ["table"]


@click.command(
    epilog="""\b
Examples:
  tenbin table runs/three --by players,seat
  tenbin table runs/three --by players,policy --design rotation --margin 5 --format csv
"""
)
@click.argument("run", type=click.Path(path_type=Path))
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
    run: Path,
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

    Each rate comes with its interval and its number of games. Which games are used, and by which
    margin they are judged, stands above the table; both are those of the page unless asked for.
    """
    import sim
    from analysis.console import basis, emit, rates_markdown, waiting
    from analysis.frames import win_rates
    from analysis.sections import default_margin, designs_for, present

    check_run(run)
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
    if form == "md":
        emit(f"({basis(used, width)})\n\n{rates_markdown(found, by, level)}")
    elif form == "csv":
        emit(found.write_csv())
    else:
        import json

        emit(json.dumps(found.to_dicts(), ensure_ascii=False, indent=1))
