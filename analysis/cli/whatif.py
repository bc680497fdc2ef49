"""Commands that change the rules and tell what that does: compare, sweep."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.cli.options import (
    Games,
    Names,
    Within,
    check_run,
    is_run,
    lineups,
    options,
    refuse_asked,
    rules,
    work,
)
from sim.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from sim.core.title import Title
    from sim.run.plan import Plan
    from sim.run.result import Run

__all__ = ["compare", "sweep"]

_base = options(
    click.option(
        "--base-rules",
        type=click.Path(),
        multiple=True,
        help="Overlay that holds before and after the change; repeatable.",
    ),
    click.option(
        "--base-set",
        multiple=True,
        metavar="KEY=VALUE",
        help="Value that holds before and after the change; repeatable.",
    ),
)
_level = click.option("--level", type=Within(0.5, 0.9999999), default=0.95, show_default=True)
_form = click.option("--format", "form", type=click.Choice(["md", "csv", "json"]), default="md")


@click.command(
    epilog="""\b
Examples:
  tenbin compare granmagia --set witches.celestina.cost=7
  tenbin compare magnolia --players 3 --rules my/rules.toml --by policy
  tenbin compare granmagia --base-rules my/rules.toml --set cards.market.cost=4 --out runs/cheaper
  tenbin compare runs/before runs/after --format json
"""
)
@click.argument("what", metavar="TITLE|RUN")
@click.argument("other", metavar="[RUN]", required=False)
@click.option("--games", type=Games(), default="100k", show_default=True, help="Games of each run.")
@lineups
@rules
@_base
@work
@click.option("--by", type=Names(), help="Keys of one table; by default those of a report.")
@_level
@click.option(
    "--deals",
    "most",
    type=click.IntRange(0, 100),
    default=5,
    show_default=True,
    metavar="N",
    help="Tell so many games whose result changed.",
)
@_form
@click.option("--out", type=click.Path(path_type=Path), help="Folder that keeps both runs.")
@click.pass_context
def compare(
    ctx: click.Context, /, what: str, other: str | None, form: str, most: int, **asked: Any
) -> None:
    """Tell what a change of the rules of TITLE does, or what differs between two RUNs.

    The printed rules and the changed ones (--set, --rules) play the same deals, so that what the
    change does not touch drops out. Told are rates before and after with the interval of their
    difference, the share of deals whose result changed, how many games two runs on deals of their
    own would have needed, and the first games whose result changed, which "tenbin trace" tells.
    """
    from analysis.comparison import comparison, comparison_markdown
    from analysis.console import emit, waiting

    by = asked["by"] or ()
    if is_run(what):
        if other is None:
            raise InputError("name two runs, or a title and a change (--set KEY=VALUE)")
        refuse_asked(ctx, ("what", "other", "by", "level", "most", "form"))
        before, after = _opened(what), _opened(other)
    else:
        if other is not None:
            raise InputError(f"{what} is a title: give one, or two runs")
        before, after = _played(what, asked)
    with waiting("comparing"):
        found = comparison(before, after, level=asked["level"], by=by, most=most)
    if form == "json":
        import json

        emit(json.dumps(found, ensure_ascii=False, indent=1))
    elif form == "csv":
        emit(_flat(found).write_csv())
    else:
        emit(comparison_markdown(found))
        if found["games_changed"] and (is_run(what) or asked["out"]):
            game = found["games_changed"][0]["game"]
            places = [shlex.quote(run.place) for run in (before, after)]
            lines = "\n".join(f"  tenbin trace {place} --game {game}" for place in places)
            emit(f"\nNext:\n{lines}")


@click.command(
    epilog="""\b
Examples:
  tenbin sweep granmagia compensation.3p.seat3.gold=0..3 --players 3
  tenbin sweep wizard start.lp=28..34 --by policy
  tenbin sweep granmagia witches.celestina.cost=5..8 cards.market.cost=4,5 --format csv
  tenbin sweep magnolia start.gold=1..4 --by players,policy --players 3 --plot curves.svg
"""
)
@click.argument("title")
@click.argument("ranges", nargs=-1, required=True, metavar="KEY=FROM..TO …")
@click.option("--games", type=Games(), default="50k", show_default=True, help="Games of each run.")
@lineups
@rules
@work
@click.option("--by", type=Names(), default="players,seat", show_default=True, help="Keys.")
@_level
@click.option("--margin", type=Within(min=0), help="Margin around parity, in pp.")
@_form
@click.option("--plot", type=click.Path(path_type=Path), help="Draw curves into this file.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder that keeps the runs.")
def sweep(title: str, ranges: tuple[str, ...], form: str, plot: Path | None, **asked: Any) -> None:
    """Turn values of the rules of TITLE through ranges, and tell the rates at each.

    Each combination plays the same deals, and changes are paired with the rules as they are.
    """
    from analysis import sweep as sweeps
    from analysis.console import emit, progress
    from sim.run.api import find_title

    knobs = [sweeps.knob(text) for text in ranges]
    found = find_title(title)
    if plot is not None and len(knobs) != 1:
        raise InputError("--plot shows curves over one key; give one range")
    with progress(title) as bar:
        table = sweeps.sweep(
            found,
            knobs,
            _plan(found, asked, asked["rules"], asked["overrides"]),
            asked["by"],
            level=asked["level"],
            margin=None if asked["margin"] is None else asked["margin"] / 100,
            seed=asked["seed"],
            rules=asked["rules"],
            overrides=asked["overrides"],
            out=asked["out"],
            jobs=asked["jobs"],
            backend=asked["backend"],
            progress=bar,
        )
    if form == "json":
        import json

        emit(json.dumps(table.to_dicts(), ensure_ascii=False, indent=1))
    elif form == "csv":
        emit(table.write_csv())
    else:
        emit(_sweep_markdown(table, [one.key for one in knobs], asked["by"], asked["level"]))
    if plot is not None:
        _draw(table, knobs[0].key, asked["by"], plot)


def _opened(place: str) -> Run:
    import sim

    check_run(place)
    return sim.open_run(place)


def _plan(
    found: Title, asked: dict[str, Any], rules: tuple[str, ...], overrides: tuple[str, ...]
) -> Plan:
    """Return what each run plays; the rules matter where what seats can bring along is data."""
    from sim.run.api import plan_of

    names = ("games", "players", "lineup", "pool", "rotate")
    return plan_of(found, rules=rules, overrides=overrides, **{name: asked[name] for name in names})


def _played(what: str, asked: dict[str, Any]) -> tuple[Run, Run]:
    """Return the runs before and after a change, played now."""
    from analysis.console import progress, tell
    from analysis.jobs import Job, Player
    from sim.run.api import find_title

    if not asked["rules"] and not asked["overrides"]:
        raise InputError("nothing is changed: give --set KEY=VALUE or --rules FILE")
    found = find_title(what)
    plan = _plan(found, asked, asked["base_rules"], asked["base_set"])
    how = {name: asked[name] for name in ("jobs", "backend")}
    player = Player(
        found, asked["out"], asked["seed"], asked["base_rules"], asked["base_set"], **how
    )
    player.add(Job("before-{}", plan))
    player.add(Job("after-{}", plan, tuple(asked["overrides"]), rules=tuple(asked["rules"])))
    with progress(what) as bar:
        runs = player.play(bar)
    if len(runs) < 2 or runs[0].rules.hash == runs[1].rules.hash:
        tell("tenbin: the change leaves the rules as they are")
    return runs[0], runs[-1]


def _flat(found: dict[str, Any]) -> pl.DataFrame:
    """Return all tables of a comparison as one, with the names and values of their keys."""
    import polars as pl

    rows = []
    listed = [*((one["id"], one["by"], one["rows"]) for one in found["tables"])]
    listed.append(("length", ["players"], found["length"]))
    for id_, keys, table in listed:
        for row in table:
            named = {
                "table": id_,
                "keys": ",".join(keys),
                "values": ",".join(str(row[key]) for key in keys),
            }
            rows.append(named | {key: value for key, value in row.items() if key not in keys})
    return pl.DataFrame(rows, infer_schema_length=None)


def _sweep_markdown(
    table: pl.DataFrame, knobs: list[str], by: tuple[str, ...], level: float
) -> str:
    from analysis import formats

    interval = f"{100 * level:g} % interval"
    # Where there is no margin, or nobody to be held against, there may be no verdict at all.
    judged = ["verdict"] * bool(table["verdict"].null_count() < table.height)
    header = [*knobs, *by, "rate, %", interval, *judged, "change, pp", interval, "games"]
    rows = [
        [
            *(str(row[key]) for key in (*knobs, *by)),
            formats.percent(row["rate"], row["se"]),
            formats.interval(row["lo"], row["hi"], row["se"]),
            *[row["verdict"] or "–"] * len(judged),
            *_changed(row),
            formats.count(row["games"]),
        ]
        for row in table.to_dicts()
    ]
    figures = {n for n in range(len(knobs) + len(by), len(header)) if header[n] != "verdict"}
    note = "All intervals of this table hold together; changes are from the rules as they are."
    return f"{formats.table(header, rows, right=figures)}\n\n{note}"


def _changed(row: dict[str, Any]) -> list[str]:
    from analysis import formats

    if row["change"] is None:
        return ["as they are", "–"]
    se = row["change_se"] or row["se"]
    ends = (formats.points(row[f"change_{end}"], se) for end in ("lo", "hi"))
    return [formats.points(row["change"], se), " … ".join(ends)]


def _draw(table: pl.DataFrame, key: str, by: tuple[str, ...], place: Path) -> None:
    import polars as pl

    from analysis import plots

    keys = [name for name in by if name != "players" or table["players"].n_unique() > 1]
    joined = table.with_columns(
        pl.concat_str([pl.col(name).cast(pl.String) for name in keys], separator=" · ").alias("_")
        if keys
        else pl.lit("").alias("_"),
        value=pl.col(key).cast(pl.Float64, strict=False),
    )
    if joined["value"].null_count():
        raise InputError(f"--plot is for numbers, and {key} has values that are none")
    figure = plots.figure(8, 5)
    plots.curves(joined, by="_" if keys else None, xlabel=key, ax=figure.add_subplot())
    try:
        figure.savefig(place)
    except ValueError as error:
        raise InputError(f"--plot {place}: {error}") from None
