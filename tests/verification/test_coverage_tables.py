"""Whether tables that are made from rows cover the truth: the way from a game to an interval.

The formulas are tried elsewhere, on sums. Here seats win and lose in rows of games, thousands of
runs beside each other in one frame, and the tables that a report shows are made of them.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from analysis.frames import end_reasons, outcomes, win_rates
from analysis.matchup import matchups
from sim.core.title import WIN
from tests.budget import assert_coverage

pytestmark = pytest.mark.verify


def rows(rng, runs: int, deals: int, strength: np.ndarray, seat: np.ndarray) -> pl.DataFrame:
    """Return the rotations of one line-up on every deal: policies and seats are of unequal power.

    All games of a deal share what luck the policies have in it.
    """
    players = len(strength)
    luck = rng.normal(size=(runs, deals, 1, players))
    rotation = (np.arange(players)[:, None] + np.arange(players)) % players
    power = (strength + luck)[:, :, 0, rotation] + seat
    power = np.round(power + rng.normal(size=power.shape), 1)
    best = power == power.max(axis=-1, keepdims=True)
    win60 = WIN // best.sum(axis=-1, keepdims=True) * best
    run, deal, game, place = (axis.ravel() for axis in np.indices(win60.shape))
    length = np.rint(10 + luck.max(axis=-1, keepdims=True) + 3 * rng.random((*win60.shape[:3], 1)))
    length = np.broadcast_to(length, win60.shape).ravel().astype(int)
    return pl.DataFrame(
        {
            "run": run,
            "deal": run * deals + deal,
            "game": (run * deals + deal) * players + game,
            "seat": place + 1,
            "players": np.full(len(run), players),
            "policy": rotation[game, place],
            "win60": win60.ravel(),
            "rounds": length,
            "end_reason": np.where(length > 13, "cap", "points"),
        }
    )


@cache
def table(players: int, seed: int) -> pl.DataFrame:
    strength, seat = np.linspace(0, 0.8, players), np.linspace(0.5, 0, players)
    return rows(np.random.default_rng(seed), 1_000, 120, strength, seat)


def covered(got: pl.DataFrame, keys: list[str], name: str = "rate") -> tuple[int, int]:
    """Return in how many runs all intervals cover what all runs say together."""
    truth = got.group_by(keys).agg(truth=pl.col(name).mean())
    both = got.join(truth, on=keys)
    hit = both.with_columns(hit=pl.col("truth").is_between("lo", "hi"))
    runs = hit.group_by("run").agg(pl.col("hit").all())
    return int(runs["hit"].sum()), runs.height


@pytest.mark.parametrize("players", [2, 4])
def test_tables_of_rates(players, stat_seed):
    games = table(players, stat_seed)
    found = {}
    for key in ("seat", "policy"):
        got = win_rates(games, ["run", "players", key], family=players)
        assert got.height == players * 1_000
        found[f"{players} of {key}"] = covered(got, [key])
    assert_coverage(found, 0.92, 0.99, within=0.06)


@pytest.mark.parametrize("players", [2, 4])
def test_tables_of_rates_of_policies_in_each_seat(players, stat_seed):
    games = table(players, stat_seed)
    got = win_rates(games, ["run", "players", "policy", "seat"], family=players**2)
    found = {"policies in seats": covered(got, ["policy", "seat"])}
    assert_coverage(found, 0.92, 0.99, within=0.06)


@pytest.mark.parametrize("players", [2, 4])
def test_tables_of_lengths_and_ends(players, stat_seed):
    games = table(players, stat_seed)
    one = games.filter(pl.col("seat") == 1)
    lengths = outcomes(one, "rounds", ["run", "players"], family=1)
    # A table of ends has no other keys, so the runs are told apart as numbers of players.
    ends = end_reasons(one.with_columns(players="run"), family=1)
    ends = ends.rename({"players": "run"}).filter(pl.col("end_reason") == "cap")
    found = {"length": covered(lengths, ["players"], "mean"), "end": covered(ends, ["end_reason"])}
    assert_coverage(found, 0.92, 0.98, within=0.06)


def test_tables_of_pairs(stat_seed):
    """Who beats whom: all pairs of five policies together, each pair in both seatings of a deal."""
    rng = np.random.default_rng(stat_seed)
    runs, deals, names = 900, 60, "abcde"
    strength = dict(zip(names, np.linspace(0, 1, len(names)), strict=True))
    pairs = [
        rows(rng, runs, deals, np.array([strength[a], strength[b]]), np.array([0.5, 0.0]))
        .with_columns(pl.col("policy").replace_strict({0: a, 1: b}, return_dtype=pl.String))
        .with_columns(deal=pl.col("deal") * 10 + n, game=pl.col("game") * 10 + n)
        for n, (a, b) in enumerate(combinations(names, 2))
    ]
    every = pl.concat(pairs)
    assert len(pairs) == 10
    told = [
        matchups(part).with_columns(run=pl.lit(run))
        for (run,), part in every.partition_by("run", as_dict=True).items()
    ]
    got = pl.concat(told)
    assert got.height == runs * 20
    found = {"ten pairs": covered(got, ["policy", "against"])}
    assert_coverage(found, 0.92, 0.98, within=0.06)
