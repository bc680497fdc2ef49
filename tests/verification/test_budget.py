"""The error budget itself: what is declared fits into it, and its helpers can fail."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests import budget
from tests.verification import items

FOLDER = Path(__file__).parent


@pytest.fixture
def apart(monkeypatch):
    """Keep what is asserted here out of the list that is printed."""
    monkeypatch.setattr(budget, "MADE", made := [])
    return made


def test_what_is_declared_fits_into_the_budget():
    assert items.total() <= budget.ASSERTIONS


def test_every_file_that_asserts_by_statistics_is_declared():
    asserting = re.compile(r"^from tests(?:\.budget)? import .*\b(?:assert_\w+|budget)\b", re.M)
    found = {
        path.name
        for path in FOLDER.glob("test_*.py")
        if path.name != Path(__file__).name and asserting.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(items.DECLARED)


@pytest.mark.verify
def test_every_module_that_makes_intervals_has_its_proof():
    """A module that asks for a quantile makes intervals; whoever adds one names its proof."""
    asks = re.compile(r"\b(?:z_value|student|sequence_value)\(")
    root = FOLDER.parents[1] / "analysis"
    found = {
        ".".join(path.relative_to(root).with_suffix("").parts)
        for path in root.rglob("*.py")
        if asks.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(items.INTERVALS)
    assert set(items.INTERVALS.values()) <= set(items.DECLARED)


def test_what_is_asserted_is_told_and_counted(apart):
    name = next(iter(items.DECLARED))
    declared = items.DECLARED[name][1]
    one = budget.Made(f"tests/verification/{name}::test_it", "5 of 9", "0.5", "± 0.1", True)
    other = budget.Made("tests/core/test_rng.py::test_it", "5 of 9", "0.5", "± 0.1", True)
    assert items.too_many([one] * declared) == []
    assert items.too_many([*[one] * declared, other]) == []
    assert items.too_many([one] * (declared + 1))
    lines = items.table([one, other, replace(one, held=False)])
    assert [line.split()[-1] for line in lines[:3]] == ["verdict", "holds", "FAILS"]
    assert lines[-1].startswith("1 of 2 hold")


def test_helpers_fail_where_they_have_to_and_keep_what_they_found(apart):
    for call in (
        lambda: budget.assert_rate(5_500, 10_000, 0.5, within=0.05),
        lambda: budget.assert_coverage({"one": (9_000, 10_000)}, 0.94, within=0.05),
        lambda: budget.assert_coverage({"one": (9_900, 10_000)}, 0.94, 0.96, within=0.05),
        lambda: budget.assert_mean(1.7, 0.1, 1.0, within=1.0),
        lambda: budget.assert_mean(1.0, 0.0, 1.1, within=1.0),
        lambda: budget.assert_counts([1_000, 1_000, 1_400]),
        lambda: budget.assert_none_rare({"one": 0.5, "two": budget.ALPHA / 3}),
    ):
        with pytest.raises(AssertionError):
            call()
    assert [made.held for made in apart] == [False] * 7
    budget.assert_rate(5_100, 10_000, 0.5, within=0.05)
    budget.assert_coverage({"one": (9_390, 10_000), "two": (950, 1_000)}, 0.94, within=0.06)
    budget.assert_mean(1.5, 0.1, 1.0, within=1.0)
    budget.assert_counts([1_000, 1_000, 1_010])
    budget.assert_none_rare({"one": 0.5, "two": budget.ALPHA})
    assert [made.held for made in apart[7:]] == [True] * 5
    assert all("test_helpers_fail" in made.where for made in apart)


@pytest.mark.parametrize(
    "call",
    [
        lambda: budget.assert_rate(5, 10, 0.5, within=0.05),
        lambda: budget.assert_coverage({"one": (9, 10)}, 0.94, within=0.05),
        lambda: budget.assert_mean(1.0, 0.1, 1.0, within=0.1),
        lambda: budget.assert_counts([50, 50]),
        lambda: budget.assert_none_rare({}),
    ],
)
def test_windows_that_would_let_anything_pass_are_refused(call, apart):
    with pytest.raises(AssertionError):
        call()
    assert apart == []
