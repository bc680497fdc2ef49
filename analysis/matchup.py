"""Who beats whom: win rates of pairs, in games of two.

A pair's rate is that of games in which the two met; that one pair's rates add up to one is how the
games are, so each pair stands in the table twice. In rotations both seatings of a pair are played
on each deal, so the seat drops out of its rate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import frames
from analysis.reading import FrameSource, read, to_pandas, to_polars
from sim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["NothingMetError", "matchups"]


class NothingMetError(InputError):
    """No two values of a key met in games of two."""


def matchups(
    source: Any, by: str = "policy", *, level: float = 0.95, margin: float | None = None
) -> Any:
    """Return the win rate of each value of a key against each other one, in games of two.

    Parameters
    ----------
    source : Run with rows, or polars or pandas frame of seat rows
        With ``win60``, ``deal``, ``game``, ``seat``, ``players`` and the key; games of other
        numbers of players are left out. Of a run, its rotations are used, else all games.
    by : str
        ``policy``, or a category column of seats.
    level : float
        Probability that the intervals of all pairs cover, together.
    margin : float, optional
        Largest deviation from one half that counts as balanced.

    Returns
    -------
    polars or pandas DataFrame
        The key, ``against``, and the columns of :func:`win_rates`; both orders of each pair, no
        value against itself.

    Raises
    ------
    UnknownNameError
        For a key that does not exist.
    NothingMetError
        When there are no games of two in which two values met.
    InputError
        When the run kept no rows, or rows are those of several runs,
        whose games have the same numbers.

    Examples
    --------
    >>> import polars as pl
    >>> rows = pl.DataFrame({
    ...     "deal": [0, 0, 0, 0], "game": [0, 0, 1, 1], "seat": [1, 2, 1, 2],
    ...     "policy": ["a", "b", "b", "a"], "win60": [60, 0, 30, 30],
    ... }).with_columns(players=2)
    >>> matchups(rows).select("policy", "against", "rate").rows()
    [('a', 'b', 0.75), ('b', 'a', 0.25)]
    """
    import polars as pl

    rows, pandas = _rows(source)
    there = rows.collect_schema().names()
    if by not in there:
        raise UnknownNameError("column", by, there)
    two = rows.filter(pl.col("players") == 2)
    sides = two.select("game", "seat", against=pl.col(by).cast(pl.String))
    facing = sides.with_columns(seat=3 - pl.col("seat"))
    try:
        met = (
            two.with_columns(pl.col(by).cast(pl.String))
            .join(facing, on=["game", "seat"], validate="m:1")
            .filter(pl.col(by) != pl.col("against"))
            .select("deal", "game", "players", "win60", by, "against")
            .collect()
        )
    except pl.exceptions.ComputeError as error:
        if "validation" not in str(error):
            raise
        raise InputError(
            "rows: found a seat of a game twice, as when rows of two runs are put together; "
            "allowed: rows of one run"
        ) from error
    if met.is_empty():
        raise NothingMetError(f"no games of two in which different values of {by!r} met")
    # A pair is in the table in both orders, which say the same: it is one interval.
    pairs = met.select(by, "against").n_unique() // 2
    table = frames.win_rates(met, [by, "against"], level=level, family=max(1, pairs), margin=margin)
    return to_pandas(table) if pandas else table


def _rows(source: Any) -> tuple[pl.LazyFrame, bool]:
    """Return rows of seats, and whether they came from pandas."""
    import polars as pl

    if not hasattr(type(source), "scan_rows"):
        pandas = not isinstance(source, pl.DataFrame | pl.LazyFrame | FrameSource)
        read(source)  # refuses what is no frame
        frame = to_polars(source).lazy() if pandas else source.lazy()
        return frame, pandas
    if source.keep == "sums":
        raise InputError("pairs are told from rows, and the run kept sums only: keep rows or both")
    there = [block.design for block in source.plan.blocks if block.deals]
    rows = source.scan_rows()
    if "rotation" in there:
        rows = rows.filter(pl.col("design").cast(pl.String) == "rotation")
    return rows, False
