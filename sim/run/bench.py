"""How fast a title is played: games a second on one core, beside a calibration loop.

A time alone says little, because machines differ and are shared. So each repeat is timed next to a
fixed loop of random draws, and the ratio of the two is what can be compared between machines and
over the years.
"""

from __future__ import annotations

import csv
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from sim.core._calibration import CALIBRATION_STEPS, calibrate
from sim.core.policy import available
from sim.core.title import Title
from sim.errors import CannotFinishError, InputError
from sim.run import provenance
from sim.run.api import find_title
from sim.run.layout import Cut, Piece, sections
from sim.run.plan import Plan, default_pool, pool_plan
from sim.run.runner import Job, Runner, play_pieces
from sim.run.setup import Setup

__all__ = ["BenchResult", "append_history", "bench"]


@dataclass(frozen=True)
class BenchResult:
    """Speed of one title and player count; medians over the repeats.

    Attributes
    ----------
    title : str
    players, games, repeats : int
        ``games`` in each repeat.
    policies : tuple of str
        Line-ups are drawn from these.
    games_per_s, turns_per_s, ns_per_turn, mean_turns : float
    calibration_ms : float
        Time of the calibration loop.
    calibrations_per_1000_games : float
        Time of 1000 games over the time of the calibration loop: the machine cancels out.
    spread : float
        Longest repeat over shortest: far above 1 means that the machine was busy.
    core : int or None
        The CPU that it was pinned to, where the system can do that.
    """

    title: str
    players: int
    games: int
    repeats: int
    policies: tuple[str, ...]
    games_per_s: float
    turns_per_s: float
    ns_per_turn: float
    mean_turns: float
    calibration_ms: float
    calibrations_per_1000_games: float
    spread: float
    core: int | None


def bench(
    title: str | Title,
    *,
    players: int | Sequence[int] | None = None,
    games: int | None = None,
    repeats: int = 5,
    seed: int = 1,
    history: str | Path | None = None,
) -> tuple[BenchResult, ...]:
    """Measure how fast a title is played: kernel and sums, no rows, on one core.

    Parameters
    ----------
    title : str or Title
    players : int or sequence of int, optional
        Player counts; by default all.
    games : int, optional
        Games a repeat; by default twenty batches, about a second.
    repeats : int
        The median of so many is told.
    seed : int
    history : path, optional
        CSV file to append the results to.

    Returns
    -------
    tuple of BenchResult
        One for each player count.

    Raises
    ------
    InputError
        For a title, player count or number of repeats that cannot be, and when ``history`` is a
        file of something else.
    CannotFinishError
        When ``history`` cannot be written.

    Examples
    --------
    >>> import sim
    >>> (result,) = sim.bench("granmagia", players=2, games=50, repeats=1)
    >>> result.games, result.games_per_s > 0
    (50, True)
    """
    found = find_title(title)
    loadouts = found.loadouts(found.load()) if found.loadouts is not None else ()
    known = available(found.data / "policies")
    policies = default_pool(known, [loadout.id for loadout in loadouts])
    counts = found.info.players if players is None else players
    counts = (counts,) if isinstance(counts, int) else tuple(counts)
    if repeats < 1:
        raise InputError(f"repeats must be at least 1, not {repeats}")
    setup = Setup.load(found, policies, seed=seed)
    results = []
    for count in counts:
        number = games if games is not None else 20 * found.info.batch_games.get(count, 1)
        plan = pool_plan(found.info, number, policies, (count,))
        results.append(_measure(setup, plan, count, repeats))
    if history is not None:
        try:
            append_history(Path(history), results)
        except OSError as error:
            why = error.strerror or str(error)
            raise CannotFinishError(f"cannot write to {history}: {why}") from error
        except UnicodeDecodeError:
            raise InputError(f"{history} is no history of benchmarks: it is not UTF-8") from None
    return tuple(results)


def _measure(setup: Setup, plan: Plan, players: int, repeats: int) -> BenchResult:
    runner = Runner(setup, plan, keep="sums", jobs=1, backend="threads")
    cut = sections(Cut.of(setup.title.info, plan), plan)
    work = [
        (runner.job(section), [Piece(block.number, 0, block.deals)])
        for section in cut
        for block in section.blocks
        if block.deals
    ]
    with pinned() as core:
        turns = _play(work)  # also warms caches up
        calibrate()
        times, loops = [], []
        for _ in range(repeats):  # interleaved, so that both meet the same state of the machine
            start = time.perf_counter()
            calibrate(CALIBRATION_STEPS)
            middle = time.perf_counter()
            _play(work)
            times.append(time.perf_counter() - middle)
            loops.append(middle - start)
    seconds = statistics.median(times)
    ratio = statistics.median(t / loop for t, loop in zip(times, loops, strict=True))
    return BenchResult(
        title=setup.title.info.id,
        players=players,
        games=plan.games,
        repeats=repeats,
        policies=plan.policies,
        games_per_s=plan.games / seconds,
        turns_per_s=turns / seconds,
        ns_per_turn=1e9 * seconds / turns,
        mean_turns=turns / plan.games,
        calibration_ms=1e3 * statistics.median(loops),
        calibrations_per_1000_games=1000 * ratio / plan.games,
        spread=max(times) / min(times),
        core=core,
    )


def _play(work: Sequence[tuple[Job, list[Piece]]]) -> int:
    """Play everything once; return the number of turns."""
    turns = 0
    for job, pieces in work:
        played = play_pieces(job, pieces)
        if played.failure is not None:
            raise RuntimeError(f"{job.title} stopped with status {played.failure.code}")
        place = [column.name for column in job.spec.game_columns].index("turns")
        pooled = played.sums.pooled
        turns += 0 if pooled is None else int(pooled.game_columns[place, 1])
    return turns


@contextmanager
def pinned() -> Iterator[int | None]:
    """Keep this process on one CPU for a while; give it, or None where that cannot be."""
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    before = os.sched_getaffinity(0)
    core = max(before)
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, before)


def append_history(file: Path, results: Sequence[BenchResult]) -> None:
    """Append results to a CSV file; a new file gets a header.

    Raises
    ------
    InputError
        When the file has other columns.
    """
    columns = ["date", "tenbin", "machine", *(field.name for field in fields(BenchResult))]
    if file.exists():
        with file.open(encoding="utf-8", newline="") as source:
            header = next(csv.reader(source), [])
        if header != columns:
            raise InputError(f"{file} has other columns than a history of benchmarks")
    with file.open("a", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, columns, lineterminator="\n")
        if target.tell() == 0:
            writer.writeheader()
        for result in results:
            row = {
                name: f"{value:.6g}" if isinstance(value, float) else value
                for name, value in asdict(result).items()
            }
            row["policies"] = " ".join(result.policies)
            row["date"] = provenance.now()[:10]
            row["tenbin"] = provenance.version("tenbin")
            row["machine"] = provenance.environment()["machine"]
            writer.writerow(row)
