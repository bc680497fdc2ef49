"""The kernel refuses what could lead it astray."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.core.title import MASK_WORDS
from sim.errors import InputError
from sim.titles.magnolia import DATA, TITLE, load
from sim.titles.magnolia.schema import STEPS
from sim.titles.magnolia.texts import TEXT_OBSERVABLES
from sim.titles.magnolia.words import POWER

TABLES = TITLE.compile(load(overrides=["objectives.used=true"]))
POLICIES = load_policies(["greedy"], TABLES.words, DATA / "policies")


def played(tables):
    out = allocate(TITLE.info, 2, 2)
    bans, lineups = np.zeros((2, MASK_WORDS), np.uint64), np.zeros((1, 2), np.int16)
    return TITLE.play(tables, POLICIES, bans, make_key(1), 0, lineups, 1, out)


def changed(table: str, field: str | None, value: int):
    array = getattr(TABLES, table).copy()
    if field is None:
        array.flat[0] = value
    else:
        array[field][(0,) * array.ndim] = value
    return replace(TABLES, **{table: array})


WRONG = [
    ("rules", "kinds", 12),
    ("rules", "start_gold", 100),
    ("rules", "hand", 11),
    ("rules", "hand", 0),
    ("rules", "exchange_from", 0),
    ("rules", "gold_for_2", -1),
    ("rules", "shared", 2),
    ("rules", "end_cards", 10),
    ("rules", "gold_per_vp", 0),
    ("rules", "round_cap", 0),
    ("rules", "objectives_open", 13),
    ("rules", "objectives_check", 3),
    ("kinds", "cost", 100),
    ("kinds", "power", -1),
    ("kinds", "more", 9),
    ("kinds", "race", 6),
    ("kinds", "job", 6),
    ("steps", "count", 999),
    ("effects", "op", 7),
    ("effects", "amount", 100),
    ("effects", "per_observable", 99),
    ("effects", "cond_count", 999),
    ("bonuses", None, -1),
    ("war_vp", None, 100),
    ("objectives", "vp", -1),
    ("objectives", "cond_first", 9999),
    ("conds", None, 99),
]


@pytest.mark.parametrize(("table", "field", "value"), WRONG)
def test_arrays_that_do_not_fit_are_refused(table, field, value):
    with pytest.raises(InputError, match=f"tables.{table}"):
        played(changed(table, field, value))


@pytest.mark.parametrize(
    "table", ["rules", "kinds", "steps", "effects", "conds", "bonuses", "war_vp", "objectives"]
)
def test_other_layouts_are_refused(table):
    with pytest.raises(InputError, match=f"tables.{table}"):
        played(replace(TABLES, **{table: np.zeros((3, 3, 3), np.float64)}))


def test_more_cards_than_a_pile_holds_are_refused():
    kinds = TABLES.kinds.copy()
    kinds["more"] = 8
    with pytest.raises(InputError, match=r"found 918 cards; allowed: 248"):
        played(replace(TABLES, kinds=kinds))


@pytest.mark.parametrize("step", [step for step in STEPS if step != "front"])
def test_power_is_added_in_front_only(step):
    """Elsewhere the kernel would count it beside the losses of the others."""
    place = STEPS.index(step)
    first = next(int(row[place]["first"]) for row in TABLES.steps if row[place]["count"])
    effects = TABLES.effects.copy()
    effects["op"][first] = POWER
    with pytest.raises(InputError, match=r"tables\.steps, effects of power .* found 1; allowed: 0"):
        played(replace(TABLES, effects=effects))


def test_an_objective_must_not_ask_about_a_card():
    """It is about no cell: the kernel would read beside the field."""
    conds = TABLES.conds.copy()
    about_a_card = next(
        number for number, seen in enumerate(TEXT_OBSERVABLES) if seen.id == "neighbours"
    )
    conds[int(TABLES.objectives["cond_first"][0])] = (about_a_card, 0, 4, 1)
    with pytest.raises(InputError, match=r"tables\.objectives, observable"):
        played(replace(TABLES, conds=conds))


def test_right_ones_are_played():
    assert played(TABLES) == (0, 2)
