"""The public names: runs, traces, laziness, benchmarks."""

from __future__ import annotations

import csv
import gc
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import sim
from sim.errors import InputError, UnknownNameError
from tests.run.toy_title import SOLO_TOY, TOY

ROOT = Path(__file__).parents[2]
HEAVY = ("polars", "pandas", "scipy", "matplotlib", "joblib", "pydantic", "numpy")


@pytest.mark.parametrize("code", ["import sim", "import sim; dir(sim); repr(sim)"])
def test_importing_sim_loads_nothing_heavy(code):
    check = f"{code}; import sys; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_machinery_loads_only_what_it_needs():
    check = "import sim.run.api, sys; print([n for n in ('polars', 'pandas', 'scipy', 'matplotlib', 'joblib') if n in sys.modules])"  # noqa: E501
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_public_names_are_there():
    for name in sim.__all__:
        assert getattr(sim, name).__doc__
        assert name in dir(sim)
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        sim.simulat  # noqa: B018


def test_a_run_is_what_it_says():
    run = sim.simulate(TOY, games=300, players=3, seed=7)
    assert run.games.height == run.games_count == 300
    assert run.seats.height == 900
    assert (run.seats.group_by("game").agg(pl.col("win60").sum())["win60"] == 60).all()
    assert run.title == "toy"
    assert run.seed == 7
    assert run.ruleset.values["target"] == 40
    assert "games=300" in repr(run)
    assert run.cells["games"].sum() == 300
    parameters = run.provenance["parameters"]
    assert (parameters["seed"], parameters["games"]) == (7, 300)
    assert run.provenance["resources"]["games_played"] == 300
    assert run.games.columns == [
        "cell", "game", "deal", "players", "rounds", "turns", "end_reason", "sixes"
    ]  # fmt: skip
    assert run.seats.columns == [
        "game", "seat", "policy", "win60", "score", "rank", "camp", "luck", "ones"
    ]  # fmt: skip


@pytest.mark.parametrize("players", [np.int64(2), np.array([2, 3]), np.array(2)])
def test_numbers_of_other_libraries_are_numbers(players):
    run = sim.simulate(TOY, games=np.int64(12), players=players, jobs=np.int32(1))
    assert run.games_count == 12
    assert sim.trace(run, game=np.int64(0)).game == 0
    for wrong in ({"games": "5"}, {"games": 5, "jobs": "2"}, {"games": 5, "jobs": 1.5}):
        with pytest.raises(InputError, match="must be a whole number"):
            sim.simulate(TOY, **wrong)


def test_a_stored_run_is_opened_as_it_was(tmp_path):
    run = sim.simulate(TOY, games=300, out=tmp_path, keep="both")
    again = sim.open_run(tmp_path, title=TOY)
    assert again.games.equals(run.games)
    assert again.seats.equals(run.seats)
    assert again.sums.wins.equals(run.sums.wins)
    assert again.plan == run.plan
    assert again.ruleset == run.ruleset


def test_a_temporary_store_goes_with_its_run():
    run = sim.simulate(TOY, games=10)
    path = run.path
    assert path.is_dir()
    del run
    gc.collect()
    assert not path.exists()


def test_what_was_not_kept_is_told():
    run = sim.simulate(TOY, games=10, keep="sums")
    with pytest.raises(InputError, match='keep="rows"'):
        run.games  # noqa: B018
    with pytest.raises(InputError, match="did not collect cards"):
        run.sums.cards  # noqa: B018


def test_a_title_without_seats():
    run = sim.simulate(SOLO_TOY, games=200, overrides=["limits.round_cap=6"])
    assert sorted(run.seats["win60"].unique().to_list()) == [0, 60]
    assert run.cells["games"].to_list() == [50, 50, 50, 50]


def test_every_game_is_told_by_the_arguments_or_the_run():
    arguments = {"players": 3, "seed": 3, "overrides": ["target=30"]}
    run = sim.simulate(TOY, games=500, **arguments)
    seats = run.seats
    for game in run.games["game"].sample(20, seed=1).to_list():
        told = sim.trace(run, game=game)
        again = sim.trace(TOY, game=game, **arguments)
        assert told.events == again.events
        rows = seats.filter(pl.col("game") == game)
        assert rows["win60"].to_list() == [seat["win60"] for seat in told.result.seats]
        assert rows["score"].to_list() == [seat["score"] for seat in told.result.seats]
        assert rows["policy"].to_list() == list(told.lineup)
        assert told.events[0]["ruleset"] == run.ruleset.hash
        assert told.events[0]["lineup"] == list(told.lineup)


def test_games_that_are_not_there(tmp_path):
    run = sim.simulate(TOY, games=9, lineup="bold,calm,fair", rotate=True, out=tmp_path)
    assert sim.trace(tmp_path, game=0, title=TOY).deal == 0
    for game, message in ((3, "numbered 0 to 2, 10000000000 to"), (3 * 10**10, "numbered 0 to 2")):
        with pytest.raises(InputError, match=message):
            sim.trace(run, game=game)
    with pytest.raises(InputError, match="a run knows its own arguments"):
        sim.trace(run, game=0, seed=2)
    assert sim.trace(TOY, game=3, lineup="bold,calm,fair", rotate=True).deal == 3
    with pytest.raises(InputError, match="games are numbered 0 to 2"):
        sim.trace(TOY, game=3, games=9, lineup="bold,calm,fair", rotate=True)


def test_a_plan_can_be_made_before(tmp_path):
    plan = sim.make_plan(TOY, games=60, players=2, pool="bold,calm")
    run = sim.simulate(TOY, plan=plan)
    assert run.plan == plan
    assert sim.simulate(TOY, plan=plan, games=70).games_count == 70
    with pytest.raises(InputError, match="not both"):
        sim.simulate(TOY, plan=plan, players=2)


def test_unknown_titles_are_told():
    with pytest.raises(UnknownNameError, match="unknown title 'grandmagia'"):
        sim.simulate("grandmagia", games=1)


def test_bench_measures_and_keeps_a_history(tmp_path):
    history = tmp_path / "history.csv"
    (result,) = sim.bench(TOY, players=2, games=40, repeats=1, history=history)
    assert result.games == 40
    assert result.games_per_s > 0
    assert result.turns_per_s == pytest.approx(result.games_per_s * result.mean_turns)
    assert result.ns_per_turn == pytest.approx(1e9 / result.turns_per_s)
    assert "random" not in result.policies
    sim.bench(TOY, games=40, repeats=1, history=history)
    with history.open() as source:
        rows = list(csv.DictReader(source))
    assert [row["players"] for row in rows] == ["2", "2", "3", "4"]
    history.write_text("something,else\n")
    with pytest.raises(InputError, match="has other columns"):
        sim.bench(TOY, players=2, games=40, repeats=1, history=history)
    with pytest.raises(InputError, match="repeats must be at least 1"):
        sim.bench(TOY, players=2, repeats=0)


def test_rows_are_the_seats_with_what_their_games_and_cells_say():
    run = sim.simulate(TOY, games=600)
    rows, seats = run.rows, run.seats
    assert rows.select(seats.columns).equals(seats)
    assert run.scan_rows().collect().equals(rows)
    games = dict(zip(run.games["game"], run.games.iter_rows(named=True), strict=True))
    cells = dict(zip(run.cells["cell"], run.cells.iter_rows(named=True), strict=True))
    for row in rows.iter_rows(named=True):
        game = games[row["game"]]
        cell = cells[row["cell"]]
        assert {name: row[name] for name in game} == game
        assert (row["block"], row["design"]) == (cell["block"], cell["design"])
    with pytest.raises(InputError, match="kept sums only"):
        sim.simulate(TOY, games=60, keep="sums").scan_rows()


def test_a_game_of_a_plan_is_told():
    plan = sim.make_plan(TOY, games=60, players=3, lineup="bold,calm,fair", rotate=True)
    run = sim.simulate(TOY, plan=plan, seed=4)
    for game in run.games["game"].to_list()[::7]:
        told = sim.trace(TOY, game=game, plan=plan, seed=4)
        assert told.events == sim.trace(run, game=game).events
    with pytest.raises(InputError, match="games are numbered 0 to 19"):
        sim.trace(TOY, game=20, plan=plan)
    with pytest.raises(InputError, match="not both"):
        sim.trace(TOY, game=0, plan=plan, players=3)
    with pytest.raises(InputError, match="a run knows its own arguments"):
        sim.trace(run, game=0, plan=plan)


class Waiter:
    """A policy in Python: stops whenever it may, and remembers that it was asked."""

    made = 0

    def __init__(self) -> None:
        type(self).made += 1

    def acquire(self, view, options):
        assert len(options) >= 2
        assert view.round >= 1
        return "stop" if "stop" in options else options[0]


def test_policies_in_python_are_played_by_the_reference():
    told = sim.trace("granmagia", game=0, lineup=[Waiter, "engine"])
    assert told.lineup == ("Waiter", "engine")
    assert told.events[0]["lineup"] == ["Waiter", "engine"]
    assert Waiter.made == 1
    assert [seat["win60"] for seat in told.result.seats] == [0, 60]
    turned = sim.trace("granmagia", game=10**10, lineup=[Waiter, "engine"], rotate=True)
    assert turned.lineup == ("engine", "Waiter")
    waiter = Waiter()
    both = sim.trace("granmagia", game=0, lineup=[waiter, waiter, Waiter, "engine@0.05"])
    assert both.lineup == ("Waiter", "Waiter", "Waiter_2", "engine@0.05")
    with pytest.raises(UnknownNameError, match="'engin'"):
        sim.trace("granmagia", game=0, lineup=[Waiter, "engin"])


def test_neither_order_nor_repetition_of_bans_makes_another_run(tmp_path):
    run = sim.simulate(TOY, games=30, bans={2: ["soft", "hard"], 1: ["soft"]}, out=tmp_path)
    again = sim.simulate(
        TOY, games=30, bans={1: ["soft", "soft"], 2: ["hard", "soft"], 3: []}, out=tmp_path
    )
    assert again.identity == run.identity
