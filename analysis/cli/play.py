"""Commands that play games: simulate, trace, bench."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.cli.options import (
    Counts,
    Games,
    Names,
    Part,
    check_run,
    given,
    is_run,
    lang,
    lineups,
    refuse_asked,
    rules,
    work,
)

if TYPE_CHECKING:
    from sim.run.result import Run
    from sim.run.tracing import TracedGame

__all__ = ["bench", "merge", "publish", "simulate", "trace"]


@click.command(
    epilog="""\b
Examples:
  tenbin simulate granmagia --games 100k --players 3 --out runs/three
  tenbin simulate granmagia --games 20k --lineup big_stones,random --rotate
  tenbin simulate granmagia --games 90k --players 2 --pool engine,sophia,raider --rotate
  tenbin simulate granmagia --games 20k --set witches.celestina.cost=7
  tenbin simulate granmagia --games 10M --players 2 --until "seat ±0.2pp" --keep sums
  tenbin simulate granmagia --games 1M --players 3 --until verdict
  tenbin simulate granmagia --games 100M --keep sums --part 2/8 --out parts/2
"""
)
@click.argument("title")
@click.option("--games", type=Games(), required=True, help="Exact number of games: 20000, 20k.")
@lineups
@rules
@work
@click.option(
    "--until",
    metavar="RULE",
    help='End earlier: when rates are known well enough ("seat ±0.2pp"), or have a verdict '
    '("verdict", "verdict policy ±3pp"); --games is then the most.',
)
@click.option(
    "--keep",
    type=click.Choice(["rows", "sums", "both"]),
    help="What is stored: every game and seat, exact sums, or both; rows by default with --out.",
)
@click.option(
    "--collect",
    type=Names(),
    default="core",
    show_default=True,
    help="What is recorded: core always; cards (sums by kind, and what lay in the supply), series "
    "(values by round).",
)
@click.option(
    "--part",
    type=Part(),
    help="Play only this part of the run, on one of several machines; merge joins them.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run; resumes there.")
def simulate(
    title: str, out: Path | None, keep: str | None, until: str | None, **asked: Any
) -> int:
    """Play games of TITLE and print who won how often.

    Without --out nothing is kept. The same command again goes on where it stopped; with more games
    it extends the run. The exit code is 3 when --until was not met with all games.
    """
    import sim
    from analysis.cli import OK, UNDECIDED
    from analysis.console import emit, progress, summary, tell, waiting
    from sim.run.plan import game_id

    if until is not None:
        from analysis.stopping import stop_rule

        asked["until"] = stop_rule(until)
    with progress(title) as bar:
        run = sim.simulate(
            title, out=out, keep=keep or ("rows" if out else "sums"), progress=bar, **given(asked)
        )
    for notice in run.notices:
        tell(f"tenbin: {notice}")
    if run.part is not None:
        number, of = run.part
        emit(
            f"Part {number} of {of} of a run of {run.games_count:,} games is in {out}.\n\n"
            f"When all parts are there:\n  tenbin merge WHOLE {shlex.quote(str(out))} …"
        )
        return OK
    with waiting("adding up"):
        text = summary(run)
    emit(text)
    if out is None and asked["rotate"] and (keys := _facing(run)):
        emit(f"\nWho beats whom: --out FOLDER, then tenbin table FOLDER --by {keys[0]},against")
    if out is not None:
        first = next(cell for block in run.plan.blocks if block.deals for cell in block.cells)
        game = game_id(first.number, 0)
        place = shlex.quote(str(out))
        keys = _facing(run) if run.keep != "sums" else []
        facing = "".join(f"  tenbin table {place} --by {key},against\n" for key in keys)
        emit(
            f"\nNext:\n  tenbin report {place}\n  tenbin table {place} --by players,policy,seat\n"
            f"{facing}"
            f"  tenbin trace {place} --game {game}"
        )
    return OK if run.stopped is None or run.stopped["met"] else UNDECIDED


@click.command(
    epilog="""\b
Examples:
  tenbin merge runs/whole parts/1 parts/2 parts/3
  tenbin merge runs/whole parts/*
"""
)
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("parts", nargs=-1, required=True, type=click.Path(path_type=Path))
def merge(out: Path, parts: tuple[Path, ...]) -> None:
    """Join the PARTS of a run, played with simulate --part, in the folder OUT.

    OUT is then the run, byte for byte, as if one machine had played all of it. Order does not
    matter, and unfinished parts give what they have; what is missing is told, and the same command
    with more parts goes on.
    """
    import sim
    from analysis.console import emit, progress, summary, tell, waiting

    for part in parts:
        check_run(part)
    with progress("merge") as bar:
        run = sim.merge(out, parts, progress=bar)
    for notice in run.notices:
        tell(f"tenbin: {notice}")
    with waiting("adding up"):
        text = summary(run)
    emit(f"{text}\n\nNext:\n  tenbin report {shlex.quote(str(out))}")


@click.command(
    epilog="""\b
Examples:
  tenbin publish runs/three s3://bucket/runs/three
  tenbin publish runs/three file:///mnt/share/three
"""
)
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("url")
def publish(run: Path, url: str) -> None:
    """Copy the finished run in the folder RUN to URL, for others to read.

    Commands that read runs then take the URL. What is there is never overwritten, unless an
    interrupted publishing of the same run has left it; the same command goes on.
    """
    import sim
    from analysis.console import emit, waiting

    check_run(run)
    with waiting(f"publishing {run}"):
        sim.publish(run, url)
    emit(f"Next:\n  tenbin table {shlex.quote(url)}")


@click.command(
    epilog="""\b
Examples:
  tenbin trace runs/three --game 0
  tenbin trace granmagia --lineup big_stones,random --seed 7 --game 3 --format jsonl
"""
)
@click.argument("what", metavar="TITLE|RUN")
@click.option(
    "--game", type=click.IntRange(min=0), required=True, help="Number of the game: column 'game'."
)
@click.option(
    "--games", type=Games(), help="Number of games of the run; any game is told without it."
)
@lineups
@rules
@click.option("--format", "form", type=click.Choice(["text", "jsonl"]), default="text")
@lang
@click.pass_context
def trace(ctx: click.Context, /, what: str, game: int, form: str, lang: str, **asked: Any) -> None:
    """Tell one game move by move.

    A game of RUN, or of what simulate plays of TITLE for the same arguments.
    """
    import json

    import sim
    from analysis.console import emit
    from sim.run.api import find_title

    if is_run(what):
        refuse_asked(ctx, ("what", "game", "form", "lang"))
        check_run(what)
        told = sim.trace(sim.open_run(what), game=game)
    else:
        told = sim.trace(what, game=game, **given(asked))
    if form == "jsonl":
        lines = [json.dumps(event, ensure_ascii=False) for event in told.events]
    else:
        title = find_title(told.title)
        lines = [_heading(told, lang), *title.tell(told.events, lang)]
    emit("\n".join(line for line in lines if line))


@click.command(
    epilog="""\b
Examples:
  tenbin bench
  tenbin bench granmagia --players 2,3
"""
)
@click.argument("title", required=False)
@click.option("--players", type=Counts(), help="Player counts; all of the title by default.")
@click.option(
    "--games",
    type=Games(),
    help="Games in each repeat; by default as many as take a few seconds.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Measurements, of which the median counts.",
)
@click.option("--history", type=click.Path(path_type=Path), help="CSV file to append to.")
def bench(title: str | None, **asked: Any) -> None:
    """Measure how fast titles are played on one core.

    All titles, when none is named. "relative cost" is the time of 1000 games over that of a fixed
    loop of random draws, and can be compared between machines; "spread" is the longest repeat over
    the shortest. With the defaults each player count takes 15 to 20 seconds.
    """
    import sim
    from analysis import formats
    from analysis.console import emit, progress
    from sim.run.api import find_title
    from sim.titles import TITLES

    counts = asked.pop("players", None)
    names = [title] if title else TITLES
    work = [(name, n) for name in names for n in counts or find_title(name).info.players]
    header = ["title", "players", "games/s", "turns/s", "ns/turn", "turns/game"]
    header += ["relative cost", "spread"]
    rows = []
    with progress("bench", "player counts", alive=False) as bar:
        for done, (name, players) in enumerate(work):
            if bar:
                bar(done, len(work))
            (got,) = sim.bench(name, players=players, **given(asked))
            speeds = (got.games_per_s, got.turns_per_s, got.ns_per_turn)
            row = [got.title, str(got.players), *(formats.number(v, digits=0) for v in speeds)]
            row += [f"{got.mean_turns:.1f}", f"{got.calibrations_per_1000_games:.3g}"]
            rows.append([*row, f"{got.spread:.2f}"])
    emit(formats.table(header, rows, right=set(range(1, len(header)))))


def _facing(run: Run) -> list[str]:
    """Return the keys by which it can be told who beats whom in a run of full rotations."""
    from analysis.spec import title_spec

    there = {block.players for block in run.plan.blocks if block.deals}
    designs = {block.design for block in run.plan.blocks if block.deals}
    if 2 not in there or "rotation" not in designs:
        return []
    return [one.by for one in title_spec(run.info).matchups] or ["policy"]


def _heading(told: TracedGame, lang: str) -> str:
    """Return the line above a told game: what is needed to play it again."""
    seed, lineup = told.events[0].get("seed"), ", ".join(told.lineup)
    if lang == "ja":
        return f"{told.title} ・ シード {seed} ・ 試合 {told.game} ・ {lineup}\n"
    return f"{told.title}, seed {seed}, game {told.game}: {lineup}\n"
