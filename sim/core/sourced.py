"""Data files, overlays and overrides merged into one tree in which every value has a source.

A value is written as a *leaf*, ``{ value = 6, source = "rulebook", ref = "GM-F5" }``, or plainly in
a table that carries a ``source`` for all its values. Overlays and overrides may be plain: their
values have the source ``override``.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sim.core.toml_source import KeyPath, TomlSource, dotted, found_text, nests_deeply
from sim.core.vocabulary import INT32
from sim.errors import MOST_TOLD, Problem, nearest, short

__all__ = [
    "DISPLAY",
    "SOURCES",
    "Mark",
    "Origin",
    "SourcedTree",
    "is_display",
    "override_source",
]

#: Where a value may come from; ``override`` is implied for overlays and overrides.
SOURCES = ("rulebook", "public", "derived", "assumed", "tool", "override")

#: Keys that people read and no game does: they need no source and do not enter the rules' hash.
DISPLAY = ("label", "about", "text")

_LANGUAGES = ("en", "ja")
_LEAF = ("value", "source", "ref", "range")
_LONGEST_KEY = 200
_LONGEST_VALUE = 10_000
_LEAF_SHAPE = '{ value = …, source = "rulebook", ref = "…" }'


def is_display(key: str, value: Any) -> bool:
    """Whether an entry of a table is for display only.

    The content is looked at too, because a card may be called ``text``.

    Examples
    --------
    >>> is_display("label", {"en": "Stone", "ja": "魔石"}), is_display("text", {"cost": 3})
    (True, False)
    """
    if key not in DISPLAY:
        return False
    if isinstance(value, dict):
        return any(language in value for language in _LANGUAGES) and all(
            isinstance(text, str) for text in value.values()
        )
    return value is None or isinstance(value, str)


class Origin(NamedTuple):
    """The place in a file that a value or a table comes from.

    ``key`` leads to the entry, ``value`` to what it holds; they differ for a leaf.
    """

    file: TomlSource
    key: KeyPath
    value: KeyPath


@dataclass(frozen=True, slots=True)
class Mark:
    """What is said about a value: its source, where to look it up, and its plausible range."""

    source: str
    ref: str | None
    range: tuple[int | str, ...] | None


class SourcedTree:
    """The merged values with their marks and places, and every fault met on the way.

    Attributes
    ----------
    values : dict
        Plain values.
    marks : dict of path to Mark
        One for each value that decides results.
    origins : dict of path to Origin
        Of every value and table.
    added : set of path
        Tables that an overlay brought in.
    problems : list of Problem
    faulty : set of path
        Values that a problem is about, so that nothing else need be said about them.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.marks: dict[KeyPath, Mark] = {}
        self.origins: dict[KeyPath, Origin] = {}
        self.added: set[KeyPath] = set()
        self.problems: list[Problem] = []
        self.faulty: set[KeyPath] = set()

    # --- adding ------------------------------------------------------------------------------

    def add_base(self, file: TomlSource) -> None:
        """Add a data file; a top-level table must not be in another one already."""
        layer = _Layer(self, file, overlay=False)
        data = dict(file.data)
        for key in [key for key in data if key in self.values]:
            other = self.origins[(key,)].file.name
            layer.problem((key,), (key,), f"a second {key!r}", f"the one in {other}", at_key=True)
            del data[key]
        layer.table(data, (), (), self.values, layer.mark)

    def add_overlay(self, file: TomlSource) -> None:
        """Lay a file over what is there; its values win, and nothing can be removed."""
        layer = _Layer(self, file, overlay=True)
        layer.table(file.data, (), (), self.values, layer.mark)

    def _example(self) -> str:
        """Return an override that these rules would take."""
        numbers = ((path, self.at(path)) for path in self.marks)
        numbers = ((path, value) for path, value in numbers if type(value) is int)
        path, value = next(numbers, (("limits", "cap"), 6))
        return f"{dotted(path)}={value + 1}"

    def add_override(self, text: str, is_field: Callable[[KeyPath], bool]) -> None:
        """Set one value by ``KEY=VALUE``.

        Parameters
        ----------
        text : str
            A dotted key and a TOML value.
        is_field : callable
            Whether a path that is not in the data yet is one that the model knows by name.
        """
        file = override_source(text)
        parsed = _override(text)
        if isinstance(parsed, str):
            allowed = f"a key and a value: {self._example()}"
            self.problems.append(Problem(file.name, "KEY=VALUE", parsed, allowed))
            return
        path, value = parsed
        layer = _Layer(self, file, overlay=True)
        around, old = self.at(path[:-1]), self.at(path)
        if isinstance(value, dict):
            allowed = "a number, true, false, text or a list; tables belong in an overlay file"
            layer.problem(path, path, found_text(value), allowed)
        elif isinstance(old, dict):
            names = [dotted((*path, key)) for key in old]
            layer.problem(path, path, "a table", f"something in it ({_listed(names)})")
        elif isinstance(value, str) and path[1:] and is_display(str(path[-2]), around):
            layer.text(path[-2], {path[-1]: value}, path[:-1], path[:-1], self.at(path[:-2]))
        elif isinstance(around, dict) and (path in self.origins or is_field(path)):
            layer.entry(path[-1], value, path, path, around, layer.mark)
        else:
            # Only the first faults are told, and looking for right names takes its time.
            few = len(self.problems) < MOST_TOLD
            hint = nearest(dotted(path), map(dotted, self.marks)) if few else None
            layer.problem(path, path, "an unknown key", "a key of the rules", hint=hint)

    # --- places ------------------------------------------------------------------------------

    def at(self, path: KeyPath) -> Any:
        """Return the value or table at a path, or None."""
        node: Any = self.values
        for part in path:
            node = node.get(part) if isinstance(node, dict) else None
        return node

    def forget(self, path: KeyPath) -> None:
        """Drop what is known of a value that is about to be replaced, and of all below it."""
        if path not in self.origins:
            return
        below = isinstance(self.at(path), dict)
        for known in (self.marks, self.origins):
            for old in [old for old in known if old[: len(path)] == path] if below else [path]:
                known.pop(old, None)

    def problem(
        self,
        path: KeyPath,
        found: str,
        allowed: str,
        *,
        hint: str | None = None,
        at_key: bool = False,
        offset: int | None = None,
        default_file: str = "",
    ) -> Problem:
        """Return a fault of a value, placed where the value comes from."""
        for length in range(len(path), 0, -1):
            if origin := self.origins.get(path[:length]):
                base = origin.key if at_key else origin.value
                return origin.file.problem(
                    base + path[length:],
                    found,
                    allowed,
                    hint=hint,
                    at_key=at_key,
                    offset=offset,
                    key=dotted(path),
                )
        return Problem(default_file, dotted(path), found, allowed, hint=hint)


class _Layer:
    """One file or override on its way into the tree.

    Throughout, ``path`` leads to a value in the tree and ``where`` to it in the file; they part
    below a leaf, whose value lies one step deeper in the file.
    """

    def __init__(self, tree: SourcedTree, file: TomlSource, *, overlay: bool) -> None:
        self.tree, self.file, self.overlay = tree, file, overlay
        self.mark = Mark("override", None, None) if overlay else None

    def problem(
        self,
        where: KeyPath,
        key: KeyPath,
        found: str,
        allowed: str,
        *,
        hint: str | None = None,
        at_key: bool = False,
    ) -> None:
        self.tree.faulty.add(key)
        self.tree.problems.append(
            self.file.problem(where, found, allowed, hint=hint, at_key=at_key, key=dotted(key))
        )

    def table(
        self,
        table: dict[str, Any],
        path: KeyPath,
        where: KeyPath,
        into: dict[str, Any],
        mark: Mark | None,
    ) -> None:
        """Merge a table."""
        mark = self.said(table, path, where, mark)
        for key, value in table.items():
            if key == "value":  # only at the top of a file: elsewhere it makes a leaf
                self.problem(
                    (*where, key),
                    (*path, key),
                    "a value that belongs to no key",
                    "a value within a leaf: cost = { value = 5, … }",
                )
            elif key == "range":
                self.problem(
                    (*where, key),
                    (*path, key),
                    "a range of a whole table",
                    "a range beside one value: { value = 5, range = [3, 8] }",
                )
            elif key not in _LEAF:
                self.entry(key, value, (*path, key), (*where, key), into, mark)

    def entry(
        self,
        key: Any,
        value: Any,
        path: KeyPath,
        where: KeyPath,
        into: dict[str, Any],
        mark: Mark | None,
    ) -> None:
        """Merge one entry of a table: a text for people, a table, a leaf or a plain value."""
        if is_display(key, value):
            self.text(key, value, path, where, into)
            return
        at, range_ = where, None
        if isinstance(value, dict) and "value" in value:
            mark = self.said(value, path, where, mark)
            for name in value:
                if name not in _LEAF:
                    self.problem(
                        (*where, name),
                        (*path, name),
                        "an unknown name beside a value",
                        ", ".join(_LEAF),
                        hint=nearest(name, _LEAF),
                        at_key=True,
                    )
            value, range_, at = value["value"], value.get("range"), (*where, "value")
        elif isinstance(value, dict) and value and all(name in _LEAF for name in value):
            self.problem(where, path, "a source without a value", _LEAF_SHAPE)
        if isinstance(value, dict):
            if range_ is not None:
                self.range(range_, None, path, where)
            self.subtable(key, value, path, where, at, into, mark)
        else:
            self.value(key, value, path, where, at, into, mark, range_)

    def text(
        self, key: Any, value: Any, path: KeyPath, where: KeyPath, into: dict[str, Any]
    ) -> None:
        """Merge a text for people, language by language."""
        for language, written in value.items() if isinstance(value, dict) else ():
            if hidden := [c for c in written if unicodedata.category(c) in ("Cc", "Cf")]:
                self.problem(
                    (*where, language),
                    (*path, language),
                    f"a character that cannot be seen (U+{ord(hidden[0]):04X})",
                    "text on one line",
                )
        old = into.get(key)
        if isinstance(value, dict) and isinstance(old, dict) and is_display(key, old):
            into[key] = old | value
        else:
            self.tree.forget(path)
            # A file that was read is kept for the next time: what is merged must not reach it.
            into[key] = dict(value) if isinstance(value, dict) else value
        self.tree.origins[path] = Origin(self.file, where, where)
        for language in value if isinstance(value, dict) else ():
            place = (*where, language)
            self.tree.origins[(*path, language)] = Origin(self.file, place, place)

    def subtable(
        self,
        key: Any,
        value: dict[str, Any],
        path: KeyPath,
        where: KeyPath,
        at: KeyPath,
        into: dict[str, Any],
        mark: Mark | None,
    ) -> None:
        old = into.get(key)
        if not isinstance(old, dict) or is_display(key, old):
            self.tree.forget(path)
            into[key] = {}
            if self.overlay:
                self.tree.added.add(path)
        self.tree.origins.setdefault(path, Origin(self.file, where, at))
        self.table(value, path, at, into[key], mark)

    def value(
        self,
        key: Any,
        value: Any,
        path: KeyPath,
        where: KeyPath,
        at: KeyPath,
        into: dict[str, Any],
        mark: Mark | None,
        range_: Any,
    ) -> None:
        """Put a value that decides results into the tree, with its mark and its place."""
        self.tree.forget(path)
        self.tree.origins[path] = Origin(self.file, where, at)
        into[key] = value
        if (fault := _unfit(value)) is not None:
            self.problem(at, path, *fault)
            into[key] = 0  # a stand-in that can be validated; the fault is told already
        elif mark is None:
            self.problem(
                at,
                path,
                f"{found_text(value)} without a source",
                f"{_LEAF_SHAPE}, or a source for the whole table",
            )
        elif range_ is not None:
            mark = Mark(mark.source, mark.ref, self.range(range_, value, path, where))
        self.tree.marks[path] = mark or Mark("assumed", None, None)

    def said(
        self, table: dict[str, Any], path: KeyPath, where: KeyPath, inherited: Mark | None
    ) -> Mark | None:
        """Read ``source`` and ``ref`` of a leaf or a table; without them those around it hold."""
        source, ref = table.get("source"), table.get("ref")
        if source is None and (ref is None or inherited is None):
            return inherited
        allowed = SOURCES if self.overlay else SOURCES[:-1]
        if source is None and inherited is not None:
            source = inherited.source
        elif not isinstance(source, str) or source not in allowed:
            hint = nearest(source, allowed) if isinstance(source, str) else None
            place, key = (*where, "source"), (*path, "source")
            self.problem(place, key, found_text(source), ", ".join(allowed), hint=hint)
            return Mark("assumed", None, None)
        known = next((mark.ref for mark in self.tree.marks.values() if mark.ref), "…")
        example = f'where to look it up: ref = "{known}"'
        if ref is not None and (not isinstance(ref, str) or not ref.strip()):
            self.problem((*where, "ref"), (*path, "ref"), found_text(ref), example)
        elif ref is None and source == "rulebook":
            found = "source rulebook without a ref"
            self.problem((*where, "source"), (*path, "ref"), found, example)
        return Mark(source, ref if isinstance(ref, str) else None, None)

    def range(
        self, given: Any, value: Any, path: KeyPath, where: KeyPath
    ) -> tuple[int | str, ...] | None:
        """Read the range of a value: two bounds of numbers, or all possible words."""
        found, fault = found_text(given), ""
        if isinstance(value, str):
            words = given if isinstance(given, list) else []
            whole = len(words) >= 2 and all(isinstance(word, str) for word in words)
            if not whole or value not in words or len(set(words)) < len(words):
                fault = f"the different words that are possible, {found_text(value)} among them"
        else:
            items = value if isinstance(value, list) else [value]
            if not all(_is_int(item) for item in items):
                fault = "no range, as the value is neither a whole number nor a word"
            elif (
                not isinstance(given, list)
                or len(given) != 2
                or not all(_is_int(end) and INT32[0] <= end <= INT32[1] for end in given)
                or given[0] > given[1]
            ):
                fault = "two whole numbers, the lower one first: range = [3, 8]"
            elif not all(given[0] <= item <= given[1] for item in items):
                found += f", with {found_text(value)} outside of it"
                fault = "a range that holds the value"
        if fault:
            self.problem((*where, "range"), (*path, "range"), found, fault)
            return None
        return tuple(given)


def override_source(text: str) -> TomlSource:
    """Return what an override is called in messages, as a source without lines."""
    shown = text if text.isprintable() else repr(text)
    return TomlSource(f"--set {short(shown, 80)}", "", {}, has_lines=False)


def _override(text: str) -> tuple[KeyPath, Any] | str:
    """Read ``KEY=VALUE`` into a path and a value, or tell what is wrong with it."""
    key, equals, value = text.partition("=")
    if not text.isprintable():
        return "characters that cannot be printed"
    if len(key) > _LONGEST_KEY:
        return f"a key of {len(key):,} characters"
    if len(value) > _LONGEST_VALUE:
        return f"a value of {len(value):,} characters"
    if not equals:
        return "no '='"
    try:
        node: Any = tomllib.loads(f"{key} = 0")
    except (ValueError, RecursionError):
        return f"{found_text(key)} as a key"
    path: KeyPath = ()
    while isinstance(node, dict):
        name, node = next(iter(node.items()))
        path = (*path, name)
    try:
        read = tomllib.loads(f"value = {value}")["value"]
        return "brackets nested too deeply" if nests_deeply(read) else (path, read)
    except (ValueError, RecursionError):
        words = found_text(value.strip())
        hint = f"; text needs quotation marks: {words}" if value.strip().isidentifier() else ""
        return f"{value.strip()[:40]!r} as a value{hint}"


def _unfit(value: Any) -> tuple[str, str] | None:
    """What is wrong with a value by itself: rules hold whole numbers, words, switches and lists."""
    if isinstance(value, list):
        return next((fault for item in value if (fault := _unfit(item))), None)
    if isinstance(value, dict):
        return next((fault for item in value.values() if (fault := _unfit(item))), None)
    if isinstance(value, bool | str):
        return None
    if isinstance(value, int):
        if INT32[0] <= value <= INT32[1]:
            return None
        return found_text(value), f"a whole number from {INT32[0]} to {INT32[1]}"
    if isinstance(value, float):
        return f"{value}, which is no whole number", "a whole number (ten-thousandths for a chance)"
    return f"a date or time ({value})", "a whole number, true, false, text or a list"


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names[:40]) + (", …" if len(names) > 40 else "")
