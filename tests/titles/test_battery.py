"""What every title promises of every game, whoever plays: the bounds it declares itself."""

from __future__ import annotations

import itertools

import polars as pl
import pytest

import sim
from sim import titles
from sim.core.policy import available
from sim.core.title import WIN

GAMES = 60
TABLES = [
    (title, players) for title in titles.TITLES for players in titles.load(title).info.players
]


def lineups(title: str, players: int) -> list[str]:
    """Every policy in all seats, and all of them in turn with slips."""
    found = titles.load(title)
    policies = available(found.data / "policies")
    if found.loadouts:  # each policy with one of them, and all of them in turn
        brought = itertools.cycle(one.id for one in found.loadouts(found.load()))
        policies = tuple(f"{policy}:{next(brought)}" for _ in range(4) for policy in policies)
    mixed = itertools.islice(itertools.cycle(f"{policy}@0.2" for policy in policies), players)
    return [*(",".join([policy] * players) for policy in policies), ",".join(mixed)]


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def runs(request: pytest.FixtureRequest) -> tuple[titles.Title, int, list[sim.Run]]:
    title, players = request.param
    played = [
        sim.simulate(title, games=GAMES, lineup=lineup, seed=3)
        for lineup in lineups(title, players)
    ]
    return titles.load(title), players, played


def test_wins_are_shared_out_whole(runs) -> None:
    title, _, played = runs
    for run in played:
        totals = run.seats.group_by("game").agg(pl.col("win60").cast(pl.Int64).sum())["win60"]
        assert len(totals) == GAMES
        allowed = {0, WIN} if title.info.seats == "none" else {WIN}
        assert set(totals) <= allowed


def test_winners_are_those_ranked_first(runs) -> None:
    title, _, played = runs
    if title.info.seats == "none":
        pytest.skip("there is nobody to be ranked against")
    score = pl.col("score").cast(pl.Int64)
    for run in played:
        assert ((run.seats["win60"] > 0) == (run.seats["rank"] == 1)).all()
        best = run.seats.group_by("game").agg(pl.col("rank").min())["rank"]
        assert (best == 1).all()
        # A winner may have won by other means than the score; all others stand in its order.
        steps = (
            run.seats.filter(pl.col("rank") > 1)
            .group_by("game")
            # Of equal scores the better rank first: what parts them is the title's own.
            .agg(pl.col("rank").cast(pl.Int64).sort_by(-score, "rank").diff().min())["rank"]
        )
        assert (steps.drop_nulls() >= 0).all(), "a higher score stands behind a lower one"


def test_scores_and_ends_are_as_declared(runs) -> None:
    title, players, played = runs
    low, high = title.info.score_range
    cap = title.info.caps.get("rounds")
    ends = {category.id for category in title.info.categories["end_reason"]}
    for run in played:
        assert run.seats["score"].is_between(low, high).all()
        assert set(run.games["end_reason"].cast(pl.String)) <= ends
        assert (run.games["players"] == players).all()
        assert (run.games["turns"] >= run.games["rounds"]).all()
        if cap is not None:
            assert run.games["rounds"].max() <= run.ruleset.source(cap).value


def test_sources_add_up_to_the_score(runs) -> None:
    title, _, played = runs
    sources = [column.name for column in title.info.level("seat") if column.role == "source"]
    if not sources:
        pytest.skip("the title declares no sources of points")
    for run in played:
        total = run.seats.select(pl.sum_horizontal(pl.col(sources).cast(pl.Int64))).to_series()
        assert (total == run.seats["score"]).all()


def test_games_differ(runs) -> None:
    """A stuck stream would play one game over and over."""
    _, _, played = runs
    for run in played:
        # One player alone always wins, and may always end with the same score.
        told = run.rows.select("win60", "score", "rounds", "turns")
        assert told.n_unique() > 2
