"""Fold rows into the exact integer sums that estimates are made of.

A store that keeps sums holds the same numbers, folded by the engine side while it played; a table
made from either is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["SUMS", "fold", "fold_shares", "pool"]

#: What is kept of a group: its rows, the deals and games they lie in, and the sums over deals of
#: Y, Y², YN and N² (Y: sum of the value, N: number of rows, both within one deal).
SUMS = ("games", "rows", "clusters", "y", "yy", "yn", "nn")


def fold(rows: pl.LazyFrame, keys: Sequence[str], value: str) -> pl.DataFrame:
    """Fold rows into sums by group, the deal being the cluster.

    Parameters
    ----------
    rows : polars LazyFrame
        Columns ``deal``, ``game``, the keys, and the value (integers).
    keys : sequence of str
        Columns that make the groups.
    value : str
        Column that is summed.

    Returns
    -------
    polars DataFrame
        The keys and :data:`SUMS` (int64), in no particular order. ``games`` and ``clusters`` count
        games and deals with at least one row of the group.
    """
    import polars as pl

    return (
        rows.group_by(list(dict.fromkeys([*keys, "deal"])))
        .agg(
            y=pl.col(value).cast(pl.Int64).sum(),
            n=pl.len().cast(pl.Int64),
            games=pl.col("game").n_unique(),
        )
        .group_by(list(keys))
        .agg(*_over_deals())
        .collect(engine="streaming")
    )


def fold_shares(games: pl.LazyFrame, keys: Sequence[str], category: str) -> pl.DataFrame:
    """Fold game rows into the sums behind the share of each value of a category.

    Parameters
    ----------
    games : polars LazyFrame
        One row a game: ``deal``, ``game``, the keys and the category.
    keys : sequence of str
        Columns that make the groups within which shares add up to one.
    category : str

    Returns
    -------
    polars DataFrame
        The keys, the category and :data:`SUMS`; ``y`` counts games of that value, ``rows`` all
        games of the group, so that ``y / rows`` is the share.
    """
    import polars as pl

    deals = games.group_by([*keys, "deal"]).agg(
        n=pl.len().cast(pl.Int64), games=pl.col("game").n_unique()
    )
    # A deal without the value still counts: its N and no Y.
    whole = deals.group_by(list(keys)).agg(
        games=pl.col("games").cast(pl.Int64).sum(),
        rows=pl.col("n").sum(),
        clusters=pl.len().cast(pl.Int64),
        nn=(pl.col("n") * pl.col("n")).sum(),
    )
    return (
        games.group_by([*keys, "deal", category])
        .agg(y=pl.len().cast(pl.Int64))
        .join(deals, on=[*keys, "deal"], how="left")
        .group_by([*keys, category])
        .agg(
            y=pl.col("y").sum(),
            yy=(pl.col("y") * pl.col("y")).sum(),
            yn=(pl.col("y") * pl.col("n")).sum(),
        )
        .join(whole, on=list(keys), how="left")
        .select(*keys, category, *SUMS)
        .collect(engine="streaming")
    )


def pool(sums: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Add up sums over everything but the keys; the parts must not share deals.

    Parameters
    ----------
    sums : polars DataFrame
        :data:`SUMS` by finer groups, such as blocks of a plan.
    keys : sequence of str
        Columns to keep.
    """
    import polars as pl

    return sums.group_by(list(keys)).agg(pl.col(name).cast(pl.Int64).sum() for name in SUMS)


def _over_deals() -> list[pl.Expr]:
    import polars as pl

    y, n = pl.col("y"), pl.col("n")
    return [
        pl.col("games").cast(pl.Int64).sum(),
        n.sum().alias("rows"),
        pl.len().cast(pl.Int64).alias("clusters"),
        y.sum(),
        (y * y).sum().alias("yy"),
        (y * n).sum().alias("yn"),
        (n * n).sum().alias("nn"),
    ]
