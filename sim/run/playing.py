"""Plays a run: what a manifest describes, into a store, with a log of who did it."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sim.errors import InterruptedRunError
from sim.run import provenance
from sim.run.cluster import connected, split
from sim.run.layout import Piece
from sim.run.manifest import Manifest
from sim.run.plan import Plan
from sim.run.result import Run
from sim.run.runner import Progress, Runner
from sim.run.setup import Setup
from sim.run.stages import StopRule, looks
from sim.run.stopping import terminable
from sim.run.store import StoreWriter

__all__ = ["logged", "play"]

#: The deals that a store has, by shard.
Stored = Mapping[str, Sequence[Piece]]


def play(
    setup: Setup,
    manifest: Manifest,
    *,
    jobs: int | None = None,
    backend: str = "threads",
    out: str | Path | None = None,
    progress: Progress | None = None,
    notices: Sequence[str] = (),
    until: StopRule | None = None,
) -> Run:
    """Play what a manifest describes, as far as its folder does not have it yet.

    Parameters
    ----------
    setup : Setup
        What the manifest was made from.
    manifest : Manifest
    jobs, backend, out, progress
        As for :func:`simulate`.
    notices : sequence of str
        What there is to tell of the rules already.
    until : StopRule, optional
        Ends the run at the first look that meets it, at the latest with the games of the manifest.

    Returns
    -------
    Run

    Raises
    ------
    InputError, CannotFinishError, InterruptedRunError
        As for :func:`simulate`.
    """
    most = manifest.plan
    backend, address = split(backend)
    runner = partial(Runner, setup, keep=manifest.identity["keep"], jobs=jobs, backend=backend)
    runner(most)  # arguments that cannot be are told before there is a folder
    first = None if until is None else next(looks(most))
    temporary = out is None
    path = Path(tempfile.mkdtemp(prefix="tenbin-")) if out is None else Path(out)
    try:
        with (
            terminable(),
            connected(backend, address, jobs) as workers,
            StoreWriter(path, manifest, durable=not temporary, first=first) as writer,
        ):
            there = writer.verify(writer.manifest.own_shards)
            with logged(writer, workers, backend) as session:
                if progress is not None and until is not None:
                    progress = _of(most.games, progress)

                def finish(there: Stored) -> None:
                    """Play what the store does not have of its manifest's games."""
                    asked = writer.manifest
                    played = runner(asked.plan).run(writer, asked.own_shards, there, progress)
                    session["games"] += played

                finish(there)
                if until is not None:
                    _look_on(until, writer, most, setup, finish)
            stored, told = writer.manifest, [*notices, *writer.notices]
    except BaseException as error:
        if temporary:
            shutil.rmtree(path, ignore_errors=True)
        if not isinstance(error, KeyboardInterrupt):
            raise
        stays = "" if temporary else f"; what is finished stays in {path}"
        again = "start" if temporary else "go on"
        raise InterruptedRunError(
            f"interrupted{stays}; give the same command again to {again}"
        ) from None
    return Run(path, stored, setup=setup, notices=told, temporary=temporary)


def _look_on(
    rule: StopRule,
    writer: StoreWriter,
    most: Plan,
    setup: Setup,
    finish: Callable[[Stored], None],
) -> None:
    """Play from look to look until the rule is met or the most games are played."""
    while writer.manifest.stopped is None:
        games = writer.manifest.games
        look = rule(Run(writer.path, writer.manifest, setup=setup))
        if look.met or games == most.games:
            writer.change(games=games, stopped=look._asdict())
        else:
            writer.change(games=next(n for n in looks(most) if n > games))
            finish(writer.verify(writer.manifest.shards))


def _of(total: int, progress: Progress) -> Progress:
    """Return a progress that counts towards another total."""
    return lambda done, _: progress(done, total)


@contextlib.contextmanager
def logged(writer: StoreWriter, jobs: int | None, backend: str) -> Iterator[dict[str, Any]]:
    """Write to the log what this process does."""
    writer.log(
        {
            "event": "start",
            "time": provenance.now(),
            "command": provenance.command(),
            "jobs": jobs or provenance.usable_cpus(),
            "backend": backend,
            "games": writer.manifest.games,
            "notices": writer.notices,
            "software": provenance.software(),
            "environment": provenance.environment(),
        }
    )
    session: dict[str, Any] = {"games": 0}
    start = time.perf_counter()

    def end(status: str) -> None:
        seconds = round(time.perf_counter() - start, 3)
        writer.log(
            {
                "event": "end",
                "time": provenance.now(),
                "status": status,
                "seconds": seconds,
                **session,
            }
        )

    try:
        yield session
    except BaseException as error:
        # The error that is on its way matters more than a log that cannot be written.
        with contextlib.suppress(Exception):
            end("interrupted" if isinstance(error, KeyboardInterrupt) else "failed")
        raise
    end("finished")
