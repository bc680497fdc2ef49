"""The small language of policy rules and card effects.

::

    condition   OBSERVABLE[.ARGUMENT] OP INTEGER           OP: < <= == != >= >
    conditions  condition {and condition}
    option-conditions  conditions on observables that are asked about each option itself
    rule        SELECTOR [with option-conditions] [if conditions]
    effect      PRIMITIVE {ARGUMENT} [per OBSERVABLE[.ARGUMENT]] [if conditions]

Names are checked against a title's :class:`~sim.core.vocabulary.Vocabulary` while a text is read,
so that what comes out holds only numbers that the engines know. A fault tells its column, what is
allowed there and the nearest right name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sim.core.vocabulary import INT32, KEYWORDS, Vocabulary
from sim.errors import InputError, nearest

__all__ = [
    "HOLDS",
    "ITSELF",
    "MAX_TEXT",
    "OPERATORS",
    "Condition",
    "ExpressionError",
    "ParsedEffect",
    "ParsedRule",
    "Primitive",
    "format_conditions",
    "format_effect",
    "format_rule",
    "parse_conditions",
    "parse_effect",
    "parse_rule",
]

#: A comparison's number is its place here.
OPERATORS = ("<", "<=", "==", "!=", ">=", ">")

#: Tests whether a comparison holds, by its number.
HOLDS: tuple[Callable[[int, int], bool], ...] = (
    int.__lt__,
    int.__le__,
    int.__eq__,
    int.__ne__,
    int.__ge__,
    int.__gt__,
)

#: Argument of a condition that is asked about the option itself (``with field == 1``).
ITSELF = -1

#: Longest text that is read, in characters; a rule is a line, not a document.
MAX_TEXT = 2000

_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<integer>[+-]?[0-9]+(?![A-Za-z_0-9]))"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator><=|>=|==|!=|<|>)"
    r"|(?P<dot>\.)"
)


class ExpressionError(InputError):
    """A text of the small language that cannot be read.

    Parameters
    ----------
    text : str
        The whole text.
    column : int
        1-based column of the fault within the text.
    found, allowed : str
        What stands there and what may stand there.
    hint : str, optional
        The nearest right name.
    """

    def __init__(
        self, text: str, column: int, found: str, allowed: str, hint: str | None = None
    ) -> None:
        self.text, self.column = text, column
        self.found, self.allowed, self.hint = found, allowed, hint
        near = f"; did you mean {hint!r}?" if hint else ""
        super().__init__(
            f"column {column}: found {found}; allowed: {allowed}{near}\n{self.excerpt()}"
        )

    def excerpt(self) -> str:
        """Return the text near the fault with a caret below the column."""
        start = max(0, self.column - 1 - 60)
        line = "".join(c if c.isprintable() else " " for c in self.text[start : start + 100])
        return f"  {line}\n  {' ' * (self.column - 1 - start)}^"


class Condition(NamedTuple):
    """A comparison: all four are numbers that the engines read.

    ``argument`` is 0 for an observable that takes none, and :data:`ITSELF` after ``with``.
    """

    observable: int
    argument: int
    operator: int
    value: int


class ParsedRule(NamedTuple):
    """A policy rule: which options it may take, and the conditions that must all hold.

    ``filters`` are tested for each option of the selector; only options for which all hold can be
    taken.
    """

    selector: str
    filters: tuple[Condition, ...]
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Primitive:
    """An elementary effect of a title.

    Attributes
    ----------
    id : str
        Its name in effect texts.
    arguments : tuple of str
        Kind of each argument: ``"int"``, the name of an entry of ``Vocabulary.arguments``
        (``"kind"``, ``"group"``), or the words that are allowed, joined by bars
        (``"hand|deck|discard"``; the number of a word is its place).
    about : str
        One line for documentation and error messages.
    """

    id: str
    arguments: tuple[str, ...]
    about: str


class ParsedEffect(NamedTuple):
    """An effect text as numbers.

    Attributes
    ----------
    primitive : str
        Id of the primitive.
    code : int
        Its place among the title's primitives.
    args : tuple of int
        One number for each declared argument.
    per : (int, int) or None
        Observable and argument whose value multiplies the effect.
    conditions : tuple of Condition
        All must hold.
    """

    primitive: str
    code: int
    args: tuple[int, ...]
    per: tuple[int, int] | None
    conditions: tuple[Condition, ...]


class _Token(NamedTuple):
    kind: str
    text: str
    column: int


class _Reader:
    """Walks over the tokens of one text; every method either reads or raises."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_TEXT:
            raise ExpressionError(
                text, MAX_TEXT + 1, f"{len(text)} characters", f"at most {MAX_TEXT} characters"
            )
        self.text = text
        self.tokens: list[_Token] = []
        at = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise ExpressionError(
                    text, at + 1, repr(text[at]), "names, whole numbers, comparisons and dots"
                )
            if match.lastgroup != "space":
                self.tokens.append(_Token(str(match.lastgroup), match.group(), at + 1))
            at = match.end()
        self.tokens.append(_Token("end", "", len(text) + 1))
        self.at = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def fail(
        self, allowed: str, names: Iterable[str] = (), *, token: _Token | None = None
    ) -> ExpressionError:
        token = token or self.next
        found = repr(token.text) if token.kind != "end" else "the end of the text"
        hint = nearest(token.text, names) if token.kind == "name" else None
        return ExpressionError(self.text, token.column, found, allowed, hint)

    def word(self, keyword: str) -> bool:
        """Read a keyword if it comes next."""
        if self.next.kind == "name" and self.next.text == keyword:
            self.at += 1
            return True
        return False

    def name(self, what: str, names: Iterable[str]) -> str:
        """Read one of some names."""
        names = tuple(names)
        token = self.next
        if token.kind != "name" or token.text not in names:
            raise self.fail(f"{what} ({_listed(names)})", names)
        self.at += 1
        return token.text

    def integer(self) -> int:
        token = self.next
        if token.kind != "integer":
            raise self.fail("a whole number")
        low, high = INT32
        # The digits are counted before they are converted: Python refuses very long ones.
        digits = token.text.lstrip("+-").lstrip("0")
        if len(digits) > 10 or not low <= int(token.text) <= high:
            raise self.fail(f"a whole number from {low} to {high}")
        self.at += 1
        return int(token.text)

    def filter(self, words: Vocabulary) -> Condition:
        """Read a condition on an observable that takes the option itself as its argument."""
        allowed = [
            seen.id
            for seen in words.observables
            if seen.argument is not None and seen.argument == words.option_argument
        ]
        number = words.observable_numbers[self.name("an observable of an option", allowed)]
        if self.next.kind == "dot":
            raise self.fail("a comparison: after 'with' the option itself is asked about")
        return Condition(number, ITSELF, *self.comparison())

    def filters(self, words: Vocabulary) -> tuple[Condition, ...]:
        found = [self.filter(words)]
        while self.word("and"):
            found.append(self.filter(words))
        return tuple(found)

    def comparison(self) -> tuple[int, int]:
        """Read ``OP INTEGER``."""
        token = self.next
        if token.kind != "operator":
            raise self.fail(f"a comparison ({' '.join(OPERATORS)})")
        self.at += 1
        return OPERATORS.index(token.text), self.integer()

    def observed(self, words: Vocabulary) -> tuple[int, int]:
        """Read ``OBSERVABLE[.ARGUMENT]``."""
        number = words.observable_numbers[
            self.name("an observable", (seen.id for seen in words.observables))
        ]
        seen = words.observables[number]
        if seen.argument is None:
            if self.next.kind == "dot":
                raise self.fail(f"nothing here: {seen.id!r} takes no argument")
            return number, 0
        if self.next.kind != "dot":
            raise self.fail(f"a dot and a {seen.argument}, as {seen.id!r} needs one")
        self.at += 1
        arguments = words.arguments[seen.argument]
        return number, arguments[self.name(f"a {seen.argument}", arguments)]

    def condition(self, words: Vocabulary) -> Condition:
        return Condition(*self.observed(words), *self.comparison())

    def conditions(self, words: Vocabulary) -> tuple[Condition, ...]:
        found = [self.condition(words)]
        while self.word("and"):
            found.append(self.condition(words))
        return tuple(found)

    def end(self, allowed: str) -> None:
        if self.next.kind != "end":
            keywords = [word for word in sorted(KEYWORDS) if repr(word) in allowed]
            raise self.fail(allowed, keywords)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:40]) + (", …" if len(names) > 40 else "") if names else "there is none"


def parse_conditions(text: str, vocabulary: Vocabulary) -> list[Condition]:
    """Read conditions joined by ``and``.

    Parameters
    ----------
    text : str
    vocabulary : Vocabulary

    Returns
    -------
    list of Condition
        At least one.

    Raises
    ------
    ExpressionError
        With the column of the first fault.

    Examples
    --------
    >>> from sim.core.vocabulary import Observable
    >>> words = Vocabulary((), {}, (Observable("round", None, ""), Observable("owned", "kind", "")),
    ...                    {"kind": {"stone": 4}}, {}, ())
    >>> parse_conditions("owned.stone < 3 and round >= 5", words)
    [Condition(observable=1, argument=4, operator=0, value=3), \
Condition(observable=0, argument=0, operator=4, value=5)]
    >>> parse_conditions("rounds >= 5", words)
    Traceback (most recent call last):
    sim.core.expression.ExpressionError: column 1: found 'rounds'; \
allowed: an observable (round, owned); did you mean 'round'?
      rounds >= 5
      ^
    """
    reader = _Reader(text)
    conditions = reader.conditions(vocabulary)
    reader.end("'and' or the end")
    return list(conditions)


def parse_rule(text: str, vocabulary: Vocabulary) -> ParsedRule:
    """Read a policy rule: ``SELECTOR [with option-conditions] [if conditions]``.

    Parameters
    ----------
    text : str
    vocabulary : Vocabulary

    Raises
    ------
    ExpressionError
        With the column of the first fault.

    Examples
    --------
    >>> from sim.core.vocabulary import Observable
    >>> words = Vocabulary(("stone", "stop"), {}, (Observable("round", None, ""),), {}, {}, ())
    >>> parse_rule("any", words)
    ParsedRule(selector='any', filters=(), conditions=())
    >>> parse_rule("stone if round > 2", words).conditions
    (Condition(observable=0, argument=0, operator=5, value=2),)
    """
    reader = _Reader(text)
    selector = reader.name("an option or a group", vocabulary.selectors)
    filters: tuple[Condition, ...] = ()
    conditions: tuple[Condition, ...] = ()
    allowed = "'with', 'if' or the end"
    if reader.word("with"):
        filters = reader.filters(vocabulary)
        allowed = "'and', 'if' or the end"
    if reader.word("if"):
        conditions = reader.conditions(vocabulary)
        allowed = "'and' or the end"
    reader.end(allowed)
    return ParsedRule(selector, filters, conditions)


def parse_effect(
    text: str, primitives: Sequence[Primitive], vocabulary: Vocabulary
) -> ParsedEffect:
    """Read an effect text of a card.

    Parameters
    ----------
    text : str
    primitives : sequence of Primitive
        What the title can do; their order gives the codes.
    vocabulary : Vocabulary

    Raises
    ------
    ExpressionError
        With the column of the first fault.

    Examples
    --------
    >>> from sim.core.vocabulary import Observable
    >>> words = Vocabulary((), {}, (Observable("hand", None, ""),), {"kind": {"curse": 7}}, {}, ())
    >>> known = [Primitive("draw", ("int",), "draw cards"),
    ...          Primitive("give", ("kind", "each|next"), "give a card away")]
    >>> parse_effect("give curse each if hand >= 3", known, words)
    ParsedEffect(primitive='give', code=1, args=(7, 0), per=None, \
conditions=(Condition(observable=0, argument=0, operator=4, value=3),))
    >>> parse_effect("draw 1 per hand", known, words).per
    (0, 0)
    """
    reader = _Reader(text)
    codes = {primitive.id: code for code, primitive in enumerate(primitives)}
    code = codes[reader.name("an effect", codes)]
    primitive = primitives[code]
    args = tuple(_argument(reader, kind, vocabulary) for kind in primitive.arguments)
    per: tuple[int, int] | None = None
    conditions: tuple[Condition, ...] = ()
    allowed = "'per', 'if' or the end"
    if reader.word("per"):
        per = reader.observed(vocabulary)
        allowed = "'if' or the end"
    if reader.word("if"):
        conditions = reader.conditions(vocabulary)
        allowed = "'and' or the end"
    reader.end(allowed)
    return ParsedEffect(primitive.id, code, args, per, conditions)


def _argument(reader: _Reader, kind: str, words: Vocabulary) -> int:
    if kind == "int":
        return reader.integer()
    if "|" in kind:
        allowed = kind.split("|")
        return allowed.index(reader.name("a word", allowed))
    return words.arguments[kind][reader.name(f"a {kind}", words.arguments[kind])]


def _format_observed(observable: int, argument: int, words: Vocabulary) -> str:
    seen = words.observables[observable]
    if seen.argument is None or argument == ITSELF:
        return seen.id
    return f"{seen.id}.{_word(words.arguments[seen.argument], argument)}"


def _word(names: Mapping[str, int], number: int) -> str:
    return next(name for name, value in names.items() if value == number)


def format_conditions(conditions: Iterable[Condition], vocabulary: Vocabulary) -> str:
    """Return the canonical text of conditions, the inverse of :func:`parse_conditions`."""
    return " and ".join(
        f"{_format_observed(one.observable, one.argument, vocabulary)}"
        f" {OPERATORS[one.operator]} {one.value}"
        for one in conditions
    )


def format_rule(rule: ParsedRule, vocabulary: Vocabulary) -> str:
    """Return the canonical text of a rule, the inverse of :func:`parse_rule`."""
    text = rule.selector
    if rule.filters:
        text += f" with {format_conditions(rule.filters, vocabulary)}"
    if rule.conditions:
        text += f" if {format_conditions(rule.conditions, vocabulary)}"
    return text


def format_effect(
    effect: ParsedEffect, primitives: Sequence[Primitive], vocabulary: Vocabulary
) -> str:
    """Return the canonical text of an effect, the inverse of :func:`parse_effect`."""
    parts = [effect.primitive]
    for kind, value in zip(primitives[effect.code].arguments, effect.args, strict=True):
        if kind == "int":
            parts.append(str(value))
        elif "|" in kind:
            parts.append(kind.split("|")[value])
        else:
            parts.append(_word(vocabulary.arguments[kind], value))
    if effect.per is not None:
        parts += ["per", _format_observed(*effect.per, vocabulary)]
    if effect.conditions:
        parts += ["if", format_conditions(effect.conditions, vocabulary)]
    return " ".join(parts)
