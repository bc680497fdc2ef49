"""What a ruleset must satisfy beyond the shape of its values; every fault with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sim.core.expression import ExpressionError, parse_effect
from sim.core.title import MASK_WORDS
from sim.core.vocabulary import ANY, KEYWORDS, STOP
from sim.errors import nearest
from sim.titles.classic.schema import BASIC, MAX_AMOUNT
from sim.titles.classic.words import FIXED_GROUPS, PRIMITIVES, vocabulary

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset
    from sim.errors import Problem

__all__ = ["problems"]

_ID = re.compile(r"[a-z][a-z0-9_]*")
_RESERVED = {STOP, ANY, *KEYWORDS, *FIXED_GROUPS}


def problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield all faults of a ruleset that its model cannot see."""
    found = list(_names(ruleset))
    yield from found
    if found:
        return  # without right names there is no vocabulary to check the rest with
    yield from _cards(ruleset)
    yield from _supply(ruleset)


def _names(ruleset: Ruleset) -> Iterator[Problem]:
    cards = ruleset.values["cards"]
    for name, sort in BASIC.items():
        if name not in cards:
            yield ruleset.problem(("cards",), f"no card {name!r}", "a set with all basic cards")
        elif cards[name]["sort"] != sort:
            found = repr(cards[name]["sort"])
            yield ruleset.problem(("cards", name, "sort"), found, f"{sort!r} for this card")
    for name, card in cards.items():
        if not _ID.fullmatch(name) or name in _RESERVED:
            allowed = "words like night_market, not taken yet"
            yield ruleset.problem(("cards", name), f"the id {name!r}", allowed)
        if name not in BASIC and card["sort"] != "action":
            allowed = f"'action' for cards besides {', '.join(BASIC)}"
            yield ruleset.problem(("cards", name, "sort"), repr(card["sort"]), allowed)
    codes, most = len(cards) + 1, 64 * MASK_WORDS
    if codes > most:
        yield ruleset.problem(("cards",), f"{codes} cards and stop together", f"at most {most}")


def _cards(ruleset: Ruleset) -> Iterator[Problem]:
    words = vocabulary(ruleset)
    homes = {
        "coins": ("treasure",),
        "points": ("victory", "curse"),
        "effects": ("action",),
        "reaction": ("action",),
    }
    for name, card in ruleset.values["cards"].items():
        for key, sorts in homes.items():
            if card[key] and card["sort"] not in sorts:
                allowed = f"none for a card of sort {card['sort']!r}"
                yield ruleset.problem(("cards", name, key), key, allowed)
        for place, text in enumerate(card["effects"]):
            path = ("cards", name, "effects", place)
            try:
                effect = parse_effect(text, PRIMITIVES, words)
            except ExpressionError as error:
                yield ruleset.problem(
                    path,
                    f"{error.found} at column {error.column} of the effect",
                    error.allowed,
                    hint=error.hint,
                    offset=error.column - 1,
                )
                continue
            if not 0 <= effect.args[0] <= MAX_AMOUNT:
                found = f"the amount {effect.args[0]}"
                yield ruleset.problem(path, found, f"0 to {MAX_AMOUNT}")


def _supply(ruleset: Ruleset) -> Iterator[Problem]:
    values = ruleset.values
    actions = [name for name in values["cards"] if name not in BASIC]
    fixed = values["supply"]["fixed"]
    for place, name in enumerate(fixed):
        path = ("supply", "fixed", place)
        if name not in actions:
            hint = nearest(name, actions)
            yield ruleset.problem(path, repr(name), ", ".join(sorted(actions)), hint=hint)
        elif name in fixed[:place]:
            yield ruleset.problem(path, f"{name!r} twice", "each kind once")
    kinds = values["supply"]["kinds"]
    if len(fixed) > kinds:
        found = f"{len(fixed)} kinds"
        yield ruleset.problem(("supply", "fixed"), found, f"at most supply.kinds, {kinds}")
