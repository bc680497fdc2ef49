"""Plans: which line-ups are played, and how many deals each of them gets.

A plan is a list of *blocks*; a block is a list of *cells* that share their deals. A cell is one
fixed line-up, or line-ups that are drawn anew for each deal from a pool. The numbers of blocks and
cells never depend on the number of games, so that the same plan with more games only appends deals
to its blocks. The one exception is written down at :func:`deals_of`.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sim.core.policy import parse_entry
from sim.core.title import TitleInfo
from sim.errors import InputError, UnknownNameError

__all__ = [
    "DESIGNS",
    "LEFT_OUT",
    "STRIDE",
    "Block",
    "Cell",
    "Design",
    "Plan",
    "address",
    "default_plan",
    "default_pool",
    "fixed_plan",
    "game_id",
    "make_plan",
    "pool_plan",
    "rotation_plan",
    "whole",
]

Design = Literal["fixed", "mirror", "rotation", "pool"]

#: The designs of blocks, in the order in which a default plan lists them.
DESIGNS: tuple[Design, ...] = ("fixed", "mirror", "rotation", "pool")

#: Block ``b`` owns the deals ``b * STRIDE + i``, cell ``c`` the game ids ``c * STRIDE + i``.
STRIDE = 10**10

#: No plan has so many games; a limit before anything is divided or written out.
MOST = 10**18

#: The policy that plays at random is left out of default pools.
LEFT_OUT = "random"

#: How the games of one player count are divided among the designs that are present.
_WEIGHTS: Mapping[Design, int] = {"fixed": 1, "mirror": 1, "rotation": 2, "pool": 1}

#: The first of these that is present takes what whole deals of the others leave over.
_ABSORBING: tuple[Design, ...] = ("pool", "fixed", "mirror", "rotation")


@dataclass(frozen=True, slots=True)
class Cell:
    """One line-up.

    Attributes
    ----------
    number : int
        Number in the plan, from 0.
    block : int
        Number of the block.
    lineup : tuple of str, or None
        Policy of each seat; None when it is drawn from the block's pool for each deal.
    """

    number: int
    block: int
    lineup: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Block:
    """Cells that share their deals.

    Attributes
    ----------
    number : int
        Number in the plan, from 0.
    design : {"fixed", "mirror", "rotation", "pool"}
        One given line-up, one policy in all seats, all rotations of a line-up, or line-ups drawn
        from a pool.
    players : int
        Number of seats.
    cells : tuple of Cell
        In the order in which the games of one deal are stored.
    pool : tuple of str
        For ``pool``: what the line-ups are drawn from, every seat for itself.
    deals : int
        Number of deals; every cell plays each of them once.
    """

    number: int
    design: Design
    players: int
    cells: tuple[Cell, ...]
    pool: tuple[str, ...] = ()
    deals: int = 0

    @property
    def games_per_deal(self) -> int:
        """Number of games that share a deal."""
        return len(self.cells)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.deals * len(self.cells)

    @property
    def first_deal(self) -> int:
        """Number of the first deal."""
        return self.number * STRIDE


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run plays.

    Attributes
    ----------
    games : int
        Exact number of games.
    policies : tuple of str
        All line-up entries that occur; engines and sums number them in this order.
    blocks : tuple of Block
    """

    games: int
    policies: tuple[str, ...]
    blocks: tuple[Block, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, in the order of their numbers."""
        return tuple(cell for block in self.blocks for cell in block.cells)

    @property
    def players(self) -> tuple[int, ...]:
        """Player counts that occur, ascending."""
        return tuple(sorted({block.players for block in self.blocks}))

    def with_games(self, games: int) -> Plan:
        """Return the same plan with another number of games."""
        return _finish(games, self.blocks, self.policies)

    def outline(self) -> list[dict[str, Any]]:
        """Return the blocks without their numbers of deals: the plan's part of an identity."""
        listed: list[dict[str, Any]] = []
        for block in self.blocks:
            entry: dict[str, Any] = {"design": block.design, "players": block.players}
            if block.design == "pool":
                entry["pool"] = list(block.pool)
            else:
                entry["lineups"] = [list(cell.lineup or ()) for cell in block.cells]
            listed.append(entry)
        return listed

    @classmethod
    def from_outline(
        cls, outline: Iterable[Mapping[str, Any]], policies: Sequence[str], games: int
    ) -> Plan:
        """Return the plan that :meth:`outline` described, with a number of games."""
        builder = _Builder()
        for entry in outline:
            if entry["design"] == "pool":
                builder.pool(entry["players"], tuple(entry["pool"]))
            else:
                lineups = [tuple(lineup) for lineup in entry["lineups"]]
                builder.lineups(entry["design"], lineups)
        return _finish(games, builder.blocks, tuple(policies))


class _Builder:
    """Numbers blocks and cells in the order in which they are added."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._cells = 0

    def lineups(self, design: Design, lineups: Sequence[tuple[str, ...]]) -> None:
        number = len(self.blocks)
        cells = tuple(
            Cell(self._cells + index, number, lineup) for index, lineup in enumerate(lineups)
        )
        self._cells += len(cells)
        self.blocks.append(Block(number, design, len(lineups[0]), cells))

    def rotations_of(self, pool: tuple[str, ...], players: int) -> None:
        """Add a pool's mirrors and full rotations."""
        for policy in pool:
            self.lineups("mirror", [(policy,) * players])
        if players <= len(pool):
            chosen: Iterable[tuple[str, ...]] = itertools.combinations(pool, players)
        else:
            chosen = (
                lineup
                for lineup in itertools.combinations_with_replacement(pool, players)
                if set(lineup) == set(pool)
            )
        for lineup in chosen:
            turned = rotations(lineup)
            if len(turned) > 1:  # a pool of one policy has only its mirror
                self.lineups("rotation", turned)

    def pool(self, players: int, pool: tuple[str, ...]) -> None:
        number = len(self.blocks)
        cell = Cell(self._cells, number, None)
        self._cells += 1
        self.blocks.append(Block(number, "pool", players, (cell,), pool))


def whole(what: str, given: Any) -> int:
    """Return a whole number of any library as Python's own.

    Parameters
    ----------
    what : str
        What it is, for messages.
    given : int, or anything that can be an index

    Raises
    ------
    InputError
        When it is no whole number.

    Examples
    --------
    >>> import numpy as np
    >>> whole("games", np.int64(10))
    10
    """
    try:
        if not isinstance(given, bool):
            return operator.index(given)
    except TypeError:
        pass
    raise InputError(f"{what} must be a whole number, not {given!r}")


def _finish(games: int, blocks: Sequence[Block], policies: Sequence[str]) -> Plan:
    games = whole("games", games)
    if games < 1:
        raise InputError(f"games must be at least 1, not {games}")
    if games >= MOST:
        raise InputError("games must be fewer than 10^18: no plan has numbers for so many")
    deals = deals_of(blocks, games)
    counted = tuple(replace(block, deals=n) for block, n in zip(blocks, deals, strict=True))
    return Plan(games, tuple(policies), counted)


def _even(total: int, parts: int) -> list[int]:
    """Split a total so that every part only ever grows when the total does."""
    return [total // parts + (index < total % parts) for index in range(parts)]


def deals_of(blocks: Sequence[Block], games: int) -> list[int]:
    """Return the number of deals of each block, so that the games add up exactly.

    Games are split evenly over player counts, then over the designs that are present (mirrors
    one part, rotations two, pool and fixed line-ups one), then evenly over the blocks of a design.
    Rotations get whole deals only; what that leaves over goes to the pool, or else to fixed
    line-ups, or else to mirrors. With more games every block keeps its deals or gets more, but for
    the absorbing design: it can have to give back less than two deals of a rotation, because
    adding one game can complete a deal of a rotation whose games were played elsewhere so far.

    Raises
    ------
    InputError
        When there are only rotations and the games do not come out in whole deals, or when a
        block would have more deals than there are numbers for.
    """
    deals = [0] * len(blocks)
    players = sorted({block.players for block in blocks})
    for count, share in zip(players, _even(games, len(players)), strict=True):
        members = [index for index, block in enumerate(blocks) if block.players == count]
        designs = {blocks[index].design for index in members}
        absorbing = next(design for design in _ABSORBING if design in designs)
        weights = sum(_WEIGHTS[design] for design in designs)
        left = share
        for design in sorted(designs, key=DESIGNS.index):
            if design == absorbing:
                continue
            budget = share * _WEIGHTS[design] // weights
            left -= _spread(blocks, members, design, budget, deals)
        left -= _spread(blocks, members, absorbing, left, deals)
        if left:
            size = next(b.games_per_deal for b in blocks if b.players == count)
            below = games - left
            near = f"{below} or {below + size}" if below else f"{size}"
            raise InputError(
                f"all rotations of a line-up take {size} games a deal, and {games} games are not "
                f"whole deals; ask for {near} games"
            )
    if max(deals) > STRIDE:
        raise InputError(
            f"{games:,} games are {max(deals):,} deals of one line-up; at most {STRIDE:,} have "
            "numbers: ask for fewer games, or give parts of them other seeds"
        )
    return deals


def _spread(
    blocks: Sequence[Block], members: Sequence[int], design: Design, budget: int, deals: list[int]
) -> int:
    """Divide a budget of games among the blocks of a design; return what was used."""
    chosen = [index for index in members if blocks[index].design == design]
    size = blocks[chosen[0]].games_per_deal
    # Blocks of one design and player count have equally many rotations, because the line-ups of
    # a default plan are sorted: only a line-up that repeats a pattern has fewer.
    for index, n in zip(chosen, _even(budget // size, len(chosen)), strict=True):
        deals[index] = n
    return budget // size * size


def rotations(lineup: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the different cyclic rotations of a line-up, the given one first."""
    turned = [tuple(lineup[i:]) + tuple(lineup[:i]) for i in range(len(lineup))]
    return list(dict.fromkeys(turned))


def game_id(cell: int, index: int) -> int:
    """Return the id of a cell's game."""
    return cell * STRIDE + index


def address(game: int) -> tuple[int, int]:
    """Return the cell and the index in it of a game id."""
    return divmod(game, STRIDE)


def fixed_plan(info: TitleInfo, games: int, lineup: Sequence[str], *, rotate: bool = False) -> Plan:
    """Return the plan of one line-up, or of all its rotations.

    Parameters
    ----------
    info : TitleInfo
    games : int
    lineup : sequence of str
        Policy of each seat.
    rotate : bool
        Play every deal in all rotations of the line-up.

    Raises
    ------
    InputError
        When the title is not played by so many, or the games are not whole deals.
    """
    _check_players(info, [len(lineup)])
    if rotate and info.seats == "none":
        raise InputError(f"{info.id} has no seats to rotate")
    turned = rotations(lineup) if rotate else [tuple(lineup)]
    design: Design = "rotation"
    if len(turned) == 1:
        mirror = info.seats != "none" and len(set(lineup)) == 1
        design = "mirror" if mirror else "fixed"
    builder = _Builder()
    builder.lineups(design, turned)
    return _finish(games, builder.blocks, tuple(dict.fromkeys(lineup)))


def pool_plan(info: TitleInfo, games: int, pool: Sequence[str], players: Sequence[int]) -> Plan:
    """Return the plan whose line-ups are drawn from a pool, one block a player count.

    Titles without seats get one cell a policy instead: there is nobody to be drawn against.
    """
    _check_players(info, players)
    pool = _checked_pool(pool)
    builder = _Builder()
    for count in players:
        if info.seats == "none":
            for policy in pool:
                builder.lineups("fixed", [(policy,) * count])
        else:
            builder.pool(count, pool)
    return _finish(games, builder.blocks, pool)


def rotation_plan(info: TitleInfo, games: int, pool: Sequence[str], players: Sequence[int]) -> Plan:
    """Return the plan of a pool's mirrors and full rotations: who beats whom.

    A third of the games are mirrors (each policy of the pool in all seats), the others are full
    rotations: every combination of as many policies as there are seats, in all cyclic rotations;
    of a pool smaller than that, every multiset that uses each policy at least once.
    """
    if info.seats == "none":
        raise InputError(f"{info.id} has no seats to rotate")
    _check_players(info, players)
    pool = _checked_pool(pool)
    builder = _Builder()
    for count in players:
        builder.rotations_of(pool, count)
    return _finish(games, builder.blocks, pool)


def default_plan(info: TitleInfo, games: int, pool: Sequence[str], players: Sequence[int]) -> Plan:
    """Return the plan of a report: mirrors, full rotations, and random line-ups.

    A quarter of the games are mirrors, half are full rotations (both as in :func:`rotation_plan`),
    and a quarter have line-ups drawn from the pool.
    """
    if info.seats == "none":
        return pool_plan(info, games, pool, players)
    _check_players(info, players)
    pool = _checked_pool(pool)
    builder = _Builder()
    for count in players:
        builder.rotations_of(pool, count)
        builder.pool(count, pool)
    return _finish(games, builder.blocks, pool)


def make_plan(
    info: TitleInfo,
    available: Sequence[str],
    *,
    games: int,
    players: int | Sequence[int] | None = None,
    lineup: str | Sequence[str] | None = None,
    pool: str | Sequence[str] | None = None,
    rotate: bool = False,
    loadouts: Sequence[str] = (),
) -> Plan:
    """Return the plan that the arguments of ``simulate`` ask for.

    Parameters
    ----------
    info : TitleInfo
    available : sequence of str
        Policies of the title.
    games : int
        Exact number of games.
    players : int or sequence of int, optional
        Player counts; all of the title by default, or the length of the line-up.
    lineup : str or sequence of str, optional
        ``"a,b,c"`` or the entries: this line-up and no other.
    pool : str or sequence of str, optional
        Draw line-ups from these. With neither line-up nor pool: the title's default plan.
    rotate : bool
        Play the line-up in all rotations on each deal; of a pool, each against itself and all
        against all, in all rotations.
    loadouts : sequence of str
        What the title's seats can bring along: a default plan has every policy with each of them.

    Raises
    ------
    InputError
        When the arguments contradict each other or the title.
    """
    entries = _entries(lineup, "lineup")
    drawn = _entries(pool, "pool")
    counts = _counts(players)
    if entries is not None and drawn is not None:
        raise InputError("give a line-up or a pool, not both")
    if rotate and entries is None and drawn is None:
        raise InputError(
            "only a line-up or a pool can be rotated: give one, or leave the rotation out"
        )
    for name in entries or drawn or ():
        check_policy(name, available)
    if entries is not None:
        if counts is not None and counts != (len(entries),):
            wanted = ", ".join(map(str, counts))
            raise InputError(
                f"the line-up {','.join(entries)} has {len(entries)} entries, "
                f"but {wanted} players were asked for"
            )
        return fixed_plan(info, games, entries, rotate=rotate)
    if counts is None:
        counts = tuple(info.players)
    if drawn is not None:
        return (rotation_plan if rotate else pool_plan)(info, games, drawn, counts)
    return default_plan(info, games, default_pool(available, loadouts), counts)


def default_pool(available: Sequence[str], loadouts: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the entries of a default plan: all policies but ``random``, with each loadout."""
    policies = tuple(name for name in available if name != LEFT_OUT) or tuple(available)
    if not loadouts:
        return policies
    return tuple(f"{name}:{loadout}" for name in policies for loadout in loadouts)


def check_policy(name: str, available: Sequence[str]) -> None:
    """Raise when a line-up entry names no policy of the title; paths are not looked at."""
    base = parse_entry(name).policy
    if not base.endswith(".toml") and base not in available:
        raise UnknownNameError("policy", base, available)


def _entries(given: str | Sequence[str] | None, what: str) -> tuple[str, ...] | None:
    if given is None:
        return None
    listed = given.split(",") if isinstance(given, str) else list(given)
    entries = tuple(entry.strip() for entry in listed)
    if not entries or not all(entries):
        raise InputError(f"{what} has an empty entry: {given!r}")
    return entries


def _counts(players: int | Sequence[int] | None) -> tuple[int, ...] | None:
    if players is None:
        return None
    several = isinstance(players, Iterable) and getattr(players, "ndim", 1) > 0
    listed = list(players) if several else [players]  # type: ignore[arg-type]
    if not listed:
        raise InputError("players is empty")
    return tuple(sorted({whole("players", count) for count in listed}))


def _checked_pool(pool: Sequence[str]) -> tuple[str, ...]:
    if not pool:
        raise InputError("the pool of policies is empty")
    doubled = sorted({name for name in pool if list(pool).count(name) > 1})
    if doubled:
        raise InputError(f"the pool names a policy twice: {', '.join(doubled)}")
    return tuple(pool)


def _check_players(info: TitleInfo, players: Sequence[int]) -> None:
    for count in players:
        if count not in info.players:
            allowed = ", ".join(map(str, info.players))
            raise InputError(f"{info.id} is not played by {count} (allowed: {allowed})")
