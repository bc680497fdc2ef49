"""What rows of games say of the supply: exact, whoever plays, and only where it was asked for."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import sim
from sim.core.records import allocate
from sim.core.stream import Stream
from sim.core.title import Label, Supply
from sim.errors import EngineError, InputError
from sim.run import frames
from sim.run.manifest import read_manifest
from sim.titles import load
from sim.titles.granmagia.supply import draw_kinds, draw_rares
from tests.run.helpers import promised_bytes
from tests.run.toy_title import INFO, TOY, make

CARDS = ("core", "cards")

#: What Gran Magia offers in every game beside the magic deck.
ALWAYS = ("fragment", "stone", "great_stone", "charm", "ritual", "arcana")


def harder(tables):
    """A target that no game reaches: every face is seen in all of its rounds."""
    return replace(tables, target=10**6)


REVEALED = make(replace(INFO, supply=Supply("seen", Label("Faces", "目"), harder)))
SILENT = make(replace(INFO, supply=None))


def test_a_row_says_what_the_cards_of_its_game_said(tmp_path):
    run = sim.simulate(TOY, games=400, keep="both", collect=CARDS, out=tmp_path)
    said = run.games["supply"]
    assert said.dtype == pl.List(pl.Enum(["one", "two", "three"]))
    setup = run.setup
    for game in run.games.sample(40, seed=1).iter_rows(named=True):
        players = game["players"]
        out = allocate(setup.title.info, 1, players, kinds=3, collect=CARDS)
        lineup = run.seats.filter(pl.col("game") == game["game"])["policy"].to_list()
        numbers = np.array([[run.plan.policies.index(name) for name in lineup]], np.int16)
        bans = setup.masks(players)
        TOY.play(setup.tables, setup.policies, bans, setup.key, game["deal"], numbers, 1, out)
        seen = out.cards[0, :, :, 0].any(axis=0)
        assert game["supply"] == [
            name for name, there in zip(("one", "two", "three"), seen, strict=True) if there
        ]
    assert {len(listed) for listed in said.to_list()} > {3}, "always all of them says nothing"


def test_what_is_revealed_is_the_same_in_all_games_of_a_deal(tmp_path):
    run = sim.simulate(REVEALED, games=2000, players=2, keep="both", collect=CARDS, out=tmp_path)
    assert run.games.group_by("deal").agg(pl.col("supply").n_unique())["supply"].max() == 1
    plain = sim.simulate(TOY, games=2000, players=2, keep="rows", collect=CARDS)
    assert (plain.games["supply"].list.len() <= run.games["supply"].list.len()).all()
    assert plain.games["supply"].list.len().sum() < run.games["supply"].list.len().sum()
    # It is a second look, and the game is another one.
    assert run.games.drop("supply").equals(plain.games.drop("supply"))


@pytest.mark.parametrize("players", [2, 4])
def test_gran_magias_supply_is_what_the_reference_draws(players):
    run = sim.simulate("granmagia", games=200, players=players, keep="rows", collect=CARDS)
    title, setup = load("granmagia"), run.setup
    names = [kind.id for kind in run.kinds]
    for game in run.games.iter_rows(named=True):
        stream = Stream(setup.key, title.info.streams.number("supply"), game["deal"])
        drawn = draw_kinds(setup.tables, stream) + draw_rares(setup.tables, stream, players)
        magic = {names[kind] for kind in drawn}
        assert set(game["supply"]) == {*ALWAYS, *magic}


def test_gran_magias_supply_does_not_depend_on_how_long_a_game_lasts():
    runs = [
        sim.simulate(
            "granmagia", games=60, players=3, keep="rows", collect=CARDS, overrides=overrides
        )
        for overrides in ((), ("limits.round_cap=1",))
    ]
    first, second = (run.games for run in runs)
    assert first["rounds"].to_list() != second["rounds"].to_list()
    assert first["supply"].to_list() == second["supply"].to_list()


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        (TOY, {"collect": ("core", "series"), "keep": "both"}),
        (TOY, {"collect": CARDS, "keep": "sums"}),
        (SILENT, {"collect": CARDS, "keep": "both"}),
    ],
)
def test_nothing_is_said_where_nothing_is_kept(title, asked, tmp_path):
    run = sim.simulate(title, games=60, out=tmp_path, **asked)
    assert "supply" not in run.identity
    assert run.info.supply is None
    if run.keep != "sums":
        assert "supply" not in run.games.columns


def test_only_runs_that_say_it_are_other_runs():
    asked = {"games": 60, "keep": "rows"}
    assert sim.simulate(TOY, **asked).identity == sim.simulate(SILENT, **asked).identity, (
        "a run without cards is the same run, whatever its title declares"
    )
    said, silent = (sim.simulate(title, **asked, collect=CARDS) for title in (TOY, SILENT))
    assert {**silent.identity, "supply": "seen"} == said.identity


def test_a_store_without_it_stays_readable_and_is_not_extended(tmp_path):
    sim.simulate(SILENT, games=60, keep="rows", collect=CARDS, out=tmp_path)
    old = sim.open_run(tmp_path, title=TOY)
    assert old.info.supply is None
    assert old.rows.height == old.games["players"].sum()
    assert old.sums.wins.height
    assert old.setup.title is TOY, "its games can still be played again"
    with pytest.raises(InputError, match='supply is null there and "seen" here'):
        sim.simulate(TOY, games=120, keep="rows", collect=CARDS, out=tmp_path)


def test_the_label_is_read_from_the_store(tmp_path):
    sim.simulate(REVEALED, games=60, keep="rows", collect=CARDS, out=tmp_path)
    supply = sim.open_run(tmp_path, title=REVEALED).info.supply
    assert supply == Supply("seen", Label("Faces", "目"))
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["identity_hash"] == read_manifest(tmp_path).hash


@pytest.mark.parametrize("title", [TOY, REVEALED])
def test_bytes_do_not_depend_on_workers_or_growth(tmp_path, title):
    asked = {"keep": "both", "collect": CARDS}
    sim.simulate(title, games=1500, jobs=1, out=tmp_path / "one", **asked)
    sim.simulate(title, games=1500, jobs=2, backend="processes", out=tmp_path / "two", **asked)
    for games in (200, 901, 1500):
        sim.simulate(title, games=games, jobs=3, out=tmp_path / "grown", **asked)
    one = promised_bytes(tmp_path / "one")
    assert promised_bytes(tmp_path / "two") == one
    assert promised_bytes(tmp_path / "grown") == one


def test_sums_from_such_rows_are_those_of_the_engine(tmp_path):
    asked = {"games": 700, "collect": CARDS}
    rows = sim.simulate(TOY, keep="rows", out=tmp_path / "rows", **asked)
    sums = sim.simulate(TOY, keep="sums", out=tmp_path / "sums", **asked)
    for name in ("wins", "columns", "counts", "cards"):
        assert getattr(rows.sums, name).equals(getattr(sums.sums, name)), name


def test_a_failure_while_revealing_names_the_game(tmp_path):
    def failing(tables):
        return replace(tables, fail_deal=3)

    title = make(replace(INFO, supply=Supply("seen", Label("Faces", "目"), failing)))
    with pytest.raises(EngineError, match=r"deal \d*3 "):
        sim.simulate(title, games=200, players=2, jobs=1, keep="rows", collect=CARDS, out=tmp_path)


def test_sets_of_any_size_are_kept_in_the_order_of_the_kinds():
    names = [f"kind{number}" for number in range(11)]
    there = np.zeros((4, 11), bool)
    there[1, [10, 0, 8]] = True
    there[3] = True
    series = frames._sets("supply", names, np.packbits(there, axis=1))
    assert series.to_list() == [[], ["kind0", "kind8", "kind10"], [], names]
    assert series.dtype == pl.List(pl.Enum(names))
    empty = frames._sets("supply", names, np.packbits(np.zeros((2, 11), bool), axis=1))
    assert empty.to_list() == [[], []]
    assert empty.dtype == series.dtype
