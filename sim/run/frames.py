"""Records and sums as polars frames, and frames as the bytes of Parquet files.

Policies, designs and category values are ``Enum`` columns: strings to whoever reads them, small
numbers in the file. polars is imported inside functions, so that importing ``sim`` stays cheap.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sim.core.title import TitleInfo
from sim.run.layout import Cut, Piece, Shard, sections
from sim.run.plan import DESIGNS, STRIDE, Plan
from sim.run.sums import Pooled, ShardSums, SumSpec

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from sim.run.manifest import Manifest

__all__ = [
    "SUPPLY",
    "WIN_SUMS",
    "Names",
    "cells_frame",
    "grown",
    "has_schema",
    "merged",
    "records_of",
    "row_frames",
    "schemas",
    "sum_frames",
    "to_parquet",
]

#: The sums of a family of win sums, in the order of the arrays.
WIN_SUMS = ("rows", "games", "clusters", "y", "yy", "yn", "nn")
_CARD_SUMS = ("rows", "games", "clusters", "total", "y", "yy", "yn", "nn", "squares")
_SERIES_SUMS = ("n", "total", "squares")
#: Sums of columns, of games and of seats alike.
_VALUE_SUMS = (*_SERIES_SUMS, "yy", "yn", "nn", "games", "clusters")
_COUNT_SUMS = ("n", "clusters", "yy")

#: The column of games that says what lay out for all seats (``sim.core.title.Supply``).
SUPPLY = "supply"

#: Frames of sums that are added at once.
_TOGETHER = 32

#: Rows of a Parquet row group. A constant, so that equal frames give equal bytes.
_ROW_GROUP = 1 << 18


class Names:
    """The strings behind the numbers of a run.

    Parameters
    ----------
    info : TitleInfo
    policies : sequence of str
        Line-up entries of the plan.
    categories : mapping of str to sequence of str
        Ids of the values of each category column.
    kinds : sequence of str
        Ids of the card kinds.
    """

    def __init__(
        self,
        info: TitleInfo,
        policies: Sequence[str],
        categories: Mapping[str, Sequence[str]],
        kinds: Sequence[str],
    ) -> None:
        self.info = info
        self.policies = tuple(policies)
        self.categories = {name: tuple(ids) for name, ids in categories.items()}
        self.kinds = tuple(kinds)


def _enum(name: str, names: Sequence[str], codes: npt.ArrayLike) -> pl.Series:
    """Return strings of a fixed set by number; a negative number is a null."""
    import polars as pl

    numbers = pl.Series(np.asarray(codes, np.int64))
    numbers = numbers.set(numbers < 0, None)
    return pl.Series(name, list(names), dtype=pl.Enum(list(names))).gather(numbers).alias(name)


def _nullable(name: str, values: npt.ArrayLike, dtype: Any) -> pl.Series:
    """Return small integers; a negative one is a null."""
    import polars as pl

    numbers = pl.Series(name, np.asarray(values, np.int64))
    return numbers.set(numbers < 0, None).cast(dtype)


def _sets(name: str, names: Sequence[str], bits: npt.NDArray[np.uint8]) -> pl.Series:
    """Return lists of strings of a fixed set, in its order; each row of bits says which."""
    import polars as pl

    row, code = np.nonzero(np.unpackbits(bits, axis=1, count=len(names)))
    found = pl.DataFrame({"row": row, name: _enum(name, names, code)})
    lists = found.group_by("row", maintain_order=True).agg(name)
    every = pl.DataFrame({"row": np.arange(len(bits))})
    joined = every.join(lists, on="row", how="left", maintain_order="left")
    return joined[name].fill_null([])


def cells_frame(plan: Plan) -> pl.DataFrame:
    """Return one row a cell: cell, block, design, players, lineup, pool, deals (= games)."""
    import polars as pl

    rows = [
        (
            cell.number,
            block.number,
            block.design,
            block.players,
            None if cell.lineup is None else list(cell.lineup),
            list(block.pool) or None,
            block.deals,
        )
        for block in plan.blocks
        for cell in block.cells
    ]
    schema: dict[str, Any] = {
        "cell": pl.Int32,
        "block": pl.Int32,
        "design": pl.Enum(list(DESIGNS)),
        "players": pl.Int8,
        "lineup": pl.List(pl.String),
        "pool": pl.List(pl.String),
        "games": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def addresses(plan: Plan, shard: Shard) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the cell and the deal of each game of a shard, in stored order."""
    cells, deals = [], []
    for piece in shard.pieces:
        block = plan.blocks[piece.block]
        size = block.games_per_deal
        numbers = np.array([cell.number for cell in block.cells], np.int64)
        index = np.arange(piece.first, piece.first + piece.deals, dtype=np.int64)
        cells.append(np.tile(numbers, piece.deals))
        deals.append(np.repeat(index + block.first_deal, size))
    return np.concatenate(cells), np.concatenate(deals)


def row_frames(
    names: Names,
    plan: Plan,
    shard: Shard,
    games: npt.NDArray[np.void],
    seats: npt.NDArray[np.void],
    policy: npt.NDArray[np.int16],
    supply: npt.NDArray[np.uint8] | None = None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the rows of a shard: one frame of games, one of seats.

    ``supply`` has a row of bits a game, one a kind (``numpy.packbits``).
    """
    import polars as pl

    cell, deal = addresses(plan, shard)
    game = cell * STRIDE + deal % STRIDE
    players = shard.players
    columns = [
        pl.Series("cell", cell.astype(np.int32)),
        pl.Series("game", game),
        pl.Series("deal", deal),
        pl.Series("players", np.full(len(cell), players, np.int8)),
    ]
    columns += _title_columns(names, games, "game")
    if supply is not None:
        columns.append(_sets(SUPPLY, names.kinds, supply))
    game_frame = pl.DataFrame(columns)
    columns = [
        pl.Series("game", np.repeat(game, players)),
        pl.Series("seat", np.tile(np.arange(1, players + 1, dtype=np.int8), len(game))),
        _enum("policy", names.policies, policy.reshape(-1)),
    ]
    columns += _title_columns(names, seats.reshape(-1), "seat")
    return game_frame, pl.DataFrame(columns)


def _title_columns(names: Names, records: npt.NDArray[np.void], level: Any) -> list[pl.Series]:
    import polars as pl

    columns = []
    for column in names.info.level(level):
        values = np.ascontiguousarray(records[column.name])
        if column.role == "category":
            columns.append(_enum(column.name, names.categories[column.name], values))
        else:
            columns.append(pl.Series(column.name, values))
    return columns


def records_of(
    names: Names, players: int, games: pl.DataFrame, seats: pl.DataFrame
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.void], npt.NDArray[np.int16]]:
    """Return the records behind the rows of a shard: the way back of :func:`row_frames`."""
    from sim.core.records import allocate

    buffers = allocate(names.info, games.height, players)
    for frame, records, level in (
        (games, buffers.games, "game"),
        (seats, buffers.seats.reshape(-1), "seat"),
    ):
        for column in names.info.level(level):  # type: ignore[arg-type]
            series = frame[column.name]
            if column.role == "category":
                series = series.to_physical()
            records[column.name] = series.to_numpy()
    policy = seats["policy"].to_physical().to_numpy().astype(np.int16)
    return buffers.games, buffers.seats, policy.reshape(games.height, players)


def sum_frames(names: Names, spec: SumSpec, shard: Shard, sums: ShardSums) -> dict[str, Any]:
    """Return the sums of a shard as frames by name; keys that never occurred are left out.

    The frames are sorted by their keys, as those of :func:`merged` are.
    """
    blocks = sorted(sums.blocks.items())
    pooled = sums.pooled or Pooled.zeros(spec)
    frames = {
        "wins": _wins(names, spec, shard, blocks),
        "columns": _columns(names, spec, shard, pooled),
        "counts": _counts(names, spec, shard, blocks),
    }
    if pooled.cards is not None:
        frames["cards"] = _cards(names, shard, pooled.cards)
    if pooled.series is not None:
        frames["series"] = _series(names, shard, pooled.series)
    return {name: merged([frame]) for name, frame in frames.items()}


def _stack(arrays: list[npt.NDArray[np.int64]], width: int) -> npt.NDArray[np.int64]:
    return np.concatenate(arrays) if arrays else np.zeros((0, width), np.int64)


def _place(shard: Shard, block: npt.NDArray[np.int64] | None, length: int) -> list[pl.Series]:
    """Return the columns that say where a sum comes from."""
    import polars as pl

    columns = [] if block is None else [pl.Series("block", block.astype(np.int32))]
    columns.append(pl.Series("players", np.full(length, shard.players, np.int8)))
    design = np.full(length, DESIGNS.index(shard.section.design))
    columns.append(_enum("design", DESIGNS, design))
    return columns


def _wins(names: Names, spec: SumSpec, shard: Shard, blocks: list[Any]) -> pl.DataFrame:
    import polars as pl

    # block, grouping, policy, seat, one column a category, then the sums
    categories = [grouping for grouping in spec.groupings if grouping.column]
    width = 4 + len(categories) + len(WIN_SUMS)
    parts = []
    for number, sums in blocks:
        for index, (grouping, total) in enumerate(zip(spec.groupings, sums.wins, strict=True)):
            found = np.flatnonzero(total[:, 0])
            policy, seat, value = np.unravel_index(found, spec.keys(grouping))
            part = np.full((len(found), width), -1, np.int64)
            part[:, 0], part[:, 1] = number, index
            if grouping.policy:
                part[:, 2] = policy
            if grouping.seat:
                part[:, 3] = seat + 1
            if grouping.column:
                part[:, 4 + categories.index(grouping)] = value
            part[:, -len(WIN_SUMS) :] = total[found]
            parts.append(part)
    table = _stack(parts, width)
    families = [grouping.by for grouping in spec.groupings]
    columns = [_enum("by", families, table[:, 1])]
    columns += _place(shard, table[:, 0], len(table))
    columns.append(_nullable("seat", table[:, 3], pl.Int8))
    columns.append(_enum("policy", names.policies, table[:, 2]))
    for index, grouping in enumerate(categories):
        ids = names.categories[grouping.column]
        columns.append(_enum(grouping.column, ids, table[:, 4 + index]))
    columns += _values(table, WIN_SUMS)
    return pl.DataFrame(columns)


def _columns(names: Names, spec: SumSpec, shard: Shard, pooled: Pooled) -> pl.DataFrame:
    import polars as pl

    # grouping, column, policy, seat, then the sums
    listed = [column.name for column in (*spec.game_columns, *spec.seat_columns)]
    first, width = len(spec.game_columns), 4 + len(_VALUE_SUMS)
    column = np.flatnonzero(pooled.game_columns[:, 0])
    part = np.full((len(column), width), -1, np.int64)
    part[:, 0], part[:, 1] = 0, column
    part[:, 4:] = pooled.game_columns[column]
    parts = [part]
    for index, grouping in enumerate(spec.column_groupings):
        total = pooled.seat_columns[index]
        key, column = np.nonzero(total[..., 0])
        policy, seat, _ = np.unravel_index(key, spec.keys(grouping))
        part = np.full((len(key), width), -1, np.int64)
        part[:, 0], part[:, 1] = index, column + first
        if grouping.policy:
            part[:, 2] = policy
        if grouping.seat:
            part[:, 3] = seat + 1
        part[:, 4:] = total[key, column]
        parts.append(part)
    table = np.concatenate(parts)
    columns = [_enum("column", listed, table[:, 1])]
    columns.append(_enum("by", [g.by for g in spec.column_groupings], table[:, 0]))
    columns += _place(shard, None, len(table))
    columns.append(_nullable("seat", table[:, 3], pl.Int8))
    columns.append(_enum("policy", names.policies, table[:, 2]))
    columns += _values(table, _VALUE_SUMS)
    return pl.DataFrame(columns)


def _counts(names: Names, spec: SumSpec, shard: Shard, blocks: list[Any]) -> pl.DataFrame:
    import polars as pl

    listed = [*(column.name for column in spec.counted), "rounds"]
    ids: list[str | None] = []
    parts = []
    for number, sums in blocks:
        for index, count in enumerate((*sums.counts, sums.rounds)):
            found = np.flatnonzero(count[:, 0])
            part = np.empty((len(found), 6), np.int64)
            part[:, 0], part[:, 1], part[:, 2], part[:, 3:] = number, index, found, count[found]
            parts.append(part)
            known = names.categories.get(listed[index])
            ids += [known[value] if known else None for value in found]
    table = _stack(parts, 6)
    columns = [_enum("column", listed, table[:, 1])]
    columns += _place(shard, table[:, 0], len(table))
    columns.append(pl.Series("value", table[:, 2].astype(np.int32)))
    columns.append(pl.Series("id", ids, dtype=pl.String))
    columns += _values(table, _COUNT_SUMS)
    return pl.DataFrame(columns)


def _cards(names: Names, shard: Shard, cards: npt.NDArray[np.int64]) -> pl.DataFrame:
    import polars as pl

    kind, what = (axis.reshape(-1) for axis in np.indices(cards.shape[:2]))
    columns = _place(shard, None, len(kind))
    columns.append(_enum("kind", names.kinds, kind))
    columns.append(_enum("field", names.info.card_fields, what))
    columns += _values(cards.reshape(-1, len(_CARD_SUMS)), _CARD_SUMS)
    return pl.DataFrame(columns)


def _series(names: Names, shard: Shard, series: npt.NDArray[np.int64]) -> pl.DataFrame:
    import polars as pl

    seat, turn, column = np.nonzero(series[..., 0])
    columns = [_enum("column", [column.name for column in names.info.series], column)]
    columns += _place(shard, None, len(seat))
    columns.append(pl.Series("seat", (seat + 1).astype(np.int8)))
    columns.append(pl.Series("round", (turn + 1).astype(np.int16)))
    columns += _values(series[seat, turn, column], _SERIES_SUMS)
    return pl.DataFrame(columns)


def _values(table: npt.NDArray[np.int64], sums: Sequence[str]) -> list[pl.Series]:
    """Return the last columns of a table under their names."""
    import polars as pl

    first = table.shape[1] - len(sums)
    return [
        pl.Series(name, np.ascontiguousarray(table[:, first + index]))
        for index, name in enumerate(sums)
    ]


def merged(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return the sums of several parts: equal keys are added, and sorted.

    The parts of a large run have the same keys over and over: they are taken a few at a time, so
    that a run of any length needs the memory of a few.
    """
    stream = iter(frames)
    total = _added(list(itertools.islice(stream, _TOGETHER)))
    while few := list(itertools.islice(stream, _TOGETHER)):
        total = _added([total, *few])
    return total


def _added(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    import polars as pl

    frame = pl.concat(frames)
    summed = [name for name in frame.columns if name in {*_CARD_SUMS, *_VALUE_SUMS}]
    keys = [name for name in frame.columns if name not in summed]
    added = frame.group_by(keys).agg(pl.col(name).sum() for name in summed).sort(keys)
    for name in {"squares", "yy"}.intersection(summed):  # 64-bit sums wrap without a word
        if added.height and added[name].min() < 0:  # type: ignore[operator]
            raise OverflowError("a sum of squares leaves 63 bits")
    return added


def grown(
    stored: Mapping[str, bytes], made: Mapping[str, pl.DataFrame], players: int
) -> dict[str, pl.DataFrame]:
    """Return the frames of a shard from its stored first deals and its new ones.

    Parameters
    ----------
    stored : mapping of str to bytes
        Parquet files by part (``games``, ``seats``, ``sums/wins`` …).
    made : mapping of str to polars.DataFrame
        The same parts of the new deals.
    players : int
    """
    import polars as pl

    both = {part: (pl.read_parquet(stored[part]), frame) for part, frame in made.items()}
    frames = {}
    if "games" in both:
        games, seats = pl.concat(both.pop("games")), pl.concat(both.pop("seats"))
        order = np.lexsort((games["cell"].to_numpy(), games["deal"].to_numpy()))
        places = (order[:, None] * players + np.arange(players)).reshape(-1)
        frames = {"games": games[order], "seats": seats[places]}
    return {**frames, **{part: merged(parts) for part, parts in both.items()}}


def schemas(manifest: Manifest) -> dict[str, pl.Schema]:
    """Return the columns that the files of a run have, by part: those of a shard without games."""
    from sim.core.records import allocate

    plan, declared = manifest.plan, manifest.declared
    section = sections(Cut.from_json(manifest.identity["cut"]), plan)[0]
    shard = Shard("", section, (Piece(section.blocks[0].number, 0, 0),), 0)
    names, spec = declared.names(plan), declared.spec(plan, shard.players)
    none = allocate(declared.info, 0, shard.players)
    supply = np.zeros((0, 0), np.uint8) if "supply" in manifest.identity else None
    policy = np.zeros((0, shard.players), np.int16)
    games, seats = row_frames(names, plan, shard, none.games, none.seats, policy, supply)
    pooled = Pooled.zeros(spec)
    pooled.cards = np.zeros((0, len(declared.info.card_fields), len(_CARD_SUMS)), np.int64)
    pooled.series = np.zeros((shard.players, 0, len(declared.info.series), 3), np.int64)
    frames: dict[str, pl.DataFrame] = {"games": games, "seats": seats}
    for name, frame in sum_frames(names, spec, shard, ShardSums(pooled=pooled)).items():
        frames[f"sums/{name}"] = frame
    return {part: frames[part].schema for part in manifest.folders}


def has_schema(file: Path, schema: pl.Schema) -> bool:
    """Whether a file is Parquet with these columns."""
    import polars as pl

    try:
        return pl.read_parquet_schema(file) == schema
    except (OSError, ValueError, pl.exceptions.PolarsError):
        return False


def to_parquet(frame: pl.DataFrame) -> bytes:
    """Return a frame as Parquet; equal frames give equal bytes."""
    target = io.BytesIO()
    frame.rechunk().write_parquet(
        target, compression="zstd", compression_level=3, row_group_size=_ROW_GROUP, statistics=True
    )
    return target.getvalue()
