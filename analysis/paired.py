"""Differences between two rules that were played on the same deals: numpy only, no frames.

Each rate is a ratio of sums over deals, so a difference of two is too, and what the two runs have
in common on a deal (its shuffles, who sat where) drops out of its spread.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.estimates import WIN

__all__ = ["PRODUCTS", "Differences", "ratio_differences"]

Floats = npt.NDArray[np.float64]

#: Sums over deals that a difference is made of. ``y`` and ``n`` are a deal's total and number of
#: values before the change, ``v`` and ``m`` after it.
PRODUCTS = ("y", "n", "v", "m", "yy", "yn", "nn", "vv", "vm", "mm", "yv", "ym", "nv", "nm")


@dataclass(frozen=True, slots=True)
class Differences:
    """Differences of several groups, each with its uncertainty; NaN where nothing can be said.

    Attributes
    ----------
    before, after : float64 arrays
        The two rates, or means.
    change, se, lo, hi : float64 arrays
        After minus before.
    saving : float64 array
        How many times as many games two runs on different deals would have needed for the same
        standard error.
    """

    before: Floats
    after: Floats
    change: Floats
    se: Floats
    lo: Floats
    hi: Floats
    saving: Floats


def ratio_differences(
    sums: Mapping[str, Sequence[int]],
    clusters: Sequence[int],
    z: npt.ArrayLike,
    unit: int = WIN,
    step: float = 1.0,
) -> Differences:
    """Return differences of rates between two runs of the same deals, from integer sums.

    Parameters
    ----------
    sums : mapping of str to sequence of int
        :data:`PRODUCTS`, each with a value a group.
    clusters : sequence of int
        Deals in which either run has a value of the group.
    z : array_like of float
        Normal quantiles from :func:`analysis.estimates.z_value`.
    unit : int
        Units of one: 60 for wins in sixtieths, 1 for plain values.
    step : float
        By how much a value changes where it changes at all, at least.

    Returns
    -------
    Differences

    Notes
    -----
    With R = ΣN and S = ΣY before, R' and S' after, the linearised variance of S'/R' - S/R is ::

        G / (G - 1) · Σ ((Y' - S'/R' N') / R' - (Y - S/R N) / R)²

    (W. G. Cochran, *Sampling Techniques*, 3rd ed., 1977, chapter 6), formed in exact integers.

    Where few deals changed, the spread knows too little of those that might have. The interval,
    not ``se``, allows for them with the `step`, as :func:`analysis.estimates.means` does.

    Examples
    --------
    A hundred games; the change turned two losses into wins, and nothing else:

    >>> sums = dict.fromkeys(PRODUCTS, [100])
    >>> sums |= {"y": [40], "yy": [40], "yn": [40], "ym": [40]}
    >>> sums |= {"v": [42], "vv": [42], "vm": [42], "nv": [42], "yv": [40]}
    >>> d = ratio_differences(sums, [100], 1.96, unit=1)
    >>> round(float(d.change[0]), 3), round(float(d.se[0]), 4), float(d.saving[0]) > 20
    (0.02, 0.0141, True)
    """
    size = len(clusters)
    found = {name: np.full(size, np.nan) for name in Differences.__dataclass_fields__}
    quantile = np.broadcast_to(np.asarray(z, np.float64), (size,))
    for i in range(size):
        one = {name: int(sums[name][i]) for name in PRODUCTS}
        if one["n"] <= 0 or one["m"] <= 0:
            continue
        before, after = one["y"] / (one["n"] * unit), one["v"] / (one["m"] * unit)
        found["before"][i], found["after"][i] = before, after
        found["change"][i] = after - before
        if clusters[i] < 2:
            continue
        own, other, cross = _squares(one)
        scale = clusters[i] / (clusters[i] - 1) / unit**2
        alone = own / one["n"] ** 4 + other / one["m"] ** 4
        # (a/R'² - b/R²)², with a and b in whole numbers
        joint = own * one["m"] ** 4 + other * one["n"] ** 4 - 2 * cross * (one["n"] * one["m"]) ** 2
        variance = scale * (joint / (one["n"] * one["m"]) ** 4)
        found["se"][i] = math.sqrt(variance)
        more = quantile[i] * step / min(one["n"], one["m"])
        half = quantile[i] * math.sqrt(variance + more**2 / 2)
        found["lo"][i], found["hi"][i] = after - before - half, after - before + half
        if variance > 0:
            found["saving"][i] = scale * alone / variance
    return Differences(**found)


def _squares(one: dict[str, Any]) -> tuple[int, int, int]:
    """Return the sums over deals of a², b² and ab with a = R Y - S N before and b after."""
    s, r, t, q = one["y"], one["n"], one["v"], one["m"]
    own = r * r * one["yy"] - 2 * r * s * one["yn"] + s * s * one["nn"]
    other = q * q * one["vv"] - 2 * q * t * one["vm"] + t * t * one["mm"]
    cross = r * q * one["yv"] - r * t * one["ym"] - s * q * one["nv"] + s * t * one["nm"]
    return own, other, cross
