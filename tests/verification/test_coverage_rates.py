"""How often the intervals of rates cover the truth: Wilson's, with deals as clusters.

Every rate of a report is made this way: of seats, policies, categories, events, shares, end
reasons, compositions, levels of skill, chosen cards. What is told as joint coverage is that of the
families in which a report shows them (Bonferroni).

What was measured stands in the table that a run of the proofs prints. In short: from 100 deals on
single intervals of 95 % cover in 93 to 98 of 100 runs whatever the rate, ties and luck of deals;
with 50 deals and rates of 2 % in 91, of runs that are then told as *too few games*.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.estimates import clustered_rates, z_value
from sim.core.title import WIN
from tests.budget import assert_coverage
from tests.verification.simulated import Deals, of_choices, of_games

pytestmark = pytest.mark.verify

RUNS = 20_000
Z95 = z_value(0.95)

#: Games a deal, how much a deal's luck moves them, ties: mirrors and rotations of 2 to 5 players.
SHAPES = [(1, 0.0, 0.0), (1, 0.0, 0.3), (2, 0.8, 0.0), (3, 0.8, 0.2), (5, 0.9, 0.0), (4, 0.0, 0.0)]
RATES = (0.02, 0.05, 0.2, 1 / 3, 0.5, 0.9)


def hits(deals: Deals, rng: np.random.Generator, number: int, runs: int = RUNS) -> tuple[int, int]:
    got, truth = deals.rates(rng, runs, number, Z95), deals.truth / WIN
    return int(((got.lo <= truth) & (truth <= got.hi)).sum()), runs


def corners(rng: np.random.Generator, number: int) -> dict[str, tuple[int, int]]:
    found = {}
    for rate in RATES:
        for size, swing, ties in SHAPES:
            if ties / 3 < min(rate, 1 - rate):
                deals = of_games(rate, size=size, swing=swing, ties=ties)
                name = f"rate {rate:.2f}, {size} a deal, luck {swing}, ties {ties}"
                found[name] = hits(deals, rng, number)
    return found


@pytest.mark.parametrize(
    ("number", "low", "high"),
    [(50, 0.91, 0.985), (100, 0.93, 0.98), (300, 0.935, 0.97), (10_000, 0.945, 0.955)],
)
def test_rates_of_few_and_many_deals(number, low, high, stat_seed):
    rng = np.random.default_rng(stat_seed)
    assert_coverage(corners(rng, number), low, high, within=0.015)


@pytest.mark.parametrize(("number", "low", "high"), [(300, 0.92, 0.98), (10_000, 0.942, 0.958)])
def test_rates_of_what_only_some_seats_have(number, low, high, stat_seed):
    """Categories and cards that were chosen: 0 to 5 rows a deal, and no two deals alike."""
    rng = np.random.default_rng(stat_seed)
    found = {}
    for taken in (0.01, 0.05, 0.25, 0.6):
        for seats, rate, better in ((2, 0.05, 0.02), (4, 0.2, 0.0), (5, 0.2, -0.02)):
            name = f"{taken} of {seats} seats, rate {rate}"
            found[name] = hits(of_choices(taken, seats, rate, better), rng, number)
    assert_coverage(found, low, high, within=0.015)


@pytest.mark.parametrize(("number", "low"), [(300, 0.91), (1_000, 0.91), (10_000, 0.93)])
def test_large_families_of_rates(number, low, stat_seed):
    """Sixty intervals at once, far out in the tails, where whole wins make most of a difference."""
    rng, runs, family = np.random.default_rng(stat_seed), 2_000, 60
    found = {}
    for rate in RATES:
        for size, swing, ties in ((1, 0.0, 0.0), (3, 0.8, 0.02)):
            deals = of_games(rate, size=size, swing=swing, ties=ties)
            got = deals.rates(rng, runs * family, number, z_value(0.95, family))
            truth = deals.truth / WIN
            covered = ((got.lo <= truth) & (truth <= got.hi)).reshape(runs, family)
            found[f"rate {rate:.2f}, {size} a deal"] = int(covered.all(axis=1).sum()), runs
    assert_coverage(found, low, 0.99, within=0.06)


def test_a_wrong_unit_would_be_seen(stat_seed):
    """Guards the tests above: games instead of deals cover far too rarely."""
    deals = of_games(0.5, size=5, swing=0.9)
    sums = deals.sums(np.random.default_rng(stat_seed), 2_000, 300)
    alone = {**sums, "clusters": sums["rows"], "yy": sums["y"] * WIN, "yn": sums["y"]}
    got = clustered_rates(**alone | {"nn": sums["rows"]}, z=Z95)
    truth = deals.truth / WIN
    assert ((got.lo <= truth) & (truth <= got.hi)).mean() < 0.8


def seats(
    rng: np.random.Generator, runs: int, deals: int, share: list[float], ties: float, size: int
) -> np.ndarray:
    """Return what each seat won in each deal, in sixtieths, shape (runs, deals, seats).

    A seat wins with its share; a share of the games is tied between the winner and the next seat.
    The games of a deal have half of their luck in common.
    """
    players = len(share)
    edges = np.cumsum(share)[:-1]
    common = rng.random((runs, deals, 1))
    alone = rng.random((runs, deals, size))
    luck = np.where(rng.random((runs, deals, size)) < 0.5, common, alone) if size > 1 else alone
    winner = (luck[..., None] > edges).sum(axis=-1)
    tied = rng.random(winner.shape) < ties
    won = np.zeros((runs, deals, players), np.int64)
    for game in range(size):
        first, shared = winner[..., game], tied[..., game]
        for seat in range(players):
            whole = (first == seat) & ~shared
            half = shared & ((first == seat) | ((first + 1) % players == seat))
            won[..., seat] += WIN * whole + WIN // 2 * half
    return won


def joint(won: np.ndarray, rows: int, truth: np.ndarray, family: int) -> tuple[int, int]:
    """Return in how many runs all intervals cover, of so many."""
    runs, deals, groups = won.shape
    hit = np.ones(runs, bool)
    for group in range(groups):
        y = won[..., group]
        total = y.sum(axis=1)
        got = clustered_rates(
            rows=np.full(runs, deals * rows),
            clusters=np.full(runs, deals),
            y=total,
            yy=(y * y).sum(axis=1),
            yn=total * rows,
            nn=np.full(runs, deals * rows * rows),
            z=z_value(0.95, family),
        )
        hit &= (got.lo <= truth[group]) & (truth[group] <= got.hi)
    return int(hit.sum()), runs


#: Shares of the seats, ties, games a deal, deals.
TABLES = [
    ([0.5, 0.5], 0.0, 1, 300),
    ([0.35, 0.65], 0.2, 2, 300),
    ([0.34, 0.33, 0.33], 0.05, 3, 300),
    ([0.1, 0.2, 0.3, 0.4], 0.1, 4, 200),
    ([0.02, 0.08, 0.3, 0.3, 0.3], 0.0, 1, 500),
]


def test_all_seats_of_a_table_together(stat_seed):
    """Bonferroni is on the safe side; how far depends on how much the seats go together."""
    rng, found = np.random.default_rng(stat_seed), {}
    for share, ties, size, deals in TABLES:
        won = seats(rng, 6_000, deals, share, ties, size)
        weights = np.array(share)
        truth = (1 - ties / 2) * weights + ties / 2 * np.roll(weights, 1)
        name = f"{len(share)} seats, {size} a deal, ties {ties}"
        found[name] = joint(won, size, truth, len(share))
    assert_coverage(found, 0.94, 0.985, within=0.025)


def test_twelve_values_of_a_category_together(stat_seed):
    """Four seats that each choose one of twelve; some choices are rare, and better."""
    rng = np.random.default_rng(stat_seed)
    runs, deals, players = 3_000, 600, 4
    taken = np.array([0.3, 0.2, 0.15, 0.1, 0.05, 0.05, 0.04, 0.03, 0.03, 0.02, 0.02, 0.01])
    power = np.linspace(1.0, 2.0, len(taken))
    # Four seats of one game win by their power; the truth is that of very many games.
    chosen = rng.choice(len(taken), (runs, deals, players), p=taken)
    strength = power[chosen]
    edges = strength.cumsum(axis=-1) / strength.sum(axis=-1, keepdims=True)
    winner = (rng.random((runs, deals, 1)) > edges[..., :-1]).sum(axis=-1)
    hit = np.ones(runs, bool)
    expected = strength / strength.sum(axis=-1, keepdims=True)
    for value in range(len(taken)):
        own = chosen == value
        n = own.sum(axis=-1)
        y = WIN * (own & (np.arange(players) == winner[..., None])).sum(axis=-1)
        # What all games together expect is the truth to a thousandth of an interval.
        truth = (expected * own).sum() / own.sum()
        got = clustered_rates(
            rows=n.sum(axis=1),
            clusters=(n > 0).sum(axis=1),
            y=y.sum(axis=1),
            yy=(y * y).sum(axis=1),
            yn=(y * n).sum(axis=1),
            nn=(n * n).sum(axis=1),
            z=z_value(0.95, len(taken)),
        )
        hit &= (got.lo <= truth) & (truth <= got.hi)
    assert_coverage({"12 values": (int(hit.sum()), runs)}, 0.94, 0.98, within=0.03)
