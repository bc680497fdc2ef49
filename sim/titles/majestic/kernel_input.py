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
from sim.titles.majestic.info import INFO
from sim.titles.majestic.primitives import PRIMITIVES, TEXTS
from sim.titles.majestic.schema import (
    ATTRIBUTES,
    KEYWORDS,
    MAIN_CARDS,
    MANA_CARDS,
    MAX_AMOUNT,
    MAX_EFFECTS,
    MOST_DECKS,
    MOST_OTHERS,
    MOST_SMALL,
    NUMBERS,
    SORTS,
    TARGETS,
)
from sim.titles.majestic.tables import (
    EFFECT,
    KIND,
    MANA,
    ROLES,
    RULES,
    SORCERER,
    SUMS,
    TEXT,
    Tables,
)
from sim.titles.majestic.words import MOST_KINDS

__all__ = ["arguments", "check_tables"]


def arguments(tables: Tables) -> tuple[int | None, ...]:
    """Return how many arguments each observable of policies has (see ``check_conditions``)."""
    many = {
        "option": len(tables.words.arguments["option"]),
        "attribute": len(ATTRIBUTES),
        "group": len(tables.groups),
    }
    return count_arguments(tables.words, many)


def check_tables(tables: Tables) -> None:
    """Refuse arrays that do not fit together.

    Raises
    ------
    InputError
    """
    if not isinstance(tables, Tables):
        raise InputError(f"tables: found {type(tables).__name__}; allowed: Tables")
    kinds, manas = len(tables.kinds), len(tables.mana_kinds)
    decks = len(tables.deck_main)
    made_of = sum(column.role == "composition" for column in INFO.columns)
    check_array("tables.rules", tables.rules, RULES, (1,))
    check_array("tables.kinds", tables.kinds, KIND, (None,))
    check_array("tables.mana_kinds", tables.mana_kinds, MANA, (None,))
    check_array("tables.sorcerers", tables.sorcerers, SORCERER, (None,))
    check_array("tables.texts", tables.texts, TEXT, (None,))
    check_array("tables.sums", tables.sums, np.int16, (len(tables.texts), len(ROLES), len(SUMS)))
    most = MAX_EFFECTS * MAX_AMOUNT
    check_range("tables.sums", tables.sums, -most, most)
    check_array("tables.effects", tables.effects, EFFECT, (None,))
    check_array("tables.conds", tables.conds, np.int32, (None, 4))
    check_array("tables.deck_main", tables.deck_main, np.int16, (None, kinds))
    check_array("tables.deck_mana", tables.deck_mana, np.int16, (decks, manas))
    check_array("tables.deck_sorcerers", tables.deck_sorcerers, np.int16, (decks,))
    check_array("tables.compositions", tables.compositions, np.int16, (decks, made_of))
    check_array("tables.groups", tables.groups, np.uint64, (None, MASK_WORDS))
    if not 1 <= kinds <= MOST_KINDS:
        raise InputError(f"tables.kinds: found {kinds}; allowed: 1 to {MOST_KINDS}")
    check_range("tables.rules, kinds", tables.rules["kinds"], kinds, kinds)
    for name, (low, high) in NUMBERS.items():
        check_range(f"tables.rules, {name}", tables.rules[name], low, high)
    _check_cards(tables)
    _check_texts(tables)
    _check_decks(tables)


def _check_cards(tables: Tables) -> None:
    kinds, texts = tables.kinds, len(tables.texts)
    for name, least, most in (
        ("attribute", 0, len(ATTRIBUTES) - 1),
        ("sort", 0, len(SORTS) - 1),
        ("keywords", 0, (1 << len(KEYWORDS)) - 1),
        ("cost", 0, MOST_SMALL),
        ("ap", 0, MOST_SMALL),
        ("dp", 0, MOST_SMALL),
        ("text", 0, texts - 1),
        ("ability", -1, texts - 1),
    ):
        check_range(f"tables.kinds, {name}", kinds[name], least, most)
    for table, least in (("mana_kinds", -1), ("sorcerers", 0)):
        records = getattr(tables, table)
        if not 1 <= len(records) <= MOST_OTHERS:
            raise InputError(f"tables.{table}: found {len(records)}; allowed: 1 to {MOST_OTHERS}")
        check_range(f"tables.{table}, attribute", records["attribute"], 0, len(ATTRIBUTES) - 1)
        check_range(f"tables.{table}, text", records["text"], least, texts - 1)


def _check_texts(tables: Tables) -> None:
    texts, effects, known = tables.texts, tables.effects, count_arguments(TEXTS, _MANY)
    check_range("tables.texts, target", texts["target"], 0, len(TARGETS) - 1)
    check_range("tables.texts, attribute", texts["attribute"], 0, len(ATTRIBUTES) - 1)
    check_range("tables.texts, cost", texts["cost"], 0, MOST_SMALL)
    check_range("tables.texts, down", texts["down"], 0, 1)
    for name, size in (("where", len(tables.conds)), ("needs", len(tables.conds))):
        check_spans(f"tables.texts, {name}", texts[f"{name}_first"], texts[f"{name}_count"], size)
    check_spans("tables.texts, effects", texts["effect_first"], texts["effect_count"], len(effects))
    check_range("tables.effects, op", effects["op"], 0, len(PRIMITIVES) - 1)
    check_range("tables.effects, amount", effects["amount"], -MAX_AMOUNT, MAX_AMOUNT)
    for place, name in enumerate(("first", "second")):
        most = np.array([_words(one.arguments, place) for one in PRIMITIVES], np.int64)
        limit = most[effects["op"]]
        check_range(f"tables.effects, {name}", effects[name], 0, int(max(most, default=0)))
        if (effects[name] > limit).any():
            row = int(np.flatnonzero(effects[name] > limit)[0])
            raise InputError(
                f"tables.effects, {name}: found {int(effects[name][row])} in row {row}; "
                f"allowed: 0 to {int(limit[row])}"
            )
    first, count = effects["cond_first"], effects["cond_count"]
    check_spans("tables.effects, conditions", first, count, len(tables.conds))
    check_conditions("tables.conds", tables.conds, known)
    multipliers, asked = effects["per_observable"], effects["per_argument"]
    check_multipliers("tables.effects, per", multipliers, asked, known)


_MANY = {"attribute": len(ATTRIBUTES)}


def _words(arguments_: tuple[str, ...], place: int) -> int:
    """Return the number of the last word that a primitive may have at a place."""
    words = [one for one in arguments_ if one != "int"]
    return words[place].count("|") if place < len(words) else 0


def _check_decks(tables: Tables) -> None:
    decks = len(tables.deck_main)
    if not 1 <= decks <= MOST_DECKS:
        raise InputError(f"tables.deck_main: found {decks} decks; allowed: 1 to {MOST_DECKS}")
    for name, (least, most) in (("deck_main", MAIN_CARDS), ("deck_mana", MANA_CARDS)):
        copies = getattr(tables, name)
        check_range(f"tables.{name}", copies, 0, most)
        check_range(f"tables.{name}, cards", copies.sum(axis=1), least, most)
    check_range("tables.deck_sorcerers", tables.deck_sorcerers, 0, len(tables.sorcerers) - 1)
    check_range("tables.compositions", tables.compositions, 0, 9999)
