"""What the policies promise: chance is beaten, each has its field, games end in good time.

Asked as a user would ask: of the default plan and of rotations of two, by the tables of analysis.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import polars as pl
import pytest

import sim
from analysis import outcomes, win_rates
from sim.core.policy import available
from sim.titles.magnolia import TITLE
from tests.budget import ALPHA

POLICIES = [name for name in available(TITLE.data / "policies") if name != "random"]
#: Intervals of Z standard errors, each on its own.
SURE = {"level": 1 - ALPHA, "simultaneous": False}


@cache
def played(seed):
    """Return mirrors, full rotations and drawn line-ups of all policies but ``random``."""
    return sim.simulate("magnolia", games=80_000, seed=seed, keep="sums")


def share(one, other, games, seed):
    """Return the row of a policy's share against another, in either seat of each deal."""
    lineup = [one, other]
    run = sim.simulate("magnolia", games=games, lineup=lineup, rotate=True, seed=seed, keep="sums")
    rates = win_rates(run, ["players", "policy"], **SURE)
    return rates.row(by_predicate=pl.col("policy") == one, named=True)


@pytest.mark.parametrize("policy", POLICIES)
def test_each_beats_random(policy, stat_seed):
    assert share(policy, "random", 4_000, stat_seed)["lo"] >= 0.95


#: How often a policy slips, and how many games it takes to tell it from the slip before.
SLIPS = {0.05: 8_000, 0.2: 3_000, 1: 500}


@pytest.mark.parametrize("policy", POLICIES)
def test_who_slips_more_wins_less(policy, stat_seed):
    shares = [share(policy, f"{policy}@{slip}", games, stat_seed) for slip, games in SLIPS.items()]
    # A mirror is even by construction, so that the order begins at one half.
    assert shares[0]["lo"] > 0.5
    for less, more in pairwise(shares):
        assert less["hi"] < more["lo"]


#: What a policy has more of than any other.
MARKS = [
    ("war", "vp_war"),
    ("science", "technology"),
    ("faith", "faith"),
    ("lines", "vp_lines"),
    ("rich", "gold_gained"),
    ("rich", "vp_gold"),
]


@pytest.mark.parametrize(("policy", "column"), MARKS)
def test_each_has_most_of_what_it_is_for(policy, column, stat_seed):
    keys, designs = ["players", "policy"], ["rotation", "pool"]
    means = outcomes(played(stat_seed), column, keys, design=designs, **SURE)
    own = pl.col("policy") == policy
    assert means.filter(own)["players"].to_list() == list(TITLE.info.players)
    for row in means.filter(own).iter_rows(named=True):
        others = means.filter(~own, pl.col("players") == row["players"])
        assert row["lo"] > others["hi"].max()


def test_none_is_hopeless_and_none_wins_too_much(stat_seed):
    rates = win_rates(played(stat_seed), ["players", "policy"], **SURE)
    assert rates.height == len(POLICIES) * len(TITLE.info.players)
    for row in rates.iter_rows(named=True):
        assert row["lo"] >= 2 / 3 * row["parity"]
        assert row["hi"] <= 4 / 3 * row["parity"]


def test_games_last_four_to_five_and_a_half_rounds(stat_seed):
    means = outcomes(played(stat_seed), "rounds", ["players", "design"], **SURE)
    assert means.height == 3 * len(TITLE.info.players)
    assert means["lo"].min() >= 4
    assert means["hi"].max() <= 5.5


def test_seats_are_equal(stat_seed):
    # Mirrors and full rotations, as for any question about seats.
    rates = win_rates(played(stat_seed), ["players", "seat"], **SURE)
    assert rates.height == sum(TITLE.info.players)
    for row in rates.iter_rows(named=True):
        assert row["hi"] - row["lo"] <= 0.07, "the window is too wide to mean anything"
        assert row["lo"] <= row["parity"] <= row["hi"]
