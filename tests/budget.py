"""Tolerances of statistical tests, taken from one error budget.

The whole suite may raise one false alarm in a million runs. Shared evenly among ``ASSERTIONS``
statistical assertions that leaves each an error probability of ``ALPHA``, which for a normal
statistic is a limit of ``Z`` = 5.85 standard errors. At a million games a rate near one half is
then held to ±0.29 percentage points, and a true shift of 0.36 points is caught nine times in ten.

Every helper first asserts that its window is *meaningful* (``within``): a test that could not fail
for an error one cares about is no test. No test states a bare absolute tolerance of its own;
``test_layout.py`` looks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

ASSERTIONS = 200
ALPHA = 1e-6 / ASSERTIONS
Z = NormalDist().inv_cdf(1 - ALPHA / 2)


def assert_rate(hits: int, trials: int, expected: float, *, within: float) -> None:
    """Assert that a count of independent trials agrees with a probability, by its exact tails.

    `within` is the largest half-width of the window at which the test still says something.
    """
    from scipy.stats import binom

    half = Z * sqrt(expected * (1 - expected) / trials)
    assert half <= within, f"window of ±{half:.4g} is too wide to mean anything; add trials"
    low = float(binom.cdf(hits, trials, expected))
    high = float(binom.sf(hits - 1, trials, expected))
    assert min(low, high) >= ALPHA / 2, (
        f"{hits} of {trials} = {hits / trials:.6f}, expected {expected:.6f} ± {half:.2g}"
    )


def assert_mean(mean: float, se: float, expected: float, *, within: float) -> None:
    """Assert that a mean with a known standard error agrees with its expectation.

    Use it for fractional wins and clustered games, with the standard error of the clusters.
    """
    assert Z * se <= within, f"window of ±{Z * se:.4g} is too wide to mean anything; add games"
    assert abs(mean - expected) <= Z * se, (
        f"{mean:.6f} differs from {expected:.6f} by {(mean - expected) / se:+.1f} standard errors"
    )


def assert_counts(counts: Sequence[int], probabilities: Sequence[float] | None = None) -> None:
    """Assert by chi-square that counts agree with probabilities (even ones if not given)."""
    from scipy.stats import chi2

    total = sum(counts)
    shares = probabilities or [1 / len(counts)] * len(counts)
    expected = [total * share for share in shares]
    assert min(expected) >= 100, "chi-square needs more trials to be trusted this far out"
    statistic = sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))
    chance = float(chi2.sf(statistic, len(counts) - 1))
    assert chance >= ALPHA, f"chi-square {statistic:.1f} for {len(counts)} cells, p = {chance:.1e}"
