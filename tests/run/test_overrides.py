"""Overrides: every form they may have, and what is said about those that were hardly meant."""

from __future__ import annotations

import pytest

import sim
from sim.errors import InputError
from tests.run.toy_title import TOY


@pytest.mark.parametrize("form", ["target={}", ["target={}"], {"target": "{}"}])
def test_all_forms_are_one(form):
    value = sim.load(TOY).values["target"] + 1
    if isinstance(form, dict):
        given = {"target": value}
    else:
        given = form.format(value) if isinstance(form, str) else [form[0].format(value)]
    rules = sim.load(TOY, overrides=given)
    assert rules.values["target"] == value
    assert rules.hash == sim.load(TOY, overrides=[f"target={value}"]).hash


def test_tables_of_tables_and_other_values():
    nested = {"witches": {"celestina": {"cost": 9, "enabled": False}}}
    rules = sim.load("granmagia", overrides=nested)
    celestina = rules.values["witches"]["celestina"]
    assert (celestina["cost"], celestina["enabled"]) == (9, False)


@pytest.mark.parametrize("given", [3, [3], {"target": object()}])
def test_anything_else_is_named(given):
    with pytest.raises(InputError, match="overrides"):
        sim.load(TOY, overrides=given)


@pytest.mark.parametrize("given", [{"target": 3}, 3, [3]])
def test_rules_are_paths(given):
    with pytest.raises(InputError, match="rules must be the path"):
        sim.load(TOY, rules=given)


def test_what_changes_nothing_or_leaves_its_range_is_told():
    def told(*overrides: str) -> tuple[str, ...]:
        return sim.simulate("granmagia", games=4, players=2, overrides=overrides).notices

    key = "witches.celestina.cost"
    source = sim.load("granmagia").source(key)
    low, high = source.range
    assert told(f"{key}={source.value}") == (f"{key} is {source.value} already: nothing changed",)
    assert told(f"{key}={high + 1}") == (
        f"{key} = {high + 1} lies outside its stated range, {low} to {high}",
    )
    assert told(f"{key}={source.value + 1}") == ()
