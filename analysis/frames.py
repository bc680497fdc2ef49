"""Tables of rates and means by seat, policy, player count or any other column.

Every function takes a run (rows or sums kept) or a frame, polars or pandas, and answers in the
frame library it was asked in. Rows and sums give the same figures to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from analysis import estimates
from analysis.folding import SUMS, pool
from analysis.reading import read
from analysis.sections import designs_for
from sim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["end_reasons", "histogram", "outcomes", "win_rates"]

DESIGNS = ("fixed", "mirror", "rotation", "pool")

#: What intervals are read together: one player count, the whole table, or a number of intervals.
Family = Literal["players", "table"] | int
FAMILIES = ("players", "table")

#: Names of columns that a table has of its own, so that no key can bear them.
_OWN = frozenset(
    [*SUMS, "n", "squares", "rate", "se", "lo", "hi", "parity", "verdict", "solo", "mean", "sd"]
)

#: Columns of a table of rates after its keys.
RATE_COLUMNS = (
    "games", "rows", "clusters", "rate", "se", "lo", "hi", "parity", "verdict",
)  # fmt: skip


def win_rates(
    source: Any,
    by: Sequence[str] = ("players", "seat"),
    *,
    level: float = 0.95,
    simultaneous: bool = True,
    family: Family = "players",
    margin: float | None = None,
    design: str | Sequence[str] | None = None,
    pooled: bool = False,
    anytime: bool | None = None,
) -> Any:
    """Return win rates by group, each with its interval, number of games and verdict.

    A win shared by k seats counts 1/k for each. The interval is Wilson's at an effective sample
    size, with the deal as cluster (see :mod:`analysis.estimates`).

    Parameters
    ----------
    source : Run, or polars or pandas frame of seat rows
        A frame needs ``win60``, ``deal``, ``game``, ``players`` and the keys: ``Run.rows`` has
        them all, and may be filtered. ``players`` may be missing where the rows are all seats of
        whole games.
    by : sequence of str
        Keys of the table: ``players``, ``seat``, ``policy``, ``design``, or any column of the
        rows. From sums, the groupings that the run kept.
    level : float
        Probability that all intervals of a family cover.
    simultaneous : bool
        Whether intervals of a family share the level (Bonferroni).
    family : {"players", "table"} or int
        What is read together: the rows of one player count, all rows of the table, or so many
        intervals, of which these are some.
    margin : float, optional
        Largest deviation from parity that counts as balanced, as a rate; without it there is no
        verdict. With it: ``balanced`` when the interval lies inside parity ± margin,
        ``unbalanced`` when outside, ``undecided`` else, ``too few games`` when nothing can be said.
    design : str or sequence of str, optional
        Blocks of the plan to use: ``mirror``, ``rotation``, ``pool``, ``fixed``. By default those
        that answer the question, as on the page: for a policy full rotations, as its share in
        mirrors is always parity and drawn line-ups put it beside itself; for seats alone mirrors
        and rotations; all for any other keys, with ``design`` among the keys, and for a frame
        without that column. What is not there is replaced by what is.
    pooled : bool
        Whether several player counts may be thrown together when ``players`` is no key. Their
        parities differ; the one shown is the average over the rows.
    anytime : bool, optional
        Whether intervals hold at all looks together, however often one looks (a confidence
        sequence). By default where a run ended because of its verdicts: see
        :func:`analysis.stop_rule`.

    Returns
    -------
    polars or pandas DataFrame
        The keys, ``games``, ``rows`` (more than games where a key has several seats of one game),
        ``clusters`` (deals), each with at least one row of the key, ``rate``, ``se``, ``lo``,
        ``hi``, ``parity`` (null for one player) and ``verdict``, sorted by the keys.

    Raises
    ------
    UnknownNameError
        For a key or a design that does not exist.
    InputError
        When several player counts would be pooled silently, or when the run kept only sums and
        not those of these keys.

    Examples
    --------
    >>> import polars as pl
    >>> rows = pl.DataFrame({"deal": [0, 0, 1, 1], "seat": [1, 2, 1, 2], "win60": [60, 0, 30, 30]})
    >>> rows = rows.with_columns(game="deal", players=2)
    >>> win_rates(rows, ["seat"])["rate"].to_list()
    [0.75, 0.25]
    """
    import polars as pl

    keys = keys_of(by)
    data = read(source)
    there = data.designs()
    used = _designs(design, there)
    if used is None:
        used = designs_for(keys, there) if there else None
    sums = data.win_sums(keys, used)
    counts = sums["players"].n_unique()
    if "players" not in keys and counts > 1 and not pooled:
        raise InputError(
            f"this table would pool {counts} player counts, whose parities differ: add 'players' "
            "to the keys, or ask for one table over all of them (pooled=True, --pooled)"
        )
    sums = sums.with_columns(parity=pl.col("rows") / pl.col("players"))
    parity = sums.group_by(keys).agg(pl.col("parity").sum(), solo=(pl.col("players") == 1).any())
    table = pool(sums, keys).join(parity, on=keys, how="left", nulls_equal=True).sort(keys)
    looked = data.stopped_by_verdict() if anytime is None else anytime
    z = quantiles(table, keys, level, family if simultaneous else 1, anytime=looked)
    got = estimates.clustered_rates(**_arrays(table), z=z)
    fair = (table["parity"] / table["rows"]).to_numpy()
    said: list[str | None]
    if margin is None:
        said = [estimates.TOO_FEW if few else None for few in got.few.tolist()]
    else:
        said = list(estimates.verdicts(got.lo, got.hi, fair, margin, got.few))
    result = table.with_columns(
        rate=pl.Series(got.rate),
        se=pl.Series(got.se),
        lo=pl.Series(got.lo),
        hi=pl.Series(got.hi),
        parity=pl.when("solo").then(None).otherwise(pl.Series(fair)),
        verdict=pl.when("solo").then(None).otherwise(pl.Series(said, dtype=pl.String)),
    ).select(*keys, *RATE_COLUMNS)
    return data.answer(result)


def outcomes(
    source: Any,
    column: str = "rounds",
    by: Sequence[str] = ("players",),
    *,
    level: float = 0.95,
    simultaneous: bool = True,
    family: Family = "players",
    design: str | Sequence[str] | None = None,
) -> Any:
    """Return the mean of an outcome by group, with its interval.

    Parameters
    ----------
    source : Run or frame
        A frame needs the column, ``deal``, ``game`` and the keys. For a column of games it should
        be a frame of games, or each game counts as often as it has rows.
    column : str
        A column with one value a game (``rounds``, ``turns``) or one a seat (``score``).
    by : sequence of str
        Keys of the table.
    level : float
        Probability that all intervals of a family cover.
    simultaneous : bool
        Whether intervals of a family share the level.
    family : {"players", "table"} or int
        As for :func:`win_rates`.
    design : str or sequence of str, optional
        Blocks of the plan to use, all by default.

    Returns
    -------
    polars or pandas DataFrame
        The keys, ``games``, ``rows``, ``clusters``, ``mean``, ``sd`` (of single values), ``se``
        (with the deal as cluster), ``lo``, ``hi``.

    Raises
    ------
    UnknownNameError
        For a column, key or design that does not exist.
    InputError
        When the source cannot be read, or when the run kept only sums and not those of these keys.

    Examples
    --------
    >>> import polars as pl
    >>> rows = pl.DataFrame({"game": [0, 1], "deal": [0, 1], "rounds": [20, 24]})
    >>> rows = rows.with_columns(players=2, end_reason=pl.lit("target"))
    >>> outcomes(rows, "rounds")["mean"].to_list()
    [22.0]
    """
    import polars as pl

    keys = keys_of(by)
    data = read(source)
    sums = data.value_sums(column, keys, _designs(design, data.designs()))
    squares = sums.group_by(keys).agg(pl.col("squares").sum())
    table = pool(sums, keys).join(squares, on=keys, how="left", nulls_equal=True).sort(keys)
    looked = data.stopped_by_verdict()
    z = quantiles(table, keys, level, family if simultaneous else 1, anytime=looked)
    got = estimates.means(**_arrays(table), squares=table["squares"].to_numpy(), z=z)
    result = table.with_columns(
        mean=pl.Series(got.mean),
        sd=pl.Series(got.sd).fill_nan(None),
        se=pl.Series(got.se).fill_nan(None),
        lo=pl.Series(got.lo).fill_nan(None),
        hi=pl.Series(got.hi).fill_nan(None),
    ).select(*keys, "games", "rows", "clusters", "mean", "sd", "se", "lo", "hi")
    return data.answer(result)


def end_reasons(
    source: Any,
    *,
    level: float = 0.95,
    simultaneous: bool = True,
    family: Family = "players",
    design: str | Sequence[str] | None = None,
) -> Any:
    """Return how often games end for which reason, by player count.

    Parameters
    ----------
    source : Run or frame
        As for :func:`win_rates`.
    level : float
        Probability that all intervals of a family cover.
    simultaneous : bool
        Whether intervals of a family share the level.
    family : {"players", "table"} or int
        As for :func:`win_rates`.
    design : str or sequence of str, optional
        Blocks of the plan to use, all by default.

    Returns
    -------
    polars or pandas DataFrame
        ``players``, ``end_reason``, ``count``, ``games``, ``rate``, ``se``, ``lo``, ``hi``;
        reasons that did not occur are left out, as they have no row to count.

    Raises
    ------
    UnknownNameError
        For a column, key or design that does not exist.
    InputError
        When the source cannot be read, or when the run kept only sums and not those of these keys.

    Examples
    --------
    >>> import polars as pl
    >>> rows = pl.DataFrame({"game": [0, 1], "deal": [0, 1], "rounds": [20, 24]})
    >>> rows = rows.with_columns(players=2, end_reason=pl.lit("target"))
    >>> end_reasons(rows).select("players", "end_reason", "count", "rate").rows()
    [(2, 'target', 2, 1.0)]
    """
    import polars as pl

    data = read(source)
    table = pool(data.reason_sums(_designs(design, data.designs())), ["players", "end_reason"])
    table = table.sort("players", "end_reason")
    looked = data.stopped_by_verdict()
    z = quantiles(table, ["players"], level, family if simultaneous else 1, anytime=looked)
    got = estimates.clustered_rates(**_arrays(table), z=z, win=1)
    result = table.select(
        "players",
        "end_reason",
        pl.col("y").alias("count"),
        "games",
        pl.Series("rate", got.rate),
        pl.Series("se", got.se),
        pl.Series("lo", got.lo),
        pl.Series("hi", got.hi),
    )
    return data.answer(result)


def histogram(
    source: Any, column: str = "rounds", *, design: str | Sequence[str] | None = None
) -> Any:
    """Return how many games had which value of a column, by player count.

    A description of the games that were played, without intervals: for a claim about a share use
    :func:`end_reasons`, for one about the mean :func:`outcomes`.

    Parameters
    ----------
    source : Run or frame
        As for :func:`win_rates`.
    column : str
        A column with one whole number a game.
    design : str or sequence of str, optional
        Blocks of the plan to use, all by default.

    Returns
    -------
    polars or pandas DataFrame
        ``players``, ``value``, ``games``, and ``share`` of the games of that player count.

    Raises
    ------
    UnknownNameError
        For a column, key or design that does not exist.
    InputError
        When the source cannot be read, or when the run kept only sums and not those of these keys.

    Examples
    --------
    >>> import polars as pl
    >>> rows = pl.DataFrame({"game": [0, 1], "deal": [0, 1], "rounds": [20, 24]})
    >>> rows = rows.with_columns(players=2, end_reason=pl.lit("target"))
    >>> histogram(rows, "rounds").rows()
    [(2, 20, 1, 0.5), (2, 24, 1, 0.5)]
    """
    import polars as pl

    data = read(source)
    table = data.counts(column, _designs(design, data.designs())).sort("players", "value")
    return data.answer(
        table.with_columns(share=pl.col("games") / pl.col("games").sum().over("players"))
    )


def keys_of(by: Sequence[str]) -> list[str]:
    """Return the keys of a table as a list, or raise where they cannot be."""
    if isinstance(by, str):
        by = [part.strip() for part in by.split(",") if part.strip()]
    keys = list(by)
    if twice := [key for key in dict.fromkeys(keys) if keys.count(key) > 1]:
        raise InputError(f"a key is given twice: {', '.join(twice)}")
    if taken := [key for key in keys if key in _OWN]:
        raise InputError(
            f"a table has a column {', '.join(taken)} of its own: give the key another name"
        )
    if not keys:
        raise InputError("a table needs at least one key, such as 'players' or 'seat'")
    return keys


def _designs(design: str | Sequence[str] | None, there: Sequence[str]) -> tuple[str, ...] | None:
    """Return the designs asked for, of which at least one has been played."""
    if design is None:
        return None
    names = (design,) if isinstance(design, str) else tuple(design)
    for name in names:
        if name not in DESIGNS:
            raise UnknownNameError("design", name, DESIGNS)
    if there and not set(names) & set(there):
        raise InputError(f"nothing of design {' or '.join(names)}; there is {', '.join(there)}")
    return names


def quantiles(
    table: pl.DataFrame,
    keys: Sequence[str],
    level: float,
    family: Family,
    *,
    anytime: bool = False,
) -> list[float]:
    """Return for each row of a table the quantile that its family calls for.

    Parameters
    ----------
    table : polars DataFrame
        The keys and ``clusters``.
    keys : sequence of str
    level : float
    family : {"players", "table"} or int
    anytime : bool
        Whether intervals hold at all looks together.
    """
    import polars as pl

    if not 0 < level < 1:
        raise InputError(f"a level lies between 0 and 1, such as 0.95; not {level}")
    if isinstance(family, int):
        sizes = [family] * table.height
    elif family not in FAMILIES:
        raise UnknownNameError("family", family, FAMILIES)
    elif family == "table" or "players" not in keys:
        sizes = [table.height] * table.height
    else:
        sizes = [int(n) for n in table.select(pl.len().over("players")).to_series()]
    if anytime:
        pairs = zip(table["clusters"].to_list(), sizes, strict=True)
        return [estimates.sequence_value(max(1, n), level, size) for n, size in pairs]
    return [estimates.z_value(level, size) for size in sizes]


def _arrays(table: pl.DataFrame) -> dict[str, Any]:
    names = [name for name in SUMS if name != "games"]
    return {name: table[name].to_numpy() for name in names}
