"""Where games without opponents are lost, to whom, and what each enemy costs."""

from __future__ import annotations

import json

import polars as pl
import pytest
from jsonschema import Draft202012Validator

import sim
from analysis import estimates
from analysis.console import summary
from analysis.report import pages
from analysis.report.content import collect
from analysis.report.foes import foe_section
from analysis.report.markdown import markdown
from analysis.report.shares import share_section
from analysis.report.views import check_views
from analysis.report.words import LANGUAGES, Words
from analysis.spec import CardField, Foes, Label, Share, title_spec
from sim.errors import InputError, UnknownNameError
from tests.analysis.parsed import SCHEMA, Page
from tests.run.toy_title import TOY

GROUPS = ("core", "cards", "series")
NAME = Label(en="A", ja="A")


@pytest.fixture(scope="module")
def run():
    return sim.simulate("wizard", games=2000, keep="both", collect=GROUPS, seed=3, jobs=1)


@pytest.fixture(scope="module")
def spec(run):
    return title_spec(run.info)


@pytest.fixture(scope="module")
def collected(run, spec):
    return collect(run, spec=spec)


def ends(count, of, z):
    """Return the interval of a share of games, each of which is a deal of its own."""
    sums = {"rows": of, "clusters": of, "y": count, "yy": count, "yn": count, "nn": of}
    wide = estimates.clustered_rates(**{name: [n] for name, n in sums.items()}, z=z, win=1)
    return pytest.approx((wide.lo[0], wide.hi[0]))


def test_a_foe_has_as_many_losses_as_the_rows_say(run, collected):
    found = collected["foes"]
    (table,) = found["tables"]
    lost = run.rows.filter(pl.col("win60") == 0)
    assert (table["games"], table["lost"]) == (2000, lost.height)
    by = lost["lost_to"].cast(pl.String).value_counts()
    counts = dict(by.iter_rows())
    assert [row["kind"] for row in table["rows"]] == [
        one.id for one in run.categories("lost_to") if one.id != "to_nobody"
    ]
    assert found["family"] == len(table["rows"]) * 5
    z = estimates.z_value(0.95, found["family"])
    for row in table["rows"]:
        assert row["count"] == counts.get(row["kind"], 0)
        assert row["met"]["rate"] == pytest.approx(row["games"] / 2000)
        assert row["lost"]["rate"] == pytest.approx(row["count"] / row["games"])
        assert row["of_lost"]["rate"] == pytest.approx(row["count"] / lost.height)
        assert (row["lost"]["lo"], row["lost"]["hi"]) == ends(row["count"], row["games"], z)


def test_what_a_foe_costs_is_a_mean_over_the_games_that_met_it(run, collected):
    (table,) = collected["foes"]["tables"]
    z = estimates.z_value(0.95, collected["foes"]["family"])
    sums = run.sums.cards.group_by("field", "kind").agg(pl.col("rows", "total", "squares").sum())
    told = {(row["field"], row["kind"]): row for row in sums.to_dicts()}
    assert [cost["field"] for cost in collected["foes"]["costs"]] == ["lp_lost", "turns"]
    turns = 0
    for row in table["rows"]:
        n = told["met", row["kind"]]["rows"]
        assert row["games"] == n
        for field, mean in zip(("lp_lost", "turns"), row["costs"], strict=True):
            one = told[field, row["kind"]]
            assert mean["mean"] == pytest.approx(one["total"] / n)
            spread = (one["squares"] - one["total"] ** 2 / n) / (n - 1)
            assert mean["se"] == pytest.approx((spread / n) ** 0.5)
            assert mean["hi"] - mean["mean"] == pytest.approx(z * mean["se"])
        turns += told["turns", row["kind"]]["total"]
    assert turns == run.rows["battle_turns"].cast(pl.Int64).sum()


def test_places_of_losses_are_shares_of_losses(run, collected):
    places, enemies = collected["shares"]
    assert (places["column"], enemies["column"]) == ("lost_at", "lost_to")
    lost = run.rows.filter(pl.col("win60") == 0)
    rows = places["tables"][0]["rows"]
    assert sum(row["count"] for row in rows) == lost.height == rows[0]["games"]
    assert [row["count"] for row in rows] == sorted((row["count"] for row in rows), reverse=True)
    z = estimates.z_value(0.95, sum(len(table["rows"]) for table in places["tables"]))
    for row in rows:
        assert row["count"] == (lost["lost_at"].cast(pl.String) == row["id"]).sum()
        assert (row["lo"], row["hi"]) == ends(row["count"], lost.height, z)
    # What is counted is not told once more by its clear rate, which it settles.
    assert not {"lost_at", "lost_to"} & {one.get("column") for one in collected["rates"]}
    assert "route" in {one.get("column") for one in collected["rates"]}


def test_shares_of_losses_are_told_policy_by_policy(run, collected):
    for found in collected["shares"]:
        whole, *tables = found["tables"]
        assert whole["policy"] is None
        assert [table["policy"] for table in tables] == list(run.plan.policies)
        every = run.rows.with_columns(pl.col("policy", found["column"]).cast(pl.String))
        without = {"lost_at": "not_lost", "lost_to": "to_nobody"}[found["column"]]
        z = estimates.z_value(0.95, sum(len(table["rows"]) for table in found["tables"]))
        for table in tables:
            assert all(table["label"][language] for language in LANGUAGES)
            own = every.filter(
                (pl.col("policy") == table["policy"]) & (pl.col(found["column"]) != without)
            )
            counts = dict(own[found["column"]].value_counts().iter_rows())
            assert {row["id"]: row["count"] for row in table["rows"]} == counts
            for row in table["rows"]:
                assert (row["lo"], row["hi"]) == ends(row["count"], own.height, z)
        assert sum(row["count"] for table in tables for row in table["rows"]) == sum(
            row["count"] for row in whole["rows"]
        )
    for language in LANGUAGES:
        told = {
            one["id"]: one for one in pages.sections(collected, Words(language, collected["words"]))
        }
        captions = [table["caption"] for table in told["share-lost_to"]["tables"]]
        assert len(set(captions)) == 1 + len(run.plan.policies)


def test_shares_are_clustered_by_deal_where_seats_share_one():
    run = sim.simulate(TOY, games=900, keep="rows", players=3, seed=3, jobs=1)
    without = run.categories("camp")[0].id
    found = share_section(run, Share(column="camp", without=without, of=NAME), 0.95)
    rows = run.rows.filter(pl.col("camp").cast(pl.String) != without)
    (table,) = found["tables"]
    z = estimates.z_value(0.95, len(table["rows"]))
    for row in table["rows"]:
        hit = (pl.col("camp").cast(pl.String) == row["id"]).cast(pl.Int64).sum()
        deals = rows.group_by("deal").agg(y=hit, n=pl.len().cast(pl.Int64))
        y, n = deals["y"], deals["n"]
        wide = estimates.clustered_rates(
            rows=[n.sum()], clusters=[deals.height], y=[y.sum()], yy=[(y * y).sum()],
            yn=[(y * n).sum()], nn=[(n * n).sum()], z=z, win=1,
        )  # fmt: skip
        assert (row["count"], row["clusters"]) == (y.sum(), deals.height)
        assert (row["lo"], row["hi"]) == pytest.approx((wide.lo[0], wide.hi[0]))


def test_a_page_without_opponents_is_whole(run, collected):
    assert not list(Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(collected))))
    assert {one["column"] for one in collected["composition"]["columns"]} == {
        column.name for column in run.info.level("seat") if column.name.startswith("own_")
    }
    for language in LANGUAGES:
        told = {
            one["id"]: one for one in pages.sections(collected, Words(language, collected["words"]))
        }
        assert {"share-lost_at", "share-lost_to", "foes", "supply", "series-lp"} <= set(told)
        text = pages.html(collected, language)
        assert not Page(text).open
        w = Words(language, collected["words"])
        for word in (w("rate"), w("caption.selected"), w("gap"), w("read.verdicts")):
            assert word not in Page(text).text
        assert w("clear_rate") in Page(text).text
        assert told["foes"]["heading"] in markdown(collected, language)


def test_the_title_says_moves_and_lp_instead_of_rounds_and_points(collected):
    for language, moves, points in (("en", "Moves", "points"), ("ja", "移動回数", "得点")):
        w = Words(language, collected["words"])
        told = {one["id"]: one for one in pages.sections(collected, w)}
        assert told["length"]["heading"].endswith(f" — {moves}")
        assert "LP" in told["sources"]["heading"]
        assert points not in told["sources"]["heading"]
        text = Page(pages.html(collected, language)).text
        for wrong in ("rounds", "Rounds", "ラウンド"):
            assert wrong not in text


def test_words_of_a_title_stand_for_words_that_there_are(run, spec):
    odd = {"rounds": Label(en="Moves", ja="移動")}
    with pytest.raises(UnknownNameError, match="did you mean 'round'"):
        check_views(run.info, spec.model_copy(update={"words": odd}))
    blind = {"replay.longest": Label(en="longest game", ja="最長 {n}")}
    with pytest.raises(InputError, match=r"replay.longest, en: found nothing .*; allowed: \{n\}"):
        check_views(run.info, spec.model_copy(update={"words": blind}))


def test_a_summary_tells_clear_rates_and_nothing_of_parity(run):
    text = summary(run)
    assert "clear rate, %" in text
    for word in ("win rate", "parity", "verdict"):
        assert word not in text


def test_ways_up_that_a_lot_drew_are_compared_as_causes(run, collected):
    lots = [one for one in collected["rates"] if one.get("column", "").startswith("lot_")]
    assert len(lots) == 5
    told = {one["id"]: one for one in pages.sections(collected, Words("en"))}
    for found in lots:
        assert found["captions"] == ["assigned"]
        (table,) = found["tables"]
        assert sum(row["games"] for row in table["rows"]) == run.games_count
        for row in table["rows"]:
            own = run.rows.filter(pl.col(found["column"]).cast(pl.String) == row["category"])
            assert row["rate"] == pytest.approx((own["win60"] == 60).mean())
            assert all(row["label"][language] for language in LANGUAGES)
        shown = told[f"by-{found['column']}"]
        assert not shown["tag"]
        assert "an effect of it" in shown["notes"][0]


def test_where_there_are_opponents_or_no_cards_nobody_is_a_foe(spec):
    few = sim.simulate("wizard", games=40, jobs=1)
    assert foe_section(few, spec.foes, 0.95) is None
    duel = sim.simulate(TOY, games=60, collect=GROUPS, jobs=1)
    field = CardField(field="seen", label=NAME)
    assert foe_section(duel, Foes(met=field, lost=field, costs=(field,)), 0.95) is None


def test_what_is_not_there_is_told(run, spec):
    wrong = spec.foes.model_copy(update={"lost": CardField(field="los", label=NAME)})
    with pytest.raises(UnknownNameError, match="did you mean 'lost'"):
        check_views(run.info, spec.model_copy(update={"foes": wrong}))
    share = spec.shares[0]
    odd = share.model_copy(update={"column": "los_at"})
    with pytest.raises(UnknownNameError, match="did you mean 'lost_at'"):
        check_views(run.info, spec.model_copy(update={"shares": (odd,)}))
    with pytest.raises(UnknownNameError, match="did you mean 'not_lost'"):
        share_section(run, share.model_copy(update={"without": "not_los"}), 0.95)
