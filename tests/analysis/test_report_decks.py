"""Who beats whom, as a report tells it of titles whose seats bring decks along."""

from __future__ import annotations

import json

import polars as pl
import pytest
from jsonschema import Draft202012Validator

import sim
from analysis import estimates
from analysis.report.content import collect
from analysis.report.matchups import matchup_section
from analysis.report.views import check_views
from analysis.spec import Matchups, title_spec
from sim.errors import UnknownNameError
from tests.analysis.parsed import SCHEMA
from tests.run.toy_title import SOLO_TOY, TOY

MARGINS = {"seats": 0.02, "policies": 0.05, "categories": 0.05}


@pytest.fixture(scope="module")
def run():
    return sim.simulate("majestic", games=2400, keep="both", seed=3, jobs=1)


@pytest.fixture(scope="module")
def collected(run):
    return collect(run)


def test_decks_are_told_against_each_other(run, collected):
    (found,) = collected["matchups"]
    assert (found["by"], found["selected"], found["margin"]) == ("deck", False, 0.05)
    assert found["designs"] == ["rotation"]
    decks = [one.id for one in run.categories("deck")]
    assert list(found["names"]) == decks
    assert len(found["rows"]) == 2 * found["family"] == len(decks) * (len(decks) - 1)
    rows = run.rows.filter(pl.col("design").cast(pl.String) == "rotation")
    z = estimates.z_value(0.95, found["family"])
    for row in found["rows"]:
        met: dict[int, list[int]] = {}
        for _, seats in rows.group_by("game"):
            decks = seats["deck"].cast(pl.String).to_list()
            if sorted(decks) == sorted([row["row"], row["column"]]):
                won = int(seats["win60"][decks.index(row["row"])])
                met.setdefault(seats["deal"][0], []).append(won)
        won = [sum(deal) for deal in met.values()]
        games = [len(deal) for deal in met.values()]
        rate = row["rate"]
        assert (rate["games"], rate["clusters"]) == (sum(games), len(games))
        assert rate["rate"] == pytest.approx(sum(won) / 60 / sum(games))
        wide = estimates.clustered_rates(
            rows=[sum(games)],
            clusters=[len(games)],
            y=[sum(won)],
            yy=[sum(y * y for y in won)],
            yn=[sum(y * n for y, n in zip(won, games, strict=True))],
            nn=[sum(n * n for n in games)],
            z=z,
        )
        assert (rate["lo"], rate["hi"]) == pytest.approx((wide.lo[0], wide.hi[0]))
    assert not list(Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(collected))))


def test_policies_are_told_against_each_other_in_games_of_two_only():
    run = sim.simulate("granmagia", games=1200, keep="both", seed=3, jobs=1)
    found = matchup_section(run, Matchups(by="policy"), 0.95, {**MARGINS, "policies": 0.04})
    number = len(run.plan.policies)
    assert len(found["names"]) == number
    assert (found["label"], found["margin"]) == (None, 0.04)
    assert found["family"] == number * (number - 1) // 2
    rows = run.rows.filter(pl.col("design").cast(pl.String) == "rotation", players=2)
    assert sum(row["rate"]["games"] for row in found["rows"]) == 2 * rows["game"].n_unique()


def test_what_is_chosen_during_play_gets_no_verdict():
    run = sim.simulate(TOY, games=600, keep="rows", players=2, seed=3, jobs=1)
    found = matchup_section(run, Matchups(by="camp"), 0.95, MARGINS)
    assert found["selected"] is next(c for c in TOY.info.columns if c.name == "camp").selected
    assert {row["rate"]["verdict"] for row in found["rows"]} == {None}


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        (SOLO_TOY, {}),
        (TOY, {"players": 3}),
        (TOY, {"keep": "sums"}),
        (TOY, {"players": 2, "lineup": "bold,random"}),  # seat and policy are one
        (TOY, {"players": 2, "lineup": "bold,bold"}),
    ],
)
def test_where_no_two_can_be_told_apart_there_is_nothing(title, asked):
    run = sim.simulate(title, **{"games": 120, "keep": "both", "jobs": 1, **asked})
    assert matchup_section(run, Matchups(by="policy"), 0.95, MARGINS) is None


def test_a_key_that_there_is_not_is_told(run):
    check_views(run.info, title_spec(run.info))
    wrong = title_spec(run.info).model_copy(update={"matchups": (Matchups(by="dekc"),)})
    with pytest.raises(UnknownNameError, match="did you mean 'deck'"):
        check_views(run.info, wrong)
