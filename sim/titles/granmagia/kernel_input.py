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
from sim.titles.granmagia.info import INFO
from sim.titles.granmagia.limits import (
    MAX_AMOUNT,
    MAX_SEALS,
    MOST_NEEDED,
    MOST_TRUTH,
    PILE_CAPACITY,
    SEAL_COST,
)
from sim.titles.granmagia.schema import BASIC, SORTS, TIMINGS, VICTORIES
from sim.titles.granmagia.tables import (
    EFFECT,
    KIND,
    NO_PILE,
    POWERS,
    RULES,
    SEAL,
    WITCH,
    Flag,
    Tables,
)
from sim.titles.granmagia.words import PLACES, PRIMITIVES, SEALS

__all__ = ["arguments", "check_tables"]

_CODES = 64 * MASK_WORDS

#: Numbers of ``RULES`` and what they may be; the rest follows from other arrays.
_RANGES = {
    "start_hand": (0, _CODES),
    "turn_casts": (0, 99),
    "turn_acquisitions": (0, 99),
    "turn_hand": (0, _CODES),
    "supply_attempts": (1, 2**30),
    "rares_per_player": (0, _CODES),
    "field_kinds": (0, _CODES),
    "end_kinds": (0, _CODES),
    "arcana_burn": (0, PILE_CAPACITY),
    "curses_per_rival": (0, 999),
    "discount": (0, 99),
    "round_cap": (1, 9999),
    "seals": (0, MAX_SEALS),
    "doll_gold": (0, 99),
    "barrier_casts": (0, 99),
}


def arguments(tables: Tables) -> tuple[int | None, ...]:
    """Return how many arguments each observable has (see ``check_conditions``)."""
    many = {
        "kind": len(tables.kinds),
        "group": len(tables.groups),
        "witch": len(tables.witches),
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
    _shapes(tables)
    _rules(tables)
    _kinds(tables)
    _effects(tables)
    _witches(tables)
    _seals(tables)


def _shapes(tables: Tables) -> None:
    check_array("tables.rules", tables.rules, RULES, (1,))
    check_array("tables.kinds", tables.kinds, KIND, (None,))
    check_array("tables.effects", tables.effects, EFFECT, (None,))
    check_array("tables.conds", tables.conds, np.int32, (None, 4))
    check_array("tables.witches", tables.witches, WITCH, (None,))
    check_array("tables.seals", tables.seals, SEAL, (None,))
    check_array("tables.gifts", tables.gifts, np.int16, (None,))
    check_array("tables.groups", tables.groups, np.uint64, (None, MASK_WORDS))
    check_array("tables.pool", tables.pool, np.int16, (None,))
    check_array("tables.rares", tables.rares, np.int16, (None,))
    counts = len(INFO.players)
    check_array("tables.coins", tables.coins, np.int32, (counts, max(INFO.players), 2))
    check_array("tables.copies", tables.copies, np.int32, (counts,))
    check_array("tables.reversal", tables.reversal, np.int32, (None,))


def _rules(tables: Tables) -> None:
    rules = tables.rules[0]
    for name, (low, high) in _RANGES.items():
        check_range(f"tables.rules, {name}", tables.rules[name], low, high)
    kinds, witches = len(tables.kinds), len(tables.witches)
    for name, number in (
        ("kinds", kinds),
        ("witches", witches),
        ("options", kinds + witches + 1),
        ("seals", len(tables.seals)),
    ):
        if rules[name] != number:
            raise InputError(f"tables.rules, {name}: found {rules[name]}; allowed: {number}")
    if not len(BASIC) <= kinds or kinds + witches + 1 > _CODES:
        raise InputError(
            f"tables.kinds: found {kinds} and {witches} witches; allowed: {len(BASIC)} kinds or "
            f"more, and {_CODES} options in all"
        )
    pool, rares, most = tables.pool, tables.rares, max(INFO.players)
    check_range("tables.pool", pool, 0, kinds - 1)
    check_range("tables.rares", rares, 0, kinds - 1)
    for name, array in (("pool", pool), ("rares", rares)):
        if len(array) > _CODES:
            raise InputError(f"tables.{name}: found {len(array)} kinds; allowed: {_CODES} or fewer")
    check_range("tables.rules, supply_kinds", tables.rules["supply_kinds"], 1, len(pool))
    check_range(
        "tables.rules, rares_per_player", tables.rules["rares_per_player"] * most, 0, len(rares)
    )
    check_range("tables.copies", tables.copies, 1, PILE_CAPACITY)
    check_range("tables.coins", tables.coins, 0, 999)
    check_range("tables.reversal", tables.reversal, 0, 999)
    deck = rules["supply_kinds"] * int(tables.copies.max()) + most * rules["rares_per_player"]
    if deck > PILE_CAPACITY:
        raise InputError(f"tables.copies: found a magic deck of {deck}; allowed: {PILE_CAPACITY}")


def _kinds(tables: Tables) -> None:
    kinds = tables.kinds
    check_range("tables.kinds, cost", kinds["cost"], 0, 99)
    check_range("tables.kinds, mana", kinds["mana"], 0, 99)
    check_range("tables.kinds, truth", kinds["truth"], -MOST_TRUTH, MOST_TRUTH)
    check_range("tables.kinds, upgrade", kinds["upgrade"], -1, len(kinds) - 1)
    check_range("tables.kinds, pile", kinds["pile"], NO_PILE, 999)
    check_range("tables.kinds, start", kinds["start"], 0, PILE_CAPACITY)
    check_range("tables.kinds, sort", kinds["sort"], 0, len(SORTS) - 1)
    start = int(kinds["start"].sum(dtype=np.int64))
    if start > PILE_CAPACITY:
        raise InputError(f"tables.kinds, start: found {start} cards; allowed: {PILE_CAPACITY}")
    for name, span in (("effects", "effect"), ("turn_start", "turn"), ("reward", "reward")):
        first, count = kinds[f"{span}_first"], kinds[f"{span}_count"]
        check_spans(f"tables.kinds, {name}", first, count, len(tables.effects))
    first, count = kinds["need_first"], kinds["need_count"]
    check_spans("tables.kinds, needs", first, count, len(tables.conds))
    check_range("tables.kinds, gives", kinds["gives"], -1, len(kinds) - 1)
    check_range("tables.kinds, gives_every", kinds["gives_every"], 1, 99)


def _effects(tables: Tables) -> None:
    effects, seen = tables.effects, arguments(tables)
    check_range("tables.effects, op", effects["op"], 0, len(PRIMITIVES) - 1)
    check_range("tables.effects, amount", effects["amount"], -MAX_AMOUNT, MAX_AMOUNT)
    seals = effects[effects["op"] == [primitive.id for primitive in PRIMITIVES].index(SEALS)]
    check_range("tables.effects, seal", seals["amount"], 0, len(tables.seals) - 1)
    check_range("tables.effects, group", effects["group"], 0, max(len(tables.groups) - 1, 0))
    check_range("tables.effects, place", effects["place"], 0, len(PLACES) - 1)
    check_spans(
        "tables.effects, conds", effects["cond_first"], effects["cond_count"], len(tables.conds)
    )
    check_conditions("tables.conds", tables.conds, seen)
    multipliers, asked = effects["per_observable"], effects["per_argument"]
    check_multipliers("tables.effects, per", multipliers, asked, seen)


def _witches(tables: Tables) -> None:
    witches, gifts = tables.witches, tables.gifts
    check_range("tables.witches, cost", witches["cost"], 0, 99)
    check_spans("tables.witches, gifts", witches["gift_first"], witches["gift_count"], len(gifts))
    check_spans(
        "tables.witches, note_gifts", witches["note_first"], witches["note_count"], len(gifts)
    )
    check_range("tables.gifts", gifts, 0, len(tables.kinds) - 1)
    first, count = witches["ability_first"], witches["ability_count"]
    check_spans("tables.witches, ability", first, count, len(tables.effects))
    for power in POWERS:
        check_range(f"tables.witches, {power}", witches[power], 0, 99)
    check_range("tables.witches, victory", witches["victory"], 0, len(VICTORIES) - 1)
    check_range("tables.witches, timing", witches["timing"], 0, len(TIMINGS) - 1)
    for name in ("truth", "need2", "need3", "need4"):
        check_range(f"tables.witches, {name}", witches[name], 0, MOST_NEEDED)
    check_range("tables.witches, card", witches["card"], -1, len(tables.kinds) - 1)
    counting = witches[witches["victory"] == VICTORIES.index("uses")]
    check_range("tables.witches, card", counting["card"], 0, len(tables.kinds) - 1)


def _seals(tables: Tables) -> None:
    seals = tables.seals
    check_range("tables.seals, cost", seals["cost"], -SEAL_COST, SEAL_COST)
    check_range("tables.seals, group", seals["group"], 0, len(tables.groups) - 1)
    first, count = seals["effect_first"], seals["effect_count"]
    check_spans("tables.seals, effects", first, count, len(tables.effects))
    piles = (tables.kinds["flags"] & Flag.ON_OFFER) != 0
    codes = np.arange(len(tables.kinds))
    for number, group in enumerate(seals["group"]):
        words = tables.groups[group]
        held = (words[codes // 64] >> (codes % 64).astype(np.uint64)) & np.uint64(1)
        if not (held[piles] != 0).any():
            raise InputError(
                f"tables.seals, group: found one without a pile in row {number}; allowed: one with"
            )
