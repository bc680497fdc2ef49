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

Policies that differ in a few decisions share the rest: with ``base = "_builder"`` a decision point
that the policy has no rules for takes those of ``_builder.toml``, and the weights and multiples of
the policy are laid over those of the base, name by name. A base stands beside the policy, or else
among the title's own policies. Files whose names begin with
``_`` are bases: they have ``about`` and tables, may have a base themselves, and are not played.

Rules that several policies put in different places are lists with a name, in the file or in one of
its bases; an entry ``use NAME`` stands for all rules of that list::

    [lists]
    closing = ["magic with field == 1 if magic_deck == 0 and truth_lead >= 1", ...]
    [acquire]
    rules = ["use closing", "arcana", "stop"]

How files are read is in ``policy_file.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.core.expression import HOLDS, Condition
from sim.core.hashing import digest
from sim.core.mask import masks
from sim.core.policy_file import (
    BASE_MARK,
    SLIP_UNIT,
    PolicyFile,
    Reader,
    available,
    base_files,
)
from sim.core.title import MASK_WORDS, Label, Loadout
from sim.core.vocabulary import Observable, Vocabulary
from sim.errors import DataError, InputError, UnknownNameError

__all__ = [
    "BASE_MARK",
    "CODES",
    "SLIP_UNIT",
    "Entry",
    "Observable",
    "PolicyTable",
    "Vocabulary",
    "available",
    "base_files",
    "choose",
    "load_policies",
    "parse_entry",
]

#: Width of the weight table: how many option codes there can be.
CODES = 64 * MASK_WORDS

_ENTRY_FORM = "policy[:deck][@slip]"
_SLIP = re.compile(r"(?:[0-9]+(?:\.[0-9]{0,4})?|\.[0-9]{1,4})", re.ASCII)


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
        As in the line-up: ``policy:loadout@0.05``.
    hashes : tuple of str
        SHA-256 of what each entry does: its rules with what bases gave, its slip, and the content
        of its loadout; labels are left out.
    labels : tuple of Label
        Display names.
    slip : int32 array, shape (policies,)
        Ten-thousandths of decisions that are random.
    loadout : int16 array, shape (policies,)
        Place of what the seat brings along among the title's loadouts; -1 for nothing.
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
    loadout: npt.NDArray[np.int16]
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
        codes = [
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
                codes[s],
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
            HOLDS[one.operator](observe(one.observable, one.argument), one.value)
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
        HOLDS[one.operator](observe(one.observable, code), one.value) for one in rule.filters
    )


class Entry(NamedTuple):
    """A line-up entry, taken apart.

    Attributes
    ----------
    policy : str
        A name or a path that ends in ``.toml``.
    loadout : str or None
        What the seat brings along, by name.
    slip : int or None
        In ten-thousandths; None when the entry leaves it to the policy.
    """

    policy: str
    loadout: str | None
    slip: int | None


def parse_entry(entry: str) -> Entry:
    """Take a line-up entry apart: ``policy[:loadout][@slip]``.

    A policy is a name, or a path that ends in ``.toml``. Paths may hold ``@`` and ``:`` themselves:
    either begins a part of its own only when no ``.toml`` follows it.

    Parameters
    ----------
    entry : str
        The slip is a number from 0 to 1 with at most four decimals.

    Raises
    ------
    InputError
        When a part is empty or the slip is no such number.

    Examples
    --------
    >>> parse_entry("careful@0.05")
    Entry(policy='careful', loadout=None, slip=500)
    >>> parse_entry("careful:swift_fire@0.05")
    Entry(policy='careful', loadout='swift_fire', slip=500)
    >>> parse_entry("C:/mine@home/engine.toml:swift_fire")
    Entry(policy='C:/mine@home/engine.toml', loadout='swift_fire', slip=None)
    """
    rest, slip, loadout = entry.strip(), None, None
    head, at, text = rest.rpartition("@")
    if at and not _in_path(text):
        rest = head.strip()
        if not _SLIP.fullmatch(text) or Decimal(text) > 1:
            example = f"{rest}@0.05" if rest else "policy@0.05"
            raise InputError(
                f"line-up entry {entry!r}: found slip {text!r}; "
                f"allowed: a number from 0 to 1 with at most four decimals, as in {example!r}"
            )
        slip = int(Decimal(text) * SLIP_UNIT)
    head, colon, text = rest.rpartition(":")
    if colon and not _in_path(text):
        rest, loadout = head.strip(), text.strip()
    if not rest or loadout == "":
        what = "policy" if not rest else "name after the colon"
        raise InputError(f"line-up entry {entry!r}: found no {what}; allowed: {_ENTRY_FORM}")
    return Entry(rest, loadout, slip)


def _in_path(text: str) -> bool:
    """Whether a mark before this text is a part of a path."""
    return ".toml" in text


def load_policies(
    entries: Sequence[str],
    vocabulary: Vocabulary,
    folder: Path,
    *,
    loadouts: Sequence[Loadout] = (),
    title: str = "this title",
) -> PolicyTable:
    """Read the policies of a line-up.

    Parameters
    ----------
    entries : sequence of str
        ``policy[:loadout][@slip]``; a policy is the name of a file in ``folder`` or a path that
        ends in ``.toml``. One row of the table for each entry, in the same order.
    vocabulary : Vocabulary
        The words of the title.
    folder : Path
        The title's policies.
    loadouts : sequence of Loadout
        What there is to be brought along; then every entry has to name one.
    title : str
        Name of the title, for messages.

    Raises
    ------
    UnknownNameError
        When there is no such policy or loadout.
    DataError
        With all faults of all files.
    InputError
        When a file cannot be read or an entry is malformed.
    """
    parsed = [parse_entry(entry) for entry in entries]
    known = available(folder)
    reader = Reader(vocabulary, folder)
    files = {
        name: reader.read(_find(name, known, folder))
        for name in dict.fromkeys(entry.policy for entry in parsed)
    }
    if problems := [problem for file in reader.files for problem in file.problems]:
        raise DataError(problems)
    names = tuple(entry.strip() for entry in entries)
    brought = [
        _loadout(name, entry, loadouts, title) for name, entry in zip(names, parsed, strict=True)
    ]
    packed = [(files[entry.policy], entry.slip) for entry in parsed]
    return _pack(names, packed, brought, loadouts, vocabulary)


def _loadout(name: str, entry: Entry, loadouts: Sequence[Loadout], title: str) -> int:
    """Return the place of an entry's loadout, -1 for none."""
    if not loadouts:
        if entry.loadout is not None:
            raise InputError(
                f"line-up entry {name!r}: found {entry.loadout!r} after the colon, "
                f"and {title} has nothing to bring along; allowed: policy[@slip]"
            )
        return -1
    known = [loadout.id for loadout in loadouts]
    if entry.loadout is None:
        raise InputError(
            f"line-up entry {name!r}: found no deck, and in {title} every seat brings one; "
            f"allowed: {_ENTRY_FORM}, as in {f'{entry.policy}:{known[0]}'!r} "
            f"(decks: {', '.join(known)})"
        )
    if entry.loadout not in known:
        raise UnknownNameError("deck", entry.loadout, known)
    return known.index(entry.loadout)


def _find(name: str, known: Sequence[str], folder: Path) -> Path:
    if name.endswith(".toml"):
        return Path(name)
    if name not in known:
        raise UnknownNameError("policy", name, known)
    return folder / f"{name}.toml"


def _pack(
    names: tuple[str, ...],
    policies: Sequence[tuple[PolicyFile, int | None]],
    brought: Sequence[int],
    loadouts: Sequence[Loadout],
    words: Vocabulary,
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
            weights[p, d, : len(words.options)] = file.total_weights(decision)
    return PolicyTable(
        names=names,
        hashes=tuple(
            digest(file.content(slip, None if place < 0 else loadouts[place]))
            for (file, _), slip, place in zip(policies, slips, brought, strict=True)
        ),
        labels=tuple(
            file.label if place < 0 else _joined(file.label, loadouts[place].label)
            for (file, _), place in zip(policies, brought, strict=True)
        ),
        slip=np.array(slips, np.int32),
        loadout=np.array(brought, np.int16),
        spans=spans,
        rules=np.array(rules, np.int32).reshape(-1, 3),
        filters=np.array(filters, np.int32).reshape(-1, 2),
        conds=np.array(conds, np.int32).reshape(-1, 4),
        selectors=masks([words.selectors[name] for name in selectors]),
        single=np.array([words.is_option(name) for name in selectors], np.uint8),
        weights=weights,
        stop=words.stop,
        described=words.described,
    )


def _joined(policy: Label, loadout: Label) -> Label:
    return Label(f"{policy.en}: {loadout.en}", f"{policy.ja}：{loadout.ja}")
