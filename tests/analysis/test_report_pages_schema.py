"""What report.json holds is what its schema says, for runs of every size."""

from __future__ import annotations

import copy
import json
import re

import pytest
from jsonschema import Draft202012Validator

import sim
from analysis.report import pages, studies
from analysis.report.content import collect
from analysis.report.markdown import markdown
from analysis.report.words import LANGUAGES, Words
from analysis.spec import Event, Knob, Label, Lever, Setting, Skill, What, title_spec
from tests.analysis.made_report import bare, made, without
from tests.analysis.parsed import SCHEMA, Page
from tests.run.toy_title import SOLO_TOY, TOY


@pytest.fixture(scope="module")
def content():
    return made()


def test_the_schema_describes_the_content(content):
    Draft202012Validator.check_schema(SCHEMA)
    validator = Draft202012Validator(SCHEMA)
    for found in (content, without(content), bare(content)):
        assert not [error.message for error in validator.iter_errors(json.loads(json.dumps(found)))]
    assert SCHEMA["properties"]["version"]["const"] == content["version"]


@pytest.mark.parametrize("games", [1, 12, 60, 600])
def test_a_run_of_any_size_has_a_whole_report(games, tmp_path, monkeypatch):
    """With everything collected and studied: the schema holds, both pages and both Markdowns."""
    monkeypatch.setattr(studies, "_LEAST", 1)
    name = Label(en="Target", ja="目標")
    knob = Knob(
        id="target",
        label=name,
        about=name,
        key="target{players}{seat}{what}",
        what=(What(id="all", label=name),),
        values=(40, 45),
        share=0.25,
    )
    setting = Setting(key="target", label=name, values=(35, 45))
    lever = Lever(id="pace", label=name, about=name, settings=(setting,), share=0.25)
    asked = {
        "games": games,
        "levers": (lever,),
        "skill": Skill(slips=(20, 100), share=0.25),
        # The dice race has one value for all seats and player counts.
        "knobs": (knob.model_copy(update={"key": "target"}),),
        "events": (Event(column="luck", by="camp"),),
    }
    spec = title_spec(TOY.info).model_copy(update=asked)
    found = collect(studies.play(TOY, spec, tmp_path, jobs=1), spec=spec)
    errors = Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(found)))
    assert not [(list(error.path), error.message) for error in errors]
    ids = [section["id"] for section in pages.sections(found, Words("en"))]
    assert {"skill", "knob-target", "lever-pace", "composition", "event-luck"} <= set(ids)
    assert ("series-points" in ids) is (games >= 600)
    for language in LANGUAGES:
        text = pages.html(found, language)
        for shown in (Page(text).text, markdown(found, language)):
            assert not re.search(r"\b(None|nan|NaN|Undefined)\b", shown)
        assert not Page(text).open


@pytest.mark.parametrize("keep", ["rows", "sums"])
def test_the_schema_describes_real_reports(kept, keep):
    validator = Draft202012Validator(SCHEMA)
    solo = sim.simulate(SOLO_TOY, games=60, keep=keep, jobs=1)
    fixed = sim.simulate(TOY, games=60, lineup="bold,random", keep=keep, jobs=1)
    for run in (kept[keep], solo, fixed):
        found = json.loads(json.dumps(collect(run)))
        assert not [(list(e.path), e.message) for e in validator.iter_errors(found)]


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.pop("rates"),
        lambda c: c.update(more=1),
        lambda c: c["rates"][0]["tables"][0]["rows"][0].update(rate=1.2),
        lambda c: c["rates"][0]["tables"][0]["rows"][0].update(verdict="fine"),
        lambda c: c["knobs"][0]["tables"][0]["rows"][0]["points"][0].pop("change"),
        lambda c: c["levers"][0]["tables"][0]["settings"][0]["points"][0].pop("length"),
        lambda c: c["matchups"][0]["rows"][0].pop("rate"),
        lambda c: c["building"]["groups"][0]["rows"][0].pop("mean"),
        lambda c: c["foes"]["tables"][0]["rows"][0].pop("met"),
        lambda c: c["shares"][0]["tables"][0]["rows"][0].update(count=-1),
        lambda c: c["matrices"][0]["tables"][0]["rows"][0].update(rate=0.5),
        lambda c: c["winners"][0]["tables"][0]["rows"][0].pop("difference"),
        lambda c: c["cards"]["tables"][0]["rows"][0]["dealt"].update(clear=None),
        lambda c: c["supply"]["outcomes"][0]["rows"][0].update(clear="yes"),
        lambda c: c["events"][0]["tables"][0]["rows"][0].update(count=-1),
    ],
)
def test_the_schema_refuses_what_is_not_so(content, change):
    found = copy.deepcopy(content)
    change(found)
    assert not Draft202012Validator(SCHEMA).is_valid(json.loads(json.dumps(found)))
