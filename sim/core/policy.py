"""Policy files: how a seat plays, as data that both engines read.

A policy is a TOML file with one table for each decision point that it has an opinion on::

    label = { en = "Big stones", ja = "大魔石" }
    about = "Buys the dearest stone it can pay, then arcana."
    slip = 0                      # ten-thousandths of decisions that are random, 0 when left out
    [acquire]
    rules = ["arcana if payable >= 8 and round >= 5", "magic with cost >= 4", "magic", "stop"]
    weights = { magic = 10, market = 30, curse = -1 }
    per = { cost = 10 }

The rules are tried from top to bottom (:func:`choose` states exactly how). A weight of a group
counts for all its options; where groups overlap, the smaller one wins (of equal ones, that which
the title declares later), and a weight of a single name wins over all groups. ``per`` adds a
multiple of a declared attribute of the option. Everything is a whole number, so that both engines
agree to the bit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.core.expression import (
    OPERATORS,
    Condition,
    ExpressionError,
    ParsedRule,
    format_rule,
    parse_rule,
)
from sim.core.hashing import digest
from sim.core.title import MASK_WORDS, Label
from sim.core.toml_source import KeyPath, TomlSource, found_text, read_toml
from sim.core.vocabulary import INT32, Observable, Vocabulary
from sim.errors import DataError, InputError, Problem, UnknownNameError, nearest

__all__ = [
    "CODES",
    "SLIP_UNIT",
    "Observable",
    "PolicyTable",
    "Vocabulary",
    "available",
    "choose",
    "load_policies",
    "parse_entry",
]

#: ``slip`` is counted in this many parts of one.
SLIP_UNIT = 10_000

#: Width of the weight table: how many option codes there can be.
CODES = 64 * MASK_WORDS

_SLIP = re.compile(r"(?:[0-9]+(?:\.[0-9]{0,4})?|\.[0-9]{1,4})", re.ASCII)
_TEXT_KEYS = ("label", "about", "slip")
_TABLE_KEYS = ("rules", "weights", "per")


class _PlainRule(NamedTuple):
    codes: frozenset[int]
    single: bool
    filters: tuple[Condition, ...]
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, eq=False)
class PolicyTable:
    """Policies as integer arrays, all C-contiguous, read by both engines.

    Attributes
    ----------
    names : tuple of str
        As in the line-up, ``big_stones@0.05`` included.
    hashes : tuple of str
        SHA-256 of what each policy does, its slip included and its label left out.
    labels : tuple of Label
        Display names.
    slip : int32 array, shape (policies,)
        Ten-thousandths of decisions that are random.
    spans : int32 array, shape (policies, decisions, 2)
        First rule and number of rules.
    rules : int32 array, shape (rules, 3)
        Selector, first condition, number of conditions.
    filters : int32 array, shape (rules, 2)
        First condition and number of those that are asked about each option.
    conds : int32 array, shape (conditions, 4)
        Observable, argument (``expression.ITSELF`` in a filter), operator (its place in
        ``expression.OPERATORS``), value.
    selectors : uint64 array, shape (selectors, MASK_WORDS)
        Bit ``code % 64`` of word ``code // 64`` is set for each option of the selector.
    single : uint8 array, shape (selectors,)
        1 when the selector names one option.
    weights : int32 array, shape (policies, decisions, CODES)
        Weight of each option code, everything added up; 0 beyond the last code.
    stop : int
        Code of the option ``stop``, or -1 when the title has none.
    described : int
        Options with codes below this one can pass a filter.
    """

    names: tuple[str, ...]
    hashes: tuple[str, ...]
    labels: tuple[Label, ...]
    slip: npt.NDArray[np.int32]
    spans: npt.NDArray[np.int32]
    rules: npt.NDArray[np.int32]
    filters: npt.NDArray[np.int32]
    conds: npt.NDArray[np.int32]
    selectors: npt.NDArray[np.uint64]
    single: npt.NDArray[np.uint8]
    weights: npt.NDArray[np.int32]
    stop: int
    described: int

    @cached_property
    def _plain(self) -> list[list[tuple[list[_PlainRule], list[int]]]]:
        """The same as Python objects, policy by policy and decision by decision."""
        conds = [Condition(*row) for row in self.conds.tolist()]
        masks = [
            frozenset(
                64 * word + bit
                for word, value in enumerate(row)
                for bit in range(64)
                if value >> bit & 1
            )
            for row in self.selectors.tolist()
        ]
        rules = [
            _PlainRule(
                masks[s],
                bool(self.single[s]),
                tuple(conds[filtered : filtered + filters]),
                tuple(conds[first : first + count]),
            )
            for (s, first, count), (filtered, filters) in zip(
                self.rules.tolist(), self.filters.tolist(), strict=True
            )
        ]
        weights = self.weights.tolist()
        return [
            [
                (rules[first : first + count], weights[policy][decision])
                for decision, (first, count) in enumerate(decisions)
            ]
            for policy, decisions in enumerate(self.spans.tolist())
        ]


def choose(
    table: PolicyTable,
    policy: int,
    decision: int,
    legal_codes: Iterable[int],
    observe: Callable[[int, int], int],
) -> int:
    """Return the option that a policy's rules take. The kernels do exactly the same.

    1. The rules of the decision point are tried in order. A rule *holds* when each of its
       conditions holds: ``observe(observable, argument) OP value``. Without conditions it holds.
    2. A rule that holds takes

       - with a selector that names a single option: that option if it is legal, whatever its
         weight;
       - with a group (``any`` and groups of one option too): among its legal options whose weight
         is 0 or more, the one with the highest weight, ties to the lowest code.

       A rule with filters takes only options about which all of them hold:
       ``observe(observable, code) OP value``; an option that observables cannot be asked about
       (``code >= table.described``) passes no filter.

       If there is such an option it is chosen and the search ends; else the next rule is tried.
    3. When no rule has taken anything: ``stop`` if it is legal; else the legal option with the
       highest weight, negative ones included, ties to the lowest code.

    Slips are not made here: the engine asks for a policy only when there are at least two legal
    options, then draws from the seat's policy stream when ``slip > 0``, and comes here when the
    decision did not slip. Observing changes nothing and draws nothing, so it does not matter
    whether an engine tests the conditions or the selector first.

    Parameters
    ----------
    table : PolicyTable
    policy, decision : int
        Places of the policy in the table and of the decision point in the title.
    legal_codes : iterable of int
        Legal option codes, at least one.
    observe : callable
        ``observe(observable, argument) -> int``.

    Returns
    -------
    int
        One of the legal codes.

    Raises
    ------
    ValueError
        When nothing is legal; a fault of the engine.
    """
    legal = sorted(legal_codes)
    rules, weights = table._plain[policy][decision]
    for rule in rules:
        if rule.codes.isdisjoint(legal):
            continue  # cheaper to find out than what is observed
        if not all(
            _HOLDS[one.operator](observe(one.observable, one.argument), one.value)
            for one in rule.conditions
        ):
            continue
        taken = [
            code
            for code in legal
            if code in rule.codes
            and (rule.single or weights[code] >= 0)
            and (not rule.filters or (code < table.described and _passes(rule, code, observe)))
        ]
        if taken:
            # max() keeps the first of equal ones, which has the lowest code.
            return max(taken, key=weights.__getitem__)
    if table.stop in legal:
        return table.stop
    return max(legal, key=weights.__getitem__)


def _passes(rule: _PlainRule, code: int, observe: Callable[[int, int], int]) -> bool:
    return all(
        _HOLDS[one.operator](observe(one.observable, code), one.value) for one in rule.filters
    )


_HOLDS: tuple[Callable[[int, int], bool], ...] = (
    int.__lt__,
    int.__le__,
    int.__eq__,
    int.__ne__,
    int.__ge__,
    int.__gt__,
)
assert len(_HOLDS) == len(OPERATORS)


def available(folder: Path) -> tuple[str, ...]:
    """Return the names of the policies in a folder, sorted."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml"))) if folder.is_dir() else ()


def parse_entry(entry: str) -> tuple[str, int | None]:
    """Split a line-up entry into policy (a name or a path) and slip in ten-thousandths.

    Parameters
    ----------
    entry : str
        ``policy`` or ``policy@SLIP``; SLIP from 0 to 1 with at most four decimals.

    Raises
    ------
    InputError
        When the entry is empty or SLIP is no such number.

    Examples
    --------
    >>> parse_entry("big_stones@0.05")
    ('big_stones', 500)
    >>> parse_entry("mine/engine.toml")
    ('mine/engine.toml', None)
    """
    policy, at, text = entry.strip().rpartition("@")
    if not at or text.endswith(".toml"):  # an @ in the name of a folder
        policy, slip = entry.strip(), None
    else:
        policy = policy.strip()
        if not _SLIP.fullmatch(text) or Decimal(text) > 1:
            raise InputError(
                f"line-up entry {entry!r}: found slip {text!r}; "
                "allowed: a number from 0 to 1 with at most four decimals, as in 'big_stones@0.05'"
            )
        slip = int(Decimal(text) * SLIP_UNIT)
    if not policy:
        raise InputError(
            f"line-up entry {entry!r}: found no policy; allowed: policy or policy@SLIP"
        )
    return policy, slip


def load_policies(entries: Sequence[str], vocabulary: Vocabulary, folder: Path) -> PolicyTable:
    """Read the policies of a line-up.

    Parameters
    ----------
    entries : sequence of str
        ``policy`` or ``policy@SLIP``; a policy is the name of a file in ``folder`` or a path that
        ends in ``.toml``. One row of the table for each entry, in the same order.
    vocabulary : Vocabulary
        The words of the title.
    folder : Path
        The title's policies.

    Raises
    ------
    UnknownNameError
        When there is no such policy.
    DataError
        With all faults of all files.
    InputError
        When a file cannot be read or an entry is malformed.
    """
    parsed = [parse_entry(entry) for entry in entries]
    known = available(folder)
    files: dict[str, _PolicyFile] = {}
    problems: list[Problem] = []
    for name, _ in parsed:
        if name not in files:
            file = _PolicyFile(read_toml(_find(name, known, folder)), vocabulary)
            problems += file.problems
            files[name] = file
    if problems:
        raise DataError(problems)
    names = tuple(entry.strip() for entry in entries)
    return _pack(names, [(files[name], slip) for name, slip in parsed], vocabulary)


def _find(name: str, known: Sequence[str], folder: Path) -> Path:
    if name.endswith(".toml"):
        return Path(name)
    if name not in known:
        raise UnknownNameError("policy", name, known)
    return folder / f"{name}.toml"


class _PolicyFile:
    """One policy file: what it says, and all that is wrong with it."""

    def __init__(self, source: TomlSource, words: Vocabulary) -> None:
        self.source, self.words = source, words
        self.problems: list[Problem] = []
        self.label = self._label()
        about = source.data.get("about")
        if not isinstance(about, str) or not about.strip():
            self._problem(("about",), found_text(about), "one sentence on how it plays")
        self.slip = self._slip()
        self.rules: dict[str, list[ParsedRule]] = {}
        self.weights: dict[str, dict[str, int]] = {}
        self.per: dict[str, dict[str, int]] = {}
        decisions = words.decision_names
        for key, table in source.data.items():
            if key in decisions:
                self._decision(key, table)
            elif key not in _TEXT_KEYS:
                self._unknown((key,), (*decisions, *_TEXT_KEYS))

    def _problem(self, path: KeyPath, found: str, allowed: str, **more: Any) -> None:
        self.problems.append(self.source.problem(path, found, allowed, **more))

    def _unknown(self, path: KeyPath, names: Sequence[str]) -> None:
        name = str(path[-1])
        hint = nearest(name, names)
        listed = ", ".join(names[:40]) + (", …" if len(names) > 40 else "")
        self._problem(path, f"unknown name {name!r}", listed, hint=hint, at_key=True)

    def _label(self) -> Label:
        value = self.source.data.get("label")
        allowed = 'names in both languages: { en = "…", ja = "…" }'
        if not isinstance(value, dict):
            self._problem(("label",), found_text(value), allowed)
            return Label("", "")
        for key in value:
            if key not in Label._fields:
                self._unknown(("label", key), Label._fields)
        texts = [value.get(language) for language in Label._fields]
        for language, text in zip(Label._fields, texts, strict=True):
            if not isinstance(text, str) or not text.strip():
                self._problem(("label", language), found_text(text), allowed)
        return Label(*(str(text) for text in texts))

    def _slip(self) -> int:
        value = self.source.data.get("slip", 0)
        if not _is_int(value) or not 0 <= value <= SLIP_UNIT:
            allowed = f"a whole number from 0 to {SLIP_UNIT} (ten-thousandths)"
            self._problem(("slip",), found_text(value), allowed)
            return 0
        return int(value)

    def _decision(self, name: str, table: Any) -> None:
        if not isinstance(table, dict):
            self._problem((name,), found_text(table), f"a table [{name}]")
            return
        for key in table:
            if key not in _TABLE_KEYS:
                self._unknown((name, key), _TABLE_KEYS)
        self.rules[name] = self._rules((name, "rules"), table.get("rules", []))
        self.weights[name] = self._numbers(
            (name, "weights"), table.get("weights", {}), tuple(self.words.selectors)
        )
        self.per[name] = self._numbers(
            (name, "per"), table.get("per", {}), tuple(self.words.attributes)
        )
        for code, weight in enumerate(self._weights(name)):
            if not INT32[0] <= weight <= INT32[1]:
                self._problem(
                    (name, "weights"),
                    f"a weight of {weight} for {self.words.options[code]!r} with all that adds up",
                    f"at most {INT32[1]} either way",
                )
                break

    def _rules(self, path: KeyPath, texts: Any) -> list[ParsedRule]:
        if not isinstance(texts, list):
            self._problem(path, found_text(texts), 'a list of rules: ["SELECTOR if CONDITION", …]')
            return []
        rules = []
        for index, text in enumerate(texts):
            if not isinstance(text, str):
                self._problem((*path, index), found_text(text), "a rule in quotation marks")
                continue
            try:
                rules.append(parse_rule(text, self.words))
            except ExpressionError as error:
                self._problem(
                    (*path, index),
                    f"{error.found} at column {error.column} of the rule",
                    error.allowed,
                    hint=error.hint,
                    offset=error.column - 1,
                )
        return rules

    def _numbers(self, path: KeyPath, table: Any, names: Sequence[str]) -> dict[str, int]:
        if not isinstance(table, dict):
            self._problem(path, found_text(table), "a table of names and whole numbers")
            return {}
        numbers = {}
        for name, value in table.items():
            if name not in names:
                self._unknown((*path, name), names)
            elif not _is_int(value) or not INT32[0] <= value <= INT32[1]:
                allowed = f"a whole number from {INT32[0]} to {INT32[1]}"
                self._problem((*path, name), found_text(value), allowed)
            else:
                numbers[name] = int(value)
        return numbers

    def _weights(self, decision: str) -> list[int]:
        """Weight of each option: groups from wide to narrow, then single names, then ``per``."""
        words, given = self.words, self.weights.get(decision, {})
        weights = [0] * len(words.options)
        places = {name: place for place, name in enumerate(words.groups)}
        ranks: dict[str, tuple[int, int, int]] = {}
        for name in given:
            width = len(words.selectors[name])
            ranks[name] = (int(words.is_option(name)), -width, places.get(name, -1))
        for name in sorted(given, key=ranks.__getitem__):
            for code in words.selectors[name]:
                weights[code] = given[name]
        for attribute, factor in self.per.get(decision, {}).items():
            for code, value in enumerate(words.attributes[attribute]):
                weights[code] += factor * value
        return weights

    def content(self, slip: int) -> dict[str, Any]:
        """What the policy does, in names rather than codes; tables that say nothing left out."""
        content: dict[str, Any] = {"slip": slip}
        for name in self.words.decision_names:
            parts = {
                "rules": [format_rule(rule, self.words) for rule in self.rules.get(name, [])],
                "weights": self.weights.get(name, {}),
                "per": self.per.get(name, {}),
            }
            if said := {key: part for key, part in parts.items() if part}:
                content[name] = said
        return content


def _pack(
    names: tuple[str, ...], policies: Sequence[tuple[_PolicyFile, int | None]], words: Vocabulary
) -> PolicyTable:
    selectors: dict[str, int] = {}
    rules: list[tuple[int, int, int]] = []
    filters: list[tuple[int, int]] = []
    conds: list[Condition] = []
    decisions = words.decision_names
    spans = np.zeros((len(policies), len(decisions), 2), np.int32)
    weights = np.zeros((len(policies), len(decisions), CODES), np.int32)
    slips = [file.slip if slip is None else slip for file, slip in policies]
    for p, (file, _) in enumerate(policies):
        for d, decision in enumerate(decisions):
            found = file.rules.get(decision, [])
            spans[p, d] = len(rules), len(found)
            for rule in found:
                number = selectors.setdefault(rule.selector, len(selectors))
                rules.append((number, len(conds), len(rule.conditions)))
                conds += rule.conditions
                filters.append((len(conds), len(rule.filters)))
                conds += rule.filters
            weights[p, d, : len(words.options)] = file._weights(decision)
    masks = np.zeros((len(selectors), MASK_WORDS), np.uint64)
    for name, number in selectors.items():
        for code in words.selectors[name]:
            masks[number, code // 64] |= np.uint64(1 << code % 64)
    return PolicyTable(
        names=names,
        hashes=tuple(
            digest(file.content(slip)) for (file, _), slip in zip(policies, slips, strict=True)
        ),
        labels=tuple(file.label for file, _ in policies),
        slip=np.array(slips, np.int32),
        spans=spans,
        rules=np.array(rules, np.int32).reshape(-1, 3),
        filters=np.array(filters, np.int32).reshape(-1, 2),
        conds=np.array(conds, np.int32).reshape(-1, 4),
        selectors=masks,
        single=np.array([words.is_option(name) for name in selectors], np.uint8),
        weights=weights,
        stop=words.stop,
        described=words.described,
    )


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
