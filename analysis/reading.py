"""What tables are made from: runs and frames, brought to one shape.

A :class:`Source` answers with exact integer sums by group, whether it reads stored sums, stored
rows or somebody's frame, and hands results back in the frame library it was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from analysis.folding import fold, fold_shares
from sim.core.title import WIN
from sim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FrameSource", "Source", "read", "to_pandas", "to_polars"]

Designs = tuple[str, ...] | None

_WHOLE = "Run.rows and Run.scan_rows() have the columns cell, deal, game, players and design"


class Source(Protocol):
    """Sums by group. ``players`` is always a column of win sums, asked for or not."""

    def win_sums(self, keys: Sequence[str], designs: Designs) -> pl.DataFrame:
        """Return the keys, ``players`` and ``SUMS`` of ``win60``."""
        ...

    def value_sums(self, column: str, keys: Sequence[str], designs: Designs) -> pl.DataFrame:
        """Return the keys, ``SUMS`` and ``squares`` of a column of games or seats."""
        ...

    def reason_sums(self, designs: Designs) -> pl.DataFrame:
        """Return ``players``, ``end_reason`` and ``SUMS`` counting games."""
        ...

    def counts(self, column: str, designs: Designs) -> pl.DataFrame:
        """Return ``players``, ``value`` and ``games``."""
        ...

    def answer(self, table: pl.DataFrame) -> Any:
        """Return a table in the library of the source."""
        ...

    def designs(self) -> tuple[str, ...]:
        """Return the designs that were played, none where that is not known."""
        ...

    def stopped_by_verdict(self) -> bool:
        """Return whether where the games end was decided by their own results."""
        ...


def read(source: Any) -> Source:
    """Return the source behind a run, a polars frame or a pandas frame.

    Parameters
    ----------
    source : Run, polars DataFrame or LazyFrame, pandas DataFrame, or Source

    Raises
    ------
    InputError
        When it is none of these, or a frame without what is needed.
    """
    import polars as pl

    if isinstance(source, pl.DataFrame):
        return FrameSource(source.lazy())
    if isinstance(source, pl.LazyFrame):
        return FrameSource(source)
    kind = f"{type(source).__module__.partition('.')[0]}.{type(source).__name__}"
    if kind == "pandas.DataFrame":
        return FrameSource(to_polars(source).lazy(), pandas=True)
    if isinstance(source, FrameSource):
        return source
    if hasattr(type(source), "scan_seats"):  # asked of the class: a property would read files
        from analysis.runs import RunSource

        return RunSource(source)
    raise InputError(f"a run or a frame is needed, not {kind}")


class FrameSource:
    """Seat rows of a frame, one row a game and seat (or one row a game, for outcomes of games)."""

    def __init__(self, rows: pl.LazyFrame, *, pandas: bool = False) -> None:
        import polars as pl

        self._pandas = pandas
        names = rows.collect_schema().names()
        for name, what in (("deal", "games that share a deal"), ("game", "seats of one game")):
            if name not in names:
                raise InputError(
                    f"the frame has no column {name!r}, without which {what} would be taken for "
                    f"independent; {_WHOLE}"
                )
        if "players" not in names and _are_whole_games(rows, names):
            rows = rows.with_columns(players=pl.len().over("game").cast(pl.Int64))
        self._rows = rows
        self.names = rows.collect_schema().names()

    def answer(self, table: pl.DataFrame) -> Any:
        """Return a table in the library of the source."""
        return to_pandas(table) if self._pandas else table

    def designs(self) -> tuple[str, ...]:
        """Return the designs of the rows, none where there is no such column."""
        import polars as pl

        if "design" not in self.names:
            return ()
        found = self._rows.select(pl.col("design").cast(pl.String).unique().sort()).collect()
        return tuple(name for name in found.to_series() if name is not None)

    def stopped_by_verdict(self) -> bool:
        """Return False: a frame does not say."""
        return False

    def win_sums(self, keys: Sequence[str], designs: Designs) -> pl.DataFrame:
        """Return the keys, ``players`` and ``SUMS`` of ``win60``."""
        self.check([*keys, "players", "win60"])
        return fold(self.rows(designs), list(dict.fromkeys([*keys, "players"])), "win60")

    def value_sums(self, column: str, keys: Sequence[str], designs: Designs) -> pl.DataFrame:
        """Return the keys, ``SUMS`` and ``squares`` of a column of games or seats."""
        import polars as pl

        self.check([*keys, column])
        rows = self.rows(designs)
        squares = rows.group_by(list(keys)).agg(
            squares=(pl.col(column).cast(pl.Int64) * pl.col(column).cast(pl.Int64)).sum()
        )
        table = fold(rows, keys, column)
        return table.join(squares.collect(), on=list(keys), how="left", nulls_equal=True)

    def reason_sums(self, designs: Designs) -> pl.DataFrame:
        """Return ``players``, ``end_reason`` and ``SUMS`` counting games."""
        self.check(["players", "end_reason"])
        games = self.rows(designs).unique("game", keep="any")
        return fold_shares(games, ["players"], "end_reason")

    def counts(self, column: str, designs: Designs) -> pl.DataFrame:
        """Return ``players``, ``value`` and ``games``."""
        import polars as pl

        self.check(["players", column])
        games = self.rows(designs).unique("game", keep="any")
        grouped = games.group_by("players", pl.col(column).cast(pl.Int64).alias("value"))
        return grouped.agg(games=pl.len().cast(pl.Int64)).collect(engine="streaming")

    def check(self, wanted: Sequence[str]) -> None:
        """Raise for a column that is not there, naming the nearest one that is."""
        for name in wanted:
            if name == "players" and name not in self.names:
                raise InputError(
                    "the frame has no column 'players', from which parity follows, and its rows "
                    f"are not all seats of whole games, from which it could be counted; {_WHOLE}"
                )
            if name not in self.names:
                raise UnknownNameError("column", name, self.names)

    def rows(self, designs: Designs) -> pl.LazyFrame:
        """Return the rows of some designs."""
        import polars as pl

        if designs is None:
            return self._rows
        self.check(["design"])
        return self._rows.filter(pl.col("design").cast(pl.String).is_in(list(designs)))


def _are_whole_games(rows: pl.LazyFrame, names: Sequence[str]) -> bool:
    """Return whether each game has the seats 1 to n and one whole win, so that n is known."""
    import polars as pl

    if not {"seat", "win60"} <= set(names):
        return False
    games = rows.group_by("game").agg(
        seats=pl.col("seat").n_unique() == pl.len(),
        first=pl.col("seat").min() == 1,
        last=pl.col("seat").max() == pl.len(),
        won=pl.col("win60").cast(pl.Int64).sum() == WIN,
    )
    return bool(games.select(pl.all_horizontal(pl.exclude("game")).all()).collect().item())


def to_polars(frame: Any) -> pl.DataFrame:
    """Return a pandas frame as a polars frame, without the help of pyarrow.

    Parameters
    ----------
    frame : pandas DataFrame
        Index levels are dropped; text and categories become strings, missing values null.
    """
    import polars as pl

    columns: dict[str, pl.Series] = {}
    for name in frame.columns:
        series = frame[name]
        if series.dtype.kind in "iufb" and type(series.dtype).__module__.startswith("numpy"):
            columns[str(name)] = pl.Series(str(name), series.to_numpy())
        else:
            missing = series.isna().tolist()
            values = [None if m else v for v, m in zip(series.tolist(), missing, strict=True)]
            columns[str(name)] = pl.Series(str(name), values)
    return pl.DataFrame(columns)


def to_pandas(frame: pl.DataFrame) -> Any:
    """Return a polars frame as a pandas frame, without the help of pyarrow.

    Parameters
    ----------
    frame : polars DataFrame
        Columns of numbers keep their type; nulls among them become NaN.
    """
    import pandas as pd
    import polars as pl

    columns: dict[str, Any] = {}
    for name, dtype in frame.schema.items():
        series = frame[name]
        if dtype.is_numeric() or dtype == pl.Boolean:
            columns[name] = series.to_numpy()
        else:
            columns[name] = pd.Series(series.to_list(), dtype=object)
    return pd.DataFrame(columns)
