"""The functions behind the public names of ``sim``."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.policy import available
from sim.core.title import ReferenceGame, Title, TitleInfo
from sim.errors import InputError, InterruptedRunError, UnknownNameError
from sim.run import plan as plans
from sim.run import provenance
from sim.run.layout import Cut, shards
from sim.run.plan import Plan, address
from sim.run.result import Run
from sim.run.runner import Progress, Runner
from sim.run.setup import KEEPS, Bans, Setup
from sim.run.store import StoreWriter

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = [
    "TracedGame",
    "find_title",
    "load",
    "make_plan",
    "open_run",
    "simulate",
    "title_infos",
    "trace",
]


def find_title(title: str | Title) -> Title:
    """Return a registered title by its name; a title itself is passed through."""
    if isinstance(title, Title):
        return title
    from sim import titles

    if title not in titles.TITLES:
        raise UnknownNameError("title", title, titles.TITLES)
    return titles.load(title)


def title_infos() -> tuple[TitleInfo, ...]:
    """Return what each registered title declares about itself."""
    from sim import titles

    return tuple(titles.load(name).info for name in titles.TITLES)


def load(
    title: str | Title,
    *,
    rules: str | Path | Sequence[str | Path] | None = None,
    overrides: Sequence[str] = (),
) -> Ruleset:
    """Return the ruleset of a title.

    Parameters
    ----------
    title : str or Title
    rules : path or sequence of path, optional
        Overlays, the later ones over the earlier.
    overrides : sequence of str
        ``"key=value"``.
    """
    return Setup.load(find_title(title), (), rules=rules, overrides=overrides).ruleset


def make_plan(
    title: str | Title,
    *,
    games: int,
    players: int | Sequence[int] | None = None,
    lineup: str | Sequence[str] | None = None,
    pool: str | Sequence[str] | None = None,
    rotate: bool = False,
    rules: str | Path | Sequence[str | Path] | None = None,
    overrides: Sequence[str] = (),
) -> Plan:
    """Return the plan that :func:`simulate` would play for the same arguments.

    Parameters
    ----------
    title : str or Title
    games : int
        Exact number of games.
    players, lineup, pool, rotate
        As for :func:`simulate`.
    rules, overrides
        As for :func:`simulate`. They matter to the default plan of a title whose loadouts are data.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        When the arguments contradict each other or the title.

    Examples
    --------
    >>> import sim
    >>> plan = sim.make_plan("granmagia", games=600, lineup="engine,big_stones", rotate=True)
    >>> [(block.design, block.deals, block.games) for block in plan.blocks]
    [('rotation', 300, 600)]
    """
    found = find_title(title)
    loadouts: tuple[str, ...] = ()
    if found.loadouts is not None and lineup is None and pool is None:
        ruleset = load(found, rules=rules, overrides=overrides)
        loadouts = tuple(loadout.id for loadout in found.loadouts(ruleset))
    return plans.make_plan(
        found.info,
        available(found.data / "policies"),
        games=games,
        players=players,
        lineup=lineup,
        pool=pool,
        rotate=rotate,
        loadouts=loadouts,
    )


def simulate(
    title: str | Title,
    *,
    games: int | None = None,
    players: int | Sequence[int] | None = None,
    lineup: str | Sequence[str] | None = None,
    pool: str | Sequence[str] | None = None,
    rotate: bool = False,
    plan: Plan | None = None,
    seed: int = 1,
    rules: str | Path | Sequence[str | Path] | None = None,
    overrides: Sequence[str] = (),
    bans: Bans | None = None,
    jobs: int | None = None,
    backend: str = "threads",
    keep: str = "rows",
    collect: Sequence[str] = ("core",),
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> Run:
    """Play games and return the run.

    Parameters
    ----------
    title : str or Title
        Name of a registered title.
    games : int
        Exact number of games, over everything that is played.
    players : int or sequence of int, optional
        Player counts; by default all that the title allows.
    lineup : str or sequence of str, optional
        ``"a,b,c"``: these policies in these seats.
    pool : str or sequence of str, optional
        Draw the policies of each game from these. With neither: the title's default plan.
    rotate : bool
        Play every deal in all rotations of the line-up.
    plan : Plan, optional
        A plan from :func:`make_plan`, instead of the five arguments before.
    seed : int
    rules : path or sequence of path, optional
        Overlays over the title's data files.
    overrides : sequence of str
        ``"key=value"``, over the overlays.
    bans : mapping of int to sequence of str, optional
        Options that a seat (from 1) may not choose: ``{1: ["market"]}``.
    jobs : int, optional
        Workers; by default one for each usable CPU. Results do not depend on it.
    backend : {"threads", "processes", "dask", "ray"}
        What runs the workers. Results do not depend on it.
    keep : {"rows", "sums", "both"}
        ``sums`` are exact and small; ``rows`` are every game and seat.
    collect : sequence of str
        Groups of the title: ``core`` (always), ``cards``, ``series``.
    out : path, optional
        Folder of the store. An unfinished run in it is finished, a run of fewer games extended.
        Without it the store is temporary, and goes when the run is no longer used.
    progress : callable, optional
        ``progress(done, total)`` in games, called after every task.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        For arguments or data that cannot be, and for a folder that holds something else.
    CannotFinishError
        When the folder is locked or cannot be written, or a worker died.
    InterruptedRunError
        When it was interrupted from the keyboard.
    """
    found = find_title(title)
    if keep not in KEEPS:
        raise UnknownNameError("kind of keeping", keep, KEEPS)
    if jobs is not None and (isinstance(jobs, bool) or jobs < 1):
        raise InputError(f"jobs must be at least 1, not {jobs}")
    if plan is None:
        if games is None:
            raise InputError("say how many games")
        plan = make_plan(
            found,
            games=games,
            players=players,
            lineup=lineup,
            pool=pool,
            rotate=rotate,
            rules=rules,
            overrides=overrides,
        )
    elif any(given is not None for given in (players, lineup, pool)) or rotate:
        raise InputError("give a plan, or players, line-up, pool and rotation, not both")
    elif games is not None:
        plan = plan.with_games(games)
    setup = Setup.load(
        found,
        plan.policies,
        seed=seed,
        rules=rules,
        overrides=overrides,
        bans=bans,
        collect=collect,
    )
    runner = Runner(setup, plan, keep=keep, jobs=jobs, backend=backend)
    cut = Cut.of(found.info, plan)
    manifest = setup.manifest(plan, cut, keep)
    temporary = out is None
    path = Path(tempfile.mkdtemp(prefix="tenbin-")) if out is None else Path(out)
    try:
        with StoreWriter(path, manifest, durable=not temporary) as writer:
            expected = shards(cut, plan)
            there = writer.verify(expected)
            with _logged(writer, jobs, backend) as session:
                session["games"] = runner.run(writer, expected, there, progress)
            stored, notices = writer.manifest, writer.notices
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
    return Run(path, stored, setup=setup, notices=notices, temporary=temporary)


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


def open_run(path: str | Path, *, title: Title | None = None) -> Run:
    """Open a finished run.

    Parameters
    ----------
    path : str or Path
        Folder of the store.
    title : Title, optional
        The run's title, when it is not a registered one.

    Raises
    ------
    StoreMismatchError
        When the folder holds no run that this version reads.
    CannotFinishError
        When the run is not finished.
    """
    return Run.open(path, title=title)


@dataclass(frozen=True)
class TracedGame:
    """One game, told.

    Attributes
    ----------
    title : str
    game, cell, deal : int
        Its address.
    lineup : tuple of str
        Policy of each seat.
    events : tuple of mapping
        The story: ``setup`` first, ``end`` last.
    result : ReferenceGame
        Records of the game and of its seats.
    """

    title: str
    game: int
    cell: int
    deal: int
    lineup: tuple[str, ...]
    events: tuple[Mapping[str, Any], ...]
    result: ReferenceGame


def trace(
    source: str | Path | Title | Run,
    *,
    game: int,
    games: int | None = None,
    players: int | Sequence[int] | None = None,
    lineup: str | Sequence[str] | None = None,
    pool: str | Sequence[str] | None = None,
    rotate: bool = False,
    seed: int = 1,
    rules: str | Path | Sequence[str | Path] | None = None,
    overrides: Sequence[str] = (),
    bans: Bans | None = None,
    title: Title | None = None,
) -> TracedGame:
    """Play one game again with the reference engine, and tell it.

    Parameters
    ----------
    source : Run, path of a run, title or its name
    game : int
        Id of the game, as in the column ``game``.
    games : int, optional
        Number of games of the run; without it any game that a longer run would have is told.
    players, lineup, pool, rotate, seed, rules, overrides, bans
        As for :func:`simulate`, which then has the same game; only together with a title.
    title : Title, optional
        The run's title, when it is not a registered one.

    Raises
    ------
    InputError
        When there is no such game.
    """
    run = _as_run(source, title)
    if run is not None:
        arguments = (games, players, lineup, pool, rules, bans)
        if any(given is not None for given in arguments) or rotate or overrides or seed != 1:
            raise InputError("a run knows its own arguments: give the number of a game only")
        setup, plan = run.setup, run.plan
    else:
        found = find_title(source)  # type: ignore[arg-type]
        least = games
        if least is None:
            least = len(lineup.split(",") if isinstance(lineup, str) else lineup or ()) or 1
        plan = make_plan(
            found, games=least, players=players, lineup=lineup, pool=pool, rotate=rotate
        )
        setup = Setup.load(
            found, plan.policies, seed=seed, rules=rules, overrides=overrides, bans=bans
        )
    limited = run is not None or games is not None
    return _traced(setup, plan, game, limited=limited)


def _as_run(source: str | Path | Title | Run, title: Title | None) -> Run | None:
    if isinstance(source, Run):
        return source
    if isinstance(source, Title):
        return None
    if isinstance(source, Path) or (Path(source) / "manifest.json").is_file():
        return Run.open(source, title=title)
    return None


def _traced(setup: Setup, plan: Plan, game: int, *, limited: bool) -> TracedGame:
    from sim.core._rng import draw_lineups

    number, index = address(game)
    cells = plan.cells
    if not 0 <= number < len(cells):
        raise InputError(f"there is no game {game}: cells are numbered from 0 to {len(cells) - 1}")
    cell = cells[number]
    block = plan.blocks[cell.block]
    if limited and index >= block.deals:
        first, last = game - index, game - index + block.deals - 1
        listed = f"its games are {first} to {last}" if block.deals else "it has no games"
        raise InputError(f"there is no game {game} in cell {number}: {listed}")
    deal = block.first_deal + index
    lineup = cell.lineup
    if lineup is None:
        drawn = draw_lineups(setup.key, deal, 1, len(block.pool), block.players)
        lineup = tuple(block.pool[place] for place in drawn[0].tolist())
    result = setup.title.reference(
        setup.tables,
        setup.policies,
        setup.masks(block.players),
        setup.key,
        deal,
        [plan.policies.index(name) for name in lineup],
        trace=True,
    )
    events = [dict(event) for event in result.trace]
    if events and events[0].get("event") == "setup":
        # The engine gets tables, not names: what the story is about is added here.
        events[0].update(
            title=setup.title.info.id,
            ruleset=setup.ruleset.hash,
            seed=setup.seed,
            game=game,
            deal=deal,
            players=block.players,
            lineup=list(lineup),
        )
    return TracedGame(setup.title.info.id, game, number, deal, lineup, tuple(events), result)
