"""What a ruleset must satisfy beyond the shape of its values; every fault with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from sim.core.expression import (
    Condition,
    ExpressionError,
    ParsedEffect,
    parse_conditions,
    parse_effect,
)
from sim.core.title import MASK_WORDS
from sim.core.vocabulary import ANY, KEYWORDS, STOP
from sim.errors import nearest
from sim.titles.magnolia.schema import LIKENESSES, MAX_AMOUNT, MOST_PLAYERS, STEPS
from sim.titles.magnolia.texts import CARD_ONLY
from sim.titles.magnolia.words import (
    BONUS_WORDS,
    CELL_WORDS,
    FEATURES,
    FIXED_GROUPS,
    POWER,
    PRIMITIVES,
    TEXTS,
)

if TYPE_CHECKING:
    from sim.core.ruleset import Ruleset
    from sim.errors import Problem

__all__ = ["MOST_CARDS", "MOST_KINDS", "problems"]

_Read = TypeVar("_Read")

_ID = re.compile(r"[a-z][a-z0-9_]*")
_TAKEN = (*CELL_WORDS, *BONUS_WORDS, *FEATURES, STOP)
_RESERVED = {*_TAKEN, ANY, *KEYWORDS, *FIXED_GROUPS}

#: The words of objectives, and as a fault shows them those of cards that they lack.
_ABOUT_SEAT = replace(TEXTS, observables=TEXTS.observables[: CARD_ONLY.start])
_ABOUT_CARD = {repr(TEXTS.observables[number].id) for number in CARD_ONLY}

#: Option codes that are left for kinds, and cards that the deck may hold (``_piles.pxd``).
MOST_KINDS = 64 * MASK_WORDS - len(_TAKEN)
MOST_CARDS = 248


def problems(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield all faults of a ruleset that its model cannot see."""
    yield from _names(ruleset)
    yield from _deck(ruleset)
    yield from _bonuses(ruleset)
    for name, card in ruleset.values["cards"].items():
        for step in STEPS:
            for place, text in enumerate(card[step]):
                yield from _effect(ruleset, ("cards", name, step, place), text, step)
    yield from _objectives(ruleset)


def _names(ruleset: Ruleset) -> Iterator[Problem]:
    cards = ruleset.values["cards"]
    for name in cards:
        if not _ID.fullmatch(name) or name in _RESERVED:
            allowed = "words like human_lord, not taken yet"
            yield ruleset.problem(("cards", name), f"the id {name!r}", allowed)
    if len(cards) > MOST_KINDS:
        yield ruleset.problem(("cards",), f"{len(cards)} kinds", f"at most {MOST_KINDS}")


def _deck(ruleset: Ruleset) -> Iterator[Problem]:
    """Every seat must be able to draw its first hand."""
    values = ruleset.values
    cards = sum(1 + card["more"] for card in values["cards"].values())
    least = values["draw"]["hand"] * MOST_PLAYERS
    if not least <= cards <= MOST_CARDS:
        allowed = f"{least} (hands of {MOST_PLAYERS} seats) to {MOST_CARDS}"
        yield ruleset.problem(("cards",), f"{cards} cards in all", allowed)


def _bonuses(ruleset: Ruleset) -> Iterator[Problem]:
    given = ruleset.values["bonuses"]
    for name in given:
        if name not in LIKENESSES:
            hint = nearest(name, LIKENESSES)
            yield ruleset.problem(
                ("bonuses", name), f"unknown name {name!r}", ", ".join(LIKENESSES), hint=hint
            )
    for name in LIKENESSES:
        if name not in given:
            yield ruleset.problem(("bonuses",), f"no bonus of {name}", "one for each race and job")


def _effect(
    ruleset: Ruleset, path: tuple[str | int, ...], text: str, step: str
) -> Iterator[Problem]:
    def read() -> ParsedEffect:
        return parse_effect(text, PRIMITIVES, TEXTS)

    effect, faults = _read(ruleset, path, read, "effect")
    yield from faults
    if effect is None:
        return
    if (effect.code == POWER) != (step == "front"):
        allowed = "power in front, and nowhere else; all other effects elsewhere"
        yield ruleset.problem(path, f"{effect.primitive!r} in {step!r}", allowed)
    if not 0 <= effect.args[0] <= MAX_AMOUNT:
        yield ruleset.problem(path, f"the amount {effect.args[0]}", f"0 to {MAX_AMOUNT}")


def _objectives(ruleset: Ruleset) -> Iterator[Problem]:
    goals: Mapping[str, Any] = ruleset.values["objectives"]["cards"]
    for name, goal in goals.items():
        if not _ID.fullmatch(name):
            allowed = "words like holy_land"
            yield ruleset.problem(("objectives", "cards", name), f"the id {name!r}", allowed)

        def read(text: str = goal["needs"]) -> list[Condition]:
            return _needs(text)

        path = ("objectives", "cards", name, "needs")
        yield from _read(ruleset, path, read, "condition")[1]
    opened = ruleset.values["objectives"]["open"]
    if opened > len(goals):
        yield ruleset.problem(("objectives", "open"), f"{opened}", f"at most {len(goals)} cards")


def _needs(text: str) -> list[Condition]:
    """Read what an objective asks about a seat; to ask about one card is a fault of its own."""
    try:
        return parse_conditions(text, _ABOUT_SEAT)
    except ExpressionError as error:
        if error.found not in _ABOUT_CARD:
            raise
        allowed = "what is asked about a seat, not about one card"
        raise ExpressionError(text, error.column, error.found, allowed) from None


def _read(
    ruleset: Ruleset, path: tuple[str | int, ...], read: Callable[[], _Read], what: str
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
