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
from sim.run.layout import Cut
from sim.run.overrides import Overrides, as_overrides, remarks
from sim.run.plan import Plan, address, game_id, whole
from sim.run.result import Run
from sim.run.runner import Progress, Runner
from sim.run.setup import KEEPS, Bans, Setup
from sim.run.stopping import terminable
from sim.run.store import Manifest, StoreWriter

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = [
    "TracedGame",
    "find_title",
    "load",
    "make_plan",
    "open_run",
    "play",
    "simulate",
    "title_infos",
    "trace",
]


def find_title(title: str | Title) -> Title:
    """Return a registered title by its name; a title itself is passed through."""
    if isinstance(title, Title):
        return title
    from sim import titles

    return titles.load(title)


def title_infos() -> tuple[TitleInfo, ...]:
    """Return what each registered title declares about itself.

    Returns
    -------
    tuple of TitleInfo
        In the order of ``sim.titles.TITLES``.

    Examples
    --------
    >>> import sim
    >>> [(info.id, info.players) for info in sim.title_infos()]
    [('granmagia', (2, 3, 4))]
    """
    from sim import titles

    return tuple(titles.load(name).info for name in titles.TITLES)


def load(
    title: str | Title,
    *,
    rules: str | Path | Sequence[str | Path] | None = None,
    overrides: Overrides = (),
) -> Ruleset:
    """Return the ruleset of a title.

    Parameters
    ----------
    title : str or Title
    rules : path or sequence of path, optional
        Overlays, the later ones over the earlier.
    overrides : str, sequence of str, or mapping
        ``"key=value"``, several of them, or a dict of values by key; over the overlays.

    Returns
    -------
    Ruleset

    Raises
    ------
    UnknownNameError
        When there is no such title.
    DataError
        With all faults of the files and overrides.

    Examples
    --------
    >>> import sim
    >>> rules = sim.load("granmagia", overrides=["witches.celestina.cost=7"])
    >>> rules.values["witches"]["celestina"]["cost"]
    7
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
    overrides: Overrides = (),
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
    return _plan(
        find_title(title),
        games=games,
        players=players,
        lineup=lineup,
        pool=pool,
        rotate=rotate,
        rules=rules,
        overrides=overrides,
    )


def _plan(
    found: Title,
    *,
    rules: str | Path | Sequence[str | Path] | None,
    overrides: Overrides,
    own: Sequence[str] = (),
    lineup: str | Sequence[str] | None,
    pool: str | Sequence[str] | None,
    **asked: Any,
) -> Plan:
    """Return a plan; ``own`` are names of policies that no file holds."""
    loadouts: tuple[str, ...] = ()
    if found.loadouts is not None and lineup is None and pool is None:
        ruleset = load(found, rules=rules, overrides=overrides)
        loadouts = tuple(loadout.id for loadout in found.loadouts(ruleset))
    known = (*available(found.data / "policies"), *own)
    return plans.make_plan(found.info, known, lineup=lineup, pool=pool, loadouts=loadouts, **asked)


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
    overrides: Overrides = (),
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
    overrides : str, sequence of str, or mapping
        ``"key=value"``, several of them, or a dict of values by key; over the overlays. One that
        changes nothing, or leaves the value's stated range, is told in ``Run.notices``.
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
        When it was interrupted from the keyboard, or asked to terminate.

    Examples
    --------
    >>> import sim
    >>> run = sim.simulate("granmagia", games=120, players=3, seed=7)
    >>> run.seats.height, run.games_count
    (360, 120)
    """
    found = find_title(title)
    if keep not in KEEPS:
        raise UnknownNameError("kind of keeping", keep, KEEPS)
    if jobs is not None:
        jobs = whole("jobs", jobs)
        if jobs < 1:
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
    manifest = setup.manifest(plan, Cut.of(found.info, plan), keep)
    return play(
        setup,
        manifest,
        jobs=jobs,
        backend=backend,
        out=out,
        progress=progress,
        notices=_remarks(setup, rules, overrides),
    )


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


def _remarks(
    setup: Setup, rules: str | Path | Sequence[str | Path] | None, overrides: Overrides
) -> list[str]:
    """Return what is to be said about overrides."""
    texts = as_overrides(overrides)
    if not texts:
        return []
    return remarks(load(setup.title, rules=rules), setup.ruleset, texts)


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

    Returns
    -------
    Run

    Raises
    ------
    StoreMismatchError
        When the folder holds no run that this version reads.
    CannotFinishError
        When the run is not finished.

    Examples
    --------
    >>> import sim, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = sim.simulate("granmagia", games=20, players=2, out=folder)
    ...     sim.open_run(folder).games.equals(made.games)
    True
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
    lineup: str | Sequence[Any] | None = None,
    pool: str | Sequence[str] | None = None,
    rotate: bool = False,
    plan: Plan | None = None,
    seed: int = 1,
    rules: str | Path | Sequence[str | Path] | None = None,
    overrides: Overrides = (),
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
    players, pool, rotate, seed, rules, overrides, bans
        As for :func:`simulate`, which then has the same game; only together with a title.
    lineup : str or sequence, optional
        As for :func:`simulate`. A sequence may hold policies written in Python beside entries: a
        class, of which one is made for each seat, or an object. Its methods bear the names of the
        title's decision points and are called as ``method(view, options)``, where ``view`` has the
        title's observables and ``options`` are the names of the legal ones, at least two; they
        return one of them. A decision point without a method gets the default choice.
    plan : Plan, optional
        A plan from :func:`make_plan`, instead of games, players, line-up, pool and rotation.
    title : Title, optional
        The run's title, when it is not a registered one.

    Returns
    -------
    TracedGame

    Raises
    ------
    InputError
        When there is no such game, or the arguments contradict each other or the title.

    Examples
    --------
    >>> import sim
    >>> told = sim.trace("granmagia", game=3, lineup="engine,big_stones", seed=7)
    >>> told.events[0]["event"], told.events[-1]["event"]
    ('setup', 'end')

    A policy in Python, against one from a file:

    >>> class Hoarder:
    ...     def acquire(self, view, options):
    ...         rich = view.payable >= 6 and "great_stone" in options
    ...         return "great_stone" if rich else options[-1]
    >>> sim.trace("granmagia", game=0, lineup=[Hoarder, "engine"]).lineup
    ('Hoarder', 'engine')
    """
    game = whole("game", game)
    run = _as_run(source, title)
    own: dict[str, Any] = {}
    if run is not None:
        arguments = (games, players, lineup, pool, plan, rules, bans)
        if any(given is not None for given in arguments) or rotate or overrides or seed != 1:
            raise InputError("a run knows its own arguments: give the number of a game only")
        setup, plan = run.setup, run.plan
        return _traced(setup, plan, game, own, limited=True)
    found = find_title(source)  # type: ignore[arg-type]
    limited = games is not None or plan is not None
    if plan is None:
        if lineup is not None and not isinstance(lineup, str):
            lineup, own = _named(lineup, available(found.data / "policies"))
        least = games
        if least is None:
            least = len(lineup.split(",") if isinstance(lineup, str) else lineup or ()) or 1
        plan = _plan(
            found,
            games=least,
            players=players,
            lineup=lineup,
            pool=pool,
            rotate=rotate,
            rules=rules,
            overrides=overrides,
            own=tuple(own),
        )
    elif any(given is not None for given in (games, players, lineup, pool)) or rotate:
        raise InputError("give a plan, or games, players, line-up, pool and rotation, not both")
    entries = [name for name in plan.policies if name not in own]
    setup = Setup.load(found, entries, seed=seed, rules=rules, overrides=overrides, bans=bans)
    return _traced(setup, plan, game, own, limited=limited)


def _named(lineup: Sequence[Any], known: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return a line-up with names for the policies written in Python, and these by name."""
    entries: list[str] = []
    own: dict[str, Any] = {}
    for entry in lineup:
        if isinstance(entry, str):
            entries.append(entry)
            continue
        name = next((name for name, policy in own.items() if policy is entry), None)
        if name is None:
            plain = entry.__name__ if isinstance(entry, type) else type(entry).__name__
            taken = {*known, *own}
            number = 1
            name = plain
            while name in taken:
                number += 1
                name = f"{plain}_{number}"
            own[name] = entry
        entries.append(name)
    return entries, own


def _as_run(source: str | Path | Title | Run, title: Title | None) -> Run | None:
    if isinstance(source, Run):
        return source
    if isinstance(source, Title):
        return None
    if isinstance(source, Path) or _is_store(Path(source)):
        return Run.open(source, title=title)
    return None


def _is_store(path: Path) -> bool:
    try:
        return (path / "manifest.json").is_file()
    except (OSError, ValueError):  # too long for a name, as a line-up could be
        return False


def _numbers(plan: Plan, game: int) -> str:
    """Return which numbers games have, in words: those of the line-up asked for, and others."""
    number, _ = address(game)
    found = [
        (cell.number, game_id(cell.number, 0), game_id(cell.number, block.deals - 1))
        for block in plan.blocks
        if block.deals
        for cell in block.cells
    ]
    if not found:
        return ""
    mine = [(first, last) for n, first, last in found if n == number]
    others = [(first, last) for n, first, last in found if n != number]
    shown = [f"{first} to {last}" for first, last in (*mine, *others)[:3]]
    more = f" and {len(found) - 3} further ranges" if len(found) > 3 else ""
    why = "; each line-up has a range of its own" if len(found) > 1 else ""
    return f": games are numbered {', '.join(shown)}{more}{why} (column 'game' of the run's rows)"


def _traced(
    setup: Setup, plan: Plan, game: int, own: Mapping[str, Any], *, limited: bool
) -> TracedGame:
    from sim.core._rng import draw_lineups

    number, index = address(game)
    cells = plan.cells
    if not 0 <= number < len(cells):
        raise InputError(f"there is no game {game}{_numbers(plan, game)}")
    cell = cells[number]
    block = plan.blocks[cell.block]
    if limited and index >= block.deals:
        raise InputError(f"there is no game {game}{_numbers(plan, game)}")
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
        [own[name] if name in own else setup.policies.names.index(name) for name in lineup],
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
