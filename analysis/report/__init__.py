"""Pages assembled from the roles of a title's columns.

``write_report`` is the way in; ``content.collect`` gives the numbers alone.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import CannotFinishError

if TYPE_CHECKING:
    from analysis.report.studies import Studies
    from analysis.spec import ReportSpec
    from sim.run.result import Run

__all__ = ["write_report"]

#: Sections of rates that are also drawn as figures for slides and papers.
_DRAWN = ("seats", "policies", "clear")


def write_report(
    found: Run | Studies,
    out: str | Path,
    *,
    language: str = "en",
    spec: ReportSpec | None = None,
) -> Path:
    """Write a report and return the path of the page.

    Parameters
    ----------
    found : Run or Studies
        A run, or everything that was played for a report
        (:func:`analysis.report.studies.play`).
    out : str or Path
        Folder for ``index.html``, ``report.md``, ``report.json`` and ``figures/*.svg``.
    language : {"en", "ja"}
        Language of page, Markdown and figures; ``report.json`` carries the names in both.
    spec : ReportSpec, optional
        Level, margins and what is shown: :func:`analysis.spec.read_spec`. By default the spec of
        the title's own report.

    Returns
    -------
    Path
        Of ``index.html``.

    Raises
    ------
    CannotFinishError
        When the folder cannot be written.

    Examples
    --------
    >>> import sim, tempfile
    >>> run = sim.simulate("granmagia", games=120, players=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(run, folder).name
    'index.html'
    """
    from analysis.report.content import collect
    from analysis.report.markdown import markdown
    from analysis.report.pages import html

    folder = Path(out)
    content = collect(found, spec=spec)
    page = folder / "index.html"
    texts = {
        page: html(content, language),
        folder / "report.md": markdown(content, language),
        folder / "report.json": json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
        + "\n",
    }
    texts |= {folder / "figures" / n: text for n, text in _figures(content, language).items()}
    try:
        (folder / "figures").mkdir(parents=True, exist_ok=True)
        _write(texts)
    except OSError as error:
        raise CannotFinishError(f"cannot write the report to {folder}: {error}") from error
    return page


def _write(texts: Mapping[Path, str]) -> None:
    """Write files aside and move all of them into place, so that none is ever cut short."""
    aside = {path: path.with_name(f".{path.name}.{os.getpid()}") for path in texts}
    try:
        for path, text in texts.items():
            aside[path].write_text(text, encoding="utf-8", newline="\n")
        for path, written in aside.items():
            written.replace(path)
    finally:
        for written in aside.values():
            with contextlib.suppress(OSError):
                written.unlink(missing_ok=True)


def _figures(content: Mapping[str, Any], language: str) -> dict[str, str]:
    from analysis import plots
    from analysis.report.pages import name_of
    from analysis.report.words import Words

    w = Words(language)
    found = {}
    for section in content["rates"]:
        if section["id"] not in _DRAWN:
            continue
        for table in section["tables"]:
            rows = table["rows"]
            figure = plots.figure(6.4, 1.1 + 0.34 * len(rows))
            columns = {key: [row[key] for row in rows] for key in ("rate", "lo", "hi", "verdict")}
            plots.forest(
                columns,
                [name_of(row, w) for row in rows],
                parity=rows[0]["parity"],
                margin=section["margin"],
                ax=figure.add_subplot(),
                title=f"{w(section['id'])} — {w.players(table['players'])}",
                xlabel=w("clear_rate" if section["id"] == "clear" else "rate"),
            )
            found[f"{section['id']}-{table['players']}.svg"] = plots.svg(figure)
    return found
