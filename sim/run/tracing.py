"""One game of a run or a plan, played again by the readable engine and told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.core.policy import available
from sim.core.title import ReferenceGame, Title
from sim.errors import InputError
from sim.run.api import find_title, plan_of
from sim.run.overrides import Overrides
from sim.run.plan import Plan, address, game_id, whole
from sim.run.result import Run
from sim.run.setup import Bans, Setup

__all__ = ["TracedGame", "trace"]


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
        plan = plan_of(
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
    return (
        f": games are numbered {', '.join(shown)}{more}{why} (column 'game' of the run's rows); "
        f"the first is {(mine or others)[0][0]}"
    )


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
