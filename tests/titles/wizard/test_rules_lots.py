"""UW-A3: lots over the ways up of companions, which policies may follow."""

from __future__ import annotations

from functools import cache

import polars as pl
import pytest

import sim
from sim.titles.wizard.schema import COMPANIONS
from tests.budget import assert_rate
from tests.titles.wizard.staging import stage

WAYS = {
    "hero": ("hero_banner", "hero_sword"),
    "knight": ("knight_charge", "knight_shield"),
    "monk": ("monk_care", "monk_sermon"),
    "porcupine": ("porcupine_quills", "porcupine_swim"),
    "princess": ("princess_command", "princess_prayer"),
}
POLICIES = ("cautious", "fight_everything", "optimal_draws", "shortest_path")


@cache
def played(seed):
    """Return the rows of games of all policies that follow the lots, with plain words."""
    run = sim.simulate("wizard", games=8000, pool=POLICIES, seed=seed, keep="rows", jobs=1)
    names = [f"{sort}_{one}" for sort in ("lot", "way") for one in COMPANIONS]
    return run.rows.with_columns(pl.col("policy", *names).cast(pl.String))


@pytest.fixture
def rows(stat_seed):
    return played(stat_seed)


@pytest.mark.rule("UW-A3")
@pytest.mark.parametrize("companion", COMPANIONS)
def test_each_way_up_is_as_likely(rows, companion):
    found = rows[f"lot_{companion}"]
    assert set(found) == set(WAYS[companion])
    assert_rate((found == WAYS[companion][0]).sum(), rows.height, 0.5, within=0.05)


@pytest.mark.rule("UW-A3")
@pytest.mark.parametrize("companion", COMPANIONS)
def test_policies_follow_the_lot(rows, companion):
    there = rows.filter(pl.col(f"way_{companion}") != "never_there")
    assert set(there["policy"]) == set(POLICIES)
    assert there[f"way_{companion}"].to_list() == there[f"lot_{companion}"].to_list()


@pytest.mark.rule("UW-A3")
def test_lots_of_companions_are_drawn_each_for_itself(rows):
    pairs = rows.group_by(
        "lot_hero", "lot_knight", "lot_monk", "lot_porcupine", "lot_princess"
    ).len()
    assert pairs.height == 2 ** len(COMPANIONS)


@pytest.mark.rule("UW-A3")
def test_one_way_up_of_each_companion_was_drawn():
    seen = set()
    for deal in range(12):
        game = stage("c0", deal=deal)
        for companion, ways in WAYS.items():
            drawn = [way for way in ways if game.observe("lot", way)]
            assert len(drawn) == 1
            assert game.counter(f"lot_{companion}") == ways.index(drawn[0])
            assert drawn[0] in game.events[0]["lots"]
            seen.add(drawn[0])
        assert not any(game.observe("lot", name) for name in ("knight", "go_up", "draw_1", "red_1"))
    assert seen == {way for ways in WAYS.values() for way in ways}


@pytest.mark.rule("UW-A3")
def test_a_barred_way_up_is_not_laid_whatever_the_lot(stat_seed):
    run = sim.simulate(
        "wizard", games=400, lineup="cautious", seed=stat_seed, bans={1: ["knight_charge"]}, jobs=1
    )
    assert "knight_charge" in set(run.rows["lot_knight"].cast(pl.String))
    assert "knight_charge" not in set(run.rows["way_knight"].cast(pl.String))
