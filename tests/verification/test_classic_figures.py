"""Games against figures that independent simulators of the same game found.

They check the rules as a whole: the shuffle, the ladder of treasures, the end, and above all the
tie-break. The three-way split of the naive mirror is the sharp test: without "fewer turns win" the
mean length stays what it is, and the split does not.

The figures come with half-widths at 95 %, or rounded to three decimals; what they do not know is
added to what these games do not know.
"""

from __future__ import annotations

from functools import cache
from math import hypot, sqrt

import numpy as np
import polars as pl
import pytest

import sim
from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.core.title import MASK_WORDS, WIN
from sim.titles.classic import DATA, TITLE
from tests.budget import assert_mean

pytestmark = pytest.mark.verify

#: From the half-width of an interval at 95 % to a standard error.
SE = 1 / 1.96

#: Standard error of a figure that is known to three decimals.
ROUNDED = 0.001 / sqrt(12)

#: Turn of the n-th province of one naive bot alone.
PROVINCES = (8.719, 11.748, 14.358, 16.798, 19.122, 21.424, 23.724, 25.953)

#: The draw-3 and the curse-giving card are there in all games; which others are does not matter.
FIXED = 'supply.fixed=["crone", "forge"]'


def mean_and_se(values) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1) / sqrt(len(values)))


@cache
def alone(seed: int) -> np.ndarray:
    """Return the provinces of a naive bot alone, by game and round."""
    games = 400_000
    tables = TITLE.compile(TITLE.load(overrides=("limits.round_cap=60",)))
    policies = load_policies(["naive"], tables.words, DATA / "policies")
    out = allocate(TITLE.info, games, 1, rounds=60, collect=("core", "series"))
    bans, lineups = np.zeros((1, MASK_WORDS), np.uint64), np.zeros((1, 1), np.int16)
    assert TITLE.play(tables, policies, bans, make_key(seed), 0, lineups, 1, out)[0] == 0
    assert out.series is not None
    assert (out.games["end_reason"] == 0).all(), "all eight provinces were bought"
    return out.series[:, 0, :, 1]


@pytest.mark.parametrize("nth", range(1, 9))
def test_turn_of_the_nth_province(nth, stat_seed):
    provinces = alone(stat_seed)
    # Rounds that were not played hold a large negative number.
    turn = 1 + np.count_nonzero((provinces >= 0) & (provinces < nth), axis=1)
    mean, se = mean_and_se(turn)
    assert_mean(mean, hypot(se, 0.004 * SE), PROVINCES[nth - 1], within=0.04)


@cache
def mirror(seed: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Return games between two naive bots, and who won them."""
    run = sim.simulate(TITLE, games=400_000, lineup="naive,naive", seed=seed)
    return run.games, run.seats["win60"].to_numpy().reshape(-1, 2)


@pytest.mark.parametrize(("outcome", "share"), [(WIN, 0.2435), (WIN // 2, 0.3329), (0, 0.4237)])
def test_split_of_the_naive_mirror(outcome, share, stat_seed):
    """What seat 1 has of a game: all, half or nothing."""
    mean, se = mean_and_se(mirror(stat_seed)[1][:, 0] == outcome)
    assert_mean(mean, hypot(se, 0.001 * SE), share, within=0.01)


def test_length_of_the_naive_mirror(stat_seed):
    games = mirror(stat_seed)[0]
    rounds, turns = (games[name].to_numpy().astype(float) for name in ("rounds", "turns"))
    mean, se = mean_and_se(rounds)
    assert_mean(mean, hypot(se, ROUNDED), 17.357, within=0.02)
    mean, se = mean_and_se(turns)
    assert_mean(mean, hypot(se, 10 * ROUNDED), 34.21, within=0.04)
    # A variance is a mean too: of squares. The figure is rounded to three decimals.
    mean, se = mean_and_se((rounds - rounds.mean()) ** 2)
    assert_mean(mean, hypot(se, 2 * 1.378 * ROUNDED), 1.378**2, within=0.06)


@cache
def shares(seed: int, policy: str, *overrides: str) -> np.ndarray:
    """Return a policy's win shares against the naive bot, by deal and own seat."""
    lineup = f"{policy},naive"
    settings = {"overrides": (FIXED, *overrides), "seed": seed}
    run = sim.simulate(TITLE, games=400_000, lineup=lineup, rotate=True, **settings)
    own = run.scan_rows().filter(pl.col("policy") == policy).sort("deal", "seat")
    found = own.select(pl.col("win60").cast(pl.Float64) / WIN).collect().to_series()
    return found.to_numpy().reshape(-1, 2)


#: What a change does to the share of money and one draw-3 card against money, in both seats.
CHANGES = [
    ("forge_2", (), -0.003),
    ("forge_1", ("cards.forge.cost=5",), -0.051),
    ("forge_1", ("cards.forge.cost=6",), -0.237),
    ("crone_1", (), 0.193),
]


@pytest.mark.parametrize(("policy", "overrides", "change"), CHANGES)
def test_what_changes_do_to_one_card_and_money(policy, overrides, change, stat_seed):
    changed, plain = shares(stat_seed, policy, *overrides), shares(stat_seed, "forge_1")
    mean, se = mean_and_se((changed - plain).mean(axis=1))
    # The figures are of as many pairs of games, so that they know about as much as these.
    assert_mean(mean, hypot(se, se, ROUNDED), change, within=0.015)


def test_pairing_by_deal_saves_games(stat_seed):
    """A dearer card: variance of two unpaired runs over that of paired ones, in either seat."""
    dearer, plain = shares(stat_seed, "forge_1", "cards.forge.cost=5"), shares(stat_seed, "forge_1")
    for seat in (0, 1):
        paired = np.var(dearer[:, seat] - plain[:, seat])
        gain = (np.var(dearer[:, seat]) + np.var(plain[:, seat])) / paired
        print(f"seat {seat + 1}: pairing saves a factor of {gain:.2f}")
        assert gain >= 1.7
