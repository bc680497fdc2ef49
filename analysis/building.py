"""What a deck's composition does: a regression over many decks, not over many games.

Games of one deck say how good that deck is; how good decks *of its kind* are is a question about
decks, of which a game is no new one. So the units here are decks: the win rate of each, against
opponents drawn from all of them, on what it is made of. That keeps the deviations of decks from
what their composition says in the standard errors, where counting games would hide them.

Parts of a whole (cards by cost, by attribute) always add up to the same number, so none of them
can be more while the others stay: an effect is that of one card more *instead of an average other*
of its group.

References
----------
.. [1] J. G. MacKinnon, H. White, "Some heteroskedasticity-consistent covariance matrix estimators
   with improved finite sample properties", J. Econometrics 29 (1985) 305-325: HC3.
.. [2] C. R. Rao, *Linear Statistical Inference and Its Applications*, 2nd ed. (1973), chapter 4:
   estimable contrasts of a singular design.
.. [3] M. Abramowitz, I. A. Stegun (eds.), *Handbook of Mathematical Functions* (1964), 26.7.5:
   Student's quantiles from normal ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Effects", "part_effects", "student"]

Floats = npt.NDArray[np.float64]

#: Below this share of the largest, a singular value of the scaled design is nought.
_NOUGHT = 1e-9

#: With fewer decks beyond what is estimated, a robust covariance is too small to be believed.
_LEAST_FREE = 20

#: Polynomials of 26.7.5 [3]_ by powers of 1 / free: coefficients of z, z³, z⁵, … and what divides.
_EXPANSION = (
    ((1, 1), 4),
    ((3, 16, 5), 96),
    ((-15, 17, 19, 3), 384),
    ((-945, -1920, 1482, 776, 79), 92160),
)


@dataclass(frozen=True, slots=True)
class Effects:
    """What one more of each part does.

    Attributes
    ----------
    effect, se : float64 arrays, shape (parts,)
        In the unit of the outcome; NaN where nothing can be said.
    mean, sd : float64 arrays, shape (parts,)
        Of the part over the decks.
    r2 : float
        Share of the variance of the outcome that the parts explain, adjusted.
    free : int
        Decks beyond what is estimated.
    """

    effect: Floats
    se: Floats
    mean: Floats
    sd: Floats
    r2: float
    free: int


def part_effects(
    parts: npt.ArrayLike, y: npt.ArrayLike, groups: Sequence[Sequence[int]] = ()
) -> Effects:
    """Return what one more of each part does to an outcome, all parts at once.

    Parameters
    ----------
    parts : array_like of float, shape (decks, parts)
    y : array_like of float, shape (decks,)
        Outcome of each deck.
    groups : sequence of sequence of int
        Parts that make up a whole; the effect of each is against the mean of the others of its
        group, weighted by how many of them decks have on average.

    Returns
    -------
    Effects

    Raises
    ------
    ValueError
        When the shapes do not fit together, or a part is in two groups.

    Notes
    -----
    Least squares with an intercept and White's covariance for unequal variances, HC3 [1]_. Where a
    contrast cannot be estimated from the decks that there are (a part that never varies, two that
    always come together), it is NaN [2]_.

    Examples
    --------
    >>> x = np.array([[0.0, 4], [1, 3], [2, 2], [3, 1]] * 10)
    >>> got = part_effects(x, 0.5 + 0.01 * x[:, 0], groups=[(0, 1)])
    >>> got.effect.round(3)
    array([ 0.01, -0.01])
    """
    x, outcome = np.asarray(parts, np.float64), np.asarray(y, np.float64)
    if x.ndim != 2 or outcome.shape != x.shape[:1]:
        raise ValueError(f"parts {x.shape} and outcomes {outcome.shape} do not fit together")
    members = [place for group in groups for place in group]
    if len(set(members)) < len(members):
        raise ValueError("a part is in two groups")
    decks, number = x.shape
    mean, sd = x.mean(axis=0), x.std(axis=0)
    centred, from_mean = x - mean, outcome - outcome.mean()
    scale = np.where(sd > 0, sd, 1.0)
    u, singular, vt = np.linalg.svd(centred / scale, full_matrices=False)
    kept = singular > _NOUGHT * max(singular.max(initial=0), 1e-300)
    u, singular, vt = u[:, kept], singular[kept], vt[kept]
    rank = int(kept.sum())
    free = decks - rank - 1
    contrasts = _contrasts(number, mean, groups) / scale
    if free < _LEAST_FREE:
        nothing = np.full(number, np.nan)
        return Effects(nothing, nothing.copy(), mean, sd, float("nan"), free)
    coefficients = vt.T @ ((u.T @ from_mean) / singular)
    residuals = from_mean - u @ (u.T @ from_mean)
    leverage = (u**2).sum(axis=1) + 1 / decks
    weights = (residuals / np.maximum(1 - leverage, 1e-12)) ** 2
    # Rows: how each effect depends on the outcomes.
    loads = ((contrasts @ vt.T) / singular) @ u.T
    estimable = np.abs(contrasts - contrasts @ vt.T @ vt).max(axis=1) < 1e-6
    nought = np.abs(contrasts).max(axis=1) == 0
    known = estimable & ~nought & (sd > 0)
    effect = np.where(known, contrasts @ coefficients, np.nan)
    se = np.where(known, np.sqrt((loads**2) @ weights), np.nan)
    total = float(from_mean @ from_mean)
    spread = float(residuals @ residuals) / free
    r2 = 1 - spread / (total / (decks - 1)) if total > 0 else float("nan")
    return Effects(effect, se, mean, sd, r2, free)


def student(z: float, free: int) -> float:
    """Return Student's quantile at the level of a normal one, for intervals of few decks.

    Parameters
    ----------
    z : float
    free : int
        Degrees of freedom, at least 20; with fewer the expansion [3]_ is not exact enough.

    Examples
    --------
    >>> round(student(1.96, 20), 3), round(student(1.96, 1000), 3)
    (2.086, 1.962)
    """
    if free < _LEAST_FREE:
        raise ValueError(f"free is {free!r}; it must be at least {_LEAST_FREE}")
    found = z
    for power, (terms, divisor) in enumerate(_EXPANSION, 1):
        odd = sum(one * z * math.pow(z, 2 * place) for place, one in enumerate(terms))
        found += odd / divisor / math.pow(free, power)
    return found


def _contrasts(number: int, mean: Floats, groups: Sequence[Sequence[int]]) -> Floats:
    """Return for each part what is compared: it against the others of its group."""
    found = np.eye(number)
    for group in groups:
        for place in group:
            others = [one for one in group if one != place]
            weights = mean[others]
            if weights.sum() > 0:
                found[place, others] -= weights / weights.sum()
    return found
