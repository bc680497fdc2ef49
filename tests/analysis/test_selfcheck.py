"""Seats that are alike by the rules: a check of the engine, told as one and never as a finding."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from analysis import console, estimates, frames, selfcheck
from analysis.report import content, pages
from analysis.report.markdown import markdown, summary
from analysis.report.words import LANGUAGES, Words
from analysis.sections import rate_sections
from tests.analysis.parsed import SCHEMA, Page
from tests.analysis.toy import INFO, ToyRun

ALIKE = replace(INFO, seats="symmetric")

#: Games of the toy, how far its seat 1 is ahead, and what the check says.
SAID = [
    (24, 0.3, "too few games"),
    (400, 0.0, "too few games"),  # a window so wide that it would pass anything
    (400, 4.0, "failed"),  # and yet not this
    (12_000, 0.0, "passed"),
    (12_000, 0.3, "failed"),
]


@pytest.fixture(scope="module", params=SAID, ids=str)
def checked(request):
    games, ahead, said = request.param
    run = ToyRun(games, info=ALIKE, ahead=ahead)
    return said, run, content.collect(run)


def test_one_sound_report_in_a_million_with_200_rows_is_called_faulty():
    assert round(estimates.z_value(1 - 1e-6, family=200), 2) == selfcheck.Z
    assert estimates.z_value(selfcheck.LEVEL) == pytest.approx(selfcheck.Z, rel=1e-6)


def test_the_verdict_is_whether_parity_lies_in_every_interval(checked):
    said, run, found = checked
    seats = found["rates"][0]
    assert (seats["id"], seats["captions"], seats["margin"]) == ("seats", ["symmetric"], None)
    wide = frames.win_rates(run, family=1, level=selfcheck.LEVEL, design=seats["designs"])
    half = max(row["hi"] - row["lo"] for row in wide.to_dicts()) / 2
    assert (said == "passed") <= (half <= selfcheck.WIDEST)
    outside = [r for r in wide.to_dicts() if not r["lo"] <= r["parity"] <= r["hi"]]
    assert bool(outside) is (said == "failed")
    check = seats["check"]
    assert check["verdict"] == said
    assert {**check["row"], "verdict": None} in [{**r, "verdict": None} for r in wide.to_dicts()]
    if outside:
        assert (check["row"]["players"], check["row"]["seat"]) in [
            (r["players"], r["seat"]) for r in outside
        ]
    rows = [row for table in seats["tables"] for row in table["rows"]]
    assert {row["verdict"] for row in rows} <= {None, "too few games"}


def test_nothing_else_is_told_by_seat(checked):
    _, _, found = checked
    assert [section["id"] for section in found["rates"]] == ["seats", "policies", "category"]
    assert [question["id"] for question in found["questions"]] == ["policies", "check"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_that_it_is_a_check_and_names_a_fault(checked, language):
    said, _, found = checked
    assert not list(Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(found))))
    w = Words(language)
    text = Page(pages.html(found, language)).text
    assert w("seats.check") in text
    assert w("caption.symmetric") in text
    answer = pages.answers(found, w)[1]
    assert answer["word"] == w(said)
    assert answer["mark"] == {"passed": "balanced", "failed": "unbalanced"}.get(said, "few")
    assert text.count(answer["sentence"]) >= 2
    first = pages.verdict(found, w)
    told = w("say.check.failed").partition("{")[0]
    assert (told in first["sentence"]) is (said == "failed")
    assert first["mark"] == "unbalanced" or said != "failed"
    for written in (markdown(found, language), summary(found, language)):
        assert answer["question"] in written
    assert ("5.85" in answer["sentence"]) is (said != "too few games")


def test_the_command_line_says_the_same(checked):
    said, run, _ = checked
    told = console.summary(run).partition("Win rate by policy")[0]
    assert "Self-check: Win rate by seat (mirror, rotation)" in told
    assert {"passed": "passed", "failed": "FAILED"}.get(said, said) in told
    assert "balanced" not in told


@pytest.mark.parametrize(
    "change",
    [
        lambda run: setattr(run, "info", INFO),  # seats mean something
        lambda run: run.identity.update(bans={"1": ["sword"]}),  # and here they are made unlike
    ],
)
def test_seats_that_may_differ_are_not_checked(change):
    run = copy.copy(ToyRun(200, info=ALIKE))
    change(run)
    section = rate_sections(run.info, run.plan)[0]
    assert selfcheck.self_check(run, section) is None


def test_policies_that_each_keep_their_seat_are_not_taken_for_a_fault():
    run = ToyRun(12_000, info=ALIKE, lineup="plain,strong")
    found = content.collect(run)
    assert "fixed" in found["rates"][0]["captions"]
    assert "check" not in found["rates"][0]
    assert "check" not in [question["id"] for question in found["questions"]]
