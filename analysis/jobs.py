"""Several runs that answer one question: loaded and checked before the first game, then played.

Reports, comparisons and everything else that changes the rules and plays again uses this. Each run
is a store of its own, so that the same command goes on where it stopped and any game behind any
figure can be told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import InputError, StoreMismatchError

if TYPE_CHECKING:
    from sim.core.title import Title
    from sim.run.manifest import Manifest
    from sim.run.plan import Plan
    from sim.run.result import Run
    from sim.run.runner import Progress
    from sim.run.setup import Setup

__all__ = ["Job", "Player"]


@dataclass(frozen=True)
class Job:
    """One run that is to be played.

    Attributes
    ----------
    place : str
        Its folder below that of all, with ``{}`` where the run's digest stands: every set of rules,
        policies, seed and line-ups has a folder of its own.
    plan : Plan
    overrides, rules : tuple of str
        Beyond those of the player.
    keep : {"rows", "sums", "both"}
    collect : tuple of str
    seed : int, optional
        Instead of the player's.
    bans : tuple of (int, tuple of str)
        Options that a seat may not choose.
    """

    place: str
    plan: Plan
    overrides: tuple[str, ...] = ()
    keep: str = "rows"
    collect: tuple[str, ...] = ("core",)
    rules: tuple[str, ...] = ()
    seed: int | None = None
    bans: tuple[tuple[int, tuple[str, ...]], ...] = ()


@dataclass
class Player:
    """Plays jobs one after the other; equal jobs are one.

    Attributes
    ----------
    title : Title
    out : Path or None
        Folder of all runs; without it they are temporary ones.
    seed : int
    rules, overrides : sequence of str
        Overlays and overrides that hold for all jobs.
    jobs, backend
        As for :func:`sim.simulate`.
    """

    title: Title
    out: Path | None
    seed: int = 1
    rules: Sequence[str] = ()
    overrides: Sequence[str] = ()
    jobs: int | None = None
    backend: str = "threads"
    _jobs: list[Job] = field(default_factory=list)

    def add(self, job: Job) -> int:
        """Take a job; return its number."""
        if job not in self._jobs:
            self._jobs.append(job)
        return self._jobs.index(job)

    def play(self, progress: Progress | None) -> list[Run]:
        """Return the runs by number of their jobs.

        All of them are loaded before the first game, so that a fault of any costs no time.

        Raises
        ------
        InputError
            For rules, policies or values that cannot be.
        """
        from sim.run.api import remarks_on
        from sim.run.playing import play

        ready = [self._ready(job) for job in self._jobs]
        notices = remarks_on(ready[0][0], list(self.rules), list(self.overrides))
        total = sum(job.plan.games for job in self._jobs)
        before, runs = 0, []
        for setup, manifest, folder in ready:

            def tell(done: int, _: int, before: int = before) -> None:
                if progress is not None:
                    progress(before + done, total)

            run = play(
                setup,
                manifest,
                out=folder,
                progress=tell,
                notices=notices,
                jobs=self.jobs,
                backend=self.backend,
            )
            runs.append(run)
            before += manifest.games
        return runs

    def _ready(self, job: Job) -> tuple[Setup, Manifest, Path | None]:
        """Return what a run is played with, what it is, and its folder."""
        from sim.run.layout import Cut
        from sim.run.setup import Setup

        bans: Mapping[int, Any] | None = dict(job.bans) or None
        try:
            setup = Setup.load(
                self.title,
                job.plan.policies,
                seed=self.seed if job.seed is None else job.seed,
                rules=[*self.rules, *job.rules],
                overrides=[*self.overrides, *job.overrides],
                bans=bans,
                collect=job.collect,
            )
        except InputError as error:
            if not job.overrides:
                raise
            turned = ", ".join(job.overrides)
            raise InputError(f"{turned} is a change that cannot be: {error}") from None
        manifest = setup.manifest(job.plan, Cut.of(self.title.info, job.plan), job.keep)
        if self.out is None:
            return setup, manifest, None
        folder = self.out / job.place.format(manifest.hash[:8])
        return setup, manifest, _room_for(folder, manifest.games)


def _room_for(folder: Path, games: int) -> Path:
    """Return the folder for a run of so many games.

    More games extend the run that is there. Fewer games get a folder of their own beside it, so
    that nothing is lost and the same command gives the same numbers whatever was played before.
    """
    from sim.run.manifest import read_manifest

    try:
        stored = read_manifest(folder)
    except StoreMismatchError:
        return folder  # nothing there, or something that the run itself will say
    return folder if stored.games <= games else folder.with_name(f"{folder.name}-{games}")
