"""What the kernel asks of a ruleset's arrays before it reads them without bounds checks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sim.core.kernel_input import (
    check_array,
    check_conditions,
    check_multipliers,
    check_range,
    check_spans,
    count_arguments,
)
from sim.core.vocabulary import Vocabulary
from sim.errors import InputError
from sim.titles.magnolia.checks import MOST_CARDS, MOST_KINDS
from sim.titles.magnolia.schema import (
    CELLS,
    CHECKS,
    JOBS,
    LIKENESSES,
    MAX_AMOUNT,
    MOST_COUNTED,
    MOST_MORE,
    MOST_OBJECTIVES,
    MOST_PLAYERS,
    RACES,
    RESOURCES,
    SHARED,
    STEPS,
)
from sim.titles.magnolia.tables import EFFECT, KIND, OBJECTIVE, RULES, STEP, Tables
from sim.titles.magnolia.texts import CARD_ONLY
from sim.titles.magnolia.words import (
    BONUS_WORDS,
    CELL_WORDS,
    FEATURES,
    POWER,
    PRIMITIVES,
    TEXTS,
)

__all__ = ["arguments", "check_tables"]

#: Numbers of ``RULES`` and what they may be; the rest follows from other arrays.
_RANGES = {
    "start_gold": (0, 99),
    "hand": (1, 10),
    "exchange_from": (1, 99),
    "gold_for_0": (0, 99),
    "gold_for_1": (0, 99),
    "gold_for_2": (0, 99),
    "shared": (0, len(SHARED) - 1),
    "least_power": (0, 99),
    "gained_from": (0, 99),
    "income": (0, 99),
    "end_vp": (1, MOST_COUNTED),
    "end_cards": (1, CELLS),
    "gold_per_vp": (1, 99),
    "round_cap": (1, 99),
    "objectives_check": (0, len(CHECKS) - 1),
}


def arguments(tables: Tables) -> tuple[int | None, ...]:
    """Return how many arguments each observable of policies has (see ``check_conditions``)."""
    return _count(tables.words, len(tables.words.arguments["option"]))


def _count(words: Vocabulary, options: int = 0) -> tuple[int | None, ...]:
    return count_arguments(words, {"likeness": len(LIKENESSES), "option": options})


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
    check_array("tables.steps", tables.steps, STEP, (kinds, len(STEPS)))
    check_array("tables.effects", tables.effects, EFFECT, (None,))
    check_array("tables.conds", tables.conds, np.int32, (None, 4))
    check_array("tables.bonuses", tables.bonuses, np.int16, (len(LIKENESSES), len(RESOURCES)))
    check_array("tables.war_vp", tables.war_vp, np.int16, (MOST_PLAYERS, MOST_PLAYERS))
    check_array("tables.objectives", tables.objectives, OBJECTIVE, (None,))
    if not 1 <= kinds <= MOST_KINDS:
        raise InputError(f"tables.kinds: found {kinds}; allowed: 1 to {MOST_KINDS}")
    check_range("tables.rules, kinds", tables.rules["kinds"], kinds, kinds)
    stop = kinds + len(CELL_WORDS) + len(BONUS_WORDS) + len(FEATURES)
    if tables.words.stop != stop:
        raise InputError(f"tables.words, stop: found {tables.words.stop}; allowed: {stop}")
    for name, (low, high) in _RANGES.items():
        check_range(f"tables.rules, {name}", tables.rules[name], low, high)
    for name, high in (
        ("cost", 99),
        ("power", 99),
        ("more", MOST_MORE),
        ("race", len(RACES) - 1),
        ("job", len(JOBS) - 1),
    ):
        check_range(f"tables.kinds, {name}", tables.kinds[name], 0, high)
    cards = kinds + int(tables.kinds["more"].sum())
    if cards > MOST_CARDS:
        raise InputError(f"tables.kinds: found {cards} cards; allowed: {MOST_CARDS}")
    check_range("tables.bonuses", tables.bonuses, 0, 99)
    check_range("tables.war_vp", tables.war_vp, 0, 99)
    check_spans("tables.steps", tables.steps["first"], tables.steps["count"], len(tables.effects))
    _check_texts(tables)
    _check_objectives(tables)


def _check_texts(tables: Tables) -> None:
    effects, known = tables.effects, _count(TEXTS)
    check_range("tables.effects, op", effects["op"], 0, len(PRIMITIVES) - 1)
    check_range("tables.effects, amount", effects["amount"], 0, MAX_AMOUNT)
    # What adds power is worth something in front only: in any other step the kernel would take it
    # from the others, beside what it counts of their losses.
    adding = np.concatenate(([0], np.cumsum(effects["op"] == POWER)))
    others = np.delete(tables.steps, STEPS.index("front"), axis=1)
    number = adding[others["first"] + others["count"]] - adding[others["first"]]
    check_range("tables.steps, effects of power behind the front", number, 0, 0)
    first, count = effects["cond_first"], effects["cond_count"]
    check_spans("tables.effects, conditions", first, count, len(tables.conds))
    check_conditions("tables.conds", tables.conds, known)
    multipliers, asked = effects["per_observable"], effects["per_argument"]
    check_multipliers("tables.effects, per", multipliers, asked, known)


def _check_objectives(tables: Tables) -> None:
    goals = tables.objectives
    if len(goals) > MOST_OBJECTIVES:
        raise InputError(f"tables.objectives: found {len(goals)}; allowed: {MOST_OBJECTIVES}")
    opened = tables.rules["objectives_open"]
    check_range("tables.rules, objectives_open", opened, 0, len(goals))
    check_range("tables.objectives, vp", goals["vp"], 0, 99)
    first, count = goals["cond_first"], goals["cond_count"]
    check_spans("tables.objectives, conditions", first, count, len(tables.conds))
    for start, number in zip(first.tolist(), count.tolist(), strict=True):
        # Objectives are about no cell, so what is asked about one would be read beside the field.
        needs: npt.NDArray[np.int32] = tables.conds[start : start + number]
        check_range("tables.objectives, observable", needs[:, 0], 0, CARD_ONLY.start - 1)
