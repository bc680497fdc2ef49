"""What the kernel asks of a ruleset's arrays before it reads them without bounds checks."""

from __future__ import annotations

import numpy as np

from sim.core.kernel_input import (
    check_array,
    check_conditions,
    check_multipliers,
    check_range,
    check_spans,
    count_arguments,
)
from sim.core.title import MASK_WORDS
from sim.errors import InputError
from sim.titles.classic.schema import (
    BASIC,
    MAX_AMOUNT,
    MOST_IN_PILE,
    MOST_PLAYERS,
    MOST_POINTS,
    PILE_CAPACITY,
    SORTS,
)
from sim.titles.classic.tables import EFFECT, KIND, RULES, Tables
from sim.titles.classic.words import PRIMITIVES

__all__ = ["arguments", "check_tables"]

_CODES = 64 * MASK_WORDS

#: Numbers of ``RULES`` and what they may be; the rest follows from other arrays.
_RANGES = {
    "start_copper": (0, 20),
    "start_estate": (0, 20),
    "actions": (0, 99),
    "buys": (0, 99),
    "hand": (0, PILE_CAPACITY),
    "end_piles": (1, _CODES),
    "round_cap": (1, 9999),
}


def arguments(tables: Tables) -> tuple[int | None, ...]:
    """Return how many arguments each observable has (see ``check_conditions``)."""
    many = {"kind": len(tables.kinds), "group": len(tables.groups)}
    return count_arguments(tables.words, many)


def check_tables(tables: Tables) -> None:
    """Refuse arrays that do not fit together.

    Raises
    ------
    InputError
    """
    if not isinstance(tables, Tables):
        raise InputError(f"tables: found {type(tables).__name__}; allowed: Tables")
    kinds = len(tables.kinds)
    check_array("tables.rules", tables.rules, RULES, (1,))
    check_array("tables.kinds", tables.kinds, KIND, (None,))
    check_array("tables.effects", tables.effects, EFFECT, (None,))
    check_array("tables.conds", tables.conds, np.int32, (None, 4))
    check_array("tables.groups", tables.groups, np.uint64, (None, MASK_WORDS))
    check_array("tables.piles", tables.piles, np.int16, (MOST_PLAYERS, kinds))
    check_array("tables.fixed", tables.fixed, np.int16, (None,))
    check_array("tables.pool", tables.pool, np.int16, (None,))
    if not len(BASIC) <= kinds < _CODES:
        raise InputError(f"tables.kinds: found {kinds}; allowed: {len(BASIC)} to {_CODES - 1}")
    check_range("tables.rules, kinds", tables.rules["kinds"], kinds, kinds)
    for name, (low, high) in _RANGES.items():
        check_range(f"tables.rules, {name}", tables.rules[name], low, high)
    fixed, pool = len(tables.fixed), len(tables.pool)
    if fixed + pool > kinds:
        raise InputError(f"tables.pool: found {pool} and {fixed} fixed; allowed: {kinds} in all")
    check_range("tables.fixed", tables.fixed, len(BASIC), kinds - 1)
    check_range("tables.pool", tables.pool, len(BASIC), kinds - 1)
    check_range("tables.rules, supply_kinds", tables.rules["supply_kinds"], fixed, fixed + pool)
    check_range("tables.piles", tables.piles, 0, MOST_IN_PILE)
    for name, low, high in (
        ("cost", 0, 99),
        ("coins", 0, 99),
        ("points", -MOST_POINTS, MOST_POINTS),
        ("sort", 0, len(SORTS) - 1),
    ):
        check_range(f"tables.kinds, {name}", tables.kinds[name], low, high)
    first, count = tables.kinds["effect_first"], tables.kinds["effect_count"]
    check_spans("tables.kinds, effects", first, count, len(tables.effects))
    _check_effects(tables)


def _check_effects(tables: Tables) -> None:
    effects = tables.effects
    check_range("tables.effects, op", effects["op"], 0, len(PRIMITIVES) - 1)
    check_range("tables.effects, amount", effects["amount"], 0, MAX_AMOUNT)
    first, count = effects["cond_first"], effects["cond_count"]
    check_spans("tables.effects, conditions", first, count, len(tables.conds))
    known = arguments(tables)
    check_conditions("tables.conds", tables.conds, known)
    multipliers, asked = effects["per_observable"], effects["per_argument"]
    check_multipliers("tables.effects, per", multipliers, asked, known)
