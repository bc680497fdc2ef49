"""How often the intervals of means, and of paired differences, cover the truth.

Means are the length of games, points by origin, what winners have, what a foe costs, values by
round. Differences are what a lever or a knob changes on the same deals.

The measured limit, which the docstring of ``analysis.estimates.means`` tells: a mean of values that
are nearly always nought is covered too rarely while there are few others. It is asserted here as
well, so that what is said of it stays true.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pytest

from analysis.estimates import means, z_value
from analysis.report.series import _point
from sim.core.title import WIN
from tests.budget import assert_coverage
from tests.verification.simulated import Deals, Game, of_values, paired

pytestmark = pytest.mark.verify

#: Intervals that are read together, as on a page with many.
FAMILY = 60


def bell(mean: float, sd: float, values: Iterable[int]) -> Game:
    return scaled({value: math.exp(-0.5 * ((value - mean) / sd) ** 2) for value in values})


def tail(mean: float, values: Iterable[int]) -> Game:
    return scaled({value: (1 - 1 / mean) ** value for value in values})


def rare(share: float) -> Game:
    """Nought but for a share of the games, which have 1 to 20."""
    return {0: 1 - share} | {n: share * p for n, p in tail(4, range(1, 21)).items()}


def scaled(weights: Game) -> Game:
    total = sum(weights.values())
    return {value: weight / total for value, weight in weights.items()}


LENGTHS = {
    "rounds": of_values([bell(17, 1.5, range(5, 31))]),
    "rounds, 3 a deal": of_values([bell(15, 2, range(5, 31)), bell(19, 2, range(5, 31))], 3),
    "rounds with a tail": of_values([tail(6, range(3, 61))]),
    "with a tail, 5 a deal": of_values([tail(4, range(3, 61)), tail(9, range(3, 61))], 5),
}
SELDOM = {
    "0 in 9 of 10": of_values([rare(0.1)]),
    "0 in 49 of 50": of_values([rare(0.02)]),
    "two lengths": of_values([{5: 0.97, 30: 0.03}]),
}


def hits(deals: Deals, rng, number: int, runs: int, family: int = 1, step: int = 0):
    """Return in how many of so many runs all intervals of a family cover."""
    sums = deals.sums(rng, runs * family, number)
    got = means(**sums, z=z_value(0.95, family), step=step)
    covered = (got.lo <= deals.truth) & (deals.truth <= got.hi)
    return int(covered.reshape(runs, family).all(axis=1).sum()), runs


@pytest.mark.parametrize(
    ("number", "low", "high"), [(100, 0.93, 0.965), (1_000, 0.94, 0.96), (10_000, 0.945, 0.955)]
)
def test_lengths_of_games(number, low, high, stat_seed):
    rng = np.random.default_rng(stat_seed)
    found = {name: hits(deals, rng, number, 20_000) for name, deals in LENGTHS.items()}
    assert_coverage(found, low, high, within=0.015)


@pytest.mark.parametrize(("number", "low"), [(1_000, 0.91), (10_000, 0.93)])
def test_many_lengths_together(number, low, stat_seed):
    rng = np.random.default_rng(stat_seed)
    found = {name: hits(deals, rng, number, 2_000, FAMILY) for name, deals in LENGTHS.items()}
    assert_coverage(found, low, 0.98, within=0.06)


def test_values_that_are_nearly_always_nought(stat_seed):
    """Ten thousand deals are enough; a hundred are not."""
    rng = np.random.default_rng(stat_seed)
    found = {name: hits(deals, rng, 10_000, 20_000) for name, deals in SELDOM.items()}
    assert_coverage(found, 0.94, 0.96, within=0.015)
    for deals in SELDOM.values():
        few, runs = hits(deals, rng, 100, 2_000)
        assert few / runs < 0.92, "the limit that is told of means"


def test_many_values_that_are_nearly_always_nought_together(stat_seed):
    """Of 60 intervals all cover in 9 of 10 runs from a hundred thousand deals on."""
    rng = np.random.default_rng(stat_seed)
    found = {n: hits(deals, rng, 100_000, 1_500, FAMILY) for n, deals in SELDOM.items()}
    assert_coverage(found, 0.92, 0.98, within=0.07)


#: Share of games that change, share of these that do so for the better, games a deal.
CHANGES = [
    (0.002, 1.0, 1),
    (0.01, 1.0, 1),
    (0.01, 0.7, 1),
    (0.01, 0.5, 3),
    (0.05, 1.0, 3),
    (0.2, 1.0, 1),
    (0.2, 0.5, 1),
    (0.5, 0.6, 4),
]


def changes(rng, number: int, runs: int, family: int, step: int = WIN):
    return {
        f"{changed} changed, {up} up, {size} a deal": hits(
            paired(changed, up, size), rng, number, runs, family, step
        )
        for changed, up, size in CHANGES
    }


@pytest.mark.parametrize("number", [200, 1_000, 10_000])
def test_paired_differences(number, stat_seed):
    """Also where hardly a game changed, or none: there they are wide, and never too narrow."""
    rng = np.random.default_rng(stat_seed)
    assert_coverage(changes(rng, number, 20_000, 1), 0.94, within=0.015)


@pytest.mark.parametrize("number", [200, 1_000, 10_000])
def test_many_paired_differences_together(number, stat_seed):
    rng = np.random.default_rng(stat_seed)
    assert_coverage(changes(rng, number, 2_000, FAMILY), 0.92, within=0.06)


def test_differences_of_many_games_are_not_too_wide(stat_seed):
    rng = np.random.default_rng(stat_seed)
    assert_coverage(changes(rng, 100_000, 20_000, 1), 0.945, 0.956, within=0.015)


def test_without_a_step_rare_changes_would_be_covered_too_rarely(stat_seed):
    """Guards the tests above."""
    rng = np.random.default_rng(stat_seed)
    single = changes(rng, 200, 2_000, 1, step=0)
    together = changes(rng, 1_000, 200, FAMILY, step=0)
    name = "0.01 changed, 1.0 up, 1 a deal"
    assert single[name][0] / 2_000 < 0.9
    assert together[name][0] / 200 < 0.7


def test_where_nothing_changed_the_interval_says_what_might_have():
    nothing = {"y": 0, "yy": 0, "yn": 0}
    got = means(rows=200, clusters=200, **nothing, nn=200, z=z_value(0.95), step=WIN)
    assert (got.mean[0], got.se[0]) == (0, 0)
    # With 200 games of which none changed, up to 1.5 % may: three in n, the rule of thumb.
    assert pytest.approx(got.hi[0] / WIN, rel=0.15) == 3 / 200
    assert got.lo[0] == -got.hi[0]


@pytest.mark.parametrize(("common", "most"), [(1.0, 0.965), (0.5, 1.0), (0.0, 1.0)])
def test_values_by_round_are_covered_at_least(common, most, stat_seed):
    """Sums of series do not know which values share a deal, so the worst of it is reckoned with.

    Where the three values of a deal are one and the same, the interval is as wide as it has to be.
    """
    rng = np.random.default_rng(stat_seed)
    runs, deals, size = 8_000, 150, 3
    luck, alone = rng.normal(size=(runs, deals, 1)), rng.normal(size=(runs, deals, size))
    values = np.rint(9 + 4 * (common * luck + (1 - common**2) ** 0.5 * alone)).astype(np.int64)
    n, covered = deals * size, 0
    for total, squares in zip(values.sum((1, 2)), (values**2).sum((1, 2)), strict=True):
        row = {"n": n, "total": int(total), "squares": int(squares), "shared": n * size}
        point = _point({**row, "round": 1, "games": n}, z_value(0.95))
        covered += point["lo"] <= 9 <= point["hi"]
    assert_coverage({f"{common} in common": (covered, runs)}, 0.943, most, within=0.02)
