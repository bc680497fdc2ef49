"""What a ruleset must satisfy beyond the shape of its values; every fault with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from sim.core.expression import (
    Condition,
    ExpressionError,
    ParsedEffect,
    parse_conditions,
    parse_effect,
)
from sim.core.vocabulary import ANY, KEYWORDS, STOP
from sim.titles.majestic.deck_lists import folded
from sim.titles.majestic.decks import deck_faults, is_left_out
from sim.titles.majestic.primitives import PRIMITIVES, TEXTS
from sim.titles.majestic.schema import MAX_AMOUNT, MAX_BONUS, MOST_OTHERS, WHOM
from sim.titles.majestic.texts import TARGET_ONLY
from sim.titles.majestic.words import FIXED_GROUPS, MOST_KINDS, WORDS

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset
    from sim.errors import Problem

__all__ = ["problems"]

_Read = TypeVar("_Read")
_Path = tuple[str | int, ...]

_ID = re.compile(r"[a-z][a-z0-9_]*")
_RESERVED = {*WORDS, STOP, ANY, *KEYWORDS, *FIXED_GROUPS}


def problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield all faults of a ruleset that its model cannot see."""
    values = ruleset.values
    yield from _names(ruleset)
    for name, card in values["cards"].items():
        yield from _card(ruleset, name, card)
    for name, mana in values["mana"].items():
        yield from _text(ruleset, ("mana", name), mana, of_unit=False)
    for name, sorcerer in values["sorcerers"].items():
        path = ("sorcerers", name, "ability")
        yield from _text(ruleset, path, sorcerer["ability"], of_unit=False)
        yield from _some(ruleset, path, sorcerer["ability"])
    for name, deck in values["decks"].items():
        faults = [*deck_faults(values, deck)]
        for fault in faults if faults and not is_left_out(ruleset, name) else ():
            path = ("decks", name, *fault.path)
            yield ruleset.problem(path, fault.found, fault.allowed, hint=fault.hint)


def _names(ruleset: Ruleset) -> Iterator[Problem]:
    values = ruleset.values
    taken: dict[str, tuple[str, str]] = {}  # table and id by name
    for what in ("cards", "mana", "sorcerers", "decks"):
        for name, one in values[what].items():
            if not _ID.fullmatch(name) or name in _RESERVED:
                allowed = "words like ember_lancer, not taken yet"
                yield ruleset.problem((what, name), f"the id {name!r}", allowed)
            if what == "decks":
                continue
            for text in (name, one["label"]["en"], one["label"]["ja"]):
                other = taken.setdefault(folded(text), (what, name))
                if other != (what, name):
                    allowed = "a name of its own: deck lists are read by names"
                    found = f"{text!r}, which names {other[1]!r} in {other[0]}"
                    yield ruleset.problem((what, name, "label"), found, allowed)
    if len(values["cards"]) > MOST_KINDS:
        found = f"{len(values['cards'])} kinds"
        yield ruleset.problem(("cards",), found, f"at most {MOST_KINDS}")
    for what in ("mana", "sorcerers"):
        if len(values[what]) > MOST_OTHERS:
            yield ruleset.problem((what,), f"{len(values[what])}", f"at most {MOST_OTHERS}")


def _card(ruleset: Ruleset, name: str, card: Mapping[str, Any]) -> Iterator[Problem]:
    path = ("cards", name)
    unit = card["sort"] == "unit"
    yield from _text(ruleset, path, card, of_unit=unit)
    if unit:
        if not card["dp"]:
            yield ruleset.problem((*path, "dp"), "a unit with 0 DP", "1 or more")
        if (ability := card["ability"]) is not None:
            yield from _text(ruleset, (*path, "ability"), ability, of_unit=True)
            yield from _some(ruleset, (*path, "ability"), ability)
        return
    yield from _some(ruleset, path, card)
    for field in ("ap", "dp", "keywords", "ability"):
        if card[field]:
            yield ruleset.problem((*path, field), f"{field!r} of a spell", "units only")


def _some(ruleset: Ruleset, path: _Path, text: Mapping[str, Any]) -> Iterator[Problem]:
    if not text["effects"]:
        yield ruleset.problem((*path, "effects"), "no effects", "one or more")


def _text(
    ruleset: Ruleset, path: _Path, text: Mapping[str, Any], *, of_unit: bool
) -> Iterator[Problem]:
    has_target = text["target"] != ""
    for field in ("where", "needs"):
        if not text[field]:
            continue
        here = (*path, field)
        conditions, faults = _read(ruleset, here, _conditions(text[field]), "condition")
        yield from faults
        if field == "where" and not has_target:
            yield ruleset.problem(here, "'where' without a target", "a target, or no 'where'")
        if field == "needs":
            yield from _asks(ruleset, here, conditions or (), "in 'where', not in 'needs'")
    named = False
    for place, written in enumerate(text["effects"]):
        here = (*path, "effects", place)
        effect, faults = _read(ruleset, here, _effect(written), "effect")
        yield from faults
        if effect is None:
            named = True  # what it meant to name is not known
            continue
        whom = _whom(effect)
        named = named or whom == "target"
        if whom == "target" and not has_target:
            yield ruleset.problem(here, "an effect on a target", 'target = "enemy" and the like')
        if whom == "self" and not of_unit:
            yield ruleset.problem(here, "an effect on the unit itself", "texts of units only")
        yield from _amount(ruleset, here, effect)
        if not has_target:
            asked = [*effect.conditions, *([Condition(*effect.per, 0, 0)] if effect.per else [])]
            yield from _asks(ruleset, here, asked, "texts with a target only")
    if has_target and not named:
        yield ruleset.problem(
            (*path, "target"), "a target that no effect names", "none, or an effect on it"
        )


def _whom(effect: ParsedEffect) -> str:
    by_unit = PRIMITIVES[effect.code].arguments[0] == "|".join(WHOM)
    return WHOM[effect.args[0]] if by_unit else ""


def _amount(ruleset: Ruleset, path: _Path, effect: ParsedEffect) -> Iterator[Problem]:
    if "int" not in PRIMITIVES[effect.code].arguments:
        if effect.per is not None:
            yield ruleset.problem(path, "'per' without a number", "primitives with a number")
        return
    low, high = (-MAX_BONUS, MAX_BONUS) if effect.primitive in ("ap", "dp") else (0, MAX_AMOUNT)
    if not low <= effect.args[-1] <= high:
        yield ruleset.problem(path, f"the amount {effect.args[-1]}", f"{low} to {high}")


def _asks(
    ruleset: Ruleset, path: _Path, conditions: Iterable[Condition], allowed: str
) -> Iterator[Problem]:
    for condition in conditions:
        if condition.observable in TARGET_ONLY:
            asked = TEXTS.observables[condition.observable].id
            yield ruleset.problem(path, f"{asked!r}", allowed)


def _conditions(text: str) -> Callable[[], list[Condition]]:
    return lambda: parse_conditions(text, TEXTS)


def _effect(text: str) -> Callable[[], ParsedEffect]:
    return lambda: parse_effect(text, PRIMITIVES, TEXTS)


def _read(
    ruleset: Ruleset, path: _Path, read: Callable[[], _Read], what: str
) -> tuple[_Read | None, list[Problem]]:
    """Read a text; return what it says, or the fault with its column."""
    try:
        return read(), []
    except ExpressionError as error:
        found = f"{error.found} at column {error.column} of the {what}"
        fault = ruleset.problem(
            path, found, error.allowed, hint=error.hint, offset=error.column - 1
        )
        return None, [fault]
