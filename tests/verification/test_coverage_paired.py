"""How often intervals of what a change does cover the truth: ratios before and after, by deal.

A deal is one of a few kinds, each with what a group won in it and how many rows it had, before the
change and after it; what is chosen during play may have rows in one and none in the other.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.estimates import z_value
from analysis.paired import PRODUCTS, ratio_differences
from sim.core.title import WIN
from tests.budget import assert_coverage

pytestmark = pytest.mark.verify

FAMILY = 60

#: Chances of (won, rows) before and (won, rows) after, in games.
Kinds = dict[tuple[int, int, int, int], float]


def seat(changed: float, up: float) -> Kinds:
    """Return a seat that half of the games are won by, and a share of them comes out otherwise."""
    better, worse = changed * up, changed * (1 - up)
    same = 1 - changed
    return {
        (1, 1, 1, 1): same / 2,
        (0, 1, 0, 1): same / 2,
        (0, 1, 1, 1): better,
        (1, 1, 0, 1): worse,
    }


def choice(taken: float, moved: float) -> Kinds:
    """Return what a share of the seats chooses; of these some come and go with the change."""
    stay, come = taken * (1 - moved), taken * moved / 2
    return {
        (1, 1, 1, 1): stay * 0.4,
        (0, 1, 0, 1): stay * 0.5,
        (0, 1, 1, 1): stay * 0.1,
        (1, 1, 0, 0): come * 0.3,
        (0, 1, 0, 0): come * 0.7,
        (0, 0, 1, 1): come * 0.8,
        (0, 0, 0, 1): come * 0.2,
        (0, 0, 0, 0): 1 - taken * (1 - moved) - taken * moved,
    }


CORNERS = {
    "0.2 % changed, all for the better": seat(0.002, 1.0),
    "1 % changed": seat(0.01, 0.7),
    "20 % changed": seat(0.2, 0.5),
    "60 % changed": seat(0.6, 0.7),
    "chosen by half, a tenth moved": choice(0.5, 0.1),
    "chosen by a fifth, half moved": choice(0.2, 0.5),
    "chosen by nearly all": choice(0.95, 0.3),
}


def hits(kinds: Kinds, rng, deals: int, runs: int, family: int = 1):
    """Return in how many of so many runs all intervals of a family cover."""
    chance = np.array(list(kinds.values()))
    rows = np.array(list(kinds), np.int64)
    scaled = dict(zip("ynvm", (rows * [WIN, 1, WIN, 1]).T, strict=True))
    drawn = rng.multinomial(deals, chance / chance.sum(), runs * family).astype(np.int64)
    sums = {name: drawn @ np.prod([scaled[letter] for letter in name], axis=0) for name in PRODUCTS}
    clusters = drawn @ ((scaled["n"] > 0) | (scaled["m"] > 0)).astype(np.int64)
    got = ratio_differences(sums, clusters, z_value(0.95, family))
    won, of, after, then = (chance @ rows).tolist()
    truth = after / then - won / of
    covered = (got.lo <= truth) & (truth <= got.hi)
    return int(covered.reshape(runs, family).all(axis=1).sum()), runs


@pytest.mark.parametrize(("number", "runs"), [(300, 8_000), (3_000, 8_000)])
def test_changes_between_two_rules(number, runs, stat_seed):
    """Also where hardly a game changed: there they are wide, and never too narrow."""
    rng = np.random.default_rng(stat_seed)
    found = {name: hits(kinds, rng, number, runs) for name, kinds in CORNERS.items()}
    assert_coverage(found, 0.935, within=0.025)


def test_changes_of_many_games_are_not_too_wide(stat_seed):
    rng = np.random.default_rng(stat_seed)
    found = {name: hits(kinds, rng, 100_000, 8_000) for name, kinds in CORNERS.items()}
    assert_coverage(found, 0.94, 0.961, within=0.025)


def test_many_changes_together(stat_seed):
    rng = np.random.default_rng(stat_seed)
    found = {name: hits(kinds, rng, 3_000, 400, FAMILY) for name, kinds in CORNERS.items()}
    assert_coverage(found, 0.9, within=0.15)


def test_the_saving_is_that_of_variances(stat_seed):
    """Runs on deals of their own spread so much more than runs of the same deals.

    The ratio of two variances over 4,000 runs is known to 3 %.
    """
    rng = np.random.default_rng(stat_seed)
    kinds = seat(0.1, 0.6)
    chance, rows = np.array(list(kinds.values())), np.array(list(kinds), np.int64)
    drawn = rng.multinomial(2_000, chance, 4_000)
    before, after = (drawn @ rows[:, place] / 2_000 for place in (0, 2))
    apart = np.var(before) + np.var(after)
    scaled = dict(zip("ynvm", (rows * [WIN, 1, WIN, 1]).T, strict=True))
    large = rng.multinomial(1_000_000, chance)
    sums = {
        name: [int(large @ np.prod([scaled[letter] for letter in name], axis=0))]
        for name in PRODUCTS
    }
    told = ratio_differences(sums, [1_000_000], 1.96).saving[0]
    assert apart / np.var(after - before) == pytest.approx(told, rel=0.25)
