"""Seats of Magnolia are alike: in the kernel's games no seat does better by where it sits.

That seats which change places with their streams and the order of filling change results exactly
is tested with the readable engine (``tests/titles/magnolia/test_symmetry.py``), and for a small
game in ``test_small_games.py``. Here the kernel's own order of filling is part of it.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from sim import titles
from sim.core.policy import available
from tests.budget import assert_none_rare
from tests.verification.kernels import play

pytestmark = pytest.mark.verify

TITLE = titles.load("magnolia")
POLICIES = tuple(available(TITLE.data / "policies"))


def alike(values: np.ndarray) -> float:
    """Return the p-value of all seats having the same mean, whose values may go together.

    Hotelling's test of the differences to the last seat; with thousands of games it is chi-square.
    """
    differences = (values[:, :-1] - values[:, -1:]).astype(float)
    mean = differences.mean(axis=0)
    covariance = np.atleast_2d(np.cov(differences.T)) / len(values)
    return float(chi2.sf(mean @ np.linalg.solve(covariance, mean), len(mean)))


@pytest.mark.parametrize("players", TITLE.info.players)
def test_seats_of_mirrors_win_and_score_alike(players, stat_seed):
    chances, number = {}, 60_000 // players
    for place, policy in enumerate(POLICIES):
        games = play(TITLE, [policy] * players, number, seed=100 * stat_seed + place)
        for column in ("win60", "score", "rank", "played", "gold_spent", "vp_war"):
            chances[f"{policy}, {column}"] = alike(games.seats(column))
        hands = games.cards("opening") @ np.arange(len(games.kinds))
        chances[f"{policy}, opening"] = alike(hands)
    assert_none_rare(chances)


@pytest.mark.parametrize("players", TITLE.info.players)
def test_a_policy_wins_as_often_in_every_seat(players, stat_seed):
    """Line-ups of unlike policies, each rotation on deals of its own."""
    chances, number = {}, 30_000 // players
    for first in range(0, len(POLICIES), 2):
        lineup = [POLICIES[(first + n) % len(POLICIES)] for n in range(players)]
        shares = np.empty((players, players, number))  # by policy and seat
        for shift in range(players):
            seated = [lineup[(seat + shift) % players] for seat in range(players)]
            seed = 10_000 * (stat_seed + 1) + 10 * first + shift
            games = play(TITLE, seated, number, seed=seed)
            for seat in range(players):
                shares[(seat + shift) % players, seat] = games.seats("win60")[:, seat]
        for own, policy in enumerate(lineup):
            means = shares[own].mean(axis=1)
            errors = shares[own].var(axis=1) / number
            weights = 1 / np.maximum(errors, 1e-9)
            middle = (means * weights).sum() / weights.sum()
            statistic = ((means - middle) ** 2 * weights).sum()
            chances[f"{policy} of {'-'.join(lineup)}"] = float(chi2.sf(statistic, players - 1))
    assert_none_rare(chances)


def test_a_seat_that_is_favoured_would_be_seen():
    """Guards the tests above: a point in twenty for one seat is found."""
    rng = np.random.default_rng(1)
    values = rng.normal(20, 6, (12_000, 5))
    assert alike(values) > 1e-4
    values[:, 0] += 1
    assert alike(values) < 1e-9
