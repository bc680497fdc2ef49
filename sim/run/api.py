"""The functions behind the public names of ``sim``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.core.policy import available
from sim.core.title import Title, TitleInfo
from sim.errors import InputError, UnknownNameError
from sim.run import plan as plans
from sim.run.layout import Cut
from sim.run.overrides import Overrides, as_overrides, remarks
from sim.run.plan import Plan, whole
from sim.run.playing import play
from sim.run.remote import is_url, open_published
from sim.run.result import Run
from sim.run.runner import Progress
from sim.run.setup import KEEPS, Bans, Setup
from sim.run.stages import StopRule, outline

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset

__all__ = [
    "find_title",
    "load",
    "make_plan",
    "open_run",
    "plan_of",
    "remarks_on",
    "simulate",
    "title_infos",
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
    >>> [(info.id, info.players) for info in sim.title_infos()][0]
    ('granmagia', (2, 3, 4))
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
    return plan_of(
        find_title(title),
        games=games,
        players=players,
        lineup=lineup,
        pool=pool,
        rotate=rotate,
        rules=rules,
        overrides=overrides,
    )


def plan_of(
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
    until: StopRule | None = None,
    part: tuple[int, int] | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> Run:
    """Play games and return the run.

    Parameters
    ----------
    title : str or Title
        Name of a registered title.
    games : int
        Exact number of games, over everything that is played; with ``until`` the most.
    players : int or sequence of int, optional
        Player counts; by default all that the title allows.
    lineup : str or sequence of str, optional
        ``"a,b,c"``: these policies in these seats.
    pool : str or sequence of str, optional
        Draw the policies of each game from these. With neither: the title's default plan.
    rotate : bool
        Play every deal in all rotations of the line-up; of a pool, each policy in all seats, and
        all against all in all rotations.
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
        What runs the workers. Results do not depend on it. The last two are clusters, and can be
        given an address: ``"dask=tcp://HOST:8786"``, ``"ray=HOST:6379"``.
    keep : {"rows", "sums", "both"}
        ``sums`` are exact and small; ``rows`` are every game and seat.
    collect : sequence of str
        Groups of the title: ``core`` (always), ``cards``, ``series``.
    until : StopRule, optional
        Ends the run early, from ``analysis.stop_rule``. It is asked at declared numbers of games,
        so that where a run ends depends on nothing but what is played.
    part : tuple of int, optional
        ``(2, 8)``: play the second of eight parts only, on one of eight machines that know nothing
        of each other. Of the folders of all parts :func:`merge` makes the run.
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
    if part is not None:
        part = _checked_part(part, until, out)
    if until is not None:
        if not hasattr(until, "outline"):
            raise InputError(f"until is a rule of analysis.stop_rule, not {until!r}")
        until.check(plan, found.info)
    setup = Setup.load(
        found,
        plan.policies,
        seed=seed,
        rules=rules,
        overrides=overrides,
        bans=bans,
        collect=collect,
    )
    ending = None if until is None else outline(until)
    manifest = replace(setup.manifest(plan, Cut.of(found.info, plan), keep, ending), part=part)
    return play(
        setup,
        manifest,
        jobs=jobs,
        backend=backend,
        out=out,
        progress=progress,
        notices=remarks_on(setup, rules, overrides),
        until=until,
    )


def _checked_part(part: Any, until: StopRule | None, out: str | Path | None) -> tuple[int, int]:
    """Return a part as two numbers, or raise."""
    if isinstance(part, str) or not isinstance(part, Sequence) or len(part) != 2:
        raise InputError(f"part is two numbers such as (2, 8), not {part!r}")
    number, of = (whole("part", value) for value in part)
    if not 1 <= number <= of:
        raise InputError(f"part {number} of {of}: the first number goes from 1 to the second")
    if until is not None:
        raise InputError("a part of a run cannot know when all of it may end: give until or part")
    if out is None:
        raise InputError("a part is nothing by itself: give the folder it is kept in (out, --out)")
    return number, of


def remarks_on(
    setup: Setup, rules: str | Path | Sequence[str | Path] | None, overrides: Overrides
) -> list[str]:
    """Return what is to be said about overrides."""
    texts = as_overrides(overrides)
    if not texts:
        return []
    return remarks(load(setup.title, rules=rules), setup.ruleset, texts)


def open_run(path: str | Path, *, title: Title | None = None) -> Run:
    """Open a finished run.

    Parameters
    ----------
    path : str or Path
        Folder of the store, or URL of a published one: ``"s3://bucket/runs/three"``.
    title : Title, optional
        The run's title, when it is not a registered one.

    Returns
    -------
    Run

    Raises
    ------
    StoreMismatchError
        When the folder holds no run that this version reads, or a published one is damaged.
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
    if is_url(path):
        return open_published(str(path), title=title)
    return Run.open(path, title=title)
