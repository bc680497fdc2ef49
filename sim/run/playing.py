"""Plays a run: what a manifest describes, into a store, with a log of who did it."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sim.errors import InterruptedRunError
from sim.run import provenance
from sim.run.manifest import Manifest
from sim.run.result import Run
from sim.run.runner import Progress, Runner
from sim.run.setup import Setup
from sim.run.stopping import terminable
from sim.run.store import StoreWriter

__all__ = ["play"]


def play(
    setup: Setup,
    manifest: Manifest,
    *,
    jobs: int | None = None,
    backend: str = "threads",
    out: str | Path | None = None,
    progress: Progress | None = None,
    notices: Sequence[str] = (),
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

    Returns
    -------
    Run

    Raises
    ------
    InputError, CannotFinishError, InterruptedRunError
        As for :func:`simulate`.
    """
    plan, expected = manifest.plan, manifest.shards
    runner = Runner(setup, plan, keep=manifest.identity["keep"], jobs=jobs, backend=backend)
    temporary = out is None
    path = Path(tempfile.mkdtemp(prefix="tenbin-")) if out is None else Path(out)
    try:
        with terminable(), StoreWriter(path, manifest, durable=not temporary) as writer:
            there = writer.verify(expected)
            with _logged(writer, jobs, backend) as session:
                session["games"] = runner.run(writer, expected, there, progress)
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


@contextlib.contextmanager
def _logged(writer: StoreWriter, jobs: int | None, backend: str) -> Iterator[dict[str, Any]]:
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
