"""What the kernel was compiled with is what the tables, the records and the vocabulary say."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sim import errors
from sim.core.policy import CODES, SLIP_UNIT
from sim.core.records import NO_VALUE, record_dtype
from sim.core.title import WIN
from sim.titles.granmagia import TITLE, load
from sim.titles.granmagia._kernel import layout
from sim.titles.granmagia.info import DECISIONS, END_REASONS, INFO, STREAMS
from sim.titles.granmagia.limits import (
    MAX_AMOUNT,
    MAX_SEALS,
    MOST_COUNTED,
    MOST_IN_COLUMN,
    MOST_TOKENS,
    PILE_CAPACITY,
)
from sim.titles.granmagia.observe import ENDLESS_SEEN, OBSERVABLES
from sim.titles.granmagia.schema import BASIC, SORTS, TIMINGS, VICTORIES
from sim.titles.granmagia.tables import (
    EFFECT,
    ENDLESS,
    KIND,
    NO_PILE,
    RULES,
    SEAL,
    WITCH,
    Flag,
)
from sim.titles.granmagia.words import PLACES, PRIMITIVES

LAYOUT = layout()

STATUSES = {
    "no_supply": errors.NO_SUPPLY,
    "pile_overflow": errors.PILE_OVERFLOW,
    "counter_overflow": errors.COUNTER_OVERFLOW,
}

TWINS = {
    "rules": RULES,
    "kind": KIND,
    "effect": EFFECT,
    "witch": WITCH,
    "seal": SEAL,
    "game": record_dtype(INFO, "game"),
    "seat": record_dtype(INFO, "seat"),
}


@pytest.mark.parametrize("name", TWINS)
def test_structs_are_twins(name):
    compiled, declared = LAYOUT["structs"][name], np.dtype(TWINS[name])
    assert compiled.itemsize == declared.itemsize
    assert compiled.names == declared.names
    for field in declared.names:
        assert compiled.fields[field][:2] == declared.fields[field][:2], field


def test_all_structs_are_compared():
    assert set(LAYOUT["structs"]) == set(TWINS)


def places(names):
    return {name: place for place, name in enumerate(names)}


@pytest.mark.parametrize(
    ("what", "declared"),
    [
        ("primitives", places(primitive.id for primitive in PRIMITIVES)),
        ("observables", places(seen.id for seen in OBSERVABLES)),
        ("decisions", places(point.id for point in DECISIONS)),
        ("end_reasons", places(reason.id for reason in END_REASONS)),
        ("places", places(PLACES)),
        ("victories", places(VICTORIES)),
        ("timings", places(TIMINGS)),
        ("card_fields", places(INFO.card_fields)),
        ("statuses", STATUSES),
        ("streams", {**STREAMS.single, **STREAMS.per_seat}),
    ],
)
def test_numbers_are_twins(what, declared):
    assert LAYOUT[what] == declared


def test_numbers_that_the_kernel_needs_some_of_are_right():
    flags = {name: value for name, value in vars(Flag).items() if name.isupper()}
    assert LAYOUT["flags"].items() <= flags.items()
    assert LAYOUT["sorts"].items() <= places(SORTS).items()
    assert LAYOUT["kinds"].items() <= places(BASIC).items()


def test_limits_are_twins():
    assert LAYOUT["limits"] == {
        "pile_capacity": PILE_CAPACITY,
        "codes": CODES,
        "most_seats": max(INFO.players),
        "most_counted": MOST_COUNTED,
        "most_tokens": MOST_TOKENS,
        "most_in_column": MOST_IN_COLUMN,
        "most_seals": MAX_SEALS,
        "most_cost": 99,
        "endless": ENDLESS,
        "no_pile": NO_PILE,
        "endless_seen": ENDLESS_SEEN,
        "no_value": NO_VALUE,
        "win": WIN,
        "slip_unit": SLIP_UNIT,
        "card_fields": len(INFO.card_fields),
    }


def test_no_amount_can_leave_64_bits():
    """The largest amount times the most that can be counted."""
    assert MAX_AMOUNT * 3 * LAYOUT["limits"]["most_counted"] < 2**63


def test_streams_of_seats_do_not_meet():
    first = sorted([*STREAMS.single.values(), *STREAMS.per_seat.values()])
    for low, high in pairwise(first):
        wide = low in STREAMS.per_seat.values()
        assert low + (max(INFO.players) if wide else 1) <= high


def test_the_basic_kinds_have_the_first_codes():
    assert TITLE.compile(load()).kind_names[: len(BASIC)] == tuple(BASIC)
