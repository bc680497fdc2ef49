"""A cluster of Dask on this machine, made of processes that can be killed, and what it played."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import sim

ROOT = Path(__file__).parents[2]

#: A run of several shards, whose rows have every kind of column that there is.
ASKED = {
    "title": "granmagia",
    "players": 2,
    "lineup": "engine,big_stones",
    "rotate": True,
    "collect": ("core", "cards", "series"),
}
GAMES = 300_000


def play(out, **how):
    return sim.simulate(**{**ASKED, "games": GAMES, "out": out, **how})


class Dask:
    """Scheduler and workers, each a process of its own.

    Parameters
    ----------
    folder : Path
        Where they write.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.scheduler = self._start("scheduler", "--scheduler-file", self.file, "--port", "0")
        wait_until(lambda: self.file.exists(), "the scheduler starts")

    @property
    def backend(self) -> str:
        return f"dask={self.file}"

    def add(self, name: str, path: Path = ROOT) -> None:
        """Start a worker that finds tenbin in a folder."""
        place = self.folder / name
        given = ("--scheduler-file", self.file, "--name", name, "--nthreads", "1", "--no-nanny")
        given = (*given, "--local-directory", place)
        self.workers[name] = self._start("worker", *given, path=path)

    def kill(self, name: str) -> None:
        self.workers[name].send_signal(signal.SIGKILL)
        self.workers[name].wait()

    def close(self) -> None:
        for process in (*self.workers.values(), self.scheduler):
            process.kill()
            process.wait()

    def _start(self, kind: str, *given: object, path: Path = ROOT) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", kind, "--host", "127.0.0.1", "--no-dashboard"]
        with (self.folder / f"{kind}-{len(self.workers)}.log").open("wb") as log:
            return subprocess.Popen(
                [*command, *map(str, given)],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(path)},
                stdout=log,
                stderr=subprocess.STDOUT,
            )


@contextlib.contextmanager
def dask_cluster(folder: Path) -> Iterator[Dask]:
    folder.mkdir(exist_ok=True)
    cluster = Dask(folder)
    try:
        yield cluster
    finally:
        cluster.close()


def wait_until(true: Callable[[], bool], what: str, seconds: float = 60) -> None:
    """Wait for something that must come about."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.05)
