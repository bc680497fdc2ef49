"""Plays the games of a plan: tasks for workers, shards for the store.

A worker gets a :class:`Job`, calls the kernel batch by batch, adds up sums, and gives back rows,
sums, or both. The parent alone puts shards together and commits them in order. Which worker plays
which task, and how many games a task has, can be seen nowhere in what is stored.
"""

from __future__ import annotations

import contextlib
import itertools
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from sim.core._rng import draw_lineups
from sim.core.policy import PolicyTable
from sim.core.records import allocate, record_dtype
from sim.core.title import Buffers, Play, Supply
from sim.errors import CannotFinishError, EngineError, TenbinError, UnknownNameError
from sim.run import cluster, frames
from sim.run.declared import kept_supply
from sim.run.layout import Piece, Section, Shard, Task, tasks
from sim.run.plan import Plan, game_id
from sim.run.setup import Setup
from sim.run.store import StoreWriter
from sim.run.sums import ShardSums, SumSpec

if TYPE_CHECKING:
    import polars as pl

__all__ = ["BACKENDS", "Progress", "Runner", "fold_rows", "play_pieces"]


class Progress(Protocol):
    """Is told the number of games done, and of all games: at the start and after every task."""

    def __call__(self, done: int, total: int, /) -> object:
        """Take note."""


class Backend(NamedTuple):
    """How joblib runs tasks: its name there, batches a task, and packages that it needs."""

    joblib: str
    batches: int
    packages: tuple[str, ...] = ()


#: A batch is about 50 ms of work. Processes and clusters cost more for each task.
BACKENDS: dict[str, Backend] = {
    "threads": Backend("threading", 1),
    "processes": Backend("loky", 2),
    "dask": Backend("dask", 10, ("dask", "distributed")),
    "ray": Backend("ray", 20, ("ray",)),
}

#: Rows that may wait for the parent, in bytes, before no further tasks are handed out.
_WINDOW = 1 << 28


@dataclass(frozen=True)
class Job:
    """What a worker needs for one kind of games: everything but which deals.

    ``lineups`` holds rows of policy indices by block; ``pools`` the policy indices that line-ups
    are drawn from. ``revealed`` are the tables of ``supply.reveal``.
    """

    title: str
    play: Play
    tables: Any
    policies: PolicyTable
    bans: npt.NDArray[np.uint64]
    key: npt.NDArray[np.uint64]
    spec: SumSpec
    collect: tuple[str, ...]
    rows: bool
    core_sums: bool
    batch_deals: int
    lineups: dict[int, npt.NDArray[np.int16]]
    pools: dict[int, npt.NDArray[np.int16]]
    first_deals: dict[int, int]
    games_per_deal: int
    supply: Supply | None = None
    revealed: Any = None


class Failure(NamedTuple):
    """A status that a kernel stopped with; exceptions are not sent between processes."""

    code: int
    block: int
    deal: int
    game: int


class Rows(NamedTuple):
    """Rows of a batch: records of games and seats, policies by seat, bits of the supply."""

    games: npt.NDArray[np.void]
    seats: npt.NDArray[np.void]
    policy: npt.NDArray[np.int16]
    supply: npt.NDArray[np.uint8] | None


class Played(NamedTuple):
    """What comes back from a task."""

    games: int
    rows: list[Rows]
    sums: ShardSums
    failure: Failure | None = None


def play_pieces(job: Job, pieces: Sequence[Piece]) -> Played:
    """Play deals of some blocks, a batch at a time."""
    result = Played(0, [], ShardSums())
    played = 0
    for piece in pieces:
        for first in range(piece.first, piece.first + piece.deals, job.batch_deals):
            deals = min(job.batch_deals, piece.first + piece.deals - first)
            failure = _play_batch(job, piece.block, first, deals, result)
            if failure is not None:
                return Played(played, [], ShardSums(), failure)
            played += deals * job.games_per_deal
    return result._replace(games=played)


def _play_batch(job: Job, block: int, first: int, deals: int, result: Played) -> Failure | None:
    spec, size = job.spec, job.games_per_deal
    games = deals * size
    deal = job.first_deals[block] + first
    if block in job.pools:
        pool = job.pools[block]
        lineups = pool[draw_lineups(job.key, deal, deals, len(pool), spec.players)]
        policy = lineups
    else:
        lineups = job.lineups[block]
        policy = np.tile(lineups, (deals, 1))
    out = allocate(
        spec.info, games, spec.players, kinds=spec.kinds, rounds=spec.rounds, collect=job.collect
    )
    code, at = job.play(
        job.tables, job.policies, job.bans, job.key, deal, np.ascontiguousarray(lineups), size, out
    )
    if code:
        return Failure(int(code), block, deal + at // size, at % size)
    if job.core_sums or out.cards is not None or out.series is not None:
        sums, pooled = spec.fold(out, policy, size, f"{job.title}, block {block}")
        if job.core_sums:
            result.sums.add_block(block, sums)
        result.sums.add_pooled(pooled)
    if job.rows:
        supply = None
        if job.supply is not None:
            code, at, supply = _supply(job, job.supply, deal, lineups, out)
            if code:
                return Failure(code, block, deal + at // size, at % size)
        result.rows.append(Rows(out.games, out.seats, policy, supply))
    return None


def _supply(
    job: Job, supply: Supply, deal: int, lineups: npt.NDArray[np.int16], out: Buffers
) -> tuple[int, int, npt.NDArray[np.uint8]]:
    """Return a status, the game it belongs to, and which kinds lay out, as bits by game."""
    spec, size = job.spec, job.games_per_deal
    if job.revealed is not None:
        # All games of a deal have the same, so one for each deal will do.
        deals = len(out.games) // size
        out = allocate(spec.info, deals, spec.players, kinds=spec.kinds, collect=("cards",))
        anyone = np.ascontiguousarray(lineups[:1])
        code, at = job.play(job.revealed, job.policies, job.bans, job.key, deal, anyone, 1, out)
        if code:
            return int(code), at * size, np.zeros((0, 0), np.uint8)
    assert out.cards is not None
    there = out.cards[..., spec.info.card_fields.index(supply.card_field)].any(axis=1)
    bits = np.packbits(there, axis=1)
    return 0, 0, bits if job.revealed is None else np.repeat(bits, size, axis=0)


def fold_rows(
    spec: SumSpec,
    plan: Plan,
    shard: Shard,
    games: npt.NDArray[np.void],
    seats: npt.NDArray[np.void],
    policy: npt.NDArray[np.int16],
) -> ShardSums:
    """Return the sums of a shard's rows."""
    sums = ShardSums()
    start = 0
    for piece in shard.pieces:
        size = plan.blocks[piece.block].games_per_deal
        end = start + piece.deals * size
        part = Buffers(games[start:end], seats[start:end])
        folded, pooled = spec.fold(part, policy[start:end], size, f"block {piece.block}")
        sums.add_block(piece.block, folded)
        sums.add_pooled(pooled)
        start = end
    return sums


class Runner:
    """Plays the shards that a store does not have yet.

    Parameters
    ----------
    setup : Setup
    plan : Plan
    keep : {"rows", "sums", "both"}
    jobs : int or None
        Workers; for ``dask`` and ``ray`` None is all that there are.
    backend : str
        A key of :data:`BACKENDS`; whoever plays is connected to a cluster already.
    """

    def __init__(
        self, setup: Setup, plan: Plan, *, keep: str, jobs: int | None, backend: str
    ) -> None:
        if backend not in BACKENDS:
            raise UnknownNameError("backend", backend, BACKENDS)
        self.setup, self.plan, self.keep = setup, plan, keep
        self.jobs, self.backend = jobs, backend
        self.names = setup.names(plan)
        self.specs = {players: setup.spec(plan, players) for players in plan.players}
        self.supply = kept_supply(setup.title.info, setup.collect, keep)
        self._jobs: dict[int, Job] = {}
        self._calls: dict[int, cluster.Call] = {}

    def job(self, section: Section) -> Job:
        """Return what workers need to play games of a section."""
        if section.number not in self._jobs:
            index = {name: number for number, name in enumerate(self.plan.policies)}
            lineups, pools = {}, {}
            for block in section.blocks:
                if block.design == "pool":
                    pools[block.number] = np.array([index[name] for name in block.pool], np.int16)
                else:
                    rows = [[index[name] for name in cell.lineup or ()] for cell in block.cells]
                    lineups[block.number] = np.array(rows, np.int16)
            setup = self.setup
            supply = self.supply
            self._jobs[section.number] = Job(
                title=setup.title.info.id,
                play=setup.title.play,
                tables=setup.tables,
                policies=setup.policies,
                bans=setup.masks(section.players),
                key=setup.key,
                spec=self.specs[section.players],
                collect=setup.collect,
                rows=self.keep != "sums",
                core_sums=self.keep != "rows",
                batch_deals=section.batch_deals,
                lineups=lineups,
                pools=pools,
                first_deals={block.number: block.first_deal for block in section.blocks},
                games_per_deal=section.blocks[0].games_per_deal,
                supply=supply,
                revealed=supply.reveal(setup.tables) if supply and supply.reveal else None,
            )
        return self._jobs[section.number]

    def _call(self, section: Section) -> cluster.Call:
        """Return what workers on other machines need to play games of a section."""
        if section.number not in self._calls:
            play = partial(play_pieces, self.job(section))
            self._calls[section.number] = cluster.packed(self.setup.title.info.id, play)
        return self._calls[section.number]

    def run(
        self,
        writer: StoreWriter,
        expected: Sequence[Shard],
        stored: Mapping[str, Sequence[Piece]],
        progress: Progress | None,
    ) -> int:
        """Play what a store does not have, and commit it in order.

        Parameters
        ----------
        writer : StoreWriter
        expected : sequence of Shard
            The shards of the finished store.
        stored : mapping of str to sequence of Piece
            The deals that it has, by shard.
        progress : callable, optional

        Returns
        -------
        int
            Number of games that were played.
        """
        wholes = {shard.key: shard for shard in expected}
        todo = [shard.without(stored.get(shard.key, ())) for shard in expected]
        todo = [shard for shard in todo if shard.games]
        total = sum(shard.games for shard in expected)
        done = total - sum(shard.games for shard in todo)
        played = 0
        if progress is not None:
            progress(done, total)
        batches = BACKENDS[self.backend].batches
        for window in self._windows([(shard, list(tasks(shard, batches))) for shard in todo]):
            stream = self._start(window)
            try:
                for shard, listed in window:
                    parts = []
                    for returned in itertools.islice(stream, len(listed)):
                        part = self._taken(returned)
                        parts.append(part)
                        played += part.games
                        if progress is not None:
                            progress(done + played, total)
                    before = writer.path if shard.key in stored else None
                    whole = wholes[shard.key]
                    writer.commit(whole, self._files(whole, shard, parts, before))
            finally:
                _close(stream)
        return played

    def _windows(
        self, cut: Sequence[tuple[Shard, list[Task]]]
    ) -> Iterator[list[tuple[Shard, list[Task]]]]:
        """Yield shards whose rows fit into memory together, should the parent fall behind."""
        gathered: list[tuple[Shard, list[Task]]] = []
        held = 0
        info = self.setup.title.info
        game = record_dtype(info, "game").itemsize
        if self.supply is not None:
            game += -(-len(self.names.kinds) // 8)
        seat = record_dtype(info, "seat").itemsize + 2
        for shard, listed in cut:
            size = shard.games * (game + seat * shard.players) if self.keep != "sums" else 0
            if gathered and held + size > _WINDOW:
                yield gathered
                gathered, held = [], 0
            gathered.append((shard, listed))
            held += size
        if gathered:
            yield gathered

    def _start(self, window: Sequence[tuple[Shard, list[Task]]]) -> Iterator[Played]:
        """Hand out tasks; results come in the order of the tasks."""
        from joblib import Parallel, delayed, parallel_config

        work = (
            delayed(cluster.call)(self._call(shard.section), task.pieces)
            if self.backend in cluster.CLUSTERS
            else delayed(play_pieces)(self.job(shard.section), task.pieces)
            for shard, listed in window
            for task in listed
        )
        with _told(self.backend), _quiet(), parallel_config(**self._backend_options()):
            results = Parallel(return_as="generator", batch_size=1)(work)
        return _guarded(results, self.backend)

    def _backend_options(self) -> dict[str, Any]:
        if self.backend in cluster.CLUSTERS:
            return {"backend": cluster.of_joblib(self.backend), "n_jobs": -1}
        jobs = self.jobs
        if jobs is None:
            from sim.run.provenance import usable_cpus

            jobs = usable_cpus()
        return {"backend": BACKENDS[self.backend].joblib, "n_jobs": jobs}

    def _taken(self, returned: Any) -> Played:
        """Return what a worker played, or raise when it could not."""
        part: Played = returned
        if self.backend in cluster.CLUSTERS:
            part = cluster.result(self.setup.title.info.id, returned)
        if part.failure is None:
            return part
        code, number, deal, rotation = part.failure
        block = self.plan.blocks[number]
        cell = block.cells[rotation]
        game = game_id(cell.number, deal - block.first_deal)
        where = f"{self.setup.title.info.id}, cell {cell.number}, deal {deal} (game {game})"
        raise EngineError(code, where, self.setup.title.info.statuses)

    def _files(
        self, whole: Shard, shard: Shard, parts: Sequence[Played], before: Path | None
    ) -> dict[str, bytes]:
        """Return the Parquet files of a shard by folder.

        ``shard`` is what was played now; ``before`` is the store when the rest of the whole shard
        is there already.
        """
        made: dict[str, pl.DataFrame] = {}
        if self.keep != "sums":
            rows = [row for part in parts for row in part.rows]
            made["games"], made["seats"] = frames.row_frames(
                self.names,
                self.plan,
                shard,
                np.concatenate([row.games for row in rows]),
                np.concatenate([row.seats for row in rows]),
                np.concatenate([row.policy for row in rows]),
                np.concatenate([row.supply for row in rows if row.supply is not None])
                if self.supply is not None
                else None,
            )
        sums = ShardSums()
        for part in parts:
            sums.add(part.sums)
        for name, frame in frames.sum_frames(
            self.names, self.specs[shard.players], shard, sums
        ).items():
            if self.keep != "rows" or name in ("cards", "series"):
                made[f"sums/{name}"] = frame
        if before is not None:
            # Read into memory: the files are about to be replaced.
            stored = {part: (before / part / f"{whole.key}.parquet").read_bytes() for part in made}
            made = frames.grown(stored, made, whole.players)
        return {part: frames.to_parquet(frame) for part, frame in made.items()}


def _close(stream: Iterator[Any]) -> None:
    close: Callable[[], None] | None = getattr(stream, "close", None)
    if close is not None:
        close()


def _guarded(results: Iterator[Any], backend: str) -> Iterator[Any]:
    """Yield results; close joblib's generator, which cancels its tasks, when nobody wants more."""
    try:
        with _told(backend):
            # Not `yield from`, which would close the results before the warning is silenced.
            for result in results:  # noqa: UP028
                yield result
    finally:
        # joblib warns of work that nobody took, which is what stopping is.
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=UserWarning, module=r"joblib\.")
            _close(results)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep loky's tracker from speaking: a process that takes the warning options of its parent.

    It clears away what an interrupted run leaves, and would warn of that on the user's screen.
    """
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    try:
        yield
    finally:
        sys.warnoptions.pop()


@contextlib.contextmanager
def _told(backend: str) -> Iterator[None]:
    """Turn what a backend can fail with into sentences."""
    again = "what is finished stays: give the same command again to go on"
    try:
        yield
    except TenbinError:
        raise
    except ImportError as error:
        # A kernel imports things too, and what it lacks is not the backend's.
        if not _lacks(error, BACKENDS[backend].packages):
            raise
        raise cluster.missing(backend, error) from error
    except BrokenProcessPool as error:
        raise CannotFinishError(f"a worker process died; {again}") from error
    except MemoryError as error:
        raise CannotFinishError(f"there is not enough memory; {again}") from error
    except Exception as error:
        if type(error).__module__.partition(".")[0] in ("distributed", "dask", "ray"):
            raise CannotFinishError(f"{backend} failed: {error}; {again}") from error
        raise


def _lacks(error: BaseException | None, packages: Sequence[str]) -> bool:
    """Return whether an import failed for one of these packages; joblib wraps such errors."""
    while error is not None:
        if isinstance(error, ImportError) and (error.name or "").partition(".")[0] in packages:
            return True
        error = error.__cause__ or error.__context__
    return False
