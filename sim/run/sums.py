"""Exact sums of a run: what is added up, and how parts are merged.

All sums are 64-bit integers, so that any split into batches, tasks or shards gives the same total.
What is added up follows from the column table of the title:

* win sums by seat, by policy, by policy and seat, and by each category column of a seat, each
  within a block; the cluster is the deal;
* counts of every category column of a game, and of ``rounds``, by block, with the squared counts of
  the deals;
* sums of every ``summed`` column, at seat level also by seat, by policy, and by policy and seat,
  with the deal as the cluster;
* for ``collect=cards`` and ``series`` their sums.

The first two are kept by block; the others, of which there are many, are pooled over the blocks of
one player count and design.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sim.core import _sums
from sim.core.records import NO_VALUE, record_dtype
from sim.core.title import Buffers, Column, TitleInfo
from sim.errors import BAD_LAYOUT, EngineError

__all__ = ["BlockSums", "Grouping", "Pooled", "ShardSums", "SumSpec"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Grouping:
    """The keys of one family of win sums."""

    by: str
    policy: bool = False
    seat: bool = False
    column: str = ""
    values: int = 1


@dataclass(frozen=True)
class SumSpec:
    """What is added up for games of one player count.

    Attributes
    ----------
    info : TitleInfo
    players, policies : int
        Number of seats, and of policies of the plan.
    sizes : mapping of str to int
        Number of values of each category column.
    kinds, rounds : int
        Number of card kinds and cap on rounds; 0 when the group is not collected.
    """

    info: TitleInfo
    players: int
    policies: int
    sizes: Mapping[str, int]
    kinds: int = 0
    rounds: int = 0
    groupings: tuple[Grouping, ...] = field(init=False)
    column_groupings: tuple[Grouping, ...] = field(init=False)
    seat_columns: tuple[Column, ...] = field(init=False)
    game_columns: tuple[Column, ...] = field(init=False)
    counted: tuple[Column, ...] = field(init=False)

    def __post_init__(self) -> None:
        put = object.__setattr__  # the dataclass is frozen
        seats, games = self.info.level("seat"), self.info.level("game")
        groupings = [
            Grouping("seat", seat=True),
            Grouping("policy", policy=True),
            Grouping("policy,seat", policy=True, seat=True),
        ]
        put(self, "column_groupings", (Grouping("all"), *groupings))
        groupings += [
            Grouping(column.name, column=column.name, values=self.sizes[column.name])
            for column in seats
            if column.role == "category"
        ]
        put(self, "groupings", tuple(groupings))
        put(self, "seat_columns", tuple(column for column in seats if column.summed))
        put(self, "game_columns", tuple(column for column in games if column.summed))
        put(self, "counted", tuple(column for column in games if column.role == "category"))

    def keys(self, grouping: Grouping) -> tuple[int, int, int]:
        """Return the shape of a grouping's keys: policies, seats, values."""
        return (
            self.policies if grouping.policy else 1,
            self.players if grouping.seat else 1,
            grouping.values,
        )

    def fold(
        self, out: Buffers, policy: npt.NDArray[np.int16], games_per_deal: int, where: str
    ) -> tuple[BlockSums, Pooled]:
        """Return the sums of records of one block: those kept by block, and those pooled.

        Parameters
        ----------
        out : Buffers
            Records of whole deals.
        policy : int16 array, shape (games, players)
        games_per_deal : int
        where : str
            Title and block, for messages.

        Raises
        ------
        EngineError
            When a record holds a category that does not exist.
        OverflowError
            When a sum of squares leaves 63 bits.
        """
        games, seats = _bytes(out.games), _bytes(out.seats)
        win = _field(out.seats.dtype, "win60")[0]
        sums, pooled = BlockSums.zeros(self), Pooled.zeros(self)
        for grouping, total in zip(self.groupings, sums.wins, strict=True):
            offset, kind = _field(out.seats.dtype, grouping.column) if grouping.column else (-1, 0)
            failed = _sums.fold_wins(
                seats,
                policy,
                win,
                grouping.policy,
                grouping.seat,
                offset,
                kind,
                grouping.values,
                games_per_deal,
                np.empty((len(total), 4), np.int64),
                total,
            )
            if failed != _sums.DONE:
                raise EngineError(BAD_LAYOUT, f"{where}, game {failed}: {grouping.by}")
        offsets, types = _fields(out.seats.dtype, self.seat_columns)
        for grouping, total in zip(self.column_groupings, pooled.seat_columns, strict=True):
            failed = _sums.fold_seat_columns(
                seats,
                policy,
                offsets,
                types,
                grouping.policy,
                grouping.seat,
                games_per_deal,
                np.empty((len(total), 3 + len(offsets)), np.int64),
                total,
            )
            if failed != _sums.DONE:
                raise OverflowError(f"{where}: a sum of squares leaves 63 bits")
        offsets, types = _fields(out.games.dtype, self.game_columns)
        failed = _sums.fold_game_columns(games, offsets, types, games_per_deal, pooled.game_columns)
        if failed != _sums.DONE:
            raise OverflowError(f"{where}: a sum of squares leaves 63 bits")
        longest = int(out.games["rounds"].max()) if len(out.games) else -1
        sums.rounds = np.zeros((longest + 1, 3), np.int64)
        names = [*(column.name for column in self.counted), "rounds"]
        for name, count in zip(names, (*sums.counts, sums.rounds), strict=True):
            offset, kind = _field(out.games.dtype, name)
            scratch = np.empty(len(count), np.int64)
            failed = _sums.fold_counts(games, offset, kind, games_per_deal, scratch, count)
            if failed != _sums.DONE:
                raise EngineError(BAD_LAYOUT, f"{where}, game {failed}: {name}")
        if out.cards is not None:
            shape = out.cards.shape[2:]
            pooled.cards = np.zeros((*shape, 9), np.int64)
            scratch = np.empty((*shape, 4), np.int64)
            _sums.fold_cards(out.cards, seats, win, games_per_deal, scratch, pooled.cards)
        if out.series is not None:
            pooled.series = np.zeros((*out.series.shape[1:], 3), np.int64)
            if _sums.fold_series(out.series, NO_VALUE, pooled.series) != _sums.DONE:
                raise OverflowError(f"{where}: a sum of squares leaves 63 bits")
        return sums, pooled

    def check(self) -> None:
        """Raise for a column that cannot be summed: the title's mistake, not the user's."""
        for level in ("game", "seat"):
            dtype = record_dtype(self.info, level)
            for column in self.info.level(level):
                if column.summed or column.role == "category":
                    _field(dtype, column.name)


@dataclass(slots=True)
class BlockSums:
    """Sums of games of one block that are kept by block.

    Attributes
    ----------
    wins : list of int64 array, shape (keys, 7)
        rows, games, clusters, y, yy, yn, nn, for each grouping.
    counts : list of int64 array, shape (values, 3)
        Games by value, deals that have one, and yy, for each counted column; yy is the sum over
        deals of the squared number of such games.
    rounds : int64 array, shape (longest game + 1, 3)
        The same by number of rounds.
    """

    wins: list[Ints]
    counts: list[Ints]
    rounds: Ints

    @classmethod
    def zeros(cls, spec: SumSpec) -> BlockSums:
        """Return the sums of no games."""
        keys = [int(np.prod(spec.keys(grouping))) for grouping in spec.groupings]
        return cls(
            wins=[np.zeros((n, 7), np.int64) for n in keys],
            counts=[np.zeros((spec.sizes[column.name], 3), np.int64) for column in spec.counted],
            rounds=np.zeros((0, 3), np.int64),
        )

    def add(self, other: BlockSums) -> None:
        """Add the sums of further games of the same block."""
        for mine, theirs in zip(self.wins, other.wins, strict=True):
            mine += theirs
        for mine, theirs in zip(self.counts, other.counts, strict=True):
            mine += theirs
        longer = max(len(self.rounds), len(other.rounds))
        rounds = np.zeros((longer, 3), np.int64)
        rounds[: len(self.rounds)] += self.rounds
        rounds[: len(other.rounds)] += other.rounds
        self.rounds = rounds


@dataclass(slots=True)
class Pooled:
    """Sums of games of one player count and design, whatever their blocks.

    Attributes
    ----------
    seat_columns : list of int64 array, shape (keys, columns, 8)
        n, total, squares, yy, yn, nn, games, clusters, for each grouping of columns; yy, yn and nn
        are sums over deals of products of a deal's total and number of values.
    game_columns : int64 array, shape (columns, 8)
        The same, with one value a game.
    cards : int64 array, shape (kinds, card fields, 9), or None
        rows, games, clusters, total, y, yy, yn, nn, squares over rows with a value above 0.
    series : int64 array, shape (players, rounds, columns, 3), or None
        n, sum, sum of squares.
    """

    seat_columns: list[Ints]
    game_columns: Ints
    cards: Ints | None = None
    series: Ints | None = None

    @classmethod
    def zeros(cls, spec: SumSpec) -> Pooled:
        """Return the sums of no games, without cards and series."""
        keys = [int(np.prod(spec.keys(grouping))) for grouping in spec.column_groupings]
        width = len(spec.seat_columns)
        return cls(
            seat_columns=[np.zeros((n, width, 8), np.int64) for n in keys],
            game_columns=np.zeros((len(spec.game_columns), 8), np.int64),
        )

    def add(self, other: Pooled) -> None:
        """Add the sums of further games."""
        for mine, theirs in zip(self.seat_columns, other.seat_columns, strict=True):
            _add_checked(mine, theirs)
        _add_checked(self.game_columns, other.game_columns)
        if self.cards is not None and other.cards is not None:
            self.cards += other.cards
        if self.series is not None and other.series is not None:
            _add_checked(self.series, other.series)


@dataclass(slots=True)
class ShardSums:
    """Sums of a shard, or of a part of it.

    Attributes
    ----------
    blocks : dict of int to BlockSums
    pooled : Pooled, or None where there are no games
    """

    blocks: dict[int, BlockSums] = field(default_factory=dict)
    pooled: Pooled | None = None

    def add_block(self, number: int, sums: BlockSums) -> None:
        """Add sums of games of one block."""
        if number in self.blocks:
            self.blocks[number].add(sums)
        else:
            self.blocks[number] = sums

    def add(self, other: ShardSums) -> None:
        """Add the sums of further games of the same section."""
        for number, sums in other.blocks.items():
            self.add_block(number, sums)
        if other.pooled is not None:
            self.add_pooled(other.pooled)

    def add_pooled(self, pooled: Pooled) -> None:
        """Add the sums of games of any block."""
        if self.pooled is None:
            self.pooled = pooled
        else:
            self.pooled.add(pooled)


def _add_checked(mine: Ints, theirs: Ints) -> None:
    """Add in place. Two squares' sums below 2**63 that overflow give a negative number."""
    mine += theirs
    squares = mine[..., 2:4]  # the squares of values, and those of deals where there are any
    if squares.size and squares.min() < 0:
        raise OverflowError("a sum of squares leaves 63 bits")


def _bytes(records: npt.NDArray[np.void]) -> npt.NDArray[np.uint8]:
    shape = (*records.shape, records.dtype.itemsize)
    return np.ascontiguousarray(records).view(np.uint8).reshape(shape)


def _field(dtype: np.dtype[np.void], name: str) -> tuple[int, int]:
    """Return a field's offset and its type as the compiled sums number it."""
    if dtype.fields is None:
        raise TypeError("records must be structured")
    found, offset = dtype.fields[name][:2]
    if found.str not in _sums.READABLE:
        readable = ", ".join(_sums.READABLE)
        raise TypeError(f"column {name!r} is {found.str}; what can be summed: {readable}")
    return int(offset), _sums.READABLE.index(found.str)


def _fields(
    dtype: np.dtype[np.void], columns: tuple[Column, ...]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    found = [_field(dtype, column.name) for column in columns]
    offsets = np.array([offset for offset, _ in found], np.int32)
    return offsets, np.array([kind for _, kind in found], np.int32)
