"""Who beats whom, and what a deck is made of: titles whose seats bring something along."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from jsonschema import Draft202012Validator

import sim
from analysis import estimates
from analysis.building import part_effects, student
from analysis.report import pages, studies
from analysis.report.content import collect
from analysis.report.markdown import markdown
from analysis.report.matchups import matchup_section
from analysis.report.views import check_views
from analysis.report.words import LANGUAGES, Words
from analysis.spec import Building, Label, Matchups, Parts, Skill, title_spec
from sim.core.policy import parse_entry
from sim.errors import InputError, UnknownNameError
from sim.titles import load
from tests.analysis.parsed import SCHEMA, Page
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


def test_other_faults_than_that_nothing_met_are_told(run, monkeypatch):
    def broken(*_, **__):
        raise InputError("rows: found a seat of a game twice")

    monkeypatch.setattr("analysis.report.matchups.matchups", broken)
    with pytest.raises(InputError, match="twice"):
        matchup_section(run, Matchups(by="deck"), 0.95, MARGINS)


def test_a_key_that_there_is_not_is_told(run):
    check_views(run.info, title_spec(run.info))
    wrong = title_spec(run.info).model_copy(update={"matchups": (Matchups(by="dekc"),)})
    with pytest.raises(UnknownNameError, match="did you mean 'deck'"):
        check_views(run.info, wrong)


# What a deck is made of.

ATTRIBUTES = ("deck_fire", "deck_water", "deck_earth", "deck_wind")
BUILDING = Building(
    decks=40,
    share=0.8,
    groups=(Parts(label=Label(en="Attributes", ja="属性"), columns=ATTRIBUTES),),
    columns=("special_mana", "cost_2"),
)


@pytest.fixture(scope="module")
def spec():
    asked = {"games": 3000, "seed": 5, "building": BUILDING, "skill": None}
    return title_spec(load("majestic").info).model_copy(update=asked)


@pytest.fixture(scope="module")
def built(spec, tmp_path_factory):
    out = tmp_path_factory.mktemp("built")
    return out, studies.play(load("majestic"), spec, out, jobs=1)


def test_decks_made_by_chance_meet_each_other_under_every_policy(built, spec):
    out, found = built
    run = found.building.run
    decks = [f"made_{place:03}" for place in range(1, 41)]
    assert list(found.building.decks) == decks
    assert run.plan.policies == tuple(f"{p}:{d}" for p in found.building.policies for d in decks)
    assert {block.design for block in run.plan.blocks} == {"pool"}
    assert run.games_count == 2400
    # None of these decks is in the run that the rest of the page is made of.
    assert not any("made_" in entry for entry in found.main.plan.policies)
    title = load("majestic")
    lists = list(title.lists.generate(title.load(), 40, spec.seed))
    for content, parts in zip(lists, found.building.decks.values(), strict=True):
        assert parts == title.lists.composition(title.load(), content)
        assert sum(parts[name] for name in ATTRIBUTES) == 40
    (overlay,) = (out / "studies").glob("*.toml")
    assert overlay.read_text(encoding="utf-8").count("[decks.made_") == 40


def test_effects_are_a_regression_over_decks(built, spec):
    found = built[1]
    section = collect(found, spec=spec)["building"]
    won: dict[str, list[float]] = {}
    sums = found.building.run.sums.wins.filter(pl.col("by").cast(pl.String) == "policy")
    for policy, y, rows in zip(
        sums["policy"].cast(pl.String), sums["y"], sums["rows"], strict=True
    ):
        total = won.setdefault(parse_entry(policy).loadout, [0.0, 0.0])
        total[0], total[1] = total[0] + y / 60, total[1] + rows
    assert sum(rows for _, rows in won.values()) == 2 * 2400
    rates = [y / n for y, n in (won[deck] for deck in found.building.decks)]
    names = [*ATTRIBUTES, "special_mana", "cost_2"]
    parts = [[deck[name] for name in names] for deck in found.building.decks.values()]
    got = part_effects(parts, rates, [range(4)])
    rows = [row for group in section["groups"] for row in group["rows"]]
    assert [row["column"] for row in rows] == names
    assert section["family"] == int(np.isfinite(got.effect).sum()) >= 5
    z = student(estimates.z_value(spec.level, section["family"]), got.free)
    for place, row in enumerate(rows):
        if np.isnan(got.effect[place]):
            assert row["effect"] is row["lo"] is row["hi"] is None
            continue
        assert row["effect"] == pytest.approx(got.effect[place])
        assert row["hi"] - row["effect"] == pytest.approx(z * got.se[place])
        assert row["clear"] is not (row["lo"] <= 0 <= row["hi"])
        assert row["mean"] == pytest.approx(np.mean([deck[place] for deck in parts]))
    assert section["r2"] == pytest.approx(got.r2)
    assert section["spread"] == pytest.approx(np.std(rates, ddof=1))
    assert [group["label"] and group["label"]["en"] for group in section["groups"]] == [
        "Attributes",
        None,
    ]


def test_a_page_with_decks_is_whole(built, spec):
    found = collect(built[1], spec=spec)
    assert not list(Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(found))))
    for language in LANGUAGES:
        w = Words(language)
        told = {section["id"]: section for section in pages.sections(found, w)}
        assert "40" in told["building"]["notes"][0]
        names = {"en": "Aggressive, Controlling and Midrange"}
        assert names.get(language, "") in told["building"]["notes"][0]
        # Decks are brought along, and nobody chooses one during play.
        assert told["composition"]["tag"] == ""
        assert w("caption.brought") in told["composition"]["notes"][0]
        tables = told["building"]["groups"][0]["open"]
        assert [len(table["rows"]) for table in tables] == [4, 2]
        text = pages.html(found, language)
        assert not Page(text).open
        assert told["building"]["heading"] in markdown(found, language)


def test_too_few_decks_say_nothing(spec, tmp_path):
    few = spec.model_copy(
        update={"games": 200, "building": BUILDING.model_copy(update={"decks": 5})}
    )
    found = collect(studies.play(load("majestic"), few, tmp_path, jobs=1), spec=few)
    assert found["building"]["decks"] == 5
    assert {row["effect"] for group in found["building"]["groups"] for row in group["rows"]} == {
        None
    }
    assert "building" not in {section["id"] for section in pages.sections(found, Words("en"))}


def test_what_cannot_be_built_is_told(spec, tmp_path):
    wrong = spec.model_copy(
        update={"building": BUILDING.model_copy(update={"columns": ("cost_9",)})}
    )
    with pytest.raises(UnknownNameError, match="cost_9"):
        check_views(load("majestic").info, wrong)
    info = load("classic").info
    column = next(c.name for c in info.level("seat") if c.role == "composition")
    asked = {"games": 60, "building": Building(decks=5, share=0.5, columns=(column,))}
    with pytest.raises(InputError, match="seats of classic bring none along"):
        studies.play(load("classic"), title_spec(info).model_copy(update=asked), tmp_path)


def test_random_play_has_every_deck(spec, tmp_path):
    """A line-up entry of this title needs a deck, also the one of random play."""
    asked = {"games": 400, "building": None, "skill": Skill(slips=(100,), share=0.5)}
    found = studies.play(load("majestic"), spec.model_copy(update=asked), tmp_path, jobs=1)
    decks = [one.id for one in found.main.categories("deck")]
    assert found.skill[1.0].plan.policies == tuple(f"random:{deck}" for deck in decks)
