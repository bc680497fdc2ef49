"""Commands that write pages: report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from analysis.cli.options import (
    Counts,
    Games,
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
  tenbin report mine.toml
  tenbin report runs/three --lang ja
"""
)
@click.argument("what", metavar="TITLE|SPEC|RUN")
@click.option("--games", type=Games(), help="Games of the main run; 1M by default.")
@click.option("--players", type=Counts(), help="Player counts; all of the title by default.")
@rules
@work
@click.option(
    "--studies/--no-studies",
    default=True,
    show_default=True,
    help="Play levels of skill and changed values beside the main run.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder; reports/out/… by default.")
@lang
@click.pass_context
def report(
    ctx: click.Context, /, what: str, out: Path | None, lang: str, studies: bool, **asked: Any
) -> None:
    """Write a report of TITLE, of what SPEC asks for, or of RUN.

    A title is played now. Page, Markdown, JSON and figures go to OUT and replace those of the last
    report there. The runs behind them are kept in OUT/runs, one folder for each set of rules and
    seed: the same command goes on where it stopped, more games extend a run, and fewer games than
    a run has are played into a folder of their own.

    SPEC is a TOML file with a title and whatever differs from that title's own report: games,
    players, seed, rules, set, level, margins, skill, knobs, events.
    """
    import sim
    from analysis.console import emit, progress, tell, waiting
    from analysis.report import write_report
    from analysis.spec import read_spec, title_spec
    from sim.run.api import find_title

    spec = None
    found: Any
    if Path(what).suffix == ".toml" or not is_run(what):
        spec = (
            read_spec(what) if Path(what).suffix == ".toml" else title_spec(find_title(what).info)
        )
        spec = spec.model_copy(update=_decided(ctx, asked, studies))
        folder = out or Path("reports/out") / Path(what).stem
        from analysis.report.studies import play

        with progress(what) as bar:
            found = play(
                find_title(spec.title),
                spec,
                folder,
                jobs=asked["jobs"],
                backend=asked["backend"],
                progress=bar,
            )
        run = found.main
    else:
        refuse_asked(ctx, ("out", "lang", "what"))
        run = found = sim.open_run(what)
        folder = out or Path("reports/out") / Path(what).resolve().name
    for notice in run.notices:
        tell(f"tenbin: {notice}")
    with waiting("writing the report"):
        page = write_report(found, folder, language=lang, spec=spec)
    emit(_answers(folder / "report.json", lang) + f"\nrun: {run.path}\n{page}")


def _decided(ctx: click.Context, asked: Mapping[str, Any], studies: bool) -> dict[str, Any]:
    """Return what the command line says over the spec."""
    names = {"games": "games", "players": "players", "seed": "seed"}
    names |= {"rules": "rules", "overrides": "set"}
    found = {
        field: asked[name]
        for name, field in names.items()
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    return found if studies else found | {"knobs": (), "skill": None}


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
