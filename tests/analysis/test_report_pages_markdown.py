"""The Markdown of a report: the same numbers as the page, and short where a review shows it."""

from __future__ import annotations

import copy
import re
from itertools import pairwise

import pytest

from analysis.report import pages
from analysis.report.markdown import markdown, summary
from analysis.report.words import LANGUAGES, Words
from tests.analysis.made_report import made, without


@pytest.fixture(scope="module")
def content():
    return made()


@pytest.fixture(scope="module", params=LANGUAGES)
def told(request, content):
    return request.param, markdown(content, request.param)


def test_it_says_what_the_page_says(told, content):
    language, text = told
    w = Words(language)
    assert pages.verdict(content, w)["sentence"] in text
    for answer in pages.answers(content, w):
        assert answer["question"] in text
    for section in pages.sections(content, w):
        assert f"## {section['heading']}" in text.splitlines()
    assert "tenbin trace runs/made --game" in text
    assert not re.search(r"\bNone\b|\bnan\b", text)
    assert "<b>" not in text
    if language == "en":
        assert "Slow \\<b\\>& steady\\</b\\>" in text


def test_every_number_of_a_table_of_the_page_is_there(told, content):
    language, text = told
    w = Words(language)
    for section in pages.sections(content, w):
        for table in section.get("tables", []):
            for row in table["rows"]:
                assert row.get("rate", row.get("mean")) in text
                assert row["interval"] in text
        for group in section.get("groups", []):
            for table in [*group["open"], *group["tables"]]:
                if "columns" not in table:
                    continue
                for cell in (cell for row in table["rows"] for cell in row):
                    if isinstance(cell, dict) and cell.get("below"):
                        bold = "**" if cell["clear"] else ""
                        assert f"{bold}{cell['text']}{bold} ({cell['below']})" in text


def test_tables_are_tables(told):
    lines = told[1].splitlines()
    for before, line in pairwise(lines):
        if line.startswith("|"):
            assert line.endswith("|")
            if before.startswith("|"):
                assert before.count("|") == line.count("|")
            else:
                assert before == ""


def test_long_families_are_folded(told):
    text = told[1]
    assert text.count("<details>") == text.count("</details>") > 5
    shown = re.sub(r"<details>.*?</details>", "", text, flags=re.S)
    assert len(shown) < 0.4 * len(text)
    assert all(len(row) < 40 for row in re.findall(r"(?:^\|.*\n)+", shown))
    for start in re.finditer("<details>", text):  # Markdown inside needs the blank line
        summary, blank, *_ = text[start.start() :].split("\n", 2)
        assert summary.endswith("</summary>")
        assert blank == ""


def test_a_run_without_studies(content):
    for language in LANGUAGES:
        assert "<details>" not in markdown(without(content), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_is_how_the_report_begins(content, language):
    w = Words(language)
    short, whole = summary(content, language), markdown(content, language)
    body, more = short.rsplit("\n\n", 1)
    assert whole.startswith(body)
    assert more == w("summary.more") + "\n"
    for needed in (pages.verdict(content, w)["sentence"], w("read"), w("seats"), w("policies")):
        assert needed in short
    assert short.count("\n## ") == 3
    assert len(short.encode()) < 20_000


def test_a_summary_leaves_out_what_is_too_long(content):
    found = copy.deepcopy(content)
    (policies,) = (s for s in found["rates"] if s["id"] == "policies")
    for table in policies["tables"]:
        table["rows"] *= 40
    short = summary(found)
    assert len(short.encode()) < 20_000
    assert short.endswith(
        "## Win rate by policy\n\nToo long for a summary: see `report.md`.\n\n"
        "Everything else: `report.md` and `index.html` beside this file.\n"
    )
    assert "| Seat 1" in short
