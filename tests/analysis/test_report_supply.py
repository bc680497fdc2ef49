"""The supply in a report: the shape that pages read, and nothing where there is nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import polars as pl
import pytest

import sim
from analysis.frames import win_rates
from analysis.impact import supply_effects
from analysis.report.supply import supply_section
from sim.core.title import Label, Supply
from tests.analysis.toy import ToyRun
from tests.run.toy_title import INFO, TOY, make

CARDS = ("core", "cards")


@pytest.fixture(scope="module")
def run():
    return sim.simulate(TOY, games=1500, keep="both", collect=CARDS, seed=3)


@pytest.fixture(scope="module")
def content(run):
    return supply_section(run, 0.9)


def test_it_is_what_the_effects_are(run, content):
    table = supply_effects(run, 0.9)
    assert content["family"] == table["family"][0]
    assert (content["field"], content["label"]) == ("seen", {"en": "Faces", "ja": "Faces"})
    assert content["level"] == 0.9
    rows = {
        (row["players"], row["outcome"], row["policy"], row["kind"]): row
        for row in table.iter_rows(named=True)
    }
    told = 0
    for outcome in content["outcomes"]:
        for row in outcome["rows"]:
            one = rows[outcome["players"], outcome["id"], outcome["policy"], row["kind"]]
            assert {key: row[key] for key in ("effect", "se", "lo", "hi")} == {
                key: one[key] for key in ("effect", "se", "lo", "hi")
            }
            assert (row["with"], row["without"]) == (one["present"], one["absent"])
            assert row["with"] + row["without"] == outcome["deals"] == one["deals"]
            assert outcome["mean"] == one["mean"]
            told += 1
    assert told == sum(row["absent"] > 0 for row in rows.values())


def test_it_has_the_shape_that_pages_read(content):
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert list(content) == ["field", "label", "deals", "level", "family", "outcomes"]
    assert set(content["deals"]) == {"2", "3", "4"}
    for outcome in content["outcomes"]:
        assert list(outcome) == [
            *("id", "policy", "label", "unit", "players", "designs", "deals", "mean", "rows"),
        ]
        assert outcome["unit"] == ("rounds" if outcome["id"] == "length" else "share")
        assert (outcome["policy"] is None) == (outcome["label"] is None)
        if outcome["label"]:
            assert set(outcome["label"]) == {"en", "ja"}
        for row in outcome["rows"]:
            assert list(row) == [
                *("kind", "label", "effect", "se", "lo", "hi", "with", "without", "clear"),
            ]
            assert set(row["label"]) == {"en", "ja"}
        kinds = [row["kind"] for row in outcome["rows"]]
        assert kinds == [kind for kind in ("one", "two", "three") if kind in kinds]


def test_policies_are_called_as_on_the_rest_of_the_page(run, content):
    from analysis.report.origin import policy_labels

    labels = policy_labels(run)
    named = [one for one in content["outcomes"] if one["policy"]]
    assert named
    assert all(one["label"] == labels[one["policy"]] for one in named)


@pytest.mark.parametrize(
    ("lo", "hi", "present", "absent", "clear"),
    [
        (0.1, 0.3, 30, 30, True),
        (-0.3, -0.1, 5000, 30, True),
        (-0.1, 0.3, 5000, 5000, False),
        (0.0, 0.0, 5000, 5000, False),
        (0.1, 0.3, 29, 5000, False),
        (0.1, 0.3, 5000, 29, False),
        (None, None, 5000, 5000, False),
    ],
)
def test_clear_is_an_interval_without_nought_of_deals_enough(
    run, monkeypatch, lo, hi, present, absent, clear
):
    made = {"lo": lo, "hi": hi, "present": present, "absent": absent}
    types = {"lo": pl.Float64, "hi": pl.Float64, "present": pl.Int64, "absent": pl.Int64}
    table = supply_effects(run).with_columns(
        pl.lit(value, types[name]).alias(name) for name, value in made.items()
    )
    monkeypatch.setattr("analysis.report.supply.supply_effects", lambda *_: table)
    rows = [row for outcome in supply_section(run, 0.95)["outcomes"] for row in outcome["rows"]]
    assert {row["clear"] for row in rows} == {clear}


def test_kinds_of_every_deal_are_left_out():
    def long(tables):
        return replace(tables, target=10**6, sides=2)

    # Two faces, each throw one of them: with more throws than luck can fill with one of them.
    title = make(replace(INFO, supply=Supply("seen", Label("Faces", "目"), long)))
    found = supply_section(
        sim.simulate(title, games=100, players=4, keep="rows", collect=CARDS), 0.95
    )
    assert found is not None
    assert all(not outcome["rows"] for outcome in found["outcomes"])
    assert found["family"] == 0


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        (TOY, {"keep": "sums", "collect": CARDS}),
        (TOY, {"keep": "both"}),
        (make(replace(INFO, supply=None)), {"keep": "both", "collect": CARDS}),
    ],
)
def test_there_is_none_where_rows_do_not_say_it(title, asked):
    assert supply_section(sim.simulate(title, games=60, **asked), 0.95) is None


def test_there_is_none_of_a_run_that_knows_nothing_of_it():
    assert supply_section(ToyRun(60), 0.95) is None


def test_a_title_without_opponents_tells_what_kinds_do_to_clear_rates():
    """Adding a kind to the start is chance there, and no parity holds the mean down."""
    run = sim.simulate("wizard", games=6000, keep="both", collect=CARDS, seed=3, jobs=1)
    found = supply_section(run, 0.95)
    outcomes = {(one["id"], one["policy"]): one for one in found["outcomes"]}
    # A policy that clears no game, or every one, has no spread to judge by.
    rates = {row["policy"]: row["rate"] for row in win_rates(run, ("policy",)).to_dicts()}
    varying = {policy for policy, rate in rates.items() if 0 < rate < 1}
    assert set(outcomes) == {("length", None), *(("policy", policy) for policy in rates)}
    for policy in set(rates) - varying:
        assert {row["effect"] for row in outcomes["policy", policy]["rows"]} == {None}
    assert varying
    assert {tuple(one["designs"]) for one in outcomes.values()} == {("fixed",)}
    policy = max(varying, key=rates.__getitem__)
    rows = run.rows.filter(pl.col("policy").cast(pl.String) == policy)
    outcome = outcomes["policy", policy]
    assert outcome["deals"] == rows.height
    assert outcome["mean"] == pytest.approx(rates[policy])
    for row in outcome["rows"]:
        start = rows[f"start_{row['kind']}"] > 0
        assert row["with"] == start.sum()
        with_it, without = (rows.filter(one)["win60"].mean() / 60 for one in (start, ~start))
        # Two of ten are dealt without any constraint, so that adjusting for the others hardly
        # moves the plain difference; instead of another one, it is by a tenth larger.
        assert row["effect"] == pytest.approx(with_it - without, abs=4 * row["se"])
