"""Effects of parts over decks: against a library, with parts that add up, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from analysis.building import part_effects, student
from analysis.estimates import z_value
from tests import budget


@pytest.fixture
def rng(stat_seed):
    return np.random.default_rng(stat_seed)


def decks(rng, number=200):
    """Return decks of 40 cards by four costs, with the number of spells among them."""
    shares = rng.dirichlet([2, 3, 3, 1], number)
    costs = np.array([rng.multinomial(40, share) for share in shares])
    return np.column_stack([costs, rng.integers(5, 20, number)]).astype(float)


def test_free_parts_are_a_librarys_least_squares(rng):
    x = rng.normal(size=(120, 4))
    y = 0.5 + x @ [0.1, 0, -0.2, 0.05] + rng.normal(size=120) * (1 + np.abs(x[:, 0]))
    got = part_effects(x, y)
    fit = sm.OLS(y, sm.add_constant(x)).fit(cov_type="HC3")
    assert got.effect == pytest.approx(fit.params[1:])
    assert got.se == pytest.approx(fit.bse[1:])
    assert got.r2 == pytest.approx(fit.rsquared_adj)
    assert got.free == fit.df_resid


def test_parts_of_a_whole_are_against_the_others_of_it(rng):
    x = decks(rng)
    truth = np.array([0.02, 0.00, -0.01, 0.01])
    y = 0.5 + x[:, :4] @ truth + 0.003 * x[:, 4]
    got = part_effects(x, y, groups=[(0, 1, 2, 3)])
    for place in range(4):
        others = [one for one in range(4) if one != place]
        average = np.average(truth[others], weights=x[:, others].mean(axis=0))
        assert got.effect[place] == pytest.approx(truth[place] - average)
    assert got.effect[4] == pytest.approx(0.003)
    assert got.r2 == pytest.approx(1)


def test_a_contrast_is_a_librarys_with_another_basis(rng):
    """Leaving one part out and asking for the same contrast gives the same error."""
    x = decks(rng)
    y = 0.5 + x[:, 0] * 0.01 + rng.normal(scale=0.05, size=len(x)) * (1 + x[:, 1] / 20)
    got = part_effects(x, y, groups=[(0, 1, 2, 3)])
    fit = sm.OLS(y, sm.add_constant(x[:, [0, 1, 2, 4]])).fit(cov_type="HC3")
    means = x[:, 1:4].mean(axis=0)
    weights = np.array([0, 1, *(-means[:2] / means.sum()), 0])  # part 3 is the one left out
    assert got.effect[0] == pytest.approx(float(weights @ fit.params))
    assert got.se[0] == pytest.approx(float(np.sqrt(weights @ fit.cov_params() @ weights)))


def test_what_cannot_be_told_apart_is_not_told(rng):
    x = decks(rng)
    x = np.column_stack([x, x[:, 4], np.full(len(x), 3.0)])  # one twice, one that never varies
    got = part_effects(x, rng.normal(size=len(x)), groups=[(0, 1, 2, 3)])
    assert np.isnan(got.effect[[4, 5, 6]]).all()
    assert np.isfinite(got.effect[:4]).all()


def test_with_few_decks_nothing_is_said(rng):
    x = decks(rng, number=20)
    got = part_effects(x, rng.normal(size=20), groups=[(0, 1, 2, 3)])
    assert np.isnan(got.effect).all()
    assert got.free < 20


def test_intervals_cover(rng):
    """Decks deviate from what their composition says, the more the dearer they are."""
    trials, hits = 2_000, 0
    for _ in range(trials):
        x = decks(rng, number=120)
        noise = rng.normal(scale=0.05, size=len(x)) * (1 + x[:, 3] / 10)
        got = part_effects(x, 0.5 + 0.01 * x[:, 4] + noise, groups=[(0, 1, 2, 3)])
        hits += abs(got.effect[4] - 0.01) <= student(z_value(0.95), got.free) * got.se[4]
    budget.assert_rate(hits, trials, 0.95, within=0.03)


@pytest.mark.parametrize("free", [20, 40, 134, 5_000])
@pytest.mark.parametrize("family", [1, 15, 60])
def test_quantiles_are_a_librarys(free, family):
    exact = stats.t.ppf(1 - 0.05 / (2 * family), free)
    assert student(z_value(0.95, family), free) == pytest.approx(exact, rel=1e-4)


def test_quantiles_of_very_few_are_refused():
    with pytest.raises(ValueError, match="at least 20"):
        student(1.96, 19)


def test_shapes_and_groups_are_checked(rng):
    with pytest.raises(ValueError, match="do not fit"):
        part_effects(np.zeros((3, 2)), np.zeros(4))
    with pytest.raises(ValueError, match="two groups"):
        part_effects(np.zeros((3, 2)), np.zeros(3), groups=[(0, 1), (1,)])
