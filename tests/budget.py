"""Tolerances of statistical tests, taken from one error budget.

The whole suite may raise one false alarm in a million runs. Shared evenly among ``ASSERTIONS``
statistical assertions that leaves each an error probability of ``ALPHA``, which for a normal
statistic is a limit of ``Z`` standard errors.

Every helper first asserts that its window is *meaningful* (``within``): a test that could not fail
for an error one cares about is no test. No test states a bare absolute tolerance of its own;
``test_layout.py`` looks for them. What was asserted is kept in ``MADE``, of which the verification
tests print a table.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

#: What one run of all tests, the long proofs included, may assert by statistics.
ASSERTIONS = 400
ALPHA = 1e-6 / ASSERTIONS
Z = NormalDist().inv_cdf(1 - ALPHA / 2)


@dataclass(frozen=True, slots=True)
class Made:
    """One statistical assertion: where it was made, in words what of, and whether it held."""

    where: str
    statistic: str
    expected: str
    tolerance: str
    held: bool


#: All assertions of this process, in their order.
MADE: list[Made] = []


def _judge(held: bool, statistic: str, expected: str, tolerance: str) -> None:
    """Keep an assertion, and make it."""
    where = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
    MADE.append(Made(where, statistic, expected, tolerance, held))
    assert held, f"{statistic}; expected {expected}, {tolerance}"


def assert_rate(hits: int, trials: int, expected: float, *, within: float) -> None:
    """Assert that a count of independent trials agrees with a probability, by its exact tails.

    `within` is the largest half-width of the window at which the test still says something.
    """
    from scipy.stats import binom

    half = Z * sqrt(expected * (1 - expected) / trials)
    assert half <= within, f"window of ±{half:.4g} is too wide to mean anything; add trials"
    low = float(binom.cdf(hits, trials, expected))
    high = float(binom.sf(hits - 1, trials, expected))
    statistic = f"{hits} of {trials} = {hits / trials:.6f}"
    _judge(min(low, high) >= ALPHA / 2, statistic, f"{expected:.6f}", f"± {half:.2g}")


def assert_coverage(
    found: Mapping[str, tuple[int, int]], low: float, high: float = 1.0, *, within: float
) -> None:
    """Assert that intervals cover as often as they say in each of some corners: one assertion.

    `found` are the hits and trials by corner. Coverage is exact in the limit only; the bounds say
    how far from what is said it may truly be: `low`, and `high` where an interval that is far too
    wide would be a fault as well. Each corner is held to an equal part of ``ALPHA``.
    """
    from scipy.stats import binom

    limit = ALPHA / (2 * len(found))
    z = NormalDist().inv_cdf(1 - limit)
    for name, (_, trials) in found.items():
        half = z * sqrt(low * (1 - low) / trials)
        assert half <= within, f"{name}: window of {half:.4g} is too wide; add trials"
    few = {name: float(binom.cdf(hits, n, low)) for name, (hits, n) in found.items()}
    many = {name: float(binom.sf(hits - 1, n, high)) for name, (hits, n) in found.items()}
    shares = {name: hits / n for name, (hits, n) in found.items()}
    least, most = min(shares, key=lambda k: shares[k]), max(shares, key=lambda k: shares[k])
    told = f"coverage {shares[least]:.4f} ({least})"
    if len(found) > 1:
        told += f" to {shares[most]:.4f} ({most}), {len(found)} corners"
    held = min(*few.values(), *many.values(), 1.0) >= limit
    _judge(held, told, f"{low:.3f} to {high:.3f}", f"± {within:.2g} at most")


def assert_mean(mean: float, se: float, expected: float, *, within: float) -> None:
    """Assert that a mean with a known standard error agrees with its expectation.

    Use it for fractional wins and clustered games, with the standard error of the clusters.
    """
    assert Z * se <= within, f"window of ±{Z * se:.4g} is too wide to mean anything; add games"
    off = (mean - expected) / se if se > 0 else 0.0 if mean == expected else float("inf")
    statistic = f"mean {mean:.6f}, off by {off:+.1f} standard errors"
    _judge(abs(mean - expected) <= Z * se, statistic, f"{expected:.6f}", f"± {Z * se:.2g}")


def assert_counts(counts: Sequence[int], probabilities: Sequence[float] | None = None) -> None:
    """Assert by chi-square that counts agree with probabilities (even ones if not given)."""
    statistic, free, chance = chi_square(counts, probabilities)
    told = f"chi-square {statistic:.1f} of {free}, p = {chance:.1e}"
    _judge(chance >= ALPHA, told, f"{free}", f"p >= {ALPHA:.1e}")


def assert_none_rare(chances: Mapping[str, float]) -> None:
    """Assert that none of many p-values is too small for so many: one assertion of the budget.

    Each is held to an equal part of ``ALPHA`` (Bonferroni), so they may depend on each other.
    """
    assert chances
    worst = min(chances, key=lambda name: chances[name])
    told = f"least p of {len(chances)} = {chances[worst]:.1e} ({worst})"
    limit = ALPHA / len(chances)
    _judge(chances[worst] >= limit, told, f"{1 / len(chances):.1e}", f"p >= {limit:.1e}")


def chi_square(
    counts: Sequence[int], probabilities: Sequence[float] | None = None
) -> tuple[float, int, float]:
    """Return chi-square of counts, its degrees of freedom and its p-value."""
    from scipy.stats import chi2

    total = sum(counts)
    shares = probabilities or [1 / len(counts)] * len(counts)
    expected = [total * share for share in shares]
    assert min(expected) >= 100, "chi-square needs more trials to be trusted this far out"
    statistic = sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))
    return statistic, len(counts) - 1, float(chi2.sf(statistic, len(counts) - 1))
