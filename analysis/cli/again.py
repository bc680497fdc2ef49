"""Commands that play again what was played: rerun."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.cli.options import Place, check_place, there, work
from sim.errors import CannotFinishError, InputError

if TYPE_CHECKING:
    from sim.run.result import Run

__all__ = ["rerun"]

#: Differences that are shown; what differs at all mostly differs everywhere.
SHOWN = 20


@click.command(
    epilog="""\b
Examples:
  tenbin rerun runs/three
  tenbin rerun reports/out/granmagia/index.html
  tenbin rerun reports/out/granmagia --out runs/again
"""
)
@click.argument("what", metavar="RUN|PAGE", type=Place())
@click.option("--out", type=click.Path(path_type=Path), help="Folder to keep the new run in.")
@work
def rerun(what: Path | str, out: Path | None, jobs: int | None, backend: str) -> int:
    """Play again what stands behind RUN or PAGE, and say whether it is the same.

    RUN is the folder of a run. PAGE is a report: its folder, index.html or report.json. Nothing
    else is needed; texts of overlays and policies are in them. Of a page the main run is played,
    not the studies beside it. The exit code is 0 when the result is the same, 1 when it differs,
    and 2 when rules, policies or engine have changed, so that it cannot be played again.
    """
    import sim
    from analysis.console import emit, progress, waiting
    from analysis.recipe import manifest_of, play, read_page, recipe_of

    before, content = None, None
    if isinstance(what, Path):
        check_place(what, "the folder of a run or of a report, or its index.html or report.json")
    if isinstance(what, str) or there(what / "manifest.json"):
        with waiting(f"reading {what}"):
            before = sim.open_run(what)
            recipe = recipe_of(before)
    else:
        recipe, content = read_page(what)
    manifest = manifest_of(recipe)
    _refuse_finished(out)
    with progress(manifest.identity["title"]) as bar:
        run = play(recipe, out, jobs=jobs, backend=backend, progress=bar)
    with waiting("comparing"):
        told, differing = _compared(recipe, run, before, content)
    emit("\n".join([*told, *differing[:SHOWN], *(["…"] if differing[SHOWN:] else [])]))
    if differing:
        emit("The result differs.")
        return 1
    beside = content is not None and any(
        content.get(study) for study in ("skill", "knobs", "levers")
    )
    rest = "The levels of skill and changed values beside it were not played."
    emit(f"The main run is the same. {rest}" if beside else "The result is the same.")
    return 0


def _compared(
    recipe: dict[str, Any], run: Run, before: Run | None, content: dict[str, Any] | None
) -> tuple[list[str], list[str]]:
    """Return what was compared, and what differs, as lines of text."""
    from analysis import formats
    from analysis.repeating import changed_data, other_figures, other_rows, other_sums

    identity = recipe["identity_hash"][:12]
    told = [
        f"{run.title}: {formats.count(run.games_count)} games, seed {run.seed}, "
        f"rules {run.rules.hash[:12]}, run {identity}"
    ]
    if changed_data(recipe, run):
        told.append("labels, texts or sources of the data have changed since, which decide nothing")
    differing = [f"sums differ: {kind}" for kind in other_sums(recipe, run)]
    told.append(f"compared: sums ({', '.join(recipe['sums'])})")
    if before is not None and run.keep != "sums":
        differing += [f"rows differ: {part}" for part in other_rows(before, run)]
        told[-1] += ", rows (games, seats)"
    if content is not None:
        try:
            count, figures = other_figures(content, run)
        except (AttributeError, KeyError, TypeError):
            raise InputError("report.json is damaged: its rates cannot be read") from None
        differing += figures
        told[-1] += f", {formats.count(count)} figures of rates"
    return told, differing


def _refuse_finished(folder: Path | None) -> None:
    """Raise when there is nothing left to play in a folder, and so nothing to compare."""
    import sim

    if folder is None or not there(folder / "manifest.json"):
        return
    try:
        sim.open_run(folder)
    except CannotFinishError:
        return  # what an earlier command left unfinished
    raise InputError(
        f"{folder} holds a finished run; choose a new folder, so that games are played"
    )
