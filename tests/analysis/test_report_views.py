"""Pairs, winners beside the others, and single cards, held to what the rows say in plain words."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from jsonschema import Draft202012Validator

import sim
from analysis import estimates
from analysis.report import content, pages
from analysis.report.cards import card_section
from analysis.report.matrices import matrix_section
from analysis.report.views import check_views, told_by
from analysis.report.winners import winner_sections
from analysis.report.words import LANGUAGES, Words
from analysis.spec import Cards, title_spec
from sim.errors import InputError, UnknownNameError
from sim.titles import TITLES, load
from tests.analysis.parsed import SCHEMA, Page
from tests.run.toy_title import SOLO_TOY, TOY, make

GROUPS = ("core", "cards", "series")


@pytest.fixture(scope="module")
def run():
    return sim.simulate("magnolia", games=2400, keep="both", collect=GROUPS, seed=3, jobs=1)


@pytest.fixture(scope="module")
def spec(run):
    return title_spec(run.info)


@pytest.fixture(scope="module")
def collected(run, spec):
    return content.collect(run, spec=spec)


@pytest.fixture(scope="module")
def drawn(run):
    return run.rows.filter(pl.col("design").cast(pl.String) == "pool")


# Pairs.


def test_a_matrix_tells_every_pair_at_every_player_count(collected, run):
    (matrix,) = collected["matrices"]
    assert [side["column"] for side in matrix["by"]] == ["main_race", "main_job"]
    assert (matrix["selected"], matrix["designs"]) == (True, ["pool"])
    assert [table["players"] for table in matrix["tables"]] == [2, 3, 4, 5]
    for table in matrix["tables"]:
        found = {(row["row"], row["column"]) for row in table["rows"]}
        assert len(found) == len(table["rows"]) == 36
        assert "mixed" not in {name for pair in found for name in pair}


def test_a_cell_holds_the_mean_number_and_who_wins_with_one(collected, drawn):
    (matrix,) = collected["matrices"]
    z = estimates.z_value(0.95, 2 * 36 * 4)
    for table in matrix["tables"]:
        of = drawn.filter(pl.col("players") == table["players"])
        for row in table["rows"]:
            values = of[f"field_{row['row']}_{row['column']}"].cast(pl.Int64)
            mean = row["mean"]
            assert mean["mean"] == pytest.approx(values.mean())
            assert mean["hi"] - mean["mean"] == pytest.approx(z * mean["se"])
            having = of.filter(values > 0)
            if not having.height:
                assert row["rate"] is None
                continue
            assert row["rate"]["rows"] == having.height
            assert row["rate"]["games"] == having["game"].n_unique()
            assert row["rate"]["rate"] == pytest.approx(having["win60"].cast(pl.Int64).mean() / 60)
            assert row["rate"]["lo"] <= row["rate"]["rate"] <= row["rate"]["hi"]
    some = having.group_by("deal").agg(y=pl.col("win60").cast(pl.Int64).sum(), n=pl.len())
    sums = {"y": some["y"], "yy": some["y"] ** 2, "yn": some["y"] * some["n"], "nn": some["n"] ** 2}
    totals = {name: [column.sum()] for name, column in sums.items()}
    wide = estimates.clustered_rates(rows=[having.height], clusters=[some.height], **totals, z=z)
    assert row["rate"]["lo"] == pytest.approx(wide.lo[0])


def test_what_matrices_and_curves_tell_is_not_told_twice(collected, run, spec):
    told = told_by(run.info, spec)
    assert len(told) == 36 + 7
    every = {c.name for c in run.info.level("seat") if c.role == "composition"}
    assert {c["column"] for c in collected["composition"]["columns"]} == every - told


# Winners beside the others.


def by_game(drawn, column, players):
    """Return for each game what its winner has and what each of the others has, in plain Python."""
    games: dict[int, list[tuple[int, float]]] = {}
    for row in drawn.filter(pl.col("players") == players).iter_rows(named=True):
        games.setdefault(row["game"], []).append((row[column], row["win60"] / 60))
    winners = [sum(x * w for x, w in seats) for seats in games.values()]
    others = [sum(x * (1 - w) for x, w in seats) / (players - 1) for seats in games.values()]
    return np.array(winners), np.array(others)


def test_a_curve_and_the_sources_are_means_over_games(collected, drawn, run):
    sources, cost = collected["winners"]
    columns = [c.name for c in run.info.level("seat") if c.role == "source"]
    assert [row["column"] for row in sources["tables"][0]["rows"]] == columns
    assert [row["at"] for row in cost["tables"][0]["rows"]] == ["0", "1", "2", "3", "4", "5", "6+"]
    shared = drawn.filter(~pl.col("win60").is_in([0, 60]))
    assert shared.height > 10  # wins that are shared are among them
    for section in (sources, cost):
        z = estimates.z_value(0.95, 3 * len(section["tables"][0]["rows"]) * 4)
        for table in section["tables"]:
            for row in table["rows"]:
                winners, others = by_game(drawn, row["column"], table["players"])
                assert table["games"] == table["clusters"] == len(winners)
                parts = {"winners": winners, "others": others, "difference": winners - others}
                for name, values in parts.items():
                    mean = row[name]
                    assert mean["mean"] == pytest.approx(values.mean(), abs=1e-12)
                    se = values.std(ddof=1) / len(values) ** 0.5
                    assert mean["se"] == pytest.approx(se, abs=1e-12)
                    assert mean["hi"] - mean["mean"] == pytest.approx(z * se, abs=1e-12)
                    assert mean["mean"] - mean["lo"] == pytest.approx(z * se, abs=1e-12)


def test_sources_of_winners_add_up_to_their_score(collected, drawn):
    for table in collected["winners"][0]["tables"]:
        winners, others = by_game(drawn, "score", table["players"])
        for part, values in (("winners", winners), ("others", others)):
            total = sum(row[part]["mean"] for row in table["rows"])
            assert total == pytest.approx(values.mean())


def test_games_of_one_deal_are_one_cluster(tmp_path):
    run = sim.simulate(
        "magnolia", games=360, players=3, lineup="war,rich,faith", rotate=True, seed=3, jobs=1
    )
    (table,) = winner_sections(run, (), 0.95)[0]["tables"]
    assert (table["games"], table["clusters"]) == (360, 120)
    winners, others = by_game(run.rows, "vp_war", 3)
    deals = run.rows.group_by("game", maintain_order=True).agg(pl.col("deal").first())["deal"]
    means = [np.bincount(deals.to_numpy() % 10**6, values) / 3 for values in (winners, others)]
    for part, per_deal in zip(("winners", "others"), means, strict=True):
        mean = table["rows"][0][part]
        assert mean["mean"] == pytest.approx(per_deal.mean())
        assert mean["se"] == pytest.approx(per_deal.std(ddof=1) / 120**0.5)


# Single cards.


def test_the_effect_of_a_card_is_what_seats_win_more_that_were_dealt_it(collected, run):
    cards = collected["cards"]
    assert (cards["effects"], cards["described"]) == (102 * 4, 2 * 102 * 4)
    for table in cards["tables"]:
        n = table["players"]
        kept = run.sums.cards.filter(pl.col("players") == n)
        assert table["seats"] == n * table["games"]
        # Five cards for every seat, one copy of each kind.
        assert sum(row["dealt"]["rows"] for row in table["rows"]) == 5 * table["seats"]
        for row in table["rows"]:
            of = kept.filter(pl.col("kind").cast(pl.String) == row["kind"])
            dealt, chosen = (
                of.filter(pl.col("field").cast(pl.String) == field)
                .select(pl.sum("rows", "y"))
                .row(0)
                for field in ("opening", "played")
            )
            rows, won = dealt[0], dealt[1] / 60
            without = (table["games"] - won) / (table["seats"] - rows)  # a game has one win
            assert row["dealt"]["effect"] == pytest.approx(won / rows - without)
            half = row["dealt"]["hi"] - row["dealt"]["effect"]
            assert half == pytest.approx(estimates.z_value(0.95, 408) * row["dealt"]["se"])
            assert row["share"]["rate"] == pytest.approx(chosen[0] / table["seats"])
            if chosen[0]:
                assert row["chosen"]["rate"] == pytest.approx(chosen[1] / 60 / chosen[0])
            ends = (row["dealt"]["lo"], row["dealt"]["hi"])
            enough = row["dealt"]["clusters"] >= estimates.FEW_CLUSTERS
            assert row["dealt"]["clear"] is (enough and not ends[0] <= 0 <= ends[1])


def test_the_interval_of_an_effect_knows_its_deals():
    """Games of a rotation share their hands, so three of them are worth little more than one."""
    ratio = {}
    for rotate in (False, True):
        asked = {"games": 1200, "players": 3, "lineup": "war,rich,faith", "seed": 3, "jobs": 1}
        found = sim.simulate("magnolia", **asked, rotate=rotate, collect=("core", "cards"))
        (table,) = card_section(found, title_spec(found.info).cards, 0.95)["tables"]
        assert table["deals"] == (400 if rotate else 1200)
        # As if every seat that was dealt a kind were a game of its own.
        simple = [
            (2 / 9 / row["dealt"]["rows"] / (1 - row["dealt"]["rows"] / table["seats"])) ** 0.5
            for row in table["rows"]
        ]
        told = [row["dealt"]["se"] for row in table["rows"]]
        ratio[rotate] = np.mean(told) / np.mean(simple)
    assert 0.95 < ratio[False] < 1.05
    assert ratio[True] > 1.2


# What is not there.


def test_what_was_not_kept_or_not_declared_is_left_out(run, spec):
    few = sim.simulate("magnolia", games=200, keep="sums", jobs=1)
    assert matrix_section(few, spec.matrices[0], 0.95) is None
    assert winner_sections(few, spec.curves, 0.95) == []
    assert card_section(few, spec.cards, 0.95) is None  # cards were not collected
    assert card_section(run, None, 0.95) is None
    barred = sim.simulate(
        "magnolia", games=200, bans={1: ["nightmare_demon"]}, collect=GROUPS, jobs=1
    )
    assert card_section(barred, spec.cards, 0.95) is None
    solo = sim.simulate(SOLO_TOY, games=200, collect=GROUPS, jobs=1)
    named = spec.cards.dealt.model_copy(update={"field": "seen"})
    assert card_section(solo, Cards(dealt=named, chosen=named), 0.95) is None
    assert winner_sections(solo, (), 0.95) == []


def test_a_page_without_a_supply_does_not_speak_of_one(collected):
    assert collected["supply"] is None
    for language in LANGUAGES:
        ids = [section["id"] for section in pages.sections(collected, Words(language))]
        assert "supply" not in ids
        assert {"matrix-field", "curve-cost", "winners", "cards"} <= set(ids)
        page = Page(pages.html(collected, language))
        assert not page.open
        assert Words(language)("supply.why_not_the_mean")[:20] not in page.text
    assert not list(Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(collected))))


# What is declared.


@pytest.mark.parametrize("name", TITLES)
def test_every_title_has_what_its_report_is_made_of(name):
    info = load(name).info
    check_views(info, title_spec(info))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rows": "main_rac"}, "did you mean 'main_race'"),
        ({"columns": "score"}, "category of seats 'score'"),
        ({"column": "flied_{row}_{column}"}, "no column of magnolia is called flied_"),
    ],
)
def test_a_matrix_of_columns_that_there_are_not_is_told(run, spec, change, told):
    wrong = spec.model_copy(update={"matrices": (spec.matrices[0].model_copy(update=change),)})
    with pytest.raises(InputError, match=told):
        check_views(run.info, wrong)


def test_a_curve_or_field_that_there_is_not_is_told(run, spec):
    curve = spec.curves[0].model_copy(update={"columns": ("cost_0", "cots_1"), "at": ("0", "1")})
    with pytest.raises(UnknownNameError, match="did you mean 'cost_1'"):
        check_views(run.info, spec.model_copy(update={"curves": (curve,)}))
    field = spec.cards.dealt.model_copy(update={"field": "openning"})
    cards = spec.cards.model_copy(update={"dealt": field})
    with pytest.raises(UnknownNameError, match="did you mean 'opening'"):
        check_views(run.info, spec.model_copy(update={"cards": cards}))


def test_without_a_field_of_chance_cards_are_described_alone(run, spec):
    """The description is the same; effects and what they are counted by are left out."""
    whole = card_section(run, spec.cards, 0.95)
    found = card_section(run, Cards(chosen=spec.cards.chosen), 0.95)
    assert (found["dealt"], found["effects"]) == (None, 0)
    assert found["described"] == whole["described"]
    for table, other in zip(found["tables"], whole["tables"], strict=True):
        assert [row | {"dealt": None} for row in other["rows"]] == table["rows"]
    alone = spec.model_copy(update={"cards": Cards(chosen=spec.cards.chosen)})
    told = json.loads(json.dumps(content.collect(run, spec=alone)))
    assert not list(Draft202012Validator(SCHEMA).iter_errors(told))


# Courses of seats that are alike.


def test_seats_that_are_alike_have_one_course():
    alike = make(replace(TOY.info, seats="symmetric"))
    asked = {"games": 1200, "seed": 5, "jobs": 1, "collect": GROUPS}
    run = sim.simulate(alike, **asked)
    (section,) = content.collect(run)["series"]
    (apart,) = content.collect(sim.simulate(TOY, **asked))["series"]
    for table, other in zip(section["tables"], apart["tables"], strict=True):
        (line,) = table["rows"]
        assert line["seat"] is None
        for i, point in enumerate(line["points"]):
            seats = [row["points"][i] for row in other["rows"]]
            assert point["games"] == seats[0]["games"]
            assert point["mean"] == pytest.approx(np.mean([seat["mean"] for seat in seats]))
            # As wide as if all seats of a game had the same value.
            least = min(s["hi"] - s["mean"] for s in seats) * 0.8
            most = max(s["hi"] - s["mean"] for s in seats)
            assert least < point["hi"] - point["mean"] <= most
    (drawn,) = (s for s in pages.sections(content.collect(run), Words("en")) if "series" in s["id"])
    heads = [column["head"] for column in drawn["groups"][0]["tables"][0]["columns"]]
    assert heads == ["Round", "Mean", "Standard deviation", "Games"]
    assert drawn["groups"][0]["legend"] == []
    assert "Mean of all seats" in drawn["notes"][0]
