"""Rates of pairs: by hand, from runs and frames, and who is left out."""

from __future__ import annotations

import polars as pl
import pytest

import sim
from analysis.matchup import matchups
from sim.errors import InputError, UnknownNameError


@pytest.fixture(scope="module")
def run():
    return sim.simulate("granmagia", games=3_000, players=2, keep="both", seed=3)


def test_a_pair_is_counted_by_hand(run):
    table = matchups(run)
    rows = run.rows.filter(pl.col("design").cast(pl.String) == "rotation")
    for name, other in [("engine", "sophia"), ("raider", "eclair")]:
        wins = games = 0
        for _, seats in rows.group_by("game"):
            policies = seats.sort("seat")["policy"].cast(pl.String).to_list()
            if sorted(policies) == sorted([name, other]):
                wins += seats.sort("seat")["win60"][policies.index(name)]
                games += 1
        row = table.row(
            by_predicate=(pl.col("policy") == name) & (pl.col("against") == other), named=True
        )
        assert row["games"] == games
        assert row["rate"] == pytest.approx(wins / 60 / games)
        assert row["clusters"] == games // 2, "both seatings of a pair share a deal"


def test_both_orders_of_a_pair_say_the_same(run):
    table = matchups(run)
    turned = table.rename({"policy": "against", "against": "policy"})
    both = table.join(turned, on=["policy", "against"], suffix="_turned")
    assert len(both) == len(table)
    assert (both["rate"] + both["rate_turned"] - 1).abs().max() < 1e-12
    assert (both["lo"] + both["hi_turned"] - 1).abs().max() < 1e-12


def test_intervals_are_those_of_all_pairs_together(run):
    two = run.rows.filter(
        pl.col("policy").cast(pl.String).is_in(["engine", "sophia"]).all().over("game")
    )
    together, alone = matchups(run), matchups(two)
    pair = (pl.col("policy") == "engine") & (pl.col("against") == "sophia")
    wide, narrow = together.row(by_predicate=pair, named=True), alone.row(0, named=True)
    assert wide["hi"] - wide["lo"] > narrow["hi"] - narrow["lo"]


def test_a_verdict_needs_a_margin():
    pair = sim.simulate("granmagia", games=2_000, lineup="engine,sophia", rotate=True)
    assert matchups(pair)["verdict"].is_null().all()
    assert set(matchups(pair, margin=0.05)["verdict"]) == {"unbalanced"}


def test_pandas_answers_in_pandas(run):
    table = matchups(run.rows.to_pandas())
    assert type(table).__module__.startswith("pandas")


def test_games_of_more_are_left_out():
    run = sim.simulate("granmagia", games=60, players=3)
    with pytest.raises(InputError, match="no games of two"):
        matchups(run)


def test_what_cannot_be_is_named(run):
    with pytest.raises(UnknownNameError, match="did you mean 'policy'"):
        matchups(run, by="polizy")
    with pytest.raises(InputError, match="kept sums only"):
        matchups(sim.simulate("granmagia", games=60, players=2, keep="sums"))


def test_rows_of_several_runs_are_refused(run):
    other = sim.simulate("granmagia", games=60, players=2, keep="rows", seed=4)
    with pytest.raises(InputError, match="rows of one run"):
        matchups(pl.concat([run.rows, other.rows]))
