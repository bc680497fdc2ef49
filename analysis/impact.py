"""What a kind of card does by being on offer: effects of a random supply, adjusted for its rest.

Which kinds lie out is chance, so games with and without a kind may be compared. Two things stand
between that and a plain difference of means. A supply is drawn under constraints (one kind of a
group at least, a third of another only sometimes), so kinds come together, and a kind's difference
holds a part of its companions' effects; a regression on all kinds at once takes that out. And a
kind never comes in addition: another one stays away for it. The *effect* of a kind is therefore
that of its being there instead of an average other kind that it can stand in for.

With a supply that is the same for all seats, the mean win share is one over the number of players
whatever lies there. Only what tells seats or policies apart, or is of the whole game, can have an
effect: the gap between seats, a policy's share, the length. A title without opponents has no such
constraint: there a policy's share is how often it clears the game.

References
----------
.. [1] J. G. MacKinnon, H. White, "Some heteroskedasticity-consistent covariance matrix estimators
   with improved finite sample properties", J. Econometrics 29 (1985) 305-325: HC1.
.. [2] R. Frisch, F. V. Waugh, "Partial time regressions as compared with individual trends",
   Econometrica 1 (1933) 387-401, and M. C. Lovell, J. Am. Stat. Assoc. 58 (1963) 993-1010:
   centring within blocks is the same as a dummy for each.
.. [3] C. R. Rao, *Linear Statistical Inference and Its Applications*, 2nd ed. (1973), chapter 4:
   which contrasts of a singular design can be estimated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from analysis.estimates import z_value
from sim.core.title import WIN
from sim.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from sim.run.result import Run

__all__ = ["Presence", "presence_effects", "supply_effects"]

Floats = npt.NDArray[np.float64]

#: Rows that are widened to floats at a time.
_CHUNK = 1 << 14

#: Below this share of the largest, an eigenvalue of the scaled design is nought; two rows of a
#: projection that differ by less than its root are alike. The design is made of counts, so what is
#: not nought is of the order of one over the number of units, or more.
_NOUGHT = 1e-10

#: With fewer units beyond what is estimated, a robust covariance is too small to be believed.
_LEAST_FREE = 100

#: Designs in which a seat's share owes nothing to who sits there.
_FAIR = ("mirror", "rotation")


@dataclass(frozen=True, slots=True)
class Presence:
    """Effects of kinds being there, of one or several outcomes.

    Attributes
    ----------
    effect, se : float64 arrays, shape (outcomes, kinds)
        In the unit of the outcome; NaN where nothing can be said.
    group : int array, shape (kinds,)
        Kinds of one number can stand in for each other; the effect is against the mean of the
        others of the group. It is the place of the group's first kind, and -1 for a kind that is
        always or never there (within its blocks). A kind alone in its group cannot be told apart
        from others, as when two always come together.
    present, absent : int arrays, shape (kinds,)
        Number of units with and without each kind.
    units : int
    free : int
        Units beyond what is estimated; with none of them nothing can be said.
    """

    effect: Floats
    se: Floats
    group: npt.NDArray[np.int64]
    present: npt.NDArray[np.int64]
    absent: npt.NDArray[np.int64]
    units: int
    free: int


def presence_effects(
    present: npt.ArrayLike, y: npt.ArrayLike, block: npt.ArrayLike | None = None
) -> Presence:
    """Return the effects of kinds being there, each adjusted for the others.

    Parameters
    ----------
    present : array_like of bool, shape (units, kinds)
        Which kinds were there. The units are independent: one a deal.
    y : array_like of float, shape (units,) or (outcomes, units)
        Outcomes. They share all work that does not depend on them.
    block : array_like of int, shape (units,), optional
        Units of one number share a level of their own (a line-up).

    Returns
    -------
    Presence

    Raises
    ------
    ValueError
        When the shapes do not fit together.

    Notes
    -----
    Least squares of the outcome on one dummy a kind and one a block [2]_, with White's covariance
    for unequal variances and the factor n / (n - rank) (HC1 [1]_).

    Where always the same number of kinds is there, the dummies add up to a constant and no single
    coefficient exists. Differences within a group of kinds that can stand in for each other do
    [3]_: those between kinds on which the null space of the design has equal coordinates. Two
    drawn pools (11 of these, 2 of those) are two groups.

    Examples
    --------
    Two of four kinds are there; the first adds one, and the others nothing:

    >>> there = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]]
    >>> found = presence_effects(there, [6, 6, 6, 5, 5, 5])
    >>> (found.effect.round(6) + 0.0).tolist()
    [[1.0, -0.333333, -0.333333, -0.333333]]
    """
    there = np.asarray(present, np.bool_)
    outcomes = np.atleast_2d(np.asarray(y, np.float64))
    if there.ndim != 2 or outcomes.shape[1:] != there.shape[:1]:
        raise ValueError(
            f"present is {np.shape(present)} and y {np.shape(y)}; allowed: (units, kinds) and "
            "(units,) or (outcomes, units)"
        )
    units, kinds = there.shape
    known = np.zeros(units, np.int64) if block is None else np.asarray(block)
    if known.shape != (units,):
        raise ValueError(f"block is {known.shape}; allowed: ({units},)")
    index = np.unique(known, return_inverse=True)[1]
    design = _Design(there, index)
    varying, weights = design.varying, design.contrasts()
    effect, se = np.full((2, len(outcomes), kinds), np.nan)
    free = units - design.rank - design.blocks
    for row, values in enumerate(outcomes if free > 0 else ()):
        beta, meat = design.fit(values)
        effect[row, varying] = weights @ beta
        spread = weights @ design.inverse
        variance = ((spread @ meat) * spread).sum(axis=1) * units / free
        se[row, varying] = np.sqrt(np.maximum(variance, 0.0))
    group = np.full(kinds, -1, np.int64)
    group[varying] = varying[design.group]
    count = there.sum(axis=0)
    return Presence(effect, se, group, count, units - count, units, free)


class _Design:
    """Dummies of kinds, centred within blocks: what all outcomes share."""

    def __init__(self, there: npt.NDArray[np.bool_], index: npt.NDArray[np.int64]) -> None:
        kinds = there.shape[1]
        self._index = index
        self._sizes = np.bincount(index).astype(np.float64)
        self.blocks = len(self._sizes)
        counts = [np.bincount(index, there[:, kind], self.blocks) for kind in range(kinds)]
        means = np.reshape(counts, (kinds, self.blocks)).T / self._sizes[:, None]
        #: Kinds that are sometimes there and sometimes not, in one block at least.
        self.varying = np.flatnonzero(((means > 0) & (means < 1)).any(axis=0))
        self._there, self._means = there, means[:, self.varying]
        gram = np.zeros((len(self.varying),) * 2)
        for _, rows in self._chunks():
            gram += rows.T @ rows
        scale = np.sqrt(np.diag(gram))
        found, vectors = np.linalg.eigh(gram / np.outer(scale, scale))
        kept = found > _NOUGHT * found.max(initial=0.0)
        self.rank = int(kept.sum())
        half = vectors[:, kept] / np.sqrt(found[kept]) / scale[:, None]
        #: A generalised inverse: contrasts that can be estimated do not see which.
        self.inverse = half @ half.T
        null = np.linalg.qr(vectors[:, ~kept] / scale[:, None])[0]
        self.group = _alike(null @ null.T)

    def contrasts(self) -> Floats:
        """Return one row a varying kind: itself against the mean of the others of its group.

        Rows of kinds that are alone in their group are NaN.
        """
        same = (self.group[:, None] == self.group).astype(np.float64)
        members = same.sum(axis=1)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            rows: Floats = (np.eye(len(same)) - same / members) * (members / (members - 1))
        return rows

    def fit(self, y: Floats) -> tuple[Floats, Floats]:
        """Return coefficients (of one of many solutions) and the middle of White's covariance."""
        centred = y - (np.bincount(self._index, y, self.blocks) / self._sizes)[self._index]
        right = np.zeros(len(self.varying))
        for part, rows in self._chunks():
            right += rows.T @ centred[part]
        beta = self.inverse @ right
        meat = np.zeros_like(self.inverse)
        for part, rows in self._chunks():
            rows *= (centred[part] - rows @ beta)[:, None]
            meat += rows.T @ rows
        return beta, meat

    def _chunks(self) -> Iterator[tuple[slice, Floats]]:
        """Yield the rows of the design, centred within blocks, some at a time."""
        for first in range(0, len(self._there), _CHUNK):
            part = slice(first, first + _CHUNK)
            yield part, self._there[part][:, self.varying] - self._means[self._index[part]]


def _alike(projection: Floats) -> npt.NDArray[np.int64]:
    """Return one number for each row, the same for rows that are the same but for rounding."""
    group = np.full(len(projection), -1, np.int64)
    for place, row in enumerate(projection):
        if group[place] < 0:
            same = np.abs(projection - row).max(axis=1) < np.sqrt(_NOUGHT)
            group[same] = place
    return group


def supply_effects(run: Run, level: float = 0.95) -> pl.DataFrame:
    """Return what each kind does by being in the supply of a game.

    The outcomes are ``length`` (rounds), ``seat_gap`` (the share of seat 1 less that of the last
    seat, in mirrors and full rotations, where seats mean something) and ``policy`` (the share of
    a policy in the full rotations in which it plays, or its clear rate where there are no seats).
    The deal is the unit, with the mean over its games; line-ups have levels of their own.

    Parameters
    ----------
    run : Run
        With rows, and with ``cards`` collected.
    level : float
        Probability that *all* intervals of one player count cover.

    Returns
    -------
    polars.DataFrame
        players, outcome, policy, kind, effect (in rounds, or as a share), se, lo, hi, present and
        absent (deals with and without the kind), deals, mean (of the outcome), group and family.
        The effect is that of the kind instead of an average other one of its ``group``: kinds that
        can stand in for each other. It is null for a kind that is always there, and for kinds that
        cannot be told apart; kinds that are never there have no row. ``family`` is the number of
        intervals that are read together.

    Raises
    ------
    InputError
        When the rows do not say what the supply was.

    Examples
    --------
    >>> import sim
    >>> from analysis.impact import supply_effects
    >>> run = sim.simulate("granmagia", games=600, players=2, keep="rows", collect=("cards",))
    >>> supply_effects(run)["outcome"].unique().sort().to_list()
    ['length', 'policy', 'seat_gap']
    """
    import polars as pl
    from threadpoolctl import threadpool_limits

    if not 0 < level < 1:
        raise InputError(f"a level lies between 0 and 1, such as 0.95; not {level}")
    _check(run)
    rows = _Rows(run)
    # The matrices are small and many: threads of BLAS would wait for each other most of the time.
    with threadpool_limits(1, user_api="blas"):
        counts = run.plan.players
        table = pl.concat(part for players in counts for part in _effects(run, rows, players))
    known = pl.col("effect").is_not_null().sum()
    family = int(table.group_by("players").agg(known)["effect"].max())  # type: ignore[arg-type]
    z = z_value(level, max(family, 1))
    effect, half = pl.col("effect"), z * pl.col("se")
    return table.with_columns(lo=effect - half, hi=effect + half, family=pl.lit(family, pl.Int64))


def _check(run: Run) -> None:
    if run.keep == "sums":
        raise InputError(
            "the effects of a supply are made from rows, and the run kept sums only; "
            'run it with keep="both" and collect=("core", "cards")'
        )
    if "cards" not in run.collect:
        raise InputError(
            "the run did not collect cards, so its rows do not say what the supply was; "
            'run it with collect=("core", "cards")'
        )
    if run.info.supply is None:
        raise InputError(
            f"the rows do not say what the supply was: {run.title} declares none, or did not when "
            "the run was begun"
        )


class _Rows:
    """What is needed of the rows of a run, as arrays: games in stored order, seats game by game."""

    def __init__(self, run: Run) -> None:
        games = run.scan_games().select("cell", "deal", "players", "rounds", "supply").collect()
        seats = run.scan_seats().select("win60", "policy").collect()
        self.players = games["players"].to_numpy().astype(np.int64)
        self.deal = games["deal"].to_numpy()
        self.rounds = games["rounds"].to_numpy()
        block = np.array([cell.block for cell in run.plan.cells])
        self.block = block[games["cell"].to_numpy()]
        lists = games["supply"]
        self._ends = np.append(0, np.cumsum(lists.list.len().to_numpy(), dtype=np.int64))
        self._kinds = lists.filter(lists.list.len() > 0).explode().to_physical().to_numpy()
        self._width = len(run.kinds)
        self._win60 = seats["win60"].to_numpy()
        self._policy = seats["policy"].to_physical().to_numpy()
        self._first = np.cumsum(self.players) - self.players

    def seats(self, games: npt.NDArray[np.int64], players: int) -> tuple[Any, Any]:
        """Return shares and policies of some games of one player count, a row a game."""
        places = self._first[games][:, None] + np.arange(players)
        return self._win60[places] / WIN, self._policy[places]

    def supply(self, place: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.bool_]:
        """Return what lay out in the games that have a place from 0; -1 leaves a game out."""
        there = np.zeros((count, self._width), np.bool_)
        for first in range(0, len(place), _CHUNK):
            part = place[first : first + _CHUNK]
            kinds = self._kinds[self._ends[first] : self._ends[first + len(part)]]
            places = np.repeat(part, np.diff(self._ends[first : first + len(part) + 1]))
            there[places[places >= 0], kinds[places >= 0]] = True
        return there


def _effects(run: Run, rows: _Rows, players: int) -> Iterator[pl.DataFrame]:
    """Yield the effects on each outcome of one player count, without intervals."""
    import polars as pl

    games = np.flatnonzero(rows.players == players)
    if not len(games):  # fewer games than player counts
        return
    _, first, inverse = np.unique(rows.deal[games], return_index=True, return_inverse=True)
    place = np.full(len(rows.players), -1, np.int64)
    place[games] = inverse
    there = rows.supply(place, len(first))
    block = rows.block[games][first]
    shown = np.flatnonzero(there.any(axis=0))
    for outcome, policy, y in _outcomes(run, rows, games, inverse, block, players):
        used = ~np.isnan(y)
        found = presence_effects(there[used], y[used], block[used])
        # Where no game differs from another there is no spread to judge by.
        said = 1.0 if found.free >= _LEAST_FREE and np.ptp(y[used]) > 0 else np.nan
        table = pl.DataFrame(
            {
                "effect": found.effect[0] * said,
                "se": found.se[0] * said,
                "present": found.present,
                "absent": found.absent,
                "group": found.group,
            },
            nan_to_null=True,
        )[shown]
        kinds = pl.Series([run.kinds[kind].id for kind in shown], dtype=pl.String)
        yield (
            table.select(
                pl.lit(players, pl.Int8).alias("players"),
                pl.lit(outcome).alias("outcome"),
                pl.lit(policy, pl.String).alias("policy"),
                kinds.alias("kind"),
                "effect",
                "se",
                pl.lit(None, pl.Float64).alias("lo"),
                pl.lit(None, pl.Float64).alias("hi"),
                "present",
                "absent",
                pl.lit(found.units, pl.Int64).alias("deals"),
                pl.lit(float(y[used].mean())).alias("mean"),
                "group",
            )
        )


def _outcomes(
    run: Run,
    rows: _Rows,
    games: npt.NDArray[np.int64],
    deal: npt.NDArray[np.int64],
    block: npt.NDArray[np.int64],
    players: int,
) -> Iterator[tuple[str, str | None, Floats]]:
    """Yield outcomes by deal, NaN for deals that say nothing about one."""
    count = np.bincount(deal)
    yield "length", None, np.bincount(deal, rows.rounds[games]) / count
    design = np.array([one.design for one in run.plan.blocks])[block]
    share, policy = rows.seats(games, players)
    if run.info.seats == "ordered" and players > 1 and np.isin(design, _FAIR).any():
        gap = np.bincount(deal, share[:, 0] - share[:, -1]) / count
        yield "seat_gap", None, np.where(np.isin(design, _FAIR), gap, np.nan)
    solo = run.info.seats == "none"
    rotated = np.full(len(design), True) if solo else design == "rotation"
    for code, name in enumerate(run.plan.policies):
        own = policy == code
        number = np.bincount(deal, own.sum(axis=1))
        if (rotated & (number > 0)).any():
            with np.errstate(invalid="ignore"):
                mean = np.bincount(deal, (share * own).sum(axis=1)) / number
            yield "policy", name, np.where(rotated, mean, np.nan)
