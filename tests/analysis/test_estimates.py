"""The estimators against other people's formulas, brute force and simulated truth."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import estimates
from sim.core import title
from tests import budget


def sums_of(shares: np.ndarray, counts: np.ndarray) -> dict[str, int]:
    """Sums over clusters of Y (win60) and N, as a store keeps them."""
    y, n = shares.astype(int), counts.astype(int)
    kept = n > 0
    return {
        "rows": int(n.sum()),
        "clusters": int(kept.sum()),
        "y": int(y.sum()),
        "yy": int((y * y).sum()),
        "yn": int((y * n).sum()),
        "nn": int((n * n).sum()),
    }


def test_a_win_is_what_the_contract_says():
    assert estimates.WIN == title.WIN


@pytest.mark.parametrize("wins", [0, 1, 7, 250, 499, 500])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_wilson_equals_statsmodels_and_scipy(wins, level):
    from scipy.stats import binomtest
    from statsmodels.stats.proportion import proportion_confint

    lo, hi = estimates.wilson(wins / 500, 500, estimates.z_value(level))
    theirs = proportion_confint(wins, 500, alpha=1 - level, method="wilson")
    scipys = binomtest(wins, 500).proportion_ci(level, method="wilson")
    assert (float(lo), float(hi)) == pytest.approx(theirs, abs=1e-12)
    assert (float(lo), float(hi)) == pytest.approx((scipys.low, scipys.high), abs=1e-12)


def test_simultaneous_wilson_is_goodmans_interval():
    from statsmodels.stats.proportion import multinomial_proportions_confint

    counts = np.array([310, 405, 285])
    z = estimates.z_value(0.95, family=len(counts))
    lo, hi = estimates.wilson(counts / counts.sum(), counts.sum(), z)
    theirs = multinomial_proportions_confint(counts, alpha=0.05, method="goodman")
    np.testing.assert_allclose(np.column_stack([lo, hi]), theirs, rtol=1e-12)


@pytest.mark.parametrize(("level", "family"), [(0.0, 1), (1.0, 1), (1.5, 1), (0.95, 0)])
def test_z_refuses_nonsense(level, family):
    with pytest.raises(ValueError, match="must"):
        estimates.z_value(level, family)


def test_without_ties_the_rate_is_wilsons_but_for_the_variance_factor():
    won = np.repeat([60, 0], [410, 590])
    r = estimates.clustered_rates(**sums_of(won, np.ones(1000)), z=estimates.z_value(0.95))
    # s² with n - 1 instead of n: n_eff is smaller by exactly (n - 1) / n.
    assert r.n_eff[0] == pytest.approx(999.0, abs=1e-9)
    lo, hi = estimates.wilson(0.41, 999, estimates.z_value(0.95))
    assert (r.lo[0], r.hi[0]) == (float(lo), float(hi))
    assert r.se[0] == pytest.approx(math.sqrt(0.41 * 0.59 / 999), rel=1e-12)


clusters = st.lists(
    st.lists(st.sampled_from([0, 12, 15, 20, 30, 60]), min_size=1, max_size=6),
    min_size=2,
    max_size=40,
)


@given(clusters)
@settings(max_examples=200, deadline=None)
def test_clustered_rate_equals_brute_force_in_fractions(games):
    y = np.array([sum(rows) for rows in games])
    n = np.array([len(rows) for rows in games])
    r = estimates.clustered_rates(**sums_of(y, n), z=1.96)
    total, rows, g = int(y.sum()), int(n.sum()), len(games)
    m = Fraction(total, 60 * rows)
    variance = (
        Fraction(g, g - 1)
        * sum((Fraction(int(a), 60) - m * int(b)) ** 2 for a, b in zip(y, n, strict=True))
        / rows**2
    )
    assert r.rate[0] == float(m)
    if variance == 0 or m in (0, 1):
        assert r.n_eff[0] == g
    else:
        assert r.se[0] == pytest.approx(math.sqrt(variance), rel=1e-12)
        assert r.n_eff[0] == pytest.approx(float(m * (1 - m) / variance), rel=1e-12)
    assert 0 <= r.lo[0] <= r.rate[0] <= r.hi[0] <= 1


def test_million_game_sums_lose_no_digit():
    # One game in a million is won; float sums of squares would cancel here.
    n = 10**9
    sums = {"rows": n, "clusters": n, "y": 60, "yy": 3600, "yn": 60, "nn": n}
    r = estimates.clustered_rates(**sums, z=1.96)
    assert r.se[0] == pytest.approx(1e-9, rel=1e-8)


def test_linearised_variance_equals_a_cluster_robust_regression():
    import statsmodels.api as sm

    rng = np.random.default_rng(5)
    n = rng.integers(1, 5, 300)
    cluster = np.repeat(np.arange(300), n)
    y = rng.choice([0, 20, 30, 60], n.sum())
    fit = sm.OLS(y / 60, np.ones(len(y))).fit(
        cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False}
    )
    r = estimates.clustered_rates(**sums_of(np.bincount(cluster, y), n), z=1.96)
    assert r.se[0] == pytest.approx(fit.bse[0] * math.sqrt(300 / 299), rel=1e-9)


class TestEdges:
    z = estimates.z_value(0.95)

    def rate(self, shares, counts=None):
        shares = np.asarray(shares)
        counts = np.ones(len(shares)) if counts is None else np.asarray(counts)
        return estimates.clustered_rates(**sums_of(shares, counts), z=self.z)

    def test_no_games(self):
        r = self.rate([])
        assert math.isnan(r.rate[0])
        assert (r.lo[0], r.hi[0], r.few[0]) == (0.0, 1.0, True)

    def test_no_groups(self):
        empty = {k: [] for k in ("rows", "clusters", "y", "yy", "yn", "nn")}
        assert estimates.clustered_rates(**empty, z=1.96).rate.shape == (0,)

    def test_all_wins(self):
        r = self.rate(np.full(200, 60))
        lo, hi = estimates.wilson(1.0, 200, self.z)
        assert (r.rate[0], r.lo[0], r.hi[0]) == (1.0, float(lo), 1.0)
        assert float(hi) == 1.0
        assert r.se[0] == 0.0
        assert r.few[0], "no loss in 200 games concludes nothing"

    def test_no_wins_in_many_games_is_enough_to_conclude(self):
        r = self.rate(np.zeros(5000))
        assert (r.rate[0], r.lo[0]) == (0.0, 0.0)
        assert 0 < r.hi[0] < 0.001
        assert not r.few[0]

    def test_one_cluster_says_nothing(self):
        r = self.rate([90], [3])
        assert r.rate[0] == 0.5
        assert math.isnan(r.se[0])
        assert r.n_eff[0] == 1
        assert r.few[0]
        assert r.hi[0] - r.lo[0] > 0.8

    def test_every_deal_alike_counts_deals_not_rows(self):
        r = self.rate(np.full(50, 90), np.full(50, 3))
        assert r.n_eff[0] == 50

    def test_few_clusters_and_few_wins_are_flagged(self):
        assert self.rate([60, 0] * 14).few[0]
        assert not self.rate([60, 0] * 15).few[0]
        assert self.rate([60] * 4 + [0] * 96).few[0]
        assert not self.rate([60] * 5 + [0] * 95).few[0]


def test_means_equal_numpy_and_ignore_no_cluster():
    rng = np.random.default_rng(2)
    values = rng.integers(5, 30, 400)
    deal = np.repeat(np.arange(100), 4)
    one = estimates.means(
        rows=400, clusters=400, y=values.sum(), yy=(values**2).sum(), yn=values.sum(), nn=400,
        squares=(values**2).sum(), z=1.96,
    )  # fmt: skip
    assert one.mean[0] == values.mean()
    assert one.sd[0] == pytest.approx(values.std(ddof=1), rel=1e-12)
    assert one.se[0] == pytest.approx(values.std(ddof=1) / 20, rel=1e-12)
    sums = sums_of(np.bincount(deal, values), np.full(100, 4))
    many = estimates.means(**sums, z=1.96)
    by_deal = values.reshape(100, 4).mean(axis=1)
    assert many.se[0] == pytest.approx(by_deal.std(ddof=1) / 10, rel=1e-12)
    assert math.isnan(many.sd[0])


def test_mean_of_nothing_and_of_one():
    none = estimates.means(rows=0, clusters=0, y=0, yy=0, yn=0, nn=0, z=1.96)
    single = estimates.means(rows=1, clusters=1, y=7, yy=49, yn=7, nn=1, z=1.96)
    assert math.isnan(none.mean[0])
    assert single.mean[0] == 7
    assert math.isnan(single.lo[0])


@pytest.mark.parametrize(
    ("lo", "hi", "few", "said"),
    [
        (0.315, 0.352, False, "balanced"),
        (0.3134, 0.3533, False, "balanced"),
        (0.36, 0.40, False, "unbalanced"),
        (0.20, 0.30, False, "unbalanced"),
        (0.30, 0.34, False, "undecided"),
        (0.0, 1.0, False, "undecided"),
        (0.36, 0.40, True, "too few games"),
        (math.nan, math.nan, False, "too few games"),
    ],
)
def test_verdicts(lo, hi, few, said):
    assert estimates.verdicts(lo, hi, 1 / 3, 0.02, few) == [said]


def simulated(rng, repeats, deals, tie_rate, swing):
    """Return the intervals of seat 1 of 3 in simulated runs, and its true share.

    A deal's luck moves the seat's chance in all three of its games by ``swing``; without a swing
    every game has its own deal.
    """
    p, per_deal = 0.4, 3 if swing else 1
    shape = (repeats, deals, per_deal)
    luck = rng.choice([-swing, swing], (repeats, deals, 1))
    win = rng.random(shape) < p + luck
    tie, shared = rng.random(shape) < tie_rate, rng.random(shape) < 2 / 3
    y = np.where(tie, np.where(shared, 30, 0), np.where(win, 60, 0)).sum(axis=2)
    total, n = y.sum(axis=1), per_deal
    got = estimates.clustered_rates(
        rows=np.full(repeats, deals * n),
        clusters=np.full(repeats, deals),
        y=total,
        yy=(y * y).sum(axis=1),
        yn=total * n,
        nn=np.full(repeats, deals * n * n),
        z=estimates.z_value(0.95),
    )
    return got, (1 - tie_rate) * p + tie_rate / 3


@pytest.mark.parametrize("tie_rate", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("swing", [0.0, 0.2])
def test_intervals_cover_what_they_say(tie_rate, swing, stat_seed):
    got, truth = simulated(np.random.default_rng(stat_seed), 4000, 300, tie_rate, swing)
    hits = int(((got.lo <= truth) & (truth <= got.hi)).sum())
    budget.assert_rate(hits, 4000, 0.95, within=0.021)


def test_ignoring_clusters_would_cover_too_rarely(stat_seed):
    # Guards the test above: it can tell a wrong interval from a right one.
    rng = np.random.default_rng(stat_seed)
    got, truth = simulated(rng, 2000, 300, 0.0, 0.35)
    lo, hi = estimates.wilson(got.rate, 900, estimates.z_value(0.95))
    assert ((lo <= truth) & (truth <= hi)).mean() < 0.91


def dealt_rows(seed: int, deals: int = 400, players: int = 3, games: int = 3):
    """Return rows of games whose seats hold something by chance: shares, holding, deal."""
    rng = np.random.default_rng(seed)
    held = np.repeat(rng.random((deals, players)) < 0.2, games, axis=0)
    luck = np.repeat(rng.normal(size=(deals, players)), games, axis=0)
    power = luck + rng.normal(size=held.shape) + 0.4 * held
    power = np.round(power, 1)  # so that wins are shared now and then
    best = power == power.max(axis=1, keepdims=True)
    share = best / best.sum(axis=1, keepdims=True)
    deal = np.repeat(np.arange(deals), games * players)
    return share.ravel(), held.ravel(), deal


@pytest.mark.parametrize("seed", range(3))
def test_the_effect_of_what_was_dealt_is_a_regression_clustered_by_deal(seed):
    import statsmodels.api as sm

    share, held, deal = dealt_rows(seed)
    fit = sm.OLS(share, sm.add_constant(held.astype(float))).fit(
        cov_type="cluster", cov_kwds={"groups": deal, "use_correction": False}
    )
    clusters = deal[-1] + 1
    y = np.bincount(deal, 60 * share * held).round().astype(int)
    n, w = np.bincount(deal, held).astype(int), np.bincount(deal)
    got = estimates.dealt_effects(
        rows=[n.sum()], y=[y.sum()], yy=[(y * y).sum()], yn=[(y * n).sum()], nn=[(n * n).sum()],
        yw=[(y * w).sum()], nw=[(n * w).sum()],
        whole=len(share), clusters=clusters, ww=int((w * w).sum()), parity=1 / 3, z=2.5,
    )  # fmt: skip
    assert got.effect[0] == pytest.approx(fit.params[1], rel=1e-9)
    assert got.se[0] == pytest.approx(fit.bse[1] * math.sqrt(clusters / (clusters - 1)), rel=1e-9)
    assert got.hi[0] - got.effect[0] == pytest.approx(2.5 * got.se[0])
    assert got.effect[0] - got.lo[0] == pytest.approx(2.5 * got.se[0])


@pytest.mark.parametrize("n", [0, 8])
def test_what_nobody_or_everybody_was_dealt_has_no_effect_that_could_be_told(n):
    sums = {
        "rows": n,
        "y": 30 * n,
        "yy": 1800 * n,
        "yn": 30 * n,
        "nn": n,
        "yw": 60 * n,
        "nw": 2 * n,
    }
    got = estimates.dealt_effects(**sums, whole=8, clusters=4, ww=16, parity=0.5, z=2.0)
    assert all(np.isnan(part).all() for part in (got.effect, got.se, got.lo, got.hi))
