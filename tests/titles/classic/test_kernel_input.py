"""The kernel refuses what could lead it astray, and rules refuse what means nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sim.core._rng import make_key
from sim.core.policy import load_policies
from sim.core.records import allocate
from sim.core.title import MASK_WORDS
from sim.errors import DataError, InputError
from sim.titles.classic import DATA, TITLE, load

TABLES = TITLE.compile(load())
POLICIES = load_policies(["naive"], TABLES.words, DATA / "policies")


def played(tables):
    out = allocate(TITLE.info, 2, 2)
    bans, lineups = np.zeros((2, MASK_WORDS), np.uint64), np.zeros((1, 2), np.int16)
    return TITLE.play(tables, POLICIES, bans, make_key(1), 0, lineups, 1, out)


def changed(table: str, field: str | None, value: int):
    array = getattr(TABLES, table).copy()
    if field is None:
        array.flat[0] = value
    else:
        array[field][0] = value
    return replace(TABLES, **{table: array})


WRONG = [
    ("rules", "kinds", 12),
    ("rules", "start_copper", 21),
    ("rules", "hand", -1),
    ("rules", "supply_kinds", 13),
    ("rules", "end_piles", 0),
    ("rules", "round_cap", 0),
    ("kinds", "cost", 100),
    ("kinds", "coins", -1),
    ("kinds", "points", 100),
    ("kinds", "sort", 4),
    ("kinds", "effect_count", 999),
    ("effects", "op", 10),
    ("effects", "amount", 100),
    ("effects", "per_observable", 99),
    ("effects", "cond_count", 9),
    ("piles", None, -1),
    ("pool", None, 77),
]


@pytest.mark.parametrize(("table", "field", "value"), WRONG)
def test_arrays_that_do_not_fit_are_refused(table, field, value):
    with pytest.raises(InputError, match=f"tables.{table}"):
        played(changed(table, field, value))


@pytest.mark.parametrize("table", ["rules", "kinds", "effects", "conds", "groups", "piles"])
def test_other_layouts_are_refused(table):
    with pytest.raises(InputError, match=f"tables.{table}"):
        played(replace(TABLES, **{table: np.zeros((3, 3, 3), np.float64)}))


def test_right_ones_are_played():
    assert played(TABLES) == (0, 2)


FAULTS = [
    ('cards.forge.effects=["drow 3"]', "did you mean 'draw'"),
    ('cards.forge.effects=["draw 100"]', "0 to 99"),
    ('cards.forge.effects=["draw 1 per owned.coper"]', "did you mean 'copper'"),
    ('supply.fixed=["forgge"]', "did you mean 'forge'"),
    ('supply.fixed=["forge", "forge"]', "each kind once"),
    ("cards.copper.points=1", "none for a card of sort 'treasure'"),
    ("cards.forge.coins=1", "none for a card of sort 'action'"),
    ('cards.copper.sort="action"', "'treasure' for this card"),
    ('cards.forge.sort="victory"', "'action' for cards besides"),
    ("turn.hands=5", "did you mean"),
]


@pytest.mark.parametrize(("override", "message"), FAULTS)
def test_rules_that_mean_nothing_are_refused(override, message):
    with pytest.raises(DataError, match=message):
        load(overrides=[override])


def test_more_fixed_kinds_than_there_is_room_for_are_refused():
    with pytest.raises(DataError, match=r"at most supply\.kinds, 1"):
        load(overrides=["supply.kinds=1", 'supply.fixed=["forge", "crone"]'])
