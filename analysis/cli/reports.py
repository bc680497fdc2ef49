"""Commands that write pages: report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.cli.options import (
    Counts,
    Games,
    check_run,
    is_run,
    lang,
    refuse_asked,
    rules,
    work,
)

if TYPE_CHECKING:
    from analysis.spec import ReportSpec
    from sim.core.title import Title
    from sim.run.result import Run

__all__ = ["report"]


@click.command(
    epilog="""\b
Examples:
  tenbin report granmagia
  tenbin report granmagia --games 20k --set witches.celestina.cost=7
  tenbin report magnolia --players 3,4 --no-studies
  tenbin report study.toml
  tenbin report runs/three --lang ja
\b
A SPEC (study.toml):
  title = "TITLE"
  games = 200_000
  players = [3]
  rules = ["my/rules.toml"]                # overlays; paths from the SPEC on
  set = ["KEY=VALUE"]
  margins = { seats = 1.5, policies = 5 }  # percentage points around parity
  skill = { slips = [5, 20, 100], share = 0.1 }
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

    A title is played now, with smaller runs beside it: levels of skill, and changed values, those
    that its data/report.toml names. Page, Markdown, JSON and figures go to OUT and replace those of
    the last report there. The runs behind them are kept in OUT/runs and OUT/studies, one folder for
    each set of rules and seed: the same command goes on where it stopped, more games extend a run,
    and fewer games than a run has are played into a folder of their own.

    SPEC is a TOML file with a title and whatever differs from that title's own report.
    """
    import sim
    from analysis.console import emit, progress, tell, waiting
    from analysis.report import write_report
    from analysis.spec import read_spec, title_spec
    from sim.run.api import find_title

    spec = None
    found: Any
    if Path(what).suffix == ".toml" or not is_run(what):
        from analysis.report.studies import play

        own = Path(what).suffix == ".toml"
        spec = read_spec(what) if own else title_spec(find_title(what).info)
        spec = spec.model_copy(update=_decided(ctx, asked, studies, spec))
        title = find_title(spec.title)
        folder = out or Path("reports/out") / (Path(what).stem if own else _place(title, spec))
        how = {"jobs": asked["jobs"], "backend": asked["backend"]}
        with progress(what) as bar:
            found = play(title, spec, folder, progress=bar, **how)
        run = found.main
    else:
        refuse_asked(ctx, ("out", "lang", "what"))
        check_run(what)
        run = found = sim.open_run(what)
        folder = out or Path("reports/out") / Path(what).resolve().name
    for notice in (*run.notices, *_replaced(folder, run)):
        tell(f"tenbin: {notice}")
    with waiting("writing the report"):
        page = write_report(found, folder, language=lang, spec=spec)
    emit(_answers(folder / "report.json", lang) + f"\nrun: {run.place}\n{page}")


def _place(title: Title, spec: ReportSpec) -> str:
    """Return the name of the default folder: changed rules do not replace the page of the own."""
    if not (spec.rules or spec.set):
        return title.info.id
    ruleset = title.load(overlays=spec.rules, overrides=spec.set)
    return f"{title.info.id}-{ruleset.hash[:6]}"


def _replaced(folder: Path, run: Run) -> list[str]:
    """Return what is to be said of a page that another one is about to replace."""
    from analysis.recipe import MOST_BYTES
    from sim.run.manifest import read_json

    try:
        content = read_json(folder / "report.json", MOST_BYTES)
        games, ruleset = int(content["run"]["games"]), str(content["provenance"]["ruleset"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    if (games, ruleset) == (run.games_count, run.rules.hash):
        return []
    rules = "" if ruleset == run.rules.hash else f" by rules {ruleset[:12]}"
    return [f"{folder} held the page of {games:,} games{rules}, which this one replaces"]


def _decided(
    ctx: click.Context, asked: Mapping[str, Any], studies: bool, spec: ReportSpec
) -> dict[str, Any]:
    """Return what the command line says over the spec; overlays and overrides come on top."""
    names = {"games": "games", "players": "players", "seed": "seed"}
    names |= {"rules": "rules", "overrides": "set"}
    found = {
        field: asked[name]
        for name, field in names.items()
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    for field in ("rules", "set"):
        if field in found:
            found[field] = (*getattr(spec, field), *found[field])
    return found if studies else found | {"knobs": (), "levers": (), "skill": None}


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
