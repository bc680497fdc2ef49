"""What seats bring along: the first player in mirrors, and each deck with its best policy."""

from __future__ import annotations

import json
from collections import defaultdict

import polars as pl
import pytest
from jsonschema import Draft202012Validator

import sim
from analysis import estimates
from analysis.report import pages, studies
from analysis.report.content import collect
from analysis.report.markdown import markdown, summary
from analysis.report.mirrors import mirror_section
from analysis.report.pilots import pilot_question, pilot_section
from analysis.report.views import check_views
from analysis.report.words import LANGUAGES, Words
from analysis.spec import Mirrors, Pilots, Skill, title_spec
from sim.errors import InputError, UnknownNameError
from sim.titles import load
from tests.analysis.made_report import made
from tests.analysis.parsed import SCHEMA
from tests.run.toy_title import SOLO_TOY, TOY

POOL = "midrange:ember_rush,aggressive:ember_rush,midrange:stone_wall,aggressive:stone_wall"
DECK = Pilots(brought="deck")


@pytest.fixture(scope="module")
def run():
    asked = {"pool": POOL, "rotate": True, "keep": "both", "seed": 3, "jobs": 1}
    return sim.simulate("majestic", games=3000, **asked)


def seats_of(run, design):
    rows = run.rows.filter(pl.col("design").cast(pl.String) == design)
    entry = pl.col("policy").cast(pl.String)
    parts = entry.str.split_exact(":", 1).struct.rename_fields(["play", "brought"])
    return rows.with_columns(parts=parts).unnest("parts")


def test_the_first_player_in_mirrors_is_counted_by_hand(run):
    found = mirror_section(run, {}, Mirrors(brought="deck"), 0.95, 0.02)
    mirrors = seats_of(run, "mirror").filter(seat=1)
    (table,) = found["tables"]
    # All of them, two decks, two policies, four pairs.
    assert len(table["rows"]) == found["family"] == 9
    z = estimates.z_value(0.95, 9)
    for row in table["rows"]:
        mine = mirrors
        for part, column in (("brought", "brought"), ("policy", "play")):
            if part in row:
                mine = mine.filter(pl.col(column) == row[part])
        games, won = len(mine), int(mine["win60"].cast(pl.Int64).sum())
        squares = int((mine["win60"].cast(pl.Int64) ** 2).sum())
        assert row["games"] == row["clusters"] == games > 0
        assert row["rate"] == pytest.approx(won / 60 / games)
        counts = {"rows": [games], "clusters": [games], "nn": [games]}
        wide = estimates.clustered_rates(**counts, y=[won], yy=[squares], yn=[won], z=z)
        assert (row["lo"], row["hi"]) == pytest.approx((wide.lo[0], wide.hi[0]))
    assert {
        row["games"] for row in table["rows"] if len(row.keys() & {"brought", "policy"}) == 0
    } == {len(mirrors)}


def test_mirrors_are_told_by_slip_as_well(run, tmp_path):
    asked = {"games": 600, "building": None, "skill": Skill(slips=(20, 100), share=0.5)}
    spec = title_spec(run.info).model_copy(update=asked)
    played = studies.play(load("majestic"), spec, tmp_path, jobs=1)
    found = collect(played, spec=spec)["mirrors"]
    assert found["levels"] == [0.0, 0.2, 1.0]
    rows = [row for table in found["tables"] for row in table["rows"]]
    assert len(rows) == found["family"]
    by = defaultdict(set)
    for row in rows:
        by[row["slip"]].add((row.get("brought"), row.get("policy")))
    decks = [one.id for one in played.main.categories("deck")]
    single = {(None, None), *((deck, None) for deck in decks)}
    policies = {(None, name) for name in ("aggressive", "controlling", "midrange")}
    # Pairs without slips only; at random all policies are alike.
    assert by[0.0] >= single | policies
    assert by[0.2] == single | policies
    assert by[1.0] == single


def test_policies_alone_are_told_where_nothing_is_brought_along():
    run = sim.simulate("granmagia", games=1200, keep="sums", seed=3, jobs=1)
    found = mirror_section(run, {}, Mirrors(), 0.95, 0.02)
    assert found["brought"] is None
    assert [table["players"] for table in found["tables"]] == [2, 3, 4]
    for table in found["tables"]:
        rows = table["rows"]
        assert "policy" not in rows[0]
        assert sorted(row["policy"] for row in rows[1:]) == sorted(run.plan.policies)
        assert {row["parity"] for row in rows} == {1 / table["players"]}
    content = {**made(), "mirrors": found}
    assert "mirrors" in {one["id"] for one in pages.sections(content, Words("ja"))}


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        (SOLO_TOY, {}),
        (TOY, {"players": 2, "lineup": "bold,random", "rotate": True}),
        (TOY, {"players": 2, "pool": "bold,random"}),
    ],
)
def test_without_mirrors_there_is_nothing(title, asked):
    run = sim.simulate(title, games=120, jobs=1, **asked)
    if "mirror" in {block.design for block in run.plan.blocks if block.deals}:
        assert mirror_section(run, {}, None, 0.95, 0.02) is None
    else:
        assert mirror_section(run, {}, Mirrors(), 0.95, 0.02) is None


# Each deck with its best policy.


def test_the_best_policy_is_chosen_on_one_half_and_measured_on_the_other(run):
    found = pilot_section(run, DECK, 0.95, 0.05)
    seats = seats_of(run, "rotation")
    even, odd = (seats.filter(pl.col("deal") % 2 == half) for half in (0, 1))
    best = {}
    for (deck, play), mine in even.group_by("brought", "play"):
        rate = mine["win60"].cast(pl.Int64).mean()
        best[deck] = max(best.get(deck, (-1.0, "")), (rate, play))
    chosen = {deck: play for deck, (_, play) in best.items()}
    (fitted,), (field,) = found["fitted"], found["field"]
    assert {row["brought"]: row["policy"] for row in fitted["rows"]} == chosen
    fits = pl.struct("brought", "play").is_in(
        [{"brought": deck, "play": play} for deck, play in chosen.items()]
    )
    for table, there in ((fitted, fits.all().over("game")), (field, fits)):
        measured = odd.filter(there)
        assert len(table["rows"]) == 2
        for row in table["rows"]:
            mine = measured.filter(brought=row["brought"])
            assert row["games"] == mine["game"].n_unique()
            assert row["rate"] == pytest.approx(mine["win60"].cast(pl.Int64).mean() / 60)
            assert row["verdict"] is not None
    assert found["missing"] == 0
    (pairs,) = found["pairs"]
    assert sum(row["rows"] for row in pairs["rows"]) == len(seats)
    assert {row["verdict"] for row in pairs["rows"]} <= {None, "too few games"}


def test_the_choice_does_not_see_what_it_is_measured_on(run):
    """With all wins of odd deals turned round, the same policies are chosen."""

    class Turned:
        keep, plan, info, policies = run.keep, run.plan, run.info, run.policies
        categories = staticmethod(run.categories)

        @staticmethod
        def scan_rows():
            odd = pl.col("deal") % 2 == 1
            turned = pl.when(odd).then(60 - pl.col("win60")).otherwise("win60")
            return run.rows.lazy().with_columns(win60=turned)

    plain, turned = (pilot_section(one, DECK, 0.95, 0.05) for one in (run, Turned))
    for mine, other in zip(plain["fitted"][0]["rows"], turned["fitted"][0]["rows"], strict=True):
        assert mine["policy"] == other["policy"]
        assert mine["rate"] == pytest.approx(1 - other["rate"])


def test_the_headline_is_about_decks_that_are_played_well(run):
    spec = title_spec(run.info)
    content = collect(run, spec=spec)
    assert [one["id"] for one in content["questions"]] == ["seats", "pilots"]
    asked = content["questions"][1]
    rows = content["pilots"]["fitted"][0]["rows"]
    assert {asked["best"]["rate"], asked["worst"]["rate"]} == {row["rate"] for row in rows}
    assert "(" in asked["best"]["label"]["en"]
    assert "（" in asked["best"]["label"]["ja"]
    captions = {one.get("column", one["id"]): one["captions"] for one in content["rates"]}
    assert "fits" in captions["policies"]
    assert "averaged" in captions["deck"]
    assert "averaged" not in captions["sorcerer"]
    assert not list(Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(content))))
    for language in LANGUAGES:
        w = Words(language)
        told = {section["id"]: section for section in pages.sections(content, w)}
        for id_ in ("pilots", "mirrors"):
            assert told[id_]["heading"] in markdown(content, language)
        # What the verdicts rest on, and not the table that they do not rest on any more.
        short = summary(content, language)
        assert told["pilots"]["heading"] in short
        assert f"## {told['policies']['heading']}" not in short
        assert w("matchups.averaged") in told["matchups-deck"]["notes"]
        assert w("topic.pilots") in {one["topic"] for one in pages.answers(content, w)}
    # Without the declaration the verdict is on policies, as everywhere.
    plain = collect(run, spec=spec.model_copy(update={"pilots": None}))
    assert [one["id"] for one in plain["questions"]] == ["seats", "policies"]
    assert not any({"fits", "averaged"} & set(one["captions"]) for one in plain["rates"])


@pytest.mark.parametrize(
    ("rows", "missing", "said"),
    [
        (("balanced", "balanced"), 0, "balanced"),
        (("balanced", "balanced"), 1, "too few games"),
        (("balanced", "undecided"), 1, "undecided"),
        (("balanced", "unbalanced"), 1, "unbalanced"),
        ((), 3, "too few games"),
    ],
)
def test_decks_without_games_are_not_balanced(rows, missing, said):
    found = made()["pilots"]
    told = [
        {**row, "verdict": verdict}
        for row, verdict in zip(found["fitted"][0]["rows"], rows, strict=False)
    ]
    found |= {"fitted": [{"players": 2, "rows": told}] if told else [], "missing": missing}
    assert pilot_question(found)["verdict"] == said


@pytest.mark.parametrize(
    ("pool", "asked"),
    [
        ("midrange:ember_rush,midrange:stone_wall", {}),  # no policy to choose
        ("midrange:ember_rush,aggressive:ember_rush", {}),  # no deck to meet
        (POOL, {"keep": "sums"}),
        (POOL, {"rotate": False}),
    ],
)
def test_where_there_is_nothing_to_choose_there_is_no_section(pool, asked):
    told = {"rotate": True, "keep": "rows", **asked}
    run = sim.simulate("majestic", games=200, pool=pool, jobs=1, **told)
    assert pilot_section(run, DECK, 0.95, 0.05) is None


def test_a_run_of_a_few_games_is_told_as_too_few(tmp_path):
    run = sim.simulate("majestic", games=40, keep="both", jobs=1)
    content = collect(run)
    assert content["pilots"]["missing"] > 0
    assert content["questions"][1]["verdict"] in {"too few games", "undecided"}
    assert not list(Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(content))))
    for language in LANGUAGES:
        assert "None" not in pages.html(content, language)


@pytest.mark.parametrize("field", ["mirrors", "pilots"])
def test_what_is_brought_along_is_a_category_that_was_there_before_play(field):
    spec = title_spec(load("majestic").info)
    wrong = type(getattr(spec, field))(brought="dekc")
    with pytest.raises(UnknownNameError, match="did you mean 'deck'"):
        check_views(load("majestic").info, spec.model_copy(update={field: wrong}))
    info = load("granmagia").info
    chosen = next(c.name for c in info.level("seat") if c.role == "category" and c.selected)
    wrong = type(getattr(spec, field))(brought=chosen)
    with pytest.raises(InputError, match="chosen during play"):
        check_views(info, title_spec(info).model_copy(update={field: wrong}))
