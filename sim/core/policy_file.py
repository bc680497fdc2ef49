"""Policy files: what they say, what they take from their bases, and all that is wrong with them.

``policy.py`` says what a policy means; here is how its file is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sim.core.expression import ExpressionError, ParsedRule, format_rule, parse_rule
from sim.core.title import Label, Loadout
from sim.core.toml_source import KeyPath, TomlSource, found_text, read_toml
from sim.core.vocabulary import INT32, Vocabulary
from sim.errors import MOST_TOLD, Problem, nearest, short

__all__ = ["BASE_MARK", "SLIP_UNIT", "PolicyFile", "Reader", "available", "base_files"]

#: ``slip`` is counted in this many parts of one.
SLIP_UNIT = 10_000

#: Files whose names begin so are bases of policies, and no policies.
BASE_MARK = "_"

#: Begins an entry of a rule list that stands for a shared list.
USE = "use"

#: Most rules that are read in a file, those of lists that it uses among them; twenty times as many
#: as any policy has.
MOST_RULES = 1000

#: Longest way from a policy over its bases.
MOST_BASES = 16

_TEXT_KEYS = ("label", "about", "slip", "base", "lists")
_BASE_KEYS = ("about", "base", "lists")
_TABLE_KEYS = ("rules", "weights", "per")


def available(folder: Path) -> tuple[str, ...]:
    """Return the names of the policies in a folder, sorted; bases (``_name``) are none."""
    if not folder.is_dir():
        return ()
    stems = (path.stem for path in folder.glob("*.toml"))
    return tuple(sorted(stem for stem in stems if not stem.startswith(BASE_MARK)))


def base_files(policy: Path, home: Path | None = None) -> list[Path]:
    """Return the files of a policy's bases, the nearest first; none beyond a fault.

    Parameters
    ----------
    policy : Path
        A policy file, which is needed together with these wherever it goes.
    home : Path, optional
        Folder of the title's own policies, when the policy lies elsewhere.
    """
    known = _bases(policy.parent, home or policy.parent)
    found: list[Path] = []
    path = policy
    while True:
        name = read_toml(path).data.get("base")
        if not isinstance(name, str) or name not in known:
            return found
        path = known[name]
        if path in found:
            return found
        found.append(path)


def _bases(folder: Path, home: Path) -> dict[str, Path]:
    """Return the bases that a policy in a folder can name, sorted: those beside it come first."""
    found = {
        path.stem: path
        for place in (home, folder)
        if place.is_dir()
        for path in place.glob(f"{BASE_MARK}*.toml")
    }
    return dict(sorted(found.items()))


class Reader:
    """Reads policy files and their bases, each once.

    Parameters
    ----------
    words : Vocabulary
    home : Path
        Folder of the title's own policies, whose bases are there for all policies.
    """

    def __init__(self, words: Vocabulary, home: Path) -> None:
        self.words, self.home = words, home
        #: By the policy's folder too: a base takes its own base from there.
        self._read_already: dict[tuple[Path, Path], PolicyFile] = {}

    @property
    def files(self) -> list[PolicyFile]:
        """All files that were read."""
        return list(self._read_already.values())

    def read(self, path: Path) -> PolicyFile:
        """Return a policy with what it takes from its bases."""
        return self._read(path, ())

    def _read(self, path: Path, above: tuple[Path, ...]) -> PolicyFile:
        chain = (*above, path)
        key = (chain[0].parent, path)
        if key not in self._read_already:
            file = PolicyFile(read_toml(path), self.words, is_base=bool(above))
            file.read(self._base(file, chain))
            self._read_already[key] = file
        return self._read_already[key]

    def _base(self, file: PolicyFile, chain: tuple[Path, ...]) -> PolicyFile | None:
        if (name := file.base) is None:
            return None
        known = _bases(chain[0].parent, self.home)
        base = known.get(name)
        if base is None:
            file.unknown_base(name, list(known))
        elif base in chain:
            circle = " → ".join(path.stem for path in (*chain[chain.index(base) :], base))
            file.circle(circle)
        elif len(chain) > MOST_BASES:
            file.endless()
        else:
            return self._read(base, chain)
        return None


class PolicyFile:
    """One policy file, or a base of policies: what it says, and all that is wrong with it."""

    def __init__(self, source: TomlSource, words: Vocabulary, *, is_base: bool = False) -> None:
        self.source, self.words = source, words
        self.problems: list[Problem] = []
        texts = _BASE_KEYS if is_base else _TEXT_KEYS
        self.label = Label("", "") if is_base else self._label()
        about = source.data.get("about")
        if not isinstance(about, str) or not about.strip():
            what = "one sentence on what it is for" if is_base else "one sentence on how it plays"
            self._problem(("about",), found_text(about), what)
        self.slip = 0 if is_base else self._slip()
        self.base = self._base()
        self._texts = texts
        self.lists: dict[str, list[ParsedRule]] = {}
        self.rules: dict[str, list[ParsedRule]] = {}
        self.weights: dict[str, dict[str, int]] = {}
        self.per: dict[str, dict[str, int]] = {}
        self._rules_read = 0

    def read(self, base: PolicyFile | None) -> None:
        """Read lists and decision points, laid over those of a base."""
        decisions = self.words.decision_names
        if base is not None:
            self.lists, self.rules = dict(base.lists), dict(base.rules)
            self.weights, self.per = dict(base.weights), dict(base.per)
        self._lists(self.source.data.get("lists", {}))
        for key, table in self.source.data.items():
            if key in decisions:
                self._decision(key, table)
            elif key not in self._texts:
                self._unknown((key,), (*decisions, *self._texts))

    def _base(self) -> str | None:
        name = self.source.data.get("base")
        if name is None:
            return None
        if not isinstance(name, str) or not name.startswith(BASE_MARK):
            allowed = (
                f"the name of a file beside it that begins with {BASE_MARK!r}, "
                "or of a base of the title"
            )
            self._problem(("base",), found_text(name), allowed)
            return None
        return name

    def unknown_base(self, name: str, known: Sequence[str]) -> None:
        """Note that there is no such base."""
        listed = ", ".join(known) or "no base: there is none, beside it or of the title"
        hint = nearest(name, known)
        self._problem(("base",), f"unknown base {short(repr(name))}", listed, hint=hint)

    def circle(self, circle: str) -> None:
        """Note that a base leads back to itself."""
        self._problem(("base",), f"a circle, {circle}", "bases that come to an end")

    def endless(self) -> None:
        """Note that a base has too many others below it."""
        self._problem(("base",), f"more than {MOST_BASES} bases", "bases that come to an end")

    def _lists(self, table: Any) -> None:
        if not isinstance(table, dict):
            self._problem(("lists",), found_text(table), "a table [lists] of lists of rules")
            return
        # Lists of this file may use those of its bases, not one another: there is no circle.
        own = {name: self._rules(("lists", name), texts) for name, texts in table.items()}
        self.lists.update(own)

    def _problem(self, path: KeyPath, found: str, allowed: str, **more: Any) -> None:
        self.problems.append(self.source.problem(path, found, allowed, **more))

    def _unknown(self, path: KeyPath, names: Sequence[str]) -> None:
        name = str(path[-1])
        # Only the first faults are told, and looking for right names takes its time.
        hint = nearest(name, names) if len(self.problems) < MOST_TOLD else None
        listed = ", ".join(names[:40]) + (", …" if len(names) > 40 else "")
        self._problem(path, f"unknown name {short(repr(name))}", listed, hint=hint, at_key=True)

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
        if "rules" in table or name not in self.rules:
            self.rules[name] = self._rules((name, "rules"), table.get("rules", []))
        for part, numbers, names in (
            ("weights", self.weights, tuple(self.words.selectors)),
            ("per", self.per, tuple(self.words.attributes)),
        ):
            given = self._numbers((name, part), table.get(part, {}), names)
            numbers[name] = numbers.get(name, {}) | given
        for code, weight in enumerate(self.total_weights(name)):
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
        rules: list[ParsedRule] = []
        for index, text in enumerate(texts):
            if self._rules_read >= MOST_RULES:
                self._problem(path, "too many rules", f"at most {MOST_RULES} in a file")
                break
            self._rules_read += 1
            if not isinstance(text, str):
                self._problem((*path, index), found_text(text), "a rule in quotation marks")
                continue
            if text.split()[:1] == [USE]:
                rules += self._used((*path, index), text.split()[1:])
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

    def _used(self, path: KeyPath, names: Sequence[str]) -> list[ParsedRule]:
        if len(names) == 1 and names[0] in self.lists:
            self._rules_read += len(self.lists[names[0]])
            return self.lists[names[0]]
        known = tuple(self.lists)
        found = (
            f"unknown list {short(repr(names[0]))}" if len(names) == 1 else f"{len(names)} names"
        )
        allowed = f"{USE!r} and a list ({', '.join(known) or 'there is none'})"
        hint = nearest(names[0], known) if len(names) == 1 else None
        self._problem(path, found, allowed, hint=hint)
        return []

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

    def total_weights(self, decision: str) -> list[int]:
        """Return each option's weight: groups from wide to narrow, single names, then ``per``."""
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

    def content(self, slip: int, loadout: Loadout | None) -> dict[str, Any]:
        """What the policy does, in names rather than codes; tables that say nothing left out.

        What a base gave is in it as if it stood in the file.
        """
        content: dict[str, Any] = {"slip": slip}
        if loadout is not None:
            content["loadout"] = {"id": loadout.id, "content": loadout.content}
        for name in self.words.decision_names:
            parts = {
                "rules": [format_rule(rule, self.words) for rule in self.rules.get(name, [])],
                "weights": self.weights.get(name, {}),
                "per": self.per.get(name, {}),
            }
            if said := {key: part for key, part in parts.items() if part}:
                content[name] = said
        return content


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
