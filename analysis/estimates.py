"""Rates and means with their uncertainty: pure numpy, no frames, no figures.

Win shares are integers in sixtieths (``win60``: 60 for a sole win, 30, 20, 15 or 12 for a win that
is shared), so every sum that enters here is an exact integer, and a rate that was computed from
stored rows equals the one computed from stored sums to the last bit.

The unit of chance is the *deal*: games that share a deal (the rotations of one line-up) are one
cluster, and so are the seats of one game. For a group of seat rows — all rows of seat 1, all rows
of a policy — let ``Y`` be the group's win share within a cluster and ``N`` its number of rows
there. The sums of ``Y``, ``N``, ``Y²``, ``YN`` and ``N²`` are all that is needed.

References
----------
.. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
   J. Am. Stat. Assoc. 22 (1927) 209-212.
.. [2] L. D. Brown, T. T. Cai, A. DasGupta, "Interval estimation for a binomial proportion",
   Statistical Science 16 (2001) 101-133.
.. [3] E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected number
   of positive counts estimated from survey data", Survey Methodology 24 (1998) 193-201.
.. [4] W. G. Cochran, *Sampling Techniques*, 3rd ed. (1977), chapters 6 and 9: the ratio estimator
   and its variance under cluster sampling.
.. [5] L. A. Goodman, "On simultaneous confidence intervals for multinomial proportions",
   Technometrics 7 (1965) 247-254: Bonferroni's z in Wilson's interval.
.. [6] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach
   for assessing the equivalence of average bioavailability", J. Pharmacokinet. Biopharm. 15 (1987)
   657-680: balance as an equivalence question.
.. [7] I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit
   theory and asymptotic confidence sequences", Annals of Statistics 52 (2024) 2613-2640.
.. [8] A. Agresti, B. A. Coull, "Approximate is better than 'exact' for interval estimation of
   binomial proportions", The American Statistician 52 (1998) 119-126.
.. [9] D. G. Bonett, R. M. Price, "Adjusted Wald confidence interval for a difference of binomial
   proportions based on paired data", J. Educ. Behav. Stat. 37 (2012) 479-488.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "BALANCED",
    "FEW_CLUSTERS",
    "FEW_EVENTS",
    "MANY_CLUSTERS",
    "TOO_FEW",
    "UNBALANCED",
    "UNDECIDED",
    "Effects",
    "Means",
    "Rates",
    "clustered_rates",
    "dealt_effects",
    "means",
    "sequence_value",
    "verdicts",
    "wilson",
    "z_value",
]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

#: A whole win; the same number as ``sim.core.title.WIN``, restated so that this module stays free
#: of everything but numpy (a test compares the two).
WIN = 60

#: Below this many clusters an interval is shown but nothing is concluded from it.
FEW_CLUSTERS = 30
#: Below this many wins, or losses, too ...
FEW_EVENTS = 5
#: ... unless there are this many clusters: from there on Wilson's interval for no win at all is
#: narrower than half a point, so that its imperfect coverage cannot change a verdict.
MANY_CLUSTERS = 1000

#: Deals at which a confidence sequence is tightest: about what a verdict by two points takes.
TIGHTEST = 10_000

BALANCED, UNBALANCED, UNDECIDED = "balanced", "unbalanced", "undecided"
TOO_FEW = "too few games"


def z_value(level: float = 0.95, family: int = 1) -> float:
    """Return the two-sided normal quantile, shared among the intervals of a family.

    Parameters
    ----------
    level : float
        Probability that *all* intervals of the family cover, 0 < level < 1.
    family : int
        Number of intervals that are read together (Bonferroni); 1 for a single interval.

    Returns
    -------
    float
        The quantile at ``1 - (1 - level) / (2 * family)``. With Wilson's interval this is
        Goodman's simultaneous interval [5]_.

    Raises
    ------
    ValueError
        When the level lies outside (0, 1) or the family is empty.

    Examples
    --------
    >>> round(z_value(0.95), 3)
    1.96
    >>> round(z_value(0.95, family=4), 3)
    2.498
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level is {level!r}; it must lie between 0 and 1")
    if family < 1:
        raise ValueError(f"family is {family!r}; it must be at least 1")
    return NormalDist().inv_cdf(1.0 - (1.0 - level) / (2.0 * family))


def sequence_value(
    clusters: float, level: float = 0.95, family: int = 1, tightest: int = TIGHTEST
) -> float:
    """Return what takes the place of the normal quantile where one looks again and again.

    Parameters
    ----------
    clusters : float
        Number of independent deals so far, at least 1.
    level : float
        Probability that *all* intervals of the family cover at *all* looks, 0 < level < 1.
    family : int
        Number of intervals that are read together (Bonferroni).
    tightest : int
        Number of deals at which the sequence is to be tightest. It has to be chosen beforehand.

    Returns
    -------
    float
        Half-width of the interval in standard errors.

    Raises
    ------
    ValueError
        When the level lies outside (0, 1), the family is empty, or there are no deals.

    Notes
    -----
    The asymptotic confidence sequence by Robbins' normal mixture [7]_. It holds for the mean of
    any results with a finite spread once there are enough deals; stop rules wait for a thousand.

    Examples
    --------
    >>> round(sequence_value(10_000), 2), round(z_value(), 2)
    (3.04, 1.96)
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level is {level!r}; it must lie between 0 and 1")
    if family < 1 or clusters < 1:
        raise ValueError(f"family is {family!r} and clusters {clusters!r}; both are at least 1")
    alpha = (1.0 - level) / family
    mixing = (math.log(1.0 - 2.0 * math.log(alpha)) - 2.0 * math.log(alpha)) / tightest
    spread = clusters * mixing + 1.0
    return math.sqrt(2.0 * spread / (clusters * mixing) * math.log(math.sqrt(spread) / alpha))


def wilson(mean: npt.ArrayLike, n_eff: npt.ArrayLike, z: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return Wilson's score interval at a mean and an effective sample size.

    Parameters
    ----------
    mean : array_like of float
        Rates in [0, 1].
    n_eff : array_like of float
        Effective numbers of independent games, ``mean (1 - mean) / variance of the mean`` [3]_.
        Zero gives the interval that says nothing, [0, 1].
    z : array_like of float
        Normal quantiles from :func:`z_value`.

    Returns
    -------
    lo, hi : float64 arrays
        Bounds within [0, 1], broadcast over the arguments.

    Notes
    -----
    Wilson [1]_; recommended over the textbook interval by Brown, Cai and DasGupta [2]_.

    Examples
    --------
    >>> lo, hi = wilson(0.5, 100, z_value(0.95))
    >>> round(float(lo), 4), round(float(hi), 4)
    (0.4038, 0.5962)
    """
    m, n, q = np.broadcast_arrays(
        np.asarray(mean, np.float64), np.asarray(n_eff, np.float64), np.asarray(z, np.float64)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        share = q * q / n
        centre = (m + share / 2.0) / (1.0 + share)
        half = np.sqrt(m * (1.0 - m) * share + share * share / 4.0) / (1.0 + share)
    lo = np.where(n > 0, np.clip(centre - half, 0.0, 1.0), 0.0)
    hi = np.where(n > 0, np.clip(centre + half, 0.0, 1.0), 1.0)
    # The formula reaches the ends exactly; rounding must not leave 1e-17 there.
    return np.where(m <= 0.0, 0.0, lo), np.where(m >= 1.0, 1.0, hi)


@dataclass(frozen=True, slots=True)
class Rates:
    """Rates of several groups, each with its uncertainty.

    Attributes
    ----------
    rate, se : float64 arrays
        Mean win share per seat row and its standard error; NaN where there are no rows.
    n_eff : float64 array
        Number of independent games that would be as informative.
    lo, hi : float64 arrays
        Interval.
    few : bool array
        True where there are too few clusters, wins or losses to conclude anything.
    """

    rate: Floats
    se: Floats
    n_eff: Floats
    lo: Floats
    hi: Floats
    few: Bools


def _integers(values: Any) -> list[int]:
    """Return Python integers: products of sums exceed 64 bits at a million games."""
    return [int(value) for value in np.asarray(values).ravel().tolist()]


def clustered_rates(
    *,
    rows: npt.ArrayLike,
    clusters: npt.ArrayLike,
    y: npt.ArrayLike,
    yy: npt.ArrayLike,
    yn: npt.ArrayLike,
    nn: npt.ArrayLike,
    z: npt.ArrayLike,
    win: int = WIN,
) -> Rates:
    """Return win rates with intervals that respect the clusters, from integer sums.

    Parameters
    ----------
    rows, clusters : array_like of int, shape (k,)
        Seat rows of each group, and deals with at least one such row.
    y, yy, yn, nn : array_like of int, shape (k,)
        Sums over the clusters of Y, Y², YN and N², with Y the ``win60`` sum and N the number of
        rows of the group within one deal.
    z : array_like of float, shape () or (k,)
        Normal quantiles from :func:`z_value`.
    win : int
        Units of a whole win.

    Returns
    -------
    Rates

    Notes
    -----
    The rate is the ratio estimator ``m = ΣY / ΣN`` with the linearised variance [4]_ ::

        Var(m) = G / (G - 1) · Σ (Y - m N)² / (ΣN)²

    and the interval is Wilson's at ``n_eff = m (1 - m) / Var(m)``. Ties shrink the variance of a
    game below that of a coin, clusters may enlarge it; ``n_eff`` carries both.

    The sum of squares is formed in exact integers. Where it is zero (all wins, no wins, one
    cluster, or every deal alike) the data say nothing about the spread, and ``n_eff`` is the
    number of clusters.

    Examples
    --------
    A hundred games without ties, one seat row each, 40 of them won:

    >>> r = clustered_rates(rows=100, clusters=100, y=40 * 60, yy=40 * 3600, yn=40 * 60, nn=100,
    ...                     z=z_value(0.95))
    >>> float(r.rate[0]), round(float(r.n_eff[0]), 1)
    (0.4, 99.0)
    """
    n_rows, n_clusters = _integers(rows), _integers(clusters)
    sums = [_integers(v) for v in (y, yy, yn, nn)]
    size = len(n_rows)
    rate, se, n_eff = np.full(size, np.nan), np.full(size, np.nan), np.zeros(size)
    for i, (n, g, s, ss, sn, sq) in enumerate(zip(n_rows, n_clusters, *sums, strict=True)):
        if n <= 0:
            continue
        rate[i] = s / (n * win)
        # n² Σ (Y - m N)² = n² ΣY² - 2 n (ΣY)(ΣYN) + (ΣY)² ΣN², without rounding.
        squares = n * n * ss - 2 * n * s * sn + s * s * sq
        spread = s * (n * win - s)  # n² win² m (1 - m)
        if g < 2 or squares <= 0 or spread <= 0:
            n_eff[i] = g
            se[i] = math.nan if g < 2 else math.sqrt(spread) / (n * win) / math.sqrt(g)
            continue
        # Var(m) = g/(g-1) squares / (n⁴ win²); n_eff = spread / (n² win²) / Var(m).
        se[i] = math.sqrt(g * squares / ((g - 1) * n**4 * win**2))
        n_eff[i] = spread * n * n * (g - 1) / (g * squares)
    lo, hi = wilson(np.nan_to_num(rate), n_eff, np.broadcast_to(np.asarray(z, float), (size,)))
    events = np.minimum(rate, 1.0 - rate) * n_rows
    count = np.asarray(n_clusters, np.float64)
    with np.errstate(invalid="ignore"):
        few = (count < FEW_CLUSTERS) | ((events < FEW_EVENTS) & (count < MANY_CLUSTERS))
    return Rates(rate, se, n_eff, lo, hi, few)


def verdicts(
    lo: npt.ArrayLike,
    hi: npt.ArrayLike,
    parity: npt.ArrayLike,
    margin: npt.ArrayLike,
    few: npt.ArrayLike = False,
) -> list[str]:
    """Say of each interval whether it shows balance.

    Parameters
    ----------
    lo, hi : array_like of float
        Intervals, as printed.
    parity : array_like of float
        The rate of a perfectly balanced game, one over the number of players.
    margin : array_like of float
        Largest deviation from parity that still counts as balanced, as a rate (0.02 = 2 pp).
    few : array_like of bool
        True where there are too few games for any verdict.

    Returns
    -------
    list of str
        ``"balanced"`` when the interval lies inside parity ± margin, ``"unbalanced"`` when it lies
        outside, ``"undecided"`` when it reaches across a limit, ``"too few games"`` where flagged.

    Notes
    -----
    Balance is an equivalence question [6]_: "no significant difference" is not balance, it may
    only be a lack of games.

    Examples
    --------
    >>> verdicts([0.32, 0.36, 0.34], [0.34, 0.38, 0.36], 1 / 3, 0.02)
    ['balanced', 'unbalanced', 'undecided']
    """
    arrays = np.broadcast_arrays(
        np.atleast_1d(np.asarray(lo, np.float64)),
        np.asarray(hi, np.float64),
        np.asarray(parity, np.float64),
        np.asarray(margin, np.float64),
        np.asarray(few, np.bool_),
    )
    result: list[str] = []
    for low, high, par, width, scarce in zip(*(a.tolist() for a in arrays), strict=True):
        if scarce or math.isnan(low) or math.isnan(high):
            result.append(TOO_FEW)
        elif par - width <= low and high <= par + width:
            result.append(BALANCED)
        elif high < par - width or low > par + width:
            result.append(UNBALANCED)
        else:
            result.append(UNDECIDED)
    return result


@dataclass(frozen=True, slots=True)
class Means:
    """Means of several groups, each with its uncertainty; NaN where nothing can be said."""

    mean: Floats
    sd: Floats
    se: Floats
    lo: Floats
    hi: Floats


def means(
    *,
    rows: npt.ArrayLike,
    clusters: npt.ArrayLike,
    y: npt.ArrayLike,
    yy: npt.ArrayLike,
    yn: npt.ArrayLike,
    nn: npt.ArrayLike,
    z: npt.ArrayLike,
    squares: npt.ArrayLike | None = None,
    step: npt.ArrayLike = 0.0,
) -> Means:
    """Return means of integer values with normal intervals, from exact sums.

    Parameters
    ----------
    rows, clusters : array_like of int, shape (k,)
        Number of values of each group, and of deals that hold at least one of them.
    y, yy, yn, nn : array_like of int, shape (k,)
        Sums over the deals of Y, Y², YN and N², with Y the sum of the values and N their number
        within one deal. Where every deal holds one value these are the sum, the sum of squares,
        the sum again and the count.
    z : array_like of float, shape () or (k,)
        Normal quantiles from :func:`z_value`.
    squares : array_like of int, shape (k,), optional
        Sum of the squared values, for the standard deviation; without it ``sd`` is NaN.
    step : array_like of float, shape () or (k,)
        By how much a game changes where it changes at all, at least; for means of differences of
        the same games under two rules, and 0 for other means.

    Returns
    -------
    Means

    Notes
    -----
    The same ratio estimator as :func:`clustered_rates` [4]_; the interval is symmetric because a
    mean of thousands of games is normal for every purpose here. Of values that are nearly always
    nought it is not: below some twenty games with another value the interval covers too rarely,
    and where many are read together below a few hundred.

    Where few games changed, the spread of the differences knows too little of those that might
    have, and nothing at all where none did. With a `step` the variance of the mean, in the interval
    alone, is larger by z² step² / 2n²: as if z² / 4 more games had changed for the better and as
    many for the worse, which is what the adjusted interval of a proportion adds [8]_, [9]_. Among
    thousands of games it cannot be seen.

    Examples
    --------
    >>> m = means(rows=4, clusters=4, y=10, yy=30, yn=10, nn=4, squares=30, z=z_value(0.95))
    >>> float(m.mean[0]), round(float(m.sd[0]), 3), round(float(m.se[0]), 3)
    (2.5, 1.291, 0.645)
    """
    counts, groups = _integers(rows), _integers(clusters)
    sums = [_integers(v) for v in (y, yy, yn, nn)]
    size = len(counts)
    plain = [None] * size if squares is None else _integers(squares)
    mean, sd, se = (np.full(size, np.nan) for _ in range(3))
    for i, (n, g, s, ss, sn, sq, one) in enumerate(zip(counts, groups, *sums, plain, strict=True)):
        if n <= 0:
            continue
        mean[i] = s / n
        if one is not None and n > 1:
            sd[i] = math.sqrt((n * one - s * s) / (n * (n - 1)))
        if g > 1:
            residual = n * n * ss - 2 * n * s * sn + s * s * sq
            se[i] = math.sqrt(g * max(0, residual) / ((g - 1) * n**4))
    q = np.broadcast_to(np.asarray(z, np.float64), (size,))
    with np.errstate(divide="ignore", invalid="ignore"):
        more = q * np.asarray(step, np.float64) / np.asarray(counts, np.float64)
    half = q * np.sqrt(se**2 + more**2 / 2)
    return Means(mean, sd, se, mean - half, mean + half)


@dataclass(frozen=True, slots=True)
class Effects:
    """Differences of rates, each with its uncertainty; NaN where nothing can be said."""

    effect: Floats
    se: Floats
    lo: Floats
    hi: Floats


def dealt_effects(
    *,
    rows: npt.ArrayLike,
    y: npt.ArrayLike,
    yy: npt.ArrayLike,
    yn: npt.ArrayLike,
    nn: npt.ArrayLike,
    yw: npt.ArrayLike,
    nw: npt.ArrayLike,
    whole: int,
    clusters: int,
    ww: int,
    parity: float,
    z: float,
    win: int = WIN,
) -> Effects:
    """Return the win rate of seats with something less that of seats without it.

    Where chance says which seats have it, that is what having it does. The shares of all seats of
    a game have to add up to one.

    Parameters
    ----------
    rows : array_like of int, shape (k,)
        Seat rows with each of k things.
    y, yy, yn, nn : array_like of int, shape (k,)
        Sums over the deals of Y, Y², YN and N², with Y the ``win60`` sum and N the number of such
        rows within one deal.
    yw, nw : array_like of int, shape (k,)
        Sums over the deals of YW and NW, with W the number of all seat rows within one deal.
    whole, clusters, ww : int
        All seat rows, all deals, and the sum over these of W².
    parity : float
        One over the number of players: the rate of all rows together.
    z : float
        Normal quantile from :func:`z_value`.
    win : int
        Units of a whole win.

    Returns
    -------
    Effects

    Notes
    -----
    The least-squares coefficient of the win share on having it, with the cluster-robust variance
    [4]_ ::

        G / (G - 1) · Σ ((Y - m N) / R + (Y - m' N) / R' - (parity - m') W / R')²

    with m of R rows with it and m' of R' rows without; as the others of a deal win what is left,
    the sums of rows with it are enough.

    Examples
    --------
    Of four games between two seats, three are won by the seat that was dealt it:

    >>> e = dealt_effects(rows=4, y=180, yy=3 * 3600, yn=180, nn=4, yw=360, nw=8,
    ...                   whole=8, clusters=4, ww=16, parity=0.5, z=z_value(0.95))
    >>> float(e.effect[0])
    0.5
    """
    held, won = np.atleast_1d(np.asarray(rows, np.float64)), np.asarray(y, np.float64) / win
    squares = np.asarray(yy, np.float64) / win**2
    cross, across = (np.asarray(v, np.float64) / win for v in (yn, yw))
    own, beside = np.asarray(nn, np.float64), np.asarray(nw, np.float64)
    left = whole - held
    with np.errstate(divide="ignore", invalid="ignore"):
        rate, other = won / held, (parity * whole - won) / left
        a, b, c = 1 / held + 1 / left, -(rate / held + other / left), -(parity - other) / left
        total = a * a * squares + b * b * own + c * c * ww
        total += 2 * (a * b * cross + a * c * across + b * c * beside)
        effect = rate - other
        se = np.sqrt(np.maximum(total, 0.0) * clusters / (clusters - 1))
    se = np.where(np.isfinite(effect), se, np.nan)
    effect = np.where(np.isfinite(effect), effect, np.nan)
    return Effects(effect, se, effect - z * se, effect + z * se)
