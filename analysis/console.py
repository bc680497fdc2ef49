"""What the command line shows: progress on stderr, summaries on stdout."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from analysis import formats

if TYPE_CHECKING:
    import polars as pl

    from sim.run.result import Run

__all__ = ["PipeClosedError", "emit", "progress", "rates_markdown", "summary", "tell"]

#: Work that is over sooner than this shows no bar.
PATIENCE_S = 1.0


class PipeClosedError(Exception):
    """Whoever read our output has read enough."""


def emit(text: str) -> None:
    """Write results to stdout, line end included.

    Raises
    ------
    PipeClosedError
        When nobody reads any more (``tenbin table … | head``).
    """
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Nothing may try to flush the rest at exit.
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a device, not a path of ours
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        raise PipeClosedError from None


def tell(text: str) -> None:
    """Write a remark to stderr, where it is in nobody's way."""
    print(text, file=sys.stderr, flush=True)


class _Bar:
    """A progress bar that appears once the work has lasted a while."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._start = time.perf_counter()
        self._first: int | None = None
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self._first is None:
            self._first = done  # what an earlier command has played already
        spent = time.perf_counter() - self._start
        if self._bar is None:
            if spent < PATIENCE_S or done >= total:
                return
            self._open(total)
        rate = (done - self._first) / spent if spent else 0.0
        speed = f"{formats.count(round(rate))} games/s"
        left = formats.duration((total - done) / rate) + " left" if rate else ""
        self._bar.update(self._task, completed=done, total=total, speed=speed, left=left)

    def _open(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            TextColumn("{task.fields[left]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task(self._what, total=total, speed="", left="")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def progress(what: str) -> Iterator[Any]:
    """Give a ``progress(done, total)`` for ``sim.simulate``; None when stderr is no terminal.

    Parameters
    ----------
    what : str
        What is being done, as the label of the bar.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(what)
    try:
        yield bar
    finally:
        bar.close()


def rates_markdown(table: pl.DataFrame, keys: Sequence[str], level: float) -> str:
    """Return a table of rates with digits by their standard error.

    Parameters
    ----------
    table : polars DataFrame
        From :func:`analysis.win_rates`.
    keys : sequence of str
    level : float
        For the head of the interval.
    """
    interval = f"{100 * level:g} % interval"
    header = [*keys, "win rate, %", interval, "parity, %", "verdict", "games"]
    rows = []
    for row in table.to_dicts():
        se = row["se"]
        rows.append(
            [
                *("–" if row[key] is None else str(row[key]) for key in keys),
                formats.percent(row["rate"], se),
                formats.interval(row["lo"], row["hi"], se),
                formats.percent(row["parity"], digits=1),
                row["verdict"] or "–",
                formats.count(row["games"]),
            ]
        )
    first = len(keys)
    return formats.table(header, rows, right={first, first + 1, first + 2, first + 4})


def summary(run: Run) -> str:
    """Return a short account of a run: what was played, and who won how often.

    Parameters
    ----------
    run : Run
    """
    from analysis.frames import win_rates
    from analysis.report.content import MARGINS

    solo = run.setup.title.info.seats == "none"
    counts = ", ".join(map(str, run.plan.players))
    parts = [
        f"{run.title}: {formats.count(run.games_count)} games, "
        f"{counts} {'player' if counts == '1' else 'players'}, "
        f"seed {run.seed}, rules {run.ruleset.hash[:12]}"
    ]
    designs = list(dict.fromkeys(block.design for block in run.plan.blocks if block.deals))
    fair = [name for name in designs if name in {"mirror", "rotation"}] or designs
    free = [name for name in designs if name != "mirror"]
    if not solo:
        keys = ["players", "seat"]
        table = win_rates(run, keys, margin=MARGINS["seats"], design=fair)
        margin = f"margin ±{100 * MARGINS['seats']:g} pp"
        parts.append(f"Win rate by seat ({', '.join(fair)}; {margin})")
        parts.append(rates_markdown(table, keys, 0.95))
    if free and (solo or len(run.plan.policies) > 1):
        keys = ["players", "policy"]
        table = win_rates(run, keys, margin=None if solo else MARGINS["policies"], design=free)
        margin = "" if solo else f"; margin ±{100 * MARGINS['policies']:g} pp"
        parts.append(f"{'Clear' if solo else 'Win'} rate by policy ({', '.join(free)}{margin})")
        parts.append(rates_markdown(table, keys, 0.95))
    parts.append("Intervals hold together within one table and player count, clustered by deal.")
    return "\n\n".join(parts)
