"""What the policies promise: chance is beaten with every deck, slips cost games, games end well.

Asked as a user would ask, by the tables of analysis, at limits from the error budget.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import polars as pl
import pytest

import sim
from analysis import end_reasons, outcomes, win_rates
from sim.core.policy import available
from sim.titles.majestic import TITLE
from tests.budget import ALPHA

POLICIES = [name for name in available(TITLE.data / "policies") if name != "random"]
DECKS = [deck.id for deck in TITLE.loadouts(TITLE.load())]
#: Intervals of Z standard errors, each on its own.
SURE = {"level": 1 - ALPHA, "simultaneous": False}


@cache
def played(seed):
    """Return mirrors, full rotations and drawn line-ups of all policies with all decks."""
    return sim.simulate("majestic", games=40_000, seed=seed, keep="sums")


def share(one, other, games, seed):
    """Return the row of an entry's share against another, in either seat of each deal."""
    lineup = [one, other]
    run = sim.simulate("majestic", games=games, lineup=lineup, rotate=True, seed=seed, keep="sums")
    rates = win_rates(run, ["players", "policy"], **SURE)
    return rates.row(by_predicate=pl.col("policy") == one, named=True)


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("policy", POLICIES)
def test_each_beats_random_with_every_deck(policy, deck, stat_seed):
    assert share(f"{policy}:{deck}", f"random:{deck}", 4_000, stat_seed)["lo"] >= 0.95


#: How often a policy slips, and how many games it takes to tell it from the slip before.
SLIPS = {0.05: 12_000, 0.2: 3_000, 1: 500}


@pytest.mark.parametrize(
    ("policy", "deck"),
    [("aggressive", "ember_rush"), ("midrange", "deep_woods"), ("controlling", "tide_control")],
)
def test_who_slips_more_wins_less(policy, deck, stat_seed):
    own = f"{policy}:{deck}"
    shares = [share(own, f"{own}@{slip}", games, stat_seed) for slip, games in SLIPS.items()]
    # A mirror is even by construction, so that the order begins at one half.
    assert shares[0]["lo"] > 0.5
    for less, more in pairwise(shares):
        assert less["hi"] < more["lo"]


def test_games_end_by_lp_in_good_time(stat_seed):
    run = played(stat_seed)
    ends = end_reasons(run, level=1 - ALPHA)
    assert ends.row(by_predicate=pl.col("end_reason") == "lp", named=True)["lo"] > 0.9
    (rounds,) = outcomes(run, "rounds", level=1 - ALPHA).to_dicts()
    assert 6 < rounds["lo"] < rounds["hi"] < 14


def test_whoever_goes_first_is_ahead_and_does_not_decide(stat_seed):
    first = win_rates(played(stat_seed), ["players", "seat"], design="mirror", **SURE)
    assert 0.5 < first["lo"][0] < first["hi"][0] < 0.65


def test_no_deck_decides_alone(stat_seed):
    """Over all policies: a deck that one of them plays badly may still be another one's best."""
    entries = [f"{policy}:{deck}" for policy in POLICIES for deck in DECKS]
    run = sim.simulate("majestic", games=30_000, pool=entries, seed=stat_seed, keep="rows")
    rates = win_rates(run, ["players", "deck"], **SURE)
    assert len(rates) == len(DECKS)
    assert (rates["lo"] > 0.35).all()
    assert (rates["hi"] < 0.65).all()
