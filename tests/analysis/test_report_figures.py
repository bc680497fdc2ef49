"""Figures beside a page: one a table, drawn from the same numbers, in both languages."""

from __future__ import annotations

import logging

import pytest

from analysis.report.figures import NAMES, _turned, figures
from analysis.report.words import LANGUAGES, Words
from tests.analysis.made_report import PLAYERS, bare, made, without


@pytest.fixture(scope="module")
def content():
    return made()


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_a_figure_for_each_table_that_a_talk_is_made_of(content, language, caplog):
    with caplog.at_level(logging.WARNING):
        drawn = figures(content, language)  # a missing glyph is a warning, and an error here
    assert not caplog.records
    kinds = ("seats", "policies", "policy_seat", "knob-compensation", "series-truth")
    assert set(drawn) == {f"{kind}-{n}.svg" for kind in kinds for n in PLAYERS}
    assert all(NAMES.fullmatch(name) for name in drawn)
    assert all(text.startswith("<?xml") for text in drawn.values())


def test_a_run_without_studies_has_those_of_its_rates(content):
    drawn = figures(without(content))
    assert set(drawn) == {f"{kind}-{n}.svg" for kind in ("seats", "policies") for n in PLAYERS}


def test_what_has_no_interval_is_drawn_without_one(content):
    few = without(bare(content)) | {"rates": [], "series": bare(content)["series"]}
    assert set(figures(few)) == {f"series-truth-{n}.svg" for n in PLAYERS}


def test_turned_values_have_axes_of_their_own_by_kind_and_seat(content):
    table = content["knobs"][0]["tables"][1]
    axes = _turned(table, Words("en")).axes
    assert [ax.get_title(loc="left") for ax in axes] == ["Seat 1", "Seat 2", "Seat 3"] * 2
    assert [ax.get_xlabel() for ax in axes] == ["Silver"] * 3 + ["Gold"] * 3
    for ax, row in zip(axes, table["rows"], strict=True):
        marked = [line for line in ax.lines if line.get_linestyle() == ":"]
        assert [line.get_xdata()[0] for line in marked] == [row["now"]]
        (points,) = [line for line in ax.lines if line.get_linestyle() == "None"]
        assert list(points.get_ydata()) == [100 * point["rate"] for point in row["points"]]


def test_other_files_are_not_ours():
    for name in ("seats.svg", "mine-2.svg", "seats-2.png", "knob--2.svg", "seats-2.svg.old"):
        assert not NAMES.fullmatch(name)
