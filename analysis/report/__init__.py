"""Pages assembled from the roles of a title's columns.

``write_report`` is the way in; ``content.collect`` gives the numbers alone.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sim.errors import CannotFinishError

if TYPE_CHECKING:
    from analysis.report.studies import Studies
    from analysis.spec import ReportSpec
    from sim.run.result import Run

__all__ = ["write_report"]


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
        Folder for ``index.html``, ``report.md``, ``summary.md`` (what fits into a comment on a
        change), ``report.json`` and ``figures/*.svg``. Figures of an earlier report in it that
        this one does not have are removed.
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
    from analysis.report.figures import NAMES, figures
    from analysis.report.markdown import markdown, summary
    from analysis.report.pages import html

    folder = Path(out)
    content = collect(found, spec=spec)
    page = folder / "index.html"
    texts = {
        page: html(content, language),
        folder / "report.md": markdown(content, language),
        folder / "summary.md": summary(content, language),
        folder / "report.json": json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
        + "\n",
    }
    aside = folder / "figures"
    texts |= {aside / name: text for name, text in figures(content, language).items()}
    try:
        aside.mkdir(parents=True, exist_ok=True)
        _write(texts)
        for path in aside.glob("*.svg"):
            if path not in texts and NAMES.fullmatch(path.name):
                path.unlink()
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
