"""What the command line shows: progress on stderr, summaries on stdout."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from analysis import formats
from sim.errors import CannotFinishError

if TYPE_CHECKING:
    import polars as pl

    from sim.run.result import Run

__all__ = [
    "PipeClosedError",
    "basis",
    "brought_markdown",
    "emit",
    "forget",
    "progress",
    "rates_markdown",
    "summary",
    "tell",
    "waiting",
]

#: What is said of seats that must be alike (:mod:`analysis.selfcheck`).
_CHECKS = {
    "passed": "Self-check passed: all seats are within {z} standard errors of parity.",
    "failed": "Self-check FAILED: a seat lies beyond {z} standard errors from parity. These seats "
    "are alike by the rules, so this is a fault of the engine, not of the game.",
    "too few games": "Self-check: too few games.",
}

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
    CannotFinishError
        When stdout is closed, or what is behind it is full.
    """
    if sys.stdout is None:
        raise CannotFinishError("stdout is closed: the results have nowhere to go")
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        forget(sys.stdout)
        raise PipeClosedError from None
    except OSError as error:
        forget(sys.stdout)
        raise CannotFinishError(f"cannot write the results to stdout: {error}") from error


def tell(text: str) -> None:
    """Write a remark to stderr, where it is in nobody's way; if there is no stderr, to nobody."""
    if sys.stderr is None:
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        forget(sys.stderr)


def forget(stream: TextIO) -> None:
    """Let a stream that cannot be written lead nowhere, so that nothing fails to flush at exit."""
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a device, not a path of ours
        os.dup2(nowhere.fileno(), stream.fileno())


def _watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


class _Bar:
    """A progress bar that appears once the work has lasted a while."""

    def __init__(self, what: str, unit: str, *, alive: bool) -> None:
        self._what = what
        self._unit = unit
        self._alive = alive
        self._start = time.perf_counter()
        self._first: int | None = None
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self._first is None:
            self._first = done  # what an earlier command has played already
        spent = time.perf_counter() - self._start
        if self._bar is None:
            # What must not be disturbed calls rarely: the first call has to show.
            if (self._alive and spent < PATIENCE_S) or done >= total:
                return
            self._open(total)
        rate = (done - self._first) / spent if spent else 0.0
        speed = f"{formats.count(round(rate))} {self._unit}/s" if rate >= 1 else self._unit
        left = formats.duration((total - done) / rate) + " left" if rate else ""
        self._bar.update(self._task, completed=done, total=total, speed=speed, left=left)
        self._bar.refresh()

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
            auto_refresh=self._alive,
        )
        self._bar.start()
        self._task = self._bar.add_task(self._what, total=total, speed="", left="")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def progress(what: str, unit: str = "games", *, alive: bool = True) -> Iterator[Any]:
    """Give a ``progress(done, total)`` for ``sim.simulate``; None when stderr is no terminal.

    Parameters
    ----------
    what : str
        What is being done, as the label of the bar.
    unit : str
        What is counted.
    alive : bool
        Whether a thread of its own keeps the bar moving; not where it would disturb a measurement.
    """
    if not _watched():
        yield None
        return
    bar = _Bar(what, unit, alive=alive)
    try:
        yield bar
    finally:
        bar.close()


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show that something without steps to count is being done, once it has lasted a while.

    Parameters
    ----------
    what : str
        What is being done.
    """
    if not _watched():
        yield
        return
    from threading import Lock, Timer

    shown: list[Any] = []
    lock, over = Lock(), False

    def show() -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with lock:
            if not over:
                shown.append(Progress(*columns, console=Console(stderr=True), transient=True))
                shown[0].start()
                shown[0].add_task(what, total=None)

    timer = Timer(PATIENCE_S, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with lock:
            over = True
            for bar in shown:
                bar.stop()


def basis(designs: Sequence[str], margin: float | None) -> str:
    """Return which games a table rests on, and by which margin its rows are judged.

    Parameters
    ----------
    designs : sequence of str
    margin : float or None
        As a rate.

    Examples
    --------
    >>> basis(["mirror", "rotation"], 0.02)
    'mirror, rotation; margin ±2 pp'
    """
    used = ", ".join(designs)
    return used if margin is None else f"{used}; margin ±{100 * margin:g} pp"


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
    # Who plays alone clears the game or not: there is no parity to be held against.
    solo = table.height > 0 and table["parity"].is_null().all()
    against = [] if solo else ["parity, %", "verdict"]
    header = [*keys, f"{'clear' if solo else 'win'} rate, %", interval, *against, "games"]
    # A policy in two seats has two rows in one game.
    several = not (table["rows"] == table["games"]).all()
    header += ["seat rows"] * several
    rows = []
    for row in table.to_dicts():
        se = row["se"]
        rows.append(
            [
                *("–" if row[key] is None else str(row[key]) for key in keys),
                formats.percent(row["rate"], se),
                formats.interval(row["lo"], row["hi"], se),
                *(
                    []
                    if solo
                    else [formats.percent(row["parity"], digits=1), row["verdict"] or "–"]
                ),
                formats.count(row["games"]),
                *[formats.count(row["rows"])] * several,
            ]
        )
    figures = set(range(len(keys), len(header)))
    return formats.table(header, rows, right=figures - {header.index(n) for n in against[1:]})


def _ended(run: Run, stopped: Mapping[str, Any]) -> str:
    """Return how a run with a stop rule ended."""
    rule = run.identity["until"]["rule"]
    if stopped["met"]:
        return f'"{rule}" is met: {stopped["why"]}.'
    return f'"{rule}" is not met with all games: {stopped["why"]}.'


def brought_markdown(table: pl.DataFrame, label: str, level: float) -> str:
    """Return a table of rates by line-up entry: what is brought along, and a column each policy.

    Parameters
    ----------
    table : polars DataFrame
        From :func:`analysis.win_rates`, with a margin.
    label : str
        What is brought along.
    level : float
        For the head of the table.
    """
    from analysis.report.entries import split

    rows: dict[tuple[int, str], dict[str, str]] = {}
    for row in table.to_dicts():
        policy, brought = split(row["policy"])
        rate = formats.percent(row["rate"], row["se"])
        between = formats.interval(row["lo"], row["hi"], row["se"])
        mark = " *" if row["verdict"] == "unbalanced" else ""
        rows.setdefault((row["players"], brought or "–"), {})[policy] = f"{rate} ({between}){mark}"
    policies = list(dict.fromkeys(policy for cells in rows.values() for policy in cells))
    cells = [
        [str(players), brought, *(found.get(policy, "–") for policy in policies)]
        for (players, brought), found in sorted(rows.items())
    ]
    games = table["games"].to_list()
    told = (
        f"Win rate in %, with its {100 * level:g} % interval, of {formats.count(min(games))} or "
        "more games each; * outside the margin."
    )
    return formats.table(["players", label, *policies], cells) + f"\n\n{told}"


def _crossed(run: Run) -> bool:
    """Return whether several policies play the same, so that a table of both says it shorter."""
    from analysis.report.entries import split

    brought = {split(entry)[1] for entry in run.plan.policies}
    return len(brought) < len(run.plan.policies)


def summary(run: Run) -> str:
    """Return a short account of a run: what was played, and who won how often.

    Parameters
    ----------
    run : Run
    """
    from analysis.frames import win_rates
    from analysis.sections import rate_sections
    from analysis.selfcheck import Z, self_check
    from analysis.spec import margins_of, title_spec

    counts = ", ".join(map(str, run.plan.players))
    parts = [
        f"{run.title}: {formats.count(run.games_count)} games, "
        f"{counts} {'player' if counts == '1' else 'players'}, "
        f"seed {run.seed}, rules {run.rules.hash[:12]}"
    ]
    heads = {
        "seats": "Win rate by seat",
        "policies": "Win rate by policy",
        "clear": "Clear rate by policy",
    }
    margins = margins_of(run.info)
    for section in rate_sections(run.info, run.plan):
        if section.id not in heads:
            continue
        judged = section.margin is not None and not section.confounded
        margin = margins[section.margin] if section.margin is not None and judged else None
        table = win_rates(run, section.by, margin=margin, design=section.designs, family="table")
        what = "Self-check: " if "symmetric" in section.captions else ""
        parts.append(f"{what}{heads[section.id]} ({basis(section.designs, margin)})")
        pilots = title_spec(run.info).pilots
        if section.id == "policies" and pilots is not None and _crossed(run):
            parts.append(brought_markdown(table, pilots.brought, 0.95))
        else:
            parts.append(rates_markdown(table, section.by, 0.95))
        check = self_check(run, section)
        if check is not None:
            parts.append(_CHECKS[check.verdict].format(z=Z))
    together = "Intervals hold together within one table, clustered by deal."
    if run.stopped is not None:
        parts.append(_ended(run, run.stopped))
        if "tightest" in run.identity["until"]:
            together = together.replace("table,", "table and at all looks,")
    parts.append(together)
    return "\n\n".join(parts)
