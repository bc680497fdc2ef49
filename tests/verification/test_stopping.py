"""Coverage under stopping: intervals of runs that ended early, by simulation.

Thousands of made-up runs with a known rate, looked at as real ones are: the same looks, the same
floor, the same estimates. Wins are drawn look by look, a binomial number in the deals between.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.estimates import clustered_rates, sequence_value, z_value
from analysis.stopping import FLOOR
from sim.run.stages import FIRST, GROWTH
from tests.budget import assert_rate

pytestmark = pytest.mark.verify

#: Misses among so many runs tell a coverage of 94 % from one of 95.
RUNS = 40_000
LOOKS = 28


def looked_at() -> np.ndarray:
    games, listed = FIRST, []
    for _ in range(LOOKS):
        listed.append(games)
        games = -(-games * GROWTH[0] // GROWTH[1])
    return np.array(listed)


def drawn(rate: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return deals by look, and wins by run and look."""
    chance = np.random.Generator(np.random.Philox(seed))
    deals = looked_at()
    wins = chance.binomial(np.diff(deals, prepend=0), rate, size=(RUNS, LOOKS)).cumsum(axis=1)
    return deals, wins


def intervals(deals: np.ndarray, wins: np.ndarray, z: float | np.ndarray):
    """Return the bounds of one look, by the estimates that tables use."""
    n = np.broadcast_to(deals, wins.shape)
    got = clustered_rates(rows=n, clusters=n, y=60 * wins, yy=3600 * wins, yn=60 * wins, nn=n, z=z)
    return got.lo, got.hi


def bounds(deals: np.ndarray, wins: np.ndarray, values: list[float]):
    pairs = [intervals(n, wins[:, k], values[k]) for k, n in enumerate(deals.tolist())]
    return np.stack([lo for lo, _ in pairs], axis=1), np.stack([hi for _, hi in pairs], axis=1)


def first_true(met: np.ndarray) -> np.ndarray:
    """Return for each run its first look that meets the rule, the last where none does."""
    return np.where(met.any(axis=1), met.argmax(axis=1), met.shape[1] - 1)


@pytest.mark.parametrize("rate", [0.5, 0.25, 0.1])
@pytest.mark.parametrize("width", [0.01, 0.004])
def test_plain_intervals_cover_where_precision_ends_a_run(rate: float, width: float) -> None:
    deals, wins = drawn(rate, seed=1)
    lo, hi = bounds(deals, wins, [z_value()] * LOOKS)
    ended = first_true(((hi - lo) / 2 <= width) & (deals >= FLOOR))
    at = np.arange(RUNS), ended
    missed = int(((rate < lo[at]) | (hi[at] < rate)).sum())
    assert_rate(missed, RUNS, 0.05, within=0.01)


@pytest.mark.parametrize("rate", [0.5, 0.515, 0.52, 0.53, 1 / 3, 0.1])
def test_sequences_cover_at_all_looks_together(rate: float) -> None:
    deals, wins = drawn(rate, seed=2)
    lo, hi = bounds(deals, wins, [sequence_value(n) for n in deals.tolist()])
    missed = int(((rate < lo) | (hi < rate)).any(axis=1).sum())
    assert_at_most(missed, 0.05)
    assert missed > RUNS * 0.002, "intervals so wide that they cannot miss say nothing"


@pytest.mark.parametrize("off", [0.0, 0.01, 0.019, 0.021, 0.03])
def test_verdicts_of_runs_that_end_by_them_are_right(off: float) -> None:
    """A wrong verdict comes in fewer runs than the level leaves, wherever the truth lies."""
    margin, fair = 0.02, 1 / 3
    rate = fair + off
    deals, wins = drawn(rate, seed=3)
    lo, hi = bounds(deals, wins, [sequence_value(n) for n in deals.tolist()])
    balanced = (fair - margin <= lo) & (hi <= fair + margin)
    unbalanced = (hi < fair - margin) | (lo > fair + margin)
    at = np.arange(RUNS), first_true((balanced | unbalanced) & (deals >= FLOOR))
    wrong = int((unbalanced if off < margin else balanced)[at].sum())
    assert_at_most(wrong, 0.05)
    decided = int((balanced | unbalanced)[at].sum())
    if off in (0.0, 0.03):
        assert decided == RUNS


def test_plain_intervals_would_miss_where_verdicts_end_a_run() -> None:
    """What the sequence is for: the same runs, looked at with plain intervals."""
    margin, fair, rate = 0.02, 1 / 3, 1 / 3 + 0.019
    deals, wins = drawn(rate, seed=3)
    lo, hi = bounds(deals, wins, [z_value()] * LOOKS)
    wrong = int(((lo > fair + margin).any(axis=1)).sum())
    missed = int(((rate < lo) | (hi < rate)).any(axis=1).sum())
    assert wrong > 0.05 * RUNS
    assert missed > 0.15 * RUNS


def assert_at_most(hits: int, most: float) -> None:
    """Assert that something happens at most so often, within the budget."""
    if hits > most * RUNS:
        assert_rate(hits, RUNS, most, within=0.01)
