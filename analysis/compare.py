"""What a change of the rules does: two runs of the same deals, compared deal by deal.

Runs of different rules share their chance where seed and plan are the same: the same shuffles in
the same seats. What the change does not touch drops out of the difference, which is why a few
thousand deals tell what would take many times as many games on deals of their own.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis import estimates
from analysis.frames import Family, keys_of, quantiles
from analysis.paired import PRODUCTS, ratio_differences
from analysis.sections import designs_for, present
from sim.core.title import WIN
from sim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import polars as pl

    from sim.run.result import Run

__all__ = [
    "Changed",
    "Parting",
    "changed_deals",
    "changed_games",
    "check_pair",
    "compare",
    "parting",
]

#: Columns of a comparison after its keys.
CHANGE_COLUMNS = (
    "games", "clusters", "before", "after", "change", "se", "lo", "hi", "saving", "unpaired",
)  # fmt: skip


def compare(
    before: Run,
    after: Run,
    by: Sequence[str] = ("players", "seat"),
    value: str = "win60",
    *,
    level: float = 0.95,
    simultaneous: bool = True,
    family: Family = "table",
    design: str | Sequence[str] | None = None,
) -> pl.DataFrame:
    """Return what differs between two runs of the same deals, by group.

    Parameters
    ----------
    before, after : Run
        Of the same title, seed and plan, with rows kept; of different rules, policies or bans.
    by : sequence of str
        Keys: ``players``, ``seat``, ``policy``, ``design``, or any column of the rows. A key that
        is chosen during play (a contracted witch) may differ between the two runs of a game: its
        rate before and its rate after are then compared, as ratios over the same deals.
    value : str
        ``win60`` for win rates, or a column of games or seats for its mean.
    level : float
        Probability that all intervals of a family cover.
    simultaneous : bool
        Whether intervals of a family share the level (Bonferroni).
    family : {"players", "table"} or int
        As for :func:`analysis.win_rates`.
    design : str or sequence of str, optional
        As for :func:`analysis.win_rates`.

    Returns
    -------
    polars DataFrame
        The keys, ``games`` and ``clusters`` (deals) in which either run has a row of the key,
        ``before``, ``after``, ``change`` with ``se``, ``lo``, ``hi`` (rates, or means of the
        value), ``saving`` (how many times as many games two runs on deals of their own would have
        needed) and ``unpaired`` (these games); the two last are null where no deal differs.

    Raises
    ------
    UnknownNameError
        For a column that does not exist.
    InputError
        When the runs do not share their deals, or kept sums only.

    Examples
    --------
    >>> import sim
    >>> asked = {"games": 600, "players": 2, "lineup": "naive,forge_1"}
    >>> one = sim.simulate("classic", **asked)
    >>> two = sim.simulate("classic", overrides="cards.forge.cost=5", **asked)
    >>> compare(one, two)["games"].to_list()
    [600, 600]
    """
    import polars as pl

    keys = keys_of(by)
    check_pair(before, after)
    designs = _designs(before, keys, design)
    unit = WIN if value == "win60" else 1
    sides = [_by_deal(run, keys, value, designs) for run in (before, after)]
    joined = sides[0].join(
        sides[1].rename({"y": "v", "n": "m", "games": "others"}),
        on=[*keys, "deal"],
        how="full",
        coalesce=True,
        nulls_equal=True,
    )
    filled = joined.with_columns(pl.col("y", "n", "v", "m", "games", "others").fill_null(0))
    table = (
        filled.group_by(keys)
        .agg(
            clusters=pl.len().cast(pl.Int64),
            games=pl.max_horizontal("games", "others").sum(),
            **{name: _product(name) for name in PRODUCTS},
        )
        .sort(keys)
        .collect(engine="streaming")
    )
    z = quantiles(table, keys, level, family if simultaneous else 1)
    sums = {name: table[name].to_list() for name in PRODUCTS}
    got = ratio_differences(sums, table["clusters"].to_list(), z, unit)
    told = {name: pl.Series(getattr(got, name)).fill_nan(None) for name in got.__dataclass_fields__}
    result = table.select(*keys, "games", "clusters").with_columns(**told)
    if value != "win60":
        # Of what has no bounds, a run in which nothing differed does not say how far it might.
        spread = pl.col("se") > 0
        result = result.with_columns(
            lo=pl.when(spread).then(pl.col("lo")), hi=pl.when(spread).then(pl.col("hi"))
        )
    needed = (pl.col("games") * pl.col("saving")).round(0).cast(pl.Int64)
    return result.with_columns(unpaired=needed).select(*keys, *CHANGE_COLUMNS)


@dataclass(frozen=True, slots=True)
class Changed:
    """How many deals a change had any effect on.

    Attributes
    ----------
    deals, changed : int
        Deals that were compared, and those in which a game was won by others, or shared otherwise.
    rate, lo, hi : float
        Their share, with its interval.
    """

    deals: int
    changed: int
    rate: float
    lo: float
    hi: float


def changed_deals(
    before: Run, after: Run, players: int | None = None, *, level: float = 0.95
) -> Changed:
    """Return in how many deals the result of a game changed.

    Parameters
    ----------
    before, after : Run
        As for :func:`compare`.
    players : int, optional
        Only games of so many players.
    level : float
        Coverage of the interval (Wilson's, the deal being the unit).
    """
    import polars as pl

    games = _results(before, after)
    if players is not None:
        games = games.filter(pl.col("players") == players)
    deals = games.group_by("deal").agg(pl.col("changed").any())
    total, changed = deals.select(pl.len(), pl.col("changed").sum()).collect().row(0)
    rate = changed / total if total else float("nan")
    z = estimates.z_value(level)
    lo, hi = estimates.wilson(rate if total else 0.0, total, z)
    return Changed(total, changed, rate, float(lo), float(hi))


def changed_games(before: Run, after: Run, most: int = 10) -> pl.DataFrame:
    """Return the first games whose result changed, in the order of cells and deals.

    Parameters
    ----------
    before, after : Run
        As for :func:`compare`.
    most : int
        Number of games.

    Returns
    -------
    polars DataFrame
        ``game``, ``deal``, ``players``, and by seat the shares ``before`` and ``after``, in
        sixtieths. Each game can be told from either run (``tenbin trace RUN --game GAME``).
    """
    found = _results(before, after).filter("changed").sort("game").head(most)
    return found.select("game", "deal", "players", "before", "after").collect()


def check_pair(before: Run, after: Run) -> None:
    """Raise when two runs were not played on the same deals."""
    for name, what in (("title", "titles"), ("seed", "seeds"), ("plan", "plans")):
        if before.identity[name] != after.identity[name]:
            raise InputError(
                f"the two runs have different {what}, so that they share no deals: play both with "
                "the same title, seed and line-ups"
            )
    if before.games_count != after.games_count:
        raise InputError(
            f"one run has {before.games_count:,} games and the other {after.games_count:,}: play "
            "the same number"
        )
    for run in (before, after):
        if run.keep == "sums":
            raise InputError(f"{run!r} kept sums only, and deals are compared by rows: keep rows")


def _designs(run: Run, keys: Sequence[str], design: str | Sequence[str] | None) -> tuple[str, ...]:
    there = present(run.plan)
    if design is None:
        return designs_for(keys, there)
    names = (design,) if isinstance(design, str) else tuple(design)
    for name in names:
        if name not in there:
            raise UnknownNameError("design", name, there)
    return names


def _by_deal(run: Run, keys: Sequence[str], value: str, designs: Sequence[str]) -> pl.LazyFrame:
    """Return by keys and deal the total of a value, its number, and the games it comes from."""
    import polars as pl

    games = {column.name for column in run.info.level("game")}
    if value in games and not set(keys) - games - {"players", "design", "block", "cell"}:
        cells = run.cells.lazy().select("cell", "block", "design")
        rows = run.scan_games().join(cells, on="cell")  # a game counts once, not once a seat
    else:
        rows = run.scan_rows()
    names = rows.collect_schema().names()
    for name in (*keys, value):
        if name not in names:
            raise UnknownNameError("column", name, names)
    rows = rows.filter(pl.col("design").cast(pl.String).is_in(list(designs)))
    plain = [pl.col(key).cast(pl.String) if key == "design" else pl.col(key) for key in keys]
    return rows.group_by(*plain, "deal").agg(
        y=pl.col(value).cast(pl.Int64).sum(),
        n=pl.len().cast(pl.Int64),
        games=pl.col("game").n_unique().cast(pl.Int64),
    )


def _product(name: str) -> pl.Expr:
    import polars as pl

    factors = [pl.col(letter) for letter in list(name)]
    return (factors[0] * factors[1] if len(factors) > 1 else factors[0]).sum()


def _results(before: Run, after: Run) -> pl.LazyFrame:
    """Return one row a game: the shares of its seats in both runs, and whether they differ."""
    import polars as pl

    check_pair(before, after)
    place = before.scan_games().select("game", "deal", "players")
    shares = [
        run.scan_seats().group_by("game").agg(pl.col("win60").sort_by("seat").alias(name))
        for run, name in ((before, "before"), (after, "after"))
    ]
    both = place.join(shares[0], on="game").join(shares[1], on="game")
    return both.with_columns(changed=pl.col("before") != pl.col("after"))


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two tellings of one game part: the number of the event, and both events there.

    Attributes
    ----------
    at : int
        Number of the first event that differs.
    before, after : mapping
        The two events; empty where a story has ended.
    """

    at: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def parting(before: Run, after: Run, game: int) -> Parting | None:
    """Return where a game of two runs first differs, told by the readable engine.

    Parameters
    ----------
    before, after : Run
        As for :func:`compare`.
    game : int
        Number of the game.

    Returns
    -------
    Parting or None
        None when the two games are the same.
    """
    import sim

    one, other = (sim.trace(run, game=game).events for run in (before, after))
    # The set-up names the rules, which differ by intention.
    nothing: Mapping[str, Any] = {}
    both = itertools.zip_longest(one, other, fillvalue=nothing)
    for at, (first, second) in enumerate(both):
        if first != second and not (first and first["event"] == "setup"):
            return Parting(at, first, second)
    return None
