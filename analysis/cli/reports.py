"""Commands that write pages: report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analysis.cli.options import (
    RULES,
    Counts,
    Games,
    given,
    is_run,
    lang,
    refuse_asked,
    rules,
    work,
)

__all__ = ["report"]


@click.command(
    epilog="""\b
Examples:
  tenbin report granmagia
  tenbin report granmagia --games 20k --set witches.celestina.cost=7
  tenbin report runs/three --lang ja
"""
)
@click.argument("what", metavar="TITLE|RUN")
@click.option("--games", type=Games(), help="Number of games; 1M by default.")
@click.option("--players", type=Counts(), help="Player counts; all of the title by default.")
@rules
@work
@click.option("--out", type=click.Path(path_type=Path), help="Folder; reports/out/… by default.")
@lang
@click.pass_context
def report(
    ctx: click.Context, /, what: str, games: int | None, out: Path | None, lang: str, **asked: Any
) -> None:
    """Write a report of TITLE or of RUN.

    A title is played now. Page, Markdown, JSON and figures go to OUT and replace those of the last
    report there. The runs behind them are kept in OUT/runs, one folder for each set of rules and
    seed: the same command goes on where it stopped, more games extend a run, and fewer games than
    a run has are played into a folder of their own.
    """
    import sim
    from analysis.console import emit, progress, tell, waiting
    from analysis.report import write_report
    from analysis.report.shelf import KEEP, run_folder

    if is_run(what):
        refuse_asked(ctx, ("out", "lang", "what"))
        run = sim.open_run(what)
        folder = out or Path("reports/out") / Path(what).resolve().name
    else:
        folder = out or Path("reports/out") / what
        games = games or 10**6
        said = given(asked)
        decided = {key: said[key] for key in ("players", *RULES) if key in said}
        kept = run_folder(folder, what, games, **decided)
        with progress(what) as bar:
            run = sim.simulate(what, games=games, keep=KEEP, out=kept, progress=bar, **said)
        for notice in run.notices:
            tell(f"tenbin: {notice}")
    with waiting("writing the report"):
        page = write_report(run, folder, language=lang)
    emit(_answers(folder / "report.json", lang) + f"\nrun: {run.path}\n{page}")


def _answers(path: Path, lang: str) -> str:
    """Return the verdicts of a report as lines of text."""
    import json

    from analysis.report.pages import answers
    from analysis.report.words import Words

    content = json.loads(path.read_text(encoding="utf-8"))
    w = Words(lang)
    lines = []
    for a in answers(content, w):
        verdict = f"{a['word']}{w('stop')}" if a["word"] else ""
        told = " ".join(part for part in (verdict, a["sentence"], a["detail"]) if part)
        lines.append(f"{a['topic']}{w('colon')}{told}")
    return "\n".join(lines)
