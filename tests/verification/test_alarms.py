"""How often verdicts are wrong: balanced, unbalanced, and the self-check of seats that are alike.

Where games are independent and nobody shares a win, the chance of each verdict is a sum of binomial
chances and is reckoned exactly; with ties and rotations it is simulated.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from analysis import selfcheck
from analysis.estimates import (
    BALANCED,
    TOO_FEW,
    UNBALANCED,
    clustered_rates,
    sequence_value,
    verdicts,
    z_value,
)
from analysis.report.rates import overall
from analysis.sections import rate_sections
from analysis.stopping import FLOOR
from sim.core.title import WIN
from tests.analysis.toy import INFO, ToyRun
from tests.budget import assert_coverage, assert_rate
from tests.verification.simulated import of_games

pytestmark = pytest.mark.verify

MARGIN = 0.02


def chances(games: int, truth: float, parity: float, margin: float, z: float) -> dict[str, float]:
    """Return the chance of each verdict on one seat, exactly."""
    wins = np.arange(games + 1)
    same = np.full(games + 1, games)
    got = clustered_rates(
        rows=same, clusters=same, y=WIN * wins, yy=WIN * WIN * wins, yn=WIN * wins, nn=same, z=z
    )
    said = np.array(verdicts(got.lo, got.hi, parity, margin, got.few))
    weight = binom.pmf(wins, games, truth)
    return {word: float(weight[said == word].sum()) for word in np.unique(said)}


GAMES = (30, 100, 300, 1_000, 3_000, 10_000, 30_000)


@pytest.mark.parametrize("parity", [1 / 2, 1 / 3, 1 / 4, 1 / 5])
@pytest.mark.parametrize("family", [1, 5, 40])
def test_a_rate_on_the_margin_is_seldom_called_either_way(parity, family):
    """Each claim is wrong there, and is stated to be made in half of 5 % of the runs at most.

    A family shares that. As wins are whole numbers it is exact in the limit only: up to 1.6 times
    as often with a few hundred games, 1.2 times from a thousand on.
    """
    for games in GAMES:
        stated = (1.2 if games >= 1_000 else 1.6) * 0.025 / family
        for truth in (parity - MARGIN, parity + MARGIN):
            said = chances(games, truth, parity, MARGIN, z_value(0.95, family))
            assert said.get(BALANCED, 0) <= stated, (games, truth)
            assert said.get(UNBALANCED, 0) <= stated, (games, truth)


@pytest.mark.parametrize("parity", [1 / 2, 1 / 3, 1 / 5])
def test_a_fair_seat_is_hardly_ever_called_unbalanced(parity):
    for games in GAMES:
        said = chances(games, parity, parity, MARGIN, z_value(0.95, 5))
        assert said.get(UNBALANCED, 0) <= 0.05 / 5
    assert said[BALANCED] > 0.99, "and with enough games it is called balanced"


@pytest.mark.parametrize("parity", [1 / 2, 1 / 3, 1 / 5])
def test_an_unfair_seat_is_hardly_ever_called_balanced(parity):
    for games in GAMES:
        said = chances(games, parity + 2 * MARGIN, parity, MARGIN, z_value(0.95, 5))
        assert said.get(BALANCED, 0) <= 1e-3
    assert said[UNBALANCED] > 0.99, "and with enough games it is called unbalanced"


def table(rng, shares, ties: float, deals: int, runs: int) -> list[str]:
    """Return what is said of all seats together, of so many runs."""
    seats = []
    family = len(shares)
    for share in shares:
        deals_of = of_games(share, size=family, swing=0.3, ties=ties)
        got = deals_of.rates(rng, runs, deals, z_value(0.95, family))
        said = verdicts(got.lo, got.hi, 1 / family, MARGIN, got.few)
        seats.append([{"verdict": word} for word in said])
    return [overall(rows) for rows in zip(*seats, strict=True)]


def test_a_table_of_fair_seats_is_called_unbalanced_in_less_than_one_run_of_twenty(stat_seed):
    """Seats are as far from parity as balance allows, which is where a false alarm is likeliest.

    They are drawn for themselves, so that no seat's win makes up for another's.
    """
    rng, found, runs = np.random.default_rng(stat_seed), {}, 4_000
    for shares in ((0.52, 0.48), (1 / 3 + MARGIN, 1 / 3, 1 / 3 - MARGIN), (0.27, 0.23, 0.27, 0.23)):
        for deals in (200, 2_000):
            said = table(rng, shares, 0.1, deals, runs)
            right = sum(word != UNBALANCED for word in said)
            found[f"{len(shares)} seats, {deals} deals"] = (right, runs)
    assert_coverage(found, 0.95, within=0.03)


def test_a_table_with_an_unfair_seat_is_called_balanced_in_less_than_one_run_of_forty(stat_seed):
    rng, found, runs = np.random.default_rng(stat_seed), {}, 4_000
    for shares in ((0.521, 0.479), (1 / 3 + MARGIN, 1 / 3, 1 / 3 - MARGIN)):
        for deals in (1_000, 20_000):
            said = table(rng, shares, 0.1, deals, runs)
            right = sum(word != BALANCED for word in said)
            found[f"{len(shares)} seats, {deals} deals"] = (right, runs)
    assert_coverage(found, 0.975, within=0.03)


def ever(rng, shares, ties: float, looks: Sequence[int], runs: int) -> dict[str, np.ndarray]:
    """Return which runs called a table balanced, or unbalanced, at any of some looks.

    Intervals are those of runs that end by verdicts; ties are shared, rotations share their deal.
    """
    family, found = len(shares), {word: np.zeros(runs, bool) for word in (BALANCED, UNBALANCED)}
    sums: list[dict[str, np.ndarray]] = [{} for _ in shares]
    before = 0
    for deals in looks:
        said = []
        for seat, share in enumerate(shares):
            of = of_games(share, size=family, swing=0.3, ties=ties)
            more = of.sums(rng, runs, deals - before)
            sums[seat] = {name: sums[seat].get(name, 0) + part for name, part in more.items()}
            got = clustered_rates(**sums[seat], z=sequence_value(deals, family=family))
            said.append(np.array(verdicts(got.lo, got.hi, 1 / family, MARGIN, got.few)))
        before = deals
        found[UNBALANCED] |= np.any([words == UNBALANCED for words in said], axis=0)
        found[BALANCED] |= np.all([words == BALANCED for words in said], axis=0)
    return found


def test_tables_that_are_looked_at_again_and_again_are_seldom_called_wrongly(stat_seed):
    """Fair seats unbalanced, or unfair ones balanced, at any of seventeen looks."""
    rng, runs, found = np.random.default_rng(stat_seed), 3_000, {}
    looks = [math.ceil(FLOOR * 1.5**n) for n in range(17)]
    for shares in ((0.519, 0.481), (1 / 3 + 0.019, 1 / 3, 1 / 3 - 0.019)):
        wrong = ever(rng, shares, 0.1, looks, runs)[UNBALANCED]
        found[f"{len(shares)} fair seats"] = (int((~wrong).sum()), runs)
    for shares in ((0.521, 0.479), (1 / 3 + 0.021, 1 / 3, 1 / 3 - 0.021)):
        wrong = ever(rng, shares, 0.1, looks, runs)[BALANCED]
        found[f"{len(shares)} unfair seats"] = (int((~wrong).sum()), runs)
    assert_coverage(found, 0.95, within=0.03)


def test_the_self_check_fails_a_sound_engine_hardly_ever():
    """Exactly, of independent games: 5e-9 a row, which is once in a million reports of 200 rows.

    That is the limit of many games; with a few hundred, of which nothing is concluded but a fault,
    it is up to ten times as often, as wins are whole numbers.
    """
    for players in (2, 3, 4, 5):
        for games in (30, 60, 100, 200, 500, 1_000, 3_000, 10_000, 100_000):
            said = chances(games, 1 / players, 1 / players, 0.0, selfcheck.Z)
            limit = 5e-9 * (10 if games < 200 else 4.5 if games < 1_000 else 1.6)
            assert said.get(UNBALANCED, 0) <= limit, (players, games)
            assert said.get(BALANCED, 0) == 0


def test_the_self_check_finds_what_it_has_to():
    """A seat that is three points ahead, with as many games as it takes to be checked at all."""
    for players in (2, 3, 4, 5):
        said = chances(40_000, 1 / players + 0.03, 1 / players, 0.0, selfcheck.Z)
        assert said[UNBALANCED] > 0.99


def test_self_checks_of_whole_runs(stat_seed):
    """Of runs with rotations, ties and shared luck of deals none is called faulty."""
    alike = replace(INFO, seats="symmetric")
    said = []
    for seed in range(12):
        run = ToyRun(3_000, info=alike, ahead=0.0, seed=100 * stat_seed + seed)
        section = rate_sections(run.info, run.plan)[0]
        said.append(selfcheck.self_check(copy.copy(run), section).verdict)
    assert set(said) <= {selfcheck.PASSED, TOO_FEW}


def test_intervals_of_the_self_check_are_as_rare_as_they_say(stat_seed):
    """At three standard errors, where a simulation can count: one miss in 370, ties and all."""
    rng, runs, misses, tried = np.random.default_rng(stat_seed), 100_000, 0, 0
    for players, ties in ((2, 0.2), (3, 0.1), (5, 0.05)):
        deals = of_games(1 / players, size=players, swing=0.5, ties=ties)
        got = deals.rates(rng, runs, 4_000, 3.0)
        misses += int(((1 / players < got.lo) | (got.hi < 1 / players)).sum())
        tried += runs
    assert_rate(misses, tried, 0.0027, within=0.001)
