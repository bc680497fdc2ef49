"""What the policies promise: how often they clear the game, and that care and thought pay.

Asked as a user would ask, by the tables of analysis, at limits from the error budget.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import polars as pl

import sim
from analysis import win_rates
from tests.budget import ALPHA

#: Intervals of Z standard errors, each on its own.
SURE = {"level": 1 - ALPHA, "simultaneous": False}

POLICIES = ("optimal_draws", "cautious", "fight_everything", "shortest_path", "random")


@cache
def cleared(*entries, seed, games=30_000):
    """Return the clear rate of each entry with its interval."""
    run = sim.simulate("wizard", games=games * len(entries), pool=entries, seed=seed, keep="sums")
    rates = win_rates(run, ["players", "policy"], **SURE)
    return [rates.row(by_predicate=pl.col("policy") == one, named=True) for one in entries]


def test_a_good_policy_clears_a_fifth_to_two_fifths(stat_seed):
    best = cleared(*POLICIES, seed=stat_seed)[0]
    assert 0.2 < best["lo"] < best["hi"] < 0.4


def test_each_is_better_than_the_next(stat_seed):
    rates = cleared(*POLICIES, seed=stat_seed)
    for better, worse in pairwise(rates[:4]):
        assert better["lo"] > worse["hi"]


def test_a_good_policy_clears_ten_times_as_often_as_chance(stat_seed):
    rates = cleared(*POLICIES, seed=stat_seed)
    assert rates[0]["lo"] > 10 * rates[-1]["hi"]


def test_who_slips_more_clears_less(stat_seed):
    slips = ("optimal_draws", *(f"optimal_draws@{slip}" for slip in (0.05, 0.2, 1)))
    for less, more in pairwise(cleared(*slips, seed=stat_seed)):
        assert less["lo"] > more["hi"]


def test_more_lp_at_the_start_help(stat_seed):
    def rate(lp):
        run = sim.simulate(
            "wizard",
            games=30_000,
            lineup="optimal_draws",
            seed=stat_seed,
            keep="sums",
            overrides=[f"start.lp={lp}", "lp.most=99"],
        )
        return win_rates(run, ["players", "policy"], **SURE).row(0, named=True)

    less, now, more = rate(24), rate(30), rate(36)
    assert less["hi"] < now["lo"] < now["hi"] < more["lo"]
