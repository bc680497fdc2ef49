"""Titles of other shapes go through plans, runs, stores, sums and tables without any change."""

from __future__ import annotations

import polars as pl
import pytest

import analysis
import sim
from sim.errors import InputError, UnknownNameError
from tests.run.helpers import promised_bytes
from tests.run.toy_duel import DUEL, SYMMETRIC

ENTRIES = ("bold:fast", "bold:slow", "careful:fast", "careful:slow")


def test_the_default_plan_of_a_duel_pairs_every_policy_with_every_deck():
    plan = sim.make_plan(DUEL, games=1000)
    assert plan.policies == ENTRIES
    designs = [block.design for block in plan.blocks]
    assert [designs.count(name) for name in ("mirror", "rotation", "pool")] == [4, 6, 1]


def test_decks_are_data_of_the_rules(tmp_path):
    overlay = tmp_path / "mine.toml"
    overlay.write_text('[decks.wall]\nlabel = { en = "Wall", ja = "壁" }\ncards = [2,2,2,2,2,2]\n')
    run = sim.simulate(DUEL, games=400, rules=overlay, keep="both", out=tmp_path / "run")
    assert "careful:wall" in run.plan.policies
    assert [deck.id for deck in run.categories("deck")] == ["fast", "slow", "wall"]
    assert run.policies["careful:wall"].en == "careful: Wall"
    overlay.unlink()
    again = sim.open_run(run.path, title=DUEL)
    game = int(run.games["game"][-1])
    assert sim.trace(again, game=game).result.seats == sim.trace(run, game=game).result.seats
    with pytest.raises(UnknownNameError, match="unknown deck 'wall'"):
        sim.simulate(DUEL, games=10, lineup="bold:wall,bold:fast")


def test_a_changed_deck_is_another_policy(tmp_path):
    sim.simulate(DUEL, games=40, lineup="bold:fast,bold:slow", out=tmp_path)
    run = sim.open_run(tmp_path, title=DUEL)
    changed = sim.simulate(
        DUEL,
        games=40,
        lineup="bold:fast,bold:slow",
        overrides=["decks.fast.cards=[3, 3, 3, 3, 3, 3]"],
    )
    hashes, others = dict(run.identity["policies"]), dict(changed.identity["policies"])
    assert hashes["bold:fast"] != others["bold:fast"]
    assert hashes["bold:slow"] == others["bold:slow"]


def test_a_duel_is_stored_summed_and_read_like_any_title(tmp_path):
    runs = [
        sim.simulate(DUEL, games=600, keep="both", jobs=jobs, out=tmp_path / str(jobs))
        for jobs in (1, 3)
    ]
    assert promised_bytes(runs[0].path) == promised_bytes(runs[1].path)
    run = runs[0]
    rows = run.rows
    named = rows["policy"].cast(pl.String).str.split(":").list.get(1)
    assert (named == rows["deck"].cast(pl.String)).all()
    for by in (["policy"], ["deck"], ["seat"], ["policy", "seat"]):
        from_sums = analysis.win_rates(run, by=by)
        from_rows = analysis.win_rates(rows, by=by)
        assert from_sums["rate"].to_list() == from_rows["rate"].to_list()
        assert from_sums["lo"].to_list() == from_rows["lo"].to_list()
    decks = {column.name: column.selected for column in run.info.columns if column.categories}
    assert decks == {"end_reason": True, "deck": False}


def test_line_ups_of_a_duel():
    run = sim.simulate(DUEL, games=20, lineup="careful:fast@0.05,bold:slow", rotate=True)
    assert run.cells["lineup"].to_list() == [
        ["careful:fast@0.05", "bold:slow"],
        ["bold:slow", "careful:fast@0.05"],
    ]
    told = sim.trace(run, game=3)
    assert told.lineup == ("careful:fast@0.05", "bold:slow")
    assert [seat["deck"] for seat in told.result.seats] == [0, 1]
    with pytest.raises(InputError, match="in duel every seat brings one"):
        sim.simulate(DUEL, games=20, lineup="careful,bold:slow")
    with pytest.raises(UnknownNameError, match="'slaw'; did you mean 'slow'"):
        sim.simulate(DUEL, games=20, lineup="careful:slaw,bold:slow")


def test_seats_that_mean_nothing():
    run = sim.simulate(SYMMETRIC, games=400, keep="both")
    assert run.info.seats == "symmetric"
    assert run.plan.players == (2, 3, 4, 5)
    assert {block.design for block in run.plan.blocks} == {"mirror", "rotation", "pool"}
    keys = ["players", "seat"]
    from_rows = analysis.win_rates(run.rows, by=keys)
    assert analysis.win_rates(run, by=keys)["rate"].to_list() == from_rows["rate"].to_list()
    with pytest.raises(InputError, match="even has nothing to bring along"):
        sim.simulate(SYMMETRIC, games=10, lineup="bold:fast,calm")
